/* test_seeds - what several runs of a side show. */
#include "config.h"

#include "tests/curve/make_series.h"

#include "curve/seeds.h"

static void test_band(void **state)
{
	struct seed_band b = seed_band((double[]){ 86.1, 86.5, 86.9 }, 3);

	(void)state;
	assert_close(b.half, 1.9873101694002649, 1e-9);
	assert_close(b.low, 84.512689830599735, 1e-9);
	assert_close(b.high, 88.487310169400265, 1e-9);
	/* So wide that a gap of 1.64 is inside: three seeds say little. */
	assert_true(b.low < 84.89);
	b = seed_band((double[]){ 86.1, 86.3, 86.5, 86.7, 86.9 }, 5);
	assert_close(b.sd, 0.31622776601683793, 1e-9);
	assert_close(b.half, 0.96178879732569924, 1e-9);
	assert_close(b.low, 85.538211202674301, 1e-9);
	assert_true(isnan(seed_band((double[]){ 1 }, 1).half));
}

static void test_welch(void **state)
{
	static const double g[] = { 86.53, 86.31, 86.74 }, t[] = { 86.54, 86.10, 86.40 };
	struct welch w = welch_compare(g, 3, t, 3, BETTER_HIGHER);
	struct equivalence e;

	(void)state;
	assert_close(w.mean_reference, 86.526666666666667, 1e-9);
	assert_close(w.mean_attempt, 86.346666666666667, 1e-9);
	assert_close(w.sd_reference, 0.21501937897160184, 1e-9);
	assert_close(w.sd_attempt, 0.22479620400116487, 1e-9);
	assert_within(w.g, -0.18, 1e-9);
	assert_close(w.se, 0.17959831724032259, 1e-9);
	assert_close(w.nu, 3.9921170528360206, 1e-9);
	assert_close(w.t95, 2.1330568691902031, 1e-9);
	assert_close(w.interval90.low, -0.56309342428447138, 1e-9);
	assert_close(w.interval90.high, 0.20309342428447138, 1e-9);
	e = welch_equivalence(&w, 0.5);
	assert_close(e.p_non_inferior, 0.074760091243561907, 1e-9);
	assert_false(e.non_inferior);
	e = welch_equivalence(&w, 0.6);
	assert_close(e.p_non_inferior, 0.039816664500800428, 1e-9);
	assert_true(e.non_inferior && e.equivalent);
	assert_close(e.p_tost, 0.039816664500800428, 1e-9);
	e = welch_equivalence(&w, 1.0);
	assert_close(e.p_non_inferior, 0.0051707959452113629, 1e-9);
	assert_true(e.equivalent);
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
	} rows[] = { { 2, 0.34246744460938758 }, { 3, 0.57449948056629648 },
		{ 4, 0.7277829939680461 }, { 5, 0.85028125015991545 } };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		double limit = seeds_largest_sd(rows[i].n);

		assert_close(limit, rows[i].limit, 1e-9);
		/* What passes with n a side needs no more than n. */
		assert_int_equal(seeds_needed(0.999 * limit, 1), rows[i].n);
		assert_int_equal(seeds_needed(1.001 * limit, 1), rows[i].n + 1);
	}
	assert_true(isnan(seeds_largest_sd(1)));
	assert_int_equal(seeds_needed(100, 1), 0);
	assert_int_equal(seeds_needed(NAN, 1), 0);
	/* 0.5 pp with 3 seeds a side needs an sd under 0.287. */
	assert_within(0.5 * seeds_largest_sd(3), 0.287, 5e-4);
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
	assert_within(b.band[4].half, 0.95 * sqrt(2 / 0.0975) * 0.1 * sqrt(4.0 / 3), 1e-9);
	a = run_series_get(run, "a", 1, AXIS_STEP);
	for (int i = 0; i < 20; i++)
		series_append(a, 10 * i, NAN, 0.1 * i + (i == 3 || i >= 12 ? 1 : 0));
	seed_band_alarm(&alarm, &b, a, SEGMENT_LATEST_WINS, 5);
	assert_true(alarm.fired);
	assert_int_equal(alarm.n_compared, 20);
	assert_int_equal(alarm.n_outside, 9);
	assert_true(alarm.has_agreeing);
	assert_int_equal(alarm.last_agreeing, 110);
	assert_int_equal(alarm.first_disagreeing, 120);
	seed_band_alarm(&alarm, &b, a, SEGMENT_LATEST_WINS, 10);
	assert_false(alarm.fired);
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
	assert_close(sqrt(sum / 10), 1.0244998779892558, 1e-9);
	assert_close(convergence_lower_bound(m, sqrt(sum / 10), 8, 3), 36.991071757949428, 1e-9);
	assert_within(olympic_mean(submission, 5, 1), 37.1, 1e-9);
	assert_close(convergence_lower_bound(10, 0.5, 18, 8), 9.6365074537119006, 1e-9);
	assert_close(convergence_lower_bound(38.2, 1.3, 8, 3), 36.586669681298803, 1e-9);
	assert_close(convergence_lower_bound(2.75, 0.2, 18, 8), 2.6046029814847602, 1e-9);
	assert_close(convergence_lower_bound(2.75, 0, 18, 8), 2.75, 0);
}

