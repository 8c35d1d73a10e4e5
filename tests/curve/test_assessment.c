/* test_assessment - the word that the evidence allows, and the figures behind it. */
#include "config.h"

#include "tests/curve/make_series.h"

#include <stdlib.h>

#include "curve/assessment.h"

enum { RUNS_MAX = 12 };

struct fixture {
	struct arena arena;
	struct run_series *r, *a;	/* the runs that are compared */
	struct run_series *more;	/* curves of their repeats */
	struct assessment_run references[RUNS_MAX], attempts[RUNS_MAX];
	struct compare_options options;
	struct assessment_input input;
	struct comparison comparison;
	struct assessment s;
	bool made;
};

static int set_up(void **state)
{
	struct fixture *f = xcalloc(1, sizeof *f);

	f->r = run_series_new();
	f->a = run_series_new();
	f->more = run_series_new();
	f->options = (struct compare_options)COMPARE_OPTIONS_INIT;
	f->options.tolerance.atol = 0.5;
	f->options.direction = BETTER_HIGHER;
	f->input = (struct assessment_input){ .margin = NAN };
	*state = f;
	return 0;
}

static void forget(struct fixture *f)
{
	if (!f->made)
		return;
	assessment_release(&f->s);
	comparison_release(&f->comparison);
	f->made = false;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	forget(f);
	run_series_free(f->r);
	run_series_free(f->a);
	run_series_free(f->more);
	arena_release(&f->arena);
	free(f);
	return 0;
}

/* N points from step 1 on that end at LAST. */
static struct series *curve(struct run_series *run, const char *name, int n, double last)
{
	struct series *s = run_series_get(run, name, strlen(name), AXIS_STEP);

	for (int i = 1; i <= n; i++)
		series_append(s, i, NAN, last - 0.5 * (n - i));
	return s;
}

static void add_run(struct fixture *f, bool attempt, const char *seed, const struct series *s)
{
	struct assessment_run *runs = attempt ? f->attempts : f->references;
	size_t *n = attempt ? &f->input.n_attempts : &f->input.n_references;

	runs[(*n)++] = (struct assessment_run){ .name = "run", .seed = seed, .series = s };
}

/* Runs of a side with these last values, of seeds 1, 2, ... */
static void add_runs(struct fixture *f, bool attempt, const double *last, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		char name[] = { attempt ? 'a' : 'r', (char)('0' + i), 0 };
		struct run_series *run = i ? f->more : attempt ? f->a : f->r;

		add_run(f, attempt, arena_printf(&f->arena, "%zu", i + 1),
			curve(run, i ? name : "m", 12, last[i]));
	}
}

static struct assessment *assess(struct fixture *f)
{
	forget(f);
	f->input.reference = f->references[0].series;
	f->input.attempt = f->attempts[0].series;
	f->input.references = f->references;
	f->input.attempts = f->attempts;
	f->input.reference_run = f->r;
	f->input.attempt_run = f->a;
	f->input.comparison = &f->comparison;
	assert_int_equal(
		compare_series(&f->comparison, f->input.reference, f->input.attempt, &f->options),
		0);
	assessment_make(&f->s, &f->arena, &f->input);
	f->made = true;
	return &f->s;
}

static const char *statement(struct fixture *f, const char *id)
{
	struct buf b = BUF_INIT;
	const char *found = NULL, *is;

	for (size_t i = 0; buf_clear(&b), assessment_statement(&b, &f->s, i, &is); i++)
		if (!found && b.n && strcmp(is, id) == 0)
			found = arena_strndup(&f->arena, b.s, b.n);
	buf_release(&b);
	return found ? found : "";
}

static void assert_brief(struct fixture *f, const char *want)
{
	struct buf b = BUF_INIT;

	assessment_add_brief(&b, &f->s);
	assert_string_equal(b.s, want);
	assert_true(b.n <= 78);
	buf_release(&b);
}

static void assert_says(struct fixture *f, const char *id, const char *part)
{
	const char *text = statement(f, id);

	if (strstr(text, part))
		return;
	print_error("%s: \"%s\" is not in \"%s\"\n", id, part, text);
	fail();
}

