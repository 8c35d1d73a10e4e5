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

/* One run's value joins the others when it ends at the same step. */
static void take_value(struct rule_noise *out, const struct comparison_side *side,
	const struct config_goal *g, struct arena *a)
{
	const struct series *s = find_series(side->files, g->series);
	double step, value;

	if (!s) {
		out->n_left++;
		return;
	}
	step = series_x(s, s->n - 1);
	value = value_of(s, g);
	if (!*out->series) {
		out->series = arena_strdup(a, s->name);
		out->step = step;
	}
	if (strcmp(out->series, s->name) != 0 || step < out->step || step > out->step ||
		!isfinite(value))
		out->n_left++;
	else
		out->values[out->n++] = value;
}

/* A run whose files are not here says nothing; that is no error. */
static int read_run(struct rule_noises *out, const struct config *config, struct workspace *ws,
	const struct run_state *run, const atomic_bool *cancel, struct arena *a)
{
	struct comparison_side side = { .run = NULL };
	size_t row = 0;
	int rc = comparison_side_open(&side, ws, run, a, NULL);

	if (rc == 0)
		rc = run_files_read(side.files, cancel);
	for (size_t i = 0; i < config->goals_n; i++) {
		if (!config->goals[i].series)
			continue;
		if (rc == 0)
			take_value(&out->rows[row], &side, &config->goals[i], a);
		else
			out->rows[row].n_left++;
		row++;
	}
	comparison_side_release(&side);
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

static int read_all(struct rule_noises *out, struct workspace *ws, const struct config *config,
	const struct position *at, const atomic_bool *cancel, struct arena *a)
{
	struct run_state **runs;
	struct repeats repeats;
	size_t n;
	int rc = state_runs(&runs, &n, ws, "reference", at, a);

	if (rc < 0)
		return rc;
	out->target = config->migration.reference ? arena_strdup(a, config->migration.reference) : "";
	choose_repeats(&repeats, runs, n, out->target, a);
	begin_rows(out, config, &repeats, a);
	for (size_t i = 0; rc == 0 && i < repeats.n; i++)
		rc = read_run(out, config, ws, repeats.runs[i], cancel, a);
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
