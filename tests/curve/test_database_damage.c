/*
 * Databases that no tracker wrote, are cut, damaged, locked, or had their log left behind:
 * each says what is the matter, and gives the rows that it has.
 */
#include "config.h"

#include "tests/curve/database_fixture.h"

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

/* A view is no table, whatever it would compute. */
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

/* A copy of the file alone, while its rows are in the log that stayed behind. */
static void test_log_left_behind(void **state)
{
	sqlite3 *db = create_trackio(*state, "WAL");
	char *path = below(*state, "demo.db"), *alone = below(*state, "alone.db");
	struct curve_file *f;

	log_loss(db, "one", 0, "2.5");
	assert_int_equal(fs_copy(path, alone, 0600), 0);
	is_not_taken(alone, ERR_NOT_FOUND,
		"alone.db: no run is in it, and the log that its newest rows go to, alone.db-wal, is not beside it; bring both");
	run_sql(db, "DELETE FROM metrics; PRAGMA wal_checkpoint(TRUNCATE)");
	log_loss(db, "one", 0, "2.5");
	assert_int_equal(unlink(alone), 0);
	assert_int_equal(fs_copy(path, alone, 0600), 0);
	refuses(alone, NULL, ERR_NOT_FOUND, "alone.db-wal, is not beside it");
	/* Merged, as a tracker that was closed leaves it. */
	sqlite3_close(db);
	assert_int_equal(unlink(alone), 0);
	assert_int_equal(fs_copy(path, alone, 0600), 0);
	f = open_store(alone, NULL);
	assert_int_equal(read_store(f), CURVE_CHANGED);
	assert_int_equal(points_of(f, "loss"), 1);
	curve_file_free(f);
	free(path), free(alone);
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
	assert_non_null(strstr(f->error_text,
		"demo.db: another program has it locked and is writing to it; a view reads it at its next look, "
		"an import is repeated when that program is done, or has been stopped"));
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

enum { PAGE_BYTES = 4096 };

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
	/* Less than a page is missing: all rows before it are read; else none is believed. */
	for (size_t n = 0; n < bytes.n; n += 1024) {
		size_t points = read_bytes(path, bytes.s, n);

		if (bytes.n - n < PAGE_BYTES)
			assert_true(points > 350 && points < 400);
		else
			assert_int_equal(points, 0);
		some += points > 0;
	}
	assert_int_equal(some, PAGE_BYTES / 1024 - 1);
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
		cmocka_unit_test_setup_teardown(test_other_programs, store_setup, store_teardown),
		cmocka_unit_test_setup_teardown(test_hostile_schema, store_setup, store_teardown),
		cmocka_unit_test_setup_teardown(test_hostile_rows, store_setup, store_teardown),
		cmocka_unit_test_setup_teardown(test_log_left_behind, store_setup, store_teardown),
		cmocka_unit_test_setup_teardown(test_busy, store_setup, store_teardown),
		cmocka_unit_test_setup_teardown(test_stopped, store_setup, store_teardown),
		cmocka_unit_test_setup_teardown(test_cut_short, store_setup, store_teardown),
		cmocka_unit_test_setup_teardown(test_lost_page, store_setup, store_teardown),
		cmocka_unit_test_setup_teardown(test_flipped_bits, store_setup, store_teardown),
		cmocka_unit_test_setup_teardown(test_odd_names, store_setup, store_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
