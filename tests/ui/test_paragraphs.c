/* Tests of ui/paragraphs.h. */
#include "config.h"

#include <locale.h>

#include "tests/unit.h"

#include "ui/paragraphs.h"

static void expect_text(const struct canvas *c, const char *wanted)
{
	struct buf b = BUF_INIT;

	canvas_dump_text(c, &b);
	assert_string_equal(b.s, wanted);
	buf_release(&b);
}

static void lines_are_wrapped_at_words(void **state)
{
	struct paragraphs p;
	struct canvas c;

	(void)state;
	canvas_init(&c, 4, 14);
	paragraphs_init(&p);
	paragraphs_putf(&p, '!', STYLE_BAD, "clipped %s", "before reduced");
	paragraphs_put(&p, 0, STYLE_TEXT, "next");
	paragraphs_draw(&p, &c, canvas_all(&c));
	expect_text(&c, "! clipped\n  before\n  reduced\n  next\n");
	canvas_release(&c);
	paragraphs_release(&p);
}

/* What belongs to the line above stays to the right of it in every row. */
static void rows_keep_the_blanks_of_their_paragraph(void **state)
{
	struct paragraphs p;
	struct canvas c;
	struct buf all = BUF_INIT;

	(void)state;
	canvas_init(&c, 6, 14);
	paragraphs_init(&p);
	paragraphs_put(&p, '?', STYLE_WARN, "unknown");
	paragraphs_put(&p, '*', STYLE_WARN, "  only seen on one chip");
	paragraphs_put(&p, 0, STYLE_TEXT, "next");
	paragraphs_draw(&p, &c, canvas_all(&c));
	expect_text(&c, "? unknown\n*   only seen\n    on one\n    chip\n  next\n\n");
	assert_true(paragraphs_add_all(&all, &p));
	assert_string_equal(all.s, "unknown\n  only seen on one chip\nnext");
	buf_release(&all);
	canvas_release(&c);
	paragraphs_release(&p);
}

/* Keys may come between other lines and their picture. */
static void the_current_one_is_one_that_was_drawn(void **state)
{
	struct paragraphs p;
	struct canvas c;
	struct buf all = BUF_INIT;

	(void)state;
	canvas_init(&c, 4, 14);
	paragraphs_init(&p);
	assert_null(paragraphs_current(&p));
	assert_false(paragraphs_add_all(&all, &p));
	paragraphs_put(&p, 0, STYLE_TEXT, "one two three four");
	paragraphs_put(&p, 0, STYLE_TEXT, "five");
	assert_null(paragraphs_current(&p));
	paragraphs_draw(&p, &c, canvas_all(&c));
	text_view_move(&p.text, MOTION_LAST);
	assert_string_equal(paragraphs_current(&p)->text, "five");
	assert_true(paragraphs_add_all(&all, &p));
	assert_string_equal(all.s, "one two three four\nfive");
	paragraphs_clear(&p);
	paragraphs_put(&p, 0, STYLE_TEXT, "six");
	assert_null(paragraphs_current(&p));
	paragraphs_draw(&p, &c, canvas_all(&c));
	assert_string_equal(paragraphs_current(&p)->text, "six");
	buf_release(&all);
	canvas_release(&c);
	paragraphs_release(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_are_wrapped_at_words),
		cmocka_unit_test(rows_keep_the_blanks_of_their_paragraph),
		cmocka_unit_test(the_current_one_is_one_that_was_drawn),
	};

	setlocale(LC_ALL, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
