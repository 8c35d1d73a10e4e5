/* What the probe's lines of two runs say about the questions of L2. */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/mem.h"
#include "domain/check.h"
#include "evidence/probe_check.h"
#include "tests/unit.h"

#define HEAD(kind, rank) "{\"probe\":1,\"kind\":\"" kind "\",\"rank\":" rank ","
#define OPTIMIZER HEAD("optimizer", "0") "\"optimizer\":0,\"devices\":{\"xla:0\":4}}\n"
#define NUMBERS "\"default_dtype\":\"float32\",\"autocast\":false,\"autocast_cpu\":false," \
	"\"autocast_dtype\":\"float16\",\"matmul_precision\":\"highest\",\"tf32_matmul\":false,"
#define FORWARD(device)                                                                            \
	HEAD("forward", "0")                                                                       \
	"\"step\":1,\"devices\":{\"" device "\":4},\"dtypes\":{\"float32\":4},"                    \
	"\"tied\":[[\"a\",\"b\"]]," NUMBERS                                                        \
	"\"batch\":{\"examples\":8,\"tensors\":{\"0\":{\"device\":\"" device "\"}}}}\n"
#define WORLD(n) HEAD("world", "0") "\"world\":" n ",\"hardware\":\"TPU\"}\n"
#define CLIP(rank, norm)                                                                           \
	HEAD("clip", rank) "\"step\":1,\"limit\":0.5,\"before\":{\"norm\":" norm "}}\n"
#define STEP(order, more)                                                                          \
	HEAD("step", "0")                                                                          \
	"\"step\":1,\"shared\":4,\"stale\":0,\"left_out\":0,\"order\":[" order "]" more "}\n"
#define STEPS(lr)                                                                                  \
	HEAD("steps", "0")                                                                         \
	"\"optimizer\":0,\"first\":1,\"lr\":" lr ",\"seconds\":[null,0.5,0.5],\"backwards\":2}\n"
#define END(n)                                                                                     \
	HEAD("optimizer_end", "0")                                                                 \
	"\"optimizer\":0,\"steps\":" n "}\n" HEAD("end", "0") "\"memory_bytes\":1}\n"
/* Clipped from BEFORE to AFTER; the optimizer takes TAKEN. */
#define CLIPPED(rank, before, after) HEAD("clip", rank) "\"step\":1,\"limit\":1,\"before\":{" \
	before "},\"after\":{" after "}}\n"
#define TAKES(order, taken) STEP(order, ",\"gradient\":{" taken "}")
#define REDUCED "\"backward x2\",\"reduce x4\",\"clip\",\"step\""
#define CLIPPED_FIRST "\"backward x2\",\"clip\",\"reduce x4\",\"step\""

struct fixture {
	struct arena arena;
	char folder[64];
	int files;
	struct probe_record *attempt, *reference;
	struct probe_answer answers[PROBE_QUESTIONS];
};

static int set_up(void **state)
{
	struct fixture *f = xcalloc(1, sizeof *f);

	f->arena = (struct arena)ARENA_INIT;
	strcpy(f->folder, "/tmp/probe-check.XXXXXX");
	assert_non_null(mkdtemp(f->folder));
	*state = f;
	return 0;
}

static void forget(struct fixture *f)
{
	probe_record_free(f->attempt);
	probe_record_free(f->reference);
	f->attempt = f->reference = NULL;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	forget(f);
	assert_int_equal(fs_remove_tree(f->folder), 0);
	arena_release(&f->arena);
	free(f);
	return 0;
}

static struct probe_record *record(struct fixture *f, const char *text)
{
	const char *path = arena_printf(&f->arena, "%s/probe-%d.jsonl", f->folder, f->files++);
	struct probe_record *r;

	assert_int_equal(fs_write_durable(path, text, strlen(text), 0600), 0);
	assert_int_equal(probe_record_read(&r, &path, 1), 0);
	return r;
}

static void ask_meant_for(
	struct fixture *f, const char *attempt, const char *reference, struct probe_intent intent)
{
	forget(f);
	f->attempt = record(f, attempt);
	f->reference = reference ? record(f, reference) : NULL;
	probe_check(f->answers, f->attempt, f->reference, &intent, &f->arena);
}

/* Asks all questions of an attempt against a reference (NULL: none) on 4 chips. */
static void ask(struct fixture *f, const char *attempt, const char *reference)
{
	ask_meant_for(f, attempt, reference, (struct probe_intent){ .device = "tpu", .processes = 4 });
}

static const struct probe_answer *answer(const struct fixture *f, const char *check)
{
	for (size_t i = 0; i < PROBE_QUESTIONS; i++)
		if (strcmp(f->answers[i].check, check) == 0)
			return &f->answers[i];
	fail_msg("no question %s", check);
	return NULL;
}

static void is(
	const struct fixture *f, const char *check, enum check_result result, const char *part)
{
	const struct probe_answer *a = answer(f, check);

	assert_int_equal(a->result, result);
	if (!strstr(a->why, part))
		fail_msg("%s: \"%s\" has no \"%s\"", check, a->why, part);
}

/* ---- the table ---- */

