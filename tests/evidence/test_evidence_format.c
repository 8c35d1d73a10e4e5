/*
 * The tables of facts and formats, what is recognised and what is not, and files that
 * somebody made to do harm.
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/json.h"
#include "evidence/environment_dump.h"
#include "evidence/evidence_format.h"
#include "evidence/xla_debug.h"

static void parse(struct evidence_facts *facts, const char *format, const char *name,
	const char *command, const char *text, size_t n)
{
	struct evidence_source source = { text, n, name, command };

	*facts = (struct evidence_facts)EVIDENCE_FACTS_INIT;
	evidence_format_parse(facts, evidence_format_find(format), &source);
}

/* ---- tables ---- */

static void test_names(void **state)
{
	(void)state;
	for (int i = 0; i < FACT_NAMES; i++) {
		const struct evidence_fact_row *row = &evidence_fact_names[i];

		assert_non_null(row->text);
		assert_true(*row->text && *row->meaning && row->unit < EVIDENCE_UNITS);
		assert_int_equal(evidence_fact_name_find(row->text), i);
		assert_non_null(evidence_unit_words[row->unit]);
	}
	assert_int_equal(evidence_fact_name_find("no.such.fact"), FACT_NAMES);
}

static void test_formats(void **state)
{
	(void)state;
	for (size_t i = 0; i < evidence_formats_n; i++) {
		const struct evidence_format *f = &evidence_formats[i];

		assert_ptr_equal(evidence_format_find(f->name), f);
		assert_true(f->version > 0 && *f->title);
	}
	assert_null(evidence_format_find("no-such-format"));
}

static void test_nothing_recognised(void **state)
{
	static const char *const texts[] = { "", "\n", "hello\n",
		"step 1 loss 0.5\nstep 2 loss 0.4\n", "{\"loss\": 0.5}\n{\"loss\": 0.4}\n",
		"a,b,c\n1,2,3\n",
		"\177ELF\001\002",
		"Metric: \n", "| a | b |\n|---|---|\n| 1 | 2 |\n", "import os\nX = 1\n" };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		struct evidence_source source = { texts[i], strlen(texts[i]), "notes", NULL };

		if (evidence_format_recognise(&source, NULL))
			fail_msg("\"%s\" is %s", texts[i],
				evidence_format_recognise(&source, NULL)->name);
	}
}

/* A log holds what several programs printed. */
static void test_several(void **state)
{
	static const char text[] =
		"WARNING:root:libtpu.so and TPU device found. Setting PJRT_DEVICE=TPU.\n"
		"[rank0]: Counter: MarkStep\n[rank0]:   Value: 5\n"
		"[rank0]: pt-xla-profiler: CompileTime too frequent: 3 counts during 5 steps\n";
	static const char *const expected[] = { "xla-metrics", "xla-profiler", "xla-log" };
	struct evidence_source source = { text, strlen(text), "log", NULL };
	const struct evidence_format *format = NULL;
	struct evidence_facts facts;
	size_t n = 0;

	(void)state;
	while ((format = evidence_format_recognise(&source, format))) {
		assert_true(n < ARRAY_LEN(expected));
		assert_string_equal(format->name, expected[n++]);
	}
	assert_int_equal(n, ARRAY_LEN(expected));
	parse(&facts, "xla-metrics", "log", NULL, text, strlen(text));
	assert_int_equal(evidence_facts_last(&facts, FACT_XLA_COUNTER, "MarkStep")->integer, 5);
	assert_int_equal(evidence_facts_last(&facts, FACT_XLA_COUNTER, "MarkStep")->line, 3);
	evidence_facts_release(&facts);
}

/* ---- the form of the log ---- */

