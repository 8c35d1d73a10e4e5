/*
 * Files of a run that lives: rotated, copied and cut, replaced, begun again under
 * another header, or not there yet when somebody began to look.
 */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "make_events.h"
#include "read_alike.h"

#include "base/err.h"
#include "base/fs.h"
#include "curve/rotated.h"
#include "curve/run_files.h"
#include "curve/run_root.h"

static char folder[] = "/tmp/portside-live-XXXXXX";

static char *in(const char *name)
{
	return xasprintf("%s/%s", folder, name);
}

static void put_text(const char *name, const char *how, const char *text)
{
	char *path = in(name);
	FILE *f = fopen(path, how);

	assert_non_null(f);
	assert_int_equal(fwrite(text, 1, strlen(text), f), strlen(text));
	assert_int_equal(fclose(f), 0);
	free(path);
}

/* Lines of a trainer, STEPS from FIRST on; the loss is 1000 - step. */
static void put_log(const char *name, const char *how, int first, int steps)
{
	struct buf text = BUF_INIT;

	buf_init(&text);
	for (int i = first; i < first + steps; i++)
		buf_addf(&text, "step %d loss: %d.5\n", i, 1000 - i);
	put_text(name, how, text.s);
	buf_release(&text);
}

static void move(const char *from, const char *to)
{
	char *old = in(from), *new = in(to);

	assert_int_equal(rename(old, new), 0);
	free(old);
	free(new);
}

static struct run_files *follow(const char *name)
{
	struct run_files *r = run_files_new(NULL);
	char *path = *name ? in(name) : xstrdup(folder);

	assert_int_equal(run_files_add(r, path), 0);
	assert_int_equal(run_files_read(r, NULL), 0);
	free(path);
	return r;
}

static void look_again(struct run_files *r)
{
	assert_int_equal(run_files_rescan(r), 0);
	assert_int_equal(run_files_read(r, NULL), 0);
}

/* The loss of steps FIRST to LAST, one after the other, each once. */
static void assert_steps(const struct run_files *r, int64_t first, int64_t last)
{
	const struct series *s = run_series_find(r->series, "loss", AXIS_STEP);

	assert_non_null(s);
	assert_int_equal(s->n, last - first + 1);
	for (size_t i = 0; i < s->n; i++) {
		assert_int_equal(s->x[i], first + (int64_t)i);
		assert_true(series_value(s, i) == (double)(1000 - s->x[i]) + 0.5);
	}
}

static void clean(void)
{
	assert_int_equal(fs_remove_tree(folder), 0);
	assert_int_equal(fs_mkdirs(folder, 0700), 0);
}

static void a_rotated_log_is_one_log(void **state)
{
	struct run_files *r;

	(void)state;
	clean();
	put_log("train.log", "wb", 0, 10);
	r = follow("");
	assert_steps(r, 0, 9);
	put_log("train.log", "ab", 10, 5);
	move("train.log", "train.log.1");
	put_log("train.log", "wb", 15, 5);
	look_again(r);
	assert_steps(r, 0, 19);
	/* Once more: what was the first part is the second. */
	put_log("train.log", "ab", 20, 5);
	move("train.log.1", "train.log.2");
	move("train.log", "train.log.1");
	put_log("train.log", "wb", 25, 5);
	look_again(r);
	assert_steps(r, 0, 29);
	run_files_free(r);
	r = follow("");
	assert_steps(r, 0, 29);
	run_files_free(r);
}

/* Of a file that was named alone only its own older parts belong to it. */
static void a_named_log_keeps_its_older_parts(void **state)
{
	struct run_files *r;

	(void)state;
	clean();
	put_log("train.log", "wb", 0, 10);
	put_log("train.log.1", "wb", 500, 10);
	r = follow("train.log");
	look_again(r);
	assert_steps(r, 0, 9);
	move("train.log.1", "train.log.2");
	move("train.log", "train.log.1");
	put_log("train.log", "wb", 10, 10);
	look_again(r);
	assert_steps(r, 0, 19);
	run_files_free(r);
}

