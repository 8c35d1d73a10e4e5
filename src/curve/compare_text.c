/* compare_text - a comparison in sentences, and gaps in evaluation examples; see compare.h. */
#include "config.h"

#include <inttypes.h>
#include <math.h>

#include "base/text.h"
#include "curve/compare.h"

static const char too_large[] = "too large to tell";

void compare_add_computed(struct buf *out, double v, int digits)
{
	if (isfinite(v))
		buf_addf(out, "%.*g", digits, v);
	else
		buf_adds(out, too_large);
}

void compare_add_logged(struct buf *out, double v)
{
	char number[TEXT_DOUBLE_MAX];

	if (isfinite(v)) {
		buf_addf(out, "%.6g", v);
		return;
	}
	text_from_double(number, v);
	buf_adds(out, number);
}

/* From here on digits behind the point say nothing. */
#define FIXED_MAX 1e15

/* The digits that were printed, else six. */
void compare_add_value(struct buf *out, const struct comparison *c, double v)
{
	double shown = v * c->options.scale;

	if (isfinite(v) && !isfinite(shown))
		buf_adds(out, too_large);
	else if (c->options.decimals >= 0 && fabs(shown) < FIXED_MAX)
		buf_addf(out, "%.*f", c->options.decimals, shown);
	else
		compare_add_logged(out, shown);
}

void compare_add_difference(struct buf *out, const struct comparison *c, double d)
{
	if (isinf(d)) {
		buf_adds(out, too_large);
		return;
	}
	if (d > 0)
		buf_addc(out, '+');
	compare_add_value(out, c, d);
}

void compare_add_x(struct buf *out, const struct comparison *c, int64_t key, double x)
{
	if (c->alignment.integer)
		buf_addf(out, "%" PRId64, key);
	else
		buf_addf(out, align_axis_is_scaled(c->alignment.options.axis) ? "%.15g" : "%.6g",
			x);
}

static const char *plural(size_t n)
{
	return n == 1 ? "" : "s";
}

static void add_first(struct buf *out, const struct comparison *c)
{
	struct align_pair first = align_pair_at(&c->alignment, 0);

	compare_add_x(out, c, first.key, first.x);
}

/* Step 0 or 1; before a later one the curves may have parted in training. */
static bool begins_at_start(const struct comparison *c)
{
	int64_t key = align_pair_at(&c->alignment, 0).key;

	return c->alignment.integer && (key == 0 || key == 1);
}

/* The first matched point is out: is that where it leaves for long? */
static bool stays_out(const struct comparison *c)
{
	return (c->onset.n && !c->onset.has_agreeing) || !c->n_inside;
}

static void add_from_start(struct buf *out, const struct comparison *c)
{
	const struct compare_onset *o = &c->onset;
	bool stays = stays_out(c);

	if (begins_at_start(c) && stays) {
		buf_adds(out, compare_verdict_name(COMPARE_DIFFERS_FROM_START));
		return;
	}
	buf_adds(out, stays ? "out from the first matched point, " : "out at the first matched point, ");
	add_first(out, c);
	if (stays)
		return;
	if (o->n) {
		buf_addf(out, ", and for %zu points from ", o->n);
		compare_add_x(out, c, o->disagreeing_key, o->disagreeing_x);
		buf_adds(out, " on");
	} else {
		buf_adds(out, ", never for long");
	}
}

static void add_diverges(struct buf *out, const struct comparison *c)
{
	size_t n = c->alignment.n;

	if (!c->onset.n) {
		buf_addf(out, "out at %zu of %zu points, also near the end%s", n - c->n_inside, n,
			compare_is_few(c) ? "" : ": too few in a row to tell that it diverges");
		return;
	}
	buf_adds(out, "diverges at ");
	compare_add_x(out, c, c->longest_out.first_key, c->longest_out.first_x);
}

