/*
 * error_text - does a log show an error of its own, whatever its exit status?
 *
 * Looks for the few texts that refute L0 by themselves: a Python traceback, an
 * out-of-memory report, a crash.  What such a failure means is for triage; this
 * only keeps "exited 0" from hiding one.  Streams in constant memory; holes of a
 * sparse file cost nothing.
 */
#ifndef PORTSIDE_WORKSPACE_ERROR_TEXT_H
#define PORTSIDE_WORKSPACE_ERROR_TEXT_H

#include <stddef.h>
#include <stdint.h>

#include "domain/vocabulary.h"

/* SEEN_YES with *LINE (may be NULL) the number of the first such line, from 1;
 * SEEN_NO; SEEN_UNKNOWN when the log cannot be read. */
enum seen error_text_find(const char *log_path, int64_t *line);

/* The first such text in S[0..N); NULL when there is none. */
const char *error_text_in(const char *s, size_t n);

#endif
