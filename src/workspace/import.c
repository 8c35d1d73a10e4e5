/* import - see import.h. */
#include "config.h"

#include "workspace/import.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/err.h"
#include "base/fs.h"
#include "base/hash.h"
#include "base/text.h"
#include "curve/reader.h"
#include "domain/configuration.h"
#include "launch/run_id.h"
#include "workspace/accepted.h"
#include "workspace/run_evidence.h"
#include "workspace/run_facts.h"
#include "workspace/run_record.h"
#include "workspace/state.h"

enum { DEPTH_MAX = 8, FILES_MAX = 4096 };

struct source {
	const char *path, *name;
	const char *stored;		/* below artifacts/; NULL: the run's log */
	const struct curve_format *format;
	struct digest digest;
	int64_t size;
};

struct work {
	struct workspace *ws;
	struct arena *a;
	struct imported *out;
	size_t cap;
	struct source *sources;
	size_t n, cap_sources;
	bool full;
};

/* A file of declared facts is no curve, and goes along. */
static const struct curve_format facts_format = {
	.name = "facts", .title = "declared facts", .shape = CURVE_STORE, .rank = RANK_RECORDS
};

/* ---- what is there ----------------------------------------------------------- */

static struct imported_file *list_file(struct work *w, const char *name)
{
	struct imported_file *f;

	ARRAY_GROW(w->out->files, w->out->n, w->cap);
	f = &w->out->files[w->out->n++];
	*f = (struct imported_file){ .name = text_sanitised(w->a, name), .format = "" };
	return f;
}

static void add_source(struct work *w, const struct source *s)
{
	ARRAY_GROW(w->sources, w->n, w->cap_sources);
	w->sources[w->n++] = *s;
}

/* True, and listed as left, when there is no room for more. */
static bool is_full(struct work *w)
{
	if (w->n < FILES_MAX && w->out->n < FILES_MAX)
		return false;
	if (!w->full)
		list_file(w, "...")->left =
			"more files than one import takes; import the rest apart";
	w->full = true;
	return true;
}

static void leave(struct work *w, struct imported_file *f)
{
	f->left = arena_strdup(w->a, err_text());
	err_clear();
}

static void take(struct work *w, const char *path, const char *name)
{
	struct imported_file *f;
	struct source s = { .path = path, .name = name };

	if (is_full(w))
		return;
	f = list_file(w, name);
	s.format = curve_format_recognise(path);
	if (strcmp(fs_basename(path), RUN_FACTS_FILE) == 0)
		s.format = &facts_format;
	if (!s.format || sha256_file(&s.digest, &s.size, path) < 0) {
		leave(w, f);
		return;
	}
	f->format = s.format->title;
	f->size = s.size;
	add_source(w, &s);
	w->out->taken++;
}

/* A folder that is one store (MLflow): all its plain files, listed as one. */
static int64_t take_store(struct work *w, const char *dir, const char *prefix,
	const struct curve_format *format, int depth)
{
	char **names;
	size_t n;
	int64_t size = 0;

	if (depth > DEPTH_MAX || fs_list(&names, &n, w->a, dir) < 0) {
		err_clear();
		return 0;
	}
	for (size_t i = 0; i < n && w->n < FILES_MAX; i++) {
		struct source s = { .path = fs_join(w->a, dir, names[i]),
			.name = fs_join(w->a, prefix, names[i]),
			.format = format };
		struct stat st;

		if (lstat(s.path, &st) < 0 || !fs_is_inside(names[i]))
			continue;
		if (S_ISDIR(st.st_mode))
			size += take_store(w, s.path, s.name, format, depth + 1);
		if (!S_ISREG(st.st_mode) || sha256_file(&s.digest, &s.size, s.path) < 0)
			continue;
		add_source(w, &s);
		size += s.size;
	}
	return size;
}

static bool is_store(struct work *w, const char *dir, const char *name)
{
	const struct curve_format *format = curve_format_recognise(dir);
	size_t before = w->n;
	int64_t size;
	struct imported_file *f;

	if (!format || format->shape != CURVE_STORE) {
		err_clear();
		return false;
	}
	size = take_store(w, dir, name, format, 0);
	f = list_file(w, name);
	f->format = format->title;
	f->size = size;
	if (w->n == before)
		f->left = "no file of it could be read";
	else
		w->out->taken++;
	return true;
}

