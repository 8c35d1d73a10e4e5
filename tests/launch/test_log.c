/* The end of a log, following it, and noticing changes. */
#include "config.h"

#include "fixture.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/err.h"
#include "base/fs.h"
#include "launch/end_marker.h"
#include "launch/process.h"
#include "launch/watch.h"

static struct end_marker_facts scan(
	struct fixture *f, const char *text, size_t n, const struct end_marker *m)
{
	char *path = fs_join(&f->arena, f->work, "log");
	struct end_marker_facts facts;

	assert_int_equal(fs_write_durable(path, text, n, 0600), 0);
	assert_int_equal(end_marker_scan(&facts, m, path), 0);
	return facts;
}

static void test_steps(void **state)
{
	static const struct { const char *text; int64_t last;
	} rows[] = {
		{ "step 7", 7 },
		{ "Step: 12 loss", 12 },
		{ "{'step': 31, 'loss': 0.5}", 31 },
		{ "{\"global_step\": 99}", 99 },
		{ "steps=4", 4 },
		{ "STEP #5\n", 5 },
		{ "[step 3/50]", 3 },
		{ "step 1\rstep 2\rstep 3", 3 },
		{ " 40%|####  | 20/50 [00:01<00:02]", 20 },
		{ "steps_per_second=30", -1 },
		{ "stepwise 3", -1 },
		{ "footstep 3", -1 },
		{ "step 1e-4", -1 },
		{ "step 0.5", -1 },
		{ "step size 3", -1 },
		{ "20/50", -1 },
		{ "10/40 [", -1 },
		{ "", -1 },
		{ "step 9999999999999999999", -1 },
		{ "train_step 8, eval", 8 },
		{ "step 50.", 50 },
	};
	struct fixture *f = *state;
	struct end_marker m = { .steps = 50 };

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct end_marker_facts facts = scan(f, rows[i].text, strlen(rows[i].text), &m);

		if (facts.has_step != (rows[i].last >= 0) ||
			(facts.has_step && facts.last_step != rows[i].last))
			fail_msg("%s: %lld", rows[i].text,
				facts.has_step ? (long long)facts.last_step : -1LL);
	}
}

static void test_step_facts(void **state)
{
	static const struct { const char *text; enum end_fact steps;
	} rows[] = {
		{ "step 1\nstep 50\n", END_YES },
		{ "step 48\nstep 49\n", END_YES },
		{ "step 40\nstep 41\n", END_NO },
		{ "step 30\nstep 40\n", END_UNKNOWN },
		{ "step 20\nstep 30\n", END_NO },
		{ "step 10\n", END_UNKNOWN },
		{ "nothing\n", END_UNKNOWN },
	};
	struct fixture *f = *state;
	struct end_marker m = { .steps = 50 };

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		assert_int_equal(
			scan(f, rows[i].text, strlen(rows[i].text), &m).steps, rows[i].steps);
	m.steps = 0;
	assert_int_equal(scan(f, "step 50", 7, &m).steps, END_UNKNOWN);
}

static void test_done(void **state)
{
	struct fixture *f = *state;
	struct end_marker m = {
		.done = "Training completed", .artifact = "out/model.bin", .cwd = f->work
	};
	struct end_marker_facts facts = scan(f, "x\nTraining completed\n", 21, &m);

	assert_int_equal(facts.done, END_YES);
	assert_int_equal(facts.done_offset, 2);
	assert_int_equal(facts.artifact, END_NO);
	assert_int_equal(facts.steps, END_UNKNOWN);
	assert_int_equal(fs_mkdirs(fs_join(&f->arena, f->work, "out"), 0700), 0);
	assert_int_equal(
		fs_write_durable(fs_join(&f->arena, f->work, "out/model.bin"), "abc", 3, 0600),
		0);
	facts = scan(f, "Training complete", 17, &m);
	assert_int_equal(facts.done, END_NO);
	assert_int_equal(facts.artifact, END_YES);
	assert_int_equal(facts.artifact_bytes, 3);
	m.artifact = "../runs";
	m.done = NULL;
	facts = scan(f, "Training completed", 18, &m);
	assert_int_equal(facts.artifact, END_UNKNOWN);
	assert_int_equal(facts.done, END_UNKNOWN);
	assert_int_equal(end_marker_scan(&facts, &m, "/nonexistent/log"), ERR_NOT_FOUND);
}

