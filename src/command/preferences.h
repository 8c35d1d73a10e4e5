/*
 * preferences - what the user's own configuration says about looks, for front
 * ends that may not see the workspace.
 *
 *	struct preferences p = preferences_read(&arena);
 *
 *	if (!color_was_given)
 *		color = p.color;
 */
#ifndef PORTSIDE_COMMAND_PREFERENCES_H
#define PORTSIDE_COMMAND_PREFERENCES_H

#include <stdbool.h>

#include "base/mem.h"

struct preferences {
	const char *color;	/* ui.color: "auto", "always", "never" */
	bool ascii;		/* ui.ascii */
};

/* Defaults where nothing is set, or where the file cannot be read (doctor says
 * why).  Texts in A. */
struct preferences preferences_read(struct arena *a);

#endif
