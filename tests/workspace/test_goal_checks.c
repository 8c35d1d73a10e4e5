/*
 * test_goal_checks - what curves say of goals, time and cost is put on record once, as
 * measured; scenarios B1 to B3, C2 and C5 of framework section 15, with their numbers.
 */
#include "config.h"

#include "tests/unit.h"

#include "base/err.h"
#include "base/hash.h"
#include "domain/goal_verdict.h"
#include "tests/workspace/run_fixture.h"
#include "workspace/accepted.h"
#include "workspace/contract_again.h"
#include "workspace/goal_checks.h"
#include "workspace/goal_measure.h"
#include "workspace/performance_endpoint.h"
#include "workspace/state.h"

#define REF "ps-aaaaaaaaaaaaa"
#define REF2 "ps-bbbbbbbbbbbbb"
#define RUN "ps-ddddddddddddd"
#define RUN4 "ps-eeeeeeeeeeeee"

static const char targets[] =
	"[target \"gpu\"]\n\tkind = gpu\n\tprice = 0.8536 USD/hour\n"
	"[target \"v5e-1\"]\n\tkind = tpu\n\tprice = 1.20 USD/chip-hour\n"
	"[target \"v5e-4\"]\n\tkind = tpu\n\tchips = 4\n\tprice = 1.20 USD/chip-hour\n"
	"[target \"sim-1\"]\n\tkind = cpu\n\tsimulates = tpu\n"
	"[run \"smoke\"]\n\tcommand = \"python train.py\"\n\tsteps = 100\n"
	"[run \"full\"]\n\tcommand = \"python train.py\"\n\tsteps = 1000\n";

#define CASE_B                                                                                     \
	"[migration]\n\tname = case-B\n\treference = gpu\n\tintended = v5e-4\n"                    \
	"[goal \"accuracy\"]\n\tseries = eval_accuracy\n\tscale = 100\n\tunit = pp\n\ttarget = " \
	"85.6\n"
#define CASE_C "[migration]\n\tname = case-C\n\treference = gpu\n\tintended = v5e-1\n" \
	"[goal \"accuracy\"]\n\tseries = eval_accuracy\n\tscale = 100\n\tunit = pp\n" \
	"\tmargin = 0\n\texamples = 9815\n"
#define TARGET "[level \"L4\"]\n\tendpoint = full-run\n\tpreparation = included\n" \
	"\trepetition = first\n\ttime-ratio = 1\n\tcost-ratio = 1\n"

static void accept(struct workspace_fixture *f, const char *head, const char *more)
{
	fixture_conf(f, arena_printf(&f->a, "%s%s%s", head, more, targets));
	if (accepted_accept(fixture_workspace(f), "human:ana", "as planned", &f->a) < 0)
		fail_msg("%s", err_text());
}

static void begin(struct workspace_fixture *f, const char *head, const char *more)
{
	accept(f, head, more);
	fixture_record(f, "human:ana", "attempt.added", "1", "n", "1", NULL);
}

/* A curve, kept as evidence. */
static void keep_curve(struct workspace_fixture *f, const char *run, const char *rows)
{
	char hex[DIGEST_HEX + 1];
	struct digest digest;
	int64_t size;

	run_fixture_file(f, run, "metrics.jsonl", rows);
	assert_int_equal(
		sha256_file(&digest, &size, run_fixture_path(f, run, "metrics.jsonl")), 0);
	digest_hex(hex, &digest);
	fixture_record(f, "tool:portside", "evidence.added", hex, "digest", hex, "size",
		arena_printf(&f->a, "%lld", (long long)size), "path", "metrics.jsonl", "kind",
		"curve", "subject", arena_printf(&f->a, "run:%s", run), NULL);
}

struct ended {
	const char *id, *attempt, *kind, *target, *label, *seed, *hours, *price, *started;
	double value;			/* the last one of ten */
	const char *rows;		/* instead of those */
};

