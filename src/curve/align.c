/* align - the five ways of pairing two curves. */
#include "config.h"

#include "curve/align.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"

#define SAME_RELATIVE 1e-6

/* Both curves and the result while they are paired. */
struct pairing {
	const struct axis_points *r, *a;
	struct alignment *out;
	bool integer;
};

/* Distance of two keys; exact for steps, and never an overflow. */
static double distance(const struct pairing *p, size_t r, size_t a)
{
	uint64_t rk = (uint64_t)p->r->key[r], ak = (uint64_t)p->a->key[a];

	if (!p->integer)
		return fabs(p->r->x[r] - p->a->x[a]);
	return (double)(p->r->key[r] < p->a->key[a] ? ak - rk : rk - ak);
}

static struct align_pair *add_pair(struct pairing *p, size_t a)
{
	struct align_pair *pair = &p->out->pairs[p->out->n++];

	*pair = (struct align_pair){
		.key = p->a->key[a], .x = p->a->x[a], .attempt = p->a->value[a],
		.attempt_point = p->a->point[a], .attempt_segment = p->a->segment[a],
	};
	return pair;
}

static void pair_with(struct pairing *p, size_t r, size_t a)
{
	struct align_pair *pair = add_pair(p, a);

	pair->reference = p->r->value[r];
	pair->reference_point = p->r->point[r];
	pair->reference_segment = p->r->segment[r];
}

static void align_exact(struct pairing *p)
{
	size_t r = 0, a = 0;

	while (r < p->r->n && a < p->a->n) {
		if (p->r->key[r] < p->a->key[a])
			r++;
		else if (p->r->key[r] > p->a->key[a])
			a++;
		else
			pair_with(p, r++, a++);
	}
	p->out->unmatched_reference = (int64_t)(p->r->n - p->out->n);
}

/* Number of R points with a key at or below that of A; R is the last answer. */
static size_t advance_to(const struct pairing *p, size_t r, size_t a)
{
	while (r < p->r->n && p->r->key[r] <= p->a->key[a])
		r++;
	return r;
}

static void align_nearest(struct pairing *p)
{
	double limit = p->out->options.nearest_max;
	size_t r = 0;

	for (size_t a = 0; a < p->a->n && p->r->n; a++) {
		size_t best;

		r = advance_to(p, r, a);
		best = r ? r - 1 : 0;
		if (r && r < p->r->n && distance(p, r, a) < distance(p, best, a))
			best = r;
		if (distance(p, best, a) <= limit)
			pair_with(p, best, a);
	}
}

static void align_hold(struct pairing *p)
{
	size_t r = 0;

	for (size_t a = 0; a < p->a->n && p->r->n; a++) {
		r = advance_to(p, r, a);
		if (r && p->a->key[a] <= p->r->key[p->r->n - 1])
			pair_with(p, r - 1, a);
	}
}

static void interpolate(struct pairing *p, size_t r, size_t a)
{
	double y0 = p->r->value[r], y1 = p->r->value[r + 1];
	double width = (double)((uint64_t)p->r->key[r + 1] - (uint64_t)p->r->key[r]);
	struct align_pair *pair;

	if (p->r->segment[r] != p->r->segment[r + 1] || !isfinite(y0) || !isfinite(y1))
		return;
	if (!p->integer)
		width = p->r->x[r + 1] - p->r->x[r];
	pair = add_pair(p, a);
	pair->reference = y0 + (y1 - y0) * distance(p, r, a) / width;
	pair->reference_point = SIZE_MAX;
	pair->reference_segment = p->r->segment[r];
}

static void align_linear(struct pairing *p)
{
	size_t r = 0;

	for (size_t a = 0; a < p->a->n && p->r->n; a++) {
		r = advance_to(p, r, a);
		if (!r)
			continue;
		if (p->r->key[r - 1] == p->a->key[a])
			pair_with(p, r - 1, a);
		else if (r < p->r->n)
			interpolate(p, r - 1, a);
	}
}

