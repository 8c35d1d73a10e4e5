/* app_operation - what the screen's own operations do; see app.h. */
#include "config.h"

#include "ui/app_private.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "command/screen_operation.h"
#include "ui/loop.h"
#include "ui/people.h"
#include "ui/view_runs.h"

/* ---- moving ---------------------------------------------------------------------- */

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

/* ---- the program ------------------------------------------------------------------ */

static bool go_back(struct app *a)
{
	struct view *v = app_view(a);

	if (v && v->type->back && v->type->back(v))
		return true;
	if (a->back < 0)
		return false;
	app_go_view(a, a->back, false);
	a->back = -1;
	return true;
}

static void quit(struct app *a)
{
	if (a->loop)
		loop_stop(a->loop, 0);
}

/* q closes a pane, else goes back to where one came from, else asks once. */
static void close_or_ask(struct app *a)
{
	bool asked = a->quit_asked;

	if (go_back(a))
		return;
	if (asked) {
		quit(a);
		return;
	}
	app_say_keys(a, "{q} again quits; runs go on");
	a->quit_asked = true;
}

/* ---- the selection ---------------------------------------------------------------- */

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
	app_changed(a,
		strcmp(attempt, s->attempt) == 0 ? CHANGED_POSITION
						 : CHANGED_POSITION | CHANGED_ATTEMPT);
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
		app_edit_copy(a, path.s, line);
	else
		app_say(a, "there is no file here to edit");
	buf_release(&path);
}

static void open_search(struct app *a, bool filter)
{
	struct view *v = app_view(a);

	if (v && (filter ? v->type->filter : v->type->search))
		app_open_prompt(a, filter ? APP_PROMPT_FILTER : APP_PROMPT_SEARCH,
			filter ? "filter: " : "/", "");
	else
		app_say(a, "this view cannot be %s", filter ? "filtered" : "searched");
}

static void toggle_mouse(struct app *a)
{
	struct term *t = a->loop ? loop_term(a->loop) : NULL;

	if (!t)
		return;
	term_set_mouse(t, !term_has_mouse(t));
	app_say(a,
		term_has_mouse(t) ? "mouse on; it takes selection away from the terminal"
				  : "mouse off");
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

/* ---- performing ------------------------------------------------------------------- */

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
	if (move(a, o->screen) || perform_of_program(a, o->screen) ||
		perform_of_selection(a, o->screen) || people_perform(a, o->screen) ||
		runs_perform(a, o->screen))
		return true;
	if (o->run)
		return false;
	if (o->screen >= SCREEN_VIEW_1 && o->screen <= SCREEN_VIEW_9)
		open_digit(a, '1' + o->screen - SCREEN_VIEW_1);
	else
		app_say_nothing_here(a, o->name, "\"");
	return true;
}
