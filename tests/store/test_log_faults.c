/* What happens to acknowledged events when processes die, disks fill and writes fail. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#include <sqlite3.h>

#include "base/err.h"
#include "base/fs.h"
#include "log_fixture.h"
#include "store/verify.h"

enum { WRITERS = 3, KILLS = 25, ACKS_BETWEEN = 7 };

/* ---- a file system that fails at the n-th write or sync -------------------- */

struct failing_file {
	sqlite3_file base;
	sqlite3_io_methods methods;
	sqlite3_file *real;
};

/* Calls left until one fails; negative: never. */
static int calls_left = -1;
static bool fail_from_then_on;

static bool fails(void)
{
	if (calls_left < 0)
		return false;
	if (calls_left > 0) {
		calls_left--;
		return false;
	}
	if (!fail_from_then_on)
		calls_left = -1;
	return true;
}

static sqlite3_file *real_file(sqlite3_file *f)
{
	return ((struct failing_file *)f)->real;
}

static int f_close(sqlite3_file *f)
{
	int rc = real_file(f)->pMethods->xClose(real_file(f));

	sqlite3_free(real_file(f));
	return rc;
}

static int f_read(sqlite3_file *f, void *p, int n, sqlite3_int64 at)
{
	return real_file(f)->pMethods->xRead(real_file(f), p, n, at);
}

/* A failing write leaves half of it behind, as a crash or a full disk does. */
static int f_write(sqlite3_file *f, const void *p, int n, sqlite3_int64 at)
{
	if (fails()) {
		real_file(f)->pMethods->xWrite(real_file(f), p, n / 2, at);
		return SQLITE_IOERR_WRITE;
	}
	return real_file(f)->pMethods->xWrite(real_file(f), p, n, at);
}

static int f_truncate(sqlite3_file *f, sqlite3_int64 n)
{
	return fails() ? SQLITE_IOERR_TRUNCATE : real_file(f)->pMethods->xTruncate(real_file(f), n);
}

static int f_sync(sqlite3_file *f, int flags)
{
	return fails() ? SQLITE_IOERR_FSYNC : real_file(f)->pMethods->xSync(real_file(f), flags);
}

static int f_size(sqlite3_file *f, sqlite3_int64 *n)
{
	return real_file(f)->pMethods->xFileSize(real_file(f), n);
}

static int f_lock(sqlite3_file *f, int level)
{
	return real_file(f)->pMethods->xLock(real_file(f), level);
}

static int f_unlock(sqlite3_file *f, int level)
{
	return real_file(f)->pMethods->xUnlock(real_file(f), level);
}

static int f_reserved(sqlite3_file *f, int *out)
{
	return real_file(f)->pMethods->xCheckReservedLock(real_file(f), out);
}

static int f_control(sqlite3_file *f, int op, void *p)
{
	return real_file(f)->pMethods->xFileControl(real_file(f), op, p);
}

static int f_sector(sqlite3_file *f)
{
	return real_file(f)->pMethods->xSectorSize(real_file(f));
}

static int f_features(sqlite3_file *f)
{
	return real_file(f)->pMethods->xDeviceCharacteristics(real_file(f));
}

static const sqlite3_io_methods failing_methods = {
	1, f_close, f_read, f_write, f_truncate, f_sync, f_size, f_lock, f_unlock, f_reserved,
	f_control, f_sector, f_features, NULL, NULL, NULL, NULL, NULL, NULL,
};

static sqlite3_vfs *real_vfs;
static sqlite3_vfs failing_vfs;

static int v_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *f, int flags, int *out)
{
	struct failing_file *file = (struct failing_file *)f;
	int rc;

	(void)vfs;
	memset(file, 0, sizeof *file);
	file->real = sqlite3_malloc(real_vfs->szOsFile);
	rc = real_vfs->xOpen(real_vfs, name, file->real, flags, out);
	if (rc == SQLITE_OK)
		file->base.pMethods = &failing_methods;
	else
		sqlite3_free(file->real);
	return rc;
}

