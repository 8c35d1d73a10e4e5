/*
 * Tests of curve/run_table.h and curve/series_summary.h: how columns are written, what
 * is absent, orders, filters and groups.
 */
#include "config.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "curve/run_table.h"

/* ---- runs of the tests ---------------------------- */

static struct series_summary loss(double last, double min, double min_x)
{
	return (struct series_summary){ .name = "eval_loss", .axis = AXIS_STEP, .count = 3,
		.first = 2, .last = last, .min = min, .max = 2, .mean = 1.5, .first_x = 1,
		.last_x = 3, .min_x = min_x, .max_x = 1 };
}

static struct setting slow[] = { { (char[]){ "lr" }, (char[]){ "1e-3" } } };
static struct setting fast[] = { { (char[]){ "lr" }, (char[]){ "0.01" } } };
static const struct settings slow_config = { slow, 1, 1, false };
static const struct settings fast_config = { fast, 1, 1, false };

/* Four runs: two on a TPU, one on a GPU without a curve, one that is still being read. */
static void make_runs(struct run_record r[4], struct series_summary s[2])
{
	s[0] = loss(1.0, 0.5, 2);
	s[1] = loss(NAN, 0.7, 3);
	memset(r, 0, 4 * sizeof *r);
	for (int i = 0; i < 4; i++) {
		r[i].fields[RUN_FIELD_RUN] = (const char *const[]){ "ps-a", "ps-b", "ps-c",
			"ps-d" }[i];
		r[i].fields[RUN_FIELD_TARGET] = i == 2 ? "gpu" : "tpu";
		r[i].fields[RUN_FIELD_SEED] = i == 1 ? "10" : i == 0 ? "9" : NULL;
		r[i].duration_s = i == 2 ? NAN : 60 * (i + 1);
	}
	for (int i = 0; i < 2; i++) {
		r[i].series = &s[i];
		r[i].n_series = 1;
	}
	r[0].config = &slow_config;
	r[1].config = &fast_config;
	r[3].is_reading = true;
}

static struct run_column column(struct arena *a, const char *s)
{
	struct run_column c;

	assert_int_equal(run_column_parse(&c, a, s), 0);
	return c;
}

static struct run_cell cell(struct arena *a, const char *s, const struct run_record *r)
{
	struct run_column c = column(a, s);
	struct run_cell out;

	run_cell_of(&out, &c, r);
	return out;
}

/* ---- columns ---------------------------- */

static void columns_are_read_as_they_are_written(void **state)
{
	struct arena a = ARENA_INIT;
	struct run_column c, *list;
	size_t n;

	(void)state;
	c = column(&a, " min  eval_loss as best ");
	assert_int_equal(c.kind, RUN_COLUMN_SERIES);
	assert_int_equal(c.reduce, RUN_MIN);
	assert_string_equal(c.key, "eval_loss");
	assert_string_equal(c.name, "best");
	assert_string_equal(c.text, "min  eval_loss");
	c = column(&a, "eval_loss");
	assert_int_equal(c.reduce, RUN_LAST);
	assert_false(c.has_at);
	c = column(&a, "eval_loss @100");
	assert_true(c.has_at && c.is_exact);
	assert_true(c.at == 100);
	c = column(&a, "min eval_loss@100");	/* with and without a blank */
	assert_true(c.has_at && !c.is_exact && c.at == 100);
	assert_string_equal(c.key, "eval_loss");
	assert_string_equal(c.joined, "eval_loss@100");
	c = column(&a, "step of max eval_loss@100");
	assert_int_equal(c.kind, RUN_COLUMN_STEP_OF);
	assert_true(c.has_at && c.at == 100);
	c = column(&a, "\"eval_loss@100\"");	/* quoted it is a name */
	assert_false(c.has_at);
	assert_string_equal(c.key, "eval_loss@100");
	c = column(&a, "acc@top");
	assert_string_equal(c.key, "acc@top");
	c = column(&a, "run@5");		/* what a run is has no steps */
	assert_string_equal(c.key, "run@5");
	c = column(&a, "max \"train loss, mean\" @2.5 as top");
	assert_true(c.has_at && !c.is_exact);
	assert_string_equal(c.key, "train loss, mean");
	assert_string_equal(c.name, "top");
	c = column(&a, "step of min eval_loss");
	assert_int_equal(c.kind, RUN_COLUMN_STEP_OF);
	assert_int_equal(c.reduce, RUN_MIN);
	c = column(&a, "=optimizer.lr");
	assert_int_equal(c.kind, RUN_COLUMN_CONFIG);
	assert_string_equal(c.key, "optimizer.lr");
	c = column(&a, "duration");
	assert_int_equal(c.kind, RUN_COLUMN_FIELD);
	c = column(&a, "\"duration\"");		/* a series of that name */
	assert_int_equal(c.kind, RUN_COLUMN_SERIES);
	c = column(&a, "last as");		/* a series called so */
	assert_string_equal(c.key, "as");
	assert_int_equal(run_columns_parse(&list, &n, &a, "run, \"a, b\" ,=lr,"), 0);
	assert_int_equal(n, 3);
	assert_string_equal(list[1].key, "a, b");
	arena_release(&a);
}

