/* series_file - the table of a mapped file, read; writing is in series_file_write.c. */
#include "config.h"

#include "curve/series_file.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "curve/crc32c.h"
#include "curve/parallel.h"
#include "curve/pyramid.h"
#include "curve/series_file_private.h"

enum { CHUNKS_FOR_THREADS = 8, LEVEL_BYTES = sizeof(struct pyramid_node) };

/* What is read of the table; nothing is believed beyond its end. */
struct cursor {
	const char *p, *end;
	char *file;		/* the whole file */
	uint64_t columns_end;
	bool bad;
};

static bool get(struct cursor *c, void *out, size_t n)
{
	if (c->bad || n > (size_t)(c->end - c->p)) {
		c->bad = true;
		memset(out, 0, n);
		return false;
	}
	memcpy(out, c->p, n);
	c->p += n;
	return true;
}

static uint64_t get_u64(struct cursor *c)
{
	uint64_t v;

	(void)get(c, &v, sizeof v);
	return v;
}

/* N bytes of the table, as they lie there. */
static const char *get_bytes(struct cursor *c, uint64_t n)
{
	const char *p = c->p;

	if (c->bad || n > (uint64_t)(c->end - c->p)) {
		c->bad = true;
		return "";
	}
	c->p += n;
	return p;
}

/* A column of N elements of SIZE bytes; NULL without any. */
static void *get_column(struct cursor *c, uint64_t n, size_t size)
{
	uint64_t at = get_u64(c);

	if (c->bad || !n)
		return NULL;
	if (at % 8 || at < sizeof(struct series_file_head) || at > c->columns_end ||
		n > (c->columns_end - at) / size) {
		c->bad = true;
		return NULL;
	}
	return c->file + at;
}

/* ---- checksums ---------------------------------------------------------------------- */

struct check {
	const char *file;
	uint64_t columns_end;
	const uint32_t *checksums;
	crc32c_fn *crc;
	bool good[PARALLEL_SLOTS_MAX];
};

static void check_chunk(void *user, size_t chunk, size_t slot)
{
	struct check *c = user;
	uint64_t at = sizeof(struct series_file_head) + chunk * (uint64_t)SERIES_FILE_CHUNK;
	uint64_t n = c->columns_end - at;

	n = n < SERIES_FILE_CHUNK ? n : SERIES_FILE_CHUNK;
	c->good[slot] = c->crc(0, c->file + at, (size_t)n) == c->checksums[chunk];
}

static bool is_intact(const char *file, uint64_t columns_end, const uint32_t *checksums)
{
	struct check check = { file, columns_end, checksums, crc32c_best(), { false } };
	struct parallel_job job = { check_chunk, &check };
	size_t n = series_file_chunks(columns_end), i;
	int threads = n < CHUNKS_FOR_THREADS ? 1 : parallel_threads(0);
	struct parallel *p = parallel_new(&job, n, threads);
	bool good = true;

	while (good && parallel_next(p, &i))
		good = check.good[parallel_slot(p, i)];
	parallel_free(p);
	return good;
}

/* The columns verify, and C stands behind their checksums. */
static bool check_columns(struct cursor *c)
{
	size_t n = series_file_chunks(c->columns_end);
	uint32_t *checksums = xreallocarray(NULL, n + 1, sizeof *checksums);
	bool good = get(c, checksums, n * sizeof *checksums) &&
		is_intact(c->file, c->columns_end, checksums);

	free(checksums);
	return good;
}

static bool is_zero(const char *p, size_t n)
{
	while (n && !*p)
		p++, n--;
	return n == 0;
}

/* The head and the table verify; C stands at the beginning of the table. */
static bool open_table(struct cursor *c, char *file, uint64_t n, const struct digest *key)
{
	struct series_file_head head;

	if (n < sizeof head)
		return false;
	memcpy(&head, file, sizeof head);
	if (memcmp(head.magic, SERIES_FILE_MAGIC, sizeof head.magic) != 0 ||
		head.version != SERIES_FILE_VERSION || head.order != SERIES_FILE_ORDER ||
		memcmp(&head.key, key, sizeof *key) != 0 || head.table_at > n ||
		head.table_n != n - head.table_at || head.table_at < sizeof head ||
		head.unused || !is_zero(head.fill, sizeof head.fill))
		return false;
	*c = (struct cursor){ file + head.table_at, file + n, file, head.table_at, false };
	return crc32c_bytes(c->p, head.table_n) == head.table_checksum;
}

