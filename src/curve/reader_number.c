/* reader_number - an exact short way from digits to doubles. */
#include "config.h"

#include "curve/reader_number.h"

#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"
#include "curve/reader_digits.h"

/* 5^i; 5^27 is the last that fits 64 bits. */
static const uint64_t powers_of_five[] = {
	1u, 5u, 25u, 125u, 625u, 3125u, 15625u, 78125u, 390625u, 1953125u, 9765625u, 48828125u,
	244140625u, 1220703125u, 6103515625u, 30517578125u, 152587890625u, 762939453125u,
	3814697265625u, 19073486328125u, 95367431640625u, 476837158203125u, 2384185791015625u,
	11920928955078125u, 59604644775390625u, 298023223876953125u, 1490116119384765625u,
	7450580596923828125u,
};

const double number_powers_of_ten[] = {
	1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
	1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
};

enum {
	FIVES_MAX = NUMBER_EXPONENT_MAX,
	TENS_MAX = ARRAY_LEN(number_powers_of_ten) - 1,
	DIGITS_MAX = 19
};

static const struct word { const char *text; double value; } words[] = {
	{ "infinity", INFINITY },	/* before "inf", which begins it */
	{ "inf", INFINITY },
	{ "nan", NAN },
};

struct decimal {
	uint64_t digits;	/* the first DIGITS_MAX significant ones */
	int count;		/* of digits in it */
	int64_t exponent;	/* of ten */
	bool negative, whole, cut;	/* cut: digits that are not zero were left out */
};

/* Exact for the exponents that occur here, all within +-250. */
static double power_of_two(int exponent)
{
	uint64_t bits = (uint64_t)(exponent + 1023) << 52;
	double d;

	memcpy(&d, &bits, sizeof d);
	return d;
}

/* Rounds WIDE * 2^EXPONENT, with more bits below it when STICKY, to nearest even. */
static double round_wide(unsigned __int128 wide, int exponent, bool sticky)
{
	uint64_t high = (uint64_t)(wide >> 64);
	int bits = high ? 128 - __builtin_clzll(high) : 64 - __builtin_clzll((uint64_t)wide);
	int drop = bits - 53;
	uint64_t kept;
	unsigned __int128 half, rest;

	if (drop <= 0)
		return (double)(uint64_t)wide * power_of_two(exponent);
	kept = (uint64_t)(wide >> drop);
	half = (unsigned __int128)1 << (drop - 1);
	rest = wide & ((half << 1) - 1);
	if (rest > half || (rest == half && (sticky || (kept & 1))))
		kept++;
	return (double)kept * power_of_two(exponent + drop);
}

/*
 * 2^bits / 5^i, rounded down, with the top bit set: a product with it stands in
 * for a division, since it lies less than two units of its upper half too low.
 */
static const struct reciprocal { uint64_t value; int bits; } reciprocals[] = {
	{ 0x8000000000000000u, 63 }, { 0xccccccccccccccccu, 66 }, { 0xa3d70a3d70a3d70au, 68 },
	{ 0x83126e978d4fdf3bu, 70 }, { 0xd1b71758e219652bu, 73 }, { 0xa7c5ac471b478423u, 75 },
	{ 0x8637bd05af6c69b5u, 77 }, { 0xd6bf94d5e57a42bcu, 80 }, { 0xabcc77118461cefcu, 82 },
	{ 0x89705f4136b4a597u, 84 }, { 0xdbe6fecebdedd5beu, 87 }, { 0xafebff0bcb24aafeu, 89 },
	{ 0x8cbccc096f5088cbu, 91 }, { 0xe12e13424bb40e13u, 94 }, { 0xb424dc35095cd80fu, 96 },
	{ 0x901d7cf73ab0acd9u, 98 }, { 0xe69594bec44de15bu, 101 }, { 0xb877aa3236a4b449u, 103 },
	{ 0x9392ee8e921d5d07u, 105 }, { 0xec1e4a7db69561a5u, 108 }, { 0xbce5086492111aeau, 110 },
	{ 0x971da05074da7beeu, 112 }, { 0xf1c90080baf72cb1u, 115 }, { 0xc16d9a0095928a27u, 117 },
	{ 0x9abe14cd44753b52u, 119 }, { 0xf79687aed3eec551u, 122 }, { 0xc612062576589ddau, 124 },
	{ 0x9e74d1b791e07e48u, 126 },
};

