/* report_proof - the sections of a report about what is proven. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "base/err.h"
#include "command/checks.h"
#include "command/compare.h"
#include "command/report_section.h"
#include "domain/check.h"
#include "report/page.h"
#include "workspace/comparison.h"

enum { COMPARISONS_MAX = 40 };

/* ---- levels ---------------------------------------------------------------------- */

static const struct report_column level_columns[] = {
	{ .name = "attempt", .title = "attempt", .type = REPORT_TEXT },
	{ .name = "configuration", .title = "configuration", .type = REPORT_TEXT },
	{ .name = "claimed", .title = "claimed", .type = REPORT_TEXT },
	{ .name = "measured", .title = "measured", .type = REPORT_TEXT },
	{ .name = "l0", .title = "L0 runs", .type = REPORT_TEXT },
	{ .name = "l2", .title = "L2 as intended", .type = REPORT_TEXT },
	{ .name = "l3", .title = "L3 goal", .type = REPORT_TEXT },
	{ .name = "l4", .title = "L4 time and cost", .type = REPORT_TEXT },
	{ .name = "verdict", .title = "the claim is", .type = REPORT_TEXT },
};

static void add_level_row(
	struct report_table *t, const struct attempt_state *s, const struct measured *m)
{
	const struct claim *claim = attempt_claimed(s, m->configuration);
	struct buf measured = BUF_INIT;

	level_add_measured(&measured, &m->vector);
	measured_add_remarks(&measured, m);
	report_row(t);
	report_textf(t, "attempt", "%s", s->id);
	report_textf(
		t, "configuration", "%s%s", m->configuration, m->simulated ? " (simulated)" : "");
	if (claim)
		report_text(t, "claimed",
			claim->level == LEVEL_UNSET ? "no level" : level_name(claim->level));
	report_text(t, "measured", measured.s);
	report_text(t, "l0", word_name(&words_check, (int)m->vector.l0));
	report_text(t, "l2", word_name(&words_check, (int)m->vector.l2));
	report_text(t, "l3", word_name(&words_check, (int)m->vector.l3));
	report_text(t, "l4", word_name(&words_check, (int)m->vector.l4));
	report_text(t, "verdict", claim ? word_name(&words_claim_verdict, (int)m->claim) : NULL);
	buf_release(&measured);
}

static enum check_result result_of(
	const struct attempt_state *s, const char *configuration, const char *check)
{
	size_t n = strlen(check);

	for (size_t i = 0; i < s->checks_n; i++) {
		const struct check_brief *c = &s->checks[i];

		if (strcmp(c->configuration, configuration) == 0 &&
			strncmp(c->check, check, n) == 0 && (!c->check[n] || c->check[n] == '.'))
			return c->result;
	}
	return CHECK_NOT_CHECKED;
}

/* What a reader would else take for granted. */
static void list_not_checked(
	struct report_page *p, const struct attempt_state *s, const char *configuration)
{
	const char *level = "";
	bool any = false;

	page_sentence(
		p->out, "Not checked or not known for attempt %s on %s:", s->id, configuration);
	for (size_t i = 0; i < check_items_n; i++) {
		const struct check_item *item = &check_items[i];
		enum check_result r = result_of(s, configuration, item->id);

		if (strcmp(item->level, "L0") == 0 || r == CHECK_CONFIRMED || r == CHECK_REFUTED ||
			r == CHECK_NOT_APPLICABLE)
			continue;
		any = true;
		if (strcmp(level, item->level) != 0)
			level = item->level;
		page_item(p->out, NULL, "%s %s: %s%s", level, item->id, item->question,
			r == CHECK_UNKNOWN ? " (unknown)" : "");
	}
	if (!any)
		page_item(p->out, NULL, "nothing");
	buf_addc(p->out, '\n');
}

static void name_simulated(struct report_page *p)
{
	struct buf names = BUF_INIT;
	size_t n = 0;

	for (size_t i = 0; i < p->accepted.in_force.targets_n; i++)
		if (p->accepted.in_force.targets[i].simulates)
			buf_addf(&names, "%s%s", n++ ? ", " : "",
				p->accepted.in_force.targets[i].name);
	if (n)
		page_sentence(p->out,
			"%s %s simulated: runs there can refute levels L2 to L4 and never confirm "
			"them.",
			names.s, n == 1 ? "is" : "are");
	buf_release(&names);
}

