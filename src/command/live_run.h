/*
 * live_run - the runs that live, as far as the log and this machine know.
 *
 * The log says which; how long each runs for so far, and whether its supervisor is still
 * there, says the run directory.  Nothing here waits for a network, so a run on another
 * machine is what the log says of it.
 *
 *	struct live_runs live;
 *
 *	if (live_runs_read(&live, ws, &attempts, NULL, &arena) < 0)
 *		return -1;
 *	for (size_t i = 0; i < live.n; i++)
 *		live_run_add(&text, &live.rows[i], clock_wall_ns());
 */
#ifndef PORTSIDE_COMMAND_LIVE_RUN_H
#define PORTSIDE_COMMAND_LIVE_RUN_H

#include "command/attempt.h"

struct live_run {
	const char *run, *attempt, *target;	/* attempt "reference" for the reference */
	enum run_kind kind;
	enum run_status state;
	int64_t started_ns;			/* wall clock; 0: not started yet */
	struct price price;
	int chips;
	int64_t nano_usd_hour;			/* of all its chips; COST_UNKNOWN */
	bool orphan;				/* it goes on without its supervisor */
};

struct live_runs {
	struct live_run *rows;
	size_t n;
};

/*
 * Takes in what run directories say, as the screen does all the time: a run that has
 * ended is on record then.  As of AT, read-only and in a bundle it does nothing.  What went
 * wrong with one run is NOTE, "" for nothing; ERR_CANCELLED.
 */
int live_runs_look(const char **note, struct workspace *ws, const struct position *at,
	const atomic_bool *cancel, struct arena *a) ATTR_MUST_USE;

/* Those of the reference, then those of ATTEMPTS; as of AT no directory is looked at.
 * Everything in A. */
int live_runs_read(struct live_runs *out, struct workspace *ws, const struct attempt_rows *attempts,
	const struct position *at, struct arena *a) ATTR_MUST_USE;

/* "full #8 @v5e-4 running 1h21m $0.88": one run that lives, at NOW. */
void live_run_add(struct buf *out, const struct live_run *r, int64_t now_ns);

#endif
