/* test_fold - what events do to states; scenarios of framework section 15. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "history.h"

#define DIGEST "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"
#define OTHER "ff112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"

static struct attempt_state *attempt(struct history *h, const char *id)
{
	return history_state(h, "attempt", id);
}

static struct migration_state *migration(struct history *h)
{
	return history_state(h, "migration", MIGRATION_ID);
}

static void observe(struct history *h, const char *n, const char *tip)
{
	history_add(h, "tool:discovery", "attempt.observed", n, "n", n, "tip", tip, "source", "tag",
		NULL);
}

static void prepare(struct history *h, const char *run, const char *attempt_id, const char *kind,
	const char *target)
{
	history_add(h, "tool:launch", "run.prepared", run, "attempt", attempt_id, "kind", kind,
		"target", target, "provenance", "observed", "steps", "50", "chips", "4",
		"price_nano_usd_hour", "1200000000", "price_per_chip", "yes", NULL);
}

static const char *end(
	struct history *h, const char *run, const char *state, const char *rc, const char *steps)
{
	return history_add(h, "tool:launch", "run.ended", run, "state", state, "rc", rc,
		"elapsed_ns", "3600000000000", "markers", steps, NULL);
}

static void check(struct history *h, const char *object, const char *result)
{
	history_add(h, "tool:parser", "check.recorded", object, "result", result, "evidence",
		"[\"e\"]", NULL);
}

static void confirm_all(struct history *h, const char *where, const char *but, const char *result)
{
	for (size_t i = 0; i < check_items_n; i++) {
		const char *object = arena_printf(&h->arena, "%s:%s", where, check_items[i].id);

		if (strcmp(check_items[i].level, "L2") == 0)
			check(h, object,
				strcmp(check_items[i].id, but) == 0 ? result : "confirmed");
	}
}

static void strike(
	struct history *h, const char *actor, const char *event, const char *kind, const char *of)
{
	history_add(h, actor, "event.superseded", event, "kind", kind, "of", of, "reason", DIGEST,
		NULL);
}

static void set_goal(struct history *h, const char *margin)
{
	history_add(h, "human:ana", "goal.set", "accuracy", "metric", "accuracy", "form",
		"threshold", "direction", "higher", "target", "85.6", "margin", margin, NULL);
}

static void four_chips_are_an_over_claim(void **state)
{
	struct history h;
	const struct measured *m;

	(void)state;
	history_init(&h);
	set_goal(&h, "0");
	observe(&h, "7", "aaaa");
	prepare(&h, "r1", "7", "full", "v5e-1");
	end(&h, "r1", "exited 0", "0", "{\"steps\":\"yes\"}");
	confirm_all(&h, "7@v5e-1", "", "");
	check(&h, "7@v5e-1:goal.accuracy", "confirmed");
	check(&h, "7@v5e-1:performance", "refuted");
	prepare(&h, "r2", "7", "full", "v5e-4");
	end(&h, "r2", "exited 0", "0", "{\"steps\":\"yes\"}");
	confirm_all(&h, "7@v5e-4", "grad", "refuted");
	check(&h, "7@v5e-4:goal.accuracy", "refuted");
	history_add(
		&h, "agent:claude", "attempt.claimed", "7", "level", "L3", "text", DIGEST, NULL);
	m = attempt_measured(attempt(&h, "7"), "v5e-1");
	assert_int_equal(m->ladder.level, LEVEL_L3);
	assert_int_equal(m->ladder.upper, LEVEL_L3);
	assert_int_equal(m->claim, CLAIM_MATCH);
	m = attempt_measured(attempt(&h, "7"), "v5e-4");
	assert_int_equal(m->ladder.level, LEVEL_L0);
	assert_int_equal(m->claim, CLAIM_OVER);
	assert_int_equal(migration(&h)->counts.over_claims, 1);
	assert_int_equal(migration_best(migration(&h), "v5e-1"), LEVEL_L3);
	assert_int_equal(migration_best(migration(&h), "v5e-4"), LEVEL_L0);
	assert_int_equal(migration_best(migration(&h), "v5e-8"), LEVEL_UNSET);
	history_release(&h);
}

static void members_are_picked_from_the_head(void **state)
{
	static const char text[] =
		"{\"id\":\"7\",\"n\":7,\"observations\":[{\"tip\":\"a,}\\\"\"}],\"tip\":\"aaaa\","
		"\"base\":\"\\\"b{\",\"environment_only\":true,\"outcome\":\"failure\"}";
	static const char *const names[] = { "id", "n", "tip", "base", "environment_only", NULL };
	static const char *const bad[] = { "", "{", "{\"id", "{\"id\":", "{\"id\":\"7\"",
		"{\"id\":\"7\",", "{\"id\":[}" };
	struct arena a = ARENA_INIT;
	struct attempt_state *s;
	void *out;

	(void)state;
	assert_int_equal(object_decode_members(&out, &a, "attempt", text, strlen(text), names), 0);
	s = out;
	assert_string_equal(s->id, "7");
	assert_int_equal(s->n, 7);
	assert_string_equal(s->tip, "aaaa");
	assert_string_equal(s->base, "\"b{");
	assert_true(s->environment_only);
	assert_int_equal(s->observations_n, 0);
	assert_string_equal(s->line, "");
	assert_int_equal(s->outcome, OUTCOME_NONE);
	/* Another form: the parser's word counts. */
	assert_int_equal(object_decode_members(&out, &a, "attempt", " {\"n\": 8}", 9, names), 0);
	assert_int_equal(((struct attempt_state *)out)->n, 8);
	for (size_t i = 0; i < ARRAY_LEN(bad); i++)
		assert_true(object_decode_members(
				    &out, &a, "attempt", bad[i], strlen(bad[i]), names) < 0);
	arena_release(&a);
}

