/* assessment_events - what happened while the curves parted; see assessment_private.h. */
#include "config.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "curve/assessment_private.h"
#include "curve/series_role.h"

enum { EVENTS_MAX = 12 };
/* From one step to the next; a schedule that runs smoothly does not do that. */
#define RATE_JUMP 2

/* The steps after FROM, where there is one, and up to TO. */
struct span { bool has_from; int64_t from, to; };

struct finder {
	struct assessment *out;
	struct arena *a;
	struct span span;
	const char *side;	/* "R" or "A" */
	int64_t shift;		/* of the steps of this side */
};

static bool is_inside(const struct finder *f, int64_t step)
{
	return (!f->span.has_from || step > f->span.from) && step <= f->span.to;
}

/* Where point I stands; at the end of the range of steps it stays there. */
static int64_t shifted(const struct finder *f, int64_t step)
{
	int64_t moved;

	if (!__builtin_add_overflow(step, f->shift, &moved))
		return moved;
	return f->shift > 0 ? INT64_MAX : INT64_MIN;
}

static void add_event(struct finder *f, int64_t step, const char *text)
{
	struct assessment *s = f->out;

	for (size_t i = 0; i < s->n_events; i++)
		if (strcmp(s->events[i].text, text) == 0)
			return;
	if (s->n_events < EVENTS_MAX)
		s->events[s->n_events++] = (struct assessment_event){ step, text };
}

/* Where the rate is highest, when it rose before, and where it jumps. */
static void look_at_rate(struct finder *f, const struct series *s)
{
	size_t *current = NULL, n = series_current(s, SEGMENT_LATEST_WINS, &current), top = 0;

	for (size_t i = 1; i < n; i++) {
		double before = series_value(s, current[i - 1]), now = series_value(s, current[i]);
		int64_t at = shifted(f, s->x[current[i]]);

		if (now > series_value(s, current[top]))
			top = i;
		if (is_inside(f, at) && before > 0 && isfinite(now) &&
			(now < before / RATE_JUMP || now / RATE_JUMP > before))
			add_event(f, at,
				arena_printf(f->a,
					"the learning rate of %s jumps from %.3g to %.3g at %" PRId64,
					f->side, before, now, at));
	}
	if (n && top && top + 1 < n && is_inside(f, shifted(f, s->x[current[top]])))
		add_event(f, shifted(f, s->x[current[top]]),
			arena_printf(f->a, "the warm-up of %s ends at %" PRId64, f->side,
				shifted(f, s->x[current[top]])));
	free(current);
}

static void look_at_evaluation(struct finder *f, const struct series *s)
{
	int64_t at = s->n ? shifted(f, s->x[0]) : 0;

	if (s->n && is_inside(f, at))
		add_event(f, at,
			arena_printf(f->a, "%s is evaluated for the first time at %" PRId64,
				f->side, at));
}

static void look_at_restarts(struct finder *f, const struct series *s)
{
	for (size_t i = 1; i < s->n_segments; i++) {
		int64_t at = shifted(f, s->segments[i].start);

		if (!s->segments[i].concurrent && is_inside(f, at))
			add_event(f, at,
				arena_printf(f->a, "%s restarts at %" PRId64, f->side, at));
	}
}

/* One by one: which is the first is what matters. */
static void look_for_nonfinite(struct finder *f, const struct series *s)
{
	for (size_t i = 0; s->n_nonfinite && i < s->n; i++) {
		int64_t at = shifted(f, s->x[i]);

		if (isfinite(series_value(s, i)))
			continue;
		if (is_inside(f, at))
			add_event(f, at,
				arena_printf(f->a, "%s of %s is no number at %" PRId64,
					text_sanitised(f->a, s->name), f->side, at));
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

static int by_step(const void *a, const void *b)
{
	const struct assessment_event *p = a, *q = b;

	return (p->step > q->step) - (p->step < q->step);
}

void assessment_find_events(struct assessment *s, struct arena *a)
{
	const struct assessment_input *in = &s->input;
	const struct compare_onset *o = &in->comparison->onset;
	const struct align_options *al = &in->comparison->alignment.options;
	struct finder f = { .out = s, .a = a, .side = "A", .shift = al->shift };

	if (!o->n || al->axis != ALIGN_STEP || !in->comparison->alignment.integer)
		return;
	s->events = arena_alloc(a, EVENTS_MAX * sizeof *s->events);
	f.span = (struct span){ o->has_agreeing, o->agreeing_key, o->disagreeing_key };
	look_at_run(&f, in->attempt_run, in->attempt);
	f.side = "R";
	f.shift = 0;
	look_at_run(&f, in->reference_run, in->reference);
	for (size_t i = 0; i < in->n_events; i++)
		if (is_inside(&f, in->events[i].step))
			add_event(&f, in->events[i].step, in->events[i].text);
	if (s->n_events)
		qsort(s->events, s->n_events, sizeof *s->events, by_step);
}
