/* view_runs - see view_runs.h: rows, keys and panes. */
#include "config.h"

#include "ui/view_runs.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/units.h"
#include "command/operation.h"
#include "command/preferences.h"
#include "command/run_log.h"
#include "command/screen_operation.h"
#include "ui/loop.h"
#include "ui/view_runs_panes.h"

enum { TICK_MS = 1000 };

/* ---- rows and selection ------------------------------------------------------------- */

const struct run_row *runs_selected(const struct runs_view *self)
{
	long row = self->model ? list_selected(&self->list) : -1;

	return row < 0 ? NULL : &self->model->rows.rows[runs_table_row(&self->table, row)];
}

static char *log_path(const struct runs_view *self)
{
	return run_log_path(self->model->rows.folder, self->selected);
}

/* Another run under the cursor: its facts, its log, and the attempt for all views. */
static void follow_selection(struct view *v)
{
	struct runs_view *self = view_state(v);
	const struct run_row *row = runs_selected(self);
	const char *id = row ? row->state->id : "";
	char *path;

	if (strcmp(id, self->selected) == 0)
		return;
	free(self->selected);
	self->selected = xstrdup(id);
	self->text.at = self->text.top = 0;
	runs_load_facts(v);
	path = row ? log_path(self) : NULL;
	log_pane_show(&self->log, path);
	free(path);
	app_select_run(v->app, id);
}

/* Another attempt was selected elsewhere: the cursor goes to its newest run,
 * unless it stands on one of its runs because that was asked for. */
static void go_to_attempt(struct runs_view *self)
{
	const char *asked = self->view->app->selection.run;
	const char *newest = NULL;
	bool is_own = false;

	for (size_t i = 0; i < self->model->rows.n; i++) {
		const struct run_state *s = self->model->rows.rows[i].state;

		if (strcmp(s->attempt, self->attempt) != 0)
			continue;
		if (!newest)
			newest = s->id;
		is_own |= strcmp(s->id, asked) == 0;
	}
	if (newest)
		list_select_key(&self->list, is_own ? asked : newest);
}

static void on_tick(void *user)
{
	struct view *v = user;
	struct runs_view *self = view_state(v);
	const struct run_row *row = runs_selected(self);

	if (app_view(v->app) != v || !self->model || !self->model->rows.n_live) {
		loop_timer_stop(self->timer);
		self->is_ticking = false;
		return;
	}
	if (!job_is_running(&self->rows_job))
		runs_load_rows(v);
	if (row && row->live)
		log_pane_tick(&self->log);
}

/* A timer only while something lives. */
static void keep_time(struct view *v)
{
	struct runs_view *self = view_state(v);
	bool wanted = self->model && self->model->rows.n_live && v->app->selection.at_now;

	if (!v->app->loop || wanted == self->is_ticking)
		return;
	if (!self->timer)
		self->timer = loop_timer_new(v->app->loop, on_tick, v);
	if (wanted)
		loop_timer_start(self->timer, TICK_MS, TICK_MS);
	else
		loop_timer_stop(self->timer);
	self->is_ticking = wanted;
}

/* What the filter is depends on the rows and on the columns. */
static void reload_list(struct runs_view *self)
{
	char *filter = self->list.filter ? xstrdup(self->list.filter) : NULL;

	if (filter)
		runs_filter_rows(self, filter);
	free(filter);
	list_reload(&self->list);
}

void runs_rows_changed(struct view *v, const char *started)
{
	struct runs_view *self = view_state(v);

	runs_table_take_rows(&self->table, self->model ? &self->model->rows : NULL);
	reload_list(self);
	if (self->attempt_due && self->model)
		go_to_attempt(self);
	self->attempt_due &= !self->model;
	if (started && list_select_key(&self->list, started))
		self->expects_run = false;
	follow_selection(v);
	keep_time(v);
	runs_table_read(v);
	app_touch(v->app);
}

void runs_table_arrived(struct view *v)
{
	struct runs_view *self = view_state(v);

	reload_list(self);
	follow_selection(v);
	app_touch(v->app);
}

void runs_table_changed(struct view *v)
{
	struct runs_view *self = view_state(v);

	self->list.sort_column = -1;
	self->list.left = 0;
	runs_list_source(self);
	runs_table_take_rows(&self->table, self->table.rows);
	runs_table_arrived(v);
	runs_table_read(v);
}

/* ---- life -------------------------------------------------------------------------------- */

static void open_view(struct view *v)
{
	struct runs_view *self = view_state(v);

	self->view = v;
	self->selected = xstrdup("");
	self->attempt = xstrdup("");
	runs_table_init(&self->table);
	if (runs_table_set_columns(&self->table, preferences_run_columns(&self->table.arena)) < 0)
		app_complain(v->app, "run-columns: %s", err_text());
	runs_list_source(self);
	list_init(&self->list, &self->table.source, self);
	text_view_init(&self->text, runs_facts_source(), self);
	self->text.gutter = self->text.wrap = true;
	log_pane_init(&self->log, v->app);
	buf_init(&self->line);
}

