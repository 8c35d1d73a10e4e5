/*
 * Databases of trackers: rows that are added, logs beside the file, several runs.
 */
#include "config.h"

#include "tests/curve/database_fixture.h"

#include <fcntl.h>
#include <sys/file.h>

#include "curve/foreign_database.h"

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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_rows_are_added, store_setup, store_teardown),
		cmocka_unit_test_setup_teardown(
			test_rows_in_the_log_only, store_setup, store_teardown),
		cmocka_unit_test_setup_teardown(
			test_log_without_its_writer, store_setup, store_teardown),
		cmocka_unit_test_setup_teardown(
			test_writer_that_died, store_setup, store_teardown),
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
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
