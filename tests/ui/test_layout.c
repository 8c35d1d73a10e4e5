/* Tests of ui/layout.h: at every size nothing overlaps and nothing lies outside. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ui/layout.h"

static bool is_within(struct rect r, struct rect outer)
{
	if (r.rows == 0 || r.cols == 0)
		return true;
	return r.rows > 0 && r.cols > 0 && r.row >= outer.row && r.col >= outer.col &&
	       r.row + r.rows <= outer.row + outer.rows && r.col + r.cols <= outer.col + outer.cols;
}

static bool overlap(struct rect a, struct rect b)
{
	if (rect_is_empty(a) || rect_is_empty(b))
		return false;
	return a.row < b.row + b.rows && b.row < a.row + a.rows && a.col < b.col + b.cols &&
		b.col < a.col + a.cols;
}

static void check(const struct rect *parts, int n, struct rect outer)
{
	for (int i = 0; i < n; i++) {
		assert_true(is_within(parts[i], outer));
		for (int k = i + 1; k < n; k++)
			assert_false(overlap(parts[i], parts[k]));
	}
}

static void check_split(struct split_layout l, struct rect outer)
{
	const struct rect parts[] = { l.main, l.detail, l.rule };

	check(parts, 3, outer);
	assert_false(rect_is_empty(l.main) && !rect_is_empty(outer));
}

static void all_sizes(void **state)
{
	(void)state;
	for (int rows = 1; rows <= 60; rows++)
		for (int cols = 1; cols <= 200; cols++) {
			struct rect screen = { 0, 0, rows, cols };
			struct frame_layout l = layout_frame(rows, cols);
			const struct rect parts[] = { l.title, l.tabs, l.body, l.message,
				l.footer };

			check(parts, 5, screen);
			assert_int_equal(l.too_small, rows < 8 || cols < 40);
			if (!l.too_small) {
				assert_int_equal(l.body.rows, rows - 3 - l.tabs.rows);
				assert_int_equal(l.body.cols, cols);
			}
			for (int wanted = 0; wanted < 12; wanted += 3)
				check_split(layout_split(l.body, wanted), l.body);
			assert_true(is_within(layout_dialog(l.body, 20, 78), l.body));
		}
}

static void known_sizes(void **state)
{
	struct frame_layout l = layout_frame(24, 80);

	(void)state;
	assert_int_equal(l.tabs.rows, 1);
	assert_int_equal(l.body.row, 2);
	assert_int_equal(l.body.rows, 20);
	assert_int_equal(layout_frame(8, 40).body.rows, 5);
	assert_false(layout_split(l.body, 8).side_by_side);
	assert_int_equal(layout_split(l.body, 8).detail.rows, 11);
	assert_true(layout_split((struct rect){ 0, 0, 20, 120 }, 8).side_by_side);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_sizes),
		cmocka_unit_test(known_sizes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
