/*
 * test_stop_rules - the rules in force as gauges, and alarms: once for two
 * handles and once for a cause, and what is recorded of people's words.
 */
#include "config.h"

#include "tests/unit.h"

#include "base/err.h"
#include "domain/fold.h"
#include "tests/workspace/fixture.h"
#include "workspace/accepted.h"
#include "workspace/rule_features.h"
#include "workspace/state.h"
#include "workspace/stop_rules.h"

#define RULE(n)                                                                                    \
	"[migration]\n\tname = case\n[rule \"R1\"]\n\twhen = attempts >= " n                       \
	" and best_level < L0\n"                                                                   \
	"\taction = stop\n\tclass = budget\n"

static void accept(struct workspace_fixture *f, const char *text)
{
	fixture_conf(f, text);
	if (accepted_accept(fixture_workspace(f), "human:ana", "test", &f->a) < 0)
		fail_msg("%s", err_text());
}

static void observe(struct workspace_fixture *f, const char *n)
{
	fixture_record(f, "tool:portside", "attempt.observed", n, "n", n, "tip", "aa", NULL);
}

static struct rule_gauge gauge(struct workspace_fixture *f, const char *id)
{
	struct rule_gauges g;

	if (stop_rules_read(&g, fixture_workspace(f), NULL, 0, NULL, &f->a) < 0)
		fail_msg("%s", err_text());
	for (size_t i = 0; i < g.n; i++)
		if (strcmp(g.rows[i].id, id) == 0)
			return g.rows[i];
	fail_msg("no rule %s", id);
	return (struct rule_gauge){ 0 };
}

static size_t raise_with(struct workspace_fixture *f, struct workspace *ws)
{
	size_t raised;

	if (stop_rules_raise(&raised, ws, 0, NULL, &f->a) < 0)
		fail_msg("%s", err_text());
	return raised;
}

static void decide(struct workspace_fixture *f, const char *alarm)
{
	fixture_record(f, "human:ana", "decision.made", "decision-1", "choice", "continue",
		"subject", arena_printf(&f->a, "alarm:%s", alarm), "reason", "go on", NULL);
}

static const struct alarm_state *only_alarm(struct workspace_fixture *f)
{
	struct state_query q = { .type = "alarm" };
	void **rows;
	size_t n;

	assert_int_equal(state_list(fixture_workspace(f), &q, &f->a, &rows, &n), 0);
	assert_int_equal(n, 1);
	return rows[0];
}

static void test_a_level_is_a_word(void **state)
{
	struct workspace_fixture *f = *state;

	accept(f, RULE("2"));
	observe(f, "1");
	assert_string_equal(gauge(f, "R1").report.gauge, "R1 1/2 attempts");
	observe(f, "2");
	assert_string_equal(gauge(f, "R1").report.gauge, "R1 2/2 attempts !");
	assert_true(gauge(f, "R1").report.fires);
	/* A smoke run to its declared end, by the program: L0 on the intended target. */
	fixture_record(f, "tool:portside", "run.prepared", "ps-1", "attempt", "2", "kind", "full",
		"target", "tpu", "provenance", "observed", "steps", "50", "done", "yes", NULL);
	fixture_record(f, "tool:portside", "run.ended", "ps-1", "state", "exited 0", "rc", "0",
		"markers",
		"{\"done\":\"yes\",\"steps\":\"yes\",\"artifact\":\"yes\",\"error_text\":\"no\",\"steps_done\":\"50\"}",
		NULL);
	assert_string_equal(gauge(f, "R1").report.gauge, "R1 no L0: ok");
	assert_false(gauge(f, "R1").report.fires);
}

static void test_no_source_is_no_zero(void **state)
{
	struct workspace_fixture *f = *state;

	accept(f,
		"[migration]\n\tname = case\n[rule \"R2\"]\n\twhen = agent_hours >= 3\n\taction = stop\n\tclass = budget\n");
	observe(f, "1");
	assert_string_equal(gauge(f, "R2").report.gauge, "R2 no source: agent_hours");
	assert_int_equal(gauge(f, "R2").report.status, RULE_NO_SOURCE);
	fixture_record(f, "tool:portside", "session.ingested", "s1", "agent", "x", "session", "s1",
		"agent_ns", "7200000000000", NULL);
	assert_string_equal(gauge(f, "R2").report.gauge, "R2 2.0/3.0 agent-h");
}

