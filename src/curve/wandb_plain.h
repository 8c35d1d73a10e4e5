/*
 * wandb_plain - the rows of a history that differ from an earlier one only in
 * their numbers.
 *
 * A program logs the same names again and again: such records have the same
 * bytes but for lengths and numbers.  A row is learnt from a record that the
 * general reader took (wandb_record.h), and a record that matches it is read by its
 * numbers alone, in one pass; the general reader finds the same in it, to the bit.
 * A few rows are kept, since programs log training and evaluation in turn.
 */
#ifndef PORTSIDE_CURVE_WANDB_PLAIN_H
#define PORTSIDE_CURVE_WANDB_PLAIN_H

#include <stdbool.h>
#include <stddef.h>

#include "curve/wandb_record.h"

struct wandb_plain;

struct wandb_plain *wandb_plain_new(void);
void wandb_plain_free(struct wandb_plain *all);
/* Another session begins: its first rows open segments. */
void wandb_plain_forget(struct wandb_plain *all);

/*
 * Takes the record P[0..N) when it is like a row that was learnt; bytes up to LIMIT
 * can be read.  Rows wait for others of their kind: before any other row is appended,
 * and before the sink is looked at, wandb_plain_flush() is called.
 */
bool wandb_plain_take(struct wandb_plain *all, struct wandb_reader *r, struct curve_sink *sink,
	const char *p, size_t n, const char *limit);
void wandb_plain_flush(struct wandb_plain *all, struct curve_sink *sink);
/* How many records it took. */
uint64_t wandb_plain_count(const struct wandb_plain *all);
/* The general reader took the record, a row of the history. */
void wandb_plain_learn(
	struct wandb_plain *all, struct wandb_reader *r, const char *p, size_t n);

#endif
