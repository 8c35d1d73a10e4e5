/* test_log_clean - control sequences, ranks, bars, steps and memory in lines of a log. */
#include "config.h"

#include "evidence/log_clean.h"
#include "tests/unit.h"

static void test_escapes(void **state)
{
	static const struct { const char *s; size_t length; } known[] = {
		{ "\x1b[31mred", 5 }, { "\x1b[0m", 4 }, { "\x1b[?25lx", 6 }, { "\x1b[2Kx", 4 },
		{ "\x1b]0;title\x07x", 10 }, { "\x1b]8;;u\x1b\\x", 8 }, { "\x1bMx", 2 },
		{ "\x1b(Bx", 0 }, { "\x1b[\x01x", 0 }, { "\x1b]no end\nline", 0 },
	};
	char long_one[LOG_ESCAPE_MAX + 8];

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(known); i++)
		assert_int_equal(
			log_escape(known[i].s, strlen(known[i].s), false), known[i].length);
	/* Unfinished: more is needed, and at the end of the log it is none. */
	assert_int_equal(log_escape("\x1b[3", 3, false), 4);
	assert_int_equal(log_escape("\x1b[3", 3, true), 0);
	assert_int_equal(log_escape("\x1b", 1, false), 2);
	memset(long_one, '1', sizeof long_one);
	memcpy(long_one, "\x1b[", 2);
	assert_int_equal(log_escape(long_one, sizeof long_one, false), 0);
	memcpy(long_one, "\x1b]", 2);
	assert_int_equal(log_escape(long_one, sizeof long_one, false), 0);
}

