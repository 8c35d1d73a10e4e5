/*
 * bytes - numbers in little endian: put into a buffer, and taken back from bytes that
 * may be damaged.
 *
 * Taking beyond the end sets BAD and gives zeros from there on, so a reader takes all
 * that it wants and asks once:
 *
 *	struct bytes b = { .s = s, .n = n };
 *	uint32_t rows = bytes_take_u32(&b);
 *	...
 *	if (b.bad || b.n)
 *		return err_set(ERR_DAMAGED, ...);
 *
 * A count that was taken is compared with what is left before anything of that size
 * is allocated.  All inline: a reader of many small numbers spends its time here.
 */
#ifndef PORTSIDE_BASE_BYTES_H
#define PORTSIDE_BASE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

struct bytes {
	const char *s;		/* borrowed */
	size_t n;		/* left */
	bool bad;
};

/* ---- writing ---- */

/* OUT has four bytes. */
static inline void bytes_set_u32(char *out, uint32_t v)
{
	for (int i = 0; i < 4; i++)
		out[i] = (char)(v >> (8 * i));
}

static inline void bytes_put_u32(struct buf *out, uint32_t v)
{
	char four[4];

	bytes_set_u32(four, v);
	buf_add(out, four, sizeof four);
}

static inline void bytes_put_i64(struct buf *out, int64_t v)
{
	bytes_put_u32(out, (uint32_t)v);
	bytes_put_u32(out, (uint32_t)((uint64_t)v >> 32));
}

/* ---- reading ---- */

/* S has four bytes. */
static inline uint32_t bytes_u32(const char *s)
{
	const unsigned char *p = (const unsigned char *)s;

	return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* The next N bytes, borrowed; NULL, and BAD, when there are fewer. */
static inline const void *bytes_take(struct bytes *b, size_t n)
{
	const char *at = b->s;

	if (b->bad || n > b->n) {
		b->bad = true;
		return NULL;
	}
	b->s += n;
	b->n -= n;
	return at;
}

static inline uint32_t bytes_take_u32(struct bytes *b)
{
	const char *at = bytes_take(b, 4);

	return at ? bytes_u32(at) : 0;
}

static inline int64_t bytes_take_i64(struct bytes *b)
{
	uint64_t low = bytes_take_u32(b), high = bytes_take_u32(b);

	return (int64_t)(low | high << 32);
}

#endif
