/*
 * test_discover - attempts of real repositories become events, once each:
 * every source of attempts, moved and vanished tips, and a second look that
 * records nothing.
 */
#include "config.h"

#include "tests/unit.h"

#include "base/err.h"
#include "base/fs.h"
#include "base/text.h"
#include "tests/workspace/fixture.h"
#include "workspace/state.h"

/* A history with the original code and two tagged attempts. */
static char *make_two(struct workspace_fixture *f)
{
	char *original = git_fixture_commit(&f->git, "code\n");

	git_fixture_run(&f->git, "git tag original");
	git_fixture_commit(&f->git, "use xla\n");
	git_fixture_run(&f->git, "git tag attempt/1");
	git_fixture_commit(&f->git,
		"mark steps\n\nExpected-Level: L2\nClaimed-Level: L3 @v5e-4\nFailure-Cause: C4\n"
		"Failure-Silent: yes\nClaimed-Cause: device\n");
	git_fixture_run(&f->git, "git tag attempt/2");
	return original;
}

static void test_tags(void **state)
{
	struct workspace_fixture *f = *state;
	char *original = make_two(f);
	struct discovered d = fixture_discover(f);
	struct migration_state *m;
	struct attempt_state *s;

	assert_int_equal(d.attempts, 2);
	assert_int_equal(d.added, 2);
	assert_int_equal(d.moved + d.gone, 0);
	assert_int_equal(d.expectations, 1);
	assert_int_equal(d.claims, 1);
	assert_int_equal(d.labels, 2);
	assert_string_equal(d.note, "");
	assert_int_equal(state_migration(f->ws, NULL, &f->a, &m), 0);
	assert_string_equal(m->name, "repo");
	assert_string_equal(m->original, original);
	assert_int_equal(m->counts.attempts, 2);
	s = fixture_attempt(f, "1");
	assert_string_equal(s->base, original);
	assert_string_equal(s->subject, "use xla");
	assert_string_equal(s->source, "tag attempt/1");
	s = fixture_attempt(f, "2");
	assert_string_equal(s->base, fixture_attempt(f, "1")->tip);
	assert_string_equal(s->author, "Ada Example");
}

/* What the trailers say is the agent's word, each in its own event. */
static void test_trailers_are_claims(void **state)
{
	struct workspace_fixture *f = *state;
	const struct claim *claim;
	struct attempt_state *s;

	make_two(f);
	fixture_discover(f);
	s = fixture_attempt(f, "2");
	assert_int_equal(s->expected_n, 1);
	assert_int_equal(s->expected[0].level, LEVEL_L2);
	assert_string_equal(s->expected[0].configuration, "");
	assert_string_equal(s->expected[0].entry.who, "agent:Ada-Example");
	claim = attempt_claimed(s, "v5e-4");
	assert_non_null(claim);
	assert_int_equal(claim->level, LEVEL_L3);
	assert_null(attempt_claimed(s, "v5e-1"));
	assert_int_equal(s->labels_n, 2);
	assert_string_equal(s->cause, "C4");
	assert_int_equal(s->silent, SILENT_YES);
	assert_string_equal(s->agent_cause, "device");
	/* Nothing ran, so nothing was measured: a claim alone raises no level. */
	assert_int_equal(attempt_measured(s, "v5e-4")->ladder.level, LEVEL_NONE);
	assert_int_equal(attempt_measured(s, "v5e-4")->claim, CLAIM_UNSUPPORTED);
}

