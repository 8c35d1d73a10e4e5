/* test_plot_lines - lines across the edges, bands, restarts, smoothing as it is drawn,
 * outliers of several curves, axes of time. */
#include "config.h"

#include "tests/curve/make_series.h"

#include <stdlib.h>

#include "curve/plot_data.h"

enum { SOURCES = 4, COLUMNS = 40 };

struct fixture { struct run_series *run; struct plot_source *sources[SOURCES]; };

static int set_up(void **state)
{
	struct fixture *f = xcalloc(1, sizeof *f);

	f->run = run_series_new();
	for (int i = 0; i < SOURCES; i++)
		f->sources[i] = plot_source_new();
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	for (int i = 0; i < SOURCES; i++)
		plot_source_free(f->sources[i]);
	run_series_free(f->run);
	free(f);
	return 0;
}

static struct plot_source *load(
	struct fixture *f, int i, const struct series *s, struct plot_how how)
{
	assert_int_equal(plot_source_update(f->sources[i], s, &how), 0);
	return f->sources[i];
}

/* Between two points nothing was measured, yet the line is there at any zoom. */
static void test_lines_cross_the_edges(void **state)
{
	struct fixture *f = *state;
	struct plot_source *p = load(f, 0,
		make_series(f->run, "m", POINTS(0, 0, 100, 10, 200, 30)), (struct plot_how){ 0 });
	struct plot_view v = { .x0 = 50, .x1 = 150, .columns = 10, .rows = 10 };
	struct plot_ends ends = plot_ends(p, &v);

	assert_close(ends.left, 5, 1e-12);
	assert_close(ends.right, 20, 1e-12);
	v.x0 = 110;
	v.x1 = 120;		/* no point at all */
	ends = plot_ends(p, &v);
	assert_close(ends.left, 12, 1e-12);
	assert_close(ends.right, 14, 1e-12);
	plot_view_fit_y(&v, &p, 1);
	assert_close(v.y0, 12, 1e-12);
	assert_close(v.y1, 14, 1e-12);
	v.x0 = -10;
	v.x1 = 300;
	ends = plot_ends(p, &v);
	assert_true(isnan(ends.left) && isnan(ends.right));
	v.x0 = 100;		/* a point on the edge is no line from outside */
	ends = plot_ends(p, &v);
	assert_true(isnan(ends.left));
}

static void test_nothing_crosses_a_gap(void **state)
{
	struct fixture *f = *state;
	struct plot_view v = { .x0 = 12, .x1 = 18, .columns = 6, .rows = 10 };
	struct plot_source *gap = load(f, 0, make_series(f->run, "gap", POINTS(10, 1, 20, NAN)),
		(struct plot_how){ 0 });
	struct plot_source *restart = load(f, 1,
		make_series(f->run, "restart", POINTS(0, 1, 10, 2, 30, 3, 20, 9, 30, 8)),
		(struct plot_how){ 0 });
	struct plot_ends ends = plot_ends(gap, &v);

	assert_true(isnan(ends.left) && isnan(ends.right));
	ends = plot_ends(restart, &v);		/* 10 is of the first segment, 20 of the second */
	assert_true(isnan(ends.left) && isnan(ends.right));
}

/* On a logarithmic axis a straight line on the screen is no straight line in y. */
static void test_edges_of_logarithmic_axes(void **state)
{
	struct fixture *f = *state;
	struct plot_source *p = load(f, 0,
		make_series(f->run, "m", POINTS(1, 1, 100, 10000)), (struct plot_how){ 0 });
	struct plot_view v = {
		.x0 = 10, .x1 = 90, .columns = 9, .rows = 9, .log_x = true, .log_y = true
	};

	assert_close(plot_ends(p, &v).left, 100, 1e-9);
	v.log_x = false;
	v.x0 = 50.5;
	assert_close(plot_ends(p, &v).left, 100, 1e-9);
}

