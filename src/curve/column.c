/* column - heap for small arrays, mapped pages for large ones. */
#include "config.h"

#include "curve/column.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { CAPACITY_FIRST = 64, DOUBLING_LIMIT = 1024 * 1024 };

size_t column_capacity(size_t cap, size_t n)
{
	while (cap < n) {
		if (cap < CAPACITY_FIRST)
			cap = CAPACITY_FIRST;
		else
			cap += cap < DOUBLING_LIMIT ? cap : cap / 4;
	}
	return cap;
}

#ifdef MREMAP_MAYMOVE
static void *checked(void *p)
{
	if (p != MAP_FAILED)
		return p;
	/* Ends the program with the sentence of any other array. */
	return xreallocarray(NULL, SIZE_MAX, 2);
}

static void *map_bytes(size_t n)
{
	return checked(mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
}

static void ask_for_large_pages(void *p, size_t n)
{
#ifdef MADV_HUGEPAGE
	(void)madvise(p, n, MADV_HUGEPAGE);	/* without them it is only slower */
#else
	(void)p;
	(void)n;
#endif
}

void *column_resize(void *p, size_t before, size_t after)
{
	void *q;

	if (before < COLUMN_LARGE_BYTES && after < COLUMN_LARGE_BYTES)
		return xrealloc(p, after);
	if (before >= COLUMN_LARGE_BYTES && after >= COLUMN_LARGE_BYTES) {
		q = checked(mremap(p, before, after, MREMAP_MAYMOVE));
		ask_for_large_pages(q, after);
		return q;
	}
	if (after < COLUMN_LARGE_BYTES) {
		q = xmalloc(after);
	} else {
		q = map_bytes(after);
		ask_for_large_pages(q, after);
	}
	if (p)
		memcpy(q, p, before < after ? before : after);
	column_free(p, before);
	return q;
}

void column_free(void *p, size_t bytes)
{
	if (bytes < COLUMN_LARGE_BYTES)
		free(p);
	else
		munmap(p, bytes);
}
#else
void *column_resize(void *p, size_t before, size_t after)
{
	(void)before;
	return xrealloc(p, after);
}

void column_free(void *p, size_t bytes)
{
	(void)bytes;
	free(p);
}
#endif
