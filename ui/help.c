/* help - see help.h. */
#include "config.h"

#include "ui/help.h"

#include <stdio.h>

enum { ROWS_FOR_ANSWERS = 12 };

void help_open(struct help *h, const char *title, const char *answers,
	const struct palette_item *items, int n)
{
	h->title = title;
	h->answers = answers;
	palette_open(&h->palette, PALETTE_HELP, items, n);
}

void help_close(struct help *h)
{
	palette_close(&h->palette);
}

/* What the view answers comes first where there is room. */
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
	palette_draw(&h->palette, c, r);
}
