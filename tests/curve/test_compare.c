/* test_compare - verdicts, tolerance and counts on pairs made by formula. */
#include "config.h"

#include "tests/curve/make_series.h"

#include <stdio.h>
#include <stdlib.h>

#include "curve/compare.h"
#include "curve/gap.h"

struct fixture { struct run_series *run; struct series *ref, *attempt, *w10, *w15; };

static double curve(int step)
{
	return 0.5 + 4.0 / (1.0 + step / 40.0);
}

/* One value missing, one too high, one NaN, a slow drift from 180 on, one point
 * beyond the reference. */
static void make_attempt(struct series *s)
{
	for (int step = 0; step <= 300; step += 10) {
		double v = curve(step);

		if (step == 90)
			continue;
		if (step == 50)
			v += 0.125;
		if (step >= 180)
			v += 0.01 * ((step - 170) / 10);
		series_append(s, step, NAN, step == 250 ? NAN : v);
	}
	series_append(s, 310, NAN, 0.75);
}

/* Means since the row before, of one noisy curve, at two cadences. */
static void make_window(struct series *s, int cadence)
{
	uint64_t seed = 42;
	double sum = 0;

	for (int step = 1; step <= 300; step++) {
		sum += curve(step) + 0.25 * (make_random(&seed) - 0.5);
		if (step % cadence)
			continue;
		series_append(s, step, NAN, sum / cadence);
		sum = 0;
	}
}

static int set_up(void **state)
{
	struct fixture *f = xcalloc(1, sizeof *f);

	f->run = run_series_new();
	f->ref = run_series_get(f->run, "ref", 3, AXIS_STEP);
	f->attempt = run_series_get(f->run, "attempt", 7, AXIS_STEP);
	f->w10 = run_series_get(f->run, "w10", 3, AXIS_STEP);
	f->w15 = run_series_get(f->run, "w15", 3, AXIS_STEP);
	for (int step = 0; step <= 300; step += 10)
		series_append(f->ref, step, NAN, curve(step));
	make_attempt(f->attempt);
	make_window(f->w10, 10);
	make_window(f->w15, 15);
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	run_series_free(f->run);
	free(f);
	return 0;
}

static struct comparison compare(const struct series *r, const struct series *a, double atol,
	double rtol, enum align_mode mode, double k)
{
	struct compare_options o = COMPARE_OPTIONS_INIT;
	struct comparison c;

	o.tolerance.atol = atol;
	o.tolerance.rtol = rtol;
	o.align.mode = mode;
	o.align.nearest_max = k;
	assert_int_equal(compare_series(&c, r, a, &o), 0);
	return c;
}

static void assert_line(void (*add)(struct buf *, const struct comparison *),
	const struct comparison *c, const char *want)
{
	struct buf b = BUF_INIT;

	add(&b, c);
	assert_string_equal(b.s, want);
	buf_release(&b);
}

