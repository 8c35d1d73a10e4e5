/*
 * series_summary - what a table says of one series: last, first, least, largest,
 * mean, and how many points.
 *
 * Over the current points (those that no restart superseded, latest wins), in the
 * order of x.  Minimum, maximum and mean are over finite values, and the x of the
 * least and the largest is that of the first point that has it; LAST and FIRST are
 * what was logged there, also NaN.  Without a finite value MIN, MAX and MEAN are NaN
 * and their x is NaN.  A series without points has COUNT 0 and NaN everywhere.
 *
 *	struct series_summary s;
 *
 *	series_summarise(&s, series, INFINITY);
 *	printf("%g, least %g at %g\n", s.last, s.min, s.min_x);
 */
#ifndef PORTSIDE_CURVE_SERIES_SUMMARY_H
#define PORTSIDE_CURVE_SERIES_SUMMARY_H

#include "base/buf.h"
#include "curve/series.h"

struct series_summary {
	const char *name;		/* borrowed; bytes of strangers */
	enum axis axis;
	int64_t count, non_finite;	/* current points, and those that are no number */
	double first, last, min, max, mean;
	double first_x, last_x, min_x, max_x;
	/* The same exactly, on an axis of whole numbers; a double is so up to 2^53 alone. */
	int64_t first_step, last_step, min_step, max_step;
};

/* The axis counts steps, samples or the like. */
static inline bool series_axis_is_whole(enum axis axis)
{
	return axis != AXIS_EPOCH && axis != AXIS_TIME;
}

/* Points up to UNTIL_X alone; INFINITY takes all. */
void series_summarise(struct series_summary *out, const struct series *s, double until_x);
/* The value logged at X; false where no current point has that x. */
bool series_value_at(double *out, const struct series *s, double x);

/* The summaries of N series as bytes that read back exactly, and back: names in A.
 * False for anything else. */
void series_summaries_write(struct buf *out, const struct series_summary *list, size_t n);
bool series_summaries_read(struct series_summary **list, size_t *n, struct arena *a,
	const char *bytes, size_t n_bytes);

#endif
