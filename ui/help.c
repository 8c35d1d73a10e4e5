/* help - see help.h. */
#include "config.h"

#include "ui/help.h"

#include <stdio.h>

enum { ROWS_FOR_ANSWERS = 12, ROWS_FOR_LEGEND = 16 };

void help_open(struct help *h, const char *title, const char *answers, const char *legend,
	const struct palette_item *items, int n)
{
	h->title = title;
	h->answers = answers;
	h->legend = legend;
	palette_open(&h->palette, PALETTE_HELP, items, n);
}

void help_close(struct help *h)
{
	palette_close(&h->palette);
}

static void draw_legend(const struct help *h, struct canvas *c, struct rect *r)
{
	struct rect inside = { .cols = r->cols - 2 }, lines;

	lines = rect_cut_top(r, canvas_wrap(c, h->legend, inside.cols, NULL, NULL));
	canvas_fill(c, lines, STYLE_TEXT, 0);
	rect_cut_left(&lines, 1);
	rect_cut_right(&lines, 1);
	canvas_put_wrapped(c, lines, 0, STYLE_NOTE, h->legend);
}

/* What the view answers comes first where there is room, then its signs. */
void help_draw(struct help *h, struct canvas *c, struct rect r)
{
	if (h->answers && r.rows >= ROWS_FOR_ANSWERS) {
		struct rect line = rect_cut_top(&r, 1);
		int col;

		canvas_fill(c, line, STYLE_TEXT, 0);
		col = canvas_put(c, line, 0, 1, STYLE_TITLE, h->title ? h->title : "");
		canvas_put_fit(c, line, 0, col + 2, line.cols - col - 3, ALIGN_LEFT, STYLE_TEXT,
			h->answers);
	}
	if (h->legend && r.rows >= ROWS_FOR_LEGEND)
		draw_legend(h, c, &r);
	palette_draw(&h->palette, c, r);
}
