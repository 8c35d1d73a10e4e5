/*
 * run_table - `runs` with columns, a filter, an order or groups: curve/run_table.h on the
 * command line.
 */
#include "config.h"

#include "command/run_call.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/text.h"
#include "base/units.h"
#include "command/preferences.h"
#include "command/run_columns.h"
#include "workspace/run_start.h"

/* What is shown when nobody names columns. */
static const char usual[] =
	"run, attempt, kind, target, seed, outcome, step, duration, cost";

enum { UNKNOWN_NAMED = 4, GROUP_PARTS = 6 };

struct request {
	struct call *call;
	struct run_column *columns;
	size_t n;
	struct run_sort *sorts;
	size_t n_sorts;
	struct run_filter *filter;	/* NULL: all pass */
	struct run_column group;
	bool has_group;
	struct run_column *wanted;	/* all that must be read */
	size_t n_wanted;
	struct run_rows rows;
	struct run_record *records;
	size_t *shown, n_shown;
	size_t n_false, n_unknown, n_missing;
	const char *unknown[UNKNOWN_NAMED];
};

/* ---- what is asked for ---------------------------- */

/* --column A --column B is "A, B". */
static const char *joined(struct call *c, const char *name)
{
	struct buf b = BUF_INIT;
	const char *text;

	for (size_t i = 0; (text = call_text_at(c, name, i)) != NULL; i++)
		buf_addf(&b, "%s%s", i ? "," : "", text);
	text = arena_strndup(c->arena, b.s, b.n);
	buf_release(&b);
	return text;
}

static int check_names(const struct request *r)
{
	for (size_t i = 0; i < r->n; i++)
		for (size_t k = 0; k < i; k++)
			if (strcmp(r->columns[i].name, r->columns[k].name) == 0)
				return err_set(ERR_USAGE,
					"two columns are called \"%s\"; \"as NAME\" tells them apart",
					r->columns[i].name);
	return 0;
}

static void want(struct request *r, const struct run_column *columns, size_t n)
{
	for (size_t i = 0; i < n; i++)
		r->wanted[r->n_wanted++] = columns[i];
}

static void collect_wanted(struct request *r)
{
	size_t n_filter = 0;
	const struct run_column *filter =
		r->filter ? run_filter_columns(r->filter, &n_filter) : NULL;

	r->wanted = arena_alloc(r->call->arena,
		(r->n + r->n_sorts + n_filter + 1) * sizeof *r->wanted);
	want(r, r->columns, r->n);
	want(r, filter, n_filter);
	for (size_t i = 0; i < r->n_sorts; i++)
		want(r, &r->sorts[i].column, 1);
	if (r->has_group)
		want(r, &r->group, 1);
}

static int read_request(struct request *r)
{
	struct call *c = r->call;
	const char *columns = joined(c, "--column"), *group = call_text(c, "--group"),
		   *filter = call_text(c, "--filter");
	int rc;

	if (!*columns)
		columns = preferences_run_columns(c->arena);
	if (!*columns)
		columns = usual;
	if ((rc = run_columns_parse(&r->columns, &r->n, c->arena, columns)) < 0 ||
		(rc = check_names(r)) < 0 ||
		(rc = run_sorts_parse(&r->sorts, &r->n_sorts, c->arena, joined(c, "--sort"),
			 r->columns, r->n)) < 0)
		return rc;
	if (filter && (rc = run_filter_parse(&r->filter, filter, r->columns, r->n)) < 0)
		return rc;
	if (group && (rc = run_column_parse(&r->group, c->arena, group)) < 0)
		return err_prefix("--group: ");
	r->has_group = group != NULL;
	return 0;
}

