/*
 * run_probe - the probe that a run carries: where its code lies, and what it wrote.
 *
 * The probe is a package of Python (data/probe) that a run picks up through
 * PYTHONPATH.  A run gets it from a copy below cache/, named by its content: Python
 * writes compiled files beside what it imports, which have no place among the
 * installed ones, and an update of portside does not change the probe of a run that
 * is on its way.  Its records lie in RUNDIR/probe.
 */
#ifndef PORTSIDE_WORKSPACE_RUN_PROBE_H
#define PORTSIDE_WORKSPACE_RUN_PROBE_H

#include "workspace/workspace.h"

/* The folder for PYTHONPATH in *OUT, in A, copied there where it is missing.
 * ERR_NOT_FOUND where this portside was installed without the probe. */
int run_probe_place(const char **out, struct workspace *ws, struct arena *a) ATTR_MUST_USE;

/* Records what the probe of RUN wrote as evidence of kind "probe", once. */
int run_probe_keep(struct workspace *ws, const char *run, const char *rundir,
	struct arena *a) ATTR_MUST_USE;

#endif
