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
#include "workspace/run_record.h"
#include "workspace/state.h"

enum { DEPTH_MAX = 8, FILES_MAX = 4096 };

struct source {
	const char *path, *name;
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
	bool has_log;
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

static void take(struct work *w, const char *path, const char *name)
{
	struct imported_file *f = list_file(w, name);
	struct source s = { .path = path, .name = name };

	s.format = curve_format_recognise(path);
	if (!s.format) {
		f->left = arena_strdup(w->a, err_text());
		err_clear();
		return;
	}
	if (sha256_file(&s.digest, &s.size, path) < 0) {
		f->left = arena_strdup(w->a, err_text());
		err_clear();
		return;
	}
	f->format = s.format->title;
	f->size = s.size;
	ARRAY_GROW(w->sources, w->n, w->cap_sources);
	w->sources[w->n++] = s;
	w->out->taken++;
}

static void walk(struct work *w, const char *dir, const char *prefix, int depth)
{
	char **names;
	size_t n;

	if (depth > DEPTH_MAX || fs_list(&names, &n, w->a, dir) < 0) {
		list_file(w, prefix)->left = depth > DEPTH_MAX ? "nested too deep" : arena_strdup(w->a, err_text());
		err_clear();
		return;
	}
	for (size_t i = 0; i < n && w->out->n < FILES_MAX; i++) {
		char *path = fs_join(w->a, dir, names[i]);
		char *name = *prefix ? arena_printf(w->a, "%s/%s", prefix, names[i]) : names[i];
		struct stat st;

		if (names[i][0] == '.' || lstat(path, &st) < 0)
			continue;
		if (S_ISDIR(st.st_mode))
			walk(w, path, name, depth + 1);
		else if (S_ISREG(st.st_mode) && fs_is_inside(name))
			take(w, path, name);
		else
			list_file(w, name)->left = S_ISLNK(st.st_mode) ? "a link; name its file" : "no plain file";
	}
}

static int gather(struct work *w, const char *const *paths)
{
	for (; *paths; paths++) {
		if (!fs_exists(*paths))
			return err_set(ERR_NOT_FOUND, "%s does not exist", *paths);
		if (fs_is_dir(*paths))
			walk(w, *paths, "", 0);
		else
			take(w, arena_strdup(w->a, *paths), arena_strdup(w->a, fs_basename(*paths)));
	}
	return 0;
}

/* ---- the run ------------------------------------------------------------------- */

/* The same files for the same subject give the same id, so that an import that
 * is repeated finds its run. */
static void run_id_of(char out[RUN_ID_SIZE], const struct work *w, const struct import_request *r)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz234567";
	const char *parts[] = { "import", r->subject, r->target ? r->target : "", r->seed ? r->seed : "" };
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
		bool is_log = s->format->rank == RANK_TEXT && !w->has_log;
		char *to = is_log ? fs_join(w->a, rundir, "log") :
			fs_join(w->a, fs_join(w->a, rundir, "artifacts"), s->name);

		w->has_log = w->has_log || is_log;
		if ((rc = fs_mkdirs(fs_dirname(w->a, to), 0700)) == 0 && !fs_exists(to))
			rc = fs_copy(s->path, to, 0600);
		if (rc == 0)
			rc = run_evidence_add(w->ws, to, s->name, is_log ? "log" : "curve", run, w->a);
	}
	if (rc == 0)
		rc = fs_write_durable(fs_join(w->a, rundir, "kept"), "", 0, 0600);
	return rc;
}

static int record(struct work *w, const struct import_request *r, const char *run, const char *subject)
{
	struct accepted accepted;
	struct run_facts_of_start facts = { .subject = subject, .kind = r->kind ? r->kind : RUN_KIND_FULL,
		.provenance = PROVENANCE_IMPORTED, .by = workspace_actor(w->ws)->text,
		.target_name = r->target ? r->target : "elsewhere" };
	const char *lost = word_name(&words_run_state, RUN_LOST);
	struct run_spec spec = RUN_SPEC_INIT;
	int rc = accepted_read(&accepted, w->ws, NULL);

	if (rc < 0)
		return rc;
	facts.target = r->target ? config_target_find(&accepted.in_force, r->target) : NULL;
	snprintf(spec.run_id, sizeof spec.run_id, "%s", run);
	spec.target_kind = "cpu";
	spec.revision = r->commit ? r->commit : "";
	if (r->seed) {
		spec.has_seed = true;
		spec.seed = strtoll(r->seed, NULL, 10);
	}
	if (facts.target)
		spec.chips = (int)facts.target->chips;
	rc = run_record_prepared(w->ws, &spec, &facts, w->a);
	accepted_release(&accepted);
	if (rc == 0)
		rc = run_record_once(w->ws, run, "run.ended", lost, event_data(w->a, "state", lost, "source", "person",
			"why", "imported: nobody here saw how it ended", NULL), w->a);
	return rc < 0 ? rc : 0;
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
	run_id_of(run, w, r);
	w->out->run = arena_strdup(w->a, run);
	if ((rc = state_get(w->ws, "run", run, NULL, w->a, &state)) < 0)
		return rc;
	w->out->already = rc > 0;
	if (rc == 0 && (rc = record(w, r, run, subject)) < 0)
		return rc;
	return keep_files(w, run);
}

int import_files(struct imported *out, struct workspace *ws, const struct import_request *r, struct arena *a)
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