static void close_view(struct view *v)
{
	struct runs_view *self = view_state(v);

	if (self->timer)
		loop_timer_free(self->timer);
	runs_forget(self);
	runs_table_release(&self->table);
	log_pane_release(&self->log);
	list_release(&self->list);
	text_view_release(&self->text);
	buf_release(&self->line);
	free(self->trouble);
	free(self->attempt);
	free(self->selected);
}

static void load(struct view *v)
{
	struct runs_view *self = view_state(v);
	const char *attempt = v->app->selection.attempt;

	if (strcmp(attempt, self->attempt) != 0) {
		free(self->attempt);
		self->attempt = xstrdup(attempt);
		self->attempt_due = true;
	}
	/* At once where its runs are known: the next key is meant for them. */
	if (self->attempt_due && self->model) {
		go_to_attempt(self);
		follow_selection(v);
	}
	runs_load_rows(v);
	if (*self->selected)
		runs_load_facts(v);
}

static void changed(struct view *v, unsigned what)
{
	struct runs_view *self = view_state(v);
	const char *run = v->app->selection.run;

	if (what & CHANGED_RUN && *run && self->model && strcmp(run, self->selected) != 0 &&
	    list_select_key(&self->list, run))
		follow_selection(v);
}

static enum view_rows rows(const struct view *v)
{
	const struct runs_view *self = view_state(v);

	return self->model ? ROWS_THERE : self->trouble ? ROWS_FAILED : ROWS_AWAITED;
}

/* ---- keys ---------------------------------------------------------------- */

static bool move(struct view *v, enum motion motion)
{
	struct runs_view *self = view_state(v);

	if (self->pane == RUNS_LOG)
		return log_pane_move(&self->log, motion);
	if (self->pane == RUNS_FACTS)
		return text_view_move(&self->text, motion);
	if (!list_move(&self->list, motion))
		return false;
	self->attempt_due = false;
	follow_selection(v);
	return true;
}

static bool operate_log(struct runs_view *self, int screen)
{
	switch (screen) {
	case SCREEN_NOW:
		if (!self->view->app->selection.at_now)
			return false;
		log_pane_follow(&self->log);
		return true;
	case SCREEN_WRAP:
		log_pane_wrap(&self->log);
		return true;
	case SCREEN_NEXT_SIGNATURE:
		log_pane_next_error(&self->log, 1);
		return true;
	case SCREEN_PREVIOUS_SIGNATURE:
		log_pane_next_error(&self->log, -1);
		return true;
	default:
		return false;
	}
}

static bool operate_list(struct runs_view *self, int screen)
{
	switch (screen) {
	case SCREEN_MARK:
		list_toggle_mark(&self->list);
		break;
	case SCREEN_RANGE:
		list_toggle_range(&self->list);
		break;
	case SCREEN_SORT:
		list_sort_next(&self->list);
		break;
	case SCREEN_SORT_REVERSE:
		if (self->list.sort_column >= 0)
			list_sort(&self->list, self->list.sort_column);
		break;
	default:
		return false;
	}
	follow_selection(self->view);
	return true;
}

static void next_pane(struct runs_view *self, int direction)
{
	self->pane = (enum runs_pane)(((int)self->pane + 3 + direction) % 3);
}

static bool operate(struct view *v, const struct operation *o)
{
	struct runs_view *self = view_state(v);

	if (self->pane == RUNS_LOG && operate_log(self, o->screen))
		return true;
	if (self->pane == RUNS_LIST && operate_list(self, o->screen))
		return true;
	switch (o->screen) {
	case SCREEN_OPEN:
		self->pane = RUNS_LOG;
		return true;
	case SCREEN_NEXT_PANE:
		next_pane(self, 1);
		return true;
	case SCREEN_PREVIOUS_PANE:
		next_pane(self, -1);
		return true;
	case SCREEN_ZOOM:
		v->app->zoomed = !v->app->zoomed;
		return true;
	default:
		return runs_choose(v, o->screen) || runs_perform(v->app, o->screen);
	}
}

static bool click(struct view *v, int row, int col)
{
	struct runs_view *self = view_state(v);
	int head = self->pane == RUNS_LOG ? -1 : list_head_at(&self->list, row, col);

	if (head >= 0)
		list_sort(&self->list, head);
	else if (self->pane == RUNS_LOG || !list_click(&self->list, row, col))
		return false;
	follow_selection(v);
	return true;
}

static bool back(struct view *v)
{
	struct runs_view *self = view_state(v);

	if (self->pane != RUNS_LIST) {
		self->pane = RUNS_LIST;
		return true;
	}
	if (self->list.filter && *self->list.filter) {
		runs_filter_rows(self, NULL);
		follow_selection(v);
		return true;
	}
	if (list_count_marked(&self->list)) {
		list_clear_marks(&self->list);
		return true;
	}
	return false;
}

