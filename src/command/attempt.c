/* attempt - see attempt.h; listing, showing and refreshing.  What people and agents
 * say about an attempt (expect, claim, label) is recorded in people.c. */
#include "config.h"

#include "command/attempt.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/text.h"
#include "command/checks.h"
#include "command/groups.h"
#include "command/live_run.h"
#include "workspace/accepted.h"
#include "workspace/discover.h"
#include "workspace/reconcile.h"
#include "workspace/state.h"

/* ---- rows -------------------------------------------------------------------- */

static void add_configuration(struct attempt_rows *out, size_t *cap, const char *name)
{
	if (!name || !*name)
		return;
	for (size_t i = 0; i < out->n_configurations; i++)
		if (strcmp(out->configurations[i], name) == 0)
			return;
	ARRAY_GROW(out->configurations, out->n_configurations, *cap);
	out->configurations[out->n_configurations++] = name;
}

static void list_configurations(struct attempt_rows *out, struct arena *a)
{
	size_t cap = 0;
	const char **heap;

	add_configuration(out, &cap, out->intended);
	for (size_t i = 0; i < out->n; i++) {
		const struct attempt_state *s = out->rows[i].state;

		for (size_t k = 0; k < s->measured_n; k++)
			add_configuration(out, &cap, s->measured[k].configuration);
		for (size_t k = 0; k < s->claimed_n; k++)
			add_configuration(out, &cap, s->claimed[k].configuration);
	}
	heap = out->configurations;
	out->configurations = arena_memdup(a, heap, out->n_configurations * sizeof *heap);
	free(heap);
}

int attempt_rows_read(struct attempt_rows *out, struct workspace *ws, const struct position *at,
	int flags, const atomic_bool *cancel, struct arena *a)
{
	bool newest = flags & ATTEMPTS_NEWEST;
	struct state_query q = {
		.type = "attempt",
		.at = at,
		.descending = newest,
		.limit = newest ? ATTEMPTS_PAGE : 0,
	};
	struct accepted accepted;
	struct attempt_state **states;
	struct attempt_changes *changes = NULL;
	struct migration_state *m;
	void **rows;
	size_t n, kept;
	int rc;

	memset(out, 0, sizeof *out);
	if ((rc = state_migration(ws, at, a, &m)) < 0 ||
		(rc = state_list(ws, &q, a, &rows, &n)) < 0)
		return rc;
	if ((rc = accepted_read(&accepted, ws, at)) < 0)
		return rc;
	out->migration = m;
	out->all = !newest || n < ATTEMPTS_PAGE;
	out->intended = arena_strdup(a,
		accepted.in_force.migration.intended ? accepted.in_force.migration.intended : "");
	accepted_release(&accepted);
	states = (struct attempt_state **)rows;
	kept = state_attempts_in_order(states, n);
	if (flags & (ATTEMPTS_CHANGES | ATTEMPTS_CHANGES_CACHED) &&
	    (rc = changes_of(&changes, ws, states, kept, m->original,
			flags & ATTEMPTS_CHANGES ? 0 : CHANGES_CACHED_ONLY, cancel, a)) < 0)
		return rc;
	out->rows = arena_alloc(a, kept * sizeof *out->rows);
	out->n = kept;
	for (size_t i = 0; i < kept; i++) {
		out->rows[i].state = states[i];
		if (changes)
			out->rows[i].changes = changes[i];
		else
			out->rows[i].changes.previous.reason =
				out->rows[i].changes.original.reason = "";
	}
	list_configurations(out, a);
	return 0;
}

/* ---- cells ---------------------------------------------------------------------- */

static void add_level(
	struct buf *out, enum level level, const char *configuration, bool with_configuration)
{
	buf_addf(out, "%s%s", out->n ? " " : "", level == LEVEL_UNSET ? "yes" : level_name(level));
	if (with_configuration && *configuration)
		buf_addf(out, "@%s", configuration);
}

void attempt_add_expected(struct buf *out, const struct attempt_state *s, const char *configuration)
{
	for (size_t i = 0; i < s->expected_n; i++) {
		const struct expectation *e = &s->expected[i];

		if (*e->entry.struck ||
			(configuration && *e->configuration &&
				strcmp(e->configuration, configuration) != 0))
			continue;
		add_level(out, e->level, e->configuration, !configuration);
		if (e->late)
			buf_adds(out, " (late)");
	}
	if (!out->n)
		buf_adds(out, "-");
}

