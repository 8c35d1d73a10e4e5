/*
 * demo_runs - the runs of data/demo/runs, made for real, none of them twice.
 *
 * A run that is in the log counts when it lives, or when it ended with the exit
 * status that data/demo/runs tells; so a call after an interruption makes what
 * is missing.  A run that ends otherwise stops the making, and the next call
 * makes it again.
 */
#ifndef PORTSIDE_WORKSPACE_DEMO_RUNS_H
#define PORTSIDE_WORKSPACE_DEMO_RUNS_H

#include "workspace/demo.h"
#include "workspace/workspace.h"

int demo_runs_make(
	const struct demo_options *o, struct workspace *ws, struct arena *a) ATTR_MUST_USE;

#endif