static void walk(struct work *w, const char *dir, const char *prefix, int depth)
{
	char **names;
	size_t n;

	if (is_store(w, dir, *prefix ? prefix : fs_basename(dir)))
		return;
	if (depth > DEPTH_MAX || fs_list(&names, &n, w->a, dir) < 0) {
		struct imported_file *f = list_file(w, *prefix ? prefix : dir);

		if (depth > DEPTH_MAX)
			f->left = "nested too deep";
		else
			leave(w, f);
		return;
	}
	for (size_t i = 0; i < n && !is_full(w); i++) {
		char *path = fs_join(w->a, dir, names[i]);
		char *name = *prefix ? arena_printf(w->a, "%s/%s", prefix, names[i]) : names[i];
		struct stat st;

		if (names[i][0] == '.' || lstat(path, &st) < 0)
			continue;
		if (S_ISDIR(st.st_mode))
			walk(w, path, name, depth + 1);
		else if (S_ISREG(st.st_mode))
			take(w, path, name);
		else
			list_file(w, name)->left =
				S_ISLNK(st.st_mode) ? "a link; name its file" : "no plain file";
	}
}

static int gather(struct work *w, const char *const *paths)
{
	for (; *paths; paths++) {
		char *path = fs_absolute(w->a, *paths);

		if (!fs_exists(path))
			return err_set(ERR_NOT_FOUND, "%s does not exist", *paths);
		if (fs_is_dir(path))
			walk(w, path, "", 0);
		else
			take(w, path, arena_strdup(w->a, fs_basename(path)));
	}
	return 0;
}

/* ---- where they are kept ------------------------------------------------------- */

static bool is_stored(const struct work *w, size_t before, const char *name)
{
	for (size_t i = 0; i < before; i++)
		if (w->sources[i].stored && strcmp(w->sources[i].stored, name) == 0)
			return true;
	return false;
}

/* The end of a name by which a reader looks into a file of that format again. */
static const char *end_for(const struct source *s, const char *name)
{
	static const char *const logs[] = { ".log", ".out", ".err", ".txt" };
	static const char *const others[] = { ".csv", ".tsv", ".jsonl", ".json", ".ndjson",
		".wandb", ".db", ".sqlite", ".sqlite3" };
	const char *const *ends = s->format->rank == RANK_TEXT ? logs : others;
	size_t n = s->format->rank == RANK_TEXT ? ARRAY_LEN(logs) : ARRAY_LEN(others);

	for (size_t i = 0; i < n; i++)
		if (text_ends(name, ends[i]))
			return "";
	if (strstr(name, "tfevents") || s->format == &facts_format ||
		s->format->shape == CURVE_STORE)
		return "";
	if (s->format->rank == RANK_TEXT)
		return ".log";
	return s->format->rank == RANK_TABLE       ? ".csv"
		: s->format->shape == CURVE_STREAM ? ".jsonl"
						   : ".json";
}

/* Names of strangers: inside the folder, found again, and each its own. */
static void choose_stored(struct work *w)
{
	bool has_log = false;

	for (size_t i = 0; i < w->n; i++) {
		struct source *s = &w->sources[i];
		const char *name;

		if (s->format->rank == RANK_TEXT && !has_log) {
			has_log = true;
			continue;
		}
		name = fs_is_inside(s->name) ? s->name : arena_printf(w->a, "file-%zu", i + 1);
		name = arena_printf(w->a, "%s%s", name, end_for(s, name));
		if (is_stored(w, i, name))
			name = arena_printf(w->a, "import-%zu/%s", i + 1, name);
		s->stored = name;
	}
}

/* ---- the run ------------------------------------------------------------------- */

/* The same files for the same subject give the same id, so that an import that
 * is repeated finds its run. */
