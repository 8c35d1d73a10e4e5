/*
 * journal_words - one event in words: what happened, what was written, what it is about.
 *
 * An event holds short fields and the digests of texts.  People read a headline of the
 * fields that matter for its kind, the texts, and the rest of the fields a line each.
 * All that comes back is sanitised and lies in the arena; what is not there is "".
 *
 *	if (journal_shows(e->kind))
 *		puts(journal_headline(&arena, e));	// "decision: continue, #7, 3 min"
 *	puts(journal_texts(ws, &arena, e));
 */
#ifndef PORTSIDE_COMMAND_JOURNAL_WORDS_H
#define PORTSIDE_COMMAND_JOURNAL_WORDS_H

#include <stdbool.h>

#include "base/event.h"
#include "workspace/workspace.h"

/* Does a journal of all kinds show this one? */
bool journal_shows(const char *kind);

/* Of a kind that is not shown: its name. */
const char *journal_headline(struct arena *a, const struct event *e);
/* The free texts, joined; lines are kept, and one that is not here says so. */
const char *journal_texts(struct workspace *ws, struct arena *a, const struct event *e);
/* "class correctness\nrule R4": what the headline leaves out, for the detail. */
const char *journal_fields(struct arena *a, const struct event *e);

/* The object ids of the alarm and of the attempt that it is about. */
const char *journal_alarm_of(struct arena *a, const struct event *e);
const char *journal_attempt_of(struct arena *a, const struct event *e);

#endif
