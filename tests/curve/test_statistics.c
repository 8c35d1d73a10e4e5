/* test_statistics - quantiles against published values, tests against vectors. */
#include "config.h"

#include "tests/curve/make_series.h"

#include "curve/statistics.h"

static void test_student(void **state)
{
	static const struct { double p, nu, t; } rows[] = {
		{ 0.975, 1, 12.706204736432095 }, { 0.975, 2, 4.302652729911275 },
		{ 0.975, 4, 2.7764451051977987 }, { 0.975, 9, 2.2621571628540993 },
		{ 0.95, 1, 6.313751514675043 }, { 0.95, 2, 2.919985580355516 },
		{ 0.95, 10, 1.8124611228107335 }, { 0.95, 30, 1.6972608865939609 },
		{ 0.995, 5, 4.032142983557536 }, { 0.95, 11, 1.7958848187036691 },
		{ 0.95, 3.992, 2.1331 }, { 0.95, 9, 1.8331129326536335 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		double want = rows[i].t, precision = want == 2.1331 ? 2e-5 : 1e-9;

		assert_close(student_quantile(rows[i].p, rows[i].nu), want, precision);
		assert_close(student_quantile(1 - rows[i].p, rows[i].nu), -want, precision);
	}
	assert_close(student_cdf(0, 7), 0.5, 0);
	assert_close(student_cdf(1, 1), 0.75, 1e-12);
	assert_true(isnan(student_quantile(0.5, 0)));
	assert_true(isnan(student_quantile(1.5, 3)));
}

static void test_student_inverts(void **state)
{
	uint64_t seed = 11;

	(void)state;
	for (int i = 0; i < 200; i++) {
		double p = 0.001 + 0.998 * make_random(&seed), nu = 0.5 + 60 * make_random(&seed);

		assert_close(student_cdf(student_quantile(p, nu), nu), p, 1e-11);
	}
}

static void test_normal_and_chi_square(void **state)
{
	(void)state;
	assert_close(normal_quantile(0.975), 1.959963984540054, 1e-12);
	assert_close(normal_quantile(0.95), 1.6448536269514722, 1e-12);
	assert_close(normal_cdf(-5), 2.866515718791939e-07, 1e-11);
	assert_close(chi_square_quantile(0.975, 2), 7.377758908227871, 1e-11);
	assert_close(chi_square_quantile(0.025, 4), 0.48441855708793014, 1e-10);
	assert_close(chi_square_cdf(3.841458820694124, 1), 0.95, 1e-11);
	assert_close(gamma_regularised(1, 2), 1 - exp(-2), 1e-13);
	assert_close(beta_regularised(2, 3, 0.4), 0.5248, 1e-12);
}

static void test_intervals(void **state)
{
	struct interval i;

	(void)state;
	i = wilson_interval(1, 7, 0.95);
	assert_within(i.low, 0.0257, 5e-5);
	assert_within(i.high, 0.5131, 5e-5);
	i = binomial_exact_interval(1, 7, 0.95);
	assert_within(i.low, 0.0036, 5e-5);
	assert_within(i.high, 0.5787, 5e-5);
	i = wilson_interval(2, 4, 0.95);
	assert_within(i.low, 0.150, 5e-4);
	assert_within(i.high, 0.850, 5e-4);
	i = poisson_exact_interval(2, 0.95);
	assert_within(i.low, 0.24221, 5e-6);
	assert_within(i.high, 7.22469, 1e-5);
	assert_close(poisson_exact_interval(0, 0.95).high, 3.688879454113936, 1e-10);
	i = sd_interval(1, 2, 0.95);
	assert_within(i.low, 0.45, 5e-3);
	assert_within(i.high, 31.9, 5e-2);
	i = sd_interval(1, 3, 0.95);
	assert_within(i.low, 0.52, 5e-3);
	assert_within(i.high, 6.29, 1e-2);
	i = sd_interval(1, 5, 0.95);
	assert_within(i.low, 0.60, 5e-3);
	assert_within(i.high, 2.87, 5e-3);
	i = fisher_z_interval(0.8615, 1500, 0.95);
	assert_within(i.low, 0.8454, 1e-4);
	assert_within(i.high, 0.8760, 1e-4);
	assert_true(isnan(wilson_interval(3, 0, 0.95).low));
	/* Beta(2, 7): mean 0.222, middle 95 %. */
	assert_within(beta_quantile(0.025, 2, 7), 0.032, 5e-4);
	assert_within(beta_quantile(0.975, 2, 7), 0.527, 5e-4);
}

static void test_autocorrelation(void **state)
{
	static const double v[] = { 1, .8, .9, .5, .2, .1, -.3, -.4, -.9, -1 };
	double phi = autocorrelation(v, ARRAY_LEN(v));

	(void)state;
	assert_within(phi, 0.70859, 5e-6);
	assert_within(effective_size(ARRAY_LEN(v), phi), 1.7056, 5e-5);
	assert_within(effective_size(73, 0.5), 24.33, 5e-3);
	assert_within(effective_size(73, 0.9), 3.842, 5e-4);
}

static void test_memory_trend(void **state)
{
	static const double x[] = { 0, 100, 200, 300, 400 }, y[] = { 4.0, 4.1, 4.21, 4.3, 4.42 };
	struct trend t = theil_sen(x, y, 5);
	struct mann_kendall m = mann_kendall(y, 5);

	(void)state;
	assert_close(t.slope, 0.00105, 1e-9);
	assert_int_equal(t.n_used, 5);
	assert_int_equal(m.s, 10);
	assert_within(m.variance, 16.667, 5e-4);
	assert_within(m.z, 2.2045, 5e-5);
	assert_within(m.p, 0.02749, 5e-6);
	/* (16 - 4.42) / 0.00105 steps are left. */
	assert_within((16 - y[4]) / t.slope, 11028, 1);
}

static void test_mcnemar(void **state)
{
	static const struct { int64_t b, c; double p; } rows[] = {
		{ 3, 0, 0.25 }, { 8, 5, 0.581055 }, { 6, 0, 0.03125 }, { 24, 10, 0.0243065 },
		{ 34, 20, 0.0759047 }, { 400, 385, 0.617328 }, { 0, 0, 1 },
	};
	struct mcnemar m;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		assert_close(mcnemar_exact(rows[i].b, rows[i].c, 9815).p, rows[i].p, 1e-5);
	m = mcnemar_exact(24, 10, 408);
	assert_within(100 * m.gap, -3.431, 5e-4);
	assert_within(100 * m.se, 1.419, 5e-4);
	assert_within(100 * m.interval.low, -6.213, 5e-4);
	assert_within(100 * m.interval.high, -0.650, 5e-4);
	m = mcnemar_exact(400, 385, 9815);
	assert_within(100 * m.gap, -0.153, 5e-4);
	assert_within(100 * m.interval.low, -0.712, 5e-4);
	assert_within(100 * m.interval.high, 0.407, 5e-4);
	assert_true(isnan(mcnemar_exact(5, 5, 9).p));
}

static void test_proportions(void **state)
{
	static const struct {
		int64_t n, r, a;
		double gap, se, z;
	} rows[] = {
		{ 408, 365, 362, 0.735, 2.18, 0.33 },
		{ 408, 337, 323, 3.43, 2.75, 1.25 },
		{ 872, 809, 803, 0.69, 1.27, 0.54 },
		{ 9815, 7988, 7973, 0.1528, 0.56, 0.29 - 0.015 },
		{ 9815, 8493, 8332, 1.64, 0.50, 3.28 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct proportion_gap g = proportion_gap(rows[i].r, rows[i].a, rows[i].n);

		assert_within(-g.gap, rows[i].gap, 6e-3);
		assert_within(g.se, rows[i].se, 6e-3);
		assert_within(g.z, rows[i].z, 2e-2);
	}
	assert_within(paired_resolution_pp(33, 408), 2.74, 0.03);
	assert_true(paired_resolution_pp(4, 408) < 1 && paired_resolution_pp(5, 408) > 1);
}

static void test_order_statistics(void **state)
{
	static const double early[] = { 0.01, -0.02, 0, 0.03, -0.01 };
	uint64_t seed = 5;

	(void)state;
	assert_close(mad_of(early, 5), 0.01, 1e-12);
	assert_close(MAD_TO_SIGMA * mad_of(early, 5), 0.014826, 1e-12);
	for (int round = 0; round < 300; round++) {
		double v[60], copy[60];
		size_t n = 1 + (size_t)(make_random(&seed) * 59),
		       k = (size_t)(make_random(&seed) * (double)n);
		size_t below = 0, equal = 0;

		for (size_t i = 0; i < n; i++)
			copy[i] = v[i] = floor(make_random(&seed) * 12);
		select_nth(v, n, k);
		for (size_t i = 0; i < n; i++) {
			below += copy[i] < v[k];
			equal += copy[i] == v[k];
		}
		assert_true(below <= k && k < below + equal);
	}
	assert_close(percentile_of((double[]){ 4, 1, 3, 2 }, 4, 0.5), 2.5, 1e-12);
	assert_close(median_of((double[]){ 4, 1, 3, 2 }, 4), 2.5, 1e-12);
	assert_true(isnan(median_of(NULL, 0)));
}

static void test_cusum(void **state)
{
	static const double r[] = { 0.2, -0.3, 1.2, 1.4, 0.9, 1.6, 1.1, 1.3, 2.0 };

	(void)state;
	assert_int_equal(cusum_alarm(r, 9, 0.5, 5), 8);
	assert_true(cusum_alarm(r, 8, 0.5, 5) == SIZE_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_student),
		cmocka_unit_test(test_student_inverts),
		cmocka_unit_test(test_normal_and_chi_square),
		cmocka_unit_test(test_intervals),
		cmocka_unit_test(test_autocorrelation),
		cmocka_unit_test(test_memory_trend),
		cmocka_unit_test(test_mcnemar),
		cmocka_unit_test(test_proportions),
		cmocka_unit_test(test_order_statistics),
		cmocka_unit_test(test_cusum),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
