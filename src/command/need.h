/*
 * need - what waits for a person: open alarms, claims that were refuted, a portside.conf
 * that nobody accepted, a run that lost its supervisor.
 *
 * Each need says what it is in one sentence, and what to open for it.
 *
 *	if (needs_read(&needs, &n, ws, NULL, &arena) < 0)
 *		return -1;
 *	for (size_t i = 0; i < n; i++)
 *		puts(needs[i].text);		// "over-claim #7 at v5e-4"
 */
#ifndef PORTSIDE_COMMAND_NEED_H
#define PORTSIDE_COMMAND_NEED_H

#include "base/event.h"
#include "workspace/workspace.h"

enum need_kind { NEED_ALARM, NEED_OVER_CLAIM, NEED_CONFIG, NEED_ORPHAN, NEED_GONE };

struct need {
	enum need_kind kind;
	const char *text;		/* "over-claim #7 at v5e-4" */
	const char *attempt, *run, *alarm;	/* what to open; "" */
	const char *rule;		/* that raised the alarm; "" */
};

/* What the log and the file say, the most urgent first; orphans are found with the runs
 * that live (live_run.h).  Everything in A. */
int needs_read(struct need **out, size_t *n, struct workspace *ws, const struct position *at,
	struct arena *a) ATTR_MUST_USE;

#endif
