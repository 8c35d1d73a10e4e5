/*
 * journal - what people and agents put on record, as lines to read, newest first.
 *
 * A line says what its event says (journal_words.h), and what came after it: that it
 * was struck, by whom and why, and that a goal was set when the numbers could be seen.
 *
 *	struct journal j;
 *
 *	if (journal_read(&j, ws, NULL, NULL, 0, &arena) < 0)
 *		return -1;
 *	for (size_t i = 0; i < j.n; i++)
 *		puts(j.lines[i].headline);
 */
#ifndef PORTSIDE_COMMAND_JOURNAL_H
#define PORTSIDE_COMMAND_JOURNAL_H

#include "command/operation.h"
#include "workspace/stop_rules.h"

struct journal_line {
	const char *event;		/* id, 64 hex digits */
	const char *time, *who, *kind, *object;
	const char *attempt;		/* object id of the attempt that it is about; "" */
	const char *alarm;		/* object id of the alarm that it is about; "" */
	const char *alarm_words;	/* that alarm for people: "#7 gap"; "" */
	const char *headline;		/* "decision: make comparable, attempt:7" */
	const char *text;		/* free text; lines are kept, controls are visible; "" */
	const char *fields;		/* the short fields, "name value" a line */
	const char *established;	/* how the actor was established; "" for tools */
	const char *struck;		/* id of the event that struck it; "" */
	const char *struck_by, *struck_why, *struck_time;
	/* A goal that was set when runs of attempts had begun; weaker than the one
	 * before.  The headline says so too. */
	bool late, loosened;
	int64_t place;			/* among all events, from 1 */
	struct position position;
};

struct journal {
	struct journal_line *lines;	/* newest first */
	size_t n;
	bool more;			/* older ones were left out: LIMIT */
};

/* At most LIMIT lines (0: all) as of AT.  KIND NULL: all that belong in a journal;
 * else one kind or a prefix that ends in a dot.  Everything in A. */
int journal_read(struct journal *out, struct workspace *ws, const struct position *at,
	const char *kind, size_t limit, struct arena *a) ATTR_MUST_USE;

/* What L is about, for people: "#7 gap", "#7", "migration", a run. */
const char *journal_about(const struct journal_line *l, struct arena *a);

/* The alarm S for people: "#7 gap", or "R3" of the migration. */
const char *alarm_words(const struct alarm_state *s, struct arena *a);

/* The line of one event, as J's only line. */
int journal_line_of(struct journal *out, struct workspace *ws, const struct event *e,
	struct arena *a) ATTR_MUST_USE;

#endif
