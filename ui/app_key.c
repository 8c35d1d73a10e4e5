/* app_key - who gets a key; see app.h. */
#include "config.h"

#include "ui/app_private.h"

#include <stdlib.h>
#include <string.h>

#include "command/key.h"
#include "command/keymap.h"
#include "command/screen_operation.h"
#include "ui/loop.h"

unsigned app_contexts(const struct app *a)
{
	unsigned contexts = CONTEXT_ANY;

	if (a->current >= 0)
		contexts |= a->views[a->current].type->contexts;
	return contexts;
}

/* ---- palette and help --------------------------------------------------------- */

/* A digit may be free: no view is behind it. */
static bool has_digit(const struct app *a, int digit)
{
	for (int i = 0; i < a->n_views; i++)
		if (a->views[i].type->digit == digit)
			return true;
	return false;
}

/* The keys that are in force, "" for those of another view. */
static const char *keys_here(const struct app *a, const struct operation *o)
{
	unsigned contexts = o->contexts ? o->contexts : CONTEXT_ANY;

	return contexts & app_contexts(a) ? keymap_keys(a->host.keymap, o) : "";
}

static bool is_listed(const struct app *a, const struct operation *o, enum palette_kind kind)
{
	if (!(o->flags & OPERATION_SCREEN) || (o->flags & OPERATION_INTERNAL))
		return false;
	if (o->screen >= SCREEN_VIEW_1 && o->screen <= SCREEN_VIEW_9 &&
		!has_digit(a, '1' + o->screen - SCREEN_VIEW_1))
		return false;
	return kind == PALETTE_COMMANDS || *keys_here(a, o);
}

static const char *refusal_of(const struct app *a, const struct operation *o)
{
	if (!(o->flags & OPERATION_WRITES))
		return NULL;
	if (a->host.refusal)
		return a->host.refusal;
	return a->selection.at_now ? NULL : "this is the past";
}

static int collect_items(struct app *a, enum palette_kind kind)
{
	const struct operation *o;
	size_t n = 0, cap = 0;

	for (int i = 0; (o = operation_at((size_t)i)) != NULL; i++) {
		if (!is_listed(a, o, kind))
			continue;
		ARRAY_GROW(a->items, n, cap);
		a->items[n++] = (struct palette_item){
			.name = o->name, .keys = keys_here(a, o),
			.group = o->name, .help = o->help, .refusal = refusal_of(a, o), .id = i,
		};
	}
	return (int)n;
}

void app_open_palette(struct app *a, enum palette_kind kind)
{
	const struct view *v = app_view(a);
	int n;

	app_close_layer(a);
	n = collect_items(a, kind);
	if (kind == PALETTE_HELP) {
		help_open(&a->help, v ? v->type->title : "", v ? v->type->answers : NULL,
			v ? v->type->legend : NULL, a->items, n);
		a->layer = APP_HELP;
		return;
	}
	palette_open(&a->palette, kind, a->items, n);
	a->palette.prompt.history = &a->command_history;
	a->palette.prompt.history_at = a->command_history.n;
	a->layer = APP_PALETTE;
}

static void take(struct app *a, struct palette *p)
{
	const struct operation *o = operation_at((size_t)palette_taken(p)->id);
	char *arguments = xstrdup(palette_arguments(p));

	history_add(&a->command_history, p->prompt.text.s);
	app_close_layer(a);
	app_operate(a, o, arguments);
	free(arguments);
}

static void palette_layer_key(struct app *a, struct palette *p, uint32_t key)
{
	switch (palette_key(p, key)) {
	case OUTCOME_ACCEPT:
		take(a, p);
		break;
	case OUTCOME_CANCEL:
		app_close_layer(a);
		break;
	case OUTCOME_UNUSED: case OUTCOME_USED: case OUTCOME_CHANGED:
		break;
	}
}

/* ---- prompts ------------------------------------------------------------------- */

static void take_search(struct app *a, struct view *v, const char *text)
{
	history_add(&a->search_history, text);
	v->type->search(v, text);
	if (v->type->search_next && !v->type->search_next(v, 1))
		app_complain(a, "not found: %s", text);
}

