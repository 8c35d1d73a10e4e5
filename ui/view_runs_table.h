/*
 * view_runs_table - view 3 with columns, an order and a filter of one's own.
 *
 * The rows stay those of the view; beside each stands a record of curve/run_table.h,
 * whose curves are read in the background, some runs at a time, and only when a
 * column, the order or the filter asks for them.  Until then a cell reads "reading".
 * A run that has ended is read once, one that lives again every few seconds.
 *
 *	runs_table_init(&self->table);
 *	runs_table_set_columns(&self->table, "run, min loss");	// "" are the usual ones
 *	runs_table_take_rows(&self->table, &model->rows);	// a new model
 *	runs_table_read(v);					// what is missing
 */
#ifndef PORTSIDE_UI_VIEW_RUNS_TABLE_H
#define PORTSIDE_UI_VIEW_RUNS_TABLE_H

#include "command/run_columns.h"
#include "ui/job.h"
#include "ui/list.h"

struct view;

/* What was read of one run; owns its arena. */
struct runs_curves {
	struct arena arena;
	const char *run;
	struct run_record record;	/* its curves alone */
	bool live;
	bool missing;			/* its files: they are looked for again */
	uint64_t patterns;		/* under which it was read */
	int64_t read_ns;		/* on the clock that cannot jump */
};

struct runs_table {
	struct arena arena;		/* columns and order, as they were parsed */
	const char *text;		/* the columns as they were written; "": the usual ones */
	struct run_column *columns;
	size_t n;			/* 0: the usual columns */
	const char *order_text;		/* "" for none */
	struct run_sort *sorts;
	size_t n_sorts;
	char *filter_text;		/* that FILTER was made from; NULL */
	struct run_filter *filter;	/* NULL: the filter is plain text, or there is none */
	char *filter_trouble;		/* why FILTER_TEXT is no expression; NULL: it is one */

	const struct run_rows *rows;	/* of the model; borrowed */
	struct run_record *records;	/* one a row */
	size_t *order;			/* the I-th row that is shown is order[i] */
	struct arena records_arena;
	struct runs_curves **curves;	/* by no order */
	size_t n_curves, cap_curves;
	bool names_wanted;		/* the chooser wants to know what series there are */
	struct job_slot job;

	struct list_source source;
	struct list_column list_columns[LIST_COLUMNS_MAX];
};

void runs_table_init(struct runs_table *t);
void runs_table_release(struct runs_table *t);

/* 0, or what is wrong; the old ones stay then.  ERR_USAGE. */
int runs_table_set_columns(struct runs_table *t, const char *text) ATTR_MUST_USE;
int runs_table_set_order(struct runs_table *t, const char *text) ATTR_MUST_USE;
/* True when TEXT is an expression over columns; NULL or "" clears. */
bool runs_table_set_filter(struct runs_table *t, const char *text);

void runs_table_take_rows(struct runs_table *t, const struct run_rows *rows);
/* Starts reading what is asked for and not there; calls runs_table_arrived(). */
void runs_table_read(struct view *v);
void runs_table_stop(struct runs_table *t);

/* The row of the model that stands at I. */
size_t runs_table_row(const struct runs_table *t, long i);
enum truth runs_table_passes(const struct runs_table *t, long i);
/* A cell of one's own columns, the first of which has number 1 (0 is the sign). */
void runs_table_cell(const struct runs_table *t, long i, int column, struct list_cell *out);
int runs_table_compare(const struct runs_table *t, long a, long b, int column, bool down);
/* Columns of the list, as wide as what they hold. */
void runs_table_fit(struct runs_table *t);

/* The curves of some run are still to be read. */
bool runs_table_is_reading(const struct runs_table *t);
/* Series of the runs that were read, those that most runs have first; the number of
 * runs that are still to be read in *MISSING. */
size_t runs_table_series(
	const struct runs_table *t, const char *names[], size_t most, size_t *missing);

#endif