static void test_questions_are_those_of_l2(void **state)
{
	struct fixture *f = *state;
	size_t n = 0;

	ask(f, "", NULL);
	for (size_t i = 0; i < check_items_n; i++) {
		if (strcmp(check_items[i].level, "L2") != 0)
			continue;
		assert_string_equal(f->answers[n].check, check_items[i].id);
		n++;
	}
	assert_int_equal(n, PROBE_QUESTIONS);
}

static void test_no_record_is_not_checked(void **state)
{
	struct fixture *f = *state;

	ask(f, "", NULL);
	for (size_t i = 0; i < PROBE_QUESTIONS; i++) {
		assert_int_equal(f->answers[i].result, CHECK_NOT_CHECKED);
		assert_true(strlen(f->answers[i].why) > 10);
		assert_string_equal(f->answers[i].places, "");
	}
}

/* ---- grad ---- */

static void test_grad_clipped_before_reduced(void **state)
{
	struct fixture *f = *state;

	ask(f, OPTIMIZER WORLD("4") STEP(CLIPPED_FIRST, ""), NULL);
	is(f, "grad", CHECK_REFUTED, "clipped before it is reduced over 4 processes");
	assert_string_equal(answer(f, "grad")->places, "probe-0.jsonl:3");
	ask(f, OPTIMIZER WORLD("4") STEP(REDUCED, ""), NULL);
	is(f, "grad", CHECK_CONFIRMED, "reduced over 4 processes, then clipped once");
}

static void test_grad_norms_of_two_processes(void **state)
{
	struct fixture *f = *state;

	ask(f, OPTIMIZER WORLD("2") CLIP("0", "1.5") CLIP("1", "2.5") STEP(REDUCED, ""), NULL);
	is(f, "grad", CHECK_REFUTED,
		"process 0 clips a gradient of norm 1.5 and process 1 one of 2.5");
	ask(f, OPTIMIZER WORLD("2") CLIP("0", "1.5") CLIP("1", "1.500001") STEP(REDUCED, ""), NULL);
	is(f, "grad", CHECK_CONFIRMED, "then clipped once");
	ask(f, OPTIMIZER WORLD("2") CLIP("0", "\"nan\"") CLIP("1", "2.5") STEP(REDUCED, ""), NULL);
	is(f, "grad", CHECK_CONFIRMED, "then clipped once");
}

/* Four vectors (3, 0), (0, 3), (3, 0), (0, 3): clipped to 1 and then averaged they have a
 * norm of 0.7071, whoever did it and whatever was seen of the order. */
static void test_grad_that_shrinks_after_it_was_clipped(void **state)
{
	struct fixture *f = *state;

	ask(f, OPTIMIZER WORLD("4") CLIPPED("0", "\"norm\":3", "\"norm\":1")
			TAKES("\"reduce\",\"clip\",\"step\"", "\"norm\":0.70710678"), NULL);
	is(f, "grad", CHECK_REFUTED,
		"clipped to a norm of 1, and the optimizer takes one of 0.707107 (ratio 0.7071)");
	ask(f, OPTIMIZER WORLD("4") CLIPPED("0", "\"norm\":2.1213203", "\"norm\":1")
			TAKES(REDUCED, "\"norm\":1"), NULL);
	is(f, "grad", CHECK_CONFIRMED, "then clipped once");
	ask(f, OPTIMIZER WORLD("4") CLIPPED("0", "\"norm\":2", "\"norm\":1")
			TAKES(REDUCED, "\"norm\":0.9995"), NULL);
	is(f, "grad", CHECK_CONFIRMED, "then clipped once");
}

/* What is another part of the gradient, or a sample of it, is not held against it. */
static void test_grad_of_parts_is_not_compared(void **state)
{
	struct fixture *f = *state;
	static const char *const parts[] = {
		OPTIMIZER WORLD("4") CLIPPED("0", "\"norm\":3", "\"norm\":1,\"tensors\":3")
			TAKES(REDUCED, "\"norm\":0.5,\"tensors\":2"),
		OPTIMIZER WORLD("4") CLIPPED("0", "\"norm\":3", "\"norm\":1")
			TAKES(REDUCED, "\"norm\":0.5,\"sampled\":2"),
		OPTIMIZER WORLD("4") CLIPPED("0", "\"norm\":3", "\"norm\":1,\"local\":true")
			TAKES(REDUCED, "\"norm\":0.5"),
		OPTIMIZER WORLD("4") CLIPPED("0", "\"norm\":3", "\"norm\":1")
			TAKES(REDUCED, "\"norm\":0.5") HEAD("step", "0")
			"\"step\":1,\"optimizer\":1,\"order\":[" REDUCED "]}\n",
	};

	for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
		ask(f, parts[i], NULL);
		is(f, "grad", CHECK_CONFIRMED, "then clipped once");
	}
	ask(f, OPTIMIZER CLIPPED("0", "\"norm\":3", "\"norm\":1")
			TAKES("\"clip\",\"step\"", "\"norm\":0.5"), NULL);
	is(f, "grad", CHECK_NOT_APPLICABLE, "one process trained");
}

