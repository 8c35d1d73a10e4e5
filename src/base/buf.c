/* buf - see buf.h. */
#include "config.h"

#include "base/buf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char buf_empty[1];

void buf_init(struct buf *b)
{
	b->s = buf_empty;
	b->n = b->cap = 0;
}

void buf_release(struct buf *b)
{
	if (b->cap)
		free(b->s);
	buf_init(b);
}

void buf_clear(struct buf *b)
{
	b->n = 0;
	if (b->cap)
		b->s[0] = '\0';
}

void buf_reserve(struct buf *b, size_t more)
{
	size_t wanted = b->n + more + 1, cap = b->cap;

	if (wanted <= cap)
		return;
	if (cap < 64)
		cap = 64;
	while (cap < wanted)
		cap += cap / 2;
	b->s = b->cap ? xrealloc(b->s, cap) : xmalloc(cap);
	b->cap = cap;
	b->s[b->n] = '\0';
}

void buf_add(struct buf *b, const void *p, size_t n)
{
	if (!n)
		return;
	buf_reserve(b, n);
	memcpy(b->s + b->n, p, n);
	b->n += n;
	b->s[b->n] = '\0';
}

void buf_adds(struct buf *b, const char *s)
{
	buf_add(b, s, strlen(s));
}

void buf_addc(struct buf *b, char c)
{
	if (b->n + 2 > b->cap)
		buf_reserve(b, 1);
	b->s[b->n++] = c;
	b->s[b->n] = '\0';
}

void buf_vaddf(struct buf *b, const char *fmt, va_list ap)
{
	va_list again;
	int n;

	va_copy(again, ap);
	buf_reserve(b, 64);
	n = vsnprintf(b->s + b->n, b->cap - b->n, fmt, ap);
	if (n >= 0 && (size_t)n >= b->cap - b->n) {
		buf_reserve(b, (size_t)n);
		n = vsnprintf(b->s + b->n, b->cap - b->n, fmt, again);
	}
	va_end(again);
	if (n > 0)
		b->n += (size_t)n;
	b->s[b->n] = '\0';
}

void buf_addf(struct buf *b, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	buf_vaddf(b, fmt, ap);
	va_end(ap);
}

void buf_pad(struct buf *b, char c, size_t n)
{
	if (!n)
		return;
	buf_reserve(b, n);
	memset(b->s + b->n, c, n);
	b->n += n;
	b->s[b->n] = '\0';
}

void buf_truncate(struct buf *b, size_t n)
{
	if (n >= b->n)
		return;
	b->n = n;
	b->s[n] = '\0';
}

void buf_trim_end(struct buf *b)
{
	size_t n = b->n;

	while (n && strchr(" \t\r\n", b->s[n - 1]) && b->s[n - 1])
		n--;
	buf_truncate(b, n);
}

char *buf_detach(struct buf *b)
{
	char *s = b->cap ? b->s : xstrdup("");

	buf_init(b);
	return s;
}
