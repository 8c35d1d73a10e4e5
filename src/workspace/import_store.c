/* import_store - stores and W&B runs that were given, and which run is meant; see import.h. */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/err.h"
#include "base/fs.h"
#include "base/text.h"
#include "curve/foreign_database.h"
#include "curve/wandb.h"
#include "curve/wandb_folder.h"
#include "workspace/import_private.h"

/* ---- stores ---- */

/* Whether it is one, and its runs are known. */
bool import_add_store(struct import_work *w, const char *path, const char *name,
	const struct curve_format *format, size_t listed)
{
	struct store_runs own = STORE_RUNS_INIT;

	w->out->files[listed].format = format->title;
	if (format->list_runs(&own, path, w->request->cancel) < 0) {
		import_leave_with_error(w, listed, path);
		store_runs_release(&own);
		return false;
	}
	for (size_t i = 0; i < own.n; i++) {
		struct store_run *run = store_runs_add(&w->runs, own.list[i].id, own.list[i].name);

		free(run->status);
		run->status = xstrdup(own.list[i].status);
		run->points = own.list[i].points;
		run->deleted = own.list[i].deleted;
		run->path = xstrdup(path);
	}
	store_runs_release(&own);
	ARRAY_GROW(w->stores, w->n_stores, w->cap_stores);
	w->stores[w->n_stores++] = (struct import_store){ path, name, format, listed };
	return true;
}

/* A part of it that is left, with its reason. */
static void leave_part(struct import_work *w, const char *name, const char *why)
{
	if (!import_is_full(w))
		import_leave(w, import_list(w, name), why);
}

/* Why it is no part of the store that could be read; NULL: it may be one. */
static const char *unfit_part(const struct stat *st, const char *part)
{
	if (S_ISLNK(st->st_mode))
		return "a link; those in a store are not followed";
	if (!S_ISREG(st->st_mode))
		return "no plain file";
	if (import_unfit_name(part))
		return import_unfit_name(part);
	return fs_is_inside(part) ? NULL : "its name has control characters; rename it";
}

static void take_part(struct import_work *w, const struct import_store *store, const char *part,
	const struct stat *st)
{
	struct import_source s = { .path = fs_join(w->a, store->path, part),
		.name = arena_printf(w->a, "%s/%s", store->name, part),
		.format = store->format,
		.listed = store->listed,
		.beside = SIZE_MAX,
		.is_part = true };

	if (unfit_part(st, part)) {
		leave_part(w, s.name, unfit_part(st, part));
	} else if (import_is_full(w)) {
		return;
	} else if (sha256_file(&s.digest, &s.size, s.path) == 0) {
		import_add_source(w, &s);
	} else if (!import_is_full(w)) {
		import_leave_with_error(w, import_list(w, s.name), s.path);
	}
}

/* The parts of a folder that is one store, listed as one; what is left is listed apart. */
static void take_parts(struct import_work *w, const struct import_store *store, const char *below,
	int depth)
{
	const char *dir = *below ? fs_join(w->a, store->path, below) : store->path;
	const char *name = *below ? arena_printf(w->a, "%s/%s", store->name, below) : store->name;
	char **names;
	size_t n;

	if (depth > IMPORT_DEPTH_MAX) {
		leave_part(w, name, "nested too deep");
		return;
	}
	if (fs_list(&names, &n, w->a, dir) < 0) {
		if (!import_is_full(w))
			import_leave_with_error(w, import_list(w, name), dir);
		return;
	}
	for (size_t i = 0; i < n && !w->full; i++) {
		const char *part = *below ? arena_printf(w->a, "%s/%s", below, names[i]) : names[i];
		struct stat st;

		if (lstat(fs_join(w->a, store->path, part), &st) < 0)
			continue;
		if (S_ISDIR(st.st_mode))
			take_parts(w, store, part, depth + 1);
		else if (store->format->holds(part))
			take_part(w, store, part, &st);
	}
}

void import_take_folder(struct import_work *w, const struct import_store *store)
{
	size_t before = w->n;

	w->out->files[store->listed].format = store->format->title;
	take_parts(w, store, "", 0);
	if (w->n == before)
		import_leave(w, store->listed, "no file of it could be read");
	else
		import_take(w, store->listed);
}

/* The database, its log, and what would roll it back. */
static void take_database(struct import_work *w, const struct import_store *store)
{
	struct import_source s = { .path = store->path,
		.name = store->name,
		.format = store->format,
		.listed = store->listed,
		.beside = SIZE_MAX };
	size_t database = w->n;

	if (sha256_file(&s.digest, &s.size, s.path) < 0) {
		import_leave_with_error(w, store->listed, s.path);
		return;
	}
	import_add_source(w, &s);
	for (size_t i = 0; i < FOREIGN_COMPANIONS_KEPT; i++) {
		struct import_source c = { .path = arena_printf(
						   w->a, "%s%s", s.path, foreign_companions[i]),
			.name = arena_printf(w->a, "%s%s", s.name, foreign_companions[i]),
			.format = s.format,
			.listed = s.listed,
			.beside = database };

		if (fs_size(c.path) <= 0)
			continue;
		if (sha256_file(&c.digest, &c.size, c.path) == 0)
			import_add_source(w, &c);
		else
			err_clear();
	}
	import_take(w, store->listed);
}

static void take_store(struct import_work *w, const struct import_store *store)
{
	if (store->format->holds)
		import_take_folder(w, store);
	else
		take_database(w, store);
}

/* ---- runs of W&B ---- */

static bool is_wandb(const struct import_source *s)
{
	return s->format == &wandb_format;
}

