/*
 * program - what concerns the program itself: showing a view, completion, and
 * whether everything that it needs is here.
 *
 * `show`, `completion` and `complete` have no RUN: the first needs the screen's
 * layer, the others the command line's own options, so those layers perform them.
 */
#include "config.h"

#include "command/groups.h"

static const struct argument show_arguments[] = {
	{ "view", ARGUMENT_TEXT, "attempts, diff, runs, curves, journal, study", true, false, NULL,
		NULL },
	{ "--size", ARGUMENT_TEXT, "columns and rows: 100x30", false, false, NULL, "80x24" },
	{ 0 },
};
static const struct argument completion_arguments[] = {
	{ "shell", ARGUMENT_WORD, "for which shell", true, false, "bash zsh fish", NULL },
	{ 0 },
};
static const struct argument complete_arguments[] = {
	{ "word", ARGUMENT_REST, "what was typed; the last is unfinished", false, false, NULL,
		NULL },
	{ 0 },
};

const struct operation program_operations[] = {
	{ "show", NULL, 0, "draw one view as text, without a terminal",
		OPERATION_CLI | OPERATION_NO_WORKSPACE, show_arguments, NULL, 0 },
	{ "completion", NULL, 0, "print the completion of a shell",
		OPERATION_CLI | OPERATION_NO_WORKSPACE, completion_arguments, NULL, 0 },
	{ "complete", NULL, 0, "what may stand next on a command line, for shells",
		OPERATION_CLI | OPERATION_NO_WORKSPACE | OPERATION_INTERNAL, complete_arguments,
		NULL, 0 },
	{ 0 },
};
