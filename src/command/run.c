/*
 * run - starting, wrapping, listing, reading and cancelling runs.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/fs.h"
#include "base/text.h"
#include "command/groups.h"
#include "launch/launch.h"
#include "launch/verdict.h"
#include "workspace/reconcile.h"
#include "workspace/run_start.h"
#include "workspace/state.h"

/* ---- run ---------------------------------------------------------------------------- */

static enum run_kind kind_of(const struct call *c, enum run_kind otherwise)
{
	const char *text = call_text(c, "--kind");
	int kind = text ? word_find(&words_run_kind, text) : -1;

	return kind > 0 ? (enum run_kind)kind : otherwise;
}

static int after_end(struct call *c, const char *run)
{
	struct run_state *s;
	bool ended;
	int rc = reconcile_run(&ended, c->workspace, run, c->arena);

	if (rc == 0)
		rc = state_run(c->workspace, run, NULL, c->arena, &s);
	if (rc == 0)
		c->message = arena_printf(c->arena, "run %s: %s; L0 %s (%s)", run, word_name(&words_run_state, (int)s->state),
			word_name(&words_check, (int)s->l0), s->l0_why);
	return rc;
}

static int follow(struct call *c, const struct run_started *started)
{
	int exit_code, rc = launch_wait_and_forward(started->rundir, c->program, c->out_fd, &exit_code);

	if (rc < 0)
		return rc;
	c->exit_code = exit_code;
	return after_end(c, started->run);
}

static int wrap(struct call *c, const char *const *argv)
{
	struct run_wrap w = {
		.argv = argv, .subject = call_text(c, "attempt"), .kind = kind_of(c, RUN_KIND_NONE),
		.target = call_text(c, "--target"), .seed = call_text(c, "--seed"), .done = call_text(c, "--done"),
		.artifact = call_text(c, "--artifact"), .steps = call_integer(c, "--steps", 0), .program = c->program,
	};
	const char *limit = call_text(c, "--limit");
	struct run_started started;
	int rc = limit ? units_duration_ns(&w.limit_ns, limit) : 0;

	if (rc < 0)
		return err_prefix("--limit: ");
	if (!argv[0])
		return err_set(ERR_USAGE, "run: no command behind --");
	if ((rc = run_wrap(&started, c->workspace, &w, c->arena)) < 0)
		return rc;
	return follow(c, &started);
}

static int run_run(struct call *c)
{
	const char *const *rest = call_rest(c, "command");
	struct run_request r = {
		.subject = call_text(c, "attempt"), .kind = kind_of(c, RUN_KIND_SMOKE), .target = call_text(c, "--target"),
		.seed = call_text(c, "--seed"), .program = c->program,
	};
	struct run_started started;
	int rc;

	if (rest)
		return wrap(c, rest);
	if (!r.subject || !r.target)
		return err_set(ERR_USAGE, "run: name what and where: portside run 7 --kind smoke --target NAME; "
			"or wrap a command: portside run -- COMMAND");
	if ((rc = run_start(&started, c->workspace, &r, c->arena)) < 0)
		return rc;
	if (call_flag(c, "--wait"))
		return follow(c, &started);
	c->message = arena_printf(c->arena, "%s run %s of %s on %s has started; portside tail %s follows it",
		word_name(&words_run_kind, (int)r.kind), started.run, r.subject, r.target, started.run);
	return 0;
}

/* ---- runs ---------------------------------------------------------------------------- */

static const struct report_column columns[] = {
	{ .name = "run", .title = "run", .type = REPORT_TEXT },
	{ .name = "attempt", .title = "attempt", .type = REPORT_TEXT },
	{ .name = "kind", .title = "kind", .type = REPORT_TEXT },
	{ .name = "target", .title = "target", .type = REPORT_TEXT },
	{ .name = "seed", .title = "seed", .type = REPORT_TEXT },
	{ .name = "state", .title = "state", .type = REPORT_TEXT },
	{ .name = "rc", .title = NULL, .type = REPORT_ID },
	{ .name = "L0", .title = "L0", .type = REPORT_TEXT },
	{ .name = "L0_why", .title = NULL, .type = REPORT_TEXT },
	{ .name = "elapsed_ns", .title = "took", .type = REPORT_DURATION },
	{ .name = "cost_nano_usd", .title = "cost", .type = REPORT_MONEY },
	{ .name = "provenance", .title = "seen by us", .type = REPORT_TEXT },
	{ .name = "simulated", .title = NULL, .type = REPORT_BOOL },
	{ .name = "prepared", .title = "prepared", .type = REPORT_TEXT },
	{ .name = "by", .title = "by", .type = REPORT_TEXT },
	{ .name = "commit", .title = NULL, .type = REPORT_TEXT },
	{ .name = "why", .title = "why", .type = REPORT_TEXT, .min_width = 6 },
};

