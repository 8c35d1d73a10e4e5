/* view_curves_key - what the keys do; see view_curves_private.h. */
#include "config.h"

#include "ui/view_curves_private.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "command/operation.h"
#include "command/screen_operation.h"

/* ---- the read-out ------------------------------------------------------------------------ */

static void keep_in_sight(struct curves_view *self)
{
	struct plot_view *w = &self->window;
	double width = w->x1 - w->x0;

	if (self->fit || !isfinite(self->cursor_x))
		return;
	if (self->cursor_x < w->x0 || self->cursor_x > w->x1) {
		w->x0 = self->cursor_x - width / 2;
		w->x1 = w->x0 + width;
	}
}

static void set_cursor(struct curves_view *self, double x)
{
	self->cursor_x = x;
	self->at_last =
		self->scene && !(x < curves_tail(self->scene)) && !(x > curves_tail(self->scene));
	keep_in_sight(self);
}

static void move_cursor(struct curves_view *self, int steps)
{
	struct plot_source *sources[CURVES_SOURCES_MAX];
	size_t n = curves_sources(self->scene, sources);
	enum plot_jump jump = steps < 0 ? JUMP_PREVIOUS_POINT : JUMP_NEXT_POINT;
	double to;

	for (int i = 0; i < abs(steps); i++)
		if (plot_jump(&to, jump, self->cursor_x, sources, n, NULL))
			set_cursor(self, to);
}

static void step_cursor(struct curves_view *self, int steps)
{
	if (self->scene && self->scene->pair)
		move_cursor(self, steps);
}

static const struct {
	enum plot_jump jump;
	const char *what;
} jumps[] = {
	{ JUMP_FIRST_OUT, "the first step out of tolerance" },
	{ JUMP_MAX_DELTA, "the largest difference" },
	{ JUMP_NEXT_NONFINITE, "the next NaN or infinity" },
	{ JUMP_NEXT_RESTART, "the next restart" },
	{ JUMP_LAST, "the last point" },
};

static bool jump_to(struct view *v, enum plot_jump jump, const char *what)
{
	struct curves_view *self = view_state(v);
	struct plot_source *sources[CURVES_SOURCES_MAX];
	const struct run_comparison *c;
	double to;

	if (!self->scene || !self->scene->pair)
		return false;
	c = self->scene->pair;
	if (!plot_jump(&to, jump, self->cursor_x, sources, curves_sources(self->scene, sources),
		       c->has_comparison ? &c->comparison : NULL))
		return false;
	set_cursor(self, to);
	app_say(v->app, "at %s", what);
	return true;
}

/* D again goes to the next kind of place that there is. */
static void next_jump(struct view *v)
{
	struct curves_view *self = view_state(v);

	for (size_t i = 0; i < ARRAY_LEN(jumps); i++) {
		size_t k = ((size_t)self->jump + i) % ARRAY_LEN(jumps);

		if (!jump_to(v, jumps[k].jump, jumps[k].what))
			continue;
		self->jump = (int)((k + 1) % ARRAY_LEN(jumps));
		return;
	}
	app_say(v->app, "there is no such place in these curves");
}

static void jump_once(struct view *v, enum plot_jump jump, const char *none)
{
	for (size_t i = 0; i < ARRAY_LEN(jumps); i++)
		if (jumps[i].jump == jump && jump_to(v, jump, jumps[i].what))
			return;
	app_say(v->app, "%s", none);
}

/* ---- the window ---------------------------------------------------------------------------- */

static void zoom(struct curves_view *self, double factor)
{
	double x =
		isfinite(self->cursor_x) ? self->cursor_x : (self->window.x0 + self->window.x1) / 2;

	plot_view_zoom(&self->window, x, factor);
	self->fit = false;
}

static void pan(struct curves_view *self, double share)
{
	plot_view_pan(&self->window, share);
	self->fit = false;
}

/* ---- choosing -------------------------------------------------------------------------------- */

void curves_choose_metric(struct view *v, const char *name)
{
	struct curves_view *self = view_state(v);

	if (strcmp(name, self->metric_shown) == 0)
		return;
	free(self->metric);
	self->metric = xstrdup(name);
	self->jump = 0;
	curves_look_again(v);
}

