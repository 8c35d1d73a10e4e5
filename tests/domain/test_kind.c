/* test_kind - the table of event kinds, and who may write what. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "domain/authority.h"
#include "domain/kind.h"

#define DIGEST "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"

static int check(const char *actor, const char *kind, const char *object, const char *data)
{
	struct arena a = ARENA_INIT;
	struct event e = { .actor = actor, .kind = kind, .object = object };
	int rc;

	assert_int_equal(json_parse(&e.data, &a, data, strlen(data), JSON_STRICT), 0);
	rc = kind_check(&e);
	arena_release(&a);
	return rc;
}

static void every_kind_of_the_list_is_there(void **state)
{
	static const char *const names[] = {
		"migration.created",
		"config.accepted",
		"contract.accepted",
		"goal.set",
		"attempt.observed",
		"attempt.added",
		"attempt.gone",
		"attempt.expected",
		"attempt.claimed",
		"attempt.labelled",
		"run.prepared",
		"run.started",
		"run.ended",
		"run.corrected",
		"evidence.added",
		"facts.parsed",
		"check.recorded",
		"alarm.raised",
		"alarm.adjudicated",
		"decision.made",
		"intervention.recorded",
		"note.written",
		"signoff.given",
		"session.ingested",
		"cost.recorded",
		"label.seen",
		"drill.answered",
		"checkpoint.published",
		"event.superseded",
	};

	(void)state;
	assert_int_equal(kinds_n, ARRAY_LEN(names));
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		assert_non_null(kind_find(names[i]));
		assert_true(*kind_find(names[i])->help);
	}
	assert_null(kind_find("project.created"));
	assert_true(kind_field_is_blob("decision.made", "reason"));
	assert_false(kind_field_is_blob("decision.made", "choice"));
}

static void agents_decide_nothing(void **state)
{
	static const char *const kinds_of_people[] = {
		"decision.made",
		"alarm.adjudicated",
		"config.accepted",
		"contract.accepted",
		"signoff.given",
		"goal.set",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(kinds_of_people); i++) {
		assert_int_equal(check("agent:claude", kinds_of_people[i], "1", "{}"), ERR_REFUSED);
		assert_non_null(strstr(err_text(), "not for an agent; it takes a person"));
		assert_int_equal(check("tool:x", kinds_of_people[i], "1", "{}"), ERR_REFUSED);
	}
	assert_int_equal(
		check("agent:claude", "run.ended", "r", "{\"state\":\"failed\"}"), ERR_REFUSED);
	assert_int_equal(check("human:ana", "decision.made", "d1",
				 "{\"choice\":\"continue\",\"reason\":\"" DIGEST
				 "\",\"subject\":\"attempt:7\"}"),
		0);
}

static void fields_are_checked(void **state)
{
	(void)state;
	assert_int_equal(check("agent:c", "attempt.claimed", "7",
				 "{\"level\":\"L3\",\"text\":\"" DIGEST "\"}"),
		0);
	assert_int_equal(check("agent:c", "attempt.claimed", "7", "{\"level\":\"L9\"}"), ERR_PARSE);
	assert_non_null(strstr(err_text(), "allowed: none, L0, L2, L3, L4"));
	assert_int_equal(
		check("agent:c", "attempt.claimed", "7", "{\"text\":\"free text\"}"), ERR_PARSE);
	assert_int_equal(check("agent:c", "attempt.claimed", "x y", "{}"), ERR_PARSE);
	assert_int_equal(check("agent:c", "attempt.claimed", "07", "{}"), ERR_PARSE);
	assert_int_equal(check("agent:c", "attempt.claimed", "7", "{\"other\":\"\"}"), ERR_PARSE);
	assert_int_equal(
		check("agent:c", "attempt.claimed", "7", "{\"configuration\":\"a b\"}"), ERR_PARSE);
	assert_int_equal(check("tool:x", "attempt.observed", "a/2",
				 "{\"line\":\"a\",\"n\":\"2\",\"tip\":\"f\"}"),
		0);
	assert_int_equal(check("tool:x", "attempt.observed", "a/3",
				 "{\"line\":\"a\",\"n\":\"2\",\"tip\":\"f\"}"),
		ERR_PARSE);
	assert_int_equal(check("tool:x", "run.ended", "r", "{\"state\":\"running\"}"), ERR_PARSE);
	assert_int_equal(check("tool:x", "run.ended", "r", "{\"rc\":\"1\",\"state\":\"exited 0\"}"),
		ERR_PARSE);
	assert_int_equal(check("tool:x", "run.started", "r", "{\"state\":\"failed\"}"), ERR_PARSE);
	assert_int_equal(check("tool:x", "no.such", "r", "{}"), ERR_PARSE);
	assert_int_equal(
		check("claude", "note.written", "r", "{\"text\":\"" DIGEST "\"}"), ERR_PARSE);
}

static void runs_belong_to_an_attempt_or_the_reference(void **state)
{
	static const struct { const char *attempt, *target; int rc;
	} rows[] = {
		{ "7", "v5e-4", 0 },
		{ "reference", "gpu-l4", 0 },
		{ "tpu/2", "v5e-4", 0 },
		{ "unassigned", "local", 0 },
		{ "main", "v5e-4", ERR_PARSE },
		{ "7", "../x", ERR_PARSE },
		{ "", "v5e-4", ERR_PARSE },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		char *data = xasprintf(
			"{\"attempt\":\"%s\",\"kind\":\"full\",\"provenance\":\"observed\","
			"\"target\":\"%s\"}",
			rows[i].attempt, rows[i].target);

		assert_int_equal(check("tool:x", "run.prepared", "r", data), rows[i].rc);
		free(data);
	}
}

static void confirmations_name_evidence(void **state)
{
	(void)state;
	assert_int_equal(
		check("tool:x", "check.recorded", "7@v5e-4:grad", "{\"result\":\"confirmed\"}"),
		ERR_PARSE);
	assert_int_equal(check("tool:x", "check.recorded", "7@v5e-4:grad",
		"{\"evidence\":[\"e\"],\"result\":\"confirmed\"}"), 0);
	assert_int_equal(check("human:a", "check.recorded", "7@v5e-4:grad",
		"{\"result\":\"confirmed\",\"text\":\"" DIGEST "\"}"), 0);
	assert_int_equal(
		check("tool:x", "check.recorded", "7@v5e-4:other", "{\"result\":\"unknown\"}"),
		ERR_PARSE);
	assert_int_equal(
		check("human:a", "attempt.labelled", "7", "{\"cause\":\"C9\"}"), ERR_PARSE);
	assert_int_equal(check("agent:a", "attempt.labelled", "7", "{\"cause\":\"device\"}"), 0);
	assert_int_equal(
		check("human:a", "event.superseded", DIGEST,
			"{\"kind\":\"event.superseded\",\"of\":\"x\",\"reason\":\"" DIGEST "\"}"),
		ERR_PARSE);
}

static void attempt_ids_round_trip(void **state)
{
	struct arena a = ARENA_INIT;
	const char *line, *type, *id;
	int64_t n;

	(void)state;
	assert_string_equal(attempt_object_id(&a, 7, ""), "7");
	assert_string_equal(attempt_object_id(&a, 3, "torchtpu"), "torchtpu/3");
	assert_true(attempt_object_parse(&n, &line, &a, "torchtpu/3"));
	assert_int_equal(n, 3);
	assert_string_equal(line, "torchtpu");
	assert_false(attempt_object_parse(&n, &line, &a, "a/b/3"));
	assert_false(attempt_object_parse(&n, &line, &a, "-1"));
	assert_false(attempt_object_parse(&n, &line, &a, ""));
	subject_parse(&type, &id, &a, "alarm:abc");
	assert_string_equal(type, "alarm");
	assert_string_equal(id, "abc");
	subject_parse(&type, &id, &a, "7");
	assert_string_equal(type, "attempt");
	arena_release(&a);
}

static void people_act_at_a_terminal(void **state)
{
	const struct actor person = { "human:ana", ESTABLISHED_TERMINAL, NULL };
	const struct actor piped = { "human:ana", ESTABLISHED_CONFIGURATION, NULL };
	const struct actor hidden = { "human:ana", ESTABLISHED_TERMINAL, "CLAUDECODE" };
	const struct actor agent = { "agent:claude", ESTABLISHED_ENVIRONMENT, "CLAUDECODE" };

	(void)state;
	assert_int_equal(authority_check(&person, AUTHORITY_DECIDE), 0);
	assert_int_equal(authority_check(&piped, AUTHORITY_DECIDE), ERR_REFUSED);
	assert_non_null(strstr(err_text(), "needs a terminal"));
	assert_int_equal(authority_check(&hidden, AUTHORITY_SIGN_OFF), ERR_REFUSED);
	assert_non_null(strstr(err_text(), "CLAUDECODE"));
	assert_int_equal(authority_check(&agent, AUTHORITY_ACCEPT), ERR_REFUSED);
	assert_int_equal(authority_check(&agent, AUTHORITY_WRITE), 0);
	assert_int_equal(authority_check_kind(&agent, "attempt.claimed"), 0);
	assert_int_equal(authority_check_kind(&agent, "run.ended"), ERR_REFUSED);
	assert_int_equal(authority_check_kind(&person, "config.accepted"), 0);
	assert_int_equal(authority_check_kind(&piped, "note.written"), 0);
}

static void only_ones_own_words_are_struck(void **state)
{
	(void)state;
	assert_true(authority_may_supersede("human:a", "human:b"));
	assert_true(authority_may_supersede("human:a", "tool:x"));
	assert_false(authority_may_supersede("human:a", "agent:c"));
	assert_false(authority_may_supersede("agent:c", "human:a"));
	assert_false(authority_may_supersede("tool:x", "agent:c"));
	assert_true(authority_may_supersede("agent:c", "agent:c"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_kind_of_the_list_is_there),
		cmocka_unit_test(agents_decide_nothing),
		cmocka_unit_test(fields_are_checked),
		cmocka_unit_test(runs_belong_to_an_attempt_or_the_reference),
		cmocka_unit_test(confirmations_name_evidence),
		cmocka_unit_test(attempt_ids_round_trip),
		cmocka_unit_test(people_act_at_a_terminal),
		cmocka_unit_test(only_ones_own_words_are_struck),
	};

	return cmocka_run_group_tests_name("kind", tests, NULL, NULL);
}
