/* test_tensor_compare - types, steps, sums and verdicts of tensors. */
#include "config.h"

#include "tensor_make.h"

#include "evidence/tensor_compare.h"
#include "evidence/tensor_pieces.h"
#include "evidence/tensor_lanes.h"
#include "evidence/tensor_triangle.h"

/* ---- types --------------------------------------------------------------- */

static double value_of(enum tensor_type type, uint64_t bits)
{
	double v;

	tensor_to_double(&v, type, &bits, 1);		/* on a little-endian machine */
	return v;
}

static void test_values_of_small_floats(void **state)
{
	(void)state;
	assert_true(value_of(TENSOR_BF16, 0x3f80) == 1.0);
	assert_true(value_of(TENSOR_BF16, 0xc2f7) == -123.5);
	assert_true(value_of(TENSOR_BF16, 0x0001) == 0x1p-133);
	assert_true(value_of(TENSOR_BF16, 0x7f80) == (double)INFINITY);
	assert_true(isnan(value_of(TENSOR_BF16, 0x7fc1)));
	assert_true(value_of(TENSOR_F16, 0x3c00) == 1.0);
	assert_true(value_of(TENSOR_F16, 0x7bff) == 65504.0);
	assert_true(value_of(TENSOR_F16, 0x0001) == 0x1p-24);
	assert_true(value_of(TENSOR_F16, 0x8400) == -0x1p-14);
	assert_true(value_of(TENSOR_F16, 0xfc00) == -(double)INFINITY);
	assert_true(isnan(value_of(TENSOR_F16, 0x7c01)));
	assert_true(value_of(TENSOR_F8_E4M3, 0x38) == 1.0);
	assert_true(value_of(TENSOR_F8_E4M3, 0x7e) == 448.0);
	assert_true(value_of(TENSOR_F8_E4M3, 0x01) == 0x1p-9);
	assert_true(isnan(value_of(TENSOR_F8_E4M3, 0xff)));
	assert_true(value_of(TENSOR_F8_E5M2, 0x3c) == 1.0);
	assert_true(value_of(TENSOR_F8_E5M2, 0x7b) == 57344.0);
	assert_true(value_of(TENSOR_F8_E5M2, 0x01) == 0x1p-16);
	assert_true(value_of(TENSOR_F8_E5M2, 0x7c) == (double)INFINITY);
	assert_true(isnan(value_of(TENSOR_F8_E5M2, 0x7d)));
	assert_true(value_of(TENSOR_I8, 0xff) == -1.0);
	assert_true(value_of(TENSOR_U8, 0xff) == 255.0);
	assert_true(value_of(TENSOR_I16, 0x8000) == -32768.0);
	assert_true(value_of(TENSOR_U32, 0xffffffff) == 4294967295.0);
	assert_true(value_of(TENSOR_BOOL, 1) == 1.0);
	assert_true(signbit(value_of(TENSOR_F16, 0x8000)) && value_of(TENSOR_F16, 0x8000) == 0.0);
}

