/*
 * view_diff - the second view: what an attempt changed.
 *
 * Shared by its files only: view_diff.c (keys and motions), view_diff_load.c
 * (jobs), view_diff_lists.c (the two lists), view_diff_rows.h (what the rows of
 * the lines pane are), view_diff_pen.h (lines into cells) and view_diff_draw.c
 * (panes).
 *
 * Three panes: the files, the lines of the selected file, and, in the place of
 * the lines, the CUDA constructs that are left.  Lines are loaded file by file:
 * the selected one at once, the others behind it until HELD_LINES_MAX, so that
 * a search finds what was not looked at yet.  What is shown stays until what
 * replaces it is there.
 */
#ifndef PORTSIDE_UI_VIEW_DIFF_H
#define PORTSIDE_UI_VIEW_DIFF_H

#include <stdint.h>

#include "command/diff.h"
#include "command/scan.h"
#include "ui/app.h"

enum { HELD_LINES_MAX = 400000 };

enum diff_pane { PANE_FILES, PANE_LINES };

/* One row of the lines pane.  A and B are lines of the file: one below the
 * other only A is used; side by side -1 is an empty half. */
enum diff_row_kind { DIFF_ROW_NOTE, DIFF_ROW_HUNK, DIFF_ROW_LINES };
struct diff_view_row { enum diff_row_kind kind; int64_t a, b; };

/* Where to stand in a file that is not read yet. */
/* A construct is a line that may lie outside of what is shown; then that is said. */
enum diff_goal { GOAL_NONE, GOAL_FIRST_HUNK, GOAL_LAST_HUNK, GOAL_LINE, GOAL_CONSTRUCT };

struct diff_view {
	struct app *app;
	struct job_slot change_job, count_job, lines_job, rest_job, scan_job, export_job;
	bool is_reading;		/* another change is on its way */
	char *trouble;			/* why it could not be read; NULL */

	enum change_against against;
	bool against_chosen;		/* b was pressed: OTHER no longer comes first */
	int context;
	bool ignore_space, side_by_side, wrap;

	struct change *change;		/* NULL before the first */
	struct change_lines **lines;	/* by file; NULL: not read */
	char **troubles;		/* by file: why it could not be read */
	bool is_old;			/* the shown file's lines: others with new options come */
	int64_t held_lines;
	struct constructs_left *left;	/* of CHANGE's tip; NULL: not looked at yet */
	char left_tip[OID_HEX + 1];
	char *left_trouble;

	enum diff_pane focus;
	bool shows_left;
	struct list files, left_list;

	long shown;			/* the file whose rows these are, or -1 */
	struct diff_view_row *rows;
	long n_rows, at, top;
	int sideways, page;
	enum diff_goal goal;
	int32_t goal_line;		/* of the new side */
	char *search;
	/* its direction, until it is found in a file that is yet to be read; 0 */
	int search_due;

	char *folder;			/* of copies for the editor; NULL: none yet */
};

/* ---- view_diff_load.c ---- */

void diff_view_read(struct diff_view *d);		/* the change of the selection */
void diff_view_read_lines(struct diff_view *d);		/* the selected file, then the others */
void diff_view_read_lines_again(struct diff_view *d);	/* options changed */
void diff_view_leave_file(struct diff_view *d);		/* before another one is shown */
void diff_view_read_constructs(struct diff_view *d);
/* Opens the editor at LINE of file FILE of the change, or of PATH when FILE is -1. */
void diff_view_edit(struct diff_view *d, long file, const char *path, long line);
void diff_view_stop(struct diff_view *d);		/* cancels all jobs */
void diff_view_forget(struct diff_view *d);		/* frees what was read */

/* ---- view_diff.c: called when something arrived ---- */

void diff_view_arrived(struct diff_view *d);		/* another change */
void diff_view_lines_arrived(struct diff_view *d, long file);

/* ---- view_diff_rows.c ---- */

/* of the shown file; NULL */
const struct change_lines *diff_view_lines(const struct diff_view *d);
const struct diff_file *diff_view_file(const struct diff_view *d);	/* NULL: none */

/* ---- view_diff_lists.c ---- */

extern const struct list_source diff_files_source, diff_left_source;

/* ---- view_diff_draw.c ---- */

void diff_view_draw(struct diff_view *d, struct canvas *c, struct rect r);

#endif
