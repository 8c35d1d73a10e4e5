/* run_comparison - see comparison.h.  Facts of a run are gathered in run_facts.c. */
#include "config.h"

#include "workspace/comparison.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/text.h"
#include "workspace/accepted.h"
#include "workspace/run_facts.h"
#include "workspace/run_results.h"
#include "workspace/state.h"

/* ---- choosing the runs --------------------------------------------------------- */

static int partner_score(const struct run_state *r, const struct run_state *run, const char *reference_target)
{
	int score = 0;

	if (r->kind == run->kind)
		score += 16;
	if (strcmp(r->seed, run->seed) == 0)
		score += 8;
	if (strcmp(r->target, reference_target) == 0)
		score += 4;
	if (r->state == RUN_EXITED_0)
		score += 2;
	if (run_status_ended(r->state))
		score += 1;
	return score;
}

const struct run_state *run_comparison_partner(struct run_state *const *reference_runs, size_t n, const struct run_state *run,
	const char *reference_target)
{
	const struct run_state *best = NULL;
	int top = -1;

	for (size_t i = 0; i < n; i++) {
		const struct run_state *r = reference_runs[i];
		int score = partner_score(r, run, reference_target);

		/* A smoke curve beside a full one would only show its beginning. */
		if (r->kind != run->kind || *r->prepared.struck || score < top)
			continue;
		top = score;
		best = r;
	}
	return best;
}

static int runs_of(struct run_state ***out, size_t *n, struct workspace *ws, const char *subject,
		   const struct position *at, struct arena *a)
{
	struct state_query q = { .type = "run", .parent = subject, .at = at };
	void **rows;
	int rc = state_list(ws, &q, a, &rows, n);

	*out = (struct run_state **)rows;
	return rc;
}

static int run_score(const struct run_state *r, const struct comparison_request *q, const char *intended)
{
	int score = r->kind == RUN_KIND_FULL ? 8 : 0;

	if (q->kind && r->kind != q->kind)
		return -1;
	if (q->configuration && strcmp(r->configuration, q->configuration) != 0)
		return -1;
	if (*r->prepared.struck || r->state == RUN_LAUNCH_FAILED)
		return -1;
	if (strcmp(r->configuration, intended) == 0)
		score += 4;
	return score;
}

/* The run that was named, or of a named attempt the one that says most. */
static int choose_attempt_run(const struct run_state **out, struct workspace *ws, const struct comparison_request *q,
			      const char *intended, struct arena *a)
{
	struct run_state **runs, *run;
	struct attempt_state *s;
	int top = -1, rc;
	size_t n;

	*out = NULL;
	if (text_starts(q->attempt_run, "ps-")) {
		rc = state_run(ws, q->attempt_run, q->at, a, &run);
		*out = rc == 0 ? run : NULL;
		return rc;
	}
	if ((rc = state_attempt(ws, q->attempt_run, q->at, a, &s)) < 0)
		return rc;
	if ((rc = runs_of(&runs, &n, ws, s->id, q->at, a)) < 0)
		return rc;
	for (size_t i = 0; i < n; i++) {
		int score = run_score(runs[i], q, intended);

		if (score < 0 || score < top)
			continue;
		top = score;
		*out = runs[i];
	}
	return 0;
}

static const char *name_of(struct arena *a, const struct run_state *r)
{
	bool reference = strcmp(r->attempt, "reference") == 0;

	return arena_printf(a, "%s%s%s%s%s%s%s", reference ? "" : "#", reference ? "" : r->attempt, reference ? "" : " ",
		r->configuration, r->kind == RUN_KIND_SMOKE ? " smoke" : "", *r->seed ? " seed " : "", r->seed);
}

static int open_side(struct comparison_side *s, struct workspace *ws, const struct run_state *run,
		     const struct comparison_request *q, struct arena *a)
{
	int rc;

	s->run = run;
	s->name = name_of(a, run);
	if ((rc = run_results_open(&s->files, ws, run->id, a)) < 0)
		return err_prefix("run %s: ", run->id);
	if ((rc = run_files_read(s->files, q->cancel)) < 0)
		return err_prefix("run %s: ", run->id);
	run_facts_gather(&s->facts, run, s->files, a);
	return 0;
}

/* ---- metrics ---------------------------------------------------------------------- */

static bool is_evaluation(const char *name)
{
	return strncmp(name, "eval", 4) == 0 || strncmp(name, "val", 3) == 0 || strstr(name, "/eval") || strstr(name, "/val");
}

