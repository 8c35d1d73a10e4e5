/* line_files - finds the files of a store, and reads on in each. */
#include "config.h"

#include "curve/line_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/fs.h"
#include "base/text.h"

static void release_file(struct line_file *f)
{
	free(f->path);
	free(f->name);
}

void line_files_release(struct line_files *f)
{
	for (size_t i = 0; i < f->n; i++)
		release_file(&f->list[i]);
	free(f->list);
	*f = (struct line_files){ 0 };
}

/* ---- which files there are ---- */

/* Where NAME is or would be; the list is short and mostly asked in its order. */
static size_t place_of(const struct line_files *f, const char *name, bool *found)
{
	size_t low = 0, high = f->n;

	*found = false;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = strcmp(f->list[middle].name, name);

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

static void take_up(struct line_files *f, const char *path, const char *name, size_t name_n)
{
	char *copy = xstrndup(name, name_n);
	bool found;
	size_t at = place_of(f, copy, &found);

	if (found || f->n == LINE_FILES_MAX) {
		if (found)
			f->list[at].seen = true;
		f->n_left += !found;
		free(copy);
		return;
	}
	ARRAY_GROW(f->list, f->n, f->cap);
	memmove(&f->list[at + 1], &f->list[at], (f->n - at) * sizeof *f->list);
	f->list[at] = (struct line_file){
		.path = xstrdup(path), .name = copy, .size = -1, .seen = true
	};
	f->n++;
}

struct look { struct line_files *files; const char *end; struct arena arena; };

static int look_below(struct look *l, const char *folder, const char *prefix, int depth)
{
	char **names;
	size_t n;
	int rc = fs_list(&names, &n, &l->arena, folder);

	for (size_t i = 0; rc == 0 && i < n; i++) {
		const char *path = fs_join(&l->arena, folder, names[i]);
		const char *name = arena_printf(&l->arena, "%s%s", prefix, names[i]);
		struct stat st;

		if (names[i][0] == '.' || lstat(path, &st) < 0)
			continue;
		if (S_ISDIR(st.st_mode) && depth < LINE_FILES_DEPTH_MAX) {
			if (look_below(l, path, arena_printf(&l->arena, "%s/", name), depth + 1) <
				0)
				err_clear();
		} else if (S_ISREG(st.st_mode) && text_ends(name, l->end)) {
			take_up(l->files, path, name, strlen(name) - strlen(l->end));
		}
	}
	return rc;
}

/* As before the first byte: the points are void. */
static void restart(struct line_files *f)
{
	for (size_t i = 0; i < f->n; i++) {
		struct line_file *old = &f->list[i];

		*old = (struct line_file){ .path = old->path, .name = old->name, .size = -1 };
	}
}

static void drop_unseen(struct line_files *f)
{
	size_t kept = 0;

	for (size_t i = 0; i < f->n; i++) {
		if (f->list[i].seen)
			f->list[kept++] = f->list[i];
		else
			release_file(&f->list[i]);
	}
	f->n = kept;
}

static bool is_replaced(const struct line_file *f)
{
	struct stat st;

	if (!f->inode || lstat(f->path, &st) < 0)
		return false;
	return st.st_ino != f->inode || st.st_dev != f->device || st.st_size < f->size;
}

int line_files_look(struct line_files *f, const char *folder, const char *end)
{
	struct look l = { .files = f, .end = end, .arena = ARENA_INIT };
	bool is_void = false;
	int rc;

	f->n_left = 0;
	for (size_t i = 0; i < f->n; i++)
		f->list[i].seen = false;
	rc = look_below(&l, folder, "", 0);
	arena_release(&l.arena);
	if (rc < 0)
		return rc;
	for (size_t i = 0; i < f->n; i++)
		is_void |= (!f->list[i].seen && f->list[i].offset) || is_replaced(&f->list[i]);
	drop_unseen(f);
	if (!is_void)
		return CURVE_SAME;
	restart(f);
	return CURVE_VOID;
}

bool line_files_any(const char *folder, const char *end)
{
	struct line_files found = { 0 };
	bool any = line_files_look(&found, folder, end) == CURVE_SAME && found.n > 0;

	line_files_release(&found);
	err_clear();
	return any;
}

/* ---- reading ---- */

static int64_t changed_ns(const struct stat *st)
{
	return st->st_mtim.tv_sec * NS_PER_S + st->st_mtim.tv_nsec;
}

static void read_lines(struct line_file *f, struct curve_sink *sink, struct curve_source *src,
	line_files_fn *take, void *user)
{
	int64_t limit = f->offset + sink->budget_bytes;
	struct line line;

	lines_begin(&f->lines);
	while (f->offset < limit && !curve_sink_cancelled(sink) &&
		lines_next(&f->lines, sink, src, &f->offset, &line))
		take(user, sink, f, &line);
}

static void keep_head(struct line_file *f, struct curve_source *src)
{
	size_t n, want = f->offset < LINE_FILES_HEAD ? (size_t)f->offset : LINE_FILES_HEAD;
	const char *p;

	if (f->head_n >= want)
		return;
	p = source_bytes(src, 0, want, &n);
	if (n < want)
		return;
	memcpy(f->head, p, want);
	f->head_n = want;
}

/* Reads on in what is open as FD. */
static int read_open(struct line_file *f, struct curve_sink *sink, line_files_fn *take, void *user,
	int fd, const struct stat *st)
{
	struct curve_source src = { .fd = -1 };
	bool replaced;

	source_open_fd(&src, fd, st->st_size);
	replaced = f->head_n && !source_has(&src, 0, f->head, f->head_n);
	if (!replaced) {
		read_lines(f, sink, &src, take, user);
		keep_head(f, &src);
	}
	errno = src.error;
	source_release(&src);
	if (errno)
		return err_errno(ERR_IO, "%s", f->path);
	return replaced ? CURVE_VOID : CURVE_CHANGED;
}

/* CURVE_SAME, CURVE_CHANGED, CURVE_MORE, CURVE_VOID or an error. */
static int read_file(struct line_file *f, struct curve_sink *sink, line_files_fn *take, void *user)
{
	int64_t before = f->offset;
	struct stat st;
	int fd, rc;

	if (lstat(f->path, &st) < 0)
		return errno == ENOENT ? CURVE_SAME : err_errno(ERR_IO, "%s", f->path);
	if (!S_ISREG(st.st_mode))
		return CURVE_SAME;
	if (f->inode == st.st_ino && f->size == st.st_size && f->changed_ns == changed_ns(&st))
		return CURVE_SAME;
	fd = open(f->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
	if (fd < 0)
		return err_errno(ERR_IO, "%s", f->path);
	rc = read_open(f, sink, take, user, fd, &st);
	close(fd);
	if (rc != CURVE_CHANGED)
		return rc;
	if (curve_sink_cancelled(sink))
		return err_set(ERR_CANCELLED, "%s: reading was stopped", f->path);
	f->inode = st.st_ino;
	f->device = st.st_dev;
	if (f->offset - before >= sink->budget_bytes && f->offset < st.st_size)
		return CURVE_MORE;
	f->size = st.st_size;
	f->changed_ns = changed_ns(&st);
	return CURVE_CHANGED;
}

int line_files_read(struct line_files *f, struct curve_sink *sink, line_files_fn *take, void *user)
{
	int progress = CURVE_SAME;
	int64_t tail = 0;

	for (size_t i = 0; i < f->n; i++) {
		int rc = read_file(&f->list[i], sink, take, user);

		if (rc == CURVE_VOID)
			restart(f);
		if (rc == CURVE_VOID || rc == ERR_CANCELLED)
			return rc;
		if (rc < 0) {
			curve_notes_add(&sink->notes, "unreadable", "%s", err_text());
			err_clear();
			continue;
		}
		if (rc > progress)
			progress = rc;
		if (f->list[i].size > f->list[i].offset)
			tail += f->list[i].size - f->list[i].offset;
	}
	sink->health.tail_bytes = tail;
	sink->health.left_out = f->n_left;
	if (f->n_left)
		curve_notes_add(&sink->notes, "too-many-names",
			"%s: more than %d metrics; the others are left out", sink->name,
			LINE_FILES_MAX);
	return progress;
}