static void test_written(void **state)
{
	static const char text[] =
		"Metric: CompileTime\n  TotalSamples: 1\n"
		"  Accumulator: 02m30s000ms000.000us\nCounter: a\"b\n  Value: 7\n";
	struct arena a = ARENA_INIT;
	struct buf out = BUF_INIT;
	struct evidence_facts facts;
	const struct json *array, *one;

	(void)state;
	parse(&facts, "xla-metrics", "", NULL, text, strlen(text));
	evidence_facts_write(&out, &facts, false);
	assert_int_equal(json_parse(&array, &a, out.s, out.n, JSON_STRICT), 0);
	one = array->first->next;
	assert_string_equal(json_str(one, "name", ""), "xla.time");
	assert_string_equal(json_str(one, "key", ""), "CompileTime");
	assert_string_equal(json_str(one, "text", ""), "02m30s000ms000.000us");
	assert_string_equal(json_str(one, "value", ""), "90000000000");
	assert_string_equal(json_str(one, "other", ""), "150000000000");
	assert_string_equal(json_str(one, "unit", ""), "ns");
	assert_string_equal(json_str(one, "line", ""), "3");
	assert_string_equal(json_str(one, "certainty", ""), "ambiguous");
	one = one->next;
	assert_string_equal(json_str(one, "key", ""), "a\"b");
	assert_string_equal(json_str(one, "certainty", ""), "exact");
	buf_clear(&out);
	evidence_fact_add_value(&out, evidence_facts_last(&facts, FACT_XLA_TIME, NULL));
	assert_string_equal(out.s, "1m30s or 2m30s");
	buf_clear(&out);
	evidence_health_add_line(&out, &facts.health);
	assert_string_equal(out.s, "ok");
	buf_release(&out);
	arena_release(&a);
	evidence_facts_release(&facts);
}

static void test_health(void **state)
{
	static const char text[] =
		"Metric: CompileTime\n  TotalSamples: many\nCounter: x\n  Value: 1";
	struct buf out = BUF_INIT;
	struct evidence_facts facts;

	(void)state;
	parse(&facts, "xla-metrics", "", NULL, text, strlen(text));
	evidence_health_add_line(&out, &facts.health);
	assert_string_equal(out.s, "1 of 4 lines not understood, the first is 2 | "
				   "cut off at the end: the last piece is not read");
	assert_null(evidence_facts_last(&facts, FACT_XLA_COUNTER, "x"));
	buf_release(&out);
	evidence_facts_release(&facts);
}

/* ---- columns that only the command names ---- */

static void test_nvidia_command(void **state)
{
	static const char text[] = "2026/11/02 10:05:00.117, 0, 0, 4, 23034\n"
				   "2026/11/02 10:05:05.118, 37, 11, 6120, 23034\n";
	static const char captured[] = "@ 2026-11-02T10:05:00.000Z\n"
				       "0, NVIDIA L4, GPU-1, 550.1, 23034, 4, 12, 16.21\n"
				       "1, NVIDIA L4, GPU-2, 550.1, 23034, 8, [N/A], 17.00\n";
	struct evidence_facts f;

	(void)state;
	parse(&f, "nvidia-smi", "gpu.csv",
		"nvidia-smi --query-gpu=timestamp,utilization.gpu,utilization.memory,memory.used,"
		"memory.total --format=csv,noheader,nounits -l 5",
		text, strlen(text));
	assert_int_equal(evidence_facts_last(&f, FACT_GPU_USE, NULL)->integer, 37);
	assert_int_equal(evidence_facts_last(&f, FACT_GPU_MEMORY_USED_MAX, NULL)->integer,
		6120LL * 1024 * 1024);
	assert_null(evidence_facts_last(&f, FACT_GPU_CELL, NULL));
	assert_int_equal(evidence_facts_last(&f, FACT_GPU_INTERVAL, NULL)->integer, 5001000000);
	evidence_facts_release(&f);
	parse(&f, "nvidia-smi", "nvidia-smi.samples", NULL, captured, strlen(captured));
	assert_int_equal(evidence_facts_last(&f, FACT_GPU_USE, "0")->integer, 12);
	assert_false(evidence_facts_last(&f, FACT_GPU_USE, "1")->is_number);
	assert_int_equal(evidence_facts_last(&f, FACT_GPU_USE_VALUES, "1")->integer, 0);
	assert_null(evidence_facts_last(&f, FACT_GPU_USE_MEAN, "1"));
	assert_string_equal(evidence_facts_last(&f, FACT_GPU_TIME, NULL)->text,
		"2026-11-02T10:05:00.000Z");
	evidence_facts_release(&f);
}

/* ---- words of causes and frames ---- */

