/*
 * Starters killed at any moment, and several processes that reconcile at once:
 * no run twice, no event twice, nothing left behind.
 *
 * The test kills itself in the form of drivers: `test_run_crash drive REPO N`
 * starts N runs one after another and reconciles in between.
 */
#include "config.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/fs.h"
#include "launch/run_directory.h"
#include "launch/supervisor.h"
#include "launch/verdict.h"
#include "tests/workspace/fixture.h"
#include "workspace/accepted.h"
#include "workspace/reconcile.h"
#include "workspace/run_start.h"
#include "workspace/state.h"

enum { KILLS = 25, RUNS_EACH = 6, RECONCILERS = 4 };

static const char *program;

static const char conf[] =
	"[migration]\n\tname = small\n\toriginal = original\n"
	"[target \"sim\"]\n\tkind = cpu\n\tlauncher = local\n"
	"[run \"smoke\"]\n\tcommand = \"echo $PORTSIDE_RUN_ID >>data/ran; echo step 1/1; echo '{\\\"step\\\": 1, \\\"loss\\\": 2}' >m.jsonl\"\n"
	"\tsteps = 1\n\tlimit = 1m\n\tlink = data\n";

/* A different wait each time, the same in each run of the test. */
static unsigned next_random(unsigned *seed)
{
	*seed = *seed * 1103515245u + 12345u;
	return *seed >> 16;
}

static void pause_us(long us)
{
	nanosleep(&(struct timespec){ us / 1000000, us % 1000000 * 1000 }, NULL);
}

/* ---- the driver --------------------------------------------------------------------- */

static int drive(const char *repo, int n)
{
	struct arena a = ARENA_INIT;
	struct workspace *ws;

	if (workspace_open(&ws, repo, &(struct workspace_options){ 0 }) < 0)
		return 3;
	for (int i = 0; i < n; i++) {
		struct run_request r = { .subject = "reference",
			.kind = RUN_KIND_SMOKE,
			.target = "sim",
			.program = program,
			.seed = arena_printf(&a, "%d", i),
			.skip_capture = true };
		struct run_started s;
		struct reconciled seen;

		if (run_start(&s, ws, &r, &a) < 0 && err_code() != ERR_EXISTS)
			fprintf(stderr, "driver: %s\n", err_text());
		if (reconcile(&seen, ws, NULL, &a) < 0)
			fprintf(stderr, "driver: %s\n", err_text());
	}
	workspace_close(ws);
	arena_release(&a);
	return 0;
}

static pid_t spawn(const char *mode, const char *repo)
{
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0) {
		execl(program, program, mode, repo, (char *)NULL);
		_exit(127);
	}
	return pid;
}

static int reap(pid_t pid)
{
	int status;

	assert_int_equal(waitpid(pid, &status, 0), pid);
	return status;
}

/* ---- the migration ----------------------------------------------------------------------- */

static int setup(void **state)
{
	struct workspace_fixture *f;
	int rc = fixture_setup(state);

	f = *state;
	git_fixture_write(&f->git, ".gitignore", "data\n", 5);
	git_fixture_commit(&f->git, "original\n");
	git_fixture_run(&f->git, "git tag original && mkdir data && touch data/ran");
	fixture_conf(f, conf);
	fixture_discover(f);
	if (accepted_accept(fixture_workspace(f), "human:ana", "begin", &f->a) < 0)
		fail_msg("%s", err_text());
	return rc;
}

static struct reconciled settle(struct workspace_fixture *f)
{
	struct reconciled seen;

	for (int i = 0; i < 500; i++) {
		if (reconcile(&seen, fixture_workspace(f), NULL, &f->a) < 0)
			fail_msg("%s", err_text());
		if (!seen.live)
			return seen;
		pause_us(20000);
	}
	fail_msg("%zu runs still live: %s", seen.live, seen.note);
	return seen;
}

static size_t count_ends(struct workspace_fixture *f, const char *run)
{
	return fixture_count(f, "run.ended", run);
}

static void check_run(struct workspace_fixture *f, const char *run)
{
	struct run_state *s;

	if (state_run(fixture_workspace(f), run, NULL, &f->a, &s) < 0)
		fail_msg("%s", err_text());
	assert_int_equal(fixture_count(f, "run.prepared", run), 1);
	assert_true(fixture_count(f, "run.started", run) <= 1);
	assert_int_equal(count_ends(f, run), 1);
	assert_true(s->state == RUN_EXITED_0 || s->state == RUN_LAUNCH_FAILED);
	/* Whoever recorded it, the facts are the starter's. */
	assert_string_equal(s->attempt, "reference");
	assert_int_equal(strlen(s->command_digest), DIGEST_HEX);
}

