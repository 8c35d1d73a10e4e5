/* test_triage - verdicts: whole logs, look-alikes, and each rule with a case against it. */
#include "config.h"

#include "evidence/triage.h"
#include "tests/evidence/triage_data.h"
#include "tests/unit.h"

static struct signature_catalogue *shipped;

/* One log and what is known beside it. */
struct known {
	const char *text;
	enum triage_target target;
	enum triage_end end;
	int exit_status;
	enum triage_same reference_nan;
	unsigned flags;
	const double *memory;
	size_t memory_n;
	double device_bytes;
};

struct judged {
	struct arena arena;
	struct log_scan *scan;
	struct triage_verdict v;
};

static struct judged judge(const struct known *k)
{
	struct judged j = { .arena = ARENA_INIT, .scan = log_scan_new(shipped, k->flags) };
	struct triage_input in = { .catalogue = shipped,
		.end = k->end,
		.exit_status = k->exit_status,
		.target = k->target,
		.reference_nan = k->reference_nan,
		.device_bytes = k->device_bytes,
		.memory = { k->memory, k->memory_n } };

	log_scan_feed(j.scan, k->text, strlen(k->text));
	in.findings = log_scan_findings(j.scan);
	triage(&j.v, &in, &j.arena);
	return j;
}

static void done(struct judged *j)
{
	log_scan_free(j->scan);
	arena_release(&j->arena);
}

static const char *ids_of(struct judged *j)
{
	struct buf all = BUF_INIT;
	const char *out;

	for (size_t i = 0; i < j->v.ids_n; i++)
		buf_addf(&all, "%s%s", i ? "," : "", j->v.ids[i]);
	out = arena_strdup(&j->arena, all.s);
	buf_release(&all);
	return out;
}

/* ---- tables --------------------------------------------------------------------------- */

static size_t split(char *line, char **cells, size_t max)
{
	size_t n = 0;

	for (; n < max; line = strchr(line, '\t') + 1) {
		cells[n++] = line;
		if (!strchr(line, '\t'))
			break;
	}
	for (size_t i = 1; i < n; i++)
		cells[i][-1] = '\0';
	return n;
}

static enum triage_target target_of(const char *s)
{
	return strcmp(s, "gpu") == 0 ? TRIAGE_GPU : TRIAGE_TPU;
}

static bool is_in_range(int64_t line, const char *range)
{
	const char *dash = strchr(range, '-');
	int64_t from = strtol(range, NULL, 10), to = dash ? strtol(dash + 1, NULL, 10) : from;

	return line >= from && line <= to;
}

static void test_cases(void **state)
{
	struct arena a = ARENA_INIT;
	size_t n, rows = 0;
	char *text = triage_file(&a, "cases.tsv", &n), *line;

	(void)state;
	while ((line = next_line(&text))) {
		char *cell[8];
		struct known k = { .end = TRIAGE_ENDED };
		struct judged j;

		if (*line == '#' || strncmp(line, "file\t", 5) == 0)
			continue;
		assert_int_equal(split(line, cell, 8), 8);
		k.text = triage_file(&a, arena_printf(&a, "cases/%s", cell[0]), &n);
		k.target = target_of(cell[1]);
		k.exit_status = (int)strtol(cell[2], NULL, 10);
		j = judge(&k);
		assert_string_equal(triage_cause_name(j.v.cause), cell[3]);
		assert_string_equal(triage_same_name(j.v.silent), cell[4]);
		assert_string_equal(triage_side_name(j.v.side), cell[5]);
		assert_true(is_in_range(j.v.first_line, cell[6]));
		assert_string_equal(ids_of(&j), cell[7]);
		assert_true(j.v.failed);
		assert_true(*j.v.reason && *j.v.confirm);
		done(&j);
		rows++;
	}
	assert_int_equal(rows, 4);
	arena_release(&a);
}

/* "1 C5-08;2 C5-09": every hit of a log. */
static const char *hits_of(struct judged *j)
{
	const struct log_findings *f = log_scan_findings(j->scan);
	struct buf all = BUF_INIT;
	const char *out;

	for (size_t i = 0; i < f->hits_n; i++)
		buf_addf(&all, "%s%d %s", i ? ";" : "", (int)f->hits[i].line,
			signature_at(shipped, f->hits[i].signature)->id);
	out = arena_strdup(&j->arena, all.s);
	buf_release(&all);
	return out;
}