static void test_a_level_for_each_configuration(void **state)
{
	struct workspace_fixture *f = *state;
	struct attempt_state *s;

	git_fixture_commit(&f->git, "code\n");
	git_fixture_run(&f->git, "git tag original");
	git_fixture_commit(&f->git,
		"both\n\nAttempt: 4\nClaimed-Level: L3 @v5e-1\nClaimed-Level: L0 @v5e-4\n"
		"Claimed-Level: it trains\n");
	assert_int_equal(fixture_discover(f).claims, 3);
	s = fixture_attempt(f, "4");
	assert_string_equal(s->source + strlen(s->source) - 7, arena_strndup(&f->a, s->tip, 7));
	assert_int_equal(s->claimed_n, 3);
	assert_int_equal(s->claimed[0].level, LEVEL_L3);
	assert_string_equal(s->claimed[0].configuration, "v5e-1");
	assert_int_equal(s->claimed[1].level, LEVEL_L0);
	assert_string_equal(s->claimed[1].configuration, "v5e-4");
	/* Words that are no level are a claim of success without one. */
	assert_int_equal(s->claimed[2].level, LEVEL_UNSET);
	assert_string_equal(workspace_text(f->ws, &f->a, s->claimed[2].text_digest), "it trains");
}

static void test_branches_remotes_and_pull_requests(void **state)
{
	struct workspace_fixture *f = *state;
	char *one, *two, *three;

	git_fixture_commit(&f->git, "code\n");
	git_fixture_run(&f->git, "git tag original && git checkout -q -b attempt-1");
	one = git_fixture_commit(&f->git, "one\n");
	git_fixture_run(&f->git, "git checkout -q -b topic main");
	two = git_fixture_commit(&f->git, "two\n");
	git_fixture_run(&f->git,
		"git update-ref refs/remotes/origin/attempt/2 %s && git checkout -q main", two);
	three = git_fixture_commit(&f->git, "three\n\nAttempt: 3\n");
	git_fixture_run(&f->git,
		"git update-ref refs/pull/7/head %s && git reset -q --hard original && "
		"git branch -q -D topic",
		three);
	assert_int_equal(fixture_discover(f).added, 3);
	assert_string_equal(fixture_attempt(f, "1")->tip, one);
	assert_string_equal(fixture_attempt(f, "1")->source, "branch attempt-1");
	assert_string_equal(fixture_attempt(f, "2")->tip, two);
	assert_string_equal(fixture_attempt(f, "2")->source, "branch origin/attempt/2");
	assert_string_equal(fixture_attempt(f, "3")->tip, three);
}

static void test_lines(void **state)
{
	struct workspace_fixture *f = *state;

	make_two(f);
	git_fixture_run(&f->git, "git checkout -q -b torch original");
	git_fixture_commit(&f->git, "other\n\nAttempt: 1\nAttempt-Line: torchtpu\n");
	git_fixture_commit(&f->git, "more\n");
	git_fixture_run(&f->git, "git tag attempt/torchtpu/2");
	assert_int_equal(fixture_discover(f).added, 4);
	assert_string_equal(fixture_attempt(f, "torchtpu/1")->line, "torchtpu");
	assert_int_equal(fixture_attempt(f, "torchtpu/2")->n, 2);
	assert_string_equal(
		fixture_attempt(f, "torchtpu/2")->base, fixture_attempt(f, "torchtpu/1")->tip);
	assert_string_not_equal(
		fixture_attempt(f, "1")->tip, fixture_attempt(f, "torchtpu/1")->tip);
}

static void test_without_any_mark(void **state)
{
	struct workspace_fixture *f = *state;

	git_fixture_commit(&f->git, "code\n");
	git_fixture_run(&f->git, "git tag original");
	git_fixture_commit(&f->git, "first\n");
	git_fixture_commit(&f->git, "second\n");
	assert_int_equal(fixture_discover(f).added, 2);
	assert_string_equal(fixture_attempt(f, "2")->subject, "second");
	assert_string_equal(fixture_attempt(f, "2")->base, fixture_attempt(f, "1")->tip);
}

static void test_before_any_commit(void **state)
{
	struct workspace_fixture *f = *state;
	struct discovered d = fixture_discover(f);

	assert_int_equal(d.attempts, 0);
	assert_true(*d.original != '\0');
	assert_int_equal(fixture_count(f, "attempt.observed", NULL), 0);
}

