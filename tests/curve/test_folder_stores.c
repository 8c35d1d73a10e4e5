/*
 * Runs that trackers keep as folders: files that grow, appear and go, names of
 * strangers, and the small texts beside the curves.
 */
#include "config.h"

#include "tests/curve/store_fixture.h"

#include "curve/dvclive.h"
#include "curve/mlflow_files.h"
#include "curve/yaml_flat.h"

#define META "run_id: 0a1b\nrun_name: 'base'\nstatus: 3\nlifecycle_stage: active\n"

static void make_mlflow(const char *folder)
{
	write_file(folder, "meta.yaml", META);
	write_file(folder, "metrics/loss", "1700000000000 2.5 0\n1700000001000 2.25 1\n");
}

/* ---- growth ---- */

static void test_lines_are_added(void **state)
{
	const char *folder = *state;
	struct curve_file *f;

	make_mlflow(folder);
	f = open_store(folder, NULL);
	assert_int_equal(read_store(f), CURVE_CHANGED);
	assert_int_equal(points_of(f, "loss"), 2);
	assert_int_equal(read_store(f), CURVE_SAME);
	curve_file_taken(f);
	append_file(folder, "metrics/loss", "1700000002000 2.0 2\n17000000");
	write_file(folder, "metrics/val/acc", "1700000002000 0.5 2\n");
	assert_int_equal(read_store(f), CURVE_CHANGED);
	assert_int_equal(points_of(f, "loss"), 1);
	assert_int_equal(points_of(f, "val/acc"), 1);
	assert_int_equal(f->sink.health.tail_bytes, 8);
	append_file(folder, "metrics/loss", "03000 1.5 3\n");
	assert_int_equal(read_store(f), CURVE_CHANGED);
	assert_int_equal(points_of(f, "loss"), 2);
	assert_int_equal(f->sink.health.tail_bytes, 0);
	assert_int_equal(f->sink.health.malformed, 0);
	assert_false(f->replaced);
	curve_file_free(f);
}

static void test_files_go(void **state)
{
	const char *folder = *state;
	char *loss = below(folder, "metrics/loss");
	struct curve_file *f;

	make_mlflow(folder);
	write_file(folder, "metrics/acc", "1 0.5 0\n");
	f = open_store(folder, NULL);
	assert_int_equal(read_store(f), CURVE_CHANGED);
	assert_int_equal(unlink(loss), 0);
	assert_int_equal(read_store(f), CURVE_CHANGED);
	assert_true(f->replaced);
	assert_int_equal(points_of(f, "loss"), 0);
	assert_int_equal(points_of(f, "acc"), 1);
	curve_file_taken(f);
	/* Another file of the same name, and one that became shorter. */
	write_file(folder, "metrics/acc", "1 0.25 7\n");
	assert_int_equal(read_store(f), CURVE_CHANGED);
	assert_true(f->replaced);
	assert_int_equal(points_of(f, "acc"), 1);
	assert_int_equal(run_series_find(f->sink.series, "acc", -1)->x[0], 7);
	curve_file_free(f);
	free(loss);
}

/* However the lines were cut into looks, the points are the same. */
static void test_any_split(void **state)
{
	static const char text[] = "1 1.5 0\n2 nan 1\n3 bad\n4 -inf 2\n5 2 1\n";
	const char *folder = *state;

	make_mlflow(folder);
	for (size_t cut = 0; cut < sizeof text; cut++) {
		char first[sizeof text] = "";
		struct curve_file *f;

		memcpy(first, text, cut);
		write_file(folder, "metrics/x", first);
		f = open_store(folder, NULL);
		assert_int_equal(read_store(f), CURVE_CHANGED);
		append_file(folder, "metrics/x", text + cut);
		assert_true(read_store(f) >= 0);
		assert_int_equal(points_of(f, "x"), 4);
		assert_int_equal(run_series_find(f->sink.series, "x", -1)->n_segments, 2);
		assert_int_equal(f->sink.health.malformed, 1);
		curve_file_free(f);
	}
}

static void test_rows_of_dvclive(void **state)
{
	const char *folder = *state;
	const struct series *s;
	struct curve_file *f;

	write_file(folder, "plots/metrics/train/loss.tsv", "step\tloss\n0\t2.5\n");
	write_file(folder, "plots/metrics/notes.txt", "no metric\n");
	write_file(folder, "params.yaml", "lr: 1e-3\nmodel:\n  name: \"tiny\"  # small\n");
	write_file(folder, "metrics.json",
		"{\"train\": {\"loss\": 2.5}, \"best\": 0.75, \"step\": 4}");
	f = open_store(folder, NULL);
	assert_int_equal(read_store(f), CURVE_CHANGED);
	append_file(folder, "plots/metrics/train/loss.tsv",
		"1700000001000\t1\t2.25\n1700000002000\t2\tword\nx\ty\n");
	assert_int_equal(read_store(f), CURVE_CHANGED);
	s = run_series_find(f->sink.series, "train/loss", -1);
	assert_int_equal(s->n, 2);
	assert_true(isnan(series_wall(s, 0)) && series_wall(s, 1) == 1700000001.0);
	assert_int_equal(f->sink.health.non_numeric, 1);
	assert_int_equal(f->sink.health.malformed, 1);
	assert_string_equal(settings_find(&f->sink.settings, "lr"), "1e-3");
	assert_string_equal(settings_find(&f->sink.settings, "model.name"), "tiny");
	assert_string_equal(settings_find(&f->sink.settings, "last.best"), "0.75");
	assert_null(settings_find(&f->sink.settings, "last.train/loss"));
	curve_file_free(f);
}

