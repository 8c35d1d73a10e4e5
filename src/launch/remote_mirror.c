/* remote_mirror - lists and chunks of the remote script become files. */
#include "config.h"

#include "launch/remote_mirror.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/fs.h"
#include "base/json.h"
#include "base/text.h"

#define STATE_NAME "mirror.json"
#define LOCK_NAME "mirror.lock"

enum { STATE_BYTES_MAX = 16 * 1024 * 1024, BEFORE_MAX = 1000, NAME_BYTES_MAX = 1024, SCHEMA = 1 };
static const int64_t limit_bytes_default = INT64_C(16) * 1024 * 1024 * 1024;

/* What a mirror holds besides the files: the lock lives as long as it. */
struct mirror {
	struct remote_mirror shown;	/* first: callers have this */
	int folder_fd, lock_fd;
};

/* Weights of models: large, and no evidence of a run's course. */
static const char *const weights[] = {
	"*.safetensors", "*.pt", "*.pth", "*.ckpt", "*.bin", "*.gguf", "*.npz", "*.npy", "*.onnx",
};

static struct mirror *inside(const struct remote_mirror *m)
{
	return (struct mirror *)(size_t)m;
}

/* ---- files here ---------------------------------------------------------------------- */

/* The folder of NAME below ours, made where MAKE says so and never through a link; *LAST
 * is the name in it. */
