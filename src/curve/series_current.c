/* series_current - which points of a series that was restarted count; see series.h. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "curve/series.h"

static int compare_x(const struct series *s, size_t a, size_t b)
{
	if (series_x_falls(s->axis, s->x[b], s->x[a]))
		return -1;
	if (series_x_falls(s->axis, s->x[a], s->x[b]))
		return 1;
	return a < b ? -1 : a > b;
}

/* Segments are ascending runs: merged pairwise they stay so. */
static void merge_runs(const struct series *s, size_t *a, size_t n_a, size_t n_all, size_t *scratch)
{
	size_t i = 0, j = n_a, k = 0;

	if (n_a == 0 || n_a == n_all || compare_x(s, a[n_a - 1], a[n_a]) <= 0)
		return;
	memcpy(scratch, a, n_a * sizeof *a);
	while (i < n_a && j < n_all) {
		if (compare_x(s, scratch[i], a[j]) <= 0)
			a[k++] = scratch[i++];
		else
			a[k++] = a[j++];
	}
	while (i < n_a)
		a[k++] = scratch[i++];
}

/* The lowest start of the segments after each one that supersede: points from there on are void. */
static void later_starts(const struct series *s, int64_t *limit, bool *limited)
{
	bool any = false;
	int64_t lowest = 0;

	for (size_t k = s->n_segments; k-- > 0;) {
		const struct segment *g = &s->segments[k];
		int64_t start = g->start;

		limit[k] = lowest;
		limited[k] = any;
		if (g->concurrent || k == 0 || !g->n)
			continue;
		if (series_x_falls(s->axis, start, s->x[g->first]))
			start = s->x[g->first];
		if (!any || series_x_falls(s->axis, lowest, start))
			lowest = start;
		any = true;
	}
}

/* The highest x before each segment: first wins keeps only what lies beyond. */
static void earlier_ends(const struct series *s, int64_t *limit, bool *limited)
{
	bool any = false;
	int64_t highest = 0;

	for (size_t k = 0; k < s->n_segments; k++) {
		const struct segment *g = &s->segments[k];
		int64_t end;

		limit[k] = highest;
		limited[k] = any && !g->concurrent;
		if (!g->n)
			continue;
		end = s->x[g->first + g->n - 1];
		if (!any || series_x_falls(s->axis, end, highest))
			highest = end;
		any = true;
	}
}

static bool point_is_current(
	const struct series *s, enum segment_policy policy, int64_t x, int64_t limit)
{
	if (policy == SEGMENT_LATEST_WINS)
		return series_x_falls(s->axis, limit, x);
	return series_x_falls(s->axis, x, limit);
}

size_t series_current(const struct series *s, enum segment_policy policy, size_t **out)
{
	size_t *points = xreallocarray(NULL, s->n + 1, sizeof *points);
	size_t *scratch = xreallocarray(NULL, s->n + 1, sizeof *scratch);
	int64_t *limit = xcalloc(s->n_segments + 1, sizeof *limit);
	bool *limited = xcalloc(s->n_segments + 1, sizeof *limited);
	size_t n = 0;

	if (policy == SEGMENT_LATEST_WINS)
		later_starts(s, limit, limited);
	if (policy == SEGMENT_FIRST_WINS)
		earlier_ends(s, limit, limited);
	for (size_t k = 0; k < s->n_segments; k++) {
		const struct segment *g = &s->segments[k];
		size_t before = n, end = g->first + g->n;

		for (size_t i = g->first; i < end; i++) {
			if (i + 1 < end && s->x[i] == s->x[i + 1])
				continue;
			if (limited[k] && !point_is_current(s, policy, s->x[i], limit[k]))
				continue;
			points[n++] = i;
		}
		merge_runs(s, points, before, n, scratch);
	}
	free(limited);
	free(limit);
	free(scratch);
	*out = points;
	return n;
}
