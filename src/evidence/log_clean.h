/*
 * log_clean - what a log holds besides its text, and how it is told from the text.
 *
 * Pure functions over bytes; evidence/log_scan.h puts them together.  A log is made of
 * segments: what stands between ends of lines and carriage returns (progress bars write
 * these).  In front of a segment may stand a mark of the rank that wrote it; a progress
 * bar cuts it into parts, so that text beside a bar is kept and nothing is joined
 * across it.  Bytes that are no UTF-8 and NUL bytes are left alone: patterns are matched
 * over bytes.
 *
 * Every function looks at no more than the N bytes S; lengths and places are bytes.
 */
#ifndef PORTSIDE_EVIDENCE_LOG_CLEAN_H
#define PORTSIDE_EVIDENCE_LOG_CLEAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

enum {
	LOG_NO_RANK = -1,
	LOG_PARTS_MAX = 8,		/* of a segment; what follows the last bar of more is one */
	LOG_ESCAPE_MAX = 512,		/* a longer one is none, so that no log hides its text */
};

/*
 * Control sequences: CSI, OSC up to the end of its line, and escapes of two bytes.
 * The length of the one that begins at S, where an ESC stands; 0 when it is none, and
 * N + 1 when more bytes must be seen, which is never asked for with LAST.
 */
size_t log_escape(const char *s, size_t n, bool last);

/* "[rank2]: ", "[xla:2] ", "[2]: ", "[default2]:", "(rank 2) ", "[1,2]<stderr>:", or date,
 * time, address and "[2] " of a pod: the length of all marks, 0 when there is none. */
size_t log_rank_mark(const char *s, size_t n, int *rank);

/* A line of a frame of box characters, as rich draws it around a traceback. */
bool log_is_boxed(const char *s, size_t n);

/* `  File "x.py", line 12`: the next line of the stream only quotes code. */
bool log_is_file_line(const char *s, size_t n);

struct log_part { size_t from, to; };

/*
 * The parts of a segment without its bars, at most LOG_PARTS_MAX, blanks beside bars
 * taken off; parts of nothing but blanks are left out when there was a bar.  A segment
 * without a bar is one part.
 */
size_t log_parts(struct log_part out[LOG_PARTS_MAX], const char *s, size_t n);

/* The last number of a step: "step 10", "'global_step': 10", "iter 10", "10/100 [" of a
 * bar.  *AT is where the number begins. */
bool log_step(const char *s, size_t n, int64_t *step, size_t *at);

/* "rss 12.5 GiB", "host_rss_gib 14.2", "anon_rss=3GB": in *VALUE bytes, or, with
 * *HAS_UNIT false, whatever it counts.  No "rss" stands before FROM. */
bool log_rss(const char *s, size_t n, size_t from, double *value, bool *has_unit);

/* "[batch=32]", "batch_size: 32", "per_device_train_batch_size=16"; not one for
 * evaluation. */
bool log_batch_size(const char *s, size_t n, int64_t *batch);

/* "38", "12.1", "27.90G" (powers of 1024), "2m12.85s" (seconds); NaN for anything else. */
double log_quantity(const char *s, size_t n);

#endif
