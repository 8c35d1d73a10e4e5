/*
 * run_silent - the rules about failures without an error text, asked of one run.
 *
 * Gathers what evidence/silent_rule.h wants: the facts of the run's files (run_parsed.h),
 * its probe's records (run_checks.h), its curves beside those of the reference
 * (comparison.h), its packages and settings.  What is not there leaves a rule "not
 * checked".  Nothing is written.
 *
 *	struct run_silent silent;
 *
 *	if (run_silent_read(&silent, ws, run, NULL, NULL, &arena) < 0)
 *		return -1;
 *	for (size_t i = 0; i < SILENT_RULES; i++)
 *		puts(silent.findings[i].text);
 *	run_silent_release(&silent);	// also after an error
 */
#ifndef PORTSIDE_WORKSPACE_RUN_SILENT_H
#define PORTSIDE_WORKSPACE_RUN_SILENT_H

#include <stdatomic.h>

#include "domain/object.h"
#include "evidence/silent_rule.h"
#include "workspace/comparison.h"
#include "workspace/known_versions.h"
#include "workspace/run_checks.h"
#include "workspace/run_parsed.h"

/* Where a fact stands. */
struct silent_place {
	const struct run_parsed_file *file;
	int64_t line;			/* 0: counted over the file */
};

struct run_silent {
	const struct run_state *run, *reference;	/* REFERENCE NULL: compared with none */
	struct silent_finding findings[SILENT_RULES];
	struct silent_place places[SILENT_RULES][SILENT_FACTS_MAX];	/* of their facts */
	/* What they borrow from. */
	struct run_parsed parsed;
	struct run_comparison *comparison;	/* NULL: none could be made */
	struct known_versions versions;
	struct run_files *files;		/* where there is no comparison; NULL */
};

/* ERR_CANCELLED (CANCEL may be NULL).  Texts are in A. */
int run_silent_read(struct run_silent *out, struct workspace *ws, const struct run_state *run,
	const struct position *at, const atomic_bool *cancel, struct arena *a) ATTR_MUST_USE;
void run_silent_release(struct run_silent *s);

/* The times of steps: a series of them, else what lies between the wall times of rows.
 * N 0 where the files tell none.  Numbers and texts are in A. */
struct silent_numbers run_silent_step_times(const struct run_files *files, struct arena *a);

#endif