static void test_causes(void **state)
{
	static const struct { const char *text; enum xla_cause cause; } causes[] = {
		{ "torch_xla.sync in parallel loader at step end", XLA_CAUSE_EXPECTED },
		{ "user `torch_xla.sync()`", XLA_CAUSE_EXPECTED },
		{ "user mark_step", XLA_CAUSE_EXPECTED },
		{ "mark_step when exiting a profiler StepTrace region", XLA_CAUSE_EXPECTED },
		{ "torch_xla.compile clear the pending graph prior calling the target function",
			XLA_CAUSE_EXPECTED },
		{ "dynamo is compiling a FX graph to HLO", XLA_CAUSE_EXPECTED },
		{ "torch_xla.sync when dynamo processing input graphs", XLA_CAUSE_EXPECTED },
		{ "most likely user code trying to access tensor value before mark_step",
			XLA_CAUSE_HOST_READ },
		{ "something new", XLA_CAUSE_UNKNOWN },
	};
	struct span frame;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(causes); i++)
		assert_int_equal(xla_cause_of(span_of(causes[i].text)), causes[i].cause);
	assert_true(xla_frame_own(&frame, SPAN("  main (/srv/train.py:1)")));
	assert_true(span_equal(frame, "main (/srv/train.py:1)"));
	assert_false(
		xla_frame_own(&frame, SPAN("  sync (/v/lib/python3.11/site-packages/x.py:1)")));
	assert_false(xla_frame_own(&frame, SPAN("  run (/usr/lib/python3/dist-packages/x.py:1)")));
	assert_false(xla_frame_own(&frame, SPAN("  _call (<frozen importlib._bootstrap>:241)")));
	assert_false(xla_frame_own(&frame, SPAN("  ..........")));
}

static void test_variables(void **state)
{
	(void)state;
	assert_true(environment_variable_find("XLA_USE_BF16")->numerics);
	assert_int_equal(environment_variable_find("XLA_USE_BF16")->group, VARIABLE_NUMERICS);
	assert_false(environment_variable_find("PJRT_DEVICE")->numerics);
	assert_int_equal(environment_variable_find("TORCH_TPU_TOPOLOGY")->group, VARIABLE_TORCHTPU);
	assert_int_equal(environment_variable_find("TPU_VISIBLE_CHIPS")->group, VARIABLE_DEVICE);
	assert_null(environment_variable_find("HOME"));
}

/* ---- harm ---- */

/* No control reaches a fact as a line of its own, no secret stays, no size grows. */
static void test_hostile(void **state)
{
	struct buf text = BUF_INIT;
	struct evidence_facts facts;
	const struct evidence_fact *f;

	(void)state;
	buf_adds(&text, "Counter: ");
	buf_pad(&text, 'n', 300000);
	buf_adds(&text, "\n  Value: 1\nCounter: a\x1b]0;title\x07 b\x1b[31mred\n  Value: 2\n"
			"Counter: token hf_abcdefghijklmnopqrst1234\n  Value: 3\n");
	buf_add(&text, "Counter: nul\0byte\n  Value: 4\n", 29);
	parse(&facts, "xla-metrics", "", NULL, text.s, text.n);
	f = evidence_facts_next(&facts, NULL, FACT_XLA_COUNTER, NULL);
	assert_int_equal(strlen(f->key), EVIDENCE_KEY_MAX);
	f = evidence_facts_next(&facts, f, FACT_XLA_COUNTER, NULL);
	assert_string_equal(f->key, "a bred");
	f = evidence_facts_next(&facts, f, FACT_XLA_COUNTER, NULL);
	assert_null(strstr(f->key, "abcdefgh"));
	f = evidence_facts_next(&facts, f, FACT_XLA_COUNTER, NULL);
	assert_string_equal(f->key, "nul byte");
	assert_int_equal(f->integer, 4);
	evidence_facts_release(&facts);
	buf_release(&text);
}

/* More facts than are kept are counted. */
static void test_limit(void **state)
{
	struct buf text = BUF_INIT;
	struct evidence_facts facts;

	(void)state;
	for (int i = 0; i < EVIDENCE_FACTS_MAX + 10; i++)
		buf_addf(&text, "p%d==1\n", i);
	parse(&facts, "packages", "", NULL, text.s, text.n);
	assert_int_equal(facts.n, EVIDENCE_FACTS_MAX);
	assert_int_equal(facts.health.dropped, 11);
	evidence_facts_release(&facts);
	buf_clear(&text);
	for (int i = 0; i < 3000; i++)
		buf_addf(&text, "Counter: c%d\n  Value: 1\n", i);
	parse(&facts, "xla-metrics", "", NULL, text.s, text.n);
	assert_int_equal(facts.health.dropped, 3000 - 2048);
	evidence_facts_release(&facts);
	buf_release(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_formats),
		cmocka_unit_test(test_nothing_recognised),
		cmocka_unit_test(test_several),
		cmocka_unit_test(test_written),
		cmocka_unit_test(test_health),
		cmocka_unit_test(test_nvidia_command),
		cmocka_unit_test(test_causes),
		cmocka_unit_test(test_variables),
		cmocka_unit_test(test_hostile),
		cmocka_unit_test(test_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
