/* assessment_events - what happened while the curves parted; see assessment_private.h. */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "curve/assessment_private.h"
#include "curve/series_role.h"

enum { EVENTS_MAX = 12 };
/* From one step to the next; a schedule that runs smoothly does not do that. */
#define RATE_JUMP 2

/* The steps after FROM and up to TO. */
struct span { double from, to; };

struct finder {
	struct assessment *out;
	struct arena *a;
	struct span span;
	const char *side;	/* "R" or "A" */
	double shift;		/* of the steps of this side */
};

static bool is_inside(const struct finder *f, double x)
{
	return x > f->span.from && x <= f->span.to;
}

static void add_event(struct finder *f, double x, const char *text)
{
	struct assessment *s = f->out;

	for (size_t i = 0; i < s->n_events; i++)
		if (strcmp(s->events[i].text, text) == 0)
			return;
	if (s->n_events < EVENTS_MAX)
		s->events[s->n_events++] = (struct assessment_event){ x, text };
}

/* Where the rate is highest, when it rose before, and where it jumps. */
static void look_at_rate(struct finder *f, const struct series *s)
{
	size_t *current = NULL, n = series_current(s, SEGMENT_LATEST_WINS, &current), top = 0;

	for (size_t i = 1; i < n; i++) {
		double before = series_value(s, current[i - 1]), now = series_value(s, current[i]);
		double x = series_x(s, current[i]) + f->shift;

		if (now > series_value(s, current[top]))
			top = i;
		if (is_inside(f, x) && before > 0 &&
			(now * RATE_JUMP < before || now > before * RATE_JUMP))
			add_event(f, x,
				arena_printf(f->a, "the learning rate of %s jumps from %.3g to %.3g at %.15g",
					f->side, before, now, x));
	}
	if (n && top && top + 1 < n && is_inside(f, series_x(s, current[top]) + f->shift))
		add_event(f, series_x(s, current[top]) + f->shift,
			arena_printf(f->a, "the warm-up of %s ends at %.15g", f->side,
				series_x(s, current[top]) + f->shift));
	free(current);
}

static void look_at_evaluation(struct finder *f, const struct series *s)
{
	double x = s->n ? series_x(s, 0) + f->shift : NAN;

	if (is_inside(f, x))
		add_event(f, x,
			arena_printf(f->a, "%s is evaluated for the first time at %.15g", f->side, x));
}

static void look_at_restarts(struct finder *f, const struct series *s)
{
	for (size_t i = 1; i < s->n_segments; i++) {
		double x = (double)s->segments[i].start + f->shift;

		if (!s->segments[i].concurrent && is_inside(f, x))
			add_event(f, x, arena_printf(f->a, "%s restarts at %.15g", f->side, x));
	}
}

/* One by one: which is the first is what matters. */
static void look_for_nonfinite(struct finder *f, const struct series *s)
{
	for (size_t i = 0; s->n_nonfinite && i < s->n; i++) {
		double x = series_x(s, i) + f->shift;

		if (isfinite(series_value(s, i)))
			continue;
		if (is_inside(f, x))
			add_event(f, x,
				arena_printf(f->a, "%s of %s is no number at %.15g",
					text_sanitised(f->a, s->name), f->side, x));
		return;
	}
}

static void look_at_run(struct finder *f, const struct run_series *run, const struct series *metric)
{
	look_at_restarts(f, metric);
	for (size_t i = 0; run && i < run->n; i++) {
		const struct series *s = run->series[i];

		if (s->axis != AXIS_STEP)
			continue;
		if (series_is_learning_rate(s->name))
			look_at_rate(f, s);
		else if (series_is_evaluation(s->name))
			look_at_evaluation(f, s);
		look_for_nonfinite(f, s);
	}
}

static int by_x(const void *a, const void *b)
{
	const struct assessment_event *p = a, *q = b;

	return (p->x > q->x) - (p->x < q->x);
}

void assessment_find_events(struct assessment *s, struct arena *a)
{
	const struct assessment_input *in = &s->input;
	const struct compare_onset *o = &in->comparison->onset;
	const struct align_options *al = &in->comparison->alignment.options;
	struct finder f = { .out = s, .a = a, .side = "A", .shift = (double)al->shift };

	if (!o->n || al->axis != ALIGN_STEP)
		return;
	s->events = arena_alloc(a, EVENTS_MAX * sizeof *s->events);
	f.span = (struct span){ o->has_agreeing ? o->agreeing_x : -INFINITY, o->disagreeing_x };
	look_at_run(&f, in->attempt_run, in->attempt);
	f.side = "R";
	f.shift = 0;
	look_at_run(&f, in->reference_run, in->reference);
	for (size_t i = 0; i < in->n_events; i++)
		if (is_inside(&f, in->events[i].x))
			add_event(&f, in->events[i].x, in->events[i].text);
	if (s->n_events)
		qsort(s->events, s->n_events, sizeof *s->events, by_x);
}
