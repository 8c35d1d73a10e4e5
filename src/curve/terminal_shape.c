/* terminal_shape - frames that differ from an earlier one in their numbers alone. */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "curve/terminal.h"

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

static bool is_digit(char c)
{
	return (unsigned char)(c - '0') < 10;
}

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
	return f->p + f->n - p >= 2 && *p == ',' && is_digit(p[1]);
}

static bool add_place(struct pieces *pieces, const struct frame *f, struct token token, const struct shape_hole *hole)
{
	if (!token.p)
		return true;
	if (plain_length(f, token) != token.n || (hole->token == SHAPE_DIGITS && token.n > SHAPE_DIGITS_MAX))
		return false;
	add_piece(pieces, &(struct piece){ .token = token, .hole = *hole });
	return true;
}

static bool add_pair(struct terminal *t, struct shape *s, struct pieces *pieces, const struct frame *f,
	const struct pair *pair)
{
	struct series *series = pair->slot == SIZE_MAX ? NULL : t->slots.slots[pair->slot].series[t->taken.axis];
	struct shape_hole hole = { .token = SHAPE_NUMBER, .role = SHAPE_VALUE, .series = series };
	struct token token = { pair->token.p, plain_length(f, pair->token) };

	if (!series)
		return false;
	add_text(pieces, f, (struct token){ pair->name, pair->name_n });
	if (token.n && !is_group(f, token.p + token.n))
		return add_place(pieces, f, token, &hole);
	shape_add_constant(s, series, pair->value);
	add_text(pieces, f, pair->token);
	return true;
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

static bool find_pieces(struct terminal *t, struct shape *s, struct pieces *pieces, const struct frame *f)
{
	const struct taken_row *taken = &t->taken;
	struct shape_hole step = {
		.token = taken->step_form, .role = SHAPE_STEP,
		.condition = taken->step_form == SHAPE_NUMBER ? SHAPE_WHOLE : SHAPE_ANY,
	};
	struct shape_hole epoch = { .token = SHAPE_NUMBER, .role = SHAPE_EPOCH };

	if ((taken->placing == PLACE_STEP ? !taken->step.p : !taken->epoch.p) || has_duplicates(t))
		return false;
	for (size_t i = 0; i < taken->n_pairs; i++)
		if (!add_pair(t, s, pieces, f, &t->pairs[i]))
			return false;
	return add_place(pieces, f, taken->step, &step) && add_place(pieces, f, taken->epoch, &epoch);
}

/* Digits that mean nothing, up to where a piece begins. */
static const char *add_free_digits(struct shape *s, const struct frame *f, const char *p, const char *stop)
{
	struct shape_hole hole = { .token = SHAPE_DIGITS, .role = SHAPE_IGNORED };
	const char *behind = p;

	while (behind < stop && is_digit(*behind))
		behind++;
	if (behind - p > SHAPE_DIGITS_MAX || (behind == stop && behind < f->p + f->n && is_digit(*behind)))
		return NULL;
	if (is_group(f, behind) || (p > f->p && is_group(f, p - 1)))
		hole.width = (unsigned)(behind - p);
	return shape_add(s, p, (size_t)(behind - p), &hole) ? behind : NULL;
}

/* The text up to STOP, with holes where digits mean nothing. */
static bool add_between(struct shape *s, const struct frame *f, const char *p, const char *stop, const char *free_to)
{
	if (stop > free_to)
		stop = free_to;
	while (p && p < stop) {
		if (is_digit(*p))
			p = add_free_digits(s, f, p, stop);
		else
			p++;
	}
	return p;
}

static bool add_pieces(struct shape *s, const struct pieces *pieces, const struct frame *f, const char *free_to)
{
	const char *p = f->p;

	for (size_t i = 0; i < pieces->n; i++) {
		const struct piece *piece = &pieces->list[i];

		if (piece->token.p < p || !add_between(s, f, p, piece->token.p, free_to))
			return false;
		if (!piece->is_text && !shape_add(s, piece->token.p, piece->token.n, &piece->hole))
			return false;
		p = piece->token.p + piece->token.n;
	}
	return pieces->n < PIECES_MAX && add_between(s, f, p, f->p + f->n, free_to);
}

void terminal_learn(struct terminal *t, const struct frame *f)
{
	struct pieces pieces;
	struct shape *s;

	if (t->patterns.n || t->taken.n_pairs > PAIRS_OF_SHAPE_MAX)
		return;
	s = shapes_begin(&t->shapes, f->p, f->n);
	pieces.n = 0;
	if (!s || (t->taken.fits && !t->taken.fits(f)))
		return;
	s->axis = t->taken.axis;
	s->kind = t->taken.placing;
	if (find_pieces(t, s, &pieces, f) && add_pieces(s, &pieces, f, t->taken.free_to))
		shapes_learn(&t->shapes, f->p, f->n);
}

static struct row_x place_of(const struct shape *s, const struct curve_sink *sink)
{
	struct row_x x;

	switch ((enum placing)s->kind) {
	case PLACE_STEP:
		x = terminal_at_step(s->step);
		x.epoch = s->epoch;
		return x;
	case PLACE_EPOCH_OR_STEP:
		return terminal_at_epoch_or_step(s->epoch, sink->options->steps_per_epoch);
	case PLACE_EPOCH:
		break;
	}
	return terminal_at_epoch(s->epoch);
}

bool terminal_take_shape(struct terminal *t, struct curve_sink *sink, const char *p, size_t n)
{
	struct shape *s = shapes_match(&t->shapes, p, n);
	struct row_x x;

	if (!s)
		return false;
	x = place_of(s, sink);
	if (x.axis != s->axis)
		return false;
	shape_emit(s, sink, &x);
	return true;
}