#define TRAINS(optimizer, shared, stale) HEAD("step", "0") "\"step\":1,\"optimizer\":" optimizer \
	",\"shared\":" shared ",\"stale\":" stale ",\"left_out\":0,\"changed\":true,\"order\":[]}\n"

/* Two models that are trained in turn: of one the model called last is the other's. */
static void test_two_models_in_turn(void **state)
{
	static const char *const checks[] = { "opt-order", "params" };
	struct fixture *f = *state;

	for (size_t i = 0; i < ARRAY_LEN(checks); i++) {
		ask(f, OPTIMIZER TRAINS("0", "0", "4") TRAINS("1", "6", "0"), NULL);
		is(f, checks[i], CHECK_UNKNOWN, "at step 1 of optimizer 0 the model called last");
		/* A copy that went stale stays one: nobody else has the model's parameters. */
		ask(f, OPTIMIZER TRAINS("0", "0", "4") TRAINS("1", "0", "6"), NULL);
		is(f, checks[i], CHECK_REFUTED, "at step 1");
		ask(f, OPTIMIZER TRAINS("0", "0", "4") TRAINS("0", "6", "0"), NULL);
		is(f, checks[i], CHECK_REFUTED, "at step 1");
		ask(f, OPTIMIZER TRAINS("0", "2", "2") TRAINS("1", "6", "0"), NULL);
		is(f, checks[i], CHECK_REFUTED, "at step 1");
	}
}

/* Where it says how many trained: the line about the world, else the optimizer's. */
static void test_place_of_the_world(void **state)
{
	struct fixture *f = *state;

	ask(f, OPTIMIZER WORLD("4") STEP(REDUCED, ""), NULL);
	assert_string_equal(answer(f, "config")->places, "probe-0.jsonl:2");
	ask(f, OPTIMIZER STEP(REDUCED, ""), NULL);
	assert_non_null(strstr(answer(f, "config")->places, ".jsonl:1"));
}

static void test_grad_alone(void **state)
{
	struct fixture *f = *state;

	ask(f, OPTIMIZER STEP("\"backward\",\"clip\",\"step\"", ""), NULL);
	is(f, "grad", CHECK_NOT_APPLICABLE, "the gradient is clipped once");
	ask(f, OPTIMIZER STEP("\"backward\",\"clip x2\",\"step\"", ""), NULL);
	is(f, "grad", CHECK_REFUTED, "clipped 2 times");
	/* torch_xla reports an empty reduction where one process trains. */
	ask(f, OPTIMIZER STEP("\"backward\",\"clip\",\"reduce gradients\",\"step\"", ""), NULL);
	is(f, "grad", CHECK_NOT_APPLICABLE, "one process");
}

static void test_grad_limit_of_the_reference(void **state)
{
	struct fixture *f = *state;
	const char *step = OPTIMIZER STEP("\"backward\",\"clip\",\"step\"", "");
	const char *clips = OPTIMIZER CLIP("0", "2") STEP("\"backward\",\"clip\",\"step\"", "");

	ask(f, step, clips);
	is(f, "grad", CHECK_REFUTED,
		"the reference clips its gradient at 0.5, this run clips none");
	ask(f, clips, step);
	is(f, "grad", CHECK_REFUTED,
		"this run clips its gradient at 0.5, the reference clips none");
	ask(f, clips, HEAD("clip", "0") "\"step\":1,\"limit\":1}\n" STEP("\"clip\"", ""));
	is(f, "grad", CHECK_REFUTED, "clipped at 0.5, that of the reference at 1");
}

static void test_grad_without_a_reduction(void **state)
{
	struct fixture *f = *state;

	ask(f, OPTIMIZER WORLD("4") STEP("\"backward\",\"clip\",\"step\"", ""), NULL);
	is(f, "grad", CHECK_UNKNOWN, "no reduction of gradients was seen");
	/* One step without it is enough, whichever it is. */
	ask(f, OPTIMIZER WORLD("4") STEP("\"backward\",\"step\"", "") STEP(REDUCED, ""), NULL);
	is(f, "grad", CHECK_UNKNOWN, "no reduction of gradients was seen at step 1");
	ask(f,
		OPTIMIZER WORLD("4") STEP("\"backward\",\"reduce\",\"clip x2\",\"step\"", "")
			STEP(REDUCED, ""),
		NULL);
	is(f, "grad", CHECK_REFUTED, "clipped 2 times");
	/* The mean of a loss is no reduction of gradients. */
	ask(f, OPTIMIZER WORLD("4") STEP("\"backward\",\"reduce\",\"step\"",
		",\"reduced_elements\":1,\"gradient_elements\":58"), NULL);
	is(f, "grad", CHECK_UNKNOWN, "at step 1 1 values were reduced, and its gradients have 58");
	ask(f, OPTIMIZER WORLD("4") STEP("\"backward\",\"reduce x4\",\"step\"",
		",\"reduced_elements\":58,\"gradient_elements\":58"), NULL);
	is(f, "grad", CHECK_CONFIRMED, "nothing is clipped");
	ask(f, OPTIMIZER WORLD("4") STEP("\"backward and reduce\",\"reduce\",\"step\"",
		",\"reduced_elements\":1,\"gradient_elements\":58"), NULL);
	is(f, "grad", CHECK_CONFIRMED, "nothing is clipped");
	/* Parts of a gradient that is spread have norms of their own. */
	ask(f,
		OPTIMIZER WORLD("2") CLIP("0", "1.5") HEAD("clip",
			"1") "\"step\":1,\"limit\":0.5,\"before\":{\"norm\":2.5,"
			"\"local\":true}}\n" STEP(REDUCED,
			""),
		NULL);
	is(f, "grad", CHECK_CONFIRMED, "then clipped once");
}

