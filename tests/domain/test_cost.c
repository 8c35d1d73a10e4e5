/* test_cost - the vectors of framework section 11 and the study's Table I. */
#include "config.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/fs.h"
#include "domain/cost.h"
#include "domain/object.h"
#include "domain/study.h"

#define NS_PER_MIN INT64_C(60000000000)

static const struct price gpu = { 853600000, false, true }, tpu = { 1200000000, true, true };

static void runs_cost_what_the_framework_says(void **state)
{
	(void)state;
	assert_int_equal(
		price_cost_nano_usd(&gpu, 359 * NS_PER_MIN / 10, 1), 510737333); /* MELoRA 0.5107 */
	assert_int_equal(price_cost_nano_usd(&tpu, 12 * NS_PER_MIN, 1), 240000000);
	assert_int_equal(
		price_cost_nano_usd(&gpu, 2295 * NS_PER_MIN / 10, 1), 3265020000); /* ZO-Bench */
	assert_int_equal(price_cost_nano_usd(&tpu, 3387 * NS_PER_MIN / 10, 1), 6774000000);
	assert_int_equal(cost_going_on(&tpu, 81 * NS_PER_MIN, 1), 1620000000);
	assert_int_equal(cost_going_on(&tpu, 60 * NS_PER_MIN, 4), 4800000000);
	assert_int_equal(
		cost_going_on(&(struct price){ 0, false, false }, NS_PER_MIN, 1), COST_UNKNOWN);
	assert_int_equal(cost_human_nano_usd(3, 60 * NANO_USD), 3 * NANO_USD);
}

static void sums_say_what_they_lack(void **state)
{
	static const struct {
		int64_t nano_usd, without, total;
		const char *text;
	} sums[] = {
		{ 9100000, 2, 3, "$0.0091+?" },
		{ 310000000, 0, 2, "$0.31" },
		{ 0, 2, 2, "?" },
		{ 0, 0, 0, "$0.00" },
	};
	static const struct {
		int64_t minutes, without, total;
		const char *text;
	} minutes[] = {
		{ 6, 0, 2, "6 min" },
		{ 6, 1, 3, "6 min + 1 unknown" },
		{ 0, 1, 1, "unknown" },
		{ 0, 1, 2, "unknown" },
		{ 0, 0, 1, "0 min" },
		{ 0, 0, 0, "none on record" },
	};
	struct buf b = BUF_INIT;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(sums); i++, buf_clear(&b)) {
		cost_add_sum(&b, sums[i].nano_usd, sums[i].without, sums[i].total);
		assert_string_equal(b.s, sums[i].text);
	}
	for (size_t i = 0; i < ARRAY_LEN(minutes); i++, buf_clear(&b)) {
		cost_add_minutes(&b, minutes[i].minutes, minutes[i].without, minutes[i].total);
		assert_string_equal(b.s, minutes[i].text);
	}
	buf_release(&b);
}

static void tokens_cost_what_the_framework_says(void **state)
{
	const struct token_counts t = { { 12000, 150000, 0, 3000000, 60000 } };
	const struct token_price p = {
		{ 5 * NANO_USD, 6250000000, 10 * NANO_USD, 500000000, 25 * NANO_USD }, 0
	};
	const struct token_price bands[] = {
		{ { 500000000, 625000000, NANO_USD, 50000000, 2500000000 }, 0 },
		{ { 100000000, 125000000, 200000000, 10000000, 500000000 }, 100000 },
	};
	const struct token_counts request = { { 40000, 0, 0, 70000, 2000 } },
				  small = { { 40000, 0, 0, 60000, 2000 } };

	(void)state;
	assert_int_equal(token_cost_nano_usd(&t, &p), 3997500000);
	assert_int_equal(token_prompt(&request), 110000);
	assert_ptr_equal(token_price_pick(bands, 2, &request), &bands[0]);
	assert_ptr_equal(token_price_pick(bands, 2, &small), &bands[1]);
	assert_int_equal(token_cost_nano_usd(&request, &bands[0]), 28500000);
	assert_int_equal(token_cost_nano_usd(&request, &bands[1]), 5700000);
}

static void payback_is_rounded_up(void **state)
{
	struct payback p = cost_payback(6890000000, 510000000, 240000000, 13, true);

	(void)state;
	assert_int_equal(p.kind, BREAK_EVEN_AT);
	assert_int_equal(p.runs, 26);
	assert_true(fabs(p.months - 2) < 1e-12);
	p = cost_payback(5440000000, 190000000, 170000000, 0, false);
	assert_int_equal(p.runs, 272);
	assert_true(p.not_equivalent);
	assert_true(isnan(p.months));
	assert_int_equal(
		cost_payback(NANO_USD, 3270000000, 6770000000, 1, true).kind, BREAK_EVEN_NEVER);
	assert_int_equal(
		cost_payback(NANO_USD, 790000000, 1620000000, 1, true).kind, BREAK_EVEN_NEVER);
	assert_int_equal(cost_payback(COST_UNKNOWN, 2, 1, 1, true).kind, BREAK_EVEN_UNKNOWN);
}

