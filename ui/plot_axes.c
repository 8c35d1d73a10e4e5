/* plot_axes - axes, and the signs along the edges; see plot.h. */
#include "config.h"

#include "ui/plot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TICK_ROWS = 4, TICK_COLS = 12, LEAST_TICK_ROWS = 2 };

/* ---- what is not finite ---------------------------------------------------------- */

static void put_sign(const struct plot *p, const struct plot_grid *g, struct canvas *c,
	struct rect in, int col, const struct plot_column *k)
{
	int last = g->rows - 1;

	if (k->marks & PLOT_ABOVE)
		canvas_put_cell(c, in, 0, col, STYLE_WARN, 0x2191);
	if (k->marks & PLOT_BELOW)
		canvas_put_cell(c, in, last, col, STYLE_WARN, 0x2193);
	if (k->marks & PLOT_RESTART)
		canvas_put_cell(c, in, 0, col, STYLE_NOTE, 0x2502);
	if (k->marks & PLOT_PLUS_INF)
		canvas_put_cell(c, in, 0, col, STYLE_ALARM, 'I');
	if (k->marks & PLOT_MINUS_INF)
		canvas_put_cell(c, in, last, col, STYLE_ALARM, 'I');
	if (k->marks & PLOT_NAN) {
		int row = plot_row(p->view, k->height);

		canvas_put_cell(c, in, row < 0 ? last : row / g->dy, col, STYLE_ALARM, 'N');
	}
}

/* A faint curve holds nothing that its own does not. */
void plot_put_signs(
	const struct plot *p, const struct plot_grid *g, struct canvas *c, struct rect inside)
{
	for (int i = 0; i < p->n_traces; i++) {
		const struct plot_trace *t = &p->traces[i];

		if (t->role != PLOT_REFERENCE && t->role != PLOT_ATTEMPT)
			continue;
		for (size_t col = 0; col < p->view->columns; col++)
			if (t->columns[col].marks)
				put_sign(p, g, c, inside, (int)col / g->dx, &t->columns[col]);
	}
}

/* ---- axes ------------------------------------------------------------------------ */

/* The value that all curves in sight have and keep; NAN: there is none. */
static double constant_of(const struct plot *p)
{
	double found = NAN;

	for (int i = 0; i < p->n_traces; i++)
		for (size_t col = 0; col < p->view->columns; col++) {
			const struct plot_column *k = &p->traces[i].columns[col];

			if (!k->n || !isfinite(k->min))
				continue;
			if (isnan(found))
				found = k->min;
			if (k->min != found || k->max != found)
				return NAN;
		}
	return found;
}

static void label_constant(char out[PLOT_LABEL_MAX], double v)
{
	double size = fabs(v);

	if (size > 0 && (size < 1e-4 || size >= 1e5))
		plot_label(out, v, size / 100);
	else
		snprintf(out, PLOT_LABEL_MAX, "%.5g", v);
}

/* As many as there is room for at even distances, and two where there is room at all:
 * one tells no scale. */
static size_t y_ticks(const struct plot *p, const struct plot_grid *g, struct plot_tick *out)
{
	size_t wanted = (size_t)(g->rows / TICK_ROWS + 2), n;
	double scale = p->y_scale > 0 ? p->y_scale : 1, constant = constant_of(p);

	if (!isnan(constant) && !p->zero_line) {
		out[0] = (struct plot_tick){ .value = constant * scale };
		label_constant(out[0].label, constant * scale);
		return 1;
	}
	do
		n = plot_ticks(out, p->view->y0 * scale, p->view->y1 * scale, p->view->log_y,
			wanted++);
	while (n < 2 && wanted < PLOT_TICKS_MAX / 2);
	return n;
}

/* Every STRIDE-th tick: at least two rows apart, and nowhere two more than elsewhere? */
static bool is_even(const int *rows, size_t n, size_t stride)
{
	int least = rows[0], most = 0;

	for (size_t i = stride; i < n; i += stride) {
		int gap = rows[i - stride] - rows[i];

		least = gap < least ? gap : least;
		most = gap > most ? gap : most;
	}
	return least >= LEAST_TICK_ROWS && most - least <= 1;
}

