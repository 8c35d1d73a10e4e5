/*
 * json_span - how far bytes of a JSON string stand for themselves.
 *
 * Nearly all text is plain ASCII, so the reader and the writer of json.h skip it
 * eight bytes at a time.  Private to src/base.
 *
 *	size_t k = json_plain_span(s, n);
 */
#ifndef PORTSIDE_BASE_JSON_SPAN_H
#define PORTSIDE_BASE_JSON_SPAN_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The high bit of each byte of W that is zero; bytes behind the first such may
 * be marked too. */
static inline uint64_t json_zero_bytes(uint64_t w)
{
	return (w - UINT64_C(0x0101010101010101)) & ~w & UINT64_C(0x8080808080808080);
}

/* Bytes at the start of S that are 0x20 to 0x7f and neither quote nor backslash. */
static inline size_t json_plain_span(const char *s, size_t n)
{
	const uint64_t ones = UINT64_C(0x0101010101010101), high = UINT64_C(0x8080808080808080);
	size_t i = 0;

	for (; i + 8 <= n; i += 8) {
		uint64_t w;

		memcpy(&w, s + i, sizeof w);
		if ((w & high) | ((w - ones * 0x20) & ~w & high) | json_zero_bytes(w ^ ones * '"') |
		    json_zero_bytes(w ^ ones * '\\'))
			break;
	}
	while (i < n && (unsigned char)s[i] >= 0x20 && (unsigned char)s[i] < 0x80 && s[i] != '"' &&
		s[i] != '\\')
		i++;
	return i;
}

#endif
