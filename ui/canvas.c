/* canvas - see canvas.h: cells, rectangles and areas.  Text is in canvas_text.c. */
#include "config.h"

#include "ui/canvas.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "ui/canvas_text.h"

static int clamp_side(int n)
{
	if (n < 1)
		return 1;
	return n > CANVAS_SIDE_MAX ? CANVAS_SIDE_MAX : n;
}

void canvas_init(struct canvas *c, int rows, int cols)
{
	memset(c, 0, sizeof *c);
	canvas_resize(c, rows, cols);
}

void canvas_release(struct canvas *c)
{
	free(c->cells);
	c->cells = NULL;
	c->rows = c->cols = 0;
}

void canvas_resize(struct canvas *c, int rows, int cols)
{
	rows = clamp_side(rows);
	cols = clamp_side(cols);
	if (rows != c->rows || cols != c->cols)
		c->cells = xreallocarray(c->cells, (size_t)rows * (size_t)cols, sizeof *c->cells);
	c->rows = rows;
	c->cols = cols;
	canvas_clear(c);
}

void canvas_clear(struct canvas *c)
{
	memset(c->cells, 0, (size_t)c->rows * (size_t)c->cols * sizeof *c->cells);
	c->cursor_row = c->cursor_col = 0;
}

/* ---- rectangles ---------------------------------------------------------- */

struct rect canvas_all(const struct canvas *c)
{
	return (struct rect){ 0, 0, c->rows, c->cols };
}

static int at_most(int wanted, int have)
{
	if (wanted < 0 || have < 0)
		return 0;
	return wanted < have ? wanted : have;
}

struct rect rect_cut_top(struct rect *r, int rows)
{
	struct rect cut = *r;

	cut.rows = at_most(rows, r->rows);
	r->row += cut.rows;
	r->rows -= cut.rows;
	return cut;
}

struct rect rect_cut_bottom(struct rect *r, int rows)
{
	struct rect cut = *r;

	cut.rows = at_most(rows, r->rows);
	r->rows -= cut.rows;
	cut.row = r->row + r->rows;
	return cut;
}

struct rect rect_cut_left(struct rect *r, int cols)
{
	struct rect cut = *r;

	cut.cols = at_most(cols, r->cols);
	r->col += cut.cols;
	r->cols -= cut.cols;
	return cut;
}

struct rect rect_cut_right(struct rect *r, int cols)
{
	struct rect cut = *r;

	cut.cols = at_most(cols, r->cols);
	r->cols -= cut.cols;
	cut.col = r->col + r->cols;
	return cut;
}

struct rect rect_inset(struct rect r, int by)
{
	r.row += by;
	r.col += by;
	r.rows = r.rows > 2 * by ? r.rows - 2 * by : 0;
	r.cols = r.cols > 2 * by ? r.cols - 2 * by : 0;
	return r;
}

struct rect rect_centre(struct rect in, int rows, int cols)
{
	struct rect r;

	r.rows = at_most(rows, in.rows);
	r.cols = at_most(cols, in.cols);
	r.row = in.row + (in.rows - r.rows) / 2;
	r.col = in.col + (in.cols - r.cols) / 2;
	return r;
}

struct rect rect_row(struct rect r, int row)
{
	r.row += row;
	r.rows = row >= 0 && row < r.rows ? 1 : 0;
	return r;
}

bool rect_is_empty(struct rect r)
{
	return r.rows <= 0 || r.cols <= 0;
}

/* The part of R that lies on the canvas. */
static struct rect rect_clip(const struct canvas *c, struct rect r)
{
	int bottom = r.row + r.rows, right = r.col + r.cols;

	if (r.row < 0)
		r.row = 0;
	if (r.col < 0)
		r.col = 0;
	r.rows = (bottom < c->rows ? bottom : c->rows) - r.row;
	r.cols = (right < c->cols ? right : c->cols) - r.col;
	if (rect_is_empty(r))
		r.rows = r.cols = 0;
	return r;
}

/* ---- cells --------------------------------------------------------------- */

