/*
 * run_comparison - a run of an attempt beside a run of the reference.
 *
 * Finds the partner, follows the curves of both, asks "comparable?" first, and
 * compares one metric.  A red item stops the verdict: the numbers are still
 * there, the word for them is not.
 *
 * Opening reads the log alone; the curve files are read in steps, so that a
 * screen can draw in between, and again while a run grows.  After opening no
 * database and no repository is needed: a comparison can be handed from thread
 * to thread, one owner at a time.
 *
 *	struct run_comparison *c;
 *	struct comparison_request r = { .attempt_run = "7", .goal = "accuracy" };
 *
 *	if (run_comparison_open(&c, ws, &r, NULL) < 0)
 *		return -1;
 *	while (run_comparison_read(c, NULL) == CURVE_MORE)
 *		;
 *	if (run_comparison_choose(c, NULL) < 0)
 *		return -1;
 *	puts(c->verdict);
 *	run_comparison_free(c);
 *
 * The partner of a run among those of the reference: of the same kind; then one
 * that did not fail; then with the same seed; then on the reference target;
 * then one that has ended; of equals the newest.
 *
 * Repeats are further runs of the same configuration, whatever their seeds: those of
 * the reference tell its own noise, those of the attempt what several seeds show.
 * run_comparison_assess() says what the evidence allows; it takes a moment with long
 * curves, so that a screen draws first and assesses when all is read.
 *
 * The tolerance is what was asked for; else that of the goal; else that of the
 * [curve] of portside.conf that names the series; else two percent of the
 * reference, which reads "default, nobody chose it".
 *
 * Where a log counts no training steps, what both do have (epochs, else time) is paired, and
 * a warning says so; with nothing in common MISSING does.
 *
 * A [difference] of portside.conf turns an input that differs from an obstacle
 * into a condition of the verdict.  One that was accepted after the attempt's run
 * had been prepared says so.
 *
 * Looked at in the past (request.at), curves are cut at that moment by the wall
 * time of their points.  A curve without times is shown whole when its run had
 * ended by then, else not at all, and a sentence says so.
 */
#ifndef PORTSIDE_WORKSPACE_COMPARISON_H
#define PORTSIDE_WORKSPACE_COMPARISON_H

#include <stdatomic.h>

#include "curve/assessment.h"
#include "curve/comparable.h"
#include "curve/compare.h"
#include "curve/provenance.h"
#include "curve/run_files.h"
#include "domain/configuration.h"
#include "domain/object.h"
#include "workspace/accepted.h"
#include "workspace/run_facts.h"
#include "workspace/run_predictions.h"
#include "workspace/workspace.h"

enum { COMPARISON_REPEATS_MAX = 8 };

struct comparison_request {
	const char *attempt_run;	/* run id, or an attempt: then its latest run with curves */
	const char *reference_run;	/* NULL: the best partner; a run, or another attempt */
	const char *goal;		/* NULL: the first goal, else METRIC */
	const char *metric;		/* name of a series; NULL: the goal's */
	struct align_options align;
	bool has_tolerance;
	struct tolerance tolerance;	/* else the goal's */
	double share;			/* of the points that must be inside; 0: all */
	bool want_sigma;		/* the difference in spreads of the reference is shown */
	bool may_be_itself;		/* of two rows that somebody named both may be one run */
	bool want_predictions;		/* what both answered, example by example, is read */
	/* when an attempt was named: RUN_KIND_NONE takes full, then smoke */
	enum run_kind kind;
	const char *configuration;	/* likewise; NULL: any, the intended one first */
	const struct position *at;
	const atomic_bool *cancel;	/* of run_comparison_make() */
};

struct comparison_side {
	const struct run_state *run;
	const char *name;		/* "sim-gpu seed 1", "#7 sim-tpu-4 seed 1" */
	const char *rundir;		/* its folder; NULL: not on this machine */
	const char *brought_by;		/* who imported it; "" for a run that was seen */
	bool live;			/* its files may still grow */
	struct run_files *files;
	const struct series *series;	/* of the metric; NULL: not logged, or hidden */
	struct series cut;		/* SERIES points here when it is cut in time */
	bool hidden;			/* cannot be cut, and was unfinished then */
	bool complete;			/* ended, and read to the end */
	struct run_facts facts;
	struct run_facts_cache facts_cache;
};

/* The reference's repeats against each other, at their last common point. */
struct reference_spread {
	size_t n;			/* runs with the metric, the partner included */
	double low, high;		/* |gap| of two of them, as shown; NaN below 2 runs */
	double last_low, last_high;	/* their last values, as shown */
	const char *left;		/* why repeats were not read, "" */
};

