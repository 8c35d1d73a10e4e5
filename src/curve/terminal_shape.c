/* terminal_shape - frames that differ from an earlier one in their numbers alone. */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "curve/terminal_families.h"

enum { PIECES_MAX = 3 * SHAPE_HOLES_MAX, PAIRS_OF_SHAPE_MAX = 128 };

/* A part of the frame that is a hole of its own, or text whatever digits it has. */
struct piece {
	struct token token;
	bool is_text;
	struct shape_hole hole;
};

struct pieces {
	struct piece list[PIECES_MAX];	/* in the order of the frame */
	size_t n;
};

static bool is_in_frame(const struct frame *f, struct token token)
{
	return token.p && (uintptr_t)token.p >= (uintptr_t)f->p &&
		(uintptr_t)token.p + token.n <= (uintptr_t)f->p + f->n;
}

static void add_piece(struct pieces *pieces, const struct piece *piece)
{
	size_t i = pieces->n;

	if (i == PIECES_MAX)
		return;
	for (; i > 0 && pieces->list[i - 1].token.p > piece->token.p; i--)
		pieces->list[i] = pieces->list[i - 1];
	pieces->list[i] = *piece;
	pieces->n++;
}

static void add_text(struct pieces *pieces, const struct frame *f, struct token token)
{
	if (is_in_frame(f, token))
		add_piece(pieces, &(struct piece){ .token = token, .is_text = true });
}

/*
 * How much of the token is a number that stands as it is, 0 when its groups or
 * a suffix change the value.  A unit behind it stays text.
 */
static size_t plain_length(const struct frame *f, struct token token)
{
	struct number n;
	size_t used, left;
	const char *rest;

	if (!is_in_frame(f, token))
		return 0;
	used = number_scan(&n, token.p, token.p + token.n);
	left = token.n - used;
	rest = token.p + used;
	if (!used || (left == 1 && strchr("KMGB", *rest)))
		return 0;
	for (size_t i = 0; i < left; i++)
		if (rest[i] != '%' && (unsigned char)((rest[i] | 32) - 'a') >= 26)
			return 0;
	return used;
}

/* A comma and a digit stand there: it may be a group, which goes by its length. */
static bool is_group(const struct frame *f, const char *p)
{
	return f->p + f->n - p >= 2 && *p == ',' && is_decimal_digit(p[1]);
}

static bool add_place(struct pieces *pieces, const struct frame *f, struct token token,
	const struct shape_hole *hole)
{
	struct piece piece = { .token = token, .hole = *hole };

	if (!token.p)
		return true;
	if (plain_length(f, token) != token.n ||
		(hole->token == SHAPE_DIGITS && token.n > SHAPE_DIGITS_MAX))
		return false;
	piece.hole.padded = token.padded;
	add_piece(pieces, &piece);
	return true;
}

static bool add_pair(struct terminal *t, struct shape *s, struct pieces *pieces,
	const struct frame *f, const struct pair *pair)
{
	struct series *series =
		pair->slot == SIZE_MAX ? NULL : t->slots.slots[pair->slot].series[t->taken.axis];
	struct shape_hole hole = {
		.token = SHAPE_NUMBER,
		.role = SHAPE_VALUE,
		.condition = pair->condition,
		.slot = pair->slot,
		.series = series,
	};
	struct token token = pair->token;

	token.n = plain_length(f, token);
	if (pair->slot == SIZE_MAX || (!series && !t->taken.held))
		return false;
	add_text(pieces, f, token_between(pair->name, pair->name + pair->name_n));
	if (token.n && !is_group(f, token.p + token.n))
		return add_place(pieces, f, token, &hole);
	shape_add_constant(s, series, pair->slot, pair->value);
	add_text(pieces, f, pair->token);
	return pair->condition == SHAPE_ANY;
}

/* The last of two pairs of a name counts: that is left to the full way. */
static bool has_duplicates(const struct terminal *t)
{
	for (size_t i = 0; i < t->taken.n_pairs; i++)
		for (size_t k = 0; k < i; k++)
			if (t->pairs[i].slot == t->pairs[k].slot)
				return true;
	return false;
}

/* The first token of each placing that says where the row stands must be there. */
static bool is_placed(const struct taken_row *taken)
{
	switch (taken->placing) {
	case PLACE_STEP:
	case PLACE_UPDATES:
		return taken->step.p;
	case PLACE_EPOCH:
	case PLACE_EPOCH_OR_STEP:
		return taken->epoch.p;
	case PLACE_BATCH:
	case PLACE_BATCH_FROM_ZERO:
	case PLACE_DEVICE:
	case PLACE_BAR:
	case PLACE_BAR_OF_EPOCH:
	case PLACE_KERAS:
		break;
	}
	return taken->counts[0].p && taken->counts[1].p;
}