/* Values are in the units of the goals, wherever they are asked for. */
static void scale(struct request *r)
{
	const struct run_rows *rows = &r->rows;

	run_columns_scale(r->columns, r->n, rows->scales, rows->n_scales);
	for (size_t i = 0; i < r->n_sorts; i++)
		run_columns_scale(&r->sorts[i].column, 1, rows->scales, rows->n_scales);
	if (r->filter)
		run_filter_scale(r->filter, rows->scales, rows->n_scales);
	if (r->has_group)
		run_columns_scale(&r->group, 1, rows->scales, rows->n_scales);
}

/* ---- the runs ---------------------------- */

static int read_one(struct request *r, size_t i)
{
	const char *missing = "";
	int rc;

	if (!r->records[i].is_reading)
		return 0;
	if (!run_columns_need_curves(r->wanted, r->n_wanted)) {
		r->records[i].is_reading = false;
		return 0;
	}
	call_report(r->call, "reading curves", (int64_t)i, (int64_t)r->rows.n);
	rc = run_record_read(&r->records[i], &missing, r->call->workspace, r->wanted, r->n_wanted,
		r->call->progress.cancel, r->call->arena);
	r->n_missing += rc == 0 && *missing;
	return rc;
}

static void test(struct request *r, size_t i)
{
	switch (r->filter ? run_filter_test(r->filter, &r->records[i]) : TRUTH_TRUE) {
	case TRUTH_TRUE:
		r->shown[r->n_shown++] = i;
		break;
	case TRUTH_FALSE:
		r->n_false++;
		break;
	case TRUTH_UNKNOWN:
		if (r->n_unknown < UNKNOWN_NAMED)
			r->unknown[r->n_unknown] = r->rows.rows[i].state->id;
		r->n_unknown++;
		break;
	}
}

static bool is_asked_for(const struct request *r, size_t i, const char *subject)
{
	return !subject || strcmp(r->rows.rows[i].state->attempt, subject) == 0;
}

/* One meaning for all rows. */
static void settle(struct request *r)
{
	run_columns_settle(r->columns, r->n, r->records, r->rows.n);
	run_columns_settle(r->wanted, r->n_wanted, r->records, r->rows.n);
	run_columns_settle(&r->group, r->has_group, r->records, r->rows.n);
	for (size_t i = 0; i < r->n_sorts; i++)
		run_columns_settle(&r->sorts[i].column, 1, r->records, r->rows.n);
	if (r->filter)
		run_filter_settle(r->filter, r->records, r->rows.n);
}

static int read_runs(struct request *r, const char *subject)
{
	struct call *c = r->call;
	int rc = run_rows_read(&r->rows, c->workspace, c->at, c->arena);

	if (rc < 0)
		return rc;
	scale(r);
	collect_wanted(r);
	run_records_make(&r->records, &r->rows, c->arena);
	r->shown = arena_alloc(c->arena, (r->rows.n + 1) * sizeof *r->shown);
	for (size_t i = 0; rc == 0 && i < r->rows.n; i++)
		if (is_asked_for(r, i, subject))
			rc = read_one(r, i);
	settle(r);
	scale(r);			/* by the names that these are now */
	for (size_t i = 0; rc == 0 && i < r->rows.n; i++)
		if (is_asked_for(r, i, subject))
			test(r, i);
	if (rc == 0)
		run_table_sort(r->shown, r->n_shown, r->records, r->sorts, r->n_sorts);
	return rc;
}

/* ---- the table ---------------------------- */

static bool is_cost(const struct run_column *c)
{
	return c->kind == RUN_COLUMN_FIELD && c->field == RUN_FIELD_COST;
}

/* Of those who read it as data each name says its unit. */
static const char *name_of(const struct run_column *c)
{
	return is_cost(c) && strcmp(c->name, "cost") == 0 ? "cost_nano_usd" : c->name;
}

/* An x of a series: whole, and then exact whatever its size, or a number of epochs. */
static bool is_step(const struct run_column *c)
{
	return c->kind == RUN_COLUMN_STEP_OF;
}

