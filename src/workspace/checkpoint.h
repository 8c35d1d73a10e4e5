/*
 * checkpoint - the head of the log, made public and put on record.
 *
 * A report or a bundle that leaves the house names all events that there were:
 * whoever keeps the name can tell later whether the log was cut or written anew
 * (portside verify --anchor).  The log itself keeps what was published, since
 * after a merge of several clones no order tells which events a name was made of.
 *
 *	struct checkpoint c;
 *
 *	if (checkpoint_publish(&c, ws, "report.md", &arena) < 0)
 *		return -1;
 *	printf("Portside-Head: %s %lld\n", c.head, (long long)c.count);
 */
#ifndef PORTSIDE_WORKSPACE_CHECKPOINT_H
#define PORTSIDE_WORKSPACE_CHECKPOINT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/event.h"
#include "workspace/workspace.h"

struct checkpoint {
	char head[DIGEST_HEX + 1];	/* over the ids of all events */
	int64_t count;			/* of events */
	bool recorded;			/* checkpoint.published is in the log */
	const char *why_not;		/* one sentence when it is not; "" */
	const char *time, *where;	/* of an earlier one; "" */
};

/*
 * Of the log as it is now.  When nothing came since the last checkpoint it is
 * that one again, so that looking twice does not grow the log.  A log that is
 * only read, or a full disk, leaves it unrecorded, which is no error.  WHERE NULL:
 * it is shown and not given to anybody, so nothing is recorded.
 */
int checkpoint_publish(struct checkpoint *out, struct workspace *ws, const char *where,
	struct arena *a) ATTR_MUST_USE;

/* The last N or fewer that were published until AT (NULL: now), newest first;
 * *ALL is how many there are.  In A. */
int checkpoint_list(struct checkpoint **out, size_t *n, size_t *all, struct workspace *ws,
	const struct position *at, size_t limit, struct arena *a) ATTR_MUST_USE;

#endif
