/* test_export - a comparison as CSV, JSON, text and SVG, with hostile names. */
#include "config.h"

#include "tests/curve/make_series.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/json.h"
#include "curve/export.h"
#include "curve/export_charts.h"
#include "report/svg.h"

struct fixture {
	struct run_series *r, *a;
	struct comparison c;
	struct comparable comparable;
	struct provenance_report provenance;
	struct arena arena;
	struct run_facts facts, other;
	struct export_comparison e;
};

static int set_up(void **state)
{
	struct fixture *f = xcalloc(1, sizeof *f);
	struct compare_options o = COMPARE_OPTIONS_INIT;
	struct series *r, *a;

	f->r = run_series_new();
	f->a = run_series_new();
	r = make_series(f->r, "eval_acc", POINTS(0, 0.5, 100, 0.6, 200, NAN, 300, 0.8));
	a = make_series(f->a, "eval_acc", POINTS(0, 0.5, 100, 0.55, 200, NAN, 300, 0.7, 400, 1));
	o.tolerance.atol = 0.01;
	o.direction = BETTER_HIGHER;
	assert_int_equal(compare_series(&f->c, r, a, &o), 0);
	f->facts = f->other = (struct run_facts)RUN_FACTS_INIT;
	f->facts.batch = 32;
	f->other.batch = 64;
	comparable_check(&f->comparable, &f->arena,
		&(struct comparable_input){ .reference = &f->facts, .attempt = &f->other });
	provenance_check_pair(&f->provenance, &f->arena, f->r, r, f->a, a);
	f->e = (struct export_comparison){
		.metric = "eval_acc",
		.reference_name = "gpu-l4 \033[31m",
		.attempt_name = "#7 <script>&\"\n",
		.reference = r,
		.attempt = a,
		.comparison = &f->c,
		.provenance = &f->provenance,
	};
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	comparison_release(&f->c);
	run_series_free(f->r);
	run_series_free(f->a);
	arena_release(&f->arena);
	free(f);
	return 0;
}

static void assert_harmless(const struct buf *b)
{
	for (size_t i = 0; i < b->n; i++)
		assert_true((unsigned char)b->s[i] >= 0x20 || b->s[i] == '\n');
}

static void test_csv(void **state)
{
	struct fixture *f = *state;
	struct buf b = BUF_INIT;

	export_csv(&b, &f->e);
	assert_harmless(&b);
	assert_non_null(strstr(b.s,
		"# eval_acc: R = gpu-l4 ^[[31m (reference, not truth), A = #7 <script>&\"^J\n"));
	assert_non_null(strstr(b.s, "# comparable: not checked\n"));
	assert_non_null(strstr(b.s,
		"# verdict: out at 2 of 4 points, also near the end (4 points: too few to say how the curves run) (if the runs are comparable, which was not checked)\n"));
	assert_non_null(strstr(b.s,
		"# alignment: exact step: 4 of 5 matched, left over 0 reference, 1 attempt\n"));
	assert_non_null(strstr(b.s, "# tolerance: |d| <= 0.01\n"));
	assert_non_null(strstr(b.s,
		"\nx,reference,attempt,d,tolerance,inside,reference_segment,attempt_segment\n"));
	assert_non_null(strstr(b.s, "\n200,NaN,NaN,NaN,0.01,1,0,0\n"));
	assert_non_null(strstr(b.s, "\n0,0.5,0.5,0,0.01,1,0,0\n"));
	buf_release(&b);
}

