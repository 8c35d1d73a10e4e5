/* tensor_tally - what two tensors differ by, block after block. */
#include "config.h"

#include "evidence/tensor_tally.h"

#include <math.h>
#include <string.h>

#include "evidence/tensor_lanes.h"

/* What is this near the largest so far is not looked at again: rounding alone would
 * make an equal one seem larger. */
#define SLACK (1 + 8 * 0x1p-52)

/* Squares of doubles below this may have lost bits. */
#define LEAST_SQUARES 1e-280

static void note_most(struct tensor_most *most, double value, uint64_t at)
{
	if (value > most->value)
		*most = (struct tensor_most){ value, at };
}

static void note_outside(struct tensor_tally *t, uint64_t at)
{
	if (!t->outside++)
		t->first_outside = at;
}

/* ---- element by element -------------------------------------------------- */

/* The elements of a block as doubles: made when they are asked for first. */
struct values {
	const struct tensor_block *block;
	enum tensor_type coarser;
	bool made;
	double reference[TENSOR_BLOCK], attempt[TENSOR_BLOCK];
};

static void make_values(struct values *v)
{
	const struct tensor_block *b = v->block;

	if (v->made)
		return;
	tensor_to_double(v->reference, b->reference_type, b->reference, b->n);
	tensor_to_double(v->attempt, b->attempt_type, b->attempt, b->n);
	v->made = true;
}

static void note_shares(struct tensor_tally *t, const struct tensor_rule *rule, double size,
	double scale)
{
	double accepted = rule->atol + rule->rtol * scale, excess = size - rule->atol;

	if (size > 0)
		t->share = fmax(t->share, size / accepted);
	if (excess > 0)
		t->least_rtol = fmax(t->least_rtol, excess / scale);
}

static bool is_outside(const struct tensor_rule *rule, enum tensor_type type, double reference,
	double attempt)
{
	double size = fabs(attempt - reference);

	return size > rule->atol + rule->rtol * fabs(reference) &&
		!(rule->ulp && tensor_ulp_distance(type, reference, attempt) <= rule->ulp);
}

/* All that the largest of a pair can be, without the sums. */
static void note_pair(struct tensor_tally *t, const struct tensor_rule *rule, double reference,
	double attempt, uint64_t at)
{
	double size = fabs(attempt - reference), scale = fabs(reference);

	note_most(&t->absolute, size, at);
	if (scale > 0)
		note_most(&t->relative, size / scale, at);
	note_shares(t, rule, size, scale);
}

static void note_ulp(struct tensor_tally *t, uint64_t ulp, uint64_t at)
{
	if (ulp > t->ulp) {
		t->ulp = ulp;
		t->ulp_at = at;
	}
}

static void add_finite(struct tensor_tally *t, const struct tensor_rule *rule,
	enum tensor_type type, double reference, double attempt, uint64_t at)
{
	long double d = (long double)attempt - (long double)reference;

	t->finite++;
	t->sum_absolute += fabsl(d);
	t->sum_square += d * d;
	t->reference_square += (long double)reference * (long double)reference;
	t->attempt_square += (long double)attempt * (long double)attempt;
	note_pair(t, rule, reference, attempt, at);
	note_ulp(t, tensor_ulp_distance(type, reference, attempt), at);
	if (is_outside(rule, type, reference, attempt))
		note_outside(t, at);
}

/* One side at least is not finite. */
static void add_special(struct tensor_tally *t, double reference, double attempt, uint64_t at)
{
	bool both_nan = isnan(reference) && isnan(attempt);
	bool both_infinite = isinf(reference) && isinf(attempt) &&
		signbit(reference) == signbit(attempt);

	t->nan_reference += isnan(reference) != 0;
	t->nan_attempt += isnan(attempt) != 0;
	t->nan_both += both_nan;
	t->infinite_reference += isinf(reference) != 0;
	t->infinite_attempt += isinf(attempt) != 0;
	t->infinite_both += both_infinite;
	if (both_nan || both_infinite)
		return;
	note_outside(t, at);
	t->share = (double)INFINITY;
	t->least_rtol = (double)INFINITY;
	if (!isnan(reference) && !isnan(attempt))
		note_most(&t->absolute, (double)INFINITY, at);
}

static void add_slowly(struct tensor_tally *t, const struct tensor_rule *rule, struct values *v)
{
	const struct tensor_block *b = v->block;

	make_values(v);
	for (size_t i = 0; i < b->n; i++) {
		double reference = v->reference[i], attempt = v->attempt[i];

		if (isfinite(reference) && isfinite(attempt))
			add_finite(t, rule, v->coarser, reference, attempt, b->first + i);
		else
			add_special(t, reference, attempt, b->first + i);
	}
}

/* ---- integers ------------------------------------------------------------ */

