/*
 * test_accepted - the file that a person accepted rules, until the next one is
 * accepted: every state of the two, who may accept, and what is recorded.
 */
#include "config.h"

#include "tests/unit.h"

#include "base/err.h"
#include "base/fs.h"
#include "store/blob.h"
#include "tests/workspace/fixture.h"
#include "workspace/accepted.h"
#include "workspace/state.h"

#define CONF(margin)                                                                                                      \
	"[migration]\n\tname = case-B\n\treference = gpu\n\tintended = tpu\n"                                             \
	"[goal \"accuracy\"]\n\tseries = eval_accuracy\n\tscale = 100\n\tunit = pp\n\ttarget = 90.93\n\tmargin = " margin \
	"\n\ttolerance = 2\n"                                                                                             \
	"[target \"gpu\"]\n\tkind = gpu\n[target \"tpu\"]\n\tkind = tpu\n"                                                \
	"[run \"smoke\"]\n\tcommand = \"python train.py\"\n\tsteps = 50\n"

static const char ana[] = "human:ana", reason[] = "noise between seeds";

static struct accepted read_now(struct workspace_fixture *f)
{
	struct accepted c;

	if (accepted_read(&c, fixture_workspace(f), NULL) < 0)
		fail_msg("%s", err_text());
	return c;
}

static void assert_state(struct workspace_fixture *f, enum accepted_state state, const char *words)
{
	struct accepted c = read_now(f);

	assert_int_equal(c.state, state);
	if (!*words)
		assert_string_equal(c.sentence, "");
	else if (!strstr(c.sentence, words))
		fail_msg("\"%s\" does not say \"%s\"", c.sentence, words);
	accepted_release(&c);
}

static double margin_in_force(struct workspace_fixture *f, const struct position *at)
{
	struct accepted c;
	double margin;

	assert_int_equal(accepted_read(&c, fixture_workspace(f), at), 0);
	assert_true(c.has_accepted);
	assert_int_equal(c.in_force.goals_n, 1);
	margin = c.in_force.goals[0].test.margin;
	accepted_release(&c);
	return margin;
}

static void accept(struct workspace_fixture *f, const char *why)
{
	if (accepted_accept(fixture_workspace(f), ana, why, &f->a) < 0)
		fail_msg("%s", err_text());
}

static void test_without_a_file(void **state)
{
	struct workspace_fixture *f = *state;
	struct accepted c = read_now(f);

	assert_int_equal(c.state, ACCEPTED_NO_FILE);
	assert_non_null(strstr(c.sentence, "portside init"));
	assert_false(c.has_accepted || c.has_file);
	assert_int_equal(c.in_force.goals_n + c.in_force.targets_n + c.in_force.runs_n, 0);
	assert_true(c.in_force.default_rules);
	assert_true(c.in_force.rules_n > 0);
	accepted_release(&c);
	assert_int_equal(accepted_accept(f->ws, ana, "", &f->a), ERR_NOT_FOUND);
}

static void test_a_file_rules_after_it_is_accepted(void **state)
{
	struct workspace_fixture *f = *state;
	struct accepted c;

	fixture_conf(f, CONF("1"));
	assert_state(f, ACCEPTED_NEVER, "not accepted yet");
	c = read_now(f);
	assert_int_equal(c.in_force.runs_n, 0);
	assert_int_equal(c.file.runs_n, 1);
	accepted_release(&c);
	accept(f, "first");
	assert_state(f, ACCEPTED_CURRENT, "");
	assert_int_equal(margin_in_force(f, NULL), 1);
	assert_int_equal(fixture_count(f, "config.accepted", NULL), 1);
	assert_int_equal(fixture_count(f, "goal.set", "accuracy"), 1);
	assert_int_equal(accepted_accept(f->ws, ana, "", &f->a), ERR_STATE);
	assert_non_null(strstr(err_text(), "accepted already"));
}

static void test_a_change_waits(void **state)
{
	struct workspace_fixture *f = *state;
	struct position before;
	struct accepted c;

	fixture_conf(f, CONF("1"));
	accept(f, "first");
	assert_int_equal(log_position_last(workspace_log(f->ws), &before), 1);
	fixture_conf(f, CONF("3"));
	assert_state(f, ACCEPTED_CHANGED, "1 difference, loosened");
	assert_int_equal(margin_in_force(f, NULL), 1);
	c = read_now(f);
	assert_int_equal(c.differences.n, 1);
	assert_int_equal(c.differences.loosened, 1);
	assert_string_equal(c.differences.list[0].key, "goal.accuracy.margin");
	accepted_release(&c);
	accept(f, reason);
	assert_int_equal(margin_in_force(f, NULL), 3);
	assert_int_equal(fixture_count(f, "goal.set", "accuracy"), 2);
	/* The past keeps what ruled then. */
	assert_int_equal(margin_in_force(f, &before), 1);
}

/* Whatever decides what a goal judges is on record, also when only it changes. */
static void test_each_key_of_a_goal_is_on_record(void **state)
{
	static const char *const goals[] = {
		"series = eval_accuracy",
		"series = eval_accuracy\n\tat = best",
		"series = test_accuracy\n\tat = best",
		"series = test_accuracy\n\tat = best\n\ttolerance = 3",
		"series = test_accuracy\n\tat = best\n\ttolerance = 3\n\tbaseline = plain/*",
	};
	struct workspace_fixture *f = *state;
	const struct goal_statement *s;
	void *goal;

	for (size_t i = 0; i < ARRAY_LEN(goals); i++) {
		fixture_conf(f,
			arena_printf(&f->a,
				"[migration]\n\tname = x\n[goal \"accuracy\"]\n\tmargin = 1\n\t%s\n",
				goals[i]));
		accept(f, reason);
		assert_int_equal(fixture_count(f, "goal.set", "accuracy"), i + 1);
	}
	assert_int_equal(state_get(f->ws, "goal", "accuracy", NULL, &f->a, &goal), 1);
	s = ((struct goal_state *)goal)->statements;
	assert_int_equal(s[0].at, AT_LAST);
	assert_int_equal(s[1].at, AT_BEST);
	assert_string_equal(s[1].series, "eval_accuracy");
	assert_string_equal(s[2].series, "test_accuracy");
	assert_string_equal(s[2].tolerance, "1");
	assert_string_equal(s[3].tolerance, "3");
	assert_string_equal(s[3].baseline, "");
	assert_string_equal(s[4].baseline, "plain/*");
}

