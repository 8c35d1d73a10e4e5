/*
 * plot_private - a plot_source inside: drawn points and their pyramid.
 *
 * When every point of the series is current, on the step axis and in one segment,
 * the columns are the series' own, and only smoothed values have a column here.
 * The difference of two long curves is computed from theirs when it is needed.
 * Otherwise all drawn columns are here.
 */
#ifndef PORTSIDE_CURVE_PLOT_PRIVATE_H
#define PORTSIDE_CURVE_PLOT_PRIVATE_H

#include "curve/plot_data.h"
#include "curve/pyramid.h"

struct plot_source {
	struct plot_how how;
	const struct series *series;	/* of the last update; NULL for a delta */
	uint64_t version;
	size_t n_seen;			/* points of the series that were taken */
	size_t n;			/* drawn points */
	bool borrowed;			/* x, and y unless it is smoothed, are the series' own */
	bool integer;			/* x is a step */
	const struct comparison *comparison;	/* y is computed from its pairs; NULL: not so */
	enum delta_mode delta;
	double *x;			/* own columns, ascending in x */
	double *y;
	size_t *point;			/* number in the series */
	uint32_t *segment;
	size_t cap, cap_y;
	size_t *breaks;		/* drawn points before which a line ends: another segment */
	size_t n_breaks, cap_breaks;
	size_t *starts;		/* drawn points with which a restart begins */
	size_t n_starts, cap_starts;
	uint32_t newest;	/* the highest segment so far */
	struct smoother smoother;
	struct pyramid pyramid;
};

struct pyramid_values plot_values(const struct plot_source *p);
/* First drawn point with x >= X, or > X. */
size_t plot_lower(const struct plot_source *p, double x);
size_t plot_upper(const struct plot_source *p, double x);
uint32_t plot_segment(const struct plot_source *p, size_t i);
/* First of the N ascending point numbers in AT that is at or behind POINT. */
size_t plot_find_point(const size_t *at, size_t n, size_t point);
/* Can Y be drawn: finite, and positive where that is needed? */
bool plot_is_drawable(const struct plot_view *v, double y);

#endif
