/*
 * What counters and looks at the device amount to: each limit from both sides, resets,
 * reports that are cut off, and claims of one and of four chips.
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/fs.h"
#include "evidence/device_proof.h"
#include "evidence/evidence_format.h"
#include "evidence/run_signal.h"
#include "evidence/tpu_info.h"

static void parse(struct evidence_facts *facts, const char *format, const char *text, size_t n)
{
	struct evidence_source source = { text, n, "", NULL };

	*facts = (struct evidence_facts)EVIDENCE_FACTS_INIT;
	evidence_format_parse(facts, evidence_format_find(format), &source);
}

static void parse_sample(struct evidence_facts *facts, const char *format, const char *file)
{
	struct arena a = ARENA_INIT;
	struct buf text = BUF_INIT;
	const char *top = getenv("srcdir");

	assert_int_equal(fs_read(&text, arena_printf(&a, "%s/tests/evidence/samples/%s",
						top ? top : ".", file), 0), 0);
	parse(facts, format, text.s, text.n);
	buf_release(&text);
	arena_release(&a);
}

static void signals_of(struct run_signal out[RUN_SIGNALS], struct arena *a,
	const struct evidence_facts *facts, double logging_steps)
{
	const struct run_signal_options options = { logging_steps };
	const struct evidence_facts *const sets[] = { facts };

	run_signals(out, a, sets, 1, &options);
	for (int i = 0; i < RUN_SIGNALS; i++) {
		assert_ptr_equal(out[i].rule, &run_signal_rules[i]);
		assert_non_null(out[i].text);
	}
}

/* ---- samples ---- */

struct expected {
	const char *file, *format;
	enum check_result results[RUN_SIGNALS];
};

#define NO CHECK_REFUTED
#define YES CHECK_CONFIRMED
#define OPEN CHECK_UNKNOWN
#define NONE CHECK_NOT_CHECKED

static const struct expected expected[] = {
	{ "xla_metrics_healthy.txt", "xla-metrics", { YES, YES, YES, YES, OPEN, OPEN, YES } },
	{ "xla_metrics_recompiling.txt", "xla-metrics", { NO, NO, NO, NO, OPEN, OPEN, YES } },
	{ "xla_metrics_file_steps.txt", "xla-metrics", { YES, YES, YES, YES, NONE, NONE, OPEN } },
	{ "xla_metrics_empty.txt", "xla-metrics", { NONE, NONE, NONE, NONE, NONE, NONE, NO } },
	{ "ptxla_profiler_lines.txt", "xla-profiler", { NO, NO, NONE, NO, NONE, NONE, NONE } },
	{ "ptxla_profiler_exit_summary.txt", "xla-profiler",
		{ NONE, NONE, NONE, NO, NONE, NONE, NONE } },
	{ "ptxla_profiler_exit_empty.txt", "xla-profiler",
		{ NONE, NONE, NONE, NONE, NONE, NONE, NONE } },
	{ "ptxla_debug_compile_storm.txt", "xla-debug",
		{ NO, NO, NONE, NONE, NONE, NONE, NONE } },
	/* Five executions are too few to clear it, and show nothing bad. */
	{ "ptxla_debug_healthy.txt", "xla-debug",
		{ OPEN, OPEN, NONE, NONE, NONE, NONE, NONE } },
	{ "ptxla_debug_old_wording.txt", "xla-debug",
		{ OPEN, NO, NONE, NONE, NONE, NONE, NONE } },
	{ "ptxla_debug_unknown_sizes.txt", "xla-debug",
		{ NONE, NONE, NONE, NONE, NONE, NONE, NONE } },
	{ "torchtpu_cpu_fallback.txt", "torchtpu", { NONE, NONE, NONE, NO, NONE, NONE, NONE } },
};

