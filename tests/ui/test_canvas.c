/* Tests of ui/canvas.h, ui/style.h and command/key.h. */
#include "config.h"

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "command/key.h"
#include "ui/canvas.h"

static void expect_text(const struct canvas *c, const char *wanted)
{
	struct buf b = BUF_INIT;

	canvas_dump_text(c, &b);
	assert_string_equal(b.s, wanted);
	buf_release(&b);
}

static void expect_styles(const struct canvas *c, const char *wanted)
{
	struct buf b = BUF_INIT;

	canvas_dump_styles(c, &b);
	assert_string_equal(b.s, wanted);
	buf_release(&b);
}

static void text_is_clipped_by_width(void **state)
{
	struct canvas c;

	(void)state;
	canvas_init(&c, 2, 6);
	assert_int_equal(canvas_put(&c, canvas_all(&c), 0, 0, STYLE_TEXT,
				 "a\xe6\xbc\xa2"
				 "b\xe5\xad\x97"
				 "cd"),
		8);
	canvas_put(&c, canvas_all(&c), 1, 0, STYLE_TEXT, "abcde\xe6\xbc\xa2");
	expect_text(&c, "a\xe6\xbc\xa2" "b\xe5\xad\x97\nabcde\n");
	canvas_release(&c);
}

static void half_a_wide_character_never_stays(void **state)
{
	struct canvas c;

	(void)state;
	canvas_init(&c, 1, 6);
	canvas_put(&c, canvas_all(&c), 0, 1, STYLE_TEXT, "\xe6\xbc\xa2\xe5\xad\x97");
	canvas_put(&c, canvas_all(&c), 0, 2, STYLE_TEXT, "x");
	expect_text(&c, "  x\xe5\xad\x97\n");
	canvas_put(&c, canvas_all(&c), 0, 3, STYLE_TEXT, "y");
	expect_text(&c, "  xy\n");
	canvas_release(&c);
}

static void controls_become_marks(void **state)
{
	struct canvas c;

	(void)state;
	canvas_init(&c, 3, 40);
	canvas_put(&c, canvas_all(&c), 0, 0, STYLE_BAD, "a\033[2Jb\x7f\a!");
	canvas_put(&c, canvas_all(&c), 1, 0, STYLE_TEXT, "\xc2\x9b" "1\xff" "2\xe2\x80\xae" "3");
	canvas_put(&c, canvas_all(&c), 2, 0, STYLE_TEXT, "t\tx\n");
	expect_text(&c, "a^[[2Jb^?^G!\n<U+009B>1<FF>2<U+202E>3\nt       x^J\n");
	expect_styles(&c, "0 0-0 bad\n0 1-2 control\n0 3-6 bad\n0 7-10 control\n0 11-11 bad\n"
		      "1 0-7 control\n1 9-12 control\n1 14-21 control\n2 9-10 control\n");
	canvas_release(&c);
}

/* Whatever bytes come in, no cell holds a control, and nothing lies outside. */
static void no_cell_ever_holds_a_control(void **state)
{
	uint32_t seed = 12345;
	struct canvas c;

	(void)state;
	canvas_init(&c, 8, 30);
	for (int round = 0; round < 3000; round++) {
		char s[64];
		size_t n;

		c.ascii = round % 3 == 0;
		c.emoji = round % 2 == 0;
		for (n = 0; n < sizeof s; n++) {
			seed = seed * 1664525u + 1013904223u;
			s[n] = (char)(seed >> 24);
		}
		canvas_putn(&c, (struct rect){ round % 9 - 1, 3, 4, 12 }, round % 5 - 1,
			round % 20 - 8, STYLE_TEXT, s, n);
	}
	for (int row = 0; row < c.rows; row++)
		for (int col = 0; col < c.cols; col++) {
			const struct cell *k = canvas_cell(&c, row, col);

			assert_true(k->cp[0] == 0 || k->cp[0] == CELL_RIGHT_HALF ||
				!text_is_control(k->cp[0]));
			assert_true(k->cp[1] == 0 || !text_is_control(k->cp[1]));
			if (col < 3 || col >= 15)
				assert_int_equal(k->cp[0], 0);
		}
	canvas_release(&c);
}

