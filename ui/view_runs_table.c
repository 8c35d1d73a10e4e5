/* view_runs_table - see view_runs_table.h. */
#include "config.h"

#include "ui/view_runs_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/err.h"
#include "command/open.h"
#include "ui/view_runs.h"

enum { RUNS_A_JOB = 16, CELLS_LEAST = 6, CELLS_MOST = 20, HEAD_MOST = 32, ROWS_MEASURED = 500 };
#define AGAIN_NS (5 * NS_PER_S)

/* ---- life ---------------------------- */

void runs_table_init(struct runs_table *t)
{
	memset(t, 0, sizeof *t);
	t->text = t->order_text = "";
}

static void curves_free(struct runs_curves *c)
{
	if (!c)
		return;
	arena_release(&c->arena);
	free(c);
}

void runs_table_stop(struct runs_table *t)
{
	job_cancel(&t->job);
}

void runs_table_release(struct runs_table *t)
{
	runs_table_stop(t);
	for (size_t i = 0; i < t->n_curves; i++)
		curves_free(t->curves[i]);
	free(t->curves);
	free(t->order);
	free(t->filter_text);
	free(t->filter_trouble);
	run_filter_free(t->filter);
	arena_release(&t->records_arena);
	arena_release(&t->arena);
}

/* ---- what is asked for ---------------------------- */

/* Values are in the units of the goals, wherever they are asked for. */
static void scale(struct runs_table *t)
{
	const struct run_scale *scales = t->rows ? t->rows->scales : NULL;
	size_t n = t->rows ? t->rows->n_scales : 0;

	run_columns_scale(t->columns, t->n, scales, n);
	for (size_t i = 0; i < t->n_sorts; i++)
		run_columns_scale(&t->sorts[i].column, 1, scales, n);
	if (t->filter)
		run_filter_scale(t->filter, scales, n);
}

int runs_table_set_columns(struct runs_table *t, const char *text)
{
	struct run_column *columns;
	size_t n;
	int rc = run_columns_parse(&columns, &n, &t->arena, text);

	if (rc < 0)
		return rc;
	t->text = arena_strdup(&t->arena, n ? text : "");
	t->columns = columns;
	t->n = n;
	/* The filter may name a column. */
	if (t->filter_text) {
		char *filter = xstrdup(t->filter_text);

		runs_table_set_filter(t, NULL);
		runs_table_set_filter(t, filter);
		free(filter);
	}
	return 0;
}

int runs_table_set_order(struct runs_table *t, const char *text)
{
	struct run_sort *sorts;
	size_t n;
	int rc = run_sorts_parse(&sorts, &n, &t->arena, text, t->columns, t->n);

	if (rc < 0)
		return rc;
	t->order_text = arena_strdup(&t->arena, text);
	t->sorts = sorts;
	t->n_sorts = n;
	scale(t);
	return 0;
}

bool runs_table_set_filter(struct runs_table *t, const char *text)
{
	if (text && t->filter_text && strcmp(text, t->filter_text) == 0)
		return t->filter != NULL;
	free(t->filter_text);
	free(t->filter_trouble);
	run_filter_free(t->filter);
	t->filter = NULL;
	t->filter_text = text && *text ? xstrdup(text) : NULL;
	t->filter_trouble = NULL;
	/* While it is being typed most of it is no expression: then it is a text. */
	if (t->filter_text && run_filter_parse(&t->filter, text, t->columns, t->n) < 0) {
		t->filter = NULL;
		t->filter_trouble = xstrdup(err_text());
		err_clear();
	}
	scale(t);
	return t->filter != NULL;
}

/* Every column that something asks for; in A. */
static struct run_column *wanted(const struct runs_table *t, size_t *n, struct arena *a)
{
	size_t n_filter = 0;
	const struct run_column *filter =
		t->filter ? run_filter_columns(t->filter, &n_filter) : NULL;
	struct run_column *list =
		arena_alloc(a, (t->n + n_filter + t->n_sorts + 1) * sizeof *list);

	*n = 0;
	for (size_t i = 0; i < t->n; i++)
		list[(*n)++] = t->columns[i];
	for (size_t i = 0; i < n_filter; i++)
		list[(*n)++] = filter[i];
	for (size_t i = 0; i < t->n_sorts; i++)
		list[(*n)++] = t->sorts[i].column;
	return list;
}

/* ---- rows and records ---------------------------- */

static struct runs_curves *curves_of(const struct runs_table *t, const char *run)
{
	for (size_t i = 0; i < t->n_curves; i++)
		if (strcmp(t->curves[i]->run, run) == 0)
			return t->curves[i];
	return NULL;
}