/* Every finite pattern is one step above the one before. */
static void test_ordinals_count_every_number(void **state)
{
	static const struct {
		enum tensor_type type;
		uint64_t patterns;
	} cases[] = {
		{ TENSOR_F16, 0x7c00 },
		{ TENSOR_BF16, 0x7f80 },
		{ TENSOR_F8_E4M3, 0x7f },
		{ TENSOR_F8_E5M2, 0x7c },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		for (uint64_t bits = 0; bits < cases[i].patterns; bits++) {
			double v = value_of(cases[i].type, bits);

			if (tensor_ordinal(cases[i].type, v) != (int64_t)bits ||
				tensor_ordinal(cases[i].type, -v) != -(int64_t)bits)
				fail_msg("type %zu, bits %llx", i, (unsigned long long)bits);
		}
	assert_int_equal(tensor_ordinal(TENSOR_F32, (double)1.5f), 0x3fc00000);
	assert_int_equal(tensor_ordinal(TENSOR_F64, -1.5), -0x3ff8000000000000);
	/* Rounded to even where the type cannot hold it. */
	assert_int_equal(tensor_ordinal(TENSOR_BF16, 1 + 0x1p-8), 0x3f80);
	assert_int_equal(tensor_ordinal(TENSOR_BF16, 1 + 0x3p-8), 0x3f82);
	assert_int_equal(tensor_ordinal(TENSOR_BF16, 0x1p-134), 0);
	assert_int_equal(tensor_ulp_distance(TENSOR_F64, -1e308, 1e308),
		2 * (uint64_t)tensor_ordinal(TENSOR_F64, 1e308));
}

/* statistics 11: 0.3477 and 0.3496 are one step of bf16 apart. */
static void test_one_step_of_bf16_is_no_difference(void **state)
{
	static const uint16_t reference[] = { 0x3eb2 }, attempt[] = { 0x3eb3 };
	struct tensor_rule strict = { .atol = 1e-3, .rtol = 1e-3 },
			   floored = { .atol = 1e-3, .rtol = 1e-3, .ulp = 1 };
	struct tensor_block b = { TENSOR_BF16, TENSOR_BF16, reference, attempt, 1, 0 };
	struct tensor_tally t = { 0 };

	(void)state;
	tensor_tally_block(&t, &strict, &b);
	assert_int_equal(t.outside, 1);
	assert_int_equal(t.ulp, 1);
	assert_near(t.absolute.value, 0x1p-9, 0);
	t = (struct tensor_tally){ 0 };
	tensor_tally_block(&t, &floored, &b);
	assert_int_equal(t.outside, 0);
}

/* ---- sums ---------------------------------------------------------------- */

/* statistics 11: RMSE 0.0158114 and 0.0342783, ratio 2.16795, cosine 0.999929. */
static void test_figures_of_the_vector(void **state)
{
	static const double high[] = { 1, 2, 3, 4 }, g[] = { 1.01, 1.99, 3.02, 3.98 },
			    attempt[] = { 1.03, 1.98, 3.03, 3.95 };
	struct tensor_rule rule = { .atol = 0.05, .rtol = 0.01 };
	struct tensor_tally t = { 0 };

	(void)state;
	tensor_tally_block(&t, &rule,
		&(struct tensor_block){ TENSOR_F64, TENSOR_F64, high, attempt, 4, 0 });
	assert_near(tensor_tally_rmse(&t), 0.0342783, 1e-5);
	assert_near(tensor_tally_cosine(&t), 0.999929, 1e-6);
	assert_near(tensor_tally_mean_absolute(&t), 0.0325, 1e-12);
	assert_near(t.absolute.value, 0.05, 1e-12);
	assert_int_equal(t.absolute.at, 3);
	assert_near(t.relative.value, 0.03, 1e-12);
	assert_int_equal(t.relative.at, 0);
	assert_int_equal(t.outside, 0);
	assert_near(t.share, 0.05 / (0.05 + 0.04), 1e-12);
	assert_true(t.least_rtol < 1e-12);
	t = (struct tensor_tally){ 0 };
	tensor_tally_block(
		&t, &rule, &(struct tensor_block){ TENSOR_F64, TENSOR_F64, high, g, 4, 0 });
	assert_near(tensor_tally_rmse(&t), 0.0158114, 1e-5);
}

static void judge(struct tensor_triangle *out, enum tensor_type type, int times, double atol)
{
	static const double high[] = { 1, 2, 3, 4 }, g[] = { 1.01, 1.99, 3.02, 3.98 },
			    attempt[] = { 1.03, 1.98, 3.03, 3.95 };
	struct triangle_sums sums = { 0 };

	*out = (struct tensor_triangle){ 0 };
	for (int i = 0; i < times; i++)
		triangle_sums_add(&sums,
			&(struct tensor_block){ TENSOR_F64, TENSOR_F64, g, attempt, 4, 0 },
			TENSOR_F64, high);
	triangle_sums_judge(out, &sums, type, atol);
}

static void test_the_rule_of_the_third_side(void **state)
{
	struct tensor_triangle t;

	(void)state;
	judge(&t, TENSOR_F32, 250, 0);		/* 1000 elements: k = 2 */
	assert_true(t.judged && t.k == 2 && !t.passes);
	assert_near(t.reference_rmse, 0.0158114, 1e-5);
	assert_near(t.attempt_rmse, 0.0342783, 1e-5);
	assert_near(t.ratio, 2.16795, 1e-5);
	assert_near(t.attempt_cosine, 0.999929, 1e-6);
	judge(&t, TENSOR_F32, 249, 0);		/* fewer: k = 3 */
	assert_true(t.k == 3 && t.passes);
	judge(&t, TENSOR_BF16, 250, 0);
	assert_true(t.k == 3 && t.passes);
	judge(&t, TENSOR_F16, 250, 0);
	assert_true(t.k == 3 && t.passes);
	/* A tenth of the tolerance: 0.0342783 - 2 * 0.0158114 = 0.0026555. */
	judge(&t, TENSOR_F32, 250, 0.0265);
	assert_false(t.passes);
	judge(&t, TENSOR_F32, 250, 0.0266);
	assert_true(t.passes);
}

enum { MANY = 5 * TENSOR_BLOCK + 77 };

/* Numbers that look random and are the same on every machine. */
static double noise(uint64_t i)
{
	uint64_t v = (i + 1) * UINT64_C(0x9e3779b97f4a7c15);

	v ^= v >> 29;
	v *= UINT64_C(0xbf58476d1ce4e5b9);
	v ^= v >> 32;
	return (double)(v >> 11) * 0x1p-52 - 1;
}

/* N elements of TYPE from VALUES, cut to the type. */
static void *made(enum tensor_type type, const double *values, size_t n)
{
	unsigned size = tensor_type_facts(type)->size_bytes;
	unsigned char *out = xcalloc(n, size);

	for (size_t i = 0; i < n; i++) {
		float f = (float)values[i];
		int64_t ordinal = tensor_ordinal(type, values[i]);
		uint64_t bits = (uint64_t)(ordinal < 0 ? -ordinal : ordinal) |
			(uint64_t)(ordinal < 0) << (8 * size - 1);

		if (type == TENSOR_F32)
			memcpy(out + 4 * i, &f, 4);
		else
			memcpy(out + size * i, &bits, size);
	}
	return out;
}

static void tally_all(struct tensor_tally *t, const struct tensor_rule *rule, enum tensor_type rt,
	const void *r, enum tensor_type at, const void *a, size_t n)
{
	*t = (struct tensor_tally){ 0 };
	for (size_t i = 0; i < n; i += TENSOR_BLOCK)
		tensor_tally_block(t, rule,
			&(struct tensor_block){ rt, at,
				(const char *)r + i * tensor_type_facts(rt)->size_bytes,
				(const char *)a + i * tensor_type_facts(at)->size_bytes,
				n - i < TENSOR_BLOCK ? n - i : TENSOR_BLOCK, i });
}

static void assert_largest(double got, double wanted, double relative)
{
	assert_int_equal(isinf(got) != 0, isinf(wanted) != 0);
	if (isfinite(wanted))
		assert_near(got, wanted, relative);
}

/* The same by one plain loop over doubles. */
static void assert_as_plain(const struct tensor_tally *t, const struct tensor_rule *rule,
	enum tensor_type rt, const void *r, enum tensor_type at, const void *a, size_t n)
{
	enum tensor_type coarser = tensor_type_coarser(rt, at);
	double *x = xcalloc(n, sizeof *x), *y = xcalloc(n, sizeof *y);
	long double sum = 0, square = 0, xx = 0, yy = 0, xy = 0;
	double most = 0, relative = 0, share = 0, least = 0;
	uint64_t most_at = 0, ulp = 0, outside = 0, first = 0;
	bool in_float = rt == TENSOR_BF16 && at == TENSOR_BF16;

	tensor_to_double(x, rt, r, n);
	tensor_to_double(y, at, a, n);
	for (size_t i = 0; i < n; i++) {
		double d = fabs(y[i] - x[i]), accepted = rule->atol + rule->rtol * fabs(x[i]);
		uint64_t steps = tensor_ulp_distance(coarser, x[i], y[i]);

		sum += (long double)d;
		square += (long double)d * (long double)d;
		xx += (long double)x[i] * (long double)x[i];
		yy += (long double)y[i] * (long double)y[i];
		xy += (long double)x[i] * (long double)y[i];
		if (d > most) {
			most = d;
			most_at = i;
		}
		if (x[i] < 0 || x[i] > 0)
			relative = fmax(relative, d / fabs(x[i]));
		if (d > 0)
			share = fmax(share, d / accepted);
		if (d > rule->atol)
			least = fmax(least, (d - rule->atol) / fabs(x[i]));
		ulp = steps > ulp ? steps : ulp;
		if (d > accepted && !(rule->ulp && steps <= rule->ulp) && !outside++)
			first = i;
	}
	assert_int_equal(t->count, n);
	assert_int_equal(t->finite, n);
	assert_near((double)t->sum_absolute, (double)sum, in_float ? 2e-7 : 1e-13);
	assert_near(tensor_tally_rmse(t), (double)sqrtl(square / (long double)n),
		in_float ? 2e-7 : 1e-13);
	assert_near(tensor_tally_cosine(t), (double)(xy / sqrtl(xx) / sqrtl(yy)),
		in_float ? 2e-7 : 1e-14);
	assert_true(t->absolute.value == most);
	assert_int_equal(t->absolute.at, most_at);
	assert_near(t->relative.value, relative, 1e-14);
	assert_largest(t->share, share, in_float ? 1e-6 : 1e-14);
	assert_largest(t->least_rtol, least, in_float ? 1e-6 : 1e-14);
	assert_int_equal(t->ulp, ulp);
	assert_int_equal(t->outside, outside);
	assert_int_equal(t->first_outside, outside ? first : 0);
	free(x);
	free(y);
}

static void test_all_types_as_one_plain_loop(void **state)
{
	static const enum tensor_type types[] = { TENSOR_F64, TENSOR_F32, TENSOR_F16, TENSOR_BF16,
		TENSOR_F8_E4M3, TENSOR_F8_E5M2 };
	static const struct tensor_rule rules[] = { { 1e-5, 1e-3, 0 }, { 0, 0x1p-7, 0 },
		{ 1e-3, 0, 1 }, { 0, 0, 0 }, { 10, 10, 1 } };
	double x[MANY], y[MANY];

	(void)state;
	for (uint64_t i = 0; i < MANY; i++) {
		x[i] = noise(i) * (i % 7 ? 1 : 1e-4);
		y[i] = i % 5 ? x[i] * (1 + 0.01 * noise(i + MANY)) : x[i];
		if (i >= TENSOR_BLOCK && i < 2 * TENSOR_BLOCK)
			y[i] = x[i];			/* a block of equal bytes */
	}
	x[17] = 0;
	y[17] = 0.25;
	for (size_t k = 0; k < ARRAY_LEN(types); k++)
		for (size_t m = 0; m < ARRAY_LEN(types); m++) {
			void *r = made(types[k], x, MANY);
			void *a = made(types[m], y, MANY);

			for (size_t i = 0; i < ARRAY_LEN(rules); i++) {
				struct tensor_tally t;

				tally_all(&t, &rules[i], types[k], r, types[m], a, MANY);
				assert_as_plain(&t, &rules[i], types[k], r, types[m], a, MANY);
			}
			free(r);
			free(a);
		}
}

/* Looking in float changes no sum of f32, and sees every element that counts. */
static void test_the_short_way_is_the_long_one(void **state)
{
	struct tensor_lane_limits limits = { .atol = 1e-5, .rtol = 1e-3, .absolute = 1e-2,
		.relative = 1e-2, .share = 0.9, .least_rtol = 1e-2 };
	struct tensor_lane_sums fast, slow;
	float r[TENSOR_BLOCK], a[TENSOR_BLOCK];

	(void)state;
	for (uint64_t i = 0; i < TENSOR_BLOCK; i++) {
		r[i] = (float)(0.7 + 0.2 * noise(i));
		a[i] = r[i] * (float)(1 + 1e-4 * noise(i + 7));
	}
	assert_true(tensor_lanes_screen(&fast, &limits, TENSOR_F32, r, a, TENSOR_BLOCK));
	tensor_lanes_compare(&slow, &limits, TENSOR_F32, r, a, TENSOR_BLOCK);
	assert_true(fast.absolute == slow.absolute && fast.square == slow.square);
	assert_true(fast.reference_square == slow.reference_square &&
		fast.attempt_square == slow.attempt_square);
	assert_false(slow.exceeds || slow.outside);
	for (size_t i = 0; i < TENSOR_BLOCK; i += 61) {
		float kept = a[i];

		a[i] = r[i] * (1 + 1.01e-3f) + 1e-5f;		/* outside */
		assert_false(tensor_lanes_screen(&fast, &limits, TENSOR_F32, r, a, TENSOR_BLOCK));
		a[i] = r[i] * (1 + 0.95e-3f);			/* a larger share */
		assert_false(tensor_lanes_screen(&fast, &limits, TENSOR_F32, r, a, TENSOR_BLOCK));
		a[i] = NAN;
		if (tensor_lanes_screen(&fast, &limits, TENSOR_F32, r, a, TENSOR_BLOCK))
			assert_false(isfinite(fast.square));
		a[i] = kept;
	}
}

static void test_special_numbers(void **state)
{
	float r[] = { NAN, NAN, 1, INFINITY, INFINITY, -INFINITY, 2, -0.0f, 0x1p-149f, 1 };
	float a[] = { NAN, 1, NAN, INFINITY, -INFINITY, 3, INFINITY, 0.0f, 0x1p-148f, 1 };
	uint32_t payload = 0xffc12345;
	struct tensor_rule rule = { .atol = 1e-5, .rtol = 1e-5 };
	struct tensor_tally t = { 0 };

	(void)state;
	memcpy(&a[0], &payload, sizeof payload);
	tensor_tally_block(
		&t, &rule, &(struct tensor_block){ TENSOR_F32, TENSOR_F32, r, a, 10, 0 });
	assert_int_equal(t.count, 10);
	assert_int_equal(t.nan_reference, 2);
	assert_int_equal(t.nan_attempt, 2);
	assert_int_equal(t.nan_both, 1);
	assert_int_equal(t.infinite_reference, 3);
	assert_int_equal(t.infinite_attempt, 3);
	assert_int_equal(t.infinite_both, 1);
	assert_int_equal(t.finite, 3);
	assert_int_equal(t.outside, 5);
	assert_int_equal(t.first_outside, 1);
	assert_true(t.absolute.value == (double)INFINITY);
	assert_int_equal(t.absolute.at, 4);
	assert_int_equal(t.ulp, 1);			/* the denormals; -0 is 0 */
	assert_near(t.relative.value, 1, 0);
	assert_near((double)t.sum_absolute, 0x1p-149, 0);
	assert_true(isinf(t.least_rtol) && isinf(t.share));
}

/* Squares that leave the range of double, both ways, and equal bytes of such. */
static void test_squares_beyond_double(void **state)
{
	static const double large[] = { 1e200, -1e200, 3e200 }, other[] = { 1e200, -1e200, 4e200 };
	static const double tiny[] = { 1e-200, 3e-200 }, tinier[] = { 1e-200, 1e-200 };
	struct tensor_rule rule = { .rtol = 0.5 };
	struct tensor_tally t = { 0 };

	(void)state;
	tensor_tally_block(
		&t, &rule, &(struct tensor_block){ TENSOR_F64, TENSOR_F64, large, other, 3, 0 });
	assert_near(tensor_tally_rmse(&t), 1e200 / sqrt(3), 1e-14);
	assert_near(tensor_tally_cosine(&t), 14 / sqrt(11 * 18), 1e-14);
	assert_int_equal(t.outside, 0);
	t = (struct tensor_tally){ 0 };
	tensor_tally_block(
		&t, &rule, &(struct tensor_block){ TENSOR_F64, TENSOR_F64, tiny, tinier, 2, 0 });
	assert_near(tensor_tally_rmse(&t), 2e-200 / sqrt(2), 1e-14);
	assert_near(tensor_tally_cosine(&t), 4 / sqrt(10 * 2), 1e-14);
	assert_int_equal(t.outside, 1);
	t = (struct tensor_tally){ 0 };
	tensor_tally_block(
		&t, &rule, &(struct tensor_block){ TENSOR_F64, TENSOR_F64, large, large, 3, 0 });
	assert_near(tensor_tally_cosine(&t), 1, 0);
	assert_int_equal(t.finite, 3);
}

static void test_integers_are_exact(void **state)
{
	static const int64_t r[] = { INT64_MAX, INT64_MIN, 7, -1 };
	static const int64_t a[] = { INT64_MAX - 1, INT64_MAX, 7, -1 };
	static const uint64_t u[] = { UINT64_MAX };
	static const int8_t s[] = { -1 };
	struct tensor_rule rule = { 0 };
	struct tensor_tally t = { 0 };

	(void)state;
	tensor_tally_block(&t, &rule, &(struct tensor_block){ TENSOR_I64, TENSOR_I64, r, a, 4, 0 });
	assert_int_equal(t.outside, 2);
	assert_int_equal(t.first_outside, 0);
	assert_near(t.absolute.value, 0x1p64 - 1, 1e-15);
	assert_int_equal(t.absolute.at, 1);
	t = (struct tensor_tally){ 0 };
	tensor_tally_block(&t, &rule, &(struct tensor_block){ TENSOR_U64, TENSOR_I8, u, s, 1, 0 });
	assert_int_equal(t.outside, 1);
	assert_near(t.absolute.value, 0x1p64, 1e-15);
}

/* ---- whole tensors ------------------------------------------------------- */

static struct tensor in_memory(enum tensor_type type, const void *p, const uint64_t *dimensions,
	unsigned n)
{
	struct tensor t = { .name = "t", .path = "memory", .type = type, .type_name = "",
		.dimensions = dimensions, .n_dimensions = n, .packing = TENSOR_IN_MEMORY,
		.bytes = p };

	assert_true(tensor_measure(&t));
	return t;
}

static struct tensor_result result_of(const struct tensor *r, const struct tensor *a,
	const struct tensor *third, const struct tensor_options *options)
{
	struct tensor_result out;

	assert_int_equal(tensor_compare(&out, r, a, third, options), 0);
	return out;
}

static void test_no_result_depends_on_windows(void **state)
{
	static const size_t windows[] = { 1, 5000, 8192, 12288, 1 << 20 };
	uint64_t dimensions[] = { MANY };
	double x[MANY], y[MANY];
	void *r, *a;

	(void)state;
	for (uint64_t i = 0; i < MANY; i++) {
		x[i] = noise(i);
		y[i] = x[i] + 1e-3 * noise(i + 1);
	}
	x[3000] = y[3000] = (double)NAN;
	r = made(TENSOR_F32, x, MANY);
	a = made(TENSOR_F32, y, MANY);
	for (size_t i = 0; i < ARRAY_LEN(windows); i++) {
		struct tensor tr = in_memory(TENSOR_F32, r, dimensions, 1),
			      ta = in_memory(TENSOR_F32, a, dimensions, 1);
		struct tensor_options whole = { .window_bytes = 1 << 24 },
				      o = { .window_bytes = windows[i] };
		struct tensor_result one = result_of(&tr, &ta, NULL, &whole),
				     other = result_of(&tr, &ta, NULL, &o);

		assert_true(one.tally.sum_square == other.tally.sum_square);
		assert_true(one.tally.sum_absolute == other.tally.sum_absolute);
		assert_true(one.tally.attempt_square == other.tally.attempt_square);
		assert_true(one.tally.absolute.at == other.tally.absolute.at);
		assert_true(one.tally.share == other.tally.share);
		assert_int_equal(one.tally.outside, other.tally.outside);
		assert_int_equal(other.tally.nan_both, 1);
	}
	free(r);
	free(a);
}

enum { SEVERAL_PIECES = 2 * TENSOR_PIECE + 3 * TENSOR_BLOCK + 17 };

static void fill_bf16(uint16_t *r, uint16_t *a)
{
	for (uint32_t i = 0; i < SEVERAL_PIECES; i++) {
		r[i] = (uint16_t)(0x3f80 + (i * 2654435761u >> 24));
		a[i] = r[i] ^ (i % 97 == 0);
	}
	r[TENSOR_PIECE + 5] = a[TENSOR_PIECE + 5] = 0x7fc0;		/* NaN */
	a[2 * TENSOR_PIECE + 1] = r[2 * TENSOR_PIECE + 1] + 9;
}

static void assert_same_tally(const struct tensor_tally *a, const struct tensor_tally *b)
{
	assert_true(a->sum_absolute == b->sum_absolute && a->sum_square == b->sum_square);
	assert_true(a->reference_square == b->reference_square);
	assert_true(a->attempt_square == b->attempt_square);
	assert_true(a->absolute.value == b->absolute.value && a->share == b->share);
	assert_true(a->relative.value == b->relative.value && a->least_rtol == b->least_rtol);
	assert_int_equal(a->absolute.at, b->absolute.at);
	assert_int_equal(a->relative.at, b->relative.at);
	assert_int_equal(a->count, b->count);
	assert_int_equal(a->finite, b->finite);
	assert_int_equal(a->nan_both, b->nan_both);
	assert_int_equal(a->outside, b->outside);
	assert_int_equal(a->first_outside, b->first_outside);
	assert_int_equal(a->ulp, b->ulp);
	assert_int_equal(a->ulp_at, b->ulp_at);
}

static void test_no_result_depends_on_threads(void **state)
{
	uint64_t dimensions[] = { SEVERAL_PIECES };
	uint16_t *r = xcalloc(SEVERAL_PIECES, sizeof *r), *a = xcalloc(SEVERAL_PIECES, sizeof *a);
	struct tensor tr = in_memory(TENSOR_BF16, r, dimensions, 1),
		      ta = in_memory(TENSOR_BF16, a, dimensions, 1);
	struct tensor_options one = { .threads = 1 };
	struct tensor_result alone;

	(void)state;
	fill_bf16(r, a);
	alone = result_of(&tr, &ta, NULL, &one);
	assert_int_equal(alone.tally.count, SEVERAL_PIECES);
	assert_int_equal(alone.tally.nan_both, 1);
	assert_int_equal(alone.tally.ulp, 9);
	assert_int_equal(alone.tally.ulp_at, 2 * TENSOR_PIECE + 1);
	for (int threads = 2; threads <= 3; threads++) {
		struct tensor_options o = { .threads = threads };
		struct tensor_result several = result_of(&tr, &ta, NULL, &o);

		assert_same_tally(&alone.tally, &several.tally);
		assert_int_equal(several.verdict, alone.verdict);
	}
	free(r);
	free(a);
}

/* What went wrong on another thread is told as it is by one. */
static void test_a_short_file_is_unknown_by_any_threads(void **state)
{
	uint64_t dimensions[] = { SEVERAL_PIECES };
	char path[] = "/tmp/test-tensor-compare-XXXXXX";
	int fd = mkstemp(path);
	uint16_t *r = xcalloc(SEVERAL_PIECES, sizeof *r);
	struct tensor tr = in_memory(TENSOR_BF16, r, dimensions, 1), ta = tr;

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, TENSOR_PIECE * 2 + 4096), 0);
	close(fd);
	ta.packing = TENSOR_STORED;
	ta.path = path;
	for (int threads = 1; threads <= 2; threads++) {
		struct tensor_options o = { .threads = threads };
		struct tensor_result got = result_of(&tr, &ta, NULL, &o);

		assert_int_equal(got.verdict, TENSOR_NOT_KNOWN);
		assert_false(got.compared);
		assert_non_null(strstr(got.why, path));
		assert_int_equal(got.tally.count, 0);
	}
	unlink(path);
	free(r);
}

