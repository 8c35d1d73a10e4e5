/*
 * reader_shape - rows that differ from an earlier one only in their numbers.
 *
 * A trainer writes row after row from one format.  The shape of a row is its
 * text with holes where the numbers stood, and what each number was taken for.
 * A row that has the same text between its numbers is read by them alone; any
 * other one takes the full way, and then its shape is learnt.  A few shapes are
 * kept, since training and evaluation rows alternate.
 *
 * A shape promises what the full way would have found, to the bit.  Its learner
 * sees to it: whatever the full way decides by anything but the text between
 * the holes is a condition of a hole, or the row gets no shape.
 *
 *	if ((shape = shapes_match(&shapes, p, n, p + n))) {
 *		x.step = shape->step;
 *		shape_emit(shape, sink, &x);
 *		return;
 *	}
 *	...						the full way
 *	if ((shape = shapes_begin(&shapes, p))) {	learn its shape
 *		shape_add(shape, at, n, &(struct shape_hole){ .role = SHAPE_STEP, ... });
 *		shapes_learn(&shapes, p, n);
 *	}
 */
#ifndef PORTSIDE_CURVE_READER_SHAPE_H
#define PORTSIDE_CURVE_READER_SHAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "curve/log_stamp.h"
#include "curve/reader.h"
#include "curve/reader_digits.h"
#include "curve/reader_slots.h"

enum {
	SHAPES_KEPT = 16,
	SHAPE_ROW_MAX = 8192,		/* bytes of a row that gets a shape */
	SHAPE_HOLES_MAX = 256,
	SHAPE_DIGITS_MAX = DIGITS_OF_INT64,	/* of SHAPE_DIGITS */
	SHAPE_COUNTS = 3,
};

enum shape_token {
	SHAPE_NUMBER,	/* what number_scan() takes */
	SHAPE_DIGITS,	/* 1 to SHAPE_DIGITS_MAX digits */
	SHAPE_TIME,	/* an ISO time up to the next quote */
	SHAPE_STAMP,	/* what log_stamp_read() takes */
	SHAPE_FILL,	/* the filling of a progress bar, see shape_fills() */
};

enum shape_role { SHAPE_VALUE, SHAPE_STEP, SHAPE_EPOCH, SHAPE_WALL, SHAPE_COUNT, SHAPE_IGNORED };

/* What must hold of the number, or the row is none of the shape. */
enum shape_condition {
	SHAPE_ANY, SHAPE_WHOLE, SHAPE_NOT_WHOLE, SHAPE_WALL_TIME, SHAPE_NO_WALL_TIME,
	SHAPE_NOT_NEGATIVE,
};

struct shape_hole {
	enum shape_token token;
	enum shape_role role;
	enum shape_condition condition;
	unsigned width;			/* of SHAPE_DIGITS: exactly so many; 0: any */
	unsigned index;			/* of SHAPE_COUNT */
	bool padded;			/* blanks before it mean nothing */
	size_t slot;			/* of SHAPE_VALUE: its name, */
	struct series *series;		/* and where it goes; NULL: the learner's */
	size_t text_n;			/* bytes of text before it */
	double value;			/* of the row at hand */
};

/* A value that stands in the text between the holes. */
struct shape_constant {
	size_t slot;
	struct series *series;
	double value;
};

struct shape {
	struct buf text;		/* all text between the holes, and behind the last */
	size_t tail_n;			/* bytes of it behind the last hole */
	struct shape_hole *holes;
	size_t n_holes, cap_holes;
	struct shape_constant *constants;
	size_t n_constants, cap_constants;
	int64_t non_numeric;		/* values that are no number, for the health */
	enum axis axis;			/* of its series */
	int kind;			/* the learner's */
	size_t subject;			/* likewise */
	size_t next;			/* number of the shape that came after it last time */
	uint64_t used;			/* when, in matches */
	const char *taken_to;		/* while it is learnt: text before it is in TEXT */

	int64_t step;			/* of the row at hand */
	int64_t count[SHAPE_COUNTS];
	double epoch, wall_s;		/* NaN: none */
	bool has_stamp;
	struct log_stamp stamp;
	bool zone_unknown;		/* of an ISO time */
};

struct shapes {
	struct shape shapes[SHAPES_KEPT + 1];	/* the last one is being learnt */
	size_t n, recent;
	uint64_t matches, misses;
	int credit;			/* learning pays as long as rows repeat */
};

#define SHAPES_INIT { .credit = 64 }

void shapes_release(struct shapes *all);

/* The shape of the row P[0..N), with the row's numbers in it; NULL: none.  Bytes up to
 * LIMIT can be read; when it lies behind the row, the row ends at a line's end. */
struct shape *shapes_match(struct shapes *all, const char *p, size_t n, const char *limit);

/* The values of the matched row go to their series; X as the full way makes it. */
void shape_emit(struct shape *s, struct curve_sink *sink, const struct row_x *x);

/* An empty shape for the row at P; NULL when learning does not pay. */
struct shape *shapes_begin(struct shapes *all, const char *p, size_t n);
/* The next hole at AT, N bytes long; holes are added in their order. */
bool shape_add(struct shape *s, const char *at, size_t n, const struct shape_hole *hole);
void shape_add_constant(struct shape *s, struct series *series, size_t slot, double value);
/* Bytes of P[0..N), from the first on, that fill a progress bar: blanks, digits, marks
 * and what is not ASCII, but no letter, bar, bracket or brace. */
size_t shape_fills(const char *p, size_t n);
/* Keeps the shape that was begun, in place of the one that was not used for longest. */
void shapes_learn(struct shapes *all, const char *p, size_t n);

#endif
