/*
 * test_goal_verdict - the rule of L3: every combination has the row that the table gives
 * it, and the numbers of the study come out as the study says.
 */
#include "config.h"

#include "tests/unit.h"

#include "domain/goal_verdict.h"

#define T TRUTH_TRUE
#define F TRUTH_FALSE
#define U TRUTH_UNKNOWN

static const enum check_result integrities[] = {
	CHECK_NOT_CHECKED, CHECK_CONFIRMED, CHECK_REFUTED, CHECK_UNKNOWN, CHECK_NOT_APPLICABLE,
};

/* The rule once more, as a person would explain it. */
static int explained(const struct goal_facts *f, enum check_result l2)
{
	bool confirmed = l2 == CHECK_CONFIRMED, refuted = l2 == CHECK_REFUTED;

	if (f->holds == U)
		return 1;
	if (f->holds == T)
		return !confirmed ? 2 : f->reference == T ? 3 : f->reference == F ? 4 : 5;
	if (f->reference == U)
		return 13;
	if (f->reference == T)
		return confirmed && f->matches != F && f->may_be_equal && f->margin_is_zero ? 6 : 7;
	if (f->matches == F)
		return 11;
	if (f->matches == U)
		return 12;
	return confirmed ? 8 : refuted ? 10 : 9;
}

/* What row N makes of L3, before any sign-off. */
static const enum check_result levels[GOAL_ROWS] = {
	CHECK_UNKNOWN, CHECK_UNKNOWN, CHECK_CONFIRMED, CHECK_CONFIRMED, CHECK_CONFIRMED,
	CHECK_UNKNOWN, CHECK_REFUTED, CHECK_UNKNOWN, CHECK_UNKNOWN, CHECK_REFUTED, CHECK_REFUTED,
	CHECK_UNKNOWN, CHECK_UNKNOWN,
};
static const enum goal_result results[GOAL_ROWS] = {
	GOAL_UNKNOWN, GOAL_NOT_COUNTED, GOAL_PASS, GOAL_PASS, GOAL_PASS, GOAL_UNDECIDED, GOAL_FAIL,
	GOAL_INHERITED, GOAL_UNDECIDED, GOAL_FAIL, GOAL_FAIL, GOAL_UNDECIDED, GOAL_UNDECIDED,
};

static void check_one(const struct goal_facts *f, enum check_result l2, size_t seen[GOAL_ROWS])
{
	struct goal_verdict v = goal_verdict(f, l2, false), signed_off = goal_verdict(f, l2, true);

	assert_in_range(v.row, 1, GOAL_ROWS);
	assert_int_equal(v.row, explained(f, l2));
	assert_int_equal(v.result, results[v.row - 1]);
	assert_int_equal(v.level, levels[v.row - 1]);
	assert_string_equal(v.sentence, goal_row_sentence(v.row));
	assert_int_equal(v.reference_misses, v.row == 4);
	assert_int_equal(v.no_reference, v.row == 13 || v.row == 5);
	assert_int_equal(v.awaits_signoff, v.row == 8);
	/* A sign-off changes nothing but an inherited miss. */
	assert_int_equal(signed_off.row, v.row);
	assert_false(signed_off.awaits_signoff);
	assert_int_equal(signed_off.level, v.row == 8 ? CHECK_CONFIRMED : v.level);
	/* Nothing that misses its goal passes, and L2 alone never makes a pass. */
	if (f->holds != T && v.row != 8)
		assert_int_not_equal(signed_off.level, CHECK_CONFIRMED);
	if (l2 != CHECK_CONFIRMED)
		assert_int_not_equal(signed_off.level, CHECK_CONFIRMED);
	seen[v.row - 1]++;
}

static void every_combination_has_its_row(void **state)
{
	size_t seen[GOAL_ROWS] = { 0 }, n = 0;

	(void)state;
	for (int bits = 0; bits < 27 * 4; bits++) {
		struct goal_facts f = {
			.holds = (enum truth)(bits % 3),
			.reference = (enum truth)(bits / 3 % 3),
			.matches = (enum truth)(bits / 9 % 3),
			.may_be_equal = bits / 27 % 2,
			.margin_is_zero = bits / 54,
		};

		for (size_t i = 0; i < ARRAY_LEN(integrities); i++, n++)
			check_one(&f, integrities[i], seen);
	}
	assert_int_equal(n, 540);
	for (size_t i = 0; i < GOAL_ROWS; i++)
		assert_true(seen[i] > 0);
	assert_null(goal_row_sentence(0));
	assert_null(goal_row_sentence(GOAL_ROWS + 1));
}

