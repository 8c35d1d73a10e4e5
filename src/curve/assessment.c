/* assessment - the figures behind the word; the sentences are in assessment_text.c. */
#include "config.h"

#include "curve/assessment.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/text.h"
#include "curve/assessment_private.h"
#include "curve/series_role.h"
#include "curve/statistics.h"

/* What two implementations of one step may be apart, relative. */
static const struct {
	const char *format;
	double relative;
} formats[] = {
	{ "fp64", 1e-10 },
	{ "fp32", 1e-5 },
	{ "tf32", 1e-3 },
	{ "bf16", 1e-2 },
	{ "fp16", 1e-2 },
};

enum { PHI_POINTS_MIN = 10, EARLY_POINTS_MIN = 5, BAND_SEEDS_MIN = 3 };
#define CUSUM_K 0.5
#define CUSUM_H 5
/* A logger that counts one row later leaves nothing; a run that learns more slowly
 * only comes closer. */
#define LAG_LEAVES 0.1
/* Nearly as far apart as before is no lag. */
#define LAG_IS_NONE 0.5

/* ---- the start --------------------------------------------------------------------- */

static double expected_of(const char *format)
{
	for (size_t i = 0; format && i < ARRAY_LEN(formats); i++)
		if (strcmp(formats[i].format, format) == 0)
			return formats[i].relative;
	return NAN;
}

static void look_at_start(struct assessment *s)
{
	const struct comparison *c = s->input.comparison;
	struct assessment_first *f = &s->first;
	struct align_pair p;

	*f = (struct assessment_first){ .expected = expected_of(s->input.precision) };
	if (!c->alignment.n)
		return;
	p = align_pair_at(&c->alignment, 0);
	if (!isfinite(p.reference) || !isfinite(p.attempt))
		return;
	f->key = p.key;
	f->x = p.x;
	f->reference = p.reference;
	f->attempt = p.attempt;
	f->relative = fabs(p.attempt - p.reference) / fmax(fabs(p.reference), GAP_EPS);
	if (!c->alignment.integer || p.key < 0 || p.key > 1)
		f->state = FIRST_TOO_LATE;
	else if (!s->input.same_start || isnan(f->expected))
		f->state = FIRST_NOT_JUDGED;
	else
		f->state = f->relative <= f->expected ? FIRST_AGREES : FIRST_DIFFERS;
}

/* ---- invariants -------------------------------------------------------------------- */

/* Logged by the training loop, not by the arithmetic. */
static bool is_invariant(const char *name)
{
	return series_is_learning_rate(name) || series_is_counter(name) ||
		strcmp(series_last_part(name), "epoch") == 0;
}

static void compare_invariant(struct assessment_invariant *v, const struct alignment *al)
{
	struct align_pair first;

	v->n = al->n;
	v->n_different = align_differing(al, &first);
	if (!v->n_different)
		return;
	v->first_step = first.key;
	v->reference = first.reference;
	v->attempt = first.attempt;
}

static void check_invariants(struct assessment *s, struct arena *a)
{
	const struct run_series *r = s->input.reference_run, *t = s->input.attempt_run;
	struct align_options exact = { .mode = ALIGN_EXACT };

	if (!r || !t)
		return;
	s->invariants = arena_alloc(a, (r->n + 1) * sizeof *s->invariants);
	for (size_t i = 0; i < r->n; i++) {
		const struct series *one = r->series[i], *other;
		struct assessment_invariant *v = &s->invariants[s->n_invariants];
		struct alignment al;

		if (one->axis != AXIS_STEP || !is_invariant(one->name))
			continue;
		other = run_series_find(t, one->name, AXIS_STEP);
		if (!other || align_series(&al, one, other, &exact) < 0) {
			err_clear();
			continue;
		}
		*v = (struct assessment_invariant){ .series = text_sanitised(a, one->name) };
		compare_invariant(v, &al);
		s->n_invariants += v->n > 0;
		alignment_release(&al);
	}
}

/* ---- the lag ---------------------------------------------------------------------------- */

