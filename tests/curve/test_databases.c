/*
 * Databases of trackers: rows that are added, logs beside the file, several runs,
 * and what no tracker wrote.
 */
#include "config.h"

#include "tests/curve/store_fixture.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/file.h>

#include "curve/foreign_database.h"

/* ---- databases to read ---- */

static sqlite3 *create(const char *folder, const char *name)
{
	char *path = below(folder, name);
	sqlite3 *db;

	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, "PRAGMA synchronous=OFF", NULL, NULL, NULL), SQLITE_OK);
	free(path);
	return db;
}

static void run_sql(sqlite3 *db, const char *sql)
{
	char *error = NULL;

	if (sqlite3_exec(db, sql, NULL, NULL, &error) != SQLITE_OK)
		fail_msg("%s: %s", sql, error);
}

static sqlite3 *create_trackio(const char *folder, const char *mode)
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

static void log_loss(sqlite3 *db, const char *run, int step, const char *value)
{
	char *sql =
		xasprintf("INSERT INTO metrics (run_id, timestamp, run_name, step, metrics) VALUES"
			  " ('id-%s', '2023-11-14T22:13:%02d+00:00', '%s', %d, '{\"loss\": %s}')",
			run, 10 + step % 50, run, step, value);

	run_sql(db, sql);
	free(sql);
}

static sqlite3 *create_mlflow(const char *folder)
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

static void log_metric(sqlite3 *db, const char *run, int64_t ms, int64_t step, double value)
{
	char *sql = xasprintf("INSERT INTO metrics VALUES ('loss', %.17g, %lld, '%s', %lld, 0)",
		value, (long long)ms, run, (long long)step);

	run_sql(db, sql);
	free(sql);
}

static struct curve_file *open_below(const char *folder, const char *name, const char *run)
{
	char *path = below(folder, name);
	struct curve_file *f = open_store(path, run);

	free(path);
	return f;
}

/* ---- growth ---- */

static void test_rows_are_added(void **state)
{
	sqlite3 *db = create_trackio(*state, "DELETE");
	struct curve_file *f;

	log_loss(db, "one", 0, "2.5");
	log_loss(db, "one", 1, "2.0");
	f = open_below(*state, "demo.db", NULL);
	assert_int_equal(read_store(f), CURVE_CHANGED);
	assert_int_equal(points_of(f, "loss"), 2);
	curve_file_taken(f);
	log_loss(db, "one", 2, "\"NaN\"");
	log_loss(db, "two", 2, "9.0");
	assert_int_equal(read_store(f), CURVE_CHANGED);
	/* Of the new ones alone, and of the run alone. */
	assert_int_equal(points_of(f, "loss"), 1);
	assert_int_equal(f->sink.health.points, 3);
	assert_int_equal(f->sink.health.records, 3);
	assert_false(f->replaced);
	curve_file_free(f);
	sqlite3_close(db);
}

static void test_rows_in_the_log_only(void **state)
{
	sqlite3 *db = create_trackio(*state, "WAL");
	struct curve_file *f;
	char *before, *after;

	log_loss(db, "one", 0, "2.5");
	f = open_below(*state, "demo.db", NULL);
	for (int step = 1; step < 5; step++) {
		log_loss(db, "one", step, "2.0");
		before = picture_of(*state);
		assert_int_equal(read_store(f), CURVE_CHANGED);
		after = picture_of(*state);
		assert_string_equal(after, before);
		assert_int_equal(points_of(f, "loss"), (size_t)step + 1);
		free(before);
		free(after);
	}
	curve_file_free(f);
	sqlite3_close(db);
}