/* "recall@5" is a series where any run has one that is called so, else recall at step 5. */
static void a_name_with_a_step_in_it(void **state)
{
	const struct run_at at[] = { { "loss@30", { .type = RUN_CELL_NUMBER, .number = 7 } } };
	struct series_summary plain = { .name = "loss", .count = 1, .last = 1 };
	struct series_summary called = { .name = "loss@30", .count = 1, .last = 2 };
	struct run_record r[] = {
		{ .series = &plain, .n_series = 1, .at = at, .n_at = 1 },
		{ .series = &plain, .n_series = 1 },
	};
	struct arena a = ARENA_INIT;
	struct run_column c = column(&a, "loss@30");
	struct run_filter *filter;
	struct run_cell cell;

	(void)state;
	assert_int_equal(run_filter_parse(&filter, "loss@30 < 5", NULL, 0), 0);
	assert_false(run_columns_settle(&c, 1, r, 2));
	run_cell_of(&cell, &c, &r[0]);
	assert_true(cell.type == RUN_CELL_NUMBER && cell.number == 7);
	run_cell_of(&cell, &c, &r[1]);
	assert_int_equal(cell.type, RUN_CELL_ABSENT);
	assert_int_equal(run_filter_test(filter, &r[0]), TRUTH_FALSE);
	r[1].series = &called;
	run_cell_of(&cell, &c, &r[1]);
	assert_true(cell.type == RUN_CELL_NUMBER && cell.number == 2);
	/* The first run logs loss, and no loss@30: it is not filled in with another figure. */
	assert_true(run_columns_settle(&c, 1, r, 2) && run_filter_settle(filter, r, 2));
	run_cell_of(&cell, &c, &r[0]);
	assert_int_equal(cell.type, RUN_CELL_ABSENT);
	run_cell_of(&cell, &c, &r[1]);
	assert_true(cell.type == RUN_CELL_NUMBER && cell.number == 2);
	assert_false(c.has_at);
	assert_int_equal(run_filter_test(filter, &r[0]), TRUTH_UNKNOWN);
	assert_int_equal(run_filter_test(filter, &r[1]), TRUTH_TRUE);
	run_filter_free(filter);
	arena_release(&a);
}

static void what_is_no_column_is_refused(void **state)
{
	static const char *const wrong[] = { "", "min a b", "@5", "a @x", "run @5", "=",
		"step of count a", "step of min", "\"open", "a b", "=lr @5", "a @nan" };
	struct arena a = ARENA_INIT;
	struct run_column c;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
		assert_int_equal(run_column_parse(&c, &a, wrong[i]), ERR_USAGE);
		assert_non_null(strstr(err_text(), "is no column: write [last|"));
		err_clear();
	}
	/* A word alone is a series. */
	assert_int_equal(run_column_parse(&c, &a, "min"), 0);
	assert_string_equal(c.text, "min");
	arena_release(&a);
}

