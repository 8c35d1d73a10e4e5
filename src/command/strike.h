/*
 * strike - taking a record back: `portside strike`.
 *
 * Nothing is removed.  A strike is a record of its own, and what was struck stays
 * visible with who struck it and why.  One strikes what is one's own, or what
 * domain/authority.h allows; a strike itself is never struck.
 *
 *	if ((rc = strike_last_own(&e, ws, &arena)) > 0)
 *		printf("the last record: %s\n", e->kind);
 */
#ifndef PORTSIDE_COMMAND_STRIKE_H
#define PORTSIDE_COMMAND_STRIKE_H

#include "base/event.h"
#include "workspace/workspace.h"

/*
 * The newest event that the actor wrote and may strike, for "take back my last
 * record": 1 and *OUT, 0 when there is none.
 */
int strike_last_own(struct event **out, struct workspace *ws, struct arena *a) ATTR_MUST_USE;

#endif
