/* Tests of ui/plot.h: the picture, with dots and with letters. */
#include "config.h"

#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "ui/plot.h"

enum { COLUMNS = 64 };
#define NO_ENDS { NAN, NAN }

static void set_value(struct plot_column *k, double v)
{
	*k = (struct plot_column){
		.n = 1, .first = v, .min = v, .max = v, .last = v, .height = v, .joined = true
	};
}

static struct plot_view view_of(const struct canvas *c, bool mono)
{
	struct plot_view v = PLOT_VIEW_INIT;

	v.columns = plot_dot_columns(c, canvas_all(c), mono);
	v.rows = plot_dot_rows(c, canvas_all(c), mono, false);
	v.x1 = 100;
	return v;
}

static void letters_tell_without_colours(void **state)
{
	struct plot_column r[COLUMNS] = { 0 }, a[COLUMNS] = { 0 };
	const struct plot_trace traces[] = {
		{ r, NO_ENDS, PLOT_REFERENCE, STYLE_SERIES_1, 'R' },
		{ a, NO_ENDS, PLOT_ATTEMPT, STYLE_SERIES_2, 'A' },
	};
	struct buf text = BUF_INIT;
	struct plot_view v;
	struct canvas c;

	(void)state;
	canvas_init(&c, 5, PLOT_GUTTER + 6);
	c.ascii = true;
	v = view_of(&c, true);
	assert_int_equal(v.columns, 6);
	assert_int_equal(v.rows, 3);
	for (int i = 0; i < 6; i++) {
		set_value(&r[i], 1.0);
		set_value(&a[i], i < 3 ? 1.0 : 0.0);
	}
	a[5].marks = PLOT_NAN;
	plot_draw(
		&(struct plot){
			.view = &v, .traces = traces, .n_traces = 2, .cursor = -1, .mono = true },
		&c, canvas_all(&c));
	canvas_dump_text(&c, &text);
	assert_non_null(strstr(text.s, "1 +####..\n"));		/* both, then the reference alone */
	assert_non_null(strstr(text.s, "|   *\n"));		/* the line comes down */
	assert_non_null(strstr(text.s, "0 +   **N\n"));
	buf_release(&text);
	canvas_release(&c);
}

/* A curve that keeps its value has one tick, which is that value. */
static void a_constant_has_one_tick(void **state)
{
	struct plot_column a[COLUMNS] = { 0 };
	const struct plot_trace trace = { a, NO_ENDS, PLOT_ATTEMPT, STYLE_SERIES_2, 'A' };
	struct buf text = BUF_INIT;
	struct plot_view v;
	struct canvas c;
	size_t ticks = 0;

	(void)state;
	canvas_init(&c, 9, PLOT_GUTTER + 6);
	c.ascii = true;
	v = view_of(&c, true);
	v.y0 = 400;
	v.y1 = 416;
	for (int i = 0; i < 6; i++)
		set_value(&a[i], 408);
	plot_draw(&(struct plot){
			.view = &v, .traces = &trace, .n_traces = 1, .cursor = -1, .mono = true },
		&c, canvas_all(&c));
	canvas_dump_text(&c, &text);
	for (int row = 0; row < 9 - PLOT_AXIS_ROWS; row++)
		ticks += canvas_cell(&c, row, PLOT_GUTTER - 1)->cp[0] == '+';
	assert_non_null(strstr(text.s, "    408 +******\n"));
	assert_int_equal(ticks, 1);
	buf_release(&text);
	canvas_release(&c);
}