void attempt_add_claimed(struct buf *out, const struct attempt_state *s, const char *configuration)
{
	for (size_t i = 0; i < s->claimed_n; i++) {
		const struct claim *c = &s->claimed[i];
		bool later = false;

		if (*c->entry.struck ||
			(configuration && *c->configuration &&
				strcmp(c->configuration, configuration) != 0))
			continue;
		for (size_t k = i + 1; k < s->claimed_n; k++)
			later = later ||
				(!*s->claimed[k].entry.struck &&
					strcmp(s->claimed[k].configuration, c->configuration) == 0);
		if (!later)
			add_level(out, c->level, c->configuration, !configuration);
	}
	if (!out->n)
		buf_adds(out, "-");
}

/* Configurations that read the same stand behind one word. */
static void add_measured(struct buf *out, const struct attempt_state *s,
	const char *configuration, void (*add)(struct buf *, const struct level_vector *))
{
	struct buf text = BUF_INIT, last = BUF_INIT;

	for (size_t i = 0; i < s->measured_n; i++) {
		const struct measured *m = &s->measured[i];

		if (configuration && strcmp(m->configuration, configuration) != 0)
			continue;
		buf_clear(&text);
		add(&text, &m->vector);
		if (!out->n || strcmp(text.s, last.s) != 0)
			buf_addf(out, "%s%s", out->n ? "; " : "", text.s);
		if (!configuration)
			buf_addf(out, " @%s", m->configuration);
		buf_clear(&last);
		buf_add(&last, text.s, text.n);
	}
	if (!out->n)
		buf_adds(out, "-");
	buf_release(&text);
	buf_release(&last);
}

void attempt_add_measured(struct buf *out, const struct attempt_state *s, const char *configuration)
{
	add_measured(out, s, configuration, level_add_measured);
}

void attempt_add_measured_briefly(
	struct buf *out, const struct attempt_state *s, const char *configuration)
{
	add_measured(out, s, configuration, level_add_measured_briefly);
}

const char *attempt_outcome_word(const struct attempt_state *s)
{
	if (s->gone)
		return "gone";
	if (s->runs_live)
		return "running";
	if (s->silent == SILENT_YES && s->outcome == OUTCOME_FAILURE)
		return "SILENT";
	return s->outcome == OUTCOME_NONE ? "-" : word_name(&words_outcome, (int)s->outcome);
}

void attempt_add_cause(struct buf *out, const struct attempt_state *s)
{
	const struct label *human = attempt_label(s, ACTOR_HUMAN),
			   *tool = attempt_label(s, ACTOR_TOOL);

	if (human && *human->cause)
		buf_adds(out, human->cause);
	else if (tool && *tool->cause)
		buf_addf(out, "%s?", tool->cause);
	else
		buf_adds(out, "-");
	buf_addf(out, " / %s", *s->agent_cause ? s->agent_cause : "-");
}

bool attempt_contradicts(const struct attempt_state *s)
{
	return s->over_claims > 0 || s->labels_disagree;
}

void attempt_add_changes(
	struct buf *out, const struct attempt_state *s, const struct change_totals *t)
{
	if (s->environment_only)
		buf_adds(out, "env only");
	else if (t->known)
		buf_addf(out, "%zuf +%lld-%lld", t->files, (long long)t->added,
			(long long)t->removed);
	else
		buf_adds(out, "?");
}

void attempt_put_cost(struct report_table *t, const char *name, const struct attempt_state *s)
{
	if (s->runs_without_cost && s->runs_without_cost == s->runs_ended)
		report_unknown(t, name);
	else if (s->runs_ended)
		report_integer(t, name, s->run_cost_nano_usd);
	if (s->runs_without_cost && s->runs_without_cost < s->runs_ended)
		report_at_least(t, name);
}

void attempt_note_costs(struct report_table *t, int64_t without)
{
	if (without)
		report_note(t,
			"? in a cost: %lld run%s ended whose cost is not known, since %s target "
			"had no price "
			"(target.NAME.price of portside.conf) or nobody saw how long %s; $0.31+? "
			"is the rest",
			(long long)without, without == 1 ? "" : "s", without == 1 ? "its" : "their",
			without == 1 ? "it took" : "they took");
}

/* ---- attempt list ---------------------------------------------------------------- */