static void runs_end_once(void **state)
{
	struct history h;
	struct run_state *r;
	size_t versions;

	(void)state;
	history_init(&h);
	prepare(&h, "r1", "3", "smoke", "v5e-4");
	history_add(
		&h, "tool:launch", "run.started", "r1", "state", "running", "where", "tpu-1", NULL);
	end(&h, "r1", "failed", "1", "{}");
	versions = h.versions_n;
	end(&h, "r1", "failed", "1", "{}");
	history_add(
		&h, "tool:launch", "run.started", "r1", "state", "running", "where", "tpu-1", NULL);
	assert_int_equal(h.versions_n, versions);
	r = history_state(&h, "run", "r1");
	assert_int_equal(r->state, RUN_FAILED);
	assert_int_equal(r->l0, CHECK_REFUTED);
	assert_int_equal(r->cost_nano_usd, 4800000000);
	assert_int_equal(migration(&h)->counts.run_cost_nano_usd, 4800000000);
	assert_int_equal(migration(&h)->counts.runs_live, 0);
	assert_int_equal(migration(&h)->counts.attempts, 1);
	assert_string_equal(history_version(&h, "run", "r1", (size_t)-1)->parent, "3");
	history_release(&h);
}

/* 2026-10-27T12:00:00.250Z and an hour, in whose middle the clock was set back. */
#define NOON_NS "1793102400250000000"
#define BACK_AT_ELEVEN_NS "1793098800250000000"

static void an_end_has_the_time_of_who_watched_it(void **state)
{
	struct history h;
	struct run_state *r;

	(void)state;
	history_init(&h);
	prepare(&h, "r1", "1", "full", "v5e-4");
	history_add(&h, "tool:launch", "run.started", "r1", "state", "running", NULL);
	history_add(&h, "tool:launch", "run.ended", "r1", "state", "exited 0", "rc", "0",
		"elapsed_ns", "3600000000000", "started_ns", NOON_NS, "ended_ns", BACK_AT_ELEVEN_NS,
		NULL);
	r = history_state(&h, "run", "r1");
	assert_int_equal(r->started_ns, INT64_C(1793102400250000000));
	assert_int_equal(r->ended_ns, INT64_C(1793098800250000000));
	assert_string_equal(r->started, "2026-10-27T12:00:00.250Z");
	assert_string_equal(r->ended, "2026-10-27T11:00:00.250Z");
	assert_string_equal(r->noticed, r->ends[0].entry.time);
	assert_string_not_equal(r->noticed, r->ended);
	/* Duration and cost are of the clock that was not set. */
	assert_int_equal(r->elapsed_ns, INT64_C(3600000000000));
	assert_int_equal(r->cost_nano_usd, INT64_C(4800000000));
	history_release(&h);
}