static void add_verdict(struct buf *out, const struct comparison *c)
{
	switch (c->verdict) {
	case COMPARE_DIVERGES:
		add_diverges(out, c);
		return;
	case COMPARE_DIFFERS_FROM_START:
		add_from_start(out, c);
		return;
	case COMPARE_NOT_DECIDABLE:
		buf_adds(out, compare_verdict_name(c->verdict));
		if (!c->n_finite)
			buf_adds(out, ": no value is finite");
		else if (2 * c->n_without_tolerance >= c->alignment.n)
			buf_addf(out, ": the spread of the reference is not known at %zu of %zu points",
				c->n_without_tolerance, c->alignment.n);
		else
			buf_addf(out, ": the logs resolve %.3g, the tolerance is finer",
				c->resolution * c->options.scale);
		return;
	case COMPARE_NO_OVERLAP:
	case COMPARE_MATCH:
	case COMPARE_EXCURSION:
		break;
	}
	buf_adds(out, compare_verdict_name(c->verdict));
}

void compare_add_verdict(struct buf *out, const struct comparison *c)
{
	size_t n = c->alignment.n;

	add_verdict(out, c);
	if (n && compare_is_few(c) && c->verdict != COMPARE_NOT_DECIDABLE)
		buf_addf(out, " (%zu point%s: too few to say how the curves run)", n, plural(n));
	if (c->verdict == COMPARE_MATCH)
		compare_add_alike_without_number(out, c, " (", ")");
}

void compare_add_alike_without_number(
	struct buf *out, const struct comparison *c, const char *before, const char *behind)
{
	if (c->n_nonfinite_equal)
		buf_addf(out,
			"%s%zu of %zu pairs NaN or infinite alike: no number was compared there%s",
			before, c->n_nonfinite_equal, c->alignment.n, behind);
}

void compare_add_verdict_cell(struct buf *out, const struct comparison *c)
{
	const struct compare_onset *o = &c->onset;

	if (c->verdict == COMPARE_DIVERGES && !o->n) {
		buf_addf(out, "out at %zu of %zu", c->alignment.n - c->n_inside, c->alignment.n);
	} else if (c->verdict == COMPARE_DIFFERS_FROM_START && !stays_out(c)) {
		buf_adds(out, "out at ");
		add_first(out, c);
		buf_adds(out, o->n ? ", and from " : "");
		if (o->n)
			compare_add_x(out, c, o->disagreeing_key, o->disagreeing_x);
		buf_adds(out, o->n ? " on" : "");
	} else if (c->verdict == COMPARE_DIFFERS_FROM_START && !begins_at_start(c)) {
		buf_adds(out, "out from ");
		add_first(out, c);
		buf_adds(out, " on");
	} else {
		add_verdict(out, c);
	}
}

void compare_add_alignment(struct buf *out, const struct comparison *c)
{
	const struct alignment *al = &c->alignment;

	buf_addf(
		out, "%s %s", align_mode_name(al->options.mode), align_axis_name(al->options.axis));
	if (al->options.mode == ALIGN_NEAREST && isinf(al->options.nearest_max))
		buf_adds(out, " at any distance");
	else if (al->options.mode == ALIGN_NEAREST)
		buf_addf(out, " within %.6g", al->options.nearest_max);
	if (al->options.shift)
		buf_addf(out, ", attempt shifted by %+" PRId64, al->options.shift);
	buf_addf(out, ": %zu of %zu matched", al->n, al->n_attempt);
	if (al->unmatched_reference >= 0)
		buf_addf(out, ", left over %" PRId64 " reference, %" PRId64 " attempt",
			al->unmatched_reference, al->unmatched_attempt);
	else if (al->unmatched_attempt >= 0)
		buf_addf(out, ", left over %" PRId64 " attempt", al->unmatched_attempt);
	if (al->n_unplaced_reference + al->n_unplaced_attempt)
		buf_addf(out, ", without %s %zu reference, %zu attempt",
			align_axis_name(al->options.axis), al->n_unplaced_reference,
			al->n_unplaced_attempt);
}