static void test_detached_head_and_packed_references(void **state)
{
	struct workspace_fixture *f = *state;

	make_two(f);
	git_fixture_run(&f->git,
		"git pack-refs --all --prune && git gc -q && git checkout -q --detach original");
	git_fixture_commit(&f->git, "on no branch\n\nAttempt: 3\n");
	assert_int_equal(fixture_discover(f).added, 3);
	assert_string_equal(fixture_attempt(f, "3")->subject, "on no branch");
}

/* All work trees of a repository share one log. */
static void test_linked_work_tree(void **state)
{
	struct workspace_fixture *f = *state;
	struct workspace *linked;
	struct discovered d;
	int64_t before;
	char *path;

	make_two(f);
	git_fixture_run(&f->git, "git worktree add -q -b attempt-3 ../linked original");
	path = arena_printf(&f->a, "%s/linked", f->git.root);
	git_fixture_run(&f->git, "cd ../linked && git commit -q --allow-empty -m three");
	assert_int_equal(workspace_open(&linked, path, &(struct workspace_options){ 0 }), 0);
	assert_int_equal(discover(&d, linked, &(struct discover_options){ 0 }, &f->a), 0);
	assert_int_equal(d.added, 3);
	workspace_close(linked);
	assert_string_equal(fixture_attempt(f, "3")->subject, "three");
	before = fixture_events(f);
	assert_int_equal(fixture_discover(f).attempts, 3);
	assert_int_equal(fixture_events(f), before);
}

static void test_alternates(void **state)
{
	struct workspace_fixture *f = *state;

	make_two(f);
	git_fixture_run(&f->git, "cd .. && mv repo source && git clone -q --shared source repo");
	assert_true(fs_exists(arena_printf(&f->a, "%s/.git/objects/info/alternates", f->git.repo)));
	assert_int_equal(fixture_discover(f).added, 2);
	assert_string_equal(fixture_attempt(f, "2")->subject, "mark steps");
}

static void test_second_look_records_nothing(void **state)
{
	struct workspace_fixture *f = *state;
	struct discovered d;
	int64_t before;

	make_two(f);
	fixture_discover(f);
	before = fixture_events(f);
	d = fixture_discover(f);
	assert_true(d.unchanged);
	assert_int_equal(fixture_events(f), before);
	/* Nor when it looks at everything again, nor without the cache. */
	assert_int_equal(discover(&d, f->ws, &(struct discover_options){ .all = true }, &f->a), 0);
	assert_false(d.unchanged);
	assert_int_equal(d.attempts, 2);
	assert_int_equal(d.added + d.moved + d.gone + d.claims + d.labels, 0);
	assert_int_equal(fs_remove_tree(workspace_path(f->ws, &f->a, "cache")), 0);
	fixture_discover(f);
	assert_int_equal(fixture_events(f), before);
	/* A new reference is looked at, whatever it is. */
	git_fixture_run(&f->git, "git branch other");
	assert_false(fixture_discover(f).unchanged);
	assert_int_equal(fixture_events(f), before);
}

static void test_moved_tip(void **state)
{
	struct workspace_fixture *f = *state;
	char *first, *second;
	struct attempt_state *s;
	struct discovered d;

	make_two(f);
	fixture_discover(f);
	first = arena_strdup(&f->a, fixture_attempt(f, "2")->tip);
	second = git_fixture_commit(&f->git, "a better second\n\nClaimed-Level: L4\n");
	git_fixture_run(&f->git, "git tag -f attempt/2");
	d = fixture_discover(f);
	assert_int_equal(d.moved, 1);
	assert_int_equal(d.added + d.gone, 0);
	assert_int_equal(d.claims, 1);
	s = fixture_attempt(f, "2");
	assert_string_equal(s->tip, second);
	assert_int_equal(s->observations_n, 2);
	assert_int_equal(s->claimed_n, 2);
	/* Back to the first: what it said is on record already. */
	git_fixture_run(&f->git, "git tag -f attempt/2 %s", first);
	d = fixture_discover(f);
	assert_int_equal(d.moved, 1);
	assert_int_equal(d.claims, 0);
	s = fixture_attempt(f, "2");
	assert_string_equal(s->tip, first);
	assert_int_equal(s->claimed_n, 2);
}

