/*
 * .wandb files: the same points however they arrive, and what a file holds beside
 * its history.
 */
#include "config.h"

#include <stdio.h>

#include "read_wandb.h"

/* ---- growing -------------------------------------------------------------------------- */

/* Everything that a file can hold, in a few kilobytes. */
static void write_rich_file(struct wandb_file *f)
{
	static const char *const printed[] = { "step 1 speed: 10 loss: 9\nste", "p 2 speed: 11\n",
		"Epoch 1/2:  50%|###  | 2/4 [00:01<00:01, 1.0it/s, mem=2.1]\r", "\n", "" };

	wandb_file_begin(f);
	wandb_file_run(f, "rich0001", 0);
	wandb_file_metric(f, "val.*", true, "epoch", 0);
	for (int i = 0; i < 12; i++) {
		char step[16], loss[32];

		snprintf(step, sizeof step, "%d", i % 7);
		snprintf(loss, sizeof loss, "%.12g", 3.0 / (1 + i));
		wandb_file_row(f, (const char *[]){ "loss", loss, "val.acc", i % 3 ? "0.5" : "null",
			"epoch", "1.5", "_step", step, "_timestamp", "1700000000.5", NULL });
		wandb_file_print(f, i % 2, printed[i % 5]);
		if (i % 4 == 0)
			wandb_file_stats(f, 1700000000 + i, "gpu", "{\"memory\": 4, \"busy\": 0.5}");
		if (i == 8)
			wandb_file_run(f, "rich0001", 5);
	}
	wandb_file_chunk(f, CHUNK_LAST, "lost", 4);
	wandb_file_chunk(f, CHUNK_FIRST, "lost", 4);
	wandb_file_row(f, (const char *[]){ "loss", "1", "_step", "9", NULL });
	wandb_file_row(f, (const char *[]){ "loss", "1", NULL });
}

static void every_length_grown_is_as_fresh(void **state)
{
	struct buf grown = BUF_INIT, fresh = BUF_INIT;
	struct wandb_file f;
	struct reading r;

	(void)state;
	write_rich_file(&f);
	begin(&r, false);
	for (size_t n = 0; n <= f.bytes.n; n++) {
		read_to(&r, f.bytes.s, n);
		dump_reading(&grown, &r);
		dump_fresh(&fresh, f.bytes.s, n);
		assert_same("grown", n, &grown, &fresh);
	}
	assert_int_equal(r.sink.health.malformed, 1);
	assert_int_equal(r.sink.health.orphans, 2);
	end(&r);
	wandb_file_release(&f);
	buf_release(&grown);
	buf_release(&fresh);
}

static void every_split_gives_what_one_read_gives(void **state)
{
	static const char *const samples[] = { "03-blocks/run-blocks01.wandb",
		"07b-tail/run-tail0002.wandb", "08-zero-block/run-zero0001.wandb" };
	struct buf whole = BUF_INIT, bytes;
	struct wandb_file f;

	(void)state;
	write_rich_file(&f);
	dump_fresh(&whole, f.bytes.s, f.bytes.n);
	for (size_t split = 0; split <= f.bytes.n; split++)
		assert_split(&f.bytes, split, &whole);
	wandb_file_release(&f);
	/* Long ones at the borders of their blocks, and here and there. */
	for (size_t i = 0; i < ARRAY_LEN(samples); i++) {
		load_sample(&bytes, samples[i]);
		dump_fresh(&whole, bytes.s, bytes.n);
		for (size_t split = 0; split <= bytes.n; split++)
			if ((split + 12) % WANDB_BLOCK_BYTES < 24 || split % 397 == 0 ||
				split < 300)
				assert_split(&bytes, split, &whole);
		buf_release(&bytes);
	}
	buf_release(&whole);
}

/*
 * A record of a run may hold anything, also a chunk.  While it is not all there it
 * looks like damage in front of a good chunk; when it is, what was read is void.
 */
