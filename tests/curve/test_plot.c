/* test_plot - columns, ticks, read-outs and jumps of a chart. */
#include "config.h"

#include "tests/curve/make_series.h"

#include <stdlib.h>

#include "base/err.h"
#include "curve/plot_data.h"

struct fixture { struct run_series *run; struct plot_source *source; };

static int set_up(void **state)
{
	struct fixture *f = xcalloc(1, sizeof *f);

	f->run = run_series_new();
	f->source = plot_source_new();
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	plot_source_free(f->source);
	run_series_free(f->run);
	free(f);
	return 0;
}

static void load(struct fixture *f, const struct series *s, struct plot_how how)
{
	assert_int_equal(plot_source_update(f->source, s, &how), 0);
}

static struct plot_view fit(struct fixture *f, size_t columns)
{
	struct plot_view v = PLOT_VIEW_INIT;

	plot_view_fit(&v, &f->source, 1, columns, 40);
	return v;
}

/* Every column against a walk over all points. */
static void check_columns(
	const struct plot_source *p, const struct plot_view *v, const struct plot_column *columns)
{
	size_t seen = 0;

	for (size_t c = 0; c < v->columns; c++) {
		double low = v->x0 + (v->x1 - v->x0) * (double)c / (double)v->columns;
		double high = v->x0 + (v->x1 - v->x0) * (double)(c + 1) / (double)v->columns;
		double min = NAN, max = NAN, first = NAN, last = NAN;
		size_t n = 0, bad = 0;

		for (size_t i = 0; i < plot_source_n(p); i++) {
			double x = plot_source_x(p, i), y = plot_source_y(p, i);

			if (x < low || x > high || (x >= high && c + 1 < v->columns))
				continue;
			n++;
			bad += !isfinite(y);
			if (!isfinite(y))
				continue;
			first = isnan(first) ? y : first;
			last = y;
			min = fmin(min, y);
			max = fmax(max, y);
		}
		assert_int_equal(columns[c].n, n);
		assert_int_equal(columns[c].n_nonfinite, bad);
		assert_close(columns[c].min, min, 0);
		assert_close(columns[c].max, max, 0);
		assert_close(columns[c].first, first, 0);
		assert_close(columns[c].last, last, 0);
		seen += n;
	}
	assert_true(seen <= plot_source_n(p));
}

static void test_columns_equal_a_walk(void **state)
{
	struct fixture *f = *state;
	struct series *s = run_series_get(f->run, "m", 1, AXIS_STEP);
	struct plot_column columns[64];
	uint64_t seed = 21;
	int64_t step = 0;

	for (int i = 0; i < 3000; i++) {
		double y = make_random(&seed);

		step += 1 + (int64_t)(make_random(&seed) * 5);
		series_append(s, step, NAN, y < 0.03 ? NAN : y < 0.04 ? INFINITY : y);
	}
	load(f, s, (struct plot_how){ .axis = ALIGN_STEP });
	for (int k = 0; k < 30; k++) {
		struct plot_view v = fit(f, 64);

		if (k) {
			v.x0 = make_random(&seed) * (double)step;
			v.x1 = v.x0 + 1 + make_random(&seed) * 3000;
			plot_view_fit_y(&v, &f->source, 1);
		}
		plot_columns(f->source, &v, columns, NULL);
		check_columns(f->source, &v, columns);
	}
}

