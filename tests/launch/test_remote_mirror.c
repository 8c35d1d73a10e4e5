/* A folder followed: real answers of the remote script, and answers that lie. */
#include "config.h"

#include "tests/unit.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/fs.h"
#include "base/program_run.h"
#include "launch/remote_mirror.h"

extern char **environ;

struct place {
	char dir[48], there[64], here[64];
	struct arena a;
	struct remote_mirror *m;
};

static int make_place(void **state)
{
	struct place *p = xcalloc(1, sizeof *p);

	snprintf(p->dir, sizeof p->dir, "/tmp/remote_mirror.XXXXXX");
	assert_non_null(mkdtemp(p->dir));
	snprintf(p->there, sizeof p->there, "%s/there", p->dir);
	snprintf(p->here, sizeof p->here, "%s/here", p->dir);
	assert_int_equal(fs_mkdirs(p->there, 0700), 0);
	assert_int_equal(remote_mirror_open(&p->m, p->here), 0);
	*state = p;
	return 0;
}

static int remove_place(void **state)
{
	struct place *p = *state;
	int rc;

	remote_mirror_free(p->m);
	rc = fs_remove_tree(p->dir);
	arena_release(&p->a);
	free(p);
	return rc;
}

static void put(struct place *p, const char *name, const char *text, const char *mode)
{
	char *path = fs_join(&p->a, p->there, name);
	FILE *f;

	assert_int_equal(fs_mkdirs(fs_dirname(&p->a, path), 0700), 0);
	f = fopen(path, mode);
	assert_non_null(f);
	fputs(text, f);
	assert_int_equal(fclose(f), 0);
}

static void assert_here(struct place *p, const char *name, const char *text)
{
	struct buf b = BUF_INIT;

	if (fs_read(&b, fs_join(&p->a, p->here, name), 0) < 0)
		fail_msg("%s", err_text());
	assert_string_equal(b.s, text);
	buf_release(&b);
}

/* The remote script with WORDS behind the folder. */
static void script(struct program_run *run, struct place *p, const char *verb, char *const *words)
{
	const char *top = getenv("srcdir");
	char *path = fs_join(&p->a, top ? top : ".", "data/remote/portside-remote.sh");
	char **argv = arena_alloc(&p->a, 256 * sizeof *argv);
	size_t n = 0;

	argv[n++] = arena_strdup(&p->a, "sh");
	argv[n++] = arena_strdup(&p->a, "-s");
	argv[n++] = arena_strdup(&p->a, verb);
	argv[n++] = p->there;
	while (words && *words && n < 255)
		argv[n++] = *words++;
	run->path = "/bin/sh";
	run->argv = argv;
	run->env = environ;
	run->in_fd = open(path, O_RDONLY | O_CLOEXEC);
	assert_true(run->in_fd >= 0);
	assert_int_equal(program_run(run), 0);
	close(run->in_fd);
}

/* One look; chunks of at most MAX bytes, answers that end after KEEP bytes. */
static int64_t look(struct place *p, const char *max, size_t keep)
{
	struct program_run run = PROGRAM_RUN_INIT;
	int64_t all = 0, took;
	char **wants;
	bool whole;

	script(&run, p, "list", NULL);
	if (remote_mirror_take_list(p->m, run.out.s, run.out.n, &whole) < 0)
		fail_msg("%s", err_text());
	assert_true(whole);
	program_run_release(&run);
	while ((wants = remote_mirror_wants(p->m, 100, &p->a))) {
		struct program_run pull = PROGRAM_RUN_INIT;
		char **words = arena_alloc(&p->a, 256 * sizeof *words);
		size_t n = 0;

		words[n++] = arena_strdup(&p->a, max);
		while (*wants)
			words[n++] = *wants++;
		script(&pull, p, "pull", words);
		assert_int_equal(remote_mirror_take_chunks(p->m, pull.out.s,
			pull.out.n < keep ? pull.out.n : keep, &took), 0);
		program_run_release(&pull);
		all += took;
		if (!took)
			break;
	}
	return all;
}

static void test_files_are_brought_and_continued(void **state)
{
	struct place *p = *state;

	put(p, "log", "one\n", "w");
	put(p, "out/metrics file; $(x).jsonl", "{\"step\":1}\n", "w");
	put(p, "empty", "", "w");
	assert_int_equal(look(p, "1000", SIZE_MAX), 15);
	assert_here(p, "log", "one\n");
	assert_here(p, "out/metrics file; $(x).jsonl", "{\"step\":1}\n");
	put(p, "log", "two\n@ps chunk 0 5 5 1 log\n", "a");
	assert_int_equal(look(p, "1000", SIZE_MAX), 26);
	assert_here(p, "log", "one\ntwo\n@ps chunk 0 5 5 1 log\n");
	assert_int_equal(look(p, "1000", SIZE_MAX), 0);
}

