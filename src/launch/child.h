/*
 * child - starts the main process of a run, in two steps.
 *
 * child_fork() makes a process that waits; once the supervisor has recorded who
 * it is, child_release() lets it execute the program.  If the supervisor dies
 * between the two, the child sees its pipe closed and ends: no run can exist
 * that the status record does not name.
 *
 * The child leads its own session, has the default signals, no open file of
 * the supervisor, /dev/null as its input, and the log (O_APPEND) as its output:
 * no pipe lies between it and the log, so a supervisor that dies costs no byte
 * and raises no SIGPIPE.  Why it could not be executed comes back over a
 * close-on-exec pipe, so that "not found" is told from "exited with 127".
 */
#ifndef PORTSIDE_LAUNCH_CHILD_H
#define PORTSIDE_LAUNCH_CHILD_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/mem.h"

struct child_options {
	char *const *argv;	/* argv[0] is looked up in the PATH of ENV */
	char **env;
	const char *cwd;
	int log_fd;
};

struct child {
	pid_t pid;		/* 0 when there is none (any more) */
	int error;		/* errno of a failure, else 0 */
	const char *step;	/* of a failure: "fork", "chdir", "exec", ... */
	int go_fd, error_fd;	/* internal */
};

/* False, with error and step, when no process could be made. */
bool child_fork(struct child *out, const struct child_options *o);
/* True once the program runs; false when it could not, and pid is 0 then. */
bool child_release(struct child *c);

#endif
