/* test_signature - the catalogue: its examples, its words, and rows that are wrong. */
#include "config.h"

#include "base/text.h"
#include "tests/evidence/triage_data.h"
#include "tests/unit.h"

static struct signature_catalogue *shipped;
static struct signature_matcher *matcher;

static bool matches(size_t i, const char *text)
{
	struct signature_match m;
	int found = signature_match(&m, matcher, signature_at(shipped, i), text, strlen(text), 0);

	assert_true(found >= 0);
	return found > 0;
}

static bool holds_word(const struct signature *s, const char *text)
{
	char *low = xstrdup(text);
	bool found = false;

	for (char *p = low; *p; p++)
		if (*p >= 'A' && *p <= 'Z')
			*p = (char)(*p - 'A' + 'a');
	for (size_t i = 0; i < s->needs.count; i++)
		found = found || strstr(low, s->needs.text[i]);
	free(low);
	return found;
}

static void test_shipped(void **state)
{
	size_t problems;

	(void)state;
	(void)signature_problems(shipped, &problems);
	assert_int_equal(problems, 0);
	assert_int_equal(signature_catalogue_n(shipped), 146);
}

/* Each pattern matches its own example and no other row's. */
static void test_examples(void **state)
{
	struct arena a = ARENA_INIT;
	size_t n = signature_catalogue_n(shipped);

	(void)state;
	for (size_t i = 0; i < n; i++) {
		const struct signature *s = signature_at(shipped, i);
		const char *example = example_of(&a, s);

		assert_true(*s->example && *s->source);
		for (size_t k = 0; k < n; k++)
			if (matches(k, example) != (k == i))
				fail_msg("%s on the example of %s", signature_at(shipped, k)->id,
					s->id);
	}
	arena_release(&a);
}

/* A scan looks for words first: each text that matches must hold one. */
static void test_words(void **state)
{
	struct arena a = ARENA_INIT;

	(void)state;
	for (size_t i = 0; i < signature_catalogue_n(shipped); i++) {
		const struct signature *s = signature_at(shipped, i);

		assert_true(s->needs.count > 0);
		if (!holds_word(s, example_of(&a, s)))
			fail_msg("%s has no word of its example", s->id);
		for (size_t k = 0; k < s->needs.count && !s->anchored; k++)
			assert_null(strchr(s->needs.text[k], ' '));
	}
	arena_release(&a);
}

static void test_harmless(void **state)
{
	struct arena a = ARENA_INIT;
	size_t n, lines = 0;
	char *text = triage_file(&a, "harmless.txt", &n), *line;

	(void)state;
	while ((line = next_line(&text))) {
		lines++;
		for (size_t i = 0; i < signature_catalogue_n(shipped); i++)
			if (matches(i, line))
				fail_msg("%s on: %s", signature_at(shipped, i)->id, line);
	}
	assert_int_equal(lines, 20);
	arena_release(&a);
}

/* ---- words of patterns ------------------------------------------------------------- */

static const struct { const char *pattern, *words; bool whole; } necessary[] = {
	{ "out of memory", "memory", false },
	{ "out of memory", "out of memory", true },
	{ "Kill(?:ed|ing)", "killed|killing", false },
	{ "x?yzzy", "yzzy|xyzzy", false },
	{ "frobnicate|xyzzy", "frobnicate|xyzzy", false },
	{ "(?:ab|cd)+zebra", "zebra", false },
	{ "(?:zebra)?quagga", "zebraquagga|quagga", false },
	{ "(?:zebra)*quagga", "quagga", false },
	{ "(?:zebra){2,}", "zebra", false },
	{ "zeb[rR]a\\d+", "zebra", false },
	{ "(?i)ZEBRA", "zebra", false },
	{ "(?!zebra)quagga", "quagga", false },
	{ "a\\.b\\(c", "a.b(c", false },
	{ "\\bquagga\\b", "quagga", false },
	{ "(?<name>quagga) \\w+", "quagga", false },
	{ "quagga{1,2}", "quagg", false },
	{ "^quagga$", "quagga", true },
	/* nothing that every match holds */
	{ "\\w+", "", false },
	{ "(?:zebra)?", "", false },
	{ "zebra|\\d+", "", false },
	{ "ab", "", false },
	{ "a b c d", "", false },
	{ "(?x) z e b r a", "", false },
	{ "\\x7aebra", "", false },
	{ "zebra(", "", false },
	{ "[^z]", "", false },
	{ "", "", false },
};

