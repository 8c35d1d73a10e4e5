/* test_table - one table in four forms, with hostile cells. */
#include "config.h"

#include "tests/curve/make_series.h"

#include "base/clock.h"
#include "base/json.h"
#include "report/markdown.h"
#include "report/page.h"
#include "report/table.h"
#include "report/width.h"

static const struct report_column columns[] = {
	{ .name = "attempt", .title = "#", .type = REPORT_ID },
	{ .name = "outcome", .title = "outcome", .type = REPORT_TEXT },
	{ .name = "gap", .title = "gap", .type = REPORT_DOUBLE, .unit = "pp", .decimals = 2 },
	{ .name = "cost_nano_usd", .title = "cost", .type = REPORT_MONEY },
	{ .name = "steps", .title = "steps", .type = REPORT_INTEGER },
	{ .name = "silent", .title = "silent", .type = REPORT_BOOL },
	{ .name = "levels", .title = NULL, .type = REPORT_JSON },
};

static struct report_table *make_table(struct arena *a)
{
	struct report_table *t = report_table_new(a, "attempts", columns, ARRAY_LEN(columns));

	report_row(t);
	report_integer(t, "attempt", 2);
	report_text(t, "outcome", "error");
	report_double(t, "gap", -1.6449);
	report_integer(t, "cost_nano_usd", INT64_C(310000000));
	report_integer(t, "steps", 12345);
	report_bool(t, "silent", false);
	report_json(t, "levels", "{\"gpu\":\"L3\"}", "L3");
	report_row(t);
	report_integer(t, "attempt", 13);
	report_text(t, "outcome", "a|b <i>\033[2J\"x\",\xff");
	report_double(t, "gap", NAN);
	report_unknown(t, "cost_nano_usd");
	report_note(t, "%d attempts", 2);
	return t;
}

/* Where people see a "?" it is said what it means, once. */
static void test_unknown_is_explained(void **state)
{
	static const struct report_column seen[] = { { .name = "a", .title = "a", .type = REPORT_TEXT },
		{ .name = "b", .title = NULL, .type = REPORT_TEXT } };
	struct arena a = ARENA_INIT;
	struct report_table *t = report_table_new(&a, "t", seen, ARRAY_LEN(seen));

	(void)state;
	report_row(t);
	report_unknown(t, "b");
	report_note_unknown(t);
	assert_null(t->notes);
	report_row(t);
	report_unknown(t, "a");
	report_note_unknown(t);
	assert_non_null(t->notes);
	assert_string_equal(t->notes->text, "?: there is one, and nobody knows it; -: there is none");
	assert_null(t->notes->next);
	arena_release(&a);
}

static void test_text(void **state)
{
	struct arena a = ARENA_INIT;
	struct buf b = BUF_INIT;
	struct report_table *t = make_table(&a);

	(void)state;
	report_table_text(t, &b, NULL);
	assert_string_equal(b.s,
		" #  outcome               gap (pp)   cost   steps  silent\n"
		" 2  error                    -1.64  $0.31  12,345  no\n"
		"13  a|b <i>^[[2J\"x\",<FF>       NaN      ?       -  -\n"
		"2 attempts\n");
	buf_clear(&b);
	report_table_text(t, &b, &(struct report_style){ .width = 46, .no_heading = true });
	assert_string_equal(b.s,
		" 2  error             -1.64  $0.31  12,345  no\n"
		"13  a|b <i>^[[2J\"x\"\xe2\x80\xa6    NaN      ?       -  -\n"
		"2 attempts\n");
	buf_release(&b);
	arena_release(&a);
}

static void test_narrow_never_overflows(void **state)
{
	struct arena a = ARENA_INIT;
	struct report_table *t = make_table(&a);

	(void)state;
	for (int width = 1; width < 70; width++) {
		struct buf b = BUF_INIT;
		const char *line, *end;

		report_table_text(
			t, &b, &(struct report_style){ .width = width, .ascii = width % 2 });
		for (line = b.s; (end = strchr(line, '\n')); line = end + 1)
			if (width >= 10)
				assert_true(
					width_of_text(line, (size_t)(end - line)) <= (size_t)width);
		buf_release(&b);
	}
	arena_release(&a);
}

static void test_record(void **state)
{
	struct arena a = ARENA_INIT;
	struct buf b = BUF_INIT;
	struct report_table *t = make_table(&a);

	(void)state;
	t->layout = REPORT_RECORD;
	t->n_rows = 1;
	report_text(t, "outcome", "a long sentence that goes over the line");
	report_table_text(t, &b, &(struct report_style){ .width = 30 });
	assert_string_equal(b.s,
		"#         2\n"
		"outcome   a long sentence that\n"
		"          goes over the line\n"
		"gap (pp)  -1.64\n"
		"cost      $0.31\n"
		"steps     12,345\n"
		"silent    no\n"
		"2 attempts\n");
	buf_release(&b);
	arena_release(&a);
}

static void test_markdown(void **state)
{
	struct arena a = ARENA_INIT;
	struct buf b = BUF_INIT;

	(void)state;
	report_table_markdown(make_table(&a), &b);
	assert_string_equal(b.s,
		"| # | outcome | gap (pp) | cost | steps | silent |\n"
		"|---:|---|---:|---:|---:|---|\n"
		"| 2 | error | -1.64 | $0.31 | 12,345 | no |\n"
		"| 13 | a\\|b &lt;i&gt;^\\[\\[2J\"x\",&lt;FF&gt; | NaN | ? | - | - |\n"
		"\n2 attempts\n");
	buf_release(&b);
	arena_release(&a);
}

