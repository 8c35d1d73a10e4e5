/*
 * curve_picture - a file of what the view of curves shows: values, not cells.
 *
 * The form is told by the end of the name: .csv, .json, .svg or .txt.  In large the
 * file is the comparison with all that makes it readable on its own (the forms of
 * curve/export.h, the picture of report/svg.h with every run that is drawn); of a
 * grid it is every point of every run in all its charts, in sight or not.
 *
 *	struct curve_picture p = { .window = view, .fit = true };
 *	if (curve_picture_write(scene, &p, "loss.svg") < 0)
 *		return -1;
 */
#ifndef PORTSIDE_COMMAND_CURVE_PICTURE_H
#define PORTSIDE_COMMAND_CURVE_PICTURE_H

#include "command/curve_scene.h"

struct curve_picture {
	const char *const *charts;	/* names of series; none: the one that is compared */
	size_t n_charts;
	struct plot_view window;	/* x range, logarithmic axes, outliers */
	bool fit;			/* all of x, whatever the window says */
};

/* An existing file that portside did not write is not overwritten: ERR_EXISTS. */
int curve_picture_write(const struct curve_scene *s, const struct curve_picture *p,
	const char *path) ATTR_MUST_USE;

/* The same as text: first, last, least and greatest value of each run in each chart. */
void curve_picture_text(
	struct buf *out, const struct curve_scene *s, const struct curve_picture *p);

#endif
