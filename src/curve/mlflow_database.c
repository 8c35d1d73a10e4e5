/* mlflow_database - rows of the table "metrics" as points. */
#include "config.h"

#include "curve/mlflow_database.h"

#include <float.h>
#include <math.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "curve/database_run.h"
#include "curve/reader_slots.h"

/* What a point of a series is ordered by. */
struct place { int64_t timestamp_ms, step, row; };

struct metric_row {
	struct place place;
	size_t slot;
	double value;
};

/* The last point of a name that was given on. */
struct last_place { bool any; struct place place; };

struct mlflow_database {
	struct database_run run;
	struct table_cursor rows;
	struct slots slots;
	struct metric_row *batch;
	size_t n, cap;
	struct last_place *lasts;	/* beside the slots */
	size_t n_lasts, cap_lasts;
	bool by_index;			/* rows of one run are found without the others */
	bool sorted;			/* rows do not come in order: all are read, then sorted */
};

int mlflow_database_is(struct foreign_database *d)
{
	int rc = foreign_database_has_table(d, "metrics");

	return rc > 0 ? foreign_database_has_table(d, "latest_metrics") : rc;
}

/* ---- its runs ---- */

static int add_runs(struct store_runs *out, struct foreign_database *d)
{
	sqlite3_stmt *st;
	int rc = foreign_database_prepare(d,
		"SELECT run_uuid, name, status, lifecycle_stage FROM main.runs ORDER BY rowid",
		&st);

	while (rc >= 0 && (rc = foreign_database_step(d, st)) > 0) {
		size_t n;
		const char *id = foreign_column_text(st, 0, &n);
		struct store_run *run = store_runs_add(out, id, foreign_column_text(st, 1, &n));

		free(run->status);
		run->status = xstrdup(foreign_column_text(st, 2, &n));
		run->deleted = strcmp(foreign_column_text(st, 3, &n), "deleted") == 0;
	}
	sqlite3_finalize(st);
	return rc;
}

static int list_runs(struct store_runs *out, struct foreign_database *d)
{
	int rc = foreign_database_has_table(d, "runs");

	if (rc == 0)
		return err_set(ERR_PARSE, "%s: MLflow's table of runs is missing", d->path);
	return rc < 0 ? rc : add_runs(out, d);
}

static void set_points(struct store_runs *runs, const char *id, int64_t points)
{
	for (size_t i = 0; i < runs->n; i++)
		if (strcmp(runs->list[i].id, id) == 0)
			runs->list[i].points = points;
}

/* With points, unless counting them takes too long. */
static int list_with_points(struct store_runs *out, struct foreign_database *d)
{
	sqlite3_stmt *st;
	size_t n;
	int rc = list_runs(out, d);

	if (rc < 0)
		return rc;
	rc = foreign_database_prepare(
		d, "SELECT run_uuid, count(*) FROM main.metrics GROUP BY run_uuid", &st);
	for (size_t i = 0; rc == 0 && i < out->n; i++)
		out->list[i].points = 0;
	while (rc >= 0 && (rc = foreign_database_step(d, st)) > 0)
		set_points(out, foreign_column_text(st, 0, &n), sqlite3_column_int64(st, 1));
	sqlite3_finalize(st);
	if (rc == 0 || rc == ERR_CANCELLED)
		return rc;
	for (size_t i = 0; i < out->n; i++)
		out->list[i].points = -1;
	err_clear();
	return 0;
}

static int mlflow_list_runs(struct store_runs *out, const char *path, const atomic_bool *cancel)
{
	return database_list_runs(out, path, cancel, list_with_points);
}

/* ---- params and tags ---- */

static int read_pairs(
	struct mlflow_database *m, struct curve_sink *sink, const char *sql, const char *prefix)
{
	struct foreign_database *d = &m->run.database;
	struct buf name = BUF_INIT;
	sqlite3_stmt *st;
	int rc = foreign_database_prepare(d, sql, &st);

	if (rc == 0)
		sqlite3_bind_text(st, 1, m->run.id, -1, SQLITE_STATIC);
	while (rc >= 0 && (rc = foreign_database_step(d, st)) > 0) {
		size_t n, value_n;
		const char *key = foreign_column_text(st, 0, &n),
			   *value = foreign_column_text(st, 1, &value_n);

		buf_clear(&name);
		buf_adds(&name, prefix);
		buf_add(&name, key, n);
		settings_put(&sink->settings, name.s, name.n, value, value_n);
	}
	sqlite3_finalize(st);
	buf_release(&name);
	return rc;
}

