/*
 * test_silent_rule - what each rule says of given figures, and how often it is wrong.
 *
 * The rates in the table are upper limits: of simulated healthy runs the upper end of the
 * 95 % interval (Clopper-Pearson) of the measured rate must lie below the stated one; of
 * sick runs the lower end of the detected share above it.
 */
#include "config.h"

#include "tests/unit.h"

#include "curve/statistics.h"
#include "evidence/evidence_format.h"
#include "evidence/silent_rule.h"
#include "tests/evidence/simulator.h"

enum { RUNS = 1000, FEW_RUNS = 400, STEPS = 200, SAMPLES = 100, POINTS = 73 };

/* What one simulated run gives a rule. */
struct run {
	double v[STEPS], w[STEPS];
	struct run_signal signals[RUN_SIGNALS];
	struct evidence_facts facts;
	struct series *reference, *attempt, *repeats[2];
	struct run_series *series;
	struct comparison comparison;
	struct assessment assessment;
	struct arena a;
};

typedef void simulate_fn(struct random *r, struct run *run, struct silent_input *in, int sick);

static enum check_result ask(const struct silent_input *in, enum silent_rule_id id, struct arena *a)
{
	struct silent_finding findings[SILENT_RULES];

	silent_rules_ask(findings, in, a);
	return findings[id].result;
}

static int64_t refuted(enum silent_rule_id id, simulate_fn *simulate, int n, int sick)
{
	struct random r = { UINT64_C(20260101) + (uint64_t)id };
	struct run *run = xcalloc(1, sizeof *run);
	int64_t k = 0;

	for (int i = 0; i < n; i++) {
		struct silent_input in = { .accelerator = true };

		*run = (struct run){ .a = ARENA_INIT, .facts = EVIDENCE_FACTS_INIT };
		simulate(&r, run, &in, sick);
		k += ask(&in, id, &run->a) == CHECK_REFUTED;
		if (run->series) {
			assessment_release(&run->assessment);
			comparison_release(&run->comparison);
			run_series_free(run->series);
		}
		evidence_facts_release(&run->facts);
		arena_release(&run->a);
	}
	free(run);
	return k;
}

/* Both rates of one rule, as the table states them. */
static void measure(enum silent_rule_id id, simulate_fn *simulate, int n)
{
	const struct silent_rule *rule = &silent_rules[id];
	int64_t healthy = refuted(id, simulate, n, 0), sick = refuted(id, simulate, n, 1);
	struct interval wrong = binomial_exact_interval(healthy, n, 0.95);
	struct interval found = binomial_exact_interval(sick, n, 0.95);

	print_message("%s: %lld of %d healthy, %lld of %d sick refuted\n", rule->id,
		(long long)healthy, n, (long long)sick, n);
	assert_true(rule->false_alarms > 0);
	assert_true(*rule->effect != '\0');
	if (wrong.high > rule->false_alarms)
		fail_msg("%s: false alarms up to %g, stated %g", rule->id, wrong.high,
			rule->false_alarms);
	if (found.low < rule->detected)
		fail_msg("%s: detects from %g, stated %g", rule->id, found.low, rule->detected);
}

/* ---- numbers ---- */

static void simulate_classes(struct random *r, struct run *run, struct silent_input *in, int sick)
{
	static const struct step_illness recompiles = { .spikes = 0.05, .factor = 20 };

	simulate_steps(r, run->v, STEPS, sick ? &recompiles : NULL);
	in->step_s = (struct silent_numbers){ run->v, STEPS, "log" };
}

static void simulate_slow(struct random *r, struct run *run, struct silent_input *in, int sick)
{
	struct random same = *r;
	struct step_illness slow = { .slow = sick ? 5 : random_uniform(r, 0.5, 1.4) };

	/* One speed for both, and noise of their own. */
	simulate_steps(&same, run->w, STEPS, NULL);
	*r = same;
	simulate_steps(r, run->v, STEPS, NULL);
	for (size_t i = 0; i < STEPS; i++)
		run->v[i] = run->w[(i + 7) % STEPS] * slow.slow * exp(0.1 * random_normal(r));
	in->step_s = (struct silent_numbers){ run->v, STEPS, "log" };
	in->reference_step_s = (struct silent_numbers){ run->w, STEPS, "log" };
}

