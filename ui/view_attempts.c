/* view_attempts - view 1: where are we, and what needs me?  Columns are in
 * attempts_columns.c, jobs in attempts_load.c, drawing in attempts_draw.c; see
 * attempts_view.h. */
#include "config.h"

#include "ui/attempts_filter.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "command/key.h"
#include "command/screen_operation.h"
#include "ui/layout.h"
#include "ui/loop.h"
#include "ui/people.h"

static const char empty_text[] =
	"No attempts yet.  They are found in this repository as tags attempt/N, commit trailers "
	"\"Attempt: N\" or branches attempt/N, as soon as they appear.  `portside brief` is the text "
	"that teaches an agent to mark them; "
	"`:refresh` looks again; `portside demo` builds a migration to try things on.";

/* ---- life ---------------------------------------------------------------- */

static long count_rows(void *user)
{
	const struct attempts_view *self = user;

	return self->board ? (long)self->board->status.attempts.n : 0;
}

static enum view_rows rows(const struct view *v)
{
	const struct attempts_view *self = view_state(v);

	return self->board ? ROWS_THERE : self->failure ? ROWS_FAILED : ROWS_AWAITED;
}

static void row_key(void *user, long i, struct buf *out)
{
	const struct attempt_row *row = attempts_row(user, i);

	if (row)
		buf_adds(out, row->state->id);
}

static void open_view(struct view *v)
{
	struct attempts_view *self = view_state(v);

	self->source = (struct list_source){
		.columns = self->columns,
		.count = count_rows,
		.cell = attempts_cell,
		.key = row_key,
		.compare = attempts_compare,
		.passes = attempts_pass,
		.empty = empty_text,
	};
	list_init(&self->list, &self->source, self);
}

static void close_view(struct view *v)
{
	struct attempts_view *self = view_state(v);

	attempts_release_loaded(self);
	list_release(&self->list);
	expr_free(self->expr);
	free(self->filter_text);
	free(self->failure);
}

/* ---- keys ---------------------------------------------------------------- */

static const struct attempt_state *selected(struct view *v)
{
	struct attempts_view *self = view_state(v);
	const struct attempt_row *row = attempts_row(self, list_selected(&self->list));

	return row ? row->state : NULL;
}

static void follow_selection(struct view *v)
{
	const struct attempt_state *s = selected(v);

	if (s)
		app_select_attempt(v->app, s->id);
}

static bool move(struct view *v, enum motion motion)
{
	struct attempts_view *self = view_state(v);

	if (self->on_detail && motion != MOTION_LEFT && motion != MOTION_RIGHT) {
		self->detail_top = motion_apply(motion, self->detail_top, self->detail_n, 5);
		return true;
	}
	if (!list_move(&self->list, motion))
		return false;
	follow_selection(v);
	return true;
}

static void show_view(struct view *v, const char *name)
{
	if (app_show_view(v->app, name) < 0)
		app_complain(v->app, "%s", err_text());
}

static void open_need(struct view *v, size_t i)
{
	struct attempts_view *self = view_state(v);
	const struct need *n = &self->board->status.needs[i];

	if (*n->attempt)
		app_select_attempt(v->app, n->attempt);
	switch (n->kind) {
	case NEED_ALARM:
		decision_open(v->app, n->alarm);
		break;
	case NEED_OVER_CLAIM:
		if (*n->attempt)
			show_view(v, "curves");
		else
			app_say(v->app, "the attempts are still being read");
		break;
	case NEED_CONFIG:
		people_perform(v->app, SCREEN_ACCEPT);
		break;
	case NEED_ORPHAN:
		app_select_run(v->app, n->run);
		show_view(v, "runs");
		break;
	case NEED_GONE:
		break;
	}
}

/* `!` and a digit; with a single need the digit goes without saying. */
static void ask_need(struct view *v)
{
	struct attempts_view *self = view_state(v);
	size_t n = self->board ? self->board->status.n_needs : 0;

	if (!n) {
		app_say(v->app, "nothing needs you");
	} else if (n == 1) {
		open_need(v, 0);
	} else {
		self->need_asked = true;
		app_say(v->app, "which one?  1 to %zu opens it", n < 9 ? n : 9);
	}
}

static bool take_digit(struct view *v, int digit)
{
	struct attempts_view *self = view_state(v);

	if (!self->need_asked)
		return false;
	self->need_asked = false;
	if (digit < 1 || (size_t)digit > self->board->status.n_needs)
		app_say(v->app, "there is no need %d", digit);
	else
		open_need(v, (size_t)digit - 1);
	return true;
}

static void compare(struct view *v)
{
	struct attempts_view *self = view_state(v);
	char *attempt, *other;
	long rows[2];
	size_t n = list_chosen_pair(&self->list, rows);

	if (n > 2)
		app_say(v->app, "%zu are marked; c compares two", n);
	else if (n < 2)
		app_say_keys(v->app, "{Space} marks two attempts, then {c} compares them");
	if (n != 2)
		return;
	/* Copies: the board may be replaced while views are told. */
	other = xstrdup(attempts_row(self, rows[0])->state->id);
	attempt = xstrdup(attempts_row(self, rows[1])->state->id);
	app_select_pair(v->app, attempt, other);
	show_view(v, "diff");
	if (app_view(v->app) != v)
		app_say(v->app, "#%s against #%s; 4 compares their curves", attempt, other);
	free(other);
	free(attempt);
}

