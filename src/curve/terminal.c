/* terminal - lines to frames to rows. */
#include "config.h"

#include "curve/terminal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "curve/terminal_families.h"
#include "curve/terminal_scan.h"

enum { ESCAPE = 0x1b, BELL = 7, BACKSPACE = 8 };

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

void terminal_add_token(struct terminal *t, const char *name, size_t n, double value, struct token token)
{
	if (t->n_pairs == PAIRS_MAX)
		return;
	ARRAY_GROW(t->pairs, t->n_pairs, t->cap_pairs);
	t->pairs[t->n_pairs++] = (struct pair){ name, n, value, token, SIZE_MAX };
}

void terminal_add_pair(struct terminal *t, const char *name, size_t n, double value)
{
	terminal_add_token(t, name, n, value, (struct token){ NULL, 0 });
}

static void put_pair(struct terminal *t, struct pair *pair, const char *prefix, const char *suffix)
{
	const char *name = pair->name;
	size_t n = pair->name_n;

	if (*prefix || *suffix) {
		buf_clear(&t->name);
		buf_adds(&t->name, prefix);
		buf_add(&t->name, pair->name, pair->name_n);
		buf_adds(&t->name, suffix);
		name = t->name.s;
		n = t->name.n;
	}
	pair->slot = slots_find(&t->slots, name, n);
	if (pair->slot != SIZE_MAX)
		slots_put_number(&t->slots, pair->slot, pair->value);
}

void terminal_emit(struct terminal *t, struct curve_sink *sink, const struct row_x *x,
	const char *prefix, const char *suffix)
{
	slots_begin_row(&t->slots);
	for (size_t i = 0; i < t->n_pairs; i++)
		put_pair(t, &t->pairs[i], prefix, suffix);
	slots_emit(&t->slots, sink, x);
	sink->health.records++;
	t->taken = (struct taken_row){ .n_pairs = t->n_pairs, .axis = x->axis };
	t->n_pairs = 0;
}

void terminal_release_held(struct terminal *t, struct curve_sink *sink, struct held_row *held)
{
	const char *name = held->names.s;

	if (!held->held)
		return;
	held->held = false;
	slots_begin_row(&t->slots);
	for (size_t i = 0; i < held->n; i++) {
		slots_put(&t->slots, name, strlen(name), held->values[i]);
		name += strlen(name) + 1;
	}
	slots_emit(&t->slots, sink, &held->x);
	sink->health.records++;
}

void terminal_hold(struct terminal *t, struct curve_sink *sink, struct held_row *held, const struct row_x *x,
	int64_t epoch, int64_t count)
{
	if (held->held && (held->epoch != epoch || held->count != count))
		terminal_release_held(t, sink, held);
	held->held = true;
	held->x = *x;
	held->epoch = epoch;
	held->count = count;
	held->n = 0;
	buf_clear(&held->names);
	for (size_t i = 0; i < t->n_pairs; i++) {
		const struct pair *pair = &t->pairs[i];

		if (memchr(pair->name, '\0', pair->name_n))
			continue;
		ARRAY_GROW(held->values, held->n, held->cap);
		held->values[held->n++] = pair->value;
		buf_add(&held->names, pair->name, pair->name_n);
		buf_addc(&held->names, '\0');
	}
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

static void take_match(struct terminal *t, const struct pattern_match *m, struct row_x *x, bool *placed)
{
	struct number n;

	if (m->step && number_read_token(&n, m->step, m->step_n, true) && n.is_integer) {
		*x = terminal_at_step(n.integer);
		*placed = true;
	} else if (m->epoch && number_read_token(&n, m->epoch, m->epoch_n, true)) {
		*x = terminal_at_epoch(n.value);
		*placed = true;
	}
	if (m->value && number_read_token(&n, m->value, m->value_n, true))
		terminal_add_pair(t, m->name ? m->name : "value", m->name ? m->name_n : 5, n.value);
}

/* All matches of a pattern in a frame are one row; its x may come from any of them. */
static bool take_by_pattern(struct terminal *t, struct curve_sink *sink, const struct frame *f)
{
	for (size_t i = 0; i < t->patterns.n; i++) {
		struct pattern_match m = { .end = 0 };
		struct row_x x;
		bool placed = false;

		t->n_pairs = 0;
		while (pattern_next(&t->patterns, i, f->p, f->n, m.end, &m))
			take_match(t, &m, &x, &placed);
		if (placed && t->n_pairs) {
			terminal_emit(t, sink, &x, "", "");
			return true;
		}
	}
	return false;
}

/* The hints of the families; each is looked for once in a frame. */
static const char hint_bytes[] = { '{', '|', ',', '[', ':', '/', '\t' };

static unsigned hint_bit(char hint)
{
	for (unsigned i = 0; i < sizeof hint_bytes; i++)
		if (hint_bytes[i] == hint)
			return 1u << i;
	return 0;
}

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

	if (f->n == 0 || take_by_pattern(t, sink, f))
		return;
	hints = hints_of(f);
	for (const struct terminal_family *family = terminal_families; family->name; family++) {
		if (family->hint && !(hints & hint_bit(family->hint)))
			continue;
		t->n_pairs = 0;
		t->taken.repeats = false;
		if (!family->take(t, sink, f))
			continue;
		if (t->taken.repeats && !sink->options->no_shapes)
			terminal_learn(t, f);
		return;
	}
}

