/*
 * bundle_code - the code of a bundle: what it takes to read each attempt's diff
 * against the previous attempt and the original, without the clone.
 *
 * In the bundle it is one section, code/repository.pack, with code/marks beside
 * (attempt and commit a line).  Opened, it is a bare repository of those
 * commits only, so that every command that reads a diff works on it as on the
 * clone.  A file that no attempt changed, or that is larger than 8 MiB, is not
 * in it.
 */
#ifndef PORTSIDE_WORKSPACE_BUNDLE_CODE_H
#define PORTSIDE_WORKSPACE_BUNDLE_CODE_H

#include <stdbool.h>

#include "base/mem.h"

/* Where the repository of an unpacked bundle lies below FOLDER, in A. */
char *bundle_code_path(struct arena *a, const char *folder);

/* Makes the repository from FOLDER/code; nothing when the bundle has none. */
int bundle_code_open(const char *folder) ATTR_MUST_USE;

#endif
