/* The files of a run directory, and the verdict on every kind of them. */
#include "config.h"

#include "fixture.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/fs.h"
#include "base/hash.h"
#include "launch/process.h"
#include "launch/run_directory.h"
#include "launch/status.h"

static void test_run_id(void **state)
{
	char a[RUN_ID_SIZE], b[RUN_ID_SIZE];

	(void)state;
	run_id_new(a);
	run_id_new(b);
	assert_true(run_id_valid(a));
	assert_int_equal(strlen(a), 16);
	assert_string_not_equal(a, b);
	assert_true(run_id_valid("ps-abcdefghij234"));
	assert_false(run_id_valid("ps-abcdefghij230"));	/* 0 is no base32 digit */
	assert_false(run_id_valid("ps-abcdefghij23"));
	assert_false(run_id_valid("ps-ABCDEFGHIJ234"));
	assert_false(run_id_valid("px-abcdefghij234"));
	assert_false(run_id_valid("../../etc/passwd"));
	assert_false(run_id_valid(NULL));
}

static struct status sample_status(void)
{
	struct status s = {
		.state = STATUS_RUNNING, .run_id = "ps-abcdefghij234",
		.supervisor_pid = 100, .supervisor_ticks = 5, .pid = 101, .ticks = 6,
		.host = "node one", .start_ns = 1700000000000000000, .limit_ns = 900000000000,
	};

	process_boot_id(s.boot);
	return s;
}

static void test_status_text(void **state)
{
	struct status s = sample_status(), r;
	char bytes[STATUS_BYTES], expected[STATUS_BYTES];
	int n;

	(void)state;
	snprintf(s.boot, sizeof s.boot, "b0");
	s.seq = 7;
	status_format(bytes, &s);
	n = snprintf(expected, sizeof expected,
		"v=1 seq=7 state=running why= run=ps-abcdefghij234 sup=100 "
		"suptick=5 pid=101 tick=6 boot=b0 host=node_one start=1700000000000000000 limit=900000000000");
	assert_memory_equal(bytes, expected, (size_t)n);
	snprintf(expected + n, sizeof expected - (size_t)n, " crc=%08X ",
		crc32_bytes(expected, (size_t)n));
	assert_memory_equal(bytes, expected, strlen(expected));
	assert_int_equal(bytes[511], '\n');
	assert_int_equal(bytes[510], ' ');
	assert_true(status_parse(&r, bytes));
	assert_int_equal(r.seq, 7);
	assert_string_equal(r.host, "node_one");
	assert_int_equal(r.ticks, 6);
}

static struct status longest_status(void)
{
	struct status s = {
		.seq = INT64_MAX - 1,
		.state = STATUS_DONE,
		.why = WHY_CANCELLED,
		.run_id = "ps-abcdefghij234",
		.supervisor_pid = 4194304,
		.supervisor_ticks = UINT64_MAX,
		.pid = 4194304,
		.ticks = UINT64_MAX,
		.boot = "01234567-0123-0123-0123-0123456789ab",
		.start_ns = INT64_MAX,
		.limit_ns = INT64_MAX,
		.rc = 255,
		.signal = 64,
		.forced = true,
		.left = 32768,
		.xerr = 133,
		.xstep = "setsid",
		.log_bytes = INT64_MAX,
		.elapsed_ns = INT64_MAX,
		.end_ns = INT64_MAX,
	};

	memset(s.host, 'h', sizeof s.host - 1);
	return s;
}

/* Every field at its longest still fits, and comes back. */
static void test_status_longest(void **state)
{
	struct status s = longest_status(), r;
	char bytes[STATUS_BYTES];

	(void)state;
	status_format(bytes, &s);
	assert_true(status_parse(&r, bytes));
	assert_int_equal(r.end_ns, INT64_MAX);
	assert_int_equal(r.left, 32768);
	assert_true(r.forced);
	assert_string_equal(r.xstep, "setsid");
	assert_true(r.ticks == UINT64_MAX);
}

