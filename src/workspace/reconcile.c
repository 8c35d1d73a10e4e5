/* reconcile - see reconcile.h. */
#include "config.h"

#include "workspace/reconcile.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/fs.h"
#include "base/json_build.h"
#include "domain/object.h"
#include "launch/end_marker.h"
#include "launch/launcher.h"
#include "launch/process.h"
#include "launch/run_directory.h"
#include "workspace/error_text.h"
#include "workspace/run_begin.h"
#include "workspace/run_checkout.h"
#include "workspace/run_hold.h"
#include "workspace/run_record.h"
#include "workspace/run_results.h"
#include "workspace/state.h"
#include "workspace/stop_rules.h"

/* The launcher's answer in the words of the log. */
static enum run_status status_of(enum run_phase phase)
{
	static const enum run_status statuses[] = {
		[PHASE_PREPARED] = RUN_PREPARED,
		[PHASE_LAUNCHING] = RUN_LAUNCHING,
		[PHASE_QUEUED] = RUN_QUEUED,
		[PHASE_RUNNING] = RUN_RUNNING,
		[PHASE_EXITED_0] = RUN_EXITED_0,
		[PHASE_FAILED] = RUN_FAILED,
		[PHASE_CANCELLED] = RUN_CANCELLED,
		[PHASE_TIMEOUT] = RUN_TIMEOUT,
		[PHASE_BUDGET] = RUN_BUDGET,
		[PHASE_LOGCAP] = RUN_LOGCAP,
		[PHASE_PREEMPTED] = RUN_PREEMPTED,
		[PHASE_NODE_FAIL] = RUN_NODE_FAIL,
		[PHASE_LAUNCH_FAILED] = RUN_LAUNCH_FAILED,
		[PHASE_LOST] = RUN_LOST,
	};

	return (size_t)phase < ARRAY_LEN(statuses) ? statuses[phase] : RUN_NONE;
}

static const char *seen_word(enum end_fact f)
{
	return word_name(&words_seen,
		f == END_YES          ? SEEN_YES
			: f == END_NO ? SEEN_NO
				      : SEEN_UNKNOWN);
}

/* ---- an end ------------------------------------------------------------------ */

/* A run that was seen to have ended. */
struct ended {
	struct workspace *ws;
	const char *run, *rundir;
	const struct run_spec *spec;
	const struct run_observation *o;
	enum run_status status;
	struct arena *a;
};

static void add(struct arena *a, struct json *object, const char *key, const char *text)
{
	if (text)
		json_append(object, json_new_text(a, key, text));
}

/* What it was meant for; a target that only simulates stands for another. */
static enum target_kind target_of(struct workspace *ws, const char *run, struct arena *a)
{
	const struct run_state *s;
	void *state;

	if (state_get(ws, "run", run, NULL, a, &state) <= 0) {
		err_clear();
		return TARGET_NONE;
	}
	s = state;
	return s->simulates ? s->simulates : s->target_kind;
}

static void add_error_text(struct ended *e, struct json *object, const char *log)
{
	struct error_text_question q = { .log_path = log,
		.target = target_of(e->ws, e->run, e->a),
		.exit_known = e->o->rc != RUN_RC_UNKNOWN && !run_status_cut(e->status),
		.exit_status = e->o->rc != RUN_RC_UNKNOWN ? e->o->rc : 0 };
	int64_t line;
	enum seen seen = error_text_find(&line, e->ws, &q, e->a);

	if (seen == SEEN_UNKNOWN)
		err_clear();	/* the word says so */
	add(e->a, object, "error_text", word_name(&words_seen, (int)seen));
	if (line)
		add(e->a, object, "error_line", arena_printf(e->a, "%lld", (long long)line));
}

static struct json *markers_of(struct ended *e)
{
	const struct run_spec *spec = e->spec;
	struct arena *a = e->a;
	struct end_marker marker = { .done = spec->done,
		.steps = spec->steps,
		.artifact = spec->artifact,
		.cwd = spec->cwd };
	char *log = run_directory_path(a, e->rundir, RUN_FILE_LOG);
	struct json *object = json_new_object(a, "markers");
	struct end_marker_facts facts;

