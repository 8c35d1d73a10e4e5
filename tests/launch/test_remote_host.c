/* Commands on another machine: a real ssh, and a real sshd at the other end of a pipe. */
#include "config.h"

#include "tests/unit.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/fs.h"
#include "base/program_run.h"
#include "launch/remote_host.h"

extern char **environ;

struct machine {
	char dir[64];
	char configuration[96];
	bool there;
};

static char *top_path(struct arena *a, const char *name)
{
	const char *top = getenv("srcdir");

	return fs_join(a, top ? top : ".", name);
}

static int make_machine(void **state)
{
	struct machine *m = xcalloc(1, sizeof *m);
	struct arena a = ARENA_INIT;
	struct program_run run = PROGRAM_RUN_INIT;
	char *argv[4] = { (char *)(size_t)"sh", top_path(&a, "tests/launch/sshd.sh"), m->dir, NULL };

	snprintf(m->dir, sizeof m->dir, "/tmp/remote_host.XXXXXX");
	assert_non_null(mkdtemp(m->dir));
	snprintf(m->configuration, sizeof m->configuration, "%s/ssh_config", m->dir);
	run.path = "/bin/sh";
	run.argv = argv;
	run.env = environ;
	assert_int_equal(program_run(&run), 0);
	m->there = run.rc == 0;
	if (run.rc != 0 && run.rc != 77)
		print_message("%s\n", run.err.s);
	assert_true(run.rc == 0 || run.rc == 77);
	program_run_release(&run);
	arena_release(&a);
	*state = m;
	return 0;
}

static int remove_machine(void **state)
{
	struct machine *m = *state;
	struct arena a = ARENA_INIT;
	struct program_run run = PROGRAM_RUN_INIT;
	char *argv[] = { (char *)(size_t)"ssh", (char *)(size_t)"-F", m->configuration,
		arena_printf(&a, "-oControlPath=%s/%%C", m->dir), (char *)(size_t)"-O",
		(char *)(size_t)"exit", (char *)(size_t)"portside-test", NULL };
	int rc = 0;

	run.path = fs_find_program(&a, "ssh", getenv("PATH"), ".");
	run.argv = argv;
	run.env = environ;
	if (run.path && program_run(&run) < 0)	/* without a shared connection it fails */
		rc = -1;
	program_run_release(&run);
	arena_release(&a);
	if (fs_remove_tree(m->dir) < 0)
		rc = -1;
	free(m);
	return rc;
}

/* Runs ARGV there with INPUT behind the arguments. */
static void call(struct program_run *run, const struct machine *m, const char *host,
	const char *control, char *const *argv, const char *input)
{
	struct remote_host h = { .name = host, .configuration = m->configuration,
		.control = control };
	struct remote_call c;
	struct arena a = ARENA_INIT;

	if (!m->there)
		skip();
	if (remote_call_make(&c, &h, argv, &a) < 0)
		fail_msg("%s", err_text());
	buf_adds(&c.head, input);
	run->path = c.program;
	run->argv = c.argv;
	run->env = environ;
	run->in = c.head.s;
	run->in_n = c.head.n;
	assert_int_equal(program_run(run), 0);
	remote_call_release(&c);
	arena_release(&a);
}

#define WORD(s) ((char *)(size_t)(s))

/* Every byte but NUL and line feed, blanks, quotes and an empty one: as they are. */
static void test_arguments_arrive_as_they_are(void **state)
{
	const struct machine *m = *state;
	struct program_run run = PROGRAM_RUN_INIT;
	char bytes[256];
	size_t n = 0;
	char *argv[] = { WORD("printf"), WORD("[%s]"), bytes, WORD(""), WORD("-n a  b"),
		WORD("$HOME `id` $(id) ; & | * ? ~ \\ \" '"), WORD("!! %s {x}"), NULL };
	struct buf wanted = BUF_INIT;

	for (int c = 1; c < 256; c++)
		if (c != '\n')
			bytes[n++] = (char)c;
	bytes[n] = '\0';
	for (size_t i = 2; argv[i]; i++)
		buf_addf(&wanted, "[%s]", argv[i]);
	call(&run, m, "portside-test", NULL, argv, "");
	assert_int_equal(run.end, PROGRAM_EXITED);
	assert_int_equal(run.rc, 0);
	assert_int_equal(run.out.n, wanted.n);
	assert_memory_equal(run.out.s, wanted.s, wanted.n);
	program_run_release(&run);
	buf_release(&wanted);
}

/* What follows the arguments is the command's own input, to the last byte. */
static void test_input_follows_the_arguments(void **state)
{
	const struct machine *m = *state;
	struct program_run run = PROGRAM_RUN_INIT;
	char *argv[] = { WORD("cat"), NULL };

	call(&run, m, "portside-test", m->dir, argv, "3\nfirst\n\nlast without an end");
	assert_string_equal(run.out.s, "3\nfirst\n\nlast without an end");
	assert_int_equal(run.rc, 0);
	program_run_release(&run);
}

