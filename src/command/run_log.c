/* run_log - see run_log.h. */
#include "config.h"

#include "command/run_log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/fs.h"
#include "base/redact.h"
#include "evidence/log_clean.h"
#include "launch/run_directory.h"
#include "workspace/error_text.h"
#include "workspace/workspace.h"

enum { CHUNK = 256 * 1024, TEXT_MAX = 4096 };

char *run_log_path(const char *runs_folder, const char *run)
{
	struct arena a = ARENA_INIT;
	char *path = xstrdup(run_directory_path(&a, fs_join(&a, runs_folder, run), RUN_FILE_LOG));

	arena_release(&a);
	return path;
}

int64_t run_log_size(const char *path)
{
	return fs_size(path);
}

static int open_log(const char *path, int64_t *size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
	struct stat st;

	if (fd < 0)
		return err_errno(errno == ENOENT ? ERR_NOT_FOUND : ERR_IO, "%s", path);
	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode)) {
		int rc = err_set(ERR_IO, "%s is no file", path);

		close(fd);
		return rc;
	}
	*size = st.st_size;
	return fd;
}

/* Fewer bytes than asked only at the end of the file; -1 with errno. */
static ssize_t read_at(int fd, char *out, size_t n, int64_t offset)
{
	size_t got = 0;

	while (got < n) {
		ssize_t k = pread(fd, out + got, n - got, offset + (int64_t)got);

		if (k < 0 && errno == EINTR)
			continue;
		if (k < 0)
			return -1;
		if (k == 0)
			break;
		got += (size_t)k;
	}
	return (ssize_t)got;
}

/* ---- windows ----------------------------------------------------------------- */

static bool is_end(char c)
{
	return c == '\n' || c == '\r';
}

static void add_line(struct run_log_window *w, size_t *cap, size_t from, size_t to, bool continued)
{
	ARRAY_GROW(w->lines, w->n_lines, *cap);
	w->lines[w->n_lines++] = (struct run_log_line){
		.at = (uint32_t)from, .n = (uint32_t)(to - from), .continued = continued,
		.error = error_text_in(w->bytes + from, to - from) != NULL,
	};
}

static void split(struct run_log_window *w)
{
	size_t cap = 0, from = 0;
	bool continued = false;

	for (size_t i = 0; i < w->n; i++) {
		if (!is_end(w->bytes[i]) && i - from < RUN_LOG_LINE)
			continue;
		/* CR LF is one end; a bar that was rewritten in place is many. */
		add_line(w, &cap, from, i, continued);
		continued = !is_end(w->bytes[i]);
		if (w->bytes[i] == '\r' && i + 1 < w->n && w->bytes[i + 1] == '\n')
			i++;
		from = continued ? i : i + 1;
	}
	if (from < w->n)
		add_line(w, &cap, from, w->n, continued);
}

/* Takes the part of a line at the front away, unless the file begins there. */
static void cut_front(struct run_log_window *w)
{
	size_t n = 0;

	if (w->offset == 0)
		return;
	while (n < w->n && n < RUN_LOG_LINE && !is_end(w->bytes[n]))
		n++;
	if (n == w->n || n == RUN_LOG_LINE)
		return;		/* a line longer than that is shown from here */
	n += w->bytes[n] == '\r' && n + 1 < w->n && w->bytes[n + 1] == '\n' ? 2 : 1;
	memmove(w->bytes, w->bytes + n, w->n - n);
	w->n -= n;
	w->offset += (int64_t)n;
}

/* In place, so that every line stays where the file has it. */
static void mask_secrets(struct run_log_window *w)
{
	struct redact *secrets = redact_new();

	redact_add_environment(secrets, environ);
	redact_mask(secrets, w->bytes, w->n);
	redact_free(secrets);
}

int run_log_read(
	struct run_log_window **out, const char *path, int64_t offset, enum run_log_place place)
{
	struct run_log_window *w;
	int64_t size;
	ssize_t got;
	int fd = open_log(path, &size);

	if (fd < 0)
		return fd;
	w = xcalloc(1, sizeof *w);
	w->size = size;
	w->offset = offset - (place == RUN_LOG_BEFORE ? RUN_LOG_WINDOW : RUN_LOG_WINDOW / 2);
	if (w->offset > size - RUN_LOG_WINDOW)
		w->offset = size - RUN_LOG_WINDOW;
	if (w->offset < 0)
		w->offset = 0;
	w->bytes = xmalloc(RUN_LOG_WINDOW);
	got = read_at(fd, w->bytes, RUN_LOG_WINDOW, w->offset);
	close(fd);
	if (got < 0) {
		run_log_free(w);
		return err_errno(ERR_IO, "%s", path);
	}
	w->n = (size_t)got;
	mask_secrets(w);
	cut_front(w);
	split(w);
	*out = w;
	return 0;
}

void run_log_free(struct run_log_window *w)
{
	if (!w)
		return;
	free(w->bytes);
	free(w->lines);
	free(w);
}

/* The beginning of a line stays where the file has it. */
static void clean_line(struct run_log_window *w, struct run_log_line *l)
{
	char *s = w->bytes + l->at;
	size_t kept = 0;

	for (size_t i = 0; i < l->n;) {
		size_t n = s[i] == '\033' ? log_escape(s + i, l->n - i, true) : 0;

		if (n)
			i += n < l->n - i ? n : l->n - i;
		else
			s[kept++] = s[i++];
	}
	l->n = (uint32_t)kept;
}

