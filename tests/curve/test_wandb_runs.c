/*
 * .wandb files as files of a run: its sessions, what was printed, what lies beside them.
 */
#include "config.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "read_wandb.h"

#include "base/err.h"
#include "curve/run_files.h"
#include "curve/wandb_folder.h"

static char *make_folder(void)
{
	char *folder = xstrdup("/tmp/portside-wandb-XXXXXX");

	assert_non_null(mkdtemp(folder));
	return folder;
}

static void put_file(const char *folder, const char *name, const struct buf *bytes)
{
	struct arena a = ARENA_INIT;
	char *path = fs_join(&a, folder, name);
	FILE *f;

	assert_int_equal(fs_mkdirs(fs_dirname(&a, path), 0700), 0);
	f = fopen(path, "wb");
	assert_non_null(f);
	assert_int_equal(fwrite(bytes->s, 1, bytes->n, f), bytes->n);
	assert_int_equal(fclose(f), 0);
	arena_release(&a);
}

static void put_words(const char *folder, const char *name, const char *text)
{
	struct buf bytes = BUF_INIT;

	buf_adds(&bytes, text);
	put_file(folder, name, &bytes);
	buf_release(&bytes);
}

static void refresh(struct run_files *run)
{
	int result;

	do
		result = run_files_refresh(run, NULL);
	while (result == CURVE_MORE);
	if (result < 0)
		fail_msg("%s", err_text());
}

static void write_session(struct wandb_file *f, const char *id, int64_t first, int64_t last,
	int64_t starting_step, int64_t began)
{
	char step[16], time[32];

	wandb_file_begin(f);
	wandb_file_run(f, id, starting_step);
	for (int64_t i = first; i <= last; i++) {
		snprintf(step, sizeof step, "%" PRId64, i);
		snprintf(time, sizeof time, "%" PRId64 ".25", began + i);
		wandb_file_row(f,
			(const char *[]){ "loss", step, "_step", step, "_timestamp", time, NULL });
		wandb_file_stats(f, began + i, "cpu", step);
	}
}

/* Sessions are in the order of their beginning, though one was offline and one is a link. */
static void sessions_of_a_run_are_segments(void **state)
{
	char *folder = make_folder(), *link = xasprintf("%s/latest-run", folder);
	struct run_files *run = run_files_new(NULL);
	const struct series *s;
	struct wandb_file f;
	size_t *points;

	(void)state;
	write_session(&f, "abc", 0, 9, 0, 1700000000);
	put_file(folder, "run-20231114_221320-abc/run-abc.wandb", &f.bytes);
	wandb_file_release(&f);
	write_session(&f, "abc", 7, 14, 6, 1700000100);
	put_file(folder, "offline-run-20231114_223000-abc/run-abc.wandb", &f.bytes);
	wandb_file_release(&f);
	assert_int_equal(symlink("run-20231114_221320-abc", link), 0);
	assert_int_equal(run_files_add(run, folder), 0);
	assert_int_equal(run_files_add(run, link), 0);
	refresh(run);
	assert_int_equal(run->n, 2);
	s = run_series_find(run->series, "loss", AXIS_STEP);
	assert_non_null(s);
	assert_int_equal(s->n, 18);
	assert_int_equal(s->n_segments, 2);
	assert_int_equal(s->segments[1].start, 6);
	assert_int_equal(s->x[10], 7);
	assert_int_equal(series_current(s, SEGMENT_LATEST_WINS, &points), 6 + 8);
	free(points);
	/* The clock of the system goes on; nothing of the first session is superseded. */
	s = run_series_find(run->series, "system/cpu", AXIS_TIME);
	assert_non_null(s);
	assert_true(series_x(s, 9) == 9 && series_x(s, 10) == 107);
	assert_int_equal(series_current(s, SEGMENT_LATEST_WINS, &points), 18);
	free(points);
	assert_false(curve_notes_has(&run->notes, "concurrent-writers"));
	run_files_free(run);
	assert_int_equal(fs_remove_tree(folder), 0);
	free(link);
	free(folder);
}

static void runs_of_other_ids_are_told_apart(void **state)
{
	char *folder = make_folder();
	struct run_files *run;
	struct wandb_file f;

	(void)state;
	write_session(&f, "abc", 0, 2, 0, 1700000000);
	put_file(folder, "run-20231114_221320-abc/run-abc.wandb", &f.bytes);
	put_file(folder, "run-20231114_221330-def/run-def.wandb", &f.bytes);
	wandb_file_release(&f);
	assert_int_equal(run_files_load(&run, folder, NULL), 0);
	assert_int_equal(run_series_find(run->series, "abc/loss", AXIS_STEP)->n, 3);
	assert_int_equal(run_series_find(run->series, "def/loss", AXIS_STEP)->n, 3);
	assert_null(run_series_find(run->series, "loss", -1));
	run_files_free(run);
	assert_int_equal(fs_remove_tree(folder), 0);
	free(folder);
}

