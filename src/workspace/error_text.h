/*
 * error_text - does a log show an error of its own, whatever its exit status?
 *
 * Looks for the few texts that refute L0 by themselves: a Python traceback, an
 * out-of-memory report, a crash.  What such a failure means is for triage; this
 * only keeps "exited 0" from hiding one.  Streams; constant memory.
 */
#ifndef PORTSIDE_WORKSPACE_ERROR_TEXT_H
#define PORTSIDE_WORKSPACE_ERROR_TEXT_H

#include <stdint.h>

#include "domain/vocabulary.h"

/* SEEN_YES with *LINE (may be NULL) the number of the first such line, from 1;
 * SEEN_NO; SEEN_UNKNOWN when the log cannot be read. */
enum seen error_text_find(const char *log_path, int64_t *line);

#endif
