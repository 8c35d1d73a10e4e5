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

#include "ui/canvas.h"

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
	const char *right;		/* "3 marked  filter: tpu" or NULL */
	const struct status_key *keys;
	int n_keys;
};

void status_draw_title(const struct status_lines *s, struct canvas *c, struct rect row);
void status_draw_message(const struct status_lines *s, struct canvas *c, struct rect row);
/* As many keys as fit, `? help` always. */
void status_draw_footer(const struct status_lines *s, struct canvas *c, struct rect row);

#endif
