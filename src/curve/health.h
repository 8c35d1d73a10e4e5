/*
 * health - what a reader saw in one file: nothing is lost silently.
 *
 * Every byte of a binary file is in a good record, in skipped_bytes, in
 * tail_bytes, or legal padding.  Counters follow the table of the curve formats.
 */
#ifndef PORTSIDE_CURVE_HEALTH_H
#define PORTSIDE_CURVE_HEALTH_H

#include <stdint.h>

#include "base/buf.h"

struct health {
	int64_t records;	/* good records, rows, objects; recognised lines */
	int64_t points;
	int64_t bad_header;	/* places where a length checksum failed */
	int64_t bad_data;	/* records whose data checksum failed, or cut short inside */
	int64_t malformed;	/* good framing, unreadable content */
	int64_t orphans;	/* pieces of multi-chunk records without the rest */
	int64_t skipped_bytes;
	int64_t tail_bytes;	/* pending after the last good record: no error while live */
	int64_t non_scalar;
	int64_t non_numeric;
	int64_t non_finite;
	/* numbers that no series has: a name too many or too long, or one that stands twice
	 * in its row; files and records too many or too large to be looked into */
	int64_t left_out;
	int64_t first_bad_offset;	/* -1: none */
	double last_wall_s;	/* of the newest point; NaN: no times in the source */
};

#define HEALTH_INIT { .first_bad_offset = -1, .last_wall_s = __builtin_nan("") }

void health_merge(struct health *into, const struct health *h);

/* "ok" or "4102 records | skipped 512 B at 0x3af2 (bad data) | tail 35 B". */
void health_add_line(struct buf *out, const struct health *h);

#endif
