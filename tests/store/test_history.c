/*
 * References, commits, ancestry, and trailers against git's own reader.
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/err.h"
#include "store/history.h"
#include "tests/store/git_fixture.h"

struct fixture {
	struct git_fixture git;
	struct repository *repo;
};

static int set_up(void **state)
{
	struct fixture *f = xcalloc(1, sizeof *f);

	git_fixture_init(&f->git);
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

/* Messages that git's own reader takes apart in one way or another. */
static const char *const messages[] = {
	"subject\n\nAttempt: 7\n",
	"subject\n\nAttempt: 7\nClaimed-Level: L3 @v5e-4\n",
	"Attempt: 7\n",
	"subject\n\nbody\n\nAttempt: 7\n\n\n",
	"subject\n\nbody and\nAttempt: 7\n",
	"subject\n\nSigned-off-by: A <a@b>\none\ntwo\nthree\n",
	"subject\n\nSigned-off-by: A <a@b>\none\ntwo\nthree\nfour\n",
	"subject\n\nAttempt: 7\n  and more\n\tof it\nOther: x\n",
	"subject\n\nAttempt : 7\nno-value:\n",
	"subject\n\nkey with blanks: 7\n",
	"subject\n\nAttempt: 7\nhttp://x.example/y\n",
	"subject\n\n(cherry picked from commit 1234)\nAttempt: 3\n",
	"subject\n\nAttempt: 1\n\nAttempt: 2\nAttempt: 3\n",
	"subject\n\n: no key\nAttempt: 2\n",
};

static void test_trailers_equal_git(void **state)
{
	struct fixture *f = *state;

	for (size_t i = 0; i < ARRAY_LEN(messages); i++) {
		const struct trailer *rows;
		struct buf ours = BUF_INIT;
		size_t n;
		char *theirs;

		git_fixture_write(&f->git, "m", messages[i], strlen(messages[i]));
		theirs = git_fixture_read(
			&f->git, "git interpret-trailers --parse < m | grep -v '^(cherry' || true");
		rows = trailers_parse(&n, &f->git.arena, messages[i], strlen(messages[i]));
		for (size_t k = 0; k < n; k++)
			buf_addf(&ours, "%s: %s\n", rows[k].key, rows[k].value);
		buf_trim_end(&ours);
		if (strcmp(ours.s, theirs) != 0)
			fail_msg("%zu: ours \"%s\", git \"%s\"", i, ours.s, theirs);
		buf_release(&ours);
	}
}

static void test_trailer_find(void **state)
{
	static const char text[] = "s\n\nattempt: 1\nATTEMPT: 2\n";
	struct fixture *f = *state;
	const struct trailer *rows;
	size_t n;

	rows = trailers_parse(&n, &f->git.arena, text, sizeof text - 1);
	assert_int_equal(n, 2);
	assert_string_equal(trailer_find(rows, n, "Attempt"), "2");
	assert_null(trailer_find(rows, n, "Attempts"));
	assert_null(trailer_find(rows, 0, "Attempt"));
}

static void test_commit(void **state)
{
	struct fixture *f = *state;
	char *first = git_fixture_commit(&f->git, "first\n"), *oid;
	struct commit_info c;

	git_fixture_run(&f->git, "git config i18n.commitEncoding latin1");
	oid = git_fixture_commit(&f->git, "two\nlines\n\nbody \x1b[2J\xff\n\nAttempt: 4\n");
	assert_int_equal(history_commit(&c, &f->git.arena, f->repo, oid), 0);
	assert_string_equal(c.subject, "two lines");
	assert_non_null(strstr(c.message, "body \x1b[2J\xff\n"));
	assert_int_equal(c.n_parents, 1);
	assert_string_equal(c.parents[0], first);
	assert_string_equal(c.author_email, "ada@example.org");
	assert_int_equal(c.committed_ns, (1760000000 + 120) * NS_PER_S);
	assert_string_equal(trailer_find(c.trailers, c.n_trailers, "Attempt"), "4");
	assert_string_equal(c.tree, git_fixture_read(&f->git, "git rev-parse HEAD^{tree}"));
	assert_int_equal(history_commit(&c, &f->git.arena, f->repo,
				 "00000000000000000000000000000000000000ff"),
		ERR_NOT_FOUND);
	assert_int_equal(history_commit(&c, &f->git.arena, f->repo, "HEAD"), ERR_PARSE);
}

