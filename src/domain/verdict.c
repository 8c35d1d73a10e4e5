/* verdict - see verdict.h. */
#include "config.h"

#include "domain/verdict.h"

#include <math.h>

static const struct word claim_words[] = {
	{ "", "no claim" },
	{ "match", "claimed = measured" },
	{ "over-claim", "claimed above all that could still be true" },
	{ "unsupported", "claimed above what was measured; it may still be true" },
	{ "under-claim", "claimed below what was measured" },
};
const struct words words_claim_verdict = { "claim verdict", claim_words, ARRAY_LEN(claim_words) };

static const struct word l3_words[] = {
	{ "unknown", "no value from the intended configuration" },
	{ "predicate true, not counted", "execution integrity is not confirmed" },
	{ "pass", "the goal holds" },
	{ "inherited", "the reference missed it too, and the target matches the reference" },
	{ "undecided", "the evidence decides neither way" },
	{ "fail", "the goal is missed" },
};
const struct words words_l3 = { "L3 result", l3_words, ARRAY_LEN(l3_words) };

enum claim_verdict claim_verdict(enum level claimed, const struct ladder *measured)
{
	if (claimed == LEVEL_UNSET)
		return CLAIM_NOTHING;
	if (claimed == measured->level)
		return CLAIM_MATCH;
	if (claimed < measured->level)
		return CLAIM_UNDER;
	return claimed > measured->upper ? CLAIM_OVER : CLAIM_UNSUPPORTED;
}

bool claim_surprise(enum level expected, const struct ladder *measured)
{
	return expected != LEVEL_UNSET && expected != measured->level;
}

static double sign(const struct goal_test *g)
{
	return g->direction == DIRECTION_LOWER ? -1 : 1;
}

/* Decimal values such as 92.20 - 91.20 must not miss their margin by one bit. */
static double slack(double a, double b)
{
	return 1e-9 * fmax(1, fmax(fabs(a), fabs(b)));
}

static enum truth at_least(double x, double limit)
{
	if (isnan(x) || isnan(limit))
		return TRUTH_UNKNOWN;
	return x >= limit - slack(x, limit) ? TRUTH_TRUE : TRUTH_FALSE;
}

enum truth goal_holds(const struct goal_test *g, double x, double baseline)
{
	switch (g->form) {
	case FORM_THRESHOLD:
		return at_least(sign(g) * (x - g->target), -g->margin);
	case FORM_ORDERING:
		return truth_not(at_least(g->margin, sign(g) * (x - baseline)));
	case FORM_BAND:
		return truth_and(at_least(x, g->low), at_least(g->high, x));
	case FORM_NONE:
		break;
	}
	return TRUTH_UNKNOWN;
}

double goal_gap(const struct goal_test *g, double target, double reference)
{
	return sign(g) * (target - reference);
}

enum truth goal_matches(const struct goal_test *g, double target, double reference)
{
	return at_least(goal_gap(g, target, reference), -g->margin);
}

enum truth goal_matches_interval(const struct goal_test *g, double low, double high)
{
	if (isnan(low) || isnan(high))
		return TRUTH_UNKNOWN;
	if (low > -g->margin)
		return TRUTH_TRUE;
	return high < -g->margin ? TRUTH_FALSE : TRUTH_UNKNOWN;
}

/* ---- the L3 rule ---------------------------------------------------------- */

/* A cell of the table: T, F, unknown, any, or "not refuted". */
enum cell { ANY, T, F, U, NOT_F };

struct l3_row {
	enum cell target, reference, match;
	enum cell integrity;		/* T confirmed, F refuted, U open, NOT_F: not confirmed */
	bool undecidable;		/* only when the gap cannot be told from 0 */
	struct l3_verdict verdict;
};

static const struct l3_row l3_rows[] = {
	{ U, ANY, ANY, ANY, false,
		{ 1, L3_UNKNOWN, CHECK_UNKNOWN, "", "no value from the intended configuration",
			false } },
	{ T, ANY, ANY, NOT_F, false,
		{ 2, L3_NOT_COUNTED, CHECK_UNKNOWN, "l2-not-confirmed",
			"the goal's predicate is true, not counted: L2 is not confirmed", false } },
	{ T, T, ANY, T, false, { 3, L3_PASS, CHECK_CONFIRMED, "", "pass", false } },
	{ T, F, ANY, T, false,
		{ 4, L3_PASS, CHECK_CONFIRMED, "reference-misses-claim",
			"pass, and the reference misses the goal: why is the migration better?",
			false } },
	{ T, U, ANY, T, false,
		{ 5, L3_PASS, CHECK_CONFIRMED, "no-reference", "pass, without a reference",
			false } },
	{ F, T, NOT_F, T, true,
		{ 6, L3_UNDECIDED, CHECK_UNKNOWN, "within-resolution",
			"undecided: the gap cannot be told from 0 and the margin is 0", false } },
	{ F, T, ANY, ANY, false,
		{ 7, L3_FAIL, CHECK_REFUTED, "migration-induced", "fail: induced by the migration",
			false } },
	{ F, F, T, T, false,
		{ 8, L3_INHERITED, CHECK_CONFIRMED, "inherited",
			"inherited: the reference misses the goal too; needs a sign-off", true } },
	{ F, F, T, U, false,
		{ 9, L3_UNDECIDED, CHECK_UNKNOWN, "l2-open",
			"undecided: matches the reference, L2 is open", false } },
	{ F, F, T, F, false,
		{ 10, L3_FAIL, CHECK_REFUTED, "l2-refuted",
			"fail: matches the reference, but L2 is refuted", false } },
	{ F, F, F, ANY, false,
		{ 11, L3_FAIL, CHECK_REFUTED, "migration-induced",
			"fail: induced by the migration on top of a missed goal", false } },
	{ F, F, U, ANY, false,
		{ 12, L3_UNDECIDED, CHECK_UNKNOWN, "match-unknown",
			"undecided: not known whether it matches the reference", false } },
	{ F, U, ANY, ANY, false,
		{ 13, L3_UNDECIDED, CHECK_UNKNOWN, "no-reference",
			"undecided: make the reference first", false } },
};

static bool truth_fits(enum cell c, enum truth t)
{
	switch (c) {
	case ANY: return true;
	case T: return t == TRUTH_TRUE;
	case F: return t == TRUTH_FALSE;
	case U: return t == TRUTH_UNKNOWN;
	case NOT_F: return t != TRUTH_FALSE;
	}
	return false;
}

/* In the column of L2, NOT_F reads "not confirmed". */
static bool integrity_fits(enum cell c, enum check_result r)
{
	if (c == NOT_F)
		return r != CHECK_CONFIRMED;
	return truth_fits(c, check_truth(r));
}

struct l3_verdict l3_decide(const struct l3_facts *f)
{
	for (size_t i = 0; i < ARRAY_LEN(l3_rows); i++) {
		const struct l3_row *row = &l3_rows[i];

		if (truth_fits(row->target, f->target) &&
			    truth_fits(row->reference, f->reference) &&
			    truth_fits(row->match, f->match) &&
			    integrity_fits(row->integrity, f->integrity) &&
			    (!row->undecidable || (f->undecidable_gap && !f->strict)))
			return row->verdict;
	}
	return l3_rows[0].verdict;
}
