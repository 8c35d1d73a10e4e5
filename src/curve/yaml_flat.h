/*
 * yaml_flat - the settings in a YAML file of the plain kind that trackers write.
 *
 * Maps nested by indentation become dotted names; a list stays the text of its
 * items, parted by commas; scalars lose their quotes, and a comment behind them.
 * Anchors, aliases, tags, block texts and several documents are not interpreted: what
 * cannot be read is left out and counted.  Nothing is executed or expanded, so a
 * small file stays small.
 *
 *	size_t left = yaml_flat_read(&settings, "", text.s, text.n);
 */
#ifndef PORTSIDE_CURVE_YAML_FLAT_H
#define PORTSIDE_CURVE_YAML_FLAT_H

#include <stddef.h>
#include <stdint.h>

#include "curve/settings.h"

enum { YAML_FLAT_DEPTH_MAX = 32, YAML_FLAT_BYTES_MAX = 1024 * 1024 };

/* Called with each setting in the order of the file, and its line, from 1.  Of a list it
 * is called with each item, which has its number from 0; other values have -1. */
typedef void yaml_flat_fn(void *user, const char *name, size_t name_n, const char *value,
	size_t value_n, int64_t line, int item);

/* Names get PREFIX before them.  Returns how many lines were left out. */
size_t yaml_flat_each(yaml_flat_fn *take, void *user, const char *prefix, const char *p, size_t n);
/* The same into OUT, where a list is one text. */
size_t yaml_flat_read(struct settings *out, const char *prefix, const char *p, size_t n);

/* The file at PATH; one that is missing has no settings.  0, ERR_IO or ERR_PARSE. */
int yaml_flat_load(struct settings *out, const char *prefix, const char *path)
	__attribute__((warn_unused_result));

#endif
