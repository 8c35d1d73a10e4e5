/*
 * test_import - files from elsewhere: mixed, hostile, of one name, again.
 */
#include "config.h"

#include "tests/unit.h"

#include <unistd.h>

#include "base/err.h"
#include "base/fs.h"
#include "tests/workspace/run_fixture.h"
#include "workspace/comparison.h"
#include "workspace/import.h"
#include "workspace/run_results.h"
#include "workspace/state.h"

static const char *folder(struct workspace_fixture *f)
{
	const char *path = arena_printf(&f->a, "%s/elsewhere", f->git.root);

	assert_int_equal(fs_mkdirs(path, 0700), 0);
	return path;
}

static const char *put_bytes(
	struct workspace_fixture *f, const char *name, const char *bytes, size_t n)
{
	const char *path = arena_printf(&f->a, "%s/%s", folder(f), name);

	assert_int_equal(fs_mkdirs(fs_dirname(&f->a, path), 0700), 0);
	assert_int_equal(fs_write_durable(path, bytes, n, 0600), 0);
	return path;
}

static const char *put(struct workspace_fixture *f, const char *name, const char *text)
{
	return put_bytes(f, name, text, strlen(text));
}

static const char *put_picture(struct workspace_fixture *f)
{
	static const char png[] = "\x89PNG\r\n\x1a\n\0\0\0\rIHDR";

	return put_bytes(f, "picture.png", png, sizeof png);
}

static struct imported import(
	struct workspace_fixture *f, const char *subject, const char *const *paths)
{
	struct import_request r = { .subject = subject, .paths = paths, .seed = "1" };
	struct imported i;

	if (import_files(&i, fixture_workspace(f), &r, &f->a) < 0)
		fail_msg("%s", err_text());
	return i;
}

static const struct imported_file *find(const struct imported *i, const char *name)
{
	for (size_t k = 0; k < i->n; k++)
		if (strcmp(i->files[k].name, name) == 0)
			return &i->files[k];
	fail_msg("%s is not listed", name);
	return NULL;
}

static struct run_files *read_run(struct workspace_fixture *f, const char *run)
{
	struct run_files *files;

	if (run_results_open(&files, fixture_workspace(f), run, &f->a) < 0 ||
		run_files_read(files, NULL) < 0)
		fail_msg("%s", err_text());
	return files;
}

static size_t points(const struct run_files *files, const char *name)
{
	const struct series *s = run_series_find(files->series, name, -1);

	return s ? s->n : 0;
}

static void test_folder(void **state)
{
	struct workspace_fixture *f = *state;
	struct run_files *files;
	struct run_state *run;
	struct imported i;

	run_fixture_begin(f);
	put(f, "curves/metrics.csv", "step,eval_accuracy\n10,0.5\n20,0.6\n30,0.7\n");
	put(f, "curves/noext", "{\"step\": 1, \"loss\": 2.0}\n{\"step\": 2, \"loss\": 1.5}\n");
	put(f, "train.log", "{'lr': 1}\n{'grad': 1.0, 'epoch': 1.0, 'step': 5}\n");
	put_picture(f);
	put(f, "portside-facts.json", "{\"batch\": 64}");
	put(f, "\x1b[31mred.csv", "step,red\n1,1\n2,2\n");
	assert_int_equal(symlink("/etc/passwd", arena_printf(&f->a, "%s/link.csv", folder(f))), 0);
	i = import(f, "1", (const char *const[]){ folder(f), NULL });
	assert_non_null(i.run);
	assert_non_null(find(&i, "picture.png")->left);
	assert_string_equal(find(&i, "link.csv")->left, "a link; name its file");
	assert_null(find(&i, "^[[31mred.csv")->left);
	assert_null(find(&i, "portside-facts.json")->left);
	files = read_run(f, i.run);
	/* one of two folders with tables */
	assert_int_equal(points(files, "curves/eval_accuracy"), 3);
	assert_int_equal(points(files, "loss"), 2);	/* found again without its name's end */
	assert_int_equal(points(files, "red"), 2);
	run_files_free(files);
	assert_int_equal(state_run(fixture_workspace(f), i.run, NULL, &f->a, &run), 0);
	assert_int_equal(run->provenance, PROVENANCE_IMPORTED);
	assert_int_equal(run->state, RUN_LOST);
	assert_int_equal(run->l0, CHECK_UNKNOWN);
	assert_true(*run->by);
	assert_string_equal(run->attempt, "1");
	assert_int_equal(fixture_count(f, "evidence.added", NULL), i.taken);
}

