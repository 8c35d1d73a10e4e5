/*
 * prompt - a line that a person edits.
 *
 * C-a C-e Home End Left Right C-b C-f M-b M-f move; C-h Backspace Delete C-d
 * C-w M-d C-u C-k remove; C-y puts back what was removed last; Up Down C-p C-n
 * walk the history; Tab completes; Enter accepts, Esc and C-c cancel.  Nothing
 * else in the program may take these keys while a prompt is open.
 *
 * The text is UTF-8 and is edited by whole characters with their combining
 * marks.  A paste arrives whole; its newlines become blanks, other controls
 * are dropped.
 */
#ifndef PORTSIDE_UI_PROMPT_H
#define PORTSIDE_UI_PROMPT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "ui/canvas.h"
#include "ui/motion.h"

enum { PROMPT_MAX = 16 * 1024, PROMPT_HISTORY_MAX = 200 };

struct prompt_history {
	char **lines;			/* oldest first */
	size_t n, cap;
};

/* Candidates for the text up to the cursor: adds to OUT, one a line. */
typedef void prompt_complete_fn(void *user, const char *text, struct buf *out);

struct prompt {
	const char *label;		/* borrowed: "/", "filter: " */
	struct buf text;
	size_t at;			/* byte offset of the cursor */
	int left;			/* cells scrolled away */
	struct buf removed;		/* for C-y */
	struct prompt_history *history;	/* NULL: none */
	size_t history_at;		/* history->n: the line being written */
	char *draft;			/* that line while walking */
	prompt_complete_fn *complete;	/* NULL: Tab is not used */
	void *complete_user;
	struct buf candidates;		/* of the last Tab; empty: none shown */
	int candidate;			/* the one taken; -1 */
};

void prompt_init(struct prompt *p, const char *label);
void prompt_release(struct prompt *p);
void prompt_set(struct prompt *p, const char *text);	/* cursor at the end */

enum outcome prompt_key(struct prompt *p, uint32_t key);
/* Inserts a paste; false when nothing of it could be taken (too long). */
bool prompt_paste(struct prompt *p, const char *s, size_t n);

/* One row: label, text, cursor. */
void prompt_draw(struct prompt *p, struct canvas *c, struct rect r);
/* The candidates above or below the prompt; 0 rows when there are none. */
int prompt_candidate_rows(const struct prompt *p);
void prompt_draw_candidates(const struct prompt *p, struct canvas *c, struct rect r);

void history_add(struct prompt_history *h, const char *line);	/* not twice in a row, not empty */
void history_release(struct prompt_history *h);
/* One line an entry.  A missing file is no error.  Writing keeps the newest. */
int history_load(struct prompt_history *h, const char *path) ATTR_MUST_USE;
int history_save(const struct prompt_history *h, const char *path) ATTR_MUST_USE;

#endif