static void take_frame(struct terminal *t, struct curve_sink *sink, const char *p, size_t n)
{
	if (n && memchr(p, ESCAPE, n)) {
		strip_escapes(&t->clean, p, n);
		p = t->clean.s;
		n = t->clean.n;
		if (terminal_take_shape(t, sink, p, n))
			return;
	}
	take_clean_frame(t, sink, &(struct frame){ p, n });
}

static void take_frames(struct terminal *t, struct curve_sink *sink, const char *p, size_t n)
{
	const char *end = p + n;

	/* No shape holds a control character: such a line is one frame. */
	if (terminal_take_shape(t, sink, p, n))
		return;
	if (!memchr(p, '\r', n) && !memchr(p, BACKSPACE, n)) {
		take_frame(t, sink, p, n);
		return;
	}
	while (p < end) {
		const char *q = p;

		while (q < end && *q != '\r' && *q != BACKSPACE)
			q++;
		if (!terminal_take_shape(t, sink, p, (size_t)(q - p)))
			take_frame(t, sink, p, (size_t)(q - p));
		p = q < end ? q + 1 : end;
	}
}

static int64_t terminal_advance(void *state, struct curve_sink *sink, struct curve_source *src, int64_t offset)
{
	struct terminal *t = state;
	int64_t limit = offset + sink->budget_bytes;
	struct line line;

	while (offset < limit && !curve_sink_cancelled(sink) && lines_next(&t->lines, sink, src, &offset, &line)) {
		take_frames(t, sink, line.p, line.n);
		if (!line.whole)
			continue;
		terminal_release_held(t, sink, &t->bar);
		terminal_release_held(t, sink, &t->keras);
	}
	return offset;
}

static void *terminal_new(const struct curve_sink *sink)
{
	struct terminal *t = xcalloc(1, sizeof *t);

	t->lines.at_returns = true;
	t->row = (struct json_row)JSON_ROW_INIT;
	t->shapes = (struct shapes)SHAPES_INIT;
	t->timm_x = -1;
	buf_init(&t->clean);
	buf_init(&t->name);
	buf_init(&t->bar.names);
	buf_init(&t->keras.names);
	patterns_init(&t->patterns, sink->options->patterns, sink->options->n_patterns);
	return t;
}

static void terminal_free(void *state)
{
	struct terminal *t = state;

	patterns_release(&t->patterns);
	slots_release(&t->slots);
	shapes_release(&t->shapes);
	json_row_release(&t->row);
	buf_release(&t->clean);
	buf_release(&t->name);
	buf_release(&t->bar.names);
	buf_release(&t->keras.names);
	free(t->bar.values);
	free(t->keras.values);
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
	.rank = RANK_TEXT,
	.recognise = terminal_recognise,
	.new_state = terminal_new,
	.free_state = terminal_free,
	.advance = terminal_advance,
};
