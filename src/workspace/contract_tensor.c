/*
 * contract_tensor - an array held against what its case expects; see contract_judge.h.
 *
 * Both sides become tensors of evidence/tensor.h, whether they stand in the text or in
 * a file, and are compared by evidence/tensor_compare.h.
 */
#include "config.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/err.h"
#include "base/fs.h"
#include "base/text.h"
#include "evidence/tensor_compare.h"
#include "evidence/tensor_set.h"
#include "workspace/contract_judge_private.h"

enum { VALUES_MAX = 1 << 16 };

/* One side; SET is there for a file. */
struct side {
	struct tensor_set *set;
	struct tensor in_text;
	const struct tensor *tensor;
	const char *why_not;		/* there is no tensor */
	bool malformed;			/* it is none at all */
};

/* ---- numbers of the text as bytes of their type ---- */

/* All bits of the exponent, and for NaN the first bit behind them. */
static uint64_t non_finite_bits(const struct tensor_type_facts *f, double v)
{
	uint64_t sign = signbit(v) && !isnan(v) ? UINT64_C(1) << (8 * f->size_bytes - 1) : 0;
	unsigned exponent_bits = 8 * f->size_bytes - 1 - f->mantissa_bits;
	uint64_t bits = ((UINT64_C(1) << exponent_bits) - 1) << f->mantissa_bits;

	return sign | bits | (isnan(v) ? UINT64_C(1) << (f->mantissa_bits - 1) : 0);
}

static bool float_bits(uint64_t *out, enum tensor_type type, double v)
{
	const struct tensor_type_facts *f = tensor_type_facts(type);
	int64_t ordinal;

	if (!isfinite(v)) {
		/* This type has one NaN and no infinity. */
		if (type == TENSOR_F8_E4M3 && !isnan(v))
			return false;
		*out = type == TENSOR_F8_E4M3 ? 0x7f : non_finite_bits(f, v);
		return true;
	}
	ordinal = tensor_ordinal(type, v);
	*out = ordinal < 0 ? (uint64_t)-ordinal | UINT64_C(1) << (8 * f->size_bytes - 1)
			   : (uint64_t)ordinal;
	return true;
}

static bool integer_bits(uint64_t *out, enum tensor_type type, const struct json *j)
{
	const struct tensor_type_facts *f = tensor_type_facts(type);
	unsigned bits = type == TENSOR_BOOL ? 1 : 8 * f->size_bytes;
	int64_t v;

	if (j->type == JSON_TRUE || j->type == JSON_FALSE)
		v = j->type == JSON_TRUE;
	else if (j->type != JSON_NUMBER || !text_to_i64(j->text, j->text_n, &v))
		return false;
	*out = (uint64_t)v;
	if (!f->is_signed)
		return v >= 0 && (bits == 64 || (uint64_t)v >> bits == 0);
	return bits == 64 || (v >= -(INT64_C(1) << (bits - 1)) && v < INT64_C(1) << (bits - 1));
}

static bool element_bits(uint64_t *out, enum tensor_type type, const struct json *j)
{
	double v;

	if (!tensor_type_is_float(type))
		return integer_bits(out, type, j);
	return (j->type == JSON_NUMBER || j->type == JSON_STRING) &&
		text_to_double(j->text, j->text_n, &v) && float_bits(out, type, v);
}

/* In the order of the machine, whichever that is. */
static void put_bits(unsigned char *at, uint64_t bits, unsigned size)
{
	uint8_t one = (uint8_t)bits;
	uint16_t two = (uint16_t)bits;
	uint32_t four = (uint32_t)bits;
	const void *from = size == 1 ? (const void *)&one
		: size == 2	     ? (const void *)&two
		: size == 4	     ? (const void *)&four
				     : (const void *)&bits;

	memcpy(at, from, size);
}

static bool values_into(struct tensor *t, const struct json *values, struct arena *a)
{
	unsigned size = tensor_type_facts(t->type)->size_bytes;
	unsigned char *bytes = arena_alloc(a, (size_t)t->count * size + 1);
	const union { uint16_t word; uint8_t first; } order = { 1 };
	size_t i = 0;

	for (const struct json *v = values->first; v; v = v->next, i++) {
		uint64_t bits;

		if (!element_bits(&bits, t->type, v))
			return false;
		put_bits(bytes + i * size, bits, size);
	}
	t->bytes = bytes;
	t->big_endian = !order.first;
	return true;
}