/* ---- the table ------------------------------------------------------------------------- */

static bool is_block_inside(const struct packed_block *b, uint64_t n_words)
{
	uint64_t words = (uint64_t)b->width * 2 + (b->has_holes ? 2 : 0);

	return b->width <= 64 && b->form <= 10 && b->at <= n_words && words <= n_words - b->at;
}

static void get_packed(struct cursor *c, struct packed_column *p, uint64_t n)
{
	uint64_t used = get_u64(c), n_blocks = get_u64(c), n_words = get_u64(c);
	uint64_t n_tail = get_u64(c);
	const double *tail;

	p->blocks = get_column(c, n_blocks, sizeof *p->blocks);
	p->words = get_column(c, n_words, sizeof *p->words);
	tail = get_column(c, n_tail, sizeof *tail);
	if (n_tail > PACKED_BLOCK || n_blocks > n / PACKED_BLOCK ||
		n_tail + n_blocks * PACKED_BLOCK != (used ? n : 0))
		c->bad = true;
	if (c->bad)
		n_blocks = n_words = n_tail = 0;
	for (uint64_t i = 0; i < n_blocks && !c->bad; i++)
		c->bad = !is_block_inside(&p->blocks[i], n_words);
	p->used = used;
	p->borrowed = true;
	p->n_blocks = p->cap_blocks = n_blocks;
	p->n_words = p->cap_words = n_words;
	if (!n_tail)
		return;
	p->tail = column_resize(NULL, 0, PACKED_BLOCK * sizeof *tail);
	p->cap_tail = PACKED_BLOCK;
	p->n_tail = n_tail;
	memcpy(p->tail, tail, n_tail * sizeof *tail);
}

/* They follow each other and cover all N points. */
static void get_segments(struct cursor *c, struct series *s, uint64_t n)
{
	uint64_t n_segments = get_u64(c), next = 0;

	if (n_segments > (uint64_t)(c->end - c->p) / sizeof(struct series_file_segment)) {
		c->bad = true;
		return;
	}
	s->segments = xcalloc(n_segments + 1, sizeof *s->segments);
	s->cap_segments = n_segments + 1;
	for (uint64_t i = 0; i < n_segments && !c->bad; i++) {
		struct series_file_segment g;

		(void)get(c, &g, sizeof g);
		c->bad |= !g.n || g.n > n - next;
		s->segments[i] = (struct segment){
			.first = next, .n = g.n, .start = g.start, .marked = g.marked != 0
		};
		next += g.n;
	}
	c->bad |= next != n;
	s->n_segments = n_segments;
}

static void get_pyramid(struct cursor *c, struct series *s, uint64_t n)
{
	struct pyramid *p = xcalloc(1, sizeof *p);

	p->n = n;
	p->borrowed = true;
	for (int l = 0; l < PYRAMID_LEVELS_MAX; l++) {
		struct pyramid_level *level = &p->levels[l];

		level->n = level->cap = pyramid_level_size(n, l);
		level->nodes = get_column(c, level->n, LEVEL_BYTES);
		if (level->n)
			p->n_levels = l + 1;
	}
	s->pyramid = p;
}