/* As a program that was killed leaves them: a log, and nobody who has it open. */
static void test_log_without_its_writer(void **state)
{
	sqlite3 *db = create_trackio(*state, "WAL");
	struct curve_file *f;
	char *copy = below(*state, "copy"), *from = below(*state, "demo.db"),
	     *log = below(*state, "demo.db-wal"), *to = below(copy, "demo.db"),
	     *to_log = below(copy, "demo.db-wal"), *link = below(*state, "link.db"), *before,
	     *after;

	log_loss(db, "one", 0, "2.5");
	log_loss(db, "one", 1, "2.25");
	assert_int_equal(fs_mkdirs(copy, 0700), 0);
	assert_int_equal(fs_copy(from, to, 0400), 0);
	assert_int_equal(fs_copy(log, to_log, 0400), 0);
	sqlite3_close(db);
	assert_int_equal(chmod(copy, 0500), 0);
	before = picture_of(copy);
	f = open_store(to, NULL);
	assert_int_equal(read_store(f), CURVE_CHANGED);
	assert_int_equal(points_of(f, "loss"), 2);
	curve_file_free(f);
	after = picture_of(copy);
	assert_string_equal(after, before);
	assert_int_equal(chmod(copy, 0700), 0);
	/* A link leads to the log, too. */
	assert_int_equal(symlink(to, link), 0);
	f = open_store(link, NULL);
	assert_int_equal(read_store(f), CURVE_CHANGED);
	assert_int_equal(points_of(f, "loss"), 2);
	curve_file_free(f);
	/* Without the log the last checkpoint is all there is: no rows at all. */
	assert_int_equal(unlink(to_log), 0);
	assert_null(curve_format_recognise(to));
	free(copy), free(from), free(log), free(to), free(to_log), free(link), free(before);
	free(after);
}

/* In copy/ what a writer leaves that dies inside a transaction: two rows, and its journal. */
static char *die_writing(const char *folder)
{
	sqlite3 *db = create_trackio(folder, "DELETE");
	char *copy = below(folder, "copy"), *from = below(folder, "demo.db"),
	     *journal = below(folder, "demo.db-journal"), *to = below(copy, "demo.db"),
	     *to_journal = below(copy, "demo.db-journal");

	run_sql(db, "PRAGMA synchronous=NORMAL");
	log_loss(db, "one", 0, "2.5");
	log_loss(db, "one", 1, "2.25");
	/* So many rows that they reach the file before the transaction ends. */
	run_sql(db, "PRAGMA cache_size=10; BEGIN; UPDATE metrics SET metrics = '{\"loss\": 9}';"
		    "WITH RECURSIVE c(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM c LIMIT 20000)"
		    " INSERT INTO metrics (run_id, timestamp, run_name, step, metrics)"
		    " SELECT 'id-one', '2023-11-14T22:13:20+00:00', 'one', i, '{\"loss\": 1}' FROM c");
	assert_int_equal(fs_mkdirs(copy, 0700), 0);
	assert_int_equal(fs_copy(from, to, 0400), 0);
	assert_int_equal(fs_copy(journal, to_journal, 0600), 0);
	assert_true(fs_size(to) > 100000);
	sqlite3_close(db);
	free(from), free(journal), free(to), free(to_journal);
	return copy;
}

/* A transaction that nobody finished is rolled back, in a private copy. */
static void test_writer_that_died(void **state)
{
	char *copy = die_writing(*state), *before = picture_of(copy), *after;
	struct curve_file *f = open_below(copy, "demo.db", NULL);

	assert_int_equal(read_store(f), CURVE_CHANGED);
	assert_int_equal(points_of(f, "loss"), 2);
	assert_true(series_value(run_series_find(f->sink.series, "loss", -1), 1) == 2.25);
	curve_file_free(f);
	after = picture_of(copy);
	assert_string_equal(after, before);
	free(copy), free(before), free(after);
}

static char *private_copy(const char *folder, const char *name, int64_t seconds)
{
	const struct timespec times[2] = { { .tv_sec = seconds }, { .tv_sec = seconds } };
	char *path = below(folder, name), *inside = xasprintf("%s/database", name);

	write_file(folder, inside, "rows");
	if (seconds)
		assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
	free(inside);
	return path;
}

