/* test_curve_names - the series of several runs, by group and by who has them. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "command/curve_chart.h"

enum { MANY = 300 };

static void log_point(struct run_series *run, const char *name)
{
	series_append(run_series_get(run, name, strlen(name), AXIS_STEP), 1, 0, 1);
}

static void groups(void **state)
{
	(void)state;
	assert_int_equal(curve_group_length("train/loss"), 5);
	assert_int_equal(curve_group_length("eval_loss"), 4);
	assert_int_equal(curve_group_length("evaluation"), 0);
	assert_int_equal(curve_group_length("eval_"), 0);
	assert_int_equal(curve_group_length("loss"), 0);
	assert_int_equal(curve_group_length("/x"), 0);
	assert_int_equal(curve_group_length("test_top1"), 4);
}

static void order_and_owners(void **state)
{
	static const char *const metrics[] = { "eval_acc", "loss", "train/loss", "memory" };
	struct run_series *r = run_series_new(), *a = run_series_new();
	struct run_files r_files = { .series = r }, a_files = { .series = a };
	struct comparison_side sides[] = { { .files = &r_files }, { .files = &a_files } };
	struct run_comparison pair = { .metrics = (const char **)(uintptr_t)metrics,
		.n_metrics = 4,
		.n_common = 3 };
	struct curve_scene s = { .pair = &pair, .n_sides = 2 };
	static const struct {
		const char *name, *group, *only;
	} wanted[] = {
		{ "eval_acc", "eval", "" },
		{ "eval_f1", "eval", "only in R" },
		{ "loss", "", "" },
		{ "memory", "", "only in A" },
		{ "lr", "", "only in R" },
		{ "train/loss", "train", "" },
		{ "perf/x", "perf", "only in R" },
	};

	(void)state;
	s.sides[0] = (struct curve_side){ &sides[0], 'R' };
	s.sides[1] = (struct curve_side){ &sides[1], 'A' };
	log_point(r, "lr");
	log_point(r, "eval_acc");
	log_point(r, "eval_f1");
	log_point(r, "perf/x");
	run_series_get(r, "empty", 5, AXIS_STEP);
	for (int i = 0; i < 4; i++)
		log_point(a, metrics[i]);
	curve_names_update(&s);
	curve_names_update(&s);		/* the same again */
	assert_int_equal(s.n_names, 7);
	assert_int_equal(s.n_common, 3);
	for (size_t i = 0; i < 7; i++) {
		assert_string_equal(s.names[i].name, wanted[i].name);
		assert_string_equal(s.names[i].group, wanted[i].group);
		assert_string_equal(s.names[i].only, wanted[i].only);
	}
	arena_release(&s.names_arena);
	run_series_free(r);
	run_series_free(a);
}

/* Every name once, whatever the number of names, groups and runs. */
static void many_series(void **state)
{
	struct run_series *runs[3];
	struct run_files files[3] = { { .series = NULL } };
	struct comparison_side sides[3] = { { .run = NULL } };
	struct run_comparison pair = { .n_metrics = 0 };
	struct curve_scene s = { .pair = &pair, .n_sides = 3 };
	char name[32];

	(void)state;
	for (int k = 0; k < 3; k++) {
		runs[k] = run_series_new();
		files[k].series = runs[k];
		sides[k].files = &files[k];
		s.sides[k] = (struct curve_side){ &sides[k], "RAB"[k] };
	}
	for (int i = 0; i < MANY; i++)
		for (int k = 0; k < 3; k++) {
			int number = i + 100 * k;

			snprintf(name, sizeof name, "g%d/m%d", number % 7, number);
			log_point(runs[k], name);
		}
	curve_names_update(&s);
	assert_int_equal(s.n_names, MANY + 200);
	for (size_t i = 1; i < s.n_names; i++)
		for (size_t j = 0; j < i; j++)
			assert_string_not_equal(s.names[i].name, s.names[j].name);
	for (size_t i = 1; i + 1 < s.n_names; i++)
		if (strcmp(s.names[i].group, s.names[i - 1].group) != 0)
			assert_string_not_equal(s.names[i + 1].group, s.names[i - 1].group);
	arena_release(&s.names_arena);
	for (int k = 0; k < 3; k++)
		run_series_free(runs[k]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(groups),
		cmocka_unit_test(order_and_owners),
		cmocka_unit_test(many_series),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
