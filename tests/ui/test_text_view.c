/* Tests of ui/text_view.h. */
#include "config.h"

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "ui/text_view.h"

static const char *const lines[] = { "first", "second line that is long", "third",
	"fourth ERROR here", "fifth" };

static long count_lines(void *user)
{
	(void)user;
	return ARRAY_LEN(lines);
}

static void get_line(void *user, long i, struct text_line *out)
{
	(void)user;
	out->s = lines[i];
	out->n = strlen(lines[i]);
	if (i == 3) {
		out->gutter = '!';
		out->n_spans = 1;
		out->spans[0] = (struct text_span){ 7, 12, STYLE_BAD };
	}
}

static const struct text_source text_lines = { count_lines, get_line, "no log yet" };

static void expect(struct text_view *v, struct canvas *c, const char *wanted)
{
	struct buf b = BUF_INIT;

	canvas_clear(c);
	text_view_draw(v, c, canvas_all(c));
	canvas_dump_text(c, &b);
	assert_string_equal(b.s, wanted);
	buf_release(&b);
}

static void text_scrolls_and_wraps(void **state)
{
	struct text_view v;
	struct canvas c;

	(void)state;
	canvas_init(&c, 3, 12);
	text_view_init(&v, &text_lines, NULL);
	expect(&v, &c, "first\nsecond line>\nthird\n");
	text_view_move(&v, MOTION_RIGHT);
	expect(&v, &c, "<\n<ne that is>\n<\n");
	text_view_move(&v, MOTION_LEFT);
	text_view_key(&v, 'W');
	expect(&v, &c, "first\nsecond line\nthat is long\n");
	text_view_move(&v, MOTION_LAST);
	expect(&v, &c, "fourth ERROR\n here\nfifth\n");
	assert_int_equal(c.cursor_row, 2);
	text_view_release(&v);
	canvas_release(&c);
}

static void text_is_searched(void **state)
{
	struct buf b = BUF_INIT;
	struct text_view v;
	struct canvas c;

	(void)state;
	canvas_init(&c, 5, 30);
	text_view_init(&v, &text_lines, NULL);
	v.gutter = v.numbers = true;
	text_view_set_search(&v, "error");
	assert_true(text_view_search(&v, 1, 0));
	assert_int_equal(v.at, 3);
	assert_false(text_view_search(&v, 1, 2));
	text_view_draw(&v, &c, canvas_all(&c));
	canvas_dump_styles(&c, &b);
	assert_non_null(strstr(b.s, "3 11-15 match+select\n"));
	assert_int_equal(canvas_cell(&c, 3, 0)->cp[0], '!');
	assert_int_equal(canvas_cell(&c, 3, 2)->cp[0], '4');
	buf_release(&b);
	text_view_release(&v);
	canvas_release(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_scrolls_and_wraps),
		cmocka_unit_test(text_is_searched),
	};

	setlocale(LC_CTYPE, "");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
