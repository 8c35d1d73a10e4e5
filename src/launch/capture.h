/*
 * capture - facts about the place where a run runs, in RUNDIR/capture/.
 *
 *	capture.json	what was asked, with result, time and error of each
 *	pip-freeze.txt, python.txt, nvidia-smi.csv, tpu-info.txt
 *	nvidia-smi.samples, tpu-info.samples	the same every 30 s, "@ TIME" before each
 *	host.json	kernel, CPU, memory, disk, host name, container, load
 *	end.json	the same at the end, with the peak memory
 *
 * Each command has 10 s; one that is missing, fails or is too slow is recorded
 * as such and is never fatal.  Runs after the ready byte, in a process of its
 * own, so that neither the launcher nor the run waits for it.  It ends with the
 * run: STOP_FD is readable then (a peer that closes will do), what is under way
 * is killed, and what is missing is recorded as "ended".  Code revision and
 * difference are the caller's: they are in spec.json.
 */
#ifndef PORTSIDE_LAUNCH_CAPTURE_H
#define PORTSIDE_LAUNCH_CAPTURE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/redact.h"

enum { CAPTURE_LIMIT_S = 10, CAPTURE_MAX_BYTES = 1024 * 1024 };
enum { CAPTURE_SAMPLE_S = 30, CAPTURE_SAMPLES_MAX_BYTES = 16 * 1024 * 1024 };

enum capture_result {
	CAPTURE_OK, CAPTURE_MISSING, CAPTURE_FAILED, CAPTURE_TIMEOUT,
	CAPTURE_ENDED,			/* the run did first */
};

struct capture_command {
	const char *name;		/* "pip-freeze" */
	const char *file;		/* in capture/ */
	const char *const *argv;
	bool device;			/* sampled during the run too */
};

/* Runs one command with stdin /dev/null; OUT gets at most CAPTURE_MAX_BYTES of
 * its output.  *RC is its exit status or 128+signal.  On a time-out, or when
 * STOP_FD (-1: none) becomes readable, its process group is killed. */
enum capture_result capture_run(struct buf *out, int *rc, const char *const *argv, char *const *env,
	const char *cwd, int64_t limit_ns, int stop_fd);

/* The facts of the host as a JSON object.  FOLDER: whose disk counts. */
void capture_host(struct buf *out, const char *folder);

/* Everything at the start.  SCRIPT or ARGV tells which python is the run's.
 * ERR_IO when capture/ cannot be written. */
int capture_start(const char *rundir, const char *const *argv, char *const *env, const char *cwd,
	const struct redact *r, int stop_fd) ATTR_MUST_USE;

/*
 * Samples the devices every CAPTURE_SAMPLE_S until STOP_FD is readable.
 * Returns at once where no device command works.
 */
void capture_devices(const char *rundir, char *const *env, const char *cwd, const struct redact *r,
	int stop_fd);

/* capture/end.json, without running a command. */
int capture_end(const char *rundir, int64_t peak_rss_bytes) ATTR_MUST_USE;

#endif
