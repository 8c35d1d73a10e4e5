/*
 * version_text - see version_text.h.
 *
 * A form letter, the length of the text, its Adler-32 sum, and then the text
 * ('T'), the text as a zlib stream ('Z'), or a row of steps ('D'): a number
 * whose low bit says whether its other bits count literal bytes, which follow,
 * or bytes of the newer text, whose offset follows.  Numbers are seven bits a
 * byte, the low ones first.
 */
#include "config.h"
#include "store/version_text.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <zlib.h>

#include "base/bytes.h"
#include "base/err.h"

enum {
	DEFLATE_MIN = 1024,	/* below, time is worth more than the bytes */
	TEXT_MAX = 256 << 20,
	MATCH_BYTES = 12,	/* this much alike is no accident */
	COPY_MIN = 6,		/* a shorter copy costs more than the bytes */
	SKIP_MAX = 96,		/* literal bytes that are tried before giving up */
};

struct version_coder {
	z_stream deflater, inflater;
	bool can_deflate, can_inflate;
};

struct version_coder *version_coder_new(void)
{
	return xcalloc(1, sizeof(struct version_coder));
}

void version_coder_free(struct version_coder *c)
{
	if (c == NULL)
		return;
	if (c->can_deflate)
		deflateEnd(&c->deflater);
	if (c->can_inflate)
		inflateEnd(&c->inflater);
	free(c);
}

/* zlib's pointers are to what it does not change, and not const. */
static unsigned char *input(const void *s)
{
	unsigned char *p;

	memcpy(&p, &s, sizeof p);
	return p;
}

/* ---- numbers ------------------------------------------------------------------ */

static void put_number(struct buf *out, uint64_t v)
{
	for (; v >= 0x80; v >>= 7)
		buf_addc(out, (char)(v | 0x80));
	buf_addc(out, (char)v);
}

static uint32_t sum_of(const char *s, size_t n)
{
	return (uint32_t)adler32(adler32(0, NULL, 0), (const unsigned char *)s, (uInt)n);
}

static void put_head(struct buf *out, char form, const char *s, size_t n)
{
	buf_clear(out);
	buf_addc(out, form);
	put_number(out, n);
	bytes_put_u32(out, sum_of(s, n));
}

static uint64_t take_number(struct bytes *c)
{
	uint64_t v = 0;

	for (int shift = 0; shift < 63; shift += 7) {
		const unsigned char *at = bytes_take(c, 1);

		if (at == NULL)
			return 0;
		v |= (uint64_t)(*at & 0x7f) << shift;
		if (*at < 0x80)
			return v;
	}
	c->bad = true;
	return 0;
}

/* ---- whole texts ----------------------------------------------------------------- */

/* With the codes that need not be built: a state is short, and building them
 * takes as long as all else, on both sides. */
static bool start_deflater(struct version_coder *c)
{
	if (c->can_deflate)
		return deflateReset(&c->deflater) == Z_OK;
	c->can_deflate =
		deflateInit2(&c->deflater, Z_BEST_SPEED, Z_DEFLATED, 13, 6, Z_FIXED) == Z_OK;
	return c->can_deflate;
}

static bool put_deflated(struct buf *out, struct version_coder *c, const char *s, size_t n)
{
	z_stream *z = &c->deflater;
	size_t start = out->n;
	int rc;

	if (!start_deflater(c))
		return false;
	buf_reserve(out, n);
	z->next_in = input(s);
	z->avail_in = (uInt)n;
	z->next_out = (unsigned char *)out->s + start;
	z->avail_out = (uInt)n;
	rc = deflate(z, Z_FINISH);
	out->n = start + (n - z->avail_out);
	out->s[out->n] = '\0';
	return rc == Z_STREAM_END;
}

void version_put_whole(struct buf *out, struct version_coder *c, const char *s, size_t n)
{
	if (n >= DEFLATE_MIN && n <= TEXT_MAX) {
		put_head(out, 'Z', s, n);
		if (put_deflated(out, c, s, n))
			return;
	}
	put_head(out, 'T', s, n);
	buf_add(out, s, n);
}