static void test_drift(void **state)
{
	struct fixture *f = *state;
	struct comparison c = compare(f->ref, f->attempt, 0, 0.02, ALIGN_EXACT, 0);

	assert_int_equal(c.alignment.n, 30);
	assert_int_equal(c.alignment.unmatched_reference, 1);
	assert_int_equal(c.alignment.unmatched_attempt, 1);
	assert_int_equal(c.n_inside, 18);
	assert_int_equal(c.n_nonfinite_pairs, 1);
	assert_int_equal(c.n_nonfinite_equal, 0);
	assert_int_equal(c.first_out_key, 50);
	assert_int_equal(c.longest_out.first_key, 200);
	assert_int_equal(c.longest_out.last_key, 300);
	assert_int_equal(c.longest_out.n, 11);
	assert_within(c.bias, 0.032931034482758643, 1e-12);
	assert_within(c.mean_abs, 0.032931034482758643, 1e-12);
	assert_int_equal(c.alignment.pairs[c.max_abs].key, 300);
	assert_within(c.final, 0.13, 1e-12);
	assert_int_equal(c.verdict, COMPARE_DIVERGES);
	assert_line(compare_add_verdict, &c, "diverges at 200");
	/* One point out at 50 is no leaving. */
	assert_int_equal(c.onset.agreeing_key, 190);
	assert_int_equal(c.onset.disagreeing_key, 200);
	assert_int_equal(c.onset.n, 11);
	assert_true(c.onset.lasts && c.onset.has_agreeing);
	assert_line(compare_add_alignment, &c,
		"exact step: 30 of 31 matched, left over 1 reference, 1 attempt");
	assert_line(compare_add_tolerance, &c, "|d| <= 0.02 * |R|");
	assert_line(compare_add_seeds, &c,
		"1 seed a side: run-to-run spread unknown, so equivalence cannot be shown");
	comparison_release(&c);
	c = compare(f->ref, f->attempt, 0.045, 0, ALIGN_EXACT, 0);
	assert_int_equal(c.n_inside, 20);
	assert_int_equal(c.longest_out.n, 9);
	assert_line(compare_add_verdict, &c, "diverges at 220");
	assert_line(compare_add_onset, &c,
		"leaves between 210 and 220, out for 9 points in a row, up to the end");
	comparison_release(&c);
	c = compare(f->ref, f->attempt, 0, 0.02, ALIGN_LINEAR, 0);
	assert_int_equal(c.alignment.n, 30);
	assert_int_equal(c.alignment.unmatched_attempt, 1);
	assert_int_equal(c.n_inside, 18);
	assert_line(compare_add_verdict, &c, "diverges at 200");
	comparison_release(&c);
}

static void test_excursion_and_match(void **state)
{
	struct fixture *f = *state;
	struct comparison c = compare(f->ref, f->attempt, 0.2, 0, ALIGN_EXACT, 0);

	assert_int_equal(c.n_inside, 29);
	assert_int_equal(c.first_out_key, 250);
	assert_int_equal(c.longest_out.n, 1);
	assert_int_equal(c.verdict, COMPARE_EXCURSION);
	comparison_release(&c);
	c = compare(f->ref, f->ref, 0, 0, ALIGN_EXACT, 0);
	assert_int_equal(c.n_inside, 31);
	assert_false(c.has_first_out);
	assert_true(c.max_abs == SIZE_MAX);
	assert_int_equal(c.verdict, COMPARE_MATCH);
	assert_line(compare_add_sides, &c, "equal at 31 of 31");
	comparison_release(&c);
}

static void test_statistical_share(void **state)
{
	struct fixture *f = *state;
	struct compare_options o = COMPARE_OPTIONS_INIT;
	struct comparison c;

	o.tolerance.atol = 0.2;
	o.q = 0.95;
	assert_int_equal(compare_series(&c, f->ref, f->attempt, &o), 0);
	assert_int_equal(c.verdict, COMPARE_MATCH);	/* 29 of 30 */
	comparison_release(&c);
}

static void test_windows(void **state)
{
	struct fixture *f = *state;
	struct comparison c = compare(f->w10, f->w15, 1e-9, 0, ALIGN_EXACT, 0);

	assert_int_equal(c.alignment.n, 10);
	assert_int_equal(c.alignment.unmatched_reference, 20);
	assert_int_equal(c.alignment.unmatched_attempt, 10);
	assert_int_equal(c.n_inside, 0);
	assert_int_equal(c.first_out_key, 30);
	assert_int_equal(c.longest_out.n, 10);
	assert_int_equal(c.verdict, COMPARE_DIFFERS_FROM_START);
	comparison_release(&c);
	c = compare(f->w10, f->w15, 1e-9, 0, ALIGN_NEAREST, 5);
	assert_int_equal(c.alignment.n, 20);
	assert_int_equal(c.first_out_key, 15);
	assert_int_equal(c.verdict, COMPARE_DIFFERS_FROM_START);
	comparison_release(&c);
	c = compare(f->w10, f->w15, 1e-9, 0, ALIGN_HOLD, 0);
	assert_int_equal(c.alignment.n, 20);
	comparison_release(&c);
	c = compare(f->w10, f->w15, 1e-9, 0, ALIGN_WINDOW, 0);
	assert_int_equal(c.alignment.n, 10);
	assert_int_equal(c.n_inside, 10);
	assert_int_equal(c.verdict, COMPARE_MATCH);
	assert_within(c.mean_abs, 0, 1e-12);
	comparison_release(&c);
}

