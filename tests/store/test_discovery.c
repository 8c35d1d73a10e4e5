/*
 * Attempts found by tags, trailers, branches, remotes and pull requests.
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/fs.h"
#include "store/discovery.h"
#include "store/history.h"
#include "tests/store/git_fixture.h"

struct fixture {
	struct git_fixture git;
	struct repository *repo;
	struct discovery found;
};

static int set_up(void **state)
{
	struct fixture *f = xcalloc(1, sizeof *f);

	git_fixture_init(&f->git);
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	discovery_release(&f->found);
	repository_free(f->repo);
	git_fixture_release(&f->git);
	free(f);
	return 0;
}

static void discover_with(struct fixture *f, const struct discovery_options *options)
{
	discovery_release(&f->found);
	repository_free(f->repo);
	assert_int_equal(repository_open(&f->repo, f->git.repo), 0);
	if (discovery_run(&f->found, f->repo, options) < 0)
		fail_msg("%s", err_text());
}

static void discover(struct fixture *f)
{
	const struct discovery_options options = { 0 };

	discover_with(f, &options);
}

static const struct found_attempt *row(const struct fixture *f, size_t i)
{
	assert_true(i < f->found.n);
	return &f->found.rows[i];
}

static void test_names(void **state)
{
	static const struct {
		const char *name;
		int64_t n;
		const char *line;
	} good[] = {
		{ "attempt/3", 3, "" },
		{ "attempt-3", 3, "" },
		{ "attempt/007", 7, "" },
		{ "attempt/0", 0, "" },
		{ "attempt/torchtpu/3", 3, "torchtpu" },
		{ "attempt/a/b/12", 12, "a/b" },
	};
	static const char *const bad[] = {
		"attempt",
		"attempt/",
		"attempt3",
		"attempt/3x",
		"attempt/-3",
		"attempt//3",
		"Attempt/3",
		"attempt-a-3",
		"attempt/1234567890",
		"attempts/3",
		"attempt/ 3",
	};
	const char *line;
	size_t line_n;
	int64_t n;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(good); i++) {
		assert_true(attempt_name_parse(&n, &line, &line_n, good[i].name));
		assert_int_equal(n, good[i].n);
		assert_int_equal(line_n, strlen(good[i].line));
		assert_memory_equal(line, good[i].line, line_n);
	}
	for (size_t i = 0; i < ARRAY_LEN(bad); i++)
		if (attempt_name_parse(&n, &line, &line_n, bad[i]))
			fail_msg("%s was taken for an attempt", bad[i]);
}

static void test_empty_repository(void **state)
{
	struct fixture *f = *state;

	discover(f);
	assert_int_equal(f->found.n, 0);
	assert_int_equal(f->found.original_how, ORIGINAL_NONE);
}

static void test_tags(void **state)
{
	struct fixture *f = *state;
	char *zero = git_fixture_commit(&f->git, "code\n"), *one, *two;

	git_fixture_run(&f->git, "git tag original");
	git_fixture_commit(&f->git, "start\n");
	one = git_fixture_commit(&f->git, "use xla\n");
	git_fixture_run(&f->git, "git tag attempt/1");
	two = git_fixture_commit(&f->git,
		"mark steps\n\nClaimed-Level: L3 @v5e-4\nExpected-Level: L2\n"
		"Failure-Cause: C4\nFailure-Silent: yes\nClaimed-Cause: device\n");
	git_fixture_run(&f->git, "git tag -a -m 'second try' attempt/2 && git pack-refs --all");
	discover(f);
	assert_int_equal(f->found.n, 2);
	assert_string_equal(f->found.original, zero);
	assert_int_equal(f->found.original_how, ORIGINAL_TAG);
	assert_string_equal(row(f, 0)->tip, one);
	assert_string_equal(row(f, 0)->base, zero);
	assert_int_equal(row(f, 0)->base_kind, BASE_ORIGINAL);
	assert_int_equal(row(f, 0)->previous, -1);
	assert_string_equal(row(f, 0)->source, "tag attempt/1");
	assert_string_equal(row(f, 0)->claimed, "");
	assert_string_equal(row(f, 1)->tip, two);
	assert_string_equal(row(f, 1)->base, one);
	assert_int_equal(row(f, 1)->base_kind, BASE_TIP);
	assert_int_equal(row(f, 1)->previous, 1);
	assert_string_equal(row(f, 1)->subject, "mark steps");
	assert_string_equal(row(f, 1)->author, "Ada Example");
	assert_string_equal(row(f, 1)->claimed, "L3");
	assert_string_equal(row(f, 1)->claimed_configuration, "v5e-4");
	assert_string_equal(row(f, 1)->expected, "L2");
	assert_string_equal(row(f, 1)->expected_configuration, "");
	assert_string_equal(row(f, 1)->cause, "C4");
	assert_string_equal(row(f, 1)->silent, "yes");
	assert_string_equal(row(f, 1)->claimed_cause, "device");
	assert_int_equal(row(f, 1)->committed_ns, (1760000000 + 240) * NS_PER_S);
}

static void test_trailers(void **state)
{
	struct fixture *f = *state;
	char *zero = git_fixture_commit(&f->git, "code\n"), *one, *other;

	git_fixture_commit(&f->git, "first part\n\nAttempt: 1\n");
	one = git_fixture_commit(&f->git, "second part\n\nAttempt: 1\n");
	other = git_fixture_commit(&f->git, "on torchtpu\n\nAttempt: 1\nAttempt-Line: torchtpu\n");
	git_fixture_commit(&f->git,
		"no mark: Attempt: 9 stands in the text\n\nAttempt: 9 is text here\nand goes on.\n");
	discover(f);
	assert_int_equal(f->found.n, 2);
	assert_string_equal(f->found.original, zero);
	assert_int_equal(f->found.original_how, ORIGINAL_BEFORE_FIRST);
	assert_string_equal(row(f, 0)->tip, one);
	assert_string_equal(row(f, 0)->base, zero);
	assert_int_equal(row(f, 0)->source_kind, SOURCE_TRAILER);
	assert_string_equal(row(f, 0)->source, arena_printf(&f->git.arena, "trailer of %.7s", one));
	assert_string_equal(row(f, 1)->line, "torchtpu");
	assert_string_equal(row(f, 1)->tip, other);
	assert_string_equal(row(f, 1)->base, one);
	assert_int_equal(row(f, 1)->previous, 1);
	assert_string_equal(row(f, 1)->previous_line, "");
}

static void test_branches_and_remotes(void **state)
{
	struct fixture *f = *state;
	char *zero = git_fixture_commit(&f->git, "code\n"), *one, *two, *three;

	git_fixture_run(&f->git, "git checkout -q -b attempt-1");
	git_fixture_commit(&f->git, "a\n");
	one = git_fixture_commit(&f->git, "b\n");
	git_fixture_run(&f->git, "git checkout -q main && git checkout -q -b side");
	two = git_fixture_commit(&f->git, "c\n");
	git_fixture_run(&f->git, "git update-ref refs/remotes/origin/attempt/2 HEAD");
	three = git_fixture_commit(&f->git, "d\n\nAttempt: 3\n");
	git_fixture_run(&f->git,
		"git update-ref refs/pull/12/head HEAD && git checkout -q main && git branch -q -D side &&"
		" git update-ref refs/remotes/my/fork/attempt/torchtpu/4 %s",
		one);
	discover(f);
	assert_int_equal(f->found.n, 4);
	assert_int_equal(f->found.original_how, ORIGINAL_BEFORE_FIRST);
	assert_string_equal(f->found.original, zero);
	assert_string_equal(row(f, 0)->tip, one);
	assert_string_equal(row(f, 0)->source, "branch attempt-1");
	assert_string_equal(row(f, 0)->base, zero);
	assert_string_equal(row(f, 1)->tip, two);
	assert_string_equal(row(f, 1)->source, "branch origin/attempt/2");
	assert_int_equal(row(f, 1)->previous, 1);
	assert_string_equal(row(f, 2)->tip, three);
	assert_string_equal(row(f, 2)->base, two);
	assert_string_equal(row(f, 3)->line, "torchtpu");
	assert_string_equal(row(f, 3)->source, "branch my/fork/attempt/torchtpu/4");
	assert_string_equal(row(f, 3)->base, one);
}

static void test_order_of_sources(void **state)
{
	struct fixture *f = *state;
	char *one, *later;

	git_fixture_commit(&f->git, "code\n");
	git_fixture_run(&f->git, "git tag original");
	one = git_fixture_commit(&f->git, "a\n\nAttempt: 1\n");
	git_fixture_run(&f->git, "git tag attempt/1");
	later = git_fixture_commit(&f->git, "b\n\nAttempt: 1\n");
	discover(f);
	assert_int_equal(f->found.n, 1);
	assert_string_equal(row(f, 0)->tip, one);
	assert_string_equal(row(f, 0)->source, "tag attempt/1");
	assert_string_equal(row(f, 0)->also, arena_printf(&f->git.arena, "trailer of %.7s", later));
}

static void test_descendant_is_newer(void **state)
{
	struct fixture *f = *state;
	char *tip;

	git_fixture_commit(&f->git, "code\n");
	f->git.clock = 100000;
	git_fixture_run(&f->git, "git checkout -q -b attempt/1");
	git_fixture_commit(&f->git, "a\n");
	git_fixture_run(&f->git, "git update-ref refs/remotes/origin/attempt/1 HEAD");
	f->git.clock = 500;
	tip = git_fixture_commit(&f->git, "b, on a machine with a slow clock\n");
	discover(f);
	assert_int_equal(f->found.n, 1);
	assert_string_equal(row(f, 0)->tip, tip);
	assert_non_null(strstr(row(f, 0)->also, "branch origin/attempt/1 at "));
}

static void test_merged_branch_without_name(void **state)
{
	struct fixture *f = *state;
	char *tip;

	git_fixture_commit(&f->git, "code\n");
	git_fixture_run(&f->git, "git tag original && git checkout -q -b work");
	tip = git_fixture_commit(&f->git, "a\n\nAttempt: 1\n");
	git_fixture_run(&f->git,
		"git checkout -q main && git merge -q --no-ff -m 'Merge pull request' work &&"
		" git branch -q -D work");
	discover(f);
	assert_int_equal(f->found.n, 1);
	assert_string_equal(row(f, 0)->tip, tip);
}

static void test_commits_without_marks(void **state)
{
	struct fixture *f = *state;
	char *zero = git_fixture_commit(&f->git, "code\n"), *one, *two;

	one = git_fixture_commit(&f->git, "a\n");
	two = git_fixture_commit(&f->git, "b\n");
	git_fixture_run(&f->git, "git checkout -q --detach");
	discover(f);
	assert_int_equal(f->found.n, 2);
	assert_int_equal(f->found.original_how, ORIGINAL_ROOT);
	assert_string_equal(f->found.original, zero);
	assert_string_equal(row(f, 0)->tip, one);
	assert_int_equal(row(f, 0)->source_kind, SOURCE_COMMIT);
	assert_string_equal(row(f, 0)->source, "commit 1 after original");
	assert_string_equal(row(f, 1)->tip, two);
	assert_string_equal(row(f, 1)->base, one);
	assert_int_equal(row(f, 1)->previous, 1);
}

static void test_configured_original(void **state)
{
	struct fixture *f = *state;
	struct discovery_options options = { .original = "HEAD~1" };
	char *one;

	git_fixture_commit(&f->git, "code\n");
	one = git_fixture_commit(&f->git, "fix of the authors\n");
	git_fixture_commit(&f->git, "a\n");
	discover_with(f, &options);
	assert_int_equal(f->found.original_how, ORIGINAL_CONFIGURED);
	assert_string_equal(f->found.original, one);
	assert_int_equal(f->found.n, 1);
	options.original = "v9";
	discover_with(f, &options);
	assert_int_equal(f->found.original_how, ORIGINAL_ROOT);
	assert_non_null(strstr(f->found.note, "v9"));
}

static void test_shared_tip(void **state)
{
	struct fixture *f = *state;
	char *tip;

	git_fixture_commit(&f->git, "code\n");
	tip = git_fixture_commit(&f->git, "a\n");
	git_fixture_run(&f->git, "git tag attempt/1 && git tag attempt/2");
	discover(f);
	assert_int_equal(f->found.n, 2);
	assert_string_equal(row(f, 1)->tip, tip);
	assert_string_equal(row(f, 1)->base, tip);
	assert_int_equal(row(f, 1)->previous, 1);
}

static void test_vanished(void **state)
{
	struct fixture *f = *state;
	struct known_tip known[3] = { { .n = 1, .line = "" }, { .n = 2, .line = "" },
		{ .n = 3, .line = "" } };
	struct discovery_options options = { .known = known, .n_known = 3 };

	git_fixture_commit(&f->git, "code\n");
	strcpy(known[0].tip, git_fixture_commit(&f->git, "a\n"));
	git_fixture_run(&f->git, "git branch attempt/1");
	strcpy(known[1].tip, git_fixture_commit(&f->git, "b\n"));
	git_fixture_commit(&f->git, "c\n");
	git_fixture_run(&f->git, "git branch attempt/2");
	strcpy(known[2].tip, git_fixture_commit(&f->git, "d\n"));
	git_fixture_run(&f->git,
		"git checkout -q attempt/1 && git commit -q --amend --allow-empty -m rewritten");
	discover_with(f, &options);
	assert_int_equal(f->found.n, 2);
	assert_int_equal(f->found.n_gone, 2);
	assert_int_equal(f->found.gone[0], 0);
	assert_int_equal(f->found.gone[1], 2);
}

static void test_incremental(void **state)
{
	struct fixture *f = *state;
	struct discovery_memory *memory = discovery_memory_new();
	struct discovery_options options = { .memory = memory };
	struct digest seen;
	size_t reads;

	for (int i = 0; i < 5; i++)
		git_fixture_commit(
			&f->git, arena_printf(&f->git.arena, "a\n\nAttempt: %d\n", i + 1));
	discover_with(f, &options);
	reads = discovery_memory_reads(memory);
	assert_int_equal(reads, 5);
	seen = f->found.refs_digest;
	options.seen = &seen;
	discover_with(f, &options);
	assert_true(f->found.unchanged);
	git_fixture_commit(&f->git, "b\n\nAttempt: 6\n");
	discover_with(f, &options);
	assert_false(f->found.unchanged);
	assert_int_equal(f->found.n, 6);
	assert_int_equal(discovery_memory_reads(memory), reads + 1);
	discovery_memory_free(memory);
}

static void test_hostile_text(void **state)
{
	struct fixture *f = *state;
	static const char subject[] = "\x1b[2J\xff evil";

	git_fixture_commit(&f->git, "code\n");
	/* Else git turns the bad byte into valid text. */
	git_fixture_run(&f->git, "git tag original && git config i18n.commitEncoding latin1");
	git_fixture_commit(&f->git,
		arena_printf(&f->git.arena, "%s\n\nAttempt: 1\nClaimed-Level: \x1b]0;x\x07 @\xfe\n",
			subject));
	discover(f);
	assert_int_equal(f->found.n, 1);
	assert_string_equal(row(f, 0)->subject, subject);
	assert_string_equal(row(f, 0)->claimed, "\x1b]0;x\x07");
	assert_string_equal(row(f, 0)->claimed_configuration, "\xfe");
}

