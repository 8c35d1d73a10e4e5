/* Columns, segments and which points are current; splicing of files. */
#include "config.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "curve/series.h"
#include "curve/series_cursor.h"

static struct series *fresh(struct run_series **run)
{
	*run = run_series_new();
	return run_series_get(*run, "loss", 4, AXIS_STEP);
}

static void append(struct series *s, const int64_t *x, size_t n)
{
	for (size_t i = 0; i < n; i++)
		series_append(s, x[i], NAN, (double)x[i] / 10);
}

static void assert_current(
	const struct series *s, enum segment_policy policy, const size_t *points, size_t n)
{
	size_t *got, n_got = series_current(s, policy, &got);

	assert_int_equal(n_got, n);
	assert_memory_equal(got, points, n * sizeof *points);
	free(got);
}

static void a_falling_step_opens_a_segment(void **state)
{
	static const int64_t x[] = { 0, 10, 10, 20, 30, 15, 25 };
	static const size_t latest[] = { 0, 2, 5, 6 };
	static const size_t first_wins[] = { 0, 2, 3, 4 };
	static const size_t all[] = { 0, 2, 5, 3, 6, 4 };
	struct run_series *run;
	struct series *s = fresh(&run);

	(void)state;
	append(s, x, 7);
	assert_int_equal(s->n_segments, 2);
	assert_int_equal(s->segments[1].first, 5);
	assert_int_equal(s->segments[1].start, 15);
	assert_false(s->segments[1].marked);
	assert_current(s, SEGMENT_LATEST_WINS, latest, 4);
	assert_current(s, SEGMENT_FIRST_WINS, first_wins, 4);
	assert_current(s, SEGMENT_ALL, all, 6);
	run_series_free(run);
}

static void a_marker_supersedes_from_its_start(void **state)
{
	static const int64_t a[] = { 50, 60, 70, 80 }, b[] = { 80, 90 };
	static const size_t latest[] = { 0, 1, 4, 5 };
	struct run_series *run;
	struct series *s = fresh(&run);

	(void)state;
	append(s, a, 4);
	series_open_segment(s, 61, 1, false);
	append(s, b, 2);
	assert_int_equal(s->n_segments, 2);
	assert_true(s->segments[1].marked);
	assert_int_equal(s->segments[1].file, 1);
	assert_current(s, SEGMENT_LATEST_WINS, latest, 4);
	run_series_free(run);
}

/* A marker beyond the first point of its segment cannot spare what that point replaces. */
static void a_start_is_never_more_than_the_first_x(void **state)
{
	static const int64_t a[] = { 50, 60 }, b[] = { 55 };
	static const size_t latest[] = { 0, 2 };
	struct run_series *run;
	struct series *s = fresh(&run);

	(void)state;
	append(s, a, 2);
	series_open_segment(s, 100, 0, false);
	append(s, b, 1);
	assert_int_equal(s->segments[1].start, 55);
	assert_current(s, SEGMENT_LATEST_WINS, latest, 2);
	run_series_free(run);
}

static void parallel_segments_supersede_nothing(void **state)
{
	static const int64_t a[] = { 0, 1, 2 }, b[] = { 0, 1, 2 };
	static const size_t latest[] = { 0, 3, 1, 4, 2, 5 };
	struct run_series *run;
	struct series *s = fresh(&run);

	(void)state;
	append(s, a, 3);
	series_open_segment(s, 0, 1, true);
	append(s, b, 3);
	assert_current(s, SEGMENT_LATEST_WINS, latest, 6);
	series_set_concurrent(s, 1, false);
	assert_current(s, SEGMENT_LATEST_WINS, (const size_t[]){ 3, 4, 5 }, 3);
	run_series_free(run);
}

static void later_restarts_void_all_before(void **state)
{
	static const int64_t x[] = { 10, 20, 30, 15, 25, 12, 14 };
	static const size_t latest[] = { 0, 5, 6 };
	struct run_series *run;
	struct series *s = fresh(&run);

	(void)state;
	append(s, x, 7);
	assert_int_equal(s->n_segments, 3);
	assert_current(s, SEGMENT_LATEST_WINS, latest, 3);
	run_series_free(run);
}