/* So many rows between two ticks that one more or less is not seen. */
static void ticks_stand_apart(void **state)
{
	(void)state;
	for (int rows = 5; rows < 40; rows++) {
		struct plot_column a[COLUMNS] = { 0 };
		const struct plot_trace trace = { a, NO_ENDS, PLOT_ATTEMPT, STYLE_SERIES_2, 'A' };
		int before = -1, least = rows, most = 0, ticks = 0;
		struct plot_view v;
		struct canvas c;

		canvas_init(&c, rows, PLOT_GUTTER + 6);
		c.ascii = true;
		v = view_of(&c, true);
		v.y0 = 0.00855;
		v.y1 = 0.00945;
		for (int i = 0; i < 6; i++)
			set_value(&a[i], 0.0086 + 0.0001 * i);
		plot_draw(&(struct plot){ .view = &v, .traces = &trace, .n_traces = 1,
				.cursor = -1, .mono = true },
			&c, canvas_all(&c));
		for (int row = 0; row < rows - PLOT_AXIS_ROWS; row++) {
			if (canvas_cell(&c, row, PLOT_GUTTER - 1)->cp[0] != '+')
				continue;
			if (before >= 0) {
				least = row - before < least ? row - before : least;
				most = row - before > most ? row - before : most;
			}
			before = row;
			ticks++;
		}
		assert_true(ticks >= 1);
		assert_true(ticks < 3 || (least >= 2 && most - least <= 1));
		canvas_release(&c);
	}
}

/* Dots of its own; where an attempt stands in the same cell, the ground behind it. */
static void reference_beside_and_behind(void **state)
{
	struct plot_column r[COLUMNS] = { 0 }, a[COLUMNS] = { 0 };
	const struct plot_trace traces[] = {
		{ r, NO_ENDS, PLOT_REFERENCE, STYLE_SERIES_1, 'R' },
		{ a, NO_ENDS, PLOT_ATTEMPT, STYLE_SERIES_2, 'A' },
	};
	struct plot_view v;
	struct canvas c;

	(void)state;
	canvas_init(&c, 4, PLOT_GUTTER + 4);
	v = view_of(&c, false);
	assert_int_equal(v.columns, 8);
	assert_int_equal(v.rows, 8);
	for (int i = 0; i < 8; i++) {
		set_value(&r[i], 1.0);
		if (i != 4 && i != 5)
			set_value(&a[i], 1.0);
	}
	a[6].joined = false;		/* a gap that is no line */
	plot_draw(&(struct plot){ .view = &v, .traces = traces, .n_traces = 2, .cursor = -1 }, &c,
		canvas_all(&c));
	for (int col = 0; col < 4; col++) {
		const struct cell *k = canvas_cell(&c, 0, PLOT_GUTTER + col);

		assert_int_equal(k->ground, col == 2 ? GROUND_NONE : GROUND_BAND);
		assert_int_equal(k->cp[0], 0x2809);	/* the two dots of the top row */
		assert_int_equal(k->style, col == 2 ? STYLE_SERIES_1 : STYLE_SERIES_2);
	}
	assert_int_equal(canvas_cell(&c, 1, PLOT_GUTTER)->ground, GROUND_NONE);
	canvas_release(&c);
}

/* A spike inside of one dot column is drawn from least to greatest. */
static void no_spike_is_lost(void **state)
{
	struct plot_column a[COLUMNS] = { 0 };
	const struct plot_trace trace = { a, NO_ENDS, PLOT_ATTEMPT, STYLE_SERIES_2, 'A' };
	struct plot_view v;
	struct canvas c;

	(void)state;
	canvas_init(&c, 4, PLOT_GUTTER + 2);
	v = view_of(&c, false);
	set_value(&a[0], 0.0);
	a[0].max = 1.0;
	a[0].marks = PLOT_RESTART;
	plot_draw(&(struct plot){ .view = &v, .traces = &trace, .n_traces = 1, .cursor = -1 }, &c,
		canvas_all(&c));
	/* the restart's tick */
	assert_int_equal(canvas_cell(&c, 0, PLOT_GUTTER)->cp[0], 0x2502);
	assert_int_equal(canvas_cell(&c, 1, PLOT_GUTTER)->cp[0], 0x2847);
	canvas_release(&c);
}

