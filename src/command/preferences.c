/* preferences - see preferences.h. */
#include "config.h"

#include "command/preferences.h"

#include <stdlib.h>
#include <string.h>

#include "base/conf.h"
#include "base/err.h"
#include "base/fs.h"
#include "workspace/user_config.h"

enum { COLUMNS_BYTES_MAX = 8192 };

static bool is_yes(const struct conf *c, const char *key)
{
	const struct conf_entry *e = conf_find(c, "ui", "", key);

	return e && (strcmp(e->value, "yes") == 0 || strcmp(e->value, "true") == 0);
}

/* NULL when it is not set, or set to nothing. */
static const char *text_of(struct arena *a, const struct conf *c, const char *key)
{
	const struct conf_entry *e = conf_find(c, "ui", "", key);

	return e && e->value[strspn(e->value, " \t")] ? arena_strdup(a, e->value) : NULL;
}

static const char *color_of(struct arena *a, const struct conf *c)
{
	const char *color = text_of(a, c, "color");

	return color && (strcmp(color, "always") == 0 || strcmp(color, "never") == 0) ? color
										      : "auto";
}

/* ---- what the program remembers --------------------------------------------------------- */

static char *columns_path(struct arena *a)
{
	const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");

	if (state && *state == '/')
		return fs_join(a, state, "portside/run-columns");
	return fs_join(a, home && *home == '/' ? home : "/", ".local/state/portside/run-columns");
}

const char *preferences_run_columns(struct arena *a)
{
	struct buf text = BUF_INIT;
	const char *columns = NULL;

	if (fs_read(&text, columns_path(a), COLUMNS_BYTES_MAX) == 0) {
		buf_trim_end(&text);
		/* An empty line was chosen, too: the usual columns. */
		if (!text.n)
			columns = "";
		else if (!memchr(text.s, '\n', text.n))
			columns = arena_strndup(a, text.s, text.n);
	}
	err_clear();
	buf_release(&text);
	if (!columns)
		columns = user_config_text(a, "ui", "run-columns");
	return columns ? columns : "";
}

int preferences_keep_run_columns(const char *columns)
{
	struct arena a = ARENA_INIT;
	char *path = columns_path(&a), *line = arena_printf(&a, "%s\n", columns);
	int rc = fs_mkdirs(fs_dirname(&a, path), 0700);

	if (rc == 0)
		rc = fs_write_durable(path, line, strlen(line), 0600);
	arena_release(&a);
	return rc;
}

/* ---- what the person wrote --------------------------------------------------------------- */

struct preferences preferences_read(struct arena *a)
{
	struct preferences p = { .color = "auto", .trouble = "" };
	struct conf c = CONF_INIT;

	if (user_config_read(&c) < 0) {
		p.trouble = arena_strdup(a, err_text());
		err_clear();
	} else {
		p = (struct preferences){
			.color = color_of(a, &c),
			.background = text_of(a, &c, "background"),
			.ascii = is_yes(&c, "ascii"),
			.emoji = is_yes(&c, "emoji"),
			.mouse = is_yes(&c, "mouse"),
			.copy_command = text_of(a, &c, "copy-command"),
			.editor = text_of(a, &c, "editor"),
			.trouble = user_config_mistakes(a, &c),
		};
		if (*p.trouble)
			p.trouble = arena_printf(a, "%s %s", user_config_path(a), p.trouble);
	}
	conf_release(&c);
	return p;
}