static void test_one_seed_never_agrees(void **state)
{
	struct fixture *f = *state;

	add_runs(f, false, (double[]){ 86.5 }, 1);
	add_runs(f, true, (double[]){ 86.5 }, 1);
	assert_int_equal(assess(f)->word, SEED_NOT_DISTINGUISHABLE);
	assert_int_equal(f->comparison.verdict, COMPARE_MATCH);
	assert_says(f, "conclusion", "not distinguishable with this evidence: 1 run a side");
	assert_brief(f, "not distinguishable: 1 run a side, so run-to-run spread is unknown");
	assert_says(f, "reference", "it ran once, so its run-to-run spread is unknown");
	assert_true(isnan(f->s.self.low) && isnan(f->s.self.sd));
	/* However far they are apart: there is nothing to hold it against. */
	f->input.margin = 0.1;
	assert_int_equal(assess(f)->word, SEED_NOT_DISTINGUISHABLE);
}

/* Also one run inside the band of many: it shows a difference, never that there is none. */
static void test_one_run_beside_seeds(void **state)
{
	struct fixture *f = *state;
	static const double r[] = { 86.1, 86.3, 86.5, 86.7, 86.9 };

	f->input.margin = 3;
	add_runs(f, false, r, 5);
	add_runs(f, true, (double[]){ 86.5 }, 1);
	assert_int_equal(assess(f)->word, SEED_NOT_DISTINGUISHABLE);
	assert_close(f->s.seeds.interval.low, -0.96178879732569924, 1e-9);
	assert_close(f->s.seeds.interval.high, 0.96178879732569924, 1e-9);
	assert_says(f, "conclusion", "a single seed of A never shows that it agrees");
	assert_close(f->s.self.sd, 0.31622776601683793, 1e-9);
	assert_within(f->s.self.low, 0.2, 1e-9);
	assert_within(f->s.self.high, 0.8, 1e-9);
	assert_int_equal(f->s.self.n_pairs, 10);
	f->input.margin = 0.5;
	f->input.n_attempts = 0;
	add_run(f, true, "1", curve(f->more, "far", 12, 84.89));
	assert_int_equal(assess(f)->word, SEED_DIFFERS);
	assert_says(f, "conclusion", "differs: A - R is -2.572 to -0.6482");
	assert_says(f, "conclusion", "(95 % interval if A scatters as R does; R 5 seeds, A 1)");
	/* Nobody needs more seeds for what is decided. */
	assert_string_equal(statement(f, "needed"), "");
	assert_brief(f, "differs: A - R -2.572 to -0.6482, margin 0.5 (R 5, A 1 seed)");
	assert_false(f->s.seeds.suspiciously_better);
	f->input.n_attempts = 0;
	add_run(f, true, "1", curve(f->more, "better", 12, 88.2));
	assert_int_equal(assess(f)->word, SEED_DIFFERS);
	assert_true(f->s.seeds.suspiciously_better);
	assert_says(f, "conclusion", "suspiciously better: look for an early stop");
}

static void test_seeds_a_side(void **state)
{
	struct fixture *f = *state;

	add_runs(f, false, (double[]){ 86.53, 86.31, 86.74 }, 3);
	add_runs(f, true, (double[]){ 86.54, 86.10, 86.40 }, 3);
	f->input.margin = 0.6;
	assert_int_equal(assess(f)->word, SEED_AGREES);
	assert_close(f->s.seeds.interval.low, -0.56309342428447138, 1e-9);
	assert_close(f->s.seeds.equivalence.p_tost, 0.039816664500800428, 1e-9);
	assert_int_equal(f->s.seeds.needed, 3);
	assert_string_equal(statement(f, "needed"), "");
	f->input.margin = 0.5;
	assert_int_equal(assess(f)->word, SEED_NOT_DISTINGUISHABLE);
	assert_says(f, "seeds", "R 3 seeds, mean 86.53, sd 0.215; A 3 seeds, mean 86.35, sd 0.2248");
	assert_says(f, "seeds", "not worse than the margin: p 0.0748");
	assert_says(f, "needed", "one run may scatter by 0.287 at most");
	/* Lower is better: the same gap is now a gain, and the interval is still A - R. */
	f->options.direction = BETTER_LOWER;
	assess(f);
	assert_close(f->s.seeds.interval.low, -0.56309342428447138, 1e-9);
	assert_close(f->s.seeds.welch.g, 0.18, 1e-9);
}

/* One seed twice is no second sample. */
static void test_equal_seeds_count_once(void **state)
{
	struct fixture *f = *state;

	add_runs(f, false, (double[]){ 86.5, 86.6 }, 2);
	add_run(f, false, "1", curve(f->more, "again", 12, 86.5));
	add_runs(f, true, (double[]){ 86.4 }, 1);
	assess(f);
	assert_int_equal(f->s.seeds.n_reference, 2);
	assert_int_equal(f->s.self.n_runs, 3);
	assert_int_equal(f->s.self.n_same_seed, 1);
	assert_false(f->s.self.cannot_gate);
	assert_int_equal(f->s.band.m, 2);
	assert_int_equal(f->s.band.bands.n, 0);
}

