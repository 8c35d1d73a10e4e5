/*
 * What opens, what does not and why, HEAD, revisions, trees and blobs.
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/fs.h"
#include "store/history.h"
#include "store/repository.h"
#include "store/repository_tree.h"
#include "tests/store/git_fixture.h"

/* libgit2 before 1.6 forgets the match data of a pattern that does not match
 * (its extensions check); the leak is not ours. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
	return "leak:libpcre2-8\n";
}

static int set_up(void **state)
{
	struct git_fixture *f = xcalloc(1, sizeof *f);

	git_fixture_init(f);
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	git_fixture_release(*state);
	free(*state);
	return 0;
}

static void assert_refused(const char *path, int code, const char *words)
{
	struct repository *repo = NULL;

	assert_int_equal(repository_open(&repo, path), code);
	assert_null(repo);
	if (strstr(err_text(), words) == NULL)
		print_error("\"%s\" lacks \"%s\"\n", err_text(), words);
	assert_non_null(strstr(err_text(), words));
}

static void test_opens_from_below(void **state)
{
	struct git_fixture *f = *state;
	struct repository *repo;
	struct head head;

	git_fixture_run(f, "mkdir -p a/b");
	assert_int_equal(repository_open(&repo, fs_join(&f->arena, f->repo, "a/b")), 0);
	assert_string_equal(repository_workdir(repo), f->repo);
	assert_string_equal(repository_common_dir(repo), fs_join(&f->arena, f->repo, ".git"));
	assert_string_equal(repository_main_workdir(repo), f->repo);
	assert_non_null(strstr(repository_limits(repo), "no commit"));
	assert_int_equal(repository_describe_head(&head, &f->arena, repo), 0);
	assert_int_equal(head.state, HEAD_UNBORN);
	assert_string_equal(head.branch, "main");
	assert_string_equal(head.oid, "");
	repository_free(repo);
}

static void test_head(void **state)
{
	struct git_fixture *f = *state;
	char *oid = git_fixture_commit(f, "first\n");
	struct repository *repo;
	struct head head;

	assert_int_equal(repository_open(&repo, f->repo), 0);
	assert_string_equal(repository_limits(repo), "");
	assert_int_equal(repository_describe_head(&head, &f->arena, repo), 0);
	assert_int_equal(head.state, HEAD_BRANCH);
	assert_string_equal(head.oid, oid);
	assert_string_equal(head.text, arena_printf(&f->arena, "main at %.7s", oid));
	repository_free(repo);
	git_fixture_run(f, "git checkout -q --detach");
	assert_int_equal(repository_open(&repo, f->repo), 0);
	assert_int_equal(repository_describe_head(&head, &f->arena, repo), 0);
	assert_int_equal(head.state, HEAD_DETACHED);
	assert_string_equal(head.branch, "");
	repository_free(repo);
}

static void test_linked_worktree(void **state)
{
	struct git_fixture *f = *state;
	struct repository *repo;
	char *side = fs_join(&f->arena, f->root, "side");

	git_fixture_commit(f, "first\n");
	git_fixture_run(f, "git worktree add -q -b side ../side");
	assert_int_equal(repository_open(&repo, side), 0);
	assert_string_equal(repository_workdir(repo), side);
	assert_string_equal(repository_main_workdir(repo), f->repo);
	assert_string_equal(repository_common_dir(repo), fs_join(&f->arena, f->repo, ".git"));
	repository_free(repo);
	git_fixture_run(f, "mv .git .gone");
	assert_refused(side, ERR_DAMAGED, "git worktree repair");
	git_fixture_run(f, "mv .gone .git");
}

static void test_bare_and_shallow(void **state)
{
	struct git_fixture *f = *state;
	struct repository *repo;

	git_fixture_commit(f, "first\n");
	git_fixture_commit(f, "second\n");
	git_fixture_run(f,
		"git clone -q --bare . ../bare && git clone -q --depth 1 file://\"$PWD\" ../cut");
	assert_int_equal(repository_open(&repo, fs_join(&f->arena, f->root, "bare")), 0);
	assert_true(repository_is_bare(repo));
	assert_null(repository_workdir(repo));
	assert_non_null(strstr(repository_limits(repo), "bare"));
	repository_free(repo);
	assert_int_equal(repository_open(&repo, fs_join(&f->arena, f->root, "cut")), 0);
	assert_true(repository_is_shallow(repo));
	assert_non_null(strstr(repository_limits(repo), "--unshallow"));
	repository_free(repo);
}

static void test_refusals(void **state)
{
	struct git_fixture *f = *state;
	char *none = fs_join(&f->arena, f->root, "none");

	git_fixture_run(f,
		"mkdir ../none && git init -q --object-format=sha256 ../sha256 && git init -q ../partial &&"
		" git -C ../partial config core.repositoryformatversion 1 &&"
		" git -C ../partial config extensions.partialClone origin && git init -q ../reftable &&"
		" git -C ../reftable config core.repositoryformatversion 1 &&"
		" git -C ../reftable config extensions.refStorage reftable && git init -q ../strange &&"
		" git -C ../strange config core.repositoryformatversion 1 &&"
		" git -C ../strange config extensions.blanket true && git init -q ../newer &&"
		" git -C ../newer config core.repositoryformatversion 9 && git init -q ../config &&"
		" echo '[core' > ../config/.git/config && git init -q ../head && echo junk > ../head/.git/HEAD");
	assert_refused(none, ERR_NOT_FOUND, "not inside a git repository");
	assert_refused(fs_join(&f->arena, f->root, "nowhere"), ERR_NOT_FOUND, "does not exist");
	assert_refused(fs_join(&f->arena, f->root, "sha256"), ERR_NEWER, "SHA-256");
	assert_refused(fs_join(&f->arena, f->root, "partial"), ERR_NEWER, "partial clone");
	assert_refused(fs_join(&f->arena, f->root, "reftable"), ERR_NEWER, "reftable");
	assert_refused(fs_join(&f->arena, f->root, "strange"), ERR_NEWER, "extension");
	assert_refused(fs_join(&f->arena, f->root, "newer"), ERR_NEWER, "newer than portside");
	assert_refused(fs_join(&f->arena, f->root, "config"), ERR_DAMAGED,
		"configuration that cannot be read");
	assert_refused(fs_join(&f->arena, f->root, "head"), ERR_DAMAGED, "symbolic-ref");
}

/* sparse-checkout turns this extension on. */
static void test_worktree_configuration(void **state)
{
	struct git_fixture *f = *state;
	struct repository *repo;

	git_fixture_commit(f, "first\n");
	git_fixture_run(f,
		"git config core.repositoryformatversion 1 && git config extensions.worktreeConfig true");
	if (repository_open(&repo, f->repo) < 0)
		fail_msg("%s", err_text());
	repository_free(repo);
}

