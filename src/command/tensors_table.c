/* tensors_table - two sets of tensors that were compared, as rows and sentences. */
#include "config.h"

#include "command/tensors_table.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/text.h"

static const struct report_column columns[] = {
	{ .name = "tensor", .title = "tensor", .type = REPORT_TEXT, .min_width = 12 },
	{ .name = "verdict", .title = "verdict", .type = REPORT_TEXT, .min_width = 9 },
	{ .name = "type", .title = "type", .type = REPORT_TEXT, .min_width = 4 },
	{ .name = "elements", .title = "elements", .type = REPORT_INTEGER },
	{ .name = "outside", .title = "outside", .type = REPORT_INTEGER },
	{ .name = "max_abs", .title = "max abs", .type = REPORT_DOUBLE },
	{ .name = "max_rel", .title = "max rel", .type = REPORT_DOUBLE },
	{ .name = "max_ulp", .title = "ulp", .type = REPORT_INTEGER },
	{ .name = "cosine", .title = "cosine", .type = REPORT_DOUBLE },
	{ .name = "attempt_name", .title = NULL, .type = REPORT_TEXT },
	{ .name = "operation", .title = NULL, .type = REPORT_TEXT },
	{ .name = "reference_type", .title = NULL, .type = REPORT_TEXT },
	{ .name = "attempt_type", .title = NULL, .type = REPORT_TEXT },
	{ .name = "reference_shape", .title = NULL, .type = REPORT_TEXT },
	{ .name = "attempt_shape", .title = NULL, .type = REPORT_TEXT },
	{ .name = "finite", .title = NULL, .type = REPORT_INTEGER },
	{ .name = "max_abs_at", .title = NULL, .type = REPORT_TEXT },
	{ .name = "max_rel_at", .title = NULL, .type = REPORT_TEXT },
	{ .name = "max_ulp_at", .title = NULL, .type = REPORT_TEXT },
	{ .name = "first_outside_at", .title = NULL, .type = REPORT_TEXT },
	{ .name = "mean_abs", .title = NULL, .type = REPORT_DOUBLE },
	{ .name = "rmse", .title = NULL, .type = REPORT_DOUBLE },
	{ .name = "nan_reference", .title = NULL, .type = REPORT_INTEGER },
	{ .name = "nan_attempt", .title = NULL, .type = REPORT_INTEGER },
	{ .name = "nan_both", .title = NULL, .type = REPORT_INTEGER },
	{ .name = "infinite_reference", .title = NULL, .type = REPORT_INTEGER },
	{ .name = "infinite_attempt", .title = NULL, .type = REPORT_INTEGER },
	{ .name = "infinite_both", .title = NULL, .type = REPORT_INTEGER },
	{ .name = "atol", .title = NULL, .type = REPORT_DOUBLE },
	{ .name = "rtol", .title = NULL, .type = REPORT_DOUBLE },
	{ .name = "ulp_floor", .title = NULL, .type = REPORT_INTEGER },
	{ .name = "tolerance_source", .title = NULL, .type = REPORT_TEXT },
	{ .name = "least_rtol", .title = NULL, .type = REPORT_DOUBLE },
	{ .name = "least_factor", .title = NULL, .type = REPORT_DOUBLE },
	{ .name = "third_rmse_reference", .title = NULL, .type = REPORT_DOUBLE },
	{ .name = "third_rmse_attempt", .title = NULL, .type = REPORT_DOUBLE },
	{ .name = "third_rmse_ratio", .title = NULL, .type = REPORT_DOUBLE },
	{ .name = "third_factor_allowed", .title = NULL, .type = REPORT_DOUBLE },
	{ .name = "third_cosine_reference", .title = NULL, .type = REPORT_DOUBLE },
	{ .name = "third_cosine_attempt", .title = NULL, .type = REPORT_DOUBLE },
	{ .name = "third_unused", .title = NULL, .type = REPORT_TEXT },
	{ .name = "harmless", .title = NULL, .type = REPORT_BOOL },
	{ .name = "why", .title = "why", .type = REPORT_TEXT, .min_width = 8 },
};

/* ---- rows ---------------------------------------------------------------- */