/* What the program logged beats what it printed; what it only printed is there too. */
static void printed_metrics_are_found(void **state)
{
	char *folder = make_folder();
	struct run_files *run = run_files_new(NULL);
	const struct series *loss, *speed;
	struct wandb_file f;

	(void)state;
	wandb_file_begin(&f);
	wandb_file_run(&f, "abc", 0);
	wandb_file_print(&f, true, "step 1 loss: 9 speed: 10\nstep 2 lo");
	wandb_file_print(&f, false, "a warning, step 77 speed: 1");
	wandb_file_print(&f, true, "ss: 8 speed: 11\n");
	put_file(folder, "run-abc.wandb", &f.bytes);
	assert_int_equal(run_files_add(run, folder), 0);
	refresh(run);
	loss = run_series_find(run->series, "loss", AXIS_STEP);
	assert_int_equal(loss->n, 2);
	assert_true(loss->printed);
	assert_ptr_equal(run_files_format_of(run, loss), wandb_format.printed);
	wandb_file_row(&f, (const char *[]){ "loss", "2.5", "_step", "1", NULL });
	wandb_file_print(&f, true, "step 3 loss: 7 speed: 12\n");
	put_file(folder, "run-abc.wandb", &f.bytes);
	refresh(run);
	loss = run_series_find(run->series, "loss", AXIS_STEP);
	speed = run_series_find(run->series, "speed", AXIS_STEP);
	assert_int_equal(loss->n, 1);
	assert_true(series_value(loss, 0) == 2.5);
	assert_false(loss->printed);
	assert_ptr_equal(run_files_format_of(run, loss), &wandb_format);
	assert_int_equal(speed->n, 3);
	assert_int_equal(speed->x[2], 3);
	assert_true(series_value(speed, 1) == 11);
	assert_false(curve_notes_has(&run->notes, "duplicate-source"));
	wandb_file_release(&f);
	run_files_free(run);
	assert_int_equal(fs_remove_tree(folder), 0);
	free(folder);
}

static void a_shorter_file_replaces_a_longer_one(void **state)
{
	char *folder = make_folder();
	struct run_files *run = run_files_new(NULL);
	struct wandb_file f;

	(void)state;
	write_session(&f, "abc", 0, 300, 0, 1700000000);
	put_file(folder, "run-abc.wandb", &f.bytes);
	wandb_file_release(&f);
	assert_int_equal(run_files_add(run, folder), 0);
	refresh(run);
	assert_int_equal(run_series_find(run->series, "loss", AXIS_STEP)->n, 301);
	write_session(&f, "abc", 0, 4, 0, 1700000000);
	put_file(folder, "run-abc.wandb", &f.bytes);
	wandb_file_release(&f);
	refresh(run);
	assert_int_equal(run_series_find(run->series, "loss", AXIS_STEP)->n, 5);
	assert_int_equal(run->health.records, 11);
	run_files_free(run);
	assert_int_equal(fs_remove_tree(folder), 0);
	free(folder);
}

/* What W&B keeps beside the file is no curve of the run. */
static void only_the_file_is_taken(void **state)
{
	char *folder = make_folder();
	struct run_files *run;
	struct wandb_file f;

	(void)state;
	write_session(&f, "abc", 0, 4, 0, 1700000000);
	put_file(folder, "run-20231114_221320-abc/run-abc.wandb", &f.bytes);
	wandb_file_release(&f);
	put_words(folder, "run-20231114_221320-abc/files/wandb-summary.json",
		"{\"_step\": 4, \"loss\": 77, \"_runtime\": 5}\n");
	put_words(folder, "run-20231114_221320-abc/files/output.log", "step 4 loss: 77 speed: 3\n");
	put_words(folder, "run-20231114_221320-abc/files/requirements.txt", "step 3 x: 4\n");
	put_words(folder, "run-20231114_221320-abc/logs/debug.log", "step 9 loss: 3\n");
	put_words(folder, "train.log", "step 4 other: 5\n");
	assert_int_equal(run_files_load(&run, folder, NULL), 0);
	assert_int_equal(run->n, 2);
	assert_int_equal(run_series_find(run->series, "loss", -1)->n, 5);
	assert_int_equal(run_series_find(run->series, "other", -1)->n, 1);
	assert_null(run_series_find(run->series, "speed", -1));
	assert_null(run_series_find(run->series, "_runtime", -1));
	run_files_free(run);
	assert_int_equal(fs_remove_tree(folder), 0);
	free(folder);
}