static void tolerance_and_cursor(void **state)
{
	struct plot_column t[COLUMNS] = { 0 }, a[COLUMNS] = { 0 };
	const struct plot_trace trace = { a, NO_ENDS, PLOT_ATTEMPT, STYLE_SERIES_2, 'A' };
	struct plot_view v;
	struct canvas c;

	(void)state;
	canvas_init(&c, 7, PLOT_GUTTER + 4);
	v = view_of(&c, false);
	v.y0 = -2;
	v.y1 = 2;
	for (int i = 0; i < 8; i++) {
		set_value(&t[i], 0.5);
		set_value(&a[i], -2);
	}
	plot_draw(&(struct plot){ .view = &v,
			  .traces = &trace,
			  .n_traces = 1,
			  .tolerance = t,
			  .zero_line = true,
			  .own_cursor = true,
			  .cursor = 3 },
		&c, canvas_all(&c));
	/*
	 * 20 dots for -2 to 2: 0.5 is at dot 7, -0.5 at 12; dashes of two dots, so every
	 * second cell
	 */
	assert_int_equal(canvas_cell(&c, 1, PLOT_GUTTER)->cp[0], 0x28c0);
	assert_int_equal(canvas_cell(&c, 1, PLOT_GUTTER)->style, STYLE_FRAME);
	assert_int_equal(canvas_cell(&c, 1, PLOT_GUTTER + 3)->cp[0], 0);
	assert_int_equal(canvas_cell(&c, 3, PLOT_GUTTER)->cp[0], 0x2809);
	assert_int_equal(canvas_cell(&c, 0, PLOT_GUTTER + 1)->cp[0], 0x2502);
	assert_int_equal(c.cursor_col, PLOT_GUTTER + 1);
	canvas_release(&c);
}

/* A band is ground where it fills half of a cell, dots where it only touches it. */
static void band_is_ground(void **state)
{
	struct plot_column band[COLUMNS] = { 0 }, r[COLUMNS] = { 0 };
	const struct plot_trace traces[] = {
		{ band, NO_ENDS, PLOT_BAND, STYLE_SERIES_1, 'R' },
		{ r, NO_ENDS, PLOT_REFERENCE, STYLE_SERIES_1, 'R' },
	};
	struct buf text = BUF_INIT;
	struct plot_view v;
	struct canvas c;

	(void)state;
	canvas_init(&c, 5, PLOT_GUTTER + 2);
	v = view_of(&c, false);
	assert_int_equal(v.rows, 12);
	v.y1 = 11;			/* a dot row for each whole number, 0 below */
	for (int i = 0; i < 4; i++) {
		set_value(&r[i], 5);
		set_value(&band[i], 5);
		band[i].max = 8;	/* rows 3 to 6: one of the first cell, three of the next */
	}
	plot_draw(&(struct plot){ .view = &v, .traces = traces, .n_traces = 2, .cursor = -1 }, &c,
		canvas_all(&c));
	assert_int_equal(canvas_cell(&c, 0, PLOT_GUTTER)->ground, GROUND_NONE);
	assert_int_equal(canvas_cell(&c, 0, PLOT_GUTTER)->cp[0], 0x2582);	/* a quarter */
	assert_int_equal(canvas_cell(&c, 0, PLOT_GUTTER)->style, STYLE_BAND);
	assert_int_equal(canvas_cell(&c, 1, PLOT_GUTTER)->ground, GROUND_BAND);
	assert_int_equal(canvas_cell(&c, 1, PLOT_GUTTER)->cp[0], 0x2824);	/* its line */
	assert_int_equal(canvas_cell(&c, 2, PLOT_GUTTER)->cp[0], 0);
	canvas_clear(&c);
	c.ascii = true;
	v = view_of(&c, true);
	v.y1 = 8;
	plot_draw(&(struct plot){
			  .view = &v, .traces = traces, .n_traces = 2, .cursor = -1, .mono = true },
		&c, canvas_all(&c));
	canvas_dump_text(&c, &text);
	/* The band up to 8 at the top, R itself in the middle. */
	assert_string_equal(text.s,
		"        |::\n"
		"      5 +..\n"
		"      0 +\n"
		"        +++\n"
		"         0\n");
	buf_release(&text);
	canvas_release(&c);
}