static const char *type_name(const struct tensor *t)
{
	return t->type == TENSOR_UNKNOWN ? t->type_name : tensor_type_facts(t->type)->name;
}

static void set_shape(struct report_table *t, const char *column, const struct tensor *x)
{
	struct buf b = BUF_INIT;

	if (x->unread && !x->n_dimensions && x->type == TENSOR_UNKNOWN)
		return;
	tensor_add_shape(&b, x);
	report_text(t, column, b.s);
	buf_release(&b);
}

static void set_place(struct report_table *t, const char *column, const struct tensor_pair *p,
	uint64_t at)
{
	struct buf b = BUF_INIT;

	tensor_add_place(&b, p->reference, at, p->result.fortran_places);
	report_text(t, column, b.s);
	buf_release(&b);
}

static void set_places(struct report_table *t, const struct tensor_pair *p)
{
	const struct tensor_tally *y = &p->result.tally;

	if (y->absolute.value > 0)
		set_place(t, "max_abs_at", p, y->absolute.at);
	if (y->relative.value > 0)
		set_place(t, "max_rel_at", p, y->relative.at);
	if (y->ulp)
		set_place(t, "max_ulp_at", p, y->ulp_at);
	if (y->outside)
		set_place(t, "first_outside_at", p, y->first_outside);
}

static void set_figures(struct report_table *t, const struct tensor_result *r)
{
	const struct tensor_tally *y = &r->tally;

	report_integer(t, "outside", (int64_t)y->outside);
	report_integer(t, "finite", (int64_t)y->finite);
	report_integer(t, "nan_reference", (int64_t)y->nan_reference);
	report_integer(t, "nan_attempt", (int64_t)y->nan_attempt);
	report_integer(t, "nan_both", (int64_t)y->nan_both);
	report_integer(t, "infinite_reference", (int64_t)y->infinite_reference);
	report_integer(t, "infinite_attempt", (int64_t)y->infinite_attempt);
	report_integer(t, "infinite_both", (int64_t)y->infinite_both);
	if (!y->finite && !isinf(y->absolute.value))
		return;
	report_double(t, "max_abs", y->absolute.value);
	if (!y->finite)
		return;
	report_double(t, "max_rel", y->relative.value);
	report_double(t, "cosine", tensor_tally_cosine(y));
	report_double(t, "mean_abs", tensor_tally_mean_absolute(y));
	report_double(t, "rmse", tensor_tally_rmse(y));
	if (!r->exact)
		report_integer(t, "max_ulp", y->ulp > INT64_MAX ? INT64_MAX : (int64_t)y->ulp);
}

static void set_rule(struct report_table *t, const struct tensor_result *r)
{
	report_double(t, "atol", r->rule.atol);
	report_double(t, "rtol", r->rule.rtol);
	report_text(t, "tolerance_source", r->rule_source);
	if (r->exact)
		return;
	report_integer(t, "ulp_floor", (int64_t)r->rule.ulp);
	report_double(t, "least_rtol", r->tally.least_rtol);
	report_double(t, "least_factor", r->tally.share);
}

static void set_third(struct report_table *t, const struct tensor_triangle *x)
{
	report_text(t, "third_unused", x->why_not);
	if (!x->judged)
		return;
	report_double(t, "third_rmse_reference", x->reference_rmse);
	report_double(t, "third_rmse_attempt", x->attempt_rmse);
	report_double(t, "third_rmse_ratio", x->ratio);
	report_double(t, "third_factor_allowed", x->k);
	report_double(t, "third_cosine_reference", x->reference_cosine);
	report_double(t, "third_cosine_attempt", x->attempt_cosine);
}

/* What a person reads behind the figures. */
static void set_why(struct report_table *t, const struct tensor_pair *p)
{
	if (p->harmless)
		report_textf(t, "why", "%s; all outputs of its operation agree, so it does no harm",
			p->result.why);
	else if (*p->result.why)
		report_text(t, "why", p->result.why);
}