static const struct goal_test accuracy = {
	.form = FORM_THRESHOLD, .direction = DIRECTION_HIGHER, .target = NAN,
};

static struct goal_evidence evidence_of(
	const struct goal_test *test, double value, double reference)
{
	return (struct goal_evidence){ .test = test, .match_margin = test->margin, .value = value,
		.reference = reference, .baseline = NAN, .reference_baseline = NAN,
		.interval = { NAN, NAN }, .half_width = NAN,
		.reference_is_target = isnan(test->target) };
}

static int row_of(const struct goal_evidence *e, enum check_result l2)
{
	struct goal_facts f = goal_facts_of(e);

	return goal_verdict(&f, l2, false).row;
}

/* MNLI-m 81.23 against 81.39 of 9815 examples: 15 fewer are no failure, unless a person
 * asked for strictness. */
static void a_zero_margin_is_no_coin_toss(void **state)
{
	struct goal_evidence e = evidence_of(&accuracy, 81.23, 81.39);
	struct goal_facts f;

	(void)state;
	e.half_width = 1.96 * 0.5554;
	f = goal_facts_of(&e);
	assert_int_equal(f.holds, F);
	assert_int_equal(f.reference, T);
	assert_int_equal(f.matches, U);
	assert_true(f.may_be_equal);
	assert_int_equal(goal_verdict(&f, CHECK_CONFIRMED, false).row, 6);
	assert_int_equal(goal_verdict(&f, CHECK_REFUTED, false).row, 7);
	e.strict = true;
	assert_int_equal(goal_facts_of(&e).matches, F);
	assert_int_equal(row_of(&e, CHECK_CONFIRMED), 7);
	e.strict = false;
	e.half_width = NAN;
	assert_int_equal(row_of(&e, CHECK_CONFIRMED), 7);
	/* Four chips: 84.89 against 86.53 is beyond it. */
	e.value = 84.89;
	e.reference = 86.53;
	e.half_width = 1.96 * 0.5007;
	assert_int_equal(goal_facts_of(&e).matches, F);
	assert_int_equal(row_of(&e, CHECK_CONFIRMED), 7);
}

/* MRPC 88.73 against 89.46, the paper has 90.93: one point of margin was declared. */
static void what_the_reference_misses_is_inherited(void **state)
{
	struct goal_test test = accuracy;
	struct goal_evidence e;
	struct goal_facts f;

	(void)state;
	test.target = 90.93;
	test.margin = 1.0;
	e = evidence_of(&test, 88.73, 89.46);
	e.half_width = 1.96 * 2.18;
	f = goal_facts_of(&e);
	assert_int_equal(f.reference, F);
	assert_int_equal(f.matches, T);
	assert_int_equal(goal_verdict(&f, CHECK_CONFIRMED, false).row, 8);
	assert_int_equal(goal_verdict(&f, CHECK_CONFIRMED, false).level, CHECK_UNKNOWN);
	assert_int_equal(goal_verdict(&f, CHECK_CONFIRMED, true).level, CHECK_CONFIRMED);
	assert_int_equal(goal_verdict(&f, CHECK_NOT_CHECKED, true).row, 9);
	assert_int_equal(goal_verdict(&f, CHECK_REFUTED, true).row, 10);
	/* With no margin it is three examples too few, which nothing resolves. */
	test.margin = e.match_margin = 0;
	assert_int_equal(row_of(&e, CHECK_CONFIRMED), 12);
	e.half_width = NAN;
	assert_int_equal(row_of(&e, CHECK_CONFIRMED), 11);
	e.value = e.reference;
	e.half_width = 1.96 * 2.18;
	assert_int_equal(row_of(&e, CHECK_CONFIRMED), 8);
}

