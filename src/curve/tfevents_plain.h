/*
 * tfevents_plain - the record that makes up nearly all of an event file.
 *
 * Wall time, step, and a summary of one float under a tag that was seen before:
 * such records stand one behind the other, and their bytes differ only in the
 * numbers.  Both checksums of each are verified.  The first record that is
 * anything else, however little, ends the run and is the general reader's
 * (tfevents_event.h), which finds in these what is found here, to the bit.
 */
#ifndef PORTSIDE_CURVE_TFEVENTS_PLAIN_H
#define PORTSIDE_CURVE_TFEVENTS_PLAIN_H

#include "curve/crc32c.h"
#include "curve/tfevents_event.h"

enum { PLAIN_LENGTHS = 256 };

/* Masked checksums of the lengths that plain records have. */
struct plain_lengths {
	uint32_t checksum[PLAIN_LENGTHS];
};

void plain_lengths_init(struct plain_lengths *lengths, crc32c_fn *crc);

/* Takes plain records from the beginning of P[0..N); returns how many bytes. */
size_t plain_events_take(struct event_reader *r, struct curve_sink *sink,
	const struct plain_lengths *lengths, crc32c_fn *crc, const char *p, size_t n);

#endif