static void test_necessary_words(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(necessary); i++) {
		struct signature_words w;
		struct buf all = BUF_INIT;
		int rc = signature_words_find(&w, necessary[i].pattern, necessary[i].whole);

		assert_int_equal(rc, *necessary[i].words ? 0 : ERR_PARSE);
		for (size_t k = 0; k < w.count; k++)
			buf_addf(&all, "%s%s", k ? "|" : "", w.text[k]);
		/* Either order of the two ways of an optional letter is right. */
		if (strcmp(all.s, necessary[i].words) != 0 &&
			!(strcmp(all.s, "xyzzy|yzzy") == 0 &&
				strcmp(necessary[i].words, "yzzy|xyzzy") == 0) &&
			!(strcmp(all.s, "quagga|zebraquagga") == 0 && i == 6))
			fail_msg("%s: %s", necessary[i].pattern, all.s);
		buf_release(&all);
	}
}

/* ---- rows that are wrong ------------------------------------------------------------- */

static const struct { const char *row, *says; } wrong[] = {
	{ "X-1\tC9\tR\t\tany\thit\tfrobnicate", "must be C0 to C6" },
	{ "X-1\tC1\tQ\t\tany\thit\tfrobnicate", "must be R, W, S, N or V" },
	{ "X-1\tC1\tR\t\tleft\thit\tfrobnicate", "must be tpu, gpu" },
	{ "X-1\tC1\tR\t\tany\tsometimes\tfrobnicate", "is no rule" },
	{ "X-1\tC1\tR\t\tany\tcounts\tfrobnicate", "takes 2 numbers" },
	{ "X-1\tC1\tR\t\tany\tcounts -1\tfrobnicate", "numbers above 0" },
	{ "X-1\tC1\tR\t\tany\thit 3\tfrobnicate", "takes nothing behind it" },
	{ "X-1\tC1\tR\t\tany\tbeyond\tfrobnicate", "needs the words" },
	{ "X-1\tC1\tR\t\tany\trepeats 2 C4-11\tfrobnicate", "repeats N ID SECONDS" },
	{ "X-1\tC1\tR\t\tany\thit\t(frobnicate", "wrong at byte" },
	{ "X-1\tC1\tR\t\tany\thit\t\\w+", "write one out" },
	{ "X-1\tC1\tR\t\tany\thit\tfrobnicate\tanother text", "does not match its own example" },
	{ "X-1\tC1\tR\t\tany\thit\t(?:frob(n|nn)*)*icate\t"
	  "frobnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnicat",
		"own example" },
	{ "X-1\tC1\tR\t\tany\thit\t", "no pattern" },
	{ "X 1\tC1\tR\t\tany\thit\tfrobnicate", "letters, digits" },
	{ "C1-01\tC1\tR\t\tany\thit\tfrobnicate", "is in " },
	{ "X-1\tC1\tR\t\tany\thit\tfrobnicate \xff", "not UTF-8" },
};

static void test_wrong_rows(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
		struct signature_catalogue *c = signature_catalogue_new();
		char *text = xasprintf(
			"# mine\nid\tcause\tkind\tstack\tside\trule\tpattern\texample\n"
			"C1-01\tC1\tR\t\tany\thit\tquagga\n%s\nY-1\tC2\tW\t\ttpu\tflag\tzebra\n",
			wrong[i].row);
		const char *const *problems;
		size_t n;

		assert_int_equal(signature_catalogue_add(c, "mine.tsv", text, strlen(text)), 0);
		problems = signature_problems(c, &n);
		assert_int_equal(n, 1);
		assert_true(text_starts(problems[0], "mine.tsv:4: "));
		if (!strstr(problems[0], wrong[i].says))
			fail_msg("%s", problems[0]);
		/* It cost itself alone. */
		assert_int_equal(signature_catalogue_n(c), 2);
		assert_int_equal(signature_find(c, "Y-1"), 1);
		assert_int_equal(signature_find(c, "X-1"), -1);
		signature_catalogue_free(c);
		free(text);
	}
}