static void a_chunk_in_a_chunk_is_no_record(void **state)
{
	struct wandb_file inner, f;
	struct buf grown = BUF_INIT, fresh = BUF_INIT, text = BUF_INIT;
	struct reading r;
	size_t outer_end;

	(void)state;
	wandb_file_begin(&inner);
	wandb_file_row(&inner, (const char *[]){ "fake", "1", "_step", "1", NULL });
	wandb_file_begin(&f);
	wandb_file_row(&f, (const char *[]){ "loss", "2", "_step", "0", NULL });
	buf_adds(&text, "a file of its own: ");
	buf_add(&text, inner.bytes.s, inner.bytes.n);
	buf_adds(&text, " and more\n");
	field_number(&fresh, 1, 1);
	field_buf(&fresh, 3, &text);
	wandb_file_record(&f, 13, &fresh);
	outer_end = f.bytes.n;
	wandb_file_row(&f, (const char *[]){ "loss", "1", "_step", "1", NULL });
	begin(&r, false);
	read_to(&r, f.bytes.s, outer_end - 1);
	assert_non_null(run_series_find(r.sink.series, "fake", -1));
	read_to(&r, f.bytes.s, f.bytes.n);
	assert_int_equal(r.again, 1);
	assert_null(run_series_find(r.sink.series, "fake", -1));
	assert_int_equal(r.sink.health.bad_data, 0);
	dump_reading(&grown, &r);
	dump_fresh(&fresh, f.bytes.s, f.bytes.n);
	assert_same("grown", f.bytes.n, &grown, &fresh);
	end(&r);
	wandb_file_release(&inner);
	wandb_file_release(&f);
	buf_release(&grown);
	buf_release(&fresh);
	buf_release(&text);
}

/* A file may be made longer before it is written. */
static void zeros_at_the_end_are_a_tail(void **state)
{
	struct wandb_file f;
	struct buf longer = BUF_INIT;
	struct reading r;
	size_t written, all;

	(void)state;
	wandb_file_begin(&f);
	wandb_file_row(&f, (const char *[]){ "loss", "2", "_step", "0", NULL });
	written = f.bytes.n;
	wandb_file_row(&f, (const char *[]){ "loss", "1", "_step", "1", NULL });
	all = f.bytes.n;
	buf_add(&longer, f.bytes.s, written);
	for (size_t i = 0; i < 100000; i++)
		buf_addc(&longer, 0);
	begin(&r, false);
	read_to(&r, longer.s, longer.n);
	assert_int_equal(r.sink.health.records, 1);
	assert_int_equal(r.sink.health.tail_bytes, 100000);
	assert_int_equal(r.sink.health.skipped_bytes, 0);
	memcpy(longer.s, f.bytes.s, all);
	read_to(&r, longer.s, longer.n);
	assert_int_equal(r.sink.health.records, 2);
	assert_int_equal(r.sink.health.bad_data, 0);
	end(&r);
	wandb_file_release(&f);
	buf_release(&longer);
}

/* ---- what a file holds -------------------------------------------------------------------- */

static const struct series *find(const struct reading *r, const char *name)
{
	const struct series *s = run_series_find(r->sink.series, name, AXIS_STEP);

	if (!s)
		fail_msg("%s is missing", name);
	return s;
}

static void define_metric_is_kept_with_the_series(void **state)
{
	struct wandb_file f;
	struct reading r;

	(void)state;
	wandb_file_begin(&f);
	wandb_file_metric(&f, "epoch", false, NULL, 0);
	wandb_file_metric(&f, "val/*", true, NULL, 1);		/* by the number of the metric */
	wandb_file_metric(&f, "val/acc", false, "samples", 0);
	wandb_file_row(&f, (const char *[]){ "val/loss", "1", "val/acc", "2", "late", "3", "plain",
		"4", "_step", "0", NULL });
	wandb_file_metric(&f, "late", false, "tokens", 0);
	wandb_file_metric(&f, "val/*", true, "other", 0);	/* the last pattern counts */
	wandb_file_metric(&f, "plain", false, "_step", 0);
	begin(&r, false);
	read_to(&r, f.bytes.s, f.bytes.n);
	assert_string_equal(find(&r, "val/loss")->x_metric, "other");
	assert_string_equal(find(&r, "val/acc")->x_metric, "samples");
	assert_string_equal(find(&r, "late")->x_metric, "tokens");
	assert_null(find(&r, "plain")->x_metric);
	end(&r);
	wandb_file_release(&f);
}

static void the_epoch_stands_beside_the_step(void **state)
{
	struct wandb_file f;
	struct reading r;

	(void)state;
	wandb_file_begin(&f);
	wandb_file_row(&f,
		(const char *[]){ "loss", "1", "train/epoch", "0.25", "_step", "3", NULL });
	wandb_file_row(&f, (const char *[]){ "acc", "1", "_step", "4", "_runtime", "2.5", NULL });
	begin(&r, false);
	read_to(&r, f.bytes.s, f.bytes.n);
	assert_true(series_epoch(find(&r, "loss"), 0) == 0.25);
	assert_true(isnan(series_epoch(find(&r, "acc"), 0)));
	/* A run time alone is no time of day: when the run began is not said. */
	assert_true(isnan(series_wall(find(&r, "acc"), 0)));
	end(&r);
	wandb_file_release(&f);
}

