/*
 * test_place_open - opening what is not as it should be: each case has its own
 * sentence and code, and looking without --read-only's writing changes nothing.
 */
#include "config.h"

#include "tests/unit.h"

#include <grp.h>
#include <sqlite3.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/err.h"
#include "base/fs.h"
#include "store/log_recover.h"
#include "tests/workspace/fixture.h"
#include "workspace/state.h"

static const struct workspace_options writing = { 0 }, looking = { .read_only = true };

/* The file system that the program is told about; 0 is the real one. */
static long pretended_type;

int statfs(const char *path, struct statfs *out)
{
	int rc = (int)syscall(SYS_statfs, path, out);

	if (rc == 0 && pretended_type)
		out->f_type = pretended_type;
	return rc;
}

static char *log_path(struct workspace_fixture *f)
{
	return arena_printf(&f->a, "%s/.git/portside/log.db", f->git.repo);
}

static void sql(struct workspace_fixture *f, const char *text)
{
	sqlite3 *db;

	assert_int_equal(
		sqlite3_open_v2(log_path(f), &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL),
		SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, text, NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(db);
}

static void assert_says(const char *words)
{
	if (!strstr(err_text(), words))
		fail_msg("\"%s\" does not say \"%s\"", err_text(), words);
}

static void assert_refused(
	struct workspace_fixture *f, const struct workspace_options *o, int code, const char *words)
{
	struct workspace *ws = NULL;

	assert_int_equal(workspace_open(&ws, f->git.repo, o), code);
	assert_says(words);
}

static void assert_repository_refused(
	struct workspace_fixture *f, const char *name, int code, const char *words)
{
	struct repository *repo;
	struct workspace *ws;

	assert_int_equal(workspace_open(&ws, fs_join(&f->a, f->git.root, name), &writing), 0);
	assert_int_equal(workspace_repository(ws, &repo), code);
	assert_says(words);
	workspace_close(ws);
}

static void test_no_log(void **state)
{
	struct workspace_fixture *f = *state;

	assert_refused(f, &(struct workspace_options){ .no_create = true }, ERR_NOT_FOUND,
		"there is no log yet");
	assert_false(fs_exists(log_path(f)));
}

/* Nothing at all is written, and it still answers. */
static void test_read_only_without_a_log(void **state)
{
	struct workspace_fixture *f = *state;
	struct migration_state *m;
	struct repository *repo;
	char *before;

	git_fixture_commit(&f->git, "code\n");
	before = fixture_listing(f, f->git.repo);
	assert_int_equal(workspace_open(&f->ws, f->git.repo, &looking), 0);
	assert_true(workspace_read_only(f->ws));
	assert_int_equal(state_ready(f->ws), 0);
	assert_int_equal(state_migration(f->ws, NULL, &f->a, &m), 0);
	assert_string_equal(m->name, "");
	assert_int_equal(workspace_repository(f->ws, &repo), 0);
	assert_int_equal(fixture_events(f), 0);
	fixture_close(f);
	assert_string_equal(fixture_listing(f, f->git.repo), before);
}

static void test_read_only_with_a_log(void **state)
{
	struct workspace_fixture *f = *state;
	struct record r = { .kind = "note.written", .object = "1" };
	char *before;

	fixture_record(f, "human:ana", "note.written", "1", "text", "a note", NULL);
	fixture_close(f);
	before = fixture_listing(f, f->git.repo);
	assert_int_equal(workspace_open(&f->ws, f->git.repo, &looking), 0);
	assert_int_equal(fixture_events(f), 1);
	assert_int_equal(workspace_record(f->ws, &r, &f->a, NULL), ERR_REFUSED);
	assert_says("leave --read-only out");
	fixture_close(f);
	assert_string_equal(fixture_listing(f, f->git.repo), before);
}

static void test_newer_log(void **state)
{
	struct workspace_fixture *f = *state;
	char *before;

	fixture_workspace(f);
	fixture_close(f);
	sql(f, "PRAGMA user_version = 99");
	before = fixture_listing(f, f->git.repo);
	assert_refused(f, &writing, ERR_NEWER, "format 99");
	assert_says("install the newer version");
	assert_refused(f, &looking, ERR_NEWER, "format 99");
	assert_string_equal(fixture_listing(f, f->git.repo), before);
}

static void test_foreign_database(void **state)
{
	struct workspace_fixture *f = *state;

	git_fixture_run(&f->git, "mkdir .git/portside");
	sql(f, "PRAGMA application_id = 1234; CREATE TABLE theirs(x)");
	assert_refused(f, &writing, ERR_REFUSED, "another program");
	assert_says("move it away");
}

static void test_damaged_log(void **state)
{
	struct workspace_fixture *f = *state;
	struct recover_report report;

	for (int i = 0; i < 20; i++)
		fixture_record(f, "human:ana", "note.written", "1", "text", "a note", NULL);
	fixture_close(f);
	git_fixture_run(&f->git,
		"printf 'not a database at all' | dd of=.git/portside/log.db conv=notrunc 2>&1");
	assert_refused(f, &writing, ERR_DAMAGED, "log.db");
	assert_refused(f, &looking, ERR_DAMAGED, "log.db");
	/* The damaged file is kept, and a new log takes what still verifies. */
	assert_int_equal(
		log_recover(arena_printf(&f->a, "%s/.git/portside", f->git.repo), &f->a, &report),
		0);
	assert_true(fs_exists(report.set_aside));
	fixture_workspace(f);
	assert_int_equal(fixture_events(f), report.events_kept);
}

static void test_network_file_system(void **state)
{
	struct workspace_fixture *f = *state;

	assert_null(log_warning(workspace_log(fixture_workspace(f))));
	fixture_close(f);
	pretended_type = 0x6969;	/* NFS */
	fixture_workspace(f);
	pretended_type = 0;
	assert_non_null(log_warning(workspace_log(f->ws)));
	assert_non_null(strstr(log_warning(workspace_log(f->ws)), "network"));
	assert_non_null(strstr(log_warning(workspace_log(f->ws)), "local disk"));
}

static void test_sha256_repository(void **state)
{
	struct workspace_fixture *f = *state;

	git_fixture_run(&f->git, "git init -q --object-format=sha256 ../long");
	assert_repository_refused(f, "long", ERR_NEWER, "SHA-256");
	assert_says("git fast-export");
}

static void test_partial_clone(void **state)
{
	struct workspace_fixture *f = *state;

	struct repository *repo;
	struct workspace *ws;

	git_fixture_write(&f->git, "train.py", "print(1)\n", 9);
	git_fixture_commit(&f->git, "code\n");
	git_fixture_run(&f->git, "git config uploadpack.allowFilter true && "
		"git clone -q --filter=blob:none \"file://$PWD\" ../partial");
	/* It opens, and says that something may be missing ... */
	assert_int_equal(workspace_open(&ws, fs_join(&f->a, f->git.root, "partial"), &writing), 0);
	assert_int_equal(workspace_repository(ws, &repo), 0);
	assert_non_null(strstr(repository_limits(repo), "partial clone"));
	workspace_close(ws);
	/* ... unless the format itself says that it cannot be read. */
	git_fixture_run(&f->git, "git -C ../partial config extensions.partialClone origin");
	assert_repository_refused(f, "partial", ERR_NEWER, "partial clone");
	assert_says("without --filter");
}

static void test_unborn(void **state)
{
	struct workspace_fixture *f = *state;
	struct repository *repo;

	assert_int_equal(workspace_repository(fixture_workspace(f), &repo), 0);
	assert_true(*repository_limits(repo) != '\0');
	assert_int_equal(fixture_discover(f).attempts, 0);
}

static void test_bare(void **state)
{
	struct workspace_fixture *f = *state;
	struct discovered d;
	struct workspace *ws;

	git_fixture_commit(&f->git, "code\n");
	git_fixture_run(&f->git, "git tag original");
	git_fixture_commit(&f->git, "one\n\nAttempt: 1\n");
	git_fixture_run(&f->git, "git clone -q --bare . ../bare.git");
	assert_int_equal(workspace_open(&ws, fs_join(&f->a, f->git.root, "bare.git"), &writing), 0);
	assert_int_equal(discover(&d, ws, &(struct discover_options){ 0 }, &f->a), 0);
	assert_int_equal(d.added, 1);
	workspace_close(ws);
}

static void test_no_repository(void **state)
{
	struct workspace_fixture *f = *state;
	struct workspace *ws;

	assert_int_equal(workspace_open(&ws, f->git.root, &writing), ERR_NOT_FOUND);
	assert_says("is not inside a git repository");
	assert_int_equal(workspace_open(&ws, "/nonexistent/portside", &writing), ERR_NOT_FOUND);
}

/* As a user who is not root, in a child: what may not be read or written. */
static int as_nobody(
	struct workspace_fixture *f, const struct workspace_options *o, int code, const char *words)
{
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		struct workspace *ws;
		int rc;

		if (getuid() == 0 &&
			(setgroups(0, NULL) < 0 || setgid(65534) < 0 || setuid(65534) < 0))
			_exit(3);
		rc = workspace_open(&ws, f->git.repo, o);
		if (rc == code && strstr(err_text(), words))
			_exit(0);
		fprintf(stderr, "# %d %s\n", rc, err_text());
		_exit(1);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void test_permission(void **state)
{
	struct workspace_fixture *f = *state;

	fixture_record(f, "human:ana", "note.written", "1", "text", "a note", NULL);
	fixture_close(f);
	git_fixture_run(&f->git, "chmod 755 .. . .git && chmod 000 .git/portside");
	assert_int_equal(as_nobody(f, &writing, ERR_IO, "ermission"), 0);
	assert_int_equal(as_nobody(f, &looking, ERR_IO, "ermission"), 0);
	assert_int_equal(
		as_nobody(f, &looking, ERR_IO, "can allow it, or work on a clone of your own"), 0);
	git_fixture_run(&f->git, "chmod 700 .git/portside");
}

#define TEST(name) cmocka_unit_test_setup_teardown(test_ ## name, fixture_setup, fixture_teardown)

/* libgit2 1.5 keeps the match data of a pattern when it opens a repository of
 * format version 1. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
	return "leak:libpcre2-8\n";
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(no_log),
		TEST(read_only_without_a_log),
		TEST(read_only_with_a_log),
		TEST(newer_log),
		TEST(foreign_database),
		TEST(damaged_log),
		TEST(network_file_system),
		TEST(sha256_repository),
		TEST(partial_clone),
		TEST(unborn),
		TEST(bare),
		TEST(no_repository),
		TEST(permission),
	};

	return cmocka_run_group_tests_name("opening", tests, NULL, NULL);
}
