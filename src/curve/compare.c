/* compare - tolerance, first point out, and the verdict over aligned pairs. */
#include "config.h"

#include "curve/compare.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "curve/compare_private.h"
#include "curve/statistics.h"

enum { TAIL_POINTS_MIN = 3 };

static double difference(const struct align_pair *p)
{
	return p->attempt - p->reference;
}

static bool both_finite(const struct align_pair *p)
{
	return isfinite(p->reference) && isfinite(p->attempt);
}

/* NaN with NaN, or an infinity with the same one. */
static bool same_nonfinite(const struct align_pair *p)
{
	if (isnan(p->reference) || isnan(p->attempt))
		return isnan(p->reference) && isnan(p->attempt);
	return isinf(p->reference) && isinf(p->attempt) && (p->reference > 0) == (p->attempt > 0);
}

double compare_tolerance_at(const struct comparison *c, size_t i)
{
	const struct tolerance *t = &c->options.tolerance;

	if (t->k_sigma > 0)
		return t->k_sigma * c->sigma[i];
	/* Without a relative part a reference of NaN leaves the tolerance known. */
	return t->rtol > 0 ? t->atol + t->rtol * fabs(align_pair_at(&c->alignment, i).reference)
			   : t->atol;
}

static bool pair_is_inside(const struct comparison *c, size_t i)
{
	struct align_pair p = align_pair_at(&c->alignment, i);

	if (!both_finite(&p))
		return same_nonfinite(&p);
	return fabs(difference(&p)) <= compare_tolerance_at(c, i);
}

/* The first run of points out that lasts; see compare.h. */
static void find_onset(struct comparison *c)
{
	struct compare_onset *o = &c->onset;
	size_t n = c->alignment.n, run = 0, i = 0;
	struct align_pair first, before;

	while (i < n && run < ONSET_POINTS)
		run = c->inside[i++] ? 0 : run + 1;
	if (run < ONSET_POINTS && run < ONSET_POINTS_AT_END)
		return;
	o->pair = i - run;
	while (i < n && !c->inside[i])
		i++;
	o->n = i - o->pair;
	o->lasts = i == n;
	first = align_pair_at(&c->alignment, o->pair);
	o->disagreeing_key = first.key;
	o->disagreeing_x = first.x;
	o->has_agreeing = o->pair > 0;
	if (!o->has_agreeing)
		return;
	before = align_pair_at(&c->alignment, o->pair - 1);
	o->agreeing_key = before.key;
	o->agreeing_x = before.x;
}

/* Inside or out, the first out, and the longest run of points out. */
static void judge_pairs(struct comparison *c)
{
	size_t run = 0;

	c->first_out = SIZE_MAX;
	c->first_out_x = NAN;
	c->inside = xcalloc(c->alignment.n + 1, 1);
	for (size_t i = 0; i < c->alignment.n; i++) {
		struct align_pair p = align_pair_at(&c->alignment, i);

		c->n_nonfinite_pairs += !both_finite(&p);
		c->n_nonfinite_equal += same_nonfinite(&p);
		c->inside[i] = pair_is_inside(c, i);
		c->n_inside += c->inside[i];
		run = c->inside[i] ? 0 : run + 1;
		if (run == 1 && c->first_out == SIZE_MAX)
			c->first_out = i;
		if (run > c->longest_out.n) {
			struct align_pair first = align_pair_at(&c->alignment, i + 1 - run);

			c->longest_out =
				(struct compare_run){ first.key, p.key, first.x, p.x, run };
		}
	}
	c->has_first_out = c->first_out != SIZE_MAX;
	if (c->has_first_out) {
		struct align_pair first = align_pair_at(&c->alignment, c->first_out);

		c->first_out_x = first.x;
		c->first_out_key = first.key;
	}
	find_onset(c);
}

static double better(double a, double b, enum better direction)
{
	return direction == BETTER_HIGHER ? fmax(a, b) : fmin(a, b);
}

/* Sums with Neumaier's correction: a million small differences keep their bias. */
struct sum { double total, rest; };

static void sum_add(struct sum *s, double v)
{
	double t = s->total + v;

	s->rest += fabs(s->total) >= fabs(v) ? (s->total - t) + v : (v - t) + s->total;
	s->total = t;
}

static void measure_pair(
	struct comparison *c, size_t i, struct sum *bias, struct sum *absolute, double *most)
{
	struct align_pair p = align_pair_at(&c->alignment, i);
	double d = difference(&p);

	sum_add(bias, d);
	sum_add(absolute, fabs(d));
	c->n_at_resolution +=
		fabs(d) <= c->resolution && c->resolution > compare_tolerance_at(c, i);
	c->n_above += d > 0;
	c->n_below += d < 0;
	c->n_equal += !(d > 0) && !(d < 0);
	if (fabs(d) > *most) {
		*most = fabs(d);
		c->max_abs = i;
	}
	if (c->options.direction == BETTER_NONE)
		return;
	c->best_reference = better(c->best_reference, p.reference, c->options.direction);
	c->best_attempt = better(c->best_attempt, p.attempt, c->options.direction);
}

