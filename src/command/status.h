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
#include "command/journal.h"
#include "workspace/stop_rules.h"

/* A run that lives, as far as the log knows. */
struct live_run {
	const char *run, *attempt, *target;	/* attempt "reference" for the reference */
	enum run_kind kind;
	enum run_status state;
	int64_t started_ns;			/* wall clock; 0: not started yet */
	struct price price;
	int chips;
	int64_t nano_usd_hour;			/* of all its chips; COST_UNKNOWN */
};

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

/* "gap 0.0/1.0"; with alarms of the rule open, whose value that is and whose made it
 * fire: "gap 0.0/1.0 is #4; fired for #5 #7". */
void rule_gauge_add(struct buf *out, const struct rule_gauge *g, const struct need *needs,
	size_t n);

/* The best measured level on CONFIGURATION among the attempts that were read,
 * the newest of equals; NULL when nothing was measured there. */
const struct attempt_state *migration_status_best(
	const struct migration_status *s, const char *configuration);

/* "accuracy >= 89.0 - 1.0pp", without a target "accuracy >= reference - 1.0pp":
 * what the goal demands, in its shown unit. */
struct config_goal;
void goal_add_test(struct buf *out, const struct config_goal *g);

/* The minutes of interventions and decisions: "6 min + 2 unknown", "unknown". */
void people_minutes_add(struct buf *out, const struct migration_counts *c);
/* What the minutes on record cost at RATE; COST_UNKNOWN without one, or where nobody
 * told any. */
int64_t people_cost_nano_usd(const struct price *rate, const struct migration_counts *c);

/* "ps-8f2a full #8 v5e-4 running 1h21m $0.88": one run that lives, at NOW. */
void live_run_add(struct buf *out, const struct live_run *r, int64_t now_ns);

#endif