/* The distance of neighbouring pairs where all have it; 0: they have not. */
static int64_t even_distance(const struct alignment *al)
{
	int64_t distance = 0;

	for (size_t i = 1; i < al->n; i++) {
		int64_t d, before = align_pair_at(al, i - 1).key;

		if (__builtin_sub_overflow(align_pair_at(al, i).key, before, &d) ||
			(distance && d != distance))
			return 0;
		distance = d;
	}
	return distance;
}

static void look_for_lag(struct assessment *s)
{
	const struct alignment *al = &s->input.comparison->alignment;
	int64_t rows;

	s->has_lag = !compare_is_few(s->input.comparison) &&
		align_series_lag(&s->lag, s->input.reference, s->input.attempt, &al->options);
	if (!s->has_lag)
		return;
	if (!(s->lag.median_abs <= LAG_IS_NONE * s->lag.median_abs_at_0)) {
		s->lag.lag = 0;
		s->lag.median_abs = s->lag.median_abs_at_0;
	}
	s->lag_is_whole =
		s->lag.lag && s->lag.median_abs <= LAG_LEAVES * s->lag.median_abs_at_0;
	if (!s->lag_is_whole || !al->integer ||
		(al->options.axis != ALIGN_STEP && al->options.axis != ALIGN_FROM_START))
		return;
	if (__builtin_mul_overflow(even_distance(al), -s->lag.lag, &rows) || !rows ||
		__builtin_add_overflow(al->options.shift, rows, &s->lag_shift))
		s->lag_shift = 0;
}

/* ---- differences ------------------------------------------------------------------- */

/* Points that swing around each other are no more than there are. */
static double at_most(double effective, size_t n)
{
	return effective > (double)n ? (double)n : effective;
}

/* The finite differences of the pairs FROM to TO. */
static size_t take_differences(double *out, const struct alignment *al, size_t from, size_t to)
{
	size_t n = 0;

	for (size_t i = from; i < to; i++) {
		struct align_values v = align_values_at(al, i);

		if (isfinite(v.reference) && isfinite(v.attempt))
			out[n++] = v.attempt - v.reference;
	}
	return n;
}

static void measure_differences(struct assessment *s)
{
	const struct comparison *c = s->input.comparison;
	size_t all = c->alignment.n, early = c->onset.n ? c->onset.pair : all;
	double *d = xreallocarray(NULL, all + 1, sizeof *d);
	size_t n = take_differences(d, &c->alignment, 0, early);

	if (n >= EARLY_POINTS_MIN)
		s->early_sigma = MAD_TO_SIGMA * mad_of(d, n) * c->options.scale;
	n += take_differences(d + n, &c->alignment, early, all);
	if (n >= PHI_POINTS_MIN) {
		s->phi = autocorrelation(d, n);
		s->n_effective = at_most(effective_size(n, s->phi), n);
	}
	free(d);
}

static void count_best_examples(struct assessment *s)
{
	const struct compare_options *o = &s->input.comparison->options;

	if (o->examples > 0 && o->decimals >= 0)
		s->best_examples = examples_gap(s->input.comparison->best_reference * o->scale,
			s->input.comparison->best_attempt * o->scale, o->decimals, o->examples);
}

/* ---- the reference against itself ---------------------------------------------------- */

/* Two runs of one seed are apart by no more than rounding, or they gate nothing. */
static void compare_same_seed(struct assessment *s, struct arena *a, size_t i, size_t k)
{
	const struct assessment_run *x = &s->input.references[i], *y = &s->input.references[k];
	struct compare_options o = s->input.comparison->options;
	struct comparison c;
	double apart;

	if (!*x->seed || strcmp(x->seed, y->seed) != 0)
		return;
	s->self.n_same_seed++;
	o.align.shift = 0;
	o.align.attempt_scale = o.align.reference_scale;
	if (compare_series(&c, x->series, y->series, &o) < 0) {
		err_clear();
		return;
	}
	apart = c.max_abs == SIZE_MAX
		? 0
		: fabs(compare_delta(&c, c.max_abs, DELTA_PLAIN)) * c.options.scale;
	if (c.alignment.n && c.verdict != COMPARE_MATCH && c.verdict != COMPARE_NOT_DECIDABLE &&
		(!s->self.cannot_gate || apart > s->self.apart)) {
		s->self.cannot_gate = true;
		s->self.seed = text_sanitised(a, x->seed);
		s->self.apart = apart;
	}
	comparison_release(&c);
}

