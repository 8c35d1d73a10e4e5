/*
 * err - errors as values with a sentence for a person.
 *
 * A function that can fail returns 0 or a negative enum err and sets the
 * thread's sentence where the fact is known: what, where, what to do.  Callers
 * add context with err_prefix() and never replace it.  Only src/cli/ and the
 * screen's message line print it.  A worker job copies it into its result,
 * since the sentence belongs to the thread.
 *
 *	if (open_it(path) < 0)
 *		return err_prefix("curve file: ");
 *	...
 *	return err_set(ERR_PARSE, "%s:%d: no value; write key = value", path, line);
 */
#ifndef PORTSIDE_BASE_ERR_H
#define PORTSIDE_BASE_ERR_H

#include "base/mem.h"

enum err {
	ERR_OK = 0,
	ERR_IO = -1,		/* a file, a disk, a process */
	ERR_GIT = -2,		/* the repository */
	ERR_DB = -3,		/* the database */
	ERR_PARSE = -4,		/* input that cannot be read */
	ERR_NOT_FOUND = -5,
	ERR_EXISTS = -6,
	ERR_STATE = -7,		/* not possible now, and why */
	ERR_REFUSED = -8,	/* not allowed for this actor, and why */
	ERR_CANCELLED = -9,
	ERR_USAGE = -10,
	ERR_NEWER = -11,	/* written by a newer portside */
	ERR_DAMAGED = -12,	/* a file of ours does not verify */
	ERR_BUSY = -13,		/* another process holds it; try again */
};

/* Sets the sentence; returns CODE.  Control characters in it are made visible. */
int err_set(enum err code, const char *fmt, ...) ATTR_PRINTF(2, 3);

/* As err_set(), with ": " and strerror(errno) at the end. */
int err_errno(enum err code, const char *fmt, ...) ATTR_PRINTF(2, 3);

/* Puts context before the sentence; returns the code that was set last. */
int err_prefix(const char *fmt, ...) ATTR_PRINTF(1, 2);

/* Borrowed: valid until the thread's next err_ call.  "" when there is none. */
const char *err_text(void);
int err_code(void);
void err_clear(void);

/* A word for --json: "io", "git", "not-found", ... */
const char *err_name(int code);

#endif
