/*
 * Words of changed lines, and lines laid side by side.
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "store/diff.h"
#include "store/word_diff.h"

struct vector {
	const char *old_text, *new_text;
	const char *old_marks, *new_marks;	/* ^ under each marked byte */
	bool whole;
};

static const struct vector vectors[] = {
	{ "x = a + b", "x = a - b", "      ^  ", "      ^  ", false },
	{ "model.cuda()", "model.to(device)", "      ^^^^ ", NULL, false },
	{ "same line", "same line", "         ", "         ", false },
	{ "lr = 1e-4", "lr = 1e-4  # warm up", "         ", "         ^^^^^^^^^^^", false },
	{ "a b c d", "a x y d", "  ^^^  ", "  ^^^  ", false },
	{ "completely different", "nothing in common here", "^^^^^^^^^^^^^^^^^^^^",
		"^^^^^^^^^^^^^^^^^^^^^^", true },
	{ "", "", "", "", false },
	{ "  pass", "    pass", "^^    ", "^^^^    ", false },
};

static char *marks_of(struct arena *a, const struct word_range *rows, size_t n, size_t length)
{
	char *marks = arena_alloc(a, length + 1);

	memset(marks, ' ', length);
	for (size_t i = 0; i < n; i++) {
		assert_true(rows[i].start + rows[i].n <= length);
		memset(marks + rows[i].start, '^', rows[i].n);
	}
	return marks;
}

static void test_vectors(void **state)
{
	struct arena a = ARENA_INIT;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(vectors); i++) {
		const struct vector *v = &vectors[i];
		struct word_marks m;

		word_diff(
			&m, &a, v->old_text, strlen(v->old_text), v->new_text, strlen(v->new_text));
		assert_int_equal(m.whole, v->whole);
		if (strlen(v->old_marks) == strlen(v->old_text))
			assert_string_equal(
				marks_of(&a, m.old_ranges, m.n_old, strlen(v->old_text)),
				v->old_marks);
		if (v->new_marks != NULL)
			assert_string_equal(
				marks_of(&a, m.new_ranges, m.n_new, strlen(v->new_text)),
				v->new_marks);
	}
	arena_release(&a);
}

static void test_utf8_is_not_split(void **state)
{
	struct arena a = ARENA_INIT;
	struct word_marks m;

	(void)state;
	word_diff(&m, &a, "x \xc3\xa9 y", 6, "x \xc3\xa8 y", 6);
	assert_int_equal(m.n_old, 1);
	assert_int_equal(m.old_ranges[0].start, 2);
	assert_int_equal(m.old_ranges[0].n, 2);
	arena_release(&a);
}

static void test_long_lines_are_bounded(void **state)
{
	struct arena a = ARENA_INIT;
	struct buf x = BUF_INIT;
	struct word_marks m;

	(void)state;
	for (int i = 0; i < 5000; i++)
		buf_addf(&x, "w%d ", i);
	word_diff(&m, &a, x.s, x.n, x.s, x.n - 1);
	assert_true(m.whole);
	assert_int_equal(m.n_old, 1);
	assert_int_equal(m.old_ranges[0].n, x.n);
	buf_release(&x);
	arena_release(&a);
}

static void test_similarity(void **state)
{
	(void)state;
	assert_true(word_similarity("", 0, "", 0) == 1.0);
	assert_true(word_similarity("a b", 3, "a  b", 4) == 1.0);
	assert_true(word_similarity("a b", 3, "c d", 3) == 0.0);
	assert_true(word_similarity("a b c d", 7, "a b x y", 7) == 0.5);
}

static struct diff_line line_of(char origin, const char *text)
{
	return (struct diff_line){ .origin = origin, .text = text, .n = strlen(text) };
}

static void test_side_by_side(void **state)
{
	static const struct diff_row wanted[] = { { 0, 0 }, { -1, 3 }, { 1, 4 }, { 2, -1 },
		{ 5, 5 }, { -1, 6 } };
	struct diff_line lines[7];
	struct arena a = ARENA_INIT;
	struct diff_row *rows;
	size_t n;

	(void)state;
	lines[0] = line_of(' ', "import torch");
	lines[1] = line_of('-', "model = net.cuda()");
	lines[2] = line_of('-', "zzz");
	lines[3] = line_of('+', "device = xla_device()");
	lines[4] = line_of('+', "model = net.to(device)");
	lines[5] = line_of(' ', "train()");
	lines[6] = line_of('+', "step()");
	rows = diff_pair(&n, &a, lines, 0, 7);
	assert_int_equal(n, ARRAY_LEN(wanted));
	for (size_t i = 0; i < n; i++) {
		assert_int_equal(rows[i].left, wanted[i].left);
		assert_int_equal(rows[i].right, wanted[i].right);
	}
	rows = diff_pair(&n, &a, lines, 5, 1);
	assert_int_equal(n, 1);
	assert_int_equal(rows[0].left, 5);
	arena_release(&a);
}

/* Every line occurs once on its side, in order, whatever the block looks like. */
static void test_side_by_side_keeps_all(void **state)
{
	static const char *const words[] = { "a b c d", "a b c e", "x", "", "q r s t" };
	struct diff_line lines[120];
	struct arena a = ARENA_INIT;
	unsigned seed = 7;

	(void)state;
	for (int round = 0; round < 50; round++) {
		struct diff_row *rows;
		int64_t left = -1, right = -1;
		size_t n, lefts = 0, rights = 0;

		for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
			seed = seed * 1103515245u + 12345u;
			lines[i] = line_of(" -+"[(seed >> 16) % 3], words[(seed >> 20) % 5]);
		}
		rows = diff_pair(&n, &a, lines, 0, ARRAY_LEN(lines));
		for (size_t i = 0; i < n; i++) {
			assert_true(rows[i].left < 0 || rows[i].left > left);
			assert_true(rows[i].right < 0 || rows[i].right > right);
			left = rows[i].left >= 0 ? rows[i].left : left;
			right = rows[i].right >= 0 ? rows[i].right : right;
			lefts += rows[i].left >= 0;
			rights += rows[i].right >= 0;
		}
		for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
			lefts -= lines[i].origin != '+';
			rights -= lines[i].origin != '-';
		}
		assert_int_equal(lefts, 0);
		assert_int_equal(rights, 0);
	}
	arena_release(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_vectors),
		cmocka_unit_test(test_utf8_is_not_split),
		cmocka_unit_test(test_long_lines_are_bounded),
		cmocka_unit_test(test_similarity),
		cmocka_unit_test(test_side_by_side),
		cmocka_unit_test(test_side_by_side_keeps_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