/* More than two lines carry their letters, none above another. */
static void lines_carry_letters(void **state)
{
	static const char names[] = "RABCDEFGH";
	struct plot_column columns[9][COLUMNS] = { { { 0 } } };
	struct plot_trace traces[9];
	struct plot_view v;
	struct canvas c;
	int seen[9] = { 0 };

	(void)state;
	canvas_init(&c, 8, PLOT_GUTTER + 24);
	v = view_of(&c, false);
	for (int k = 0; k < 9; k++) {
		for (int i = 0; i < 48; i++)
			set_value(&columns[k][i], k < 5 ? 0.5 : k / 9.0);
		traces[k] = (struct plot_trace){ columns[k], NO_ENDS,
			k ? PLOT_ATTEMPT : PLOT_REFERENCE, style_series(k), names[k] };
	}
	plot_draw(&(struct plot){ .view = &v, .traces = traces, .n_traces = 9, .cursor = -1 }, &c,
		canvas_all(&c));
	for (int row = 0; row < 6; row++)
		for (int col = 0; col < 24; col++) {
			const struct cell *k = canvas_cell(&c, row, PLOT_GUTTER + col);
			const char *at = k->cp[0] < 0x80 && k->cp[0]
				? strchr(names, (int)k->cp[0])
				: NULL;

			if (!at)
				continue;
			assert_int_equal(k->style, style_series((int)(at - names)));
			seen[at - names]++;
		}
	for (int k = 0; k < 9; k++)
		assert_int_equal(seen[k], 2);	/* at its end, and in between */
	canvas_release(&c);
}

/* Raw points behind a smoothed line, or those that a restart went over again: their dots
 * are there, the cell is the line's. */
static void faint_stays_behind(void **state)
{
	struct plot_column raw[COLUMNS] = { 0 }, a[COLUMNS] = { 0 };
	const struct plot_trace traces[] = {
		{ raw, NO_ENDS, PLOT_FAINT, STYLE_SERIES_2, 'A' },
		{ a, NO_ENDS, PLOT_ATTEMPT, STYLE_SERIES_2, 'A' },
	};
	struct buf text = BUF_INIT;
	struct plot_view v;
	struct canvas c;

	(void)state;
	canvas_init(&c, 4, PLOT_GUTTER + 2);
	v = view_of(&c, false);
	for (int i = 0; i < 4; i++) {
		set_value(&raw[i], i < 2 ? 1.0 : 0.0);
		raw[i].joined = i != 2;
		set_value(&a[i], 1.0);
	}
	plot_draw(&(struct plot){ .view = &v, .traces = traces, .n_traces = 2, .cursor = -1 }, &c,
		canvas_all(&c));
	assert_int_equal(canvas_cell(&c, 0, PLOT_GUTTER)->style, STYLE_SERIES_2);
	assert_int_equal(canvas_cell(&c, 1, PLOT_GUTTER + 1)->style, STYLE_DIM);
	assert_int_equal(canvas_cell(&c, 1, PLOT_GUTTER + 1)->cp[0], 0x28c0);
	c.ascii = true;
	canvas_clear(&c);
	v = view_of(&c, true);
	plot_draw(&(struct plot){
			  .view = &v, .traces = traces, .n_traces = 2, .cursor = -1, .mono = true },
		&c, canvas_all(&c));
	canvas_dump_text(&c, &text);
	assert_non_null(strstr(text.s, "+**"));		/* no mixture: it is one run */
	buf_release(&text);
	canvas_release(&c);
}

