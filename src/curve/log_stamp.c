/* log_stamp - the layouts of log prefixes, and the year that some leave out. */
#include "config.h"

#include "curve/log_stamp.h"

#include <math.h>
#include <string.h>

#include "curve/reader_digits.h"
#include "curve/reader_number.h"

#define MOST_SECONDS INT64_C(9000000000)

enum { FRACTION_DIGITS_MAX = 9, POSSIBLE_PREFIX = 256 };

static const double powers_of_ten[FRACTION_DIGITS_MAX + 1] = { 1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7,
	1e8, 1e9 };
static const int64_t whole_powers[FRACTION_DIGITS_MAX + 1] = {
	1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000,
};

/* Lengths of the layouts, up to the seconds. */
enum {
	LONG_STAMP = sizeof "2026-11-01 10:00:03" - 1,
	YEARLESS_STAMP = sizeof "11/01 10:00:03" - 1,
	LEVEL_STAMP = sizeof "I1101 10:00:03" - 1,
	LEVEL_YEAR_STAMP = sizeof "I20261101 10:00:03" - 1,
};

static int two(const char *p)
{
	return (p[0] - '0') * 10 + (p[1] - '0');
}

static bool are_digits(const char *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!is_decimal_digit(p[i]))
			return false;
	return true;
}

/* Digits with a colon behind each two. */
static inline bool is_clock(const char *p)
{
	/* What differs from "00:00:00": nothing in a colon, up to 9 in a digit. */
	uint64_t v = load_eight(p) ^ UINT64_C(0x30303a30303a3030);

	return !((v | (v + UINT64_C(0x0606000606000606))) & UINT64_C(0xf0f0fff0f0fff0f0));
}

/* "hh:mm:ss" */
static bool read_clock(struct log_stamp *s, const char *p)
{
	int hour, minute, second;

	if (!is_clock(p))
		return false;
	hour = two(p);
	minute = two(p + 3);
	second = two(p + 6);
	s->second = hour * 3600 + minute * 60 + second;
	return hour < 24 && minute < 60 && second <= 60;
}

static bool set_date(struct log_stamp *s, int year, int month, int day)
{
	s->year = year;
	s->month = month;
	s->day = day;
	return month >= 1 && month <= 12 && day >= 1 && day <= 31;
}

static int four(const char *p)
{
	return two(p) * 100 + two(p + 2);
}

/* "2026-11-01 10:00:03", with slashes, or "11/01/2026 10:00:03": all digits but the marks. */
static bool read_long(struct log_stamp *s, const char *p)
{
	if (!read_clock(s, p + 11) || (p[10] != ' ' && p[10] != 'T'))
		return false;
	if (p[2] == '/' && p[5] == '/' && p[10] == ' ' && are_digits(p, 2) &&
		are_digits(p + 3, 2) && are_digits(p + 6, 4))
		return set_date(s, four(p + 6), two(p), two(p + 3));
	if ((p[4] != '-' && (p[4] != '/' || p[10] != ' ')) || p[7] != p[4])
		return false;
	return are_digits(p, 4) && are_digits(p + 5, 2) && are_digits(p + 8, 2) &&
		set_date(s, four(p), two(p + 5), two(p + 8));
}

static bool read_yearless(struct log_stamp *s, const char *p)
{
	return p[2] == '/' && p[5] == ' ' && are_digits(p, 2) && are_digits(p + 3, 2) &&
		set_date(s, 0, two(p), two(p + 3)) && read_clock(s, p + 6);
}

/* Behind the letter of the level. */
static bool read_level(struct log_stamp *s, const char *p)
{
	return p[4] == ' ' && are_digits(p, 4) && set_date(s, 0, two(p), two(p + 2)) &&
		read_clock(s, p + 5);
}

static bool read_level_year(struct log_stamp *s, const char *p)
{
	return p[8] == ' ' && are_digits(p, 8) && set_date(s, four(p), two(p + 4), two(p + 6)) &&
		read_clock(s, p + 9);
}

