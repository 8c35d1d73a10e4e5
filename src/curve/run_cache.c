/* run_cache - keys of curve files, and their points to and from a series_file. */
#include "config.h"

#include "curve/run_cache.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/hash.h"
#include "curve/series_file.h"

enum {
	EDGE_BYTES = 4096,	/* of the beginning and of the end: part of the key */
	SETTLED_S = 2,		/* a file changed just now may change again unseen */
};

/* ---- keys ----------------------------------------------------------------------------- */

static void add_identity(struct buf *key, const struct stat *st)
{
	buf_addf(key, "%ju %ju %jd %jd.%09ld", (uintmax_t)st->st_dev, (uintmax_t)st->st_ino,
		(intmax_t)st->st_size, (intmax_t)st->st_mtim.tv_sec, st->st_mtim.tv_nsec);
}

/* Another build may read other points: it has other caches. */
static void add_program(struct buf *key)
{
	struct stat st;

	buf_addf(key, "portside %s ", PACKAGE_VERSION);
	if (stat("/proc/self/exe", &st) == 0)
		add_identity(key, &st);
	buf_addc(key, '\n');
}

static void add_text(struct buf *key, const char *text)
{
	buf_addf(key, "%zu:%s\n", strlen(text), text);
}

static void add_options(struct buf *key, const struct curve_options *o)
{
	buf_addf(key, "%d %a %zu\n", o->no_shapes, o->steps_per_epoch, o->n_patterns);
	for (size_t i = 0; i < o->n_patterns; i++)
		add_text(key, o->patterns[i]);
}

static bool add_edge(struct buf *key, int fd, int64_t at, size_t n)
{
	char bytes[EDGE_BYTES];
	ssize_t got = pread(fd, bytes, n, (off_t)at);

	if (got != (ssize_t)n)
		return false;
	buf_addf(key, "%08" PRIx32 "\n", crc32_bytes(bytes, n));
	return true;
}

static bool add_contents(struct buf *key, const char *path, const struct stat *st)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	bool good = fd >= 0 && add_edge(key, fd, 0, EDGE_BYTES) &&
		add_edge(key, fd, st->st_size - EDGE_BYTES, EDGE_BYTES);

	if (fd >= 0)
		close(fd);
	return good;
}

/* What a format tells beside its points, and where its times begin, is not kept. */
static bool is_only_points(const struct curve_format *format)
{
	return format->shape == CURVE_STREAM && !format->describe;
}

static bool is_large(const struct stat *st)
{
	return S_ISREG(st->st_mode) && st->st_size >= RUN_CACHE_FILE_BYTES;
}

/* False for a file that is not worth a cache.  A further file of a run begins its
 * segments otherwise than the first one. */
static bool make_key(struct digest *out, struct stat *st, const struct curve_file *f, size_t i)
{
	struct buf key = BUF_INIT;
	bool good;

	if (!is_only_points(f->format) || !f->options.ended || stat(f->path, st) < 0 ||
		!is_large(st))
		return false;
	buf_init(&key);
	add_program(&key);
	add_identity(&key, st);
	buf_addf(&key, " %jd.%09ld\n%s %d\n", (intmax_t)st->st_ctim.tv_sec, st->st_ctim.tv_nsec,
		f->format->name, i > 0);
	add_options(&key, &f->options);
	good = add_contents(&key, f->path, st);
	if (good)
		*out = sha256_bytes(key.s, key.n);
	buf_release(&key);
	return good;
}

/* ---- restoring ------------------------------------------------------------------------ */

static void install(struct curve_file *f, struct series_file *from, const struct stat *st)
{
	run_series_free(f->sink.series);
	curve_notes_release(&f->sink.notes);
	settings_release(&f->sink.settings);
	f->sink.series = from->series;
	f->sink.health = from->health;
	f->sink.first_wall_s = from->first_wall_s;
	f->sink.notes = from->notes;
	f->sink.settings = from->settings;
	f->offset = from->offset;
	curve_file_restored(f, st);
	*from = (struct series_file){ .series = NULL };
}

bool run_cache_restore(struct run_files *r, size_t i)
{
	struct curve_file *f = r->files[i].file;
	struct series_file kept;
	struct digest key;
	struct stat st;

	if (!r->cache || f->inode || f->offset || !make_key(&key, &st, f, i) ||
		!series_file_read(&kept, r->cache, &key))
		return false;
	install(f, &kept, &st);
	if (r->cache_writes)
		series_file_touch(r->cache, &key);
	return true;
}

/* ---- keeping -------------------------------------------------------------------------- */

