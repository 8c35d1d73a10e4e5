/*
 * run_log - a run's log as windows of lines, whatever its size.
 *
 * A window is at most RUN_LOG_WINDOW bytes around a place, cut at ends of
 * lines, read by pread(); the rest of the file is never in memory.  A line ends
 * at LF, CR or CR LF (progress bars write CR), or after RUN_LOG_LINE bytes, so
 * that a log without any newline is shown too.  Places are byte offsets, which
 * mean the same in every window.  A secret is shown as as many stars.
 *
 *	struct run_log_window *w;
 *
 *	if (run_log_read(&w, path, run_log_end(path), RUN_LOG_BEFORE) < 0)
 *		return -1;
 *	for (size_t i = 0; i < w->n_lines; i++)
 *		put(w->bytes + w->lines[i].at, w->lines[i].n);
 *	run_log_free(w);
 */
#ifndef PORTSIDE_COMMAND_RUN_LOG_H
#define PORTSIDE_COMMAND_RUN_LOG_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/mem.h"

struct workspace;

enum { RUN_LOG_WINDOW = 256 * 1024, RUN_LOG_LINE = 8 * 1024 };

struct run_log_line {
	uint32_t at, n;			/* bytes of the window, without the end */
	bool continued;			/* goes on with the line before */
	bool error;			/* holds an error's text, see workspace/error_text.h */
};

struct run_log_window {
	char *bytes;
	size_t n;
	int64_t offset;			/* of the window in the file */
	int64_t size;			/* of the file when it was read */
	struct run_log_line *lines;
	size_t n_lines;
};

/* What the window holds of the file around OFFSET. */
enum run_log_place { RUN_LOG_AROUND, RUN_LOG_BEFORE };

/* Path of the log of RUN below the folder of all runs, to be freed; the log may
 * not exist (yet). */
char *run_log_path(const char *runs_folder, const char *run);
int64_t run_log_size(const char *path);		/* -1: there is none */

/* ERR_NOT_FOUND, ERR_IO.  *OUT is the caller's. */
int run_log_read(struct run_log_window **out, const char *path, int64_t offset,
	enum run_log_place place) ATTR_MUST_USE;
void run_log_free(struct run_log_window *w);	/* NULL is fine */
/* Takes control sequences out of each line, as the search for signatures reads it. */
void run_log_clean(struct run_log_window *w);

/* Index of the line that holds OFFSET, or the nearest one; 0 in an empty window. */
size_t run_log_line_at(const struct run_log_window *w, int64_t offset);

/*
 * The place of the next (DIRECTION 1) or previous (-1) match from FROM on, in
 * *AT.  TEXT ignores the case of ASCII letters; NULL looks for an error's text.
 * Streams in constant memory, skips holes.  1 found, 0 not, ERR_CANCELLED.
 */
int run_log_find(int64_t *at, const char *path, int64_t from, int direction, const char *text,
		 const atomic_bool *cancel) ATTR_MUST_USE;

#endif
