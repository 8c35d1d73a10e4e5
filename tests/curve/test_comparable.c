/* test_comparable - red items first, and warnings of provenance. */
#include "config.h"

#include "tests/curve/make_series.h"

#include <stdlib.h>

#include "curve/comparable.h"
#include "curve/provenance.h"

struct fixture { struct run_series *r, *a; struct arena arena; struct run_facts facts; };

static int set_up(void **state)
{
	struct fixture *f = xcalloc(1, sizeof *f);

	f->r = run_series_new();
	f->a = run_series_new();
	f->facts = (struct run_facts)RUN_FACTS_INIT;
	f->facts.steps = 1000;
	f->facts.batch = 32;
	f->facts.eval_examples = 408;
	f->facts.data = "rev 1";
	f->facts.seed = "1";
	make_series(f->r, "train/learning_rate", POINTS(0, 1e-4, 10, 5e-5));
	make_series(f->a, "lr", POINTS(0, 1e-4, 10, 5e-5));
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	run_series_free(f->r);
	run_series_free(f->a);
	arena_release(&f->arena);
	free(f);
	return 0;
}

static struct comparable check(struct fixture *f, const struct run_facts *a, const char *declared)
{
	const struct comparable_declaration declaration = { declared, "4 chips x 32" };
	struct comparable c;

	comparable_check(&c, &f->arena,
		&(struct comparable_input){
			.reference = &f->facts,
			.attempt = a,
			.reference_series = f->r,
			.attempt_series = f->a,
			.declared = &declaration,
			.n_declared = declared != NULL,
		});
	return c;
}

static void test_equal(void **state)
{
	struct fixture *f = *state;
	struct comparable c = check(f, &f->facts, NULL);
	struct buf b = BUF_INIT;

	assert_int_equal(c.overall, COMPARABLE_YES);
	assert_null(c.first_obstacle);
	assert_int_equal(comparable_find(&c, "lr")->status, COMPARABLE_EQUAL);
	assert_string_equal(comparable_find(&c, "lr")->reference, "equal at 2 steps");
	assert_int_equal(comparable_find(&c, "precision")->status, COMPARABLE_UNKNOWN);
	assert_null(comparable_find(&c, "coverage"));
	comparable_add_line(&b, &c);
	assert_string_equal(b.s, "comparable: data =  lr =  batch =  steps =  seed =  examples =");
	buf_release(&b);
}

static void test_batch_differs(void **state)
{
	struct fixture *f = *state;
	struct run_facts a = f->facts;
	struct buf b = BUF_INIT;
	struct comparable c;

	a.batch = 128;
	c = check(f, &a, NULL);
	assert_int_equal(c.overall, COMPARABLE_NO);
	assert_string_equal(c.first_obstacle->name, "batch");
	assert_string_equal(c.first_obstacle->reference, "32");
	assert_string_equal(c.first_obstacle->attempt, "128");
	assert_true(*c.first_obstacle->make_equal);
	c = check(f, &a, "batch");
	assert_int_equal(c.overall, COMPARABLE_YES);
	assert_int_equal(comparable_find(&c, "batch")->status, COMPARABLE_DECLARED);
	assert_string_equal(comparable_find(&c, "batch")->reason, "4 chips x 32");
	comparable_add_conditions(&b, &c);
	assert_string_equal(b.s, " (batch differs on purpose: 4 chips x 32)");
	buf_release(&b);
}

static void test_line_begins_with_what_is_in_the_way(void **state)
{
	struct fixture *f = *state;
	struct run_facts a = f->facts;
	struct buf b = BUF_INIT;
	struct comparable c;

	f->facts.device = "L4";
	a.device = "v5e";
	a.data = NULL;
	a.eval_examples += 8;
	c = check(f, &a, NULL);
	comparable_add_line(&b, &c);
	assert_string_equal(b.s,
		"not comparable: examples DIFFERS  data ?  device DIFFERS  lr =  batch =  steps =  "
		"seed =");
	buf_release(&b);
}

static void test_unknown_is_not_equal(void **state)
{
	struct fixture *f = *state;
	struct run_facts a = f->facts;
	struct comparable c;

	a.data = NULL;
	c = check(f, &a, NULL);
	assert_int_equal(c.overall, COMPARABLE_OPEN);
	assert_string_equal(c.first_obstacle->name, "data");
	a.teacher = f->facts.teacher = "";
	c = check(f, &a, NULL);
	assert_int_equal(comparable_find(&c, "teacher")->status, COMPARABLE_NOT_APPLICABLE);
	a.teacher = "77a0\033[2J";
	f->facts.teacher = "9f3c";
	c = check(f, &a, NULL);
	assert_int_equal(c.overall, COMPARABLE_NO);
	assert_string_equal(comparable_find(&c, "teacher")->attempt, "77a0^[[2J");
}

