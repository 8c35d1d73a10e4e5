/*
 * launch - prepares, starts, follows and ends one run.
 *
 *	struct launch *l;
 *	struct launch_result r;
 *
 *	if (launch_prepare(&l, runs_folder, &spec, environ) < 0)
 *		return err_prefix("run: ");
 *	... record run.prepared ...
 *	if (launch_start(l, program, &r) < 0)
 *		... record run.ended launch-failed with err_text() ...
 *	launch_free(l);
 *
 * The run directory is written and synced before anything starts.  Starting is
 * idempotent: of any number of starts of one run exactly one child comes to
 * be; the others are told "already".  launch_start() returns within
 * milliseconds and the run outlives the caller.
 *
 * RUNS is the folder of all run directories, RUNDIR one of them, PROGRAM the
 * path of a program whose `supervise` subcommand is supervisor_main().
 */
#ifndef PORTSIDE_LAUNCH_LAUNCH_H
#define PORTSIDE_LAUNCH_LAUNCH_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/redact.h"
#include "launch/launcher.h"
#include "launch/run_spec.h"

struct launch;		/* a prepared run, with the secrets that it is given */

/*
 * Writes RUNS/RUN-ID.  FROM is the caller's environ: the allow-list of it is
 * recorded, the names in spec->pass are held in memory.  Sets run_id when it is
 * empty.  ERR_REFUSED when a script holds the value of a secret, ERR_NOT_FOUND
 * when a name in `pass` is not set, ERR_EXISTS when the run is there already.
 */
int launch_prepare(struct launch **out, const char *runs, const struct run_spec *spec,
	char *const *from) ATTR_MUST_USE;

void launch_free(struct launch *l);

const char *launch_run_id(const struct launch *l);
const char *launch_rundir(const struct launch *l);
const struct run_spec *launch_spec(const struct launch *l);	/* as stored */
const struct redact *launch_redact(const struct launch *l);

struct launch_result {
	enum launcher_submit result;
	char id[RUN_WORD_SIZE];
	char state[RUN_WORD_SIZE];
};

/* ERR_IO, ERR_STATE with errno's words when nothing was started. */
int launch_start(struct launch *l, const char *program, struct launch_result *out) ATTR_MUST_USE;

/*
 * Ends a run through its launcher: records who and why, then, for a local one,
 * wakes its supervisor, or for an orphan starts one that kills it.  Returns at
 * once; watch the verdict.
 * GRACE_NS -1 is the run's own.  ERR_STATE when it does not run (the sentence
 * says how it stands).  A second request is fine and changes nothing.
 */
int launch_cancel(const char *rundir, const char *program, const char *who, const char *why,
	int64_t grace_ns) ATTR_MUST_USE;

/* Through its launcher, a new supervisor for an orphan: limits hold again, its end is recorded as
 * lost, with a complete log.  ERR_STATE when it is none. */
int launch_adopt(const char *rundir, const char *program) ATTR_MUST_USE;

/* At most N bytes of the log from OFFSET by pread: *GOT bytes; *SIZE (may be
 * NULL) is the log's size.  An offset beyond the end gives 0 bytes. */
int launch_log_read(const char *rundir, int64_t offset, void *out, size_t n, size_t *got,
	int64_t *size) ATTR_MUST_USE;

/*
 * Waits for a local run and copies its log to OUT_FD as it grows.  *EXIT_CODE
 * is the child's own (128+signal when one killed it), 127 or 126 when it could
 * not be executed, 124 for a time limit, budget or log cap, 130 after ^C, 143
 * after TERM, 3 when its exit status is lost.  The first ^C or TERM cancels the
 * run with its grace, a second ^C returns without waiting.  A hang-up, a closed
 * OUT_FD or SIGKILL ends only the caller: the run goes on.
 */
int launch_wait_and_forward(const char *rundir, const char *program, int out_fd,
	int *exit_code) ATTR_MUST_USE;

#endif