static bool add_counts(struct pieces *pieces, const struct frame *f, const struct taken_row *taken)
{
	for (unsigned i = 0; i < SHAPE_COUNTS; i++) {
		struct shape_hole count = {
			.token = SHAPE_DIGITS, .role = SHAPE_COUNT, .index = i
		};

		if (!add_place(pieces, f, taken->counts[i], &count))
			return false;
	}
	return true;
}

/* The parts that are no numbers, and those that mean nothing. */
static bool add_surroundings(struct pieces *pieces, const struct frame *f,
	const struct taken_row *taken, struct token stamp)
{
	static const struct shape_hole percent = { .token = SHAPE_DIGITS, .role = SHAPE_IGNORED };
	struct piece fill = { .token = taken->fill,
		.hole = { .token = SHAPE_FILL, .role = SHAPE_IGNORED } };
	struct piece time = { .token = stamp,
		.hole = { .token = SHAPE_STAMP, .role = SHAPE_WALL } };

	for (size_t i = 0; i < LITERALS_MAX; i++)
		add_text(pieces, f, taken->literals[i]);
	if (taken->fill.p)
		add_piece(pieces, &fill);
	if (stamp.n)
		add_piece(pieces, &time);
	return add_place(pieces, f, taken->percent, &percent);
}

static bool find_pieces(
	struct terminal *t, struct shape *s, struct pieces *pieces, const struct frame *f)
{
	const struct taken_row *taken = &t->taken;
	struct shape_hole step = {
		.token = taken->step_form, .role = SHAPE_STEP,
		.condition = taken->step_form == SHAPE_NUMBER ? SHAPE_WHOLE : SHAPE_ANY,
	};
	struct shape_hole epoch = { .token = SHAPE_NUMBER, .role = SHAPE_EPOCH };

	if (!is_placed(taken) || has_duplicates(t))
		return false;
	for (size_t i = 0; i < taken->n_pairs; i++)
		if (!add_pair(t, s, pieces, f, &t->pairs[i]))
			return false;
	return add_place(pieces, f, taken->step, &step) &&
		add_place(pieces, f, taken->epoch, &epoch) && add_counts(pieces, f, taken) &&
		add_surroundings(pieces, f, taken, t->stamp);
}

/* Digits that mean nothing, up to where a piece begins. */
static const char *add_free_digits(
	struct shape *s, const struct frame *f, const char *p, const char *stop)
{
	struct shape_hole hole = { .token = SHAPE_DIGITS, .role = SHAPE_IGNORED };
	const char *behind = p;

	while (behind < stop && is_decimal_digit(*behind))
		behind++;
	if (behind - p > SHAPE_DIGITS_MAX ||
		(behind == stop && behind < f->p + f->n && is_decimal_digit(*behind)))
		return NULL;
	if (is_group(f, behind) || (p > f->p && is_group(f, p - 1)))
		hole.width = (unsigned)(behind - p);
	return shape_add(s, p, (size_t)(behind - p), &hole) ? behind : NULL;
}

/* The text up to STOP, with holes where digits mean nothing. */
static bool add_between(struct shape *s, const struct frame *f, const char *p, const char *stop,
	const char *free_to)
{
	if (stop > free_to)
		stop = free_to;
	while (p && p < stop) {
		if (is_decimal_digit(*p))
			p = add_free_digits(s, f, p, stop);
		else
			p++;
	}
	return p;
}

/* Where the hole begins: before the blanks that mean nothing, but not before P. */
static const char *start_of(const struct piece *piece, const char *p)
{
	const char *start = piece->token.p;

	while (piece->hole.padded && start > p && start[-1] == ' ')
		start--;
	return start;
}

/* Digits before FREE_FROM stay text. */
static bool add_pieces(struct shape *s, const struct pieces *pieces, const struct frame *f,
	const char *free_from, const char *free_to)
{
	const char *p = f->p, *start, *text_end = NULL;

	for (size_t i = 0; i < pieces->n; i++) {
		const struct piece *piece = &pieces->list[i];

		/* A name may have two values. */
		if (piece->is_text && text_end == piece->token.p + piece->token.n)
			continue;
		if (piece->token.p < p)
			return false;
		text_end = piece->is_text ? piece->token.p + piece->token.n : NULL;
		start = start_of(piece, p);
		if (start >= free_from &&
			!add_between(s, f, p > free_from ? p : free_from, start, free_to))
			return false;
		if (!piece->is_text &&
			!shape_add(s, start, (size_t)(piece->token.p + piece->token.n - start),
				&piece->hole))
			return false;
		p = piece->token.p + piece->token.n;
	}
	return pieces->n < PIECES_MAX &&
		add_between(s, f, p > free_from ? p : free_from, f->p + f->n, free_to);
}