/* Errors in full, as the libraries print them: each line's hit, and the verdict. */
static void test_errors(void **state)
{
	struct arena a = ARENA_INIT;
	size_t n, rows = 0;
	char *text = triage_file(&a, "errors.tsv", &n), *line;

	(void)state;
	while ((line = next_line(&text))) {
		char *cell[8];
		struct known k = { .end = TRIAGE_ENDED };
		struct judged j;
		double need;

		if (*line == '#' || strncmp(line, "file\t", 5) == 0)
			continue;
		assert_int_equal(split(line, cell, 8), 8);
		k.text = triage_file(&a, arena_printf(&a, "errors/%s", cell[0]), &n);
		k.target = target_of(cell[1]);
		k.exit_status = (int)strtol(cell[2], NULL, 10);
		j = judge(&k);
		assert_string_equal(triage_cause_name(j.v.cause), cell[3]);
		assert_string_equal(triage_same_name(j.v.silent), cell[4]);
		assert_string_equal(triage_side_name(j.v.side), cell[5]);
		assert_string_equal(hits_of(&j), cell[6]);
		need = log_scan_findings(j.scan)->hits[0].need;
		if (strcmp(cell[7], "-") == 0)
			assert_true(isnan(need));
		else
			assert_near(need, strtod(cell[7], NULL), 1e-12);
		done(&j);
		rows++;
	}
	assert_int_equal(rows, 9);
	arena_release(&a);
}

static void test_lookalikes(void **state)
{
	struct arena a = ARENA_INIT;
	size_t n, rows = 0;
	char *text = triage_file(&a, "lookalikes.tsv", &n), *line;

	(void)state;
	while ((line = next_line(&text))) {
		char *cell[8];
		struct known k = { .end = TRIAGE_ENDED };
		struct signature as_example = { 0 };
		struct judged j;

		if (*line == '#' || strncmp(line, "id\t", 3) == 0)
			continue;
		assert_int_equal(split(line, cell, 8), 8);
		as_example.example = cell[7];
		k.text = example_of(&a, &as_example);
		k.target = target_of(cell[1]);
		k.exit_status = (int)strtol(cell[2], NULL, 10);
		k.reference_nan =
			strcmp(cell[3], "yes") == 0 ? TRIAGE_SAME_YES : TRIAGE_SAME_UNKNOWN;
		k.flags = strcmp(cell[4], "yes") == 0 ? LOG_SCAN_TRANSCRIPT : 0;
		j = judge(&k);
		if (strcmp(triage_cause_name(j.v.cause), cell[5]) != 0)
			fail_msg("%s: %s", cell[0], triage_cause_name(j.v.cause));
		if (*cell[6] != '-')
			assert_string_equal(triage_same_name(j.v.silent), cell[6]);
		done(&j);
		rows++;
	}
	assert_int_equal(rows, 21);
	arena_release(&a);
}

/* ---- each rule, and what is not it ------------------------------------------------------ */

#define NUMPY "RuntimeError: Numpy is not available\n"
#define NO_XLA "ModuleNotFoundError: No module named 'torch_xla'\n"
#define ON_CPU "WARNING:root:Defaulting to PJRT_DEVICE=CPU\n"
#define NAN_LINE "{'loss': 0.0, 'grad_norm': nan, 'epoch': 1.74}\n"
#define FALLBACK "operator 'aten::_linalg_svd' is not implemented for TPU. Falling back to CPU\n"
#define NO_BEST                                                                                    \
	"Could not locate the best model at out/x, if you are running a distributed training\n"
#define KILLED_CHILD                                                                               \
	"torch.multiprocessing.spawn.ProcessExitedException: process 0 terminated with signal SIGKILL\n"
#define CUDA_OOM "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.60 GiB.\n"
#define HBM(batch, step, used)                                                                     \
	"[batch=" batch "] step " step                                                             \
	": RESOURCE_EXHAUSTED: Ran out of memory in memory space hbm. Used " used                  \
	"G of 15.48G hbm. Exceeded hbm capacity by 1.00G.\n"
#define FROM_16(at) "step " at " host_rss_gib "

static const double rising[] = { 10e9, 12e9, 14e9, 16e9, 18e9 };
static const double level[] = { 10e9, 12e9, 11e9, 12e9, 11e9 };

