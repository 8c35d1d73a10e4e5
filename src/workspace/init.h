/*
 * init - proposes portside.conf from what the repository holds.
 *
 * Looks at the work tree (README, requirements, training scripts and their
 * arguments, logs of earlier runs, data folders, batch scripts) and at the
 * references.  Every fact has the place where it was found; what nothing tells
 * is written as a line to fill in, and the comment above it says so.  The
 * proposal is always a valid file.  Nothing is executed.
 *
 *	struct init_proposal p;
 *
 *	if (init_propose(&p, ws, NULL, &arena) < 0)
 *		return -1;
 *	fputs(p.text, stdout);
 */
#ifndef PORTSIDE_WORKSPACE_INIT_H
#define PORTSIDE_WORKSPACE_INIT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "workspace/workspace.h"

struct init_fact {
	const char *what;	/* "original", "training script", "metric" */
	const char *value;	/* "" when nothing tells it */
	const char *where;	/* "tag original", "train.py:12"; "nothing found" */
};

struct init_proposal {
	struct init_fact *facts;
	size_t n;
	const char *text;	/* the file */
	size_t open;		/* facts that nothing tells */
};

int init_propose(struct init_proposal *out, struct workspace *ws, const atomic_bool *cancel,
	struct arena *a) ATTR_MUST_USE;

/* Writes TEXT as the main work tree's portside.conf; *PATH is WS's.  ERR_EXISTS
 * when there is one: it is people's and never overwritten. */
int init_write(const char **path, struct workspace *ws, const char *text) ATTR_MUST_USE;

#endif
