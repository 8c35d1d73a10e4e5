/*
 * attempts_view - what the files of view 1 share: its state, its columns, its
 * strips and the detail below.  Nobody else includes it.
 */
#ifndef PORTSIDE_UI_ATTEMPTS_VIEW_H
#define PORTSIDE_UI_ATTEMPTS_VIEW_H

#include "base/expr.h"
#include "command/attempt_detail.h"
#include "command/status.h"
#include "ui/app.h"

/* From here on cells are written out; below they are short. */
enum { ATTEMPTS_WIDE_COLS = 110 };

enum attempts_column {
	COLUMN_NUMBER,
	COLUMN_SIGN,
	COLUMN_CHANGE,
	COLUMN_EXPECTED,
	COLUMN_CLAIMED,
	COLUMN_CONFIGURATION,
	COLUMN_OUTCOME,
	COLUMN_CAUSE,
	COLUMN_RUNS,
	COLUMN_COST,
	COLUMN_HUMAN,
	COLUMN_SUBJECT,
};

struct board {			/* one answer of the worker */
	struct arena arena;
	struct migration_status status;
};

struct gauges {
	struct arena arena;
	struct rule_gauges rules;
};

struct detail {
	struct arena arena;
	struct attempt_detail lines;
};

struct attempts_view {
	struct list list;
	struct list_source source;
	struct list_column columns[LIST_COLUMNS_MAX];
	struct { enum attempts_column what; size_t configuration; } meaning[LIST_COLUMNS_MAX];
	struct board *board;		/* NULL until the first answer */
	struct gauges *gauges;		/* those that read curves; NULL: not yet */
	struct detail *detail;		/* of the attempt that it names */
	bool blind;			/* labels are hidden: who reads labels blind */
	struct job_slot page_job, board_job, gauges_job, detail_job;
	int64_t gauged_events;		/* the log that GAUGES speak of */
	char *failure;			/* why there is no board */
	char *filter_text;		/* that EXPR was made from */
	struct expr *expr;		/* NULL: the filter is plain text */
	int cols;			/* of the last draw */
	int claim_cols[2];		/* of the widest claim: said briefly, said in full */
	int expected_cols;		/* likewise, in a wide window */
	bool need_asked;		/* `!` was pressed: a digit chooses */
	bool on_detail;			/* the keys move the detail */
	bool placed;			/* the first selection was made */
	bool board_due;			/* all rows are read once the detail is there */
	long detail_top, detail_n;	/* rows of the detail: scrolled away, there are */
};

/* Row I of the board; NULL outside. */
const struct attempt_row *attempts_row(const struct attempts_view *self, long i);

/* ---- attempts_columns.c ---- */

void attempts_set_columns(struct attempts_view *self);
/* Titles that fit a view of COLS cells. */
void attempts_set_width(struct attempts_view *self, int cols);
void attempts_cell(void *user, long row, int column, struct list_cell *out);
int attempts_compare(void *user, long a, long b, int column);

/* ---- attempts_load.c ---- */

void attempts_load(struct view *v);
void attempts_changed(struct view *v, unsigned what);
/* Cancels the jobs and frees what they brought. */
void attempts_release_loaded(struct attempts_view *self);

/* ---- attempts_draw.c ---- */

void attempts_draw(struct view *v, struct canvas *c, struct rect r);

#endif
