/* test_align - pairing two curves in five ways, on several axes. */
#include "config.h"

#include "tests/curve/make_series.h"

#include <stdlib.h>

#include "base/err.h"
#include "curve/align.h"
#include "curve/gap.h"

struct fixture { struct run_series *r, *a; };

static int set_up(void **state)
{
	struct fixture *f = xcalloc(1, sizeof *f);

	f->r = run_series_new();
	f->a = run_series_new();
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	run_series_free(f->r);
	run_series_free(f->a);
	free(f);
	return 0;
}

static struct alignment align(
	const struct series *r, const struct series *a, struct align_options o)
{
	struct alignment al;

	assert_int_equal(align_series(&al, r, a, &o), 0);
	return al;
}

static void test_exact_intersection(void **state)
{
	struct fixture *f = *state;
	struct series *r = make_series(f->r, "m", POINTS(0, 1, 50, 1, 100, 1, 150, 1, 200, 1));
	struct series *a = make_series(f->a, "m", POINTS(0, 2, 100, 2, 200, 2, 300, 2));
	struct alignment al = align(r, a, (struct align_options){ .mode = ALIGN_EXACT });

	assert_int_equal(al.n, 3);
	assert_int_equal(al.pairs[1].key, 100);
	assert_int_equal(al.unmatched_reference, 2);
	assert_int_equal(al.unmatched_attempt, 1);
	assert_close(al.coverage, 1, 0);
	assert_within(al.span, 0.667, 5e-4);
	assert_close(al.first_x, 0, 0);
	assert_close(al.last_x, 200, 0);
	alignment_release(&al);
}

static void test_window_means(void **state)
{
	struct fixture *f = *state;
	struct series *r = make_series(f->r, "loss", POINTS(50, 4, 100, 3, 150, 2.5, 200, 2.25));
	struct series *a = make_series(f->a, "loss", POINTS(100, 3.6, 200, 2.4));
	struct alignment al = align(r, a, (struct align_options){ .mode = ALIGN_WINDOW });

	assert_int_equal(al.n, 2);
	assert_close(al.pairs[0].reference, 3.5, 1e-15);
	assert_close(al.pairs[1].reference, 2.375, 1e-15);
	assert_within(al.pairs[0].attempt - al.pairs[0].reference, 0.1, 1e-12);
	assert_within(al.pairs[1].attempt - al.pairs[1].reference, 0.025, 1e-12);
	assert_int_equal(al.unmatched_reference, -1);
	assert_int_equal(al.unmatched_attempt, -1);
	alignment_release(&al);
}

/* After a restart at 105 the row at 110 is the mean of five steps. */
static void test_window_restart(void **state)
{
	struct fixture *f = *state;
	struct series *r = make_series(f->r, "loss", POINTS(100, 1, 110, 9));
	struct series *a = make_series(f->a, "loss", POINTS(100, 1, 120, 4));
	struct alignment al;

	series_open_segment(r, 105, 0, false);
	series_append(r, 110, NAN, 4);
	series_append(r, 120, NAN, 1);
	al = align(r, a, (struct align_options){ .mode = ALIGN_WINDOW });
	assert_int_equal(al.n, 2);
	assert_close(al.pairs[1].reference, (5 * 4 + 10 * 1) / 15.0, 1e-15);
	alignment_release(&al);
}

static void test_nearest(void **state)
{
	struct fixture *f = *state;
	struct series *r = make_series(f->r, "m", POINTS(0, 0, 10, 1, 20, 2));
	struct series *a = make_series(f->a, "m", POINTS(-1, 0, 5, 0, 13, 0, 26, 0));
	struct alignment al =
		align(r, a, (struct align_options){ .mode = ALIGN_NEAREST, .nearest_max = 5 });

	assert_int_equal(al.n, 3);
	assert_close(al.pairs[0].reference, 0, 0);
	assert_close(al.pairs[1].reference, 0, 0);	/* a tie takes the smaller x */
	assert_close(al.pairs[2].reference, 1, 0);
	assert_int_equal(al.unmatched_attempt, 1);
	alignment_release(&al);
}