/* What is drawn does not depend on when the points came. */
static void test_growth_equals_rebuild(void **state)
{
	static const struct plot_how hows[] = {
		{ .axis = ALIGN_STEP },
		{ .axis = ALIGN_STEP, .smooth = { SMOOTH_COUNT, 0.6 } },
		{ .axis = ALIGN_STEP, .smooth = { SMOOTH_STEP, 5 }, .shift = 3 },
		{ .axis = ALIGN_FROM_START },
	};
	struct fixture *f = *state;

	for (size_t h = 0; h < ARRAY_LEN(hows); h++) {
		struct series *s = run_series_get(
			f->run, (const char *[]){ "a", "b", "c", "d" }[h], 1, AXIS_STEP);
		uint64_t seed = 4;

		for (int i = 0; i < 400; i++) {
			struct plot_source *whole = plot_source_new();
			int64_t step = i < 200 ? 10 * i : 10 * (i - 50);	/* one restart */

			series_append(s, step, NAN, i < 5 ? 1 : make_random(&seed));
			load(f, s, hows[h]);
			assert_int_equal(plot_source_update(whole, s, &hows[h]), 0);
			assert_int_equal(plot_source_n(whole), plot_source_n(f->source));
			for (size_t k = i % 20 ? plot_source_n(whole) - 1 : 0;
				k < plot_source_n(whole); k++) {
				assert_close(
					plot_source_x(f->source, k), plot_source_x(whole, k), 0);
				assert_close(
					plot_source_y(f->source, k), plot_source_y(whole, k), 0);
			}
			plot_source_free(whole);
		}
	}
}

static void test_segments_are_not_joined(void **state)
{
	struct fixture *f = *state;
	struct series *s =
		make_series(f->run, "m", POINTS(0, 1, 10, 2, 20, 3, 30, 4, 20, 9, 30, 8, 40, 7));
	struct plot_column columns[5];
	struct plot_counts counts;
	struct plot_view v;

	load(f, s, (struct plot_how){ .axis = ALIGN_STEP });
	assert_int_equal(plot_source_n(f->source), 5);
	v = fit(f, 5);
	plot_columns(f->source, &v, columns, &counts);
	assert_int_equal(counts.n_restarts, 1);
	assert_true(columns[1].joined);
	assert_false(columns[2].joined);
	assert_true(columns[2].marks & PLOT_RESTART);
	assert_close(columns[2].first, 9, 0);
	assert_true(columns[3].joined);
	assert_false(columns[3].marks & PLOT_RESTART);
}

static void test_marks(void **state)
{
	struct fixture *f = *state;
	struct series *s = make_series(f->run, "m",
		POINTS(0, 1, 1, NAN, 2, 2, 3, INFINITY, 4, -INFINITY, 5, -3, 6, 4));
	struct plot_column columns[7];
	struct plot_counts counts;
	struct plot_view v;

	load(f, s, (struct plot_how){ .axis = ALIGN_STEP });
	v = fit(f, 7);
	plot_columns(f->source, &v, columns, &counts);
	assert_int_equal(columns[1].marks, PLOT_NAN);
	assert_close(columns[1].height, 1, 0);
	assert_true(isnan(columns[1].first));
	assert_false(columns[2].joined);	/* a NaN before it: a lone point */
	assert_int_equal(columns[3].marks, PLOT_PLUS_INF);
	assert_int_equal(columns[4].marks, PLOT_MINUS_INF);
	assert_int_equal(counts.n, 7);
	assert_int_equal(counts.n_nan, 1);
	assert_close(v.y0, -3, 0);
	assert_close(v.y1, 4, 0);
	v.log_y = true;
	plot_view_fit_y(&v, &f->source, 1);
	assert_close(v.y0, 1, 0);
	plot_columns(f->source, &v, columns, &counts);
	assert_int_equal(columns[5].marks, PLOT_NOT_POSITIVE);
	assert_true(isnan(columns[5].first));
	assert_int_equal(counts.n_not_positive, 1);
	assert_int_equal(plot_row(&v, 4), 0);
	assert_int_equal(plot_row(&v, 1), 39);
	assert_int_equal(plot_row(&v, -3), 39);
	assert_int_equal(plot_row(&v, NAN), -1);
	assert_within(plot_row(&v, 2), 19.5, 0.6);
}