/* ---- strangers ---- */

static void test_hostile_names(void **state)
{
	const char *folder = *state;
	char *link = below(folder, "metrics/link"), *deep = below(folder, "metrics/folder");
	struct curve_file *f;

	make_mlflow(folder);
	write_file(folder, "metrics/es\x1b[31mc\nnew", "1 1 1\n");
	write_file(folder, "metrics/.hidden", "1 1 1\n");
	write_file(folder, "metrics/bad\xff", "1 1 1\n");
	assert_int_equal(symlink("/etc/passwd", link), 0);
	assert_int_equal(symlink("/", deep), 0);
	f = open_store(folder, NULL);
	assert_int_equal(read_store(f), CURVE_CHANGED);
	assert_int_equal(points_of(f, "es\x1b[31mc\nnew"), 1);
	assert_int_equal(points_of(f, "link"), 0);
	assert_int_equal(points_of(f, ".hidden"), 0);
	assert_int_equal(points_of(f, "bad\xff"), 1);
	assert_int_equal(f->sink.health.points, 4);
	curve_file_free(f);
	free(link), free(deep);
}

static void test_deleted_run(void **state)
{
	const char *folder = *state;
	struct curve_file *f;

	make_mlflow(folder);
	write_file(folder, "meta.yaml", "run_id: 0a1b\nlifecycle_stage: deleted\n");
	f = open_store(folder, NULL);
	assert_int_equal(read_store(f), ERR_STATE);
	assert_non_null(strstr(f->error_text, "deleted in MLflow"));
	curve_file_free(f);
	f = open_store(folder, "0a1b");
	assert_int_equal(read_store(f), CURVE_CHANGED);
	assert_int_equal(points_of(f, "loss"), 2);
	curve_file_free(f);
}

static void test_run_in_words(void **state)
{
	const char *folder = *state;
	struct store_runs runs = STORE_RUNS_INIT;
	struct buf list = BUF_INIT;

	make_mlflow(folder);
	write_file(folder, "metrics/old", "1 0.5\n2 0.25\n");
	assert_int_equal(
		mlflow_files_format.list_runs(&runs, folder, NULL), 0);
	store_runs_add_list(&list, &runs);
	assert_string_equal(list.s, "base [0a1b] 4 points FINISHED");
	assert_string_equal(runs.list[0].path, folder);
	buf_release(&list);
	store_runs_release(&runs);
}

/* Two runs in one folder are never one curve. */
static void test_two_runs(void **state)
{
	struct run_files *run;
	char *one = below(*state, "mlruns/0/one"), *two = below(*state, "mlruns/0/two");

	make_mlflow(one);
	make_mlflow(two);
	append_file(two, "metrics/loss", "1700000002000 2.0 2\n");
	assert_int_equal(run_files_load(&run, *state, NULL), 0);
	assert_int_equal(run_series_find(run->series, "mlruns/0/one/loss", -1)->n, 2);
	assert_int_equal(run_series_find(run->series, "mlruns/0/two/loss", -1)->n, 3);
	assert_null(run_series_find(run->series, "loss", -1));
	assert_int_equal(run->n, 2);
	run_files_free(run);
	free(one), free(two);
}

/* ---- the texts ---- */

