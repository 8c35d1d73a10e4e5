/*
 * test_scan - constructs of a tree: by file and line, each content looked at
 * once, nothing written when nothing may be.
 */
#include "config.h"

#include "tests/unit.h"

#include <unistd.h>

#include "base/err.h"
#include "base/fs.h"
#include "tests/workspace/fixture.h"
#include "workspace/scan.h"

static struct tree_scan scan(struct workspace_fixture *f, const char *revision)
{
	struct tree_scan s;

	if (scan_tree(&s, fixture_workspace(f), revision, &(struct scan_options){ 0 }, &f->a) < 0)
		fail_msg("%s", err_text());
	return s;
}

static const char *commit_sources(struct workspace_fixture *f)
{
	git_fixture_run(&f->git,
		"mkdir -p lib && printf 'import torch\\nx = x.cuda()\\ny = x.cuda().item()\\n' > train.py"
		" && cp train.py lib/copy.py && printf '# x.cuda()\\n' > clean.py && printf 'x.cuda()' > picture.png"
		" && ln -s train.py link.py");
	return git_fixture_commit(&f->git, "sources\n");
}

static void test_places(void **state)
{
	struct workspace_fixture *f = *state;
	struct tree_scan s = scan(f, commit_sources(f));
	const struct scan_file *file = scan_find(&s, "train.py");
	const struct scan_hit *hit;
	size_t n;

	assert_non_null(file);
	assert_int_equal(file->cuda, 2);
	assert_int_equal(file->hints, 1);
	assert_null(scan_find(&s, "clean.py"));
	assert_null(scan_find(&s, "picture.png"));
	assert_null(scan_find(&s, "link.py"));
	hit = scan_line(&s, file, 3, &n);
	assert_int_equal(n, 2);
	assert_string_equal(hit[0].construct->id, "G-01");
	assert_string_equal(hit[1].construct->id, "H-01");
	assert_string_equal(hit[0].text, "y = x.cuda().item()");
	assert_null(scan_line(&s, file, 1, &n));
	assert_int_equal(n, 0);
	assert_int_equal(s.cuda, 4);
	assert_int_equal(s.hints, 2);
}

static void test_once(void **state)
{
	struct workspace_fixture *f = *state;
	const char *commit = commit_sources(f);
	struct tree_scan s = scan(f, commit);

	/* Two files of one content, and the one of comments. */
	assert_int_equal(s.looked_at, 3);
	assert_int_equal(s.scanned, 2);
	s = scan(f, commit);
	assert_int_equal(s.looked_at, 3);
	assert_int_equal(s.scanned, 0);
	assert_int_equal(s.n_hits, 6);
	git_fixture_run(&f->git, "printf 'z = z.cuda()\\n' > new.py");
	s = scan(f, git_fixture_commit(&f->git, "more\n"));
	assert_int_equal(s.scanned, 1);
	assert_int_equal(s.cuda, 5);
}

static void test_damaged_cache(void **state)
{
	struct workspace_fixture *f = *state;
	const char *commit = commit_sources(f);
	char *path = arena_printf(&f->a, "%s/scan-%d.cache",
		workspace_path(fixture_workspace(f), &f->a, "cache"), STATIC_SCAN_VERSION);
	struct tree_scan s = scan(f, commit);
	int64_t size = fs_size(path);

	assert_true(size > 0);
	assert_int_equal(truncate(path, size - 1), 0);
	s = scan(f, commit);
	assert_int_equal(s.n_hits, 6);
	assert_int_equal(s.scanned, 1);
	assert_int_equal(fs_size(path), size);
}

static void test_read_only(void **state)
{
	struct workspace_fixture *f = *state;
	const char *commit = commit_sources(f);
	struct workspace *ws;
	struct tree_scan s;

	fixture_close(f);
	assert_int_equal(
		workspace_open(&ws, f->git.repo, &(struct workspace_options){ .read_only = true }),
		0);
	assert_int_equal(scan_tree(&s, ws, commit, &(struct scan_options){ 0 }, &f->a), 0);
	assert_int_equal(s.cuda, 4);
	workspace_close(ws);
	assert_false(fs_exists(fs_join(&f->a, f->git.repo, ".git/portside/cache")));
}

static void test_cancelled(void **state)
{
	struct workspace_fixture *f = *state;
	const char *commit = commit_sources(f);
	atomic_bool stop = true;
	struct tree_scan s;

	assert_int_equal(scan_tree(&s, fixture_workspace(f), commit,
				 &(struct scan_options){ .cancel = &stop }, &f->a),
		ERR_CANCELLED);
	assert_int_equal(
		scan_tree(&s, fixture_workspace(f), "00000000000000000000000000000000000000ff",
			&(struct scan_options){ 0 }, &f->a),
		ERR_NOT_FOUND);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_places, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(test_once, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(
			test_damaged_cache, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(test_read_only, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(test_cancelled, fixture_setup, fixture_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