static void test_outliers_are_clipped_and_counted(void **state)
{
	struct fixture *f = *state;
	struct series *s = run_series_get(f->run, "m", 1, AXIS_STEP);
	struct plot_column columns[21];
	struct plot_counts counts;
	struct plot_view v = PLOT_VIEW_INIT;

	for (int i = 1; i <= 20; i++)
		series_append(s, i, NAN, i);
	series_append(s, 21, NAN, 100);
	load(f, s, (struct plot_how){ .axis = ALIGN_STEP });
	v.clip = true;
	plot_view_fit(&v, &f->source, 1, 21, 40);
	assert_close(v.y0, 2, 0);
	assert_close(v.y1, 20, 0);
	plot_columns(f->source, &v, columns, &counts);
	assert_int_equal(counts.n_above, 1);
	assert_int_equal(counts.n_below, 1);
	assert_false(counts.outside_is_estimate);
	assert_int_equal(columns[20].marks, PLOT_ABOVE);
	assert_int_equal(columns[0].marks, PLOT_BELOW);
}

static void test_empty_and_single(void **state)
{
	struct fixture *f = *state;
	struct series *s = run_series_get(f->run, "m", 1, AXIS_STEP);
	struct plot_column columns[8];
	struct plot_readout r;
	struct plot_view v;

	load(f, s, (struct plot_how){ .axis = ALIGN_STEP });
	v = fit(f, 8);
	plot_columns(f->source, &v, columns, NULL);
	assert_int_equal(columns[3].n, 0);
	plot_read(&r, f->source, 5);
	assert_false(r.found);
	series_append(s, 7, NAN, 0);
	load(f, s, (struct plot_how){ .axis = ALIGN_STEP });
	v = fit(f, 8);
	assert_true(v.x0 < 7 && v.x1 > 7 && v.y0 < 0 && v.y1 > 0);
	plot_columns(f->source, &v, columns, NULL);
	assert_int_equal(columns[plot_column_of(&v, 7)].n, 1);
	assert_int_equal(
		plot_source_update(f->source, s, &(struct plot_how){ .axis = ALIGN_EPOCH }),
		ERR_NOT_FOUND);
	assert_int_equal(plot_source_n(f->source), 0);
}

static void test_zoom_and_pan(void **state)
{
	struct plot_view v = { .x0 = 0, .x1 = 100, .columns = 10, .rows = 4 };

	(void)state;
	plot_view_zoom(&v, 25, 0.5);
	assert_close(v.x0, 12.5, 1e-12);
	assert_close(v.x1, 62.5, 1e-12);
	plot_view_pan(&v, 0.5);
	assert_close(v.x0, 37.5, 1e-12);
	assert_close(v.x1, 87.5, 1e-12);
	assert_int_equal(plot_column_of(&v, -1e300), 0);
	assert_int_equal(plot_column_of(&v, 1e300), 9);
	v.x0 = v.x1 = 1;
	plot_view_zoom(&v, 1, 1e-30);
	assert_close(v.x0, 1, 0);
}

static void check_ticks(
	double low, double high, bool logarithmic, size_t wanted, const char *labels)
{
	struct plot_tick ticks[PLOT_TICKS_MAX];
	size_t n = plot_ticks(ticks, low, high, logarithmic, wanted);
	char all[512] = "";

	for (size_t i = 0; i < n; i++) {
		strcat(all, i ? " " : "");
		strcat(all, ticks[i].label);
	}
	assert_string_equal(all, labels);
}

/* A read-out near zero: its sign would be that of digits that are not shown. */
static void test_label_of_nearly_zero(void **state)
{
	char label[PLOT_LABEL_MAX];

	(void)state;
	plot_label(label, -0.004, 0.01);
	assert_string_equal(label, "0.00");
	plot_label(label, -0.006, 0.01);
	assert_string_equal(label, "-0.01");
}

static void test_ticks(void **state)
{
	(void)state;
	check_ticks(0, 10, false, 5, "0 5 10");
	check_ticks(0, 10, false, 6, "0 2 4 6 8 10");
	check_ticks(0.31, 0.92, false, 4, "0.4 0.6 0.8");
	check_ticks(0, 30000, false, 4, "0 10k 20k 30k");
	check_ticks(0, 3e6, false, 7, "0 500k 1.0M 1.5M 2.0M 2.5M 3.0M");
	check_ticks(-0.02, 0.02, false, 5, "-0.02 -0.01 0 0.01 0.02");
	check_ticks(1e-5, 5e-5, false, 5, "1e-5 2e-5 3e-5 4e-5 5e-5");
	check_ticks(1e-4, 100, true, 9, "1e-4 0.001 0.01 0.1 1 10 100");
	check_ticks(1e-8, 1e8, true, 5, "1e-8 1e-4 1 10k 100M");
	check_ticks(5, 5, false, 5, "");
	check_ticks(0, NAN, false, 5, "");
	check_ticks(-1e308, 1e308, false, 5, "");
	check_ticks(84.1, 86.9, false, 3, "85 86");
}

