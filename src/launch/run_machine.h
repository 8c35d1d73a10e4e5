/*
 * run_machine - the states of a run as pure functions.
 *
 *	prepared -> launching -> queued -> running -> an end
 *
 * Ends: exited 0, failed, cancelled, timeout, budget, log cap, preempted, node
 * failure, launch failed, lost.  "exited 0" is never called success: levels
 * are judged elsewhere.  Marks are set while a run lives: unreachable since T
 * (keeps the last state), orphan, unkillable, never (queued for a reason that
 * does not pass).
 *
 * An observation is one answer of one source.  Only the run's own record, a
 * final state of the provider, or a person ends a run; no answer never does.
 */
#ifndef PORTSIDE_LAUNCH_RUN_MACHINE_H
#define PORTSIDE_LAUNCH_RUN_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "launch/status.h"

enum run_phase {
	PHASE_PREPARED, PHASE_LAUNCHING, PHASE_QUEUED, PHASE_RUNNING,
	PHASE_EXITED_0, PHASE_FAILED, PHASE_CANCELLED, PHASE_TIMEOUT, PHASE_BUDGET, PHASE_LOGCAP,
	PHASE_PREEMPTED, PHASE_NODE_FAIL, PHASE_LAUNCH_FAILED, PHASE_LOST,
	PHASE_COUNT
};

enum run_mark {
	RUN_MARK_UNREACHABLE = 1, RUN_MARK_ORPHAN = 2,
	RUN_MARK_UNKILLABLE = 4, RUN_MARK_NEVER = 8,
};

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
	unsigned marks;			/* ORPHAN, UNKILLABLE, NEVER */
	int rc;				/* RUN_RC_UNKNOWN when not known */
	int signal;
	int restarts;			/* the provider's count */
	int64_t time_ns;		/* wall clock of the answer */
	char word[RUN_WORD_SIZE];	/* the provider's raw word */
	char reason[RUN_REASON_SIZE];
};

/* The state of a run as it is stored. */
struct run_machine {
	enum run_phase phase;
	unsigned marks;
	enum run_source source;
	int rc, signal, restarts;
	bool by_provider_only;		/* ended by the provider's word without an rc */
	bool disagreement;		/* rc 0, but the provider says it failed */
	int64_t changed_ns, unreachable_ns;	/* 0 when never / reachable */
	char word[RUN_WORD_SIZE];
	char reason[RUN_REASON_SIZE];
};

#define RUN_MACHINE_INIT { .phase = PHASE_PREPARED, .rc = RUN_RC_UNKNOWN }
#define RUN_OBSERVATION_INIT { .answer = RUN_ALIVE, .phase = PHASE_RUNNING, .rc = RUN_RC_UNKNOWN }

const char *run_phase_word(enum run_phase p);		/* "exited 0", "log cap", ... for people */
const char *run_phase_token(enum run_phase p);		/* "exited-0" ... for events, JSON */
bool run_phase_from_token(enum run_phase *out, const char *s);
bool run_phase_is_final(enum run_phase p);
const char *run_source_word(enum run_source s);

/* True when M changed: the caller stores a new record then. */
bool run_machine_observe(struct run_machine *m, const struct run_observation *o);

/* The phase of a final status record, and its words: "exit 5", "killed by
 * SIGSEGV", "killed from outside, often out of memory", ... */
enum run_phase run_phase_of_status(const struct status *s);
void run_status_add_words(struct buf *out, const struct status *s);

/* 2, 4, 8 ... 60 s; failures widen, a screen that looks narrows to 2 s. */
int64_t run_poll_interval_ns(int unchanged_polls, int failures, bool watched);

#endif
