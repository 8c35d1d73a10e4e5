/* preferences - see preferences.h. */
#include "config.h"

#include "command/preferences.h"

#include <string.h>

#include "workspace/user_config.h"

static bool is_yes(const char *value)
{
	return value && (strcmp(value, "yes") == 0 || strcmp(value, "true") == 0);
}

struct preferences preferences_read(struct arena *a)
{
	const char *color = user_config_text(a, "ui", "color");
	struct preferences p = { .color = "auto", .ascii = is_yes(user_config_text(a, "ui", "ascii")) };

	if (color && (strcmp(color, "always") == 0 || strcmp(color, "never") == 0))
		p.color = color;
	return p;
}