static int read_settings(struct mlflow_database *m, struct curve_sink *sink)
{
	struct foreign_database *d = &m->run.database;
	int rc = foreign_database_has_table(d, "params");

	if (rc > 0)
		rc = read_pairs(m, sink,
			"SELECT key, value FROM main.params WHERE run_uuid = ?1 ORDER BY key LIMIT 5000",
			"");
	if (rc >= 0 && (rc = foreign_database_has_table(d, "tags")) > 0)
		rc = read_pairs(m, sink,
			"SELECT key, value FROM main.tags WHERE run_uuid = ?1 ORDER BY key LIMIT 1000",
			"tags.");
	return rc;
}

/* ---- points ---- */

static double value_of(sqlite3_stmt *st)
{
	double v = sqlite3_column_double(st, 2);

	if (sqlite3_column_int(st, 5))
		return NAN;
	return v >= DBL_MAX ? INFINITY : v <= -DBL_MAX ? -INFINITY : v;
}

static bool is_number(sqlite3_stmt *st, int column)
{
	int type = sqlite3_column_type(st, column);

	return type == SQLITE_INTEGER || type == SQLITE_FLOAT;
}

static void take_row(struct mlflow_database *m, struct curve_sink *sink, sqlite3_stmt *st)
{
	size_t n, slot;
	const char *key = foreign_column_text(st, 1, &n);

	if (sqlite3_column_type(st, 4) != SQLITE_INTEGER ||
		sqlite3_column_type(st, 1) != SQLITE_TEXT) {
		sink->health.malformed++;
		return;
	}
	sink->health.records++;
	if (!is_number(st, 2)) {
		sink->health.non_numeric++;
		return;
	}
	slot = slots_find(&m->slots, key, n);
	if (slot == SIZE_MAX) {
		slots_leave_out(&m->slots, sink);
		return;
	}
	ARRAY_GROW(m->batch, m->n, m->cap);
	m->batch[m->n++] = (struct metric_row){
		.place = { is_number(st, 3) ? sqlite3_column_int64(st, 3) : 0,
			sqlite3_column_int64(st, 4), m->rows.last },
		.slot = slot,
		.value = value_of(st),
	};
}

/* Number of rows that were looked at, or an error. */
static int read_rows(struct mlflow_database *m, struct curve_sink *sink)
{
	static const char every[] =
		"SELECT rowid, key, value, timestamp, step, is_nan, run_uuid = ?2 FROM main.metrics"
		" WHERE rowid > ?1 ORDER BY rowid LIMIT ?3";
	static const char by_index[] =
		"SELECT rowid, key, value, timestamp, step, is_nan, 1 FROM main.metrics"
		" WHERE rowid > ?1 AND run_uuid = ?2 ORDER BY rowid LIMIT ?3";
	struct foreign_database *d = &m->run.database;
	sqlite3_stmt *st;
	int looked = 0, rc = foreign_database_prepare(d, m->by_index ? by_index : every, &st);

	if (rc == 0) {
		sqlite3_bind_int64(st, 1, m->rows.last);
		sqlite3_bind_text(st, 2, m->run.id, -1, SQLITE_STATIC);
		sqlite3_bind_int(st, 3, DATABASE_ROWS_A_CALL);
	}
	while (rc >= 0 && (rc = foreign_database_step(d, st)) > 0) {
		m->rows.last = sqlite3_column_int64(st, 0);
		looked++;
		if (sqlite3_column_int(st, 6))
			take_row(m, sink, st);
	}
	sqlite3_finalize(st);
	return rc < 0 ? rc : looked;
}

static int compare_places(const struct place *a, const struct place *b)
{
	if (a->timestamp_ms != b->timestamp_ms)
		return a->timestamp_ms < b->timestamp_ms ? -1 : 1;
	if (a->step != b->step)
		return a->step < b->step ? -1 : 1;
	return (a->row > b->row) - (a->row < b->row);
}

static int compare_rows(const void *a, const void *b)
{
	const struct metric_row *x = a, *y = b;

	return compare_places(&x->place, &y->place);
}

/* False when a point belongs before one of its series that was given on already. */
static bool follows(struct mlflow_database *m, const struct metric_row *row)
{
	struct last_place *last;

	while (m->n_lasts < m->slots.n) {
		ARRAY_GROW(m->lasts, m->n_lasts, m->cap_lasts);
		m->lasts[m->n_lasts++] = (struct last_place){ .any = false };
	}
	last = &m->lasts[row->slot];
	if (last->any && compare_places(&row->place, &last->place) < 0)
		return false;
	*last = (struct last_place){ true, row->place };
	return true;
}

