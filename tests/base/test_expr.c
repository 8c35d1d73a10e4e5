/* The expression language: precedence, three values, gauges, printing, errors. */
#include "config.h"

#include "tests/unit.h"

#include "base/err.h"
#include "base/expr.h"

static bool known(void *user, const char *name)
{
	(void)user;
	return strncmp(name, "f_", 2) != 0;
}

static bool only_features(void *user, const char *name)
{
	(void)user;
	return !strcmp(name, "attempts") || !strcmp(name, "best_level") ||
		!strcmp(name, "agent_hours") || !strcmp(name, "outcome");
}

static struct expr_value feature(void *user, const char *name)
{
	(void)user;
	if (!strcmp(name, "attempts"))
		return (struct expr_value){ .type = EXPR_NUMBER, .number = 10 };
	if (!strcmp(name, "best_level"))
		return (struct expr_value){ .type = EXPR_TEXT, .text = "none" };
	if (!strcmp(name, "outcome"))
		return (struct expr_value){ .type = EXPR_TEXT, .text = "failure" };
	return (struct expr_value){ .type = EXPR_UNKNOWN };
}

/* A sum of which parts are not known: 10 or more. */
static struct expr_value in_part(void *user, const char *name)
{
	struct expr_value v = feature(user, name);

	v.or_more = v.type == EXPR_NUMBER;
	return v;
}

static enum truth value_in_part(const char *s)
{
	struct expr *e;
	enum truth t;

	if (expr_parse(&e, s, only_features, NULL) < 0)
		fail_msg("%s: %s", s, err_text());
	t = expr_eval(e, in_part, NULL);
	expr_free(e);
	return t;
}