/* What a killed program left goes; what is used, new or of another name stays. */
static void test_copies_left_behind(void **state)
{
	char *copy = die_writing(*state), *path = below(copy, "demo.db"),
	     *scratch = below(*state, "scratch"),
	     *left = private_copy(scratch, "portside-db-aaaaaa", 1000),
	     *used = private_copy(scratch, "portside-db-bbbbbb", 1000),
	     *fresh = private_copy(scratch, "portside-db-cccccc", 0),
	     *other = private_copy(scratch, "portside-db-notes-of-mine", 1000),
	     *link = below(scratch, "portside-db-dddddd");
	int fd = open(used, O_RDONLY | O_DIRECTORY);
	struct foreign_database d;

	assert_int_equal(flock(fd, LOCK_EX | LOCK_NB), 0);
	assert_int_equal(symlink(other, link), 0);
	assert_int_equal(setenv("TMPDIR", scratch, 1), 0);
	assert_int_equal(foreign_database_open(&d, path, NULL), 0);
	assert_false(fs_exists(left));
	assert_true(fs_exists(used) && fs_exists(fresh) && fs_exists(other) && fs_exists(link));
	/* The one in use is locked. */
	close(fd);
	fd = open(d.scratch, O_RDONLY | O_DIRECTORY);
	assert_int_equal(flock(fd, LOCK_EX | LOCK_NB), -1);
	close(fd);
	foreign_database_close(&d);
	unsetenv("TMPDIR");
	free(copy), free(path), free(scratch), free(left), free(used), free(fresh), free(other);
	free(link);
}

static void put_u32(struct buf *out, uint32_t value)
{
	for (int shift = 24; shift >= 0; shift -= 8)
		buf_addc(out, (char)(value >> shift & 0xff));
}

/* As the journal of a transaction over several databases ends. */
static void name_in_journal(const char *journal, const char *named)
{
	struct buf out = BUF_INIT;
	uint32_t sum = 0;
	FILE *f = fopen(journal, "a");

	for (const char *p = named; *p; p++)
		sum += (uint32_t)*p;
	put_u32(&out, (1u << 30) / 4096 + 1);
	buf_adds(&out, named);
	put_u32(&out, (uint32_t)strlen(named));
	put_u32(&out, sum);
	buf_add(&out, "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7", 8);
	assert_non_null(f);
	assert_int_equal(fwrite(out.s, 1, out.n, f), out.n);
	assert_int_equal(fclose(f), 0);
	buf_release(&out);
}

/* Rolling back would remove the file that the journal names. */
static void test_journal_that_names_a_file(void **state)
{
	char *copy = die_writing(*state), *journal = below(copy, "demo.db-journal"),
	     *named = below(*state, "precious.txt"), *path = below(copy, "demo.db"), *before,
	     *after;
	struct foreign_database d;

	write_file(*state, "precious.txt", "years of work");
	name_in_journal(journal, named);
	before = picture_of(copy);
	assert_int_equal(foreign_database_open(&d, path, NULL), ERR_REFUSED);
	assert_non_null(strstr(err_text(), "its rollback journal names another file"));
	assert_int_equal(fs_size(named), 13);
	after = picture_of(copy);
	assert_string_equal(after, before);
	free(copy), free(journal), free(named), free(path), free(before), free(after);
}

static void test_rows_go(void **state)
{
	sqlite3 *db = create_trackio(*state, "DELETE");
	struct curve_file *f;

	for (int step = 0; step < 10; step++)
		log_loss(db, "one", step, "1.5");
	f = open_below(*state, "demo.db", NULL);
	assert_int_equal(read_store(f), CURVE_CHANGED);
	run_sql(db, "DELETE FROM metrics WHERE step > 3");
	assert_int_equal(read_store(f), CURVE_CHANGED);
	assert_true(f->replaced);
	assert_int_equal(points_of(f, "loss"), 4);
	assert_int_equal(f->sink.health.points, 4);
	curve_file_free(f);
	sqlite3_close(db);
}

static void test_another_file(void **state)
{
	sqlite3 *db = create_trackio(*state, "DELETE");
	char *path = below(*state, "demo.db"), *aside = below(*state, "aside");
	struct curve_file *f;

	log_loss(db, "one", 0, "1.5");
	log_loss(db, "one", 1, "1.5");
	f = open_store(path, NULL);
	assert_int_equal(read_store(f), CURVE_CHANGED);
	sqlite3_close(db);
	assert_int_equal(rename(path, aside), 0);
	db = create_trackio(*state, "DELETE");
	log_loss(db, "other", 5, "7");
	assert_int_equal(read_store(f), CURVE_CHANGED);
	assert_int_equal(points_of(f, "loss"), 1);
	assert_int_equal(run_series_find(f->sink.series, "loss", -1)->x[0], 5);
	curve_file_free(f);
	sqlite3_close(db);
	free(path), free(aside);
}

