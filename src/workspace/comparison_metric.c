/* comparison_metric - one metric of two runs: which, how it is judged, and the
 * comparison itself; see comparison.h. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "base/err.h"
#include "base/text.h"
#include "curve/gap.h"
#include "curve/series_role.h"
#include "workspace/comparison.h"
#include "workspace/comparison_words.h"

/* Where nobody chose a tolerance: a share of the reference. */
#define DEFAULT_RELATIVE_TOLERANCE 0.02

/* ---- metrics ---------------------------------------------------------------------- */

static bool in_both(const struct run_comparison *c, const struct series *s)
{
	return !c->has_reference ||
		run_series_find(c->reference.files->series, s->name, (int)s->axis);
}

/* Those of both sides first, and among them those of an evaluation. */
static void list_metrics(struct run_comparison *c)
{
	const struct run_series *a = c->attempt.files->series;

	c->metrics = arena_alloc(&c->metric_arena, (a->n + 1) * sizeof *c->metrics);
	c->n_metrics = c->n_common = 0;
	for (int pass = 0; pass < 3; pass++) {
		for (size_t i = 0; i < a->n; i++) {
			const struct series *s = a->series[i];
			int group = !in_both(c, s) ? 2 : series_is_evaluation(s->name) ? 0 : 1;

			if (s->n && group == pass)
				c->metrics[c->n_metrics++] =
					arena_strdup(&c->metric_arena, s->name);
		}
		if (pass == 1)
			c->n_common = c->n_metrics;
	}
}

static const char *series_like(const struct run_comparison *c, const char *pattern)
{
	for (size_t i = 0; i < c->n_metrics; i++)
		if (text_glob(pattern, c->metrics[i]))
			return c->metrics[i];
	return NULL;
}

/* The goal that tests METRIC: the named one when it does, else the first that does. */
static const struct config_goal *goal_of_metric(
	const struct config *config, const char *name, const char *metric)
{
	const struct config_goal *g = name ? config_goal_find(config, name) : NULL;

	if (g && g->series && text_glob(g->series, metric))
		return g;
	for (size_t i = 0; i < config->goals_n; i++)
		if (config->goals[i].series && text_glob(config->goals[i].series, metric))
			return &config->goals[i];
	return NULL;
}

static const char *choose_metric(const struct run_comparison *c, const char *metric)
{
	const struct config *config = &c->accepted.in_force;
	const struct config_goal *g;
	const char *of_goal;

	if (metric || c->request.metric)
		return metric ? metric : c->request.metric;
	g = c->request.goal       ? config_goal_find(config, c->request.goal)
		: config->goals_n ? &config->goals[0]
				  : NULL;
	of_goal = g && g->series ? series_like(c, g->series) : NULL;
	return of_goal ? of_goal : c->n_metrics ? c->metrics[0] : NULL;
}

static const char *const counted_by[] = {
	[AXIS_STEP] = "training step",
	[AXIS_EPOCH] = "epoch",
	[AXIS_EVAL_STEP] = "evaluation step",
	[AXIS_TIME] = "time",
	[AXIS_ORDINAL] = "row",
};

/* ---- comparing --------------------------------------------------------------------- */

/* Trainer prints its rows as dictionaries: their loss has the windows and the
 * filter of trainer_state.json. */
static bool is_trainer_log(const struct run_files *files)
{
	return run_series_find(files->series, "learning_rate", -1) &&
		run_series_find(files->series, "grad_norm", -1) &&
		run_series_find(files->series, "loss", -1);
}

static struct provenance_facts provenance_facts_of(const struct comparison_side *s)
{
	const struct curve_format *f = s->series ? run_files_format_of(s->files, s->series) : NULL;
	struct provenance_facts facts = { .source = PROVENANCE_UNKNOWN };

	if (!f)
		return facts;
	if (strcmp(f->name, "tfevents") == 0)
		facts.source = PROVENANCE_TENSORBOARD;
	else if (strcmp(f->name, "trainer_state") == 0)
		facts.source = PROVENANCE_HUGGING_FACE;
	else if (f->rank == RANK_TEXT)
		facts.source = is_trainer_log(s->files) ? PROVENANCE_HUGGING_FACE : PROVENANCE_TEXT;
	else
		facts.source = PROVENANCE_OTHER;
	return facts;
}

