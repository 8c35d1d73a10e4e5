/* Tests of ui/list.h: selection, order, filter, marks, columns. */
#include "config.h"

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "command/key.h"
#include "ui/list.h"

struct names { const char *rows[64]; long n; };

static long count(void *user)
{
	const struct names *names = user;

	return names->n;
}

static void cell(void *user, long row, int column, struct list_cell *out)
{
	const struct names *names = user;

	if (column == 0)
		buf_adds(out->text, names->rows[row]);
	else
		buf_addf(out->text, "%ld", row);
}

static void key(void *user, long row, struct buf *out)
{
	const struct names *names = user;

	buf_adds(out, names->rows[row]);
}

static const struct list_column columns[] = { { "name", 6, 1, 0, false },
	{ "row", 4, 0, 1, true } };
static const struct list_source source = {
	.columns = columns, .n_columns = 2, .count = count, .cell = cell, .key = key,
	.empty = "press r to make a run",
};

static struct names some_names(void)
{
	return (struct names){ { "a10", "b", "a2", "c", "a1" }, 5 };
}

static void selection_follows_its_key(void **state)
{
	struct names names = some_names();
	struct list l;

	(void)state;
	list_init(&l, &source, &names);
	assert_int_equal(list_selected(&l), -1);
	list_reload(&l);
	list_move(&l, MOTION_LAST);
	assert_int_equal(list_selected(&l), 4);
	names = (struct names){ { "new", "a10", "a1", "b" }, 4 };
	list_reload(&l);
	assert_int_equal(list_selected(&l), 2);		/* a1 has moved */
	names = (struct names){ { "x", "y" }, 2 };
	list_reload(&l);
	assert_int_equal(list_selected(&l), 1);		/* what took its place */
	names.n = 0;
	list_reload(&l);
	assert_int_equal(list_selected(&l), -1);
	assert_int_equal(list_key(&l, 'j'), OUTCOME_USED);
	list_toggle_mark(&l);
	list_release(&l);
}

static void rows_sort_as_people_do(void **state)
{
	static const long wanted[] = { 4, 2, 0, 1, 3 };
	struct names names = some_names();
	struct list l;

	(void)state;
	list_init(&l, &source, &names);
	list_reload(&l);
	list_sort(&l, 0);
	assert_memory_equal(l.shown, wanted, sizeof wanted);
	list_sort(&l, 0);
	assert_int_equal(l.shown[0], 3);
	list_set_filter(&l, "A1");
	assert_int_equal(l.n_shown, 2);
	assert_int_equal(l.shown[0], 0);
	assert_int_equal(list_key(&l, K_ESC), OUTCOME_CHANGED);
	assert_int_equal(l.n_shown, 5);
	assert_int_equal(list_key(&l, K_ESC), OUTCOME_UNUSED);
	list_release(&l);
}

static void marks_and_ranges(void **state)
{
	struct names names = some_names();
	struct list l;

	(void)state;
	list_init(&l, &source, &names);
	list_reload(&l);
	list_key(&l, ' ');
	assert_true(list_is_marked(&l, 0));
	assert_int_equal(list_selected(&l), 1);
	list_move(&l, MOTION_LAST);
	list_key(&l, 'v');
	list_move(&l, MOTION_UP);
	list_move(&l, MOTION_UP);
	list_key(&l, 'v');
	assert_int_equal(list_count_marked(&l), 4);
	assert_false(list_is_marked(&l, 1));
	list_key(&l, K_ESC);
	assert_int_equal(list_count_marked(&l), 0);
	list_release(&l);
}

static void a_pair_is_chosen(void **state)
{
	struct names names = some_names();
	struct list l;
	long rows[2] = { -1, -1 };

	(void)state;
	list_init(&l, &source, &names);
	list_reload(&l);
	assert_int_equal(list_chosen_pair(&l, rows), 0);
	list_move(&l, MOTION_DOWN);
	list_move(&l, MOTION_DOWN);
	list_toggle_mark(&l);
	list_move(&l, MOTION_FIRST);
	assert_int_equal(list_chosen_pair(&l, rows), 2);	/* the selected one, too */
	assert_int_equal(rows[0], 0);
	assert_int_equal(rows[1], 2);
	list_move(&l, MOTION_DOWN);
	list_move(&l, MOTION_DOWN);
	assert_int_equal(list_chosen_pair(&l, rows), 1);	/* it is the marked one */
	list_move(&l, MOTION_FIRST);
	list_toggle_mark(&l);
	list_toggle_mark(&l);
	assert_int_equal(list_chosen_pair(&l, rows), 3);
	list_release(&l);
}

