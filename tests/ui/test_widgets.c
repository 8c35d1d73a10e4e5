/* Tests of ui/list.h, ui/prompt.h, ui/palette.h, ui/dialog.h and ui/text_view.h. */
#include "config.h"

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "command/key.h"
#include "ui/dialog.h"
#include "ui/list.h"
#include "ui/palette.h"
#include "ui/prompt.h"
#include "ui/text_view.h"

/* ---- list ---------------------------------------------------------------------- */

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
		"  name           row\n* a10              0\n  b                1\n  a2               2\n");
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

/* ---- prompt --------------------------------------------------------------------- */

static void press(struct prompt *p, const char *names)
{
	char copy[256], *save = NULL;

	snprintf(copy, sizeof copy, "%s", names);
	for (char *w = strtok_r(copy, " ", &save); w; w = strtok_r(NULL, " ", &save))
		prompt_key(p, key_from_name(w));
}

static void line_is_edited(void **state)
{
	struct prompt p;

	(void)state;
	prompt_init(&p, "/");
	prompt_set(&p, "one two three");
	press(&p, "C-w");
	assert_string_equal(p.text.s, "one two ");
	press(&p, "C-a C-k");
	assert_string_equal(p.text.s, "");
	press(&p, "C-y");
	assert_string_equal(p.text.s, "one two ");
	press(&p, "C-a M-f C-u x C-e y Left BSpace");
	assert_string_equal(p.text.s, "x twoy");
	assert_int_equal(prompt_key(&p, K_ENTER), OUTCOME_ACCEPT);
	assert_int_equal(prompt_key(&p, K_CTRL | 'c'), OUTCOME_CANCEL);
	assert_int_equal(prompt_key(&p, K_CTRL | 'd'), OUTCOME_CHANGED);
	prompt_release(&p);
}

static void characters_are_removed_whole(void **state)
{
	struct prompt p;

	(void)state;
	prompt_init(&p, "/");
	prompt_set(&p, "ae\xcc\x81\xe6\xbc\xa2");
	press(&p, "BSpace");
	assert_string_equal(p.text.s, "ae\xcc\x81");
	press(&p, "BSpace");
	assert_string_equal(p.text.s, "a");
	prompt_release(&p);
}

static void paste_is_made_harmless(void **state)
{
	struct prompt p;

	(void)state;
	prompt_init(&p, "/");
	assert_true(prompt_paste(&p, "a\nb\033[31m\xe2\x80\xae\xc3\xa9\xff", 15));
	assert_string_equal(p.text.s, "a b[31m\xc3\xa9");
	assert_false(prompt_paste(&p, "\033\a", 2));
	prompt_release(&p);
}

static void history_keeps_the_draft(void **state)
{
	struct prompt_history h = { 0 };
	struct prompt p;

	(void)state;
	history_add(&h, "first");
	history_add(&h, "second");
	history_add(&h, "second");
	history_add(&h, "");
	assert_int_equal(h.n, 2);
	prompt_init(&p, "/");
	p.history = &h;
	prompt_set(&p, "draft");
	press(&p, "Up");
	assert_string_equal(p.text.s, "second");
	press(&p, "C-p C-p");
	assert_string_equal(p.text.s, "first");
	press(&p, "Down Down Down");
	assert_string_equal(p.text.s, "draft");
	for (int i = 0; i < 2 * PROMPT_HISTORY_MAX; i++)
		history_add(&h, i % 2 ? "x" : "y");
	assert_int_equal(h.n, PROMPT_HISTORY_MAX);
	prompt_release(&p);
	history_release(&h);
}

static void candidates(void *user, const char *text, struct buf *out)
{
	(void)user;
	if (strcmp(text, "run sm") == 0)
		buf_adds(out, "smoke\nsmall\n");
}

static void history_of_nothing_is_read(void **state)
{
	struct prompt_history h = { 0 };
	char path[] = "/tmp/portside-history-XXXXXX";
	int fd = mkstemp(path);

	(void)state;
	assert_true(fd >= 0);
	close(fd);
	assert_int_equal(history_load(&h, path), 0);
	assert_int_equal(h.n, 0);
	history_add(&h, "attempt list");
	assert_int_equal(history_save(&h, path), 0);
	history_release(&h);
	assert_int_equal(history_load(&h, path), 0);
	assert_int_equal(h.n, 1);
	assert_string_equal(h.lines[0], "attempt list");
	history_release(&h);
	unlink(path);
	assert_int_equal(history_load(&h, path), 0);
	assert_int_equal(h.n, 0);
}

static void tab_goes_through_candidates(void **state)
{
	struct prompt p;

	(void)state;
	prompt_init(&p, ":");
	prompt_set(&p, "run sm");
	p.complete = candidates;
	press(&p, "Tab");
	assert_string_equal(p.text.s, "run smoke");
	assert_int_equal(prompt_candidate_rows(&p), 2);
	press(&p, "Tab");
	assert_string_equal(p.text.s, "run small");
	press(&p, "x");
	assert_int_equal(prompt_candidate_rows(&p), 0);
	prompt_release(&p);
}

