/* rule_features - see rule_features.h. */
#include "config.h"

#include "workspace/rule_features.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"
#include "domain/level.h"
#include "workspace/state.h"

static struct expr_value number(double v)
{
	return isnan(v) ? (struct expr_value){ .type = EXPR_UNKNOWN } :
		(struct expr_value){ .type = EXPR_NUMBER, .number = v };
}

static double dollars(int64_t nano)
{
	return (double)nano / (double)NANO_USD;
}

/* The level that counts is the one on the intended configuration; what nobody
 * measured was not reached.  Levels are compared as texts, see rule.h. */
static const char *best_level(const struct rule_features *f)
{
	const char *intended = f->config->migration.intended;
	enum level best = intended && *intended ? migration_best(f->migration, intended)
						: migration_best_anywhere(f->migration);

	return level_name(best == LEVEL_UNSET ? LEVEL_NONE : best);
}

/* Without ingested sessions nobody knows how long the agent worked. */
static double of_sessions(const struct migration_counts *c, double v)
{
	return c->sessions ? v : NAN;
}

static double of_runs(const struct migration_counts *c, double v)
{
	return c->runs && c->runs == c->runs_without_cost ? NAN : v;
}

/* Of a sum some parts of which nobody told: it is this or more. */
static bool lacks_parts(const struct migration_counts *c, const char *name)
{
	if (strcmp(name, "human_minutes") == 0)
		return c->interventions_without_minutes || c->decisions_without_minutes;
	if (strcmp(name, "run_usd") == 0)
		return c->runs_without_cost > 0;
	return strcmp(name, "agent_usd") == 0 && c->sessions_without_cost > 0;
}

static double feature_number(const struct rule_features *f, const char *name)
{
	const struct migration_counts *c = &f->migration->counts;
	const struct {
		const char *name;
		double value;
	} table[] = {
		{ "attempts", (double)c->attempts },
		{ "agent_hours",
			of_sessions(c, (double)c->agent_ns / (3600.0 * (double)NS_PER_S)) },
		{ "agent_usd", of_sessions(c, dollars(c->session_cost_nano_usd)) },
		{ "run_usd", of_runs(c, dollars(c->run_cost_nano_usd)) },
		{ "failures", (double)c->failures },
		{ "silent", (double)c->silent },
		{ "over_claims", (double)c->over_claims },
		{ "open_alarms", (double)c->alarms_open },
		{ "interventions", (double)c->interventions },
		{ "human_minutes", (double)(c->intervention_minutes + c->decision_minutes) },
		{ "runs", (double)c->runs },
		{ "projected_hours", f->curves.projected_hours },
		{ "projected_usd", f->curves.projected_usd },
		{ "reference_repeats", (double)f->curves.repeats },
	};

	for (size_t i = 0; i < ARRAY_LEN(table); i++)
		if (strcmp(table[i].name, name) == 0)
			return table[i].value;
	return NAN;
}

struct expr_value rule_features_value(void *user, const char *name)
{
	const struct rule_features *f = user;
	const char *dot = strchr(name, '.');
	struct expr_value v;

	if (dot)
		return number(rule_curves_gap(&f->curves, text_starts(name, "smoke"), dot + 1));
	if (strcmp(name, "best_level") == 0)
		return (struct expr_value){ .type = EXPR_TEXT, .text = best_level(f) };
	if (strcmp(name, "blocker") == 0)
		return (struct expr_value){ .type = EXPR_TEXT, .text = f->blocker ? "yes" : "no" };
	if (strcmp(name, "comparable_inputs") == 0) {
		if (f->curves.comparable == TRUTH_UNKNOWN)
			return (struct expr_value){ .type = EXPR_UNKNOWN };
		return (struct expr_value){ .type = EXPR_TEXT,
			.text = f->curves.comparable == TRUTH_TRUE ? "yes" : "no" };
	}
	v = number(feature_number(f, name));
	v.or_more = v.type == EXPR_NUMBER && lacks_parts(&f->migration->counts, name);
	return v;
}

bool rule_reads_curves(const struct rule *r)
{
	size_t n;
	const char *const *names = expr_features(r->expr, &n);
	bool reads = *r->precondition != '\0';

	for (size_t i = 0; i < n && !reads; i++)
		reads = strchr(names[i], '.') || text_starts(names[i], "projected") ||
			strcmp(names[i], "comparable_inputs") == 0;
	return reads;
}

static int read_blocker(bool *out, struct workspace *ws, const struct position *at, struct arena *a)
{
	struct state_query q = { .type = "alarm", .at = at };
	void **rows;
	size_t n;
	int rc = state_list(ws, &q, a, &rows, &n);

	*out = false;
	for (size_t i = 0; rc == 0 && i < n; i++) {
		const struct alarm_state *s = rows[i];

		*out = *out || (strcmp(s->rule, "R3") == 0 && !*s->raised.struck);
	}
	return rc;
}

/* Few rules ask, and a migration may have many alarms and runs. */
static bool is_asked_for(const struct config *config, const char *feature)
{
	for (size_t i = 0; i < config->rules_n; i++) {
		size_t n;
		const char *const *names = expr_features(config->rules[i].expr, &n);

		for (size_t k = 0; k < n; k++)
			if (strcmp(names[k], feature) == 0)
				return true;
	}
	return false;
}

int rule_features_read(struct rule_features *out, struct workspace *ws, const struct config *config,
	const struct position *at, struct arena *a)
{
	struct migration_state *m;
	int rc = state_migration(ws, at, a, &m);

	*out = (struct rule_features){ .config = config };
	rule_curves_init(&out->curves);
	if (rc < 0)
		return rc;
	out->migration = m;
	if (is_asked_for(config, "reference_repeats"))
		rc = rule_curves_repeats(&out->curves.repeats, ws, at, a);
	if (rc == 0 && is_asked_for(config, "blocker"))
		rc = read_blocker(&out->blocker, ws, at, a);
	return rc;
}
