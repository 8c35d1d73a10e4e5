/*
 * static_hits - hits of one blob as bytes for a cache.
 *
 * "PSH1", version, skipped, limited, more, number of rows, then each row
 * {construct, line, column, bytes of text, text}; CRC-32 of all that at the end.
 * Numbers are little endian.
 */
#include "config.h"
#include "evidence/static_scan.h"

#include <string.h>

#include "base/bytes.h"
#include "base/err.h"
#include "base/hash.h"

static const char magic[4] = { 'P', 'S', 'H', '1' };

enum { ROW_BYTES_MIN = 16 };

void static_hits_encode(struct buf *out, const struct static_hits *h)
{
	size_t start = out->n;

	buf_add(out, magic, sizeof magic);
	bytes_put_u32(out, STATIC_SCAN_VERSION);
	bytes_put_u32(out, (uint32_t)h->skipped);
	bytes_put_u32(out, h->limited);
	bytes_put_u32(out, (uint32_t)h->more);
	bytes_put_u32(out, (uint32_t)h->n);
	for (size_t i = 0; i < h->n; i++) {
		const struct static_hit *row = &h->rows[i];
		size_t n = strlen(row->text);

		bytes_put_u32(out, (uint32_t)row->construct);
		bytes_put_u32(out, (uint32_t)row->line);
		bytes_put_u32(out, (uint32_t)row->column);
		bytes_put_u32(out, (uint32_t)n);
		buf_add(out, row->text, n);
	}
	bytes_put_u32(out, crc32_bytes(out->s + start, out->n - start));
}

static void take_row(struct static_hit *row, struct bytes *c, struct arena *a, size_t constructs)
{
	const char *text;
	uint32_t n;

	row->construct = (int32_t)bytes_take_u32(c);
	row->line = (int32_t)bytes_take_u32(c);
	row->column = (int32_t)bytes_take_u32(c);
	n = bytes_take_u32(c);
	text = bytes_take(c, n);
	row->text = text != NULL ? arena_strndup(a, text, n) : "";
	if (row->construct < 0 || (size_t)row->construct >= constructs || n > STATIC_TEXT_MAX)
		c->bad = true;
}

static bool take_all(struct static_hits *out, struct bytes *c)
{
	const char *mark = bytes_take(c, sizeof magic);
	size_t constructs, rows;

	static_constructs(&constructs);
	if (mark == NULL || memcmp(mark, magic, sizeof magic) != 0 ||
		bytes_take_u32(c) != STATIC_SCAN_VERSION)
		return false;
	out->skipped = (enum static_skip)bytes_take_u32(c);
	out->limited = bytes_take_u32(c) != 0;
	out->more = bytes_take_u32(c);
	rows = bytes_take_u32(c);
	if (c->bad || rows > c->n / ROW_BYTES_MIN)
		return false;
	for (size_t i = 0; i < rows && !c->bad; i++) {
		ARRAY_GROW(out->rows, out->n, out->cap);
		take_row(&out->rows[out->n++], c, &out->arena, constructs);
	}
	return !c->bad && c->n == 0;
}

int static_hits_decode(struct static_hits *out, const char *s, size_t n)
{
	struct bytes c = { .s = s, .n = n >= 4 ? n - 4 : 0 };

	if (n >= 4 && crc32_bytes(s, n - 4) == bytes_u32(s + n - 4) && take_all(out, &c))
		return 0;
	static_hits_release(out);
	return err_set(
		ERR_DAMAGED, "kept hits of the static scan do not verify; they are made again");
}
