/*
 * run - starting, wrapping, adopting and cancelling runs, and the rows of all
 * operations about runs.  Lists are in run_list.c, logs in run_tail.c.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/fs.h"
#include "base/text.h"
#include "base/units.h"
#include "command/groups.h"
#include "command/run_call.h"
#include "command/run_doubts.h"
#include "command/screen_operation.h"
#include "launch/launch.h"
#include "workspace/reconcile.h"
#include "workspace/run_start.h"
#include "workspace/state.h"

/* ---- run ---------------------------------------------------------------------------- */

/* Absent: NONE, or what a configured run is without it. */
static enum run_kind kind_of(const struct call *c, enum run_kind otherwise)
{
	const char *text = call_text(c, "--kind");
	int kind = text ? word_find(&words_run_kind, text) : -1;

	return kind > 0 ? (enum run_kind)kind : otherwise;
}

/* A screen that asks for no label leaves it out. */
static enum run_label label_of(const struct call *c)
{
	const char *text = call_text(c, "--label");

	return text ? run_label_of(text) : RUN_LABEL_NONE;
}

/* What is on record now, in one sentence. */
static int after_end(struct call *c, const char *run)
{
	struct run_state *s;
	bool ended;
	int rc = reconcile_run(&ended, c->workspace, run, c->arena);

	if (rc == 0)
		rc = state_run(c->workspace, run, NULL, c->arena, &s);
	if (rc < 0)
		return rc;
	if (!ended) {
		c->message = arena_printf(
			c->arena, "run %s goes on; portside tail --follow %s follows it", run, run);
		return 0;
	}
	c->message = arena_printf(c->arena, "run %s: %s; L0 %s (%s)%s", run,
		word_name(&words_run_state, (int)s->state), word_name(&words_check, (int)s->l0),
		s->l0_why,
		strcmp(s->attempt, RUN_UNASSIGNED) == 0
			? "; UNASSIGNED, it counts for no attempt: HEAD is no attempt's tip. "
			  "Name one: portside run N -- COMMAND, or PORTSIDE_ATTEMPT=N"
			: "");
	return 0;
}

int run_call_follow(struct call *c, const struct run_started *started)
{
	int exit_code,
		rc = launch_wait_and_forward(started->rundir, c->program, c->out_fd, &exit_code);

	if (rc < 0)
		return rc;
	c->exit_code = exit_code;
	return after_end(c, started->run);
}

/* On stderr, so that the output stays the command's own. */
static void say_start(const struct run_started *s)
{
	fprintf(stderr, "portside: run %s of %s; input is /dev/null; ^C cancels it\n", s->run,
		strcmp(s->subject, RUN_UNASSIGNED) == 0 ? "no attempt (unassigned)" : s->subject);
}

static int wrap(struct call *c, const char *const *argv)
{
	struct run_wrap w = {
		.argv = argv,
		.subject = call_text(c, "attempt"),
		.kind = kind_of(c, RUN_KIND_NONE),
		.label = label_of(c),
		.target = call_text(c, "--target"),
		.seed = call_text(c, "--seed"),
		.done = call_text(c, "--done"),
		.artifact = call_text(c, "--artifact"),
		.steps = call_integer(c, "--steps", 0),
		.program = c->program,
		.probe = call_flag(c, "--probe"),
	};
	const char *limit = call_text(c, "--limit");
	struct run_started started;
	int rc = limit ? units_duration_ns(&w.limit_ns, limit) : 0;

	if (rc < 0)
		return err_prefix("--limit: ");
	if (!argv[0])
		return err_set(ERR_USAGE, "run: no command behind --");
	if (c->out_fd < 0)
		return err_set(ERR_STATE,
			"a command is wrapped on the command line only: portside run -- COMMAND");
	rc = run_wrap(&started, c->workspace, &w, c->arena);
	if (rc < 0 && started.exit_code) {
		/* On record as launch-failed; a shell's own status for it. */
		c->exit_code = started.exit_code;
		c->message = arena_printf(c->arena, "portside: %s", err_text());
		err_clear();
		return 0;
	}
	if (rc < 0)
		return rc;
	say_start(&started);
	return run_call_follow(c, &started);
}

static void say_doubts(const char *doubts)
{
	while (*doubts) {
		size_t n = strcspn(doubts, "\n");
		struct buf line = BUF_INIT;

		text_sanitise(&line, doubts, n);
		fprintf(stderr, "portside: %s\n", line.s);
		buf_release(&line);
		doubts += n + (doubts[n] == '\n');
	}
}