static double median_abs(const struct comparison *c)
{
	double *d = xreallocarray(NULL, c->n_finite + 1, sizeof *d), median;
	size_t n = 0;

	for (size_t i = 0; i < c->alignment.n; i++) {
		struct align_pair p = align_pair_at(&c->alignment, i);

		if (both_finite(&p))
			d[n++] = fabs(difference(&p));
	}
	median = median_of(d, n);
	free(d);
	return median;
}

static void measure_pairs(struct comparison *c)
{
	struct sum bias = { 0, 0 }, absolute = { 0, 0 };
	double most = 0;

	c->max_abs = SIZE_MAX;
	c->bias = c->mean_abs = c->median_abs = c->best_reference = c->best_attempt = NAN;
	for (size_t i = 0; i < c->alignment.n; i++) {
		struct align_pair p = align_pair_at(&c->alignment, i);

		if (!both_finite(&p))
			continue;
		c->n_finite++;
		measure_pair(c, i, &bias, &absolute, &most);
	}
	if (!c->n_finite)
		return;
	c->bias = (bias.total + bias.rest) / (double)c->n_finite;
	c->mean_abs = (absolute.total + absolute.rest) / (double)c->n_finite;
	c->median_abs = median_abs(c);
}

static enum side worse_side(double d, enum better direction)
{
	double worse = direction == BETTER_HIGHER ? -d : d;

	if (direction == BETTER_NONE || isnan(d))
		return SIDE_UNKNOWN;
	if (worse > 0)
		return SIDE_ATTEMPT;
	return worse < 0 ? SIDE_REFERENCE : SIDE_NEITHER;
}

static void measure_final(struct comparison *c)
{
	struct align_pair last;
	double scale = c->options.scale;

	c->final = c->final_reference = c->final_attempt = NAN;
	c->worse = SIDE_UNKNOWN;
	if (!c->alignment.n)
		return;
	last = align_pair_at(&c->alignment, c->alignment.n - 1);
	c->final_reference = last.reference;
	c->final_attempt = last.attempt;
	c->final = both_finite(&last) ? difference(&last) : NAN;
	c->worse = worse_side(c->final, c->options.direction);
	if (isnan(last.attempt) && isfinite(last.reference))
		c->worse = SIDE_ATTEMPT;
	if (isnan(last.reference) && isfinite(last.attempt))
		c->worse = SIDE_REFERENCE;
	if (c->options.examples > 0 && c->options.decimals >= 0)
		c->gap = examples_gap(last.reference * scale, last.attempt * scale,
			c->options.decimals, c->options.examples);
}

static bool tail_is_inside(const struct comparison *c)
{
	size_t n = c->alignment.n, tail = (n + 9) / 10;

	if (tail < TAIL_POINTS_MIN)
		tail = TAIL_POINTS_MIN;
	if (tail > n)
		tail = n;
	for (size_t i = n - tail; i < n; i++)
		if (!c->inside[i])
			return false;
	return true;
}

static enum compare_verdict find_verdict(const struct comparison *c)
{
	size_t n = c->alignment.n;

	if (!n)
		return COMPARE_NO_OVERLAP;
	if (2 * c->n_at_resolution >= n)
		return COMPARE_NOT_DECIDABLE;
	if ((double)c->n_inside >= c->options.q * (double)n)
		return COMPARE_MATCH;
	if (!c->inside[0])
		return COMPARE_DIFFERS_FROM_START;
	return tail_is_inside(c) ? COMPARE_EXCURSION : COMPARE_DIVERGES;
}

void comparison_release(struct comparison *c)
{
	alignment_release(&c->alignment);
	free(c->sigma);
	free(c->inside);
	c->sigma = NULL;
	c->inside = NULL;
}

int compare_series(struct comparison *out, const struct series *reference,
	const struct series *attempt, const struct compare_options *options)
{
	int rc;

	*out = (struct comparison){ .options = *options };
	if (!(out->options.scale > 0))
		out->options.scale = 1;
	rc = align_series(&out->alignment, reference, attempt, &options->align);
	if (!rc && (options->tolerance.k_sigma > 0 || options->want_sigma))
		rc = compare_find_sigma(out, reference);
	out->options.seeds = NULL;
	out->options.n_seeds = 0;
	if (rc) {
		comparison_release(out);
		return rc;
	}
	out->resolution = fmax(options->resolution_reference, options->resolution_attempt);
	judge_pairs(out);
	measure_pairs(out);
	measure_final(out);
	out->verdict = find_verdict(out);
	return 0;
}

double compare_delta(const struct comparison *c, size_t i, enum delta_mode mode)
{
	struct align_pair p = align_pair_at(&c->alignment, i);
	double d = both_finite(&p) ? difference(&p) : NAN;

	switch (mode) {
	case DELTA_PLAIN:
		return d;
	case DELTA_ABSOLUTE:
		return fabs(d);
	case DELTA_RELATIVE:
		return fabs(p.reference) > 0 ? d / fabs(p.reference) : NAN;
	case DELTA_LOG2:
		return !isnan(d) && p.attempt > 0 && p.reference > 0 ? log2(p.attempt / p.reference)
								     : NAN;
	case DELTA_SIGMA:
		return c->sigma && c->sigma[i] > 0 ? d / c->sigma[i] : NAN;
	}
	return NAN;
}
