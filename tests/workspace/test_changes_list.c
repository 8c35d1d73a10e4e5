/*
 * test_changes_list - the figures of all attempts: equal to those of each, kept
 * for one state of the log alone, and made anew when what was kept is damaged
 * or gone.
 */
#include "config.h"

#include "tests/unit.h"

#include "base/err.h"
#include "base/fs.h"
#include "store/log.h"
#include "tests/workspace/fixture.h"
#include "workspace/changes_list.h"

enum { ATTEMPTS = 3 };

static void make_attempt(struct workspace_fixture *f, int n)
{
	const char *text = arena_printf(&f->a, "line %d\nmore\nof %d\n", n, n);

	git_fixture_write(&f->git, "train.py", text, strlen(text));
	git_fixture_commit(&f->git, "use xla\n");
	git_fixture_run(&f->git, "git tag attempt/%d", n);
}

static void make_attempts(struct workspace_fixture *f)
{
	git_fixture_write(&f->git, "train.py", "line\n", 5);
	git_fixture_commit(&f->git, "code\n");
	git_fixture_run(&f->git, "git tag original");
	for (int i = 1; i <= ATTEMPTS; i++)
		make_attempt(f, i);
	fixture_discover(f);
}

static struct changes_list list_of(struct workspace_fixture *f, int flags)
{
	struct changes_list list;

	if (changes_list_read(&list, f->ws, NULL, flags, NULL, &f->a) < 0)
		fail_msg("%s", err_text());
	return list;
}

/* Lines against the previous attempt and the original, as git counts them. */
static void check(struct workspace_fixture *f, int attempts)
{
	struct changes_list list = list_of(f, 0);

	assert_int_equal(list.n, attempts);
	for (size_t i = 0; i < list.n; i++) {
		const struct attempt_changes *c = &list.rows[i].changes;

		assert_string_equal(list.rows[i].id, arena_printf(&f->a, "%zu", i + 1));
		assert_true(c->previous.known && c->original.known);
		assert_int_equal(c->previous.files, 1);
		assert_int_equal(c->previous.added, i ? 2 : 3);
		assert_int_equal(c->previous.removed, i ? 2 : 1);
		assert_int_equal(c->original.added, 3);
		assert_int_equal(c->original.removed, 1);
		assert_string_equal(c->previous.reason, "");
	}
}

static char *cached(struct workspace_fixture *f, const char *name)
{
	return fs_join(&f->a, f->git.repo, arena_printf(&f->a, ".git/portside/cache/%s", name));
}

static void test_kept_and_made_anew(void **state)
{
	static const char *const names[] = { "attempts", "churn-both", "churn-1.cache" };
	struct workspace_fixture *f = *state;

	make_attempts(f);
	check(f, ATTEMPTS);
	check(f, ATTEMPTS);
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		assert_true(fs_exists(cached(f, names[i])));
		/* The last byte is damaged, the file is cut, the file is gone. */
		git_fixture_run(&f->git,
			"printf X | dd of='%s' bs=1 seek=%d conv=notrunc 2>/dev/null",
			cached(f, names[i]), (int)fs_size(cached(f, names[i])) - 1);
		check(f, ATTEMPTS);
		git_fixture_run(&f->git, "truncate -s 20 '%s'", cached(f, names[i]));
		check(f, ATTEMPTS);
		git_fixture_run(&f->git, "rm -f '%s'", cached(f, names[i]));
		check(f, ATTEMPTS);
	}
	git_fixture_run(&f->git, "rm -rf .git/portside/cache");
	check(f, ATTEMPTS);
}

/* What is kept is used, not only written: without the objects it still answers. */
static void test_kept_is_used(void **state)
{
	struct workspace_fixture *f = *state;

	make_attempts(f);
	check(f, ATTEMPTS);
	git_fixture_run(
		&f->git, "mv .git/objects ../objects && rm .git/portside/cache/churn-1.cache");
	check(f, ATTEMPTS);
	git_fixture_run(&f->git, "mv ../objects .git/objects");
}

/* Another attempt, and a tip that moves, are seen at once. */
static void test_follows_the_log(void **state)
{
	struct workspace_fixture *f = *state;

	make_attempts(f);
	check(f, ATTEMPTS);
	make_attempt(f, ATTEMPTS + 1);
	fixture_discover(f);
	check(f, ATTEMPTS + 1);
	git_fixture_write(&f->git, "train.py", "line\n", 5);
	git_fixture_commit(&f->git, "back\n");
	git_fixture_run(&f->git, "git tag -f attempt/%d", ATTEMPTS + 1);
	fixture_discover(f);
	assert_int_equal(list_of(f, 0).rows[ATTEMPTS].changes.original.files, 0);
	assert_true(list_of(f, 0).rows[ATTEMPTS].changes.original.known);
}

/* As of an earlier event: nothing kept is used for it, nor kept of it. */
static void test_as_of_a_position(void **state)
{
	struct workspace_fixture *f = *state;
	struct changes_list list;
	struct position at;

	make_attempts(f);
	check(f, ATTEMPTS);
	assert_int_equal(log_position_at(workspace_log(f->ws), 2, &at), 1);
	assert_int_equal(changes_list_read(&list, f->ws, &at, 0, NULL, &f->a), 0);
	assert_int_equal(list.n, 1);
	assert_int_equal(list.rows[0].changes.previous.added, 3);
	check(f, ATTEMPTS);
}

/* One list does not answer for the other. */
static void test_previous_alone(void **state)
{
	struct workspace_fixture *f = *state;
	struct changes_list list;

	make_attempts(f);
	list = list_of(f, CHANGES_PREVIOUS_ONLY);
	assert_true(list.rows[1].changes.previous.known);
	assert_false(list.rows[1].changes.original.known);
	assert_false(list_of(f, CHANGES_PREVIOUS_ONLY).rows[1].changes.original.known);
	check(f, ATTEMPTS);
	list = list_of(f, CHANGES_NONE);
	assert_int_equal(list.n, ATTEMPTS);
	assert_false(list.rows[0].changes.previous.known);
	check(f, ATTEMPTS);
}

/* A commit that is not here may come: it is asked for each time. */
static void test_missing_is_asked_again(void **state)
{
	struct workspace_fixture *f = *state;
	struct changes_list list;
	char *tip;

	make_attempts(f);
	tip = git_fixture_read(&f->git, "git rev-parse attempt/2");
	/* Another handle: this one's library remembers the commit. */
	fixture_close(f);
	fixture_workspace(f);
	git_fixture_run(&f->git, "mv .git/objects/%.2s/%s ../away", tip, tip + 2);
	list = list_of(f, 0);
	assert_false(list.rows[1].changes.previous.known);
	assert_non_null(strstr(list.rows[1].changes.previous.reason, "fetch"));
	assert_true(list.rows[0].changes.previous.known);
	git_fixture_run(&f->git, "mv ../away .git/objects/%.2s/%s", tip, tip + 2);
	check(f, ATTEMPTS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			test_kept_and_made_anew, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(test_kept_is_used, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(
			test_follows_the_log, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(
			test_as_of_a_position, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(
			test_previous_alone, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(
			test_missing_is_asked_again, fixture_setup, fixture_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
