/*
 * library - versions of the libraries that this layer is linked with, as they
 * say at run time; for doctor and for a report of a fault.
 */
#ifndef PORTSIDE_BASE_LIBRARY_H
#define PORTSIDE_BASE_LIBRARY_H

#include <stddef.h>

struct library { const char *name, *version; };

enum { BASE_LIBRARIES = 3 };

/* Fills BASE_LIBRARIES entries; the texts live as long as the program. */
void base_libraries(struct library out[BASE_LIBRARIES]);

#endif