/* ---- the optimizer and the parameters ---- */

static void test_opt_order(void **state)
{
	struct fixture *f = *state;

	ask(f, OPTIMIZER STEP("\"step\"", ",\"changed\":true"), NULL);
	is(f, "opt-order", CHECK_CONFIRMED, "1 of 1 steps looked at change them");
	ask(f, OPTIMIZER STEP("\"step\"", ",\"changed\":false"), NULL);
	is(f, "opt-order", CHECK_REFUTED, "no step that was looked at changes a parameter");
	ask(f, OPTIMIZER HEAD("step", "0") "\"step\":1,\"shared\":0,\"stale\":4}\n", NULL);
	is(f, "opt-order", CHECK_REFUTED, "4 parameters of the optimizer are not those");
	ask(f, OPTIMIZER STEP("\"step\"", ",\"changed\":null"), NULL);
	is(f, "opt-order", CHECK_CONFIRMED, "made of the parameters that the model has");
	ask(f, HEAD("optimizer", "0") "\"devices\":{\"cpu\":4}}\n"
			STEP("\"step\"", ",\"changed\":null,\"devices\":{\"xla:0\":4}"), NULL);
	is(f, "opt-order", CHECK_UNKNOWN, "made of parameters on the host");
	ask(f, OPTIMIZER HEAD("step", "0") "\"step\":1,\"model\":null}\n", NULL);
	is(f, "opt-order", CHECK_UNKNOWN, "no model was seen");
	ask(f, OPTIMIZER HEAD("step", "0") "\"step\":1,\"model\":null,\"changed\":true}\n", NULL);
	is(f, "opt-order", CHECK_UNKNOWN, "no model was seen");
	ask(f, OPTIMIZER STEP("\"step\"", ",\"changed\":true")
		HEAD("step", "0") "\"step\":5,\"shared\":0,\"stale\":4}\n", NULL);
	is(f, "opt-order", CHECK_REFUTED, "at step 5");
}

static void test_params(void **state)
{
	struct fixture *f = *state;
	const char *right = OPTIMIZER FORWARD("xla:0") STEP("\"step\"", "");

	ask(f, right, right);
	is(f, "params", CHECK_CONFIRMED, "ties are those of the reference");
	ask(f, right, NULL);
	is(f, "params", CHECK_UNKNOWN, "without a record of the reference");
	ask(f, OPTIMIZER HEAD("forward", "0") "\"tied\":[]}\n" STEP("\"step\"", ""), right);
	is(f, "params", CHECK_REFUTED, "[[\"a\",\"b\"]] there, [] here");
	ask(f,
		OPTIMIZER FORWARD("xla:0")
			HEAD("step", "0") "\"step\":7,\"shared\":3,\"stale\":1}\n",
		right);
	is(f, "params", CHECK_REFUTED, "at step 7 the optimizer changes 1 tensors");
	ask(f,
		OPTIMIZER FORWARD("xla:0")
			HEAD("step", "0") "\"step\":1,\"shared\":3,\"left_out\":2}\n",
		right);
	is(f, "params", CHECK_REFUTED, "leaves out 2 trainable parameters, 0 in the reference");
}

