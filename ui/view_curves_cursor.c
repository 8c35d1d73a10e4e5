/* view_curves_cursor - read-out, window, jumps; see view_curves_private.h. */
#include "config.h"

#include "ui/view_curves_private.h"

#include <math.h>
#include <stdlib.h>

#include "command/screen_operation.h"

/* ---- where the curves are -------------------------------------------------------- */

bool curves_range(const struct curves_view *self, double *first, double *last)
{
	struct plot_source *sources[SCENE_SIDES_MAX];
	size_t n = self->scene ? curves_sources(self, sources) : 0;

	*first = INFINITY;
	*last = -INFINITY;
	for (size_t i = 0; i < n; i++) {
		*first = fmin(*first, plot_source_x(sources[i], 0));
		*last = fmax(*last, plot_source_x(sources[i], plot_source_n(sources[i]) - 1));
	}
	return *first <= *last;
}

/* The last point of A, else of what there is: where the read-out waits. */
static double tail(const struct curves_view *self)
{
	const struct curve_scene *s = self->scene;
	const struct curve_chart *chart = s->pair ? curves_chart(self) : NULL;
	double first, last = NAN;

	for (size_t i = 0; chart && i < s->n_sides; i++) {
		const struct plot_source *p = chart->lines[i].drawn;

		if (s->sides[i].letter == 'A' && p)
			return plot_source_x(p, plot_source_n(p) - 1);
	}
	return curves_range(self, &first, &last) ? last : NAN;
}

/* A window at the tail stays there as the curves grow; any other stays put, and so does
 * every one when a curve comes that was not read yet: that is no growth. */
void curves_settle(struct curves_view *self)
{
	struct plot_source *sources[SCENE_SIDES_MAX];
	size_t n = self->scene ? curves_sources(self, sources) : 0;
	struct plot_view *w = &self->window;
	double first, last, grown;

	if (!curves_range(self, &first, &last))
		return;
	grown = n == self->last_n ? last - self->last_x : 0;
	self->last_n = n;
	if (!self->fit && grown > 0 && w->x1 >= self->last_x) {
		w->x0 += grown;
		w->x1 += grown;
	}
	self->last_x = last;
	if (self->at_last || !isfinite(self->cursor_x))
		self->cursor_x = tail(self);
	else
		self->cursor_x = fmin(fmax(self->cursor_x, first), last);
}

/* ---- the read-out ------------------------------------------------------------------------ */

static void keep_in_sight(struct curves_view *self)
{
	struct plot_view *w = &self->window;
	double width = w->x1 - w->x0;

	if (self->fit || !isfinite(self->cursor_x) ||
		(self->cursor_x >= w->x0 && self->cursor_x <= w->x1))
		return;
	if (w->log_x) {
		/* By its share of the axis: a difference means nothing there. */
		double centre = sqrt(w->x0 * w->x1), factor = self->cursor_x / centre;

		if (!(self->cursor_x > 0))
			return;
		w->x0 *= factor;
		w->x1 *= factor;
		return;
	}
	w->x0 = self->cursor_x - width / 2;
	w->x1 = w->x0 + width;
}

void curves_set_cursor(struct curves_view *self, double x)
{
	double last = self->scene ? tail(self) : NAN;

	self->cursor_x = x;
	self->at_last = !(x < last) && !(x > last);
	keep_in_sight(self);
}

void curves_step_cursor(struct curves_view *self, int steps)
{
	struct plot_source *sources[SCENE_SIDES_MAX];
	enum plot_jump jump = steps < 0 ? JUMP_PREVIOUS_POINT : JUMP_NEXT_POINT;
	size_t n = self->scene && self->scene->pair ? curves_sources(self, sources) : 0;
	double to;

	for (int i = 0; i < abs(steps); i++)
		if (plot_jump(&to, jump, self->cursor_x, sources, n, NULL))
			curves_set_cursor(self, to);
}

/* ---- jumps ---------------------------------------------------------------------------------- */

