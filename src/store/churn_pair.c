/*
 * churn_pair - two git processes count at once, each half of the pairs.
 *
 * This thread reads the first half and hands it over as it comes; a second one
 * reads the other half into batches that wait for their turn.  Few wait: the
 * second thread stops reading, and with it its git, when nobody takes them.
 */
#include "config.h"
#include "store/churn_internal.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/err.h"

enum {
	PAIRS_MIN = 1000,		/* below, the second process costs more than it gains */
	BATCH_ROWS = 256,
	BATCH_FILES = 4096,
	BATCHES_MAX = 64,		/* that wait */
};

struct batch {
	struct batch *next;
	struct arena arena;
	struct churn rows[BATCH_ROWS];
	size_t n, files;
};

struct half {
	const char *folder;
	const struct churn_pair *trees;
	size_t n;
	bool names_only;
	const atomic_bool *cancel;
	/* The second thread's alone. */
	struct batch *filling;
	/* Shared, under the lock. */
	pthread_mutex_t lock;
	pthread_cond_t changed;
	struct batch *first, **last;
	size_t waiting;
	bool ended, given_up;
	int rc;
	char *words;			/* of the error that it ended with */
};

static void free_batch(struct batch *b)
{
	arena_release(&b->arena);
	free(b);
}

/* ---- the second thread ------------------------------------------------------- */

static int pass_on(struct half *h)
{
	struct batch *b = h->filling;
	bool given_up;

	h->filling = NULL;
	pthread_mutex_lock(&h->lock);
	while (h->waiting >= BATCHES_MAX && !h->given_up)
		pthread_cond_wait(&h->changed, &h->lock);
	*h->last = b;
	h->last = &b->next;
	h->waiting++;
	given_up = h->given_up;
	pthread_cond_signal(&h->changed);
	pthread_mutex_unlock(&h->lock);
	return given_up ? err_set(ERR_CANCELLED, "cancelled") : 0;
}

static int put_by(void *user, size_t index, const struct churn *c)
{
	struct half *h = user;
	struct batch *b;

	(void)index;
	if (h->filling == NULL)
		h->filling = xcalloc(1, sizeof *h->filling);
	b = h->filling;
	churn_copy(&b->rows[b->n++], &b->arena, c);
	b->files += c->n;
	return b->n == BATCH_ROWS || b->files >= BATCH_FILES ? pass_on(h) : 0;
}

static void *count_half(void *user)
{
	struct half *h = user;
	size_t done;
	int rc =
		churn_by_git(h->folder, h->trees, h->n, h->names_only, h->cancel, put_by, h, &done);
	char *words = rc < 0 ? xstrdup(err_text()) : NULL;

	if (h->filling != NULL && pass_on(h) < 0)
		err_clear();
	pthread_mutex_lock(&h->lock);
	h->rc = rc;
	h->words = words;
	h->ended = true;
	pthread_cond_signal(&h->changed);
	pthread_mutex_unlock(&h->lock);
	return NULL;
}

/* Signals are the other threads' business. */
static int start_thread(pthread_t *thread, struct half *h)
{
	sigset_t all, before;
	int rc;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	rc = pthread_create(thread, NULL, count_half, h);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return rc;
}

/* ---- this thread --------------------------------------------------------------- */

/* The next batch, or NULL when there will be none. */
static struct batch *take_batch(struct half *h)
{
	struct batch *b;

	pthread_mutex_lock(&h->lock);
	while (h->first == NULL && !h->ended)
		pthread_cond_wait(&h->changed, &h->lock);
	b = h->first;
	if (b != NULL) {
		h->first = b->next;
		h->waiting--;
		if (h->first == NULL)
			h->last = &h->first;
		pthread_cond_signal(&h->changed);
	}
	pthread_mutex_unlock(&h->lock);
	return b;
}

static int hand_over(struct half *h, size_t from, churn_fn *fn, void *user, size_t *done)
{
	struct batch *b;
	int rc = 0;

	while (rc == 0 && (b = take_batch(h)) != NULL) {
		for (size_t i = 0; i < b->n && rc == 0; i++) {
			rc = fn(user, from++, &b->rows[i]);
			++*done;
		}
		free_batch(b);
	}
	return rc;
}

static void give_up(struct half *h)
{
	pthread_mutex_lock(&h->lock);
	h->given_up = true;
	pthread_cond_signal(&h->changed);
	pthread_mutex_unlock(&h->lock);
}

static void release(struct half *h)
{
	for (struct batch *b = h->first, *next; b != NULL; b = next) {
		next = b->next;
		free_batch(b);
	}
	pthread_cond_destroy(&h->changed);
	pthread_mutex_destroy(&h->lock);
	free(h->words);
}

int churn_by_git_pair(const char *folder, const struct churn_pair *trees, size_t n, bool names_only,
		const atomic_bool *cancel, churn_fn *fn, void *user, size_t *done)
{
	size_t first = n / 2;
	struct half h = {
		.folder = folder,
		.trees = trees + first,
		.n = n - first,
		.names_only = names_only,
		.cancel = cancel,
		.lock = PTHREAD_MUTEX_INITIALIZER,
		.changed = PTHREAD_COND_INITIALIZER,
	};
	pthread_t thread;
	int rc;

	h.last = &h.first;
	if (n < PAIRS_MIN || sysconf(_SC_NPROCESSORS_ONLN) < 2 || start_thread(&thread, &h) != 0)
		return churn_by_git(folder, trees, n, names_only, cancel, fn, user, done);
	rc = churn_by_git(folder, trees, first, names_only, cancel, fn, user, done);
	if (rc == 0 && *done == first)
		rc = hand_over(&h, first, fn, user, done);
	give_up(&h);
	pthread_join(thread, NULL);
	if (rc == 0 && *done >= first && h.rc < 0)
		rc = err_set((enum err)h.rc, "%s", h.words);
	release(&h);
	return rc;
}