static void test_samples(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(expected); i++) {
		struct arena a = ARENA_INIT;
		struct evidence_facts facts;
		struct run_signal s[RUN_SIGNALS];

		parse_sample(&facts, expected[i].format, expected[i].file);
		signals_of(s, &a, &facts, 50);
		for (int k = 0; k < RUN_SIGNALS; k++)
			if (s[k].result != expected[i].results[k])
				fail_msg("%s: %s is %d: %s", expected[i].file, s[k].rule->id,
					s[k].result, s[k].text);
		evidence_facts_release(&facts);
		arena_release(&a);
	}
}

static void test_values(void **state)
{
	struct arena a = ARENA_INIT;
	struct evidence_facts facts;
	struct run_signal s[RUN_SIGNALS];

	(void)state;
	parse_sample(&facts, "xla-metrics", "xla_metrics_recompiling.txt");
	signals_of(s, &a, &facts, 0);
	assert_true(s[SIGNAL_RECOMPILATION].value == 0.95);
	assert_true(s[SIGNAL_HOST_READS].value == 121 / 40.0);
	assert_true(s[SIGNAL_DYNAMIC_SHAPE].value == 1);
	assert_int_equal(s[SIGNAL_CPU_FALLBACK].facts_n, 1);
	assert_string_equal(s[SIGNAL_CPU_FALLBACK].facts[0]->key, "aten::_linalg_svd");
	assert_int_equal(s[SIGNAL_CPU_FALLBACK].facts[0]->integer, 12);
	assert_string_equal(s[SIGNAL_RECOMPILATION].text,
		"38 compilations in 40 steps, the warm-up among them");
	evidence_facts_release(&facts);
	arena_release(&a);
}

/* ---- limits ---- */

struct counts { double steps, compiles, reads, nonzero, graph, created, destroyed; };

static void add_counter(struct buf *text, const char *name, double value)
{
	if (value > 0)
		buf_addf(text, "Counter: %s\n  Value: %.0f\n", name, value);
}

static void add_report(struct buf *text, int call, const struct counts *c)
{
	buf_addf(text, "[MetricsData; step=%d]\nMetric: ExecuteTime\n  TotalSamples: %.0f\n", call,
		c->steps);
	if (c->graph > 0)
		buf_addf(text, "Metric: TensorsGraphSize\n  Percentiles: 50%%=%.2f\n", c->graph);
	add_counter(text, "CreateXlaTensor", c->created);
	add_counter(text, "DestroyXlaTensor", c->destroyed);
	add_counter(text, "MarkStep", c->steps);
	add_counter(text, "UncachedCompile", c->compiles);
	add_counter(text, "aten::_local_scalar_dense", c->reads);
	add_counter(text, "aten::nonzero", c->nonzero);
	buf_addc(text, '\n');
}

static void assert_signal(enum run_signal_id id, const struct counts *list, size_t n,
	double logging, enum check_result result)
{
	struct arena a = ARENA_INIT;
	struct buf text = BUF_INIT;
	struct evidence_facts facts;
	struct run_signal s[RUN_SIGNALS];

	for (size_t i = 0; i < n; i++)
		add_report(&text, (int)i, &list[i]);
	parse(&facts, "xla-metrics", text.s, text.n);
	signals_of(s, &a, &facts, logging);
	if (s[id].result != result)
		fail_msg("%s of %s... is %d, not %d: %s", s[id].rule->id, text.s, s[id].result,
			result, s[id].text);
	evidence_facts_release(&facts);
	buf_release(&text);
	arena_release(&a);
}

#define SIGNAL_IS(id, logging, result, ...) do { \
	const struct counts list[] = { __VA_ARGS__ }; \
	assert_signal(id, list, ARRAY_LEN(list), logging, result); \
} while (0)

