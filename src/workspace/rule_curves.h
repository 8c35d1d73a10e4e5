/*
 * rule_curves - the features of stop rules that come from curves: gaps of the
 * latest attempt against the reference, and how long a full run will take.
 *
 * Hours are of wall time, money is in dollars, gaps are in the goal's unit with
 * larger being worse.  What has no source is NaN or TRUTH_UNKNOWN, never 0, and no
 * error: nor is a curve that is not here or cannot be read.  Reading curves takes
 * its time; CANCEL (may be NULL) ends it with ERR_CANCELLED.  All texts are in A.
 */
#ifndef PORTSIDE_WORKSPACE_RULE_CURVES_H
#define PORTSIDE_WORKSPACE_RULE_CURVES_H

#include <stdatomic.h>

#include "base/expr.h"
#include "domain/configuration.h"
#include "domain/object.h"
#include "workspace/workspace.h"

struct rule_gap {
	const char *goal;
	double smoke, full;		/* in the goal's unit, larger is worse; NaN: no source */
};

/* Whose figures they are; texts are "" where there is none. */
struct rule_subject {
	const char *attempt, *run;
	const char *ended;		/* id of the event that ended the run */
	/* the same of the run or its partner, whichever came later */
	const char *pair_ended;
};

struct rule_curves {
	struct rule_subject smoke;	/* of the smoke gap */
	struct rule_subject full;	/* of the full gap */
	struct rule_subject projected;	/* of the projection: the later of the two */
	struct rule_gap *gaps;
	size_t n;
	enum truth comparable;		/* of the inputs of the smoke pair */
	double projected_hours, projected_usd;
	double projected_low_hours, projected_high_hours;
	size_t repeats;			/* ended smoke runs of the reference */
};

void rule_curves_init(struct rule_curves *c);	/* everything unknown */

/* RUN NULL: the runs of attempts that ended last, one of each kind; else that run alone. */
int rule_curves_read(struct rule_curves *out, struct workspace *ws, const struct config *config,
	const char *run, const struct position *at, const atomic_bool *cancel,
	struct arena *a) ATTR_MUST_USE;

/* Does this run of the reference tell how far its smoke runs are apart? */
bool rule_curves_is_repeat(const struct run_state *r);

/* The ended smoke runs of the reference; rule_curves_read() counts them as well. */
int rule_curves_repeats(size_t *out, struct workspace *ws, const struct position *at,
	struct arena *a) ATTR_MUST_USE;

/* NaN: no source */
double rule_curves_gap(const struct rule_curves *c, bool smoke, const char *goal);

#endif