static void add(struct workspace_fixture *f, const struct ended *r)
{
	bool four = strcmp(r->target, "v5e-4") == 0, sim = strcmp(r->target, "sim-1") == 0;
	double ns = r->hours ? strtod(r->hours, NULL) * 3.6e12 : 0;

	fixture_record(f, "tool:portside", "run.prepared", r->id, "attempt", r->attempt, "kind",
		r->kind ? r->kind : "full", "target", r->target, "configuration", r->target,
		"provenance", "observed", "seed", r->seed ? r->seed : "1", "chips",
		four ? "4" : "1", "label", r->label, "steps", "1000", "simulates",
		sim ? "tpu" : NULL, "price_nano_usd_hour", r->price, "price_per_chip",
		r->price ? "yes" : NULL, NULL);
	fixture_record(f, "tool:portside", "run.ended", r->id, "state", "exited 0", "source",
		"status", "rc", "0", "markers", "{\"steps\":\"yes\"}", "elapsed_ns",
		ns > 0 ? arena_printf(&f->a, "%.0f", ns) : NULL, "started_ns", r->started, NULL);
	keep_curve(f, r->id, r->rows ? r->rows
		: run_fixture_rows(f, "eval_accuracy", 10, 100, r->value - 0.09, 0.01, 0));
	run_fixture_file(f, r->id, "../kept", "");
}

static size_t record(struct workspace_fixture *f)
{
	size_t n;

	if (goal_checks_record(fixture_workspace(f), "1", NULL, &n, &f->a) < 0)
		fail_msg("%s", err_text());
	return n;
}

static const struct check_brief *brief(
	struct workspace_fixture *f, const char *configuration, const char *check)
{
	const struct attempt_state *s = fixture_attempt(f, "1");

	for (size_t i = 0; i < s->checks_n; i++)
		if (strcmp(s->checks[i].check, check) == 0 &&
			strcmp(s->checks[i].configuration, configuration) == 0)
			return &s->checks[i];
	return NULL;
}

static const char *text_of(
	struct workspace_fixture *f, const char *configuration, const char *check)
{
	const struct check_state *s;
	void *state;

	assert_int_equal(state_get(fixture_workspace(f), "check",
		arena_printf(&f->a, "1@%s:%s", configuration, check), NULL, &f->a, &state), 1);
	s = state;
	return workspace_text(
		fixture_workspace(f), &f->a, s->entries[s->entries_n - 1].text_digest);
}

static void assert_says(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("\"%s\" does not say \"%s\"", text, part);
}

static void confirm_l2(struct workspace_fixture *f, const char *configuration, const char *but,
	const char *run)
{
	for (size_t i = 0; i < check_items_n; i++)
		if (strcmp(check_items[i].level, "L2") == 0)
			fixture_record(f, "tool:portside", "check.recorded",
				arena_printf(&f->a, "1@%s:%s", configuration, check_items[i].id),
				"result",
				strcmp(check_items[i].id, but) == 0 ? "refuted" : "confirmed",
				"run", run, "evidence", "[\"e\"]", NULL);
}

static const struct measured *measured(struct workspace_fixture *f, const char *configuration)
{
	const struct measured *m = attempt_measured(fixture_attempt(f, "1"), configuration);

	assert_non_null(m);
	return m;
}