int report_levels(struct report_page *p)
{
	struct report_table *t =
		report_table_new(p->a, "levels", level_columns, ARRAY_LEN(level_columns));

	page_heading(p->out, 2, "What is proven, and where");
	for (size_t i = 0; i < p->attempts.n; i++)
		for (size_t k = 0; k < p->attempts.rows[i].state->measured_n; k++)
			add_level_row(t, p->attempts.rows[i].state,
				&p->attempts.rows[i].state->measured[k]);
	if (!t->n_rows)
		report_note(t, "Nothing was run or checked yet, so no level is proven anywhere.");
	page_table(p->out, t);
	name_simulated(p);
	if (p->attempts.migration->required_n)
		page_sentence(p->out, "%s.", checks_required_text(p->attempts.migration, p->a));
	page_sentence(p->out,
		"A level holds on the configuration in its row and on no other. \"Not checked\" "
		"means that nobody looked.");
	if (p->best && *p->attempts.intended)
		list_not_checked(p, p->best, p->attempts.intended);
	return 0;
}

/* ---- curves ------------------------------------------------------------------------- */

static const struct report_column curve_columns[] = {
	{ .name = "attempt", .title = "attempt", .type = REPORT_TEXT },
	{ .name = "configuration", .title = "configuration", .type = REPORT_TEXT },
	{ .name = "run", .title = "run", .type = REPORT_TEXT },
	{ .name = "ended", .title = "ended", .type = REPORT_TEXT },
	{ .name = "metric", .title = "metric", .type = REPORT_TEXT },
	{ .name = "reference", .title = "reference", .type = REPORT_DOUBLE },
	{ .name = "value", .title = "attempt's", .type = REPORT_DOUBLE },
	{ .name = "difference", .title = "difference", .type = REPORT_DOUBLE },
	{ .name = "examples", .title = "in examples", .type = REPORT_TEXT },
	{ .name = "leaves", .title = "leaves between", .type = REPORT_TEXT },
	{ .name = "verdict", .title = "verdict", .type = REPORT_TEXT },
	{ .name = "word", .title = "what can be said", .type = REPORT_TEXT },
};

static void put_number(struct report_table *t, const char *name, double v)
{
	if (isfinite(v))
		report_double(t, name, v);
	else
		report_unknown(t, name);
}

/* Of an end that nobody saw, as of a run that was imported, no time is made up. */
static void put_end(struct report_table *t, const struct run_state *run)
{
	if (run && run->ended_ns)
		report_textf(t, "ended", "%.16sZ", run->ended);
	else if (run && run_status_ended(run->state))
		report_unknown(t, "ended");
}

/* Steps between the last point inside and the first of those that stay out. */
static void put_leaves(struct report_table *t, const struct comparison *c)
{
	struct buf b = BUF_INIT;

	if (!c->onset.n)
		return;
	if (c->onset.has_agreeing)
		compare_add_x(&b, c, c->onset.agreeing_key, c->onset.agreeing_x);
	else
		buf_adds(&b, "the start");
	buf_adds(&b, " and ");
	compare_add_x(&b, c, c->onset.disagreeing_key, c->onset.disagreeing_x);
	report_text(t, "leaves", b.s);
	buf_release(&b);
}

static void put_examples(struct report_table *t, const struct comparison *c)
{
	const struct examples_gap *g = &c->gap;

	if (g->state == EXAMPLES_EXACT || g->state == EXAMPLES_AMBIGUOUS)
		report_textf(t, "examples", "%s%lld of %lld",
			g->state == EXAMPLES_EXACT ? "" : "about ",
			(long long)(g->examples < 0 ? -g->examples : g->examples),
			(long long)c->options.examples);
}

