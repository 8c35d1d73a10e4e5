/*
 * parallel - numbered pieces of work, done by several threads, handed over in order.
 *
 * The caller asks for piece 0, 1, 2, ...  While the one that is next is not done
 * it works on a piece itself, so that N threads are the caller and N - 1 others,
 * and one thread (or none that could be started) is a plain loop.  A piece is
 * done in a slot of its own; there are few slots, so that memory is bounded and
 * nothing is done far ahead of what is taken.
 *
 * WORK runs on any thread and touches what belongs to its slot alone; what it
 * shares with others it only reads.  Whoever takes a piece owns its slot until
 * the next call.
 *
 *	struct parallel *p = parallel_new(&job, n_pieces, threads);
 *	size_t piece;
 *
 *	while (parallel_next(p, &piece))
 *		take(&slots[parallel_slot(p, piece)]);
 *	parallel_free(p);	// also in the middle: what was begun is waited for
 */
#ifndef PORTSIDE_CURVE_PARALLEL_H
#define PORTSIDE_CURVE_PARALLEL_H

#include <stdbool.h>
#include <stddef.h>

enum { PARALLEL_THREADS_MAX = 4, PARALLEL_SLOTS_MAX = 2 * PARALLEL_THREADS_MAX + 2 };

struct parallel_job {
	void (*work)(void *user, size_t piece, size_t slot);
	void *user;
};

struct parallel;

/* As many threads as are useful on this machine: its processors, less SPARED that
 * are left to others; from 1 to PARALLEL_THREADS_MAX. */
int parallel_threads(int spared);

/* THREADS with the caller's. */
struct parallel *parallel_new(const struct parallel_job *job, size_t n_pieces, int threads);
/* The next piece in order is done; false after the last one. */
bool parallel_next(struct parallel *p, size_t *piece);
/* From 0 to below PARALLEL_SLOTS_MAX. */
size_t parallel_slot(const struct parallel *p, size_t piece);
void parallel_free(struct parallel *p);

#endif
