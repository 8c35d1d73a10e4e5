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

/*
 * As by the best of x86 processors, for loops that are compiled for them: CRC
 * gives this form when it is the best one.
 */
#if defined __x86_64__
#define CRC32C_INLINE __attribute__((target("sse4.2")))
CRC32C_INLINE static inline uint32_t crc32c_inline(uint32_t crc, const void *data, size_t n)
{
	const unsigned char *p = data;
	uint64_t c = ~crc, eight;
	uint32_t four;
	uint16_t two;

	for (; n >= 8; n -= 8, p += 8) {
		__builtin_memcpy(&eight, p, sizeof eight);
		c = __builtin_ia32_crc32di(c, eight);
	}
	if (n & 4) {
		__builtin_memcpy(&four, p, sizeof four);
		c = __builtin_ia32_crc32si((uint32_t)c, four);
		p += 4;
	}
	if (n & 2) {
		__builtin_memcpy(&two, p, sizeof two);
		c = __builtin_ia32_crc32hi((uint32_t)c, two);
		p += 2;
	}
	if (n & 1)
		c = __builtin_ia32_crc32qi((uint32_t)c, *p);
	return ~(uint32_t)c;
}
#endif

static inline uint32_t crc32c_mask(uint32_t crc)
{
	return (crc >> 15 | crc << 17) + 0xa282ead8u;
}

#endif
