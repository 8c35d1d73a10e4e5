/* rule_curves - see rule_curves.h. */
#include "config.h"

#include "workspace/rule_curves.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/text.h"
#include "base/units.h"
#include "curve/projection.h"
#include "workspace/comparison.h"
#include "workspace/state.h"

/* Series under which trainers log the time of a step, in seconds. */
static const char *const step_time_series[] = { "step_time", "train/step_time", "seconds", "step_seconds" };

void rule_curves_init(struct rule_curves *c)
{
	*c = (struct rule_curves){ .smoke_attempt = "", .full_attempt = "", .comparable = TRUTH_UNKNOWN, .projected_hours = NAN,
		.projected_usd = NAN, .projected_low_hours = NAN, .projected_high_hours = NAN };
}

double rule_curves_gap(const struct rule_curves *c, bool smoke, const char *goal)
{
	for (size_t i = 0; i < c->n; i++)
		if (strcmp(c->gaps[i].goal, goal) == 0)
			return smoke ? c->gaps[i].smoke : c->gaps[i].full;
	return NAN;
}

/* The run of an attempt that ended last: what lives has no final value yet. */
static int last_ended_run(const struct run_state **out, struct workspace *ws, const char *only, const struct position *at,
			  enum run_kind kind, struct arena *a)
{
	struct state_query q = { .type = "run", .at = at };
	void **rows;
	size_t n;
	int rc = state_list(ws, &q, a, &rows, &n);

	*out = NULL;
	for (size_t i = 0; rc == 0 && i < n; i++) {
		const struct run_state *r = rows[i];

		if (r->kind != kind || strcmp(r->attempt, "reference") == 0 || *r->prepared.struck ||
		    !run_status_ended(r->state) || r->state == RUN_LAUNCH_FAILED || (only && strcmp(r->id, only) != 0))
			continue;
		if (!*out || strcmp(r->ended, (*out)->ended) >= 0)
			*out = r;
	}
	return rc;
}

static int count_repeats(size_t *out, struct workspace *ws, const struct position *at, struct arena *a)
{
	struct state_query q = { .type = "run", .parent = "reference", .at = at };
	void **rows;
	size_t n;
	int rc = state_list(ws, &q, a, &rows, &n);

	*out = 0;
	for (size_t i = 0; rc == 0 && i < n; i++) {
		const struct run_state *r = rows[i];

		*out += r->kind == RUN_KIND_SMOKE && r->state == RUN_EXITED_0 && !*r->prepared.struck;
	}
	return rc;
}

/* worse = -s * d at the last pair: positive when the attempt is worse. */
static double worse_of(const struct run_comparison *c, const struct config_goal *g)
{
	double sign = g->test.direction == DIRECTION_HIGHER ? -1 : 1;

	return c->has_comparison ? sign * c->comparison.final * c->scale : NAN;
}

static int read_gap(struct rule_curves *out, struct rule_gap *gap, struct workspace *ws, const struct config_goal *g,
		    const struct run_state *run, const struct position *at, const atomic_bool *cancel)
{
	struct comparison_request q = { .attempt_run = run->id, .goal = g->name, .at = at, .cancel = cancel };
	struct run_comparison *c;
	double worse;
	int rc = run_comparison_make(&c, ws, &q);

	if (rc == ERR_CANCELLED)
		return rc;
	if (rc < 0) {
		err_clear();	/* files that are not here: no source */
		return 0;
	}
	worse = worse_of(c, g);
	if (run->kind == RUN_KIND_SMOKE)
		gap->smoke = worse;
	else
		gap->full = worse;
	if (run->kind == RUN_KIND_SMOKE && c->has_comparison)
		out->comparable = c->comparable.overall == COMPARABLE_YES ? TRUTH_TRUE :
			c->comparable.overall == COMPARABLE_NO ? TRUTH_FALSE : TRUTH_UNKNOWN;
	run_comparison_free(c);
	return 0;
}

/* ---- projection ------------------------------------------------------------------- */