static void test_red_item_stops_the_verdict(void **state)
{
	struct fixture *f = *state;
	struct buf b = BUF_INIT;
	const struct json *doc;

	f->e.comparable = &f->comparable;
	export_text(&b, &f->e, 0);
	assert_harmless(&b);
	assert_non_null(strstr(b.s, "no verdict: batch: 32 (R), 64 (A); make per-device batch"));
	assert_null(strstr(b.s, "verdict: diverges"));
	buf_clear(&b);
	export_json(&b, &f->e, false);
	assert_int_equal(json_parse(&doc, &f->arena, b.s, b.n, JSON_STRICT), 0);
	assert_int_equal(json_get(doc, "verdict")->type, JSON_NULL);
	assert_string_equal(json_str(doc, "obstacle", ""), "batch");
	assert_non_null(strstr(json_str(doc, "verdict_text", ""), "not comparable: batch: "));
	assert_string_equal(json_str(json_get(doc, "comparable"), "overall", ""), "not comparable");
	buf_release(&b);
}

/* What the evidence allows stands behind the verdict, and in an object of its own. */
static void test_assessment(void **state)
{
	struct fixture *f = *state;
	struct assessment_run runs[] = { { "R", "1", f->e.reference }, { "again", "1", f->e.attempt } };
	struct assessment_run attempt = { "A", "1", f->e.attempt };
	struct assessment_input in = { .comparison = &f->c, .reference = f->e.reference,
		.attempt = f->e.attempt, .references = runs, .n_references = 2,
		.attempts = &attempt, .n_attempts = 1, .margin = NAN };
	struct assessment s;
	struct buf b = BUF_INIT;
	const struct json *doc, *object;

	assessment_make(&s, &f->arena, &in);
	f->e.assessment = &s;
	f->e.delta = DELTA_RELATIVE;
	export_text(&b, &f->e, 0);
	assert_harmless(&b);
	/* A repeat of the reference that is as far off as the attempt. */
	assert_non_null(strstr(b.s,
		"which was not checked) (worth nothing: two runs of the reference with seed 1 disagree"));
	assert_non_null(strstr(b.s, "\nconclusion: not distinguishable with this evidence: the reference cannot gate"));
	assert_null(strstr(b.s, "1 seed a side"));
	assert_non_null(strstr(b.s, "d/|R|"));
	buf_clear(&b);
	export_csv(&b, &f->e);
	assert_harmless(&b);
	assert_non_null(strstr(b.s, "# where: "));
	assert_non_null(strstr(b.s,
		"\nx,reference,attempt,d,tolerance,relative,relative_tolerance,inside,"
		"reference_segment,attempt_segment\n"));
	assert_non_null(strstr(b.s, "\n300,0.8,0.7,-0.10000000000000009,0.01,-0.1250000000000001,0.012499999999999999,0,0,0\n"));
	buf_clear(&b);
	export_json(&b, &f->e, false);
	assert_int_equal(json_parse(&doc, &f->arena, b.s, b.n, JSON_STRICT), 0);
	object = json_get(doc, "assessment");
	assert_string_equal(
		json_str(object, "word", ""), "not distinguishable with this evidence");
	assert_true(json_bool(json_get(object, "reference_itself"), "cannot_gate", false));
	assert_int_equal(json_get(doc, "columns")->count, 9);
	assert_int_equal(json_get(doc, "rows")->first->count, 9);
	assessment_release(&s);
	buf_release(&b);
}

static void test_json(void **state)
{
	struct fixture *f = *state;
	struct buf b = BUF_INIT;
	const struct json *doc, *row;

	f->c.alignment.pairs[3].key = INT64_C(9007199254740993);
	export_json(&b, &f->e, true);
	assert_int_equal(json_parse(&doc, &f->arena, b.s, b.n, JSON_STRICT), 0);
	assert_int_equal(json_i64(doc, "schema", 0), 1);
	assert_string_equal(json_str(doc, "verdict", ""), "diverges");
	assert_int_equal(json_i64(doc, "verdict_at", 0), 100);
	assert_string_equal(json_str(doc, "verdict_text", ""),
		"out at 2 of 4 points, also near the end (4 points: too few to say how the curves run)");
	assert_string_equal(json_str(json_get(doc, "alignment"), "mode", ""), "exact");
	assert_int_equal(json_i64(json_get(doc, "result"), "inside", 0), 2);
	assert_string_equal(json_str(json_get(doc, "result"), "worse", ""), "attempt");
	assert_string_equal(json_str(json_get(doc, "result"), "better", ""), "higher");
	assert_false(json_bool(json_get(doc, "result"), "better_assumed", true));
	assert_int_equal(json_get(doc, "rows")->count, 4);
	row = json_get(doc, "rows")->first->next->next;
	assert_string_equal(row->first->next->text, "NaN");
	assert_int_equal(row->first->next->type, JSON_STRING);
	assert_string_equal(row->next->first->text, "9007199254740993");
	buf_release(&b);
}

