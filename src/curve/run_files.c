/* run_files - follows the files of a run, says what it left. */
#include "config.h"

#include "curve/run_files.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/fs.h"
#include "base/text.h"
#include "curve/run_cache.h"
#include "curve/run_merge.h"
#include "curve/run_root.h"
#include "curve/terminal.h"
#include "curve/trainer_state.h"
#include "curve/wandb.h"

/* Copies of what the options borrow. */
static void keep_options(struct run_files *r)
{
	struct curve_options *o = &r->options;
	size_t n = o->n_patterns;

	r->patterns = n ? xcalloc(n, sizeof *r->patterns) : NULL;
	for (size_t i = 0; i < n; i++)
		r->patterns[i] = xstrdup(o->patterns[i]);
	o->patterns = (const char *const *)r->patterns;
	r->store_run = o->store_run ? xstrdup(o->store_run) : NULL;
	o->store_run = r->store_run;
}

static void drop_options(struct run_files *r)
{
	for (size_t i = 0; i < r->options.n_patterns; i++)
		free(r->patterns[i]);
	free(r->patterns);
	free(r->store_run);
}

struct run_files *run_files_new(const struct curve_options *options)
{
	struct run_files *r = xcalloc(1, sizeof *r);

	r->series = run_series_new();
	r->health = (struct health)HEALTH_INIT;
	if (options)
		r->options = *options;
	keep_options(r);
	r->owners = run_owners_new();
	return r;
}

static void release_file(struct run_file *f)
{
	free(f->name);
	free(f->prefix);
	free(f->group);
	free(f->order);
	free(f->left);
	curve_file_free(f->file);
}

void run_files_free(struct run_files *r)
{
	if (!r)
		return;
	for (size_t i = 0; i < r->n; i++)
		release_file(&r->files[i]);
	for (size_t i = 0; i < r->n_roots; i++)
		free(r->roots[i]);
	free(r->roots);
	free(r->files);
	free(r->cache);
	drop_options(r);
	run_owners_free(r->owners);
	run_series_free(r->series);
	curve_notes_release(&r->notes);
	settings_release(&r->settings);
	free(r);
}

/* By path, so that files of a folder are in the order of their names. */
static int compare_files(const void *a, const void *b)
{
	const struct run_file *x = a, *y = b;
	int order = strcmp(x->group, y->group);

	if (!order)
		order = strcmp(x->order, y->order);
	return order ? order : (x->age < y->age) - (x->age > y->age);
}

static bool is_sorted(const struct run_files *r)
{
	for (size_t i = 1; i < r->n; i++)
		if (compare_files(&r->files[i - 1], &r->files[i]) > 0)
			return false;
	return true;
}

static bool has_other_folder(const struct run_files *r, const struct run_file *f)
{
	for (size_t i = 0; i < r->n; i++)
		if (r->files[i].file && r->files[i].file->format == f->file->format &&
		    strcmp(r->files[i].group, f->group) != 0)
			return true;
	return false;
}

/* "eval/" when files of the format lie in several folders; checkpoints are one chain. */
static char *make_prefix(const struct run_files *r, const struct run_file *f)
{
	struct arena a = ARENA_INIT;
	const char *folder;
	char *prefix;

	if (!f->file || f->file->format->shape == CURVE_DOCUMENT || !has_other_folder(r, f))
		return xstrdup("");
	if (f->file->format->shape == CURVE_STORE)
		return xasprintf("%s/", f->name);
	if (f->file->format == &wandb_format)
		return xasprintf("%s/", fs_basename(f->group));
	if (!strchr(f->name, '/'))
		return xstrdup("");
	folder = fs_dirname(&a, f->name);
	prefix = xasprintf("%s/", folder);
	arena_release(&a);
	return prefix;
}

/* True when a name changed. */
static bool set_prefixes(struct run_files *r)
{
	bool changed = false;

	for (size_t i = 0; i < r->n; i++) {
		char *prefix = make_prefix(r, &r->files[i]);

		changed |= strcmp(prefix, r->files[i].prefix) != 0;
		free(r->files[i].prefix);
		r->files[i].prefix = prefix;
	}
	return changed;
}

/* The numbers or names of files changed: all points are read anew. */
static void read_anew(struct run_files *r)
{
	for (size_t i = 0; i < r->series->n; i++)
		series_clear(r->series->series[i]);
	run_owners_free(r->owners);
	r->owners = run_owners_new();
	for (size_t i = 0; i < r->n; i++)
		if (r->files[i].file)
			curve_file_restart(r->files[i].file);
}

static void settle_files(struct run_files *r)
{
	bool sorted = is_sorted(r), renamed;

	if (!sorted)
		qsort(r->files, r->n, sizeof *r->files, compare_files);
	renamed = set_prefixes(r);
	if (!sorted || renamed)
		read_anew(r);
}

int run_files_add(struct run_files *r, const char *path)
{
	int result = run_root_scan(r, path);

	if (result < 0)
		return result;
	ARRAY_GROW(r->roots, r->n_roots, r->cap_roots);
	r->roots[r->n_roots++] = xstrdup(path);
	settle_files(r);
	return 0;
}

int run_files_rescan(struct run_files *r)
{
	int result = 0;

	for (size_t i = 0; i < r->n_roots; i++)
		if (fs_exists(r->roots[i]) && run_root_scan(r, r->roots[i]) < 0)
			result = err_code();
	settle_files(r);
	return result;
}

