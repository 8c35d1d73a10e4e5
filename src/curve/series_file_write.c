/* series_file_write - columns to a new file; keeping the folder small. */
#include "config.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "base/err.h"
#include "base/fs.h"
#include "base/text.h"
#include "curve/crc32c.h"
#include "curve/pyramid.h"
#include "curve/series_file_private.h"

enum { ALIGNMENT = 64, LEFT_BEHIND_S = 3600 };

/* What must stay free on the disk: a cache is never why something else fails. */
#define FREE_BYTES_LEAST (INT64_C(512) << 20)

struct writer {
	int fd;
	bool failed;
	uint64_t at;			/* bytes of the file so far */
	struct buf table;
	crc32c_fn *crc;
	uint32_t chunk;			/* checksum of the one at hand */
	uint32_t *checksums;
	size_t n_checksums, cap_checksums;
};

char *series_file_path(const char *folder, const struct digest *key)
{
	char hex[DIGEST_HEX + 1];

	digest_hex(hex, key);
	return xasprintf("%s/%.40s" SERIES_FILE_END, folder, hex);
}

/* ---- columns ---------------------------------------------------------------------------- */

static void end_chunk(struct writer *w)
{
	ARRAY_GROW(w->checksums, w->n_checksums, w->cap_checksums);
	w->checksums[w->n_checksums++] = w->chunk;
	w->chunk = 0;
}

static void write_bytes(struct writer *w, const void *bytes, size_t n)
{
	const char *p = bytes;

	while (n && !w->failed) {
		uint64_t in_chunk = (w->at - sizeof(struct series_file_head)) % SERIES_FILE_CHUNK;
		size_t part = SERIES_FILE_CHUNK - (size_t)in_chunk;

		part = part < n ? part : n;
		w->chunk = w->crc(w->chunk, p, part);
		w->failed = fs_write_all(w->fd, p, part) < 0;
		w->at += part;
		p += part;
		n -= part;
		if (in_chunk + part == SERIES_FILE_CHUNK)
			end_chunk(w);
	}
}

static void put_u64(struct writer *w, uint64_t v)
{
	buf_add(&w->table, &v, sizeof v);
}

/* The place of the column goes into the table. */
static void put_column(struct writer *w, const void *p, size_t n, size_t size)
{
	static const char zeros[ALIGNMENT];

	if (!n) {
		put_u64(w, 0);
		return;
	}
	write_bytes(w, zeros, (ALIGNMENT - w->at % ALIGNMENT) % ALIGNMENT);
	put_u64(w, w->at);
	write_bytes(w, p, n * size);
}

static void put_packed(struct writer *w, const struct packed_column *p)
{
	size_t n_blocks = p->used ? p->n_blocks : 0, n_words = p->used ? p->n_words : 0,
	       n_tail = p->used ? p->n_tail : 0;

	put_u64(w, p->used);
	put_u64(w, n_blocks);
	put_u64(w, n_words);
	put_u64(w, n_tail);
	put_column(w, p->blocks, n_blocks, sizeof *p->blocks);
	put_column(w, p->words, n_words, sizeof *p->words);
	put_column(w, p->tail, n_tail, sizeof *p->tail);
}

static void put_segments(struct writer *w, const struct series *s)
{
	put_u64(w, s->n_segments);
	for (size_t i = 0; i < s->n_segments; i++) {
		struct series_file_segment g = { s->segments[i].n, s->segments[i].start,
			s->segments[i].marked };

		buf_add(&w->table, &g, sizeof g);
	}
}

static void put_pyramid(struct writer *w, const struct series *s)
{
	struct pyramid_values values = { .real = s->value, .real32 = s->value32 };
	struct pyramid p = PYRAMID_INIT;

	if (s->kind == VALUE_FLOAT)
		values.real = NULL;
	pyramid_update(&p, values, s->n);
	for (int l = 0; l < PYRAMID_LEVELS_MAX; l++)
		put_column(w, p.levels[l].nodes, pyramid_level_size(s->n, l),
			sizeof *p.levels[l].nodes);
	pyramid_release(&p);
}