/* Rows of a batch are sorted; one that belongs before what was given on sorts all. */
static void test_rows_out_of_order(void **state)
{
	sqlite3 *db = create_mlflow(*state);
	const struct series *s;
	struct curve_file *f;

	log_metric(db, "aa11", 3000, 3, 0.3);
	log_metric(db, "aa11", 1000, 1, 0.1);
	log_metric(db, "aa11", 2000, 2, 0.2);
	f = open_below(*state, "mlflow.db", NULL);
	assert_int_equal(read_store(f), CURVE_CHANGED);
	log_metric(db, "aa11", 4000, 4, 0.4);
	assert_int_equal(read_store(f), CURVE_CHANGED);
	assert_false(f->replaced);
	log_metric(db, "aa11", 1500, 7, 0.7);
	log_metric(db, "aa11", 9000000000000, INT64_C(9007199254740993), 0.9);
	assert_int_equal(read_store(f), CURVE_CHANGED);
	assert_true(f->replaced);
	s = run_series_find(f->sink.series, "loss", -1);
	assert_int_equal(s->n, 6);
	for (size_t i = 0; i < s->n; i++) {
		static const int64_t steps[] = { 1, 7, 2, 3, 4, INT64_C(9007199254740993) };

		assert_int_equal(s->x[i], steps[i]);
	}
	assert_int_equal(s->n_segments, 2);
	assert_true(series_wall(s, 1) == 1.5);
	curve_file_free(f);
	sqlite3_close(db);
}

/* A run that has logged nothing yet. */
static void test_no_rows(void **state)
{
	sqlite3 *db = create_mlflow(*state);
	struct curve_file *f = open_below(*state, "mlflow.db", NULL);

	assert_int_equal(read_store(f), CURVE_CHANGED);
	assert_int_equal(f->sink.health.points, 0);
	log_metric(db, "aa11", 1000, 0, 0.5);
	assert_int_equal(read_store(f), CURVE_CHANGED);
	assert_int_equal(points_of(f, "loss"), 1);
	curve_file_free(f);
	sqlite3_close(db);
}

/* More rows than one call takes, most of them another run's. */
static void test_many_rows(void **state)
{
	sqlite3 *db = create_mlflow(*state);
	struct curve_file *f;
	int rc, calls = 0;

	run_sql(db, "INSERT INTO runs VALUES ('bb22', 'other', 'RUNNING', 'active');"
		    "WITH RECURSIVE c(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM c LIMIT 120000)"
		    " INSERT INTO metrics SELECT 'loss', i * 0.5, i, CASE i % 3 WHEN 0 THEN 'aa11'"
		    " ELSE 'bb22' END, i, 0 FROM c");
	f = open_below(*state, "mlflow.db", "base");
	while ((rc = curve_file_refresh(f, NULL)) == CURVE_MORE)
		calls++;
	assert_int_equal(rc, CURVE_CHANGED);
	assert_int_equal(calls, 2);
	assert_int_equal(points_of(f, "loss"), 40000);
	curve_file_free(f);
	run_sql(db, "CREATE INDEX index_metrics_run_uuid ON metrics (run_uuid)");
	f = open_below(*state, "mlflow.db", "base");
	for (calls = 0; (rc = curve_file_refresh(f, NULL)) == CURVE_MORE;)
		calls++;
	assert_int_equal(rc, CURVE_CHANGED);
	assert_int_equal(calls, 0);
	assert_int_equal(points_of(f, "loss"), 40000);
	curve_file_free(f);
	sqlite3_close(db);
}

