/*
 * preferences - what the user's own configuration says about looks and about
 * programs that are called, for front ends that may not see the workspace.
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
	const char *background;	/* ui.background: "light", "dark"; NULL: nobody said */
	bool ascii;		/* ui.ascii */
	bool emoji;		/* ui.emoji: the terminal draws them two cells wide */
	bool mouse;		/* ui.mouse */
	/* ui.copy-command: words of a program that reads the text; NULL: OSC 52 */
	const char *copy_command;
	const char *editor;	/* ui.editor: words of a program; NULL: VISUAL, EDITOR, vi */
	const char *trouble;	/* a sentence about the file; "" when it is in order */
};

/* The columns of the run table: those that were chosen last on the screen, else
 * ui.run-columns of the user's configuration, else "": the usual ones.  In A. */
const char *preferences_run_columns(struct arena *a);
/* Remembers the choice among the program's own state; "" chooses the usual columns. */
int preferences_keep_run_columns(const char *columns) ATTR_MUST_USE;

/* Defaults where nothing is set, or where the file cannot be read (doctor says
 * why).  Texts in A. */
struct preferences preferences_read(struct arena *a);

#endif