/* The value that is drawn at X: on a point, or on the line between two. */
static double drawn_at(const struct plot_source *p, double x)
{
	for (size_t i = 0; i + 1 < plot_source_n(p); i++) {
		double x0 = plot_source_x(p, i), x1 = plot_source_x(p, i + 1);

		if (x >= x0 && x <= x1)
			return plot_source_y(p, i) +
				(plot_source_y(p, i + 1) - plot_source_y(p, i)) * (x - x0) /
				(x1 - x0);
	}
	return NAN;
}

/* Three seeds, each logged elsewhere: the band holds the line of each everywhere. */
static void test_band_of_sparse_seeds(void **state)
{
	struct fixture *f = *state;
	struct plot_column band[COLUMNS];
	struct plot_view v = PLOT_VIEW_INIT;
	uint64_t seed = 5;

	for (int i = 0; i < 3; i++) {
		char name[2] = { (char)('a' + i), '\0' };
		struct series *s = run_series_get(f->run, name, 1, AXIS_STEP);

		for (int x = 0; x <= 200; x += 20 + i)
			series_append(s, x, NAN, 1 + make_random(&seed));
		load(f, i, s, (struct plot_how){ 0 });
	}
	plot_view_fit(&v, f->sources, 3, COLUMNS, 40);
	v.x0 = 33;
	v.x1 = 151;		/* a window that begins and ends between points */
	plot_view_fit_y(&v, f->sources, 3);
	plot_band(f->sources, 3, &v, band);
	for (size_t i = 0; i < COLUMNS; i++) {
		double slack = 0.5 * 118.0 / COLUMNS / 20, low = INFINITY, high = -INFINITY;

		assert_int_equal(band[i].n, 3);
		for (int k = 0; k < 3; k++) {
			double y = drawn_at(f->sources[k], plot_x_of(&v, i));

			low = fmin(low, y);
			high = fmax(high, y);
		}
		/* A column is as wide as a fourteenth of the way between two points. */
		assert_within(band[i].min, low, 2 * slack);
		assert_within(band[i].max, high, 2 * slack);
	}
}

static void test_band_of_noise_and_gaps(void **state)
{
	struct fixture *f = *state;
	struct series *noise = run_series_get(f->run, "noise", 5, AXIS_STEP),
		      *short_one = make_series(f->run, "s", POINTS(0, 5, 10, 5, 20, NAN, 30, 5));
	struct plot_column band[4];
	struct plot_view v = PLOT_VIEW_INIT;

	for (int i = 0; i < 400; i++)
		series_append(noise, i, NAN, i % 2 ? 1 : 2);
	load(f, 0, noise, (struct plot_how){ 0 });
	load(f, 1, short_one, (struct plot_how){ 0 });
	plot_view_fit(&v, f->sources, 2, 4, 40);
	plot_band(f->sources, 1, &v, band);
	for (int i = 0; i < 4; i++) {
		assert_close(band[i].min, 1, 0);
		assert_close(band[i].max, 2, 0);
	}
	plot_band(f->sources, 2, &v, band);
	assert_close(band[0].max, 5, 0);	/* all of its points are in the first column */
	assert_close(band[1].max, 2, 0);	/* the shorter seed ended */
	plot_band(NULL, 0, &v, band);
	assert_int_equal(band[0].n, 0);
	assert_true(isnan(band[0].min));
}

/* TensorBoard takes the percentiles of all curves of a chart together. */
static void test_outliers_of_several_curves(void **state)
{
	struct fixture *f = *state;
	struct series *a = run_series_get(f->run, "a", 1, AXIS_STEP),
		      *b = make_series(f->run, "b", POINTS(1, 100));
	struct plot_view v = PLOT_VIEW_INIT;
	struct plot_column columns[21];
	struct plot_counts counts;

	for (int i = 1; i <= 20; i++)
		series_append(a, i, NAN, i);
	load(f, 0, a, (struct plot_how){ 0 });
	load(f, 1, b, (struct plot_how){ 0 });
	v.clip = true;
	plot_view_fit(&v, f->sources, 2, 21, 40);
	assert_close(v.y0, 2, 0);
	assert_close(v.y1, 20, 0);
	plot_columns(f->sources[1], &v, columns, &counts);
	assert_int_equal(counts.n_above, 1);
	assert_int_equal(columns[0].marks & PLOT_ABOVE, PLOT_ABOVE);
	v.log_y = true;
	plot_view_fit_y(&v, f->sources, 2);
	assert_close(v.y1, 20, 0);
}