struct cell *canvas_cell_at(struct canvas *c, struct rect r, int row, int col)
{
	if (row < 0 || col < 0 || row >= r.rows || col >= r.cols)
		return NULL;
	row += r.row;
	col += r.col;
	if (row < 0 || col < 0 || row >= c->rows || col >= c->cols)
		return NULL;
	return &c->cells[(size_t)row * (size_t)c->cols + (size_t)col];
}

/* Half a wide character never stays: its other half becomes blank. */
void canvas_break_wide(struct canvas *c, struct cell *k)
{
	size_t col = (size_t)(k - c->cells) % (size_t)c->cols;

	if (k->cp[0] == CELL_RIGHT_HALF && col > 0)
		k[-1].cp[0] = k[-1].cp[1] = 0;
	if (col + 1 < (size_t)c->cols && k[1].cp[0] == CELL_RIGHT_HALF)
		k[1].cp[0] = 0;
}

void canvas_put_cell(
	struct canvas *c, struct rect r, int row, int col, enum style style, uint32_t cp)
{
	struct cell *k = canvas_cell_at(c, r, row, col);

	if (!k)
		return;
	canvas_break_wide(c, k);
	k->cp[0] = canvas_glyph(c, cp);
	k->cp[1] = 0;
	k->style = (uint8_t)style;
}

const struct cell *canvas_cell(const struct canvas *c, int row, int col)
{
	if (row < 0 || col < 0 || row >= c->rows || col >= c->cols)
		return NULL;
	return &c->cells[(size_t)row * (size_t)c->cols + (size_t)col];
}

/* ---- areas --------------------------------------------------------------- */

void canvas_fill(struct canvas *c, struct rect r, enum style style, uint32_t cp)
{
	r = rect_clip(c, r);
	for (int row = 0; row < r.rows; row++)
		for (int col = 0; col < r.cols; col++) {
			canvas_put_cell(c, r, row, col, style, cp);
			canvas_cell_at(c, r, row, col)->ground = GROUND_NONE;
		}
}

void canvas_set_ground(struct canvas *c, struct rect r, enum ground ground)
{
	r = rect_clip(c, r);
	for (int row = 0; row < r.rows; row++)
		for (int col = 0; col < r.cols; col++)
			canvas_cell_at(c, r, row, col)->ground = (uint8_t)ground;
}

void canvas_set_style(struct canvas *c, struct rect r, enum style style)
{
	r = rect_clip(c, r);
	for (int row = 0; row < r.rows; row++)
		for (int col = 0; col < r.cols; col++)
			canvas_cell_at(c, r, row, col)->style = (uint8_t)style;
}

void canvas_rule(struct canvas *c, struct rect r, int row, enum style style)
{
	for (int col = 0; col < r.cols; col++)
		canvas_put_cell(c, r, row, col, style, 0x2500);
}

void canvas_column_rule(struct canvas *c, struct rect r, int col, enum style style)
{
	for (int row = 0; row < r.rows; row++)
		canvas_put_cell(c, r, row, col, style, 0x2502);
}

void canvas_box(struct canvas *c, struct rect r, enum style style, const char *title)
{
	int bottom = r.rows - 1, right = r.cols - 1;

	canvas_fill(c, r, STYLE_TEXT, 0);
	canvas_rule(c, r, 0, style);
	canvas_rule(c, r, bottom, style);
	canvas_column_rule(c, r, 0, style);
	canvas_column_rule(c, r, right, style);
	canvas_put_cell(c, r, 0, 0, style, 0x250c);
	canvas_put_cell(c, r, 0, right, style, 0x2510);
	canvas_put_cell(c, r, bottom, 0, style, 0x2514);
	canvas_put_cell(c, r, bottom, right, style, 0x2518);
	if (title && r.cols > 6) {
		int width = canvas_width(c, title, strlen(title));

		if (width > r.cols - 6)
			width = r.cols - 6;
		canvas_put_fit(c, r, 0, 3, width, ALIGN_LEFT, STYLE_TITLE, title);
		canvas_put_cell(c, r, 0, 2, STYLE_TITLE, ' ');
		canvas_put_cell(c, r, 0, 3 + width, STYLE_TITLE, ' ');
	}
}

