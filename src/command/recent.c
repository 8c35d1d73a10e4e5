/* recent - see recent.h. */
#include "config.h"

#include "command/recent.h"

#include <stdlib.h>
#include <string.h>

#include "base/conf.h"
#include "base/err.h"
#include "base/fs.h"
#include "workspace/user_config.h"

enum { FILE_BYTES_MAX = 256 * 1024 };

static char *list_path(struct arena *a)
{
	const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");

	if (state && *state == '/')
		return fs_join(a, state, "portside/migrations");
	return fs_join(a, home && *home ? home : "/", ".local/state/portside/migrations");
}

struct paths { const char **list; size_t n, cap; };

static void add_once(struct paths *p, const char *path)
{
	for (size_t i = 0; i < p->n; i++)
		if (strcmp(p->list[i], path) == 0)
			return;
	ARRAY_GROW(p->list, p->n, p->cap);
	p->list[p->n++] = path;
}

static int read_opened(struct paths *p, struct arena *a)
{
	struct buf text = BUF_INIT;
	int rc = fs_read(&text, list_path(a), FILE_BYTES_MAX);

	if (rc == ERR_NOT_FOUND) {
		err_clear();
		rc = 0;
	}
	for (const char *s = text.s; rc == 0 && *s; ) {
		size_t n = strcspn(s, "\n");

		if (*s == '/')
			add_once(p, arena_strndup(a, s, n));
		s += n + (s[n] == '\n');
	}
	buf_release(&text);
	return rc;
}

static int read_own(struct paths *p, struct arena *a)
{
	struct conf conf = CONF_INIT;
	int rc = user_config_read(&conf);

	for (size_t i = 0; rc == 0 && i < conf.n; i++) {
		const struct conf_entry *e = &conf.entries[i];

		if (strcmp(e->section, "study") == 0 && strcmp(e->key, "migration") == 0 &&
			*e->value)
			add_once(p, fs_absolute(a, e->value));
	}
	conf_release(&conf);
	return rc;
}

int recent_remember(const char *directory)
{
	struct arena a = ARENA_INIT;
	struct paths p = { 0 };
	struct buf text = BUF_INIT;
	char *path = list_path(&a), *absolute = fs_absolute(&a, directory);
	int rc = 0;

	if (strchr(absolute, '\n'))		/* one path a line: such a one cannot be kept */
		goto out;
	add_once(&p, absolute);
	if ((rc = read_opened(&p, &a)) < 0)
		goto out;
	for (size_t i = 0; i < p.n && i < RECENT_MAX; i++)
		buf_addf(&text, "%s\n", p.list[i]);
	rc = fs_mkdirs(fs_dirname(&a, path), 0700);
	if (rc == 0)
		rc = fs_write_durable(path, text.s, text.n, 0600);
out:
	buf_release(&text);
	free(p.list);
	arena_release(&a);
	return rc;
}

int recent_list(const char ***out, size_t *n, struct arena *a)
{
	struct paths p = { 0 };
	int rc = read_own(&p, a);

	if (rc == 0)
		rc = read_opened(&p, a);
	*out = arena_alloc(a, (p.n + 1) * sizeof **out);
	*n = 0;
	for (size_t i = 0; i < p.n; i++)
		if (fs_exists(p.list[i]))
			(*out)[(*n)++] = p.list[i];
	free(p.list);
	return rc;
}