static void test_text_rows_spread(void **state)
{
	struct fixture *f = *state;
	struct buf b = BUF_INIT;

	export_text(&b, &f->e, 2);
	assert_non_null(strstr(b.s, "2 of 4 rows\n"));
	buf_clear(&b);
	export_text(&b, &f->e, 3);
	assert_non_null(strstr(b.s, "3 of 4 rows\n"));
	/* The first point out is among them. */
	assert_non_null(strstr(b.s,
		"         100           0.6          0.55         -0.05          0.01  OUT\n"));
	/* Both columns in one unit, and why there is none where there is none. */
	buf_clear(&b);
	f->e.delta = DELTA_RELATIVE;
	export_rows(&b, &f->e, 0);
	assert_non_null(strstr(b.s,
		"         300           0.8           0.7        -0.125        0.0125  OUT\n"));
	assert_non_null(strstr(b.s,
		"         200           NaN           NaN             -             -  in\n"));
	assert_non_null(strstr(b.s, "\ntolerance -: R is 0 or no number there\n"));
	buf_clear(&b);
	f->e.delta = DELTA_LOG2;
	export_rows(&b, &f->e, 0);
	assert_non_null(strstr(b.s,
		"         100           0.6          0.55     -0.125531     0.0242475  OUT\n"));
	buf_release(&b);
}

/* Well-formed as far as a small scanner can tell: tags are closed in order. */
static void assert_balanced(const char *s)
{
	char stack[64][16];
	int depth = 0;

	for (; (s = strchr(s, '<')); s++) {
		char name[16] = "";
		const char *end = strchr(s, '>');

		assert_non_null(end);
		if (s[1] == '/') {
			assert_int_equal(sscanf(s + 2, "%15[a-z]", name), 1);
			assert_true(depth > 0);
			assert_string_equal(stack[--depth], name);
		} else if (end[-1] != '/') {
			assert_int_equal(sscanf(s + 1, "%15[a-z]", name), 1);
			assert_true(depth < 64);
			strcpy(stack[depth++], name);
		}
	}
	assert_int_equal(depth, 0);
}

static void test_svg(void **state)
{
	struct fixture *f = *state;
	struct buf b = BUF_INIT;

	f->e.smooth = (struct smooth_options){ SMOOTH_COUNT, 0.6 };
	svg_comparison(&b, &f->e, NULL);
	assert_harmless(&b);
	assert_true(strncmp(b.s, "<svg xmlns=", 11) == 0);
	assert_null(strstr(b.s, "<script"));
	assert_non_null(strstr(b.s, "#7 &lt;script&gt;&amp;&quot;^J"));
	assert_non_null(strstr(b.s, "tolerance: |d| &lt;= 0.01"));
	assert_non_null(strstr(b.s, "alignment: exact step"));
	assert_non_null(strstr(b.s, "<title>first out of tolerance</title>"));
	assert_non_null(strstr(b.s, "<title>NaN</title>"));
	assert_non_null(strstr(b.s, "EMA 0.6 (drawing only)"));
	assert_null(strstr(b.s, "nan"));
	assert_null(strstr(b.s, "\"inf"));
	assert_balanced(b.s);
	buf_release(&b);
}