/* One side of the window mode: the mean since the last common border. */
struct window {
	const struct series *series;
	const struct axis_points *points;
	double sum, weight, last;
};

/* Steps that row I is the mean of: since the row before, 0, or the restart. */
static double row_weight(const struct window *w, size_t i)
{
	const struct axis_points *p = w->points;
	double since = i ? p->x[i - 1] : 0;

	if (i && p->segment[i] != p->segment[i - 1] && p->integer) {
		double start = (double)w->series->segments[p->segment[i]].start;

		if (start < p->x[i] && start > since)
			since = start;
	}
	return p->x[i] - since;
}

static void window_add(struct window *w, size_t i)
{
	double weight = row_weight(w, i);

	w->last = w->points->value[i];
	if (!(weight > 0))
		return;
	w->sum += weight * w->last;
	w->weight += weight;
}

static double window_close(struct window *w)
{
	double mean = w->weight > 0 ? w->sum / w->weight : w->last;

	w->sum = w->weight = 0;
	return mean;
}

static void align_window(
	struct pairing *p, const struct series *reference, const struct series *attempt)
{
	struct window wr = { .series = reference, .points = p->r };
	struct window wa = { .series = attempt, .points = p->a };
	size_t r = 0, a = 0;

	while (r < p->r->n && a < p->a->n) {
		if (p->r->key[r] < p->a->key[a]) {
			window_add(&wr, r++);
		} else if (p->r->key[r] > p->a->key[a]) {
			window_add(&wa, a++);
		} else {
			struct align_pair *pair;

			window_add(&wr, r);
			window_add(&wa, a);
			pair_with(p, r++, a++);
			pair = &p->out->pairs[p->out->n - 1];
			pair->reference = window_close(&wr);
			pair->attempt = window_close(&wa);
		}
	}
}

void align_shift_points(struct axis_points *p, int64_t shift)
{
	if (!shift)
		return;
	for (size_t i = 0; i < p->n; i++) {
		if (__builtin_add_overflow(p->key[i], shift, &p->key[i]))
			p->key[i] = shift > 0 ? INT64_MAX : INT64_MIN;
		p->x[i] = (double)p->key[i];
	}
}

static size_t count_inside(const struct axis_points *p, double low, double high)
{
	size_t n = 0;

	for (size_t i = 0; i < p->n; i++)
		n += p->x[i] >= low && p->x[i] <= high;
	return n;
}

/* False when the ranges FIRST..LAST of both sides do not meet. */
static bool find_overlap(struct alignment *out, double r0, double r1, double a0, double a1)
{
	out->first_x = fmax(r0, a0);
	out->last_x = fmin(r1, a1);
	out->coverage = out->span = 0;
	if (out->last_x < out->first_x) {
		out->first_x = out->last_x = NAN;
		return false;
	}
	out->span = (out->last_x - out->first_x) / (fmax(r1, a1) - fmin(r0, a0));
	if (isnan(out->span))
		out->span = 1;	/* one and the same x */
	return true;
}

static void set_coverage(struct alignment *out, size_t nr, size_t na)
{
	out->coverage = nr && na ? (double)out->n / (double)(nr < na ? nr : na) : 0;
}

static double covered_by_windows(const struct alignment *out)
{
	double whole = out->last_x - out->first_x;

	if (!out->n)
		return 0;
	/* The first window begins before the first border. */
	return whole > 0 ? (out->pairs[out->n - 1].x - out->first_x) / whole : 1;
}

static void measure_overlap(struct pairing *p)
{
	const struct axis_points *r = p->r, *a = p->a;
	struct alignment *out = p->out;

	if (!r->n || !a->n ||
		!find_overlap(out, r->x[0], r->x[r->n - 1], a->x[0], a->x[a->n - 1]))
		return;
	if (out->options.mode == ALIGN_WINDOW)
		out->coverage = covered_by_windows(out);
	else
		set_coverage(out, count_inside(r, out->first_x, out->last_x),
			count_inside(a, out->first_x, out->last_x));
}

