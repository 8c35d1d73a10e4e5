/*
 * projection - the rebuildable views of the log: one version of an object per
 * event that changed it, and the latest version of each object.  The latest is
 * kept whole, an older one mostly as what differs (store/version_text.h).
 *
 * The store does not know what an event means.  A projector, pure and
 * deterministic, turns one event into new versions of the objects it touches:
 *
 *	static int apply(void *user, const struct event *e, struct projection_sink *s)
 *	{
 *		const char *state;
 *		int found = projection_load(s, "attempt", e->object, &state);
 *		if (found < 0)
 *			return found;
 *		... build the new state from STATE (NULL when there is none) and E ...
 *		return projection_put(s, &row);
 *	}
 *
 * An event that sorts last extends the views inside its own transaction.  One
 * that sorts earlier, which only comes from elsewhere, makes them stale:
 * projection_rebuild() folds all events again in short transactions beside the
 * old views and swaps in one.  A stamp (fold version, arrival number, last
 * position, running digest) proves which events the views hold.
 *
 * Free text of blobs must not be copied into a state, or it could not be
 * withheld: keep its digest.
 */
#ifndef PORTSIDE_STORE_PROJECTION_H
#define PORTSIDE_STORE_PROJECTION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/event.h"
#include "base/mem.h"
#include "store/log.h"

struct projection_sink;

struct projection_row {
	const char *type;		/* "attempt", "run", ... */
	const char *id;
	const char *parent;		/* lists can be narrowed to it; NULL: none */
	int64_t sort;			/* lists are ordered by (sort, id) */
	const char *state;		/* text of the projector; NULL: gone from here on */
	struct position position;	/* of the event that made it; ignored by projection_put() */
};

struct projector {
	int fold_version;		/* > 0; views of another version are not read */
	/* 0 or negative.  Everything it needs comes from E and the sink. */
	int (*apply)(void *user, const struct event *e, struct projection_sink *sink);
	/* May be NULL.  The few members of STATE that long lists need, as text in A,
	 * or NULL; see projection_query.brief. */
	const char *(*brief)(void *user, const char *type, const char *state, struct arena *a);
	/* May be NULL.  Forget what was remembered of earlier events: called before
	 * each run of consecutive events, since others may have written between. */
	void (*reset)(void *user);
	void *user;
};

/*
 * For apply: the latest version of an object before this event, with what this
 * event has put already.  1 found, 0 none or gone (*STATE is NULL).  *STATE is
 * borrowed until apply returns.
 */
int projection_load(struct projection_sink *s, const char *type, const char *id,
		    const char **state) ATTR_MUST_USE;
/* A second put of the same object by one event replaces the first. */
int projection_put(struct projection_sink *s, const struct projection_row *row) ATTR_MUST_USE;
/* Memory that lives until apply returns. */
struct arena *projection_arena(struct projection_sink *s);

enum projection_state {
	PROJECTION_FRESH,	/* hold every event */
	PROJECTION_BEHIND,	/* correct, but the newest events are missing */
	PROJECTION_STALE,	/* events that sort earlier are missing: rebuild */
	PROJECTION_NONE,	/* never built, or by another fold version: rebuild */
};

/* Constant time.  ERR_USAGE when the handle has no projector. */
int projection_state(struct log *log, enum projection_state *out) ATTR_MUST_USE;

/*
 * A digest of all that the views follow from: the events in their order and the
 * fold version.  1 when the views are fresh, else 0: what is derived from them
 * may be kept under it.  Constant time.
 */
int projection_key(struct log *log, struct digest *out) ATTR_MUST_USE;

/* Called between transactions; true cancels.  DONE of TOTAL events. */
typedef bool projection_progress_fn(void *user, int64_t done, int64_t total);

/*
 * Makes the views fresh: catches up when behind, else builds anew beside the
 * old ones and swaps.  Other writers wait at most about BUILD_SLICE events.
 * Does nothing when they are fresh.  A read-only handle builds in memory, for
 * itself.  ERR_CANCELLED keeps the old views; a later call goes on where this
 * one stopped.
 */
enum { PROJECTION_BUILD_SLICE = 250 };
int projection_rebuild(struct log *log, projection_progress_fn *progress, void *user) ATTR_MUST_USE;

/*
 * Reading.  AT NULL is now; otherwise the last version at or before AT.  Views
 * that are behind or stale are still read; views of another fold version are
 * not: ERR_STATE.  Rows and their texts are in A.
 */
int projection_get(struct log *log, const char *type, const char *id, const struct position *at,
	struct arena *a, struct projection_row **out) ATTR_MUST_USE; /* 1 found, 0 none */

struct projection_query {
	const char *type;
	const char *parent;		/* NULL: of any parent */
	const struct position *at;	/* NULL: now */
	bool descending;
	/* Now only: the states are the projector's brief texts where it made one,
	 * which are read without the whole state. */
	bool brief;
	size_t offset, limit;		/* limit 0: all */
};

int projection_list(struct log *log, const struct projection_query *q, struct arena *a,
		    struct projection_row **rows, size_t *n) ATTR_MUST_USE;
/* The same, a row at a time, for what is too much to hold: texts are borrowed
 * until FN returns.  FN ends it with a negative error. */
typedef int projection_row_fn(void *user, const struct projection_row *row);
int projection_each(struct log *log, const struct projection_query *q, projection_row_fn *fn,
	void *user) ATTR_MUST_USE;
/* Ignores offset, limit and direction. */
int projection_count(struct log *log, const struct projection_query *q, int64_t *out) ATTR_MUST_USE;

/* All versions of one object, oldest first (or newest), in A. */
int projection_history(struct log *log, const char *type, const char *id, bool descending,
		       size_t limit, struct arena *a, struct projection_row **rows,
		       size_t *n) ATTR_MUST_USE;

#endif
