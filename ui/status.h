/*
 * status - the lines around every view: title above, message and footer below.
 *
 *	 case-B   goal accuracy >= reference - 1.0pp   intended v5e-4      as of now
 *	 ...
 *	 verifying the log 12,000 of 40,000                            3 marked
 *	 Enter open  c compare  / search  : commands  ? help
 */
#ifndef PORTSIDE_UI_STATUS_H
#define PORTSIDE_UI_STATUS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "ui/canvas.h"

/* KEY as the table of operations has it by default. */
struct status_key { const char *key, *what; };

struct status_lines {
	const char *title;		/* the migration */
	const char *subject;		/* what the view shows */
	const char *position;		/* NULL: now; else "event 141, 27 Oct 16:21" */
	bool writing_refused;		/* --read-only */
	const char *message;		/* NULL: none */
	bool message_is_error;
	const char *work;		/* "diff of 7"; NULL: nothing long runs */
	int64_t work_done, work_total;	/* total 0: not known */
	int64_t work_ns;
	const struct status_key *keys;
	int n_keys;
	const char *now_key;		/* what leads back to now; NULL: none */
	bool no_help;			/* the footer does not end with the key of the help */
	/* The key that does what its default did; NULL: as it is. */
	void (*key_name)(void *user, const char *key, struct buf *out);
	/* Told where each key of the footer stands; NULL: nobody asks. */
	void (*key_spot)(void *user, const char *key, struct rect at);
	void *user;
};

void status_draw_title(const struct status_lines *s, struct canvas *c, struct rect row);
/* In the last rows of R: a sentence that is longer than a row takes more of them. */
void status_draw_message(const struct status_lines *s, struct canvas *c, struct rect r);
/* What waits for a person, above a list: takes one row of R's top, or two. */
void status_draw_banner(struct canvas *c, struct rect *r, const char *text);
/* As many keys as fit, `? help` always. */
void status_draw_footer(const struct status_lines *s, struct canvas *c, struct rect row);

#endif
