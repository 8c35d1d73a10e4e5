/*
 * bundle_format - what the writer and the reader of bundles share; see bundle.h.
 */
#ifndef PORTSIDE_WORKSPACE_BUNDLE_FORMAT_H
#define PORTSIDE_WORKSPACE_BUNDLE_FORMAT_H

#include <stdbool.h>

#define BUNDLE_MAGIC "portside-bundle 1"

/* A section that is read into memory is never larger; who writes one with more
 * in it goes on in another section of the same name. */
enum { BUNDLE_NAME_MAX = 1024, BUNDLE_SECTION_MAX = 256 << 20 };

/* Below the folder, no blanks (the header is split at them), no controls. */
bool bundle_name_is_safe(const char *name);

#endif