static size_t count(const char *s, const char *part)
{
	size_t n = 0;

	for (; (s = strstr(s, part)) != NULL; s++)
		n++;
	return n;
}

/* What the screen shows behind the lines: the reference's repeats, and where 95 % of
 * further runs would lie. */
static void test_svg_with_the_seeds(void **state)
{
	struct fixture *f = *state;
	struct assessment_run runs[3] = { { "R", "1", f->e.reference } };
	struct assessment_run attempt = { "A", "1", f->e.attempt };
	struct assessment_input in = { .comparison = &f->c, .reference = f->e.reference,
		.attempt = f->e.attempt, .references = runs, .n_references = 3,
		.attempts = &attempt, .n_attempts = 1, .margin = NAN };
	struct assessment s;
	struct buf b = BUF_INIT;

	runs[1] = (struct assessment_run){ "R", "2",
		make_series(f->r, "two", POINTS(0, 0.52, 100, 0.62, 200, 0.7, 300, 0.81)) };
	runs[2] = (struct assessment_run){ "R", "3",
		make_series(f->r, "three", POINTS(0, 0.49, 100, 0.59, 200, 0.7, 300, 0.78)) };
	svg_comparison(&b, &f->e, NULL);
	assert_int_equal(count(b.s, "stroke-dasharray=\"3 3\""), 0);
	assert_null(strstr(b.s, "least to greatest"));
	buf_clear(&b);
	assessment_make(&s, &f->arena, &in);
	f->e.assessment = &s;
	svg_comparison(&b, &f->e, NULL);
	assert_harmless(&b);
	assert_balanced(b.s);
	assert_int_equal(count(b.s, "stroke-dasharray=\"3 3\""), 2);
	assert_non_null(strstr(b.s, "grey: least to greatest of 3 runs of the reference; dashed: where 95 % of further"));
	assert_null(strstr(b.s, "as logged"));
	buf_clear(&b);
	f->c.options.scale = 100;
	svg_comparison(&b, &f->e, NULL);
	assert_non_null(strstr(b.s, ">d = A - R, as logged<"));
	assessment_release(&s);
	buf_release(&b);
}

static void test_svg_without_overlap(void **state)
{
	struct fixture *f = *state;
	struct series *far = make_series(f->a, "far", POINTS(9000, 1));
	struct compare_options o = COMPARE_OPTIONS_INIT;
	struct buf b = BUF_INIT;

	comparison_release(&f->c);
	assert_int_equal(compare_series(&f->c, f->e.reference, far, &o), 0);
	f->e.attempt = far;
	svg_comparison(&b, &f->e, &(struct svg_size){ .width = 400, .height = 300 });
	assert_balanced(b.s);
	assert_non_null(strstr(b.s, "verdict: no overlap"));
	assert_null(strstr(b.s, "nan"));
	buf_release(&b);
}

/* ---- charts of several runs ---------------------------------------------------------- */

enum { LINES = 3 };

struct charts {
	struct plot_source *lines[LINES];
	struct export_run runs[LINES];
	struct export_chart chart;
	struct export_charts e;
};

/* R and A of the fixture, and a run that was restarted; smoothed. */
static void open_charts(struct charts *c, struct fixture *f, struct smooth_options smooth)
{
	const struct series *series[LINES] = { f->e.reference, f->e.attempt,
		make_series(f->a, "b", POINTS(0, 0.4, 100, 0.5, 50, 0.45, 300, 0.65)) };
	static const char *const names[LINES] = { "gpu-l4 \033[31m", "#7 <script>&\"\n",
		"a \"quoted\" run" };

	for (int i = 0; i < LINES; i++) {
		struct plot_how how = { .smooth = smooth };

		c->lines[i] = plot_source_new();
		assert_int_equal(plot_source_update(c->lines[i], series[i], &how), 0);
		c->runs[i] = (struct export_run){ "RAB"[i], names[i], i ? NULL : "ps-1" };
	}
	c->chart = (struct export_chart){
		.metric = "eval\"acc,<b>", .lines = c->lines, .band = c->lines, .n_band = 2
	};
	c->e = (struct export_charts){ .runs = c->runs,
		.n_runs = LINES,
		.charts = &c->chart,
		.n = 1,
		.smooth = smooth,
		.window = PLOT_VIEW_INIT,
		.whole = true };
}

