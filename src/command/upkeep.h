/*
 * upkeep - one round of workspace/upkeep.h for a front end: opens its own
 * handle, keeps the migration up to date, and says what to watch from now on.
 *
 *	struct upkeep_request r = { .directory = ".", .parts = UPKEEP_ALL };
 *	struct upkeep_round round;
 *
 *	if (upkeep_run(&round, &r, &arena) < 0)
 *		return -1;
 */
#ifndef PORTSIDE_COMMAND_UPKEEP_H
#define PORTSIDE_COMMAND_UPKEEP_H

#include "command/operation.h"
#include "workspace/upkeep.h"

struct upkeep_request {
	const char *directory;
	bool read_only;
	bool tell_since;	/* what came since the person left */
	struct upkeep_options how;
};

struct upkeep_round {
	struct upkeep_done done;
	struct upkeep_folder *folders;	/* to watch */
	size_t n_folders;
	const char *since;	/* a page of text; "" when nothing happened or nothing was asked */
};

/* Everything in A. */
int upkeep_run(
	struct upkeep_round *out, const struct upkeep_request *r, struct arena *a) ATTR_MUST_USE;

#endif