static void test_hold_and_linear(void **state)
{
	struct fixture *f = *state;
	struct series *r = make_series(f->r, "m", POINTS(0, 0, 10, 1, 20, NAN, 30, 3, 40, 4));
	struct series *a = make_series(f->a, "m", POINTS(-5, 0, 5, 0, 15, 0, 20, 0, 35, 0, 41, 0));
	struct alignment hold = align(r, a, (struct align_options){ .mode = ALIGN_HOLD });
	struct alignment linear = align(r, a, (struct align_options){ .mode = ALIGN_LINEAR });

	assert_int_equal(hold.n, 4);
	assert_close(hold.pairs[0].reference, 0, 0);
	assert_close(hold.pairs[1].reference, 1, 0);
	assert_close(hold.pairs[2].reference, NAN, 0);
	assert_close(hold.pairs[3].reference, 3, 0);
	assert_int_equal(linear.n, 3);
	assert_close(linear.pairs[0].reference, 0.5, 1e-15);
	assert_int_equal(linear.pairs[1].key, 20);
	assert_true(isnan(linear.pairs[1].reference));
	assert_close(linear.pairs[2].reference, 3.5, 1e-15);
	assert_int_equal(linear.unmatched_attempt, 3);
	alignment_release(&hold);
	alignment_release(&linear);
}

static void test_linear_keeps_to_one_segment(void **state)
{
	struct fixture *f = *state;
	struct series *r = make_series(f->r, "m", POINTS(0, 0, 10, 1, 20, 2));
	struct series *a = make_series(f->a, "m", POINTS(5, 0, 15, 0, 25, 0));
	struct alignment al;

	series_open_segment(r, 15, 0, false);
	series_append(r, 20, NAN, 7);
	series_append(r, 30, NAN, 8);
	al = align(r, a, (struct align_options){ .mode = ALIGN_LINEAR });
	assert_int_equal(al.n, 2);
	assert_int_equal(al.pairs[0].key, 5);
	assert_int_equal(al.pairs[1].key, 25);
	assert_close(al.pairs[1].reference, 7.5, 1e-15);
	alignment_release(&al);
}

static void test_latest_wins(void **state)
{
	struct fixture *f = *state;
	struct series *r = make_series(
		f->r, "m", POINTS(0, 0, 10, 1, 20, 2, 30, 3, 20, 2.5, 30, 3.5, 40, 4.5));
	struct axis_points p;

	assert_int_equal(align_axis_points(&p, r, ALIGN_STEP, SEGMENT_LATEST_WINS), 0);
	assert_int_equal(p.n, 5);
	assert_close(p.value[2], 2.5, 0);
	assert_close(p.value[4], 4.5, 0);
	assert_int_equal(p.segment[1], 0);
	assert_int_equal(p.segment[2], 1);
	assert_close(align_cadence(&p), 10, 0);
	axis_points_release(&p);
}

static void test_steps_stay_exact(void **state)
{
	struct fixture *f = *state;
	struct series *r = run_series_get(f->r, "m", 1, AXIS_STEP),
		      *a = run_series_get(f->a, "m", 1, AXIS_STEP);
	struct alignment al;

	series_append(r, INT64_C(9007199254740992), NAN, 1);
	series_append(r, INT64_C(9007199254740993), NAN, 2);
	series_append(a, INT64_C(9007199254740993), NAN, 3);
	series_append(a, INT64_MAX, NAN, 4);
	al = align(r, a, (struct align_options){ .mode = ALIGN_EXACT });
	assert_int_equal(al.n, 1);
	assert_close(al.pairs[0].reference, 2, 0);
	alignment_release(&al);
	al = align(r, a,
		(struct align_options){ .mode = ALIGN_NEAREST, .nearest_max = 1, .shift = 10 });
	assert_int_equal(al.n, 0);
	alignment_release(&al);
}

