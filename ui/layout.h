/*
 * layout - where things stand, as pure functions of the size.
 *
 * All works at 80 x 24; then columns go, then panes, down to 40 x 8.  Below
 * that TOO_SMALL is set and one line names the size needed.  No rectangle lies
 * outside the screen and none overlaps another, at any size.
 */
#ifndef PORTSIDE_UI_LAYOUT_H
#define PORTSIDE_UI_LAYOUT_H

#include <stdbool.h>

#include "ui/canvas.h"

enum { LAYOUT_MIN_ROWS = 8, LAYOUT_MIN_COLS = 40 };

struct frame_layout {
	bool too_small;
	struct rect title;	/* one row */
	struct rect tabs;	/* one row when there are 16 rows or more, else empty */
	struct rect body;
	struct rect message;	/* one row */
	struct rect footer;	/* one row */
};

struct frame_layout layout_frame(int rows, int cols);

/* Main part and detail: side by side from 120 columns on, below each other from
 * WANTED + 6 rows on, else the detail is empty.  One row or column between. */
struct split_layout { struct rect main, detail, rule; bool side_by_side; };
struct split_layout layout_split(struct rect body, int wanted_rows);

/* A dialog of ROWS x COLS in the middle of BODY, all of it when it is larger. */
struct rect layout_dialog(struct rect body, int rows, int cols);

#endif
