/* Windows of a log: lines, ends, searches, and 10 GB in constant memory. */
#include "config.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/fs.h"
#include "base/mem.h"
#include "command/run_log.h"

static char folder[] = "/tmp/run_log.XXXXXX";

static char *path_of(struct arena *a, const char *name)
{
	return fs_join(a, folder, name);
}

static void write_log(const char *path, const char *s, size_t n)
{
	assert_int_equal(fs_write_durable(path, s, n, 0600), 0);
}

static int make_folder(void **state)
{
	(void)state;
	return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
	(void)state;
	return fs_remove_tree(folder);
}

static struct run_log_window *read_at(const char *path, int64_t offset, enum run_log_place place)
{
	struct run_log_window *w;

	if (run_log_read(&w, path, offset, place) < 0)
		fail_msg("%s", err_text());
	return w;
}

static void assert_line(const struct run_log_window *w, size_t i, const char *text)
{
	assert_true(i < w->n_lines);
	assert_int_equal(w->lines[i].n, strlen(text));
	assert_memory_equal(w->bytes + w->lines[i].at, text, strlen(text));
}

static void lines_end_in_three_ways(void **state)
{
	static const char text[] =
		"one\ntwo\r\nbar 1%\rbar 2%\r\n\nTraceback (most recent call last):\nlast";
	struct arena a = ARENA_INIT;
	char *path = path_of(&a, "ends");
	struct run_log_window *w;

	(void)state;
	write_log(path, text, sizeof text - 1);
	w = read_at(path, 0, RUN_LOG_AROUND);
	assert_int_equal(w->n_lines, 7);
	assert_line(w, 0, "one");
	assert_line(w, 1, "two");
	assert_line(w, 2, "bar 1%");
	assert_line(w, 3, "bar 2%");
	assert_line(w, 4, "");
	assert_line(w, 5, "Traceback (most recent call last):");
	assert_true(w->lines[5].error);
	assert_false(w->lines[0].error);
	assert_line(w, 6, "last");
	assert_int_equal(run_log_line_at(w, 0), 0);
	assert_int_equal(run_log_line_at(w, 5), 1);
	assert_int_equal(run_log_line_at(w, 1000), 6);
	run_log_free(w);
	arena_release(&a);
}

static void a_missing_log_is_told(void **state)
{
	struct arena a = ARENA_INIT;
	struct run_log_window *w;

	(void)state;
	assert_int_equal(run_log_read(&w, path_of(&a, "none"), 0, RUN_LOG_AROUND), ERR_NOT_FOUND);
	assert_true(run_log_size(path_of(&a, "none")) < 0);
	write_log(path_of(&a, "empty"), "", 0);
	w = read_at(path_of(&a, "empty"), 10, RUN_LOG_BEFORE);
	assert_int_equal(w->n_lines, 0);
	assert_int_equal(run_log_line_at(w, 0), 0);
	run_log_free(w);
	arena_release(&a);
}

/* Without any newline, a line goes on in the next one; no byte is lost. */
static void a_line_without_end_is_cut_and_shown(void **state)
{
	struct arena a = ARENA_INIT;
	char *path = path_of(&a, "long"), *text = arena_alloc(&a, 3 * RUN_LOG_LINE + 5);
	struct run_log_window *w;
	size_t n = 0;

	(void)state;
	memset(text, 'x', 3 * RUN_LOG_LINE + 5);
	write_log(path, text, 3 * RUN_LOG_LINE + 5);
	w = read_at(path, 0, RUN_LOG_AROUND);
	assert_int_equal(w->n_lines, 4);
	assert_false(w->lines[0].continued);
	assert_true(w->lines[1].continued);
	for (size_t i = 0; i < w->n_lines; i++)
		n += w->lines[i].n;
	assert_int_equal(n, 3 * RUN_LOG_LINE + 5);
	run_log_free(w);
	arena_release(&a);
}

/* Each line is in the window that is asked for around its place. */
static void windows_agree_about_places(void **state)
{
	enum { LINES = 60000 };
	struct arena a = ARENA_INIT;
	char *path = path_of(&a, "many");
	struct buf b = BUF_INIT;
	int64_t at[LINES];

	(void)state;
	for (int i = 0; i < LINES; i++) {
		at[i] = (int64_t)b.n;
		buf_addf(&b, "line %d%s\n", i, i % 7 ? "" : " with more words");
	}
	write_log(path, b.s, b.n);
	for (int i = 0; i < LINES; i += 997) {
		struct run_log_window *w = read_at(path, at[i], RUN_LOG_AROUND);
		char text[64];

		snprintf(text, sizeof text, "line %d%s", i, i % 7 ? "" : " with more words");
		assert_line(w, run_log_line_at(w, at[i]), text);
		assert_true(w->n <= RUN_LOG_WINDOW);
		assert_int_equal(w->size, b.n);
		run_log_free(w);
	}
	buf_release(&b);
	arena_release(&a);
}

