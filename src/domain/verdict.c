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