static void combining_and_emoji(void **state)
{
	struct canvas c;

	(void)state;
	canvas_init(&c, 2, 10);
	assert_int_equal(canvas_put(&c, canvas_all(&c), 0, 0, STYLE_TEXT, "e\xcc\x81\xcc\x82x"), 2);
	canvas_put(
		&c, canvas_all(&c), 1, 0, STYLE_TEXT, "\xf0\x9f\xa7\xaa\xe2\x9a\xa0\xef\xb8\x8f|");
	expect_text(&c, "e\xcc\x81x\n\xe2\x96\xa1\xe2\x9a\xa0|\n");
	canvas_release(&c);
}

static void ascii_stays_ascii(void **state)
{
	struct canvas c;

	(void)state;
	canvas_init(&c, 4, 12);
	c.ascii = true;
	canvas_box(&c, canvas_all(&c), STYLE_FRAME, "t\xc3\xa9");
	canvas_put_fit(&c, canvas_all(&c), 1, 1, 6, ALIGN_LEFT, STYLE_TEXT, "abcdefgh");
	canvas_put(&c, canvas_all(&c), 2, 1, STYLE_TEXT, "\xe6\xbc\xa2" "e\xcc\x81\xe2\x86\x92");
	expect_text(&c, "+- t? -----+\n|abcde~    |\n|?e>       |\n+----------+\n");
	canvas_release(&c);
}

static void fields_align_and_cut(void **state)
{
	struct canvas c;
	struct rect all;

	(void)state;
	canvas_init(&c, 4, 10);
	all = canvas_all(&c);
	canvas_put_fit(&c, all, 0, 1, 5, ALIGN_RIGHT, STYLE_TEXT, "ab");
	canvas_put_fit(&c, all, 1, 1, 5, ALIGN_LEFT, STYLE_TEXT, "abcdef");
	canvas_put_fit(&c, all, 2, 8, 5, ALIGN_LEFT, STYLE_TEXT, "abc");
	assert_int_equal(canvas_put_right(&c, all, 3, STYLE_TEXT, "end"), 7);
	expect_text(&c, "    ab\n abcd\xe2\x80\xa6\n        a\xe2\x80\xa6\n       end\n");
	canvas_release(&c);
}

static void words_wrap(void **state)
{
	struct canvas c;

	(void)state;
	canvas_init(&c, 6, 8);
	assert_int_equal(canvas_put_wrapped(
				 &c, canvas_all(&c), 0, STYLE_TEXT, "one two three\n\nabcdefghijk"),
		5);
	expect_text(&c, "one two\nthree\n\nabcdefgh\nijk\n\n");
	canvas_release(&c);
}

static void sides_are_bounded(void **state)
{
	struct canvas c;

	(void)state;
	canvas_init(&c, 0, -5);
	assert_int_equal(c.rows, 1);
	assert_int_equal(c.cols, 1);
	canvas_box(&c, canvas_all(&c), STYLE_FRAME, "title");
	canvas_set_cursor(&c, canvas_all(&c), 7, 7);
	assert_int_equal(c.cursor_row, 0);
	assert_null(canvas_cell(&c, 0, 1));
	canvas_release(&c);
}

/* ---- styles -------------------------------------------------------------------- */

static void mono_has_no_colour(void **state)
{
	(void)state;
	for (int s = 0; s < STYLE_COUNT; s++)
		for (int g = 0; g < GROUND_COUNT; g++) {
			struct look k = style_look((enum style)s, (enum ground)g, DEPTH_MONO);

			assert_int_equal(k.fg, -1);
			assert_int_equal(k.bg, -1);
		}
}

/* WCAG contrast of xterm's colour I against a background. */
static double channel(int v)
{
	double x = v / 255.0;

	return x <= 0.03928 ? x / 12.92 : __builtin_pow((x + 0.055) / 1.055, 2.4);
}

