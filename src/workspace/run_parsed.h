/*
 * run_parsed - what the files of one run tell: the facts of each, with its digest.
 *
 * Looked at are the run's log, what it left (artifacts/), what was captured beside it
 * (capture/), what the probe wrote there besides its records (probe/) and what somebody
 * brought for it later (evidence/).  A file is a row for each format that is recognised
 * in it, so a log may be several; what is no evidence is no row.
 *
 * The log of a run may have gigabytes, and a parser wants all of it: see
 * evidence/evidence_bytes.h for how that takes no more than 8 MiB of memory.  The digest
 * is of the bytes that were parsed.
 *
 * A file whose digest is not the one on record is not used: it is among LEFT, and says
 * so.  What a run that still lives has written is not on record yet, and is used.
 *
 *	struct run_parsed parsed;
 *
 *	if (run_parsed_read(&parsed, ws, run, &arena) < 0)
 *		return -1;
 *	run_signals(signals, &arena, parsed.sets, parsed.n, &options);
 *	run_parsed_release(&parsed);
 */
#ifndef PORTSIDE_WORKSPACE_RUN_PARSED_H
#define PORTSIDE_WORKSPACE_RUN_PARSED_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "domain/object.h"
#include "evidence/evidence_facts.h"
#include "workspace/workspace.h"

struct run_parsed_file {
	const char *name;		/* "log", "artifacts/env.txt"; not sanitised */
	struct digest digest;		/* of the bytes that were parsed */
	int64_t size_bytes;
	const char *parser;		/* "xla-metrics": its name and version, as in FACTS */
	int version;
	struct evidence_facts *facts;	/* never NULL; with their health; the list owns them */
	bool recorded;			/* its digest is on record for this run */
	const char *who;		/* who brought it; "": the run itself */
};

struct run_parsed_left {
	const char *name;
	struct digest digest;		/* zero where it could not be read */
	bool changed;			/* not what is on record */
	const char *why;		/* a sentence */
};

struct run_parsed {
	struct run_parsed_file *files;	/* of the log, then by folder and name */
	size_t n, cap;
	const struct evidence_facts **sets;	/* the facts of FILES, in their order */
	struct run_parsed_left *left;	/* evidence that was not used, and why */
	size_t left_n, left_cap;
	bool full;			/* there were more files than are looked at */
};

enum { RUN_PARSED_FILES_MAX = 4096, RUN_PARSED_DEPTH_MAX = 8 };

/* A run that is not on this machine has no file.  Texts are in A. */
int run_parsed_read(struct run_parsed *out, struct workspace *ws, const struct run_state *run,
	struct arena *a) ATTR_MUST_USE;
/* The same, until CANCEL (ERR_CANCELLED). */
int run_parsed_read_until(struct run_parsed *out, struct workspace *ws,
	const struct run_state *run, const atomic_bool *cancel, struct arena *a) ATTR_MUST_USE;

struct run_parsed_limits {
	const atomic_bool *cancel;	/* ERR_CANCELLED; NULL: nobody does */
	bool recorded_only;		/* files that are on record alone */
	int64_t bytes;			/* larger files are passed over; 0: none is */
};
int run_parsed_read_within(struct run_parsed *out, struct workspace *ws,
	const struct run_state *run, const struct run_parsed_limits *limits,
	struct arena *a) ATTR_MUST_USE;
void run_parsed_release(struct run_parsed *p);	/* also after an error */

#endif
