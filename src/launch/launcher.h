/*
 * launcher - where runs go: one table of operations per way to run something.
 *
 * `local` is the built-in supervisor, and the only one so far.  Everything that
 * concerns a run after it was prepared goes through this table: starting it, asking
 * how it stands, ending it, watching it again.  An operation that a launcher does
 * not have is NULL; launcher_* below say so in words.  Every operation may block on
 * a process or the network, so a screen calls it on a worker thread.
 *
 * Whatever a launcher does, the log of its run is RUNDIR/log, as far as it is here:
 * readers know files alone.  Its results are kept by workspace/run_results.h.
 *
 *	const struct launcher *l;
 *	if (launcher_find(&l, target_launcher) < 0)
 *		return err_prefix("target %s: ", name);
 *	if (launcher_poll(l, &job, &observation) < 0)
 *		...
 */
#ifndef PORTSIDE_LAUNCH_LAUNCHER_H
#define PORTSIDE_LAUNCH_LAUNCHER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/mem.h"
#include "launch/payload.h"
#include "launch/run_phase.h"
#include "launch/run_spec.h"

struct launcher;

/* One run as its launcher sees it.  Borrowed by the caller's rules. */
struct launcher_job {
	const struct run_spec *spec;
	const char *rundir;		/* local directory of the run */
	const char *program;		/* path of the portside program, for `supervise` */
	const struct payload *payload;	/* only while starting: argv, environment, secrets */
};

enum launcher_submit { LAUNCHER_STARTED, LAUNCHER_ALREADY };

struct launcher_submitted {
	enum launcher_submit result;
	char id[RUN_WORD_SIZE];		/* the provider's id: a pid, a job id */
	char state[RUN_WORD_SIZE];	/* of `already`: starting, running, final, ... */
};

struct launcher {
	const char *name;
	bool network_rundir;	/* the run directory may be on a network disk */

	/* Idempotent: the same run is never started twice. */
	int (*submit)(const struct launcher *l, const struct launcher_job *j,
		struct launcher_submitted *out);
	/* Fills OUT always; unreachable is an answer, not an error. */
	int (*poll)(const struct launcher *l, const struct launcher_job *j,
		struct run_observation *out);
	/* The request is recorded first; ends are seen by poll. */
	int (*cancel)(const struct launcher *l, const struct launcher_job *j, const char *who,
		const char *why, int64_t grace_ns);
	/* Watches a run again that goes on unwatched: limits hold, its end is seen. */
	int (*adopt)(const struct launcher *l, const struct launcher_job *j);
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
int launcher_cancel(const struct launcher *l, const struct launcher_job *j, const char *who,
	const char *why, int64_t grace_ns) ATTR_MUST_USE;
int launcher_adopt(const struct launcher *l, const struct launcher_job *j) ATTR_MUST_USE;

#endif
