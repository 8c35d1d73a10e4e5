/*
 * check_record - puts what the tool found about the questions of an attempt on record.
 *
 * A finding becomes one check.recorded by tool:portside, about ATTEMPT on CONFIGURATION.
 * It is written once, which is decided inside the write transaction: when the tool's
 * last entry of that check has the same result, text, evidence and goal (and run, where
 * that makes another answer: programs that agree write the same bytes), nothing is.  Two
 * screens that come upon one run therefore record it once, and a second look costs no
 * event.  What a person struck out is not said again either.
 *
 * "Not checked" is never recorded: nobody looked.  Neither is anything over an entry of
 * a newer version of the rules than the finding's own, so that an older portside beside
 * it does not take its answers back.  A stand-in's findings are the caller's to hold
 * back: a target that only simulates confirms nothing.
 *
 *	struct check_finding f = { .check = "grad", .result = CHECK_REFUTED,
 *		.text = "clipped before it was reduced", .evidence = &digest,
 *		.evidence_n = 1, .version = 3 };
 *	size_t recorded;
 *
 *	if (check_record(ws, "7", "v5e-4", &f, 1, &recorded, &arena) < 0)
 *		return -1;
 */
#ifndef PORTSIDE_WORKSPACE_CHECK_RECORD_H
#define PORTSIDE_WORKSPACE_CHECK_RECORD_H

#include "base/check_result.h"
#include "base/hash.h"
#include "domain/object.h"
#include "workspace/workspace.h"

struct check_finding {
	const char *check;		/* "grad", "goal.accuracy": see domain/check.h */
	enum check_result result;
	const char *text;		/* a sentence; NULL: none */
	const struct digest *evidence;	/* files that it rests on, in a fixed order */
	size_t evidence_n;
	/* Where in them, as "probe/probe-0-71.jsonl:12 probe@1": shown, never compared. */
	const char *const *places;
	size_t places_n;
	const char *run;		/* whose evidence it is; NULL: of no one run */
	bool of_run;			/* the same from another run is another answer */
	int64_t version;		/* of the rules and parsers; 0: they have none */
	/* Of a goal: what the fold makes a verdict of; NULL: none. */
	const struct goal_found *goal;
};

/* *RECORDED (may be NULL): how many were new.  0 or a negative error; all or none of
 * the new ones are written.  ERR_REFUSED with a handle that may not write. */
int check_record(struct workspace *ws, const char *attempt, const char *configuration,
	const struct check_finding *findings, size_t n, size_t *recorded,
	struct arena *a) ATTR_MUST_USE;

#endif
