/*
 * mem - allocation that cannot fail, growable arrays, and arenas.
 *
 * Out of memory ends the program with one sentence, so no caller checks a
 * result.  Sizes that come from a file are checked by the reader before they
 * reach this module; a multiplication that overflows is a bug and aborts.
 *
 * An arena is for what lives and dies together: the rows of a result, a parsed
 * document.  Nothing in it is freed alone.
 *
 *	struct arena a = ARENA_INIT;
 *	char *copy = arena_strdup(&a, text);
 *	...
 *	arena_release(&a);
 */
#ifndef PORTSIDE_BASE_MEM_H
#define PORTSIDE_BASE_MEM_H

#include <stdarg.h>
#include <stddef.h>

#define ATTR_MALLOC __attribute__((malloc, warn_unused_result))
#define ATTR_MUST_USE __attribute__((warn_unused_result))
#define ATTR_PRINTF(a, b) __attribute__((format(printf, a, b)))

#define ARRAY_LEN(a) (sizeof(a) / sizeof *(a))

void *xmalloc(size_t size) ATTR_MALLOC;
void *xcalloc(size_t n, size_t size) ATTR_MALLOC;
void *xrealloc(void *p, size_t size) ATTR_MUST_USE;
void *xreallocarray(void *p, size_t n, size_t size) ATTR_MUST_USE;
char *xstrdup(const char *s) ATTR_MALLOC;
char *xstrndup(const char *s, size_t n) ATTR_MALLOC;
char *xasprintf(const char *fmt, ...) ATTR_MALLOC ATTR_PRINTF(1, 2);

/*
 * Makes room for one more element in PTR, which holds N of room for CAP:
 *
 *	ARRAY_GROW(rows, n_rows, cap_rows);
 *	rows[n_rows++] = row;
 */
#define ARRAY_GROW(ptr, n, cap)						\
	do {								\
		if ((n) == (cap))					\
			(ptr) = array_grow((ptr), &(cap), sizeof *(ptr)); \
	} while (0)

void *array_grow(void *p, size_t *cap, size_t size) ATTR_MUST_USE;

struct arena_block;

struct arena {
	struct arena_block *blocks;
	size_t used_bytes;		/* of all blocks, for tests and limits */
};

#define ARENA_INIT { NULL, 0 }

/* Zeroed, aligned for any type.  Borrowed: valid until arena_release(). */
void *arena_alloc(struct arena *a, size_t size);
char *arena_strdup(struct arena *a, const char *s);		/* NULL stays NULL */
char *arena_strndup(struct arena *a, const char *s, size_t n);
char *arena_printf(struct arena *a, const char *fmt, ...) ATTR_PRINTF(2, 3);
void *arena_memdup(struct arena *a, const void *p, size_t n);
void arena_release(struct arena *a);				/* ready for reuse */

#define ARENA_NEW(a, type) ((type *)arena_alloc((a), sizeof(type)))

#endif