/* What was read under other patterns does not count any more. */
static struct runs_curves *curves_in_force(const struct runs_table *t, const char *run)
{
	struct runs_curves *c = curves_of(t, run);

	return c && c->patterns == t->rows->patterns ? c : NULL;
}

static void attach(struct run_record *r, const struct runs_curves *c)
{
	r->is_reading = !c;
	if (!c)
		return;
	r->series = c->record.series;
	r->n_series = c->record.n_series;
	r->config = c->record.config;
	r->at = c->record.at;
	r->n_at = c->record.n_at;
}

static void put_in_order(struct runs_table *t)
{
	size_t n = t->rows ? t->rows->n : 0;

	free(t->order);
	t->order = xcalloc(n + 1, sizeof *t->order);
	for (size_t i = 0; i < n; i++)
		t->order[i] = i;
	if (t->n_sorts)
		run_table_sort(t->order, n, t->records, t->sorts, t->n_sorts);
}

/* What a name means is known by the series that there are. */
static void settle(struct runs_table *t)
{
	size_t n = t->rows ? t->rows->n : 0;

	run_columns_settle(t->columns, t->n, t->records, n);
	for (size_t i = 0; i < t->n_sorts; i++)
		run_columns_settle(&t->sorts[i].column, 1, t->records, n);
	if (t->filter)
		run_filter_settle(t->filter, t->records, n);
	scale(t);
}

void runs_table_take_rows(struct runs_table *t, const struct run_rows *rows)
{
	arena_release(&t->records_arena);
	t->records_arena = (struct arena)ARENA_INIT;
	t->rows = rows;
	t->records = NULL;
	if (rows)
		run_records_make(&t->records, rows, &t->records_arena);
	for (size_t i = 0; rows && i < rows->n; i++)
		if (run_is_to_be_read(rows, &rows->rows[i]))
			attach(&t->records[i], curves_in_force(t, rows->rows[i].state->id));
	settle(t);
	put_in_order(t);
	runs_table_fit(t);
}

size_t runs_table_row(const struct runs_table *t, long i)
{
	return t->order[i];
}

enum truth runs_table_passes(const struct runs_table *t, long i)
{
	return t->filter ? run_filter_test(t->filter, &t->records[runs_table_row(t, i)])
			 : TRUTH_TRUE;
}

/* ---- cells ---------------------------- */

static bool is_field(const struct run_column *c, enum run_field field)
{
	return c->kind == RUN_COLUMN_FIELD && c->field == field;
}

static enum style style_of(const struct run_column *c, const struct run_cell *cell)
{
	if (cell->type == RUN_CELL_ABSENT && run_column_is_of_every_run(c))
		return STYLE_WARN;
	if (cell->type == RUN_CELL_ABSENT || cell->type == RUN_CELL_READING)
		return STYLE_DIM;
	if (cell->type == RUN_CELL_NUMBER && !isfinite(cell->number))
		return STYLE_WARN;
	return is_field(c, RUN_FIELD_RUN) ? STYLE_IDENTIFIER : STYLE_TEXT;
}

void runs_table_cell(const struct runs_table *t, long i, int column, struct list_cell *out)
{
	size_t row = runs_table_row(t, i);
	const struct run_column *c = &t->columns[column - 1];
	struct arena a = ARENA_INIT;
	struct run_cell cell;

	run_cell_of(&cell, c, &t->records[row]);
	out->style = style_of(c, &cell);
	if (is_field(c, RUN_FIELD_RUN))
		buf_addf(out->text, "%.*s", RUN_SHORT, cell.text);
	else if (is_field(c, RUN_FIELD_ATTEMPT))
		buf_adds(out->text, run_subject_text(&a, t->rows->rows[row].state));
	else
		run_cell_add(out->text, c, &cell);
	arena_release(&a);
}

/* The list turns an order round as a whole: what is absent is turned back. */
int runs_table_compare(const struct runs_table *t, long a, long b, int column, bool down)
{
	const struct run_column *c = &t->columns[column - 1];
	struct run_cell x, y;
	int order;

	run_cell_of(&x, c, &t->records[runs_table_row(t, a)]);
	run_cell_of(&y, c, &t->records[runs_table_row(t, b)]);
	order = run_cell_compare(&x, &y, down);
	return down ? -order : order;
}

static int widest(const struct runs_table *t, int column)
{
	struct buf b = BUF_INIT;
	size_t head = strlen(t->list_columns[column].title), most = head;
	long n = t->rows ? (long)t->rows->n : 0;

	for (long i = 0; i < n && i < ROWS_MEASURED; i++) {
		struct list_cell cell = { &b, STYLE_TEXT };

		buf_clear(&b);
		runs_table_cell(t, i, column, &cell);
		if (b.n > most)
			most = b.n;
	}
	buf_release(&b);
	/* The unit stands at the end of the head. */
	if (most > CELLS_MOST)
		most = head < CELLS_MOST ? CELLS_MOST : head < HEAD_MOST ? head : HEAD_MOST;
	return most < CELLS_LEAST ? CELLS_LEAST : (int)most;
}

