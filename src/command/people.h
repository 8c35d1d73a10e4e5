/*
 * people - what the commands of people share: finding a subject, checking what
 * was typed, and writing it down.
 *
 * A mistake in what was typed is ERR_USAGE and names the word; nothing is written
 * then.  Texts and events are in the call's arena.
 *
 *	if (people_attempt(&id, c, call_text(c, "attempt")) < 0 || people_check_minutes(c) < 0)
 *		return -1;
 *	return people_record(c, records, n, "noted");
 */
#ifndef PORTSIDE_COMMAND_PEOPLE_H
#define PORTSIDE_COMMAND_PEOPLE_H

#include "command/operation.h"
#include "workspace/workspace.h"

enum { PEOPLE_MINUTES_MAX = 100000 };

/* A fresh object id for what has no name of its own: "decision-0f3a...". */
char *people_new_id(struct arena *a, const char *prefix);

/* The object id of an attempt as people write it. */
int people_attempt(const char **out, struct call *c, const char *text) ATTR_MUST_USE;

/* --minutes is no more than a person can have spent; not given is fine. */
int people_check_minutes(struct call *c) ATTR_MUST_USE;

/* The argument NAME, when given, has words: those that say nothing are none. */
int people_check_words(struct call *c, const char *name) ATTR_MUST_USE;

/* Writes all or nothing; C's message becomes "DONE (event 0f3a...)". */
int people_record(
	struct call *c, const struct record *records, size_t n, const char *done) ATTR_MUST_USE;

/* The same where CHECK, inside the write transaction, says 0; see log_append_if().  For
 * people alone: nothing goes to the spool. */
int people_record_if(struct call *c, log_check_fn *check, void *user, const struct record *records,
	size_t n, const char *done) ATTR_MUST_USE;

#endif
