/*
 * list - the one list behind every table and every chooser.
 *
 * The rows belong to the view, which tells about them through a source; the
 * list keeps which are shown (filter), in which order (sort), which is
 * selected, which are marked, and what is at the top.  The selected row is
 * always visible after list_draw(), and the cursor stands on it, so that
 * screen readers and magnifiers follow.
 *
 * Columns that do not fit are left out, highest DROP first; then the column
 * with the largest weight takes what is left.  Where not all rows fit, the last
 * line says how many are above and below ("3 of 12, +5 below"); a filter that is in
 * force stands there too ("12 of 14 rows: loss < 1").
 *
 *	struct list l;
 *	list_init(&l, &source, view);
 *	list_reload(&l);			// rows changed: keeps the selected key
 *	list_move(&l, MOTION_DOWN);
 *	list_draw(&l, canvas, rect);
 *	long row = list_selected(&l);		// -1 when nothing is shown
 */
#ifndef PORTSIDE_UI_LIST_H
#define PORTSIDE_UI_LIST_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "ui/canvas.h"
#include "ui/motion.h"

struct list_column {
	const char *title;
	int min;		/* cells; what does not fit gets an ellipsis */
	int weight;		/* share of the room that is left; 0 keeps MIN */
	int drop;		/* 0 stays; else the highest goes first */
	bool right;		/* numbers */
};

enum { LIST_COLUMNS_MAX = 24, LIST_TEXT_MAX = 512 };

struct list_cell {
	struct buf *text;	/* empty on entry */
	enum style style;	/* STYLE_TEXT on entry */
};

struct list_source {
	const struct list_column *columns;
	int n_columns;
	long (*count)(void *user);
	void (*cell)(void *user, long row, int column, struct list_cell *out);
	/* Identity of a row over reloads, in OUT; NULL: the row's number. */
	void (*key)(void *user, long row, struct buf *out);
	/* < 0, 0, > 0; NULL: columns compare as natural text. */
	int (*compare)(void *user, long a, long b, int column);
	/* Does ROW pass TEXT?  NULL: any column contains it, ignoring case. */
	bool (*passes)(void *user, long row, const char *text);
	/* Why the filter is not in force although there is one; NULL: it is. */
	const char *(*filter_trouble)(void *user);
	const char *empty;	/* what to do next when there are no rows */
};

struct list {
	const struct list_source *source;
	void *user;
	long *shown;			/* row numbers in the order shown */
	long n_shown;
	long selected;			/* index into shown */
	long top;
	int left;			/* columns scrolled away by MOTION_RIGHT */
	int page;			/* rows of the last draw; 10 before */
	struct rect drawn;		/* where the rows were drawn last */
	int widths[LIST_COLUMNS_MAX];	/* of the columns as drawn last; 0: left out */
	int sort_column;		/* -1: the source's order */
	bool sort_down;
	char *filter, *search;		/* NULL: none */
	struct buf selected_key;
	unsigned char *marked;		/* by row number */
	char **marked_keys;		/* of the marked rows: marks follow them over reloads */
	size_t n_marked_keys, cap_marked_keys;
	long n_rows;
	long range_from;		/* v: -1 when no range is open */
	bool no_heads;			/* leaves the line of column titles out */
	bool tells_filter;		/* its view says elsewhere what is filtered */
};

void list_init(struct list *l, const struct list_source *source, void *user);
void list_release(struct list *l);

/* Reads the count again; sorts and filters; finds the selected key again, or
 * the row that took its place.  Marks stay with their keys. */
void list_reload(struct list *l);

bool list_move(struct list *l, enum motion motion);	/* false: nothing moved */
void list_select(struct list *l, long row);		/* a row number of the source */
bool list_select_key(struct list *l, const char *key);
long list_selected(const struct list *l);
/* For clicks, at a place of the screen as it was drawn last: the source's row, the
 * column whose head stands there; -1 for none. */
long list_row_at(const struct list *l, int row, int col);
int list_head_at(const struct list *l, int row, int col);
/* Selects the row that is there; false: there is none. */
bool list_click(struct list *l, int row, int col);

void list_set_filter(struct list *l, const char *text);	/* NULL or "": all */
void list_set_search(struct list *l, const char *text);
/* To the next (DIRECTION 1) or previous (-1) match, wrapping. False: none. */
bool list_search(struct list *l, int direction);

void list_sort(struct list *l, int column);		/* the same column again turns it round */
void list_sort_next(struct list *l);			/* s: none, then each column */

void list_toggle_mark(struct list *l);			/* Space: marks and goes down */
void list_toggle_range(struct list *l);			/* v: begins, then marks up to here */
void list_clear_marks(struct list *l);
bool list_is_marked(const struct list *l, long row);
long list_count_marked(const struct list *l);
/* For what takes two: the two marked ones, or the marked one and the selected one, in the
 * order of the list.  How many there are, which may be more than two or fewer. */
size_t list_chosen_pair(const struct list *l, long rows[2]);

void list_draw(struct list *l, struct canvas *c, struct rect r);
/* Lines that all of it would take: titles, rows, the filter that is in force. */
int list_rows_wanted(const struct list *l);

/* Motions, Space, v, Enter (accept), Esc (clears filter, marks, then unused). */
enum outcome list_key(struct list *l, uint32_t key);

/* Widths of the columns in WIDTH cells; 0 for one that was dropped.  Pure. */
void list_layout(const struct list_column *columns, int n, int width, int *widths);

#endif