/* Points from the first on whose x rises; drawing need not look at them again. */
static size_t count_rising(const struct series *s)
{
	size_t i = 1;

	while (i < s->n && series_x_falls(s->axis, s->x[i], s->x[i - 1]))
		i++;
	return i;
}

static void put_series(struct writer *w, const struct series *s)
{
	put_u64(w, s->name_n);
	buf_add(&w->table, s->name, s->name_n);
	put_u64(w, s->axis);
	put_u64(w, (s->kind == VALUE_FLOAT ? SERIES_FILE_FLOAT : 0u) |
			(s->x_derived ? SERIES_FILE_DERIVED : 0u) |
			(s->no_metadata ? SERIES_FILE_NO_METADATA : 0u) |
			(s->zone_unknown ? SERIES_FILE_ZONE_UNKNOWN : 0u));
	put_u64(w, s->n);
	put_u64(w, s->n_nonfinite);
	put_u64(w, count_rising(s));
	put_u64(w, s->x_metric ? strlen(s->x_metric) : 0);
	buf_adds(&w->table, s->x_metric ? s->x_metric : "");
	put_column(w, s->x, s->n, sizeof *s->x);
	if (s->kind == VALUE_FLOAT)
		put_column(w, s->value32, s->n, sizeof *s->value32);
	else
		put_column(w, s->value, s->n, sizeof *s->value);
	put_packed(w, &s->wall_s);
	put_packed(w, &s->epoch);
	put_segments(w, s);
	put_pyramid(w, s);
}

static void put_notes(struct writer *w, const struct curve_notes *notes)
{
	put_u64(w, notes->n);
	for (size_t i = 0; i < notes->n; i++) {
		const struct curve_note *note = &notes->notes[i];

		put_u64(w, strlen(note->id));
		put_u64(w, strlen(note->text));
		buf_adds(&w->table, note->id);
		buf_adds(&w->table, note->text);
	}
}

static void put_settings(struct writer *w, const struct settings *settings)
{
	put_u64(w, settings->n);
	for (size_t i = 0; i < settings->n; i++) {
		put_u64(w, strlen(settings->list[i].name));
		put_u64(w, strlen(settings->list[i].value));
		buf_adds(&w->table, settings->list[i].name);
		buf_adds(&w->table, settings->list[i].value);
	}
}

/* ---- the file ---------------------------------------------------------------------------- */

static void put_all(struct writer *w, const struct series_file *f)
{
	size_t n = 0;

	buf_add(&w->table, &f->health, sizeof f->health);
	buf_add(&w->table, &f->first_wall_s, sizeof f->first_wall_s);
	put_u64(w, (uint64_t)f->offset);
	put_notes(w, &f->notes);
	put_settings(w, &f->settings);
	for (size_t i = 0; i < f->series->n; i++)
		n += f->series->series[i]->n > 0;
	put_u64(w, n);
	for (size_t i = 0; i < f->series->n; i++)
		if (f->series->series[i]->n)
			put_series(w, f->series->series[i]);
}

/* The table goes behind the columns, their checksums first; the head makes it a file. */
static void write_table(struct writer *w, const struct digest *key)
{
	struct series_file_head head = { .version = SERIES_FILE_VERSION,
		.order = SERIES_FILE_ORDER, .key = *key, .table_at = w->at };
	struct buf all = BUF_INIT;

	if ((w->at - sizeof head) % SERIES_FILE_CHUNK)
		end_chunk(w);
	buf_init(&all);
	buf_add(&all, w->checksums, w->n_checksums * sizeof *w->checksums);
	buf_add(&all, w->table.s, w->table.n);
	memcpy(head.magic, SERIES_FILE_MAGIC, sizeof head.magic);
	head.table_n = all.n;
	head.table_checksum = w->crc(0, all.s, all.n);
	if (!w->failed)
		w->failed = fs_write_all(w->fd, all.s, all.n) < 0 ||
			pwrite(w->fd, &head, sizeof head, 0) != (ssize_t)sizeof head;
	buf_release(&all);
}