/* Of sums whose parts nobody told all: what is known, or more. */
static void test_a_sum_known_in_part(void **state)
{
	struct migration_state m = { .counts = { .intervention_minutes = 40, .runs = 2,
		.run_cost_nano_usd = 1000000000, .sessions = 2,
		.session_cost_nano_usd = 2000000000 } };
	struct rule_features f = { .migration = &m };
	static const char *const names[] = { "human_minutes", "run_usd", "agent_usd" };
	static const double least[] = { 40, 1, 2 };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		assert_false(rule_features_value(&f, names[i]).or_more);
	m.counts.decisions_without_minutes = m.counts.runs_without_cost = 1;
	m.counts.sessions_without_cost = 1;
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		struct expr_value v = rule_features_value(&f, names[i]);

		assert_int_equal(v.type, EXPR_NUMBER);
		assert_near(v.number, least[i], 1e-12);
		assert_true(v.or_more);
	}
	assert_false(rule_features_value(&f, "runs").or_more);
}

/* Two handles stand for two processes. */
static void test_two_processes_raise_one(void **state)
{
	struct workspace_fixture *f = *state;
	struct workspace *other;

	accept(f, RULE("1"));
	observe(f, "1");
	assert_int_equal(workspace_open(&other, f->git.repo, &(struct workspace_options){ 0 }), 0);
	assert_int_equal(raise_with(f, fixture_workspace(f)), 1);
	assert_int_equal(raise_with(f, other), 0);
	observe(f, "2");		/* another trigger, the same open alarm */
	assert_int_equal(raise_with(f, other), 0);
	assert_int_equal(fixture_count(f, "alarm.raised", NULL), 1);
	workspace_close(other);
}

static void ingest(struct workspace_fixture *f, const char *session, const char *agent_ns)
{
	fixture_record(f, "tool:portside", "session.ingested", session, "agent", "x", "session",
		session, "agent_ns", agent_ns, NULL);
}

static void full_run(struct workspace_fixture *f, const char *run, const char *attempt)
{
	fixture_record(f, "tool:portside", "run.prepared", run, "attempt", attempt, "kind", "full",
		"target", "tpu", "provenance", "observed", "steps", "50", "done", "yes", NULL);
	fixture_record(f, "tool:portside", "run.ended", run, "state", "exited 0", "rc", "0",
		"markers",
		"{\"done\":\"yes\",\"steps\":\"yes\",\"artifact\":\"yes\",\"error_text\":\"no\",\"steps_done\":\"50\"}",
		NULL);
}

/* R2 of the study: three agent hours without L0.  Each ingested session changes
 * the figure, none of them the question that a person has answered. */
static void test_once_while_it_stays_true(void **state)
{
	struct workspace_fixture *f = *state;
	const char *cause;

	accept(f,
		"[migration]\n\tname = case\n[rule \"R2\"]\n\twhen = agent_hours >= 3 and best_level < L0\n"
		"\taction = stop\n\tclass = budget\n");
	observe(f, "1");
	ingest(f, "s1", "7200000000000");
	assert_int_equal(raise_with(f, fixture_workspace(f)), 0);
	ingest(f, "s2", "3672000000000");	/* 3.02 h, as BiLLM */
	cause = fixture_record(f, "human:ana", "note.written", "migration", "text", "lunch", NULL);
	assert_int_equal(raise_with(f, fixture_workspace(f)), 1);
	assert_true(only_alarm(f)->open);
	assert_string_equal(
		only_alarm(f)->features, "{\"agent_hours\":\"3.02\",\"best_level\":\"none\"}");
	/* The event that made it true, not the newest one. */
	assert_string_not_equal(only_alarm(f)->trigger, cause);
	ingest(f, "s3", "1000000000000");
	assert_int_equal(raise_with(f, fixture_workspace(f)), 0);
	decide(f, only_alarm(f)->id);
	assert_false(only_alarm(f)->open);
	ingest(f, "s4", "1000000000000");
	observe(f, "2");
	assert_int_equal(raise_with(f, fixture_workspace(f)), 0);
	ingest(f, "s5", "9000000000000");
	assert_int_equal(raise_with(f, fixture_workspace(f)), 0);
	assert_int_equal(fixture_count(f, "alarm.raised", NULL), 1);
	assert_string_equal(gauge(f, "R2").report.gauge, "R2 6.1/3.0 agent-h !");
}

static const char *trigger_of(struct workspace_fixture *f, size_t i)
{
	struct state_query q = { .type = "alarm" };
	void **rows;
	size_t n;

	assert_int_equal(state_list(fixture_workspace(f), &q, &f->a, &rows, &n), 0);
	assert_true(i < n);
	return ((struct alarm_state *)rows[i])->trigger;
}