static void measure_self(struct assessment *s, struct arena *a)
{
	const struct assessment_input *in = &s->input;
	double scale = in->comparison->options.scale;
	struct gap_range range = GAP_RANGE_INIT;

	for (size_t k = 0; k < in->n_references; k++) {
		if (!in->references[k].series || !in->references[k].series->n)
			continue;
		s->self.n_runs++;
		for (size_t i = 0; i < k; i++) {
			if (!in->references[i].series || !in->references[i].series->n)
				continue;
			gap_range_add(&range,
				scale * gap_at_end(in->references[i].series,
					in->references[k].series));
			compare_same_seed(s, a, i, k);
		}
	}
	s->self.n_pairs = range.n;
	s->self.low = range.low;
	s->self.high = range.high;
}

/* ---- several seeds ------------------------------------------------------------------- */

/* One value of a run: its best, or the one at the step of the last pair. */
static double value_of_run(const struct assessment *s, const struct series *x, bool attempt)
{
	const struct comparison *c = s->input.comparison;
	const struct alignment *al = &c->alignment;
	size_t *current = NULL, n = series_current(x, al->options.policy, &current);
	double v = NAN;
	int64_t key = al->n ? align_pair_at(al, al->n - 1).key : 0;

	if (attempt && al->integer)
		key -= al->options.shift;
	for (size_t i = 0; i < n; i++) {
		double y = series_value(x, current[i]);

		if (s->input.best_counts && c->options.direction)
			v = c->options.direction == BETTER_HIGHER ? fmax(v, y) : fmin(v, y);
		else if (al->options.axis != ALIGN_STEP ? i + 1 == n
							  : x->x[current[i]] == key)
			v = y;
	}
	free(current);
	return v * c->options.scale;
}

static bool is_one_sample(const struct assessment_run *x, const struct assessment_run *y)
{
	return (*x->seed && strcmp(x->seed, y->seed) == 0) ||
		(x->series && y->series && seed_is_copy(x->seed, x->series, y->seed, y->series));
}

/* Is run I no further sample of what seeds do, beside the earlier ones of its side? */
static bool is_seen(const struct assessment_run *runs, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (is_one_sample(&runs[k], &runs[i]))
			return true;
	return false;
}

static size_t take_values(double *out, const struct assessment *s,
	const struct assessment_run *runs, size_t n, bool attempt)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++) {
		double v;

		if (!runs[i].series || !runs[i].series->n || is_seen(runs, i))
			continue;
		v = value_of_run(s, runs[i].series, attempt);
		if (isfinite(v))
			out[kept++] = v;
	}
	return kept;
}

/* As shown: what the roundings of both logs may add to a gap, or take from it. */
static double resolution_of_gap(const struct comparison *c)
{
	double sum = c->options.resolution_reference + c->options.resolution_attempt;

	return isfinite(sum) ? sum * c->options.scale : 0;
}

static bool is_within_margin(const struct assessment *s)
{
	return s->seeds.interval.low >= -s->margin && s->seeds.interval.high <= s->margin;
}

/* Of A - R: what a run of the attempt may be apart from what the reference is. */
static void find_interval(struct assessment_seeds *e, enum better direction)
{
	e->interval = (struct interval){ NAN, NAN };
	if (e->n_reference >= 2 && e->n_attempt >= 2) {
		double sign = direction == BETTER_LOWER ? -1 : 1;
		double low = sign * e->welch.interval90.low,
		       high = sign * e->welch.interval90.high;

		e->level = 0.90;
		e->interval = (struct interval){ fmin(low, high), fmax(low, high) };
	} else if (e->n_reference >= BAND_SEEDS_MIN && e->n_attempt == 1) {
		struct seed_band b = seed_band(e->reference, (int)e->n_reference);

		e->level = 0.95;
		e->interval = (struct interval){ e->attempt[0] - b.mean - b.half,
			e->attempt[0] - b.mean + b.half };
	}
	/* What a log rounds away it rounds away in every seed. */
	e->interval.low -= e->resolution;
	e->interval.high += e->resolution;
}