static void test_columns(void **state)
{
	static const char short_table[] = "cause\tpattern\tid\nC4\tquagga (\\d+)\tmine-1\r\n";
	static const char unknown[] = "id\tcause\tpatern\n";
	static const char missing[] = "id\tcause\n";
	struct signature_catalogue *c = signature_catalogue_new();

	(void)state;
	assert_int_equal(signature_catalogue_add(c, "a", short_table, sizeof short_table - 1), 0);
	assert_int_equal(signature_catalogue_n(c), 1);
	assert_string_equal(signature_at(c, 0)->id, "mine-1");
	assert_string_equal(signature_at(c, 0)->cause, "C4");
	assert_int_equal(signature_at(c, 0)->kind, SIGNATURE_RAISES);
	assert_int_equal(signature_at(c, 0)->rule, RULE_HIT);
	assert_int_equal(signature_at(c, 0)->line, 2);
	assert_int_equal(signature_catalogue_add(c, "b", unknown, sizeof unknown - 1), ERR_PARSE);
	assert_non_null(strstr(err_text(), "b:1: \"patern\" is no column"));
	assert_int_equal(signature_catalogue_add(c, "c", missing, sizeof missing - 1), ERR_PARSE);
	signature_catalogue_free(c);
}

static void test_rules(void **state)
{
	const struct signature *s = signature_at(shipped, (size_t)signature_find(shipped, "C4-02"));

	(void)state;
	assert_int_equal(s->rule, RULE_COUNTS);
	assert_true(s->limit > 0.49 && s->limit < 0.51);
	assert_int_equal((int)s->minimum, 20);
	s = signature_at(shipped, (size_t)signature_find(shipped, "C4-10"));
	assert_int_equal(s->rule, RULE_REPEATS);
	assert_string_equal(s->other, "C4-11");
	s = signature_at(shipped, (size_t)signature_find(shipped, "C5-06"));
	assert_int_equal(s->words_n, 2);
	assert_string_equal(s->other, "C4");
	assert_true(signature_at(shipped, (size_t)signature_find(shipped, "C4-08"))->two_lines);
	assert_false(signature_at(shipped, (size_t)signature_find(shipped, "C3-09"))->two_lines);
}

/* A pattern that would take for ever is given up, and says so. */
static void test_limits(void **state)
{
	static const char table[] = "id\tcause\tpattern\nslow\tC0\tzebra(?:a|aa|aaa|a?a)*b\n";
	struct signature_catalogue *c = signature_catalogue_new();
	struct signature_match m;
	char text[400] = "zebra";

	(void)state;
	memset(text + 5, 'a', sizeof text - 5);
	assert_int_equal(signature_catalogue_add(c, "a", table, sizeof table - 1), 0);
	assert_int_equal(signature_catalogue_n(c), 1);
	assert_int_equal(
		signature_match(&m, matcher, signature_at(c, 0), text, sizeof text, 0), -1);
	signature_catalogue_free(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_shipped),
		cmocka_unit_test(test_examples),
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_harmless),
		cmocka_unit_test(test_necessary_words),
		cmocka_unit_test(test_wrong_rows),
		cmocka_unit_test(test_columns),
		cmocka_unit_test(test_rules),
		cmocka_unit_test(test_limits),
	};
	int rc;

	shipped = shipped_catalogue();
	matcher = signature_matcher_new();
	rc = cmocka_run_group_tests(tests, NULL, NULL);
	signature_matcher_free(matcher);
	signature_catalogue_free(shipped);
	return rc;
}
