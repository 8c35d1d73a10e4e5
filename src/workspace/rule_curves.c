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
static const char *const step_time_series[] = { "step_time", "train/step_time", "seconds",
	"step_seconds" };

static const struct rule_subject nobody = { "", "", "", "" };

void rule_curves_init(struct rule_curves *c)
{
	*c = (struct rule_curves){ .smoke = nobody,
		.full = nobody,
		.projected = nobody,
		.comparable = TRUTH_UNKNOWN,
		.projected_hours = NAN,
		.projected_usd = NAN,
		.projected_low_hours = NAN,
		.projected_high_hours = NAN };
}

double rule_curves_gap(const struct rule_curves *c, bool smoke, const char *goal)
{
	for (size_t i = 0; i < c->n; i++)
		if (strcmp(c->gaps[i].goal, goal) == 0)
			return smoke ? c->gaps[i].smoke : c->gaps[i].full;
	return NAN;
}

/* The run of an attempt that ended last: what lives has no final value yet. */
static int last_ended_run(const struct run_state **out, struct workspace *ws, const char *only,
	const struct position *at, enum run_kind kind, struct arena *a)
{
	struct state_query q = { .type = "run", .at = at };
	void **rows;
	size_t n;
	int rc = state_list(ws, &q, a, &rows, &n);

	*out = NULL;
	for (size_t i = 0; rc == 0 && i < n; i++) {
		const struct run_state *r = rows[i];

		if (r->kind != kind || strcmp(r->attempt, "reference") == 0 ||
			*r->prepared.struck || !run_status_ended(r->state) ||
			r->state == RUN_LAUNCH_FAILED || (only && strcmp(r->id, only) != 0))
			continue;
		if (!*out || strcmp(r->ended, (*out)->ended) >= 0)
			*out = r;
	}
	return rc;
}

bool rule_curves_is_repeat(const struct run_state *r)
{
	/* Of an imported run nobody saw the end; who brought it says that it counts. */
	bool ended = r->state == RUN_EXITED_0 ||
		(r->state == RUN_LOST && r->provenance == PROVENANCE_IMPORTED);

	return r->kind == RUN_KIND_SMOKE && ended && !*r->prepared.struck;
}

int rule_curves_repeats(
	size_t *out, struct workspace *ws, const struct position *at, struct arena *a)
{
	struct state_query q = { .type = "run", .parent = "reference", .at = at };
	void **rows;
	size_t n;
	int rc = state_list(ws, &q, a, &rows, &n);

	*out = 0;
	for (size_t i = 0; rc == 0 && i < n; i++) {
		const struct run_state *r = rows[i];

		*out += rule_curves_is_repeat(r);
	}
	return rc;
}

/* worse = -s * d: positive when the attempt is worse.  At the last pair, or of
 * the best values when the goal counts those.  NaN when it was not the goal's own
 * metric that was compared. */
static double worse_of(const struct run_comparison *c, const struct config_goal *g)
{
	double sign = g->test.direction == DIRECTION_HIGHER ? -1 : 1, d;

	if (!c->has_comparison || strcmp(c->goal, g->name) != 0)
		return NAN;
	d = g->at == AT_BEST ? c->comparison.best_attempt - c->comparison.best_reference
			     : c->comparison.final;
	return sign * d * c->scale;
}

static enum truth truth_of(enum comparable_overall overall)
{
	switch (overall) {
	case COMPARABLE_YES:
		return TRUTH_TRUE;
	case COMPARABLE_NO:
		return TRUTH_FALSE;
	case COMPARABLE_OPEN:
		break;
	}
	return TRUTH_UNKNOWN;
}

/* Files that are not here, or cannot be read, are no source; the rest is an error. */
static int open_pair(struct run_comparison **out, struct workspace *ws, const struct run_state *run,
	const struct position *at, const atomic_bool *cancel)
{
	struct comparison_request q = { .attempt_run = run->id, .at = at, .cancel = cancel };
	int rc = run_comparison_make(out, ws, &q);

	if (rc != ERR_NOT_FOUND && rc != ERR_IO && rc != ERR_PARSE)
		return rc;
	err_clear();
	*out = NULL;
	return 0;
}

