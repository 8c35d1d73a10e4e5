/*
 * demo_story - data/demo/story as a stream for `git fast-import`.
 *
 * Fixed dates and identities, so that the object ids are the same everywhere.
 */
#ifndef PORTSIDE_WORKSPACE_DEMO_STORY_H
#define PORTSIDE_WORKSPACE_DEMO_STORY_H

#include <stdbool.h>

#include "base/buf.h"

/* Appends the stream; *BRANCH (in A) is what to check out. */
int demo_story_stream(
	struct buf *out, const char **branch, struct arena *a, bool blind) ATTR_MUST_USE;

#endif
