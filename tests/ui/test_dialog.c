/* Tests of ui/dialog.h. */
#include "config.h"

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "command/key.h"
#include "ui/dialog.h"

static const struct dialog_choice choices[] = {
	{ 'm', "make-comparable", "make comparable, repeat the smoke" },
	{ 'a', "abandon-line", "abandon this line" },
	{ 'l', "later", "later: the alarm stays open" },
};

static void open_decision(struct dialog *d)
{
	dialog_open(d, "R4 smoke gap");
	dialog_add_info(d, "gap 5.3pp, limit 5.0");
	dialog_add_choice(d, "decision", choices, 3);
	dialog_add_text(d, "reason", "reason", "", DIALOG_REQUIRED);
	dialog_add_number(d, "minutes", "minutes", 3, 0, 999);
	dialog_add_check(d, "intervention", "also an intervention", true);
}

static void decision_needs_its_reason(void **state)
{
	struct dialog d;

	(void)state;
	open_decision(&d);
	assert_int_equal(dialog_key(&d, K_ENTER), OUTCOME_USED);
	assert_string_equal(
		d.complaint, "choose one: the sign in its brackets, or Up and Down");
	assert_int_equal(d.focus, 1);
	dialog_key(&d, 'a');
	assert_string_equal(dialog_text(&d, "decision"), "abandon-line");
	assert_string_equal(d.note, "chosen: abandon this line");
	assert_int_equal(dialog_key(&d, K_ENTER), OUTCOME_USED);
	assert_string_equal(d.complaint, "reason is required");
	assert_int_equal(d.focus, 2);
	dialog_key(&d, 'm');			/* text is text here, no choice */
	assert_string_equal(dialog_text(&d, "decision"), "abandon-line");
	dialog_key(&d, K_TAB);
	dialog_key(&d, '9');
	assert_int_equal(dialog_number(&d, "minutes"), 9);	/* the preset is gone */
	dialog_key(&d, '9');
	assert_int_equal(dialog_number(&d, "minutes"), 99);
	dialog_key(&d, '9');
	dialog_key(&d, '9');
	assert_int_equal(dialog_key(&d, K_ENTER), OUTCOME_USED);
	assert_string_equal(d.complaint, "minutes is a number from 0 to 999");
	dialog_key(&d, K_CTRL | 'u');
	dialog_key(&d, '7');
	dialog_key(&d, K_TAB);
	dialog_key(&d, ' ');
	assert_int_equal(dialog_key(&d, K_ENTER), OUTCOME_ACCEPT);
	assert_string_equal(dialog_text(&d, "reason"), "m");
	assert_int_equal(dialog_number(&d, "minutes"), 7);
	assert_false(dialog_checked(&d, "intervention"));
	assert_string_equal(dialog_text(&d, "no such field"), "");
	assert_int_equal(dialog_key(&d, K_ESC), OUTCOME_CANCEL);
	dialog_close(&d);
}

/* Words that are typed at once go into the text that must be written; where no text
 * is written they change nothing and say so. */
static void words_are_no_keys(void **state)
{
	struct dialog d;

	(void)state;
	open_decision(&d);
	dialog_start(&d);
	for (const char *s = "a loss of 2 m"; *s; s++)
		dialog_key(&d, (unsigned char)*s);
	assert_string_equal(dialog_text(&d, "reason"), "a loss of 2 m");
	assert_string_equal(dialog_text(&d, "decision"), "");
	dialog_key(&d, K_BACKTAB);
	for (const char *s = "even jokes, x"; *s; s++)
		if (*s != ' ')
			dialog_key(&d, (unsigned char)*s);
	assert_string_equal(dialog_text(&d, "decision"), "");
	assert_string_equal(d.note, "only the signs in brackets choose; Tab goes on");
	dialog_key(&d, K_TAB);
	dialog_key(&d, K_TAB);
	dialog_key(&d, 'm');
	assert_int_equal(dialog_number(&d, "minutes"), 3);
	assert_string_equal(d.note, "digits only; Tab goes on");
	dialog_key(&d, K_TAB);
	dialog_key(&d, 'x');
	dialog_key(&d, 'm');
	assert_true(dialog_checked(&d, "intervention"));
	assert_string_equal(dialog_text(&d, "decision"), "");
	dialog_key(&d, '2');
	assert_string_equal(dialog_text(&d, "decision"), "");
	dialog_close(&d);
}