/* The cause is a function of the prefix: who looks later names the same event. */
static void test_the_cause_is_the_event_that_made_it_true(void **state)
{
	struct workspace_fixture *f = *state;
	const char *second;

	accept(f, RULE("2"));
	observe(f, "1");
	second = fixture_record(
		f, "tool:portside", "attempt.observed", "2", "n", "2", "tip", "bb", NULL);
	for (int i = 3; i < 20; i++)
		observe(f, arena_printf(&f->a, "%d", i));
	assert_int_equal(raise_with(f, fixture_workspace(f)), 1);
	assert_string_equal(trigger_of(f, 0), second);
}

/* What was true before the rule was accepted fires by its acceptance. */
static void test_a_new_wording_is_another_rule(void **state)
{
	struct workspace_fixture *f = *state;

	accept(f, RULE("2"));
	observe(f, "1");
	observe(f, "2");
	assert_int_equal(raise_with(f, fixture_workspace(f)), 1);
	decide(f, only_alarm(f)->id);
	assert_int_equal(raise_with(f, fixture_workspace(f)), 0);
	accept(f, RULE("1"));
	assert_int_equal(raise_with(f, fixture_workspace(f)), 1);
	assert_int_equal(raise_with(f, fixture_workspace(f)), 0);
	assert_int_equal(fixture_count(f, "alarm.raised", NULL), 2);
}

static const struct alarm_state *open_alarm(struct workspace_fixture *f)
{
	struct state_query q = { .type = "alarm" };
	void **rows;
	size_t n;

	assert_int_equal(state_list(fixture_workspace(f), &q, &f->a, &rows, &n), 0);
	for (size_t i = 0; i < n; i++)
		if (((struct alarm_state *)rows[i])->open)
			return rows[i];
	fail_msg("no open alarm");
	return NULL;
}

static void test_again_after_it_was_quiet(void **state)
{
	struct workspace_fixture *f = *state;

	accept(f,
		"[migration]\n\tname = case\n[rule \"R9\"]\n\twhen = failures >= 2\n\taction = stop\n\tclass = budget\n");
	for (int i = 1; i <= 3; i++) {
		const char *n = arena_printf(&f->a, "%d", i);

		observe(f, n);
		fixture_record(f, "human:ana", "attempt.labelled", n, "outcome", "failure", NULL);
	}
	assert_int_equal(raise_with(f, fixture_workspace(f)), 1);
	decide(f, open_alarm(f)->id);
	assert_int_equal(raise_with(f, fixture_workspace(f)), 0);
	/* Two labels are taken back: 1 failure.  Then there are 2 again. */
	fixture_record(f, "human:ana", "attempt.labelled", "1", "outcome", "success", NULL);
	fixture_record(f, "human:ana", "attempt.labelled", "2", "outcome", "success", NULL);
	assert_false(gauge(f, "R9").report.fires);
	assert_int_equal(raise_with(f, fixture_workspace(f)), 0);
	fixture_record(f, "human:ana", "attempt.labelled", "1", "outcome", "failure", NULL);
	assert_int_equal(raise_with(f, fixture_workspace(f)), 1);
	decide(f, open_alarm(f)->id);
	observe(f, "4");
	assert_int_equal(raise_with(f, fixture_workspace(f)), 0);
	assert_int_equal(fixture_count(f, "alarm.raised", NULL), 2);
}

/* An L0 takes the alarm's reason away; that it was answered stays. */
static void test_an_answer_stays(void **state)
{
	struct workspace_fixture *f = *state;
	const struct alarm_state *s;
	struct rule_gauge g;

	accept(f, RULE("1"));
	observe(f, "1");
	assert_int_equal(raise_with(f, fixture_workspace(f)), 1);
	decide(f, open_alarm(f)->id);
	full_run(f, "ps-1", "1");
	g = gauge(f, "R1");
	assert_false(g.report.fires);
	assert_int_equal(stop_rules_alarm(&s, fixture_workspace(f), &g, NULL, &f->a), 0);
	assert_non_null(s);
	assert_int_equal(s->choice, DECISION_CONTINUE);
	assert_int_equal(raise_with(f, fixture_workspace(f)), 0);
}

static void test_a_rule_may_ask_for_blockers(void **state)
{
	struct workspace_fixture *f = *state;

	accept(f,
		"[migration]\n\tname = case\n[rule \"B\"]\n\twhen = blocker = yes\n\taction = stop\n\tclass = feasibility\n");
	observe(f, "1");
	assert_false(gauge(f, "B").report.fires);
	assert_int_equal(stop_rules_declare_blocker(
				 fixture_workspace(f), "1", "no kernel", "issue 12", &f->a),
		0);
	assert_true(gauge(f, "B").report.fires);
}

