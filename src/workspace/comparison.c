/* run_comparison - see comparison.h.  Which runs: comparison_runs.c; facts of a run: run_facts.c. */
#include "config.h"

#include "workspace/comparison.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/err.h"
#include "base/fs.h"
#include "base/text.h"
#include "workspace/comparison_words.h"
#include "workspace/state.h"

enum { REPEATS_MAX = 8 };
#define REPEAT_BYTES_MAX (INT64_C(64) << 20)

/* ---- choosing the runs --------------------------------------------------------- */

static int runs_of(struct run_state ***out, size_t *n, struct workspace *ws, const char *subject,
		   const struct position *at, struct arena *a)
{
	struct state_query q = { .type = "run", .parent = subject, .at = at };
	void **rows;
	int rc = state_list(ws, &q, a, &rows, n);

	*out = rc < 0 ? NULL : (struct run_state **)rows;
	return rc;
}

/* The run that was named, or of a named attempt the one that says most; never NOT. */
static int find_run(const struct run_state **out, struct workspace *ws, const char *text, enum run_kind kind,
		    const char *configuration, const struct position *at, const char *intended, const struct run_state *not,
		    struct arena *a)
{
	size_t kept = 0;

	struct run_state **runs, *run;
	struct attempt_state *s;
	size_t n;
	int rc;

	*out = NULL;
	if (text_starts(text, "ps-")) {
		rc = state_run(ws, text, at, a, &run);
		*out = rc == 0 ? run : NULL;
		return rc;
	}
	if ((rc = state_attempt(ws, text, at, a, &s)) < 0 || (rc = runs_of(&runs, &n, ws, s->id, at, a)) < 0)
		return rc;
	for (size_t i = 0; i < n; i++)
		if (!not || strcmp(runs[i]->id, not->id) != 0)
			runs[kept++] = runs[i];
	*out = run_comparison_best(runs, kept, kind, configuration, intended);
	return 0;
}

static int64_t bytes_of(const struct run_files *files)
{
	int64_t sum = 0;

	for (size_t i = 0; i < files->n; i++) {
		int64_t size = files->files[i].file ? fs_size(files->files[i].file->path) : 0;

		sum += size > 0 ? size : 0;
	}
	return sum;
}

/* A side that is nice to have: without its files, or with too many bytes, there
 * is none.  False then. */
static bool open_small(struct comparison_side *s, struct workspace *ws, const struct run_state *run, struct arena *a,
		       struct comparison_side *reuse)
{
	memset(s, 0, sizeof *s);
	if (comparison_side_open(s, ws, run, a, reuse) < 0) {
		err_clear();
		memset(s, 0, sizeof *s);
		return false;
	}
	if (bytes_of(s->files) <= REPEAT_BYTES_MAX)
		return true;
	comparison_side_release(s);
	return false;
}

static struct comparison_side *repeat_of(struct run_comparison *c, const struct run_state *run)
{
	for (size_t i = 0; c && i < c->n_repeats; i++)
		if (strcmp(c->repeats[i].run->id, run->id) == 0)
			return &c->repeats[i];
	if (c && c->reference.run && strcmp(c->reference.run->id, run->id) == 0)
		return &c->reference;
	return NULL;
}

static bool is_repeat(const struct run_state *r, const struct run_state *partner)
{
	return r != partner && r->kind == partner->kind && strcmp(r->id, partner->id) != 0 && !*r->prepared.struck &&
		strcmp(r->configuration, partner->configuration) == 0 && (r->state == RUN_EXITED_0 || r->state == RUN_LOST);
}

static void open_repeats(struct run_comparison *c, struct workspace *ws, struct run_state *const *references, size_t n,
			 struct run_comparison *reuse)
{
	c->repeats = arena_alloc(&c->arena, REPEATS_MAX * sizeof *c->repeats);
	for (size_t i = 0; i < n; i++) {
		if (!is_repeat(references[i], c->reference.run))
			continue;
		if (c->n_repeats == REPEATS_MAX ||
		    !open_small(&c->repeats[c->n_repeats], ws, references[i], &c->arena, repeat_of(reuse, references[i])))
			c->spread.left = "further repeats were not read: too large, too many, or not here";
		else
			c->n_repeats++;
	}
}

/* The same attempt, kind and seed somewhere else, best on fewer chips: tells
 * whether a difference belongs to the configuration. */