	if (end_marker_scan(&facts, &marker, log) < 0)
		err_clear();	/* the facts say unknown then */
	if (*spec->done)
		add(a, object, "done", seen_word(facts.done));
	if (spec->steps)
		add(a, object, "steps", seen_word(facts.steps));
	if (*spec->artifact)
		add(a, object, "artifact", seen_word(facts.artifact));
	add_error_text(e, object, log);
	if (facts.has_step)
		add(a, object, "steps_done", arena_printf(a, "%lld", (long long)facts.max_step));
	return object;
}

static void add_time(struct arena *a, struct json *data, const char *key, int64_t ns)
{
	if (ns > 0)
		add(a, data, key, arena_printf(a, "%lld", (long long)ns));
}

/* When it ended is what its supervisor saw, never the moment of this look. */
static void add_times(struct arena *a, struct json *data, const char *rundir)
{
	struct status s;

	if (status_read(&s, rundir, NULL) != STATUS_READ_OK || s.state != STATUS_DONE)
		return;
	add_time(a, data, "elapsed_ns", s.elapsed_ns);
	add_time(a, data, "started_ns", s.why == WHY_EXECFAIL ? 0 : s.start_ns);
	add_time(a, data, "ended_ns", s.end_ns);
}

static const struct json *end_data(struct ended *e)
{
	const struct run_observation *o = e->o;
	struct arena *a = e->a;
	struct json *data = json_new_object(a, NULL);
	char hex[DIGEST_HEX + 1];
	struct digest digest;
	int64_t size;

	add(a, data, "state", word_name(&words_run_state, (int)e->status));
	if (o->rc != RUN_RC_UNKNOWN)
		add(a, data, "rc", arena_printf(a, "%d", o->rc));
	if (o->signal)
		add(a, data, "signal", arena_printf(a, "%d", o->signal));
	add(a, data, "why", *o->reason ? arena_strdup(a, o->reason) : NULL);
	add(a, data, "source", run_source_word(o->source));
	add_times(a, data, e->rundir);
	if (sha256_file(&digest, &size, run_directory_path(a, e->rundir, RUN_FILE_LOG)) == 0) {
		digest_hex(hex, &digest);
		add(a, data, "log", arena_strdup(a, hex));
	} else {
		err_clear();
	}
	json_append(data, markers_of(e));
	return data;
}

/* ---- one run ------------------------------------------------------------------ */

static int poll_run(struct run_observation *out, const struct run_spec *spec, const char *rundir)
{
	const struct launcher *l;
	struct launcher_job job = { .spec = spec, .rundir = rundir };
	int rc = launcher_find(&l, spec->launcher);

	return rc < 0 ? rc : launcher_poll(l, &job, out);
}

/* Nobody starts a run for this long: only then is a starter taken for dead. */
#define STARTER_LIMIT_NS (10 * NS_PER_S)

static int look_at_unstarted(struct workspace *ws, const char *run, const char *rundir,
	const struct run_spec *spec, struct reconciled *out, struct arena *a)
{
	int rc = 0;

	if (clock_wall_ns() - spec->prepared_ns > STARTER_LIMIT_NS)
		rc = run_give_up(ws, run, rundir, a);
	if (rc > 0) {
		out->ended++;
		return run_results_keep(ws, run, spec, a);
	}
	out->live++;
	return rc;
}

static int record_answer(struct workspace *ws, const char *run, const char *rundir,
	const struct run_spec *spec, const struct run_observation *o, struct reconciled *out,
	struct arena *a)
{
	enum run_status status = status_of(o->phase);
	struct ended ended = { ws, run, rundir, spec, o, status, a };
	int rc;

