/*
 * test_comparison - which runs stand beside each other, what is compared, what
 * stops a verdict, and that curves follow their files and moments in time.
 */
#include "config.h"

#include "tests/unit.h"

#include "base/clock.h"
#include "base/err.h"
#include "base/fs.h"
#include "tests/workspace/run_fixture.h"
#include "workspace/accepted.h"
#include "workspace/comparison.h"
#include "workspace/comparison_words.h"
#include "workspace/state.h"

#define REF "ps-aaaaaaaaaaaaa"
#define REF2 "ps-bbbbbbbbbbbbb"
#define REF3 "ps-ccccccccccccc"
#define ATTEMPT "ps-ddddddddddddd"
#define OTHER "ps-eeeeeeeeeeeee"

static struct run_comparison *make(struct workspace_fixture *f, const struct comparison_request *r)
{
	struct run_comparison *c;

	if (run_comparison_make(&c, fixture_workspace(f), r) < 0)
		fail_msg("%s", err_text());
	return c;
}

static void add(struct workspace_fixture *f, const char *id, const char *attempt,
	const char *target, const char *seed, const char *state)
{
	run_fixture_add(f,
		&(struct fixture_run){ .id = id,
			.attempt = attempt,
			.kind = "full",
			.target = target,
			.seed = seed,
			.state = state,
			.chips = strcmp(target, "tpu-4") == 0 ? "4" : "1" });
}

static void add_rows(struct workspace_fixture *f, const char *id, double first, double slope)
{
	run_fixture_file(f, id, "metrics.jsonl",
		run_fixture_rows(f, "eval_accuracy", 10, 10, first, slope, 0));
}

/* Reference 0.80 + 0.01 i; the attempt 2 pp below on four chips, equal on one. */
static void begin(struct workspace_fixture *f)
{
	run_fixture_begin(f);
	add(f, REF, "reference", "gpu", "1", "exited 0");
	add_rows(f, REF, 0.80, 0.01);
	add(f, OTHER, "1", "tpu-1", "1", "exited 0");
	add_rows(f, OTHER, 0.80, 0.01);
	add(f, ATTEMPT, "1", "tpu-4", "1", "exited 0");
	add_rows(f, ATTEMPT, 0.78, 0.01);
}

static void facts(struct workspace_fixture *f, const char *run, const char *text)
{
	run_fixture_file(f, run, "portside-facts.json", text);
}

static void test_gap(void **state)
{
	struct workspace_fixture *f = *state;
	struct run_comparison *c;

	begin(f);
	c = make(f, &(struct comparison_request){ .attempt_run = "1" });
	assert_string_equal(c->attempt.run->id, ATTEMPT);	/* the intended configuration */
	assert_string_equal(c->reference.run->id, REF);
	assert_string_equal(c->metric, "eval_accuracy");
	assert_string_equal(c->goal, "accuracy");
	assert_true(c->has_comparison);
	assert_int_equal(c->comparison.alignment.n, 10);
	assert_near(c->comparison.final * c->scale, -2, 1e-9);
	assert_near(c->comparison.options.tolerance.atol, 0.01, 1e-12);
	assert_int_equal(c->comparison.verdict, COMPARE_DIFFERS_FROM_START);
	assert_int_equal(c->comparison.worse, SIDE_ATTEMPT);
	assert_string_equal(
		c->next, "differs on tpu-4, not on tpu-1: grad norm of one batch on both");
	run_comparison_free(c);
	c = make(f, &(struct comparison_request){ .attempt_run = "1", .configuration = "tpu-1" });
	assert_string_equal(c->attempt.run->id, OTHER);
	assert_int_equal(c->comparison.verdict, COMPARE_MATCH);
	assert_string_equal(c->next, "not yet what was intended: the same on tpu-4");
	run_comparison_free(c);
}

