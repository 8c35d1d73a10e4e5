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
 * The end of a row is not looked for: a row matches from its beginning on, and
 * then must end.  What is read may lie behind it, but never behind LIMIT.
 *
 * Rows are not appended one by one: a shape gathers SHAPE_ROWS of them, and then
 * each series takes its column.  Before anything else is appended to a series
 * of the file, and before the reader returns, shapes_flush() appends the rest.
 *
 *	while ((s = shapes_take(&shapes, ROW_LINE, p, limit, &behind))) {
 *		x.step = s->step;
 *		shape_emit(&shapes, s, sink, &x);
 *		p = behind + 1;
 *	}
 *	shapes_flush(&shapes, sink);
 *	...						the full way
 *	if ((s = shapes_begin(&shapes, p, n))) {	learn its shape
 *		shape_add(s, at, n, &(struct shape_hole){ .role = SHAPE_STEP, ... });
 *		shapes_learn(&shapes, p, n);
 *	}
 */
#ifndef PORTSIDE_CURVE_READER_SHAPE_H
#define PORTSIDE_CURVE_READER_SHAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/buf.h"
#include "curve/log_stamp.h"
#include "curve/reader.h"
#include "curve/reader_digits.h"
#include "curve/reader_layout.h"
#include "curve/reader_slots.h"
#include "curve/reader_template.h"

enum {
	SHAPES_KEPT = 16,
	SHAPE_ROW_MAX = 8192,		/* bytes of a row that gets a shape */
	SHAPE_HOLES_MAX = 256,
	SHAPE_DIGITS_MAX = DIGITS_OF_INT64,	/* of SHAPE_DIGITS */
	SHAPE_COUNTS = 3,
	SHAPE_ROWS = 64,
	SHAPE_STRIDE = SHAPE_ROWS + 2,	/* one row waits, one is being read */
	SHAPE_LAYOUTS = 2,
	SHAPE_TEMPLATES = 4,
};

enum shape_token {
	SHAPE_NUMBER,	/* what number_scan() takes */
	SHAPE_DIGITS,	/* 1 to SHAPE_DIGITS_MAX digits */
	SHAPE_TIME,	/* an ISO time up to the byte STOP */
	SHAPE_STAMP,	/* what log_stamp_read() takes */
	SHAPE_FILL,	/* the filling of a progress bar, see shape_fills() */
};

enum shape_role { SHAPE_VALUE, SHAPE_STEP, SHAPE_EPOCH, SHAPE_WALL, SHAPE_COUNT, SHAPE_IGNORED };

/* What must hold of the number, or the row is none of the shape. */
enum shape_condition {
	SHAPE_ANY, SHAPE_WHOLE, SHAPE_NOT_WHOLE, SHAPE_WALL_TIME, SHAPE_NO_WALL_TIME,
	SHAPE_NOT_NEGATIVE,
};

static inline unsigned shape_stops(enum shape_token token)
{
	return token == SHAPE_NUMBER ? LAYOUT_STOPS_NUMBER : LAYOUT_STOPS_DIGITS;
}

/* Text that a row must have; its first bytes are compared at once. */
struct shape_text {
	uint64_t bytes[2], mask[2];
	const char *more;		/* those behind the first sixteen */
	size_t n;
};

struct shape_hole {
	enum shape_token token;
	enum shape_role role;
	enum shape_condition condition;
	unsigned width;			/* of SHAPE_DIGITS: exactly so many; 0: any */
	unsigned index;			/* of SHAPE_COUNT */
	bool padded;			/* blanks before it mean nothing */
	char stop;			/* of SHAPE_TIME */
	size_t slot;			/* of SHAPE_VALUE: its name, */
	struct series *series;		/* and where it goes; NULL: that of the slot */
	/* set by shapes_learn() */
	struct shape_text text;		/* before it */
	size_t reach;			/* bytes the rest of the row may need */
	bool is_plain;			/* a value without conditions */
	double *values;			/* of SHAPE_VALUE: of the rows gathered */
	struct number_layout layouts[SHAPE_LAYOUTS];
	unsigned second;		/* how often the second layout fitted */
	size_t at, n;			/* where it was in the row that was matched last */
};

/* A value that stands in the text between the holes. */
struct shape_constant {
	size_t slot;
	struct series *series;
	double value;
};

/* Where the rows stand that a shape has gathered; their values are with the holes. */
struct shape_rows {
	size_t n;
	bool waiting;			/* one more row, at N, may still be superseded */
	bool has_wall, has_epoch, derived, waiting_derived;
	int64_t x[SHAPE_STRIDE];
	double wall_s[SHAPE_STRIDE], epoch[SHAPE_STRIDE];
};

struct shape {
	struct buf text;		/* all text between the holes, and behind the last */
	struct shape_text tail;		/* behind the last hole */
	struct shape_hole *holes;
	size_t n_holes, cap_holes;
	struct shape_constant *constants;
	size_t n_constants, cap_constants;
	size_t reach;			/* bytes that must be readable from the row's first on */
	int64_t non_numeric;		/* values that are no number, for the health */
	enum axis axis;			/* of its series */
	int kind;			/* the learner's */
	size_t subject;			/* likewise */
	size_t next;			/* number of the shape that came after it last time */
	uint64_t used;			/* when, in times that rows were appended */
	const char *row;		/* while it is learnt: the row's first byte */
	const char *taken_to;		/* while it is learnt: text before it is in TEXT */
	size_t *text_n;			/* likewise: bytes of text before each hole */
	size_t cap_text_n;
	uint32_t shares;		/* shapes that share a series with it, a bit each */
	struct shape_rows *rows;
	double *values;			/* of all holes */
	/* of rows that came often, the most frequent first */
	struct row_template *templates[SHAPE_TEMPLATES];
	size_t n_templates;
	int template_credit;		/* making them pays as long as rows fit */
	uintptr_t missed_to;		/* where the row ended that missed the first template, */
	unsigned in_a_row;		/* and how many did one behind the other */

