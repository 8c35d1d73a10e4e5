/* test_check_record - what the tool found is put on record once. */
#include "config.h"

#include "tests/unit.h"

#include <sys/wait.h>
#include <unistd.h>

#include "base/err.h"
#include "tests/workspace/fixture.h"
#include "workspace/check_record.h"
#include "workspace/state.h"

static const char grad[] = "1@tpu-4:grad";

static struct check_finding finding(enum check_result result, const char *text,
	const struct digest *evidence)
{
	return (struct check_finding){ .check = "grad", .result = result, .text = text,
		.evidence = evidence, .evidence_n = evidence ? 1 : 0, .version = 3 };
}

/* How many events FOUND became. */
static size_t record(struct workspace_fixture *f, const struct check_finding *found, size_t n)
{
	size_t recorded = 99;

	if (check_record(fixture_workspace(f), "1", "tpu-4", found, n, &recorded, &f->a) < 0)
		fail_msg("%s", err_text());
	return recorded;
}

static struct check_state *on_record(struct workspace_fixture *f, const char *object)
{
	void *s;

	assert_int_equal(state_get(fixture_workspace(f), "check", object, NULL, &f->a, &s), 1);
	return s;
}

static void test_once(void **state)
{
	struct workspace_fixture *f = *state;
	struct digest one = sha256_bytes("one", 3), two = sha256_bytes("two", 3);
	struct check_finding found = finding(CHECK_REFUTED, "clipped first", &one);
	struct check_state *s;

	assert_int_equal(record(f, &found, 1), 1);
	assert_int_equal(record(f, &found, 1), 0);
	found.text = "clipped before it was reduced";
	assert_int_equal(record(f, &found, 1), 1);
	found.evidence = &two;
	assert_int_equal(record(f, &found, 1), 1);
	found.evidence_n = 0;
	assert_int_equal(record(f, &found, 1), 1);
	found.result = CHECK_UNKNOWN;
	assert_int_equal(record(f, &found, 1), 1);
	assert_int_equal(record(f, &found, 1), 0);
	assert_int_equal(fixture_count(f, "check.recorded", grad), 5);
	s = on_record(f, grad);
	assert_int_equal(s->result, CHECK_UNKNOWN);
	assert_string_equal(s->entries[0].entry.who, "tool:portside");
	assert_int_equal(s->entries[0].evidence_n, 1);
	assert_string_equal(
		workspace_text(f->ws, &f->a, s->entries[0].text_digest), "clipped first");
}

/* Programs that agree write the same bytes: where the run matters, it is compared. */
static void test_of_another_run(void **state)
{
	struct workspace_fixture *f = *state;
	struct digest one = sha256_bytes("one", 3);
	struct check_finding found = finding(CHECK_CONFIRMED, "5 ok", &one);

	found.run = "ps-aaaaaaaaaaaaa";
	assert_int_equal(record(f, &found, 1), 1);
	found.run = "ps-bbbbbbbbbbbbb";
	assert_int_equal(record(f, &found, 1), 0);
	found.of_run = true;
	assert_int_equal(record(f, &found, 1), 1);
	assert_int_equal(record(f, &found, 1), 0);
	assert_string_equal(on_record(f, grad)->entries[1].run, "ps-bbbbbbbbbbbbb");
}

/* Some are new, some are not: only those are written. */
static void test_of_several(void **state)
{
	struct workspace_fixture *f = *state;
	struct digest one = sha256_bytes("one", 3);
	struct check_finding found[3] = {
		finding(CHECK_REFUTED, "clipped first", NULL),
		{ .check = "dev", .result = CHECK_CONFIRMED, .text = "a TPU", .evidence = &one,
			.evidence_n = 1 },
		{ .check = "deps", .result = CHECK_NOT_CHECKED, .text = "nobody looked" },
	};

	assert_int_equal(record(f, found, 1), 1);
	assert_int_equal(record(f, found, 3), 1);
	assert_int_equal(fixture_count(f, "check.recorded", NULL), 2);
	assert_int_equal(fixture_count(f, "check.recorded", "1@tpu-4:deps"), 0);
	assert_int_equal(on_record(f, "1@tpu-4:dev")->result, CHECK_CONFIRMED);
}

/* An older portside beside a newer one does not take its answers back. */
static void test_versions(void **state)
{
	struct workspace_fixture *f = *state;
	struct digest one = sha256_bytes("one", 3);
	struct check_finding found = finding(CHECK_REFUTED, "clipped first", NULL);

	assert_int_equal(record(f, &found, 1), 1);
	found = finding(CHECK_CONFIRMED, "clipped once", &one);
	found.version = 2;
	assert_int_equal(record(f, &found, 1), 0);
	assert_int_equal(on_record(f, grad)->result, CHECK_REFUTED);
	found.version = 4;
	assert_int_equal(record(f, &found, 1), 1);
	assert_int_equal(on_record(f, grad)->result, CHECK_CONFIRMED);
}

