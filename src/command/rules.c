/* rules - see rules.h. */
#include "config.h"

#include "command/rules.h"

#include <string.h>

#include "command/groups.h"
#include "domain/object.h"
#include "workspace/state.h"

void rule_gauge_add(struct buf *out, const struct rule_gauge *g, const struct need *needs,
	size_t n)
{
	bool fired = false;

	buf_adds(out, g->report.gauge);
	for (size_t i = 0; i < n; i++) {
		if (!*needs[i].attempt || strcmp(needs[i].rule, g->id) != 0)
			continue;
		if (!fired && *g->subject.attempt)
			buf_addf(out, " is #%s", g->subject.attempt);
		buf_addf(out, "%s #%s", fired ? "" : "; fired for", needs[i].attempt);
		fired = true;
	}
}

/* ---- portside rules ----------------------------------------------------------------------- */

/* "#5 #7": what the alarms of the rule are about that wait, whatever its gauge shows by
 * now; *OPEN counts them. */
static int add_open_alarms(
	struct buf *out, size_t *open, struct call *c, const struct rule_gauge *g)
{
	struct state_query q = { .type = "alarm", .at = c->at };
	void **rows;
	size_t n;
	int rc = state_list(c->workspace, &q, c->arena, &rows, &n);

	*open = 0;

	for (size_t i = 0; rc == 0 && i < n; i++) {
		const struct alarm_state *s = rows[i];

		if (!s->open || strcmp(s->rule, g->id) != 0)
			continue;
		++*open;
		if (*s->attempt)
			buf_addf(out, "%s#%s", out->n ? " " : "", s->attempt);
	}
	return rc;
}

/* What became of a rule's alarm: "open", "continue", NULL when it raised none. */
static int add_answer(struct call *c, const struct rule_gauge *g)
{
	const struct alarm_state *alarm;
	struct buf about = BUF_INIT;
	size_t open = 0;
	int rc = stop_rules_alarm(&alarm, c->workspace, g, c->at, c->arena);

	if (rc == 0)
		rc = add_open_alarms(&about, &open, c, g);
	if (rc == 0 && open)
		report_text(c->table, "alarm", "open");
	else if (rc == 0 && alarm && !*alarm->raised.struck)
		report_text(c->table, "alarm", word_name(&words_decision, (int)alarm->choice));
	if (rc == 0 && about.n)
		report_text(c->table, "about", about.s);
	buf_release(&about);
	return rc;
}

static int rules_run(struct call *c)
{
	static const struct report_column columns[] = {
		{ .name = "rule", .title = "rule", .type = REPORT_TEXT },
		{ .name = "gauge", .title = "gauge", .type = REPORT_TEXT, .min_width = 16 },
		{ .name = "fires", .title = "fires", .type = REPORT_BOOL },
		{ .name = "when", .title = "when", .type = REPORT_TEXT, .min_width = 16 },
		{ .name = "class", .title = "class", .type = REPORT_TEXT },
		{ .name = "action", .title = "asks for", .type = REPORT_TEXT },
		{ .name = "alarm", .title = "alarm", .type = REPORT_TEXT },
		{ .name = "about", .title = "about", .type = REPORT_TEXT },
		{ .name = "version", .title = NULL, .type = REPORT_TEXT },
	};
	struct rule_gauges g;
	size_t raised = 0;
	int rc = 0;

	if (call_flag(c, "--raise"))
		rc = stop_rules_raise(
			&raised, c->workspace, STOP_RULES_CURVES, c->progress.cancel, c->arena);
	if (rc == 0)
		rc = stop_rules_read(
			&g, c->workspace, c->at, STOP_RULES_CURVES, c->progress.cancel, c->arena);
	if (rc < 0)
		return rc;
	c->table = report_table_new(c->arena, "rules", columns, ARRAY_LEN(columns));
	for (size_t i = 0; rc == 0 && i < g.n; i++) {
		report_row(c->table);
		report_text(c->table, "rule", g.rows[i].id);
		report_text(c->table, "gauge", g.rows[i].report.gauge);
		report_bool(c->table, "fires", g.rows[i].report.fires);
		report_text(c->table, "when", g.rows[i].when);
		report_text(c->table, "class", word_name(&words_rule_class, (int)g.rows[i].class));
		report_text(
			c->table, "action", word_name(&words_rule_action, (int)g.rows[i].action));
		report_text(c->table, "version", g.rows[i].version);
		rc = add_answer(c, &g.rows[i]);
	}
	if (rc < 0)
		return rc;
	for (size_t i = 0; i < g.n; i++) {
		if (g.rows[i].report.status != RULE_UNCALIBRATED)
			continue;
		report_note(c->table,
			"%s: portside rules calibrate tells a limit from repeats of the reference",
			g.rows[i].id);
	}
	report_note(c->table,
		"a gauge is value/limit of what \"when\" looks at, of the run that ended last; "
		"\"?\": it has no source; \"ok\": what the rule waits for is there");
	report_note(c->table,
		"\"fires\" is so now; \"alarm\" is open, or how it was decided: portside alarms "
		"lists all");
	if (!g.from_accepted)
		report_note(c->table,
			"these are the default rules; an accepted portside.conf may name its own");
	if (raised)
		report_note(c->table, "%zu alarm%s raised: portside alarms", raised,
			raised == 1 ? "" : "s");
	return 0;
}

static const struct argument rules_arguments[] = {
	{ "--raise", ARGUMENT_FLAG, "raise alarms for what fires", false, false, NULL, NULL },
	{ 0 },
};

const struct operation rules_operations[] = {
	{ "rules", NULL, 0, "the stop rules in force, as gauges", OPERATION_CLI | OPERATION_LONG,
		rules_arguments, rules_run, 0 },
	{ 0 },
};
