/* Files: durable writes, trees without following links, paths, hashes, memory. */
#include "config.h"

#include "tests/unit.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/err.h"
#include "base/fs.h"
#include "base/hash.h"
#include "base/spawn.h"
#include "base/text.h"

static char folder[64];

static int set_up(void **state)
{
	(void)state;
	strcpy(folder, "/tmp/portside-test-XXXXXX");
	return mkdtemp(folder) ? 0 : -1;
}

static int tear_down(void **state)
{
	(void)state;
	return fs_remove_tree(folder);
}

static void written_files_read_back(void **state)
{
	struct arena a = ARENA_INIT;
	struct buf b = BUF_INIT;
	char *path = fs_join(&a, folder, "x"), **names;
	size_t n;

	(void)state;
	assert_int_equal(fs_write_durable(path, "a\0b", 3, 0600), 0);
	assert_int_equal(fs_write_durable(path, "a\0bc", 4, 0600), 0);
	assert_int_equal(fs_read(&b, path, 0), 0);
	assert_int_equal(b.n, 4);
	assert_memory_equal(b.s, "a\0bc", 4);
	assert_int_equal(fs_read(&b, path, 3), ERR_IO);
	assert_int_equal(b.n, 4);	/* untouched by the failure */
	assert_int_equal(fs_list(&names, &n, &a, folder), 0);
	assert_int_equal(n, 1);		/* no temporary file is left */
	assert_int_equal(fs_read(&b, fs_join(&a, folder, "none"), 0), ERR_NOT_FOUND);
	assert_non_null(strstr(err_text(), "none"));
	buf_release(&b);
	arena_release(&a);
}

static void new_files_replace_nothing(void **state)
{
	struct arena a = ARENA_INIT;
	struct buf b = BUF_INIT;
	char *path = fs_join(&a, folder, "x"), *dangling = fs_join(&a, folder, "link"), **names;
	struct fs_new f;
	size_t n;

	(void)state;
	assert_int_equal(symlink("nowhere", dangling), 0);
	assert_int_equal(fs_write_new(path, "abc", 3, 0644), 0);
	assert_int_equal(fs_write_new(path, "other", 5, 0644), ERR_EXISTS);
	assert_int_equal(fs_write_new(dangling, "other", 5, 0644), ERR_EXISTS);
	assert_int_equal(fs_new_open(&f, fs_join(&a, folder, "y")), 0);
	assert_int_equal(fs_write_all(f.fd, "half", 4), 0);
	fs_new_drop(&f);
	assert_int_equal(fs_new_open(&f, fs_join(&a, folder, "y")), 0);
	/* meanwhile */
	assert_int_equal(fs_write_durable(fs_join(&a, folder, "y"), "abc", 3, 0644), 0);
	assert_int_equal(fs_new_name(&f, 0644), ERR_EXISTS);
	fs_new_drop(&f);
	assert_int_equal(fs_read(&b, fs_join(&a, folder, "y"), 0), 0);
	assert_string_equal(b.s, "abc");
	assert_int_equal(fs_list(&names, &n, &a, folder), 0);
	assert_int_equal(n, 3);
	assert_int_equal(fs_write_new(fs_join(&a, folder, "none/z"), "", 0, 0644), ERR_NOT_FOUND);
	buf_release(&b);
	arena_release(&a);
}

/* A sentence that is too long ends between two characters. */
static void long_sentences_are_cut_well(void **state)
{
	char text[2001];

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		memset(text, 'x', i);
		for (size_t k = i; k + 2 < sizeof text; k += 2)
			memcpy(text + k, "\303\251", 3);	/* e acute */
		assert_int_equal(err_set(ERR_IO, "%s", text), ERR_IO);
		assert_true(utf8_valid(err_text(), strlen(err_text())));
		assert_in_range(strlen(err_text()), 1020, 1023);
	}
	err_clear();
}

