/* test_mem - arrays grow whatever room they began with. */
#include "config.h"

#include "tests/unit.h"

#include "base/mem.h"

static void test_an_array_grows_from_any_room(void **state)
{
	(void)state;
	for (size_t room = 0; room <= 20; room++) {
		size_t cap = room, n = 0;
		int *rows = room ? xcalloc(room, sizeof *rows) : NULL;

		for (int i = 0; i < 100; i++) {
			ARRAY_GROW(rows, n, cap);
			assert_true(n < cap);
			rows[n++] = i;
		}
		for (int i = 0; i < 100; i++)
			assert_int_equal(rows[i], i);
		free(rows);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_an_array_grows_from_any_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
