/* terminal - lines to frames to rows. */
#include "config.h"

#include "curve/terminal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "curve/terminal_families.h"
#include "curve/terminal_scan.h"

enum { ESCAPE = 0x1b, BELL = 7, BACKSPACE = 8, ONE_FRAME_MAX = 4096 };

struct row_x terminal_at_step(int64_t step)
{
	return (struct row_x){ .axis = AXIS_STEP, .step = step, .wall_s = NAN, .epoch = NAN };
}

struct row_x terminal_at_epoch(double epoch)
{
	return (struct row_x){ .axis = AXIS_EPOCH, .real = epoch, .wall_s = NAN, .epoch = NAN };
}

struct row_x terminal_at_epoch_or_step(double epoch, double steps_per_epoch)
{
	double step = epoch * steps_per_epoch;
	struct row_x x;

	if (!(steps_per_epoch > 0 && fabs(step) < 9e15))
		return terminal_at_epoch(epoch);
	x = terminal_at_step(llround(step));
	x.epoch = epoch;
	x.derived = true;
	return x;
}

void terminal_add_token(
	struct terminal *t, const char *name, size_t n, double value, struct token token)
{
	if (t->n_pairs == PAIRS_MAX) {
		t->n_pairs_left++;
		return;
	}
	ARRAY_GROW(t->pairs, t->n_pairs, t->cap_pairs);
	t->pairs[t->n_pairs++] = (struct pair){
		.name = name,
		.name_n = n,
		.value = value,
		.token = token,
		.suffix = "",
		.slot = SIZE_MAX,
	};
}

void terminal_add_pair(struct terminal *t, const char *name, size_t n, double value)
{
	terminal_add_token(t, name, n, value, token_between(NULL, NULL));
}

double terminal_stamp_time(
	struct terminal *t, struct curve_sink *sink, const struct log_stamp *stamp)
{
	double wall_s = log_clock_read(&t->clock, stamp, sink->changed_s);

	if (stamp->zone_unknown && !t->said_zone)
		curve_sink_zone_unknown(sink);
	if (!stamp->year && !t->said_year)
		curve_sink_year_unknown(sink, wall_s);
	t->said_zone |= stamp->zone_unknown;
	t->said_year |= !stamp->year;
	return wall_s;
}

struct row_x terminal_timed(struct terminal *t, struct curve_sink *sink, const struct row_x *x)
{
	struct row_x timed = *x;
	struct log_stamp stamp;

	t->stamp = token_between(NULL, NULL);
	t->stamp.n = log_stamp_find_again(
		&stamp, &t->stamp.p, &t->stamp_memo, t->frame.p, t->frame.n);
	if (t->stamp.n)
		timed.wall_s = terminal_stamp_time(t, sink, &stamp);
	return timed;
}

/* Finds the slot of PREFIX name SUFFIX. */
static void name_pair(struct terminal *t, struct pair *pair, const char *prefix, const char *suffix)
{
	const char *name = pair->name;
	size_t n = pair->name_n;

	if (*prefix || *pair->suffix || *suffix) {
		buf_clear(&t->name);
		buf_adds(&t->name, prefix);
		buf_add(&t->name, pair->name, pair->name_n);
		buf_adds(&t->name, pair->suffix);
		buf_adds(&t->name, suffix);
		name = t->name.s;
		n = t->name.n;
	}
	pair->slot = slots_find(&t->slots, name, n);
}

/* The series get the rows that were gathered. */
static void flush(struct terminal *t, struct curve_sink *sink)
{
	shapes_flush(&t->shapes, sink);
	shapes_flush(&t->matched.shapes, sink);
}

void terminal_emit(struct terminal *t, struct curve_sink *sink, const struct row_x *x,
	const char *prefix, const char *suffix)
{
	struct row_x timed = terminal_timed(t, sink, x);

	flush(t, sink);
	slots_begin_row(&t->slots);
	for (size_t i = 0; i < t->n_pairs; i++) {
		name_pair(t, &t->pairs[i], prefix, suffix);
		slots_put_number(&t->slots, t->pairs[i].slot, t->pairs[i].value);
	}
	t->slots.left_out += t->n_pairs_left;
	t->n_pairs_left = 0;
	slots_emit(&t->slots, sink, &timed);
	sink->health.records++;
	t->taken = (struct taken_row){ .n_pairs = t->n_pairs, .axis = x->axis };
	t->n_pairs = 0;
}

void terminal_release_held(struct terminal *t, struct curve_sink *sink, struct held_row *held)
{
	struct shape *shape = held->shape;

	if (!held->held)
		return;
	held->held = false;
	held->shape = NULL;
	if (shape) {
		shape_commit(&t->shapes, shape, sink);
		return;
	}
	flush(t, sink);
	slots_begin_row(&t->slots);
	for (size_t i = 0; i < held->n; i++)
		slots_put_number(&t->slots, held->slots[i], held->values[i]);
	slots_emit(&t->slots, sink, &held->x);
	sink->health.records++;
}