/* Whatever the size of a piece, and wherever an answer breaks off. */
static void test_any_cut_comes_to_the_same(void **state)
{
	struct place *p = *state;
	char text[400];

	for (size_t i = 0; i < sizeof text - 1; i++)
		text[i] = i % 37 == 36 ? '\n' : (char)('a' + i % 26);
	text[sizeof text - 1] = '\0';
	put(p, "log", text, "w");
	put(p, "second", "12345", "w");
	for (size_t keep = 60; keep < 120; keep += 7)
		(void)look(p, "13", keep);
	(void)look(p, "13", SIZE_MAX);
	assert_here(p, "log", text);
	assert_here(p, "second", "12345");
}

static void test_it_goes_on_after_a_new_start(void **state)
{
	struct place *p = *state;

	put(p, "log", "0123456789", "w");
	(void)look(p, "4", 40);
	(void)look(p, "4", SIZE_MAX);
	assert_int_equal(remote_mirror_save(p->m), 0);
	remote_mirror_free(p->m);
	p->m = NULL;
	assert_int_equal(remote_mirror_open(&p->m, p->here), 0);
	assert_int_equal(remote_mirror_find(p->m, "log")->have, 10);
	put(p, "log", "abc", "a");
	assert_int_equal(look(p, "100", SIZE_MAX), 3);
	assert_here(p, "log", "0123456789abc");
}

/* What was written but not saved counts: the file itself is what is here. */
static void test_bytes_that_no_record_knows_are_not_brought_twice(void **state)
{
	struct place *p = *state;

	put(p, "log", "01234", "w");
	(void)look(p, "100", SIZE_MAX);
	assert_int_equal(remote_mirror_save(p->m), 0);
	put(p, "log", "56789", "a");
	(void)look(p, "100", SIZE_MAX);
	remote_mirror_free(p->m);
	p->m = NULL;
	assert_int_equal(remote_mirror_open(&p->m, p->here), 0);
	assert_int_equal(look(p, "100", SIZE_MAX), 0);
	assert_here(p, "log", "0123456789");
}

/* Replaced by another file, or cut short: what was seen stays. */
static void test_another_file_of_the_name(void **state)
{
	struct place *p = *state;

	put(p, "log", "first run\n", "w");
	(void)look(p, "100", SIZE_MAX);
	put(p, "log.new", "second run, which is longer\n", "w");
	assert_int_equal(rename(fs_join(&p->a, p->there, "log.new"),
		fs_join(&p->a, p->there, "log")), 0);
	(void)look(p, "100", SIZE_MAX);
	assert_here(p, "log", "second run, which is longer\n");
	assert_here(p, "log.before-1", "first run\n");
	put(p, "log", "cut\n", "w");
	(void)look(p, "100", SIZE_MAX);
	assert_here(p, "log", "cut\n");
	assert_here(p, "log.before-2", "second run, which is longer\n");
	assert_int_equal(unlink(fs_join(&p->a, p->there, "log")), 0);
	(void)look(p, "100", SIZE_MAX);
	assert_false(remote_mirror_find(p->m, "log")->seen);
	assert_here(p, "log", "cut\n");
}

static void test_large_files_and_weights_are_left_out(void **state)
{
	struct place *p = *state;

	p->m->limit_bytes = 10;
	put(p, "model.safetensors", "w", "w");
	put(p, "huge.log", "01234567890", "w");
	put(p, "log", "0123456789", "w");
	assert_int_equal(look(p, "100", SIZE_MAX), 10);
	assert_string_equal(
		remote_mirror_find(p->m, "model.safetensors")->left_out, "weights of a model");
	assert_string_equal(
		remote_mirror_find(p->m, "huge.log")->left_out, "larger than the limit");
	assert_false(fs_exists(fs_join(&p->a, p->here, "model.safetensors")));
}

static int take_list(struct place *p, const char *text, bool *whole)
{
	return remote_mirror_take_list(p->m, text, strlen(text), whole);
}

/* No name leaves the folder, hides a control, or is one of ours. */
static void test_names_that_lie_are_refused(void **state)
{
	static const char list[] =
		"Welcome to gpu1!\n"
		"@ps file 4 1 1 ./../escape\n"
		"@ps file 4 1 1 /etc/passwd\n"
		"@ps file 4 1 1 ./a/../../b\n"
		"@ps file 4 1 1 ./mirror.json\n"
		"@ps file 4 1 1 ./mirror.lock\n"
		"@ps file 4 1 1 ./esc\033[2Jape\n"
		"@ps file 4 1 1 ./bad\377byte\n"
		"@ps file -4 1 1 ./negative\n"
		"@ps file 99999999999999999999 1 1 ./overflow\n"
		"@ps file x 1 1 ./no number\n"
		"@ps file 4 1 1 ./good\n"
		"@ps listed\n";
	struct place *p = *state;
	bool whole;

	assert_int_equal(take_list(p, list, &whole), 0);
	assert_true(whole);
	assert_int_equal(p->m->refused, 10);
	assert_int_equal(p->m->n, 1);
	assert_string_equal(p->m->files[0].name, "good");
}