static bool shape_of(struct tensor *t, const struct json *shape, struct arena *a)
{
	uint64_t *dimensions;

	if (!shape || shape->type != JSON_ARRAY || shape->count > TENSOR_DIMENSIONS_MAX)
		return false;
	dimensions = arena_alloc(a, (shape->count + 1) * sizeof *dimensions);
	for (const struct json *d = shape->first; d; d = d->next) {
		int64_t v;

		if (d->type != JSON_NUMBER || !text_to_i64(d->text, d->text_n, &v) || v < 0)
			return false;
		dimensions[t->n_dimensions++] = (uint64_t)v;
	}
	t->dimensions = dimensions;
	return tensor_measure(t) && t->count <= VALUES_MAX;
}

static void read_text(struct side *s, const struct json *j, enum tensor_type type, struct arena *a)
{
	const struct json *values = json_get(j, "values");
	struct tensor *t = &s->in_text;

	*t = (struct tensor){ .name = "", .path = "", .type = type,
		.type_name = tensor_type_facts(type)->name, .packing = TENSOR_IN_MEMORY };
	s->malformed = true;
	s->why_not = "no {\"shape\": ..., \"values\": ...} or {\"file\": ...}";
	if (type == TENSOR_UNKNOWN) {
		s->why_not = "of no known type";
		return;
	}
	if (!shape_of(t, json_get(j, "shape"), a) || !values || values->type != JSON_ARRAY)
		return;
	s->why_not = "of another number of values than its shape says";
	if (values->count != t->count)
		return;
	s->why_not = arena_printf(
		a, "with a value that %s cannot hold", tensor_type_facts(type)->name);
	if (!values_into(t, values, a))
		return;
	s->malformed = false;
	s->tensor = t;
}

/* ---- files ---- */

static void read_file(struct side *s, const char *folder, const char *name, struct arena *a)
{
	const char *path;

	if (!folder || !fs_is_inside(name) || !fs_leads_inside(folder, name)) {
		s->why_not = arena_printf(a, "in the file %s, which is not read from there", name);
		return;
	}
	path = fs_join(a, folder, name);
	if (tensor_set_open(&s->set, path) < 0) {
		s->why_not = arena_printf(a, "in a file that cannot be read: %s", err_text());
		err_clear();
	} else if (s->set->n != 1) {
		s->why_not = arena_printf(
			a, "in a file of %zu tensors, where one is meant", s->set->n);
	} else {
		s->tensor = &s->set->rows[0];
	}
}

static void read_side(struct side *s, const struct json *j, const char *type, const char *folder,
	struct arena *a)
{
	const char *file = json_str(j, "file", NULL);

	if (file)
		read_file(s, folder, file, a);
	else
		read_text(s, j, contract_type_find(type), a);
}

/* ---- judging ---- */

static bool judges_numbers(const struct contract_tolerance *t)
{
	return (!t->has_cosine && !t->has_rmse_ratio) || t->has_absolute || t->has_relative ||
		t->has_ulp;
}

/* RMSE over the root mean square of what is expected. */
static double rmse_ratio(const struct tensor_tally *t)
{
	double size = t->finite ? sqrt((double)(t->reference_square / (long double)t->finite)) : 0;
	double rmse = tensor_tally_rmse(t);

	return rmse == 0 ? 0 : rmse / size;
}

static void set_least(struct contract_judging *j, const struct tensor_result *r)
{
	const struct tensor_tally *t = &r->tally;
	struct arena *a = j->arena;

	if (!t->finite)
		return;
	j->out->least = arena_printf(a,
		"absolute %s, or relative %s beside absolute %s, or %" PRIu64
		" ulp; cosine %s, rmse ratio %s",
		contract_least_text(a, t->absolute.value), contract_least_text(a, t->least_rtol),
		contract_number_text(a, r->rule.atol), t->ulp,
		contract_number_text(a, tensor_tally_cosine(t)),
		contract_least_text(a, rmse_ratio(t)));
}

static uint64_t non_finite(const struct tensor_tally *t)
{
	return (t->nan_attempt - t->nan_both) + (t->nan_reference - t->nan_both) +
		(t->infinite_attempt - t->infinite_both) +
		(t->infinite_reference - t->infinite_both);
}

/* What cosine and ratio say; NULL: nothing against it. */
static const char *whole_differs(
	const struct contract_tolerance *t, const struct tensor_tally *tally, struct arena *a)
{
	double cosine = tensor_tally_cosine(tally), ratio = rmse_ratio(tally);

	if (t->has_cosine && !(cosine >= t->cosine))
		return arena_printf(a, "cosine %s, at least %s is accepted",
			contract_number_text(a, cosine), contract_number_text(a, t->cosine));
	if (t->has_rmse_ratio && !(ratio <= t->rmse_ratio))
		return arena_printf(a, "RMSE ratio %s, at most %s is accepted",
			contract_number_text(a, ratio), contract_number_text(a, t->rmse_ratio));
	return NULL;
}