static void run_id_of(char out[RUN_ID_SIZE], const struct work *w, const struct import_request *r)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz234567";
	const char *parts[] = { "import", r->subject, r->target ? r->target : "",
		r->seed ? r->seed : "" };
	struct sha256 *h = sha256_new();
	struct digest d;

	for (size_t i = 0; i < ARRAY_LEN(parts); i++)
		sha256_update(h, parts[i], strlen(parts[i]) + 1);
	for (size_t i = 0; i < w->n; i++) {
		sha256_update(h, w->sources[i].name, strlen(w->sources[i].name) + 1);
		sha256_update(h, w->sources[i].digest.bytes, sizeof w->sources[i].digest.bytes);
	}
	d = sha256_final(h);
	snprintf(out, RUN_ID_SIZE, "ps-");
	for (size_t i = 3; i < RUN_ID_SIZE - 1; i++)
		out[i] = letters[d.bytes[i] % 32];
	out[RUN_ID_SIZE - 1] = '\0';
}

static int keep_files(struct work *w, const char *run)
{
	char *rundir = fs_join(w->a, workspace_path(w->ws, w->a, "runs"), run);
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < w->n; i++) {
		const struct source *s = &w->sources[i];
		char *to = s->stored ? fs_join(w->a, fs_join(w->a, rundir, "artifacts"), s->stored)
				     : fs_join(w->a, rundir, "log");

		if ((rc = fs_mkdirs(fs_dirname(w->a, to), 0700)) == 0 && !fs_exists(to))
			rc = fs_copy(s->path, to, 0400);
		if (rc == 0)
			rc = run_evidence_add(
				w->ws, to, s->name, s->stored ? "curve" : "log", run, w->a);
	}
	if (rc == 0)
		rc = fs_write_durable(fs_join(w->a, rundir, "kept"), "", 0, 0600);
	return rc;
}

static int record(
	struct work *w, const struct import_request *r, const char *run, const char *subject)
{
	struct accepted accepted;
	struct run_facts_of_start facts = { .subject = subject,
		.kind = r->kind,
		.provenance = PROVENANCE_IMPORTED,
		.by = workspace_actor(w->ws)->text,
		.target_name = r->target ? r->target : "elsewhere" };
	struct run_spec spec = RUN_SPEC_INIT;
	int rc = accepted_read(&accepted, w->ws, NULL);

	if (rc < 0)
		return rc;
	facts.target = r->target ? config_target_find(&accepted.in_force, r->target) : NULL;
	snprintf(spec.run_id, sizeof spec.run_id, "%s", run);
	spec.target_kind = NULL;	/* nobody says */
	spec.revision = r->commit ? r->commit : "";
	if (r->seed) {
		spec.has_seed = true;
		spec.seed = strtoll(r->seed, NULL, 10);
	}
	if (facts.target)
		spec.chips = (int)facts.target->chips;
	rc = run_record_prepared(w->ws, &spec, &facts, w->a);
	accepted_release(&accepted);
	return rc < 0 ? rc : 0;
}

/* Also when the run is known: an import may have died between the two. */
static int record_end(struct work *w, const char *run)
{
	const char *lost = word_name(&words_run_state, RUN_LOST);

	return run_record_once(w->ws, run, "run.ended", lost,
		event_data(w->a, "state", lost, "source", "person", "why",
			"imported: nobody here saw how it ended", NULL),
		w->a);
}

static int attach(struct work *w, const struct import_request *r)
{
	char run[RUN_ID_SIZE];
	const char *subject = "reference";
	void *state;
	int rc = 0;

	if (strcmp(r->subject, "reference") != 0) {
		struct attempt_state *s;

		if ((rc = state_attempt(w->ws, r->subject, NULL, w->a, &s)) < 0)
			return rc;
		subject = s->id;
	}
	choose_stored(w);
	run_id_of(run, w, r);
	w->out->run = arena_strdup(w->a, run);
	if ((rc = state_get(w->ws, "run", run, NULL, w->a, &state)) < 0)
		return rc;
	w->out->already = rc > 0;
	if ((rc == 0 && (rc = record(w, r, run, subject)) < 0) || (rc = record_end(w, run)) < 0)
		return rc;
	return keep_files(w, run);
}

int import_files(
	struct imported *out, struct workspace *ws, const struct import_request *r, struct arena *a)
{
	struct work w = { .ws = ws, .a = a, .out = out };
	struct imported_file *files;
	int rc;

	memset(out, 0, sizeof *out);
	rc = gather(&w, r->paths);
	if (rc == 0 && w.n)
		rc = attach(&w, r);
	files = out->files;
	out->files = arena_memdup(a, files, out->n * sizeof *files);
	free(files);
	free(w.sources);
	return rc;
}
