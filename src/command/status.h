/*
 * status - where a migration stands, on one screen: the goal, the best level per
 * configuration, what runs, what needs a person, the stop rules as gauges.
 *
 * The same facts feed `portside status` and view 1.  The screen reads them
 * twice: MIGRATION_STATUS_FIRST_PAGE takes the newest attempts and a constant
 * number of other rows, whatever the size of the log; the whole follows.
 *
 *	struct migration_status s;
 *
 *	if (migration_status_read(&s, ws, NULL, MIGRATION_STATUS_FIRST_PAGE, NULL, &arena) < 0)
 *		return -1;
 *	if (!s.complete)
 *		puts("needs and the older attempts are still being read");
 */
#ifndef PORTSIDE_COMMAND_STATUS_H
#define PORTSIDE_COMMAND_STATUS_H

#include <stdatomic.h>

#include "command/attempt.h"
#include "command/live_run.h"
#include "command/need.h"
#include "workspace/stop_rules.h"

struct migration_status {
	struct attempt_rows attempts;
	int64_t events;			/* in the log when it was read */
	int64_t n_attempts;		/* also those that were not read */
	bool complete;			/* all attempts were read, and NEEDS are all */
	struct need *needs;		/* the most urgent first */
	size_t n_needs;
	struct rule_gauges gauges;
	bool curves_read;		/* GAUGES has what must read curve files */
	struct live_run *live;
	size_t n_live;
	const char *name;		/* of the migration */
	const char *goal;		/* "accuracy >= reference - 1.0pp", "" without one */
	int64_t human_cost_nano_usd;	/* COST_UNKNOWN without human-rate */
	const char *config;		/* what is to be done about portside.conf, "" for nothing */
};

enum {
	MIGRATION_STATUS_FIRST_PAGE = 1,	/* the newest attempts only */
	MIGRATION_STATUS_CHANGES = 2,		/* churn that is in the cache */
	MIGRATION_STATUS_CURVES = 4,		/* gauges that read curve files */
};

/* As of AT, NULL for now.  Everything in A. */
int migration_status_read(struct migration_status *out, struct workspace *ws,
	const struct position *at, int flags, const atomic_bool *cancel,
	struct arena *a) ATTR_MUST_USE;

/* The best measured level on CONFIGURATION among the attempts that were read,
 * the newest of equals; NULL when nothing was measured there. */
const struct attempt_state *migration_status_best(
	const struct migration_status *s, const char *configuration);

#endif
