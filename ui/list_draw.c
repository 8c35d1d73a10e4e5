/* list_draw - widths of columns and the rows of a list; see list.h. */
#include "config.h"

#include "ui/list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	SIGNS = 2,		/* cells left of the columns: mark, and a blank */
	POSITION_FROM_ROWS = 4,	/* below, every row is needed for itself */
	ROWS_WANTED_MAX = 1000,	/* no screen has as many */
};

/* ---- columns ------------------------------------------------------------- */

static int room_needed(const struct list_column *columns, int n, const int *widths)
{
	int sum = 0;

	for (int i = 0; i < n; i++)
		if (widths[i])
			sum += columns[i].min + 1;
	return sum ? sum - 1 : 0;
}

/* The column to leave out next: highest drop, rightmost; -1 when all must stay. */
static int next_to_drop(const struct list_column *columns, int n, const int *widths)
{
	int worst = -1;

	for (int i = 0; i < n; i++)
		if (widths[i] && columns[i].drop &&
			(worst < 0 || columns[i].drop >= columns[worst].drop))
			worst = i;
	return worst;
}

static void share_out(const struct list_column *columns, int n, int room, int *widths)
{
	int weights = 0;

	for (int i = 0; i < n; i++)
		weights += widths[i] ? columns[i].weight : 0;
	for (int i = 0; i < n && weights > 0; i++) {
		int part;

		if (!widths[i] || !columns[i].weight)
			continue;
		part = room * columns[i].weight / weights;
		widths[i] += part;
		room -= part;
		weights -= columns[i].weight;
	}
}

void list_layout(const struct list_column *columns, int n, int width, int *widths)
{
	int worst, room;

	for (int i = 0; i < n; i++)
		widths[i] = columns[i].min > 0 ? columns[i].min : 1;
	while (room_needed(columns, n, widths) > width &&
		(worst = next_to_drop(columns, n, widths)) >= 0)
		widths[worst] = 0;
	room = width - room_needed(columns, n, widths);
	if (room > 0)
		share_out(columns, n, room, widths);
}

/* ---- rows ---------------------------------------------------------------- */

/* Columns that MOTION_RIGHT scrolled away; the first one always stays. */
static void skip_left(const struct list *l, struct list_column *columns, int n)
{
	for (int i = 1; i <= l->left && i < n; i++)
		columns[i].drop = 1 << 20;
}

static void layout(const struct list *l, int width, int *widths)
{
	struct list_column columns[LIST_COLUMNS_MAX];
	int n = l->source->n_columns;

	memcpy(columns, l->source->columns, (size_t)n * sizeof *columns);
	skip_left(l, columns, n);
	list_layout(columns, n, width, widths);
	for (int i = 1; i <= l->left && i < n; i++)
		widths[i] = 0;
}

static void draw_heads(const struct list *l, struct canvas *c, struct rect r, const int *widths)
{
	int col = SIGNS;

	for (int i = 0; i < l->source->n_columns; i++) {
		const struct list_column *k = &l->source->columns[i];
		char title[80];

		if (!widths[i])
			continue;
		snprintf(title, sizeof title, "%s%s", k->title,
			 i != l->sort_column ? "" : l->sort_down ? " v" : " ^");
		canvas_put_fit(c, r, 0, col, widths[i], k->right ? ALIGN_RIGHT : ALIGN_LEFT,
			STYLE_TITLE, title);
		col += widths[i] + 1;
	}
}

/* Marks what the search found, where the whole of it is in sight. */
static void mark_match(const struct list *l, struct canvas *c, struct rect field, const char *text)
{
	const char *at = l->search ? strcasestr(text, l->search) : NULL;
	struct rect found;

	if (!at)
		return;
	found = field;
	found.col += canvas_width(c, text, (size_t)(at - text));
	found.cols = canvas_width(c, at, strlen(l->search));
	if (found.col + found.cols <= field.col + field.cols)
		canvas_set_style(c, found, STYLE_MATCH);
}

static void draw_cell(const struct list *l, struct canvas *c, struct rect field, long row,
	int column, struct buf *text)
{
	struct list_cell cell = { text, STYLE_TEXT };
	bool right = l->source->columns[column].right;

	buf_clear(text);
	l->source->cell(l->user, row, column, &cell);
	canvas_put_fit(
		c, field, 0, 0, field.cols, right ? ALIGN_RIGHT : ALIGN_LEFT, cell.style, text->s);
	if (right && l->search) {
		int width = canvas_width(c, text->s, text->n);

		if (width < field.cols) {
			field.col += field.cols - width;
			field.cols = width;
		}
	}
	mark_match(l, c, field, text->s);
}

static bool in_range(const struct list *l, long i)
{
	if (l->range_from < 0)
		return false;
	return (i >= l->range_from && i <= l->selected) || (i <= l->range_from && i >= l->selected);
}

static void draw_row(const struct list *l, struct canvas *c, struct rect line, long i,
	const int *widths, struct buf *text)
{
	long row = l->shown[i];
	int col = SIGNS;

	if (list_is_marked(l, row) || in_range(l, i))
		canvas_put_cell(c, line, 0, 0, STYLE_STRONG, '*');
	for (int k = 0; k < l->source->n_columns; k++) {
		struct rect field = { line.row, line.col + col, 1, widths[k] };

		if (!widths[k])
			continue;
		if (col + field.cols > line.cols)
			field.cols = line.cols - col;
		if (field.cols > 0)
			draw_cell(l, c, field, row, k, text);
		col += widths[k] + 1;
	}
	if (i == l->selected)
		canvas_set_ground(c, line, GROUND_SELECT);
}