static bool take_deflated(struct buf *out, struct version_coder *c, struct bytes *from, size_t n)
{
	z_stream *z = &c->inflater;

	if (c->can_inflate ? inflateReset(z) != Z_OK : inflateInit(z) != Z_OK)
		return false;
	c->can_inflate = true;
	buf_reserve(out, n);
	z->next_in = input(from->s);
	z->avail_in = (uInt)from->n;
	z->next_out = (unsigned char *)out->s;
	z->avail_out = (uInt)n;
	if (inflate(z, Z_FINISH) != Z_STREAM_END || z->avail_out != 0 || z->avail_in != 0)
		return false;
	out->n = n;
	out->s[n] = '\0';
	return true;
}

/* ---- differences ------------------------------------------------------------------- */

static size_t common_prefix(const char *a, size_t a_n, const char *b, size_t b_n)
{
	size_t n = a_n < b_n ? a_n : b_n, i = 0;

	while (i + 8 <= n && memcmp(a + i, b + i, 8) == 0)
		i += 8;
	while (i < n && a[i] == b[i])
		i++;
	return i;
}

static void put_literal(struct buf *out, const char *s, size_t n)
{
	if (n == 0)
		return;
	put_number(out, (uint64_t)n << 1);
	buf_add(out, s, n);
}

/* How many bytes of S come before something that is in NEWER; N when nothing
 * near is.  *AT is where it is there. */
static size_t find_next(const char *s, size_t n, const char *newer, size_t newer_n, size_t *at)
{
	for (size_t skip = 0; skip < SKIP_MAX && skip + MATCH_BYTES <= n; skip++) {
		const char *hit = memmem(newer, newer_n, s + skip, MATCH_BYTES);

		if (hit != NULL) {
			*at = (size_t)(hit - newer);
			return skip;
		}
	}
	return n;
}

void version_put_older(struct buf *out, const char *s, size_t n, const char *newer, size_t newer_n)
{
	size_t i = 0, k = 0, literal = 0;	/* in S, in NEWER, and the first byte not written */

	put_head(out, 'D', s, n);
	while (i < n) {
		size_t alike = common_prefix(s + i, n - i, newer + k, newer_n - k), at = 0, skip;

		if (alike >= COPY_MIN || i + alike == n) {
			put_literal(out, s + literal, i - literal);
			if (alike > 0) {
				put_number(out, (uint64_t)alike << 1 | 1);
				put_number(out, k);
			}
			literal = i += alike;
			k += alike;
			continue;
		}
		skip = find_next(s + i, n - i, newer + k, newer_n - k, &at);
		i += skip;
		k += at;
	}
	put_literal(out, s + literal, n - literal);
}

static bool take_steps(
	struct buf *out, struct bytes *c, size_t n, const char *newer, size_t newer_n)
{
	while (c->n > 0 && !c->bad) {
		uint64_t step = take_number(c), many = step >> 1;
		bool copies = step & 1;
		uint64_t at = copies ? take_number(c) : 0;
		const void *from;

		if (c->bad || many > n - out->n)
			return false;
		if (copies && (newer == NULL || at > newer_n || many > newer_n - at))
			return false;
		from = copies ? (const void *)(newer + at) : bytes_take(c, (size_t)many);
		if (from == NULL)
			return false;
		buf_add(out, from, (size_t)many);
	}
	return !c->bad && out->n == n;
}

bool version_is_older(const void *bytes, size_t n)
{
	return n > 0 && *(const char *)bytes == 'D';
}

int version_take(struct buf *out, struct version_coder *c, const void *bytes, size_t n,
	const char *newer, size_t newer_n)
{
	struct bytes from = { .s = bytes, .n = n };
	const char *form = bytes_take(&from, 1), *sum;
	uint64_t length = take_number(&from);
	const void *text;
	bool good = false;

	buf_clear(out);
	sum = bytes_take(&from, 4);
	if (!from.bad && length <= TEXT_MAX) {
		if (*form == 'Z')
			good = take_deflated(out, c, &from, (size_t)length);
		else if (*form == 'D')
			good = take_steps(out, &from, (size_t)length, newer, newer_n);
		else if (*form == 'T' && (text = bytes_take(&from, from.n)) != NULL &&
			length == (uint64_t)(from.s - (const char *)text)) {
			buf_add(out, text, (size_t)length);
			good = true;
		}
	}
	return good && bytes_u32(sum) == sum_of(out->s, out->n)
		? 0
		: err_set(ERR_DAMAGED,
			      "a version of an object cannot be read back; build the views anew");
}