static void simulate_leak(struct random *r, struct run *run, struct silent_input *in, int sick)
{
	simulate_memory(r, run->v, SAMPLES, sick ? 0.2 : 0);
	for (size_t i = 0; i < SAMPLES; i++)
		run->w[i] = (double)i * 10;
	in->memory_bytes = (struct silent_numbers){ run->v, SAMPLES, "probe" };
	in->memory_x = (struct silent_numbers){ run->w, SAMPLES, NULL };
}

static void simulate_chip(struct random *r, struct run *run, struct silent_input *in, int sick)
{
	simulate_duty(r, run->v, 12, sick);
	in->duty_percent = (struct silent_numbers){ run->v, 12, "tpu-info" };
}

static void test_numbers(void **state)
{
	(void)state;
	measure(SILENT_STEP_CLASSES, simulate_classes, RUNS);
	measure(SILENT_SLOW_STEPS, simulate_slow, RUNS);
	measure(SILENT_MEMORY, simulate_leak, RUNS);
	measure(SILENT_IDLE, simulate_chip, RUNS);
}

/* ---- counters ---- */

static void simulate_counters(struct random *r, struct run *run, struct silent_input *in,
	const struct counter_illness *sick)
{
	static const struct run_signal_options options = { .logging_steps = 10 };
	const struct evidence_facts *set = &run->facts;
	struct buf text = BUF_INIT;
	struct evidence_source source;

	simulate_reports(r, &text, STEPS, sick);
	source = (struct evidence_source){ text.s, text.n, "metrics.txt", NULL };
	evidence_format_parse(&run->facts, evidence_format_find("xla-metrics"), &source);
	run_signals(run->signals, &run->a, &set, 1, &options);
	in->signals = run->signals;
	buf_release(&text);
}

static void simulate_shapes(struct random *r, struct run *run, struct silent_input *in, int sick)
{
	simulate_counters(r, run, in, sick ? &(struct counter_illness){ .shapes = 0.3 } : NULL);
}

static void simulate_graph(struct random *r, struct run *run, struct silent_input *in, int sick)
{
	simulate_counters(r, run, in, sick ? &(struct counter_illness){ .graph = 0.02 } : NULL);
}

static void simulate_tensors(struct random *r, struct run *run, struct silent_input *in, int sick)
{
	simulate_counters(r, run, in, sick ? &(struct counter_illness){ .leaks = 5 } : NULL);
}

static void simulate_reads(struct random *r, struct run *run, struct silent_input *in, int sick)
{
	simulate_counters(r, run, in, sick ? &(struct counter_illness){ .reads = 1 } : NULL);
}

static void test_counters(void **state)
{
	(void)state;
	measure(SILENT_RECOMPILATION, simulate_shapes, FEW_RUNS);
	measure(SILENT_GRAPH_GROWTH, simulate_graph, FEW_RUNS);
	measure(SILENT_TENSOR_LEAK, simulate_tensors, FEW_RUNS);
	measure(SILENT_HOST_READS, simulate_reads, FEW_RUNS);
}

/* ---- curves ---- */

static struct series *add_curve(struct run *run, const char *name)
{
	return run_series_get(run->series, name, strlen(name), AXIS_STEP);
}

static void compare_and_assess(struct run *run, struct silent_input *in, size_t seeds, double rtol)
{
	const struct assessment_run references[3] = { { "reference", "1", run->reference },
		{ "second", "2", run->repeats[0] }, { "third", "3", run->repeats[1] } };
	const struct assessment_run attempt = { "attempt", "1", run->attempt };
	struct compare_options o = COMPARE_OPTIONS_INIT;
	struct assessment_input input = { .comparison = &run->comparison,
		.reference = run->reference, .attempt = run->attempt, .references = references,
		.n_references = seeds, .attempts = &attempt, .n_attempts = 1, .margin = NAN,
		.precision = "bf16", .same_start = true };
	struct arena *own = arena_alloc(&run->a, sizeof *own);

	o.tolerance.rtol = rtol;
	o.direction = BETTER_LOWER;
	assert_int_equal(compare_series(&run->comparison, run->reference, run->attempt, &o), 0);
	/* It borrows the input. */
	input.references = arena_memdup(&run->a, references, sizeof references);
	input.attempts = arena_memdup(&run->a, &attempt, sizeof attempt);
	assessment_make(&run->assessment, &run->a, &input);
	in->comparison = &run->comparison;
	in->assessment = &run->assessment;
}

