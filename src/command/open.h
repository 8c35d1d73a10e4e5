/*
 * open - opening a migration for a front end that may not see the workspace.
 *
 * The one place where it is decided how an actor gets at the log: a person and
 * the program's own observations read and write it, after taking in what waits
 * in the spool; a coding agent (domain/authority.h) reads it, and what it
 * asserts through operations marked OPERATION_SPOOLS waits in the spool.
 */
#ifndef PORTSIDE_COMMAND_OPEN_H
#define PORTSIDE_COMMAND_OPEN_H

#include <stdbool.h>

#include "base/event.h"
#include "command/operation.h"

struct open_options {
	const char *directory;
	const char *position;	/* an event's place or the first digits of its id; NULL: now */
	bool read_only;
	bool as_it_is;		/* for a first frame: builds no views, takes no spool in */
};

struct opened {
	struct workspace *workspace;
	bool has_position;
	struct position position;
	const char *note;	/* a sentence for people, or NULL; lives as WORKSPACE */
};

/* OUT is the caller's: opened_release(), also after an error. */
int open_migration(struct opened *out, const struct operation *o,
	const struct open_options *options) ATTR_MUST_USE;
void opened_release(struct opened *opened);

/* What jobs open for the same migration, as long as OPENED is open: see
 * workspace/workspace.h. */
const char *opened_again(const struct opened *opened);

/* Why nothing can be recorded here, whoever asks, as a sentence; NULL when it
 * can.  Known before anybody has filled in a form. */
const char *opened_refusal(const struct opened *opened);

/* The migration's name for a title line, in A. */
const char *open_title(struct workspace *ws, struct arena *a);

/* A position by its place ("141") or by its event's id ("a02e3f"). */
int open_position(struct position *out, struct workspace *ws, const char *text) ATTR_MUST_USE;

#endif
