/*
 * What several sources say of one question of L2: how answers are joined, and what
 * reports, logs, tables of devices and lists of packages each say.
 */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/fs.h"
#include "evidence/check_answer.h"
#include "evidence/evidence_format.h"
#include "evidence/packages_check.h"
#include "evidence/runtime_check.h"
#include "tests/unit.h"

enum { SOURCES_MAX = 4 };

struct fixture {
	struct arena a;
	struct evidence_facts facts[SOURCES_MAX];
	struct check_source sources[SOURCES_MAX];
	size_t n;
};

static int set_up(void **state)
{
	struct fixture *f = xcalloc(1, sizeof *f);

	*state = f;
	return 0;
}

static void forget(struct fixture *f)
{
	for (size_t i = 0; i < f->n; i++)
		evidence_facts_release(&f->facts[i]);
	f->n = 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	forget(f);
	arena_release(&f->a);
	free(f);
	return 0;
}

static const struct check_source *add(struct fixture *f, const char *format, const char *text)
{
	struct evidence_source source = { text, strlen(text), "", NULL };

	assert_true(f->n < SOURCES_MAX);
	f->facts[f->n] = (struct evidence_facts)EVIDENCE_FACTS_INIT;
	evidence_format_parse(&f->facts[f->n], evidence_format_find(format), &source);
	f->sources[f->n] = (struct check_source){ .name = arena_strdup(&f->a, format),
		.digest = sha256_bytes(text, strlen(text)), .recorded = true,
		.facts = &f->facts[f->n] };
	return &f->sources[f->n++];
}

static void add_sample(struct fixture *f, const char *format, const char *file)
{
	const char *top = getenv("srcdir");
	struct buf text = BUF_INIT;

	assert_int_equal(fs_read(&text, arena_printf(&f->a, "%s/tests/evidence/samples/%s",
						top ? top : ".", file), 0), 0);
	add(f, format, arena_strndup(&f->a, text.s, text.n));
	buf_release(&text);
}

static void says(const struct check_answer *a, enum check_result result, const char *part)
{
	assert_int_equal(a->result, result);
	if (!a->why || !strstr(a->why, part))
		fail_msg("\"%s\" has no \"%s\"", a->why ? a->why : "", part);
}

/* ---- joining ---- */

static const char *const sentences[] = { "nobody", "yes", "no", "perhaps", "cannot" };

static struct check_answer answer(enum check_result r)
{
	return (struct check_answer){ .check = "dev", .result = r, .why = sentences[r] };
}

#define NONE CHECK_NOT_CHECKED
#define YES CHECK_CONFIRMED
#define NO CHECK_REFUTED
#define OPEN CHECK_UNKNOWN
#define NA CHECK_NOT_APPLICABLE

/* Every pair: who decides goes first, and two that contradict are unknown. */
static void test_pairs(void **state)
{
	static const enum check_result joined[5][5] = {
		[NONE] = { NONE, YES, NO, OPEN, NA },
		[YES] = { YES, YES, OPEN, YES, YES },
		[NO] = { NO, OPEN, NO, NO, NO },
		[OPEN] = { OPEN, YES, NO, OPEN, OPEN },
		[NA] = { NA, YES, NO, OPEN, NA },
	};
	struct fixture *f = *state;

	for (int i = 0; i < 5; i++)
		for (int k = 0; k < 5; k++) {
			struct check_answer whole = answer((enum check_result)i);
			struct check_answer part = answer((enum check_result)k);

			check_answer_join(&whole, &part, &f->a);
			if (whole.result != joined[i][k])
				fail_msg("%s and %s", sentences[i], sentences[k]);
			assert_string_equal(whole.check, "dev");
		}
}

static void test_contradiction_stays(void **state)
{
	struct fixture *f = *state;
	struct check_answer whole = answer(CHECK_CONFIRMED), part = answer(CHECK_REFUTED);
	struct check_place here = { .name = "log", .line = 3 },
			   there = { .name = "log", .line = 9 };

	check_answer_place(&whole, &here);
	check_answer_place(&part, &there);
	check_answer_place(&part, &here);
	check_answer_join(&whole, &part, &f->a);
	assert_string_equal(whole.why, "yes; but no");
	assert_int_equal(whole.places_n, 2);
	part = answer(CHECK_CONFIRMED);
	check_answer_join(&whole, &part, &f->a);
	assert_int_equal(whole.result, CHECK_UNKNOWN);
}

/* ---- dev ---- */

static struct check_answer device(struct fixture *f, const char *kind, int chips)
{
	static const int64_t pids[] = { 4242, 31337 };
	struct runtime_claim claim = { .device = kind, .chips = chips, .pids = pids, .pids_n = 2 };
	struct check_answer a = { .check = "dev" };

	runtime_check_device(&a, f->sources, f->n, &claim, &f->a);
	return a;
}