static void test_nonfinite_pairs(void **state)
{
	struct fixture *f = *state;
	struct series *r =
		make_series(f->run, "r", POINTS(0, NAN, 1, INFINITY, 2, -INFINITY, 3, NAN, 4, 1));
	struct series *a =
		make_series(f->run, "a", POINTS(0, NAN, 1, INFINITY, 2, INFINITY, 3, 1, 4, 1));
	struct comparison c = compare(r, a, 1, 0, ALIGN_EXACT, 0);

	assert_int_equal(c.n_nonfinite_pairs, 4);
	assert_int_equal(c.n_nonfinite_equal, 2);
	assert_int_equal(c.n_inside, 3);
	assert_int_equal(c.first_out_key, 2);
	assert_int_equal(c.n_finite, 1);
	comparison_release(&c);
}

/* Nor is it where they are NaN from some point on. */
static void test_a_match_says_where_no_number_is(void **state)
{
	struct fixture *f = *state;
	struct series *r = make_series(f->run, "rh",
		POINTS(0, 1, 1, 1, 2, 1, 3, 1, 4, 1, 5, NAN, 6, NAN, 7, INFINITY));
	struct series *a = make_series(f->run, "ah",
		POINTS(0, 1, 1, 1, 2, 1, 3, 1, 4, 1, 5, NAN, 6, NAN, 7, INFINITY));
	struct comparison c = compare(r, a, 1, 0, ALIGN_EXACT, 0);
	struct buf b = BUF_INIT;

	assert_int_equal(c.verdict, COMPARE_MATCH);
	compare_add_verdict(&b, &c);
	assert_non_null(strstr(
		b.s, " (3 of 8 pairs NaN or infinite alike: no number was compared there)"));
	buf_release(&b);
	comparison_release(&c);
}

/* That both saw nothing but NaN is no agreement. */
static void test_nothing_finite(void **state)
{
	struct fixture *f = *state;
	struct series *r = make_series(f->run, "rn", POINTS(0, NAN, 1, INFINITY, 2, NAN));
	struct series *a = make_series(f->run, "an", POINTS(0, NAN, 1, INFINITY, 2, NAN));
	struct comparison c = compare(r, a, 1, 0, ALIGN_EXACT, 0);
	struct buf b = BUF_INIT;

	assert_int_equal(c.n_inside, 3);
	assert_int_equal(c.verdict, COMPARE_NOT_DECIDABLE);
	compare_add_verdict(&b, &c);
	assert_string_equal(b.s, "not decidable from this log: no value is finite");
	buf_release(&b);
	comparison_release(&c);
}

static void test_no_overlap(void **state)
{
	struct fixture *f = *state;
	struct series *a = make_series(f->run, "far", POINTS(1000, 1, 1001, 1));
	struct comparison c = compare(f->ref, a, 1, 0, ALIGN_EXACT, 0);

	assert_int_equal(c.verdict, COMPARE_NO_OVERLAP);
	assert_true(isnan(c.bias));
	assert_true(isnan(c.final));
	assert_line(compare_add_sides, &c, "no pair of finite values");
	assert_line(compare_add_final, &c, "no matched point");
	comparison_release(&c);
}

static void test_not_decidable(void **state)
{
	struct fixture *f = *state;
	struct series *r = make_series(f->run, "r4", POINTS(0, 2.0001, 1, 1.5, 2, 1.2, 3, 1.1));
	struct series *a = make_series(f->run, "a4", POINTS(0, 2.0001, 1, 1.5, 2, 1.25, 3, 1.1));
	struct compare_options o = COMPARE_OPTIONS_INIT;
	struct comparison c;

	o.tolerance.atol = 1e-6;
	o.resolution_attempt = 5e-5;
	assert_int_equal(compare_series(&c, r, a, &o), 0);
	assert_int_equal(c.n_at_resolution, 3);
	assert_int_equal(c.verdict, COMPARE_NOT_DECIDABLE);
	comparison_release(&c);
	o.tolerance.atol = 1e-4;	/* coarser than the log: decidable */
	assert_int_equal(compare_series(&c, r, a, &o), 0);
	assert_int_equal(c.n_at_resolution, 0);
	assert_int_equal(c.verdict, COMPARE_DIVERGES);
	comparison_release(&c);
}

