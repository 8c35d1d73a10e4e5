/*
 * run_facts - what is known about a run's inputs, for "comparable?".
 *
 * From the run's own record (seed, device) and from what its files state: the
 * head of a trainer_state.json (steps, batch), series that are facts (number of
 * evaluated examples).  What nobody logged stays unknown.
 */
#ifndef PORTSIDE_WORKSPACE_RUN_FACTS_H
#define PORTSIDE_WORKSPACE_RUN_FACTS_H

#include "curve/comparable.h"
#include "curve/run_files.h"
#include "domain/object.h"

/* Texts of OUT live in A. */
void run_facts_gather(struct run_facts *out, const struct run_state *run, const struct run_files *files, struct arena *a);

#endif