/* A person struck it out; the next look does not bring it back, other evidence does. */
static void test_struck(void **state)
{
	struct workspace_fixture *f = *state;
	struct digest one = sha256_bytes("one", 3), two = sha256_bytes("two", 3);
	struct check_finding found = finding(CHECK_CONFIRMED, "clipped once", &one);

	assert_int_equal(record(f, &found, 1), 1);
	fixture_record(f, "human:ana", "event.superseded",
		on_record(f, grad)->entries[0].entry.event, "kind", "check.recorded", "of", grad,
		"reason", "that was another run", NULL);
	assert_int_equal(on_record(f, grad)->result, CHECK_NOT_CHECKED);
	assert_int_equal(record(f, &found, 1), 0);
	assert_int_equal(on_record(f, grad)->result, CHECK_NOT_CHECKED);
	found.evidence = &two;
	assert_int_equal(record(f, &found, 1), 1);
	assert_int_equal(on_record(f, grad)->result, CHECK_CONFIRMED);
}

/* A person's words are a person's: the tool says its own beside them. */
static void test_beside_a_person(void **state)
{
	struct workspace_fixture *f = *state;
	struct check_finding found = finding(CHECK_REFUTED, "clipped first", NULL);

	fixture_record(f, "human:ana", "check.recorded", grad, "result", "refuted", "text",
		"clipped first", NULL);
	assert_int_equal(record(f, &found, 1), 1);
	assert_int_equal(record(f, &found, 1), 0);
	fixture_record(f, "agent:claude", "check.recorded", grad, "result", "confirmed", NULL);
	assert_int_equal(record(f, &found, 1), 0);
	assert_int_equal(on_record(f, grad)->result, CHECK_REFUTED);
	assert_int_equal(on_record(f, grad)->claimed, CHECK_CONFIRMED);
}

/* A secret is taken out before it is stored, and the next look is no other text. */
static void test_secret(void **state)
{
	struct workspace_fixture *f = *state;
	struct check_finding found = finding(CHECK_REFUTED,
		"the model is hf_AbCdEfGhIjKlMnOpQrStUvWxYz0123456789", NULL);

	assert_int_equal(record(f, &found, 1), 1);
	assert_int_equal(record(f, &found, 1), 0);
	assert_null(strstr(workspace_text(f->ws, &f->a, on_record(f, grad)->entries[0].text_digest),
		"AbCdEfGh"));
}

static void test_read_only(void **state)
{
	struct workspace_fixture *f = *state;
	struct check_finding found = finding(CHECK_REFUTED, "clipped first", NULL);
	struct workspace *ws;

	fixture_workspace(f);
	assert_int_equal(workspace_open(&ws, f->git.repo,
		&(struct workspace_options){ .read_only = true }), 0);
	assert_int_equal(check_record(ws, "1", "tpu-4", &found, 1, NULL, &f->a), ERR_REFUSED);
	workspace_close(ws);
}

/* Several processes come upon one run at once.  They start when the pipe is closed. */
static void test_several_writers(void **state)
{
	enum { WRITERS = 4 };
	struct workspace_fixture *f = *state;
	struct digest one = sha256_bytes("one", 3);
	struct check_finding found[3] = {
		finding(CHECK_REFUTED, "clipped first", NULL),
		{ .check = "dev", .result = CHECK_CONFIRMED, .text = "a TPU", .evidence = &one,
			.evidence_n = 1 },
		{ .check = "config", .result = CHECK_UNKNOWN, .text = "nobody said" },
	};
	int start[2], status;
	char byte;

	fixture_workspace(f);
	fixture_close(f);
	assert_int_equal(pipe(start), 0);
	for (int i = 0; i < WRITERS; i++) {
		pid_t pid = fork();

		assert_true(pid >= 0);
		if (pid == 0) {
			close(start[1]);
			status = read(start[0], &byte, 1) == 0 &&
				check_record(fixture_workspace(f), "1", "tpu-4", found, 3, NULL,
					&f->a) == 0;
			_exit(!status);
		}
	}
	close(start[0]);
	close(start[1]);
	for (int i = 0; i < WRITERS; i++) {
		assert_true(wait(&status) > 0);
		assert_int_equal(status, 0);
	}
	assert_int_equal(fixture_count(f, "check.recorded", NULL), 3);
}

#define T(name) cmocka_unit_test_setup_teardown(name, fixture_setup, fixture_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = { T(test_once), T(test_of_another_run),
		T(test_of_several), T(test_versions), T(test_struck), T(test_beside_a_person),
		T(test_secret), T(test_read_only), T(test_several_writers) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
