/*
 * test_stop_rules - the rules in force as gauges, and alarms: once for two
 * handles, again only after values changed, and what is recorded of people's
 * words.
 */
#include "config.h"

#include "tests/unit.h"

#include "base/err.h"
#include "domain/fold.h"
#include "tests/workspace/fixture.h"
#include "workspace/accepted.h"
#include "workspace/state.h"
#include "workspace/stop_rules.h"

#define RULE(n) \
	"[migration]\n\tname = case\n[rule \"R1\"]\n\twhen = attempts >= " n " and best_level < L0\n" \
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
	fixture_record(f, "human:ana", "decision.made", "decision-1", "choice", "continue", "subject",
		arena_printf(&f->a, "alarm:%s", alarm), "reason", "go on", NULL);
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
	fixture_record(f, "tool:portside", "run.prepared", "ps-1", "attempt", "2", "kind", "full", "target", "tpu",
		"provenance", "observed", "steps", "50", "done", "yes", NULL);
	fixture_record(f, "tool:portside", "run.ended", "ps-1", "state", "exited 0", "rc", "0", "markers",
		"{\"done\":\"yes\",\"steps\":\"yes\",\"artifact\":\"yes\",\"error_text\":\"no\",\"steps_done\":\"50\"}", NULL);
	assert_string_equal(gauge(f, "R1").report.gauge, "R1 no L0: ok");
	assert_false(gauge(f, "R1").report.fires);
}

static void test_no_source_is_no_zero(void **state)
{
	struct workspace_fixture *f = *state;

	accept(f, "[migration]\n\tname = case\n[rule \"R2\"]\n\twhen = agent_hours >= 3\n\taction = stop\n\tclass = budget\n");
	observe(f, "1");
	assert_string_equal(gauge(f, "R2").report.gauge, "R2 no source: agent_hours");
	assert_int_equal(gauge(f, "R2").report.status, RULE_NO_SOURCE);
	fixture_record(f, "tool:portside", "session.ingested", "s1", "agent", "x", "session", "s1", "agent_ns", "7200000000000", NULL);
	assert_string_equal(gauge(f, "R2").report.gauge, "R2 2.0/3.0 agent-h");
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

static void test_again_when_values_changed(void **state)
{
	struct workspace_fixture *f = *state;

	accept(f, RULE("1"));
	observe(f, "1");
	assert_int_equal(raise_with(f, fixture_workspace(f)), 1);
	assert_true(only_alarm(f)->open);
	assert_string_equal(only_alarm(f)->features, "{\"attempts\":\"1\",\"best_level\":\"none\"}");
	decide(f, only_alarm(f)->id);
	assert_false(only_alarm(f)->open);
	/* Something happened, but what the rule saw is what was decided about. */
	fixture_record(f, "tool:portside", "evidence.added", "e1", "digest",
		"00000000000000000000000000000000000000000000000000000000000000aa", "size", "1", NULL);
	assert_int_equal(raise_with(f, fixture_workspace(f)), 0);
	observe(f, "2");
	assert_int_equal(raise_with(f, fixture_workspace(f)), 1);
	assert_int_equal(fixture_count(f, "alarm.raised", NULL), 2);
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
	fixture_record(f, "agent:x", "attempt.expected", "1", "level", "L2", "configuration", "tpu", NULL);
	fixture_record(f, "tool:portside", "run.prepared", "ps-1", "attempt", "1", "kind", "full", "target", "tpu",
		"provenance", "observed", NULL);
	fixture_record(f, "agent:x", "attempt.expected", "1", "level", "L3", "configuration", "tpu", NULL);
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
	return workspace_text(fixture_workspace(f), &f->a, ((struct note_state *)rows[0])->text_digest);
}

static void test_64_hex_digits_are_words(void **state)
{
	struct workspace_fixture *f = *state;
	static const char hex[] = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

	fixture_record(f, "human:ana", "note.written", "migration", "text", hex, NULL);
	assert_string_equal(note_text(f), hex);
}

static void test_secrets_are_taken_out(void **state)
{
	struct workspace_fixture *f = *state;

	setenv("WANDB_API_KEY", "0123456789secret", 1);
	fixture_record(f, "human:ana", "note.written", "migration", "text", "key 0123456789secret and hf_abcdefghijklmnopqrstuvwxyz012345 end", NULL);
	unsetenv("WANDB_API_KEY");
	assert_null(strstr(note_text(f), "0123456789secret"));
	assert_null(strstr(note_text(f), "hf_abc"));
	assert_non_null(strstr(note_text(f), "end"));
}

static void test_hostile_words(void **state)
{
	struct workspace_fixture *f = *state;

	fixture_record(f, "agent:x", "note.written", "migration", "text", "a\033[31mb\xe2\x80\xae" "c", NULL);
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
		TEST(a_level_is_a_word), TEST(no_source_is_no_zero), TEST(two_processes_raise_one),
		TEST(again_when_values_changed), TEST(a_declared_blocker), TEST(late_expectations),
		TEST(64_hex_digits_are_words), TEST(secrets_are_taken_out), TEST(hostile_words),
		TEST(curves_not_read_are_said),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
