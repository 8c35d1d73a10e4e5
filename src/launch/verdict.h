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
#include <stdint.h>

#include "launch/run_phase.h"
#include "launch/status.h"

enum run_verdict_kind {
	RUN_VERDICT_NONE,		/* not started */
	RUN_VERDICT_STARTING,
	RUN_VERDICT_RUNNING,
	RUN_VERDICT_FINAL,
	RUN_VERDICT_ORPHAN,		/* the child runs without a supervisor */
	RUN_VERDICT_LOST,
	RUN_VERDICT_LAUNCH_FAILED,
	RUN_VERDICT_MISSING,	/* the directory is gone */
	RUN_VERDICT_UNKNOWN,	/* could not be looked at: ask again */
};

struct run_verdict {
	enum run_verdict_kind kind;
	bool has_status;		/* STATUS below is from a valid record */
	bool locked;			/* a supervisor lives */
	struct status status;
	const char *reason;		/* a static sentence: why this verdict */
};

void verdict_read(struct run_verdict *out, const char *rundir);
/* So far, or in all, on the clock that cannot jump; -1: unknown. */
int64_t verdict_elapsed_ns(const struct run_verdict *v);
const char *verdict_word(enum run_verdict_kind k);
/* It has ended and cannot live again.  A run that nobody started is not over: it
 * may be started yet, unless the log says otherwise. */
bool verdict_is_over(const struct run_verdict *v);

/* The verdict as the answer of a poll, see launcher.h. */
void verdict_observation(struct run_observation *out, const struct run_verdict *v);

#endif
