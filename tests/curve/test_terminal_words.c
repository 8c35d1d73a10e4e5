/* Lines that are words and numbers alone, and sentences that only look like them. */
#include "config.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "curve/terminal.h"
#include "read_alike.h"

struct reading {
	struct curve_options options;
	struct curve_sink sink;
};

static void read_lines(struct reading *r, const char *text)
{
	struct curve_source src;
	void *state;

	*r = (struct reading){ .sink = { .budget_bytes = INT64_MAX / 2, .name = "log" } };
	r->sink.options = &r->options;
	r->sink.changed_s = NAN;
	forget(&r->sink);
	state = terminal_format.new_state(&r->sink);
	source_open_memory(&src, text, strlen(text));
	assert_int_equal(terminal_format.advance(state, &r->sink, &src, 0), strlen(text));
	terminal_format.free_state(state);
}

static void release(struct reading *r)
{
	run_series_free(r->sink.series);
	curve_notes_release(&r->sink.notes);
}

static void assert_point(
	const struct reading *r, const char *name, enum axis axis, double x, double value)
{
	const struct series *s = run_series_find(r->sink.series, name, (int)axis);

	if (!s)
		fail_msg("no series %s", name);
	assert_int_equal(s->n, 1);
	assert_true(series_x(s, 0) == x);
	assert_true(series_value(s, 0) == value);
}

static void pairs_without_marks_are_read(void **state)
{
	struct reading r;

	(void)state;
	read_lines(&r, "step 1 loss 2.0\n");
	assert_point(&r, "loss", AXIS_STEP, 1, 2.0);
	release(&r);
	read_lines(&r, "  Step 10/500, loss 2.5, top1 93.5%, time 12ms\r\n");
	assert_point(&r, "loss", AXIS_STEP, 10, 2.5);
	assert_point(&r, "top1", AXIS_STEP, 10, 93.5);
	assert_point(&r, "time", AXIS_STEP, 10, 12);
	assert_int_equal(r.sink.health.points, 3);
	release(&r);
	read_lines(&r, "iter 9007199254740993 loss 1e-3\n");
	assert_int_equal(run_series_find(r.sink.series, "loss", AXIS_STEP)->x[0],
		INT64_C(9007199254740993));
	release(&r);
	read_lines(&r, "epoch 3 train_loss 0.5 val_loss nan\n");
	assert_point(&r, "train_loss", AXIS_EPOCH, 3, 0.5);
	assert_int_equal(r.sink.health.non_finite, 1);
	release(&r);
	read_lines(&r, "epoch 3/10 acc 0.5\n");
	assert_point(&r, "acc", AXIS_EPOCH, 3, 0.5);
	release(&r);
	read_lines(&r, "iteration 40 epoch 0.25 loss 1,234.5\n");
	assert_point(&r, "loss", AXIS_STEP, 40, 1234.5);
	assert_true(series_epoch(run_series_find(r.sink.series, "loss", AXIS_STEP), 0) == 0.25);
	release(&r);
}

static void sentences_are_left_alone(void **state)
{
	static const char *const sentences[] = {
		"step 3 of 10",
		"Step 3 of 10 done",
		"step 2",
		"epoch 4",
		"epoch 4 took 12.5",
		"epoch 4 took 12.5 s",
		"epoch 4 finished in 12.5 s",
		"Epoch 4 saved to checkpoint-400",
		"step 5 failed after 3 retries",
		"step 1 loss",
		"step 1 loss is 2.0",
		"step one loss 2.0",
		"stepping 1 loss 2.0",
		"step 1.5 loss 2.0",
		"step 1 step 2 loss 2.0",
		"the step 1 loss 2.0",
		"loss 2.0 step 1",
		"loss 2.0",
		"step 1 loss 2.0 today",
		"step 1 loss 2.0.1",
		"step 1 loss v2",
		"step 1 lines 10-20",
		"steps 100 loss 2.0",
		"step 12345678901234567890 loss 2.0",
		"epoch 1 of 3 loss 2.0",
		"step 4 (loss 2.0)",
	};

	(void)state;
	for (size_t i = 0; i < sizeof sentences / sizeof *sentences; i++) {
		char line[128];
		struct reading r;

		snprintf(line, sizeof line, "%s\n", sentences[i]);
		read_lines(&r, line);
		if (r.sink.health.points)
			fail_msg("\"%s\" gave a point", sentences[i]);
		release(&r);
	}
}

/* The second line is read by the shape of the first. */
static void like_lines_give_like_points(void **state)
{
	struct buf text = BUF_INIT;

	(void)state;
	for (int i = 0; i < 300; i++)
		buf_addf(&text, "step %d/1000, loss %.4f lr %.2e top5 %d%%\n%s", i,
			3.0 / (i + 1), 1e-4 / (i + 1), i % 100, i % 50 ? "" : "step 3 of 10\n");
	assert_reads_alike(&terminal_format, &text, 0, 7);
	buf_release(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pairs_without_marks_are_read),
		cmocka_unit_test(sentences_are_left_alone),
		cmocka_unit_test(like_lines_give_like_points),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