static void names_of_files_are_understood(void **state)
{
	static const struct {
		const char *path, *id, *stamp;
		size_t home_n;
	} places[] = {
		{ "wandb/run-20231114_221320-abc/run-abc.wandb", "abc", "20231114_221320", 6 },
		{ "/w/offline-run-20231114_221320-a-b/run-a-b.wandb", "a-b", "20231114_221320", 3 },
		{ "run-x.wandb", "x", "", 0 },
		{ "runs/x.wandb", "x", "", 5 },
		{ "run-2023-x/run-x.wandb", "x", "", 11 },
		{ "run-.wandb", NULL, NULL, 0 },
		{ "run-x.log", NULL, NULL, 0 },
	};
	static const struct {
		const char *path;
		bool aside;
	} files[] = {
		{ "wandb/run-20231114_221320-abc/files/config.yaml", true },
		{ "wandb/run-20231114_221320-abc/files/wandb-summary.json", true },
		{ "wandb/run-20231114_221320-abc/files/media/table.csv", false },
		{ "wandb/run-20231114_221320-abc/logs/debug-internal.log", true },
		{ "wandb/run-20231114_221320-abc/run-abc.wandb", false },
		{ "wandb/latest-run/files/requirements.txt", true },
		{ "files/config.yaml", false },
		{ "run-1/logs/train.log", false },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(places); i++) {
		struct wandb_place place;

		assert_int_equal(wandb_place_read(&place, places[i].path), places[i].id != NULL);
		if (!places[i].id)
			continue;
		assert_int_equal(place.id_n, strlen(places[i].id));
		assert_memory_equal(place.id, places[i].id, place.id_n);
		assert_int_equal(place.stamp_n, strlen(places[i].stamp));
		assert_memory_equal(place.stamp, places[i].stamp, place.stamp_n);
		assert_int_equal(place.home_n, places[i].home_n);
	}
	for (size_t i = 0; i < ARRAY_LEN(files); i++)
		assert_int_equal(wandb_aside(files[i].path) != NULL, files[i].aside);
	assert_true(wandb_is_console_copy("/a/run-20231114_221320-abc/files/output.log"));
	assert_false(wandb_is_console_copy("/a/files/output.log"));
}

/* By content first; a name that promises what is not there is said. */
static void a_file_is_recognised_by_its_first_bytes(void **state)
{
	static const struct {
		const char *name, *bytes;
		size_t n;
		const char *format, *error;
	} files[] = {
		{ "a.bin", ":W&B\xe1\xbe\0", 7, "wandb", NULL },
		{ "b.wandb", ":W&B\xe1\xbe\0", 7, "wandb", NULL },
		{ "c.wandb", ":W", 2, "wandb", NULL },
		{ "d.wandb", "", 0, "wandb", NULL },
		{ "e.wandb", "{\"step\": 1, \"loss\": 2}\n", 23, NULL, "bad magic at offset 0" },
		{ "f.wandb", ":W&B\xe1\xbf\0", 7, NULL, "expected .wandb, bad magic at offset 4" },
		{ "g.bin", ":W&B\0\0\0", 7, NULL, "bad magic at offset 4" },
		{ "h.wandb", ":W&B\xe1\xbe\1", 7, NULL, "version 1 at offset 6" },
		{ "i.jsonl", "{\"step\": 1, \"loss\": 2}\n", 23, "jsonl", NULL },
	};
	char *folder = make_folder();

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(files); i++) {
		struct buf bytes = BUF_INIT;
		char *path = xasprintf("%s/%s", folder, files[i].name);
		const struct curve_format *format;

		buf_add(&bytes, files[i].bytes, files[i].n);
		put_file(folder, files[i].name, &bytes);
		format = curve_format_recognise(path);
		if (files[i].format) {
			assert_non_null(format);
			assert_string_equal(format->name, files[i].format);
		} else {
			assert_null(format);
			assert_int_equal(err_code(), ERR_PARSE);
			assert_non_null(strstr(err_text(), files[i].error));
		}
		buf_release(&bytes);
		free(path);
	}
	assert_int_equal(fs_remove_tree(folder), 0);
	free(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sessions_of_a_run_are_segments),
		cmocka_unit_test(runs_of_other_ids_are_told_apart),
		cmocka_unit_test(printed_metrics_are_found),
		cmocka_unit_test(a_shorter_file_replaces_a_longer_one),
		cmocka_unit_test(only_the_file_is_taken),
		cmocka_unit_test(names_of_files_are_understood),
		cmocka_unit_test(a_file_is_recognised_by_its_first_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
