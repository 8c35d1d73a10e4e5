/* What is read of people's records: the last one of one's own. */
#include "config.h"

#include "tests/unit.h"

#include "base/err.h"
#include "command/people.h"
#include "tests/workspace/fixture.h"

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
	assert_int_equal(people_last_own(&e, ws, &f->a), 1);
	digest_hex(hex, &e->id);
	assert_string_equal(hex, id);
}

static void test_nothing_of_ones_own(void **state)
{
	struct workspace_fixture *f = *state;
	struct workspace *ws = fixture_workspace(f);
	struct event *e;

	fixture_record(f, "agent:robot", "note.written", "migration", "text", "not mine", NULL);
	assert_int_equal(people_last_own(&e, ws, &f->a), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_the_last_own_record_is_found_however_old,
			fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(
			test_nothing_of_ones_own, fixture_setup, fixture_teardown),
	};

	return cmocka_run_group_tests_name("people", tests, NULL, NULL);
}
