/* Runs end in every way, and what is recorded of each. */
#include "config.h"

#include "fixture.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/fs.h"
#include "launch/process.h"
#include "launch/run_directory.h"
#include "launch/run_phase.h"

static void assert_words(const struct status *s, const char *expected)
{
	struct buf words = BUF_INIT;

	run_status_add_words(&words, s);
	assert_string_equal(words.s, expected);
	buf_release(&words);
}

static void test_exit_code(void **state)
{
	struct fixture *f = *state;
	struct status s;

	fixture_start_script(f, "echo to stdout; echo to stderr >&2; exit 5");
	s = fixture_wait_final(f);
	assert_int_equal(s.why, WHY_EXIT);
	assert_int_equal(s.rc, 5);
	assert_int_equal(s.signal, 0);
	assert_false(s.forced);
	assert_int_equal(s.left, 0);
	assert_int_equal(s.log_bytes, 20);
	assert_true(s.elapsed_ns > 0);
	assert_int_equal(run_phase_of_status(&s), PHASE_FAILED);
	assert_words(&s, "exit 5");
	assert_string_equal(fixture_log(f), "to stdout\nto stderr\n");
}

static void test_exit_zero(void **state)
{
	struct fixture *f = *state;
	struct run_observation o;
	struct run_verdict v;

	fixture_start_script(f, "true");
	v = fixture_wait(f, RUN_VERDICT_FINAL);
	assert_int_equal(v.status.rc, 0);
	verdict_observation(&o, &v);
	assert_int_equal(o.answer, RUN_ENDED);
	assert_int_equal(o.phase, PHASE_EXITED_0);
	assert_int_equal(o.phase, PHASE_EXITED_0);
}

static void test_signal(void **state)
{
	struct fixture *f = *state;
	struct status s;

	fixture_start_script(f, "kill -SEGV $$");
	s = fixture_wait_final(f);
	assert_int_equal(s.rc, 139);
	assert_int_equal(s.signal, SIGSEGV);
	assert_words(&s, "killed by SIGSEGV");
}

static void test_child_killed(void **state)
{
	struct fixture *f = *state;
	struct run_verdict v;
	struct status s;

	fixture_start_script(f, "exec sleep 60");
	v = fixture_wait(f, RUN_VERDICT_RUNNING);
	assert_true(process_signal(v.status.pid, v.status.ticks, SIGKILL));
	s = fixture_wait_final(f);
	assert_int_equal(s.why, WHY_EXIT);
	assert_int_equal(s.rc, 137);
	assert_words(&s, "killed from outside (SIGKILL), often out of memory");
}

static void start_that_fails(
	struct fixture *f, struct run_spec *spec, int expected_errno, const char *step)
{
	struct launch_result result;
	struct status s;

	assert_int_equal(launch_prepare(&f->launch, f->runs, spec, environ), 0);
	f->rundir = launch_rundir(f->launch);
	assert_int_equal(launch_start(f->launch, f->program, &result), ERR_IO);
	assert_non_null(strstr(err_text(), strerror(expected_errno)));
	s = fixture_wait_final(f);
	assert_int_equal(s.why, WHY_EXECFAIL);
	assert_int_equal(s.xerr, expected_errno);
	assert_string_equal(s.xstep, step);
	assert_int_equal(run_phase_of_status(&s), PHASE_LAUNCH_FAILED);
}

static void test_no_program(void **state)
{
	struct fixture *f = *state;
	struct run_spec spec = fixture_spec(f);
	const char *argv[] = { "portside-no-such-program", "x", NULL };

	spec.argv = argv;
	start_that_fails(f, &spec, ENOENT, "exec");
}

static void test_no_folder(void **state)
{
	struct fixture *f = *state;
	struct run_spec spec = fixture_spec(f);

	spec.script = "true";
	spec.cwd = fs_join(&f->arena, f->work, "missing");
	start_that_fails(f, &spec, ENOENT, "chdir");
}