/* B1, B2, B3: one chip reaches the goal and says nothing of four; four miss it. */
static void test_each_configuration_by_itself(void **state)
{
	struct workspace_fixture *f = *state;

	begin(f, CASE_B, "");
	add(f,
		&(struct ended){
			.id = REF, .attempt = "reference", .target = "gpu", .value = 0.8653 });
	add(f, &(struct ended){ .id = RUN, .attempt = "1", .target = "v5e-1", .value = 0.8654 });
	assert_int_equal(record(f), 2);
	assert_int_equal(brief(f, "v5e-1", "goal.accuracy")->goal.holds, SEEN_YES);
	assert_int_equal(brief(f, "v5e-1", "goal.accuracy")->row, 2);
	assert_says(text_of(f, "v5e-1", "goal.accuracy"), "86.54, reference 86.53, gap +0.01pp");
	assert_int_equal(brief(f, "v5e-4", "goal.accuracy")->row, 1);
	assert_int_equal(measured(f, "v5e-4")->vector.l3, CHECK_UNKNOWN);
	assert_says(text_of(f, "v5e-4", "goal.accuracy"), "validated on 1 chip, intended 4");
	/* A second look finds nothing new. */
	assert_int_equal(record(f), 0);
	confirm_l2(f, "v5e-1", "", RUN);
	assert_int_equal(measured(f, "v5e-1")->ladder.level, LEVEL_L3);
	assert_int_equal(measured(f, "v5e-1")->vector.l3, CHECK_CONFIRMED);
	add(f, &(struct ended){ .id = RUN4, .attempt = "1", .target = "v5e-4", .value = 0.8489 });
	assert_int_equal(record(f), 1);
	confirm_l2(f, "v5e-4", "grad", RUN4);
	assert_int_equal(brief(f, "v5e-4", "goal.accuracy")->row, 7);
	assert_int_equal(measured(f, "v5e-4")->vector.l3, CHECK_REFUTED);
	assert_int_equal(measured(f, "v5e-1")->vector.l3, CHECK_CONFIRMED);
	/* The agent claims success for all of them: each is judged by itself. */
	fixture_record(f, "agent:c", "attempt.claimed", "1", "level", "L3", NULL);
	assert_int_equal(measured(f, "v5e-4")->ladder.level, LEVEL_L0);
	assert_int_equal(measured(f, "v5e-4")->claim, CLAIM_OVER);
	assert_int_equal(measured(f, "v5e-1")->claim, CLAIM_MATCH);
}

/* C2: 81.23 against 81.39 of 9815 examples, 1.98 h against 3.68 h. */
static void begin_c2(struct workspace_fixture *f, const char *more, const char *label)
{
	begin(f, CASE_C, more);
	add(f, &(struct ended){ .id = REF, .attempt = "reference", .target = "gpu", .value = 0.8139,
			.hours = "3.68", .price = "853600000" });
	add(f, &(struct ended){ .id = RUN, .attempt = "1", .target = "v5e-1", .value = 0.8123,
			.hours = "1.98", .price = "1200000000", .label = label });
	confirm_l2(f, "v5e-1", "", RUN);
	assert_true(record(f) > 0);
}

static void test_a_zero_margin_is_undecided(void **state)
{
	struct workspace_fixture *f = *state;
	const struct check_brief *goal;

	begin_c2(f, TARGET, "optimized");
	goal = brief(f, "v5e-1", "goal.accuracy");
	assert_int_equal(goal->row, 6);
	assert_int_equal(goal->result, CHECK_UNKNOWN);
	assert_says(text_of(f, "v5e-1", "goal.accuracy"),
		"15 of 9815 examples, unpaired SE 0.56 pp, z 0.29");
	/* L4 is not judged; its figures are there.  2.376 of 3.1412 $ is -24.4 %; the study
	 * prints -25 %, from hours that it did not print. */
	assert_int_equal(brief(f, "v5e-1", "performance")->result, CHECK_CONFIRMED);
	assert_says(text_of(f, "v5e-1", "performance"), "speed-up 1.86");
	assert_says(text_of(f, "v5e-1", "performance"), "cost -24 %");
	assert_int_equal(measured(f, "v5e-1")->vector.l4, CHECK_UNKNOWN);
	assert_int_equal(measured(f, "v5e-1")->vector.l3, CHECK_UNKNOWN);
	/* A person who wants it strict gets what the study has: not passed. */
	accept(f, CASE_C, TARGET "[level \"L3\"]\n\tstrict = true\n");
	assert_int_equal(brief(f, "v5e-1", "goal.accuracy")->row, 1);
	assert_true(record(f) > 0);
	assert_int_equal(brief(f, "v5e-1", "goal.accuracy")->row, 7);
	assert_int_equal(measured(f, "v5e-1")->vector.l3, CHECK_REFUTED);
	assert_says(text_of(f, "v5e-1", "goal.accuracy"), "judged strictly");
}

/* B1: 0.89 times the throughput.  1.20 / 0.8536 = 1.4058 the hour, over 0.89 is 1.58: the
 * study prints 1.59, which its rounded 0.89 (0.885 to 0.895) explains up to 1.588. */
