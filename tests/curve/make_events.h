/*
 * make_events - event files as no writer would make them: all kinds of records, odd
 * numbers, names of every length, sessions, metadata that comes late, damage.
 */
#ifndef PORTSIDE_TESTS_MAKE_EVENTS_H
#define PORTSIDE_TESTS_MAKE_EVENTS_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/buf.h"
#include "curve/crc32c.h"

static uint64_t event_seed = 7;

static inline size_t pick(size_t n)
{
	event_seed = event_seed * 6364136223846793005u + 1442695040888963407u;
	return (size_t)(event_seed >> 33) % n;
}

static inline void add_varint(struct buf *b, uint64_t v)
{
	for (; v > 127; v >>= 7)
		buf_addc(b, (char)(v | 128));
	buf_addc(b, (char)v);
}

static inline void add_le(struct buf *b, uint64_t v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		buf_addc(b, (char)(v >> 8 * i));
}

static inline void add_message(struct buf *b, unsigned char key, const struct buf *m)
{
	buf_addc(b, (char)key);
	add_varint(b, m->n);
	buf_add(b, m->s, m->n);
}

static inline void add_double(struct buf *b, unsigned char key, double v)
{
	uint64_t bits;

	memcpy(&bits, &v, sizeof bits);
	buf_addc(b, (char)key);
	add_le(b, bits, 8);
}

static inline uint32_t random_float(void)
{
	static const float odd[] = { 0, -0.0f, 1, INFINITY, -INFINITY, NAN, 1e-45f, 3e38f };
	float v = pick(6) ? (float)pick(100000) / 997 : odd[pick(ARRAY_LEN(odd))];
	uint32_t bits;

	memcpy(&bits, &v, sizeof bits);
	return bits;
}

/* Names of every length that changes how a record is written. */
static inline void add_tag(struct buf *value, size_t tag)
{
	static const size_t lengths[] = { 4, 10, 1, 0, 8, 3, 90, 107, 108, 109, 120, 127, 128,
		300 };
	struct buf name = BUF_INIT;

	for (size_t i = 0; i < lengths[tag % ARRAY_LEN(lengths)]; i++)
		buf_addc(&name, (char)('a' + (tag + i) % 26));
	add_message(value, 0x0a, &name);
	buf_release(&name);
}

static inline void add_scalar(struct buf *summary, size_t tag, size_t form)
{
	struct buf value = BUF_INIT, tensor = BUF_INIT;

	buf_init(&value);
	buf_init(&tensor);
	if (form != 1)
		add_tag(&value, tag);
	if (form == 2) {
		buf_adds(&tensor, "\x08\x01\x2a\x04");
		add_le(&tensor, random_float(), 4);
		add_message(&value, 0x42, &tensor);
	} else {
		buf_addc(&value, 0x15);
		add_le(&value, random_float(), 4);
	}
	if (form == 1)
		add_tag(&value, tag);
	if (form == 3)
		buf_adds(&value, "\x78\x05");	/* a field that nobody knows */
	add_message(summary, 0x0a, &value);
	buf_release(&value);
	buf_release(&tensor);
}

static inline double random_wall(int64_t at)
{
	return pick(30) ? 1.7e9 + (double)at * 0.1 : pick(2) ? (double)NAN : -1.0;
}

static inline void add_event(struct buf *event, size_t tag, int64_t at, size_t form)
{
	struct buf summary = BUF_INIT;
	uint64_t step = (uint64_t)at;

	buf_init(&summary);
	if (pick(40) == 0)
		step = pick(2) ? UINT64_MAX - pick(5) : (uint64_t)pick(1000) << pick(60);
	add_scalar(&summary, tag, form);
	if (form == 4)
		add_scalar(&summary, tag + 1, 0);
	if (form == 5)
		add_message(event, 0x2a, &summary);
	if (form != 6)
		add_double(event, 0x09, random_wall(at));
	if (form != 7) {
		buf_addc(event, 0x10);
		add_varint(event, step);
	}
	if (form != 5)
		add_message(event, 0x2a, &summary);
	if (form == 8)
		buf_adds(event, "\x3a\x02\x08\x01");	/* a session starts */
	buf_release(&summary);
}

static inline void add_record(struct buf *file, const struct buf *event)
{
	size_t at = file->n;

	add_le(file, event->n, 8);
	add_le(file, crc32c_mask(crc32c_portable(0, file->s + at, 8)), 4);
	buf_add(file, event->s, event->n);
	add_le(file, crc32c_mask(crc32c_portable(0, event->s, event->n)), 4);
}

static inline void damage(struct buf *file)
{
	size_t at = pick(file->n);

	if (pick(3)) {
		file->s[at] = (char)(file->s[at] ^ 1 << pick(8));
	} else {
		size_t hole = 1 + pick(60);

		hole = hole < file->n - at ? hole : file->n - at;
		memmove(file->s + at, file->s + at + hole, file->n - at - hole);
		buf_truncate(file, file->n - hole);
	}
}

/* Mostly plain records of a few tags that come round; ODD: one in so many is not. */
static inline void write_file(struct buf *file, size_t n_tags, size_t odd)
{
	struct buf event = BUF_INIT;
	int64_t step = (int64_t)pick(3);
	size_t tag = pick(14);

	buf_clear(file);
	buf_init(&event);
	for (size_t i = 0; i < 300; i++) {
		bool other = pick(odd) == 0;

		buf_clear(&event);
		step += i % n_tags == 0;
		add_event(&event, tag + (other ? pick(20) : i % n_tags), step,
			other ? 1 + pick(8) : 0);
		add_record(file, &event);
	}
	buf_release(&event);
}

#endif