static void test_status_damage(void **state)
{
	struct status s = sample_status(), r;
	char bytes[STATUS_BYTES], bad[STATUS_BYTES];

	(void)state;
	status_format(bytes, &s);
	/* Any byte of the record that changes is noticed. */
	for (size_t i = 0; i < STATUS_BYTES; i++) {
		memcpy(bad, bytes, sizeof bad);
		bad[i] ^= 1;
		assert_false(status_parse(&r, bad));
	}
	memset(bad, 0, sizeof bad);
	assert_false(status_parse(&r, bad));
}

static char *make_rundir_of(struct fixture *f, const char *launcher)
{
	struct run_spec spec = fixture_spec(f);
	struct buf env = BUF_INIT;
	char *rundir;

	spec.launcher = launcher;
	run_id_new(spec.run_id);
	spec.script = "true";
	assert_int_equal(
		run_directory_create(&rundir, &f->arena, f->runs, &spec, &env, "true\n", 5, true),
		0);
	f->rundir = rundir;
	return rundir;
}

static char *make_rundir(struct fixture *f)
{
	return make_rundir_of(f, "local");
}

/* A run is ended and watched again by the launcher that its folder names. */
static void test_launcher_of_a_run(void **state)
{
	struct fixture *f = *state;
	char *rundir = make_rundir_of(f, "teleport");

	assert_int_equal(launch_cancel(rundir, f->program, "human:t", "", -1), ERR_NOT_FOUND);
	assert_string_equal(err_text(), "there is no launcher \"teleport\"; there is: local");
	assert_int_equal(launch_adopt(rundir, f->program), ERR_NOT_FOUND);
	assert_false(fs_exists(fs_join(&f->arena, rundir, "cancel")));
	rundir = make_rundir(f);
	assert_int_equal(launch_cancel(rundir, f->program, "human:t", "", -1), ERR_STATE);
	assert_string_equal(err_text(), "nothing to cancel: not started");
	assert_int_equal(launch_adopt(rundir, f->program), ERR_STATE);
}

