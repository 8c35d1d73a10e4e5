/* view_curves_key - what the keys do; see view_curves_private.h. */
#include "config.h"

#include "ui/view_curves_private.h"

#include <string.h>

#include "command/operation.h"
#include "command/screen_operation.h"

/* Left and right of the lines of a text above the view. */
enum { FRAME_COLS = 4, LEAST_COLS = 40 };

static struct list *focused(struct curves_view *self)
{
	return self->pane == PANE_METRICS ? &self->metrics
		: self->pane == PANE_RUNS ? &self->runs
					  : NULL;
}

/* ---- moving ---------------------------------------------------------------------------- */

static void move_plot(struct view *v, enum motion motion)
{
	struct curves_view *self = view_state(v);
	double first, last;

	switch (motion) {
	case MOTION_UP: case MOTION_DOWN:
		curves_step_metric(v, motion == MOTION_UP ? -1 : 1);
		break;
	case MOTION_HALF_UP: case MOTION_PAGE_UP:
		curves_pan(self, motion == MOTION_PAGE_UP ? -0.9 : -0.5);
		break;
	case MOTION_HALF_DOWN: case MOTION_PAGE_DOWN:
		curves_pan(self, motion == MOTION_PAGE_DOWN ? 0.9 : 0.5);
		break;
	case MOTION_FIRST: case MOTION_LAST:
		if (self->scene && curves_range(self, &first, &last))
			curves_set_cursor(self, motion == MOTION_FIRST ? first : last);
		break;
	case MOTION_LEFT: case MOTION_RIGHT:
		curves_step_cursor(self, motion == MOTION_LEFT ? -1 : 1);
		break;
	case MOTION_NONE:
		break;
	}
}

bool curves_move(struct view *v, enum motion motion)
{
	struct curves_view *self = view_state(v);

	self->weighing = false;
	if (focused(self))
		return list_move(focused(self), motion);
	if (self->overview)
		return curves_grid_move(v, motion);
	if (self->table)
		return text_view_move(&self->rows, motion);
	move_plot(v, motion);
	return true;
}

/* ---- panes ------------------------------------------------------------------------------- */

static void next_pane(struct curves_view *self, int by)
{
	self->pane = (enum curves_pane)((self->pane + PANE_COUNT + by) % PANE_COUNT);
}

static void accept(struct view *v)
{
	struct curves_view *self = view_state(v);
	long row = list_selected(&self->metrics);

	if (self->pane == PANE_METRICS && row >= 0 && self->overview)
		curves_grid_open(v);
	else if (self->pane == PANE_METRICS && row >= 0)
		curves_choose_metric(v, self->metric_names[row].name);
	else if (self->pane == PANE_RUNS)
		curves_choose_run(v);
	else if (self->overview)
		curves_grid_open(v);
}

static void show_facts(struct view *v)
{
	struct curves_view *self = view_state(v);
	struct buf text = BUF_INIT;
	int columns;

	if (!self->scene)
		return;
	columns = v->app->columns - FRAME_COLS;
	curves_add_facts(&text, self->scene,
		columns > LEAST_COLS ? (size_t)columns : (size_t)LEAST_COLS);
	app_show_text(v->app, "facts of this comparison", text.s);
	v->app->text.wrap = true;	/* what no word parts: the names of files */
	buf_release(&text);
}

/* The runs, with the focus; again: the curves. */
static void show_runs(struct view *v)
{
	struct curves_view *self = view_state(v);

	self->zoomed = false;
	self->pane = self->pane == PANE_RUNS ? PANE_PLOT : PANE_RUNS;
	if (self->pane == PANE_RUNS)
		app_say_keys(v->app, "{Space} draws a run or takes it away; {Enter} puts it at A or R");
}

static void toggle_table(struct curves_view *self)
{
	self->table = !self->table;
	self->overview = false;
	text_view_reload(&self->rows);
}

/* ---- what waits --------------------------------------------------------------------------- */

