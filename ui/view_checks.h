/*
 * view_checks - view 5: what is proven, on which configuration?
 *
 * One list for all configurations of the selected attempt, a column each: what was
 * expected, claimed and measured side by side; then level by level its result and its
 * questions.  Whether the runs may be compared stands above everything else.  The pane
 * of details opens the selected row to its evidence: file, line, parser, digest, who
 * and when.  What is on record is shown at once; what the evidence here says now comes
 * behind it, since it takes reading.
 *
 *	view_checks.c		the view: rows, keys, panes
 *	view_checks_load.c	what the worker brings
 *	view_checks_draw.c	cells, panes
 *	view_checks_text.c	the lines of the details
 *	view_checks_form.c	a person's statement, a sign-off
 */
#ifndef PORTSIDE_UI_VIEW_CHECKS_H
#define PORTSIDE_UI_VIEW_CHECKS_H

#include "command/checks.h"
#include "ui/app.h"
#include "ui/list.h"
#include "ui/paragraphs.h"
#include "ui/view.h"

enum { CHECKS_COLUMNS_MAX = 8 };	/* configurations that have a column */

enum checks_row_kind {
	CHECKS_EXPECTED, CHECKS_CLAIMED, CHECKS_MEASURED, CHECKS_LEVEL, CHECKS_GAP, CHECKS_ITEM,
};

struct checks_row {
	enum checks_row_kind kind;
	enum level level;		/* of a level and of an item */
	const char *check;		/* of an item: its id; of a gap: the goal */
};

/* = comparable, x not, ? nobody knows. */
static inline char checks_comparable_sign(enum comparable_overall overall)
{
	return overall == COMPARABLE_YES ? '=' : overall == COMPARABLE_NO ? 'x' : '?';
}

/* One owned result of the worker. */
struct checks_model { struct checks checks; bool looked; };

enum checks_pane { CHECKS_LIST, CHECKS_DETAIL };

struct checks_view {
	struct view *view;
	struct job_slot record_job, look_job;
	struct checks_model *model;	/* NULL until the first answer */
	char *trouble;			/* why there is none; NULL */

	struct checks_row *rows;
	size_t n_rows, cap_rows;
	struct list_column columns[1 + CHECKS_COLUMNS_MAX];
	struct list_source source;
	struct list list;

	struct paragraphs details;

	enum checks_pane pane;
};

extern const struct view_type checks_view;

/* ---- view_checks.c ---- */

const struct checks_row *checks_selected(const struct checks_view *self);	/* NULL: none */
/* Another model: rows, columns, details. */
void checks_arrived(struct view *v);
/* The question of ROW on configuration C; NULL where nobody asks it there. */
const struct checks_item *checks_item_of(
	const struct checks_configuration *c, const struct checks_row *row);

/* ---- view_checks_load.c ---- */

void checks_read(struct view *v);
void checks_stop_reading(struct view *v);	/* nobody looks */
void checks_forget(struct checks_view *self);

/* ---- view_checks_draw.c ---- */

/* What counts now: the record, else what the evidence says. */
enum check_result checks_item_result(const struct checks_item *item);
char checks_sign(enum check_result r);
const char *checks_word(enum check_result r);	/* "REFUTED" stands out without colours, too */
enum style checks_style(enum check_result r);
enum check_result checks_level_result(const struct checks_configuration *c, enum level level);
void checks_cell(void *user, long row, int column, struct list_cell *out);
void checks_draw(struct view *v, struct canvas *c, struct rect r);

/* ---- view_checks_text.c ---- */

void checks_make_lines(struct checks_view *self);

/* ---- view_checks_form.c ---- */

void checks_open_statement(struct view *v);
void checks_open_signoff(struct view *v);

#endif
