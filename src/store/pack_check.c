/* Walks the objects of a pack and counts what they unpack to; see pack_check.h. */
#include "config.h"

#include "store/pack_check.h"

#include <stdbool.h>
#include <string.h>
#include <zlib.h>

#include "base/err.h"

enum {
	HEADER = 12, TRAILER = 20, NAME = 20,	/* bytes; SHA-1 */
	OBJECT_OFS_DELTA = 6, OBJECT_REF_DELTA = 7,
	DELTA_HEAD = 32,			/* two sizes of a difference */
	CHUNK = 64 * 1024,
};

struct walk {
	const unsigned char *s;
	size_t n, at;		/* without the trailer */
	const struct pack_limits *limits;
	int64_t total;
};

static int bad(const char *what)
{
	return err_set(ERR_DAMAGED, "the objects of the changes cannot be read: %s", what);
}

static uint32_t big_endian(const unsigned char *s)
{
	return (uint32_t)s[0] << 24 | (uint32_t)s[1] << 16 | (uint32_t)s[2] << 8 | s[3];
}

/* Type and size: four bits of size, then seven a byte. */
static bool read_heading(struct walk *w, int *type, int64_t *size)
{
	int shift = 4;

	if (w->at >= w->n)
		return false;
	*type = w->s[w->at] >> 4 & 7;
	*size = w->s[w->at] & 15;
	while (w->s[w->at++] & 0x80) {
		if (w->at >= w->n || shift > 53)
			return false;
		*size |= (int64_t)(w->s[w->at] & 0x7f) << shift;
		shift += 7;
	}
	return true;
}

/* The base of a difference, by place or by name; which one does not matter here. */
static bool skip_base(struct walk *w, int type)
{
	if (type == OBJECT_REF_DELTA) {
		w->at += NAME;
		return w->at <= w->n;
	}
	while (w->at < w->n)
		if (!(w->s[w->at++] & 0x80))
			return true;
	return false;
}

/* Unpacks SIZE bytes and no more, keeping the first in HEAD. */
static bool unpack(struct walk *w, int64_t size, unsigned char *head)
{
	z_stream z = { .next_in = (Bytef *)(uintptr_t)(w->s + w->at),
		.avail_in = (uInt)(w->n - w->at) };
	unsigned char out[CHUNK];
	int64_t done = 0;
	int rc = inflateInit(&z);

	memset(head, 0, DELTA_HEAD);
	while (rc == Z_OK) {
		int64_t got;

		z.next_out = out;
		z.avail_out = sizeof out;
		rc = inflate(&z, Z_NO_FLUSH);
		got = (int64_t)(sizeof out - z.avail_out);
		if (done < DELTA_HEAD)
			memcpy(head + done, out,
				(size_t)(got < DELTA_HEAD - done ? got : DELTA_HEAD - done));
		done += got;
		if (done > size || (rc == Z_OK && got == 0 && z.avail_in == 0))
			rc = Z_DATA_ERROR;
	}
	w->at = w->n - z.avail_in;
	inflateEnd(&z);
	return rc == Z_STREAM_END && done == size;
}

static bool delta_number(const unsigned char **s, const unsigned char *end, int64_t *out)
{
	int shift = 0;

	for (*out = 0; *s < end && shift < 56; shift += 7) {
		*out |= (int64_t)(**s & 0x7f) << shift;
		if (!(*(*s)++ & 0x80))
			return true;
	}
	return false;
}

/* A difference begins with the sizes before and after it. */
static bool delta_result(const unsigned char *head, int64_t *size)
{
	const unsigned char *s = head, *end = head + DELTA_HEAD;

	return delta_number(&s, end, size) && delta_number(&s, end, size);
}

static int check_object(struct walk *w)
{
	unsigned char head[DELTA_HEAD];
	int64_t size, unpacked;
	int type;
	bool delta;

	if (!read_heading(w, &type, &size) || type == 0 || type == 5)
		return bad("an object has no heading");
	delta = type == OBJECT_OFS_DELTA || type == OBJECT_REF_DELTA;
	if (size > w->limits->object_bytes)
		return bad("an object is larger than any that is bundled");
	if ((delta && !skip_base(w, type)) || !unpack(w, size, head))
		return bad("an object is not what its heading says");
	unpacked = size;
	if (delta && !delta_result(head, &unpacked))
		return bad("a difference has no heading");
	w->total += unpacked;
	if (unpacked > w->limits->object_bytes || w->total > w->limits->total_bytes)
		return bad("they unpack to more than is ever bundled");
	return 0;
}

int pack_check(const void *pack, size_t n, const struct pack_limits *limits)
{
	struct walk w = {
		.s = pack, .n = n < TRAILER ? 0 : n - TRAILER, .at = HEADER, .limits = limits
	};
	uint32_t objects;
	int rc = 0;

	if (w.n < HEADER || n > UINT32_MAX || memcmp(w.s, "PACK", 4) != 0 ||
		big_endian(w.s + 4) != 2)
		return bad("no pack of version 2");
	objects = big_endian(w.s + 8);
	for (uint32_t i = 0; rc == 0 && i < objects; i++)
		rc = check_object(&w);
	if (rc == 0 && w.at != w.n)
		rc = bad("something follows the last object");
	return rc;
}
