/* mem - see mem.h.  The only place that decides what out of memory means. */
#include "config.h"

#include "base/mem.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ARENA_BLOCK = 16 * 1024, ARENA_BLOCK_MAX = 256 * 1024, ARRAY_FIRST = 8 };

struct arena_block {
	struct arena_block *next;
	size_t used, cap;
	alignas(max_align_t) unsigned char bytes[];
};

static void __attribute__((noreturn)) out_of_memory(void)
{
	static const char text[] =
		"portside: out of memory; nothing recorded is lost, start it again\n";
	ssize_t ignored = write(STDERR_FILENO, text, sizeof text - 1);

	(void)ignored;
	abort();
}

void *xmalloc(size_t size)
{
	void *p = malloc(size ? size : 1);

	if (!p)
		out_of_memory();
	return p;
}

void *xcalloc(size_t n, size_t size)
{
	void *p = calloc(n ? n : 1, size ? size : 1);

	if (!p)
		out_of_memory();
	return p;
}

void *xrealloc(void *p, size_t size)
{
	void *q = realloc(p, size ? size : 1);

	if (!q)
		out_of_memory();
	return q;
}

void *xreallocarray(void *p, size_t n, size_t size)
{
	size_t total;

	if (__builtin_mul_overflow(n, size, &total))
		out_of_memory();
	return xrealloc(p, total);
}

char *xstrdup(const char *s)
{
	return xstrndup(s, strlen(s));
}

char *xstrndup(const char *s, size_t n)
{
	size_t len = strnlen(s, n);
	char *p = xmalloc(len + 1);

	memcpy(p, s, len);
	p[len] = '\0';
	return p;
}

char *xasprintf(const char *fmt, ...)
{
	va_list ap;
	char *s;
	int n;

	va_start(ap, fmt);
	n = vasprintf(&s, fmt, ap);
	va_end(ap);
	if (n < 0)
		out_of_memory();
	return s;
}

void *array_grow(void *p, size_t *cap, size_t size)
{
	/* An array may have been made for one row: the half of 1 is nothing. */
	size_t wanted = *cap < ARRAY_FIRST ? ARRAY_FIRST : *cap + *cap / 2;

	*cap = wanted;
	return xreallocarray(p, wanted, size);
}

/* ---- arena --------------------------------------------------------------- */

static struct arena_block *arena_block_new(struct arena *a, size_t cap)
{
	struct arena_block *b = xmalloc(sizeof *b + cap);

	b->used = 0;
	b->cap = cap;
	b->next = a->blocks;
	a->blocks = b;
	a->used_bytes += sizeof *b + cap;
	return b;
}

/* Blocks grow with what is in use: few allocations, little waste. */
static size_t arena_block_size(const struct arena *a)
{
	size_t size = a->used_bytes / 8;

	if (size < ARENA_BLOCK)
		return ARENA_BLOCK;
	return size < ARENA_BLOCK_MAX ? size : ARENA_BLOCK_MAX;
}

static void *arena_raw(struct arena *a, size_t size, size_t align)
{
	struct arena_block *b = a->blocks;
	size_t at;
	void *p;

	if (size > SIZE_MAX / 2)
		out_of_memory();
	at = b ? (b->used + align - 1) & ~(align - 1) : 0;
	if (!b || at > b->cap || size > b->cap - at) {
		b = arena_block_new(a, size > ARENA_BLOCK / 4 ? size : arena_block_size(a));
		at = 0;
	}
	p = b->bytes + at;
	b->used = at + size;
	return p;
}

void *arena_alloc(struct arena *a, size_t size)
{
	return memset(arena_raw(a, size ? size : 1, alignof(max_align_t)), 0, size);
}

char *arena_strdup(struct arena *a, const char *s)
{
	return s ? arena_strndup(a, s, strlen(s)) : NULL;
}

char *arena_strndup(struct arena *a, const char *s, size_t n)
{
	char *p = arena_raw(a, n + 1, 1);

	if (n)
		memcpy(p, s, n);
	p[n] = '\0';
	return p;
}

char *arena_printf(struct arena *a, const char *fmt, ...)
{
	va_list ap;
	char *heap, *s;
	int n;

	va_start(ap, fmt);
	n = vasprintf(&heap, fmt, ap);
	va_end(ap);
	if (n < 0)
		out_of_memory();
	s = arena_strndup(a, heap, (size_t)n);
	free(heap);
	return s;
}

void *arena_memdup(struct arena *a, const void *p, size_t n)
{
	void *copy = arena_raw(a, n ? n : 1, alignof(max_align_t));

	if (n)
		memcpy(copy, p, n);
	return copy;
}

void arena_release(struct arena *a)
{
	struct arena_block *b = a->blocks;

	while (b) {
		struct arena_block *next = b->next;

		free(b);
		b = next;
	}
	a->blocks = NULL;
	a->used_bytes = 0;
}
