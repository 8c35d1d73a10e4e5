/*
 * test_import - files from elsewhere: mixed, hostile, of one name, again.
 */
#include "config.h"

#include "tests/unit.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/err.h"
#include "base/fs.h"
#include "tests/curve/make_wandb.h"
#include "tests/workspace/run_fixture.h"
#include "workspace/comparison.h"
#include "workspace/import.h"
#include "workspace/run_predictions.h"
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

static int try_import(struct imported *out, struct workspace_fixture *f, const char *run,
	const char *const *paths)
{
	struct import_request r = { .subject = "1", .paths = paths, .run = run };

	return import_files(out, fixture_workspace(f), &r, &f->a);
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

/* A session of the W&B run ID whose rows are FIRST to LAST. */
static const char *put_wandb_of(struct workspace_fixture *f, const char *session, const char *id,
	int64_t first, int64_t last)
{
	struct wandb_file file;
	const char *path;
	char step[16];

	wandb_file_begin(&file);
	wandb_file_run(&file, id, first);
	for (int64_t i = first; i <= last; i++) {
		snprintf(step, sizeof step, "%d", (int)i);
		wandb_file_row(&file, (const char *[]){ "loss", step, "_step", step, NULL });
		wandb_file_print(&file, true, "step 1 printed: 2\n");
	}
	path = put_bytes(f, arena_printf(&f->a, "%s/run-%s.wandb", session, id), file.bytes.s,
		file.bytes.n);
	wandb_file_release(&file);
	return fs_dirname(&f->a, path);
}

static const char *put_wandb(
	struct workspace_fixture *f, const char *session, int64_t first, int64_t last)
{
	return put_wandb_of(f, session, "abc", first, last);
}

static void test_wandb(void **state)
{
	struct workspace_fixture *f = *state;
	const char *first = put_wandb(f, "run-20231114_221320-abc", 0, 9),
		   *second = put_wandb(f, "offline-run-20231114_223000-abc", 6, 19);
	const struct series *loss;
	struct run_files *files;
	struct imported i;

	put(f, "run-20231114_221320-abc/files/config.yaml", "a: 1\n");
	put(f, "run-20231114_221320-abc/files/output.log", "step 1 printed: 2\n");
	put(f, "run-20231114_221320-abc/files/wandb-summary.json", "{\"_step\": 9, \"x\": 1}\n");
	put(f, "run-20231114_221320-abc/logs/debug.log", "step 1 own: 2\n");
	assert_int_equal(symlink("run-20231114_221320-abc",
				 arena_printf(&f->a, "%s/latest-run", folder(f))),
		0);
	run_fixture_begin(f);
	i = import(f, "1",
		(const char *const[]){ first, second,
			arena_printf(&f->a, "%s/latest-run", folder(f)), NULL });
	assert_int_equal(i.taken, 3);	/* two sessions, and what was printed */
	assert_non_null(find(&i, "files/config.yaml")->left);
	assert_non_null(find(&i, "files/wandb-summary.json")->left);
	assert_string_equal(find(&i, "logs/debug.log")->left, "a log of W&B itself, no curve");
	files = read_run(f, i.run);
	loss = run_series_find(files->series, "loss", AXIS_STEP);
	assert_non_null(loss);
	assert_int_equal(loss->n, 24);
	assert_int_equal(loss->n_segments, 2);
	assert_int_equal(loss->segments[1].start, 6);
	assert_int_equal(points(files, "own"), 0);
	assert_int_equal(points(files, "x"), 0);
	run_files_free(files);
}

/* Sessions of one run are one, and runs are never joined: the id in the file tells them. */
static void test_several_wandb_runs(void **state)
{
	struct workspace_fixture *f = *state;
	const char *const paths[] = { folder(f), NULL };
	struct imported i;
	struct run_files *files;
	int64_t events;

	run_fixture_begin(f);
	put_wandb_of(f, "wandb/run-20231114_221320-abc", "abc", 0, 9);
	put_wandb_of(f, "wandb/offline-run-20231114_223000-abc", "abc", 6, 19);
	put_wandb_of(f, "wandb/run-20231115_221320-def", "def", 0, 4);
	put(f, "wandb/run-20231114_221320-abc/files/output.log", "step 1 printed: 2\n");
	put(f, "wandb/run-20231115_221320-def/files/output.log", "step 1 other: 2\n");
	put(f, "beside.csv", "step,table\n1,1\n");
	events = fixture_events(f);
	assert_int_equal(try_import(&i, f, NULL, paths), ERR_USAGE);
	assert_string_equal(err_text(),
		"the folder of W&B holds 2 runs; name one with --run of import: "
		"abc 24 points, def 5 points");
	assert_int_equal(try_import(&i, f, "xyz", paths), ERR_NOT_FOUND);
	assert_int_equal(fixture_events(f), events);

	assert_int_equal(try_import(&i, f, "abc", paths), 0);
	assert_int_equal(i.taken, 4);	/* two sessions, what one printed, the table */
	assert_string_equal(find(&i, "wandb/run-20231115_221320-def/run-def.wandb")->left,
		"another run was chosen");
	assert_string_equal(find(&i, "wandb/run-20231115_221320-def/files/output.log")->left,
		"another run was chosen");
	files = read_run(f, i.run);
	assert_int_equal(points(files, "loss"), 24);
	assert_int_equal(points(files, "other"), 0);
	assert_int_equal(points(files, "table"), 1);
	run_files_free(files);

	assert_int_equal(try_import(&i, f, "d", paths), 0);
	files = read_run(f, i.run);
	assert_int_equal(points(files, "loss"), 5);
	run_files_free(files);
}

/* A file is known by what it says, whatever its name; the only run needs no naming. */
static void test_renamed_wandb_runs(void **state)
{
	struct workspace_fixture *f = *state;
	const char *a = fs_join(&f->a, put_wandb_of(f, "a", "abc", 0, 9), "run-abc.wandb"),
		   *b = fs_join(&f->a, put_wandb_of(f, "b", "def", 0, 4), "run-def.wandb"),
		   *same = fs_join(&f->a, fs_dirname(&f->a, b), "run-abc.wandb");
	struct imported i;

	run_fixture_begin(f);
	assert_int_equal(rename(b, same), 0);
	assert_int_equal(
		try_import(&i, f, NULL, (const char *const[]){ a, same, NULL }), ERR_USAGE);
	assert_int_equal(try_import(&i, f, "abc", (const char *const[]){ a, NULL }), 0);
	assert_int_equal(i.taken, 1);
	assert_int_equal(
		try_import(&i, f, "def", (const char *const[]){ a, NULL }), ERR_NOT_FOUND);
	assert_int_equal(try_import(&i, f, NULL, (const char *const[]){ same, NULL }), 0);
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
	/* However the attempt is named. */
	assert_string_equal(import(f, "#1", (const char *const[]){ path, NULL }).run, first.run);
	again = import(f, "attempt/1", (const char *const[]){ path, NULL });
	assert_string_equal(again.run, first.run);
	assert_int_equal(fixture_events(f), events);
	again = import(f, "original", (const char *const[]){ path, NULL });
	assert_string_equal(
		import(f, "reference", (const char *const[]){ path, NULL }).run, again.run);
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

/* ---- what trackers keep ---- */

static const char *sample(struct workspace_fixture *f, const char *name)
{
	const char *srcdir = getenv("srcdir");

	return fs_absolute(&f->a,
		arena_printf(&f->a, "%s/tests/curve/samples/%s", srcdir ? srcdir : ".", name));
}

static void test_several_runs(void **state)
{
	struct workspace_fixture *f = *state;
	const char *const paths[] = { sample(f, "trackio/01-run-id/demo.db"), NULL };
	struct imported one, two, again;
	struct run_files *files;
	int64_t events;

	run_fixture_begin(f);
	events = fixture_events(f);
	assert_int_equal(try_import(&one, f, NULL, paths), ERR_USAGE);
	assert_non_null(strstr(err_text(), "one [id-one] 6 points, two [id-two] 1 point"));
	assert_int_equal(try_import(&one, f, "three", paths), ERR_NOT_FOUND);
	assert_int_equal(fixture_events(f), events);
	assert_int_equal(try_import(&one, f, "one", paths), 0);
	assert_int_equal(find(&one, "demo.db")->health.points, 8);
	assert_int_equal(find(&one, "demo.db")->health.non_finite, 3);
	assert_int_equal(find(&one, "demo.db")->series, 2);
	assert_int_equal(try_import(&two, f, "id-two", paths), 0);
	assert_string_not_equal(one.run, two.run);
	assert_int_equal(try_import(&again, f, "id-one", paths), 0);
	assert_true(again.already);
	/* Whoever reads the run later reads the one that was chosen. */
	files = read_run(f, one.run);
	assert_int_equal(points(files, "loss"), 6);
	assert_string_equal(settings_find(&files->settings, "opt.name"), "adam");
	run_files_free(files);
	files = read_run(f, two.run);
	assert_int_equal(points(files, "loss"), 1);
	run_files_free(files);
}

/* All rows are in the log beside the database; nothing is left beside either. */
static void test_database_with_log(void **state)
{
	struct workspace_fixture *f = *state;
	const char *copy = put(f, "trackio/here", "");
	struct imported i;
	struct run_files *files;
	char **names;
	size_t n;

	run_fixture_begin(f);
	copy = fs_dirname(&f->a, copy);
	assert_int_equal(fs_copy(sample(f, "trackio/03-wal/demo.db"),
		fs_join(&f->a, copy, "demo.db"), 0600), 0);
	assert_int_equal(fs_copy(sample(f, "trackio/03-wal/demo.db-wal"),
		fs_join(&f->a, copy, "demo.db-wal"), 0600), 0);
	i = import(f, "1", (const char *const[]){ copy, NULL });
	assert_int_equal(find(&i, "demo.db")->health.points, 8);
	assert_int_equal(i.taken, 1);
	files = read_run(f, i.run);
	assert_int_equal(points(files, "loss"), 8);
	run_files_free(files);
	/* The database, its log, and the choice. */
	assert_int_equal(fixture_count(f, "evidence.added", NULL), 3);
	assert_int_equal(fs_list(&names, &n, &f->a, copy), 0);
	assert_int_equal(n, 3);
}

/* Of a run that MLflow keeps as a folder, its own files alone are taken as the store. */
static void test_folder_store(void **state)
{
	struct workspace_fixture *f = *state;
	struct imported i;
	struct run_files *files;

	run_fixture_begin(f);
	put(f, "mlruns/0/aa/meta.yaml", "run_id: aa\nrun_name: base\nlifecycle_stage: active\n");
	put(f, "mlruns/0/aa/metrics/val/acc", "1700000000000 0.5 0\n1700000001000 0.75 1\n");
	put(f, "mlruns/0/aa/params/lr", "0.001");
	put(f, "mlruns/0/aa/artifacts/model.bin", "weights");
	put(f, "mlruns/0/aa/artifacts/predictions.csv", "id,correct\n1,1\n2,0\n");
	put(f, "mlruns/0/bb/meta.yaml", "run_id: bb\nlifecycle_stage: deleted\n");
	put(f, "mlruns/0/bb/metrics/loss", "1 1 1\n");
	i = import(f, "1", (const char *const[]){ folder(f), NULL });
	assert_int_equal(find(&i, "mlruns/0/aa")->health.points, 2);
	assert_string_equal(find(&i, "mlruns/0/bb")->left, "another run was chosen");
	assert_non_null(find(&i, "mlruns/0/aa/artifacts/model.bin")->left);
	assert_null(find(&i, "mlruns/0/aa/artifacts/predictions.csv")->left);
	files = read_run(f, i.run);
	assert_int_equal(points(files, "val/acc"), 2);
	assert_string_equal(settings_find(&files->settings, "lr"), "0.001");
	run_files_free(files);
	/* The deleted one, since it is named. */
	assert_int_equal(
		try_import(&i, f, "bb", (const char *const[]){ folder(f), NULL }), 0);
	assert_int_equal(find(&i, "mlruns/0/bb")->health.points, 1);
	files = read_run(f, i.run);
	assert_int_equal(points(files, "loss"), 1);
	run_files_free(files);
}

static int import_said(struct imported *out, struct workspace_fixture *f, const char *seed,
	const char *commit)
{
	struct import_request r = { .subject = "1", .seed = seed, .commit = commit,
		.paths = (const char *const[]){
			put(f, "said.csv", "step,loss\n1,1\n2,2\n"), NULL } };

	return import_files(out, fixture_workspace(f), &r, &f->a);
}

/* One number is one seed, however it is written. */
static void test_seed_is_a_number(void **state)
{
	static const char *const same[] = { "07", " 7", "7 ", "+7", "\t007" };
	struct workspace_fixture *f = *state;
	struct imported first, i;
	int64_t events;

	run_fixture_begin(f);
	assert_int_equal(import_said(&first, f, "7", NULL), 0);
	events = fixture_events(f);
	for (size_t k = 0; k < ARRAY_LEN(same); k++) {
		assert_int_equal(import_said(&i, f, same[k], NULL), 0);
		assert_string_equal(i.run, first.run);
		assert_true(i.already);
	}
	assert_int_equal(fixture_events(f), events);
	assert_int_equal(import_said(&i, f, "8", NULL), 0);
	assert_string_not_equal(i.run, first.run);
	assert_int_equal(import_said(&i, f, "seven", NULL), ERR_USAGE);
	assert_string_equal(err_text(), "the seed \"seven\" is no whole number");
}

static void test_commit_is_resolved(void **state)
{
	struct workspace_fixture *f = *state;
	struct run_state *run;
	struct imported i;
	const char *head;
	int64_t events;

	git_fixture_commit(&f->git, "use xla\n");
	run_fixture_begin(f);
	events = fixture_events(f);
	assert_true(import_said(&i, f, NULL, "zzz") < 0);
	assert_non_null(strstr(err_text(), "--commit: "));
	assert_non_null(strstr(err_text(), "zzz"));
	assert_int_equal(fixture_events(f), events);
	head = git_fixture_read(&f->git, "git rev-parse HEAD");
	assert_int_equal(
		import_said(&i, f, NULL, arena_strndup(&f->a, head, 12)), 0);
	assert_int_equal(state_run(fixture_workspace(f), i.run, NULL, &f->a, &run), 0);
	assert_string_equal(run->commit, head);
}

static void make_socket(const char *path)
{
	struct sockaddr_un at = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	assert_true(fd >= 0);
	if (strlen(path) < sizeof at.sun_path) {
		strcpy(at.sun_path, path);
		assert_int_equal(bind(fd, (const void *)&at, sizeof at), 0);
	}
	close(fd);
}

/* What no reader follows is listed, in a store as beside one. */
static void test_no_plain_files(void **state)
{
	struct workspace_fixture *f = *state;
	const char *loss, *metrics;
	struct imported i;

	run_fixture_begin(f);
	put(f, "mlruns/0/aa/meta.yaml", "run_id: aa\nlifecycle_stage: active\n");
	loss = put(f, "mlruns/0/aa/metrics/loss", "1700000000000 0.5 0\n");
	metrics = fs_dirname(&f->a, loss);
	put(f, "mlruns/0/aa/metrics/bad\tname", "1700000000000 0.5 0\n");
	assert_int_equal(symlink("loss", fs_join(&f->a, metrics, "link")), 0);
	assert_int_equal(symlink("..", fs_join(&f->a, metrics, "folder")), 0);
	assert_int_equal(mkfifo(fs_join(&f->a, metrics, "pipe"), 0600), 0);
	assert_int_equal(mkfifo(fs_join(&f->a, folder(f), "pipe.csv"), 0600), 0);
	make_socket(fs_join(&f->a, folder(f), "s.csv"));
	i = import(f, "1", (const char *const[]){ folder(f), NULL });
	assert_int_equal(find(&i, "mlruns/0/aa")->health.points, 1);
	assert_string_equal(find(&i, "mlruns/0/aa/metrics/link")->left,
		"a link; those in a store are not followed");
	assert_string_equal(find(&i, "mlruns/0/aa/metrics/folder")->left,
		"a link; those in a store are not followed");
	assert_string_equal(find(&i, "mlruns/0/aa/metrics/pipe")->left, "no plain file");
	assert_string_equal(find(&i, "mlruns/0/aa/metrics/bad name")->left,
		"its name has control characters; rename it");
	assert_string_equal(find(&i, "pipe.csv")->left, "no plain file");
	assert_string_equal(find(&i, "s.csv")->left, "no plain file");
	i = import(f, "1",
		(const char *const[]){ fs_join(&f->a, folder(f), "pipe.csv"), NULL });
	assert_non_null(find(&i, "pipe.csv")->left);
	assert_null(i.run);
}

/* One bad file never fails the whole, and each says what is the matter. */
static void test_bad_among_good(void **state)
{
	struct workspace_fixture *f = *state;
	struct imported i;

	run_fixture_begin(f);
	put(f, "good.csv", "step,loss\n1,1\n2,nan\nx,1\n");
	put_bytes(f, "packed.jsonl.gz", "\x1f\x8b\x08\0\0", 5);
	put_bytes(f, "cut.db", "SQLite format 3\0\x10\0\1\1\0\x40\x20\x20", 24);
	put(f, "named.db", "{\"step\": 1, \"loss\": 1}\n");
	put(f, "notes.md", "# text\n");
	put(f, "curve.wandb", "no such file\n");
	i = import(f, "1", (const char *const[]){ folder(f), NULL });
	assert_int_equal(i.taken, 2);
	assert_int_equal(find(&i, "good.csv")->health.points, 2);
	assert_int_equal(find(&i, "good.csv")->health.non_finite, 1);
	assert_int_equal(find(&i, "good.csv")->health.malformed, 1);
	assert_null(find(&i, "good.csv")->said);
	assert_string_equal(
		find(&i, "packed.jsonl.gz")->left, "is packed with gzip; unpack it first");
	assert_non_null(strstr(find(&i, "cut.db")->left, "SQLite"));
	assert_string_equal(find(&i, "named.db")->said,
		"its name says an SQLite database; it holds JSON lines");
	assert_non_null(strstr(find(&i, "notes.md")->left, "not named like a log"));
	assert_string_equal(
		find(&i, "curve.wandb")->left, "expected .wandb, bad magic at offset 0");
	/* --run needs a store. */
	assert_int_equal(try_import(&i, f, "one",
		(const char *const[]){ put(f, "good.csv", "step,l\n1,1\n"), NULL }), ERR_USAGE);
}

static int try_import_for(struct imported *out, struct workspace_fixture *f, const char *subject,
	const char *path)
{
	struct import_request r = { .subject = subject,
		.paths = (const char *const[]){ path, NULL } };

	return import_files(out, fixture_workspace(f), &r, &f->a);
}

static size_t evidence_of_kind(struct workspace_fixture *f, const char *kind)
{
	struct event_query q = { .kind = "evidence.added" };
	struct event **events;
	size_t n, of_kind = 0;

	assert_int_equal(
		log_events(workspace_log(fixture_workspace(f)), &q, &f->a, &events, &n), 0);
	for (size_t i = 0; i < n; i++)
		of_kind += strcmp(json_str(events[i]->data, "kind", ""), kind) == 0;
	return of_kind;
}

static void test_predictions(void **state)
{
	struct workspace_fixture *f = *state;
	struct run_predictions *rows;
	struct imported gpu, tpu, i;
	const char *later;
	char **paths;
	size_t n;

	run_fixture_begin(f);
	gpu = import(f, "reference",
		(const char *const[]){
			put(f, "gpu/dev.csv", "id,pred,label\n1,a,a\n2,a,a\n3,b,a\n"),
			put(f, "gpu/m.csv", "step,loss\n1,1\n"), NULL });
	tpu = import(f, "1",
		(const char *const[]){
			put(f, "tpu/dev.csv", "id,pred,label\n1,a,a\n2,b,a\n4,b,a\n"),
			put(f, "tpu/test.jsonl", "{\"id\": 1, \"correct\": true}\n"), NULL });
	assert_int_equal(evidence_of_kind(f, "predictions"), 3);
	assert_int_equal(evidence_of_kind(f, "curve"), 1);
	assert_int_equal(
		run_predictions_paths(&paths, &n, fixture_workspace(f), tpu.run, &f->a), 0);
	assert_int_equal(n, 2);
	assert_int_equal(run_predictions_compare(&rows, &n, fixture_workspace(f), gpu.run, tpu.run,
		&f->a, NULL), 0);
	assert_int_equal(n, 2);
	assert_string_equal(rows[0].name, "dev.csv");
	assert_null(rows[0].missing);
	assert_int_equal(rows[0].pair.n, 2);
	assert_int_equal(rows[0].pair.b, 1);
	assert_int_equal(rows[0].pair.only_reference, 1);
	assert_string_equal(rows[1].name, "test.jsonl");
	assert_non_null(rows[1].missing);
	/* Made later, and added to the run: predictions alone. */
	later = put(f, "later/test.jsonl", "{\"id\": 1, \"correct\": false}\n");
	i = import(
		f, gpu.run, (const char *const[]){ later, put(f, "x.csv", "step,l\n1,1\n"), NULL });
	assert_true(i.added && !i.already);
	assert_string_equal(i.run, gpu.run);
	assert_non_null(strstr(find(&i, "x.csv")->left, "only predictions"));
	assert_true(import(f, gpu.run, (const char *const[]){ later, NULL }).already);
	assert_int_equal(evidence_of_kind(f, "predictions"), 4);
	assert_int_equal(run_predictions_compare(&rows, &n, fixture_workspace(f), gpu.run, tpu.run,
		&f->a, NULL), 0);
	assert_int_equal(n, 2);
	assert_string_equal(rows[1].name, "test.jsonl");
	assert_int_equal(rows[1].pair.c, 1);
	/* Brought to a run that was there, by a person; the other came with its import. */
	assert_string_equal(
		rows[1].reference_by, workspace_actor(fixture_workspace(f))->text);
	assert_string_equal(rows[1].attempt_by, "");
	assert_false(rows[1].same_bytes);
	i = import(f, gpu.run, (const char *const[]){ put(f, "y.csv", "step,l\n1,1\n"), NULL });
	assert_null(i.run);
	assert_int_equal(try_import_for(&i, f, "ps-none", later), ERR_NOT_FOUND);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_folder, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(test_wandb, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(
			test_several_wandb_runs, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(
			test_renamed_wandb_runs, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(test_same_name, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(
			test_seed_is_a_number, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(
			test_commit_is_resolved, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(
			test_no_plain_files, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(test_again, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(test_nothing, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(test_compared, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(test_several_runs, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(
			test_database_with_log, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(test_folder_store, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(
			test_bad_among_good, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(test_predictions, fixture_setup, fixture_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
