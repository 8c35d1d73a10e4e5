/*
 * verdict - what was claimed against what was measured, and whether a goal holds.
 *
 * The formula of each stands with its function.  All values of a goal are in its unit
 * after scaling (88.46 pp, not 0.8846).
 */
#ifndef PORTSIDE_DOMAIN_VERDICT_H
#define PORTSIDE_DOMAIN_VERDICT_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/expr.h"
#include "domain/check.h"
#include "domain/level.h"

/* Claimed against measured. */
enum claim_verdict {
	CLAIM_NOTHING,		/* no claim */
	CLAIM_MATCH, CLAIM_OVER, CLAIM_UNSUPPORTED, CLAIM_UNDER,
};
extern const struct words words_claim_verdict;
enum claim_verdict claim_verdict(enum level claimed, const struct ladder *measured);
/* True when an expectation exists and differs from the measured level. */
bool claim_surprise(enum level expected, const struct ladder *measured);

/* A goal's predicate. */
struct goal_test {
	enum goal_form form;
	enum goal_direction direction;
	double target;		/* threshold */
	double margin;		/* threshold: accepted distance; ordering: required lead */
	double low, high;	/* band, inclusive */
};

/* Does X satisfy it?  BASELINE is read by ordering only.  NaN is unknown. */
enum truth goal_holds(const struct goal_test *g, double x, double baseline);

/*
 * Does the target match the reference: s * (target - reference) >= -margin?
 * With an interval of the gap (LOW <= HIGH, in s * (target - reference)) its
 * lower end decides for and its upper end against.
 */
enum truth goal_matches(const struct goal_test *g, double target, double reference);
enum truth goal_matches_interval(const struct goal_test *g, double low, double high);

/* s * (target - reference): below 0 is worse; NaN when either is. */
double goal_gap(const struct goal_test *g, double target, double reference);

#endif