static void test_shown_items_do_not_stop(void **state)
{
	struct fixture *f = *state;
	struct run_facts a = f->facts;
	struct comparable c;

	f->facts.averaging_window = 10;
	a.averaging_window = 15;
	f->facts.device = "L4";
	a.device = "v5e";
	c = check(f, &a, NULL);
	assert_int_equal(c.overall, COMPARABLE_YES);
	assert_int_equal(comparable_find(&c, "window")->status, COMPARABLE_DIFFERS);
	f->facts.steps_per_epoch = 100;
	a.steps_per_epoch = 101;
	c = check(f, &a, NULL);
	assert_int_equal(comparable_find(&c, "steps-per-epoch")->status, COMPARABLE_EQUAL);
}

static void test_learning_rate_differs(void **state)
{
	struct fixture *f = *state;
	struct series *lr = run_series_find(f->a, "lr", AXIS_STEP);
	struct learning_rate_check check_lr;
	struct comparable c;

	series_append(lr, 20, NAN, 1e-5);
	series_append(run_series_find(f->r, "train/learning_rate", AXIS_STEP), 20, NAN, 2e-5);
	comparable_learning_rate(&check_lr, f->r, f->a);
	assert_true(check_lr.known);
	assert_int_equal(check_lr.n_common, 3);
	assert_int_equal(check_lr.n_different, 1);
	assert_int_equal(check_lr.first_step, 20);
	c = check(f, &f->facts, NULL);
	assert_int_equal(c.overall, COMPARABLE_NO);
	assert_string_equal(c.first_obstacle->name, "lr");
	assert_string_equal(c.first_obstacle->attempt, "1e-05 at 20");
}

/* One rule for a rate, wherever it is looked at: of several optimizers, and no number. */
static void test_lightning_learning_rates(void **state)
{
	struct run_series *r = run_series_new(), *a = run_series_new();
	struct series *of_r = run_series_get(r, "lr-AdamW", 8, AXIS_STEP);
	struct series *of_a = run_series_get(a, "lr-AdamW", 8, AXIS_STEP);
	struct learning_rate_check check_lr;

	(void)state;
	for (int i = 0; i < 4; i++) {
		series_append(of_r, i, NAN, i == 1 ? NAN : 1e-3);
		series_append(of_a, i, NAN, i == 1 ? NAN : 1e-3);
	}
	comparable_learning_rate(&check_lr, r, a);
	assert_true(check_lr.known);
	assert_int_equal(check_lr.n_common, 4);
	assert_int_equal(check_lr.n_different, 0);
	run_series_free(r);
	run_series_free(a);
}

static void test_coverage(void **state)
{
	struct fixture *f = *state;
	struct comparable_input in = {
		.reference = &f->facts,
		.attempt = &f->facts,
		.reference_series = f->r,
		.attempt_series = f->a,
		.metric = "m",
	};
	struct comparable c;

	make_series(f->r, "m", POINTS(0, 1, 50, 1, 100, 1, 150, 1, 200, 1));
	make_series(f->a, "m", POINTS(0, 1, 100, 1, 200, 1, 300, 1));
	comparable_check(&c, &f->arena, &in);
	assert_int_equal(c.overall, COMPARABLE_NO);
	assert_string_equal(c.first_obstacle->name, "coverage");
	assert_close(c.common_first, 0, 0);
	assert_close(c.common_last, 200, 0);
	in.early_stop_declared = true;
	comparable_check(&c, &f->arena, &in);
	assert_int_equal(c.overall, COMPARABLE_YES);
}

static struct provenance_report warn(
	struct fixture *f, const struct series *s, enum provenance_source source)
{
	struct provenance_report p = PROVENANCE_INIT;

	provenance_check_series(
		&p, &f->arena, f->r, s, &(struct provenance_facts){ .source = source });
	return p;
}