static void test_shift_and_start(void **state)
{
	struct fixture *f = *state;
	struct series *r = make_series(f->r, "m", POINTS(0, 0, 1, 1, 2, 2));
	struct series *a = make_series(f->a, "m", POINTS(101, 1, 102, 2, 103, 3));
	struct alignment al = align(r, a, (struct align_options){ .shift = -100 });

	assert_int_equal(al.n, 2);
	assert_int_equal(al.pairs[0].key, 1);
	alignment_release(&al);
	al = align(r, a, (struct align_options){ .axis = ALIGN_FROM_START });
	assert_int_equal(al.n, 3);
	assert_int_equal(al.pairs[2].key, 2);
	alignment_release(&al);
}

static void test_time_axes(void **state)
{
	struct fixture *f = *state;
	struct series *s = run_series_get(f->r, "m", 1, AXIS_STEP);
	struct axis_points p;

	for (int i = 0; i < 12; i++)
		series_append(s, i, 1000 + i + (i > 5 ? 500 : 0), i);
	assert_int_equal(align_axis_points(&p, s, ALIGN_TIME, SEGMENT_LATEST_WINS), 0);
	assert_close(p.x[0], 0, 0);
	assert_close(p.x[11], 511, 0);
	axis_points_release(&p);
	assert_int_equal(align_axis_points(&p, s, ALIGN_CLIPPED_TIME, SEGMENT_LATEST_WINS), 0);
	assert_close(p.x[5], 5, 0);
	assert_close(p.x[6], 15, 0);	/* the gap of 501 is cut to ten intervals */
	assert_close(p.x[11], 20, 0);
	axis_points_release(&p);
	assert_int_equal(align_axis_points(&p, s, ALIGN_EPOCH, SEGMENT_LATEST_WINS), ERR_NOT_FOUND);
	assert_non_null(strstr(err_text(), "no epoch axis"));
	axis_points_release(&p);
}

static void test_epoch_axis(void **state)
{
	struct fixture *f = *state;
	struct series *r = run_series_get(f->r, "m", 1, AXIS_EPOCH),
		      *a = run_series_get(f->a, "m", 1, AXIS_STEP);
	struct alignment al;

	for (int i = 0; i < 4; i++) {
		series_append_real(r, 0.5 * i, NAN, i);
		series_append(a, 7 * i, NAN, 10 + i);
		series_set_epoch(a, 1.0 * i);
	}
	al = align(r, a, (struct align_options){ .axis = ALIGN_EPOCH });
	assert_int_equal(al.n, 2);
	assert_close(al.pairs[1].reference, 2, 0);
	assert_close(al.pairs[1].attempt, 11, 0);
	assert_false(al.integer);
	alignment_release(&al);
}

static void test_refusals(void **state)
{
	struct fixture *f = *state;
	struct series *r = make_series(f->r, "m", POINTS(0, 0)),
		      *a = run_series_get(f->a, "m", 1, AXIS_EVAL_STEP);
	struct align_options wall = { .axis = ALIGN_WALL }, none = { .mode = ALIGN_EXACT };
	struct alignment al;

	series_append(a, 0, NAN, 0);
	assert_int_equal(align_series(&al, r, r, &wall), ERR_USAGE);
	alignment_release(&al);
	assert_int_equal(align_series(&al, r, a, &none), ERR_STATE);
	alignment_release(&al);
	assert_int_equal(align_series(&al, r, r, &(struct align_options){ .axis = ALIGN_EPOCH }),
		ERR_NOT_FOUND);
	alignment_release(&al);
}

static void test_lag(void **state)
{
	struct fixture *f = *state;
	struct series *r =
		make_series(f->r, "m", POINTS(0, 5, 1, 4, 2, 3.2, 3, 2.6, 4, 2.2, 5, 2.0));
	struct series *a = make_series(f->a, "m", POINTS(1, 5, 2, 4, 3, 3.2, 4, 2.6, 5, 2.2));
	struct axis_points rp, ap;
	struct align_lag lag;

	assert_int_equal(align_axis_points(&rp, r, ALIGN_STEP, SEGMENT_ALL), 0);
	assert_int_equal(align_axis_points(&ap, a, ALIGN_STEP, SEGMENT_ALL), 0);
	assert_true(align_find_lag(&rp, &ap, &lag));
	assert_int_equal(lag.lag, 1);
	assert_close(lag.median_abs, 0, 0);
	assert_within(lag.median_abs_at_0, 0.6, 1e-12);
	assert_true(align_find_lag(&rp, &rp, &lag));
	assert_int_equal(lag.lag, 0);
	axis_points_release(&rp);
	axis_points_release(&ap);
}