static void test_metric_lines(void **state)
{
	static const struct {
		const char *text;
		bool good, has_step;
		int64_t step;
		double wall_s, value;
	} lines[] = {
		{ "1700000000123 2.5 7", true, true, 7, 1700000000.123, 2.5 },
		{ "1700000000123 2.5", true, false, 0, 1700000000.123, 2.5 },
		{ "1 1e-5 9007199254740993 data 3f2a", true, true, INT64_C(9007199254740993), 0.001,
			1e-5 },
		{ "1 -Infinity -3", true, true, -3, 0.001, -INFINITY },
		{ "1  2\t3", true, true, 3, 0.001, 2 },
		{ "0 2.5 7", true, true, 7, NAN, 2.5 },
		{ "-1 2.5 7", true, true, 7, -0.001, 2.5 },
		{ "xyz", false, false, 0, 0, 0 },
		{ "1", false, false, 0, 0, 0 },
		{ "1 2 3.5", false, false, 0, 0, 0 },
		{ "1.5 2 3", false, false, 0, 0, 0 },
		{ "1 0x1F 3", false, false, 0, 0, 0 },
		{ "", false, false, 0, 0, 0 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
		double wall_s, value;
		int64_t step;
		bool has_step;

		if (mlflow_line_read(lines[i].text, strlen(lines[i].text), &wall_s, &value, &step,
			    &has_step) != lines[i].good)
			fail_msg("\"%s\"", lines[i].text);
		if (!lines[i].good)
			continue;
		assert_true(has_step == lines[i].has_step && step == lines[i].step);
		assert_true(isnan(wall_s) == isnan(lines[i].wall_s));
		assert_true(isnan(wall_s) || wall_s == lines[i].wall_s);
		assert_true(value == lines[i].value);
	}
}

static void test_tab_rows(void **state)
{
	int64_t step;
	double wall_s, value;
	bool is_number;

	(void)state;
	assert_true(dvclive_row_read("7\t0.5", 5, &step, &wall_s, &value, &is_number));
	assert_true(step == 7 && isnan(wall_s) && value == 0.5 && is_number);
	assert_true(dvclive_row_read(
		"1700000001500\t8\tnan", 19, &step, &wall_s, &value, &is_number));
	assert_true(step == 8 && wall_s == 1700000001.5 && isnan(value) && is_number);
	assert_true(dvclive_row_read("a\tb\t9\t", 6, &step, &wall_s, &value, &is_number));
	assert_true(step == 9 && !is_number);
	assert_false(dvclive_row_read("0.5", 3, &step, &wall_s, &value, &is_number));
	assert_false(dvclive_row_read("x\t0.5", 5, &step, &wall_s, &value, &is_number));
	assert_false(dvclive_row_read("", 0, &step, &wall_s, &value, &is_number));
}

static void yaml_is(const char *text, const char *name, const char *value)
{
	struct settings s = { 0 };
	const char *found;

	(void)yaml_flat_read(&s, "", text, strlen(text));
	found = settings_find(&s, name);
	if (!value ? found != NULL : !found || strcmp(found, value) != 0)
		fail_msg("%s of \"%s\" is %s", name, text, found ? found : "missing");
	settings_release(&s);
}

static void test_yaml(void **state)
{
	struct settings s = { 0 };

	(void)state;
	yaml_is("lr: 0.001\n", "lr", "0.001");
	yaml_is("lr: 0.001", "lr", "0.001");
	yaml_is("a:\n  b:\n    c: 1\n  d: 2\ne: 3\n", "a.b.c", "1");
	yaml_is("a:\n  b:\n    c: 1\n  d: 2\ne: 3\n", "a.d", "2");
	yaml_is("a:\n  b:\n    c: 1\n  d: 2\ne: 3\n", "e", "3");
	yaml_is("name: 'it is: so'  # why\r\n", "name", "it is: so");
	yaml_is("url: http://a:1/b#c # text\n", "url", "http://a:1/b#c");
	yaml_is("layers:\n- 1\n- two\nnext: 3\n", "layers", "1, two");
	yaml_is("layers:\n  - 1\n  - two\n", "layers", "1, two");
	yaml_is("layers:\n- 1\nnext: 3\n", "next", "3");
	yaml_is("empty: ''\nafter: 1\n", "empty", "");
	yaml_is("text: |\n  a: 1\n  b: 2\nafter: 1\n", "a", NULL);
	yaml_is("text: |\n  a: 1\n  b: 2\nafter: 1\n", "after", "1");
	yaml_is("---\n# comment\n\n\"quoted name\": 1\n", "quoted name", "1");
	yaml_is("a: 1\na: 2\n", "a", "2");
	/* What YAML means by these is not known here, and is not their text. */
	yaml_is("a: &x 1\nb: *x\nc: 2\n", "a", NULL);
	yaml_is("a: &x 1\nb: *x\nc: 2\n", "b", NULL);
	yaml_is("a: !!python/object:os.system\n  b: 1\nc: 2\n", "a.b", NULL);
	yaml_is("a: !!python/object:os.system\n  b: 1\nc: 2\n", "c", "2");
	yaml_is("a:\n- name: x\n  b: 1\n- name: y\nc: 2\n", "a.b", NULL);
	yaml_is("a:\n- name: x\n  b: 1\n- name: y\nc: 2\n", "c", "2");
	yaml_is("a: '&x'\n", "a", "&x");
	assert_int_equal(yaml_flat_read(&s, "p.", "no colon\n: 1\nb: 2\n- 3\n", 22), 3);
	assert_string_equal(settings_find(&s, "p.b"), "2");
	settings_release(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_lines_are_added, store_setup, store_teardown),
		cmocka_unit_test_setup_teardown(test_files_go, store_setup, store_teardown),
		cmocka_unit_test_setup_teardown(test_any_split, store_setup, store_teardown),
		cmocka_unit_test_setup_teardown(test_rows_of_dvclive, store_setup, store_teardown),
		cmocka_unit_test_setup_teardown(test_hostile_names, store_setup, store_teardown),
		cmocka_unit_test_setup_teardown(test_deleted_run, store_setup, store_teardown),
		cmocka_unit_test_setup_teardown(test_run_in_words, store_setup, store_teardown),
		cmocka_unit_test_setup_teardown(test_two_runs, store_setup, store_teardown),
		cmocka_unit_test(test_metric_lines),
		cmocka_unit_test(test_tab_rows),
		cmocka_unit_test(test_yaml),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
