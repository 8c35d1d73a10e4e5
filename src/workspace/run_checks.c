/* run_checks - see run_checks.h. */
#include "config.h"

#include "workspace/run_checks.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/err.h"
#include "base/fs.h"
#include "base/text.h"
#include "launch/run_directory.h"
#include "workspace/accepted.h"
#include "workspace/comparison.h"
#include "workspace/state.h"

enum { PROCESSES_MAX = 4096 };

/* ---- records ---- */

/* The files of the record of RUN, in A; 0: there is none on this machine. */
static size_t record_files(
	const char ***out, struct workspace *ws, const struct run_state *run, struct arena *a)
{
	const char *rundir = fs_join(a, workspace_path(ws, a, "runs"), run->id);
	const char *folder = run_directory_path(a, rundir, RUN_FILE_PROBE);
	const char **paths;
	char **names;
	size_t n, kept = 0;

	if (!fs_is_dir(folder) || fs_list(&names, &n, a, folder) < 0) {
		err_clear();
		return 0;
	}
	paths = arena_alloc(a, (n + 1) * sizeof *paths);
	for (size_t i = 0; i < n && kept < PROCESSES_MAX; i++) {
		const char *path = fs_join(a, folder, names[i]);
		struct stat st;

		if (text_starts(names[i], "probe-") && text_ends(names[i], ".jsonl") &&
			lstat(path, &st) == 0 && S_ISREG(st.st_mode))
			paths[kept++] = path;
	}
	*out = paths;
	return kept;
}

/* NULL in *OUT where the run has no record. */
static int read_record(struct probe_record **out, struct workspace *ws, const struct run_state *run,
	struct arena *a)
{
	const char **paths;
	size_t n = run ? record_files(&paths, ws, run, a) : 0;

	*out = NULL;
	return n ? probe_record_read(out, paths, n) : 0;
}

/* Those of RUNS that have a record, in front; how many. */
static size_t with_records(
	struct run_state **runs, size_t n, struct workspace *ws, struct arena *a)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++) {
		const char **paths;

		if (record_files(&paths, ws, runs[i], a))
			runs[kept++] = runs[i];
	}
	return kept;
}

/* ---- which runs ---- */

static int find_run(struct run_checks *out, struct workspace *ws, const char *subject,
	const char *configuration, const char *intended, const struct position *at, struct arena *a)
{
	struct run_state **runs, *run;
	struct attempt_state *s;
	size_t n, recorded;
	int rc;

	if (text_starts(subject, "ps-")) {
		rc = state_run(ws, subject, at, a, &run);
		out->run = rc == 0 ? run : NULL;
		return rc;
	}
	if ((rc = state_attempt(ws, subject, at, a, &s)) < 0 ||
		(rc = state_runs(&runs, &n, ws, s->id, at, a)) < 0)
		return rc;
	out->run = run_comparison_best(runs, n, RUN_KIND_NONE, configuration, intended);
	recorded = with_records(runs, n, ws, a);
	if (recorded)
		out->run = run_comparison_best(
			runs, recorded, RUN_KIND_NONE, configuration, intended);
	return 0;
}

static int find_reference(struct run_checks *out, struct workspace *ws, const char *target,
	const struct position *at, struct arena *a)
{
	struct run_state **runs;
	size_t n;
	int rc = state_runs(&runs, &n, ws, "reference", at, a);

	if (rc < 0)
		return rc;
	n = with_records(runs, n, ws, a);
	out->reference = run_comparison_partner(runs, n, out->run, target);
	return 0;
}

/* ---- asking ---- */

static struct probe_intent intent_of(
	struct run_checks *out, const struct config *c, const struct run_state *run)
{
	const struct config_target *target = config_target_find(c, run->target);
	enum target_kind kind;

	out->target_known = target != NULL;
	if (!target)
		return (struct probe_intent){ "", 0 };
	out->simulated = target->simulates != TARGET_NONE;
	kind = out->simulated ? target->simulates : target->kind;
	return (struct probe_intent){ word_name(&words_target_kind, (int)kind), target->chips };
}

/* A stand-in can refute and never confirm. */
static void hold_back(struct run_checks *out, struct arena *a)
{
	for (size_t i = 0; out->simulated && i < PROBE_QUESTIONS; i++) {
		struct probe_answer *answer = &out->answers[i];

		if (answer->result != CHECK_CONFIRMED)
			continue;
		answer->result = CHECK_UNKNOWN;
		answer->why = arena_printf(a, "%s; but the target only simulates", answer->why);
	}
}

static int ask(
	struct run_checks *out, struct workspace *ws, const struct config *c, struct arena *a)
{
	struct probe_intent intent = intent_of(out, c, out->run);
	struct probe_record *own = NULL, *reference = NULL;
	int rc = read_record(&own, ws, out->run, a);

	if (rc == 0 && own)
		rc = read_record(&reference, ws, out->reference, a);
	if (rc == 0 && own) {
		out->recorded = true;
		out->damaged = own->cut + own->malformed + own->newer;
		probe_check(out->answers, own, reference, &intent, a);
		hold_back(out, a);
	}
	probe_record_free(own);
	probe_record_free(reference);
	return rc;
}

int run_checks_read(struct run_checks *out, struct workspace *ws, const char *subject,
	const char *configuration, const struct position *at, struct arena *a)
{
	struct accepted accepted;
	const struct config_migration *m;
	int rc = accepted_read(&accepted, ws, at);

	memset(out, 0, sizeof *out);
	if (rc < 0)
		return rc;
	m = &accepted.in_force.migration;
	rc = find_run(out, ws, subject, configuration, m->intended ? m->intended : "", at, a);
	if (rc == 0 && out->run)
		rc = find_reference(out, ws, m->reference ? m->reference : "", at, a);
	if (rc == 0 && out->run)
		rc = ask(out, ws, &accepted.in_force, a);
	accepted_release(&accepted);
	return rc;
}