static void test_ranks(void **state)
{
	static const struct { const char *s; int rank; const char *rest; } known[] = {
		{ "[rank2]: Traceback", 2, "Traceback" },
		{ "[rank2]:   File", 2, "  File" },
		{ "[xla:13] loss", 13, "loss" },
		{ "[2]: text", 2, "text" },
		{ "[default7]:text", 7, "text" },
		{ "(rank 4) text", 4, "text" },
		{ "[1,3]<stderr>:text", 3, "text" },
		{ "2026-11-01 10:00:00 10.130.0.7 [5] text", 5, "text" },
		{ "[0]: [rank3]: text", 3, "text" },
		{ "[10:01:03] + python", LOG_NO_RANK, "[10:01:03] + python" },
		{ "[batch=32] step 1", LOG_NO_RANK, "[batch=32] step 1" },
		{ "[2] text", LOG_NO_RANK, "[2] text" },
		{ "[99999999]: x", LOG_NO_RANK, "[99999999]: x" },
		{ "2026-11-01 10:00:00 text [5] x", LOG_NO_RANK, "2026-11-01 10:00:00 text [5] x" },
		{ "", LOG_NO_RANK, "" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(known); i++) {
		int rank;
		size_t n = log_rank_mark(known[i].s, strlen(known[i].s), &rank);

		assert_int_equal(rank, known[i].rank);
		assert_string_equal(known[i].s + n, known[i].rest);
	}
}

static void test_bars(void **state)
{
	static const struct { const char *s; size_t n; const char *parts[3]; } known[] = {
		{ "plain text", 1, { "plain text" } },
		{ "", 1, { "" } },
		{ " 47%|####7     | 470/1000 [00:11<00:12, 9.8it/s]", 0, { 0 } },
		{ " 47%|##| 470/1000 [00:11<00:12]{'loss': nan}", 1, { "{'loss': nan}" } },
		{ "Epoch 1:  47%|##| 470/1000 [00:11<00:12] Killed", 2, { "Epoch 1:", "Killed" } },
		{ "a 1%|#| b 2%|#| 1/2 [x] c", 3, { "a", "b", "c" } },
		{ "100%|no end", 1, { "100%|no end" } },
		{ "x%|y| z", 1, { "x%|y| z" } },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(known); i++) {
		struct log_part parts[LOG_PARTS_MAX];
		size_t n = log_parts(parts, known[i].s, strlen(known[i].s));

		assert_int_equal(n, known[i].n);
		for (size_t k = 0; k < n; k++) {
			size_t from = parts[k].from;
			char *part = xstrndup(known[i].s + from, parts[k].to - from);

			assert_string_equal(part, known[i].parts[k]);
			free(part);
		}
	}
}

static void test_quoted(void **state)
{
	static const char file[] = "  File \"/a/train.py\", line 12, in main";
	static const char box[] = "\xe2\x94\x82 raise RuntimeError";

	(void)state;
	assert_true(log_is_file_line(file, sizeof file - 1));
	assert_false(log_is_file_line(file + 2, sizeof file - 3));
	assert_false(log_is_file_line("  File \"a\", in", 14));
	assert_true(log_is_boxed(box, sizeof box - 1));
	assert_false(log_is_boxed("| text", 6));
	assert_false(log_is_boxed("\xe2\x94", 2));
}

static void test_steps(void **state)
{
	static const struct { const char *s; int64_t step; } known[] = {
		{ "step 10 loss 2", 10 }, { "{'global_step': 40}", 40 }, { "iter 7: loss 2", 7 },
		{ "Iteration 12 of", 12 }, { " 47%|#| 470/1000 [00:11", 470 }, { "step=3", 3 },
		{ "step 1 then step 2", 2 }, { "{\"step\": 8}", 8 },
		{ "optimization steps = 300", -1 }, { "sec/step 2", -1 }, { "step 0.5", -1 },
		{ "max_steps: 5", -1 }, { "3/4", -1 }, { "footstep 2", -1 }, { "", -1 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(known); i++) {
		int64_t step = -1;
		size_t at;
		bool found = log_step(known[i].s, strlen(known[i].s), &step, &at);

		assert_int_equal(found ? step : -1, known[i].step);
	}
}

static void test_memory(void **state)
{
	static const struct { const char *s; double value; bool unit; } known[] = {
		{ "step 0 host_rss_gib 14.5 x", 14.5 * 1073741824.0, true },
		{ "rss: 2048 MB", 2048e6, true }, { "RSS=12.5GiB", 12.5 * 1073741824.0, true },
		{ "anon_rss 7", 7, false }, { "rss_kb 3", 3 * 1024.0, true },
		{ "max_rss 7", NAN, false }, { "rss", NAN, false }, { "gross 7", NAN, false },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(known); i++) {
		double v = NAN;
		bool unit = false, found = log_rss(known[i].s, strlen(known[i].s), 0, &v, &unit);

		assert_int_equal(found, !isnan(known[i].value));
		if (found) {
			assert_near(v, known[i].value, 1e-12);
			assert_int_equal(unit, known[i].unit);
		}
	}
}

static void test_batches(void **state)
{
	static const struct { const char *s; int64_t batch; } known[] = {
		{ "[batch=32] step 1", 32 }, { "batch_size: 16", 16 }, { "--batch-size 8", 8 },
		{ "per_device_train_batch_size=4", 4 },
		{ "  Instantaneous batch size per device = 8", 8 },
		{ "'batch_size': 64}", 64 }, { "batch 20/100", -1 }, { "eval_batch_size=64", -1 },
		{ "batch size must be 3", -1 }, { "epoch=1 batch=20", -1 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(known); i++) {
		int64_t batch = -1;

		(void)log_batch_size(known[i].s, strlen(known[i].s), &batch);
		assert_int_equal(batch, known[i].batch);
	}
}

static void test_quantities(void **state)
{
	static const struct { const char *s; double v; } known[] = {
		{ "38", 38 }, { "12.5", 12.5 }, { "27.90G", 27.90 * 1073741824.0 },
		{ "554.00M", 554 * 1048576.0 }, { "2m12.5s", 132.5 }, { "1h0m3s", 3603 },
		{ "8s", 8 }, { "cpu", NAN }, { "", NAN }, { "1.2.3", NAN }, { "3x", NAN },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(known); i++) {
		double v = log_quantity(known[i].s, strlen(known[i].s));

		if (isnan(known[i].v))
			assert_true(isnan(v));
		else
			assert_near(v, known[i].v, 1e-12);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_escapes), cmocka_unit_test(test_ranks),
		cmocka_unit_test(test_bars), cmocka_unit_test(test_quoted),
		cmocka_unit_test(test_steps), cmocka_unit_test(test_memory),
		cmocka_unit_test(test_batches), cmocka_unit_test(test_quantities),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
