/* trackio - rows of JSON objects in the tables "metrics" and "system_metrics". */
#include "config.h"

#include "curve/trackio.h"

#include <math.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "curve/database_run.h"
#include "curve/json_scan.h"
#include "curve/reader_slots.h"

struct trackio {
	struct database_run run;
	struct table_cursor rows, system_rows;
	struct slots slots, system_slots;
	struct json_row row;
	struct buf name;
	double system_start_s;	/* of the first row of system metrics; NaN: none yet */
	bool rows_read;		/* of this reading: the system's come after them */
};

int trackio_is(struct foreign_database *d)
{
	int rc = foreign_database_has_table(d, "metrics");

	return rc > 0 ? foreign_database_has_column(d, "metrics", "metrics") : rc;
}

/* ---- its runs ---- */

/* Older files have no ids: 1, 0 or an error. */
static int has_ids(struct foreign_database *d, const char *table)
{
	return foreign_database_has_column(d, table, "run_id");
}

static struct store_run *find_run(struct store_runs *runs, const char *id)
{
	for (size_t i = 0; i < runs->n; i++)
		if (strcmp(runs->list[i].id, id) == 0)
			return &runs->list[i];
	return NULL;
}

/* In the order in which they appear.  Those before a damage are runs, too. */
static int list_runs(struct store_runs *out, struct foreign_database *d)
{
	sqlite3_stmt *st;
	int ids = has_ids(d, "metrics"), rc;
	size_t n;

	if (ids < 0)
		return ids;
	rc = foreign_database_prepare(d,
		ids ? "SELECT DISTINCT run_id, run_name FROM main.metrics NOT INDEXED"
		    : "SELECT DISTINCT run_name, run_name FROM main.metrics NOT INDEXED",
		&st);
	while (rc >= 0 && (rc = foreign_database_step(d, st)) > 0) {
		const char *id = foreign_column_text(st, 0, &n);

		if (!find_run(out, id))
			(void)store_runs_add(out, id, foreign_column_text(st, 1, &n));
	}
	sqlite3_finalize(st);
	if (rc != ERR_DAMAGED || !out->n)
		return rc;
	err_clear();
	return 0;
}

/* With points, unless they cannot be counted. */
static int list_with_points(struct store_runs *out, struct foreign_database *d)
{
	sqlite3_stmt *st;
	struct store_run *run;
	size_t n;
	int ids = has_ids(d, "metrics"), rc = list_runs(out, d);

	if (rc < 0 || ids < 0)
		return rc;
	rc = foreign_database_prepare(d,
		ids ? "SELECT run_id, count(*) FROM main.metrics GROUP BY run_id"
		    : "SELECT run_name, count(*) FROM main.metrics GROUP BY run_name",
		&st);
	while (rc >= 0 && (rc = foreign_database_step(d, st)) > 0)
		if ((run = find_run(out, foreign_column_text(st, 0, &n))))
			run->points = sqlite3_column_int64(st, 1);
	sqlite3_finalize(st);
	if (rc == ERR_CANCELLED)
		return rc;
	err_clear();
	return 0;
}

static int trackio_list_runs(struct store_runs *out, const char *path, const atomic_bool *cancel)
{
	return database_list_runs(out, path, cancel, list_with_points);
}

/* ---- configuration ---- */

static void put_config(struct trackio *t, struct curve_sink *sink, const char *p, size_t n)
{
	size_t used;

	if (!n || *p != '{' || json_scan_object(&t->row, p, n, &used) != JSON_SCAN_OK)
		return;
	for (size_t i = 0; i < t->row.n; i++) {
		const struct json_field *f = &t->row.fields[i];

		if (f->kind == JSON_FIELD_NUMBER || f->kind == JSON_FIELD_TEXT)
			settings_put(&sink->settings, f->name, f->name_n, f->text, f->text_n);
		else if (f->kind == JSON_FIELD_BOOL)
			settings_put(&sink->settings, f->name, f->name_n,
				f->number.value != 0 ? "true" : "false",
				f->number.value != 0 ? 4 : 5);
	}
}

static int read_configs(struct trackio *t, struct curve_sink *sink)
{
	struct foreign_database *d = &t->run.database;
	int rc = foreign_database_has_table(d, "configs"), ids;
	sqlite3_stmt *st;
	size_t n;

	if (rc <= 0 || (rc = foreign_database_has_column(d, "configs", "config")) <= 0)
		return rc;
	if ((ids = has_ids(d, "configs")) < 0)
		return ids;
	rc = foreign_database_prepare(d,
		ids ? "SELECT config FROM main.configs WHERE run_id = ?1 ORDER BY rowid LIMIT 100"
		    : "SELECT config FROM main.configs WHERE run_name = ?1 ORDER BY rowid LIMIT 100",
		&st);
	if (rc == 0)
		sqlite3_bind_text(st, 1, t->run.id, -1, SQLITE_STATIC);
	while (rc >= 0 && (rc = foreign_database_step(d, st)) > 0) {
		const char *text = foreign_column_text(st, 0, &n);

		put_config(t, sink, text, n);
	}
	sqlite3_finalize(st);
	return rc;
}

