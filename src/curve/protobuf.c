/* protobuf - the parts of the walk that are rare: long varints and groups. */
#include "config.h"

#include "curve/protobuf.h"

bool protobuf_long_varint(struct protobuf *m, uint64_t *out)
{
	const unsigned char *p = m->p;
	uint64_t v = 0;

	for (unsigned shift = 0; shift < 70 && p < m->end; shift += 7) {
		unsigned char byte = *p++;

		v |= (uint64_t)(byte & 0x7f) << (shift & 63);
		if (byte < 0x80) {
			m->p = p;
			*out = v;
			return true;
		}
	}
	return false;
}

static bool skip_value(struct protobuf *m, unsigned wire)
{
	struct protobuf bytes;
	uint64_t v;

	switch (wire) {
	case WIRE_VARINT:
		return protobuf_varint(m, &v);
	case WIRE_FIXED64:
		return protobuf_fixed(m, 8, &v);
	case WIRE_FIXED32:
		return protobuf_fixed(m, 4, &v);
	case WIRE_BYTES:
		return protobuf_bytes(m, &bytes);
	default:
		return false;
	}
}

bool protobuf_skip_group(struct protobuf *m, uint32_t number)
{
	uint32_t open[PROTOBUF_DEPTH_MAX] = { number };
	unsigned depth = 1;
	uint64_t key;

	while (depth) {
		if (!protobuf_varint(m, &key) || key >> 3 == 0 || key > UINT32_MAX)
			return false;
		if ((key & 7) == WIRE_GROUP) {
			if (depth == PROTOBUF_DEPTH_MAX)
				return false;
			open[depth++] = (uint32_t)(key >> 3);
		} else if ((key & 7) == WIRE_GROUP_END) {
			if (open[--depth] != key >> 3)
				return false;
		} else if (!skip_value(m, (unsigned)(key & 7))) {
			return false;
		}
	}
	return true;
}
