/* import_keep - where the files of an import are kept, and what they hold; see import.h. */
#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/fs.h"
#include "base/text.h"
#include "curve/foreign_database.h"
#include "curve/predictions.h"
#include "curve/run_files.h"
#include "launch/run_directory.h"
#include "workspace/facts_record.h"
#include "workspace/import_private.h"
#include "workspace/run_evidence.h"
#include "workspace/run_results.h"

enum { COPY_TRIES = 3 };

/* ---- names ---- */

static bool is_stored(const struct import_work *w, size_t before, const char *name)
{
	for (size_t i = 0; i < before; i++)
		if (w->sources[i].stored && strcmp(w->sources[i].stored, name) == 0)
			return true;
	return false;
}

static bool is_database(const struct import_source *s)
{
	return s->format->shape == CURVE_STORE && !s->is_part;
}

/* The end of a name by which a reader looks into a file of that format again. */
static const char *end_for(const struct import_source *s, const char *name)
{
	static const char *const logs[] = { ".log", ".out", ".err", ".txt" };
	static const char *const databases[] = { ".db", ".sqlite", ".sqlite3" };
	static const char *const others[] = { ".csv", ".tsv", ".jsonl", ".json", ".ndjson",
		".wandb" };
	bool text = s->format->rank == RANK_TEXT;
	const char *const *ends = text ? logs : is_database(s) ? databases : others;
	size_t n = text ? ARRAY_LEN(logs)
		: is_database(s) ? ARRAY_LEN(databases)
				 : ARRAY_LEN(others);

	for (size_t i = 0; i < n; i++)
		if (text_ends(name, ends[i]))
			return "";
	if (strstr(name, "tfevents") || strcmp(s->format->name, "facts") == 0 || s->is_part)
		return "";
	if (text)
		return ".log";
	if (is_database(s))
		return ".db";
	if (strcmp(s->format->name, "wandb") == 0)
		return ".wandb";
	return s->format->rank == RANK_TABLE       ? ".csv"
		: s->format->shape == CURVE_STREAM ? ".jsonl"
						   : ".json";
}

/* Names of strangers: inside the folder, found again, and each its own. */
static const char *stored_name(struct import_work *w, size_t i)
{
	const struct import_source *s = &w->sources[i];
	const char *name;

	if (s->beside != SIZE_MAX)	/* "x.db-wal" stays beside "x.db" */
		return arena_printf(w->a, "%s%s", w->sources[s->beside].stored,
			strrchr(s->name, '-'));
	name = fs_is_inside(s->name) ? s->name : arena_printf(w->a, "file-%zu", i + 1);
	name = arena_printf(w->a, "%s%s", name, end_for(s, name));
	if (is_stored(w, i, name))
		name = arena_printf(w->a, "import-%zu/%s", i + 1, name);
	return name;
}

/* A folder of its own for what one file holds, so that no two names meet. */
static const char *evidence_name(struct import_work *w, const struct import_source *s)
{
	char hex[DIGEST_HEX + 1];

	digest_hex(hex, &s->digest);
	return arena_printf(w->a, "%.12s/%s", hex,
		fs_is_inside(s->name) ? fs_basename(s->name) : "report.txt");
}

void import_choose_names(struct import_work *w)
{
	bool has_log = false;

	for (size_t i = 0; i < w->n; i++) {
		struct import_source *s = &w->sources[i];

		if (s->is_evidence)
			s->stored = evidence_name(w, s);
		else if (s->format->rank == RANK_TEXT && !has_log)
			has_log = true;
		else
			s->stored = stored_name(w, i);
	}
}

/* ---- copies ---- */

static char *place_of(
	const struct import_work *w, const char *rundir, const struct import_source *s)
{
	const char *evidence = run_directory_path(w->a, rundir, RUN_FILE_EVIDENCE);

	if (s->is_evidence)
		return fs_join(w->a, evidence, s->stored);
	return s->stored ? fs_join(w->a, fs_join(w->a, rundir, "artifacts"), s->stored)
			 : fs_join(w->a, rundir, "log");
}

static int copy_source(struct import_work *w, const char *rundir, const struct import_source *s)
{
	char *to = place_of(w, rundir, s);
	int rc = fs_mkdirs(fs_dirname(w->a, to), 0700);

	return rc == 0 && !fs_exists(to) ? fs_copy(s->path, to, 0400) : rc;
}

/* The log first, since a checkpoint moves it into the database. */
static int copy_database_once(struct import_work *w, const char *rundir, size_t database)
{
	int rc = 0;

	for (size_t i = w->n; rc == 0 && i-- > database;)
		if (i == database || w->sources[i].beside == database)
			rc = copy_source(w, rundir, &w->sources[i]);
	return rc;
}

