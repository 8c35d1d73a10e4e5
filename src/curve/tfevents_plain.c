/* tfevents_plain - one pass over records that differ in their numbers alone. */
#include "config.h"

#include "curve/tfevents_plain.h"

#include <math.h>
#include <string.h>

#include "curve/reader_bytes.h"
#include "curve/reader_digits.h"

enum {
	HEADER_BYTES = 12,
	FRAME_BYTES = 16,
	KEY_WALL = 0x09, KEY_STEP = 0x10,
	STEP_AT = 9,			/* behind the key and the eight bytes of the wall time */
	LENGTH_LEAST = STEP_AT + 2 + 2 + 2 + 5,
};

struct plain_event {
	double wall_s;
	int64_t step;
	float value;
};

/* Records one behind the other. */
struct plain_run {
	struct event_reader *reader;
	size_t tag;			/* that the next one has, if they come round */
	size_t open;	/* the first tag that may have an open cursor; SIZE_MAX: none */
	struct cursor_counts counts;
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

/* DATA[0..N) is an event of the tag. */
static ATTR_ALWAYS_INLINE bool read_event(struct plain_event *e, const struct event_reader *r,
	const struct tag_state *tag, const unsigned char *data, size_t n)
{
	const unsigned char *p = data + STEP_AT;
	uint64_t wall;
	uint32_t value;
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
	if (!tag->plain_n || (size_t)(data + n - p) != tag->plain_n + 4 ||
		tag->session != r->session ||
		!is_same_text((const char *)p, tag->plain, tag->plain_n))
		return false;
	wall = load64(data + 1);
	memcpy(&e->wall_s, &wall, sizeof wall);
	value = load32(data + n - 4);
	memcpy(&e->value, &value, sizeof value);
	return !isnan(e->wall_s);
}

/* A point for which the series must look around: its first one, a step that falls back,
 * room that is to be made. */
static __attribute__((noinline)) void append(struct plain_run *run, const struct plain_event *e)
{
	struct tag_state *tag = &run->reader->states[run->tag];
	struct series *s = run->reader->tags.slots[run->tag].series[AXIS_STEP];

	series_cursor_close(&tag->cursor, &run->counts);
	series_append_float(s, e->step, e->wall_s, e->value);
	cursor_counts_add(&run->counts, e->wall_s, e->value);
	series_cursor_open(&tag->cursor, s);
	if (tag->is_open)
		return;
	tag->is_open = true;
	tag->next_open = run->open;
	run->open = run->tag;
}

/* The cursors close, and the sink is told what went through them. */
static void end_run(struct plain_run *run, struct curve_sink *sink)
{
	struct event_reader *r = run->reader;
	const struct cursor_counts *counts = &run->counts;

	for (size_t i = run->open; i != SIZE_MAX; i = r->states[i].next_open) {
		series_cursor_close(&r->states[i].cursor, &run->counts);
		r->states[i].is_open = false;
	}
	r->tags.next = run->tag;
	sink->health.records += (int64_t)counts->n;
	sink->health.points += (int64_t)counts->n;
	sink->health.non_finite += (int64_t)counts->non_finite;
	sink->health.last_wall_s = counts->last_wall_s;
	sink->first_wall_s = counts->first_wall_s;
}

static ATTR_ALWAYS_INLINE size_t take(struct event_reader *r, struct curve_sink *sink,
	const struct plain_lengths *lengths, crc32c_fn *crc, const char *start, size_t n)
{
	struct plain_run run = { .reader = r, .tag = r->tags.next, .open = SIZE_MAX,
		.counts = { .first_wall_s = sink->first_wall_s,
			.last_wall_s = sink->health.last_wall_s } };
	const unsigned char *p = (const unsigned char *)start, *end = p + n;
	struct plain_event e;

	while (end - p >= FRAME_BYTES + LENGTH_LEAST + SAME_TEXT_ROOM && run.tag < r->n_states) {
		struct tag_state *tag = &r->states[run.tag];
		const unsigned char *data = p + HEADER_BYTES;
		uint64_t length = load64(p);

		if (length - LENGTH_LEAST >= PLAIN_LENGTHS - LENGTH_LEAST ||
			length > (size_t)(end - p) - FRAME_BYTES ||
			load32(p + 8) != lengths->checksum[length] ||
			!read_event(&e, r, tag, data, length) ||
			crc32c_mask(crc(0, data, length)) != load32(data + length))
			break;
		if (!series_cursor_put(&tag->cursor, e.step, e.wall_s, e.value))
			append(&run, &e);
		run.tag = run.tag + 1 < r->tags.n ? run.tag + 1 : 0;
		p = data + length + 4;
	}
	end_run(&run, sink);
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
