/* error_text - see error_text.h. */
#include "config.h"

#include "workspace/error_text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"

/* Whole phrases that no healthy training prints. */
static const char *const phrases[] = {
	"Traceback (most recent call last):",
	"torch.cuda.OutOfMemoryError",
	"RESOURCE_EXHAUSTED: ",
	"Segmentation fault",
	"Fatal Python error:",
	"terminate called after throwing",
};

enum { CHUNK = 256 * 1024, OVERLAP = 64 };

static const char *find_first(const char *s, size_t n)
{
	const char *first = NULL;

	for (size_t i = 0; i < ARRAY_LEN(phrases); i++) {
		const char *at = memmem(s, n, phrases[i], strlen(phrases[i]));

		if (at && (!first || at < first))
			first = at;
	}
	return first;
}

static int64_t count_lines(const char *s, const char *end)
{
	int64_t n = 0;

	while ((s = memchr(s, '\n', (size_t)(end - s))) != NULL) {
		n++;
		s++;
	}
	return n;
}

/* The part of the file that is looked at, and how far the search has come. */
struct window {
	int fd;
	char *chunk;
	size_t kept;		/* bytes of the chunk before, for a phrase across the edge */
	int64_t lines;		/* number of the line that the chunk begins with, from 1 */
};

/* A hole of a sparse file holds NUL bytes only: no phrase and no line. */
static void skip_hole(struct window *w)
{
	off_t at = lseek(w->fd, 0, SEEK_CUR), data = at < 0 ? -1 : lseek(w->fd, at, SEEK_DATA);

	if (at < 0)
		return;
	if (data < 0 && errno == ENXIO) {
		(void)lseek(w->fd, 0, SEEK_END);
		return;
	}
	if (lseek(w->fd, data > at ? data : at, SEEK_SET) <= at)
		return;
	w->lines += count_lines(w->chunk, w->chunk + w->kept);
	w->kept = 0;
}

/* 1 found, 0 not yet, -1 at the end, -2 unreadable. */
static int step(struct window *w)
{
	ssize_t got = -1;
	const char *at;
	size_t n, keep;

	skip_hole(w);
	while (got < 0) {
		got = read(w->fd, w->chunk + w->kept, CHUNK - w->kept);
		if (got < 0 && errno != EINTR)
			return -2;
	}
	if (got == 0)
		return -1;
	n = w->kept + (size_t)got;
	at = find_first(w->chunk, n);
	if (at) {
		w->lines += count_lines(w->chunk, at);
		return 1;
	}
	keep = n < OVERLAP ? n : OVERLAP;
	w->lines += count_lines(w->chunk, w->chunk + (n - keep));
	memmove(w->chunk, w->chunk + n - keep, keep);
	w->kept = keep;
	return 0;
}

enum seen error_text_find(const char *log_path, int64_t *line)
{
	struct window w = { .fd = open(log_path,
				    O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW | O_NONBLOCK),
		.lines = 1 };
	int found;

	if (w.fd < 0)
		return SEEN_UNKNOWN;
	w.chunk = xmalloc(CHUNK);
	do
		found = step(&w);
	while (found == 0);
	if (found > 0 && line)
		*line = w.lines;
	free(w.chunk);
	close(w.fd);
	return found > 0 ? SEEN_YES : found == -1 ? SEEN_NO : SEEN_UNKNOWN;
}

const char *error_text_in(const char *s, size_t n)
{
	return find_first(s, n);
}
