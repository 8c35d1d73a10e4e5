/* test_run_facts - what a tracker's configuration tells of a run's inputs. */
#include "config.h"

#include "tests/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/fs.h"
#include "workspace/run_facts.h"

static void put(struct settings *s, const char *name, const char *value)
{
	settings_put(s, name, strlen(name), value, strlen(value));
}

static void test_trainer(void **state)
{
	struct run_facts f = RUN_FACTS_INIT;
	struct settings s = { 0 };
	struct arena a = ARENA_INIT;

	(void)state;
	put(&s, "per_device_train_batch_size", "8");
	put(&s, "gradient_accumulation_steps", "2");
	put(&s, "args.max_steps", "-1");
	put(&s, "args.max_grad_norm", "1.0");
	put(&s, "optim", "adamw_torch");
	put(&s, "tokenizer_name", "None");
	put(&s, "bf16", "True");
	put(&s, "fp16", "False");
	put(&s, "model_name_or_path", "/mnt/models/bert");
	put(&s, "_name_or_path", "google/bert-base");
	put(&s, "warmup_steps", "0");
	run_facts_add_settings(&f, &s, &a);
	assert_true(isnan(f.batch));		/* on how many devices nobody said */
	assert_true(isnan(f.steps));
	assert_near(f.clipping, 1, 0);
	assert_near(f.warmup_steps, 0, 0);
	assert_string_equal(f.optimizer, "adamw_torch");
	assert_null(f.tokenizer);
	assert_null(f.seed);
	assert_string_equal(f.precision, "bf16");
	assert_string_equal(f.weights, "google/bert-base");
	put(&s, "world_size", "4");
	run_facts_add_settings(&f, &s, &a);
	assert_near(f.batch, 64, 0);
	settings_release(&s);
	arena_release(&a);
}

/* What is known already stays; one format has many names. */
static void test_known_stays(void **state)
{
	static const struct {
		const char *name, *format;
	} rows[] = {
		{ "torch.bfloat16", "bf16" }, { "bf16-mixed", "bf16" }, { "16-mixed", "fp16" },
		{ "float32", "fp32" }, { "32-true", "fp32" }, { "int8", "int8" },
	};
	struct arena a = ARENA_INIT;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct run_facts f = RUN_FACTS_INIT;
		struct settings s = { 0 };

		f.batch = 128;
		f.seed = "7";
		put(&s, "model.dtype", rows[i].name);
		put(&s, "global_batch_size", "32");
		put(&s, "seed", "1");
		run_facts_add_settings(&f, &s, &a);
		assert_string_equal(f.precision, rows[i].format);
		assert_near(f.batch, 128, 0);
		assert_string_equal(f.seed, "7");
		settings_release(&s);
	}
	arena_release(&a);
}

/* What is computed in, not what the weights are kept in. */
static void test_precision(void **state)
{
	static const struct {
		const char *settings[4][2], *format;
	} rows[] = {
		{ { { "torch_dtype", "float32" }, { "bf16", "true" }, { "fp16", "false" } }, "bf16" },
		{ { { "model.dtype", "float32" }, { "fp16", "1" } }, "fp16" },
		{ { { "torch_dtype", "bfloat16" }, { "bf16", "false" } }, "bf16" },
		{ { { "bf16", "true" }, { "mixed_precision", "fp16" } }, "fp16" },
		{ { { "dtype", "float32" }, { "precision", "bf16-mixed" } }, "bf16" },
		{ { { "mixed_precision", "no" } }, "fp32" },
		{ { { "mixed_precision", "no" }, { "torch_dtype", "float32" } }, "fp32" },
		{ { { "mixed_precision", "no" }, { "bf16", "true" } }, "bf16" },
		{ { { "bf16", "false" }, { "fp16", "false" } }, NULL },
	};
	struct arena a = ARENA_INIT;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct run_facts f = RUN_FACTS_INIT;
		struct settings s = { 0 };

		for (size_t k = 0; k < 4 && rows[i].settings[k][0]; k++)
			put(&s, rows[i].settings[k][0], rows[i].settings[k][1]);
		run_facts_add_settings(&f, &s, &a);
		if (rows[i].format)
			assert_string_equal(f.precision, rows[i].format);
		else
			assert_null(f.precision);
		settings_release(&s);
	}
	arena_release(&a);
}

/* A run that lives may declare its facts after its curves were first looked at. */
static void test_later(void **state)
{
	char folder[] = "/tmp/portside-facts-XXXXXX";
	struct run_state run = { .seed = "", .configuration = "" };
	struct run_facts_cache cache = { .filled = false };
	struct curve_options options = { 0 };
	struct run_files *files = run_files_new(&options);
	struct run_facts f;
	struct arena a = ARENA_INIT;
	static const char text[] = "{\"batch\": 64}";

	(void)state;
	assert_non_null(mkdtemp(folder));
	assert_int_equal(run_files_add(files, folder), 0);
	run_facts_gather(&f, &cache, &run, files, NULL, &a);
	assert_true(isnan(f.batch));
	assert_int_equal(fs_write_durable(fs_join(&a, folder, RUN_FACTS_FILE), text,
		sizeof text - 1, 0600), 0);
	run_facts_gather(&f, &cache, &run, files, NULL, &a);
	assert_near(f.batch, 64, 0);
	run_files_free(files);
	assert_int_equal(fs_remove_tree(folder), 0);
	arena_release(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_trainer),
		cmocka_unit_test(test_known_stays),
		cmocka_unit_test(test_precision),
		cmocka_unit_test(test_later),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
