/*
 * verdict - the only function that judges a run directory.
 *
 * status record, lock, boot id and child identity give one of:
 *
 *	status    lock   boot     child          verdict
 *	none      free   -        -              none
 *	blank     free   -        -              none; launch failed after 10 s
 *	any       held   -        -              starting, running
 *	done      any    any      any            final
 *	running   free   differs  -              lost (reboot)
 *	running   free   same     alive          orphan
 *	running   free   same     gone, other    lost (exit status unknown)
 *	damaged   free   -        -              lost (damaged record)
 *
 * What could not be looked at (no descriptor, no permission) is unknown.
 * A record that says "running" under a free lock is read again after the lock
 * was taken, since the run may just have ended.  A lost run is never guessed
 * to have succeeded.  The function writes nothing and signals nobody.
 */
#ifndef PORTSIDE_LAUNCH_VERDICT_H
#define PORTSIDE_LAUNCH_VERDICT_H

#include <stdbool.h>

#include "launch/run_machine.h"
#include "launch/status.h"

enum verdict_kind {
	VERDICT_NONE,		/* not started */
	VERDICT_STARTING,
	VERDICT_RUNNING,
	VERDICT_FINAL,
	VERDICT_ORPHAN,		/* the child runs without a supervisor */
	VERDICT_LOST,
	VERDICT_LAUNCH_FAILED,
	VERDICT_MISSING,	/* the directory is gone */
	VERDICT_UNKNOWN,	/* could not be looked at: ask again */
};

struct verdict {
	enum verdict_kind kind;
	bool has_status;		/* STATUS below is from a valid record */
	bool locked;			/* a supervisor lives */
	struct status status;
	const char *reason;		/* a static sentence: why this verdict */
};

void verdict_read(struct verdict *out, const char *rundir);
const char *verdict_word(enum verdict_kind k);

/* The verdict as the answer of a poll, for run_machine_observe(). */
void verdict_observation(struct run_observation *out, const struct verdict *v);

#endif