struct run_comparison {
	struct arena arena;
	struct arena metric_arena;	/* texts about the metric at hand */
	struct accepted accepted;	/* the configuration in force */
	struct comparison_request request;	/* texts are in the arena; AT, CANCEL are NULL */
	double until_wall_s;		/* 0: now */
	struct comparison_side reference, attempt;
	struct comparison_side *repeats;	/* further runs like the reference's */
	size_t n_repeats;
	struct comparison_side *attempt_repeats;	/* further seeds of the attempt's */
	size_t n_attempt_repeats;
	/* the attempt's run on another configuration; run NULL: none */
	struct comparison_side sibling;
	bool has_reference;
	bool against_attempt;		/* R is a run of an attempt, no reference */
	const char *metric;		/* name of the series */
	const char *goal;		/* name, "" when none */
	const char *unit;
	double scale;
	int decimals;			/* of values as shown, by the goal's margin; -1: no goal */
	/* series of the attempt, those of both sides and eval ones first */
	const char **metrics;
	size_t n_metrics, n_common;	/* the first N_COMMON are in both */
	/* differences on purpose, of portside.conf */
	struct comparable_declaration *declared;
	size_t n_declared;
	struct comparable comparable;
	bool has_comparison;
	struct comparison comparison;
	struct provenance_report provenance;
	struct run_predictions *predictions;	/* when they were wanted */
	size_t n_predictions;
	bool has_assessment;
	struct assessment assessment;	/* see run_comparison_assess() */
	struct reference_spread spread;
	/* one line; says "not comparable: ..." where a red item stops it */
	const char *verdict;
	const char *missing;		/* why there is nothing to compare, "" when there is */
	/* what is paired: that of the request, or what both logs have in place of steps */
	enum align_axis axis;
	bool is_unaligned;		/* both log the metric, on no axis that both have */
	const char *next;		/* the next useful step, "" */
};

/* REUSE (may be NULL) is used up: files of the same runs are not read again. */
int run_comparison_open(struct run_comparison **out, struct workspace *ws,
	const struct comparison_request *r, struct run_comparison *reuse) ATTR_MUST_USE;

/* Reads what is new, a step of each file; enum curve_progress or ERR_CANCELLED. */
int run_comparison_read(struct run_comparison *c, const atomic_bool *cancel) ATTR_MUST_USE;

/* Compares METRIC from what was read.  NULL: the one at hand, else as "".
 * "": the request's, else that of the request's goal, else the first.  C's own
 * request.goal, align and tolerance count. */
int run_comparison_choose(struct run_comparison *c, const char *metric) ATTR_MUST_USE;

/* Fills ASSESSMENT for the metric at hand; nothing without a comparison.  It lasts
 * until the next run_comparison_choose(). */
void run_comparison_assess(struct run_comparison *c);

/* Another side beside the reference, judged as the attempt is: for tables of several
 * runs and further curves in one picture.  comparison_release() it. */
int run_comparison_beside(struct comparison *out, const struct run_comparison *c,
	const struct comparison_side *side) ATTR_MUST_USE;

/* The series of METRIC, as above, without comparing them, which takes its time with long
 * curves: MISSING says so.  For a first picture. */
void run_comparison_show(struct run_comparison *c, const char *metric);

/* Opened, read to the end, and compared. */
int run_comparison_make(struct run_comparison **out, struct workspace *ws,
	const struct comparison_request *r) ATTR_MUST_USE;
void run_comparison_free(struct run_comparison *c);	/* NULL is fine */

bool run_comparison_is_live(const struct run_comparison *c);

/* One side alone, for further curves in one picture.  S is zeroed; files from
 * REUSE (NULL: none) when it is the same run.  comparison_side_release(). */
int comparison_side_open(struct comparison_side *s, struct workspace *ws,
	const struct run_state *run, struct arena *a, struct comparison_side *reuse) ATTR_MUST_USE;
void comparison_side_choose(struct comparison_side *s, const char *metric, double until_wall_s);
void comparison_side_release(struct comparison_side *s);

/* Seconds since 1970 of the event at AT; 0 for NULL, which is now. */
int comparison_until(double *out, struct workspace *ws, const struct position *at) ATTR_MUST_USE;

/* The differences on purpose that CONFIG, in force, has (declared_n of them), with their
 * reasons: of one that came after RUN the reason says so.  Texts in A or CONFIG's. */
int comparison_declared(struct comparable_declaration **out, struct workspace *ws,
	const struct config *config, const struct run_state *run, struct arena *a) ATTR_MUST_USE;

/* See the rules above; NULL when there is none. */
const struct run_state *run_comparison_partner(struct run_state *const *reference_runs, size_t n,
	const struct run_state *run, const char *reference_target);

/* The run of an attempt that says most: of KIND and CONFIGURATION where given,
 * else full before smoke, the intended configuration first, then the newest. */
const struct run_state *run_comparison_best(struct run_state *const *runs, size_t n,
	enum run_kind kind, const char *configuration, const char *intended);

/* "#7 sim-tpu-4 smoke seed 1" in A. */
const char *run_comparison_name(struct arena *a, const struct run_state *run);

#endif