static void test_system_metrics(void **state)
{
	sqlite3 *db = create_trackio(*state, "DELETE");
	const struct series *s;
	struct curve_file *f;

	log_loss(db, "one", 0, "1.5");
	run_sql(db,
		"INSERT INTO system_metrics VALUES"
		" (1, 'id-one', '2023-11-14T22:13:20+00:00', 'one', '{\"gpu\": {\"power\": 71}}'),"
		" (2, 'id-two', '2023-11-14T22:13:21+00:00', 'two', '{\"gpu\": {\"power\": 1}}'),"
		" (3, 'id-one', '2023-11-14T22:13:50.5+00:00', 'one',"
		"  '{\"gpu\": {\"power\": 72.5}, \"picture\": {\"_type\": \"image\", \"width\": 3}}'),"
		" (4, 'id-one', 'then', 'one', '{\"gpu\": {\"power\": 1}}'),"
		" (5, 'id-one', '2023-11-14T22:13:50.5+00:00', 'one', '[1]')");
	f = open_below(*state, "demo.db", NULL);
	assert_int_equal(read_store(f), CURVE_CHANGED);
	s = run_series_find(f->sink.series, "system/gpu.power", AXIS_TIME);
	assert_non_null(s);
	assert_int_equal(s->n, 2);
	assert_true(series_x(s, 0) == 0);
	assert_true(series_x(s, 1) == 30.5);
	assert_true(series_value(s, 1) == 72.5);
	assert_int_equal(f->sink.health.malformed, 2);
	assert_int_equal(f->sink.health.non_scalar, 1);
	assert_null(run_series_find(f->sink.series, "system/picture.width", -1));
	curve_file_free(f);
	sqlite3_close(db);
}

/* ---- which run ---- */

static void refuses(const char *path, const char *run, int code, const char *words)
{
	struct curve_file *f = open_store(path, run);

	assert_int_equal(read_store(f), code);
	if (!strstr(f->error_text, words))
		fail_msg("\"%s\" does not say \"%s\"", f->error_text, words);
	curve_file_free(f);
}

static void takes(const char *path, const char *run, double first)
{
	struct curve_file *f = open_store(path, run);

	if (read_store(f) != CURVE_CHANGED)
		fail_msg("%s", f->error_text);
	assert_true(series_value(run_series_find(f->sink.series, "loss", -1), 0) == first);
	curve_file_free(f);
}

static void test_several_runs(void **state)
{
	sqlite3 *db = create_mlflow(*state);
	char *path = below(*state, "mlflow.db"), *choice = store_choice_path(path);

	run_sql(db, "INSERT INTO runs VALUES ('ab22', 'tpu', 'FAILED', 'active'),"
		    " ('cc33', 'tpu', 'RUNNING', 'active'), ('dd44', 'old', 'FINISHED', 'deleted'),"
		    " ('ee55', 'es\x1b[31mc', 'FINISHED', 'active')");
	log_metric(db, "aa11", 1, 0, 1.0);
	log_metric(db, "ab22", 1, 0, 2.0);
	log_metric(db, "dd44", 1, 0, 4.0);
	log_metric(db, "ee55", 1, 0, 5.0);
	refuses(path, NULL, ERR_USAGE, "base [aa11]");
	refuses(path, NULL, ERR_USAGE, "es^[[31mc [ee55]");
	refuses(path, NULL, ERR_USAGE, "mlflow.db holds 4 runs; name one with --run of import: ");
	refuses(path, "tpu", ERR_USAGE, "mlflow.db has 2 runs \"tpu\"; name one by its id: ");
	refuses(path, "a", ERR_USAGE, "mlflow.db has 2 runs \"a\"");
	refuses(path, "nobody", ERR_NOT_FOUND, "mlflow.db has no run \"nobody\"; it has: ");
	takes(path, "base", 1.0);
	takes(path, "aa11", 1.0);
	takes(path, "aa", 1.0);
	takes(path, "ab22", 2.0);
	takes(path, "old", 4.0);
	write_bytes(choice, "ee55\n", 5);
	takes(path, NULL, 5.0);
	takes(path, "base", 1.0);
	sqlite3_close(db);
	free(path), free(choice);
}