/* What is not known stays empty: no figure is made up for it. */
static void a_number_may_be_unknown(void **state)
{
	struct dialog d;

	(void)state;
	dialog_open(&d, "decision");
	dialog_add_optional_number(&d, "minutes", "minutes", 0, 999);
	assert_int_equal(dialog_key(&d, K_ENTER), OUTCOME_ACCEPT);
	assert_string_equal(dialog_text(&d, "minutes"), "");
	dialog_key(&d, '4');
	assert_int_equal(dialog_key(&d, K_ENTER), OUTCOME_ACCEPT);
	assert_string_equal(dialog_text(&d, "minutes"), "4");
	dialog_key(&d, '4');
	dialog_key(&d, '4');
	dialog_key(&d, '4');
	assert_int_equal(dialog_key(&d, K_ENTER), OUTCOME_USED);
	assert_string_equal(d.complaint,
		"minutes is a number from 0 to 999, or empty when it is not known");
	dialog_close(&d);
}

static void preset_that_is_edited_stays(void **state)
{
	struct dialog d;

	(void)state;
	dialog_open(&d, "minutes");
	dialog_add_number(&d, "minutes", "minutes", 3, 0, 999);
	dialog_key(&d, K_END);
	dialog_key(&d, '5');
	assert_int_equal(dialog_number(&d, "minutes"), 35);
	dialog_close(&d);
	dialog_open(&d, "minutes");
	dialog_add_number(&d, "minutes", "minutes", 3, 0, 999);
	assert_true(dialog_paste(&d, "12", 2));
	assert_int_equal(dialog_number(&d, "minutes"), 12);
	dialog_close(&d);
}

static void name_must_be_typed(void **state)
{
	struct dialog d;

	(void)state;
	dialog_open(&d, "stop run 5-full-1");
	dialog_add_info(&d, "It has run for 2h10m and cost $1.62.");
	dialog_add_name(&d, "type its name to stop it", "5-full-1");
	assert_false(dialog_paste(&d, "5-full-1", 8));
	for (const char *s = "5-full-"; *s; s++)
		dialog_key(&d, (unsigned char)*s);
	assert_int_equal(dialog_key(&d, K_ENTER), OUTCOME_USED);
	dialog_key(&d, '1');
	assert_int_equal(dialog_key(&d, K_ENTER), OUTCOME_ACCEPT);
	dialog_close(&d);
}

static void dialog_looks_like_this(void **state)
{
	struct buf text = BUF_INIT;
	struct canvas c;
	struct dialog d;

	(void)state;
	canvas_init(&c, 11, 40);
	open_decision(&d);
	dialog_key(&d, 'm');
	dialog_draw(&d, &c, canvas_all(&c));
	canvas_dump_text(&c, &text);
	assert_non_null(strstr(text.s, "chosen: make comparable, repeat the"));
	buf_clear(&text);
	dialog_key(&d, K_LEFT);			/* what a key did is told until the next */
	dialog_draw(&d, &c, canvas_all(&c));
	c.ascii = true;
	canvas_dump_text(&c, &text);
	assert_non_null(strstr(text.s, " R4 smoke gap "));
	assert_non_null(strstr(text.s, "gap 5.3pp, limit 5.0"));
	assert_non_null(strstr(text.s, ">[m] make comparable, repeat the"));
	assert_non_null(strstr(text.s, " [a] abandon this line"));
	assert_non_null(strstr(text.s, "reason (required) ___"));
	assert_non_null(strstr(text.s, "[x] also an intervention"));
	assert_non_null(strstr(text.s, "Enter records  Esc keeps"));
	assert_int_equal(c.cursor_row, 2);
	buf_release(&text);
	dialog_close(&d);
	canvas_release(&c);
}

/* At every size the field with the focus is in sight. */
static void dialog_fits_any_size(void **state)
{
	struct canvas c;
	struct dialog d;

	(void)state;
	canvas_init(&c, 1, 1);
	open_decision(&d);
	for (int rows = 1; rows < 20; rows++)
		for (int cols = 1; cols < 90; cols += 3) {
			dialog_key(&d, K_TAB);
			canvas_resize(&c, rows, cols);
			dialog_draw(&d, &c, canvas_all(&c));
		}
	d.focus = 4;
	canvas_resize(&c, 5, 40);
	dialog_draw(&d, &c, canvas_all(&c));
	assert_int_equal(canvas_cell(&c, c.cursor_row, c.cursor_col)->cp[0], 'x');
	dialog_close(&d);
	canvas_release(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(decision_needs_its_reason),
		cmocka_unit_test(words_are_no_keys),
		cmocka_unit_test(a_number_may_be_unknown),
		cmocka_unit_test(preset_that_is_edited_stays),
		cmocka_unit_test(name_must_be_typed),
		cmocka_unit_test(dialog_looks_like_this),
		cmocka_unit_test(dialog_fits_any_size),
	};

	setlocale(LC_CTYPE, "");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