static void list_metrics(struct run_comparison *c)
{
	const struct run_series *a = c->attempt.files->series;

	c->metrics = arena_alloc(&c->arena, a->n * sizeof *c->metrics);
	for (int pass = 0; pass < 2; pass++) {
		for (size_t i = 0; i < a->n; i++) {
			const struct series *s = a->series[i];
			bool both = !c->has_reference || run_series_find(c->reference.files->series, s->name, (int)s->axis);

			if (both && s->n && is_evaluation(s->name) == (pass == 0))
				c->metrics[c->n_metrics++] = s->name;
		}
	}
}

static const char *series_like(const struct run_comparison *c, const char *pattern)
{
	for (size_t i = 0; i < c->n_metrics; i++)
		if (text_glob(pattern, c->metrics[i]))
			return c->metrics[i];
	return NULL;
}

static const struct config_goal *goal_of(const struct config *config, const char *name, const char *metric)
{
	for (size_t i = 0; i < config->goals_n; i++) {
		const struct config_goal *g = &config->goals[i];

		if (name ? strcmp(g->name, name) == 0 : !metric || text_glob(g->series, metric))
			return g;
	}
	return NULL;
}

/* ---- comparing --------------------------------------------------------------------- */

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
	else
		facts.source = f->rank == RANK_TEXT ? PROVENANCE_TEXT : PROVENANCE_OTHER;
	return facts;
}

static void warn(struct run_comparison *c)
{
	struct comparison_side *sides[] = { &c->reference, &c->attempt };

	for (size_t i = 0; i < ARRAY_LEN(sides); i++) {
		struct provenance_facts facts = provenance_facts_of(sides[i]);

		if (sides[i]->series)
			provenance_check_series(&c->provenance, &c->arena, sides[i]->files->series, sides[i]->series, &facts);
	}
	if (c->reference.series && c->attempt.series)
		provenance_check_pair(&c->provenance, &c->arena, c->reference.files->series, c->reference.series,
			c->attempt.files->series, c->attempt.series);
}

static struct compare_options options_of(const struct run_comparison *c, const struct config_goal *g,
					 const struct comparison_request *q)
{
	struct compare_options o = COMPARE_OPTIONS_INIT;
	struct provenance_facts r = provenance_facts_of(&c->reference), a = provenance_facts_of(&c->attempt);

	o.align = q->align;
	o.resolution_reference = resolution_of(c->reference.series, &r);
	o.resolution_attempt = resolution_of(c->attempt.series, &a);
	o.scale = g ? g->scale : 1;
	o.examples = g ? g->examples : 0;
	o.decimals = g ? 2 : -1;
	if (g)
		o.direction = g->test.direction == DIRECTION_HIGHER ? BETTER_HIGHER : BETTER_LOWER;
	else if (strstr(c->metric, "loss"))
		o.direction = BETTER_LOWER;
	else if (strstr(c->metric, "acc"))
		o.direction = BETTER_HIGHER;
	/* Of a goal: its margin, in logged units.  Of another metric: two percent. */
	if (q->has_tolerance)
		o.tolerance = q->tolerance;
	else if (g)
		o.tolerance.atol = (isfinite(g->tolerance) ? g->tolerance : g->test.margin) / (g->scale ? g->scale : 1);
	else
		o.tolerance.rtol = 0.02;
	return o;
}

static const char *verdict_line(struct run_comparison *c)
{
	struct buf b = BUF_INIT;
	const char *text;

	if (c->comparable.overall == COMPARABLE_NO && c->comparable.first_obstacle)
		buf_addf(&b, "not comparable: %s: %s", c->comparable.first_obstacle->name, c->comparable.first_obstacle->make_equal);
	else
		compare_add_verdict(&b, &c->comparison);
	text = arena_strndup(&c->arena, b.s, b.n);
	buf_release(&b);
	return text;
}

static int compare_metric(struct run_comparison *c, const struct config *config, const struct comparison_request *q)
{
	const struct config_goal *g = goal_of(config, q->goal, c->metric);
	struct comparable_input in = {
		.reference = &c->reference.facts, .attempt = &c->attempt.facts,
		.reference_series = c->reference.files->series, .attempt_series = c->attempt.files->series, .metric = c->metric,
	};
	struct compare_options o;
	int rc;

	if (g && !text_glob(g->series, c->metric))
		g = NULL;
	c->goal = g ? arena_strdup(&c->arena, g->name) : "";
	c->unit = g ? arena_strdup(&c->arena, g->unit) : "";
	c->scale = g ? g->scale : 1;
	c->reference.series = run_series_find(c->reference.files->series, c->metric, -1);
	c->attempt.series = run_series_find(c->attempt.files->series, c->metric, -1);
	if (!c->reference.series || !c->attempt.series) {
		c->missing = arena_printf(&c->arena, "%s does not log %s", c->attempt.series ? c->reference.name : c->attempt.name,
			text_sanitised(&c->arena, c->metric));
		return 0;
	}
	comparable_check(&c->comparable, &c->arena, &in);
	c->provenance.n = 0;
	warn(c);
	o = options_of(c, g, q);
	if ((rc = compare_series(&c->comparison, c->reference.series, c->attempt.series, &o)) < 0)
		return rc;
	c->has_comparison = true;
	c->verdict = verdict_line(c);
	return 0;
}