static void test_list_of_runs(void **state)
{
	sqlite3 *db = create_mlflow(*state);
	struct store_runs runs = STORE_RUNS_INIT;
	char *path = below(*state, "mlflow.db");
	struct buf list = BUF_INIT;

	run_sql(db, "INSERT INTO runs VALUES ('dd44', 'old', 'FINISHED', 'deleted'),"
		    " ('ff66', '', 'RUNNING', 'active')");
	log_metric(db, "aa11", 1, 0, 1.0);
	log_metric(db, "aa11", 2, 1, 1.0);
	log_metric(db, "ff66", 2, 1, 1.0);
	assert_int_equal(
		curve_format_recognise(path)->list_runs(&runs, path, NULL), 0);
	assert_int_equal(runs.n, 3);
	assert_true(runs.list[1].deleted);
	store_runs_add_list(&list, &runs);
	assert_string_equal(list.s, "base [aa11] 2 points FINISHED, ff66 1 point RUNNING");
	buf_release(&list);
	store_runs_release(&runs);
	sqlite3_close(db);
	free(path);
}

/* ---- what no tracker wrote ---- */

static void is_not_taken(const char *path, int code, const char *words)
{
	assert_null(curve_format_recognise(path));
	assert_int_equal(err_code(), code);
	if (!strstr(err_text(), words))
		fail_msg("\"%s\" does not say \"%s\"", err_text(), words);
}

static void test_other_programs(void **state)
{
	sqlite3 *db = create(*state, "cookies.sqlite");
	char *path = below(*state, "cookies.sqlite"), *packed = below(*state, "x.db");
	char noise[4096] = "SQLite format 3";

	run_sql(db, "CREATE TABLE cookies (a, b)");
	sqlite3_close(db);
	is_not_taken(path, ERR_NOT_FOUND, "another program");
	srand(1);
	for (size_t i = 16; i < sizeof noise; i++)
		noise[i] = (char)rand();
	write_bytes(path, noise, sizeof noise);
	assert_null(curve_format_recognise(path));
	assert_int_equal(err_code(), ERR_DAMAGED);
	write_bytes(path, noise, 16);
	assert_null(curve_format_recognise(path));
	write_bytes(packed, "\x1f\x8b\x08rest", 7);
	is_not_taken(packed, ERR_PARSE, "packed with gzip; unpack it first");
	free(path), free(packed);
}

/* A view is no table, whatever it would compute; triggers of a reader never run. */
static void test_hostile_schema(void **state)
{
	sqlite3 *db = create(*state, "view.db");
	char *path = below(*state, "view.db");

	run_sql(db, "CREATE TABLE latest_metrics (key);"
		    "CREATE VIEW metrics AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1"
		    " FROM c) SELECT x AS metrics FROM c;"
		    "CREATE VIEW runs AS SELECT metrics AS run_uuid FROM metrics");
	sqlite3_close(db);
	is_not_taken(path, ERR_NOT_FOUND, "another program");
	assert_int_equal(unlink(path), 0);
	db = create(*state, "view.db");
	run_sql(db, "CREATE TABLE metrics (key, value, timestamp, run_uuid, step, is_nan);"
		    "CREATE TABLE latest_metrics (key);"
		    "CREATE VIEW runs AS SELECT 1 AS run_uuid, 2 AS name, 3 AS status,"
		    " 4 AS lifecycle_stage");
	sqlite3_close(db);
	refuses(path, NULL, ERR_PARSE, "table of runs is missing");
	free(path);
}

/* Values of the wrong kinds, names with controls, steps at the ends of their range. */
static void test_hostile_rows(void **state)
{
	sqlite3 *db = create_mlflow(*state);
	struct curve_file *f;
	const struct series *s;

	run_sql(db,
		"INSERT INTO metrics (rowid, key, value, timestamp, run_uuid, step, is_nan) VALUES"
		" (-5, 'loss', 1, 1, 'aa11', -9223372036854775808, 0),"
		" (2147483647, 'loss', 2, 2, 'aa11', 9223372036854775807, 0),"
		" (2147483648, 'loss', 'text', 3, 'aa11', 1, 0),"
		" (2147483649, 'loss', x'00ff', 3, 'aa11', 1, 0),"
		" (2147483650, 'loss', 1, 3, 'aa11', 'step', 0),"
		" (2147483651, NULL, 1, 3, 'aa11', 1, 0),"
		" (2147483652, '../../../etc/x\x1b]0;t\x07\n', 1, 3, 'aa11', 1, 0),"
		" (9223372036854775807, 'loss', 0, NULL, 'aa11', NULL, 1);"
		"INSERT INTO params VALUES ('k\n', 'v\x1b', 'aa11')");
	f = open_below(*state, "mlflow.db", NULL);
	assert_int_equal(read_store(f), CURVE_CHANGED);
	s = run_series_find(f->sink.series, "loss", -1);
	assert_int_equal(s->n, 2);
	assert_true(s->x[0] == INT64_MIN && s->x[1] == INT64_MAX);
	assert_int_equal(points_of(f, "../../../etc/x\x1b]0;t\x07\n"), 1);
	assert_int_equal(f->sink.health.malformed, 3);
	assert_int_equal(f->sink.health.non_numeric, 2);
	assert_string_equal(settings_find(&f->sink.settings, "k\n"), "v\x1b");
	/* Nothing follows the last row number there is. */
	assert_true(read_store(f) >= 0);
	assert_int_equal(points_of(f, "loss"), 2);
	curve_file_free(f);
	sqlite3_close(db);
}

