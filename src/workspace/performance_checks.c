/* performance_checks - see performance_checks.h. */
#include "config.h"

#include "workspace/performance_checks.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/units.h"
#include "workspace/check_record.h"
#include "workspace/comparison.h"
#include "workspace/contract_again.h"
#include "workspace/goal_measure.h"
#include "workspace/performance_endpoint.h"
#include "workspace/state.h"

enum { EVIDENCE_MAX = 32, CHECKS = 3 };

struct asking {
	struct workspace *ws;
	struct run_comparison *c;
	const struct config_level *l4;
	const char *attempt, *configuration;
	struct endpoint_time attempt_time, reference_time;
	struct check_finding findings[CHECKS];
	size_t n;
	struct arena *a;
};

static void find(struct asking *k, const char *check, enum check_result result, const char *text)
{
	k->findings[k->n++] = (struct check_finding){ .check = check, .result = result,
		.text = text, .run = k->c->attempt.run->id };
}

/* ---- equal work ---- */

static bool is_declared_or_differs(enum comparable_status s)
{
	return s == COMPARABLE_DIFFERS || s == COMPARABLE_DECLARED;
}

static size_t evaluations_of(const struct comparison_side *s)
{
	return s->series ? s->series->n : 0;
}

static void ask_workload(struct asking *k)
{
	static const char *const items[] = { "steps", "batch", "examples" };
	const struct run_comparison *c = k->c;
	size_t reference = evaluations_of(&c->reference), attempt = evaluations_of(&c->attempt);
	const char *open = NULL;

	if (reference != attempt) {
		find(k, "workload", CHECK_REFUTED,
			arena_printf(k->a,
				"%zu evaluations of %s, the reference has %zu: not the same work",
				attempt, c->metric, reference));
		return;
	}
	for (size_t i = 0; i < ARRAY_LEN(items); i++) {
		const struct comparable_item *item = comparable_find(&c->comparable, items[i]);

		if (item && is_declared_or_differs(item->status)) {
			find(k, "workload", CHECK_REFUTED,
				arena_printf(k->a,
					"%s: %s, the reference has %s: not the same work", items[i],
					item->attempt, item->reference));
			return;
		}
		if (!open && (!item || item->status == COMPARABLE_UNKNOWN))
			open = items[i];
	}
	find(k, "workload", open ? CHECK_UNKNOWN : CHECK_CONFIRMED,
		open ? arena_printf(k->a, "not logged on both sides: %s", open)
		     : arena_printf(k->a, "equal steps, batch and examples, %zu evaluations each",
			       attempt));
}

/* ---- the endpoint ---- */

static bool is_same_before(const struct run_state *r, const struct run_state *run)
{
	return r->prepared.lamport < run->prepared.lamport && !*r->prepared.struck &&
		r->state == RUN_EXITED_0 && r->kind == run->kind &&
		strcmp(r->configuration, run->configuration) == 0;
}

/* How many runs of the same kind had ended there before RUN. */
static int runs_before(size_t *out, struct asking *k, const struct run_state *run)
{
	struct run_state **runs;
	size_t n;
	int rc = state_runs(&runs, &n, k->ws, run->attempt, NULL, k->a);

	*out = 0;
	for (size_t i = 0; rc == 0 && i < n; i++)
		*out += is_same_before(runs[i], run);
	return rc;
}

static const char *endpoint_text(const struct config_level *l4)
{
	return l4->endpoint == ENDPOINT_RUN	? "full run"
		: l4->endpoint == ENDPOINT_STEP ? "training step at steady state"
						: "time to one quality";
}

static int ask_endpoint(struct asking *k)
{
	const char *why;
	bool first = k->l4->repetition == REPETITION_FIRST;
	size_t attempt, reference;
	int rc = runs_before(&attempt, k, k->c->attempt.run);

	if (rc == 0)
		rc = runs_before(&reference, k, k->c->reference.run);
	if (rc < 0)
		return rc;
	if (!performance_endpoint_is_measured(k->l4, &why, k->a)) {
		find(k, "endpoint", CHECK_UNKNOWN, why);
		return 0;
	}
	if (first != !attempt || first != !reference) {
		find(k, "endpoint", CHECK_UNKNOWN,
			arena_printf(k->a,
				"what is asked for is the time of a %s run; before these, %zu "
				"ended here and %zu of the reference",
				word_name(&words_repetition, k->l4->repetition), attempt,
				reference));
		return 0;
	}
	if (!k->attempt_time.ns || !k->reference_time.ns) {
		find(k, "endpoint", CHECK_UNKNOWN,
			k->attempt_time.ns ? k->reference_time.text : k->attempt_time.text);
		return 0;
	}
	find(k, "endpoint", CHECK_CONFIRMED,
		arena_printf(k->a, "a %s on both sides, preparation and compilation %s, %s",
			endpoint_text(k->l4), word_name(&words_preparation, k->l4->preparation),
			first ? "the first one" : "repeated"));
	return 0;
}

