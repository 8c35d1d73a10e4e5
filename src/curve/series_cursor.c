/* series_cursor - points that were put in place become those of the series. */
#include "config.h"

#include "curve/series_cursor.h"

#include <math.h>
#include <string.h>

void series_cursor_open(struct series_cursor *c, struct series *s)
{
	const struct packed_column *wall = &s->wall_s;
	size_t room = s->cap - s->n;

	if (s->kind != VALUE_FLOAT || !s->n || s->has_pending || s->map || s->epoch.used ||
		s->axis == AXIS_EPOCH || s->axis == AXIS_TIME || !wall->used || !wall->plain ||
		wall->n_tail != s->n)
		return;
	if (room > wall->cap_tail - wall->n_tail)
		room = wall->cap_tail - wall->n_tail;
	*c = (struct series_cursor){
		.series = s,
		.x = s->x + s->n,
		.wall_s = wall->tail + s->n,
		.value = s->value32 + s->n,
		.last_x = s->x[s->n - 1],
		.room = room,
	};
}

static size_t count_non_finite(const float *values, size_t n)
{
	size_t count = 0;

	for (size_t i = 0; i < n; i++) {
		uint32_t bits;

		memcpy(&bits, &values[i], sizeof bits);
		count += bits << 1 >= UINT32_C(0xff000000);
	}
	return count;
}

/* Of least and greatest the one that is no number gives way. */
static void add_walls(struct cursor_counts *counts, const double *wall_s, size_t n)
{
	double first = wall_s[0], last = wall_s[0];

	for (size_t i = 1; i < n; i++) {
		first = wall_s[i] < first ? wall_s[i] : first;
		last = wall_s[i] > last ? wall_s[i] : last;
	}
	if (!(counts->first_wall_s <= first))
		counts->first_wall_s = first;
	if (!(counts->last_wall_s >= last))
		counts->last_wall_s = last;
}

void cursor_counts_add(struct cursor_counts *counts, double wall_s, float value)
{
	add_walls(counts, &wall_s, 1);
	counts->n++;
	counts->non_finite += !isfinite(value);
}

void series_cursor_close(struct series_cursor *c, struct cursor_counts *counts)
{
	struct series *s = c->series;
	size_t n, non_finite;

	if (!s)
		return;
	n = (size_t)(c->x - (s->x + s->n));
	non_finite = count_non_finite(s->value32 + s->n, n);
	if (n)
		add_walls(counts, s->wall_s.tail + s->n, n);
	counts->n += n;
	counts->non_finite += non_finite;
	s->segments[s->n_segments - 1].n += n;
	s->n_nonfinite += non_finite;
	s->wall_s.n_tail += n;
	s->n += n;
	s->version += n;
	*c = (struct series_cursor){ .series = NULL };
}
