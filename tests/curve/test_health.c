/* test_health - the line that says what of a file went nowhere. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "tests/curve/make_events.h"
#include "tests/curve/make_wandb.h"

#include "curve/csv.h"
#include "curve/jsonl.h"
#include "curve/reader_slots.h"
#include "curve/run_files.h"
#include "curve/terminal.h"
#include "curve/tfevents.h"
#include "curve/wandb.h"

enum { OVER = 3 };

struct reading {
	char line[200];
	char first[40];		/* name of the first series, and its points */
	struct health health;
	bool says_why;
};

static void read_with(struct reading *out, const struct curve_format *format,
	const struct buf *text, const char *note, const struct curve_options *options)
{
	struct curve_sink sink = { .options = options, .name = "file", .series = run_series_new(),
		.health = HEALTH_INIT, .budget_bytes = INT64_MAX / 2 };
	void *state = format->new_state(&sink);
	struct buf line = BUF_INIT;
	struct curve_source src;

	source_open_memory(&src, text->s, text->n);
	(void)format->advance(state, &sink, &src, 0);
	source_release(&src);
	health_add_line(&line, &sink.health);
	snprintf(out->line, sizeof out->line, "%s", line.s);
	out->health = sink.health;
	out->says_why = curve_notes_has(&sink.notes, note);
	out->first[0] = '\0';
	if (sink.series->n)
		snprintf(out->first, sizeof out->first, "%s %zu", sink.series->series[0]->name,
			sink.series->series[0]->n);
	buf_release(&line);
	format->free_state(state);
	run_series_free(sink.series);
	run_series_free(sink.printed);
	settings_release(&sink.settings);
	curve_notes_release(&sink.notes);
}

static void read_as(struct reading *out, const struct curve_format *format, const struct buf *text,
	const char *note, bool no_shapes)
{
	read_with(out, format, text, note, &(struct curve_options){ .no_shapes = no_shapes });
}

static void assert_line(const struct curve_format *format, const struct buf *text, const char *note,
	const char *line)
{
	struct reading r;

	for (int no_shapes = 0; no_shapes < 2; no_shapes++) {
		read_as(&r, format, text, note, no_shapes);
		assert_string_equal(r.line, line);
		assert_true(r.says_why);
	}
}

static void assert_text_line(
	const struct curve_format *format, const char *text, const char *note, const char *line)
{
	struct buf b = BUF_INIT;

	buf_adds(&b, text);
	assert_line(format, &b, note, line);
	buf_release(&b);
}

static void a_doubled_column_is_said(void **state)
{
	struct reading r;
	struct buf whole = BUF_INIT;

	(void)state;
	assert_text_line(&csv_format, "step,loss,loss\n1,2.5,3.5\n2,2.25,\n3,2,1\n",
		"doubled-column", "3 records | 2 left out");
	assert_text_line(&csv_format, "step,epoch,loss,epoch\n1,0.5,3.5,1\n2,1,3,1\n",
		"doubled-column", "2 records | 2 left out");
	buf_adds(&whole, "step,loss,a\n1,2.5,3.5\n2,2.25,\n");
	read_as(&r, &csv_format, &whole, "doubled-column", false);
	assert_string_equal(r.line, "ok");
	assert_false(r.says_why);
	buf_release(&whole);
}

/* One row with more columns than are kept: the step, and SLOTS_MAX - 1 others. */
static void columns_beyond_the_last_are_said(void **state)
{
	struct buf text = BUF_INIT;

	(void)state;
	buf_adds(&text, "step");
	for (int i = 1; i < SLOTS_MAX + OVER; i++)
		buf_addf(&text, ",c%d", i);
	buf_adds(&text, "\n1");
	for (int i = 1; i < SLOTS_MAX + OVER; i++)
		buf_adds(&text, ",7");
	buf_addc(&text, '\n');
	assert_line(&csv_format, &text, "too-many-names", "1 records | 3 left out");
	buf_release(&text);
}

static void names_beyond_the_last_are_said_of_wandb(void **state)
{
	struct wandb_file f;

	(void)state;
	wandb_file_begin(&f);
	for (int row = 0; row < SLOTS_MAX / 100 + 1; row++) {
		char names[100][16];
		const char *items[2 * 100 + 3];

		for (int i = 0; i < 100; i++) {
			snprintf(names[i], sizeof names[i], "m%d", row * 100 + i);
			items[2 * i] = names[i];
			items[2 * i + 1] = "1";
		}
		items[200] = "_step";
		items[201] = "4";
		items[202] = NULL;
		wandb_file_row(&f, items);
	}
	assert_line(&wandb_format, &f.bytes, "too-many-names", "101 records | 100 left out");
	wandb_file_release(&f);
}

static void names_beyond_the_last_are_said_of_lines(void **state)
{
	struct buf text = BUF_INIT;

	(void)state;
	for (int i = 0; i < SLOTS_MAX + OVER; i++)
		buf_addf(&text, "{\"step\": %d, \"m%d\": 1}\n", i, i);
	assert_line(&jsonl_format, &text, "too-many-names", "10003 records | 3 left out");
	buf_release(&text);
}