/* ---- time and cost ---- */

/* The first question of L2 that no run of this label answers; NULL: none. */
static int other_label(const char **out, struct asking *k, const struct attempt_state *s)
{
	int rc = 0;

	*out = NULL;
	for (size_t i = 0; rc >= 0 && i < s->checks_n && !*out; i++) {
		const struct check_item *item = check_find(s->checks[i].check);
		struct run_state *run = NULL;
		struct check_state *check;
		const char *of = "";
		void *state;

		if (!item || strcmp(item->level, "L2") != 0 ||
			strcmp(s->checks[i].configuration, k->configuration) != 0)
			continue;
		rc = state_get(k->ws, "check",
			check_object_id(k->a, s->id, k->configuration, s->checks[i].check), NULL,
			k->a, &state);
		check = rc > 0 ? state : NULL;
		for (size_t e = 0; check && e < check->entries_n; e++)
			if (!*check->entries[e].entry.struck && !check->entries[e].claim)
				of = check->entries[e].run;
		if (rc > 0 && *of)
			rc = state_run(k->ws, of, NULL, k->a, &run);
		if (rc >= 0 && (!run || run_label_of(run->label) != RUN_LABEL_OPTIMIZED))
			*out = item->id;
	}
	return rc < 0 ? rc : 0;
}

static const char *money(struct asking *k, int64_t nano_usd)
{
	struct buf b = BUF_INIT;
	const char *text;

	units_add_money(&b, nano_usd);
	text = arena_strndup(k->a, b.s, b.n);
	buf_release(&b);
	return text;
}

static double ratio(int64_t attempt, int64_t reference)
{
	return attempt > 0 && reference > 0 ? (double)attempt / (double)reference : NAN;
}

/* Of a part of a run its share of the run's cost; 0: not known. */
static int64_t cost_of(const struct run_state *run, const struct endpoint_time *t)
{
	if (!run->cost_known || run->elapsed_ns <= 0 || !t->ns)
		return 0;
	if (t->ns == run->elapsed_ns)
		return run->cost_nano_usd;
	return (int64_t)llround(
		(double)run->cost_nano_usd * ((double)t->ns / (double)run->elapsed_ns));
}

/* "1.98 h against 3.68 h: speed-up 1.86; $2.38 against $3.14: cost -24 %" */
static const char *figures(struct asking *k, double time, double cost)
{
	const struct run_state *run = k->c->attempt.run, *reference = k->c->reference.run;
	struct buf b = BUF_INIT;
	const char *text;

	buf_adds(&b, k->attempt_time.text);
	if (!isnan(time))
		buf_addf(&b, " against %s: speed-up %.2f", k->reference_time.text, 1 / time);
	if (!isnan(cost))
		buf_addf(&b, "; %s against %s: cost %+.0f %%",
			money(k, cost_of(run, &k->attempt_time)),
			money(k, cost_of(reference, &k->reference_time)), 100 * (cost - 1));
	text = arena_strndup(k->a, b.s, b.n);
	buf_release(&b);
	return text;
}

/* One part of the target: NaN or 0 asks for nothing. */
static void hold_ratio(struct check_all *all, double limit, double v)
{
	if (!isnan(limit))
		check_all_add(all, isnan(v) ? CHECK_UNKNOWN
				 : v <= limit * (1 + 1e-9) ? CHECK_CONFIRMED : CHECK_REFUTED);
}

static void hold_amount(struct check_all *all, int64_t limit, bool known, int64_t v)
{
	if (limit)
		check_all_add(all, !known ? CHECK_UNKNOWN
				 : v <= limit ? CHECK_CONFIRMED : CHECK_REFUTED);
}

static enum check_result against_target(struct asking *k, double time, double cost)
{
	const struct run_state *run = k->c->attempt.run;
	struct check_all all = { 0 };

	hold_ratio(&all, k->l4->time_ratio, time);
	hold_ratio(&all, k->l4->cost_ratio, cost);
	hold_amount(&all, k->l4->time_ns, k->attempt_time.ns > 0, k->attempt_time.ns);
	hold_amount(&all, k->l4->cost_nano_usd, run->cost_known,
		cost_of(run, &k->attempt_time));
	return check_all_result(&all);
}