/* Dashes of two dots, none along the border for what lies beyond it. */
static void edges_are_dashes(void **state)
{
	struct plot_column low[COLUMNS] = { 0 }, beyond[COLUMNS] = { 0 };
	const struct plot_trace traces[] = {
		{ low, NO_ENDS, PLOT_EDGE, STYLE_SERIES_1, 'R' },
		{ beyond, NO_ENDS, PLOT_EDGE, STYLE_SERIES_1, 'R' },
	};
	struct plot_view v;
	struct canvas c;

	(void)state;
	canvas_init(&c, 4, PLOT_GUTTER + 4);
	v = view_of(&c, false);
	for (int i = 0; i < 8; i++) {
		set_value(&low[i], 0.5);
		set_value(&beyond[i], 9);
	}
	plot_draw(&(struct plot){ .view = &v, .traces = traces, .n_traces = 2, .cursor = -1 }, &c,
		canvas_all(&c));
	for (int col = 0; col < 4; col++) {
		assert_int_equal(canvas_cell(&c, 0, PLOT_GUTTER + col)->cp[0], 0);
		assert_int_equal(canvas_cell(&c, 1, PLOT_GUTTER + col)->cp[0],
			col % 2 ? 0 : 0x2809);
	}
	canvas_release(&c);
}

/* A line whose points lie beyond both edges crosses the window all the same. */
static void lines_cross_the_window(void **state)
{
	struct plot_column a[COLUMNS] = { 0 };
	const struct plot_trace trace = { a, { 1.0, 0.0 }, PLOT_ATTEMPT, STYLE_SERIES_2, 'A' };
	struct plot_view v;
	struct canvas c;

	(void)state;
	canvas_init(&c, 4, PLOT_GUTTER + 4);
	v = view_of(&c, false);
	plot_draw(&(struct plot){ .view = &v, .traces = &trace, .n_traces = 1, .cursor = -1 }, &c,
		canvas_all(&c));
	assert_int_equal(canvas_cell(&c, 0, PLOT_GUTTER)->cp[0], 0x2819);
	assert_int_not_equal(canvas_cell(&c, 1, PLOT_GUTTER + 3)->cp[0], 0);
	assert_int_equal(canvas_cell(&c, 0, PLOT_GUTTER + 3)->cp[0], 0);
	canvas_release(&c);
}

static void any_size_is_survived(void **state)
{
	struct plot_column a[2 * 200] = { 0 };
	const struct plot_trace trace = { a, NO_ENDS, PLOT_ATTEMPT, STYLE_SERIES_2, 'A' };
	struct canvas c;

	(void)state;
	for (int i = 0; i < 400; i++)
		set_value(&a[i], i % 7 == 0 ? NAN : sin(i));
	canvas_init(&c, 1, 1);
	for (int rows = 1; rows < 20; rows++)
		for (int cols = 1; cols < 200; cols += 3) {
			struct plot_view v;

			canvas_resize(&c, rows, cols);
			v = view_of(&c, false);
			plot_draw(&(struct plot){ .view = &v,
					  .traces = &trace,
					  .n_traces = 1,
					  .x_label = "step",
					  .cursor = 5 },
				&c, canvas_all(&c));
		}
	canvas_release(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(letters_tell_without_colours),
		cmocka_unit_test(a_constant_has_one_tick),
		cmocka_unit_test(ticks_stand_apart),
		cmocka_unit_test(reference_beside_and_behind),
		cmocka_unit_test(no_spike_is_lost),
		cmocka_unit_test(tolerance_and_cursor),
		cmocka_unit_test(band_is_ground),
		cmocka_unit_test(lines_carry_letters),
		cmocka_unit_test(faint_stays_behind),
		cmocka_unit_test(edges_are_dashes),
		cmocka_unit_test(lines_cross_the_window),
		cmocka_unit_test(any_size_is_survived),
	};

	setlocale(LC_CTYPE, "");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