static int read_gap(struct rule_curves *out, struct rule_gap *gap, struct run_comparison *c,
	const struct config_goal *g)
{
	bool smoke = c->attempt.run->kind == RUN_KIND_SMOKE;
	double worse;
	int rc;

	c->request.goal = g->name;
	if ((rc = run_comparison_choose(c, "")) < 0)
		return rc;
	worse = worse_of(c, g);
	*(smoke ? &gap->smoke : &gap->full) = worse;
	if (smoke && !isnan(worse))
		out->comparable = truth_of(c->comparable.overall);
	return 0;
}

/* ---- projection ------------------------------------------------------------------- */

/* One entry a step (or a stride of steps, for very long runs). */
struct steps {
	double *s;
	size_t n, cap;
	double stride;
};

enum { STEPS_MAX = 1 << 20 };

/* A row is the mean of the steps since the row before. */
static void add_steps(struct steps *out, double count, double step_s)
{
	double entries = fmax(1, round(count / out->stride));

	for (double i = 0; i < entries && out->n < STEPS_MAX; i++) {
		ARRAY_GROW(out->s, out->n, out->cap);
		out->s[out->n++] = step_s * out->stride;
	}
}

static void read_step_series(struct steps *out, const struct series *s)
{
	int64_t before = 0;

	/* As doubles: two steps of a foreign file may be further apart than an int64. */
	for (size_t i = 0; i < s->n; i++) {
		add_steps(out, s->x[i] > before ? (double)s->x[i] - (double)before : 1,
			series_value(s, i));
		before = s->x[i];
	}
}

static void read_wall_times(struct steps *out, const struct series *s)
{
	for (size_t i = 1; i < s->n; i++) {
		double count = (double)s->x[i] - (double)s->x[i - 1];

		if (count > 0)
			add_steps(out, count, (series_wall(s, i) - series_wall(s, i - 1)) / count);
	}
}

/* Step times from a series of them, else from the wall times of the step series
 * with most points. */
static const struct series *find_step_times(const struct run_series *all, bool *by_wall)
{
	const struct series *s = NULL;

	*by_wall = false;
	for (size_t i = 0; i < ARRAY_LEN(step_time_series) && !s; i++)
		s = run_series_find(all, step_time_series[i], AXIS_STEP);
	if (s)
		return s;
	*by_wall = true;
	for (size_t i = 0; i < all->n; i++)
		if (all->series[i]->axis == AXIS_STEP && series_has_wall(all->series[i]) &&
			(!s || all->series[i]->n > s->n))
			s = all->series[i];
	return s;
}

/* What is no time of this world (foreign values) stays unknown. */
static void put_projection(struct rule_curves *out, double total_s, double low_s, double high_s,
	const struct config_target *target)
{
	int64_t cost = -1;

	if (!(total_s >= 0 && total_s < (double)INT64_MAX / (double)NS_PER_S))
		return;
	if (target)
		cost = price_cost_nano_usd(
			&target->price, (int64_t)(total_s * (double)NS_PER_S), (int)target->chips);
	out->projected_hours = total_s / 3600;
	out->projected_low_hours = low_s / 3600;
	out->projected_high_hours = high_s / 3600;
	out->projected_usd = cost < 0 ? NAN : (double)cost / (double)NANO_USD;
}

/* From the steps seen so far to all steps of a full run. */
static void project_steps(struct rule_curves *out, const struct run_series *all,
	int64_t total_steps, const struct config_target *target)
{
	bool by_wall;
	const struct series *s = find_step_times(all, &by_wall);
	struct projection_input in = { .elapsed_s = NAN };
	struct steps steps = { .stride = 1 };
	struct projection p;

	if (total_steps <= 0 || !s || !s->n)
		return;
	if (s->x[s->n - 1] > STEPS_MAX)
		steps.stride = ceil((double)s->x[s->n - 1] / STEPS_MAX);
	if (by_wall)
		read_wall_times(&steps, s);
	else
		read_step_series(&steps, s);
	in.step_s = steps.s;
	in.n = steps.n;
	in.total_steps =
		steps.stride > 1 ? (int64_t)((double)total_steps / steps.stride) : total_steps;
	if (in.n) {
		project_run_time(&p, &in);
		if (p.state == RUN_TIME_OK)
			put_projection(out, p.total_s, p.interval_s.low, p.interval_s.high, target);
	}
	free(steps.s);
}

