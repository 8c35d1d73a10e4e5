/*
 * reader_decimal - a decimal number whose length is known, in few instructions.
 *
 * For formats that write lengths in front of numbers.  It takes what nearly all of
 * them are: a sign, up to 16 digits and perhaps a point among them, an exponent of two
 * digits; and likewise 17 digits or more as far as DECIMAL_LONG_MAX bytes.  For these it
 * gives the bits that number_scan() gives; anything else is left to that.
 *
 * Bytes in front of the number are read, DECIMAL_BEFORE of them, and mean nothing.
 */
#ifndef PORTSIDE_CURVE_READER_DECIMAL_H
#define PORTSIDE_CURVE_READER_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "curve/reader_digits.h"
#include "curve/reader_number.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { DECIMAL_BEFORE = 16, DECIMAL_DIGITS = 16, DECIMAL_LONG_MAX = 20 };

#ifdef __SSE2__

/* 10^i that a double holds exactly. */
static const double decimal_powers[] = { 1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10,
	1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };
/* What the digits of a number are divided by, of which N - 1 bytes of sixteen stand in front
 * of the point; with 0 there is none. */
static const double decimal_divisors[] = { 1e0, 1e15, 1e14, 1e13, 1e12, 1e11, 1e10, 1e9, 1e8, 1e7,
	1e6, 1e5, 1e4, 1e3, 1e2, 1e1, 1e0 };
/* Sixteen bytes from N on: the last N of them. */
static const unsigned char decimal_last[2 * DECIMAL_DIGITS] = { [16] = 255, 255, 255, 255, 255,
	255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255 };

enum { DECIMAL_POWER_MAX = sizeof decimal_powers / sizeof *decimal_powers - 1 };
#define DECIMAL_SIXTEEN UINT64_C(10000000000000000)	/* 10^DECIMAL_DIGITS */

static inline __m128i decimal_load(const void *p)
{
	return _mm_loadu_si128(p);
}

/* What the last N of sixteen digits write, 1 <= N <= DECIMAL_DIGITS; false when they are
 * none.  Pairs, fours, then eights are put together in all places at once. */
static inline bool decimal_sum(uint64_t *out, __m128i v, size_t n)
{
	const __m128i ten = _mm_set1_epi16(10), hundred = _mm_set1_epi32(100 | 1 << 16),
		      myriad = _mm_set1_epi32(10000 | 1 << 16), nine = _mm_set1_epi8(9);
	uint64_t both;

	v = _mm_and_si128(_mm_sub_epi8(v, _mm_set1_epi8('0')), decimal_load(decimal_last + n));
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

/* What the N digits at P write, 1 <= N <= DECIMAL_DIGITS; false when they are none. */
static inline bool decimal_digits(uint64_t *out, const char *p, size_t n)
{
	return decimal_sum(out, decimal_load(p + n - DECIMAL_DIGITS), n);
}

/*
 * The sixteen bytes in front of END, of which the last N, at most, are the number's, without
 * the point among those: what stands in front of it comes one place nearer.  *POINT is how
 * many of the bytes are behind the last that is in front of it, 0 without one.
 */
static inline __m128i decimal_without_point(unsigned *point, const char *end, size_t n)
{
	__m128i v = decimal_load(end - DECIMAL_DIGITS), mask;
	unsigned points = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(v, _mm_set1_epi8('.')));
	unsigned own = points & (unsigned)(UINT64_C(0xffffffff0000) >> n);

	/* Of several points the last one goes; the others are no digits. */
	*point = 31 - (unsigned)__builtin_clz(own << 1 | 1);
	mask = decimal_load(decimal_last + DECIMAL_DIGITS - *point);
	return _mm_or_si128(_mm_and_si128(mask, v),
		_mm_andnot_si128(mask, decimal_load(end - DECIMAL_DIGITS - 1)));
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

/* DIGITS * 10^EXPONENT. */
static inline bool decimal_scale(double *out, uint64_t digits, int exponent)
{
	double v = (double)(int64_t)digits;

	if (digits <= UINT64_C(1) << 53 && exponent <= 0 && exponent >= -(int)DECIMAL_POWER_MAX) {
		*out = v / decimal_powers[-exponent];
		return true;
	}
	if (exponent < -(int)NUMBER_EXPONENT_MAX || exponent > (int)NUMBER_EXPONENT_MAX)
		return false;
	*out = number_scale(digits, exponent);
	return true;
}

/* The digits of P[0..N) where there are up to sixteen. */
static ATTR_ALWAYS_INLINE bool decimal_short(
	uint64_t *digits, unsigned *point, const char *p, size_t n)
{
	__m128i v = decimal_without_point(point, p + n, n);

	n -= *point != 0;
	return n - 1 < DECIMAL_DIGITS && decimal_sum(digits, v, n);
}

/*
 * The digits of P[0..N) where there are more than sixteen, and how many stand behind the
 * point: up to three of them are put in front of the last sixteen.
 */
static inline bool decimal_long(uint64_t *digits, size_t *fraction, const char *p, size_t n)
{
	uint64_t first = (uint64_t)(unsigned char)(*p - '0'), digit;
	size_t more = n - DECIMAL_DIGITS - 2;
	unsigned point;
	__m128i v = decimal_without_point(&point, p + n, DECIMAL_DIGITS);

	if (n > DECIMAL_LONG_MAX || first > 9 || !decimal_sum(digits, v, DECIMAL_DIGITS) ||
		(point ? more > 0 : p[1] != '.'))
		return false;
	for (size_t i = 0; i < more; i++) {
		digit = (uint64_t)(unsigned char)(p[2 + i] - '0');
		if (digit > 9)
			return false;
		first = first * 10 + digit;
	}
	*digits += first * DECIMAL_SIXTEEN;
	*fraction = DECIMAL_DIGITS + more - point;
	return true;
}

/* As decimal_read() with an exponent, or with more digits. */
static __attribute__((noinline, unused)) bool decimal_read_other(
	double *out, const char *p, size_t n)
{
	bool negative = *p == '-';
	int exponent = 0;
	size_t fraction;
	uint64_t digits;
	unsigned point;

	p += negative;
	n -= negative;
	if (n > 4 && p[n - 4] == 'e') {
		if (!decimal_exponent(&exponent, p + n))
			return false;
		n -= 4;
	}
	if (n - 1 > DECIMAL_DIGITS) {
		if (!n || !decimal_long(&digits, &fraction, p, n))
			return false;
	} else {
		if (!decimal_short(&digits, &point, p, n))
			return false;
		fraction = point ? DECIMAL_DIGITS - point : 0;
	}
	if (!decimal_scale(out, digits, exponent - (int)fraction))
		return false;
	*out = negative ? -*out : *out;
	return true;
}

/* The whole of P[0..N), N > 0. */
static ATTR_ALWAYS_INLINE bool decimal_read(double *out, const char *p, size_t n)
{
	bool negative = *p == '-';
	size_t left = n - negative;
	uint64_t digits;
	unsigned point;
	double v;

	if (left - 1 > DECIMAL_DIGITS || *(p + n - 4) == 'e' ||
		!decimal_short(&digits, &point, p + negative, left) || digits > UINT64_C(1) << 53)
		return decimal_read_other(out, p, n);
	v = (double)(int64_t)digits / decimal_divisors[point];
	*out = negative ? -v : v;
	return true;
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