static void test_partner(void **state)
{
	struct workspace_fixture *f = *state;
	struct run_comparison *c;

	begin(f);
	/* A failed run of the same seed says less than one that ended of another. */
	add(f, REF2, "reference", "gpu", "7", "failed");
	add(f, REF3, "reference", "tpu-1", "7", "exited 0");
	add(f, "ps-fffffffffffff", "2", "tpu-4", "7", "exited 0");
	add_rows(f, "ps-fffffffffffff", 0.8, 0.01);
	add_rows(f, REF3, 0.8, 0.01);
	c = make(f, &(struct comparison_request){ .attempt_run = "2" });
	assert_string_equal(c->reference.run->id, REF3);
	run_comparison_free(c);
	/* Of the same seed the newest. */
	add(f, "ps-ggggggggggggg", "reference", "gpu", "7", "exited 0");
	add_rows(f, "ps-ggggggggggggg", 0.8, 0.01);
	c = make(f, &(struct comparison_request){ .attempt_run = "2" });
	assert_string_equal(c->reference.run->id, "ps-ggggggggggggg");
	run_comparison_free(c);
	/* A smoke run has no partner among full ones. */
	run_fixture_add(f,
		&(struct fixture_run){ .id = "ps-hhhhhhhhhhhhh",
			.attempt = "2",
			.kind = "smoke",
			.target = "tpu-4",
			.seed = "7",
			.state = "exited 0" });
	c = make(f, &(struct comparison_request){ .attempt_run = "ps-hhhhhhhhhhhhh" });
	assert_false(c->has_reference);
	assert_non_null(strstr(c->missing, "no smoke run of the reference yet"));
	run_comparison_free(c);
}

static void test_against_an_attempt(void **state)
{
	struct workspace_fixture *f = *state;
	struct run_comparison *c;

	begin(f);
	add(f, "ps-fffffffffffff", "2", "tpu-4", "1", "exited 0");
	add_rows(f, "ps-fffffffffffff", 0.80, 0.01);
	c = make(f, &(struct comparison_request){ .attempt_run = "2", .reference_run = "1" });
	assert_string_equal(c->reference.run->id, ATTEMPT);
	assert_true(c->against_attempt);
	assert_near(c->comparison.final * c->scale, 2, 1e-9);
	run_comparison_free(c);
}

/* A repeat beside the others counts on one side alone, and no run beside itself at all. */
static void test_the_reference_beside_itself(void **state)
{
	struct comparison_request r = { .attempt_run = REF, .reference_run = REF };
	struct workspace_fixture *f = *state;
	struct run_comparison *c;

	begin(f);
	add(f, REF2, "reference", "gpu", "2", "exited 0");
	add_rows(f, REF2, 0.80, 0.01);
	add(f, REF3, "reference", "gpu", "3", "exited 0");
	add_rows(f, REF3, 0.80, 0.01);
	c = make(f, &(struct comparison_request){ .attempt_run = REF3, .reference_run = REF });
	run_comparison_assess(c);
	assert_int_equal(c->assessment.seeds.n_reference, 2);
	assert_int_equal(c->assessment.seeds.n_attempt, 1);
	assert_int_not_equal(c->assessment.word, SEED_AGREES);
	run_comparison_free(c);
	assert_int_equal(run_comparison_make(&c, fixture_workspace(f), &r), ERR_USAGE);
	assert_non_null(strstr(err_text(), "would stand beside itself"));
}

static void accept_more(struct workspace_fixture *f, const char *more)
{
	struct buf b = BUF_INIT;

	if (fs_read(&b, fs_join(&f->a, f->git.repo, "portside.conf"), 0) < 0)
		fail_msg("%s", err_text());
	buf_adds(&b, more);
	fixture_conf(f, b.s);
	buf_release(&b);
	if (accepted_accept(fixture_workspace(f), "human:ana", "on purpose", &f->a) < 0)
		fail_msg("%s", err_text());
}

static void add_loss(struct workspace_fixture *f, const char *run, double first)
{
	run_fixture_file(
		f, run, "loss.jsonl", run_fixture_rows(f, "train_score", 10, 10, first, 0, 0));
}