static void test_recompilation(void **state)
{
	(void)state;
	/* One report: the bounds of what the warm-up took. */
	SIGNAL_IS(SIGNAL_RECOMPILATION, 0, OPEN, { .steps = 19, .compiles = 19 });
	SIGNAL_IS(SIGNAL_RECOMPILATION, 0, NO, { .steps = 110, .compiles = 21 });
	SIGNAL_IS(SIGNAL_RECOMPILATION, 0, OPEN, { .steps = 110, .compiles = 20 });
	SIGNAL_IS(SIGNAL_RECOMPILATION, 0, OPEN, { .steps = 110, .compiles = 2 });
	SIGNAL_IS(SIGNAL_RECOMPILATION, 0, YES, { .steps = 110, .compiles = 1 });
	SIGNAL_IS(SIGNAL_RECOMPILATION, 0, OPEN, { .compiles = 5 });
	/* Two: what came between them. */
	SIGNAL_IS(SIGNAL_RECOMPILATION, 0, YES, { .steps = 10, .compiles = 9 },
		{ .steps = 20, .compiles = 9 });
	SIGNAL_IS(SIGNAL_RECOMPILATION, 0, OPEN, { .steps = 10, .compiles = 9 },
		{ .steps = 19, .compiles = 9 });
	SIGNAL_IS(SIGNAL_RECOMPILATION, 0, OPEN, { .steps = 10, .compiles = 9 },
		{ .steps = 20, .compiles = 10 });
	SIGNAL_IS(SIGNAL_RECOMPILATION, 0, NO, { .steps = 10, .compiles = 9 },
		{ .steps = 20, .compiles = 11 });
	/* Rising in three reports is enough, however few they are. */
	SIGNAL_IS(SIGNAL_RECOMPILATION, 0, NO, { .steps = 100, .compiles = 3 },
		{ .steps = 200, .compiles = 4 }, { .steps = 300, .compiles = 5 },
		{ .steps = 400, .compiles = 6 });
	SIGNAL_IS(SIGNAL_RECOMPILATION, 0, OPEN, { .steps = 100, .compiles = 3 },
		{ .steps = 200, .compiles = 4 }, { .steps = 300, .compiles = 5 },
		{ .steps = 400, .compiles = 5 });
	/* A reset: the first stretch is the bad one. */
	SIGNAL_IS(SIGNAL_RECOMPILATION, 0, NO, { .steps = 10, .compiles = 9 },
		{ .steps = 20, .compiles = 19 }, { .steps = 1, .compiles = 1 },
		{ .steps = 500, .compiles = 1 });
}

static void test_other_limits(void **state)
{
	(void)state;
	SIGNAL_IS(SIGNAL_HOST_READS, 0, YES, { .steps = 100, .reads = 10 });
	SIGNAL_IS(SIGNAL_HOST_READS, 0, OPEN, { .steps = 100, .reads = 11 });
	SIGNAL_IS(SIGNAL_HOST_READS, 0, OPEN, { .steps = 100, .reads = 49 });
	SIGNAL_IS(SIGNAL_HOST_READS, 0, NO, { .steps = 100, .reads = 50 });
	SIGNAL_IS(SIGNAL_HOST_READS, 0, OPEN, { .steps = 19, .reads = 19 });
	SIGNAL_IS(SIGNAL_HOST_READS, 5, YES, { .steps = 100, .reads = 20 });
	SIGNAL_IS(SIGNAL_HOST_READS, 50, OPEN, { .steps = 100, .reads = 3 });
	SIGNAL_IS(SIGNAL_DYNAMIC_SHAPE, 0, YES, { .steps = 100 });
	SIGNAL_IS(SIGNAL_DYNAMIC_SHAPE, 0, OPEN, { .steps = 100, .nonzero = 1 });
	SIGNAL_IS(SIGNAL_DYNAMIC_SHAPE, 0, NO, { .steps = 100, .nonzero = 50 });
	SIGNAL_IS(SIGNAL_GRAPH_GROWTH, 0, YES, { .steps = 10, .graph = 100 },
		{ .steps = 20, .graph = 110 });
	SIGNAL_IS(SIGNAL_GRAPH_GROWTH, 0, OPEN, { .steps = 10, .graph = 100 },
		{ .steps = 20, .graph = 111 });
	SIGNAL_IS(SIGNAL_GRAPH_GROWTH, 0, NO, { .steps = 10, .graph = 100 },
		{ .steps = 20, .graph = 101 }, { .steps = 30, .graph = 102 },
		{ .steps = 40, .graph = 103 });
	SIGNAL_IS(SIGNAL_TENSOR_LEAK, 0, YES, { .steps = 10, .created = 50, .destroyed = 40 },
		{ .steps = 20, .created = 90, .destroyed = 80 });
	SIGNAL_IS(SIGNAL_TENSOR_LEAK, 0, OPEN, { .steps = 10, .created = 50, .destroyed = 40 },
		{ .steps = 20, .created = 91, .destroyed = 80 });
	SIGNAL_IS(SIGNAL_TENSOR_LEAK, 0, NO, { .steps = 10, .created = 50, .destroyed = 40 },
		{ .steps = 20, .created = 91, .destroyed = 80 },
		{ .steps = 30, .created = 132, .destroyed = 120 },
		{ .steps = 40, .created = 173, .destroyed = 160 });
	SIGNAL_IS(SIGNAL_EXECUTION, 0, YES, { .steps = 1 });
	SIGNAL_IS(SIGNAL_EXECUTION, 0, NO, { .reads = 1 });
}

