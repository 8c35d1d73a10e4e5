/*
 * tensor_pieces - two tensors tallied in pieces, by several threads where they are large.
 *
 * A piece has TENSOR_PIECE elements, at fixed places.  Each is tallied by itself and the
 * tallies are added in order, so that the result is the same bits whether one thread reads
 * all or several do.  Several do where each place can be read without those before it, there
 * is no third side, and there are at least two pieces.
 */
#ifndef PORTSIDE_EVIDENCE_TENSOR_PIECES_H
#define PORTSIDE_EVIDENCE_TENSOR_PIECES_H

#include "evidence/tensor_compare.h"
#include "evidence/tensor_triangle.h"
#include "evidence/tensor_windows.h"

enum { TENSOR_PIECE = 8 << 20 };	/* a multiple of TENSOR_BLOCK */

/* W is closed, before and after. */
int tensor_pieces_tally(struct tensor_tally *out, struct triangle_sums *triangle,
	struct tensor_windows *w, const struct tensor_rule *rule,
	const struct tensor_options *options) ATTR_MUST_USE;

#endif