/* The first x at which a run is as good as QUALITY (as logged); NaN: never. */
static double first_reaching(
	const struct series *x, enum segment_policy policy, double quality, enum better direction)
{
	size_t *current = NULL, n = series_current(x, policy, &current);
	double at = NAN;

	for (size_t i = 0; i < n && isnan(at); i++) {
		double y = series_value(x, current[i]);

		if (direction == BETTER_HIGHER ? y >= quality : y <= quality)
			at = series_x(x, current[i]);
	}
	free(current);
	return at;
}

static size_t take_convergence(double *out, const struct assessment *s,
	const struct assessment_run *runs, size_t n, double quality)
{
	const struct compare_options *o = &s->input.comparison->options;
	size_t kept = 0;

	for (size_t i = 0; i < n; i++) {
		double x;

		if (!runs[i].series || !runs[i].series->n || is_seen(runs, i))
			continue;
		x = first_reaching(runs[i].series, o->align.policy, quality, o->direction);
		if (isfinite(x))
			out[kept++] = x;
	}
	return kept;
}

/* The quality is the worst that a run of the reference ends with: all reach it. */
static void check_convergence(struct assessment *s, struct arena *a)
{
	const struct assessment_input *in = &s->input;
	struct assessment_seeds *e = &s->seeds;
	double scale = in->comparison->options.scale, *r, *t;
	enum better direction = in->comparison->options.direction;
	size_t nr, nt;

	e->quality = NAN;
	e->n_left_out = 0;
	if (!direction || e->n_attempt < 3 || e->n_reference < 2 * e->n_attempt)
		return;
	for (size_t i = 0; i < e->n_reference; i++)
		e->quality = direction == BETTER_HIGHER ? fmin(e->quality, e->reference[i])
							: fmax(e->quality, e->reference[i]);
	r = arena_alloc(a, in->n_references * sizeof *r);
	t = arena_alloc(a, in->n_attempts * sizeof *t);
	nr = take_convergence(r, s, in->references, in->n_references, e->quality / scale);
	nt = take_convergence(t, s, in->attempts, in->n_attempts, e->quality / scale);
	e->n_left_out = e->n_attempt > nt ? e->n_attempt - nt : 0;
	e->convergence = convergence_check(r, nr, t, nt);
}

static void measure_seeds(struct assessment *s, struct arena *a)
{
	const struct assessment_input *in = &s->input;
	struct assessment_seeds *e = &s->seeds;
	enum better direction = in->comparison->options.direction;

	e->reference = arena_alloc(a, (in->n_references + 1) * sizeof *e->reference);
	e->attempt = arena_alloc(a, (in->n_attempts + 1) * sizeof *e->attempt);
	e->n_reference = take_values(e->reference, s, in->references, in->n_references, false);
	e->n_attempt = take_values(e->attempt, s, in->attempts, in->n_attempts, true);
	e->welch = welch_compare(
		e->reference, e->n_reference, e->attempt, e->n_attempt, direction);
	e->equivalence = welch_equivalence(&e->welch, s->margin);
	e->resolution = resolution_of_gap(in->comparison);
	find_interval(e, direction);
	if (direction && s->margin > 0)
		e->suspiciously_better = direction == BETTER_HIGHER
			? e->interval.low > s->margin
			: e->interval.high < -s->margin;
	s->self.sd = sd_of(e->reference, e->n_reference);
	s->self.sd95 = sd_interval(s->self.sd, e->n_reference, 0.95);
	e->needed = seeds_needed(s->self.sd, s->margin);
	check_convergence(s, a);
}

/* ---- the band ------------------------------------------------------------------------ */

/* Standardised by the seeds; where the alarm is, sums only say where it began. */
static void locate(struct assessment_band *b, const struct series *attempt,
	enum segment_policy policy)
{
	size_t *current = NULL, n = series_current(attempt, policy, &current), i = 0, m = 0, at;
	double *r = xreallocarray(NULL, n + 1, sizeof *r);
	int64_t *x = xreallocarray(NULL, n + 1, sizeof *x);