static struct report_column report_column_of(const struct run_column *c)
{
	bool duration = c->kind == RUN_COLUMN_FIELD && c->field == RUN_FIELD_DURATION;

	return (struct report_column){ .name = name_of(c), .title = c->name,
		.type = is_cost(c) ? REPORT_MONEY
			: is_step(c) ? REPORT_JSON
			: run_column_is_number(c) ? REPORT_DOUBLE
						  : REPORT_TEXT,
		.align = is_step(c) ? REPORT_RIGHT : REPORT_BY_TYPE,
		.unit = duration ? "s" : c->unit && *c->unit ? c->unit : NULL };
}

static void put_step(struct report_table *t, const char *name, const struct run_cell *c)
{
	char number[TEXT_DOUBLE_MAX];

	if (c->is_whole)
		snprintf(number, sizeof number, "%" PRId64, c->whole);
	else
		text_from_double(number, c->number);
	if (c->is_whole || isfinite(c->number))
		report_json(t, name, number, number);
	else
		report_none(t, name);
}

static void put_cell(struct report_table *t, const struct run_column *column,
	const struct run_cell *c)
{
	const char *name = name_of(column);

	if (c->type == RUN_CELL_ABSENT && run_column_is_of_every_run(column))
		report_unknown(t, name);
	else if (is_cost(column) && c->type == RUN_CELL_NUMBER)
		report_integer(t, name, llround(c->number * (double)NANO_USD));
	else if (is_step(column) && c->type == RUN_CELL_NUMBER)
		put_step(t, name, c);
	else if (c->type == RUN_CELL_NUMBER && !c->text)
		report_double(t, name, c->number);
	else if (c->text)
		report_text(t, name, c->text);
	else
		report_none(t, name);
}

static void put_rows(struct request *r)
{
	struct report_column *columns = arena_alloc(r->call->arena, (r->n + 1) * sizeof *columns);

	for (size_t i = 0; i < r->n; i++)
		columns[i] = report_column_of(&r->columns[i]);
	r->call->table = report_table_new(r->call->arena, "runs", columns, r->n);
	for (size_t i = 0; i < r->n_shown; i++) {
		report_row(r->call->table);
		for (size_t k = 0; k < r->n; k++) {
			struct run_cell cell;

			run_cell_of(&cell, &r->columns[k], &r->records[r->shown[i]]);
			put_cell(r->call->table, &r->columns[k], &cell);
		}
	}
}

/* ---- groups ---------------------------- */

static const char *const parts[GROUP_PARTS] = { "", ".mean", ".min", ".max", ".sd", ".n" };

/* "0.6 (0.5 to 0.7), sd 0.141, n 2" */
static const char *words_of(struct arena *a, const struct run_statistic *s)
{
	if (!s->n && s->text)
		return s->text;
	if (!s->n)
		return s->n_texts ? arena_printf(a, "%zu different", s->n_texts) : NULL;
	if (s->n == 1)
		return arena_printf(a, "%.6g, n 1", s->mean);
	return arena_printf(
		a, "%.6g (%.6g to %.6g), sd %.3g, n %zu", s->mean, s->min, s->max, s->sd, s->n);
}

static void put_statistic(
	struct report_table *t, const char *const names[GROUP_PARTS], const struct run_statistic *s)
{
	const double numbers[] = { s->mean, s->min, s->max, s->sd };

	report_text(t, names[0], words_of(t->arena, s));
	for (size_t i = 0; i < ARRAY_LEN(numbers); i++)
		if (!isnan(numbers[i]))
			report_double(t, names[i + 1], numbers[i]);
	report_integer(t, names[GROUP_PARTS - 1], (int64_t)s->n);
}

/* What each run has of its own says nothing of a group. */
static bool is_grouped(const struct request *r, const struct run_column *c)
{
	return strcmp(c->text, r->group.text) != 0 &&
		!(c->kind == RUN_COLUMN_FIELD &&
			(c->field == RUN_FIELD_RUN || c->field == RUN_FIELD_STARTED));
}

