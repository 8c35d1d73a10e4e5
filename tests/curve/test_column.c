/* test_column - what was written stays where a column grows, however large it is. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "curve/column.h"

static uint32_t content(size_t i)
{
	return (uint32_t)(i * 2654435761u);
}

static void fill(uint32_t *column, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++)
		column[i] = content(i);
}

static void is_filled(const uint32_t *column, size_t n)
{
	for (size_t i = 0; i < n; i += i + 4099 < n ? 4099 : 1)
		assert_int_equal(column[i], content(i));
}

/* Two columns that grow in turn stand in each other's way. */
static void columns_grow_beside_each_other(void **state)
{
	static const size_t sizes[] = { 0, 1000, 300000, 524288, 524289, 700000, 1100000, 3000000,
		3000001, 2000000, 100000, 4000000 };
	uint32_t *a = NULL, *b = NULL;

	(void)state;
	for (size_t i = 1; i < ARRAY_LEN(sizes); i++) {
		size_t before = sizes[i - 1], after = sizes[i],
		       kept = before < after ? before : after;

		a = column_resize(a, before * sizeof *a, after * sizeof *a);
		is_filled(a, kept);
		fill(a, kept, after);
		b = column_resize(b, before * sizeof *b, after * sizeof *b);
		is_filled(b, kept);
		fill(b, kept, after);
		is_filled(a, after);
	}
	column_free(a, sizes[ARRAY_LEN(sizes) - 1] * sizeof *a);
	column_free(b, sizes[ARRAY_LEN(sizes) - 1] * sizeof *b);
}

/* A large page holds what a column writes from its first byte on. */
static void large_columns_begin_with_a_large_page(void **state)
{
	size_t n = COLUMN_LARGE_BYTES;
	char *column;

	(void)state;
#ifndef __linux__
	skip();
#endif
	column = column_resize(NULL, 0, n);
	for (int i = 0; i < 20; i++) {
		assert_int_equal((uintptr_t)column % COLUMN_LARGE_BYTES, 0);
		column[n - 1] = 1;
		column = column_resize(column, n, n + n / 4);
		n += n / 4;
	}
	column_free(column, n);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(columns_grow_beside_each_other),
		cmocka_unit_test(large_columns_begin_with_a_large_page),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
