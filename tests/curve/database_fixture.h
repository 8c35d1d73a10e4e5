/*
 * database_fixture - databases as trackers write them, for the tests of their readers.
 */
#ifndef PORTSIDE_TESTS_CURVE_DATABASE_FIXTURE_H
#define PORTSIDE_TESTS_CURVE_DATABASE_FIXTURE_H

#include "tests/curve/store_fixture.h"

#include <sqlite3.h>

static inline sqlite3 *create(const char *folder, const char *name)
{
	char *path = below(folder, name);
	sqlite3 *db;

	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, "PRAGMA synchronous=OFF", NULL, NULL, NULL), SQLITE_OK);
	free(path);
	return db;
}

static inline void run_sql(sqlite3 *db, const char *sql)
{
	char *error = NULL;

	if (sqlite3_exec(db, sql, NULL, NULL, &error) != SQLITE_OK)
		fail_msg("%s: %s", sql, error);
}

static inline sqlite3 *create_trackio(const char *folder, const char *mode)
{
	sqlite3 *db = create(folder, "demo.db");
	char *journal = xasprintf("PRAGMA journal_mode=%s", mode);

	run_sql(db, journal);
	run_sql(db, "PRAGMA wal_autocheckpoint=0");
	run_sql(db, "CREATE TABLE metrics (id INTEGER PRIMARY KEY AUTOINCREMENT, run_id TEXT,"
		    " timestamp TEXT, run_name TEXT, step INTEGER, metrics TEXT);"
		    "CREATE TABLE system_metrics (id INTEGER PRIMARY KEY, run_id TEXT,"
		    " timestamp TEXT, run_name TEXT, metrics TEXT);"
		    "CREATE TABLE configs (id INTEGER PRIMARY KEY, run_id TEXT, run_name TEXT,"
		    " config TEXT, created_at TEXT)");
	free(journal);
	return db;
}

static inline void log_loss(sqlite3 *db, const char *run, int step, const char *value)
{
	char *sql =
		xasprintf("INSERT INTO metrics (run_id, timestamp, run_name, step, metrics) VALUES"
			  " ('id-%s', '2023-11-14T22:13:%02d+00:00', '%s', %d, '{\"loss\": %s}')",
			run, 10 + step % 50, run, step, value);

	run_sql(db, sql);
	free(sql);
}

static inline sqlite3 *create_mlflow(const char *folder)
{
	sqlite3 *db = create(folder, "mlflow.db");

	run_sql(db,
		"CREATE TABLE metrics (key TEXT, value FLOAT, timestamp BIGINT, run_uuid TEXT,"
		" step BIGINT, is_nan BOOLEAN);"
		"CREATE TABLE latest_metrics (key TEXT, value FLOAT, timestamp BIGINT, step BIGINT,"
		" is_nan BOOLEAN, run_uuid TEXT);"
		"CREATE TABLE params (key TEXT, value TEXT, run_uuid TEXT);"
		"CREATE TABLE tags (key TEXT, value TEXT, run_uuid TEXT);"
		"CREATE TABLE runs (run_uuid TEXT PRIMARY KEY, name TEXT, status TEXT,"
		" lifecycle_stage TEXT);"
		"INSERT INTO runs VALUES ('aa11', 'base', 'FINISHED', 'active')");
	return db;
}

static inline void log_metric(sqlite3 *db, const char *run, int64_t ms, int64_t step, double value)
{
	char *sql = xasprintf("INSERT INTO metrics VALUES ('loss', %.17g, %lld, '%s', %lld, 0)",
		value, (long long)ms, run, (long long)step);

	run_sql(db, sql);
	free(sql);
}

static inline struct curve_file *open_below(const char *folder, const char *name, const char *run)
{
	char *path = below(folder, name);
	struct curve_file *f = open_store(path, run);

	free(path);
	return f;
}

/* Recognised, and then not read: CODE with WORDS. */
static inline void refuses(const char *path, const char *run, int code, const char *words)
{
	struct curve_file *f = open_store(path, run);

	assert_int_equal(read_store(f), code);
	if (!strstr(f->error_text, words))
		fail_msg("\"%s\" does not say \"%s\"", f->error_text, words);
	curve_file_free(f);
}

#endif
