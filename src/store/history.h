/*
 * history - references, commits, trailers and ancestry, as plain rows.
 *
 * Messages, names and references are bytes that somebody else wrote: kept as
 * they are here, sanitised where they are shown.  Times are the seconds of the
 * commit as nanoseconds since 1970, UTC.
 *
 *	struct ref_list refs;
 *
 *	if (history_refs(&refs, repo) < 0)
 *		return -1;
 *	if (digest_equal(&refs.digest, &seen))
 *		...nothing moved...
 *	ref_list_release(&refs);
 */
#ifndef PORTSIDE_STORE_HISTORY_H
#define PORTSIDE_STORE_HISTORY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"
#include "base/mem.h"
#include "store/repository.h"

enum ref_kind {
	REF_BRANCH,		/* refs/heads/ */
	REF_REMOTE,		/* refs/remotes/, without REMOTE/HEAD */
	/* refs/pull/N/head, refs/pull-requests/N/from, refs/merge-requests/N/head */
	REF_PULL,
	REF_TAG,		/* refs/tags/, annotated ones peeled */
};

struct ref {
	const char *name;	/* full: refs/heads/attempt/3 */
	const char *shown;	/* as git shortens it: attempt/3, origin/attempt-3, pull/7 */
	enum ref_kind kind;
	char oid[OID_HEX + 1];	/* the commit it leads to */
};

struct ref_list {
	struct arena arena;
	struct ref *rows;	/* ordered by name */
	size_t n;
	size_t broken;		/* references that lead to no commit here; left out */
	char head[OID_HEX + 1];	/* "" when unborn */
	/* SHA-256 over HEAD and every (name, oid): equal means that nothing moved. */
	struct digest digest;
};

/* References of the kinds above.  OUT is yours: ref_list_release(). */
int history_refs(struct ref_list *out, struct repository *repo) ATTR_MUST_USE;
void ref_list_release(struct ref_list *l);

struct trailer {
	const char *key;	/* as written: "Attempt" */
	const char *value;	/* folded lines joined by one blank */
};

struct commit_info {
	char oid[OID_HEX + 1];
	char tree[OID_HEX + 1];
	char (*parents)[OID_HEX + 1];
	size_t n_parents;
	const char *author, *author_email;
	const char *committer, *committer_email;
	int64_t authored_ns, committed_ns;
	const char *subject;	/* the first paragraph on one line */
	const char *message;	/* NUL-terminated; MESSAGE_N bytes */
	size_t message_n;
	const struct trailer *trailers;
	size_t n_trailers;
};

/* The strings live in A.  ERR_NOT_FOUND: no such commit here. */
int history_commit(struct commit_info *out, struct arena *a, struct repository *repo,
	const char *oid) ATTR_MUST_USE;

/*
 * The trailers of a commit message as `git interpret-trailers --parse` finds
 * them: the last paragraph, when it is not the first, all trailers or at least a
 * quarter with one that git writes itself; continuation lines start with a
 * blank.  Pure.  The rows live in A.
 */
const struct trailer *trailers_parse(
	size_t *n, struct arena *a, const char *message, size_t message_n);

/* The last value of KEY (any case), NULL when there is none. */
const char *trailer_find(const struct trailer *trailers, size_t n, const char *key);

/* The best common ancestor.  ERR_NOT_FOUND when there is none. */
int history_merge_base(
	char out[OID_HEX + 1], struct repository *repo, const char *a, const char *b) ATTR_MUST_USE;

/* 1 when ANCESTOR is COMMIT or reachable from it, 0 when not. */
int history_is_ancestor(
	struct repository *repo, const char *ancestor, const char *commit) ATTR_MUST_USE;

/* Commits between BASE (left out, may be "") and TIP along first parents,
 * newest first, at most LIMIT; the rows live in A. */
int history_range(struct commit_info **out, size_t *n, struct arena *a, struct repository *repo,
		const char *base, const char *tip, size_t limit) ATTR_MUST_USE;

#endif
