/* user_config - see user_config.h. */
#include "config.h"

#include "workspace/user_config.h"

#include <stdlib.h>

#include "base/err.h"
#include "base/fs.h"
#include "store/conffile.h"

char *user_config_path(struct arena *a)
{
	const char *given = getenv("PORTSIDE_CONFIG"), *xdg = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");

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
