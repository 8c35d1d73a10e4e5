/* user_config - see user_config.h. */
#include "config.h"

#include "workspace/user_config.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/fs.h"
#include "store/conffile.h"

/* Every key; CHOICES NULL: any text. */
static const struct { const char *section, *key, *choices; } keys[] = {
	{ "user", "name", NULL },
	{ "ui", "color", "auto always never" },
	{ "ui", "background", "light dark" },
	{ "ui", "ascii", "yes no true false" },
	{ "ui", "emoji", "yes no true false" },
	{ "ui", "mouse", "yes no true false" },
	{ "ui", "copy-command", NULL },
	{ "ui", "editor", NULL },
	{ "ui", "run-columns", NULL },
	{ "study", "migration", NULL },
};

/* Its keys are operations, which judge them: command/keymap.h. */
static const char bindings[] = "keys";

static bool is_choice(const char *choices, const char *value)
{
	size_t n = strlen(value);

	for (const char *s = choices; *s; s += strcspn(s, " "), s += *s == ' ')
		if (strcspn(s, " ") == n && memcmp(s, value, n) == 0)
			return true;
	return false;
}

const char *user_config_mistakes(struct arena *a, const struct conf *c)
{
	for (size_t i = 0; i < c->n; i++) {
		const struct conf_entry *e = &c->entries[i];
		size_t k = 0;

		if (*e->name)
			return arena_printf(a, "line %d: [%s \"%s\"] is no section; it is [%s]",
				e->line, e->section, e->name, e->section);
		if (strcmp(e->section, bindings) == 0)
			continue;
		while (k < ARRAY_LEN(keys) &&
			(strcmp(keys[k].section, e->section) != 0 ||
				strcmp(keys[k].key, e->key) != 0))
			k++;
		if (k == ARRAY_LEN(keys))
			return arena_printf(a, "line %d: %s.%s is no key; see FILES in portside(1)",
				e->line, e->section, e->key);
		if (keys[k].choices && !is_choice(keys[k].choices, e->value))
			return arena_printf(a, "line %d: %s.%s is one of: %s", e->line, e->section,
				e->key, keys[k].choices);
	}
	return "";
}

char *user_config_path(struct arena *a)
{
	const char *given = getenv("PORTSIDE_CONFIG"), *xdg = getenv("XDG_CONFIG_HOME"),
		   *home = getenv("HOME");

	if (given && *given)
		return arena_strdup(a, given);
	if (xdg && *xdg == '/')
		return fs_join(a, xdg, "portside/config");
	return fs_join(a, home && *home ? home : "/", ".config/portside/config");
}

int user_config_read(struct conf *out)
{
	struct arena a = ARENA_INIT;
	char *path = user_config_path(&a);
	int rc = fs_exists(path) ? conffile_read(out, path) : 0;

	arena_release(&a);
	return rc;
}

const char *user_config_text(struct arena *a, const char *section, const char *key)
{
	struct conf conf = CONF_INIT;
	const struct conf_entry *e = NULL;
	const char *value = NULL;

	if (user_config_read(&conf) < 0)
		err_clear();
	else
		e = conf_find(&conf, section, "", key);
	if (e)
		value = arena_strdup(a, e->value);
	conf_release(&conf);
	return value;
}