static void test_loosening_is_marked(void **state)
{
	struct workspace_fixture *f = *state;
	struct migration_state *m;

	fixture_conf(f, CONF("1"));
	accept(f, "first");
	fixture_conf(f, CONF("0.5"));
	accept(f, "stricter");
	assert_int_equal(state_migration(f->ws, NULL, &f->a, &m), 0);
	assert_int_equal(m->loosened, 0);
	fixture_conf(f, CONF("4"));
	accept(f, reason);
	assert_int_equal(state_migration(f->ws, NULL, &f->a, &m), 0);
	assert_int_equal(m->loosened, 1);
	fixture_conf(f, CONF("0.5"));
	accept(f, "back");
	assert_int_equal(state_migration(f->ws, NULL, &f->a, &m), 0);
	assert_int_equal(m->loosened, 1);
}

static void test_an_error_keeps_the_accepted_one(void **state)
{
	struct workspace_fixture *f = *state;

	fixture_conf(f, CONF("1"));
	accept(f, "first");
	fixture_conf(f, CONF("one percent"));
	assert_state(f, ACCEPTED_INVALID, "portside.conf:10");
	assert_state(f, ACCEPTED_INVALID, "the accepted version rules");
	assert_int_equal(margin_in_force(f, NULL), 1);
	assert_int_equal(accepted_accept(f->ws, ana, "", &f->a), ERR_PARSE);
	fixture_conf(f, "[include]\n\tpath = /etc/passwd\n");
	assert_state(f, ACCEPTED_INVALID, "include");
	assert_int_equal(margin_in_force(f, NULL), 1);
}

static void test_the_file_is_gone(void **state)
{
	struct workspace_fixture *f = *state;

	fixture_conf(f, CONF("1"));
	accept(f, "first");
	git_fixture_run(&f->git, "rm portside.conf");
	assert_state(f, ACCEPTED_GONE, "is gone");
	assert_int_equal(margin_in_force(f, NULL), 1);
}

/* Only the main work tree's file counts, never that of an attempt's checkout. */
static void test_another_work_tree_has_no_say(void **state)
{
	struct workspace_fixture *f = *state;
	struct workspace *linked;
	struct accepted c;

	fixture_conf(f, CONF("1"));
	git_fixture_commit(&f->git, "code\n");
	accept(f, "first");
	git_fixture_run(&f->git, "git worktree add -q -b attempt-1 ../linked && "
		"sed -i 's/margin = 1/margin = 50/' ../linked/portside.conf");
	assert_int_equal(workspace_open(&linked, fs_join(&f->a, f->git.root, "linked"),
				 &(struct workspace_options){ 0 }),
		0);
	assert_int_equal(accepted_read(&c, linked, NULL), 0);
	assert_int_equal(c.state, ACCEPTED_CURRENT);
	assert_true(c.in_force.goals[0].test.margin == 1);
	accepted_release(&c);
	workspace_close(linked);
}

static void test_not_by_an_agent(void **state)
{
	struct workspace_fixture *f = *state;

	fixture_conf(f, CONF("1"));
	setenv("CLAUDECODE", "1", 1);
	assert_int_equal(accepted_accept(fixture_workspace(f), NULL, "", &f->a), ERR_REFUSED);
	unsetenv("CLAUDECODE");
	assert_non_null(strstr(err_text(), "agent:claude"));
	assert_int_equal(accepted_accept(f->ws, "agent:claude", "", &f->a), ERR_REFUSED);
	assert_int_equal(accepted_accept(f->ws, "tool:x", "", &f->a), ERR_REFUSED);
	assert_int_equal(fixture_events(f), 0);
}

/* A text that was taken out of the log cannot rule, and nothing rules instead. */
static void test_the_text_is_withheld(void **state)
{
	struct workspace_fixture *f = *state;
	struct migration_state *m;
	struct digest text;
	struct accepted c;

	fixture_conf(f, CONF("1"));
	accept(f, "first");
	assert_int_equal(state_migration(f->ws, NULL, &f->a, &m), 0);
	assert_true(digest_from_hex(&text, m->config_text_digest));
	assert_int_equal(blob_withhold(workspace_log(f->ws), &text), 0);
	assert_state(f, ACCEPTED_NEVER, "is withheld, so nothing runs");
	c = read_now(f);
	assert_int_equal(c.in_force.runs_n + c.in_force.goals_n, 0);
	accepted_release(&c);
	accept(f, "again");
	assert_int_equal(margin_in_force(f, NULL), 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(test_ ## name, fixture_setup, fixture_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(without_a_file),
		TEST(a_file_rules_after_it_is_accepted),
		TEST(a_change_waits),
		TEST(each_key_of_a_goal_is_on_record),
		TEST(loosening_is_marked),
		TEST(an_error_keeps_the_accepted_one),
		TEST(the_file_is_gone),
		TEST(another_work_tree_has_no_say),
		TEST(not_by_an_agent),
		TEST(the_text_is_withheld),
	};

	return cmocka_run_group_tests_name("accepted", tests, NULL, NULL);
}
