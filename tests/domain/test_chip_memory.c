/*
 * test_chip_memory - the lower bound of a training's memory, and the table of chips.
 */
#include "config.h"

#include "../unit.h"

#include "base/err.h"
#include "domain/chip_memory.h"

static void bounds(void **state)
{
	struct chip_memory_need n = { .parameters = INT64_C(7000000000), .parameter_bytes = 2,
		.states = 2, .state_bytes = 2, .trains = true, .chips = 4 };

	(void)state;
	assert_int_equal(chip_memory_bound(&n), INT64_C(14000000000));
	n.trains = false;
	assert_int_equal(chip_memory_bound(&n), INT64_C(3500000000));
	n.chips = 0;
	assert_int_equal(chip_memory_bound(&n), -1);
	n.chips = 1;
	n.parameters = INT64_MAX;
	assert_int_equal(chip_memory_bound(&n), -1);
	n.parameters = 0;
	assert_int_equal(chip_memory_bound(&n), -1);
	assert_int_equal(chip_memory_states("AdamW"), 2);
	assert_int_equal(chip_memory_states("sgd"), 0);
	assert_int_equal(chip_memory_states("mine"), -1);
}

static void table(void **state)
{
	static const char good[] =
		"chip\tmemory_gib\tsource\n# a comment\nv5e\t16\tdocumentation\n\n";
	static const char *const bad[] = { "h\nv5e\t16\n", "h\nv5e\tmany\tx\n", "h\n\t16\tx\n",
		"h\nv5e\t0\tx\n", "h\nv5e\t9999999999999\tx" };
	struct chips c;

	(void)state;
	assert_int_equal(chips_read(&c, "t", good, sizeof good - 1), 0);
	assert_int_equal(c.n, 1);
	assert_int_equal(chips_find(&c, "V5E")->memory_bytes, INT64_C(17179869184));
	assert_null(chips_find(&c, "v5"));
	chips_release(&c);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		assert_int_equal(chips_read(&c, "t", bad[i], strlen(bad[i])), ERR_PARSE);
		chips_release(&c);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bounds),
		cmocka_unit_test(table),
	};

	return cmocka_run_group_tests_name("chip_memory", tests, NULL, NULL);
}
