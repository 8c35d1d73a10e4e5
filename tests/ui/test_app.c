/*
 * Tests of ui/app.h: who gets a key, prompts, dialogs, messages, going back; with views of
 * its own.
 */
#include "config.h"

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "command/key.h"
#include "command/operation.h"
#include "ui/app_private.h"

/* ---- two views -------------------------------------------------------------------- */

struct numbers { struct list list; int loads; unsigned changed; };

static long count(void *user)
{
	(void)user;
	return 30;
}

static void cell(void *user, long row, int column, struct list_cell *out)
{
	(void)user;
	(void)column;
	buf_addf(out->text, "number %ld", row);
}

static const struct list_column columns[] = { { "number", 12, 1, 0, false } };
static const struct list_source source = {
	.columns = columns, .n_columns = 1, .count = count, .cell = cell
};

static void open_view(struct view *v)
{
	struct numbers *n = view_state(v);

	list_init(&n->list, &source, n);
	list_reload(&n->list);
}

static void close_view(struct view *v)
{
	struct numbers *n = view_state(v);

	list_release(&n->list);
}

static void load(struct view *v)
{
	struct numbers *n = view_state(v);

	n->loads++;
}

static void changed(struct view *v, unsigned what)
{
	struct numbers *n = view_state(v);

	n->changed |= what;
}

static void draw(struct view *v, struct canvas *c, struct rect r)
{
	struct numbers *n = view_state(v);

	list_draw(&n->list, c, r);
}

static bool move(struct view *v, enum motion motion)
{
	struct numbers *n = view_state(v);

	return list_move(&n->list, motion);
}

static void search(struct view *v, const char *text)
{
	struct numbers *n = view_state(v);

	list_set_search(&n->list, text);
}

static bool search_next(struct view *v, int direction)
{
	struct numbers *n = view_state(v);

	return list_search(&n->list, direction);
}

static void filter(struct view *v, const char *text)
{
	struct numbers *n = view_state(v);

	list_set_filter(&n->list, text);
}

/* What the views say of their rows. */
static enum view_rows rows_now;

static enum view_rows rows(const struct view *v)
{
	(void)v;
	return rows_now;
}

#define VIEW(n, d, c)                                                                              \
	{                                                                                          \
		.name = n, .digit = d, .title = n, .answers = "which?", .contexts = c,             \
		.reload_on = CHANGED_ATTEMPT, .size = sizeof(struct numbers), .open = open_view,   \
		.close = close_view, .load = load, .changed = changed, .draw = draw, .move = move, \
		.rows = rows,                                                                      \
		.search = search, .search_next = search_next, .filter = filter                     \
	}

static const struct view_type first = VIEW("first", '1', CONTEXT_LIST);
static const struct view_type second = VIEW("second", '2', CONTEXT_DIFF);
static const struct view_type *const types[] = { &first, &second };

const struct view_type *const *view_types(int *n)
{
	*n = 2;
	return types;
}

/* ---- help of the tests --------------------------------------------------------------- */

static void start(struct app *a, bool read_only)
{
	const struct app_host host = { .directory = ".", .title = "case-B", .read_only = read_only,
		.refusal = read_only ? "nothing is written with --read-only" : NULL };

	app_init(a, NULL, &host);
	assert_int_equal(app_show_view(a, "first"), 0);
}

static struct numbers *state_of(struct app *a)
{
	return view_state(app_view(a));
}

static void type(struct app *a, const char *text)
{
	for (; *text; text++)
		app_key(a, (unsigned char)*text);
}

static bool shows(struct app *a, int rows, int cols, const char *text)
{
	struct buf b = BUF_INIT;
	struct canvas c;
	bool found;

	canvas_init(&c, rows, cols);
	app_draw(a, &c);
	canvas_dump_text(&c, &b);
	found = strstr(b.s, text) != NULL;
	buf_release(&b);
	canvas_release(&c);
	return found;
}

/* ---- tests ----------------------------------------------------------------------------- */

static void keys_reach_the_view(void **state)
{
	struct app a;

	(void)state;
	start(&a, false);
	type(&a, "jj");
	app_key(&a, K_DOWN);
	assert_int_equal(list_selected(&state_of(&a)->list), 3);
	type(&a, "G");
	assert_int_equal(list_selected(&state_of(&a)->list), 29);
	app_key(&a, K_F9);
	assert_string_equal(a.message, "F9 does nothing here; ? shows what does");
	app_release(&a);
}

static void escape_goes_back_and_never_quits(void **state)
{
	struct app a;

	(void)state;
	start(&a, false);
	type(&a, "2");
	assert_string_equal(app_view(&a)->type->name, "second");
	app_key(&a, K_ESC);
	app_key(&a, K_ESC);
	app_key(&a, K_ESC);
	assert_string_equal(app_view(&a)->type->name, "first");
	assert_false(a.quit_asked);
	type(&a, "q");
	assert_true(a.quit_asked);
	type(&a, "j");
	assert_false(a.quit_asked);
	app_release(&a);
}

