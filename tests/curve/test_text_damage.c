/*
 * One byte that is another one costs the row that it stands in, and the next one
 * when it was a line's end; what is lost beyond that is counted.
 */
#include "config.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "curve/csv.h"
#include "curve/jsonl.h"
#include "curve/terminal.h"
#include "curve/trainer_state.h"
#include "read_alike.h"

enum { ROWS = 40 };

/* A text, and where each of its rows begins. */
struct document {
	struct buf text;
	size_t row_at[ROWS + 1];
	double loss[ROWS];
};

/* FORM with the step for '#' and the number for '$'. */
static void write_row(struct buf *out, const char *form, int step, const char *number)
{
	for (; *form; form++)
		if (*form == '#')
			buf_addf(out, "%d", step);
		else if (*form == '$')
			buf_adds(out, number);
		else
			buf_addc(out, *form);
}

static void write_rows(struct document *d, const char *head, const char *form, const char *between,
	const char *tail)
{
	buf_init(&d->text);
	buf_adds(&d->text, head);
	for (int i = 0; i < ROWS; i++) {
		char number[32];

		snprintf(number, sizeof number, "%.4f", 3.0 / (i + 1));
		d->loss[i] = strtod(number, NULL);
		d->row_at[i] = d->text.n;
		write_row(&d->text, form, i, number);
		if (i + 1 < ROWS)
			buf_adds(&d->text, between);
	}
	d->row_at[ROWS] = d->text.n;
	buf_adds(&d->text, tail);
}

static size_t row_of(const struct document *d, size_t at)
{
	size_t row = 0;

	while (row + 1 < ROWS && d->row_at[row + 1] <= at)
		row++;
	return row;
}

static bool has_point(const struct series *s, int64_t step, double value)
{
	for (size_t i = 0; s && i < s->n; i++)
		if (s->x[i] == step && s->value[i] == value)
			return true;
	return false;
}

static size_t count_kept(const struct document *d, const struct curve_sink *sink, size_t row)
{
	const struct series *s = run_series_find(sink->series, "loss", AXIS_STEP);
	size_t kept = 0;

	for (size_t i = 0; i < ROWS; i++)
		kept += i == row || i == row + 1 || has_point(s, (int64_t)i, d->loss[i]);
	return kept;
}

static void check(const struct curve_format *format, const struct document *d, size_t row,
	size_t at, bool no_shapes)
{
	struct curve_options options = { .no_shapes = no_shapes };
	struct curve_sink sink = { .options = &options, .name = "sample",
		.budget_bytes = INT64_MAX / 2, .changed_s = NAN };
	void *state = format->new_state(&sink);
	struct curve_source src;
	int64_t behind;

	forget(&sink);
	source_open_memory(&src, d->text.s, d->text.n);
	behind = format->advance(state, &sink, &src, 0);
	if (count_kept(d, &sink, row) < ROWS && !sink.health.malformed &&
		!sink.health.non_numeric && behind == (int64_t)d->text.n && !sink.notes.n)
		fail_msg("%s: byte %zu loses rows, and nothing says so", format->name, at);
	format->free_state(state);
	run_series_free(sink.series);
	curve_notes_release(&sink.notes);
}

static void check_every_byte(const struct curve_format *format, struct document *d)
{
	static const char others[] = { '7', '"', '\n', '\0', ',', '\r', '\b', 'x' };

	check(format, d, ROWS, 0, false);
	for (size_t at = d->row_at[0]; at < d->text.n; at++) {
		char before = d->text.s[at];
		size_t row = row_of(d, at);

		for (size_t i = 0; i < sizeof others; i++) {
			d->text.s[at] = others[i];
			check(format, d, row, at, i % 4 == 3);
		}
		d->text.s[at] = (char)(before ^ 1 << at % 8);
		check(format, d, row, at, false);
		d->text.s[at] = before;
	}
	buf_release(&d->text);
}

static void lines_of_json(void **state)
{
	struct document d;

	(void)state;
	write_rows(&d, "", "{\"step\": #, \"loss\": $, \"lr\": 1e-05}", "\n", "\n");
	check_every_byte(&jsonl_format, &d);
}

static void tables(void **state)
{
	struct document d;

	(void)state;
	write_rows(&d, "step,loss,acc\n", "#,$,0.5", "\n", "\n");
	check_every_byte(&csv_format, &d);
}

static void terminal_output(void **state)
{
	struct document d;

	(void)state;
	write_rows(&d, "", "INFO step # loss: $ lr: 1e-05", "\n", "\n");
	check_every_byte(&terminal_format, &d);
	write_rows(&d, "", "iter #: loss $, time 52.50ms", "\n", "\n");
	check_every_byte(&terminal_format, &d);
}

static void states_of_a_trainer(void **state)
{
	struct document d;

	(void)state;
	write_rows(&d, "{\"log_history\": [", "{\"step\": #, \"loss\": $}", ",\n", "], \"a\": 1}");
	check_every_byte(&trainer_state_format, &d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_of_json),
		cmocka_unit_test(tables),
		cmocka_unit_test(terminal_output),
		cmocka_unit_test(states_of_a_trainer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
