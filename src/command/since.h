/*
 * since - "since you left": what ended, what fired, what is new, what waits,
 * and what still costs money.
 *
 * The last event that a person saw is kept outside the migration, in
 * $XDG_STATE_HOME/portside/seen/, one small file per repository, or per
 * bundle: looking at a migration never changes it.
 *
 *	struct since_report r;
 *
 *	if (since_read(&r, ws, &from, NULL, &arena) < 0)
 *		return -1;
 */
#ifndef PORTSIDE_COMMAND_SINCE_H
#define PORTSIDE_COMMAND_SINCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/event.h"
#include "base/mem.h"

struct workspace;

enum since_kind { SINCE_ENDED, SINCE_FIRED, SINCE_NEW, SINCE_DECIDED, SINCE_WAITS, SINCE_COSTS };

struct since_item {
	enum since_kind kind;
	const char *text;		/* sanitised */
	const char *time;		/* when it happened, UTC; "" for what waits and costs now */
	const char *who;		/* actor; "" likewise */
	const char *attempt, *run;	/* "" */
};

struct since_report {
	int64_t events;			/* that came after */
	const char *from;		/* "event 141 of 200, 27 Oct 16:21"; "the beginning" */
	struct since_item *items;	/* by kind, then as they came */
	size_t n;
	size_t n_news;			/* without what waits and costs */
};

/* What came after FROM (NULL: the beginning), as of AT (NULL: now).  In A. */
int since_read(struct since_report *out, struct workspace *ws, const struct position *from,
	const struct position *at, struct arena *a) ATTR_MUST_USE;
/* The report as lines with heads. */
void since_add_text(struct buf *out, const struct since_report *r);

/* The last position seen: 1 found, 0 none.  *WHEN_NS (may be NULL) is when. */
int since_seen_read(struct position *out, int64_t *when_ns, struct workspace *ws) ATTR_MUST_USE;
/* The end of the log is what was seen.  Nothing for a log without events. */
int since_seen_write(struct workspace *ws) ATTR_MUST_USE;

/* "141", an id's beginning, "2026-10-27T16:00:00Z", or "2h" ago.  1 found, 0 when
 * it lies before the first event. */
int since_position(struct position *out, struct workspace *ws, const char *text) ATTR_MUST_USE;

#endif