static void test_vanished_tip(void **state)
{
	struct workspace_fixture *f = *state;
	struct discovered d;
	char *tip;

	make_two(f);
	fixture_discover(f);
	tip = arena_strdup(&f->a, fixture_attempt(f, "2")->tip);
	git_fixture_run(&f->git, "git tag -d attempt/2 && git reset -q --hard attempt/1");
	d = fixture_discover(f);
	assert_int_equal(d.gone, 1);
	assert_true(fixture_attempt(f, "2")->gone);
	assert_string_equal(fixture_attempt(f, "2")->tip, tip);
	/* Gone is said once. */
	git_fixture_run(&f->git, "git branch another");
	assert_int_equal(fixture_discover(f).gone, 0);
	assert_int_equal(fixture_count(f, "attempt.gone", "2"), 1);
	/* It comes back, and so do not its claims. */
	git_fixture_run(&f->git, "git tag attempt/2 %s", tip);
	d = fixture_discover(f);
	assert_int_equal(d.moved, 1);
	assert_int_equal(d.claims, 0);
	assert_false(fixture_attempt(f, "2")->gone);
	assert_int_equal(fixture_attempt(f, "2")->claimed_n, 1);
	git_fixture_run(&f->git, "git tag -d attempt/2");
	assert_int_equal(fixture_discover(f).gone, 1);
}

static void test_attempt_without_a_commit(void **state)
{
	struct workspace_fixture *f = *state;
	struct attempt_state *s;

	make_two(f);
	fixture_discover(f);
	fixture_record(f, "human:ana", "attempt.added", "3", "n", "3", "line", "", "text",
		"newer libtpu", NULL);
	git_fixture_run(&f->git, "git branch other");
	assert_int_equal(fixture_discover(f).gone, 0);
	s = fixture_attempt(f, "3");
	assert_true(s->environment_only);
	assert_false(s->gone);
	assert_string_equal(workspace_text(f->ws, &f->a, s->text_digest), "newer libtpu");
}

static void test_configured_original(void **state)
{
	struct workspace_fixture *f = *state;
	char *zero = git_fixture_commit(&f->git, "older\n");
	struct attempt_state *s;

	git_fixture_run(&f->git, "git tag before");
	make_two(f);
	fixture_discover(f);
	assert_string_not_equal(fixture_attempt(f, "1")->base, zero);
	/* No reference moves, and still it must be looked at. */
	fixture_conf(f, "[migration]\n\tname = case-B\n\toriginal = before\n");
	assert_int_equal(fixture_discover(f).moved, 1);
	assert_true(fixture_discover(f).unchanged);
	s = fixture_attempt(f, "1");
	assert_string_equal(s->base, zero);
	assert_int_equal(s->observations_n, 1);
	assert_int_equal(fixture_attempt(f, "2")->claimed_n, 1);
}

static void test_hostile_text(void **state)
{
	struct workspace_fixture *f = *state;
	struct attempt_state *s;

	git_fixture_commit(&f->git, "code\n");
	git_fixture_run(&f->git,
		"git tag original && export GIT_AUTHOR_NAME=\"$(printf 'E\\033]0;x\\007ve')\" && "
		"git commit -q --allow-empty -m \"$(printf 'a\\033[2Jb\\302\\233c')\" && git tag attempt/1");
	assert_int_equal(fixture_discover(f).added, 1);
	s = fixture_attempt(f, "1");
	for (const char *p = s->subject; *p; p++)
		assert_true((unsigned char)*p >= 0x20 && (unsigned char)*p != 0x7f);
	assert_null(strstr(s->subject, "\302\233"));
	for (const char *p = s->author; *p; p++)
		assert_true((unsigned char)*p >= 0x20 && (unsigned char)*p != 0x7f);
}

/* No text of a commit is so long that it keeps an attempt out; what is kept of it
 * is whole characters. */