/* ---- points ---- */

/* The media that a field belongs to: an object with a "_type".  Its length, 0 for none. */
static size_t media_of(const struct json_row *row, const struct json_field *f)
{
	static const char type[] = "_type";

	for (size_t i = 0; i < row->n; i++) {
		const struct json_field *g = &row->fields[i];
		size_t n = g->name_n < sizeof type ? 0 : g->name_n - (sizeof type - 1);

		if (n && g->name[n - 1] == '.' && memcmp(g->name + n, type, sizeof type - 1) == 0 &&
			f->name_n >= n && memcmp(f->name, g->name, n) == 0)
			return n;
	}
	return 0;
}

static bool has_media(const struct json_row *row)
{
	for (size_t i = 0; i < row->n; i++)
		if (row->fields[i].name_n > 6 &&
			memcmp(row->fields[i].name + row->fields[i].name_n - 6, "._type", 6) == 0)
			return true;
	return false;
}

static void put_field(struct trackio *t, struct curve_sink *sink, struct slots *slots,
	const struct json_field *f, const char *prefix)
{
	struct number number;

	buf_clear(&t->name);
	buf_adds(&t->name, prefix);
	buf_add(&t->name, f->name, f->name_n);
	if (json_field_number(f, &number)) {
		slots_put(slots, t->name.s, t->name.n, number.value);
		return;
	}
	slots_put_absent(slots, t->name.s, t->name.n);
	sink->health.non_numeric += f->kind != JSON_FIELD_NULL;
}

/* Fills the slots with the row's numbers; false when it is no object. */
static bool read_object(struct trackio *t, struct curve_sink *sink, struct slots *slots,
	sqlite3_stmt *st, const char *prefix)
{
	bool media;
	size_t n, used;
	const char *p = foreign_column_text(st, 3, &n);

	if (!n || *p != '{' || json_scan_object(&t->row, p, n, &used) != JSON_SCAN_OK ||
		used != n) {
		sink->health.malformed++;
		return false;
	}
	media = has_media(&t->row);
	slots_begin_row(slots);
	for (size_t i = 0; i < t->row.n; i++) {
		const struct json_field *f = &t->row.fields[i];
		size_t in = media ? media_of(&t->row, f) : 0;

		if (in)
			sink->health.non_scalar += f->name_n == in + 5 &&
				memcmp(f->name + in, "_type", 5) == 0;
		else
			put_field(t, sink, slots, f, prefix);
	}
	return true;
}

static double time_of(struct curve_sink *sink, sqlite3_stmt *st)
{
	size_t n;
	const char *text = foreign_column_text(st, 1, &n);
	bool zone_unknown = false;
	double wall_s = NAN;

	if (number_read_iso_time(&wall_s, &zone_unknown, text, n) && zone_unknown)
		curve_sink_zone_unknown(sink);
	return wall_s;
}

static void take_row(struct trackio *t, struct curve_sink *sink, sqlite3_stmt *st)
{
	struct row_x x = { .axis = AXIS_STEP, .wall_s = time_of(sink, st), .epoch = NAN };

	if (sqlite3_column_type(st, 2) != SQLITE_INTEGER) {
		sink->health.malformed++;
		return;
	}
	x.step = sqlite3_column_int64(st, 2);
	if (!read_object(t, sink, &t->slots, st, ""))
		return;
	slots_emit(&t->slots, sink, &x);
	sink->health.records++;
}

static void take_system_row(struct trackio *t, struct curve_sink *sink, sqlite3_stmt *st)
{
	struct row_x x = { .axis = AXIS_TIME, .wall_s = time_of(sink, st), .epoch = NAN };

	if (isnan(x.wall_s)) {
		sink->health.malformed++;
		return;
	}
	if (isnan(t->system_start_s))
		t->system_start_s = x.wall_s;
	x.real = x.wall_s - t->system_start_s;
	if (!read_object(t, sink, &t->system_slots, st, "system/"))
		return;
	slots_emit(&t->system_slots, sink, &x);
	sink->health.records++;
}

typedef void take_fn(struct trackio *t, struct curve_sink *sink, sqlite3_stmt *st);

/* Number of rows that were looked at, or an error. */
static int read_rows(struct trackio *t, struct curve_sink *sink, const char *sql,
	struct table_cursor *cursor, take_fn *take)
{
	struct foreign_database *d = &t->run.database;
	sqlite3_stmt *st;
	int looked = 0, rc = foreign_database_prepare(d, sql, &st);

	if (rc == 0) {
		sqlite3_bind_int64(st, 1, cursor->last);
		sqlite3_bind_text(st, 2, t->run.id, -1, SQLITE_STATIC);
		sqlite3_bind_int(st, 3, DATABASE_ROWS_A_CALL);
	}
	while (rc >= 0 && (rc = foreign_database_step(d, st)) > 0) {
		cursor->last = sqlite3_column_int64(st, 0);
		looked++;
		if (sqlite3_column_int(st, 4))
			take(t, sink, st);
	}
	sqlite3_finalize(st);
	return rc < 0 ? rc : looked;
}

