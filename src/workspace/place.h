/*
 * place - where a migration lies, found without opening its repository.
 *
 * The first frame must not wait for libgit2, so this reads at most three small
 * files: .git (a folder, or a file "gitdir: ..."), commondir, and a bare
 * repository's own files.  Whether the repository is a good one is for
 * store/repository.h to say later.
 *
 *	struct place p;
 *
 *	if (place_find(&p, &arena, ".") < 0)
 *		return -1;
 */
#ifndef PORTSIDE_WORKSPACE_PLACE_H
#define PORTSIDE_WORKSPACE_PLACE_H

#include <stdbool.h>

#include "base/mem.h"

struct place {
	const char *directory;	/* as given, absolute */
	const char *workdir;	/* of this work tree; NULL in a bare repository */
	const char *git_dir;	/* of this work tree */
	const char *common_dir;	/* shared by all work trees */
	const char *main_workdir;	/* whose portside.conf has authority; NULL when bare */
	const char *folder;	/* common_dir/portside */
	const char *conf_path;	/* main_workdir/portside.conf; NULL when bare */
	const char *bundle;	/* a bundle that was opened in place of a repository, or NULL */
};

/* Strings in A.  ERR_NOT_FOUND says what to do. */
int place_find(struct place *out, struct arena *a, const char *directory) ATTR_MUST_USE;

#endif