static void test_gigantic_text(void **state)
{
	struct workspace_fixture *f = *state;
	struct buf message = BUF_INIT;
	struct attempt_state *s;

	git_fixture_commit(&f->git, "code\n");
	git_fixture_run(&f->git, "git tag original");
	for (size_t i = 0; i < 500000; i++)
		buf_adds(&message, "\303\251");
	buf_adds(&message, "\n\nAttempt: 1\nClaimed-Level: L2\nClaimed-Level: x");
	buf_pad(&message, 'y', 300000);
	for (size_t i = 0; i < 1000; i++)
		buf_adds(&message, "\nClaimed-Level: L0");
	buf_addc(&message, '\n');
	setenv("GIT_AUTHOR_NAME",
		"x\303\251\303\251\303\251\303\251\303\251\303\251\303\251\303\251\303\251\303\251\303\251\303\251\303\251"
		"\303\251\303\251\303\251\303\251\303\251\303\251\303\251\303\251\303\251\303\251\303\251\303\251\303\251\303\251\303\251\303\251\303\251"
		"\303\251\303\251\303\251",
		1);
	git_fixture_commit(&f->git, message.s);
	assert_int_equal(fixture_discover(f).added, 1);
	s = fixture_attempt(f, "1");
	assert_true(utf8_valid(s->subject, strlen(s->subject)));
	assert_int_equal(strlen(s->subject), 1000 + strlen("..."));
	assert_true(s->claimed_n > 1 && s->claimed_n <= 200);
	git_fixture_commit(&f->git, "the next one\n\nAttempt: 2\n");
	assert_int_equal(fixture_discover(f).added, 1);
	buf_release(&message);
}

static void test_name_of_the_migration(void **state)
{
	struct workspace_fixture *f = *state;
	struct migration_state *m;

	fixture_conf(f, "[migration]\n\tname = case-B\n");
	make_two(f);
	fixture_discover(f);
	assert_int_equal(state_migration(f->ws, NULL, &f->a, &m), 0);
	assert_string_equal(m->name, "case-B");
	assert_int_equal(fixture_count(f, "migration.created", NULL), 1);
}

static void test_cancelled(void **state)
{
	struct workspace_fixture *f = *state;
	atomic_bool stop = true;
	struct discovered d;

	make_two(f);
	assert_int_equal(discover(&d, fixture_workspace(f),
				 &(struct discover_options){ .cancel = &stop }, &f->a),
		ERR_CANCELLED);
	assert_int_equal(fixture_events(f), 0);
	assert_int_equal(fixture_discover(f).added, 2);
}

static void test_read_only(void **state)
{
	struct workspace_fixture *f = *state;
	struct workspace_options o = { .read_only = true };
	struct discovered d;
	char *before;
	int rc;

	make_two(f);
	before = fixture_listing(f, f->git.repo);
	assert_int_equal(workspace_open(&f->ws, f->git.repo, &o), 0);
	rc = discover(&d, f->ws, &(struct discover_options){ 0 }, &f->a);
	if (rc < 0)
		assert_int_equal(rc, ERR_REFUSED);
	assert_string_equal(fixture_listing(f, f->git.repo), before);
}

#define TEST(name) cmocka_unit_test_setup_teardown(test_ ## name, fixture_setup, fixture_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(tags),
		TEST(trailers_are_claims),
		TEST(a_level_for_each_configuration),
		TEST(branches_remotes_and_pull_requests),
		TEST(lines),
		TEST(without_any_mark),
		TEST(before_any_commit),
		TEST(detached_head_and_packed_references),
		TEST(linked_work_tree),
		TEST(alternates),
		TEST(second_look_records_nothing),
		TEST(moved_tip),
		TEST(vanished_tip),
		TEST(attempt_without_a_commit),
		TEST(configured_original),
		TEST(hostile_text),
		TEST(gigantic_text),
		TEST(name_of_the_migration),
		TEST(cancelled),
		TEST(read_only),
	};

	return cmocka_run_group_tests_name("discover", tests, NULL, NULL);
}
