/*
 * Printed durations and what they were: known texts, and the round trip through the
 * printer.
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/clock.h"
#include "evidence/xla_duration.h"

static void assert_reads(const char *text, int64_t ns, int64_t other_ns)
{
	struct xla_duration d;

	if (!xla_duration_read(&d, span_of(text)))
		fail_msg("%s is not read", text);
	if (d.ns != ns || d.other_ns != other_ns)
		fail_msg("%s is %lld or %lld", text, (long long)d.ns, (long long)d.other_ns);
}

static void test_known(void **state)
{
	static const struct { const char *text; int64_t ns; } known[] = {
		{ "02m40s000ms000.000us", 100 * NS_PER_S },
		{ "02s700ms000.000us", 1700000000 },
		{ "60s1000ms700.000us", 59999700000 },
		{ "60m59s000ms000.000us", 3599 * NS_PER_S },
		{ "07m53s600ms000.000us", 412600000000 },
		{ "02d17h48m00s000ms000.000us", 146880 * NS_PER_S },
		{ "027ms400.000us", 27400000 },
		{ "02m57s694ms418.595us", 116694418595 },
		{ "07m39s000ms000.000us", 399 * NS_PER_S },
		/* 999999.999 ns: the text shows no less than 1 ns */
		{ "1000.000us", 1000000 },
		/* padded otherwise, and without the last unit */
		{ "001ms32.778us", 1032778 },
		{ "01m14s208ms113.020us", 74208113020 },
		{ "01s200ms113.020", 1200113020 },
		{ "000.000us", 0 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(known); i++)
		assert_reads(known[i].text, known[i].ns, known[i].ns);
	assert_reads("02m30s000ms000.000us", 90 * NS_PER_S, 150 * NS_PER_S);
}

static void test_refused(void **state)
{
	static const char *const refused[] = { "", "us", "12", "3480.00", "1.5", "40.00B",
		"12s13m00.000us", "1m2m", "-1s000ms000.000us", "5x", "ms", "1.000.000us", "12.5s",
		"99999999999999999999s", "9223372036854775807d", "1s 000ms000.000us",
		/* one minute is printed for 60 s to 90 s */
		"01m40s000ms000.000us", "00m10s000ms000.000us" };
	struct xla_duration d;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(refused); i++)
		if (xla_duration_read(&d, span_of(refused[i])))
			fail_msg("%s is read", refused[i]);
}

/* NS is a candidate, and each candidate prints as the same text. */
static void round_trip(struct buf *text, struct buf *again, int64_t ns)
{
	struct xla_duration d;

	buf_clear(text);
	xla_duration_print(text, ns);
	if (!xla_duration_read(&d, (struct span){ text->s, text->n }) ||
		(d.ns != ns && d.other_ns != ns))
		fail_msg("%lld is printed %s and read %lld or %lld", (long long)ns, text->s,
			(long long)d.ns, (long long)d.other_ns);
	buf_clear(again);
	xla_duration_print(again, d.ns == ns ? d.other_ns : d.ns);
	assert_string_equal(again->s, text->s);
}

/* What is printed reads back, over all sizes, near and at every half. */
static void test_round_trip(void **state)
{
	static const int64_t units[] = { 1000, NS_PER_MS, NS_PER_S, 60 * NS_PER_S, 3600 * NS_PER_S,
		86400 * NS_PER_S };
	struct buf text = BUF_INIT, again = BUF_INIT;
	uint64_t x = 12345;

	(void)state;
	for (int64_t ns = 0; ns < 3000; ns++)
		round_trip(&text, &again, ns);
	for (int i = 0; i < 200000; i++) {
		x = x * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
		round_trip(&text, &again, (int64_t)(x >> 14) >> (x >> 8 & 0x1f) % 50);
	}
	for (size_t u = 0; u < ARRAY_LEN(units); u++)
		for (int64_t half = 1; half < 400; half++)
			for (int64_t off = -2; off <= 2; off++)
				round_trip(&text, &again, half * units[u] / 2 + off);
	buf_release(&text);
	buf_release(&again);
}

/* So many of the whole seconds of two hours share their text with another second. */
static void test_ambiguous(void **state)
{
	struct buf text = BUF_INIT;
	struct xla_duration d;
	int ambiguous = 0;

	(void)state;
	for (int64_t s = 1; s <= 7200; s++) {
		buf_clear(&text);
		xla_duration_print(&text, s * NS_PER_S);
		assert_true(xla_duration_read(&d, (struct span){ text.s, text.n }));
		ambiguous += d.ns != d.other_ns;
	}
	assert_int_equal(ambiguous, 116);
	buf_release(&text);
}

static void test_go(void **state)
{
	int64_t ns;

	(void)state;
	assert_true(go_duration_read(&ns, SPAN("4m23.782230112s")));
	assert_true(ns == 263782230112);
	assert_true(go_duration_read(&ns, SPAN("1h2m3s")));
	assert_true(ns == 3723 * NS_PER_S);
	assert_true(go_duration_read(&ns, SPAN("850ms")));
	assert_true(ns == 850 * NS_PER_MS);
	assert_false(go_duration_read(&ns, SPAN("")));
	assert_false(go_duration_read(&ns, SPAN("4m23")));
	assert_false(go_duration_read(&ns, SPAN("s")));
	assert_false(go_duration_read(&ns, SPAN("1e5s")));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_known),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_ambiguous),
		cmocka_unit_test(test_go),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