static void test_slower_and_dearer_is_refuted(void **state)
{
	struct workspace_fixture *f = *state;

	begin(f, CASE_B, TARGET);
	add(f, &(struct ended){ .id = REF, .attempt = "reference", .target = "gpu", .value = 0.8653,
			.hours = "8.9", .price = "853600000" });
	add(f, &(struct ended){ .id = RUN, .attempt = "1", .target = "v5e-1", .value = 0.8654,
			.hours = "10", .price = "1200000000", .label = "optimized" });
	confirm_l2(f, "v5e-1", "", RUN);
	assert_true(record(f) > 0);
	assert_int_equal(measured(f, "v5e-1")->vector.l3, CHECK_CONFIRMED);
	assert_int_equal(brief(f, "v5e-1", "performance")->result, CHECK_REFUTED);
	assert_says(text_of(f, "v5e-1", "performance"), "speed-up 0.89");
	assert_says(text_of(f, "v5e-1", "performance"), "cost +58 %");
	assert_near(1.20 / 0.8536 / 0.89, 1.5796, 1e-4);
	assert_int_equal(measured(f, "v5e-1")->ladder.level, LEVEL_L3);
}

static void test_a_bring_up_run_claims_no_speed(void **state)
{
	struct workspace_fixture *f = *state;

	begin_c2(f, TARGET, NULL);
	assert_int_equal(brief(f, "v5e-1", "performance")->result, CHECK_UNKNOWN);
	assert_says(text_of(f, "v5e-1", "performance"), "bring-up run makes no claim about speed");
	assert_says(text_of(f, "v5e-1", "performance"), "speed-up 1.86");
}

/* C5: an optimized run is another program; what was checked before does not carry over. */
static void test_an_optimized_run_is_checked_anew(void **state)
{
	struct workspace_fixture *f = *state;

	begin_c2(f, TARGET, "bring-up");
	add(f, &(struct ended){ .id = RUN4, .attempt = "1", .target = "v5e-1", .value = 0.8145,
			.hours = "1.5", .price = "1200000000", .label = "optimized" });
	assert_true(record(f) > 0);
	assert_int_equal(brief(f, "v5e-1", "performance")->result, CHECK_UNKNOWN);
	assert_says(text_of(f, "v5e-1", "performance"), "does not carry over");
	/* The earlier run, its curve and its checks are kept. */
	assert_int_equal(fixture_attempt(f, "1")->runs_n, 2);
	confirm_l2(f, "v5e-1", "", RUN4);
	assert_true(record(f) > 0);
	assert_int_equal(brief(f, "v5e-1", "performance")->result, CHECK_CONFIRMED);
	assert_int_equal(brief(f, "v5e-1", "endpoint")->result, CHECK_UNKNOWN);	/* not the first */
	assert_int_equal(measured(f, "v5e-1")->vector.l4, CHECK_UNKNOWN);
}

static void contract_says(struct workspace_fixture *f, const char *run, const char *result)
{
	fixture_record(f, "tool:portside", "check.recorded", "1@v5e-1:contract-output", "result",
		result, "run", run, "version", "1", "evidence", "[\"e\"]", NULL);
}

/* C5: the contract is run again; what bring-up showed of it is not that program's. */
static void test_an_optimized_run_owes_the_contract(void **state)
{
	struct workspace_fixture *f = *state;
	struct contract_again again;

	begin_c2(f, TARGET, "bring-up");
	contract_says(f, RUN, "confirmed");
	assert_int_equal(contract_again_read(&again, fixture_workspace(f),
		fixture_attempt(f, "1"), "v5e-1", NULL, &f->a), 0);
	assert_null(again.optimized);
	assert_string_equal(again.owes, "");
	add(f, &(struct ended){ .id = RUN4, .attempt = "1", .target = "v5e-1", .value = 0.8145,
			.hours = "1.5", .price = "1200000000", .label = "optimized" });
	confirm_l2(f, "v5e-1", "", RUN4);
	assert_true(record(f) > 0);
	assert_int_equal(brief(f, "v5e-1", "performance")->result, CHECK_UNKNOWN);
	assert_says(text_of(f, "v5e-1", "performance"), "the contract has no verdict there since");
	contract_says(f, RUN4, "refuted");
	assert_true(record(f) > 0);
	assert_int_equal(brief(f, "v5e-1", "performance")->result, CHECK_UNKNOWN);
	assert_says(text_of(f, "v5e-1", "performance"), "satisfy the contract is refuted");
	contract_says(f, RUN4, "confirmed");
	assert_true(record(f) > 0);
	assert_int_equal(brief(f, "v5e-1", "performance")->result, CHECK_CONFIRMED);
}

