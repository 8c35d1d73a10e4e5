/* test_rule - stop rules: firing, preconditions, gauges, keys (framework 9, scenario S1). */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "domain/rule.h"

struct values { const char *name; struct expr_value value; };

#define NUMBER(n, v) { n, { .type = EXPR_NUMBER, .number = v } }
#define OR_MORE(n, v) { n, { .type = EXPR_NUMBER, .number = v, .or_more = true } }
#define TEXT(n, v) { n, { .type = EXPR_TEXT, .text = v } }

static struct expr_value look_up(void *user, const char *name)
{
	for (const struct values *v = user; v->name; v++)
		if (strcmp(v->name, name) == 0)
			return v->value;
	return (struct expr_value){ .type = EXPR_UNKNOWN };
}

static const struct rule_default *default_of(const char *id)
{
	for (size_t i = 0; i < rule_defaults_n; i++)
		if (strcmp(rule_defaults[i].id, id) == 0)
			return &rule_defaults[i];
	return NULL;
}

static struct rule_report evaluate(
	const char *id, const char *when, struct values *values, struct arena *a)
{
	const struct rule_default *d = default_of(id);
	struct rule r;
	struct rule_report report;

	assert_int_equal(
		rule_make(&r, id, when ? when : d->when, d->precondition, d->action, d->class), 0);
	report = rule_evaluate(&r, look_up, values, a);
	rule_release(&r);
	return report;
}

static void budget_rules_fire(void **state)
{
	struct arena a = ARENA_INIT;
	struct values before[] = { NUMBER("attempts", 9), TEXT("best_level", "none"),
		NUMBER("agent_hours", 3.02), { 0 } };
	struct values after[] = { NUMBER("attempts", 10), TEXT("best_level", "none"),
		NUMBER("agent_hours", 1.1), { 0 } };
	struct values reached[] = { NUMBER("attempts", 10), TEXT("best_level", "L0"),
		NUMBER("agent_hours", 5), { 0 } };
	struct rule_report r;

	(void)state;
	r = evaluate("R1", NULL, before, &a);
	assert_false(r.fires);
	assert_string_equal(r.gauge, "R1 9/10 attempts");
	r = evaluate("R2", NULL, before, &a);		/* BiLLM, 3.02 h, level none */
	assert_true(r.fires);
	assert_string_equal(r.gauge, "R2 3.0/3.0 agent-h !");
	assert_int_equal(r.features_n, 2);
	assert_string_equal(r.features[0].name, "agent_hours");
	r = evaluate("R1", NULL, after, &a);
	assert_true(r.fires);
	r = evaluate("R2", NULL, after, &a);
	assert_string_equal(r.gauge, "R2 1.1/3.0 agent-h");
	r = evaluate("R1", NULL, reached, &a);
	assert_false(r.fires);
	assert_string_equal(r.gauge, "R1 no L0: ok");
	arena_release(&a);
}

static void a_feature_without_a_source_is_no_zero(void **state)
{
	struct arena a = ARENA_INIT;
	struct values none[] = { { 0 } };
	struct values some[] = { TEXT("best_level", "none"), { 0 } };
	struct values in_part[] = { OR_MORE("human_minutes", 40), { 0 } };
	struct rule_report r;

	(void)state;
	r = evaluate("R2", NULL, some, &a);
	assert_int_equal(r.truth, TRUTH_UNKNOWN);
	assert_int_equal(r.status, RULE_NO_SOURCE);
	assert_string_equal(r.gauge, "R2 no source: agent_hours");
	r = evaluate("R5", NULL, none, &a);
	assert_string_equal(r.gauge, "R5 no source: projected_hours");
	assert_false(r.fires);
	r = evaluate("R5", "human_minutes > 30", in_part, &a);
	assert_true(r.fires);
	assert_string_equal(r.gauge, "R5 >=40/30 human-min !");
	r = evaluate("R5", "human_minutes > 60", in_part, &a);
	assert_int_equal(r.status, RULE_NO_SOURCE);
	assert_string_equal(r.gauge, "R5 known in part: human_minutes");
	arena_release(&a);
}

