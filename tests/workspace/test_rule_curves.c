/*
 * test_rule_curves - gaps and projections that stop rules see: signs, the goal's
 * own metric, the inputs that must be comparable, steps counted right.
 */
#include "config.h"

#include "tests/unit.h"

#include "base/err.h"
#include "tests/workspace/run_fixture.h"
#include "workspace/accepted.h"
#include "workspace/rule_curves.h"
#include "workspace/state.h"
#include "workspace/stop_rules.h"

#define REF "ps-aaaaaaaaaaaaa"
#define SMOKE "ps-bbbbbbbbbbbbb"
#define FULL "ps-ccccccccccccc"

static struct rule_curves read_now(struct workspace_fixture *f)
{
	struct accepted accepted;
	struct rule_curves c;

	assert_int_equal(accepted_read(&accepted, fixture_workspace(f), NULL), 0);
	rule_curves_init(&c);
	if (rule_curves_read(
		    &c, fixture_workspace(f), &accepted.in_force, NULL, NULL, NULL, &f->a) < 0)
		fail_msg("%s", err_text());
	accepted_release(&accepted);
	return c;
}

static void add(struct workspace_fixture *f, const char *id, const char *attempt, const char *kind,
	const char *elapsed_ns)
{
	run_fixture_add(f,
		&(struct fixture_run){ .id = id,
			.attempt = attempt,
			.kind = kind,
			.target = "tpu-4",
			.seed = "1",
			.state = "exited 0",
			.elapsed_ns = elapsed_ns,
			.chips = "4" });
}

static void test_gap(void **state)
{
	struct workspace_fixture *f = *state;
	struct rule_curves c;

	run_fixture_begin(f);
	add(f, REF, "reference", "smoke", NULL);
	add(f, SMOKE, "1", "smoke", NULL);
	run_fixture_file(
		f, REF, "a.jsonl", run_fixture_rows(f, "eval_accuracy", 5, 10, 0.60, 0, 0));
	run_fixture_file(
		f, SMOKE, "a.jsonl", run_fixture_rows(f, "eval_accuracy", 5, 10, 0.547, 0, 0));
	c = read_now(f);
	assert_string_equal(c.smoke.attempt, "1");
	assert_string_equal(c.smoke.run, SMOKE);
	assert_string_equal(c.projected.attempt, "1");
	assert_string_equal(c.full.attempt, "");
	assert_near(rule_curves_gap(&c, true, "accuracy"), 5.3, 1e-6);
	/* wer was not logged: no gap is made up from another series. */
	assert_true(isnan(rule_curves_gap(&c, true, "wer")));
	assert_true(isnan(rule_curves_gap(&c, false, "accuracy")));
	assert_int_equal(c.comparable, TRUTH_UNKNOWN);
	assert_int_equal(c.repeats, 1);
	/* Lower is better: a smaller value is no worse. */
	run_fixture_file(f, REF, "b.jsonl", run_fixture_rows(f, "eval_wer", 5, 10, 9.0, 0, 0));
	run_fixture_file(f, SMOKE, "b.jsonl", run_fixture_rows(f, "eval_wer", 5, 10, 8.5, 0, 0));
	c = read_now(f);
	assert_near(rule_curves_gap(&c, true, "wer"), -0.5, 1e-9);
	run_fixture_file(f, REF, "portside-facts.json", "{\"batch\": 32}");
	run_fixture_file(f, SMOKE, "portside-facts.json", "{\"batch\": 128}");
	c = read_now(f);
	assert_int_equal(c.comparable, TRUTH_FALSE);
}

static void test_comparable_inputs(void **state)
{
	static const char facts[] = "{\"data\": \"a\", \"batch\": 32, \"examples\": 408}";
	struct workspace_fixture *f = *state;
	const char *lr;

	run_fixture_begin(f);
	add(f, REF, "reference", "smoke", NULL);
	add(f, SMOKE, "1", "smoke", NULL);
	lr = run_fixture_rows(f, "learning_rate", 5, 10, 0.01, 0, 0);
	for (int i = 0; i < 2; i++) {
		const char *run = i ? SMOKE : REF;

		run_fixture_file(
			f, run, "a.jsonl", run_fixture_rows(f, "eval_accuracy", 5, 10, 0.6, 0, 0));
		run_fixture_file(f, run, "lr.jsonl", lr);
		run_fixture_file(f, run, "portside-facts.json", facts);
	}
	assert_int_equal(read_now(f).comparable, TRUTH_TRUE);
}

/* The vector of the projection: 1000 steps, 100 seen; 1 to 3 take 30 s, 50 and 80
 * take 4.2 s, the rest 0.2 s: 387.4 s, 308.30 to 622.51. */
