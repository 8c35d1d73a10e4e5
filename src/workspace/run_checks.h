/*
 * run_checks - the fifteen questions of L2, asked of all evidence that the runs of an
 * attempt and of the reference left: the probe's record, reports, logs, tables of
 * devices, lists of packages, and what a person accepted in portside.conf.
 *
 * Runs of one configuration are asked in turn (full before smoke, then the newest); the
 * first that decides a question answers it.  A run is compared with its partner among
 * the reference's.  Sources that contradict each other make an answer unknown, with both
 * sentences.  A target that only simulates another confirms nothing: what would be
 * confirmed there reads "unknown".
 *
 * A file that is on record counts only as it was: its digest is held against the log.
 * One that was changed, or that is gone, is not used and makes what hangs on it unknown;
 * one that is not on record yet is used, says so, and nothing is recorded from it.
 *
 * Where the intended configuration has no run and another one has, its question "config"
 * is refuted: validated on 1 chip, intended 4.
 *
 *	struct run_checks checks;
 *
 *	if (run_checks_read(&checks, ws, &(struct run_checks_request){ .subject = "7" },
 *		    &arena) < 0 ||
 *		run_checks_record(ws, &checks, &recorded, &arena) < 0)
 *		return -1;
 */
#ifndef PORTSIDE_WORKSPACE_RUN_CHECKS_H
#define PORTSIDE_WORKSPACE_RUN_CHECKS_H

#include <stdatomic.h>

#include "domain/object.h"
#include "evidence/check_answer.h"
#include "evidence/probe_check.h"
#include "workspace/workspace.h"

struct run_parsed;

struct run_check {
	const char *check;		/* "grad" */
	enum check_result result;
	const char *why;		/* a sentence */
	const struct check_place *places;
	size_t places_n;
	const struct run_state *run, *reference;	/* whose evidence; NULL: none */
	bool weak; /* says little: recorded only where there is an older answer */
	bool recordable;		/* all it rests on is on record, and the run has ended */
};

struct run_checks_request {
	const char *subject;		/* an attempt, or a run: it alone */
	const char *configuration;	/* NULL: that of the run that says most */
	const struct position *at;	/* NULL: now */
	const atomic_bool *cancel;	/* may be NULL */
	/* What the files of the run that SUBJECT names tell, where the caller has read them:
	 * a log may have gigabytes.  Borrowed; NULL: they are read. */
	const struct run_parsed *parsed;
};

struct run_checks {
	const char *attempt, *configuration;
	const struct run_state *run;		/* the first that was asked; NULL: none */
	const struct run_state *reference;	/* its partner; NULL: none */
	bool recorded;		/* a run that was asked has a record of the probe */
	bool reference_recorded;
	bool simulated;		/* the target only simulates */
	bool target_known;	/* it is in the configuration: what is intended is known */
	int64_t damaged;	/* lines of records that say nothing: cut, malformed, newer */
	const char **notes;	/* files that were not used, and why */
	size_t notes_n;
	struct run_check answers[PROBE_QUESTIONS];
};

/* Texts in A.  ERR_NOT_FOUND, ERR_CANCELLED. */
int run_checks_read(struct run_checks *out, struct workspace *ws,
	const struct run_checks_request *r, struct arena *a) ATTR_MUST_USE;

/* Puts on record what is recordable and not there yet; *RECORDED (may be NULL): how
 * many. */
int run_checks_record(struct workspace *ws, const struct run_checks *checks, size_t *recorded,
	struct arena *a) ATTR_MUST_USE;

/* For a run whose end is on record and whose results are kept: reads and records what
 * it tells of its attempt, and of the intended configuration where nothing ran; for one
 * of the reference, of the newest attempts, which are compared with it. */
int run_checks_finish(struct workspace *ws, const char *run, struct arena *a) ATTR_MUST_USE;

/* Of the rules and all parsers together: a higher one supersedes. */
int64_t run_checks_version(void);

#endif
