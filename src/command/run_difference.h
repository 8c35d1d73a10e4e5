/*
 * run_difference - what two runs were started with, beside each other; equal keys hidden.
 *
 * Of each run, where it is on record: what the log says (attempt, kind, target, seed,
 * chips), command, revision and uncommitted changes, recorded environment, packages of
 * the interpreter, host and devices, the facts of portside-facts.json, and the
 * configuration that W&B, MLflow and others keep beside their curves.  A section that was
 * not recorded for one of the two is told as that and is no difference of its keys.
 *
 *	struct run_inputs a, b;
 *	struct run_difference d;
 *
 *	if (run_inputs_read(&a, ws, "ps-aaaa", NULL, NULL, &arena) < 0 || ...)
 *		return -1;
 *	run_difference_make(&d, &a, &b, false, &arena);
 *	for (size_t i = 0; i < d.n; i++)
 *		put(d.rows[i].section, d.rows[i].name, d.rows[i].a, d.rows[i].b);
 */
#ifndef PORTSIDE_COMMAND_RUN_DIFFERENCE_H
#define PORTSIDE_COMMAND_RUN_DIFFERENCE_H

#include <stdatomic.h>

#include "domain/object.h"

struct position;
struct workspace;

enum run_section {
	RUN_SECTION_RUN, RUN_SECTION_CODE, RUN_SECTION_COMMAND, RUN_SECTION_ENVIRONMENT,
	RUN_SECTION_PACKAGES, RUN_SECTION_MACHINE, RUN_SECTION_FACTS, RUN_SECTION_CONFIG,
	RUN_SECTIONS,
};
const char *run_section_name(enum run_section s);	/* "environment" */

struct run_input { enum run_section section; const char *name, *value; };

/* By section, then name; texts of strangers. */
struct run_inputs {
	const struct run_state *state;
	struct run_input *list;
	size_t n, cap;
	bool recorded[RUN_SECTIONS];	/* the section was looked at, also when it is empty */
};

struct run_difference_row {
	enum run_section section;
	const char *name;		/* "" for a section that one of them lacks */
	const char *a, *b;		/* NULL: it has no such key */
	bool is_equal;
};

struct run_difference {
	struct run_difference_row *rows;
	size_t n;
	size_t n_equal;			/* keys with equal values, shown or not */
};

/* In A. */
int run_inputs_read(struct run_inputs *out, struct workspace *ws, const char *run,
	const struct position *at, const atomic_bool *cancel, struct arena *a) ATTR_MUST_USE;

/* Pure.  WITH_EQUAL: equal keys are rows too. */
void run_difference_make(struct run_difference *out, const struct run_inputs *a,
	const struct run_inputs *b, bool with_equal, struct arena *arena);

#endif