static void simulate_curves(struct random *r, struct run *run, struct silent_input *in,
	double noise, const struct curve_illness *sick, size_t seeds)
{
	run->series = run_series_new();
	run->reference = add_curve(run, "reference");
	run->attempt = add_curve(run, "attempt");
	simulate_loss(r, run->reference, POINTS, noise, NULL);
	simulate_loss(r, run->attempt, POINTS, noise, sick);
	for (size_t i = 0; i + 1 < seeds; i++) {
		run->repeats[i] = add_curve(run, i ? "third" : "second");
		simulate_loss(r, run->repeats[i], POINTS, noise, NULL);
	}
	compare_and_assess(run, in, seeds, 0.02);
}

static void simulate_start(struct random *r, struct run *run, struct silent_input *in, int sick)
{
	static const struct curve_illness off = { .first = 0.05 };

	simulate_curves(r, run, in, 0.005, sick ? &off : NULL, 1);
}

static void simulate_divergence(
	struct random *r, struct run *run, struct silent_input *in, int sick)
{
	static const struct curve_illness apart = { .late = 0.1 };

	simulate_curves(r, run, in, 0.005, sick ? &apart : NULL, 1);
}

/* Accuracies in percent at the last of two evaluations; the margin is 1. */
static void simulate_result(struct random *r, struct run *run, struct silent_input *in, int sick)
{
	struct series **all[] = { &run->reference, &run->attempt, &run->repeats[0],
		&run->repeats[1] };
	static const char *const names[] = { "reference", "attempt", "second", "third" };
	double sd = sick ? 0.8 : random_uniform(r, 0.1, 2);

	run->series = run_series_new();
	for (size_t i = 0; i < ARRAY_LEN(all); i++) {
		double end = 85 + sd * random_normal(r) - (sick && i == 1 ? 10 : 0);

		*all[i] = add_curve(run, names[i]);
		for (int64_t step = 100; step <= 1000; step += 100)
			series_append(*all[i], step, NAN, end);
	}
	compare_and_assess(run, in, 3, 1.0 / 85);
}

static void test_curves(void **state)
{
	(void)state;
	measure(SILENT_FIRST_STEP, simulate_start, FEW_RUNS);
	measure(SILENT_DIVERGENCE, simulate_divergence, FEW_RUNS);
	measure(SILENT_RESULT, simulate_result, FEW_RUNS);
}

/* Two curves at 1 from step FIRST of the attempt's on, 20 points each; the last OUT of the
 * attempt's lie 0.05 off, where 0.02 is tolerated. */
static struct silent_finding diverge(struct run *run, int64_t first, size_t out)
{
	enum { EACH = 20 };
	struct silent_input in = { 0 };
	struct silent_finding findings[SILENT_RULES];

	run->series = run_series_new();
	run->reference = add_curve(run, "reference");
	run->attempt = add_curve(run, "attempt");
	for (size_t i = 0; i < EACH; i++) {
		series_append(run->reference, (int64_t)i, NAN, 1);
		series_append(run->attempt, first + (int64_t)i, NAN, i + out < EACH ? 1 : 1.05);
	}
	compare_and_assess(run, &in, 1, 0.02);
	silent_rules_ask(findings, &in, &run->a);
	return findings[SILENT_DIVERGENCE];
}