/* A trainer_state tells the steps of an epoch, which a log without steps needs. */
static bool share_steps_per_epoch(struct run_files *r)
{
	double steps = 0;
	bool changed = false;

	for (size_t i = 0; i < r->n; i++) {
		struct trainer_facts facts;

		if (!r->files[i].file || r->files[i].file->format != &trainer_state_format)
			continue;
		facts = trainer_state_facts(r->files[i].file);
		if (facts.steps_per_epoch > 0)
			steps = facts.steps_per_epoch;
	}
	for (size_t i = 0; steps > 0 && i < r->n; i++) {
		struct curve_file *f = r->files[i].file;

		if (!f || f->format != &terminal_format || f->options.steps_per_epoch > 0)
			continue;
		f->options.steps_per_epoch = steps;
		curve_file_restart(f);
		changed = true;
	}
	return changed;
}

static void sum_up(struct run_files *r)
{
	r->health = (struct health)HEALTH_INIT;
	settings_release(&r->settings);
	for (size_t i = 0; i < r->n; i++) {
		if (!r->files[i].file)
			continue;
		health_merge(&r->health, &r->files[i].file->sink.health);
		curve_notes_merge(&r->notes, &r->files[i].file->sink.notes);
		settings_merge(&r->settings, &r->files[i].file->sink.settings);
	}
}

struct taking {
	struct run_files *run;
	size_t i;
};

static void take_points(void *user)
{
	const struct taking *t = user;

	run_merge_file(t->run, t->i);
}

/* A large file hands its points over while it is read. */
static int refresh_file(struct run_files *r, size_t i, const atomic_bool *cancel)
{
	struct curve_file *f = r->files[i].file;
	struct taking taking = { r, i };
	int result;

	if (!f)
		return CURVE_SAME;
	if (run_cache_restore(r, i))
		return CURVE_CHANGED;
	if (f->format->shape == CURVE_STREAM) {
		f->take = take_points;
		f->take_user = &taking;
	}
	result = curve_file_refresh(f, cancel);
	f->take = NULL;
	f->take_user = NULL;
	return result;
}

int run_files_refresh(struct run_files *r, const atomic_bool *cancel)
{
	int progress = CURVE_SAME;
	bool documents = false;

	for (size_t i = 0; i < r->n; i++) {
		struct curve_file *f = r->files[i].file;
		int result = refresh_file(r, i, cancel);

		if (result == ERR_CANCELLED)
			return result;
		if (result <= CURVE_SAME)
			continue;
		if (f->format->shape == CURVE_DOCUMENT)
			documents = true;
		else
			run_merge_file(r, i);
		if (result > progress)
			progress = result;
	}
	if (documents)
		run_merge_documents(r);
	if (documents && share_steps_per_epoch(r))
		progress = CURVE_MORE;
	if (progress != CURVE_SAME) {
		run_merge_concurrent(r);
		sum_up(r);
	}
	return progress;
}

int run_files_read(struct run_files *r, const atomic_bool *cancel)
{
	int result;

	do
		result = run_files_refresh(r, cancel);
	while (result == CURVE_MORE);
	if (result < 0)
		return result;
	run_cache_keep(r);
	return 0;
}

void run_files_set_threads(struct run_files *r, int threads)
{
	r->options.threads = threads;
	for (size_t i = 0; i < r->n; i++)
		if (r->files[i].file)
			r->files[i].file->options.threads = threads;
}

void run_files_use_cache(struct run_files *r, const char *folder, bool writes)
{
	free(r->cache);
	r->cache = xstrdup(folder);
	r->cache_writes = writes;
}

void run_files_end(struct run_files *r)
{
	r->options.ended = true;
	for (size_t i = 0; i < r->n; i++)
		if (r->files[i].file)
			curve_file_end(r->files[i].file);
}

bool run_files_has_format(const struct run_files *r, const char *format_name)
{
	for (size_t i = 0; i < r->n; i++)
		if (r->files[i].file && strcmp(r->files[i].file->format->name, format_name) == 0)
			return true;
	return false;
}

const struct curve_format *run_files_format_of(const struct run_files *r, const struct series *s)
{
	size_t best = 0;
	const struct curve_format *format = NULL;

	for (size_t k = 0; k < s->n_segments; k++) {
		const struct segment *g = &s->segments[k];

		if (g->n <= best || g->file < 0 || (size_t)g->file >= r->n ||
			!r->files[g->file].file)
			continue;
		best = g->n;
		format = r->files[g->file].file->format;
		if (s->printed && format->printed)
			format = format->printed;
	}
	return format;
}

static void describe(struct buf *out, const struct curve_file *f)
{
	struct buf text = BUF_INIT;

	if (f->format->describe)
		f->format->describe(&text, f);
	if (text.n)
		buf_addf(out, " | %s", text.s);
	buf_release(&text);
}

void run_files_add_lines(struct buf *out, const struct run_files *r)
{
	for (size_t i = 0; i < r->n; i++) {
		const struct run_file *f = &r->files[i];

		text_sanitise(out, f->name, strlen(f->name));
		if (!f->file) {
			buf_adds(out, "  left: ");
			text_sanitise(out, f->left, strlen(f->left));
		} else {
			buf_addf(out, "  %s  ", f->file->format->title);
			health_add_line(out, &f->file->sink.health);
			describe(out, f->file);
		}
		if (f->file && f->file->error_text) {
			buf_adds(out, " | ");
			text_sanitise(out, f->file->error_text, strlen(f->file->error_text));
		}
		buf_addc(out, '\n');
	}
}

int run_files_load(struct run_files **out, const char *path, const struct curve_options *options)
{
	struct run_files *r = run_files_new(options);
	int result = run_files_add(r, path);

	if (result == 0)
		result = run_files_read(r, NULL);
	if (result < 0) {
		run_files_free(r);
		return result;
	}
	*out = r;
	return 0;
}