static void step_metric(struct view *v, int by)
{
	struct curves_view *self = view_state(v);

	for (size_t i = 0; i < self->n_metrics; i++) {
		size_t to = (i + self->n_metrics + (size_t)by) % self->n_metrics;

		if (strcmp(self->metric_names[i], self->metric_shown) != 0)
			continue;
		list_select(&self->metrics, (long)to);
		curves_choose_metric(v, self->metric_names[to]);
		return;
	}
}

static void choose_run(struct view *v)
{
	struct curves_view *self = view_state(v);
	long row = list_selected(&self->runs);
	const struct curves_run *r;

	if (row < 0)
		return;
	r = &self->run_rows[row];
	if (*r->attempt) {
		app_select_run(v->app, r->run);
		return;
	}
	free(self->reference);
	self->reference = xstrdup(r->run);
	v->type->load(v);
}

/* Space: the run under the cursor is drawn too, or no longer. */
static void toggle_further(struct view *v)
{
	struct curves_view *self = view_state(v);
	long row = list_selected(&self->runs);
	const char *run = row >= 0 ? self->run_rows[row].run : NULL;
	char **room = NULL;

	if (self->pane != PANE_RUNS || !run) {
		app_say_keys(v->app, "{Tab} goes to the runs; {Space} there draws one more");
		return;
	}
	for (size_t i = 0; i < SCENE_FURTHER_MAX; i++) {
		char **slot = &self->further[i];

		if (*slot && strcmp(*slot, run) == 0) {
			free(*slot);
			*slot = NULL;
			v->type->load(v);
			return;
		}
		if (!*slot && !room)
			room = slot;
	}
	if (!room) {
		app_say(v->app, "%d further runs at most; a mark taken off one makes room",
			SCENE_FURTHER_MAX);
		return;
	}
	*room = xstrdup(run);
	v->type->load(v);
}

static bool has_axis(const struct curve_scene *s, enum align_axis axis)
{
	const struct run_comparison *c = s->pair;

	return c->attempt.series && align_axis_exists(c->attempt.series, axis) &&
		(!c->reference.series || align_axis_exists(c->reference.series, axis));
}

static void next_axis(struct view *v)
{
	static const enum align_axis axes[] = { ALIGN_STEP, ALIGN_FROM_START, ALIGN_EPOCH,
		ALIGN_TIME, ALIGN_CLIPPED_TIME };
	struct curves_view *self = view_state(v);
	size_t at = 0;

	if (!self->scene || !self->scene->pair)
		return;
	while (at + 1 < ARRAY_LEN(axes) && axes[at] != self->look.axis)
		at++;
	for (size_t i = 1; i <= ARRAY_LEN(axes); i++) {
		enum align_axis axis = axes[(at + i) % ARRAY_LEN(axes)];

		if (axis != self->look.axis && has_axis(self->scene, axis)) {
			self->look.axis = axis;
			self->fit = self->at_last = true;
			app_say(v->app, "x is the %s", align_axis_name(axis));
			curves_look_again(v);
			return;
		}
	}
	app_say(v->app, "these curves have no other x axis: no epochs, no times");
}

static void next_smoothing(struct view *v)
{
	struct curves_view *self = view_state(v);

	self->look.smoothing = (self->look.smoothing + 1) % CURVE_SMOOTHINGS;
	app_say(v->app,
		self->look.smoothing
			? "smoothed for the eyes: %s; the raw curve stays behind, the numbers are raw"
			: "not smoothed%s",
		curve_smoothing_name(self->look.smoothing));
	curves_look_again(v);
}

static void next_alignment(struct view *v)
{
	struct curves_view *self = view_state(v);

	self->look.mode = self->look.mode == ALIGN_WINDOW ? ALIGN_EXACT : self->look.mode + 1;
	app_say(v->app, "points are paired: %s", align_mode_name(self->look.mode));
	curves_look_again(v);
}

static void next_delta(struct view *v)
{
	struct curves_view *self = view_state(v);

	self->look.delta = self->look.delta == DELTA_LOG2 ? DELTA_PLAIN : self->look.delta + 1;
	app_say(v->app, "the difference is %s", delta_mode_name(self->look.delta));
	curves_look_again(v);
}

static void shift(struct view *v, int by)
{
	struct curves_view *self = view_state(v);

	self->look.shift += by;
	app_say(v->app, "the attempt is shifted by %+lld steps", (long long)self->look.shift);
	curves_look_again(v);
}

