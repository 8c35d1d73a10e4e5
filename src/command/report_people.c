/* report_people - the sections of a report about people, decisions and cost. */
#include "config.h"

#include <string.h>

#include "base/units.h"
#include "command/journal.h"
#include "command/people_time.h"
#include "command/report_section.h"
#include "domain/agreement.h"
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

/* "2 interventions, 6 min + 1 unknown" */
static void add_total(
	struct buf *out, const char *noun, int64_t n, int64_t minutes, int64_t without)
{
	buf_addf(out, "%lld %s%s", (long long)n, noun, n == 1 ? "" : "s");
	if (!n)
		return;
	buf_adds(out, minutes ? ", " : ", minutes ");
	cost_add_minutes(out, minutes, without, n);
}

static void add_totals(struct report_page *p, const struct migration_counts *c)
{
	struct buf b = BUF_INIT;

	add_total(&b, "intervention", c->interventions, c->intervention_minutes,
		c->interventions_without_minutes);
	if (c->interventions && !c->intervention_minutes && !c->interventions_without_minutes)
		buf_adds(&b, ", what telling a decision took being counted with it");
	buf_adds(&b, "; ");
	add_total(&b, "decision", c->decisions, c->decision_minutes,
		c->decisions_without_minutes);
	page_sentence(p->out, "%s.", b.s);
	if (c->interventions_without_minutes + c->decisions_without_minutes)
		page_sentence(p->out,
			"Unknown are those of which nobody said how long they took; they are in "
			"no sum.");
	buf_release(&b);
}

/* How far two people who labelled the same attempts agree. */
static void add_agreement(struct report_page *p)
{
	struct agreement g = { 0 };
	struct buf b = BUF_INIT;

	for (size_t i = 0; i < p->attempts.n; i++)
		agreement_add(&g, p->attempts.rows[i].state);
	agreement_finish(&g);
	agreement_add_text(&b, &g);
	page_heading(p->out, 2, "Do two reviewers agree on the causes?");
	page_sentence(p->out, "%s.", b.s);
	buf_release(&b);
}

int report_people(struct report_page *p)
{
	static const char *const interventions[] = { "intervention.recorded" };
	static const char *const decisions[] = { "decision.made", "alarm.raised",
		"alarm.adjudicated", "signoff.given" };
	const struct migration_counts *c = &p->attempts.migration->counts;
	int rc;

	page_heading(p->out, 2, "What people did");
	add_totals(p, c);
	if ((rc = add_lines(p, interventions, ARRAY_LEN(interventions),
		     "Nobody recorded an intervention.")) < 0)
		return rc;
	add_agreement(p);
	page_heading(p->out, 2, "What was decided");
	return add_lines(
		p, decisions, ARRAY_LEN(decisions), "No decision, alarm or sign-off is on record.");
}

/* Of TOTAL things, WITHOUT have no known price: what is not known is no $0. */
static void money(
	struct report_page *p, const char *label, int64_t nano_usd, int64_t without, int64_t total)
{
	struct buf text = BUF_INIT;

	cost_add_sum(&text, nano_usd, without, total);
	if (without && without == total)
		page_item(
			p->out, label, "unknown: none of %lld has a known cost", (long long)total);
	else if (without)
		page_item(p->out, label, "%s; %lld of %lld %s no known cost", text.s,
			(long long)without, (long long)total, without == 1 ? "has" : "have");
	else
		page_item(p->out, label, "%s", text.s);
	buf_release(&text);
}

static void people_cost(struct report_page *p, const struct migration_counts *c)
{
	const struct price *rate = &p->accepted.in_force.migration.human_rate;
	int64_t cost = people_cost_nano_usd(rate, c);
	struct buf text = BUF_INIT;

	people_minutes_add(&text, c);
	if (cost != COST_UNKNOWN) {
		buf_adds(&text, ", ");
		cost_add_sum(&text, cost,
			c->interventions_without_minutes + c->decisions_without_minutes,
			c->interventions + c->decisions);
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
	if (c->runs_ended)
		money(p, "runs", c->run_cost_nano_usd, c->runs_without_cost, c->runs_ended);
	else
		page_item(p->out, "runs", "no run has ended");
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
