/*
 * run_comparison - a run of an attempt beside a run of the reference.
 *
 * Finds the partner, reads the curves of both, asks "comparable?" first, and
 * compares one metric.  A red item stops the verdict: the numbers are still
 * there, the word for them is not.
 *
 *	struct run_comparison *c;
 *	struct comparison_request r = { .attempt_run = "ps-...", .goal = "accuracy" };
 *
 *	if (run_comparison_make(&c, ws, &r) < 0)
 *		return -1;
 *	run_comparison_free(c);
 */
#ifndef PORTSIDE_WORKSPACE_COMPARISON_H
#define PORTSIDE_WORKSPACE_COMPARISON_H

#include <stdatomic.h>

#include "curve/comparable.h"
#include "curve/compare.h"
#include "curve/provenance.h"
#include "curve/run_files.h"
#include "domain/configuration.h"
#include "domain/object.h"
#include "workspace/workspace.h"

struct comparison_request {
	const char *attempt_run;	/* run id, or an attempt: then its latest run with curves */
	const char *reference_run;	/* NULL: the best partner */
	const char *goal;		/* NULL: the first goal, else METRIC */
	const char *metric;		/* name of a series; NULL: the goal's */
	struct align_options align;
	bool has_tolerance;
	struct tolerance tolerance;	/* else the goal's */
	enum run_kind kind;		/* when an attempt was named: RUN_KIND_NONE takes full, then smoke */
	const char *configuration;	/* likewise; NULL: any, the intended one first */
	const struct position *at;
	const atomic_bool *cancel;
};

struct comparison_side {
	const struct run_state *run;
	const char *name;		/* "sim-gpu seed 1", "#7 sim-tpu-4 seed 1" */
	struct run_files *files;
	const struct series *series;	/* of the metric; NULL: not logged */
	struct run_facts facts;
};

struct run_comparison {
	struct arena arena;
	struct comparison_side reference, attempt;
	bool has_reference;
	const char *metric;		/* name of the series */
	const char *goal;		/* name, "" when none */
	const char *unit;
	double scale;
	const char **metrics;		/* series that both sides have, eval ones first */
	size_t n_metrics;
	struct comparable comparable;
	bool has_comparison;
	struct comparison comparison;
	struct provenance_report provenance;
	size_t reference_runs;		/* full runs of the reference: 3 give a spread */
	const char *verdict;		/* one line; says "not comparable: ..." where a red item stops it */
	const char *missing;		/* why there is nothing to compare, "" when there is */
};

int run_comparison_make(struct run_comparison **out, struct workspace *ws, const struct comparison_request *r) ATTR_MUST_USE;
void run_comparison_free(struct run_comparison *c);	/* NULL is fine */

/* Another metric of the same two runs; no file is read again. */
int run_comparison_choose(struct run_comparison *c, struct workspace *ws, const char *metric, const struct comparison_request *r) ATTR_MUST_USE;

/* The partner of RUN among the runs of the reference: the same kind and seed,
 * on the reference target, the newest that ended; NULL when there is none. */
const struct run_state *run_comparison_partner(struct run_state *const *reference_runs, size_t n, const struct run_state *run,
	const char *reference_target);

#endif
