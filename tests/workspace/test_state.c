/*
 * test_state - objects as of a moment: looking them up as people write them,
 * lists, and every view of the past that agrees with what was known then.
 */
#include "config.h"

#include "tests/unit.h"

#include "base/err.h"
#include "tests/workspace/fixture.h"
#include "tests/workspace/history_of_all_kinds.h"
#include "workspace/state.h"

static int setup(void **state)
{
	int rc = fixture_setup(state);

	history_of_all_kinds(*state);
	return rc;
}

/* The position of the K-th event of KIND and OBJECT, from 0. */
static struct position moment(
	struct workspace_fixture *f, const char *kind, const char *object, size_t k)
{
	struct event_query q = { .kind = kind, .object = object };
	struct event **events;
	size_t n;

	assert_int_equal(log_events(workspace_log(f->ws), &q, &f->a, &events, &n), 0);
	assert_true(k < n);
	return event_position(events[k]);
}

static void assert_attempt_error(
	struct workspace_fixture *f, const char *text, int code, const char *words)
{
	struct attempt_state *s;

	assert_int_equal(state_attempt(f->ws, text, NULL, &f->a, &s), code);
	assert_non_null(strstr(err_text(), words));
}

static void test_attempts_as_people_write_them(void **state)
{
	static const struct { const char *text, *id; } forms[] = {
		{ "2", "2" }, { "#2", "2" }, { "attempt/2", "2" }, { "torchtpu/1", "torchtpu/1" },
		{ "reference", "reference" }, { "original", "reference" },
	};
	struct workspace_fixture *f = *state;

	for (size_t i = 0; i < ARRAY_LEN(forms); i++)
		assert_string_equal(fixture_attempt(f, forms[i].text)->id, forms[i].id);
	assert_attempt_error(f, "9", ERR_NOT_FOUND, "no attempt 9; there are: ");
	assert_attempt_error(f, "9", ERR_NOT_FOUND, "torchtpu/1");
	assert_attempt_error(
		f, "two", ERR_USAGE, "is not an attempt; write 7, torchtpu/3 or reference");
	assert_attempt_error(f, "", ERR_USAGE, "is not an attempt");
}

static void test_runs_by_prefix(void **state)
{
	struct workspace_fixture *f = *state;
	struct run_state *run;

	assert_int_equal(state_run(f->ws, "ps-one-1", NULL, &f->a, &run), 0);
	assert_string_equal(run->attempt, "1");
	assert_int_equal(state_run(f->ws, "torch", NULL, &f->a, &run), 0);
	assert_string_equal(run->id, "ps-torch-1");
	assert_int_equal(state_run(f->ws, "ps-two", NULL, &f->a, &run), ERR_USAGE);
	assert_non_null(strstr(err_text(), "ps-two-1 and ps-two-2"));
	assert_int_equal(state_run(f->ws, "one", NULL, &f->a, &run), ERR_NOT_FOUND);
	assert_int_equal(state_run(f->ws, "ps-zzz", NULL, &f->a, &run), ERR_NOT_FOUND);
	assert_non_null(strstr(err_text(), "portside runs"));
}

static void test_lists(void **state)
{
	struct workspace_fixture *f = *state;
	struct state_query q = { .type = "run", .parent = "2" };
	void **rows;
	int64_t count;
	size_t n;

	assert_int_equal(state_list(f->ws, &q, &f->a, &rows, &n), 0);
	assert_int_equal(n, 2);
	assert_string_equal(((struct run_state *)rows[0])->id, "ps-two-1");
	assert_string_equal(((struct run_state *)rows[1])->id, "ps-two-2");
	q.descending = true;
	q.limit = 1;
	assert_int_equal(state_list(f->ws, &q, &f->a, &rows, &n), 0);
	assert_int_equal(n, 1);
	assert_string_equal(((struct run_state *)rows[0])->id, "ps-two-2");
	q.offset = 1;
	assert_int_equal(state_list(f->ws, &q, &f->a, &rows, &n), 0);
	assert_string_equal(((struct run_state *)rows[0])->id, "ps-two-1");
	assert_int_equal(state_count(f->ws, &q, &count), 0);
	assert_int_equal(count, 2);
	q.parent = NULL;
	assert_int_equal(state_count(f->ws, &q, &count), 0);
	assert_int_equal(count, 5);
}