/* What is drawn smoothed is TensorBoard's average to the last bit, of the current
 * points alone, and does not change with the way in which the points came. */
static void test_smoothing_as_drawn(void **state)
{
	static const double y[] = { 5, 4, NAN, 3, 2, INFINITY, 2.5 };
	static const double weights[] = { 0, 0.3, 0.6, 0.9, 0.999 };
	struct fixture *f = *state;

	for (size_t w = 0; w < ARRAY_LEN(weights); w++) {
		char name[2] = { (char)('0' + w), '\0' };
		struct series *s = run_series_get(f->run, name, 1, AXIS_STEP);
		struct plot_how how = { .smooth = { SMOOTH_COUNT, weights[w] } };
		double last = 0;
		int n = 0;

		for (size_t i = 0; i < ARRAY_LEN(y); i++) {
			series_append(s, (int64_t)i * 10, NAN, y[i]);
			load(f, 0, s, how);
		}
		for (size_t i = 0; i < ARRAY_LEN(y); i++) {
			struct plot_readout r;

			plot_read_point(&r, f->sources[0], i);
			assert_close(r.value, y[i], 0);
			if (!isfinite(y[i])) {
				assert_close(plot_source_y(f->sources[0], i), y[i], 0);
				continue;
			}
			last = last * weights[w] + (1 - weights[w]) * y[i];
			n++;
			assert_within(plot_source_y(f->sources[0], i),
				last / (1 - pow(weights[w], n)), 1e-12);
			assert_within(r.smoothed, last / (1 - pow(weights[w], n)), 1e-12);
		}
	}
}

/* Superseded points are not smoothed into the current ones. */
static void test_smoothing_of_a_restart(void **state)
{
	struct fixture *f = *state;
	struct series *s = make_series(f->run, "m", POINTS(0, 1, 10, 2, 20, 3, 10, 8, 20, 9)),
		      *current = make_series(f->run, "c", POINTS(0, 1, 10, 8, 20, 9));
	struct plot_how how = { .smooth = { SMOOTH_COUNT, 0.6 } };

	load(f, 0, s, how);
	load(f, 1, current, how);
	assert_int_equal(plot_source_n(f->sources[0]), 3);
	for (size_t i = 0; i < 3; i++)
		assert_close(plot_source_y(f->sources[0], i), plot_source_y(f->sources[1], i),
			0);
}

/* All points of a run that went over the same steps again: one restart, and no line
 * between a point and one of another segment at the same place. */
static void test_all_segments(void **state)
{
	struct fixture *f = *state;
	struct series *s = make_series(f->run, "m",
		POINTS(0, 1, 10, 2, 20, 3, 30, 4, 10, 8, 20, 9, 30, 10, 40, 11));
	struct plot_how how = { .policy = SEGMENT_ALL };
	struct plot_column columns[9];
	struct plot_counts counts;
	struct plot_view v = PLOT_VIEW_INIT;
	double to = 0;

	load(f, 0, s, how);
	assert_int_equal(plot_source_n(f->sources[0]), 8);
	plot_view_fit(&v, f->sources, 1, 9, 40);
	plot_columns(f->sources[0], &v, columns, &counts);
	assert_int_equal(counts.n_restarts, 1);
	assert_true(columns[2].marks & PLOT_RESTART);	/* at 10 */
	assert_false(columns[4].joined);
	assert_close(columns[4].min, 3, 0);
	assert_close(columns[4].max, 9, 0);
	assert_true(plot_jump(&to, JUMP_NEXT_RESTART, 0, f->sources, 1, NULL));
	assert_close(to, 10, 0);
	assert_false(plot_jump(&to, JUMP_NEXT_RESTART, 10, f->sources, 1, NULL));
	how.policy = SEGMENT_FIRST_WINS;
	load(f, 1, s, how);
	assert_int_equal(plot_source_n(f->sources[1]), 5);
	assert_close(plot_source_y(f->sources[1], 3), 4, 0);
}