/* The verdict names the longest run, which need not be the first that is long. */
static void add_longest(struct buf *out, const struct comparison *c)
{
	const struct compare_run *r = &c->longest_out;

	if (r->n <= c->onset.n)
		return;
	buf_addf(out, "; longest out for %zu points from ", r->n);
	compare_add_x(out, c, r->first_key, r->first_x);
	buf_adds(out, " on");
}

static void add_no_onset(struct buf *out, const struct comparison *c)
{
	size_t n = c->alignment.n, outside = n - c->n_inside;

	if (!outside) {
		buf_addf(out, "never out of tolerance%s", compare_is_few(c) ? " at the " : "");
		if (compare_is_few(c))
			buf_addf(out, "%zu matched point%s", n, plural(n));
		return;
	}
	buf_addf(out, "out at %zu of %zu point%s, never at %d in a row or at the last %d", outside,
		n, plural(n), ONSET_POINTS, ONSET_POINTS_AT_END);
}

void compare_add_onset(struct buf *out, const struct comparison *c)
{
	const struct compare_onset *o = &c->onset;

	if (!c->alignment.n) {
		buf_adds(out, "no matched point");
		return;
	}
	if (!o->n) {
		add_no_onset(out, c);
		return;
	}
	if (o->has_agreeing) {
		if (c->first_out == 0) {
			buf_adds(out, "out at the first matched point, ");
			add_first(out, c);
			buf_adds(out, "; then ");
		}
		buf_adds(out, "leaves between ");
		compare_add_x(out, c, o->agreeing_key, o->agreeing_x);
		buf_adds(out, " and ");
	} else {
		buf_adds(out, "out from the first matched point, ");
	}
	compare_add_x(out, c, o->disagreeing_key, o->disagreeing_x);
	buf_addf(out, ", out for %zu points in a row%s", o->n, o->lasts ? ", up to the end" : "");
	add_longest(out, c);
}

static const char *sigma_words(enum sigma_source s)
{
	switch (s) {
	case SIGMA_SEEDS:
		return "over the reference's seeds";
	case SIGMA_ROLLING:
		return "assumed: rolling spread of the reference around its own trend";
	case SIGMA_NONE:
		break;
	}
	return "";
}

void compare_add_tolerance(struct buf *out, const struct comparison *c)
{
	const struct tolerance *t = &c->options.tolerance;
	double scale = c->options.scale;

	if (t->k_sigma > 0)
		buf_addf(out, "|d| <= %.6g sigma (%s)", t->k_sigma, sigma_words(c->sigma_source));
	else if (t->rtol > 0 && t->atol > 0)
		buf_addf(out, "|d| <= %.6g + %.6g * |R|", t->atol * scale, t->rtol);
	else if (t->rtol > 0)
		buf_addf(out, "|d| <= %.6g * |R|", t->rtol);
	else
		buf_addf(out, "|d| <= %.6g", t->atol * scale);
	if (c->options.want_sigma && !(t->k_sigma > 0))
		buf_addf(out, "; sigma is %s", sigma_words(c->sigma_source));
	if (c->options.q < 1)
		buf_addf(out, " at %.6g %% of the points", c->options.q * 100);
	if (t->origin && *t->origin)
		buf_addf(out, " (%s)", t->origin);
}

void compare_add_sides(struct buf *out, const struct comparison *c)
{
	const char *word = c->n_below >= c->n_above ? "below" : "above";
	size_t n = c->n_below >= c->n_above ? c->n_below : c->n_above;

	if (!c->n_finite)
		buf_adds(out, "no pair of finite values");
	else if (c->n_equal == c->n_finite)
		buf_addf(out, "equal at %zu of %zu", c->n_equal, c->n_finite);
	else
		buf_addf(out, "%s at %zu of %zu (a fact, not a p-value)", word, n, c->n_finite);
}

