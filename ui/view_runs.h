/*
 * view_runs - view 3: what runs, where, for how long, at what cost?
 *
 * Live runs first, then the newest.  When another attempt was selected elsewhere,
 * the cursor comes to its newest run.  Enter opens the log of a run; Tab goes to
 * the facts that are recorded about it.  While a run lives, the rows are read
 * again once a second; else nothing wakes up.
 *
 *	view_runs.c		the view: rows, keys
 *	view_runs_panes.c	where list, facts and log stand
 *	view_runs_draw.c	cells of a row, lines of the facts
 *	view_runs_load.c	what the worker brings
 *	view_runs_form.c	forms: start a run, end one, adopt one
 *	view_runs_table.c	columns, order and filter of one's own
 *	view_runs_choose.c	choosing them, and two runs beside each other
 *	view_log.c		the log
 */
#ifndef PORTSIDE_UI_VIEW_RUNS_H
#define PORTSIDE_UI_VIEW_RUNS_H

#include "command/run_detail.h"
#include "command/run_rows.h"
#include "ui/app.h"
#include "ui/list.h"
#include "ui/text_view.h"
#include "ui/view.h"
#include "ui/view_log.h"
#include "ui/view_runs_table.h"

struct loop_timer;

/* One owned result of the worker each. */
struct runs_model { struct arena arena; struct run_rows rows; };
struct runs_facts { struct arena arena; struct run_detail detail; };

enum { RUN_SHORT = 8 };			/* bytes of an id in lists: "ps-7uzh3" */

enum runs_pane { RUNS_LIST, RUNS_FACTS, RUNS_LOG };

struct runs_view {
	struct view *view;
	struct job_slot rows_job, facts_job;
	struct runs_model *model;	/* NULL until the first load */
	struct runs_facts *facts;	/* of the selected run; NULL */
	char *trouble;			/* why there is no model; NULL */
	struct list list;
	struct runs_table table;
	bool strangers_due;		/* names that no run has are told once all were read */
	struct text_view text;		/* the facts */
	struct log_pane log;
	enum runs_pane pane;		/* which has the keys */
	struct loop_timer *timer;	/* NULL without a terminal */
	bool is_ticking;
	bool expects_run;		/* one was started here: the cursor goes to it */
	char *attempt;			/* the selected one, when the view was shown last */
	bool attempt_due;		/* the cursor goes to the newest run of it */
	char *selected;			/* run whose facts and log are shown; "" none */
	struct buf line;		/* of the facts, while it is drawn */
	bool filter_off;		/* not in force: table.filter_trouble says why */
};

extern const struct view_type runs_view;

/* ---- between its files ---- */

/* The usual columns, or those of the table: into the source that the list has. */
void runs_list_source(struct runs_view *self);
const struct text_source *runs_facts_source(void);
/* Brings the filter to the rows: an expression, or a text that stands in some row.  One
 * that is neither, but has an operator, was meant as an expression: it is not in force. */
void runs_filter_rows(struct runs_view *self, const char *text);
const struct run_row *runs_selected(const struct runs_view *self);	/* NULL: none */
void runs_load_rows(struct view *v);
void runs_load_facts(struct view *v);
/* Curves of some runs were read. */
void runs_table_arrived(struct view *v);
/* The columns or the order are others now. */
void runs_table_changed(struct view *v);
/* A new model, or why there is none; STARTED: the run that was waited for, or NULL. */
void runs_rows_changed(struct view *v, const char *started);
void runs_forget(struct runs_view *self);	/* jobs and their results */

/* For SCREEN_RUN_COLUMNS, SCREEN_RUN_ORDER, SCREEN_RUN_DIFFERENCE. */
bool runs_choose(struct view *v, int screen);
void runs_choose_when_read(struct view *v);

/* For SCREEN_RUN_START, SCREEN_RUN_CANCEL, SCREEN_RUN_ADOPT, in any view; false
 * for others.  RUN and ATTEMPT come from the selection. */
bool runs_perform(struct app *a, int screen);

#endif
