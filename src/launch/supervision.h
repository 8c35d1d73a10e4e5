/*
 * supervision - the loop of a supervisor: what it watches and how it ends.
 *
 * Internal to the supervisor (see supervisor.h for the whole).  A supervision
 * is either of its own child, whose descendants come back to it as the
 * subreaper, or adopted: the main process is somebody else's child, seen by a
 * pidfd, and the other members are found by the mark in their environment.
 */
#ifndef PORTSIDE_LAUNCH_SUPERVISION_H
#define PORTSIDE_LAUNCH_SUPERVISION_H

#include <stdbool.h>
#include <stdint.h>

#include "launch/run_spec.h"
#include "launch/status.h"
#include "launch/stop.h"

struct supervision {
	const char *rundir;
	int folder_fd, log_fd;		/* borrowed */
	struct run_spec spec;
	struct status_file file;
	struct status status;		/* the record as last written */
	bool adopted;
	int64_t stuck_ns;		/* STOP_STUCK_NS, or less in a test */

	int signal_fd, timer_fd;	/* made by supervision_open() */
	int pidfd;			/* of an adopted main process */
	int64_t start_boot_ns;		/* CLOCK_BOOTTIME of the child's start */
	int64_t limit_ns, budget_ns;	/* 0: none */
	enum status_why reason;		/* WHY_NONE while nothing ended the run */
	bool main_ended, all_ended;
	int64_t main_end_ns;
	int wait_status;		/* of the main process, when not adopted */
	int left;
	struct stop stop;
	int64_t peak_rss_bytes;		/* of the largest process that ended */
	bool said_deleted;
};

/* Blocks the signals and makes the descriptors; ERR_IO. */
int supervision_open(struct supervision *s) ATTR_MUST_USE;
/* Until nothing of the run lives. */
void supervision_run(struct supervision *s);
/* The final record, with the moment at which supervision_run() returned. */
void supervision_record_end(struct supervision *s);

/* A line in sup.log, which is standard error of a supervisor. */
void supervision_say(const char *fmt, ...) ATTR_PRINTF(1, 2);

#endif
