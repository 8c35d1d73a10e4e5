/*
 * plot - curves in cells: overlay and delta pane.
 *
 * Takes one column of figures per dot column (see plot_dot_columns()): the
 * first, least, greatest and last value of the samples that fall into it.
 * Joining last to the next first and filling least to greatest draws the line
 * exactly, however many samples there are, and loses no spike.
 *
 * The reference is drawn as a ground (a band between least and greatest of a
 * cell), attempts as braille dots in front of it, since a cell has only one
 * text colour.  Without colours, or in ASCII, the reference is '.', an attempt
 * '*' or its letter, and '#' where both stand.  Runs differ in colour, glyph
 * and legend letter, never in colour alone.
 *
 * Values that are not finite leave a gap and stand as marks: ^ at the top edge
 * (+Inf), v at the bottom (-Inf), ? at the last finite height (NaN).  A restart
 * is a tick at the top edge, and the line is not joined across it.
 */
#ifndef PORTSIDE_UI_PLOT_H
#define PORTSIDE_UI_PLOT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "ui/canvas.h"

enum {
	PLOT_NAN = 1, PLOT_POSITIVE_INFINITY = 2, PLOT_NEGATIVE_INFINITY = 4, PLOT_RESTART = 8,
};

struct plot_column {
	double first, min, max, last;	/* over finite samples */
	bool has;			/* is there one? */
	uint8_t marks;			/* PLOT_ bits */
};

enum plot_role { PLOT_REFERENCE, PLOT_ATTEMPT, PLOT_FAINT /* raw under a smoothed one */ };

struct plot_series {
	const struct plot_column *columns;	/* plot_dot_columns() of them */
	enum plot_role role;
	enum style style;
	char letter;			/* 'R', 'A', 'B', ... */
};

struct plot {
	const struct plot_series *series;
	int n_series;
	double x_from, x_to;		/* of the first and the last dot column */
	double y_from, y_to;		/* equal or not finite: fitted to the data */
	bool log_y;
	const char *x_label, *y_label;	/* "step", "eval_accuracy pp"; NULL: none */
	bool no_x_axis;			/* the pane above another one */
	bool has_tolerance;		/* ground between low and high */
	double tolerance_low, tolerance_high;
	bool zero_line;
	int cursor;			/* dot column of the read-out; -1 none */
	bool mono;			/* no colours: glyphs tell */
};

enum { PLOT_GUTTER = 9 };		/* cells of the y axis with its figures */

/* Dot columns, and dot rows, that a plot in R shows: 2 x 4 a cell, 1 x 1 in ASCII and mono. */
int plot_dot_columns(const struct canvas *c, struct rect r, bool mono);
int plot_dot_rows(const struct canvas *c, struct rect r, bool mono, bool no_x_axis);

/* Least and greatest of all columns, widened a little; false when there is nothing finite. */
bool plot_fit(const struct plot *p, double *from, double *to);

void plot_draw(const struct plot *p, struct canvas *c, struct rect r);

/* Splits R into overlay and delta pane; the delta pane is empty below 9 rows. */
void plot_split(struct rect r, struct rect *overlay, struct rect *delta);

/* Round steps for an axis: the first tick at or above FROM and the distance,
 * so that at most MOST ticks fall into FROM..TO.  0 when there is no range. */
double plot_tick_step(double from, double to, int most);
/* A figure for an axis whose ticks stand STEP apart: "86.5", "1.2k", "3e-05". */
void plot_add_figure(struct buf *out, double v, double step);

#endif
