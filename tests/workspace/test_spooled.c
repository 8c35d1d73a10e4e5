/*
 * test_spooled - what an agent may put on record through a file that it wrote
 * itself: words, never measurements or decisions, and no secret.
 */
#include "config.h"

#include "tests/unit.h"

#include <stdio.h>

#include "base/err.h"
#include "base/fs.h"
#include "domain/kind.h"
#include "store/blob.h"
#include "store/spool.h"
#include "tests/workspace/fixture.h"
#include "workspace/state.h"

static const char digest[] = "1111111111111111111111111111111111111111111111111111111111111111";

/* Drops a draft as a foreign program would; what became of it. */
static struct spool_result drop(struct workspace_fixture *f, const char *actor, const char *kind,
	const char *object, const char *data, const char *texts)
{
	char *folder = fs_join(&f->a, workspace_place(fixture_workspace(f))->folder, "spool");
	char *text = arena_printf(&f->a,
		"{\"actor\":\"%s\",\"kind\":\"%s\",\"object\":\"%s\",\"data\":%s,\"texts\":%s}",
		actor, kind, object, data, texts);
	struct spool_result r;

	assert_int_equal(fs_mkdirs(folder, 0700), 0);
	assert_int_equal(
		fs_write_durable(fs_join(&f->a, folder, "1.json"), text, strlen(text), 0600), 0);
	if (workspace_ingest(fixture_workspace(f), &f->a, &r) < 0)
		fail_msg("%s", err_text());
	return r;
}

static void test_words_are_taken(void **state)
{
	static const struct {
		const char *actor, *kind, *object, *data, *texts;
	} words[] = {
		{ "agent:claude", "attempt.claimed", "3", "{\"level\":\"L2\"}",
			"{\"text\":\"it trains\"}" },
		{ "tool:hook", "note.written", "attempt/3", "{}",
			"{\"text\":\"a commit was made\"}" },
		{ "agent:claude", "check.recorded", "3@tpu:compile", "{\"result\":\"refuted\"}",
			"{}" },
		{ "tool:hook", "intervention.recorded", "i1", "{\"kind\":\"hint\"}", "{}" },
		{ "tool:hook", "session.ingested", "s1",
			"{\"agent\":\"claude\",\"session\":\"s1\"}", "{}" },
	};
	struct workspace_fixture *f = *state;

	for (size_t i = 0; i < ARRAY_LEN(words); i++) {
		struct spool_result r = drop(f, words[i].actor, words[i].kind, words[i].object,
			words[i].data, words[i].texts);

		if (r.taken != 1)
			fail_msg("%s: %s", words[i].kind, r.reason ? r.reason : "known");
	}
}

/* Every kind, by each author that a file may name. */
static void test_nothing_else_is_taken(void **state)
{
	static const char *const words[] = {
		"attempt.added",
		"attempt.expected",
		"attempt.claimed",
		"attempt.labelled",
		"evidence.added",
		"check.recorded",
		"note.written",
		"intervention.recorded",
		"session.ingested",
	};
	static const char *const actors[] = { "agent:claude", "tool:hook", "tool:portside",
		"human:ana" };
	struct workspace_fixture *f = *state;
	int64_t before = fixture_events(f);

	for (size_t k = 0; k < kinds_n; k++) {
		bool word = false;

		for (size_t i = 0; i < ARRAY_LEN(words); i++)
			word = word || strcmp(words[i], kinds[k].name) == 0;
		for (size_t i = 0; !word && i < ARRAY_LEN(actors); i++) {
			struct spool_result r = drop(f, actors[i], kinds[k].name, "x", "{}", "{}");

			assert_int_equal(r.rejected, 1);
			if (!strstr(r.reason, "spool") &&
				!strstr(r.reason, "only agent: and tool:") &&
				!strstr(r.reason, "kind"))
				fail_msg("%s by %s: %s", kinds[k].name, actors[i], r.reason);
		}
	}
	assert_int_equal(fixture_events(f), before);
}

/* A complete and well-formed forgery of a measured run, and of a tool's check. */
static void test_measurements_are_not_taken(void **state)
{
	struct workspace_fixture *f = *state;
	struct spool_result r;

	r = drop(f, "tool:hook", "run.ended", "ps-aaaaaaaaaaaaa",
		"{\"state\":\"finished\",\"rc\":\"0\",\"markers\":{\"done\":\"yes\",\"steps\":\"yes\"}}",
		"{}");
	assert_int_equal(r.rejected, 1);
	assert_non_null(strstr(r.reason, "measures"));
	r = drop(f, "tool:hook", "check.recorded", "3@tpu:compile",
		arena_printf(&f->a, "{\"result\":\"confirmed\",\"evidence\":[\"%s\"]}", digest),
		"{}");
	assert_int_equal(r.rejected, 1);
	assert_non_null(strstr(r.reason, "measures"));
}

static void test_secrets_are_taken_out(void **state)
{
	struct workspace_fixture *f = *state;
	struct state_query q = { .type = "note" };
	struct spool_result r;
	void **rows;
	size_t n;

	r = drop(f, "agent:claude", "note.written", "attempt/3", "{}",
		"{\"text\":\"export HF_TOKEN=hf_abcdefghijklmnopqrstuvwx now\"}");
	assert_int_equal(r.taken, 1);
	assert_int_equal(state_list(fixture_workspace(f), &q, &f->a, &rows, &n), 0);
	assert_int_equal(n, 1);
	assert_null(strstr(workspace_text(fixture_workspace(f), &f->a,
				   ((struct note_state *)rows[0])->text_digest),
		"hf_abc"));
	r = drop(f, "agent:claude", "note.written", "hf_abcdefghijklmnopqrstuvwx", "{}",
		"{\"text\":\"x\"}");
	assert_int_equal(r.rejected, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			test_words_are_taken, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(
			test_nothing_else_is_taken, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(
			test_measurements_are_not_taken, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(
			test_secrets_are_taken_out, fixture_setup, fixture_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