static int run_run(struct call *c)
{
	const char *const *rest = call_rest(c, "command");
	struct run_request r = {
		.subject = call_text(c, "attempt"),
		.kind = kind_of(c, RUN_KIND_SMOKE),
		.label = label_of(c),
		.target = call_text(c, "--target"),
		.seed = call_text(c, "--seed"),
		.program = c->program,
		.probe = call_flag(c, "--probe"),
	};
	const char *doubts;
	struct run_started started;
	int rc;

	if (rest)
		return wrap(c, rest);
	if (!r.subject)
		return err_set(ERR_USAGE,
			"run: name what and where: portside run 7 --kind smoke --target NAME; "
			"or wrap a command: portside run -- COMMAND");
	if (!r.target)
		r.target = "";		/* refused with the names that there are */
	doubts = run_doubts(c->workspace, r.subject, r.target, c->arena);
	if (c->out_fd >= 0)
		say_doubts(doubts);
	if ((rc = run_start(&started, c->workspace, &r, c->arena)) < 0)
		return rc;
	if (call_flag(c, "--wait") && c->out_fd >= 0)
		return run_call_follow(c, &started);
	c->message = arena_printf(c->arena,
		"%s run %s of %s on %s has started; portside tail %s follows it%s%s",
		word_name(&words_run_kind, (int)r.kind), started.run, r.subject, r.target,
		started.run,
		*doubts && c->out_fd < 0 ? "; " : "", c->out_fd < 0 ? doubts : "");
	return 0;
}

/* ---- adopt, cancel ------------------------------------------------------------------- */

/* The directory of a run that lives on this machine, as far as the log knows. */
static int find_live(struct run_state **out, char **rundir, struct call *c)
{
	struct run_state *r;
	bool ended;
	int rc = state_run(c->workspace, call_text(c, "run"), NULL, c->arena, &r);

	if (rc < 0)
		return rc;
	*rundir = fs_join(c->arena, workspace_path(c->workspace, c->arena, "runs"), r->id);
	if (!run_status_ended(r->state) && !fs_is_dir(*rundir))
		return err_set(
			ERR_STATE, "run %s is not on this machine; do it where it runs", r->id);
	/* It may have ended a moment ago. */
	if (!run_status_ended(r->state) &&
		(rc = reconcile_run(&ended, c->workspace, r->id, c->arena)) == 0)
		rc = state_run(c->workspace, r->id, NULL, c->arena, &r);
	if (rc < 0)
		return rc;
	if (run_status_ended(r->state))
		return err_set(ERR_STATE, "run %s is over already: %s", r->id,
			word_name(&words_run_state, (int)r->state));
	*out = r;
	return 0;
}

static int cancel_run(struct call *c)
{
	const char *why = call_text(c, "--reason");
	struct run_state *r;
	char *rundir;
	int rc = find_live(&r, &rundir, c);

	if (rc == 0)
		rc = launch_cancel(rundir, c->program, workspace_actor(c->workspace)->text,
			why ? why : "cancelled", -1);
	if (rc == 0)
		c->message = arena_printf(c->arena,
			"run %s is being cancelled: TERM now, KILL after its grace; portside runs "
			"tells "
			"when it has ended",
			r->id);
	return rc;
}

static int adopt_run(struct call *c)
{
	struct run_state *r;
	char *rundir;
	int rc = find_live(&r, &rundir, c);

	if (rc == 0)
		rc = launch_adopt(rundir, c->program);
	if (rc == 0)
		c->message = arena_printf(c->arena,
			"run %s has a supervisor again: its limits hold, and its log is complete; "
			"its exit "
			"status will stay unknown",
			r->id);
	return rc;
}

