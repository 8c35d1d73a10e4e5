/*
 * plot_private - a plot_source inside: drawn points and their pyramid.
 *
 * When every point of the series is current, on the step axis, unsmoothed and in
 * one segment, nothing is copied: the columns are the series' own.  Otherwise the
 * drawn points have columns of their own.
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
	bool borrowed;			/* x and y are the columns of the series */
	bool integer;			/* x is a step */
	double *x;			/* own columns, ascending in x */
	double *y;
	size_t *point;			/* number in the series */
	uint32_t *segment;
	size_t cap;
	size_t *breaks;			/* drawn points that begin a segment, from the second on */
	size_t n_breaks, cap_breaks;
	struct smoother smoother;
	struct pyramid pyramid;
};

struct pyramid_values plot_values(const struct plot_source *p);
/* First drawn point with x >= X, or > X. */
size_t plot_lower(const struct plot_source *p, double x);
size_t plot_upper(const struct plot_source *p, double x);
uint32_t plot_segment(const struct plot_source *p, size_t i);

#endif
