/*
 * test_study - the study's table goes out as it came in, totals are recomputed
 * from its rows, and a migration is a row whose unknown cells stay empty.
 */
#include "config.h"

#include "tests/unit.h"

#include "base/err.h"
#include "base/fs.h"
#include "command/operation.h"
#include "command/recent.h"
#include "command/study.h"
#include "tests/workspace/run_fixture.h"

static struct study_lines read_lines(
	struct arena *a, const char *const *directories, size_t n, bool with_study)
{
	struct study_request q = { .directories = directories, .n = n, .with_study = with_study };
	struct study_lines s;

	if (study_lines_read(&s, &q, a) < 0)
		fail_msg("%s", err_text());
	return s;
}

static void test_byte_for_byte(void **state)
{
	static const char *const words[] = { "--paper" };
	struct workspace_fixture *f = *state;
	const struct operation *o = operation_find("study");
	struct call c = { .arena = &f->a };
	struct buf csv = BUF_INIT, file = BUF_INIT;

	assert_int_equal(operation_parse(&c.values, &c.n_values, &f->a, o, words, 1), 0);
	if (operation_call(o, &c) < 0)
		fail_msg("%s", err_text());
	report_table_csv(c.table, &csv);
	assert_int_equal(fs_read(&file, fs_data_path(&f->a, "study/table1.csv"), 0), 0);
	assert_string_equal(csv.s, file.s);
	buf_release(&csv);
	buf_release(&file);
}

static void test_totals(void **state)
{
	struct workspace_fixture *f = *state;
	struct study_lines s = read_lines(&f->a, NULL, 0, true);
	struct buf b = BUF_INIT;

	assert_int_equal(s.n, 5);
	assert_int_equal(s.n_study, 5);
	assert_int_equal(s.totals.attempts, 41);
	assert_int_equal(s.totals.fail_fast, 5);
	assert_int_equal(s.totals.interventions, 9);
	assert_int_equal(s.totals.silent, 16);
	assert_int_equal(s.at_goal, 3);
	/* MELoRA and UniPELT: their GPU runs are below the paper */
	assert_int_equal(s.inherited, 2);
	assert_near(s.totals.agent_usd, 6.89 + 5.44 + 22.55 + 12.20 + 16.96, 1e-12);
	assert_near(s.totals.agent_usd_median, 12.20, 1e-12);
	assert_near(s.totals.time_ratio_low, 12.0 / 35.9, 1e-12);
	assert_near(s.totals.cost_ratio_high, 6.77 / 3.27, 1e-12);
	study_add_totals(&b, &s);
	assert_non_null(strstr(b.s, "L3 or above: 3 (1 + 2 inherited)"));
	assert_non_null(strstr(b.s, "claimed against measured: 3 equal, 1 lower, 0 higher; 1 claimed nothing"));
	assert_string_equal(study_mark(&s.lines[0].row, STUDY_LEVEL_MEASURED, true, &f->a), "++");
	assert_string_equal(study_mark(&s.lines[1].row, STUDY_TIME_TPU_MIN, true, &f->a), "*");
	assert_string_equal(study_mark(&s.lines[1].row, STUDY_GPU, true, &f->a), "");
	buf_release(&b);
}

/* What nobody recorded or labelled is no 0. */
static void test_totals_without_records_are_unknown(void **state)
{
	struct workspace_fixture *f = *state;
	const char *const directory[] = { f->git.repo };
	struct study_lines s;
	struct buf b = BUF_INIT;

	fixture_record(f, "human:ana", "attempt.added", "1", "n", "1", "line", "", "text",
		"by hand", NULL);
	fixture_close(f);
	s = read_lines(&f->a, directory, 1, false);
	assert_int_equal(s.n, 1);
	assert_string_equal(s.lines[0].row.cells[STUDY_HUMAN], "");
	assert_string_equal(s.lines[0].row.cells[STUDY_SILENT], "");
	study_add_totals(&b, &s);
	assert_non_null(strstr(
		b.s, "1 project, 1 attempt, 0 stops, unknown interventions, unknown silent\n"));
	buf_clear(&b);
	fixture_record(f, "human:ana", "intervention.recorded", "hint-1", "kind", "hint", "minutes",
		"5", "text", "x", NULL);
	fixture_record(f, "human:ana", "attempt.labelled", "1", "outcome", "failure", "cause", "C3",
		"silent", "no", NULL);
	fixture_close(f);
	s = read_lines(&f->a, directory, 1, false);
	study_add_totals(&b, &s);
	assert_non_null(strstr(b.s, "1 intervention (1.0 each), 0 silent\n"));
	buf_release(&b);
}

static void test_a_migration_is_a_row(void **state)
{
	struct workspace_fixture *f = *state;
	const char *const both[] = { f->git.repo, "/nonexistent/migration" };
	struct study_lines s;

	fixture_record(f, "tool:portside", "attempt.observed", "1", "n", "1", "tip", "aa", NULL);
	fixture_record(f, "tool:portside", "alarm.raised", "k1", "rule", "R1", "rule_version",
		"00000000000000000000000000000000000000000000000000000000000000aa", "trigger",
		"00000000000000000000000000000000000000000000000000000000000000bb", "class",
		"budget", "action", "stop", NULL);
	fixture_close(f);
	s = read_lines(&f->a, both, 2, false);
	assert_int_equal(s.n, 2);
	assert_string_equal(s.lines[0].error, "");
	/* no name is configured */
	assert_string_equal(s.lines[0].row.cells[STUDY_PROJECT], fs_basename(f->git.repo));
	assert_string_equal(s.lines[0].row.cells[STUDY_ATTEMPTS], "1");
	assert_string_equal(s.lines[0].row.cells[STUDY_FF], "1");
	/* Nobody measured, claimed, or paid: empty, never 0 or none. */
	assert_string_equal(s.lines[0].row.cells[STUDY_LEVEL_MEASURED], "");
	assert_string_equal(s.lines[0].row.cells[STUDY_LEVEL_CLAIMED], "");
	assert_string_equal(s.lines[0].row.cells[STUDY_TPU], "");
	assert_string_equal(s.lines[0].row.cells[STUDY_AGENT_USD], "");
	assert_int_equal(s.lines[0].n_needs, 1);
	assert_int_equal(s.lines[0].needs[0].kind, NEED_ALARM);
	/* One that is gone does not hide the others. */
	assert_true(*s.lines[1].error != '\0');
	assert_int_equal(s.totals.projects, 1);
}

