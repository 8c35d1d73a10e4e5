/* series - columns of one metric: growth, segments, current points. */
#include "config.h"

#include "curve/series.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/hash.h"
#include "curve/column.h"

enum { FEW_SERIES = 32 };	/* found by looking at each */

static bool axis_is_real(enum axis axis)
{
	return axis == AXIS_EPOCH || axis == AXIS_TIME;
}

static double real_of_bits(int64_t bits)
{
	double d;

	memcpy(&d, &bits, sizeof d);
	return d;
}

static int64_t bits_of_real(double d)
{
	int64_t bits;

	memcpy(&bits, &d, sizeof bits);
	return bits;
}

struct run_series *run_series_new(void)
{
	return xcalloc(1, sizeof(struct run_series));
}

void series_map_release(struct series_map *map)
{
	if (--map->users > 0)
		return;
	munmap(map->p, map->n);
	free(map);
}

/* The columns stay, but for those of a map: then there are none. */
static void leave_map(struct series *s)
{
	if (!s->map)
		return;
	packed_forget(&s->wall_s);
	packed_forget(&s->epoch);
	s->x = NULL;
	s->value = NULL;
	s->value32 = NULL;
	s->cap = s->n_rising = 0;
	free(s->pyramid);
	s->pyramid = NULL;
	series_map_release(s->map);
	s->map = NULL;
}

static void *copy_column(const void *p, size_t n, size_t cap)
{
	void *own = p ? column_resize(NULL, 0, cap) : NULL;

	if (own)
		memcpy(own, p, n);
	return own;
}

/* Columns that lie in a map are copied, with room for CAP points. */
static void own_columns(struct series *s, size_t cap)
{
	int64_t *x;
	double *value;
	float *value32;

	if (!s->map)
		return;
	x = copy_column(s->x, s->n * sizeof *x, cap * sizeof *x);
	value = copy_column(s->value, s->n * sizeof *value, cap * sizeof *value);
	value32 = copy_column(s->value32, s->n * sizeof *value32, cap * sizeof *value32);
	packed_own(&s->wall_s);
	packed_own(&s->epoch);
	leave_map(s);
	s->x = x;
	s->value = value;
	s->value32 = value32;
	s->cap = cap;
}

