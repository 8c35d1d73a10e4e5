/*
 * run_evidence - a file that belongs to a run, as evidence: digest, size, name.
 */
#ifndef PORTSIDE_WORKSPACE_RUN_EVIDENCE_H
#define PORTSIDE_WORKSPACE_RUN_EVIDENCE_H

#include "base/hash.h"
#include "workspace/workspace.h"

/*
 * Records evidence.added for the file at PATH, named NAME, of KIND ("log",
 * "curve"), about RUN; once per (file, run).  A missing file records nothing.
 */
int run_evidence_add(struct workspace *ws, const char *path, const char *name, const char *kind,
	const char *run, struct arena *a) ATTR_MUST_USE;

/* The same for a file that somebody brings: by whoever is at work. */
int run_evidence_bring(struct workspace *ws, const char *path, const char *name, const char *kind,
	const char *run, struct arena *a) ATTR_MUST_USE;

/*
 * Who brought the file of that digest to RUN, in A: a person or an agent; "" when it
 * was kept by the run itself.  A file that was in the run AND brought reads as the run's.
 */
int run_evidence_bringer(const char **who, struct workspace *ws, const struct digest *digest,
	const char *run, struct arena *a) ATTR_MUST_USE;

#endif