/* Of a curve that no goal is about: nobody's two percent, or what was accepted. */
static void test_the_tolerance_has_an_origin(void **state)
{
	struct workspace_fixture *f = *state;
	struct comparison_request r = { .attempt_run = "1", .metric = "train_score" };
	struct run_comparison *c;
	struct buf b = BUF_INIT;

	begin(f);
	add_loss(f, REF, 1.00);
	add_loss(f, ATTEMPT, 0.97);
	c = make(f, &r);
	assert_int_equal(c->comparison.verdict, COMPARE_DIFFERS_FROM_START);
	assert_int_equal(c->comparison.worse, SIDE_UNKNOWN);
	compare_add_tolerance(&b, &c->comparison);
	assert_string_equal(b.s, "|d| <= 0.02 * |R| (default, nobody chose it)");
	buf_clear(&b);
	run_comparison_free(c);
	accept_more(f,
		"[curve \"score\"]\n\tseries = train_*\n\tdirection = higher\n\trelative-tolerance = 0.05\n");
	c = make(f, &r);
	assert_int_equal(c->comparison.verdict, COMPARE_MATCH);
	assert_int_equal(c->comparison.worse, SIDE_ATTEMPT);
	compare_add_tolerance(&b, &c->comparison);
	assert_string_equal(b.s, "|d| <= 0.05 * |R|");
	buf_release(&b);
	run_comparison_free(c);
}

/* A margin of 0.005 asks for more digits than "0.00"; a share of examples has two. */
static void test_digits_by_the_margin(void **state)
{
	struct workspace_fixture *f = *state;
	struct comparison_request r = { .attempt_run = "1", .metric = "train_score" };
	struct run_comparison *c;
	struct buf b = BUF_INIT;

	begin(f);
	add_loss(f, REF, 0.004);
	add_loss(f, ATTEMPT, 0.007);
	c = make(f, &r);
	assert_int_equal(c->decimals, -1);
	run_comparison_free(c);
	accept_more(f,
		"[goal \"loss\"]\n\tdirection = lower\n\tseries = train_score\n\ttarget = 0.01\n\tmargin = 0.005\n");
	c = make(f, &r);
	assert_int_equal(c->decimals, 5);
	compare_add_value(&b, &c->comparison, 0.004);
	assert_string_equal(b.s, "0.00400");
	run_comparison_free(c);
	r.metric = "eval_accuracy";
	c = make(f, &r);
	assert_int_equal(c->decimals, 2);
	buf_release(&b);
	run_comparison_free(c);
}

/* A difference on purpose is a condition of the verdict, not an obstacle; said
 * after the run it is marked. */
static void test_declared_differences(void **state)
{
	struct workspace_fixture *f = *state;
	struct run_comparison *c;

	begin(f);
	facts(f, REF, "{\"data\": \"sst2@1\", \"batch\": 32, \"examples\": 408}");
	facts(f, ATTEMPT, "{\"data\": \"sst2@1\", \"batch\": 128, \"examples\": 408}");
	accept_more(f, "[difference \"batch\"]\n\treason = 4 chips x 32\n");
	c = make(f, &(struct comparison_request){ .attempt_run = "1" });
	assert_int_equal(comparable_find(&c->comparable, "batch")->status, COMPARABLE_DECLARED);
	assert_int_equal(c->comparable.overall, COMPARABLE_OPEN);
	assert_non_null(strstr(
		c->verdict, "(batch differs on purpose: 4 chips x 32 (declared after the run))"));
	run_comparison_free(c);
	add(f, "ps-fffffffffffff", "2", "tpu-4", "1", "exited 0");
	add_rows(f, "ps-fffffffffffff", 0.80, 0.01);
	facts(f, "ps-fffffffffffff", "{\"data\": \"sst2@1\", \"batch\": 128, \"examples\": 408}");
	c = make(f, &(struct comparison_request){ .attempt_run = "2" });
	assert_string_equal(comparable_find(&c->comparable, "batch")->reason, "4 chips x 32");
	run_comparison_free(c);
}

