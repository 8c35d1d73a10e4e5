/*
 * run_doubts - what speaks against starting a run before a chip is paid for: versions
 * that the attempt's files pin and that are known to be bad, and a portside.conf that
 * was changed since it was accepted.
 *
 * A look that fails is a doubt, too.  None is in the way of the run.
 *
 *	const char *doubts = run_doubts(ws, "7", "v5e-4", &arena);
 *
 *	if (*doubts)
 *		warn(doubts);		// a line a doubt: "warning: requirements.txt:2: ..."
 *
 * Lines hold texts of the repository, which are not sanitised.
 */
#ifndef PORTSIDE_COMMAND_RUN_DOUBTS_H
#define PORTSIDE_COMMAND_RUN_DOUBTS_H

#include "base/mem.h"

struct workspace;

/* Lines without the last LF, in A; "": none, or no configuration to look with. */
const char *run_doubts(
	struct workspace *ws, const char *subject, const char *target, struct arena *a);

#endif
