/*
 * Patterns to which all digits are alike; and that lines which differ in digits alone
 * are then read as the search would read them.
 */
#include "config.h"

#include <stdio.h>

#include "read_alike.h"

#include "curve/pattern_digits.h"
#include "curve/terminal.h"

static void patterns_are_told_apart(void **state)
{
	static const char *const alike[] = {
		"step (?<step>\\d+) loss: (?<value>[-+.eE\\d]+)",
		"step[ =](?<step>\\d+)\\s+.*?loss[ =](?<value>[-+.\\deE]+)",
		"(?<step>[0-9]+)[^0-9](?<value>\\S+)",
		"(?P<step>[\\d.]+)(?:\\t|,)(?'value'[[:digit:].]+)",
		"(?i)STEP (?=.)(?<step>\\w+)\\](?<value>[!-~]+)$",
		"(?<step>[[:xdigit:]_-]+)(?<=a|b)(?<!c)(?<value>[a-f\\-+]*)",
		"",
	};
	static const char *const apart[] = {
		"rank 0: (?<step>\\d+) (?<value>.+)",
		"(?<step>[1-5]\\d*) (?<value>.+)",
		"(?<step>[+-0-9]+) (?<value>.+)",	/* from + to 0, a minus, a 9 */
		"(?<step>[0-9-5]+) (?<value>.+)",
		"(?<step>[!-5]+) (?<value>.+)",
		"(?<step>[5-~]+) (?<value>.+)",
		"(?<step>\\d{3}) (?<value>.+)",
		"(?<step>\\d+) (?<value>\\g{step}.+)",
		"(?<step>\\d+) (?<value>\\k<step>.+)",
		"(?<step>\\d+) (?P=step)(?<value>.+)",
		"(?<step>\\d+) (?<value>\\x35.+)",
		"(?<step>\\d+) \\Q[5]\\E(?<value>.+)",
		"(?x)(?<step>\\d+) (?<value>.+) # [",
		"(?<step>\\d+) (?# [ )(?<value>.+)",
		"(*UTF)(?<step>\\d+) (?<value>.+)",
		"(?<step>\\d+)(?(<step>)a|b) (?<value>.+)",
		"(?<step>\\d+)(?&step) (?<value>.+)",
		"(?<step>[]5]+) (?<value>.+)",
		"(?<step>[[:a]5[:]+) (?<value>.+)",
		"(?<step>\\p{Nd}+) (?<value>.+)",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(alike); i++)
		if (!pattern_digits_are_alike(alike[i]))
			fail_msg("%s", alike[i]);
	for (size_t i = 0; i < ARRAY_LEN(apart); i++)
		if (pattern_digits_are_alike(apart[i]))
			fail_msg("%s", apart[i]);
}

static unsigned pick(unsigned n)
{
	static uint64_t seed = 5;

	seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (unsigned)(seed >> 33) % n;
}

/* Rows of which many have the same bytes but for digits. */
static void add_row(struct buf *text, unsigned i)
{
	static const char *const ends[] = { "\n", "\n", "\n", "\r\n", "\r", "\n\n" };

	switch (pick(8)) {
	case 0:
		buf_addf(text, "2026-0%u-1%u 00:00:%02u INFO step %u loss: nan", 1 + pick(9), pick(9),
			i % 60, i);
		break;
	case 1:
		buf_addf(text, "layer%u step %u loss: %u.%04u", pick(3), i, pick(3), pick(10000));
		break;
	case 2:
		buf_addf(text, "step %u%s loss: %u.5", i, pick(2) ? "99999999999999999999" : "", pick(9));
		break;
	case 3:
		buf_addf(text, "Epoch %u/9 [%u/77]", 1 + i / 9, pick(9));
		break;
	default:
		buf_addf(text, "2026-01-0%u 00:00:%02u INFO step %u loss: %u.%03u lr: %ue-05", 1 + pick(9),
			i % 60, 1000 + i, pick(9), pick(1000), 1 + pick(9));
	}
	buf_adds(text, ends[pick(ARRAY_LEN(ends))]);
}

static void lines_are_read_as_they_would_be_searched(void **state)
{
	static const char *const patterns[] = {
		"step (?<step>\\d+) loss: (?<value>[-+.eE\\w]+)",
		"(?<name>\\w+) step (?<step>\\d+) \\w+: (?<value>[^ ]+)",
		"lr: (?<value>\\S+)(?<epoch>)|INFO step (?<step>\\S+)",
		"step (?<step>\\d+) loss: (?<value>[0-4]\\S+)",
		"step (?<step>\\d+).*loss: (?<value>\\d)|(?<name>lr): (?<value>\\S+)",
	};
	struct curve_options options = { .patterns = NULL };
	struct buf text = BUF_INIT;

	(void)state;
	for (unsigned i = 0; i < 200; i++) {
		unsigned first = pick(ARRAY_LEN(patterns));

		buf_clear(&text);
		for (unsigned k = pick(300); k; k--)
			add_row(&text, k + pick(2));
		options.patterns = patterns + first;
		options.n_patterns = 1 + pick(ARRAY_LEN(patterns) - first);
		assert_reads_alike_with(&terminal_format, &text, &options, 1 + pick(4));
	}
	buf_release(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(patterns_are_told_apart),
		cmocka_unit_test(lines_are_read_as_they_would_be_searched),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