static const char *place(const struct side *s, const struct tensor_result *r, struct arena *a)
{
	struct buf b = BUF_INIT;
	const char *text;

	tensor_add_place(&b, s->tensor, r->tally.first_outside, r->fortran_places);
	text = arena_strdup(a, b.s);
	buf_release(&b);
	return text;
}

static void judge_tally(struct contract_judging *j, const struct side *wanted,
	const struct tensor_result *r)
{
	const struct contract_tolerance *t = &j->c->tolerance;
	const struct tensor_tally *tally = &r->tally;
	const char *whole = whole_differs(t, tally, j->arena);

	if (non_finite(tally))
		contract_fail(j, CONTRACT_PLAUSIBLE_BUT_WRONG, CONTRACT_NON_FINITE,
			"%" PRIu64 " of %" PRIu64 " values are not finite on one side alone",
			non_finite(tally), tally->count);
	else if (judges_numbers(t) && tally->outside)
		contract_fail(j, CONTRACT_PLAUSIBLE_BUT_WRONG, CONTRACT_OUT_OF_TOLERANCE,
			"%" PRIu64 " of %" PRIu64 " values are outside, the first at %s",
			tally->outside, tally->count, place(wanted, r, j->arena));
	else if (whole)
		contract_fail(j, CONTRACT_PLAUSIBLE_BUT_WRONG, CONTRACT_OUT_OF_TOLERANCE, "%s",
			whole);
	else if (!tally->finite)
		contract_fail(j, CONTRACT_NOT_EVALUATED, CONTRACT_CODE_NONE,
			"no pair of finite values was there to compare");
	else
		j->out->outcome = CONTRACT_OK;
}

static const char *shape_text(const struct tensor *t, struct arena *a)
{
	struct buf b = BUF_INIT;
	const char *text;

	tensor_add_shape(&b, t);
	text = arena_strdup(a, b.s);
	buf_release(&b);
	return text;
}

static bool same_form(struct contract_judging *j, const struct side *wanted, const struct side *got)
{
	if (!tensor_same_shape(wanted->tensor, got->tensor))
		contract_fail(j, CONTRACT_UNEXPECTED_SHAPE, CONTRACT_CODE_NONE,
			"shape %s instead of %s", shape_text(got->tensor, j->arena),
			shape_text(wanted->tensor, j->arena));
	else if (wanted->tensor->type != got->tensor->type)
		contract_fail(j, CONTRACT_UNEXPECTED_SHAPE, CONTRACT_DTYPE, "%s instead of %s",
			got->tensor->type_name, wanted->tensor->type_name);
	else
		return true;
	return false;
}

static void compare(struct contract_judging *j, const struct side *wanted, const struct side *got)
{
	const struct contract_tolerance *t = &j->c->tolerance;
	struct tensor_options options = {
		.has_atol = t->has_absolute,
		.atol = t->absolute,
		.has_rtol = t->has_relative,
		.rtol = t->relative,
		.ulp = t->has_ulp ? (uint64_t)t->ulp : 1,
	};
	struct tensor_result r;

	j->out->borrowed_default =
		judges_numbers(t) && !t->has_absolute && !t->has_relative && !t->has_ulp;
	/* Nothing can cancel it. */
	if (tensor_compare(&r, wanted->tensor, got->tensor, NULL, &options) < 0)
		err_clear();
	else if (!r.compared)
		contract_fail(j, CONTRACT_NOT_EVALUATED, CONTRACT_CODE_NONE, "%s", r.why);
	else {
		set_least(j, &r);
		judge_tally(j, wanted, &r);
	}
}

void contract_judge_tensor(struct contract_judging *j)
{
	const char *said = json_str(j->value, "type", j->c->type);
	struct side wanted = { 0 }, got = { 0 };

	read_side(&wanted, j->c->expected, j->c->type, j->places ? j->places->expected : NULL,
		j->arena);
	if (j->value->type == JSON_OBJECT)
		read_side(&got, j->value, said, j->places ? j->places->outputs : NULL, j->arena);
	else
		got = (struct side){ .malformed = true, .why_not = "no array with a shape" };
	if (!wanted.tensor)
		contract_fail(j, CONTRACT_NOT_EVALUATED, CONTRACT_CODE_NONE,
			"what is expected is %s", wanted.why_not);
	else if (!got.tensor)
		contract_fail(j, got.malformed ? CONTRACT_UNEXPECTED_SHAPE : CONTRACT_NOT_EVALUATED,
			CONTRACT_CODE_NONE, "the output is %s", got.why_not);
	else if (same_form(j, &wanted, &got))
		compare(j, &wanted, &got);
	tensor_set_free(wanted.set);
	tensor_set_free(got.set);
}