static int open_sibling(struct run_comparison *c, struct workspace *ws, const struct position *at, struct run_comparison *reuse)
{
	const struct run_state *run = c->attempt.run, *best = NULL;
	struct run_state **runs;
	size_t n;
	int rc = runs_of(&runs, &n, ws, run->attempt, at, &c->arena);

	for (size_t i = 0; rc == 0 && i < n; i++) {
		const struct run_state *r = runs[i];

		if (r->kind == run->kind && r->state == RUN_EXITED_0 && !*r->prepared.struck && strcmp(r->seed, run->seed) == 0 &&
		    strcmp(r->configuration, run->configuration) != 0 && (!best || r->chips <= best->chips))
			best = r;
	}
	if (rc == 0 && best && !open_small(&c->sibling, ws, best, &c->arena, reuse ? &reuse->sibling : NULL))
		c->sibling.run = NULL;
	return rc;
}

static int open_reference(struct run_comparison *c, struct workspace *ws, const struct comparison_request *q,
			  struct run_comparison *reuse)
{
	const struct config_migration *m = &c->accepted.in_force.migration;
	const struct run_state *run = c->attempt.run, *partner = NULL;
	struct run_state **references;
	size_t n;
	int rc = runs_of(&references, &n, ws, "reference", q->at, &c->arena);

	if (rc < 0)
		return rc;
	if (!q->reference_run)
		partner = run_comparison_partner(references, n, run, m->reference ? m->reference : "");
	else if ((rc = find_run(&partner, ws, q->reference_run, run->kind, NULL, q->at, run->configuration, run, &c->arena)) < 0)
		return rc;
	if (!partner) {
		c->missing = comparison_no_reference(c, q->reference_run);
		return 0;
	}
	c->has_reference = true;
	c->against_attempt = strcmp(partner->attempt, "reference") != 0;
	if ((rc = comparison_side_open(&c->reference, ws, partner, &c->arena, reuse ? &reuse->reference : NULL)) < 0)
		return rc;
	if (!c->against_attempt)
		open_repeats(c, ws, references, n, reuse);
	return 0;
}

static int open_runs(struct run_comparison *c, struct workspace *ws, const struct comparison_request *q,
		     struct run_comparison *reuse)
{
	const char *intended = c->accepted.in_force.migration.intended;
	const struct run_state *run;
	int rc = find_run(&run, ws, q->attempt_run, q->kind, q->configuration, q->at, intended ? intended : "", NULL,
		&c->arena);

	if (rc < 0)
		return rc;
	if (!run) {
		return err_set(ERR_NOT_FOUND, "%s has no run%s%s%s%s yet; start one: portside run %s --kind smoke --target TARGET, "
			"or bring files: portside import %s FILE...", q->attempt_run, q->kind ? " of kind " : "",
			q->kind ? word_name(&words_run_kind, (int)q->kind) : "", q->configuration ? " on " : "",
			q->configuration ? q->configuration : "", q->attempt_run, q->attempt_run);
	}
	if ((rc = comparison_side_open(&c->attempt, ws, run, &c->arena, reuse ? &reuse->attempt : NULL)) < 0 ||
	    (rc = open_reference(c, ws, q, reuse)) < 0)
		return rc;
	return open_sibling(c, ws, q->at, reuse);
}

static void keep_request(struct run_comparison *c, const struct comparison_request *q)
{
	c->request = *q;
	c->request.attempt_run = arena_strdup(&c->arena, q->attempt_run);
	c->request.reference_run = arena_strdup(&c->arena, q->reference_run);
	c->request.goal = arena_strdup(&c->arena, q->goal);
	c->request.metric = arena_strdup(&c->arena, q->metric);
	c->request.configuration = arena_strdup(&c->arena, q->configuration);
	c->request.at = NULL;
	c->request.cancel = NULL;
}

int run_comparison_open(struct run_comparison **out, struct workspace *ws, const struct comparison_request *q,
			struct run_comparison *reuse)
{
	struct run_comparison *c = xcalloc(1, sizeof *c);
	int rc = accepted_read(&c->accepted, ws, q->at);

	c->missing = c->verdict = c->metric = c->goal = c->unit = c->next = c->spread.left = "";
	c->spread.low = c->spread.high = c->spread.last_low = c->spread.last_high = NAN;
	c->scale = 1;
	if (rc == 0) {
		keep_request(c, q);
		rc = comparison_until(&c->until_wall_s, ws, q->at);
		if (rc == 0)
			rc = open_runs(c, ws, q, reuse);
	}
	run_comparison_free(reuse);
	if (rc < 0) {
		run_comparison_free(c);
		return rc;
	}
	*out = c;
	return 0;
}

/* ---- reading -------------------------------------------------------------------- */

static int read_side(struct comparison_side *s, const atomic_bool *cancel)
{
	int rc;

	if (!s->files || s->complete)
		return CURVE_SAME;
	if (s->live && (rc = run_files_rescan(s->files)) < 0)
		err_clear();	/* a folder that went away: what was read stays */
	rc = run_files_refresh(s->files, cancel);
	s->complete = rc == CURVE_SAME && !s->live;
	return rc;
}

