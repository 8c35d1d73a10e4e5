/*
 * log_scan - signatures in the log of a run, as a stream.
 *
 * Bytes are fed in pieces of any size; memory stays bounded whatever the log holds, and
 * the findings are the same for every way of cutting it.  More bytes of a log that
 * grows are fed later, and the scan goes on where it ended.
 *
 * How a log is read:
 *
 *  1. Control sequences are taken out (evidence/log_clean.h).
 *  2. Segments end at LF, CR LF or CR; a bar of progress cuts one into parts.
 *  3. The mark of a rank is taken off; segments of one rank are one stream.
 *  4. A pattern sees one part, or a part and the next one of its stream: joined by a
 *     blank, since terminals wrap long messages, when it has neither ^ nor $ and matches
 *     neither of the two alone; joined by LF when it has \R.
 *  5. What only quotes text is passed over: the source line below a `File "x.py", line 1`
 *     of a traceback, lines of a frame, what stands below "Exception ignored in", the
 *     traceback in NumPy's warning about modules of 1.x; of an agent's transcript also
 *     what stands between fences, and what was put into its tools.
 *  6. A segment above LOG_WINDOW is seen in windows of that size that overlap by
 *     LOG_OVERLAP; neighbours are looked for in LOG_CONTEXT bytes.
 *
 * Of a signature each part counts once.  Line numbers are those of the raw file: LF
 * parts lines, the first has number 1.
 *
 *	struct log_scan *s = log_scan_new(catalogue, 0);
 *
 *	while ((n = read(fd, chunk, sizeof chunk)) > 0)
 *		log_scan_feed(s, chunk, n);
 *	f = log_scan_findings(s);	// of all bytes so far; feeding may go on
 *	log_scan_free(s);
 */
#ifndef PORTSIDE_EVIDENCE_LOG_SCAN_H
#define PORTSIDE_EVIDENCE_LOG_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "evidence/log_clean.h"
#include "evidence/signature.h"

enum {
	LOG_WINDOW = 64 * 1024,
	LOG_OVERLAP = 4 * 1024,
	LOG_CONTEXT = 8 * 1024,
	LOG_JOIN = 2 * 1024,		/* bytes of each of two joined parts */
	LOG_HITS_MAX = 2000,		/* more are counted only */
	LOG_HITS_EACH = 50,		/* of one signature, likewise */
	LOG_TEXT_MAX = 400,		/* bytes of a hit's text that are kept */
	LOG_SUBJECTS_MAX = 64,		/* different first groups of one signature */
	LOG_RANKS_MAX = 64,		/* ranks whose memory is followed */
	LOG_WARM_UP = 10,		/* steps */
};

enum { LOG_SCAN_TRANSCRIPT = 1 };	/* the file is an agent's transcript */

/* -1 where a number is not known. */
struct log_hit {
	uint32_t signature;		/* index in the catalogue */
	int64_t line;			/* of its first byte, from 1 */
	uint64_t offset;		/* of that line in the raw file */
	uint64_t place;			/* of its text in the raw file */
	int rank;			/* LOG_NO_RANK: not marked */
	int64_t step;			/* the nearest one above */
	int64_t batch;			/* on its line, else the last that was printed */
	double need;			/* group 1 as a quantity; NaN: none */
	const char *text;		/* the part that matched, cut; not sanitised */
	const char *group;		/* group 1, cut; "" */
};

/* All matches of one signature in few numbers. */
struct log_tally {
	int64_t count;
	int64_t first_line, last_line;	/* 0: none */
	int64_t late;			/* of those whose step is known, beyond the warm-up */
	int64_t with_step;
	int64_t limited;		/* texts on which the pattern reached its limits */
	int64_t last_step;
	/* group 1 and 2 as quantities, NaN when there are none */
	double first_value, previous_value, last_value, largest_value, last_second;
	int64_t rises;			/* of the value, from beyond the warm-up on */
	double rise_from, rise_to;	/* of the last one */
	int64_t rise_line;
	int64_t same_most;		/* how often the commonest group 1 stood */
	const char *same_text;
	int64_t same_line;
	bool beyond;			/* RULE_BEYOND: a listed word was not a harmless one */
	const char *beyond_text;
	int64_t beyond_line;
};

/* Resident memory that one rank printed. */
struct log_memory {
	int rank;
	int64_t n, rises;		/* points, and steps upward */
	double first, last;		/* bytes when HAS_UNIT */
	int64_t first_line, last_line;
	bool has_unit;
};

struct log_findings {
	int64_t lines, bytes;		/* of the raw file; a last line without LF counts */
	const struct log_hit *hits;	/* by line; those of one line by catalogue */
	size_t hits_n;
	int64_t hits_more;		/* counted, not kept */
	const struct log_tally *tallies;	/* one a signature */
	const struct log_memory *memory;
	size_t memory_n;
	int64_t mark_steps;		/* the last value of the counter MarkStep; -1 */
	int64_t last_step;		/* the last step that was looked at; -1 */
	uint64_t last_step_offset;
	int64_t last_exception_line;	/* end of the last traceback that counts; 0 */
	const char *last_exception;	/* its text, cut; "" */
	int root_rank;			/* torchrun's root cause; LOG_NO_RANK */
	int64_t root_line;
};

struct log_scan;

/* Borrows the catalogue. */
struct log_scan *log_scan_new(const struct signature_catalogue *c, unsigned flags);
/* Of another log with the same signatures, at once: borrows from S, which outlives it. */
struct log_scan *log_scan_new_beside(const struct log_scan *s);
void log_scan_free(struct log_scan *s);
void log_scan_feed(struct log_scan *s, const void *bytes, size_t n);

/* What all bytes so far hold, the last line whether or not it is complete.  Borrowed:
 * valid until the next call with S. */
const struct log_findings *log_scan_findings(struct log_scan *s);

/* Reads to the end of FD, which NAME names in errors.  ERR_IO, ERR_CANCELLED when CANCEL
 * (may be NULL) becomes true. */
int log_scan_descriptor(struct log_scan *s, int fd, const char *name, bool (*cancel)(void *),
	void *user) ATTR_MUST_USE;

/* The same for a file; also ERR_NOT_FOUND, and ERR_REFUSED for what is no plain file. */
int log_scan_file(struct log_scan *s, const char *path, bool (*cancel)(void *), void *user)
	ATTR_MUST_USE;

#endif
