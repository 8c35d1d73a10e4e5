/* view_curves_look - how the curves are shown: axis, smoothing, alignment; see
 * view_curves_private.h. */
#include "config.h"

#include "ui/view_curves_private.h"

#include <math.h>

#include "base/mem.h"
#include "command/screen_operation.h"

/* ---- smoothing ---------------------------------------------------------------------- */

/* The stops of the slider; 0.6 is where TensorBoard begins. */
static const double weights[] = { 0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.97, 0.99,
	0.995, 0.999 };
#define FIRST_WEIGHT 0.6
/* A half-life that eyes like is a twentieth of the curve. */
enum { HALF_LIVES = 20 };

void curves_add_smoothing(struct buf *out, const struct curve_look *look)
{
	switch (look->smooth.mode) {
	case SMOOTH_NONE:
		break;
	case SMOOTH_COUNT:
		buf_addf(out, "EMA %g", look->smooth.parameter);
		break;
	case SMOOTH_STEP:
		buf_adds(out, "EMA half-life ");
		curves_add_x(out, look, look->smooth.parameter);
		break;
	}
}

/* 1, 2 or 5 times a power of ten, at or below V. */
static double round_number(double v)
{
	double power = pow(10, floor(log10(v) + 1e-9)), m = v / power + 1e-9;

	return power * (m >= 5 ? 5 : m >= 2 ? 2 : 1);
}

static double next_round(double v, bool up)
{
	return up ? round_number(v * 2.5 + v * 1e-9) : round_number(v / 2 + v * 1e-9);
}

/* The same for every run and however long they grow: a fixed number of steps. */
static double first_half_life(const struct curves_view *self)
{
	double first, last;

	if (!curves_range(self, &first, &last) || !(last > first))
		return 1;
	return round_number((last - first) / HALF_LIVES);
}

static void say_smoothing(struct view *v)
{
	struct curves_view *self = view_state(v);
	struct buf b = BUF_INIT;

	curves_add_smoothing(&b, &self->look);
	switch (self->look.smooth.mode) {
	case SMOOTH_NONE:
		app_say(v->app, "not smoothed");
		break;
	case SMOOTH_COUNT:
		app_say(v->app, "%s, by points as TensorBoard; + - change it, m is next", b.s);
		break;
	case SMOOTH_STEP:
		app_say(v->app, "%s, whatever the cadence; + - change it, m is next", b.s);
		break;
	}
	buf_release(&b);
}

static void next_smoothing(struct view *v)
{
	struct curves_view *self = view_state(v);
	struct smooth_options *o = &self->look.smooth;

	switch (o->mode) {
	case SMOOTH_NONE:
		*o = (struct smooth_options){ SMOOTH_COUNT, FIRST_WEIGHT };
		break;
	case SMOOTH_COUNT:
		*o = (struct smooth_options){ SMOOTH_STEP, first_half_life(self) };
		break;
	case SMOOTH_STEP:
		*o = (struct smooth_options){ SMOOTH_NONE, 0 };
		break;
	}
	self->weighing = o->mode != SMOOTH_NONE;
	say_smoothing(v);
	curves_look_again(v);
}

static double next_weight(double w, bool up)
{
	size_t i = 0;

	while (i + 1 < ARRAY_LEN(weights) && weights[i] < w - 1e-9)
		i++;
	if (up)
		return weights[i + 1 < ARRAY_LEN(weights) ? i + 1 : i];
	return weights[i ? i - 1 : 0];
}

/* More, or less, of the smoothing at hand. */
static void weigh(struct view *v, bool more)
{
	struct curves_view *self = view_state(v);
	struct smooth_options *o = &self->look.smooth;

	switch (o->mode) {
	case SMOOTH_NONE:
		app_say_keys(v->app, "nothing is smoothed; {m} smooths");
		return;
	case SMOOTH_COUNT:
		o->parameter = next_weight(o->parameter, more);
		break;
	case SMOOTH_STEP:
		o->parameter = next_round(o->parameter, more);
		break;
	}
	self->weighing = true;
	say_smoothing(v);
	curves_look_again(v);
}

/* ---- axes ---------------------------------------------------------------------------- */

static bool side_has(const struct comparison_side *side, enum align_axis axis)
{
	struct axis_scale scale;

	if (!side->series)
		return true;
	if (!align_axis_exists(side->series, axis))
		return false;
	if (!align_axis_is_scaled(axis))
		return true;
	scale = run_facts_scale(&side->facts, side->files, axis);
	return axis_scale_known(&scale);
}

static bool has_axis(const struct curve_scene *s, enum align_axis axis)
{
	return s->pair->attempt.series && side_has(&s->pair->attempt, axis) &&
		side_has(&s->pair->reference, axis);
}

/* What is drawn in place of steps that the logs do not have; else what was chosen. */
static enum align_axis axis_shown(const struct curves_view *self)
{
	const struct curve_scene *s = self->scene;

	return s->asked_axis == self->look.axis ? s->look.axis : self->look.axis;
}