/* One segment of rising steps, of which every point is current. */
static bool is_plain(const struct series *s)
{
	if (s->axis != AXIS_STEP || s->n_segments > 1)
		return false;
	for (size_t i = 1; i < s->n; i++)
		if (s->x[i] <= s->x[i - 1])
			return false;
	return true;
}

static size_t count_steps_inside(const struct series *s, double low, double high)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++)
		n += (double)s->x[i] >= low && (double)s->x[i] <= high;
	return n;
}

struct align_pair align_pair_at(const struct alignment *al, size_t i)
{
	size_t r = al->reference_first + i, a = al->attempt_first + i;

	if (al->pairs)
		return al->pairs[i];
	/* A series that was cleared since has no such point any more. */
	if (r >= al->reference->n || a >= al->attempt->n)
		return (struct align_pair){ .reference = NAN, .attempt = NAN };
	return (struct align_pair){
		.key = al->attempt->x[a],
		.x = (double)al->attempt->x[a],
		.reference = series_value(al->reference, r),
		.attempt = series_value(al->attempt, a),
		.reference_point = r,
		.attempt_point = a,
	};
}

/* True when from the first common step on every step is in both, to the end of
 * one of them; then nothing is copied. */
static bool align_in_step(struct alignment *out, const struct series *r, const struct series *a)
{
	size_t i = 0, j = 0, n;

	while (i < r->n && j < a->n && r->x[i] != a->x[j])
		*(r->x[i] < a->x[j] ? &i : &j) += 1;
	n = r->n - i < a->n - j ? r->n - i : a->n - j;
	if (n < ALIGN_PAIRS_MIN || memcmp(&r->x[i], &a->x[j], n * sizeof *r->x) != 0)
		return false;
	out->reference = r;
	out->attempt = a;
	out->reference_first = i;
	out->attempt_first = j;
	out->n = n;
	return true;
}

/* Exact pairs of two plain series, without copies of their columns. */
static void pair_steps(struct alignment *out, const struct series *r, const struct series *a)
{
	size_t i = 0, j = 0;

	out->pairs = xreallocarray(NULL, (r->n < a->n ? r->n : a->n) + 1, sizeof *out->pairs);
	while (i < r->n && j < a->n) {
		if (r->x[i] < a->x[j]) {
			i++;
		} else if (r->x[i] > a->x[j]) {
			j++;
		} else {
			out->pairs[out->n++] = (struct align_pair){
				.key = a->x[j], .x = (double)a->x[j],
				.reference = series_value(r, i), .attempt = series_value(a, j),
				.reference_point = i, .attempt_point = j,
			};
			i++;
			j++;
		}
	}
}

static void align_plain(struct alignment *out, const struct series *r, const struct series *a)
{
	if (!align_in_step(out, r, a))
		pair_steps(out, r, a);
	out->unmatched_reference = (int64_t)(r->n - out->n);
	out->unmatched_attempt = (int64_t)(a->n - out->n);
	if (r->n && a->n && find_overlap(out, (double)r->x[0], (double)r->x[r->n - 1],
			(double)a->x[0], (double)a->x[a->n - 1]))
		set_coverage(out, count_steps_inside(r, out->first_x, out->last_x),
			count_steps_inside(a, out->first_x, out->last_x));
}

static bool can_align_plain(
	const struct series *r, const struct series *a, const struct align_options *o)
{
	return o->mode == ALIGN_EXACT && o->axis == ALIGN_STEP && !o->shift && is_plain(r) &&
		is_plain(a);
}