void run_log_clean(struct run_log_window *w)
{
	for (size_t i = 0; i < w->n_lines; i++)
		clean_line(w, &w->lines[i]);
}

size_t run_log_line_at(const struct run_log_window *w, int64_t offset)
{
	size_t low = 0, high = w->n_lines;

	/* The last line that begins at or before OFFSET. */
	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (w->offset + w->lines[middle].at <= offset)
			low = middle;
		else
			high = middle;
	}
	return w->n_lines ? low : 0;
}

/* ---- searching ------------------------------------------------------------------ */

struct search {
	int fd;
	int64_t size;
	const char *text;		/* NULL: errors */
	size_t text_n;
	char lower[2];			/* first letter in both cases */
	char *chunk;
};

/* The first match in S[0..N), or NULL. */
static const char *find_text(const struct search *s, const char *p, size_t n)
{
	if (!s->text)
		return error_text_in(p, n);
	for (const char *end = p + n; (size_t)(end - p) >= s->text_n; p++) {
		size_t left = (size_t)(end - p) - s->text_n + 1;
		const char *a = memchr(p, s->lower[0], left),
			   *b = memchr(p, s->lower[1], a ? (size_t)(a - p) + 1 : left);

		p = b ? b : a;
		if (!p)
			return NULL;
		if (strncasecmp(p, s->text, s->text_n) == 0)
			return p;
	}
	return NULL;
}

/* The last match that begins in the first LIMIT bytes. */
static const char *find_last(const struct search *s, const char *p, size_t n, size_t limit)
{
	const char *found = NULL, *at = p;

	while ((at = find_text(s, at, n - (size_t)(at - p))) != NULL && (size_t)(at - p) < limit) {
		found = at;
		at++;
	}
	return found;
}

static size_t overlap_of(const struct search *s)
{
	return s->text ? s->text_n - 1 : TEXT_MAX / 64;
}

static bool is_cancelled(const atomic_bool *cancel)
{
	return cancel && atomic_load(cancel);
}

static int read_chunk(const struct search *s, size_t *n, int64_t offset, size_t most)
{
	ssize_t got = read_at(s->fd, s->chunk, most, offset);

	*n = 0;
	if (got < 0)
		return err_errno(ERR_IO, "log");
	*n = (size_t)got;
	return 0;
}

/* A hole holds nothing: the next place with data, or the end. */
static int64_t skip_hole(const struct search *s, int64_t offset)
{
	int64_t data = lseek(s->fd, offset, SEEK_DATA);

	if (data < 0)
		return errno == ENXIO ? s->size : offset;
	return data > offset ? data : offset;
}

static int find_forward(
	int64_t *at, const struct search *s, int64_t from, const atomic_bool *cancel)
{
	size_t overlap = overlap_of(s), n = 0;
	int rc;

	while (from < s->size) {
		const char *found;

		if (is_cancelled(cancel))
			return err_set(ERR_CANCELLED, "the search was cancelled");
		from = skip_hole(s, from);
		if ((rc = read_chunk(s, &n, from, CHUNK)) < 0)
			return rc;
		found = find_text(s, s->chunk, n);
		if (found) {
			*at = from + (found - s->chunk);
			return 1;
		}
		if (n <= overlap)
			break;
		from += (int64_t)(n - overlap);
	}
	return 0;
}

static int find_backward(
	int64_t *at, const struct search *s, int64_t before, const atomic_bool *cancel)
{
	size_t overlap = overlap_of(s), n = 0;
	int rc;

	while (before > 0) {
		int64_t from =
			before > CHUNK - (int64_t)overlap ? before - CHUNK + (int64_t)overlap : 0;
		int64_t end = before + (int64_t)overlap;
		const char *found;

		if (is_cancelled(cancel))
			return err_set(ERR_CANCELLED, "the search was cancelled");
		if (skip_hole(s, from) < end) {
			if ((rc = read_chunk(s, &n, from, (size_t)(end - from))) < 0)
				return rc;
			found = find_last(s, s->chunk, n, (size_t)(before - from));
			if (found) {
				*at = from + (found - s->chunk);
				return 1;
			}
		}
		before = from;
	}
	return 0;
}

int run_log_find(int64_t *at, const char *path, int64_t from, int direction, const char *text,
	const atomic_bool *cancel)
{
	struct search s = { .text = text, .text_n = text ? strlen(text) : 0 };
	int rc;

	if (text && (!*text || s.text_n > TEXT_MAX))
		return 0;
	if ((s.fd = open_log(path, &s.size)) < 0)
		return s.fd;
	if (text) {
		s.lower[0] = text[0] >= 'A' && text[0] <= 'Z' ? (char)(text[0] + 32) : text[0];
		s.lower[1] = text[0] >= 'a' && text[0] <= 'z' ? (char)(text[0] - 32) : text[0];
	}
	s.chunk = xmalloc(CHUNK);
	rc = direction > 0 ? find_forward(at, &s, from < 0 ? 0 : from, cancel)
			   : find_backward(at, &s, from, cancel);
	free(s.chunk);
	close(s.fd);
	return rc;
}