/* A linked work tree, a clone that borrows its objects, a shallow clone. */
static void test_other_places(void **state)
{
	static const char *const places[] = { "linked", "borrowed", "cut" };
	struct fixture *f = *state;
	const struct discovery_options options = { 0 };
	char *tip;

	git_fixture_commit(&f->git, "code\n");
	git_fixture_commit(&f->git, "a\n\nAttempt: 1\n");
	tip = git_fixture_commit(&f->git, "b\n\nAttempt: 2\n");
	git_fixture_run(&f->git,
		"git worktree add -q --detach ../linked && git clone -q --shared . ../borrowed &&"
		" git clone -q --depth 1 file://\"$PWD\" ../cut");
	for (size_t i = 0; i < ARRAY_LEN(places); i++) {
		discovery_release(&f->found);
		repository_free(f->repo);
		assert_int_equal(
			repository_open(&f->repo, fs_join(&f->git.arena, f->git.root, places[i])),
			0);
		assert_int_equal(discovery_run(&f->found, f->repo, &options), 0);
		assert_int_equal(f->found.n, i < 2 ? 2 : 1);
		assert_string_equal(row(f, f->found.n - 1)->tip, tip);
		assert_int_equal(strstr(f->found.note, "shallow") != NULL, i == 2);
	}
}