static const struct report_column list_columns[] = {
	{ .name = "attempt", .title = "#", .type = REPORT_TEXT },
	{ .name = "line", .title = NULL, .type = REPORT_TEXT },
	{ .name = "mark", .title = "", .type = REPORT_TEXT, .min_width = 1 },
	{ .name = "changes", .title = "change", .type = REPORT_TEXT, .min_width = 8 },
	{ .name = "tip", .title = NULL, .type = REPORT_TEXT },
	{ .name = "base", .title = NULL, .type = REPORT_TEXT },
	{ .name = "source", .title = NULL, .type = REPORT_TEXT },
	{ .name = "expected", .title = "expected", .type = REPORT_TEXT },
	{ .name = "claimed", .title = "claimed", .type = REPORT_TEXT, .min_width = 6 },
	{ .name = "measured", .title = "measured", .type = REPORT_JSON, .min_width = 22 },
	{ .name = "outcome", .title = "outcome", .type = REPORT_TEXT, .min_width = 7 },
	{ .name = "cause", .title = "cause you/agent", .type = REPORT_TEXT, .min_width = 6 },
	{ .name = "silent", .title = NULL, .type = REPORT_TEXT },
	{ .name = "runs", .title = "runs", .type = REPORT_INTEGER },
	{ .name = "cost_nano_usd", .title = "cost", .type = REPORT_MONEY },
	{ .name = "runs_without_cost", .title = NULL, .type = REPORT_INTEGER },
	{ .name = "interventions", .title = "human", .type = REPORT_INTEGER },
	{ .name = "churn", .title = NULL, .type = REPORT_JSON },
	{ .name = "gone", .title = NULL, .type = REPORT_BOOL },
	{ .name = "subject", .title = "subject", .type = REPORT_TEXT, .min_width = 8 },
};

static void put_totals(struct json_writer *w, const char *key, const struct change_totals *t)
{
	if (!t->known) {
		json_put_null(w, key);
		return;
	}
	json_begin_object(w, key);
	json_put_i64(w, "files", (int64_t)t->files);
	json_put_i64(w, "added", t->added);
	json_put_i64(w, "removed", t->removed);
	if (*t->reason)
		json_put_str(w, "reason", t->reason);
	json_end_object(w);
}

static void put_churn(struct report_table *t, const struct attempt_row *row)
{
	struct buf json = BUF_INIT;
	struct json_writer w = { .out = &json };

	json_begin_object(&w, NULL);
	put_totals(&w, "previous", &row->changes.previous);
	put_totals(&w, "original", &row->changes.original);
	json_end_object(&w);
	report_json(t, "churn", json.s, "");
	buf_release(&json);
}

static void put_measured(struct report_table *t, const struct attempt_state *s)
{
	struct buf json = BUF_INIT, text = BUF_INIT;
	struct json_writer w = { .out = &json };

	json_begin_array(&w, NULL);
	for (size_t i = 0; i < s->measured_n; i++) {
		const struct measured *m = &s->measured[i];

		json_begin_object(&w, NULL);
		json_put_str(&w, "configuration", m->configuration);
		json_put_str(&w, "level", level_name(m->ladder.level));
		json_put_str(&w, "upper", level_name(m->ladder.upper));
		json_put_str(&w, "L0", word_name(&words_check, (int)m->vector.l0));
		json_put_str(&w, "L2", word_name(&words_check, (int)m->vector.l2));
		json_put_str(&w, "L3", word_name(&words_check, (int)m->vector.l3));
		json_put_str(&w, "L4", word_name(&words_check, (int)m->vector.l4));
		json_put_bool(&w, "simulated", m->simulated);
		json_put_str(&w, "claim", word_name(&words_claim_verdict, (int)m->claim));
		json_end_object(&w);
	}
	json_end_array(&w);
	attempt_add_measured_briefly(&text, s, NULL);
	report_json(t, "measured", json.s, text.s);
	buf_release(&json);
	buf_release(&text);
}

static void put_text(struct report_table *t, const char *name,
	void (*add)(struct buf *, const struct attempt_state *, const char *),
	const struct attempt_state *s)
{
	struct buf b = BUF_INIT;

	add(&b, s, NULL);
	report_text(t, name, strcmp(b.s, "-") == 0 ? NULL : b.s);
	buf_release(&b);
}

static void put_row(struct report_table *t, const struct attempt_row *row)
{
	const struct attempt_state *s = row->state;
	struct buf b = BUF_INIT;

	report_row(t);
	report_text(t, "attempt", s->id);
	report_text(t, "line", s->line);
	report_text(t, "mark", attempt_contradicts(s) ? "!" : s->runs_live ? ">" : "");
	attempt_add_changes(&b, s, &row->changes.previous);
	report_text(t, "changes", b.s);
	report_text(t, "tip", *s->tip ? s->tip : NULL);
	report_text(t, "base", *s->base ? s->base : NULL);
	report_text(t, "source", s->source);
	put_text(t, "expected", attempt_add_expected, s);
	put_text(t, "claimed", attempt_add_claimed, s);
	put_measured(t, s);
	report_text(t, "outcome", attempt_outcome_word(s));
	buf_clear(&b);
	attempt_add_cause(&b, s);
	report_text(t, "cause", b.s);
	report_text(t, "silent",
		s->silent == SILENT_NONE ? NULL : word_name(&words_silent, (int)s->silent));
	report_integer(t, "runs", (int64_t)s->runs_n);
	attempt_put_cost(t, "cost_nano_usd", s);
	report_integer(t, "runs_without_cost", s->runs_without_cost);
	report_integer(t, "interventions", s->interventions);
	put_churn(t, row);
	report_bool(t, "gone", s->gone);
	report_text(t, "subject", s->subject);
	buf_release(&b);
}

