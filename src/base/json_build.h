/*
 * json_build - a tree of json.h that is made by hand, as the data of an event is.
 *
 * All of it lies in the arena; keys and texts are borrowed and must live as long.
 *
 *	struct json *data = json_new_object(&a, NULL);
 *	struct json *list = json_append(data, json_new_list(&a, "loosened"));
 *
 *	json_append(list, json_new_text(&a, NULL, "goal.accuracy.margin"));
 *
 * What event_data() gives is added to through json_copy().
 */
#ifndef PORTSIDE_BASE_JSON_BUILD_H
#define PORTSIDE_BASE_JSON_BUILD_H

#include "base/json.h"

/* KEY is NULL for what is no member of an object. */
struct json *json_new_object(struct arena *a, const char *key);
struct json *json_new_list(struct arena *a, const char *key);
struct json *json_new_text(struct arena *a, const char *key, const char *text);

/* The node alone: children are shared until one is appended. */
struct json *json_copy(struct arena *a, const struct json *j);

/* CHILD, which has no sibling yet, as the last of PARENT's; returns CHILD.  Walks the
 * children: for lists that a person could read. */
struct json *json_append(struct json *parent, struct json *child);

#endif