/* What this process has computed, however busy the machine is. */
static int64_t computed_ns(void)
{
	struct timespec used;

	assert_int_equal(clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used), 0);
	return used.tv_sec * NS_PER_S + used.tv_nsec;
}

static void test_many(void **state)
{
	enum { MANY = 10000 };
	struct fixture *f = *state;
	char *path = fs_join(&f->git.arena, f->git.root, "stream");
	struct buf b = BUF_INIT;
	int64_t start, took;

	for (int i = 0; i <= MANY; i++)
		buf_addf(&b,
			"commit refs/heads/main\ncommitter A <a@b> %d +0000\ndata <<END\nx\n\n%s%d\nEND\n\n",
			1760000000 + i, i > 0 ? "Attempt: " : "code ", i);
	assert_int_equal(fs_write_durable(path, b.s, b.n, 0600), 0);
	buf_release(&b);
	git_fixture_run(&f->git, "git fast-import --quiet < '%s'", path);
	start = computed_ns();
	discover(f);
	took = computed_ns() - start;
	assert_int_equal(f->found.n, MANY);
	assert_string_equal(row(f, MANY - 1)->base, row(f, MANY - 2)->tip);
	print_message("# %d attempts in %d ms\n", MANY, (int)(took / NS_PER_MS));
	assert_true(took < 20 * NS_PER_S);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		cmocka_unit_test_setup_teardown(test_empty_repository, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_tags, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_trailers, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_branches_and_remotes, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_order_of_sources, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_descendant_is_newer, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_merged_branch_without_name, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_commits_without_marks, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_configured_original, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_shared_tip, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_vanished, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_incremental, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_hostile_text, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_other_places, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_many, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