/* Each word takes the figure that it names. */
static void every_figure_has_its_word(void **state)
{
	static const struct series_summary min = { .name = "min", .axis = AXIS_STEP, .count = 1,
		.last = 11 };
	struct series_summary s[2] = { { .name = "loss", .axis = AXIS_STEP, .count = 6,
		.non_finite = 1, .first = 1, .last = 2, .min = 3, .max = 4, .mean = 5,
		.first_x = 8, .last_x = 9, .min_x = 10, .max_x = 12, .min_step = 10,
		.max_step = 12 }, min };
	struct run_record r = { .series = s, .n_series = 2 };
	struct arena a = ARENA_INIT;

	(void)state;
	assert_true(cell(&a, "first loss", &r).number == 1);
	assert_true(cell(&a, "last loss", &r).number == 2);
	assert_true(cell(&a, "loss", &r).number == 2);
	assert_true(cell(&a, "min loss", &r).number == 3);
	assert_true(cell(&a, "max loss", &r).number == 4);
	assert_true(cell(&a, "mean loss", &r).number == 5);
	assert_true(cell(&a, "count loss", &r).number == 6);
	assert_true(cell(&a, "step of min loss", &r).number == 10);
	assert_true(cell(&a, "step of max loss", &r).number == 12);
	assert_true(cell(&a, "min", &r).number == 11);
	arena_release(&a);
}

static void cells_know_what_is_absent(void **state)
{
	struct arena a = ARENA_INIT;
	struct series_summary s[2];
	struct run_record r[4];

	(void)state;
	make_runs(r, s);
	assert_true(cell(&a, "min eval_loss", &r[0]).number == 0.5);
	assert_true(cell(&a, "step of min eval_loss", &r[1]).number == 3);
	assert_true(cell(&a, "count eval_loss", &r[1]).number == 3);
	assert_int_equal(cell(&a, "eval_loss", &r[1]).type, RUN_CELL_NUMBER);
	assert_true(isnan(cell(&a, "eval_loss", &r[1]).number));	/* as it was logged */
	assert_int_equal(cell(&a, "eval_loss", &r[2]).type, RUN_CELL_ABSENT);
	assert_int_equal(cell(&a, "count eval_loss", &r[2]).type, RUN_CELL_ABSENT);
	assert_int_equal(cell(&a, "other", &r[0]).type, RUN_CELL_ABSENT);
	assert_int_equal(cell(&a, "eval_loss", &r[3]).type, RUN_CELL_READING);
	assert_int_equal(cell(&a, "=lr", &r[3]).type, RUN_CELL_READING);
	assert_string_equal(cell(&a, "=lr", &r[0]).text, "1e-3");
	assert_int_equal(cell(&a, "=lr", &r[2]).type, RUN_CELL_ABSENT);
	assert_int_equal(cell(&a, "seed", &r[2]).type, RUN_CELL_ABSENT);
	assert_int_equal(cell(&a, "duration", &r[2]).type, RUN_CELL_ABSENT);
	assert_true(cell(&a, "duration", &r[3]).number == 240);
	arena_release(&a);
}

/* ---- order ---------------------------- */

static void check_order(struct run_record r[4], const char *by, const char *wanted)
{
	struct arena a = ARENA_INIT;
	struct run_sort *sorts;
	size_t n, rows[4] = { 0, 1, 2, 3 };
	char got[5] = "";

	assert_int_equal(run_sorts_parse(&sorts, &n, &a, by, NULL, 0), 0);
	run_table_sort(rows, 4, r, sorts, n);
	for (int i = 0; i < 4; i++)
		got[i] = (char)('a' + rows[i]);
	assert_string_equal(got, wanted);
	arena_release(&a);
}

static void absent_is_last_both_ways(void **state)
{
	struct series_summary s[2];
	struct run_record r[4];

	(void)state;
	make_runs(r, s);
	check_order(r, "min eval_loss", "abcd");
	check_order(r, "-min eval_loss", "bacd");
	check_order(r, "seed", "abcd");			/* 9 before 10 */
	check_order(r, "-seed", "bacd");
	check_order(r, "duration", "abdc");
	check_order(r, "-duration", "dbac");
	check_order(r, "eval_loss", "abcd");		/* NaN behind numbers, before absent */
	check_order(r, "-eval_loss", "abcd");
	check_order(r, "target, -run", "cdba");
}