static void test_hugging_face(void **state)
{
	struct fixture *f = *state;
	struct series *loss = make_series(
		f->r, "loss", POINTS(10, 3.1839, 20, 2.454, 30, 0, 40, 0, 50, 1.8336, 60, 1.7));
	struct series *norm =
		make_series(f->r, "grad_norm", POINTS(10, 1, 20, 1, 30, NAN, 40, INFINITY, 50, 1));
	struct provenance_report p = warn(f, loss, PROVENANCE_HUGGING_FACE);

	assert_true(provenance_has(&p, "hf-nan-filter"));
	assert_non_null(strstr(p.warnings[0].text, "2 rows with loss 0.0"));
	assert_non_null(strstr(p.warnings[0].text, "first at 30"));
	assert_true(provenance_has(&p, "hf-rounded-4"));
	assert_true(provenance_has(&p, "hf-window-mean"));
	p = warn(f, norm, PROVENANCE_HUGGING_FACE);
	assert_int_equal(p.n, 0);
	p = warn(f, loss, PROVENANCE_OTHER);
	assert_int_equal(p.n, 0);
	assert_close(resolution_of(
			     loss, &(struct provenance_facts){ .source = PROVENANCE_HUGGING_FACE }),
		5e-5, 0);
}

static void test_bf16_grid(void **state)
{
	struct fixture *f = *state;
	struct series *s = run_series_get(f->r, "b", 1, AXIS_STEP),
		      *w = run_series_get(f->r, "w", 1, AXIS_STEP);
	struct provenance_facts facts = { .source = PROVENANCE_TENSORBOARD };
	struct resolution r;
	double whole[20];

	/* 129/128 to 2: eight bits of mantissa. */
	for (int i = 0; i < 20; i++) {
		series_append_float(s, i, NAN, 1 + (float)(i + 1) / 128);
		series_append_float(w, i, NAN, 1.1f + (float)i / 3);
		whole[i] = i + 1;
	}
	r = provenance_resolution(s, &facts);
	assert_int_equal(r.kind, RESOLUTION_BF16);
	assert_close(resolution_at(&r, 0.3477), ldexp(1, -2 - 8), 0);
	r = provenance_resolution(w, &facts);
	assert_int_equal(r.kind, RESOLUTION_F32);
	assert_close(resolution_at(&r, 1.5), ldexp(1, -24), 0);
	assert_false(provenance_is_bf16_grid(whole, 20));	/* integers prove nothing */
}

static void test_text_digits(void **state)
{
	struct fixture *f = *state;
	struct series *three =
		make_series(f->r, "t3", POINTS(0, 11.875, 1, 11.5, 2, 11.25, 3, 9.125));
	struct series *full =
		make_series(f->r, "tf", POINTS(0, 0.123456, 1, 0.2345671, 2, 1.25, 3, 3));
	struct series *few =
		make_series(f->r, "tg", POINTS(0, 0.000012345, 1, 0.00001234, 2, 1.25e-5, 3, 3e-5));
	struct provenance_facts text = { .source = PROVENANCE_TEXT };
	struct resolution r = provenance_resolution(three, &text);
	struct provenance_report p = warn(f, three, PROVENANCE_TEXT);

	assert_true(provenance_has(&p, "few-digits"));
	assert_int_equal(r.kind, RESOLUTION_FIXED);
	assert_close(r.fixed, 5e-4, 1e-12);
	assert_int_equal(provenance_resolution(full, &text).kind, RESOLUTION_UNKNOWN);
	assert_int_equal(provenance_resolution(few, &text).kind, RESOLUTION_UNKNOWN);
	series_clear(few);
	for (int i = 0; i < 4; i++)
		series_append(few, i, NAN, i == 3 ? 1.234e-4 : 1.234e-5);
	r = provenance_resolution(few, &text);
	assert_int_equal(r.kind, RESOLUTION_DIGITS);
	assert_close(resolution_at(&r, 1.234e-5), 0.5e-8, 1e-9);
}

static void test_compile_step(void **state)
{
	struct fixture *f = *state;
	struct series *s = make_series(
		f->r, "perf/step_time_seconds", POINTS(0, 30.5, 1, 0.25, 2, 0.25, 3, 0.3));
	struct series *steady = make_series(f->r, "time", POINTS(0, 0.3, 1, 0.25, 2, 0.25));
	struct series *other = make_series(f->r, "loss2", POINTS(0, 30.5, 1, 0.25, 2, 0.25));
	struct provenance_report p = warn(f, s, PROVENANCE_OTHER);

	assert_true(provenance_has(&p, "compile-step"));
	p = warn(f, steady, PROVENANCE_OTHER);
	assert_int_equal(p.n, 0);
	p = warn(f, other, PROVENANCE_OTHER);
	assert_int_equal(p.n, 0);
}

