/* Programs with limits: what they said, how they ended, and who is not waited for. */
#include "config.h"

#include "tests/unit.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/program_run.h"

static char *const empty_environment[] = { NULL };

static struct program_run shell(char **argv, char *text)
{
	struct program_run p = PROGRAM_RUN_INIT;

	argv[0] = (char *)(size_t)"sh";
	argv[1] = (char *)(size_t)"-c";
	argv[2] = text;
	argv[3] = NULL;
	p.path = "/bin/sh";
	p.argv = argv;
	p.env = empty_environment;
	return p;
}

#define SCRIPT(text) ((char[]){ text })

static void test_streams_are_apart(void **state)
{
	char *argv[4];
	struct program_run p = shell(argv, SCRIPT("echo out; echo err >&2; exit 7"));

	(void)state;
	assert_int_equal(program_run(&p), 0);
	assert_int_equal(p.end, PROGRAM_EXITED);
	assert_int_equal(p.rc, 7);
	assert_string_equal(p.out.s, "out\n");
	assert_string_equal(p.err.s, "err\n");
	assert_false(p.cut);
	program_run_release(&p);
}

static void test_environment_is_what_is_given(void **state)
{
	static char *const environment[] = { (char *)(size_t)"A=b c", NULL };
	char *argv[4];
	struct program_run p = shell(argv, SCRIPT("echo \"$A|$HOME\""));

	(void)state;
	p.env = environment;
	assert_int_equal(program_run(&p), 0);
	assert_string_equal(p.out.s, "b c|\n");
	program_run_release(&p);
}

/* First the bytes, then the file: more than a pipe holds, each way. */
static void test_input_passes_whole(void **state)
{
	enum { FILE_BYTES = 300 * 1000 };
	char *argv[4], *bytes = xmalloc(FILE_BYTES);
	struct program_run p = shell(argv, SCRIPT("cat"));
	char name[] = "/tmp/program_run.XXXXXX";
	int fd = mkstemp(name);

	(void)state;
	for (size_t i = 0; i < FILE_BYTES; i++)
		bytes[i] = (char)(i * 7);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, FILE_BYTES), FILE_BYTES);
	assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
	p.in = "head\n";
	p.in_n = 5;
	p.in_fd = fd;
	assert_int_equal(program_run(&p), 0);
	assert_int_equal(p.rc, 0);
	assert_int_equal(p.out.n, 5 + FILE_BYTES);
	assert_memory_equal(p.out.s, "head\n", 5);
	assert_memory_equal(p.out.s + 5, bytes, FILE_BYTES);
	assert_false(p.input_left);
	program_run_release(&p);
	close(fd);
	unlink(name);
	free(bytes);
}

/* Whoever does not read all of its input is told apart; no SIGPIPE comes. */
static void test_unread_input_is_said(void **state)
{
	enum { BYTES = 4 * 1024 * 1024 };
	char *argv[4];
	struct program_run p = shell(argv, SCRIPT("exec <&-; exit 3"));

	(void)state;
	p.in = xcalloc(1, BYTES);
	p.in_n = BYTES;
	assert_int_equal(program_run(&p), 0);
	assert_int_equal(p.rc, 3);
	assert_true(p.input_left);
	free((void *)(size_t)p.in);
	program_run_release(&p);
}

static void test_more_than_the_limit_is_cut_and_said(void **state)
{
	char *argv[4];
	struct program_run p = shell(argv, SCRIPT("printf 0123456789; exit 0"));

	(void)state;
	p.out_max = 4;
	assert_int_equal(program_run(&p), 0);
	assert_int_equal(p.rc, 0);
	assert_string_equal(p.out.s, "0123");
	assert_true(p.cut);
	program_run_release(&p);
}

static void test_a_signal_is_no_exit(void **state)
{
	char *argv[4];
	struct program_run p = shell(argv, SCRIPT("kill -9 $$"));

	(void)state;
	assert_int_equal(program_run(&p), 0);
	assert_int_equal(p.end, PROGRAM_KILLED);
	assert_int_equal(p.rc, 137);
	program_run_release(&p);
}

/* The limit ends children too: the pipe that the shell's child holds is closed. */
static void test_limit_ends_the_group(void **state)
{
	char *argv[4];
	struct program_run p = shell(argv, SCRIPT("sleep 600; echo late"));
	int64_t before = clock_boot_ns();

	(void)state;
	p.limit_ns = 50 * NS_PER_MS;
	assert_int_equal(program_run(&p), 0);
	assert_int_equal(p.end, PROGRAM_LIMIT);
	assert_int_equal(p.rc, -1);
	assert_int_equal(p.out.n, 0);
	assert_true(clock_boot_ns() - before < 300 * NS_PER_S);
	program_run_release(&p);
}

static void test_stopped_from_outside(void **state)
{
	char *argv[4];
	struct program_run p = shell(argv, SCRIPT("sleep 600"));
	int ends[2];

	(void)state;
	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	assert_int_equal(write(ends[1], "x", 1), 1);
	p.stop_fd = ends[0];
	assert_int_equal(program_run(&p), 0);
	assert_int_equal(p.end, PROGRAM_STOPPED);
	close(ends[0]);
	close(ends[1]);
	program_run_release(&p);
}

/* What it left behind holds its outputs, and is not waited for. */
static void test_left_child_is_not_waited_for(void **state)
{
	char *argv[4];
	struct program_run p = shell(argv, SCRIPT("sleep 600 & echo $!"));
	int64_t before = clock_boot_ns();

	(void)state;
	p.limit_ns = 500 * NS_PER_S;
	assert_int_equal(program_run(&p), 0);
	assert_int_equal(p.end, PROGRAM_EXITED);
	assert_int_equal(p.rc, 0);
	assert_true(clock_boot_ns() - before < 300 * NS_PER_S);
	assert_int_equal(kill((pid_t)atoi(p.out.s), SIGKILL), 0);
	program_run_release(&p);
}

static void test_output_goes_to_a_file(void **state)
{
	char *argv[4], bytes[16];
	struct program_run p = shell(argv, SCRIPT("echo kept; echo said >&2"));
	char name[] = "/tmp/program_run.XXXXXX";
	int fd = mkstemp(name);

	(void)state;
	p.out_fd = fd;
	assert_int_equal(program_run(&p), 0);
	assert_int_equal(p.out.n, 0);
	assert_string_equal(p.err.s, "said\n");
	assert_int_equal(pread(fd, bytes, sizeof bytes, 0), 5);
	assert_memory_equal(bytes, "kept\n", 5);
	program_run_release(&p);
	close(fd);
	unlink(name);
}

static void test_missing_program(void **state)
{
	char *argv[4];
	struct program_run p = shell(argv, SCRIPT("true"));

	(void)state;
	p.path = "/nowhere/program";
	assert_int_equal(program_run(&p), ERR_NOT_FOUND);
	assert_string_equal(err_text(), "/nowhere/program: No such file or directory");
	program_run_release(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_streams_are_apart),
		cmocka_unit_test(test_environment_is_what_is_given),
		cmocka_unit_test(test_input_passes_whole),
		cmocka_unit_test(test_unread_input_is_said),
		cmocka_unit_test(test_more_than_the_limit_is_cut_and_said),
		cmocka_unit_test(test_a_signal_is_no_exit),
		cmocka_unit_test(test_limit_ends_the_group),
		cmocka_unit_test(test_stopped_from_outside),
		cmocka_unit_test(test_left_child_is_not_waited_for),
		cmocka_unit_test(test_output_goes_to_a_file),
		cmocka_unit_test(test_missing_program),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
