/* terminal_matched - from matches of a pattern to a row. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "curve/terminal.h"

static void release_kind(struct matched_kind *kind)
{
	for (size_t i = 0; i < kind->n; i++)
		free(kind->places[i].name);
	free(kind->places);
}

void matched_release(struct matched *m)
{
	for (size_t i = 0; i < m->n_kinds; i++)
		release_kind(&m->kinds[i]);
	matched_release_templates(m);
	shapes_release(&m->shapes);
}

/* By the layout of an earlier one, when the group holds just that; else in full. */
static bool read_number(struct number *out, struct number_layout *l, const char *p, size_t n,
	const char *limit)
{
	uint64_t digits;
	int exponent;

	if (l->length == n && limit - p >= LAYOUT_ROOM && layout_take(l, p, &digits, &exponent)) {
		out->is_integer = layout_is_whole(l);
		out->integer = layout_integer(l, digits);
		out->value = layout_value(l, digits, exponent);
		return true;
	}
	if (!number_read_token(out, p, n, true))
		return false;
	*l = layout_of(p, n, LAYOUT_STOPS_NUMBER);
	return true;
}

static void take_match(
	struct terminal *t, const struct pattern_match *m, struct row_x *x, bool *placed)
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

static bool is_place(const struct matched_place *place, const struct pattern_match *m)
{
	return place->has_step == !!m->step && place->has_epoch == !!m->epoch &&
		place->has_value == !!m->value && !place->name == !m->name &&
		(!m->name || (place->name_n == m->name_n &&
			memcmp(place->name, m->name, m->name_n) == 0));
}

static bool is_of_kind(const struct matched *m, const struct matched_kind *kind, size_t pattern)
{
	if (kind->pattern != pattern || kind->n != m->n)
		return false;
	for (size_t i = 0; i < m->n; i++)
		if (!is_place(&kind->places[i], &m->matches[i]))
			return false;
	return true;
}

static struct matched_kind *find_kind(struct matched *m, size_t pattern)
{
	if (m->n_kinds && is_of_kind(m, &m->kinds[m->recent], pattern))
		return &m->kinds[m->recent];
	for (size_t i = 0; i < m->n_kinds; i++)
		if (is_of_kind(m, &m->kinds[i], pattern)) {
			m->recent = i;
			return &m->kinds[i];
		}
	return NULL;
}

bool matched_take_row(struct terminal *t, struct curve_sink *sink, struct matched_kind *kind)
{
	struct matched *m = &t->matched;
	struct shape *s = kind->shape;
	bool placed = false;
	struct row_x x = { .axis = AXIS_STEP };
	struct number n;

	for (size_t i = 0; i < m->n; i++) {
		const struct pattern_match *match = &m->matches[i];
		struct matched_place *place = &kind->places[i];

		if (match->step) {
			if (!read_number(&n, &place->step, match->step, match->step_n, t->limit) ||
				!n.is_integer)
				return false;
			x = terminal_at_step(n.integer);
			placed = true;
		} else if (match->epoch) {
			if (!read_number(
				    &n, &place->step, match->epoch, match->epoch_n, t->limit))
				return false;
			x = terminal_at_epoch(n.value);
			placed = true;
		}
		if (!match->value)
			continue;
		if (!read_number(&n, &place->value, match->value, match->value_n, t->limit))
			return false;
		s->holes[place->column].values[s->rows->n] = n.value;
	}
	if (!placed || x.axis != s->axis)
		return false;
	x = terminal_timed(t, sink, &x);
	shape_emit(&m->shapes, s, sink, &x);
	return true;
}

/* Two values of one name, or a value that went nowhere: the last counts, and is not learnt. */
static bool has_clear_names(const struct terminal *t, size_t n_values)
{
	if (t->taken.n_pairs != n_values)
		return false;
	for (size_t i = 0; i < n_values; i++) {
		if (t->pairs[i].slot == SIZE_MAX)
			return false;
		for (size_t k = 0; k < i; k++)
			if (t->pairs[i].slot == t->pairs[k].slot)
				return false;
	}
	return true;
}

/* A shape without text: one column a value. */
static struct shape *make_shape(struct terminal *t, size_t n_values)
{
	struct shapes *shapes = &t->matched.shapes;
	struct shape *s = shapes_begin(shapes, "", 0);

