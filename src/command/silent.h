/*
 * silent - what a run does wrong without saying so, for front ends.
 *
 * One call asks every rule of evidence/silent_rule.h of one run and gives a row each:
 * result, one sentence with the figures, where it stands, how often a healthy run is
 * refuted by it, and the cheapest check that tells.  Rows that were refuted come first,
 * then those that are unknown, then the rest in the order of the table.  Nothing is
 * recorded by it, and "not checked" is no all-clear.
 *
 *	struct silent_report r;
 *
 *	if (silent_report_read(&r, ws, NULL, "7", NULL) < 0)
 *		...
 *	for (size_t i = 0; i < r.n; i++)
 *		draw(r.rows[i].rule->id, r.rows[i].text);
 *	silent_report_release(&r);	// also after an error
 */
#ifndef PORTSIDE_COMMAND_SILENT_H
#define PORTSIDE_COMMAND_SILENT_H

#include <stdatomic.h>

#include "base/check_result.h"
#include "base/event.h"
#include "domain/object.h"
#include "evidence/silent_rule.h"

struct workspace;

struct silent_row {
	const struct silent_rule *rule;
	enum check_result result;
	const char *text;	/* not sanitised */
	const char *places;	/* "capture/pip-freeze.txt:12"; ""; not sanitised */
	const char *rate;	/* "at most 1 of 100 healthy runs" */
	const char *next;	/* the cheapest check, where the result leaves something open; "" */
};

struct silent_report {
	struct arena arena;
	const struct run_state *run;
	const struct run_state *reference;	/* NULL: compared with none */
	const char *reference_name;		/* "reference gpu full seed 1"; "" */
	struct silent_row rows[SILENT_RULES];
	size_t n;
	size_t refuted, unknown, confirmed, not_checked, not_applicable;
};

/* SUBJECT is a run, or an attempt, whose latest run that has ended is taken (else its
 * latest).  ERR_NOT_FOUND, ERR_CANCELLED. */
int silent_report_read(struct silent_report *out, struct workspace *ws, const struct position *at,
	const char *subject, const atomic_bool *cancel) ATTR_MUST_USE;
void silent_report_release(struct silent_report *r);

/* "2 silent findings, 3 unknown, 4 looked at and not there, 12 not checked". */
void silent_report_add_summary(struct buf *out, const struct silent_report *r);

#endif