/* Plain series are paired without copies: the pairs are those of the long way. */
static void test_plain_series_pair_alike(void **state)
{
	struct fixture *f = *state;
	struct series *r = run_series_get(f->r, "m", 1, AXIS_STEP),
		      *a = run_series_get(f->a, "m", 1, AXIS_STEP);
	struct alignment plain, general;
	uint64_t seed = 17;

	for (int i = 0; i < 500; i++) {
		if (!i || make_random(&seed) < 0.7)
			series_append(r, i, NAN, make_random(&seed));
		if (!i || make_random(&seed) < 0.6)
			series_append(a, i, NAN, make_random(&seed));
	}
	plain = align(r, a, (struct align_options){ .axis = ALIGN_STEP });
	general = align(r, a, (struct align_options){ .axis = ALIGN_FROM_START });
	assert_int_equal(plain.n, general.n);
	assert_true(plain.n > 150);
	assert_int_equal(plain.unmatched_reference, general.unmatched_reference);
	assert_int_equal(plain.unmatched_attempt, general.unmatched_attempt);
	assert_close(plain.coverage, general.coverage, 0);
	assert_close(plain.span, general.span, 0);
	for (size_t i = 0; i < plain.n; i++)
		assert_memory_equal(&plain.pairs[i], &general.pairs[i], sizeof plain.pairs[i]);
	alignment_release(&plain);
	alignment_release(&general);
}

static void add_steps(struct series *s, int64_t from, int64_t to, int64_t without)
{
	for (int64_t i = from; i <= to; i++)
		if (i != without)
			series_append(s, i, NAN, (double)i / 7);
}

/* Long curves that are in step have no array of pairs; a gap gives them one. */
static void test_in_step(void **state)
{
	struct fixture *f = *state;
	struct series *r = make_series(f->r, "r", NULL, 0), *a = make_series(f->a, "a", NULL, 0),
		      *b = make_series(f->a, "b", NULL, 0);
	struct alignment al;
	struct align_pair p;

	add_steps(r, 1, 100000, 0);
	add_steps(a, 101, 90000, 0);
	add_steps(b, 101, 90000, 500);
	al = align(r, a, (struct align_options){ .axis = ALIGN_STEP });
	assert_null(al.pairs);
	assert_int_equal(al.n, 89900);
	assert_int_equal(al.unmatched_reference, 10100);
	assert_int_equal(al.unmatched_attempt, 0);
	assert_close(al.coverage, 1, 0);
	p = align_pair_at(&al, 399);
	assert_int_equal(p.key, 500);
	assert_int_equal(p.reference_point, 499);
	assert_int_equal(p.attempt_point, 399);
	assert_close(p.reference, 500.0 / 7, 0);
	/* A file that was replaced meanwhile: no such point, no read beyond. */
	series_clear(a);
	assert_true(isnan(align_pair_at(&al, 399).attempt));
	alignment_release(&al);
	al = align(r, b, (struct align_options){ .axis = ALIGN_STEP });
	assert_non_null(al.pairs);
	assert_int_equal(al.n, 89899);
	assert_int_equal(align_pair_at(&al, 399).key, 501);
	alignment_release(&al);
}

/* A random curve: steps with gaps, a restart now and then, some values no number. */
static struct series *random_curve(struct run_series *run, const char *name, uint64_t *seed)
{
	struct series *s = run_series_get(run, name, strlen(name), AXIS_STEP);
	int64_t x = (int64_t)(make_random(seed) * 10);

	for (int i = 0; i < 60; i++) {
		double u = make_random(seed);

		series_append(s, x, NAN, u < 0.05 ? NAN : u < 0.07 ? INFINITY : make_random(seed));
		x += 1 + (int64_t)(make_random(seed) * 4);
		if (u > 0.97)
			x -= 20;
	}
	return s;
}

static bool same_value(double a, double b)
{
	return (isnan(a) && isnan(b)) || (a >= b && a <= b);
}