static void test_checkpoints(void **state)
{
	struct fixture *f = *state;

#define FILE_LINE(kind, sum)                                                                       \
	HEAD(kind, "0") "\"file\":\"m.pt\",\"checksum\":{\"crc32\":\"" sum "\"}}\n"
	ask(f, FILE_LINE("saved", "aa") FILE_LINE("loaded", "aa"), NULL);
	is(f, "ckpt", CHECK_CONFIRMED, "read back with equal values");
	ask(f, FILE_LINE("saved", "aa") FILE_LINE("saved", "bb") FILE_LINE("loaded", "aa"), NULL);
	is(f, "ckpt", CHECK_REFUTED, "m.pt was read back with other values");
	assert_string_equal(answer(f, "ckpt")->places, "probe-1.jsonl:3, probe-1.jsonl:2");
	is(f, "ckpt", CHECK_REFUTED, "m.pt");
#define PLACED(kind, sum, place) HEAD(kind, "0") "\"file\":\"m.pt\",\"place\":\"" place \
	"\",\"checksum\":{\"crc32\":\"" sum "\",\"sampled\":3}}\n"
	ask(f, PLACED("saved", "aa", "1") PLACED("saved", "bb", "2") PLACED("loaded", "aa", "1"),
		NULL);
	is(f, "ckpt", CHECK_CONFIRMED,
		"in the part that was looked at, and no model was seen to take it");
	ask(f, FILE_LINE("saved", "aa") FILE_LINE("loaded", "aa")
			HEAD("restored", "0") "\"missing\":0,\"unexpected\":0}\n", NULL);
	is(f, "ckpt", CHECK_CONFIRMED, "and every key fits");
	ask(f, FILE_LINE("saved", "aa") HEAD("loaded", "0") "\"file\":\"m.pt\"}\n", NULL);
	is(f, "ckpt", CHECK_UNKNOWN, "a checkpoint was read, and not with values");
	ask(f, FILE_LINE("saved", "aa"), NULL);
	is(f, "ckpt", CHECK_UNKNOWN, "never read back");
	ask(f, FILE_LINE("loaded", "aa"), NULL);
	is(f, "ckpt", CHECK_NOT_CHECKED, "no checkpoint was saved");
	ask(f, FILE_LINE("saved", "aa") FILE_LINE("loaded", "aa")
			HEAD("restored", "0") "\"missing\":2,\"unexpected\":1}\n", NULL);
	is(f, "ckpt", CHECK_REFUTED, "2 keys of the model were not in the weights");
	ask(f, HEAD("trainer", "0") "\"arguments\":{\"load_best_model_at_end\":true}}\n" END("3"),
		NULL);
	is(f, "ckpt", CHECK_REFUTED,
		"the best checkpoint was asked for at the end, and was not loaded");
	ask(f, HEAD("trainer", "0") "\"arguments\":{\"load_best_model_at_end\":true}}\n", NULL);
	is(f, "ckpt", CHECK_NOT_CHECKED, "no checkpoint");
#undef FILE_LINE
}

/* ---- inputs ---- */

static void test_device(void **state)
{
	struct fixture *f = *state;

	ask(f, FORWARD("xla:0") WORLD("4"), NULL);
	is(f, "dev", CHECK_CONFIRMED, "the hardware there is a TPU");
	ask(f, FORWARD("xla:0"), NULL);
	is(f, "dev", CHECK_UNKNOWN, "may be the host as well");
	ask(f, FORWARD("xla:0") HEAD("world", "0") "\"world\":1,\"hardware\":\"CPU\"}\n", NULL);
	is(f, "dev", CHECK_REFUTED, "the hardware there is CPU");
	ask(f, FORWARD("cpu"), NULL);
	is(f, "dev", CHECK_REFUTED, "no parameter of the model is on a tpu");
	ask(f, FORWARD("cuda:0"), NULL);
	is(f, "dev", CHECK_REFUTED, "no parameter of the model is on a tpu");
	ask(f, FORWARD("tpu:0"), NULL);
	is(f, "dev", CHECK_CONFIRMED, "on tpu:0");
	ask(f,
		HEAD("forward", "0") "\"devices\":{\"xla:0\":4},"
		"\"batch\":{\"tensors\":{\"0\":{\"device\":\"cpu\"}}}}\n" WORLD(
			"4"),
		NULL);
	is(f, "dev", CHECK_REFUTED, "parameters are on xla:0, the batch on cpu");
	ask(f, HEAD("forward", "0") "\"devices\":{\"xla:0\":4},\"batch\":null}\n" WORLD("4"), NULL);
	is(f, "dev", CHECK_UNKNOWN, "no batch was seen");
	ask(f, HEAD("forward", "0") "\"devices\":{\"xla:0\":4,\"cpu\":1}}\n" WORLD("4"), NULL);
	is(f, "dev", CHECK_UNKNOWN, "more than one device");
	ask_meant_for(f, FORWARD("cuda:0"), NULL, (struct probe_intent){ .device = "gpu", .processes = 1 });
	is(f, "dev", CHECK_CONFIRMED, "parameters and the batch are on cuda:0");
	ask_meant_for(f, FORWARD("cpu"), NULL, (struct probe_intent){ .device = "cpu", .processes = 1 });
	is(f, "dev", CHECK_NOT_APPLICABLE, "no accelerator");
	ask_meant_for(f, FORWARD("cpu"), NULL, (struct probe_intent){ .device = "", .processes = 0 });
	is(f, "dev", CHECK_UNKNOWN, "nobody said");
}

static void test_configuration(void **state)
{
	struct fixture *f = *state;

	ask(f, OPTIMIZER WORLD("4"), NULL);
	is(f, "config", CHECK_CONFIRMED, "4 processes trained, as intended");
	ask(f, OPTIMIZER, NULL);
	is(f, "config", CHECK_REFUTED, "1 process trained, and 4 are intended");
	ask(f, OPTIMIZER HEAD("world", "0") "\"world\":1,\"spmd\":true,\"all_devices\":4}\n", NULL);
	is(f, "config", CHECK_CONFIRMED, "4 processes trained");
	ask_meant_for(f, OPTIMIZER, NULL, (struct probe_intent){ .device = "", .processes = 0 });
	is(f, "config", CHECK_UNKNOWN, "does not say how many chips");
}

#define RAN_ON(backend)                                                                            \
	OPTIMIZER HEAD("world", "0") "\"world\":4,\"backend\":\"" backend "\"}\n"
#define MACHINE(topology)                                                                          \
	HEAD("process", "0") "\"environment\":{\"TPU_TOPOLOGY\":\"" topology "\"}}\n"