static void add_integers(struct tensor_tally *t, const struct tensor_block *b)
{
	bool large[2] = { b->reference_type == TENSOR_U64, b->attempt_type == TENSOR_U64 };

	for (size_t i = 0; i < b->n; i++) {
		int64_t x = tensor_integer(b->reference_type, b->reference, i);
		int64_t y = tensor_integer(b->attempt_type, b->attempt, i);
		__extension__ __int128 r = large[0] ? (__int128)(uint64_t)x : (__int128)x;
		__extension__ __int128 a = large[1] ? (__int128)(uint64_t)y : (__int128)y;
		long double d = (long double)(a - r), scale = (long double)r;

		t->sum_absolute += fabsl(d);
		t->sum_square += d * d;
		t->reference_square += scale * scale;
		t->attempt_square += (long double)a * (long double)a;
		if (a == r)
			continue;
		note_outside(t, b->first + i);
		note_most(&t->absolute, (double)fabsl(d), b->first + i);
		if (r != 0)
			note_most(&t->relative, (double)fabsl(d / scale), b->first + i);
	}
	t->finite += b->n;
}

/* ---- blocks of finite numbers -------------------------------------------- */

static void note_all(struct tensor_tally *t, const struct tensor_rule *rule, struct values *v)
{
	const struct tensor_block *b = v->block;

	make_values(v);
	for (size_t i = 0; i < b->n; i++)
		note_pair(t, rule, v->reference[i], v->attempt[i], b->first + i);
}

static void note_all_outside(struct tensor_tally *t, const struct tensor_rule *rule,
	struct values *v)
{
	const struct tensor_block *b = v->block;

	make_values(v);
	for (size_t i = 0; i < b->n; i++)
		if (is_outside(rule, v->coarser, v->reference[i], v->attempt[i]))
			note_outside(t, b->first + i);
}

static void note_all_ulp(struct tensor_tally *t, struct values *v)
{
	const struct tensor_block *b = v->block;

	make_values(v);
	for (size_t i = 0; i < b->n; i++)
		note_ulp(t, tensor_ulp_distance(v->coarser, v->reference[i], v->attempt[i]),
			b->first + i);
}

static void note_block_ulp(struct tensor_tally *t, struct values *v)
{
	const struct tensor_block *b = v->block;
	unsigned size = tensor_type_facts(b->reference_type)->size_bytes;

	if (b->reference_type != b->attempt_type ||
		tensor_lanes_ulp(size, b->reference, b->attempt, b->n) > t->ulp)
		note_all_ulp(t, v);
}

static bool is_f64(const struct tensor_block *b)
{
	return b->reference_type == TENSOR_F64 || b->attempt_type == TENSOR_F64;
}

static bool are_exact(const struct tensor_lane_sums *s, bool wide)
{
	double squares = s->reference_square + s->attempt_square + s->square;

	if (!isfinite(squares) || !isfinite(s->absolute))
		return false;
	return !wide ||
		(s->reference_square > LEAST_SQUARES && s->attempt_square > LEAST_SQUARES &&
			(s->square > LEAST_SQUARES || s->absolute == 0.0));
}

/* Is a look in float worth it?  It fails where much is outside, and then costs time. */
static bool is_calm(const struct tensor_tally *t)
{
	return t->outside < t->count / 4096 + 1 || t->busy_blocks % 16 == 0;
}

static void sums_of(struct tensor_lane_sums *out, struct tensor_tally *t,
	const struct tensor_rule *rule, struct values *v)
{
	const struct tensor_block *b = v->block;
	struct tensor_lane_limits limits = {
		.atol = rule->atol,
		.rtol = rule->rtol,
		.absolute = t->absolute.value,
		.relative = t->relative.value * SLACK,
		.share = t->share * SLACK,
		.least_rtol = t->least_rtol * SLACK,
	};

	if (b->reference_type == b->attempt_type && tensor_lanes_take(b->reference_type)) {
		if (is_calm(t) && tensor_lanes_screen(out, &limits, b->reference_type, b->reference,
					  b->attempt, b->n))
			return;
		t->busy_blocks++;
		tensor_lanes_compare(
			out, &limits, b->reference_type, b->reference, b->attempt, b->n);
		return;
	}
	make_values(v);
	tensor_lanes_compare(out, &limits, TENSOR_F64, v->reference, v->attempt, b->n);
}

static void add_sums(struct tensor_tally *t, const struct tensor_lane_sums *s, size_t n)
{
	t->finite += n;
	t->sum_absolute += (long double)s->absolute;
	t->sum_square += (long double)s->square;
	t->reference_square += (long double)s->reference_square;
	t->attempt_square += (long double)s->attempt_square;
}

/*
 * Can a pair be outside by its distance and yet be within the steps that always pass?
 * One step of a type is at most 2^-mantissa of the smaller number, and of several each
 * at most twice that; numbers of a finer type are rounded to it first.
 */
