/*
 * What was read from a large file of an ended run comes back from the cache to the
 * bit; a damaged cache, another file, another option or growth reads the file itself.
 */
#include "config.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dump_run.h"
#include "make_events.h"
#include "make_wandb.h"

#include "base/err.h"
#include "base/fs.h"
#include "curve/pyramid.h"
#include "curve/run_cache.h"
#include "curve/series_file.h"

static char folder[] = "/tmp/portside-cache-XXXXXX";
static char *run_folder, *cache;

static char *in(const char *name)
{
	return xasprintf("%s/%s", run_folder, name);
}

/* Changed long ago, so that it is settled. */
static void write_file_at(const char *path, const struct buf *bytes, const char *how)
{
	struct timespec long_ago[2] = { { 1700000000, 5 }, { 1700000000, 5 } };
	FILE *f = fopen(path, how);

	assert_non_null(f);
	assert_int_equal(fwrite(bytes->s, 1, bytes->n, f), bytes->n);
	assert_int_equal(fclose(f), 0);
	assert_int_equal(utimensat(AT_FDCWD, path, long_ago, 0), 0);
}

/* Records of every kind, then as many plain ones as make a file large. */
static void make_events(struct buf *out)
{
	struct buf event = BUF_INIT;

	buf_init(&event);
	write_file(out, 3, 5);
	for (int64_t i = 0; out->n < RUN_CACHE_FILE_BYTES + 100; i++) {
		buf_clear(&event);
		add_event(&event, (size_t)i % 3, i, 0);
		add_record(out, &event);
	}
	buf_adds(out, "half a rec");
	buf_release(&event);
}

static void make_table(struct buf *out)
{
	buf_clear(out);
	buf_adds(out, "epoch,step,loss,note\n");
	for (int i = 0; out->n < RUN_CACHE_FILE_BYTES + 100; i++)
		buf_addf(out, "%d.5,%d,%.6f,%s\n", i / 700, i - (i > 5000 ? 300 : 0),
			1.0 / (i + 1), i % 900 ? "" : "seen");
}

/* Reads the folder, and writes all of it to OUT (NULL: nothing); the number of files that
 * came from the cache. */
static size_t read_run(struct buf *out, bool with_cache, bool writes, bool ended)
{
	struct curve_options options = { .ended = ended };
	struct run_files *r = run_files_new(&options);
	size_t restored = 0;

	if (with_cache)
		run_files_use_cache(r, cache, writes);
	assert_int_equal(run_files_add(r, run_folder), 0);
	assert_int_equal(run_files_read(r, NULL), 0);
	for (size_t i = 0; i < r->n; i++)
		restored += r->files[i].file->restored;
	if (out)
		dump_run(out, r, false);
	run_files_free(r);
	return restored;
}

static size_t count_kept(void)
{
	struct arena a = ARENA_INIT;
	char **names;
	size_t n = 0;

	if (fs_list(&names, &n, &a, cache) < 0)
		err_clear();
	arena_release(&a);
	return n;
}

static char *only_kept(void)
{
	struct arena a = ARENA_INIT;
	char **names, *path;
	size_t n = 0;

	assert_int_equal(fs_list(&names, &n, &a, cache), 0);
	assert_int_equal(n, 1);
	path = xasprintf("%s/%s", cache, names[0]);
	arena_release(&a);
	return path;
}

static void clean(void)
{
	assert_int_equal(fs_remove_tree(run_folder), 0);
	assert_int_equal(fs_remove_tree(cache), 0);
	assert_int_equal(fs_mkdirs(run_folder, 0700), 0);
}

struct texts {
	struct buf want, got;
};

static void begin(struct texts *t)
{
	clean();
	*t = (struct texts){ BUF_INIT, BUF_INIT };
	buf_init(&t->want);
	buf_init(&t->got);
}

static void end(struct texts *t)
{
	buf_release(&t->want);
	buf_release(&t->got);
}

static void assert_same(const struct texts *t)
{
	assert_true(t->want.n > 100);
	assert_string_equal(t->want.s, t->got.s);
}