/* As many processes are no proof of the backend and the topology. */
static void test_backend_and_topology(void **state)
{
	struct fixture *f = *state;
	struct probe_intent intent = { .device = "tpu", .processes = 4, .backend = "torchtpu" };

	ask_meant_for(f, RAN_ON("xla"), NULL, intent);
	is(f, "config", CHECK_REFUTED, "with the backend torch_xla, and torchtpu is intended");
	ask_meant_for(f, RAN_ON("tpu"), NULL, intent);
	is(f, "config", CHECK_CONFIRMED, "4 processes trained, as intended");
	ask_meant_for(f, RAN_ON("gloo"), NULL, intent);
	is(f, "config", CHECK_UNKNOWN, "which one it had is not on record");
	intent.backend = "pytorch-xla";
	intent.topology = "2x2";
	ask_meant_for(f, RAN_ON("xla"), NULL, intent);
	is(f, "config", CHECK_UNKNOWN, "the topology 2x2 is intended");
	ask_meant_for(f, RAN_ON("xla") MACHINE("2x2"), NULL, intent);
	is(f, "config", CHECK_CONFIRMED, "as intended");
	ask_meant_for(f, RAN_ON("xla") MACHINE("1x4"), NULL, intent);
	is(f, "config", CHECK_REFUTED, "the topology was 1x4, and 2x2 is intended");
}

static void test_batch(void **state)
{
	struct fixture *f = *state;
	const char *own = OPTIMIZER FORWARD("cpu") STEPS("0.1") WORLD("4");

	ask(f, own, own);
	is(f, "batch", CHECK_CONFIRMED, "64 examples go into a step, as in the reference");
	ask(f, own, OPTIMIZER FORWARD("cpu") STEPS("0.1"));
	is(f, "batch", CHECK_REFUTED, "64 examples go into a step, 16 in the reference");
	ask(f, own, NULL);
	is(f, "batch", CHECK_UNKNOWN, "64 examples go into a step; the reference has no record");
	ask(f,
		OPTIMIZER FORWARD("cpu") WORLD("4")
			HEAD("loader", "0") "\"drop_last\":true}\n" STEPS("0.1"),
		own);
	is(f, "batch", CHECK_REFUTED, "dropped here and not in the reference");
	ask(f, OPTIMIZER FORWARD("cpu") HEAD("steps", "0")
			"\"first\":1,\"lr\":1,\"seconds\":[null,1],\"backwards\":[1,2]}\n", own);
	is(f, "batch", CHECK_UNKNOWN, "varies");
	/* A look at an evaluation first, then at training, whose batches are of one size. */
	ask(f,
		HEAD("forward", "0") "\"training\":false,\"batch\":{\"examples\":3}}\n" OPTIMIZER
			FORWARD("cpu") STEPS("0.1") WORLD("4"),
		own);
	is(f, "batch", CHECK_CONFIRMED, "64 examples go into a step, as in the reference");
	ask(f,
		OPTIMIZER FORWARD("cpu") HEAD("forward",
			"0") "\"training\":true,\"batch\":{\"examples\":3}}\n" STEPS("0.1")
			WORLD("4"),
		own);
	is(f, "batch", CHECK_UNKNOWN, "or its size");
	/* Steps of a process whose optimizer is not on record. */
	ask(f, FORWARD("cpu") STEPS("0.1"), NULL);
	is(f, "batch", CHECK_UNKNOWN, "cannot be told");
}

static void test_steps_and_rates(void **state)
{
	struct fixture *f = *state;

	ask(f, STEPS("[0.1,0.2,0.3]") END("3"), STEPS("[0.1,0.2,0.3]") END("3"));
	is(f, "steps", CHECK_CONFIRMED, "3 steps, as in the reference");
	is(f, "lr", CHECK_CONFIRMED, "all 3 steps");
	ask(f, STEPS("[0.1,0.2,0.3]") END("3"), STEPS("[0.1,0.2,0.30001]") END("4"));
	is(f, "steps", CHECK_REFUTED, "3 steps, 4 in the reference");
	is(f, "lr", CHECK_REFUTED, "at step 3 the learning rate is 0.3, 0.30001 in the reference");
	ask(f, STEPS("0.1"), STEPS("0.1"));
	is(f, "steps", CHECK_UNKNOWN, "step 3 is the last that was recorded");
	ask(f, STEPS("null") END("3"), STEPS("0.1") END("3"));
	is(f, "lr", CHECK_UNKNOWN, "no step has a rate on both sides");
	ask(f, STEPS("[[0.1,0.2],[0.1,0.2],[0.1,0.2]]"), STEPS("[[0.1,0.2],[0.1,0.2],[0.1,0.2]]"));
	is(f, "lr", CHECK_CONFIRMED, "all 3 steps");
	assert_near(f->attempt->steps[1].rate, 0.1, 1e-15);
	ask(f, STEPS("[[0.1,0.2],[0.1,0.2],[0.1,0.2]]"), STEPS("[[0.1,0.2],[0.1,0.3],[0.1,0.2]]"));
	is(f, "lr", CHECK_REFUTED, "at step 2 the learning rate of a later group");
	ask(f, STEPS("[[0.1,0.2,0.3],0.1,0.1]"), STEPS("[[0.1,0.3,0.2],0.1,0.1]"));
	is(f, "lr", CHECK_REFUTED, "at step 1 the learning rate of a later group");
	ask(f, STEPS("0.1"), STEPS("[[0.1,0.2],0.1,0.1]"));
	is(f, "lr", CHECK_REFUTED,
		"1 groups of parameters have a rate of their own, 2 in the reference");
#define SECOND(lr)                                                                                 \
	HEAD("steps", "0") "\"optimizer\":1,\"first\":1,\"lr\":" lr ",\"seconds\":[null]}\n"
	ask(f, STEPS("0.1") SECOND("0.5"), STEPS("0.1") SECOND("0.6"));
	is(f, "lr", CHECK_REFUTED, "at step 1 the learning rate is 0.5, 0.6 in the reference");
}

