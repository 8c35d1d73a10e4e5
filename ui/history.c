/* history - the lines that were typed before, see prompt.h. */
#include "config.h"

#include "ui/prompt.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/fs.h"
#include "base/text.h"

enum { HISTORY_FILE_MAX = 1024 * 1024 };

void history_add(struct prompt_history *h, const char *line)
{
	if (!*line || (h->n && strcmp(h->lines[h->n - 1], line) == 0))
		return;
	if (h->n == PROMPT_HISTORY_MAX) {
		free(h->lines[0]);
		memmove(h->lines, h->lines + 1, (h->n - 1) * sizeof *h->lines);
		h->n--;
	}
	ARRAY_GROW(h->lines, h->n, h->cap);
	h->lines[h->n++] = xstrdup(line);
}

void history_release(struct prompt_history *h)
{
	for (size_t i = 0; i < h->n; i++)
		free(h->lines[i]);
	free(h->lines);
	memset(h, 0, sizeof *h);
}

int history_load(struct prompt_history *h, const char *path)
{
	struct buf b = BUF_INIT;
	char *save = NULL;
	int rc = fs_read(&b, path, HISTORY_FILE_MAX);

	if (rc == ERR_NOT_FOUND) {
		err_clear();
		rc = 0;
	}
	if (rc < 0 || !b.n) {
		buf_release(&b);
		return rc;
	}
	for (char *s = strtok_r(b.s, "\n", &save); s; s = strtok_r(NULL, "\n", &save)) {
		struct buf clean = BUF_INIT;

		text_sanitise(&clean, s, strlen(s));
		history_add(h, clean.s);
		buf_release(&clean);
	}
	buf_release(&b);
	return 0;
}

int history_save(const struct prompt_history *h, const char *path)
{
	struct arena a = ARENA_INIT;
	struct buf b = BUF_INIT;
	int rc;

	for (size_t i = 0; i < h->n; i++)
		buf_addf(&b, "%s\n", h->lines[i]);
	rc = fs_mkdirs(fs_dirname(&a, path), 0700);
	if (rc == 0)
		rc = fs_write_durable(path, b.s, b.n, 0600);
	arena_release(&a);
	buf_release(&b);
	return rc;
}
