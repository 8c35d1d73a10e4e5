/*
 * test_place - where a migration lies: work trees, linked ones, bare ones, and
 * what is said where there is none.
 */
#include "config.h"

#include "tests/unit.h"

#include <unistd.h>

#include "base/err.h"
#include "base/fs.h"
#include "tests/workspace/fixture.h"

static struct place find(struct workspace_fixture *f, const char *name)
{
	struct place p;

	if (place_find(&p, &f->a, fs_join(&f->a, f->git.root, name)) < 0)
		fail_msg("%s", err_text());
	return p;
}

/* The fixture's path of NAME. */
static char *at(struct workspace_fixture *f, const char *name)
{
	return fs_join(&f->a, f->git.root, name);
}

static void assert_not_found(struct workspace_fixture *f, const char *name, const char *words)
{
	struct place p;

	assert_int_equal(place_find(&p, &f->a, at(f, name)), ERR_NOT_FOUND);
	if (!strstr(err_text(), words))
		fail_msg("\"%s\" does not say \"%s\"", err_text(), words);
}

static void test_work_tree(void **state)
{
	struct workspace_fixture *f = *state;
	struct place p = find(f, "repo");

	assert_string_equal(p.workdir, f->git.repo);
	assert_string_equal(p.git_dir, at(f, "repo/.git"));
	assert_string_equal(p.common_dir, p.git_dir);
	assert_string_equal(p.main_workdir, f->git.repo);
	assert_string_equal(p.folder, at(f, "repo/.git/portside"));
	assert_string_equal(p.conf_path, at(f, "repo/portside.conf"));
	assert_null(p.bundle);
}

static void test_below(void **state)
{
	struct workspace_fixture *f = *state;
	struct place p;

	git_fixture_run(&f->git, "mkdir -p a/b && ln -s repo/a ../link");
	p = find(f, "repo/a/b");
	assert_string_equal(p.workdir, f->git.repo);
	assert_string_equal(p.directory, at(f, "repo/a/b"));
	/* Through a link it is the place that the link leads to. */
	assert_string_equal(find(f, "link/b").workdir, f->git.repo);
	assert_string_equal(find(f, "repo/.git").git_dir, at(f, "repo/.git"));
}

static void test_linked(void **state)
{
	struct workspace_fixture *f = *state;
	struct place p;

	git_fixture_commit(&f->git, "code\n");
	git_fixture_run(&f->git, "git worktree add -q -b other ../linked");
	p = find(f, "linked");
	assert_string_equal(p.workdir, at(f, "linked"));
	assert_string_equal(p.git_dir, at(f, "repo/.git/worktrees/linked"));
	assert_string_equal(p.common_dir, at(f, "repo/.git"));
	/* Only the main work tree's file has authority. */
	assert_string_equal(p.conf_path, at(f, "repo/portside.conf"));
	assert_string_equal(p.folder, find(f, "repo").folder);
	git_fixture_run(&f->git, "mv ../repo ../moved && mkdir ../repo");
	assert_not_found(f, "linked", "git worktree repair");
}

static void test_bare(void **state)
{
	struct workspace_fixture *f = *state;
	struct place p;

	git_fixture_commit(&f->git, "code\n");
	git_fixture_run(&f->git,
		"git clone -q --bare . ../bare.git && git --git-dir ../bare.git worktree add -q ../tree main");
	p = find(f, "bare.git");
	assert_null(p.workdir);
	assert_null(p.main_workdir);
	assert_null(p.conf_path);
	assert_string_equal(p.folder, at(f, "bare.git/portside"));
	p = find(f, "tree");
	assert_string_equal(p.workdir, at(f, "tree"));
	assert_null(p.main_workdir);
	assert_null(p.conf_path);
	assert_string_equal(p.folder, at(f, "bare.git/portside"));
}

static void test_git_directory_elsewhere(void **state)
{
	struct workspace_fixture *f = *state;
	struct place p;

	git_fixture_run(&f->git, "git init -q --separate-git-dir ../store ../apart");
	p = find(f, "apart");
	assert_string_equal(p.workdir, at(f, "apart"));
	assert_string_equal(p.git_dir, at(f, "store"));
	assert_string_equal(p.main_workdir, at(f, "apart"));
	assert_string_equal(p.folder, at(f, "store/portside"));
}

static void test_nowhere(void **state)
{
	struct workspace_fixture *f = *state;

	git_fixture_run(
		&f->git, "mkdir ../plain ../broken && printf 'nonsense\\n' >../broken/.git");
	assert_not_found(f, "plain", "is not inside a git repository");
	assert_not_found(f, "plain", "portside demo");
	assert_not_found(f, "broken", "points to a git directory that is not there");
	assert_not_found(f, "missing", "cannot open");
}

#define TEST(name) cmocka_unit_test_setup_teardown(test_ ## name, fixture_setup, fixture_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(work_tree),
		TEST(below),
		TEST(linked),
		TEST(bare),
		TEST(git_directory_elsewhere),
		TEST(nowhere),
	};

	return cmocka_run_group_tests_name("place", tests, NULL, NULL);
}
