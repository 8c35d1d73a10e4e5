/*
 * run_results - what a run leaves behind: curve files and its artifact, copied
 * out of the checkout before that goes; and where a run's curves are found.
 *
 * Keeping goes in this order: copy, sync, record, remove.  A crash between two
 * steps loses nothing and is finished by the next call.  RUN is a run's id; paths
 * are in the caller's arena.
 */
#ifndef PORTSIDE_WORKSPACE_RUN_RESULTS_H
#define PORTSIDE_WORKSPACE_RUN_RESULTS_H

#include "curve/run_files.h"
#include "launch/run_spec.h"
#include "workspace/workspace.h"

/* Copies results into RUNDIR/artifacts, records their evidence once, and removes
 * a checkout that portside made. */
int run_results_keep(struct workspace *ws, const char *run, const struct run_spec *spec,
	struct arena *a) ATTR_MUST_USE;

/* For a run whose end is on record: finishes what a crash left undone. */
int run_results_finish(struct workspace *ws, const char *run, struct arena *a) ATTR_MUST_USE;

/*
 * Paths that hold the curves of RUN: its artifacts, or its working folder while
 * it lives; its log; and files that were imported for it.  In A; *LIVE tells
 * whether they may still grow.
 */
int run_results_paths(char ***out, size_t *n, bool *live, struct workspace *ws, const char *run,
	struct arena *a) ATTR_MUST_USE;

/* The patterns in force, in A.  A configuration that cannot be read has none. */
void run_results_patterns(struct curve_options *o, struct workspace *ws, struct arena *a);

/* All of them as one set of series.  OUT is yours: run_files_free(). */
int run_results_open(struct run_files **out, struct workspace *ws, const char *run,
	struct arena *a) ATTR_MUST_USE;

#endif
