/*
 * scan - the constructs that tie a whole tree to CUDA (evidence/static_scan.h).
 *
 * Every file of a revision that is worth a look is scanned once per content:
 * hits are kept by blob and kind of file in cache/, which may be deleted.  A
 * construct that is left is a place to look at, not a failure.
 *
 *	struct tree_scan scan;
 *
 *	if (scan_tree(&scan, ws, tip, &(struct scan_options){ 0 }, &arena) < 0)
 *		return -1;
 *	printf("%zu left\n", scan.cuda);
 */
#ifndef PORTSIDE_WORKSPACE_SCAN_H
#define PORTSIDE_WORKSPACE_SCAN_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "evidence/static_scan.h"
#include "workspace/workspace.h"

struct scan_hit {
	const char *path;		/* bytes as git keeps them, hostile */
	const struct static_construct *construct;
	int32_t line, column;		/* from 1; the column in bytes */
	const char *text;		/* the line, cut; hostile */
};

struct scan_file {
	const char *path;
	size_t first, n;		/* of tree_scan.hits, by line */
	size_t cuda, hints;		/* of them: G and H */
	int64_t more;			/* hits beyond STATIC_HITS_MAX, counted only */
	bool cut;			/* larger than STATIC_FILE_MAX: its beginning was scanned */
	bool limited;			/* a line reached a match limit: hits may be missing */
};

struct tree_scan {
	struct scan_file *files;	/* with hits or a limit that was met; by path */
	size_t n_files;
	struct scan_hit *hits;
	size_t n_hits;
	size_t cuda, hints;		/* sums over the files, with MORE as CUDA's */
	size_t looked_at;		/* files that are worth a look */
	size_t scanned;			/* of them, those whose content was new */
};

struct scan_options {
	const atomic_bool *cancel;	/* or NULL */
	void (*progress)(void *user, int64_t done, int64_t total);	/* or NULL; in files */
	void *user;
};

/* REVISION is a commit or a tree.  Everything in A.  ERR_CANCELLED. */
int scan_tree(struct tree_scan *out, struct workspace *ws, const char *revision,
	const struct scan_options *o, struct arena *a) ATTR_MUST_USE;

/* NULL: nothing there. */
const struct scan_file *scan_find(const struct tree_scan *s, const char *path);
/* The first hit of that line, and in *N how many there are; NULL: none. */
const struct scan_hit *scan_line(
	const struct tree_scan *s, const struct scan_file *f, int32_t line, size_t *n);

#endif
