/* layout - see layout.h. */
#include "config.h"

#include "ui/layout.h"

enum { SIDE_BY_SIDE_COLS = 120, TABS_FROM_ROWS = 16, DETAIL_MIN_ROWS = 6 };

struct frame_layout layout_frame(int rows, int cols)
{
	struct frame_layout l = { 0 };
	struct rect all = { 0, 0, rows, cols };

	l.body = all;
	if (rows < LAYOUT_MIN_ROWS || cols < LAYOUT_MIN_COLS) {
		l.too_small = true;
		return l;
	}
	l.title = rect_cut_top(&all, 1);
	l.tabs = rect_cut_top(&all, rows >= TABS_FROM_ROWS ? 1 : 0);
	l.footer = rect_cut_bottom(&all, 1);
	l.message = rect_cut_bottom(&all, 1);
	l.body = all;
	return l;
}

struct split_layout layout_split(struct rect body, int wanted_rows)
{
	struct split_layout l = { 0 };

	l.main = body;
	if (body.cols >= SIDE_BY_SIDE_COLS) {
		l.side_by_side = true;
		l.detail = rect_cut_right(&l.main, body.cols * 2 / 5);
		l.rule = rect_cut_right(&l.main, 1);
		return l;
	}
	if (wanted_rows < 1)
		wanted_rows = 1;
	if (body.rows < wanted_rows + DETAIL_MIN_ROWS)
		return l;
	l.main = rect_cut_top(&body, wanted_rows);
	l.rule = rect_cut_top(&body, 1);
	l.detail = body;
	return l;
}

struct rect layout_dialog(struct rect body, int rows, int cols)
{
	return rect_centre(body, rows, cols);
}
