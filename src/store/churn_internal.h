/*
 * churn_internal - what the parts of churn share: the reader of git's output,
 * the counter on libgit2, and the record format of the cache.
 */
#ifndef PORTSIDE_STORE_CHURN_INTERNAL_H
#define PORTSIDE_STORE_CHURN_INTERNAL_H

#include <stddef.h>

#include "base/buf.h"
#include "store/churn.h"

/* git's own default (diff.renameLimit since 2.34), given to both counters, so
 * that a figure does not depend on whose machine counts. */
enum { CHURN_RENAME_LIMIT = 1000 };

/* Completes C: sums, flags, reason. */
void churn_finish(struct churn *c);

/*
 * Counts pairs [0, n) of TREES ("" is the empty tree) with one git process in
 * FOLDER and hands each to FN in order.  *DONE is how many were handed over, also on error;
 * ERR_NOT_FOUND with status -1 means that there is no git program.  NAMES_ONLY
 * leaves counts at -1.
 */
int churn_by_git(const char *folder, const struct churn_pair *trees, size_t n, bool names_only,
		const atomic_bool *cancel, churn_fn *fn, void *user, size_t *done) ATTR_MUST_USE;

/*
 * The same with two processes at once, where the machine has two processors and
 * the pairs are many.  FN is called by this thread alone, in order.
 */
int churn_by_git_pair(const char *folder, const struct churn_pair *trees, size_t n, bool names_only,
		const atomic_bool *cancel, churn_fn *fn, void *user, size_t *done) ATTR_MUST_USE;

/* Copies all but the arena of C into A; OUT's own arena stays as it is. */
void churn_copy(struct churn *out, struct arena *a, const struct churn *c);

/* Counts one pair with libgit2; OUT is yours. */
int churn_by_libgit2(struct churn *out, struct repository *repo, const struct churn_pair *trees,
		const atomic_bool *cancel) ATTR_MUST_USE;

/* False: not there. OUT is yours. */
bool churn_cache_find(struct churn *out, struct churn_cache *cache, const struct churn_pair *pair);
/* Written in batches; churn_cache_flush() writes what is left. */
void churn_cache_keep(
	struct churn_cache *cache, const struct churn_pair *pair, const struct churn *c);
void churn_cache_flush(struct churn_cache *cache);

#endif