static void warn(struct run_comparison *c)
{
	struct comparison_side *sides[] = { &c->reference, &c->attempt };

	memset(&c->provenance, 0, sizeof c->provenance);
	for (size_t i = 0; i < ARRAY_LEN(sides); i++) {
		struct provenance_facts facts = provenance_facts_of(sides[i]);
		const struct run_series *run = sides[i]->files->series;

		c->provenance.side = i ? "A" : "R";
		if (!sides[i]->series)
			continue;
		provenance_check_series(
			&c->provenance, &c->metric_arena, run, sides[i]->series, &facts);
		provenance_check_run(&c->provenance, &c->metric_arena, run, &facts);
	}
	c->provenance.side = NULL;
	if (c->reference.series && c->attempt.series)
		provenance_check_pair(&c->provenance, &c->metric_arena, c->reference.files->series,
			c->reference.series, c->attempt.files->series, c->attempt.series);
}

static enum better better_of(enum goal_direction d)
{
	return d == DIRECTION_HIGHER   ? BETTER_HIGHER
		: d == DIRECTION_LOWER ? BETTER_LOWER
				       : BETTER_NONE;
}

/* Which way is better: as configured, else by what people call such series. */
static void put_direction(struct compare_options *o, const char *metric,
	const struct config_goal *g, const struct config_curve *curve)
{
	if (g) {
		o->direction = better_of(g->test.direction);
	} else if (curve && curve->direction) {
		o->direction = better_of(curve->direction);
	} else {
		o->direction = better_by_name(metric);
		o->direction_assumed = o->direction != BETTER_NONE;
	}
}

/* Of a goal its margin, in logged units; of another metric what portside.conf says
 * of it. */
static struct tolerance tolerance_of(const struct run_comparison *c, const struct config_goal *g,
	const struct config_curve *curve)
{
	bool absolute = curve && isfinite(curve->tolerance),
	     relative = curve && isfinite(curve->relative);

	if (g)
		return (struct tolerance){
			.atol = (isfinite(g->tolerance) ? g->tolerance : g->test.margin) / c->scale,
			.origin = g->has_margin || g->has_tolerance
				? ""
				: "default, no margin was declared"
		};
	if (absolute || relative)
		return (struct tolerance){ .atol = absolute ? curve->tolerance : 0,
			.rtol = relative ? curve->relative : 0,
			.origin = "" };
	return (struct tolerance){ .rtol = DEFAULT_RELATIVE_TOLERANCE,
		.origin = "default, nobody chose it" };
}

enum { DECIMALS_MAX = 9 };

/* But for what doubles leave over: 0.005 * 1000 need not be 5. */
static bool is_whole(double v)
{
	return v >= 0.5 && fabs(v - round(v)) < 1e-9 * v;
}

/* Digits after the point of a goal's values as shown: two more than its margin has.  A
 * share of examples has two; how many examples a gap is rests on them. */
static int decimals_of(const struct config_goal *g)
{
	int decimals = 2;

	if (g->examples > 0 || !isfinite(g->test.margin) || !(g->test.margin > 0))
		return decimals;
	while (decimals < DECIMALS_MAX &&
		!is_whole(g->test.margin * pow(10, decimals - 2)))
		decimals++;
	return decimals;
}

static struct compare_options options_of(
	const struct run_comparison *c, const struct config_goal *g)
{
	struct compare_options o = COMPARE_OPTIONS_INIT;
	const struct config_curve *curve = config_curve_match(&c->accepted.in_force, c->metric);

	o.align = c->request.align;
	o.align.axis = c->axis;
	if (c->axis != c->request.align.axis)
		o.align.shift = 0;	/* which is in steps */
	o.align.evaluation = series_is_evaluation(c->metric) || (g && g->examples > 0);
	o.align.reference_scale =
		run_facts_scale(&c->reference.facts, c->reference.files, o.align.axis);
	o.align.attempt_scale =
		run_facts_scale(&c->attempt.facts, c->attempt.files, o.align.axis);
	o.resolution_reference = c->reference.facts.resolution;
	o.resolution_attempt = c->attempt.facts.resolution;
	if (c->request.share > 0)
		o.q = c->request.share;
	o.want_sigma = c->request.want_sigma;
	o.scale = c->scale;
	o.examples = g ? g->examples : 0;
	o.decimals = c->decimals;
	o.n_reference_seeds = (int)c->spread.n;
	o.n_attempt_seeds = 1;
	for (size_t i = 0; i < c->n_attempt_repeats; i++)
		o.n_attempt_seeds += c->attempt_repeats[i].series != NULL;
	put_direction(&o, c->metric, g, curve);
	o.tolerance = c->request.has_tolerance ? c->request.tolerance : tolerance_of(c, g, curve);
	return o;
}

/* A run of the reference may stand as the attempt: it is no measure of the noise that it is
 * judged by. */
static bool is_the_attempt(const struct run_comparison *c, const struct comparison_side *repeat)
{
	return strcmp(repeat->run->id, c->attempt.run->id) == 0;
}