/* ---- writing and facts --------------------------------------------------- */

/* Once the worker has handed the scene back. */
static void write_due(struct view *v)
{
	struct curves_view *self = view_state(v);

	if (!*self->write_due || !self->scene)
		return;
	if (curve_scene_write(self->scene, self->write_due) < 0)
		app_complain(v->app, "%s", err_text());
	else
		app_say(v->app, "written: %s", self->write_due);
	err_clear();
	self->write_due[0] = '\0';
}

static void on_path(void *user, struct app *a, const char *text)
{
	struct view *v = user;
	struct curves_view *self = view_state(v);

	if (strlen(text) >= sizeof self->write_due) {
		app_complain(a, "this name is too long");
		return;
	}
	snprintf(self->write_due, sizeof self->write_due, "%s", text);
	write_due(v);
}

static void ask_path(struct view *v)
{
	struct curves_view *self = view_state(v);
	struct buf name = BUF_INIT;

	if (v->app->host.read_only) {
		app_complain(v->app, "nothing is written with --read-only");
		return;
	}
	for (const char *s = *self->metric_shown ? self->metric_shown : "curves"; *s; s++)
		buf_addc(&name,
			(*s >= 'a' && *s <= 'z') || (*s >= 'A' && *s <= 'Z') ||
					(*s >= '0' && *s <= '9') || *s == '_'
				? *s
				: '-');
	buf_adds(&name, ".svg");
	app_open_ask(v->app, "write to (.csv .json .svg .txt): ", name.s, on_path, v);
	buf_release(&name);
}

static void show_facts(struct view *v)
{
	struct curves_view *self = view_state(v);
	struct buf text = BUF_INIT;

	if (!self->scene)
		return;
	curves_add_facts(&text, self->scene);
	app_show_text(v->app, "facts of this comparison", text.s);
	buf_release(&text);
}

/* ---- keys ---------------------------------------------------------------- */

static struct list *focused(struct curves_view *self)
{
	return self->pane == PANE_METRICS ? &self->metrics
		: self->pane == PANE_RUNS ? &self->runs
					  : NULL;
}

static void move_plot(struct view *v, enum motion motion)
{
	struct curves_view *self = view_state(v);

	switch (motion) {
	case MOTION_UP: case MOTION_DOWN:
		step_metric(v, motion == MOTION_UP ? -1 : 1);
		break;
	case MOTION_HALF_UP: case MOTION_PAGE_UP:
		pan(self, motion == MOTION_PAGE_UP ? -0.9 : -0.5);
		break;
	case MOTION_HALF_DOWN: case MOTION_PAGE_DOWN:
		pan(self, motion == MOTION_PAGE_DOWN ? 0.9 : 0.5);
		break;
	case MOTION_FIRST: case MOTION_LAST: {
		double first, last;

		if (self->scene && curves_range(self->scene, &first, &last))
			set_cursor(self, motion == MOTION_FIRST ? first : last);
		break;
	}
	case MOTION_LEFT: case MOTION_RIGHT:
		step_cursor(self, motion == MOTION_LEFT ? -1 : 1);
		break;
	case MOTION_NONE:
		break;
	}
}

bool curves_move(struct view *v, enum motion motion)
{
	struct curves_view *self = view_state(v);

	if (focused(self))
		return list_move(focused(self), motion);
	if (self->table)
		return text_view_move(&self->rows, motion);
	move_plot(v, motion);
	return true;
}

static void next_pane(struct curves_view *self, int by)
{
	self->pane = (enum curves_pane)((self->pane + PANE_COUNT + by) % PANE_COUNT);
}

static void accept(struct view *v)
{
	struct curves_view *self = view_state(v);
	long row = list_selected(&self->metrics);

	if (self->pane == PANE_METRICS && row >= 0)
		curves_choose_metric(v, self->metric_names[row]);
	else if (self->pane == PANE_RUNS)
		choose_run(v);
}