/* DIGITS / 10^I; false where the product does not tell to which side it is rounded. */
static inline bool divide_by_product(double *out, uint64_t digits, int i)
{
	int shift = __builtin_clzll(digits);
	unsigned __int128 product =
		(unsigned __int128)(digits << shift) * reciprocals[i].value;
	uint64_t high = (uint64_t)(product >> 64);
	int drop = high >> 63 ? 11 : 10;
	uint64_t half = UINT64_C(1) << (drop - 1), rest = high & (2 * half - 1);

	if (rest - (half - 1) <= 1)
		return false;
	*out = (double)(int64_t)((high >> drop) + (rest > half)) *
		power_of_two(drop + 64 - shift - reciprocals[i].bits - i);
	return true;
}

/* DIGITS * 10^EXPONENT with |EXPONENT| <= FIVES_MAX, correctly rounded. */
static double scale_exactly(uint64_t digits, int exponent)
{
	uint64_t five, quotient;
	unsigned __int128 wide;
	int shift, five_shift, extra;
	double short_way;

	if (exponent >= 0)
		return round_wide(
			(unsigned __int128)digits * powers_of_five[exponent], exponent, false);
	if (divide_by_product(&short_way, digits, -exponent))
		return short_way;
	/* Both with their top bit set: the quotient has 64 bits, and one division gives it. */
	shift = __builtin_clzll(digits);
	five = powers_of_five[-exponent];
	five_shift = __builtin_clzll(five);
	digits <<= shift;
	five <<= five_shift;
	extra = digits < five ? 64 : 63;
	wide = (unsigned __int128)digits << extra;
	quotient = (uint64_t)(wide / five);
	return round_wide(
		quotient, exponent - shift + five_shift - extra, (uint64_t)wide != quotient * five);
}

static double by_library(const char *p, size_t n)
{
	char room[128], *text = room;
	locale_t c_locale = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
	double value;

	if (n >= sizeof room)
		text = xmalloc(n + 1);
	memcpy(text, p, n);
	text[n] = '\0';
	value = c_locale ? strtod_l(text, NULL, c_locale) : NAN;
	if (c_locale)
		freelocale(c_locale);
	if (text != room)
		free(text);
	return value;
}

double number_scale(uint64_t digits, int exponent)
{
	if (digits > UINT64_C(1) << 53 || exponent < -TENS_MAX || exponent > TENS_MAX)
		return digits ? scale_exactly(digits, exponent) : 0.0;
	return exponent < 0 ? (double)digits / number_powers_of_ten[-exponent]
			    : (double)digits * number_powers_of_ten[exponent];
}

double number_scale_any(uint64_t digits, int exponent)
{
	char text[40];
	int n;

	if (exponent >= -FIVES_MAX && exponent <= FIVES_MAX)
		return number_scale(digits, exponent);
	n = snprintf(text, sizeof text, "%" PRIu64 "e%d", digits, exponent);
	return by_library(text, (size_t)n);
}

static double decimal_value(const struct decimal *d, const char *p, size_t n)
{
	double v;

	if (d->digits == 0 && !d->cut)
		return d->negative ? -0.0 : 0.0;
	if (d->cut || d->exponent > FIVES_MAX || d->exponent < -FIVES_MAX)
		return by_library(p, n);
	v = number_scale(d->digits, (int)d->exponent);
	return d->negative ? -v : v;
}

/* A run of digits; those beyond DIGITS_MAX only move the exponent. */
static const char *scan_digits(struct decimal *d, const char *p, const char *end, bool after_point)
{
	const char *start = p, *first, *stop;
	uint64_t digits = d->digits;

	while (d->count == 0 && p < end && *p == '0')
		p++;
	stop = end - p > DIGITS_MAX - d->count ? p + (DIGITS_MAX - d->count) : end;
	for (first = p; p < stop && is_decimal_digit(*p); p++)
		digits = digits * 10 + (uint64_t)(*p - '0');
	d->count += (int)(p - first);
	d->digits = digits;
	d->exponent -= after_point ? p - start : 0;
	for (; p < end && is_decimal_digit(*p); p++) {
		d->cut |= *p != '0';
		d->exponent += !after_point;
	}
	return p;
}