/* Step times from a series of them, else from the wall times of a step series. */
static double *step_times(size_t *n, const struct run_series *all)
{
	const struct series *s = NULL;
	double *out;

	*n = 0;
	for (size_t i = 0; i < ARRAY_LEN(step_time_series) && !s; i++)
		s = run_series_find(all, step_time_series[i], AXIS_STEP);
	if (s) {
		out = xcalloc(s->n + 1, sizeof *out);
		for (size_t i = 0; i < s->n; i++)
			out[(*n)++] = series_value(s, i);
		return out;
	}
	for (size_t i = 0; i < all->n && !s; i++)
		if (all->series[i]->axis == AXIS_STEP && all->series[i]->wall_s && all->series[i]->n > 20)
			s = all->series[i];
	out = xcalloc(s ? s->n + 1 : 1, sizeof *out);
	for (size_t i = 1; s && i < s->n; i++) {
		double steps = (double)(s->x[i] - s->x[i - 1]);

		if (steps > 0)
			out[(*n)++] = (s->wall_s[i] - s->wall_s[i - 1]) / steps;
	}
	return out;
}

static void project(struct rule_curves *out, const struct run_comparison *c, const struct config *config)
{
	const struct config_run *full = config_run_find(config, RUN_KIND_FULL);
	const struct config_target *target = config_target_find(config, c->attempt.run->target);
	struct projection_input in = { .total_steps = full ? full->steps : 0, .elapsed_s = NAN };
	struct projection p;
	double *times = step_times(&in.n, c->attempt.files->series);

	in.step_s = times;
	if (in.total_steps > 0 && in.n) {
		project_run_time(&p, &in);
		if (p.state == RUN_TIME_OK) {
			int64_t cost;

			out->projected_hours = p.total_s / 3600;
			out->projected_low_hours = p.interval_s.low / 3600;
			out->projected_high_hours = p.interval_s.high / 3600;
			cost = target ? price_cost_nano_usd(&target->price, (int64_t)(p.total_s * (double)NS_PER_S), (int)target->chips) : -1;
			out->projected_usd = cost < 0 ? NAN : (double)cost / (double)NANO_USD;
		}
	}
	free(times);
}

static int read_projection(struct rule_curves *out, struct workspace *ws, const struct config *config,
			   const struct run_state *run, const struct position *at, const atomic_bool *cancel)
{
	struct comparison_request q = { .attempt_run = run->id, .at = at, .cancel = cancel };
	struct run_comparison *c;
	int rc = run_comparison_make(&c, ws, &q);

	if (rc == ERR_CANCELLED)
		return rc;
	if (rc < 0) {
		err_clear();
		return 0;
	}
	project(out, c, config);
	run_comparison_free(c);
	return 0;
}

int rule_curves_read(struct rule_curves *out, struct workspace *ws, const struct config *config, const char *run,
		     const struct position *at, const atomic_bool *cancel, struct arena *a)
{
	const struct run_state *runs[2];	/* smoke, full */
	static const enum run_kind kinds[] = { RUN_KIND_SMOKE, RUN_KIND_FULL };
	int rc = count_repeats(&out->repeats, ws, at, a);

	for (size_t i = 0; rc == 0 && i < ARRAY_LEN(kinds); i++)
		rc = last_ended_run(&runs[i], ws, run, at, kinds[i], a);
	if (rc < 0)
		return rc;
	out->gaps = arena_alloc(a, config->goals_n * sizeof *out->gaps);
	out->n = config->goals_n;
	for (size_t i = 0; i < out->n; i++)
		out->gaps[i] = (struct rule_gap){ arena_strdup(a, config->goals[i].name), NAN, NAN };
	for (size_t k = 0; k < ARRAY_LEN(kinds); k++) {
		if (!runs[k])
			continue;
		*(k ? &out->full_attempt : &out->smoke_attempt) = arena_strdup(a, runs[k]->attempt);
		for (size_t i = 0; rc == 0 && i < out->n; i++)
			rc = read_gap(out, &out->gaps[i], ws, &config->goals[i], runs[k], at, cancel);
	}
	if (rc == 0 && (runs[0] || runs[1]))
		rc = read_projection(out, ws, config, runs[0] ? runs[0] : runs[1], at, cancel);
	return rc;
}
