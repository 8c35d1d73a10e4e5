/* csv - records with quotes, a header, and rows that need not be full. */
#include "config.h"

#include "curve/csv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"
#include "base/text.h"
#include "curve/csv_private.h"

/* Plain rows are taken in such pieces, so that a stop is heard. */
enum { PIECE_BYTES = 256 * 1024 };

static const struct role { const char *name; enum column_use use; } roles[] = {
	{ "step", COLUMN_STEP },
	{ "epoch", COLUMN_EPOCH },
	{ "timestamp", COLUMN_TIME },
	{ "wall_time", COLUMN_TIME },
};

static enum column_use use_of(const struct csv_cell *c)
{
	for (size_t i = 0; i < ARRAY_LEN(roles); i++)
		if (c->n == strlen(roles[i].name) && memcmp(c->p, roles[i].name, c->n) == 0)
			return roles[i].use;
	return COLUMN_SERIES;
}

static char separator_of(const char *p, size_t n)
{
	return !memchr(p, ',', n) && memchr(p, '\t', n) ? '\t' : ',';
}

static bool has_duplicates(const struct csv *t)
{
	bool *seen = xcalloc(t->slots.n + 1, sizeof *seen), found = false, epoch = false;

	for (size_t i = 0; i < t->n_columns; i++) {
		size_t slot = t->columns[i].slot;

		found |= epoch && t->columns[i].use == COLUMN_EPOCH;
		epoch |= t->columns[i].use == COLUMN_EPOCH;
		if (t->columns[i].use != COLUMN_SERIES || slot == SIZE_MAX)
			continue;
		found |= seen[slot];
		seen[slot] = true;
	}
	free(seen);
	return found;
}

static void prepare_plain_rows(struct csv *t)
{
	t->has_duplicates = has_duplicates(t);
	t->values = xreallocarray(t->values, t->n_columns + 1, sizeof *t->values);
	t->present = xreallocarray(t->present, t->n_columns + 1, sizeof *t->present);
}

static void read_header(struct csv *t, struct curve_sink *sink, const char *p, size_t n)
{
	const char *end = p + n;
	struct csv_cell c;

	t->has_header = true;
	t->separator = separator_of(p, n);
	while (csv_record_next(&t->cell, t->separator, &c, &p, end)) {
		enum column_use use = use_of(&c);

		if (t->n_columns == COLUMNS_MAX) {
			t->slots.full = true;
			break;
		}
		if (use == COLUMN_STEP && t->has_step)
			use = COLUMN_SERIES;
		t->has_step |= use == COLUMN_STEP;
		ARRAY_GROW(t->columns, t->n_columns, t->cap_columns);
		t->columns[t->n_columns++] =
			(struct column){ use, slots_find(&t->slots, c.p, c.n) };
	}
	prepare_plain_rows(t);
	if (t->has_duplicates)
		curve_notes_add(&sink->notes, "doubled-column",
			"%s: two columns have one name; the last one with a value counts", sink->name);
	if (!t->has_step)
		curve_notes_add(&sink->notes, "no-step-column",
			"%s: no column \"step\"; the row number is the axis", sink->name);
}

bool cell_number(struct number *out, const struct csv_cell *c)
{
	if ((c->n == 4 && strncasecmp(c->p, "true", 4) == 0) ||
		(c->n == 5 && strncasecmp(c->p, "false", 5) == 0)) {
		*out = (struct number){
			.value = c->n == 4, .integer = c->n == 4, .is_integer = true
		};
		return true;
	}
	return number_read_token(out, c->p, c->n, false);
}

bool cell_is_absent(const struct csv_cell *c)
{
	return c->n == 0 ||
		(c->n == 4 && (memcmp(c->p, "None", 4) == 0 || memcmp(c->p, "null", 4) == 0));
}

double cell_seconds(double number)
{
	if (!(number > 1e8))
		return NAN;
	return number > 1e11 ? number / 1000 : number;
}

void cell_time(struct row_x *x, bool *zone_unknown, const struct csv_cell *c)
{
	struct number number;
	bool unknown;

	if (number_read_iso_time(&x->wall_s, &unknown, c->p, c->n))
		*zone_unknown |= unknown;
	else if (number_read(&number, c->p, c->n) && number.value > 1e8)
		x->wall_s = cell_seconds(number.value);
}

static void take_cell(struct csv *t, struct curve_sink *sink, const struct column *column,
	const struct csv_cell *c, struct row_x *x, bool *has_step)
{
	struct number number;
	bool zone_unknown = false;

	if (cell_is_absent(c))
		return;
	if (column->use == COLUMN_TIME) {
		cell_time(x, &zone_unknown, c);
		if (zone_unknown)
			curve_sink_zone_unknown(sink);
		return;
	}
	if (!cell_number(&number, c)) {
		sink->health.non_numeric++;
		return;
	}
	if (column->use == COLUMN_EPOCH) {
		t->slots.left_out += !isnan(x->epoch);
		x->epoch = number.value;
	} else if (column->use == COLUMN_STEP) {
		*has_step = number.is_integer;
		x->step = number.integer;
	} else {
		slots_put_number(&t->slots, column->slot, number.value);
	}
}

static void take_row(
	struct csv *t, struct curve_sink *sink, const char *p, size_t n, int64_t offset)
{
	struct row_x x = { .axis = t->has_step ? AXIS_STEP : AXIS_ORDINAL,
		.step = t->row,
		.wall_s = NAN,
		.epoch = NAN };
	const char *end = p + n;
	bool has_step = !t->has_step;
	struct csv_cell c;
	size_t i = 0;