static void test_nothing_passes_vacuously(void **state)
{
	static const float one[] = { 1, 2 }, nan_only[] = { NAN, NAN };
	static const int32_t whole[] = { 1, 2 };
	static const uint64_t two[] = { 2 }, column[] = { 2, 1 }, none[] = { 0, 4 };
	struct tensor_options o = { .ulp = 1 };
	struct tensor f = in_memory(TENSOR_F32, one, two, 1),
		      n = in_memory(TENSOR_F32, nan_only, two, 1),
		      c = in_memory(TENSOR_F32, one, column, 2),
		      e = in_memory(TENSOR_F32, one, none, 2),
		      i = in_memory(TENSOR_I32, whole, two, 1),
		      s = in_memory(TENSOR_F32, one, NULL, 0), u = f;

	(void)state;
	u.unread = "it is damaged";
	assert_int_equal(result_of(&f, &f, NULL, &o).verdict, TENSOR_CONFIRMED);
	assert_int_equal(result_of(&s, &s, NULL, &o).verdict, TENSOR_CONFIRMED);
	assert_int_equal(result_of(&e, &e, NULL, &o).verdict, TENSOR_NOT_KNOWN);
	assert_string_equal(result_of(&e, &e, NULL, &o).why,
		"it is empty on both sides: nothing was compared");
	assert_int_equal(result_of(&n, &n, NULL, &o).verdict, TENSOR_NOT_KNOWN);
	assert_int_equal(result_of(&f, &n, NULL, &o).verdict, TENSOR_REFUTED);
	assert_int_equal(result_of(&f, &c, NULL, &o).verdict, TENSOR_REFUTED);
	assert_string_equal(result_of(&f, &c, NULL, &o).why, "shapes (2,) and (2, 1) are not one");
	assert_int_equal(result_of(&f, &i, NULL, &o).verdict, TENSOR_REFUTED);
	assert_int_equal(result_of(&f, &u, NULL, &o).verdict, TENSOR_NOT_CHECKED);
	assert_string_equal(
		result_of(&f, &u, NULL, &o).why, "the attempt cannot be read: it is damaged");
}

