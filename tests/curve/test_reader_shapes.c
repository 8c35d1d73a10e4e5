/*
 * Rows that are read by the shape of an earlier one give what reading them in
 * full gives, to the bit: on all samples, and on rows whose numbers, words and
 * marks are exchanged at random.
 */
#include "config.h"

#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/fs.h"
#include "curve/jsonl.h"
#include "curve/reader_shape.h"
#include "curve/terminal.h"
#include "curve/trainer_state.h"
#include "read_alike.h"

static const char *const jsonl_samples[] = {
	"jsonl/01-mmcv.log.json",
	"jsonl/02-scalars.json",
	"jsonl/03-metrics.json",
	"jsonl/04-maxtext.jsonl",
	"jsonl/05-trainer_log.jsonl",
	"jsonl/06-generic.jsonl",
	NULL,
};

static const char *const terminal_samples[] = {
	"stdout/01-hf-dict.log",
	"stdout/02-hf-quoted.log",
	"stdout/03-step-in-dict.log",
	"stdout/04-tqdm.log",
	"stdout/05-fairseq.log",
	"stdout/06-megatron.log",
	"stdout/07-maxtext.log",
	"stdout/08-torch-xla.log",
	"stdout/09-timm.log",
	"stdout/10-nanogpt.log",
	"stdout/11-keras.log",
	"stdout/12-boosting.log",
	"stdout/13-generic.log",
	NULL,
};

/* Rows on which the choice of step, time or family hangs on a number. */
static const char *const jsonl_rows[] = {
	"{\"step\": 1, \"loss\": 0.5}",
	"{\"_step\": 1.5, \"step\": 7, \"loss\": 0.25, \"ok\": true, \"none\": null}",
	"{\"_step\": 2, \"step\": 8, \"loss\": 1e-5}",
	"{\"step\": \"12\", \"loss\": \"0.5\", \"name\": \"run 7\"}",
	"{\"step\": 3, \"time\": 0.5, \"timestamp\": 1700000000.5, \"loss\": 2}",
	"{\"step\": 3, \"_timestamp\": 5, \"time\": 1700000001, \"loss\": 2}",
	"{\"step\": 4, \"time\": \"2026-01-01T00:00:04\", \"loss\": 2}",
	"{\"step\": 4, \"time\": \"2026-01-01T00:00:05Z\", \"loss\": 2}",
	"{\"step\": 5, \"loss\": 1, \"loss\": 2}",
	"{\"step\": 6, \"a\": {\"b\": {\"c\": 1, \"d\": [1, 2]}}, \"epoch\": 0.5}",
	"  {\"step\": 7, \"loss\": NaN, \"x\": -Infinity, \"e\\u0041\": 3}",
	"{\"mode\": \"train\", \"epoch\": 2, \"iter\": 10, \"lr\": 0.1, \"time\": 0.25}",
	"{\"mode\": \"val\", \"epoch\": 2, \"iter\": 5, \"acc\": 0.75}",
	"{\"mode\": \"5\", \"epoch\": 2, \"iter\": 5, \"acc\": 0.75}",
	"{\"mode\": 5, \"epoch\": \"2\", \"iter\": 5, \"acc\": 0.75}",
	"{\"step\": true, \"loss\": 9}", NULL,
};