/* The series of one file, without the prefix of the run.  Those that are all of a series
 * of the run are lent, others copied. */
struct lent {
	struct run_series whole;	/* its series are LENT and those of COPIES */
	struct series *lent;
	struct run_series *copies;
	int64_t points;
};

static bool is_all_of(const struct series *s, int file)
{
	for (size_t k = 0; k < s->n_segments; k++)
		if (s->segments[k].file != file)
			return false;
	return s->n > 0;
}

static void copy_part(struct series *to, const struct series *s, int file)
{
	for (size_t k = 0; k < s->n_segments; k++) {
		const struct segment *g = &s->segments[k];

		if (g->file != file)
			continue;
		series_open_segment(to, g->start, 0, false);
		to->pending.marked = g->marked;
		series_append_range(to, s, g->first, g->n);
	}
	to->x_derived = s->x_derived;
	to->no_metadata = s->no_metadata;
	to->zone_unknown = s->zone_unknown;
}

/* The name of the x series, without the prefix of the run. */
static char *own_x_metric(const struct series *s, size_t prefix_n)
{
	return s->x_metric && strlen(s->x_metric) > prefix_n ? s->x_metric + prefix_n : NULL;
}

static void lend_series(struct lent *l, const struct series *s, int file, size_t prefix_n)
{
	struct series *one = &l->lent[l->whole.n];

	if (is_all_of(s, file)) {
		*one = *s;
		one->name += prefix_n;
		one->name_n -= prefix_n;
		one->x_metric = own_x_metric(s, prefix_n);
	} else {
		one = run_series_get(l->copies, s->name + prefix_n, s->name_n - prefix_n, s->axis);
		copy_part(one, s, file);
		if (own_x_metric(s, prefix_n))
			series_set_x_metric(one, own_x_metric(s, prefix_n));
	}
	l->points += (int64_t)one->n;
	l->whole.series[l->whole.n++] = one;
}

static void lend_all(struct lent *l, const struct run_files *r, size_t i)
{
	const char *prefix = r->files[i].prefix;
	size_t prefix_n = strlen(prefix);

	*l = (struct lent){ .copies = run_series_new() };
	l->lent = xcalloc(r->series->n + 1, sizeof *l->lent);
	l->whole.series = xcalloc(r->series->n + 1, sizeof *l->whole.series);
	for (size_t k = 0; k < r->series->n; k++) {
		const struct series *s = r->series->series[k];

		if (s->name_n >= prefix_n && memcmp(s->name, prefix, prefix_n) == 0)
			lend_series(l, s, (int)i, prefix_n);
	}
}

static void release_lent(struct lent *l)
{
	run_series_free(l->copies);
	free(l->lent);
	free(l->whole.series);
}

static bool is_settled(const struct curve_file *f, const struct stat *st)
{
	return curve_file_is_at(f, st) && st->st_mtime + SETTLED_S <= time(NULL);
}

/* Nothing when a part of its points is with another file that holds the same names. */
static bool keep_file(const struct run_files *r, size_t i)
{
	const struct curve_file *f = r->files[i].file;
	struct series_file kept = { .health = f->sink.health,
		.first_wall_s = f->sink.first_wall_s, .offset = f->offset, .notes = f->sink.notes,
		.settings = f->sink.settings };
	struct digest key;
	struct lent lent;
	struct stat st;
	bool done = false;

	if (!make_key(&key, &st, f, i) || !is_settled(f, &st))
		return false;
	lend_all(&lent, r, i);
	kept.series = &lent.whole;
	if (lent.points == f->sink.health.points)
		done = series_file_write(r->cache, &key, &kept);
	release_lent(&lent);
	return done;
}

static bool may_keep(const struct run_files *r, size_t i)
{
	const struct curve_file *f = r->files[i].file;

	return f && !f->kept && f->finished && !f->restored && !f->error && !f->sink.printed &&
		is_only_points(f->format) && f->size >= RUN_CACHE_FILE_BYTES;
}

bool run_cache_is_due(const struct run_files *r)
{
	for (size_t i = 0; r->cache && r->cache_writes && i < r->n; i++)
		if (may_keep(r, i))
			return true;
	return false;
}

void run_cache_keep(struct run_files *r)
{
	bool any = false;

	for (size_t i = 0; r->cache && r->cache_writes && i < r->n; i++) {
		if (!may_keep(r, i))
			continue;
		any |= keep_file(r, i);
		r->files[i].file->kept = true;	/* or cannot be: asked once */
	}
	if (any)
		series_file_prune(r->cache, SERIES_FILES_BYTES_MAX);
}