/* Names and notes of strangers stay words, in a table and in a sentence. */
static void test_markdown_of_strangers(void **state)
{
	static const struct { const char *text, *wanted; } cases[] = {
		{ "#", "#" },
		{ "# big", "\\# big" },
		{ "![x](http://h)", "\\!\\[x\\](http://h)" },
		{ "<b>&amp;", "&lt;b&gt;&amp;amp;" },
		{ "a|b\n## c", "a\\|b^J\\#\\# c" },
		{ "\033[2J", "^\\[\\[2J" },
		{ "num_steps `x` *y* ~z~", "num\\_steps \\`x\\` \\*y\\* \\~z\\~" },
	};
	struct buf b = BUF_INIT;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		buf_clear(&b);
		markdown_add_text(&b, cases[i].text, strlen(cases[i].text));
		assert_string_equal(b.s, cases[i].wanted);
		buf_clear(&b);
		page_sentence(&b, "%s", cases[i].text);
		buf_truncate(&b, strlen(cases[i].wanted));
		assert_string_equal(b.s, cases[i].wanted);
	}
	buf_release(&b);
}

static void test_csv(void **state)
{
	struct arena a = ARENA_INIT;
	struct buf b = BUF_INIT;
	struct report_table *t = make_table(&a);

	(void)state;
	report_row(t);
	report_text(t, "outcome", "=1+1");
	report_table_csv(t, &b);
	assert_string_equal(b.s,
		"attempt,outcome,gap,cost_nano_usd,steps,silent,levels\n"
		"2,error,-1.6449,310000000,12345,false,L3\n"
		"13,\"a|b <i>\033[2J\"\"x\"\",\xff\",NaN,unknown,,,\n"
		",\"'=1+1\",,,,,\n");
	buf_release(&b);
	arena_release(&a);
}

static void test_json(void **state)
{
	struct arena a = ARENA_INIT;
	struct buf b = BUF_INIT;
	const struct json *doc, *row;

	(void)state;
	report_table_json(make_table(&a), &b, false);
	assert_int_equal(json_parse(&doc, &a, b.s, b.n, JSON_STRICT), 0);
	assert_int_equal(json_i64(doc, "schema", 0), 1);
	assert_string_equal(json_str(doc, "kind", ""), "attempts");
	row = json_get(doc, "rows")->first;
	assert_int_equal(json_i64(row, "cost_nano_usd", 0), 310000000);
	assert_string_equal(json_str(json_get(row, "levels"), "gpu", ""), "L3");
	assert_int_equal(json_get(row, "silent")->type, JSON_FALSE);
	row = row->next;
	assert_string_equal(json_str(row, "gap", ""), "NaN");
	assert_string_equal(json_str(row, "cost_nano_usd", ""), "unknown");
	assert_int_equal(json_get(row, "steps")->type, JSON_NULL);
	assert_string_equal(json_get(doc, "notes")->first->text, "2 attempts");
	buf_release(&b);
	arena_release(&a);
}

static void test_other_types(void **state)
{
	static const struct report_column c[] = {
		{ .name = "started", .title = "started", .type = REPORT_TIME },
		{ .name = "duration_ns", .title = "took", .type = REPORT_DURATION },
		{ .name = "size_bytes", .title = "size", .type = REPORT_BYTES },
		{ .name = "x", .title = "x", .type = REPORT_DOUBLE },
		{ .name = "y", .title = "y", .type = REPORT_DOUBLE, .decimals = -1 },
	};
	struct arena a = ARENA_INIT;
	struct buf b = BUF_INIT;
	struct report_table *t = report_table_new(&a, "runs", c, ARRAY_LEN(c));

	(void)state;
	report_row(t);
	report_integer(t, "started", INT64_C(1761409316123) * NS_PER_MS);
	report_integer(t, "duration_ns", 14 * NS_PER_S);
	report_integer(t, "size_bytes", 1234567);
	report_double(t, "x", 1.0 / 3);
	report_double(t, "y", 2.6);
	report_table_text(t, &b, &(struct report_style){ .no_heading = true });
	assert_string_equal(b.s, "2025-10-25T16:21:56.123Z  14s  1.2 MB  0.333333  3\n");
	assert_int_equal(report_cell(t, 0, "size_bytes")->integer, 1234567);
	buf_release(&b);
	arena_release(&a);
}

static void test_width(void **state)
{
	size_t taken;

	(void)state;
	assert_int_equal(width_of_text("abc", 3), 3);
	assert_int_equal(width_of_text("\xe6\xbc\xa2\xe5\xad\x97", 6), 4);
	assert_int_equal(width_of_text("e\xcc\x81", 3), 1);
	assert_int_equal(width_of_text("\xf0\x9f\x98\x80", 4), 2);
	assert_int_equal(width_fit("\xe6\xbc\xa2\xe5\xad\x97", 6, 3, &taken), 3);
	assert_int_equal(taken, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_unknown_is_explained),
		cmocka_unit_test(test_narrow_never_overflows),
		cmocka_unit_test(test_record),
		cmocka_unit_test(test_markdown),
		cmocka_unit_test(test_markdown_of_strangers),
		cmocka_unit_test(test_csv),
		cmocka_unit_test(test_json),
		cmocka_unit_test(test_other_types),
		cmocka_unit_test(test_width),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