/* Who is R and who is A changes nothing but their places: equal steps and windows. */
static void test_symmetric(void **state)
{
	static const enum align_mode modes[] = { ALIGN_EXACT, ALIGN_WINDOW };
	uint64_t seed = 99;

	(void)state;
	for (int round = 0; round < 200; round++) {
		struct run_series *run = run_series_new();
		struct series *r = random_curve(run, "r", &seed), *a = random_curve(run, "a", &seed);
		struct align_options o = { .mode = modes[round % 2] };
		struct alignment x, y;

		assert_int_equal(align_series(&x, r, a, &o), 0);
		assert_int_equal(align_series(&y, a, r, &o), 0);
		assert_int_equal(x.n, y.n);
		assert_int_equal(x.unmatched_reference, y.unmatched_attempt);
		assert_int_equal(x.unmatched_attempt, y.unmatched_reference);
		assert_true(same_value(x.coverage, y.coverage) && same_value(x.span, y.span));
		for (size_t i = 0; i < x.n; i++) {
			struct align_pair p = align_pair_at(&x, i), q = align_pair_at(&y, i);

			assert_true(p.key == q.key && same_value(p.reference, q.attempt) &&
				same_value(p.attempt, q.reference));
		}
		alignment_release(&x);
		alignment_release(&y);
		run_series_free(run);
	}
}

/* The end of two curves is their last exact pair, found without pairing them. */
static void test_gap_at_end(void **state)
{
	uint64_t seed = 7;
	size_t n_finite = 0;

	(void)state;
	for (int round = 0; round < 200; round++) {
		struct run_series *run = run_series_new();
		struct series *r = random_curve(run, "r", &seed), *a = random_curve(run, "a", &seed);
		struct alignment al = align(r, a, (struct align_options){ .mode = ALIGN_EXACT });
		double d = NAN;

		if (al.n)
			d = fabs(align_pair_at(&al, al.n - 1).attempt -
				align_pair_at(&al, al.n - 1).reference);
		assert_true(same_value(gap_at_end(r, a), isfinite(d) ? d : NAN));
		n_finite += isfinite(d);
		alignment_release(&al);
		run_series_free(run);
	}
	assert_in_range(n_finite, 100, 200);
}

static void test_gap_at_end_without_one(void **state)
{
	struct run_series *run = run_series_new();
	struct series *r = run_series_get(run, "r", 1, AXIS_STEP);
	struct series *a = run_series_get(run, "a", 1, AXIS_STEP);
	struct series *e = run_series_get(run, "e", 1, AXIS_EVAL_STEP);

	(void)state;
	assert_true(isnan(gap_at_end(r, a)));
	series_append(r, 3, NAN, 1);
	series_append(a, 3, NAN, 5);
	series_append(a, 3, NAN, 4);	/* of equal steps the later one counts */
	series_append(a, 4, NAN, 9);
	series_append(e, 3, NAN, 4);
	assert_close(gap_at_end(r, a), 3, 0);
	assert_true(isnan(gap_at_end(r, e)));
	series_append(r, 4, NAN, INFINITY);
	assert_true(isnan(gap_at_end(r, a)));
	run_series_free(run);
}

static void test_gap_range(void **state)
{
	struct gap_range r = GAP_RANGE_INIT;

	(void)state;
	gap_range_add(&r, NAN);
	assert_true(isnan(r.low) && isnan(r.high) && !r.n);
	gap_range_add(&r, 0.5);
	gap_range_add(&r, 0.25);
	gap_range_add(&r, INFINITY);
	assert_close(r.low, 0.25, 0);
	assert_close(r.high, 0.5, 0);
	assert_int_equal(r.n, 2);
}