static void incomparable_inputs_raise_no_alarm(void **state)
{
	const char *when = "smoke_gap.accuracy worse than 5.0";
	struct arena a = ARENA_INIT;
	struct values cofi[] = { NUMBER("smoke_gap.accuracy", 5.3), TEXT("comparable_inputs", "no"),
		NUMBER("reference_repeats", 3), { 0 } };
	struct values same[] = { NUMBER("smoke_gap.accuracy", 5.3),
		TEXT("comparable_inputs", "yes"), NUMBER("reference_repeats", 3), { 0 } };
	struct values one_teacher[] = { NUMBER("smoke_gap.accuracy", 0.29),
		TEXT("comparable_inputs", "yes"), NUMBER("reference_repeats", 3), { 0 } };
	struct values no_gap[] = { NUMBER("smoke_gap.accuracy", -0.0),
		TEXT("comparable_inputs", "yes"), NUMBER("reference_repeats", 3), { 0 } };
	struct values open[] = { NUMBER("smoke_gap.accuracy", 5.3), NUMBER("reference_repeats", 3),
		{ 0 } };
	struct values bare[] = { { 0 } };
	struct rule_report r;

	(void)state;
	r = evaluate("R4", when, cofi, &a);		/* S1 */
	assert_int_equal(r.truth, TRUTH_TRUE);
	assert_int_equal(r.status, RULE_NOT_COMPARABLE);
	assert_false(r.fires);
	assert_string_equal(r.gauge, "R4 inputs not comparable");
	r = evaluate("R4", when, open, &a);
	assert_int_equal(r.truth, TRUTH_TRUE);
	assert_int_equal(r.precondition, TRUTH_UNKNOWN);
	assert_int_equal(r.status, RULE_COMPARABLE_UNKNOWN);
	assert_false(r.fires);
	assert_string_equal(r.gauge, "R4 not known whether comparable");
	r = evaluate("R4", when, same, &a);
	assert_true(r.fires);
	assert_string_equal(r.gauge, "R4 5.3/5.0 !");
	r = evaluate("R4", when, one_teacher, &a);
	assert_false(r.fires);
	r = evaluate("R4", when, no_gap, &a);
	assert_string_equal(r.gauge, "R4 0.0/5.0");
	r = evaluate("R4", when, bare, &a);
	assert_int_equal(r.status, RULE_UNCALIBRATED);
	assert_string_equal(r.gauge, "R4 uncalibrated: repeat the reference x3");
	arena_release(&a);
}

static void r3_fires_on_a_declared_blocker(void **state)
{
	struct arena a = ARENA_INIT;
	struct values declared[] = { TEXT("blocker", "yes"), { 0 } };
	struct rule r;

	(void)state;
	assert_int_equal(
		rule_make(&r, "R3", "blocker = yes", "", ACTION_STOP, CLASS_FEASIBILITY), 0);
	assert_true(rule_evaluate(&r, look_up, declared, &a).fires);
	rule_release(&r);
	arena_release(&a);
}

static void versions_follow_the_text(void **state)
{
	struct rule a, b, c;

	(void)state;
	assert_int_equal(rule_make(&a, "R2", "agent_hours >= 3 and best_level < L0", "",
				 ACTION_STOP, CLASS_BUDGET),
		0);
	assert_int_equal(rule_make(&b, "R2", "agent_hours  >=  3  and best_level<L0", "",
				 ACTION_STOP, CLASS_BUDGET),
		0);
	assert_int_equal(rule_make(&c, "R2", "agent_hours >= 4 and best_level < L0", "",
				 ACTION_STOP, CLASS_BUDGET),
		0);
	assert_string_equal(a.version, b.version);
	assert_string_not_equal(a.version, c.version);
	rule_release(&a);
	rule_release(&b);
	rule_release(&c);
}

static void bad_rules_are_refused_when_they_are_read(void **state)
{
	static const char *const texts[] = { "attemps >= 3",
		"attempts >=", "smoke_gap worse than 5", "best_level < 3", "" };
	struct rule r;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(texts); i++)
		assert_int_equal(
			rule_make(&r, "R9", texts[i], "", ACTION_STOP, CLASS_BUDGET), ERR_PARSE);
	assert_int_equal(rule_make(&r, "R9", "attempts > 1", "sunshine", ACTION_STOP, CLASS_BUDGET),
		ERR_PARSE);
	assert_non_null(strstr(err_text(), "allowed: comparable-inputs"));
	assert_null(feature_find("smoke_gap"));
	assert_non_null(feature_find("smoke_gap.loss"));
	assert_null(feature_find("attempts.loss"));
}

static void one_alarm_per_rule_version_and_trigger(void **state)
{
	struct arena a = ARENA_INIT;

	(void)state;
	assert_string_equal(alarm_key(&a, "0123456789abcdef0123", "fedcba9876543210fedc"),
		"0123456789ab.fedcba9876543210");
	arena_release(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(budget_rules_fire),
		cmocka_unit_test(a_feature_without_a_source_is_no_zero),
		cmocka_unit_test(incomparable_inputs_raise_no_alarm),
		cmocka_unit_test(r3_fires_on_a_declared_blocker),
		cmocka_unit_test(versions_follow_the_text),
		cmocka_unit_test(bad_rules_are_refused_when_they_are_read),
		cmocka_unit_test(one_alarm_per_rule_version_and_trigger),
	};

	return cmocka_run_group_tests_name("rule", tests, NULL, NULL);
}