/* Marks and numbers that lie across the borders of what is read at once. */
static void test_borders(void **state)
{
	enum { CHUNK = 256 * 1024 };
	struct fixture *f = *state;
	struct end_marker m = { .done = "the end is here", .steps = 123456 };
	const size_t size = CHUNK + 1000;
	char *text = arena_alloc(&f->arena, size);

	for (int shift = -160; shift < 40; shift++) {
		struct end_marker_facts facts;

		memset(text, '.', size);
		memcpy(text + CHUNK + shift, " step: 123456 the end is here ", 30);
		facts = scan(f, text, size, &m);
		assert_int_equal(facts.done_offset, CHUNK + shift + 14);
		assert_true(facts.has_step);
		assert_int_equal(facts.last_step, 123456);
	}
}

static void test_sparse(void **state)
{
	const int64_t size = INT64_C(10) * 1000 * 1000 * 1000;
	struct fixture *f = *state;
	struct end_marker m = { .done = "finished" };
	char *path = fs_join(&f->arena, f->work, "log"), got_text[8];
	struct end_marker_facts facts;
	int64_t got_size;
	size_t got;
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);

	assert_int_equal(pwrite(fd, "step 7\n", 7, size / 2), 7);
	assert_int_equal(pwrite(fd, "finished", 8, size - 8), 8);
	close(fd);
	assert_int_equal(end_marker_scan(&facts, &m, path), 0);
	assert_int_equal(facts.done, END_YES);
	assert_int_equal(facts.done_offset, size - 8);
	assert_int_equal(facts.last_step, 7);
	assert_int_equal(facts.log_bytes, size);
	assert_int_equal(launch_log_read(f->work, size - 8, got_text, 8, &got, &got_size), 0);
	assert_int_equal(got, 8);
	assert_int_equal(got_size, size);
	assert_memory_equal(got_text, "finished", 8);
}

/* Waits for WHAT of ID; other events may come first. */
static void wait_event(struct watch *w, int id, unsigned what)
{
	struct watch_event e;
	int waited_ms = 0;

	for (;;) {
		struct pollfd p = { .fd = watch_fd(w), .events = POLLIN };

		(void)poll(&p, 1, 100);
		while (watch_next(w, &e))
			if (e.id == id && (e.what & what))
				return;
		fixture_pause(&waited_ms, "an event");
	}
}

static void check_watch(struct fixture *f, int flags)
{
	char *other = fs_join(&f->arena, f->folder, "other");
	struct watch *w = watch_new(flags);
	struct watch_event e;
	int a, b;

	assert_non_null(w);
	assert_int_equal(fs_mkdirs(other, 0700), 0);
	a = watch_add(w, f->work);
	b = watch_add(w, other);
	assert_true(a >= 0 && b >= 0 && a != b);
	assert_int_equal(watch_add(w, "/nonexistent"), ERR_NOT_FOUND);
	assert_false(watch_next(w, &e));
	assert_int_equal(fs_write_durable(fs_join(&f->arena, other, "log"), "x", 1, 0600), 0);
	wait_event(w, b, WATCH_LOG);
	assert_int_equal(fs_write_durable(fs_join(&f->arena, f->work, "status"), "x", 1, 0600), 0);
	wait_event(w, a, WATCH_STATUS);
	watch_remove(w, b);
	assert_int_equal(fs_remove_tree(f->work), 0);
	wait_event(w, a, WATCH_GONE);
	assert_int_equal(watch_add(w, other), b);
	watch_free(w);
}

static void test_watch(void **state)
{
	check_watch(*state, 0);
}

static void test_watch_polling(void **state)
{
	check_watch(*state, WATCH_POLLING);
}

/* Follows the run in a process whose output is a file; returns its pid. */
static pid_t start_forward(struct fixture *f, const char *out)
{
	pid_t pid = fork();

	if (pid == 0) {
		int fd = open(out, O_WRONLY | O_CREAT | O_CLOEXEC, 0600), code = 99;

		setpgid(0, 0);
		if (launch_wait_and_forward(f->rundir, f->program, fd, &code) < 0)
			code = 98;
		_exit(code);
	}
	return pid;
}