/* A writer beside the first one restarts nothing. */
static void test_concurrent_writers(void **state)
{
	struct fixture *f = *state;
	struct series *s = make_series(f->run, "m", POINTS(0, 1, 20, 2));
	struct plot_column columns[5];
	struct plot_counts counts;
	struct plot_view v = PLOT_VIEW_INIT;

	series_open_segment(s, 10, 1, true);
	series_append(s, 10, NAN, 5);
	series_append(s, 30, NAN, 6);
	load(f, 0, s, (struct plot_how){ 0 });
	plot_view_fit(&v, f->sources, 1, 5, 40);
	plot_columns(f->sources[0], &v, columns, &counts);
	assert_int_equal(counts.n_restarts, 0);
}

static void test_nearest_point(void **state)
{
	struct fixture *f = *state;
	struct plot_readout r;

	load(f, 0, make_series(f->run, "m", POINTS(10, 1, 20, 2, 40, 4)), (struct plot_how){ 0 });
	plot_read_nearest(&r, f->sources[0], 0);
	assert_close(r.x, 10, 0);
	plot_read_nearest(&r, f->sources[0], 14);
	assert_close(r.x, 10, 0);
	plot_read_nearest(&r, f->sources[0], 15);	/* as near: the earlier one */
	assert_close(r.x, 10, 0);
	plot_read_nearest(&r, f->sources[0], 31);
	assert_close(r.x, 40, 0);
	assert_close(r.value, 4, 0);
	plot_read_nearest(&r, f->sources[0], 99);
	assert_close(r.x, 40, 0);
	plot_read_nearest(&r, f->sources[1], 1);
	assert_false(r.found);
}

static void check_ticks(double low, double high, size_t wanted, bool wall, const char *labels)
{
	struct plot_tick ticks[PLOT_TICKS_MAX];
	size_t n = plot_time_ticks(ticks, low, high, wanted, wall);
	struct buf b = BUF_INIT;

	for (size_t i = 0; i < n; i++) {
		buf_addf(&b, "%s%s", i ? " " : "", ticks[i].label);
		assert_true(ticks[i].value >= low && ticks[i].value <= high);
	}
	assert_string_equal(b.s, labels);
	buf_release(&b);
}

static void test_ticks_of_time(void **state)
{
	(void)state;
	setenv("TZ", "UTC", 1);
	check_ticks(0, 10, 3, false, "0 5s 10s");
	check_ticks(0, 300, 4, false, "0 2m 4m");
	check_ticks(0, 90, 5, false, "0 30s 1m 1m30");
	check_ticks(0, 7200, 5, false, "0 30m 1h 1h30 2h");
	check_ticks(0, 200000, 4, false, "0 1d 2d");
	/* 27 Oct 2025 09:06:40 UTC and 23 hours on */
	check_ticks(1761556000, 1761638800, 5, true, "12:00 18:00 28 Oct 06:00");
	check_ticks(1761556000, 1761556100, 4, true, "09:07:00 09:07:30 09:08:00");
	check_ticks(0, 1, 3, false, "0 0.5 1.0");
}

/* Ticks of one axis have one form. */
static void test_labels_are_alike(void **state)
{
	struct plot_tick ticks[PLOT_TICKS_MAX];
	size_t n = plot_ticks(ticks, 0.00095, 0.00105, false, 4);

	(void)state;
	assert_true(n >= 2);
	for (size_t i = 0; i < n; i++)
		assert_null(strchr(ticks[i].label, 'e'));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_lines_cross_the_edges),
		TEST(test_nothing_crosses_a_gap),
		TEST(test_edges_of_logarithmic_axes),
		TEST(test_band_of_sparse_seeds),
		TEST(test_band_of_noise_and_gaps),
		TEST(test_outliers_of_several_curves),
		TEST(test_smoothing_as_drawn),
		TEST(test_smoothing_of_a_restart),
		TEST(test_all_segments),
		TEST(test_concurrent_writers),
		TEST(test_nearest_point),
		TEST(test_ticks_of_time),
		TEST(test_labels_are_alike),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