/* What a larger sum could turn is unknown, and nothing else. */
static void a_sum_that_may_be_larger(void **state)
{
	static const struct {
		const char *expression;
		enum truth truth;
	} rows[] = {
		{ "attempts > 9", TRUTH_TRUE },		{ "attempts > 10", TRUTH_UNKNOWN },
		{ "attempts >= 10", TRUTH_TRUE },	{ "attempts >= 11", TRUTH_UNKNOWN },
		{ "attempts < 10", TRUTH_FALSE },	{ "attempts < 11", TRUTH_UNKNOWN },
		{ "attempts <= 9", TRUTH_FALSE },	{ "attempts <= 10", TRUTH_UNKNOWN },
		{ "attempts = 9", TRUTH_FALSE },	{ "attempts = 10", TRUTH_UNKNOWN },
		{ "attempts = 11", TRUTH_UNKNOWN },	{ "attempts != 9", TRUTH_TRUE },
		{ "attempts != 10", TRUTH_UNKNOWN },	{ "attempts ~ \"1\"", TRUTH_UNKNOWN },
		{ "not (attempts > 9)", TRUTH_FALSE },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (value_in_part(rows[i].expression) != rows[i].truth)
			fail_msg("%s is not %d", rows[i].expression, (int)rows[i].truth);
}

static enum truth value(const char *s)
{
	struct expr *e;
	enum truth t;

	if (expr_parse(&e, s, only_features, NULL) < 0)
		fail_msg("%s: %s", s, err_text());
	t = expr_eval(e, feature, NULL);
	expr_free(e);
	return t;
}

static void values(void **state)
{
	(void)state;
	assert_int_equal(value("attempts >= 10 and best_level < L0"), TRUTH_TRUE);
	assert_int_equal(value("attempts > 10 and best_level < L0"), TRUTH_FALSE);
	assert_int_equal(value("agent_hours >= 3"), TRUTH_UNKNOWN);
	assert_int_equal(value("agent_hours >= 3 and attempts > 10"), TRUTH_FALSE);
	assert_int_equal(value("agent_hours >= 3 or attempts = 10"), TRUTH_TRUE);
	assert_int_equal(value("not agent_hours >= 3"), TRUTH_UNKNOWN);
	assert_int_equal(value("not (attempts = 10)"), TRUTH_FALSE);
	assert_int_equal(value("attempts worse than 9.5"), TRUTH_TRUE);
	assert_int_equal(value("outcome ~ \"^fail\""), TRUTH_TRUE);
	assert_int_equal(value("outcome !~ fail"), TRUTH_FALSE);
	assert_int_equal(value("outcome = \"failure\""), TRUTH_TRUE);
	assert_int_equal(
		value("outcome = success or outcome = failure and attempts = 9"), TRUTH_FALSE);
	assert_int_equal(
		value("(outcome = success or outcome = failure) and attempts = 10"), TRUTH_TRUE);
}

static void errors_name_the_column(void **state)
{
	static const struct {
		const char *text, *wanted;
	} bad[] = {
		{ "", "column 1" },
		{ "attempts", "comparison" },
		{ "attempts >=", "value" },
		{ "attempt >= 3", "\"attempt\" is not a feature" },
		{ "attempts >= 3 3", "column 15" },
		{ "(attempts >= 3", "closing bracket" },
		{ "attempts worse 3", "than" },
		{ "outcome ~ \"(\"", "pattern" },
		{ "outcome = \"x", "closing quote" },
		{ "attempts >= and", "value" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		struct expr *e;

		assert_int_equal(expr_parse(&e, bad[i].text, only_features, NULL), ERR_PARSE);
		if (!strstr(err_text(), bad[i].wanted))
			fail_msg("%s: %s", bad[i].text, err_text());
	}
}

static void deep_nesting_is_refused(void **state)
{
	struct buf b = BUF_INIT;
	struct expr *e;

	(void)state;
	buf_pad(&b, '(', 100000);
	assert_int_equal(expr_parse(&e, b.s, known, NULL), ERR_PARSE);
	assert_non_null(strstr(err_text(), "nested"));
	/* A long chain nests to the left when it is evaluated. */
	buf_clear(&b);
	for (int i = 0; i < 100000; i++)
		buf_adds(&b, "a = 1 and ");
	buf_adds(&b, "a = 1");
	assert_int_equal(expr_parse(&e, b.s, NULL, NULL), ERR_PARSE);
	assert_non_null(strstr(err_text(), "more than 1000 comparisons"));
	buf_release(&b);
}

static void printing_reads_back(void **state)
{
	static const char *const texts[] = {
		"attempts >= 10 and best_level < L0",
		"(a = 1 or b = 2) and not c != \"x y\"",
		"a = 1 or b = 2 and c = 3 or d = 4",
		"not (a = 1 and b = 2)",
		"a = 1 and (b = 2 and c = 3)",
		"gap worse than 5",
		"x ~ \"a\\\"b\\\\.\"",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		struct buf once = BUF_INIT, twice = BUF_INIT;
		struct expr *e;

		assert_int_equal(expr_parse(&e, texts[i], NULL, NULL), 0);
		expr_print(&once, e);
		expr_free(e);
		assert_string_equal(once.s, texts[i]);
		assert_int_equal(expr_parse(&e, once.s, NULL, NULL), 0);
		expr_print(&twice, e);
		expr_free(e);
		assert_string_equal(once.s, twice.s);
		buf_release(&once);
		buf_release(&twice);
	}
}

static void gauges(void **state)
{
	struct expr_gauge g;
	struct expr *e;
	size_t n;

	(void)state;
	assert_int_equal(
		expr_parse(&e, "agent_hours >= 3 and best_level < L0", only_features, NULL), 0);
	assert_true(expr_gauge(e, 0, &g));
	assert_string_equal(g.feature, "agent_hours");
	assert_string_equal(g.op, ">=");
	assert_true(g.limit.number == 3);
	assert_true(expr_gauge(e, 1, &g));
	assert_string_equal(g.limit.text, "L0");
	assert_false(expr_gauge(e, 2, &g));
	assert_string_equal(expr_features(e, &n)[1], "best_level");
	assert_int_equal(n, 2);
	expr_free(e);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values),
		cmocka_unit_test(a_sum_that_may_be_larger),
		cmocka_unit_test(errors_name_the_column),
		cmocka_unit_test(deep_nesting_is_refused),
		cmocka_unit_test(printing_reads_back),
		cmocka_unit_test(gauges),
	};

	return cmocka_run_group_tests_name("expr", tests, NULL, NULL);
}
