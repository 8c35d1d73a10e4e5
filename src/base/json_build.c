/* json_build - see json_build.h. */
#include "config.h"

#include "base/json_build.h"

#include <string.h>

static struct json *node_new(struct arena *a, enum json_type type, const char *key)
{
	struct json *j = ARENA_NEW(a, struct json);

	*j = (struct json){ .type = type, .key = key, .key_n = key ? strlen(key) : 0 };
	return j;
}

struct json *json_new_object(struct arena *a, const char *key)
{
	return node_new(a, JSON_OBJECT, key);
}

struct json *json_new_list(struct arena *a, const char *key)
{
	return node_new(a, JSON_ARRAY, key);
}

struct json *json_new_text(struct arena *a, const char *key, const char *text)
{
	struct json *j = node_new(a, JSON_STRING, key);

	j->text = text;
	j->text_n = strlen(text);
	return j;
}

struct json *json_copy(struct arena *a, const struct json *j)
{
	struct json *copy = arena_memdup(a, j, sizeof *j);

	copy->next = NULL;
	return copy;
}

struct json *json_append(struct json *parent, struct json *child)
{
	struct json **tail = &parent->first;

	while (*tail)
		tail = &(*tail)->next;
	*tail = child;
	parent->count++;
	return child;
}