static void test_projection(void **state)
{
	struct workspace_fixture *f = *state;
	struct buf b = BUF_INIT;
	struct rule_curves c;

	run_fixture_begin(f);
	add(f, SMOKE, "1", "smoke", NULL);
	for (int i = 1; i <= 100; i++)
		buf_addf(&b, "{\"step\": %d, \"step_time\": %g}\n", i,
			i <= 3                       ? 30.0
				: i == 50 || i == 80 ? 4.2
						     : 0.2);
	run_fixture_file(f, SMOKE, "t.jsonl", b.s);
	buf_release(&b);
	c = read_now(f);
	assert_near(c.projected_hours * 3600, 387.4, 1e-6);
	assert_near(c.projected_low_hours * 3600, 308.30, 1e-4);
	assert_near(c.projected_high_hours * 3600, 622.51, 1e-4);
	/* Four chips at 1.20 an hour each. */
	assert_near(c.projected_usd, 387.4 / 3600 * 4.80, 1e-6);
}

/* Values of a foreign file that no run has: unknown, and nothing overflows. */
static void test_a_time_out_of_range_is_unknown(void **state)
{
	struct workspace_fixture *f = *state;
	struct buf b = BUF_INIT;
	struct rule_curves c;

	run_fixture_begin(f);
	add(f, SMOKE, "1", "smoke", NULL);
	for (int i = 1; i <= 100; i++)
		buf_addf(&b, "{\"step\": %d, \"step_time\": 1e300}\n", i);
	run_fixture_file(f, SMOKE, "t.jsonl", b.s);
	buf_release(&b);
	c = read_now(f);
	assert_true(isnan(c.projected_hours));
	assert_true(isnan(c.projected_usd));
}

static void test_steps_far_apart(void **state)
{
	struct workspace_fixture *f = *state;

	run_fixture_begin(f);
	add(f, SMOKE, "1", "smoke", NULL);
	run_fixture_file(f, SMOKE, "t.jsonl",
		"{\"step\": -9223372036854775807, \"step_time\": 1}\n"
		"{\"step\": 9223372036854775807, \"step_time\": 1}\n{\"step\": 9223372036854775806, \"step_time\": 1}\n");
	assert_false(isinf(read_now(f).projected_hours));
}

/* One row for ten steps is ten steps: 100 rows of 0.5 s a step are all of 1000. */
static void test_projection_counts_steps(void **state)
{
	struct workspace_fixture *f = *state;

	run_fixture_begin(f);
	add(f, SMOKE, "1", "smoke", NULL);
	run_fixture_file(f, SMOKE, "t.jsonl", run_fixture_rows(f, "step_time", 50, 10, 0.5, 0, 0));
	assert_near(read_now(f).projected_hours * 3600, 500, 1e-9);
}

static void test_finished_run_is_no_projection(void **state)
{
	struct workspace_fixture *f = *state;
	struct rule_curves c;

	run_fixture_begin(f);
	add(f, FULL, "1", "full", "7200000000000");
	c = read_now(f);
	assert_near(c.projected_hours, 2, 1e-9);
	assert_near(c.projected_low_hours, 2, 1e-9);
}

static void test_no_source(void **state)
{
	struct workspace_fixture *f = *state;
	struct rule_curves c;

	run_fixture_begin(f);
	c = read_now(f);
	assert_string_equal(c.smoke.attempt, "");
	assert_true(isnan(c.projected_hours));
	assert_int_equal(c.comparable, TRUTH_UNKNOWN);
	/* Ten steps are too few to project from. */
	add(f, SMOKE, "1", "smoke", NULL);
	run_fixture_file(f, SMOKE, "t.jsonl", run_fixture_rows(f, "step_time", 10, 1, 0.5, 0, 0));
	assert_true(isnan(read_now(f).projected_hours));
}

/* ---- the alarm of R4 ----------------------------------------------------------- */

/* A smoke run with the inputs of every other one, at an accuracy. */
static void add_smoke(
	struct workspace_fixture *f, const char *run, const char *attempt, double accuracy)
{
	add(f, run, attempt, "smoke", NULL);
	run_fixture_file(
		f, run, "a.jsonl", run_fixture_rows(f, "eval_accuracy", 5, 10, accuracy, 0, 0));
	run_fixture_file(
		f, run, "lr.jsonl", run_fixture_rows(f, "learning_rate", 5, 10, 0.01, 0, 0));
	run_fixture_file(f, run, "portside-facts.json",
		"{\"data\": \"a\", \"batch\": 32, \"examples\": 408}");
}

static size_t raise_now(struct workspace_fixture *f)
{
	size_t raised;

	if (stop_rules_raise(&raised, fixture_workspace(f), STOP_RULES_CURVES, NULL, &f->a) < 0)
		fail_msg("%s", err_text());
	return raised;
}

static const struct alarm_state *last_alarm(struct workspace_fixture *f)
{
	struct state_query q = { .type = "alarm" };
	void **rows;
	size_t n;

	assert_int_equal(state_list(fixture_workspace(f), &q, &f->a, &rows, &n), 0);
	assert_true(n > 0);
	return rows[n - 1];
}

