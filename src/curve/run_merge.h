/*
 * run_merge - the points of the files of a run, put into its series.
 *
 * Which file holds a name: the format of higher rank, else the first that had
 * it.  Checkpoints of one training are a chain: what a later one repeats is
 * taken once, what differs is a branch.
 */
#ifndef PORTSIDE_CURVE_RUN_MERGE_H
#define PORTSIDE_CURVE_RUN_MERGE_H

#include "curve/run_files.h"

struct run_owners;

struct run_owners *run_owners_new(void);
void run_owners_free(struct run_owners *o);

/* Takes what file I has read since the last call. */
void run_merge_file(struct run_files *r, size_t i);
/* All documents anew; called when one of them has changed. */
void run_merge_documents(struct run_files *r);
/* Marks files whose wall times overlap those of an earlier file of their group. */
void run_merge_concurrent(struct run_files *r);

#endif
