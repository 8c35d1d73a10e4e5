/*
 * launcher - where runs go: one table of operations per way to run something.
 *
 * `local` is the built-in supervisor.  Others (ssh, Slurm, cloud TPUs) fill
 * the same operations.  An operation that a launcher does not have is NULL;
 * launcher_* below say so in words.  Every operation may block on a process
 * or the network, so a screen calls it on a worker thread.
 *
 *	const struct launcher *l;
 *	if (launcher_find(&l, target_launcher) < 0)
 *		return err_prefix("target %s: ", name);
 *	if (launcher_poll(l, &job, &observation) < 0)
 *		...
 *
 * The life of a machine is acquire, ready, release, gone; a launcher without
 * machines of its own leaves those four NULL.
 */
#ifndef PORTSIDE_LAUNCH_LAUNCHER_H
#define PORTSIDE_LAUNCH_LAUNCHER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/conf.h"
#include "base/mem.h"
#include "launch/payload.h"
#include "launch/run_machine.h"
#include "launch/run_spec.h"

struct launcher;

/* One run as its launcher sees it.  Borrowed by the caller's rules. */
struct launcher_job {
	const struct run_spec *spec;
	const char *rundir;		/* local directory of the run */
	const char *program;		/* path of the portside program, for `supervise` */
	const struct conf *conf;	/* with the [target "NAME"] fields; may be NULL */
	const struct payload *payload;	/* only while starting: argv, environment, secrets */
	const char *definition;		/* path of NAME.launcher; NULL for a built-in */
};

enum launcher_submit { LAUNCHER_STARTED, LAUNCHER_ALREADY };

struct launcher_submitted {
	enum launcher_submit result;
	char id[RUN_WORD_SIZE];		/* the provider's id: a pid, a job id */
	char state[RUN_WORD_SIZE];	/* of `already`: starting, running, final, ... */
};

enum launcher_machine { LAUNCHER_MACHINE_NO, LAUNCHER_MACHINE_YES, LAUNCHER_MACHINE_UNKNOWN };

struct launcher {
	const char *name;
	const char *needs;	/* program that must exist, NULL for none */
	bool network_rundir;	/* the run directory may be on a network disk */

	/* Idempotent: the same run is never started twice. */
	int (*submit)(const struct launcher *l, const struct launcher_job *j,
		struct launcher_submitted *out);
	/* Fills OUT always; unreachable is an answer, not an error. */
	int (*poll)(const struct launcher *l, const struct launcher_job *j,
		struct run_observation *out);
	/* Appends at most MAX bytes from OFFSET; *SIZE is the log's size. */
	int (*log)(const struct launcher *l, const struct launcher_job *j, int64_t offset,
		size_t max, struct buf *out, int64_t *size);
	/* Copies results into RUNDIR/artifacts. */
	int (*fetch)(const struct launcher *l, const struct launcher_job *j, const char *path);
	/* The request is recorded first; ends are seen by poll. */
	int (*cancel)(const struct launcher *l, const struct launcher_job *j, const char *who,
		const char *why, int64_t grace_ns);
	int (*acquire)(const struct launcher *l, const struct launcher_job *j);
	int (*ready)(const struct launcher *l, const struct launcher_job *j,
		enum launcher_machine *out);
	int (*release)(const struct launcher *l, const struct launcher_job *j);
	int (*gone)(const struct launcher *l, const struct launcher_job *j,
		enum launcher_machine *out);
};

extern const struct launcher launcher_local;

/* ERR_NOT_FOUND with the names that there are. */
int launcher_find(const struct launcher **out, const char *name) ATTR_MUST_USE;
/* The I-th one, NULL beyond the last. */
const struct launcher *launcher_at(size_t i);

/* As the operations, with ERR_STATE and a sentence where there is none. */
int launcher_submit(const struct launcher *l, const struct launcher_job *j,
	struct launcher_submitted *out) ATTR_MUST_USE;
int launcher_poll(const struct launcher *l, const struct launcher_job *j,
	struct run_observation *out) ATTR_MUST_USE;
int launcher_log(const struct launcher *l, const struct launcher_job *j, int64_t offset,
	size_t max, struct buf *out, int64_t *size) ATTR_MUST_USE;
int launcher_fetch(const struct launcher *l, const struct launcher_job *j,
	const char *path) ATTR_MUST_USE;
int launcher_cancel(const struct launcher *l, const struct launcher_job *j, const char *who,
	const char *why, int64_t grace_ns) ATTR_MUST_USE;
/* Does it have machines that cost money until they are released? */
bool launcher_has_machines(const struct launcher *l);

#endif