/* Going back is one step, whatever was visited; the first view has nothing behind it. */
static void q_goes_back_once(void **state)
{
	struct app a;

	(void)state;
	start(&a, false);
	type(&a, "21212q");
	assert_string_equal(app_view(&a)->type->name, "first");
	assert_false(a.quit_asked);
	type(&a, "q");
	assert_true(a.quit_asked);
	type(&a, "j21q");
	assert_string_equal(app_view(&a)->type->name, "first");
	assert_true(a.quit_asked);
	type(&a, "j2?");
	app_key(&a, K_ESC);			/* what lies above goes first */
	assert_string_equal(app_view(&a)->type->name, "second");
	app_release(&a);
}

/* Keys that come before the first rows are meant for them. */
static void keys_wait_for_the_first_rows(void **state)
{
	struct app a;

	(void)state;
	start(&a, false);
	rows_now = ROWS_AWAITED;
	type(&a, "jjj");
	assert_int_equal(list_selected(&state_of(&a)->list), 0);
	rows_now = ROWS_THERE;
	type(&a, "k");				/* in the order that they were typed */
	assert_int_equal(list_selected(&state_of(&a)->list), 0);
	app_take_due(&a);
	assert_int_equal(list_selected(&state_of(&a)->list), 2);
	rows_now = ROWS_AWAITED;
	type(&a, "2j");				/* another view needs no rows of this one */
	assert_string_equal(app_view(&a)->type->name, "second");
	type(&a, "jq");				/* leaving does not wait */
	assert_string_equal(app_view(&a)->type->name, "first");
	rows_now = ROWS_THERE;
	app_take_due(&a);
	assert_int_equal(list_selected(&state_of(&a)->list), 2);
	app_release(&a);
}

/* They are bounded, and nothing is left of them when there are no rows. */
static void keys_that_wait_are_dropped_on_an_error(void **state)
{
	struct app a;

	(void)state;
	start(&a, false);
	rows_now = ROWS_AWAITED;
	for (int i = 0; i < APP_DUE_MAX + 5; i++)
		type(&a, "j");
	assert_int_equal(a.n_due, APP_DUE_MAX);
	rows_now = ROWS_FAILED;
	app_take_due(&a);
	assert_int_equal(a.n_due, 0);
	rows_now = ROWS_AWAITED;
	type(&a, "j");
	app_complain(&a, "the log cannot be read");
	rows_now = ROWS_THERE;
	app_take_due(&a);
	assert_int_equal(list_selected(&state_of(&a)->list), 0);
	app_release(&a);
}

static void prompts_take_every_key(void **state)
{
	struct app a;

	(void)state;
	start(&a, false);
	type(&a, "/number 1q");
	app_key(&a, K_CTRL | 'w');
	assert_string_equal(a.prompt.text.s, "number ");
	type(&a, "17");
	app_key(&a, K_ENTER);
	assert_int_equal(list_selected(&state_of(&a)->list), 17);
	type(&a, "&number 2");
	assert_int_equal(state_of(&a)->list.n_shown, 11);	/* while it is typed */
	app_key(&a, K_ESC);
	assert_int_equal(state_of(&a)->list.n_shown, 30);
	app_release(&a);
}

static void paste_goes_into_prompts_only(void **state)
{
	const struct term_event e = { .type = TERM_PASTE, .text = "jjj\n", .text_n = 4 };
	struct app a;

	(void)state;
	start(&a, false);
	app_input(&a, &e);
	assert_int_equal(list_selected(&state_of(&a)->list), 0);
	assert_true(a.message_is_error);
	type(&a, "/");
	app_input(&a, &e);
	assert_string_equal(a.prompt.text.s, "jjj ");
	app_release(&a);
}

static void palette_runs_what_it_shows(void **state)
{
	struct app a;

	(void)state;
	start(&a, false);
	type(&a, ":move last");
	app_key(&a, K_ENTER);
	assert_int_equal(list_selected(&state_of(&a)->list), 29);
	type(&a, "?C-p");
	assert_string_equal(palette_taken(&a.help.palette)->name, "move up");
	app_key(&a, K_ENTER);
	assert_int_equal(list_selected(&state_of(&a)->list), 28);
	assert_int_equal(a.layer, APP_VIEW);
	app_release(&a);
}