/* These look into the scene; while a worker has it they wait. */
static bool must_wait(struct curves_view *self, int screen)
{
	static const int of_scene[] = {
		SCREEN_FIRST,
		SCREEN_LAST,
		SCREEN_CURSOR_LEFT,
		SCREEN_CURSOR_RIGHT,
		/* Not before those: they move the window about the read-out. */
		SCREEN_PAN_LEFT,
		SCREEN_PAN_RIGHT,
		SCREEN_ZOOM_IN,
		SCREEN_ZOOM_OUT,
		SCREEN_FIT,
		SCREEN_NEXT_DIVERGENCE,
		SCREEN_JUMP_MAX_DELTA,
		SCREEN_JUMP_NON_FINITE,
		SCREEN_JUMP_NON_FINITE_BACK,
		SCREEN_JUMP_RESTART,
		SCREEN_SMOOTHING,
		SCREEN_X_AXIS,
		SCREEN_BAND,
		SCREEN_FACTS,
		SCREEN_COPY,
		SCREEN_EDIT,
	};

	bool moves_in_list = (screen == SCREEN_FIRST || screen == SCREEN_LAST) &&
		(focused(self) || (self->table && !self->overview));

	if (self->scene || moves_in_list ||
		(!job_is_running(&self->work_job) && !job_is_running(&self->load_job)))
		return false;
	for (size_t i = 0; i < ARRAY_LEN(of_scene); i++) {
		if (of_scene[i] != screen)
			continue;
		if (self->n_due < CURVES_DUE_MAX)
			self->due[self->n_due++] = screen;
		return true;
	}
	return false;
}

/* The file to an editor, or what is shown to the clipboard; false: there is none. */
static bool hand_out(struct view *v, int screen)
{
	struct buf b = BUF_INIT;
	long line = 0;
	bool there = screen == SCREEN_EDIT ? v->type->file(v, &b, &line) : v->type->copy(v, &b);

	if (there && screen == SCREEN_EDIT)
		app_edit_copy(v->app, b.s, line);
	else if (there)
		app_copy(v->app, b.s, b.n);
	buf_release(&b);
	return there;
}

static bool operate(struct view *v, int screen)
{
	if (screen == SCREEN_EDIT || screen == SCREEN_COPY)
		return hand_out(v, screen);
	if (screen == SCREEN_FACTS) {
		show_facts(v);
		return true;
	}
	/* What had to wait; at once it is a motion as any other. */
	if (screen == SCREEN_FIRST || screen == SCREEN_LAST)
		return curves_move(v, screen == SCREEN_FIRST ? MOTION_FIRST : MOTION_LAST);
	return curves_operate_place(v, screen) || curves_operate_look(v, screen);
}

void curves_catch_up(struct view *v)
{
	struct curves_view *self = view_state(v);
	int due[CURVES_DUE_MAX];
	size_t n = self->n_due;

	memcpy(due, self->due, n * sizeof *due);
	self->n_due = 0;
	for (size_t i = 0; i < n; i++)
		if (!must_wait(self, due[i]))
			operate(v, due[i]);
	curves_write_due(v);
}

/* ---- keys ----------------------------------------------------------------------------------- */

/* Behind the key of smoothing, the keys of zoom make it more or less. */
static int meant(struct curves_view *self, int screen)
{
	if (self->weighing && screen == SCREEN_ZOOM_IN)
		return SCREEN_SMOOTHER;
	if (self->weighing && screen == SCREEN_ZOOM_OUT)
		return SCREEN_LESS_SMOOTH;
	self->weighing = false;
	return screen;
}

bool curves_operate(struct view *v, const struct operation *o)
{
	struct curves_view *self = view_state(v);
	int screen = meant(self, o->screen);

	if (must_wait(self, screen))
		return true;
	switch (screen) {
	case SCREEN_NEXT_PANE: case SCREEN_PREVIOUS_PANE:
		next_pane(self, screen == SCREEN_NEXT_PANE ? 1 : -1);
		return true;
	case SCREEN_ZOOM:
		self->zoomed = !self->zoomed;
		return true;
	case SCREEN_OPEN:
		accept(v);
		return true;
	case SCREEN_MARK:
		curves_toggle_run(v);
		return true;
	case SCREEN_COMPARE:
		show_runs(v);
		return true;
	case SCREEN_TABLE:
		toggle_table(self);
		return true;
	case SCREEN_WRITE:
		curves_ask_path(v);
		return true;
	default:
		return operate(v, screen);
	}
}

static bool clear_filters(struct view *v)
{
	struct curves_view *self = view_state(v);

	if (!self->metrics.filter && !self->runs.filter)
		return false;
	curves_filter_metrics(v, NULL);
	list_set_filter(&self->runs, NULL);
	return true;
}

/* The large chart closes what lies on top of it, then leads back to where it came from;
 * a filter that is not in sight comes last. */
static bool back_from_chart(struct view *v)
{
	struct curves_view *self = view_state(v);

	if (self->table)
		self->table = false;
	else if (self->zoomed)
		self->zoomed = false;
	else if (self->from_overview)
		curves_show_grid(v, true);
	else
		return clear_filters(v);
	return true;
}

bool curves_back(struct view *v)
{
	struct curves_view *self = view_state(v);

	self->weighing = false;
	if (self->pane != PANE_PLOT) {
		if (!clear_filters(v))
			self->pane = PANE_PLOT;
		return true;
	}
	return self->overview ? clear_filters(v) : back_from_chart(v);
}