static int wait_exit(pid_t pid)
{
	int status;

	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static void test_forward(void **state)
{
	struct fixture *f = *state;
	char *out = fs_join(&f->arena, f->folder, "out");
	pid_t pid;

	fixture_start_script(
		f, "echo first; while [ ! -e go ]; do sleep 0.02; done; echo second; exit 6");
	pid = start_forward(f, out);
	/* Live: the first line is there while the run goes on. */
	fixture_wait_file(out);
	assert_string_equal(fixture_read(f, out, NULL), "first\n");
	assert_int_equal(fs_write_durable(fs_join(&f->arena, f->work, "go"), "", 0, 0600), 0);
	assert_int_equal(wait_exit(pid), 6);
	assert_string_equal(fixture_read(f, out, NULL), "first\nsecond\n");
}

static void test_forward_interrupted(void **state)
{
	struct fixture *f = *state;
	char *out = fs_join(&f->arena, f->folder, "out");
	pid_t pid;

	fixture_start_script(
		f, "trap 'echo saved; exit 0' TERM; echo up; while :; do sleep 0.02; done");
	pid = start_forward(f, out);
	fixture_wait_file(out);
	assert_int_equal(kill(pid, SIGINT), 0);
	assert_int_equal(wait_exit(pid), 130);
	assert_int_equal(fixture_wait_final(f).why, WHY_CANCELLED);
	assert_non_null(strstr(fixture_read(f, out, NULL), "saved\n"));
}

static void test_forward_terminated(void **state)
{
	struct fixture *f = *state;
	char *out = fs_join(&f->arena, f->folder, "out");
	pid_t pid;

	fixture_start_script(f, "echo up; exec sleep 60");
	pid = start_forward(f, out);
	fixture_wait_file(out);
	assert_int_equal(kill(pid, SIGTERM), 0);
	assert_int_equal(wait_exit(pid), 143);
	assert_int_equal(fixture_wait_final(f).why, WHY_CANCELLED);
}

static void test_forward_killed(void **state)
{
	struct fixture *f = *state;
	char *out = fs_join(&f->arena, f->folder, "out");
	pid_t pid;

	fixture_start_script(f, "echo up; while [ ! -e go ]; do sleep 0.02; done; exit 4");
	pid = start_forward(f, out);
	fixture_wait_file(out);
	assert_int_equal(kill(-pid, SIGKILL), 0);
	assert_int_equal(wait_exit(pid), -SIGKILL);
	assert_int_equal(fs_write_durable(fs_join(&f->arena, f->work, "go"), "", 0, 0600), 0);
	assert_int_equal(fixture_wait_final(f).rc, 4);
}

static void test_forward_closed(void **state)
{
	struct fixture *f = *state;
	int ends[2], code = -1;

	fixture_start_script(f, "echo up; while [ ! -e go ]; do sleep 0.02; done; exit 4");
	assert_int_equal(pipe(ends), 0);
	close(ends[0]);
	assert_int_equal(launch_wait_and_forward(f->rundir, f->program, ends[1], &code), 0);
	close(ends[1]);
	assert_int_equal(code, 128 + SIGPIPE);
	assert_int_equal(fs_write_durable(fs_join(&f->arena, f->work, "go"), "", 0, 0600), 0);
	assert_int_equal(fixture_wait_final(f).rc, 4);
}

static void test_forward_codes(void **state)
{
	struct fixture *f = *state;
	struct run_spec spec = fixture_spec(f);
	const char *argv[] = { "portside-no-such-program", NULL };
	struct launch_result result;
	int code = -1, null = open("/dev/null", O_WRONLY | O_CLOEXEC);

	spec.argv = argv;
	assert_int_equal(launch_prepare(&f->launch, f->runs, &spec, environ), 0);
	f->rundir = launch_rundir(f->launch);
	assert_int_equal(launch_start(f->launch, f->program, &result), ERR_IO);
	assert_int_equal(launch_wait_and_forward(f->rundir, f->program, null, &code), 0);
	assert_int_equal(code, 127);
	launch_free(f->launch);

	spec.argv = NULL;
	spec.script = "sleep 60";
	spec.limit_ns = 100 * 1000 * 1000;
	fixture_start(f, &spec);
	assert_int_equal(launch_wait_and_forward(f->rundir, f->program, null, &code), 0);
	assert_int_equal(code, 124);
	close(null);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_setup, fixture_teardown)
	const struct CMUnitTest tests[] = {
		TEST(test_steps),
		TEST(test_step_facts),
		TEST(test_done),
		TEST(test_borders),
		TEST(test_sparse),
		TEST(test_watch),
		TEST(test_watch_polling),
		TEST(test_forward),
		TEST(test_forward_interrupted),
		TEST(test_forward_terminated),
		TEST(test_forward_killed),
		TEST(test_forward_closed),
		TEST(test_forward_codes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
