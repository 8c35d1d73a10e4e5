/* test_seeds - what several runs of a side show. */
#include "config.h"

#include "tests/curve/make_series.h"

#include "curve/seeds.h"

static void test_band(void **state)
{
	struct seed_band b = seed_band((double[]){ 86.1, 86.5, 86.9 }, 3);

	(void)state;
	assert_within(b.half, 1.9873, 5e-5);
	assert_within(b.low, 84.513, 5e-4);
	assert_within(b.high, 88.487, 5e-4);
	b = seed_band((double[]){ 86.1, 86.3, 86.5, 86.7, 86.9 }, 5);
	assert_within(b.sd, 0.31623, 5e-6);
	assert_within(b.half, 0.9618, 5e-5);
	assert_within(b.low, 85.538, 5e-4);
	assert_true(isnan(seed_band((double[]){ 1 }, 1).half));
}

static void test_welch(void **state)
{
	static const double g[] = { 86.53, 86.31, 86.74 }, t[] = { 86.54, 86.10, 86.40 };
	struct welch w = welch_compare(g, 3, t, 3, BETTER_HIGHER);
	struct equivalence e;

	(void)state;
	assert_within(w.mean_reference, 86.5267, 5e-5);
	assert_within(w.mean_attempt, 86.3467, 5e-5);
	assert_within(w.sd_reference, 0.2150, 6e-5);
	assert_within(w.sd_attempt, 0.2248, 5e-5);
	assert_within(w.g, -0.18, 1e-9);
	assert_within(w.se, 0.1796, 5e-5);
	assert_within(w.nu, 3.992, 5e-4);
	assert_within(w.t95, 2.1331, 6e-5);
	assert_within(w.interval90.low, -0.5631, 6e-5);
	assert_within(w.interval90.high, 0.2031, 6e-5);
	e = welch_equivalence(&w, 0.5);
	assert_within(e.p_non_inferior, 0.0748, 5e-5);
	assert_false(e.non_inferior);
	e = welch_equivalence(&w, 0.6);
	assert_within(e.p_non_inferior, 0.0398, 5e-5);
	assert_true(e.non_inferior && e.equivalent);
	assert_within(e.p_tost, 0.0398, 5e-5);
	e = welch_equivalence(&w, 1.0);
	assert_within(e.p_non_inferior, 0.0052, 5e-5);
	assert_int_equal(seed_word(&w, 3, 3, 0.6), SEED_AGREES);
	assert_int_equal(seed_word(&w, 3, 3, 0.5), SEED_NOT_DISTINGUISHABLE);
	/* Lower is better turns the sign of g. */
	assert_within(welch_compare(g, 3, t, 3, BETTER_LOWER).g, 0.18, 1e-9);
}

static void test_largest_spread_that_passes(void **state)
{
	static const struct {
		int n;
		double limit;
	} rows[] = { { 2, 0.3425 }, { 3, 0.5745 }, { 4, 0.7278 }, { 5, 0.8503 } };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		double t = student_quantile(0.95, 2 * rows[i].n - 2);

		assert_within(1 / (t * sqrt(2.0 / rows[i].n)), rows[i].limit, 6e-5);
	}
}

static void test_one_seed_never_agrees(void **state)
{
	static const double g[] = { 86.5 }, t[] = { 86.5 };
	struct welch w = welch_compare(g, 1, t, 1, BETTER_HIGHER);

	(void)state;
	assert_true(isnan(w.se));
	assert_int_equal(seed_word(&w, 1, 1, 10), SEED_NOT_DISTINGUISHABLE);
	assert_int_equal(seed_word(&w, 0, 1, 10), SEED_NOT_MEASURED);
	assert_false(welch_equivalence(&w, 10).equivalent);
	assert_string_equal(
		seed_word_name(SEED_NOT_DISTINGUISHABLE), "not distinguishable with this evidence");
}

static void test_clear_difference(void **state)
{
	static const double g[] = { 90.0, 90.1, 90.2 }, t[] = { 80.0, 80.1, 80.2 };
	struct welch w = welch_compare(g, 3, t, 3, BETTER_HIGHER);

	(void)state;
	assert_int_equal(seed_word(&w, 3, 3, 1), SEED_DIFFERS);
}

static void fill_seed(struct run_series *run, const char *name, double offset, struct series **out)
{
	*out = run_series_get(run, name, strlen(name), AXIS_STEP);
	for (int i = 0; i < 20; i++)
		series_append(*out, 10 * i, NAN, offset + 0.1 * i);
}

