/*
 * changes - what each attempt changed, against the previous one and the original.
 *
 * Figures are git's (store/churn.h) and are kept in cache/, which may be
 * deleted.  An attempt without a commit has none.
 */
#ifndef PORTSIDE_WORKSPACE_CHANGES_H
#define PORTSIDE_WORKSPACE_CHANGES_H

#include <stdatomic.h>
#include <stdint.h>

#include "domain/object.h"
#include "store/churn.h"
#include "workspace/workspace.h"

struct change_totals {
	bool known;		/* false: no commit, or its ends are not here */
	size_t files;
	int64_t added, removed;
	size_t binaries;
	const char *reason;	/* why unknown, or where figures may differ from git's; "" */
};

struct attempt_changes {
	struct change_totals previous, original;
};

enum {
	CHANGES_CACHED_ONLY = 1,	/* what is not in the cache stays unknown */
	CHANGES_PREVIOUS_ONLY = 2,	/* against the original stays unknown */
};

/* One entry per attempt of ATTEMPTS in *OUT (in A).  ORIGINAL is a commit or "". */
int changes_of(struct attempt_changes **out, struct workspace *ws,
	struct attempt_state *const *attempts, size_t n, const char *original, int flags,
	const atomic_bool *cancel, struct arena *a) ATTR_MUST_USE;

/*
 * A revision as people write it: "7", "7-prev" (what the attempt started from),
 * "original", else git's syntax.  ERR_NOT_FOUND, ERR_PARSE.
 */
int changes_resolve(char out[OID_HEX + 1], struct workspace *ws, const char *text,
	struct arena *a) ATTR_MUST_USE;

/* The cache that changes_of() uses, for one more pair; yours: churn_cache_free(). */
struct churn_cache *changes_cache(struct workspace *ws, struct arena *a);

/* The commit of the original in force; "" when unknown. */
const char *changes_original(struct workspace *ws, struct arena *a);

#endif