void canvas_set_cursor(struct canvas *c, struct rect r, int row, int col)
{
	if (row < 0 || row >= r.rows || col < 0 || r.cols <= 0)
		return;
	row += r.row;
	col = r.col + (col < r.cols ? col : r.cols - 1);
	if (row < 0 || row >= c->rows || col < 0 || col >= c->cols)
		return;
	c->cursor_row = row;
	c->cursor_col = col;
}

/* ---- dumps --------------------------------------------------------------- */

static void add_cell(struct buf *out, const struct cell *k)
{
	if (k->cp[0] == CELL_RIGHT_HALF)
		return;
	utf8_encode(out, k->cp[0] ? k->cp[0] : ' ');
	if (k->cp[1])
		utf8_encode(out, k->cp[1]);
}

void canvas_dump_text(const struct canvas *c, struct buf *out)
{
	for (int row = 0; row < c->rows; row++) {
		size_t start = out->n;

		for (int col = 0; col < c->cols; col++)
			add_cell(out, canvas_cell(c, row, col));
		while (out->n > start && out->s[out->n - 1] == ' ')
			buf_truncate(out, out->n - 1);
		buf_addc(out, '\n');
	}
}

static bool same_look(const struct cell *a, const struct cell *b)
{
	return a->style == b->style && a->ground == b->ground;
}

/* The column after the run of one look that begins at COL. */
static int run_end(const struct canvas *c, int row, int col)
{
	const struct cell *first = canvas_cell(c, row, col);
	int end = col + 1;

	while (end < c->cols && same_look(first, canvas_cell(c, row, end)))
		end++;
	return end;
}

void canvas_dump_styles(const struct canvas *c, struct buf *out)
{
	for (int row = 0; row < c->rows; row++)
		for (int col = 0, end; col < c->cols; col = end) {
			const struct cell *k = canvas_cell(c, row, col);

			end = run_end(c, row, col);
			if (k->style == STYLE_TEXT && k->ground == GROUND_NONE)
				continue;
			buf_addf(out, "%d %d-%d %s", row, col, end - 1, style_name(k->style));
			if (k->ground != GROUND_NONE)
				buf_addf(out, "+%s", ground_name(k->ground));
			buf_addc(out, '\n');
		}
}

static void add_color(struct buf *out, int base, int index)
{
	if (index >= 16)
		buf_addf(out, ";%d;5;%d", base + 8, index);
	else if (index >= 8)
		buf_addf(out, ";%d", base + 60 + index - 8);
	else if (index >= 0)
		buf_addf(out, ";%d", base + index);
}

static void add_sgr(struct buf *out, struct look look)
{
	static const struct { uint8_t bit; const char *code; } codes[] = {
		{ LOOK_BOLD, ";1" }, { LOOK_DIM, ";2" }, { LOOK_ITALIC, ";3" },
		{ LOOK_UNDERLINE, ";4" }, { LOOK_REVERSE, ";7" },
	};

	buf_adds(out, "\033[0");
	for (size_t i = 0; i < ARRAY_LEN(codes); i++)
		if (look.attributes & codes[i].bit)
			buf_adds(out, codes[i].code);
	add_color(out, 30, look.fg);
	add_color(out, 40, look.bg);
	buf_addc(out, 'm');
}

void canvas_dump_ansi(const struct canvas *c, struct buf *out, enum palette_depth depth)
{
	for (int row = 0; row < c->rows; row++) {
		for (int col = 0, end; col < c->cols; col = end) {
			const struct cell *k = canvas_cell(c, row, col);

			end = run_end(c, row, col);
			add_sgr(out, style_look(k->style, k->ground, depth));
			for (int i = col; i < end; i++)
				add_cell(out, canvas_cell(c, row, i));
		}
		buf_adds(out, "\033[0m\n");
	}
}