static void assert_found(
	const char *path, int64_t from, int direction, const char *text, int64_t want)
{
	int64_t at = -1;
	int rc = run_log_find(&at, path, from, direction, text, NULL);

	if (rc < 0)
		fail_msg("%s", err_text());
	assert_int_equal(rc, want >= 0);
	if (want >= 0)
		assert_int_equal(at, want);
}

/* Matches at each place around the edge of a chunk, in both directions. */
static void searches_cross_the_edges_of_chunks(void **state)
{
	enum { EDGE = 256 * 1024 };
	struct arena a = ARENA_INIT;
	char *path = path_of(&a, "search"), *text = arena_alloc(&a, 3 * EDGE);

	(void)state;
	for (int shift = -8; shift <= 2; shift++) {
		memset(text, '.', 3 * EDGE);
		memcpy(text + EDGE + shift, "NeeDle", 6);
		memcpy(text + 2 * EDGE + 100, "needle", 6);
		write_log(path, text, 3 * EDGE);
		assert_found(path, 0, 1, "needle", EDGE + shift);
		assert_found(path, EDGE + shift + 1, 1, "needle", 2 * EDGE + 100);
		assert_found(path, 2 * EDGE + 101, 1, "needle", -1);
		assert_found(path, 3 * EDGE, -1, "needle", 2 * EDGE + 100);
		assert_found(path, 2 * EDGE + 100, -1, "needle", EDGE + shift);
		assert_found(path, EDGE + shift, -1, "needle", -1);
	}
	assert_found(path, 0, 1, "", -1);
	arena_release(&a);
}

static void the_next_error_is_found(void **state)
{
	static const char text[] =
		"fine\nTraceback (most recent call last):\n  x\nfine\nSegmentation fault\n";
	struct arena a = ARENA_INIT;
	char *path = path_of(&a, "errors");

	(void)state;
	write_log(path, text, sizeof text - 1);
	assert_found(path, 0, 1, NULL, 5);
	assert_found(path, 6, 1, NULL, (int64_t)(strstr(text, "Segm") - text));
	assert_found(path, (int64_t)(strstr(text, "Segm") - text), -1, NULL, 5);
	arena_release(&a);
}

static long resident_kb(void)
{
	struct rusage usage;

	assert_int_equal(getrusage(RUSAGE_SELF, &usage), 0);
	return usage.ru_maxrss;
}

/* 10 GB with words at both ends and in the middle; holes between them. */
static void ten_gigabytes_in_constant_memory(void **state)
{
	const int64_t size = INT64_C(10) << 30, middle = size / 2;
	struct arena a = ARENA_INIT;
	char *path = path_of(&a, "huge");
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	struct run_log_window *w;
	long before;

	(void)state;
	assert_true(fd >= 0);
	if (ftruncate(fd, size) < 0) {
		close(fd);
		skip();
	}
	assert_int_equal(pwrite(fd, "first\n", 6, 0), 6);
	assert_int_equal(pwrite(fd, "\nRESOURCE_EXHAUSTED: here\n", 26, middle), 26);
	assert_int_equal(pwrite(fd, "\nthe very last\n", 15, size - 15), 15);
	assert_int_equal(close(fd), 0);
	before = resident_kb();
	w = read_at(path, size, RUN_LOG_BEFORE);
	assert_line(w, w->n_lines - 1, "the very last");
	run_log_free(w);
	assert_found(path, 0, 1, NULL, middle + 1);
	assert_found(path, 0, 1, "very last", size - 10);
	assert_found(path, size, -1, "FIRST", 0);
	w = read_at(path, middle + 1, RUN_LOG_AROUND);
	assert_line(w, run_log_line_at(w, middle + 1), "RESOURCE_EXHAUSTED: here");
	run_log_free(w);
	assert_true(resident_kb() - before < 8 * 1024);
	assert_int_equal(unlink(path), 0);
	arena_release(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_end_in_three_ways),
		cmocka_unit_test(a_missing_log_is_told),
		cmocka_unit_test(a_line_without_end_is_cut_and_shown),
		cmocka_unit_test(windows_agree_about_places),
		cmocka_unit_test(searches_cross_the_edges_of_chunks),
		cmocka_unit_test(the_next_error_is_found),
		cmocka_unit_test(ten_gigabytes_in_constant_memory),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
