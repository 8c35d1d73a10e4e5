/* test_statistics - quantiles against published values, tests against vectors. */
#include "config.h"

#include "tests/curve/make_series.h"

#include "curve/statistics.h"

static void test_student(void **state)
{
	static const struct { double p, nu, t; } rows[] = {
		{ 0.975, 1, 12.706204736174705 }, { 0.975, 2, 4.302652729911275 },
		{ 0.975, 4, 2.7764451051977987 }, { 0.975, 9, 2.2621571628540993 },
		{ 0.95, 1, 6.313751514675043 }, { 0.95, 2, 2.919985580355516 },
		{ 0.95, 10, 1.8124611228107335 }, { 0.95, 30, 1.6972608865939609 },
		{ 0.995, 5, 4.032142983557536 }, { 0.95, 11, 1.7958848187036691 },
		{ 0.95, 3.9921170528360206, 2.1330568691902031 }, { 0.95, 9, 1.8331129326536335 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		assert_close(student_quantile(rows[i].p, rows[i].nu), rows[i].t, 1e-9);
		assert_close(student_quantile(1 - rows[i].p, rows[i].nu), -rows[i].t, 1e-9);
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
	assert_close(i.low, 0.025679624344743556, 1e-9);
	assert_close(i.high, 0.51312782927431891, 1e-9);
	i = binomial_exact_interval(1, 7, 0.95);
	assert_close(i.low, 0.0036102968619005833, 1e-9);
	assert_close(i.high, 0.57872319704319523, 1e-9);
	i = wilson_interval(2, 4, 0.95);
	assert_close(i.low, 0.15003898915214949, 1e-9);
	assert_close(i.high, 0.84996101084785051, 1e-9);
	i = wilson_interval(1, 6, 0.95);
	assert_close(i.low, 0.030053369748306665, 1e-9);
	assert_close(i.high, 0.56350282218647026, 1e-9);
	i = poisson_exact_interval(2, 0.95);
	assert_close(i.low, 0.2422092785439649, 1e-9);
	assert_close(i.high, 7.2246876677239608, 1e-9);
	assert_close(poisson_exact_interval(0, 0.95).high, 3.688879454113936, 1e-10);
	i = sd_interval(1, 2, 0.95);
	assert_close(i.low, 0.44614918492070886, 1e-9);
	assert_close(i.high, 31.910159349643964, 1e-9);
	i = sd_interval(1, 3, 0.95);
	assert_close(i.low, 0.52065826669881733, 1e-9);
	assert_close(i.high, 6.2847346964853824, 1e-9);
	i = sd_interval(1, 5, 0.95);
	assert_close(i.low, 0.59913313913414083, 1e-9);
	assert_close(i.high, 2.8735556340782193, 1e-9);
	i = fisher_z_interval(0.8615, 1500, 0.95);
	assert_close(i.low, 0.84540367746528485, 1e-9);
	assert_close(i.high, 0.87603298110176111, 1e-9);
	assert_true(isnan(wilson_interval(3, 0, 0.95).low));
	/* Beta(2, 7): mean 0.222, middle 95 %. */
	assert_close(beta_quantile(0.025, 2, 7), 0.031854026249944225, 1e-9);
	assert_close(beta_quantile(0.975, 2, 7), 0.52650967087520656, 1e-9);
}

static void test_autocorrelation(void **state)
{
	static const double v[] = { 1, .8, .9, .5, .2, .1, -.3, -.4, -.9, -1 };
	double phi = autocorrelation(v, ARRAY_LEN(v));

	(void)state;
	assert_close(phi, 0.7085853245929372, 1e-9);
	assert_close(effective_size(ARRAY_LEN(v), phi), 1.7055904157229669, 1e-9);
	assert_close(effective_size(73, 0.5), 24.333333333333333, 1e-9);
	assert_close(effective_size(73, 0.9), 3.8421052631578947, 1e-9);
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
	assert_close(m.variance, 16.666666666666667, 1e-9);
	assert_close(m.z, 2.2045407685048603, 1e-9);
	assert_close(m.p, 0.027486336111510347, 1e-9);
	/* (16 - 4.42) / 0.00105 steps are left. */
	assert_within((16 - y[4]) / t.slope, 11028, 1);
}

static void test_mcnemar(void **state)
{
	static const struct { int64_t b, c; double p; } rows[] = {
		{ 3, 0, 0.25 }, { 8, 5, 0.5810546875 }, { 6, 0, 0.03125 },
		{ 24, 10, 0.024306510109454393 },
		{ 34, 20, 0.07590472948910143 }, { 400, 385, 0.61732751116859647 }, { 0, 0, 1 },
	};
	struct mcnemar m;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		assert_close(mcnemar_exact(rows[i].b, rows[i].c, 9815).p, rows[i].p, 1e-9);
	m = mcnemar_exact(24, 10, 408);
	assert_close(m.gap, -0.034313725490196078, 1e-9);
	assert_close(m.se, 0.014190225645264474, 1e-9);
	assert_close(m.interval.low, -0.0621260566874111, 1e-9);
	assert_close(m.interval.high, -0.0065013942929810568, 1e-9);
	m = mcnemar_exact(400, 385, 9815);
	assert_close(m.gap, -0.0015282730514518594, 1e-9);
	assert_close(m.interval.low, -0.0071230950532173851, 1e-9);
	assert_close(m.interval.high, 0.0040665489503136664, 1e-9);
	assert_true(isnan(mcnemar_exact(5, 5, 9).p));
}

static void test_proportions(void **state)
{
	static const struct {
		int64_t n, r, a;
		double gap, se, z;
	} rows[] = {
		{ 408, 365, 362, 0.73529411764705882, 2.1823618425484453, 0.33692584946794237 },
		{ 408, 337, 323, 3.4313725490196078, 2.7505228535253143, 1.2475346440483692 },
		{ 872, 809, 803, 0.68807339449541284, 1.2666103071104509, 0.54324000889044677 },
		{ 9815, 7988, 7973, 0.15282730514518594, 0.55648391618445556, 0.27463022865611244 },
		{ 9815, 8493, 8332, 1.6403464085583291, 0.49942952865837951, 3.2844401751029847 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct proportion_gap g = proportion_gap(rows[i].r, rows[i].a, rows[i].n);

		assert_close(-g.gap, rows[i].gap, 1e-9);
		assert_close(g.se, rows[i].se, 1e-9);
		assert_close(g.z, rows[i].z, 1e-9);
	}
	assert_close(paired_resolution_pp(33, 408), 2.7595921309187828, 1e-9);
	assert_close(paired_resolution_pp(70, 872), 1.8805315588430209, 1e-9);
	assert_close(paired_resolution_pp(785, 9815), 0.55949036954244629, 1e-9);
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

/* Mean number of points until an alarm though nothing changed: 458 for independent
 * ones at h = 5, and what hangs together alarms at once. */
static double mean_run_length(double phi, double h, int runs)
{
	uint64_t seed = 12345;
	double sum = 0, r[4000];

	for (int i = 0; i < runs; i++) {
		double y = make_normal(&seed);
		size_t at;

		for (size_t k = 0; k < ARRAY_LEN(r); k++) {
			r[k] = y;
			y = phi * y + sqrt(1 - phi * phi) * make_normal(&seed);
		}
		at = cusum_alarm(r, ARRAY_LEN(r), 0.5, h);
		sum += at == SIZE_MAX ? (double)ARRAY_LEN(r) : (double)at + 1;
	}
	return sum / runs;
}

static void test_cusum_run_length(void **state)
{
	(void)state;
	assert_within(mean_run_length(0, 5, 400), 458, 70);
	assert_within(mean_run_length(0, 4, 400), 167, 25);
	assert_within(mean_run_length(0.6, 5, 400), 42, 7);
	assert_within(mean_run_length(0.9, 5, 400), 29, 6);
}

/* All 73 points on one side: rare for independent points, common for what hangs
 * together, so it is a fact and no p-value of 2^-73. */
static void test_one_side_is_no_p_value(void **state)
{
	uint64_t seed = 99;
	int alike = 0, runs = 2000;

	(void)state;
	for (int i = 0; i < runs; i++) {
		double y = make_normal(&seed), phi = 0.97;
		int above = 0;

		for (int k = 0; k < 73; k++) {
			above += y > 0;
			y = phi * y + sqrt(1 - phi * phi) * make_normal(&seed);
		}
		alike += above == 0 || above == 73;
	}
	assert_within((double)alike / runs, 0.10, 0.025);
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
		cmocka_unit_test(test_cusum_run_length),
		cmocka_unit_test(test_one_side_is_no_p_value),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
