/* Tests of ui/prompt.h and of ui/palette.h, whose line is one. */
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
#include "ui/palette.h"
#include "ui/prompt.h"

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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(line_is_edited),
		cmocka_unit_test(characters_are_removed_whole),
		cmocka_unit_test(paste_is_made_harmless),
		cmocka_unit_test(history_keeps_the_draft),
		cmocka_unit_test(history_of_nothing_is_read),
		cmocka_unit_test(tab_goes_through_candidates),
		cmocka_unit_test(long_line_shows_its_cursor),
		cmocka_unit_test(palette_finds_and_keeps_arguments),
		cmocka_unit_test(help_finds_by_key_and_word),
	};

	setlocale(LC_CTYPE, "");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