static void a_duration_comes_from_two_moments_where_nothing_is_better(void **state)
{
	struct history h;
	struct run_state *r;

	(void)state;
	history_init(&h);
	prepare(&h, "r1", "1", "full", "v5e-4");
	history_add(&h, "tool:launch", "run.ended", "r1", "state", "failed", "rc", "1",
		"started_ns", BACK_AT_ELEVEN_NS, "ended_ns", NOON_NS, NULL);
	assert_int_equal(((struct run_state *)history_state(&h, "run", "r1"))->cost_nano_usd,
		INT64_C(4800000000));
	/* Never a negative one. */
	prepare(&h, "r2", "1", "full", "v5e-4");
	history_add(&h, "tool:launch", "run.ended", "r2", "state", "failed", "rc", "1",
		"started_ns", NOON_NS, "ended_ns", BACK_AT_ELEVEN_NS, NULL);
	r = history_state(&h, "run", "r2");
	assert_int_equal(r->elapsed_ns, 0);
	assert_false(r->cost_known);
	history_release(&h);
}

static void an_end_that_nobody_saw_has_no_time(void **state)
{
	struct history h;
	struct run_state *r;

	(void)state;
	history_init(&h);
	prepare(&h, "r1", "1", "full", "v5e-4");
	history_add(&h, "tool:launch", "run.ended", "r1", "state", "lost", NULL);
	r = history_state(&h, "run", "r1");
	assert_int_equal(r->ended_ns, 0);
	assert_string_equal(r->ended, r->noticed);
	assert_int_equal(r->elapsed_ns, 0);
	assert_false(r->cost_known);
	/* A log from before these fields: the duration that it has is kept. */
	prepare(&h, "r2", "1", "full", "v5e-4");
	end(&h, "r2", "failed", "1", "{}");
	r = history_state(&h, "run", "r2");
	assert_int_equal(r->started_ns, 0);
	assert_int_equal(r->ended_ns, 0);
	assert_string_equal(r->ended, r->ends[0].entry.time);
	assert_int_equal(r->elapsed_ns, INT64_C(3600000000000));
	assert_int_equal(r->cost_nano_usd, INT64_C(4800000000));
	/* Who learns it later may say it. */
	history_add(
		&h, "human:ana", "run.corrected", "r1", "field", "ended_ns", "new", NOON_NS, NULL);
	r = history_state(&h, "run", "r1");
	assert_string_equal(r->ended, "2026-10-27T12:00:00.250Z");
	history_release(&h);
}

static void a_lost_end_is_corrected(void **state)
{
	struct history h;
	struct run_state *r;
	const char *correction;

	(void)state;
	history_init(&h);
	prepare(&h, "r1", "1", "full", "v5e-4");
	history_add(&h, "tool:launch", "run.ended", "r1", "state", "lost", NULL);
	r = history_state(&h, "run", "r1");
	assert_int_equal(r->l0, CHECK_UNKNOWN);
	assert_false(r->rc_known);
	correction = history_add(
		&h, "human:ana", "run.corrected", "r1", "field", "state", "new", "failed", NULL);
	r = history_state(&h, "run", "r1");
	assert_int_equal(r->state, RUN_FAILED);
	assert_true(r->corrected);
	assert_int_equal(attempt_measured(attempt(&h, "1"), "v5e-4")->vector.l0, CHECK_REFUTED);
	strike(&h, "human:ana", correction, "run.corrected", "r1");
	r = history_state(&h, "run", "r1");
	assert_int_equal(r->state, RUN_LOST);
	assert_int_equal(r->corrections_n, 1);
	end(&h, "r1", "exited 0", "0", "{\"steps\":\"yes\"}");
	r = history_state(&h, "run", "r1");
	assert_int_equal(r->state, RUN_EXITED_0);
	assert_true(r->ends_disagree);
	assert_int_equal(r->l0, CHECK_CONFIRMED);
	history_release(&h);
}

static void expectations_come_before_the_run(void **state)
{
	struct history h;
	struct attempt_state *s;

	(void)state;
	history_init(&h);
	observe(&h, "8", "aaaa");
	history_add(&h, "agent:c", "attempt.expected", "8", "level", "L3", "configuration", "v5e-4",
		NULL);
	prepare(&h, "r1", "8", "smoke", "v5e-4");
	history_add(&h, "agent:c", "attempt.expected", "8", "level", "L0", "configuration", "v5e-4",
		NULL);
	history_add(&h, "agent:c", "attempt.expected", "8", "level", "L2", "configuration", "v5e-8",
		NULL);
	s = attempt(&h, "8");
	assert_false(s->expected[0].late);
	assert_true(s->expected[1].late);
	assert_false(s->expected[2].late);
	assert_int_equal(attempt_expected(s, "v5e-4")->level, LEVEL_L3);
	assert_int_equal(attempt_expected(s, "v5e-8")->level, LEVEL_L2);
	end(&h, "r1", "exited 0", "0", "{\"steps\":\"yes\"}");
	assert_true(attempt_measured(attempt(&h, "8"), "v5e-4")->surprise);
	history_release(&h);
}

