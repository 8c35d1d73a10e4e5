/* run_columns - see run_columns.h. */
#include "config.h"

#include "command/run_columns.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"
#include "workspace/run_summary.h"

static struct run_record record_of(const struct run_row *row)
{
	const struct run_state *s = row->state;
	struct run_record r = {
		.fields = {
			[RUN_FIELD_RUN] = s->id,
			[RUN_FIELD_ATTEMPT] = s->attempt,
			[RUN_FIELD_KIND] = s->kind ? run_kind_text(s->kind) : NULL,
			[RUN_FIELD_TARGET] = s->target,
			[RUN_FIELD_SEED] = s->seed,
			[RUN_FIELD_OUTCOME] = word_name(&words_run_state, (int)s->state),
			[RUN_FIELD_STARTED] = s->started,
		},
		.duration_s = row->elapsed_ns < 0
			? NAN
			: (double)row->elapsed_ns / (double)NS_PER_S,
		.last_step = row->has_step ? (double)row->step : NAN,
		.cost_usd = row->cost_nano_usd < 0
			? NAN
			: (double)row->cost_nano_usd / (double)NANO_USD,
		.is_reading = true,
	};

	return r;
}

bool run_is_to_be_read(const struct run_rows *rows, const struct run_row *row)
{
	return !rows->past || !row->live;
}

void run_records_make(struct run_record **out, const struct run_rows *rows, struct arena *a)
{
	*out = arena_alloc(a, (rows->n + 1) * sizeof **out);
	for (size_t i = 0; i < rows->n; i++) {
		(*out)[i] = record_of(&rows->rows[i]);
		(*out)[i].is_reading = run_is_to_be_read(rows, &rows->rows[i]);
	}
}

int run_record_read(struct run_record *r, const char **missing, struct workspace *ws,
	const struct run_column *columns, size_t n_columns, const atomic_bool *cancel,
	struct arena *a)
{
	struct run_summary *s = ARENA_NEW(a, struct run_summary);
	int rc = run_summary_read(
		s, ws, r->fields[RUN_FIELD_RUN], columns, n_columns, cancel, a);

	if (rc < 0)
		return rc;
	*missing = s->missing;
	r->series = s->series;
	r->n_series = s->n_series;
	r->config = &s->config;
	r->at = s->at;
	r->n_at = s->n_at;
	r->is_reading = false;
	return 0;
}

/* ---- names that no run has ---------------------------- */

enum { NAME_BYTES = 64, NEAREST = 3 };

struct names { const char **list; size_t n, cap; };

static bool has_name(const struct names *t, const char *name)
{
	for (size_t i = 0; i < t->n; i++)
		if (strcmp(t->list[i], name) == 0)
			return true;
	return false;
}

static void add_name(struct names *t, const char *name)
{
	if (has_name(t, name))
		return;
	ARRAY_GROW(t->list, t->n, t->cap);
	t->list[t->n++] = name;
}

/* All series of all runs, or all keys that they are configured with. */
static void list_names(
	struct names *t, bool keys, const struct run_record *records, size_t n_records)
{
	for (size_t i = 0; i < n_records; i++) {
		const struct settings *config = records[i].config;

		for (size_t k = 0; !keys && k < records[i].n_series; k++)
			add_name(t, records[i].series[k].name);
		for (size_t k = 0; keys && config && k < config->n; k++)
			add_name(t, config->list[k].name);
	}
}

/* Bytes to change, add or take away; of long names their beginnings. */
static size_t distance(const char *a, const char *b)
{
	size_t row[NAME_BYTES + 1], n = strnlen(b, NAME_BYTES);

	for (size_t k = 0; k <= n; k++)
		row[k] = k;
	for (size_t i = 0; a[i] && i < NAME_BYTES; i++) {
		size_t corner = row[0]++;

		for (size_t k = 1; k <= n; k++) {
			size_t change = corner + (a[i] != b[k - 1]), above = row[k];
			size_t least = above < row[k - 1] ? above + 1 : row[k - 1] + 1;

			corner = above;
			row[k] = change < least ? change : least;
		}
	}
	return row[n];
}

