/* run_summary - see run_summary.h. */
#include "config.h"

#include "workspace/run_summary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/err.h"
#include "base/fs.h"
#include "base/hash.h"
#include "store/keyed_file.h"
#include "workspace/run_results.h"

enum { DEPTH_MAX = 8, ENTRIES_MAX = 20000 };

/* Names what the bytes mean: another one makes every file anew. */
static const char format[] = "portside run summary 2";

/* ---- the key ---------------------------- */

struct keyed { struct sha256 *hash; struct arena *a; int entries; };

static void add_facts(struct keyed *k, const struct stat *st)
{
	int64_t facts[] = { (int64_t)st->st_dev, (int64_t)st->st_ino, (int64_t)st->st_size,
		(int64_t)st->st_mtim.tv_sec, (int64_t)st->st_mtim.tv_nsec,
		(int64_t)st->st_ctim.tv_sec, (int64_t)st->st_ctim.tv_nsec };

	sha256_update(k->hash, facts, sizeof facts);
}

/* Another build may read other values. */
static void add_program(struct keyed *k)
{
	struct stat st;

	sha256_update(k->hash, PACKAGE_VERSION, sizeof PACKAGE_VERSION);
	if (stat("/proc/self/exe", &st) == 0)
		add_facts(k, &st);
}

/* What a log says depends on them. */
static void add_patterns(struct keyed *k, const struct curve_options *o)
{
	uint64_t n = o->n_patterns;

	sha256_update(k->hash, &n, sizeof n);
	for (size_t i = 0; i < o->n_patterns; i++)
		sha256_update(k->hash, o->patterns[i], strlen(o->patterns[i]) + 1);
}

static void add_path(struct keyed *k, const char *path, int depth)
{
	struct stat st;
	char **names;
	size_t n;

	if (k->entries++ >= ENTRIES_MAX || lstat(path, &st) < 0)
		return;
	sha256_update(k->hash, path, strlen(path) + 1);
	if (!S_ISDIR(st.st_mode)) {
		add_facts(k, &st);
		return;
	}
	if (depth > DEPTH_MAX || fs_list(&names, &n, k->a, path) < 0) {
		err_clear();
		return;
	}
	for (size_t i = 0; i < n; i++)
		add_path(k, fs_join(k->a, path, names[i]), depth + 1);
}

static struct digest key_of(struct workspace *ws, char *const *paths, size_t n, struct arena *a)
{
	struct keyed k = { .hash = sha256_new(), .a = a };
	struct curve_options options = { 0 };

	run_results_patterns(&options, ws, a);
	sha256_update(k.hash, format, sizeof format);
	add_program(&k);
	add_patterns(&k, &options);
	for (size_t i = 0; i < n; i++)
		add_path(&k, paths[i], 0);
	return sha256_final(k.hash);
}

/* ---- as bytes ---------------------------- */

static void put_text(struct buf *out, const char *s)
{
	uint64_t n = strlen(s);

	buf_add(out, (const char *)&n, sizeof n);
	buf_add(out, s, n);
}

static bool get_text(char **out, struct arena *a, const char *bytes, size_t n, size_t *at)
{
	uint64_t length;

	if (n - *at < sizeof length)
		return false;
	memcpy(&length, bytes + *at, sizeof length);
	if (length > n - *at - sizeof length)
		return false;
	*out = arena_strndup(a, bytes + *at + sizeof length, length);
	*at += sizeof length + length;
	return true;
}

static void write_bytes(struct buf *out, const struct run_summary *s)
{
	struct buf series = BUF_INIT;
	uint64_t n;

	series_summaries_write(&series, s->series, s->n_series);
	n = series.n;
	buf_add(out, (const char *)&n, sizeof n);
	buf_add(out, series.s, series.n);
	for (size_t i = 0; i < s->config.n; i++) {
		put_text(out, s->config.list[i].name);
		put_text(out, s->config.list[i].value);
	}
	buf_release(&series);
}

static bool read_bytes(struct run_summary *out, struct arena *a, const char *bytes, size_t n)
{
	size_t at = sizeof(uint64_t), cap = 0;
	struct settings *c = &out->config;
	uint64_t length;

	if (n < sizeof length)
		return false;
	memcpy(&length, bytes, sizeof length);
	if (length > n - at ||
		!series_summaries_read(&out->series, &out->n_series, a, bytes + at, length))
		return false;
	for (at += length; at < n;) {
		struct setting s;

		if (!get_text(&s.name, a, bytes, n, &at) || !get_text(&s.value, a, bytes, n, &at))
			break;
		if (c->n == cap) {
			struct setting *more;

			cap = cap ? 2 * cap : 32;
			more = arena_alloc(a, cap * sizeof *more);
			if (c->n)
				memcpy(more, c->list, c->n * sizeof *more);
			c->list = more;
		}
		c->list[c->n++] = s;
	}
	return at == n;
}