static void add_curve_row(struct report_table *t, const char *attempt, const char *configuration,
	const struct run_comparison *c)
{
	double scale = c->scale == 0 ? 1 : c->scale;

	report_row(t);
	report_text(t, "attempt", attempt);
	report_text(t, "configuration", configuration);
	report_text(t, "run",
		c->attempt.run ? run_kind_text(c->attempt.run->kind) : NULL);
	put_end(t, c->attempt.run);
	report_textf(t, "metric", "%s%s%s", c->metric ? c->metric : "",
		c->unit && *c->unit ? ", " : "", c->unit ? c->unit : "");
	if (c->has_comparison) {
		put_number(t, "reference", c->comparison.final_reference * scale);
		put_number(t, "value", c->comparison.final_attempt * scale);
		put_number(t, "difference",
			(c->comparison.final_attempt - c->comparison.final_reference) * scale);
		put_examples(t, &c->comparison);
		put_leaves(t, &c->comparison);
		report_text(t, "word", seed_word_name(c->assessment.word));
	}
	report_text(t, "verdict", c->has_comparison ? c->verdict : c->missing);
}

/* The attempt that says most, on what was intended. */
static bool is_best(
	const struct report_page *p, const struct attempt_state *s, const char *configuration)
{
	return p->best && strcmp(p->best->id, s->id) == 0 &&
		strcmp(p->attempts.intended, configuration) == 0;
}

/* Every sentence about that one, for IN_FULL. */
static void add_sentences(struct buf *in_full, const struct run_comparison *c)
{
	struct export_comparison e;
	struct buf line = BUF_INIT;

	run_comparison_export(&e, c);
	for (size_t i = 1; buf_clear(&line), export_statement(&line, &e, i); i++)
		page_item(in_full, NULL, "%s", line.s);
	for (size_t i = 0; buf_clear(&line), export_detail(&line, &e, i); i++)
		if (line.n)
			page_item(in_full, NULL, "%s", line.s);
	buf_release(&line);
}

static int compare_one(struct report_page *p, struct report_table *t, struct buf *in_full,
	const struct attempt_state *s, const char *configuration)
{
	struct comparison_request q = { .attempt_run = s->id,
		.configuration = configuration,
		.want_predictions = true,
		.at = p->at,
		.cancel = p->call->progress.cancel };
	struct run_comparison *c;
	int rc = run_comparison_make(&c, p->ws, &q);

	if (rc == ERR_CANCELLED)
		return rc;
	if (rc < 0) {
		report_row(t);
		report_text(t, "attempt", s->id);
		report_text(t, "configuration", configuration);
		report_text(t, "verdict", err_text());
		err_clear();
		return 0;
	}
	run_comparison_assess(c);
	add_curve_row(t, s->id, configuration, c);
	if (c->has_comparison && is_best(p, s, configuration))
		add_sentences(in_full, c);
	run_comparison_free(c);
	return 0;
}

int report_curves(struct report_page *p)
{
	struct report_table *t =
		report_table_new(p->a, "curves", curve_columns, ARRAY_LEN(curve_columns));
	struct buf in_full = BUF_INIT;
	size_t left = 0;
	int rc = 0;

	page_heading(p->out, 2, "Does it train the same?");
	for (size_t i = 0; i < p->attempts.n; i++) {
		const struct attempt_state *s = p->attempts.rows[i].state;

		for (size_t k = 0; rc == 0 && k < s->measured_n; k++) {
			if (t->n_rows == COMPARISONS_MAX) {
				left++;
				continue;
			}
			call_report(
				p->call, "comparing curves", (int64_t)i, (int64_t)p->attempts.n);
			rc = compare_one(p, t, &in_full, s, s->measured[k].configuration);
		}
	}
	if (rc < 0) {
		buf_release(&in_full);
		return rc;
	}
	if (!t->n_rows)
		report_note(
			t, "No run of an attempt was made yet, so there is no curve to compare.");
	if (left)
		report_note(t,
			"%zu more comparisons are left out here; portside compare makes each.",
			left);
	page_table(p->out, t);
	if (t->n_rows)
		page_sentence(p->out,
			"The newest full run of each attempt and configuration, else the newest "
			"smoke run, beside the "
			"reference's run of the same kind and seed; last values. The reference is "
			"what the original code reaches here, "
			"not truth. A verdict tells whether the points are inside the tolerance; "
			"what can be said is what the evidence "
			"allows, and one seed never shows that two programs are equal. Neither is "
			"a level.");
	if (in_full.n) {
		page_sentence(p->out, "In full, for attempt %s on %s:", p->best->id,
			p->attempts.intended);
		buf_add(p->out, in_full.s, in_full.n);
		buf_addc(p->out, '\n');
	}
	buf_release(&in_full);
	return 0;
}
