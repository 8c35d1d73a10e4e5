/* States of a run, observation by observation. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/err.h"
#include "launch/launcher.h"
#include "launch/run_machine.h"

static struct run_observation observe(
	enum run_answer answer, enum run_source source, enum run_phase phase)
{
	struct run_observation o = RUN_OBSERVATION_INIT;

	o.answer = answer;
	o.source = source;
	o.phase = phase;
	o.time_ns = 1000;
	return o;
}

static bool see(struct run_machine *m, enum run_answer answer, enum run_source source,
	enum run_phase phase, int rc)
{
	struct run_observation o = observe(answer, source, phase);

	o.rc = rc;
	return run_machine_observe(m, &o);
}

static void test_forward(void **state)
{
	struct run_machine m = RUN_MACHINE_INIT;

	(void)state;
	assert_true(see(&m, RUN_ALIVE, RUN_SOURCE_PROVIDER, PHASE_QUEUED, -1));
	assert_false(see(&m, RUN_ALIVE, RUN_SOURCE_PROVIDER, PHASE_QUEUED, -1));
	assert_true(see(&m, RUN_ALIVE, RUN_SOURCE_PROVIDER, PHASE_RUNNING, -1));
	assert_false(see(&m, RUN_ALIVE, RUN_SOURCE_PROVIDER, PHASE_QUEUED, -1));
	assert_int_equal(m.phase, PHASE_RUNNING);
	assert_true(see(&m, RUN_ENDED, RUN_SOURCE_STATUS, PHASE_FAILED, 5));
	assert_int_equal(m.rc, 5);
	assert_int_equal(m.source, RUN_SOURCE_STATUS);
	assert_false(see(&m, RUN_ALIVE, RUN_SOURCE_PROVIDER, PHASE_RUNNING, -1));
	assert_int_equal(m.phase, PHASE_FAILED);
}

static void test_unreachable(void **state)
{
	struct run_machine m = RUN_MACHINE_INIT;
	struct run_observation o = observe(RUN_UNREACHABLE, RUN_SOURCE_PROVIDER, PHASE_LOST);

	(void)state;
	see(&m, RUN_ALIVE, RUN_SOURCE_PROVIDER, PHASE_RUNNING, -1);
	o.time_ns = 2000;
	assert_true(run_machine_observe(&m, &o));
	o.time_ns = 3000;
	assert_false(run_machine_observe(&m, &o));
	assert_int_equal(m.phase, PHASE_RUNNING);
	assert_int_equal(m.marks, RUN_MARK_UNREACHABLE);
	assert_int_equal(m.unreachable_ns, 2000);
	assert_true(see(&m, RUN_ALIVE, RUN_SOURCE_PROVIDER, PHASE_RUNNING, -1));
	assert_int_equal(m.marks, 0);
	assert_int_equal(m.unreachable_ns, 0);
}

static void test_agreement(void **state)
{
	static const struct {
		enum run_phase record;
		int rc;
		enum run_phase provider, expected;
		bool disagreement;
	} rows[] = {
		{ PHASE_EXITED_0, 0, PHASE_EXITED_0, PHASE_EXITED_0, false },
		{ PHASE_EXITED_0, 0, PHASE_FAILED, PHASE_FAILED, true },
		{ PHASE_EXITED_0, 0, PHASE_TIMEOUT, PHASE_TIMEOUT, true },
		{ PHASE_EXITED_0, 0, PHASE_NODE_FAIL, PHASE_NODE_FAIL, true },
		{ PHASE_EXITED_0, 0, PHASE_LOST, PHASE_EXITED_0, false },
		{ PHASE_FAILED, 7, PHASE_TIMEOUT, PHASE_TIMEOUT, false },
		{ PHASE_FAILED, 7, PHASE_FAILED, PHASE_FAILED, false },
		{ PHASE_FAILED, 143, PHASE_CANCELLED, PHASE_CANCELLED, false },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct run_machine a = RUN_MACHINE_INIT, b = RUN_MACHINE_INIT;

		/* In either order. */
		see(&a, RUN_ENDED, RUN_SOURCE_RC, rows[i].record, rows[i].rc);
		see(&a, RUN_ENDED, RUN_SOURCE_PROVIDER, rows[i].provider, -1);
		see(&b, RUN_ENDED, RUN_SOURCE_PROVIDER, rows[i].provider, -1);
		see(&b, RUN_ENDED, RUN_SOURCE_RC, rows[i].record, rows[i].rc);
		assert_int_equal(a.phase, rows[i].expected);
		assert_int_equal(b.phase, rows[i].expected);
		assert_int_equal(a.rc, rows[i].rc);
		assert_int_equal(b.rc, rows[i].rc);
		assert_int_equal(a.disagreement, rows[i].disagreement);
		assert_int_equal(b.disagreement, rows[i].disagreement);
	}
}