static void take_prompt(struct app *a)
{
	enum app_prompt kind = a->prompt_kind;
	struct view *v = app_view(a);
	char *text = xstrdup(a->prompt.text.s);

	app_close_layer(a);
	if (kind == APP_PROMPT_ASK) {
		a->ask(a->ask_user, a, text);
	} else if (kind == APP_PROMPT_SEARCH && v) {
		take_search(a, v, text);
	} else if (kind == APP_PROMPT_FILTER && v) {
		history_add(&a->filter_history, text);
		v->type->filter(v, text);
	}
	free(text);
}

/* The filter shows what it does while it is typed. */
static void prompt_layer_key(struct app *a, uint32_t key)
{
	struct view *v = app_view(a);
	enum outcome o = prompt_key(&a->prompt, key);

	if (o == OUTCOME_ACCEPT)
		take_prompt(a);
	else if (o == OUTCOME_CHANGED && a->prompt_kind == APP_PROMPT_FILTER && v)
		v->type->filter(v, a->prompt.text.s);
	else if (o == OUTCOME_CANCEL) {
		if (a->prompt_kind == APP_PROMPT_FILTER && v)
			v->type->filter(v, "");
		app_close_layer(a);
	}
}

static void dialog_layer_key(struct app *a, uint32_t key)
{
	unsigned opened = a->n_dialogs;
	bool waits;

	if (a->dialog_waits && key == K_ENTER)
		return;			/* once is enough */
	if (app_edit_field(a, key) ||
		(a->dialog_extra && a->dialog_extra(a->answer_user, a, &a->dialog, key)))
		return;
	switch (dialog_key(&a->dialog, key)) {
	case OUTCOME_ACCEPT:
		a->dialog_waits = true;
		a->answer(a->answer_user, a, &a->dialog);
		if (a->layer != APP_DIALOG || a->n_dialogs != opened)
			break;
		a->dialog_waits = job_is_running(&a->call);
		if (a->dialog_waits)
			a->dialog.keys = "recording ...";
		else if (!a->dialog.complaint)
			app_close_layer(a);
		break;
	case OUTCOME_CANCEL:
		waits = a->dialog_waits;
		app_close_layer(a);
		app_say(a,
			waits ? "what was sent is still being recorded; the journal will show it"
			      : "nothing was changed");
		break;
	case OUTCOME_UNUSED: case OUTCOME_USED: case OUTCOME_CHANGED:
		break;
	}
}

static void text_layer_key(struct app *a, uint32_t key)
{
	if (text_view_key(&a->text, key) != OUTCOME_UNUSED && key != K_LEFT)
		return;
	if (key == K_ESC || key == 'q' || key == K_LEFT || key == K_ENTER)
		app_close_layer(a);
	else if (key == 'y')
		app_copy(a, a->text_bytes, strlen(a->text_bytes));
}

/* ---- input ------------------------------------------------------------------------ */

static void view_key(struct app *a, uint32_t key)
{
	struct view *v = app_view(a);
	struct buf name = BUF_INIT;
	const struct operation *o;
	bool asked = a->quit_asked;

	key_add_name(&name, key);
	o = keymap_operation(a->host.keymap, name.s, app_contexts(a));
	if (!o || o->screen != SCREEN_CLOSE)
		a->quit_asked = false;
	app_clear_message(a);
	if (o)
		app_operate(a, o, "");
	else if (!v || !v->type->key || !v->type->key(v, key))
		app_say_nothing_here(a, name.s, "");
	if (asked && o && o->screen == SCREEN_CLOSE)
		a->quit_asked = false;
	buf_release(&name);
}

static void give_key(struct app *a, uint32_t key)
{
	switch (a->layer) {
	case APP_VIEW:
		view_key(a, key);
		break;
	case APP_PROMPT:
		prompt_layer_key(a, key);
		break;
	case APP_PALETTE:
		palette_layer_key(a, &a->palette, key);
		break;
	case APP_HELP:
		palette_layer_key(a, &a->help.palette, key);
		break;
	case APP_DIALOG:
		dialog_layer_key(a, key);
		break;
	case APP_TEXT:
		text_layer_key(a, key);
		break;
	}
	app_touch(a);
}

/* ---- keys that came too early ------------------------------------------------------ */

static bool form_is_awaited(const struct app *a)
{
	return a->layer == APP_VIEW && job_is_running(&a->facts);
}

static enum view_rows rows_of(const struct app *a)
{
	const struct view *v = a->current >= 0 ? &a->views[a->current] : NULL;

