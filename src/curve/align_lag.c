/* align_lag - by how many rows one curve seems to be logged later than the other. */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/mem.h"
#include "curve/align.h"
#include "curve/statistics.h"

/* Nearby lags may come from a logger alone.  Farther ones are looked for on a sample of the
 * pairs and then held against all of them. */
enum {
	PAIRS_MIN = 3,
	NEAR_ROWS = 2,
	FAR_PAIRS_MIN = 10,
	SAMPLE_PAIRS = 256,
};
/* What a far lag leaves, at most, of what is there without it and one row beside it. */
#define FAR_LEAVES 0.1

/* The points at equal x: the row of R, and the value of A there. */
struct matched {
	const struct axis_points *r;
	size_t n, *row;
	double *attempt;
	double *d;			/* room for N differences */
};

static void matched_init(
	struct matched *m, const struct axis_points *r, const struct axis_points *a)
{
	size_t i = 0, j = 0;

	*m = (struct matched){ .r = r };
	m->row = xreallocarray(NULL, a->n + 1, sizeof *m->row);
	m->attempt = xreallocarray(NULL, a->n + 1, sizeof *m->attempt);
	m->d = xreallocarray(NULL, a->n + 1, sizeof *m->d);
	while (i < r->n && j < a->n) {
		if (r->key[i] < a->key[j]) {
			i++;
		} else if (r->key[i] > a->key[j]) {
			j++;
		} else {
			m->row[m->n] = i++;
			m->attempt[m->n++] = a->value[j++];
		}
	}
}

static void matched_release(struct matched *m)
{
	free(m->row);
	free(m->attempt);
	free(m->d);
}

/* A(i) - R(i - lag) of every STRIDEth pair, where both are there and finite; into m->d. */
static size_t differences(struct matched *m, int lag, size_t stride)
{
	size_t n = 0;

	for (size_t j = 0; j < m->n; j += stride) {
		size_t k = m->row[j] - (size_t)lag;	/* wraps to a large number below 0 */

		if (k < m->r->n && isfinite(m->r->value[k]) && isfinite(m->attempt[j]))
			m->d[n++] = m->attempt[j] - m->r->value[k];
	}
	return n;
}

/* The median of |A(i) - R(i - lag)|; NaN with fewer than MIN pairs. */
static double median_at(struct matched *m, int lag, size_t stride, size_t min)
{
	size_t n = differences(m, lag, stride);

	if (n < min)
		return NAN;
	for (size_t i = 0; i < n; i++)
		m->d[i] = fabs(m->d[i]);
	return median_of(m->d, n);
}

static int search_rows(size_t n)
{
	return n / 4 < LAG_ROWS_MAX ? (int)(n / 4) : LAG_ROWS_MAX;
}

/* The best of the lags that are farther than NEAR_ROWS, by a sample; 0: none. */
static int far_candidate(struct matched *m)
{
	size_t stride = (m->n + SAMPLE_PAIRS - 1) / SAMPLE_PAIRS;
	double least = INFINITY;
	int best = 0;

	for (int rows = NEAR_ROWS + 1; rows <= search_rows(m->n); rows++) {
		for (int lag = rows; lag >= -rows; lag -= 2 * rows) {
			double median = median_at(m, lag, stride, FAR_PAIRS_MIN);

			if (median < least) {
				least = median;
				best = lag;
			}
		}
	}
	return best;
}

/*
 * Of a curve that only falls, some shift is always nearer than none.  A far lag is believed
 * where it leaves next to nothing, where one row more or less leaves far more, and where
 * what is apart without it is no constant, which would explain it as well.
 */
static bool is_far_lag(struct matched *m, int lag, double median)
{
	size_t n = differences(m, 0, 1);
	double scatter = mad_of(m->d, n);

	return scatter > 0 && median <= FAR_LEAVES * scatter &&
		median <= FAR_LEAVES * median_at(m, lag - 1, 1, FAR_PAIRS_MIN) &&
		median <= FAR_LEAVES * median_at(m, lag + 1, 1, FAR_PAIRS_MIN);
}

static void look_far(struct matched *m, struct align_lag *out)
{
	int lag = far_candidate(m);
	double median = lag ? median_at(m, lag, 1, FAR_PAIRS_MIN) : NAN;

	if (median < out->median_abs && is_far_lag(m, lag, median)) {
		out->lag = lag;
		out->median_abs = median;
	}
}

bool align_find_lag(const struct axis_points *reference, const struct axis_points *attempt,
	struct align_lag *out)
{
	static const int near[] = { 1, -1, 2, -2 };
	struct matched m;
	double median;

	matched_init(&m, reference, attempt);
	median = median_at(&m, 0, 1, PAIRS_MIN);
	*out = (struct align_lag){ 0, median, median, NEAR_ROWS };
	for (size_t i = 0; !isnan(median) && i < ARRAY_LEN(near); i++) {
		double there = median_at(&m, near[i], 1, PAIRS_MIN);

		if (there < out->median_abs) {
			out->lag = near[i];
			out->median_abs = there;
		}
	}
	if (out->median_abs > 0 && search_rows(m.n) > NEAR_ROWS) {
		out->searched = search_rows(m.n);
		look_far(&m, out);
	}
	matched_release(&m);
	return !isnan(median);
}

/* The first LIMIT points of a curve of one segment, whose columns are borrowed. */
static const struct series *beginning_of(
	struct series *cut, struct segment *only, const struct series *s, size_t limit)
{
	if (s->n <= limit || s->n_segments > 1)
		return s;
	*cut = *s;
	cut->n = limit;
	*only = s->segments[0];
	only->n = limit;
	cut->segments = only;
	return cut;
}

bool align_series_lag(struct align_lag *out, const struct series *reference,
	const struct series *attempt, const struct align_options *options)
{
	const struct align_options *o = options;
	struct axis_points r = { .n = 0 }, a = { .n = 0 };
	struct series cut_r, cut_a;
	struct segment only_r, only_a;
	bool found = false;

	reference = beginning_of(&cut_r, &only_r, reference, LAG_POINTS_MAX);
	attempt = beginning_of(&cut_a, &only_a, attempt, LAG_POINTS_MAX);
	if (align_axis_points_scaled(&r, reference, o->axis, o->policy, &o->reference_scale) == 0 &&
		align_axis_points_scaled(&a, attempt, o->axis, o->policy, &o->attempt_scale) == 0) {
		align_shift_points(&a, o->shift);
		found = align_find_lag(&r, &a, out);
	} else {
		err_clear();	/* an axis that one of them lacks has no lag */
	}
	axis_points_release(&r);
	axis_points_release(&a);
	return found;
}