/* What a report that was cut off does not name is not zero. */
static void test_cut_off(void **state)
{
	static const char text[] =
		"Metric: ExecuteTime\n  TotalSamples: 500\nCounter: MarkStep\n"
		"  Value: 500\nCounter: UncachedCompile\n  Value: 3\nCounter: at";
	struct arena a = ARENA_INIT;
	struct evidence_facts facts;
	struct run_signal s[RUN_SIGNALS];

	(void)state;
	parse(&facts, "xla-metrics", text, strlen(text));
	assert_true(facts.health.truncated);
	signals_of(s, &a, &facts, 0);
	assert_int_equal(s[SIGNAL_CPU_FALLBACK].result, CHECK_UNKNOWN);
	assert_int_equal(s[SIGNAL_HOST_READS].result, CHECK_UNKNOWN);
	assert_int_equal(s[SIGNAL_DYNAMIC_SHAPE].result, CHECK_UNKNOWN);
	assert_int_equal(s[SIGNAL_RECOMPILATION].result, CHECK_CONFIRMED);
	evidence_facts_release(&facts);
	arena_release(&a);
}

/* A long file is thinned: totals, segments and differences stay exact. */
static void test_long_file(void **state)
{
	struct buf text = BUF_INIT;
	struct evidence_facts facts;
	const struct evidence_fact *f = NULL;
	double increases = 0;

	(void)state;
	for (int i = 0; i < 1000; i++) {
		const struct counts c = { .steps = i % 600 + 1, .compiles = i % 600 / 7 + 1 };

		add_report(&text, i, &c);
	}
	parse(&facts, "xla-metrics", text.s, text.n);
	assert_int_equal(evidence_facts_last(&facts, FACT_XLA_REPORTS, NULL)->integer, 1000);
	assert_int_equal(evidence_facts_last(&facts, FACT_XLA_SEGMENTS, NULL)->integer, 2);
	assert_int_equal(facts.health.dropped, 0);
	while ((f = evidence_facts_next(&facts, f, FACT_XLA_COUNTER_INCREASE, "MarkStep")))
		increases += f->number;
	/* From the first report of each segment that is kept to its last one. */
	assert_in_range((int)increases, 599 + 399 - 40, 599 + 399);
	assert_int_equal(evidence_facts_last(&facts, FACT_XLA_COUNTER, "MarkStep")->integer, 400);
	evidence_facts_release(&facts);
	buf_release(&text);
}

