/* reader_shape - matches a row against the text of earlier ones. */
#include "config.h"

#include "curve/reader_shape.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "curve/reader_bytes.h"
#include "curve/reader_number.h"

enum { CREDIT_MAX = 256, CREDIT_OF_LEARNING = 8, MISSES_A_TRIAL = 64, TIME_BYTES_MAX = 64 };

static void shape_release(struct shape *s)
{
	buf_release(&s->text);
	free(s->holes);
	free(s->constants);
}

void shapes_release(struct shapes *all)
{
	for (size_t i = 0; i <= SHAPES_KEPT; i++)
		shape_release(&all->shapes[i]);
	*all = (struct shapes)SHAPES_INIT;
}

static bool holds(enum shape_condition condition, const struct number *n)
{
	switch (condition) {
	case SHAPE_ANY:
		return true;
	case SHAPE_WHOLE:
		return n->is_integer;
	case SHAPE_NOT_WHOLE:
		return !n->is_integer;
	case SHAPE_WALL_TIME:
		return number_is_wall_time(n->value);
	case SHAPE_NO_WALL_TIME:
		return !number_is_wall_time(n->value);
	case SHAPE_NOT_NEGATIVE:
		return !signbit(n->value);
	}
	return false;
}

static void keep_number(struct shape *s, struct shape_hole *hole, const struct number *n)
{
	switch (hole->role) {
	case SHAPE_VALUE:
		hole->value = n->value;
		break;
	case SHAPE_STEP:
		s->step = n->integer;
		break;
	case SHAPE_EPOCH:
		s->epoch = n->value;
		break;
	case SHAPE_WALL:
		s->wall_s = n->value;
		break;
	case SHAPE_COUNT:
		s->count[hole->index] = n->integer;
		break;
	case SHAPE_IGNORED:
		break;
	}
}

/* Blanks, digits and marks of bars; bytes above ASCII as well. */
static const bool fills[128] = {
	[' '] = true,
	['#'] = true,
	['='] = true,
	['>'] = true,
	['.'] = true,
	['0'] = true,
	['1'] = true,
	['2'] = true,
	['3'] = true,
	['4'] = true,
	['5'] = true,
	['6'] = true,
	['7'] = true,
	['8'] = true,
	['9'] = true,
};

static inline bool is_fill(char c)
{
	return (unsigned char)c >= sizeof fills || fills[(unsigned char)c];
}

size_t shape_fills(const char *p, size_t n)
{
	size_t i = 0;

	while (i < n && is_fill(p[i]))
		i++;
	return i;
}

/* Behind 1 to SHAPE_DIGITS_MAX digits that mean nothing; else NULL. */
static inline const char *skip_digits(const char *p, const char *end)
{
	const char *first = p;

	while (p < end && is_decimal_digit(*p))
		p++;
	return (size_t)(p - first) - 1 < SHAPE_DIGITS_MAX ? p : NULL;
}

static inline const char *match_digits(
	struct shape *s, const struct shape_hole *hole, const char *p, const char *end)
{
	int64_t whole;
	const char *behind =
		hole->role == SHAPE_IGNORED ? skip_digits(p, end) : take_whole(&whole, p, end);

	if (!behind || (hole->width && (size_t)(behind - p) != hole->width))
		return NULL;
	if (hole->role == SHAPE_STEP)
		s->step = whole;
	else if (hole->role == SHAPE_COUNT)
		s->count[hole->index] = whole;
	return behind;
}

static const char *match_stamp(struct shape *s, const char *p, const char *end)
{
	size_t n = log_stamp_read(&s->stamp, p, (size_t)(end - p));

	return n ? p + n : NULL;
}

static const char *match_time(struct shape *s, const char *p, const char *end)
{
	const char *q = p, *stop = end - p > TIME_BYTES_MAX ? p + TIME_BYTES_MAX : end;

	while (q < stop && *q != '"' && *q != '\\')
		q++;
	if (q == stop || *q != '"' ||
		!number_read_iso_time(&s->wall_s, &s->zone_unknown, p, (size_t)(q - p)))
		return NULL;
	return q;
}

/* Digits and nothing that goes on with them, as steps are written. */
static inline size_t scan_step(struct number *number, const char *p, const char *end)
{
	const char *behind = take_whole(&number->integer, p, end);

	if (!behind || (behind < end && (*behind == '.' || (*behind | 32) == 'e')))
		return 0;
	number->value = (double)number->integer;
	number->is_integer = true;
	return (size_t)(behind - p);
}

static bool asks_for_whole(const struct shape_hole *hole)
{
	return hole->role == SHAPE_STEP || hole->condition == SHAPE_WHOLE ||
		hole->condition == SHAPE_NOT_WHOLE;
}

static const char *match_judged(
	struct shape *s, struct shape_hole *hole, const char *p, const char *end, const char *limit)
{
	struct number number = { .is_integer = false };
	size_t n;

	if (asks_for_whole(hole)) {
		n = scan_step(&number, p, end);
		n = n ? n : number_scan(&number, p, end);
	} else {
		n = number_scan_before(&number.value, p, end, limit);
	}
	if (!n || !holds(hole->condition, &number))
		return NULL;
	keep_number(s, hole, &number);
	return p + n;
}

static inline const char *match_hole(
	struct shape *s, struct shape_hole *hole, const char *p, const char *end, const char *limit)
{
	size_t n;

