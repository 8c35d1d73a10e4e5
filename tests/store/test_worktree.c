/*
 * Checkouts for runs, links into them, and the state of the user's checkout.
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/fs.h"
#include "store/repository_program.h"
#include "store/worktree.h"
#include "tests/store/git_fixture.h"

struct fixture {
	struct git_fixture git;
	struct repository *repo;
	char *oid, *folder;
};

static int set_up(void **state)
{
	struct fixture *f = xcalloc(1, sizeof *f);

	git_fixture_init(&f->git);
	git_fixture_run(&f->git,
		"echo one > a && mkdir data && echo data/ > .gitignore && echo 1 > data/x && ln -s / out");
	f->oid = git_fixture_commit(&f->git, "first\n");
	f->folder = fs_join(&f->git.arena, f->git.root, "check out; $(x)");
	assert_int_equal(repository_open(&f->repo, f->git.repo), 0);
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	repository_free(f->repo);
	git_fixture_release(&f->git);
	free(f);
	return 0;
}

static void test_add_and_remove(void **state)
{
	struct fixture *f = *state;
	char *ran = fs_join(&f->git.arena, f->git.root, "ran");

	git_fixture_run(&f->git,
		"printf '#!/bin/sh\\ntouch %s\\n' > .git/hooks/post-checkout && chmod +x .git/hooks/post-checkout",
		ran);
	git_fixture_run(&f->git, "echo two > a");
	if (worktree_add(f->repo, f->folder, f->oid) < 0)
		fail_msg("%s", err_text());
	assert_string_equal(git_fixture_read(&f->git, "cat '%s/a'", f->folder), "one");
	assert_string_equal(git_fixture_read(&f->git, "cat a"), "two");
	assert_string_equal(git_fixture_read(&f->git, "git symbolic-ref --short HEAD"), "main");
	assert_false(fs_exists(ran));
	assert_int_equal(worktree_add(f->repo, f->folder, f->oid), ERR_EXISTS);
	git_fixture_run(&f->git, "echo dirt > '%s/new'", f->folder);
	assert_int_equal(worktree_remove(f->repo, f->folder), 0);
	assert_false(fs_exists(f->folder));
	assert_int_equal(worktree_remove(f->repo, f->folder), 0);
	assert_string_equal(git_fixture_read(&f->git, "git worktree list | wc -l"), "1");
}

/* What .git/config declares would run as the person; its content is not told
 * from that of the commit. */
static void test_no_filter_runs(void **state)
{
	struct fixture *f = *state;
	char *ran = fs_join(&f->git.arena, f->git.root, "ran");
	static const char *const kinds[] = { "clean", "smudge", "process" };
	struct worktree_state s;

	git_fixture_run(&f->git, "echo '* filter=a=b.c' > .git/info/attributes");
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
		git_fixture_run(
			&f->git, "git config filter.a=b.c.%s 'touch %s; exit 1'", kinds[i], ran);
	git_fixture_run(&f->git, "git config filter.a=b.c.required true && touch -d 2020-01-01 a");
	if (worktree_add(f->repo, f->folder, f->oid) < 0)
		fail_msg("%s", err_text());
	assert_string_equal(git_fixture_read(&f->git, "cat '%s/a'", f->folder), "one");
	assert_int_equal(worktree_inspect(&s, f->repo, 1 << 20, 1 << 20), 0);
	assert_false(s.dirty);
	worktree_state_release(&s);
	assert_false(fs_exists(ran));
	assert_int_equal(worktree_remove(f->repo, f->folder), 0);
	assert_false(fs_exists(ran));
}

/* A file that is not here: git's own words arrive, and no half checkout stays. */
static void test_missing_object(void **state)
{
	struct fixture *f = *state;

	git_fixture_run(&f->git,
		"b=$(git rev-parse HEAD:a) && rm -f .git/objects/$(echo $b | cut -c1-2)/$(echo $b | cut -c3-)");
	assert_int_equal(worktree_add(f->repo, f->folder, f->oid), ERR_GIT);
	assert_non_null(strstr(err_text(), "unable to read"));
	assert_false(fs_exists(f->folder));
}

static void test_filter_names(void **state)
{
	struct fixture *f = *state;
	char *names;

	assert_int_equal(git_program_filters(&names, f->git.repo, &f->git.arena), 0);
	assert_string_equal(names, "");
	git_fixture_run(&f->git,
		"git config filter.lfs.smudge 'git-lfs smudge' && git config filter.lfs.clean x && "
		"git config filter.a.b=c.process y && git config filter.f.clean w && git config -f ../mine filter.own.clean z");
	setenv("GIT_CONFIG_GLOBAL", fs_join(&f->git.arena, f->git.root, "mine"), 1);
	assert_int_equal(git_program_filters(&names, f->git.repo, &f->git.arena), 0);
	setenv("GIT_CONFIG_GLOBAL", "/dev/null", 1);
	assert_string_equal(names, "lfs, a.b=c, f");
}

