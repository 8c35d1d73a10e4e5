/* reader_shape_learn - how a shape is made of a row that was read in full. */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "curve/reader_shape.h"

enum {
	CREDIT_OF_LEARNING = 8,
	MISSES_A_TRIAL = 64,
	CREDIT_OF_TEMPLATES = 64,	/* to begin with */
	REACH_BEHIND = 24
};

static void shape_release(struct shape *s)
{
	buf_release(&s->text);
	free(s->holes);
	free(s->constants);
	free(s->text_n);
	free(s->rows);
	free(s->values);
	for (size_t i = 0; i < SHAPE_TEMPLATES; i++) {
		if (s->templates[i])
			template_release(s->templates[i]);
		free(s->templates[i]);
	}
}

void shapes_release(struct shapes *all)
{
	for (size_t i = 0; i <= SHAPES_KEPT; i++)
		shape_release(&all->shapes[i]);
	buf_release(&all->room);
	*all = (struct shapes)SHAPES_INIT;
}

struct shape *shapes_begin(struct shapes *all, const char *p, size_t n)
{
	struct shape *s = &all->shapes[SHAPES_KEPT];

	all->misses++;
	if (n > SHAPE_ROW_MAX || (all->credit < CREDIT_OF_LEARNING && all->misses % MISSES_A_TRIAL))
		return NULL;
	if (all->credit >= CREDIT_OF_LEARNING)
		all->credit -= CREDIT_OF_LEARNING;
	if (s->text.s)
		buf_clear(&s->text);
	else
		buf_init(&s->text);
	s->n_holes = s->n_constants = 0;
	s->non_numeric = 0;
	s->axis = AXIS_STEP;
	s->kind = 0;
	s->subject = 0;
	s->has_stamp = false;
	s->stamp.n = 0;
	s->row = s->taken_to = p;
	s->n_templates = 0;
	s->template_credit = CREDIT_OF_TEMPLATES;
	s->step = 0;
	s->epoch = s->wall_s = NAN;
	s->zone_unknown = false;
	return s;
}

bool shape_add(struct shape *s, const char *at, size_t n, const struct shape_hole *hole)
{
	size_t text_n = (size_t)(at - s->taken_to);

	if (s->n_holes == SHAPE_HOLES_MAX || at < s->taken_to)
		return false;
	ARRAY_GROW(s->holes, s->n_holes, s->cap_holes);
	while (s->cap_text_n < s->cap_holes)
		s->text_n = array_grow(s->text_n, &s->cap_text_n, sizeof *s->text_n);
	s->holes[s->n_holes] = *hole;
	s->holes[s->n_holes].is_plain = hole->token == SHAPE_NUMBER && hole->role == SHAPE_VALUE &&
		hole->condition == SHAPE_ANY && !hole->padded;
	s->holes[s->n_holes].layouts[0] = layout_of(at, n, shape_stops(hole->token));
	s->holes[s->n_holes].at = (size_t)(at - s->row);
	s->holes[s->n_holes].n = n;
	s->text_n[s->n_holes++] = text_n;
	s->has_stamp |= hole->token == SHAPE_STAMP;
	buf_add(&s->text, s->taken_to, text_n);
	s->taken_to = at + n;
	return true;
}

void shape_add_constant(struct shape *s, struct series *series, size_t slot, double value)
{
	ARRAY_GROW(s->constants, s->n_constants, s->cap_constants);
	s->constants[s->n_constants++] = (struct shape_constant){ slot, series, value };
}

/* The one that was not used for longest, but none with a row that waits. */
static size_t least_used(const struct shapes *all)
{
	size_t least = SIZE_MAX;

	for (size_t i = 0; i < all->n; i++)
		if (!all->shapes[i].rows->waiting &&
			(least == SIZE_MAX || all->shapes[i].used < all->shapes[least].used))
			least = i;
	return least;
}

static struct shape_text text_of(const char *p, size_t n)
{
	static const unsigned char all_ones[16] = { 255, 255, 255, 255, 255, 255, 255, 255, 255,
		255, 255, 255, 255, 255, 255, 255 };
	struct shape_text text = { .n = n, .more = n > 16 ? p + 16 : NULL };