static void test_sides_and_examples(void **state)
{
	struct fixture *f = *state;
	struct series *r = run_series_get(f->run, "acc r", 5, AXIS_STEP),
		      *a = run_series_get(f->run, "acc a", 5, AXIS_STEP);
	struct compare_options o = COMPARE_OPTIONS_INIT;
	struct comparison c;

	for (int i = 1; i <= 73; i++) {
		series_append(r, 100 * i, NAN, i == 73 ? 0.8653 : 0.80);
		series_append(a, 100 * i, NAN, i == 73 ? 0.8489 : 0.79);
	}
	o.tolerance.atol = 0.01;
	o.direction = BETTER_HIGHER;
	o.scale = 100;
	o.examples = 9815;
	o.decimals = 2;
	assert_int_equal(compare_series(&c, r, a, &o), 0);
	assert_line(compare_add_sides, &c, "below at 73 of 73 (a fact, not a p-value)");
	assert_line(
		compare_add_final, &c, "R 86.53  A 84.89  d -1.64 (A worse), 161 of 9815 examples");
	assert_int_equal(c.worse, SIDE_ATTEMPT);
	assert_within(c.best_reference, 0.8653, 1e-12);
	assert_within(c.best_attempt, 0.8489, 1e-12);
	comparison_release(&c);
	o.direction = BETTER_LOWER;
	o.direction_assumed = true;
	assert_int_equal(compare_series(&c, r, a, &o), 0);
	assert_int_equal(c.worse, SIDE_REFERENCE);
	assert_line(compare_add_final, &c,
		"R 86.53  A 84.89  d -1.64 (R worse if lower is better), 161 of 9815 examples");
	comparison_release(&c);
}

