/* Numbers as bytes: what was put is taken back, and a cut stays a cut. */
#include "config.h"

#include "tests/unit.h"

#include "base/bytes.h"

static void put_all(struct buf *b)
{
	bytes_put_u32(b, 0x01020384);
	bytes_put_i64(b, INT64_MIN + 5);
	bytes_put_i64(b, -1);
	buf_add(b, "end", 3);
}

static void taken_back(void **state)
{
	struct buf b = BUF_INIT;
	struct bytes from;

	(void)state;
	put_all(&b);
	assert_int_equal(b.n, 4 + 8 + 8 + 3);
	assert_memory_equal(b.s, "\x84\x03\x02\x01\x05\0\0\0\0\0\0\x80", 12);
	from = (struct bytes){ .s = b.s, .n = b.n };
	assert_int_equal(bytes_take_u32(&from), 0x01020384);
	assert_true(bytes_take_i64(&from) == INT64_MIN + 5);
	assert_true(bytes_take_i64(&from) == -1);
	assert_memory_equal(bytes_take(&from, 3), "end", 3);
	assert_false(from.bad);
	assert_int_equal(from.n, 0);
	buf_release(&b);
}

/* Beyond the end there is nothing, also where a smaller piece would still fit. */
static void beyond_the_end(void **state)
{
	struct bytes from = { .s = "\1\2\3\4\5\6", .n = 6 };

	(void)state;
	assert_int_equal(bytes_take_u32(&from), 0x04030201);
	assert_int_equal(bytes_take_u32(&from), 0);
	assert_true(from.bad);
	assert_int_equal(from.n, 2);
	assert_null(bytes_take(&from, 1));
	assert_true(bytes_take_i64(&from) == 0);
	from = (struct bytes){ .s = "\1\2\3\4\5\6", .n = 6 };
	assert_null(bytes_take(&from, SIZE_MAX));
	assert_true(from.bad);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(taken_back),
		cmocka_unit_test(beyond_the_end),
	};

	return cmocka_run_group_tests_name("bytes", tests, NULL, NULL);
}
