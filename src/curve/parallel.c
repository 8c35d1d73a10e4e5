/* parallel - a few threads, a ring of slots, one lock. */
#include "config.h"

#include "curve/parallel.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"

enum slot_state { SLOT_FREE, SLOT_BUSY, SLOT_DONE };

struct parallel {
	struct parallel_job job;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	size_t n;			/* pieces */
	size_t begun;			/* the first that nobody works on */
	size_t taken;			/* the one that the caller waits for, or has */
	size_t n_slots;
	enum slot_state slots[PARALLEL_SLOTS_MAX];
	bool has_piece;			/* the caller still looks at piece TAKEN */
	bool stop;
	pthread_t threads[PARALLEL_THREADS_MAX];
	int n_threads;			/* beside the caller's */
};

int parallel_threads(int spared)
{
	long n = sysconf(_SC_NPROCESSORS_ONLN) - spared;

	return n < 1 ? 1 : n < PARALLEL_THREADS_MAX ? (int)n : PARALLEL_THREADS_MAX;
}

size_t parallel_slot(const struct parallel *p, size_t piece)
{
	return piece % p->n_slots;
}

static bool can_begin(const struct parallel *p)
{
	return p->begun < p->n && p->begun < p->taken + p->n_slots;
}

/* Does the next piece; the lock is held before and after. */
static void do_one(struct parallel *p)
{
	size_t piece = p->begun++, slot = parallel_slot(p, piece);

	p->slots[slot] = SLOT_BUSY;
	pthread_mutex_unlock(&p->lock);
	p->job.work(p->job.user, piece, slot);
	pthread_mutex_lock(&p->lock);
	p->slots[slot] = SLOT_DONE;
	pthread_cond_broadcast(&p->changed);
}

static void *run(void *user)
{
	struct parallel *p = user;

	pthread_mutex_lock(&p->lock);
	while (!p->stop && p->begun < p->n) {
		if (can_begin(p))
			do_one(p);
		else
			pthread_cond_wait(&p->changed, &p->lock);
	}
	pthread_mutex_unlock(&p->lock);
	return NULL;
}

/* Signals are for the threads that were there before. */
static void start_threads(struct parallel *p, int n)
{
	sigset_t all, before;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	while (p->n_threads < n &&
		pthread_create(&p->threads[p->n_threads], NULL, run, p) == 0)
		p->n_threads++;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

struct parallel *parallel_new(const struct parallel_job *job, size_t n_pieces, int threads)
{
	struct parallel *p = xcalloc(1, sizeof *p);

	if (threads > PARALLEL_THREADS_MAX)
		threads = PARALLEL_THREADS_MAX;
	if (threads < 1)
		threads = 1;
	p->job = *job;
	p->n = n_pieces;
	p->n_slots = threads > 1 ? 2 * (size_t)threads + 2 : 1;
	pthread_mutex_init(&p->lock, NULL);
	pthread_cond_init(&p->changed, NULL);
	start_threads(p, (size_t)threads < n_pieces ? threads - 1 : (int)n_pieces - 1);
	return p;
}

/* The slot of the piece that was taken is free for another one. */
static void give_back(struct parallel *p)
{
	if (!p->has_piece)
		return;
	p->slots[parallel_slot(p, p->taken)] = SLOT_FREE;
	p->has_piece = false;
	p->taken++;
	pthread_cond_broadcast(&p->changed);
}

bool parallel_next(struct parallel *p, size_t *piece)
{
	pthread_mutex_lock(&p->lock);
	give_back(p);
	while (p->taken < p->n &&
		!(p->taken < p->begun && p->slots[parallel_slot(p, p->taken)] == SLOT_DONE)) {
		if (can_begin(p))
			do_one(p);
		else
			pthread_cond_wait(&p->changed, &p->lock);
	}
	p->has_piece = p->taken < p->n;
	*piece = p->taken;
	pthread_mutex_unlock(&p->lock);
	return p->has_piece;
}

void parallel_free(struct parallel *p)
{
	if (!p)
		return;
	pthread_mutex_lock(&p->lock);
	p->stop = true;
	pthread_cond_broadcast(&p->changed);
	pthread_mutex_unlock(&p->lock);
	for (int i = 0; i < p->n_threads; i++)
		pthread_join(p->threads[i], NULL);
	pthread_cond_destroy(&p->changed);
	pthread_mutex_destroy(&p->lock);
	free(p);
}
