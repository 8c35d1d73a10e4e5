/*
 * reader_bytes - comparing a few bytes, for loops that do it for every number.
 */
#ifndef PORTSIDE_CURVE_READER_BYTES_H
#define PORTSIDE_CURVE_READER_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* As memcmp(a, b, n) == 0, without a call. */
static inline bool is_same_bytes(const char *a, const char *b, size_t n)
{
	uint64_t x, y;
	uint32_t v, w;

	if (n < 4) {
		for (size_t i = 0; i < n; i++)
			if (a[i] != b[i])
				return false;
		return true;
	}
	if (n < 8) {
		memcpy(&v, a, 4);
		memcpy(&w, b, 4);
		if (v != w)
			return false;
		memcpy(&v, a + n - 4, 4);
		memcpy(&w, b + n - 4, 4);
		return v == w;
	}
	for (; n > 8; n -= 8, a += 8, b += 8) {
		memcpy(&x, a, 8);
		memcpy(&y, b, 8);
		if (x != y)
			return false;
	}
	a += n;
	b += n;
	memcpy(&x, a - 8, 8);
	memcpy(&y, b - 8, 8);
	return x == y;
}

enum { SAME_TEXT_ROOM = 16 };

/*
 * The same for names and what stands around them, which have mostly about 16 bytes:
 * the bytes from A and B on, up to SAME_TEXT_ROOM, can be read however few are compared.
 */
static inline bool is_same_text(const char *a, const char *b, size_t n)
{
#ifdef __SSE2__
	const __m128i *x = (const void *)a, *y = (const void *)b;
	__m128i same = _mm_cmpeq_epi8(_mm_loadu_si128(x), _mm_loadu_si128(y));

	if (n <= 16)
		return !(~(unsigned)_mm_movemask_epi8(same) & ((1u << n) - 1));
	if (n <= 32) {
		x = (const void *)(a + n - 16);
		y = (const void *)(b + n - 16);
		same = _mm_and_si128(same,
			_mm_cmpeq_epi8(_mm_loadu_si128(x), _mm_loadu_si128(y)));
		return _mm_movemask_epi8(same) == 0xffff;
	}
#endif
	return is_same_bytes(a, b, n);
}

enum { MASKED_TEXT_BYTES = 32 };

typedef unsigned char text_piece __attribute__((vector_size(16)));

/* The first bytes of a text, of which some may be any. */
struct masked_text {
	text_piece text[2], mask[2];
};

/* Of P[0..N), N <= MASKED_TEXT_BYTES; what lies behind may be any. */
static inline void masked_text_set(struct masked_text *t, const char *p, size_t n)
{
	unsigned char text[MASKED_TEXT_BYTES] = { 0 }, mask[MASKED_TEXT_BYTES] = { 0 };

	memcpy(text, p, n);
	memset(mask, 0xff, n);
	memcpy(t->text, text, sizeof text);
	memcpy(t->mask, mask, sizeof mask);
}

/* The BITS of byte AT may be any, and its others are 0. */
static inline void masked_text_free(struct masked_text *t, size_t at, unsigned char bits)
{
	((unsigned char *)t->text)[at] = 0;
	((unsigned char *)t->mask)[at] = (unsigned char)~bits;
}

/* MASKED_TEXT_BYTES of P can be read. */
static inline bool has_masked_text(const struct masked_text *t, const char *p)
{
	text_piece first, second;
	uint64_t half[2];

	memcpy(&first, p, sizeof first);
	memcpy(&second, p + sizeof first, sizeof second);
	first = ((first ^ t->text[0]) & t->mask[0]) | ((second ^ t->text[1]) & t->mask[1]);
	memcpy(half, &first, sizeof half);
	return !(half[0] | half[1]);
}

#endif