int run_comparison_choose(struct run_comparison *c, struct workspace *ws, const char *metric, const struct comparison_request *q)
{
	struct accepted accepted;
	const struct config_goal *g;
	int rc = accepted_read(&accepted, ws, q->at);

	if (rc < 0)
		return rc;
	if (c->has_comparison)
		comparison_release(&c->comparison);
	c->has_comparison = false;
	c->missing = c->verdict = "";
	g = goal_of(&accepted.in_force, q->goal, metric);
	if (!metric && g)
		metric = series_like(c, g->series);
	if (!metric && c->n_metrics)
		metric = c->metrics[0];
	c->metric = metric ? arena_strdup(&c->arena, metric) : "";
	if (!metric)
		c->missing = c->attempt.files->series->n ? "the two runs have no metric in common" :
			arena_printf(&c->arena, "no curve yet in %s", c->attempt.name);
	else if (!c->has_reference)
		c->attempt.series = run_series_find(c->attempt.files->series, metric, -1);
	else
		rc = compare_metric(c, &accepted.in_force, q);
	accepted_release(&accepted);
	return rc;
}

static int open_runs(struct run_comparison *c, struct workspace *ws, const struct comparison_request *q, const struct config *config)
{
	const struct run_state *run, *partner = NULL;
	struct run_state **references, *named;
	size_t n;
	int rc = choose_attempt_run(&run, ws, q, config->migration.intended ? config->migration.intended : "", &c->arena);

	if (rc < 0)
		return rc;
	if (!run) {
		return err_set(ERR_NOT_FOUND, "%s has no run with curves yet; start one: portside run %s --kind smoke --target TARGET, "
			"or bring files: portside import %s FILE...", q->attempt_run, q->attempt_run, q->attempt_run);
	}
	if ((rc = open_side(&c->attempt, ws, run, q, &c->arena)) < 0)
		return rc;
	if (q->reference_run) {
		if ((rc = state_run(ws, q->reference_run, q->at, &c->arena, &named)) < 0)
			return rc;
		partner = named;
	} else {
		if ((rc = runs_of(&references, &n, ws, "reference", q->at, &c->arena)) < 0)
			return rc;
		partner = run_comparison_partner(references, n, run, config->migration.reference ? config->migration.reference : "");
		for (size_t i = 0; i < n; i++)
			c->reference_runs += references[i]->kind == run->kind && run_status_ended(references[i]->state);
	}
	if (!partner) {
		c->missing = arena_printf(&c->arena, "no %s run of the reference yet: portside run reference --kind %s --target %s",
			word_name(&words_run_kind, (int)run->kind), word_name(&words_run_kind, (int)run->kind),
			config->migration.reference && *config->migration.reference ? config->migration.reference : "TARGET");
		return 0;
	}
	c->has_reference = true;
	return open_side(&c->reference, ws, partner, q, &c->arena);
}

int run_comparison_make(struct run_comparison **out, struct workspace *ws, const struct comparison_request *q)
{
	struct run_comparison *c = xcalloc(1, sizeof *c);
	struct accepted accepted;
	const char *missing;
	int rc = accepted_read(&accepted, ws, q->at);

	c->missing = c->verdict = c->metric = c->goal = c->unit = "";
	c->scale = 1;
	if (rc == 0) {
		rc = open_runs(c, ws, q, &accepted.in_force);
		missing = c->missing;
		if (rc == 0) {
			list_metrics(c);
			rc = run_comparison_choose(c, ws, q->metric, q);
			if (*missing)
				c->missing = missing;
		}
		accepted_release(&accepted);
	}
	if (rc < 0) {
		run_comparison_free(c);
		return rc;
	}
	*out = c;
	return 0;
}

void run_comparison_free(struct run_comparison *c)
{
	if (!c)
		return;
	if (c->has_comparison)
		comparison_release(&c->comparison);
	run_files_free(c->reference.files);
	run_files_free(c->attempt.files);
	arena_release(&c->arena);
	free(c);
}
