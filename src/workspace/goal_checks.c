/* goal_checks - see goal_checks.h. */
#include "config.h"

#include "workspace/goal_checks.h"

#include <string.h>

#include "base/err.h"
#include "domain/fold.h"
#include "workspace/accepted.h"
#include "workspace/check_record.h"
#include "workspace/goal_measure.h"
#include "workspace/performance_checks.h"
#include "workspace/state.h"

struct asking {
	struct workspace *ws;
	const struct config *config;
	const struct attempt_state *attempt;
	const atomic_bool *cancel;
	size_t recorded;
	struct arena *a;
};

static enum seen seen_of(enum truth t)
{
	return t == TRUTH_TRUE ? SEEN_YES : t == TRUTH_FALSE ? SEEN_NO : SEEN_UNKNOWN;
}

/* The goal.set in force; "" when the log has none of that name. */
static int statement_of(const char **out, struct asking *k, const char *goal)
{
	void *state;
	int rc = state_get(k->ws, "goal", goal, NULL, k->a, &state);
	const struct goal_state *g = rc > 0 ? state : NULL;

	*out = g && g->in_force >= 0 ? g->statements[g->in_force].entry.event : "";
	return rc < 0 ? rc : 0;
}

static int found_of(struct check_finding *f, struct asking *k, const char *goal,
	const struct goal_facts *facts)
{
	struct goal_found *found = ARENA_NEW(k->a, struct goal_found);

	*found = (struct goal_found){ .holds = seen_of(facts->holds),
		.reference = seen_of(facts->reference),
		.matches = seen_of(facts->matches),
		.may_be_equal = facts->may_be_equal,
		.margin_is_zero = facts->margin_is_zero };
	f->check = arena_printf(k->a, "goal.%s", goal);
	f->goal = found;
	return statement_of(&found->statement, k, goal);
}

static int record(
	struct asking *k, const char *configuration, const struct check_finding *findings, size_t n)
{
	size_t recorded = 0;
	int rc = n ? check_record(k->ws, k->attempt->id, configuration, findings, n, &recorded,
			     k->a)
		   : 0;

	k->recorded += recorded;
	return rc;
}

/* All goals on one configuration; MEASURED: a run there measures one of them. */
static int record_on(
	struct asking *k, const char *configuration, struct goal_measure *measured)
{
	struct check_finding *findings =
		arena_alloc(k->a, (k->config->goals_n + 1) * sizeof *findings);
	size_t n = 0;
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < k->config->goals_n; i++) {
		struct goal_measure m;
		const char *goal = k->config->goals[i].name;

		rc = goal_measure(&m, k->ws,
			&(struct goal_request){ k->attempt->id, configuration, goal, k->cancel },
			k->a);
		if (rc < 0 || !m.run)
			continue;
		if (!measured->run || m.facts.holds != TRUTH_UNKNOWN)
			*measured = m;
		findings[n] = (struct check_finding){ .result = m.result, .text = m.text,
			.evidence = m.evidence, .evidence_n = m.evidence_n, .run = m.run->id };
		rc = found_of(&findings[n++], k, goal, &m.facts);
	}
	return rc < 0 ? rc : record(k, configuration, findings, n);
}

static int64_t chips_of(const struct config *c, const char *target)
{
	const struct config_target *t = config_target_find(c, target);

	return t ? t->chips : 0;
}

static const char *validated_text(struct asking *k, const struct run_state *run)
{
	const char *intended = k->config->migration.intended;
	int64_t chips = chips_of(k->config, intended);

	if (run->chips == chips)
		return arena_printf(k->a, "validated on %s, intended %s", run->configuration,
			intended);
	return arena_printf(k->a, "validated on %lld chip%s, intended %lld: %s says nothing of %s",
		(long long)run->chips, run->chips == 1 ? "" : "s", (long long)chips,
		run->configuration, intended);
}

