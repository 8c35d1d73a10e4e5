/*
 * churn - files touched, lines added and removed between two revisions.
 *
 * The figures are those of `git diff --raw --numstat -M`: they come from the
 * git program itself, one process for any number of pairs and two for many,
 * started with a fixed argument vector, without a shell, a pager, text conversion or an external
 * diff program, and with git's default algorithm and rename limit whatever the
 * user's configuration says, so that two people see one figure.  Where git is
 * missing, libgit2 counts, and `reason` says where it can differ.  Ends are
 * commits or trees; "" is the empty tree.
 *
 * The cache is one append-only file, checksummed record by record, that may be
 * deleted at any time.  A handle belongs to one thread; processes may share it.
 *
 *	struct churn_cache *cache = churn_cache_open(folder);
 *	struct churn_options options = { .cache = cache, .cancel = &stop };
 *
 *	if (churn_many(repo, pairs, n, &options, keep_row, &table) < 0)
 *		...
 *	churn_cache_free(cache);
 */
#ifndef PORTSIDE_STORE_CHURN_H
#define PORTSIDE_STORE_CHURN_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/mem.h"
#include "store/repository.h"

struct churn_file {
	/* A added, M modified, D deleted, R renamed, C copied, T type changed */
	char status;
	const char *path;		/* the new one; the old one when deleted */
	const char *old_path;		/* differs from path for R and C */
	uint32_t old_mode, new_mode;	/* 0 when there is no such side */
	char old_oid[OID_HEX + 1];	/* "" when there is no such side */
	char new_oid[OID_HEX + 1];
	int similarity;			/* percent, for R and C; else -1 */
	/* lines; 0 when binary, -1 when only names were asked for */
	int64_t added, removed;
	bool binary;
	bool submodule;			/* one side is a submodule */
	bool mode_changed;
};

enum churn_origin { CHURN_FROM_GIT, CHURN_FROM_LIBGIT2, CHURN_FROM_CACHE };

struct churn {
	struct arena arena;
	struct churn_file *files;	/* in git's order */
	size_t n;
	int64_t added, removed;		/* sums over text files */
	size_t binaries;
	enum churn_origin origin;
	/* Where the figures may differ from git's, "" when they cannot. */
	const char *reason;
};

#define CHURN_INIT { .arena = ARENA_INIT, .reason = "" }

struct churn_pair {
	char base[OID_HEX + 1];		/* "" is the empty tree */
	char tip[OID_HEX + 1];
};

struct churn_cache;

/* Never fails: a folder that cannot be used gives a cache that keeps nothing. */
struct churn_cache *churn_cache_open(const char *folder);
struct churn_cache *churn_cache_open_read_only(const char *folder);	/* nothing is written */
void churn_cache_free(struct churn_cache *c);
size_t churn_cache_count(const struct churn_cache *c);

struct churn_options {
	struct churn_cache *cache;	/* or NULL */
	const atomic_bool *cancel;	/* or NULL */
	bool without_git;		/* count with libgit2 */
	/* what is not cached is listed without counts, which is faster */
	bool names_only;
	/* what the cache lacks is reported as missing; REPO may be NULL */
	bool cached_only;
	/* With REPO NULL, which costs the start of libgit2: where git runs (a work
	 * tree or git directory) and where its objects are.  Pairs that cannot be
	 * counted so are reported as missing; ask again with REPO. */
	const char *folder, *objects;
};

/* One pair.  OUT is yours: churn_release().  ERR_NOT_FOUND, ERR_CANCELLED. */
int churn_compute(struct churn *out, struct repository *repo, const struct churn_pair *pair,
		const struct churn_options *options) ATTR_MUST_USE;
void churn_release(struct churn *c);

/* Result of pair INDEX, borrowed during the call; not 0 ends with that value. */
typedef int churn_fn(void *user, size_t index, const struct churn *c);

/* All pairs: cached ones first, then the others in order.  A pair whose ends
 * are missing here is reported with C NULL and the thread's sentence set. */
int churn_many(struct repository *repo, const struct churn_pair *pairs, size_t n,
		const struct churn_options *options, churn_fn *fn, void *user) ATTR_MUST_USE;

#endif