/* A person answers for what was there when they spoke. */
static void test_a_person_answers_anew(void **state)
{
	struct workspace_fixture *f = *state;
	struct contract_again again;

	begin_c2(f, "", "bring-up");
	fixture_record(f, "human:ana", "check.recorded", "1@v5e-1:contract-output", "result",
		"confirmed", "text", "seen", NULL);
	add(f, &(struct ended){ .id = RUN4, .attempt = "1", .target = "v5e-1", .value = 0.8145,
			.label = "optimized" });
	assert_int_equal(contract_again_read(&again, fixture_workspace(f),
		fixture_attempt(f, "1"), "v5e-1", NULL, &f->a), 0);
	assert_string_equal(again.optimized->id, RUN4);
	assert_int_equal(contract_again_result(&again, again.output), CHECK_NOT_CHECKED);
	assert_says(again.owes, "no verdict there since");
	fixture_record(f, "human:ana", "check.recorded", "1@v5e-1:contract-output", "result",
		"confirmed", "text", "seen", NULL);
	assert_int_equal(contract_again_read(&again, fixture_workspace(f),
		fixture_attempt(f, "1"), "v5e-1", NULL, &f->a), 0);
	assert_int_equal(contract_again_result(&again, again.output), CHECK_CONFIRMED);
	assert_string_equal(again.owes, "");
}

#define STEP_TARGET "[level \"L4\"]\n\tendpoint = training-step\n\tpreparation = excluded\n" \
	"\trepetition = first\n\ttime-ratio = 0.6\n"
#define QUALITY_TARGET "[level \"L4\"]\n\tendpoint = quality\n\tgoal = accuracy\n" \
	"\tpreparation = included\n\trepetition = first\n\ttime = 3m\n"

/* Rows of training whose steps take S seconds, the first twenty of them ten times as long,
 * and two evaluations. */
static const char *timed_rows(struct workspace_fixture *f, int n, double s, double last)
{
	struct buf b = BUF_INIT;
	const char *text;
	double at = 1760000000;

	for (int i = 1; i <= n; i++) {
		at += i <= 20 ? 10 * s : s;
		buf_addf(&b, "{\"step\": %d, \"loss\": 0.5, \"timestamp\": %.3f}\n", i, at);
	}
	buf_addf(&b, "{\"step\": %d, \"eval_accuracy\": 0.7, \"timestamp\": %.3f}\n", n / 2,
		1760000000 + 100.0);
	buf_addf(&b, "{\"step\": %d, \"eval_accuracy\": %.4f, \"timestamp\": %.3f}\n", n, last,
		1760000000 + 170.0);
	text = arena_strndup(&f->a, b.s, b.n);
	buf_release(&b);
	return text;
}

static void begin_timed(struct workspace_fixture *f, const char *head, const char *target,
	int n, double last, const char *started)
{
	begin(f, head, target);
	add(f, &(struct ended){ .id = REF, .attempt = "reference", .target = "gpu",
			.hours = "0.06", .price = "1000000000", .started = started,
			.rows = timed_rows(f, n, 0.4, last) });
	add(f, &(struct ended){ .id = RUN, .attempt = "1", .target = "v5e-1", .hours = "0.06",
			.price = "1000000000", .label = "optimized", .started = started,
			.rows = timed_rows(f, n, 0.2, last) });
	confirm_l2(f, "v5e-1", "", RUN);
	assert_true(record(f) > 0);
}