static const char *scan_exponent(struct decimal *d, const char *p, const char *end)
{
	const char *q = p + 1;
	bool negative = false;
	int64_t e = 0;

	if (q < end && (*q == '-' || *q == '+'))
		negative = *q++ == '-';
	if (q == end || !is_decimal_digit(*q))
		return p;
	for (; q < end && is_decimal_digit(*q); q++)
		if (e < 100000)
			e = e * 10 + (*q - '0');
	d->exponent += negative ? -e : e;
	d->whole = false;
	return q;
}

/* Digits, point, exponent; returns the end, or P when there is no digit. */
static const char *scan_decimal(struct decimal *d, const char *p, const char *end)
{
	const char *start = p, *point;
	size_t n;

	p = scan_digits(d, p, end, false);
	n = (size_t)(p - start);
	d->whole = true;
	if (p < end && *p == '.' && (n || (p + 1 < end && is_decimal_digit(p[1])))) {
		d->whole = false;
		point = p + 1;
		p = scan_digits(d, point, end, true);
		n += (size_t)(p - point);
	}
	if (!n)
		return start;
	if (p < end && (*p | 32) == 'e')
		p = scan_exponent(d, p, end);
	return p;
}

static void set_integer(struct number *out, const struct decimal *d)
{
	out->is_integer = false;
	if (d->whole && !d->cut && d->exponent == 0 && d->digits <= (uint64_t)INT64_MAX) {
		out->integer = d->negative ? -(int64_t)d->digits : (int64_t)d->digits;
		out->is_integer = true;
	} else if (fabs(out->value) < 9007199254740992.0 &&
		out->value == (double)(int64_t)out->value) {
		out->integer = (int64_t)out->value;
		out->is_integer = true;
	}
}

static size_t scan_word(struct number *out, const char *p, const char *end)
{
	if ((*p | 32) != 'i' && (*p | 32) != 'n')
		return 0;
	for (size_t i = 0; i < ARRAY_LEN(words); i++) {
		size_t n = strlen(words[i].text);

		if ((size_t)(end - p) >= n && strncasecmp(p, words[i].text, n) == 0) {
			*out = (struct number){ .value = words[i].value };
			return n;
		}
	}
	return 0;
}

/* Behind "e-05"; P when it is none.  A long one is left to the general way. */
static inline const char *take_exponent(int *exponent, const char *p, const char *end)
{
	const char *q = p + 1, *first;
	bool negative = false;
	int e = 0;

	if (q < end && (*q == '-' || *q == '+'))
		negative = *q++ == '-';
	for (first = q; q < end && is_decimal_digit(*q) && q - first < 4; q++)
		e = e * 10 + (*q - '0');
	if (q == first)
		return p;
	*exponent += negative ? -e : e;
	return q;
}

/* One digit before the point is the most frequent number of them. */
static inline const char *take_first_digits(uint64_t *digits, const char *p, const char *end)
{
	if (end - p > 1 && !is_decimal_digit(p[1]) && is_decimal_digit(*p)) {
		*digits = (uint64_t)(*p - '0');
		return p + 1;
	}
	return take_digits(digits, p, end);
}

/* What a number is made of, when it is a usual one. */
struct usual {
	uint64_t digits;
	int exponent;
	bool negative, whole;
};

/*
 * The usual number: a sign, at most DIGITS_MAX digits with or without a point
 * behind the first, an exponent near 0.  0 for any other; for these it gives
 * the bits that the general way gives.
 */
