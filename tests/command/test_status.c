/* The words of the status: what a goal demands. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "base/buf.h"
#include "command/goal_text.h"
#include "command/live_run.h"
#include "command/rules.h"
#include "command/status.h"
#include "domain/configuration.h"

static void assert_goal(const struct config_goal *g, const char *text)
{
	struct buf b = BUF_INIT;

	goal_add_test(&b, g);
	assert_string_equal(b.s, text);
	buf_release(&b);
}

static void test_a_target_is_the_value_to_reach(void **state)
{
	struct config_goal g = { .metric = "accuracy",
		.unit = "pp",
		.has_target = true,
		.has_margin = true,
		.test = { .form = FORM_THRESHOLD,
			.direction = DIRECTION_HIGHER,
			.target = 89,
			.margin = 1 } };

	(void)state;
	assert_goal(&g, "accuracy >= 89.0 - 1.0pp");
	g.has_margin = false;
	g.test.margin = 0;
	assert_goal(&g, "accuracy >= 89.0pp");
	g = (struct config_goal){ .metric = "loss",
		.unit = "",
		.has_target = true,
		.has_margin = true,
		.test = { .form = FORM_THRESHOLD,
			.direction = DIRECTION_LOWER,
			.target = 0.3,
			.margin = 0.05 } };
	assert_goal(&g, "loss <= 0.3 + 0.05");
}

static void test_without_a_target_it_is_the_reference(void **state)
{
	struct config_goal g = { .metric = "accuracy", .unit = "pp", .has_margin = true,
		.test = { .form = FORM_THRESHOLD, .direction = DIRECTION_HIGHER, .margin = 1 } };

	(void)state;
	assert_goal(&g, "accuracy >= reference - 1.0pp");
	g.has_margin = false;
	assert_goal(&g, "accuracy >= reference");
}

static void test_other_forms(void **state)
{
	struct config_goal g = { .metric = "accuracy", .unit = "pp", .has_margin = true,
		.test = { .form = FORM_ORDERING, .direction = DIRECTION_HIGHER, .margin = 0.5 } };

	(void)state;
	assert_goal(&g, "accuracy >= baseline + 0.5pp");
	g.test = (struct goal_test){
		.form = FORM_BAND, .direction = DIRECTION_HIGHER, .low = 88, .high = 90.25
	};
	assert_goal(&g, "accuracy within 88.0 to 90.25pp");
}

/* Per chip, and without a price; a price from elsewhere saturates. */
static void test_a_live_run_has_its_cost(void **state)
{
	const int64_t hour_ns = INT64_C(3600000000000);
	struct live_run r = { .run = "ps-a",
		.attempt = "8",
		.target = "v5e-4",
		.kind = RUN_KIND_FULL,
		.state = RUN_RUNNING,
		.started_ns = 1,
		.price = { 1200000000, true, true },
		.chips = 4 };
	struct buf b = BUF_INIT;

	(void)state;
	live_run_add(&b, &r, hour_ns + 1);
	assert_string_equal(b.s, "full #8 @v5e-4 running 1h00m $4.80");
	buf_clear(&b);
	r.price.known = false;
	live_run_add(&b, &r, hour_ns + 1);
	assert_string_equal(b.s, "full #8 @v5e-4 running 1h00m $?");
	buf_clear(&b);
	r.price = (struct price){ INT64_MAX, true, true };
	live_run_add(&b, &r, hour_ns + 1);
	assert_string_equal(b.s, "full #8 @v5e-4 running 1h00m $9223372036.85");
	buf_release(&b);
}

/* A value that is inside belongs to another attempt than the one that fired. */
static void test_a_gauge_says_who_fired(void **state)
{
	const struct need needs[] = {
		{ .kind = NEED_ALARM, .attempt = "5", .rule = "gap" },
		{ .kind = NEED_ALARM, .attempt = "6", .rule = "R4" },
		{ .kind = NEED_ALARM, .attempt = "7", .rule = "gap" },
		{ .kind = NEED_CONFIG, .attempt = "", .rule = "" },
	};
	struct rule_gauge g = { .id = "gap", .report = { .gauge = "gap 0.0/1.0" },
		.subject = { .attempt = "4" } };
	struct buf b = BUF_INIT;

	(void)state;
	rule_gauge_add(&b, &g, needs, 4);
	assert_string_equal(b.s, "gap 0.0/1.0 is #4; fired for #5 #7");
	buf_clear(&b);
	g.subject.attempt = "";
	rule_gauge_add(&b, &g, needs, 4);
	assert_string_equal(b.s, "gap 0.0/1.0; fired for #5 #7");
	buf_clear(&b);
	rule_gauge_add(&b, &g, needs + 3, 1);
	assert_string_equal(b.s, "gap 0.0/1.0");
	buf_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_target_is_the_value_to_reach),
		cmocka_unit_test(test_without_a_target_it_is_the_reference),
		cmocka_unit_test(test_other_forms),
		cmocka_unit_test(test_a_live_run_has_its_cost),
		cmocka_unit_test(test_a_gauge_says_who_fired),
	};

	return cmocka_run_group_tests_name("status", tests, NULL, NULL);
}
