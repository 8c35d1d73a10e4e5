/* import - the run that imported files become; see import.h. */
#include "config.h"

#include "workspace/import.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/text.h"
#include "domain/configuration.h"
#include "launch/run_id.h"
#include "workspace/accepted.h"
#include "workspace/changes.h"
#include "workspace/goal_checks.h"
#include "workspace/import_private.h"
#include "workspace/run_checks.h"
#include "workspace/run_facts.h"
#include "workspace/run_record.h"
#include "workspace/state.h"

/* The same files for the same subject, however it is named, give the same id, so
 * that an import that is repeated finds its run. */
static void run_id_of(char out[RUN_ID_SIZE], const struct import_work *w,
	const struct import_request *r, const char *subject)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz234567";
	const char *parts[] = { "import", subject, r->target ? r->target : "",
		r->seed ? r->seed : "" };
	struct sha256 *h = sha256_new();
	struct digest d;

	for (size_t i = 0; i < ARRAY_LEN(parts); i++)
		sha256_update(h, parts[i], strlen(parts[i]) + 1);
	for (size_t i = 0; i < w->n; i++) {
		sha256_update(h, w->sources[i].name, strlen(w->sources[i].name) + 1);
		sha256_update(h, w->sources[i].digest.bytes, sizeof w->sources[i].digest.bytes);
	}
	if (w->chosen)
		sha256_update(h, w->chosen, strlen(w->chosen) + 1);
	d = sha256_final(h);
	snprintf(out, RUN_ID_SIZE, "ps-");
	for (size_t i = 3; i < RUN_ID_SIZE - 1; i++)
		out[i] = letters[d.bytes[i] % 32];
	out[RUN_ID_SIZE - 1] = '\0';
}

static int record(
	struct import_work *w, const struct import_request *r, const char *run, const char *subject)
{
	struct accepted accepted;
	struct run_facts_of_start facts = { .subject = subject,
		.kind = r->kind,
		.label = r->label,
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
static int record_end(struct import_work *w, const char *run)
{
	const char *lost = word_name(&words_run_state, RUN_LOST);

	return run_record_once(w->ws, run, "run.ended", lost,
		event_data(w->a, "state", lost, "source", "person", "why",
			"imported: nobody here saw how it ended", NULL),
		w->a);
}

/* Predictions for a run that is there; nothing is recorded when there are none. */
static int add_to_run(struct import_work *w, const struct run_state *run)
{
	int rc = import_add_to(w, run->id);

	if (rc < 0 || !w->out->taken)
		return rc;
	w->out->run = run->id;
	w->out->added = true;
	return 0;
}

static int attach(struct import_work *w, const struct import_request *r)
{
	char run[RUN_ID_SIZE];
	const char *subject = "reference";
	struct run_state *there;
	void *state;
	int rc = 0;

	if (text_starts(r->subject, "ps-")) {
		rc = state_run(w->ws, r->subject, NULL, w->a, &there);
		return rc < 0 ? rc : add_to_run(w, there);
	}
	if (strcmp(r->subject, "reference") != 0) {
		struct attempt_state *s;

		if ((rc = state_attempt(w->ws, r->subject, NULL, w->a, &s)) < 0)
			return rc;
		subject = s->id;
	}
	import_choose_names(w);
	run_id_of(run, w, r, subject);
	w->out->run = arena_strdup(w->a, run);
	if ((rc = state_get(w->ws, "run", run, NULL, w->a, &state)) < 0)
		return rc;
	w->out->already = rc > 0;
	/* The files first: a run whose files found no room would be compared by a part. */
	if ((rc = import_copy(w, run)) < 0)
		return rc;
	if ((!w->out->already && (rc = record(w, r, run, subject)) < 0) ||
		(rc = record_end(w, run)) < 0 || (rc = import_keep(w, run)) < 0)
		return err_prefix(
			"run %s is recorded in part; import the same files again to finish it: ",
			run);
	return import_read_back(w, run);
}

/* ---- what was said ---- */

/* One spelling of one number, since the id of the run is made of it. */
static int read_seed(const char **seed, struct arena *a)
{
	const char *text = *seed + strspn(*seed, " \t");
	size_t n = strlen(text);
	int64_t number;

	while (n && (text[n - 1] == ' ' || text[n - 1] == '\t'))
		n--;
	if (!text_to_i64(text, n, &number))
		return err_set(ERR_USAGE, "the seed \"%s\" is no whole number",
			text_sanitised(a, *seed));
	*seed = arena_printf(a, "%" PRId64, number);
	return 0;
}

/* Without a repository nobody can look it up, and it stays as it was written. */
static int read_commit(const char **commit, struct workspace *ws, struct arena *a)
{
	struct repository *repo;
	char id[OID_HEX + 1];
	int rc;

	if (workspace_repository(ws, &repo) < 0) {
		err_clear();
		return 0;
	}
	if ((rc = changes_resolve(id, ws, *commit, a)) < 0) {
		const char *why = arena_strdup(a, err_text());

		return err_set(rc,
			"--commit: %s; fetch the commit first, or leave --commit away: the run's "
			"commit is then unknown",
			why);
	}
	*commit = arena_strdup(a, id);
	return 0;
}

static bool has_pattern(const struct config *c, const struct config_pattern *wanted)
{
	for (size_t i = 0; i < c->patterns_n; i++)
		if (strcmp(c->patterns[i].name, wanted->name) == 0 &&
			strcmp(c->patterns[i].match, wanted->match) == 0)
			return true;
	return false;
}

/* A new or changed pattern of the file, which is not used yet; a file with errors has none. */
static const char *waiting_pattern(struct workspace *ws, struct arena *a)
{
	struct accepted accepted;
	const char *found = NULL;

	if (accepted_read(&accepted, ws, NULL) < 0) {
		err_clear();
		return NULL;
	}
	for (size_t i = 0; i < accepted.file.patterns_n && accepted.has_file && !found; i++) {
		const struct config_pattern *p = &accepted.file.patterns[i];

		if (!has_pattern(&accepted.in_force, p))
			found = arena_strdup(a, p->name);
	}
	accepted_release(&accepted);
	return found;
}

static int take(struct import_work *w)
{
	struct import_request said = *w->request;
	int rc = 0;

	if (said.seed)
		rc = read_seed(&said.seed, w->a);
	if (rc == 0 && said.commit)
		rc = read_commit(&said.commit, w->ws, w->a);
	if (rc == 0)
		rc = import_gather(w);
	if (rc < 0)
		return rc;
	w->out->waiting_pattern = waiting_pattern(w->ws, w->a);
	return w->n ? attach(w, &said) : 0;
}

/* The run is on record by now: what cannot be checked of it takes nothing of that back. */
static int check(struct import_work *w)
{
	int rc = run_checks_finish(w->ws, w->out->run, w->a);

	if (rc == 0)
		rc = goal_checks_finish(w->ws, w->out->run, w->request->cancel, w->a);
	if (rc == 0 || rc == ERR_CANCELLED)
		return rc;
	w->out->unchecked = arena_strdup(w->a, err_text());
	err_clear();
	return 0;
}

int import_files(
	struct imported *out, struct workspace *ws, const struct import_request *r, struct arena *a)
{
	struct import_work w = { .ws = ws, .a = a, .out = out, .request = r,
		.runs = STORE_RUNS_INIT };
	struct imported_file *files;
	int rc;

	memset(out, 0, sizeof *out);
	rc = take(&w);
	if (rc == 0 && out->run)
		rc = check(&w);
	files = out->files;
	out->files = arena_memdup(a, files, out->n * sizeof *files);
	free(files);
	import_work_release(&w);
	return rc;
}