/* ---- filters ---------------------------- */

/* T, F or U for each of the four runs. */
static void check_filter(struct run_record r[4], const char *text, const char *wanted)
{
	struct arena a = ARENA_INIT;
	struct run_column named = column(&a, "min eval_loss as best");
	struct run_filter *f;
	char got[5] = "";

	if (run_filter_parse(&f, text, &named, 1) < 0)
		fail_msg("%s", err_text());
	for (int i = 0; i < 4; i++)
		got[i] = "FTU"[run_filter_test(f, &r[i])];
	assert_string_equal(got, wanted);
	run_filter_free(f);
	arena_release(&a);
}

static void filters_are_true_false_or_unknown(void **state)
{
	struct series_summary s[2];
	struct run_record r[4];
	struct run_filter *f;

	(void)state;
	make_runs(r, s);
	check_filter(r, "target = tpu", "TTFT");
	check_filter(r, "target = tpu and min eval_loss < 0.6", "TFFU");
	check_filter(r, "min eval_loss<0.6", "TFUU");
	check_filter(r, "not (min eval_loss < 0.6)", "FTUU");
	check_filter(r, "best < 0.6 or target = gpu", "TFTU");
	check_filter(r, "=lr >= 0.01", "FTUU");
	check_filter(r, "step of min eval_loss = 2", "TFUU");
	check_filter(r, "run ~ \"^ps-[ab]$\" and seed = 10", "FTFF");
	check_filter(r, "target !~ \"and [(]or\" and duration > 100", "FTUT");
	check_filter(r, "(\"eval_loss\" = 1) and not target != tpu", "TUFU");
	check_filter(r, "nothing > 1", "UUUU");
	assert_int_equal(run_filter_parse(&f, "min eval_loss", NULL, 0), ERR_USAGE);
	assert_non_null(strstr(err_text(), "filter: a comparison"));
	err_clear();
	assert_int_equal(run_filter_parse(&f, "= 5", NULL, 0), ERR_USAGE);
	err_clear();
	assert_int_equal(run_filter_parse(&f, "a b < 5", NULL, 0), ERR_USAGE);
	err_clear();
	assert_int_equal(run_filter_parse(&f, "loss < 5 or", NULL, 0), ERR_USAGE);
	err_clear();
}

/* As people see them: in cells, orders and filters alike; places and counts are none. */
static void values_are_in_the_unit_of_the_goal(void **state)
{
	static const struct run_scale scales[] = { { "eval_*", 100, "pp" }, { "*", 7, "" } };
	struct arena a = ARENA_INIT;
	struct run_column c = column(&a, "min eval_loss");
	struct series_summary s[2];
	struct run_record r[4];
	struct run_filter *f;
	struct run_cell got;

	(void)state;
	make_runs(r, s);
	s[0].min = 0.3137;
	run_columns_scale(&c, 1, scales, 2);
	assert_string_equal(c.unit, "pp");		/* of the first that fits */
	run_cell_of(&got, &c, &r[0]);
	assert_true(got.number == 31.37);
	c = column(&a, "step of min eval_loss");
	run_columns_scale(&c, 1, scales, 2);
	run_cell_of(&got, &c, &r[0]);
	assert_true(got.number == 2 && !c.unit);
	c = column(&a, "count eval_loss");
	run_columns_scale(&c, 1, scales, 2);
	run_cell_of(&got, &c, &r[0]);
	assert_true(got.number == 3);
	assert_int_equal(run_filter_parse(&f, "min eval_loss = 31.37 and step < 5", NULL, 0), 0);
	r[0].last_step = 4;
	assert_int_equal(run_filter_test(f, &r[0]), TRUTH_FALSE);
	run_filter_scale(f, scales, 2);
	assert_int_equal(run_filter_test(f, &r[0]), TRUTH_TRUE);
	run_filter_free(f);
	arena_release(&a);
}

