/* test_projection - run time from the first steps, and two classes of steps. */
#include "config.h"

#include "tests/curve/make_series.h"

#include "curve/projection.h"

static void fill_vector(double *step, size_t n)
{
	for (size_t i = 0; i < n; i++)
		step[i] = i < 3 ? 30 : i + 1 == 50 || i + 1 == 80 ? 4.2 : 0.2;
}

static void test_vector(void **state)
{
	double step[100];
	struct projection p;

	(void)state;
	fill_vector(step, 100);
	project_run_time(&p,
		&(struct projection_input){
			.step_s = step, .n = 100, .total_steps = 1000, .elapsed_s = NAN });
	assert_int_equal(p.state, RUN_TIME_OK);
	assert_int_equal(p.warmup_end, 3);
	assert_int_equal(p.n_post, 80);
	assert_int_equal(p.n_spikes, 2);
	assert_close(p.steady_s, 0.2, 1e-12);
	assert_close(p.spike_share, 0.025, 1e-12);
	assert_close(p.spike_cost_s, 4.0, 1e-12);
	assert_close(p.total_s, 387.4, 1e-9);
	assert_close(p.interval_s.low, 308.29941753447842, 1e-9);
	assert_close(p.interval_s.high, 622.51094504757824, 1e-9);
	assert_close(p.naive_s, 1174, 1e-9);
	assert_within(p.slope_s, 0, 1e-12);
	assert_int_equal(projection_against(&p, 300), BUDGET_WILL_EXCEED);
	assert_int_equal(projection_against(&p, 400), BUDGET_MAY_EXCEED);
	assert_int_equal(projection_against(&p, 700), BUDGET_WITHIN);
}

static void test_evaluations_and_saves(void **state)
{
	double step[100];
	struct projection p;

	(void)state;
	fill_vector(step, 100);
	project_run_time(&p, &(struct projection_input){
		.step_s = step, .n = 100, .total_steps = 1000, .elapsed_s = 117.4,
		.evaluations_left = 3, .evaluation_s = 10, .saves_left = 2, .save_s = 5,
	});
	assert_close(p.total_s, 387.4 + 40, 1e-9);
}

static void test_refusals(void **state)
{
	double step[60];
	struct projection p;

	(void)state;
	project_run_time(
		&p, &(struct projection_input){ .step_s = step, .n = 0, .total_steps = 10 });
	assert_int_equal(p.state, RUN_TIME_NO_STEPS);
	/* A compilation every fifth step: no ten quiet steps in a row. */
	for (int i = 0; i < 60; i++)
		step[i] = i % 5 ? 0.2 : 4;
	project_run_time(&p,
		&(struct projection_input){
			.step_s = step, .n = 60, .total_steps = 1000, .elapsed_s = NAN });
	assert_int_equal(p.state, RUN_TIME_STILL_WARMING_UP);
	assert_true(isnan(p.total_s));
	assert_int_equal(projection_against(&p, 1), BUDGET_UNKNOWN);
	fill_vector(step, 30);
	project_run_time(&p,
		&(struct projection_input){
			.step_s = step, .n = 30, .total_steps = 1000, .elapsed_s = NAN });
	assert_int_equal(p.state, RUN_TIME_TOO_FEW_STEPS);
	assert_string_equal(run_time_state_text(p.state), "fewer than 20 steps after the warm-up");
}

/* Forty compilations of the warm-up hide in the median, not in the tenth percentile. */
static void test_long_warmup(void **state)
{
	double step[100];
	struct projection p;

	(void)state;
	for (int i = 0; i < 100; i++)
		step[i] = i < 40 ? 4 : 0.2;
	project_run_time(&p,
		&(struct projection_input){
			.step_s = step, .n = 50, .total_steps = 5000, .elapsed_s = NAN });
	assert_int_equal(p.state, RUN_TIME_TOO_FEW_STEPS);
	project_run_time(&p,
		&(struct projection_input){
			.step_s = step, .n = 100, .total_steps = 5000, .elapsed_s = NAN });
	assert_int_equal(p.state, RUN_TIME_OK);
	assert_close(p.total_s, 160 + 60 * 0.2 + 4900 * 0.2, 1e-9);
}

static void test_split(void **state)
{
	static const double step[] = { 0.20, 0.21, 0.19, 0.20, 0.22, 0.20, 0.21, 4.0, 0.20, 5.0 };
	struct step_split s;

	(void)state;
	step_time_split(&s, step, ARRAY_LEN(step));
	assert_true(s.valid && s.two_classes);
	assert_int_equal(s.n_lower, 8);
	assert_int_equal(s.n_upper, 2);
	assert_close(s.mean_lower, -1.5917382607146456, 1e-9);
	assert_close(s.mean_upper, 1.4978661367769955, 1e-9);
	assert_close(s.ratio, 21.968385508084184, 1e-9);
	assert_close(s.sd_lower, 0.041787814155117217, 1e-9);
	assert_close(s.sd_upper, 0.11157177565710488, 1e-9);
	assert_close(s.d, 36.673983901481445, 1e-9);
	assert_close(s.share, 0.2, 0);
}

static void test_split_of_steady_steps(void **state)
{
	double step[200];
	uint64_t seed = 9;
	struct step_split s;

	(void)state;
	for (int i = 0; i < 200; i++)
		step[i] = 0.2 * (1 + 0.25 * (make_random(&seed) - 0.5));
	step_time_split(&s, step, 200);
	assert_true(s.valid);
	assert_false(s.two_classes);
	step_time_split(&s, (double[]){ 1, 1, 1 }, 3);
	assert_false(s.valid);
	step_time_split(&s, (double[]){ 1, 1, 4, 4 }, 4);
	assert_true(isinf(s.d) && s.two_classes);
}

static void test_final_metric(void **state)
{
	(void)state;
	assert_close(project_final_metric(80, 86, 79), 85, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_vector),
		cmocka_unit_test(test_evaluations_and_saves),
		cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_long_warmup),
		cmocka_unit_test(test_split),
		cmocka_unit_test(test_split_of_steady_steps),
		cmocka_unit_test(test_final_metric),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