/* A reader of these would wait for ever, or never end. */
static void only_plain_files_are_read(void **state)
{
	struct arena a = ARENA_INIT;
	struct buf b = BUF_INIT;
	char *pipe_path = fs_join(&a, folder, "pipe"), *link_path = fs_join(&a, folder, "zero");
	struct digest digest;
	int64_t size;

	(void)state;
	assert_int_equal(mkfifo(pipe_path, 0600), 0);
	assert_int_equal(symlink("/dev/zero", link_path), 0);
	assert_int_equal(fs_read(&b, pipe_path, 0), ERR_REFUSED);
	assert_int_equal(fs_read(&b, link_path, 0), ERR_REFUSED);
	assert_int_equal(sha256_file(&digest, &size, pipe_path), ERR_REFUSED);
	assert_int_equal(fs_copy(link_path, fs_join(&a, folder, "copy"), 0600), ERR_REFUSED);
	assert_false(fs_exists(fs_join(&a, folder, "copy")));
	assert_int_equal(fs_read(&b, folder, 0), ERR_IO);
	assert_int_equal(fs_read(&b, "/dev/null", 0), 0);
	assert_int_equal(b.n, 0);
	assert_int_equal(unlink(pipe_path), 0);
	assert_int_equal(unlink(link_path), 0);
	buf_release(&b);
	arena_release(&a);
}

static void links_do_not_lead_out(void **state)
{
	struct arena a = ARENA_INIT;
	char *tree = fs_join(&a, folder, "links"), *secret = fs_join(&a, folder, "secret");
	int fd;

	(void)state;
	assert_int_equal(fs_mkdirs(fs_join(&a, tree, "real"), 0700), 0);
	assert_int_equal(fs_write_durable(secret, "s", 1, 0600), 0);
	assert_int_equal(fs_write_durable(fs_join(&a, tree, "real/x"), "x", 1, 0600), 0);
	assert_int_equal(symlink("..", fs_join(&a, tree, "out")), 0);
	assert_int_equal(symlink("../secret", fs_join(&a, tree, "file")), 0);
	/* What is in the way of a folder is told, not what looking for it came to. */
	assert_int_equal(symlink("nowhere", fs_join(&a, tree, "dead")), 0);
	assert_int_equal(fs_mkdirs(fs_join(&a, tree, "dead"), 0700), ERR_EXISTS);
	assert_non_null(strstr(err_text(), "File exists"));
	err_clear();
	assert_int_equal(unlink(fs_join(&a, tree, "dead")), 0);
	assert_int_equal(symlink("real/x", fs_join(&a, tree, "last")), 0);
	fd = fs_open_inside(tree, "real/x");
	assert_true(fd >= 0);
	close(fd);
	assert_true(fs_open_inside(tree, "out/secret") < 0);
	assert_true(fs_open_inside(tree, "file") < 0);
	assert_int_equal(fs_open_inside(tree, "../secret"), ERR_REFUSED);
	assert_int_equal(fs_open_inside(tree, "none"), ERR_NOT_FOUND);
	assert_true(fs_leads_inside(tree, "last"));
	assert_true(fs_leads_inside(tree, "real/x"));
	assert_false(fs_leads_inside(tree, "out/secret"));
	assert_false(fs_leads_inside(tree, "file"));
	assert_false(fs_leads_inside(tree, "none"));
	assert_int_equal(fs_remove_tree(tree), 0);
	assert_int_equal(unlink(secret), 0);
	arena_release(&a);
}

static void removal_does_not_follow_links(void **state)
{
	struct arena a = ARENA_INIT;
	char *kept = fs_join(&a, folder, "kept"), *tree = fs_join(&a, folder, "tree");

	(void)state;
	assert_int_equal(fs_mkdirs(kept, 0700), 0);
	assert_int_equal(fs_write_durable(fs_join(&a, kept, "file"), "x", 1, 0600), 0);
	assert_int_equal(fs_mkdirs(fs_join(&a, tree, "a/b"), 0700), 0);
	assert_int_equal(symlink(kept, fs_join(&a, tree, "a/link")), 0);
	assert_int_equal(fs_remove_tree(tree), 0);
	assert_false(fs_exists(tree));
	assert_true(fs_exists(fs_join(&a, kept, "file")));
	assert_int_equal(fs_remove_tree(tree), 0);
	arena_release(&a);
}

