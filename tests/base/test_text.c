/* Sanitising, numbers, orders and the palette's score. */
#include "config.h"

#include "tests/unit.h"

#include "base/text.h"

static void sanitising(void **state)
{
	static const struct {
		const char *in, *out;
	} rows[] = {
		{ "plain", "plain" },
		{ "a\tb", "a b" },
		{ "\x1b[31mred", "^[[31mred" },
		{ "\x7f", "^?" },
		{ "\xc2\x9b"
		  "2J",
			"<U+009B>2J" },
		{ "\xe2\x80\xae"
		  "x",
			"<U+202E>x" },
		{ "\xff\xfe", "<FF><FE>" },
		{ "\xc0\xaf", "<C0><AF>" },
		{ "\xc3\xa9\xe6\x97\xa5", "\xc3\xa9\xe6\x97\xa5" },
		{ "a\nb\rc", "a^Jb^Mc" },
		{ "\xed\xa0\x80", "<ED><A0><80>" },
		{ "\xe2\x81\xa6", "<U+2066>" },
		{ "lo\xe2\x80\x8bss", "lo<U+200B>ss" },
		{ "lo\xe2\x80\x8dss", "lo<U+200D>ss" },
		{ "lo\xe2\x81\xa0ss", "lo<U+2060>ss" },
		{ "lo\xe2\x81\xa4ss", "lo<U+2064>ss" },
		{ "\xef\xbb\xbfloss", "<U+FEFF>loss" },
		{ "loss\xf3\xa0\x81\x81", "loss<U+E0041>" },
		{ "loss\xf3\xa0\x84\x80", "loss<U+E0100>" },
		{ "lo\xe1\xa0\x8ess", "lo<U+180E>ss" },
	};
	struct buf once = BUF_INIT, twice = BUF_INIT;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		buf_clear(&once);
		buf_clear(&twice);
		text_sanitise(&once, rows[i].in, strlen(rows[i].in));
		assert_string_equal(once.s, rows[i].out);
		text_sanitise(&twice, once.s, once.n);
		assert_string_equal(twice.s, once.s);
	}
	buf_release(&once);
	buf_release(&twice);
}

static void no_byte_string_lets_a_control_through(void **state)
{
	struct buf out = BUF_INIT;

	(void)state;
	srand(7);
	for (int round = 0; round < 20000; round++) {
		char in[12];
		size_t n = (size_t)(rand() % 12), at = 0;

		for (size_t i = 0; i < n; i++)
			in[i] = (char)(rand() % 256);
		buf_clear(&out);
		text_sanitise(&out, in, n);
		while (at < out.n) {
			uint32_t cp;

			at += utf8_decode(out.s + at, out.n - at, &cp);
			assert_false(text_is_control(cp));
		}
	}
	buf_release(&out);
}

static void numbers(void **state)
{
	static const struct {
		const char *text;
		double value;
	} good[] = {
		{ "1", 1 },
		{ "-0.5", -0.5 },
		{ ".5", .5 },
		{ "5.", 5 },
		{ "7.39E+00", 7.39 },
		{ "1e-5", 1e-5 },
		{ "+3", 3 },
		{ "inf", INFINITY },
		{ "-Infinity", -INFINITY },
		{ "1e999", INFINITY },
		{ "0.30000000000000004", 0.1 + 0.2 },
	};
	static const char *const bad[] = { "", "-", "0x1F", "1.2.3", "12:30", "1e", "e5", ".",
		"nano", "1 ", " 1", "1,000", "nan(1)" };
	double v;
	int64_t i;

	(void)state;
	for (size_t k = 0; k < ARRAY_LEN(good); k++) {
		assert_true(text_to_double(good[k].text, strlen(good[k].text), &v));
		assert_true(v == good[k].value);
	}
	for (size_t k = 0; k < ARRAY_LEN(bad); k++)
		if (text_to_double(bad[k], strlen(bad[k]), &v))
			fail_msg("took %s", bad[k]);
	assert_true(text_to_double("NaN", 3, &v) && isnan(v));
	assert_true(text_to_i64("-9223372036854775808", 20, &i) && i == INT64_MIN);
	assert_true(text_to_i64("9223372036854775807", 19, &i) && i == INT64_MAX);
	assert_false(text_to_i64("9223372036854775808", 19, &i));
	assert_false(text_to_i64("", 0, &i));
	assert_false(text_to_i64("1x", 2, &i));
}