static void test_a_reference_that_cannot_gate(void **state)
{
	struct fixture *f = *state;

	add_runs(f, false, (double[]){ 86.5, 86.6, 86.4 }, 3);
	add_run(f, false, "1", curve(f->more, "again", 12, 40.0));
	add_runs(f, true, (double[]){ 60 }, 1);
	f->input.margin = 0.5;
	assert_int_equal(assess(f)->word, SEED_NOT_DISTINGUISHABLE);
	assert_true(f->s.self.cannot_gate);
	assert_string_equal(f->s.self.seed, "1");
	assert_within(f->s.self.apart, 46.5, 1e-9);
	assert_says(f, "conclusion", "the reference cannot gate anything: two of its runs with seed 1");
}

static void test_a_red_item(void **state)
{
	struct fixture *f = *state;

	add_runs(f, false, (double[]){ 86.5 }, 1);
	add_runs(f, true, (double[]){ 20 }, 1);
	f->input.obstacle = "batch";
	assert_int_equal(assess(f)->word, SEED_NOT_COMPARABLE);
	assert_says(f, "conclusion", "not comparable: batch is not equal");
	assert_brief(f, "not comparable: batch is not equal");
}

static void add_value(struct run_series *run, const char *name, int step, double v)
{
	series_append(run_series_get(run, name, strlen(name), AXIS_STEP), step, NAN, v);
}

static void test_invariants(void **state)
{
	struct fixture *f = *state;

	add_runs(f, false, (double[]){ 86.5 }, 1);
	add_runs(f, true, (double[]){ 86.5 }, 1);
	for (int i = 1; i <= 6; i++) {
		add_value(f->r, "train/learning_rate", i, 1e-3 * i);
		add_value(f->a, "train/learning_rate", i, 1e-3 * i * (1 + 1e-8));
		add_value(f->r, "num_tokens", i, 512 * i);
		add_value(f->a, "num_tokens", i, i < 4 ? 512 * i : 512 * i + 1);
	}
	assert_int_equal(assess(f)->word, SEED_DIFFERS);
	assert_int_equal(f->s.n_invariants, 2);
	assert_int_equal(f->s.invariants[0].n_different, 0);
	assert_int_equal(f->s.invariants[1].n_different, 3);
	assert_int_equal(f->s.invariants[1].first_step, 4);
	assert_says(f, "invariants", "train/learning_rate is equal at 6 steps");
	assert_says(f, "invariants", "num_tokens DIFFERS at 3 of 6 steps, first at 4: 2048 (R), 2049 (A)");
	assert_says(f, "conclusion", "num_tokens must be equal whatever the device");
}

/* Whoever logs it: the rates of Lightning, the counts of Megatron. */
static void test_invariants_of_others(void **state)
{
	static const char *const names[] = { "lr-AdamW/pg1", "consumed_tokens",
		"consumed_train_samples", "train/epoch" };
	struct fixture *f = *state;

	add_runs(f, false, (double[]){ 86.5 }, 1);
	add_runs(f, true, (double[]){ 86.5 }, 1);
	for (size_t k = 0; k < ARRAY_LEN(names); k++) {
		for (int i = 1; i <= 3; i++) {
			add_value(f->r, names[k], i, i);
			add_value(f->a, names[k], i, k == 0 && i > 2 ? 7 : i);
		}
	}
	assert_int_equal(assess(f)->n_invariants, ARRAY_LEN(names));
	assert_says(f, "invariants", "lr-AdamW/pg1 DIFFERS at 1 of 3 steps");
	assert_int_equal(f->s.word, SEED_DIFFERS);
}

/* A reference that ended in an infinity is one of the runs, and no far end. */
static void test_infinite_end(void **state)
{
	struct fixture *f = *state;

	add_runs(f, false, (double[]){ 86.5, 86.25, INFINITY }, 3);
	add_runs(f, true, (double[]){ 86.5 }, 1);
	assert_int_equal(assess(f)->self.n_runs, 3);
	assert_int_equal(f->s.self.n_pairs, 1);
	assert_close(f->s.self.low, 0.25, 0);
	assert_close(f->s.self.high, 0.25, 0);
	assert_says(f, "reference", "3 runs of it are 0.25 apart from each other at the end");
}