static void test_damaged_commit(void **state)
{
	struct git_fixture *f = *state;
	char *oid = git_fixture_commit(f, "first\n");

	git_fixture_run(f, "rm -f .git/objects/%.2s/%s", oid, oid + 2);
	assert_refused(f->repo, ERR_DAMAGED, "git fsck");
}

static void test_other_owner(void **state)
{
	struct git_fixture *f = *state;

	if (geteuid() != 0)
		skip();
	git_fixture_run(f, "git init -q ../theirs && chown -R 12345 ../theirs");
	assert_refused(fs_join(&f->arena, f->root, "theirs"), ERR_REFUSED, "safe.directory");
}

static void test_no_permission(void **state)
{
	struct git_fixture *f = *state;

	if (geteuid() == 0)
		skip();
	git_fixture_run(f, "git init -q ../closed && chmod 0 ../closed/.git");
	assert_refused(fs_join(&f->arena, f->root, "closed"), ERR_IO, "no permission");
	git_fixture_run(f, "chmod 700 ../closed/.git");
}

static void test_revisions(void **state)
{
	struct git_fixture *f = *state;
	char *first = git_fixture_commit(f, "first\n"), *second;
	char oid[OID_HEX + 1];
	struct repository *repo;

	second = git_fixture_commit(f, "second\n");
	git_fixture_run(f, "git tag -a -m note v1 %s", first);
	assert_int_equal(repository_open(&repo, f->repo), 0);
	assert_int_equal(revision_resolve(oid, repo, "HEAD~1"), 0);
	assert_string_equal(oid, first);
	assert_int_equal(revision_resolve(oid, repo, "v1"), 0);
	assert_string_equal(oid, first);
	assert_int_equal(revision_resolve(oid, repo, arena_printf(&f->arena, "%.10s", second)), 0);
	assert_string_equal(oid, second);
	assert_int_equal(revision_resolve(oid, repo, "absent"), ERR_NOT_FOUND);
	assert_int_equal(revision_resolve(oid, repo, "HEAD^{tree}"), ERR_PARSE);
	assert_int_equal(revision_resolve(oid, repo, "HEAD^{"), ERR_PARSE);
	repository_free(repo);
}

