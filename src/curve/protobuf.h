/*
 * protobuf - walks the fields of one encoded message inside given bytes.
 *
 * No schema, no copies: a field is a number, a wire type and either a value or
 * a range of bytes.  Groups are skipped.  Lengths are checked against what is
 * left, never added to a pointer first.
 *
 *	struct protobuf m = { p, p + n };
 *	struct protobuf_field f;
 *	int more;
 *
 *	while ((more = protobuf_next(&m, &f)) > 0)
 *		if (f.number == 2 && f.wire == WIRE_VARINT)
 *			step = (int64_t)f.value;
 *	if (more < 0)
 *		malformed();
 */
#ifndef PORTSIDE_CURVE_PROTOBUF_H
#define PORTSIDE_CURVE_PROTOBUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum protobuf_wire {
	WIRE_VARINT = 0,
	WIRE_FIXED64 = 1,
	WIRE_BYTES = 2,
	WIRE_GROUP = 3,
	WIRE_GROUP_END = 4,
	WIRE_FIXED32 = 5,
};

enum { PROTOBUF_DEPTH_MAX = 64 };

struct protobuf {
	const unsigned char *p, *end;
};

struct protobuf_field {
	uint32_t number;
	enum protobuf_wire wire;
	uint64_t value;			/* varint or fixed */
	struct protobuf bytes;		/* of WIRE_BYTES */
};

/* The general form of protobuf_varint(): of any length. */
bool protobuf_long_varint(struct protobuf *m, uint64_t *out);
/* Skips to the end of group NUMBER. */
bool protobuf_skip_group(struct protobuf *m, uint32_t number);

/* False when the bytes end inside it or it is longer than 10 bytes. */
static inline bool protobuf_varint(struct protobuf *m, uint64_t *out)
{
	const unsigned char *p = m->p;
	uint64_t v = 0;

	/* Up to four bytes, which most numbers take, without a call. */
	for (unsigned shift = 0; shift < 28 && p < m->end; shift += 7) {
		v |= (uint64_t)(*p & 0x7f) << shift;
		if (*p++ < 0x80) {
			m->p = p;
			*out = v;
			return true;
		}
	}
	return protobuf_long_varint(m, out);
}

static inline bool protobuf_fixed(struct protobuf *m, size_t n, uint64_t *out)
{
	uint64_t v = 0;

	if ((size_t)(m->end - m->p) < n)
		return false;
	if (n == 4) {
		uint32_t half;

		memcpy(&half, m->p, sizeof half);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
		half = __builtin_bswap32(half);
#endif
		v = half;
	} else {
		memcpy(&v, m->p, sizeof v);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
		v = __builtin_bswap64(v);
#endif
	}
	m->p += n;
	*out = v;
	return true;
}

static inline bool protobuf_bytes(struct protobuf *m, struct protobuf *out)
{
	uint64_t n;

	if (!protobuf_varint(m, &n) || n > (uint64_t)(m->end - m->p))
		return false;
	out->p = m->p;
	out->end = m->p + n;
	m->p += n;
	return true;
}

/* 1: a field; 0: the end; -1: malformed. */
static inline int protobuf_next(struct protobuf *m, struct protobuf_field *f)
{
	uint64_t key;

	while (m->p < m->end) {
		if (!protobuf_varint(m, &key) || key >> 3 == 0 || key > UINT32_MAX)
			return -1;
		f->number = (uint32_t)(key >> 3);
		f->wire = (enum protobuf_wire)(key & 7);
		switch ((unsigned)(key & 7)) {
		case WIRE_VARINT:
			return protobuf_varint(m, &f->value) ? 1 : -1;
		case WIRE_FIXED64:
			return protobuf_fixed(m, 8, &f->value) ? 1 : -1;
		case WIRE_FIXED32:
			return protobuf_fixed(m, 4, &f->value) ? 1 : -1;
		case WIRE_BYTES:
			return protobuf_bytes(m, &f->bytes) ? 1 : -1;
		case WIRE_GROUP:
			if (!protobuf_skip_group(m, f->number))
				return -1;
			break;
		default:
			return -1;
		}
	}
	return 0;
}

static inline double protobuf_double(uint64_t bits)
{
	double d;

	memcpy(&d, &bits, sizeof d);
	return d;
}

static inline float protobuf_float(uint64_t bits)
{
	uint32_t half = (uint32_t)bits;
	float f;

	memcpy(&f, &half, sizeof f);
	return f;
}

#endif