static void test_ordinal(void **state)
{
	static const char text[] = "[MetricsData; step=0]\nCounter: MarkStep\n  Value: 1\n\n";
	struct evidence_source source = { text, strlen(text), "metrics.txt.3", NULL };
	struct evidence_facts facts = EVIDENCE_FACTS_INIT;

	(void)state;
	evidence_format_parse(&facts, evidence_format_recognise(&source, NULL), &source);
	assert_int_equal(evidence_facts_last(&facts, FACT_XLA_ORDINAL, NULL)->integer, 3);
	evidence_facts_release(&facts);
}

/* ---- is it really on the TPU? ---- */

static enum check_result prove(struct device_proof *proof, struct arena *a, const char *devices,
	const char *log, int chips, bool during_steps)
{
	static const int64_t pids[] = { 100, 200 };
	const struct device_claim claim = { .chips = chips, .pids = pids, .pids_n = 2,
		.during_steps = during_steps };
	struct evidence_facts facts[2];
	const struct evidence_facts *const sets[] = { &facts[0], &facts[1] };
	enum check_result result;

	parse(&facts[0], "tpu-info", devices, strlen(devices));
	parse(&facts[1], "xla-log", log, strlen(log));
	device_proof_make(proof, a, sets, 2, &claim);
	result = proof->result;
	evidence_facts_release(&facts[0]);
	evidence_facts_release(&facts[1]);
	return result;
}

static void add_look(struct buf *text, const char *pid0, const char *pid1, const char *duty0,
	const char *duty1)
{
	buf_adds(text, "@ 2026-11-02T10:00:00.000Z\n");
	buf_addf(text,
		"TPU Chips\n\n| Chip | Type | Devices | PID |\n|---|---|---|---|\n"
		"| /dev/vfio/0 | v6e | 1 | %s |\n| /dev/vfio/1 | v6e | 1 | %s |\n\n",
		pid0, pid1);
	buf_addf(text,
		"TPU Runtime Utilization\n\n| Chip | HBM Usage (GiB) | Duty cycle |\n"
		"|---|---|---|\n| 0 | N/A | %s |\n| 1 | N/A | %s |\n\n",
		duty0, duty1);
}

static void test_proof(void **state)
{
	static const char on_cpu[] = "WARNING:root:Defaulting to PJRT_DEVICE=CPU\n";
	struct arena a = ARENA_INIT;
	struct buf one = BUF_INIT, two = BUF_INIT, idle = BUF_INIT, partly = BUF_INIT,
		   other = BUF_INIT;
	struct device_proof p;

	(void)state;
	add_look(&one, "100", "100", "88.1%", "80.0%");
	for (int i = 0; i < 2; i++) {
		add_look(&two, "100", "200", "88.1%", "80.0%");
		add_look(&idle, "N/A", "N/A", "0.00%", "0.00%");
		add_look(&partly, "100", "100", "97.3%", "0.00%");
		add_look(&other, "7", "7", "97.3%", "90.0%");
	}
	assert_int_equal(prove(&p, &a, two.s, "", 2, true), CHECK_CONFIRMED);
	assert_int_equal(p.chips_proven, 2);
	/* One sample is not several. */
	assert_int_equal(prove(&p, &a, one.s, "", 2, true), CHECK_UNKNOWN);
	assert_int_equal(p.looks[LOOK_HOLDER].result, CHECK_CONFIRMED);
	assert_int_equal(prove(&p, &a, idle.s, "", 1, true), CHECK_REFUTED);
	/* Nobody knows that steps ran then. */
	assert_int_equal(prove(&p, &a, idle.s, "", 1, false), CHECK_UNKNOWN);
	/* Both chips are held, one works. */
	assert_int_equal(prove(&p, &a, partly.s, "", 1, true), CHECK_CONFIRMED);
	assert_int_equal(prove(&p, &a, partly.s, "", 2, true), CHECK_REFUTED);
	assert_int_equal(p.chips[0].result, CHECK_CONFIRMED);
	assert_int_equal(p.chips[1].result, CHECK_REFUTED);
	/* Somebody else's process. */
	assert_int_equal(prove(&p, &a, other.s, "", 1, true), CHECK_UNKNOWN);
	/* More chips than there are. */
	assert_int_equal(prove(&p, &a, two.s, "", 4, true), CHECK_UNKNOWN);
	assert_int_equal(prove(&p, &a, "", on_cpu, 1, true), CHECK_REFUTED);
	assert_int_equal(prove(&p, &a, two.s, on_cpu, 2, true), CHECK_UNKNOWN);
	assert_string_equal(p.text, "the evidence contradicts itself");
	assert_int_equal(prove(&p, &a, "No TPU chips found.\n", "", 1, true), CHECK_REFUTED);
	assert_int_equal(prove(&p, &a, "", "", 1, true), CHECK_UNKNOWN);
	buf_release(&one);
	buf_release(&two);
	buf_release(&idle);
	buf_release(&partly);
	buf_release(&other);
	arena_release(&a);
}

