/*
 * payload - argv and environment of a run, handed on through memory.
 *
 * An anonymous file (memfd) that the launcher writes and its supervisor reads.
 * So neither a secret nor an argument is ever in a file, in an argument list
 * or in the environment of the supervisor.  Every byte but NUL survives.
 */
#ifndef PORTSIDE_LAUNCH_PAYLOAD_H
#define PORTSIDE_LAUNCH_PAYLOAD_H

#include "base/mem.h"

struct payload {
	char **argv;		/* NULL-terminated, at least one */
	char **env;		/* NAME=VALUE, NULL-terminated */
};

/* *FD is close-on-exec and at offset 0. */
int payload_write(int *fd, char *const *argv, char *const *env) ATTR_MUST_USE;
int payload_read(struct payload *out, struct arena *a, int fd) ATTR_MUST_USE;

#endif