static void floats_stay_small_until_a_double_comes(void **state)
{
	struct run_series *run;
	struct series *s = fresh(&run);

	(void)state;
	for (int i = 0; i < 3000000; i++)
		series_append_float(s, i, 1.0, 0.5f);
	assert_int_equal(s->kind, VALUE_FLOAT);
	assert_true(series_bytes(s) <= s->n * 20 * 5 / 4 + 4096);
	assert_true(series_value(s, 2999999) == 0.5);
	series_append(s, 3000000, 1.0, 0.1);
	assert_int_equal(s->kind, VALUE_DOUBLE);
	assert_true(series_value(s, 0) == 0.5);
	assert_true(series_value(s, 3000000) == 0.1);
	run_series_free(run);
}

static void times_and_epochs_cost_nothing_when_absent(void **state)
{
	struct run_series *run;
	struct series *s = fresh(&run);

	(void)state;
	series_append(s, 1, NAN, 1);
	assert_false(series_has_wall(s));
	assert_false(series_has_epoch(s));
	series_append(s, 2, 100.5, NAN);
	series_set_epoch(s, 0.5);
	assert_true(isnan(series_wall(s, 0)) && series_wall(s, 1) == 100.5);
	assert_true(isnan(series_epoch(s, 0)) && series_epoch(s, 1) == 0.5);
	assert_int_equal(s->n_nonfinite, 1);
	run_series_free(run);
}

static void files_are_spliced_in_their_order(void **state)
{
	static const int64_t later[] = { 100, 110 }, early[] = { 1, 2 }, more[] = { 3, 4 };
	struct run_series *run, *parts;
	struct series *s = fresh(&run), *part = fresh(&parts);

	(void)state;
	append(part, later, 2);
	series_splice(s, part, 1);
	series_clear(part);
	append(part, early, 2);
	series_splice(s, part, 0);
	series_clear(part);
	append(part, more, 2);
	series_splice(s, part, 0);
	assert_int_equal(s->n, 6);
	assert_int_equal(s->n_segments, 2);
	assert_int_equal(s->segments[0].n, 4);
	assert_int_equal(s->segments[1].file, 1);
	for (size_t i = 1; i < s->n; i++)
		assert_true(s->x[i] > s->x[i - 1]);
	series_remove_file(s, 0);
	assert_int_equal(s->n, 2);
	assert_int_equal(s->x[0], 100);
	run_series_free(parts);
	run_series_free(run);
}

static void names_are_bytes_and_axes_are_apart(void **state)
{
	struct run_series *run = run_series_new();
	struct series *a = run_series_get(run, "a\0b", 3, AXIS_STEP),
		      *b = run_series_get(run, "a", 1, AXIS_STEP);

	(void)state;
	assert_ptr_not_equal(a, b);
	assert_ptr_equal(run_series_get(run, "a\0b", 3, AXIS_STEP), a);
	assert_ptr_not_equal(run_series_get(run, "a", 1, AXIS_EPOCH), b);
	assert_ptr_equal(run_series_find(run, "a", -1), b);
	assert_null(run_series_find(run, "c", -1));
	run_series_free(run);
}

/* 100 points in place, and what must be said of them. */
static void a_cursor_appends_what_comes_next(void **state)
{
	struct run_series *run = run_series_new();
	struct series_cursor c = { .room = 0 };
	struct cursor_counts counts = CURSOR_COUNTS_INIT;
	struct series *s;

	(void)state;
	run->staging = true;
	s = run_series_get(run, "loss", 4, AXIS_STEP);
	series_cursor_open(&c, s);
	assert_null(c.series);	/* without a point there is no segment */
	series_append_float(s, 5, 100, 1);
	series_cursor_open(&c, s);
	assert_ptr_equal(c.series, s);
	assert_false(series_cursor_put(&c, 4, 101, 1));
	assert_true(series_cursor_put(&c, 5, 90, NAN));
	assert_true(series_cursor_put(&c, 6, 95, -INFINITY));
	assert_true(series_cursor_put(&c, 9, 110, 0.5f));
	series_cursor_close(&c, &counts);
	assert_int_equal(s->n, 4);
	assert_int_equal(s->n_segments, 1);
	assert_int_equal(s->segments[0].n, 4);
	assert_int_equal(s->n_nonfinite, 2);
	assert_int_equal(s->x[3], 9);
	assert_true(series_value(s, 3) == 0.5);
	assert_true(series_wall(s, 1) == 90 && series_wall(s, 3) == 110);
	assert_int_equal(counts.n, 3);
	assert_int_equal(counts.non_finite, 2);
	assert_true(counts.first_wall_s == 90 && counts.last_wall_s == 110);
	assert_false(series_cursor_put(&c, 10, 120, 1));
	run_series_free(run);
}

