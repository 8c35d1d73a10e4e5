/* rule_noise - see rule_noise.h. */
#include "config.h"

#include "workspace/rule_noise.h"

#include <math.h>
#include <string.h>

#include "base/err.h"
#include "base/text.h"
#include "workspace/accepted.h"
#include "workspace/comparison.h"
#include "workspace/rule_curves.h"
#include "workspace/state.h"

/* Smoke runs of the reference that ended well, on one configuration. */
struct repeats {
	const struct run_state **runs;
	size_t n;
	const char *configuration;
};

static size_t count_on(struct run_state *const *runs, size_t n, const char *configuration)
{
	size_t found = 0;

	for (size_t i = 0; i < n; i++)
		found += rule_curves_is_repeat(runs[i]) &&
			strcmp(runs[i]->configuration, configuration) == 0;
	return found;
}

static void choose_repeats(struct repeats *out, struct run_state *const *runs, size_t n,
	const char *target, struct arena *a)
{
	size_t most = 0;

	*out = (struct repeats){ .configuration = "" };
	for (size_t i = 0; i < n; i++) {
		bool preferred = *target && strcmp(runs[i]->target, target) == 0;
		size_t count = rule_curves_is_repeat(runs[i])
			? count_on(runs, n, runs[i]->configuration) + (preferred ? n : 0)
			: 0;

		if (count > most) {
			most = count;
			out->configuration = runs[i]->configuration;
		}
	}
	out->runs = arena_alloc(a, (n + 1) * sizeof *out->runs);
	for (size_t i = 0; i < n && most; i++)
		if (rule_curves_is_repeat(runs[i]) &&
			strcmp(runs[i]->configuration, out->configuration) == 0)
			out->runs[out->n++] = runs[i];
}

static const struct series *find_series(const struct run_files *files, const char *pattern)
{
	for (size_t i = 0; i < files->series->n; i++)
		if (files->series->series[i]->n &&
			text_glob(pattern, files->series->series[i]->name))
			return files->series->series[i];
	return NULL;
}

static double value_of(const struct series *s, const struct config_goal *g)
{
	double v = series_value(s, s->n - 1);

	for (size_t i = 0; g->at == AT_BEST && i < s->n; i++)
		v = g->test.direction == DIRECTION_LOWER ? fmin(v, series_value(s, i))
							 : fmax(v, series_value(s, i));
	return v * (g->scale > 0 ? g->scale : 1);
}

/* How one run ends. */
struct last_point {
	const char *series, *seed;
	const struct series *points;	/* of its side, as long as that is open */
	double step, value;
};

/* The ends of the runs for one goal. */
struct last_points {
	struct last_point *list;
	size_t n;
};

static bool is_alike(const struct last_point *x, const struct last_point *y)
{
	return strcmp(x->series, y->series) == 0 && !(x->step < y->step) && !(x->step > y->step);
}

/* The end that most runs share, of two the later one; NULL without a run. */
static const struct last_point *most_shared(const struct last_points *e)
{
	const struct last_point *best = NULL;
	size_t most = 0;

	for (size_t i = 0; i < e->n; i++) {
		size_t count = 0;

		for (size_t k = 0; k < e->n; k++)
			count += is_alike(&e->list[i], &e->list[k]);
		if (count > most || (count == most && e->list[i].step > best->step)) {
			best = &e->list[i];
			most = count;
		}
	}
	return best;
}

static bool is_copy(const struct last_points *e, size_t i)
{
	const struct last_point *p = &e->list[i];

	for (size_t k = 0; k < i; k++)
		if (seed_is_copy(p->seed, p->points, e->list[k].seed, e->list[k].points))
			return true;
	return false;
}

/* The values of the runs that end alike, each once; the others are left. */
static void take_values(struct rule_noise *out, const struct last_points *e)
{
	const struct last_point *shared = most_shared(e);

	if (!shared)
		return;
	out->series = shared->series;
	out->step = shared->step;
	for (size_t i = 0; i < e->n; i++)
		if (!is_alike(&e->list[i], shared))
			out->n_left++;
		else if (is_copy(e, i))
			out->n_copies++;
		else
			out->values[out->n++] = e->list[i].value;
}

/* False: the run says nothing about this goal. */
static bool add_last_point(struct last_points *out, const struct comparison_side *side,
	const struct config_goal *g, struct arena *a)
{
	const struct series *s = find_series(side->files, g->series);
	double value = s ? value_of(s, g) : NAN;

	if (!isfinite(value))
		return false;
	out->list[out->n++] = (struct last_point){
		.series = arena_strdup(a, s->name),
		.seed = side->run->seed,
		.points = s,
		.step = series_x(s, s->n - 1),
		.value = value,
	};
	return true;
}

/* A run whose files are not here says nothing; that is no error. */
static int read_run(struct rule_noises *out, struct last_points *ends,
	const struct config *config, struct workspace *ws, const struct run_state *run,
	struct comparison_side *side, const atomic_bool *cancel, struct arena *a)
{
	size_t row = 0;
	int rc = comparison_side_open(side, ws, run, a, NULL);

