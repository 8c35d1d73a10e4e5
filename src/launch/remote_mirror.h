/*
 * remote_mirror - a folder of another machine, followed file by file into one of ours.
 *
 * One look is two calls of portside-remote.sh: `list` says what is there, `pull` brings
 * what is new, from the byte on that we have.  Who makes the calls, and how often, is the
 * caller's matter; here answers become files.  A call that breaks off in the middle costs
 * nothing: the bytes that came stay, and the next look goes on behind them.
 *
 *	struct remote_mirror *m;
 *
 *	if (remote_mirror_open(&m, folder) < 0)
 *		return err_prefix("watch: ");
 *	... call `list` ...
 *	if (remote_mirror_take_list(m, run.out.s, run.out.n, &whole) < 0)
 *		...
 *	while ((argv = remote_mirror_wants(m, max_bytes, &arena))) {
 *		... call `pull` with ARGV behind the folder and the number of bytes ...
 *		if (remote_mirror_take_chunks(m, run.out.s, run.out.n) < 0)
 *			...
 *	}
 *	remote_mirror_save(m);
 *
 * The other machine is not trusted.  A name that would leave the folder, has a control
 * in it, or is one of ours, is left out and said so.  Files are made anew or continued,
 * never followed through a link.
 *
 * A file that is another one now (another inode, or shorter than what we have of it) is
 * begun anew, and what we had of it stays as NAME.before-1, -2, ...: nothing that was
 * seen is lost.  One that is no longer there stays as it was.  Not brought are files that
 * are larger than LIMIT_BYTES, and those whose names are of weights of models: each is
 * listed with its reason.
 *
 * What is known of the files there is in mirror.json of the folder.  Without it, or when
 * it does not read, everything is brought again.
 */
#ifndef PORTSIDE_LAUNCH_REMOTE_MIRROR_H
#define PORTSIDE_LAUNCH_REMOTE_MIRROR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"

enum { REMOTE_MIRROR_FILES_MAX = 20000 };

struct remote_file {
	char *name;		/* below the folder, with slashes */
	int64_t size, time_s;	/* there, at the last look; wall clock of that machine */
	int64_t inode;
	int64_t have;		/* bytes of it that are here */
	bool seen;		/* in the last list */
	const char *left_out;	/* why it is not brought; NULL: it is */
};

struct remote_mirror {
	char *folder;
	struct remote_file *files;	/* by name */
	size_t n, cap;
	int64_t limit_bytes;		/* of one file */
	size_t refused;			/* names of the last list that may not be here */
	int64_t brought;		/* bytes since it was opened */
};

/* FOLDER is made.  ERR_IO, ERR_BUSY when another process follows into it. */
int remote_mirror_open(struct remote_mirror **out, const char *folder) ATTR_MUST_USE;
void remote_mirror_free(struct remote_mirror *m);	/* NULL is fine; saves nothing */
/* Durable. */
int remote_mirror_save(const struct remote_mirror *m) ATTR_MUST_USE;

/* The answer of `list`.  *WHOLE: it came to its end, so who is not in it is gone.
 * ERR_PARSE when it is none at all: then nothing is changed. */
int remote_mirror_take_list(
	struct remote_mirror *m, const char *s, size_t n, bool *whole) ATTR_MUST_USE;

/* OFFSET FILE pairs for `pull`, at most MAX_FILES of them, NULL-terminated, in A: files of
 * which something is missing here.  NULL when there is nothing to bring. */
char **remote_mirror_wants(const struct remote_mirror *m, size_t max_files, struct arena *a);

/* The answer of `pull`.  *TOOK counts bytes; an answer that breaks off is no error. */
int remote_mirror_take_chunks(
	struct remote_mirror *m, const char *s, size_t n, int64_t *took) ATTR_MUST_USE;

const struct remote_file *remote_mirror_find(const struct remote_mirror *m, const char *name);

#endif