/* Rounding is no difference, nor is the same NaN or infinity; one of them alone is. */
static void test_differing(void **state)
{
	static const double reference[] = { 1, 1e-3, NAN, INFINITY, -INFINITY, 5, NAN, 0 };
	static const double attempt[] = { 1, 1e-3 * (1 + 1e-8), NAN, INFINITY, INFINITY, INFINITY,
		7, 0 };
	struct run_series *run = run_series_new();
	struct series *r = run_series_get(run, "r", 1, AXIS_STEP);
	struct series *a = run_series_get(run, "a", 1, AXIS_STEP);
	struct alignment al;
	struct align_pair first = { .key = -1 };

	(void)state;
	for (int i = 0; i < (int)ARRAY_LEN(reference); i++) {
		series_append(r, i, NAN, reference[i]);
		series_append(a, i, NAN, attempt[i]);
	}
	al = align(r, a, (struct align_options){ .mode = ALIGN_EXACT });
	assert_int_equal(align_differing(&al, &first), 3);
	assert_int_equal(first.key, 4);
	alignment_release(&al);
	al = align(r, r, (struct align_options){ .mode = ALIGN_EXACT });
	first.key = -1;
	assert_int_equal(align_differing(&al, &first), 0);
	assert_int_equal(first.key, -1);
	alignment_release(&al);
	run_series_free(run);
}

/* A shift of the attempt is the attempt logged that many steps later. */
static void test_shift_is_a_shift(void **state)
{
	uint64_t seed = 7;

	(void)state;
	for (int round = 0; round < 100; round++) {
		struct run_series *run = run_series_new();
		struct series *r = random_curve(run, "r", &seed), *a = random_curve(run, "a", &seed);
		struct series *moved = run_series_get(run, "moved", 5, AXIS_STEP);
		struct align_options o = { .mode = (enum align_mode)(round % 5), .nearest_max = 3 };
		struct alignment x, y;
		int64_t shift = (int64_t)(make_random(&seed) * 9) - 4;

		for (size_t i = 0; i < a->n; i++)
			series_append(moved, a->x[i] + shift, NAN, series_value(a, i));
		assert_int_equal(align_series(&x, r, moved, &o), 0);
		o.shift = shift;
		assert_int_equal(align_series(&y, r, a, &o), 0);
		assert_int_equal(x.n, y.n);
		/* The first row of a window begins at 0, which does not move along. */
		for (size_t i = o.mode == ALIGN_WINDOW; i < x.n; i++) {
			struct align_pair p = align_pair_at(&x, i), q = align_pair_at(&y, i);

			assert_true(p.key == q.key && same_value(p.reference, q.reference));
			if (o.mode != ALIGN_WINDOW)
				assert_true(same_value(p.attempt, q.attempt));
		}
		alignment_release(&x);
		alignment_release(&y);
		run_series_free(run);
	}
}

/* Twice the batch: half the steps are the same samples. */
static void test_samples(void **state)
{
	struct run_series *run = run_series_new();
	struct series *r = run_series_get(run, "r", 1, AXIS_STEP),
		      *a = run_series_get(run, "a", 1, AXIS_STEP),
		      *n = run_series_get(run, "num_samples", 11, AXIS_STEP);
	struct align_options o = { .axis = ALIGN_SAMPLES,
		.reference_scale = { .per_step = 32 }, .attempt_scale = { .per_step = 64 } };
	struct alignment al;

	(void)state;
	for (int i = 1; i <= 20; i++)
		series_append(r, 10 * i, NAN, i);
	for (int i = 1; i <= 10; i++) {
		series_append(a, 10 * i, NAN, 2 * i);
		if (i != 4)
			series_append(n, 10 * i, NAN, 640.0 * i);
	}
	assert_int_equal(align_series(&al, r, a, &o), 0);
	assert_int_equal(al.n, 10);
	assert_int_equal(al.unmatched_attempt, 0);
	assert_int_equal(al.unmatched_reference, 10);
	for (size_t i = 0; i < al.n; i++) {
		struct align_pair p = align_pair_at(&al, i);

		assert_close(p.x, 640.0 * (double)(i + 1), 0);
		assert_close(p.reference, p.attempt, 0);
	}
	alignment_release(&al);
	/* What the run counted beats the factor; where it did not, there is no place. */
	o.attempt_scale = (struct axis_scale){ .per_step = 1, .counter = n };
	assert_int_equal(align_series(&al, r, a, &o), 0);
	assert_int_equal(al.n, 9);
	assert_int_equal(al.n_attempt, 9);
	assert_int_equal(al.n_unplaced_attempt, 1);
	assert_int_equal(al.n_unplaced_reference, 0);
	alignment_release(&al);
	o.attempt_scale = (struct axis_scale){ .per_step = 0 };
	assert_int_equal(align_series(&al, r, a, &o), ERR_NOT_FOUND);
	assert_non_null(strstr(err_text(), "how many samples a step of a takes"));
	alignment_release(&al);
	o.axis = ALIGN_TOKENS;
	assert_int_equal(align_series(&al, r, a, &o), ERR_NOT_FOUND);
	assert_non_null(strstr(err_text(), "tokens-per-step"));
	alignment_release(&al);
	run_series_free(run);
}