static const char *id_of(struct import_work *w, const struct import_source *s,
	const struct wandb_facts *facts)
{
	struct wandb_place place;

	if (facts->run_id && *facts->run_id)
		return arena_strdup(w->a, facts->run_id);
	return wandb_place_read(&place, s->path) ? arena_strndup(w->a, place.id, place.id_n)
						 : s->name;
}

static struct store_run *find_run(struct store_runs *runs, const char *id)
{
	for (size_t i = 0; i < runs->n; i++)
		if (strcmp(runs->list[i].id, id) == 0)
			return &runs->list[i];
	return NULL;
}

/* Those that were logged, not those that were printed. */
static int64_t points_of(const struct curve_file *f)
{
	int64_t n = 0;

	for (size_t i = 0; i < f->sink.series->n; i++)
		n += (int64_t)f->sink.series->series[i]->n;
	return n;
}

/* The record of the run is among the first: one step of reading is enough. */
static void read_wandb_run(struct import_work *w, struct import_source *s, struct store_runs *runs)
{
	struct curve_file *f = curve_file_new_as(s->path, &wandb_format, NULL);
	bool is_whole = curve_file_refresh(f, w->request->cancel) == CURVE_CHANGED;
	const struct wandb_facts *facts = wandb_facts_of(f);
	struct store_run *run;

	s->run = id_of(w, s, facts);
	run = find_run(runs, s->run);
	if (!run) {
		run = store_runs_add(runs, s->run, facts->name);
		run->points = 0;
	}
	if (!is_whole)
		run->points = -1;
	else if (run->points >= 0)
		run->points += points_of(f);
	if (facts->exited) {
		free(run->status);
		run->status = xasprintf("exit %" PRId64, facts->exit_code);
	}
	curve_file_free(f);
	err_clear();
}

/* Several are runs to choose from, as in a store; one is a file like any other. */
static void list_wandb_runs(struct import_work *w)
{
	struct store_runs own = STORE_RUNS_INIT;

	for (size_t i = 0; i < w->n; i++)
		if (is_wandb(&w->sources[i]))
			read_wandb_run(w, &w->sources[i], &own);
	for (size_t i = 0; i < own.n && (own.n > 1 || w->request->run); i++) {
		struct store_run *run = store_runs_add(&w->runs, own.list[i].id, own.list[i].name);

		free(run->status);
		run->status = xstrdup(own.list[i].status);
		run->points = own.list[i].points;
		w->has_wandb_runs = true;
	}
	store_runs_release(&own);
}

static bool is_beside(const char *path, const char *file)
{
	size_t n = (size_t)(fs_basename(file) - file);

	return n && strncmp(path, file, n) == 0;
}

/* Of the run RUN, or lying beside one of its files, or beside none of any run. */
static bool is_of_run(const struct import_work *w, const struct import_source *s, const char *run)
{
	bool beside_other = false;

	if (s->run)
		return strcmp(s->run, run) == 0;
	for (size_t i = 0; i < w->n; i++) {
		const struct import_source *file = &w->sources[i];

		if (!file->run || !is_beside(s->path, file->path))
			continue;
		if (strcmp(file->run, run) == 0)
			return true;
		beside_other = true;
	}
	return !beside_other;
}

/* RUN: NULL, or an id that none has: files of W&B are of another run than that of a store. */
static void leave_other_wandb_runs(struct import_work *w, const char *run)
{
	bool *is_kept = xcalloc(w->n + 1, sizeof *is_kept);
	size_t kept = 0;

	for (size_t i = 0; i < w->n; i++)
		is_kept[i] = w->sources[i].is_part || is_of_run(w, &w->sources[i], run);
	for (size_t i = 0; i < w->n; i++) {
		if (is_kept[i]) {
			w->sources[kept++] = w->sources[i];
			continue;
		}
		import_leave(w, w->sources[i].listed, "another run was chosen");
		w->out->files[w->sources[i].listed].format = "";
		w->out->taken--;
	}
	w->n = kept;
	free(is_kept);
}

/* ---- the run that is meant ---- */

static const char *what_was_given(const struct import_work *w)
{
	if (w->n_stores == 1 && !w->has_wandb_runs)
		return w->stores[0].name;
	return w->n_stores ? "what was given" : "the folder of W&B";
}

static void take_chosen(struct import_work *w, const struct store_run *run)
{
	w->chosen = arena_strdup(w->a, run->id);
	if (w->has_wandb_runs)
		leave_other_wandb_runs(w, run->path ? "" : w->chosen);
	for (size_t i = 0; i < w->n_stores; i++) {
		if (run->path && strcmp(w->stores[i].path, run->path) == 0)
			take_store(w, &w->stores[i]);
		else
			import_leave(w, w->stores[i].listed, "another run was chosen");
	}
}

int import_choose_run(struct import_work *w)
{
	const struct store_run *run;
	int rc;

	list_wandb_runs(w);
	if (w->request->run && !w->n_stores && !w->has_wandb_runs)
		return err_set(ERR_USAGE,
			"--run names a run of W&B, MLflow or trackio; none of these files has one that can be read");
	if (!w->n_stores && !w->has_wandb_runs)
		return 0;
	rc = store_runs_choose(&w->runs, what_was_given(w), w->request->run, &run);
	if (rc == ERR_NOT_FOUND && !w->request->run) {
		for (size_t i = 0; i < w->n_stores; i++)
			import_leave(w, w->stores[i].listed, err_text());
		err_clear();
		return 0;
	}
	if (rc < 0)
		return rc;
	take_chosen(w, run);
	return 0;
}
