/*
 * tensor_pairs - the tensors of two sides by name, and what all of them say together.
 *
 * Names pair where they are equal.  What is left pairs where names are equal without
 * the words that wrappers put before or into them (module., _orig_mod., model.), as
 * long as both are the only ones that become this name.  A mapping OLD=NEW is applied
 * to the names of the reference first: a name that begins with OLD begins with NEW.
 *
 * Pairs are in the order of execution where a side tells it, else in that of the
 * reference's file.
 *
 * All together are confirmed only when at least one pair is, none is refuted or open,
 * no tensor stands on one side alone, and no side has a note of what was not read.
 *
 *	struct tensor_pairs *p;
 *
 *	if (tensor_pairs_new(&p, reference, attempt, NULL, maps, n_maps) < 0)
 *		return err_code();
 *	for (i = 0; i < p->n; i++)
 *		rc = tensor_compare(&p->rows[i].result, ...);
 *	tensor_pairs_conclude(p);
 */
#ifndef PORTSIDE_EVIDENCE_TENSOR_PAIRS_H
#define PORTSIDE_EVIDENCE_TENSOR_PAIRS_H

#include "evidence/tensor_compare.h"
#include "evidence/tensor_set.h"

struct tensor_map {
	const char *old, *new;
};

struct tensor_pair {
	const struct tensor *reference, *attempt, *third;	/* THIRD may be NULL */
	bool renamed;			/* their names differ by a mapping or a wrapper's word */
	struct tensor_result result;
	/* An input that differs while every output of its operation agrees: whoever reads
	 * it does not look at what differs, such as memory that was never filled. */
	bool harmless;
};

/* Where the sides part. */
enum tensor_origin {
	TENSOR_NOWHERE,			/* nothing is refuted */
	TENSOR_INTRODUCED,		/* all inputs of the operation agree, an output does not */
	TENSOR_CAME_IN,			/* an input differs that no earlier operation put out */
	TENSOR_FIRST_ONLY,		/* the first that differs; its inputs are not known */
};

struct tensor_pairs {
	struct arena arena;
	struct tensor_pair *rows;
	size_t n;
	const struct tensor **only_reference, **only_attempt;
	size_t n_only_reference, n_only_attempt;
	size_t renamed;
	bool in_execution_order;
	bool incomplete;		/* something of a side was not read: its notes */

	/* tensor_pairs_conclude() */
	size_t confirmed, refuted, open, harmless;	/* of pairs; open: unknown, not checked */
	uint64_t elements;				/* whose places stand on both sides */
	uint64_t not_finite;				/* of these, on a side or on both */
	enum tensor_verdict verdict;
	enum tensor_origin origin;
	size_t origin_row;
};

/* The sets and maps are borrowed for the life of OUT, which is yours: tensor_pairs_free(). */
int tensor_pairs_new(struct tensor_pairs **out, const struct tensor_set *reference,
	const struct tensor_set *attempt, const struct tensor_set *third,
	const struct tensor_map *maps, size_t n_maps) ATTR_MUST_USE;
void tensor_pairs_free(struct tensor_pairs *p);

/* After the results of all rows are there. */
void tensor_pairs_conclude(struct tensor_pairs *p);

/* "OLD=NEW"; ERR_USAGE.  In A. */
int tensor_map_parse(struct tensor_map *out, struct arena *a, const char *text) ATTR_MUST_USE;

#endif
