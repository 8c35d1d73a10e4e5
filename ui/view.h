/*
 * view - the contract between the application and one view.
 *
 * A view is one row of functions and a block of memory of its own.  It draws
 * from what its jobs have brought and never reads a file, a database or a
 * repository itself.  What is selected (attempt, run, goal, position) is
 * shared: a view reads it from view->app->selection and changes it through
 * app_select_*(), which tells all views.
 *
 * Writing one, ui/view_NAME.c:
 *
 *	struct runs_view { struct list list; struct job_slot rows_job; struct rows *rows; };
 *
 *	static void runs_load(struct view *v)		// shown, and something changed
 *	{
 *		struct runs_view *self = view_state(v);
 *
 *		job_start(&self->rows_job, v->app->loop, &load_rows, request_new(v->app), on_rows, v);
 *	}
 *
 *	const struct view_type runs_view = { .name = "runs", .digit = '3', ... };
 *
 * and one line in the table of ui/views.c.  With a NULL loop (`portside show`,
 * golden tests) job_start() does the work at once, so the same code serves.
 *
 * Keys: the application looks a key up in the table of operations with the
 * view's context, and hands the view the operation.  Motions reach it through
 * MOVE.  Only what is no operation (digits in a form) comes to KEY.
 */
#ifndef PORTSIDE_UI_VIEW_H
#define PORTSIDE_UI_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "ui/canvas.h"
#include "ui/list.h"
#include "ui/motion.h"
#include "ui/status.h"

struct app;
struct operation;
struct view;

/* Are there rows that a key could be meant for? */
enum view_rows { ROWS_THERE, ROWS_AWAITED, ROWS_FAILED };

/* What changed: bits for view_type.changed and app_changed(). */
enum {
	CHANGED_ATTEMPT = 1,	/* another attempt is selected */
	CHANGED_RUN = 2,
	CHANGED_GOAL = 4,
	CHANGED_POSITION = 8,	/* the moment in time that is shown */
	CHANGED_LOG = 16,	/* new events */
	CHANGED_FILES = 32,	/* run folders, configuration, spool */
	CHANGED_SIZE = 64,
	CHANGED_PLACE = 128,	/* a line of a file is to be shown */
	CHANGED_ALL = 255,
};

struct view_type {
	const char *name;	/* "attempts": `show NAME`, and the operation that opens it */
	char digit;		/* '1'..'9'; 0: none */
	const char *title;	/* "attempts" in the tab line */
	const char *answers;	/* "where are we, and what needs me?" for the help */
	const char *legend;	/* what its signs and short words mean; NULL: it has none */
	unsigned contexts;	/* of the table of operations, beside those of all views */
	unsigned reload_on;	/* CHANGED_ bits after which LOAD is called */
	size_t size;		/* of its state */

	void (*open)(struct view *v);		/* state is zeroed; once, when first shown */
	void (*close)(struct view *v);		/* cancels its jobs, frees all */
	void (*load)(struct view *v);		/* starts jobs for app->selection */
	void (*leave)(struct view *v);		/* another one is shown now; NULL: nothing ends */
	void (*changed)(struct view *v, unsigned what);	/* NULL: only reload_on counts */
	void (*draw)(struct view *v, struct canvas *c, struct rect r);
	enum view_rows (*rows)(const struct view *v);	/* NULL: always there */

	bool (*move)(struct view *v, enum motion motion);
	bool (*operate)(struct view *v, const struct operation *o);	/* false: not mine */
	bool (*key)(struct view *v, uint32_t key);			/* NULL: none */
	/* NULL: none; screen position */
	bool (*click)(struct view *v, int row, int col);
	/* Esc: closes a pane, ...; false: nothing to close */
	bool (*back)(struct view *v);

	void (*search)(struct view *v, const char *text);		/* NULL: no `/` here */
	bool (*search_next)(struct view *v, int direction);
	/* NULL: no `&` here; "" clears */
	void (*filter)(struct view *v, const char *text);

	void (*subject)(struct view *v, struct buf *out);	/* title line; NULL: none */
	bool (*copy)(struct view *v, struct buf *out);		/* y: what the clipboard gets */
	/* e: what the editor opens a copy of */
	bool (*file)(struct view *v, struct buf *path, long *line);
	/* 4 to 6 keys for the footer; returns their number. */
	int (*keys)(struct view *v, const struct status_key **out);
};

struct view {
	const struct view_type *type;
	struct app *app;
	void *state;
	bool is_open;
	bool stale;		/* LOAD is due when it is next shown */
};

/* The state; the caller knows its type. */
static inline void *view_state(const struct view *v)
{
	return v->state;
}

/* The table of views in the order of their digits: ui/views.c. */
const struct view_type *const *view_types(int *n);

#endif