static void test_evaluation(void **state)
{
	struct fixture *f = *state;

#define EVALUATED(n) HEAD("evaluated", "0") "\"examples\":" n "}\n"
	ask(f, EVALUATED("408"), EVALUATED("400"));
	is(f, "eval", CHECK_REFUTED, "408 examples were evaluated, 400 in the reference");
	ask(f, EVALUATED("408"), EVALUATED("408"));
	is(f, "eval", CHECK_UNKNOWN, "which ones, and by which code, was not looked at");
	ask(f, EVALUATED("null"), EVALUATED("408"));
	is(f, "eval", CHECK_NOT_CHECKED, "no evaluation");
#undef EVALUATED
}

static void test_number_formats(void **state)
{
	struct fixture *f = *state;
	const char *bf16 = HEAD("forward", "0") "\"dtypes\":{\"bfloat16\":4},\"autocast\":false}\n";

	ask(f, FORWARD("cpu"), FORWARD("cpu"));
	is(f, "dtype", CHECK_CONFIRMED, "{\"float32\":4}");
	ask(f, bf16, FORWARD("cpu"));
	is(f, "dtype", CHECK_UNKNOWN, "nobody said that this is meant");
	ask(f, HEAD("process", "0") "\"environment\":{\"XLA_USE_BF16\":\"1\"}}\n" FORWARD("cpu"),
		FORWARD("cpu"));
	is(f, "dtype", CHECK_REFUTED, "XLA_USE_BF16 is set");
	ask(f, HEAD("process", "0") "\"environment\":{\"XLA_USE_BF16\":\"0\"}}\n" FORWARD("cpu"),
		FORWARD("cpu"));
	is(f, "dtype", CHECK_CONFIRMED, "as in the reference");
	/* What neither side tells is not the same. */
	ask(f, bf16, bf16);
	is(f, "dtype", CHECK_UNKNOWN, "neither side tells default_dtype");
#define PRECISION(word) HEAD("world", "0") "\"world\":1,\"matmul_precision\":\"" word "\"}\n"
	ask(f, FORWARD("xla:0") WORLD("4"), FORWARD("cuda:0"));
	is(f, "dtype", CHECK_UNKNOWN, "not told here and not told in the reference");
	ask(f, FORWARD("xla:0") PRECISION("highest"), FORWARD("xla:0") PRECISION("highest"));
	is(f, "dtype", CHECK_CONFIRMED, "as in the reference");
	ask(f, FORWARD("xla:0") PRECISION("default"), FORWARD("xla:0") PRECISION("highest"));
	is(f, "dtype", CHECK_UNKNOWN, "which is default here and highest in the reference");
}

static void test_order_of_data(void **state)
{
	struct fixture *f = *state;

#define BATCHES(list) HEAD("loader_first", "0") "\"first\":[" list "]}\n"
	ask(f, BATCHES("\"a\",\"b\""), BATCHES("\"a\",\"b\",\"c\""));
	is(f, "seed-data", CHECK_CONFIRMED, "the first 2 batches have the ids of the reference");
#define LOADER(n) HEAD("loader", "0") "\"examples\":" n "}\n"
	ask(f, LOADER("96") BATCHES("\"a\""), LOADER("95") BATCHES("\"a\""));
	is(f, "seed-data", CHECK_REFUTED, "of 96 examples here and 95 there");
	ask(f, BATCHES("\"a\",\"b\""), BATCHES("\"a\",\"c\""));
	is(f, "seed-data", CHECK_REFUTED, "batch 2 has other examples");
	ask(f, WORLD("4") BATCHES("\"a\""), WORLD("1") BATCHES("\"b\""));
	is(f, "seed-data", CHECK_UNKNOWN, "shared out to 4 processes here and 1 in the reference");
	ask(f, BATCHES(""), BATCHES("\"a\""));
	is(f, "seed-data", CHECK_UNKNOWN, "a stream");
#undef BATCHES
}

/* ---- records that are not whole ---- */

