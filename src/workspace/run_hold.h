/*
 * run_hold - who is at work on a run just now, told by flock.
 *
 * A lock of the kernel goes away with its process, however that ends, so none
 * is ever stale.  Two locks:
 *
 *	runs/start.lock		taken from "is the same run under way?" to
 *				run.prepared: of two screens that start the same
 *				run, the second one sees the first one's
 *	runs/RUN-ID (itself)	taken while a run is started, given up, or its
 *				results are kept
 *
 *	int hold = run_hold_directory(rundir, RUN_HOLD_TRY);
 *
 *	if (hold < 0)
 *		return hold;		// ERR_BUSY: somebody else is at it
 *	...
 *	run_hold_release(hold);
 */
#ifndef PORTSIDE_WORKSPACE_RUN_HOLD_H
#define PORTSIDE_WORKSPACE_RUN_HOLD_H

#include "workspace/workspace.h"

enum run_hold_wait { RUN_HOLD_TRY, RUN_HOLD_WAIT };

/* A descriptor, ERR_BUSY, ERR_NOT_FOUND for a folder that is gone, or ERR_IO. */
int run_hold_start(struct workspace *ws, enum run_hold_wait wait) ATTR_MUST_USE;
int run_hold_directory(const char *rundir, enum run_hold_wait wait) ATTR_MUST_USE;
void run_hold_release(int hold);		/* negative is fine */

#endif
