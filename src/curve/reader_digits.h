/*
 * reader_digits - runs of decimal digits, eight at a time.
 *
 * For loops that meet one with every number.  Nothing is read at or behind END.
 */
#ifndef PORTSIDE_CURVE_READER_DIGITS_H
#define PORTSIDE_CURVE_READER_DIGITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* For a loop over every number: a call costs as much as the work. */
#define ATTR_ALWAYS_INLINE inline __attribute__((always_inline))

enum { DIGITS_OF_INT64 = 18 };	/* so many always fit */

static inline bool is_decimal_digit(char c)
{
	return (unsigned char)(c - '0') < 10;
}

/* Eight bytes, the first as the lowest. */
static inline uint64_t load_eight(const char *p)
{
	uint64_t eight;

	memcpy(&eight, p, sizeof eight);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	eight = __builtin_bswap64(eight);
#endif
	return eight;
}

/* The top bit of each byte that is no digit, exact up to the first of them. */
static inline uint64_t other_bytes(uint64_t eight)
{
	uint64_t v = eight ^ UINT64_C(0x3030303030303030);

	return ((v + UINT64_C(0x7676767676767676)) | v) & UINT64_C(0x8080808080808080);
}

/* The first N bytes of eight, 1 <= N <= 8. */
static inline uint64_t first_bytes(unsigned n)
{
	return UINT64_MAX >> (64 - 8 * n);
}

/* How many of the eight bytes are digits, from the first on. */
static inline unsigned count_digits(uint64_t eight)
{
	uint64_t others = other_bytes(eight);

	return others ? (unsigned)__builtin_ctzll(others) / 8 : 8;
}

/* What eight bytes from 0 to 9 mean, the first as the highest: pairs, then fours, then all. */
static ATTR_ALWAYS_INLINE uint64_t digits_at_top(uint64_t v)
{
	v = v * 10 + (v >> 8);
	return ((v & UINT64_C(0x000000ff000000ff)) * UINT64_C(0x000f424000000064) +
		(v >> 16 & UINT64_C(0x000000ff000000ff)) * UINT64_C(0x0000271000000001)) >> 32;
}

/* What the first N of eight bytes write, 1 <= N <= 8. */
static inline uint64_t digits_of(uint64_t eight, unsigned n)
{
	return digits_at_top((eight ^ UINT64_C(0x3030303030303030)) << (64 - 8 * n));
}

static const uint64_t digit_powers[] = { 1, 10, 100, 1000, 10000, 100000, 1000000, 10000000,
	100000000 };

/* The digits at P behind those of *DIGITS; the caller sees too many by their count. */
static inline const char *take_digits(uint64_t *digits, const char *p, const char *end)
{
	uint64_t eight, v = *digits;
	unsigned n;

	while (end - p >= 8) {
		eight = load_eight(p);
		n = count_digits(eight);
		if (n == 8) {
			v = v * 100000000 + digits_of(eight, 8);
			p += 8;
			continue;
		}
		if (n)
			v = v * digit_powers[n] + digits_of(eight, n);
		*digits = v;
		return p + n;
	}
	for (; p < end && is_decimal_digit(*p); p++)
		v = v * 10 + (uint64_t)(*p - '0');
	*digits = v;
	return p;
}

/* Behind the digits at P, NULL without one or with more than fit. */
static inline const char *take_whole(int64_t *out, const char *p, const char *end)
{
	uint64_t v = 0;
	const char *behind;

	/* Most have one or two. */
	if (end - p > 2 && !is_decimal_digit(p[2])) {
		if (!is_decimal_digit(*p))
			return NULL;
		if (!is_decimal_digit(p[1])) {
			*out = *p - '0';
			return p + 1;
		}
		*out = (*p - '0') * 10 + (p[1] - '0');
		return p + 2;
	}
	behind = take_digits(&v, p, end);
	if ((size_t)(behind - p) - 1 >= DIGITS_OF_INT64)
		return NULL;
	*out = (int64_t)v;
	return behind;
}

#endif