static int ask_performance(struct asking *k)
{
	const struct run_state *run = k->c->attempt.run, *reference = k->c->reference.run;
	double time = ratio(k->attempt_time.ns, k->reference_time.ns),
	       cost = ratio(cost_of(run, &k->attempt_time), cost_of(reference, &k->reference_time));
	struct contract_again again;
	const char *text, *other;
	struct attempt_state *s;
	enum check_result result;
	int rc;

	if (!k->attempt_time.ns) {
		find(k, "performance", CHECK_UNKNOWN, k->attempt_time.text);
		return 0;
	}
	text = figures(k, time, cost);
	if (run_label_of(run->label) != RUN_LABEL_OPTIMIZED) {
		find(k, "performance", CHECK_UNKNOWN,
			arena_printf(k->a,
				"%s; a bring-up run makes no claim about speed: portside run "
				"--label optimized",
				text));
		return 0;
	}
	if ((rc = state_attempt(k->ws, k->attempt, NULL, k->a, &s)) < 0 ||
		(rc = other_label(&other, k, s)) < 0 ||
		(rc = contract_again_read(&again, k->ws, s, k->configuration, NULL, k->a)) < 0)
		return rc;
	if (other) {
		find(k, "performance", CHECK_UNKNOWN,
			arena_printf(k->a,
				"%s; %s was not answered by an optimized run, and what a "
				"bring-up run showed does not carry over",
				text, other));
		return 0;
	}
	if (*again.owes) {
		find(k, "performance", CHECK_UNKNOWN,
			arena_printf(k->a, "%s; %s", text, again.owes));
		return 0;
	}
	result = against_target(k, time, cost);
	if (result == CHECK_CONFIRMED && run->simulates != TARGET_NONE) {
		result = CHECK_UNKNOWN;
		text = arena_printf(k->a, "%s; but the target only simulates", text);
	}
	find(k, "performance", result, text);
	return 0;
}

/* ---- all three ---- */

static bool can_be_timed(const struct run_comparison *c)
{
	const struct run_state *run = c->attempt.run, *reference = c->reference.run;

	return run && c->has_reference && reference && run->kind == RUN_KIND_FULL &&
		run->state == RUN_EXITED_0 && reference->kind == RUN_KIND_FULL &&
		reference->state == RUN_EXITED_0 && c->has_comparison;
}

/* Without its evidence nothing is confirmed. */
static void add_evidence(struct asking *k)
{
	struct digest *list = arena_alloc(k->a, EVIDENCE_MAX * sizeof *list);
	size_t n = 0;
	bool whole = goal_evidence_of(list, &n, EVIDENCE_MAX, k->ws, &k->c->attempt, k->a) &&
		goal_evidence_of(list, &n, EVIDENCE_MAX, k->ws, &k->c->reference, k->a);

	for (size_t i = 0; i < k->n; i++) {
		k->findings[i].evidence = list;
		k->findings[i].evidence_n = n;
		if (!whole && k->findings[i].result == CHECK_CONFIRMED)
			k->findings[i].result = CHECK_UNKNOWN;
	}
}

static int ask(struct asking *k, size_t *recorded)
{
	int rc;

	performance_endpoint(&k->attempt_time, k->c, &k->c->attempt, k->a);
	performance_endpoint(&k->reference_time, k->c, &k->c->reference, k->a);
	ask_workload(k);
	if ((rc = ask_endpoint(k)) < 0 || (rc = ask_performance(k)) < 0)
		return rc;
	add_evidence(k);
	return check_record(
		k->ws, k->attempt, k->configuration, k->findings, k->n, recorded, k->a);
}

int performance_checks_record(struct workspace *ws, const char *attempt, const char *configuration,
	const atomic_bool *cancel, size_t *recorded, struct arena *a)
{
	struct comparison_request q = { .attempt_run = attempt, .configuration = configuration,
		.kind = RUN_KIND_FULL, .cancel = cancel };
	struct asking k = { .ws = ws, .attempt = attempt, .configuration = configuration, .a = a };
	int rc;

	*recorded = 0;
	rc = run_comparison_make(&k.c, ws, &q);
	if (rc < 0 && rc != ERR_CANCELLED) {
		err_clear(); /* nothing can be timed; the goals say why */
		return 0;
	}
	if (rc < 0)
		return rc;
	k.l4 = &k.c->accepted.in_force.l4;
	/* The quality is that of the goal that is named, whichever was taken first. */
	if (k.l4->name && *k.l4->goal) {
		k.c->request.goal = k.l4->goal;
		rc = run_comparison_choose(k.c, "");
	}
	if (rc == 0 && k.l4->name && can_be_timed(k.c))
		rc = ask(&k, recorded);
	run_comparison_free(k.c);
	return rc;
}
