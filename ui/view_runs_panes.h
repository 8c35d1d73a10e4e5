/*
 * view_runs_panes - where list, facts and log of view 3 stand.
 *
 * The list has what it wants, the side the rest.  Where the side has room for one only, it
 * is what a live run writes, and what an ended one was.  A pane that was zoomed, or the
 * log with the keys, has all.  Only the pane with the keys shows a current line.
 */
#ifndef PORTSIDE_UI_VIEW_RUNS_PANES_H
#define PORTSIDE_UI_VIEW_RUNS_PANES_H

#include "ui/view.h"

/* The view's draw(). */
void runs_panes_draw(struct view *v, struct canvas *c, struct rect r);

#endif
