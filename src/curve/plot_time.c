/* plot_time - ticks and labels of axes that are seconds. */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

#include "base/mem.h"
#include "curve/plot_data.h"

enum { MINUTE = 60, HOUR = 3600, DAY = 86400 };

static const int steps[] = { 1, 2, 5, 10, 15, 30, MINUTE, 2 * MINUTE, 5 * MINUTE, 10 * MINUTE,
	15 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, DAY, 2 * DAY,
	5 * DAY, 10 * DAY, 20 * DAY, 50 * DAY, 100 * DAY, 200 * DAY, 500 * DAY, 1000 * DAY };

static int step_of(double length, size_t wanted)
{
	size_t i = 0;

	while (i + 1 < ARRAY_LEN(steps) && length / steps[i] > (double)wanted)
		i++;
	return steps[i];
}

static void put_duration(char out[PLOT_LABEL_MAX], double seconds, int step)
{
	long v = lround(seconds), days = v / DAY, hours = v / HOUR, minutes = v / MINUTE;

	if (!v)
		snprintf(out, PLOT_LABEL_MAX, "0");
	else if (step % DAY == 0)
		snprintf(out, PLOT_LABEL_MAX, "%ldd", days);
	else if (step % HOUR == 0 || v % HOUR == 0)
		snprintf(out, PLOT_LABEL_MAX, "%ldh", hours);
	else if (step % MINUTE == 0 && hours)
		snprintf(out, PLOT_LABEL_MAX, "%ldh%02ld", hours, minutes % 60);
	else if (step % MINUTE == 0 || v % MINUTE == 0)
		snprintf(out, PLOT_LABEL_MAX, "%ldm", minutes);
	else if (minutes)
		snprintf(out, PLOT_LABEL_MAX, "%ldm%02ld", minutes, v % MINUTE);
	else
		snprintf(out, PLOT_LABEL_MAX, "%lds", v);
}

/* The day stands where it begins, and where ticks are whole days. */
static void put_instant(char out[PLOT_LABEL_MAX], double seconds, int step)
{
	time_t t = (time_t)llround(seconds);
	struct tm tm;

	if (!localtime_r(&t, &tm)) {
		snprintf(out, PLOT_LABEL_MAX, "?");
		return;
	}
	if (step % DAY == 0 || (!tm.tm_hour && !tm.tm_min && !tm.tm_sec))
		strftime(out, PLOT_LABEL_MAX, "%d %b", &tm);
	else
		strftime(out, PLOT_LABEL_MAX, step % MINUTE ? "%H:%M:%S" : "%H:%M", &tm);
}

static double zone_of(double seconds)
{
	time_t t = (time_t)llround(seconds);
	struct tm tm;

	return localtime_r(&t, &tm) ? (double)tm.tm_gmtoff : 0;
}

size_t plot_time_ticks(
	struct plot_tick out[PLOT_TICKS_MAX], double low, double high, size_t wanted, bool wall)
{
	double zone = 0;
	size_t n = 0;
	int step;

	if (wanted > PLOT_TICKS_MAX)
		wanted = PLOT_TICKS_MAX;
	/* What is shorter than two seconds, or no time at all, is read as a number. */
	if (!wanted || !(high - low >= 2) || fabs(low) > 1e11 || fabs(high) > 1e11)
		return plot_ticks(out, low, high, false, wanted);
	step = step_of(high - low, wanted);
	if (wall)
		zone = zone_of(low);
	for (double at = ceil((low + zone) / step) * step - zone; at <= high && n < wanted;
		at += step, n++) {
		out[n].value = at;
		if (wall)
			put_instant(out[n].label, at, step);
		else
			put_duration(out[n].label, at, step);
	}
	return n;
}