/* What is confirmed, what has no common point, and what is neither. */
static void test_divergence_says(void **state)
{
	static const struct {
		int64_t first;
		size_t out;
		enum check_result result;
		const char *text;
	} rows[] = {
		{ 0, 0, CHECK_CONFIRMED, "all of 20 points lie inside the tolerance" },
		{ 1000, 0, CHECK_UNKNOWN, "no points that both have" },
		{ 0, 9, CHECK_UNKNOWN, "11 of 20 points lie inside the tolerance" },
		{ 0, 10, CHECK_REFUTED, "from step 10 on out for 10 points, up to the end" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct run run = { .a = ARENA_INIT };
		struct silent_finding f = diverge(&run, rows[i].first, rows[i].out);

		assert_int_equal(f.result, rows[i].result);
		if (!strstr(f.text, rows[i].text))
			fail_msg("%s, not: %s", f.text, rows[i].text);
		assessment_release(&run.assessment);
		comparison_release(&run.comparison);
		run_series_free(run.series);
		arena_release(&run.a);
	}
}

/* ---- rules over facts: exact ---- */

static struct silent_finding one(
	const struct silent_input *in, enum silent_rule_id id, struct arena *a)
{
	struct silent_finding findings[SILENT_RULES];

	silent_rules_ask(findings, in, a);
	return findings[id];
}

static void test_nothing_known(void **state)
{
	struct silent_input in = { .accelerator = true };
	struct silent_finding f[SILENT_RULES];
	struct arena a = ARENA_INIT;

	(void)state;
	silent_rules_ask(f, &in, &a);
	for (size_t i = 0; i < SILENT_RULES; i++) {
		assert_int_equal(f[i].result, CHECK_NOT_CHECKED);
		assert_true(*f[i].text != '\0');
		assert_ptr_equal(f[i].rule, &silent_rules[i]);
	}
	in.accelerator = false;
	assert_int_equal(one(&in, SILENT_DEVICE, &a).result, CHECK_NOT_APPLICABLE);
	assert_int_equal(one(&in, SILENT_IDLE, &a).result, CHECK_NOT_APPLICABLE);
	arena_release(&a);
}

/* Samples that are no numbers saw nothing: neither an idle chip nor a busy one. */
static void test_samples_without_numbers(void **state)
{
	double duty[8] = { NAN, NAN, INFINITY, NAN, NAN, NAN, NAN, NAN };
	struct silent_input in = { .accelerator = true, .duty_percent = { duty, 8, "samples" } };
	struct arena a = ARENA_INIT;

	(void)state;
	assert_int_equal(one(&in, SILENT_IDLE, &a).result, CHECK_NOT_CHECKED);
	duty[0] = 1;
	assert_int_equal(one(&in, SILENT_IDLE, &a).result, CHECK_UNKNOWN);
	for (size_t i = 0; i < SILENT_DUTY_MIN; i++)
		duty[i] = 1;
	assert_int_equal(one(&in, SILENT_IDLE, &a).result, CHECK_REFUTED);
	arena_release(&a);
}

static struct probe_answer *answer(
	struct probe_answer *all, const char *check, enum check_result result)
{
	for (size_t i = 0; i < PROBE_QUESTIONS; i++)
		all[i] = (struct probe_answer){ "", CHECK_NOT_CHECKED, "", "" };
	all[3] = (struct probe_answer){ check, result, "the probe saw it", "probe-0-1.jsonl:7" };
	return all;
}

static void test_answers_of_the_probe(void **state)
{
	static const struct {
		const char *check;
		enum silent_rule_id id;
	} rows[] = {
		{ "dev", SILENT_DEVICE }, { "grad", SILENT_REDUCTION },
		{ "opt-order", SILENT_OPTIMIZER }, { "params", SILENT_PARAMETERS },
		{ "ckpt", SILENT_CHECKPOINT }, { "steps", SILENT_STEPS }, { "batch", SILENT_BATCH },
	};
	static const enum check_result results[] = {
		CHECK_REFUTED, CHECK_CONFIRMED, CHECK_UNKNOWN };
	struct probe_answer all[PROBE_QUESTIONS];
	struct arena a = ARENA_INIT;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		for (size_t k = 0; k < ARRAY_LEN(results); k++) {
			struct silent_input in = { .accelerator = true,
				.answers = answer(all, rows[i].check, results[k]) };
			struct silent_finding f = one(&in, rows[i].id, &a);

			assert_int_equal(f.result, results[k]);
			assert_string_equal(f.text, "the probe saw it");
			if (rows[i].id != SILENT_STEPS && rows[i].id != SILENT_BATCH)
				assert_string_equal(f.places, "probe-0-1.jsonl:7");
			in.simulated = true;
			f = one(&in, rows[i].id, &a);
			if (results[k] == CHECK_CONFIRMED)
				assert_int_equal(f.result, CHECK_UNKNOWN);
			/* What it does wrong is wrong on a stand-in, too: but not its device. */
			if (results[k] == CHECK_REFUTED)
				assert_int_equal(f.result, rows[i].id == SILENT_DEVICE
						? CHECK_UNKNOWN : CHECK_REFUTED);
		}
	arena_release(&a);
}

/* A refutation of either side stands; what one leaves open the other may answer. */
static void test_device_of_two_sides(void **state)
{
	static const struct {
		enum check_result probe, proof;
		enum check_result result;
		const char *text;
	} rows[] = {
		{ CHECK_REFUTED, CHECK_CONFIRMED, CHECK_REFUTED, "the probe saw it" },
		{ CHECK_CONFIRMED, CHECK_REFUTED, CHECK_REFUTED, "the chips say it" },
		{ CHECK_CONFIRMED, CHECK_UNKNOWN, CHECK_CONFIRMED, "the probe saw it" },
		{ CHECK_UNKNOWN, CHECK_CONFIRMED, CHECK_CONFIRMED, "the chips say it" },
		{ CHECK_UNKNOWN, CHECK_NOT_CHECKED, CHECK_UNKNOWN, "the probe saw it" },
	};
	struct probe_answer all[PROBE_QUESTIONS];
	struct arena a = ARENA_INIT;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct device_proof proof = { .result = rows[i].proof, .text = "the chips say it" };
		struct silent_input in = { .accelerator = true, .proof = &proof,
			.answers = answer(all, "dev", rows[i].probe) };
		struct silent_finding f = one(&in, SILENT_DEVICE, &a);

		assert_int_equal(f.result, rows[i].result);
		assert_string_equal(f.text, rows[i].text);
	}
	arena_release(&a);
}

