/* tensor_triangle - how far reference and attempt are from a third, more precise side. */
#include "config.h"

#include "evidence/tensor_triangle.h"

#include <math.h>

/* The factors of torch/_dynamo/utils.py. */
enum { FACTOR = 2, FACTOR_COARSE = 3, FEW_ELEMENTS = 1000 };

static long double squared(long double v)
{
	return v * v;
}

void triangle_sums_add(struct triangle_sums *s, const struct tensor_block *b,
	enum tensor_type third_type, const void *third)
{
	double r[TENSOR_BLOCK], a[TENSOR_BLOCK], h[TENSOR_BLOCK];

	tensor_to_double(r, b->reference_type, b->reference, b->n);
	tensor_to_double(a, b->attempt_type, b->attempt, b->n);
	tensor_to_double(h, third_type, third, b->n);
	s->count += b->n;
	for (size_t i = 0; i < b->n; i++) {
		if (!isfinite(r[i]) || !isfinite(a[i]) || !isfinite(h[i]))
			continue;
		s->finite++;
		s->reference += squared((long double)r[i] - (long double)h[i]);
		s->attempt += squared((long double)a[i] - (long double)h[i]);
		s->reference_dot += (long double)r[i] * (long double)h[i];
		s->attempt_dot += (long double)a[i] * (long double)h[i];
		s->reference_square += squared((long double)r[i]);
		s->attempt_square += squared((long double)a[i]);
		s->third_square += squared((long double)h[i]);
	}
}

static double cosine(long double dot, long double a, long double b)
{
	long double norms = sqrtl(a) * sqrtl(b);

	return norms > 0 ? (double)(dot / norms) : (double)NAN;
}

static double factor_of(enum tensor_type coarser, uint64_t n)
{
	bool coarse = tensor_type_facts(coarser)->mantissa_bits <
		tensor_type_facts(TENSOR_F32)->mantissa_bits;

	return coarse || n < FEW_ELEMENTS ? FACTOR_COARSE : FACTOR;
}

void triangle_sums_judge(struct tensor_triangle *out, const struct triangle_sums *s,
	enum tensor_type coarser, double atol)
{
	long double n = (long double)s->finite;

	if (!s->finite) {
		out->why_not = "nowhere are all three sides finite";
		return;
	}
	*out = (struct tensor_triangle){
		.judged = true,
		.reference_rmse = (double)sqrtl(s->reference / n),
		.attempt_rmse = (double)sqrtl(s->attempt / n),
		.ratio = (double)sqrtl(s->attempt / s->reference),
		.reference_cosine = cosine(s->reference_dot, s->reference_square, s->third_square),
		.attempt_cosine = cosine(s->attempt_dot, s->attempt_square, s->third_square),
		.k = factor_of(coarser, s->count),
		.allowance = atol / 10,
	};
	/* What is not finite on one side alone is no matter of distance. */
	out->passes = s->finite == s->count &&
		out->attempt_rmse <= out->k * out->reference_rmse + out->allowance;
}
