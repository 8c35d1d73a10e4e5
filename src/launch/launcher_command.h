/*
 * launcher_command - an operation of a launcher as an argument vector.
 *
 * One element for each `arg`, in the order of the file, with its values put in; an
 * `optional` whose value is empty is left out.  No shell sees any of them: here execve
 * does, and on a host remote_host.h hands them over as lines.  So an argument may hold
 * every byte but NUL, and for a host no line feed.
 *
 *	struct launcher_command c;
 *
 *	if (launcher_command_make(&c, operation, &values, &arena) < 0)
 *		return err_prefix("launcher %s: ", file->name);
 */
#ifndef PORTSIDE_LAUNCH_LAUNCHER_COMMAND_H
#define PORTSIDE_LAUNCH_LAUNCHER_COMMAND_H

#include "base/mem.h"
#include "launch/environment.h"
#include "launch/launcher_file.h"
#include "launch/launcher_values.h"

struct launcher_command {
	char **argv;		/* NULL-terminated, at least one */
	const char *input;	/* a file for standard input; NULL: empty */
};

/* In A.  ERR_USAGE when the program's name comes out empty. */
int launcher_command_make(struct launcher_command *out, const struct launcher_operation *o,
	const struct launcher_values *v, struct arena *a) ATTR_MUST_USE;

/* FROM (an environ) without what the file unsets, with what it sets, and LC_ALL=C, so
 * that words and patterns meet. */
void launcher_command_environment(
	struct environment *out, const struct launcher_file *f, char *const *from);

#endif