static inline size_t scan_usual(struct usual *u, const char *p, const char *end)
{
	const char *q = p, *first, *after;
	uint64_t digits = 0;
	int exponent = 0;
	bool whole = true;

	u->negative = q < end && *q == '-';
	q += q < end && (*q == '-' || *q == '+');
	first = q;
	q = take_first_digits(&digits, q, end);
	if (q == first || q - first > DIGITS_MAX)
		return 0;
	if (q < end && *q == '.') {
		after = take_digits(&digits, q + 1, end);
		if (after - first > DIGITS_MAX + 1)
			return 0;
		exponent = (int)(q + 1 - after);
		whole = false;
		q = after;
	}
	if (q < end && (*q | 32) == 'e') {
		after = take_exponent(&exponent, q, end);
		if (after - q > 4 || exponent > FIVES_MAX || exponent < -FIVES_MAX)
			return 0;
		whole &= after == q;
		q = after;
	}
	u->digits = digits;
	u->exponent = exponent;
	u->whole = whole;
	return (size_t)(q - p);
}

static inline double usual_value(const struct usual *u)
{
	double v;

	if (u->digits <= UINT64_C(1) << 53 && u->exponent <= 0 && u->exponent >= -TENS_MAX)
		v = (double)(int64_t)u->digits / number_powers_of_ten[-u->exponent];
	else
		v = number_scale(u->digits, u->exponent);
	return u->negative ? -v : v;
}

enum { SHORT_ROOM = 40 };	/* a sign, 15 digits, a point, 15 digits, an exponent: by eights */

enum { SHORT_DIGITS_MAX = 18 };

/* "e-05" at P: two digits; 0 for anything else. */
static inline unsigned short_exponent(int *exponent, const char *p)
{
	bool negative = p[1] == '-', is_signed = negative || p[1] == '+';
	const char *digits = p + 1 + is_signed;
	int e;

	if (!is_decimal_digit(digits[0]) || !is_decimal_digit(digits[1]) ||
		is_decimal_digit(digits[2]))
		return 0;
	e = (digits[0] - '0') * 10 + (digits[1] - '0');
	*exponent += negative ? -e : e;
	return 3 + is_signed;
}

/*
 * Numbers of trainers: up to 15 digits, a point and up to 15, with an
 * exponent of two digits or none; SHORT_ROOM bytes can be read.  0 for any
 * other; for these it gives the bits that the general way gives.
 */
static inline size_t scan_short(double *out, const char *p)
{
	bool negative = *p == '-';
	const char *q = p + negative;
	uint64_t eight, digits;
	unsigned n, fraction = 0, used;
	int exponent;
	double v;

	if (q[1] == '.' && is_decimal_digit(*q)) {
		digits = (uint64_t)(*q - '0');
		n = 1;
	} else {
		eight = load_eight(q);
		n = count_digits(eight);
		if (!n)
			return 0;
		digits = digits_of(eight, n);
		if (n == 8) {
			eight = load_eight(q + 8);
			used = count_digits(eight);
			if (used == 8)
				return 0;
			if (used)
				digits = digits * digit_powers[used] + digits_of(eight, used);
			n += used;
		}
	}
	q += n;
	if (*q == '.') {
		eight = load_eight(++q);
		fraction = count_digits(eight);
		if (fraction)
			digits = digits * digit_powers[fraction] + digits_of(eight, fraction);
		if (fraction == 8) {
			eight = load_eight(q + 8);
			used = count_digits(eight);
			if (used == 8)
				return 0;
			if (used)
				digits = digits * digit_powers[used] + digits_of(eight, used);
			fraction += used;
		}
		if (n + fraction > SHORT_DIGITS_MAX)
			return 0;
		q += fraction;
	}
	exponent = -(int)fraction;
	if ((*q | 32) == 'e') {
		used = short_exponent(&exponent, q);
		if (!used)
			return 0;
		q += used;
	}
	if (digits > UINT64_C(1) << 53 || exponent < -TENS_MAX || exponent > TENS_MAX)
		return 0;
	v = (double)(int64_t)digits;
	if (exponent <= 0)
		v /= number_powers_of_ten[-exponent];
	else
		v *= number_powers_of_ten[exponent];
	*out = negative ? -v : v;
	return (size_t)(q - p);
}

