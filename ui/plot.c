/* plot - see plot.h. */
#include "config.h"

#include "ui/plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BRAILLE = 0x2800, ROWS_FOR_DELTA = 9, TICK_ROWS = 4, TICK_COLS = 12 };

/* One cell of the picture before it goes to the canvas. */
struct mark {
	uint8_t bits;		/* braille dots of attempts */
	uint8_t reference_bits, edge_bits;
	uint8_t style;
	char letter;		/* of the attempt in front; 0: none */
	bool attempts, several;	/* one, more than one stands here */
	bool reference, tolerance;
};

struct grid {
	int rows, cols;		/* cells */
	int dx, dy;		/* dots a cell */
	bool glyphs;		/* letters instead of dots */
	struct mark *marks;
};

/* ---- room ------------------------------------------------------------------- */

static bool uses_glyphs(const struct canvas *c, bool mono)
{
	return mono || c->ascii;
}

static struct rect inside(struct rect r, bool no_x_axis)
{
	rect_cut_left(&r, PLOT_GUTTER);
	if (!no_x_axis)
		rect_cut_bottom(&r, PLOT_AXIS_ROWS);
	return r;
}

size_t plot_dot_columns(const struct canvas *c, struct rect r, bool mono)
{
	struct rect in = inside(r, true);

	return in.cols > 0 ? (size_t)in.cols * (uses_glyphs(c, mono) ? 1 : 2) : 0;
}

size_t plot_dot_rows(const struct canvas *c, struct rect r, bool mono, bool no_x_axis)
{
	struct rect in = inside(r, no_x_axis);

	return in.rows > 0 ? (size_t)in.rows * (uses_glyphs(c, mono) ? 1 : 4) : 0;
}

void plot_split(struct rect r, struct rect *overlay, struct rect *delta)
{
	*overlay = r;
	*delta = r;
	delta->rows = 0;
	if (r.rows < ROWS_FOR_DELTA)
		return;
	*delta = rect_cut_bottom(overlay, r.rows * 2 / 5);
}

/* ---- dots -------------------------------------------------------------------- */

static struct mark *mark_at(const struct grid *g, long col, long row)
{
	long x = col / g->dx, y = row / g->dy;

	if (col < 0 || row < 0 || x >= g->cols || y >= g->rows)
		return NULL;
	return &g->marks[y * g->cols + x];
}

static uint8_t dot_bit(long col, long row)
{
	static const uint8_t bits[4][2] = { { 1, 8 }, { 2, 16 }, { 4, 32 }, { 64, 128 } };

	return bits[row % 4][col % 2];
}

static void set_dot(const struct grid *g, long col, long row, const struct plot_trace *t)
{
	struct mark *m = mark_at(g, col, row);

	if (!m)
		return;
	if (t->role == PLOT_REFERENCE) {
		m->reference = true;
		m->reference_bits |= dot_bit(col, row);
		return;
	}
	m->bits |= dot_bit(col, row);
	m->several |= m->attempts && m->letter != t->letter;
	m->attempts = true;
	m->style = (uint8_t)(t->role == PLOT_FAINT ? STYLE_DIM : t->style);
	m->letter = t->letter;
}

static void set_column(
	const struct grid *g, long col, long from, long to, const struct plot_trace *t)
{
	if (from > to) {
		long swap = from;

		from = to;
		to = swap;
	}
	for (long row = from; row <= to; row++)
		set_dot(g, col, row, t);
}

/* A straight line through the columns between two that have points. */
static void bridge(
	const struct grid *g, const struct plot_trace *t, long left, int from, long right, int to)
{
	long span = right - left;

	for (long x = 1; x < span; x++)
		set_column(g, left + x, from + (to - from) * (x - 1) / span,
			from + (to - from) * x / span, t);
	set_column(g, right, span > 1 ? from + (to - from) * (span - 1) / span : from, to, t);
}

/* The line comes in from the last value before, then fills least to greatest. */
static void draw_trace(const struct plot *p, const struct grid *g, const struct plot_trace *t)
{
	long left = -1;
	int before = 0;

	for (size_t i = 0; i < p->view->columns; i++) {
		const struct plot_column *k = &t->columns[i];

		if (!k->n)
			continue;
		if (!isfinite(k->min)) {
			left = -1;
			continue;
		}
		if (k->joined && left >= 0)
			bridge(g, t, left, before, (long)i, plot_row(p->view, k->first));
		set_column(g, (long)i, plot_row(p->view, k->max), plot_row(p->view, k->min), t);
		left = (long)i;
		before = plot_row(p->view, k->last);
	}
}

