/*
 * view_log - a pane that reads the log of a run, whatever its size.
 *
 * It holds one window of lines (command/run_log.h) and asks for another when
 * the reader comes near its edge, so memory stays the same for 10 GB.  Places
 * are byte offsets: a line keeps its place while the log grows.  Following
 * stays at the end while the run writes.
 *
 * Part of a view, which owns it, draws it, and hands it motions and searches:
 *
 *	log_pane_init(&self->log, v->app);
 *	log_pane_show(&self->log, path, true);
 *	...
 *	log_pane_tick(&self->log);		// once a second while the run lives
 *	log_pane_release(&self->log);
 */
#ifndef PORTSIDE_UI_VIEW_LOG_H
#define PORTSIDE_UI_VIEW_LOG_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "command/run_log.h"
#include "ui/app.h"
#include "ui/job.h"
#include "ui/text_view.h"

/* How a line of the window stands out; SIGN 0: it does not. */
struct log_mark { char sign; enum style sign_style, style; };

struct log_pane {
	struct app *app;
	bool clean;			/* without control sequences; set by the owner */
	/* Set by the owner: marks the lines of a window that came, in place of the texts of
	 * errors; MARKS has one a line, zeroed.  NULL: those texts are marked. */
	void (*mark)(void *user, const struct run_log_window *w, struct log_mark *marks);
	void *mark_user;
	struct log_mark *marks;		/* one a line of WINDOW; NULL without MARK */
	struct job_slot read, find;
	char *path;			/* NULL: nothing is shown */
	struct run_log_window *window;	/* NULL: not read yet, or unreadable */
	char *trouble;			/* why; NULL */
	struct text_view text;
	int64_t goal;			/* byte that shall be the current line; -1: the last line */
	bool amid;			/* it shall stand amid what was before and after it */
	bool starting;			/* the window of PATH is still to come */
	char *search;
};

void log_pane_init(struct log_pane *p, struct app *app);
void log_pane_release(struct log_pane *p);

/* Shows the end of the file at PATH and follows it; the same path again changes
 * nothing.  NULL shows nothing. */
void log_pane_show(struct log_pane *p, const char *path);
void log_pane_tick(struct log_pane *p);
void log_pane_follow(struct log_pane *p);
void log_pane_go(struct log_pane *p, int64_t offset);
/* The same; the line stands where most of what is shown led to it. */
void log_pane_go_amid(struct log_pane *p, int64_t offset);
/* Asks MARK again: what is marked is another now. */
void log_pane_mark(struct log_pane *p);
/* The byte at which the current line begins; -1 without a window. */
int64_t log_pane_place(const struct log_pane *p);

bool log_pane_move(struct log_pane *p, enum motion motion);
void log_pane_wrap(struct log_pane *p);
void log_pane_set_search(struct log_pane *p, const char *text);
/* The answer comes later: false only when there is nothing to search for. */
bool log_pane_search(struct log_pane *p, int direction);
void log_pane_next_error(struct log_pane *p, int direction);

/* "12.3 MB, at 54%, following". */
void log_pane_add_state(const struct log_pane *p, struct buf *out);
/* The current line as it is in the file. */
bool log_pane_copy(const struct log_pane *p, struct buf *out);
void log_pane_draw(struct log_pane *p, struct canvas *c, struct rect r);

#endif