static void test_second_start(void **state)
{
	struct fixture *f = *state;
	struct launch_result result;

	fixture_start_script(f, "echo once >> count");
	fixture_wait_final(f);
	assert_int_equal(launch_start(f->launch, f->program, &result), 0);
	assert_int_equal(result.result, LAUNCHER_ALREADY);
	assert_string_equal(result.state, "final");
	assert_int_equal(fs_size(fs_join(&f->arena, f->work, "count")), 5);
}

static void test_parallel_starts(void **state)
{
	enum { STARTS = 8 };
	struct fixture *f = *state;
	struct run_spec spec = fixture_spec(f);
	int started = 0, already = 0;
	pid_t pids[STARTS];

	spec.script = "echo started >> count; while [ ! -e go ]; do sleep 0.02; done";
	assert_int_equal(launch_prepare(&f->launch, f->runs, &spec, environ), 0);
	f->rundir = launch_rundir(f->launch);
	for (int i = 0; i < STARTS; i++) {
		pids[i] = fork();
		if (pids[i] == 0) {
			struct launch_result result;

			_exit(launch_start(f->launch, f->program, &result) < 0
					? 9
					: (int)result.result);
		}
	}
	for (int i = 0; i < STARTS; i++) {
		int status;

		assert_int_equal(waitpid(pids[i], &status, 0), pids[i]);
		started += WEXITSTATUS(status) == LAUNCHER_STARTED;
		already += WEXITSTATUS(status) == LAUNCHER_ALREADY;
	}
	assert_int_equal(started, 1);
	assert_int_equal(already, STARTS - 1);
	assert_int_equal(fs_write_durable(fs_join(&f->arena, f->work, "go"), "", 0, 0600), 0);
	fixture_wait_final(f);
	assert_string_equal(
		fixture_read(f, fs_join(&f->arena, f->work, "count"), NULL), "started\n");
}

static void test_environment(void **state)
{
	struct fixture *f = *state;
	struct run_spec spec = fixture_spec(f);
	const char *env[] = { "PORTSIDE_EXTRA=a  b'c\"d$e", NULL };
	char *log;

	spec.script =
		"echo \"$PORTSIDE_RUN_ID|$PORTSIDE_SEED|$PORTSIDE_TARGET|$PYTHONUNBUFFERED\"; "
		"printf '%s\\n' \"$PORTSIDE_EXTRA\"; pwd; ls /proc/self/fd | wc -l; cat";
	spec.has_seed = true;
	spec.seed = 42;
	spec.env = env;
	fixture_start(f, &spec);
	assert_int_equal(fixture_wait_final(f).rc, 0);
	log = fixture_log(f);
	assert_string_equal(log, arena_printf(&f->arena, "%s|42|local|1\na  b'c\"d$e\n%s\n4\n",
		launch_run_id(f->launch), f->work));
}

static void test_quoting(void **state)
{
	struct fixture *f = *state;
	struct run_spec spec = fixture_spec(f);
	char bytes[256], value[300], *log;
	const char *argv[] = { "sh", "-c", "printf '%s' \"$1\"; printf '%s' \"$PORTSIDE_BYTES\"",
		"x", bytes, NULL };
	const char *env[] = { value, NULL };
	size_t n;

	for (int i = 1; i < 256; i++)
		bytes[i - 1] = (char)i;
	bytes[255] = '\0';
	snprintf(value, sizeof value, "PORTSIDE_BYTES=%s", bytes);
	spec.argv = argv;
	spec.env = env;
	fixture_start(f, &spec);
	assert_int_equal(fixture_wait_final(f).rc, 0);
	log = fixture_read(f, fs_join(&f->arena, f->rundir, "log"), &n);
	assert_int_equal(n, 510);
	assert_memory_equal(log, bytes, 255);
	assert_memory_equal(log + 255, bytes, 255);
	/* The stored form of the same command, run by any POSIX shell. */
	assert_int_equal(
		system(arena_printf(&f->arena, "cd %s && PORTSIDE_BYTES= sh %s/cmd > again",
			f->work, f->rundir)),
		0);
	log = fixture_read(f, fs_join(&f->arena, f->work, "again"), &n);
	assert_int_equal(n, 255);
	assert_memory_equal(log, bytes, 255);
}