static int v_delete(sqlite3_vfs *vfs, const char *name, int sync)
{
	(void)vfs;
	return fails() ? SQLITE_IOERR_DELETE : real_vfs->xDelete(real_vfs, name, sync);
}

static int failing_vfs_setup(void **state)
{
	real_vfs = sqlite3_vfs_find(NULL);
	failing_vfs = *real_vfs;
	failing_vfs.zName = "failing";
	failing_vfs.szOsFile = sizeof(struct failing_file);
	failing_vfs.xOpen = v_open;
	failing_vfs.xDelete = v_delete;
	if (sqlite3_vfs_register(&failing_vfs, 1) != SQLITE_OK)
		return -1;
	return fixture_setup(state);
}

static int failing_vfs_teardown(void **state)
{
	calls_left = -1;
	sqlite3_vfs_unregister(&failing_vfs);
	return fixture_teardown(state);
}

/* ---- checks ----------------------------------------------------------------- */

static void verify_sound(struct fixture *f, struct log *log)
{
	struct verify_options o = { .full = true };
	struct verify_report r;
	enum projection_state s;

	assert_int_equal(log_verify(log, &o, &f->a, &r), 0);
	if (r.n_defects)
		fail_msg("%s", r.findings[0].text);
	assert_int_equal(projection_state(log, &s), 0);
	assert_int_equal(s, PROJECTION_FRESH);
}

static void assert_has(struct fixture *f, struct log *log, const struct digest *ids, size_t n)
{
	struct event *e;
	size_t i;

	for (i = 0; i < n; i++)
		if (log_event(log, &ids[i], &f->a, &e) < 0)
			fail_msg("acknowledged event %zu of %zu is lost: %s", i + 1, n, err_text());
}

/*
 * The n-th write, sync, truncation or removal of the journal fails, for every n,
 * once or from then on.  An error means that nothing of the event is there; what
 * was acknowledged before always is.
 */
static void fail_at_every_call(void **state, bool lasting)
{
	struct event_draft d = { .actor = "tool:t", .kind = "test.set", .object = "x" };
	struct fixture *f = *state;
	struct log *log = fixture_log(f);
	struct digest ids[400];
	struct event *e;
	size_t n = 0;
	int64_t count;
	int at, rc, failed = 0;

	fail_from_then_on = lasting;
	/* Until an append makes fewer calls than it may. */
	for (at = 0; ; at++) {
		assert_true(at < (int)ARRAY_LEN(ids));
		calls_left = at;
		rc = log_append(log, &d, &f->a, &e);
		if (rc < 0) {
			failed++;
			assert_int_equal(rc, ERR_IO);
			assert_non_null(strstr(err_text(), "nothing of this was recorded"));
		} else {
			ids[n++] = e->id;
			if (calls_left >= 0)
				break;
		}
		calls_left = -1;
		if (lasting) {
			log_close(log);
			log = fixture_log(f);
		}
		assert_has(f, log, ids, n);
		assert_int_equal(log_count(log, &count), 0);
		assert_int_equal(count, n);
	}
	calls_left = -1;
	assert_true(failed > 20);
	verify_sound(f, log);
	log_close(log);
}

static void test_one_failing_call(void **state)
{
	fail_at_every_call(state, false);
}

static void test_calls_fail_from_then_on(void **state)
{
	fail_at_every_call(state, true);
}

static void test_full_disk(void **state)
{
	char text[2000];
	struct event_blob blob = { "text", text, sizeof text };
	struct event_draft d = { .actor = "tool:t", .kind = "test.set", .object = "x",
				 .blobs = &blob, .n_blobs = 1 };
	struct fixture *f = *state;
	struct log *log = fixture_log(f);
	struct rlimit unlimited, limit;
	struct digest ids[1000];
	struct event *e;
	size_t n = 0;
	int rc = 0;

	memset(text, 'x', sizeof text);
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &unlimited), 0);
	limit = unlimited;
	limit.rlim_cur = 400 * 1024;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
	while (n < ARRAY_LEN(ids) && (rc = log_append(log, &d, &f->a, &e)) == 0)
		ids[n++] = e->id;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &unlimited), 0);
	assert_int_equal(rc, ERR_IO);
	assert_non_null(strstr(err_text(), "nothing of this was recorded: free some space"));
	assert_true(n > 10);
	assert_has(f, log, ids, n);
	assert_int_equal(log_append(log, &d, &f->a, &e), 0);
	verify_sound(f, log);
	log_close(log);
}

