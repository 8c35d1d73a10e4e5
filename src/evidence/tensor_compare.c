/* tensor_compare - one tensor of the attempt beside that of the reference. */
#include "config.h"

#include "evidence/tensor_compare.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "evidence/tensor_stream.h"
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

/* ---- windows ------------------------------------------------------------- */

enum { SIDES = 3 };		/* reference, attempt, third */

struct windows {
	struct tensor_stream *streams[SIDES];
	const struct tensor *tensors[SIDES];
	unsigned char *bytes[SIDES];
	size_t elements;		/* a multiple of TENSOR_BLOCK */
};

static void windows_release(struct windows *w)
{
	for (int i = 0; i < SIDES; i++) {
		tensor_stream_free(w->streams[i]);
		free(w->bytes[i]);
	}
}

/* Blocks that fit, of the widest type. */
static size_t window_elements(const struct windows *w, size_t bytes)
{
	size_t widest = 1, n;

	for (int i = 0; i < SIDES; i++)
		if (w->tensors[i] && tensor_type_facts(w->tensors[i]->type)->size_bytes > widest)
			widest = tensor_type_facts(w->tensors[i]->type)->size_bytes;
	n = bytes / widest / TENSOR_BLOCK;
	return (n ? n : 1) * TENSOR_BLOCK;
}

static int windows_open(struct windows *w, size_t bytes, bool last_dimension_fastest)
{
	int rc = 0;

	w->elements = window_elements(w, bytes);
	for (int i = 0; rc == 0 && i < SIDES; i++) {
		if (!w->tensors[i])
			continue;
		w->bytes[i] = xmalloc(
			w->elements * tensor_type_facts(w->tensors[i]->type)->size_bytes);
		rc = tensor_stream_open(&w->streams[i], w->tensors[i], last_dimension_fastest);
	}
	return rc;
}

static int windows_fill(struct windows *w, size_t n)
{
	int rc = 0;

	for (int i = 0; rc == 0 && i < SIDES; i++)
		if (w->streams[i])
			rc = tensor_stream_read(w->streams[i], w->bytes[i],
				n * tensor_type_facts(w->tensors[i]->type)->size_bytes);
	return rc;
}

static int windows_end(struct windows *w)
{
	int rc = 0;

	for (int i = 0; rc == 0 && i < SIDES; i++)
		if (w->streams[i])
			rc = tensor_stream_end(w->streams[i]);
	return rc;
}

static void *element_at(const struct windows *w, int side, size_t i)
{
	return w->bytes[side] + i * tensor_type_facts(w->tensors[side]->type)->size_bytes;
}

static void add_window(struct tensor_result *out, struct triangle_sums *triangle,
	const struct windows *w, uint64_t first, size_t n)
{
	for (size_t i = 0; i < n; i += TENSOR_BLOCK) {
		struct tensor_block b = {
			.reference_type = w->tensors[0]->type,
			.attempt_type = w->tensors[1]->type,
			.reference = element_at(w, 0, i),
			.attempt = element_at(w, 1, i),
			.n = n - i < TENSOR_BLOCK ? n - i : TENSOR_BLOCK,
			.first = first + i,
		};

		tensor_tally_block(&out->tally, &out->rule, &b);
		if (w->tensors[2])
			triangle_sums_add(triangle, &b, w->tensors[2]->type, element_at(w, 2, i));
	}
}

static int read_all(struct tensor_result *out, struct triangle_sums *triangle, struct windows *w,
	const atomic_bool *cancel)
{
	uint64_t count = w->tensors[0]->count;
	int rc;

	for (uint64_t at = 0; at < count;) {
		size_t n = count - at < w->elements ? (size_t)(count - at) : w->elements;

		if (cancel && atomic_load(cancel))
			return err_set(ERR_CANCELLED, "comparing tensors was cancelled");
		if ((rc = windows_fill(w, n)) < 0)
			return rc;
		add_window(out, triangle, w, at, n);
		at += n;
	}
	return windows_end(w);
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
			" are NaN or infinite, alike on both sides", t->count - t->finite, t->count);
	else
		out->verdict = TENSOR_CONFIRMED;
}

/* Files in two orders of dimensions are read in one. */
static bool needs_turning(const struct windows *w)
{
	for (int i = 1; i < SIDES; i++)
		if (w->tensors[i] && w->tensors[i]->fortran_order != w->tensors[0]->fortran_order)
			return true;
	return false;
}

int tensor_compare(struct tensor_result *out, const struct tensor *reference,
	const struct tensor *attempt, const struct tensor *third,
	const struct tensor_options *options)
{
	struct windows w = { .tensors = { reference, attempt, NULL } };
	struct triangle_sums triangle = { 0 };
	bool turned;
	int rc;

	*out = (struct tensor_result){ .rule_source = "" };
	if (!can_compare(out, reference, attempt))
		return 0;
	out->coarser = tensor_type_coarser(reference->type, attempt->type);
	choose_rule(out, options);
	w.tensors[2] = usable_third(out, reference, third);
	turned = needs_turning(&w);
	out->fortran_places = reference->fortran_order && !turned;
	rc = windows_open(&w, options->window_bytes ? options->window_bytes : TENSOR_WINDOW_BYTES,
		turned);
	if (rc == 0)
		rc = read_all(out, &triangle, &w, options->cancel);
	windows_release(&w);
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