static void add_pair(struct report_table *t, const struct tensor_pair *p)
{
	const struct tensor_result *r = &p->result;
	const char *types[2] = { type_name(p->reference), type_name(p->attempt) };

	report_row(t);
	report_text(t, "tensor", p->reference->name);
	report_text(t, "attempt_name", p->attempt->name);
	report_text(t, "operation", p->reference->operation);
	report_text(t, "verdict", p->harmless ? "harmless" : tensor_verdict_name(r->verdict));
	report_bool(t, "harmless", p->harmless);
	report_text(t, "reference_type", types[0]);
	report_text(t, "attempt_type", types[1]);
	if (strcmp(types[0], types[1]) == 0)
		report_text(t, "type", types[0]);
	else
		report_textf(t, "type", "%s/%s", types[0], types[1]);
	set_shape(t, "reference_shape", p->reference);
	set_shape(t, "attempt_shape", p->attempt);
	set_why(t, p);
	if (!r->compared)
		return;
	report_integer(t, "elements", (int64_t)r->tally.count);
	set_figures(t, r);
	set_places(t, p);
	set_rule(t, r);
	set_third(t, &r->triangle);
}

static void add_lonely(struct report_table *t, const struct tensor *x, bool in_reference)
{
	report_row(t);
	report_text(t, "tensor", x->name);
	report_text(t, "operation", x->operation);
	report_text(t, "verdict", tensor_verdict_name(TENSOR_NOT_CHECKED));
	report_text(t, "type", type_name(x));
	report_text(t, in_reference ? "reference_type" : "attempt_type", type_name(x));
	set_shape(t, in_reference ? "reference_shape" : "attempt_shape", x);
	report_textf(t, "why", "only in the %s%s%s", in_reference ? "reference" : "attempt",
		x->unread ? ", and it cannot be read: " : "", x->unread ? x->unread : "");
}

/* ---- sentences ----------------------------------------------------------- */

static const char *plural(size_t n)
{
	return n == 1 ? "" : "s";
}

static void note_verdict(struct report_table *t, const struct tensor_pairs *p)
{
	size_t lonely = p->n_only_reference + p->n_only_attempt;

	report_note(t,
		"verdict: %s: of %zu pair%s %zu inside, %zu outside, %zu open; %zu tensor%s on one side alone; %" PRIu64
		" numbers compared",
		tensor_verdict_name(p->verdict), p->n, plural(p->n), p->confirmed, p->refuted,
		p->open, lonely, plural(lonely), p->elements - p->not_finite);
	if (p->incomplete)
		report_note(t, "the whole is open: something was not read, or not compared, as said below");
	if (p->not_finite)
		report_note(t, "%" PRIu64
			" places hold no finite number on a side: alike is only said of NaN beside NaN and of one infinity beside the same",
			p->not_finite);
	if (!p->n)
		report_note(t, "no verdict: no name stands on both sides; see --map");
	if (p->harmless)
		report_note(t,
			"%zu input%s differ%s where every output of the operation agrees: a warning, no difference (memory that is never read may differ)",
			p->harmless, plural(p->harmless), p->harmless == 1 ? "s" : "");
}

static void note_origin(struct report_table *t, const struct tensor_pairs *p)
{
	const struct tensor_pair *row = &p->rows[p->origin_row];

	switch (p->origin) {
	case TENSOR_NOWHERE:
		return;
	case TENSOR_INTRODUCED:
		report_note(t,
			"introduced by: %s: its inputs agree and %s does not; the first such operation in the order of execution",
			row->reference->operation ? row->reference->operation
						  : row->attempt->operation,
			row->reference->name);
		return;
	case TENSOR_CAME_IN:
		report_note(t,
			"came in with: %s, an input that differs although no earlier output does",
			row->reference->name);
		return;
	case TENSOR_FIRST_ONLY:
		report_note(t, "first outside: %s, in the order of %s; %s", row->reference->name,
			p->in_execution_order ? "execution" : "the file",
			p->in_execution_order
				? "whether its inputs agree is not known"
				: "which operation it comes from is not told by these files");
		return;
	}
}

/* Three digits, never less than V. */
static void add_rounded_up(struct buf *out, double v)
{
	double unit;

	if (!(v > 0) || isinf(v)) {
		buf_adds(out, v > 0 ? "none" : "0");
		return;
	}
	unit = pow(10, floor(log10(v)) - 2);
	buf_addf(out, "%.3g", ceil(v / unit * (1 + 1e-9)) * unit);
}

