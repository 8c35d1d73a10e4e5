/*
 * smooth - exponential smoothing of a curve, for eyes only.
 *
 * Two averages, both over current points and before any reduction:
 *	SMOOTH_COUNT	TensorBoard's debiased average by point count, weight w in
 *			[0, 1]; a series whose values are all equal is unchanged
 *	SMOOTH_STEP	by distance in x with a half-life H > 0: does not depend on how
 *			often a logger writes, so equal runs look equal
 * Non-finite values pass through and change no state.  No verdict is ever taken
 * from smoothed curves of unequal density.
 *
 *	smooth_apply(&(struct smooth_options){ SMOOTH_COUNT, 0.6 }, x, y, n, out);
 */
#ifndef PORTSIDE_CURVE_SMOOTH_H
#define PORTSIDE_CURVE_SMOOTH_H

#include <stdbool.h>
#include <stddef.h>

enum smooth_mode { SMOOTH_NONE, SMOOTH_COUNT, SMOOTH_STEP };

struct smooth_options {
	enum smooth_mode mode;
	double parameter;	/* w, or H in units of x */
};

/* State for curves that grow: feed the points in order. */
struct smoother {
	struct smooth_options options;
	double numerator, denominator;	/* COUNT: last and w^n */
	double previous_x;
	bool started;
};

void smoother_init(struct smoother *s, const struct smooth_options *options);
double smoother_next(struct smoother *s, double x, double y);

/* OUT may be Y.  Applies the all-equal rule of SMOOTH_COUNT, which a smoother
 * alone cannot know. */
void smooth_apply(const struct smooth_options *options, const double *x, const double *y, size_t n,
	double *out);

/* False, with a sentence in err, when the parameter is out of range. */
bool smooth_valid(const struct smooth_options *options);

/* Appends "EMA 0.6" or "EMA half-life 100", "" for none. */
struct buf;
void smooth_describe(struct buf *out, const struct smooth_options *options);

/* The range that hides outliers: values between the 5th and 95th percentile as
 * TensorBoard cuts them.  Reorders Y, whose N values are finite.  An empty range is
 * widened.  N below 3: the whole range; N 0: 0 to 1. */
void smooth_clip_range(double *y, size_t n, double *low, double *high);

#endif
