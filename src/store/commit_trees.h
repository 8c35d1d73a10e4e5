/*
 * commit_trees - the trees that many commits name, read from packs directly.
 *
 * `git diff-tree --stdin` compares trees fastest, but who knows commits must
 * look each up first, and starting libgit2 for that takes longer than looking.
 * A commit's first line names its tree, so some sixty bytes of the object
 * decide.  Read are whole commits in packs (index version 2) and loose ones;
 * what is stored otherwise (as a delta, in an alternate store) or is damaged is
 * not found here, and the caller asks the repository, which knows all ways.
 *
 * Read with pread, nothing is mapped: a pack that shrinks meanwhile is a miss.
 * A handle belongs to one thread.  A pack that is made later is not seen.
 *
 *	struct commit_trees *trees = commit_trees_open("/repo/.git/objects");
 *
 *	if (!commit_trees_find(tree, trees, commit))
 *		... ask the repository ...
 *	commit_trees_free(trees);
 */
#ifndef PORTSIDE_STORE_COMMIT_TREES_H
#define PORTSIDE_STORE_COMMIT_TREES_H

#include <stdbool.h>

#include "store/repository.h"

struct commit_trees;

/* Never fails: a folder that cannot be read holds nothing. */
struct commit_trees *commit_trees_open(const char *objects_folder);
void commit_trees_free(struct commit_trees *t);		/* NULL is fine */

/* False when COMMIT is not found as described above, or is no commit. */
bool commit_trees_find(char out[OID_HEX + 1], struct commit_trees *t, const char *commit);

#endif