/* The next axis that both runs have; what a half-life counts is then another thing. */
static void next_axis(struct view *v)
{
	static const enum align_axis axes[] = { ALIGN_STEP, ALIGN_FROM_START, ALIGN_EPOCH,
		ALIGN_SAMPLES, ALIGN_TOKENS, ALIGN_TIME, ALIGN_CLIPPED_TIME, ALIGN_WALL };
	struct curves_view *self = view_state(v);
	enum align_axis shown;
	size_t at = 0;

	if (!self->scene || !self->scene->pair)
		return;
	shown = axis_shown(self);
	while (at + 1 < ARRAY_LEN(axes) && axes[at] != shown)
		at++;
	for (size_t i = 1; i <= ARRAY_LEN(axes); i++) {
		enum align_axis axis = axes[(at + i) % ARRAY_LEN(axes)];

		if (axis == shown || !has_axis(self->scene, axis))
			continue;
		self->look.axis = axis;
		self->fit = self->at_last = true;
		if (self->look.smooth.mode == SMOOTH_STEP)
			self->look.smooth = (struct smooth_options){ SMOOTH_NONE, 0 };
		if (axis == ALIGN_WALL)
			app_say(v->app, "x is the time of day; two runs are never paired by it");
		else
			app_say(v->app, "x is the %s", align_axis_name(axis));
		curves_look_again(v);
		return;
	}
	app_say(v->app, "x is the %s: these curves have no other axis in common",
		align_axis_name(shown));
}

/* What is logarithmic begins above 0. */
static void toggle_log_x(struct view *v)
{
	struct curves_view *self = view_state(v);

	self->window.log_x = !self->window.log_x;
	self->fit = true;
	app_say(v->app, self->window.log_x ? "x is logarithmic; what is at 0 or before is left out"
					   : "x is linear");
}

static void toggle_log_y(struct view *v)
{
	struct curves_view *self = view_state(v);

	self->window.log_y = !self->window.log_y;
	app_say(v->app, self->window.log_y ? "y is logarithmic" : "y is linear");
}

static void toggle_clip(struct view *v)
{
	struct curves_view *self = view_state(v);

	self->window.clip = !self->window.clip;
	app_say(v->app, self->window.clip
			? "y leaves outliers out (5th to 95th percentile, as TensorBoard)"
			: "y has room for every point");
}

/* ---- pairs and differences ----------------------------------------------------------------- */

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

	self->look.delta = self->look.delta == DELTA_SIGMA ? DELTA_PLAIN : self->look.delta + 1;
	if (self->look.delta == DELTA_SIGMA)
		app_say(v->app, "the difference is d/sigma, in spreads of the reference");
	else
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

static void next_restarts(struct view *v)
{
	struct curves_view *self = view_state(v);

	self->look.restarts = (self->look.restarts + 1) % RESTARTS_COUNT;
	app_say(v->app, "of a run that was restarted: %s", curve_restarts_name(self->look.restarts));
	curves_look_again(v);
}

/* The seeds, with where 95 % of further ones lie, or nothing of them. */
static void next_band(struct view *v)
{
	struct curves_view *self = view_state(v);
	bool known = self->scene && self->scene->band_low;

	self->band = (self->band + 1) % BAND_COUNT;
	switch (self->band) {
	case BAND_OF_SEEDS:
		app_say(v->app, "the band is what the seeds of the reference cover");
		break;
	case BAND_AND_95:
		app_say(v->app, known ? "dashes: where 95 %% of further runs of the reference lie, by step"
				      : "dashes for 95 %% of further runs need 3 seeds of the reference");
		break;
	case BAND_OFF: case BAND_COUNT:
		app_say(v->app, "no band; the reference alone");
		break;
	}
}

/* ---- places ------------------------------------------------------------------------------ */

static void toggle_beside(struct view *v)
{
	struct curves_view *self = view_state(v);

	self->beside = !self->beside;
	if (self->overview)
		curves_grid_open(v);
	app_say(v->app, self->beside ? "R on the left, the others on the right, on the same axes"
				     : "all in one chart");
}

bool curves_operate_look(struct view *v, int screen)
{
	struct curves_view *self = view_state(v);

	switch (screen) {
	case SCREEN_LOG_X:
		toggle_log_x(v);
		return true;
	case SCREEN_LOG_Y:
		toggle_log_y(v);
		return true;
	case SCREEN_OUTLIERS:
		toggle_clip(v);
		return true;
	case SCREEN_SMOOTHING:
		next_smoothing(v);
		return true;
	case SCREEN_SMOOTHER: case SCREEN_LESS_SMOOTH:
		weigh(v, screen == SCREEN_SMOOTHER);
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
	case SCREEN_RESTARTS:
		next_restarts(v);
		return true;
	case SCREEN_BESIDE:
		toggle_beside(v);
		return true;
	case SCREEN_BAND:
		next_band(v);
		return true;
	case SCREEN_SHIFT_LEFT: case SCREEN_SHIFT_RIGHT:
		shift(v, screen == SCREEN_SHIFT_LEFT ? -1 : 1);
		return true;
	case SCREEN_OVERVIEW:
		curves_show_grid(v, !self->overview);
		return true;
	default:
		return false;
	}
}
