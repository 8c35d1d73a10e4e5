/* series_summary - see series_summary.h. */
#include "config.h"

#include "curve/series_summary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- summing up ------------------------------------------------------------------- */

static void take(struct series_summary *out, const struct series *s, size_t i, double *sum,
	double *rest)
{
	double x = series_x(s, i), value = series_value(s, i), y, t;
	int64_t step = series_axis_is_whole(s->axis) ? s->x[i] : 0;

	if (!out->count++) {
		out->first = value;
		out->first_x = x;
		out->first_step = step;
	}
	out->last = value;
	out->last_x = x;
	out->last_step = step;
	if (!isfinite(value)) {
		out->non_finite++;
		return;
	}
	if (!(out->min <= value)) {
		out->min = value;
		out->min_x = x;
		out->min_step = step;
	}
	if (!(out->max >= value)) {
		out->max = value;
		out->max_x = x;
		out->max_step = step;
	}
	/* What a long sum would lose is carried along. */
	y = value - *rest;
	t = *sum + y;
	*rest = (t - *sum) - y;
	*sum = t;
}

void series_summarise(struct series_summary *out, const struct series *s, double until_x)
{
	size_t *points = NULL, n = series_current(s, SEGMENT_LATEST_WINS, &points);
	double sum = 0, rest = 0;

	*out = (struct series_summary){ .name = s->name, .axis = s->axis, .first = NAN,
		.last = NAN, .min = NAN, .max = NAN, .mean = NAN, .first_x = NAN, .last_x = NAN,
		.min_x = NAN, .max_x = NAN };
	for (size_t i = 0; i < n; i++)
		if (!(series_x(s, points[i]) > until_x))
			take(out, s, points[i], &sum, &rest);
	if (out->count > out->non_finite)
		out->mean = sum / (double)(out->count - out->non_finite);
	free(points);
}

bool series_value_at(double *out, const struct series *s, double x)
{
	size_t *points = NULL, n = series_current(s, SEGMENT_LATEST_WINS, &points);
	bool found = false;

	for (size_t i = 0; i < n; i++)
		if (series_x(s, points[i]) == x) {
			*out = series_value(s, points[i]);
			found = true;
		}
	free(points);
	return found;
}

/* ---- as bytes ----------------------------------------------------------------------- */

/* Bits in the order of this machine: the bytes never leave it. */
struct record {
	int64_t axis, count, non_finite;
	double first, last, min, max, mean, first_x, last_x, min_x, max_x;
	int64_t first_step, last_step, min_step, max_step;
	uint64_t name_n;
};

void series_summaries_write(struct buf *out, const struct series_summary *list, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct series_summary *s = &list[i];
		struct record r = { (int64_t)s->axis, s->count, s->non_finite, s->first, s->last,
			s->min, s->max, s->mean, s->first_x, s->last_x, s->min_x, s->max_x,
			s->first_step, s->last_step, s->min_step, s->max_step,
			strlen(s->name) };

		buf_add(out, (const char *)&r, sizeof r);
		buf_add(out, s->name, r.name_n);
	}
}

bool series_summaries_read(
	struct series_summary **list, size_t *n, struct arena *a, const char *bytes, size_t n_bytes)
{
	struct series_summary *heap = NULL;
	size_t at = 0, cap = 0;

	*n = 0;
	while (n_bytes - at >= sizeof(struct record)) {
		struct record r;

		memcpy(&r, bytes + at, sizeof r);
		if (r.name_n > n_bytes - at - sizeof r || r.axis < 0 || r.axis > AXIS_EVAL_STEP)
			break;
		at += sizeof r;
		ARRAY_GROW(heap, *n, cap);
		heap[(*n)++] = (struct series_summary){
			.name = arena_strndup(a, bytes + at, r.name_n),
			.axis = (enum axis)r.axis, .count = r.count, .non_finite = r.non_finite,
			.first = r.first, .last = r.last, .min = r.min, .max = r.max,
			.mean = r.mean, .first_x = r.first_x, .last_x = r.last_x,
			.min_x = r.min_x, .max_x = r.max_x, .first_step = r.first_step,
			.last_step = r.last_step, .min_step = r.min_step,
			.max_step = r.max_step };
		at += r.name_n;
	}
	*list = arena_memdup(a, heap, *n * sizeof *heap);
	free(heap);
	return at == n_bytes;
}