static void test_tolerances_by_type(void **state)
{
	static const float r[] = { 1 };
	static const uint16_t b[] = { 0x3f80 };
	static const uint64_t one[] = { 1 };
	struct tensor f = in_memory(TENSOR_F32, r, one, 1), h = in_memory(TENSOR_BF16, b, one, 1);
	struct tensor_options none = { 0 }, chosen = { .has_rtol = true, .rtol = 0.5 };
	struct tensor_result result = result_of(&f, &h, NULL, &none);

	(void)state;
	assert_int_equal(result.coarser, TENSOR_BF16);
	assert_near(result.rule.rtol, 1.6e-2, 0);
	assert_near(result.rule.atol, 1e-5, 0);
	assert_string_equal(result.rule_source, "torch.testing.assert_close");
	result = result_of(&f, &f, NULL, &none);
	assert_near(result.rule.rtol, 1.3e-6, 0);
	result = result_of(&f, &f, NULL, &chosen);
	assert_near(result.rule.rtol, 0.5, 0);
	assert_near(result.rule.atol, 1e-5, 0);
	assert_string_equal(result.rule_source, "chosen");
}

static void test_a_third_side_settles_what_is_outside(void **state)
{
	static const float g[] = { 1.01f, 1.99f, 3.02f, 3.98f },
			   a[] = { 1.03f, 1.98f, 3.03f, 3.95f }, far[] = { 1.2f, 2, 3, 4 };
	static const double high[] = { 1, 2, 3, 4 };
	static const uint64_t four[] = { 4 };
	struct tensor tg = in_memory(TENSOR_F32, g, four, 1),
		      ta = in_memory(TENSOR_F32, a, four, 1),
		      tf = in_memory(TENSOR_F32, far, four, 1),
		      th = in_memory(TENSOR_F64, high, four, 1);
	struct tensor_options o = { .ulp = 1 };
	struct tensor_result result = result_of(&tg, &ta, &th, &o);

	(void)state;
	assert_int_equal(result_of(&tg, &ta, NULL, &o).verdict, TENSOR_REFUTED);
	assert_true(result.triangle.judged && result.triangle.k == 3);
	assert_near(result.triangle.ratio, 2.16795, 1e-4);
	assert_int_equal(result.verdict, TENSOR_CONFIRMED);
	assert_int_equal(result_of(&tg, &tf, &th, &o).verdict, TENSOR_REFUTED);
	result = result_of(&tg, &ta, &tg, &o);		/* no more precise */
	assert_int_equal(result.verdict, TENSOR_REFUTED);
	assert_false(result.triangle.judged);
	assert_non_null(result.triangle.why_not);
}

