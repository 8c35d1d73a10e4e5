/* tfevents_event - reads an Event and appends its scalars. */
#include "config.h"

#include "curve/tfevents_event.h"

#include <math.h>
#include <stdlib.h>

#include "curve/reader_bytes.h"
#include "curve/tfevents_tensor.h"

enum { SESSION_START = 1, DATA_CLASS_SCALAR = 1 };

struct event {
	double wall_s;
	int64_t step;		/* absent means 0 */
	bool starts_session;
};

void event_reader_release(struct event_reader *r)
{
	slots_release(&r->tags);
	for (size_t i = 0; i < r->n_states; i++)
		free(r->states[i].plain);
	free(r->states);
	free(r->values);
}

void event_reader_rewind(struct event_reader *r)
{
	r->session = 0;
	r->again = false;
	for (size_t i = 0; i < r->n_states; i++) {
		r->states[i].session = 0;
		r->states[i].provisional = false;
		r->states[i].plain_n = 0;
	}
	for (size_t i = 0; i < r->tags.n; i++)
		memset(r->tags.slots[i].series, 0, sizeof r->tags.slots[i].series);
}

static bool is_plugin_scalars(struct protobuf name)
{
	return name.end - name.p == 7 && memcmp(name.p, "scalars", 7) == 0;
}

static bool read_plugin(bool *scalars, struct protobuf m)
{
	struct protobuf_field f;
	int more;

	while ((more = protobuf_next(&m, &f)) > 0)
		if (f.number == 1 && f.wire == WIRE_BYTES)
			*scalars = is_plugin_scalars(f.bytes);
	return more == 0;
}

static bool read_metadata(struct event_value *v, struct protobuf m)
{
	struct protobuf_field f;
	uint64_t data_class = 0;
	bool scalars = false;
	int more;

	while ((more = protobuf_next(&m, &f)) > 0) {
		if (f.number == 1 && f.wire == WIRE_BYTES && !read_plugin(&scalars, f.bytes))
			return false;
		if (f.number == 4 && f.wire == WIRE_VARINT)
			data_class = f.value;
	}
	v->metadata = TAG_OTHER;
	if (data_class == DATA_CLASS_SCALAR || (data_class == 0 && scalars))
		v->metadata = TAG_SCALAR;
	return more == 0;
}

static bool read_tensor(struct event_value *v, struct protobuf m)
{
	struct tensor_number t;

	if (!tensor_read(&t, m))
		return false;
	if (v->content == CONTENT_FLOAT)
		return true;
	if (t.kind == TENSOR_NONE)
		v->content = CONTENT_NONE;
	else
		v->content = t.kind == TENSOR_FLOAT ? CONTENT_TENSOR_FLOAT : CONTENT_TENSOR_DOUBLE;
	v->number32 = t.number32;
	v->number = t.number;
	return true;
}

static bool read_value(struct event_value *v, struct protobuf m)
{
	struct protobuf_field f;
	int more;

	*v = (struct event_value){ .tag = { m.p, m.p } };
	while ((more = protobuf_next(&m, &f)) > 0) {
		if (f.wire == WIRE_FIXED32 && f.number == 2) {
			v->content = CONTENT_FLOAT;
			v->number32 = protobuf_float(f.value);
		} else if (f.wire != WIRE_BYTES) {
			continue;
		} else if (f.number == 1) {
			v->tag = f.bytes;
		} else if (f.number == 8 && !read_tensor(v, f.bytes)) {
			return false;
		} else if (f.number == 9 && !read_metadata(v, f.bytes)) {
			return false;
		}
	}
	return more == 0;
}

static bool read_summary(struct event_reader *r, struct protobuf m)
{
	struct protobuf_field f;
	int more;

	while ((more = protobuf_next(&m, &f)) > 0) {
		if (f.number != 1 || f.wire != WIRE_BYTES)
			continue;
		ARRAY_GROW(r->values, r->n_values, r->cap_values);
		if (!read_value(&r->values[r->n_values++], f.bytes))
			return false;
	}
	return more == 0;
}

static bool read_session(struct event *e, struct protobuf m)
{
	struct protobuf_field f;
	int more;

	while ((more = protobuf_next(&m, &f)) > 0)
		if (f.number == 1 && f.wire == WIRE_VARINT)
			e->starts_session = f.value == SESSION_START;
	return more == 0;
}

