/*
 * supervisor - one detached process per local run; no daemon.
 *
 *	portside supervise RUNDIR [--ready FD] [--payload FD] [--adopt]
 *
 * It takes the lock, writes the blank status, detaches, starts the child in
 * its own session with the log as its output, says "running" and then "ready",
 * and watches: end, time limit, budget, log cap, cancel request.  It stops a
 * run with TERM and CONT to every descendant, KILL after the grace, until no
 * descendant is left; as a subreaper it gets back daemons that forked away.
 * It never guesses a success: what it did not see is not recorded.
 *
 * PAYLOAD is an anonymous file with argv and environment (payload.h): the
 * secrets that a run is given pass through memory only.  READY gets one line:
 *
 *	started PID TICKS
 *	already WORD
 *	failed ERRNO STEP SENTENCE
 *
 * Signals to it: TERM and INT cancel the run, HUP makes it look at its
 * directory at once.
 */
#ifndef PORTSIDE_LAUNCH_SUPERVISOR_H
#define PORTSIDE_LAUNCH_SUPERVISOR_H

#include "base/mem.h"

/* The `supervise` subcommand: argv[0] is its name.  Returns the exit status of
 * the process that was started; the supervisor itself never returns here. */
int supervisor_main(int argc, char **argv);

#endif
