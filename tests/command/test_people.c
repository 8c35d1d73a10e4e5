/* What is read of people's records: the last one of one's own, and what is decided. */
#include "config.h"

#include "tests/unit.h"

#include <string.h>

#include "base/err.h"
#include "base/hash.h"
#include "command/decision_private.h"
#include "command/people.h"
#include "command/strike.h"
#include "tests/workspace/fixture.h"

#define DIGEST_TEXT "0000000000000000000000000000000000000000000000000000000000000000"

enum { OTHERS = 1001 };

/* One's own record lies beyond two pages of what others wrote. */
static void test_the_last_own_record_is_found_however_old(void **state)
{
	struct workspace_fixture *f = *state;
	struct workspace *ws = fixture_workspace(f);
	struct record *records = arena_alloc(&f->a, OTHERS * sizeof *records);
	const char *id = fixture_record(
		f, workspace_actor(ws)->text, "note.written", "migration", "text", "mine", NULL);
	char hex[DIGEST_HEX + 1];
	struct event *e;

	for (size_t i = 0; i < OTHERS; i++)
		records[i] = (struct record){ .actor = "agent:robot",
			.kind = "note.written",
			.object = "migration",
			.data = event_data(&f->a, "text", arena_printf(&f->a, "%zu", i), NULL) };
	assert_int_equal(workspace_record_many(ws, records, OTHERS, &f->a, NULL), 0);
	assert_int_equal(strike_last_own(&e, ws, &f->a), 1);
	digest_hex(hex, &e->id);
	assert_string_equal(hex, id);
}

static void test_nothing_of_ones_own(void **state)
{
	struct workspace_fixture *f = *state;
	struct workspace *ws = fixture_workspace(f);
	struct event *e;

	fixture_record(f, "agent:robot", "note.written", "migration", "text", "not mine", NULL);
	assert_int_equal(strike_last_own(&e, ws, &f->a), 0);
}

static int decide(struct workspace *ws, struct workspace_fixture *f, const char *choice,
	const char *subject, const char *id, struct event **out)
{
	struct decision_once once = { subject, choice, false };
	struct record r = { .actor = "human:ana",
		.kind = "decision.made",
		.object = id,
		.data = event_data(&f->a, "choice", choice, "subject", subject, "reason", "why",
			NULL) };

	return workspace_record_if(ws, decision_check_once, &once, &r, 1, &f->a, out);
}

/* Two handles, each of which saw no decision: what counts is what the log holds when
 * it is written. */
static void test_what_is_decided_already_is_refused_inside_the_write(void **state)
{
	struct workspace_fixture *f = *state;
	struct workspace *ws = fixture_workspace(f), *other;
	struct workspace_options how = { 0 };
	struct event *made;
	char hex[DIGEST_HEX + 1];

	assert_int_equal(workspace_open(&other, f->git.repo, &how), 0);
	fixture_record(f, "tool:portside", "alarm.raised", "k1", "rule", "R4", "rule_version",
		DIGEST_TEXT, "trigger", DIGEST_TEXT, "class", "correctness", "action", "decision",
		"attempt", "7", NULL);
	assert_int_equal(decide(ws, f, "continue", "alarm:k1", "decision-1", &made), 0);
	assert_int_equal(decide(other, f, "continue", "alarm:k1", "decision-2", NULL), ERR_EXISTS);
	assert_non_null(strstr(err_text(), "already decided by human:ana: continue"));
	/* an alarm is answered once, whatever the word */
	assert_int_equal(
		decide(other, f, "abandon line", "alarm:k1", "decision-2", NULL), ERR_EXISTS);
	/* the same about its attempt; another one about the attempt is another decision */
	assert_int_equal(decide(other, f, "continue", "attempt:7", "decision-2", NULL), ERR_EXISTS);
	assert_int_equal(decide(other, f, "continue", "attempt:8", "decision-2", NULL), 0);
	assert_int_equal(decide(other, f, "abandon line", "attempt:7", "decision-3", NULL), 0);
	assert_int_equal(fixture_count(f, "decision.made", NULL), 3);
	/* what was struck decides nothing */
	digest_hex(hex, &made->id);
	fixture_record(f, "human:bo", "event.superseded", hex, "kind", "decision.made", "of",
		"decision-1", "reason", "no", NULL);
	assert_int_equal(decide(other, f, "continue", "alarm:k1", "decision-4", NULL), 0);
	err_clear();
	workspace_close(other);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_the_last_own_record_is_found_however_old,
			fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(
			test_nothing_of_ones_own, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(
			test_what_is_decided_already_is_refused_inside_the_write, fixture_setup,
			fixture_teardown),
	};

	return cmocka_run_group_tests_name("people", tests, NULL, NULL);
}
