/* test_pyramid - every range of a pyramid equals a walk over the points. */
#include "config.h"

#include "tests/curve/make_series.h"

#include <stdlib.h>

#include "curve/pyramid.h"

static double strange_value(uint64_t *state)
{
	double r = make_random(state);

	if (r < 0.05)
		return NAN;
	if (r < 0.07)
		return INFINITY;
	if (r < 0.09)
		return -INFINITY;
	return (r - 0.5) * 1e3;
}

static struct pyramid_range walk(const double *v, size_t first, size_t end)
{
	struct pyramid_range r = {
		.min = NAN, .max = NAN, .min_positive = NAN, .first = NAN, .last = NAN
	};

	r.n = end - first;
	for (size_t i = first; i < end; i++) {
		if (isnan(v[i])) {
			r.n_nan++;
		} else if (isinf(v[i])) {
			r.n_plus_inf += v[i] > 0;
			r.n_minus_inf += v[i] < 0;
		} else {
			r.n_finite++;
			r.min = fmin(r.min, v[i]);
			r.max = fmax(r.max, v[i]);
			if (v[i] > 0)
				r.min_positive = fmin(r.min_positive, v[i]);
			else
				r.n_not_positive++;
		}
	}
	if (r.n) {
		r.first = v[first];
		r.last = v[end - 1];
	}
	return r;
}

static void assert_same(const struct pyramid_range *a, const struct pyramid_range *b)
{
	assert_int_equal(a->n, b->n);
	assert_int_equal(a->n_finite, b->n_finite);
	assert_int_equal(a->n_nan, b->n_nan);
	assert_int_equal(a->n_plus_inf, b->n_plus_inf);
	assert_int_equal(a->n_minus_inf, b->n_minus_inf);
	assert_int_equal(a->n_not_positive, b->n_not_positive);
	assert_close(a->min, b->min, 0);
	assert_close(a->max, b->max, 0);
	assert_close(a->min_positive, b->min_positive, 0);
	assert_close(a->first, b->first, 0);
	assert_close(a->last, b->last, 0);
}

static void test_any_range(void **state)
{
	enum { N = 5000 };
	double *v = calloc(N, sizeof *v);
	struct pyramid_values values = { .real = v };
	struct pyramid p = PYRAMID_INIT;
	uint64_t seed = 7;

	(void)state;
	for (size_t i = 0; i < N; i++)
		v[i] = strange_value(&seed);
	/* Grown in uneven pieces, as a live run grows. */
	for (size_t n = 0; n < N; n += 1 + (size_t)(make_random(&seed) * 40))
		pyramid_update(&p, values, n);
	pyramid_update(&p, values, N);
	for (int k = 0; k < 4000; k++) {
		size_t first = (size_t)(make_random(&seed) * N),
		       end = first + (size_t)(make_random(&seed) * (double)(N - first + 1));
		struct pyramid_range got = pyramid_query(&p, values, first, end),
				     want = walk(v, first, end);

		assert_same(&got, &want);
	}
	pyramid_release(&p);
	free(v);
}

static void test_pieces_and_whole_agree(void **state)
{
	enum { N = 70000 };
	float *v = calloc(N, sizeof *v);
	struct pyramid_values values = { .real32 = v };
	struct pyramid whole = PYRAMID_INIT, pieces = PYRAMID_INIT;
	uint64_t seed = 3;

	(void)state;
	for (size_t i = 0; i < N; i++)
		v[i] = (float)strange_value(&seed);
	pyramid_update(&whole, values, N);
	for (size_t n = 1; n <= N; n++)
		pyramid_update(&pieces, values, n);
	assert_int_equal(whole.n_levels, pieces.n_levels);
	for (int l = 0; l < whole.n_levels; l++) {
		assert_int_equal(whole.levels[l].n, pieces.levels[l].n);
		for (size_t i = 0; i < whole.levels[l].n; i++) {
			const struct pyramid_node *a = &whole.levels[l].nodes[i],
						  *b = &pieces.levels[l].nodes[i];

			assert_close(a->min, b->min, 0);
			assert_close(a->max, b->max, 0);
			assert_int_equal(a->n_nan, b->n_nan);
		}
	}
	assert_int_equal(whole.levels[whole.n_levels - 1].n <= 16, 1);
	pyramid_release(&whole);
	pyramid_release(&pieces);
	free(v);
}

static void test_shrinking_rebuilds(void **state)
{
	double v[40];
	struct pyramid_values values = { .real = v };
	struct pyramid p = PYRAMID_INIT;
	struct pyramid_range r;

	(void)state;
	for (int i = 0; i < 40; i++)
		v[i] = i;
	pyramid_update(&p, values, 40);
	v[3] = 100;
	pyramid_update(&p, values, 10);
	r = pyramid_query(&p, values, 0, 1000);
	assert_int_equal(r.n, 10);
	assert_close(r.max, 100, 0);
	r = pyramid_query(&p, values, 20, 30);
	assert_int_equal(r.n, 0);
	assert_true(isnan(r.min));
	pyramid_release(&p);
}

static void test_merge(void **state)
{
	double v[] = { 1, NAN, -2, 5 };
	struct pyramid_values values = { .real = v };
	struct pyramid p = PYRAMID_INIT;
	struct pyramid_range a, b, all;

	(void)state;
	pyramid_update(&p, values, 4);
	a = pyramid_query(&p, values, 0, 2);
	b = pyramid_query(&p, values, 2, 4);
	all = pyramid_query(&p, values, 0, 4);
	pyramid_range_merge(&a, &b);
	assert_same(&a, &all);
	pyramid_release(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_any_range),
		cmocka_unit_test(test_pieces_and_whole_agree),
		cmocka_unit_test(test_shrinking_rebuilds),
		cmocka_unit_test(test_merge),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