	shapes_flush(&t->shapes, sink);
	slots_begin_row(&t->slots);
	for (; csv_record_next(&t->cell, t->separator, &c, &p, end); i++) {
		if (i < t->n_columns)
			take_cell(t, sink, &t->columns[i], &c, &x, &has_step);
		else if (i >= COLUMNS_MAX)
			t->slots.left_out += !cell_is_absent(&c);
		else
			sink->health.non_numeric += !cell_is_absent(&c);
	}
	if (!has_step) {
		sink->health.malformed++;
		curve_sink_damage(sink, offset);
		return;
	}
	sink->health.records++;
	t->row++;
	slots_emit(&t->slots, sink, &x);
}

static void take_record(
	struct csv *t, struct curve_sink *sink, const char *p, size_t n, int64_t offset)
{
	n -= n && p[n - 1] == '\r';
	if (offset == 0 && n >= 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0)
		p += 3, n -= 3;
	if (n == 0)
		return;
	if (!t->has_header)
		read_header(t, sink, p, n);
	else
		take_row(t, sink, p, n, offset);
}

/* A record without an end in RECORD_BYTES_MAX: an open quote, most likely. */
static int64_t skip_record(struct csv *t, const char *p, size_t n)
{
	const char *newline = memchr(p, '\n', n);

	t->skipping = !newline;
	return newline ? newline - p + 1 : (int64_t)n;
}

static const char *find_end(
	const struct csv *t, struct curve_source *src, int64_t offset, const char **p, size_t *n)
{
	const char *newline;
	size_t want = 1;

	for (;;) {
		*p = source_bytes(src, offset, want, n);
		newline = *n
			? csv_record_end(*p, *n > RECORD_BYTES_MAX ? RECORD_BYTES_MAX + 1 : *n,
				  t->separator)
			: NULL;
		if (newline || *n < want || want > RECORD_BYTES_MAX)
			return newline;
		want = *n * 2 <= RECORD_BYTES_MAX ? *n * 2 : RECORD_BYTES_MAX + 1;
	}
}

static int64_t csv_advance(
	void *state, struct curve_sink *sink, struct curve_source *src, int64_t offset)
{
	struct csv *t = state;
	int64_t limit = offset + sink->budget_bytes;
	const char *p, *newline;
	size_t n;

	while (offset < limit && !curve_sink_cancelled(sink)) {
		if (!t->skipping && t->has_header && !sink->options->no_shapes) {
			p = source_bytes(src, offset, 1, &n);
			offset += (int64_t)csv_take_plain_rows(
				t, sink, p, n < PIECE_BYTES ? n : PIECE_BYTES);
		}
		newline = find_end(t, src, offset, &p, &n);
		if (!n)
			break;
		if (t->skipping) {
			offset += skip_record(t, p, n);
		} else if (newline) {
			take_record(t, sink, p, (size_t)(newline - p), offset);
			offset += newline - p + 1;
		} else if (n > RECORD_BYTES_MAX) {
			sink->health.malformed++;
			curve_sink_damage(sink, offset);
			offset += skip_record(t, p, n);
		} else {
			break;
		}
	}
	shapes_flush(&t->shapes, sink);
	return offset;
}

static void *csv_new(const struct curve_sink *sink)
{
	struct csv *t = xcalloc(1, sizeof *t);

	(void)sink;
	buf_init(&t->cell);
	t->shapes = (struct shapes)SHAPES_INIT;
	t->shapes.slots = &t->slots;
	return t;
}

static void csv_free(void *state)
{
	struct csv *t = state;

	slots_release(&t->slots);
	shapes_release(&t->shapes);
	free(t->columns);
	free(t->values);
	free(t->present);
	buf_release(&t->cell);
	free(t);
}

/* The first line is names with a separator, one of them "step". */
static bool csv_recognise(const char *path, const char *basename, const char *head, size_t n)
{
	struct csv t = { .cell = BUF_INIT };
	const char *newline, *p = head;
	struct csv_cell c;
	bool found = false;

	(void)path;
	if (strcmp(basename, "metrics.csv") == 0)
		return n == 0 || !memchr(head, '\0', n);
	if (n >= 3 && memcmp(head, "\xef\xbb\xbf", 3) == 0)
		p += 3, n -= 3;
	newline = csv_record_end(p, n, '\0');
	if (!newline || newline == p || *p == '{' || *p == '[')
		return false;
	n = (size_t)(newline - p);
	n -= p[n - 1] == '\r';
	t.separator = separator_of(p, n);
	if (!memchr(p, t.separator, n))
		return false;
	for (newline = p + n; !found && csv_record_next(&t.cell, t.separator, &c, &p, newline);)
		found = use_of(&c) == COLUMN_STEP;
	buf_release(&t.cell);
	return found;
}

const struct curve_format csv_format = {
	.name = "csv",
	.title = "table (CSV)",
	.delay = "each 100 steps (Lightning)",
	.shape = CURVE_STREAM,
	.step_bytes = CURVE_TEXT_STEP_BYTES,
	.rank = RANK_TABLE,
	.recognise = csv_recognise,
	.new_state = csv_new,
	.free_state = csv_free,
	.advance = csv_advance,
};