static void test_binary_log(void **state)
{
	struct fixture *f = *state;
	size_t a_n, b_n, got;
	int64_t size;
	char *a, *b, part[100];

	fixture_start_script(f, "head -c 300000 /dev/urandom | tee copy");
	assert_int_equal(fixture_wait_final(f).log_bytes, 300000);
	a = fixture_read(f, fs_join(&f->arena, f->work, "copy"), &a_n);
	b = fixture_read(f, fs_join(&f->arena, f->rundir, "log"), &b_n);
	assert_int_equal(a_n, b_n);
	assert_memory_equal(a, b, a_n);
	assert_int_equal(launch_log_read(f->rundir, 299950, part, sizeof part, &got, &size), 0);
	assert_int_equal(got, 50);
	assert_int_equal(size, 300000);
	assert_memory_equal(part, a + 299950, 50);
	assert_int_equal(launch_log_read(f->rundir, 400000, part, sizeof part, &got, &size), 0);
	assert_int_equal(got, 0);
}

static void test_supervisor_killed(void **state)
{
	struct fixture *f = *state;
	struct run_verdict v;
	struct run_observation o;

	fixture_start_script(f, "while [ ! -e go ]; do sleep 0.02; done; echo the last line");
	v = fixture_wait(f, RUN_VERDICT_RUNNING);
	assert_true(process_signal(v.status.supervisor_pid, v.status.supervisor_ticks, SIGKILL));
	v = fixture_wait(f, RUN_VERDICT_ORPHAN);
	verdict_observation(&o, &v);
	assert_int_equal(o.phase, PHASE_RUNNING);
	assert_int_equal(o.marks, RUN_MARK_ORPHAN);
	assert_int_equal(fs_write_durable(fs_join(&f->arena, f->work, "go"), "", 0, 0600), 0);
	v = fixture_wait(f, RUN_VERDICT_LOST);
	assert_string_equal(fixture_log(f), "the last line\n");
	assert_int_equal(launch_cancel(f->rundir, f->program, "human:t", "late", -1), ERR_STATE);
}

static void test_adopt(void **state)
{
	struct fixture *f = *state;
	struct run_verdict v;

	fixture_start_script(f, "while [ ! -e go ]; do sleep 0.02; done; echo the last line");
	v = fixture_wait(f, RUN_VERDICT_RUNNING);
	assert_int_equal(launch_adopt(f->rundir, f->program), ERR_STATE);
	assert_true(process_signal(v.status.supervisor_pid, v.status.supervisor_ticks, SIGKILL));
	fixture_wait(f, RUN_VERDICT_ORPHAN);
	assert_int_equal(launch_adopt(f->rundir, f->program), 0);
	fixture_wait(f, RUN_VERDICT_RUNNING);
	assert_int_equal(fs_write_durable(fs_join(&f->arena, f->work, "go"), "", 0, 0600), 0);
	v = fixture_wait(f, RUN_VERDICT_FINAL);
	assert_int_equal(v.status.why, WHY_LOST);
	assert_int_equal(v.status.rc, RUN_RC_UNKNOWN);
	assert_int_equal(v.status.log_bytes, 14);
	assert_int_equal(run_phase_of_status(&v.status), PHASE_LOST);
}

static void test_cancel_orphan(void **state)
{
	struct fixture *f = *state;
	struct run_verdict v;
	struct process daemon;

	fixture_start_script(f, "setsid sh -c 'echo $$ > daemon; exec sleep 60' & exec sleep 60");
	daemon = fixture_read_process(f, "daemon");
	v = fixture_wait(f, RUN_VERDICT_RUNNING);
	assert_true(process_signal(v.status.supervisor_pid, v.status.supervisor_ticks, SIGKILL));
	fixture_wait(f, RUN_VERDICT_ORPHAN);
	assert_int_equal(launch_cancel(f->rundir, f->program, "human:t", "enough", -1), 0);
	v = fixture_wait(f, RUN_VERDICT_FINAL);
	assert_int_equal(v.status.why, WHY_CANCELLED);
	assert_int_equal(v.status.rc, RUN_RC_UNKNOWN);
	fixture_wait_dead(&daemon);
}

