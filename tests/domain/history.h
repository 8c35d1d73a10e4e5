/*
 * history - a log in memory for tests of the fold.
 *
 *	struct history h;
 *	history_init(&h);
 *	history_add(&h, "tool:x", "attempt.observed", "1", "n", "1", "tip", "aa", NULL);
 *	struct attempt_state *s = history_state(&h, "attempt", "1");
 */
#ifndef PORTSIDE_TESTS_DOMAIN_HISTORY_H
#define PORTSIDE_TESTS_DOMAIN_HISTORY_H

#include "base/event.h"
#include "domain/fold.h"
#include "domain/object.h"

struct version { size_t at; const char *type, *id, *parent, *text; int64_t sort; size_t n; };

struct history {
	struct arena arena;
	struct event **events;
	size_t events_n, events_cap;
	struct version *versions;	/* in the order of their events */
	size_t versions_n, versions_cap;
	struct fold *fold;
};

void history_init(struct history *h);
void history_release(struct history *h);

/* Builds an event; pairs of field and text follow, NULL ends. Not folded yet. */
struct event *history_event(struct history *h, const char *actor, const char *kind,
	const char *object, const struct json *data);
/* Folds an event; its versions are kept. */
void history_fold(struct history *h, struct event *e);
/* Both; returns the id in hex.  A field that starts with "[" or "{" is JSON. */
const char *history_add(struct history *h, const char *actor, const char *kind, const char *object,
	...) __attribute__((sentinel));

/* The latest state, decoded; the empty state when there is none. */
void *history_state(struct history *h, const char *type, const char *id);
/* The text of the last version at or before event AT (from 0); NULL. */
const struct version *history_version(
	const struct history *h, const char *type, const char *id, size_t at);

#endif