static void test_read_out(void **state)
{
	struct fixture *f = *state;
	struct series *s = run_series_get(f->run, "m", 1, AXIS_STEP);
	struct plot_readout r;

	series_append(s, 10, 1000, 4);
	series_append(s, 20, 1005, 2);
	load(f, s,
		(struct plot_how){
			.axis = ALIGN_STEP, .smooth = { SMOOTH_COUNT, 0.5 }, .shift = 100 });
	plot_read(&r, f->source, 119);
	assert_int_equal(r.step, 10);
	plot_read(&r, f->source, 1e9);
	assert_true(r.found);
	assert_close(r.x, 120, 0);
	assert_int_equal(r.step, 20);
	assert_close(r.value, 2, 0);
	assert_close(r.smoothed, 8 / 3.0, 1e-12);
	assert_close(r.wall_s, 1005, 0);
	plot_read(&r, f->source, 5);
	assert_false(r.found);
}

static void test_as_of_a_moment(void **state)
{
	struct fixture *f = *state;
	struct series *s = run_series_get(f->run, "m", 1, AXIS_STEP);

	for (int i = 0; i < 10; i++)
		series_append(s, i, 1000 + i, i);
	load(f, s, (struct plot_how){ .axis = ALIGN_STEP, .until_wall_s = 1004.5 });
	assert_int_equal(plot_source_n(f->source), 5);
	load(f, s, (struct plot_how){ .axis = ALIGN_STEP });
	assert_int_equal(plot_source_n(f->source), 10);
}

static void assert_jump(
	struct fixture *f, enum plot_jump jump, double from, const struct comparison *c, double to)
{
	double x = NAN;

	if (isnan(to)) {
		assert_false(plot_jump(&x, jump, from, &f->source, 1, c));
		return;
	}
	assert_true(plot_jump(&x, jump, from, &f->source, 1, c));
	assert_close(x, to, 0);
}

static void test_jumps(void **state)
{
	struct fixture *f = *state;
	struct series *s = make_series(
		f->run, "m", POINTS(0, 1, 10, NAN, 20, 3, 30, 4, 20, 3, 30, INFINITY, 40, 7));
	struct series *r = make_series(f->run, "r", POINTS(0, 1, 10, 1, 20, 3, 30, 4, 40, 1));
	struct compare_options o = COMPARE_OPTIONS_INIT;
	struct comparison c;

	o.tolerance.atol = 0.5;
	assert_int_equal(compare_series(&c, r, s, &o), 0);
	load(f, s, (struct plot_how){ .axis = ALIGN_STEP });
	assert_jump(f, JUMP_FIRST_OUT, 0, &c, 10);
	assert_jump(f, JUMP_MAX_DELTA, 0, &c, 40);
	assert_jump(f, JUMP_FIRST_OUT, 0, NULL, NAN);
	assert_jump(f, JUMP_LAST, 0, NULL, 40);
	assert_jump(f, JUMP_NEXT_NONFINITE, 0, NULL, 10);
	assert_jump(f, JUMP_NEXT_NONFINITE, 10, NULL, 30);
	assert_jump(f, JUMP_NEXT_NONFINITE, 30, NULL, NAN);
	assert_jump(f, JUMP_PREVIOUS_NONFINITE, 30, NULL, 10);
	assert_jump(f, JUMP_NEXT_RESTART, 0, NULL, 20);
	assert_jump(f, JUMP_PREVIOUS_RESTART, 20, NULL, NAN);
	assert_jump(f, JUMP_NEXT_POINT, 5, NULL, 10);
	assert_jump(f, JUMP_PREVIOUS_POINT, 0, NULL, NAN);
	assert_int_equal(plot_pair_at(&c, 26), 3);
	assert_int_equal(plot_pair_at(&c, 25), 2);
	assert_int_equal(plot_pair_at(&c, 1e9), 4);
	comparison_release(&c);
}