static void check_migration(struct workspace_fixture *f)
{
	char **runs;
	size_t n;

	assert_int_equal(run_directory_list(&runs, &n, &f->a,
				 workspace_path(fixture_workspace(f), &f->a, "runs")),
		0);
	assert_true(n > 0);
	for (size_t i = 0; i < n; i++)
		check_run(f, runs[i]);
	assert_int_equal(fixture_count(f, "run.prepared", NULL), n);
	/* No child ran twice, and none ran without being on record. */
	assert_string_equal(git_fixture_read(&f->git, "sort data/ran | uniq -d"), "");
	assert_string_equal(
		git_fixture_read(&f->git,
			"for r in $(cat data/ran); do test -d .git/portside/runs/$r || echo $r; done"),
		"");
	assert_string_equal(git_fixture_read(&f->git, "ls .git/portside/checkouts"), "");
	assert_string_equal(
		git_fixture_read(&f->git, "git worktree prune -n; git status --porcelain -uno"),
		"");
	assert_string_equal(
		git_fixture_read(&f->git, "find .git/portside/runs -name '*.part'"), "");
}

/* ---- cases ----------------------------------------------------------------------------------- */

static void a_starter_may_die_at_any_moment(void **state)
{
	struct workspace_fixture *f = *state;
	unsigned seed = 20261027;
	struct reconciled seen;

	for (int i = 0; i < KILLS; i++) {
		pid_t pid = spawn("drive", f->git.repo);

		pause_us(1000 + (long)(next_random(&seed) % 400) * 1000);
		kill(pid, SIGKILL);
		reap(pid);
	}
	assert_int_equal(reap(spawn("drive", f->git.repo)), 0);
	/* A starter counts as dead after a while only. */
	clock_fix(clock_wall_ns() + 60 * NS_PER_S);
	seen = settle(f);
	assert_string_equal(seen.note, "");
	clock_fix(0);
	check_migration(f);
}

static void several_screens_reconcile_at_once(void **state)
{
	struct workspace_fixture *f = *state;
	pid_t starters[2], readers[RECONCILERS];

	/* Ends and results are there to be recorded by whoever comes first. */
	for (int i = 0; i < 2; i++)
		starters[i] = spawn("drive", f->git.repo);
	for (int i = 0; i < RECONCILERS; i++)
		readers[i] = spawn("reconcile", f->git.repo);
	for (int i = 0; i < 2; i++)
		assert_int_equal(reap(starters[i]), 0);
	for (int i = 0; i < RECONCILERS; i++)
		assert_int_equal(reap(readers[i]), 0);
	settle(f);
	check_migration(f);
	/* One log and one curve of each run, once. */
	assert_int_equal(fixture_count(f, "evidence.added", NULL),
		2 * fixture_count(f, "run.prepared", NULL));
}

static int reconcile_often(const char *repo)
{
	struct arena a = ARENA_INIT;
	struct workspace *ws;
	struct reconciled seen;

	if (workspace_open(&ws, repo, &(struct workspace_options){ 0 }) < 0)
		return 3;
	for (int i = 0; i < 30; i++) {
		if (reconcile(&seen, ws, NULL, &a) < 0)
			fprintf(stderr, "reconcile: %s\n", err_text());
		pause_us(10000);
	}
	workspace_close(ws);
	arena_release(&a);
	return 0;
}

int main(int argc, char **argv)
{
	struct arena a = ARENA_INIT;
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			a_starter_may_die_at_any_moment, setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(
			several_screens_reconcile_at_once, setup, fixture_teardown),
	};
	int rc;

	if (argc > 1 && strcmp(argv[1], "supervise") == 0)
		return supervisor_main(argc - 1, argv + 1);
	program = fs_absolute(&a, argv[0]);
	if (argc > 2 && strcmp(argv[1], "drive") == 0)
		return drive(argv[2], RUNS_EACH);
	if (argc > 2 && strcmp(argv[1], "reconcile") == 0)
		return reconcile_often(argv[2]);
	rc = cmocka_run_group_tests(tests, NULL, NULL);
	arena_release(&a);
	return rc;
}