static void paths_cannot_escape(void **state)
{
	static const char *const good[] = { "a", "a/b.c", "...", "a/..b", ".git" };
	static const char *const bad[] = { "", "/a", "..", "a/..", "a/../b", "./a", "a//b", "a/",
		"a\nb", "." };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(good); i++)
		assert_true(fs_is_inside(good[i]));
	for (size_t i = 0; i < ARRAY_LEN(bad); i++)
		if (fs_is_inside(bad[i]))
			fail_msg("let %s through", bad[i]);
}

static void hashes(void **state)
{
	struct arena a = ARENA_INIT;
	struct digest d = sha256_bytes("abc", 3), file;
	char hex[DIGEST_HEX + 1], *path = fs_join(&a, folder, "abc");
	int64_t size;

	(void)state;
	digest_hex(hex, &d);
	assert_string_equal(
		hex, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
	assert_int_equal(crc32_bytes("123456789", 9), 0xcbf43926u);
	assert_int_equal(fs_write_durable(path, "abc", 3, 0600), 0);
	assert_int_equal(sha256_file(&file, &size, path), 0);
	assert_int_equal(size, 3);
	assert_true(digest_equal(&d, &file));
	assert_false(digest_from_hex(
		&file, "BA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD"));
	arena_release(&a);
}

static void arenas_and_buffers(void **state)
{
	struct arena a = ARENA_INIT;
	struct buf b = BUF_INIT;
	char *first = arena_strdup(&a, "first");

	(void)state;
	for (int i = 0; i < 10000; i++)
		assert_int_equal((uintptr_t)arena_alloc(&a, (size_t)i % 97) % 16, 0);
	assert_string_equal(first, "first");
	arena_release(&a);
	assert_int_equal(a.used_bytes, 0);
	assert_string_equal(b.s, "");
	for (int i = 0; i < 1000; i++)
		buf_addf(&b, "%d,", i);
	assert_int_equal(b.n, 10 * 2 + 90 * 3 + 900 * 4);
	buf_truncate(&b, 4);
	assert_string_equal(b.s, "0,1,");
	buf_release(&b);
	assert_string_equal(b.s, "");
}

static void programs_are_found_on_a_path(void **state)
{
	struct arena a = ARENA_INIT;
	char *bin = fs_join(&a, folder, "bin"), *tool = fs_join(&a, bin, "tool");
	char *path = arena_printf(&a, "/nowhere::%s/bin/tool:%s", folder, bin);

	(void)state;
	assert_int_equal(fs_mkdirs(fs_join(&a, folder, "folder"), 0700), 0);
	assert_int_equal(fs_mkdirs(bin, 0700), 0);
	assert_int_equal(fs_write_new(tool, "x", 1, 0600), 0);
	assert_null(fs_find_program(&a, "tool", path, folder));
	assert_int_equal(chmod(tool, 0700), 0);
	assert_string_equal(fs_find_program(&a, "tool", path, folder), tool);
	assert_string_equal(fs_find_program(&a, "tool", "bin", folder), tool);
	assert_string_equal(fs_find_program(&a, "bin/tool", "", folder), tool);
	assert_null(fs_find_program(&a, "tool", "", folder));
	assert_null(fs_find_program(&a, "folder", folder, folder));
	assert_non_null(fs_find_program(&a, "sh", NULL, folder));
	arena_release(&a);
}

struct signals { unsigned long long blocked, ignored; };

/* The first 31 signals: the C library keeps two behind them for itself. */
static struct signals signals_of(struct arena *a, unsigned flags)
{
	char *argv[] = { (char[]){ "grep" }, (char[]){ "-E" }, (char[]){ "^Sig(Blk|Ign)" },
		(char[]){ "/proc/self/status" }, NULL };
	char *path = fs_join(a, folder, "signals");
	struct signals out = { 0, 0 };
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	struct buf b = BUF_INIT;
	pid_t pid;

	spawn_attributes_init(&attributes, flags);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(
		&actions, STDOUT_FILENO, path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	assert_int_equal(posix_spawnp(&pid, "grep", &actions, &attributes, argv, NULL), 0);
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&attributes);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_int_equal(fs_read(&b, path, 0), 0);
	assert_int_equal(sscanf(b.s, "SigBlk: %llx SigIgn: %llx", &out.blocked, &out.ignored), 2);
	buf_release(&b);
	out.blocked &= 0x7fffffff;
	out.ignored &= 0x7fffffff;
	return out;
}

/* Whatever is ignored and blocked here. */
static void programs_start_with_default_signals(void **state)
{
	struct arena a = ARENA_INIT;
	sigset_t usr1, before;

	(void)state;
	sigemptyset(&usr1);
	sigaddset(&usr1, SIGUSR1);
	assert_int_equal(sigprocmask(SIG_BLOCK, &usr1, &before), 0);
	signal(SIGPIPE, SIG_IGN);
	assert_int_equal(signals_of(&a, 0).blocked, 0);
	assert_int_equal(signals_of(&a, 0).ignored, 0);
	/* SIGTSTP 20, SIGTTIN 21, SIGTTOU 22. */
	assert_int_equal(signals_of(&a, SPAWN_OWN_GROUP | SPAWN_STOPS_BLOCKED).blocked, 0x380000);
	signal(SIGPIPE, SIG_DFL);
	assert_int_equal(sigprocmask(SIG_SETMASK, &before, NULL), 0);
	arena_release(&a);
}

/* What a copy of this program at PATH says about fs_data_path("brief.txt"). */
static char *data_path_of(struct arena *a, const char *path)
{
	char line[512] = "";
	FILE *out = popen(arena_printf(a, "unset PORTSIDE_DATA; '%s' data brief.txt", path), "r");

	assert_non_null(out);
	assert_non_null(fgets(line, sizeof line, out));
	assert_int_equal(pclose(out), 0);
	return arena_strdup(a, line);
}

static void data_is_found_where_the_program_is(void **state)
{
	struct arena a = ARENA_INIT;
	char *self = realpath("/proc/self/exe", NULL);
	char *program = fs_join(&a, folder, "bin/program"),
	     *beside = fs_join(&a, folder, "share/portside");

	(void)state;
	assert_string_equal(data_path_of(&a, self), PORTSIDE_SOURCE_DATA "/brief.txt");
	assert_int_equal(fs_mkdirs(fs_join(&a, folder, "bin"), 0700), 0);
	assert_int_equal(fs_copy(self, program, 0700), 0);
	assert_string_equal(data_path_of(&a, program), PORTSIDE_INSTALLED_DATA "/brief.txt");
	assert_int_equal(fs_mkdirs(beside, 0700), 0);
	assert_int_equal(fs_write_new(fs_join(&a, beside, "brief.txt"), "x", 1, 0600), 0);
	assert_string_equal(data_path_of(&a, program),
		arena_printf(&a, "%s/bin/../share/portside/brief.txt", folder));
	free(self);
	arena_release(&a);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(written_files_read_back, set_up, tear_down),
		cmocka_unit_test_setup_teardown(new_files_replace_nothing, set_up, tear_down),
		cmocka_unit_test(long_sentences_are_cut_well),
		cmocka_unit_test_setup_teardown(only_plain_files_are_read, set_up, tear_down),
		cmocka_unit_test_setup_teardown(links_do_not_lead_out, set_up, tear_down),
		cmocka_unit_test_setup_teardown(removal_does_not_follow_links, set_up, tear_down),
		cmocka_unit_test(paths_cannot_escape),
		cmocka_unit_test_setup_teardown(hashes, set_up, tear_down),
		cmocka_unit_test_setup_teardown(programs_are_found_on_a_path, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			programs_start_with_default_signals, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			data_is_found_where_the_program_is, set_up, tear_down),
		cmocka_unit_test(arenas_and_buffers),
	};
	struct arena a = ARENA_INIT;

	if (argc == 3 && strcmp(argv[1], "data") == 0) {
		fputs(fs_data_path(&a, argv[2]), stdout);
		arena_release(&a);
		return 0;
	}
	return cmocka_run_group_tests_name("files", tests, NULL, NULL);
}
