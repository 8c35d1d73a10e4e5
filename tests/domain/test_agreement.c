/* test_agreement - Cohen's kappa, and which labels of two people count for it. */
#include "config.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "domain/agreement.h"

#define assert_near(a, b, by) assert_true(fabs((a) - (b)) <= (by))

static void kappa_is_cohens(void **state)
{
	static const int64_t counts[9] = { 8, 1, 0, 2, 5, 1, 0, 1, 2 };
	double po, pe;

	(void)state;
	assert_near(agreement_kappa(counts, 3, &po, &pe), 0.591837, 1e-6);
	assert_near(po, 0.75, 1e-12);
	assert_near(pe, 0.3875, 1e-12);
}

static void perfect_and_contrary(void **state)
{
	static const int64_t same[4] = { 3, 0, 0, 7 }, contrary[4] = { 0, 5, 5, 0 };

	(void)state;
	assert_near(agreement_kappa(same, 2, NULL, NULL), 1.0, 1e-12);
	assert_near(agreement_kappa(contrary, 2, NULL, NULL), -1.0, 1e-12);
}

static void without_a_choice_there_is_no_kappa(void **state)
{
	static const int64_t one[4] = { 9, 0, 0, 0 }, none[4] = { 0 };
	double po;

	(void)state;
	assert_true(isnan(agreement_kappa(one, 2, &po, NULL)));
	assert_near(po, 1.0, 1e-12);
	assert_true(isnan(agreement_kappa(none, 2, &po, NULL)));
	assert_true(isnan(po));
}

#define LABEL(who_, cause_, ...)                                                        \
	{                                                                               \
		.entry = { .who = "human:" who_, .struck = "" }, .reviewer = who_,     \
		.outcome = OUTCOME_FAILURE, .cause = cause_, __VA_ARGS__                \
	}

static void the_first_label_of_two_people_counts(void **state)
{
	struct label labels[] = {
		{ .entry = { .who = "agent:coder", .struck = "" }, .reviewer = "coder",
			.outcome = OUTCOME_FAILURE, .cause = "device" },
		{ .entry = { .who = "human:ana", .struck = "ab" }, .reviewer = "ana",
			.outcome = OUTCOME_FAILURE, .cause = "C1" },
		LABEL("ana", "C3", .blind = false),
		LABEL("ana", "C4", .blind = false),
		LABEL("bob", "C4", .blind = true),
		LABEL("eve", "C3", .blind = false),
	};
	struct attempt_state s = { .labels = labels, .labels_n = 6 };
	struct agreement g = { 0 };
	struct buf b = BUF_INIT;

	(void)state;
	agreement_add(&g, &s);
	agreement_finish(&g);
	assert_int_equal(g.n, 1);
	assert_int_equal(g.blind, 1);
	assert_int_equal(g.counts[4][5], 1);	/* C3 by ana, C4 by bob */
	assert_near(g.observed, 0.0, 1e-12);
	agreement_add_text(&b, &g);
	assert_string_equal(b.s, "kappa 0.00, n = 1, blind 1 of 1");
	buf_release(&b);
}

/* Who had seen a label was not blind, whatever was asked for. */
static void a_broken_blind_label_is_none(void **state)
{
	struct label labels[] = {
		LABEL("ana", "C3", .blind = false),
		LABEL("bob", "C3", .blind = true, .blind_broken = true),
	};
	struct attempt_state s = { .labels = labels, .labels_n = 2 };
	struct agreement g = { 0 };

	(void)state;
	agreement_add(&g, &s);
	assert_int_equal(g.n, 1);
	assert_int_equal(g.blind, 0);
}

static void what_has_no_category_is_left_out(void **state)
{
	struct label labels[] = {
		LABEL("ana", "", .blind = false),
		LABEL("bob", "C3", .blind = false),
	};
	struct attempt_state s = { .labels = labels, .labels_n = 2 };
	struct agreement g = { 0 };
	struct buf b = BUF_INIT;

	(void)state;
	agreement_add(&g, &s);
	agreement_finish(&g);
	assert_int_equal(g.n, 0);
	assert_int_equal(g.without_cause, 1);
	agreement_add_text(&b, &g);
	assert_string_equal(b.s, "no two reviewers gave a cause for one attempt");
	buf_release(&b);
	labels[0].outcome = OUTCOME_SUCCESS;	/* that is one: it did not fail */
	g = (struct agreement){ 0 };
	agreement_add(&g, &s);
	assert_int_equal(g.counts[0][4], 1);
	s.labels_n = 1;				/* nobody else labelled it */
	agreement_add(&g, &s);
	assert_int_equal(g.n, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kappa_is_cohens),
		cmocka_unit_test(perfect_and_contrary),
		cmocka_unit_test(without_a_choice_there_is_no_kappa),
		cmocka_unit_test(the_first_label_of_two_people_counts),
		cmocka_unit_test(a_broken_blind_label_is_none),
		cmocka_unit_test(what_has_no_category_is_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