/* Whole words only: "power" holds "wer", "answer" too, "vaccine" holds "acc". */
static void test_better_by_name(void **state)
{
	static const struct {
		const char *name;
		enum better better;
	} rows[] = {
		{ "loss", BETTER_LOWER },
		{ "eval/loss", BETTER_LOWER },
		{ "train_loss", BETTER_LOWER },
		{ "eval.WER", BETTER_LOWER },
		{ "top5-error", BETTER_LOWER },
		{ "eval_accuracy", BETTER_HIGHER },
		{ "acc", BETTER_HIGHER },
		{ "top_acc1", BETTER_HIGHER },
		{ "eval/rougeL", BETTER_HIGHER },
		{ "eval_f1", BETTER_HIGHER },
		{ "power", BETTER_NONE },
		{ "gpu/power_w", BETTER_NONE },
		{ "answer_rate", BETTER_NONE },
		{ "vaccine", BETTER_NONE },
		{ "lossless", BETTER_NONE },
		{ "accelerator", BETTER_NONE },
		{ "errors", BETTER_NONE },
		{ "f1x", BETTER_NONE },
		{ "", BETTER_NONE },
		{ "//_", BETTER_NONE },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (better_by_name(rows[i].name) != rows[i].better)
			fail_msg("%s: %s", rows[i].name,
				direction_name(better_by_name(rows[i].name)));
}

static void test_example_counts(void **state)
{
	static const struct {
		double r, a;
		int64_t n, kr, ka;
		enum examples_state state;
	} rows[] = {
		{ 89.46, 88.73, 408, 365, 362, EXAMPLES_EXACT },
		{ 82.60, 79.17, 408, 337, 323, EXAMPLES_EXACT },
		{ 92.78, 92.09, 872, 809, 803, EXAMPLES_EXACT },
		{ 81.39, 81.23, 9815, 7988, 7973, EXAMPLES_EXACT },
		{ 86.53, 84.89, 9815, 8493, 8332, EXAMPLES_EXACT },
		{ 89.46, 88.73, 400, 0, 0, EXAMPLES_NONE },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct examples_gap g = examples_gap(rows[i].r, rows[i].a, 2, rows[i].n);

		assert_int_equal(g.state, rows[i].state);
		if (g.state != EXAMPLES_EXACT)
			continue;
		assert_int_equal(g.k_reference, rows[i].kr);
		assert_int_equal(g.k_attempt, rows[i].ka);
	}
	assert_within(examples_gap(90, 90, 2, 408).power, 0.96, 5e-3);
	assert_within(examples_gap(90, 90, 2, 9815).power, 0.02, 5e-3);
	assert_int_equal(examples_gap(50, 50, 0, 9815).state, EXAMPLES_AMBIGUOUS);
	assert_int_equal(examples_gap(50, 50, 2, 0).state, EXAMPLES_UNKNOWN);
}

static void test_sigma(void **state)
{
	struct fixture *f = *state;
	struct series *r = make_series(f->run, "s1", POINTS(0, 1.0, 1, 2.0, 2, 3.0));
	struct series *s2 = make_series(f->run, "s2", POINTS(0, 1.1, 1, 2.2, 2, 3.3));
	struct series *s3 = make_series(f->run, "s3", POINTS(0, 0.9, 1, 1.8, 2, 2.7));
	struct series *a = make_series(f->run, "sa", POINTS(0, 1.19, 1, 2.39, 2, 3.61));
	const struct series *seeds[] = { s2, s3 };
	struct compare_options o = COMPARE_OPTIONS_INIT;
	struct comparison c;

	o.tolerance.k_sigma = 2;
	o.seeds = seeds;
	o.n_seeds = 2;
	assert_int_equal(compare_series(&c, r, a, &o), 0);
	assert_int_equal(c.sigma_source, SIGMA_SEEDS);
	assert_close(c.sigma[1], 0.2, 1e-12);
	assert_close(compare_tolerance_at(&c, 2), 0.6, 1e-12);
	assert_int_equal(c.n_inside, 2);
	assert_close(compare_delta(&c, 1, DELTA_SIGMA), 1.95, 1e-9);
	comparison_release(&c);
	o.n_seeds = 0;
	assert_int_equal(compare_series(&c, f->ref, f->attempt, &o), 0);
	assert_int_equal(c.sigma_source, SIGMA_ROLLING);
	assert_true(c.sigma[0] > 0 && isfinite(c.sigma[29]));
	comparison_release(&c);
}

static void test_delta_modes(void **state)
{
	struct fixture *f = *state;
	struct series *r = make_series(f->run, "dr", POINTS(0, -4, 1, 2, 2, 0, 3, NAN));
	struct series *a = make_series(f->run, "da", POINTS(0, -5, 1, 8, 2, 1, 3, 1));
	struct comparison c = compare(r, a, 1, 0, ALIGN_EXACT, 0);

	assert_close(compare_delta(&c, 0, DELTA_PLAIN), -1, 0);
	assert_close(compare_delta(&c, 0, DELTA_ABSOLUTE), 1, 0);
	assert_close(compare_delta(&c, 0, DELTA_RELATIVE), -0.25, 0);
	assert_true(isnan(compare_delta(&c, 0, DELTA_LOG2)));
	assert_close(compare_delta(&c, 1, DELTA_LOG2), 2, 0);
	assert_true(isnan(compare_delta(&c, 2, DELTA_RELATIVE)));
	assert_true(isnan(compare_delta(&c, 3, DELTA_PLAIN)));
	assert_true(isnan(compare_delta(&c, 1, DELTA_SIGMA)));
	comparison_release(&c);
}

/* In the unit of the difference: a point is inside where the one is within the other. */
static void test_tolerance_in_every_unit(void **state)
{
	struct fixture *f = *state;
	struct series *r = make_series(f->run, "tr", POINTS(0, 4, 1, 4, 2, 0, 3, -4, 4, 1, 5, NAN));
	struct series *a = make_series(f->run, "ta", POINTS(0, 7, 1, 3, 2, 1, 3, -5, 4, 0.5, 5, 1));
	struct comparison c = compare(r, a, 2, 0, ALIGN_EXACT, 0);

	assert_close(compare_tolerance_in(&c, 0, DELTA_PLAIN), 2, 0);
	assert_close(compare_tolerance_in(&c, 0, DELTA_ABSOLUTE), 2, 0);
	assert_close(compare_tolerance_in(&c, 0, DELTA_RELATIVE), 0.5, 0);
	assert_close(compare_tolerance_in(&c, 0, DELTA_LOG2), 0.58496250072115619, 1e-14);
	assert_close(compare_tolerance_in(&c, 1, DELTA_LOG2), 1, 0);	/* A below R: 2 of 4 */
	assert_true(isnan(compare_tolerance_in(&c, 2, DELTA_RELATIVE)));
	assert_close(compare_tolerance_in(&c, 3, DELTA_RELATIVE), 0.5, 0);
	assert_true(isnan(compare_tolerance_in(&c, 3, DELTA_LOG2)));
	assert_true(isnan(compare_tolerance_in(&c, 4, DELTA_LOG2)));	/* all of R */
	assert_true(isnan(compare_tolerance_in(&c, 5, DELTA_RELATIVE)));
	assert_true(isnan(compare_tolerance_in(&c, 0, DELTA_SIGMA)));
	assert_string_equal(delta_mode_gap(DELTA_RELATIVE), "R is 0 or no number there");
	for (size_t i = 0; i < 5; i++)
		for (int mode = DELTA_PLAIN; mode <= DELTA_LOG2; mode++) {
			double d = compare_delta(&c, i, (enum delta_mode)mode);
			double t = compare_tolerance_in(&c, i, (enum delta_mode)mode);

			if (!isnan(d) && !isnan(t))
				assert_int_equal(fabs(d) <= t, c.inside[i]);
		}
	comparison_release(&c);
}

/* Points 1 to N with those in OUT apart. */
static struct comparison compare_points(struct fixture *f, int n, int first, const char *out)
{
	struct run_series *run = f->run;
	char name[16];
	struct series *r, *a;

	snprintf(name, sizeof name, "p%zu", run->n);
	r = run_series_get(run, name, strlen(name), AXIS_STEP);
	snprintf(name, sizeof name, "q%zu", run->n);
	a = run_series_get(run, name, strlen(name), AXIS_STEP);
	for (int i = 0; i < n; i++) {
		series_append(r, first + i * 32, NAN, 1);
		series_append(a, first + i * 32, NAN, out[i] == 'x' ? 3 : 1);
	}
	return compare(r, a, 1, 0, ALIGN_EXACT, 0);
}

/* What the verdict says and where it goes out are one story, and no more than the points
 * tell. */
static void test_one_story(void **state)
{
	static const struct {
		const char *points;
		int first;
		enum compare_verdict verdict;
		const char *says, *where;
	} rows[] = {
		{ "xxxxxxxxxxxx", 0, COMPARE_DIFFERS_FROM_START, "differs from the start",
			"out from the first matched point, 0, out for 12 points in a row, up to the end" },
		{ "xxxxxxxxxxxx", 32, COMPARE_DIFFERS_FROM_START, "out from the first matched point, 32",
			"out from the first matched point, 32, out for 12 points in a row, up to the end" },
		{ "x.xxxxxxxxxx", 32, COMPARE_DIFFERS_FROM_START,
			"out at the first matched point, 32, and for 10 points from 96 on",
			"out at the first matched point, 32; then leaves between 64 and 96, "
			"out for 10 points in a row, up to the end" },
		{ "x...........", 0, COMPARE_DIFFERS_FROM_START,
			"out at the first matched point, 0, never for long",
			"out at 1 of 12 points, never at 5 in a row or at the last 3" },
		{ "...........x", 0, COMPARE_DIVERGES,
			"out at 1 of 12 points, also near the end: too few in a row to tell that it diverges",
			"out at 1 of 12 points, never at 5 in a row or at the last 3" },
		{ ".xxxxx...xxxxxxx", 0, COMPARE_DIVERGES, "diverges at 288",
			"leaves between 0 and 32, out for 5 points in a row; longest out for 7 points from 288 on" },
		{ "..", 0, COMPARE_MATCH, "match (2 points: too few to say how the curves run)",
			"never out of tolerance at the 2 matched points" },
		{ "x", 0, COMPARE_DIFFERS_FROM_START,
			"differs from the start (1 point: too few to say how the curves run)",
			"out at 1 of 1 point, never at 5 in a row or at the last 3" },
		{ "............", 0, COMPARE_MATCH, "match", "never out of tolerance" },
	};
	struct fixture *f = *state;

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct comparison c = compare_points(
			f, (int)strlen(rows[i].points), rows[i].first, rows[i].points);

		assert_int_equal(c.verdict, rows[i].verdict);
		assert_line(compare_add_verdict, &c, rows[i].says);
		assert_line(compare_add_onset, &c, rows[i].where);
		comparison_release(&c);
	}
}