static void comes_back_to_the_bit(void **state)
{
	struct buf bytes = BUF_INIT;
	struct texts t;

	(void)state;
	buf_init(&bytes);
	for (int kind = 0; kind < 2; kind++) {
		char *path = in(kind ? "metrics.csv" : "events.out.tfevents.1.a");

		begin(&t);
		if (kind)
			make_table(&bytes);
		else
			make_events(&bytes);
		write_file_at(path, &bytes, "wb");
		assert_int_equal(read_run(&t.want, false, false, true), 0);
		assert_int_equal(count_kept(), 0);
		assert_int_equal(read_run(&t.got, true, false, true), 0);
		assert_int_equal(count_kept(), 0);	/* may not write */
		assert_int_equal(read_run(&t.got, true, true, true), 0);
		assert_same(&t);
		assert_int_equal(count_kept(), 1);
		assert_int_equal(read_run(&t.got, true, false, true), 1);
		assert_same(&t);
		end(&t);
		free(path);
	}
	buf_release(&bytes);
}

/* Two files are one run: the first has columns in the map, and they grow by the second. */
static void further_files_follow(void **state)
{
	char *first = in("events.out.tfevents.1.a"), *second = in("events.out.tfevents.2.a");
	struct buf bytes = BUF_INIT;
	struct texts t;

	(void)state;
	begin(&t);
	buf_init(&bytes);
	make_events(&bytes);
	write_file_at(first, &bytes, "wb");
	write_file(&bytes, 3, 5);
	write_file_at(second, &bytes, "wb");
	read_run(&t.want, false, false, true);
	assert_int_equal(read_run(&t.got, true, true, true), 0);
	assert_int_equal(count_kept(), 1);	/* the second one is small */
	assert_int_equal(read_run(&t.got, true, true, true), 1);
	assert_same(&t);
	make_events(&bytes);
	write_file_at(second, &bytes, "wb");
	read_run(&t.want, false, false, true);
	assert_int_equal(read_run(&t.got, true, true, true), 1);
	assert_int_equal(count_kept(), 2);
	assert_int_equal(read_run(&t.got, true, true, true), 2);
	assert_same(&t);
	buf_release(&bytes);
	end(&t);
	free(first);
	free(second);
}

/* Whatever byte of it is another one, the file itself is read. */
static void damage_reads_the_file(void **state)
{
	char *path = in("metrics.csv"), *kept;
	struct buf bytes = BUF_INIT, whole = BUF_INIT, copy = BUF_INIT;
	struct texts t;

	(void)state;
	begin(&t);
	buf_init(&bytes);
	buf_init(&whole);
	buf_init(&copy);
	make_table(&bytes);
	write_file_at(path, &bytes, "wb");
	read_run(&t.want, true, true, true);
	kept = only_kept();
	assert_int_equal(fs_read(&whole, kept, 0), 0);
	for (size_t i = 0; i < 16; i++) {
		size_t at = i < 6 ? i * 11 : i < 10 ? whole.n - 1 - i * 7 : pick(whole.n);

		buf_clear(&copy);
		buf_add(&copy, whole.s, whole.n);
		if (i == 15)
			buf_truncate(&copy, copy.n / 2);
		else
			copy.s[at] = (char)(copy.s[at] ^ 1 << pick(8));
		write_file_at(kept, &copy, "wb");
		assert_int_equal(read_run(i == 7 ? &t.got : NULL, true, false, true), 0);
	}
	assert_same(&t);
	/* It is written anew. */
	read_run(&t.got, true, true, true);
	assert_int_equal(read_run(&t.got, true, false, true), 1);
	assert_same(&t);
	free(kept);
	free(path);
	buf_release(&bytes);
	buf_release(&whole);
	buf_release(&copy);
	end(&t);
}

