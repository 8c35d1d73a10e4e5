/*
 * reader_slots - the names of one file and the series that each leads to.
 *
 * A row of a text format is gathered first (names and values), its x is
 * decided, and then the values go to the series of their names.  A name that
 * stands twice in a row counts once, the last wins; the other is counted as left
 * out, as is a number whose name has no room.  Rows repeat their names in the same
 * order, so the slot after the last one is tried before the table.
 *
 *	slots_begin_row(&slots);
 *	slots_put(&slots, "loss", 4, 2.5);
 *	slots_emit(&slots, sink, &(struct row_x){ .axis = AXIS_STEP, .step = 100 });
 */
#ifndef PORTSIDE_CURVE_READER_SLOTS_H
#define PORTSIDE_CURVE_READER_SLOTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "curve/reader.h"

enum { SLOT_AXES = AXIS_EVAL_STEP + 1, SLOTS_MAX = 10000, SLOT_NAME_MAX = 4096 };

struct slot {
	char *name;
	size_t name_n;
	uint32_t hash;
	struct series *series[SLOT_AXES];
	uint64_t row;		/* number of the last row that named it */
	double value;		/* in that row */
	bool present;		/* in that row it had a number */
};

struct slots {
	struct slot *slots;
	size_t n, cap;
	uint32_t *table;	/* slot number + 1; 0: free */
	size_t table_n;		/* a power of two */
	size_t next;		/* the slot that is tried first */
	uint64_t row;
	size_t *named;		/* slots of this row in order of first naming */
	size_t n_named, cap_named;
	bool full;		/* names were left out: too many */
	int64_t left_out;	/* numbers of the row at hand that go nowhere */
};

/* Where a row stands. */
struct row_x {
	enum axis axis;
	int64_t step;		/* AXIS_STEP, AXIS_ORDINAL, AXIS_EVAL_STEP */
	double real;		/* AXIS_EPOCH, AXIS_TIME */
	double wall_s;		/* NaN: none */
	double epoch;		/* NaN: none; kept beside a step */
	bool derived;		/* x was computed */
};

void slots_release(struct slots *s);

/* Number of the slot of NAME, made when new; SIZE_MAX when there are too many. */
size_t slots_find(struct slots *s, const char *name, size_t n);

void slots_begin_row(struct slots *s);
void slots_put(struct slots *s, const char *name, size_t n, double value);
/* SLOT may be SIZE_MAX: the number is left out. */
void slots_put_number(struct slots *s, size_t slot, double value);
/* The name stands in the row without a number: an earlier value is void. */
void slots_put_absent(struct slots *s, const char *name, size_t n);
size_t slots_count(const struct slots *s);	/* names with a number in this row */
/* Appends the numbers of the row to their series, and counts those that have none. */
void slots_emit(struct slots *s, struct curve_sink *sink, const struct row_x *x);
/* Counts one number that has none, and says why. */
void slots_leave_out(struct slots *s, struct curve_sink *sink);

/* The series of a slot on an axis, made when needed. */
struct series *slots_series(struct slots *s, struct curve_sink *sink, size_t slot, enum axis axis);

#endif
