/* trainer_state - the rows of log_history, without the rest of the document. */
#include "config.h"

#include "curve/trainer_state.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "curve/json_shape.h"
#include "curve/jsonl.h"
#include "curve/reader_slots.h"

static const char *const step_names[] = { "step", NULL };
static const char *const no_names[] = { NULL };
static const struct json_keys keys = { .step = step_names, .time = no_names };

enum { ROW_BYTES_MAX = 16 * 1024 * 1024, ROW_BYTES_FIRST = 64 * 1024 };

struct trainer_state {
	struct json_row row;
	struct slots slots;
	struct shapes shapes;
	double max_steps, epochs;
	int64_t global_step;
};

/* Where in the document the reader stands. */
struct place {
	struct curve_sink *sink;
	struct curve_source *src;
	int64_t offset;
	bool cut;		/* the document ends inside */
	bool bad;		/* it is no JSON from here on */
};

static int peek(struct place *at)
{
	const char *p;
	size_t n;

	for (;; at->offset++) {
		p = source_bytes(at->src, at->offset, 1, &n);
		if (n == 0) {
			at->cut = true;
			return -1;
		}
		if (*p != ' ' && *p != '\n' && *p != '\r' && *p != '\t')
			return (unsigned char)*p;
	}
}

static bool expect(struct place *at, int c)
{
	int found = peek(at);

	if (found == c) {
		at->offset++;
		return true;
	}
	at->bad |= found >= 0;
	return false;
}

/* A scan over a growing piece of the document, since values have no length in front. */
static const char *scan_piece(struct place *at, struct json_row *row, size_t *used)
{
	size_t want = ROW_BYTES_FIRST, n;
	enum json_scan_result result;
	const char *p;

	for (;; want *= 4) {
		p = source_bytes(at->src, at->offset, want, &n);
		result = row ? json_scan_object(row, p, n, used) : json_skip_value(p, n, used);
		if (result == JSON_SCAN_OK &&
			(*used < n || at->offset + (int64_t)n == at->src->size))
			return p;
		if (result == JSON_SCAN_BAD)
			at->bad = true;
		else if (at->offset + (int64_t)n >= at->src->size)
			at->cut = true;
		else if (want < ROW_BYTES_MAX)
			continue;
		else
			at->bad = true;
		return NULL;
	}
}

static bool skip_value(struct place *at)
{
	size_t used;

	if (peek(at) < 0 || !scan_piece(at, NULL, &used))
		return false;
	at->offset += (int64_t)used;
	return true;
}

static void put_fields(struct trainer_state *t, struct curve_sink *sink,
	const struct json_roles *roles, struct row_x *x)
{
	struct number number;

	slots_begin_row(&t->slots);
	for (size_t i = 0; i < t->row.n; i++) {
		const struct json_field *f = &t->row.fields[i];

		if (json_field_has_name_of(f, roles->step))
			continue;
		if (json_field_is_named(f, "epoch")) {
			if (json_field_number(f, &number))
				x->epoch = number.value;
		} else if (json_field_number(f, &number)) {
			slots_put(&t->slots, f->name, f->name_n, number.value);
		} else {
			slots_put_absent(&t->slots, f->name, f->name_n);
			sink->health.non_numeric += f->kind != JSON_FIELD_NULL;
		}
	}
	slots_emit(&t->slots, sink, x);
}

/* The row P[0..N) that was scanned. */
static void take_row(struct trainer_state *t, struct curve_sink *sink, const char *p, size_t n,
	int64_t offset)
{
	struct row_x x = { .axis = AXIS_STEP, .wall_s = NAN, .epoch = NAN };
	struct json_roles roles = { .step = json_row_find(&t->row, "step"),
		.epoch = json_row_find(&t->row, "epoch") };
	struct number number;

	shapes_flush(&t->shapes, sink);
	if (!roles.step || !json_field_number(roles.step, &number) || !number.is_integer) {
		sink->health.malformed++;
		curve_sink_damage(sink, offset);
		return;
	}
	x.step = number.integer;
	put_fields(t, sink, &roles, &x);
	sink->health.records++;
	if (!sink->options->no_shapes)
		json_shape_learn(&t->shapes, &t->slots, &t->row, p, n, &roles, &keys, 0);
}

static const char *skip_blanks(const char *p, const char *end)
{
	while (p < end && (*p == ' ' || *p == '\n' || *p == '\r' || *p == '\t'))
		p++;
	return p;
}

/* Takes rows that look like earlier ones, each with the comma behind it. */
static void take_alike(struct trainer_state *t, struct place *at)
{
	size_t n;
	const char *start = source_bytes(at->src, at->offset, ROW_BYTES_FIRST, &n), *p = start;
	const char *end = start + n, *behind;
	struct shape *s;

	while ((s = shapes_take(&t->shapes, ROW_OPEN, skip_blanks(p, end), end, &behind))) {
		behind = skip_blanks(behind, end);
		if (behind == end || *behind != ',')
			break;
		shape_emit(&t->shapes, s, at->sink,
			&(struct row_x){ .axis = AXIS_STEP, .step = s->step, .wall_s = NAN,
				.epoch = s->epoch });
		p = behind + 1;
	}
	at->offset += p - start;
}

