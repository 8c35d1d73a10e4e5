/*
 * reconcile - what run directories say becomes events; results are kept.
 *
 * For each run that the log knows as alive: asks its launcher, records
 * run.started and run.ended at most once, checks the declared end in the log,
 * keeps the log's digest as evidence, copies curve files and the declared
 * artifact out of the checkout into runs/RUN-ID/artifacts, and then removes
 * the checkout.  Never guesses a success.
 *
 * What a crash left behind is finished here: a run directory that the log does
 * not know is recorded from its prepared.json; a run that was prepared and
 * whose starter is gone is given up (launch-failed); a checkout without a run
 * goes away; a run of this machine whose directory was deleted is lost, unless
 * its processes live on.  Runs of other machines are left to those.
 *
 * Runs in the background after the first frame, and every few seconds while
 * something lives.
 */
#ifndef PORTSIDE_WORKSPACE_RECONCILE_H
#define PORTSIDE_WORKSPACE_RECONCILE_H

#include <stdatomic.h>
#include <stddef.h>

#include "workspace/workspace.h"

struct reconciled {
	size_t live;		/* runs that are alive now */
	size_t started, ended;	/* recorded by this call */
	size_t orphans;		/* alive without a supervisor */
	size_t swept;		/* checkouts removed that no run had */
	const char *note;	/* the last thing that went wrong, "" when nothing */
};

int reconcile(struct reconciled *out, struct workspace *ws, const atomic_bool *cancel,
	struct arena *a) ATTR_MUST_USE;

/* One run now; *ENDED tells whether it is over. */
int reconcile_run(
	bool *ended, struct workspace *ws, const char *run, struct arena *a) ATTR_MUST_USE;

#endif
