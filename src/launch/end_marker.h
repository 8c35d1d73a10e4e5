/*
 * end_marker - did the log show the declared end?
 *
 * Exit status 0 alone says little: a run is declared to end with a text
 * (`done`), a number of steps, or an artifact.  The log is read as a stream
 * with constant memory, holes of a sparse file are skipped, and every fact is
 * yes, no or unknown (nothing was declared, or it could not be looked at).
 *
 * A step is a number after the word "step" or "steps" ("step 50/200",
 * "global_step: 50", "'step': 50", "step=50"), or a progress bar "50/200 [" (of
 * the declared number, where there is one).  The steps were done when the
 * largest is the declared number, or one less (counted from 0); fewer is "no"
 * only when the next logged step would still have been one of the run.
 */
#ifndef PORTSIDE_LAUNCH_END_MARKER_H
#define PORTSIDE_LAUNCH_END_MARKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"

enum end_fact { END_UNKNOWN, END_NO, END_YES };

struct end_marker {
	const char *done;	/* "" or NULL: not declared */
	int64_t steps;		/* 0: not declared */
	const char *artifact;	/* "" or NULL: not declared; relative to CWD */
	const char *cwd;
};

struct end_marker_facts {
	enum end_fact done, steps, artifact;
	int64_t done_offset;	/* of the last occurrence, -1 for none */
	bool has_step;
	int64_t last_step;	/* the last one that was seen */
	int64_t max_step;
	int64_t artifact_bytes;	/* -1 when there is none */
	int64_t log_bytes;	/* that were looked at */
};

const char *end_fact_word(enum end_fact f);	/* "yes", "no", "unknown" */

/* ERR_NOT_FOUND, ERR_IO for the log; the artifact's fact is filled anyway. */
int end_marker_scan(struct end_marker_facts *out, const struct end_marker *m,
	const char *log_path) ATTR_MUST_USE;

/* The last step in a piece of a log, by the same rules; DECLARED 0: none.  False
 * when there is none. */
bool end_marker_last_step(int64_t *out, const char *s, size_t n, int64_t declared);

#endif
