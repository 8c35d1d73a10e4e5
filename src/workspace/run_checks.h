/*
 * run_checks - the questions of L2, asked of the records that probes left beside the
 * runs of an attempt and of the reference.
 *
 * Runs without a record of the probe are passed over, as long as one has a record:
 * the run of the attempt that says most is asked (full before smoke, the intended
 * configuration first, then the newest), against its partner among the reference's.
 * A target that only simulates another confirms nothing: what would be confirmed
 * there reads "unknown".  Nothing is written.
 *
 *	struct run_checks checks;
 *
 *	if (run_checks_read(&checks, ws, "7", NULL, NULL, &arena) < 0)
 *		return -1;
 *	for (size_t i = 0; i < PROBE_QUESTIONS; i++)
 *		puts(checks.answers[i].why);
 */
#ifndef PORTSIDE_WORKSPACE_RUN_CHECKS_H
#define PORTSIDE_WORKSPACE_RUN_CHECKS_H

#include "domain/object.h"
#include "evidence/probe_check.h"
#include "workspace/workspace.h"

struct run_checks {
	const struct run_state *run;		/* NULL: the attempt has no run */
	const struct run_state *reference;	/* NULL: none has a record */
	bool recorded;		/* RUN has a record of the probe */
	bool simulated;		/* its target only simulates */
	bool target_known;	/* it is in the configuration: what is intended is known */
	int64_t damaged;	/* lines of its record that say nothing: cut, malformed, newer */
	struct probe_answer answers[PROBE_QUESTIONS];
};

/* SUBJECT is an attempt or a run, CONFIGURATION (NULL: any) a target.  Texts in A. */
int run_checks_read(struct run_checks *out, struct workspace *ws, const char *subject,
	const char *configuration, const struct position *at, struct arena *a) ATTR_MUST_USE;

#endif
