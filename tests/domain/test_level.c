/*
 * test_level - levels, checks, claims, the L3 rule and L0 of a run: framework sections 3 to
 * 7 and 15.
 */
#include "config.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "domain/cause.h"
#include "domain/level.h"
#include "domain/measure.h"
#include "domain/verdict.h"

#define C CHECK_CONFIRMED
#define R CHECK_REFUTED
#define U CHECK_UNKNOWN
#define N CHECK_NOT_CHECKED
#define A CHECK_NOT_APPLICABLE

static void and_never_passes_vacuously(void **state)
{
	static const struct {
		enum check_result in[3];
		size_t n;
		enum check_result out;
	} rows[] = {
		{ { 0 }, 0, N },
		{ { A, A }, 2, N },
		{ { C, A }, 2, C },
		{ { C, U }, 2, U },
		{ { C, N }, 2, U },
		{ { R, U, C }, 3, R },
		{ { N, R }, 2, R },
		{ { C, C, C }, 3, C },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		assert_int_equal(check_all(rows[i].in, rows[i].n), rows[i].out);
}

static void people_and_tools_combine(void **state)
{
	(void)state;
	assert_int_equal(check_combine(C, R), U);
	assert_int_equal(check_combine(R, C), U);
	assert_int_equal(check_combine(N, C), C);
	assert_int_equal(check_combine(C, U), C);
	assert_int_equal(check_combine(C, N), C);
	assert_int_equal(check_combine(U, C), U);
}

static void the_table_has_fifteen_integrity_items(void **state)
{
	size_t n = 0;

	(void)state;
	for (size_t i = 0; i < check_items_n; i++)
		n += strcmp(check_items[i].level, "L2") == 0;
	assert_int_equal(n, CHECK_L2_ITEMS);
	assert_true(check_find("grad")->runtime);
	assert_string_equal(check_find("goal.accuracy")->level, "L3");
	assert_string_equal(check_goal("goal.accuracy"), "accuracy");
	assert_null(check_find("goal"));
	assert_null(check_find("grad.x"));
	assert_null(check_find("other"));
}

static void check_objects_parse(void **state)
{
	struct arena a = ARENA_INIT;
	struct check_name name;

	(void)state;
	assert_true(check_object_parse(&name, &a, "torchtpu/3@v5e-4:goal.accuracy"));
	assert_string_equal(name.attempt, "torchtpu/3");
	assert_string_equal(name.configuration, "v5e-4");
	assert_string_equal(name.check, "goal.accuracy");
	assert_true(check_object_parse(&name, &a, "reference@gpu-l4:exit"));
	assert_false(check_object_parse(&name, &a, "7@v5e-4"));
	assert_false(check_object_parse(&name, &a, "7@v5e 4:grad"));
	assert_false(check_object_parse(&name, &a, "x@v5e-4:grad"));
	assert_string_equal(check_object_id(&a, "7", "v5e-4", "grad"), "7@v5e-4:grad");
	arena_release(&a);
}

static void ladder_follows_the_table(void **state)
{
	static const struct {
		struct level_vector v;
		enum level level, upper;
		const char *text, *brief;
	} rows[] = {
		{ { R, C, C, C }, LEVEL_NONE, LEVEL_NONE, "none", "none" },
		{ { U, C, C, C }, LEVEL_NONE, LEVEL_L4, "L0 unknown", "L0 unknown" },
		{ { N, N, R, N }, LEVEL_NONE, LEVEL_L2, "L0 not checked", "L0 not checked" },
		{ { C, R, C, C }, LEVEL_L0, LEVEL_L0, "L0, L2 refuted", "L0, L2 refuted" },
		{ { C, N, N, N }, LEVEL_L0, LEVEL_L4, "L0, above not checked", "L0, above ?" },
		{ { C, U, U, U }, LEVEL_L0, LEVEL_L4, "L0, above unknown", "L0, above ?" },
		{ { C, U, N, N }, LEVEL_L0, LEVEL_L4, "L0, L2 unknown, L3 not checked, L4 not checked",
			"L0, above ?" },
		{ { C, U, R, U }, LEVEL_L0, LEVEL_L2, "L0, L2 unknown, L3 refuted", "L0, L3 refuted" },
		{ { C, U, U, R }, LEVEL_L0, LEVEL_L3, "L0, L2 unknown, L3 unknown, L4 refuted",
			"L0, L4 refuted" },
		{ { C, C, R, C }, LEVEL_L2, LEVEL_L2, "L2, L3 refuted", "L2, L3 refuted" },
		{ { C, C, U, R }, LEVEL_L2, LEVEL_L3, "L2, L3 unknown, L4 refuted",
			"L2, L4 refuted" },
		{ { C, C, U, U }, LEVEL_L2, LEVEL_L4, "L2, above unknown", "L2, above ?" },
		{ { C, C, C, R }, LEVEL_L3, LEVEL_L3, "L3, L4 refuted", "L3, L4 refuted" },
		{ { C, C, C, U }, LEVEL_L3, LEVEL_L4, "L3, L4 unknown", "L3, above ?" },
		{ { C, C, C, C }, LEVEL_L4, LEVEL_L4, "L4", "L4" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct ladder l = level_ladder(&rows[i].v);
		struct buf b = BUF_INIT;

		level_add_measured(&b, &rows[i].v);
		assert_int_equal(l.level, rows[i].level);
		assert_int_equal(l.upper, rows[i].upper);
		assert_string_equal(b.s, rows[i].text);
		buf_clear(&b);
		level_add_measured_briefly(&b, &rows[i].v);
		assert_string_equal(b.s, rows[i].brief);
		buf_release(&b);
	}
	assert_int_equal(level_index(LEVEL_NONE), 0);
	assert_int_equal(level_index(LEVEL_L2), 2);
	assert_int_equal(level_from_index(4), LEVEL_L4);
	assert_int_equal(level_from_index(-1), LEVEL_UNSET);
}

static void level_texts_parse(void **state)
{
	struct level_text t;

	(void)state;
	assert_true(level_parse(&t, "L3 @v5e-4"));
	assert_int_equal(t.level, LEVEL_L3);
	assert_int_equal(t.configuration_n, 5);
	assert_memory_equal(t.configuration, "v5e-4", 5);
	assert_true(level_parse(&t, "l2@all"));
	assert_int_equal(t.level, LEVEL_L2);
	assert_int_equal(t.configuration_n, 0);
	assert_true(level_parse(&t, "reached L1"));
	assert_int_equal(t.level, LEVEL_L0);
	assert_true(t.mapped);
	assert_true(level_parse(&t, "-"));
	assert_int_equal(t.level, LEVEL_UNSET);
	assert_true(level_parse(&t, "none"));
	assert_int_equal(t.level, LEVEL_NONE);
	assert_false(level_parse(&t, "L5"));
	assert_false(level_parse(&t, "L3 v5e"));
	assert_false(level_parse(&t, "L3 @a b"));
	assert_false(level_parse(&t, "done"));
}

static void claims_compare_with_the_ladder(void **state)
{
	const struct ladder l0 = { LEVEL_L0, LEVEL_L0 }, open = { LEVEL_L0, LEVEL_L3 },
			    l4 = { LEVEL_L4, LEVEL_L4 };
	const struct ladder l2 = { LEVEL_L2, LEVEL_L2 };

	(void)state;
	assert_int_equal(claim_verdict(LEVEL_L3, &l0), CLAIM_OVER);		/* B2 */
	assert_int_equal(claim_verdict(LEVEL_L3, &open), CLAIM_UNSUPPORTED);
	assert_int_equal(claim_verdict(LEVEL_L4, &open), CLAIM_OVER);
	assert_int_equal(claim_verdict(LEVEL_L3, &l4), CLAIM_UNDER);		/* T1, MELoRA */
	assert_int_equal(claim_verdict(LEVEL_L2, &l2), CLAIM_MATCH);		/* T5, CoFi */
	assert_int_equal(claim_verdict(LEVEL_UNSET, &l4), CLAIM_NOTHING);	/* T4, BiLLM */
	assert_true(claim_surprise(LEVEL_L3, &l0));
	assert_false(claim_surprise(LEVEL_UNSET, &l0));
	assert_false(claim_surprise(LEVEL_L0, &l0));
}

static void goal_forms_hold(void **state)
{
	struct goal_test lower = { FORM_THRESHOLD, DIRECTION_LOWER, 69.97, 0, 0, 0 };
	struct goal_test order = { FORM_ORDERING, DIRECTION_HIGHER, 0, 0.5, 0, 0 };
	struct goal_test band = { FORM_BAND, DIRECTION_HIGHER, 0, 0, 1, 2 };
	struct goal_test edge = { FORM_THRESHOLD, DIRECTION_HIGHER, 92.2, 1.1, 0, 0 };

	(void)state;
	assert_int_equal(goal_holds(&lower, 77.08, NAN), TRUTH_FALSE);
	assert_int_equal(goal_holds(&lower, 69.97, NAN), TRUTH_TRUE);
	assert_int_equal(goal_holds(&order, 2.5, 2.0), TRUTH_FALSE);
	assert_int_equal(goal_holds(&order, 2.51, 2.0), TRUTH_TRUE);
	assert_int_equal(goal_holds(&order, 2.51, NAN), TRUTH_UNKNOWN);
	assert_int_equal(goal_holds(&band, 2, NAN), TRUTH_TRUE);
	assert_int_equal(goal_holds(&band, 2.1, NAN), TRUTH_FALSE);
	assert_int_equal(goal_holds(&edge, 91.1, NAN), TRUTH_TRUE);
	assert_int_equal(goal_matches_interval(&edge, -1.0, 0.2), TRUTH_TRUE);
	assert_int_equal(goal_matches_interval(&edge, -3.0, -1.2), TRUTH_FALSE);
	assert_int_equal(goal_matches_interval(&edge, -3.0, 0.2), TRUTH_UNKNOWN);
	assert_true(fabs(goal_gap(&lower, 77.08, 69.97) + 7.11) < 1e-9);
}

static struct run_end_facts exited(void)
{
	return (struct run_end_facts){
		.state = RUN_EXITED_0, .provenance = PROVENANCE_OBSERVED, .rc_known = true
	};
}

static void l0_needs_a_declared_end(void **state)
{
	struct run_end_facts f = exited();

	(void)state;
	assert_int_equal(measure_l0(&f).l0, U);
	f.steps_declared = true;
	f.steps = SEEN_YES;
	assert_int_equal(measure_l0(&f).l0, C);
	assert_int_equal(measure_l0(&f).done, A);
	f.artifact_declared = true;
	f.artifact = SEEN_UNKNOWN;
	assert_int_equal(measure_l0(&f).l0, U);
	f.artifact = SEEN_NO;
	assert_int_equal(measure_l0(&f).l0, R);
	f.artifact = SEEN_YES;
	f.error_text = SEEN_YES;
	assert_int_equal(measure_l0(&f).l0, R);
	f.error_text = SEEN_NO;
	f.provenance = PROVENANCE_CLAIMED;
	assert_int_equal(measure_l0(&f).l0, U);
}

static void l0_of_other_ends(void **state)
{
	struct run_end_facts f = exited();

	(void)state;
	f.done_declared = true;
	f.done = SEEN_NO;
	f.state = RUN_PREEMPTED;
	assert_int_equal(measure_l0(&f).l0, U);
	f.state = RUN_LOST;
	assert_int_equal(measure_l0(&f).l0, U);
	assert_string_equal(measure_l0(&f).why, "nobody saw how it ended");
	f.state = RUN_FAILED;
	f.rc = 1;
	assert_int_equal(measure_l0(&f).l0, R);
	f.state = RUN_RUNNING;
	assert_int_equal(measure_l0(&f).l0, N);
	f.state = RUN_EXITED_0;
	f.rc = 3;
	f.done = SEEN_YES;
	assert_int_equal(measure_l0(&f).l0, U);
}

static void full_runs_go_before_smoke_runs(void **state)
{
	struct l0_pick p = { .ended = false };

	(void)state;
	assert_int_equal(l0_pick_result(&p), N);
	l0_pick_add(&p, RUN_KIND_FULL, U, true);
	assert_int_equal(l0_pick_result(&p), U);
	l0_pick_add(&p, RUN_KIND_SMOKE, C, true);
	assert_int_equal(l0_pick_result(&p), C);
	l0_pick_add(&p, RUN_KIND_FULL, R, true);
	assert_int_equal(l0_pick_result(&p), R);
	l0_pick_add(&p, RUN_KIND_FULL, C, true);
	assert_int_equal(l0_pick_result(&p), C);
}

/* A run whose kind nobody told says something only where no other does. */
static void a_run_of_unknown_kind_never_outvotes(void **state)
{
	struct l0_pick p = { .ended = false };

	(void)state;
	l0_pick_add(&p, RUN_KIND_NONE, C, true);
	assert_int_equal(l0_pick_result(&p), C);
	l0_pick_add(&p, RUN_KIND_NONE, R, true);
	assert_int_equal(l0_pick_result(&p), R);
	l0_pick_add(&p, RUN_KIND_SMOKE, U, true);
	assert_int_equal(l0_pick_result(&p), R);
	l0_pick_add(&p, RUN_KIND_SMOKE, C, true);
	l0_pick_add(&p, RUN_KIND_NONE, R, true);
	assert_int_equal(l0_pick_result(&p), C);
	l0_pick_add(&p, RUN_KIND_FULL, C, true);
	l0_pick_add(&p, RUN_KIND_SMOKE, R, true);
	l0_pick_add(&p, RUN_KIND_NONE, R, true);
	assert_int_equal(l0_pick_result(&p), C);
}

static void a_stand_in_proves_only_l0(void **state)
{
	struct level_vector v = { C, C, R, C };

	(void)state;
	measure_cap_simulated(&v);
	assert_int_equal(v.l0, C);
	assert_int_equal(v.l2, U);
	assert_int_equal(v.l3, R);
	assert_int_equal(v.l4, U);
}

static void causes_are_those_of_the_study(void **state)
{
	int sum = 0;

	(void)state;
	for (size_t i = 1; i < CAUSES_N; i++)
		sum += causes[i].study_count;
	assert_int_equal(sum, 43);
	assert_string_equal(cause_find("c4")->id, "C4");
	assert_int_equal(cause_find("C4")->study_silent, 13);
	assert_null(cause_find("C7"));
}

static void exit_0_is_never_called_success(void **state)
{
	(void)state;
	assert_string_equal(word_name(&words_run_state, RUN_EXITED_0), "exited 0");
	assert_int_equal(word_find(&words_run_state, "succeeded"), -1);
	assert_true(run_status_ended(RUN_LOST));
	assert_false(run_status_ended(RUN_RUNNING));
	assert_int_equal(actor_class("agent:claude"), ACTOR_AGENT);
	assert_int_equal(actor_class("claude"), ACTOR_NONE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(and_never_passes_vacuously),
		cmocka_unit_test(people_and_tools_combine),
		cmocka_unit_test(the_table_has_fifteen_integrity_items),
		cmocka_unit_test(check_objects_parse),
		cmocka_unit_test(ladder_follows_the_table),
		cmocka_unit_test(level_texts_parse),
		cmocka_unit_test(claims_compare_with_the_ladder),
		cmocka_unit_test(goal_forms_hold),
		cmocka_unit_test(l0_needs_a_declared_end),
		cmocka_unit_test(l0_of_other_ends),
		cmocka_unit_test(full_runs_go_before_smoke_runs),
		cmocka_unit_test(a_run_of_unknown_kind_never_outvotes),
		cmocka_unit_test(a_stand_in_proves_only_l0),
		cmocka_unit_test(causes_are_those_of_the_study),
		cmocka_unit_test(exit_0_is_never_called_success),
	};

	return cmocka_run_group_tests_name("level", tests, NULL, NULL);
}