int attempt_look(const char **note, struct workspace *ws, const struct position *at,
	const atomic_bool *cancel, struct arena *a)
{
	struct discover_options o = { .cancel = cancel };
	struct discovered d;
	const char *runs;
	int rc;

	*note = "";
	if (at || workspace_read_only(ws) || workspace_place(ws)->bundle)
		return 0;
	rc = discover(&d, ws, &o, a);
	if (rc == ERR_CANCELLED)
		return rc;
	*note = rc < 0 ? arena_printf(a, "the repository was not looked at: %s", err_text())
		       : d.note;
	err_clear();
	if (live_runs_look(&runs, ws, at, cancel, a) < 0)
		return err_code();
	if (!**note)
		*note = runs;
	return rc < 0;
}

static int list_run(struct call *c)
{
	const char *line = call_text(c, "--line"), *note;
	int64_t without = 0, measured = 0;
	struct attempt_rows rows;
	int rc = attempt_look(&note, c->workspace, c->at, c->progress.cancel, c->arena);

	if (rc >= 0)
		rc = attempt_rows_read(&rows, c->workspace, c->at,
			rc ? ATTEMPTS_CHANGES_CACHED : ATTEMPTS_CHANGES, c->progress.cancel,
			c->arena);

	if (rc < 0)
		return rc;
	c->table = report_table_new(c->arena, "attempts", list_columns, ARRAY_LEN(list_columns));
	for (size_t i = 0; i < rows.n; i++) {
		const struct attempt_state *s = rows.rows[i].state;

		if (line && strcmp(line, s->line) != 0)
			continue;
		put_row(c->table, &rows.rows[i]);
		without += s->runs_without_cost;
		measured += (int64_t)s->measured_n;
	}
	if (measured)
		report_note(c->table, "%s", ATTEMPT_MEASURED_NOTE);
	if (measured && rows.migration->required_n)
		report_note(c->table, "%s", checks_required_text(rows.migration, c->arena));
	attempt_note_costs(c->table, without);
	if (*note)
		report_note(c->table, "%s", note);
	if (!rows.n && workspace_read_only(c->workspace))
		report_note(c->table,
			"no attempt is known; nothing was looked for, since the log is only read "
			"here%s",
			workspace_spools(c->workspace) ? ": portside attempt refresh looks" : "");
	else if (!rows.n && !*note)
		report_note(c->table,
			"no attempts yet: no tag, trailer or branch marks one; portside brief "
			"tells an agent how");
	return 0;
}

/* ---- attempt refresh ---------------------------------------------------------------- */

static int refresh_run(struct call *c)
{
	struct discover_options o = { .all = call_flag(c, "--all"), .cancel = c->progress.cancel };
	struct discovered d;
	struct reconciled r;
	int rc = discover(&d, c->workspace, &o, c->arena);

	if (rc < 0 || (rc = reconcile(&r, c->workspace, c->progress.cancel, c->arena)) < 0)
		return rc;
	if (d.unchanged)
		c->message = "no reference has moved since the last look";
	else
		c->message = arena_printf(c->arena,
			"%zu attempt%s: %zu new, %zu moved, %zu gone; %zu claim%s. %s%s%s",
			d.attempts, d.attempts == 1 ? "" : "s", d.added, d.moved, d.gone, d.claims,
			d.claims == 1 ? "" : "s", d.original, *d.note ? " " : "", d.note);
	if (*r.note)
		c->message = arena_printf(c->arena, "%s\n%s", c->message, r.note);
	return 0;
}

static const struct argument list_arguments[] = {
	{ "--line", ARGUMENT_TEXT, "only attempts of this line", false, false, NULL, "all" },
	{ 0 },
};
static const struct argument refresh_arguments[] = {
	{ "--all", ARGUMENT_FLAG, "look even when no reference has moved", false, false, NULL,
		NULL },
	{ 0 },
};

const struct operation attempt_operations[] = {
	{ "attempt list", NULL, 0, "every attempt: change, claims, levels, outcome, cost",
		OPERATION_CLI, list_arguments, list_run, 0 },
	{ "attempt refresh", NULL, 0, "look for attempts in the repository and at run folders",
		OPERATION_CLI | OPERATION_SCREEN | OPERATION_WRITES | OPERATION_LONG,
		refresh_arguments, refresh_run, 0 },
	{ 0 },
};