	if (!s)
		return NULL;
	s->axis = t->taken.axis;
	for (size_t i = 0; i < n_values; i++) {
		struct shape_hole hole = { .role = SHAPE_VALUE, .slot = t->pairs[i].slot };

		if (!shape_add(s, s->taken_to, 0, &hole))
			return NULL;
	}
	shapes_learn(shapes, s->taken_to, 0);
	return &shapes->shapes[shapes->n - 1];
}

/* The row at hand was emitted; the next one with its groups and names is known. */
static void learn_kind(struct terminal *t, size_t pattern)
{
	struct matched *m = &t->matched;
	struct matched_kind *kind = &m->kinds[m->n_kinds];
	size_t n_values = 0;
	struct shape *shape;

	for (size_t i = 0; i < m->n; i++)
		n_values += m->matches[i].value != NULL;
	if (m->n_kinds == MATCHED_KINDS || !n_values || !has_clear_names(t, n_values))
		return;
	shape = make_shape(t, n_values);
	if (!shape)
		return;
	*kind = (struct matched_kind){ .pattern = pattern, .n = m->n, .shape = shape,
		.places = xcalloc(m->n, sizeof *kind->places) };
	n_values = 0;
	for (size_t i = 0; i < m->n; i++) {
		const struct pattern_match *match = &m->matches[i];

		kind->places[i] = (struct matched_place){
			.name = match->name ? xstrndup(match->name, match->name_n) : NULL,
			.name_n = match->name_n,
			.has_step = match->step,
			.has_epoch = match->epoch,
			.has_value = match->value,
			.column = n_values,
		};
		n_values += match->value != NULL;
	}
	m->recent = m->n_kinds++;
}

/* The matches of PATTERN, the FIRST one that has any. */
static bool take_matches(
	struct terminal *t, struct curve_sink *sink, size_t pattern, bool first)
{
	struct matched *m = &t->matched;
	struct matched_kind *kind = NULL;
	struct row_x x;
	bool placed = false;

	if (!m->n)
		return false;
	if (!sink->options->no_shapes)
		kind = find_kind(m, pattern);
	if (kind && matched_take_row(t, sink, kind)) {
		/* What an earlier pattern found was no row, which may hang on its digits. */
		if (first && m->whole_line && m->digits_are_alike)
			matched_learn_template(t, kind);
		return true;
	}
	t->n_pairs = 0;
	for (size_t i = 0; i < m->n; i++)
		take_match(t, &m->matches[i], &x, &placed);
	if (!placed || !t->n_pairs)
		return false;
	terminal_emit(t, sink, &x, "", "");
	if (!kind && !sink->options->no_shapes)
		learn_kind(t, pattern);
	return true;
}

/* More matches than are kept: the rest is added as it is found. */
static bool take_many(struct terminal *t, struct curve_sink *sink, const struct frame *f, size_t i)
{
	struct pattern_match match = { .end = 0 };
	struct row_x x;
	bool placed = false;

	t->n_pairs = 0;
	while (pattern_next(&t->patterns, i, f->p, f->n, match.end, &match))
		take_match(t, &match, &x, &placed);
	if (!placed || !t->n_pairs)
		return false;
	terminal_emit(t, sink, &x, "", "");
	return true;
}

static bool take_by_any(struct terminal *t, struct curve_sink *sink, const struct frame *f)
{
	struct matched *m = &t->matched;
	bool first = true;

	for (size_t i = 0; i < t->patterns.n; i++) {
		size_t end = 0;

		m->n = 0;
		while (m->n < MATCHES_MAX &&
			pattern_next(&t->patterns, i, f->p, f->n, end, &m->matches[m->n]))
			end = m->matches[m->n++].end;
		if (m->n == MATCHES_MAX ? take_many(t, sink, f, i)
					: take_matches(t, sink, i, first && !t->patterns.gave_up))
			return true;
		first &= !m->n;
	}
	return false;
}

bool take_by_pattern(struct terminal *t, struct curve_sink *sink, const struct frame *f)
{
	bool taken = take_by_any(t, sink, f);

	if (t->patterns.gave_up) {
		t->patterns.gave_up = false;
		sink->health.malformed++;
		curve_notes_add(&sink->notes, "pattern-gave-up",
			"%s: a pattern of portside.conf takes too long for some lines, which it was not tried to the end on; write it with fewer choices",
			sink->name);
	}
	return taken;
}
