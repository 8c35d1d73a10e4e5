/* Numbers, times and checksums that every reader stands on. */
#include "config.h"

#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "curve/crc32c.h"
#include "curve/reader_number.h"
#include "curve/tfevents_tensor.h"

static uint64_t next_random(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return *seed ^ *seed >> 29;
}

static void assert_reads_as_strtod(const char *text)
{
	struct number n;
	double expected = strtod(text, NULL);

	assert_true(number_read(&n, text, strlen(text)));
	if (memcmp(&n.value, &expected, sizeof expected) != 0)
		fail_msg("%s is %.17g, not %.17g", text, n.value, expected);
}

static void numbers_are_rounded_correctly(void **state)
{
	static const char *const hard[] = {
		"9007199254740993",
		"0.1",
		"1e22",
		"1e23",
		"8.5",
		"123456789012345678",
		"9223372036854775807",
		"18446744073709551615",
		"18446744073709551616",
		"1e-27",
		"1e27",
		"3.4028234663852886e38",
		"2.2250738585072014e-308",
		"5e-324",
		"1e999",
		"0.00000000000000000000000000000000001",
		"1.7976931348623157e308",
		"4503599627370496.5",
		"4503599627370497.5",
		"-0.0",
		"0e5",
		".5",
		"5.",
		"0.30000000000000004",
		"1.00000000000000011102230246251565404",
		"100000000000000000000000",
	};
	uint64_t seed = 1;
	char text[64];

	(void)state;
	for (size_t i = 0; i < sizeof hard / sizeof *hard; i++)
		assert_reads_as_strtod(hard[i]);
	for (int i = 0; i < 200000; i++) {
		uint64_t bits = next_random(&seed);
		double d;

		memcpy(&d, &bits, sizeof d);
		if (!isfinite(d))
			continue;
		snprintf(text, sizeof text, "%.17g",
			i & 1 ? d : ldexp((double)(bits >> 11), (int)(bits % 100) - 90));
		assert_reads_as_strtod(text);
		snprintf(text, sizeof text, "%" PRIu64 "e%d", bits >> bits % 60,
			(int)(bits % 56) - 28);
		assert_reads_as_strtod(text);
	}
}

static void assert_token(const char *text, bool suffixes, double expected)
{
	struct number n;

	if (!number_read_token(&n, text, strlen(text), suffixes))
		fail_msg("%s was refused", text);
	assert_true(isnan(expected) ? isnan(n.value) : n.value == expected);
}

static void assert_refused(const char *text)
{
	struct number n;

	if (number_read_token(&n, text, strlen(text), true))
		fail_msg("%s was read as %g", text, n.value);
}

static void tokens_are_read_as_logs_write_them(void **state)
{
	(void)state;
	assert_token("nan", false, NAN);
	assert_token("-NaN", false, NAN);
	assert_token("+Infinity", false, INFINITY);
	assert_token("-inf", false, -INFINITY);
	assert_token("7.39E+00", false, 7.39);
	assert_token("1,234.5", false, 1234.5);
	assert_token("-12,345,678", false, -12345678);
	assert_token("12.3K", true, 12300);
	assert_token("2M", true, 2e6);
	assert_token("1.5B", true, 1.5e9);
	assert_token("50%", true, 50);
	assert_refused("12,34");
	assert_refused("1234,567");
	assert_refused("0x1F");
	assert_refused("1.2.3");
	assert_refused("12:30:05");
	assert_refused("nan(1)");
	assert_refused("infK");
	assert_refused("");
	assert_refused("-");
	assert_refused(".");
	assert_refused("e5");
}

static void steps_stay_integers(void **state)
{
	struct number n;

	(void)state;
	assert_true(number_read(&n, "9007199254740993", 16));
	assert_true(n.is_integer && n.integer == INT64_C(9007199254740993));
	assert_true(number_read(&n, "-9223372036854775807", 20));
	assert_true(n.is_integer && n.integer == -INT64_MAX);
	assert_true(number_read(&n, "9223372036854775808", 19));
	assert_false(n.is_integer);
	assert_true(number_read(&n, "3.0", 3));
	assert_true(n.is_integer && n.integer == 3);
	assert_true(number_read(&n, "3.5", 3));
	assert_false(n.is_integer);
	assert_true(number_read(&n, "1e3", 3));
	assert_true(n.is_integer && n.integer == 1000);
}