static void facts_of_the_run_are_read(void **state)
{
	struct wandb_file f;
	struct buf body = BUF_INIT, part = BUF_INIT, config = BUF_INIT, line = BUF_INIT;
	const struct wandb_facts *facts;
	struct curve_file file = { 0 };
	struct reading r;

	(void)state;
	wandb_file_begin(&f);
	field_item(&part, 1, "lr", "0.001", false);
	field_item(&part, 1, "optimizer", "{\"name\": \"adam\", \"betas\": [0.9, 0.999]}", false);
	field_item(&part, 1, "gone", "1", false);
	field_item(&part, 1, "_wandb", "{\"version\": 1}", false);
	field_text(&body, 1, "abc");
	field_text(&body, 3, "demo");
	field_buf(&body, 4, &part);
	field_text(&body, 13, "gpu-\x1b[31ma");
	field_time(&body, 17, 1700000000);
	buf_clear(&part);
	field_text(&part, 2, "0123456789abcdef");
	field_buf(&body, 21, &part);
	wandb_file_record(&f, 17, &body);
	field_item(&config, 1, "lr", "0.01", false);
	field_item(&config, 2, "gone", "", false);
	wandb_file_record(&f, 5, &config);
	wandb_file_row(&f, (const char *[]){ "loss", "1", "_step", "0", "_runtime", "2.5", NULL });
	buf_clear(&part);
	field_number(&part, 1, 137);
	wandb_file_record(&f, 18, &part);
	begin(&r, false);
	read_to(&r, f.bytes.s, f.bytes.n);
	file.state = r.state;
	facts = wandb_facts_of(&file);
	assert_string_equal(facts->run_id, "abc");
	assert_string_equal(facts->commit, "0123456789abcdef");
	assert_true(facts->exited);
	assert_int_equal(facts->exit_code, 137);
	assert_true(curve_notes_has(&r.sink.notes, "wandb-exit"));
	assert_true(series_wall(find(&r, "loss"), 0) == 1700000002.5);
	assert_string_equal(settings_find(&r.sink.settings, "lr"), "0.01");
	assert_string_equal(settings_find(&r.sink.settings, "optimizer.name"), "adam");
	assert_string_equal(settings_find(&r.sink.settings, "optimizer.betas"), "[0.9, 0.999]");
	assert_null(settings_find(&r.sink.settings, "gone"));
	assert_int_equal(r.sink.settings.n, 3);
	wandb_format.describe(&line, &file);
	assert_non_null(strstr(line.s, "run abc of demo, host gpu-"));
	assert_non_null(strstr(line.s, ", commit 0123456789, exit 137"));
	assert_null(strchr(line.s, '\x1b'));
	end(&r);
	wandb_file_release(&f);
	buf_release(&body);
	buf_release(&part);
	buf_release(&config);
	buf_release(&line);
}

/* A rewound run keeps the step that it was rewound to. */
static void a_branch_begins_behind_its_step(void **state)
{
	struct wandb_file f;
	struct buf body = BUF_INIT, branch = BUF_INIT;
	struct reading r;

	(void)state;
	wandb_file_begin(&f);
	field_text(&branch, 1, "other");
	field_varint(&branch, 2 << 3 | 1);
	buf_add(&branch, "\0\0\0\0\0\0\x44\x40", 8);	/* 40.0 */
	field_text(&branch, 3, "_step");
	field_text(&body, 1, "fork0001");
	field_buf(&body, 23, &branch);
	wandb_file_record(&f, 17, &body);
	wandb_file_row(&f, (const char *[]){ "loss", "1", "_step", "44", NULL });
	begin(&r, false);
	read_to(&r, f.bytes.s, f.bytes.n);
	assert_int_equal(find(&r, "loss")->segments[0].start, 41);
	assert_true(find(&r, "loss")->segments[0].marked);
	assert_true(curve_notes_has(&r.sink.notes, "wandb-fork"));
	end(&r);
	wandb_file_release(&f);
	buf_release(&body);
	buf_release(&branch);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_length_grown_is_as_fresh),
		cmocka_unit_test(every_split_gives_what_one_read_gives),
		cmocka_unit_test(a_chunk_in_a_chunk_is_no_record),
		cmocka_unit_test(zeros_at_the_end_are_a_tail),
		cmocka_unit_test(define_metric_is_kept_with_the_series),
		cmocka_unit_test(the_epoch_stands_beside_the_step),
		cmocka_unit_test(facts_of_the_run_are_read),
		cmocka_unit_test(a_branch_begins_behind_its_step),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
