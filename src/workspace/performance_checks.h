/*
 * performance_checks - the three questions of L4 on one configuration: equal work, the
 * same endpoint, and time and cost against what [level "L4"] of portside.conf asks for.
 *
 * Without that section nobody said what is to be reached, and nothing is asked.  What is
 * timed on both sides is what that section names (performance_endpoint.h).  Unequal work or
 * another endpoint makes L4 unknown in the fold, whatever the times are.
 *
 * A claim about speed needs a run with the label "optimized", and the questions of L2
 * answered by runs of that label: what was checked on a bring-up run does not carry over.
 * Where there is a contract it must have been run again as well (contract_again.h).  The
 * figures are in the text all the same.
 */
#ifndef PORTSIDE_WORKSPACE_PERFORMANCE_CHECKS_H
#define PORTSIDE_WORKSPACE_PERFORMANCE_CHECKS_H

#include <stdatomic.h>

#include "workspace/workspace.h"

/* *RECORDED: how many entries were new. */
int performance_checks_record(struct workspace *ws, const char *attempt, const char *configuration,
	const atomic_bool *cancel, size_t *recorded, struct arena *a) ATTR_MUST_USE;

#endif