static void iso_times_become_seconds(void **state)
{
	bool unknown;
	double t;

	(void)state;
	assert_true(number_read_iso_time(&t, &unknown, "2023-11-14T22:13:20Z", 20));
	assert_true(t == 1700000000.0 && !unknown);
	assert_true(number_read_iso_time(&t, &unknown, "2023-11-15 00:13:20.5+02:00", 27));
	assert_true(t == 1700000000.5 && !unknown);
	assert_true(number_read_iso_time(&t, &unknown, "2024-02-29T00:00:00", 19));
	assert_true(t == 1709164800.0 && unknown);
	assert_false(number_read_iso_time(&t, &unknown, "2023-13-14T22:13:20Z", 20));
	assert_false(number_read_iso_time(&t, &unknown, "2023-11-14T22:13:20X", 20));
	assert_false(number_read_iso_time(&t, &unknown, "0:00:10", 7));
}

static void check_crc(const void *p, size_t n, uint32_t crc, uint32_t masked)
{
	assert_int_equal(crc32c_bytes(p, n), crc);
	assert_int_equal(crc32c_portable(0, p, n), crc);
	assert_int_equal(crc32c_mask(crc), masked);
}

static void checksums_match_the_vectors(void **state)
{
	unsigned char bytes[32];

	(void)state;
	check_crc("", 0, 0, 0xa282ead8u);
	check_crc("123456789", 9, 0xe3069283u, 0xc78ab0e5u);
	memset(bytes, 0, sizeof bytes);
	check_crc(bytes, 8, 0x8c28b28au, 0x07980329u);
	check_crc(bytes, 32, 0x8a9136aau, 0x0fd7fffau);
	memset(bytes, 0xff, sizeof bytes);
	check_crc(bytes, 32, 0x62a8ab43u, 0xf909b029u);
	for (unsigned i = 0; i < sizeof bytes; i++)
		bytes[i] = (unsigned char)i;
	check_crc(bytes, 32, 0x46dd794eu, 0x951f7892u);
	assert_int_equal(crc32c_mask(crc32c_bytes("\x1a\x11"
						  "CRC test, one two",
				 19)),
		0x5794d08au);
}

static void the_forms_of_the_checksum_agree(void **state)
{
	unsigned char bytes[300];
	uint64_t seed = 5;

	(void)state;
	for (size_t i = 0; i < sizeof bytes; i++)
		bytes[i] = (unsigned char)next_random(&seed);
	for (size_t n = 0; n < 200; n++) {
		uint32_t whole = crc32c_best()(0, bytes + n % 13, n), parts;

		assert_int_equal(crc32c_portable(0, bytes + n % 13, n), whole);
		parts = crc32c_best()(0, bytes + n % 13, n / 3);
		assert_int_equal(crc32c_best()(parts, bytes + n % 13 + n / 3, n - n / 3), whole);
	}
}

static void small_floats_are_widened(void **state)
{
	(void)state;
	assert_true(half_to_double(0x3c00) == 1.0);
	assert_true(half_to_double(0xc000) == -2.0);
	assert_true(half_to_double(0x0001) == 5.960464477539063e-08);
	assert_true(half_to_double(0x7bff) == 65504.0);
	assert_true(isinf(half_to_double(0x7c00)));
	assert_true(isnan(half_to_double(0x7e00)));
	assert_true(bfloat16_to_double(0x3f9e) == 1.234375);
	assert_true(isnan(bfloat16_to_double(0x7fc0)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_rounded_correctly),
		cmocka_unit_test(tokens_are_read_as_logs_write_them),
		cmocka_unit_test(steps_stay_integers),
		cmocka_unit_test(iso_times_become_seconds),
		cmocka_unit_test(checksums_match_the_vectors),
		cmocka_unit_test(the_forms_of_the_checksum_agree),
		cmocka_unit_test(small_floats_are_widened),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
