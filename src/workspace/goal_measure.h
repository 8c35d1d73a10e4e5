/*
 * goal_measure - what the curves of one configuration say of one goal.
 *
 * The run that says most there is asked (the newest full one, else the newest whose kind
 * nobody told; a smoke run measures no goal), beside its partner of the reference.  With
 * further seeds a side it is their means and the interval of their gap.
 *
 * Whether the two may be compared at all comes first: what stands in the way is named, and
 * everything is unknown then.  Two runs of the reference with one seed that are further
 * apart than the tolerance make it unusable: what it reaches, and whether the attempt
 * matches it, are unknown; its figures are shown.  A target that only simulates can miss a goal and never
 * reach it.  Curve files count as they are on record: one that has changed since, or is
 * gone, makes the answer unknown.
 *
 * A comparison that cannot be made (no axis that both have, files that cannot be read) is
 * no error of the caller: the goal is unknown, "not measured", and the reason stands there.
 *
 *	struct goal_measure m;
 *
 *	if (goal_measure(&m, ws, &(struct goal_request){ "7", "v5e-4", "accuracy" }, &arena) < 0)
 *		return -1;
 *	if (m.run)
 *		puts(m.text);
 */
#ifndef PORTSIDE_WORKSPACE_GOAL_MEASURE_H
#define PORTSIDE_WORKSPACE_GOAL_MEASURE_H

#include <stdatomic.h>

#include "domain/goal_verdict.h"
#include "domain/object.h"
#include "workspace/workspace.h"

struct goal_request {
	const char *attempt, *configuration, *goal;
	const atomic_bool *cancel;	/* may be NULL */
};

struct goal_measure {
	const struct run_state *run;	/* NULL: no run there measures the goal */
	const struct run_state *reference;	/* NULL: none that counts */
	enum check_result result;	/* of L3, as long as L2 is not known */
	struct goal_facts facts;
	double value, reference_value;	/* as shown; NaN: not measured */
	const char *text;		/* the figures, one line */
	const struct digest *evidence;	/* the curve files of both */
	size_t evidence_n;
};

/* Texts and runs in A.  ERR_CANCELLED. */
int goal_measure(struct goal_measure *out, struct workspace *ws, const struct goal_request *r,
	struct arena *a) ATTR_MUST_USE;

/* Standard error of the gap of two shares of N examples each, as if other ones had been
 * taken for each: sqrt(p(1-p)/n + q(1-q)/n), in percentage points. */
double goal_unpaired_error(int64_t k_reference, int64_t k_attempt, int64_t n);

struct comparison_side;
/* The files of a side's metric with digests that are on record; false when one is not. */
bool goal_evidence_of(struct digest *out, size_t *n, size_t max, struct workspace *ws,
	const struct comparison_side *side, struct arena *a);

#endif