static void goals_freeze_at_the_first_target_run(void **state)
{
	struct history h;
	struct goal_state *g;

	(void)state;
	history_init(&h);
	set_goal(&h, "1.0");
	prepare(&h, "ref", "reference", "full", "gpu-l4");
	assert_string_equal(migration(&h)->first_target_run.event, "");
	set_goal(&h, "0.8");
	prepare(&h, "r1", "1", "smoke", "v5e-4");
	set_goal(&h, "2.0");
	set_goal(&h, "1.5");
	g = history_state(&h, "goal", "accuracy");
	assert_true(g->frozen);
	assert_int_equal(g->statements_n, 4);
	assert_false(g->statements[1].late);
	assert_true(g->statements[2].late);
	assert_true(g->statements[2].loosened);
	assert_true(g->statements[3].late);
	assert_false(g->statements[3].loosened);
	assert_int_equal(migration(&h)->counts.reference_runs, 1);
	assert_int_equal(
		((struct attempt_state *)history_state(&h, "reference", REFERENCE_ID))->runs_n, 1);
	history_release(&h);
}

static void set_judged(struct history *h, const char *series, const char *at, const char *tolerance)
{
	history_add(h, "human:ana", "goal.set", "accuracy", "metric", "accuracy", "form",
		"threshold", "direction", "higher", "target", "85.6", "margin", "1.0", "series",
		series, "at", at, "tolerance", tolerance, NULL);
}

/* Another value that is judged, after the numbers are in, is a weaker demand; what
 * an older version did not write down is not. */
static void another_value_is_a_weaker_goal(void **state)
{
	struct history h;
	struct goal_state *g;

	(void)state;
	history_init(&h);
	set_goal(&h, "1.0");
	prepare(&h, "r1", "1", "smoke", "v5e-4");
	set_judged(&h, "eval_accuracy", "last", "1");
	set_judged(&h, "eval_accuracy", "best", "1");
	set_judged(&h, "test_accuracy", "best", "1");
	set_judged(&h, "test_accuracy", "best", "2");
	set_judged(&h, "test_accuracy", "best", "0.5");
	g = history_state(&h, "goal", "accuracy");
	assert_int_equal(g->statements_n, 6);
	assert_int_equal(g->statements[0].at, AT_NONE);
	assert_int_equal(g->statements[2].at, AT_BEST);
	assert_string_equal(g->statements[3].series, "test_accuracy");
	assert_true(g->statements[1].late);
	assert_false(g->statements[1].loosened);
	assert_true(g->statements[2].loosened);
	assert_true(g->statements[3].loosened);
	assert_true(g->statements[4].loosened);
	assert_false(g->statements[5].loosened);
	history_release(&h);
}

static void attempts_merge_by_tip(void **state)
{
	struct history h;
	size_t versions;

	(void)state;
	history_init(&h);
	observe(&h, "1", "aaaa");
	versions = h.versions_n;
	observe(&h, "1", "aaaa");
	assert_int_equal(h.versions_n, versions);
	observe(&h, "1", "bbbb");
	observe(&h, "1", "aaaa");
	assert_string_equal(attempt(&h, "1")->tip, "bbbb");
	history_add(&h, "tool:discovery", "attempt.observed", "1", "n", "1", "tip", "aaaa",
		"previous_tip", "bbbb", NULL);
	assert_string_equal(attempt(&h, "1")->tip, "aaaa");
	history_add(&h, "tool:discovery", "attempt.gone", "1", "tip", "aaaa", NULL);
	assert_true(attempt(&h, "1")->gone);
	assert_int_equal(migration(&h)->counts.gone, 1);
	assert_int_equal(migration(&h)->counts.attempts, 1);
	history_add(&h, "agent:c", "attempt.added", "2", "n", "2", "text", DIGEST, NULL);
	assert_true(attempt(&h, "2")->environment_only);
	history_release(&h);
}