static bool write_all(int fd, const struct digest *key, const struct series_file *f)
{
	struct series_file_head none = { .version = 0 };
	struct writer w = { .fd = fd, .crc = crc32c_best(), .at = sizeof none };

	buf_init(&w.table);
	w.failed = fs_write_all(fd, &none, sizeof none) < 0;
	put_all(&w, f);
	write_table(&w, key);
	buf_release(&w.table);
	free(w.checksums);
	return !w.failed;
}

static int64_t bytes_of(const struct series_file *f)
{
	int64_t sum = 0;

	for (size_t i = 0; i < f->series->n; i++) {
		const struct series *s = f->series->series[i];

		sum += (int64_t)(s->n * 16 + packed_bytes(&s->wall_s) + packed_bytes(&s->epoch) +
			s->n * 3);
	}
	return sum;
}

static bool has_room(const char *folder, int64_t bytes)
{
	struct statvfs v;

	if (statvfs(folder, &v) < 0)
		return false;
	return (uint64_t)v.f_bavail * v.f_frsize >= (uint64_t)(bytes + FREE_BYTES_LEAST);
}

bool series_file_write(const char *folder, const struct digest *key, const struct series_file *f)
{
	char *path, *new;
	unsigned char some[8];
	char hex[2 * sizeof some + 1];
	bool good = false;
	int fd;

	if (fs_mkdirs(folder, 0700) < 0) {
		err_clear();
		return false;
	}
	if (!has_room(folder, bytes_of(f)))
		return false;
	random_bytes(some, sizeof some);
	hex_encode(hex, some, sizeof some);
	path = series_file_path(folder, key);
	new = xasprintf("%s.%s", path, hex);
	fd = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd >= 0) {
		good = write_all(fd, key, f);
		good = close(fd) == 0 && good && rename(new, path) == 0;
		if (!good)
			(void)unlink(new);
	}
	err_clear();
	free(new);
	free(path);
	return good;
}

/* ---- the folder ---------------------------------------------------------------------------- */

void series_file_touch(const char *folder, const struct digest *key)
{
	char *path = series_file_path(folder, key);

	(void)utimensat(AT_FDCWD, path, NULL, AT_SYMLINK_NOFOLLOW);
	free(path);
}

struct kept {
	char *path;
	int64_t bytes, used_s;
};

static int by_use(const void *a, const void *b)
{
	const struct kept *x = a, *y = b;

	if (x->used_s != y->used_s)
		return x->used_s > y->used_s ? -1 : 1;
	return strcmp(x->path, y->path);
}

/* Files of the cache into KEPT; what a writer left behind goes. */
static size_t list_kept(struct kept **kept, struct arena *a, const char *folder)
{
	char **names;
	size_t n = 0, n_kept = 0;

	if (fs_list(&names, &n, a, folder) < 0) {
		err_clear();
		return 0;
	}
	*kept = arena_alloc(a, (n + 1) * sizeof **kept);
	for (size_t i = 0; i < n; i++) {
		char *path = fs_join(a, folder, names[i]);
		struct stat st;

		if (lstat(path, &st) < 0 || !S_ISREG(st.st_mode))
			continue;
		if (text_ends(names[i], SERIES_FILE_END))
			(*kept)[n_kept++] = (struct kept){ path, st.st_size, st.st_mtime };
		else if (strstr(names[i], SERIES_FILE_END ".") &&
			st.st_mtime < time(NULL) - LEFT_BEHIND_S)
			(void)unlink(path);
	}
	return n_kept;
}

void series_file_prune(const char *folder, int64_t limit)
{
	struct arena a = ARENA_INIT;
	struct kept *kept = NULL;
	size_t n = list_kept(&kept, &a, folder);
	int64_t sum = 0;

	if (n)
		qsort(kept, n, sizeof *kept, by_use);
	for (size_t i = 0; i < n; i++) {
		sum += kept[i].bytes;
		if (sum > limit)
			(void)unlink(kept[i].path);
	}
	arena_release(&a);
}