static const char *const terminal_rows[] = {
	"2026-01-01 00:00:00,123 INFO train: step 10 loss: 2.5 lr=1e-05",
	"2026-01-01T00:00:00 step 10 time: 12:30:45,123 loss: 2.5",
	"step 10 loss: 1,234.5 rate: 12K share: 3%",
	"step 10 loss: 1,234 v2 acc2: 0.5 epoch: 1",
	"step 10 loss: inf,123 acc: 0.5,12 epoch: 1,5",
	"iter 10: loss 2.5, time 52.5ms, mfu -100.00%",
	"step 10: train loss 2.5, val loss 2.6",
	"step 11: loss 2.5 lr: 0.1",
	"step:125/6200 val_loss:4.5 train_time:1000ms",
	"s:0 trl:2.5",
	"step: 5 loss: 2",
	"epoch 002:     10 / 500 loss=1.25, num_updates=510",
	"epoch 1 step 5/10 loss=1.25",
	"5/10 step 3 loss: 2.5 - 8ms/step - acc: 0.5",
	"[10]\ttrain-loss:0.5",
	"[1] step 10 loss=0.5",
	"iteration [4] step 5 loss = 0.5; x: nan) y: -inf,z:1",
	"{'loss': 0.5, 'epoch': 0.25}",
	"10%| 1/10 [00:01<00:02] {'loss': 0.5, 'step': 4, 'epoch': 0.25}",
	"{'loss': '0.5', 'grad': 'nan', 'epoch': '0.25', 'ok': True, 'n': None}",
	"{'global_step/max_steps': '10/500', 'loss': 0.5, 'x': [1, 2]}",
	"{'step': 1.5, 'loss': 2, 'epoch': 1}",
	"{'a': {'b': 1}, 'step': 2, 'loss': tensor(0.5), 'y': 1}",
	"2026-01-01 00:00:00 | INFO | train | {\"epoch\": 1, \"loss\": \"9.5\", \"train_num_updates\": \"10\"}",
	"2026-01-01 00:00:00 | INFO | tag2 | {\"epoch\": 1, \"loss\": \"9.5\", \"num_updates\": \"10\"}",
	"7 {\"step\": 1, \"loss\": 2} 8",
	"{\"epoch\": 1.5, \"loss\": 2}",
	"{\"step\": 1.5, \"iter\": 2, \"loss\": 2}",
	"completed step: 5, seconds: 1.5, loss: 2",
	"I0101 00:00:00.1 7 m.py:196] completed step: 5, a/b: 10.2, loss: 2.5",
	"Completed eval after train step 5, eval/loss=2.5, total 7: 8s",
	"completed step: 7, x=1,234, y: 5K, z=3%, w: 9MB",
	"[2026-01-01 00:00:00] iteration 7/ 10 | lm loss: 1.5E+00 | time (ms): 462.5 | v2: 7 | s: 12ms |",
	"Epoch 1/9:   5%|#5        | 123/1000 [00:09<01:10, 12.50it/s, loss=2.1, lr=1e-05]",
	"Epoch 1/9:  12%|\xe2\x96\x88\xe2\x96\x8e   | 124/1000 [00:09<01:10, 12.50it/s, loss=2.1, lr=1e-05]",
	"100%|##########| 10/10 [00:09<00:00, 1.5K=3, loss=2K, acc=7]",
	"Epoch: 7%|# | 1/2 [0:01<0:02, loss=2]",
	"1/15 [=>....] - ETA: 0s - loss: 0.5",
	" 15/15 [====] - 0s 8ms/step - loss: 0.5 - val_loss:  0.75",
	"Epoch 2/9",
	" 3/15 \xe2\x94\x81\xe2\x94\x81 0s 47ms/step - acc: 0.7",
	"7/15 - 1s/step - loss: 3",
	"| Training Device=xla:0/1 Epoch=1 Step=20 Loss=1.5 Rate=4.25 Time=21:07:10",
	"2026-01-01 00:00:00 10.0.0.1 [3] | Training Device=xla:1/0 Epoch=2 Step=20 Loss=1.5",
	"| Training Device=CPU Step=20 Loss=1.5",
	"| Training Device=CPU Step=20 Step=21 Loss=1.5 Epoch=1x",
	"Train: 0 [   0/100 (  0%)]  Loss:  4.4 (4.5)  Time: 0.250s, 51.00/s  (0.260s, 4.1/s)  LR: 1.0e-06  Data: 0.0 (0.0)",
	"Train: 2 [99/100]  Loss: 4 (5) )] Loss: 3 (  2)",
	"Test: [   1/1]  Time: 2.5 (0.7)  Loss:   6.6 ( 6.5)",
	"Train: 2 [  99/100 (x%)]  Loss:   4 (   5)",
	"iter 20: loss 2.5, time 52.50ms, mfu 12.25%",
	"iter 20: top5 acc 0.5, loss nan",
	"[10]\ttrain-logloss:0.7\tvalid_0's l2: 0.245",
	"[7]\ta:  5",
	"epoch 002:   7 / 500 loss=1.25, num_updates=5.5",
	"epoch 002:   7 / 500 loss=1.25, ppl=9.5",
	"x: epoch 002:10 / 500 loss=1.25, ppl=9.5",
	"s:5 trl: 2.5 tel:3 v:1/2",
	"validation loss at iteration 10 | lm loss: 2.5 |",
	"Completed eval step: 4, running loss=9.125, lr=2",
	"I0101 00:00:00.1 7 m.py:196] step 5 loss: 2",
	"E1231 23:59:59.999999 7 m.py:196] step 5 loss: 2",
	"[01/01 00:00:00 d2.utils.events]:  eta: 0:00:01  iter: 19  total_loss: 2.5  lr: 1e-05",
	"[10:00:03] step 5 loss: 2",
	"[INFO|trainer.py:19] 2026-01-01 00:00:00,123 >> {'loss': 0.5, 'epoch': 0.25}",
	"rank 3 11/22 10:00:05 step 5 loss: 2",
	"2026-01-01T00:00:00.5+02:00 step 5 loss: 2",
	"2026-01-01 00:00:00-0530 [rank 3] step 5 loss: 2",
	"01/31/2026 00:00:00 - INFO - __main__ -   step 5 loss: 2",
	"rank 7 2026-01-01 00:00:00 step 5 loss: 2",
	"iteration 7/ 10 | lm loss: 1.5E+00 | 5/10 [00:01<00:02, loss=2]",
	"worker3 step 10 gpu0: 5 loss: 2",
	"step 10 loss 2.5 lr 1e-4",
	"Step 10/500, loss 2.5, top1 93.5%, time 12ms",
	"epoch 3 loss 2.5 acc nan",
	"iter 7 epoch 0.5 loss 2",
	"step 3 of 10",
	NULL,
};