static void put_group(struct request *r, const struct run_group *g, const char *const *names)
{
	struct report_table *t = r->call->table;

	report_row(t);
	put_cell(t, &r->group, &g->key);
	report_integer(t, "runs", (int64_t)g->n);
	for (size_t i = 0; i < r->n; i++)
		if (is_grouped(r, &r->columns[i]))
			put_statistic(t, names + i * GROUP_PARTS, &g->columns[i]);
}

static void put_groups(struct request *r)
{
	struct arena *a = r->call->arena;
	struct report_column *columns =
		arena_alloc(a, (r->n * GROUP_PARTS + 2) * sizeof *columns);
	const char **names = arena_alloc(a, (r->n * GROUP_PARTS + 1) * sizeof(const char *));
	struct run_group *groups;
	size_t n_groups, n = 0;

	columns[n] = report_column_of(&r->group);
	columns[n++].unit = NULL;
	columns[n++] = (struct report_column){ .name = "runs", .title = "runs",
		.type = REPORT_INTEGER };
	for (size_t i = 0; i < r->n; i++)
		for (size_t k = 0; is_grouped(r, &r->columns[i]) && k < GROUP_PARTS; k++) {
			const char *name = arena_printf(a, "%s%s", r->columns[i].name, parts[k]);

			names[i * GROUP_PARTS + k] = name;
			columns[n++] = (struct report_column){ .name = name,
				.title = k ? NULL : run_column_head(a, &r->columns[i]),
				.type = !k ? REPORT_TEXT
					: k == GROUP_PARTS - 1 ? REPORT_INTEGER
							       : REPORT_DOUBLE };
		}
	run_table_group(&groups, &n_groups, a, r->shown, r->n_shown, r->records, &r->group,
		r->columns, r->n);
	r->call->table = report_table_new(a, "groups", columns, n);
	for (size_t i = 0; i < n_groups; i++)
		put_group(r, &groups[i], names);
}

/* ---- all of it ---------------------------- */

static void add_notes(struct request *r)
{
	struct buf b = BUF_INIT;

	report_note_unknown(r->call->table);
	/* A name that is written wrong would read as absent everywhere. */
	run_columns_add_strangers(&b, r->wanted, r->n_wanted, r->records, r->rows.n);
	if (b.n)
		report_note(r->call->table, "%s", b.s);
	buf_clear(&b);
	if (r->filter)
		report_note(r->call->table, "%zu of %zu rows pass, %zu do not, of %zu it is not known",
			r->n_shown, r->n_shown + r->n_false + r->n_unknown, r->n_false,
			r->n_unknown);
	for (size_t i = 0; i < r->n_unknown && i < UNKNOWN_NAMED; i++)
		buf_addf(&b, "%s%s", i ? ", " : "", r->unknown[i]);
	if (r->n_unknown)
		report_note(r->call->table,
			"not known, since they lack what is asked for: %s%s", b.s,
			r->n_unknown > UNKNOWN_NAMED ? ", ..." : "");
	if (r->n_missing)
		report_note(r->call->table, "of %zu run%s no curve file is here", r->n_missing,
			r->n_missing == 1 ? "" : "s");
	buf_release(&b);
}

bool run_call_has_columns(const struct call *c)
{
	return call_text(c, "--column") || call_text(c, "--filter") || call_text(c, "--sort") ||
		call_text(c, "--group");
}

int run_call_table(struct call *c, const char *subject)
{
	struct request r = { .call = c };
	int rc = read_request(&r);

	if (rc == 0)
		rc = read_runs(&r, subject);
	if (rc == 0 && r.has_group)
		put_groups(&r);
	else if (rc == 0)
		put_rows(&r);
	if (rc == 0)
		add_notes(&r);
	run_filter_free(r.filter);
	return rc;
}