static void measure_spread(struct run_comparison *c)
{
	const struct series *all[COMPARISON_REPEATS_MAX + 1];
	struct reference_spread *s = &c->spread;

	struct gap_range apart = GAP_RANGE_INIT, last = GAP_RANGE_INIT;

	s->n = 0;
	for (size_t i = 0; i <= c->n_repeats; i++) {
		struct comparison_side *side = i ? &c->repeats[i - 1] : &c->reference;

		comparison_side_choose(side, c->metric, c->until_wall_s);
		if (!side->series || !side->series->n || (i && is_the_attempt(c, side)))
			continue;
		gap_range_add(&last, series_value(side->series, side->series->n - 1) * c->scale);
		all[s->n++] = side->series;
		for (size_t k = 0; k + 1 < s->n; k++)
			gap_range_add(&apart, gap_at_end(all[k], side->series) * c->scale);
	}
	s->low = apart.low;
	s->high = apart.high;
	s->last_low = last.low;
	s->last_high = last.high;
}

/* What the run states, and what its curve of the metric tells. */
static void gather_facts(struct run_comparison *c, struct comparison_side *s)
{
	struct provenance_facts facts = provenance_facts_of(s);

	run_facts_gather(&s->facts, &s->facts_cache, s->run, s->files, s->rundir, &c->arena);
	if (isnan(s->facts.averaging_window))
		s->facts.averaging_window = provenance_window(s->series, &facts);
	if (s->series->n && s->series->axis == AXIS_STEP)
		s->facts.first_step = series_x(s->series, 0);
	s->facts.resolution = resolution_of(s->series, &facts);
}

/* Is the sibling where the attempt is not? */
static bool sibling_matches(struct run_comparison *c)
{
	struct compare_options o = c->comparison.options;
	struct comparison other;
	bool match;

	if (!c->sibling.run || !c->sibling.series)
		return false;
	gather_facts(c, &c->sibling);
	o.align.attempt_scale =
		run_facts_scale(&c->sibling.facts, c->sibling.files, o.align.axis);
	if (compare_series(&other, c->reference.series, c->sibling.series, &o) < 0) {
		err_clear();
		return false;
	}
	match = other.verdict == COMPARE_MATCH;
	comparison_release(&other);
	return match;
}

/* With several seeds a side it is not this pair that tells, and the seeds of the two
 * need not be the same ones. */
static const struct comparable_declaration *declared_of(struct run_comparison *c)
{
	struct comparable_declaration *all;

	if (!c->n_repeats || !c->n_attempt_repeats || !c->reference.facts.seed ||
		!c->attempt.facts.seed ||
		strcmp(c->reference.facts.seed, c->attempt.facts.seed) == 0)
		return c->declared;
	all = arena_alloc(&c->metric_arena, (c->n_declared + 1) * sizeof *all);
	for (size_t i = 0; i < c->n_declared; i++)
		all[i] = c->declared[i];
	all[c->n_declared] = (struct comparable_declaration){ "seed", "several seeds a side" };
	return all;
}

static bool counts_steps(enum align_axis axis)
{
	return axis == ALIGN_STEP || axis == ALIGN_FROM_START;
}

/* Nobody asked for another axis, and these logs have none in common. */
static const char *nothing_in_common(struct run_comparison *c)
{
	return arena_printf(&c->metric_arena, "%s is logged by %s in R and by %s in A: no x of both",
		text_sanitised(&c->metric_arena, c->metric),
		counted_by[c->reference.series->axis], counted_by[c->attempt.series->axis]);
}

static int compare_pair(struct run_comparison *c, const struct config_goal *g)
{
	struct comparable_input in = {
		.reference = &c->reference.facts,
		.attempt = &c->attempt.facts,
		.reference_series = c->reference.files->series,
		.attempt_series = c->attempt.files->series,
		.metric = c->metric,
		.early_stop_declared = run_comparison_is_live(c) || c->until_wall_s > 0,
	};
	struct compare_options o;
	const struct series *seeds[COMPARISON_REPEATS_MAX];
	int rc;

	gather_facts(c, &c->reference);
	gather_facts(c, &c->attempt);
	o = options_of(c, g);
	in.align = &o.align;
	in.declared = declared_of(c);
	in.n_declared = c->n_declared + (in.declared != c->declared);
	comparable_check(&c->comparable, &c->metric_arena, &in);
	for (size_t i = 0; i < c->n_repeats; i++)
		if (c->repeats[i].series && !is_the_attempt(c, &c->repeats[i]))
			seeds[o.n_seeds++] = c->repeats[i].series;
	o.seeds = seeds;
	rc = compare_series(&c->comparison, c->reference.series, c->attempt.series, &o);
	if ((rc == ERR_NOT_FOUND || rc == ERR_STATE) && counts_steps(c->request.align.axis)) {
		c->missing = nothing_in_common(c);
		c->is_unaligned = true;
		err_clear();
		return 0;
	}
	if (rc < 0)
		return rc;
	c->has_comparison = true;
	c->verdict = comparison_verdict(c);
	c->next = comparison_next_step(
		c, c->comparison.verdict != COMPARE_MATCH && sibling_matches(c));
	return 0;
}

