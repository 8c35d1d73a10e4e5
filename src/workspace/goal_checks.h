/*
 * goal_checks - puts on record what the curves of an attempt say of its goals, and of the
 * time and cost that L4 asks for.
 *
 * What was measured is recorded (T, G, M of domain/goal_verdict.h, with the figures as
 * text and the curve files as evidence), never the verdict: the fold derives that from it,
 * from L2 and from sign-offs, and again when any of them changes.  What it cannot derive
 * it is given anew: at the end of a run of the attempt, at the end of one of the
 * reference, which is in every gap, and when a person accepts other goals.  Until then
 * what was held against another goal reads unknown.
 *
 * Each configuration is judged by its own runs.  Where the intended one has none and
 * another one was measured, its goals are unknown: validated on 1 chip, intended 4.
 *
 *	if (goal_checks_finish(ws, run, NULL, &arena) < 0)
 *		return -1;
 */
#ifndef PORTSIDE_WORKSPACE_GOAL_CHECKS_H
#define PORTSIDE_WORKSPACE_GOAL_CHECKS_H

#include <stdatomic.h>

#include "workspace/workspace.h"

/* Of one attempt, on all configurations that it ran on; *RECORDED (may be NULL): how many
 * entries were new.  CANCEL may be NULL: ERR_CANCELLED. */
int goal_checks_record(struct workspace *ws, const char *attempt, const atomic_bool *cancel,
	size_t *recorded, struct arena *a) ATTR_MUST_USE;

/* For a run whose end is on record and whose curves are kept: of its attempt, or of every
 * attempt when it is the reference's. */
int goal_checks_finish(struct workspace *ws, const char *run, const atomic_bool *cancel,
	struct arena *a) ATTR_MUST_USE;

/* Of every attempt: when goals were accepted. */
int goal_checks_record_all(
	struct workspace *ws, const atomic_bool *cancel, struct arena *a) ATTR_MUST_USE;

#endif
