/* test_name_filter - which kind a text is, and what it lets through. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "curve/name_filter.h"

static const char *const names[] = { "train/loss", "eval/loss", "eval/accuracy", "learning_rate",
	"a.b", "a+b", "Loss (smoothed)" };

/* The names that pass, as digits. */
static void check(const char *text, const char *passing, bool trouble)
{
	struct name_filter *f = name_filter_new(text);
	char got[16] = "";

	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (name_filter_passes(f, names[i]))
			got[strlen(got)] = (char)('0' + i);
	assert_string_equal(got, passing);
	assert_int_equal(*name_filter_trouble(f) != '\0', trouble);
	name_filter_free(f);
}

static void kinds(void **state)
{
	(void)state;
	check("loss", "016", false);		/* anywhere, any case */
	check("a.b", "4", false);		/* a point is a point */
	check("eval*", "12", false);		/* from the first letter to the last */
	check("*loss", "01", false);
	check("eval/l?ss", "1", false);
	check("^eval/(loss|acc)", "12", false);
	check("^train|rate$", "03", false);
	check("e.*c", "2", false);
	check("LOSS$", "01", false);
	check("", "0123456", false);
}

static void what_is_no_expression_is_text(void **state)
{
	(void)state;
	check("Loss (", "6", true);
	check("a+b", "", false);		/* one or more a, then b: a name has it not */
	check("[", "", true);
	check("\\C", "", true);
	check("*", "0123456", false);
}

/* A hostile pattern on a hostile name ends soon and passes nothing. */
static void endless_searches_are_given_up(void **state)
{
	struct name_filter *f = name_filter_new("^(a+)+$");
	char name[64];

	(void)state;
	memset(name, 'a', sizeof name - 2);
	name[sizeof name - 2] = '!';
	name[sizeof name - 1] = '\0';
	assert_false(name_filter_passes(f, name));
	name_filter_free(f);
	assert_true(name_filter_passes(NULL, name));
	name_filter_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kinds),
		cmocka_unit_test(what_is_no_expression_is_text),
		cmocka_unit_test(endless_searches_are_given_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