static void labels_order_human_tool_agent(void **state)
{
	struct history h;
	const char *human;

	(void)state;
	history_init(&h);
	observe(&h, "7", "aaaa");
	human = history_add(&h, "human:ana", "attempt.labelled", "7", "outcome", "failure", "cause",
		"C3", "silent", "yes", "blind", "yes", NULL);
	history_add(&h, "agent:c", "attempt.labelled", "7", "outcome", "success", "cause",
		"numerics", NULL);
	assert_int_equal(attempt(&h, "7")->outcome, OUTCOME_FAILURE);
	assert_string_equal(attempt(&h, "7")->agent_cause, "numerics");
	assert_int_equal(migration(&h)->counts.silent, 1);
	history_add(&h, "tool:screen", "label.seen", "7", "reviewer", "bo", NULL);
	history_add(&h, "human:bo", "attempt.labelled", "7", "outcome", "failure", "cause", "C5",
		"blind", "yes", NULL);
	assert_true(attempt(&h, "7")->labels[2].blind_broken);
	assert_false(attempt(&h, "7")->labels[0].blind_broken);
	assert_true(attempt(&h, "7")->labels_disagree);
	assert_string_equal(attempt(&h, "7")->cause, "C5");
	strike(&h, "agent:c", human, "attempt.labelled", "7");
	assert_string_equal(attempt(&h, "7")->labels[0].entry.struck, "");
	strike(&h, "human:ana", human, "attempt.labelled", "7");
	assert_string_not_equal(attempt(&h, "7")->labels[0].entry.struck, "");
	assert_false(attempt(&h, "7")->labels_disagree);
	assert_int_equal(migration(&h)->counts.failures, 1);
	assert_int_equal(migration(&h)->counts.silent, 0);
	history_release(&h);
}

static void agents_never_confirm(void **state)
{
	struct history h;
	struct check_state *c;

	(void)state;
	history_init(&h);
	history_add(&h, "agent:c", "check.recorded", "7@v5e-4:grad", "result", "confirmed", NULL);
	c = history_state(&h, "check", "7@v5e-4:grad");
	assert_int_equal(c->result, CHECK_NOT_CHECKED);
	assert_int_equal(c->claimed, CHECK_CONFIRMED);
	check(&h, "7@v5e-4:grad", "confirmed");
	history_add(&h, "human:a", "check.recorded", "7@v5e-4:grad", "result", "refuted", NULL);
	c = history_state(&h, "check", "7@v5e-4:grad");
	assert_int_equal(c->result, CHECK_UNKNOWN);
	assert_true(c->contradicted);
	history_release(&h);
}

static void stand_ins_prove_only_l0(void **state)
{
	struct history h;
	const struct measured *m;

	(void)state;
	history_init(&h);
	set_goal(&h, "0");
	history_add(&h, "tool:launch", "run.prepared", "r1", "attempt", "1", "kind", "full",
		"target", "fake", "provenance", "observed", "steps", "50", "simulates", "tpu",
		NULL);
	end(&h, "r1", "exited 0", "0", "{\"steps\":\"yes\"}");
	confirm_all(&h, "1@fake", "", "");
	check(&h, "1@fake:goal.accuracy", "confirmed");
	m = attempt_measured(attempt(&h, "1"), "fake");
	assert_int_equal(m->ladder.level, LEVEL_L0);
	assert_true(m->simulated);
	history_release(&h);
}