/* Of all pairs whose coarser type is TYPE: what was accepted, and what would have to be. */
static void note_type(struct report_table *t, const struct tensor_pairs *p, enum tensor_type type)
{
	const struct tensor_result *one = NULL;
	double rtol = 0, factor = 0;
	struct buf b = BUF_INIT;

	for (size_t i = 0; i < p->n; i++) {
		const struct tensor_result *r = &p->rows[i].result;

		if (!r->compared || r->coarser != type)
			continue;
		one = r;
		rtol = fmax(rtol, r->tally.least_rtol);
		factor = fmax(factor, r->tally.share);
	}
	if (!one)
		return;
	if (one->exact) {
		report_note(t, "tolerance: %s: equal, nothing else", tensor_type_facts(type)->name);
		return;
	}
	buf_addf(&b, "tolerance: %s: |d| <= %g + %g |reference| (%s)",
		tensor_type_facts(type)->name, one->rule.atol, one->rule.rtol, one->rule_source);
	if (one->rule.ulp)
		buf_addf(&b, ", or %" PRIu64 " ulp", one->rule.ulp);
	buf_addf(&b, "; least that passes without ulp: rtol ");
	add_rounded_up(&b, rtol);
	buf_addf(&b, " with this atol, or both times ");
	add_rounded_up(&b, factor);
	report_note(t, "%s", b.s);
	buf_release(&b);
}

static void note_third(struct report_table *t, const struct tensors_view *v)
{
	size_t judged = 0, passed = 0, saved = 0;

	if (!v->third)
		return;
	for (size_t i = 0; i < v->pairs->n; i++) {
		const struct tensor_result *r = &v->pairs->rows[i].result;

		judged += r->triangle.judged;
		passed += r->triangle.judged && r->triangle.passes;
		saved += r->triangle.judged && r->triangle.passes && r->tally.outside > 0;
	}
	report_note(t,
		"third side: %zu of %zu pairs beside it, %zu not further from it than allowed (RMSE at most 2 or 3 times the reference's, plus atol/10); %zu inside by this alone",
		judged, v->pairs->n, passed, saved);
}

static void note_names(struct report_table *t, const struct tensors_view *v)
{
	for (size_t i = 0; i < v->n_maps; i++)
		report_note(t, "names: %s... of the reference is %s... of the attempt",
			v->maps[i].old, v->maps[i].new);
	if (v->pairs->renamed)
		report_note(t,
			"names: %zu pair%s under different names, by mapping or without module., _orig_mod. and model.",
			v->pairs->renamed, plural(v->pairs->renamed));
}

static void note_set(struct report_table *t, const struct tensor_set *s)
{
	for (const struct tensor_note *n = s ? s->notes : NULL; n; n = n->next)
		report_note(t, "%s", n->text);
}

static void note_meaning(struct report_table *t)
{
	report_note(t,
		"shows how far these values are from each other; not which side is right, that both had the same inputs, nor that training agrees");
}

struct report_table *tensors_table(struct arena *a, const struct tensors_view *v)
{
	struct report_table *t = report_table_new(a, "tensors", columns, ARRAY_LEN(columns));
	const struct tensor_pairs *p = v->pairs;

	for (size_t i = 0; i < p->n; i++)
		if (v->all || p->rows[i].harmless ||
			p->rows[i].result.verdict != TENSOR_CONFIRMED)
			add_pair(t, &p->rows[i]);
	for (size_t i = 0; i < p->n_only_reference; i++)
		add_lonely(t, p->only_reference[i], true);
	for (size_t i = 0; i < p->n_only_attempt; i++)
		add_lonely(t, p->only_attempt[i], false);
	note_verdict(t, p);
	note_origin(t, p);
	for (int i = TENSOR_UNKNOWN + 1; i < TENSOR_TYPES; i++)
		note_type(t, p, (enum tensor_type)i);
	note_third(t, v);
	note_names(t, v);
	note_set(t, v->reference);
	note_set(t, v->attempt);
	note_set(t, v->third);
	note_meaning(t);
	return t;
}