static const char *const odd_numbers[] = {
	"nan",
	"NaN",
	"-inf",
	"Infinity",
	"-1",
	"+2",
	"1e5",
	"1e-05",
	"1E+300",
	"1e999",
	".5",
	"5.",
	"-0.0",
	"1,234",
	"1,23",
	"12K",
	"3%",
	"",
	"true",
	"null",
	"None",
	"9223372036854775807",
	"99999999999999999999",
	"00",
	"007",
	"2.50",
	"3.0",
	"1700000000",
	"1e9",
	"0x10",
	"1.2.3",
	"-",
	"12:30",
	"0.12345678901234567",
	"123456789.123456789",
	"2026-01-01T00:00:00",
	"-100.00",
	"7ms",
};

static const char *const odd_marks[] = {
	"\r",
	"\x1b[0m",
	"\b",
	",",
	":",
	"=",
	"{",
	"}",
	"|",
	"'",
	"\"",
	"\\",
	"/",
	" ",
	"\t",
	"[",
	"]",
	"  ",
	"x",
	"e",
	"-",
	".",
	"step",
	"epoch",
	"#",
	"   ",
	")]",
	"poch",
	" | ",
	"/step",
	": ",
	"\xc3\xa9",
};

struct texts {
	struct buf *rows;
	size_t n, cap;
};

static void add_row(struct texts *t, const char *p, size_t n)
{
	ARRAY_GROW(t->rows, t->n, t->cap);
	buf_init(&t->rows[t->n]);
	buf_add(&t->rows[t->n++], p, n);
}

static void read_sample(struct buf *out, const char *name)
{
	const char *srcdir = getenv("srcdir");
	char *path = xasprintf("%s/tests/curve/samples/%s", srcdir ? srcdir : ".", name);

	assert_int_equal(fs_read(out, path, 0), 0);
	free(path);
}

static void collect(struct texts *t, const char *const *samples, const char *const *rows)
{
	for (size_t i = 0; samples[i]; i++) {
		struct buf text = BUF_INIT;
		const char *p, *newline;

		read_sample(&text, samples[i]);
		for (p = text.s; (newline = strchr(p, '\n')); p = newline + 1)
			if (newline - p < 2000)
				add_row(t, p, (size_t)(newline - p));
		buf_release(&text);
	}
	for (size_t i = 0; rows[i]; i++)
		for (int k = 0; k < 4; k++)
			add_row(t, rows[i], strlen(rows[i]));
}

static void release(struct texts *t)
{
	for (size_t i = 0; i < t->n; i++)
		buf_release(&t->rows[i]);
	free(t->rows);
}

