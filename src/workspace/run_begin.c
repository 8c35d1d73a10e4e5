/* run_begin - see run_begin.h. */
#include "config.h"

#include "workspace/run_begin.h"

#include <errno.h>
#include <string.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/fs.h"
#include "base/text.h"
#include "launch/run_directory.h"
#include "launch/verdict.h"
#include "workspace/reconcile.h"
#include "workspace/run_hold.h"
#include "workspace/run_results.h"

enum { EXIT_NOT_EXECUTABLE = 126, EXIT_NOT_FOUND = 127 };

static const char never_started[] = "it was prepared and never started: its starter has ended";

int run_begin(struct run_begin *out, struct workspace *ws, struct launch *l)
{
	struct arena a = ARENA_INIT;
	const char *rundir = launch_rundir(l);
	int hold = run_hold_directory(rundir, RUN_HOLD_WAIT), rc = 0;

	*out = (struct run_begin){ .ws = ws, .launch = l, .hold = hold };
	if (hold < 0)
		return hold;
	/* This process slept for so long that another one took it for dead. */
	if (fs_exists(run_directory_path(&a, rundir, RUN_FILE_CANCEL))) {
		rc = err_set(ERR_STATE, "run %s was given up before it was started; start it again",
			launch_run_id(l));
		run_begin_end(out);
	}
	arena_release(&a);
	return rc;
}

void run_begin_end(struct run_begin *b)
{
	run_hold_release(b->hold);
	b->hold = -1;
}

int run_begin_record(struct run_begin *b, const struct run_facts_of_start *facts, struct arena *a)
{
	const struct run_spec *spec = launch_spec(b->launch);
	int rc = run_record_write(launch_rundir(b->launch), spec, facts, a);

	return rc < 0 ? rc : run_record_prepared(b->ws, spec, facts, a);
}

/* Nobody may start it any more; the first request stands. */
static int bar(const char *rundir, const char *why)
{
	struct cancel_request c = {
		.time_ns = clock_wall_ns(), .grace_ns = -1, .who = "tool:portside", .why = why
	};
	int rc = run_directory_write_cancel(rundir, &c);

	return rc == ERR_EXISTS ? 0 : rc;
}

static int exit_code_of(const struct run_verdict *v)
{
	if (v->kind != RUN_VERDICT_FINAL || v->status.why != WHY_EXECFAIL)
		return 0;
	return v->status.xerr == ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_EXECUTABLE;
}

/* The launcher says that it failed; the run directory has the last word. */
static int start_failed(
	struct run_started *out, struct run_begin *b, enum err code, struct arena *a)
{
	const char *said = err_text(), *own = arena_printf(a, "run %s: ", out->run);
	const char *sentence = arena_strdup(a, text_starts(said, own) ? said + strlen(own) : said);
	struct run_verdict v;
	int rc;

	verdict_read(&v, out->rundir);
	if (v.kind != RUN_VERDICT_NONE && !verdict_is_over(&v))
		return run_record_started(b->ws, out->run, a);
	out->exit_code = exit_code_of(&v);
	rc = v.kind == RUN_VERDICT_FINAL ? 0 : bar(out->rundir, sentence);
	if (rc == 0)
		rc = run_record_failed_start(b->ws, out->run, sentence, a);
	run_begin_end(b);	/* keeping the results takes the hold itself */
	if (rc == 0)
		rc = run_results_finish(b->ws, out->run, a);
	if (rc < 0)
		return err_prefix(
			"run %s could not be started (%s), and that could not be recorded: ",
			out->run, sentence);
	return err_set(code, "run %s: %s", out->run, sentence);
}

int run_begin_start(
	struct run_started *out, struct run_begin *b, const char *program, struct arena *a)
{
	struct launch_result result;
	int rc;

	out->run = arena_strdup(a, launch_run_id(b->launch));
	out->rundir = arena_strdup(a, launch_rundir(b->launch));
	if ((rc = launch_start(b->launch, program, &result)) < 0)
		return start_failed(out, b, rc, a);
	out->already = result.result == LAUNCHER_ALREADY;
	return run_record_started(b->ws, out->run, a);
}

int run_give_up(struct workspace *ws, const char *run, const char *rundir, struct arena *a)
{
	struct run_verdict v;
	int hold = run_hold_directory(rundir, RUN_HOLD_TRY), rc = 0;

	if (hold == ERR_BUSY) {
		err_clear();
		return 0;
	}
	if (hold < 0)
		return hold;
	/* Again, now that nobody else can start it. */
	verdict_read(&v, rundir);
	if (v.kind == RUN_VERDICT_NONE) {
		rc = bar(rundir, never_started);
		if (rc == 0)
			rc = run_record_failed_start(ws, run, never_started, a);
		rc = rc < 0 ? rc : 1;
	}
	run_hold_release(hold);
	return rc;
}
