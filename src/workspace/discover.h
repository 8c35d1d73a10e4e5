/*
 * discover - attempts that are in the repository become events.
 *
 * Compares what store/discovery.h finds with what the log knows and records
 * the difference: attempt.observed for a new tip, attempt.gone for a vanished
 * one, and what the tip's trailers say (expected, claimed, causes) once per
 * tip.  Also migration.created, when the log is empty.  Nothing is read when no
 * reference has moved.  Safe with several screens: they do not record twice.
 *
 *	struct discovered d;
 *
 *	if (discover(&d, ws, &options, &arena) < 0)
 *		return -1;
 */
#ifndef PORTSIDE_WORKSPACE_DISCOVER_H
#define PORTSIDE_WORKSPACE_DISCOVER_H

#include <stdatomic.h>
#include <stddef.h>

#include "workspace/workspace.h"

struct discover_options {
	bool all;			/* also when no reference moved */
	const atomic_bool *cancel;	/* or NULL */
};

struct discovered {
	bool unchanged;		/* no reference moved: nothing was looked for */
	size_t attempts;	/* found */
	size_t added, moved, gone;
	size_t claims, expectations, labels;
	const char *original;	/* how the original was decided, a sentence */
	const char *note;	/* what could not be read, "" when nothing */
};

int discover(struct discovered *out, struct workspace *ws, const struct discover_options *o,
	struct arena *a) ATTR_MUST_USE;

#endif
