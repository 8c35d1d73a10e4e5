/*
 * tensor_tally - what two tensors differ by, block after block.
 *
 * d = attempt - reference, in double.  Sums are made within blocks of
 * TENSOR_BLOCK elements at fixed places and blocks are added in order, in long
 * double: the result depends on the values alone, not on how they were read.  A
 * block whose bytes are equal costs a comparison of bytes and one sum; one that
 * holds what is not finite, or whose squares leave the range of double, is added
 * element by element.  Sums of two sides in bf16 are exact to 2e-7 of themselves (see
 * tensor_lanes.h), and SHARE and LEAST_RTOL of them to a millionth; all others to the
 * rounding of double.
 *
 * Not in any sum: a pair of which one side is not finite.  NaN on both sides, and
 * the same infinity on both, agree; anything else is outside.
 *
 * Integers and truth values are compared exactly, whatever is accepted; their d is
 * exact until it is rounded to double.
 *
 * A pair is outside when |d| > atol + rtol |reference| and it is also further apart
 * than ULP steps of the coarser type: no tolerance is finer than the number format.
 *
 *	struct tensor_tally t = { 0 };
 *
 *	tensor_tally_block(&t, &rule, &(struct tensor_block){
 *		TENSOR_F32, TENSOR_BF16, reference, attempt, n, first });
 */
#ifndef PORTSIDE_EVIDENCE_TENSOR_TALLY_H
#define PORTSIDE_EVIDENCE_TENSOR_TALLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "evidence/tensor_type.h"

enum { TENSOR_BLOCK = 1024 };

/* What is accepted. */
struct tensor_rule {
	double atol, rtol;
	uint64_t ulp;			/* 0: no floor */
};

/* Elements in the order of the machine; FIRST is a multiple of TENSOR_BLOCK. */
struct tensor_block {
	enum tensor_type reference_type, attempt_type;
	const void *reference, *attempt;
	size_t n;			/* at most TENSOR_BLOCK */
	uint64_t first;			/* place of the first one in the tensor */
};

/* The largest of something, and where it stands for the first time. */
struct tensor_most {
	double value;
	uint64_t at;
};

struct tensor_tally {
	uint64_t count;			/* pairs */
	uint64_t finite;		/* of these, both finite: what the sums are of */
	uint64_t nan_reference, nan_attempt, nan_both;
	uint64_t infinite_reference, infinite_attempt, infinite_both;	/* both: the same one */
	uint64_t outside, first_outside;
	long double sum_absolute, sum_square, reference_square, attempt_square;
	struct tensor_most absolute;	/* |d|; of unlike infinities INFINITY */
	struct tensor_most relative;	/* |d| / |reference|, where that is not 0 */
	uint64_t ulp, ulp_at;		/* of finite pairs of floats */
	double share;			/* largest |d| / (atol + rtol |reference|) */
	double least_rtol;		/* that would pass with this atol; INFINITY: none */
	uint64_t busy_blocks;		/* that needed the longer way */
};

void tensor_tally_block(
	struct tensor_tally *t, const struct tensor_rule *rule, const struct tensor_block *b);

/* What lies behind all that T has is added to it. */
void tensor_tally_add(struct tensor_tally *t, const struct tensor_tally *behind);

/* Of the finite pairs; NaN where there are none. */
double tensor_tally_mean_absolute(const struct tensor_tally *t);
double tensor_tally_rmse(const struct tensor_tally *t);
/* 1 when both sides are all zero, NaN when one is. */
double tensor_tally_cosine(const struct tensor_tally *t);

#endif
