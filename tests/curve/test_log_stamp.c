/* Times in front of printed lines: which are read, and what is not known stays so. */
#include "config.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/mem.h"
#include "curve/log_stamp.h"
#include "curve/run_files.h"

enum { NOT = -1 };

/* 2026-11-01 10:00:03 UTC is 1793527203. */
static const struct line {
	const char *text;
	double seconds;		/* by a file changed on 2026-11-30; NOT: no stamp */
	size_t length;
	bool zone_unknown, year;
} lines[] = {
	{ "2026-11-01 10:00:03 | INFO | train_inner | {", 1793527203, 19, true, true },
	{ "[2026-11-01 10:00:03,123] [INFO] step 1", 1793527203.123, 23, true, true },
	{ "2026-11-01T10:00:03.5Z step 1", 1793527203.5, 22, false, true },
	{ "2026-11-01T12:00:03+02:00 step 1", 1793527203, 25, false, true },
	{ "2026-11-01 04:30:03-0530 step 1", 1793527203, 24, false, true },
	{ "2026-11-01 10:00:03.123456: I tensorflow/core", 1793527203.123456, 26, true, true },
	{ "2026/11/01 10:00:03 - mmengine - INFO - Epoch", 1793527203, 19, true, true },
	{ "11/01/2026 10:00:03 - INFO - __main__ - step", 1793527203, 19, true, true },
	{ "[11/01 10:00:03 d2.utils.events]:  eta", 1793527203, 14, true, false },
	{ "I1101 10:00:03.123456 140 metric_logger.py:181] completed", 1793527203.123456, 21, true,
		false },
	{ "W20261101 10:00:03.123456 140 main.cc:1] x", 1793527203.123456, 25, true, true },
	{ "[INFO|trainer.py:1994] 2026-11-01 10:00:03,123 >> {", 1793527203.123, 23, true, true },
	{ "(rank0) 2026-11-01 10:00:03 step", 1793527203, 19, true, true },
	{ "2024-02-29 00:00:00 x", 1709164800, 19, true, true },
	/* not after the change: 2025 */
	{ "I1231 23:59:59.5 x", 1767225599.5, 16, true, false },
	{ "[10:00:03] step 1 loss 2", NOT, 0, false, false },
	{ "10:00:03 step 1", NOT, 0, false, false },
	{ "2026-13-01 10:00:03 x", NOT, 0, false, false },
	{ "2026-11-32 10:00:03 x", NOT, 0, false, false },
	{ "2026-11-01 24:00:03 x", NOT, 0, false, false },
	{ "2026-11-01 10:60:03 x", NOT, 0, false, false },
	{ "2026-11-01 10:00 x", NOT, 0, false, false },
	{ "2026-11/01 10:00:03 x", NOT, 0, false, false },
	{ "2026-11-01 10:00:03x", NOT, 0, false, false },
	{ "run2026-11-01 10:00:03 x", NOT, 0, false, false },
	{ "13/01 10:00:03 x", NOT, 0, false, false },
	{ "X1101 10:00:03.1 x", NOT, 0, false, false },
	{ "{\"date\": \"2026-11-01 10:00:03\", \"step\": 1}", NOT, 0, false, false },
	{ "a line that is longer than the prefix of any logger 2026-11-01 10:00:03", NOT, 0, false,
		false },
	{ "", NOT, 0, false, false },
};

enum { CHANGED_S = 1796000000 };

static void lines_tell_their_time(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
		const struct line *line = &lines[i];
		size_t n = strlen(line->text), length;
		char *copy = xmalloc(n ? n : 1);
		struct log_clock clock = { .running = false };
		struct log_stamp stamp;
		const char *at = NULL;
		double seconds;

		memcpy(copy, line->text, n);	/* nothing behind it can be read */
		length = log_stamp_find(&stamp, &at, copy, n);
		if (length != line->length)
			fail_msg("%s: a stamp of %zu bytes", line->text, length);
		if (length) {
			seconds = log_clock_read(&clock, &stamp, CHANGED_S);
			if (seconds != line->seconds)
				fail_msg("%s: %.9f", line->text, seconds);
			assert_int_equal(stamp.zone_unknown, line->zone_unknown);
			assert_int_equal(stamp.year != 0, line->year);
			assert_true(log_stamp_is_possible(copy, n));
		}
		for (size_t k = 0; k < n; k++)
			(void)log_stamp_find(&stamp, &at, copy, k);
		free(copy);
	}
}

static double read_at(struct log_clock *clock, const char *text, double changed_s)
{
	struct log_stamp stamp;

	assert_int_not_equal(log_stamp_read(&stamp, text, strlen(text)), 0);
	return log_clock_read(clock, &stamp, changed_s);
}

