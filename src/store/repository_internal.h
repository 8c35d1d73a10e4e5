/*
 * repository_internal - libgit2 behind repository.h, for the files of
 * src/store/ that read the object store.  Nobody else includes it.
 */
#ifndef PORTSIDE_STORE_REPOSITORY_INTERNAL_H
#define PORTSIDE_STORE_REPOSITORY_INTERNAL_H

#include <git2.h>

#include "base/err.h"
#include "store/repository.h"

struct repository {
	git_repository *git;
	struct arena arena;
	char *common_dir, *git_dir, *workdir, *main_workdir;
	char *limits;
	bool bare, shallow, promised;	/* promised: some packs come from a partial clone */
};

/* What libgit2 said last, "no reason given" when nothing. */
const char *git_words(void);

/* Where git programs run: the work tree, so that its attributes count, else the
 * git directory.  Borrowed. */
const char *repository_folder(const struct repository *repo);

/*
 * Turns the result RC of reading WHAT ("commit 1a2b3c4") into an error with its
 * sentence: missing here (and whether the clone is shallow or partial),
 * damaged, or libgit2's own words.
 */
int repository_read_error(const struct repository *repo, int rc, const char *what);

/* OID of HEX; false when it is none. */
bool oid_parse(git_oid *out, const char *hex);
void oid_hex(char out[OID_HEX + 1], const git_oid *oid);

/* The tree of a commit or tree named HEX; "" is the empty tree, *OUT NULL.
 * OUT is yours: git_tree_free(). */
int repository_tree(git_tree **out, struct repository *repo, const char *hex) ATTR_MUST_USE;

#endif
