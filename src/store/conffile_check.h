/*
 * conffile_check - looks at git-config text before libgit2 reads it.
 *
 * Walks the grammar once: refuses what conffile.h lists, with the corrected
 * line, and notes the line of every entry.  Pure.
 */
#ifndef PORTSIDE_STORE_CONFFILE_CHECK_H
#define PORTSIDE_STORE_CONFFILE_CHECK_H

#include <stddef.h>

#include "base/mem.h"

struct conffile_lines {
	int *rows;			/* line of entry I, from 1; free() */
	size_t n, cap;
};

int conffile_check(
	struct conffile_lines *out, const char *path, const char *s, size_t n) ATTR_MUST_USE;

#endif