static bool floor_matters(const struct tensor_rule *rule, const struct values *v)
{
	const struct tensor_type_facts *f = tensor_type_facts(v->coarser);
	bool same = v->block->reference_type == v->block->attempt_type;
	double steps = (double)rule->ulp;

	if (!same)
		steps = 2 * (steps + 1);
	else if (rule->ulp > 1)
		steps *= 2;
	return rule->ulp && (rule->rtol < scalbn(steps, -(int)f->mantissa_bits) ||
				    rule->atol < scalbn(steps, f->exponent_least -
							(int)f->mantissa_bits));
}

static void add_outside(struct tensor_tally *t, const struct tensor_rule *rule, struct values *v,
	uint64_t outside)
{
	if (!t->outside || floor_matters(rule, v))
		note_all_outside(t, rule, v);
	else
		t->outside += outside;
}

static void add_floats(struct tensor_tally *t, const struct tensor_rule *rule, struct values *v)
{
	struct tensor_lane_sums s;

	sums_of(&s, t, rule, v);
	if (!are_exact(&s, is_f64(v->block))) {
		add_slowly(t, rule, v);
		return;
	}
	add_sums(t, &s, v->block->n);
	note_block_ulp(t, v);
	if (s.exceeds)
		note_all(t, rule, v);
	if (s.outside)
		add_outside(t, rule, v, s.outside);
}

/* Bytes are equal: d is zero throughout, where all is finite. */
static bool add_equal(struct tensor_tally *t, struct values *v)
{
	const struct tensor_block *b = v->block;
	struct tensor_lane_sums s = { 0 };

	if (tensor_lanes_take(b->reference_type)) {
		s.reference_square = tensor_lanes_square(b->reference_type, b->reference, b->n);
	} else {
		make_values(v);
		s.reference_square = tensor_lanes_square(TENSOR_F64, v->reference, b->n);
	}
	s.attempt_square = s.reference_square;
	if (!are_exact(&s, is_f64(b)))
		return false;
	add_sums(t, &s, b->n);
	return true;
}

void tensor_tally_block(
	struct tensor_tally *t, const struct tensor_rule *rule, const struct tensor_block *b)
{
	struct values v;
	size_t size = tensor_type_facts(b->reference_type)->size_bytes;

	t->count += b->n;
	if (!tensor_type_is_float(b->reference_type)) {
		add_integers(t, b);
		return;
	}
	v.block = b;
	v.made = false;
	v.coarser = tensor_type_coarser(b->reference_type, b->attempt_type);
	if (b->reference_type == b->attempt_type &&
		memcmp(b->reference, b->attempt, b->n * size) == 0 && add_equal(t, &v))
		return;
	add_floats(t, rule, &v);
}

void tensor_tally_add(struct tensor_tally *t, const struct tensor_tally *behind)
{
	if (!t->outside)
		t->first_outside = behind->first_outside;
	t->outside += behind->outside;
	t->count += behind->count;
	t->finite += behind->finite;
	t->nan_reference += behind->nan_reference;
	t->nan_attempt += behind->nan_attempt;
	t->nan_both += behind->nan_both;
	t->infinite_reference += behind->infinite_reference;
	t->infinite_attempt += behind->infinite_attempt;
	t->infinite_both += behind->infinite_both;
	t->sum_absolute += behind->sum_absolute;
	t->sum_square += behind->sum_square;
	t->reference_square += behind->reference_square;
	t->attempt_square += behind->attempt_square;
	note_most(&t->absolute, behind->absolute.value, behind->absolute.at);
	note_most(&t->relative, behind->relative.value, behind->relative.at);
	note_ulp(t, behind->ulp, behind->ulp_at);
	t->share = fmax(t->share, behind->share);
	t->least_rtol = fmax(t->least_rtol, behind->least_rtol);
	t->busy_blocks += behind->busy_blocks;
}

/* ---- figures ------------------------------------------------------------- */

double tensor_tally_mean_absolute(const struct tensor_tally *t)
{
	return t->finite ? (double)(t->sum_absolute / (long double)t->finite) : (double)NAN;
}

double tensor_tally_rmse(const struct tensor_tally *t)
{
	return t->finite ? (double)sqrtl(t->sum_square / (long double)t->finite) : (double)NAN;
}

/*
 * 2 r.a = r.r + a.a - d.d, so that no sum of products is needed; where the sides are
 * near each other, which is what matters, nothing is lost by it.
 */
double tensor_tally_cosine(const struct tensor_tally *t)
{
	long double norms = sqrtl(t->reference_square) * sqrtl(t->attempt_square);
	long double dot = (t->reference_square + t->attempt_square - t->sum_square) / 2;

	if (!t->finite)
		return (double)NAN;
	if (t->reference_square == 0 && t->attempt_square == 0)
		return 1;
	return norms > 0 ? (double)fminl(1, fmaxl(-1, dot / norms)) : (double)NAN;
}
