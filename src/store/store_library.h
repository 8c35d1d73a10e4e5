/*
 * store_library - versions of SQLite and libgit2, as they say at run time.
 */
#ifndef PORTSIDE_STORE_STORE_LIBRARY_H
#define PORTSIDE_STORE_STORE_LIBRARY_H

#include "base/library.h"
#include "base/mem.h"

enum { STORE_LIBRARIES = 2 };

/* Texts in A. */
void store_libraries(struct library out[STORE_LIBRARIES], struct arena *a);

#endif