static void another_file_is_another_key(void **state)
{
	char *path = in("metrics.csv");
	struct buf bytes = BUF_INIT;
	struct texts t;

	(void)state;
	begin(&t);
	buf_init(&bytes);
	make_table(&bytes);
	write_file_at(path, &bytes, "wb");
	read_run(&t.want, true, true, true);
	assert_int_equal(count_kept(), 1);
	/* A live run is read, and nothing of it is kept. */
	assert_int_equal(read_run(&t.got, true, true, false), 0);
	assert_int_equal(count_kept(), 1);
	/* The same size and the same time, but other bytes. */
	bytes.s[bytes.n / 2] = '1';
	write_file_at(path, &bytes, "wb");
	read_run(&t.want, false, false, true);
	assert_int_equal(read_run(&t.got, true, true, true), 0);
	assert_same(&t);
	assert_int_equal(read_run(&t.got, true, true, true), 1);
	assert_same(&t);
	buf_release(&bytes);
	end(&t);
	free(path);
}

static void growth_after_that_is_read(void **state)
{
	struct curve_options options = { .ended = true };
	char *path = in("events.out.tfevents.1.a");
	struct buf bytes = BUF_INIT, more = BUF_INIT;
	struct run_files *r;
	struct texts t;

	(void)state;
	begin(&t);
	buf_init(&bytes);
	buf_init(&more);
	make_events(&bytes);
	write_file_at(path, &bytes, "wb");
	read_run(NULL, true, true, true);
	r = run_files_new(&options);
	run_files_use_cache(r, cache, false);
	assert_int_equal(run_files_add(r, run_folder), 0);
	assert_int_equal(run_files_read(r, NULL), 0);
	assert_true(r->files[0].file->restored);
	assert_int_equal(run_files_refresh(r, NULL), CURVE_SAME);
	write_file(&more, 3, 5);
	write_file_at(path, &more, "ab");
	assert_int_equal(run_files_read(r, NULL), 0);
	assert_false(r->files[0].file->restored);
	dump_run(&t.got, r, false);
	run_files_free(r);
	read_run(&t.want, false, false, true);
	assert_same(&t);
	buf_release(&bytes);
	buf_release(&more);
	end(&t);
	free(path);
}

/* The columns lie in the map with their pyramid, which is that of the values. */
static void maps_hold_a_pyramid(void **state)
{
	struct curve_options options = { .ended = true };
	char *path = in("metrics.csv");
	struct buf bytes = BUF_INIT;
	struct run_files *r;
	struct texts t;

	(void)state;
	begin(&t);
	buf_init(&bytes);
	make_table(&bytes);
	write_file_at(path, &bytes, "wb");
	read_run(NULL, true, true, true);
	r = run_files_new(&options);
	run_files_use_cache(r, cache, true);
	assert_int_equal(run_files_add(r, run_folder), 0);
	assert_int_equal(run_files_read(r, NULL), 0);
	assert_false(run_cache_is_due(r));
	for (size_t i = 0; i < r->series->n; i++) {
		struct series *s = r->series->series[i];
		struct pyramid_values v = { .real = s->value };
		struct pyramid p = PYRAMID_INIT;

		assert_non_null(s->map);
		assert_int_equal(s->pyramid->n, s->n);
		pyramid_update(&p, v, s->n);
		assert_int_equal(p.n_levels, s->pyramid->n_levels);
		for (int l = 0; l < p.n_levels; l++) {
			assert_int_equal(p.levels[l].n, s->pyramid->levels[l].n);
			assert_memory_equal(p.levels[l].nodes, s->pyramid->levels[l].nodes,
				p.levels[l].n * sizeof *p.levels[l].nodes);
		}
		pyramid_release(&p);
		/* A point more, and the columns are the series' own. */
		series_append(s, 1 << 30, NAN, 2);
		assert_null(s->map);
		assert_null(s->pyramid);
		assert_int_equal(s->x[s->n - 1], 1 << 30);
	}
	assert_int_equal(r->series->n > 0, 1);
	run_files_free(r);
	buf_release(&bytes);
	end(&t);
	free(path);
}

