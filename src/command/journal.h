/*
 * journal - what people and agents put on record, as lines to read; and what
 * waits for a person.
 */
#ifndef PORTSIDE_COMMAND_JOURNAL_H
#define PORTSIDE_COMMAND_JOURNAL_H

#include "command/operation.h"
#include "workspace/stop_rules.h"

struct journal_line {
	const char *event;		/* id, 64 hex digits */
	const char *time, *who, *kind, *object;
	const char *headline;		/* "decision: make comparable, attempt:7" */
	const char *text;		/* free text, sanitised; "" */
	const char *struck;		/* id of the event that struck it; "" */
	struct position position;
};

struct journal {
	struct journal_line *lines;	/* newest first */
	size_t n;
};

/* At most LIMIT lines (0: all) as of AT.  KIND NULL: all that belong in a journal;
 * else one kind or a prefix that ends in a dot.  Everything in A. */
int journal_read(struct journal *out, struct workspace *ws, const struct position *at, const char *kind, size_t limit,
		 struct arena *a) ATTR_MUST_USE;

enum need_kind { NEED_ALARM, NEED_OVER_CLAIM, NEED_CONFIG, NEED_ORPHAN, NEED_GONE };

struct need {
	enum need_kind kind;
	const char *text;		/* "over-claim #7 at v5e-4" */
	const char *attempt, *run, *alarm;	/* what to open; "" */
};

/* What needs a person, the most urgent first. */
int journal_needs(struct need **out, size_t *n, struct workspace *ws, const struct position *at, struct arena *a) ATTR_MUST_USE;

#endif