/* The figure of a signal is handed on where there is one. */
/* Few samples, as a short run logs them: a steady rise is one, a noisy level never is. */
static void test_few_samples_of_memory(void **state)
{
	double x[10], y[10];
	struct silent_input in = { .memory_x = { x, 10, NULL }, .memory_bytes = { y, 10, "log" } };
	struct silent_finding f[SILENT_RULES];
	struct arena a = ARENA_INIT;
	uint64_t random = 1;
	int alarms = 0;

	(void)state;
	for (size_t i = 0; i < 10; i++) {
		x[i] = 8 * (double)(i + 1);
		y[i] = 1.5 * (double)(i + 1) * 1048576;
	}
	silent_rules_ask(f, &in, &a);
	assert_int_equal(f[SILENT_MEMORY].result, CHECK_REFUTED);
	assert_string_equal(f[SILENT_MEMORY].text,
		"it grows in each of 8 samples, to 3.33 times what it was, and still at their end");
	in.memory_x.n = in.memory_bytes.n = 7;
	for (int run = 0; run < 1000; run++) {
		for (size_t i = 0; i < 7; i++) {
			random = random * 6364136223846793005ULL + 1442695040888963407ULL;
			y[i] = 1048576 * (1 + (double)(random >> 40) / 16777216.0);
		}
		silent_rules_ask(f, &in, &a);
		alarms += f[SILENT_MEMORY].result == CHECK_REFUTED;
	}
	assert_true(alarms <= 10);	/* the stated rate: 1 of 100 */
	arena_release(&a);
}

static void test_figures_of_signals(void **state)
{
	struct run_signal signals[RUN_SIGNALS] = { 0 };
	struct silent_input in = { .signals = signals };
	struct arena a = ARENA_INIT;
	struct silent_finding f;

	(void)state;
	for (size_t i = 0; i < RUN_SIGNALS; i++)
		signals[i] = (struct run_signal){ .result = CHECK_CONFIRMED, .text = "flat",
			.value = 1.5 };
	f = one(&in, SILENT_GRAPH_GROWTH, &a);
	assert_int_equal(f.result, CHECK_CONFIRMED);
	assert_false(f.has_value);
	for (size_t i = 0; i < RUN_SIGNALS; i++)
		signals[i].has_value = true;
	f = one(&in, SILENT_GRAPH_GROWTH, &a);
	assert_true(f.has_value);
	assert_near(f.value, 1.5, 1e-12);
	arena_release(&a);
}

