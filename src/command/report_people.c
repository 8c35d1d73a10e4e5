/* report_people - the sections of a report about people, decisions and cost. */
#include "config.h"

#include <string.h>

#include "base/units.h"
#include "command/journal.h"
#include "command/report_section.h"
#include "command/status.h"
#include "domain/cost.h"
#include "report/page.h"

static const struct report_column line_columns[] = {
	{ .name = "time", .title = "when", .type = REPORT_TEXT },
	{ .name = "who", .title = "who", .type = REPORT_TEXT },
	{ .name = "what", .title = "what", .type = REPORT_TEXT },
	{ .name = "text", .title = "in their words", .type = REPORT_TEXT },
};

/* Journal lines of KINDS, oldest first; what was taken back stays, marked. */
static int add_lines(struct report_page *p, const char *const *kinds, size_t n, const char *none)
{
	struct report_table *t =
		report_table_new(p->a, "lines", line_columns, ARRAY_LEN(line_columns));

	for (size_t k = 0; k < n; k++) {
		struct journal j;
		int rc = journal_read(&j, p->ws, p->at, kinds[k], 0, p->a);

		if (rc < 0)
			return rc;
		for (size_t i = j.n; i-- > 0; ) {
			const struct journal_line *l = &j.lines[i];

			report_row(t);
			report_textf(t, "time", "%.16sZ", l->time);
			report_text(t, "who", l->who);
			report_textf(
				t, "what", "%s%s", *l->struck ? "(taken back) " : "", l->headline);
			report_text(t, "text", *l->text ? l->text : NULL);
		}
	}
	if (!t->n_rows)
		report_note(t, "%s", none);
	page_table(p->out, t);
	return 0;
}

int report_people(struct report_page *p)
{
	static const char *const interventions[] = { "intervention.recorded" };
	static const char *const decisions[] = { "decision.made", "alarm.raised",
		"alarm.adjudicated", "signoff.given" };
	const struct migration_counts *c = &p->attempts.migration->counts;
	int rc;

	page_heading(p->out, 2, "What people did");
	page_sentence(p->out, "%lld interventions, %lld minutes; %lld decisions, %lld minutes.",
		(long long)c->interventions, (long long)c->intervention_minutes,
		(long long)c->decisions, (long long)c->decision_minutes);
	if ((rc = add_lines(p, interventions, ARRAY_LEN(interventions),
		     "Nobody recorded an intervention.")) < 0)
		return rc;
	page_heading(p->out, 2, "What was decided");
	return add_lines(
		p, decisions, ARRAY_LEN(decisions), "No decision, alarm or sign-off is on record.");
}

/* Of TOTAL things, WITHOUT have no known price: what is not known is no $0. */
static void money(
	struct report_page *p, const char *label, int64_t nano_usd, int64_t without, int64_t total)
{
	struct buf text = BUF_INIT;

	units_add_money(&text, nano_usd);
	if (without && without == total)
		page_item(
			p->out, label, "unknown: none of %lld has a known price", (long long)total);
	else if (without)
		page_item(p->out, label, "%s; %lld of %lld have no known price", text.s,
			(long long)without, (long long)total);
	else
		page_item(p->out, label, "%s", text.s);
	buf_release(&text);
}

static void people_cost(struct report_page *p, const struct migration_counts *c)
{
	const struct price *rate = &p->accepted.in_force.migration.human_rate;
	int64_t cost = people_cost_nano_usd(rate, c);
	struct buf text = BUF_INIT;

	buf_addf(&text, "%lld minutes on record",
		(long long)(c->intervention_minutes + c->decision_minutes));
	if (cost != COST_UNKNOWN) {
		buf_adds(&text, ", ");
		units_add_money(&text, cost);
		buf_adds(&text, " at ");
		units_add_money(&text, rate->nano_usd_hour);
		buf_adds(&text, " an hour");
	}
	page_item(p->out, "people", "%s", text.s);
	buf_release(&text);
}

int report_costs(struct report_page *p)
{
	const struct migration_counts *c = &p->attempts.migration->counts;

	page_heading(p->out, 2, "What it cost");
	money(p, "runs", c->run_cost_nano_usd, c->runs_without_cost, c->runs);
	if (c->sessions)
		money(p, "agent", c->session_cost_nano_usd, c->sessions_without_cost, c->sessions);
	else
		page_item(p->out, "agent", "unknown: no session of the agent was read in");
	if (c->other_cost_nano_usd)
		money(p, "other", c->other_cost_nano_usd, 0, 0);
	people_cost(p, c);
	buf_addc(p->out, '\n');
	return 0;
}