	memcpy(text.bytes, p, n < 16 ? n : 16);
	memcpy(text.mask, all_ones, n < 16 ? n : 16);
	return text;
}

/* Cuts the text into what stands before each hole, and counts what a row may need. */
static void seal_texts(struct shape *s, size_t tail_n)
{
	const char *end = s->text.s + s->text.n - tail_n;
	size_t reach = tail_n + REACH_BEHIND;

	s->tail = text_of(end, tail_n);
	for (size_t i = s->n_holes; i-- > 0;) {
		struct shape_hole *hole = &s->holes[i];

		end -= s->text_n[i];
		hole->text = text_of(end, s->text_n[i]);
		hole->reach = reach;
		reach += s->text_n[i] + LAYOUT_ROOM;
	}
	s->reach = reach;
}

static void make_columns(struct shape *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n_holes; i++)
		n += s->holes[i].role == SHAPE_VALUE;
	s->values = xreallocarray(s->values, n + 1, SHAPE_STRIDE * sizeof *s->values);
	n = 0;
	for (size_t i = 0; i < s->n_holes; i++)
		if (s->holes[i].role == SHAPE_VALUE)
			s->holes[i].values = s->values + n++ * SHAPE_STRIDE;
	if (!s->rows)
		s->rows = xcalloc(1, sizeof *s->rows);
	s->rows->n = 0;
	s->rows->waiting = false;
}

/* The condition holds for every number of the layout. */
static bool always_holds(const struct shape_hole *hole, const struct number_layout *l)
{
	switch (hole->condition) {
	case SHAPE_ANY:
		return true;
	case SHAPE_WHOLE:
		return layout_is_whole(l);
	case SHAPE_NOT_NEGATIVE:
		return !l->start;
	case SHAPE_NO_WALL_TIME:
		return l->form != LAYOUT_POWER && l->whole <= 8;	/* up to 1e8 it is none */
	case SHAPE_NOT_WHOLE:
	case SHAPE_WALL_TIME:
		break;
	}
	return false;
}

static enum template_kind kind_of_layout(const struct number_layout *l)
{
	switch ((enum layout_form)l->form) {
	case LAYOUT_WHOLE:
		return TEMPLATE_WHOLE;
	case LAYOUT_SHORT:
		return TEMPLATE_SHORT;
	case LAYOUT_ONE:
		return l->fraction > 8 ? TEMPLATE_ONE : TEMPLATE_OTHER;
	case LAYOUT_NONE:
	case LAYOUT_POWER:
	case LAYOUT_LONG:
		break;
	}
	return TEMPLATE_OTHER;
}

/* What becomes of a number that has a layout. */
static enum template_kind kind_of(
	struct shape *s, const struct shape_hole *hole, struct template_number *number)
{
	const struct number_layout *l = &number->layout;

	if (!always_holds(hole, l))
		return TEMPLATE_JUDGED;
	if (hole->role == SHAPE_VALUE) {
		number->to = hole->values;
		number->rows = SIZE_MAX;
		return kind_of_layout(l);
	}
	if (hole->role == SHAPE_EPOCH) {
		number->to = &s->epoch;
		return kind_of_layout(l);
	}
	if (l->form != LAYOUT_WHOLE || l->start || hole->width)
		return TEMPLATE_JUDGED;
	if (hole->role == SHAPE_STEP) {
		number->integer = &s->step;
		return TEMPLATE_INTEGER;
	}
	if (hole->role == SHAPE_COUNT) {
		number->integer = &s->count[hole->index];
		return TEMPLATE_INTEGER;
	}
	return TEMPLATE_JUDGED;
}