static void test_tree_and_blobs(void **state)
{
	struct git_fixture *f = *state;
	struct tree_listing list;
	struct repository *repo;
	struct buf text = BUF_INIT;
	int64_t size;
	bool cut;
	char *oid;

	git_fixture_write(f, "a.txt", "0123456789\n", 11);
	git_fixture_run(f,
		"mkdir -p d/e && printf 'x' > d/e/run.sh && chmod +x d/e/run.sh && ln -s a.txt link");
	oid = git_fixture_commit(f, "files\n");
	assert_int_equal(repository_open(&repo, f->repo), 0);
	assert_int_equal(tree_list(&list, repo, oid, TREE_WITH_SIZES), 0);
	assert_int_equal(list.n, 3);
	assert_string_equal(list.rows[0].path, "a.txt");
	assert_int_equal(list.rows[0].size_bytes, 11);
	assert_string_equal(list.rows[1].path, "d/e/run.sh");
	assert_int_equal(list.rows[1].kind, TREE_EXECUTABLE);
	assert_int_equal(list.rows[2].kind, TREE_LINK);
	assert_int_equal(blob_read(&text, &cut, &size, repo, list.rows[0].oid, 4), 0);
	assert_true(cut);
	assert_int_equal(size, 11);
	assert_string_equal(text.s, "0123");
	buf_clear(&text);
	assert_int_equal(tree_read_file(&text, &cut, repo, oid, "d/e/run.sh", 100), 0);
	assert_false(cut);
	assert_string_equal(text.s, "x");
	assert_int_equal(tree_read_file(&text, &cut, repo, oid, "d/e", 100), ERR_STATE);
	assert_int_equal(tree_read_file(&text, &cut, repo, oid, "../a.txt", 100), ERR_NOT_FOUND);
	buf_release(&text);
	tree_listing_release(&list);
	repository_free(repo);
}

static void test_alternates(void **state)
{
	struct git_fixture *f = *state;
	char *oid = git_fixture_commit(f, "first\n");
	struct commit_info info;
	struct repository *repo;

	git_fixture_run(
		f, "git clone -q --shared . ../borrowed && git gc -q && git pack-refs --all");
	assert_int_equal(repository_open(&repo, fs_join(&f->arena, f->root, "borrowed")), 0);
	assert_int_equal(history_commit(&info, &f->arena, repo, oid), 0);
	assert_string_equal(info.subject, "first");
	repository_free(repo);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_opens_from_below, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_head, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_linked_worktree, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_bare_and_shallow, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_refusals, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_worktree_configuration, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_damaged_commit, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_other_owner, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_no_permission, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_revisions, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_tree_and_blobs, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_alternates, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