static void test_read_only_folder(void **state)
{
	struct event_draft d = { .actor = "tool:t", .kind = "test.set", .object = "x" };
	struct log_options look = { .read_only = true, .projector = &test_projector };
	struct fixture *f = *state;
	struct log *log = fixture_log(f);
	struct projection_row *row;
	int rc;

	append_n(f, log, 3);
	if (geteuid() == 0) {
		log_close(log);
		skip();		/* root may write anywhere */
	}
	assert_int_equal(chmod(f->folder, 0500), 0);
	rc = log_append(log, &d, &f->a, NULL);
	assert_int_equal(rc, ERR_IO);
	assert_non_null(strstr(err_text(), "check the permissions"));
	log_close(log);
	assert_int_equal(log_open(&log, f->folder, &look), 0);
	assert_int_equal(projection_get(log, "object", "even", NULL, &f->a, &row), 1);
	log_close(log);
	assert_int_equal(chmod(f->folder, 0700), 0);
}

/*
 * What a crash in the middle of a transaction leaves: changed pages in the file
 * and a journal that takes them back.
 */
static void test_interrupted_transaction(void **state)
{
	static const char unfinished[] =
		"PRAGMA cache_size = 5; BEGIN IMMEDIATE;"
		" WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)"
		" INSERT INTO blob(digest, salt, bytes) SELECT randomblob(32), x'', zeroblob(3000) FROM n";
	struct fixture *f = *state;
	struct log_options look = { .read_only = true };
	struct log *log = fixture_log(f);
	char *copy = arena_printf(&f->a, "%s/copy", f->folder);
	char *db = arena_printf(&f->a, "%s/log.db", copy);
	int64_t count;
	sqlite3 *c;

	append_n(f, log, 20);
	log_close(log);
	assert_int_equal(fs_mkdirs(copy, 0700), 0);
	assert_int_equal(sqlite3_open(f->db, &c), SQLITE_OK);
	assert_int_equal(sqlite3_exec(c, unfinished, NULL, NULL, NULL), SQLITE_OK);
	assert_int_equal(fs_copy(f->db, db, 0600), 0);
	assert_int_equal(fs_copy(arena_printf(&f->a, "%s-journal", f->db),
				 arena_printf(&f->a, "%s-journal", db), 0600), 0);
	sqlite3_close(c);
	assert_int_equal(log_open(&log, copy, &look), ERR_STATE);
	assert_non_null(strstr(err_text(), "open it once for writing"));
	snprintf(f->db, sizeof f->db, "%s", db);
	snprintf(f->folder + strlen(f->folder), sizeof f->folder - strlen(f->folder), "/copy");
	log = fixture_log(f);
	assert_int_equal(log_count(log, &count), 0);
	assert_int_equal(count, 20);
	assert_int_equal(plain_i64(f->db, "SELECT count(*) FROM blob"), 0);
	verify_sound(f, log);
	log_close(log);
	f->folder[strlen(f->folder) - strlen("/copy")] = '\0';
}

/* ---- processes that are killed ------------------------------------------------ */

/* Appends until it is killed, and writes each id after it was acknowledged. */
static void write_for_ever(const char *folder, int out)
{
	struct log_options o = { .projector = &test_projector, .busy_limit_ms = 60000 };
	struct event_blob text = { "text", "some text", 9 };
	struct event_draft d = { .actor = "tool:t", .kind = "test.set", .object = "x",
				 .blobs = &text, .n_blobs = 1 };
	struct arena a = ARENA_INIT;
	struct event *e;
	struct log *log;

	if (log_open(&log, folder, &o) < 0)
		_exit(2);
	for (;;) {
		if (log_append(log, &d, &a, &e) < 0)
			_exit(3);
		if (write(out, e->id.bytes, sizeof e->id.bytes) != (ssize_t)sizeof e->id.bytes)
			_exit(4);
		arena_release(&a);
	}
}