/* One element of log_history. */
static bool read_element(struct trainer_state *t, struct place *at)
{
	const char *p;
	int64_t start;
	size_t used;

	if (peek(at) != '{') {
		if (!skip_value(at))
			return false;
		at->sink->health.malformed++;
		return true;
	}
	start = at->offset;
	p = scan_piece(at, &t->row, &used);
	if (!p)
		return false;
	at->offset += (int64_t)used;
	take_row(t, at->sink, p, used, start);
	return true;
}

/* The offset afterwards is behind the last whole row. */
static bool read_history(struct trainer_state *t, struct place *at)
{
	int c;

	if (!expect(at, '['))
		return false;
	if (peek(at) == ']') {
		at->offset++;
		return true;
	}
	do {
		int64_t behind;

		take_alike(t, at);
		behind = at->offset;
		if (peek(at) < 0 || !read_element(t, at)) {
			at->offset = behind;
			return false;
		}
		c = peek(at);
		if (c == ',')
			at->offset++;
	} while (c == ',' && !curve_sink_cancelled(at->sink));
	return expect(at, ']');
}

/* Numbers that the rules about checkpoints and epochs need. */
static bool read_fact(struct trainer_state *t, struct place *at, const char *key, size_t key_n)
{
	static const char *const names[] = { "global_step", "max_steps", "num_train_epochs" };
	struct number number;
	const char *p;
	size_t used;

	if (peek(at) < 0)
		return false;
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		if (key_n != strlen(names[i]) || memcmp(key, names[i], key_n) != 0)
			continue;
		p = scan_piece(at, NULL, &used);
		if (!p)
			return false;
		at->offset += (int64_t)used;
		if (!number_read(&number, p, used))
			return true;
		if (i == 0)
			t->global_step = number.is_integer ? number.integer : -1;
		else
			*(i == 1 ? &t->max_steps : &t->epochs) = number.value;
		return true;
	}
	return skip_value(at);
}

static bool read_member(struct trainer_state *t, struct place *at)
{
	char key[32];
	size_t used, n;
	const char *p;

	if (peek(at) != '"') {
		at->bad |= !at->cut;
		return false;
	}
	p = scan_piece(at, NULL, &used);
	if (!p)
		return false;
	n = used - 2 < sizeof key ? used - 2 : sizeof key;
	memcpy(key, p + 1, n);
	at->offset += (int64_t)used;
	if (!expect(at, ':'))
		return false;
	if (used - 2 == 11 && memcmp(key, "log_history", 11) == 0)
		return read_history(t, at);
	return read_fact(t, at, key, used - 2);
}

static bool read_document(struct trainer_state *t, struct place *at)
{
	int c;

	if (!expect(at, '{'))
		return false;
	if (peek(at) == '}') {
		at->offset++;
		return true;
	}
	do {
		if (!read_member(t, at))
			return false;
		c = peek(at);
		if (c == ',')
			at->offset++;
	} while (c == ',');
	return expect(at, '}');
}

static int64_t trainer_state_advance(
	void *state, struct curve_sink *sink, struct curve_source *src, int64_t offset)
{
	struct trainer_state *t = state;
	struct place at = { .sink = sink, .src = src, .offset = offset };
	bool whole;

	if (src->size == 0)
		return 0;
	whole = read_document(t, &at);
	shapes_flush(&t->shapes, sink);
	if (whole)
		return src->size;
	if (at.bad) {
		sink->health.malformed++;
		curve_sink_damage(sink, at.offset);
		curve_notes_add(&sink->notes, "not-json", "%s: no JSON at offset %" PRId64,
			sink->name, at.offset);
	} else {
		curve_notes_add(&sink->notes, "unexpected-end",
			"%s: unexpected end at offset %" PRId64, sink->name, src->size);
	}
	return at.offset;
}

static void *trainer_state_new(const struct curve_sink *sink)
{
	struct trainer_state *t = xcalloc(1, sizeof *t);

	(void)sink;
	t->row = (struct json_row)JSON_ROW_INIT;
	t->shapes = (struct shapes)SHAPES_INIT;
	t->shapes.slots = &t->slots;
	t->global_step = -1;
	t->max_steps = NAN;
	t->epochs = NAN;
	return t;
}

static void trainer_state_free(void *state)
{
	struct trainer_state *t = state;

	slots_release(&t->slots);
	shapes_release(&t->shapes);
	json_row_release(&t->row);
	free(t);
}

struct trainer_facts trainer_state_facts(const struct curve_file *f)
{
	const struct trainer_state *t = f->state;
	struct trainer_facts facts = { -1, NAN };

	if (f->format != &trainer_state_format)
		return facts;
	facts.global_step = t->global_step;
	if (t->max_steps > 0 && t->epochs > 0)
		facts.steps_per_epoch = t->max_steps / t->epochs;
	return facts;
}

static bool trainer_state_recognise(
	const char *path, const char *basename, const char *head, size_t n)
{
	(void)path;
	if (strcmp(basename, "trainer_state.json") == 0)
		return true;
	while (n && (*head == ' ' || *head == '\n' || *head == '\r' || *head == '\t'))
		head++, n--;
	return n && *head == '{' && memmem(head, n, "\"log_history\"", 13);
}

const struct curve_format trainer_state_format = {
	.name = "trainer_state",
	.title = "HF trainer state",
	.delay = "at checkpoints",
	.shape = CURVE_DOCUMENT,
	.rank = RANK_TABLE,
	.recognise = trainer_state_recognise,
	.new_state = trainer_state_new,
	.free_state = trainer_state_free,
	.advance = trainer_state_advance,
};
