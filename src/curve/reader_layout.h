/*
 * reader_layout - numbers that have as many digits as one of the rows before.
 *
 * A trainer prints its numbers with a fixed format, so that nearly always a
 * number has its point and its end where the last one had them.  A layout says
 * where; the digits are then taken without looking for either, and the place of
 * what follows is known before they are read.  A number of another layout is
 * refused, and the general way (reader_number) reads it and tells its layout.
 *
 * What is taken is what the general way finds, to the bit: that a number ends
 * where the layout says is checked.  LAYOUT_ROOM bytes must be readable.
 *
 *	if (layout_take(&layout, p, &digits, &exponent)) {
 *		value = layout_value(&layout, digits, exponent);
 *		p += layout.length;
 *	}
 */
#ifndef PORTSIDE_CURVE_READER_LAYOUT_H
#define PORTSIDE_CURVE_READER_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "curve/reader_digits.h"
#include "curve/reader_number.h"

enum {
	LAYOUT_ROOM = 48,
	LAYOUT_SIDE_MAX = 16,
	LAYOUT_DIGITS_MAX = 19,
	LAYOUT_EXPONENT_BYTES = sizeof "e-05" - 1
};

enum layout_form {
	LAYOUT_NONE,	/* unknown, or a number of another form: nothing is taken */
	LAYOUT_WHOLE,	/* up to 8 digits */
	LAYOUT_SHORT,	/* digits, a point and digits in 8 bytes */
	LAYOUT_ONE,	/* a digit, a point and up to 16 digits */
	LAYOUT_POWER,	/* a digit, maybe a point and up to 8 digits, e, a sign, two digits */
	LAYOUT_LONG,	/* up to 16 digits, maybe a point and up to 16 more */
};

/* Up to 8 digits at a known place. */
struct digit_run {
	uint64_t others;	/* the top bit of each byte that must be a digit */
	unsigned shift;		/* brings the last digit to the top */
};

struct number_layout {
	uint8_t form;
	uint8_t start;		/* 1: behind a minus sign */
	uint8_t whole, fraction;	/* digits before and behind the point */
	uint8_t length;		/* bytes, with sign, point and exponent */
	uint8_t stops;		/* what must not follow: LAYOUT_STOPS_... */
	struct digit_run first;	/* of LAYOUT_WHOLE, LAYOUT_SHORT: all; of the others: behind the
				   point */
	struct digit_run second;	/* of LAYOUT_ONE: from the ninth digit behind it on */
	uint64_t before, behind;	/* of LAYOUT_SHORT: bytes on both sides of the point */
	double divisor;		/* 10^fraction, negative for negative numbers */
};

/* Bytes that would go on with digits alone, and with any number. */
enum { LAYOUT_STOPS_DIGITS = 1, LAYOUT_STOPS_NUMBER = 3 };

extern const unsigned char layout_goes_on[256];

/* The layout of P[0..N), which was read by the general way: a number, or with
 * LAYOUT_STOPS_DIGITS digits alone. */
struct number_layout layout_of(const char *p, size_t n, unsigned stops);

static ATTR_ALWAYS_INLINE uint64_t digits_of_run(const struct digit_run *run, uint64_t eight)
{
	return digits_at_top((eight ^ UINT64_C(0x3030303030303030)) << run->shift);
}

static ATTR_ALWAYS_INLINE bool is_run(const struct digit_run *run, uint64_t eight)
{
	return !(other_bytes(eight) & run->others);
}

/* Bytes of a LAYOUT_SHORT without the point. */
static ATTR_ALWAYS_INLINE uint64_t layout_without_point(
	const struct number_layout *l, const char *p)
{
	uint64_t eight = load_eight(p);

	return (eight & l->before) | (eight >> 8 & l->behind);
}

/* What the digits of a LAYOUT_ONE mean, unchecked, with more than 8 behind the point. */
static ATTR_ALWAYS_INLINE uint64_t layout_digits_of_one(
	const struct number_layout *l, const char *p)
{
	uint64_t whole = (uint64_t)(unsigned char)(*p - '0');

	return (whole * 100000000 + digits_of_run(&l->first, load_eight(p + 2))) *
			digit_powers[l->fraction - 8] +
		digits_of_run(&l->second, load_eight(p + 10));
}

/* What the digits at P mean, unchecked; not of LAYOUT_LONG and LAYOUT_POWER. */
static ATTR_ALWAYS_INLINE uint64_t layout_digits(const struct number_layout *l, const char *p)
{
	uint64_t whole;

	if (l->form == LAYOUT_SHORT)
		return digits_of_run(&l->first, layout_without_point(l, p));
	if (l->form == LAYOUT_WHOLE)
		return digits_of_run(&l->first, load_eight(p));
	whole = (uint64_t)(unsigned char)(*p - '0');
	if (l->fraction <= 8)
		return whole * digit_powers[l->fraction] +
			digits_of_run(&l->first, load_eight(p + 2));
	return layout_digits_of_one(l, p);
}

