/*
 * test_discover_together - several processes that discover at once, processes
 * that are killed while they do, and repositories of 2 and of 10,000 attempts.
 */
#include "config.h"

#include "tests/unit.h"

#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "store/verify.h"
#include "tests/workspace/fixture.h"
#include "workspace/state.h"

#ifdef PORTSIDE_INSTRUMENTED
enum { MANY = 1000 };
#else
enum { MANY = 10000 };
#endif
enum { SOME = 600, PROCESSES = 3, KILLS = 12 };

/* N attempts by trailer, one commit each, through git fast-import. */
static void make_many(struct workspace_fixture *f, int n)
{
	git_fixture_run(&f->git,
		"awk 'BEGIN {"
		"  who = \"Ada Example <ada@example.org>\";"
		"  for (i = 0; i <= %d; i++) {"
		"    m = i ? \"attempt \" i \"\\n\\nAttempt: \" i \"\\nExpected-Level: L0\\nClaimed-Level: L3 @v5e-4\\n\" : \"code\\n\";"
		"    printf \"commit refs/heads/main\\nmark :%%d\\ncommitter %%s %%d +0000\\ndata %%d\\n%%s\\n\","
		"      i + 1, who, 1760000000 + i * 60, length(m), m;"
		"    if (i) printf \"from :%%d\\n\", i;"
		"    d = \"value = \" i \"\\n\";"
		"    printf \"M 100644 inline train.py\\ndata %%d\\n%%s\\n\", length(d), d;"
		"    if (!i) print \"reset refs/tags/original\\nfrom :1\\n\";"
		"  } }' | git fast-import --quiet && git reset -q --hard",
		n);
}

/* Discovers in a child, on a handle of its own. */
static pid_t discover_in_child(const struct workspace_fixture *f)
{
	pid_t pid = fork();

	if (pid == 0) {
		struct arena a = ARENA_INIT;
		struct discovered d;
		struct workspace *ws;
		int rc = workspace_open(&ws, f->git.repo, &(struct workspace_options){ 0 });

		if (rc == 0)
			rc = discover(&d, ws, &(struct discover_options){ 0 }, &a);
		if (rc < 0)
			fprintf(stderr, "# %s\n", err_text());
		_exit(rc < 0 ? 1 : 0);
	}
	assert_true(pid > 0);
	return pid;
}

static void assert_once(struct workspace_fixture *f, int n)
{
	struct verify_options o = { .full = true };
	struct verify_report r;

	assert_int_equal(fixture_count(f, "migration.created", NULL), 1);
	assert_int_equal(fixture_count(f, "attempt.observed", NULL), n);
	assert_int_equal(fixture_count(f, "attempt.expected", NULL), n);
	assert_int_equal(fixture_count(f, "attempt.claimed", NULL), n);
	for (int i = 1; i <= n; i += 1 + n / 7) {
		const char *id = arena_printf(&f->a, "%d", i);

		assert_int_equal(fixture_count(f, "attempt.observed", id), 1);
		assert_int_equal(fixture_attempt(f, id)->claimed_n, 1);
	}
	assert_int_equal(log_verify(workspace_log(f->ws), &o, &f->a, &r), 0);
	assert_int_equal(r.n_defects, 0);
	assert_int_equal(r.events, 3 * n + 1);
}

static void test_processes_record_once(void **state)
{
	struct workspace_fixture *f = *state;
	pid_t pids[PROCESSES];
	int finished = 0;

	make_many(f, SOME);
	for (int i = 0; i < PROCESSES; i++)
		pids[i] = discover_in_child(f);
	for (int i = 0; i < PROCESSES; i++) {
		int status;

		assert_int_equal(waitpid(pids[i], &status, 0), pids[i]);
		finished += WIFEXITED(status) && WEXITSTATUS(status) == 0;
	}
	/* One that found the log busy all the time says so; it never records twice. */
	assert_true(finished >= 1);
	fixture_discover(f);
	assert_once(f, SOME);
}