static bool read_event(struct event_reader *r, struct event *e, struct protobuf m)
{
	struct protobuf_field f;
	int more;

	r->n_values = 0;
	while ((more = protobuf_next(&m, &f)) > 0) {
		if (f.number == 1 && f.wire == WIRE_FIXED64)
			e->wall_s = protobuf_double(f.value);
		else if (f.number == 2 && f.wire == WIRE_VARINT)
			e->step = (int64_t)f.value;
		else if (f.number == 5 && f.wire == WIRE_BYTES && !read_summary(r, f.bytes))
			return false;
		else if (f.number == 7 && f.wire == WIRE_BYTES && !read_session(e, f.bytes))
			return false;
	}
	return more == 0;
}

static struct tag_state *state_of(struct event_reader *r, size_t tag)
{
	while (r->n_states <= tag) {
		ARRAY_GROW(r->states, r->n_states, r->cap_states);
		r->states[r->n_states++] = (struct tag_state){ 0 };
	}
	return &r->states[tag];
}

/* The series of a tag, with the segment of the session opened. */
static struct series *series_of(
	struct event_reader *r, struct curve_sink *sink, size_t tag, struct tag_state *state)
{
	struct series *s = slots_series(&r->tags, sink, tag, AXIS_STEP);

	if (state->session != r->session) {
		state->session = r->session;
		series_open_segment(s, r->session_start, 0, false);
	}
	return s;
}

/* Points that were taken before are void: they may be with their owner, marked or
 * counted otherwise. */
static void learn_meaning(
	struct event_reader *r, struct tag_state *state, const struct event_value *v)
{
	if (v->metadata == TAG_UNKNOWN || state->meaning != TAG_UNKNOWN)
		return;
	state->meaning = v->metadata;
	r->again |= state->provisional;
}

static void deliver_tensor(struct event_reader *r, struct curve_sink *sink, const struct event *e,
	const struct event_value *v, size_t tag, struct tag_state *state)
{
	struct series *s;

	if (state->meaning == TAG_OTHER) {
		sink->health.non_scalar++;
		return;
	}
	s = series_of(r, sink, tag, state);
	if (state->meaning == TAG_UNKNOWN) {
		state->provisional = true;
		s->no_metadata = true;
	}
	if (v->content == CONTENT_TENSOR_FLOAT)
		curve_sink_float(sink, s, e->step, e->wall_s, v->number32);
	else
		curve_sink_point(sink, s, e->step, e->wall_s, v->number);
}

static void deliver_value(struct event_reader *r, struct curve_sink *sink, const struct event *e,
	const struct event_value *v)
{
	size_t tag = slots_find(&r->tags, (const char *)v->tag.p, (size_t)(v->tag.end - v->tag.p));
	struct tag_state *state;

	if (tag == SIZE_MAX) {
		slots_leave_out(&r->tags, sink);
		return;
	}
	state = state_of(r, tag);
	learn_meaning(r, state, v);
	if (v->content == CONTENT_NONE)
		sink->health.non_scalar++;
	else if (v->content == CONTENT_FLOAT)
		curve_sink_float(
			sink, series_of(r, sink, tag, state), e->step, e->wall_s, v->number32);
	else
		deliver_tensor(r, sink, e, v, tag, state);
}

/* Into the message that takes all that is left; false for anything else. */
static bool enter(const unsigned char **p, const unsigned char *end, unsigned char key)
{
	if (end - *p < 2 || **p != key || (*p)[1] >= 0x80 || (*p)[1] != end - *p - 2)
		return false;
	*p += 2;
	return true;
}

struct plain_scalar {
	double wall_s;
	int64_t step;
	struct protobuf tag;
	struct protobuf shell;	/* all that stands between the step and the number */
	float value;
};

/*
 * The one form that makes up nearly all of a file: wall time, step, a summary of
 * one value of a tag and a float.  Whatever differs takes the general way.
 */
static bool read_plain_scalar(struct plain_scalar *s, const unsigned char *p, size_t n)
{
	struct protobuf m;
	uint64_t bits;

	if (n < 9 + 2 + 2 + 2 + 5 || *p != 0x09)
		return false;
	m = (struct protobuf){ p + 1, p + n };
	(void)protobuf_fixed(&m, 8, &bits);
	s->wall_s = protobuf_double(bits);
	s->step = 0;
	if (*m.p == 0x10) {
		m.p++;
		if (!protobuf_varint(&m, &bits))
			return false;
		s->step = (int64_t)bits;
	}
	s->shell = (struct protobuf){ m.p, m.end - 4 };
	if (!enter(&m.p, m.end, 0x2a) || !enter(&m.p, m.end, 0x0a))
		return false;
	if (m.end - m.p < 7 || *m.p != 0x0a || m.p[1] != m.end - m.p - 7 || m.end[-5] != 0x15 ||
		m.p[1] >= 0x80)
		return false;
	s->tag = (struct protobuf){ m.p + 2, m.end - 5 };
	m.p = m.end - 4;
	(void)protobuf_fixed(&m, 4, &bits);
	s->value = protobuf_float(bits);
	return true;
}

