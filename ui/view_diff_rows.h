/*
 * view_diff_rows - the rows of the lines pane: notes, hunks and lines of the shown file.
 *
 * One below the other a line is a row; side by side a row has a line of each side, or an
 * empty half.  Lines are numbered as in the file of the change, rows from 0 as on the
 * screen.  Built anew when the file, its lines or the layout change.
 *
 *	diff_rows_build(d);
 *	d->at = diff_rows_next_hunk(d, d->at, 1);
 */
#ifndef PORTSIDE_UI_VIEW_DIFF_ROWS_H
#define PORTSIDE_UI_VIEW_DIFF_ROWS_H

#include "ui/view_diff.h"

/* None while the lines of the shown file are not read. */
void diff_rows_build(struct diff_view *d);

/* The line that row I stands for: the new side before the old one; -1: none. */
int64_t diff_rows_line(const struct diff_view *d, long i);
/* The row that has LINE; 0 when none has. */
long diff_rows_of_line(const struct diff_view *d, int64_t line);
/* The next hunk after (DIRECTION 1) or before (-1) row FROM; -1: none. */
long diff_rows_next_hunk(const struct diff_view *d, long from, int direction);
/* The row of the new side's line NUMBER, or the nearest that is shown. */
long diff_rows_near(const struct diff_view *d, int32_t number, bool *exact);

#endif