static const struct {
	enum plot_jump jump;
	const char *what;
	const char *none;
} jumps[] = {
	{ JUMP_FIRST_OUT, "the first step out of tolerance", "no step is out of tolerance" },
	{ JUMP_MAX_DELTA, "the largest difference", "there is no difference" },
	{ JUMP_NEXT_NONFINITE, "the next NaN or infinity", "no NaN or infinity from here on" },
	{ JUMP_NEXT_RESTART, "the next restart", "no restart from here on" },
	{ JUMP_LAST, "the last point", "no point yet" },
	{ JUMP_PREVIOUS_NONFINITE, "the NaN or infinity before", "no NaN or infinity before this" },
};

/* D goes round those that are in this order. */
enum { JUMPS_OF_D = 5 };

static bool jump_to(struct view *v, enum plot_jump jump, const char *what)
{
	struct curves_view *self = view_state(v);
	struct plot_source *sources[SCENE_SIDES_MAX];
	const struct run_comparison *c;
	double to;

	if (!self->scene || !self->scene->pair)
		return false;
	c = self->scene->pair;
	if (!plot_jump(&to, jump, self->cursor_x, sources, curves_sources(self, sources),
		       c->has_comparison && self->look.axis != ALIGN_WALL ? &c->comparison : NULL))
		return false;
	curves_set_cursor(self, to);
	if (self->overview && (jump == JUMP_FIRST_OUT || jump == JUMP_MAX_DELTA))
		app_say(v->app, "at %s of %s", what, self->metric_shown);
	else
		app_say(v->app, "at %s", what);
	return true;
}

/* D again goes to the next kind of place that there is. */
static void next_jump(struct view *v)
{
	struct curves_view *self = view_state(v);

	for (size_t i = 0; i < JUMPS_OF_D; i++) {
		size_t k = ((size_t)self->jump + i) % JUMPS_OF_D;

		if (!jump_to(v, jumps[k].jump, jumps[k].what))
			continue;
		self->jump = (int)((k + 1) % JUMPS_OF_D);
		return;
	}
	app_say(v->app, "there is no such place in these curves");
}

static void jump_once(struct view *v, enum plot_jump jump)
{
	for (size_t i = 0; i < ARRAY_LEN(jumps); i++) {
		if (jumps[i].jump != jump)
			continue;
		if (!jump_to(v, jump, jumps[i].what))
			app_say(v->app, "%s", jumps[i].none);
	}
}

/* ---- the window ---------------------------------------------------------------------------- */

static void zoom(struct curves_view *self, double factor)
{
	double x;

	curves_fit_now(self);
	x = isfinite(self->cursor_x) && (!self->window.log_x || self->cursor_x > 0)
		? self->cursor_x
		: plot_x_of(&self->window, self->window.columns / 2);

	plot_view_zoom(&self->window, x, factor);
	self->fit = false;
}

void curves_pan(struct curves_view *self, double share)
{
	curves_fit_now(self);
	plot_view_pan(&self->window, share);
	self->fit = false;
}

/* ---- keys ------------------------------------------------------------------------------------ */

static const struct { int screen; enum plot_jump jump; } jump_keys[] = {
	{ SCREEN_JUMP_MAX_DELTA, JUMP_MAX_DELTA },
	{ SCREEN_JUMP_NON_FINITE, JUMP_NEXT_NONFINITE },
	{ SCREEN_JUMP_NON_FINITE_BACK, JUMP_PREVIOUS_NONFINITE },
	{ SCREEN_JUMP_RESTART, JUMP_NEXT_RESTART },
};

static bool jump_by_key(struct view *v, int screen)
{
	for (size_t i = 0; i < ARRAY_LEN(jump_keys); i++) {
		if (jump_keys[i].screen != screen)
			continue;
		jump_once(v, jump_keys[i].jump);
		return true;
	}
	return false;
}

bool curves_operate_place(struct view *v, int screen)
{
	struct curves_view *self = view_state(v);

	switch (screen) {
	case SCREEN_CURSOR_LEFT: case SCREEN_CURSOR_RIGHT:
		curves_step_cursor(self, screen == SCREEN_CURSOR_LEFT ? -1 : 1);
		return true;
	case SCREEN_PAN_LEFT: case SCREEN_PAN_RIGHT:
		curves_pan(self, screen == SCREEN_PAN_LEFT ? -0.25 : 0.25);
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
	default:
		return jump_by_key(v, screen);
	}
}
