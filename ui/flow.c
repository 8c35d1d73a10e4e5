/* flow - see flow.h. */
#include "config.h"

#include "ui/flow.h"

#include <stdio.h>
#include <string.h>

enum { GAP = 3, MARGIN = 1, MORE = 8 /* "+12 more" */ };

struct place { int row, col; };

static int text_width(const struct canvas *c, const char *s)
{
	return s ? canvas_width(c, s, strlen(s)) : 0;
}

static int item_width(const struct canvas *c, const struct flow_item *item)
{
	return text_width(c, item->key) + (item->key ? 1 : 0) + text_width(c, item->text);
}

/* Where an item of WIDTH begins after AT; rows after the first are indented. */
static struct place next_place(struct place at, int width, int indent, int cols)
{
	if (at.col > indent && at.col + width + MARGIN > cols)
		return (struct place){ at.row + 1, indent };
	return at;
}

static int indent_of(const struct canvas *c, const char *head, int cols)
{
	int indent = MARGIN + (head && *head ? text_width(c, head) + 2 : 0);

	return indent < cols / 2 ? indent : MARGIN;
}

int flow_rows(
	const struct canvas *c, const char *head, const struct flow_item *items, int n, int cols)
{
	int indent = indent_of(c, head, cols);
	struct place at = { 0, indent };

	for (int i = 0; i < n; i++) {
		int width = item_width(c, &items[i]);

		at = next_place(at, width, indent, cols);
		at.col += width + GAP;
	}
	return n ? at.row + 1 : 0;
}

static void draw_item(
	struct canvas *c, struct rect r, struct place at, const struct flow_item *item)
{
	int col = at.col;

	if (item->key)
		col = canvas_put(c, r, at.row, col, STYLE_KEY, item->key) + 1;
	if (col < r.cols)
		canvas_put_fit(c, r, at.row, col, r.cols - col - MARGIN, ALIGN_LEFT, item->style,
			item->text);
}

/* Behind the last item that is drawn stands how many are not: so many are drawn. */
static int count_drawn(
	const struct canvas *c, struct rect r, int indent, const struct flow_item *items, int n)
{
	struct place at = { 0, indent };
	int drawn = 0, fits = 0;

	for (int i = 0; i < n; i++) {
		int width = item_width(c, &items[i]);

		at = next_place(at, width, indent, r.cols);
		if (at.row >= r.rows)
			return fits;
		at.col += width + GAP;
		drawn = i + 1;
		if (at.row + 1 < r.rows || at.col + MORE <= r.cols)
			fits = drawn;
	}
	return drawn;
}

void flow_draw(struct canvas *c, struct rect r, const char *head, enum style head_style,
	       const struct flow_item *items, int n)
{
	int indent = indent_of(c, head, r.cols), drawn;
	struct place at = { 0, indent };
	char more[32];

	if (rect_is_empty(r))
		return;
	if (head && indent > MARGIN)
		canvas_put(c, r, 0, MARGIN, head_style, head);
	drawn = count_drawn(c, r, indent, items, n);
	for (int i = 0; i < drawn; i++) {
		int width = item_width(c, &items[i]);

		at = next_place(at, width, indent, r.cols);
		draw_item(c, r, at, &items[i]);
		at.col += width + GAP;
	}
	if (drawn == n)
		return;
	snprintf(more, sizeof more, "+%d more", n - drawn);
	canvas_put_right(c, rect_row(r, r.rows - 1), 0, STYLE_DIM, more);
}