static void a_cost_that_nobody_knows_is_absent(void **state)
{
	struct arena a = ARENA_INIT;
	struct run_record r = { .duration_s = NAN, .last_step = NAN, .cost_usd = NAN };

	(void)state;
	r.fields[RUN_FIELD_KIND] = "smoke";
	assert_int_equal(cell(&a, "cost", &r).type, RUN_CELL_ABSENT);
	assert_int_equal(cell(&a, "step", &r).type, RUN_CELL_ABSENT);
	assert_string_equal(cell(&a, "kind", &r).text, "smoke");
	r.cost_usd = 0.25;
	assert_true(cell(&a, "cost", &r).number == 0.25);
	arena_release(&a);
}

/* Whatever is typed is understood or refused with a sentence; nothing else happens. */
static void any_text_is_taken_or_refused(void **state)
{
	static const char *const pieces[] = { "min", " ", "loss", "\"", "(", ")", "and", "or",
		"not", "=", "<", ">=", "!~", "~", "@", "5", ",", "as", "step of", "=lr", "-",
		"\"a b\"", "\xff", "worse than", "%", "run", "1e999", "\\" };
	struct series_summary s[2];
	struct run_record r[4];
	uint32_t random = 7;

	(void)state;
	make_runs(r, s);
	for (int i = 0; i < 5000; i++) {
		struct arena a = ARENA_INIT;
		struct buf b = BUF_INIT;
		struct run_column *columns;
		struct run_sort *sorts;
		struct run_filter *f;
		size_t n;

		for (int k = 0; k < 1 + i % 12; k++) {
			random = random * 1664525 + 1013904223;
			buf_addf(&b, "%s%s", pieces[(random >> 16) % ARRAY_LEN(pieces)],
				random >> 31 ? " " : "");
		}
		if (run_columns_parse(&columns, &n, &a, b.s) < 0)
			assert_int_equal(err_code(), ERR_USAGE);
		err_clear();
		if (run_sorts_parse(&sorts, &n, &a, b.s, NULL, 0) < 0)
			assert_int_equal(err_code(), ERR_USAGE);
		err_clear();
		if (run_filter_parse(&f, b.s, NULL, 0) == 0) {
			for (int k = 0; k < 4; k++)
				assert_true(run_filter_test(f, &r[k]) <= TRUTH_UNKNOWN);
			run_filter_free(f);
		} else {
			assert_int_equal(err_code(), ERR_USAGE);
		}
		err_clear();
		buf_release(&b);
		arena_release(&a);
	}
}

/* ---- groups ---------------------------- */

static void groups_say_how_many_they_rest_on(void **state)
{
	struct arena a = ARENA_INIT;
	struct series_summary s[2];
	struct run_record r[4];
	const size_t rows[] = { 3, 2, 1, 0 };
	struct run_column columns[3], key;
	struct run_group *g;
	size_t n;

	(void)state;
	make_runs(r, s);
	key = column(&a, "target");
	columns[0] = column(&a, "min eval_loss");
	columns[1] = column(&a, "seed");
	columns[2] = column(&a, "target");
	run_table_group(&g, &n, &a, rows, 4, r, &key, columns, 3);
	assert_int_equal(n, 2);
	assert_string_equal(g[0].key.text, "gpu");
	assert_int_equal(g[0].n, 1);
	assert_int_equal(g[0].columns[0].n, 0);
	assert_true(isnan(g[0].columns[0].mean) && isnan(g[0].columns[0].sd));
	assert_int_equal(g[1].n, 3);
	assert_int_equal(g[1].columns[0].n, 2);		/* one is still being read */
	assert_true(fabs(g[1].columns[0].mean - 0.6) < 1e-12);
	assert_true(g[1].columns[0].min == 0.5 && g[1].columns[0].max == 0.7);
	assert_true(fabs(g[1].columns[0].sd - sqrt(0.02)) < 1e-12);
	assert_null(g[1].columns[1].text);
	assert_int_equal(g[1].columns[1].n_texts, 2);
	assert_string_equal(g[1].columns[2].text, "tpu");
	key = column(&a, "=lr");
	run_table_group(&g, &n, &a, rows, 4, r, &key, columns, 3);
	assert_int_equal(n, 3);
	assert_string_equal(g[0].key.text, "1e-3");
	assert_int_equal(g[2].key.type, RUN_CELL_READING);	/* not there is last */
	assert_int_equal(g[2].n, 2);
	arena_release(&a);
}