static pid_t start_writer(const char *folder, int in, int out)
{
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0) {
		close(in);
		write_for_ever(folder, out);
	}
	return pid;
}

static void kill_and_wait(pid_t pid)
{
	int status;

	kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status));
}

static void test_killed_writers_lose_nothing(void **state)
{
	struct fixture *f = *state;
	struct digest *ids = NULL, id;
	size_t n = 0, cap = 0;
	pid_t writers[WRITERS];
	unsigned int r = 1;
	struct log *log;
	int fds[2], i, k;

	/* The children must not inherit a connection. */
	log_close(fixture_log(f));
	assert_int_equal(pipe(fds), 0);
	for (i = 0; i < WRITERS; i++)
		writers[i] = start_writer(f->folder, fds[0], fds[1]);
	for (k = 0; k < KILLS; k++) {
		for (i = 0; i < ACKS_BETWEEN; i++) {
			assert_int_equal(read(fds[0], &id, sizeof id), sizeof id);
			ARRAY_GROW(ids, n, cap);
			ids[n++] = id;
		}
		r = r * 1103515245u + 12345u;
		usleep((r >> 16) % 700);	/* anywhere inside a transaction */
		i = (int)(r >> 8) % WRITERS;
		i = i < 0 ? -i : i;
		kill_and_wait(writers[i]);
		writers[i] = start_writer(f->folder, fds[0], fds[1]);
	}
	for (i = 0; i < WRITERS; i++)
		kill_and_wait(writers[i]);
	close(fds[1]);
	while (read(fds[0], &id, sizeof id) == (ssize_t)sizeof id) {
		ARRAY_GROW(ids, n, cap);
		ids[n++] = id;
	}
	close(fds[0]);
	log = fixture_log(f);
	assert_has(f, log, ids, n);
	assert_true(n >= KILLS * ACKS_BETWEEN);
	append_n(f, log, 1);
	verify_sound(f, log);
	log_close(log);
	free(ids);
}

/* Both run to their end: every event of both is there, in one unbroken chain. */
static void test_two_processes_write_at_once(void **state)
{
	enum { EACH = 60 };
	struct event_draft d = { .actor = "tool:t", .kind = "test.set", .object = "x" };
	struct log_options o = { .projector = &test_projector };
	struct fixture *f = *state;
	struct arena a = ARENA_INIT;
	struct projection_row *row;
	struct log *log;
	int64_t count;
	pid_t pids[2];
	int i, k, status;

	log_close(fixture_log(f));
	for (i = 0; i < 2; i++) {
		pids[i] = fork();
		if (pids[i])
			continue;
		if (log_open(&log, f->folder, &o) < 0)
			_exit(2);
		for (k = 0; k < EACH; k++)
			if (log_append(log, &d, &a, NULL) < 0)
				_exit(3);
		_exit(0);
	}
	for (i = 0; i < 2; i++) {
		assert_int_equal(waitpid(pids[i], &status, 0), pids[i]);
		assert_int_equal(status, 0);
	}
	log = fixture_log(f);
	assert_int_equal(log_count(log, &count), 0);
	assert_int_equal(count, 2 * EACH);
	assert_int_equal(projection_get(log, "object", "x", NULL, &f->a, &row), 1);
	assert_string_equal(row->state, "120:");
	verify_sound(f, log);
	log_close(log);
}

#define TEST(t) cmocka_unit_test_setup_teardown(t, fixture_setup, fixture_teardown)
#define FAILING(t) cmocka_unit_test_setup_teardown(t, failing_vfs_setup, failing_vfs_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		FAILING(test_one_failing_call),
		FAILING(test_calls_fail_from_then_on),
		TEST(test_full_disk),
		TEST(test_read_only_folder),
		TEST(test_interrupted_transaction),
		TEST(test_two_processes_write_at_once),
		TEST(test_killed_writers_lose_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
