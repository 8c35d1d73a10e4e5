/* app_key - who gets a key, and what the screen's own operations do; see app.h. */
#include "config.h"

#include "ui/app_private.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "command/screen_operation.h"
#include "ui/key.h"
#include "ui/loop.h"
#include "ui/people.h"
#include "ui/view_runs.h"

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

static bool is_listed(const struct app *a, const struct operation *o, enum palette_kind kind)
{
	if (!(o->flags & OPERATION_SCREEN) || (o->flags & OPERATION_INTERNAL))
		return false;
	if (o->screen >= SCREEN_VIEW_1 && o->screen <= SCREEN_VIEW_9 && !has_digit(a, '1' + o->screen - SCREEN_VIEW_1))
		return false;
	return kind == PALETTE_COMMANDS || (o->keys && (o->contexts & app_contexts(a)));
}

static const char *refusal_of(const struct app *a, const struct operation *o)
{
	if (!(o->flags & OPERATION_WRITES))
		return NULL;
	if (a->host.read_only)
		return "--read-only";
	return a->selection.at_now ? NULL : "in the past; F returns to now";
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
			.name = o->name,
			.keys = o->keys && (o->contexts & app_contexts(a)) ? o->keys : "",
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
		help_open(&a->help, v ? v->type->title : "", v ? v->type->answers : NULL, a->items, n);
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

	if (a->dialog_waits && key == K_ENTER)
		return;			/* once is enough */
	if (app_edit_field(a, key) || (a->dialog_extra && a->dialog_extra(a->answer_user, a, &a->dialog, key)))
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
		app_close_layer(a);
		app_say(a, "nothing was changed");
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

/* ---- the screen's operations ------------------------------------------------------ */

static const struct { int screen; enum motion motion; } motions[] = {
	{ SCREEN_DOWN, MOTION_DOWN }, { SCREEN_UP, MOTION_UP },
	{ SCREEN_HALF_DOWN, MOTION_HALF_DOWN }, { SCREEN_HALF_UP, MOTION_HALF_UP },
	{ SCREEN_PAGE_DOWN, MOTION_PAGE_DOWN }, { SCREEN_PAGE_UP, MOTION_PAGE_UP },
	{ SCREEN_FIRST, MOTION_FIRST }, { SCREEN_LAST, MOTION_LAST },
	{ SCREEN_LEFT, MOTION_LEFT }, { SCREEN_RIGHT, MOTION_RIGHT },
};

static bool move(struct app *a, int screen)
{
	struct view *v = app_view(a);

	for (size_t i = 0; i < ARRAY_LEN(motions); i++) {
		if (motions[i].screen != screen)
			continue;
		if (v && v->type->move)
			v->type->move(v, motions[i].motion);
		return true;
	}
	return false;
}

static bool go_back(struct app *a)
{
	struct view *v = app_view(a);

	if (v && v->type->back && v->type->back(v))
		return true;
	if (!a->n_back)
		return false;
	app_go_view(a, a->back[--a->n_back], false);
	return true;
}

static void quit(struct app *a)
{
	if (a->loop)
		loop_stop(a->loop, 0);
}

/* q closes what can be closed; at the top it asks once. */
static void close_or_ask(struct app *a)
{
	bool asked = a->quit_asked;

	if (go_back(a))
		return;
	if (asked) {
		quit(a);
		return;
	}
	app_say(a, "q again quits; runs go on");
	a->quit_asked = true;
}

static void step(struct app *a, int direction, bool by_attempt)
{
	struct selection *s = &a->selection;
	char *attempt = xstrdup(s->attempt);

	if (!a->host.step || !a->host.step(a->host.user, s, direction, by_attempt)) {
		app_say(a, direction < 0 ? "this is the first" : "this is the last");
		free(attempt);
		return;
	}
	if (by_attempt) {
		free(s->other_attempt);
		s->other_attempt = xstrdup("");
	}
	app_changed(a, strcmp(attempt, s->attempt) == 0 ? CHANGED_POSITION : CHANGED_POSITION | CHANGED_ATTEMPT);
	free(attempt);
}

static void search_again(struct app *a, int direction)
{
	struct view *v = app_view(a);

	if (!v || !v->type->search_next)
		app_complain(a, "there is nothing to search in this view");
	else if (!v->type->search_next(v, direction))
		app_complain(a, "not found; / searches for something else");
}

static void copy_selected(struct app *a)
{
	struct view *v = app_view(a);
	struct buf b = BUF_INIT;

	if (v && v->type->copy && v->type->copy(v, &b))
		app_copy(a, b.s, b.n);
	else
		app_say(a, "there is nothing to copy here");
	buf_release(&b);
}

static void edit_selected(struct app *a)
{
	struct view *v = app_view(a);
	struct buf path = BUF_INIT;
	long line = 0;

	if (v && v->type->file && v->type->file(v, &path, &line))
		app_edit(a, path.s, line);
	else
		app_say(a, "there is no file here to edit");
	buf_release(&path);
}

static void open_search(struct app *a, bool filter)
{
	struct view *v = app_view(a);

	if (v && (filter ? v->type->filter : v->type->search))
		app_open_prompt(a, filter ? APP_PROMPT_FILTER : APP_PROMPT_SEARCH, filter ? "filter: " : "/", "");
	else
		app_say(a, "this view cannot be %s", filter ? "filtered" : "searched");
}

static void toggle_mouse(struct app *a)
{
	struct term *t = a->loop ? loop_term(a->loop) : NULL;

	if (!t)
		return;
	term_set_mouse(t, !term_has_mouse(t));
	app_say(a, term_has_mouse(t) ? "mouse on; it takes selection away from the terminal" : "mouse off");
}

static void open_digit(struct app *a, int digit)
{
	for (int i = 0; i < a->n_views; i++)
		if (a->views[i].type->digit == digit) {
			app_go_view(a, i, true);
			return;
		}
	app_say(a, "there is no view %c", digit);
}

static bool perform_of_program(struct app *a, int screen)
{
	switch (screen) {
	case SCREEN_PALETTE:
		app_open_palette(a, PALETTE_COMMANDS);
		return true;
	case SCREEN_HELP:
		app_open_palette(a, PALETTE_HELP);
		return true;
	case SCREEN_REFRESH:
		if (a->host.refresh)
			a->host.refresh(a->host.user, a);
		app_changed(a, CHANGED_ALL);
		return true;
	case SCREEN_REDRAW:
		if (a->loop)
			term_redraw_all(loop_term(a->loop));
		return true;
	case SCREEN_MOUSE:
		toggle_mouse(a);
		return true;
	case SCREEN_SUSPEND:
		kill(0, SIGTSTP);
		return true;
	case SCREEN_CLOSE:
		close_or_ask(a);
		return true;
	case SCREEN_QUIT:
		quit(a);
		return true;
	default:
		return false;
	}
}

static bool perform_of_selection(struct app *a, int screen)
{
	switch (screen) {
	case SCREEN_PREVIOUS_ATTEMPT:
		step(a, -1, true);
		return true;
	case SCREEN_NEXT_ATTEMPT:
		step(a, 1, true);
		return true;
	case SCREEN_PREVIOUS_EVENT:
		step(a, -1, false);
		return true;
	case SCREEN_NEXT_EVENT:
		step(a, 1, false);
		return true;
	case SCREEN_NOW:
		app_select_position(a, NULL, NULL);
		return true;
	case SCREEN_SEARCH:
		open_search(a, false);
		return true;
	case SCREEN_FILTER:
		open_search(a, true);
		return true;
	case SCREEN_SEARCH_NEXT:
		search_again(a, 1);
		return true;
	case SCREEN_SEARCH_PREVIOUS:
		search_again(a, -1);
		return true;
	case SCREEN_COPY:
		copy_selected(a);
		return true;
	case SCREEN_EDIT:
		edit_selected(a);
		return true;
	case SCREEN_BACK:
		go_back(a);
		return true;
	default:
		return false;
	}
}

/* The view is asked first, so that it can give a key a meaning of its own. */
bool app_perform(struct app *a, const struct operation *o)
{
	struct view *v = app_view(a);

	if (!o->screen)
		return false;
	if (v && v->type->operate && v->type->operate(v, o))
		return true;
	if (move(a, o->screen) || perform_of_program(a, o->screen) || perform_of_selection(a, o->screen) ||
	    people_perform(a, o->screen) || runs_perform(a, o->screen))
		return true;
	if (o->run)
		return false;
	if (o->screen >= SCREEN_VIEW_1 && o->screen <= SCREEN_VIEW_9)
		open_digit(a, '1' + o->screen - SCREEN_VIEW_1);
	else
		app_say(a, "%s does nothing here", o->name);
	return true;
}

/* ---- input ------------------------------------------------------------------------ */

static void view_key(struct app *a, uint32_t key)
{
	struct view *v = app_view(a);
	struct buf name = BUF_INIT;
	const struct operation *o;
	bool asked = a->quit_asked;

	key_add_name(&name, key);
	o = operation_by_key(name.s, app_contexts(a));
	if (!o || o->screen != SCREEN_CLOSE)
		a->quit_asked = false;
	free(a->message);
	a->message = NULL;
	if (o)
		app_operate(a, o, "");
	else if (!v || !v->type->key || !v->type->key(v, key))
		app_say(a, "%s does nothing here; ? shows what does", name.s);
	if (asked && o && o->screen == SCREEN_CLOSE)
		a->quit_asked = false;
	buf_release(&name);
}

void app_key(struct app *a, uint32_t key)
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
		app_complain(a, "pasted text goes into prompts only: %zu bytes were not used", e->text_n);
}

void app_input(struct app *a, const struct term_event *e)
{
	struct view *v = app_view(a);

	switch (e->type) {
	case TERM_KEY:
		app_key(a, e->key);
		break;
	case TERM_PASTE:
		paste(a, e);
		break;
	case TERM_CLICK:
		if (a->layer == APP_VIEW && v && v->type->click)
			v->type->click(v, e->row, e->col);
		break;
	case TERM_WHEEL:
		if (a->layer == APP_VIEW && v && v->type->move)
			v->type->move(v, e->row < 0 ? MOTION_UP : MOTION_DOWN);
		break;
	}
}

void app_interrupt(struct app *a)
{
	if (a->layer != APP_VIEW) {
		app_close_layer(a);
	} else if (job_is_running(&a->call)) {
		job_cancel(&a->call);
		app_say(a, "cancelled");
	} else if (a->host.interrupt && a->host.interrupt(a->host.user, a)) {
		app_say(a, "cancelled what went on in the background; R starts it again");
	} else {
		app_say(a, "Q quits; runs go on");
	}
	app_touch(a);
}
