/* export_json - a comparison as one JSON document. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "curve/export_private.h"

static void put_x(
	struct json_writer *w, const char *key, const struct comparison *c, int64_t step, double x)
{
	if (c->alignment.integer)
		json_put_i64(w, key, step);
	else
		json_put_double(w, key, x);
}

void export_put_known(struct json_writer *w, const char *key, double v)
{
	if (isnan(v))
		json_put_null(w, key);
	else
		json_put_double(w, key, v);
}

static void put_count(struct json_writer *w, const char *key, int64_t n)
{
	if (n < 0)
		json_put_null(w, key);
	else
		json_put_i64(w, key, n);
}

/* What export_comparison says of one run. */
struct run_side { const char *name, *run, *kind, *seed, *by; const struct series *series; };

static void put_word(struct json_writer *w, const char *key, const char *word)
{
	if (word)
		json_put_str(w, key, *word ? word : NULL);
}

static void put_side(struct json_writer *w, const char *key, const struct run_side *side)
{
	const struct series *s = side->series;

	json_begin_object(w, key);
	json_put_str(w, "name", side->name);
	put_word(w, "run", side->run);
	put_word(w, "kind", side->kind);
	put_word(w, "seed", side->seed);
	put_word(w, "imported_by", side->by);
	if (s) {
		json_put_strn(w, "series", s->name, s->name_n);
		json_put_i64(w, "points", (int64_t)s->n);
		json_put_i64(w, "segments", (int64_t)s->n_segments);
	}
	json_end_object(w);
}

static const char *policy_name(enum segment_policy p)
{
	switch (p) {
	case SEGMENT_ALL:
		return "all";
	case SEGMENT_FIRST_WINS:
		return "first-wins";
	case SEGMENT_LATEST_WINS:
		break;
	}
	return "latest-wins";
}

static void put_alignment(struct json_writer *w, const struct alignment *al)
{
	json_begin_object(w, "alignment");
	json_put_str(w, "mode", align_mode_name(al->options.mode));
	json_put_str(w, "axis", align_axis_name(al->options.axis));
	json_put_str(w, "policy", policy_name(al->options.policy));
	if (al->options.mode == ALIGN_NEAREST)
		json_put_double(w, "nearest_max", al->options.nearest_max);
	json_put_i64(w, "shift", al->options.shift);
	json_put_i64(w, "matched", (int64_t)al->n);
	put_count(w, "unmatched_reference", al->unmatched_reference);
	put_count(w, "unmatched_attempt", al->unmatched_attempt);
	json_put_i64(w, "unplaced_reference", (int64_t)al->n_unplaced_reference);
	json_put_i64(w, "unplaced_attempt", (int64_t)al->n_unplaced_attempt);
	export_put_known(w, "coverage", al->coverage);
	export_put_known(w, "span", al->span);
	json_end_object(w);
}

static void put_tolerance(struct json_writer *w, const struct comparison *c)
{
	static const char *const sources[] = {
		[SIGMA_NONE] = NULL, [SIGMA_SEEDS] = "seeds", [SIGMA_ROLLING] = "rolling",
	};

	json_begin_object(w, "tolerance");
	json_put_double(w, "atol", c->options.tolerance.atol);
	json_put_double(w, "rtol", c->options.tolerance.rtol);
	json_put_double(w, "k_sigma", c->options.tolerance.k_sigma);
	json_put_str(w, "sigma", sources[c->sigma_source]);
	json_put_double(w, "share", c->options.q);
	json_put_str(w, "origin",
		c->options.tolerance.origin && *c->options.tolerance.origin
			? c->options.tolerance.origin
			: NULL);
	json_end_object(w);
}

static void put_comparable(struct json_writer *w, const struct comparable *c)
{
	json_begin_object(w, "comparable");
	json_put_str(w, "overall", c ? comparable_overall_name(c->overall) : "not checked");
	json_begin_array(w, "items");
	for (size_t i = 0; c && i < c->n; i++) {
		const struct comparable_item *item = &c->items[i];

		json_begin_object(w, NULL);
		json_put_str(w, "name", item->name);
		json_put_str(w, "status", comparable_status_name(item->status));
		json_put_str(w, "reference", *item->reference ? item->reference : NULL);
		json_put_str(w, "attempt", *item->attempt ? item->attempt : NULL);
		json_put_str(w, "make_equal", *item->make_equal ? item->make_equal : NULL);
		json_put_str(w, "reason", *item->reason ? item->reason : NULL);
		json_put_bool(w, "blocks", item->blocks);
		json_end_object(w);
	}
	json_end_array(w);
	json_end_object(w);
}

