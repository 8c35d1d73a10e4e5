/*
 * position - stepping through time and attempts, for front ends.
 */
#ifndef PORTSIDE_COMMAND_POSITION_H
#define PORTSIDE_COMMAND_POSITION_H

#include <stdbool.h>

#include "base/event.h"
#include "base/mem.h"

struct workspace;

/* The event before (-1) or after (1) AT (NULL: now): 1 and *OUT, 0 at the ends. */
int position_step(struct position *out, struct workspace *ws, const struct position *at,
	int direction) ATTR_MUST_USE;

/* "event 141 of 200, 27 Oct 16:21" in A. */
const char *position_text(struct workspace *ws, const struct position *at, struct arena *a);

/* The attempt before or after ID in the order of lists, as of AT; NULL at the
 * ends, the first or last when ID is "". */
const char *position_attempt(struct workspace *ws, const struct position *at, const char *id,
	int direction, struct arena *a);

#endif
