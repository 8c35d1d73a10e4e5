/*
 * reader_number - numbers as logs write them, exactly and quickly.
 *
 * Decimal numbers with up to 19 digits and a small exponent are rounded
 * correctly in integers; the rest goes to strtod_l() in the "C" locale, so that
 * no user's locale changes a value.  Accepts nan, inf and infinity in any case
 * with a sign, 1e-5, 7.39E+00, .5 and 5. - and neither hexadecimal nor nan(...).
 * 1e999 is infinity.
 */
#ifndef PORTSIDE_CURVE_READER_NUMBER_H
#define PORTSIDE_CURVE_READER_NUMBER_H

#include <float.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct number {
	double value;
	int64_t integer;	/* when is_integer */
	bool is_integer;	/* written as digits that fit, or a whole double below 2^53 */
};

/*
 * The longest number at the beginning of P; returns the bytes it took, 0 when
 * there is none.  What follows is the caller's to judge.
 */
size_t number_scan(struct number *out, const char *p, const char *end);
/* As above for its value alone. */
size_t number_scan_value(double *out, const char *p, const char *end);
/* As above, when bytes up to LIMIT can be read and no number goes on behind END. */
size_t number_scan_before(double *out, const char *p, const char *end, const char *limit);

/* DIGITS * 10^EXPONENT, |EXPONENT| <= NUMBER_EXPONENT_MAX, correctly rounded. */
enum { NUMBER_EXPONENT_MAX = 27 };
double number_scale(uint64_t digits, int exponent);
/* As above with any exponent. */
double number_scale_any(uint64_t digits, int exponent);

/* 10^i that a double holds exactly. */
extern const double number_powers_of_ten[23];

/* The whole of P[0..N). */
bool number_read(struct number *out, const char *p, size_t n);

/*
 * A token of a log or a cell: the whole of P[0..N) with commas between groups
 * of three digits; with SUFFIXES also one of K M G B % at its end.
 */
bool number_read_token(struct number *out, const char *p, size_t n, bool suffixes);

/* Seconds since 1970, and no duration: after the spring of 1973, finite. */
static inline bool number_is_wall_time(double seconds)
{
	return seconds > 1e8 && seconds <= DBL_MAX;
}

/* Days since 1970-01-01 of a date of the Gregorian calendar. */
int64_t number_days_from_date(int64_t year, int month, int day);

/* Seconds since 1970 of an ISO 8601 time; without a zone it is taken as UTC
 * and *ZONE_UNKNOWN set. */
bool number_read_iso_time(double *out, bool *zone_unknown, const char *p, size_t n);

#endif
