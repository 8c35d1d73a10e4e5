/*
 * tfevents - TensorBoard event files: framing, checksums, resynchronisation.
 *
 *	u64 length | u32 masked CRC-32C of it | data | u32 masked CRC-32C of data
 *
 * All numbers are little-endian.  Every checksum is verified.  After damage the
 * reader looks for the next place where both checksums are good; one flipped
 * bit costs at most one record.  An incomplete record at the end is pending.
 * The content of a record is read by tfevents_event.
 */
#ifndef PORTSIDE_CURVE_TFEVENTS_H
#define PORTSIDE_CURVE_TFEVENTS_H

#include "curve/reader.h"

extern const struct curve_format tfevents_format;

#endif