static void test_refusals(void **state)
{
	struct fixture *f = *state;
	char *plain = fs_join(&f->git.arena, f->git.root, "plain");

	assert_int_equal(
		worktree_add(f->repo, f->folder, "00000000000000000000000000000000000000ff"),
		ERR_NOT_FOUND);
	assert_int_equal(worktree_add(f->repo, f->folder, "--lock"), ERR_PARSE);
	assert_int_equal(worktree_add(f->repo, "/tmp/a\nb", f->oid), ERR_REFUSED);
	assert_int_equal(
		worktree_add(f->repo, fs_join(&f->git.arena, f->git.root, "no/where"), f->oid),
		ERR_NOT_FOUND);
	git_fixture_run(&f->git, "mkdir ../plain && echo keep > ../plain/file");
	assert_int_equal(worktree_remove(f->repo, plain), ERR_REFUSED);
	assert_int_equal(worktree_remove(f->repo, f->git.repo), ERR_REFUSED);
	assert_true(fs_exists(fs_join(&f->git.arena, plain, "file")));
}

static void test_links(void **state)
{
	struct fixture *f = *state;

	git_fixture_run(
		&f->git, "mkdir -p deep/er && echo 2 > deep/er/y && ln -s /etc deep/outside");
	assert_int_equal(worktree_add(f->repo, f->folder, f->oid), 0);
	assert_int_equal(worktree_link(f->repo, f->folder, "data"), 0);
	assert_string_equal(git_fixture_read(&f->git, "cat '%s/data/x'", f->folder), "1");
	assert_int_equal(worktree_link(f->repo, f->folder, "data"), ERR_EXISTS);
	assert_int_equal(worktree_link(f->repo, f->folder, "deep/er"), 0);
	assert_int_equal(worktree_link(f->repo, f->folder, "a"), ERR_EXISTS);
	assert_int_equal(worktree_link(f->repo, f->folder, "absent"), ERR_NOT_FOUND);
	assert_int_equal(worktree_link(f->repo, f->folder, "../plain"), ERR_REFUSED);
	assert_int_equal(worktree_link(f->repo, f->folder, "/etc"), ERR_REFUSED);
	assert_int_equal(worktree_link(f->repo, f->folder, "deep/outside"), ERR_REFUSED);
	assert_int_equal(worktree_link(f->repo, f->folder, ".git"), ERR_REFUSED);
	assert_int_equal(worktree_link(f->repo, f->folder, "out/etc"), ERR_REFUSED);
	assert_int_equal(worktree_remove(f->repo, f->folder), 0);
	assert_string_equal(git_fixture_read(&f->git, "cat data/x deep/er/y"), "1\n2");
}

/* The commit has a link where the checkout needs a folder. */
static void test_link_through_commit(void **state)
{
	struct fixture *f = *state;
	char *oid;

	git_fixture_run(&f->git, "ln -s %s trap", f->git.root);
	oid = git_fixture_commit(&f->git, "trap\n");
	git_fixture_run(&f->git, "rm trap && mkdir -p trap/inner");
	assert_int_equal(worktree_add(f->repo, f->folder, oid), 0);
	assert_int_equal(worktree_link(f->repo, f->folder, "trap/inner"), ERR_REFUSED);
	assert_false(fs_exists(fs_join(&f->git.arena, f->git.root, "inner")));
	assert_int_equal(worktree_remove(f->repo, f->folder), 0);
}

static void test_inspect(void **state)
{
	struct fixture *f = *state;
	struct worktree_state clean, dirty, cut;
	struct digest digest;

	assert_int_equal(worktree_inspect(&clean, f->repo, 1 << 20, 1 << 20), 0);
	assert_false(clean.dirty);
	assert_string_equal(clean.head, f->oid);
	assert_int_equal(clean.patch_bytes, 0);
	worktree_state_release(&clean);

	git_fixture_run(&f->git,
		"echo two > a && git add a && printf abc > 'new\tfile' && ln -s /dev/zero zero && mkfifo pipe");
	assert_int_equal(worktree_inspect(&dirty, f->repo, 1 << 20, 1 << 20), 0);
	assert_true(dirty.dirty);
	assert_non_null(strstr(dirty.patch.s, "-one\n+two\n"));
	assert_int_equal(dirty.patch.n, dirty.patch_bytes);
	digest = sha256_bytes(dirty.patch.s, dirty.patch.n);
	assert_true(digest_equal(&digest, &dirty.patch_digest));
	assert_int_equal(dirty.n_untracked, 2);
	assert_string_equal(dirty.untracked[0].path, "new\tfile");
	assert_true(dirty.untracked[0].hashed);
	digest = sha256_bytes("abc", 3);
	assert_true(digest_equal(&digest, &dirty.untracked[0].digest));
	assert_string_equal(dirty.untracked[1].path, "zero");
	assert_false(dirty.untracked[1].hashed);

	assert_int_equal(worktree_inspect(&cut, f->repo, 10, 1), 0);
	assert_true(cut.patch_cut);
	assert_int_equal(cut.patch.n, 10);
	assert_int_equal(cut.patch_bytes, dirty.patch_bytes);
	assert_true(digest_equal(&cut.patch_digest, &dirty.patch_digest));
	assert_false(cut.untracked[0].hashed);
	worktree_state_release(&cut);
	worktree_state_release(&dirty);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_add_and_remove, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_no_filter_runs, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_missing_object, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_filter_names, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_refusals, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_links, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_link_through_commit, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_inspect, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
