/* tfevents - records of an event file, verified; the way back after damage. */
#include "config.h"

#include "curve/tfevents.h"

#include <stdlib.h>
#include <string.h>

#include "curve/crc32c.h"
#include "curve/protobuf.h"
#include "curve/tfevents_event.h"
#include "curve/tfevents_plain.h"

enum {
	HEADER_BYTES = 12,	/* length and its checksum */
	FRAME_BYTES = 16,	/* with the checksum of the data */
	LOOK_AHEAD_BYTES = 64 * 1024,
	RECORD_WINDOW_MAX = 16 * 1024 * 1024,	/* larger records are verified, not looked into */
};

struct tfevents {
	struct event_reader events;
	crc32c_fn *crc;
	struct plain_lengths lengths;
	int64_t damaged_at;	/* the damage at this offset was counted; -1: none */
	int64_t scanned_to;	/* no record begins between it and the damage */
};

static uint64_t load_le(const char *p, size_t n)
{
	struct protobuf m = { (const unsigned char *)p, (const unsigned char *)p + n };
	uint64_t v = 0;

	(void)protobuf_fixed(&m, n, &v);
	return v;
}

static bool is_header_good(const struct tfevents *t, const char *p)
{
	return crc32c_mask(t->crc(0, p, 8)) == (uint32_t)load_le(p + 8, 4);
}

static bool is_data_good(const struct tfevents *t, const char *p, size_t n)
{
	return crc32c_mask(t->crc(0, p + HEADER_BYTES, n)) ==
		(uint32_t)load_le(p + HEADER_BYTES + n, 4);
}

static void take_record(
	struct tfevents *t, struct curve_sink *sink, const char *data, size_t n, int64_t offset)
{
	sink->health.records++;
	if (event_reader_take(&t->events, sink, data, n))
		return;
	sink->health.malformed++;
	curve_sink_damage(sink, offset);
}

/* Takes good records from P[0..N), which is at OFFSET; returns the bytes taken. */
static size_t take_good_records(
	struct tfevents *t, struct curve_sink *sink, const char *p, size_t n, int64_t offset)
{
	size_t at = 0;

	for (;;) {
		uint64_t length;

		if (!sink->options->no_shapes)
			at += plain_events_take(
				&t->events, sink, &t->lengths, t->crc, p + at, n - at);
		if (n - at < FRAME_BYTES)
			break;
		length = load_le(p + at, 8);
		if (!is_header_good(t, p + at) || length > n - at - FRAME_BYTES ||
		    !is_data_good(t, p + at, (size_t)length))
			break;
		take_record(t, sink, p + at + HEADER_BYTES, (size_t)length, offset + (int64_t)at);
		at += FRAME_BYTES + (size_t)length;
	}
	return at;
}

/* The checksum of a record's data, piece by piece when it is large. */
static bool is_large_data_good(
	const struct tfevents *t, struct curve_source *src, int64_t offset, uint64_t length)
{
	int64_t at = offset + HEADER_BYTES, end = at + (int64_t)length;
	uint32_t crc = 0;
	const char *p;
	size_t n;

	while (at < end) {
		p = source_bytes(src, at, LOOK_AHEAD_BYTES, &n);
		if (n == 0)
			return false;
		if ((int64_t)n > end - at)
			n = (size_t)(end - at);
		crc = t->crc(crc, p, n);
		at += (int64_t)n;
	}
	p = source_bytes(src, end, 4, &n);
	return n >= 4 && crc32c_mask(crc) == (uint32_t)load_le(p, 4);
}

enum record_state { RECORD_GOOD, RECORD_INCOMPLETE, RECORD_BAD_HEADER, RECORD_BAD_DATA };

static enum record_state judge_record(
	const struct tfevents *t, struct curve_source *src, int64_t offset, uint64_t *length)
{
	int64_t left = src->size - offset;
	const char *p;
	size_t n;

	*length = 0;
	p = source_bytes(src, offset, FRAME_BYTES, &n);
	if (n < HEADER_BYTES)
		return RECORD_INCOMPLETE;
	*length = load_le(p, 8);
	if (!is_header_good(t, p))
		return RECORD_BAD_HEADER;
	if (left < FRAME_BYTES || *length > (uint64_t)(left - FRAME_BYTES))
		return RECORD_INCOMPLETE;
	if (*length > RECORD_WINDOW_MAX)
		return is_large_data_good(t, src, offset, *length) ? RECORD_GOOD : RECORD_BAD_DATA;
	p = source_bytes(src, offset, (size_t)*length + FRAME_BYTES, &n);
	if (n < (size_t)*length + FRAME_BYTES)
		return RECORD_INCOMPLETE;
	return is_data_good(t, p, (size_t)*length) ? RECORD_GOOD : RECORD_BAD_DATA;
}