static const struct ref *find_ref(const struct ref_list *l, const char *name)
{
	for (size_t i = 0; i < l->n; i++)
		if (strcmp(l->rows[i].name, name) == 0)
			return &l->rows[i];
	return NULL;
}

static void test_refs(void **state)
{
	struct fixture *f = *state;
	char *oid = git_fixture_commit(&f->git, "first\n");
	struct ref_list one, two;

	git_fixture_run(&f->git,
		"git tag -a -m x v1 && git update-ref refs/remotes/origin/dev HEAD &&"
		" git symbolic-ref refs/remotes/origin/HEAD refs/remotes/origin/dev &&"
		" git update-ref refs/pull/7/head HEAD && git update-ref refs/pull/7/merge HEAD &&"
		" git update-ref refs/pull-requests/8/from HEAD && git update-ref refs/merge-requests/9/head HEAD &&"
		" git update-ref refs/notes/x HEAD && git tag tree HEAD^{tree} && git pack-refs --all");
	assert_int_equal(history_refs(&one, f->repo), 0);
	assert_int_equal(one.n, 6);
	assert_int_equal(one.broken, 1);
	assert_string_equal(one.head, oid);
	assert_string_equal(find_ref(&one, "refs/tags/v1")->oid, oid);
	assert_int_equal(find_ref(&one, "refs/tags/v1")->kind, REF_TAG);
	assert_string_equal(find_ref(&one, "refs/pull/7/head")->shown, "pull/7");
	assert_int_equal(find_ref(&one, "refs/merge-requests/9/head")->kind, REF_PULL);
	assert_string_equal(find_ref(&one, "refs/remotes/origin/dev")->shown, "origin/dev");
	assert_null(find_ref(&one, "refs/remotes/origin/HEAD"));
	assert_int_equal(history_refs(&two, f->repo), 0);
	assert_true(digest_equal(&one.digest, &two.digest));
	ref_list_release(&two);
	git_fixture_commit(&f->git, "second\n");
	assert_int_equal(history_refs(&two, f->repo), 0);
	assert_false(digest_equal(&one.digest, &two.digest));
	ref_list_release(&two);
	ref_list_release(&one);
}

static void test_ancestry(void **state)
{
	struct fixture *f = *state;
	char *base = git_fixture_commit(&f->git, "base\n"), *a, *b, *other;
	char found[OID_HEX + 1];
	struct commit_info *rows;
	size_t n;

	a = git_fixture_commit(&f->git, "a\n");
	git_fixture_run(&f->git, "git checkout -q -b side %s", base);
	git_fixture_commit(&f->git, "b0\n");
	b = git_fixture_commit(&f->git, "b\n");
	git_fixture_run(&f->git, "git checkout -q --orphan alone");
	other = git_fixture_commit(&f->git, "other\n");
	assert_int_equal(history_merge_base(found, f->repo, a, b), 0);
	assert_string_equal(found, base);
	assert_int_equal(history_merge_base(found, f->repo, a, other), ERR_NOT_FOUND);
	assert_int_equal(history_is_ancestor(f->repo, base, b), 1);
	assert_int_equal(history_is_ancestor(f->repo, a, b), 0);
	assert_int_equal(history_is_ancestor(f->repo, b, b), 1);
	assert_int_equal(history_range(&rows, &n, &f->git.arena, f->repo, base, b, 10), 0);
	assert_int_equal(n, 2);
	assert_string_equal(rows[0].subject, "b");
	assert_string_equal(rows[1].subject, "b0");
	assert_int_equal(history_range(&rows, &n, &f->git.arena, f->repo, "", b, 2), 0);
	assert_int_equal(n, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_trailers_equal_git, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_trailer_find, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_commit, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_refs, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_ancestry, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
