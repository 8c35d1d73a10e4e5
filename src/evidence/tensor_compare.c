/* tensor_compare - one tensor of the attempt beside that of the reference. */
#include "config.h"

#include "evidence/tensor_compare.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "evidence/tensor_pieces.h"
#include "evidence/tensor_triangle.h"

static const char *const names[] = {
	[TENSOR_NOT_CHECKED] = "not checked",
	[TENSOR_CONFIRMED] = "confirmed",
	[TENSOR_REFUTED] = "refuted",
	[TENSOR_NOT_KNOWN] = "unknown",
	[TENSOR_NOT_APPLICABLE] = "not applicable",
};

const char *tensor_verdict_name(enum tensor_verdict v)
{
	return names[v];
}

static void say(struct tensor_result *r, enum tensor_verdict verdict, const char *fmt, ...)
	ATTR_PRINTF(3, 4);

static void say(struct tensor_result *r, enum tensor_verdict verdict, const char *fmt, ...)
{
	va_list ap;

	r->verdict = verdict;
	va_start(ap, fmt);
	vsnprintf(r->why, sizeof r->why, fmt, ap);
	va_end(ap);
}

/* ---- what is judged ------------------------------------------------------ */

static void choose_rule(struct tensor_result *out, const struct tensor_options *o)
{
	const struct tensor_type_facts *f = tensor_type_facts(out->coarser);

	out->exact = !tensor_type_is_float(out->coarser);
	out->rule_source = f->source;
	if (out->exact)
		return;
	out->rule = (struct tensor_rule){
		.atol = o->has_atol ? o->atol : f->atol,
		.rtol = o->has_rtol ? o->rtol : f->rtol,
		.ulp = o->ulp,
	};
	if (o->has_atol || o->has_rtol)
		out->rule_source = "chosen";
}

/* Before a value is read; false: the verdict is there. */
static bool can_compare(struct tensor_result *out, const struct tensor *r, const struct tensor *a)
{
	struct buf shape = BUF_INIT;

	if (r->unread || a->unread) {
		say(out, TENSOR_NOT_CHECKED, "the %s cannot be read: %s",
			r->unread ? "reference" : "attempt", r->unread ? r->unread : a->unread);
		return false;
	}
	if (!tensor_same_shape(r, a)) {
		buf_adds(&shape, "shapes ");
		tensor_add_shape(&shape, r);
		buf_adds(&shape, " and ");
		tensor_add_shape(&shape, a);
		say(out, TENSOR_REFUTED, "%s are not one", shape.s);
		buf_release(&shape);
		return false;
	}
	if (tensor_type_is_float(r->type) != tensor_type_is_float(a->type)) {
		say(out, TENSOR_REFUTED, "%s and %s are not the same kind of number",
			tensor_type_facts(r->type)->name, tensor_type_facts(a->type)->name);
		return false;
	}
	if (r->count == 0) {
		say(out, TENSOR_NOT_KNOWN, "it is empty on both sides: nothing was compared");
		return false;
	}
	return true;
}

static const struct tensor *usable_third(struct tensor_result *out, const struct tensor *r,
	const struct tensor *third)
{
	const char **why = &out->triangle.why_not;
	unsigned bits;

	if (!third)
		return NULL;
	bits = tensor_type_facts(third->type)->mantissa_bits;
	if (third->unread)
		*why = third->unread;
	else if (out->exact)
		*why = "integers are compared exactly";
	else if (!tensor_same_shape(r, third))
		*why = "the third side has another shape";
	else if (bits <= tensor_type_facts(out->coarser)->mantissa_bits)
		*why = "the third side is no more precise than the others";
	return *why ? NULL : third;
}

static void judge(struct tensor_result *out)
{
	const struct tensor_tally *t = &out->tally;

	out->compared = true;
	if (t->outside && out->triangle.judged && out->triangle.passes)
		say(out, TENSOR_CONFIRMED,
			"%" PRIu64 " outside, but no further from the third side than allowed",
			t->outside);
	else if (t->outside && out->triangle.judged)
		say(out, TENSOR_REFUTED,
			"%" PRIu64 " outside, and too far from the third side", t->outside);
	else if (t->outside)
		say(out, TENSOR_REFUTED, "%" PRIu64 " of %" PRIu64 " outside", t->outside,
			t->count);
	else if (!t->finite)
		say(out, TENSOR_NOT_KNOWN, "no pair of it is finite: nothing was compared");
	else if (t->finite < t->count)
		say(out, TENSOR_CONFIRMED, "%" PRIu64 " of %" PRIu64
			" are NaN or infinite, alike on both sides",
			t->count - t->finite, t->count);
	else
		out->verdict = TENSOR_CONFIRMED;
}

/* Files in two orders of dimensions are read in one. */
static bool needs_turning(const struct tensor_windows *w)
{
	for (int i = 1; i < TENSOR_SIDES; i++)
		if (w->tensors[i] && w->tensors[i]->fortran_order != w->tensors[0]->fortran_order)
			return true;
	return false;
}

int tensor_compare(struct tensor_result *out, const struct tensor *reference,
	const struct tensor *attempt, const struct tensor *third,
	const struct tensor_options *options)
{
	struct tensor_windows w = { .tensors = { reference, attempt, NULL } };
	struct triangle_sums triangle = { 0 };
	int rc;

	*out = (struct tensor_result){ .rule_source = "" };
	if (!can_compare(out, reference, attempt))
		return 0;
	out->coarser = tensor_type_coarser(reference->type, attempt->type);
	choose_rule(out, options);
	w.tensors[2] = usable_third(out, reference, third);
	w.turned = needs_turning(&w);
	w.bytes = options->window_bytes ? options->window_bytes : TENSOR_WINDOW_BYTES;
	out->fortran_places = reference->fortran_order && !w.turned;
	rc = tensor_pieces_tally(&out->tally, &triangle, &w, &out->rule, options);
	if (rc == ERR_CANCELLED)
		return rc;
	if (rc < 0) {
		out->tally = (struct tensor_tally){ 0 };
		say(out, TENSOR_NOT_KNOWN, "%s", err_text());
		return 0;
	}
	if (w.tensors[2])
		triangle_sums_judge(&out->triangle, &triangle, out->coarser, out->rule.atol);
	judge(out);
	return 0;
}

void tensor_add_place(struct buf *out, const struct tensor *t, uint64_t at, bool fortran)
{
	uint64_t place[TENSOR_DIMENSIONS_MAX];

	for (unsigned k = 0; k < t->n_dimensions; k++) {
		unsigned i = fortran ? k : t->n_dimensions - 1 - k;

		place[i] = t->dimensions[i] ? at % t->dimensions[i] : 0;
		at = t->dimensions[i] ? at / t->dimensions[i] : 0;
	}
	buf_addc(out, '[');
	for (unsigned i = 0; i < t->n_dimensions; i++)
		buf_addf(out, "%s%" PRIu64, i ? ", " : "", place[i]);
	buf_addc(out, ']');
}