static void test_too_large(void **state)
{
	struct fixture *f = *state;
	struct series *r = make_series(f->run, "hr", POINTS(0, -1.5e308, 1, -1.5e308, 2, -1.5e308));
	struct series *a = make_series(f->run, "ha", POINTS(0, 1.5e308, 1, 1.5e308, 2, 1.5e308));
	struct comparison c = compare(r, a, 1, 0, ALIGN_EXACT, 0);
	struct buf b = BUF_INIT;

	assert_line(compare_add_final, &c, "R -1.5e+308  A 1.5e+308  d too large to tell");
	c.options.scale = 100;
	c.options.decimals = 2;
	compare_add_value(&b, &c, 1e307);
	assert_string_equal(b.s, "too large to tell");
	buf_clear(&b);
	compare_add_value(&b, &c, 1e20);
	assert_string_equal(b.s, "1e+22");
	buf_clear(&b);
	compare_add_value(&b, &c, INFINITY);
	assert_string_equal(b.s, "Infinity");
	buf_release(&b);
	comparison_release(&c);
}

/* A spread that no double holds is none: not everything is inside of it. */
static void test_spread_that_is_not_known(void **state)
{
	struct fixture *f = *state;
	struct compare_options o = COMPARE_OPTIONS_INIT;
	const struct series *seeds[] = {
		make_series(f->run, "s1", POINTS(0, 1e308, 1, 1e308, 2, 1e308)),
		make_series(f->run, "s2", POINTS(0, -1e308, 1, -1e308, 2, -1e308)),
	};
	struct series *r = make_series(f->run, "s0", POINTS(0, 1.1e308, 1, 1.1e308, 2, 1.1e308));
	struct comparison c;

	o.tolerance.k_sigma = 2;
	o.seeds = seeds;
	o.n_seeds = ARRAY_LEN(seeds);
	assert_int_equal(compare_series(&c, r, r, &o), 0);
	assert_true(isnan(c.sigma[0]) && isnan(compare_tolerance_at(&c, 0)));
	assert_int_equal(c.verdict, COMPARE_NOT_DECIDABLE);
	assert_line(compare_add_verdict, &c,
		"not decidable from this log: the spread of the reference is not known at 3 of 3 points");
	comparison_release(&c);
}

