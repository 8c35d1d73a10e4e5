/*
 * evidence_lines - a file as lines that parsers can compare, with their numbers.
 *
 * What a terminal would not show is taken out: escape sequences, the CR of CRLF; a NUL
 * is a blank.
 * A progress bar rewrites its line with CR, so each part between two of them is a
 * line of its own with the same number.  The mark of a rank in front ("[rank2]: ")
 * is taken off.  A last line without an end is not given: whoever wrote it may have
 * had more to say, and half a number is another number.
 *
 *	struct evidence_lines lines;
 *	struct span line;
 *
 *	evidence_lines_begin(&lines, bytes, n);
 *	while (evidence_lines_next(&lines, &line))
 *		if (span_starts(line, "Metric: "))
 *			...
 *	evidence_lines_end(&lines);
 */
#ifndef PORTSIDE_EVIDENCE_EVIDENCE_LINES_H
#define PORTSIDE_EVIDENCE_EVIDENCE_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

/* Bytes of somebody else's memory; not ended by NUL. */
struct span {
	const char *s;
	size_t n;
};

#define SPAN(literal) ((struct span){ (literal), sizeof(literal) - 1 })
#define SPAN_NONE ((struct span){ "", 0 })

struct span span_of(const char *s);		/* NULL: empty */
bool span_equal(struct span a, const char *s);
bool span_starts(struct span a, const char *prefix);
bool span_ends(struct span a, const char *suffix);
struct span span_trim(struct span a);		/* blanks and tabs at both ends */
struct span span_from(struct span a, size_t at);	/* empty beyond the end */
/* Takes PREFIX off the front; false leaves it alone. */
bool span_take(struct span *a, const char *prefix);
/* Behind the first WORD; false where it does not occur. */
bool span_behind(struct span *out, struct span a, const char *word);
/* Up to the first of SET, and REST behind it; without one all, and REST is empty. */
struct span span_until(struct span a, const char *set, struct span *rest);
/* All of it: an integer, or a number as logs write them. */
bool span_integer(struct span a, int64_t *out);
bool span_number(struct span a, double *out);

enum { EVIDENCE_LINE_MAX = 64 * 1024 };		/* a longer line is cut there */

struct evidence_lines {
	const char *at, *end;
	int64_t number;		/* of the line that was given last, from 1 */
	int64_t long_lines;	/* that were cut */
	bool unended;		/* the bytes end inside a line */
	bool inside;		/* between two parts of a line */
	struct buf clean;
};

void evidence_lines_begin(struct evidence_lines *l, const char *bytes, size_t n);
/* LINE is borrowed: until the next call. */
bool evidence_lines_next(struct evidence_lines *l, struct span *line);
void evidence_lines_end(struct evidence_lines *l);

#endif
