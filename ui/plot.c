/* plot - see plot.h. */
#include "config.h"

#include "ui/plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A column of the reference that is as high as a cell is a band. */
enum { BRAILLE = 0x2800, BAND_DOTS = 4, LETTER_TRIES = 12 };

/* One cell of the picture before it goes to the canvas. */
struct mark {
	uint8_t bits;		/* braille dots of attempts */
	uint8_t reference_bits, band_bits, faint_bits, edge_bits;
	uint8_t style;
	char letter;		/* of the attempt in front; 0: none */
	bool attempts, several;	/* one, more than one stands here */
	bool reference, tolerance;
	bool lettered;		/* a letter stands here */
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
	switch (t->role) {
	case PLOT_BAND:
		m->band_bits |= dot_bit(col, row);
		break;
	case PLOT_EDGE:
		/* What lies beyond the window was brought to its first or last row. */
		if (col / 2 % 2 == 0 && row > 0 && row + 1 < (long)g->rows * g->dy)
			m->edge_bits |= dot_bit(col, row);
		break;
	case PLOT_FAINT:
		m->faint_bits |= dot_bit(col, row);
		break;
	case PLOT_REFERENCE:
		m->reference = true;
		m->reference_bits |= dot_bit(col, row);
		break;
	case PLOT_ATTEMPT:
		m->bits |= dot_bit(col, row);
		m->several |= m->attempts && m->letter != t->letter;
		m->attempts = true;
		m->style = (uint8_t)t->style;
		m->letter = t->letter;
		break;
	}
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

/* Up and down within a column: the reference is a band there. */
static void fill_column(
	const struct grid *g, long col, long from, long to, const struct plot_trace *t)
{
	struct plot_trace band = *t;

	if (t->role == PLOT_REFERENCE && labs(to - from) >= BAND_DOTS)
		band.role = PLOT_BAND;
	set_column(g, col, from, to, &band);
}

static void draw_band(const struct plot *p, const struct grid *g, const struct plot_trace *t)
{
	for (size_t i = 0; i < p->view->columns; i++) {
		const struct plot_column *k = &t->columns[i];

		if (isfinite(k->min))
			set_column(g, (long)i, plot_row(p->view, k->max), plot_row(p->view, k->min),
				t);
	}
}

/* The line comes in from the last value before, then fills least to greatest. */
static void draw_trace(const struct plot *p, const struct grid *g, const struct plot_trace *t)
{
	bool has_left = !isnan(t->ends.left);
	int before = has_left ? plot_row(p->view, t->ends.left) : 0;
	long left = -1;

	for (size_t i = 0; i < p->view->columns; i++) {
		const struct plot_column *k = &t->columns[i];

		if (!k->n)
			continue;
		if (!isfinite(k->min)) {
			has_left = false;
			continue;
		}
		if (k->joined && has_left)
			bridge(g, t, left, before, (long)i, plot_row(p->view, k->first));
		fill_column(g, (long)i, plot_row(p->view, k->max), plot_row(p->view, k->min), t);
		has_left = true;
		left = (long)i;
		before = plot_row(p->view, k->last);
	}
	if (has_left && !isnan(t->ends.right))
		bridge(g, t, left, before, (long)p->view->columns,
			plot_row(p->view, t->ends.right));
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

static int count_attempts(const struct plot *p)
{
	int n = 0;

	for (int i = 0; i < p->n_traces; i++)
		n += p->traces[i].role == PLOT_ATTEMPT;
	return n;
}

static uint32_t letter_glyph(const struct mark *m, bool several_attempts)
{
	if (m->several || (m->attempts && m->reference))
		return '#';
	if (m->attempts)
		return several_attempts ? (unsigned char)m->letter : '*';
	if (m->reference)
		return '.';
	return m->faint_bits ? '\'' : m->band_bits ? ':' : m->edge_bits && !m->tolerance ? '-' : 0;
}

/* The ground stands for the reference wherever it fills half of a cell. */
static bool has_ground(const struct mark *m)
{
	uint8_t all = m->band_bits | m->reference_bits;

	return (m->attempts && all) || __builtin_popcount(m->band_bits) >= BAND_DOTS;
}

/* What stands in front has its dots, and the faint ones behind it in the same cell. */
static uint32_t dot_glyph(const struct mark *m)
{
	uint8_t bits = m->faint_bits;

	if (m->attempts)
		bits |= m->bits;
	else if (m->reference)
		bits |= m->reference_bits;
	if (!bits && !has_ground(m))
		bits = m->band_bits ? m->band_bits : m->edge_bits;
	return bits ? BRAILLE + (uint32_t)bits : 0;
}

static enum style style_of(const struct grid *g, const struct mark *m)
{
	if (m->attempts)
		return m->style;
	if (m->reference)
		return STYLE_SERIES_1;
	if (m->faint_bits)
		return STYLE_DIM;
	return m->band_bits || g->glyphs ? STYLE_SERIES_1 : STYLE_FRAME;
}

static bool has_row(uint8_t bits, int row)
{
	return bits & (dot_bit(0, row) | dot_bit(1, row));
}

/* A part of a cell: the band ends in it.  Blocks of a quarter, a half and three quarters
 * from below, or the upper half; 0: another sign. */
static uint32_t block_of(uint8_t bits)
{
	static const uint32_t lower[] = { 0, 0x2582, 0x2584, 0x2586 };
	int filled = has_row(bits, 0) + has_row(bits, 1) + has_row(bits, 2) + has_row(bits, 3);

	if (filled == 4 || !filled)
		return 0;
	if (has_row(bits, 3))
		return lower[filled];
	return has_row(bits, 0) && filled == 2 ? 0x2580 : 0;
}

/* Nothing but the band stands here: true when it was drawn. */
static bool put_band(const struct mark *m, struct canvas *c, struct rect cell)
{
	uint32_t block = block_of(m->band_bits);

	if (!m->band_bits || m->attempts || m->reference || m->faint_bits || !block)
		return false;
	canvas_put_cell(c, cell, 0, 0, STYLE_BAND, block);
	return true;
}

static void put_mark(const struct grid *g, const struct mark *m, bool several, struct canvas *c,
	struct rect cell)
{
	uint32_t glyph = g->glyphs ? letter_glyph(m, several) : dot_glyph(m);

	if (!g->glyphs && put_band(m, c, cell))
		return;
	if (glyph)
		canvas_put_cell(c, cell, 0, 0, style_of(g, m), glyph);
	if (!g->glyphs && has_ground(m))
		canvas_set_ground(c, cell, GROUND_BAND);
	else if (m->tolerance && !glyph && g->glyphs)
		canvas_put_cell(c, cell, 0, 0, STYLE_DIM, ':');
}

static void put_marks(const struct plot *p, const struct grid *g, struct canvas *c, struct rect in)
{
	bool several = count_attempts(p) > 1;

	for (int row = 0; row < g->rows; row++)
		for (int col = 0; col < g->cols; col++)
			put_mark(g, &g->marks[row * g->cols + col], several, c,
				(struct rect){ in.row + row, in.col + col, 1, 1 });
}

/* ---- letters ------------------------------------------------------------------- */

/* The row of the line in a column that has points; -1 for none. */
static int row_at(const struct plot *p, const struct plot_trace *t, long col)
{
	if (col < 0 || col >= (long)p->view->columns || isnan(t->columns[col].last))
		return -1;
	return plot_row(p->view, t->columns[col].last);
}

/* At COL, or else on the line a little to its left where no other letter stands. */
static void put_letter(const struct plot *p, const struct grid *g, const struct plot_trace *t,
	long from, struct canvas *c, struct rect in)
{
	int tries = 0;

	for (long col = from; col >= 0 && tries < LETTER_TRIES; col--) {
		int row = row_at(p, t, col);
		struct mark *m = row >= 0 ? mark_at(g, col, row) : NULL;

		if (!m)
			continue;
		tries++;
		if (m->lettered)
			continue;
		m->lettered = true;
		canvas_put_cell(c, in, row / g->dy, (int)col / g->dx, t->style,
			(unsigned char)t->letter);
		return;
	}
}

static bool carries_letter(const struct plot_trace *t)
{
	return t->role == PLOT_REFERENCE || t->role == PLOT_ATTEMPT;
}

static int count_lines(const struct plot *p)
{
	int n = 0;

	for (int i = 0; i < p->n_traces; i++)
		n += carries_letter(&p->traces[i]);
	return n;
}

/* Two lines are told apart by colour, glyph and legend; more need their names. */
static void put_letters(
	const struct plot *p, const struct grid *g, struct canvas *c, struct rect in)
{
	int n = count_lines(p), k = 0;
	long columns = (long)p->view->columns;

	if (n < 3)
		return;
	for (int i = 0; i < p->n_traces; i++) {
		const struct plot_trace *t = &p->traces[i];

		if (!carries_letter(t))
			continue;
		put_letter(p, g, t, columns - 1, c, in);
		put_letter(p, g, t, columns * (2 * k + 1) / (2 * n), c, in);
		k++;
	}
}

/* ---- cursor and zero ------------------------------------------------------------- */

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
	if (p->own_cursor)
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

/* ---- all of it --------------------------------------------------------------------- */

static void fill_grid(const struct plot *p, const struct grid *g)
{
	set_tolerance(p, g);
	for (int i = 0; i < p->n_traces; i++) {
		if (p->traces[i].role == PLOT_BAND)
			draw_band(p, g, &p->traces[i]);
		else
			draw_trace(p, g, &p->traces[i]);
	}
}

void plot_draw(const struct plot *p, struct canvas *c, struct rect r)
{
	struct rect in = inside(r, p->no_x_axis);
	struct grid g = { .rows = in.rows, .cols = in.cols, .glyphs = uses_glyphs(c, p->mono) };
	struct plot_grid shape = { in.rows, in.cols, g.glyphs ? 1 : 2, g.glyphs ? 1 : 4 };

	if (rect_is_empty(in) || !p->view->columns || !p->view->rows)
		return;
	g.dx = shape.dx;
	g.dy = shape.dy;
	g.marks = xcalloc((size_t)g.rows * (size_t)g.cols, sizeof *g.marks);
	fill_grid(p, &g);
	put_zero(p, &g, c, in);
	put_marks(p, &g, c, in);
	put_cursor(p, &g, c, in);
	put_letters(p, &g, c, in);
	plot_put_signs(p, &shape, c, in);
	plot_put_y_axis(p, &shape, c, r);
	if (!p->no_x_axis)
		plot_put_x_axis(p, &shape, c, r);
	free(g.marks);
}