/* The front end dies with its whole session right after the start. */
static void test_front_end_killed(void **state)
{
	struct fixture *f = *state;
	struct run_spec spec = fixture_spec(f);
	int status;
	pid_t pid;

	spec.script = "sleep 0.3; exit 4";
	assert_int_equal(launch_prepare(&f->launch, f->runs, &spec, environ), 0);
	f->rundir = launch_rundir(f->launch);
	pid = fork();
	if (pid == 0) {
		struct launch_result result;

		setsid();
		if (launch_start(f->launch, f->program, &result) == 0)
			kill(0, SIGKILL);
		_exit(1);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(fixture_wait_final(f).rc, 4);
}

static void test_cancel(void **state)
{
	struct fixture *f = *state;
	struct cancel_request c;
	struct status s;

	fixture_start_script(
		f, "trap 'echo bye; exit 0' TERM; echo $$ > up; while :; do sleep 0.02; done");
	fixture_read_process(f, "up");
	assert_int_equal(
		launch_cancel(f->rundir, f->program, "human:ann", "wrong\x1b[31m data", -1), 0);
	s = fixture_wait_final(f);
	assert_int_equal(s.why, WHY_CANCELLED);
	assert_int_equal(s.rc, 0);
	assert_int_equal(run_phase_of_status(&s), PHASE_CANCELLED);
	/* The shell may say that its sleep was terminated too. */
	assert_non_null(strstr(fixture_log(f), "bye\n"));
	assert_int_equal(run_directory_read_cancel(&c, &f->arena, f->rundir), 0);
	assert_string_equal(c.who, "human:ann");
	assert_string_equal(c.why, "wrong^[[31m data");
	assert_int_equal(launch_cancel(f->rundir, f->program, "human:ann", "again", -1), ERR_STATE);
}

static void test_term_ignored(void **state)
{
	struct fixture *f = *state;
	struct status s;

	fixture_start_script(f, "trap '' TERM; echo $$ > up; while :; do sleep 0.05; done");
	fixture_read_process(f, "up");
	assert_int_equal(launch_cancel(f->rundir, f->program, "human:t", "", 300 * NS_PER_MS), 0);
	s = fixture_wait_final(f);
	assert_true(s.forced);
	assert_int_equal(s.signal, SIGKILL);
	assert_words(&s, "cancelled, SIGKILL was needed");
}

static void test_stopped_child(void **state)
{
	struct fixture *f = *state;
	struct run_verdict v;
	struct process p;
	struct status s;
	int waited_ms = 0;

	fixture_start_script(f, "exec sleep 60");
	v = fixture_wait(f, RUN_VERDICT_RUNNING);
	assert_true(process_signal(v.status.pid, v.status.ticks, SIGSTOP));
	while (process_read(&p, v.status.pid) && p.state != 'T')
		fixture_pause(&waited_ms, "a state");
	assert_int_equal(launch_cancel(f->rundir, f->program, "human:t", "", 10 * NS_PER_S), 0);
	s = fixture_wait_final(f);
	assert_int_equal(s.signal, SIGTERM);
	assert_false(s.forced);
}

static void test_daemon_left(void **state)
{
	struct fixture *f = *state;
	struct status s;
	struct process daemon;

	fixture_start_script(f, "(setsid sh -c 'echo $$ > daemon; exec sleep 60' &) ; "
		"while [ ! -s daemon ]; do sleep 0.02; done; exit 0");
	daemon = fixture_read_process(f, "daemon");
	s = fixture_wait_final(f);
	assert_int_equal(s.why, WHY_EXIT);
	assert_int_equal(s.rc, 0);
	assert_int_equal(s.left, 1);
	fixture_wait_dead(&daemon);
	assert_words(&s, "exit 0, 1 process outlived it and was ended");
}

static void test_time_limit(void **state)
{
	struct fixture *f = *state;
	struct run_spec spec = fixture_spec(f);
	struct status s;
	struct process grandchild;

	spec.script = "setsid sleep 60 & echo $! > grandchild; sleep 60";
	spec.limit_ns = 400 * NS_PER_MS;
	fixture_start(f, &spec);
	grandchild = fixture_read_process(f, "grandchild");
	s = fixture_wait_final(f);
	assert_int_equal(s.why, WHY_TIMEOUT);
	assert_int_equal(run_phase_of_status(&s), PHASE_TIMEOUT);
	assert_true(s.elapsed_ns >= 400 * NS_PER_MS);
	assert_int_equal(s.limit_ns, 400 * NS_PER_MS);
	fixture_wait_dead(&grandchild);
}

static void test_budget(void **state)
{
	struct fixture *f = *state;
	struct run_spec spec = fixture_spec(f);
	struct status s;

	spec.script = "sleep 60";
	spec.limit_ns = 3600 * NS_PER_S;
	spec.budget_nano_usd = 1;
	spec.price = (struct price){ .nano_usd_hour = 3600 / 2, .per_chip = true, .known = true };
	spec.chips = 2;
	fixture_start(f, &spec);
	s = fixture_wait_final(f);
	assert_int_equal(s.why, WHY_BUDGET);
	assert_int_equal(s.limit_ns, NS_PER_S);
	assert_true(s.elapsed_ns >= NS_PER_S);
}

static void test_log_cap(void **state)
{
	struct fixture *f = *state;
	struct run_spec spec = fixture_spec(f);
	struct status s;

	spec.script = "while :; do head -c 100000 /dev/zero; sleep 0.01; done";
	spec.log_cap_bytes = 250000;
	fixture_start(f, &spec);
	s = fixture_wait_final(f);
	assert_int_equal(s.why, WHY_LOGCAP);
	assert_true(s.log_bytes > 250000);
}

static void test_directory_deleted(void **state)
{
	struct fixture *f = *state;
	struct run_verdict v;
	struct process supervisor = { .pid = 0 };

	/* Once the shell says "up" it has read its script. */
	fixture_start_script(f, "{ echo $$ > up; while [ ! -e go ]; do sleep 0.02; done; "
		"echo done > result; }");
	fixture_read_process(f, "up");
	v = fixture_wait(f, RUN_VERDICT_RUNNING);
	supervisor.pid = v.status.supervisor_pid;
	supervisor.ticks = v.status.supervisor_ticks;
	assert_int_equal(fs_remove_tree(f->rundir), 0);
	v = fixture_wait(f, RUN_VERDICT_MISSING);
	assert_string_equal(v.reason, "the run directory is gone");
	assert_int_equal(fs_write_durable(fs_join(&f->arena, f->work, "go"), "", 0, 0600), 0);
	fixture_wait_file(fs_join(&f->arena, f->work, "result"));
	fixture_wait_dead(&supervisor);
	assert_false(fs_exists(f->rundir));
}

/* The supervisor itself under one limit: its exit status. */
static int supervise_limited(struct fixture *f, int resource, rlim_t limit)
{
	struct rlimit r = { limit, limit };
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		setrlimit((__rlimit_resource_t)resource, &r);
		execl(f->program, f->program, "supervise", f->rundir, NULL);
		_exit(127);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

static void test_disk_full_at_start(void **state)
{
	struct fixture *f = *state;
	struct run_spec spec = fixture_spec(f);
	struct run_verdict v;

	spec.script = "echo ran > ran";
	assert_int_equal(launch_prepare(&f->launch, f->runs, &spec, environ), 0);
	f->rundir = launch_rundir(f->launch);
	assert_int_equal(supervise_limited(f, RLIMIT_FSIZE, 100), 1);
	assert_false(fs_exists(fs_join(&f->arena, f->work, "ran")));
	assert_non_null(strstr(fixture_read(f, fs_join(&f->arena, f->rundir, "sup.log"), NULL),
		"File too large"));
	verdict_read(&v, f->rundir);
	assert_int_not_equal(v.kind, RUN_VERDICT_FINAL);
	assert_false(v.locked);
}

static void test_no_descriptors(void **state)
{
	struct fixture *f = *state;
	struct run_spec spec = fixture_spec(f);

	spec.script = "echo ran > ran";
	assert_int_equal(launch_prepare(&f->launch, f->runs, &spec, environ), 0);
	f->rundir = launch_rundir(f->launch);
	assert_int_equal(supervise_limited(f, RLIMIT_NOFILE, 5), 1);
	assert_false(fs_exists(fs_join(&f->arena, f->work, "ran")));
}

/* The exit status survives a disk that the run itself has filled. */
static void test_disk_full_during_run(void **state)
{
	struct fixture *f = *state;
	char *mount_it = arena_printf(
		&f->arena, "mount -t tmpfs -o size=1m portside %s 2>/dev/null", f->runs);
	char *unmount_it = arena_printf(&f->arena, "umount -l %s", f->runs);
	struct process supervisor = { .pid = 0 };
	struct status s;

	if (geteuid() != 0 || system(mount_it) != 0)
		skip();
	fixture_start_script(f, "head -c 3000000 /dev/zero; exit 9");
	s = fixture_wait_final(f);
	assert_int_equal(s.rc, 9);
	assert_true(s.log_bytes > 500000 && s.log_bytes < 1048576);
	supervisor.pid = s.supervisor_pid;
	supervisor.ticks = s.supervisor_ticks;
	fixture_wait_dead(&supervisor);
	assert_int_equal(system(unmount_it), 0);
}

/* A tracer keeps a killed child from being reaped, as state D would. */
static void test_unkillable(void **state)
{
	struct fixture *f = *state;
	struct run_spec spec = fixture_spec(f);
	struct run_verdict v;
	int waited_ms = 0;
	char *command;

	spec.script = "exec sleep 60";
	spec.grace_ns = 0;
	assert_int_equal(launch_prepare(&f->launch, f->runs, &spec, environ), 0);
	f->rundir = launch_rundir(f->launch);
	command = arena_printf(
		&f->arena, "%s supervise %s --stuck-after 200", f->program, f->rundir);
	assert_int_equal(system(command), 0);
	v = fixture_wait(f, RUN_VERDICT_RUNNING);
	if (ptrace(PTRACE_SEIZE, v.status.pid, NULL, NULL) < 0)
		skip();
	assert_int_equal(launch_cancel(f->rundir, f->program, "human:t", "", 0), 0);
	do {
		fixture_pause(&waited_ms, "a state");
		v = fixture_wait(f, RUN_VERDICT_RUNNING);
	} while (v.status.why != WHY_UNKILLABLE);
	assert_non_null(
		strstr(v.status.stuck, arena_printf(&f->arena, "%ld:", (long)v.status.pid)));
	assert_int_equal(v.status.state, STATUS_RUNNING);
	while (waitpid(v.status.pid, NULL, __WALL) < 0 && errno == EINTR)
		;
	assert_int_equal(fixture_wait_final(f).why, WHY_CANCELLED);
}

/* TERM to the supervisor, as a machine that shuts down sends it. */
static void test_supervisor_terminated(void **state)
{
	struct fixture *f = *state;
	struct run_verdict v;
	struct status s;

	fixture_start_script(f, "exec sleep 60");
	v = fixture_wait(f, RUN_VERDICT_RUNNING);
	assert_true(process_signal(v.status.supervisor_pid, v.status.supervisor_ticks, SIGTERM));
	s = fixture_wait_final(f);
	assert_int_equal(s.why, WHY_CANCELLED);
	assert_int_equal(s.signal, SIGTERM);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_setup, fixture_teardown)
	const struct CMUnitTest tests[] = {
		TEST(test_exit_code),
		TEST(test_exit_zero),
		TEST(test_signal),
		TEST(test_child_killed),
		TEST(test_no_program),
		TEST(test_no_folder),
		TEST(test_second_start),
		TEST(test_parallel_starts),
		TEST(test_environment),
		TEST(test_quoting),
		TEST(test_binary_log),
		TEST(test_supervisor_killed),
		TEST(test_adopt),
		TEST(test_cancel_orphan),
		TEST(test_front_end_killed),
		TEST(test_cancel),
		TEST(test_term_ignored),
		TEST(test_stopped_child),
		TEST(test_daemon_left),
		TEST(test_time_limit),
		TEST(test_budget),
		TEST(test_log_cap),
		TEST(test_directory_deleted),
		TEST(test_disk_full_at_start),
		TEST(test_no_descriptors),
		TEST(test_disk_full_during_run),
		TEST(test_unkillable),
		TEST(test_supervisor_terminated),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
