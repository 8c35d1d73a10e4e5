/*
 * performance_endpoint - how long what [level "L4"] of portside.conf names took on one side.
 *
 *	full-run	from the start of the run to its end, preparation included
 *	training-step	one step at steady state: the median over the steps behind the first
 *			tenth of them (at least 5, with at least 20 left), preparation excluded
 *	quality		from the start of the run to the first evaluation at which the goal
 *			that is named reaches its target, preparation included
 *
 * Anything else (one request, one batch of inference, a step with its compilation) is not
 * measured here and stays unknown, with the sentence why.  Times of steps are those that
 * the run logged, else what lies between the wall times of its loss.
 *
 *	struct endpoint_time t;
 *
 *	performance_endpoint(&t, c, &c->attempt, &arena);
 *	if (t.ns)
 *		puts(t.text);
 */
#ifndef PORTSIDE_WORKSPACE_PERFORMANCE_ENDPOINT_H
#define PORTSIDE_WORKSPACE_PERFORMANCE_ENDPOINT_H

#include "workspace/comparison.h"

struct endpoint_time {
	int64_t ns;		/* 0: not known */
	const char *text; /* "1.98 h", "0.212 s a step (median of 900)"; why it is not known */
};

/* C is a comparison of the goal that is named, where one is.  Texts in A. */
void performance_endpoint(struct endpoint_time *out, const struct run_comparison *c,
	const struct comparison_side *side, struct arena *a);

/* Does this program measure what L4 names?  WHY (of A): why not. */
bool performance_endpoint_is_measured(
	const struct config_level *l4, const char **why, struct arena *a);

#endif