static void test_delta_pane(void **state)
{
	struct fixture *f = *state;
	struct series *r = make_series(f->run, "r", POINTS(0, 1, 10, 2, 20, 4));
	struct series *a = make_series(f->run, "a", POINTS(0, 1.5, 10, NAN, 20, 3));
	struct compare_options o = COMPARE_OPTIONS_INIT;
	struct comparison c;
	struct plot_readout out;

	o.tolerance.rtol = 0.1;
	assert_int_equal(compare_series(&c, r, a, &o), 0);
	plot_source_delta(f->source, &c, DELTA_PLAIN);
	assert_int_equal(plot_source_n(f->source), 3);
	assert_close(plot_source_y(f->source, 0), 0.5, 0);
	assert_true(isnan(plot_source_y(f->source, 1)));
	plot_read(&out, f->source, 20);
	assert_close(out.value, -1, 0);
	plot_source_tolerance(f->source, &c, DELTA_PLAIN);
	assert_close(plot_source_y(f->source, 2), 0.4, 1e-12);
	comparison_release(&c);
}

/* The difference of long curves is computed on demand, column for column the
 * same as from an array. */
static void test_delta_on_demand(void **state)
{
	struct fixture *f = *state;
	struct series *r = make_series(f->run, "r", NULL, 0),
		      *a = make_series(f->run, "a", NULL, 0);
	struct compare_options o = COMPARE_OPTIONS_INIT;
	struct plot_source *lazy = plot_source_new(), *eager = plot_source_new();
	struct plot_view v = PLOT_VIEW_INIT;
	struct plot_column x[64], y[64];
	struct comparison c, d;

	for (int64_t i = 0; i < 70000; i++) {
		series_append(r, i, NAN, (double)(i % 101));
		series_append(a, i, NAN, i == 40000 ? NAN : (double)(i % 97));
	}
	assert_int_equal(compare_series(&c, r, a, &o), 0);
	assert_null(c.alignment.pairs);
	o.align.axis = ALIGN_FROM_START;
	assert_int_equal(compare_series(&d, r, a, &o), 0);
	assert_non_null(d.alignment.pairs);
	assert_int_equal(c.n_inside, d.n_inside);
	assert_int_equal(c.max_abs, d.max_abs);
	plot_source_delta(lazy, &c, DELTA_RELATIVE);
	plot_source_delta(eager, &d, DELTA_RELATIVE);
	assert_true(plot_source_bytes(lazy) < plot_source_bytes(eager) / 4);
	plot_view_fit(&v, (struct plot_source *const[]){ eager }, 1, 64, 40);
	plot_columns(lazy, &v, x, NULL);
	plot_columns(eager, &v, y, NULL);
	for (size_t i = 0; i < 64; i++) {
		assert_int_equal(x[i].n, y[i].n);
		assert_int_equal(x[i].marks, y[i].marks);
		assert_close(x[i].min, y[i].min, 0);
		assert_close(x[i].max, y[i].max, 0);
	}
	plot_source_free(lazy);
	plot_source_free(eager);
	comparison_release(&c);
	comparison_release(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_columns_equal_a_walk, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_growth_equals_rebuild, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_segments_are_not_joined, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_marks, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			test_outliers_are_clipped_and_counted, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_empty_and_single, set_up, tear_down),
		cmocka_unit_test(test_zoom_and_pan),
		cmocka_unit_test_setup_teardown(test_delta_on_demand, set_up, tear_down),
		cmocka_unit_test(test_ticks),
		cmocka_unit_test(test_label_of_nearly_zero),
		cmocka_unit_test_setup_teardown(test_read_out, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_as_of_a_moment, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_jumps, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_delta_pane, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