static void series_free(struct series *s)
{
	free(s->name);
	leave_map(s);
	column_free(s->x, s->cap * sizeof *s->x);
	column_free(s->value, s->value ? s->cap * sizeof *s->value : 0);
	column_free(s->value32, s->value32 ? s->cap * sizeof *s->value32 : 0);
	packed_release(&s->wall_s);
	packed_release(&s->epoch);
	free(s->segments);
	free(s->x_metric);
	free(s);
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

static void resize_values(struct series *s, size_t cap)
{
	if (s->kind == VALUE_FLOAT)
		s->value32 = column_resize(s->value32, s->value32 ? s->cap * sizeof *s->value32 : 0,
			cap * sizeof *s->value32);
	else
		s->value = column_resize(
			s->value, s->value ? s->cap * sizeof *s->value : 0, cap * sizeof *s->value);
}

static void reserve_points(struct series *s, size_t more)
{
	size_t cap;

	if (more <= s->cap - s->n)
		return;
	cap = column_capacity(s->cap, s->n + more);
	if (s->map) {
		own_columns(s, cap);
		return;
	}
	s->x = column_resize(s->x, s->cap * sizeof *s->x, cap * sizeof *s->x);
	resize_values(s, cap);
	s->cap = cap;
}

/* A float series that meets a value which float cannot hold becomes double. */
static void widen_values(struct series *s)
{
	float *narrow;

	own_columns(s, s->cap);
	narrow = s->value32;
	s->value32 = NULL;
	s->kind = VALUE_DOUBLE;
	if (!s->cap)
		return;
	resize_values(s, s->cap);
	for (size_t i = 0; i < s->n; i++)
		s->value[i] = (double)narrow[i];
	column_free(narrow, s->cap * sizeof *narrow);
}

static void become_float(struct series *s)
{
	own_columns(s, s->cap);
	column_free(s->value, s->value ? s->cap * sizeof *s->value : 0);
	s->value = NULL;
	s->kind = VALUE_FLOAT;
	if (s->cap)
		resize_values(s, s->cap);
}

static struct segment *add_segment(struct series *s, const struct segment *segment)
{
	ARRAY_GROW(s->segments, s->n_segments, s->cap_segments);
	s->segments[s->n_segments] = *segment;
	s->segments[s->n_segments].first = s->n;
	s->segments[s->n_segments].n = 0;
	return &s->segments[s->n_segments++];
}

static void open_pending(struct series *s, int64_t x)
{
	s->has_pending = false;
	if (series_x_falls(s->axis, s->pending.start, x))
		s->pending.start = x;
	add_segment(s, &s->pending);
}

static void open_where_series_x_falls(struct series *s, int64_t x)
{
	struct segment segment = { .start = x };

	if (s->n_segments) {
		const struct segment *last = &s->segments[s->n_segments - 1];

		if (!series_x_falls(s->axis, s->x[s->n - 1], x))
			return;
		segment.file = last->file;
		segment.concurrent = last->concurrent;
	}
	add_segment(s, &segment);
}

/* The segment of a point at X that comes next. */
static struct segment *segment_for(struct series *s, int64_t x)
{
	if (s->has_pending)
		open_pending(s, x);
	else
		open_where_series_x_falls(s, x);
	return &s->segments[s->n_segments - 1];
}

/* Makes room for one point and puts it in a segment. */
static void begin_point(struct series *s, int64_t x, double wall_s)
{
	if (s->n == s->cap)
		reserve_points(s, 1);
	segment_for(s, x)->n++;
	if (!s->wall_s.used && !isnan(wall_s))
		packed_begin(&s->wall_s, s->n);
	s->x[s->n] = x;
	if (s->wall_s.used)
		packed_append(&s->wall_s, wall_s);
	if (s->epoch.used)
		packed_append(&s->epoch, NAN);
}

static void end_point(struct series *s, bool finite)
{
	s->n_nonfinite += !finite;
	s->n++;
	s->version++;
}

void series_append(struct series *s, int64_t x, double wall_s, double value)
{
	if (s->kind == VALUE_FLOAT)
		widen_values(s);
	begin_point(s, x, wall_s);
	s->value[s->n] = value;
	end_point(s, isfinite(value));
}

void series_append_float(struct series *s, int64_t x, double wall_s, float value)
{
	if (series_append_next_float(s, x, wall_s, value))
		return;
	if (s->kind == VALUE_DOUBLE) {
		if (s->n) {
			series_append(s, x, wall_s, (double)value);
			return;
		}
		become_float(s);
	}
	begin_point(s, x, wall_s);
	s->value32[s->n] = value;
	end_point(s, isfinite(value));
}

void series_append_real(struct series *s, double x, double wall_s, double value)
{
	series_append(s, bits_of_real(x), wall_s, value);
}

void series_set_epoch(struct series *s, double epoch)
{
	if (!s->n)
		return;
	if (!s->epoch.used)
		packed_begin(&s->epoch, s->n);
	packed_set_last(&s->epoch, epoch);
}

void series_append_row(struct series *s, int64_t x, double wall_s, double value, double epoch)
{
	if (series_append_next_row(s, x, wall_s, value, epoch))
		return;
	series_append(s, x, wall_s, value);
	if (!isnan(epoch))
		series_set_epoch(s, epoch);
}

static size_t count_nonfinite(const double *values, size_t n)
{
	const uint64_t exponent = UINT64_C(0x7ff) << 53;
	size_t count = 0;

	for (size_t i = 0; i < n; i++) {
		uint64_t bits;

		memcpy(&bits, &values[i], sizeof bits);
		count += bits << 1 >= exponent;
	}
	return count;
}

/* A column of the rows behind the BEFORE values that are there. */
static void append_beside(struct packed_column *to, const double *values, size_t before, size_t n)
{
	if (values && !to->used)
		packed_begin(to, before);
	if (values)
		packed_append_many(to, values, n);
	else if (to->used)
		packed_append_nan(to, n);
}

size_t series_append_rows(struct series *s, const struct series_rows *rows, const double *values)
{
	size_t nonfinite = count_nonfinite(values, rows->n);

	if (!rows->n)
		return 0;
	if (s->kind == VALUE_FLOAT)
		widen_values(s);
	reserve_points(s, rows->n);
	segment_for(s, rows->x[0])->n += rows->n;
	memcpy(s->x + s->n, rows->x, rows->n * sizeof *s->x);
	memcpy(s->value + s->n, values, rows->n * sizeof *s->value);
	append_beside(&s->wall_s, rows->has_wall ? rows->wall_s : NULL, s->n, rows->n);
	append_beside(&s->epoch, rows->has_epoch ? rows->epoch : NULL, s->n, rows->n);
	s->n_nonfinite += nonfinite;
	s->n += rows->n;
	s->version += rows->n;
	return nonfinite;
}

/* Columns that only one of the two has are filled with NaN. */
static void copy_packed(const struct series *s, struct packed_column *to,
	const struct packed_column *from, size_t first, size_t n, const struct packed_twin *twin)
{
	double part[PACKED_BLOCK];

	if (!from->used && !to->used)
		return;
	if (!to->used)
		packed_begin(to, s->n);
	if (!from->used) {
		packed_append_nan(to, n);
		return;
	}
	if (from->plain) {
		packed_append_many_like(to, from->tail + first, n, twin);
		return;
	}
	for (size_t i = 0, k; i < n; i += k) {
		k = n - i < PACKED_BLOCK ? n - i : PACKED_BLOCK;
		packed_read(from, first + i, k, part);
		packed_append_many(to, part, k);
	}
}

static void copy_values(struct series *s, const struct series *from, size_t first, size_t n)
{
	if (s->kind == VALUE_FLOAT)
		memcpy(s->value32 + s->n, from->value32 + first, n * sizeof *s->value32);
	else if (from->kind == VALUE_DOUBLE)
		memcpy(s->value + s->n, from->value + first, n * sizeof *s->value);
	else
		for (size_t i = 0; i < n; i++)
			s->value[s->n + i] = (double)from->value32[first + i];
	if (n == from->n || !from->n_nonfinite)
		s->n_nonfinite += from->n_nonfinite;
	else
		for (size_t i = 0; i < n; i++)
			s->n_nonfinite += !isfinite(series_value(s, s->n + i));
}

/* A column of both sides of TWIN. */
static struct packed_twin column_twin(const struct series_twin *twin,
	const struct packed_column *to, const struct packed_column *from)
{
	if (!to->used || !from->used || !from->plain)
		return (struct packed_twin){ .column = NULL };
	return (struct packed_twin){
		.column = to, .values = from->tail + twin->first, .first = twin->at, .n = twin->n
	};
}

static void copy_beside(struct series *s, const struct series *from, size_t first, size_t n,
	const struct series_twin *twin)
{
	struct packed_twin wall = { .column = NULL }, epoch = wall;

	if (twin->to) {
		wall = column_twin(twin, &twin->to->wall_s, &twin->from->wall_s);
		epoch = column_twin(twin, &twin->to->epoch, &twin->from->epoch);
	}
	copy_packed(s, &s->wall_s, &from->wall_s, first, n, &wall);
	copy_packed(s, &s->epoch, &from->epoch, first, n, &epoch);
}

void series_append_range(struct series *s, const struct series *from, size_t first, size_t n)
{
	series_append_range_like(s, from, first, n, &(struct series_twin){ .to = NULL });
}

void series_append_range_like(struct series *s, const struct series *from, size_t first, size_t n,
	struct series_twin *twin)
{
	if (!n)
		return;
	if (from->kind == VALUE_FLOAT && s->kind == VALUE_DOUBLE && !s->n)
		become_float(s);
	if (from->kind == VALUE_DOUBLE && s->kind == VALUE_FLOAT)
		widen_values(s);
	reserve_points(s, n);
	if (s->has_pending)
		open_pending(s, from->x[first]);
	else if (!s->n_segments)
		add_segment(s, &(struct segment){ .start = from->x[first] });
	memcpy(s->x + s->n, from->x + first, n * sizeof *s->x);
	copy_beside(s, from, first, n, twin);
	copy_values(s, from, first, n);
	*twin = (struct series_twin){ s, from, s->n, first, n };
	s->segments[s->n_segments - 1].n += n;
	s->n += n;
	s->version++;
}

void series_set_x_metric(struct series *s, const char *name)
{
	if (s->x_metric && strcmp(s->x_metric, name) == 0)
		return;
	free(s->x_metric);
	s->x_metric = xstrdup(name);
	s->version++;
}

void series_shift_real(struct series *s, double shift)
{
	own_columns(s, s->cap);
	for (size_t i = 0; i < s->n; i++)
		s->x[i] = bits_of_real(real_of_bits(s->x[i]) + shift);
	for (size_t k = 0; k < s->n_segments; k++)
		s->segments[k].start =
			bits_of_real(real_of_bits(s->segments[k].start) + shift);
	s->version++;
}

void series_open_segment(struct series *s, int64_t start, int file, bool concurrent)
{
	s->pending = (struct segment){
		.start = start, .file = file, .concurrent = concurrent, .marked = true
	};
	s->has_pending = true;
}

void series_clear(struct series *s)
{
	leave_map(s);
	s->n = s->n_rising = 0;
	s->n_segments = 0;
	s->n_nonfinite = 0;
	s->has_pending = false;
	packed_clear(&s->wall_s);
	packed_clear(&s->epoch);
	s->version++;
}

double series_x(const struct series *s, size_t i)
{
	return axis_is_real(s->axis) ? real_of_bits(s->x[i]) : (double)s->x[i];
}

double series_value(const struct series *s, size_t i)
{
	return s->kind == VALUE_FLOAT ? (double)s->value32[i] : s->value[i];
}

size_t series_bytes(const struct series *s)
{
	size_t bytes = s->cap *
		(sizeof *s->x + (s->kind == VALUE_FLOAT ? sizeof *s->value32 : sizeof *s->value));

	bytes += packed_bytes(&s->wall_s) + packed_bytes(&s->epoch);
	return bytes + s->cap_segments * sizeof *s->segments + sizeof *s + s->name_n + 1;
}


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