/* On a narrow screen: which run, how it came out and whose it is stay, wherever they were
 * written; of the rest the last goes first. */
static int drop_rank(const struct runs_table *t, size_t i)
{
	static const enum run_field stay[] = { RUN_FIELD_RUN, RUN_FIELD_OUTCOME,
		RUN_FIELD_ATTEMPT };

	for (size_t k = 0; k < ARRAY_LEN(stay); k++)
		if (is_field(&t->columns[i], stay[k]))
			return (int)k;
	return (int)(ARRAY_LEN(stay) + i);
}

void runs_table_fit(struct runs_table *t)
{
	if (!t->n)
		return;
	t->list_columns[0] = (struct list_column){ .title = "", .min = 1 };
	for (size_t i = 0; i < t->n; i++) {
		struct list_column *k = &t->list_columns[i + 1];

		*k = (struct list_column){
			.title = run_column_head(&t->records_arena, &t->columns[i]),
			.drop = drop_rank(t, i),
			.right = run_column_is_number(&t->columns[i]) ||
				is_field(&t->columns[i], RUN_FIELD_SEED),
		};
		k->min = widest(t, (int)i + 1);
	}
	t->source.columns = t->list_columns;
	t->source.n_columns = (int)t->n + 1;
}

/* ---- reading in the background ---------------------------- */

struct request {
	char *directory;
	bool read_only;
	struct arena arena;
	const char **runs;
	bool *live;
	uint64_t patterns;
	size_t n;
	struct run_column *columns;
	size_t n_columns;
};

struct reading { struct runs_curves **list; size_t n; };

static void request_free(void *p)
{
	struct request *r = p;

	arena_release(&r->arena);
	free(r->directory);
	free(r);
}

static void reading_free(void *p)
{
	struct reading *a = p;

	for (size_t i = 0; a && i < a->n; i++)
		curves_free(a->list[i]);
	if (a)
		free(a->list);
	free(a);
}

static int read_one(struct runs_curves **out, const struct request *r, size_t i,
	struct workspace *ws, const atomic_bool *cancel)
{
	struct runs_curves *c = xcalloc(1, sizeof *c);
	const char *missing = "";
	int rc;

	c->run = arena_strdup(&c->arena, r->runs[i]);
	c->live = r->live[i];
	c->patterns = r->patterns;
	c->record.fields[RUN_FIELD_RUN] = c->run;
	rc = run_record_read(&c->record, &missing, ws, r->columns, r->n_columns, cancel, &c->arena);
	/* The columns are the request's, which goes. */
	for (size_t k = 0; rc == 0 && k < c->record.n_at; k++)
		((struct run_at *)(uintptr_t)c->record.at)[k].text =
			arena_strdup(&c->arena, c->record.at[k].text);
	c->missing = rc == 0 && *missing;
	c->read_ns = clock_boot_ns();
	*out = c;
	return rc;
}

static int run_reading(struct job *job, void *input, void **result)
{
	const struct request *r = input;
	struct open_options how = { .directory = r->directory, .read_only = r->read_only };
	struct reading *a = xcalloc(1, sizeof *a);
	struct opened opened;
	int rc = open_migration(&opened, NULL, &how);

	*result = a;
	a->list = xcalloc(r->n + 1, sizeof(struct runs_curves *));
	while (rc == 0 && a->n < r->n) {
		job_set_progress(job, (int64_t)a->n, (int64_t)r->n);
		rc = read_one(&a->list[a->n], r, a->n, opened.workspace, job_cancel_flag(job));
		a->n++;
	}
	opened_release(&opened);
	return rc;
}

/* Was it read with what a column at a step asks for? */
static bool has_points(
	const struct runs_curves *c, const struct run_column *columns, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		bool found = !columns[i].has_at;

		for (size_t k = 0; k < c->record.n_at && !found; k++)
			found = strcmp(c->record.at[k].text, columns[i].text) == 0;
		if (!found)
			return false;
	}
	return true;
}

static bool is_missing(const struct runs_table *t, const struct run_row *row,
	const struct run_column *columns, size_t n)
{
	const struct runs_curves *c = curves_of(t, row->state->id);

	if (!run_is_to_be_read(t->rows, row))
		return false;
	if (!c || !has_points(c, columns, n) || (c->live && !row->live) ||
		c->patterns != t->rows->patterns)
		return true;
	/* Files that were not there, or not readable, may come: a bundle brings them. */
	return (row->live || c->missing) && clock_boot_ns() - c->read_ns > AGAIN_NS;
}