/* What was measured elsewhere says nothing of what was intended, and says so there. */
static int record_elsewhere(struct asking *k, const struct goal_measure *m)
{
	static const struct goal_facts unknown = { TRUTH_UNKNOWN, TRUTH_UNKNOWN, TRUTH_UNKNOWN,
		false, false };
	struct check_finding *findings =
		arena_alloc(k->a, (k->config->goals_n + 1) * sizeof *findings);
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < k->config->goals_n; i++) {
		findings[i] = (struct check_finding){ .result = CHECK_UNKNOWN,
			.text = validated_text(k, m->run), .evidence = m->evidence,
			.evidence_n = m->evidence_n, .run = m->run->id };
		rc = found_of(&findings[i], k, k->config->goals[i].name, &unknown);
	}
	return rc < 0 ? rc : record(k, k->config->migration.intended, findings, k->config->goals_n);
}

static bool is_first_on(const struct attempt_state *s, size_t run)
{
	for (size_t i = 0; i < run; i++)
		if (!s->runs[i].struck &&
			strcmp(s->runs[i].configuration, s->runs[run].configuration) == 0)
			return false;
	return !s->runs[run].struck;
}

static bool was_measured_on(const struct attempt_state *s, const char *configuration)
{
	for (size_t i = 0; i < s->runs_n; i++)
		if (!s->runs[i].struck && s->runs[i].kind != RUN_KIND_SMOKE &&
			strcmp(s->runs[i].configuration, configuration) == 0)
			return true;
	return false;
}

static int record_attempt(struct asking *k)
{
	const char *intended = k->config->migration.intended;
	struct goal_measure elsewhere = { .run = NULL };
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < k->attempt->runs_n; i++) {
		const char *configuration = k->attempt->runs[i].configuration;
		struct goal_measure m = { .run = NULL };
		size_t recorded = 0;

		if (!is_first_on(k->attempt, i))
			continue;
		rc = record_on(k, configuration, &m);
		if (rc == 0)
			rc = performance_checks_record(k->ws, k->attempt->id, configuration,
				k->cancel, &recorded, k->a);
		k->recorded += recorded;
		if (m.run && m.facts.holds != TRUTH_UNKNOWN)
			elsewhere = m;
	}
	if (rc < 0 || !elsewhere.run || !intended || !*intended ||
		was_measured_on(k->attempt, intended))
		return rc;
	return record_elsewhere(k, &elsewhere);
}

int goal_checks_record(struct workspace *ws, const char *attempt, const atomic_bool *cancel,
	size_t *recorded, struct arena *a)
{
	struct asking k = { .ws = ws, .cancel = cancel, .a = a };
	struct attempt_state *s;
	struct accepted accepted;
	int rc = accepted_read(&accepted, ws, NULL);

	if (recorded)
		*recorded = 0;
	if (rc < 0)
		return rc;
	if ((rc = state_attempt(ws, attempt, NULL, a, &s)) == 0 && s->n >= 0) {
		k.config = &accepted.in_force;
		k.attempt = s;
		rc = record_attempt(&k);
	}
	if (recorded)
		*recorded = k.recorded;
	accepted_release(&accepted);
	return rc;
}

int goal_checks_record_all(struct workspace *ws, const atomic_bool *cancel, struct arena *a)
{
	static const char *const members[] = { "id", "runs", NULL };
	struct state_query q = { .type = "attempt", .members = members };
	void **rows;
	size_t n;
	int rc = state_list(ws, &q, a, &rows, &n);

	for (size_t i = 0; rc == 0 && i < n; i++) {
		const struct attempt_state *s = rows[i];
		struct arena one = ARENA_INIT;

		if (s->runs_n)
			rc = goal_checks_record(ws, s->id, cancel, NULL, &one);
		arena_release(&one);
	}
	return rc;
}

int goal_checks_finish(
	struct workspace *ws, const char *run, const atomic_bool *cancel, struct arena *a)
{
	struct run_state *s;
	int rc = state_run(ws, run, NULL, a, &s);

	if (rc < 0 || s->kind == RUN_KIND_SMOKE || !run_status_ended(s->state))
		return rc;
	if (strcmp(s->attempt, REFERENCE_ID) == 0)
		return goal_checks_record_all(ws, cancel, a);
	if (strcmp(s->attempt, UNASSIGNED_ID) == 0)
		return 0;
	return goal_checks_record(ws, s->attempt, cancel, NULL, a);
}
