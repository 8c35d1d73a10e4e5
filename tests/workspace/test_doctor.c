/*
 * test_doctor - what is said about a migration that has something wrong with it,
 * as findings with a state, a value and an advice.
 */
#include "config.h"

#include "tests/unit.h"

#include <unistd.h>

#include "base/err.h"
#include "base/fs.h"
#include "tests/workspace/fixture.h"
#include "workspace/doctor.h"

static struct doctor_report look(struct workspace_fixture *f)
{
	struct doctor_options o = { .cancel = NULL };
	struct doctor_report r;

	fixture_close(f);
	doctor_look(&r, f->git.repo, &o, &f->a);
	return r;
}

static const struct doctor_finding *find(
	const struct doctor_report *r, const char *area, const char *item)
{
	for (size_t i = 0; i < r->n; i++)
		if (strcmp(r->findings[i].area, area) == 0 &&
			strcmp(r->findings[i].item, item) == 0)
			return &r->findings[i];
	fail_msg("no finding %s %s", area, item);
	return NULL;
}

static void expect(const struct doctor_report *r, const char *area, const char *item,
	enum doctor_state state, const char *value)
{
	const struct doctor_finding *f = find(r, area, item);

	if (f->state != state || !strstr(f->value, value))
		fail_msg("%s %s: %s, \"%s\"", area, item, doctor_states[f->state], f->value);
}

static char *state_path(struct workspace_fixture *f, const char *name)
{
	return arena_printf(&f->a, "%s/.git/portside/%s", f->git.repo, name);
}

static void test_nothing_wrong(void **state)
{
	struct workspace_fixture *f = *state;
	struct doctor_report r;

	git_fixture_commit(&f->git, "a\n\nAttempt: 1\n");
	fixture_discover(f);
	r = look(f);
	expect(&r, "repository", "filters", DOCTOR_OK, "none of its own");
	expect(&r, "spool", "waiting", DOCTOR_OK, "0");
	expect(&r, "log", "chain", DOCTOR_OK, "no defect");
	expect(&r, "configuration", "portside.conf", DOCTOR_NOTE, "no version is in force");
	for (size_t i = 0; i < r.n; i++)
		if (strcmp(r.findings[i].area, "log") == 0)
			assert_int_equal(r.findings[i].state, DOCTOR_OK);
}

/* As `git lfs install --local` writes them: a checkout gets pointers. */
static void test_names_filters(void **state)
{
	struct workspace_fixture *f = *state;
	struct doctor_report r;

	git_fixture_commit(&f->git, "a\n\nAttempt: 1\n");
	git_fixture_run(&f->git,
		"git config filter.lfs.process 'git-lfs filter-process' && git config filter.lfs.required true && "
		"git config \"filter.x$(printf '\\033')[31m.clean\" true");
	r = look(f);
	expect(&r, "repository", "filters", DOCTOR_NOTE, "lfs, x^[[31m");
	assert_non_null(strstr(find(&r, "repository", "filters")->advice, "as committed"));
}

static void test_names_what_waits_and_was_refused(void **state)
{
	struct workspace_fixture *f = *state;
	struct doctor_report r;

	fixture_record(f, "human:ana", "note.written", "migration", "text", "begun", NULL);
	assert_int_equal(fs_mkdirs(state_path(f, "spool/rejected"), 0700), 0);
	assert_int_equal(fs_mkdirs(state_path(f, "checkouts/ps-aaaaaaaaaaaaa"), 0700), 0);
	assert_int_equal(fs_write_durable(state_path(f, "spool/1.json"), "{}", 2, 0600), 0);
	assert_int_equal(
		fs_write_durable(state_path(f, "spool/rejected/2.json"), "{}", 2, 0600), 0);
	r = look(f);
	expect(&r, "spool", "waiting", DOCTOR_NOTE, "1");
	expect(&r, "spool", "refused", DOCTOR_NOTE, "1");
	expect(&r, "runs", "checkouts", DOCTOR_NOTE, "1, 1 without a live run");
}

static void test_broken_log(void **state)
{
	struct workspace_fixture *f = *state;
	struct doctor_report r;

	fixture_record(f, "human:ana", "note.written", "migration", "text", "begun", NULL);
	fixture_close(f);
	assert_int_equal(fs_write_durable(state_path(f, "log.db"),
				 "no database, but longer than the header of one is, which has "
				 "one hundred bytes in all",
				 86, 0600),
		0);
	r = look(f);
	expect(&r, "migration", "log and repository", DOCTOR_BROKEN, "log.db");
	assert_true(r.bad > 0);
}

static void test_outside_of_a_repository(void **state)
{
	struct workspace_fixture *f = *state;
	struct doctor_options o = { .cancel = NULL };
	struct doctor_report r;

	doctor_look(&r, f->git.root, &o, &f->a);
	assert_true(find(&r, "migration", "log and repository")->state != DOCTOR_OK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			test_nothing_wrong, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(
			test_names_filters, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(
			test_names_what_waits_and_was_refused, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(test_broken_log, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(
			test_outside_of_a_repository, fixture_setup, fixture_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
