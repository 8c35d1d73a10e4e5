/* reconcile - see reconcile.h. */
#include "config.h"

#include "workspace/reconcile.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/fs.h"
#include "domain/object.h"
#include "launch/end_marker.h"
#include "launch/launcher.h"
#include "launch/run_directory.h"
#include "workspace/error_text.h"
#include "workspace/run_record.h"
#include "workspace/run_results.h"
#include "workspace/state.h"

/* The launcher's answer in the words of the log. */
static enum run_status status_of(enum run_phase phase)
{
	static const enum run_status statuses[] = {
		[PHASE_PREPARED] = RUN_PREPARED, [PHASE_LAUNCHING] = RUN_LAUNCHING, [PHASE_QUEUED] = RUN_QUEUED,
		[PHASE_RUNNING] = RUN_RUNNING, [PHASE_EXITED_0] = RUN_EXITED_0, [PHASE_FAILED] = RUN_FAILED,
		[PHASE_CANCELLED] = RUN_CANCELLED, [PHASE_TIMEOUT] = RUN_TIMEOUT, [PHASE_BUDGET] = RUN_BUDGET,
		[PHASE_LOGCAP] = RUN_LOGCAP, [PHASE_PREEMPTED] = RUN_PREEMPTED, [PHASE_NODE_FAIL] = RUN_NODE_FAIL,
		[PHASE_LAUNCH_FAILED] = RUN_LAUNCH_FAILED, [PHASE_LOST] = RUN_LOST,
	};

	return (size_t)phase < ARRAY_LEN(statuses) ? statuses[phase] : RUN_NONE;
}

static const char *seen_word(enum end_fact f)
{
	return word_name(&words_seen, f == END_YES ? SEEN_YES : f == END_NO ? SEEN_NO : SEEN_UNKNOWN);
}

/* ---- an end ------------------------------------------------------------------ */

static void add(struct arena *a, struct json *object, const char *key, const char *text)
{
	struct json **tail = &object->first, *child;

	if (!text)
		return;
	while (*tail)
		tail = &(*tail)->next;
	child = *tail = ARENA_NEW(a, struct json);
	child->type = JSON_STRING;
	child->key = key;
	child->key_n = strlen(key);
	child->text = text;
	child->text_n = strlen(text);
	object->count++;
}

static struct json *markers_of(struct arena *a, const char *rundir, const struct run_spec *spec)
{
	struct end_marker marker = { .done = spec->done, .steps = spec->steps, .artifact = spec->artifact, .cwd = spec->cwd };
	char *log = run_directory_path(a, rundir, RUN_FILE_LOG);
	struct json *object = ARENA_NEW(a, struct json);
	struct end_marker_facts facts;

	object->type = JSON_OBJECT;
	object->key = "markers";
	object->key_n = strlen(object->key);
	if (end_marker_scan(&facts, &marker, log) < 0)
		err_clear();	/* the facts say unknown then */
	if (*spec->done)
		add(a, object, "done", seen_word(facts.done));
	if (spec->steps)
		add(a, object, "steps", seen_word(facts.steps));
	if (*spec->artifact)
		add(a, object, "artifact", seen_word(facts.artifact));
	add(a, object, "error_text", word_name(&words_seen, (int)error_text_find(log, NULL)));
	if (facts.has_step)
		add(a, object, "steps_done", arena_printf(a, "%lld", (long long)facts.max_step));
	return object;
}

static const struct json *end_data(struct arena *a, const char *rundir, const struct run_spec *spec,
				   const struct run_observation *o, enum run_status status, int64_t elapsed_ns)
{
	struct json *data = ARENA_NEW(a, struct json), **tail;
	char hex[DIGEST_HEX + 1];
	struct digest digest;
	int64_t size;

	data->type = JSON_OBJECT;
	add(a, data, "state", word_name(&words_run_state, (int)status));
	if (o->rc != RUN_RC_UNKNOWN)
		add(a, data, "rc", arena_printf(a, "%d", o->rc));
	if (o->signal)
		add(a, data, "signal", arena_printf(a, "%d", o->signal));
	add(a, data, "why", *o->reason ? arena_strdup(a, o->reason) : NULL);
	add(a, data, "source", run_source_word(o->source));
	if (elapsed_ns > 0)
		add(a, data, "elapsed_ns", arena_printf(a, "%lld", (long long)elapsed_ns));
	if (sha256_file(&digest, &size, run_directory_path(a, rundir, RUN_FILE_LOG)) == 0) {
		digest_hex(hex, &digest);
		add(a, data, "log", arena_strdup(a, hex));
	} else {
		err_clear();
	}
	for (tail = &data->first; *tail; )
		tail = &(*tail)->next;
	*tail = markers_of(a, rundir, spec);
	data->count++;
	return data;
}