/* The length of the layout that stands at P, with the fields in S; 0: none. */
static size_t read_layout(struct log_stamp *s, const char *p, size_t n)
{
	if (n < YEARLESS_STAMP)
		return 0;
	if (is_decimal_digit(*p)) {
		if (n >= LONG_STAMP && read_long(s, p))
			return LONG_STAMP;
		return read_yearless(s, p) ? YEARLESS_STAMP : 0;
	}
	if (!memchr("IWEFD", *p, 5))
		return 0;
	if (n >= LEVEL_YEAR_STAMP && read_level_year(s, p + 1))
		return LEVEL_YEAR_STAMP;
	return read_level(s, p + 1) ? LEVEL_STAMP : 0;
}

static const char *read_fraction(struct log_stamp *s, const char *p, const char *end)
{
	const char *q = p + 1;

	if (end - p < 2 || (*p != '.' && *p != ',') || !is_decimal_digit(*q))
		return p;
	for (; q < end && is_decimal_digit(*q); q++)
		if (s->fraction_digits < FRACTION_DIGITS_MAX) {
			s->fraction = s->fraction * 10 + (*q - '0');
			s->fraction_digits++;
		}
	return q;
}

/* "Z", "+02:00", "+0200". */
static const char *read_zone(struct log_stamp *s, const char *p, const char *end)
{
	size_t n = (size_t)(end - p);
	bool colon = n >= 6 && p[3] == ':';
	int minutes;

	s->zone_unknown = true;
	if (n && *p == 'Z') {
		s->zone_unknown = false;
		return p + 1;
	}
	if (n < 5 || (*p != '+' && *p != '-') || !are_digits(p + 1, 2) ||
		!are_digits(p + (colon ? 4 : 3), 2))
		return p;
	minutes = two(p + 1) * 60 + two(p + (colon ? 4 : 3));
	s->zone_s = minutes * (*p == '-' ? -60 : 60);
	s->zone_unknown = false;
	return p + (colon ? 6 : 5);
}

static bool goes_on(char c)
{
	return is_decimal_digit(c) || (unsigned char)((c | 32) - 'a') < 26 || c == '_';
}

size_t log_stamp_read(struct log_stamp *out, const char *p, size_t n)
{
	const char *end = p + n, *q;
	size_t length;

	*out = (struct log_stamp){ .year = 0 };
	length = read_layout(out, p, n);
	if (!length)
		return 0;
	q = read_fraction(out, p + length, end);
	q = read_zone(out, q, end);
	return q < end && goes_on(*q) ? 0 : (size_t)(q - p);
}

/* A stamp may begin behind such a byte. */
static bool opens_stamp(char c)
{
	return c == ' ' || c == '[' || c == '(' || c == '|' || c == '\t' || c == '>';
}

size_t log_stamp_find(struct log_stamp *out, const char **at, const char *p, size_t n)
{
	size_t stop = n < STAMP_PREFIX ? n : STAMP_PREFIX, length;

	for (size_t i = 0; i < stop && n - i >= YEARLESS_STAMP; i++) {
		if (i && !opens_stamp(p[i - 1]))
			continue;
		length = log_stamp_read(out, p + i, n - i);
		if (length) {
			*at = p + i;
			return length;
		}
	}
	return 0;
}

/* A byte that ends a stamp whatever comes behind it. */
static bool ends_stamp(char c)
{
	return c == ' ' || c == ']' || c == ')' || c == '|' || c == '\t';
}

static void keep_stamp(struct stamp_memo *memo, const struct log_stamp *stamp, const char *p,
	size_t n, size_t at, size_t length)
{
	memo->n = 0;
	if (!length || length > STAMP_BYTES_MAX || at + length >= n || !ends_stamp(p[at + length]))
		return;
	memcpy(memo->text, p, at + length + 1);
	memo->at = at;
	memo->n = length;
	memo->stamp = *stamp;
}

