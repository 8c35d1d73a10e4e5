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

enum seen error_text_find(const char *log_path, int64_t *line)
{
	int fd = open(log_path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	char *chunk;
	size_t kept = 0;
	int64_t lines = 1;
	enum seen seen = SEEN_NO;

	if (fd < 0)
		return SEEN_UNKNOWN;
	chunk = xmalloc(CHUNK);
	for (;;) {
		ssize_t k = read(fd, chunk + kept, CHUNK - kept);
		const char *at;
		size_t n, keep;

		if (k < 0 && errno == EINTR)
			continue;
		if (k < 0)
			seen = SEEN_UNKNOWN;
		if (k <= 0)
			break;
		n = kept + (size_t)k;
		at = find_first(chunk, n);
		if (at) {
			seen = SEEN_YES;
			if (line)
				*line = lines + count_lines(chunk, at);
			break;
		}
		keep = n < OVERLAP ? n : OVERLAP;
		lines += count_lines(chunk, chunk + (n - keep));
		memmove(chunk, chunk + n - keep, keep);
		kept = keep;
	}
	free(chunk);
	close(fd);
	return seen;
}
