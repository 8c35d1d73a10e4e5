/*
 * number - text to numbers and back, without the locale.
 *
 * setlocale(LC_NUMERIC) of a host program must not change what a log says, so
 * strtod_l() with a "C" locale does the general case.
 */
#include "config.h"

#include "base/text.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static locale_t c_locale;
static pthread_once_t c_locale_once = PTHREAD_ONCE_INIT;

static void make_locale(void)
{
	c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

bool text_to_i64(const char *s, size_t n, int64_t *out)
{
	bool negative = false;
	int64_t v = 0;
	size_t i = 0;

	if (i < n && (s[i] == '-' || s[i] == '+'))
		negative = s[i++] == '-';
	if (i == n)
		return false;
	for (; i < n; i++) {
		int digit = s[i] - '0';

		if (digit < 0 || digit > 9)
			return false;
		if (__builtin_mul_overflow(v, 10, &v) ||
		    __builtin_sub_overflow(v, digit, &v))
			return false;	/* summed below zero: INT64_MIN fits */
	}
	if (!negative && v == INT64_MIN)
		return false;
	*out = negative ? v : -v;
	return true;
}

static bool is_word(const char *s, size_t n, const char *word)
{
	return strlen(word) == n && strncasecmp(s, word, n) == 0;
}

/* nan, inf, infinity after the sign. */
static bool special(const char *s, size_t n, bool negative, double *out)
{
	if (is_word(s, n, "nan"))
		*out = NAN;
	else if (is_word(s, n, "inf") || is_word(s, n, "infinity"))
		*out = negative ? -INFINITY : INFINITY;
	else
		return false;
	return true;
}

/* Digits, one dot, digits, exponent; at least one digit. */
static bool is_decimal(const char *s, size_t n)
{
	size_t i = 0, mantissa = 0;

	for (; i < n && s[i] >= '0' && s[i] <= '9'; i++)
		mantissa++;
	if (i < n && s[i] == '.')
		for (i++; i < n && s[i] >= '0' && s[i] <= '9'; i++)
			mantissa++;
	if (!mantissa)
		return false;
	if (i < n && (s[i] == 'e' || s[i] == 'E')) {
		size_t start;

		i++;
		if (i < n && (s[i] == '-' || s[i] == '+'))
			i++;
		for (start = i; i < n && s[i] >= '0' && s[i] <= '9'; i++)
			;
		if (i == start)
			return false;
	}
	return i == n;
}

bool text_to_double(const char *s, size_t n, double *out)
{
	bool negative = n && s[0] == '-';
	size_t sign = n && (s[0] == '-' || s[0] == '+');
	char small[64], *copy = small;

	if (special(s + sign, n - sign, negative, out))
		return true;
	if (!is_decimal(s + sign, n - sign))
		return false;
	pthread_once(&c_locale_once, make_locale);
	if (n >= sizeof small)
		copy = xmalloc(n + 1);
	memcpy(copy, s, n);
	copy[n] = '\0';
	*out = strtod_l(copy, NULL, c_locale);
	if (copy != small)
		free(copy);
	return true;
}

size_t text_from_double(char *out, double v)
{
	if (isnan(v))
		return (size_t)snprintf(out, TEXT_DOUBLE_MAX, "NaN");
	if (isinf(v))
		return (size_t)snprintf(out, TEXT_DOUBLE_MAX, v < 0 ? "-Infinity" : "Infinity");
	for (int precision = 15; ; precision++) {
		int n = snprintf(out, TEXT_DOUBLE_MAX, "%.*g", precision, v);
		char *comma = strchr(out, ',');
		double back;

		if (comma)
			*comma = '.';
		if (precision >= DBL_DECIMAL_DIG ||
			(text_to_double(out, (size_t)n, &back) && back == v))
			return (size_t)n;
	}
}