static size_t scan_any(struct number *out, const char *p, const char *end)
{
	struct decimal d = { 0 };
	const char *q = p, *after;
	size_t n;

	if (q < end && (*q == '-' || *q == '+'))
		d.negative = *q++ == '-';
	if (q == end)
		return 0;
	after = scan_decimal(&d, q, end);
	if (after != q) {
		out->value = decimal_value(&d, p, (size_t)(after - p));
		set_integer(out, &d);
		return (size_t)(after - p);
	}
	n = scan_word(out, q, end);
	if (!n)
		return 0;
	if (d.negative)
		out->value = -out->value;
	return n + (size_t)(q - p);
}

size_t number_scan(struct number *out, const char *p, const char *end)
{
	struct usual u;
	size_t n = scan_usual(&u, p, end);

	if (!n)
		return scan_any(out, p, end);
	out->value = usual_value(&u);
	set_integer(out,
		&(struct decimal){ .digits = u.digits, .negative = u.negative, .whole = u.whole });
	return n;
}

static size_t scan_long(double *out, const char *p, const char *end)
{
	struct number number = { .value = 0 };
	struct usual u;
	size_t n = scan_usual(&u, p, end);

	if (n) {
		*out = usual_value(&u);
		return n;
	}
	n = scan_any(&number, p, end);
	*out = number.value;
	return n;
}

size_t number_scan_before(double *out, const char *p, const char *end, const char *limit)
{
	size_t n;

	if (limit - p < SHORT_ROOM)
		return number_scan_value(out, p, end);
	n = scan_short(out, p);
	return n ? n : scan_long(out, p, end);
}

size_t number_scan_value(double *out, const char *p, const char *end)
{
	char room[SHORT_ROOM + 1] = { 0 };	/* at the end of a text: zeros stop the number */
	const char *text = p;
	size_t n;

	if (end - p < SHORT_ROOM) {
		memcpy(room, p, (size_t)(end - p));
		text = room;
	}
	n = scan_short(out, text);
	return n ? n : scan_long(out, p, end);
}

bool number_read(struct number *out, const char *p, size_t n)
{
	return n && number_scan(out, p, p + n) == n;
}

/* Groups of exactly three digits behind each comma, one to three before the first. */
static bool commas_are_groups(const char *p, size_t n)
{
	size_t i = n && (*p == '-' || *p == '+'), digits = 0;

	while (i < n && is_decimal_digit(p[i]) && digits < 4)
		i++, digits++;
	if (digits < 1 || digits > 3)
		return false;
	while (i < n && p[i] == ',') {
		if (n - i < 4 || !is_decimal_digit(p[i + 1]) || !is_decimal_digit(p[i + 2]) ||
		    !is_decimal_digit(p[i + 3]))
			return false;
		i += 4;
		if (i < n && is_decimal_digit(p[i]))
			return false;
	}
	return !memchr(p + i, ',', n - i);
}

static bool read_grouped(struct number *out, const char *p, size_t n)
{
	char room[64];
	size_t k = 0;

	if (n > sizeof room || !commas_are_groups(p, n))
		return false;
	for (size_t i = 0; i < n; i++)
		if (p[i] != ',')
			room[k++] = p[i];
	return number_read(out, room, k);
}

/* Only the sign of a word may be before it: a suffix belongs to digits. */
static double suffix_factor(const char *p, size_t n)
{
	if (n < 2 || !(is_decimal_digit(p[n - 2]) || p[n - 2] == '.'))
		return 0;
	switch (p[n - 1]) {
	case 'K': return 1e3;
	case 'M': return 1e6;
	case 'G': return 1e9;
	case 'B': return 1e9;
	case '%': return 1;
	default: return 0;
	}
}

bool number_read_token(struct number *out, const char *p, size_t n, bool suffixes)
{
	double factor = suffixes ? suffix_factor(p, n) : 0;
	struct decimal whole = { .cut = true };

	if (factor != 0)
		n--;
	if (!number_read(out, p, n) && !read_grouped(out, p, n))
		return false;
	if (factor > 1) {
		out->value *= factor;
		set_integer(out, &whole);
	}
	return true;
}