	/* The instant in which a supervisor starts is no event of its own. */
	if (o->answer == RUN_UNREACHABLE || status == RUN_NONE ||
	    (status == RUN_LAUNCHING && o->source == RUN_SOURCE_STATUS)) {
		out->live++;
		return 0;
	}
	if (status == RUN_PREPARED)
		return look_at_unstarted(ws, run, rundir, spec, out, a);
	if (o->marks & RUN_MARK_ORPHAN)
		out->orphans++;
	if (!run_status_ended(status)) {
		out->live++;
		rc = run_record_once(ws, run, "run.started",
			word_name(&words_run_state, (int)status),
			event_data(a, "state", word_name(&words_run_state, (int)status), "source",
				run_source_word(o->source), NULL),
			a);
		out->started += rc == 0;
		return rc < 0 ? rc : 0;
	}
	rc = run_record_once(ws, run, "run.ended", word_name(&words_run_state, (int)status),
		end_data(&ended), a);
	if (rc < 0)
		return rc;
	out->ended += rc == 0;
	return run_results_keep(ws, run, spec, a);
}

/* Whose run is it?  The replica that recorded it prepared is the one that has,
 * or had, its directory. */
static int is_own(bool *own, struct workspace *ws, const char *run, struct arena *a)
{
	struct event_query q = { .kind = "run.prepared", .object = run, .limit = 1 };
	struct event **events;
	size_t n;
	int rc = log_events(workspace_log(ws), &q, a, &events, &n);

	*own = rc == 0 && n && strcmp(events[0]->replica, log_replica(workspace_log(ws))) == 0;
	return rc;
}

/* A directory that was deleted under a run of ours.  The run may go on without
 * it; then that is said, and nothing is concluded. */
static int look_at_missing(
	struct workspace *ws, const char *run, struct reconciled *out, struct arena *a)
{
	struct process_list members = PROCESS_LIST_INIT;
	const char *lost = word_name(&words_run_state, RUN_LOST);
	bool own;
	int rc = is_own(&own, ws, run, a);

	if (rc < 0 || !own)
		return rc;
	process_members(&members, run);
	if (members.n) {
		out->live++;
		rc = err_set(ERR_STATE,
			"its directory was deleted, and it goes on without a record (process %ld)",
			(long)members.items[0].pid);
	} else {
		rc = run_record_once(ws, run, "run.ended", lost,
			event_data(a, "state", lost, "source", "status", "why",
				"its run directory was deleted; how it ended is not known", NULL),
			a);
		out->ended += rc == 0;
	}
	process_list_release(&members);
	return rc < 0 ? rc : 0;
}

static int look_at_directory(
	struct workspace *ws, const char *run, struct reconciled *out, struct arena *a)
{
	char *rundir = fs_join(a, workspace_path(ws, a, "runs"), run);
	struct run_observation o = RUN_OBSERVATION_INIT;
	struct run_spec spec = RUN_SPEC_INIT;
	int rc;

	if (!fs_is_dir(rundir))
		return look_at_missing(ws, run, out, a);
	if ((rc = run_directory_read_spec(&spec, a, rundir)) < 0)
		return rc;
	if ((rc = poll_run(&o, &spec, rundir)) < 0)
		return rc;
	return record_answer(ws, run, rundir, &spec, &o, out, a);
}

/* A run whose end was recorded just now is judged by the stop rules: a later
 * look would see only the run that ended last. */
static int look_at(struct workspace *ws, const char *run, struct reconciled *out, struct arena *a)
{
	size_t before = out->ended, raised;
	int rc = look_at_directory(ws, run, out, a);

	if (rc == 0 && out->ended != before)
		rc = stop_rules_judge_run(&raised, ws, run, NULL, a);
	return rc;
}

int reconcile_run(bool *ended, struct workspace *ws, const char *run, struct arena *a)
{
	struct reconciled out = { .note = "" };
	int rc = look_at(ws, run, &out, a);

	*ended = out.live == 0;
	return rc;
}

/* ---- all ----------------------------------------------------------------------- */

