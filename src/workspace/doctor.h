/*
 * doctor - what is missing on this machine and in this repository.
 *
 * Looks only; writes nothing and opens nothing for writing, so that it works
 * where the rest does not: outside a repository, on a damaged log, in a bundle.
 *
 *	struct doctor_report r;
 *
 *	doctor_look(&r, ".", &(struct doctor_options){ 0 }, &arena);
 *	for (size_t i = 0; i < r.n; i++)
 *		puts(r.findings[i].item);
 */
#ifndef PORTSIDE_WORKSPACE_DOCTOR_H
#define PORTSIDE_WORKSPACE_DOCTOR_H

#include <stdatomic.h>
#include <stddef.h>

#include "base/mem.h"

enum doctor_state {
	DOCTOR_OK,
	DOCTOR_NOTE,		/* worth knowing */
	DOCTOR_MISSING,		/* something does not work without it */
	DOCTOR_BROKEN,		/* must be put right */
};
extern const char *const doctor_states[];	/* "ok", "note", "MISSING", "BROKEN" */

struct doctor_finding {
	const char *area;	/* "programs", "terminal", "repository", "log" */
	const char *item;	/* "git" */
	enum doctor_state state;
	const char *value;	/* "2.39.5, /usr/bin/git" */
	const char *advice;	/* what to do; "" */
};

struct doctor_report {
	struct doctor_finding *findings;
	size_t n;
	size_t bad;		/* missing or broken */
};

struct doctor_options {
	const atomic_bool *cancel;	/* or NULL */
};

void doctor_look(struct doctor_report *out, const char *directory, const struct doctor_options *o,
	struct arena *a);

#endif