static void drop_copies(struct import_work *w, const char *rundir, size_t database)
{
	for (size_t i = database; i < w->n; i++)
		if (i == database || w->sources[i].beside == database)
			(void)unlink(place_of(w, rundir, &w->sources[i]));
}

/* Half of what a writer did is no database: again when it was at it meanwhile. */
static int copy_database(struct import_work *w, const char *rundir, size_t database)
{
	const char *path = w->sources[database].path;
	struct foreign_stamp before, after;
	int rc;

	if (fs_exists(place_of(w, rundir, &w->sources[database])))
		return 0;	/* of an earlier import of the same */
	for (int i = 0; i < COPY_TRIES; i++) {
		if ((rc = foreign_stamp_read(&before, path)) < 0 ||
			(rc = copy_database_once(w, rundir, database)) < 0 ||
			(rc = foreign_stamp_read(&after, path)) < 0)
			return rc;
		before.settled = true;
		if (foreign_stamp_same(&before, &after))
			return 0;
		drop_copies(w, rundir, database);
	}
	return err_set(ERR_BUSY,
		"%s: another program is writing to it; import it when that is done", path);
}

static const char *kind_of(const struct import_source *s)
{
	if (s->is_evidence)
		return "report";
	if (s->format == &predictions_format)
		return "predictions";
	return s->stored ? "curve" : "log";
}

/* ---- the run that was chosen, beside the copy of its store ---- */

/* A store whose copy is at PLACE, named NAME; false: source I is no store's first file.  A
 * folder is told by what it says of itself, which may be "deleted" by then. */
static bool find_store(struct import_work *w, const char *rundir, size_t i, const char **place,
	const char **name)
{
	const struct import_source *s = &w->sources[i];
	size_t part = strlen("/meta.yaml");

	*place = place_of(w, rundir, s);
	*name = s->name;
	if (is_database(s))
		return s->beside == SIZE_MAX;
	if (!s->is_part || !s->format->list_runs || !text_ends(s->name, "/meta.yaml"))
		return false;
	*place = arena_strndup(w->a, *place, strlen(*place) - part);
	*name = arena_strndup(w->a, s->name, strlen(s->name) - part);
	return true;
}

static int write_choice(struct import_work *w, const char *place)
{
	char *path = store_choice_path(place);
	const char *text = arena_printf(w->a, "%s\n", w->chosen);
	int rc = fs_exists(path) ? 0 : fs_write_durable(path, text, strlen(text), 0400);

	free(path);
	return rc;
}

static int record_choice(
	struct import_work *w, const char *place, const char *name, const char *run)
{
	char *path = store_choice_path(place);
	int rc = run_evidence_add(w->ws, path,
		arena_printf(w->a, "%s%s", name, STORE_CHOICE_END), "curve", run, w->a);

	free(path);
	return rc;
}

/* ---- all of them ---- */

static int copy_one(struct import_work *w, const char *rundir, size_t i)
{
	const struct import_source *s = &w->sources[i];
	const char *place, *name;
	int rc = 0;

	if (is_database(s) && s->beside == SIZE_MAX)
		rc = copy_database(w, rundir, i);
	else if (!is_database(s))
		rc = copy_source(w, rundir, s);
	return rc == 0 && find_store(w, rundir, i, &place, &name) ? write_choice(w, place) : rc;
}

int import_copy(struct import_work *w, const char *run)
{
	char *rundir = fs_join(w->a, workspace_path(w->ws, w->a, "runs"), run);
	bool known = fs_exists(rundir);
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < w->n; i++)
		rc = copy_one(w, rundir, i);
	/* Half of the files are no run; those of an earlier import stay. */
	if (rc < 0 && !known) {
		const char *why = arena_strdup(w->a, err_text());

		if (fs_remove_tree(rundir) < 0)
			return err_set(rc, "%s; %s was left behind, it can be removed", why, rundir);
		return err_set(rc, "%s; nothing was imported", why);
	}
	return rc;
}

int import_keep(struct import_work *w, const char *run)
{
	char *rundir = fs_join(w->a, workspace_path(w->ws, w->a, "runs"), run);
	const char *place, *name;
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < w->n; i++) {
		const struct import_source *s = &w->sources[i];

		rc = run_evidence_add(
			w->ws, place_of(w, rundir, s), s->name, kind_of(s), run, w->a);
		if (rc == 0 && find_store(w, rundir, i, &place, &name))
			rc = record_choice(w, place, name, run);
	}
	if (rc == 0)
		rc = fs_write_durable(fs_join(w->a, rundir, "kept"), "", 0, 0600);
	if (rc == 0)
		rc = facts_record_run(NULL, w->ws, run, w->request->cancel, w->a);
	return rc;
}

/* ---- a run that is there ---- */