/* Between two evaluations nothing was measured. */
static void test_evaluations_are_not_interpolated(void **state)
{
	struct run_series *run = run_series_new();
	struct series *r = make_series(run, "eval_loss", POINTS(0, 1, 10, 2));
	struct align_options o = { .mode = ALIGN_LINEAR, .evaluation = true, .nearest_max = 5 };
	struct alignment al;

	(void)state;
	assert_int_equal(align_series(&al, r, r, &o), ERR_USAGE);
	assert_non_null(strstr(err_text(), "never interpolated"));
	alignment_release(&al);
	o.mode = ALIGN_WINDOW;
	assert_int_equal(align_series(&al, r, r, &o), ERR_USAGE);
	alignment_release(&al);
	o.mode = ALIGN_NEAREST;
	assert_int_equal(align_series(&al, r, r, &o), 0);
	assert_int_equal(al.n, 2);
	alignment_release(&al);
	run_series_free(run);
}

/* One that is logged a row later, with and without a shift that undoes it. */
static void test_lag_of_series(void **state)
{
	struct run_series *run = run_series_new();
	struct series *r = make_series(run, "r", POINTS(0, 5, 1, 4, 2, 3.2, 3, 2.6, 4, 2.2, 5, 2)),
		      *a = make_series(run, "a", POINTS(1, 5, 2, 4, 3, 3.2, 4, 2.6, 5, 2.2));
	struct align_options o = { .mode = ALIGN_EXACT };
	struct align_lag lag;

	(void)state;
	assert_true(align_series_lag(&lag, r, a, &o));
	assert_int_equal(lag.lag, 1);
	assert_close(lag.median_abs, 0, 0);
	o.shift = -1;
	assert_true(align_series_lag(&lag, r, a, &o));
	assert_int_equal(lag.lag, 0);
	o = (struct align_options){ .axis = ALIGN_EPOCH };
	assert_false(align_series_lag(&lag, r, a, &o));
	assert_string_equal(err_text(), "");
	run_series_free(run);
}

static void test_names(void **state)
{
	enum align_mode mode;
	enum align_axis axis;

	(void)state;
	assert_true(align_mode_from_name(&mode, "window"));
	assert_int_equal(mode, ALIGN_WINDOW);
	assert_false(align_mode_from_name(&mode, "dtw"));
	assert_true(align_axis_from_name(&axis, "step-from-start"));
	assert_int_equal(axis, ALIGN_FROM_START);
	assert_string_equal(align_axis_name(ALIGN_EPOCH), "epoch");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_exact_intersection, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_window_means, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_window_restart, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_nearest, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_hold_and_linear, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			test_linear_keeps_to_one_segment, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_latest_wins, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_steps_stay_exact, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_shift_and_start, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_time_axes, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_epoch_axis, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_refusals, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_lag, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_plain_series_pair_alike, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_in_step, set_up, tear_down),
		cmocka_unit_test(test_symmetric),
		cmocka_unit_test(test_gap_at_end),
		cmocka_unit_test(test_gap_at_end_without_one),
		cmocka_unit_test(test_gap_range),
		cmocka_unit_test(test_differing),
		cmocka_unit_test(test_shift_is_a_shift),
		cmocka_unit_test(test_samples),
		cmocka_unit_test(test_evaluations_are_not_interpolated),
		cmocka_unit_test(test_lag_of_series),
		cmocka_unit_test(test_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
