/* reader_shape - matches a row against the text of earlier ones. */
#include "config.h"

#include "curve/reader_shape.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "curve/reader_bytes.h"
#include "curve/reader_number.h"

enum { TIME_BYTES_MAX = 64, SWAP_AFTER = 4, BACKSPACE = 8,
	CREDIT_OF_TEMPLATE = 16, PROMOTE_AFTER = 2, LINE_END_MAX = 2 };

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

/* The number goes to where its hole belongs in row number ROW. */
static inline void keep_number(
	struct shape *s, const struct shape_hole *hole, const struct number *n, size_t row)
{
	switch (hole->role) {
	case SHAPE_VALUE:
		hole->values[row] = n->value;
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

static const char *match_digits(struct shape *s, const struct shape_hole *hole, const char *p,
	const char *limit, size_t row)
{
	struct number n = { .is_integer = true };
	const char *behind = hole->role == SHAPE_IGNORED ? skip_digits(p, limit)
							 : take_whole(&n.integer, p, limit);

	if (!behind || (hole->width && (size_t)(behind - p) != hole->width))
		return NULL;
	keep_number(s, hole, &n, row);
	return behind;
}

static const char *match_stamp(struct shape *s, const char *p, const char *limit)
{
	size_t n = log_stamp_read_again(&s->stamp, p, (size_t)(limit - p));

	return n ? p + n : NULL;
}

static const char *match_time(
	struct shape *s, const struct shape_hole *hole, const char *p, const char *limit)
{
	const char *q = p, *stop = limit - p > TIME_BYTES_MAX ? p + TIME_BYTES_MAX : limit;

	while (q < stop && *q != hole->stop && *q != '\\' && (unsigned char)*q >= ' ')
		q++;
	if (q == stop || !number_read_iso_time(&s->wall_s, &s->zone_unknown, p, (size_t)(q - p)))
		return NULL;
	return q;
}

bool shape_asks_for_whole(const struct shape_hole *hole)
{
	return hole->role == SHAPE_STEP || hole->condition == SHAPE_WHOLE ||
		hole->condition == SHAPE_NOT_WHOLE;
}

static const char *match_number(struct shape *s, const struct shape_hole *hole, const char *p,
	const char *limit, size_t row)
{
	struct number number = { .is_integer = false };
	size_t n = shape_asks_for_whole(hole) ? number_scan(&number, p, limit)
					: number_scan_before(&number.value, p, limit, limit);

	if (!n || !holds(hole->condition, &number))
		return NULL;
	keep_number(s, hole, &number, row);
	return p + n;
}

/* A token of any layout.  NULL also when what follows might not be readable. */
static __attribute__((noinline)) const char *match_in_full(
	struct shape *s, struct shape_hole *hole, const char *p, const char *limit, size_t row)
{
	const char *behind = NULL;

	switch (hole->token) {
	case SHAPE_DIGITS:
		behind = match_digits(s, hole, p, limit, row);
		break;
	case SHAPE_NUMBER:
		behind = match_number(s, hole, p, limit, row);
		break;
	case SHAPE_TIME:
		behind = match_time(s, hole, p, limit);
		break;
	case SHAPE_STAMP:
		behind = match_stamp(s, p, limit);
		break;
	case SHAPE_FILL:
		behind = p + shape_fills(p, (size_t)(limit - p));
		break;
	}
	if (!behind || (size_t)(limit - behind) < hole->reach)
		return NULL;
	if (hole->token <= SHAPE_DIGITS)
		hole->layouts[SHAPE_LAYOUTS - 1] =
			layout_of(p, (size_t)(behind - p), shape_stops(hole->token));
	return behind;
}

/* The digits of a layout as what the hole asks for; false: the general way must look. */
static inline bool keep_digits(struct shape *s, const struct shape_hole *hole,
	const struct number_layout *l, uint64_t digits, int exponent, size_t row)
{
	struct number n = { .is_integer = layout_is_whole(l) };

	if (hole->token == SHAPE_DIGITS) {
		n.integer = (int64_t)digits;
		keep_number(s, hole, &n, row);
		return !hole->width || l->length == hole->width;
	}
	if (!n.is_integer && shape_asks_for_whole(hole))
		return false;
	n.value = layout_value(l, digits, exponent);
	n.integer = layout_integer(l, digits);
	if (hole->condition != SHAPE_ANY && !holds(hole->condition, &n))
		return false;
	keep_number(s, hole, &n, row);
	return true;
}

/* The second layout comes first when it fits more often. */
static void count_second(struct shape_hole *hole)
{
	struct number_layout first = hole->layouts[0];

	if (++hole->second < SWAP_AFTER)
		return;
	hole->layouts[0] = hole->layouts[1];
	hole->layouts[1] = first;
	hole->second = 0;
}

/* By one of the layouts that the hole had before; NULL: by none of them. */
static inline const char *match_by_layout(
	struct shape *s, struct shape_hole *hole, const char *p, size_t row)
{
	const struct number_layout *l = hole->layouts;
	uint64_t digits;
	int exponent;

	if (layout_take(l, p, &digits, &exponent) &&
		keep_digits(s, hole, l, digits, exponent, row))
		return p + l->length;
	l++;
	if (!layout_take(l, p, &digits, &exponent) ||
		!keep_digits(s, hole, l, digits, exponent, row))
		return NULL;
	p += l->length;
	count_second(hole);
	return p;
}

static __attribute__((noinline)) const char *match_hole(
	struct shape *s, struct shape_hole *hole, const char *p, const char *limit, size_t row)
{
	const char *behind;

	if (hole->padded) {
		while (p < limit && *p == ' ')
			p++;
		if ((size_t)(limit - p) < LAYOUT_ROOM)
			return NULL;
	}
	if (hole->token <= SHAPE_DIGITS) {
		behind = match_by_layout(s, hole, p, row);
		if (behind)
			return !hole->padded || (size_t)(limit - behind) >= hole->reach ? behind
											: NULL;
	}
	return match_in_full(s, hole, p, limit, row);
}

static ATTR_ALWAYS_INLINE bool is_text(const struct shape_text *text, const char *p)
{
	uint64_t a, b;

	memcpy(&a, p, sizeof a);
	memcpy(&b, p + sizeof a, sizeof b);
	if (((a ^ text->bytes[0]) & text->mask[0]) | ((b ^ text->bytes[1]) & text->mask[1]))
		return false;
	return text->n <= 16 || is_same_bytes(p + 16, text->more, text->n - 16);
}

static ATTR_ALWAYS_INLINE bool ends_row(enum row_end end, const char *p)
{
	switch (end) {
	case ROW_LINE:
		return *p == '\n' || (*p == '\r' && p[1] == '\n');
	case ROW_FRAME:
		return *p == '\n' || *p == '\r' || *p == BACKSPACE;
	case ROW_OPEN:
		break;
	}
	return true;
}

/* The row at P, hole by hole: behind its text, or NULL when it is none of the shape. */
static const char *match_holes(struct shape *s, const char *p, const char *limit, size_t row)
{
	struct shape_hole *hole = s->holes, *last = s->n_holes ? hole + s->n_holes : hole;
	const char *first = p;
	uint64_t digits;
	int exponent;

	for (; hole < last; hole++) {
		const struct number_layout *l = hole->layouts;

		if (!is_text(&hole->text, p))
			return NULL;
		p += hole->text.n;
		hole->at = (size_t)(p - first);
		if (hole->is_plain && layout_take(l, p, &digits, &exponent)) {
			hole->values[row] = layout_value(l, digits, exponent);
			p += l->length;
		} else {
			p = match_hole(s, hole, p, limit, row);
			if (!p)
				return NULL;
		}
		hole->n = (size_t)(p - first) - hole->at;
	}
	return is_text(&s->tail, p) ? p + s->tail.n : NULL;
}

/* A number that is looked at, and what is no number. */
static bool take_other(struct shape *s, const struct template_number *number, const char *p,
	const char *limit, size_t row)
{
	const struct shape_hole *hole = &s->holes[number->hole];
	const char *at = p + number->at;
	uint64_t digits;
	int exponent;

	if (number->kind == TEMPLATE_FIXED) {
		keep_number(s, hole, &number->fixed, row);
		return true;
	}
	if (number->kind == TEMPLATE_CALL)
		return (hole->token == SHAPE_TIME ? match_time(s, hole, at, limit)
						  : match_stamp(s, at, limit)) == at + number->n;
	return layout_take_known(&number->layout, at, &digits, &exponent) &&
		keep_digits(s, hole, &number->layout, digits, exponent, row);
}

/* A number of any layout.  Many stay the same from row to row, as a learning rate does. */
static inline double other_value(struct template_number *number, const char *p)
{
	uint64_t bytes = load_eight(p + number->at) & number->own, digits;
	double value;
	int exponent;

	if (bytes == number->bytes && number->is_kept)
		return number->value;
	if (!layout_take_known(&number->layout, p + number->at, &digits, &exponent))
		return NAN;
	value = layout_value(&number->layout, digits, exponent);
	number->bytes = bytes;
	number->value = value;
	number->is_kept = number->own != 0;
	return value;
}

static inline void keep_value(const struct template_number *number, size_t row, double value)
{
	number->to[row & number->rows] = value;
}

/* The numbers of a row that fits the template; false: it is none of the shape. */
static ATTR_ALWAYS_INLINE bool take_numbers(struct shape *s, const struct row_template *t,
	const char *p, const char *limit, size_t row)
{
	struct template_number *number = t->numbers, *last = number + t->n_numbers;

	for (; number < last; number++) {
		const struct number_layout *l = &number->layout;
		const char *first = p + number->first;
		uint64_t digits;

		switch (number->kind) {
		case TEMPLATE_SHORT:
			digits = digits_of_run(&l->first, layout_without_point(l, first));
			keep_value(number, row, (double)(int64_t)digits / l->divisor);
			break;
		case TEMPLATE_ONE:
			digits = layout_digits_of_one(l, first);
			keep_value(number, row, layout_plain_value(l, digits));
			break;
		case TEMPLATE_WHOLE:
			digits = digits_of_run(&l->first, load_eight(first));
			keep_value(number, row, layout_whole_value(l, digits));
			break;
		case TEMPLATE_OTHER:
			keep_value(number, row, other_value(number, p));
			break;
		case TEMPLATE_INTEGER:
			*number->integer = (int64_t)digits_of_run(&l->first, load_eight(first));
			break;
		case TEMPLATE_JUDGED:
		case TEMPLATE_FIXED:
		case TEMPLATE_CALL:
			if (!take_other(s, number, p, limit, row))
				return false;
			break;
		}
	}
	return true;
}

static ATTR_ALWAYS_INLINE bool take_template(struct shape *s, const struct row_template *t,
	enum row_end end, const char *p, const char *limit)
{
	return template_fits(t, p) && ends_row(end, p + t->n) &&
		take_numbers(s, t, p, limit, s->rows->n + s->rows->waiting);
}

/*
 * Number I fitted the row up to END: it comes one place further to the front.  To the very
 * front only when it fitted rows one behind the other: what fits one row in ten would
 * make two of ten miss the first template.
 */
static void promote(struct shape *s, size_t i, const char *p, const char *end)
{
	struct row_template *t = s->templates[i];

	s->in_a_row = (uintptr_t)p - s->missed_to <= LINE_END_MAX ? s->in_a_row + 1 : 0;
	s->missed_to = (uintptr_t)end;
	if (i == 1 && s->in_a_row < PROMOTE_AFTER)
		return;
	s->templates[i] = s->templates[i - 1];
	s->templates[i - 1] = t;
}

/* A row was matched that fitted no template. */
static void learn_template(struct shape *s, const char *p, size_t n)
{
	if (s->template_credit < CREDIT_OF_TEMPLATE) {
		s->template_credit++;
		return;
	}
	s->template_credit -= CREDIT_OF_TEMPLATE;
	shape_make_template(s, p, n);
}

/* Behind the text of the row at P, which does not fit the first template; NULL when it
 * is none of the shape. */
static const char *match_row(
	struct shape *s, enum row_end end, const char *p, const char *limit)
{
	const char *behind;

	if ((size_t)(limit - p) < s->reach)
		return NULL;
	for (size_t i = 1; i < s->n_templates; i++) {
		const struct row_template *t = s->templates[i];

		if (!take_template(s, t, end, p, limit))
			continue;
		promote(s, i, p, p + t->n);
		return p + t->n;
	}
	behind = match_holes(s, p, limit, s->rows->n + s->rows->waiting);
	if (!behind || !ends_row(end, behind))
		return NULL;
	learn_template(s, p, (size_t)(behind - p));
	return behind;
}

static struct shape *found(struct shapes *all, size_t i)
{
	all->shapes[all->recent].next = i;
	all->recent = i;
	if (all->shapes[i].reach > all->reach)
		all->reach = all->shapes[i].reach;
	return &all->shapes[i];
}

/* By the first template, which nearly all rows of a log fit. */
static ATTR_ALWAYS_INLINE bool take_first(
	struct shape *s, enum row_end end, const char *p, const char *limit)
{
	return (size_t)(limit - p) >= s->reach && s->n_templates &&
		take_template(s, s->templates[0], end, p, limit);
}

static __attribute__((noinline)) struct shape *take_any(struct shapes *all, enum row_end end,
	const char *p, const char *limit, const char **behind)
{
	size_t next = all->shapes[all->recent].next;

	*behind = match_row(&all->shapes[next], end, p, limit);
	if (*behind)
		return found(all, next);
	for (size_t i = 0; i < all->n; i++) {
		struct shape *s = &all->shapes[i];

		if (i == next)
			continue;
		*behind = take_first(s, end, p, limit) ? p + s->templates[0]->n
						       : match_row(s, end, p, limit);
		if (*behind)
			return found(all, i);
	}
	all->failed = (size_t)(limit - p) < all->reach ? NULL : p;
	return NULL;
}

struct shape *shapes_take(struct shapes *all, enum row_end end, const char *p, const char *limit,
	const char **behind)
{
	struct shape *s;

	if (!all->n)
		return NULL;
	/* Rows come round: the one that followed last time is looked at first. */
	s = &all->shapes[all->shapes[all->recent].next];
	if (!take_first(s, end, p, limit))
		return take_any(all, end, p, limit, behind);
	*behind = p + s->templates[0]->n;
	all->recent = (size_t)(s - all->shapes);
	return s;
}

struct shape *shapes_take_last(
	struct shapes *all, const char *p, size_t n, const char *limit)
{
	bool is_near = (size_t)(limit - p) < n + all->reach;
	const char *row = p, *behind;
	struct shape *s;

	if (!all->n || p == all->failed || n > 2 * SHAPE_ROW_MAX)
		return NULL;
	if (is_near) {
		buf_clear(&all->room);
		buf_add(&all->room, p, n);
		buf_pad(&all->room, '\n', all->reach);
		row = all->room.s;
		limit = row + all->room.n;
	}
	s = shapes_take(all, ROW_FRAME, row, limit, &behind);
	return s && behind == row + n ? s : NULL;
}