/* At steady state: neither compilation nor the slow beginning is in it. */
static void test_a_step_at_steady_state(void **state)
{
	struct workspace_fixture *f = *state;

	begin_timed(f, CASE_C, STEP_TARGET, 200, 0.85, NULL);
	assert_int_equal(brief(f, "v5e-1", "endpoint")->result, CHECK_CONFIRMED);
	assert_says(text_of(f, "v5e-1", "endpoint"), "training step at steady state on both sides");
	assert_int_equal(brief(f, "v5e-1", "performance")->result, CHECK_CONFIRMED);
	assert_says(text_of(f, "v5e-1", "performance"),
		"0.2 s a step (median of 180 rows behind the first 19) against 0.4 s a step");
	assert_says(text_of(f, "v5e-1", "performance"), "speed-up 2.00");
	/* A share of the run's cost: equal prices, half the time. */
	assert_says(text_of(f, "v5e-1", "performance"), "cost -50 %");
	/* Steps, batch and examples are not logged: nothing shows that the work is equal. */
	assert_int_equal(brief(f, "v5e-1", "workload")->result, CHECK_UNKNOWN);
	assert_int_equal(measured(f, "v5e-1")->vector.l4, CHECK_UNKNOWN);
}

static void test_few_steps_have_no_steady_state(void **state)
{
	struct workspace_fixture *f = *state;

	begin_timed(f, CASE_C, STEP_TARGET, 20, 0.85, NULL);
	assert_int_equal(brief(f, "v5e-1", "endpoint")->result, CHECK_UNKNOWN);
	assert_says(text_of(f, "v5e-1", "endpoint"), "a steady state takes 25");
	assert_int_equal(brief(f, "v5e-1", "performance")->result, CHECK_UNKNOWN);
}

static void test_the_time_to_a_quality(void **state)
{
	struct workspace_fixture *f = *state;

	begin_timed(f, CASE_B, QUALITY_TARGET, 200, 0.86, "1760000000000000000");
	assert_int_equal(brief(f, "v5e-1", "endpoint")->result, CHECK_CONFIRMED);
	assert_int_equal(brief(f, "v5e-1", "performance")->result, CHECK_CONFIRMED);
	assert_says(text_of(f, "v5e-1", "performance"),
		"0.04722 h until accuracy is reached at step 200");
}

static void test_a_quality_without_a_start(void **state)
{
	struct workspace_fixture *f = *state;

	begin_timed(f, CASE_B, QUALITY_TARGET, 200, 0.86, NULL);
	assert_int_equal(brief(f, "v5e-1", "endpoint")->result, CHECK_UNKNOWN);
	assert_says(text_of(f, "v5e-1", "endpoint"), "when it started is not known");
}

static void test_a_quality_that_is_never_reached(void **state)
{
	struct workspace_fixture *f = *state;

	begin_timed(f, CASE_B, QUALITY_TARGET, 200, 0.84, "1760000000000000000");
	assert_int_equal(brief(f, "v5e-1", "endpoint")->result, CHECK_UNKNOWN);
	assert_says(text_of(f, "v5e-1", "endpoint"), "never reaches what goal accuracy asks for");
}

/* What no run of training shows stays open. */
static void test_other_endpoints_are_not_decided(void **state)
{
	static const char *const targets_of[] = { "request", "batch" };

	for (size_t i = 0; i < ARRAY_LEN(targets_of); i++) {
		struct config_level l4 = { .endpoint = i ? ENDPOINT_BATCH : ENDPOINT_REQUEST,
			.preparation = PREPARATION_INCLUDED };
		struct workspace_fixture *f = *state;
		const char *why;

		assert_false(performance_endpoint_is_measured(&l4, &why, &f->a));
		assert_says(why, targets_of[i]);
		l4 = (struct config_level){ .endpoint = ENDPOINT_STEP,
			.preparation = PREPARATION_INCLUDED };
		assert_false(performance_endpoint_is_measured(&l4, &why, &f->a));
		assert_says(
			why, "preparation included; measured is that with preparation excluded");
	}
}