static void test_places(void **state)
{
	static const uint64_t dimensions[] = { 2, 3, 4 };
	struct tensor t = in_memory(TENSOR_F32, "", dimensions, 3), one = in_memory(TENSOR_F32, "",
									     NULL, 0);
	struct buf b = BUF_INIT;

	(void)state;
	tensor_add_place(&b, &t, 23, false);
	tensor_add_place(&b, &t, 13, false);
	tensor_add_place(&b, &t, 3, true);
	tensor_add_place(&b, &one, 0, false);
	assert_string_equal(b.s, "[1, 2, 3][1, 0, 1][1, 1, 0][]");
	buf_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values_of_small_floats),
		cmocka_unit_test(test_ordinals_count_every_number),
		cmocka_unit_test(test_one_step_of_bf16_is_no_difference),
		cmocka_unit_test(test_figures_of_the_vector),
		cmocka_unit_test(test_the_rule_of_the_third_side),
		cmocka_unit_test(test_all_types_as_one_plain_loop),
		cmocka_unit_test(test_the_short_way_is_the_long_one),
		cmocka_unit_test(test_special_numbers),
		cmocka_unit_test(test_squares_beyond_double),
		cmocka_unit_test(test_integers_are_exact),
		cmocka_unit_test(test_no_result_depends_on_windows),
		cmocka_unit_test(test_no_result_depends_on_threads),
		cmocka_unit_test(test_a_short_file_is_unknown_by_any_threads),
		cmocka_unit_test(test_nothing_passes_vacuously),
		cmocka_unit_test(test_tolerances_by_type),
		cmocka_unit_test(test_a_third_side_settles_what_is_outside),
		cmocka_unit_test(test_places),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