/* A row that comes in front takes no mark from another one. */
static void marks_follow_their_rows(void **state)
{
	struct names names = some_names();
	struct list l;

	(void)state;
	list_init(&l, &source, &names);
	list_reload(&l);
	list_select(&l, 2);
	list_toggle_mark(&l);
	memmove(names.rows + 1, names.rows, 5 * sizeof *names.rows);
	names.rows[0] = "new";
	names.n = 6;
	list_reload(&l);
	assert_int_equal(list_count_marked(&l), 1);
	assert_true(list_is_marked(&l, 3));
	names.rows[3] = "gone";
	list_reload(&l);
	assert_int_equal(list_count_marked(&l), 0);
	names.rows[3] = "a2";
	list_reload(&l);
	assert_true(list_is_marked(&l, 3));
	list_clear_marks(&l);
	list_reload(&l);
	assert_int_equal(list_count_marked(&l), 0);
	list_release(&l);
}

static void search_wraps(void **state)
{
	struct names names = some_names();
	struct list l;

	(void)state;
	list_init(&l, &source, &names);
	list_reload(&l);
	list_set_search(&l, "a");
	assert_true(list_search(&l, 1));
	assert_int_equal(list_selected(&l), 2);
	assert_true(list_search(&l, 1));
	assert_true(list_search(&l, 1));
	assert_int_equal(list_selected(&l), 0);
	assert_true(list_search(&l, -1));
	assert_int_equal(list_selected(&l), 4);
	list_set_search(&l, "zz");
	assert_false(list_search(&l, 1));
	list_release(&l);
}

static void selected_row_is_always_seen(void **state)
{
	struct names names = { .n = 60 };
	struct canvas c;
	struct list l;

	(void)state;
	for (int i = 0; i < 60; i++)
		names.rows[i] = "row";
	list_init(&l, &source, &names);
	list_reload(&l);
	canvas_init(&c, 1, 1);
	for (int rows = 1; rows < 14; rows++)
		for (int cols = 1; cols < 40; cols += 6) {
			list_move(&l, rows % 2 ? MOTION_LAST : MOTION_HALF_UP);
			canvas_resize(&c, rows, cols);
			list_draw(&l, &c, canvas_all(&c));
			assert_int_equal(canvas_cell(&c, c.cursor_row, 0)->ground, GROUND_SELECT);
		}
	canvas_release(&c);
	list_release(&l);
}

static void list_looks_like_this(void **state)
{
	struct names names = some_names();
	struct buf text = BUF_INIT;
	struct canvas c;
	struct list l;

	(void)state;
	canvas_init(&c, 4, 20);
	list_init(&l, &source, &names);
	list_reload(&l);
	list_key(&l, ' ');
	list_draw(&l, &c, canvas_all(&c));
	canvas_dump_text(&c, &text);
	assert_string_equal(text.s,
		"  name           row\n* a10              0\n"
		"  b                1\n  a2               2\n");
	names.n = 0;
	list_reload(&l);
	canvas_clear(&c);
	list_draw(&l, &c, canvas_all(&c));
	buf_clear(&text);
	canvas_dump_text(&c, &text);
	assert_string_equal(text.s, "  name           row\n  press r to make a\n  run\n\n");
	buf_release(&text);
	list_release(&l);
	canvas_release(&c);
}

