/* clock - see clock.h. */
#include "config.h"

#include "base/clock.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/text.h"

/* Set once by a test or from the environment; never by the program itself. */
static _Atomic int64_t fixed_ns;
static atomic_bool environment_read;

static int64_t to_ns(const struct timespec *t)
{
	return (int64_t)t->tv_sec * NS_PER_S + t->tv_nsec;
}

static void read_environment(void)
{
	const char *s = getenv("PORTSIDE_CLOCK");
	int64_t ns;

	if (atomic_exchange(&environment_read, true))
		return;
	if (s && clock_from_iso(&ns, s))
		atomic_store(&fixed_ns, ns);
}

int64_t clock_wall_ns(void)
{
	struct timespec t;
	int64_t fixed;

	if (!atomic_load(&environment_read))
		read_environment();
	fixed = atomic_load(&fixed_ns);
	if (fixed)
		return fixed;
	clock_gettime(CLOCK_REALTIME, &t);
	return to_ns(&t);
}

int64_t clock_boot_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_BOOTTIME, &t);
	return to_ns(&t);
}

void clock_fix(int64_t wall_ns)
{
	atomic_store(&environment_read, true);
	atomic_store(&fixed_ns, wall_ns);
}

static int64_t floor_div(int64_t a, int64_t b)
{
	int64_t q = a / b;

	return a % b < 0 ? q - 1 : q;
}

void clock_iso(char out[CLOCK_ISO_MAX], int64_t wall_ns)
{
	time_t s = (time_t)floor_div(wall_ns, NS_PER_S);
	int ms = (int)((wall_ns - (int64_t)s * NS_PER_S) / NS_PER_MS);
	struct tm tm;
	char date[24];

	gmtime_r(&s, &tm);
	strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%S", &tm);
	snprintf(out, CLOCK_ISO_MAX, "%.23s.%03dZ", date, ms);
}

static bool two_digits(const char *s, int *out)
{
	int64_t v;

	if (strnlen(s, 2) < 2 || s[0] < '0' || s[0] > '9' || !text_to_i64(s, 2, &v))
		return false;
	*out = (int)v;
	return true;
}

static bool parse_offset(const char *s, int64_t *seconds)
{
	int h, m = 0;

	*seconds = 0;
	if (strcmp(s, "Z") == 0 || strcmp(s, "z") == 0)
		return true;
	if ((*s != '+' && *s != '-') || !two_digits(s + 1, &h))
		return false;
	if (s[3] == ':'        ? !two_digits(s + 4, &m) || s[6]
			: s[3] ? !two_digits(s + 3, &m) || s[5]
			       : false)
		return false;
	if (h > 23 || m > 59)
		return false;
	*seconds = (h * 60 + m) * 60 * (*s == '-' ? -1 : 1);
	return true;
}

static int days_of_month(int month, int64_t year)
{
	static const int days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
	bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;

	return days[month - 1] + (month == 2 && leap);
}

bool clock_from_iso(int64_t *out, const char *s)
{
	struct tm tm = { 0 };
	int64_t year, fraction = 0, scale = NS_PER_S, offset, seconds;
	int month;

	if (strnlen(s, 20) < 20 || !text_to_i64(s, 4, &year) || s[4] != '-' ||
		!two_digits(s + 5, &month) || s[7] != '-' || !two_digits(s + 8, &tm.tm_mday) ||
		(s[10] != 'T' && s[10] != ' ') || !two_digits(s + 11, &tm.tm_hour) ||
		s[13] != ':' || !two_digits(s + 14, &tm.tm_min) || s[16] != ':' ||
		!two_digits(s + 17, &tm.tm_sec))
		return false;
	if (month < 1 || month > 12 || tm.tm_mday < 1 || tm.tm_mday > days_of_month(month, year) ||
		tm.tm_hour > 23 || tm.tm_min > 59 || tm.tm_sec > 60 || year < 1678 || year > 2261)
		return false;	/* the range of int64 nanoseconds */
	s += 19;
	if (*s == '.')
		for (s++; *s >= '0' && *s <= '9'; s++)
			if (scale > 1)
				fraction += (scale /= 10) * (*s - '0');
	if (!parse_offset(s, &offset))
		return false;
	tm.tm_year = (int)year - 1900;
	tm.tm_mon = month - 1;
	seconds = (int64_t)timegm(&tm) - offset;
	*out = seconds * NS_PER_S + fraction;
	return true;
}

void clock_add_duration(struct buf *out, int64_t ns)
{
	int64_t s = ns / NS_PER_S;

	if (ns < 0)
		buf_addc(out, '-');
	else if (s < 1)
		buf_addf(out, "%lldms", (long long)(ns / NS_PER_MS));
	else if (s < 60)
		buf_addf(out, "%llds", (long long)s);
	else if (s < 3600)
		buf_addf(out, "%lldm%02llds", (long long)(s / 60), (long long)(s % 60));
	else if (s < 24 * 3600)
		buf_addf(out, "%lldh%02lldm", (long long)(s / 3600), (long long)(s / 60 % 60));
	else
		buf_addf(out, "%lldd%02lldh", (long long)(s / 86400), (long long)(s / 3600 % 24));
}

void clock_add_short(struct buf *out, int64_t wall_ns, int64_t now_ns)
{
	time_t s = (time_t)floor_div(wall_ns, NS_PER_S), now = (time_t)floor_div(now_ns, NS_PER_S);
	struct tm tm, today;
	char text[32];

	localtime_r(&s, &tm);
	localtime_r(&now, &today);
	strftime(text, sizeof text, tm.tm_year == today.tm_year ? "%d %b %H:%M" : "%d %b %Y", &tm);
	buf_adds(out, text);
}
