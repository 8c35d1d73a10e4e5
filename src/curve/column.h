/*
 * column - the memory of one array that grows to millions of elements.
 *
 * A small one comes from the heap.  One of COLUMN_LARGE_BYTES or more is mapped:
 * it grows where it is or is moved by the kernel, without a copy, and asks for
 * large pages, since most of the time of filling a fresh column is the faults
 * of small ones.  So that all of it can be large pages it begins with one, wherever
 * it is moved.  What was not written yet takes no memory, but for the large page
 * at the end.
 *
 * The owner remembers the size in bytes, which tells how it is to be freed.
 *
 *	s->x = column_resize(s->x, s->cap * sizeof *s->x, cap * sizeof *s->x);
 *	column_free(s->x, s->cap * sizeof *s->x);
 */
#ifndef PORTSIDE_CURVE_COLUMN_H
#define PORTSIDE_CURVE_COLUMN_H

#include <stddef.h>

#include "base/mem.h"

enum { COLUMN_LARGE_BYTES = 2 * 1024 * 1024 };

/* P of BEFORE bytes (NULL, 0 for a new one) becomes one of AFTER bytes; what
 * both have stays.  Aborts when there is no memory. */
void *column_resize(void *p, size_t before, size_t after) ATTR_MUST_USE;
void column_free(void *p, size_t bytes);

/* N elements of room, and more so that growing one by one is cheap: doubled up
 * to 1 Mi elements, by a quarter after that. */
size_t column_capacity(size_t cap, size_t n);

#endif
