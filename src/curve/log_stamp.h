/*
 * log_stamp - the time that a program prints in front of its lines.
 *
 *	2026-11-01 10:00:03,123 ...		also T between, a point, and a zone behind:
 *	[2026-11-01T10:00:03.123Z] ...		Z, +02:00, +0200
 *	2026/11/01 10:00:03 ...			mmengine, TensorFlow
 *	11/01/2026 10:00:03 - INFO ...		month first, as the examples of Hugging Face write it
 *	[11/01 10:00:03 d2.utils.events]: ...	detectron2: no year
 *	I1101 10:00:03.123456 ...		absl, glog: no year; I20261101 has one
 *
 * It stands within STAMP_PREFIX bytes of the beginning, behind a blank or an
 * opening bracket or at the very beginning.  A time without a date is none.
 *
 * What is not written is not known.  Without a zone the time is taken as UTC
 * and the stamp says so.  Without a year, the first stamp of a file gets the
 * last year in which it does not lie after the file's last change, and later
 * ones the year that brings them nearest to the one before; without a time of
 * change it stays unknown.  Whoever uses that says so.
 */
#ifndef PORTSIDE_CURVE_LOG_STAMP_H
#define PORTSIDE_CURVE_LOG_STAMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { STAMP_PREFIX = 48, STAMP_BYTES_MAX = 48 };

struct log_stamp {
	int year, month, day;		/* year 0: not written */
	int second;			/* of the day */
	int zone_s;			/* east of UTC */
	bool zone_unknown;
	int64_t fraction;		/* in units of 10^-fraction_digits */
	int fraction_digits;
};

/* What the stamps of one file say about its year. */
struct log_clock {
	bool running;
	double last_s;
	/* the last date: stamps of one day differ in the time of day alone */
	bool has_date;
	int year, month, day;		/* year as written, 0: none */
	int64_t midnight_s;		/* in the stamp's own zone */
};

/* The stamp that begins at P, when the N bytes begin with one: its length, else 0. */
size_t log_stamp_read(struct log_stamp *out, const char *p, size_t n);

/* The first stamp of a line; its length, else 0. */
size_t log_stamp_find(struct log_stamp *out, const char **at, const char *p, size_t n);

/*
 * The stamp of the line before: several lines are written in a second.  AT is
 * where it stood; the bytes from the line's first to the one behind it are kept.
 */
struct stamp_memo {
	char text[STAMP_PREFIX + STAMP_BYTES_MAX + 1];
	size_t at, n;		/* N is 0: nothing is kept */
	struct log_stamp stamp;
};

/* As log_stamp_find(); quick when the line begins as the one before did. */
size_t log_stamp_find_again(
	struct log_stamp *out, const char **at, struct stamp_memo *memo, const char *p, size_t n);

/* As log_stamp_read() into the memo, quick when it is the same again. */
size_t log_stamp_read_again(struct stamp_memo *memo, const char *p, size_t n);

/* With other digits a stamp might stand in the line, though there is none now. */
bool log_stamp_is_possible(const char *p, size_t n);

/*
 * Seconds since 1970, NaN when the year is not known.  CHANGED_S is when the
 * file was last changed, NaN when that is not known.
 */
double log_clock_read(struct log_clock *c, const struct log_stamp *s, double changed_s);

#endif