static void test_zero_loss(void **state)
{
	double loss[] = { 2, 1, 0, 0, 0, 0.5 }, nan_norm[] = { 1, 1, NAN, NAN, INFINITY, 1 };
	double finite[] = { 1, 1, 1, 1, 1, 1 };
	struct silent_input in = { .loss = { loss, 6, "log" } };
	struct arena a = ARENA_INIT;

	(void)state;
	assert_int_equal(ask(&in, SILENT_ZERO_LOSS, &a), CHECK_UNKNOWN);
	in.gradient_norm = (struct silent_numbers){ finite, 6, NULL };
	assert_int_equal(ask(&in, SILENT_ZERO_LOSS, &a), CHECK_UNKNOWN);
	in.gradient_norm.v = nan_norm;
	assert_int_equal(ask(&in, SILENT_ZERO_LOSS, &a), CHECK_REFUTED);
	loss[3] = 0.01;
	assert_int_equal(ask(&in, SILENT_ZERO_LOSS, &a), CHECK_CONFIRMED);
	arena_release(&a);
}

static enum check_result compare_facts(struct run_facts *t, enum silent_rule_id id,
	const struct comparable_declaration *declared, struct arena *a)
{
	struct run_facts r = RUN_FACTS_INIT;
	struct comparable c;
	struct silent_input in = { .reference_facts = &r, .facts = t, .comparable = &c };

	r.steps = 1000;
	r.batch = 64;
	r.parameters = 1e8;
	r.data = "sst2@1";
	r.eval_examples = 872;
	comparable_check(&c, a, &(struct comparable_input){ .reference = &r, .attempt = t,
		.declared = declared, .n_declared = declared ? 1 : 0 });
	return ask(&in, id, a);
}

static void test_weakened(void **state)
{
	static const struct comparable_declaration on_purpose = { "steps", "a quarter is enough" };
	struct run_facts same = RUN_FACTS_INIT, t;
	struct arena a = ARENA_INIT;

	(void)state;
	same.steps = 1000;
	same.batch = 64;
	same.parameters = 1e8;
	same.data = "sst2@1";
	same.eval_examples = 872;
	t = same;
	assert_int_equal(compare_facts(&t, SILENT_WEAKENED, NULL, &a), CHECK_CONFIRMED);
	assert_int_equal(compare_facts(&t, SILENT_STEPS, NULL, &a), CHECK_CONFIRMED);
	assert_int_equal(compare_facts(&t, SILENT_BATCH, NULL, &a), CHECK_CONFIRMED);
	t.steps = 900;
	assert_int_equal(compare_facts(&t, SILENT_WEAKENED, NULL, &a), CHECK_REFUTED);
	assert_int_equal(compare_facts(&t, SILENT_STEPS, NULL, &a), CHECK_REFUTED);
	assert_int_equal(compare_facts(&t, SILENT_WEAKENED, &on_purpose, &a), CHECK_UNKNOWN);
	t.steps = 1100;		/* unequal, and no weaker */
	assert_int_equal(compare_facts(&t, SILENT_WEAKENED, NULL, &a), CHECK_UNKNOWN);
	assert_int_equal(compare_facts(&t, SILENT_STEPS, NULL, &a), CHECK_REFUTED);
	t = same;
	t.parameters = 5e7;
	assert_int_equal(compare_facts(&t, SILENT_WEAKENED, NULL, &a), CHECK_REFUTED);
	t = same;
	t.data = "sst2@2";
	assert_int_equal(compare_facts(&t, SILENT_WEAKENED, NULL, &a), CHECK_REFUTED);
	t = same;
	t.batch = 32;
	assert_int_equal(compare_facts(&t, SILENT_BATCH, NULL, &a), CHECK_REFUTED);
	t.batch = NAN;
	assert_int_equal(compare_facts(&t, SILENT_BATCH, NULL, &a), CHECK_UNKNOWN);
	arena_release(&a);
}