static void test_start(void **state)
{
	struct fixture *f = *state;
	static const struct {
		const char *precision;
		bool same_start;
		double first;
		enum first_state state;
	} rows[] = {
		{ "fp32", true, 2.302e0 * (1 + 1e-6), FIRST_AGREES },
		{ "fp32", true, 2.302e0 * (1 + 2e-3), FIRST_DIFFERS },
		{ "bf16", true, 2.302e0 * (1 + 2e-3), FIRST_AGREES },
		{ NULL, true, 2.302e0, FIRST_NOT_JUDGED },
		{ "fp32", false, 2.302e0, FIRST_NOT_JUDGED },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const struct series *r = make_series(
			f->more, arena_printf(&f->arena, "r%zu", i), POINTS(1, 2.302, 2, 2, 3, 1));
		const struct series *a = make_series(f->more, arena_printf(&f->arena, "a%zu", i),
			POINTS(1, rows[i].first, 2, 2, 3, 1));

		f->input.n_references = f->input.n_attempts = 0;
		add_run(f, false, "1", r);
		add_run(f, true, "1", a);
		f->input.precision = rows[i].precision;
		f->input.same_start = rows[i].same_start;
		assert_int_equal(assess(f)->first.state, rows[i].state);
		assert_int_equal(f->s.word,
			rows[i].state == FIRST_DIFFERS ? SEED_DIFFERS : SEED_NOT_DISTINGUISHABLE);
	}
	/* Logged from step 10 on: training lies before it. */
	f->input.n_references = f->input.n_attempts = 0;
	add_run(f, false, "1", make_series(f->more, "late", POINTS(10, 1, 20, 1)));
	add_run(f, true, "1", make_series(f->more, "later", POINTS(10, 2, 20, 1)));
	assert_int_equal(assess(f)->first.state, FIRST_TOO_LATE);
}

/* Points 1 to 30, A leaves at 21; what happens between 20 and 21 is named. */
static void add_leaving(struct fixture *f)
{
	for (int i = 1; i <= 30; i++) {
		add_value(f->r, "loss", i, 1);
		if (i == 21)
			series_open_segment(run_series_find(f->a, "loss", AXIS_STEP), 21, 0, false);
		add_value(f->a, "loss", i, i <= 20 ? 1 : 3);
		add_value(f->r, "lr", i, i <= 21 ? 0.1 * i : 2.1 - 0.01 * i);
		add_value(f->a, "lr", i, i <= 21 ? 0.1 * i : 2.1 - 0.01 * i);
		add_value(f->a, "grad_norm", i, i == 21 || i == 25 ? INFINITY : 1);
	}
	add_value(f->a, "eval_loss", 21, 1);
	add_value(f->r, "eval_loss", 5, 1);
	add_run(f, false, "1", run_series_find(f->r, "loss", AXIS_STEP));
	add_run(f, true, "1", run_series_find(f->a, "loss", AXIS_STEP));
}

static void test_events(void **state)
{
	struct fixture *f = *state;
	static const struct assessment_event saved[] = { { 20, "A saves a checkpoint at 20" },
		{ 21, "A saves a checkpoint at 21" } };

	add_leaving(f);
	f->input.events = saved;
	f->input.n_events = ARRAY_LEN(saved);
	assess(f);
	assert_says(f, "leaves", "A saves a checkpoint at 21");
	assert_null(strstr(statement(f, "leaves"), "checkpoint at 20"));
	assert_int_equal(f->comparison.onset.agreeing_key, 20);
	assert_int_equal(f->comparison.onset.disagreeing_key, 21);
	assert_says(f, "leaves", "leaves between 20 and 21, out for 10 points in a row, up to the end");
	assert_says(f, "leaves", "A restarts at 21");
	assert_says(f, "leaves", "grad_norm of A is no number at 21");
	assert_says(f, "leaves", "the warm-up of A ends at 21");
	assert_says(f, "leaves", "the warm-up of R ends at 21");
	assert_says(f, "leaves", "A is evaluated for the first time at 21");
	assert_null(strstr(statement(f, "leaves"), "R is evaluated"));
	/* d was 0 for 20 points and 2 for 10: it hangs together. */
	assert_close(f->s.early_sigma, 0, 0);
	assert_true(f->s.phi > 0.8 && f->s.n_effective < 4);
}