static void test_red_item_stops_the_verdict(void **state)
{
	struct workspace_fixture *f = *state;
	struct run_comparison *c;

	begin(f);
	facts(f, REF, "{\"data\": \"sst2@1\", \"batch\": 32, \"examples\": 408}");
	facts(f, ATTEMPT, "{\"data\": \"sst2@1\", \"batch\": 128, \"examples\": 408}");
	c = make(f, &(struct comparison_request){ .attempt_run = "1" });
	assert_int_equal(c->comparable.overall, COMPARABLE_NO);
	assert_string_equal(c->comparable.first_obstacle->name, "batch");
	assert_string_equal(c->verdict,
		"not comparable: batch: make per-device batch x devices x accumulation equal");
	assert_near(c->comparison.final * c->scale, -2, 1e-9);	/* the numbers stay */
	assert_int_equal(comparable_find(&c->comparable, "data")->status, COMPARABLE_EQUAL);
	run_comparison_free(c);
	/* Not JSON, and a wrong type: unknown, not an error. */
	facts(f, ATTEMPT, "{\"data\": [], \"batch\": \"many\"");
	c = make(f, &(struct comparison_request){ .attempt_run = "1" });
	assert_int_equal(comparable_find(&c->comparable, "batch")->status, COMPARABLE_UNKNOWN);
	run_comparison_free(c);
}

static void test_spread(void **state)
{
	struct workspace_fixture *f = *state;
	struct buf b = BUF_INIT;
	struct run_comparison *c;

	begin(f);
	add(f, REF2, "reference", "gpu", "2", "exited 0");
	add_rows(f, REF2, 0.805, 0.01);
	add(f, REF3, "reference", "gpu", "3", "exited 0");
	add_rows(f, REF3, 0.79, 0.01);
	c = make(f, &(struct comparison_request){ .attempt_run = "1" });
	assert_int_equal(c->spread.n, 3);
	assert_near(c->spread.low, 0.5, 1e-6);
	assert_near(c->spread.high, 1.5, 1e-6);
	assert_near(c->spread.last_low, 88, 1e-9);
	assert_near(c->spread.last_high, 89.5, 1e-9);
	comparison_add_spread(&b, c);
	assert_string_equal(
		b.s, "reference against itself, 3 runs: 0.50 to 1.50pp apart at the end");
	buf_release(&b);
	assert_int_equal(c->comparison.options.n_reference_seeds, 3);
	run_comparison_free(c);
}

/* A run of the reference beside another of it is judged by the others' noise alone: three
 * runs at 0.80, 0.82 and 0.84 have an sd of 0.02, and the far one would make it 0.11. */
static void test_the_attempt_is_no_noise(void **state)
{
	struct workspace_fixture *f = *state;
	struct comparison_request r = { .attempt_run = "ps-fffffffffffff", .reference_run = REF,
		.want_sigma = true };
	struct run_comparison *c;

	begin(f);
	add(f, REF2, "reference", "gpu", "2", "exited 0");
	add_rows(f, REF2, 0.82, 0.01);
	add(f, REF3, "reference", "gpu", "3", "exited 0");
	add_rows(f, REF3, 0.84, 0.01);
	add(f, "ps-fffffffffffff", "reference", "gpu", "4", "exited 0");
	add_rows(f, "ps-fffffffffffff", 0.60, 0.01);
	c = make(f, &r);
	assert_int_equal(c->n_repeats, 3);
	assert_int_equal(c->comparison.sigma_source, SIGMA_SEEDS);
	assert_near(c->comparison.sigma[0], 0.02, 1e-9);
	assert_int_equal(c->spread.n, 3);
	assert_near(c->spread.high, 4, 1e-6);
	assert_int_equal(c->comparison.options.n_reference_seeds, 3);
	run_comparison_free(c);
}