/* Who reads a curve of accuracy must know of the loss beside it; each is said once. */
static void test_what_is_wrong_elsewhere(void **state)
{
	struct fixture *f = *state;
	struct series *eval = make_series(f->r, "eval_accuracy", POINTS(10, 0.5, 20, 0.6));
	struct series *loss =
		make_series(f->r, "loss", POINTS(10, 3.1839, 20, 0, 30, 2.5, 40, 2.25, 50, 2.125));
	struct provenance_facts facts = { .source = PROVENANCE_HUGGING_FACE };
	struct provenance_report p = PROVENANCE_INIT;

	make_series(f->r, "grad_norm", POINTS(10, 1, 20, NAN, 30, 1));
	make_series(f->r, "step_time", POINTS(1, 30, 2, 0.2, 3, 0.2));
	p.side = "A";
	provenance_check_series(&p, &f->arena, f->r, eval, &facts);
	provenance_check_run(&p, &f->arena, f->r, &facts);
	assert_int_equal(p.n, 2);
	assert_true(provenance_has(&p, "hf-nan-filter"));
	assert_true(provenance_has(&p, "compile-step"));
	assert_string_equal(p.warnings[0].side, "A");
	provenance_check_series(&p, &f->arena, f->r, loss, &facts);
	provenance_check_run(&p, &f->arena, f->r, &facts);
	assert_int_equal(p.n, 4);	/* rounded, and means: new; the filter is not */
	p.side = "R";
	provenance_check_run(&p, &f->arena, f->r, &facts);
	assert_int_equal(p.n, 6);
	assert_close(provenance_window(loss, &facts), 10, 0);
	assert_true(isnan(provenance_window(eval, &facts)));
}

/* Windows cover what lies between their borders, however few these are. */
static void test_coverage_follows_the_alignment(void **state)
{
	struct fixture *f = *state;
	struct align_options window = { .mode = ALIGN_WINDOW };
	struct comparable_input in = { .reference = &f->facts, .attempt = &f->facts,
		.reference_series = f->r, .attempt_series = f->a, .metric = "w" };
	struct series *r = run_series_get(f->r, "w", 1, AXIS_STEP),
		      *a = run_series_get(f->a, "w", 1, AXIS_STEP);
	struct comparable c;

	for (int i = 1; i <= 30; i++)
		series_append(r, 10 * i, NAN, 1);
	for (int i = 1; i <= 20; i++)
		series_append(a, 15 * i, NAN, 1);
	comparable_check(&c, &f->arena, &in);
	assert_int_equal(comparable_find(&c, "coverage")->status, COMPARABLE_DIFFERS);
	in.align = &window;
	comparable_check(&c, &f->arena, &in);
	assert_int_equal(comparable_find(&c, "coverage")->status, COMPARABLE_EQUAL);
}

static void test_devices_and_pairs(void **state)
{
	struct fixture *f = *state;
	struct series *r = make_series(f->r, "Loss@xla:0/0", POINTS(0, 1, 10, 1, 20, 1)), *a;
	struct provenance_report p = PROVENANCE_INIT, pair = PROVENANCE_INIT;

	make_series(f->a, "recall@1", POINTS(0, 1));
	make_series(f->a, "recall@5", POINTS(0, 1));
	provenance_check_run(
		&p, &f->arena, f->a, &(struct provenance_facts){ .source = PROVENANCE_TEXT });
	assert_false(provenance_has(&p, "per-device"));
	make_series(f->r, "Loss@xla:0/1", POINTS(0, 1));
	provenance_check_run(
		&p, &f->arena, f->r, &(struct provenance_facts){ .source = PROVENANCE_TEXT });
	assert_true(provenance_has(&p, "per-device"));
	a = make_series(f->a, "m", POINTS(0, 1, 15, 1, 30, 1));
	series_append(run_series_find(f->r, "train/learning_rate", AXIS_STEP), 20, NAN, 2e-5);
	series_append(run_series_find(f->a, "lr", AXIS_STEP), 20, NAN, 1e-5);
	series_set_epoch(r, 1);
	series_append(r, 30, NAN, 1);
	series_set_epoch(r, 2);
	series_set_epoch(a, 1);
	series_append(a, 45, NAN, 1);
	series_set_epoch(a, 2);
	provenance_check_pair(&pair, &f->arena, f->r, r, f->a, a);
	assert_true(provenance_has(&pair, "cadence"));
	assert_true(provenance_has(&pair, "lr-differs"));
	assert_true(provenance_has(&pair, "steps-per-epoch"));
	assert_non_null(strstr(
		pair.warnings[1].text, "10 steps an epoch in the reference, 15 in the attempt"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_equal, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_batch_differs, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			test_line_begins_with_what_is_in_the_way, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_unknown_is_not_equal, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_shown_items_do_not_stop, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_learning_rate_differs, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_lightning_learning_rates, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_coverage, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_hugging_face, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_bf16_grid, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_text_digits, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_compile_step, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_what_is_wrong_elsewhere, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			test_coverage_follows_the_alignment, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_devices_and_pairs, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
