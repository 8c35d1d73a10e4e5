/*
 * tfevents_event - one Event message: its scalars, put into series.
 *
 * The whole message is read before anything is delivered, since a summary may
 * stand before its step.  A tensor is a scalar when it has rank 0 and exactly
 * one value, and its tag's first metadata says scalar or there never was any.
 * Field numbers are those of TensorBoard's event, summary and tensor messages.
 */
#ifndef PORTSIDE_CURVE_TFEVENTS_EVENT_H
#define PORTSIDE_CURVE_TFEVENTS_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "curve/protobuf.h"
#include "curve/reader.h"
#include "curve/reader_slots.h"
#include "curve/series_cursor.h"

enum tag_meaning { TAG_UNKNOWN, TAG_SCALAR, TAG_OTHER };

struct tag_state {
	enum tag_meaning meaning;	/* by the first metadata of the tag */
	int session;			/* whose segment is open */
	bool provisional;		/* tensors were taken before any metadata */
	char *plain;			/* of a plain record: its bytes between step and number */
	size_t plain_n;			/* 0: there was none yet */
	/* while plain records are taken: where they go, and the next tag that has one */
	struct series_cursor cursor;
	bool is_open;
	size_t next_open;
};

enum value_content { CONTENT_NONE, CONTENT_FLOAT, CONTENT_TENSOR_FLOAT, CONTENT_TENSOR_DOUBLE };

struct event_value {
	struct protobuf tag;
	enum value_content content;
	float number32;
	double number;
	enum tag_meaning metadata;	/* of this value; TAG_UNKNOWN: none */
};

struct event_reader {
	struct slots tags;
	struct tag_state *states;	/* beside tags.slots */
	size_t n_states, cap_states;
	struct event_value *values;	/* of the record at hand */
	size_t n_values, cap_values;
	int session;			/* number of SessionLog START so far */
	int64_t session_start;
	bool again;			/* late metadata: points were taken under another meaning */
};

void event_reader_release(struct event_reader *r);
/* Reading starts over from the first byte; what was learnt of tags stays. */
void event_reader_rewind(struct event_reader *r);

/* False when the message is malformed: nothing of it is delivered. */
bool event_reader_take(struct event_reader *r, struct curve_sink *sink, const char *p, size_t n);

/*
 * PIECE read the records that follow those of R, knowing nothing of them.  What it
 * learnt is R's then, and its series get the segments of sessions that had begun
 * before.  False, and R must read the records itself, when a tag means something
 * else than PIECE took it for.
 */
bool event_reader_join(struct event_reader *r, const struct event_reader *piece);

#endif