/* What was known then, and nothing that came later. */
static void test_the_past(void **state)
{
	struct workspace_fixture *f = *state;
	struct position first = moment(f, "attempt.observed", "2", 0),
			ended = moment(f, "run.ended", "ps-two-2", 0),
			corrected = moment(f, "run.corrected", "ps-two-2", 0),
			claimed = moment(f, "attempt.claimed", "2", 0);
	struct attempt_state *s;
	struct migration_state *m;
	struct run_state *run;

	assert_int_equal(state_attempt(f->ws, "2", &first, &f->a, &s), 0);
	assert_string_equal(s->tip, "2222222");
	assert_int_equal(s->runs_n + s->claimed_n + s->checks_n, 0);
	assert_string_equal(fixture_attempt(f, "2")->tip, "2222223");
	assert_int_equal(state_run(f->ws, "ps-two-2", &ended, &f->a, &run), 0);
	assert_int_equal(run->state, RUN_LOST);
	assert_int_equal(state_run(f->ws, "ps-two-2", &corrected, &f->a, &run), 0);
	assert_int_equal(run->state, RUN_EXITED_0);
	assert_int_equal(state_run(f->ws, "ps-two-2", &first, &f->a, &run), ERR_NOT_FOUND);
	assert_int_equal(state_attempt(f->ws, "3", &claimed, &f->a, &s), ERR_NOT_FOUND);
	assert_int_equal(state_migration(f->ws, &claimed, &f->a, &m), 0);
	assert_int_equal(m->counts.attempts, 2);
	assert_int_equal(m->counts.alarms, 0);
	assert_int_equal(state_migration(f->ws, NULL, &f->a, &m), 0);
	assert_int_equal(m->counts.attempts, 4);
	assert_int_equal(m->counts.alarms, 1);
	assert_int_equal(m->counts.alarms_open, 0);
}

static void test_before_the_first_event(void **state)
{
	struct workspace_fixture *f = *state;
	struct position none = { { 0 } };
	struct state_query q = { .type = "attempt", .at = &none };
	struct migration_state *m;
	struct attempt_state *s;
	int64_t count;

	assert_int_equal(state_migration(f->ws, &none, &f->a, &m), 0);
	assert_string_equal(m->name, "");
	assert_int_equal(state_count(f->ws, &q, &count), 0);
	assert_int_equal(count, 0);
	assert_int_equal(state_attempt(f->ws, "2", &none, &f->a, &s), ERR_NOT_FOUND);
	assert_non_null(strstr(err_text(), "none yet"));
	/* The reference can be asked for before anything ran. */
	assert_int_equal(state_attempt(f->ws, "reference", &none, &f->a, &s), 0);
	assert_int_equal(s->n, -1);
}

static void test_what_it_adds_up_to(void **state)
{
	struct workspace_fixture *f = *state;
	struct attempt_state *s = fixture_attempt(f, "2");
	const struct measured *m = attempt_measured(s, "v5e-4");
	struct migration_state *all;

	assert_non_null(m);
	assert_int_equal(m->vector.l0, CHECK_CONFIRMED);
	assert_int_equal(m->claim, CLAIM_OVER);
	assert_int_equal(s->over_claims, 1);
	assert_int_equal(state_migration(f->ws, NULL, &f->a, &all), 0);
	/* 45 of the quota and 5 of the hint; what a tool found waits for a person. */
	assert_int_equal(all->counts.intervention_minutes, 50);
	assert_int_equal(all->counts.interventions_proposed, 1);
	assert_int_equal(all->counts.other_cost_nano_usd, 12000000000);
	assert_int_equal(all->counts.session_cost_nano_usd, 4200000000);
	assert_true(migration_line_abandoned(all, "torchtpu"));
	assert_false(migration_line_abandoned(all, ""));
	assert_true(fixture_attempt(f, "torchtpu/1")->gone);
	assert_true(fixture_attempt(f, "3")->environment_only);
	assert_true(fixture_attempt(f, "1")->labels_disagree);
}

#define TEST(name) cmocka_unit_test_setup_teardown(test_ ## name, setup, fixture_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(attempts_as_people_write_them),
		TEST(runs_by_prefix),
		TEST(lists),
		TEST(the_past),
		TEST(before_the_first_event),
		TEST(what_it_adds_up_to),
	};

	return cmocka_run_group_tests_name("state", tests, NULL, NULL);
}
