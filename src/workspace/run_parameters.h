/*
 * run_parameters - how many parameters the model of an attempt has, as the probe saw them.
 *
 * Of the newest run of an attempt whose record counts (its files are as the log has them)
 * and tells of a forward pass: the largest model that a process called.  Where tensors
 * have several types the smallest is taken, so that what follows is a lower bound.
 *
 *	struct run_parameters p;
 *
 *	if (run_parameters_read(&p, ws, attempt->id, NULL, &arena) < 0)
 *		return -1;
 *	if (p.run)
 *		printf("%lld parameters, run %s\n", (long long)p.parameters, p.run);
 */
#ifndef PORTSIDE_WORKSPACE_RUN_PARAMETERS_H
#define PORTSIDE_WORKSPACE_RUN_PARAMETERS_H

#include "workspace/workspace.h"

struct run_parameters {
	const char *run;	/* NULL: no record tells */
	const char *model;	/* name of its class */
	const char *type;	/* "float32"; "" when none is known */
	int64_t parameters;	/* values, 1 or more */
	int64_t parameter_bytes; /* of one of them, 1 or more */
};

/* SUBJECT: the id of an attempt.  Texts in A.  AT NULL: now. */
int run_parameters_read(struct run_parameters *out, struct workspace *ws, const char *subject,
	const struct position *at, struct arena *a) ATTR_MUST_USE;

#endif