	if (hole->padded)
		while (p < end && *p == ' ')
			p++;
	switch (hole->token) {
	case SHAPE_DIGITS:
		return match_digits(s, hole, p, end);
	case SHAPE_TIME:
		return match_time(s, p, end);
	case SHAPE_STAMP:
		return match_stamp(s, p, end);
	case SHAPE_FILL:
		return p + shape_fills(p, (size_t)(end - p));
	case SHAPE_NUMBER:
		break;
	}
	if ((hole->role != SHAPE_VALUE && hole->role != SHAPE_EPOCH) ||
		hole->condition != SHAPE_ANY)
		return match_judged(s, hole, p, end, limit);
	n = number_scan_before(&hole->value, p, end, limit);
	if (hole->role == SHAPE_EPOCH)
		s->epoch = hole->value;
	return n ? p + n : NULL;
}

static bool is_match(struct shape *s, const char *p, size_t n, const char *limit)
{
	const char *end = p + n, *text = s->text.s;

	for (struct shape_hole *hole = s->holes; hole < s->holes + s->n_holes; hole++) {
		if ((size_t)(end - p) < hole->text_n || !is_same_bytes(p, text, hole->text_n))
			return false;
		p = match_hole(s, hole, p + hole->text_n, end, limit);
		if (!p)
			return false;
		text += hole->text_n;
	}
	return (size_t)(end - p) == s->tail_n && is_same_bytes(p, text, s->tail_n);
}

static struct shape *found(struct shapes *all, size_t i)
{
	all->shapes[all->recent].next = i;
	all->recent = i;
	all->shapes[i].used = ++all->matches;
	all->credit += all->credit < CREDIT_MAX;
	return &all->shapes[i];
}

struct shape *shapes_match(struct shapes *all, const char *p, size_t n, const char *limit)
{
	size_t next;

	if (!all->n)
		return NULL;
	/* Rows come round: the one that followed last time is looked at first. */
	next = all->shapes[all->recent].next;
	if (is_match(&all->shapes[next], p, n, limit))
		return found(all, next);
	for (size_t i = 0; i < all->n; i++)
		if (i != next && is_match(&all->shapes[i], p, n, limit))
			return found(all, i);
	return NULL;
}

static bool axis_is_real(enum axis axis)
{
	return axis == AXIS_EPOCH || axis == AXIS_TIME;
}

/* The x as a column keeps it. */
static int64_t bits_of_x(const struct row_x *x)
{
	int64_t bits = x->step;

	if (axis_is_real(x->axis))
		memcpy(&bits, &x->real, sizeof bits);
	return bits;
}

/* The row at hand, as its series take it. */
struct emitted {
	int64_t x;
	double wall_s, epoch;
	bool derived;
	int64_t points, non_finite;
};

static inline void emit_one(struct emitted *e, struct series *s, double value)
{
	if (!series_append_next_row(s, e->x, e->wall_s, value, e->epoch))
		series_append_row(s, e->x, e->wall_s, value, e->epoch);
	if (e->derived)
		s->x_derived = true;
	e->points++;
	e->non_finite += !isfinite(value);
}

void shape_emit(struct shape *s, struct curve_sink *sink, const struct row_x *x)
{
	struct emitted e = {
		.x = bits_of_x(x),
		.wall_s = x->wall_s,
		.epoch = x->axis == AXIS_EPOCH ? NAN : x->epoch,
		.derived = x->derived,
	};
	const struct shape_hole *hole = s->holes, *end = hole + s->n_holes;

	for (; hole < end; hole++)
		if (hole->role == SHAPE_VALUE)
			emit_one(&e, hole->series, hole->value);
	for (size_t i = 0; i < s->n_constants; i++)
		emit_one(&e, s->constants[i].series, s->constants[i].value);
	sink->health.records++;
	sink->health.non_numeric += s->non_numeric;
	sink->health.points += e.points;
	sink->health.non_finite += e.non_finite;
	if (e.points)
		curve_sink_wall(sink, e.wall_s);
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
	s->taken_to = p;
	s->step = 0;
	s->epoch = s->wall_s = NAN;
	s->zone_unknown = false;
	return s;
}

bool shape_add(struct shape *s, const char *at, size_t n, const struct shape_hole *hole)
{
	if (s->n_holes == SHAPE_HOLES_MAX || at < s->taken_to)
		return false;
	ARRAY_GROW(s->holes, s->n_holes, s->cap_holes);
	s->holes[s->n_holes] = *hole;
	s->holes[s->n_holes++].text_n = (size_t)(at - s->taken_to);
	s->has_stamp |= hole->token == SHAPE_STAMP;
	buf_add(&s->text, s->taken_to, (size_t)(at - s->taken_to));
	s->taken_to = at + n;
	return true;
}

void shape_add_constant(struct shape *s, struct series *series, size_t slot, double value)
{
	ARRAY_GROW(s->constants, s->n_constants, s->cap_constants);
	s->constants[s->n_constants++] = (struct shape_constant){ slot, series, value };
}

static size_t least_used(const struct shapes *all)
{
	size_t least = 0;

	for (size_t i = 1; i < all->n; i++)
		if (all->shapes[i].used < all->shapes[least].used)
			least = i;
	return least;
}

void shapes_learn(struct shapes *all, const char *p, size_t n)
{
	struct shape *learnt = &all->shapes[SHAPES_KEPT], before;
	size_t i = all->n < SHAPES_KEPT ? all->n++ : least_used(all);

	learnt->tail_n = (size_t)(p + n - learnt->taken_to);
	buf_add(&learnt->text, learnt->taken_to, learnt->tail_n);
	learnt->used = all->matches;
	before = all->shapes[i];
	all->shapes[i] = *learnt;
	*learnt = before;
	all->shapes[all->recent].next = i;
	all->shapes[i].next = i;
	all->recent = i;
}