/* Three seeds a side: further runs of the attempt are found as those of the reference are. */
static void test_several_seeds(void **state)
{
	struct workspace_fixture *f = *state;
	struct run_comparison *c;

	begin(f);
	add(f, REF2, "reference", "gpu", "2", "exited 0");
	add_rows(f, REF2, 0.802, 0.01);
	add(f, REF3, "reference", "gpu", "3", "exited 0");
	add_rows(f, REF3, 0.798, 0.01);
	add(f, "ps-fffffffffffff", "1", "tpu-4", "2", "exited 0");
	add_rows(f, "ps-fffffffffffff", 0.781, 0.01);
	add(f, "ps-ggggggggggggg", "1", "tpu-4", "3", "failed");	/* no repeat */
	add(f, "ps-hhhhhhhhhhhhh", "2", "tpu-4", "3", "exited 0");	/* another attempt's */
	c = make(f, &(struct comparison_request){ .attempt_run = ATTEMPT });
	assert_int_equal(c->n_repeats, 2);
	assert_int_equal(c->n_attempt_repeats, 1);
	assert_string_equal(c->attempt_repeats[0].run->id, "ps-fffffffffffff");
	assert_int_equal(c->comparison.options.n_attempt_seeds, 2);
	assert_false(c->has_assessment);
	run_comparison_assess(c);
	assert_true(c->has_assessment);
	assert_int_equal(c->assessment.seeds.n_reference, 3);
	assert_int_equal(c->assessment.seeds.n_attempt, 2);
	assert_near(c->assessment.seeds.attempt[1], 87.1, 1e-9);
	assert_near(c->assessment.margin, 1, 1e-12);
	assert_int_equal(c->assessment.word, SEED_DIFFERS);
	/* Another metric forgets it. */
	assert_int_equal(run_comparison_choose(c, ""), 0);
	assert_false(c->has_assessment);
	run_comparison_free(c);
}

/* Seeds of the two sides need not be the same ones when there are several a side. */
static void test_seeds_of_several(void **state)
{
	struct workspace_fixture *f = *state;
	struct run_comparison *c;

	begin(f);
	add(f, REF2, "reference", "gpu", "2", "exited 0");
	add_rows(f, REF2, 0.802, 0.01);
	add(f, "ps-fffffffffffff", "2", "tpu-4", "7", "exited 0");
	add_rows(f, "ps-fffffffffffff", 0.80, 0.01);
	c = make(f, &(struct comparison_request){ .attempt_run = "2" });
	assert_string_equal(c->comparable.first_obstacle->name, "seed");
	run_comparison_free(c);
	add(f, "ps-ggggggggggggg", "2", "tpu-4", "8", "exited 0");
	add_rows(f, "ps-ggggggggggggg", 0.80, 0.01);
	c = make(f, &(struct comparison_request){ .attempt_run = "2" });
	assert_int_equal(comparable_find(&c->comparable, "seed")->status, COMPARABLE_DECLARED);
	assert_string_equal(
		comparable_find(&c->comparable, "seed")->reason, "several seeds a side");
	run_comparison_free(c);
}

/* Where the runs recorded them: packages, variables that change arithmetic, the grid
 * of the log, the first step. */
/* One format under two names is one; equal starts that are a fifth apart at step 1 are
 * no noise. */
static void test_first_step_of_one_format(void **state)
{
	struct workspace_fixture *f = *state;
	struct run_comparison *c;
#define START "{\"weights\": \"a\", \"data\": \"d\", \"precision\": "

	begin(f);
	facts(f, REF, START "\"f32\"}");
	facts(f, ATTEMPT, START "\"torch.float32\"}");
	run_fixture_file(f, REF, "start.jsonl", "{\"step\": 1, \"loss\": 1.0}\n{\"step\": 2, \"loss\": 0.9}\n");
	run_fixture_file(f, ATTEMPT, "start.jsonl", "{\"step\": 1, \"loss\": 1.2}\n{\"step\": 2, \"loss\": 0.9}\n");
	c = make(f, &(struct comparison_request){ .attempt_run = "1", .metric = "loss" });
	assert_int_equal(comparable_find(&c->comparable, "precision")->status, COMPARABLE_EQUAL);
	assert_string_equal(c->reference.facts.precision, "fp32");
	run_comparison_assess(c);
	assert_int_equal(c->assessment.first.state, FIRST_DIFFERS);
	assert_near(c->assessment.first.relative, 0.2, 1e-9);
	run_comparison_free(c);
}