static int read_metrics(struct trackio *t, struct curve_sink *sink)
{
	int ids = has_ids(&t->run.database, "metrics");

	if (ids < 0)
		return ids;
	return read_rows(t, sink,
		ids ? "SELECT rowid, timestamp, step, metrics, run_id = ?2 FROM main.metrics"
		      " WHERE rowid > ?1 ORDER BY rowid LIMIT ?3"
		    : "SELECT rowid, timestamp, step, metrics, run_name = ?2 FROM main.metrics"
		      " WHERE rowid > ?1 ORDER BY rowid LIMIT ?3",
		&t->rows, take_row);
}

static int read_system(struct trackio *t, struct curve_sink *sink)
{
	struct foreign_database *d = &t->run.database;
	int rc = foreign_database_has_table(d, "system_metrics"), ids;

	if (rc <= 0)
		return rc;
	if ((ids = has_ids(d, "system_metrics")) < 0)
		return ids;
	return read_rows(t, sink,
		ids ? "SELECT rowid, timestamp, NULL, metrics, run_id = ?2 FROM main.system_metrics"
		      " WHERE rowid > ?1 ORDER BY rowid LIMIT ?3"
		    : "SELECT rowid, timestamp, NULL, metrics, run_name = ?2"
		      " FROM main.system_metrics WHERE rowid > ?1 ORDER BY rowid LIMIT ?3",
		&t->system_rows, take_system_row);
}

static void restart(struct trackio *t)
{
	slots_release(&t->slots);
	slots_release(&t->system_slots);
	t->rows = t->system_rows = (struct table_cursor)TABLE_CURSOR_INIT;
	t->system_start_s = NAN;
	t->rows_read = false;
}

static int start_again(struct trackio *t)
{
	restart(t);
	return database_run_fail(&t->run, CURVE_VOID);
}

/* What could be read of a damaged table is kept. */
static int stop_at_damage(struct trackio *t, struct curve_sink *sink, int error)
{
	if (error != ERR_DAMAGED || !sink->health.points)
		return database_run_fail(&t->run, error);
	sink->health.bad_data++;
	curve_notes_add(&sink->notes, "damaged", "%s", err_text());
	return database_run_end(&t->run, false);
}

static int read_on(struct trackio *t, struct curve_sink *sink)
{
	int looked = t->rows_read ? 0 : read_metrics(t, sink);

	if (looked == DATABASE_ROWS_A_CALL)
		return database_run_end(&t->run, true);
	if (looked >= 0) {
		t->rows_read = true;
		looked = read_system(t, sink);
	}
	if (looked < 0)
		return stop_at_damage(t, sink, looked);
	return database_run_end(&t->run, looked == DATABASE_ROWS_A_CALL);
}

static int trackio_refresh(void *state, struct curve_sink *sink, const char *path)
{
	struct trackio *t = state;
	bool was_open = t->run.open;
	int rc = database_run_begin(&t->run, sink, path, list_runs);

	if (rc == CURVE_VOID)
		return start_again(t);
	if (rc != DATABASE_RUN_READ)
		return rc;
	if (was_open)
		return read_on(t, sink);
	t->rows_read = false;
	rc = table_cursor_holds(
		&t->rows, &t->run.database, "SELECT 1 FROM main.metrics WHERE rowid = ?1");
	if (rc == 0)
		return start_again(t);
	if (rc > 0)
		rc = read_configs(t, sink);
	return rc < 0 ? database_run_fail(&t->run, rc) : read_on(t, sink);
}

static void *trackio_new(const struct curve_sink *sink)
{
	struct trackio *t = xcalloc(1, sizeof *t);

	(void)sink;
	t->row = (struct json_row)JSON_ROW_INIT;
	buf_init(&t->name);
	restart(t);
	return t;
}

static void trackio_free(void *state)
{
	struct trackio *t = state;

	database_run_release(&t->run);
	slots_release(&t->slots);
	slots_release(&t->system_slots);
	json_row_release(&t->row);
	buf_release(&t->name);
	free(t);
}

static bool trackio_recognise(const char *path, const char *basename, const char *head, size_t n)
{
	struct foreign_database d;
	int rc;

	(void)basename;
	if (!foreign_database_is_magic(head, n) || foreign_database_open(&d, path, NULL) < 0)
		return false;
	rc = trackio_is(&d);
	foreign_database_close(&d);
	return rc > 0;
}

const struct curve_format trackio_format = {
	.name = "trackio",
	.title = "trackio",
	.delay = "each commit",
	.shape = CURVE_STORE,
	.rank = RANK_RECORDS,
	.recognise = trackio_recognise,
	.new_state = trackio_new,
	.free_state = trackio_free,
	.refresh = trackio_refresh,
	.list_runs = trackio_list_runs,
};