static bool give_on(struct mlflow_database *m, struct curve_sink *sink)
{
	if (m->n)
		qsort(m->batch, m->n, sizeof *m->batch, compare_rows);
	for (size_t i = 0; i < m->n; i++)
		if (!follows(m, &m->batch[i]))
			return false;
	for (size_t i = 0; i < m->n; i++) {
		const struct metric_row *row = &m->batch[i];

		curve_sink_point(sink, slots_series(&m->slots, sink, row->slot, AXIS_STEP),
			row->place.step,
			row->place.timestamp_ms ? (double)row->place.timestamp_ms / 1000 : NAN,
			row->value);
	}
	m->n = 0;
	return true;
}

/* As before the first row, but for what was learnt about their order. */
static void restart(struct mlflow_database *m)
{
	slots_release(&m->slots);
	m->rows = (struct table_cursor)TABLE_CURSOR_INIT;
	m->n = 0;
	m->n_lasts = 0;
}

static int start_again(struct mlflow_database *m)
{
	restart(m);
	return database_run_fail(&m->run, CURVE_VOID);
}

static int look_for_index(struct mlflow_database *m)
{
	int64_t found;
	int rc = foreign_database_i64(&m->run.database,
		"SELECT count(*) FROM pragma_index_list('metrics', 'main') AS l WHERE l.partial = 0"
		" AND (SELECT group_concat(i.name) FROM pragma_index_info(l.name, 'main') AS i)"
		" = 'run_uuid'",
		&found);

	m->by_index = rc == 0 && found > 0;
	return rc;
}

/* What could be read of a damaged table is kept. */
static int stop_at_damage(struct mlflow_database *m, struct curve_sink *sink, int error)
{
	if (error != ERR_DAMAGED || (!m->n && !sink->health.points))
		return database_run_fail(&m->run, error);
	sink->health.bad_data++;
	curve_notes_add(&sink->notes, "damaged", "%s", err_text());
	if (!give_on(m, sink))
		m->n = 0;
	return database_run_end(&m->run, false);
}

static int read_on(struct mlflow_database *m, struct curve_sink *sink)
{
	int looked = read_rows(m, sink);

	if (looked < 0)
		return stop_at_damage(m, sink, looked);
	if (looked == DATABASE_ROWS_A_CALL && m->sorted)
		return database_run_end(&m->run, true);
	if (!give_on(m, sink)) {
		m->sorted = true;
		return start_again(m);
	}
	return database_run_end(&m->run, looked == DATABASE_ROWS_A_CALL);
}

static int mlflow_refresh(void *state, struct curve_sink *sink, const char *path)
{
	struct mlflow_database *m = state;
	bool was_open = m->run.open;
	int rc = database_run_begin(&m->run, sink, path, list_runs);

	if (rc == CURVE_VOID)
		return start_again(m);
	if (rc != DATABASE_RUN_READ)
		return rc;
	if (was_open)
		return read_on(m, sink);
	rc = table_cursor_holds(
		&m->rows, &m->run.database, "SELECT 1 FROM main.metrics WHERE rowid = ?1");
	if (rc == 0)
		return start_again(m);
	if (rc > 0)
		rc = look_for_index(m);
	if (rc >= 0)
		rc = read_settings(m, sink);
	return rc < 0 ? database_run_fail(&m->run, rc) : read_on(m, sink);
}

static void *mlflow_new(const struct curve_sink *sink)
{
	struct mlflow_database *m = xcalloc(1, sizeof *m);

	(void)sink;
	m->rows = (struct table_cursor)TABLE_CURSOR_INIT;
	return m;
}

static void mlflow_free(void *state)
{
	struct mlflow_database *m = state;

	database_run_release(&m->run);
	slots_release(&m->slots);
	free(m->batch);
	free(m->lasts);
	free(m);
}

static bool mlflow_recognise(const char *path, const char *basename, const char *head, size_t n)
{
	struct foreign_database d;
	int rc;

	(void)basename;
	if (!foreign_database_is_magic(head, n) || foreign_database_open(&d, path, NULL) < 0)
		return false;
	rc = mlflow_database_is(&d);
	foreign_database_close(&d);
	return rc > 0;
}

const struct curve_format mlflow_database_format = {
	.name = "mlflow-sqlite",
	.title = "MLflow (SQLite)",
	.delay = "each commit",
	.shape = CURVE_STORE,
	.rank = RANK_RECORDS,
	.recognise = mlflow_recognise,
	.new_state = mlflow_new,
	.free_state = mlflow_free,
	.refresh = mlflow_refresh,
	.list_runs = mlflow_list_runs,
};
