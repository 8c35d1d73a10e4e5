/*
 * repository_program - runs the git program with a fixed argument vector.
 *
 * No shell; an environment without GIT_* of the caller (a hook sets GIT_DIR);
 * no optional locks, prompts, hooks, file-system monitor, lazy fetches,
 * networks or replacements; messages in English.  The filters (clean, smudge,
 * process) that the repository's own configuration declares are not run either:
 * content stays as it was committed.  Those of the user's own configuration are.
 * Only for reading objects and for work trees: what the user's keys are needed for is
 * another matter.
 *
 *	const char *argv[] = { "cat-file", "blob", oid, NULL };
 *	struct git_program run = { .folder = dir, .argv = argv, .output = keep, .user = &b };
 *
 *	if (git_program_run(&run) < 0)
 *		return -1;
 */
#ifndef PORTSIDE_STORE_REPOSITORY_PROGRAM_H
#define PORTSIDE_STORE_REPOSITORY_PROGRAM_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/mem.h"

/* Bytes of standard output as they come; not 0 ends the program and is what
 * git_program_run() returns. */
typedef int git_output_fn(void *user, const char *bytes, size_t n);

struct git_program {
	const char *folder;		/* where it runs: a git directory or a work tree */
	const char *const *argv;	/* after "git", NULL ends */
	const void *input;		/* for standard input, or NULL */
	size_t input_n;
	git_output_fn *output;		/* NULL: thrown away */
	void *user;
	const atomic_bool *cancel;	/* or NULL */
	bool touches_files;		/* of a work tree: writes or compares them */
	/* Set by git_program_run(). */
	int status;			/* exit status, 128 + signal, -1 not started */
	char words[400];		/* the first of what it said on standard error */
};

/*
 * 0 when it exited with 0.  ERR_NOT_FOUND when there is no git program, ERR_GIT
 * with its words when it failed, ERR_CANCELLED, ERR_IO.
 */
int git_program_run(struct git_program *run) ATTR_MUST_USE;

/* Names of the filters that the repository's own configuration declares, and that
 * are not run here: "lfs, nbstrip", or "".  In A. */
int git_program_filters(char **out, const char *folder, struct arena *a) ATTR_MUST_USE;

#endif
