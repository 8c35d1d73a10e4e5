/*
 * test_compare_samples - pairs of files, read and compared, against figures that
 * another program computed.
 *
 * attempt misses a value, has one too high, one NaN, and drifts from 180 on; the
 * windows are means of one and the same noisy curve at two cadences.
 */
#include "config.h"

#include "tests/curve/make_series.h"

#include <stdlib.h>

#include "base/err.h"
#include "curve/compare.h"
#include "curve/run_files.h"

/* -1: no meaning in this mode, or none. */
static const struct row {
	const char *reference, *attempt;
	enum align_mode mode;
	double k, atol, rtol;
	int matched, unmatched_attempt, unmatched_reference, inside, nonfinite, first_out;
	struct { int first, last, n; } longest_out;
	double bias, mean_abs;
	int max_abs_step;
	double max_abs, final;
	const char *verdict;
} rows[] = {
	{ "ref", "attempt", ALIGN_EXACT, 0, 0.0, 0.02, 30, 1, 1, 18, 1, 50, { 200, 300, 11 }, 0.032931034482758643,
	  0.032931034482758643, 300, 0.13, 0.13, "diverges at 200" },
	{ "ref", "attempt", ALIGN_EXACT, 0, 0.045, 0.0, 30, 1, 1, 20, 1, 50, { 220, 300, 9 }, 0.032931034482758643,
	  0.032931034482758643, 300, 0.13, 0.13, "diverges at 220" },
	{ "ref", "attempt", ALIGN_LINEAR, 0, 0.0, 0.02, 30, 1, -1, 18, 1, 50, { 200, 300, 11 }, 0.032931034482758643,
	  0.032931034482758643, 300, 0.13, 0.13, "diverges at 200" },
	{ "ref", "attempt", ALIGN_EXACT, 0, 0.2, 0.0, 30, 1, 1, 29, 1, 250, { 250, 250, 1 }, 0.032931034482758643,
	  0.032931034482758643, 300, 0.13, 0.13, "excursion" },
	{ "ref", "ref", ALIGN_EXACT, 0, 0.0, 0.0, 31, 0, 0, 31, 0, -1, { 0, 0, 0 }, 0.0,
	  0.0, -1, 0, 0.0, "match" },
	{ "window-10", "window-15", ALIGN_EXACT, 0, 1e-09, 0.0, 10, 10, 20, 0, 0, 30, { 30, 300, 10 }, 0.014941410191923276,
	  0.020170060366963137, 30, 0.11584358692861896, -0.0030163933858997627, "differs from the start" },
	{ "window-10", "window-15", ALIGN_NEAREST, 5, 1e-09, 0.0, 20, 0, -1, 0, 0, 15, { 15, 300, 20 }, -0.005677067429375016,
	  0.032148512072951926, 15, -0.1869050927936864, -0.0030163933858997627, "differs from the start" },
	{ "window-10", "window-15", ALIGN_HOLD, 0, 1e-09, 0.0, 20, 0, -1, 0, 0, 15, { 15, 300, 20 }, -0.005677067429375016,
	  0.032148512072951926, 15, -0.1869050927936864, -0.0030163933858997627, "differs from the start" },
	{ "window-10", "window-15", ALIGN_LINEAR, 0, 1e-09, 0.0, 20, 0, -1, 0, 0, 15, { 15, 300, 20 }, 0.027135644315809265,
	  0.030590360556274183, 15, 0.15576705938178614, -0.0030163933858997627, "differs from the start" },
	{ "window-10", "window-15", ALIGN_WINDOW, 0, 1e-09, 0.0, 10, -1, -1, 10, 0, -1, { 0, 0, 0 }, -4.4408920985006264e-17,
	  1.3322676295501878e-16, -1, 0, 0.0, "match" },
};

static struct run_files *load(struct arena *a, const char *name)
{
	const char *top = getenv("srcdir");
	struct curve_options options = { .ended = true };
	struct run_files *files;

	if (run_files_load(&files,
		    arena_printf(a, "%s/tests/curve/samples/compare/%s.jsonl", top ? top : ".", name),
		    &options) < 0)
		fail_msg("%s", err_text());
	return files;
}

static void check_out(const struct comparison *c, const struct row *row)
{
	assert_int_equal(c->has_first_out, row->first_out >= 0);
	if (row->first_out < 0)
		return;
	assert_int_equal(c->first_out_key, row->first_out);
	assert_int_equal(c->longest_out.first_key, row->longest_out.first);
	assert_int_equal(c->longest_out.last_key, row->longest_out.last);
	assert_int_equal(c->longest_out.n, row->longest_out.n);
}

static void check(const struct comparison *c, const struct row *row)
{
	struct buf b = BUF_INIT;

	assert_int_equal(c->alignment.n, row->matched);
	assert_int_equal(c->alignment.unmatched_attempt, row->unmatched_attempt);
	assert_int_equal(c->alignment.unmatched_reference, row->unmatched_reference);
	assert_int_equal(c->n_inside, row->inside);
	assert_int_equal(c->n_nonfinite_pairs, row->nonfinite);
	check_out(c, row);
	assert_within(c->bias, row->bias, 1e-12);
	assert_within(c->mean_abs, row->mean_abs, 1e-12);
	assert_within(c->final, row->final, 1e-12);
	if (row->max_abs_step >= 0) {
		assert_int_equal(align_pair_at(&c->alignment, c->max_abs).key, row->max_abs_step);
		assert_within(compare_delta(c, c->max_abs, DELTA_PLAIN), row->max_abs, 1e-12);
	}
	/* The word for programs; sentences also tell what it rests on. */
	buf_adds(&b, compare_verdict_name(c->verdict));
	if (c->verdict == COMPARE_DIVERGES)
		buf_addf(&b, " at %lld", (long long)c->longest_out.first_key);
	assert_string_equal(b.s, row->verdict);
	buf_release(&b);
}

static void test_pairs(void **state)
{
	struct arena a = ARENA_INIT;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct run_files *r = load(&a, rows[i].reference), *t = load(&a, rows[i].attempt);
		struct compare_options o = COMPARE_OPTIONS_INIT;
		struct comparison c;

		o.tolerance.atol = rows[i].atol;
		o.tolerance.rtol = rows[i].rtol;
		o.align.mode = rows[i].mode;
		o.align.nearest_max = rows[i].k;
		assert_int_equal(compare_series(&c, run_series_find(r->series, "loss", -1),
					 run_series_find(t->series, "loss", -1), &o),
			0);
		check(&c, &rows[i]);
		comparison_release(&c);
		run_files_free(r);
		run_files_free(t);
	}
	arena_release(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_pairs) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