/* SIGKILL at growing delays: a tip is on record with all that it says, or not at all. */
static void test_killed_while_recording(void **state)
{
	struct workspace_fixture *f = *state;
	int killed = 0;

	make_many(f, SOME);
	for (int i = 0; i < KILLS; i++) {
		const struct timespec delay = { .tv_nsec = (i * 9 + 1) * NS_PER_MS };
		pid_t pid = discover_in_child(f);
		int status;

		nanosleep(&delay, NULL);
		kill(pid, SIGKILL);
		assert_int_equal(waitpid(pid, &status, 0), pid);
		killed += WIFSIGNALED(status);
		fixture_workspace(f);
		assert_int_equal(state_ready(f->ws), 0);
		assert_int_equal(fixture_count(f, "attempt.observed", NULL),
			fixture_count(f, "attempt.claimed", NULL));
		fixture_close(f);
	}
	assert_true(killed > 0);
	fixture_discover(f);
	assert_once(f, SOME);
}

/* People and tools go on writing while others are killed: nothing that was
 * acknowledged is lost. */
static void test_killed_while_writing_notes(void **state)
{
	struct workspace_fixture *f = *state;
	int acknowledged = 0;

	make_many(f, 2);
	fixture_discover(f);
	for (int i = 0; i < KILLS; i++) {
		const struct timespec delay = { .tv_nsec = (i * 5 + 3) * NS_PER_MS };
		int ends[2], status;
		char byte;
		pid_t pid;

		fixture_close(f);
		assert_int_equal(pipe(ends), 0);
		pid = fork();
		if (pid == 0) {
			for (;;) {
				fixture_record(f, "human:ana", "note.written", "1", "text",
					"a note", NULL);
				if (write(ends[1], ".", 1) != 1)
					_exit(1);
			}
		}
		close(ends[1]);
		nanosleep(&delay, NULL);
		kill(pid, SIGKILL);
		assert_int_equal(waitpid(pid, &status, 0), pid);
		while (read(ends[0], &byte, 1) == 1)
			acknowledged++;
		close(ends[0]);
	}
	assert_true(acknowledged > 0);
	assert_true((int)fixture_count(f, "note.written", NULL) >= acknowledged);
	/* At most one note a kill was kept without its answer. */
	assert_true((int)fixture_count(f, "note.written", NULL) <= acknowledged + KILLS);
}

static double seconds_since(int64_t start)
{
	return (double)(clock_boot_ns() - start) / (double)NS_PER_S;
}

static void test_sizes(void **state)
{
	struct workspace_fixture *f = *state;
	int64_t start;

	make_many(f, 2);
	start = clock_boot_ns();
	assert_int_equal(fixture_discover(f).added, 2);
	print_message("# 2 attempts: %.3f s\n", seconds_since(start));
	assert_once(f, 2);
}

static void test_ten_thousand(void **state)
{
	struct workspace_fixture *f = *state;
	struct discovered d;
	int64_t start;

	make_many(f, MANY);
	start = clock_boot_ns();
	d = fixture_discover(f);
	print_message("# %d attempts, %lld events: %.2f s\n", MANY, (long long)fixture_events(f),
		seconds_since(start));
	assert_int_equal(d.added, MANY);
	assert_int_equal(d.claims, MANY);
	start = clock_boot_ns();
	assert_true(fixture_discover(f).unchanged);
	print_message("# nothing moved: %.3f s\n", seconds_since(start));
	git_fixture_commit(&f->git, arena_printf(&f->a, "one more\n\nAttempt: %d\n", MANY + 1));
	start = clock_boot_ns();
	assert_int_equal(fixture_discover(f).added, 1);
	print_message("# one more: %.2f s\n", seconds_since(start));
	assert_int_equal(fixture_count(f, "attempt.observed", NULL), MANY + 1);
	assert_string_equal(fixture_attempt(f, arena_printf(&f->a, "%d", MANY + 1))->base,
		fixture_attempt(f, arena_printf(&f->a, "%d", MANY))->tip);
}

#define TEST(name) cmocka_unit_test_setup_teardown(test_ ## name, fixture_setup, fixture_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(processes_record_once),
		TEST(killed_while_recording),
		TEST(killed_while_writing_notes),
		TEST(sizes),
		TEST(ten_thousand),
	};

	return cmocka_run_group_tests_name("discover together", tests, NULL, NULL);
}