/* The next plain record of the tag will be known by these bytes: see tfevents_plain.h. */
static void keep_shell(struct tag_state *state, const struct protobuf *shell)
{
	if (state->plain_n)
		return;
	state->plain_n = (size_t)(shell->end - shell->p);
	state->plain = xrealloc(state->plain, state->plain_n + SAME_TEXT_ROOM);
	memcpy(state->plain, shell->p, state->plain_n);
	memset(state->plain + state->plain_n, 0, SAME_TEXT_ROOM);
}

static void deliver_plain(
	struct event_reader *r, struct curve_sink *sink, const struct plain_scalar *s)
{
	size_t n = (size_t)(s->tag.end - s->tag.p),
	       tag = slots_find(&r->tags, (const char *)s->tag.p, n);
	struct tag_state *state;

	if (tag == SIZE_MAX) {
		slots_leave_out(&r->tags, sink);
		return;
	}
	state = state_of(r, tag);
	curve_sink_float(sink, series_of(r, sink, tag, state), s->step, s->wall_s, s->value);
	keep_shell(state, &s->shell);
}

bool event_reader_take(struct event_reader *r, struct curve_sink *sink, const char *p, size_t n)
{
	const unsigned char *bytes = (const unsigned char *)p;
	struct plain_scalar plain;
	struct event e;

	if (read_plain_scalar(&plain, bytes, n)) {
		deliver_plain(r, sink, &plain);
		return true;
	}
	e = (struct event){ 0 };
	if (!read_event(r, &e, (struct protobuf){ bytes, bytes + n }))
		return false;
	if (e.starts_session) {
		r->session++;
		r->session_start = e.step;
	}
	for (size_t i = 0; i < r->n_values; i++)
		deliver_value(r, sink, &e, &r->values[i]);
	return true;
}

/* ---- joining ------------------------------------------------------------------------ */

/* What the piece took the tag for is what it would have been here. */
static bool is_same_meaning(const struct tag_state *own, const struct tag_state *piece)
{
	switch (own->meaning) {
	case TAG_UNKNOWN:
		return piece->meaning == TAG_UNKNOWN || !own->provisional;
	case TAG_SCALAR:
		return piece->meaning != TAG_OTHER;
	case TAG_OTHER:
		return piece->meaning != TAG_SCALAR && !piece->provisional;
	}
	return false;
}

/* The session that had begun before the piece opens a segment with its first point. */
static void mark_session(struct series *s, int64_t start)
{
	struct segment *first = &s->segments[0];

	if (first->marked)
		return;
	first->marked = true;
	first->start = series_x_falls(s->axis, start, s->x[0]) ? s->x[0] : start;
}

static void join_tag(struct event_reader *r, struct tag_state *own, const struct tag_state *piece,
	struct series *s)
{
	if (own->meaning == TAG_SCALAR && s)
		s->no_metadata = false;
	if (own->meaning == TAG_UNKNOWN) {
		own->meaning = piece->meaning;
		own->provisional |= piece->provisional;
	}
	if (!s || !s->n)
		return;
	if (own->session != r->session)
		mark_session(s, r->session_start);
	own->session = r->session + piece->session;
}

static bool can_join(struct event_reader *r, const struct event_reader *piece)
{
	if (r->again || piece->again || piece->tags.full)
		return false;
	for (size_t i = 0; i < piece->tags.n; i++) {
		const struct slot *slot = &piece->tags.slots[i];
		size_t tag = slots_find(&r->tags, slot->name, slot->name_n);

		if (tag == SIZE_MAX || !is_same_meaning(state_of(r, tag), &piece->states[i]))
			return false;
	}
	return true;
}

bool event_reader_join(struct event_reader *r, const struct event_reader *piece)
{
	if (!can_join(r, piece))
		return false;
	for (size_t i = 0; i < piece->tags.n; i++) {
		const struct slot *slot = &piece->tags.slots[i];
		size_t tag = slots_find(&r->tags, slot->name, slot->name_n);

		join_tag(r, state_of(r, tag), &piece->states[i], slot->series[AXIS_STEP]);
	}
	if (piece->session) {
		r->session += piece->session;
		r->session_start = piece->session_start;
	}
	return true;
}