/* Dashes: two dots, two of room. */
static void set_edge(const struct grid *g, long col, long row)
{
	struct mark *m = col / 2 % 2 == 0 ? mark_at(g, col, row) : NULL;

	if (m)
		m->edge_bits |= dot_bit(col, row);
}

static void set_tolerance(const struct plot *p, const struct grid *g)
{
	for (size_t i = 0; p->tolerance && i < p->view->columns; i++) {
		const struct plot_column *k = &p->tolerance[i];
		int top, bottom;

		if (!k->n || !isfinite(k->max))
			continue;
		top = plot_row(p->view, k->max);
		bottom = plot_row(p->view, -k->max);
		set_edge(g, (long)i, top);
		set_edge(g, (long)i, bottom);
		for (int row = top; row <= bottom; row++) {
			struct mark *m = mark_at(g, (long)i, row);

			if (m)
				m->tolerance = true;
		}
	}
}

/* ---- cells -------------------------------------------------------------------- */

static uint32_t glyph_of(const struct plot *p, const struct grid *g, const struct mark *m)
{
	int attempts = 0;

	if (!g->glyphs) {
		uint8_t bits = m->bits      ? m->bits
			: m->reference_bits ? m->reference_bits
					    : m->edge_bits;

		return bits ? BRAILLE + (uint32_t)bits : 0;
	}
	for (int i = 0; i < p->n_traces; i++)
		attempts += p->traces[i].role == PLOT_ATTEMPT;
	if (m->several || (m->attempts && m->reference))
		return '#';
	if (m->attempts)
		return attempts > 1 ? (unsigned char)m->letter : '*';
	if (m->reference)
		return '.';
	return 0;
}

static enum style style_of(const struct grid *g, const struct mark *m)
{
	if (m->attempts)
		return m->style;
	return m->reference || g->glyphs ? STYLE_SERIES_1 : STYLE_FRAME;
}

static void put_marks(const struct plot *p, const struct grid *g, struct canvas *c, struct rect in)
{
	for (int row = 0; row < g->rows; row++)
		for (int col = 0; col < g->cols; col++) {
			const struct mark *m = &g->marks[row * g->cols + col];
			uint32_t glyph = glyph_of(p, g, m);
			struct rect cell = { in.row + row, in.col + col, 1, 1 };

			if (glyph)
				canvas_put_cell(c, in, row, col, style_of(g, m), glyph);
			if (m->reference && m->attempts && !g->glyphs)
				canvas_set_ground(c, cell, GROUND_BAND);
			else if (m->tolerance && !glyph && g->glyphs)
				canvas_put_cell(c, in, row, col, STYLE_DIM, ':');
		}
}

static void put_cursor(const struct plot *p, const struct grid *g, struct canvas *c, struct rect in)
{
	int col = (int)(p->cursor / g->dx);

	if (p->cursor < 0 || col >= g->cols)
		return;
	for (int row = 0; row < g->rows; row++) {
		const struct mark *m = &g->marks[row * g->cols + col];

		if (!m->attempts && !m->reference)
			canvas_put_cell(c, in, row, col, STYLE_NOTE, 0x2502);
	}
	canvas_set_cursor(c, in, g->rows - 1, col);
}

/* Dots among the dashes of the tolerance, which may be in the same cells. */
static void put_zero(const struct plot *p, const struct grid *g, struct canvas *c, struct rect in)
{
	int row = plot_row(p->view, 0.0);

	if (!p->zero_line || p->view->y0 > 0 || p->view->y1 < 0)
		return;
	for (int col = 0; g->glyphs && col < g->cols; col++)
		canvas_put_cell(c, in, row, col, STYLE_FRAME, '-');
	for (int col = 0; !g->glyphs && col < g->cols * g->dx; col++) {
		struct mark *m = mark_at(g, col, row);

		if (m)
			m->edge_bits |= dot_bit(col, row);
	}
}

/* ---- what is not finite ---------------------------------------------------------- */