static void test_same_name(void **state)
{
	struct workspace_fixture *f = *state;
	const char *a = put(f, "a/metrics.csv", "step,one\n1,1\n2,2\n"),
		   *b = put(f, "b/metrics.csv", "step,two\n1,1\n2,2\n3,3\n");
	struct imported i;
	struct run_files *files;

	run_fixture_begin(f);
	i = import(f, "reference", (const char *const[]){ a, b, NULL });
	files = read_run(f, i.run);
	assert_int_equal(i.taken, 2);
	/* Two folders of one format: names are told apart. */
	assert_int_equal(
		points(files, "one") + points(files, "two") + points(files, "import-2/two"), 5);
	run_files_free(files);
}

static void test_again(void **state)
{
	struct workspace_fixture *f = *state;
	const char *path = put(f, "metrics.csv", "step,loss\n1,1\n2,2\n");
	struct imported first, again;
	int64_t events;

	run_fixture_begin(f);
	first = import(f, "1", (const char *const[]){ path, NULL });
	events = fixture_events(f);
	again = import(f, "1", (const char *const[]){ path, NULL });
	assert_true(again.already);
	assert_string_equal(again.run, first.run);
	assert_int_equal(fixture_events(f), events);
	/* Of another attempt it is another run. */
	assert_string_not_equal(import(f, "2", (const char *const[]){ path, NULL }).run, first.run);
}

static void test_nothing(void **state)
{
	struct workspace_fixture *f = *state;
	const char *path = put_picture(f);
	struct imported i;
	int64_t events;

	run_fixture_begin(f);
	events = fixture_events(f);
	i = import(f, "1", (const char *const[]){ path, NULL });
	assert_null(i.run);
	assert_int_equal(fixture_events(f), events);
	assert_int_equal(import_files(&i, fixture_workspace(f),
				 &(struct import_request){ .subject = "1",
					 .paths = (const char *const[]){ "/nonexistent/x", NULL } },
				 &f->a),
		ERR_NOT_FOUND);
	assert_int_equal(
		import_files(&i, fixture_workspace(f),
			&(struct import_request){ .subject = "99",
				.paths =
					(const char *const[]){
						put(f, "m.csv", "step,l\n1,1\n2,2\n"), NULL } },
			&f->a),
		ERR_NOT_FOUND);
	assert_int_equal(fixture_events(f), events);
}

static void test_compared(void **state)
{
	struct workspace_fixture *f = *state;
	struct run_comparison *c;

	run_fixture_begin(f);
	import(f, "reference",
		(const char *const[]){
			put(f, "r/m.csv", "step,eval_accuracy\n10,0.5\n20,0.6\n"), NULL });
	import(f, "1",
		(const char *const[]){
			put(f, "a/m.csv", "step,eval_accuracy\n10,0.5\n20,0.6\n"), NULL });
	if (run_comparison_make(&c, fixture_workspace(f),
		    &(struct comparison_request){ .attempt_run = "1" }) < 0)
		fail_msg("%s", err_text());
	assert_true(c->has_comparison);
	assert_int_equal(c->comparison.verdict, COMPARE_MATCH);
	assert_true(*c->attempt.brought_by);
	assert_string_equal(c->attempt.brought_by, workspace_actor(fixture_workspace(f))->text);
	run_comparison_free(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_folder, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(test_same_name, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(test_again, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(test_nothing, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(test_compared, fixture_setup, fixture_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
