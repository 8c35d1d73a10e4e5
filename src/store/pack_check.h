/*
 * pack_check - what a pack from somebody else would unpack to, before anything
 * unpacks it.
 *
 * A few kilobytes can stand for gigabytes, which the library would put together
 * in memory.  Each object's size is read from its heading, or for a difference
 * from the difference itself, and compared with what really comes out.
 *
 *	if (pack_check(pack.s, pack.n, &(struct pack_limits){ .object_bytes = 1 << 26, .total_bytes = 1 << 30 }) < 0)
 *		return -1;
 *
 * Format: Documentation/gitformat-pack.txt of git.  Names and checksums are
 * checked by whoever indexes the pack.
 */
#ifndef PORTSIDE_STORE_PACK_CHECK_H
#define PORTSIDE_STORE_PACK_CHECK_H

#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"

struct pack_limits {
	int64_t object_bytes;	/* of one object, unpacked */
	int64_t total_bytes;	/* of all */
};

/* ERR_DAMAGED for what is no pack, is cut, or is beyond the limits. */
int pack_check(const void *pack, size_t n, const struct pack_limits *limits) ATTR_MUST_USE;

#endif