static void test_busy(void **state)
{
	sqlite3 *db = create_trackio(*state, "DELETE");
	char *path = below(*state, "demo.db");
	struct curve_file *f;

	log_loss(db, "one", 0, "1.5");
	f = open_store(path, NULL);
	run_sql(db, "BEGIN EXCLUSIVE");
	assert_int_equal(read_store(f), ERR_BUSY);
	assert_non_null(strstr(f->error_text, "another program is writing to it"));
	run_sql(db, "COMMIT");
	assert_int_equal(read_store(f), CURVE_CHANGED);
	assert_null(f->error_text);
	assert_int_equal(points_of(f, "loss"), 1);
	curve_file_free(f);
	sqlite3_close(db);
	free(path);
}

static void test_stopped(void **state)
{
	sqlite3 *db = create_trackio(*state, "DELETE");
	atomic_bool cancel = true;
	struct curve_file *f;

	run_sql(db,
		"WITH RECURSIVE c(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM c LIMIT 20000)"
		" INSERT INTO metrics (run_id, timestamp, run_name, step, metrics)"
		" SELECT 'id-one', '2023-11-14T22:13:20+00:00', 'one', i, '{\"loss\": 1}' FROM c");
	f = open_below(*state, "demo.db", NULL);
	assert_int_equal(curve_file_refresh(f, &cancel), ERR_CANCELLED);
	assert_int_equal(read_store(f), CURVE_CHANGED);
	assert_int_equal(points_of(f, "loss"), 20000);
	curve_file_free(f);
	sqlite3_close(db);
}

static struct buf sample_bytes(const char *folder)
{
	sqlite3 *db = create_trackio(folder, "DELETE");
	char *path = below(folder, "demo.db");
	struct buf bytes = BUF_INIT;

	for (int step = 0; step < 400; step++)
		log_loss(db, "one", step, "1.25");
	sqlite3_close(db);
	assert_int_equal(fs_read(&bytes, path, 0), 0);
	free(path);
	return bytes;
}

/* Whatever it is, it ends, and no more points come out than were put in. */
static size_t read_bytes(const char *path, const char *bytes, size_t n)
{
	struct curve_options options = { .store_run = "one" };
	struct curve_file *f;
	size_t points;

	write_bytes(path, bytes, n);
	f = curve_file_new(path, &options);
	if (!f)
		return 0;
	if (read_store(f) < 0)
		assert_non_null(f->error_text);
	points = points_of(f, "loss");
	curve_file_free(f);
	assert_true(points <= 400);
	return points;
}

static void test_cut_short(void **state)
{
	struct buf bytes = sample_bytes(*state);
	char *path = below(*state, "cut.db");
	size_t some = 0;

	assert_int_equal(read_bytes(path, bytes.s, bytes.n), 400);
	for (size_t n = 0; n < bytes.n; n += 1024)
		some += read_bytes(path, bytes.s, n) > 0;
	/* Less than a page is missing: all rows before it are read. */
	assert_true(some > 0);
	buf_release(&bytes);
	free(path);
}

