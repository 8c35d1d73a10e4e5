/* The table of launchers: every operation goes through it. */
#include "config.h"

#include "tests/unit.h"

#include "base/err.h"
#include "launch/launcher.h"

static void test_found_by_name(void **state)
{
	const struct launcher *l;

	(void)state;
	assert_int_equal(launcher_find(&l, "local"), 0);
	assert_ptr_equal(l, &launcher_local);
	assert_int_equal(launcher_find(&l, "teleport"), ERR_NOT_FOUND);
	assert_string_equal(err_text(), "there is no launcher \"teleport\"; there is: local");
}

/* What a launcher does not have is said in words, and no poll reads as an end. */
static void test_missing_operations(void **state)
{
	const struct launcher nothing = { .name = "nothing" };
	struct launcher_job job = { .rundir = "/" };
	struct launcher_submitted submitted;
	struct run_observation o;

	(void)state;
	assert_int_equal(launcher_submit(&nothing, &job, &submitted), ERR_STATE);
	assert_string_equal(err_text(), "launcher nothing cannot start runs");
	assert_int_equal(launcher_poll(&nothing, &job, &o), ERR_STATE);
	assert_int_equal(o.answer, RUN_UNREACHABLE);
	assert_int_equal(launcher_cancel(&nothing, &job, "human:a", "", -1), ERR_STATE);
	assert_string_equal(err_text(), "launcher nothing cannot cancel runs");
	assert_int_equal(launcher_adopt(&nothing, &job), ERR_STATE);
	assert_string_equal(err_text(), "launcher nothing cannot watch a run again");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_found_by_name),
		cmocka_unit_test(test_missing_operations),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