static void settings_that_are_numbers_are_numbers(void **state)
{
	static const char *const values[] = { "3e-5", "1e-4", "adam", "0.0001", "nan" };
	static const size_t in_order[] = { 0, 1, 3, 2, 4 };
	struct setting one[5];
	struct settings config[5];
	struct run_record r[5] = { 0 };
	struct run_sort *sorts;
	struct run_group *g;
	struct run_column key;
	struct arena a = ARENA_INIT;
	size_t rows[5] = { 0, 1, 2, 3, 4 }, n;

	(void)state;
	for (int i = 0; i < 5; i++) {
		one[i] = (struct setting){ arena_strdup(&a, "lr"), arena_strdup(&a, values[i]) };
		config[i] = (struct settings){ &one[i], 1, 1, false };
		r[i].config = &config[i];
	}
	key = column(&a, "=lr");
	assert_int_equal(cell(&a, "=lr", &r[1]).type, RUN_CELL_NUMBER);
	assert_string_equal(cell(&a, "=lr", &r[1]).text, "1e-4");
	assert_int_equal(cell(&a, "=lr", &r[2]).type, RUN_CELL_TEXT);
	assert_int_equal(cell(&a, "=lr", &r[4]).type, RUN_CELL_TEXT);
	assert_int_equal(run_sorts_parse(&sorts, &n, &a, "=lr", &key, 1), 0);
	run_table_sort(rows, 5, r, sorts, n);
	assert_memory_equal(rows, in_order, sizeof in_order);
	run_table_group(&g, &n, &a, rows, 5, r, &key, &key, 1);
	assert_int_equal(n, 4);
	assert_int_equal(g[1].n, 2);
	assert_true(fabs(g[1].columns[0].mean - 1e-4) < 1e-18);
	arena_release(&a);
}

/* ---- summaries ---------------------------- */

static struct series *make_series(struct run_series *all)
{
	static const double values[] = { 3, NAN, 1, 2, 1, INFINITY };
	struct series *s = run_series_get(all, "loss", 4, AXIS_STEP);

	for (int i = 0; i < 6; i++)
		series_append(s, 10 * (i + 1), NAN, values[i]);
	return s;
}

static void a_summary_is_of_current_points(void **state)
{
	struct run_series *all = run_series_new();
	struct series *s = make_series(all);
	struct series_summary sum;
	double v = 0;

	(void)state;
	series_summarise(&sum, s, INFINITY);
	assert_int_equal(sum.count, 6);
	assert_int_equal(sum.non_finite, 2);
	assert_true(sum.first == 3 && isinf(sum.last) && sum.min == 1 && sum.max == 3);
	assert_true(sum.mean == 1.75 && sum.min_x == 30 && sum.max_x == 10 && sum.last_x == 60);
	series_summarise(&sum, s, 25);
	assert_int_equal(sum.count, 2);
	assert_true(isnan(sum.last) && sum.min == 3);
	series_append(s, 40, NAN, 0.5);			/* a restart: 40 to 60 are gone */
	series_summarise(&sum, s, INFINITY);
	assert_int_equal(sum.count, 4);
	assert_true(sum.last == 0.5 && sum.last_x == 40);
	assert_true(series_value_at(&v, s, 40) && v == 0.5);
	assert_false(series_value_at(&v, s, 50));
	assert_false(series_value_at(&v, s, 45));
	run_series_free(all);
}

