/*
 * gap - how far apart two aligned curves are, over time and at the end.
 *
 * Works on plain columns: t ascending, g and t values of reference and attempt.
 * Pairs with a non-finite value are left out and counted.  Areas are split where
 * the curves cross; the unsplit trapezoid of |d| would overstate.
 */
#ifndef PORTSIDE_CURVE_GAP_H
#define PORTSIDE_CURVE_GAP_H

#include <stddef.h>

#include "curve/align.h"

struct gap {
	size_t n, n_left_out;
	double mean_abs, median_abs, max_abs, max_abs_x;
	double first;			/* d of the first pair */
	double early;			/* mean d of the first 1 % (at least 1 pair) */
	double late;			/* mean d of the last 1 % (at least 1 pair) */
	double area, area_per_x;	/* integral of |d|, and divided by the length */
	double signed_area, signed_area_per_x;
	double final_reference, final_attempt;	/* mean of the last FINAL_COUNT values */
	double last_relative_percent;	/* 100 * d / max(|R|, eps) */
	double last_symmetric_percent;	/* 200 * d / (|A| + |R|) */
	double last_log;		/* ln(A / R); NaN unless both are > 0 */
};

enum { GAP_FINAL_COUNT = 3 };
#define GAP_EPS 1e-12

void gap_measure(
	struct gap *out, const double *x, const double *reference, const double *attempt, size_t n);
/* The same of pairs, copying nothing; MEDIAN_ABS is NaN, a comparison has it. */
void gap_measure_pairs(struct gap *out, const struct alignment *al);

/* |gap| of two curves at the last step that both have, as align_series() pairs equal
 * steps; NaN: none, a value there is not finite, or they do not both count steps. */
double gap_at_end(const struct series *x, const struct series *y);

/* The least and the largest of N finite values; others are left out.  NaN without one. */
struct gap_range { double low, high; size_t n; };
#define GAP_RANGE_INIT { .low = __builtin_nan(""), .high = __builtin_nan("") }
void gap_range_add(struct gap_range *r, double v);

#endif