static void a_log_that_is_copied_and_cut_stays_whole(void **state)
{
	struct run_files *r;

	(void)state;
	clean();
	put_log("train.log", "wb", 0, 10);
	r = follow("");
	put_log("train.log.1", "wb", 0, 10);
	put_log("train.log", "wb", 10, 3);	/* the same file, from nothing */
	look_again(r);
	assert_steps(r, 0, 12);
	run_files_free(r);
}

static void a_replaced_file_is_read_anew(void **state)
{
	struct run_files *r;

	(void)state;
	clean();
	put_log("train.log", "wb", 0, 10);
	r = follow("");
	put_log("other", "wb", 100, 20);
	move("other", "train.log");
	look_again(r);
	assert_steps(r, 100, 119);
	/* Cut, and longer again before anybody looked. */
	put_log("train.log", "wb", 300, 40);
	look_again(r);
	assert_steps(r, 300, 339);
	run_files_free(r);
}

static void another_header_is_read_anew(void **state)
{
	struct run_files *r;
	const struct series *s;

	(void)state;
	clean();
	put_text("metrics.csv", "wb", "step,loss\n1,3.5\n2,3.25\n");
	r = follow("");
	put_text("metrics.csv", "wb", "accuracy,step,loss\n,1,3.5\n,2,3.25\n0.5,3,3\n");
	look_again(r);
	s = run_series_find(r->series, "loss", AXIS_STEP);
	assert_int_equal(s->n, 3);
	assert_true(series_value(s, 2) >= 3 && series_value(s, 2) <= 3);
	s = run_series_find(r->series, "accuracy", AXIS_STEP);
	assert_int_equal(s->n, 1);
	assert_int_equal(s->x[0], 3);
	run_files_free(r);
}

/* A folder is watched before the trainer has written anything into it. */
static void a_first_file_may_come_later(void **state)
{
	struct buf events = BUF_INIT;
	struct run_files *r;
	char *path = in("run/eval");
	FILE *f;

	(void)state;
	clean();
	r = follow("");
	assert_int_equal(r->n, 0);
	look_again(r);
	assert_int_equal(r->series->n, 0);
	assert_int_equal(fs_mkdirs(path, 0700), 0);
	free(path);
	path = in("run/eval/events.out.tfevents.1.a");
	buf_init(&events);
	write_file(&events, 1, 1000);
	f = fopen(path, "wb");
	assert_non_null(f);
	assert_int_equal(fwrite(events.s, 1, events.n, f), events.n);
	assert_int_equal(fclose(f), 0);
	look_again(r);
	assert_int_equal(r->n, 1);
	assert_int_equal(r->health.records, 300);
	free(path);
	buf_release(&events);
	run_files_free(r);
}

static void names_of_older_parts(void **state)
{
	static const struct {
		const char *name;
		size_t base_n;
		int64_t age;
	} cases[] = {
		{ "train.log.1", 9, 1 },
		{ "train.log.12", 9, 12 },
		{ "train.log.999", 9, 999 },
		{ "train.log.1000", 14, 0 },
		{ "train.log.01", 12, 0 },
		{ "train.log.0", 11, 0 },
		{ "train.log", 9, 0 },
		{ "train.log-20260102", 9, 99991231 + 1 - 20260102 },
		{ "train.log-2026", 14, 0 },
		{ ".1", 2, 0 },
		{ "1", 1, 0 },
		{ "", 0, 0 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct rotated r = rotated_of(cases[i].name);

		assert_int_equal(r.base_n, cases[i].base_n);
		assert_int_equal(r.age, cases[i].age);
	}
	assert_true(rotated_of("a.log-20260101").age > rotated_of("a.log-20260102").age);
	assert_true(run_root_is_log_name("train.log.3"));
	assert_false(run_root_is_log_name("events.out.tfevents.17.host.1.1"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_of_older_parts),
		cmocka_unit_test(a_rotated_log_is_one_log),
		cmocka_unit_test(a_named_log_keeps_its_older_parts),
		cmocka_unit_test(a_log_that_is_copied_and_cut_stays_whole),
		cmocka_unit_test(a_replaced_file_is_read_anew),
		cmocka_unit_test(another_header_is_read_anew),
		cmocka_unit_test(a_first_file_may_come_later),
	};
	int failed;

	if (!mkdtemp(folder))
		return 99;
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	if (fs_remove_tree(folder) < 0)
		failed++;
	return failed;
}