	if (rc == 0)
		rc = run_files_read(side->files, cancel);
	for (size_t i = 0; i < config->goals_n; i++) {
		if (!config->goals[i].series)
			continue;
		if (rc != 0 || !add_last_point(&ends[row], side, &config->goals[i], a))
			out->rows[row].n_left++;
		row++;
	}
	if (rc == 0 || rc == ERR_CANCELLED)
		return rc;
	err_clear();
	return 0;
}

/* The rule that asks "smoke_gap.GOAL worse than ...", and its limit. */
static void find_rule(struct rule_noise *n, const struct config *config, struct arena *a)
{
	const char *feature = arena_printf(a, "smoke_gap.%s", n->goal);
	struct expr_gauge g;

	for (size_t i = 0; i < config->rules_n; i++) {
		for (size_t k = 0; expr_gauge(config->rules[i].expr, k, &g); k++) {
			if (strcmp(g.feature, feature) != 0 || g.limit.type != EXPR_NUMBER)
				continue;
			n->rule = arena_strdup(a, config->rules[i].id);
			n->in_force = g.limit.number;
			return;
		}
	}
}

/* Up to two digits: a limit of 1.5323 pretends to know more than three runs do. */
static double round_up(double v)
{
	double unit;

	if (!(v > 0) || !isfinite(v))
		return NAN;
	unit = pow(10, floor(log10(v)) - 1);
	return ceil(v / unit - 1e-9) * unit;
}

static void finish(struct rule_noise *n, double share)
{
	n->limit = seeds_noise_limit(n->values, n->n, share);
	n->proposed = round_up(n->limit.limit);
	/* Repeats that are equal to the last digit: one example is the least gap. */
	if (n->n >= 2 && !(n->limit.sd > 0))
		n->proposed = n->smallest;
	n->share_in_force = noise_limit_share(&n->limit, n->in_force);
}

static void begin_rows(struct rule_noises *out, const struct config *config,
	const struct repeats *repeats, struct arena *a)
{
	bool one_seed = repeats->n > 0;

	for (size_t i = 0; i < repeats->n; i++)
		one_seed = one_seed && *repeats->runs[i]->seed &&
			strcmp(repeats->runs[i]->seed, repeats->runs[0]->seed) == 0;
	out->rows = arena_alloc(a, (config->goals_n + 1) * sizeof *out->rows);
	for (size_t i = 0; i < config->goals_n; i++) {
		const struct config_goal *g = &config->goals[i];

		if (!g->series)
			continue;
		out->rows[out->n++] = (struct rule_noise){
			.goal = arena_strdup(a, g->name),
			.unit = g->unit ? arena_strdup(a, g->unit) : "",
			.series = "",
			.configuration = arena_strdup(a, repeats->configuration),
			.values = arena_alloc(a, (repeats->n + 1) * sizeof(double)),
			.step = NAN,
			.one_seed = one_seed && repeats->n > 1,
			.smallest = g->examples > 0 && g->unit && strcmp(g->unit, "pp") == 0
				? 100.0 / (double)g->examples
				: NAN,
			.rule = "",
			.in_force = NAN,
		};
		find_rule(&out->rows[out->n - 1], config, a);
	}
}

/* Room for the end of each of N_RUNS, for every row. */
static struct last_points *new_last_points(size_t n_rows, size_t n_runs, struct arena *a)
{
	struct last_points *e = arena_alloc(a, (n_rows + 1) * sizeof *e);

	for (size_t i = 0; i < n_rows; i++)
		e[i].list = arena_alloc(a, (n_runs + 1) * sizeof *e->list);
	return e;
}

static int read_all(struct rule_noises *out, struct workspace *ws, const struct config *config,
	const struct position *at, const atomic_bool *cancel, struct arena *a)
{
	struct run_state **runs;
	struct comparison_side *sides;
	struct repeats repeats;
	struct last_points *ends;
	size_t n;
	int rc = state_runs(&runs, &n, ws, "reference", at, a);

	if (rc < 0)
		return rc;
	out->target = config->migration.reference ? arena_strdup(a, config->migration.reference) : "";
	choose_repeats(&repeats, runs, n, out->target, a);
	begin_rows(out, config, &repeats, a);
	ends = new_last_points(out->n, repeats.n, a);
	sides = arena_alloc(a, (repeats.n + 1) * sizeof *sides);
	for (size_t i = 0; rc == 0 && i < repeats.n; i++)
		rc = read_run(out, ends, config, ws, repeats.runs[i], &sides[i], cancel, a);
	for (size_t i = 0; rc == 0 && i < out->n; i++)
		take_values(&out->rows[i], &ends[i]);
	for (size_t i = 0; i < repeats.n; i++)
		comparison_side_release(&sides[i]);
	return rc;
}

int rule_noise_read(struct rule_noises *out, struct workspace *ws, double share,
	const struct position *at, const atomic_bool *cancel, struct arena *a)
{
	struct accepted accepted;
	int rc = accepted_read(&accepted, ws, at);

	memset(out, 0, sizeof *out);
	out->target = "";
	if (rc < 0)
		return rc;
	out->from_file = !accepted.has_accepted && accepted.has_file;
	rc = read_all(out, ws, out->from_file ? &accepted.file : &accepted.in_force, at, cancel, a);
	for (size_t i = 0; rc == 0 && i < out->n; i++)
		finish(&out->rows[i], share);
	accepted_release(&accepted);
	return rc;
}