	return a->layer == APP_VIEW && v && v->type->rows ? v->type->rows(v) : ROWS_THERE;
}

static int screen_of_key(const struct app *a, uint32_t key)
{
	struct buf name = BUF_INIT;
	const struct operation *o;

	key_add_name(&name, key);
	o = keymap_operation(a->host.keymap, name.s, app_contexts(a));
	buf_release(&name);
	return o ? o->screen : SCREEN_NONE;
}

/* What is no question of rows: leaving, and what lies above any view. */
static bool needs_no_rows(const struct app *a, int screen)
{
	bool first = !a->n_due;

	switch (screen) {
	case SCREEN_QUIT: case SCREEN_CLOSE: case SCREEN_BACK: case SCREEN_SUSPEND:
	case SCREEN_REDRAW:
		return true;
	case SCREEN_PALETTE: case SCREEN_HELP: case SCREEN_MOUSE: case SCREEN_REFRESH:
		return first;
	default:
		return first && screen >= SCREEN_VIEW_1 && screen <= SCREEN_VIEW_9;
	}
}

/* True: KEY waits, or took back what was waited for. */
static bool wait_with(struct app *a, uint32_t key)
{
	bool form = form_is_awaited(a);
	int screen;

	if (!form && rows_of(a) != ROWS_AWAITED && !(a->n_due && a->layer == APP_VIEW))
		return false;
	screen = screen_of_key(a, key);
	if (screen == SCREEN_BACK || screen == SCREEN_CLOSE)
		a->n_due = 0;
	if (form && screen == SCREEN_BACK) {
		job_cancel(&a->facts);
		app_say(a, "nothing was changed");
		return true;
	}
	if (form ? screen == SCREEN_SUSPEND || screen == SCREEN_REDRAW || screen == SCREEN_QUIT
		 : needs_no_rows(a, screen))
		return false;
	if (a->n_due < APP_DUE_MAX)
		a->due[a->n_due++] = key;
	return true;
}

void app_take_due(struct app *a)
{
	while (a->n_due && !form_is_awaited(a) && rows_of(a) == ROWS_THERE) {
		uint32_t key = a->due[0];

		a->n_due--;
		memmove(a->due, a->due + 1, (size_t)a->n_due * sizeof *a->due);
		give_key(a, key);
	}
	if (rows_of(a) == ROWS_FAILED)
		a->n_due = 0;
}

void app_key(struct app *a, uint32_t key)
{
	if (wait_with(a, key))
		app_touch(a);
	else
		give_key(a, key);
}

static void paste(struct app *a, const struct term_event *e)
{
	bool taken = false;

	if (a->layer == APP_PROMPT)
		taken = prompt_paste(&a->prompt, e->text, e->text_n);
	else if (a->layer == APP_PALETTE)
		taken = palette_paste(&a->palette, e->text, e->text_n);
	else if (a->layer == APP_HELP)
		taken = palette_paste(&a->help.palette, e->text, e->text_n);
	else if (a->layer == APP_DIALOG)
		taken = dialog_paste(&a->dialog, e->text, e->text_n);
	if (!taken)
		app_complain(a, "pasted text goes into prompts only: %zu bytes were not used",
			e->text_n);
}

void app_input(struct app *a, const struct term_event *e)
{
	switch (e->type) {
	case TERM_KEY:
		app_key(a, e->key);
		break;
	case TERM_PASTE:
		paste(a, e);
		break;
	case TERM_CLICK:
		app_click(a, e->row, e->col);
		break;
	case TERM_WHEEL:
		app_wheel(a, e);
		break;
	}
}

void app_interrupt(struct app *a)
{
	a->n_due = 0;
	if (a->layer != APP_VIEW) {
		app_close_layer(a);
	} else if (job_is_running(&a->facts)) {
		job_cancel(&a->facts);
		app_say(a, "cancelled");
	} else if (job_is_running(&a->call)) {
		job_cancel(&a->call);
		app_say(a, "cancelled");
	} else if (a->host.interrupt && a->host.interrupt(a->host.user, a)) {
		app_say_keys(a, "cancelled what went on in the background; {R} starts it again");
	} else {
		app_say_keys(a, "{Q} quits; runs go on");
	}
	app_touch(a);
}
