/*
 * view_journal - what the files of view 7 share: the lines, what is filtered, and
 * drawing one line in full.
 *
 *	view_journal.c		the view: list, keys
 *	view_journal_load.c	what the worker brings
 *	view_journal_line.c	filters, and one line in full
 */
#ifndef PORTSIDE_UI_VIEW_JOURNAL_H
#define PORTSIDE_UI_VIEW_JOURNAL_H

#include <stdbool.h>

#include "base/mem.h"
#include "command/journal.h"
#include "command/need.h"
#include "ui/canvas.h"
#include "ui/job.h"
#include "ui/list.h"

struct view;

/* What the worker brings; owned by the view, everything in ARENA. */
struct journal_model {
	struct arena arena;
	struct journal journal;
	const char **alarms_open;	/* object ids */
	size_t n_alarms_open;
	const char *config;		/* what waits with portside.conf; "" */
};

struct journal_view {
	struct list list;
	struct job_slot job;
	struct journal_model *model;	/* NULL until the first answer */
	char *trouble;			/* why there is none */
	size_t limit;			/* lines asked for */
	bool ascii;			/* of the canvas that was drawn last */
	bool blind;			/* labels are left out: who reads labels blind */
	bool in_detail;			/* the pane below has the focus */
	int detail_top, detail_rows;	/* rows scrolled away; rows there are */

	/* Filters; all must pass. */
	char *text;			/* of &; words, and kind:, who:, #N */
	int kind, who;			/* index of a group; 0: all */
	char *attempt;			/* NULL: all */
};

/* ---- view_journal_load.c ---- */

/* Asks the worker for the lines, as of the selected position. */
void journal_view_load(struct view *v);
void journal_model_free(void *model);	/* NULL is fine */

/* ---- view_journal.c ---- */

/* The line with the focus; NULL when the list is empty. */
const struct journal_line *journal_view_line(const struct journal_view *self);
bool journal_view_is_open(const struct journal_view *self, const struct journal_line *l);

/* ---- view_journal_line.c ---- */

/* Does a line pass the filters of SELF? */
bool journal_view_passes(const struct journal_view *self, const struct journal_line *l);
/* "decisions and alarms, by people, #7", "" without a filter. */
void journal_view_add_filter(struct buf *out, const struct journal_view *self);
int journal_view_kinds(void);		/* number of groups, "all" with them */
int journal_view_whos(void);

void journal_view_draw_detail(struct journal_view *self, struct canvas *c, struct rect r);
/* Everything of a line as text: for the detail and for copying. */
void journal_view_add_detail(
	struct buf *out, const struct journal_view *self, const struct journal_line *l);

/* S with a stroke through it; in ASCII between tildes. */
void journal_view_add_struck(struct buf *out, const char *s, bool ascii);

#endif
