/*
 * test_rule_noise - the limit that repeats of the reference give, before any attempt.
 */
#include "config.h"

#include "tests/unit.h"

#include "base/err.h"
#include "tests/workspace/run_fixture.h"
#include "workspace/rule_noise.h"

static struct rule_noises read_now(struct workspace_fixture *f)
{
	struct rule_noises n;

	if (rule_noise_read(&n, fixture_workspace(f), 0.05, NULL, NULL, &f->a) < 0)
		fail_msg("%s", err_text());
	return n;
}

static void add(struct workspace_fixture *f, const char *id, const char *attempt, const char *kind,
	const char *target, const char *seed, double last, int points)
{
	run_fixture_add(f,
		&(struct fixture_run){ .id = id,
			.attempt = attempt,
			.kind = kind,
			.target = target,
			.seed = seed,
			.state = "exited 0" });
	run_fixture_file(f, id, "m.jsonl",
		run_fixture_rows(f, "eval_accuracy", points, 10, last, 0, 0));
}

static void test_no_repeats(void **state)
{
	struct workspace_fixture *f = *state;
	struct rule_noises n;

	run_fixture_begin(f);
	n = read_now(f);
	assert_int_equal(n.n, 2);		/* accuracy and wer */
	assert_string_equal(n.rows[0].goal, "accuracy");
	assert_int_equal(n.rows[0].n, 0);
	assert_true(isnan(n.rows[0].proposed) && isnan(n.rows[0].share_in_force));
	add(f, "ps-aaaaaaaaaaaaa", "reference", "smoke", "gpu", "1", 0.3211, 6);
	n = read_now(f);
	assert_int_equal(n.rows[0].n, 1);
	assert_true(isnan(n.rows[0].proposed));
}

/* 32.11, 32.84 and 33.33: see test_seeds.c for the limit. */
static void add_repeats(struct workspace_fixture *f)
{
	run_fixture_begin(f);
	add(f, "ps-aaaaaaaaaaaaa", "reference", "smoke", "gpu", "1", 0.3211, 6);
	add(f, "ps-bbbbbbbbbbbbb", "reference", "smoke", "gpu", "2", 0.3284, 6);
	add(f, "ps-ccccccccccccc", "reference", "smoke", "gpu", "3", 0.3333, 6);
}

static void test_copies_are_no_repeats(void **state)
{
	struct workspace_fixture *f = *state;
	struct rule_noises n;

	add_repeats(f);
	add(f, "ps-ddddddddddddd", "reference", "smoke", "gpu", "", 0.3333, 6);
	add(f, "ps-eeeeeeeeeeeee", "reference", "smoke", "gpu", "", 0.34, 6);
	add(f, "ps-fffffffffffff", "reference", "smoke", "gpu", "", 0.34, 6);
	n = read_now(f);
	assert_int_equal(n.rows[0].n, 4);	/* 0.34 once */
	assert_int_equal(n.rows[0].n_copies, 2);
}

static void test_limit(void **state)
{
	struct workspace_fixture *f = *state;
	struct rule_noises n;

	add_repeats(f);
	/* None of these is a repeat: another kind, place or owner. */
	add(f, "ps-ddddddddddddd", "reference", "full", "gpu", "1", 0.8, 6);
	add(f, "ps-eeeeeeeeeeeee", "reference", "smoke", "tpu-1", "1", 0.1, 6);
	add(f, "ps-fffffffffffff", "1", "smoke", "gpu", "1", 0.2, 6);
	n = read_now(f);
	assert_string_equal(n.rows[0].configuration, "gpu");
	assert_string_equal(n.rows[0].series, "eval_accuracy");
	assert_int_equal(n.rows[0].n, 3);
	assert_near(n.rows[0].step, 60, 0);
	assert_near(n.rows[0].limit.limit, 2.5351798441343887, 1e-9);
	assert_near(n.rows[0].proposed, 2.6, 1e-12);	/* rounded up */
	assert_false(n.rows[0].one_seed);
	/* The default R4 is about this goal; what it would stop is told. */
	assert_string_equal(n.rows[0].rule, "R4");
	assert_true(n.rows[0].in_force > 0);
	assert_true(n.rows[0].share_in_force > 0 && n.rows[0].share_in_force < 0.5);
	/* wer is not logged. */
	assert_int_equal(n.rows[1].n, 0);
	assert_int_equal(n.rows[1].n_left, 3);
}

static void test_other_lengths_are_left_out(void **state)
{
	struct workspace_fixture *f = *state;
	struct rule_noises n;

	add_repeats(f);
	add(f, "ps-ddddddddddddd", "reference", "smoke", "gpu", "4", 0.9, 12);
	n = read_now(f);
	assert_int_equal(n.rows[0].n, 3);
	assert_int_equal(n.rows[0].n_left, 1);
}

/* Not the first run that was read: the step that most of them end at. */
static void test_most_shared_length(void **state)
{
	struct workspace_fixture *f = *state;
	struct rule_noises n;

	run_fixture_begin(f);
	add(f, "ps-aaaaaaaaaaaaa", "reference", "smoke", "gpu", "1", 0.9, 4);
	add(f, "ps-bbbbbbbbbbbbb", "reference", "smoke", "gpu", "2", 0.3284, 6);
	add(f, "ps-ccccccccccccc", "reference", "smoke", "gpu", "3", 0.3333, 6);
	add(f, "ps-ddddddddddddd", "reference", "smoke", "gpu", "4", 0.9, 12);
	n = read_now(f);
	assert_int_equal(n.rows[0].n, 2);
	assert_int_equal(n.rows[0].n_left, 2);
	assert_near(n.rows[0].step, 60, 0);
	assert_near(n.rows[0].limit.low, 32.84, 1e-9);
	assert_near(n.rows[0].limit.high, 33.33, 1e-9);
}

/* To the last digit equal: every gap is one, and the least is one example. */
static void test_equal_repeats(void **state)
{
	struct workspace_fixture *f = *state;
	struct rule_noises n;

	run_fixture_begin(f);
	add(f, "ps-aaaaaaaaaaaaa", "reference", "smoke", "gpu", "1", 0.5, 6);
	add(f, "ps-bbbbbbbbbbbbb", "reference", "smoke", "gpu", "1", 0.5, 6);
	n = read_now(f);
	assert_true(n.rows[0].one_seed);
	assert_near(n.rows[0].limit.sd, 0, 0);
	assert_near(n.rows[0].proposed, 100.0 / 408, 1e-12);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_no_repeats, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(
			test_copies_are_no_repeats, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(test_limit, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(
			test_other_lengths_are_left_out, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(
			test_most_shared_length, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(
			test_equal_repeats, fixture_setup, fixture_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
