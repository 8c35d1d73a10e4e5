/* fuzz_database - any bytes as a tracker's SQLite database. */
#include "config.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/fs.h"
#include "curve/reader.h"
#include "curve/store_runs.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

enum { CALLS_MAX = 1000 };

static const char *path_of_input(void)
{
	static char path[64];

	if (!*path)
		snprintf(path, sizeof path, "/tmp/portside-fuzz-%d.db", (int)getpid());
	return path;
}

static void write_input(const char *path, const uint8_t *data, size_t n)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	if (fd < 0 || fs_write_all(fd, data, n) < 0)
		abort();
	close(fd);
}

/* It ends, whatever it is; a second look finds nothing that the first did not. */
static void read_run(const char *path, const struct curve_format *format, const char *run)
{
	struct curve_options options = { .store_run = run };
	struct curve_file *f = curve_file_new_as(path, format, &options);
	int rc, calls = 0;

	while ((rc = curve_file_refresh(f, NULL)) == CURVE_MORE)
		if (++calls > CALLS_MAX)
			abort();
	if (rc < 0 && !f->error_text)
		abort();
	curve_file_free(f);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	const char *path = path_of_input();
	const struct curve_format *format;
	struct store_runs runs = STORE_RUNS_INIT;

	write_input(path, data, n);
	format = curve_format_recognise(path);
	if (format && format->list_runs) {
		if (format->list_runs(&runs, path, NULL) < 0)
			err_clear();
		for (size_t i = 0; i < runs.n && i < 3; i++)
			read_run(path, format, runs.list[i].id);
		read_run(path, format, NULL);
	}
	store_runs_release(&runs);
	unlink(path);
	return 0;
}
