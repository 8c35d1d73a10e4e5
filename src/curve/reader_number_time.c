/* reader_number_time - dates and ISO times as numbers; see reader_number.h. */
#include "config.h"

#include "curve/reader_number.h"

#include "curve/reader_digits.h"

static bool two_digits(const char *p, int *out)
{
	if (!is_decimal_digit(p[0]) || !is_decimal_digit(p[1]))
		return false;
	*out = (p[0] - '0') * 10 + (p[1] - '0');
	return true;
}

int64_t number_days_from_date(int64_t year, int month, int day)
{
	int64_t era, y = year - (month <= 2);
	int64_t year_of_era, day_of_year;

	era = (y >= 0 ? y : y - 399) / 400;
	year_of_era = y - era * 400;
	day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
	return era * 146097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 +
		day_of_year - 719468;
}

/* "Z", "+02:00", "+0200" or nothing; false for anything else. */
static bool read_zone(const char *p, size_t n, int *seconds, bool *unknown)
{
	int hours = 0, minutes = 0;

	*seconds = 0;
	*unknown = n == 0;
	if (n == 0 || (n == 1 && (*p == 'Z' || *p == 'z')))
		return true;
	if ((*p != '+' && *p != '-') || n < 3 || !two_digits(p + 1, &hours))
		return false;
	if (n == 6 && p[3] == ':' ? !two_digits(p + 4, &minutes) :
	    n == 5 ? !two_digits(p + 3, &minutes) : n != 3)
		return false;
	*seconds = (hours * 60 + minutes) * 60 * (*p == '-' ? -1 : 1);
	return true;
}

bool number_read_iso_time(double *out, bool *zone_unknown, const char *p, size_t n)
{
	int century, year, month, day, hour, minute, second, zone;
	double fraction = 0, unit = 0.1;
	size_t i = 19;

	if (n < 19 || p[4] != '-' || p[7] != '-' || (p[10] != 'T' && p[10] != ' ') ||
		p[13] != ':' || p[16] != ':')
		return false;
	if (!two_digits(p, &century) || !two_digits(p + 2, &year) || !two_digits(p + 5, &month) ||
		!two_digits(p + 8, &day) || !two_digits(p + 11, &hour) ||
		!two_digits(p + 14, &minute) || !two_digits(p + 17, &second))
		return false;
	if (month < 1 || month > 12 || day < 1 || day > 31 || hour > 24 || minute > 59 ||
		second > 60)
		return false;
	if (i < n && (p[i] == '.' || p[i] == ','))
		for (i++; i < n && is_decimal_digit(p[i]); i++, unit /= 10)
			fraction += (p[i] - '0') * unit;
	if (!read_zone(p + i, n - i, &zone, zone_unknown))
		return false;
	*out = (double)(number_days_from_date(century * 100 + year, month, day) * 86400 +
		       hour * 3600 + minute * 60 + second - zone) +
		fraction;
	return true;
}