static void test_device(void **state)
{
	struct fixture *f = *state;
	struct check_answer a;

	a = device(f, "tpu", 1);
	assert_int_equal(a.result, CHECK_NOT_CHECKED);
	assert_null(a.why);
	add_sample(f, "xla-log", "pjrt_default_cpu.txt");
	a = device(f, "tpu", 1);
	says(&a, CHECK_REFUTED, "the log says that the run went on without a TPU");
	assert_true(a.places_n >= 1 && a.places[0].line >= 1);
	assert_string_equal(a.places[0].parser, "xla-log");
	a = device(f, "gpu", 1);	/* a question about a TPU alone */
	assert_int_equal(a.result, CHECK_NOT_CHECKED);
}

/* ---- fallback, compile ---- */

static struct check_answer asked(struct fixture *f,
	void (*ask)(struct check_answer *, const struct check_source *, size_t, struct arena *))
{
	struct check_answer a = { .check = "x" };

	ask(&a, f->sources, f->n, &f->a);
	return a;
}

static void test_fallback(void **state)
{
	struct fixture *f = *state;
	struct check_answer a;

	add_sample(f, "xla-metrics", "xla_metrics_healthy.txt");
	a = asked(f, runtime_check_fallback);
	says(&a, CHECK_CONFIRMED, "no operator ran on the CPU");
	assert_int_equal(a.places_n, 1);
	add_sample(f, "torchtpu", "torchtpu_cpu_fallback.txt");
	a = asked(f, runtime_check_fallback);
	says(&a, CHECK_REFUTED, "ran on the CPU");
	assert_string_equal(a.places[0].name, "torchtpu");
}

#define DUMP(requests, hits) "Total Requests: " requests "\nTotal Hits:     " hits "\n"

static void test_compile(void **state)
{
	static const struct {
		const char *text;
		enum check_result result;
		const char *part;
	} rows[] = {
		{ DUMP("100", "90"), CHECK_UNKNOWN, "one dump shows no change" },
		{ DUMP("100", "90") DUMP("200", "190"), CHECK_CONFIRMED,
			"none of the last 100 requests" },
		{ DUMP("100", "90") DUMP("105", "95"), CHECK_UNKNOWN, "0 of the last 5" },
		{ DUMP("100", "90") DUMP("200", "185"), CHECK_UNKNOWN, "5 of the last 100" },
		{ DUMP("100", "90") DUMP("200", "179"), CHECK_REFUTED, "11 more misses in 100" },
		{ DUMP("100", "90") DUMP("200", "189") DUMP("300", "288") DUMP("400", "387"),
			CHECK_REFUTED, "3 more misses in 300" },
		/* the counters were reset: what came before says nothing */
		{ DUMP("900", "100") DUMP("10", "5") DUMP("30", "25"), CHECK_CONFIRMED, "last 20" },
	};
	struct fixture *f = *state;
	struct check_answer a;

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		forget(f);
		add(f, "torchtpu", rows[i].text);
		a = asked(f, runtime_check_compile);
		says(&a, rows[i].result, rows[i].part);
	}
	forget(f);
	add_sample(f, "xla-metrics", "xla_metrics_recompiling.txt");
	a = asked(f, runtime_check_compile);
	says(&a, CHECK_REFUTED, "compilations");
	/* TorchTPU's cache beside it says the opposite */
	add(f, "torchtpu", rows[1].text);
	a = asked(f, runtime_check_compile);
	says(&a, CHECK_UNKNOWN, "; but the compilation cache missed none");
}

/* ---- dtype ---- */

static void test_autocast_that_is_off(void **state)
{
	struct fixture *f = *state;
	struct check_answer a;

	add(f, "xla-log", "step 1 loss 0.7\n");
	a = asked(f, runtime_check_autocast);
	assert_int_equal(a.result, CHECK_NOT_CHECKED);
	add(f, "xla-log", "UserWarning: In XLA:TPU autocast, but the target dtype is not supported. "
		"Disabling autocast.\nTPU Autocast only supports dtype of torch.bfloat16 currently.\n");
	a = asked(f, runtime_check_autocast);
	says(&a, CHECK_REFUTED, "mixed precision was asked for and is off");
	assert_int_equal(a.places_n, 1);
	assert_int_equal(a.places[0].line, 1);
	add(f, "xla-log", "Warning: AMP only supported for XLA:TPU. Ignoring autocast.\n");
	a = asked(f, runtime_check_autocast);
	says(&a, CHECK_REFUTED, "autocast");
}

/* ---- config ---- */

static void test_chips(void **state)
{
	struct fixture *f = *state;
	struct runtime_claim claim = { .device = "tpu", .chips = 4 };
	int64_t pids[8];
	struct check_answer a = { .check = "config" };

	add_sample(f, "tpu-info", "tpu_info_v6e_4chips_partly_idle.txt");
	for (const struct evidence_fact *t = NULL; claim.pids_n < 8 &&
		(t = evidence_facts_next(&f->facts[0], t, FACT_TPU_HOLDER, NULL));)
		if (t->is_integer)
			pids[claim.pids_n++] = t->integer;
	claim.pids = pids;
	assert_true(claim.pids_n > 0);
	runtime_check_chips(&a, f->sources, f->n, &claim, &f->a);
	says(&a, CHECK_CONFIRMED, "the run held 4 chips, as declared");
	claim.chips = 8;
	a = (struct check_answer){ .check = "config" };
	runtime_check_chips(&a, f->sources, f->n, &claim, &f->a);
	says(&a, CHECK_REFUTED, "the run held 4 chips, and 8 are declared");
	claim.pids_n = 0;
	a = (struct check_answer){ .check = "config" };
	runtime_check_chips(&a, f->sources, f->n, &claim, &f->a);
	assert_int_equal(a.result, CHECK_NOT_CHECKED);
}

