/* reader_shape_rows - the rows that a shape gathers, and how its series take them. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "curve/reader_shape.h"

static uint32_t bit_of(const struct shapes *all, const struct shape *s)
{
	return UINT32_C(1) << (s - all->shapes);
}

enum { CREDIT_MAX = 256 };

/* What repeats pays for learning more. */
static int raised(int credit, size_t rows)
{
	return credit + (int)rows < CREDIT_MAX ? credit + (int)rows : CREDIT_MAX;
}

static void move_row(struct shape *s, size_t from, size_t to)
{
	struct shape_rows *rows = s->rows;

	rows->x[to] = rows->x[from];
	rows->wall_s[to] = rows->wall_s[from];
	rows->epoch[to] = rows->epoch[from];
	for (size_t i = 0; i < s->n_holes; i++)
		if (s->holes[i].role == SHAPE_VALUE)
			s->holes[i].values[to] = s->holes[i].values[from];
}

static void append(struct shape *s, struct curve_sink *sink, struct series *series,
	const struct series_rows *rows, const double *values)
{
	sink->health.non_finite += (int64_t)series_append_rows(series, rows, values);
	sink->health.points += (int64_t)rows->n;
	series->x_derived |= s->rows->derived;
}

static struct series *series_of(
	struct shapes *all, const struct shape *s, struct curve_sink *sink, size_t slot)
{
	return slots_series(all->slots, sink, slot, s->axis);
}

static void append_constants(struct shapes *all, struct shape *s, struct curve_sink *sink,
	const struct series_rows *rows)
{
	double values[SHAPE_ROWS];

	for (size_t i = 0; i < s->n_constants; i++) {
		struct shape_constant *c = &s->constants[i];

		if (!c->series)
			c->series = series_of(all, s, sink, c->slot);
		for (size_t k = 0; k < rows->n; k++)
			values[k] = c->value;
		append(s, sink, c->series, rows, values);
	}
}

static void append_columns(struct shapes *all, struct shape *s, struct curve_sink *sink,
	const struct series_rows *rows)
{
	for (struct shape_hole *hole = s->holes; hole < s->holes + s->n_holes; hole++) {
		if (hole->role != SHAPE_VALUE)
			continue;
		if (!hole->series)
			hole->series = series_of(all, s, sink, hole->slot);
		append(s, sink, hole->series, rows, hole->values);
	}
	append_constants(all, s, sink, rows);
}

/* The rows behind the gathered ones, which wait or are being read, move to the front. */
void shape_flush(struct shapes *all, struct shape *s, struct curve_sink *sink)
{
	struct shape_rows *rows = s->rows;
	struct series_rows gathered = { .n = rows->n, .x = rows->x, .wall_s = rows->wall_s,
		.epoch = rows->epoch, .has_wall = rows->has_wall, .has_epoch = rows->has_epoch };
	int64_t points = sink->health.points;

	if (!rows->n)
		return;
	append_columns(all, s, sink, &gathered);
	s->used = ++all->matches;
	all->credit = raised(all->credit, rows->n);
	s->template_credit = raised(s->template_credit, rows->n);
	sink->health.records += (int64_t)rows->n;
	sink->health.non_numeric += (int64_t)rows->n * s->non_numeric;
	for (size_t i = 0; rows->has_wall && sink->health.points > points && i < rows->n; i++)
		curve_sink_wall(sink, rows->wall_s[i]);
	for (size_t i = 0; i < SHAPE_STRIDE - SHAPE_ROWS; i++)
		move_row(s, rows->n + i, i);
	rows->n = 0;
	rows->has_wall = rows->has_epoch = rows->derived = false;
	all->pending &= ~bit_of(all, s);
}

static void flush_some(struct shapes *all, struct curve_sink *sink, uint32_t which)
{
	for (which &= all->pending; which; which &= which - 1)
		shape_flush(all, &all->shapes[__builtin_ctz(which)], sink);
}

void shapes_flush(struct shapes *all, struct curve_sink *sink)
{
	if (all->pending)
		flush_some(all, sink, all->pending);
}

void shape_begin_rows(struct shapes *all, struct shape *s, struct curve_sink *sink)
{
	if (all->pending & s->shares)
		flush_some(all, sink, s->shares);
	all->pending |= bit_of(all, s);
}

void shape_wait(struct shape *s, const struct row_x *x, bool replace)
{
	struct shape_rows *rows = s->rows;

	if (replace)
		move_row(s, rows->n + 1, rows->n);
	shape_put_place(rows, rows->n, x);
	rows->waiting = true;
	rows->waiting_derived = x->derived;
}

void shape_commit(struct shapes *all, struct shape *s, struct curve_sink *sink)
{
	s->rows->waiting = false;
	shape_add_row(all, s, sink, s->rows->waiting_derived);
}

void shape_drop(struct shape *s)
{
	s->rows->waiting = false;
}