static void test_end_and_examples(void **state)
{
	struct fixture *f = *state;

	f->options.scale = 100;
	f->options.examples = 408;
	f->options.decimals = 2;
	f->input.unit = "pp";
	f->input.margin = 1;
	add_run(f, false, "1",
		make_series(f->r, "m", POINTS(1, 0.8, 2, 0.85, 3, 0.8946, 4, 0.8873)));
	add_run(f, true, "1",
		make_series(f->a, "m", POINTS(1, 0.8, 2, 0.88, 3, 0.8873, 4, 0.88)));
	assess(f);
	assert_close(f->s.gap.final_reference, (0.85 + 0.8946 + 0.8873) / 3, 1e-12);
	assert_int_equal(f->s.best_examples.state, EXAMPLES_EXACT);
	assert_int_equal(f->s.best_examples.examples, 3);
	assert_says(f, "end", "best: R 89.46, A 88.73, d -0.73 (3 of 408 examples)");
	assert_says(f, "needed", "at most 4 of 408 answered differently");
}

static void test_too_fast(void **state)
{
	struct fixture *f = *state;

	/* Each run of R reaches 80 after 9 to 12 steps, each of A after 4. */
	for (int i = 0; i < 6; i++)
		add_run(f, false, arena_printf(&f->arena, "%d", i),
			curve(f->more, arena_printf(&f->arena, "r%d", i), 12, 80 + 0.25 * i));
	for (int i = 0; i < 3; i++)
		add_run(f, true, arena_printf(&f->arena, "%d", i),
			curve(f->more, arena_printf(&f->arena, "a%d", i), 12, 84));
	f->input.margin = 1;
	assess(f);
	assert_close(f->s.seeds.quality, 80, 1e-12);
	assert_int_equal(f->s.seeds.convergence.state, CONVERGENCE_TOO_FAST);
	assert_says(f, "convergence", "and A is under it: look for an early stop");
	assert_true(f->s.seeds.suspiciously_better);
	/* One that never gets there leaves the quick ones alone. */
	f->attempts[2].series = curve(f->more, "never", 12, 70);
	assess(f);
	assert_int_equal(f->s.seeds.n_left_out, 1);
	assert_says(f, "convergence",
		"not judged: 1 of 3 of A never reaches 80, which every run of R does");
}

/* The same file under three names is one run, whose seed nobody declared. */
static void test_copies_are_no_seeds(void **state)
{
	struct fixture *f = *state;

	for (int i = 0; i < 3; i++) {
		const char *name = i ? arena_printf(&f->arena, "c%d", i) : "m";

		add_run(f, false, "", curve(i ? f->more : f->r, name, 12, 80));
		add_run(f, true, "",
			curve(i ? f->more : f->a, arena_printf(&f->arena, "a%s", name), 12, 80));
	}
	add_run(f, false, "", curve(f->more, "another", 12, 81));
	f->input.margin = 1;
	assess(f);
	assert_int_equal(f->s.seeds.n_reference, 2);
	assert_int_equal(f->s.seeds.n_attempt, 1);
	assert_true(isnan(f->s.seeds.interval.low));
}

static void test_band(void **state)
{
	struct fixture *f = *state;
	uint64_t seed = 5;
	struct series *a = run_series_get(f->a, "m", 1, AXIS_STEP);

	for (int r = 0; r < 5; r++) {
		struct series *s = run_series_get(
			f->more, arena_printf(&f->arena, "r%d", r), 2, AXIS_STEP);

		for (int i = 0; i < 80; i++)
			series_append(s, i, NAN, make_normal(&seed));
		add_run(f, false, arena_printf(&f->arena, "%d", r), s);
	}
	for (int i = 0; i < 80; i++)
		series_append(a, i, NAN, make_normal(&seed) * 0.5 + (i >= 40 ? 8 : 0));
	add_run(f, true, "0", a);
	assess(f);
	assert_int_equal(f->s.band.m, 5);
	assert_int_equal(f->s.band.k, 5);
	assert_true(f->s.band.alarm.fired);
	assert_int_equal(f->s.band.alarm.last_agreeing, 39);
	assert_int_equal(f->s.band.alarm.first_disagreeing, 40);
	assert_within(f->s.band.phi, 0, 0.25);
	assert_true(f->s.band.has_cusum);
	assert_within((double)f->s.band.cusum_step, 40, 3);
	assert_says(f, "band", "for 5 in a row first between 39 and 40");
	/* 80 points: the share is that of 73, and there is more room for chance. */
	assert_says(f, "band", "in under 1 % of curves of 73 points, and in more of those of 80");
	assert_null(strstr(statement(f, "band"), "alike"));
}

/* Of fewer points than were tried no share is told, and none at all where a row of points
 * out could not be as long as it takes. */
