/*
 * reader_pieces - one large file, read in pieces by several threads.
 *
 * For formats whose records can be found from any place (seek, join of
 * curve_format).  Every piece is read with a state of its own; pieces are joined
 * in the order of the file, and one that is not what reading on would have given
 * (a record that was no record, a tag that means something else) is read again
 * from the state at hand.  So points, segments, counters and offsets are those of
 * one reader from front to back, to the bit, whatever the borders.
 *
 * Points are handed to the owner of the file a piece at a time.
 */
#ifndef PORTSIDE_CURVE_READER_PIECES_H
#define PORTSIDE_CURVE_READER_PIECES_H

#include "curve/reader.h"

enum {
	PIECE_BYTES = 1024 * 1024,	/* what it becomes stays in the cache of a core */
	PIECES_LEAST = 32,		/* a shorter rest is not worth a thread */
	PIECES_A_CALL = 64,
};

/* The rest of F is long enough, and of a format that allows it. */
bool reader_pieces_pay(const struct curve_file *f);

/* As advance() of the format, from F's offset on; what was read was taken.  How many bytes
 * were looked at for it at most goes to *BUDGET. */
int64_t reader_pieces_advance(struct curve_file *f, int64_t *budget);

#endif
