/*
 * crc32c - CRC-32C (Castagnoli), as event files and many stores use it.
 *
 * Polynomial 0x1EDC6F41 reflected, initial value and final xor all ones.  The
 * check value of "123456789" is 0xe3069283.  The masked form is that of
 * TFRecord: a checksum that is itself stored among checked data.
 *
 *	crc32c_fn *crc = crc32c_best();
 *	uint32_t c = crc(crc(0, a, n_a), b, n_b);
 */
#ifndef PORTSIDE_CURVE_CRC32C_H
#define PORTSIDE_CURVE_CRC32C_H

#include <stddef.h>
#include <stdint.h>

/* Goes on from CRC, the result for the bytes before (0 at the beginning). */
typedef uint32_t crc32c_fn(uint32_t crc, const void *p, size_t n);

/* The fastest form of this processor; the same results as crc32c_portable(). */
crc32c_fn *crc32c_best(void);
uint32_t crc32c_portable(uint32_t crc, const void *p, size_t n);

uint32_t crc32c_bytes(const void *p, size_t n);

static inline uint32_t crc32c_mask(uint32_t crc)
{
	return (crc >> 15 | crc << 17) + 0xa282ead8u;
}

#endif