static void write_record(const char *rundir, struct status *s)
{
	int folder = open(rundir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct status_file file;

	assert_int_equal(status_open(&file, folder, false), 0);
	if (s)
		assert_int_equal(status_write(&file, s), 0);
	status_close(&file);
	close(folder);
}

static enum run_verdict_kind judge(const char *rundir)
{
	struct run_verdict v;

	verdict_read(&v, rundir);
	return v.kind;
}

static void test_verdict_without_status(void **state)
{
	struct fixture *f = *state;
	struct timespec old[2] = { { .tv_sec = 1000 }, { .tv_sec = 1000 } };
	char *rundir = make_rundir(f);
	struct status s;

	assert_int_equal(judge(rundir), RUN_VERDICT_NONE);
	assert_int_equal(status_read(&s, rundir, NULL), STATUS_READ_NONE);
	write_record(rundir, NULL);
	assert_int_equal(status_read(&s, rundir, NULL), STATUS_READ_BLANK);
	assert_int_equal(judge(rundir), RUN_VERDICT_NONE);
	assert_int_equal(utimensat(AT_FDCWD, fs_join(&f->arena, rundir, "status"), old, 0), 0);
	assert_int_equal(judge(rundir), RUN_VERDICT_LAUNCH_FAILED);
	assert_int_equal(judge("/nonexistent/ps-abcdefghij234"), RUN_VERDICT_MISSING);
}

static void test_verdict_running(void **state)
{
	struct fixture *f = *state;
	char *rundir = make_rundir(f);
	struct status s = sample_status();
	struct process self;

	assert_true(process_read(&self, getpid()));
	s.pid = getpid();
	s.ticks = self.ticks;
	write_record(rundir, &s);
	assert_int_equal(judge(rundir), RUN_VERDICT_ORPHAN);

	/* The pid is used again: other ticks. */
	s.ticks = self.ticks + 1;
	write_record(rundir, &s);
	assert_int_equal(judge(rundir), RUN_VERDICT_LOST);
	assert_int_equal(launch_cancel(rundir, f->program, "human:t", "", -1), ERR_STATE);
	assert_false(fs_exists(fs_join(&f->arena, rundir, "cancel")));

	/* The machine was started again. */
	s.ticks = self.ticks;
	snprintf(s.boot, sizeof s.boot, "00000000-0000-0000-0000-000000000000");
	write_record(rundir, &s);
	assert_int_equal(judge(rundir), RUN_VERDICT_LOST);
	assert_int_equal(launch_cancel(rundir, f->program, "human:t", "", -1), ERR_STATE);
}

static void test_verdict_locked(void **state)
{
	struct fixture *f = *state;
	char *rundir = make_rundir(f);
	struct status s = sample_status();
	int fd = open(fs_join(&f->arena, rundir, "lock"), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	int reader = open(fs_join(&f->arena, rundir, "lock"), O_RDONLY | O_CLOEXEC);

	assert_int_equal(flock(fd, LOCK_EX), 0);
	assert_int_equal(judge(rundir), RUN_VERDICT_STARTING);
	write_record(rundir, &s);
	assert_int_equal(judge(rundir), RUN_VERDICT_RUNNING);
	close(fd);
	/* Another reader's look is no supervisor. */
	assert_int_equal(flock(reader, LOCK_SH), 0);
	assert_int_equal(judge(rundir), RUN_VERDICT_LOST);
	close(reader);
}

static void test_verdict_done(void **state)
{
	struct fixture *f = *state;
	char *rundir = make_rundir(f);
	struct status s = longest_status();
	struct run_observation o;
	struct run_verdict v;

	/* A clock that was set back in between is no reason for doubt. */
	s.end_ns = 5;
	s.why = WHY_EXIT;
	s.signal = 0;
	s.rc = 3;
	write_record(rundir, &s);
	verdict_read(&v, rundir);
	assert_int_equal(v.kind, RUN_VERDICT_FINAL);
	verdict_observation(&o, &v);
	assert_int_equal(o.phase, PHASE_FAILED);
	assert_int_equal(o.rc, 3);
	assert_int_equal(o.source, RUN_SOURCE_STATUS);
}

static void test_verdict_damaged(void **state)
{
	static const char *const garbage[] = { "", "x", "v=1 seq=1 state=running" };
	struct fixture *f = *state;
	char *rundir = make_rundir(f), zero[STATUS_BYTES] = { 0 };
	char *path = fs_join(&f->arena, rundir, "status");

	for (size_t i = 0; i < ARRAY_LEN(garbage); i++) {
		assert_int_equal(fs_write_durable(path, garbage[i], strlen(garbage[i]), 0600), 0);
		assert_int_equal(judge(rundir), RUN_VERDICT_LOST);
	}
	assert_int_equal(fs_write_durable(path, zero, sizeof zero, 0600), 0);
	assert_int_equal(judge(rundir), RUN_VERDICT_LOST);
}

/* A writer at full rate is never seen with a half-written record. */
static void test_torn_status(void **state)
{
	struct fixture *f = *state;
	char *rundir = make_rundir(f);
	struct status s = sample_status(), r;
	int64_t last = 0;
	int status;
	pid_t pid;

	write_record(rundir, &s);
	pid = fork();
	if (pid == 0) {
		int folder = open(rundir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		struct status_file file;
		int bad = status_open(&file, folder, true);

		for (int i = 0; i < 300 && bad == 0; i++)
			bad = status_write(&file, &s);
		_exit(bad ? 1 : 0);
	}
	while (waitpid(pid, &status, WNOHANG) == 0) {
		assert_int_equal(status_read(&r, rundir, NULL), STATUS_READ_OK);
		/* A reader that opened the older file may see the next record
		 * just before the exchange shows it to everybody. */
		assert_true(r.seq >= last - 1);
		last = r.seq > last ? r.seq : last;
	}
	assert_int_equal(WEXITSTATUS(status), 0);
	assert_int_equal(status_read(&r, rundir, NULL), STATUS_READ_OK);
	assert_int_equal(r.seq, 301);
}

static void test_zombie(void **state)
{
	struct process p;
	siginfo_t info;
	pid_t pid = fork();

	(void)state;
	if (pid == 0)
		_exit(0);
	assert_int_equal(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT), 0);
	assert_true(process_read(&p, pid));
	assert_int_equal(p.state, 'Z');
	assert_int_equal(kill(pid, 0), 0);
	assert_false(process_alive(pid, p.ticks));
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_false(process_read(&p, pid));
}

static void test_process_name(void **state)
{
	struct process p;
	int ends[2];
	char byte;
	pid_t pid;

	(void)state;
	assert_int_equal(pipe(ends), 0);
	pid = fork();
	if (pid == 0) {
		int fd = open("/proc/self/comm", O_WRONLY | O_CLOEXEC);

		close(ends[0]);
		_exit(write(fd, ") Z 1 (", 7) == 7 && write(ends[1], "x", 1) == 1 && pause());
	}
	close(ends[1]);
	assert_int_equal(read(ends[0], &byte, 1), 1);
	close(ends[0]);
	assert_true(process_read(&p, pid));
	assert_int_equal(p.parent, getpid());
	assert_true(process_alive(pid, p.ticks));
	assert_false(process_signal(pid, p.ticks + 1, SIGKILL));
	assert_true(process_signal(pid, p.ticks, SIGKILL));
	assert_int_equal(waitpid(pid, NULL, 0), pid);
}

static void test_spec_round_trip(void **state)
{
	struct fixture *f = *state;
	struct run_spec s = fixture_spec(f), r;
	const char *argv[] = { "python", "train.py", "--name", "a \"b\"\n", NULL },
		   *pass[] = { "HF_TOKEN", NULL };
	struct buf json = BUF_INIT;

	run_id_new(s.run_id);
	s.argv = argv;
	s.pass = pass;
	s.limit_ns = INT64_C(9007199254740993);
	s.has_seed = true;
	s.seed = -1;
	s.price = (struct price){ .nano_usd_hour = 1200000000, .per_chip = true, .known = true };
	s.chips = 4;
	s.subject = "3";
	assert_int_equal(run_spec_check(&s), 0);
	run_spec_write(&json, &s);
	assert_int_equal(run_spec_parse(&r, &f->arena, json.s, json.n), 0);
	assert_string_equal(r.run_id, s.run_id);
	assert_string_equal(r.argv[3], "a \"b\"\n");
	assert_null(r.argv[4]);
	assert_string_equal(r.pass[0], "HF_TOKEN");
	assert_int_equal(r.limit_ns, INT64_C(9007199254740993));
	assert_true(r.has_seed);
	assert_int_equal(r.seed, -1);
	assert_int_equal(r.price.nano_usd_hour, 1200000000);
	assert_string_equal(r.subject, "3");
	assert_null(r.script);
	assert_int_equal(run_spec_parse(&r, &f->arena, "{\"schema\":2}", 12), ERR_NEWER);
	assert_int_equal(run_spec_parse(&r, &f->arena, "{}", 2), ERR_PARSE);
	assert_int_equal(run_spec_parse(&r, &f->arena, "[", 1), ERR_PARSE);
	buf_release(&json);
}

static void test_budget(void **state)
{
	struct run_spec s = RUN_SPEC_INIT;

	(void)state;
	s.script = "true";
	s.budget_nano_usd = 20 * NANO_USD;
	assert_int_equal(run_spec_check(&s), ERR_USAGE);
	s.price = (struct price){ .nano_usd_hour = 1200000000, .per_chip = true, .known = true };
	s.chips = 4;
	assert_int_equal(run_spec_budget_ns(&s), 15000 * NS_PER_S);
	s.price.per_chip = false;
	assert_int_equal(run_spec_budget_ns(&s), 60000 * NS_PER_S);
	s.budget_nano_usd = 1000;
	assert_int_equal(run_spec_check(&s), ERR_USAGE);
	s.budget_nano_usd = 0;
	assert_int_equal(run_spec_budget_ns(&s), 0);
	assert_int_equal(run_spec_check(&s), 0);
}

static void test_spec_check(void **state)
{
	const char *secret[] = { "MY_API_KEY=x", NULL }, *bad[] = { "1A=x", NULL },
		   *argv[] = { "true", NULL };
	struct run_spec s = RUN_SPEC_INIT;

	(void)state;
	assert_int_equal(run_spec_check(&s), ERR_USAGE);
	s.script = "true";
	assert_int_equal(run_spec_check(&s), 0);
	s.argv = argv;
	assert_int_equal(run_spec_check(&s), ERR_USAGE);
	s.argv = NULL;
	s.env = secret;
	assert_int_equal(run_spec_check(&s), ERR_USAGE);
	s.env = bad;
	assert_int_equal(run_spec_check(&s), ERR_USAGE);
	s.env = NULL;
	s.cwd = "relative";
	assert_int_equal(run_spec_check(&s), ERR_USAGE);
}

static void test_directory(void **state)
{
	struct fixture *f = *state;
	struct run_spec spec = fixture_spec(f), r;
	struct buf env = BUF_INIT;
	char *rundir, *again, **names, **stored;
	struct stat st;
	size_t n;

	snprintf(spec.run_id, sizeof spec.run_id, "ps-abcdefghij234");
	spec.script = "true";
	buf_add(&env, "A=1\0B=x\ny\0", 10);
	assert_int_equal(
		run_directory_create(&rundir, &f->arena, f->runs, &spec, &env, "true\n", 5, true),
		0);
	assert_int_equal(stat(rundir, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0700);
	assert_int_equal(stat(fs_join(&f->arena, rundir, "cmd"), &st), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	assert_int_equal(st.st_size, 5);
	assert_int_equal(
		run_directory_create(&again, &f->arena, f->runs, &spec, &env, "false\n", 6, true),
		ERR_EXISTS);
	assert_int_equal(run_directory_read_spec(&r, &f->arena, rundir), 0);
	assert_string_equal(r.run_id, "ps-abcdefghij234");
	assert_int_equal(run_directory_read_env(&stored, &f->arena, rundir), 0);
	assert_string_equal(stored[0], "A=1");
	assert_string_equal(stored[1], "B=x\ny");
	assert_null(stored[2]);
	assert_int_equal(fs_mkdirs(fs_join(&f->arena, f->runs, "other"), 0700), 0);
	assert_int_equal(run_directory_list(&names, &n, &f->arena, f->runs), 0);
	assert_int_equal(n, 1);
	assert_string_equal(names[0], "ps-abcdefghij234");
	assert_int_equal(run_directory_list(&names, &n, &f->arena, "/nonexistent"), 0);
	assert_int_equal(n, 0);
	assert_int_equal(run_directory_log_bytes(rundir), -1);
	buf_release(&env);
}

static void test_cancel_stands(void **state)
{
	struct fixture *f = *state;
	char *rundir = make_rundir(f);
	struct cancel_request first = { 1, 2, "human:ann", "first" },
			      second = { 3, 4, "human:bob", "second" }, r;

	assert_int_equal(run_directory_read_cancel(&r, &f->arena, rundir), ERR_NOT_FOUND);
	assert_int_equal(run_directory_write_cancel(rundir, &first), 0);
	assert_int_equal(run_directory_write_cancel(rundir, &second), ERR_EXISTS);
	assert_int_equal(run_directory_read_cancel(&r, &f->arena, rundir), 0);
	assert_string_equal(r.why, "first");
	assert_string_equal(r.who, "human:ann");
	assert_int_equal(r.grace_ns, 2);
}

static void *ask_for_the_end(void *rundir)
{
	struct cancel_request c = { 1, 2, "human:ann", "at once" };

	return (void *)(intptr_t)run_directory_write_cancel(rundir, &c);
}

static void test_verdict_over(void **state)
{
	static const bool over[] = {
		[RUN_VERDICT_NONE] = false,
		[RUN_VERDICT_STARTING] = false,
		[RUN_VERDICT_RUNNING] = false,
		[RUN_VERDICT_FINAL] = true,
		[RUN_VERDICT_ORPHAN] = false,
		[RUN_VERDICT_LOST] = true,
		[RUN_VERDICT_LAUNCH_FAILED] = true,
		[RUN_VERDICT_MISSING] = true,
		[RUN_VERDICT_UNKNOWN] = false,
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(over); i++) {
		struct run_verdict v = { .kind = (enum run_verdict_kind)i };

		assert_int_equal(verdict_is_over(&v), over[i]);
	}
}

enum { ASKING = 16 };

static void test_cancel_of_long_words(void **state)
{
	struct fixture *f = *state;
	char *rundir = make_rundir(f), why[2400] = "";
	struct cancel_request c = { 1, 2, "human:ann", why }, r;

	for (size_t i = 0; i < 700; i++)
		memcpy(why + 3 * i, "\342\202\254", 4);	/* the sign of the euro, three bytes */
	assert_int_equal(run_directory_write_cancel(rundir, &c), 0);
	assert_int_equal(run_directory_read_cancel(&r, &f->arena, rundir), 0);
	assert_int_equal(strlen(r.why), 1998);
	assert_memory_equal(r.why, why, 1998);
}

/* One process may ask from several threads: one stands, nothing else is left. */
static void test_cancel_at_once(void **state)
{
	struct fixture *f = *state;
	char *rundir = make_rundir(f), **names;
	struct cancel_request r;
	pthread_t threads[ASKING];
	size_t stood = 0, n, before;
	void *answer;

	assert_int_equal(fs_list(&names, &before, &f->arena, rundir), 0);
	for (size_t i = 0; i < ASKING; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, ask_for_the_end, rundir), 0);
	for (size_t i = 0; i < ASKING; i++) {
		assert_int_equal(pthread_join(threads[i], &answer), 0);
		if (answer)
			assert_int_equal((intptr_t)answer, ERR_EXISTS);
		stood += !answer;
	}
	assert_int_equal(stood, 1);
	assert_int_equal(run_directory_read_cancel(&r, &f->arena, rundir), 0);
	assert_string_equal(r.why, "at once");
	assert_int_equal(fs_list(&names, &n, &f->arena, rundir), 0);
	assert_int_equal(n, before + 1);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_setup, fixture_teardown)
	const struct CMUnitTest tests[] = {
		TEST(test_run_id),
		TEST(test_status_text),
		TEST(test_status_longest),
		TEST(test_status_damage),
		TEST(test_verdict_without_status),
		TEST(test_verdict_running),
		TEST(test_verdict_locked),
		TEST(test_verdict_done),
		TEST(test_verdict_over),
		TEST(test_verdict_damaged),
		TEST(test_torn_status),
		TEST(test_zombie),
		TEST(test_process_name),
		TEST(test_spec_round_trip),
		TEST(test_budget),
		TEST(test_spec_check),
		TEST(test_directory),
		TEST(test_launcher_of_a_run),
		TEST(test_cancel_stands),
		TEST(test_cancel_of_long_words),
		TEST(test_cancel_at_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
