/* performance_endpoint - see performance_endpoint.h. */
#include "config.h"

#include "workspace/performance_endpoint.h"

#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "workspace/run_silent.h"

enum { WARM_UP_MIN = 5, STEADY_MIN = 20, WARM_UP_SHARE = 10 };

bool performance_endpoint_is_measured(
	const struct config_level *l4, const char **why, struct arena *a)
{
	static const enum preparation wanted[] = {
		[ENDPOINT_STEP] = PREPARATION_EXCLUDED,
		[ENDPOINT_RUN] = PREPARATION_INCLUDED,
		[ENDPOINT_QUALITY] = PREPARATION_INCLUDED,
	};
	int measured = l4->endpoint < (int)ARRAY_LEN(wanted) ? (int)wanted[l4->endpoint] : 0;

	*why = "";
	if (measured && measured == l4->preparation)
		return true;
	*why = measured ? arena_printf(a,
		"what is asked for is %s with preparation %s; measured is that with preparation %s",
		word_name(&words_endpoint, l4->endpoint),
		word_name(&words_preparation, l4->preparation),
		word_name(&words_preparation, measured))
		: arena_printf(a, "what is asked for is a %s; nothing here measures one",
			word_name(&words_endpoint, l4->endpoint));
	return false;
}

/* ---- a full run ---- */

static void time_run(struct endpoint_time *out, const struct run_state *run, struct arena *a)
{
	if (run->elapsed_ns <= 0) {
		out->text = "how long the run took is not known";
		return;
	}
	out->ns = run->elapsed_ns;
	out->text = arena_printf(a, "%.4g h", (double)run->elapsed_ns / (3600.0 * NS_PER_S));
}

/* ---- a step at steady state ---- */

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *v, size_t n)
{
	qsort(v, n, sizeof *v, by_value);
	return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

static void time_step(
	struct endpoint_time *out, const struct comparison_side *side, struct arena *a)
{
	struct silent_numbers steps = { .n = 0 };
	size_t warm, n;
	double *rest, s;

	if (side->files)
		steps = run_silent_step_times(side->files, a);
	warm = steps.n / WARM_UP_SHARE > WARM_UP_MIN ? steps.n / WARM_UP_SHARE : WARM_UP_MIN;
	if (steps.n < warm + STEADY_MIN) {
		out->text = arena_printf(a,
			"%s tells the times of %zu rows; a steady state takes %zu",
			side->name, steps.n, warm + STEADY_MIN);
		return;
	}
	n = steps.n - warm;
	rest = arena_memdup(a, steps.v + warm, n * sizeof *rest);
	s = median(rest, n);
	out->ns = (int64_t)llround(s * (double)NS_PER_S);
	out->text = arena_printf(a, "%.4g s a step (median of %zu rows behind the first %zu)", s,
		n, warm);
}

/* ---- the time to a quality ---- */

static const struct config_goal *goal_of(const struct run_comparison *c)
{
	const struct config *config = &c->accepted.in_force;

	return *config->l4.goal ? config_goal_find(config, config->l4.goal) : NULL;
}

static void time_quality(struct endpoint_time *out, const struct run_comparison *c,
	const struct comparison_side *side, struct arena *a)
{
	const struct config_goal *goal = goal_of(c);
	const struct series *s = side->series;
	const char *start = "when it started is not known";

	if (!goal || (goal->test.form == FORM_THRESHOLD && !goal->has_target) ||
		goal->test.form == FORM_ORDERING) {
		out->text = "the goal that is named has no value of its own that could be reached";
		return;
	}
	out->text =
		arena_printf(a, "%s never reaches what goal %s asks for", side->name, goal->name);
	for (size_t i = 0; s && i < s->n; i++) {
		double at = series_wall(s, i) - (double)side->run->started_ns / (double)NS_PER_S;

		if (goal_holds(&goal->test, series_value(s, i) * goal->scale, NAN) != TRUTH_TRUE)
			continue;
		out->text = start;
		if (!side->run->started_ns || s->zone_unknown || !isfinite(at) || at <= 0)
			return;
		out->ns = (int64_t)llround(at * (double)NS_PER_S);
		out->text = arena_printf(a, "%.4g h until %s is reached at step %.0f", at / 3600,
			goal->name, series_x(s, i));
		return;
	}
}

void performance_endpoint(struct endpoint_time *out, const struct run_comparison *c,
	const struct comparison_side *side, struct arena *a)
{
	const char *why;

	*out = (struct endpoint_time){ .text = "" };
	if (!performance_endpoint_is_measured(&c->accepted.in_force.l4, &why, a))
		out->text = why;
	else if (c->accepted.in_force.l4.endpoint == ENDPOINT_RUN)
		time_run(out, side->run, a);
	else if (c->accepted.in_force.l4.endpoint == ENDPOINT_STEP)
		time_step(out, side, a);
	else
		time_quality(out, c, side, a);
}