static void long_line_shows_its_cursor(void **state)
{
	struct canvas c;
	struct prompt p;

	(void)state;
	canvas_init(&c, 1, 10);
	prompt_init(&p, "/");
	prompt_set(&p, "abcdefghijklmnop");
	prompt_draw(&p, &c, canvas_all(&c));
	assert_int_equal(c.cursor_col, 9);
	assert_int_equal(canvas_cell(&c, 0, 8)->cp[0], 'p');
	press(&p, "C-a");
	canvas_clear(&c);
	prompt_draw(&p, &c, canvas_all(&c));
	assert_int_equal(c.cursor_col, 1);
	assert_int_equal(canvas_cell(&c, 0, 1)->cp[0], 'a');
	prompt_release(&p);
	canvas_release(&c);
}

/* ---- palette -------------------------------------------------------------------- */

static const struct palette_item items[] = {
	{ "move down", "j Down C-n", "move", "one row down", NULL, 0 },
	{ "attempt list", "1", "attempt", "all attempts", NULL, 1 },
	{ "run", "r", "run", "start a run", NULL, 2 },
	{ "run cancel", "", "run", "stop a run", "nothing runs", 3 },
	{ "report", "", "report", "write a report of the run", NULL, 4 },
};

static void type(struct palette *p, const char *text)
{
	for (; *text; text++)
		palette_key(p, (unsigned char)*text);
}

static void palette_finds_and_keeps_arguments(void **state)
{
	struct palette p;

	(void)state;
	palette_open(&p, PALETTE_COMMANDS, items, ARRAY_LEN(items));
	assert_int_equal(p.n_order, 5);
	type(&p, "atl");
	assert_string_equal(palette_taken(&p)->name, "attempt list");
	palette_key(&p, K_CTRL | 'u');
	type(&p, "run");
	assert_string_equal(palette_taken(&p)->name, "run");
	type(&p, " cancel 7");
	assert_string_equal(palette_taken(&p)->name, "run cancel");
	assert_string_equal(palette_arguments(&p), "7");
	palette_key(&p, K_CTRL | 'u');
	type(&p, "run 7 --full");
	assert_string_equal(palette_taken(&p)->name, "run");
	assert_string_equal(palette_arguments(&p), "7 --full");
	palette_key(&p, K_CTRL | 'u');
	type(&p, "zzz");
	assert_null(palette_taken(&p));
	assert_int_equal(palette_key(&p, K_ENTER), OUTCOME_USED);
	palette_close(&p);
}

static void help_finds_by_key_and_word(void **state)
{
	struct palette p;

	(void)state;
	palette_open(&p, PALETTE_HELP, items, ARRAY_LEN(items));
	type(&p, "C-n");
	assert_int_equal(p.n_order, 1);
	assert_string_equal(palette_taken(&p)->name, "move down");
	palette_key(&p, K_CTRL | 'u');
	type(&p, "stop");
	assert_string_equal(palette_taken(&p)->name, "run cancel");
	assert_int_equal(palette_key(&p, K_ENTER), OUTCOME_ACCEPT);
	palette_close(&p);
}

/* ---- dialog --------------------------------------------------------------------- */

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

/* ---- text ----------------------------------------------------------------------- */

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
		cmocka_unit_test(selection_follows_its_key),
		cmocka_unit_test(rows_sort_as_people_do),
		cmocka_unit_test(marks_and_ranges),
		cmocka_unit_test(marks_follow_their_rows),
		cmocka_unit_test(search_wraps),
		cmocka_unit_test(selected_row_is_always_seen),
		cmocka_unit_test(list_looks_like_this),
		cmocka_unit_test(a_list_that_goes_on_says_so),
		cmocka_unit_test(columns_go_before_they_are_cut),
		cmocka_unit_test(line_is_edited),
		cmocka_unit_test(characters_are_removed_whole),
		cmocka_unit_test(paste_is_made_harmless),
		cmocka_unit_test(history_keeps_the_draft),
		cmocka_unit_test(history_of_nothing_is_read),
		cmocka_unit_test(tab_goes_through_candidates),
		cmocka_unit_test(long_line_shows_its_cursor),
		cmocka_unit_test(palette_finds_and_keeps_arguments),
		cmocka_unit_test(help_finds_by_key_and_word),
		cmocka_unit_test(decision_needs_its_reason),
		cmocka_unit_test(preset_that_is_edited_stays),
		cmocka_unit_test(name_must_be_typed),
		cmocka_unit_test(words_are_no_keys),
		cmocka_unit_test(a_number_may_be_unknown),
		cmocka_unit_test(dialog_looks_like_this),
		cmocka_unit_test(dialog_fits_any_size),
		cmocka_unit_test(text_scrolls_and_wraps),
		cmocka_unit_test(text_is_searched),
	};

	setlocale(LC_CTYPE, "");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