static void search(struct view *v, const char *text)
{
	struct runs_view *self = view_state(v);

	if (self->pane == RUNS_LOG)
		log_pane_set_search(&self->log, text);
	else if (self->pane == RUNS_FACTS)
		text_view_set_search(&self->text, text);
	else
		list_set_search(&self->list, text);
}

static bool search_next(struct view *v, int direction)
{
	struct runs_view *self = view_state(v);
	bool found;

	if (self->pane == RUNS_LOG)
		return log_pane_search(&self->log, direction);
	if (self->pane == RUNS_FACTS)
		return text_view_search(&self->text, direction, 0);
	found = list_search(&self->list, direction);
	follow_selection(v);
	return found;
}

static void filter(struct view *v, const char *text)
{
	struct runs_view *self = view_state(v);

	self->pane = RUNS_LIST;
	runs_filter_rows(self, text);
	follow_selection(v);
	runs_table_read(v);
}

/* ---- around it ----------------------------------------------------------- */

/* Of these the filter is neither true nor false. */
static void add_unknown(const struct runs_view *self, struct buf *out)
{
	size_t unknown = 0;

	for (long i = 0; self->table.filter && i < self->list.n_rows; i++)
		unknown += runs_table_passes(&self->table, i) == TRUTH_UNKNOWN;
	if (unknown)
		buf_addf(out, ", of %zu not known", unknown);
}

static void subject(struct view *v, struct buf *out)
{
	const struct runs_view *self = view_state(v);
	const struct run_rows *r = self->model ? &self->model->rows : NULL;

	if (!r || !r->n)
		return;
	if (self->list.filter)
		buf_addf(out, "%ld of ", self->list.n_shown);
	buf_addf(out, "%zu run%s", r->n, r->n == 1 ? "" : "s");
	add_unknown(self, out);
	if (!r->n_live)
		return;
	buf_addf(out, ", %zu live, ", r->n_live);
	if (r->live_without_price == r->n_live)
		buf_adds(out, "cost unknown");
	else
		units_add_money(out, r->live_cost_nano_usd);
	if (r->live_without_price && r->live_without_price < r->n_live)
		buf_addf(out, " and %zu without a price", r->live_without_price);
	if (r->live_without_price < r->n_live)
		buf_adds(out, " so far");
	if (r->n_orphans)
		buf_addf(out, ", %zu ORPHAN", r->n_orphans);
}

static bool copy(struct view *v, struct buf *out)
{
	const struct runs_view *self = view_state(v);

	if (self->pane == RUNS_LOG)
		return log_pane_copy(&self->log, out);
	buf_adds(out, self->selected);
	return *self->selected;
}

static bool file(struct view *v, struct buf *path, long *line)
{
	const struct runs_view *self = view_state(v);
	char *log;

	if (!*self->selected)
		return false;
	log = log_path(self);
	buf_adds(path, log);
	free(log);
	*line = 1;
	return true;
}

static int keys(struct view *v, const struct status_key **out)
{
	static const struct status_key list_keys[] = {
		{ "Enter", "log" },
		{ "r", "run" },
		{ "X", "end it" },
		{ "Tab", "facts" },
		{ "C", "columns" },
		{ "&", "filter" },
	};
	static const struct status_key facts_keys[] = {
		{ "Enter", "log" },
		{ "Esc", "list" },
		{ "z", "zoom" },
		{ "/", "search" },
		{ "r", "run" },
		{ "X", "end it" },
	};
	static const struct status_key log_keys[] = {
		{ "F", "follow" },
		{ "J K", "next error" },
		{ "/", "search" },
		{ "W", "wrap" },
		{ "g G", "ends" },
		{ "Esc", "list" },
	};
	const struct runs_view *self = view_state(v);

	*out = self->pane == RUNS_LOG      ? log_keys
		: self->pane == RUNS_FACTS ? facts_keys
					   : list_keys;
	return 6;
}

const struct view_type runs_view = {
	.name = "runs",
	.digit = '3',
	.title = "runs",
	.answers = "what runs, where, for how long, at what cost?",
	.legend =
		"L0: did the run reach its declared end? + confirmed  ! refuted  ? not known; of "
		"a run that lives its last step. kind ?: nobody said smoke or full. target *: not "
		"seen by us from its start to its end.",
	.contexts = CONTEXT_LIST | CONTEXT_RUNS | CONTEXT_LOG,
	.reload_on = CHANGED_ATTEMPT | CHANGED_POSITION | CHANGED_LOG | CHANGED_FILES,
	.size = sizeof(struct runs_view),
	.open = open_view,
	.close = close_view,
	.load = load,
	.changed = changed,
	.draw = runs_panes_draw,
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
	.file = file,
	.keys = keys,
};
