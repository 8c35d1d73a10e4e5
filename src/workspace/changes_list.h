/*
 * changes_list - what every attempt changed, as one list for all of them.
 *
 * The same figures as workspace/changes.h, for ten thousand attempts at once.
 * Two derived files under cache/ make that cheap, each right for one state of
 * the log (store/keyed_file.h) and made anew for any other: "attempts" holds
 * the commits of every attempt, so that the views need not be read, and
 * "churn-previous" or "churn-both" holds the figures, so that neither the views
 * nor the repository need be.  Figures are kept when all of them are known.
 *
 *	struct changes_list list;
 *
 *	if (changes_list_read(&list, ws, NULL, 0, &stop, &arena) < 0)
 *		return -1;
 *	for (size_t i = 0; i < list.n; i++)
 *		use(list.rows[i].id, &list.rows[i].changes.previous);
 */
#ifndef PORTSIDE_WORKSPACE_CHANGES_LIST_H
#define PORTSIDE_WORKSPACE_CHANGES_LIST_H

#include "store/log.h"
#include "workspace/changes.h"

enum { CHANGES_NONE = 4 };		/* beside those of changes_of(): no figures at all */

struct changes_row {
	const char *id;			/* of the attempt */
	bool environment_only;
	struct attempt_changes changes;
};

struct changes_list {
	struct changes_row *rows;	/* by line, then number; without the reference */
	size_t n;
};

/* As of AT, NULL for now.  Everything in A. */
int changes_list_read(struct changes_list *out, struct workspace *ws, const struct position *at,
	int flags, const atomic_bool *cancel, struct arena *a) ATTR_MUST_USE;

#endif
