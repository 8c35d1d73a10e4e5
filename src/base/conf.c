/* conf - see conf.h. */
#include "config.h"

#include "base/conf.h"

#include <stdlib.h>
#include <string.h>

void conf_release(struct conf *c)
{
	free(c->entries);
	arena_release(&c->arena);
	memset(c, 0, sizeof *c);
}

void conf_add(struct conf *c, const char *section, const char *name, const char *key,
	const char *value, int line)
{
	struct conf_entry *e;

	ARRAY_GROW(c->entries, c->n, c->cap);
	e = &c->entries[c->n++];
	e->section = arena_strdup(&c->arena, section);
	e->name = arena_strdup(&c->arena, name ? name : "");
	e->key = arena_strdup(&c->arena, key);
	e->value = arena_strdup(&c->arena, value ? value : "");
	e->line = line;
}

const struct conf_entry *conf_find(
	const struct conf *c, const char *section, const char *name, const char *key)
{
	for (size_t i = c->n; i-- > 0; ) {
		const struct conf_entry *e = &c->entries[i];

		if (strcmp(e->section, section) == 0 && strcmp(e->name, name ? name : "") == 0 &&
		    strcmp(e->key, key) == 0)
			return e;
	}
	return NULL;
}