/* A folder of its own for what one file holds: the same file is added once. */
static int add_predictions(struct import_work *w, const char *rundir, const char *run,
	const struct import_source *s)
{
	const char *name = fs_is_inside(s->name) ? fs_basename(s->name) : "predictions.csv";
	char hex[DIGEST_HEX + 1], *to;
	int rc;

	digest_hex(hex, &s->digest);
	to = fs_join(w->a, rundir, arena_printf(w->a, "artifacts/imported/%.12s/%s", hex, name));
	w->out->already &= fs_exists(to);
	if ((rc = fs_mkdirs(fs_dirname(w->a, to), 0700)) == 0 && !fs_exists(to))
		rc = fs_copy(s->path, to, 0400);
	return rc < 0 ? rc : run_evidence_bring(w->ws, to, s->name, kind_of(s), run, w->a);
}

/* What the run has itself stays its own: it is there already. */
static int add_evidence(
	struct import_work *w, const char *rundir, const char *run, struct import_source *s)
{
	char *to;
	int rc;

	s->stored = evidence_name(w, s);
	to = place_of(w, rundir, s);
	w->out->already &= fs_exists(to);
	if ((rc = fs_mkdirs(fs_dirname(w->a, to), 0700)) == 0 && !fs_exists(to))
		rc = fs_copy(s->path, to, 0400);
	return rc < 0 ? rc : run_evidence_bring(w->ws, to, s->name, kind_of(s), run, w->a);
}

int import_add_to(struct import_work *w, const char *run)
{
	char *rundir = fs_join(w->a, workspace_path(w->ws, w->a, "runs"), run);
	int rc = 0;

	if (!fs_is_dir(rundir))
		return err_set(ERR_NOT_FOUND, "the files of run %s are not on this machine", run);
	w->out->taken = 0;
	w->out->already = true;
	for (size_t i = 0; rc == 0 && i < w->n; i++) {
		struct import_source *s = &w->sources[i];

		if (s->format == &predictions_format || s->is_evidence) {
			rc = s->is_evidence ? add_evidence(w, rundir, run, s)
					    : add_predictions(w, rundir, run, s);
			w->out->taken++;
		} else {
			w->out->files[s->listed].left =
				"only predictions by example and evidence of a known format are added to a run that is there";
		}
	}
	if (rc < 0 || !w->out->taken)
		return rc;
	return facts_record_run(NULL, w->ws, run, w->request->cancel, w->a);
}

/* ---- what they hold ---- */

static int64_t count_series(const struct run_files *files, size_t number)
{
	int64_t n = 0;

	for (size_t i = 0; i < files->series->n; i++) {
		const struct series *s = files->series->series[i];

		for (size_t k = 0; k < s->n_segments; k++)
			if (s->segments[k].file == (int)number && s->segments[k].n) {
				n++;
				break;
			}
	}
	return n;
}

static void take_health(struct import_work *w, const struct run_files *files, size_t number,
	struct imported_file *out)
{
	const struct run_file *f = &files->files[number];

	if (!f->file) {
		out->trouble = arena_strdup(w->a, f->left);
		return;
	}
	out->has_health = true;
	out->health = f->file->sink.health;
	out->series = count_series(files, number);
	out->has_instants = !curve_notes_has(&f->file->sink.notes, "zone-unknown") &&
		!curve_notes_has(&f->file->sink.notes, "year-unknown");
	out->trouble = arena_strdup(w->a, f->file->error_text);
	for (size_t i = 0; i < f->file->sink.notes.n && !out->trouble; i++)
		if (strcmp(f->file->sink.notes.notes[i].id, "damaged") == 0)
			out->trouble = arena_strdup(w->a, f->file->sink.notes.notes[i].text);
}

/* The path below which a source is looked into: a store's is its folder. */
static bool is_read_from(
	struct import_work *w, const char *rundir, const struct import_source *s, const char *path)
{
	const char *place = place_of(w, rundir, s);

	if (!s->is_part)
		return strcmp(place, path) == 0;
	return text_starts(place, path) && place[strlen(path)] == '/';
}

int import_read_back(struct import_work *w, const char *run)
{
	char *rundir = fs_join(w->a, workspace_path(w->ws, w->a, "runs"), run);
	struct run_files *files;
	int rc = run_results_open(&files, w->ws, run, w->a);

	if (rc < 0)
		return rc;
	rc = run_files_read(files, w->request->cancel);
	for (size_t k = 0; rc == 0 && k < files->n; k++) {
		const char *path = files->files[k].file ? files->files[k].file->path : "";

		for (size_t i = 0; i < w->n; i++) {
			struct imported_file *f = &w->out->files[w->sources[i].listed];

			if (f->has_health || !is_read_from(w, rundir, &w->sources[i], path))
				continue;
			take_health(w, files, k, f);
			break;
		}
	}
	run_files_free(files);
	return rc;
}