static void test_gap(void **state)
{
	static const double x[] = { 0, 100, 300, 400 }, g[] = { 2.0, 1.5, 1.0, 0.8 },
			    t[] = { 2.0, 1.6, 1.05, 0.78 };
	struct gap gap;

	(void)state;
	gap_measure(&gap, x, g, t, 4);
	assert_close(gap.mean_abs, 0.0425, 1e-9);
	assert_close(gap.median_abs, 0.035, 1e-9);
	assert_close(gap.max_abs, 0.1, 1e-9);
	assert_close(gap.max_abs_x, 100, 0);
	assert_close(gap.area, 22.071428571428571, 1e-9);
	assert_close(gap.area_per_x, 0.055178571428571431, 1e-12);
	assert_close(gap.signed_area, 21.5, 1e-9);
	assert_close(gap.signed_area_per_x, 0.05375, 1e-9);
	assert_close(gap.last_relative_percent, -2.5, 1e-9);
	assert_close(gap.last_symmetric_percent, -2.5316455696202533, 1e-12);
	assert_close(gap.last_log, -0.025317807984289876, 1e-12);
	assert_close(gap.final_reference, 1.1, 1e-9);
	gap_measure(&gap, x, (double[]){ NAN, NAN }, t, 2);
	assert_int_equal(gap.n, 0);
	assert_int_equal(gap.n_left_out, 2);
	assert_true(isnan(gap.mean_abs));
}

