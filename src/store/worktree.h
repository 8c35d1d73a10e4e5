/*
 * worktree - clean checkouts for runs, and what the user's checkout has changed.
 *
 * The git program does the work, with a fixed argument vector, no shell, no
 * hooks and no file-system monitor of the repository's own configuration.  Only
 * folders that the caller names are written; the user's branches, index and
 * files stay as they are.
 */
#ifndef PORTSIDE_STORE_WORKTREE_H
#define PORTSIDE_STORE_WORKTREE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/hash.h"
#include "base/mem.h"
#include "store/repository.h"

/*
 * Checks COMMIT out, detached, into FOLDER, which must not exist yet (its
 * parent must).  ERR_EXISTS, ERR_NOT_FOUND for a commit that is not here,
 * ERR_GIT with git's own words.  A half-made folder is removed again.
 */
int worktree_add(struct repository *repo, const char *folder, const char *commit) ATTR_MUST_USE;

/* Removes a checkout that worktree_add() made, and git's record of it.  Refuses
 * a folder that is no linked work tree of REPO.  Missing is fine. */
int worktree_remove(struct repository *repo, const char *folder) ATTR_MUST_USE;

/*
 * Makes NAME (a path inside the main work tree: data folders that a run needs)
 * a symbolic link in FOLDER.  ERR_REFUSED when NAME leaves the work tree, also
 * through a link on its way, ERR_NOT_FOUND, ERR_EXISTS when the checkout has
 * such a file.
 */
int worktree_link(struct repository *repo, const char *folder, const char *name) ATTR_MUST_USE;

struct untracked_file {
	const char *path;		/* relative to the work tree */
	int64_t size_bytes;
	bool hashed;			/* false: over the limit, or not readable */
	struct digest digest;
};

struct worktree_state {
	struct arena arena;
	char head[OID_HEX + 1];		/* "" when there is no commit */
	bool dirty;			/* tracked changes or untracked files */
	struct buf patch;		/* git diff HEAD --binary; at most the limit */
	bool patch_cut;
	int64_t patch_bytes;		/* all of it */
	struct digest patch_digest;	/* of all of it */
	struct untracked_file *untracked;
	size_t n_untracked;
	bool untracked_cut;		/* more than WORKTREE_UNTRACKED_MAX */
};

enum { WORKTREE_UNTRACKED_MAX = 10000 };

/*
 * How the work tree of REPO differs from HEAD.  PATCH_LIMIT bounds the bytes
 * kept, HASH_LIMIT the size of an untracked file that is hashed.  OUT is yours:
 * worktree_state_release().  ERR_STATE in a bare repository.
 */
int worktree_inspect(struct worktree_state *out, struct repository *repo, int64_t patch_limit,
		int64_t hash_limit) ATTR_MUST_USE;
void worktree_state_release(struct worktree_state *s);

#endif