/* Both sides: within, too fast, and too few runs to say. */
static void test_convergence(void **state)
{
	double reference[] = { 37.1, 38.4, 36.9, 39.8, 38.0, 37.5, 38.8, 40.2, 37.9, 38.6 };
	double attempt[] = { 36.5, 37.0, 36.9, 38.1, 37.4 }, fast[] = { 36, 36, 36, 36, 36 };
	struct convergence c = convergence_check(reference, 10, attempt, 5);

	(void)state;
	assert_int_equal(c.state, CONVERGENCE_WITHIN);
	assert_close(c.reference, 38.2625, 1e-9);
	assert_close(c.attempt, 37.1, 1e-9);
	assert_close(c.sd, 1.0244998779892558, 1e-9);
	assert_close(c.bound, 36.991071757949428, 1e-9);
	assert_close(c.largest_speed_up, 1.0343712193680179, 1e-9);
	assert_close(c.reference / c.attempt, 1.0313342318059299, 1e-9);
	assert_int_equal(convergence_check(reference, 10, fast, 5).state, CONVERGENCE_TOO_FAST);
	assert_int_equal(convergence_check(reference, 9, attempt, 5).state, CONVERGENCE_TOO_FEW);
	assert_int_equal(convergence_check(reference, 10, attempt, 2).state, CONVERGENCE_TOO_FEW);
}

static void test_noise_limit(void **state)
{
	static const double v[] = { 32.11, 32.84, 33.33 }, same[] = { 5, 5, 5 };
	struct noise_limit l = seeds_noise_limit(v, 3, 0.05);

	(void)state;
	assert_close(l.sd, 0.61392181912683312, 1e-9);
	assert_close(l.limit, 2.5351798441343887, 1e-9);
	assert_close(l.sd95.high, 3.8583357575958314, 1e-9);
	assert_close(l.share_at_worst, 0.32110339084740833, 1e-9);
	assert_close(noise_limit_share(&l, 5), 0.014426693209630137, 1e-9);
	assert_close(noise_limit_share(&l, l.limit), 0.05, 1e-9);
	assert_close(l.low, 32.11, 0);
	assert_close(l.high, 33.33, 0);
	l = seeds_noise_limit(same, 3, 0.05);
	assert_close(l.limit, 0, 0);
	assert_close(noise_limit_share(&l, 0.1), 0, 0);
	assert_close(noise_limit_share(&l, 0), 1, 0);
	assert_true(isnan(noise_limit_share(&l, NAN)));		/* no rule, no share */
	l = seeds_noise_limit(v, 1, 0.05);
	assert_true(isnan(l.limit) && isnan(noise_limit_share(&l, 1)));
}

/* The limit keeps what it promises: gaps of two single runs with a known spread. */
static void test_noise_limit_simulated(void **state)
{
	uint64_t seed = 4711;
	int beyond = 0, runs = 800;

	(void)state;
	for (int i = 0; i < runs; i++) {
		double v[3] = { make_normal(&seed), make_normal(&seed), make_normal(&seed) };
		struct noise_limit l = seeds_noise_limit(v, 3, 0.05);

		beyond += make_normal(&seed) - make_normal(&seed) > l.limit;
	}
	assert_within((double)beyond / runs, 0.05, 0.02);
}