/* What the probe saw of both is no more unknown. */
static void test_facts_of_the_probe(void **state)
{
	static const char record[] =
		"{\"probe\":1,\"kind\":\"forward\",\"rank\":0,\"step\":1,\"dtypes\":{\"float32\":4},"
		"\"autocast\":false,\"batch\":{\"examples\":8}}\n"
		"{\"probe\":1,\"kind\":\"optimizer\",\"rank\":0,\"optimizer\":0}\n"
		"{\"probe\":1,\"kind\":\"clip\",\"rank\":0,\"step\":1,\"limit\":0.5}\n"
		"{\"probe\":1,\"kind\":\"steps\",\"rank\":0,\"optimizer\":0,\"first\":1,"
		"\"lr\":0.1,\"seconds\":[null,0.5],\"backwards\":2}\n"
		"{\"probe\":1,\"kind\":\"evaluated\",\"rank\":0,\"examples\":408}\n";
	static const char *const equal[] = { "batch", "clipping", "examples", "precision" };
	struct workspace_fixture *f = *state;
	struct run_comparison *c;

	begin(f);
	run_fixture_file(f, REF, "../probe/probe-0-1.jsonl", record);
	run_fixture_file(f, ATTEMPT, "../probe/probe-0-1.jsonl", record);
	c = make(f, &(struct comparison_request){ .attempt_run = "1" });
	for (size_t i = 0; i < ARRAY_LEN(equal); i++)
		assert_int_equal(
			comparable_find(&c->comparable, equal[i])->status, COMPARABLE_EQUAL);
	assert_near(c->attempt.facts.batch, 16, 0);
	assert_near(c->attempt.facts.clipping, 0.5, 0);
	assert_near(c->attempt.facts.eval_examples, 408, 0);
	run_comparison_free(c);
}

static void test_recorded_facts(void **state)
{
	static const char env[] = "HOME=/root\0XLA_USE_BF16=1";
	struct workspace_fixture *f = *state;
	const struct comparable_item *item;
	struct run_comparison *c;

	begin(f);
	facts(f, REF, "{\"batch\": 32, \"tokens-per-step\": 100}");
	facts(f, ATTEMPT, "{\"batch\": 64}");
	run_fixture_file(f, REF, "../capture/pip-freeze.txt",
		"absl-py==2.1\ntorch==2.5.1+cu121\nnumpy==1.26.4\n");
	run_fixture_file(f, ATTEMPT, "../capture/pip-freeze.txt",
		"torch==2.6.0\ntorch_xla==2.6.0\nnumpy==1.26.4\n");
	run_fixture_file(f, REF, "../env", "HOME=/root");
	assert_int_equal(
		fs_write_durable(run_fixture_path(f, ATTEMPT, "../env"), env, sizeof env, 0600), 0);
	c = make(f, &(struct comparison_request){ .attempt_run = "1" });
	item = comparable_find(&c->comparable, "packages");
	assert_int_equal(item->status, COMPARABLE_DIFFERS);
	assert_false(item->blocks);
	assert_string_equal(item->reference, "torch 2.5.1+cu121, numpy 1.26.4");
	assert_string_equal(item->attempt, "torch 2.6.0, torch_xla 2.6.0, numpy 1.26.4");
	item = comparable_find(&c->comparable, "environment");
	assert_int_equal(item->status, COMPARABLE_DIFFERS);
	assert_true(item->blocks);
	assert_string_equal(item->reference, "");
	assert_string_equal(item->attempt, "XLA_USE_BF16=1");
	assert_int_equal(comparable_find(&c->comparable, "first-step")->status, COMPARABLE_EQUAL);
	assert_int_equal(comparable_find(&c->comparable, "resolution")->status, COMPARABLE_EQUAL);
	assert_int_equal(c->comparable.overall, COMPARABLE_NO);
	/* Samples by the batch of each: steps 10 to 100 times 32 and 64. */
	c->request.align.axis = ALIGN_SAMPLES;
	assert_int_equal(run_comparison_choose(c, ""), 0);
	assert_int_equal(c->comparison.alignment.n, 5);
	assert_near(align_pair_at(&c->comparison.alignment, 0).x, 640, 0);
	/* How many tokens a step of the attempt takes nobody said. */
	c->request.align.axis = ALIGN_TOKENS;
	assert_int_equal(run_comparison_choose(c, ""), ERR_NOT_FOUND);
	run_comparison_free(c);
}