static void put_run(struct report_table *t, const struct run_state *r)
{
	report_row(t);
	report_text(t, "run", r->id);
	report_text(t, "attempt", r->attempt);
	report_text(t, "kind", word_name(&words_run_kind, (int)r->kind));
	report_text(t, "target", r->target);
	report_text(t, "seed", *r->seed ? r->seed : NULL);
	report_text(t, "state", word_name(&words_run_state, (int)r->state));
	if (r->rc_known)
		report_integer(t, "rc", r->rc);
	report_text(t, "L0", run_status_ended(r->state) ? word_name(&words_check, (int)r->l0) : NULL);
	report_text(t, "L0_why", r->l0_why);
	if (r->elapsed_ns)
		report_integer(t, "elapsed_ns", r->elapsed_ns);
	if (r->cost_known)
		report_integer(t, "cost_nano_usd", r->cost_nano_usd);
	else
		report_unknown(t, "cost_nano_usd");
	report_text(t, "provenance", word_name(&words_provenance, (int)r->provenance));
	report_bool(t, "simulated", r->simulates != TARGET_NONE);
	report_text(t, "prepared", r->prepared.time);
	report_text(t, "by", r->by);
	report_text(t, "commit", *r->commit ? r->commit : NULL);
	report_text(t, "why", *r->why ? r->why : NULL);
}

static int runs_run(struct call *c)
{
	const char *subject = call_text(c, "attempt");
	struct state_query q = { .type = "run", .at = c->at };
	struct reconciled r;
	void **rows;
	size_t n;
	int rc = c->at ? 0 : reconcile(&r, c->workspace, c->progress.cancel, c->arena);

	if (rc == 0)
		rc = state_list(c->workspace, &q, c->arena, &rows, &n);
	if (rc < 0)
		return rc;
	c->table = report_table_new(c->arena, "runs", columns, ARRAY_LEN(columns));
	for (size_t i = 0; i < n; i++)
		if (!subject || strcmp(((struct run_state *)rows[i])->attempt, subject) == 0)
			put_run(c->table, rows[i]);
	if (!c->table->n_rows)
		report_note(c->table, "no runs yet; portside run ATTEMPT --kind smoke --target NAME starts one");
	if (!c->at && *r.note)
		report_note(c->table, "%s", r.note);
	return 0;
}

/* ---- tail, cancel ---------------------------------------------------------------------- */

static char *rundir_of(struct call *c, const struct run_state *r)
{
	return fs_join(c->arena, workspace_path(c->workspace, c->arena, "runs"), r->id);
}

static int tail_run(struct call *c)
{
	enum { CHUNK = 64 * 1024, LAST = 16 * 1024 };
	struct run_state *r;
	char *rundir, *chunk;
	int64_t size, offset;
	size_t got = 0;
	int exit_code, rc = state_run(c->workspace, call_text(c, "run"), c->at, c->arena, &r);

	if (rc < 0)
		return rc;
	rundir = rundir_of(c, r);
	if (call_flag(c, "--follow") && !run_status_ended(r->state)) {
		rc = launch_wait_and_forward(rundir, c->program, c->out_fd, &exit_code);
		return rc < 0 ? rc : after_end(c, r->id);
	}
	chunk = arena_alloc(c->arena, CHUNK);
	if ((rc = launch_log_read(rundir, 0, chunk, 0, &got, &size)) < 0)
		return rc;
	offset = call_flag(c, "--all") || size < LAST ? 0 : size - LAST;
	do {
		rc = launch_log_read(rundir, offset, chunk, CHUNK, &got, NULL);
		offset += (int64_t)got;
		/* A terminal gets no control sequence of a log; a file gets its bytes. */
		if (rc == 0 && isatty(c->out_fd)) {
			for (size_t i = 0; i < got; ) {
				const char *end = memchr(chunk + i, '\n', got - i);
				size_t n = end ? (size_t)(end - chunk) - i : got - i;

				text_sanitise(&c->text, chunk + i, n);
				if (end)
					buf_addc(&c->text, '\n');
				i += n + (end != NULL);
			}
		} else if (rc == 0) {
			buf_add(&c->text, chunk, got);
		}
	} while (rc == 0 && got);
	return rc;
}