int run_comparison_beside(
	struct comparison *out, const struct run_comparison *c, const struct comparison_side *side)
{
	struct compare_options o = c->comparison.options;

	if (!c->has_comparison || !side->series)
		return err_set(ERR_NOT_FOUND, "%s does not log %s",
			side->name ? side->name : "the run", c->metric);
	o.align.shift = 0;
	o.align.attempt_scale = run_facts_scale(&side->facts, side->files, o.align.axis);
	return compare_series(out, c->reference.series, side->series, &o);
}

/* ---- choosing ---------------------------------------------------------------------- */

static bool have_axis(const struct run_comparison *c, enum align_axis axis)
{
	const struct series *r = c->has_reference ? c->reference.series : NULL,
			    *a = c->attempt.series;

	if ((r && !align_axis_exists(r, axis)) || (a && !align_axis_exists(a, axis)))
		return false;
	return axis == ALIGN_EPOCH || axis == ALIGN_TIME || !r || !a || r->axis == a->axis;
}

/* What was asked for; where a log counts no steps, what both do have. */
static void find_axis(struct run_comparison *c)
{
	static const enum align_axis others[] = { ALIGN_EPOCH, ALIGN_TIME };

	c->axis = c->request.align.axis;
	if (!counts_steps(c->axis) || have_axis(c, c->axis))
		return;
	for (size_t i = 0; i < ARRAY_LEN(others); i++) {
		if (have_axis(c, others[i])) {
			c->axis = others[i];
			return;
		}
	}
}

/* The word of it: an axis that nobody asked for. */
static void warn_of_axis(struct run_comparison *c)
{
	if (c->axis != c->request.align.axis)
		provenance_add(&c->provenance, &c->metric_arena, "axis", NULL,
			arena_printf(&c->metric_arena,
				"paired by %s: %s is not logged with training steps on both sides",
				align_axis_name(c->axis),
				text_sanitised(&c->metric_arena, c->metric)));
}

/* The metric, its goal and its series, of all sides; nothing is compared. */
static const struct config_goal *choose(struct run_comparison *c, const char *metric)
{
	const struct config_goal *g;

	if (c->has_assessment)
		assessment_release(&c->assessment);
	c->has_assessment = false;
	if (c->has_comparison)
		comparison_release(&c->comparison);
	c->has_comparison = c->is_unaligned = false;
	c->verdict = c->next = "";
	list_metrics(c);
	if (!metric)
		metric = c->metric;
	metric = choose_metric(c, *metric ? metric : NULL);
	c->metric = metric ? arena_strdup(&c->metric_arena, metric) : "";
	g = goal_of_metric(&c->accepted.in_force, c->request.goal, c->metric);
	c->goal = g ? g->name : "";
	c->unit = g ? g->unit : "";
	c->scale = g && g->scale > 0 ? g->scale : 1;
	c->decimals = g ? decimals_of(g) : -1;
	comparison_side_choose(&c->attempt, c->metric, c->until_wall_s);
	if (c->sibling.run)
		comparison_side_choose(&c->sibling, c->metric, c->until_wall_s);
	for (size_t i = 0; i < c->n_attempt_repeats; i++)
		comparison_side_choose(&c->attempt_repeats[i], c->metric, c->until_wall_s);
	find_axis(c);
	return g;
}

int run_comparison_choose(struct run_comparison *c, const char *metric)
{
	struct arena before = c->metric_arena;
	const struct config_goal *g;
	int rc = 0;

	c->metric_arena = (struct arena)ARENA_INIT;
	g = choose(c, metric);
	if (c->has_reference) {
		measure_spread(c);
		find_axis(c);
		c->missing = comparison_nothing(c);
		warn(c);
		warn_of_axis(c);
		if (!*c->missing)
			rc = compare_pair(c, g);
	}
	arena_release(&before);
	return rc;
}

void run_comparison_show(struct run_comparison *c, const char *metric)
{
	struct arena before = c->metric_arena;

	c->metric_arena = (struct arena)ARENA_INIT;
	(void)choose(c, metric);
	if (c->has_reference) {
		comparison_side_choose(&c->reference, c->metric, c->until_wall_s);
		find_axis(c);
		c->missing = comparison_nothing(c);
		if (!*c->missing)
			c->missing = "comparing: so many points take a moment";
	}
	arena_release(&before);
}