static void test_beside(void **state)
{
	struct workspace_fixture *f = *state;
	struct comparison_side side = { .run = NULL };
	struct run_comparison *c;
	struct comparison beside;

	begin(f);
	c = make(f, &(struct comparison_request){ .attempt_run = "1" });
	/* The sibling on one chip is equal to the reference. */
	assert_int_equal(run_comparison_beside(&beside, c, &c->sibling), 0);
	assert_int_equal(beside.verdict, COMPARE_MATCH);
	comparison_release(&beside);
	assert_int_equal(run_comparison_beside(&beside, c, &side), ERR_NOT_FOUND);
	err_clear();
	/* Evaluations are never interpolated, whoever asks. */
	c->request.align.mode = ALIGN_LINEAR;
	assert_int_equal(run_comparison_choose(c, ""), ERR_USAGE);
	assert_false(c->has_comparison);
	run_comparison_free(c);
}

static void test_metrics(void **state)
{
	struct workspace_fixture *f = *state;
	struct run_comparison *c;

	begin(f);
	run_fixture_file(f, REF, "more.jsonl", run_fixture_rows(f, "loss", 10, 10, 2, -0.1, 0));
	run_fixture_file(f, ATTEMPT, "more.jsonl", run_fixture_rows(f, "loss", 10, 10, 2, -0.1, 0));
	run_fixture_file(
		f, ATTEMPT, "own.jsonl", run_fixture_rows(f, "\x1b]0;x\x07mine", 10, 10, 2, 0, 0));
	c = make(f, &(struct comparison_request){ .attempt_run = "1" });
	assert_int_equal(c->n_common, 2);
	assert_string_equal(c->metrics[0], "eval_accuracy");	/* evaluations first */
	assert_string_equal(c->metrics[1], "loss");
	assert_int_equal(run_comparison_choose(c, "loss"), 0);
	assert_string_equal(c->goal, "");
	assert_int_equal(c->comparison.options.direction, BETTER_LOWER);
	assert_near(c->comparison.options.tolerance.rtol, 0.02, 1e-12);
	assert_string_equal(c->comparison.options.tolerance.origin, "default, nobody chose it");
	assert_int_equal(c->comparison.verdict, COMPARE_MATCH);
	/* Not in the reference: said, and no comparison is left standing. */
	assert_int_equal(run_comparison_choose(c, "nothing\x1b[2J"), 0);
	assert_false(c->has_comparison);
	assert_string_equal(c->missing, "#1 tpu-4 seed 1 does not log nothing^[[2J");
	assert_int_equal(run_comparison_choose(c, ""), 0);
	assert_string_equal(c->metric, "eval_accuracy");
	run_comparison_free(c);
	c = make(f, &(struct comparison_request){ .attempt_run = "1", .goal = "wer" });
	/* not logged: no goal is claimed for another series */
	assert_string_not_equal(c->goal, "wer");
	run_comparison_free(c);
}

