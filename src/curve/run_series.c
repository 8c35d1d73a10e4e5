/* run_series - the series of one run, found by their names; see series.h. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "curve/series_private.h"

enum { FEW_SERIES = 32 };	/* found by looking at each */

struct run_series *run_series_new(void)
{
	return xcalloc(1, sizeof(struct run_series));
}

void run_series_free(struct run_series *r)
{
	if (!r)
		return;
	for (size_t i = 0; i < r->n; i++)
		series_free(r->series[i]);
	for (size_t i = 0; i < r->n_spare; i++)
		series_free(r->spare[i]);
	free(r->series);
	free(r->table);
	free(r->spare);
	free(r);
}

void run_series_reset(struct run_series *r)
{
	while (r->n) {
		ARRAY_GROW(r->spare, r->n_spare, r->cap_spare);
		r->spare[r->n_spare++] = r->series[--r->n];
	}
	free(r->table);
	r->table = NULL;
	r->table_n = 0;
}

/* A series without points, names or marks, with the room of one that went. */
static struct series *take_spare(struct run_series *r)
{
	struct series *s, room;

	if (!r->n_spare)
		return xcalloc(1, sizeof *s);
	s = r->spare[--r->n_spare];
	series_clear(s);
	free(s->name);
	free(s->x_metric);
	room = *s;
	*s = (struct series){
		.kind = room.kind, .cap = room.cap, .x = room.x, .value = room.value,
		.value32 = room.value32, .wall_s = room.wall_s, .epoch = room.epoch,
		.segments = room.segments, .cap_segments = room.cap_segments,
	};
	s->wall_s.used = s->epoch.used = false;
	return s;
}

static bool is_called(const struct series *s, const char *name, size_t n, enum axis axis)
{
	return s->axis == axis && s->name_n == n && memcmp(s->name, name, n) == 0;
}

static size_t place_of_name(const struct run_series *r, const char *name, size_t n, enum axis axis)
{
	return (size_t)(fnv1a(FNV1A_BEGIN, name, n) + (uint64_t)axis) & (r->table_n - 1);
}

/* The number of the series, or r->n. */
static size_t find_name(const struct run_series *r, const char *name, size_t n, enum axis axis)
{
	if (!r->table_n) {
		for (size_t i = 0; i < r->n; i++)
			if (is_called(r->series[i], name, n, axis))
				return i;
		return r->n;
	}
	for (size_t at = place_of_name(r, name, n, axis); r->table[at];
		at = (at + 1) & (r->table_n - 1))
		if (is_called(r->series[r->table[at] - 1], name, n, axis))
			return r->table[at] - 1;
	return r->n;
}

static void put_name(struct run_series *r, size_t i)
{
	const struct series *s = r->series[i];
	size_t at = place_of_name(r, s->name, s->name_n, s->axis);

	while (r->table[at])
		at = (at + 1) & (r->table_n - 1);
	r->table[at] = (uint32_t)i + 1;
}

/* The last series is found by its name; a few are found by looking at each. */
static void index_last(struct run_series *r)
{
	if (r->n <= FEW_SERIES)
		return;
	if (r->n * 2 <= r->table_n) {
		put_name(r, r->n - 1);
		return;
	}
	free(r->table);
	r->table_n = r->table_n ? r->table_n * 2 : FEW_SERIES * 4;
	r->table = xcalloc(r->table_n, sizeof *r->table);
	for (size_t i = 0; i < r->n; i++)
		put_name(r, i);
}

struct series *run_series_get(struct run_series *r, const char *name, size_t n, enum axis axis)
{
	size_t i = find_name(r, name, n, axis);
	struct series *s;

	if (i < r->n)
		return r->series[i];
	s = take_spare(r);
	s->name = xmalloc(n + 1);
	memcpy(s->name, name, n);
	s->name[n] = '\0';
	s->name_n = n;
	s->axis = axis;
	s->wall_s.plain = s->epoch.plain = r->staging;
	ARRAY_GROW(r->series, r->n, r->cap);
	r->series[r->n++] = s;
	index_last(r);
	return s;
}

struct series *run_series_find(const struct run_series *r, const char *name, int axis)
{
	struct series *found = NULL;
	size_t n = strlen(name);

	for (size_t i = 0; i < r->n; i++) {
		struct series *s = r->series[i];

		if (s->name_n != n || memcmp(s->name, name, n) != 0)
			continue;
		if (axis >= 0 ? (int)s->axis == axis : s->axis == AXIS_STEP)
			return s;
		if (axis < 0 && !found)
			found = s;
	}
	return found;
}