static void decide(struct workspace_fixture *f, const char *choice)
{
	fixture_record(f, "human:ana", "decision.made",
		arena_printf(&f->a, "d-%zu", fixture_count(f, "decision.made", NULL)), "choice",
		choice, "subject", arena_printf(&f->a, "alarm:%s", last_alarm(f)->id), "reason",
		"because", NULL);
}

static void test_a_gap_is_asked_about_once_a_run(void **state)
{
	struct workspace_fixture *f = *state;

	run_fixture_begin(f);
	add_smoke(f, REF, "reference", 0.60);
	add_smoke(f, SMOKE, "1", 0.547);
	assert_int_equal(raise_now(f), 1);
	assert_string_equal(last_alarm(f)->rule, "R4");
	assert_string_equal(last_alarm(f)->attempt, "1");
	assert_string_equal(last_alarm(f)->run, SMOKE);
	assert_string_equal(last_alarm(f)->features, "{\"smoke_gap.accuracy\":\"5.3\"}");
	assert_int_equal(raise_now(f), 0);
	decide(f, "continue");
	assert_int_equal(raise_now(f), 0);
	/* The reference again, to know its noise: another figure of the same run. */
	add_smoke(f, "ps-ddddddddddddd", "reference", 0.61);
	assert_near(rule_curves_gap(&(struct rule_curves){ .gaps = read_now(f).gaps, .n = 2 }, true,
			    "accuracy"),
		6.3, 1e-6);
	assert_int_equal(raise_now(f), 0);
	/* Another run of the attempt is another question. */
	add_smoke(f, "ps-eeeeeeeeeeeee", "1", 0.50);
	assert_int_equal(raise_now(f), 1);
	assert_string_equal(last_alarm(f)->run, "ps-eeeeeeeeeeeee");
	decide(f, "continue");
	assert_int_equal(fixture_count(f, "alarm.raised", NULL), 2);
}

static void test_made_comparable_is_asked_again(void **state)
{
	struct workspace_fixture *f = *state;

	run_fixture_begin(f);
	add_smoke(f, REF, "reference", 0.60);
	add_smoke(f, SMOKE, "1", 0.547);
	assert_int_equal(raise_now(f), 1);
	decide(f, "make comparable");
	assert_int_equal(raise_now(f), 0);
	add_smoke(f, "ps-ddddddddddddd", "reference", 0.62);
	assert_int_equal(raise_now(f), 1);
	assert_string_equal(last_alarm(f)->features, "{\"smoke_gap.accuracy\":\"7.3\"}");
	decide(f, "make comparable");
	assert_int_equal(raise_now(f), 0);
	/* One common teacher: 5.3 became 0.29. */
	add_smoke(f, "ps-fffffffffffff", "reference", 0.5499);
	assert_near(rule_curves_gap(&(struct rule_curves){ .gaps = read_now(f).gaps, .n = 2 }, true,
			    "accuracy"),
		0.29, 1e-6);
	assert_int_equal(raise_now(f), 0);
	assert_int_equal(fixture_count(f, "alarm.raised", NULL), 2);
}

/* A full run of 5.65 hours after a decision to make it: what it took is no new
 * question, and the next attempt's is. */
static void test_a_projection_is_asked_about_once_an_attempt(void **state)
{
	struct workspace_fixture *f = *state;

	run_fixture_begin(f);
	add(f, SMOKE, "1", "smoke", NULL);
	run_fixture_file(
		f, SMOKE, "t.jsonl", run_fixture_rows(f, "step_time", 50, 10, 20.34, 0, 0));
	assert_int_equal(raise_now(f), 1);
	assert_string_equal(last_alarm(f)->rule, "R5");
	assert_string_equal(last_alarm(f)->features, "{\"projected_hours\":\"5.65\"}");
	decide(f, "full run anyway");
	add(f, FULL, "1", "full", "20322000000000");
	assert_int_equal(raise_now(f), 0);
	add(f, "ps-ddddddddddddd", "2", "smoke", NULL);
	run_fixture_file(f, "ps-ddddddddddddd", "t.jsonl",
		run_fixture_rows(f, "step_time", 50, 10, 20, 0, 0));
	assert_int_equal(raise_now(f), 1);
	assert_string_equal(last_alarm(f)->attempt, "2");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_gap, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(
			test_comparable_inputs, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(test_projection, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(
			test_projection_counts_steps, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(
			test_a_time_out_of_range_is_unknown, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(
			test_steps_far_apart, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(
			test_finished_run_is_no_projection, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(test_no_source, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(
			test_a_gap_is_asked_about_once_a_run, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(
			test_made_comparable_is_asked_again, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(test_a_projection_is_asked_about_once_an_attempt,
			fixture_setup, fixture_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
