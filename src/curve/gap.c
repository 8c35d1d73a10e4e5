/* gap - differences and areas between two aligned curves. */
#include "config.h"

#include "curve/gap.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "curve/statistics.h"

/* Pairs, as columns or as they were aligned: long curves are not copied. */
struct pairs {
	const struct alignment *alignment;	/* or the three */
	const double *x, *reference, *attempt;
	size_t n;
};

struct pair { double x, reference, attempt; };

/* False when a value is not finite. */
static bool pair_at(struct pair *out, const struct pairs *p, size_t i)
{
	if (p->alignment) {
		struct align_values v = align_values_at(p->alignment, i);

		*out = (struct pair){ align_x_at(p->alignment, i), v.reference, v.attempt };
	} else {
		*out = (struct pair){ p->x[i], p->reference[i], p->attempt[i] };
	}
	return isfinite(out->reference) && isfinite(out->attempt);
}

/* Area under |d| between two points; two triangles where d crosses zero. */
static double area_between(double width, double d0, double d1)
{
	double a = fabs(d0), b = fabs(d1);

	if ((d0 < 0) == (d1 < 0) || a + b <= 0)
		return width * (a + b) / 2;
	return width * (a * a + b * b) / (2 * (a + b));
}

static void measure_last(struct gap *out, double r, double a)
{
	double d = a - r;

	out->last_relative_percent = 100 * d / fmax(fabs(r), GAP_EPS);
	out->last_symmetric_percent = fabs(a) + fabs(r) > 0 ? 200 * d / (fabs(a) + fabs(r)) : 0;
	out->last_log = a > 0 && r > 0 ? log(a / r) : NAN;
}

/* Everything that one walk gives; the length of the walk in *LENGTH. */
static void walk(struct gap *out, const struct pairs *pairs, double *length)
{
	struct pair p, before = { NAN, NAN, NAN };
	double first_x = NAN, sum = 0;

	for (size_t i = 0; i < pairs->n; i++) {
		double d, width, d0;

		if (!pair_at(&p, pairs, i)) {
			out->n_left_out++;
			continue;
		}
		d = p.attempt - p.reference;
		sum += fabs(d);
		if (!out->n || fabs(d) > out->max_abs) {
			out->max_abs = fabs(d);
			out->max_abs_x = p.x;
		}
		if (!out->n) {
			first_x = p.x;
			out->first = d;
		} else {
			width = p.x - before.x;
			d0 = before.attempt - before.reference;
			out->area += area_between(width, d0, d);
			out->signed_area += width * (d0 + d) / 2;
		}
		before = p;
		out->n++;
	}
	if (!out->n)
		return;
	*length = before.x - first_x;
	out->mean_abs = sum / (double)out->n;
	measure_last(out, before.reference, before.attempt);
}

struct ends { size_t hundredth, last; };

/* Pair number K of the finite ones. */
static void add_to_ends(struct gap *out, const struct ends *e, size_t k, const struct pair *p)
{
	double share = 1.0 / (double)e->hundredth, d = p->attempt - p->reference;

	if (k < e->hundredth)
		out->early += d * share;
	if (k + e->hundredth >= out->n)
		out->late += d * share;
	if (k + e->last >= out->n) {
		out->final_reference += p->reference / (double)e->last;
		out->final_attempt += p->attempt / (double)e->last;
	}
}

/* Means of the first and the last hundredth, and of the last few values. */
static void measure_ends(struct gap *out, const struct pairs *pairs)
{
	struct ends e = { out->n / 100 ? out->n / 100 : 1,
		out->n < GAP_FINAL_COUNT ? out->n : GAP_FINAL_COUNT };
	size_t most = e.hundredth > e.last ? e.hundredth : e.last, k = 0;
	struct pair p;

	out->early = out->late = out->final_reference = out->final_attempt = 0;
	for (size_t i = 0; i < pairs->n; i++) {
		/* When every pair counts, those in the middle need no look. */
		if (!out->n_left_out && i == e.hundredth && pairs->n > i + most)
			i = k = pairs->n - most;
		if (pair_at(&p, pairs, i))
			add_to_ends(out, &e, k++, &p);
	}
}

static double median_of_gaps(const struct gap *g, const struct pairs *pairs)
{
	double *d = xreallocarray(NULL, g->n, sizeof *d), median;
	struct pair p;
	size_t n = 0;

	for (size_t i = 0; i < pairs->n; i++)
		if (pair_at(&p, pairs, i))
			d[n++] = fabs(p.attempt - p.reference);
	median = median_of(d, n);
	free(d);
	return median;
}

static void set_unknown(struct gap *out)
{
	double *v[] = {
		&out->mean_abs,
		&out->median_abs,
		&out->max_abs,
		&out->max_abs_x,
		&out->first,
		&out->early,
		&out->late,
		&out->area_per_x,
		&out->signed_area_per_x,
		&out->final_reference,
		&out->final_attempt,
		&out->last_relative_percent,
		&out->last_symmetric_percent,
		&out->last_log,
	};

	for (size_t i = 0; i < ARRAY_LEN(v); i++)
		*v[i] = NAN;
}

static void measure(struct gap *out, const struct pairs *pairs)
{
	double length = 0;

	*out = (struct gap){ .n = 0 };
	set_unknown(out);
	walk(out, pairs, &length);
	if (!out->n)
		return;
	if (length > 0) {
		out->area_per_x = out->area / length;
		out->signed_area_per_x = out->signed_area / length;
	}
	measure_ends(out, pairs);
}

void gap_measure(
	struct gap *out, const double *x, const double *reference, const double *attempt, size_t n)
{
	struct pairs pairs = { .x = x, .reference = reference, .attempt = attempt, .n = n };

	measure(out, &pairs);
	if (out->n)
		out->median_abs = median_of_gaps(out, &pairs);
}

void gap_measure_pairs(struct gap *out, const struct alignment *al)
{
	measure(out, &(struct pairs){ .alignment = al, .n = al->n });
}

/* ---- the end of two curves ---------------------------------------------------------- */

/* Steps from the last one down; CURRENT is NULL where every point may be. */
struct backwards {
	const struct series *series;
	size_t *current;
	size_t n;		/* points left */
};

static struct backwards walk_back(const struct series *s)
{
	struct backwards b = { .series = s, .n = s->n };

	/* One segment ascends: of equal steps its last is met first, and is the current one. */
	if (s->n_segments > 1)
		b.n = series_current(s, SEGMENT_LATEST_WINS, &b.current);
	return b;
}

static size_t point_at_end(const struct backwards *b)
{
	return b->current ? b->current[b->n - 1] : b->n - 1;
}

static double gap_of_last(struct backwards *p, struct backwards *q)
{
	while (p->n && q->n) {
		size_t i = point_at_end(p), k = point_at_end(q);
		int64_t x = p->series->x[i], y = q->series->x[k];

		if (x == y) {
			double d = fabs(series_value(q->series, k) - series_value(p->series, i));

			return isfinite(d) ? d : NAN;
		}
		(x > y ? p : q)->n--;
	}
	return NAN;
}

double gap_at_end(const struct series *x, const struct series *y)
{
	struct backwards p, q;
	double d;

	if (x->axis != y->axis || !align_axis_exists(x, ALIGN_STEP))
		return NAN;
	p = walk_back(x);
	q = walk_back(y);
	d = gap_of_last(&p, &q);
	free(p.current);
	free(q.current);
	return d;
}

void gap_range_add(struct gap_range *r, double v)
{
	if (!isfinite(v))
		return;
	r->low = fmin(r->low, v);
	r->high = fmax(r->high, v);
	r->n++;
}