static void test_growth(void **state)
{
	struct workspace_fixture *f = *state;
	struct comparison_request r = { .attempt_run = "2" };
	struct run_comparison *c;
	const struct run_files *files;

	begin(f);
	add(f, "ps-fffffffffffff", "2", "tpu-4", "1", "");
	fs_write_durable(run_fixture_path(f, "ps-fffffffffffff", "../spec.json"), "{}", 2, 0600) < 0
		? fail()
		: (void)0;
	run_fixture_file(f, "ps-fffffffffffff", "metrics.jsonl",
		"{\"step\": 10, \"eval_accuracy\": 0.8}\n{\"step\": 20, \"eval_acc");
	c = make(f, &r);
	assert_true(c->attempt.live);
	assert_int_equal(c->comparison.alignment.n, 1);
	run_fixture_append(f, "ps-fffffffffffff", "metrics.jsonl", "uracy\": 0.81}\n");
	run_fixture_file(
		f, "ps-fffffffffffff", "later.jsonl", run_fixture_rows(f, "loss", 3, 10, 2, 0, 0));
	while (run_comparison_read(c, NULL) == CURVE_MORE)
		;
	assert_int_equal(run_comparison_choose(c, NULL), 0);
	assert_int_equal(c->comparison.alignment.n, 2);
	assert_int_equal(c->n_metrics, 2);
	assert_int_equal(run_comparison_read(c, NULL), CURVE_SAME);
	/* Opened again: what was read is taken over. */
	files = c->attempt.files;
	if (run_comparison_open(&c, fixture_workspace(f), &r, c) < 0)
		fail_msg("%s", err_text());
	assert_ptr_equal(c->attempt.files, files);
	/* Not what was read in another way than would be now. */
	c->attempt.files->options.steps_per_epoch += 1;
	if (run_comparison_open(&c, fixture_workspace(f), &r, c) < 0)
		fail_msg("%s", err_text());
	assert_ptr_not_equal(c->attempt.files, files);
	run_comparison_free(c);
}

static struct position last_position(struct workspace_fixture *f)
{
	struct position p;

	assert_int_equal(log_position_last(workspace_log(fixture_workspace(f)), &p), 1);
	return p;
}

static void test_past(void **state)
{
	struct workspace_fixture *f = *state;
	struct run_comparison *c;
	struct position at;
	double until;

	begin(f);
	add(f, "ps-fffffffffffff", "2", "tpu-4", "1", "");
	at = last_position(f);
	assert_int_equal(comparison_until(&until, fixture_workspace(f), &at), 0);
	assert_true(until > 1e9);
	run_fixture_end(f, "ps-fffffffffffff", "exited 0");
	/* Three points before that moment, the rest after it. */
	run_fixture_file(f, "ps-fffffffffffff", "metrics.jsonl",
		run_fixture_rows(f, "eval_accuracy", 10, 10, 0.8, 0.01, until - 3.5));
	c = make(f, &(struct comparison_request){ .attempt_run = "2", .at = &at });
	assert_int_equal(c->attempt.series->n, 3);
	assert_int_equal(c->comparison.alignment.n, 3);
	run_comparison_free(c);
	c = make(f, &(struct comparison_request){ .attempt_run = "2" });
	assert_int_equal(c->comparison.alignment.n, 10);
	run_comparison_free(c);
	/* Without times nothing of an unfinished run is shown. */
	add_rows(f, "ps-fffffffffffff", 0.8, 0.01);
	c = make(f, &(struct comparison_request){ .attempt_run = "2", .at = &at });
	assert_false(c->has_comparison);
	assert_non_null(strstr(c->missing, "carry no times"));
	run_comparison_free(c);
}

static void test_nothing_yet(void **state)
{
	struct workspace_fixture *f = *state;
	struct comparison_request r = { .attempt_run = "1" };
	struct run_comparison *c;

	run_fixture_begin(f);
	assert_int_equal(run_comparison_make(&c, fixture_workspace(f), &r), ERR_NOT_FOUND);
	assert_non_null(strstr(err_text(), "portside import 1"));
	add(f, ATTEMPT, "1", "tpu-4", "1", "exited 0");
	add(f, REF, "reference", "gpu", "1", "exited 0");
	c = make(f, &r);
	assert_false(c->has_comparison);
	assert_non_null(strstr(c->missing, "no curve yet in #1 tpu-4 seed 1"));
	run_comparison_free(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_gap, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(
			test_first_step_of_one_format, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(
			test_facts_of_the_probe, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(test_partner, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(
			test_against_an_attempt, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(
			test_the_reference_beside_itself, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(
			test_red_item_stops_the_verdict, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(
			test_the_tolerance_has_an_origin, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(
			test_digits_by_the_margin, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(
			test_declared_differences, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(test_spread, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(
			test_the_attempt_is_no_noise, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(
			test_several_seeds, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(
			test_seeds_of_several, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(
			test_recorded_facts, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(test_beside, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(test_metrics, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(test_growth, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(test_past, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(test_nothing_yet, fixture_setup, fixture_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
