/* csv_plain - rows of bare numbers, cell by cell in one pass. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "curve/csv_private.h"
#include "curve/reader_digits.h"

enum { PLAIN_ROW_MAX = 64 * 1024 };

/* The row at hand: nothing of it is kept until all of it was understood. */
struct plain_row {
	struct row_x x;
	bool has_step, zone_unknown;
	int64_t non_numeric;
};

/* A cell ends at P: at a separator, or at the end of the line. */
static inline bool ends_cell(const struct csv *t, const char *p, const char *end)
{
	return p < end &&
		(*p == t->separator || *p == '\n' || (*p == '\r' && end - p > 1 && p[1] == '\n'));
}

static const char *find_cell_end(const struct csv *t, const char *p, const char *end)
{
	while (p < end && !ends_cell(t, p, end))
		p++;
	return p;
}

static inline void put_number(
	struct csv *t, struct plain_row *row, size_t column, const struct number *n)
{
	switch (t->columns[column].use) {
	case COLUMN_STEP:
		row->has_step = n->is_integer;
		row->x.step = n->integer;
		break;
	case COLUMN_EPOCH:
		row->x.epoch = n->value;
		break;
	case COLUMN_SERIES:
	case COLUMN_TIME:
		t->values[column] = n->value;
		t->present[t->n_present++] = column;
		break;
	}
}

/* A cell that is not bare digits: blanks around it, a word, a time, or nothing. */
static const char *take_other(
	struct csv *t, struct plain_row *row, size_t column, const char *p, const char *end)
{
	const char *stop = find_cell_end(t, p, end);
	struct csv_cell c = { p, (size_t)(stop - p) };
	struct number n;

	csv_cell_trim(&c);
	if (cell_is_absent(&c))
		return stop;
	if (t->columns[column].use == COLUMN_TIME)
		cell_time(&row->x, &row->zone_unknown, &c);
	else if (cell_number(&n, &c))
		put_number(t, row, column, &n);
	else
		row->non_numeric++;
	return stop;
}

/* Digits alone, as steps and epochs are written; NULL: something else. */
static inline const char *take_digits_cell(
	struct number *n, const struct csv *t, const char *p, const char *end)
{
	p = take_whole(&n->integer, p, end);
	if (!p || !ends_cell(t, p, end))
		return NULL;
	n->value = (double)n->integer;
	n->is_integer = true;
	return p;
}

/* Behind the cell of COLUMN at P. */
static inline const char *take_cell(
	struct csv *t, struct plain_row *row, size_t column, const char *p, const char *end)
{
	enum column_use use = t->columns[column].use;
	const char *stop;
	struct number n;
	size_t used;

	if (ends_cell(t, p, end))
		return p;
	if (use == COLUMN_SERIES) {
		used = number_scan_value(&t->values[column], p, end);
		if (used && ends_cell(t, p + used, end)) {
			t->present[t->n_present++] = column;
			return p + used;
		}
	} else if (use != COLUMN_TIME) {
		stop = take_digits_cell(&n, t, p, end);
		if (stop) {
			put_number(t, row, column, &n);
			return stop;
		}
	}
	return take_other(t, row, column, p, end);
}

/* Behind the newline of the row at P; NULL when it is not a plain one. */
static const char *take_cells(struct csv *t, struct plain_row *row, const char *p, const char *end)
{
	t->n_present = 0;
	for (size_t i = 0; i < t->n_columns; i++) {
		if (p == end || *p == '"')
			return NULL;
		p = take_cell(t, row, i, p, end);
		if (p == end)
			return NULL;
		if (*p != t->separator)
			break;
		p++;
	}
	if (p < end && *p == '\r')
		p++;
	return p < end && *p == '\n' && row->has_step ? p + 1 : NULL;
}

static void emit(struct csv *t, struct curve_sink *sink, const struct plain_row *row)
{
	shapes_flush(&t->shapes, sink);
	for (size_t i = 0; i < t->n_present; i++) {
		size_t column = t->present[i], slot = t->columns[column].slot;
		double value = t->values[column];
		struct series *s;

		if (slot == SIZE_MAX)
			continue;
		s = slots_series(&t->slots, sink, slot, row->x.axis);
		if (!series_append_next_row(s, row->x.step, row->x.wall_s, value, row->x.epoch))
			series_append_row(s, row->x.step, row->x.wall_s, value, row->x.epoch);
		sink->health.points++;
		sink->health.non_finite += !isfinite(value);
		curve_sink_wall(sink, row->x.wall_s);
	}
	if (row->zone_unknown)
		curve_sink_zone_unknown(sink);
	sink->health.records++;
	sink->health.non_numeric += row->non_numeric;
	t->row++;
}

/* Takes rows that look like earlier ones; behind the last of them. */
static const char *take_alike(
	struct csv *t, struct curve_sink *sink, const char *p, const char *end)
{
	struct row_x x = { .axis = t->has_step ? AXIS_STEP : AXIS_ORDINAL };
	const char *behind;
	struct shape *s;

	while ((s = shapes_take(&t->shapes, ROW_LINE, p, end, &behind))) {
		x.step = t->has_step ? s->step : t->row;
		x.wall_s = s->kind ? cell_seconds(s->wall_s) : s->wall_s;
		x.epoch = s->epoch;
		if (s->zone_unknown)
			curve_sink_zone_unknown(sink);
		shape_emit(&t->shapes, s, sink, &x);
		t->row++;
		p = behind + (*behind == '\r') + 1;
	}
	return p;
}

size_t csv_take_plain_rows(struct csv *t, struct curve_sink *sink, const char *start, size_t n)
{
	const char *p = start, *end = start + n;

	while (p < end && !t->has_duplicates && !t->slots.full) {
		struct plain_row row = {
			.x = {
				.axis = t->has_step ? AXIS_STEP : AXIS_ORDINAL, .step = t->row,
				.wall_s = NAN, .epoch = NAN,
			},
			.has_step = !t->has_step,
		};
		const char *limit = end - p > PLAIN_ROW_MAX ? p + PLAIN_ROW_MAX : end, *behind;

		if (*p == '\n' || *p == '\r')
			break;
		behind = take_cells(t, &row, p, limit);
		if (!behind)
			break;
		emit(t, sink, &row);
		csv_learn(t, p, (size_t)(behind - p));
		p = take_alike(t, sink, behind, end);
	}
	return (size_t)(p - start);
}
