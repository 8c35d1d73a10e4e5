/* reader_source - the window over a file or over memory. */
#include "config.h"

#include "curve/reader_source.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"

void source_open_memory(struct curve_source *src, const void *p, size_t n)
{
	*src = (struct curve_source){ .fd = -1, .memory = p, .size = (int64_t)n };
}

void source_open_fd(struct curve_source *src, int fd, int64_t size)
{
	char *window = src->window;
	size_t cap = src->window_cap;

	*src = (struct curve_source){ .fd = fd, .size = size, .window = window, .window_cap = cap };
}

void source_release(struct curve_source *src)
{
	free(src->window);
	*src = (struct curve_source){ .fd = -1 };
}

static size_t read_at(struct curve_source *src, char *to, size_t n, int64_t offset)
{
	size_t done = 0;

	while (done < n) {
		ssize_t got = pread(src->fd, to + done, n - done, (off_t)offset + (off_t)done);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			src->error = errno;
		if (got <= 0)
			break;
		done += (size_t)got;
	}
	return done;
}

/* Moves the window to OFFSET, keeping the bytes that it already holds. */
static void move_window(struct curve_source *src, int64_t offset)
{
	int64_t end = src->window_at + (int64_t)src->window_n;

	if (offset >= src->window_at && offset < end) {
		size_t drop = (size_t)(offset - src->window_at);

		memmove(src->window, src->window + drop, src->window_n - drop);
		src->window_n -= drop;
	} else {
		src->window_n = 0;
	}
	src->window_at = offset;
}

static void fill_window(struct curve_source *src, size_t want)
{
	size_t target = want > SOURCE_READ_BYTES ? want : SOURCE_READ_BYTES;
	int64_t left = src->size - src->window_at;

	if ((int64_t)target > left)
		target = (size_t)left;
	if (target <= src->window_n)
		return;
	if (src->window_cap < target) {
		src->window = xrealloc(src->window, target);
		src->window_cap = target;
	}
	src->window_n += read_at(src, src->window + src->window_n, target - src->window_n,
		src->window_at + (int64_t)src->window_n);
}

const char *source_bytes(struct curve_source *src, int64_t offset, size_t want, size_t *n)
{
	*n = 0;
	if (offset < 0 || offset >= src->size)
		return "";
	if (src->memory) {
		*n = (size_t)(src->size - offset);
		return src->memory + offset;
	}
	if (want > SOURCE_WINDOW_MAX)
		want = SOURCE_WINDOW_MAX;
	if (want < 1)
		want = 1;
	if (offset < src->window_at ||
		offset + (int64_t)want > src->window_at + (int64_t)src->window_n) {
		move_window(src, offset);
		fill_window(src, want);
	}
	if (offset - src->window_at >= (int64_t)src->window_n)
		return "";
	*n = src->window_n - (size_t)(offset - src->window_at);
	return src->window + (offset - src->window_at);
}

bool source_has(struct curve_source *src, int64_t offset, const char *p, size_t n)
{
	char piece[4096];
	size_t part;

	if (offset < 0 || offset > src->size || n > (uint64_t)(src->size - offset))
		return false;
	if (src->memory)
		return memcmp(src->memory + offset, p, n) == 0;
	for (; n; n -= part, p += part, offset += (int64_t)part) {
		part = n < sizeof piece ? n : sizeof piece;
		if (read_at(src, piece, part, offset) < part || memcmp(piece, p, part) != 0)
			return false;
	}
	return true;
}
