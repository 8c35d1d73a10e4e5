/* table - building typed rows, and what people see in one cell. */
#include "config.h"

#include "report/table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"
#include "report/table_private.h"

enum { SIGNIFICANT_DIGITS = 6 };

struct report_table *report_table_new(struct arena *a, const char *name,
		const struct report_column *columns, size_t n_columns)
{
	struct report_table *t = ARENA_NEW(a, struct report_table);

	t->arena = a;
	t->name = arena_strdup(a, name);
	t->schema = 1;
	t->columns = columns;
	t->n_columns = n_columns;
	t->last_note = &t->notes;
	return t;
}

void report_row(struct report_table *t)
{
	if (t->n_rows == t->cap_rows) {
		size_t cap = t->cap_rows ? 2 * t->cap_rows : 16;
		struct report_cell **rows =
			arena_alloc(t->arena, cap * sizeof(struct report_cell *));

		if (t->n_rows)
			memcpy(rows, t->rows, t->n_rows * sizeof *rows);
		t->rows = rows;
		t->cap_rows = cap;
	}
	t->rows[t->n_rows++] = arena_alloc(t->arena, t->n_columns * sizeof(struct report_cell));
}

static const struct report_column *find_column(const struct report_table *t, const char *name)
{
	for (size_t i = 0; i < t->n_columns; i++)
		if (strcmp(t->columns[i].name, name) == 0)
			return &t->columns[i];
	fprintf(stderr, "table %s has no column %s\n", t->name, name);
	abort();
}

/* Rows are filled in the order of the columns, most of the time. */
static const struct report_column *find_next_column(struct report_table *t, const char *name)
{
	const struct report_column *c =
		&t->columns[t->next_column < t->n_columns ? t->next_column : 0];

	if (strcmp(c->name, name) != 0)
		c = find_column(t, name);
	t->next_column = (size_t)(c - t->columns) + 1;
	return c;
}

static struct report_cell *value_cell(struct report_table *t, const char *name)
{
	const struct report_column *c = find_next_column(t, name);
	struct report_cell *cell = &t->rows[t->n_rows - 1][c - t->columns];

	*cell = (struct report_cell){ .state = REPORT_VALUE };
	return cell;
}

void report_text(struct report_table *t, const char *name, const char *s)
{
	struct report_cell *cell = value_cell(t, name);

	cell->text = arena_strdup(t->arena, s);
	if (!s)
		cell->state = REPORT_NONE;
}

void report_textf(struct report_table *t, const char *name, const char *fmt, ...)
{
	struct buf b = BUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	buf_vaddf(&b, fmt, ap);
	va_end(ap);
	report_text(t, name, b.s);
	buf_release(&b);
}

void report_integer(struct report_table *t, const char *name, int64_t v)
{
	value_cell(t, name)->integer = v;
}

void report_double(struct report_table *t, const char *name, double v)
{
	value_cell(t, name)->real = v;
}

void report_bool(struct report_table *t, const char *name, bool v)
{
	value_cell(t, name)->integer = v;
}

void report_json(struct report_table *t, const char *name, const char *json, const char *text)
{
	struct report_cell *cell = value_cell(t, name);

	cell->json = arena_strdup(t->arena, json);
	cell->text = arena_strdup(t->arena, text ? text : "");
}

void report_unknown(struct report_table *t, const char *name)
{
	value_cell(t, name)->state = REPORT_UNKNOWN;
}

void report_at_least(struct report_table *t, const char *name)
{
	t->rows[t->n_rows - 1][find_column(t, name) - t->columns].at_least = true;
}

void report_none(struct report_table *t, const char *name)
{
	value_cell(t, name)->state = REPORT_NONE;
}

void report_note(struct report_table *t, const char *fmt, ...)
{
	struct report_note *note = ARENA_NEW(t->arena, struct report_note);
	struct buf b = BUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	buf_vaddf(&b, fmt, ap);
	va_end(ap);
	note->text = arena_strdup(t->arena, b.s);
	buf_release(&b);
	*t->last_note = note;
	t->last_note = &note->next;
}

void report_note_unknown(struct report_table *t)
{
	for (size_t i = 0; i < t->n_rows; i++)
		for (size_t k = 0; k < t->n_columns; k++)
			if (t->columns[k].title && t->rows[i][k].state == REPORT_UNKNOWN) {
				report_note(t, "?: there is one, and nobody knows it; -: there is none");
				return;
			}
}

const struct report_cell *report_cell(const struct report_table *t, size_t row, const char *name)
{
	return &t->rows[row][find_column(t, name) - t->columns];
}

bool report_is_shown(const struct report_column *c)
{
	return c->title != NULL;
}

bool report_is_right(const struct report_column *c)
{
	if (c->align != REPORT_BY_TYPE)
		return c->align == REPORT_RIGHT;
	switch (c->type) {
	case REPORT_INTEGER:
	case REPORT_ID:
	case REPORT_DOUBLE:
	case REPORT_MONEY:
	case REPORT_DURATION:
	case REPORT_BYTES:
		return true;
	case REPORT_TEXT:
	case REPORT_TIME:
	case REPORT_BOOL:
	case REPORT_JSON:
		break;
	}
	return false;
}

void report_add_title(struct buf *out, const struct report_column *c)
{
	text_sanitise(out, c->title, strlen(c->title));
	if (c->unit)
		buf_addf(out, " (%s)", c->unit);
}

static void add_double(struct buf *out, const struct report_column *c, double v)
{
	char number[TEXT_DOUBLE_MAX];

	if (!isfinite(v)) {
		text_from_double(number, v);
		buf_adds(out, number);
	} else if (c->decimals) {
		buf_addf(out, "%.*f", c->decimals > 0 ? c->decimals : 0, v);
	} else {
		buf_addf(out, "%.*g", SIGNIFICANT_DIGITS, v);
	}
}

static void add_time(struct buf *out, int64_t wall_ns)
{
	char iso[CLOCK_ISO_MAX];

	clock_iso(iso, wall_ns);
	buf_adds(out, iso);
}

static void add_value(
	struct buf *out, const struct report_column *c, const struct report_cell *cell)
{
	switch (c->type) {
	case REPORT_TEXT:
	case REPORT_JSON:
		if (cell->text)
			text_sanitise(out, cell->text, strlen(cell->text));
		break;
	case REPORT_INTEGER:
		units_add_count(out, cell->integer);
		break;
	case REPORT_ID:
		buf_addf(out, "%lld", (long long)cell->integer);
		break;
	case REPORT_DOUBLE:
		add_double(out, c, cell->real);
		break;
	case REPORT_MONEY:
		units_add_money(out, cell->integer);
		break;
	case REPORT_DURATION:
		clock_add_duration(out, cell->integer);
		break;
	case REPORT_BYTES:
		units_add_bytes(out, cell->integer);
		break;
	case REPORT_TIME:
		add_time(out, cell->integer);
		break;
	case REPORT_BOOL:
		buf_adds(out, cell->integer ? "yes" : "no");
		break;
	}
}

void report_add_cell(struct buf *out, const struct report_column *c, const struct report_cell *cell)
{
	switch (cell->state) {
	case REPORT_NONE:
		buf_addc(out, '-');
		break;
	case REPORT_UNKNOWN:
		buf_addc(out, '?');
		break;
	case REPORT_VALUE:
		add_value(out, c, cell);
		buf_adds(out, cell->at_least ? "+?" : "");
		break;
	}
}