static ATTR_ALWAYS_INLINE bool layout_has_digits(const struct number_layout *l, const char *p)
{
	if (l->form == LAYOUT_SHORT)
		return is_run(&l->first, layout_without_point(l, p)) && p[l->whole] == '.';
	if (l->form == LAYOUT_WHOLE)
		return is_run(&l->first, load_eight(p));
	return is_decimal_digit(*p) && p[1] == '.' && is_run(&l->first, load_eight(p + 2)) &&
		(l->fraction <= 8 || is_run(&l->second, load_eight(p + 10)));
}

/* The exponent at P behind its "e". */
static ATTR_ALWAYS_INLINE int layout_exponent(const char *p)
{
	int e = (p[1] - '0') * 10 + (p[2] - '0');

	return *p == '-' ? -e : e;
}

static ATTR_ALWAYS_INLINE bool layout_has_power(const struct number_layout *l, const char *p)
{
	const char *e = p + l->length - l->start - LAYOUT_EXPONENT_BYTES;

	return is_decimal_digit(*p) && (!l->fraction || p[1] == '.') &&
		is_run(&l->first, load_eight(p + 2)) && (*e | 32) == 'e' &&
		(e[1] == '-' || e[1] == '+') && is_decimal_digit(e[2]) && is_decimal_digit(e[3]);
}

static ATTR_ALWAYS_INLINE void layout_take_power(
	const struct number_layout *l, const char *p, uint64_t *digits, int *exponent)
{
	*digits = (uint64_t)(unsigned char)(*p - '0') * digit_powers[l->fraction] +
		(l->fraction ? digits_of_run(&l->first, load_eight(p + 2)) : 0);
	*exponent = layout_exponent(p + l->length - l->start - (LAYOUT_EXPONENT_BYTES - 1));
}

/* LAYOUT_LONG. */
bool layout_take_long(const struct number_layout *l, const char *p, uint64_t *digits);

/* The digits of the number at P without its point, and the exponent behind them. */
static ATTR_ALWAYS_INLINE bool layout_take(
	const struct number_layout *l, const char *p, uint64_t *digits, int *exponent)
{
	const char *first = p + l->start;

	*exponent = 0;
	if (l->form == LAYOUT_NONE)
		return false;
	if (l->form == LAYOUT_LONG) {
		if (!layout_take_long(l, first, digits))
			return false;
	} else if (l->form == LAYOUT_POWER) {
		if (!layout_has_power(l, first))
			return false;
		layout_take_power(l, first, digits, exponent);
	} else {
		if (!layout_has_digits(l, first))
			return false;
		*digits = layout_digits(l, first);
	}
	return !(layout_goes_on[(unsigned char)p[l->length]] & l->stops) &&
		(!l->start || *p == '-');
}

/* As layout_take() where each byte is known to be what it must be. */
static ATTR_ALWAYS_INLINE bool layout_take_known(
	const struct number_layout *l, const char *p, uint64_t *digits, int *exponent)
{
	*exponent = 0;
	if (l->form <= LAYOUT_ONE)
		*digits = layout_digits(l, p + l->start);
	else if (l->form == LAYOUT_POWER)
		layout_take_power(l, p + l->start, digits, exponent);
	else
		return layout_take_long(l, p + l->start, digits);
	return true;
}

/* More digits than a double holds. */
double layout_long_value(const struct number_layout *l, uint64_t digits);

/* Of LAYOUT_POWER: at most 9 digits, which with an exponent up to 22 are exact in one step. */
static ATTR_ALWAYS_INLINE double layout_power_value(
	const struct number_layout *l, uint64_t digits, int exponent)
{
	int e = exponent - l->fraction;
	double v = (double)(int64_t)digits;

	if (e <= 0 && e >= -22)
		v /= number_powers_of_ten[-e];
	else
		v = number_scale_any(digits, e);
	return l->start ? -v : v;
}

/* Of LAYOUT_WHOLE. */
static ATTR_ALWAYS_INLINE double layout_whole_value(const struct number_layout *l, uint64_t digits)
{
	double v = (double)(int64_t)digits;

	return l->start ? -v : v;
}

/* Without an exponent. */
static ATTR_ALWAYS_INLINE double layout_plain_value(const struct number_layout *l, uint64_t digits)
{
	if (digits > UINT64_C(1) << 53)
		return layout_long_value(l, digits);
	return (double)(int64_t)digits / l->divisor;
}

static ATTR_ALWAYS_INLINE double layout_value(
	const struct number_layout *l, uint64_t digits, int exponent)
{
	return l->form == LAYOUT_POWER ? layout_power_value(l, digits, exponent)
				       : layout_plain_value(l, digits);
}

static inline bool layout_is_whole(const struct number_layout *l)
{
	return !l->fraction && l->form != LAYOUT_POWER;
}

static inline int64_t layout_integer(const struct number_layout *l, uint64_t digits)
{
	return l->start ? -(int64_t)digits : (int64_t)digits;
}

#endif
