/*
 * view_diff_pen - the lines of a change as cells: numbers, marks of constructs, the sign,
 * the text with its changed words, matches of a search.
 *
 * One below the other, or in two halves where the pane is wide enough; cut at its edge,
 * or wrapped.  The top row moves as little as it must for the current one to be in sight.
 *
 *	if (diff_view_lines(d))
 *		diff_pen_draw(d, c, r);
 */
#ifndef PORTSIDE_UI_VIEW_DIFF_PEN_H
#define PORTSIDE_UI_VIEW_DIFF_PEN_H

#include "ui/view_diff.h"

/* The rows of the shown file, whose lines are read.  Sets PAGE and TOP of D. */
void diff_pen_draw(struct diff_view *d, struct canvas *c, struct rect r);

#endif
