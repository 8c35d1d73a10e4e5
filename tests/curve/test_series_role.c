/* test_series_role - what a series is for, by its name. */
#include "config.h"

#include "tests/unit.h"

#include "base/mem.h"
#include "curve/series_role.h"

enum { RATE = 1, EVALUATION = 2, COUNTER = 4 };

static const struct {
	const char *name, *last;
	int roles;
} rows[] = {
	{ "loss", "loss", 0 },
	{ "train/loss", "loss", 0 },
	{ "lr", "lr", RATE },
	{ "train/learning_rate", "learning_rate", RATE },
	{ "lr-AdamW", "lr-AdamW", RATE },
	{ "lr-AdamW/pg1", "pg1", RATE },
	{ "train/lr-SGD", "lr-SGD", RATE },
	{ "lrx", "lrx", 0 },
	{ "color-loss", "color-loss", 0 },
	{ "eval_loss", "eval_loss", EVALUATION },
	{ "val/accuracy", "accuracy", EVALUATION },
	{ "model/eval/f1", "f1", EVALUATION },
	{ "retrieval/f1", "f1", 0 },
	{ "num_tokens", "num_tokens", COUNTER },
	{ "train/consumed_tokens", "consumed_tokens", COUNTER },
	{ "consumed_train_samples", "consumed_train_samples", COUNTER },
	{ "samples_per_second", "samples_per_second", 0 },
	{ "eval/samples", "samples", EVALUATION | COUNTER },
	{ "", "", 0 },
	{ "loss/", "", 0 },
};

static void test_roles(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const char *name = rows[i].name;
		int roles = (series_is_learning_rate(name) ? RATE : 0) |
			(series_is_evaluation(name) ? EVALUATION : 0) |
			(series_is_counter(name) ? COUNTER : 0);

		if (roles != rows[i].roles)
			print_error("%s: %d\n", name, roles);
		assert_int_equal(roles, rows[i].roles);
		assert_string_equal(series_last_part(name), rows[i].last);
	}
}

/* Whatever gives an axis its samples or tokens must be equal in both runs. */
static void test_counters(void **state)
{
	const char *const *const lists[] = { series_sample_names, series_token_names };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(lists); i++) {
		size_t n = 0;

		for (; lists[i][n]; n++)
			assert_true(series_is_counter(lists[i][n]));
		assert_int_equal(n, 6);
	}
	assert_string_equal(series_sample_names[0], "num_samples");
	assert_string_equal(series_token_names[0], "num_tokens");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_roles),
		cmocka_unit_test(test_counters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
