/*
 * run_phase - where a run is, as one answer of its launcher says.
 *
 *	prepared -> launching -> queued -> running -> an end
 *
 * Ends: exited 0, failed, cancelled, timeout, budget, log cap, preempted, node
 * failure, launch failed, lost.  "exited 0" is never called success: levels
 * are judged elsewhere.  An orphan runs without a supervisor; an unkillable run
 * has processes that survive SIGKILL.
 *
 * No answer is an answer of its own, RUN_UNREACHABLE: it never ends a run.  Only
 * the run's own record, a final state of the provider, or a person does.
 *
 *	struct run_observation o;
 *
 *	if (launcher_poll(l, &job, &o) == 0 && o.answer == RUN_ENDED)
 *		record(o.phase, o.rc, o.reason);
 */
#ifndef PORTSIDE_LAUNCH_RUN_PHASE_H
#define PORTSIDE_LAUNCH_RUN_PHASE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "launch/status.h"

enum run_phase {
	PHASE_PREPARED, PHASE_LAUNCHING, PHASE_QUEUED, PHASE_RUNNING,
	PHASE_EXITED_0, PHASE_FAILED, PHASE_CANCELLED, PHASE_TIMEOUT, PHASE_BUDGET, PHASE_LOGCAP,
	PHASE_PREEMPTED, PHASE_NODE_FAIL, PHASE_LAUNCH_FAILED, PHASE_LOST,
};

enum run_mark { RUN_MARK_ORPHAN = 1, RUN_MARK_UNKILLABLE = 2 };

enum run_source {
	RUN_SOURCE_NONE, RUN_SOURCE_STATUS, RUN_SOURCE_RC, RUN_SOURCE_PROVIDER, RUN_SOURCE_PERSON,
};

enum run_answer { RUN_ALIVE, RUN_ENDED, RUN_UNREACHABLE };

enum { RUN_WORD_SIZE = 64, RUN_REASON_SIZE = 160, RUN_RC_UNKNOWN = -1 };

/* One answer of a poll. */
struct run_observation {
	enum run_answer answer;
	enum run_source source;
	enum run_phase phase;		/* of RUN_ALIVE and RUN_ENDED */
	unsigned marks;			/* RUN_MARK_... */
	int rc;				/* RUN_RC_UNKNOWN when not known */
	int signal;
	int64_t time_ns;		/* wall clock of the answer */
	char word[RUN_WORD_SIZE];	/* the provider's raw word */
	char reason[RUN_REASON_SIZE];
};

#define RUN_OBSERVATION_INIT { .answer = RUN_ALIVE, .phase = PHASE_RUNNING, .rc = RUN_RC_UNKNOWN }

const char *run_source_word(enum run_source s);

/* The phase of a final status record, and its words: "exit 5", "killed by
 * SIGSEGV", "killed from outside, often out of memory", ... */
enum run_phase run_phase_of_status(const struct status *s);
void run_status_add_words(struct buf *out, const struct status *s);

#endif
