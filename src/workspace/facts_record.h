/*
 * facts_record - the facts of a run's files, put on record once.
 *
 * What a parser reads in a file is recorded as facts.parsed of that file, by this tool:
 * once for a digest, a parser and its version, so that another clone, a bundle without
 * the file, or a later portside can still say what stood there.  A newer version of a
 * parser is recorded beside, and supersedes.  Details (every value of every report) are
 * left out; the file has them.  Only a file that is on record is parsed for the record,
 * and none larger than FACTS_FILE_BYTES_MAX: of a larger one facts are read when somebody
 * asks.  Of more than FACTS_RECORDED_MAX facts the first ones are recorded, with one that
 * says how many were left out.
 *
 * A file RUNDIR/facts-read says which parsers have read there, so that a run is looked at
 * again after an update of portside, and not at any other time.
 *
 *	if (facts_record_run(NULL, ws, "ps-aaaaaaaaaaaaa", NULL, &arena) < 0)
 *		return -1;
 */
#ifndef PORTSIDE_WORKSPACE_FACTS_RECORD_H
#define PORTSIDE_WORKSPACE_FACTS_RECORD_H

#include <stdatomic.h>

#include "workspace/workspace.h"

enum { FACTS_RECORDED_MAX = 500, FACTS_FILE_BYTES_MAX = 64 << 20 };

/* *RECORDED (may be NULL) gets how many entries were new.  ERR_CANCELLED. */
int facts_record_run(size_t *recorded, struct workspace *ws, const char *run,
	const atomic_bool *cancel, struct arena *a) ATTR_MUST_USE;

/* The same for a run that these very parsers have not read yet. */
int facts_record_upkeep(struct workspace *ws, const char *run, const atomic_bool *cancel,
	struct arena *a) ATTR_MUST_USE;

#endif
