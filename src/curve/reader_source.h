/*
 * reader_source - bytes of a growing file through a window of bounded size.
 *
 * A reader asks for the bytes at an offset; the window is filled with pread()
 * in large pieces and moves forward.  A source over memory serves tests and
 * fuzzing.  The size is fixed while one call of a reader runs, so that a reader
 * sees one state of the file; a file that shrinks meanwhile gives short answers.
 */
#ifndef PORTSIDE_CURVE_READER_SOURCE_H
#define PORTSIDE_CURVE_READER_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	SOURCE_READ_BYTES = 128 * 1024,	/* of one pread() */
	SOURCE_WINDOW_MAX = 64 * 1024 * 1024,	/* the most that one request may ask for */
};

struct curve_source {
	int fd;			/* -1: memory only */
	int64_t size;		/* bytes there are in this call */
	const char *memory;	/* or NULL */
	char *window;
	size_t window_n, window_cap;
	int64_t window_at;	/* offset of window[0] */
	int error;		/* errno of the last failed read, 0: none */
};

void source_open_memory(struct curve_source *src, const void *p, size_t n);
void source_open_fd(struct curve_source *src, int fd, int64_t size);	/* FD stays the caller's */
void source_release(struct curve_source *src);

/*
 * The bytes at OFFSET; *N is how many are there: at least WANT, unless the file
 * ends before or WANT is over SOURCE_WINDOW_MAX.  0 at the end.  Borrowed until
 * the next request.
 */
const char *source_bytes(struct curve_source *src, int64_t offset, size_t want, size_t *n);

/* True when the N bytes at OFFSET are those at P; the window stays where it is. */
bool source_has(struct curve_source *src, int64_t offset, const char *p, size_t n);

#endif
