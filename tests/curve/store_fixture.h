/*
 * store_fixture - a folder of its own for a test, and what a store gives.
 */
#ifndef PORTSIDE_TESTS_CURVE_STORE_FIXTURE_H
#define PORTSIDE_TESTS_CURVE_STORE_FIXTURE_H

#include "tests/unit.h"

#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/err.h"
#include "base/fs.h"
#include "curve/run_files.h"
#include "curve/store_runs.h"

static int store_setup(void **state)
{
	char path[] = "/tmp/portside-store-XXXXXX";

	assert_non_null(mkdtemp(path));
	*state = xstrdup(path);
	return 0;
}

static int store_teardown(void **state)
{
	assert_int_equal(fs_remove_tree(*state), 0);
	free(*state);
	return 0;
}

static inline char *below(const char *folder, const char *name)
{
	return xasprintf("%s/%s", folder, name);
}

static inline void write_bytes(const char *path, const char *p, size_t n)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	assert_int_equal(fwrite(p, 1, n, f), n);
	assert_int_equal(fclose(f), 0);
}

static inline void write_file(const char *folder, const char *name, const char *text)
{
	struct arena a = ARENA_INIT;
	char *path = below(folder, name);

	assert_int_equal(fs_mkdirs(fs_dirname(&a, path), 0700), 0);
	write_bytes(path, text, strlen(text));
	free(path);
	arena_release(&a);
}

/* Behind what is there, as a logger does. */
static inline void append_file(const char *folder, const char *name, const char *text)
{
	char *path = below(folder, name);
	FILE *f = fopen(path, "a");

	assert_non_null(f);
	assert_int_equal(fputs(text, f) >= 0, 1);
	assert_int_equal(fclose(f), 0);
	free(path);
}

static inline struct curve_file *open_store(const char *path, const char *run)
{
	struct curve_options options = { .store_run = run };
	struct curve_file *f = curve_file_new(path, &options);

	if (!f)
		fail_msg("%s", err_text());
	return f;
}

/* Until nothing is left; the points of a test are not taken, so they add up. */
static inline int read_store(struct curve_file *f)
{
	int rc;

	do
		rc = curve_file_refresh(f, NULL);
	while (rc == CURVE_MORE);
	return rc;
}

static inline size_t points_of(const struct curve_file *f, const char *name)
{
	const struct series *s = run_series_find(f->sink.series, name, -1);

	return s ? s->n : 0;
}

/* Names, sizes and times of all that lies in a folder. */
static inline char *picture_of(const char *folder)
{
	struct arena a = ARENA_INIT;
	struct buf out = BUF_INIT;
	char **names;
	size_t n;

	assert_int_equal(fs_list(&names, &n, &a, folder), 0);
	for (size_t i = 0; i < n; i++) {
		struct stat st;

		assert_int_equal(lstat(fs_join(&a, folder, names[i]), &st), 0);
		buf_addf(&out, "%s %lld %lld.%09ld\n", names[i], (long long)st.st_size,
			(long long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec);
	}
	arena_release(&a);
	return buf_detach(&out);
}

#endif