static double mean_from(const double *d, size_t from, size_t n)
{
	double sum = 0;

	for (size_t i = from; i < from + n; i++)
		sum += d[i];
	return sum / (double)n;
}

/* Ends of long curves, with and without values that are no number, as pairs and as
 * columns, against plain sums. */
static void test_gap_ends(void **state)
{
	uint64_t seed = 3;

	(void)state;
	for (int round = 0; round < 40; round++) {
		struct run_series *run = run_series_new();
		struct series *r = run_series_get(run, "r", 1, AXIS_STEP),
			      *a = run_series_get(run, "a", 1, AXIS_STEP);
		double d[900], last[900], x[900], rv[900], av[900];
		size_t n = 1 + (size_t)(make_random(&seed) * 899), kept = 0, ends;
		struct align_options exact = { .mode = ALIGN_EXACT };
		struct alignment al;
		struct gap g, columns;

		for (size_t i = 0; i < n; i++) {
			x[i] = (double)i;
			rv[i] = make_random(&seed);
			av[i] = make_random(&seed);
			if (round % 2 && i && make_random(&seed) < 0.1)
				av[i] = NAN;
			series_append(r, (int64_t)i, NAN, rv[i]);
			series_append(a, (int64_t)i, NAN, av[i]);
			if (isfinite(av[i])) {
				last[kept] = av[i];
				d[kept++] = av[i] - rv[i];
			}
		}
		ends = kept / 100 ? kept / 100 : 1;
		assert_int_equal(align_series(&al, r, a, &exact), 0);
		gap_measure_pairs(&g, &al);
		gap_measure(&columns, x, rv, av, n);
		assert_int_equal(g.n, kept);
		assert_within(g.early, mean_from(d, 0, ends), 1e-12);
		assert_within(g.late, mean_from(d, kept - ends, ends), 1e-12);
		ends = kept < GAP_FINAL_COUNT ? kept : GAP_FINAL_COUNT;
		assert_within(g.final_attempt, mean_from(last, kept - ends, ends), 1e-12);
		assert_within(g.area, columns.area, 1e-9);
		assert_within(g.late, columns.late, 0);
		alignment_release(&al);
		run_series_free(run);
	}
}

static void test_words_of_the_delta(void **state)
{
	enum delta_mode mode = DELTA_PLAIN;

	(void)state;
	assert_true(delta_mode_from_word(&mode, "log2") && mode == DELTA_LOG2);
	assert_true(delta_mode_from_word(&mode, "sigma") && mode == DELTA_SIGMA);
	assert_true(delta_mode_from_word(&mode, "ratio") && mode == DELTA_LOG2);
	mode = DELTA_RELATIVE;
	assert_false(delta_mode_from_word(&mode, "ratios"));
	assert_int_equal(mode, DELTA_RELATIVE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_drift, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_excursion_and_match, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_statistical_share, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_windows, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_nonfinite_pairs, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_nothing_finite, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			test_a_match_says_where_no_number_is, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_no_overlap, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_not_decidable, set_up, tear_down),
		cmocka_unit_test(test_better_by_name),
		cmocka_unit_test_setup_teardown(test_sides_and_examples, set_up, tear_down),
		cmocka_unit_test(test_example_counts),
		cmocka_unit_test_setup_teardown(test_sigma, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_delta_modes, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_tolerance_in_every_unit, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_one_story, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_too_large, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_spread_that_is_not_known, set_up, tear_down),
		cmocka_unit_test(test_gap),
		cmocka_unit_test(test_gap_ends),
		cmocka_unit_test(test_words_of_the_delta),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
