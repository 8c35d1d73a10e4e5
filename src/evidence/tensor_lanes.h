/*
 * tensor_lanes - the sums over one block of finite numbers, in four lanes.
 *
 * Each element has its lane, and lanes are added in one order, so that the sums do
 * not depend on the machine's vectors: AVX2 is used where it is there and gives the
 * same bits.  Whatever needs a division is not computed here: a flag
 * tells that some element exceeds what was the largest so far, and the caller
 * looks at the block again.
 *
 *	struct tensor_lane_limits limits = { .atol = 1e-5, .rtol = 1.3e-6 };
 *	struct tensor_lane_sums sums;
 *
 *	tensor_lanes_compare(&sums, &limits, TENSOR_F32, reference, attempt, n);
 *	if (!isfinite(sums.reference_square + sums.attempt_square))
 *		;	// an element that is not finite, or an overflow: slowly instead
 */
#ifndef PORTSIDE_EVIDENCE_TENSOR_LANES_H
#define PORTSIDE_EVIDENCE_TENSOR_LANES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "evidence/tensor_type.h"

/* Accepted, and the largest of earlier blocks. */
struct tensor_lane_limits {
	double atol, rtol;
	double absolute;	/* |d| */
	double relative;	/* |d| / |reference| */
	double share;		/* |d| / (atol + rtol |reference|) */
	double least_rtol;	/* (|d| - atol) / |reference| */
};

struct tensor_lane_sums {
	double absolute, square;	/* of d = attempt - reference */
	double reference_square, attempt_square;
	uint64_t outside;		/* |d| > atol + rtol |reference| */
	bool exceeds;			/* one of the largest of earlier blocks */
};

/* Types that can be given as they lie: F64, F32, BF16. */
bool tensor_lanes_take(enum tensor_type type);

/*
 * The same for F32 and BF16 where nothing is outside and nothing exceeds what was, which
 * is nearly always: elements are looked at in float, eight at once.  False where that is
 * not certain, then OUT means nothing and tensor_lanes_compare() is asked.
 *
 * Sums of f32 are the same bits as there.  Products of bf16 are exact in float; four at
 * a time are added there, and those sums in double, so that a sum is exact to 2e-7 of
 * itself; a share or least rtol of bf16 that exceeds the largest by less than one in
 * 2^20 is not seen.
 */
bool tensor_lanes_screen(struct tensor_lane_sums *out, const struct tensor_lane_limits *limits,
	enum tensor_type type, const void *reference, const void *attempt, size_t n);

void tensor_lanes_compare(struct tensor_lane_sums *out, const struct tensor_lane_limits *limits,
	enum tensor_type type, const void *reference, const void *attempt, size_t n);

/* The sum of squares alone, the same bits as above. */
double tensor_lanes_square(enum tensor_type type, const void *elements, size_t n);

/* Largest distance in ULP of two blocks of finite numbers of one floating type of
 * SIZE_BYTES, from their bits. */
uint64_t tensor_lanes_ulp(unsigned size_bytes, const void *a, const void *b, size_t n);

#endif