static int64_t elapsed_of(const char *rundir)
{
	struct status s;

	if (status_read(&s, rundir, NULL) != STATUS_READ_OK || s.state != STATUS_DONE)
		return 0;
	return s.elapsed_ns;
}

/* ---- one run ------------------------------------------------------------------ */

static int poll_run(struct run_observation *out, const struct run_spec *spec, const char *rundir)
{
	const struct launcher *l;
	struct launcher_job job = { .spec = spec, .rundir = rundir };
	int rc = launcher_find(&l, spec->launcher);

	return rc < 0 ? rc : launcher_poll(l, &job, out);
}

static int record_answer(struct workspace *ws, const char *run, const char *rundir, const struct run_spec *spec,
			 const struct run_observation *o, struct reconciled *out, struct arena *a)
{
	enum run_status status = status_of(o->phase);
	int rc;

	if (o->answer == RUN_UNREACHABLE || status == RUN_NONE || status == RUN_PREPARED) {
		out->live++;
		return 0;
	}
	if (o->marks & RUN_MARK_ORPHAN)
		out->orphans++;
	if (!run_status_ended(status)) {
		out->live++;
		rc = run_record_once(ws, run, "run.started", word_name(&words_run_state, (int)status), event_data(a,
			"state", word_name(&words_run_state, (int)status), "source", run_source_word(o->source), NULL), a);
		out->started += rc == 0;
		return rc < 0 ? rc : 0;
	}
	rc = run_record_once(ws, run, "run.ended", word_name(&words_run_state, (int)status),
		end_data(a, rundir, spec, o, status, elapsed_of(rundir)), a);
	if (rc < 0)
		return rc;
	out->ended += rc == 0;
	return run_results_keep(ws, run, spec, a);
}

static int look_at(struct workspace *ws, const char *run, struct reconciled *out, struct arena *a)
{
	char *rundir = fs_join(a, workspace_path(ws, a, "runs"), run);
	struct run_observation o = RUN_OBSERVATION_INIT;
	struct run_spec spec = RUN_SPEC_INIT;
	int rc;

	if (!fs_is_dir(rundir))
		return 0;	/* a run of another machine: its own portside reports it */
	if ((rc = run_directory_read_spec(&spec, a, rundir)) < 0)
		return rc;
	if ((rc = poll_run(&o, &spec, rundir)) < 0)
		return rc;
	return record_answer(ws, run, rundir, &spec, &o, out, a);
}

int reconcile_run(bool *ended, struct workspace *ws, const char *run, struct arena *a)
{
	struct reconciled out = { .note = "" };
	int rc = look_at(ws, run, &out, a);

	*ended = out.live == 0;
	return rc;
}

/* ---- all ----------------------------------------------------------------------- */

/* A directory without its event: written by a process that died in between. */
static int adopt_unknown(struct workspace *ws, const char *run, struct arena *a)
{
	char *rundir = fs_join(a, workspace_path(ws, a, "runs"), run);
	struct run_spec spec = RUN_SPEC_INIT;
	struct run_facts_of_start facts = { .provenance = PROVENANCE_OBSERVED, .by = "tool:portside" };
	int rc = run_directory_read_spec(&spec, a, rundir), kind;

	if (rc < 0)
		return rc;
	kind = word_find(&words_run_kind, spec.kind);
	facts.subject = *spec.subject ? spec.subject : "unassigned";
	facts.kind = kind > 0 ? (enum run_kind)kind : RUN_KIND_SMOKE;
	facts.target_name = spec.target;
	facts.command = sha256_bytes(spec.script ? spec.script : "", spec.script ? strlen(spec.script) : 0);
	return run_record_prepared(ws, &spec, &facts, a);
}

static bool is_cancelled(const atomic_bool *cancel)
{
	return cancel && atomic_load(cancel);
}

static int visit(struct workspace *ws, const char *run, struct reconciled *out, struct arena *a)
{
	void *state;
	int rc = state_get(ws, "run", run, NULL, a, &state);

	if (rc == 0)
		rc = adopt_unknown(ws, run, a);
	else if (rc > 0 && run_status_ended(((struct run_state *)state)->state))
		return run_results_finish(ws, run, a);
	return rc < 0 ? rc : look_at(ws, run, out, a);
}

int reconcile(struct reconciled *out, struct workspace *ws, const atomic_bool *cancel, struct arena *a)
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
		struct arena one = ARENA_INIT;

		if (is_cancelled(cancel))
			return err_set(ERR_CANCELLED, "cancelled");
		/* One bad directory must not hide the others. */
		if (visit(ws, names[i], out, &one) < 0) {
			out->note = arena_printf(a, "run %s: %s", names[i], err_text());
			err_clear();
		}
		arena_release(&one);
	}
	return 0;
}