static bool operate_look(struct view *v, int screen)
{
	struct curves_view *self = view_state(v);

	switch (screen) {
	case SCREEN_LOG_Y:
		self->log_y = !self->log_y;
		app_say(v->app, self->log_y ? "y is logarithmic" : "y is linear");
		return true;
	case SCREEN_SMOOTHING:
		next_smoothing(v);
		return true;
	case SCREEN_X_AXIS:
		next_axis(v);
		return true;
	case SCREEN_ALIGNMENT:
		next_alignment(v);
		return true;
	case SCREEN_DELTA_MODE:
		next_delta(v);
		return true;
	case SCREEN_SHIFT_LEFT: case SCREEN_SHIFT_RIGHT:
		shift(v, screen == SCREEN_SHIFT_LEFT ? -1 : 1);
		return true;
	case SCREEN_TABLE:
		self->table = !self->table;
		text_view_reload(&self->rows);
		return true;
	case SCREEN_WRITE:
		ask_path(v);
		return true;
	case SCREEN_FACTS:
		show_facts(v);
		return true;
	default:
		return false;
	}
}

static bool operate_place(struct view *v, int screen)
{
	struct curves_view *self = view_state(v);

	switch (screen) {
	case SCREEN_CURSOR_LEFT: case SCREEN_CURSOR_RIGHT:
		step_cursor(self, screen == SCREEN_CURSOR_LEFT ? -1 : 1);
		return true;
	case SCREEN_PAN_LEFT: case SCREEN_PAN_RIGHT:
		pan(self, screen == SCREEN_PAN_LEFT ? -0.25 : 0.25);
		return true;
	case SCREEN_ZOOM_IN: case SCREEN_ZOOM_OUT:
		zoom(self, screen == SCREEN_ZOOM_IN ? 0.5 : 2);
		return true;
	case SCREEN_FIT:
		self->fit = true;
		return true;
	case SCREEN_NEXT_DIVERGENCE:
		next_jump(v);
		return true;
	case SCREEN_JUMP_MAX_DELTA:
		jump_once(v, JUMP_MAX_DELTA, "there is no difference");
		return true;
	case SCREEN_JUMP_NON_FINITE:
		jump_once(v, JUMP_NEXT_NONFINITE, "no NaN or infinity from here on");
		return true;
	case SCREEN_JUMP_RESTART:
		jump_once(v, JUMP_NEXT_RESTART, "no restart from here on");
		return true;
	default:
		return false;
	}
}

/* These look into the scene; while a worker has it they wait. */
static bool must_wait(struct curves_view *self, int screen)
{
	static const int of_scene[] = {
		SCREEN_CURSOR_LEFT,
		SCREEN_CURSOR_RIGHT,
		SCREEN_NEXT_DIVERGENCE,
		SCREEN_JUMP_MAX_DELTA,
		SCREEN_JUMP_NON_FINITE,
		SCREEN_JUMP_RESTART,
		SCREEN_X_AXIS,
		SCREEN_FACTS,
	};

	if (self->scene || (!job_is_running(&self->work_job) && !job_is_running(&self->load_job)))
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

void curves_catch_up(struct view *v)
{
	struct curves_view *self = view_state(v);
	int due[CURVES_DUE_MAX];
	size_t n = self->n_due;

	memcpy(due, self->due, n * sizeof *due);
	self->n_due = 0;
	for (size_t i = 0; i < n; i++)
		if (!must_wait(self, due[i]) && !operate_place(v, due[i]))
			operate_look(v, due[i]);
	write_due(v);
}

bool curves_operate(struct view *v, const struct operation *o)
{
	struct curves_view *self = view_state(v);

	if (must_wait(self, o->screen))
		return true;
	switch (o->screen) {
	case SCREEN_NEXT_PANE:
		next_pane(self, 1);
		return true;
	case SCREEN_PREVIOUS_PANE:
		next_pane(self, -1);
		return true;
	case SCREEN_ZOOM:
		self->zoomed = !self->zoomed;
		return true;
	case SCREEN_OPEN:
		accept(v);
		return true;
	case SCREEN_MARK: case SCREEN_COMPARE:
		toggle_further(v);
		return true;
	default:
		return operate_place(v, o->screen) || operate_look(v, o->screen);
	}
}

bool curves_back(struct view *v)
{
	struct curves_view *self = view_state(v);
	bool open = self->table || self->zoomed || self->pane != PANE_PLOT || self->metrics.filter;

	if (self->metrics.filter)
		list_set_filter(&self->metrics, NULL);
	else if (self->pane != PANE_PLOT)
		self->pane = PANE_PLOT;
	else if (self->table)
		self->table = false;
	else
		self->zoomed = false;
	return open;
}