static void test_without_a_target_nothing_is_asked(void **state)
{
	struct workspace_fixture *f = *state;

	begin_c2(f, "", "optimized");
	assert_null(brief(f, "v5e-1", "performance"));
	assert_null(brief(f, "v5e-1", "workload"));
}

static void test_unequal_work_is_no_speed_up(void **state)
{
	struct workspace_fixture *f = *state;

	begin(f, CASE_C, TARGET);
	add(f, &(struct ended){ .id = REF, .attempt = "reference", .target = "gpu", .value = 0.8139,
			.hours = "3.68" });
	add(f, &(struct ended){ .id = RUN, .attempt = "1", .target = "v5e-1", .value = 0.8150,
			.hours = "1.98", .label = "optimized" });
	run_fixture_file(f, RUN, "metrics.jsonl",
		run_fixture_rows(f, "eval_accuracy", 9, 100, 0.735, 0.01, 0));
	assert_true(record(f) > 0);
	assert_int_equal(brief(f, "v5e-1", "workload")->result, CHECK_REFUTED);
	assert_says(text_of(f, "v5e-1", "workload"), "9 evaluations");
	/* The file is not the one on record any more. */
	assert_int_equal(brief(f, "v5e-1", "goal.accuracy")->row, 1);
	assert_says(text_of(f, "v5e-1", "goal.accuracy"), "not as it is on record");
}

static void test_stand_ins_and_smoke_runs_reach_nothing(void **state)
{
	struct workspace_fixture *f = *state;

	begin(f, CASE_B, "");
	add(f,
		&(struct ended){
			.id = REF, .attempt = "reference", .target = "gpu", .value = 0.8653 });
	add(f, &(struct ended){ .id = RUN, .attempt = "1", .target = "sim-1", .value = 0.8654 });
	add(f, &(struct ended){ .id = RUN4, .attempt = "1", .target = "v5e-1", .kind = "smoke",
			.value = 0.9 });
	assert_int_equal(record(f), 1);
	assert_int_equal(brief(f, "sim-1", "goal.accuracy")->result, CHECK_UNKNOWN);
	assert_says(text_of(f, "sim-1", "goal.accuracy"), "only simulates");
	assert_null(brief(f, "v5e-1", "goal.accuracy"));
	/* It can miss a goal. */
	add(f, &(struct ended){ .id = REF2, .attempt = "1", .target = "sim-1", .value = 0.80 });
	assert_true(record(f) > 0);
	assert_int_equal(brief(f, "sim-1", "goal.accuracy")->row, 7);
}

/* S1: two teachers are no migration error. */
static void test_what_cannot_be_compared_is_unknown(void **state)
{
	struct workspace_fixture *f = *state;

	begin(f, CASE_C, "");
	add(f,
		&(struct ended){
			.id = REF, .attempt = "reference", .target = "gpu", .value = 0.826 });
	add(f, &(struct ended){ .id = RUN, .attempt = "1", .target = "v5e-1", .value = 0.773 });
	run_fixture_file(f, REF, "portside-facts.json", "{\"teacher\": \"a\"}");
	run_fixture_file(f, RUN, "portside-facts.json", "{\"teacher\": \"b\"}");
	assert_true(record(f) > 0);
	assert_int_equal(brief(f, "v5e-1", "goal.accuracy")->row, 1);
	assert_says(text_of(f, "v5e-1", "goal.accuracy"), "not comparable: teacher");
}

static void test_a_reference_that_comes_later_counts(void **state)
{
	struct workspace_fixture *f = *state;

	begin(f, CASE_B, "");
	add(f, &(struct ended){ .id = RUN, .attempt = "1", .target = "v5e-1", .value = 0.80 });
	assert_true(record(f) > 0);
	assert_int_equal(brief(f, "v5e-1", "goal.accuracy")->row, 13);
	add(f,
		&(struct ended){
			.id = REF, .attempt = "reference", .target = "gpu", .value = 0.8653 });
	assert_int_equal(goal_checks_finish(fixture_workspace(f), REF, NULL, &f->a), 0);
	assert_int_equal(brief(f, "v5e-1", "goal.accuracy")->row, 7);
}

