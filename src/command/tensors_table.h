/*
 * tensors_table - two sets of tensors that were compared, as rows and sentences.
 *
 * A row a tensor: the pairs in their order, then what stands on one side alone.
 * People see those that are not confirmed; with ALL, and for programs, every one.
 *
 *	c->table = tensors_table(c->arena, &(struct tensors_view){ .pairs = p, ... });
 */
#ifndef PORTSIDE_COMMAND_TENSORS_TABLE_H
#define PORTSIDE_COMMAND_TENSORS_TABLE_H

#include "evidence/tensor_pairs.h"
#include "report/table.h"

struct tensors_view {
	const struct tensor_set *reference, *attempt, *third;	/* THIRD may be NULL */
	const struct tensor_pairs *pairs;			/* concluded */
	const struct tensor_map *maps;
	size_t n_maps;
	bool all;
};

/* In A, and copied: the view may go. */
struct report_table *tensors_table(struct arena *a, const struct tensors_view *v);

#endif