static void a_name_that_is_too_long_is_said(void **state)
{
	struct buf text = BUF_INIT;

	(void)state;
	buf_adds(&text, "{\"step\": 1, \"loss\": 2.5, \"");
	buf_pad(&text, 'n', SLOT_NAME_MAX + 1);
	buf_adds(&text, "\": 1}\n");
	assert_line(&jsonl_format, &text, "too-many-names", "1 records | 1 left out");
	buf_release(&text);
}

static void tags_beyond_the_last_are_said(void **state)
{
	struct buf file = BUF_INIT;

	(void)state;
	for (int i = 0; i < SLOTS_MAX + OVER; i++) {
		struct buf event = BUF_INIT, summary = BUF_INIT, value = BUF_INIT;
		char tag[16];

		buf_addc(&value, 0x0a);
		buf_addc(&value, (char)snprintf(tag, sizeof tag, "m%d", i));
		buf_adds(&value, tag);
		buf_addc(&value, 0x15);
		add_le(&value, 0x40200000, 4);	/* 2.5 */
		add_message(&summary, 0x0a, &value);
		add_double(&event, 0x09, 1700000000);
		buf_addc(&event, 0x10);
		add_varint(&event, (uint64_t)i);
		add_message(&event, 0x2a, &summary);
		add_record(&file, &event);
		buf_release(&event);
		buf_release(&summary);
		buf_release(&value);
	}
	assert_line(&tfevents_format, &file, "too-many-names", "10003 records | 3 left out");
	buf_release(&file);
}

/* Each file has room for its names; the run has not. */
static void names_beyond_the_last_of_a_run_are_said(void **state)
{
	char folder[] = "/tmp/portside-health-XXXXXX";
	struct buf lines = BUF_INIT;
	struct run_files *r;

	(void)state;
	assert_non_null(mkdtemp(folder));
	for (int k = 0; k < 2; k++) {
		char *path = xasprintf("%s/part%d.jsonl", folder, k);
		FILE *f = fopen(path, "w");

		assert_non_null(f);
		for (int i = 0; i < SLOTS_MAX / 2 + k * OVER; i++)
			fprintf(f, "{\"step\": 1, \"m%d-%d\": 1}\n{\"step\": 2, \"m%d-%d\": 1}\n", k,
				i, k, i);
		assert_int_equal(fclose(f), 0);
		free(path);
	}
	assert_int_equal(run_files_load(&r, folder, NULL), 0);
	assert_int_equal(r->series->n, SLOTS_MAX);
	assert_int_equal(r->health.left_out, 2 * OVER);
	assert_true(curve_notes_has(&r->notes, "too-many-names"));
	run_files_add_lines(&lines, r);
	assert_non_null(strstr(lines.s, "part0.jsonl  JSON lines  ok\n"));
	assert_non_null(strstr(lines.s, "10006 records | 6 left out"));
	for (int k = 0; k < 2; k++) {
		char *path = xasprintf("%s/part%d.jsonl", folder, k);

		assert_int_equal(unlink(path), 0);
		free(path);
	}
	assert_int_equal(rmdir(folder), 0);
	run_files_free(r);
	buf_release(&lines);
}

static void assert_pattern(
	const char *pattern, const char *text, const char *line, bool says_why, const char *first)
{
	struct buf b = BUF_INIT;
	struct reading r;

	buf_adds(&b, text);
	for (int no_shapes = 0; no_shapes < 2; no_shapes++) {
		read_with(&r, &terminal_format, &b, "pattern-gave-up",
			&(struct curve_options){ .patterns = &pattern, .n_patterns = 1,
				.no_shapes = no_shapes });
		assert_string_equal(r.line, line);
		assert_string_equal(r.first, first);
		assert_int_equal(r.says_why, says_why);
	}
	buf_release(&b);
}

/* Choices that double with each letter; what is found at once is still found. */
static void a_pattern_that_gives_up_is_said(void **state)
{
	(void)state;
	assert_pattern("^(?<name>(a+)+)b(?<step>\\d+) (?<value>\\d+)",
		"aab1 2\naab2 3\naaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa! b1 2\naab3 4\n",
		"3 records | 1 malformed", true, "aa 3");
}

static void a_blank_name_is_no_name(void **state)
{
	(void)state;
	assert_pattern("^it=(?<step>\\d+) (?<name>\\w*|  )=(?<value>[\\d.]+)",
		"it=1 =2\nit=2 =3\nit=3   =4\n", "ok", false, "value 3");
}

static void a_sum_keeps_what_was_left_out(void **state)
{
	struct health all = HEALTH_INIT, one = HEALTH_INIT;

	(void)state;
	one.left_out = 2;
	health_merge(&all, &one);
	health_merge(&all, &one);
	assert_int_equal(all.left_out, 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_doubled_column_is_said),
		cmocka_unit_test(columns_beyond_the_last_are_said),
		cmocka_unit_test(names_beyond_the_last_are_said_of_wandb),
		cmocka_unit_test(names_beyond_the_last_are_said_of_lines),
		cmocka_unit_test(a_name_that_is_too_long_is_said),
		cmocka_unit_test(tags_beyond_the_last_are_said),
		cmocka_unit_test(names_beyond_the_last_of_a_run_are_said),
		cmocka_unit_test(a_pattern_that_gives_up_is_said),
		cmocka_unit_test(a_blank_name_is_no_name),
		cmocka_unit_test(a_sum_keeps_what_was_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
