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

/* Bytes of the mapping of a column of N bytes: whole large pages. */
static size_t mapped(size_t n)
{
	return (n + COLUMN_LARGE_BYTES - 1) / COLUMN_LARGE_BYTES * COLUMN_LARGE_BYTES;
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

/* Addresses where N bytes begin with a large page; what lies around them is given back. */
static void *reserve(size_t n, int protection)
{
	size_t all = n + COLUMN_LARGE_BYTES, head;
	char *p = checked(mmap(NULL, all, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));

	head = (COLUMN_LARGE_BYTES - (uintptr_t)p % COLUMN_LARGE_BYTES) % COLUMN_LARGE_BYTES;
	if (head)
		munmap(p, head);
	munmap(p + head + n, all - head - n);
	return p + head;
}

static void *map_bytes(size_t n)
{
	void *p = reserve(n, PROT_READ | PROT_WRITE);

	ask_for_large_pages(p, n);
	return p;
}

/* Large pages move as such only from one of their addresses to another. What is there moves
 * first and grows then: of what a move adds, valgrind takes some for not mapped. Should another
 * thread take the addresses behind it in between, the column lies elsewhere and is only slower. */
static void *remap_bytes(void *p, size_t before, size_t after)
{
	char *q;

	if (before == after)
		return p;
	q = mremap(p, before, after, 0);
	if (q != MAP_FAILED)
		return q;
	q = reserve(after, PROT_NONE);
	munmap(q + before, after - before);
	q = checked(mremap(p, before, before, MREMAP_MAYMOVE | MREMAP_FIXED, q));
	return checked(mremap(q, before, after, MREMAP_MAYMOVE));
}

void *column_resize(void *p, size_t before, size_t after)
{
	void *q;

	if (before < COLUMN_LARGE_BYTES && after < COLUMN_LARGE_BYTES)
		return xrealloc(p, after);
	if (before >= COLUMN_LARGE_BYTES && after >= COLUMN_LARGE_BYTES)
		return remap_bytes(p, mapped(before), mapped(after));
	q = after < COLUMN_LARGE_BYTES ? xmalloc(after) : map_bytes(mapped(after));
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
		munmap(p, mapped(bytes));
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