bool held_begin(struct terminal *t, struct curve_sink *sink, struct held_row *held, int64_t epoch,
	int64_t count)
{
	bool again = held->held && held->epoch == epoch && held->count == count;

	if (!again)
		terminal_release_held(t, sink, held);
	held->held = true;
	held->epoch = epoch;
	held->count = count;
	return again;
}

static void held_add(struct held_row *held, size_t slot, double value)
{
	if (held->n == held->cap) {
		held->cap = held->cap ? held->cap * 2 : 8;
		held->slots = xreallocarray(held->slots, held->cap, sizeof *held->slots);
		held->values = xreallocarray(held->values, held->cap, sizeof *held->values);
	}
	held->slots[held->n] = slot;
	held->values[held->n++] = value;
}

static void held_release(struct held_row *held)
{
	free(held->slots);
	free(held->values);
}

void terminal_hold(struct terminal *t, struct curve_sink *sink, struct held_row *held,
	const struct row_x *x, int64_t epoch, int64_t count)
{
	struct row_x timed = terminal_timed(t, sink, x);

	if (held_begin(t, sink, held, epoch, count) && held->shape)
		shape_drop(held->shape);
	held->shape = NULL;
	held->x = timed;
	held->n = 0;
	for (size_t i = 0; i < t->n_pairs; i++) {
		struct pair *pair = &t->pairs[i];

		name_pair(t, pair, "", "");
		held_add(held, pair->slot, pair->value);
	}
	t->taken = (struct taken_row){ .n_pairs = t->n_pairs, .axis = x->axis, .held = true };
	t->n_pairs = 0;
}

/* Behind the escape sequence at P: CSI, OSC, or two bytes. */
static const char *skip_escape(const char *p, const char *end)
{
	if (p + 1 >= end)
		return end;
	if (p[1] == '[') {
		for (p += 2; p < end && !(*p >= 0x40 && *p <= 0x7e);)
			p++;
		return p < end ? p + 1 : end;
	}
	if (p[1] == ']') {
		for (p += 2; p < end && *p != BELL && *p != ESCAPE;)
			p++;
		if (p < end && *p == ESCAPE && p + 1 < end && p[1] == '\\')
			p++;
		return p < end ? p + 1 : end;
	}
	return p + 2;
}

static void strip_escapes(struct buf *out, const char *p, size_t n)
{
	const char *end = p + n;

	buf_clear(out);
	while (p < end) {
		const char *escape = memchr(p, ESCAPE, (size_t)(end - p));

		buf_add(out, p, (size_t)((escape ? escape : end) - p));
		p = escape ? skip_escape(escape, end) : end;
	}
}

/* In the order of the bits of enum terminal_hint. */
static const char hint_bytes[] = { '{', '|', ',', '[', ':', '/', '\t' };

static unsigned hints_of(const struct frame *f)
{
	unsigned hints = 0;

	for (unsigned i = 0; i < sizeof hint_bytes; i++)
		if (memchr(f->p, hint_bytes[i], f->n))
			hints |= 1u << i;
	return hints;
}

static void take_clean_frame(struct terminal *t, struct curve_sink *sink, const struct frame *f)
{
	unsigned hints;

	t->frame = *f;
	if (f->n == 0 || take_by_pattern(t, sink, f))
		return;
	hints = hints_of(f);
	for (const struct terminal_family *family = terminal_families; family->name; family++) {
		if (family->hint != HINT_NONE && !(hints & (unsigned)family->hint))
			continue;
		t->n_pairs = 0;
		t->taken.repeats = false;
		if (!family->take(t, sink, f))
			continue;
		if (t->taken.repeats && !sink->options->no_shapes)
			terminal_learn(t, sink, f);
		return;
	}
}

static void take_frame(struct terminal *t, struct curve_sink *sink, const char *p, size_t n)
{
	if (n && memchr(p, ESCAPE, n)) {
		strip_escapes(&t->clean, p, n);
		p = t->clean.s;
		n = t->clean.n;
		t->limit = p + n;
		if (terminal_take_last_shape(t, sink, p, n, p))
			return;
	}
	take_clean_frame(t, sink, &(struct frame){ p, n });
}

/* The first carriage return or backspace; the next backspace is looked for once. */
static const char *find_frame_end(const char *p, const char *end, const char **backspace)
{
	const char *stop;

	if (*backspace && *backspace < p)
		*backspace = memchr(p, BACKSPACE, (size_t)(end - p));
	if (*backspace)
		end = *backspace;
	stop = memchr(p, '\r', (size_t)(end - p));
	return stop ? stop : end;
}

typedef unsigned char sixteen_bytes __attribute__((vector_size(16)));

/* A control character that is no tab: what frames are cut at, and escapes, are such. */
static bool has_control(const char *p, size_t n)
{
	sixteen_bytes found = { 0 }, text;
	uint64_t half[2];

	for (; n >= sizeof text; n -= sizeof text, p += sizeof text) {
		memcpy(&text, p, sizeof text);
		found |= (sixteen_bytes)(text < (unsigned char)' ') &
			~(sixteen_bytes)(text == (unsigned char)'\t');
	}
	for (; n; n--, p++)
		if ((unsigned char)*p < ' ' && *p != '\t')
			return true;
	memcpy(half, &found, sizeof half);
	return half[0] | half[1];
}