int run_comparison_read(struct run_comparison *c, const atomic_bool *cancel)
{
	int most = CURVE_SAME;

	for (size_t i = 0; i < 3 + c->n_repeats; i++) {
		struct comparison_side *s = i == 0 ? &c->attempt : i == 1 ? &c->reference : i == 2 ? &c->sibling : &c->repeats[i - 3];
		int rc = read_side(s, cancel);

		if (rc == ERR_CANCELLED)
			return rc;
		if (rc < 0)
			return err_prefix("run %s: ", s->run->id);
		most = rc > most ? rc : most;
	}
	return most;
}

bool run_comparison_is_live(const struct run_comparison *c)
{
	return c->attempt.live || (c->has_reference && c->reference.live);
}

/* ---- metrics ---------------------------------------------------------------------- */

static bool is_evaluation(const char *name)
{
	return strncmp(name, "eval", 4) == 0 || strncmp(name, "val", 3) == 0 || strstr(name, "/eval") || strstr(name, "/val");
}

static bool in_both(const struct run_comparison *c, const struct series *s)
{
	return !c->has_reference || run_series_find(c->reference.files->series, s->name, (int)s->axis);
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
			int group = !in_both(c, s) ? 2 : is_evaluation(s->name) ? 0 : 1;

			if (s->n && group == pass)
				c->metrics[c->n_metrics++] = arena_strdup(&c->metric_arena, s->name);
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
static const struct config_goal *goal_of_metric(const struct config *config, const char *name, const char *metric)
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
	g = c->request.goal ? config_goal_find(config, c->request.goal) : config->goals_n ? &config->goals[0] : NULL;
	of_goal = g && g->series ? series_like(c, g->series) : NULL;
	return of_goal ? of_goal : c->n_metrics ? c->metrics[0] : NULL;
}

/* ---- comparing --------------------------------------------------------------------- */

/* Trainer prints its rows as dictionaries: their loss has the windows and the
 * filter of trainer_state.json. */
static bool is_trainer_log(const struct run_files *files)
{
	return run_series_find(files->series, "learning_rate", -1) && run_series_find(files->series, "grad_norm", -1) &&
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

		if (sides[i]->series)
			provenance_check_series(&c->provenance, &c->metric_arena, sides[i]->files->series, sides[i]->series, &facts);
	}
	if (c->reference.series && c->attempt.series)
		provenance_check_pair(&c->provenance, &c->metric_arena, c->reference.files->series, c->reference.series,
			c->attempt.files->series, c->attempt.series);
}

/* Which way is better, by what people call such series. */
static enum better direction_of(const char *metric)
{
	static const struct { const char *word; enum better direction; } words[] = {
		{ "loss", BETTER_LOWER }, { "perplexity", BETTER_LOWER }, { "ppl", BETTER_LOWER }, { "error", BETTER_LOWER },
		{ "wer", BETTER_LOWER }, { "mse", BETTER_LOWER }, { "mae", BETTER_LOWER }, { "acc", BETTER_HIGHER },
		{ "f1", BETTER_HIGHER }, { "bleu", BETTER_HIGHER }, { "rouge", BETTER_HIGHER }, { "auc", BETTER_HIGHER },
	};

	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		if (strstr(metric, words[i].word))
			return words[i].direction;
	return BETTER_NONE;
}

static struct compare_options options_of(const struct run_comparison *c, const struct config_goal *g)
{
	struct compare_options o = COMPARE_OPTIONS_INIT;
	struct provenance_facts r = provenance_facts_of(&c->reference), a = provenance_facts_of(&c->attempt);

	o.align = c->request.align;
	o.resolution_reference = resolution_of(c->reference.series, &r);
	o.resolution_attempt = resolution_of(c->attempt.series, &a);
	o.scale = c->scale;
	o.examples = g ? g->examples : 0;
	o.decimals = g ? 2 : -1;
	o.n_reference_seeds = (int)c->spread.n;
	if (g)
		o.direction = g->test.direction == DIRECTION_HIGHER ? BETTER_HIGHER : BETTER_LOWER;
	else
		o.direction = direction_of(c->metric);
	/* Of a goal: its margin, in logged units.  Of another metric: two percent. */
	if (c->request.has_tolerance)
		o.tolerance = c->request.tolerance;
	else if (g)
		o.tolerance.atol = (isfinite(g->tolerance) ? g->tolerance : g->test.margin) / c->scale;
	else
		o.tolerance.rtol = 0.02;
	return o;
}

