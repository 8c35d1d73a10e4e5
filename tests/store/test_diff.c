/*
 * Hunks and lines: every kind of file, limits, search.
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/fs.h"
#include "store/churn.h"
#include "store/diff.h"
#include "tests/store/git_fixture.h"

struct fixture {
	struct git_fixture git;
	struct repository *repo;
	struct diff diff;
	char *base, *tip;
};

static int set_up(void **state)
{
	struct fixture *f = xcalloc(1, sizeof *f);
	struct git_fixture *g = &f->git;

	git_fixture_init(g);
	git_fixture_run(g,
		"seq 1 100 > numbers && printf 'a\\r\\nb\\r\\n' > crlf && printf 'x\\ny' > no_end &&"
		" printf 'def train():\\n  a = 1\\n  b = 2\\n  c = 3\\n  d = 4\\n  e = 5\\n' > train.py &&"
		" printf '\\0\\1' > data.bin && ln -s one link && mkdir sub && head -c 300000 /dev/zero | tr '\\0' 'z' > big &&"
		" git update-index --add --cacheinfo 160000,%040d,sub",
		1);
	f->base = git_fixture_commit(g, "before\n");
	git_fixture_run(g,
		"sed -i 's/^50$/fifty/' numbers && printf 'a\\r\\nc\\r\\n' > crlf && printf 'x\\nz' > no_end &&"
		" sed -i 's/e = 5/e  =  5/' train.py && printf '\\0\\2' > data.bin && ln -sf two link &&"
		" printf 'first\\nsecond\\n' >> big && git mv numbers counted && git update-index --cacheinfo 160000,%040d,sub",
		2);
	git_fixture_write(g, "bytes", "bad \xff\x1b[2J\n", 10);
	f->tip = git_fixture_commit(g, "after\n");
	assert_int_equal(repository_open(&f->repo, g->repo), 0);
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	diff_release(&f->diff);
	repository_free(f->repo);
	git_fixture_release(&f->git);
	free(f);
	return 0;
}

static void load_all(struct fixture *f, const struct diff_options *options)
{
	diff_release(&f->diff);
	if (diff_all(&f->diff, f->repo, f->base, f->tip, options) < 0)
		fail_msg("%s", err_text());
}

static struct diff_file *file_of(struct fixture *f, const char *path)
{
	int64_t i = diff_find_file(&f->diff, path);

	assert_true(i >= 0);
	return &f->diff.files[i];
}

static void test_lines(void **state)
{
	struct fixture *f = *state;
	struct diff_options options = DIFF_OPTIONS_INIT;
	struct diff_file *file;

	load_all(f, &options);
	assert_int_equal(f->diff.n, 9);
	file = file_of(f, "counted");
	assert_int_equal(file->status, 'R');
	assert_string_equal(file->old_path, "numbers");
	assert_int_equal(file->n_hunks, 1);
	assert_int_equal(file->hunks[0].old_start, 47);
	assert_int_equal(file->hunks[0].old_count, 7);
	assert_int_equal(file->n_lines, 8);
	assert_int_equal(file->lines[3].origin, '-');
	assert_int_equal(file->lines[3].old_line, 50);
	assert_int_equal(file->lines[3].new_line, 0);
	assert_string_equal(file->lines[4].text, "fifty");
	assert_int_equal(file->lines[4].new_line, 50);
	assert_int_equal(file->added, 1);
	assert_int_equal(file->removed, 1);
	file = file_of(f, "bytes");
	assert_string_equal(file->lines[0].text, "bad \xff\x1b[2J");
	assert_int_equal(file->lines[0].old_line, 0);
}

static void test_kinds(void **state)
{
	struct fixture *f = *state;
	struct diff_options options = DIFF_OPTIONS_INIT;
	struct diff_file *file;

	load_all(f, &options);
	assert_true(file_of(f, "crlf")->crlf);
	file = file_of(f, "no_end");
	assert_false(file->lines[0].no_newline);
	assert_int_equal(file->n_lines, 3);
	assert_true(file->lines[1].no_newline);
	assert_true(file->lines[2].no_newline);
	assert_string_equal(file->lines[2].text, "z");
	file = file_of(f, "data.bin");
	assert_true(file->binary);
	assert_int_equal(file->n_lines, 0);
	assert_int_equal(file->new_size, 2);
	assert_string_equal(file->note, "binary: 2 B became 2 B");
	file = file_of(f, "link");
	assert_true(file->link);
	assert_string_equal(file->lines[1].text, "two");
	file = file_of(f, "sub");
	assert_true(file->submodule);
	assert_int_equal(file->n_lines, 2);
	assert_string_equal(
		file->lines[0].text, "Subproject commit 0000000000000000000000000000000000000001");
	assert_int_equal(file->lines[1].origin, '+');
}

static void test_options(void **state)
{
	struct fixture *f = *state;
	struct diff_options options = DIFF_OPTIONS_INIT;
	struct diff_file *file;

	options.context = 0;
	options.path = "train.py";
	load_all(f, &options);
	assert_int_equal(f->diff.n, 1);
	file = file_of(f, "train.py");
	assert_int_equal(file->n_lines, 2);
	assert_string_equal(file->hunks[0].heading, "def train():");
	options.ignore_space = true;
	assert_int_equal(diff_load(&f->diff, 0, f->repo, &options), 0);
	assert_int_equal(file->n_lines, 0);
	assert_true(file->loaded);
}

static void test_limits(void **state)
{
	struct fixture *f = *state;
	struct diff_options options = DIFF_OPTIONS_INIT;
	struct diff_line *lines;
	struct diff_file *file;
	size_t n;

	options.side_limit_bytes = 100000;
	options.line_limit = 5;
	load_all(f, &options);
	file = file_of(f, "big");
	assert_int_equal(file->n_lines, 0);
	assert_int_equal(file->new_size, 300013);
	assert_non_null(strstr(file->note, "too large to compare"));
	assert_string_equal(file_of(f, "counted")->note, "only the first 4 lines are shown");
	assert_string_equal(file_of(f, "train.py")->note,
		"not loaded: the files before it fill the limit of lines");
	assert_int_equal(
		diff_preview(&lines, &n, &f->diff, (size_t)(file - f->diff.files), f->repo, 1000),
		0);
	assert_int_equal(n, 1);
	assert_int_equal(lines[0].n, 1000);
	assert_true(lines[0].no_newline);
}

static void test_search(void **state)
{
	struct fixture *f = *state;
	struct diff_options options = DIFF_OPTIONS_INIT;
	struct diff_place at = { 0, 0 };

	load_all(f, &options);
	assert_true(diff_search(&at, &f->diff, "FIFTY", false) == false);
	assert_true(diff_search(&at, &f->diff, "fifty", false));
	assert_string_equal(f->diff.files[at.file].path, "counted");
	assert_int_equal(at.line, 4);
	assert_true(diff_search(&at, &f->diff, "subproject", true));
	assert_string_equal(f->diff.files[at.file].path, "sub");
	assert_int_equal(at.line, 1);
	assert_true(diff_search(&at, &f->diff, "subproject", true));
	assert_int_equal(at.line, 0);
	assert_false(diff_search(&at, &f->diff, "not there", false));
}

static void test_missing(void **state)
{
	struct fixture *f = *state;
	struct diff_options options = DIFF_OPTIONS_INIT;
	struct diff d;

	assert_int_equal(diff_files(&d, f->repo, f->base,
				 "00000000000000000000000000000000000000ff", &options),
		ERR_NOT_FOUND);
	assert_int_equal(diff_files(&d, f->repo, f->base, "HEAD", &options), ERR_PARSE);
}

/* Moving on ends a diff at its next hunk, whatever lies behind it. */
static void test_cancelled(void **state)
{
	struct fixture *f = *state;
	struct diff_options options = DIFF_OPTIONS_INIT;
	atomic_bool stop = false;

	diff_release(&f->diff);
	assert_int_equal(diff_files(&f->diff, f->repo, f->base, f->tip, &options), 0);
	atomic_store(&stop, true);
	options.cancel = &stop;
	assert_int_equal(
		diff_load(&f->diff, (size_t)diff_find_file(&f->diff, "counted"), f->repo, &options),
		ERR_CANCELLED);
	atomic_store(&stop, false);
	assert_int_equal(
		diff_load(&f->diff, (size_t)diff_find_file(&f->diff, "counted"), f->repo, &options),
		0);
	assert_int_equal(file_of(f, "counted")->n_hunks, 1);
}