static void keep_in_sight(struct list *l, int rows)
{
	l->page = rows > 0 ? rows : 1;
	if (l->selected < l->top)
		l->top = l->selected;
	if (l->selected >= l->top + l->page)
		l->top = l->selected - l->page + 1;
	if (l->top > l->n_shown - l->page)
		l->top = l->n_shown - l->page;
	if (l->top < 0)
		l->top = 0;
}

static void draw_empty(const struct list *l, struct canvas *c, struct rect r)
{
	char text[LIST_TEXT_MAX];
	struct rect inside = r;

	rect_cut_left(&inside, SIGNS);
	if (l->filter && l->n_rows)
		snprintf(text, sizeof text, "nothing %s \"%.200s\"; Esc shows all again",
			l->source->filter_trouble ? "passes" : "contains", l->filter);
	else
		snprintf(text, sizeof text, "%s",
			l->source->empty ? l->source->empty : "nothing yet");
	canvas_put_wrapped(c, inside, 0, STYLE_DIM, text);
	canvas_set_cursor(c, r, 0, 0);
}

static bool is_filter_told(const struct list *l)
{
	return l->filter && !l->tells_filter;
}

/* "3 of 12, +5 below": nobody takes a part for the whole. */
static void add_position(const struct list *l, struct buf *b)
{
	long above = l->top, below = l->n_shown - l->top - l->page;

	if (above <= 0 && below <= 0)
		return;
	buf_addf(b, "%ld of %ld", l->selected + 1, l->n_shown);
	if (above > 0)
		buf_addf(b, ", +%ld above", above);
	if (below > 0)
		buf_addf(b, ", +%ld below", below);
	if (is_filter_told(l))
		buf_adds(b, "; ");
}

/* Rows are missing: how many, and by what.  The end of a long filter can be spared. */
static void add_filter(const struct list *l, const char *trouble, struct buf *b)
{
	if (trouble)
		buf_addf(b, "nothing is filtered: %s", trouble);
	else
		buf_addf(b, "%ld of %ld row%s: %s", l->n_shown, l->n_rows,
			l->n_rows == 1 ? "" : "s", l->filter);
}

static void draw_position(const struct list *l, struct canvas *c, struct rect line)
{
	bool filtered = is_filter_told(l);
	const char *trouble = filtered && l->source->filter_trouble
		? l->source->filter_trouble(l->user)
		: NULL;
	struct buf b = BUF_INIT;

	if (!trouble)
		add_position(l, &b);
	if (filtered)
		add_filter(l, trouble, &b);
	canvas_put_fit(c, line, 0, SIGNS, line.cols - SIGNS, ALIGN_LEFT,
		trouble ? STYLE_BAD : STYLE_NOTE, b.s);
	buf_release(&b);
}

int list_rows_wanted(const struct list *l)
{
	int rows = l->n_shown < ROWS_WANTED_MAX ? (int)l->n_shown : ROWS_WANTED_MAX;

	return rows + !l->no_heads + is_filter_told(l);
}

void list_draw(struct list *l, struct canvas *c, struct rect r)
{
	struct buf text = BUF_INIT;
	int *widths = l->widths;
	struct rect last = { 0 };

	if (rect_is_empty(r))
		return;
	layout(l, r.cols - SIGNS, widths);
	if (!l->no_heads && r.rows > 1)
		draw_heads(l, c, rect_cut_top(&r, 1), widths);
	if ((l->n_shown > r.rows && r.rows >= POSITION_FROM_ROWS) ||
		(is_filter_told(l) && l->n_shown && r.rows > 1))
		last = rect_cut_bottom(&r, 1);
	l->drawn = r;
	if (!l->n_shown) {
		draw_empty(l, c, r);
		return;
	}
	keep_in_sight(l, r.rows);
	if (last.rows)
		draw_position(l, c, last);
	for (int row = 0; row < r.rows && l->top + row < l->n_shown; row++)
		draw_row(l, c, rect_row(r, row), l->top + row, widths, &text);
	canvas_set_cursor(c, r, (int)(l->selected - l->top), 0);
	buf_release(&text);
}

/* ---- clicks -------------------------------------------------------------- */

static bool is_inside(struct rect r, int row, int col)
{
	return row >= r.row && row < r.row + r.rows && col >= r.col && col < r.col + r.cols;
}

long list_row_at(const struct list *l, int row, int col)
{
	long i = l->top + row - l->drawn.row;

	return is_inside(l->drawn, row, col) && i < l->n_shown ? l->shown[i] : -1;
}

int list_head_at(const struct list *l, int row, int col)
{
	struct rect heads = { l->drawn.row - 1, l->drawn.col, 1, l->drawn.cols };
	int widths[LIST_COLUMNS_MAX], at = heads.col + SIGNS;

	if (l->no_heads || rect_is_empty(l->drawn) || !is_inside(heads, row, col))
		return -1;
	layout(l, l->drawn.cols - SIGNS, widths);
	for (int i = 0; i < l->source->n_columns; i++) {
		if (!widths[i])
			continue;
		if (col >= at && col <= at + widths[i])
			return i;
		at += widths[i] + 1;
	}
	return -1;
}

bool list_click(struct list *l, int row, int col)
{
	long at = list_row_at(l, row, col);

	if (at >= 0)
		list_select(l, at);
	return at >= 0;
}