static void test_band_of_few_points(void **state)
{
	struct fixture *f = *state;

	add_runs(f, false, (double[]){ 86.1, 86.3, 86.5 }, 3);
	add_runs(f, true, (double[]){ 80 }, 1);
	assess(f);
	assert_true(f->s.band.alarm.fired && isnan(f->s.band.false_alarms));
	assert_says(f, "band", "A is outside at 12 of 12 points, for 5 in a row from the first one at 1");
	assert_says(f, "band", "12 points are too few to say how often chance does that (it is known for 73)");
	f->input.n_references = f->input.n_attempts = 0;
	for (int i = 0; i < 3; i++)
		add_run(f, false, arena_printf(&f->arena, "%d", i),
			curve(f->more, arena_printf(&f->arena, "few%d", i), 2, 80 + 0.1 * i));
	add_run(f, true, "0", curve(f->more, "short", 2, 80));
	assess(f);
	assert_says(f, "band", "outside at 0 of 2 points; too few to say more, which takes 5 in a row");
	assert_string_equal(statement(f, "lag"), "");
	assert_says(f, "leaves", "never out of tolerance at the 2 matched points");
}

/* Neighbours that are not alike are not spoken of; equal curves do not scatter. */
static void test_noise_that_changes_nothing(void **state)
{
	struct fixture *f = *state;

	for (int i = 1; i <= 20; i++) {
		add_value(f->r, "m", i, 1);
		add_value(f->a, "m", i, 1 + (i % 2 ? 0.1 : -0.1));
	}
	add_run(f, false, "1", run_series_find(f->r, "m", AXIS_STEP));
	add_run(f, true, "1", run_series_find(f->a, "m", AXIS_STEP));
	assert_true(assess(f)->phi < 0);
	assert_says(f, "noise", "while they agree, d scatters by 0.1483");
	assert_null(strstr(statement(f, "noise"), "alike"));
	f->input.n_attempts = 0;
	add_run(f, true, "1", f->references[0].series);
	assess(f);
	assert_string_equal(statement(f, "noise"), "noise: while they agree, most points are equal");
}

/* A logs a step later than R: the option that pairs them is told, and only then. */
static void test_lag(void **state)
{
	struct fixture *f = *state;

	for (int i = 0; i < 12; i++) {
		add_value(f->r, "m", 32 * i, 5.0 / (1 + i));
		add_value(f->a, "m", 32 * i, i ? 5.0 / i : 7);
		add_value(f->a, "slow", 32 * i, 5.0 / (1 + 0.6 * i));
		add_value(f->a, "near", 32 * i, 5.0 / (1 + i) + (i % 2 ? 0.2 : -0.2));
		add_value(f->r, "uneven", 32 * i + (i > 5), 5.0 / (1 + i));
		add_value(f->a, "uneven", 32 * i + (i > 5), i ? 5.0 / i : 7);
	}
	add_run(f, false, "1", run_series_find(f->r, "m", AXIS_STEP));
	add_run(f, true, "1", run_series_find(f->a, "m", AXIS_STEP));
	assert_int_equal(assess(f)->lag.lag, 1);
	assert_int_equal(f->s.lag_shift, -32);
	assert_says(f, "lag", "with A taken 1 row earlier the median |d| is 0 in place of");
	assert_says(f, "lag", "where the code says so, --shift -32 pairs these rows (it was not applied)");
	/* The option does what the sentence says. */
	f->options.align.shift = f->s.lag_shift;
	assess(f);
	assert_int_equal(f->comparison.alignment.n, 11);
	assert_close(f->comparison.mean_abs, 0, 0);
	assert_says(f, "lag", "lag: none");
	f->options.align.shift = 0;
	f->attempts[0].series = run_series_find(f->a, "slow", AXIS_STEP);
	assess(f);
	assert_true(f->s.lag.lag > 0);
	assert_says(f, "lag", "the reason is not known, so no shift is advised");
	assert_null(strstr(statement(f, "lag"), "--shift"));
	f->attempts[0].series = run_series_find(f->a, "near", AXIS_STEP);
	assess(f);
	assert_says(f, "lag", "lag: none, no shift by up to 3 rows brings the curves much closer");
	f->references[0].series = run_series_find(f->r, "uneven", AXIS_STEP);
	f->attempts[0].series = run_series_find(f->a, "uneven", AXIS_STEP);
	assess(f);
	assert_int_equal(f->s.lag_shift, 0);
	assert_says(f, "lag", "the rows are not evenly apart, so no one --shift pairs them");
}