static void the_folder_stays_small(void **state)
{
	char *path[3] = { in("a.csv"), in("b.csv"), in("c.csv") };
	struct buf bytes = BUF_INIT;
	char *made[3] = { NULL, NULL, NULL };
	int64_t one = 0;
	struct texts t;

	(void)state;
	begin(&t);
	buf_init(&bytes);
	make_table(&bytes);
	for (int i = 0; i < 3; i++) {
		struct arena a = ARENA_INIT;
		int age = (2 * i + 1) % 3;	/* the second one is the oldest */
		struct timespec then[2] = { { 1700000000 + age, 0 }, { 1700000000 + age, 0 } };
		char **names;
		size_t n;

		write_file_at(path[i], &bytes, "wb");
		read_run(NULL, true, true, true);
		assert_int_equal(unlink(path[i]), 0);
		assert_int_equal(fs_list(&names, &n, &a, cache), 0);
		for (size_t k = 0; k < n; k++) {
			char *kept = fs_join(&a, cache, names[k]);
			struct stat st;

			assert_int_equal(stat(kept, &st), 0);
			if (st.st_mtime > 1700000100) {
				assert_int_equal(utimensat(AT_FDCWD, kept, then, 0), 0);
				made[i] = xstrdup(kept);
			}
			one = st.st_size;
		}
		arena_release(&a);
	}
	assert_int_equal(count_kept(), 3);
	series_file_prune(cache, 2 * one + one / 2);
	assert_int_equal(count_kept(), 2);
	assert_false(fs_exists(made[1]));
	series_file_prune(cache, one + one / 2);
	assert_true(fs_exists(made[2]));
	assert_int_equal(count_kept(), 1);
	series_file_prune(cache, 0);
	assert_int_equal(count_kept(), 0);
	for (int i = 0; i < 3; i++)
		free(path[i]), free(made[i]);
	buf_release(&bytes);
	end(&t);
}

/* Of a W&B file more is told than its points: it is read each time. */
static void what_is_told_beside_points_stays(void **state)
{
	char *path = in("run-abc12345.wandb"), *line = xmalloc(32 * 1024);
	struct wandb_file f;
	struct buf lines = BUF_INIT;

	(void)state;
	clean();
	memset(line, 'x', 32 * 1024 - 1);
	line[0] = line[32 * 1024 - 2] = '"';
	line[32 * 1024 - 1] = '\0';
	wandb_file_begin(&f);
	wandb_file_run(&f, "abc12345", 0);
	while (f.bytes.n < RUN_CACHE_FILE_BYTES + 100)
		wandb_file_row(&f, (const char *const[]){ "loss", "2.5", "note", line, NULL });
	write_file_at(path, &f.bytes, "wb");
	for (int look = 0; look < 2; look++) {
		struct curve_options options = { .ended = true };
		struct run_files *r = run_files_new(&options);

		run_files_use_cache(r, cache, true);
		assert_int_equal(run_files_add(r, run_folder), 0);
		assert_int_equal(run_files_read(r, NULL), 0);
		assert_false(r->files[0].file->restored);
		buf_clear(&lines);
		run_files_add_lines(&lines, r);
		assert_non_null(strstr(lines.s, "abc12345"));
		assert_non_null(strstr(lines.s, "gpu-a"));
		run_files_free(r);
	}
	assert_int_equal(count_kept(), 0);
	buf_release(&lines);
	wandb_file_release(&f);
	free(line);
	free(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(comes_back_to_the_bit),
		cmocka_unit_test(further_files_follow),
		cmocka_unit_test(damage_reads_the_file),
		cmocka_unit_test(another_file_is_another_key),
		cmocka_unit_test(growth_after_that_is_read),
		cmocka_unit_test(maps_hold_a_pyramid),
		cmocka_unit_test(the_folder_stays_small),
		cmocka_unit_test(what_is_told_beside_points_stays),
	};
	int failed;

	if (!mkdtemp(folder))
		return 99;
	run_folder = xasprintf("%s/run", folder);
	cache = xasprintf("%s/cache", folder);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	if (fs_remove_tree(folder) < 0)
		failed++;
	free(run_folder);
	free(cache);
	return failed;
}
