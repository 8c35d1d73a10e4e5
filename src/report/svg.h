/*
 * svg - curves as one SVG picture for reports: a comparison with overlay, delta pane and
 * legend, or a grid of charts.
 *
 * Light background, prints in grey: the reference is a band (minimum to maximum
 * of each column, and of all its repeats) with its line, the attempt a darker line; dashed
 * lines are the edges of where further runs of the reference would lie.  Segments are never
 * joined.  Title, axis labels, alignment, tolerance, verdict and warnings are
 * written inside, so that the picture says what it shows without its page.
 * Names and titles may be hostile: everything is escaped and no markup, link or
 * style of theirs survives.
 */
#ifndef PORTSIDE_REPORT_SVG_H
#define PORTSIDE_REPORT_SVG_H

#include "base/buf.h"
#include "curve/export.h"
#include "curve/export_charts.h"

struct svg_size {
	int width, height;	/* pixels; 0: 860 by 480 */
	/* What a screen shows of it: further runs, the band of the seeds, the window.
	 * One chart; NULL: R and A, whole. */
	const struct export_charts *shown;
};

/* Appends a whole <svg> element, ending in a newline. */
void svg_comparison(
	struct buf *out, const struct export_comparison *e, const struct svg_size *size);

/* All charts of E as a grid below a legend, each with its own y and all with the same x. */
void svg_charts(struct buf *out, const struct export_charts *e);

/* Appends S with the five XML characters escaped and controls made visible. */
void svg_escape(struct buf *out, const char *s, size_t n);

#endif