static void one_chip_passes_and_four_fail(void **state)
{
	struct goal_test test = accuracy;
	struct goal_evidence e;

	(void)state;
	test.target = 85.6;
	e = evidence_of(&test, 86.54, 86.53);
	assert_int_equal(row_of(&e, CHECK_CONFIRMED), 3);
	assert_int_equal(row_of(&e, CHECK_UNKNOWN), 2);
	e.reference = 85.0;
	assert_int_equal(row_of(&e, CHECK_CONFIRMED), 4);
	e.reference = NAN;
	assert_int_equal(row_of(&e, CHECK_CONFIRMED), 5);
	e = evidence_of(&test, 84.89, 86.53);
	assert_int_equal(row_of(&e, CHECK_REFUTED), 7);
	e.reference = NAN;
	assert_int_equal(row_of(&e, CHECK_CONFIRMED), 13);
	e.value = NAN;
	assert_int_equal(row_of(&e, CHECK_CONFIRMED), 1);
	/* Without a target there is nothing to hold a value against but the reference. */
	e = evidence_of(&accuracy, 86.54, NAN);
	assert_int_equal(row_of(&e, CHECK_CONFIRMED), 1);
}

static void several_seeds_decide_by_their_interval(void **state)
{
	struct goal_test test = accuracy;
	struct goal_evidence e;

	(void)state;
	test.target = 90;
	test.margin = 0.5;
	e = evidence_of(&test, 86.3467, 86.5267);
	e.interval.low = -0.5631;
	e.interval.high = 0.2031;
	assert_int_equal(goal_facts_of(&e).matches, U);
	test.margin = e.match_margin = 0.6;
	assert_int_equal(goal_facts_of(&e).matches, T);
	e.interval.high = -0.61;
	e.interval.low = -0.9;
	assert_int_equal(goal_facts_of(&e).matches, F);
	assert_false(goal_facts_of(&e).may_be_equal);
}

static void perplexities_are_compared_by_their_logarithm(void **state)
{
	struct goal_test test = {
		.form = FORM_THRESHOLD, .direction = DIRECTION_LOWER, .target = NAN,
	};
	struct goal_evidence e = evidence_of(&test, 77.08, 69.97);

	(void)state;
	assert_true(goal_is_perplexity("ppl"));
	assert_true(goal_is_perplexity("Perplexity"));
	assert_false(goal_is_perplexity("pp"));
	e.perplexity = true;
	assert_near(goal_evidence_gap(&e), -0.09678, 1e-3);
	assert_near(goal_log_percent(-goal_evidence_gap(&e)), 10.16, 1e-3);
	assert_int_equal(row_of(&e, CHECK_CONFIRMED), 7);
	/* A margin is in the values' own unit, whatever the scale of the comparison. */
	test.margin = e.match_margin = 7.2;
	assert_int_equal(row_of(&e, CHECK_CONFIRMED), 3);
	assert_int_equal(goal_facts_of(&e).matches, T);
	test.margin = e.match_margin = 7.0;
	assert_int_equal(goal_facts_of(&e).matches, F);
	e.value = -1;
	assert_true(isnan(goal_evidence_gap(&e)));
	assert_int_equal(goal_facts_of(&e).matches, U);
}

static void orderings_and_bands_have_a_reference_of_their_own(void **state)
{
	struct goal_test lead = {
		.form = FORM_ORDERING, .direction = DIRECTION_HIGHER, .margin = 1,
	};
	struct goal_test band = { .form = FORM_BAND, .low = 0.3, .high = 0.4 };
	struct goal_evidence e = evidence_of(&lead, 90, 91);

	(void)state;
	e.match_margin = 0;
	e.reference_is_target = false;
	e.baseline = 88;
	e.reference_baseline = 90.5;
	assert_int_equal(goal_facts_of(&e).holds, T);
	assert_int_equal(goal_facts_of(&e).reference, F);
	assert_int_equal(row_of(&e, CHECK_CONFIRMED), 4);
	e.baseline = NAN;
	assert_int_equal(row_of(&e, CHECK_CONFIRMED), 1);
	e = evidence_of(&band, 0.45, 0.35);
	e.reference_is_target = false;
	assert_int_equal(row_of(&e, CHECK_CONFIRMED), 7);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_combination_has_its_row),
		cmocka_unit_test(a_zero_margin_is_no_coin_toss),
		cmocka_unit_test(what_the_reference_misses_is_inherited),
		cmocka_unit_test(one_chip_passes_and_four_fail),
		cmocka_unit_test(several_seeds_decide_by_their_interval),
		cmocka_unit_test(perplexities_are_compared_by_their_logarithm),
		cmocka_unit_test(orderings_and_bands_have_a_reference_of_their_own),
	};

	return cmocka_run_group_tests_name("goal_verdict", tests, NULL, NULL);
}