static const struct argument run_arguments[] = {
	{ "attempt", ARGUMENT_ATTEMPT, "7, torchtpu/3 or reference", false, false, NULL,
		"found from HEAD for a wrapped command" },
	{ "--kind", ARGUMENT_WORD, "which run of portside.conf, or like which", false, false,
		"smoke full", "smoke; of a wrapped command: as its words tell, or unknown" },
	{ "--target", ARGUMENT_TARGET, "where it runs", false, false, NULL, NULL },
	{ "--seed", ARGUMENT_INTEGER, "seed, given as PORTSIDE_SEED", false, false, NULL, "1" },
	{ "--wait", ARGUMENT_FLAG, "follow it until it ends", false, false, NULL, NULL },
	{ "--label", ARGUMENT_WORD, "what it is for; only optimized runs show speed", false, false,
		"bring-up optimized", "bring-up" },
	{ "--probe", ARGUMENT_FLAG, "Python programs: record what training really does", false,
		false, NULL, NULL },
	{ "--done", ARGUMENT_TEXT, "wrapped command: text that marks its end", false, false, NULL,
		NULL },
	{ "--steps", ARGUMENT_INTEGER, "wrapped command: steps that it declares", false, false,
		NULL, NULL },
	{ "--artifact", ARGUMENT_PATH, "wrapped command: file that it leaves", false, false, NULL,
		NULL },
	{ "--limit", ARGUMENT_TEXT, "wrapped command: time limit, 15m or 4h", false, false, NULL,
		"none" },
	{ "command", ARGUMENT_REST, "any command, run where you stand, input /dev/null", false,
		false, NULL, NULL },
	{ 0 },
};
static const struct argument runs_arguments[] = {
	{ "attempt", ARGUMENT_ATTEMPT, "only its runs", false, false, NULL, "all" },
	{ "--column", ARGUMENT_TEXT, "a column, or several with commas; see RUN TABLE", false,
		true, NULL, "those kept by view 3" },
	{ "--filter", ARGUMENT_TEXT, "only runs of which this is true", false, false, NULL, NULL },
	{ "--sort", ARGUMENT_TEXT, "columns to order by; - in front turns it round", false, true,
		NULL, "as they were prepared" },
	{ "--group", ARGUMENT_TEXT, "a column: runs with equal values are one row", false, false,
		NULL, NULL },
	{ 0 },
};
static const struct argument difference_arguments[] = {
	{ "a", ARGUMENT_RUN, "one run", true, false, NULL, NULL },
	{ "b", ARGUMENT_RUN, "the other", true, false, NULL, NULL },
	{ "--equal", ARGUMENT_FLAG, "also the keys that are equal", false, false, NULL, NULL },
	{ 0 },
};
static const struct argument tail_arguments[] = {
	{ "run", ARGUMENT_RUN, "run id, or its first letters", true, false, NULL, NULL },
	{ "--all", ARGUMENT_FLAG, "the whole log", false, false, NULL, "the last 16 KiB" },
	{ "--follow", ARGUMENT_FLAG, "as it grows, until the run ends", false, false, NULL, NULL },
	{ 0 },
};
static const struct argument show_arguments[] = {
	{ "run", ARGUMENT_RUN, "run id, or its first letters", true, false, NULL, NULL },
	{ 0 },
};
static const struct argument cancel_arguments[] = {
	{ "run", ARGUMENT_RUN, "run id, or its first letters", true, false, NULL, NULL },
	{ "--reason", ARGUMENT_TEXT, "why, for the record", false, false, NULL, NULL },
	{ 0 },
};

const struct operation run_operations[] = {
	{ "run", "r", CONTEXT_ATTEMPTS | CONTEXT_RUNS,
		"start a smoke or full run, or wrap a command",
		OPERATION_CLI | OPERATION_SCREEN | OPERATION_WRITES | OPERATION_DIALOG,
		run_arguments, run_run, SCREEN_RUN_START },
	{ "runs", NULL, 0, "every run: where, how it ended, what it cost", OPERATION_CLI,
		runs_arguments, run_call_list, 0 },
	{ "runs diff", "c", CONTEXT_RUNS, "what two runs were started with: only what differs",
		OPERATION_CLI | OPERATION_SCREEN, difference_arguments, run_call_difference,
		SCREEN_RUN_DIFFERENCE },
	{ "run show", NULL, 0, "everything that is recorded about one run", OPERATION_CLI,
		show_arguments, run_call_show, 0 },
	{ "tail", NULL, 0, "the log of a run", OPERATION_CLI, tail_arguments, run_call_tail, 0 },
	{ "cancel", "X", CONTEXT_RUNS, "end a run, with its grace period",
		OPERATION_CLI | OPERATION_SCREEN | OPERATION_WRITES | OPERATION_DIALOG,
		cancel_arguments, cancel_run, SCREEN_RUN_CANCEL },
	{ "adopt", "A", CONTEXT_RUNS, "watch a run again whose supervisor was killed",
		OPERATION_CLI | OPERATION_SCREEN | OPERATION_WRITES | OPERATION_DIALOG,
		show_arguments, adopt_run, SCREEN_RUN_ADOPT },
	{ 0 },
};