/* Two views are there, the other seven digits lead nowhere. */
static void palette_offers_views_that_exist(void **state)
{
	static const char *const names[] = { "view attempts", "view diff" };
	struct app a;
	int n = 0;

	(void)state;
	start(&a, false);
	type(&a, ":view ");
	for (int i = 0; i < a.palette.n; i++) {
		if (strncmp(a.palette.items[i].name, "view ", 5) != 0)
			continue;
		assert_in_range(n, 0, 1);
		assert_string_equal(a.palette.items[i].name, names[n++]);
	}
	assert_int_equal(n, 2);
	app_release(&a);
}

static void selection_reaches_all_views(void **state)
{
	struct position p = { { 1 } };
	struct app a;

	(void)state;
	start(&a, false);
	type(&a, "2");
	app_select_attempt(&a, "7");
	assert_int_equal(((struct numbers *)view_state(&a.views[0]))->changed, CHANGED_ATTEMPT);
	/* not in sight */
	assert_int_equal(((struct numbers *)view_state(&a.views[0]))->loads, 1);
	assert_int_equal(state_of(&a)->loads, 2);
	type(&a, "1");
	assert_int_equal(state_of(&a)->loads, 2);
	app_select_position(&a, &p, "event 141");
	assert_true(shows(&a, 24, 80, "as of event 141, F: now"));
	assert_false(app_may_write(&a));
	type(&a, "F");
	assert_true(shows(&a, 24, 80, "as of now"));
	assert_true(app_may_write(&a));
	app_release(&a);
}

static void record_nothing(void *user, struct app *a, struct dialog *d)
{
	int *answers = user;

	++*answers;
	if (*answers == 1)
		dialog_complain(d, "once more");
	(void)a;
}

static void dialog_stays_until_it_is_right(void **state)
{
	int answers = 0;
	struct app a;

	(void)state;
	start(&a, false);
	dialog_add_text(app_new_dialog(&a, "note"), "text", "text", "", DIALOG_REQUIRED);
	app_open_dialog(&a, record_nothing, &answers);
	type(&a, "Q");
	app_key(&a, K_ENTER);
	assert_int_equal(a.layer, APP_DIALOG);
	assert_true(shows(&a, 24, 80, "! once more"));
	type(&a, "x");
	app_key(&a, K_ENTER);
	assert_int_equal(a.layer, APP_VIEW);
	assert_int_equal(answers, 2);
	app_release(&a);
}

static void text_lies_above_the_view(void **state)
{
	struct app a;

	(void)state;
	start(&a, true);
	app_show_text(&a, "answer", "one\ntwo\033[31m\n");
	assert_true(shows(&a, 24, 80, "two^[[31m"));
	assert_true(shows(&a, 24, 80, "read-only"));
	app_key(&a, K_ESC);
	assert_false(shows(&a, 24, 80, "two^["));
	assert_false(app_may_write(&a));
	app_release(&a);
}

static void any_size_in_any_layer(void **state)
{
	struct app a;
	struct canvas c;

	(void)state;
	start(&a, false);
	canvas_init(&c, 1, 1);
	for (int layer = 0; layer < 5; layer++) {
		app_key(&a, K_ESC);
		type(&a, layer == 1 ? ":" : layer == 2 ? "?" : layer == 3 ? "/" : "j");
		if (layer == 4)
			app_show_text(&a, "text", "a\nb\n");
		for (int rows = 1; rows < 30; rows++)
			for (int cols = 1; cols < 130; cols += 7) {
				canvas_resize(&c, rows, cols);
				app_draw(&a, &c);
			}
	}
	canvas_resize(&c, 7, 39);
	app_draw(&a, &c);
	assert_true(shows(&a, 7, 39, "needs 40x8"));
	canvas_release(&c);
	app_release(&a);
}

static void unknown_view_names_the_known(void **state)
{
	struct app a;

	(void)state;
	start(&a, false);
	assert_int_equal(app_show_view(&a, "third"), ERR_NOT_FOUND);
	assert_string_equal(err_text(), "there is no view third; the views are first, second");
	app_release(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keys_reach_the_view),
		cmocka_unit_test(escape_goes_back_and_never_quits),
		cmocka_unit_test(q_goes_back_once),
		cmocka_unit_test(keys_wait_for_the_first_rows),
		cmocka_unit_test(keys_that_wait_are_dropped_on_an_error),
		cmocka_unit_test(prompts_take_every_key),
		cmocka_unit_test(paste_goes_into_prompts_only),
		cmocka_unit_test(palette_runs_what_it_shows),
		cmocka_unit_test(palette_offers_views_that_exist),
		cmocka_unit_test(selection_reaches_all_views),
		cmocka_unit_test(dialog_stays_until_it_is_right),
		cmocka_unit_test(text_lies_above_the_view),
		cmocka_unit_test(any_size_in_any_layer),
		cmocka_unit_test(unknown_view_names_the_known),
	};

	setlocale(LC_CTYPE, "");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