static void decisions_answer_and_can_be_struck(void **state)
{
	struct history h;
	const char *decision;
	struct alarm_state *a;

	(void)state;
	history_init(&h);
	observe(&h, "5", "aaaa");
	history_add(&h, "tool:rules", "alarm.raised", "k1", "rule", "R1", "rule_version", DIGEST,
		"trigger", OTHER, "attempt", "5", "class", "budget", "action", "stop", "features",
		"{\"attempts\":\"10\"}", NULL);
	history_add(&h, "tool:rules", "alarm.raised", "k1", "rule", "R1", "rule_version", DIGEST,
		"trigger", OTHER, NULL);
	assert_int_equal(migration(&h)->counts.alarms, 1);
	assert_int_equal(migration(&h)->counts.alarms_open, 1);
	decision = history_add(&h, "human:ana", "decision.made", "d1", "choice", "abandon line",
		"subject", "alarm:k1", "reason", DIGEST, "minutes", "3", NULL);
	a = history_state(&h, "alarm", "k1");
	assert_false(a->open);
	assert_int_equal(a->choice, DECISION_ABANDON_LINE);
	assert_string_equal(a->features, "{\"attempts\":\"10\"}");
	assert_true(migration_line_abandoned(migration(&h), ""));
	assert_int_equal(migration(&h)->counts.decision_minutes, 3);
	assert_int_equal(migration(&h)->counts.decisions_without_minutes, 0);
	strike(&h, "human:ana", decision, "decision.made", "d1");
	assert_true(((struct alarm_state *)history_state(&h, "alarm", "k1"))->open);
	assert_false(migration_line_abandoned(migration(&h), ""));
	assert_int_equal(migration(&h)->counts.decisions, 0);
	history_add(&h, "human:ana", "alarm.adjudicated", "k1", "verdict", "false-noise", "reason",
		DIGEST, NULL);
	assert_int_equal(((struct alarm_state *)history_state(&h, "alarm", "k1"))->verdict,
		ALARM_VERDICT_FALSE_NOISE);
	history_add(&h, "human:ana", "decision.made", "d2", "choice", "accept", "subject",
		"migration:", "reason", DIGEST, NULL);
	assert_int_equal(migration(&h)->end, DECISION_ACCEPT);
	assert_int_equal(migration(&h)->counts.decisions_without_minutes, 1);
	history_release(&h);
}

/* Nobody said how long it took: that is no 0.  One that went with a decision has its
 * minutes there. */
static void minutes_that_nobody_told_are_unknown(void **state)
{
	struct history h;
	const char *untold;

	(void)state;
	history_init(&h);
	observe(&h, "7", "aaaa");
	untold = history_add(&h, "human:ana", "intervention.recorded", "i1", "kind", "hint",
		"attempt", "7", NULL);
	history_add(&h, "human:ana", "intervention.recorded", "i2", "kind", "hint", "minutes", "0",
		"attempt", "7", NULL);
	history_add(&h, "human:ana", "intervention.recorded", "i3", "kind", "gate-decision",
		"triggered_by", "alarm:k1", "attempt", "7", NULL);
	assert_int_equal(migration(&h)->counts.interventions, 3);
	assert_int_equal(migration(&h)->counts.interventions_without_minutes, 1);
	assert_int_equal(attempt(&h, "7")->interventions_without_minutes, 1);
	strike(&h, "human:ana", untold, "intervention.recorded", "i1");
	assert_int_equal(migration(&h)->counts.interventions_without_minutes, 0);
	assert_int_equal(attempt(&h, "7")->interventions_without_minutes, 0);
	history_release(&h);
}

static void interventions_wait_for_a_person(void **state)
{
	struct history h;
	const char *confirmed;

	(void)state;
	history_init(&h);
	observe(&h, "7", "aaaa");
	history_add(&h, "tool:sessions", "intervention.recorded", "i1", "kind", "hint", "minutes",
		"9", "attempt", "7", NULL);
	assert_int_equal(migration(&h)->counts.interventions, 0);
	assert_int_equal(migration(&h)->counts.interventions_proposed, 1);
	confirmed = history_add(&h, "human:ana", "intervention.recorded", "i1", "kind", "hint",
		"minutes", "5", "attempt", "7", NULL);
	assert_int_equal(migration(&h)->counts.intervention_minutes, 5);
	assert_int_equal(attempt(&h, "7")->interventions, 1);
	assert_int_equal(attempt(&h, "7")->intervention_minutes, 5);
	strike(&h, "human:ana", confirmed, "intervention.recorded", "i1");
	assert_int_equal(migration(&h)->counts.interventions, 0);
	assert_int_equal(migration(&h)->counts.interventions_proposed, 1);
	assert_int_equal(attempt(&h, "7")->interventions, 0);
	assert_int_equal(attempt(&h, "7")->intervention_minutes, 0);
	history_release(&h);
}