static void add_text(struct evidence_facts *f, enum evidence_fact_name name, const char *text)
{
	evidence_add(f, (struct evidence_place){ 1, -1 }, name, SPAN_NONE, span_of(text));
}

/* Counters and the real device prove one chip, and no more; counters alone nothing. */
static void test_proof_by_device(void **state)
{
	const struct device_claim one = { .chips = 1 }, four = { .chips = 4 };
	struct evidence_facts metrics, device = EVIDENCE_FACTS_INIT;
	const struct evidence_facts *const sets[] = { &metrics, &device };
	struct arena a = ARENA_INIT;
	struct device_proof p;

	(void)state;
	parse_sample(&metrics, "xla-metrics", "xla_metrics_healthy.txt");
	device_proof_make(&p, &a, sets, 1, &one);
	assert_int_equal(p.looks[LOOK_COUNTERS].result, CHECK_CONFIRMED);
	assert_int_equal(p.result, CHECK_UNKNOWN);
	add_text(&device, FACT_DEVICE_REAL, "TPU:0");
	add_text(&device, FACT_DEVICE_PARAMETERS, "xla:0");
	device_proof_make(&p, &a, sets, 2, &one);
	assert_int_equal(p.looks[LOOK_DEVICE].result, CHECK_UNKNOWN);
	add_text(&device, FACT_DEVICE_BATCH, "xla:0");
	device_proof_make(&p, &a, sets, 2, &one);
	assert_int_equal(p.result, CHECK_CONFIRMED);
	device_proof_make(&p, &a, sets, 2, &four);
	assert_int_equal(p.result, CHECK_UNKNOWN);
	add_text(&device, FACT_DEVICE_REAL, "CPU:0");
	device_proof_make(&p, &a, sets + 1, 1, &one);
	assert_int_equal(p.result, CHECK_REFUTED);
	device_proof_make(&p, &a, sets, 0, &one);
	assert_int_equal(p.result, CHECK_NOT_CHECKED);
	evidence_facts_release(&metrics);
	evidence_facts_release(&device);
	arena_release(&a);
}

static void test_chip_number(void **state)
{
	(void)state;
	assert_int_equal(tpu_chip_number("/dev/vfio/12"), 12);
	assert_int_equal(tpu_chip_number("/dev/accel3"), 3);
	assert_int_equal(tpu_chip_number("0"), 0);
	assert_int_equal(tpu_chip_number("chip"), -1);
	assert_int_equal(tpu_chip_number(""), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_samples),
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_recompilation),
		cmocka_unit_test(test_other_limits),
		cmocka_unit_test(test_cut_off),
		cmocka_unit_test(test_long_file),
		cmocka_unit_test(test_ordinal),
		cmocka_unit_test(test_proof),
		cmocka_unit_test(test_proof_by_device),
		cmocka_unit_test(test_chip_number),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