static void test_versions(void **state)
{
	static const struct evidence_fact fact = {
		.name = FACT_PACKAGE_VERSION, .key = "accelerate", .text = "0.22.0", .line = 3
	};
	static const struct package_known known = {
		.package = "accelerate", .happens = "clips first", .condition = "world_size > 1"
	};
	const struct package_hit hit = { .known = &known, .package = &fact };
	enum truth holds = TRUTH_TRUE;
	struct silent_input in = { .packages_known = true, .hits = &hit, .hits_hold = &holds };
	struct arena a = ARENA_INIT;
	struct silent_finding f;

	(void)state;
	assert_int_equal(ask(&in, SILENT_VERSIONS, &a), CHECK_CONFIRMED);
	in.hits_n = 1;
	f = one(&in, SILENT_VERSIONS, &a);
	assert_int_equal(f.result, CHECK_REFUTED);
	assert_int_equal(f.facts_n, 1);
	assert_int_equal(f.facts[0]->line, 3);
	holds = TRUTH_UNKNOWN;
	assert_int_equal(ask(&in, SILENT_VERSIONS, &a), CHECK_UNKNOWN);
	holds = TRUTH_FALSE;
	assert_int_equal(ask(&in, SILENT_VERSIONS, &a), CHECK_CONFIRMED);
	arena_release(&a);
}

/* Evaluations at one distance are no second class. */
static void test_periodic_steps(void **state)
{
	static const size_t irregular[] = { 61, 68, 90, 137, 171 };
	double v[STEPS];
	struct silent_input in = { .step_s = { v, STEPS, "log" } };
	struct arena a = ARENA_INIT;

	(void)state;
	for (size_t i = 0; i < STEPS; i++)
		v[i] = i % 25 == 24 ? 10 : 1 + 0.001 * (double)(i % 7);
	assert_int_equal(ask(&in, SILENT_STEP_CLASSES, &a), CHECK_UNKNOWN);
	for (size_t i = 0; i < ARRAY_LEN(irregular); i++)
		v[irregular[i]] = 9;
	assert_int_equal(ask(&in, SILENT_STEP_CLASSES, &a), CHECK_REFUTED);
	in.step_s.n = 30;
	assert_int_equal(ask(&in, SILENT_STEP_CLASSES, &a), CHECK_UNKNOWN);
	arena_release(&a);
}

/* At least the first fifth is warm-up, however even the steps are. */
static void test_first_fifth(void **state)
{
	double v[STEPS];
	struct silent_input in = { .step_s = { v, STEPS, "log" } };
	struct arena a = ARENA_INIT;
	struct silent_finding f;

	(void)state;
	for (size_t i = 0; i < STEPS; i++)
		v[i] = 1 + 0.001 * (double)(i % 7);
	f = one(&in, SILENT_STEP_CLASSES, &a);
	assert_int_equal(f.result, CHECK_CONFIRMED);
	assert_string_equal(f.text,
		arena_printf(&a, "%d steps of about 1 s", (int)STEPS - (int)STEPS / 5));
	arena_release(&a);
}

/* Every row says what it says in full; one that is sampled says at which effect. */
static void test_table(void **state)
{
	struct buf b = BUF_INIT;

	(void)state;
	for (size_t i = 0; i < SILENT_RULES; i++) {
		const struct silent_rule *rule = &silent_rules[i];

		assert_non_null(rule->id);
		assert_true(*rule->question && *rule->next && rule->minutes > 0);
		assert_true(rule->false_alarms >= 0 && rule->false_alarms <= 0.05);
		assert_int_equal(rule->false_alarms > 0, *rule->effect != '\0');
		for (size_t k = 0; k < i; k++)
			assert_string_not_equal(rule->id, silent_rules[k].id);
		buf_clear(&b);
		silent_rule_add_rate(&b, rule);
		assert_non_null(strstr(b.s, rule->false_alarms > 0 ? "of 100" : "none"));
	}
	buf_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table),
		cmocka_unit_test(test_nothing_known),
		cmocka_unit_test(test_samples_without_numbers),
		cmocka_unit_test(test_answers_of_the_probe),
		cmocka_unit_test(test_device_of_two_sides),
		cmocka_unit_test(test_figures_of_signals),
		cmocka_unit_test(test_few_samples_of_memory),
		cmocka_unit_test(test_zero_loss),
		cmocka_unit_test(test_weakened),
		cmocka_unit_test(test_versions),
		cmocka_unit_test(test_periodic_steps),
		cmocka_unit_test(test_first_fifth),
		cmocka_unit_test(test_divergence_says),
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_counters),
		cmocka_unit_test(test_curves),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