/* Ticks are left out until the others stand evenly; of differences the 0 stays. */
static size_t stride_of(const struct plot *p, const int *rows, size_t n)
{
	size_t stride = 1;

	while (!p->zero_line && stride + 1 < n && !is_even(rows, n, stride))
		stride++;
	return stride;
}

void plot_put_y_axis(
	const struct plot *p, const struct plot_grid *g, struct canvas *c, struct rect r)
{
	struct plot_tick ticks[PLOT_TICKS_MAX];
	double scale = p->y_scale > 0 ? p->y_scale : 1;
	size_t n = y_ticks(p, g, ticks), stride;
	int rows[PLOT_TICKS_MAX];

	for (size_t i = 0; i < n; i++)
		rows[i] = plot_row(p->view, ticks[i].value / scale) / g->dy;
	stride = stride_of(p, rows, n);
	for (int row = 0; row < g->rows; row++)
		canvas_put_cell(c, r, row, PLOT_GUTTER - 1, STYLE_FRAME, 0x2502);
	for (size_t i = 0; i < n; i += stride) {
		canvas_put_fit(c, r, rows[i], 0, PLOT_GUTTER - 2, ALIGN_RIGHT, STYLE_TEXT,
			ticks[i].label);
		canvas_put_cell(c, r, rows[i], PLOT_GUTTER - 1, STYLE_FRAME, 0x2524);
	}
}

static size_t x_ticks(const struct plot *p, struct plot_tick *out, size_t wanted)
{
	const struct plot_view *v = p->view;

	if (p->x_kind != PLOT_X_NUMBER && !v->log_x)
		return plot_time_ticks(out, v->x0, v->x1, wanted, p->x_kind == PLOT_X_INSTANT);
	return plot_ticks(out, v->x0, v->x1, v->log_x, wanted);
}

static void put_x_tick(
	struct canvas *c, struct rect r, int col, const char *label, int *free_from)
{
	int width = (int)strlen(label), at = PLOT_GUTTER + col - width / 2;

	canvas_put_cell(c, r, 0, PLOT_GUTTER + col, STYLE_FRAME, 0x252c);
	if (at < *free_from || at + width > r.cols)
		return;
	canvas_put(c, r, 1, at, STYLE_TEXT, label);
	*free_from = at + width + 1;
}

/* R begins with the line of the axis. */
static void put_x_axis(const struct plot *p, int cols, int dx, struct canvas *c, struct rect r)
{
	struct plot_tick ticks[PLOT_TICKS_MAX];
	size_t wanted = (size_t)(cols / TICK_COLS + 1), n;
	int free_from = 0;

	do
		n = x_ticks(p, ticks, wanted++);
	while (n < 2 && wanted < PLOT_TICKS_MAX / 2);

	if (p->x_label) {
		canvas_put_fit(c, r, 1, 0, PLOT_GUTTER - 2, ALIGN_RIGHT, STYLE_DIM, p->x_label);
		free_from = PLOT_GUTTER - 1;
	}
	canvas_put_cell(c, r, 0, PLOT_GUTTER - 1, STYLE_FRAME, 0x2514);
	for (int col = 0; col < cols; col++)
		canvas_put_cell(c, r, 0, PLOT_GUTTER + col, STYLE_FRAME, 0x2500);
	for (size_t i = 0; i < n; i++)
		put_x_tick(c, r, (int)plot_column_of(p->view, ticks[i].value) / dx,
			ticks[i].label, &free_from);
}

void plot_put_x_axis(
	const struct plot *p, const struct plot_grid *g, struct canvas *c, struct rect r)
{
	rect_cut_top(&r, g->rows);
	put_x_axis(p, g->cols, g->dx, c, r);
}

void plot_draw_x_axis(const struct plot *p, struct canvas *c, struct rect r)
{
	int cols = r.cols - PLOT_GUTTER;

	if (cols > 0 && p->view->columns)
		put_x_axis(p, cols, (int)p->view->columns / cols > 1 ? 2 : 1, c, r);
}
