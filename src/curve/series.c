/* series - columns of one metric: growth and segments; see series.h. */
#include "config.h"

#include "curve/series.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "curve/column.h"
#include "curve/series_private.h"

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

void series_free(struct series *s)
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

/* Those whose exponent has all its bits, which lie in the upper half. */
static size_t count_nonfinite(const double *values, size_t n)
{
	const uint32_t exponent = 0x7ff00000;
	uint32_t count = 0;

	for (size_t i = 0; i < n; i++) {
		uint64_t bits;

		memcpy(&bits, &values[i], sizeof bits);
		count += ((uint32_t)(bits >> 32) & exponent) == exponent;
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