static void test_exit_status_passes(void **state)
{
	static const struct {
		const char *text;
		int rc;
	} cases[] = { { "exit 0", 0 }, { "exit 7", 7 }, { "exit 255", 255 } };
	const struct machine *m = *state;

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct program_run run = PROGRAM_RUN_INIT;
		char *argv[] = { WORD("sh"), WORD("-c"), WORD(cases[i].text), NULL };

		call(&run, m, "portside-test", m->dir, argv, "");
		assert_int_equal(run.end, PROGRAM_EXITED);
		assert_int_equal(run.rc, cases[i].rc);
		program_run_release(&run);
	}
}

static void test_a_missing_program_is_127(void **state)
{
	const struct machine *m = *state;
	struct program_run run = PROGRAM_RUN_INIT;
	char *argv[] = { WORD("no-such-program"), NULL };

	call(&run, m, "portside-test", m->dir, argv, "");
	assert_int_equal(run.rc, 127);
	assert_non_null(strstr(run.err.s, "no-such-program"));
	program_run_release(&run);
}

/* Nobody is asked: a host whose key is not known is refused, in words. */
static void test_an_unknown_host_is_refused(void **state)
{
	const struct machine *m = *state;
	struct program_run run = PROGRAM_RUN_INIT;
	char *argv[] = { WORD("true"), NULL };

	call(&run, m, "portside-stranger", NULL, argv, "");
	assert_int_equal(run.rc, 255);
	assert_non_null(strstr(run.err.s, "Host key verification failed"));
	program_run_release(&run);
}

/* One that accepts a connection and says nothing costs REMOTE_CONNECT_S seconds. */
static void test_a_silent_host_is_given_up(void **state)
{
	const struct machine *m = *state;
	struct program_run run = PROGRAM_RUN_INIT;
	char *argv[] = { WORD("true"), NULL };

	call(&run, m, "portside-silent", NULL, argv, "");
	assert_int_equal(run.end, PROGRAM_EXITED);
	assert_int_equal(run.rc, 255);
	assert_non_null(strstr(run.err.s, "timed out"));
	program_run_release(&run);
}

static void test_names_of_hosts(void **state)
{
	static const char *const good[] = {
		"gpu1", "ann@gpu1.example.org", "10.0.0.1", "ann@[fe80::1%eth0]", "my_alias-2",
	};
	static const char *const bad[] = {
		"", "-oProxyCommand=x", "a b", "a;b", "$(x)", "a\nb", "@a", "a'b", "a/b",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(good); i++)
		assert_int_equal(remote_host_check(good[i]), 0);
	for (size_t i = 0; i < ARRAY_LEN(bad); i++)
		assert_int_equal(remote_host_check(bad[i]), ERR_USAGE);
}

static void test_a_line_feed_is_refused(void **state)
{
	struct remote_host h = { .name = "gpu1" };
	char *argv[] = { WORD("echo"), WORD("a\nb"), NULL };
	struct remote_call c;
	struct arena a = ARENA_INIT;

	(void)state;
	assert_int_equal(remote_call_make(&c, &h, argv, &a), ERR_USAGE);
	assert_string_equal(err_text(),
		"an argument with a line feed does not pass to another machine");
	arena_release(&a);
}

/* A folder that others can look into, or a link, holds no sockets of ours. */
static void test_control_folder_is_ours_alone(void **state)
{
	const struct machine *m = *state;
	struct arena a = ARENA_INIT;
	struct stat st;
	char *folder = arena_printf(&a, "%s/portside", m->dir), *got;

	setenv("XDG_RUNTIME_DIR", m->dir, 1);
	got = remote_host_control_folder(&a);
	assert_string_equal(got, folder);
	assert_int_equal(stat(folder, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0700);
	assert_int_equal(chmod(folder, 0755), 0);
	got = remote_host_control_folder(&a);
	assert_true(!got || strcmp(got, folder) != 0);
	assert_int_equal(rmdir(folder), 0);
	assert_int_equal(symlink("/tmp", folder), 0);
	got = remote_host_control_folder(&a);
	assert_true(!got || strcmp(got, folder) != 0);
	assert_int_equal(unlink(folder), 0);
	unsetenv("XDG_RUNTIME_DIR");
	arena_release(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_arguments_arrive_as_they_are),
		cmocka_unit_test(test_input_follows_the_arguments),
		cmocka_unit_test(test_exit_status_passes),
		cmocka_unit_test(test_a_missing_program_is_127),
		cmocka_unit_test(test_an_unknown_host_is_refused),
		cmocka_unit_test(test_a_silent_host_is_given_up),
		cmocka_unit_test(test_names_of_hosts),
		cmocka_unit_test(test_a_line_feed_is_refused),
		cmocka_unit_test(test_control_folder_is_ours_alone),
	};

	return cmocka_run_group_tests(tests, make_machine, remove_machine);
}
