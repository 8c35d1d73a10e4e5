/*
 * remote_host - a command on another machine, through the ssh program.
 *
 * The user's own keys, configuration and known hosts hold; nothing is ever asked: a host
 * whose key is not known yet, or a key that wants a passphrase, is a sentence and not a
 * prompt.  Connections are shared: the first command of a minute logs in, the others take
 * some milliseconds.
 *
 * The arguments do not pass a shell.  ssh joins its own with blanks and the login shell
 * of the host reads them again, so what stands there is always the same text of ours: it
 * reads the number of arguments and then each of them, a line each, from its standard
 * input, and executes them.  What comes behind the last line is the standard input of the
 * command.  Hence an argument may hold any byte but NUL and line feed.
 *
 *	struct remote_call call;
 *
 *	if (remote_call_make(&call, &host, argv, &arena) < 0)
 *		return err_prefix("%s: ", host.name);
 *	run.path = call.program;
 *	run.argv = call.argv;
 *	run.in = call.head.s;
 *	run.in_n = call.head.n;
 *
 * An exit status of 255 is ssh's own as well as a command's: it alone says nothing about
 * a job.  Killing the ssh here does not end what runs there.
 */
#ifndef PORTSIDE_LAUNCH_REMOTE_HOST_H
#define PORTSIDE_LAUNCH_REMOTE_HOST_H

#include "base/buf.h"
#include "base/mem.h"

enum { REMOTE_HOST_BYTES_MAX = 255, REMOTE_CONTROL_BYTES_MAX = 46, REMOTE_CONNECT_S = 5 };

struct remote_host {
	const char *name;		/* "user@host", or an alias of the user's configuration */
	const char *configuration;	/* for ssh -F; NULL: the user's own */
	const char *control;		/* folder of shared connections; NULL: none are shared */
};

struct remote_call {
	const char *program;		/* path of ssh */
	char **argv;
	struct buf head;		/* what its standard input begins with; yours */
};

/* ERR_USAGE: empty, too long, a byte that no host's name has, a leading minus sign. */
int remote_host_check(const char *name) ATTR_MUST_USE;

/*
 * The folder of shared connections, made with mode 0700: in XDG_RUNTIME_DIR, else in the
 * folder of temporary files.  NULL when none is ours alone, or short enough for the name
 * of a socket: then nothing is shared, and everything still works.  In A.
 */
char *remote_host_control_folder(struct arena *a);

/* ERR_NOT_FOUND without an ssh program, ERR_USAGE for an argument with a line feed. */
int remote_call_make(struct remote_call *out, const struct remote_host *h, char *const *argv,
	struct arena *a) ATTR_MUST_USE;
void remote_call_release(struct remote_call *c);

#endif
