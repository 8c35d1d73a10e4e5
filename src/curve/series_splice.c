/* series_splice - puts the points of one file into the columns of a run. */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "curve/series.h"

/* Number of segments that belong to FILE or an earlier one. */
static size_t segments_until(const struct series *s, int file)
{
	size_t k = s->n_segments;

	while (k > 0 && s->segments[k - 1].file > file)
		k--;
	return k;
}

static bool goes_on(const struct series *s, const struct segment *first, int64_t x, int file)
{
	const struct segment *last;

	if (!s->n_segments || first->marked)
		return false;
	last = &s->segments[s->n_segments - 1];
	return last->file == file && !series_x_falls(s->axis, s->x[s->n - 1], x);
}

static void append_segments(
	struct series *s, const struct series *from, int file, struct series_twin *twin)
{
	for (size_t k = 0; k < from->n_segments; k++) {
		const struct segment *g = &from->segments[k];
		bool further = s->n_segments && s->segments[s->n_segments - 1].file != file;

		if (!g->n)
			continue;
		if (k > 0 || !goes_on(s, g, from->x[g->first], file)) {
			series_open_segment(s, g->start, file, g->concurrent);
			s->pending.marked = g->marked || further;
		}
		series_append_range_like(s, from, g->first, g->n, twin);
	}
}

static void drop_tail(struct series *s, size_t first_segment)
{
	size_t first = s->segments[first_segment].first;

	for (size_t i = first; i < s->n; i++)
		s->n_nonfinite -= !isfinite(series_value(s, i));
	s->n = first;
	s->n_rising = s->n_rising < first ? s->n_rising : first;
	free(s->pyramid);
	s->pyramid = NULL;
	packed_truncate(&s->wall_s, first);
	packed_truncate(&s->epoch, first);
	s->n_segments = first_segment;
}

/* The points from FIRST_SEGMENT on leave S and come back as a series of their own. */
static struct run_series *cut_tail(struct series *s, size_t first_segment)
{
	struct run_series *parts = run_series_new();

	for (size_t k = first_segment; k < s->n_segments; k++) {
		const struct segment *g = &s->segments[k];
		char number[24];
		int n = snprintf(number, sizeof number, "%zu", k);
		struct series *part = run_series_get(parts, number, (size_t)n, s->axis);

		series_open_segment(part, g->start, g->file, g->concurrent);
		part->pending.marked = g->marked;
		series_append_range(part, s, g->first, g->n);
	}
	drop_tail(s, first_segment);
	return parts;
}

static void put_back(struct series *s, const struct run_series *parts, int except)
{
	struct series_twin none = { .to = NULL };

	for (size_t i = 0; i < parts->n; i++) {
		const struct series *part = parts->series[i];

		if (part->n_segments && part->segments[0].file != except)
			append_segments(s, part, part->segments[0].file, &none);
	}
}

void series_splice(struct series *s, const struct series *from, int file)
{
	series_splice_like(s, from, file, &(struct series_twin){ .to = NULL });
}

void series_splice_like(
	struct series *s, const struct series *from, int file, struct series_twin *twin)
{
	size_t until = segments_until(s, file);
	struct run_series *later = NULL;

	if (!from->n)
		return;
	if (until < s->n_segments)
		later = cut_tail(s, until);
	append_segments(s, from, file, twin);
	if (later) {
		*twin = (struct series_twin){ .to = NULL };	/* its points are moved */
		put_back(s, later, -1);
	}
	run_series_free(later);
	s->x_derived |= from->x_derived;
	s->no_metadata |= from->no_metadata;
	s->version++;
}

void series_move(struct series *s, struct series *from, int file)
{
	struct series before = *s;

	*s = *from;
	*from = before;
	from->name = s->name;
	from->name_n = s->name_n;
	s->name = before.name;
	s->name_n = before.name_n;
	from->x_metric = s->x_metric;
	s->x_metric = before.x_metric;
	s->version = before.version + from->version + 1;
	for (size_t k = 0; k < s->n_segments; k++)
		s->segments[k].file = file;
	series_clear(from);
}

/* Nothing of another file stands behind segment K. */
static bool is_last_file(const struct series *s, size_t k, int file)
{
	while (k < s->n_segments && s->segments[k].file == file)
		k++;
	return k == s->n_segments;
}

void series_remove_file(struct series *s, int file)
{
	struct run_series *parts;

	for (size_t k = 0; k < s->n_segments; k++) {
		if (s->segments[k].file != file)
			continue;
		if (is_last_file(s, k, file)) {
			drop_tail(s, k);
		} else {
			parts = cut_tail(s, k);
			put_back(s, parts, file);
			run_series_free(parts);
		}
		s->version++;
		return;
	}
}

void series_set_concurrent(struct series *s, int file, bool concurrent)
{
	for (size_t k = 0; k < s->n_segments; k++) {
		if (s->segments[k].file != file || s->segments[k].concurrent == concurrent)
			continue;
		s->segments[k].concurrent = concurrent;
		s->version++;
	}
}