static void take_frames(struct terminal *t, struct curve_sink *sink, const struct line *line)
{
	const char *p = line->p, *end = p + line->n, *backspace, *q;

	t->limit = line->limit;
	/* Nearly all are one frame as it is. */
	if (line->n <= ONE_FRAME_MAX && !has_control(p, line->n)) {
		t->matched.whole_line = line->whole;
		if (!terminal_take_last_shape(t, sink, p, line->n, line->limit))
			take_clean_frame(t, sink, &(struct frame){ p, line->n });
		t->matched.whole_line = false;
		return;
	}
	backspace = memchr(p, BACKSPACE, line->n);
	for (; p < end; p = q + 1) {
		/* No shape holds a control character. */
		q = terminal_take_shape(t, sink, ROW_FRAME, p, line->limit);
		if (q)
			continue;
		q = find_frame_end(p, end, &backspace);
		t->limit = line->limit;
		if (q > p && !terminal_take_last_shape(t, sink, p, (size_t)(q - p), line->limit))
			take_frame(t, sink, p, (size_t)(q - p));
	}
}

static void end_line(struct terminal *t, struct curve_sink *sink)
{
	terminal_release_held(t, sink, &t->bar);
	terminal_release_held(t, sink, &t->keras);
}

/* With patterns there are no shapes, and the other way round. */
static const char *take_again(
	struct terminal *t, struct curve_sink *sink, const char *p, const char *end)
{
	return t->patterns.n ? matched_take_again(t, sink, p, end)
			     : terminal_take_shape(t, sink, ROW_LINE, p, end);
}

/* Takes lines as long as they look like earlier ones. */
static void take_alike(struct terminal *t, struct curve_sink *sink, int64_t *offset)
{
	const char *p, *end, *behind;

	if (!(t->shapes.n || t->matched.n_templates) ||
		!lines_at_hand(&t->lines, *offset, &p, &end))
		return;
	while ((behind = take_again(t, sink, p, end))) {
		p = line_behind(behind);
		end_line(t, sink);
	}
	lines_took(&t->lines, p, offset);
}

static int64_t terminal_advance(
	void *state, struct curve_sink *sink, struct curve_source *src, int64_t offset)
{
	struct terminal *t = state;
	int64_t limit = offset + sink->budget_bytes;
	struct line line;

	lines_begin(&t->lines);
	while (offset < limit && !curve_sink_cancelled(sink)) {
		take_alike(t, sink, &offset);
		if (!lines_next(&t->lines, sink, src, &offset, &line))
			break;
		take_frames(t, sink, &line);
		if (line.whole)
			end_line(t, sink);
	}
	flush(t, sink);
	return offset;
}

static void *terminal_new(const struct curve_sink *sink)
{
	struct terminal *t = xcalloc(1, sizeof *t);

	t->lines.at_returns = true;
	t->row = (struct json_row)JSON_ROW_INIT;
	t->shapes = (struct shapes)SHAPES_INIT;
	t->shapes.slots = &t->slots;
	t->matched.shapes = (struct shapes)SHAPES_INIT;
	t->matched.shapes.slots = &t->slots;
	t->timm_x = -1;
	buf_init(&t->clean);
	buf_init(&t->name);
	patterns_init(&t->patterns, sink->options->patterns, sink->options->n_patterns);
	t->matched.digits_are_alike = patterns_digits_are_alike(&t->patterns);
	return t;
}

static void terminal_free(void *state)
{
	struct terminal *t = state;

	patterns_release(&t->patterns);
	matched_release(&t->matched);
	slots_release(&t->slots);
	shapes_release(&t->shapes);
	json_row_release(&t->row);
	buf_release(&t->clean);
	buf_release(&t->name);
	held_release(&t->bar);
	held_release(&t->keras);
	free(t->pairs);
	for (size_t i = 0; i < t->n_devices; i++)
		free(t->devices[i].label);
	free(t->devices);
	free(t);
}

/* Any text: NUL bytes are rare in it. */
static bool terminal_recognise(const char *path, const char *basename, const char *head, size_t n)
{
	size_t zeros = 0;

	(void)path;
	(void)basename;
	for (size_t i = 0; i < n; i++)
		zeros += head[i] == '\0';
	return n > 0 && zeros * 100 <= n;
}

const struct curve_format terminal_format = {
	.name = "terminal",
	.title = "terminal output",
	.delay = "each line",
	.shape = CURVE_STREAM,
	.step_bytes = CURVE_TEXT_STEP_BYTES,
	.rank = RANK_TEXT,
	.recognise = terminal_recognise,
	.new_state = terminal_new,
	.free_state = terminal_free,
	.advance = terminal_advance,
};