static void doubles_read_back(void **state)
{
	static const double values[] = { 0.1, 0.1 + 0.2, 1e300, 5e-324, 86.53, -0.0, 1.0 / 3,
		123456789012345680.0 };
	char text[TEXT_DOUBLE_MAX];
	double back;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(values); i++) {
		size_t n = text_from_double(text, values[i]);

		assert_true(text_to_double(text, n, &back));
		assert_true(back == values[i]);
	}
	text_from_double(text, 86.53);
	assert_string_equal(text, "86.53");
	text_from_double(text, NAN);
	assert_string_equal(text, "NaN");
}

static void orders_and_matches(void **state)
{
	(void)state;
	assert_true(text_compare_natural("a2", "a10") < 0);
	assert_true(text_compare_natural("a10", "a10b") < 0);
	assert_int_equal(text_compare_natural("a10", "a10"), 0);
	assert_true(text_compare_natural("a01", "a1") != 0);
	assert_true(text_glob("eval_*", "eval_accuracy"));
	assert_true(text_glob("*a*b*", "xxaxxbxx"));
	assert_false(text_glob("eval_?", "eval_ab"));
	assert_true(
		text_fuzzy_score("atl", "attempt list") > text_fuzzy_score("atl", "rotate label"));
	assert_int_equal(text_fuzzy_score("xyz", "attempt list"), -1);
	assert_true(text_fuzzy_score("", "anything") >= 0);
}

static void texts_are_cut_between_characters(void **state)
{
	/* 1, 2, 3, 4 and 1 bytes */
	static const char text[] = "a\303\251\342\202\254\360\237\230\200z";
	static const size_t wanted[] = { 0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 11, 11 };
	static const char stray[] = "\200\200\200\200\200\200\200\200\200\200";

	(void)state;
	for (size_t max = 0; max < ARRAY_LEN(wanted); max++)
		assert_int_equal(text_cut(text, strlen(text), max), wanted[max]);
	assert_int_equal(text_cut(text, 0, 5), 0);
	assert_int_equal(text_cut(stray, strlen(stray), 7), 7);
	assert_int_equal(text_cut(stray, strlen(stray), 1), 1);
}

static void words_keep_what_is_quoted(void **state)
{
	static const struct {
		const char *text, *words[4];
	} cases[] = {
		{ "", { NULL } },
		{ " \t ", { NULL } },
		{ "vi", { "vi" } },
		{ " emacs\t-nw  +7 ", { "emacs", "-nw", "+7" } },
		{ "'/opt/my editor/e' --title \"it's\"",
			{ "/opt/my editor/e", "--title", "it's" } },
		{ "a'b c'd '' \"open end", { "ab cd", "", "open end" } },
		{ "$HOME;rm *", { "$HOME;rm", "*" } },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct arena a = ARENA_INIT;
		size_t n, wanted = 0;
		char **words = text_words(&a, cases[i].text, &n);

		for (; cases[i].words[wanted]; wanted++)
			assert_string_equal(words[wanted], cases[i].words[wanted]);
		assert_int_equal(n, wanted);
		assert_null(words[n]);
		arena_release(&a);
	}
}

static void fuzzy_cost_is_bounded(void **state)
{
	char needle[4000], haystack[4000];

	(void)state;
	memset(needle, 'a', sizeof needle);
	memset(haystack, 'a', sizeof haystack);
	needle[100] = '\0';
	haystack[sizeof haystack - 1] = '\0';
	assert_true(text_fuzzy_score(needle, haystack) > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sanitising),
		cmocka_unit_test(no_byte_string_lets_a_control_through),
		cmocka_unit_test(numbers),
		cmocka_unit_test(doubles_read_back),
		cmocka_unit_test(orders_and_matches),
		cmocka_unit_test(texts_are_cut_between_characters),
		cmocka_unit_test(words_keep_what_is_quoted),
		cmocka_unit_test(fuzzy_cost_is_bounded),
	};

	return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}