/* The gap of two runs at the last point that both have; NaN without one. */
static double last_gap(const struct series *a, const struct series *b)
{
	struct align_options exact = { .mode = ALIGN_EXACT };
	struct alignment al;
	double d = NAN;

	if (align_series(&al, a, b, &exact) < 0) {
		err_clear();
		return NAN;
	}
	if (al.n)
		d = fabs(align_pair_at(&al, al.n - 1).attempt - align_pair_at(&al, al.n - 1).reference);
	alignment_release(&al);
	return d;
}

static void widen(double *low, double *high, double v)
{
	if (!isfinite(v))
		return;
	*low = *low <= v ? *low : v;
	*high = *high >= v ? *high : v;
}

static void measure_spread(struct run_comparison *c)
{
	const struct series *all[REPEATS_MAX + 1];
	struct reference_spread *s = &c->spread;

	s->n = 0;
	s->low = s->high = s->last_low = s->last_high = NAN;
	for (size_t i = 0; i <= c->n_repeats; i++) {
		struct comparison_side *side = i ? &c->repeats[i - 1] : &c->reference;

		comparison_side_choose(side, c->metric, c->until_wall_s);
		if (!side->series || !side->series->n)
			continue;
		widen(&s->last_low, &s->last_high, series_value(side->series, side->series->n - 1) * c->scale);
		all[s->n++] = side->series;
		for (size_t k = 0; k + 1 < s->n; k++)
			widen(&s->low, &s->high, last_gap(all[k], side->series) * c->scale);
	}
}

/* Is the sibling where the attempt is not? */
static bool sibling_matches(const struct run_comparison *c)
{
	struct comparison other;
	bool match;

	if (!c->sibling.run || !c->sibling.series)
		return false;
	if (compare_series(&other, c->reference.series, c->sibling.series, &c->comparison.options) < 0) {
		err_clear();
		return false;
	}
	match = other.verdict == COMPARE_MATCH;
	comparison_release(&other);
	return match;
}

static void gather_facts(struct run_comparison *c, struct comparison_side *s)
{
	run_facts_gather(&s->facts, &s->facts_cache, s->run, s->files, &c->arena);
}

static int compare_pair(struct run_comparison *c, const struct config_goal *g)
{
	struct comparable_input in = {
		.reference = &c->reference.facts, .attempt = &c->attempt.facts,
		.reference_series = c->reference.files->series, .attempt_series = c->attempt.files->series, .metric = c->metric,
		.early_stop_declared = run_comparison_is_live(c) || c->until_wall_s > 0,
	};
	struct compare_options o = options_of(c, g);
	const struct series *seeds[REPEATS_MAX];
	int rc;

	gather_facts(c, &c->reference);
	gather_facts(c, &c->attempt);
	comparable_check(&c->comparable, &c->metric_arena, &in);
	for (size_t i = 0; i < c->n_repeats; i++)
		if (c->repeats[i].series)
			seeds[o.n_seeds++] = c->repeats[i].series;
	o.seeds = seeds;
	if ((rc = compare_series(&c->comparison, c->reference.series, c->attempt.series, &o)) < 0)
		return rc;
	c->has_comparison = true;
	c->verdict = comparison_verdict(c);
	c->next = comparison_next_step(c, c->comparison.verdict != COMPARE_MATCH && sibling_matches(c));
	return 0;
}

int run_comparison_choose(struct run_comparison *c, const char *metric)
{
	struct arena before = c->metric_arena;
	const struct config_goal *g;
	int rc = 0;

	c->metric_arena = (struct arena)ARENA_INIT;
	if (c->has_comparison)
		comparison_release(&c->comparison);
	c->has_comparison = false;
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
	comparison_side_choose(&c->attempt, c->metric, c->until_wall_s);
	if (c->sibling.run)
		comparison_side_choose(&c->sibling, c->metric, c->until_wall_s);
	if (c->has_reference) {
		measure_spread(c);
		c->missing = comparison_nothing(c);
		warn(c);
		if (!*c->missing)
			rc = compare_pair(c, g);
	}
	arena_release(&before);
	return rc;
}

int run_comparison_make(struct run_comparison **out, struct workspace *ws, const struct comparison_request *q)
{
	struct run_comparison *c;
	int rc = run_comparison_open(&c, ws, q, NULL);

	if (rc < 0)
		return rc;
	do
		rc = run_comparison_read(c, q->cancel);
	while (rc == CURVE_MORE);
	if (rc >= 0)
		rc = run_comparison_choose(c, NULL);
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
	comparison_side_release(&c->reference);
	comparison_side_release(&c->attempt);
	comparison_side_release(&c->sibling);
	for (size_t i = 0; i < c->n_repeats; i++)
		comparison_side_release(&c->repeats[i]);
	accepted_release(&c->accepted);
	arena_release(&c->metric_arena);
	arena_release(&c->arena);
	free(c);
}