	int64_t step;			/* of the row at hand */
	int64_t count[SHAPE_COUNTS];
	double epoch, wall_s;		/* NaN: none */
	bool has_stamp;
	struct stamp_memo stamp;
	bool zone_unknown;		/* of an ISO time */
};

struct shapes {
	struct shape shapes[SHAPES_KEPT + 1];	/* the last one is being learnt */
	size_t n, recent;
	size_t reach;			/* the longest of all */
	uint64_t matches, misses;
	int credit;			/* learning pays as long as rows repeat */
	uint32_t pending;		/* shapes that have gathered rows, a bit each */
	struct slots *slots;		/* of the learner: names of series that are NULL */
	const char *failed;		/* the row that shapes_take() gave nothing for */
	struct buf room;
};

#define SHAPES_INIT { .credit = 64, .room = BUF_INIT }

void shapes_release(struct shapes *all);

/* How a row must end. */
enum row_end {
	ROW_LINE,	/* at LF or CR LF */
	ROW_FRAME,	/* or at any CR, or a backspace */
	ROW_OPEN,	/* anywhere */
};

/*
 * The shape of the row that begins at P, with the row's numbers in it, and where
 * its text ends; NULL: none, or LIMIT is too near to tell.
 */
struct shape *shapes_take(struct shapes *all, enum row_end end, const char *p, const char *limit,
	const char **behind);
/* Of the row P[0..N), which ends there, unless shapes_take() has just told that it has none. */
struct shape *shapes_take_last(
	struct shapes *all, const char *p, size_t n, const char *limit);

/* The values of the row that was taken last go to their series; X as the full way makes it. */
static inline void shape_emit(
	struct shapes *all, struct shape *s, struct curve_sink *sink, const struct row_x *x);
/* As shape_emit(), but the row waits: shape_commit() emits it, shape_drop() forgets it, and
 * with REPLACE it comes in place of the one that waits. */
void shape_wait(struct shape *s, const struct row_x *x, bool replace);
void shape_commit(struct shapes *all, struct shape *s, struct curve_sink *sink);
void shape_drop(struct shape *s);
void shapes_flush(struct shapes *all, struct curve_sink *sink);

/* Inside of shape_emit(): the series take what was gathered; the first row comes, before
 * which other shapes give their rows to the series that they have in common. */
void shape_flush(struct shapes *all, struct shape *s, struct curve_sink *sink);
void shape_begin_rows(struct shapes *all, struct shape *s, struct curve_sink *sink);

static inline void shape_put_place(struct shape_rows *rows, size_t row, const struct row_x *x)
{
	rows->x[row] = x->step;
	if (x->axis == AXIS_EPOCH || x->axis == AXIS_TIME)
		memcpy(&rows->x[row], &x->real, sizeof x->real);	/* as a column keeps it */
	rows->wall_s[row] = x->wall_s;
	rows->epoch[row] = x->axis == AXIS_EPOCH ? __builtin_nan("") : x->epoch;
}

/* The row at N, whose place is there, is one of those gathered. */
static inline void shape_add_row(
	struct shapes *all, struct shape *s, struct curve_sink *sink, bool derived)
{
	struct shape_rows *rows = s->rows;
	size_t n = rows->n;

	if (n && series_x_falls(s->axis, rows->x[n - 1], rows->x[n])) {
		shape_flush(all, s, sink);
		n = 0;
	}
	if (!n)
		shape_begin_rows(all, s, sink);
	rows->has_wall |= !__builtin_isnan(rows->wall_s[n]);
	rows->has_epoch |= !__builtin_isnan(rows->epoch[n]);
	rows->derived |= derived;
	rows->n = n + 1;
	if (n + 1 == SHAPE_ROWS)
		shape_flush(all, s, sink);
}

static inline void shape_emit(
	struct shapes *all, struct shape *s, struct curve_sink *sink, const struct row_x *x)
{
	shape_put_place(s->rows, s->rows->n, x);
	shape_add_row(all, s, sink, x->derived);
}

/* An empty shape for the row at P; NULL when learning does not pay. */
struct shape *shapes_begin(struct shapes *all, const char *p, size_t n);
/* The next hole at AT, N bytes long; holes are added in their order. */
bool shape_add(struct shape *s, const char *at, size_t n, const struct shape_hole *hole);
void shape_add_constant(struct shape *s, struct series *series, size_t slot, double value);
/* Keeps the shape that was begun, in place of the one that was not used for longest, but
 * none without holes.  All rows must have been flushed. */
void shapes_learn(struct shapes *all, const char *p, size_t n);

/* Its number must be whole, or must not be. */
bool shape_asks_for_whole(const struct shape_hole *hole);
/* Makes a template of the row P[0..N), whose holes were matched; both are for reader_shape
 * alone. */
void shape_make_template(struct shape *s, const char *p, size_t n);

/* Bytes of P[0..N), from the first on, that fill a progress bar: blanks, digits, marks
 * and what is not ASCII, but no letter, bar, bracket or brace. */
size_t shape_fills(const char *p, size_t n);

#endif