static void test_bands_and_alarm(void **state)
{
	struct run_series *run = run_series_new();
	struct series *s[3], *a;
	struct seed_bands b;
	struct band_alarm alarm;

	(void)state;
	fill_seed(run, "1", -0.1, &s[0]);
	fill_seed(run, "2", 0, &s[1]);
	fill_seed(run, "3", 0.1, &s[2]);
	series_append(s[0], 1000, NAN, 5);	/* not in the others */
	assert_int_equal(
		seed_bands(&b, (const struct series *const *)s, 3, SEGMENT_LATEST_WINS), 0);
	assert_int_equal(b.n, 20);
	assert_within(b.band[4].half, 4.302653 * 0.1 * sqrt(4.0 / 3), 1e-6);
	a = run_series_get(run, "a", 1, AXIS_STEP);
	for (int i = 0; i < 20; i++)
		series_append(a, 10 * i, NAN, 0.1 * i + (i == 3 || i >= 12 ? 1 : 0));
	seed_band_alarm(&alarm, &b, a, SEGMENT_LATEST_WINS, 5);
	assert_true(alarm.fired);
	assert_int_equal(alarm.n_compared, 20);
	assert_int_equal(alarm.n_outside, 9);
	assert_close(alarm.last_agreeing_x, 110, 0);
	assert_close(alarm.first_disagreeing_x, 120, 0);
	seed_band_alarm(&alarm, &b, a, SEGMENT_LATEST_WINS, 10);
	assert_false(alarm.fired);
	assert_true(isnan(alarm.first_disagreeing_x));
	seed_bands_release(&b);
	run_series_free(run);
}

static void test_reference_convergence(void **state)
{
	double runs[] = { 37.1, 38.4, 36.9, 39.8, 38.0, 37.5, 38.8, 40.2, 37.9, 38.6 };
	double submission[] = { 36.5, 37.0, 36.9, 38.1, 37.4 };
	double mean = mean_of(runs, 10), sum = 0, m;

	(void)state;
	for (int i = 0; i < 10; i++)
		sum += (runs[i] - mean) * (runs[i] - mean);
	m = olympic_mean(runs, 10, 1);
	assert_within(m, 38.2625, 1e-9);
	assert_within(sqrt(sum / 10), 1.0245, 5e-5);
	assert_within(convergence_lower_bound(m, sqrt(sum / 10), 8, 3), 36.9911, 5e-5);
	assert_within(olympic_mean(submission, 5, 1), 37.1, 1e-9);
	assert_within(convergence_lower_bound(10, 0.5, 18, 8), 9.6365, 5e-5);
	assert_within(convergence_lower_bound(38.2, 1.3, 8, 3), 36.5867, 5e-5);
	assert_within(convergence_lower_bound(2.75, 0.2, 18, 8), 2.6046, 5e-5);
	assert_close(convergence_lower_bound(2.75, 0, 18, 8), 2.75, 0);
}

static void test_triangulation(void **state)
{
	static const double p[] = { 1, 2, 3, 4 }, g[] = { 1.01, 1.99, 3.02, 3.98 },
			    t[] = { 1.03, 1.98, 3.03, 3.95 };
	struct triangulation r = triangulate(p, g, t, 4, 2, 0);

	(void)state;
	assert_within(r.rmse_reference, 0.0158114, 5e-8);
	assert_within(r.rmse_attempt, 0.0342783, 5e-8);
	assert_within(r.ratio, 2.16795, 5e-6);
	assert_within(r.cosine, 0.999929, 5e-7);
	assert_false(r.passes);
	assert_true(triangulate(p, g, t, 4, 3, 0).passes);
}

static void test_spread(void **state)
{
	struct buf b = BUF_INIT;

	(void)state;
	seeds_add_spread(&b, (double[]){ 2.1, 6.0, 4.0 }, 3);
	assert_non_null(strstr(b.s, "3 repeats: 2.1 to 6, sd 1.95"));
	buf_clear(&b);
	seeds_add_spread(&b, (double[]){ 2.1 }, 1);
	assert_string_equal(b.s, "1 run: the spread between runs is unknown");
	buf_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_band),
		cmocka_unit_test(test_welch),
		cmocka_unit_test(test_largest_spread_that_passes),
		cmocka_unit_test(test_one_seed_never_agrees),
		cmocka_unit_test(test_clear_difference),
		cmocka_unit_test(test_bands_and_alarm),
		cmocka_unit_test(test_reference_convergence),
		cmocka_unit_test(test_triangulation),
		cmocka_unit_test(test_spread),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