/* Its maker died before it had written what to run: nothing can have run. */
static bool is_rest(const char *rundir, struct arena *a)
{
	struct stat st;

	if (fs_exists(run_directory_path(a, rundir, RUN_FILE_SPEC)) ||
	    fs_exists(run_directory_path(a, rundir, RUN_FILE_STATUS)) || stat(rundir, &st) < 0)
		return false;
	return clock_wall_ns() - (int64_t)st.st_mtim.tv_sec * NS_PER_S > STARTER_LIMIT_NS;
}

/* A directory without its event: of a process that died in between, or of one
 * that is just at it. */
static int record_found(bool *known, struct workspace *ws, const char *run, struct arena *a)
{
	char *rundir = fs_join(a, workspace_path(ws, a, "runs"), run);
	struct run_spec spec = RUN_SPEC_INIT;
	int hold = run_hold_directory(rundir, RUN_HOLD_TRY), rc;

	*known = false;
	if (hold == ERR_BUSY) {
		err_clear();
		return 0;
	}
	if (hold < 0)
		return hold;
	if (is_rest(rundir, a)) {
		rc = fs_remove_tree(rundir);
		run_hold_release(hold);
		return rc;
	}
	rc = run_directory_read_spec(&spec, a, rundir);
	if (rc == 0 && (fs_exists(run_directory_path(a, rundir, RUN_FILE_STATUS)) ||
			clock_wall_ns() - spec.prepared_ns > STARTER_LIMIT_NS)) {
		rc = run_record_found(ws, rundir, &spec, a);
		*known = rc == 0;
	}
	run_hold_release(hold);
	return rc;
}

static bool is_cancelled(const atomic_bool *cancel)
{
	return cancel && atomic_load(cancel);
}

static int visit(struct workspace *ws, const char *run, struct reconciled *out, struct arena *a)
{
	bool known = true;
	void *state;
	int rc = state_get(ws, "run", run, NULL, a, &state);

	if (rc > 0 && run_status_ended(((struct run_state *)state)->state))
		return run_results_finish(ws, run, a);
	if (rc == 0)
		rc = record_found(&known, ws, run, a);
	if (rc >= 0 && !known)
		out->live++;
	return rc < 0 || !known ? rc : look_at(ws, run, out, a);
}

/* One bad run must not hide the others. */
static void visit_noting(
	struct workspace *ws, const char *run, struct reconciled *out, struct arena *a)
{
	struct arena one = ARENA_INIT;

	if (visit(ws, run, out, &one) < 0) {
		out->note = arena_printf(a, "run %s: %s", run, err_text());
		err_clear();
	}
	arena_release(&one);
}

/* Runs that the log knows as alive and that have no directory here. */
static int visit_missing(struct workspace *ws, struct reconciled *out, struct arena *a)
{
	struct state_query q = { .type = "run" };
	const char *runs = workspace_path(ws, a, "runs");
	struct arena all = ARENA_INIT;
	void **rows;
	size_t n;
	int rc = state_list(ws, &q, &all, &rows, &n);

	for (size_t i = 0; rc == 0 && i < n; i++) {
		const struct run_state *r = rows[i];

		if (!run_status_ended(r->state) && r->provenance == PROVENANCE_OBSERVED &&
			!fs_is_dir(fs_join(&all, runs, r->id)))
			visit_noting(ws, r->id, out, a);
	}
	arena_release(&all);
	return rc;
}

int reconcile(
	struct reconciled *out, struct workspace *ws, const atomic_bool *cancel, struct arena *a)
{
	char **names;
	size_t n;
	int rc;

	memset(out, 0, sizeof *out);
	out->note = "";
	if (workspace_read_only(ws))
		return 0;
	if ((rc = run_directory_list(&names, &n, a, workspace_path(ws, a, "runs"))) < 0)
		return rc;
	for (size_t i = 0; i < n; i++) {
		if (is_cancelled(cancel))
			return err_set(ERR_CANCELLED, "cancelled");
		visit_noting(ws, names[i], out, a);
	}
	if ((rc = visit_missing(ws, out, a)) < 0)
		return rc;
	return run_checkout_sweep(&out->swept, ws, a);
}