/* What a person declared is confirmed with the reason, as far as it is on record. */
static void test_declared_differences(void **state)
{
	struct fixture *f = *state;
	struct probe_intent intent = { .device = "tpu", .processes = 1 };
#define ON_XLA(precision)                                                                          \
	FORWARD("xla:0") HEAD("world", "0") "\"world\":1,\"matmul_precision\":\"" precision "\"}\n"
#define IDS(id) HEAD("loader_first", "0") "\"loader\":0,\"first\":[\"a\",\"" id "\"]}\n"
#define STORED_BF16 HEAD("process", "0") "\"environment\":{\"XLA_USE_BF16\":\"1\"}}\n"

	ask_meant_for(f, ON_XLA("default"), FORWARD("cuda:0"), intent);
	is(f, "dtype", CHECK_UNKNOWN, "whether that is meant nobody said");
	ask_meant_for(f, FORWARD("xla:0") STORED_BF16, FORWARD("cuda:0"), intent);
	is(f, "dtype", CHECK_REFUTED, "XLA_USE_BF16 is set");
	ask_meant_for(f, IDS("b"), IDS("c"), intent);
	is(f, "seed-data", CHECK_REFUTED, "batch 2 has other examples");
	intent.numbers_differ = "bf16 products on the chip";
	intent.data_differs = "the sampler shuffles by process";
	ask_meant_for(f, ON_XLA("default"), FORWARD("cuda:0"), intent);
	is(f, "dtype", CHECK_CONFIRMED, "on purpose: bf16 products on the chip");
	ask_meant_for(f, FORWARD("xla:0"), FORWARD("cuda:0"), intent);
	is(f, "dtype", CHECK_UNKNOWN, "by how much is not on record");
	ask_meant_for(f, FORWARD("xla:0") STORED_BF16, FORWARD("cuda:0"), intent);
	is(f, "dtype", CHECK_CONFIRMED, "XLA_USE_BF16 is set, so numbers are stored as bf16, on purpose");
	ask_meant_for(f, IDS("b"), IDS("c"), intent);
	is(f, "seed-data", CHECK_CONFIRMED, "on purpose: the sampler shuffles by process");
}

static void test_damaged_records(void **state)
{
	struct fixture *f = *state;

	f->attempt = record(f,
		"no json\n[1]\n{\"probe\":2,\"kind\":\"step\"}\n{\"kind\":7}\n" STEPS(
			"0.1") "{\"probe\":1,\"kind\":\"st");
	assert_int_equal(f->attempt->malformed, 3);
	assert_int_equal(f->attempt->newer, 1);
	assert_int_equal(f->attempt->cut, 1);
	assert_int_equal(f->attempt->steps_n, 3);
	assert_int_equal(f->attempt->n, 0);
}

static void test_hostile_values(void **state)
{
	struct fixture *f = *state;
	const char *odd = HEAD("steps",
		"0") "\"first\":9223372036854775807,\"lr\":{},\"seconds\":[1,{},[]],"
		"\"backwards\":[1e300]}\n" HEAD("steps",
		"0") "\"first\":1,\"lr\":[[[1]]],\"seconds\":[\"x\",2],"
		"\"backwards\":-5}\n" HEAD("world",
		"0") "\"world\":99999999999}\n" HEAD("step",
		"0") "\"order\":{\"a\":[]},\"step\":\"x\"}\n" HEAD("forward",
		"0") "\"devices\":[1],\"batch\":{\"tensors\":[],\"examples\":1e30}}\n" HEAD("clip",
		"-1") "\"before\":7}\n" HEAD("loaded", "0") "\"file\":[]}\n" HEAD("loader_first",
		"0") "\"first\":[1,null]}\n" OPTIMIZER;

	ask(f, odd, odd);
	for (size_t i = 0; i < PROBE_QUESTIONS; i++)
		assert_int_not_equal(f->answers[i].result, CHECK_CONFIRMED);
	assert_int_equal(probe_record_world(f->attempt), 1);
	assert_int_equal(f->attempt->steps_n, 2);
	assert_int_equal(f->attempt->steps[0].backwards, -1);
}

static void test_a_missing_file(void **state)
{
	struct fixture *f = *state;
	const char *path = arena_printf(&f->arena, "%s/none", f->folder);
	struct probe_record *r;

	assert_true(probe_record_read(&r, &path, 1) < 0);
}

#define EACH(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		EACH(test_questions_are_those_of_l2),
		EACH(test_no_record_is_not_checked),
		EACH(test_grad_clipped_before_reduced),
		EACH(test_grad_norms_of_two_processes),
		EACH(test_grad_that_shrinks_after_it_was_clipped),
		EACH(test_grad_of_parts_is_not_compared),
		EACH(test_two_models_in_turn),
		EACH(test_place_of_the_world),
		EACH(test_grad_alone),
		EACH(test_grad_limit_of_the_reference),
		EACH(test_grad_without_a_reduction),
		EACH(test_opt_order),
		EACH(test_params),
		EACH(test_checkpoints),
		EACH(test_device),
		EACH(test_configuration),
		EACH(test_backend_and_topology),
		EACH(test_declared_differences),
		EACH(test_batch),
		EACH(test_steps_and_rates),
		EACH(test_evaluation),
		EACH(test_number_formats),
		EACH(test_order_of_data),
		EACH(test_damaged_records),
		EACH(test_hostile_values),
		EACH(test_a_missing_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