static void years_follow_from_what_was_before(void **state)
{
	struct log_clock clock = { .running = false }, none = { .running = false };
	double first = read_at(&clock, "I1231 23:59:50", CHANGED_S);

	(void)state;
	assert_true(first == 1767225590.0);
	assert_true(read_at(&clock, "I0101 00:00:10", CHANGED_S) == first + 20);
	assert_true(read_at(&clock, "I1231 23:59:55", CHANGED_S) == first + 5);
	assert_true(read_at(&clock, "2020-01-01 00:00:00", CHANGED_S) == 1577836800);
	assert_true(read_at(&clock, "11/01 10:00:03", CHANGED_S) == 1793527203 - 365 * 86400);
	assert_true(isnan(read_at(&none, "I1231 23:59:50", NAN)));
	assert_true(read_at(&none, "2026-11-01 10:00:03", NAN) == 1793527203);
}

static void digits_may_make_a_stamp(void **state)
{
	(void)state;
	assert_true(log_stamp_is_possible("2026-99-01 10:00:03 x", 21));
	assert_true(log_stamp_is_possible("rank 7 9:9 x", 12));
	assert_false(log_stamp_is_possible("[10:00:03] step 1 loss: 2", 25));
	assert_false(log_stamp_is_possible("step 10 loss 2.5", 16));
	assert_false(log_stamp_is_possible("", 0));
}

static void append(const char *path, const char *text)
{
	struct timespec times[2] = { { CHANGED_S, 0 }, { CHANGED_S, 0 } };
	FILE *f = fopen(path, "a");

	assert_non_null(f);
	fputs(text, f);
	assert_int_equal(fclose(f), 0);
	assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

static const struct series *series_of(const struct run_files *run, const char *name)
{
	const struct series *s = run_series_find(run->series, name, -1);

	assert_non_null(s);
	return s;
}

/* A log that grows over the turn of the year, by a logger that writes no year. */
static void a_growing_log_has_wall_times(void **state)
{
	char folder[] = "/tmp/log-stamp-XXXXXX";
	struct run_files *run = run_files_new(NULL);
	const struct series *s;
	char *path;

	(void)state;
	assert_non_null(mkdtemp(folder));
	path = xasprintf("%s/train.log", folder);
	append(path, "I1231 23:59:58.5 7 m.py:1] completed step: 1, loss: 2.5\n"
		"I1231 23:59:59.5 7 m.py:1] completed step: 2, loss: 2.25\n");
	assert_int_equal(run_files_add(run, path), 0);
	assert_int_equal(run_files_read(run, NULL), 0);
	append(path, "I0101 00:00:00.5 7 m.py:1] completed step: 3, loss: 2\n\rstep 4 loss: 1.5\n");
	assert_int_equal(run_files_read(run, NULL), 0);
	s = series_of(run, "loss");
	assert_int_equal(s->n, 4);
	for (size_t i = 0; i < 3; i++)
		assert_true(series_wall(s, i) == 1767225598.5 + (double)i);
	assert_true(isnan(series_wall(s, 3)));
	assert_true(series_has_wall(s));
	assert_false(series_has_instants(s));
	assert_true(curve_notes_has(&run->notes, "zone-unknown"));
	assert_true(curve_notes_has(&run->notes, "year-unknown"));
	run_files_free(run);
	unlink(path);
	rmdir(folder);
	free(path);
}

/* Year and zone are written: nothing is assumed. */
static void a_full_stamp_is_an_instant(void **state)
{
	char folder[] = "/tmp/log-stamp-XXXXXX";
	struct run_files *run;
	char *path;

	(void)state;
	assert_non_null(mkdtemp(folder));
	path = xasprintf("%s/train.log", folder);
	append(path,
		"[2026-11-01T10:00:03.25Z] {'loss': 2.5, 'epoch': 0.5}\n[2026-11-01T10:00:04.25Z] {'loss': 2, 'epoch': 1}\n");
	assert_int_equal(run_files_load(&run, path, NULL), 0);
	assert_true(series_has_instants(series_of(run, "loss")));
	assert_true(series_wall(series_of(run, "loss"), 1) == 1793527204.25);
	assert_int_equal(run->notes.n, 0);
	run_files_free(run);
	unlink(path);
	rmdir(folder);
	free(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_tell_their_time),
		cmocka_unit_test(years_follow_from_what_was_before),
		cmocka_unit_test(digits_may_make_a_stamp),
		cmocka_unit_test(a_growing_log_has_wall_times),
		cmocka_unit_test(a_full_stamp_is_an_instant),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
