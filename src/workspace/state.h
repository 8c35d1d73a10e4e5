/*
 * state - reading the objects of a migration as of a position.
 *
 * AT NULL is now.  Everything is decoded into the caller's arena.  Views that
 * are missing or of an older fold are built first (state_ready), which on an
 * ordinary open does nothing.
 *
 *	struct attempt_state *s;
 *
 *	if (state_get(ws, "attempt", "7", NULL, &arena, (void **)&s) > 0)
 *		use(s->measured);
 */
#ifndef PORTSIDE_WORKSPACE_STATE_H
#define PORTSIDE_WORKSPACE_STATE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/event.h"
#include "domain/object.h"
#include "workspace/workspace.h"

/* Builds what is missing, see projection_rebuild(). */
int state_ready(struct workspace *ws) ATTR_MUST_USE;

/* 1 found, 0 none, negative an error. */
int state_get(struct workspace *ws, const char *type, const char *id, const struct position *at,
	      struct arena *a, void **out) ATTR_MUST_USE;

struct state_query {
	const char *type;
	const char *parent;		/* NULL: all */
	const struct position *at;	/* NULL: now */
	bool descending;
	size_t offset, limit;		/* limit 0: all */
	const char *const *members;	/* NULL: all; else object_decode_members() */
	bool brief;			/* projector_brief_members alone, which is fast for now */
};

/* *OUT: an array of *N pointers to states of TYPE. */
int state_list(struct workspace *ws, const struct state_query *q, struct arena *a, void ***out,
	size_t *n) ATTR_MUST_USE;
int state_count(struct workspace *ws, const struct state_query *q, int64_t *out) ATTR_MUST_USE;

/* The migration's own state; an empty one (never NULL) before any event. */
int state_migration(struct workspace *ws, const struct position *at, struct arena *a,
	struct migration_state **out) ATTR_MUST_USE;

/* The numbered ones of ROWS, without the reference, by line and then number; how many. */
size_t state_attempts_in_order(struct attempt_state **rows, size_t n);

/*
 * An attempt as people write it: "7", "torchtpu/3", "reference", "original"
 * (the reference).  ERR_NOT_FOUND names the attempts that there are.
 */
int state_attempt(struct workspace *ws, const char *text, const struct position *at,
	struct arena *a, struct attempt_state **out) ATTR_MUST_USE;

/* A run by its id or an unambiguous prefix of 4 or more; ERR_NOT_FOUND, ERR_USAGE. */
int state_run(struct workspace *ws, const char *text, const struct position *at, struct arena *a,
	struct run_state **out) ATTR_MUST_USE;

/* The runs of SUBJECT, the id of an attempt; NULL: of all. */
int state_runs(struct run_state ***out, size_t *n, struct workspace *ws, const char *subject,
	       const struct position *at, struct arena *a) ATTR_MUST_USE;

#endif
