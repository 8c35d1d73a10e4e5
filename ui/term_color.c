/* term_color - how many colours may be used, and whether text may be UTF-8; see term.h. */
#include "config.h"

#include "ui/term.h"

#include <langinfo.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_set(const char *name)
{
	const char *s = getenv(name);

	return s && *s;
}

static enum palette_depth depth_of_terminal(void)
{
	const char *term = getenv("TERM"), *color = getenv("COLORTERM");

	if (!term || !*term || strcmp(term, "dumb") == 0)
		return DEPTH_MONO;
	if (strstr(term, "256") || strstr(term, "direct") || (color && *color))
		return DEPTH_256;
	return strncmp(term, "vt1", 3) == 0 || strncmp(term, "vt2", 3) == 0 ? DEPTH_MONO : DEPTH_16;
}

enum palette_depth term_depth_of_stream(enum color_choice choice, int fd)
{
	enum palette_depth depth = depth_of_terminal();
	const char *force = getenv("CLICOLOR_FORCE");
	bool forced = force && *force && strcmp(force, "0") != 0;

	if (choice == COLOR_NEVER)
		return DEPTH_MONO;
	if (choice == COLOR_ALWAYS)
		return depth == DEPTH_MONO ? DEPTH_16 : depth;
	if (is_set("NO_COLOR"))
		return DEPTH_MONO;
	if (forced)
		return depth == DEPTH_MONO ? DEPTH_16 : depth;
	return isatty(fd) ? depth : DEPTH_MONO;
}

/* "15;0" or "0;default;15": the last number is the background, 7 and from 9 on light. */
static bool says_light(const char *colors)
{
	const char *last = colors ? strrchr(colors, ';') : NULL;
	long index = last && last[1] ? strtol(last + 1, NULL, 10) : 0;

	return index == 7 || (index >= 9 && index <= 15);
}

enum palette_depth term_depth_on(enum palette_depth depth, const char *background)
{
	bool light = background && strcmp(background, "light") == 0;
	bool dark = background && strcmp(background, "dark") == 0;

	if (depth != DEPTH_256 || dark)
		return depth;
	return light || says_light(getenv("COLORFGBG")) ? DEPTH_256_LIGHT : depth;
}

bool term_locale_is_utf8(void)
{
	return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}