static const struct {
	const char *what;
	struct known k;
	const char *cause, *silent, *side, *ids;
	int64_t line;
	int rule;		/* that had a say; 0: not asked */
	int not_rule;
	bool uncertain;
} rules[] = {
	{ "1: an error of a GPU run is on the GPU's side",
		{ NUMPY, TRIAGE_GPU, TRIAGE_ENDED, .exit_status = 1 }, "C1", "no", "gpu", "C1-08",
		1, 1, 11, false },
	{ "1: of a TPU run on the TPU's", { NUMPY, TRIAGE_TPU, TRIAGE_ENDED, .exit_status = 1 },
		"C1", "no", "tpu", "C1-08", 1, 2, 1, false },
	{ "1: the CPU as default is normal on a GPU host",
		{ ON_CPU, TRIAGE_GPU, TRIAGE_ENDED, .exit_status = 0 }, "none", "unknown",
		"unknown", "", 0, 1, 12, false },
	{ "1: and a failure on a TPU", { ON_CPU, TRIAGE_TPU, TRIAGE_ENDED, .exit_status = 0 }, "C2",
		"yes", "tpu", "C2-09", 1, 0, 1, false },
	{ "2: the first error", { NO_XLA NUMPY, TRIAGE_TPU, TRIAGE_ENDED, .exit_status = 1 }, "C1",
		"no", "tpu", "C1-24", 1, 2, 4, false },
	{ "2: whichever it is", { "x\n" NUMPY NO_XLA, TRIAGE_TPU, TRIAGE_ENDED, .exit_status = 1 },
		"C1", "no", "tpu", "C1-08", 2, 2, 4, false },
	{ "2: a warning before it decides nothing",
		{ "TPU Execute is taking a long time.\n" NUMPY, TRIAGE_TPU, TRIAGE_ENDED,
			.exit_status = 1 },
		"C1", "no", "tpu", "C1-08", 2, 2, 12, false },
	{ "3: a wrapper is not the error",
		{ "Exception in device=TPU:5: Could not run\n" NUMPY, TRIAGE_TPU, TRIAGE_ENDED,
			.exit_status = 1 },
		"C1", "no", "tpu", "C1-08", 2, 3, 4, false },
	{ "3: nor alone",
		{ "Exception in device=TPU:5: Could not run\n", TRIAGE_TPU, TRIAGE_ENDED,
			.exit_status = 1 },
		"C0", "no", "tpu", "", 0, 3, 2, false },
	{ "3: what stands on its line is",
		{ "Exception in device=TPU:5: Unimplemented backend XLA\n", TRIAGE_TPU,
			TRIAGE_ENDED, .exit_status = 1 },
		"C2", "no", "tpu", "C2-15", 1, 3, 4, false },
	{ "4: a lost peer is dropped",
		{ "RuntimeError: Connection closed by peer [1.2.3.4]\n" NUMPY, TRIAGE_TPU,
			TRIAGE_ENDED, .exit_status = 1 },
		"C1", "no", "tpu", "C1-08", 2, 4, 3, false },
	{ "5: of a chain the first one",
		{ "Traceback (most recent call last):\n  File \"x\", line 1\n"
		  "    f()\n" NUMPY
		  "\nDuring handling of the above exception, another exception occurred:\n\n"
		  "Traceback (most recent call last):\n  File \"x\", line 2\n    g()\n" NO_XLA,
			TRIAGE_TPU, TRIAGE_ENDED, .exit_status = 1 },
		"C1", "no", "tpu", "C1-08", 4, 2, 15, false },
	{ "5: or the first that is known",
		{ "Traceback (most recent call last):\n  File \"x\", line 1\n"
		  "    f()\nValueError: odd\n\nThe above exception was the direct cause of the following exception:\n\n"
		  "Traceback (most recent call last):\n  File \"x\", line 2\n    g()\n" NO_XLA,
			TRIAGE_TPU, TRIAGE_ENDED, .exit_status = 1 },
		"C1", "no", "tpu", "C1-24", 11, 2, 15, false },
	{ "6: the rank that torchrun blames",
		{ "[rank0]: " NUMPY "[rank2]: " NO_XLA
		  "Root Cause (first observed failure):\n[0]:\n  rank      : 2 (local_rank: 2)\n",
			TRIAGE_TPU, TRIAGE_ENDED, .exit_status = 1 },
		"C1", "no", "tpu", "C1-24", 2, 6, 4, false },
	{ "6: without it the earliest",
		{ "[rank0]: " NUMPY "[rank2]: " NO_XLA, TRIAGE_TPU, TRIAGE_ENDED,
			.exit_status = 1 },
		"C1", "no", "tpu", "C1-08", 1, 2, 6, false },
	{ "7: a GPU's text in a TPU's log is asked about",
		{ CUDA_OOM, TRIAGE_TPU, TRIAGE_ENDED, .exit_status = 1 }, "C0", "no", "gpu",
		"C6-06", 1, 7, 8, false },
	{ "7: not in a GPU's log", { CUDA_OOM, TRIAGE_GPU, TRIAGE_ENDED, .exit_status = 1 }, "C6",
		"no", "gpu", "C6-06", 1, 1, 7, false },
	{ "7: another error goes before it",
		{ CUDA_OOM NUMPY, TRIAGE_TPU, TRIAGE_ENDED, .exit_status = 1 }, "C1", "no", "tpu",
		"C1-08", 2, 2, 7, false },
	{ "7: by what the text names",
		{ "RuntimeError: Expected all tensors to be on the same device, "
		  "but found at least two devices, cuda:0 and cpu!\n",
			TRIAGE_TPU, TRIAGE_ENDED, .exit_status = 1 },
		"C0", "no", "gpu", "C2-22", 1, 7, 8, false },
	{ "7: and here a TPU's",
		{ "RuntimeError: Expected all tensors to be on the same device, but found "
		  "at least two devices, xla:0 and cpu!\n",
			TRIAGE_TPU, TRIAGE_ENDED, .exit_status = 1 },
		"C2", "no", "tpu", "C2-22", 1, 2, 7, false },
	{ "8: one batch size cannot tell",
		{ HBM("32", "1", "27.9"), TRIAGE_TPU, TRIAGE_ENDED, .exit_status = 1 }, "C6", "no",
		"tpu", "C6-01", 1, 8, 9, true },
	{ "8: the need falls",
		{ HBM("32", "1", "27.9") HBM("16", "1", "16.02"), TRIAGE_TPU, TRIAGE_ENDED,
			.exit_status = 1 },
		"C6", "no", "tpu", "C6-01", 1, 8, 9, false },
	{ "8: the need stays",
		{ HBM("32", "1", "20.0") HBM("16", "1", "19.9"), TRIAGE_TPU, TRIAGE_ENDED,
			.exit_status = 1 },
		"C4", "no", "tpu", "C6-01", 1, 8, 9, false },
	{ "8: between",
		{ HBM("32", "1", "20.0") HBM("16", "1", "18.2"), TRIAGE_TPU, TRIAGE_ENDED,
			.exit_status = 1 },
		"C6", "no", "tpu", "C6-01", 1, 8, 9, true },
	{ "8: the same step at two batches",
		{ HBM("32", "40", "27.9") HBM("16", "40", "16.02"), TRIAGE_TPU, TRIAGE_ENDED,
			.exit_status = 1 },
		"C4", "no", "tpu", "C6-01", 1, 8, 9, false },
	{ "8: VMEM is no HBM",
		{ "RESOURCE_EXHAUSTED: Ran out of memory in memory space vmem. Used "
		  "24.10M of 16.00M vmem.\n" HBM("32", "1", "27.9"),
			TRIAGE_TPU, TRIAGE_ENDED, .exit_status = 1 },
		"C5", "no", "tpu", "C5-20", 1, 2, 9, false },
	{ "8: nor when it is printed below",
		{ "RuntimeError: mm(): failed to compile MLIR module: "
		  "RESOURCE_EXHAUSTED: see below\nRan out of memory in memory space vmem. Used 24.10M of "
		  "16.00M vmem.\n",
			TRIAGE_TPU, TRIAGE_ENDED, .exit_status = 1 },
		"C5", "no", "tpu", "C5-20", 2, 8, 9, false },
	{ "9: killed after growth",
		{ FROM_16("1") "10\n" FROM_16("2") "12\n" FROM_16("3") "14\n" FROM_16(
			  "4") "16\n" KILLED_CHILD,
			TRIAGE_TPU, TRIAGE_ENDED, .exit_status = 1 },
		"C4", "no", "tpu", "C4-21", 5, 9, 8, false },
	{ "9: three points are no series",
		{ FROM_16("1") "10\n" FROM_16("2") "12\n" FROM_16("3") "16\n" KILLED_CHILD,
			TRIAGE_TPU, TRIAGE_ENDED, .exit_status = 1 },
		"C6", "no", "host", "C4-21", 4, 9, 8, true },
	{ "9: nor is a small rise",
		{ FROM_16("1") "10\n" FROM_16("2") "11\n" FROM_16("3") "12\n" FROM_16(
			  "4") "14\n" KILLED_CHILD,
			TRIAGE_TPU, TRIAGE_ENDED, .exit_status = 1 },
		"C6", "no", "host", "C4-21", 5, 9, 8, true },
	{ "9: nor one of two ranks mixed",
		{ "[0]: rss 10\n[1]: rss 12\n[0]: rss 14\n[1]: rss 16\n" KILLED_CHILD, TRIAGE_TPU,
			TRIAGE_ENDED, .exit_status = 1 },
		"C6", "no", "host", "C4-21", 5, 9, 8, true },
	{ "9: exit status alone", { "step 3\n", TRIAGE_TPU, TRIAGE_ENDED, .exit_status = 137 },
		"C6", "no", "host", "", 0, 9, 15, true },
	{ "9: a signal",
		{ "step 3\n", TRIAGE_TPU, TRIAGE_ENDED, .exit_status = -9, .memory = rising,
			.memory_n = 5 },
		"C4", "no", "tpu", "", 0, 9, 15, false },
	{ "9: what was measured goes before what was printed",
		{ FROM_16("1") "10\n" FROM_16("2") "12\n" FROM_16("3") "14\n" FROM_16(
			  "4") "16\n" KILLED_CHILD,
			TRIAGE_TPU, TRIAGE_ENDED, .exit_status = 1, .memory = level,
			.memory_n = 5 },
		"C6", "no", "host", "C4-21", 5, 9, 8, true },
	{ "9: a killed child of torchrun",
		{ "E1 multiprocessing/api.py:984] failed (exitcode: -9) local_rank: 2 "
		  "(pid: 7)\n",
			TRIAGE_TPU, TRIAGE_ENDED, .exit_status = 1 },
		"C6", "no", "host", "N-06", 1, 9, 15, true },
	{ "9: another exit code is a wrapper",
		{ "E1 multiprocessing/api.py:984] failed (exitcode: 1) "
		  "local_rank: 2 (pid: 7)\n",
			TRIAGE_TPU, TRIAGE_ENDED, .exit_status = 1 },
		"C0", "no", "tpu", "", 0, 15, 9, false },
	{ "9: an earlier error goes before",
		{ NUMPY KILLED_CHILD, TRIAGE_TPU, TRIAGE_ENDED, .exit_status = 137 }, "C1", "no",
		"tpu", "C1-08", 1, 2, 9, false },
	{ "10: half a host sync a step",
		{ "Counter: MarkStep\n  Value: 100\n"
		  "Counter: aten::_local_scalar_dense\n  Value: 50\n",
			TRIAGE_TPU, TRIAGE_ENDED, .exit_status = 0 },
		"C4", "yes", "tpu", "C4-22", 3, 10, 12, false },
	{ "10: less is none",
		{ "Counter: MarkStep\n  Value: 100\n"
		  "Counter: aten::_local_scalar_dense\n  Value: 49\n",
			TRIAGE_TPU, TRIAGE_ENDED, .exit_status = 0 },
		"none", "unknown", "unknown", "", 0, 0, 10, false },
	{ "10: in warm-up neither",
		{ "Counter: MarkStep\n  Value: 10\n"
		  "Counter: aten::_local_scalar_dense\n  Value: 10\n",
			TRIAGE_TPU, TRIAGE_ENDED, .exit_status = 0 },
		"none", "unknown", "unknown", "", 0, 0, 10, false },
	{ "10: steps of the log",
		{ "step 40 loss 2\nCounter: aten::nonzero\n  Value: 20\n", TRIAGE_TPU, TRIAGE_ENDED,
			.exit_status = 0 },
		"C4", "yes", "tpu", "C4-23", 2, 10, 12, false },
	{ "10: compiled after warm-up",
		{ "step 11\nCompilation Analysis: Compilation Cause\n", TRIAGE_TPU, TRIAGE_ENDED,
			.exit_status = 0 },
		"C4", "yes", "tpu", "C4-04", 2, 10, 12, false },
	{ "10: and during it",
		{ "step 10\nCompilation Analysis: Compilation Cause\nstep 100\n", TRIAGE_TPU,
			TRIAGE_ENDED, .exit_status = 0 },
		"none", "unknown", "unknown", "", 0, 0, 10, false },
	{ "10: profiler, above half",
		{ "pt-xla-profiler: CompileTime too frequent: 21 counts during 11 steps\n",
			TRIAGE_TPU, TRIAGE_ENDED, .exit_status = 0 },
		"C4", "yes", "tpu", "C4-01", 1, 10, 12, false },
	{ "10: transfers need 20 steps",
		{ "pt-xla-profiler: TransferFromDeviceTime too frequent: 11 counts "
		  "during 19 steps\n",
			TRIAGE_TPU, TRIAGE_ENDED, .exit_status = 0 },
		"none", "unknown", "unknown", "", 0, 0, 10, false },
	{ "10: with them",
		{ "pt-xla-profiler: TransferFromDeviceTime too frequent: 11 counts during 20 "
		  "steps\n",
			TRIAGE_TPU, TRIAGE_ENDED, .exit_status = 0 },
		"C4", "yes", "tpu", "C4-02", 1, 10, 12, false },
	{ "10: compilations that rise",
		{ "Counter: MarkStep\n  Value: 50\nCounter: UncachedCompile\n"
		  "  Value: 4\nCounter: MarkStep\n  Value: 100\nCounter: UncachedCompile\n  Value: 6\n",
			TRIAGE_TPU, TRIAGE_ENDED, .exit_status = 0 },
		"C4", "yes", "tpu", "C4-08", 7, 10, 12, false },
	{ "10: that stay",
		{ "Counter: MarkStep\n  Value: 50\nCounter: UncachedCompile\n  Value: 4\n"
		  "Counter: MarkStep\n  Value: 100\nCounter: UncachedCompile\n  Value: 4\n",
			TRIAGE_TPU, TRIAGE_ENDED, .exit_status = 0 },
		"none", "unknown", "unknown", "", 0, 0, 10, false },
	{ "10: one module thrice",
		{ "[Compiling module a] Very slow compile?\n[Compiling module a] Very slow "
		  "compile?\n[Compiling module a] Very slow compile?\n",
			TRIAGE_TPU, TRIAGE_ENDED, .exit_status = 0 },
		"C4", "yes", "tpu", "C4-10", 3, 10, 12, false },
	{ "10: two modules twice",
		{ "[Compiling module a] Very slow compile?\n[Compiling module a] Very slow "
		  "compile?\n[Compiling module b] Very slow compile?\n[Compiling module b] Very slow compile?\n",
			TRIAGE_TPU, TRIAGE_ENDED, .exit_status = 0 },
		"none", "unknown", "unknown", "", 0, 0, 10, false },
	{ "10: or beyond five minutes",
		{ "[Compiling module a] Very slow compile?\nE slow_operation_alarm.cc:140] "
		  "The operation took 5m2.5s\n",
			TRIAGE_TPU, TRIAGE_ENDED, .exit_status = 0 },
		"C4", "yes", "tpu", "C4-10", 1, 0, 12, false },
	{ "operators that run on the CPU",
		{ "pt-xla-profiler: Op(s) not lowered: aten::_ctc_loss, "
		  "aten::nonzero,  Please\n",
			TRIAGE_TPU, TRIAGE_ENDED, .exit_status = 0 },
		"C5", "yes", "tpu", "C5-06", 1, 0, 12, false },
	{ "or only wait for a value",
		{ "pt-xla-profiler: Op(s) not lowered: aten::nonzero,  Please\n", TRIAGE_TPU,
			TRIAGE_ENDED, .exit_status = 0 },
		"C4", "yes", "tpu", "C5-06", 1, 0, 12, false },
	{ "keys that are missing",
		{ "There were missing keys in the checkpoint model loaded: ['a.weight'].\n",
			TRIAGE_TPU, TRIAGE_ENDED, .exit_status = 0 },
		"C3", "yes", "tpu", "C3-14", 1, 0, 12, false },
	{ "tied ones are not",
		{ "There were missing keys in the checkpoint model loaded: ['lm_head.weight'].\n",
			TRIAGE_TPU, TRIAGE_ENDED, .exit_status = 0 },
		"none", "unknown", "unknown", "", 0, 0, 12, false },
	{ "11: swallowed", { NO_XLA "step 5\n", TRIAGE_TPU, TRIAGE_ENDED, .exit_status = 0 }, "C1",
		"yes", "tpu", "C1-24", 1, 11, 15, false },
	{ "11: a retry that worked",
		{ HBM("32", "1", "27.9") "[batch=8] step 2: ok\n", TRIAGE_TPU, TRIAGE_ENDED,
			.exit_status = 0 },
		"none", "unknown", "unknown", "", 0, 11, 8, false },
	{ "11: and one that did not",
		{ HBM("32", "1", "27.9") "[batch=8] step 2: ok\n", TRIAGE_TPU, TRIAGE_ENDED,
			.exit_status = 1 },
		"C6", "no", "tpu", "C6-01", 1, 8, 11, true },
	{ "12: a wrong device goes first",
		{ NO_BEST FALLBACK ON_CPU, TRIAGE_TPU, TRIAGE_ENDED, .exit_status = 0 }, "C2",
		"yes", "tpu", "C2-09", 3, 12, 11, false },
	{ "12: then C3", { FALLBACK NO_BEST, TRIAGE_TPU, TRIAGE_ENDED, .exit_status = 0 }, "C3",
		"yes", "tpu", "C3-13", 2, 12, 11, false },
	{ "12: then C5",
		{ "torch._dynamo hit config.recompile_limit (8)\n" FALLBACK, TRIAGE_TPU,
			TRIAGE_ENDED, .exit_status = 0 },
		"C5", "yes", "tpu", "C5-02", 2, 12, 11, false },
	{ "12: C4 last",
		{ "torch._dynamo hit config.recompile_limit (8)\n", TRIAGE_TPU, TRIAGE_ENDED,
			.exit_status = 0 },
		"C4", "yes", "tpu", "C4-17", 1, 0, 12, false },
	{ "12: an error goes before all",
		{ ON_CPU NUMPY, TRIAGE_TPU, TRIAGE_ENDED, .exit_status = 1 }, "C1", "no", "tpu",
		"C1-08", 2, 2, 12, false },
	{ "13: inherited",
		{ NAN_LINE, TRIAGE_TPU, TRIAGE_ENDED, .exit_status = 0,
			.reference_nan = TRIAGE_SAME_YES },
		"C0", "yes", "tpu", "C5-19", 1, 13, 12, false },
	{ "13: not in the reference",
		{ NAN_LINE, TRIAGE_TPU, TRIAGE_ENDED, .exit_status = 0,
			.reference_nan = TRIAGE_SAME_NO },
		"C5", "yes", "tpu", "C5-19", 1, 13, 12, false },
	{ "13: nobody has looked", { NAN_LINE, TRIAGE_TPU, TRIAGE_ENDED, .exit_status = 0 }, "C5",
		"yes", "tpu", "C5-19", 1, 13, 12, true },
	{ "14: a claim is no evidence",
		{ "MIGRATION COMPLETE: training runs on TPU\n", TRIAGE_TPU, TRIAGE_ENDED,
			.exit_status = 1 },
		"C0", "no", "tpu", "", 0, 15, 2, false },
	{ "14: neither way",
		{ ON_CPU "ALL TESTS PASSED\n", TRIAGE_TPU, TRIAGE_ENDED, .exit_status = 0 }, "C2",
		"yes", "tpu", "C2-09", 1, 0, 15, false },
	{ "15: the last exception",
		{ "Traceback (most recent call last):\n  File \"x\", line 1\n    f()\n"
		  "ValueError: odd\n",
			TRIAGE_TPU, TRIAGE_ENDED, .exit_status = 1 },
		"C0", "no", "tpu", "", 4, 15, 2, false },
	{ "15: not without a failure", { "step 3\n", TRIAGE_TPU, TRIAGE_ENDED, .exit_status = 0 },
		"none", "unknown", "unknown", "", 0, 0, 15, false },
	{ "still running", { ON_CPU, TRIAGE_TPU, .end = TRIAGE_RUNNING }, "C2", "yes", "tpu",
		"C2-09", 1, 0, 15, false },
	{ "running, nothing found", { "step 3\n", TRIAGE_TPU, .end = TRIAGE_RUNNING }, "none",
		"unknown", "unknown", "", 0, 0, 15, false },
	{ "nobody knows how it ended", { NUMPY, TRIAGE_TPU, .end = TRIAGE_END_UNKNOWN }, "C1", "no",
		"tpu", "C1-08", 1, 2, 11, false },
	{ "a crash tells no cause",
		{ "Segmentation fault (core dumped)\n", TRIAGE_TPU, TRIAGE_ENDED,
			.exit_status = 139 },
		"C0", "no", "tpu", "", 0, 15, 9, false },
	{ "FP8 on a GPU",
		{ "RuntimeError: Attempted to access the data pointer on an invalid python storage.\n",
			TRIAGE_GPU, TRIAGE_ENDED, .exit_status = 1 },
		"C0", "no", "gpu", "C3-01", 1, 1, 15, false },
	{ "and on a TPU",
		{ "RuntimeError: Attempted to access the data pointer on an invalid python storage.\n",
			TRIAGE_TPU, TRIAGE_ENDED, .exit_status = 1 },
		"C3", "no", "tpu", "C3-01", 1, 2, 15, false },
};