/*
 * First place from AT on where a length checksum is good; END, or the end of the source
 * less 11 bytes, when none is before it.
 */
static int64_t find_header(
	const struct tfevents *t, struct curve_source *src, int64_t at, int64_t end)
{
	const char *p;
	size_t n;

	while (at < end) {
		p = source_bytes(src, at, LOOK_AHEAD_BYTES, &n);
		if (n < HEADER_BYTES)
			return at;
		for (size_t i = 0; i + HEADER_BYTES <= n; i++)
			if (is_header_good(t, p + i))
				return at + (int64_t)i;
		at += (int64_t)(n - HEADER_BYTES + 1);
	}
	return end;
}

/*
 * The first good record after the damage at OFFSET, or OFFSET when there is
 * none yet; what was searched in vain is not searched again.
 */
static int64_t find_record(
	struct tfevents *t, struct curve_sink *sink, struct curve_source *src, int64_t offset)
{
	int64_t at = t->scanned_to > offset ? t->scanned_to : offset + 1;
	int64_t waiting = -1;
	uint64_t length;

	while (!curve_sink_cancelled(sink)) {
		enum record_state state;

		at = find_header(t, src, at, src->size);
		state = judge_record(t, src, at, &length);
		if (state == RECORD_GOOD)
			return at;
		if (state == RECORD_INCOMPLETE && waiting < 0)
			waiting = at;
		if (src->size - at < HEADER_BYTES)
			break;
		at++;
	}
	t->scanned_to = waiting >= 0 ? waiting : at;
	return offset;
}

static void count_damage(
	struct tfevents *t, struct curve_sink *sink, int64_t offset, int64_t *counter)
{
	if (t->damaged_at == offset)
		return;
	t->damaged_at = offset;
	t->scanned_to = offset + 1;
	++*counter;
	curve_sink_damage(sink, offset);
}

static int64_t skip_to(struct curve_sink *sink, int64_t offset, int64_t next)
{
	sink->health.skipped_bytes += next - offset;
	return next;
}

/*
 * The data checksum at OFFSET is wrong.  When a record begins right behind it,
 * it is one damaged record; else it was cut and has swallowed what follows.  At
 * the end of a live file that cannot be told yet.
 */
static int64_t pass_bad_data(struct tfevents *t, struct curve_sink *sink, struct curve_source *src,
	int64_t offset, uint64_t length)
{
	int64_t next = offset + FRAME_BYTES + (int64_t)length;
	const char *p;
	size_t n;

	p = source_bytes(src, next, HEADER_BYTES, &n);
	if (n < HEADER_BYTES && !sink->options->ended)
		return offset;
	count_damage(t, sink, offset, &sink->health.bad_data);
	if (next == src->size || (n >= HEADER_BYTES && is_header_good(t, p)))
		return skip_to(sink, offset, next);
	return skip_to(sink, offset, find_record(t, sink, src, offset));
}

/* An incomplete record is a tail, unless good records follow: then it was cut. */
static int64_t pass_incomplete(
	struct tfevents *t, struct curve_sink *sink, struct curve_source *src, int64_t offset)
{
	int64_t next;

	if (src->size - offset < HEADER_BYTES)
		return offset;
	if (t->scanned_to <= offset)
		t->scanned_to = offset + 1;
	next = find_record(t, sink, src, offset);
	if (next == offset)
		return offset;
	count_damage(t, sink, offset, &sink->health.bad_data);
	return skip_to(sink, offset, next);
}

/* A record over RECORD_WINDOW_MAX is no scalar. */
static int64_t pass_good(struct tfevents *t, struct curve_sink *sink, struct curve_source *src,
	int64_t offset, uint64_t length)
{
	const char *p;
	size_t n;

	if (length > RECORD_WINDOW_MAX) {
		sink->health.records++;
		sink->health.non_scalar++;
	} else {
		p = source_bytes(src, offset, (size_t)length + FRAME_BYTES, &n);
		take_record(t, sink, p + HEADER_BYTES, (size_t)length, offset);
	}
	return offset + FRAME_BYTES + (int64_t)length;
}