/* A reference that does not repeat itself shows neither what it reaches nor a match: a
 * missed goal is inherited from nothing. */
static void test_a_reference_apart_from_itself_gates_nothing(void **state)
{
	struct workspace_fixture *f = *state;

	begin(f, CASE_B, "");
	add(f, &(struct ended){ .id = REF, .attempt = "reference", .target = "gpu",
			.value = 0.8653 });
	add(f, &(struct ended){ .id = REF2, .attempt = "reference", .target = "gpu",
			.value = 0.70 });
	add(f, &(struct ended){ .id = RUN, .attempt = "1", .target = "v5e-1", .value = 0.79 });
	confirm_l2(f, "v5e-1", "", RUN);
	assert_true(record(f) > 0);
	assert_int_equal(brief(f, "v5e-1", "goal.accuracy")->goal.reference, SEEN_UNKNOWN);
	assert_int_equal(brief(f, "v5e-1", "goal.accuracy")->goal.matches, SEEN_UNKNOWN);
	assert_int_equal(brief(f, "v5e-1", "goal.accuracy")->row, 13);
	assert_int_equal(measured(f, "v5e-1")->vector.l3, CHECK_UNKNOWN);
	assert_says(text_of(f, "v5e-1", "goal.accuracy"),
		"two of its runs with seed 1 are up to 16.53pp apart, more than the tolerance");
}

/* Runs with seeds of their own are apart by noise, and gate by their mean. */
static void test_a_reference_of_two_seeds_gates(void **state)
{
	struct workspace_fixture *f = *state;

	begin(f, CASE_B, "");
	add(f, &(struct ended){ .id = REF, .attempt = "reference", .target = "gpu",
			.value = 0.8653 });
	add(f, &(struct ended){ .id = REF2, .attempt = "reference", .target = "gpu", .seed = "2",
			.value = 0.70 });
	add(f, &(struct ended){ .id = RUN, .attempt = "1", .target = "v5e-1", .value = 0.79 });
	confirm_l2(f, "v5e-1", "", RUN);
	assert_true(record(f) > 0);
	assert_int_equal(brief(f, "v5e-1", "goal.accuracy")->goal.reference, SEEN_NO);
}

static void test_the_error_of_two_shares(void **state)
{
	(void)state;
	assert_near(goal_unpaired_error(7988, 7973, 9815), 0.55648, 1e-4);
	assert_near(goal_unpaired_error(365, 362, 408), 2.18, 5e-3);
	assert_near(goal_unpaired_error(337, 323, 408), 2.75, 5e-3);
	assert_near(goal_unpaired_error(8493, 8332, 9815), 0.50, 5e-3);
}

#define TEST(t) cmocka_unit_test_setup_teardown(t, fixture_setup, fixture_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_each_configuration_by_itself),
		TEST(test_a_zero_margin_is_undecided),
		TEST(test_a_bring_up_run_claims_no_speed),
		TEST(test_an_optimized_run_is_checked_anew),
		TEST(test_an_optimized_run_owes_the_contract),
		TEST(test_a_person_answers_anew),
		TEST(test_a_step_at_steady_state),
		TEST(test_few_steps_have_no_steady_state),
		TEST(test_the_time_to_a_quality),
		TEST(test_a_quality_without_a_start),
		TEST(test_a_quality_that_is_never_reached),
		TEST(test_other_endpoints_are_not_decided),
		TEST(test_without_a_target_nothing_is_asked),
		TEST(test_unequal_work_is_no_speed_up),
		TEST(test_stand_ins_and_smoke_runs_reach_nothing),
		TEST(test_what_cannot_be_compared_is_unknown),
		TEST(test_a_reference_that_comes_later_counts),
		TEST(test_slower_and_dearer_is_refuted),
		TEST(test_a_reference_apart_from_itself_gates_nothing),
		TEST(test_a_reference_of_two_seeds_gates),
		cmocka_unit_test(test_the_error_of_two_shares),
	};

	return cmocka_run_group_tests_name("goal_checks", tests, NULL, NULL);
}
