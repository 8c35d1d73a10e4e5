/* run_list - `runs` and `run show`: many runs in short, one run in full. */
#include "config.h"

#include "command/run_call.h"

#include <string.h>

#include "base/err.h"
#include "command/run_detail.h"
#include "command/run_rows.h"
#include "domain/cost.h"
#include "workspace/reconcile.h"
#include "workspace/run_start.h"
#include "workspace/state.h"

static const struct report_column columns[] = {
	{ .name = "run", .title = "run", .type = REPORT_TEXT, .min_width = 16 },
	{ .name = "attempt", .title = "attempt", .type = REPORT_TEXT },
	{ .name = "kind", .title = "kind", .type = REPORT_TEXT },
	{ .name = "target", .title = "target", .type = REPORT_TEXT },
	{ .name = "seed", .title = "seed", .type = REPORT_TEXT },
	{ .name = "state", .title = "state", .type = REPORT_TEXT, .min_width = 7 },
	{ .name = "mark", .title = NULL, .type = REPORT_TEXT },
	{ .name = "now", .title = NULL, .type = REPORT_TEXT },
	{ .name = "live", .title = NULL, .type = REPORT_BOOL },
	{ .name = "rc", .title = NULL, .type = REPORT_ID },
	{ .name = "L0", .title = "L0", .type = REPORT_TEXT },
	{ .name = "L0_why", .title = NULL, .type = REPORT_TEXT },
	{ .name = "step", .title = "step", .type = REPORT_INTEGER },
	{ .name = "elapsed_ns", .title = "took", .type = REPORT_DURATION },
	{ .name = "limit_ns", .title = "limit", .type = REPORT_DURATION },
	{ .name = "cost_nano_usd", .title = "cost", .type = REPORT_MONEY },
	{ .name = "provenance", .title = "seen by us", .type = REPORT_TEXT },
	{ .name = "simulated", .title = NULL, .type = REPORT_BOOL },
	{ .name = "prepared", .title = "prepared", .type = REPORT_TEXT },
	{ .name = "started", .title = NULL, .type = REPORT_TEXT },
	{ .name = "ended", .title = "ended", .type = REPORT_TEXT },
	{ .name = "started_ns", .title = NULL, .type = REPORT_INTEGER },
	{ .name = "ended_ns", .title = NULL, .type = REPORT_INTEGER },
	{ .name = "noticed", .title = NULL, .type = REPORT_TEXT },
	{ .name = "by", .title = "by", .type = REPORT_TEXT },
	{ .name = "commit", .title = NULL, .type = REPORT_TEXT },
	{ .name = "why", .title = "why", .type = REPORT_TEXT, .min_width = 6 },
};

/* "running, orphan": what its directory adds to what the log says. */
static void put_state(struct report_table *t, const struct run_row *row)
{
	const char *state = word_name(&words_run_state, (int)row->state->state),
		   *mark = run_mark_now_word(row->mark);

	report_text(t, "state", state);
	report_text(t, "mark", *mark ? mark : NULL);
	report_text(t, "now", *row->now ? row->now : NULL);
	report_bool(t, "live", row->live);
}

/* An end that nobody saw has no time, only one at which it was noticed. */
static void put_times(struct report_table *t, const struct run_row *row)
{
	const struct run_state *r = row->state;

	report_text(t, "started", *r->started ? r->started : NULL);
	if (r->started_ns)
		report_integer(t, "started_ns", r->started_ns);
	if (row->live)
		return;
	report_text(t, "noticed", *r->noticed ? r->noticed : NULL);
	if (!r->ended_ns) {
		report_unknown(t, "ended");
		return;
	}
	report_text(t, "ended", r->ended);
	report_integer(t, "ended_ns", r->ended_ns);
}

