/* Durations, money and prices are exact; a value without its unit is refused. */
#include "config.h"

#include "tests/unit.h"

#include "base/clock.h"
#include "base/err.h"
#include "base/units.h"

static void durations(void **state)
{
	static const char *const bad[] = { "", "15", "m", "15 m", "-1s", "1x",
		"9999999999999999999h", "1.5h" };
	int64_t ns;

	(void)state;
	assert_int_equal(units_duration_ns(&ns, "1h30m"), 0);
	assert_int_equal(ns, 5400 * NS_PER_S);
	assert_int_equal(units_duration_ns(&ns, "500ms"), 0);
	assert_int_equal(ns, NS_PER_S / 2);
	for (size_t i = 0; i < ARRAY_LEN(bad); i++)
		assert_int_equal(units_duration_ns(&ns, bad[i]), ERR_PARSE);
}

/* The study's printed costs: minutes at 0.8536 USD/hour and 1.20 USD/chip-hour. */
static void prices(void **state)
{
	struct price gpu, tpu;
	const int64_t minute = 60 * NS_PER_S;

	(void)state;
	assert_int_equal(units_price(&gpu, "0.8536 USD/hour"), 0);
	assert_int_equal(units_price(&tpu, "1.20 USD/chip-hour"), 0);
	assert_int_equal(price_cost_nano_usd(&gpu, 359 * minute / 10, 1), 510737333);
	assert_int_equal(price_cost_nano_usd(&tpu, 12 * minute, 1), 240000000);
	assert_int_equal(price_cost_nano_usd(&tpu, 12 * minute, 4), 960000000);
	assert_int_equal(price_cost_nano_usd(&gpu, 60 * minute, 4), 853600000);
	assert_int_equal(units_price(&gpu, "0.8536"), ERR_PARSE);
	assert_int_equal(units_price(&gpu, "0.8536 EUR/hour"), ERR_PARSE);
	gpu.known = false;
	assert_int_equal(price_cost_nano_usd(&gpu, minute, 1), -1);
}

static void money(void **state)
{
	struct buf b = BUF_INIT;
	int64_t nano;

	(void)state;
	assert_int_equal(units_money_nano_usd(&nano, "20.00 USD"), 0);
	assert_int_equal(nano, 20 * NANO_USD);
	assert_int_equal(units_money_nano_usd(&nano, "0.000000001 USD"), 0);
	assert_int_equal(nano, 1);
	assert_int_equal(units_money_nano_usd(&nano, "20.00"), ERR_PARSE);
	assert_int_equal(units_money_nano_usd(&nano, "0.0000000001 USD"), ERR_PARSE);
	units_add_money(&b, 310000000);
	buf_addc(&b, ' ');
	units_add_money(&b, 4200000);
	buf_addc(&b, ' ');
	units_add_money(&b, 9999999999);
	buf_addc(&b, ' ');
	units_add_count(&b, -1234567);
	buf_addc(&b, ' ');
	units_add_bytes(&b, 1234567);
	assert_string_equal(b.s, "$0.31 $0.0042 $10.00 -1,234,567 1.2 MB");
	buf_release(&b);
}

static void times(void **state)
{
	struct buf b = BUF_INIT;
	char iso[CLOCK_ISO_MAX];
	int64_t ns, other;

	(void)state;
	assert_true(clock_from_iso(&ns, "2026-10-25T16:21:56.123Z"));
	clock_iso(iso, ns);
	assert_string_equal(iso, "2026-10-25T16:21:56.123Z");
	assert_true(clock_from_iso(&other, "2026-10-25T18:21:56.123+02:00"));
	assert_int_equal(ns, other);
	assert_false(clock_from_iso(&ns, "2026-10-25 16:21"));
	assert_false(clock_from_iso(&ns, "9999-10-25T16:21:56Z"));
	assert_false(clock_from_iso(&ns, "2026-02-31T16:21:56Z"));
	assert_false(clock_from_iso(&ns, "2026-02-29T16:21:56Z"));
	assert_true(clock_from_iso(&ns, "2024-02-29T16:21:56Z"));
	assert_false(clock_from_iso(&ns, "2100-02-29T16:21:56Z"));
	assert_false(clock_from_iso(&ns, "2026-04-31T16:21:56Z"));
	assert_true(clock_from_iso(&ns, "2026-12-31T16:21:56-23:59"));
	assert_false(clock_from_iso(&ns, "2026-12-31T16:21:56+99:99"));
	assert_false(clock_from_iso(&ns, "2026-12-31T16:21:56+24:00"));
	assert_false(clock_from_iso(&ns, "2026-12-31T16:21:56+0160"));
	clock_iso(iso, -1);
	assert_string_equal(iso, "1969-12-31T23:59:59.999Z");
	clock_add_duration(&b, 4860 * NS_PER_S);
	buf_addc(&b, ' ');
	clock_add_duration(&b, 125 * NS_PER_S);
	buf_addc(&b, ' ');
	clock_add_duration(&b, -1);
	assert_string_equal(b.s, "1h21m 2m05s -");
	buf_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(durations),
		cmocka_unit_test(prices),
		cmocka_unit_test(money),
		cmocka_unit_test(times),
	};

	return cmocka_run_group_tests_name("units", tests, NULL, NULL);
}