static void close_charts(struct charts *c)
{
	for (int i = 0; i < LINES; i++)
		plot_source_free(c->lines[i]);
}

static size_t count_lines(const char *s, const char *start)
{
	size_t n = 0;

	for (; s && *s; s = strchr(s, '\n') ? strchr(s, '\n') + 1 : NULL)
		n += strncmp(s, start, strlen(start)) == 0;
	return n;
}

static void test_charts_as_csv(void **state)
{
	struct fixture *f = *state;
	struct buf b = BUF_INIT;
	struct charts c;

	open_charts(&c, f, (struct smooth_options){ SMOOTH_COUNT, 0.6 });
	export_charts_csv(&b, &c.e);
	assert_harmless(&b);
	assert_non_null(strstr(b.s, "# x is the step, every point\n"));
	assert_non_null(strstr(b.s, "# smoothing: EMA 0.6 (of the drawing)\n"));
	assert_non_null(strstr(b.s, "# R = gpu-l4 ^[[31m (run ps-1)\n"));
	assert_non_null(strstr(b.s, "\nseries,letter,x,value,smoothed,segment,time\n"));
	assert_int_equal(count_lines(b.s, "\"eval\"\"acc,<b>\",R,"), 4);
	assert_int_equal(count_lines(b.s, "\"eval\"\"acc,<b>\",A,"), 5);
	assert_int_equal(count_lines(b.s, "\"eval\"\"acc,<b>\",B,"), 3);	/* the current ones */
	assert_non_null(strstr(b.s, "\"eval\"\"acc,<b>\",R,100,0.6,0.5625,1,\n"));
	assert_non_null(strstr(b.s, "\"eval\"\"acc,<b>\",R,200,NaN,,1,\n"));
	assert_non_null(strstr(b.s, "\",B,300,0.65,"));
	assert_non_null(strstr(b.s, ",2,\n"));
	buf_clear(&b);
	c.e.whole = false;
	c.e.window.x0 = 100;
	c.e.window.x1 = 300;
	export_charts_csv(&b, &c.e);
	assert_non_null(strstr(b.s, "# x is the step, from 100 to 300\n"));
	assert_int_equal(count_lines(b.s, "\"eval\"\"acc,<b>\",A,"), 3);
	buf_release(&b);
	close_charts(&c);
}

static void test_charts_as_json(void **state)
{
	struct fixture *f = *state;
	struct buf b = BUF_INIT;
	struct arena a = ARENA_INIT;
	const struct json *line, *j;
	struct charts c;

	open_charts(&c, f, (struct smooth_options){ SMOOTH_NONE, 0 });
	export_charts_json(&b, &c.e);
	assert_harmless(&b);
	assert_int_equal(json_parse(&j, &a, b.s, b.n, 0), 0);
	assert_string_equal(json_str(j, "kind", ""), "charts");
	assert_string_equal(json_str(j, "axis", ""), "step");
	assert_null(strstr(b.s, "smoothed"));
	assert_non_null(strstr(b.s, "\"value\":\"NaN\""));
	line = json_get(j, "charts");
	assert_non_null(line);
	buf_clear(&b);
	export_charts_text(&b, &c.e);
	assert_harmless(&b);
	assert_non_null(strstr(b.s, "  A        5          0.5            1          0.5            1          400\n"));
	buf_release(&b);
	arena_release(&a);
	close_charts(&c);
}