/* A full run that came to its end needs no projection. */
static void project(
	struct rule_curves *out, const struct run_comparison *c, const struct config *config)
{
	const struct config_run *full = config_run_find(config, RUN_KIND_FULL);
	const struct run_state *run = c->attempt.run;
	const struct config_target *target = config_target_find(config, run->target);
	double took = (double)run->elapsed_ns / (double)NS_PER_S;

	if (run->kind == RUN_KIND_FULL && run->state == RUN_EXITED_0 && took > 0)
		put_projection(out, took, took, took, target);
	else
		project_steps(out, c->attempt.files->series, full ? full->steps : 0, target);
}

/* ---- whose figures -------------------------------------------------------------------- */

/* The event that ended RUN; NULL while none counts. */
static const struct entry *end_of(const struct run_state *run)
{
	for (size_t i = run->ends_n; i; i--)
		if (!*run->ends[i - 1].entry.struck)
			return &run->ends[i - 1].entry;
	return NULL;
}

static struct rule_subject subject_of(
	const struct run_state *run, const struct run_comparison *c, struct arena *a)
{
	const struct entry *own = end_of(run),
			   *other = c && c->has_reference ? end_of(c->reference.run) : NULL;
	const struct entry *later = other && (!own || other->lamport > own->lamport) ? other : own;

	return (struct rule_subject){ .attempt = arena_strdup(a, run->attempt),
		.run = arena_strdup(a, run->id),
		.ended = own ? arena_strdup(a, own->event) : "",
		.pair_ended = later ? arena_strdup(a, later->event) : "" };
}

/* ---- all of it ---------------------------------------------------------------------- */

static int read_run(struct rule_curves *out, struct workspace *ws, const struct config *config,
	const struct run_state *run, bool projects, const struct position *at,
	const atomic_bool *cancel, struct arena *a)
{
	struct run_comparison *c;
	struct rule_subject subject;
	int rc = open_pair(&c, ws, run, at, cancel);

	if (rc < 0)
		return rc;
	subject = subject_of(run, c, a);
	*(run->kind == RUN_KIND_SMOKE ? &out->smoke : &out->full) = subject;
	if (projects)
		out->projected = subject;
	if (!c)
		return 0;
	for (size_t i = 0; rc == 0 && i < out->n; i++)
		rc = read_gap(out, &out->gaps[i], c, &config->goals[i]);
	if (rc == 0 && projects)
		project(out, c, config);
	run_comparison_free(c);
	return rc;
}

int rule_curves_read(struct rule_curves *out, struct workspace *ws, const struct config *config,
	const char *run, const struct position *at, const atomic_bool *cancel, struct arena *a)
{
	const struct run_state *smoke = NULL, *full = NULL;
	bool full_is_later;
	int rc = rule_curves_repeats(&out->repeats, ws, at, a);

	if (rc == 0)
		rc = last_ended_run(&smoke, ws, run, at, RUN_KIND_SMOKE, a);
	if (rc == 0)
		rc = last_ended_run(&full, ws, run, at, RUN_KIND_FULL, a);
	if (rc < 0)
		return rc;
	full_is_later = full && (!smoke || strcmp(full->ended, smoke->ended) >= 0);
	out->gaps = arena_alloc(a, (config->goals_n + 1) * sizeof *out->gaps);
	out->n = config->goals_n;
	for (size_t i = 0; i < out->n; i++)
		out->gaps[i] =
			(struct rule_gap){ arena_strdup(a, config->goals[i].name), NAN, NAN };
	if (smoke)
		rc = read_run(out, ws, config, smoke, !full_is_later, at, cancel, a);
	if (rc == 0 && full)
		rc = read_run(out, ws, config, full, full_is_later, at, cancel, a);
	return rc;
}