/* ---- reading ---------------------------- */

static void take_series(struct run_summary *out, const struct run_series *all, struct arena *a)
{
	out->series = arena_alloc(a, (all->n + 1) * sizeof *out->series);
	for (size_t i = 0; i < all->n; i++) {
		struct series_summary *s = &out->series[out->n_series++];

		series_summarise(s, all->series[i], INFINITY);
		s->name = arena_strdup(a, s->name);
	}
}

static void take_config(struct run_summary *out, const struct settings *c, struct arena *a)
{
	out->config.list = arena_alloc(a, (c->n + 1) * sizeof *out->config.list);
	out->config.n = c->n;
	for (size_t i = 0; i < c->n; i++)
		out->config.list[i] = (struct setting){ arena_strdup(a, c->list[i].name),
			arena_strdup(a, c->list[i].value) };
}

static void take_points(struct run_summary *out, const struct run_series *all,
	const struct run_column *columns, size_t n, struct arena *a)
{
	out->at = arena_alloc(a, (n + 1) * sizeof *out->at);
	for (size_t i = 0; i < n; i++) {
		if (!columns[i].has_at)
			continue;
		out->at[out->n_at].text = columns[i].text;
		if (all)
			run_cell_at(&out->at[out->n_at].cell, &columns[i], all);
		else
			out->at[out->n_at].cell = (struct run_cell){ .type = RUN_CELL_ABSENT };
		out->n_at++;
	}
}

/* Its curves are not here, or not readable: that is told, and is no error. */
static int leave(struct run_summary *out, int rc, const struct run_column *columns, size_t n,
	struct arena *a)
{
	if (rc == ERR_CANCELLED)
		return rc;
	out->missing = arena_strdup(a, err_text());
	take_points(out, NULL, columns, n, a);
	err_clear();
	return 0;
}

/* A busy database, no room: the next look may find it. */
static bool is_whole(const struct run_files *files)
{
	for (size_t i = 0; i < files->n; i++)
		if (files->files[i].file && files->files[i].file->error)
			return false;
	return true;
}

static int read_curves(struct run_summary *out, bool *whole, struct workspace *ws, const char *run,
	const struct run_column *columns, size_t n, const atomic_bool *cancel, struct arena *a)
{
	struct run_files *files;
	int rc = run_results_open(&files, ws, run, a);

	if (rc < 0)
		return rc;
	rc = run_files_read(files, cancel);
	*whole = rc >= 0 && is_whole(files);
	if (rc >= 0) {
		take_series(out, files->series, a);
		take_config(out, &files->settings, a);
		take_points(out, files->series, columns, n, a);
	}
	run_files_free(files);
	return rc < 0 ? rc : 0;
}

int run_summary_read(struct run_summary *out, struct workspace *ws, const char *run,
	const struct run_column *columns, size_t n_columns, const atomic_bool *cancel,
	struct arena *a)
{
	char *path = fs_join(a, workspace_path(ws, a, "cache/summaries"), run), **paths;
	struct buf bytes = BUF_INIT;
	struct digest key;
	bool live, points = run_columns_need_points(columns, n_columns);
	bool known = false, whole = false;
	size_t n;
	int rc;

	*out = (struct run_summary){ .missing = "" };
	if ((rc = run_results_paths(&paths, &n, &live, ws, run, a)) < 0)
		return leave(out, rc, columns, n_columns, a);
	key = key_of(ws, paths, n, a);
	if (!live && !points)
		known = keyed_file_read(&bytes, path, &key) &&
			read_bytes(out, a, bytes.s, bytes.n);
	buf_clear(&bytes);
	if (known) {
		buf_release(&bytes);
		return 0;
	}
	*out = (struct run_summary){ .missing = "" };
	rc = read_curves(out, &whole, ws, run, columns, n_columns, cancel, a);
	if (rc == 0 && whole && !live && !workspace_read_only(ws)) {
		write_bytes(&bytes, out);
		keyed_file_write(path, &key, bytes.s, bytes.n);
	}
	buf_release(&bytes);
	return rc < 0 ? leave(out, rc, columns, n_columns, a) : 0;
}
