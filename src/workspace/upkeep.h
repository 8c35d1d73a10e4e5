/*
 * upkeep - what keeps a migration up to date behind a screen: projections,
 * the spool, attempts in the repository, runs, churn, stop rules, verifying.
 *
 * Each part works on its own: what one cannot do becomes a note, and the others
 * go on.  A handle that may not write only reads (projections in memory,
 * verifying).  Nothing here is needed before a first frame.
 *
 *	struct upkeep_options o = { .parts = UPKEEP_ALL, .cancel = cancel };
 *	struct upkeep_done done;
 *
 *	if (upkeep(&done, ws, &o, &arena) < 0)
 *		return -1;
 *	puts(done.news);
 */
#ifndef PORTSIDE_WORKSPACE_UPKEEP_H
#define PORTSIDE_WORKSPACE_UPKEEP_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "workspace/workspace.h"

enum {
	UPKEEP_SPOOL = 1,	/* what hooks and agents left */
	UPKEEP_REPOSITORY = 2,	/* attempts: new, moved, gone */
	UPKEEP_RUNS = 4,	/* what run directories say */
	UPKEEP_CHANGES = 8,	/* churn that is not in the cache */
	UPKEEP_RULES = 16,	/* alarms, also from curves */
	UPKEEP_VERIFY = 32,	/* events that were not verified yet */
	UPKEEP_ALL = 63,
};

struct upkeep_options {
	int parts;		/* 0: projections, and how many events there are */
	/* or NULL; WHAT is static */
	void (*progress)(void *user, const char *what, int64_t done, int64_t total);
	void *user;
	const atomic_bool *cancel;	/* or NULL */
};

struct upkeep_done {
	int64_t events;		/* in the log afterwards */
	int64_t live;		/* runs that live, as far as the log knows */
	size_t attempts, ended, raised, claims, taken;	/* new ones */
	bool views_built;	/* projections were behind or stale */
	int64_t conf_stamp;	/* differs when portside.conf was written; 0 without one */
	int64_t defects;	/* found by verifying */
	const char *news;	/* "2 attempts, 1 run ended"; "" when nothing happened */
	const char *note;	/* the last thing that went wrong, "" when nothing did */
};

/* ERR_CANCELLED; an error else only when projections cannot be read. */
int upkeep(struct upkeep_done *out, struct workspace *ws, const struct upkeep_options *o,
	struct arena *a) ATTR_MUST_USE;

/* A folder whose changes ask for these parts. */
struct upkeep_folder { const char *path; int parts; };

/* Folders to watch: references, run directories of runs that live, the spool,
 * the log's own, the main work tree for portside.conf.  Only those that exist.
 * Opens no repository.  In A. */
enum { UPKEEP_FOLDERS_MAX = 400 };
void upkeep_folders(struct upkeep_folder **out, size_t *n, struct workspace *ws, struct arena *a);

#endif
