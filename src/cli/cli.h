/*
 * cli - the command line: words in, typed rows out.
 *
 *	portside [OPTION...] [COMMAND [ARGUMENT...]]
 *
 * Data goes to stdout, talk to stderr.  Exit status: 0 yes or done, 1 a check
 * said no, 2 usage, 3 the environment (a file, the repository, a refusal), 130
 * cancelled; a wrapped command's own.  Never asks a question.
 *
 * The layer does not know the screen: main.c hands in how to open it.
 */
#ifndef PORTSIDE_CLI_CLI_H
#define PORTSIDE_CLI_CLI_H

#include <stdbool.h>

#include "command/operation.h"

enum cli_format { FORMAT_TEXT, FORMAT_JSON, FORMAT_CSV, FORMAT_MARKDOWN };

struct cli_options {
	const char *directory;		/* -C */
	const char *position;		/* --at: an event's place or id prefix; NULL: now */
	const char *program;		/* path of this program */
	enum cli_format format;
	bool read_only, ascii;
	const char *color;		/* auto, always, never */
	int width;			/* of text tables; 0: no limit */
	const char *view;		/* of the screen; NULL: attempts */
	const char *size;		/* of `show`: "100x30" */
};

/* What main.c provides.  Both return an exit status. */
struct cli_screen {
	int (*open)(const struct cli_options *o);
	int (*show)(const struct cli_options *o);
};

int cli_main(int argc, char **argv, const struct cli_screen *screen);

/* For an operation's own code: the exit status of an error. */
int cli_exit_status(int err);

#endif