static void get_series(struct cursor *c, struct run_series *run, struct series_map *map)
{
	uint64_t name_n = get_u64(c), x_metric_n;
	const char *name = get_bytes(c, name_n), *x_metric;
	uint64_t axis = get_u64(c), flags = get_u64(c), n = get_u64(c);
	struct series *s;

	if (c->bad || axis > AXIS_EVAL_STEP || !n) {
		c->bad = true;
		return;
	}
	s = run_series_get(run, name, name_n, (enum axis)axis);
	if (s->n) {
		c->bad = true;		/* twice the same name */
		return;
	}
	map->users++;
	s->map = map;
	s->kind = flags & SERIES_FILE_FLOAT ? VALUE_FLOAT : VALUE_DOUBLE;
	s->x_derived = flags & SERIES_FILE_DERIVED;
	s->no_metadata = flags & SERIES_FILE_NO_METADATA;
	s->zone_unknown = flags & SERIES_FILE_ZONE_UNKNOWN;
	s->n_nonfinite = get_u64(c);
	s->n_rising = get_u64(c);
	x_metric_n = get_u64(c);
	x_metric = get_bytes(c, x_metric_n);
	if (x_metric_n && !c->bad)
		s->x_metric = xasprintf("%.*s", (int)x_metric_n, x_metric);
	s->x = get_column(c, n, sizeof *s->x);
	if (s->kind == VALUE_FLOAT)
		s->value32 = get_column(c, n, sizeof *s->value32);
	else
		s->value = get_column(c, n, sizeof *s->value);
	s->n = s->cap = c->bad ? 0 : n;
	get_packed(c, &s->wall_s, n);
	get_packed(c, &s->epoch, n);
	get_segments(c, s, n);
	get_pyramid(c, s, n);
	c->bad |= s->n_nonfinite > n || s->n_rising > n;
	s->version = 1;
}

static void get_notes(struct cursor *c, struct curve_notes *notes)
{
	for (uint64_t i = get_u64(c); i > 0 && !c->bad; i--) {
		uint64_t n_id = get_u64(c), n_text = get_u64(c);
		const char *id = get_bytes(c, n_id), *text = get_bytes(c, n_text);
		char *copy;

		if (c->bad || memchr(id, '\0', n_id) || memchr(text, '\0', n_text)) {
			c->bad = true;
			return;
		}
		copy = xasprintf("%.*s", (int)n_id, id);
		curve_notes_add(notes, copy, "%.*s", (int)n_text, text);
		free(copy);
	}
}

static void get_settings(struct cursor *c, struct settings *settings)
{
	for (uint64_t i = get_u64(c); i > 0 && !c->bad; i--) {
		uint64_t n_name = get_u64(c), n_value = get_u64(c);
		const char *name = get_bytes(c, n_name), *value = get_bytes(c, n_value);

		if (!c->bad)
			settings_put(settings, name, n_name, value, n_value);
	}
}

static bool get_all(struct series_file *f, struct cursor *c, struct series_map *map)
{
	(void)get(c, &f->health, sizeof f->health);
	(void)get(c, &f->first_wall_s, sizeof f->first_wall_s);
	f->offset = (int64_t)get_u64(c);
	get_notes(c, &f->notes);
	get_settings(c, &f->settings);
	for (uint64_t i = get_u64(c); i > 0 && !c->bad; i--)
		get_series(c, f->series, map);
	return !c->bad && c->p == c->end && f->offset >= 0;
}

/* ---- files ----------------------------------------------------------------------------- */

static struct series_map *map_file(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	struct series_map *map;
	struct stat st;
	void *p;

	if (fd < 0)
		return NULL;
	p = MAP_FAILED;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0)
		/* Private and writable: what is written here never reaches the file. */
		p = mmap(NULL, (size_t)st.st_size, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
	close(fd);
	if (p == MAP_FAILED)
		return NULL;
	map = xcalloc(1, sizeof *map);
	map->p = p;
	map->n = (size_t)st.st_size;
	map->users = 1;
	return map;
}

bool series_file_read(struct series_file *f, const char *folder, const struct digest *key)
{
	char *path = series_file_path(folder, key);
	struct series_map *map = map_file(path);
	struct cursor c;
	bool good = false;

	*f = (struct series_file){ .series = run_series_new(), .health = HEALTH_INIT };
	free(path);
	if (map) {
		good = open_table(&c, map->p, map->n, key) && check_columns(&c) &&
			get_all(f, &c, map);
		series_map_release(map);
	}
	if (!good)
		series_file_release(f);
	return good;
}

void series_file_release(struct series_file *f)
{
	run_series_free(f->series);
	curve_notes_release(&f->notes);
	settings_release(&f->settings);
	*f = (struct series_file){ .series = NULL };
}