	for (size_t j = 0; j < n; j++) {
		while (i < b->bands.n && b->bands.step[i] < attempt->x[current[j]])
			i++;
		if (i == b->bands.n || b->bands.step[i] != attempt->x[current[j]] ||
			!(b->bands.band[i].sd > 0))
			continue;
		r[m] = (series_value(attempt, current[j]) - b->bands.band[i].mean) /
			b->bands.band[i].sd;
		x[m++] = b->bands.step[i];
	}
	at = cusum_alarm(r, m, CUSUM_K, CUSUM_H);
	b->has_cusum = at != SIZE_MAX;
	b->cusum_step = b->has_cusum ? x[at] : 0;
	free(r);
	free(x);
	free(current);
}

static void measure_band(struct assessment *s, struct arena *a)
{
	const struct assessment_input *in = &s->input;
	const struct align_options *o = &in->comparison->alignment.options;
	struct assessment_band *b = &s->band;
	const struct series **all = arena_alloc(a, (in->n_references + 1) * sizeof *all);

	b->phi = b->n_effective = b->false_alarms = NAN;
	if (o->axis != ALIGN_STEP || o->shift)
		return;
	for (size_t i = 0; i < in->n_references; i++)
		if (in->references[i].series && in->references[i].series->n &&
			!is_seen(in->references, i))
			all[b->m++] = in->references[i].series;
	if (b->m < BAND_SEEDS_MIN)
		return;
	if (seed_bands(&b->bands, all, b->m, o->policy) < 0) {
		err_clear();
		b->m = 0;
		return;
	}
	b->phi = b->bands.phi;
	b->k = seed_alarm_points((int)b->m, b->phi);
	seed_band_alarm(&b->alarm, &b->bands, in->attempt, o->policy, b->k);
	b->n_effective = at_most(effective_size(b->alarm.n_compared, b->phi), b->alarm.n_compared);
	if (b->alarm.n_compared >= SEED_FALSE_ALARM_POINTS)
		b->false_alarms = seed_false_alarms(b->k, (int)b->m, b->phi);
	if (b->alarm.fired)
		locate(b, in->attempt, o->policy);
}

/* ---- the word ------------------------------------------------------------------------ */

static bool invariant_differs(const struct assessment *s)
{
	for (size_t i = 0; i < s->n_invariants; i++)
		if (s->invariants[i].n_different)
			return true;
	return false;
}

static enum seed_word find_word(const struct assessment *s)
{
	const struct assessment_seeds *e = &s->seeds;

	if (s->input.obstacle)
		return SEED_NOT_COMPARABLE;
	if (!s->input.comparison->n_finite)
		return SEED_NOT_MEASURED;
	if (invariant_differs(s) || s->first.state == FIRST_DIFFERS)
		return SEED_DIFFERS;
	/* None, or one that no double holds. */
	if (s->self.cannot_gate || !isfinite(e->interval.low) || !isfinite(e->interval.high) ||
		!(s->margin > 0))
		return SEED_NOT_DISTINGUISHABLE;
	if (e->interval.low > s->margin || e->interval.high < -s->margin)
		return SEED_DIFFERS;
	/* One run of the attempt shows a difference, never that there is none. */
	return e->n_attempt >= 2 && e->equivalence.equivalent && is_within_margin(s) ? SEED_AGREES
							       : SEED_NOT_DISTINGUISHABLE;
}

static void find_margin(struct assessment *s)
{
	const struct comparison *c = s->input.comparison;

	s->margin = s->input.margin;
	s->margin_is_default = s->input.margin_origin && *s->input.margin_origin;
	if (isnan(s->margin) && c->alignment.n && !(c->options.tolerance.k_sigma > 0))
		s->margin = compare_tolerance_at(c, c->alignment.n - 1) * c->options.scale;
}

void assessment_make(struct assessment *out, struct arena *a, const struct assessment_input *in)
{
	*out = (struct assessment){ .input = *in, .phi = NAN, .n_effective = NAN,
		.early_sigma = NAN, .reason = "" };
	find_margin(out);
	look_at_start(out);
	check_invariants(out, a);
	look_for_lag(out);
	gap_measure_pairs(&out->gap, &in->comparison->alignment);
	count_best_examples(out);
	measure_differences(out);
	assessment_find_events(out, a);
	measure_self(out, a);
	measure_seeds(out, a);
	measure_band(out, a);
	out->word = find_word(out);
	assessment_find_reason(out, a);
}

void assessment_release(struct assessment *s)
{
	seed_bands_release(&s->band.bands);
	s->band.m = 0;
}