static size_t pick(uint64_t *seed, size_t n)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return (size_t)(*seed >> 33) % n;
}

static bool is_digit(char c)
{
	return (unsigned char)(c - '0') < 10;
}

static void add_digits(struct buf *out, uint64_t *seed)
{
	size_t n = pick(seed, 8) ? 1 + pick(seed, 5) : 1 + pick(seed, 21);

	while (n--)
		buf_addc(out, (char)('0' + pick(seed, 10)));
}

/* ROW with other digits in most places, rarely with something odd. */
static void add_changed(struct buf *out, const struct buf *row, uint64_t *seed)
{
	bool odd = pick(seed, 3) == 0;

	for (size_t i = 0; i < row->n;) {
		size_t run = 0;

		while (i + run < row->n && is_digit(row->s[i + run]))
			run++;
		if (odd && pick(seed, run ? 8 : 60) == 0)
			buf_adds(out, run ? odd_numbers[pick(seed, ARRAY_LEN(odd_numbers))] :
				odd_marks[pick(seed, ARRAY_LEN(odd_marks))]);
		else if (run && pick(seed, 3))
			add_digits(out, seed);
		else
			buf_add(out, row->s + i, run ? run : 1);
		i += run ? run : 1;
	}
	buf_adds(out, pick(seed, 40) ? "\n" : "\r\n");
}

/* Blocks of like rows, as a log has them. */
static void write_document(struct buf *out, const struct texts *t, uint64_t *seed)
{
	buf_clear(out);
	while (out->n < 6000) {
		const struct buf *a = &t->rows[pick(seed, t->n)], *b = &t->rows[pick(seed, t->n)];

		for (size_t k = 0; k < 1 + pick(seed, 8); k++)
			add_changed(out, pick(seed, 4) ? a : b, seed);
	}
}

static void samples_read_alike(void **state)
{
	struct buf text = BUF_INIT;

	(void)state;
	for (size_t i = 0; jsonl_samples[i]; i++) {
		buf_clear(&text);
		read_sample(&text, jsonl_samples[i]);
		assert_reads_alike(&jsonl_format, &text, 0, 3);
	}
	for (size_t i = 0; terminal_samples[i]; i++) {
		buf_clear(&text);
		read_sample(&text, terminal_samples[i]);
		assert_reads_alike(&terminal_format, &text, 0, 3);
		assert_reads_alike(&terminal_format, &text, 12.5, 1);
	}
	buf_release(&text);
}

static int rounds(void)
{
	const char *wanted = getenv("PORTSIDE_TEST_ROUNDS");

	return wanted ? atoi(wanted) : 400;
}

static void check_random(
	const struct curve_format *format, const char *const *samples, const char *const *rows)
{
	struct texts texts = { .n = 0 };
	struct buf text = BUF_INIT;
	uint64_t seed = 11;

	collect(&texts, samples, rows);
	for (int i = 0; i < rounds(); i++) {
		write_document(&text, &texts, &seed);
		assert_reads_alike(format, &text, i % 4 ? 0 : 10.5, 1 + (size_t)i % 5);
	}
	buf_release(&text);
	release(&texts);
}

static void random_json_lines_read_alike(void **state)
{
	(void)state;
	check_random(&jsonl_format, jsonl_samples, jsonl_rows);
}

static void random_terminal_output_reads_alike(void **state)
{
	(void)state;
	check_random(&terminal_format, terminal_samples, terminal_rows);
}

/* Rows as the elements of a history; one that is no object ends the document. */
static void random_states_read_alike(void **state)
{
	struct texts texts = { .n = 0 };
	struct buf rows = BUF_INIT, text = BUF_INIT;
	uint64_t seed = 23;

	(void)state;
	collect(&texts, jsonl_samples, jsonl_rows);
	for (int i = 0; i < rounds(); i++) {
		const char *p, *newline;

		write_document(&rows, &texts, &seed);
		buf_clear(&text);
		buf_adds(&text, "{\"log_history\": [{\"step\": 0}");
		for (p = rows.s; (newline = strchr(p, '\n')); p = newline + 1) {
			buf_adds(&text, i % 2 ? ",\n    " : ", ");
			buf_add(&text, p, (size_t)(newline - p));
		}
		buf_adds(&text, "], \"max_steps\": 10}");
		assert_reads_alike(&trainer_state_format, &text, 0, 1);
	}
	buf_release(&rows);
	buf_release(&text);
	release(&texts);
}