static void printed_costs_overlap(void **state)
{
	static const struct { double minutes, price, cost;
	} pairs[] = {
		{ 35.9, 0.8536, 0.51 },
		{ 12.0, 1.20, 0.24 },
		{ 13.6, 0.8536, 0.19 },
		{ 8.5, 1.20, 0.17 },
		{ 229.5, 0.8536, 3.27 },
		{ 338.7, 1.20, 6.77 },
		{ 17.5, 0.8536, 0.25 },
		{ 55.8, 0.8536, 0.79 },
		{ 80.9, 1.20, 1.62 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(pairs); i++)
		assert_true(cost_interval_overlaps(
			pairs[i].minutes / 60, 0.05 / 60, pairs[i].price, pairs[i].cost, 0.005));
	assert_true(cost_interval_overlaps(3.68, 0.005, 0.8536, 3.14, 0.005));
	assert_true(cost_interval_overlaps(1.98, 0.005, 1.20, 2.37, 0.005));
	assert_false(cost_interval_overlaps(1.98, 0.005, 1.20, 2.47, 0.005));
}

static void read_table(struct buf *text, struct study *s, struct arena *a)
{
	const char *root = getenv("srcdir");
	const char *path = fs_join(a, root ? root : ".", "data/study/table1.csv");

	assert_int_equal(fs_read(text, path, 0), 0);
	assert_int_equal(study_parse(s, a, text->s, text->n), 0);
}

static void table_one_round_trips(void **state)
{
	struct arena a = ARENA_INIT;
	struct buf in = BUF_INIT, out = BUF_INIT;
	struct study s;

	(void)state;
	read_table(&in, &s, &a);
	study_add_header(&out);
	for (size_t i = 0; i < s.n; i++)
		study_add_row(&out, &s.rows[i]);
	assert_int_equal(s.n, 5);
	assert_string_equal(out.s, in.s);
	assert_string_equal(study_footnote(&a, &s.rows[1], "cost"), "asterisk");
	assert_string_equal(study_footnote(&a, &s.rows[0], "level_measured"), "double-dagger");
	assert_string_equal(study_footnote(&a, &s.rows[0], "cost"), "");
	assert_true(isnan(study_number(&s.rows[3], STUDY_TPU)));
	buf_release(&in);
	buf_release(&out);
	arena_release(&a);
}

static void totals_are_recomputed(void **state)
{
	struct arena a = ARENA_INIT;
	struct buf in = BUF_INIT;
	struct study s;
	struct study_totals t;

	(void)state;
	read_table(&in, &s, &a);
	t = study_totals(&s);
	assert_int_equal(t.attempts, 41);
	assert_int_equal(t.fail_fast, 5);
	assert_int_equal(t.interventions, 9);
	assert_int_equal(t.silent, 16);
	assert_int_equal(t.claimed_equal, 3);
	assert_int_equal(t.claimed_lower, 1);
	assert_int_equal(t.claimed_higher, 0);
	assert_int_equal(t.claimed_none, 1);
	assert_int_equal(t.at_level[0], 1);
	assert_int_equal(t.at_level[3], 2);
	assert_true(fabs(t.agent_usd - 64.04) < 1e-9);
	assert_true(fabs(t.agent_usd_median - 12.20) < 1e-9);
	assert_true(fabs(t.interventions_mean - 1.8) < 1e-9);
	assert_true(fabs(t.time_ratio_low - 12.0 / 35.9) < 1e-9);
	assert_true(fabs(t.cost_ratio_high - 6.77 / 3.27) < 1e-9);
	buf_release(&in);
	arena_release(&a);
}

static void bad_tables_are_refused(void **state)
{
	static const char *const texts[] = { "", "n,project\n", "\"n" };
	struct arena a = ARENA_INIT;
	struct study s;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(texts); i++)
		assert_true(study_parse(&s, &a, texts[i], strlen(texts[i])) < 0);
	arena_release(&a);
}

static void a_migration_is_a_row(void **state)
{
	struct arena a = ARENA_INIT;
	struct migration_state *m;
	struct study_row row;
	void *p;

	(void)state;
	assert_int_equal(object_decode(&p, &a, "migration", NULL, 0), 0);
	m = p;
	m->name = "a, \"b\"";
	m->counts.attempts = 8;
	m->counts.sessions = 1;
	m->counts.session_cost_nano_usd = 12200000000;
	study_row_from_migration(&row, &a, m, 6);
	assert_string_equal(row.cells[STUDY_ATTEMPTS], "8");
	assert_string_equal(row.cells[STUDY_AGENT_USD], "12.20");
	assert_string_equal(row.cells[STUDY_TPU], "");
	assert_string_equal(row.cells[STUDY_LEVEL_MEASURED], "");
	arena_release(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(runs_cost_what_the_framework_says),
		cmocka_unit_test(tokens_cost_what_the_framework_says),
		cmocka_unit_test(payback_is_rounded_up),
		cmocka_unit_test(printed_costs_overlap),
		cmocka_unit_test(table_one_round_trips),
		cmocka_unit_test(sums_say_what_they_lack),
		cmocka_unit_test(totals_are_recomputed),
		cmocka_unit_test(bad_tables_are_refused),
		cmocka_unit_test(a_migration_is_a_row),
	};

	return cmocka_run_group_tests_name("cost", tests, NULL, NULL);
}
