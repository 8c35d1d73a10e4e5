/*
 * report_section - what the sections of a report share; private to report.
 */
#ifndef PORTSIDE_COMMAND_REPORT_SECTION_H
#define PORTSIDE_COMMAND_REPORT_SECTION_H

#include "command/attempt.h"
#include "command/operation.h"
#include "workspace/accepted.h"

struct report_page {
	struct call *call;
	struct buf *out;
	struct arena *a;
	struct workspace *ws;
	const struct position *at;
	const char *where;		/* the page goes: name of its file; NULL: it is shown */
	struct accepted accepted;
	struct attempt_rows attempts;
	/* highest measured on the intended configuration, the last of equals */
	const struct attempt_state *best;
};

/* Levels, what nobody checked, and the curves: report_proof.c. */
int report_levels(struct report_page *p) ATTR_MUST_USE;
int report_curves(struct report_page *p) ATTR_MUST_USE;

/* What people did and decided, and what it cost: report_people.c. */
int report_people(struct report_page *p) ATTR_MUST_USE;
int report_costs(struct report_page *p) ATTR_MUST_USE;

#endif
