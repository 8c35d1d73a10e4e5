/*
 * test_version_text - texts come back byte by byte, whole or from a newer one;
 * damage and a wrong newer text are noticed.
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "store/version_text.h"

static struct version_coder *coder;

static int set_up(void **state)
{
	(void)state;
	coder = version_coder_new();
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	version_coder_free(coder);
	return 0;
}

static void check_whole(const char *s, size_t n)
{
	struct buf kept = BUF_INIT, text = BUF_INIT;

	version_put_whole(&kept, coder, s, n);
	assert_false(version_is_older(kept.s, kept.n));
	assert_int_equal(version_take(&text, coder, kept.s, kept.n, NULL, 0), 0);
	assert_int_equal(text.n, n);
	assert_memory_equal(text.s, s, n);
	buf_release(&kept);
	buf_release(&text);
}

/* How many bytes the difference takes. */
static size_t check_older(const char *s, size_t n, const char *newer, size_t newer_n)
{
	struct buf kept = BUF_INIT, text = BUF_INIT;
	size_t bytes;

	version_put_older(&kept, s, n, newer, newer_n);
	assert_true(version_is_older(kept.s, kept.n));
	assert_int_equal(version_take(&text, coder, kept.s, kept.n, newer, newer_n), 0);
	assert_int_equal(text.n, n);
	assert_memory_equal(text.s, s, n);
	bytes = kept.n;
	buf_release(&kept);
	buf_release(&text);
	return bytes;
}

static size_t check_texts(const char *s, const char *newer)
{
	return check_older(s, strlen(s), newer, strlen(newer));
}

static void test_whole(void **state)
{
	char *long_text = xmalloc(100000);

	(void)state;
	check_whole("", 0);
	check_whole("{}", 2);
	for (size_t i = 0; i < 100000; i++)
		long_text[i] = (char)(i % 251 * 7);
	for (size_t n = 1000; n < 100000; n = n * 3 / 2)
		check_whole(long_text, n);
	/* What cannot be deflated is kept as it is. */
	srand(7);
	for (size_t i = 0; i < 100000; i++)
		long_text[i] = (char)rand();
	check_whole(long_text, 100000);
	free(long_text);
}

static void test_differences(void **state)
{
	static const char newer[] =
		"{\"id\":\"7\",\"claimed\":[{\"level\":\"L0\"},{\"level\":\"L3\",\"by\":\"agent\"}],"
		"\"counts\":{\"attempts\":10000},\"silent\":\"yes\"}";
	static const char older[] =
		"{\"id\":\"7\",\"claimed\":[{\"level\":\"L0\"}],\"counts\":{\"attempts\":9999},"
		"\"silent\":\"yes\"}";

	(void)state;
	assert_true(check_texts(older, newer) < strlen(older));
	check_texts(newer, older);
	assert_true(check_texts(newer, newer) < 12);
	check_texts("", newer);
	check_texts(newer, "");
	check_texts("", "");
	check_texts("abc", "xabc");
	check_texts("abcdefghijklmnopqrstuvwxyz", "zyxwvutsrqponmlkjihgfedcba");
	check_texts("zzzzabcdefghijklmnop", "abcdefghijklmnopabcdefghijklmnop");
}

/* Texts made by cutting, doubling and changing pieces of each other. */
static void test_many_differences(void **state)
{
	char a[700], b[1500];

	(void)state;
	srand(11);
	for (int round = 0; round < 4000; round++) {
		size_t n = (size_t)rand() % sizeof a, m = 0;

		for (size_t i = 0; i < n; i++)
			a[i] = (char)('a' + rand() % (round % 2 ? 3 : 26));
		while (m < sizeof b - 64 && rand() % 8) {
			size_t at = n ? (size_t)rand() % n : 0, many = (size_t)rand() % 60;

			if (many > n - at)
				many = n - at;
			memcpy(b + m, a + at, many);
			m += many;
			if (rand() % 2)
				b[m++] = (char)rand();
		}
		check_older(a, n, b, m);
		check_older(b, m, a, n);
	}
}

static int take(const struct buf *kept, const char *newer)
{
	struct buf text = BUF_INIT;
	int rc = version_take(&text, coder, kept->s, kept->n, newer, strlen(newer));

	buf_release(&text);
	return rc;
}

/* Damage is noticed; other bytes that mean the same text are none. */
static void check_damaged(const struct buf *kept, const char *newer, const char *s, size_t n)
{
	struct buf text = BUF_INIT;

	if (version_take(&text, coder, kept->s, kept->n, newer, strlen(newer)) == 0) {
		assert_int_equal(text.n, n);
		assert_memory_equal(text.s, s, n);
	} else {
		assert_int_equal(err_code(), ERR_DAMAGED);
	}
	buf_release(&text);
}

static void test_damage(void **state)
{
	static const char newer[] = "the newer text of an object, with what came later";
	static const char older[] = "the newer text of an object, before that";
	char long_text[3000];
	struct buf kept = BUF_INIT;

	(void)state;
	for (int form = 0; form < 3; form++) {
		memset(long_text, 'x', sizeof long_text);
		if (form == 0)
			version_put_older(&kept, older, strlen(older), newer, strlen(newer));
		else
			version_put_whole(&kept, coder, form == 1 ? older : long_text,
				form == 1 ? strlen(older) : sizeof long_text);
		assert_int_equal(kept.s[0], form == 0 ? 'D' : form == 1 ? 'T' : 'Z');
		assert_int_equal(take(&kept, newer), 0);
		if (form == 0)
			assert_int_equal(
				take(&kept, "The newer text of an object, with what came later"),
				ERR_DAMAGED);
		for (size_t i = 0; i < kept.n; i++) {
			struct buf cut = { .s = kept.s, .n = i };

			assert_int_equal(take(&cut, newer), ERR_DAMAGED);
			for (int bit = 0; bit < 8; bit++) {
				kept.s[i] = (char)(kept.s[i] ^ 1 << bit);
				check_damaged(&kept, newer, form == 2 ? long_text : older,
					form == 2 ? sizeof long_text : strlen(older));
				kept.s[i] = (char)(kept.s[i] ^ 1 << bit);
			}
		}
	}
	buf_release(&kept);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_whole, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_differences, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_many_differences, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_damage, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