static void put_run_out(struct json_writer *w, const struct comparison *c)
{
	if (!c->longest_out.n) {
		json_put_null(w, "longest_out");
		return;
	}
	json_begin_array(w, "longest_out");
	put_x(w, NULL, c, c->longest_out.first_key, c->longest_out.first_x);
	put_x(w, NULL, c, c->longest_out.last_key, c->longest_out.last_x);
	json_put_i64(w, NULL, (int64_t)c->longest_out.n);
	json_end_array(w);
}

static void put_largest(struct json_writer *w, const struct comparison *c)
{
	struct align_pair p;

	if (c->max_abs == SIZE_MAX) {
		json_put_null(w, "max_abs");
		return;
	}
	p = align_pair_at(&c->alignment, c->max_abs);
	json_begin_array(w, "max_abs");
	put_x(w, NULL, c, p.key, p.x);
	json_put_double(w, NULL, compare_delta(c, c->max_abs, DELTA_PLAIN));
	json_end_array(w);
}

static void put_examples(struct json_writer *w, const struct comparison *c)
{
	static const char *const states[] = {
		[EXAMPLES_UNKNOWN] = "unknown", [EXAMPLES_EXACT] = "exact",
		[EXAMPLES_AMBIGUOUS] = "ambiguous", [EXAMPLES_NONE] = "no count fits",
	};
	bool counted = c->gap.state == EXAMPLES_EXACT || c->gap.state == EXAMPLES_AMBIGUOUS;

	json_begin_object(w, "examples");
	json_put_str(w, "state", states[c->gap.state]);
	put_count(w, "of", c->options.examples > 0 ? c->options.examples : -1);
	if (counted)
		json_put_i64(w, "gap", c->gap.examples);
	else
		json_put_null(w, "gap");
	json_end_object(w);
}

static void put_result(struct json_writer *w, const struct comparison *c)
{
	json_begin_object(w, "result");
	json_put_i64(w, "inside", (int64_t)c->n_inside);
	json_put_i64(w, "nonfinite_pairs", (int64_t)c->n_nonfinite_pairs);
	json_put_i64(w, "nonfinite_equal", (int64_t)c->n_nonfinite_equal);
	if (c->has_first_out)
		put_x(w, "first_out", c, c->first_out_key, c->first_out_x);
	else
		json_put_null(w, "first_out");
	put_run_out(w, c);
	export_put_known(w, "bias", c->bias);
	export_put_known(w, "mean_abs", c->mean_abs);
	export_put_known(w, "median_abs", c->median_abs);
	put_largest(w, c);
	export_put_known(w, "final", c->final);
	export_put_known(w, "best_reference", c->best_reference);
	export_put_known(w, "best_attempt", c->best_attempt);
	export_put_known(w, "resolution", c->resolution > 0 ? c->resolution : NAN);
	json_put_i64(w, "above", (int64_t)c->n_above);
	json_put_i64(w, "below", (int64_t)c->n_below);
	json_put_i64(w, "equal", (int64_t)c->n_equal);
	json_put_str(w, "worse", side_name(c->worse));
	if (c->options.direction)
		json_put_str(w, "better", direction_name(c->options.direction));
	else
		json_put_null(w, "better");
	json_put_bool(w, "better_assumed", c->options.direction_assumed);
	put_examples(w, c);
	json_end_object(w);
}

/* A pair that may not be compared has no verdict, whatever its numbers. */
static void put_verdict(struct json_writer *w, const struct export_comparison *e)
{
	const struct comparison *c = e->comparison;
	struct buf text = BUF_INIT;

	if (e->comparable && e->comparable->overall == COMPARABLE_NO) {
		const struct comparable_item *item = e->comparable->first_obstacle;

		json_put_null(w, "verdict");
		buf_addf(&text, "not comparable: %s: %s", item->name, item->make_equal);
		json_put_strn(w, "verdict_text", text.s, text.n);
		buf_release(&text);
		json_put_str(w, "obstacle", item->name);
		return;
	}
	/* The word by its rule alone; the text has how much that rests on. */
	json_put_str(w, "verdict", compare_verdict_name(c->verdict));
	compare_add_verdict(&text, c);
	json_put_strn(w, "verdict_text", text.s, text.n);
	buf_release(&text);
	if (c->verdict == COMPARE_DIVERGES)
		put_x(w, "verdict_at", c, c->longest_out.first_key, c->longest_out.first_x);
}

static void put_warnings(struct json_writer *w, const struct provenance_report *p)
{
	json_begin_array(w, "warnings");
	for (size_t i = 0; p && i < p->n; i++) {
		json_begin_object(w, NULL);
		json_put_str(w, "id", p->warnings[i].id);
		json_put_str(w, "series", p->warnings[i].series);
		json_put_str(w, "side", p->warnings[i].side);
		json_put_str(w, "text", p->warnings[i].text);
		json_end_object(w);
	}
	json_end_array(w);
}

