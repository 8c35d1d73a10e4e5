/*
 * test_smooth - both averages against vectors that decimal arithmetic of 40 digits gave,
 * from the definitions alone: the sum of weighted values over the sum of their weights.
 */
#include "config.h"

#include "tests/curve/make_series.h"

#include "base/buf.h"
#include "base/err.h"
#include "curve/smooth.h"

enum { N = 7 };
static const double Y[N] = { 5, 4, NAN, 3, 2, INFINITY, 2.5 };

static void check(enum smooth_mode mode, double parameter, const double *x, const double *want)
{
	struct smooth_options o = { mode, parameter };
	double out[N];

	smooth_apply(&o, x, Y, N, out);
	for (int i = 0; i < N; i++) {
		if (isfinite(want[i]))
			assert_within(out[i], want[i], 1e-12);
		else
			assert_close(out[i], want[i], 0);
	}
}

static void test_by_count(void **state)
{
	static const double at_06[] = { 5, 4.375, NAN, 3.6734693877551021, 2.9044117647058822,
		INFINITY, 2.7290076335877864 };
	static const double at_09[] = { 5, 4.4736842105263159, NAN, 3.9298892988929888,
		3.3687118348357079, INFINITY, 3.1565773729579254 };
	static const double at_1[] = { 0, 0, NAN, 0, 0, INFINITY, 0 };

	(void)state;
	check(SMOOTH_COUNT, 0.6, NULL, at_06);
	check(SMOOTH_COUNT, 0.9, NULL, at_09);
	check(SMOOTH_COUNT, 0, NULL, Y);
	check(SMOOTH_COUNT, 1, NULL, at_1);
}

static void test_by_step(void **state)
{
	static const double even[] = { 0, 10, 20, 30, 40, 50, 60 },
			    gap[] = { 0, 10, 20, 30, 70, 80, 90 };
	static const double at_even[] = { 5, 4.333333333333333, NAN, 3.3636363636363638,
		2.5555555555555554, INFINITY, 2.5164835164835164 };
	static const double at_gap[] = { 5, 4.333333333333333, NAN, 3.3636363636363638,
		2.1079136690647484, INFINITY, 2.4162826420890937 };

	(void)state;
	check(SMOOTH_STEP, 10, even, at_even);
	check(SMOOTH_STEP, 10, gap, at_gap);
}

static void test_short_vectors(void **state)
{
	static const double y[] = { 1, 2, 3 }, with_nan[] = { 1, NAN, 2, 3 }, x[] = { 0, 10, 30 };
	struct smooth_options count = { SMOOTH_COUNT, 0.6 }, step = { SMOOTH_STEP, 10 };
	double out[4];

	(void)state;
	smooth_apply(&count, NULL, y, 3, out);
	assert_close(out[1], 1.625, 1e-12);
	assert_close(out[2], 2.3265306122448979, 1e-12);
	smooth_apply(&count, NULL, with_nan, 4, out);
	assert_true(isnan(out[1]));
	assert_close(out[3], 2.3265306122448979, 1e-12);
	smooth_apply(&step, x, y, 3, out);
	assert_close(out[1], 1.6666666666666667, 1e-12);
	assert_close(out[2], 2.6363636363636362, 1e-12);
}

static double last_of_ramp(enum smooth_mode mode, double parameter, int stride)
{
	struct smooth_options o = { mode, parameter };
	double x[101], out[101];
	size_t n = 0;

	for (int i = 0; i <= 100; i += stride)
		x[n++] = i;
	smooth_apply(&o, x, x, n, out);
	return out[n - 1];
}

static void test_ramp(void **state)
{
	(void)state;
	assert_within(last_of_ramp(SMOOTH_COUNT, 0.9, 1), 91.002414488877861, 1e-9);
	assert_within(last_of_ramp(SMOOTH_COUNT, 0.9, 5), 67.900560104694819, 1e-9);
	assert_within(last_of_ramp(SMOOTH_STEP, 20, 1), 74.78683969748657, 1e-9);
	assert_within(last_of_ramp(SMOOTH_STEP, 20, 5), 76.407586624013035, 1e-9);
}

static void test_constant_is_unchanged(void **state)
{
	static const double y[] = { 0.1, 0.1, 0.1, 0.1 };
	struct smooth_options o = { SMOOTH_COUNT, 1 };
	double out[4];

	(void)state;
	smooth_apply(&o, NULL, y, 4, out);
	for (int i = 0; i < 4; i++)
		assert_true(out[i] == 0.1);
}

static void test_clip_range(void **state)
{
	double y[21], three[] = { 3, 1, 2 }, low, high;

	(void)state;
	for (int i = 0; i < 20; i++)
		y[i] = 20 - i;
	y[20] = 100;
	smooth_clip_range(y, 21, &low, &high);
	assert_close(low, 2, 0);
	assert_close(high, 20, 0);
	smooth_clip_range(three, 3, &low, &high);
	assert_true(low < 2 && high > 2);
	smooth_clip_range(three, 0, &low, &high);
	assert_true(low < high);
}

static void test_parameters(void **state)
{
	struct buf b = BUF_INIT;

	(void)state;
	assert_false(smooth_valid(&(struct smooth_options){ SMOOTH_COUNT, 1.5 }));
	assert_non_null(strstr(err_text(), "between 0 and 1"));
	assert_false(smooth_valid(&(struct smooth_options){ SMOOTH_STEP, 0 }));
	assert_false(smooth_valid(&(struct smooth_options){ SMOOTH_STEP, NAN }));
	assert_true(smooth_valid(&(struct smooth_options){ SMOOTH_STEP, 0.5 }));
	smooth_describe(&b, &(struct smooth_options){ SMOOTH_STEP, 100 });
	assert_string_equal(b.s, "EMA half-life 100");
	buf_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_by_count),
		cmocka_unit_test(test_by_step),
		cmocka_unit_test(test_short_vectors),
		cmocka_unit_test(test_ramp),
		cmocka_unit_test(test_constant_is_unchanged),
		cmocka_unit_test(test_clip_range),
		cmocka_unit_test(test_parameters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
