/*
 * plot_data - what a chart has to draw, per dot column; no screen, no colour.
 *
 * A plot_source holds the points of one series that are to be drawn, on one axis,
 * smoothed or not, with a pyramid over them.  It is brought up to date when the
 * series grows (appends cost O(new points)) and answers every view window in
 * O(columns * log n).  A column holds first, minimum, maximum and last, which is
 * exact for lines: the drawer joins last of one column to first of the next
 * unless a segment ended between them.
 *
 *	struct plot_source *r = plot_source_new(), *a = plot_source_new();
 *	struct plot_view view = PLOT_VIEW_INIT;
 *
 *	plot_source_update(r, reference, &how);
 *	plot_source_update(a, attempt, &how);
 *	plot_view_fit(&view, (struct plot_source *const[]){ r, a }, 2, 160, 96);
 *	plot_columns(a, &view, columns);
 *	for (size_t i = 0; i < view.columns; i++)
 *		draw(plot_row(&view, columns[i].min), ...);
 */
#ifndef PORTSIDE_CURVE_PLOT_DATA_H
#define PORTSIDE_CURVE_PLOT_DATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "curve/align.h"
#include "curve/compare.h"
#include "curve/series.h"
#include "curve/smooth.h"

/* Which points of a series, on which axis. */
struct plot_how {
	enum align_axis axis;
	enum segment_policy policy;
	struct smooth_options smooth;
	int64_t shift;			/* of the steps, step axes only */
	double until_wall_s;		/* only points logged at or before it; 0: all */
	struct axis_scale scale;	/* of the run, for samples and tokens */
};

struct plot_source;

struct plot_source *plot_source_new(void);
void plot_source_free(struct plot_source *p);

/* ERR_NOT_FOUND when the series has no such axis; the source is then empty.
 * S is borrowed until the next update or the end of the source. */
int plot_source_update(
	struct plot_source *p, const struct series *s, const struct plot_how *how) ATTR_MUST_USE;
/* The difference of a comparison as a source, for the delta pane.  C is borrowed
 * until the next update or the end of the source. */
void plot_source_delta(struct plot_source *p, const struct comparison *c, enum delta_mode mode);
/* N points of a line that is no series, ascending in x; copied. */
void plot_source_points(struct plot_source *p, const double *x, const double *y, size_t n);
/* The tolerance band of that pane: +half; draw it and its mirror image. */
void plot_source_tolerance(
	struct plot_source *p, const struct comparison *c, enum delta_mode mode);

size_t plot_source_n(const struct plot_source *p);
double plot_source_x(const struct plot_source *p, size_t i);
double plot_source_y(const struct plot_source *p, size_t i);
size_t plot_source_bytes(const struct plot_source *p);

/* The window.  Columns and rows are dots (2 x 4 in a braille cell). */
struct plot_view {
	double x0, x1;		/* both ends drawn */
	double y0, y1;		/* low, high */
	bool log_x, log_y;
	bool clip;		/* y range hides outliers: 5th to 95th percentile of all curves */
	size_t columns, rows;
};

#define PLOT_VIEW_INIT { .x0 = 0, .x1 = 1, .y0 = 0, .y1 = 1 }

/* x and y range from the sources; y takes only what lies inside x0..x1.
 * plot_view_fit_y() keeps the x range, for zoom and pan. */
void plot_view_fit(struct plot_view *v, struct plot_source *const *sources, size_t n,
	size_t columns, size_t rows);
void plot_view_fit_y(struct plot_view *v, struct plot_source *const *sources, size_t n);
/* Factor < 1 zooms in around X; dx shifts by a share of the width. */
void plot_view_zoom(struct plot_view *v, double x, double factor);
void plot_view_pan(struct plot_view *v, double share);

enum plot_mark {
	PLOT_NAN = 1,		/* draw at the last finite height */
	PLOT_PLUS_INF = 2,	/* at the top edge */
	PLOT_MINUS_INF = 4,	/* at the bottom edge */
	PLOT_RESTART = 8,	/* a restart begins here: tick at the top edge */
	PLOT_ABOVE = 16,	/* values above the window: edge mark */
	PLOT_BELOW = 32,
	PLOT_NOT_POSITIVE = 64,	/* values <= 0 on a logarithmic axis */
};