static int open_parent(
	const struct remote_mirror *m, const char *name, bool make, const char **last)
{
	int fd = fcntl(inside(m)->folder_fd, F_DUPFD_CLOEXEC, 0);
	const char *slash;

	while (fd >= 0 && (slash = strchr(name, '/'))) {
		char *part = xstrndup(name, (size_t)(slash - name));
		int next;

		if (make && mkdirat(fd, part, 0700) < 0 && errno != EEXIST)
			next = -1;
		else
			next = openat(fd, part, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		free(part);
		close(fd);
		fd = next;
		name = slash + 1;
	}
	*last = name;
	return fd;
}

/* Bytes of NAME that are here: 0 for what is not, or is no plain file. */
static int64_t bytes_here(const struct remote_mirror *m, const char *name)
{
	const char *last;
	int fd = open_parent(m, name, false, &last);
	struct stat st;
	int64_t n = 0;

	if (fd >= 0 && fstatat(fd, last, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode))
		n = st.st_size;
	if (fd >= 0)
		close(fd);
	return n;
}

/* ---- the list of files ------------------------------------------------------------- */

static const char *reason_to_leave_out(const struct remote_mirror *m, const struct remote_file *f)
{
	for (size_t i = 0; i < ARRAY_LEN(weights); i++)
		if (text_glob(weights[i], fs_basename(f->name)))
			return "weights of a model";
	return f->size > m->limit_bytes ? "larger than the limit" : NULL;
}

/* Where NAME is or would be. */
static size_t place_of(const struct remote_mirror *m, const char *name, bool *found)
{
	size_t low = 0, high = m->n;

	*found = false;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = strcmp(m->files[middle].name, name);

		if (order == 0) {
			*found = true;
			return middle;
		}
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const struct remote_file *remote_mirror_find(const struct remote_mirror *m, const char *name)
{
	bool found;
	size_t at = place_of(m, name, &found);

	return found ? &m->files[at] : NULL;
}

static struct remote_file *file_for(struct remote_mirror *m, const char *name)
{
	bool found;
	size_t at = place_of(m, name, &found);

	if (found)
		return &m->files[at];
	if (m->n == REMOTE_MIRROR_FILES_MAX)
		return NULL;
	ARRAY_GROW(m->files, m->n, m->cap);
	memmove(m->files + at + 1, m->files + at, (m->n - at) * sizeof *m->files);
	m->files[at] = (struct remote_file){ .name = xstrdup(name), .have = bytes_here(m, name) };
	m->n++;
	return &m->files[at];
}

/* A name of the other machine that may be one here. */
static bool is_acceptable(const char *name)
{
	return strlen(name) <= NAME_BYTES_MAX && fs_is_inside(name) &&
	       utf8_valid(name, strlen(name)) && strcmp(name, STATE_NAME) != 0 &&
	       strcmp(name, LOCK_NAME) != 0;
}

/* ---- writing --------------------------------------------------------------------------- */

/* What we have of NAME stays under the first name that is free. */
static int put_aside(const struct remote_mirror *m, const char *name)
{
	const char *last;
	int fd = open_parent(m, name, false, &last), rc = 0;

	if (fd < 0)
		return err_errno(ERR_IO, "%s/%s", m->folder, name);
	for (int i = 1; i <= BEFORE_MAX; i++) {
		char *before = xasprintf("%s.before-%d", last, i);

		rc = renameat2(fd, last, fd, before, RENAME_NOREPLACE);
		free(before);
		if (rc == 0 || errno != EEXIST)
			break;
	}
	if (rc < 0)
		rc = err_errno(ERR_IO, "%s/%s: what was there before cannot be kept", m->folder,
			name);
	close(fd);
	return rc;
}

static int append(const struct remote_mirror *m, const char *name, const char *s, size_t n)
{
	const char *last;
	int folder = open_parent(m, name, true, &last), fd, rc;

	if (folder < 0)
		return err_errno(ERR_IO, "%s/%s", m->folder, name);
	fd = openat(folder, last,
		O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
	close(folder);
	if (fd < 0)
		return err_errno(ERR_IO, "%s/%s", m->folder, name);
	rc = fs_write_all(fd, s, n);
	close(fd);
	return rc < 0 ? err_prefix("%s/%s: ", m->folder, name) : 0;
}

/* ---- opening and saving ------------------------------------------------------------------ */

static void read_state(struct remote_mirror *m, const char *path)
{
	struct arena a = ARENA_INIT;
	struct buf text = BUF_INIT;
	const struct json *root = NULL, *files;

	if (fs_read(&text, path, STATE_BYTES_MAX) < 0 ||
		json_parse(&root, &a, text.s, text.n, JSON_STRICT) < 0)
		err_clear();	/* everything is brought again */
	files = root && json_i64(root, "schema", 0) == SCHEMA ? json_get(root, "files") : NULL;
	for (const struct json *j = files ? files->first : NULL; j; j = j->next) {
		const char *name = json_str(j, "name", "");
		struct remote_file *f = is_acceptable(name) ? file_for(m, name) : NULL;

		if (!f)
			continue;
		f->inode = json_i64(j, "inode", 0);
		f->size = json_i64(j, "size", 0);
		f->time_s = json_i64(j, "time", 0);
		f->left_out = reason_to_leave_out(m, f);
	}
	buf_release(&text);
	arena_release(&a);
}

static int take_lock(struct mirror *x)
{
	x->lock_fd = openat(
		x->folder_fd, LOCK_NAME, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (x->lock_fd < 0)
		return err_errno(ERR_IO, "%s/%s", x->shown.folder, LOCK_NAME);
	if (flock(x->lock_fd, LOCK_EX | LOCK_NB) == 0)
		return 0;
	return errno == EWOULDBLOCK
		? err_set(ERR_BUSY, "%s is followed by another process", x->shown.folder)
		: err_errno(ERR_IO, "%s/%s", x->shown.folder, LOCK_NAME);
}

int remote_mirror_open(struct remote_mirror **out, const char *folder)
{
	struct mirror *x = xcalloc(1, sizeof *x);
	struct arena a = ARENA_INIT;
	int rc;

	*out = NULL;
	x->shown.folder = xstrdup(folder);
	x->shown.limit_bytes = limit_bytes_default;
	x->folder_fd = x->lock_fd = -1;
	rc = fs_mkdirs(folder, 0700);
	if (rc == 0) {
		x->folder_fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		rc = x->folder_fd < 0 ? err_errno(ERR_IO, "%s", folder) : take_lock(x);
	}
	if (rc == 0) {
		read_state(&x->shown, fs_join(&a, folder, STATE_NAME));
		*out = &x->shown;
	} else {
		remote_mirror_free(&x->shown);
	}
	arena_release(&a);
	return rc;
}

void remote_mirror_free(struct remote_mirror *m)
{
	struct mirror *x = m ? inside(m) : NULL;

	if (!x)
		return;
	for (size_t i = 0; i < m->n; i++)
		free(m->files[i].name);
	free(m->files);
	free(m->folder);
	if (x->folder_fd >= 0)
		close(x->folder_fd);
	if (x->lock_fd >= 0)
		close(x->lock_fd);
	free(x);
}

int remote_mirror_save(const struct remote_mirror *m)
{
	struct arena a = ARENA_INIT;
	struct buf text = BUF_INIT;
	struct json_writer w = { .out = &text };
	int rc;

	json_begin_object(&w, NULL);
	json_put_i64(&w, "schema", SCHEMA);
	json_begin_array(&w, "files");
	for (size_t i = 0; i < m->n; i++) {
		const struct remote_file *f = &m->files[i];

		json_begin_object(&w, NULL);
		json_put_str(&w, "name", f->name);
		json_put_i64(&w, "inode", f->inode);
		json_put_i64(&w, "size", f->size);
		json_put_i64(&w, "time", f->time_s);
		json_end_object(&w);
	}
	json_end_array(&w);
	json_end_object(&w);
	rc = fs_write_durable(fs_join(&a, m->folder, STATE_NAME), text.s, text.n, 0600);
	buf_release(&text);
	arena_release(&a);
	return rc;
}

/* ---- answers ------------------------------------------------------------------------------ */

/* N numbers with a blank behind each; what is behind them, or NULL. */
static const char *take_numbers(int64_t *out, size_t n, const char *s)
{
	for (size_t i = 0; i < n; i++) {
		size_t digits = strcspn(s, " ");

		if (s[digits] != ' ' || !text_to_i64(s, digits, &out[i]) || out[i] < 0)
			return NULL;
		s += digits + 1;
	}
	return s;
}

static int take_listed(struct remote_mirror *m, const char *line)
{
	enum { SIZE, TIME, INODE, NUMBERS };
	int64_t numbers[NUMBERS];
	const char *name = take_numbers(numbers, NUMBERS, line);
	struct remote_file *f;

	if (name && text_starts(name, "./"))
		name += 2;
	f = name && is_acceptable(name) ? file_for(m, name) : NULL;
	if (!f) {
		m->refused++;
		return 0;
	}
	f->seen = true;
	/* Another file of that name, or this one cut short, or one that no record knows: it is
	 * begun anew. */
	if (f->have > 0 && (numbers[SIZE] < f->have || numbers[INODE] != f->inode)) {
		if (put_aside(m, f->name) < 0)
			return err_code();
		f->have = 0;
	}
	f->size = numbers[SIZE];
	f->time_s = numbers[TIME];
	f->inode = numbers[INODE];
	f->left_out = reason_to_leave_out(m, f);
	return 0;
}

/* The next line of S[0..*N), NUL-terminated in LINE; false when none is whole. */
static bool next_line(struct buf *line, const char **s, size_t *n)
{
	const char *end = memchr(*s, '\n', *n);

	if (!end)
		return false;
	buf_clear(line);
	buf_add(line, *s, (size_t)(end - *s));
	*n -= (size_t)(end - *s) + 1;
	*s = end + 1;
	return true;
}

static int refused_list(const char *word)
{
	return err_set(ERR_NOT_FOUND, "the other machine says: %s",
		strcmp(word, "nofolder") == 0 ? "there is no such folder" : word);
}

int remote_mirror_take_list(struct remote_mirror *m, const char *s, size_t n, bool *whole)
{
	struct buf line = BUF_INIT;
	bool any = false;
	int rc = 0;

	*whole = false;
	for (size_t i = 0; i < m->n; i++)
		m->files[i].seen = false;
	m->refused = 0;
	while (rc == 0 && next_line(&line, &s, &n)) {
		/* A NUL in a line would hide the end of a name. */
		if (strlen(line.s) != line.n || !text_starts(line.s, "@ps "))
			continue;
		any = true;
		if (text_starts(line.s, "@ps file "))
			rc = take_listed(m, line.s + strlen("@ps file "));
		else if (strcmp(line.s, "@ps listed") == 0)
			*whole = true;
		else if (text_starts(line.s, "@ps error "))
			rc = refused_list(line.s + strlen("@ps error "));
	}
	buf_release(&line);
	if (rc == 0 && !any)
		rc = err_set(ERR_PARSE, "the other machine gave no list of files");
	return rc;
}

char **remote_mirror_wants(const struct remote_mirror *m, size_t max_files, struct arena *a)
{
	char **argv = arena_alloc(a, (2 * max_files + 1) * sizeof *argv);
	size_t n = 0;

	for (size_t i = 0; i < m->n && n < 2 * max_files; i++) {
		const struct remote_file *f = &m->files[i];

		if (!f->seen || f->left_out || f->have >= f->size)
			continue;
		argv[n++] = arena_printf(a, "%lld", (long long)f->have);
		argv[n++] = arena_strdup(a, f->name);
	}
	return n ? argv : NULL;
}

/* The bytes of one chunk; those of a file that is another one by now are dropped. */
static int take_chunk(struct remote_mirror *m, const char *line, const char *s, size_t n)
{
	enum { OFFSET, LENGTH, SIZE, INODE, NUMBERS };
	int64_t numbers[NUMBERS];
	const char *name = take_numbers(numbers, NUMBERS, line);
	bool found;
	size_t at = place_of(m, name ? name : "", &found);
	struct remote_file *f = found ? &m->files[at] : NULL;

	if (!f || f->left_out || numbers[OFFSET] != f->have || numbers[INODE] != f->inode || !n)
		return 0;
	if (append(m, f->name, s, n) < 0)
		return err_code();
	f->have += (int64_t)n;
	if (f->size < f->have)
		f->size = f->have;
	m->brought += (int64_t)n;
	return 0;
}

int remote_mirror_take_chunks(struct remote_mirror *m, const char *s, size_t n, int64_t *took)
{
	enum { OFFSET, LENGTH };
	struct buf line = BUF_INIT;
	int64_t before = m->brought, numbers[2];
	int rc = 0;

	while (rc == 0 && next_line(&line, &s, &n)) {
		const char *rest = line.s + strlen("@ps chunk ");
		size_t length;

		if (strlen(line.s) != line.n || !text_starts(line.s, "@ps chunk ") ||
		    !take_numbers(numbers, 2, rest))
			continue;
		length = (uint64_t)numbers[LENGTH] < n ? (size_t)numbers[LENGTH] : n;
		rc = take_chunk(m, rest, s, length);
		s += length;
		n -= length;
	}
	buf_release(&line);
	*took = m->brought - before;
	return rc;
}
