/* preferences - see preferences.h. */
#include "config.h"

#include "command/preferences.h"

#include <string.h>

#include "base/conf.h"
#include "base/err.h"
#include "workspace/user_config.h"

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
