/*
 * launcher_local - starts supervisors on this machine.
 *
 * The launcher named `local` itself is in launcher.h's table; this is what it
 * shares with launch.h: starting a supervisor process and waiting for its one
 * line of answer.
 */
#ifndef PORTSIDE_LAUNCH_LAUNCHER_LOCAL_H
#define PORTSIDE_LAUNCH_LAUNCHER_LOCAL_H

#include <stdbool.h>

#include "launch/launcher.h"

/*
 * `PROGRAM supervise RUNDIR`, with --adopt for an orphan.  PAYLOAD may be NULL:
 * the stored command and environment are used.  The supervisor is detached when
 * this returns.  ERR_IO with its sentence when it did not start the run.
 */
int launcher_local_supervise(struct launcher_submitted *out, const char *program,
	const char *rundir, const struct payload *payload, bool adopt) ATTR_MUST_USE;

#endif