static int check_options(
	const struct series *r, const struct series *a, const struct align_options *o)
{
	bool steps = o->axis == ALIGN_STEP || o->axis == ALIGN_FROM_START;

	if (o->axis == ALIGN_WALL)
		return err_set(ERR_USAGE,
			"runs are not compared by the clock on the wall; choose step, epoch or time");
	if (steps && r->axis != a->axis && align_axis_exists(r, o->axis) &&
		align_axis_exists(a, o->axis))
		return err_set(ERR_STATE,
			"series %s counts training steps in one run and something else in the other",
			r->name);
	if (o->evaluation && (o->mode == ALIGN_LINEAR || o->mode == ALIGN_WINDOW))
		return err_set(ERR_USAGE,
			"%s is measured by evaluations, and between two of them there is no value: it is never interpolated; "
			"align exact or nearest",
			r->name);
	if (o->shift && !steps)
		return err_set(
			ERR_USAGE, "a shift is in steps; the axis is %s", align_axis_name(o->axis));
	if (o->mode == ALIGN_NEAREST && !(o->nearest_max >= 0))
		return err_set(ERR_USAGE,
			"the largest distance of a nearest point is not a number from 0 on");
	return 0;
}

static void run_mode(
	struct pairing *p, const struct series *reference, const struct series *attempt)
{
	p->out->unmatched_reference = -1;
	switch (p->out->options.mode) {
	case ALIGN_EXACT:
		align_exact(p);
		break;
	case ALIGN_NEAREST:
		align_nearest(p);
		break;
	case ALIGN_HOLD:
		align_hold(p);
		break;
	case ALIGN_LINEAR:
		align_linear(p);
		break;
	case ALIGN_WINDOW:
		align_window(p, reference, attempt);
		p->out->unmatched_attempt = -1;
		return;
	}
	p->out->unmatched_attempt = (int64_t)(p->a->n - p->out->n);
}

int align_series(struct alignment *out, const struct series *reference,
	const struct series *attempt, const struct align_options *options)
{
	struct axis_points r = { .n = 0 }, a = { .n = 0 };
	struct pairing p = { .r = &r, .a = &a, .out = out };
	int rc;

	*out = (struct alignment){
		.options = *options, .first_x = NAN, .last_x = NAN, .coverage = NAN, .span = NAN,
	};
	rc = check_options(reference, attempt, options);
	if (!rc && can_align_plain(reference, attempt, options)) {
		out->integer = true;
		out->n_reference = reference->n;
		out->n_attempt = attempt->n;
		align_plain(out, reference, attempt);
		return 0;
	}
	if (!rc)
		rc = align_axis_points_scaled(&r, reference, options->axis, options->policy,
			&options->reference_scale);
	if (!rc)
		rc = align_axis_points_scaled(&a, attempt, options->axis, options->policy,
			&options->attempt_scale);
	if (!rc) {
		align_shift_points(&a, options->shift);
		p.integer = out->integer = r.integer;
		out->n_reference = r.n;
		out->n_attempt = a.n;
		out->n_unplaced_reference = r.n_unplaced;
		out->n_unplaced_attempt = a.n_unplaced;
		out->pairs = xreallocarray(NULL, a.n + 1, sizeof *out->pairs);
		run_mode(&p, reference, attempt);
		measure_overlap(&p);
	}
	axis_points_release(&r);
	axis_points_release(&a);
	return rc;
}

void alignment_release(struct alignment *al)
{
	free(al->pairs);
	al->pairs = NULL;
	al->n = 0;
}

static bool is_same(struct align_values v)
{
	double r = v.reference, a = v.attempt;

	if (isfinite(r) && isfinite(a))
		return fabs(r - a) <= SAME_RELATIVE * fmax(fabs(r), fabs(a));
	return (isnan(r) && isnan(a)) || (isinf(r) && isinf(a) && (r > 0) == (a > 0));
}

size_t align_differing(const struct alignment *al, struct align_pair *first)
{
	size_t n = 0;

	for (size_t i = 0; i < al->n; i++)
		if (!is_same(align_values_at(al, i)) && !n++)
			*first = align_pair_at(al, i);
	return n;
}
