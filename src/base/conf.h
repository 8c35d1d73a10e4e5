/*
 * conf - the entries of a git-config style file, in order, with their lines.
 *
 * A plain list that the reader in store/ fills (with libgit2) and that
 * domain/ and launch/ give types to.  Section and key are lower case as git
 * folds them; the subsection keeps its case.
 */
#ifndef PORTSIDE_BASE_CONF_H
#define PORTSIDE_BASE_CONF_H

#include <stddef.h>

#include "base/mem.h"

struct conf_entry {
	const char *section;	/* "target" */
	const char *name;	/* subsection, "" when there is none */
	const char *key;	/* "price" */
	const char *value;	/* "" for a key without "=" */
	int line;		/* from 1 */
};

struct conf {
	struct arena arena;
	const char *path;	/* as shown in messages */
	struct conf_entry *entries;
	size_t n, cap;
};

#define CONF_INIT { .arena = ARENA_INIT }

void conf_release(struct conf *c);
void conf_add(struct conf *c, const char *section, const char *name, const char *key,
	const char *value, int line);

/* The last value, as git reads it; NULL when there is none. */
const struct conf_entry *conf_find(
	const struct conf *c, const char *section, const char *name, const char *key);

#endif
