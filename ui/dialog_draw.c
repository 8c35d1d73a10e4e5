/* dialog_draw - a form as lines of text in a box; see dialog.h. */
#include "config.h"

#include "ui/dialog.h"

#include <string.h>

#include "ui/layout.h"

enum { BORDER = 2, MARGIN = 1, WIDTH_MAX = 78, SIGN = 2, COMPLAINT_ROWS = 4, TEXT_MIN = 12,
	CHOICE_MARK = 6, TWO_COLUMNS_FROM = 5 };

/* Many choices with short words stand in two columns, read down, then right. */
static int choice_rows(const struct canvas *c, const struct dialog_field *f, int width)
{
	for (int i = 0; i < f->n_choices; i++)
		if (canvas_width(c, f->choices[i].label, strlen(f->choices[i].label)) +
				CHOICE_MARK >
			width / 2)
			return f->n_choices;
	return f->n_choices < TWO_COLUMNS_FROM ? f->n_choices : (f->n_choices + 1) / 2;
}

static int field_rows(const struct canvas *c, const struct dialog_field *f, int width)
{
	if (f->type == FIELD_INFO) {
		int rows = canvas_wrap(c, f->info, width, NULL, NULL);

		return rows ? rows : 1;
	}
	if (f->type == FIELD_CHOICE)
		return choice_rows(c, f, width);
	return 1;
}

/* ---- fields -------------------------------------------------------------------- */

/* ROW may be negative: what is above R is not drawn. */
static void draw_info(struct canvas *c, struct rect r, int row, const struct dialog_field *f)
{
	canvas_put_wrapped(c, r, row, STYLE_TEXT, f->info);
}

static void draw_choices(
	struct canvas *c, struct rect r, int row, const struct dialog_field *f, bool focus)
{
	int rows = choice_rows(c, f, r.cols), width = rows < f->n_choices ? r.cols / 2 : r.cols;

	for (int i = 0; i < f->n_choices; i++) {
		const struct dialog_choice *k = &f->choices[i];
		bool chosen = i == f->chosen;
		struct rect cell = rect_row(r, row + i % rows);
		int col;

		if (rect_is_empty(cell))
			continue;
		rect_cut_left(&cell, i / rows * width);
		if (cell.cols > width)
			cell.cols = width;
		col = canvas_putf(
			c, cell, 0, 0, STYLE_KEY, "%c[%c] ", chosen ? '>' : ' ', k->letter);
		canvas_put_fit(c, cell, 0, col, cell.cols - col, ALIGN_LEFT,
			chosen ? STYLE_STRONG : STYLE_TEXT, k->label);
		if (focus && (chosen || (f->chosen < 0 && i == 0))) {
			canvas_set_ground(c, cell, GROUND_SELECT);
			canvas_set_cursor(c, cell, 0, 0);
		}
	}
}

/* "first words ... (12 lines)" */
static void draw_long_text(struct canvas *c, struct rect line, const char *text)
{
	struct buf first = BUF_INIT;
	int lines = 1;

	for (const char *s = text; *s; s++)
		lines += *s == '\n';
	buf_add(&first, text, strcspn(text, "\n"));
	canvas_put_fit(c, line, 0, 0, line.cols - 14, ALIGN_LEFT, STYLE_TEXT, first.s);
	canvas_putf(
		c, line, 0, line.cols > 13 ? line.cols - 13 : 0, STYLE_DIM, " (%d lines)", lines);
	buf_release(&first);
}

static void draw_prompt(
	struct canvas *c, struct rect r, int row, struct dialog_field *f, bool focus)
{
	const char *note = f->flags & DIALOG_REQUIRED ? " (required)"
		: f->empty_is_unknown                 ? " (empty: not known)"
						      : "";
	struct rect line = rect_row(r, row), label = line;
	int at_row = c->cursor_row, at_col = c->cursor_col, most = r.cols - TEXT_MIN, width;

	if (rect_is_empty(line))
		return;
	width = canvas_width(c, f->label, strlen(f->label)) + (int)strlen(note) + 1;
	if (width > most)
		width = most > 1 ? most : 1;
	label = rect_cut_left(&line, width);
	canvas_putf(c, label, 0, 0, focus ? STYLE_STRONG : STYLE_TEXT, "%s%s", f->label, note);
	canvas_fill(c, line, STYLE_FRAME, '_');
	if (f->long_text)
		draw_long_text(c, line, f->long_text);
	else
		prompt_draw(&f->prompt, c, line);
	if (focus && f->long_text)
		canvas_set_cursor(c, line, 0, 0);
	if (!focus) {
		c->cursor_row = at_row;
		c->cursor_col = at_col;
	}
}

static void draw_check(
	struct canvas *c, struct rect r, int row, const struct dialog_field *f, bool focus)
{
	canvas_putf(c, r, row, 0, focus ? STYLE_STRONG : STYLE_TEXT, "[%c] %s",
		f->checked ? 'x' : ' ', f->label);
	if (focus)
		canvas_set_cursor(c, r, row, 1);
}

static void draw_field(struct canvas *c, struct rect r, int row, struct dialog_field *f, bool focus)
{
	switch (f->type) {
	case FIELD_INFO:
		draw_info(c, r, row, f);
		break;
	case FIELD_CHOICE:
		draw_choices(c, r, row, f, focus);
		break;
	case FIELD_CHECK:
		draw_check(c, r, row, f, focus);
		break;
	case FIELD_TEXT: case FIELD_NUMBER: case FIELD_NAME:
		draw_prompt(c, r, row, f, focus);
		break;
	}
}