static void put_run(struct report_table *t, const struct run_row *row)
{
	const struct run_state *r = row->state;

	report_row(t);
	report_text(t, "run", r->id);
	report_text(t, "attempt", r->attempt);
	if (r->kind)
		report_text(t, "kind", run_kind_text(r->kind));
	else
		report_unknown(t, "kind");
	report_text(t, "target", r->target);
	report_text(t, "seed", *r->seed ? r->seed : NULL);
	put_state(t, row);
	if (r->rc_known)
		report_integer(t, "rc", r->rc);
	report_text(t, "L0", row->live ? NULL : word_name(&words_check, (int)r->l0));
	report_text(t, "L0_why", row->live ? NULL : r->l0_why);
	if (row->has_step)
		report_integer(t, "step", row->step);
	if (row->elapsed_ns >= 0)
		report_integer(t, "elapsed_ns", row->elapsed_ns);
	if (row->limit_ns)
		report_integer(t, "limit_ns", row->limit_ns);
	if (row->cost_nano_usd != COST_UNKNOWN)
		report_integer(t, "cost_nano_usd", row->cost_nano_usd);
	else
		report_unknown(t, "cost_nano_usd");
	report_text(t, "provenance", word_name(&words_provenance, (int)r->provenance));
	report_bool(t, "simulated", r->simulates != TARGET_NONE);
	report_text(t, "prepared", r->prepared.time);
	put_times(t, row);
	report_text(t, "by", r->by);
	report_text(t, "commit", *r->commit ? r->commit : NULL);
	report_text(t, "why", *r->why ? r->why : NULL);
}

/* "7" as the log names it; runs of an attempt that nobody knows are none. */
static int subject_of(const char **out, struct call *c)
{
	const char *text = call_text(c, "attempt");
	struct attempt_state *s;
	int rc;

	*out = text;
	if (!text || strcmp(text, RUN_UNASSIGNED) == 0)
		return 0;
	if ((rc = state_attempt(c->workspace, text, c->at, c->arena, &s)) == 0)
		*out = s->id;
	return rc;
}

int run_call_list(struct call *c)
{
	struct reconciled seen = { .note = "" };
	struct run_rows rows;
	const char *subject;
	int rc = c->at ? 0 : reconcile(&seen, c->workspace, c->progress.cancel, c->arena);

	if (rc < 0 || (rc = subject_of(&subject, c)) < 0)
		return rc;
	if (run_call_has_columns(c))
		return run_call_table(c, subject);
	if ((rc = run_rows_read(&rows, c->workspace, c->at, c->arena)) < 0)
		return rc;
	c->table = report_table_new(c->arena, "runs", columns, ARRAY_LEN(columns));
	for (size_t i = 0; i < rows.n; i++)
		if (!subject || strcmp(rows.rows[i].state->attempt, subject) == 0)
			put_run(c->table, &rows.rows[i]);
	if (!c->table->n_rows)
		report_note(c->table,
			"no runs yet; portside run ATTEMPT --kind smoke --target NAME starts one");
	for (size_t i = 0; i < rows.n; i++)
		if (rows.rows[i].mark == RUN_NOW_ORPHAN)
			report_note(c->table,
				"%s runs without its supervisor: no limit holds. portside adopt %s watches it again, "
				"portside cancel %s ends it",
				rows.rows[i].state->id, rows.rows[i].state->id,
				rows.rows[i].state->id);
	report_note_unknown(c->table);
	if (*seen.note)
		report_note(c->table, "%s", seen.note);
	return 0;
}

/* ---- one run ------------------------------------------------------------------------ */

static const struct report_column fact_columns[] = {
	{ .name = "section", .title = "section", .type = REPORT_TEXT },
	{ .name = "name", .title = "name", .type = REPORT_TEXT },
	{ .name = "value", .title = "value", .type = REPORT_TEXT, .min_width = 20 },
};

int run_call_show(struct call *c)
{
	struct run_detail d;
	const char *section = "";
	bool ended;
	int rc = run_detail_read(&d, c->workspace, call_text(c, "run"), c->at, c->arena);

	if (rc == 0 && !c->at && !run_status_ended(d.state->state)) {
		/* It may just have ended. */
		rc = reconcile_run(&ended, c->workspace, d.state->id, c->arena);
		if (rc == 0)
			rc = run_detail_read(&d, c->workspace, d.state->id, c->at, c->arena);
	}
	if (rc < 0)
		return rc;
	c->table = report_table_new(c->arena, "run", fact_columns, ARRAY_LEN(fact_columns));
	for (size_t i = 0; i < d.n; i++) {
		const struct run_fact *f = &d.facts[i];
		bool same = !c->wants_json && strcmp(f->section, section) == 0;

		report_row(c->table);
		report_text(c->table, "section", same ? "" : f->section);
		report_text(c->table, "name", f->name);
		report_text(c->table, "value", f->value);
		section = f->section;
	}
	return 0;
}
