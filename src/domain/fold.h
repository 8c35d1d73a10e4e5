/*
 * fold - state as a pure function of events, object by object.
 *
 * fold_event() takes the next event in projection order, asks the caller for
 * the latest state of the few objects that it concerns, and returns their new
 * states as text.  The caller stores one version per (object, event); the
 * state at position k is the last version at or before k.  Nothing is kept
 * between two events, so any prefix folds alike, by increments or afresh.
 *
 *	struct fold *f = fold_new(load, db);
 *	if (fold_event(f, e, &versions, &n) < 0) ...
 *	for (size_t i = 0; i < n; i++)
 *		store(&versions[i]);
 *	fold_free(f);
 *
 * Types of objects and the structs of their states: object.h.  Unknown kinds,
 * events that break their kind's rules, and authors that may not write a kind
 * fold as nothing (n = 0); they stay in the log.
 *
 * A superseded event is struck: its entry keeps its text with the id of the
 * event that struck it, and the state is derived from the others.
 */
#ifndef PORTSIDE_DOMAIN_FOLD_H
#define PORTSIDE_DOMAIN_FOLD_H

#include <stddef.h>
#include <stdint.h>

#include "base/event.h"
#include "base/mem.h"

/* Rises whenever the states of equal events change: projections are rebuilt. */
enum { FOLD_VERSION = 6 };

/* The one migration of a log, whatever id its migration.created carries. */
#define MIGRATION_ID "migration"
#define REFERENCE_ID "reference"
/* A run that no attempt is credited with: a wrapped command on code that is
 * nobody's tip.  It is shown, counted and paid for, and proves nothing. */
#define UNASSIGNED_ID "unassigned"

struct fold_version {
	const char *type;	/* "attempt", see object.h */
	const char *id;
	const char *parent;	/* the object that it belongs to in lists; "" for none */
	int64_t sort;		/* orders the objects of a type, then their id */
	const char *state;	/* JSON text, NUL-terminated */
	size_t state_n;
};

/*
 * The latest state of (TYPE, ID): *TEXT in A, or NULL when there is none yet.
 * 0, or a negative enum err, which fold_event() passes on.
 */
typedef int fold_load_fn(void *user, struct arena *a, const char *type, const char *id,
			 const char **text, size_t *n);

struct fold;

struct fold *fold_new(fold_load_fn *load, void *user);
void fold_free(struct fold *f);

/* *VERSIONS is borrowed until the next call.  Each object occurs once. */
int fold_event(struct fold *f, const struct event *e, const struct fold_version **versions,
	       size_t *n) ATTR_MUST_USE;

#endif