struct plot_column {
	size_t first_point, n;		/* of the source; n = 0: nothing here */
	double first, min, max, last;	/* finite values only; NaN without any */
	double height;			/* last finite value at or before this column; NaN: none */
	bool joined;			/* a line comes in from the column before */
	unsigned marks;			/* enum plot_mark */
	size_t n_nonfinite;
};

struct plot_counts {
	size_t n, n_nan, n_plus_inf, n_minus_inf, n_not_positive, n_restarts;
	size_t n_above, n_below;	/* outside a window that clips, or that was zoomed in y */
	bool outside_is_estimate;	/* of over 131,072 points: say "about" */
};

/* Fills v->columns entries of OUT; COUNTS may be NULL. */
void plot_columns(const struct plot_source *p, const struct plot_view *v, struct plot_column *out,
		struct plot_counts *counts);

/* Where a line crosses the edges of the window because its next point lies beyond;
 * NaN where none does.  With no point inside, both are of one line or NaN. */
struct plot_ends { double left, right; };
struct plot_ends plot_ends(const struct plot_source *p, const struct plot_view *v);

/*
 * The band of several curves (the seeds of a reference): MIN and MAX of a column
 * are the least and the greatest of all at that x, where a line between two points
 * counts as its points do; N is the number of curves that are there.
 */
void plot_band(struct plot_source *const *sources, size_t n, const struct plot_view *v,
	struct plot_column *out);

/* Points that a logarithmic x axis has no place for. */
size_t plot_not_positive_x(const struct plot_source *p);

/* Dot row of a value, 0 at the top; clamped to the window.  -1 for NaN. */
int plot_row(const struct plot_view *v, double y);
size_t plot_column_of(const struct plot_view *v, double x);	/* clamped */
double plot_x_of(const struct plot_view *v, size_t column);	/* middle of the column */

enum { PLOT_TICKS_MAX = 16, PLOT_LABEL_MAX = 24 };
struct plot_tick { double value; char label[PLOT_LABEL_MAX]; };

/* Round values (1, 2, 5 x 10^k; decades when logarithmic) inside LOW..HIGH, at
 * most WANTED (and PLOT_TICKS_MAX); labels as 500, 12k, 1.5M, 0.02, 5e-5 with as
 * many digits as tell neighbours apart. */
size_t plot_ticks(struct plot_tick out[PLOT_TICKS_MAX], double low, double high, bool logarithmic,
	size_t wanted);
void plot_label(char out[PLOT_LABEL_MAX], double value, double step);
/* The same for seconds: 30s, 5m, 1h30, 2d; with WALL instants since 1970 in local
 * time, 16:20 or 27 Oct. */
size_t plot_time_ticks(
	struct plot_tick out[PLOT_TICKS_MAX], double low, double high, size_t wanted, bool wall);

/* What is at x, nearest point at or before it within the sources. */
struct plot_readout {
	bool found;
	size_t point;			/* of the series */
	double x;
	int64_t step;			/* of the run, when the axis is a step */
	/* X without rounding, where it is a step: a double does not hold each one over 2^53 */
	bool has_key;
	int64_t key;
	double value;			/* as logged */
	double smoothed;		/* NaN when not smoothed */
	double wall_s;			/* NaN: none */
	uint32_t segment;
};
void plot_read(struct plot_readout *out, const struct plot_source *p, double x);
/* Drawn point I of the source. */
void plot_read_point(struct plot_readout *out, const struct plot_source *p, size_t i);
/* The same of the nearest point, also one behind x; of two equally near the earlier. */
void plot_read_nearest(struct plot_readout *out, const struct plot_source *p, double x);
/* Pair of a comparison at or nearest to x; SIZE_MAX without pairs. */
size_t plot_pair_at(const struct comparison *c, double x);

enum plot_jump {
	JUMP_FIRST_OUT, JUMP_MAX_DELTA, JUMP_LAST,
	JUMP_NEXT_NONFINITE, JUMP_PREVIOUS_NONFINITE,
	JUMP_NEXT_RESTART, JUMP_PREVIOUS_RESTART,
	JUMP_NEXT_POINT, JUMP_PREVIOUS_POINT,
};
/* X to go to from X; false when there is none.  C may be NULL, then so are its jumps. */
bool plot_jump(double *to, enum plot_jump jump, double x, struct plot_source *const *sources,
	size_t n, const struct comparison *c);

#endif