/* Names come without counts and are not kept; a list that is kept has them. */
static void test_names_only(void **state)
{
	struct fixture *f = *state;
	struct diff_options options = DIFF_OPTIONS_INIT;

	options.names_only = true;
	options.cache = churn_cache_open(fs_join(&f->git.arena, f->git.root, "cache"));
	diff_release(&f->diff);
	assert_int_equal(diff_files(&f->diff, f->repo, f->base, f->tip, &options), 0);
	assert_int_equal(f->diff.n, 9);
	assert_int_equal(file_of(f, "counted")->added, -1);
	assert_int_equal(file_of(f, "counted")->status, 'R');
	assert_int_equal(churn_cache_count(options.cache), 0);
	options.names_only = false;
	diff_release(&f->diff);
	assert_int_equal(diff_files(&f->diff, f->repo, f->base, f->tip, &options), 0);
	assert_int_equal(file_of(f, "counted")->added, 1);
	options.names_only = true;
	diff_release(&f->diff);
	assert_int_equal(diff_files(&f->diff, f->repo, f->base, f->tip, &options), 0);
	assert_int_equal(file_of(f, "counted")->added, 1);
	/* Without a repository the cache still knows the list. */
	diff_release(&f->diff);
	assert_int_equal(diff_files(&f->diff, NULL, f->base, f->tip, &options), 0);
	assert_int_equal(f->diff.n, 9);
	churn_cache_free(options.cache);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_lines, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_cancelled, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_names_only, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_kinds, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_options, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_limits, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_search, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_missing, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