/* A link that somebody puts into the folder is not written through. */
static void test_no_link_is_followed(void **state)
{
	static const char list[] = "@ps file 4 1 1 ./out/log\n@ps file 4 1 2 ./log\n@ps listed\n";
	static const char out_log[] = "@ps chunk 0 4 4 1 out/log\nevil";
	static const char log[] = "@ps chunk 0 4 4 2 log\nevil";
	struct place *p = *state;
	int64_t took;
	bool whole;

	assert_int_equal(take_list(p, list, &whole), 0);
	assert_int_equal(symlink(p->there, fs_join(&p->a, p->here, "out")), 0);
	assert_int_equal(symlink(fs_join(&p->a, p->there, "log"),
		fs_join(&p->a, p->here, "log")), 0);
	assert_int_equal(
		remote_mirror_take_chunks(p->m, out_log, sizeof out_log - 1, &took), ERR_IO);
	assert_int_equal(remote_mirror_take_chunks(p->m, log, sizeof log - 1, &took), ERR_IO);
	assert_false(fs_exists(fs_join(&p->a, p->there, "log")));
}

/* Bytes that nobody asked for, of another place or another file, are dropped. */
static void test_chunks_that_do_not_fit_are_dropped(void **state)
{
	static const char *const answers[] = {
		"@ps chunk 1 2 9 7 log\nXX@ps pulled\n", "@ps chunk 0 2 9 8 log\nXX@ps pulled\n",
		"@ps chunk 0 2 9 7 other\nXX@ps pulled\n", "@ps chunk 0 -2 9 7 log\nXX@ps pulled\n",
		"@ps chunk 0 2 log\nXX\n", "@ps chunk\n", "no answer at all", "",
	};
	struct place *p = *state;
	int64_t took;
	bool whole;

	assert_int_equal(take_list(p, "@ps file 9 1 7 ./log\n@ps listed\n", &whole), 0);
	for (size_t i = 0; i < ARRAY_LEN(answers); i++) {
		assert_int_equal(remote_mirror_take_chunks(
			p->m, answers[i], strlen(answers[i]), &took), 0);
		assert_int_equal(took, 0);
	}
	assert_false(fs_exists(fs_join(&p->a, p->here, "log")));
	assert_int_equal(remote_mirror_take_chunks(
		p->m, "@ps chunk 0 9 9 7 log\nabc", 25, &took), 0);
	assert_int_equal(took, 3);
	assert_here(p, "log", "abc");
}

static void test_answers_that_are_none(void **state)
{
	struct place *p = *state;
	bool whole;

	assert_int_equal(take_list(p, "bash: sh: not found\n", &whole), ERR_PARSE);
	assert_string_equal(err_text(), "the other machine gave no list of files");
	assert_int_equal(take_list(p, "@ps error nofolder\n", &whole), ERR_NOT_FOUND);
	assert_string_equal(err_text(), "the other machine says: there is no such folder");
	/* a list that breaks off says of nobody that he is gone */
	assert_int_equal(take_list(p, "@ps file 4 1 1 ./a\n@ps file 4 1 1 ./b", &whole), 0);
	assert_false(whole);
	assert_int_equal(p->m->n, 1);
}

static void test_two_do_not_follow_into_one_folder(void **state)
{
	struct place *p = *state;
	struct remote_mirror *second;

	assert_int_equal(remote_mirror_open(&second, p->here), ERR_BUSY);
	assert_null(second);
}

static void test_a_damaged_record_brings_everything_again(void **state)
{
	struct place *p = *state;
	char *path = fs_join(&p->a, p->here, "mirror.json");

	put(p, "log", "0123", "w");
	(void)look(p, "100", SIZE_MAX);
	remote_mirror_free(p->m);
	p->m = NULL;
	assert_int_equal(fs_write_durable(path, "{\"schema\":1,\"fil", 16, 0600), 0);
	assert_int_equal(remote_mirror_open(&p->m, p->here), 0);
	assert_int_equal(p->m->n, 0);
	(void)look(p, "100", SIZE_MAX);
	assert_here(p, "log", "0123");
	assert_here(p, "log.before-1", "0123");
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, make_place, remove_place)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_files_are_brought_and_continued),
		CASE(test_any_cut_comes_to_the_same),
		CASE(test_it_goes_on_after_a_new_start),
		CASE(test_bytes_that_no_record_knows_are_not_brought_twice),
		CASE(test_another_file_of_the_name),
		CASE(test_large_files_and_weights_are_left_out),
		CASE(test_names_that_lie_are_refused),
		CASE(test_no_link_is_followed),
		CASE(test_chunks_that_do_not_fit_are_dropped),
		CASE(test_answers_that_are_none),
		CASE(test_two_do_not_follow_into_one_folder),
		CASE(test_a_damaged_record_brings_everything_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