static void put_signs(const struct plot *p, const struct grid *g, struct canvas *c, struct rect in,
		      size_t i, const struct plot_column *k)
{
	int col = (int)i / g->dx, last = g->rows - 1;

	if (k->marks & PLOT_ABOVE)
		canvas_put_cell(c, in, 0, col, STYLE_DIM, 0x2191);
	if (k->marks & PLOT_BELOW)
		canvas_put_cell(c, in, last, col, STYLE_DIM, 0x2193);
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

/* ---- axes ------------------------------------------------------------------------ */

static void put_y_axis(const struct plot *p, const struct grid *g, struct canvas *c, struct rect r)
{
	struct plot_tick ticks[PLOT_TICKS_MAX];
	size_t wanted = (size_t)(g->rows / TICK_ROWS + 2);
	double scale = p->y_scale > 0 ? p->y_scale : 1;
	size_t n =
		plot_ticks(ticks, p->view->y0 * scale, p->view->y1 * scale, p->view->log_y, wanted);

	for (int row = 0; row < g->rows; row++)
		canvas_put_cell(c, r, row, PLOT_GUTTER - 1, STYLE_FRAME, 0x2502);
	for (size_t i = 0; i < n; i++) {
		int row = plot_row(p->view, ticks[i].value / scale) / g->dy;

		canvas_put_fit(
			c, r, row, 0, PLOT_GUTTER - 2, ALIGN_RIGHT, STYLE_TEXT, ticks[i].label);
		canvas_put_cell(c, r, row, PLOT_GUTTER - 1, STYLE_FRAME, 0x2524);
	}
}

static void put_x_tick(const struct grid *g, struct canvas *c, struct rect r, int col,
	const char *label, int *free_from)
{
	int width = (int)strlen(label), at = PLOT_GUTTER + col - width / 2;

	canvas_put_cell(c, r, g->rows, PLOT_GUTTER + col, STYLE_FRAME, 0x252c);
	if (at < *free_from || at + width > r.cols)
		return;
	canvas_put(c, r, g->rows + 1, at, STYLE_TEXT, label);
	*free_from = at + width + 1;
}

static void put_x_axis(const struct plot *p, const struct grid *g, struct canvas *c, struct rect r)
{
	struct plot_tick ticks[PLOT_TICKS_MAX];
	size_t n = plot_ticks(
		ticks, p->view->x0, p->view->x1, p->view->log_x, (size_t)(g->cols / TICK_COLS + 1));
	int free_from = 0;

	if (p->no_x_axis)
		return;
	if (p->x_label) {
		canvas_put_fit(
			c, r, g->rows + 1, 0, PLOT_GUTTER - 2, ALIGN_RIGHT, STYLE_DIM, p->x_label);
		free_from = PLOT_GUTTER - 1;
	}
	canvas_put_cell(c, r, g->rows, PLOT_GUTTER - 1, STYLE_FRAME, 0x2514);
	for (int col = 0; col < g->cols; col++)
		canvas_put_cell(c, r, g->rows, PLOT_GUTTER + col, STYLE_FRAME, 0x2500);
	for (size_t i = 0; i < n; i++)
		put_x_tick(g, c, r, (int)plot_column_of(p->view, ticks[i].value) / g->dx,
			ticks[i].label, &free_from);
}

/* ---- all of it --------------------------------------------------------------------- */

static void fill_grid(const struct plot *p, const struct grid *g)
{
	set_tolerance(p, g);
	for (int i = 0; i < p->n_traces; i++)
		draw_trace(p, g, &p->traces[i]);
}

void plot_draw(const struct plot *p, struct canvas *c, struct rect r)
{
	struct rect in = inside(r, p->no_x_axis);
	struct grid g = { .rows = in.rows, .cols = in.cols, .glyphs = uses_glyphs(c, p->mono) };

	if (rect_is_empty(in) || !p->view->columns || !p->view->rows)
		return;
	g.dx = g.glyphs ? 1 : 2;
	g.dy = g.glyphs ? 1 : 4;
	g.marks = xcalloc((size_t)g.rows * (size_t)g.cols, sizeof *g.marks);
	fill_grid(p, &g);
	put_zero(p, &g, c, in);
	put_marks(p, &g, c, in);
	put_cursor(p, &g, c, in);
	for (int i = 0; i < p->n_traces; i++)
		for (size_t col = 0; col < p->view->columns; col++)
			put_signs(p, &g, c, in, col, &p->traces[i].columns[col]);
	put_y_axis(p, &g, c, r);
	put_x_axis(p, &g, c, r);
	free(g.marks);
}
