/* tfevents_plain - one pass over records that differ in their numbers alone. */
#include "config.h"

#include "curve/tfevents_plain.h"

#include <math.h>
#include <string.h>

#include "curve/reader_bytes.h"

enum {
	HEADER_BYTES = 12,
	FRAME_BYTES = 16,
	KEY_WALL = 0x09, KEY_STEP = 0x10,
	STEP_AT = 9,			/* behind the key and the eight bytes of the wall time */
	LENGTH_LEAST = STEP_AT + 2 + 2 + 2 + 5,
};

struct plain_event {
	size_t tag;
	double wall_s;
	int64_t step;
	uint32_t value;			/* bits of the float */
};

/* What a run of records adds to the counters of the sink. */
struct tally {
	int64_t n, non_finite;
	double first_wall_s, last_wall_s;
};

static inline uint32_t load32(const unsigned char *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof v);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	v = __builtin_bswap32(v);
#endif
	return v;
}

static inline uint64_t load64(const unsigned char *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof v);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	v = __builtin_bswap64(v);
#endif
	return v;
}

void plain_lengths_init(struct plain_lengths *lengths, crc32c_fn *crc)
{
	unsigned char bytes[8] = { 0 };

	for (unsigned i = 0; i < PLAIN_LENGTHS; i++) {
		bytes[0] = (unsigned char)i;
		lengths->checksum[i] = crc32c_mask(crc(0, bytes, sizeof bytes));
	}
}

/*
 * A number of up to eight bytes at P, of which eight can be read: seven bits
 * of each byte, moved together in pairs, fours and eights.  0: it is longer.
 */
static inline unsigned read_varint(int64_t *out, const unsigned char *p)
{
	uint64_t word = load64(p), ends = ~word & UINT64_C(0x8080808080808080);

	if (!ends)
		return 0;
	word &= (ends ^ (ends - 1)) & UINT64_C(0x7f7f7f7f7f7f7f7f);
	word = (word & UINT64_C(0x007f007f007f007f)) | (word & UINT64_C(0x7f007f007f007f00)) >> 1;
	word = (word & UINT64_C(0x00003fff00003fff)) | (word & UINT64_C(0x3fff00003fff0000)) >> 2;
	word = (word & UINT64_C(0x000000000fffffff)) | (word & UINT64_C(0x0fffffff00000000)) >> 4;
	*out = (int64_t)word;
	return (unsigned)__builtin_ctzll(ends) / 8 + 1;
}

/* DATA[0..N) is the event; four more bytes behind it can be read. */
static inline bool read_event(
	struct plain_event *e, const struct event_reader *r, const unsigned char *data, size_t n)
{
	const unsigned char *p = data + STEP_AT;
	const struct tag_state *tag;
	uint64_t wall;
	unsigned used;

	if (data[0] != KEY_WALL)
		return false;
	e->step = 0;
	if (*p == KEY_STEP) {
		used = read_varint(&e->step, p + 1);
		if (!used)
			return false;
		p += 1 + used;
	}
	e->tag = r->tags.next;
	if (e->tag >= r->n_states)
		return false;
	tag = &r->states[e->tag];
	if (!tag->plain_n || (size_t)(data + n - p) != tag->plain_n + 4 ||
		tag->session != r->session ||
		!is_same_bytes((const char *)p, tag->plain, tag->plain_n))
		return false;
	wall = load64(data + 1);
	memcpy(&e->wall_s, &wall, sizeof wall);
	e->value = load32(data + n - 4);
	return !isnan(e->wall_s);
}

static inline void deliver(struct event_reader *r, const struct plain_event *e, struct tally *tally)
{
	struct series *s = r->tags.slots[e->tag].series[AXIS_STEP];
	float value;

	memcpy(&value, &e->value, sizeof value);
	if (!series_append_next_float(s, e->step, e->wall_s, value))
		series_append_float(s, e->step, e->wall_s, value);
	tally->n++;
	tally->non_finite += !isfinite(value);
	if (!(e->wall_s <= tally->last_wall_s))
		tally->last_wall_s = e->wall_s;
	if (!(e->wall_s >= tally->first_wall_s))
		tally->first_wall_s = e->wall_s;
	r->tags.next = e->tag + 1 < r->tags.n ? e->tag + 1 : 0;
}

static void add_tally(struct curve_sink *sink, const struct tally *tally)
{
	sink->health.records += tally->n;
	sink->health.points += tally->n;
	sink->health.non_finite += tally->non_finite;
	sink->health.last_wall_s = tally->last_wall_s;
	sink->first_wall_s = tally->first_wall_s;
}

__attribute__((always_inline)) static inline size_t take(struct event_reader *r,
	struct curve_sink *sink, const struct plain_lengths *lengths, crc32c_fn *crc,
	const char *start, size_t n)
{
	struct tally tally = { .first_wall_s = sink->first_wall_s,
		.last_wall_s = sink->health.last_wall_s };
	const unsigned char *p = (const unsigned char *)start, *end = p + n;
	struct plain_event e;

	while (end - p >= FRAME_BYTES + LENGTH_LEAST) {
		const unsigned char *data = p + HEADER_BYTES;
		uint64_t length = load64(p);

		if (length - LENGTH_LEAST >= PLAIN_LENGTHS - LENGTH_LEAST ||
			length > (size_t)(end - p) - FRAME_BYTES ||
			load32(p + 8) != lengths->checksum[length] ||
			!read_event(&e, r, data, length) ||
			crc32c_mask(crc(0, data, length)) != load32(data + length))
			break;
		deliver(r, &e, &tally);
		p = data + length + 4;
	}
	add_tally(sink, &tally);
	return (size_t)((const char *)p - start);
}

#ifdef CRC32C_INLINE
/* The checksum of so few bytes takes less time than calling it. */
CRC32C_INLINE static size_t take_with_inline(struct event_reader *r, struct curve_sink *sink,
	const struct plain_lengths *lengths, const char *p, size_t n)
{
	return take(r, sink, lengths, crc32c_inline, p, n);
}
#endif

size_t plain_events_take(struct event_reader *r, struct curve_sink *sink,
	const struct plain_lengths *lengths, crc32c_fn *crc, const char *p, size_t n)
{
#ifdef CRC32C_INLINE
	if (crc != crc32c_portable)
		return take_with_inline(r, sink, lengths, p, n);
#endif
	return take(r, sink, lengths, crc, p, n);
}