static double luminance(int r, int g, int b)
{
	return 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
}

static double luminance_of(int i)
{
	static const int ramp[] = { 0, 95, 135, 175, 215, 255 };

	if (i >= 232)
		return luminance(8 + 10 * (i - 232), 8 + 10 * (i - 232), 8 + 10 * (i - 232));
	i -= 16;
	return luminance(ramp[i / 36], ramp[i / 6 % 6], ramp[i % 6]);
}

static double contrast(double a, double b)
{
	return a > b ? (a + 0.05) / (b + 0.05) : (b + 0.05) / (a + 0.05);
}

static void colours_are_read_on_dark_and_light(void **state)
{
	double dark = luminance(0x1e, 0x1e, 0x1e), light = luminance(255, 255, 255);

	(void)state;
	for (int s = 0; s < STYLE_COUNT; s++) {
		struct look k = style_look((enum style)s, GROUND_NONE, DEPTH_256);

		if (s == STYLE_BAND)		/* a ground, not a text */
			continue;
		assert_int_equal(k.bg, -1);		/* the background is never painted */
		if (k.fg < 0)
			continue;
		assert_true(k.fg >= 16);
		assert_true(contrast(luminance_of(k.fg), dark) > 3.4);
		assert_true(contrast(luminance_of(k.fg), light) > 3.4);
		k = style_look((enum style)s, GROUND_BAND, DEPTH_256);
		assert_true(contrast(luminance_of(k.fg), luminance_of(k.bg)) > 3.4);
		k = style_look((enum style)s, GROUND_BAND, DEPTH_256_LIGHT);
		assert_true(contrast(luminance_of(k.fg), luminance_of(k.bg)) > 3.4);
		/* calm: much nearer to the page than to the text on it */
		assert_true(contrast(luminance_of(k.bg), light) < 1.6);
	}
}

static void every_style_has_a_name_of_its_own(void **state)
{
	(void)state;
	for (int s = 0; s < STYLE_COUNT; s++)
		for (int t = s + 1; t < STYLE_COUNT; t++)
			assert_string_not_equal(
				style_name((enum style)s), style_name((enum style)t));
	assert_string_equal(style_name((enum style)999), "text");
	assert_int_equal(style_series(8), STYLE_SERIES_1);
}

/* ---- keys ---------------------------------------------------------------------- */

static void key_names_are_read_back(void **state)
{
	static const char *const names[] = { "j", "G", "C-d", "M-x", "S-Tab", "PgDn", "Space",
		"Enter", "F1", "?", "\xc3\xa9", "-", "C-l" };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		struct buf b = BUF_INIT;

		assert_int_not_equal(key_from_name(names[i]), K_NONE);
		key_add_name(&b, key_from_name(names[i]));
		assert_string_equal(b.s, names[i]);
		buf_release(&b);
	}
	assert_int_equal(key_from_name("Nothing"), K_NONE);
	assert_int_equal(key_from_name(""), K_NONE);
	assert_int_equal(key_from_char(4), K_CTRL | 'd');
	assert_int_equal(key_from_char('\r'), K_ENTER);
	assert_true(key_in_list(K_DOWN, "j Down C-n"));
	assert_false(key_in_list('D', "j Down C-n"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_is_clipped_by_width),
		cmocka_unit_test(half_a_wide_character_never_stays),
		cmocka_unit_test(controls_become_marks),
		cmocka_unit_test(no_cell_ever_holds_a_control),
		cmocka_unit_test(combining_and_emoji),
		cmocka_unit_test(ascii_stays_ascii),
		cmocka_unit_test(fields_align_and_cut),
		cmocka_unit_test(words_wrap),
		cmocka_unit_test(sides_are_bounded),
		cmocka_unit_test(mono_has_no_colour),
		cmocka_unit_test(colours_are_read_on_dark_and_light),
		cmocka_unit_test(every_style_has_a_name_of_its_own),
		cmocka_unit_test(key_names_are_read_back),
	};

	setlocale(LC_CTYPE, "");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
