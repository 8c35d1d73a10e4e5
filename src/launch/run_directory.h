/*
 * run_directory - the files of one run; see launch.h for starting one.
 *
 *	RUNS/ps-xxxxxxxxxxxxx/		mode 0700, on a local disk
 *	  spec.json			what was asked; never changed
 *	  env				recorded NAME=VALUE, NUL-separated
 *	  cmd				the command as one POSIX sh script
 *	  lock				flock'ed by the supervisor for its whole life
 *	  status, status.next		see status.h
 *	  log				stdout and stderr, appended by the child itself
 *	  job.json			provider ids (remote runs)
 *	  rc				the exit status that a remote wrapper wrote
 *	  cancel			who asked for the end, when and why
 *	  sup.log			what went wrong in the supervisor
 *	  capture/, artifacts/		facts and results
 *	  probe/			what the probe of the run wrote
 *	  evidence/			what somebody brought for it later
 *	  facts-read			which parsers have read its files
 *
 * The directory is the truth about a live run.  The local supervisor refuses
 * network file systems: no RENAME_EXCHANGE, weak flock.
 */
#ifndef PORTSIDE_LAUNCH_RUN_DIRECTORY_H
#define PORTSIDE_LAUNCH_RUN_DIRECTORY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/mem.h"
#include "launch/run_spec.h"

enum run_directory_file {
	RUN_FILE_SPEC, RUN_FILE_ENV, RUN_FILE_CMD, RUN_FILE_LOCK, RUN_FILE_STATUS,
	RUN_FILE_STATUS_NEXT, RUN_FILE_LOG, RUN_FILE_JOB, RUN_FILE_RC, RUN_FILE_CANCEL,
	RUN_FILE_SUP_LOG, RUN_FILE_CAPTURE, RUN_FILE_ARTIFACTS, RUN_FILE_PROBE,
	RUN_FILE_EVIDENCE,
	RUN_FILE_COUNT
};

const char *run_file_name(enum run_directory_file f);
/* RUNDIR/NAME in A. */
char *run_directory_path(struct arena *a, const char *rundir, enum run_directory_file f);

/*
 * Creates RUNS/RUN-ID with spec.json, env and cmd, each file and both folders
 * synced.  NEED_LOCAL refuses a network file system with ERR_STATE.  ERR_EXISTS
 * when the run is already there (nothing is changed).  *OUT (in A) is its path.
 */
int run_directory_create(char **out, struct arena *a, const char *runs,
	const struct run_spec *spec, const struct buf *env, const char *cmd, size_t cmd_n,
	bool need_local) ATTR_MUST_USE;

int run_directory_read_spec(struct run_spec *out, struct arena *a,
	const char *rundir) ATTR_MUST_USE;

/* The recorded environment as NAME=VALUE strings, NULL-terminated, in A. */
int run_directory_read_env(char ***out, struct arena *a, const char *rundir) ATTR_MUST_USE;

/* Run ids below RUNS, sorted; other names are left out.  No folder: none. */
int run_directory_list(char ***out, size_t *n, struct arena *a, const char *runs) ATTR_MUST_USE;

int64_t run_directory_log_bytes(const char *rundir);	/* -1 when there is no log */

/* The cancel request.  The first one stands: a second is ERR_EXISTS. */
struct cancel_request {
	int64_t time_ns;	/* wall clock */
	int64_t grace_ns;	/* -1: the run's own */
	const char *who;	/* "human:ann" */
	const char *why;	/* sanitised, one line */
};
int run_directory_write_cancel(const char *rundir, const struct cancel_request *c) ATTR_MUST_USE;
int run_directory_read_cancel(struct cancel_request *out, struct arena *a,
	const char *rundir) ATTR_MUST_USE;

#endif