static void acceptance_is_in_force_and_loosening_stays(void **state)
{
	struct history h;
	const char *second;

	(void)state;
	history_init(&h);
	history_add(&h, "human:ana", "config.accepted", "migration", "digest", DIGEST, NULL);
	observe(&h, "1", "aaaa");
	history_add(&h, "human:ana", "attempt.labelled", "1", "outcome", "failure", NULL);
	second = history_add(&h, "human:ana", "config.accepted", "migration", "digest", OTHER,
		"loosened", "[\"goal.accuracy.margin\"]", NULL);
	assert_string_equal(migration(&h)->config_digest, OTHER);
	assert_int_equal(migration(&h)->loosened_after_failure, 1);
	strike(&h, "human:ana", second, "config.accepted", "migration");
	assert_string_equal(migration(&h)->config_digest, DIGEST);
	assert_int_equal(migration(&h)->loosened, 1);
	history_release(&h);
}

static struct level_vector vector_of(struct history *h, const char *id, const char *where)
{
	return attempt_measured(attempt(h, id), where)->vector;
}

/* What L2 requires is chosen by a person, and a level that is there already follows. */
static void l2_requires_what_a_person_chose(void **state)
{
	struct history h;
	const char *second;

	(void)state;
	history_init(&h);
	observe(&h, "1", "aaaa");
	observe(&h, "2", "bbbb");
	confirm_all(&h, "1@v5e-4", "", "");
	confirm_all(&h, "2@v5e-4", "seed-data", "unknown");
	assert_int_equal(vector_of(&h, "1", "v5e-4").l2, CHECK_CONFIRMED);
	assert_int_equal(vector_of(&h, "2", "v5e-4").l2, CHECK_UNKNOWN);
	history_add(&h, "human:ana", "config.accepted", "migration", "digest", DIGEST, NULL);
	assert_int_equal(vector_of(&h, "2", "v5e-4").l2, CHECK_UNKNOWN);
	assert_string_equal(migration(&h)->required_by.event, "");
	second = history_add(&h, "human:bo", "config.accepted", "migration", "digest", OTHER,
		"required", "[\"dev\",\"grad\"]", "loosened", "[\"level.L2.seed-data\"]", NULL);
	assert_int_equal(vector_of(&h, "1", "v5e-4").l2, CHECK_CONFIRMED);
	assert_int_equal(vector_of(&h, "2", "v5e-4").l2, CHECK_CONFIRMED);
	assert_true(migration_requires(migration(&h), "grad"));
	assert_false(migration_requires(migration(&h), "seed-data"));
	assert_true(migration_requires(migration(&h), "exit"));
	/* another file with the same list: it is still that person's */
	history_add(&h, "human:ana", "config.accepted", "migration", "digest", DIGEST, "required",
		"[\"dev\",\"grad\"]", NULL);
	assert_string_equal(migration(&h)->required_by.who, "human:bo");
	check(&h, "2@v5e-4:dev", "refuted");
	assert_int_equal(vector_of(&h, "2", "v5e-4").l2, CHECK_REFUTED);
	check(&h, "1@v5e-4:lr", "refuted");
	assert_int_equal(vector_of(&h, "1", "v5e-4").l2, CHECK_CONFIRMED);
	history_add(&h, "human:ana", "config.accepted", "migration", "digest", OTHER, NULL);
	assert_int_equal(vector_of(&h, "1", "v5e-4").l2, CHECK_REFUTED);
	assert_string_equal(migration(&h)->required_by.who, "human:ana");
	strike(&h, "human:bo", second, "config.accepted", "migration");
	assert_int_equal(migration(&h)->required_n, 0);
	history_release(&h);
}

static void check_of_version(struct history *h, const char *result, const char *version)
{
	history_add(h, "tool:portside", "check.recorded", "1@v5e-4:grad", "result", result,
		"evidence", "[\"e\"]", "places", "[\"log:3 torchtpu@1\"]", "run",
		"ps-aaaaaaaaaaaaa", "version", version, NULL);
}

/* Two clones with an older and a newer portside: the newer one's answer counts, in any
 * order. */
static void the_newest_rules_answer(void **state)
{
	struct history h;
	struct check_state *s;

	(void)state;
	history_init(&h);
	check_of_version(&h, "refuted", "3");
	check_of_version(&h, "confirmed", "2");
	s = history_state(&h, "check", "1@v5e-4:grad");
	assert_int_equal(s->result, CHECK_REFUTED);
	check_of_version(&h, "unknown", "3");
	s = history_state(&h, "check", "1@v5e-4:grad");
	assert_int_equal(s->result, CHECK_UNKNOWN);
	assert_string_equal(s->entries[0].places[0], "log:3 torchtpu@1");
	assert_string_equal(s->entries[0].run, "ps-aaaaaaaaaaaaa");
	assert_int_equal(s->entries[1].version, 2);
	history_release(&h);
}