static int cancel_run(struct call *c)
{
	const char *why = call_text(c, "--reason");
	struct run_state *r;
	int rc = state_run(c->workspace, call_text(c, "run"), NULL, c->arena, &r);

	if (rc < 0)
		return rc;
	if (run_status_ended(r->state))
		return err_set(ERR_STATE, "run %s is over already: %s", r->id, word_name(&words_run_state, (int)r->state));
	rc = launch_cancel(rundir_of(c, r), c->program, workspace_actor(c->workspace)->text, why ? why : "cancelled", -1);
	if (rc == 0)
		c->message = arena_printf(c->arena, "run %s is being cancelled; portside runs tells when it has ended", r->id);
	return rc;
}

static const struct argument run_arguments[] = {
	{ "attempt", ARGUMENT_ATTEMPT, "7, torchtpu/3 or reference", false, false, NULL, "found from HEAD for a wrapped command" },
	{ "--kind", ARGUMENT_WORD, "which run of portside.conf", false, false, "smoke full", "smoke" },
	{ "--target", ARGUMENT_TARGET, "where it runs", false, false, NULL, NULL },
	{ "--seed", ARGUMENT_INTEGER, "seed, given as PORTSIDE_SEED", false, false, NULL, "1" },
	{ "--wait", ARGUMENT_FLAG, "follow it until it ends", false, false, NULL, NULL },
	{ "--done", ARGUMENT_TEXT, "wrapped command: text that marks its end", false, false, NULL, NULL },
	{ "--steps", ARGUMENT_INTEGER, "wrapped command: steps that it declares", false, false, NULL, NULL },
	{ "--artifact", ARGUMENT_PATH, "wrapped command: file that it leaves", false, false, NULL, NULL },
	{ "--limit", ARGUMENT_TEXT, "wrapped command: time limit, 15m or 4h", false, false, NULL, "none" },
	{ "command", ARGUMENT_REST, "any command, run where you stand", false, false, NULL, NULL },
	{ 0 },
};
static const struct argument runs_arguments[] = {
	{ "attempt", ARGUMENT_ATTEMPT, "only its runs", false, false, NULL, "all" },
	{ 0 },
};
static const struct argument tail_arguments[] = {
	{ "run", ARGUMENT_RUN, "run id, or its first letters", true, false, NULL, NULL },
	{ "--all", ARGUMENT_FLAG, "the whole log", false, false, NULL, "the last 16 kB" },
	{ "--follow", ARGUMENT_FLAG, "as it grows, until the run ends", false, false, NULL, NULL },
	{ 0 },
};
static const struct argument cancel_arguments[] = {
	{ "run", ARGUMENT_RUN, "run id, or its first letters", true, false, NULL, NULL },
	{ "--reason", ARGUMENT_TEXT, "why, for the record", false, false, NULL, NULL },
	{ 0 },
};

const struct operation run_operations[] = {
	{ "run", "r", CONTEXT_ATTEMPTS | CONTEXT_RUNS, "start a smoke or full run, or wrap a command",
	  OPERATION_CLI | OPERATION_SCREEN | OPERATION_WRITES | OPERATION_DIALOG, run_arguments, run_run, 0 },
	{ "runs", NULL, 0, "every run: where, how it ended, what it cost", OPERATION_CLI, runs_arguments, runs_run, 0 },
	{ "tail", NULL, 0, "the log of a run", OPERATION_CLI, tail_arguments, tail_run, 0 },
	{ "cancel", "X", CONTEXT_RUNS, "end a run, with its grace period",
	  OPERATION_CLI | OPERATION_SCREEN | OPERATION_WRITES | OPERATION_DIALOG, cancel_arguments, cancel_run, 0 },
	{ 0 },
};