static void switch_pane(struct view *v)
{
	struct attempts_view *self = view_state(v);

	self->on_detail = !self->on_detail;
	if (!self->on_detail)
		self->detail_top = 0;
}

static void sort_other_way(struct attempts_view *self)
{
	if (self->list.sort_column < 0)
		list_sort(&self->list, 0);
	list_sort(&self->list, self->list.sort_column);
}

static bool operate(struct view *v, const struct operation *o)
{
	struct attempts_view *self = view_state(v);
	bool asked = self->need_asked;

	if (o->screen >= SCREEN_VIEW_1 && o->screen <= SCREEN_VIEW_9)
		return take_digit(v, o->screen - SCREEN_VIEW_1 + 1);
	self->need_asked = false;
	switch (o->screen) {
	case SCREEN_OPEN:
		if (selected(v))
			show_view(v, "diff");
		return true;
	case SCREEN_MARK:
		list_toggle_mark(&self->list);
		follow_selection(v);
		return true;
	case SCREEN_RANGE:
		list_toggle_range(&self->list);
		return true;
	case SCREEN_SORT:
		list_sort_next(&self->list);
		return true;
	case SCREEN_SORT_REVERSE:
		sort_other_way(self);
		return true;
	case SCREEN_COMPARE:
		compare(v);
		return true;
	case SCREEN_NEEDS:
		ask_need(v);
		return true;
	case SCREEN_NEXT_PANE: case SCREEN_PREVIOUS_PANE:
		switch_pane(v);
		return true;
	case SCREEN_ZOOM:
		v->app->zoomed = !v->app->zoomed;
		return true;
	case SCREEN_BACK:
		return asked;
	default:
		return false;
	}
}

static bool click(struct view *v, int row, int col)
{
	struct attempts_view *self = view_state(v);
	int head = list_head_at(&self->list, row, col);

	if (head >= 0)
		list_sort(&self->list, head);
	else if (!list_click(&self->list, row, col))
		return false;
	self->on_detail = false;
	follow_selection(v);
	app_touch(v->app);
	return true;
}

static bool back(struct view *v)
{
	struct attempts_view *self = view_state(v);

	if (self->on_detail) {
		switch_pane(v);
		return true;
	}
	if (v->app->zoomed) {
		v->app->zoomed = false;
		return true;
	}
	if (list_key(&self->list, K_ESC) == OUTCOME_UNUSED)
		return false;
	follow_selection(v);
	return true;
}

static void search(struct view *v, const char *text)
{
	struct attempts_view *self = view_state(v);

	list_set_search(&self->list, text);
}

static bool search_next(struct view *v, int direction)
{
	struct attempts_view *self = view_state(v);

	if (!list_search(&self->list, direction))
		return false;
	follow_selection(v);
	return true;
}

static void filter(struct view *v, const char *text)
{
	struct attempts_view *self = view_state(v);

	list_set_filter(&self->list, text);
	follow_selection(v);
}

/* ---- words around the view ----------------------------------------------- */

static void subject(struct view *v, struct buf *out)
{
	struct attempts_view *self = view_state(v);
	const struct migration_status *s = self->board ? &self->board->status : NULL;

	if (!s)
		return;
	if (*s->goal)
		buf_addf(out, "goal %s", s->goal);
	else
		buf_adds(out, "no goal set");
	if (*s->attempts.intended)
		buf_addf(out, "   intended %s", s->attempts.intended);
}

static bool copy(struct view *v, struct buf *out)
{
	struct attempts_view *self = view_state(v);
	const struct attempt_state *s = selected(v);
	bool marked = list_count_marked(&self->list) > 0;

	for (long i = 0; marked && i < self->list.n_rows; i++)
		if (list_is_marked(&self->list, i))
			buf_addf(out, "%s %s %s\n", attempts_row(self, i)->state->id,
				attempts_row(self, i)->state->tip,
				attempts_row(self, i)->state->subject);
	if (!marked && s)
		buf_addf(out, "%s %s %s", s->id, s->tip, s->subject);
	return out->n > 0;
}

static int keys(struct view *v, const struct status_key **out)
{
	static const struct status_key all[] = {
		{ "Enter", "diff" },
		{ "Space", "mark" },
		{ "c", "compare" },
		{ "!", "what needs you" },
		{ "r", "run" },
		{ "/", "search" },
		{ "&", "filter" },
		{ ":", "commands" },
	};

	(void)v;
	*out = all;
	return (int)ARRAY_LEN(all);
}

const struct view_type attempts_view = {
	.name = "attempts",
	.digit = '1',
	.title = "attempts",
	.answers = "where are we, and what needs me?",
	.legend =
		"L0 it runs to its declared end, L2 on the intended hardware, L3 the goal holds, "
		"L4 faster or cheaper. \"L0, above ?\": L0 is proven, what is above was not "
		"checked or could not be told. $1+? some of it has no price  ! contradicts  "
		"> runs  ? unknown  - nothing",
	.contexts = CONTEXT_LIST | CONTEXT_ATTEMPTS,
	.reload_on = CHANGED_LOG | CHANGED_FILES | CHANGED_POSITION,
	.size = sizeof(struct attempts_view),
	.open = open_view,
	.close = close_view,
	.load = attempts_load,
	.changed = attempts_changed,
	.draw = attempts_draw,
	.rows = rows,
	.move = move,
	.operate = operate,
	.click = click,
	.back = back,
	.search = search,
	.search_next = search_next,
	.filter = filter,
	.subject = subject,
	.copy = copy,
	.keys = keys,
};