/* As many as there is room for, and not one more. */
static void a_cursor_ends_with_the_room(void **state)
{
	struct run_series *run = run_series_new();
	struct series_cursor c = { .room = 0 };
	struct cursor_counts counts = CURSOR_COUNTS_INIT;
	struct series *s;
	size_t room;

	(void)state;
	run->staging = true;
	s = run_series_get(run, "loss", 4, AXIS_STEP);
	series_append_float(s, 0, 0, 0);
	room = s->cap - s->n;
	series_cursor_open(&c, s);
	assert_int_equal(c.room, room);
	for (size_t i = 0; i < room; i++)
		assert_true(series_cursor_put(&c, (int64_t)i, (double)i, (float)i));
	assert_false(series_cursor_put(&c, INT64_MAX, 1, 1));
	series_cursor_close(&c, &counts);
	assert_int_equal(s->n, s->cap);
	assert_int_equal(counts.n, room);
	run_series_free(run);
}

/* Columns that a cursor does not write: packed times, doubles, a segment to be opened. */
static void a_cursor_stays_closed(void **state)
{
	struct run_series *run = run_series_new();
	struct series_cursor c = { .room = 0 };
	struct series *packed = run_series_get(run, "packed", 6, AXIS_STEP), *s;

	(void)state;
	series_append_float(packed, 0, 1, 2);
	series_cursor_open(&c, packed);
	assert_null(c.series);
	run->staging = true;
	s = run_series_get(run, "double", 6, AXIS_STEP);
	series_append(s, 0, 1, 2);
	series_cursor_open(&c, s);
	assert_null(c.series);
	s = run_series_get(run, "marked", 6, AXIS_STEP);
	series_append_float(s, 0, 1, 2);
	series_open_segment(s, 3, 0, false);
	series_cursor_open(&c, s);
	assert_null(c.series);
	assert_false(series_cursor_put(&c, 4, 1, 2));
	run_series_free(run);
}

/* Few names are looked through, many are found by a table: also after a reset. */
static void many_names_are_found_again(void **state)
{
	struct run_series *r = run_series_new();

	(void)state;
	for (int round = 0; round < 2; round++) {
		for (int i = 0; i < 300; i++) {
			char name[16];
			int n = snprintf(name, sizeof name, "m%d", i);

			assert_int_equal(r->n, 2 * i);
			(void)run_series_get(r, name, (size_t)n, AXIS_STEP);
			(void)run_series_get(r, name, (size_t)n, AXIS_EPOCH);
		}
		for (int i = 0; i < 300; i++) {
			char name[16];
			int n = snprintf(name, sizeof name, "m%d", i);

			assert_ptr_equal(run_series_get(r, name, (size_t)n, AXIS_STEP),
				r->series[2 * i]);
			assert_ptr_equal(run_series_get(r, name, (size_t)n, AXIS_EPOCH),
				r->series[2 * i + 1]);
		}
		assert_int_equal(r->n, 600);
		run_series_reset(r);
	}
	run_series_free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_cursor_appends_what_comes_next),
		cmocka_unit_test(a_cursor_ends_with_the_room),
		cmocka_unit_test(a_cursor_stays_closed),
		cmocka_unit_test(a_falling_step_opens_a_segment),
		cmocka_unit_test(a_marker_supersedes_from_its_start),
		cmocka_unit_test(a_start_is_never_more_than_the_first_x),
		cmocka_unit_test(parallel_segments_supersede_nothing),
		cmocka_unit_test(later_restarts_void_all_before),
		cmocka_unit_test(floats_stay_small_until_a_double_comes),
		cmocka_unit_test(times_and_epochs_cost_nothing_when_absent),
		cmocka_unit_test(files_are_spliced_in_their_order),
		cmocka_unit_test(names_are_bytes_and_axes_are_apart),
		cmocka_unit_test(many_names_are_found_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