static void test_rules(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rules); i++) {
		struct judged j = judge(&rules[i].k);
		const struct triage_verdict *v = &j.v;

		if (strcmp(triage_cause_name(v->cause), rules[i].cause) != 0 ||
			strcmp(triage_same_name(v->silent), rules[i].silent) != 0 ||
			strcmp(triage_side_name(v->side), rules[i].side) != 0 ||
			strcmp(ids_of(&j), rules[i].ids) != 0 || v->first_line != rules[i].line ||
			v->uncertain != rules[i].uncertain)
			fail_msg("%s: %s silent %s side %s ids %s line %d uncertain %d: %s",
				rules[i].what, triage_cause_name(v->cause),
				triage_same_name(v->silent), triage_side_name(v->side), ids_of(&j),
				(int)v->first_line, v->uncertain, v->reason);
		if (rules[i].rule && !(v->rules & 1U << rules[i].rule))
			fail_msg("%s: rule %d had no say", rules[i].what, rules[i].rule);
		if (v->rules & 1U << rules[i].not_rule)
			fail_msg("%s: rule %d had a say", rules[i].what, rules[i].not_rule);
		assert_true(*v->reason);
		assert_int_equal(*v->confirm != '\0', v->cause != TRIAGE_NONE);
		assert_int_equal(v->failed, v->cause != TRIAGE_NONE);
		done(&j);
	}
}

