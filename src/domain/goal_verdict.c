/* goal_verdict - see goal_verdict.h. */
#include "config.h"

#include "domain/goal_verdict.h"

#include <math.h>
#include <string.h>
#include <strings.h>

static const struct word result_words[] = {
	{ "unknown", "not measured on this configuration" },
	{ "not counted", "the value is reached, but L2 is not confirmed" },
	{ "pass", "the goal holds here" },
	{ "undecided", "this evidence cannot tell" },
	{ "fail", "the goal does not hold here" },
	{ "inherited", "missed as the reference misses it" },
};
const struct words words_goal_result = { "goal result", result_words, ARRAY_LEN(result_words) };

/* ---- the values ---- */

bool goal_is_perplexity(const char *unit)
{
	return strcasecmp(unit, "ppl") == 0 || strcasecmp(unit, "perplexity") == 0;
}

double goal_log_percent(double nats)
{
	return 100 * expm1(nats);
}

static double on_scale(const struct goal_evidence *e, double v)
{
	if (!e->perplexity)
		return v;
	return v > 0 ? log(v) : NAN;
}

double goal_evidence_gap(const struct goal_evidence *e)
{
	return goal_gap(e->test, on_scale(e, e->value), on_scale(e, e->reference));
}

/* A margin is written in the unit of the values: of a perplexity it is the distance that
 * it makes beside the reference. */
static double margin_on_scale(const struct goal_evidence *e)
{
	double sign = e->test->direction == DIRECTION_LOWER ? 1 : -1;

	if (!e->perplexity)
		return e->match_margin;
	return fabs(on_scale(e, e->reference + sign * e->match_margin) -
		on_scale(e, e->reference));
}

static bool is_zero(double margin)
{
	return !(fabs(margin) > 0);
}

static enum truth matches_by_points(const struct goal_evidence *e, const struct goal_test *test)
{
	double gap = goal_evidence_gap(e);
	enum truth point =
		goal_matches(test, on_scale(e, e->value), on_scale(e, e->reference));

	if (point != TRUTH_FALSE || e->strict || !is_zero(test->margin) || isnan(e->half_width))
		return point;
	return gap + e->half_width >= 0 ? TRUTH_UNKNOWN : TRUTH_FALSE;
}

static bool has_interval(const struct goal_evidence *e)
{
	return !isnan(e->interval.low) && !isnan(e->interval.high);
}

static bool may_be_equal(const struct goal_evidence *e)
{
	double gap = goal_evidence_gap(e);

	if (e->strict)
		return false;
	if (has_interval(e))
		return e->interval.low <= 0 && e->interval.high >= 0;
	return !isnan(gap) && !isnan(e->half_width) && fabs(gap) <= e->half_width;
}

static enum truth holds(const struct goal_evidence *e, double value, double baseline)
{
	struct goal_test test = *e->test;

	if (e->reference_is_target && test.form == FORM_THRESHOLD)
		test.target = e->reference;
	return goal_holds(&test, value, baseline);
}

struct goal_facts goal_facts_of(const struct goal_evidence *e)
{
	struct goal_test match = *e->test;
	struct goal_facts f = {
		.holds = holds(e, e->value, e->baseline),
		.reference = holds(e, e->reference, e->reference_baseline),
		.margin_is_zero = is_zero(e->match_margin),
		.may_be_equal = may_be_equal(e),
	};

	match.margin = margin_on_scale(e);
	f.matches = has_interval(e) && !e->strict
		? goal_matches_interval(&match, e->interval.low, e->interval.high)
		: matches_by_points(e, &match);
	return f;
}

/* ---- the table ---- */

enum { ANY = -1, YES = TRUTH_TRUE, NO = TRUTH_FALSE, OPEN = TRUTH_UNKNOWN };
enum { L2_ANY, L2_CONFIRMED, L2_REFUTED, L2_OPEN, L2_NOT_CONFIRMED };

struct row {
	int holds, reference, matches, integrity;
	bool needs_resolution;	/* fits only where M is not refuted, 0 possible, margin 0 */
	enum goal_result result;
	enum check_result level;
	const char *sentence;
};