/* The numbers of the hole as the template takes them. */
static void add_number(struct row_template *t, struct shape *s, size_t i, const char *p)
{
	const struct shape_hole *hole = &s->holes[i];
	struct template_number *number = template_add(t);
	size_t at = hole->at, end = hole->at + hole->n;

	while (hole->padded && at < end && p[at] == ' ')
		at++;
	number->hole = i;
	number->at = number->first = at;
	number->n = end - at;
	if (hole->token > SHAPE_DIGITS) {
		number->kind = TEMPLATE_CALL;
		template_free_digits(t, p, at, end - at);
		return;
	}
	number->layout = layout_of(p + at, end - at, shape_stops(hole->token));
	if (number->layout.form != LAYOUT_NONE &&
		(layout_is_whole(&number->layout) || !shape_asks_for_whole(hole))) {
		template_free_digits(t, p, at, end - at);
		number->kind = kind_of(s, hole, number);
		number->first += number->layout.start;
		number->own = number->n <= 8 ? first_bytes((unsigned)number->n) : 0;
		number->is_kept = false;
		return;
	}
	number->kind = TEMPLATE_FIXED;
	(void)number_scan(&number->fixed, p + at, p + end);
}

static struct row_template *next_template(struct shape *s)
{
	size_t last = s->n_templates < SHAPE_TEMPLATES ? s->n_templates++ : SHAPE_TEMPLATES - 1;

	if (!s->templates[last])
		s->templates[last] = xcalloc(1, sizeof *s->templates[last]);
	return s->templates[last];
}

void shape_make_template(struct shape *s, const char *p, size_t n)
{
	struct row_template *t = next_template(s);

	template_begin(t, p, n);
	for (size_t i = 0; i < s->n_holes; i++) {
		const struct shape_hole *hole = &s->holes[i];

		if (hole->role == SHAPE_IGNORED && hole->token <= SHAPE_DIGITS)
			template_free_digits(t, p, hole->at, hole->n);
		else if (hole->token != SHAPE_FILL)
			add_number(t, s, i, p);
	}
	if (s->reach < template_reach(t) + REACH_BEHIND)
		s->reach = template_reach(t) + REACH_BEHIND;
}

static bool has_slot(const struct shape *s, size_t slot)
{
	for (size_t i = 0; i < s->n_holes; i++)
		if (s->holes[i].role == SHAPE_VALUE && s->holes[i].slot == slot)
			return true;
	for (size_t i = 0; i < s->n_constants; i++)
		if (s->constants[i].slot == slot)
			return true;
	return false;
}

static bool share_a_series(const struct shape *a, const struct shape *b)
{
	if (a->axis != b->axis)
		return false;
	for (size_t i = 0; i < a->n_holes; i++)
		if (a->holes[i].role == SHAPE_VALUE && has_slot(b, a->holes[i].slot))
			return true;
	for (size_t i = 0; i < a->n_constants; i++)
		if (has_slot(b, a->constants[i].slot))
			return true;
	return false;
}

/* Which shapes have a series in common with number I. */
static void note_sharing(struct shapes *all, size_t i)
{
	struct shape *s = &all->shapes[i];

	s->shares = 0;
	for (size_t k = 0; k < all->n; k++) {
		struct shape *other = &all->shapes[k];

		other->shares &= ~(UINT32_C(1) << i);
		if (k == i || !share_a_series(s, other))
			continue;
		other->shares |= UINT32_C(1) << i;
		s->shares |= UINT32_C(1) << k;
	}
}

void shapes_learn(struct shapes *all, const char *p, size_t n)
{
	struct shape *learnt = &all->shapes[SHAPES_KEPT], before;
	size_t i = all->n < SHAPES_KEPT ? all->n : least_used(all), tail_n;

	if (i == SIZE_MAX || !learnt->n_holes)
		return;
	all->n += i == all->n;
	tail_n = (size_t)(p + n - learnt->taken_to);
	buf_add(&learnt->text, learnt->taken_to, tail_n);
	learnt->used = all->matches;
	seal_texts(learnt, tail_n);
	make_columns(learnt);
	before = all->shapes[i];
	all->shapes[i] = *learnt;
	*learnt = before;
	shape_make_template(&all->shapes[i], p, n);
	note_sharing(all, i);
	if (all->shapes[i].reach > all->reach)
		all->reach = all->shapes[i].reach;
	all->shapes[all->recent].next = i;
	all->shapes[i].next = i;
	all->recent = i;
}
