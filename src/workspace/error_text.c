/* error_text - see error_text.h. */
#include "config.h"

#include "workspace/error_text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "evidence/triage.h"
#include "workspace/signature_sources.h"

/* Whole phrases that no healthy training prints. */
static const char *const phrases[] = {
	"Traceback (most recent call last):",
	"torch.cuda.OutOfMemoryError",
	"RESOURCE_EXHAUSTED: ",
	"Segmentation fault",
	"Fatal Python error:",
	"terminate called after throwing",
};

enum { CHUNK = 256 * 1024 };

/* ---- the verdict of triage ------------------------------------------------------------ */

/* A hole of a sparse file holds NUL bytes only: no text and no line. */
static void skip_hole(int fd)
{
	off_t at = lseek(fd, 0, SEEK_CUR), data = at < 0 ? -1 : lseek(fd, at, SEEK_DATA);

	if (at < 0)
		return;
	if (data < 0 && errno == ENXIO)
		(void)lseek(fd, 0, SEEK_END);
	else
		(void)lseek(fd, data > at ? data : at, SEEK_SET);
}

static int read_all(struct log_scan *s, int fd, const char *path)
{
	char *chunk = xmalloc(CHUNK);
	ssize_t n = 1;

	while (n != 0) {
		skip_hole(fd);
		n = read(fd, chunk, CHUNK);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			break;
		log_scan_feed(s, chunk, (size_t)n);
	}
	free(chunk);
	return n < 0 ? err_errno(ERR_IO, "%s", path) : 0;
}

static int64_t line_of_error(const struct signature_catalogue *c, struct log_scan *s,
	const struct error_text_question *q, struct arena *a)
{
	struct triage_input in = { .catalogue = c, .findings = log_scan_findings(s),
		.end = q->exit_known ? TRIAGE_ENDED : TRIAGE_END_UNKNOWN,
		.exit_status = q->exit_status,
		.target = q->target == TARGET_TPU ? TRIAGE_TPU :
			q->target == TARGET_GPU	  ? TRIAGE_GPU :
						    TRIAGE_TARGET_UNKNOWN };
	struct triage_verdict verdict;

	triage(&verdict, &in, a);
	return verdict.error_line;
}

static enum seen look(int64_t *line, const struct signature_catalogue *c, int fd,
	const struct error_text_question *q, struct arena *a)
{
	struct log_scan *s = log_scan_new(c, 0);
	enum seen seen = SEEN_UNKNOWN;

	if (read_all(s, fd, q->log_path) == 0) {
		*line = line_of_error(c, s, q, a);
		seen = *line ? SEEN_YES : SEEN_NO;
	}
	log_scan_free(s);
	return seen;
}

enum seen error_text_find(int64_t *line, struct workspace *ws,
	const struct error_text_question *q, struct arena *a)
{
	int fd = open(q->log_path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW | O_NONBLOCK);
	struct signature_catalogue *c = NULL;
	enum seen seen = SEEN_UNKNOWN;

	*line = 0;
	if (fd < 0) {
		(void)err_errno(ERR_IO, "%s", q->log_path);
		return SEEN_UNKNOWN;
	}
	if (signature_sources_read(&c, ws, NULL, a) == 0)
		seen = look(line, c, fd, q, a);
	signature_catalogue_free(c);
	close(fd);
	return seen;
}

/* ---- a place to look at --------------------------------------------------------------- */

const char *error_text_in(const char *s, size_t n)
{
	const char *first = NULL;

	for (size_t i = 0; i < ARRAY_LEN(phrases); i++) {
		const char *at = memmem(s, n, phrases[i], strlen(phrases[i]));

		if (at && (!first || at < first))
			first = at;
	}
	return first;
}