static double wave(int i)
{
	return 4.0 / (1 + 0.1 * i) + 0.05 * sin(1.7 * i);
}

/* Five rows later, with the same noise; a curve that is only slower has no such lag, nor
 * has one that lies beside it all along, and one whose noise is its own. */
static void test_lag_of_many_rows(void **state)
{
	struct fixture *f = *state;

	for (int i = 0; i < 60; i++) {
		add_value(f->r, "m", 10 * i, wave(i));
		add_value(f->a, "m", 10 * i, wave(i - 5));
		add_value(f->a, "early", 10 * i, wave(i + 7));
		add_value(f->a, "slow", 10 * i, 4.0 / (1 + 0.08 * i) + 0.05 * sin(1.7 * i));
		add_value(f->a, "noisy", 10 * i,
			4.0 / (1 + 0.1 * (i - 5)) + 0.05 * sin(2.3 * i + 1));
		add_value(f->r, "ramp", 10 * i, 60 - i);
		add_value(f->a, "ramp", 10 * i, 66 - i);
	}
	add_run(f, false, "1", run_series_find(f->r, "m", AXIS_STEP));
	add_run(f, true, "1", run_series_find(f->a, "m", AXIS_STEP));
	assert_int_equal(assess(f)->lag.lag, 5);
	assert_close(f->s.lag.median_abs, 0, 0);
	assert_int_equal(f->s.lag.searched, 15);
	assert_int_equal(f->s.lag_shift, -50);
	assert_says(f, "lag", "with A taken 5 rows earlier the median |d| is 0 in place of");
	assert_says(f, "lag", "--shift -50 pairs these rows");
	f->attempts[0].series = run_series_find(f->a, "early", AXIS_STEP);
	assert_int_equal(assess(f)->lag.lag, -7);
	assert_int_equal(f->s.lag_shift, 70);
	f->attempts[0].series = run_series_find(f->a, "slow", AXIS_STEP);
	assert_in_range(assess(f)->lag.lag + 2, 0, 4);
	assert_int_equal(f->s.lag_shift, 0);
	f->attempts[0].series = run_series_find(f->a, "noisy", AXIS_STEP);
	assess(f);
	assert_int_equal(f->s.lag_shift, 0);
	f->references[0].series = run_series_find(f->r, "ramp", AXIS_STEP);
	f->attempts[0].series = run_series_find(f->a, "ramp", AXIS_STEP);
	assert_int_equal(assess(f)->lag.lag, 0);
	assert_says(f, "lag", "lag: none, no shift by up to 15 rows");
}

/* What both logs round away may be all of a gap that every seed shows. */
static void test_gap_under_the_digits(void **state)
{
	struct fixture *f = *state;

	add_runs(f, false, (double[]){ 1.5, 1.5, 1.5 }, 3);
	add_runs(f, true, (double[]){ 1.501, 1.501, 1.501 }, 3);
	f->input.margin = 1e-4;
	assert_int_equal(assess(f)->word, SEED_DIFFERS);
	f->options.resolution_reference = 0.005;
	f->options.resolution_attempt = 0.0005;
	assert_int_equal(assess(f)->word, SEED_NOT_DISTINGUISHABLE);
	assert_close(f->s.seeds.interval.low, -0.0045, 1e-9);
	assert_close(f->s.seeds.interval.high, 0.0065, 1e-9);
	assert_says(f, "conclusion", "of the interval 0.0055 each way is what the logs round away");
	f->input.margin = 0.006;	/* equal values alone would be within */
	assert_int_equal(assess(f)->word, SEED_NOT_DISTINGUISHABLE);
	f->input.margin = 0.007;
	assert_int_equal(assess(f)->word, SEED_AGREES);
}

/* Steps are told whole, also where a double holds every second one alone. */
static void test_large_steps(void **state)
{
	struct fixture *f = *state;
	const int64_t base = INT64_C(9007199254740993);
	struct run_series *runs[] = { f->r, f->a };

	for (size_t k = 0; k < 2; k++)
		for (int i = 0; i < 20; i++) {
			series_append(run_series_get(runs[k], "m", 1, AXIS_STEP), base + i, NAN,
				k && i >= 10 ? 9 : 1);
			series_append(run_series_get(runs[k], "lr", 2, AXIS_STEP), base + i, NAN,
				k && i >= 10 ? 3 : 1);
		}
	add_run(f, false, "1", run_series_find(f->r, "m", AXIS_STEP));
	add_run(f, true, "1", run_series_find(f->a, "m", AXIS_STEP));
	assess(f);
	assert_int_equal(f->s.invariants[0].first_step, base + 10);
	assert_says(f, "invariants", "first at 9007199254741003: 1 (R), 3 (A)");
	assert_says(f, "leaves", "leaves between 9007199254741002 and 9007199254741003");
	assert_says(f, "leaves", "learning rate of A jumps from 1 to 3 at 9007199254741003");
}

