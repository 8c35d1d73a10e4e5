/*
 * series_cursor - points of a float series that are written where they belong.
 *
 * For the loop over the records of an event file: what series_append_float() asks
 * and counts for each point is asked once for as many as there is room for, and
 * counted for all of them together.  A cursor is open for a series that lives
 * shortly (its wall times are not packed), has a point, and wants nothing but the
 * next one of its segment.  While it is open nobody else looks at the series.
 *
 *	struct series_cursor c = { .room = 0 };
 *	struct cursor_counts counts = CURSOR_COUNTS_INIT;
 *
 *	if (!series_cursor_put(&c, x, wall_s, value)) {
 *		series_cursor_close(&c, &counts);
 *		series_append_float(s, x, wall_s, value);
 *		series_cursor_open(&c, s);
 *	}
 *	...
 *	series_cursor_close(&c, &counts);
 */
#ifndef PORTSIDE_CURVE_SERIES_CURSOR_H
#define PORTSIDE_CURVE_SERIES_CURSOR_H

#include "curve/series.h"

struct series_cursor {
	struct series *series;		/* NULL: closed */
	int64_t *x;			/* of the next point */
	double *wall_s;
	float *value;
	int64_t last_x;
	size_t room;			/* points that can still be put; 0 when closed */
};

/* What the points were, none of whose wall times is NaN. */
struct cursor_counts {
	size_t n, non_finite;
	double first_wall_s, last_wall_s;	/* least and greatest; NaN: no points */
};

#define CURSOR_COUNTS_INIT                                                                         \
	{ .first_wall_s = __builtin_nan(""), .last_wall_s = __builtin_nan("") }

/* Stays closed when the series is none for it. */
void series_cursor_open(struct series_cursor *c, struct series *s);
/* The points are the series' own; what they were is added to COUNTS. */
void series_cursor_close(struct series_cursor *c, struct cursor_counts *counts);
/* One point that was appended without a cursor. */
void cursor_counts_add(struct cursor_counts *counts, double wall_s, float value);

/* False, and nothing done, when the point is not the next one or there is no room. */
static inline bool series_cursor_put(
	struct series_cursor *c, int64_t x, double wall_s, float value)
{
	if (!c->room || x < c->last_x)
		return false;
	c->room--;
	c->last_x = x;
	*c->x++ = x;
	*c->wall_s++ = wall_s;
	*c->value++ = value;
	return true;
}

#endif
