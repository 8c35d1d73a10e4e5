/*
 * reader_lines - complete lines of a growing text file.
 *
 * A line ends at LF; one CR before it and a byte order mark at the beginning of
 * the file are left out.  A line over LINE_BYTES_MAX is counted as malformed
 * once and skipped; the last line without LF is pending.
 */
#ifndef PORTSIDE_CURVE_READER_LINES_H
#define PORTSIDE_CURVE_READER_LINES_H

#include "curve/reader.h"

enum { LINE_BYTES_MAX = 1024 * 1024 };

struct line_reader {
	bool at_returns;	/* cut a long line behind its last CR: progress bars */
	bool skipping;		/* inside a line that is too long */
	const char *next, *end;	/* what the source gave and was not used yet; NULL: ask it */
	int64_t next_offset;
};

struct line {
	const char *p;		/* borrowed until the next call */
	size_t n;
	int64_t offset;
	bool whole;		/* false: cut at a CR, the line goes on */
	const char *limit;	/* bytes behind the line, up to here, can be read */
};

/* Called before the first line of each call of a reader: the source may have moved.
 * Until the last one nobody else asks the source for bytes. */
void lines_begin(struct line_reader *r);

/*
 * Between two calls of lines_next() a reader may take whole lines itself: the
 * bytes at *P, up to *END; then lines_took() with where the next line begins.
 */
static inline bool lines_at_hand(
	const struct line_reader *r, int64_t offset, const char **p, const char **end)
{
	*p = r->next;
	*end = r->end;
	return r->next && !r->skipping && offset == r->next_offset;
}

static inline void lines_took(struct line_reader *r, const char *behind, int64_t *offset)
{
	*offset += behind - r->next;
	r->next = behind;
	r->next_offset = *offset;
}

/* Behind the LF or CR LF at P. */
static inline const char *line_behind(const char *p)
{
	return p + (*p == '\r') + 1;
}

/* Moves *OFFSET behind the line; false when no complete line is left. */
bool lines_next(struct line_reader *r, struct curve_sink *sink, struct curve_source *src,
	int64_t *offset, struct line *out);

#endif