static void add_worse(struct buf *out, const struct comparison *c)
{
	if (c->worse != SIDE_ATTEMPT && c->worse != SIDE_REFERENCE)
		return;
	buf_adds(out, c->worse == SIDE_ATTEMPT ? " (A worse" : " (R worse");
	if (c->options.direction_assumed)
		buf_addf(out, " if %s is better", direction_name(c->options.direction));
	buf_addc(out, ')');
}

static void add_examples(struct buf *out, const struct comparison *c)
{
	int64_t n = c->gap.examples < 0 ? -c->gap.examples : c->gap.examples;

	switch (c->gap.state) {
	case EXAMPLES_EXACT:
		buf_addf(out, ", %" PRId64 " of %" PRId64 " examples", n, c->options.examples);
		break;
	case EXAMPLES_AMBIGUOUS:
		buf_addf(out,
			", about %" PRId64 " of %" PRId64 " examples (several counts print alike)",
			n, c->options.examples);
		break;
	case EXAMPLES_NONE:
		buf_addf(out,
			"; no count of %" PRId64
			" examples gives these values: wrong count, unit or average",
			c->options.examples);
		break;
	case EXAMPLES_UNKNOWN:
		break;
	}
}

void compare_add_final(struct buf *out, const struct comparison *c)
{
	if (!c->alignment.n) {
		buf_adds(out, "no matched point");
		return;
	}
	buf_adds(out, "R ");
	compare_add_value(out, c, c->final_reference);
	buf_adds(out, "  A ");
	compare_add_value(out, c, c->final_attempt);
	buf_adds(out, "  d ");
	compare_add_difference(out, c, c->final);
	add_worse(out, c);
	add_examples(out, c);
}

void compare_add_seeds(struct buf *out, const struct comparison *c)
{
	int r = c->options.n_reference_seeds, a = c->options.n_attempt_seeds;

	r = r < 1 ? 1 : r;
	a = a < 1 ? 1 : a;
	if (r == 1 && a == 1)
		buf_adds(out,
			"1 seed a side: run-to-run spread unknown, so equivalence cannot be shown");
	else if (r == 1 || a == 1)
		buf_addf(out,
			"%d reference and %d attempt seed%s: the spread of the side with one is unknown",
			r, a, a == 1 ? "" : "s");
	else
		buf_addf(out, "%d reference and %d attempt seeds", r, a);
}

int64_t examples_count(double shown_percent, int decimals, int64_t n, int64_t *k)
{
	double half = 0.5 * pow(10, -decimals), slack = 1e-9, size = (double)n;
	double low = (shown_percent - half) * size / 100,
	       high = (shown_percent + half) * size / 100;
	double first = fmax(0, ceil(low - slack)), last = fmin(size, floor(high + slack));

	if (n <= 0 || decimals < 0 || !isfinite(shown_percent) || last < first)
		return 0;
	*k = (int64_t)llround(shown_percent * size / 100);
	if ((double)*k < first)
		*k = (int64_t)first;
	if ((double)*k > last)
		*k = (int64_t)last;
	return (int64_t)(last - first) + 1;
}

struct examples_gap examples_gap(
	double reference_percent, double attempt_percent, int decimals, int64_t n)
{
	struct examples_gap g = { .state = EXAMPLES_UNKNOWN };
	double unit = pow(10, decimals);
	int64_t fit_r, fit_a;

	if (n <= 0 || decimals < 0 || !isfinite(reference_percent) || !isfinite(attempt_percent))
		return g;
	g.power = fmax(0, 1 - (double)n * pow(10, -decimals) / 100);
	fit_r = examples_count(round(reference_percent * unit) / unit, decimals, n, &g.k_reference);
	fit_a = examples_count(round(attempt_percent * unit) / unit, decimals, n, &g.k_attempt);
	g.examples = g.k_reference - g.k_attempt;
	if (!fit_r || !fit_a)
		g.state = EXAMPLES_NONE;
	else
		g.state = fit_r == 1 && fit_a == 1 ? EXAMPLES_EXACT : EXAMPLES_AMBIGUOUS;
	return g;
}
