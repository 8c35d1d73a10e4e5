/*
 * reader_template - rows that have every byte where an earlier row had it.
 *
 * Most rows of a log differ from one before them only in digits, each of which
 * stands where a digit stood.  A template holds such a row: bytes that must be
 * the same, bytes that must be digits, and where the numbers are.  A row is
 * compared sixteen bytes at a time, and its numbers are then taken from known
 * places without a look at what is around them.
 *
 * How text is split into numbers depends on which bytes are digits, never on
 * which digits they are; so a row that fits has its numbers where the earlier
 * one had them, and their values are those that the general way finds.  What
 * digits do decide (a condition on a value, a time of day) is checked.
 *
 * Used by reader_shape alone: a shape keeps a few templates, and matches hole by
 * hole what fits none of them.
 */
#ifndef PORTSIDE_CURVE_READER_TEMPLATE_H
#define PORTSIDE_CURVE_READER_TEMPLATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "curve/reader_layout.h"

enum { TEMPLATE_PIECE = 16 };

typedef unsigned char template_bytes __attribute__((vector_size(TEMPLATE_PIECE)));

/*
 * Sixteen bytes.  What differs from TEXT must vanish under MASK: all of it where
 * a byte must be the same; where a digit must stand TEXT is '0', and by adding
 * SIX whatever is over 9 reaches the upper half.
 */
struct template_piece {
	template_bytes text, six, mask;
};

enum template_kind {
	TEMPLATE_SHORT,		/* a number of LAYOUT_SHORT, to where it belongs */
	TEMPLATE_ONE,		/* likewise */
	TEMPLATE_WHOLE,
	TEMPLATE_OTHER,		/* of any layout, and mostly what it was in the row before */
	TEMPLATE_INTEGER,	/* of LAYOUT_WHOLE, to INTEGER */
	TEMPLATE_JUDGED,	/* the shape looks at it */
	TEMPLATE_FIXED,		/* text, which must be the same */
	TEMPLATE_CALL,		/* a token that the shape reads itself */
};

/* A number of the row: what it means is the business of hole number HOLE. */
struct template_number {
	enum template_kind kind;
	size_t first, at, n;	/* bytes from the row's first to its digits, to its sign */
	struct number_layout layout;
	double *to;		/* a value of each row, or with ROWS 0 one of the row at hand */
	size_t rows;		/* all ones, or 0 */
	int64_t *integer;
	size_t hole;
	struct number fixed;
	/* of TEMPLATE_OTHER with up to eight bytes: what it was in the row that fitted last */
	uint64_t own, bytes;	/* OWN: which of eight bytes are the number's; BYTES: those */
	double value;
	bool is_kept;		/* BYTES and VALUE are a row's */
};

struct row_template {
	struct template_piece *pieces;
	size_t n_pieces, cap_pieces;
	struct template_number *numbers;
	size_t n_numbers, cap_numbers;
	size_t n;		/* bytes of the row */
};

void template_release(struct row_template *t);

/* Begins with the text P[0..N), which must be the same. */
void template_begin(struct row_template *t, const char *p, size_t n);
/* The digits in N bytes from AT on may be any. */
void template_free_digits(struct row_template *t, const char *p, size_t at, size_t n);
struct template_number *template_add(struct row_template *t);

/* Bytes that must be readable. */
static inline size_t template_reach(const struct row_template *t)
{
	return t->n_pieces * TEMPLATE_PIECE;
}

static ATTR_ALWAYS_INLINE template_bytes template_difference(
	const struct template_piece *piece, const char *p)
{
	template_bytes differs;

	memcpy(&differs, p, sizeof differs);
	differs ^= piece->text;
	return (differs | (differs + piece->six)) & piece->mask;
}

static ATTR_ALWAYS_INLINE bool template_is_zero(template_bytes v)
{
	uint64_t half[2];

	memcpy(half, &v, sizeof half);
	return !(half[0] | half[1]);
}

/* The row at P is one of the template; template_reach() bytes can be read. */
static ATTR_ALWAYS_INLINE bool template_fits(const struct row_template *t, const char *p)
{
	const struct template_piece *piece = t->pieces, *end = piece + t->n_pieces;
	template_bytes wrong = template_difference(piece, p);

	if (!template_is_zero(wrong))
		return false;
	for (piece++, p += TEMPLATE_PIECE; piece < end; piece++, p += TEMPLATE_PIECE)
		wrong |= template_difference(piece, p);
	return template_is_zero(wrong);
}

#endif
