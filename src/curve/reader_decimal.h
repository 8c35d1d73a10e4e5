/*
 * reader_decimal - a decimal number whose length is known, in few instructions.
 *
 * For formats that write lengths in front of numbers.  It takes what nearly all of
 * them are: up to 15 digits, perhaps a point and up to 16, an exponent of two
 * digits, together below 2^53 times a power of ten that a double holds.  For these it
 * gives the bits that number_scan() gives; anything else is left to that.
 *
 * Bytes around the number are read, and mean nothing: DECIMAL_BEFORE in front of its
 * first one, and DECIMAL_BEHIND from there on.
 */
#ifndef PORTSIDE_CURVE_READER_DECIMAL_H
#define PORTSIDE_CURVE_READER_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "curve/reader_digits.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { DECIMAL_BEFORE = 16, DECIMAL_BEHIND = 40, DECIMAL_DIGITS = 16 };

#ifdef __SSE2__

/* 10^i that a double holds exactly. */
static const double decimal_powers[] = { 1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10,
	1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };
static const uint64_t decimal_units[DECIMAL_DIGITS + 1] = { 1, 10, 100, 1000, 10000, 100000,
	1000000, 10000000, 100000000, 1000000000, 10000000000, 100000000000, 1000000000000,
	10000000000000, 100000000000000, 1000000000000000, 10000000000000000 };
static const unsigned char decimal_kept[2 * DECIMAL_DIGITS] = { [16] = 255, 255, 255, 255, 255,
	255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255 };

enum { DECIMAL_POWER_MAX = sizeof decimal_powers / sizeof *decimal_powers - 1 };

/* What the N digits at P write, 1 <= N <= DECIMAL_DIGITS; false when they are none.
 * Pairs, fours, then eights are put together in all places at once. */
static inline bool decimal_digits(uint64_t *out, const char *p, size_t n)
{
	const __m128i ten = _mm_set1_epi16(10), hundred = _mm_set1_epi32(100 | 1 << 16),
		      myriad = _mm_set1_epi32(10000 | 1 << 16), nine = _mm_set1_epi8(9);
	__m128i kept = _mm_loadu_si128((const __m128i *)(const void *)(decimal_kept + n));
	__m128i v = _mm_loadu_si128((const __m128i *)(const void *)(p + n - DECIMAL_DIGITS));
	uint64_t both;

	v = _mm_and_si128(_mm_sub_epi8(v, _mm_set1_epi8('0')), kept);
	if (_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_min_epu8(v, nine), v)) != 0xffff)
		return false;
	v = _mm_add_epi16(_mm_mullo_epi16(_mm_and_si128(v, _mm_set1_epi16(0xff)), ten),
		_mm_srli_epi16(v, 8));
	v = _mm_madd_epi16(v, hundred);
	v = _mm_madd_epi16(_mm_packs_epi32(v, v), myriad);
	both = (uint64_t)_mm_cvtsi128_si64(v);
	*out = (both & UINT32_MAX) * 100000000 + (both >> 32);
	return true;
}

/* How many bytes stand in front of the point, N when it is not among the first. */
static inline size_t decimal_point(const char *p, size_t n)
{
	__m128i v = _mm_loadu_si128((const __m128i *)(const void *)p);
	unsigned points = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(v, _mm_set1_epi8('.')));
	size_t at = points ? (size_t)__builtin_ctz(points) : n;

	return at < n ? at : n;
}

/* As decimal_digits() where mostly few stand; bytes behind them are read, too. */
static inline bool decimal_few_digits(uint64_t *out, const char *p, size_t n)
{
	uint64_t eight;

	if (n > 8)
		return decimal_digits(out, p, n);
	eight = load_eight(p);
	*out = digits_of(eight, (unsigned)n);
	return !(other_bytes(eight) & first_bytes((unsigned)n));
}

/* The exponent "e-05" that ends at END. */
static inline bool decimal_exponent(int *exponent, const char *end)
{
	if ((end[-3] != '-' && end[-3] != '+') || !is_decimal_digit(end[-2]) ||
		!is_decimal_digit(end[-1]))
		return false;
	*exponent = (end[-2] - '0') * 10 + (end[-1] - '0');
	*exponent = end[-3] == '-' ? -*exponent : *exponent;
	return true;
}

/* Any of them. */
static inline bool decimal_read_any(double *out, const char *p, size_t n)
{
	bool negative = *p == '-';
	uint64_t digits, fraction_digits;
	size_t whole, fraction;
	int exponent = 0;
	double v;

	p += negative;
	n -= negative;
	if (n > 5 && p[n - 4] == 'e') {
		if (!decimal_exponent(&exponent, p + n))
			return false;
		n -= 4;
	}
	whole = decimal_point(p, n);
	if (whole - 1 >= 15 || !decimal_few_digits(&digits, p, whole))
		return false;
	if (whole != n) {
		fraction = n - whole - 1;
		if (fraction - 1 >= DECIMAL_DIGITS || whole + fraction > 18 ||
			!decimal_digits(&fraction_digits, p + whole + 1, fraction))
			return false;
		digits = digits * decimal_units[fraction] + fraction_digits;
		exponent -= (int)fraction;
	}
	if (digits > UINT64_C(1) << 53 || exponent < -(int)DECIMAL_POWER_MAX ||
		exponent > (int)DECIMAL_POWER_MAX)
		return false;
	v = (double)(int64_t)digits;
	v = exponent <= 0 ? v / decimal_powers[-exponent] : v * decimal_powers[exponent];
	*out = negative ? -v : v;
	return true;
}

/* The whole of P[0..N), N > 0. */
static inline bool decimal_read(double *out, const char *p, size_t n)
{
	uint64_t digits;

	/* Most have one digit before the point, and no exponent. */
	if (p[1] == '.' && n - 3 < DECIMAL_DIGITS && is_decimal_digit(*p) &&
		decimal_digits(&digits, p + 2, n - 2)) {
		digits += (uint64_t)(*p - '0') * decimal_units[n - 2];
		if (digits > UINT64_C(1) << 53)
			return false;
		*out = (double)(int64_t)digits / decimal_powers[n - 2];
		return true;
	}
	return decimal_read_any(out, p, n);
}

#else
static inline bool decimal_read(double *out, const char *p, size_t n)
{
	(void)out;
	(void)p;
	(void)n;
	return false;
}
#endif

#endif