/* ---- the form ------------------------------------------------------------------- */

static int rows_before(const struct canvas *c, const struct dialog *d, int field, int width)
{
	int rows = 0;

	for (int i = 0; i < field; i++)
		rows += field_rows(c, d->fields[i], width);
	return rows;
}

/* The row of the field with the focus, the chosen one inside of a choice. */
static int focus_row(const struct canvas *c, const struct dialog *d, int width)
{
	int row = rows_before(c, d, d->focus, width);
	const struct dialog_field *f = d->focus < d->n ? d->fields[d->focus] : NULL;

	return f && f->type == FIELD_CHOICE && f->chosen > 0
		? row + f->chosen % choice_rows(c, f, width)
		: row;
}

static bool takes_keys(const struct dialog *d)
{
	return d->focus < d->n && d->fields[d->focus]->type != FIELD_INFO;
}

/* Scrolls only when the form is larger than its room. */
static void keep_in_sight(const struct canvas *c, struct dialog *d, int rows, int width, int total)
{
	int row = focus_row(c, d, width);

	if (total <= rows) {
		d->top = 0;
		return;
	}
	if (takes_keys(d) && row >= d->top + rows)
		d->top = row - rows + 1;
	if (takes_keys(d) && row < d->top && row + rows < total)
		d->top = row;
	if (d->top > total - rows)
		d->top = total - rows;
}

/* A sentence that is longer than a line is told in full. */
static int last_rows(const struct dialog *d, const struct canvas *c, int width)
{
	int rows = d->complaint ? canvas_wrap(c, d->complaint, width - SIGN, NULL, NULL) : 1;

	return rows < 1 ? 1 : rows < COMPLAINT_ROWS ? rows : COMPLAINT_ROWS;
}

static void draw_last_line(const struct dialog *d, struct canvas *c, struct rect line, bool more)
{
	const char *keys = d->keys ? d->keys
		: more             ? "Enter records  Esc keeps everything as it was  PgDn more"
				   : "Enter records  Esc keeps everything as it was";

	if (d->complaint) {
		canvas_put(c, rect_cut_left(&line, SIGN), 0, 0, STYLE_BAD, "!");
		canvas_put_wrapped(c, line, 0, STYLE_BAD, d->complaint);
	} else if (d->note) {
		canvas_put_fit(c, line, 0, 0, line.cols, ALIGN_LEFT, STYLE_NOTE, d->note);
	} else {
		canvas_put_fit(c, line, 0, 0, line.cols, ALIGN_LEFT, STYLE_DIM, keys);
	}
}

/* A column of the view beside the box would read as part of it. */
static void clear_beside(struct canvas *c, struct rect box, struct rect r)
{
	box.col -= MARGIN;
	box.cols += 2 * MARGIN;
	if (box.col >= r.col && box.cols <= r.cols)
		canvas_fill(c, box, STYLE_TEXT, 0);
}

void dialog_draw(struct dialog *d, struct canvas *c, struct rect r)
{
	int width = r.cols < WIDTH_MAX ? r.cols : WIDTH_MAX, inner = width - BORDER - 2 * MARGIN,
	    total, below;
	struct rect box, inside, last;

	if (inner < 1)
		return;
	total = rows_before(c, d, d->n, inner);
	below = last_rows(d, c, inner);
	box = layout_dialog(r, total + BORDER + below + 1, width);
	clear_beside(c, box, r);
	canvas_box(c, box, STYLE_FRAME, d->title);
	inside = rect_inset(box, 1);
	rect_cut_left(&inside, MARGIN);
	rect_cut_right(&inside, MARGIN);
	last = rect_cut_bottom(&inside, below);
	if (inside.rows > total)
		rect_cut_bottom(&inside, 1);
	keep_in_sight(c, d, inside.rows, inner, total);
	canvas_set_cursor(c, inside, 0, 0);
	d->drawn = inside;
	for (int i = 0; i < d->n; i++) {
		int row = rows_before(c, d, i, inner) - d->top;

		d->fields[i]->drawn_row = inside.row + row;
		d->fields[i]->drawn_rows = field_rows(c, d->fields[i], inner);
		draw_field(c, inside, row, d->fields[i], i == d->focus);
	}
	draw_last_line(d, c, last, total > inside.rows);
}

/* ---- clicks --------------------------------------------------------------------- */

static void click_field(struct dialog *d, struct dialog_field *f, int row, int col)
{
	int i = row - f->drawn_row;

	if (f->type == FIELD_CHOICE) {
		if (f->drawn_rows < f->n_choices && col - d->drawn.col >= d->drawn.cols / 2)
			i += f->drawn_rows;
		if (i < f->n_choices)
			f->chosen = i;
	} else if (f->type == FIELD_CHECK) {
		f->checked = !f->checked;
	}
}

void dialog_click(struct dialog *d, int row, int col)
{
	struct rect r = d->drawn;

	if (row < r.row || row >= r.row + r.rows || col < r.col || col >= r.col + r.cols)
		return;
	for (int i = 0; i < d->n; i++) {
		struct dialog_field *f = d->fields[i];

		if (f->type == FIELD_INFO || row < f->drawn_row ||
			row >= f->drawn_row + f->drawn_rows)
			continue;
		d->focus = i;
		click_field(d, f, row, col);
		dialog_complain(d, "");
		return;
	}
}

void dialog_scroll(struct dialog *d, int rows)
{
	d->top = d->top + rows > 0 ? d->top + rows : 0;
}
