/*
 * projection - how long will a run take, from the steps seen so far.
 *
 *	thr   = 3 * (10th percentile of all step times)
 *	w     = first of 10 consecutive steps <= thr
 *	post  = steps from max(w + 10, n/5);  med = median(post)
 *	steady = mean of post <= 3*med
 *	spikes = share of post > 3*med, each costing the mean excess over med
 *	T     = elapsed + left*(steady + share*cost) + evaluations + saves left
 *
 * Refused (with a reason) while there is no w or post has under 20 steps.  The
 * interval is the exact Poisson interval of the spike count; without a spike seen
 * the upper bound takes the largest post step as the cost of one.  Drift is missed
 * by every such rule: project again, and look at the slope.
 *
 * Also here: does the step time have two classes (recompilation)?
 */
#ifndef PORTSIDE_CURVE_PROJECTION_H
#define PORTSIDE_CURVE_PROJECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "curve/statistics.h"

struct projection_input {
	/* duration of each step so far, seconds; non-finite are left out */
	const double *step_s;
	size_t n;
	int64_t total_steps;
	double elapsed_s;		/* NaN: the sum of step_s */
	int64_t evaluations_left;
	double evaluation_s;
	int64_t saves_left;
	double save_s;
};

enum run_time_state {
	RUN_TIME_OK,
	RUN_TIME_NO_STEPS,
	RUN_TIME_STILL_WARMING_UP,	/* no w yet */
	RUN_TIME_TOO_FEW_STEPS,	/* fewer than 20 after the warm-up */
};

struct projection {
	enum run_time_state state;
	size_t warmup_end;		/* w, from 0 */
	size_t n_post, n_spikes;
	double median_s, steady_s, spike_share, spike_cost_s;
	double total_s;			/* T */
	struct interval interval_s;	/* 95 % */
	double naive_s;			/* with the plain mean, to show what warm-up does */
	double slope_s;			/* Theil-Sen slope of post step times, seconds a step */
};

void project_run_time(struct projection *out, const struct projection_input *in);
const char *run_time_state_text(enum run_time_state s);	/* why it was refused; "" when OK */

/* Certainly over (lower bound), possibly over (upper bound), or not. */
enum projection_budget { BUDGET_WITHIN, BUDGET_MAY_EXCEED, BUDGET_WILL_EXCEED, BUDGET_UNKNOWN };
enum projection_budget projection_against(const struct projection *p, double budget_s);

/* A T + (G_end - G_t): the final metric if the gap of now stays. */
double project_final_metric(double reference_now, double reference_end, double attempt_now);

/* Otsu's split of ln(step time); flags recompilation when the ratio is > 3,
 * Ashman's D > 2 and the upper class holds over 1 %. */
struct step_split {
	bool valid;			/* 2 or more positive values that are not all equal */
	size_t n_lower, n_upper;
	double mean_lower, mean_upper;	/* of ln */
	double sd_lower, sd_upper;	/* 1/n */
	double ratio, d, share;		/* d is +Inf when both sd are 0 */
	bool two_classes;
};
void step_time_split(struct step_split *out, const double *step_s, size_t n);

#endif
