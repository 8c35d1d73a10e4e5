/*
 * job - work on the thread pool with an owned input and an owned result.
 *
 * The main thread never waits for a database, git, a parse or a network.  A
 * job gets its input for itself, runs on a pool thread with its own handles,
 * and hands back a result for the main thread alone.  Starting another job in
 * the same slot cancels the one before: its result is freed, never delivered.
 *
 *	static const struct job_kind load_rows = { "rows", run, free_request, free_rows };
 *	job_start(&view->rows, loop, &load_rows, request, on_rows, view);
 *
 * RUN looks at job_is_cancelled() for each file or each 1000 rows.  It returns
 * 0, or a negative enum err; the sentence of its thread is copied out then.
 *
 * Jobs that the screen waits for (JOB_SCREEN) start at once.  Background ones
 * (checks, discovery, rebuilding) start while none of those is under way, and
 * never take the last pool thread.  What may take minutes because a person asked
 * for it (JOB_CALL) starts at once too, and holds up nothing.
 */
#ifndef PORTSIDE_UI_JOB_H
#define PORTSIDE_UI_JOB_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/mem.h"

struct loop;
struct job;

enum job_class { JOB_SCREEN, JOB_BACKGROUND, JOB_CALL };

struct job_kind {
	const char *name;		/* "diff of 7": what the status line says */
	int (*run)(struct job *job, void *input, void **result);
	void (*free_input)(void *input);	/* NULL: nothing to free */
	void (*free_result)(void *result);
	enum job_class job_class;
};

/* CODE 0: RESULT is yours.  CODE < 0: SENTENCE says why, borrowed.  On the main
 * thread; never called for a cancelled job. */
typedef void job_done_fn(void *user, int code, void *result, const char *sentence);

/* Zero-initialised by its owner, who calls job_cancel() before it dies. */
struct job_slot { struct job *current; };

/* With a NULL loop the work is done at once, before job_start() returns. */

/* Owns INPUT from here on, whatever happens. */
void job_start(struct job_slot *slot, struct loop *l, const struct job_kind *kind, void *input,
	       job_done_fn *done, void *user);
void job_cancel(struct job_slot *slot);
bool job_is_running(const struct job_slot *slot);

/* ---- from the pool thread ---- */

bool job_is_cancelled(const struct job *job);
/* The same flag for code below ui/ that takes one (struct call_progress). */
const atomic_bool *job_cancel_flag(const struct job *job);
/* Shown in the status line; wakes the screen.  TOTAL 0: not known. */
void job_set_progress(struct job *job, int64_t done, int64_t total);
/* The same, with a name of its own for what is done now: static text. */
void job_set_stage(struct job *job, const char *name, int64_t done, int64_t total);

/* ---- for the status line, main thread ---- */

struct job_progress { const char *name; int64_t done, total; int64_t since_ns; };
/* The job that has run longest and for at least 200 ms; false when none. */
bool job_longest(struct loop *l, struct job_progress *out);

#endif