size_t log_stamp_read_again(struct stamp_memo *memo, const char *p, size_t n)
{
	size_t length;

	if (memo->n && memo->n < n && memcmp(p, memo->text, memo->n + 1) == 0)
		return memo->n;
	length = log_stamp_read(&memo->stamp, p, n);
	keep_stamp(memo, &memo->stamp, p, n, 0, length);
	return length;
}

size_t log_stamp_find_again(
	struct log_stamp *out, const char **at, struct stamp_memo *memo, const char *p, size_t n)
{
	size_t length = memo->at + memo->n + 1;

	if (memo->n && length <= n && memcmp(p, memo->text, length) == 0) {
		*out = memo->stamp;
		*at = p + memo->at;
		return memo->n;
	}
	length = log_stamp_find(out, at, p, n);
	if (length)
		keep_stamp(memo, out, p, n, (size_t)(*at - p), length);
	return length;
}

/* Digits, a colon, digits, behind a blank or a T that has a digit before it. */
bool log_stamp_is_possible(const char *p, size_t n)
{
	size_t stop = n < POSSIBLE_PREFIX ? n : POSSIBLE_PREFIX;

	for (size_t i = 1; i + 1 < stop; i++) {
		size_t k = i + 1;

		if ((p[i] != ' ' && p[i] != 'T') || !is_decimal_digit(p[i - 1]))
			continue;
		while (k < stop && is_decimal_digit(p[k]))
			k++;
		if (k > i + 1 && k + 1 < n && p[k] == ':' && is_decimal_digit(p[k + 1]))
			return true;
	}
	return false;
}

static int64_t midnight_in_year(const struct log_stamp *s, int year)
{
	return number_days_from_date(year, s->month, s->day) * 86400;
}

static double seconds_after(const struct log_stamp *s, int64_t midnight_s)
{
	int64_t whole = midnight_s + s->second - s->zone_s;

	/* In units of the fraction it is exact, as long as these fit. */
	if (!s->fraction_digits || whole >= MOST_SECONDS)
		return (double)whole;
	return (double)(whole * whole_powers[s->fraction_digits] + s->fraction) /
		powers_of_ten[s->fraction_digits];
}

static double seconds_in_year(const struct log_stamp *s, int year)
{
	return seconds_after(s, midnight_in_year(s, year));
}

static int year_of(double seconds)
{
	return (int)(1970 + floor(seconds / (365.2425 * 86400)));
}

/* The last year in which it is not after the change; a day may be the zone's. */
static int last_year_before(const struct log_stamp *s, double changed_s)
{
	int year = year_of(changed_s) + 1;

	while (seconds_in_year(s, year) > changed_s + 86400)
		year--;
	return year;
}

static int year_nearest_to(const struct log_stamp *s, double before_s)
{
	int year = year_of(before_s), best = year - 1;

	for (int y = year; y <= year + 1; y++)
		if (fabs(seconds_in_year(s, y) - before_s) <
			fabs(seconds_in_year(s, best) - before_s))
			best = y;
	return best;
}

/* A date without a year is in the year of the last one when it is the same. */
static bool is_same_date(const struct log_clock *c, const struct log_stamp *s)
{
	return c->has_date && s->day == c->day && s->month == c->month && s->year == c->year;
}

static void keep_date(struct log_clock *c, const struct log_stamp *s, int year)
{
	c->has_date = true;
	c->year = s->year;
	c->month = s->month;
	c->day = s->day;
	c->midnight_s = midnight_in_year(s, year);
}

double log_clock_read(struct log_clock *c, const struct log_stamp *s, double changed_s)
{
	double seconds;

	if (!is_same_date(c, s)) {
		if (!s->year && !c->running && !(fabs(changed_s) < 1e11))
			return NAN;
		keep_date(c, s,
			s->year       ? s->year
			: c->running ? year_nearest_to(s, c->last_s)
				     : last_year_before(s, changed_s));
	}
	seconds = seconds_after(s, c->midnight_s);
	if (!s->year) {
		c->last_s = seconds;
		c->running = true;
	}
	return seconds;
}