static void columns_go_before_they_are_cut(void **state)
{
	static const struct list_column k[] = {
		{ "a", 4, 0, 0, false },
		{ "b", 10, 3, 0, false },
		{ "c", 6, 1, 1, false },
		{ "d", 8, 0, 2, false },
	};
	int w[4];

	(void)state;
	list_layout(k, 4, 43, w);
	assert_int_equal(w[0], 4);
	assert_int_equal(w[1], 19);
	assert_int_equal(w[2], 9);
	assert_int_equal(w[3], 8);
	list_layout(k, 4, 30, w);
	assert_int_equal(w[3], 0);
	assert_int_equal(w[2], 8);
	list_layout(k, 4, 16, w);
	assert_int_equal(w[2], 0);
	assert_int_equal(w[1], 11);
}

/* A list that is longer than its room says so. */
static void a_list_that_goes_on_says_so(void **state)
{
	struct names names = some_names();
	struct buf text = BUF_INIT;
	struct list l;
	struct canvas c;

	(void)state;
	canvas_init(&c, 5, 60);
	list_init(&l, &source, &names);
	list_reload(&l);
	list_draw(&l, &c, canvas_all(&c));
	canvas_dump_text(&c, &text);
	assert_non_null(strstr(text.s, "1 of 5, +2 below"));
	list_move(&l, MOTION_LAST);
	canvas_clear(&c);
	list_draw(&l, &c, canvas_all(&c));
	buf_clear(&text);
	canvas_dump_text(&c, &text);
	assert_non_null(strstr(text.s, "5 of 5, +2 above"));
	canvas_resize(&c, 6, 60);
	canvas_clear(&c);
	list_draw(&l, &c, canvas_all(&c));
	buf_clear(&text);
	canvas_dump_text(&c, &text);
	assert_null(strstr(text.s, " of 5"));	/* all of it is there */
	buf_release(&text);
	list_release(&l);
	canvas_release(&c);
}

/* Rows are missing: how many, and by what; and why not, where it is no filter. */
static const char *trouble_of(void *user)
{
	const struct names *names = user;

	return names->n == 5 ? "a value expected" : NULL;
}

static void a_filter_in_force_is_told(void **state)
{
	struct list_source with_trouble = source;
	struct names names = some_names();
	struct buf text = BUF_INIT;
	struct list l;
	struct canvas c;

	(void)state;
	canvas_init(&c, 8, 60);
	list_init(&l, &source, &names);
	list_reload(&l);
	assert_int_equal(list_rows_wanted(&l), 6);
	list_set_filter(&l, "a");
	assert_int_equal(list_rows_wanted(&l), 5);
	list_draw(&l, &c, canvas_all(&c));
	canvas_dump_text(&c, &text);
	assert_non_null(strstr(text.s, "\n  3 of 5 rows: a\n"));
	with_trouble.filter_trouble = trouble_of;
	l.source = &with_trouble;
	canvas_clear(&c);
	buf_clear(&text);
	list_draw(&l, &c, canvas_all(&c));
	canvas_dump_text(&c, &text);
	assert_non_null(strstr(text.s, "\n  nothing is filtered: a value expected\n"));
	l.source = &source;
	list_set_filter(&l, "zz");
	canvas_clear(&c);
	buf_clear(&text);
	list_draw(&l, &c, canvas_all(&c));
	canvas_dump_text(&c, &text);
	assert_non_null(strstr(text.s, "nothing contains \"zz\"; Esc shows all again"));
	list_set_filter(&l, NULL);
	l.tells_filter = true;
	list_set_filter(&l, "a");
	canvas_clear(&c);
	buf_clear(&text);
	list_draw(&l, &c, canvas_all(&c));
	canvas_dump_text(&c, &text);
	assert_null(strstr(text.s, "rows: a"));
	buf_release(&text);
	list_release(&l);
	canvas_release(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(selection_follows_its_key),
		cmocka_unit_test(rows_sort_as_people_do),
		cmocka_unit_test(marks_and_ranges),
		cmocka_unit_test(a_pair_is_chosen),
		cmocka_unit_test(marks_follow_their_rows),
		cmocka_unit_test(search_wraps),
		cmocka_unit_test(selected_row_is_always_seen),
		cmocka_unit_test(list_looks_like_this),
		cmocka_unit_test(columns_go_before_they_are_cut),
		cmocka_unit_test(a_list_that_goes_on_says_so),
		cmocka_unit_test(a_filter_in_force_is_told),
	};

	setlocale(LC_CTYPE, "");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
