/*
 * chip_memory - can a training fit into the memory of a chip? A lower bound, no more.
 *
 * What is certain is added up: parameters, gradients and states of the optimizer, each
 * at the size of its type, spread over all chips as if nothing were kept twice.
 * Activations, copies, buffers of the compiler and what one chip needs alone are not
 * known and count as nothing.  So "cannot fit" is said only when even that is too much,
 * and "fits" never is.
 *
 *	need = chip_memory_bound(&(struct chip_memory_need){
 *		.parameters = 7000000000, .parameter_bytes = 2, .states = 2, .state_bytes = 2,
 *		.trains = true, .chips = 4 });
 *
 * Chips and their memory stand in data/chips.tsv, with the source of each; GB of a data
 * sheet are taken as GiB, which errs to the side of fitting.
 */
#ifndef PORTSIDE_DOMAIN_CHIP_MEMORY_H
#define PORTSIDE_DOMAIN_CHIP_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"

struct chip {
	const char *name, *source;
	int64_t memory_bytes;
};

struct chips {
	struct arena arena;
	struct chip *rows;
	size_t n;
};

/* TEXT is a table of tabs with a head: chip, memory_gib, source.  ERR_PARSE names FILE
 * and the line.  OUT is yours, also after an error. */
int chips_read(struct chips *out, const char *file, const char *text, size_t n) ATTR_MUST_USE;
void chips_release(struct chips *c);
const struct chip *chips_find(const struct chips *c, const char *name);	/* NULL */

struct chip_memory_need {
	int64_t parameters;
	int64_t parameter_bytes;	/* of one */
	int64_t states;			/* numbers that an optimizer keeps of each */
	int64_t state_bytes;
	bool trains;			/* gradients are there, at the size of parameters */
	int64_t chips;			/* 1 or more */
};

/* Bytes that each chip needs at least; -1 when they are no number that could be. */
int64_t chip_memory_bound(const struct chip_memory_need *need);

/* How many numbers an optimizer keeps for a parameter at least: "adamw" 2, "sgd" 0,
 * "momentum" 1; -1: not known. */
int64_t chip_memory_states(const char *optimizer);

#endif
