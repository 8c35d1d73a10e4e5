/*
 * tensor_compare - one tensor of the attempt beside that of the reference.
 *
 * Both are read in windows, so a pair of any size takes constant memory.  The word
 * is one of five: confirmed only where at least one pair of numbers was compared
 * and all are inside; refuted where one is outside, or shape or kind of number are
 * others; unknown where what was there could not be judged; not checked where a
 * side is missing or cannot be read at all; not applicable is never given here.
 *
 * With a third side of higher precision (the same computation in, say, float64) a
 * tensor that is outside is judged again: the attempt may be K times as far from it
 * as the reference is, and a tenth of atol more (the rule of torch/_dynamo/utils.py):
 *
 *	RMSE(attempt, third) <= k RMSE(reference, third) + atol / 10
 *
 * with k = 2 for f32 and f64, 3 for coarser types and for less than 1000 elements.
 *
 *	struct tensor_result result;
 *
 *	rc = tensor_compare(&result, reference, attempt, NULL, &options);
 */
#ifndef PORTSIDE_EVIDENCE_TENSOR_COMPARE_H
#define PORTSIDE_EVIDENCE_TENSOR_COMPARE_H

#include <stdatomic.h>

#include "base/mem.h"
#include "evidence/tensor.h"
#include "evidence/tensor_tally.h"

enum tensor_verdict {
	TENSOR_NOT_CHECKED,
	TENSOR_CONFIRMED,
	TENSOR_REFUTED,
	TENSOR_NOT_KNOWN,
	TENSOR_NOT_APPLICABLE,
};

const char *tensor_verdict_name(enum tensor_verdict v);	/* "not checked", "confirmed", ... */

enum { TENSOR_WINDOW_BYTES = 128 << 10 };	/* a side; two fit into a cache of 512 KiB */

struct tensor_options {
	bool has_atol, has_rtol;	/* else those of the coarser type */
	double atol, rtol;
	uint64_t ulp;			/* floor of every tolerance, in steps; 0: none */
	size_t window_bytes;		/* 0: TENSOR_WINDOW_BYTES; no result depends on it */
	int threads;			/* 0: as many as are useful; neither on this */
	const atomic_bool *cancel;	/* may be NULL */
};

/* How far both are from a third side. */
struct tensor_triangle {
	bool judged;			/* the figures are there */
	const char *why_not;		/* the third side could not be used; NULL */
	double reference_rmse, attempt_rmse, ratio;	/* NaN: both are 0 */
	double reference_cosine, attempt_cosine;
	double k, allowance;		/* tolerance / 10 */
	bool passes;
};

struct tensor_result {
	enum tensor_verdict verdict;
	char why[256];			/* a sentence without its full stop; "" where all is said */
	bool compared;			/* TALLY holds what follows from the values */
	enum tensor_type coarser;
	struct tensor_rule rule;	/* what was accepted, and what the type's source says */
	const char *rule_source;
	bool exact;			/* integers: nothing else was accepted */
	bool fortran_places;		/* places in the tally count the first dimension fastest */
	struct tensor_tally tally;
	struct tensor_triangle triangle;
};

/*
 * THIRD may be NULL.  What is wrong with a file is part of the result; ERR_CANCELLED
 * alone is returned.
 */
int tensor_compare(struct tensor_result *out, const struct tensor *reference,
	const struct tensor *attempt, const struct tensor *third,
	const struct tensor_options *options) ATTR_MUST_USE;

/* Appends "[3, 17]": place AT of T as numbers of its dimensions; "[]" of one number. */
void tensor_add_place(struct buf *out, const struct tensor *t, uint64_t at, bool fortran);

#endif