static void sessions_replace_their_shorter_self(void **state)
{
	struct history h;
	static const char *const counts[] = { "{\"messages\":\"10\"}", "{\"messages\":\"20\"}",
		"{\"messages\":\"15\"}" };
	static const char *const tokens[] = { "{\"output\":\"5\"}", "{\"output\":\"9\"}",
		"{\"output\":\"7\"}" };

	(void)state;
	history_init(&h);
	for (size_t i = 0; i < 3; i++)
		history_add(&h, "tool:sessions", "session.ingested", "s1", "agent", "claude",
			"session", "s1", "counts", counts[i], "tokens", tokens[i], "agent_ns",
			"1000", "cost_nano_usd", "42", NULL);
	assert_int_equal(migration(&h)->counts.sessions, 1);
	assert_int_equal(migration(&h)->counts.tokens[TOKENS_OUTPUT], 9);
	assert_int_equal(migration(&h)->counts.agent_ns, 1000);
	assert_int_equal(migration(&h)->counts.session_cost_nano_usd, 42);
	history_release(&h);
}

static void unknown_and_forbidden_events_fold_as_nothing(void **state)
{
	struct history h;

	(void)state;
	history_init(&h);
	history_add(&h, "human:ana", "future.kind", "x", "a", "b", NULL);
	history_add(&h, "agent:c", "decision.made", "d1", "choice", "accept", "subject",
		"migration:", "reason", DIGEST, NULL);
	history_add(&h, "tool:x", "run.ended", "r", "state", "no such state", NULL);
	history_add(&h, "tool:x", "attempt.observed", "../x", "n", "1", "tip", "a", NULL);
	assert_int_equal(h.versions_n, 0);
	history_add(&h, "human:ana", "migration.created", "m1", "name", "case B", "newer_field",
		"kept", NULL);
	assert_string_equal(migration(&h)->name, "case B");
	history_release(&h);
}

static void states_round_trip(void **state)
{
	struct history h;

	(void)state;
	history_init(&h);
	set_goal(&h, "1");
	observe(&h, "7", "a\"b\\\n");
	prepare(&h, "r1", "7", "full", "v5e-4");
	end(&h, "r1", "exited 0", "0", "{\"steps\":\"yes\"}");
	check(&h, "7@v5e-4:grad", "refuted");
	for (size_t i = 0; i < h.versions_n; i++) {
		const struct version *v = &h.versions[i];
		struct buf b = BUF_INIT;
		void *s;

		assert_int_equal(object_decode(&s, &h.arena, v->type, v->text, v->n), 0);
		object_encode(&b, v->type, s);
		assert_string_equal(b.s, v->text);
		buf_release(&b);
	}
	history_release(&h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(four_chips_are_an_over_claim),
		cmocka_unit_test(members_are_picked_from_the_head),
		cmocka_unit_test(runs_end_once),
		cmocka_unit_test(an_end_has_the_time_of_who_watched_it),
		cmocka_unit_test(a_duration_comes_from_two_moments_where_nothing_is_better),
		cmocka_unit_test(an_end_that_nobody_saw_has_no_time),
		cmocka_unit_test(a_lost_end_is_corrected),
		cmocka_unit_test(expectations_come_before_the_run),
		cmocka_unit_test(goals_freeze_at_the_first_target_run),
		cmocka_unit_test(another_value_is_a_weaker_goal),
		cmocka_unit_test(attempts_merge_by_tip),
		cmocka_unit_test(labels_order_human_tool_agent),
		cmocka_unit_test(agents_never_confirm),
		cmocka_unit_test(stand_ins_prove_only_l0),
		cmocka_unit_test(decisions_answer_and_can_be_struck),
		cmocka_unit_test(minutes_that_nobody_told_are_unknown),
		cmocka_unit_test(interventions_wait_for_a_person),
		cmocka_unit_test(acceptance_is_in_force_and_loosening_stays),
		cmocka_unit_test(l2_requires_what_a_person_chose),
		cmocka_unit_test(the_newest_rules_answer),
		cmocka_unit_test(sessions_replace_their_shorter_self),
		cmocka_unit_test(unknown_and_forbidden_events_fold_as_nothing),
		cmocka_unit_test(states_round_trip),
	};

	return cmocka_run_group_tests_name("fold", tests, NULL, NULL);
}