static void test_charts_as_svg(void **state)
{
	struct fixture *f = *state;
	struct buf b = BUF_INIT;
	struct charts c;

	open_charts(&c, f, (struct smooth_options){ SMOOTH_NONE, 0 });
	svg_charts(&b, &c.e);
	assert_harmless(&b);
	assert_balanced(b.s);
	assert_null(strstr(b.s, "<script"));
	assert_null(strstr(b.s, "<b>"));
	assert_null(strstr(b.s, "nan"));
	assert_non_null(strstr(b.s, "eval&quot;acc,&lt;b&gt;"));
	assert_non_null(strstr(b.s, "stroke-dasharray=\"7 2\""));
	assert_non_null(strstr(b.s, "<title>restart</title>"));
	assert_non_null(strstr(b.s, ">B</text>"));		/* at the end of its line */
	buf_clear(&b);
	c.e.n = 0;		/* nothing to draw is a picture too */
	svg_charts(&b, &c.e);
	assert_balanced(b.s);
	buf_release(&b);
	close_charts(&c);
}

/* Every step is told whole where a double holds every second one alone. */
static void test_large_steps(void **state)
{
	struct fixture *f = *state;
	struct series *s = run_series_get(f->a, "far", 3, AXIS_STEP);
	struct plot_source *line = plot_source_new();
	struct plot_how how = { .shift = 2 };
	const struct export_run run = { 'A', "far", NULL };
	const struct export_chart chart = { .metric = "far", .lines = &line };
	/* A spreadsheet would run it. */
	const struct export_chart formula = { .metric = "=far", .lines = &line };
	struct export_charts e = { .runs = &run, .n_runs = 1, .charts = &chart, .n = 1,
		.window = PLOT_VIEW_INIT, .whole = true };
	struct compare_options o = COMPARE_OPTIONS_INIT;
	struct buf b = BUF_INIT;

	for (int i = 0; i < 3; i++)
		series_append(s, INT64_C(9007199254740993) + i, NAN, i);
	assert_int_equal(plot_source_update(line, s, &how), 0);
	export_charts_csv(&b, &e);
	assert_non_null(strstr(b.s, "\n\"far\",A,9007199254740995,0,,1,\n"));
	assert_non_null(strstr(b.s, "\n\"far\",A,9007199254740996,1,,1,\n"));
	assert_non_null(strstr(b.s, "\n\"far\",A,9007199254740997,2,,1,\n"));
	buf_clear(&b);
	e.charts = &formula;
	export_charts_csv(&b, &e);
	assert_non_null(strstr(b.s, "\n\"'=far\",A,9007199254740997,2,,1,\n"));
	e.charts = &chart;
	buf_clear(&b);
	export_charts_json(&b, &e);
	assert_non_null(strstr(b.s, "{\"x\":9007199254740995,\"value\":0,"));
	buf_clear(&b);
	export_charts_text(&b, &e);
	assert_non_null(strstr(b.s, " 9007199254740997\n"));
	plot_source_free(line);
	comparison_release(&f->c);
	assert_int_equal(compare_series(&f->c, s, s, &o), 0);
	buf_clear(&b);
	export_csv(&b, &f->e);
	assert_non_null(strstr(b.s, "\n9007199254740993,0,0,0,0,1,0,0\n9007199254740994,1,"));
	buf_clear(&b);
	export_json(&b, &f->e, false);
	assert_non_null(strstr(b.s, "[9007199254740993,0,0,0,true,0,0,0],[9007199254740994,1,"));
	buf_release(&b);
}