static void assert_sentences(struct fixture *f)
{
	static const char *const never[] = { "nan", "NaN", "inf", "Inf" };
	struct buf b = BUF_INIT;
	const char *id;

	for (size_t i = 0; assessment_statement(&b, &f->s, i, &id); i++)
		buf_addc(&b, '\n');
	for (size_t i = 0; i < ARRAY_LEN(never); i++)
		if (strstr(b.s, never[i])) {
			print_error("%s in %s\n", never[i], b.s);
			fail();
		}
	assert_true(b.n < 4000);	/* no number of 300 digits */
	buf_release(&b);
}

/* Near the end of what a double holds every sentence still says words or numbers. */
static void test_too_large(void **state)
{
	struct fixture *f = *state;

	for (int i = 0; i < 3; i++)
		add_run(f, false, arena_printf(&f->arena, "%d", i),
			curve(f->more, arena_printf(&f->arena, "r%d", i), 12, -1.5e308 + i * 1e307));
	add_run(f, true, "0", curve(f->more, "a", 12, 1.6e308));
	f->input.margin = 1;
	assert_int_equal(assess(f)->word, SEED_NOT_DISTINGUISHABLE);
	assert_says(f, "conclusion", "the values are too large to tell them apart");
	assert_brief(f, "not distinguishable: the values are too large to tell them apart");
	assert_sentences(f);
	f->options.scale = 100;
	f->options.decimals = 2;
	f->input.unit = "pp";
	assert_int_equal(assess(f)->word, SEED_NOT_DISTINGUISHABLE);
	assert_says(f, "conclusion", "a side has no value there that can be told");
	assert_says(f, "end", "R too large to tell, A too large to tell, d too large to tell");
	assert_sentences(f);
}

static void test_hostile_names(void **state)
{
	struct fixture *f = *state;
	int named = 0;

	add_runs(f, false, (double[]){ 86.5 }, 1);
	add_runs(f, true, (double[]){ 60 }, 1);
	add_value(f->r, "\x1b[2J/lr", 1, 1);
	add_value(f->a, "\x1b[2J/lr", 1, 2);
	add_value(f->a, "\x1b]0;x\x07", 1, NAN);
	assess(f);
	for (size_t i = 0;; i++) {
		struct buf b = BUF_INIT;
		const char *id;
		bool more = assessment_statement(&b, &f->s, i, &id);

		for (size_t k = 0; k < b.n; k++)
			assert_true((unsigned char)b.s[k] >= 0x20);
		named += more && (strstr(b.s, "^[[2J/lr") || strstr(b.s, "^[]0;x^G"));
		buf_release(&b);
		if (!more)
			break;
	}
	/* Told, and told by a name that can be seen. */
	assert_true(named > 0);
}

static void test_nothing_in_common(void **state)
{
	struct fixture *f = *state;

	add_run(f, false, "1", make_series(f->r, "m", POINTS(1, 1, 2, 1)));
	add_run(f, true, "1", make_series(f->a, "m", POINTS(11, 1, 12, 1)));
	assert_int_equal(assess(f)->word, SEED_NOT_MEASURED);
	assert_int_equal(f->s.first.state, FIRST_UNKNOWN);
	assert_false(f->s.has_lag);
	assert_string_equal(statement(f, "end"), "");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_one_seed_never_agrees),
		TEST(test_one_run_beside_seeds),
		TEST(test_seeds_a_side),
		TEST(test_equal_seeds_count_once),
		TEST(test_a_reference_that_cannot_gate),
		TEST(test_a_red_item),
		TEST(test_invariants),
		TEST(test_invariants_of_others),
		TEST(test_infinite_end),
		TEST(test_start),
		TEST(test_events),
		TEST(test_end_and_examples),
		TEST(test_too_fast),
		TEST(test_copies_are_no_seeds),
		TEST(test_band),
		TEST(test_band_of_few_points),
		TEST(test_noise_that_changes_nothing),
		TEST(test_lag),
		TEST(test_lag_of_many_rows),
		TEST(test_gap_under_the_digits),
		TEST(test_large_steps),
		TEST(test_too_large),
		TEST(test_hostile_names),
		TEST(test_nothing_in_common),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
