/* Numbers by their layout, and rows by a template, against the general ways. */
#include "config.h"

#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "curve/reader_layout.h"
#include "curve/reader_template.h"

enum { ROOM = 128 };

static uint64_t next_random(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return *seed >> 24 ^ *seed >> 48;
}

/* A number as programs print it. */
static void print_number(char *out, uint64_t *seed)
{
	uint64_t r = next_random(seed);
	double v = ldexp((double)(r & 0xfffffff), -(int)(r >> 28 & 31)) * (r & 1 ? 1 : -1);

	switch (next_random(seed) % 5) {
	case 0:
		snprintf(out, ROOM, "%" PRId64, (int64_t)(r >> (r & 63)));
		break;
	case 1:
		snprintf(out, ROOM, "%.*f", (int)(next_random(seed) % 18), v);
		break;
	case 2:
		snprintf(out, ROOM, "%.*e", (int)(next_random(seed) % 18), v);
		break;
	case 3:
		snprintf(out, ROOM, "%.17g", v);
		break;
	default:
		snprintf(out, ROOM, "%.4f", v);
		break;
	}
}

static void change_digits(char *p, uint64_t *seed)
{
	for (; *p; p++)
		if (is_decimal_digit(*p) && next_random(seed) % 3)
			*p = (char)('0' + next_random(seed) % 10);
}

/* TEXT with REST behind it, and room to read on. */
static void assert_taken_as_scanned(const struct number_layout *l, const char *text)
{
	static const char *const rests[] = { ",", " ", "\n", "7", ".5", "e5", "x" };

	for (size_t i = 0; i < sizeof rests / sizeof *rests; i++) {
		char line[2 * ROOM] = { 0 };
		uint64_t digits = 0;
		int exponent = 0;
		double expected, got;
		size_t n;

		snprintf(line, sizeof line, "%s%s", text, rests[i]);
		n = number_scan_value(&expected, line, line + strlen(line));
		if (!layout_take(l, line, &digits, &exponent))
			continue;
		got = layout_value(l, digits, exponent);
		if (n != l->length || memcmp(&got, &expected, sizeof got) != 0)
			fail_msg("%s: %zu bytes, %.17g, not %u and %.17g", line, n, expected,
				l->length, got);
	}
}

static void layouts_give_what_is_scanned(void **state)
{
	uint64_t seed = 3;
	int taken = 0;

	(void)state;
	for (int i = 0; i < 60000; i++) {
		char text[ROOM], line[2 * ROOM] = { 0 };
		struct number_layout l;
		uint64_t digits;
		int exponent;

		print_number(text, &seed);
		l = layout_of(text, strlen(text), LAYOUT_STOPS_NUMBER);
		snprintf(line, sizeof line, "%s,", text);
		taken += layout_take(&l, line, &digits, &exponent);
		assert_taken_as_scanned(&l, text);
		change_digits(text, &seed);
		assert_taken_as_scanned(&l, text);
		print_number(text, &seed);
		assert_taken_as_scanned(&l, text);
	}
	assert_true(taken > 40000);
}

static void odd_numbers_have_no_layout(void **state)
{
	static const char *const texts[] = { "nan", "-inf", "+1", ".5", "5.", "", "-", "1e5",
		"1e-005", "12e+03", "1.123456789e-05", "12345678901234567", "1e+999",
		"1234567890.12345678901234567" };

	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		assert_int_equal(layout_of(texts[i], strlen(texts[i]), LAYOUT_STOPS_NUMBER).form,
			LAYOUT_NONE);
}

/* What a template accepts, byte by byte. */
static bool fits(const char *row, const char *is_free, const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (is_free[i] ? !is_decimal_digit(text[i]) : row[i] != text[i])
			return false;
	return true;
}

static void templates_compare_every_byte(void **state)
{
	struct row_template t = { .n = 0 };
	uint64_t seed = 9;

	(void)state;
	for (int i = 0; i < 2000; i++) {
		char row[ROOM], is_free[ROOM] = { 0 }, text[ROOM] = { 0 };
		size_t n = 1 + next_random(&seed) % 90;

		for (size_t k = 0; k < n; k++)
			row[k] = (char)(next_random(&seed) % 2 ? '0' + next_random(&seed) % 10
							       : 1 + next_random(&seed) % 255);
		template_begin(&t, row, n);
		for (size_t k = 0; k < n; k++)
			if (next_random(&seed) % 2 && is_decimal_digit(row[k])) {
				is_free[k] = 1;
				template_free_digits(&t, row, k, 1);
			}
		for (int k = 0; k < 20; k++) {
			memcpy(text, row, n);
			for (size_t at = 0; at < n; at++)
				if (is_free[at])
					text[at] = (char)('0' + next_random(&seed) % 10);
			assert_true(template_fits(&t, text));
			text[next_random(&seed) % n] = (char)next_random(&seed);
			assert_int_equal(template_fits(&t, text), fits(row, is_free, text, n));
		}
	}
	template_release(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(layouts_give_what_is_scanned),
		cmocka_unit_test(odd_numbers_have_no_layout),
		cmocka_unit_test(templates_compare_every_byte),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