/* What holds the name, or is part of it, is as near as one change. */
static size_t farness(const char *wanted, const char *name)
{
	size_t d = distance(wanted, name);

	return d > 1 && (strstr(name, wanted) || strstr(wanted, name)) ? 1 : d;
}

static void add_nearest(struct buf *out, struct names *t, const char *wanted)
{
	for (size_t i = 0; i < t->n && i < NEAREST; i++) {
		size_t best = i;
		const char *name;

		for (size_t k = i + 1; k < t->n; k++)
			if (farness(wanted, t->list[k]) < farness(wanted, t->list[best]))
				best = k;
		name = t->list[best];
		t->list[best] = t->list[i];
		t->list[i] = name;
		buf_adds(out, i ? ", " : "; nearest: ");
		text_sanitise(out, name, strlen(name));
	}
}

static bool any_reads(const struct run_record *records, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (records[i].is_reading)
			return true;
	return false;
}

static bool told_before(const struct run_column *columns, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (columns[k].key && strcmp(columns[k].key, columns[i].key) == 0 &&
			(columns[k].kind == RUN_COLUMN_CONFIG) ==
				(columns[i].kind == RUN_COLUMN_CONFIG))
			return true;
	return false;
}

static void add_stranger(struct buf *out, const struct run_column *c,
	const struct run_record *records, size_t n_records)
{
	bool key = c->kind == RUN_COLUMN_CONFIG;
	struct names t = { NULL, 0, 0 };

	list_names(&t, key, records, n_records);
	if (!has_name(&t, c->key)) {
		buf_addf(out, "%sno run has a %s \"", out->n ? "; also " : "",
			key ? "configured key" : "series");
		text_sanitise(out, c->key, strlen(c->key));
		buf_addc(out, '"');
		add_nearest(out, &t, c->key);
	}
	free(t.list);
}

void run_columns_add_strangers(struct buf *out, const struct run_column *columns, size_t n,
	const struct run_record *records, size_t n_records)
{
	if (any_reads(records, n_records))
		return;
	for (size_t i = 0; n_records && i < n; i++)
		if (columns[i].kind != RUN_COLUMN_FIELD && !told_before(columns, i))
			add_stranger(out, &columns[i], records, n_records);
}

/* ---- what people see ---------------------------- */

const char *run_column_head(struct arena *a, const struct run_column *c)
{
	return c->unit && *c->unit ? arena_printf(a, "%s %s", c->name, c->unit)
		: c->scale > 0     ? arena_printf(a, "%s x%g", c->name, c->scale)
				   : c->name;
}

static bool is_field(const struct run_column *c, enum run_field field)
{
	return c->kind == RUN_COLUMN_FIELD && c->field == field;
}

bool run_column_is_of_every_run(const struct run_column *c)
{
	return is_field(c, RUN_FIELD_COST) || is_field(c, RUN_FIELD_KIND);
}

static void add_number(struct buf *out, const struct run_column *column, double v)
{
	if (is_field(column, RUN_FIELD_DURATION))
		clock_add_duration(out, (int64_t)(v * (double)NS_PER_S));
	else if (is_field(column, RUN_FIELD_COST))
		units_add_money(out, llround(v * (double)NANO_USD));
	else if (is_field(column, RUN_FIELD_STEP))
		buf_addf(out, "%.0f", v);
	else if (isnan(v))
		buf_adds(out, "NaN");
	else
		buf_addf(out, "%.6g", v);
}

void run_cell_add(struct buf *out, const struct run_column *column, const struct run_cell *c)
{
	switch (c->type) {
	case RUN_CELL_ABSENT:
		buf_addc(out, run_column_is_of_every_run(column) ? '?' : '-');
		break;
	case RUN_CELL_READING:
		buf_adds(out, "reading");
		break;
	case RUN_CELL_NUMBER:
		if (c->text)
			text_sanitise(out, c->text, strlen(c->text));
		else if (c->is_whole)
			buf_addf(out, "%" PRId64, c->whole);
		else
			add_number(out, column, c->number);
		break;
	case RUN_CELL_TEXT:
		text_sanitise(out, c->text, strlen(c->text));
		break;
	}
}