/* Whether there is a stamp hangs on the text alone. */
static bool has_clear_stamp(const struct terminal *t, const struct frame *f)
{
	return t->stamp.n || !log_stamp_is_possible(f->p, f->n);
}

void terminal_learn(struct terminal *t, struct curve_sink *sink, const struct frame *f)
{
	struct pieces pieces;
	struct shape *s;

	if (t->patterns.n || t->taken.n_pairs > PAIRS_OF_SHAPE_MAX)
		return;
	shapes_flush(&t->shapes, sink);
	s = shapes_begin(&t->shapes, f->p, f->n);
	pieces.n = 0;
	if (!s || !has_clear_stamp(t, f) || (t->taken.fits && !t->taken.fits(f)))
		return;
	s->axis = t->taken.axis;
	s->kind = t->taken.placing;
	s->subject = t->taken.subject;
	if (find_pieces(t, s, &pieces, f) &&
	    add_pieces(s, &pieces, f, t->stamp.n ? t->stamp.p : f->p, t->taken.free_to))
		shapes_learn(&t->shapes, f->p, f->n);
}

/* False when the full way must look at the row; then nothing has changed. */
static bool place_row(struct terminal *t, const struct curve_sink *sink, const struct shape *s,
	struct placed_row *out)
{
	const int64_t *count = s->count;

	switch ((enum placing)s->kind) {
	case PLACE_STEP:
		out->x = terminal_at_step(s->step);
		out->x.axis = s->axis;
		out->x.epoch = s->epoch;
		return true;
	case PLACE_EPOCH_OR_STEP:
		out->x = terminal_at_epoch_or_step(s->epoch, sink->options->steps_per_epoch);
		return true;
	case PLACE_EPOCH:
		out->x = terminal_at_epoch(s->epoch);
		return true;
	case PLACE_UPDATES:
		return place_updates(&out->x, count[0], (double)s->step);
	case PLACE_BATCH:
		return place_batch(&out->x, count[0], count[1], count[2]);
	case PLACE_BATCH_FROM_ZERO:
		return place_timm(t, &out->x, count[0], count[1], count[2]);
	case PLACE_DEVICE:
		place_device(&out->x, &t->devices[s->subject], count[0], count[1]);
		return true;
	case PLACE_BAR:
		return place_bar(t, out, -1, count[0], count[1]);
	case PLACE_BAR_OF_EPOCH:
		return place_bar(t, out, count[2], count[0], count[1]);
	case PLACE_KERAS:
		place_keras(t, out, count[0], count[1]);
		return true;
	}
	return false;
}

/* The row of S that was matched waits for the next count. */
static void hold_shape(struct terminal *t, struct curve_sink *sink, struct shape *s,
	const struct placed_row *row)
{
	struct held_row *held = row->held;
	bool again = held_begin(t, sink, held, row->epoch, row->count);
	bool replace = again && held->shape == s;

	if (again && held->shape && !replace)
		shape_drop(held->shape);
	shape_wait(s, &row->x, replace);
	held->shape = s;
}

static bool take_shape(struct terminal *t, struct curve_sink *sink, struct shape *s)
{
	struct placed_row row = { .held = NULL };

	if (!place_row(t, sink, s, &row) || row.x.axis != s->axis)
		return false;
	if (s->has_stamp)
		row.x.wall_s = terminal_stamp_time(t, sink, &s->stamp.stamp);
	if (row.held)
		hold_shape(t, sink, s, &row);
	else
		shape_emit(&t->shapes, s, sink, &row.x);
	return true;
}

const char *terminal_take_shape(struct terminal *t, struct curve_sink *sink, enum row_end end,
	const char *p, const char *limit)
{
	const char *behind;
	struct shape *s = shapes_take(&t->shapes, end, p, limit, &behind);

	return s && take_shape(t, sink, s) ? behind : NULL;
}

bool terminal_take_last_shape(
	struct terminal *t, struct curve_sink *sink, const char *p, size_t n, const char *limit)
{
	struct shape *s = shapes_take_last(&t->shapes, p, n, limit);

	return s && take_shape(t, sink, s);
}
