/* compare - tolerance, first point out, and the verdict over aligned pairs. */
#include "config.h"

#include "curve/compare.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "curve/compare_private.h"
#include "curve/statistics.h"

enum { TAIL_POINTS_MIN = 3 };

static bool both_finite(struct align_values v)
{
	return isfinite(v.reference) && isfinite(v.attempt);
}

/* NaN with NaN, or an infinity with the same one. */
static bool same_nonfinite(struct align_values v)
{
	if (isnan(v.reference) || isnan(v.attempt))
		return isnan(v.reference) && isnan(v.attempt);
	return isinf(v.reference) && isinf(v.attempt) && (v.reference > 0) == (v.attempt > 0);
}

/* Without a relative part a reference of NaN leaves the tolerance known. */
static double tolerance_at(const struct comparison *c, size_t i, double reference)
{
	const struct tolerance *t = &c->options.tolerance;

	if (t->k_sigma > 0)
		return t->k_sigma * c->sigma[i];
	return t->rtol > 0 ? t->atol + t->rtol * fabs(reference) : t->atol;
}

double compare_tolerance_at(const struct comparison *c, size_t i)
{
	return tolerance_at(c, i, align_values_at(&c->alignment, i).reference);
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

/* Sums with Neumaier's correction: a million small differences keep their bias. */
struct sum { double total, rest; };

static void sum_add(struct sum *s, double v)
{
	double t = s->total + v;

	s->rest += fabs(s->total) >= fabs(v) ? (s->total - t) + v : (v - t) + s->total;
	s->total = t;
}

/* What one walk over the pairs gathers. */
struct walk {
	struct sum bias, absolute;
	double most;			/* |d| of c->max_abs */
	double *apart;			/* |d| of the finite pairs */
	size_t run, longest_end;	/* points out in a row, now; the last of the longest */
};

static double better(double a, double b, enum better direction)
{
	return direction == BETTER_HIGHER ? fmax(a, b) : fmin(a, b);
}

static void measure_pair(struct comparison *c, struct walk *w, size_t i, struct align_values v,
	double tolerance)
{
	double d = v.attempt - v.reference, apart = fabs(d);

	w->apart[c->n_finite++] = apart;
	sum_add(&w->bias, d);
	sum_add(&w->absolute, apart);
	c->n_without_tolerance += isnan(tolerance);
	c->n_at_resolution += apart <= c->resolution && c->resolution > tolerance;
	c->n_above += d > 0;
	c->n_below += d < 0;
	c->n_equal += !(d > 0) && !(d < 0);
	if (apart > w->most) {
		w->most = apart;
		c->max_abs = i;
	}
	if (c->options.direction == BETTER_NONE)
		return;
	c->best_reference = better(c->best_reference, v.reference, c->options.direction);
	c->best_attempt = better(c->best_attempt, v.attempt, c->options.direction);
}

/* Inside or out, the first out, and the longest run of points out. */
static void judge_pair(struct comparison *c, struct walk *w, size_t i)
{
	struct align_values v = align_values_at(&c->alignment, i);
	double tolerance = tolerance_at(c, i, v.reference);

	if (both_finite(v)) {
		c->inside[i] = fabs(v.attempt - v.reference) <= tolerance;
		measure_pair(c, w, i, v, tolerance);
	} else {
		c->inside[i] = same_nonfinite(v);
		c->n_nonfinite_pairs++;
		c->n_nonfinite_equal += c->inside[i];
	}
	c->n_inside += c->inside[i];
	w->run = c->inside[i] ? 0 : w->run + 1;
	if (w->run == 1 && c->first_out == SIZE_MAX)
		c->first_out = i;
	if (w->run > c->longest_out.n) {
		c->longest_out.n = w->run;
		w->longest_end = i;
	}
}

static void finish_walk(struct comparison *c, struct walk *w)
{
	struct compare_run *longest = &c->longest_out;
	struct align_pair first, last;

	c->has_first_out = c->first_out != SIZE_MAX;
	if (c->has_first_out) {
		first = align_pair_at(&c->alignment, c->first_out);
		c->first_out_x = first.x;
		c->first_out_key = first.key;
		first = align_pair_at(&c->alignment, w->longest_end + 1 - longest->n);
		last = align_pair_at(&c->alignment, w->longest_end);
		*longest = (struct compare_run){ first.key, last.key, first.x, last.x, longest->n };
	}
	if (c->n_finite) {
		c->bias = (w->bias.total + w->bias.rest) / (double)c->n_finite;
		c->mean_abs = (w->absolute.total + w->absolute.rest) / (double)c->n_finite;
		c->median_abs = median_of(w->apart, c->n_finite);
	}
	free(w->apart);
}

static void judge_pairs(struct comparison *c)
{
	struct walk w = { .most = 0 };

	c->first_out = c->max_abs = SIZE_MAX;
	c->first_out_x = NAN;
	c->bias = c->mean_abs = c->median_abs = c->best_reference = c->best_attempt = NAN;
	c->inside = xcalloc(c->alignment.n + 1, 1);
	w.apart = xreallocarray(NULL, c->alignment.n + 1, sizeof *w.apart);
	for (size_t i = 0; i < c->alignment.n; i++)
		judge_pair(c, &w, i);
	finish_walk(c, &w);
	find_onset(c);
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
	struct align_values last;
	double scale = c->options.scale;

	c->final = c->final_reference = c->final_attempt = NAN;
	c->worse = SIDE_UNKNOWN;
	if (!c->alignment.n)
		return;
	last = align_values_at(&c->alignment, c->alignment.n - 1);
	c->final_reference = last.reference;
	c->final_attempt = last.attempt;
	c->final = both_finite(last) ? last.attempt - last.reference : NAN;
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
	/* The same NaN on both sides shows that nothing was measured, not that it is right. */
	if ((!c->n_finite && c->n_inside == n) || 2 * c->n_at_resolution >= n ||
		2 * c->n_without_tolerance >= n)
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
	measure_final(out);
	out->verdict = find_verdict(out);
	return 0;
}

double compare_delta(const struct comparison *c, size_t i, enum delta_mode mode)
{
	struct align_values p = align_values_at(&c->alignment, i);
	double d = both_finite(p) ? p.attempt - p.reference : NAN;

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

/* Of log2 A/R: how far the side of A goes, which is not how far the other one does. */
static double tolerance_of_ratio(struct align_values p, double tolerance)
{
	double edge = p.attempt < p.reference ? -tolerance : tolerance;

	if (!(p.reference > 0) || !(p.reference + edge > 0))
		return NAN;
	return fabs(log2((p.reference + edge) / p.reference));
}

double compare_tolerance_in(const struct comparison *c, size_t i, enum delta_mode mode)
{
	struct align_values p = align_values_at(&c->alignment, i);
	double tolerance = tolerance_at(c, i, p.reference);

	switch (mode) {
	case DELTA_PLAIN:
	case DELTA_ABSOLUTE:
		return tolerance;
	case DELTA_RELATIVE:
		return fabs(p.reference) > 0 ? tolerance / fabs(p.reference) : NAN;
	case DELTA_LOG2:
		return tolerance_of_ratio(p, tolerance);
	case DELTA_SIGMA:
		return c->sigma && c->sigma[i] > 0 ? tolerance / c->sigma[i] : NAN;
	}
	return NAN;
}

bool compare_is_few(const struct comparison *c)
{
	return c->alignment.n < COMPARE_POINTS_FEW;
}
