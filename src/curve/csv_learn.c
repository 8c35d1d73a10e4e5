/* csv_learn - the shape of a row of bare numbers. */
#include "config.h"

#include <string.h>

#include "curve/csv_private.h"

/* The row that is learnt. */
struct lesson {
	struct csv *csv;
	struct shape *shape;
	bool has_epoch, has_time;
};

static bool add_time(struct lesson *l, const struct csv_cell *c)
{
	struct shape_hole hole = { .role = SHAPE_WALL, .stop = l->csv->separator };
	struct number n;
	double seconds;
	bool unknown;

	if (l->has_time)
		return false;
	l->has_time = true;
	if (number_read_iso_time(&seconds, &unknown, c->p, c->n)) {
		hole.token = SHAPE_TIME;
		return shape_add(l->shape, c->p, c->n, &hole);
	}
	if (!number_read(&n, c->p, c->n))
		return true;
	l->shape->kind = 1;
	return shape_add(l->shape, c->p, c->n, &hole);
}

/* A cell that is a word: it stays text. */
static bool add_word(struct lesson *l, const struct column *column, const struct csv_cell *c)
{
	struct number n;

	if (!cell_number(&n, c)) {
		l->shape->non_numeric++;
		return true;
	}
	if (column->use != COLUMN_SERIES)
		return false;
	if (column->slot != SIZE_MAX)
		shape_add_constant(l->shape, NULL, column->slot, n.value);
	return true;
}

static bool add_cell(struct lesson *l, const struct column *column, const struct csv_cell *c)
{
	struct shape_hole hole = { .token = SHAPE_NUMBER };
	struct number n;

	if (cell_is_absent(c))
		return true;
	if (column->use == COLUMN_TIME)
		return add_time(l, c);
	if (!number_read(&n, c->p, c->n))
		return add_word(l, column, c);
	switch (column->use) {
	case COLUMN_STEP:
		hole.role = SHAPE_STEP;
		hole.condition = SHAPE_WHOLE;
		break;
	case COLUMN_EPOCH:
		if (l->has_epoch)
			return false;
		l->has_epoch = true;
		hole.role = SHAPE_EPOCH;
		break;
	case COLUMN_SERIES:
	case COLUMN_TIME:
		hole.role = column->slot == SIZE_MAX ? SHAPE_IGNORED : SHAPE_VALUE;
		hole.slot = column->slot;
		break;
	}
	return shape_add(l->shape, c->p, c->n, &hole);
}

void csv_learn(struct csv *t, const char *p, size_t n)
{
	struct lesson l = { .csv = t };
	const char *end = p + n - 1, *row = p;

	end -= end > p && end[-1] == '\r';
	/* A cell that ends so would take the end of other lines for its own. */
	if (end > p && end[-1] == '\r')
		return;
	l.shape = shapes_begin(&t->shapes, p, n);
	if (!l.shape)
		return;
	l.shape->axis = t->has_step ? AXIS_STEP : AXIS_ORDINAL;
	for (size_t i = 0; p && i < t->n_columns; i++) {
		const char *stop = memchr(p, t->separator, (size_t)(end - p));
		struct csv_cell c = { p, (size_t)((stop ? stop : end) - p) };

		csv_cell_trim(&c);
		if (!add_cell(&l, &t->columns[i], &c))
			return;
		p = stop ? stop + 1 : NULL;
	}
	shapes_learn(&t->shapes, row, (size_t)(end - row));
}
