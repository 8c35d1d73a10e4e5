/*
 * packed - a column of doubles in few bits, each given back to its last bit.
 *
 * For what stands beside each point and is nearly regular: wall times and
 * epochs.  Values are packed in blocks of PACKED_BLOCK.  A block is a straight
 * line and what each value differs from it, in as many bits as the largest
 * difference needs; it is made of the bits of the doubles, or of the integers
 * of a decimal fraction when all values of the block are such ("12.34",
 * milliseconds), whichever is shorter.  Points without a value (NaN) cost one
 * bit each.  Values behind the last whole block stand as they are.
 *
 * What a value takes: repeated or evenly spaced ones, 2 bits or less; wall times
 * that lie within 1000 s of their line, at most 32 bits; decimal fractions,
 * the bits of their spread.  The worst case, doubles of random bits, is 64 bits
 * and 24 bytes a block: 8.2 bytes a value.
 *
 * A value is found without reading those before it.
 *
 *	struct packed_column times = PACKED_INIT;
 *
 *	packed_append(&times, 1700000000.5);
 *	t = packed_at(&times, 0);
 *	packed_release(&times);
 */
#ifndef PORTSIDE_CURVE_PACKED_H
#define PORTSIDE_CURVE_PACKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "curve/column.h"

enum { PACKED_BLOCK = 128 };

struct packed_block {
	int64_t base, slope;		/* line: base + (slope * i >> 7) */
	uint64_t at : 48;		/* number of its first word */
	uint64_t width : 7;		/* bits of a difference, 0 to 64 */
	uint64_t form : 4;		/* 0: bits of doubles; 1 + k: units of 10^-k */
	uint64_t has_holes : 1;		/* two words in front say which values are NaN */
	uint64_t zero : 4;		/* blocks go into files: no bit is left open */
};

struct packed_column {
	bool used;		/* the column exists, even when it is empty */
	bool plain;		/* nothing is packed: for columns that live shortly */
	bool borrowed;		/* blocks and words are another's: copied before they grow */
	double *tail;		/* behind the blocks */
	size_t n_tail, cap_tail;
	struct packed_block *blocks;
	size_t n_blocks, cap_blocks;
	uint64_t *words;
	size_t n_words, cap_words;
};

#define PACKED_INIT { .used = true }

void packed_release(struct packed_column *p);
void packed_clear(struct packed_column *p);		/* to no values; room and USED stay */

/* The column begins, with N values that are NaN. */
void packed_begin(struct packed_column *p, size_t n);
void packed_append_many(struct packed_column *p, const double *values, size_t n);

/*
 * Values that were appended to another column, where they are its values from FIRST on.
 * Series of one file have mostly the same times: a block that holds just what comes next
 * here is copied and not packed again.
 */
struct packed_twin {
	const struct packed_column *column;	/* NULL: none */
	const double *values;
	size_t first, n;
};

void packed_append_many_like(struct packed_column *p, const double *values, size_t n,
	const struct packed_twin *twin);
void packed_append_nan(struct packed_column *p, size_t n);
/* Only the first N values stay. */
void packed_truncate(struct packed_column *p, size_t n);
/* N values from FIRST on; all must be there. */
void packed_read(const struct packed_column *p, size_t first, size_t n, double *out);

size_t packed_bytes(const struct packed_column *p);
/* Blocks and words that were borrowed become the column's own, or are left. */
void packed_own(struct packed_column *p);
void packed_forget(struct packed_column *p);

/* Room for one more value behind the blocks. */
void packed_make_room(struct packed_column *p);
double packed_in_block(const struct packed_column *p, size_t i);

static inline size_t packed_n(const struct packed_column *p)
{
	return p->n_blocks * PACKED_BLOCK + p->n_tail;
}

static inline void packed_append(struct packed_column *p, double v)
{
	if (p->n_tail == p->cap_tail)
		packed_make_room(p);
	p->tail[p->n_tail++] = v;
}

/* Another value for the one that was appended last. */
static inline void packed_set_last(struct packed_column *p, double v)
{
	p->tail[p->n_tail - 1] = v;
}

static inline double packed_at(const struct packed_column *p, size_t i)
{
	size_t first = p->n_blocks * PACKED_BLOCK;

	return i < first ? packed_in_block(p, i) : p->tail[i - first];
}

#endif