static const struct row rows[GOAL_ROWS] = {
	{ OPEN, ANY, ANY, L2_ANY, false, GOAL_UNKNOWN, CHECK_UNKNOWN,
		"unknown: nothing here tells whether the goal holds" },
	{ YES, ANY, ANY, L2_NOT_CONFIRMED, false, GOAL_NOT_COUNTED, CHECK_UNKNOWN,
		"the value is reached and does not count: L2 is not confirmed" },
	{ YES, YES, ANY, L2_CONFIRMED, false, GOAL_PASS, CHECK_CONFIRMED,
		"pass: the goal holds here, as it does for the reference" },
	{ YES, NO, ANY, L2_CONFIRMED, false, GOAL_PASS, CHECK_CONFIRMED,
		"pass, but the reference misses the goal: why is the migration better?" },
	{ YES, OPEN, ANY, L2_CONFIRMED, false, GOAL_PASS, CHECK_CONFIRMED,
		"pass, with no reference beside it" },
	{ NO, YES, ANY, L2_CONFIRMED, true, GOAL_UNDECIDED, CHECK_UNKNOWN,
		"undecided: worse by less than this evidence resolves, with a margin of 0" },
	{ NO, YES, ANY, L2_ANY, false, GOAL_FAIL, CHECK_REFUTED,
		"fail, by the migration: the reference reaches the goal" },
	{ NO, NO, YES, L2_CONFIRMED, false, GOAL_INHERITED, CHECK_CONFIRMED,
		"inherited: the reference misses the goal too, and the migration matches it" },
	{ NO, NO, YES, L2_OPEN, false, GOAL_UNDECIDED, CHECK_UNKNOWN,
		"undecided: missed as the reference misses it, but L2 is not known" },
	{ NO, NO, YES, L2_REFUTED, false, GOAL_FAIL, CHECK_REFUTED,
		"fail: missed as the reference misses it, and L2 is refuted" },
	{ NO, NO, NO, L2_ANY, false, GOAL_FAIL, CHECK_REFUTED,
		"fail, by the migration: worse than a reference that misses the goal itself" },
	{ NO, NO, OPEN, L2_ANY, false, GOAL_UNDECIDED, CHECK_UNKNOWN,
		"undecided: both miss the goal, and whether they match is not known" },
	{ NO, OPEN, ANY, L2_ANY, false, GOAL_UNDECIDED, CHECK_UNKNOWN,
		"undecided: the goal is missed; make the run of the reference first" },
};

static bool fits_truth(int wanted, enum truth have)
{
	return wanted == ANY || wanted == (int)have;
}

static bool fits_integrity(int wanted, enum check_result have)
{
	switch (wanted) {
	case L2_CONFIRMED: return have == CHECK_CONFIRMED;
	case L2_REFUTED: return have == CHECK_REFUTED;
	case L2_OPEN: return have != CHECK_CONFIRMED && have != CHECK_REFUTED;
	case L2_NOT_CONFIRMED: return have != CHECK_CONFIRMED;
	default: return true;
	}
}

static bool fits(const struct row *r, const struct goal_facts *f, enum check_result integrity)
{
	if (r->needs_resolution &&
		!(f->matches != TRUTH_FALSE && f->may_be_equal && f->margin_is_zero))
		return false;
	return fits_truth(r->holds, f->holds) && fits_truth(r->reference, f->reference) &&
		fits_truth(r->matches, f->matches) && fits_integrity(r->integrity, integrity);
}

struct goal_verdict goal_verdict(
	const struct goal_facts *f, enum check_result integrity, bool signed_off)
{
	size_t i = 0;
	struct goal_verdict v;

	while (i + 1 < GOAL_ROWS && !fits(&rows[i], f, integrity))
		i++;
	v = (struct goal_verdict){
		.row = (int)i + 1,
		.result = rows[i].result,
		.level = rows[i].level,
		.reference_misses = i + 1 == 4,
		.no_reference = f->reference == TRUTH_UNKNOWN && i > 1,
		.awaits_signoff = rows[i].result == GOAL_INHERITED && !signed_off,
		.sentence = rows[i].sentence,
	};
	if (v.awaits_signoff)
		v.level = CHECK_UNKNOWN;
	return v;
}

const char *goal_row_sentence(int row)
{
	return row >= 1 && row <= GOAL_ROWS ? rows[row - 1].sentence : NULL;
}