static void put_statements(struct json_writer *w, const struct export_comparison *e)
{
	struct buf line = BUF_INIT;

	json_begin_array(w, "statements");
	for (size_t i = 0; buf_clear(&line), export_statement(&line, e, i); i++)
		if (line.n)
			json_put_strn(w, NULL, line.s, line.n);
	json_end_array(w);
	buf_release(&line);
}

static void put_row(struct json_writer *w, const struct comparison *c, size_t i,
	enum delta_mode delta)
{
	struct align_pair p = align_pair_at(&c->alignment, i);

	json_begin_array(w, NULL);
	put_x(w, NULL, c, p.key, p.x);
	json_put_double(w, NULL, p.reference);
	json_put_double(w, NULL, p.attempt);
	json_put_double(w, NULL, compare_delta(c, i, DELTA_PLAIN));
	if (delta)
		json_put_double(w, NULL, compare_delta(c, i, delta));
	json_put_bool(w, NULL, c->inside[i]);
	json_put_i64(w, NULL, p.reference_segment);
	json_put_i64(w, NULL, p.attempt_segment);
	export_put_known(w, NULL, compare_tolerance_at(c, i));
	json_end_array(w);
}

static void put_rows(struct json_writer *w, const struct comparison *c, enum delta_mode delta)
{
	const char *const columns[] = {
		"x", "reference", "attempt", "d", delta_mode_word(delta), "inside",
		"reference_segment", "attempt_segment", "tolerance",
	};

	json_begin_array(w, "columns");
	for (size_t i = 0; i < ARRAY_LEN(columns); i++)
		if (delta || i != 4)
			json_put_str(w, NULL, columns[i]);
	json_end_array(w);
	json_begin_array(w, "rows");
	for (size_t i = 0; i < c->alignment.n; i++)
		put_row(w, c, i, delta);
	json_end_array(w);
}

/* Each with rows of its own: it may be paired where A is not. */
static void put_further_run(
	struct json_writer *w, const struct export_further *f, enum delta_mode delta)
{
	char letter[2] = { f->letter, '\0' };
	const struct comparison *c = f->comparison;
	bool obstacle = f->comparable && f->comparable->overall == COMPARABLE_NO;

	json_begin_object(w, NULL);
	json_put_str(w, "letter", letter);
	json_put_str(w, "name", f->name);
	json_put_str(w, "run", f->run);
	json_put_str(w, "comparable",
		f->comparable ? comparable_overall_name(f->comparable->overall) : "not checked");
	json_put_str(w, "obstacle", obstacle ? f->comparable->first_obstacle->name : NULL);
	json_put_str(w, "verdict", c && !obstacle ? compare_verdict_name(c->verdict) : NULL);
	if (c) {
		put_alignment(w, &c->alignment);
		put_result(w, c);
		put_rows(w, c, delta);
	} else {
		json_put_str(w, "missing", f->missing);
	}
	json_end_object(w);
}

static void put_further(struct json_writer *w, const struct export_comparison *e)
{
	if (!e->n_further)
		return;
	json_begin_array(w, "further");
	for (size_t i = 0; i < e->n_further; i++)
		put_further_run(w, &e->further[i], e->delta);
	json_end_array(w);
}

static void put_spread(struct json_writer *w, const struct export_comparison *e)
{
	if (e->spread_runs < 2) {
		json_put_null(w, "reference_spread");
		return;
	}
	json_begin_object(w, "reference_spread");
	json_put_i64(w, "runs", (int64_t)e->spread_runs);
	json_put_double(w, "low", e->spread_low);
	json_put_double(w, "high", e->spread_high);
	json_end_object(w);
}

void export_json(struct buf *out, const struct export_comparison *e, bool indent)
{
	struct json_writer w = { .out = out, .indent = indent };

	json_begin_object(&w, NULL);
	json_put_i64(&w, "schema", EXPORT_SCHEMA);
	json_put_str(&w, "kind", "comparison");
	json_put_str(&w, "metric", e->metric);
	json_put_str(&w, "unit", e->unit);
	put_side(&w, "reference",
		&(struct run_side){ e->reference_name, e->reference_run, e->reference_kind,
			e->reference_seed, e->reference_by, e->reference });
	put_side(&w, "attempt",
		&(struct run_side){ e->attempt_name, e->attempt_run, e->attempt_kind,
			e->attempt_seed, e->attempt_by, e->attempt });
	json_put_bool(&w, "against_attempt", e->against_attempt);
	put_comparable(&w, e->comparable);
	put_verdict(&w, e);
	put_alignment(&w, &e->comparison->alignment);
	put_tolerance(&w, e->comparison);
	put_result(&w, e->comparison);
	put_warnings(&w, e->provenance);
	put_statements(&w, e);
	put_spread(&w, e);
	export_put_assessment(&w, e->assessment);
	json_put_str(&w, "next", e->next);
	put_rows(&w, e->comparison, e->delta);
	put_further(&w, e);
	json_end_object(&w);
	buf_addc(out, '\n');
}
