/*
 * buf - a string that grows.  Always ends in NUL; may hold NUL bytes inside.
 *
 *	struct buf b = BUF_INIT;
 *	buf_addf(&b, "%d rows", n);
 *	puts(b.s);
 *	buf_release(&b);
 */
#ifndef PORTSIDE_BASE_BUF_H
#define PORTSIDE_BASE_BUF_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"

struct buf {
	char *s;		/* never NULL after BUF_INIT */
	size_t n;		/* bytes without the final NUL */
	size_t cap;		/* 0: S is the shared empty string */
};

extern char buf_empty[1];
#define BUF_INIT { buf_empty, 0, 0 }

void buf_init(struct buf *b);
void buf_release(struct buf *b);		/* and ready for reuse */
void buf_clear(struct buf *b);			/* keeps the memory */
void buf_reserve(struct buf *b, size_t more);
void buf_add(struct buf *b, const void *p, size_t n);
void buf_adds(struct buf *b, const char *s);
void buf_addc(struct buf *b, char c);
void buf_addf(struct buf *b, const char *fmt, ...) ATTR_PRINTF(2, 3);
void buf_vaddf(struct buf *b, const char *fmt, va_list ap) ATTR_PRINTF(2, 0);
void buf_pad(struct buf *b, char c, size_t n);
void buf_truncate(struct buf *b, size_t n);	/* N at most b->n */
void buf_trim_end(struct buf *b);		/* blanks and newlines */

/* The string is yours: free().  B is empty afterwards. */
char *buf_detach(struct buf *b);

#endif