/* Both numbers of a growth, and of a count, are in the record. */
static void test_numbers(void **state)
{
	struct known k = { FROM_16("1") "10\n" FROM_16("2") "12\n" FROM_16("3") "14\n" FROM_16("4")
		"16\n" KILLED_CHILD, TRIAGE_TPU, TRIAGE_ENDED, .exit_status = 1 };
	struct judged j = judge(&k);

	(void)state;
	assert_int_equal(j.v.basis, TRIAGE_BY_GROWTH);
	assert_near(j.v.from, 10 * 1073741824.0, 1e-12);
	assert_near(j.v.to, 16 * 1073741824.0, 1e-12);
	assert_non_null(strstr(j.v.reason, "from 10.0 GiB to 16.0 GiB"));
	done(&j);
	k.text = "pt-xla-profiler: CompileTime too frequent: 21 counts during 11 steps\n";
	k.exit_status = 0;
	j = judge(&k);
	assert_int_equal(j.v.basis, TRIAGE_BY_COUNT);
	assert_near(j.v.count, 21, 1e-12);
	assert_near(j.v.of, 11, 1e-12);
	done(&j);
}

/* What is told beside the verdict. */
static void test_notes(void **state)
{
	struct known k = { "Post Compilation Analysis: Intermediate tensor size: 15.100000 GB\n",
		TRIAGE_TPU, TRIAGE_ENDED, .exit_status = 0, .device_bytes = 16e9 };
	struct judged j = judge(&k);

	(void)state;
	assert_int_equal(j.v.notes_n, 1);
	assert_non_null(strstr(j.v.notes[0], "15.1 GB of 16.0 GB"));
	done(&j);
	k.device_bytes = 32e9;
	j = judge(&k);
	assert_int_equal(j.v.notes_n, 0);
	assert_int_equal(j.v.cause, TRIAGE_NONE);
	assert_non_null(strstr(j.v.reason, "that proves nothing"));
	done(&j);
	k.text = CUDA_OOM;
	k.exit_status = 1;
	j = judge(&k);
	assert_true(j.v.ask);
	done(&j);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cases), cmocka_unit_test(test_errors),
		cmocka_unit_test(test_lookalikes),
		cmocka_unit_test(test_rules), cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_notes),
	};
	int rc;

	shipped = shipped_catalogue();
	rc = cmocka_run_group_tests(tests, NULL, NULL);
	signature_catalogue_free(shipped);
	return rc;
}