/* What the quick loop did not take: returns OFFSET when it must wait. */
static int64_t pass_one(
	struct tfevents *t, struct curve_sink *sink, struct curve_source *src, int64_t offset)
{
	uint64_t length;

	switch (judge_record(t, src, offset, &length)) {
	case RECORD_GOOD:
		return pass_good(t, sink, src, offset, length);
	case RECORD_INCOMPLETE:
		return pass_incomplete(t, sink, src, offset);
	case RECORD_BAD_HEADER:
		count_damage(t, sink, offset, &sink->health.bad_header);
		return skip_to(sink, offset, find_record(t, sink, src, offset));
	case RECORD_BAD_DATA:
		return pass_bad_data(t, sink, src, offset, length);
	}
	return offset;
}

/*
 * Takes what begins before END and lies whole in the window; else one record, whatever
 * it is.  Returns OFFSET when it must wait.
 */
static int64_t pass_some(struct tfevents *t, struct curve_sink *sink, struct curve_source *src,
	int64_t offset, int64_t end)
{
	const char *p;
	size_t n, taken;

	p = source_bytes(src, offset, FRAME_BYTES, &n);
	if ((int64_t)n > end - offset)
		n = (size_t)(end - offset);
	taken = take_good_records(t, sink, p, n, offset);
	return taken ? offset + (int64_t)taken : pass_one(t, sink, src, offset);
}

/* Ends at the first place at or behind the budget where it stands: see tfevents_seek(). */
static int64_t tfevents_advance(
	void *state, struct curve_sink *sink, struct curve_source *src, int64_t offset)
{
	struct tfevents *t = state;
	int64_t left = src->size - offset,
		end = left < sink->budget_bytes ? src->size : offset + sink->budget_bytes;
	bool waits = false;

	while (offset < end && !waits && !curve_sink_cancelled(sink)) {
		int64_t next = pass_some(t, sink, src, offset, end);

		waits = next == offset;
		offset = next;
	}
	if (t->events.again && (waits || src->size - offset < sink->budget_bytes)) {
		event_reader_rewind(&t->events);
		t->damaged_at = -1;
		t->scanned_to = 0;
		return CURVE_AGAIN;
	}
	return offset;
}

static int64_t tfevents_seek(void *state, struct curve_sink *sink, struct curve_source *src,
	int64_t first, int64_t end)
{
	const struct tfevents *t = state;
	uint64_t length;

	while (!curve_sink_cancelled(sink)) {
		first = find_header(t, src, first, end);
		if (first >= end || src->size - first < HEADER_BYTES)
			break;
		if (judge_record(t, src, first, &length) == RECORD_GOOD)
			return first;
		first++;
	}
	return -1;
}

/* Damage that was counted before, at the place where the piece begins, is not counted again. */
static bool tfevents_join(void *state, const void *from, int64_t at)
{
	const struct tfevents *piece = from;
	struct tfevents *t = state;

	if (t->damaged_at >= at || !event_reader_join(&t->events, &piece->events))
		return false;
	t->damaged_at = piece->damaged_at;
	t->scanned_to = piece->scanned_to;
	return true;
}

static void *tfevents_new(const struct curve_sink *sink)
{
	struct tfevents *t = xcalloc(1, sizeof *t);

	(void)sink;
	t->crc = crc32c_best();
	t->damaged_at = -1;
	plain_lengths_init(&t->lengths, t->crc);
	return t;
}

static void tfevents_free(void *state)
{
	struct tfevents *t = state;

	event_reader_release(&t->events);
	free(t);
}

static bool has_record(const char *head, size_t n)
{
	return n >= HEADER_BYTES &&
		crc32c_mask(crc32c_bytes(head, 8)) == (uint32_t)load_le(head + 8, 4);
}

/* A damaged or empty file is still one of these when its name says so. */
static bool tfevents_recognise(const char *path, const char *basename, const char *head, size_t n)
{
	(void)path;
	return has_record(head, n) || strstr(basename, "tfevents");
}

const struct curve_format tfevents_format = {
	.name = "tfevents",
	.title = "TensorBoard events",
	.delay = "each 120 s, at a flush or at the end (default of torch)",
	.shape = CURVE_STREAM,
	.step_bytes = CURVE_TEXT_STEP_BYTES,
	.rank = RANK_RECORDS,
	.recognise = tfevents_recognise,
	.new_state = tfevents_new,
	.free_state = tfevents_free,
	.advance = tfevents_advance,
	.seek = tfevents_seek,
	.join = tfevents_join,
};