static void test_provider_only(void **state)
{
	struct run_machine m = RUN_MACHINE_INIT;

	(void)state;
	see(&m, RUN_ENDED, RUN_SOURCE_PROVIDER, PHASE_EXITED_0, -1);
	assert_true(m.by_provider_only);
	assert_true(see(&m, RUN_ENDED, RUN_SOURCE_RC, PHASE_FAILED, 3));
	assert_false(m.by_provider_only);
	assert_int_equal(m.phase, PHASE_FAILED);
	assert_int_equal(m.rc, 3);
}

static void test_lost_corrected(void **state)
{
	struct run_machine m = RUN_MACHINE_INIT;

	(void)state;
	see(&m, RUN_ENDED, RUN_SOURCE_STATUS, PHASE_LOST, -1);
	assert_false(see(&m, RUN_ENDED, RUN_SOURCE_STATUS, PHASE_LOST, -1));
	assert_true(see(&m, RUN_ENDED, RUN_SOURCE_RC, PHASE_EXITED_0, 0));
	assert_int_equal(m.phase, PHASE_EXITED_0);
	assert_int_equal(m.source, RUN_SOURCE_RC);
	assert_false(m.disagreement);
}

static void test_restart(void **state)
{
	struct run_machine m = RUN_MACHINE_INIT;
	struct run_observation o = observe(RUN_ALIVE, RUN_SOURCE_PROVIDER, PHASE_QUEUED);

	(void)state;
	see(&m, RUN_ALIVE, RUN_SOURCE_PROVIDER, PHASE_RUNNING, -1);
	o.restarts = 1;
	o.marks = RUN_MARK_NEVER;
	snprintf(o.word, sizeof o.word, "PENDING");
	assert_true(run_machine_observe(&m, &o));
	assert_int_equal(m.phase, PHASE_QUEUED);
	assert_int_equal(m.restarts, 1);
	assert_int_equal(m.marks, RUN_MARK_NEVER);
	assert_string_equal(m.word, "PENDING");
}

static void test_words(void **state)
{
	enum run_phase p;

	(void)state;
	for (int i = 0; i < PHASE_COUNT; i++) {
		assert_true(run_phase_from_token(&p, run_phase_token((enum run_phase)i)));
		assert_int_equal(p, i);
	}
	assert_false(run_phase_from_token(&p, "succeeded"));
	assert_false(run_phase_is_final(PHASE_RUNNING));
	assert_true(run_phase_is_final(PHASE_EXITED_0));
}

static void test_interval(void **state)
{
	(void)state;
	assert_int_equal(run_poll_interval_ns(0, 0, false), 2 * NS_PER_S);
	assert_int_equal(run_poll_interval_ns(2, 0, false), 8 * NS_PER_S);
	assert_int_equal(run_poll_interval_ns(50, 0, false), 60 * NS_PER_S);
	assert_int_equal(run_poll_interval_ns(50, 0, true), 2 * NS_PER_S);
	assert_int_equal(run_poll_interval_ns(0, 3, true), 16 * NS_PER_S);
}

static void test_launchers(void **state)
{
	const struct launcher *l;
	struct launcher_job job = { .rundir = "/" };

	(void)state;
	assert_int_equal(launcher_find(&l, "local"), 0);
	assert_ptr_equal(l, &launcher_local);
	assert_false(launcher_has_machines(l));
	assert_int_equal(launcher_find(&l, "teleport"), ERR_NOT_FOUND);
	assert_string_equal(err_text(), "there is no launcher \"teleport\"; there is: local");
	{
		const struct launcher nothing = { .name = "nothing" };

		assert_int_equal(launcher_fetch(&nothing, &job, "x"), ERR_STATE);
		assert_string_equal(err_text(), "launcher nothing cannot fetch results");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_forward),
		cmocka_unit_test(test_unreachable),
		cmocka_unit_test(test_agreement),
		cmocka_unit_test(test_provider_only),
		cmocka_unit_test(test_lost_corrected),
		cmocka_unit_test(test_restart),
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_interval),
		cmocka_unit_test(test_launchers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
