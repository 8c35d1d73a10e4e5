/*
 * repository - one opened git repository behind plain structs.
 *
 * libgit2's types stay inside src/store/repository_internal.h.  A handle
 * belongs to one thread; open one per worker job.  Object names are
 * 40 lower-case hexadecimal digits in a char[OID_HEX + 1]; "" means none.
 *
 * What cannot be opened is refused with a sentence of its own that says what
 * the repository is and what to do: no repository, SHA-256 objects, a partial
 * clone, reftable or another unknown extension, an owner that is not trusted,
 * no permission, a damaged object store, a HEAD that cannot be read.  A bare,
 * shallow or empty repository opens; repository_limits() says what is missing.
 *
 *	struct repository *repo;
 *
 *	if (repository_open(&repo, ".") < 0)
 *		return -1;
 *	printf("%s\n", repository_common_dir(repo));
 *	repository_free(repo);
 */
#ifndef PORTSIDE_STORE_REPOSITORY_H
#define PORTSIDE_STORE_REPOSITORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/mem.h"

enum { OID_HEX = 40, OID_SHORT = 7 };

/* The tree without files, which git knows in every repository. */
#define OID_EMPTY_TREE "4b825dc642cb6eb9a060e54bf8d69288fbee4904"

struct repository;

/*
 * Starts libgit2 with its process-wide options, once, from whatever thread comes
 * first.  All that uses libgit2 calls it: it loads the machine's certificates,
 * which a start without a need for git must not wait for.
 */
int repository_library_init(void) ATTR_MUST_USE;

/*
 * Finds the repository of PATH (a folder in a work tree, a linked work tree, a
 * git directory) upward and opens it.  OUT is yours: repository_free().
 * ERR_NOT_FOUND when there is none, ERR_REFUSED for an owner that is not
 * trusted, ERR_IO for a permission, ERR_DAMAGED for a damaged one, ERR_NEWER
 * for a format that is not supported.
 */
int repository_open(struct repository **out, const char *path) ATTR_MUST_USE;
void repository_free(struct repository *repo);		/* NULL is fine */

/* Absolute, without a final slash.  Borrowed from REPO. */
/* shared by all work trees */
const char *repository_common_dir(const struct repository *repo);
const char *repository_git_dir(const struct repository *repo);		/* of this work tree */
const char *repository_workdir(const struct repository *repo);		/* NULL when bare */
/* The main work tree, also from a linked one; NULL when bare.  Only its
 * portside.conf has authority. */
const char *repository_main_workdir(const struct repository *repo);

bool repository_is_bare(const struct repository *repo);
bool repository_is_shallow(const struct repository *repo);

/* One sentence for each limit that is in force ("" when none), joined by a
 * blank: bare, shallow, no commit yet.  Borrowed from REPO. */
const char *repository_limits(const struct repository *repo);

enum head_state { HEAD_BRANCH, HEAD_DETACHED, HEAD_UNBORN };

struct head {
	enum head_state state;
	const char *branch;		/* "main"; "" when detached */
	char oid[OID_HEX + 1];		/* "" when unborn */
	const char *text;		/* "main at 1a2b3c4", for a status line */
};

/* The strings live in A. */
int repository_describe_head(
	struct head *out, struct arena *a, struct repository *repo) ATTR_MUST_USE;

/* True for 40 lower-case hexadecimal digits. */
bool oid_is_valid(const char *oid);

/*
 * The object that SPEC names in git's own syntax (HEAD~2, a tag, an unambiguous
 * prefix, main@{1}), peeled to a commit.  Attempt numbers are resolved by the
 * workspace before it comes here.  ERR_NOT_FOUND, ERR_PARSE (ambiguous or no
 * revision).
 */
int revision_resolve(
	char out[OID_HEX + 1], struct repository *repo, const char *spec) ATTR_MUST_USE;

#endif
