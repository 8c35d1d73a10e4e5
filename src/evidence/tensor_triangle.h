/*
 * tensor_triangle - how far reference and attempt are from a third, more precise side.
 *
 * Sums over the elements where all three are finite.  Element by element, since a
 * third side is for few tensors; the order is that of the elements.
 *
 *	struct triangle_sums sums = { 0 };
 *
 *	triangle_sums_add(&sums, &block, TENSOR_F64, third);
 *	triangle_sums_judge(&triangle, &sums, TENSOR_F32, 0);
 */
#ifndef PORTSIDE_EVIDENCE_TENSOR_TRIANGLE_H
#define PORTSIDE_EVIDENCE_TENSOR_TRIANGLE_H

#include "evidence/tensor_compare.h"

struct triangle_sums {
	uint64_t count, finite;
	long double reference, attempt;		/* squares of the distance to the third */
	long double reference_dot, attempt_dot;	/* products with the third */
	long double reference_square, attempt_square, third_square;
};

void triangle_sums_add(struct triangle_sums *s, const struct tensor_block *b,
	enum tensor_type third_type, const void *third);

/* COARSER is the coarser type of the two; ATOL is what was accepted. */
void triangle_sums_judge(struct tensor_triangle *out, const struct triangle_sums *s,
	enum tensor_type coarser, double atol);

#endif