static struct report_table *study_of(
	struct workspace_fixture *f, const char *const *words, size_t n)
{
	const struct operation *o = operation_find("study");
	struct call c = { .arena = &f->a };

	assert_int_equal(operation_parse(&c.values, &c.n_values, &f->a, o, words, n), 0);
	if (operation_call(o, &c) < 0)
		fail_msg("%s", err_text());
	return c.table;
}

static void full_run(struct workspace_fixture *f, const char *run, const char *attempt,
	const char *target, double accuracy, const char *batch)
{
	run_fixture_add(f,
		&(struct fixture_run){ .id = run,
			.attempt = attempt,
			.kind = "full",
			.target = target,
			.seed = "1",
			.state = "exited 0",
			.elapsed_ns = "720000000000",
			.chips = "1" });
	run_fixture_file(
		f, run, "a.jsonl", run_fixture_rows(f, "eval_accuracy", 5, 10, accuracy, 0, 0));
	run_fixture_file(f, run, "portside-facts.json",
		arena_printf(&f->a, "{\"batch\": %s, \"steps\": 50, \"examples\": 408}", batch));
}

/* MELoRA's figures: 365 and 362 of 408, one example is 0.245 pp. */
static void test_the_export_adds_columns(void **state)
{
	static const char *const names[] = { "inherited", "configuration", "gap_examples",
		"resolution", "workload_equivalent" };
	struct workspace_fixture *f = *state;
	const char *words[] = { f->git.repo };
	struct study_lines s;
	struct buf csv = BUF_INIT;
	const char *row, *tail;

	run_fixture_begin(f);
	full_run(f, "ps-aaaaaaaaaaaaa", "reference", "gpu", 0.8946, "32");
	full_run(f, "ps-bbbbbbbbbbbbb", "1", "tpu-4", 0.8873, "32");
	s = read_lines(&f->a, words, 1, false);
	assert_string_equal(s.lines[0].error, "");
	assert_string_equal(s.lines[0].extra.gap_examples, "3");
	assert_string_equal(s.lines[0].extra.resolution, "0.245");
	assert_string_equal(s.lines[0].extra.workload_equivalent, "yes");
	assert_string_equal(s.lines[0].extra.configuration, "tpu-4");
	assert_string_equal(s.lines[0].extra.inherited, "");	/* below L3 nothing is inherited */
	assert_string_equal(s.lines[0].row.cells[STUDY_GPU], "89.46");
	assert_string_equal(s.lines[0].row.cells[STUDY_TPU], "88.73");
	assert_string_equal(s.lines[0].row.cells[STUDY_TIME_TPU_MIN], "12.0");
	/* The study's rows know only whether L3 was inherited. */
	report_table_csv(study_of(f, words, 1), &csv);
	tail = strstr(csv.s,
		",footnotes,inherited,configuration,gap_examples,resolution,workload_equivalent\n");
	assert_non_null(tail);
	assert_non_null(strstr(csv.s, "level_measured=double-dagger,yes,,,,\n"));
	assert_non_null(strstr(csv.s, "\n3,ZO-Bench,"));
	assert_non_null(strstr(csv.s, "6.77,,no,,,,\n"));
	row = strstr(csv.s, "\n6,case-B,");
	assert_non_null(row);
	assert_non_null(strstr(row, ",tpu-4,3,0.245,yes\n"));
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		assert_non_null(strstr(csv.s, names[i]));
	buf_release(&csv);
	/* Another batch is other work. */
	full_run(f, "ps-ccccccccccccc", "1", "tpu-4", 0.8873, "128");
	s = read_lines(&f->a, words, 1, false);
	assert_string_equal(s.lines[0].extra.workload_equivalent, "no");
}

static void test_recent(void **state)
{
	struct workspace_fixture *f = *state;
	const char **list;
	size_t n;

	setenv("XDG_STATE_HOME", f->git.root, 1);
	assert_int_equal(recent_list(&list, &n, &f->a), 0);
	assert_int_equal(n, 0);
	assert_int_equal(recent_remember("/tmp"), 0);
	assert_int_equal(recent_remember(f->git.repo), 0);
	assert_int_equal(recent_remember("/nonexistent/migration"), 0);
	assert_int_equal(recent_remember(f->git.repo), 0);
	assert_int_equal(recent_list(&list, &n, &f->a), 0);
	assert_int_equal(n, 2);			/* what is gone is left out */
	assert_string_equal(list[0], f->git.repo);
	assert_string_equal(list[1], "/tmp");
	unsetenv("XDG_STATE_HOME");
}

#define TEST(name) cmocka_unit_test_setup_teardown(test_ ## name, fixture_setup, fixture_teardown)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(byte_for_byte), TEST(totals), TEST(totals_without_records_are_unknown),
		TEST(a_migration_is_a_row), TEST(the_export_adds_columns), TEST(recent),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
