/*
 * recent - the migrations that were opened here, for the study's table.
 *
 * One absolute path a line in $XDG_STATE_HOME/portside/migrations, the last
 * opened first.  People's own configuration may name more ([study] migration =
 * PATH, which repeats); that file is never written.
 */
#ifndef PORTSIDE_COMMAND_RECENT_H
#define PORTSIDE_COMMAND_RECENT_H

#include <stddef.h>

#include "base/mem.h"

enum { RECENT_MAX = 40 };

/* Puts DIRECTORY first.  A list that cannot be written is an error that a caller
 * may well ignore. */
int recent_remember(const char *directory) ATTR_MUST_USE;

/* The user's own list first, then what was opened; each path once, those that
 * are gone left out.  In A. */
int recent_list(const char ***out, size_t *n, struct arena *a) ATTR_MUST_USE;

#endif
