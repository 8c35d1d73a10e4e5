/*
 * environment - what is recorded of an environment, and what never is.
 *
 * Recorded are the names of an allow-list (PATH, TZ, TPU_*, XLA_*, ...) and
 * those that portside.conf adds.  A name that looks like a secret
 * (redact_secret_name()) is never recorded, even where a wildcard allows it.
 */
#ifndef PORTSIDE_LAUNCH_ENVIRONMENT_H
#define PORTSIDE_LAUNCH_ENVIRONMENT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/mem.h"

/* NAME=VALUE strings, owned; ITEMS ends with NULL. */
struct environment {
	char **items;
	size_t n, cap;
};
#define ENVIRONMENT_INIT { NULL, 0, 0 }
void environment_release(struct environment *e);

bool environment_name_valid(const char *name, size_t n);	/* [A-Za-z_][A-Za-z0-9_]* */
/* EXTRA: further names or globs, NULL-terminated or NULL. */
bool environment_name_recorded(const char *name, const char *const *extra);

/* Both replace a value that is there. */
void environment_set(struct environment *e, const char *name, const char *value);
void environment_put(struct environment *e, const char *name_value);
const char *environment_get(const struct environment *e, const char *name);	/* or NULL */

/* Adds what may be recorded of FROM (an environ), or with ALL everything. */
void environment_capture(struct environment *e, char *const *from, const char *const *extra,
	bool all);

/* NUL-separated, sorted by name: the form of the file `env`. */
void environment_write(struct buf *out, const struct environment *e);

#endif