/* Of a comparison what is shown of it: further runs, and only the window. */
static void test_comparison_as_shown(void **state)
{
	struct fixture *f = *state;
	struct buf b = BUF_INIT;
	struct charts c;

	open_charts(&c, f, (struct smooth_options){ SMOOTH_COUNT, 0.6 });
	c.e.whole = false;
	c.e.window.x0 = 150;
	c.e.window.x1 = 250;
	svg_comparison(&b, &f->e, &(struct svg_size){ .shown = &c.e });
	assert_harmless(&b);
	assert_balanced(b.s);
	assert_null(strstr(b.s, "nan"));
	assert_null(strstr(b.s, "\"inf"));
	assert_non_null(strstr(b.s, "B = a &quot;quoted&quot; run"));
	assert_non_null(strstr(b.s, "EMA 0.6 (drawing only)"));
	assert_non_null(strstr(b.s, ">200</text>"));
	assert_null(strstr(b.s, ">400</text>"));
	buf_release(&b);
	close_charts(&c);
}

/* A run that is paired where A is not has its rows all the same. */
static void test_three_runs(void **state)
{
	struct fixture *f = *state;
	struct compare_options o = COMPARE_OPTIONS_INIT;
	struct series *r = make_series(f->r, "third", POINTS(0, 0.5, 100, 0.6, 250, 0.75, 300, 0.8));
	struct series *b = make_series(f->a, "third", POINTS(100, 0.625, 250, 0.5, 300, 0.8));
	struct comparison second;
	struct export_further further[] = {
		{ .letter = 'B', .name = "old <libraries>", .run = "ps-b", .series = b,
			.comparison = &second },
		{ .letter = 'C', .name = "none", .missing = "it has no such series" },
	};
	struct buf out = BUF_INIT;

	o.tolerance.atol = 0.1;
	o.direction = BETTER_HIGHER;
	assert_int_equal(compare_series(&second, r, b, &o), 0);
	f->e.further = further;
	f->e.n_further = 2;
	export_csv(&out, &f->e);
	assert_non_null(strstr(out.s, "\n# B: old <libraries> (run ps-b); inside: 2 of 3 points; "));
	assert_non_null(strstr(out.s, "\n# C: none; not paired with R: it has no such series\n"));
	assert_non_null(strstr(out.s, ",attempt_segment,B,B_d,B_inside,C,C_d,C_inside\n"));
	assert_non_null(strstr(out.s, "\n0,0.5,0.5,0,0.01,1,0,0,,,,,,\n"));
	assert_non_null(strstr(out.s, ",0,0,0.625,0.025000000000000022,1,,,\n"));
	assert_non_null(strstr(out.s, "\n250,0.75,,,,,,,0.5,-0.25,0,,,\n"));
	assert_non_null(strstr(out.s, ",0,0,0.8,0,1,,,\n"));
	buf_clear(&out);
	export_rows(&out, &f->e, 0);
	assert_non_null(strstr(out.s,
		"         250          0.75             -             -             -  -             0.5         -0.25  OUT             -             -  -\n"));
	buf_clear(&out);
	export_json(&out, &f->e, false);
	assert_non_null(strstr(out.s, "\"further\":[{\"letter\":\"B\",\"name\":\"old <libraries>\""));
	assert_non_null(strstr(out.s, "[250,0.75,0.5,-0.25,false,0,0,0.1]"));
	buf_clear(&out);
	svg_comparison(&out, &f->e, NULL);
	assert_harmless(&out);
	assert_balanced(out.s);
	assert_non_null(strstr(out.s, ">B old &lt;libraries&gt;</text>"));
	assert_non_null(strstr(out.s, ">C none</text>"));
	assert_non_null(strstr(out.s, "<title>d of B</title>"));
	assert_null(strstr(out.s, "<title>d of C</title>"));
	assert_non_null(strstr(out.s, ">d = run - R</text>"));
	buf_release(&out);
	comparison_release(&second);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_csv, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_three_runs, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_red_item_stops_the_verdict, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_assessment, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_json, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			test_text_rows_spread, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_svg, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_svg_with_the_seeds, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_svg_without_overlap, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_charts_as_csv, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_charts_as_json, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_charts_as_svg, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_comparison_as_shown, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_large_steps, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