static struct request *request_new(const struct view *v, const struct runs_table *t)
{
	struct request *r = xcalloc(1, sizeof *r);

	r->columns = wanted(t, &r->n_columns, &r->arena);
	run_columns_scale(r->columns, r->n_columns, NULL, 0);	/* it borrows from the rows */
	for (size_t i = 0; i < r->n_columns; i++)
		r->columns[i].text = arena_strdup(&r->arena, r->columns[i].text);
	for (size_t i = 0; i < r->n_columns; i++)
		r->columns[i].key = r->columns[i].key
			? arena_strdup(&r->arena, r->columns[i].key)
			: NULL;
	r->runs = arena_alloc(&r->arena, RUNS_A_JOB * sizeof(const char *));
	r->live = arena_alloc(&r->arena, RUNS_A_JOB * sizeof *r->live);
	r->directory = xstrdup(v->app->host.directory);
	r->read_only = v->app->host.read_only;
	r->patterns = t->rows ? t->rows->patterns : 0;
	for (size_t i = 0; t->rows && i < t->rows->n && r->n < RUNS_A_JOB; i++) {
		const struct run_row *row = &t->rows->rows[t->order[i]];

		if (!is_missing(t, row, r->columns, r->n_columns))
			continue;
		r->live[r->n] = row->live;
		r->runs[r->n++] = arena_strdup(&r->arena, row->state->id);
	}
	return r;
}

static void keep(struct runs_table *t, struct runs_curves *c)
{
	for (size_t i = 0; i < t->n_curves; i++)
		if (strcmp(t->curves[i]->run, c->run) == 0) {
			curves_free(t->curves[i]);
			t->curves[i] = c;
			return;
		}
	ARRAY_GROW(t->curves, t->n_curves, t->cap_curves);
	t->curves[t->n_curves++] = c;
}

static void on_read(void *user, int code, void *result, const char *sentence)
{
	struct view *v = user;
	struct runs_view *self = view_state(v);
	struct runs_table *t = &self->table;
	struct reading *a = result;

	if (code < 0) {
		app_complain(v->app, "%s", sentence);
		return;
	}
	for (size_t i = 0; i < a->n; i++)
		keep(t, a->list[i]);
	a->n = 0;
	reading_free(a);
	runs_table_take_rows(t, t->rows);
	runs_table_arrived(v);
	runs_table_read(v);
	runs_choose_when_read(v);
}

void runs_table_read(struct view *v)
{
	static const struct job_kind kind = { "reading curves of runs", run_reading, request_free,
		reading_free, JOB_BACKGROUND };
	struct runs_view *self = view_state(v);
	struct runs_table *t = &self->table;
	struct request *r;

	if (job_is_running(&t->job) || !t->rows)
		return;
	r = request_new(v, t);
	if (!r->n || !(t->names_wanted || run_columns_need_curves(r->columns, r->n_columns)))
		request_free(r);
	else
		job_start(&t->job, v->app->loop, &kind, r, on_read, v);
}

/* ---- what series there are ---------------------------- */

struct named { const char *name; size_t runs; };

static int compare_named(const void *left, const void *right)
{
	const struct named *a = left, *b = right;

	if (a->runs != b->runs)
		return a->runs > b->runs ? -1 : 1;
	return strcmp(a->name, b->name);
}

bool runs_table_is_reading(const struct runs_table *t)
{
	for (size_t i = 0; t->rows && i < t->rows->n; i++)
		if (t->records[i].is_reading)
			return true;
	return false;
}

size_t runs_table_series(
	const struct runs_table *t, const char *names[], size_t most, size_t *missing)
{
	struct named *list = NULL;
	size_t n = 0, cap = 0;

	*missing = 0;
	for (size_t i = 0; t->rows && i < t->rows->n; i++) {
		const struct run_record *r = &t->records[i];

		*missing += r->is_reading;
		for (size_t k = 0; k < r->n_series; k++) {
			size_t at = 0;

			while (at < n && strcmp(list[at].name, r->series[k].name) != 0)
				at++;
			if (at == n) {
				ARRAY_GROW(list, n, cap);
				list[n++] = (struct named){ r->series[k].name, 0 };
			}
			list[at].runs++;
		}
	}
	if (n)
		qsort(list, n, sizeof *list, compare_named);
	n = n < most ? n : most;
	for (size_t i = 0; i < n; i++)
		names[i] = list[i].name;
	free(list);
	return n;
}
