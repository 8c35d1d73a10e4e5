/*
 * screen - opens the workbench, or draws one view without a terminal.
 *
 * The bridge between the application (ui/app.h), which knows no command, and
 * the commands, which know no screen.
 */
#ifndef PORTSIDE_UI_SCREEN_H
#define PORTSIDE_UI_SCREEN_H

#include <stdbool.h>

#include "base/mem.h"

struct screen_options {
	const char *directory;
	const char *position;	/* NULL: now */
	const char *program;
	bool read_only, ascii;
	const char *color;	/* auto, always, never */
	const char *view;	/* NULL: attempts */
	const char *size;	/* of screen_show(): "100x30"; NULL: 80x24 */
};

/* Does not return, except with a negative enum err. */
int screen_run(const struct screen_options *o) ATTR_MUST_USE;

/* The view as text on stdout; on a terminal with colours. */
int screen_show(const struct screen_options *o) ATTR_MUST_USE;

#endif