/* 2^53 and the next one are the same as a double. */
static void a_step_beyond_the_doubles_is_exact(void **state)
{
	const int64_t large = INT64_C(1) << 53;
	struct run_series *all = run_series_new();
	struct series *s = run_series_get(all, "loss", 4, AXIS_STEP);
	struct series_summary sum[2], *back;
	struct run_record records[2] = { { .n_series = 1 }, { .n_series = 1 } };
	struct arena a = ARENA_INIT;
	struct buf b = BUF_INIT;
	struct run_cell cells[2];
	size_t n;

	(void)state;
	series_append(s, large, NAN, 2);
	series_append(s, large + 1, NAN, 1);
	series_append(s, large + 3, NAN, 3);
	series_summarise(&sum[0], s, INFINITY);
	sum[1] = sum[0];
	sum[1].min_step = large;
	series_summaries_write(&b, sum, 2);
	assert_true(series_summaries_read(&back, &n, &a, b.s, b.n));
	for (size_t i = 0; i < 2; i++) {
		records[i].series = &back[i];
		cells[i] = cell(&a, "step of min loss", &records[i]);
	}
	assert_true(cells[0].is_whole && cells[0].whole == large + 1);
	assert_true(run_cell_compare(&cells[1], &cells[0], false) < 0);
	assert_true(run_cell_compare(&cells[0], &cells[1], false) > 0);
	assert_true(cell(&a, "step of first loss", records).whole == large);
	assert_true(cell(&a, "step of max loss", records).whole == large + 3);
	assert_true(cell(&a, "step of last loss", records).whole == large + 3);
	s = run_series_get(all, "f1", 2, AXIS_EPOCH);
	series_append_real(s, 1.5, NAN, 1);
	series_summarise(&sum[0], s, INFINITY);
	records[0].series = sum;
	cells[0] = cell(&a, "step of min f1", records);
	assert_true(!cells[0].is_whole && cells[0].number == 1.5);
	buf_release(&b);
	arena_release(&a);
	run_series_free(all);
}

static void summaries_read_back(void **state)
{
	struct run_series *all = run_series_new();
	struct series_summary sum[2], *back;
	struct arena a = ARENA_INIT;
	struct buf b = BUF_INIT;
	size_t n;

	(void)state;
	series_summarise(&sum[0], make_series(all), INFINITY);
	sum[1] = loss(1, 0.5, 2);
	series_summaries_write(&b, sum, 2);
	assert_true(series_summaries_read(&back, &n, &a, b.s, b.n));
	assert_int_equal(n, 2);
	assert_string_equal(back[1].name, "eval_loss");
	assert_true(isinf(back[0].last) && back[0].mean == 1.75 && back[0].count == 6);
	for (size_t cut = 1; cut < b.n; cut++) {
		bool whole = series_summaries_read(&back, &n, &a, b.s, b.n - cut);

		assert_true(!whole || n == 1);
	}
	buf_release(&b);
	arena_release(&a);
	run_series_free(all);
}

static void what_stands_at_a_step_needs_the_points(void **state)
{
	struct run_series *all = run_series_new();
	struct arena a = ARENA_INIT;
	struct run_column c = column(&a, "loss @30");
	struct run_cell out;

	(void)state;
	make_series(all);
	assert_true(run_columns_need_points(&c, 1));
	run_cell_at(&out, &c, all);
	assert_true(out.type == RUN_CELL_NUMBER && out.number == 1);
	c = column(&a, "loss @35");
	run_cell_at(&out, &c, all);
	assert_int_equal(out.type, RUN_CELL_ABSENT);
	c = column(&a, "max loss @35");
	run_cell_at(&out, &c, all);
	assert_true(out.number == 3);
	c = column(&a, "step of last loss @35");
	run_cell_at(&out, &c, all);
	assert_true(out.number == 30);
	arena_release(&a);
	run_series_free(all);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(columns_are_read_as_they_are_written),
		cmocka_unit_test(a_name_with_a_step_in_it),
		cmocka_unit_test(what_is_no_column_is_refused),
		cmocka_unit_test(every_figure_has_its_word),
		cmocka_unit_test(cells_know_what_is_absent),
		cmocka_unit_test(absent_is_last_both_ways),
		cmocka_unit_test(filters_are_true_false_or_unknown),
		cmocka_unit_test(values_are_in_the_unit_of_the_goal),
		cmocka_unit_test(a_cost_that_nobody_knows_is_absent),
		cmocka_unit_test(any_text_is_taken_or_refused),
		cmocka_unit_test(groups_say_how_many_they_rest_on),
		cmocka_unit_test(settings_that_are_numbers_are_numbers),
		cmocka_unit_test(a_summary_is_of_current_points),
		cmocka_unit_test(a_step_beyond_the_doubles_is_exact),
		cmocka_unit_test(summaries_read_back),
		cmocka_unit_test(what_stands_at_a_step_needs_the_points),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
