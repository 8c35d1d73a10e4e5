/*
 * plot - curves in cells: overlay and delta pane.
 *
 * Draws what curve/plot_data.h computed: one column of figures per dot column.
 * Joining last to the next first and filling least to greatest is exact for
 * lines, however many samples there are, and loses no spike.
 *
 *	view.columns = plot_dot_columns(c, r, mono);
 *	view.rows = plot_dot_rows(c, r, mono, false);
 *	plot_columns(reference, &view, r_columns, NULL);
 *	plot_columns(attempt, &view, a_columns, NULL);
 *	plot_draw(&(struct plot){ .view = &view, .traces = traces, .n_traces = 2, .cursor = -1 }, c, r);
 * *
 * All are braille dots.  A cell has only one text colour: where an attempt and the
 * reference meet, the dots are the attempt's and the reference is the ground behind
 * them.  What is a band (the seeds of a reference, or a reference that goes up and
 * down within a column) is the ground of every cell of which it fills half; where it ends
 * within a cell and nothing else stands there, a block is the part of it.  The
 * edges of the tolerance are dashes.  Without colours, or in ASCII, the reference is
 * '.', an attempt '*' or its letter, '#' where several stand, and ':' is a band.
 * Runs differ in colour, glyph and legend letter, never in colour alone: with more
 * than two lines each carries its letter at its end, and in between.
 *
 * What is not finite leaves a gap and stands as a letter: I at the top edge
 * (+Inf) or bottom edge (-Inf), N at the last finite height (NaN).  A restart is
 * a tick at the top edge.  An arrow at an edge: values beyond it.
 *
 * The marks are in plot.c, the axes in plot_axes.c.
 */
#ifndef PORTSIDE_UI_PLOT_H
#define PORTSIDE_UI_PLOT_H

#include <stdbool.h>

#include "curve/plot_data.h"
#include "ui/canvas.h"

enum plot_role {
	PLOT_BAND,		/* all between MIN and MAX of each column */
	PLOT_EDGE,		/* dashes, nothing beyond the window */
	PLOT_REFERENCE,
	PLOT_ATTEMPT,
	PLOT_FAINT,		/* raw under a smoothed one, or what a restart went over again */
};

struct plot_trace {
	const struct plot_column *columns;	/* view->columns of them */
	struct plot_ends ends;		/* lines across the edges of the window */
	enum plot_role role;
	enum style style;
	char letter;			/* 'R', 'A', 'B', ... */
};

enum plot_x_kind { PLOT_X_NUMBER, PLOT_X_DURATION, PLOT_X_INSTANT };

struct plot {
	const struct plot_view *view;
	const struct plot_trace *traces;	/* later ones in front */
	int n_traces;
	enum plot_x_kind x_kind;
	const char *x_label;		/* "step"; NULL: none */
	bool no_x_axis;			/* the pane above another one */
	const struct plot_column *tolerance;	/* half its height, per column; NULL: none */
	bool zero_line;
	long cursor;			/* dot column of the read-out; -1 none */
	bool own_cursor;		/* the terminal's cursor stands there too */
	bool mono;			/* no colours: glyphs tell */
	double y_scale;			/* the axis says y times this: 100 for percent; 0: 1 */
};

/* Cells left of, rows below the curves. */
enum { PLOT_GUTTER = 9, PLOT_AXIS_ROWS = 2 };

/* Dots that a plot in R has: 2 x 4 a cell, 1 x 1 in ASCII and without colours. 0: no room. */
size_t plot_dot_columns(const struct canvas *c, struct rect r, bool mono);
size_t plot_dot_rows(const struct canvas *c, struct rect r, bool mono, bool no_x_axis);

void plot_draw(const struct plot *p, struct canvas *c, struct rect r);
/* The axis below alone, in the first PLOT_AXIS_ROWS of R: under a column of charts. */
void plot_draw_x_axis(const struct plot *p, struct canvas *c, struct rect r);

/* ---- between plot.c and plot_axes.c ---- */

struct plot_grid { int rows, cols, dx, dy; };	/* cells, and dots a cell */

void plot_put_y_axis(
	const struct plot *p, const struct plot_grid *g, struct canvas *c, struct rect r);
void plot_put_x_axis(
	const struct plot *p, const struct plot_grid *g, struct canvas *c, struct rect r);
/* What is not finite, restarts, values beyond the edges. */
void plot_put_signs(
	const struct plot *p, const struct plot_grid *g, struct canvas *c, struct rect inside);

#endif