/* P(alarm) of curves that are no different, as the table of seeds.h says. */
static double false_alarms(int m, double phi, int k, int runs)
{
	uint64_t seed = 20261130;
	int alarms = 0;

	for (int i = 0; i < runs; i++) {
		struct run_series *run = run_series_new();
		struct series *s[11];
		struct seed_bands b;
		struct band_alarm alarm;

		for (int r = 0; r <= m; r++) {
			char name[] = { (char)('a' + r), 0 };
			double y = make_normal(&seed);

			s[r] = run_series_get(run, name, 1, AXIS_STEP);
			for (int x = 0; x < SEED_FALSE_ALARM_POINTS; x++) {
				series_append(s[r], x, NAN, y);
				y = phi * y + sqrt(1 - phi * phi) * make_normal(&seed);
			}
		}
		assert_int_equal(seed_bands(&b, (const struct series *const *)s, (size_t)m,
					 SEGMENT_LATEST_WINS),
			0);
		seed_band_alarm(&alarm, &b, s[m], SEGMENT_LATEST_WINS, k);
		alarms += alarm.fired;
		seed_bands_release(&b);
		run_series_free(run);
	}
	return (double)alarms / runs;
}

static void test_false_alarms(void **state)
{
	static const struct {
		int m, k;
		double phi;
	} rows[] = {
		{ 3, 5, 0 }, { 3, 5, 0.5 }, { 3, 5, 0.9 }, { 3, 5, 0.97 }, { 5, 5, 0.9 },
		{ 5, 10, 0.9 }, { 5, 10, 0.97 }, { 10, 5, 0.9 }, { 10, 10, 0.97 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		double got = false_alarms(rows[i].m, rows[i].phi, rows[i].k, 300);

		assert_within(got, seed_false_alarms(rows[i].k, rows[i].m, rows[i].phi), 0.045);
	}
	/* Any point outside is no alarm at all: nearly every run has one. */
	assert_true(false_alarms(3, 0.5, 1, 200) > 0.9);
	assert_int_equal(seed_alarm_points(3, 0.95), 5);
	assert_int_equal(seed_alarm_points(5, 0.8), 5);
	assert_int_equal(seed_alarm_points(5, 0.9), 10);
	/* In between the larger one holds. */
	assert_close(seed_false_alarms(5, 4, 0.9), 0.12, 1e-12);
	assert_close(seed_false_alarms(5, 3, 0.6), 0.05, 1e-12);
	assert_true(isnan(seed_false_alarms(5, 3, NAN)));
	assert_true(isnan(seed_false_alarms(5, 2, 0.5)));
}

/* Pooled over seeds: of one pair of mirrored residuals it is that of either. */
static void test_phi_of_seeds(void **state)
{
	static const double v[] = { 1, .8, .9, .5, .2, .1, -.3, -.4, -.9, -1 };
	struct run_series *run = run_series_new();
	struct series *s[2] = { run_series_get(run, "a", 1, AXIS_STEP),
		run_series_get(run, "b", 1, AXIS_STEP) };
	struct seed_bands b;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(v); i++) {
		series_append(s[0], (int64_t)i, NAN, 7 + v[i]);
		series_append(s[1], (int64_t)i, NAN, 7 - v[i]);
	}
	assert_int_equal(
		seed_bands(&b, (const struct series *const *)s, 2, SEGMENT_LATEST_WINS), 0);
	assert_close(b.phi, 0.7085853245929372, 1e-9);
	seed_bands_release(&b);
	run_series_free(run);
}

static void test_triangulation(void **state)
{
	static const double p[] = { 1, 2, 3, 4 }, g[] = { 1.01, 1.99, 3.02, 3.98 },
			    t[] = { 1.03, 1.98, 3.03, 3.95 };
	struct triangulation r = triangulate(p, g, t, 4, 2, 0);

	(void)state;
	assert_close(r.rmse_reference, 0.015811388300841897, 1e-9);
	assert_close(r.rmse_attempt, 0.034278273002005221, 1e-9);
	assert_close(r.ratio, 2.1679483388678799, 1e-9);
	assert_close(r.cosine, 0.99992910814509946, 1e-9);
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
		cmocka_unit_test(test_convergence),
		cmocka_unit_test(test_noise_limit),
		cmocka_unit_test(test_noise_limit_simulated),
		cmocka_unit_test(test_false_alarms),
		cmocka_unit_test(test_phi_of_seeds),
		cmocka_unit_test(test_triangulation),
		cmocka_unit_test(test_spread),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