/* One page of rows is lost: those before it are read, and it is told. */
static void test_lost_page(void **state)
{
	struct buf bytes = sample_bytes(*state);
	char *path = below(*state, "lost.db");
	struct curve_file *f;

	assert_true(bytes.n > 7 * 4096);
	memset(bytes.s + bytes.n - 2 * 4096, 0xff, 4096);
	write_bytes(path, bytes.s, bytes.n);
	f = open_store(path, NULL);
	assert_int_equal(read_store(f), CURVE_CHANGED);
	assert_true(points_of(f, "loss") > 100 && points_of(f, "loss") < 400);
	assert_int_equal(f->sink.health.bad_data, 1);
	assert_true(curve_notes_has(&f->sink.notes, "damaged"));
	curve_file_free(f);
	buf_release(&bytes);
	free(path);
}

static void test_flipped_bits(void **state)
{
	struct buf bytes = sample_bytes(*state);
	char *path = below(*state, "flipped.db");

	srand(7);
	for (int i = 0; i < 150; i++) {
		size_t at = i < 50 ? (size_t)rand() % 200 : (size_t)rand() % bytes.n;
		char was = bytes.s[at];

		bytes.s[at] = (char)(was ^ (1 << rand() % 8));
		(void)read_bytes(path, bytes.s, bytes.n);
		bytes.s[at] = was;
	}
	buf_release(&bytes);
	free(path);
}

/* Bytes of an address of SQLite in a name mean nothing. */
static void test_odd_names(void **state)
{
	static const char *const names[] = { "a?mode=rwc&x=#.db", "file:%41 b.db", "ünï\x01.db" };

	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		sqlite3 *db = create_trackio(*state, "DELETE");
		char *from = below(*state, "demo.db"), *to = below(*state, names[i]);
		struct curve_file *f;

		log_loss(db, "one", 0, "1.5");
		sqlite3_close(db);
		assert_int_equal(rename(from, to), 0);
		f = open_store(to, NULL);
		assert_int_equal(read_store(f), CURVE_CHANGED);
		assert_int_equal(points_of(f, "loss"), 1);
		curve_file_free(f);
		free(from), free(to);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_rows_are_added, store_setup, store_teardown),
		cmocka_unit_test_setup_teardown(
			test_rows_in_the_log_only, store_setup, store_teardown),
		cmocka_unit_test_setup_teardown(
			test_log_without_its_writer, store_setup, store_teardown),
		cmocka_unit_test_setup_teardown(test_writer_that_died, store_setup, store_teardown),
		cmocka_unit_test_setup_teardown(
			test_copies_left_behind, store_setup, store_teardown),
		cmocka_unit_test_setup_teardown(
			test_journal_that_names_a_file, store_setup, store_teardown),
		cmocka_unit_test_setup_teardown(test_rows_go, store_setup, store_teardown),
		cmocka_unit_test_setup_teardown(test_another_file, store_setup, store_teardown),
		cmocka_unit_test_setup_teardown(
			test_rows_out_of_order, store_setup, store_teardown),
		cmocka_unit_test_setup_teardown(test_no_rows, store_setup, store_teardown),
		cmocka_unit_test_setup_teardown(test_many_rows, store_setup, store_teardown),
		cmocka_unit_test_setup_teardown(test_system_metrics, store_setup, store_teardown),
		cmocka_unit_test_setup_teardown(test_several_runs, store_setup, store_teardown),
		cmocka_unit_test_setup_teardown(test_list_of_runs, store_setup, store_teardown),
		cmocka_unit_test_setup_teardown(test_other_programs, store_setup, store_teardown),
		cmocka_unit_test_setup_teardown(test_hostile_schema, store_setup, store_teardown),
		cmocka_unit_test_setup_teardown(test_hostile_rows, store_setup, store_teardown),
		cmocka_unit_test_setup_teardown(test_busy, store_setup, store_teardown),
		cmocka_unit_test_setup_teardown(test_stopped, store_setup, store_teardown),
		cmocka_unit_test_setup_teardown(test_cut_short, store_setup, store_teardown),
		cmocka_unit_test_setup_teardown(test_lost_page, store_setup, store_teardown),
		cmocka_unit_test_setup_teardown(test_flipped_bits, store_setup, store_teardown),
		cmocka_unit_test_setup_teardown(test_odd_names, store_setup, store_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