static void random_lines_read_alike_by_patterns(void **state)
{
	static const char *const patterns[] = {
		"step (?<step>\\d+) .*?loss[:=]? ?(?<value>[-+.,\\w]+)",
		"(?<name>[a-z_]+)[:=] ?(?<value>[^ ,;]+)|(?:iter|epoch)\\w* \\[?(?<step>[\\d.]+)",
		"epoch (?<epoch>\\S+)|'(?<name>\\w+)': (?<value>[\\d.e-]+)",
		"step (?<step>\\d+)[^57]*?loss[:=]? ?(?<value>[-+.,\\w]+)",
		"(?<step>\\d+)\\D+(?<name>[a-z_]\\w*)[:=] ?(?<value>[^ ,;]+)",
	};
	struct curve_options options = { .patterns = patterns };
	struct texts texts = { .n = 0 };
	struct buf text = BUF_INIT;
	uint64_t seed = 31;

	(void)state;
	collect(&texts, terminal_samples, terminal_rows);
	for (int i = 0; i < rounds(); i++) {
		write_document(&text, &texts, &seed);
		options.patterns = patterns + i % 5;
		options.n_patterns = 1 + (size_t)i / 5 % (5 - (size_t)i % 5);
		assert_reads_alike_with(&terminal_format, &text, &options, 1 + (size_t)i % 5);
	}
	buf_release(&text);
	release(&texts);
}

static struct shape *match_text(struct shapes *shapes, const char *text, size_t n)
{
	return shapes_take_last(shapes, text, n, text);
}

static void a_row_matches_by_its_numbers(void **state)
{
	static const char learnt[] = "step 7 loss=2.5!", alike[] = "step 12 loss=-1e-05!";
	struct run_series *run = run_series_new();
	struct shape_hole step = { .token = SHAPE_DIGITS, .role = SHAPE_STEP };
	struct shape_hole loss = { .token = SHAPE_NUMBER, .role = SHAPE_VALUE };
	struct curve_sink sink = { .series = run, .health = HEALTH_INIT, .first_wall_s = NAN };
	struct shapes shapes = SHAPES_INIT;
	struct shape *s;

	(void)state;
	loss.series = run_series_get(run, "loss", 4, AXIS_STEP);
	assert_null(match_text(&shapes, learnt, strlen(learnt)));
	s = shapes_begin(&shapes, learnt, strlen(learnt));
	assert_non_null(s);
	assert_true(shape_add(s, learnt + 5, 1, &step));
	assert_true(shape_add(s, learnt + 12, 3, &loss));
	shapes_learn(&shapes, learnt, strlen(learnt));
	s = match_text(&shapes, alike, strlen(alike));
	assert_non_null(s);
	assert_int_equal(s->step, 12);
	shape_emit(&shapes, s, &sink,
		&(struct row_x){ .axis = AXIS_STEP, .step = s->step, .wall_s = NAN, .epoch = NAN });
	assert_int_equal(loss.series->n, 0);
	shapes_flush(&shapes, &sink);
	assert_int_equal(loss.series->n, 1);
	assert_int_equal(loss.series->x[0], 12);
	assert_true(loss.series->value[0] == -1e-05);
	assert_int_equal(sink.health.points, 1);
	assert_null(match_text(&shapes, alike, strlen(alike) - 1));
	assert_null(match_text(&shapes, "step x loss=2.5!", 16));
	assert_null(match_text(&shapes, "step 7 loss=2.5!!", 17));
	assert_null(match_text(&shapes, "step 1234567890123456789 loss=2.5!", 34));
	shapes_release(&shapes);
	run_series_free(run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(samples_read_alike),
		cmocka_unit_test(random_json_lines_read_alike),
		cmocka_unit_test(random_terminal_output_reads_alike),
		cmocka_unit_test(random_states_read_alike),
		cmocka_unit_test(random_lines_read_alike_by_patterns),
		cmocka_unit_test(a_row_matches_by_its_numbers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