/* ---- deps, grad ---- */

static const char known_text[] =
	"package\tversions\tbeside\tcondition\tcause\twhat happens\tsource\n"
	"accelerate\t<0.23.0\t\tworld_size > 1 and max_grad_norm > 0\tC3\tclips first\tPR 1926\n"
	"transformers\t==4.46.1\t\t\tC3\tscales the loss\tPR 35438\n";

static struct check_answer ask_packages(struct fixture *f, bool grad, const char *attempt,
	const char *reference, const struct package_classified *classified, size_t n, double world,
	double norm)
{
	struct packages_question q = { .classified = classified, .classified_n = n,
		.world_size = world, .max_grad_norm = norm,
		.gradient_accumulation_steps = NAN };
	struct packages_known known;
	struct check_answer a = { .check = grad ? "grad" : "deps" };

	forget(f);
	q.attempt = attempt ? add(f, "packages", attempt) : NULL;
	q.reference = reference ? add(f, "packages", reference) : NULL;
	assert_int_equal(packages_known_read(&known, "k", known_text, strlen(known_text)), 0);
	q.known = &known;
	(grad ? packages_check_grad : packages_check_deps)(&a, &q, &f->a);
	packages_known_release(&known);
	return a;
}

static void test_deps(void **state)
{
	static const struct package_classified torch = { "torch", "modified", "looked" };
	static const struct {
		const char *attempt, *reference;
		bool classified;
		enum check_result result;
		const char *part;
	} rows[] = {
		{ NULL, "torch==2.6.0\n", false, CHECK_NOT_CHECKED, "nobody listed" },
		{ "torch==2.6.0\n", NULL, false, CHECK_UNKNOWN, "those of the reference are not" },
		{ "torch==2.6.0\n", "torch==2.6.0\n", false, CHECK_CONFIRMED,
			"1 packages are equal" },
		{ "torch==2.6.0\n", "torch==2.14.0\n", false, CHECK_UNKNOWN,
			"torch 2.6.0 against 2.14.0 (minor)" },
		{ "torch==2.6.0\n", "torch==2.14.0\n", true, CHECK_CONFIRMED,
			"classified (1: torch modified)" },
		{ "torch==1.13.0\n", "torch==2.14.0\n", false, CHECK_REFUTED, "1 major change of" },
		{ "torch==1.13.0\n", "torch==2.14.0\n", true, CHECK_CONFIRMED,
			"classified (1: torch modified)" },
		/* what computes nothing: a major change alone matters */
		{ "torch==2.6.0\nsix==1.16.0\n", "torch==2.6.0\nsix==1.17.0\n", false,
			CHECK_CONFIRMED, "classified (0)" },
		{ "torch==2.6.0\nsix==1.16.0\n", "torch==2.6.0\nsix==2.0\n", false, CHECK_REFUTED,
			"six 1.16.0 against 2.0 (major)" },
		{ "torch==2.6.0\ntorch-xla==2.6.0\n", "torch==2.6.0\n", false, CHECK_UNKNOWN,
			"torch-xla 2.6.0 against none (added)" },
		/* a version that is known to do something else, on both sides equal */
		{ "transformers==4.46.1\n", "transformers==4.46.1\n", false, CHECK_CONFIRMED, "" },
	};
	struct fixture *f = *state;

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct check_answer a = ask_packages(f, false, rows[i].attempt, rows[i].reference,
			&torch, rows[i].classified, NAN, NAN);

		says(&a, rows[i].result, rows[i].part);
		assert_true(a.result == CHECK_NOT_CHECKED || a.places_n > 0);
	}
}

static void test_grad(void **state)
{
	struct fixture *f = *state;
	struct check_answer a;

	a = ask_packages(f, true, "accelerate==0.21.0\n", NULL, NULL, 0, 4, 1);
	says(&a, CHECK_REFUTED, "accelerate 0.21.0 clips first");
	assert_int_equal(a.places[0].line, 1);
	a = ask_packages(f, true, "accelerate==0.21.0\n", NULL, NULL, 0, 4, NAN);
	says(&a, CHECK_UNKNOWN, "whether max_grad_norm is set is not known");
	a = ask_packages(f, true, "accelerate==0.21.0\n", NULL, NULL, 0, 1, 1);
	assert_int_equal(a.result, CHECK_NOT_CHECKED);
	a = ask_packages(f, true, "accelerate==0.23.0\n", NULL, NULL, 0, 4, 1);
	assert_int_equal(a.result, CHECK_NOT_CHECKED);
}

#define T(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = { T(test_pairs), T(test_contradiction_stays),
		T(test_device), T(test_fallback), T(test_compile), T(test_autocast_that_is_off),
		T(test_chips), T(test_deps),
		T(test_grad) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