static void test_a_declared_blocker(void **state)
{
	struct workspace_fixture *f = *state;
	struct workspace *ws = fixture_workspace(f);

	observe(f, "1");
	assert_int_equal(stop_rules_declare_blocker(ws, "1", "no kernel", "", &f->a), ERR_USAGE);
	assert_int_equal(fixture_count(f, "note.written", NULL), 0);
	assert_int_equal(stop_rules_declare_blocker(ws, "1", "no kernel", "issue 12", &f->a), 0);
	assert_string_equal(only_alarm(f)->rule, "R3");
	assert_int_equal(only_alarm(f)->class, CLASS_FEASIBILITY);
	assert_string_equal(only_alarm(f)->attempt, "1");
	assert_true(only_alarm(f)->open);
}

static void test_late_expectations(void **state)
{
	struct workspace_fixture *f = *state;
	struct attempt_state *s;

	observe(f, "1");
	fixture_record(
		f, "agent:x", "attempt.expected", "1", "level", "L2", "configuration", "tpu", NULL);
	fixture_record(f, "tool:portside", "run.prepared", "ps-1", "attempt", "1", "kind", "full",
		"target", "tpu", "provenance", "observed", NULL);
	fixture_record(
		f, "agent:x", "attempt.expected", "1", "level", "L3", "configuration", "tpu", NULL);
	s = fixture_attempt(f, "1");
	assert_int_equal(s->expected_n, 2);
	assert_false(s->expected[0].late);
	assert_true(s->expected[1].late);
	assert_int_equal(attempt_expected(s, "tpu")->level, LEVEL_L2);
}

static const char *note_text(struct workspace_fixture *f)
{
	struct state_query q = { .type = "note" };
	void **rows;
	size_t n;

	assert_int_equal(state_list(fixture_workspace(f), &q, &f->a, &rows, &n), 0);
	assert_int_equal(n, 1);
	return workspace_text(
		fixture_workspace(f), &f->a, ((struct note_state *)rows[0])->text_digest);
}

static void test_64_hex_digits_are_words(void **state)
{
	struct workspace_fixture *f = *state;
	static const char hex[] =
		"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

	fixture_record(f, "human:ana", "note.written", "migration", "text", hex, NULL);
	assert_string_equal(note_text(f), hex);
}

static void test_secrets_are_taken_out(void **state)
{
	struct workspace_fixture *f = *state;

	setenv("WANDB_API_KEY", "0123456789secret", 1);
	fixture_record(f, "human:ana", "note.written", "migration", "text",
		"key 0123456789secret and hf_abcdefghijklmnopqrstuvwxyz012345 end", NULL);
	unsetenv("WANDB_API_KEY");
	assert_null(strstr(note_text(f), "0123456789secret"));
	assert_null(strstr(note_text(f), "hf_abc"));
	assert_non_null(strstr(note_text(f), "end"));
}

static void test_hostile_words(void **state)
{
	struct workspace_fixture *f = *state;

	fixture_record(f, "agent:x", "note.written", "migration", "text",
		"a\033[31mb\xe2\x80\xae"
		"c",
		NULL);
	assert_string_equal(note_text(f), "a^[[31mb<U+202E>c");
}

#define TEST(name) cmocka_unit_test_setup_teardown(test_ ## name, fixture_setup, fixture_teardown)

/* Without curves a gap rule is neither quiet nor uncalibrated: it says why. */
static void test_curves_not_read_are_said(void **state)
{
	struct workspace_fixture *f = *state;
	struct rule_gauge g = gauge(f, "R5");

	assert_string_equal(g.report.gauge, "R5 curves not read yet");
	assert_false(g.report.fires);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(a_level_is_a_word),
		TEST(no_source_is_no_zero),
		TEST(a_sum_known_in_part),
		TEST(two_processes_raise_one),
		TEST(once_while_it_stays_true),
		TEST(the_cause_is_the_event_that_made_it_true),
		TEST(a_new_wording_is_another_rule),
		TEST(again_after_it_was_quiet),
		TEST(an_answer_stays),
		TEST(a_rule_may_ask_for_blockers),
		TEST(a_declared_blocker),
		TEST(late_expectations),
		TEST(64_hex_digits_are_words),
		TEST(secrets_are_taken_out),
		TEST(hostile_words),
		TEST(curves_not_read_are_said),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
