/*
 * wandb - the .wandb files of W&B: records in chunks, in blocks, each verified.
 *
 * A file begins with ":W&B", 0xBEE1 and the version 0; anything else is refused
 * with the offset of the first of them that is wrong.  A record is one chunk, or one cut into
 * pieces at the borders of blocks (wandb_chunk.h).  Every checksum is verified.
 * After damage the reader goes on with the first good chunk, so that one flipped
 * bit costs at most one record; a record whose pieces are not all there is dropped
 * and its pieces are counted.  What is not complete at the end is pending.
 *
 * The content of a record is read by wandb_record.
 */
#ifndef PORTSIDE_CURVE_WANDB_H
#define PORTSIDE_CURVE_WANDB_H

#include "curve/reader.h"
#include "curve/wandb_facts.h"

extern const struct curve_format wandb_format;

/* ERR_PARSE with a sentence when the name or the first bytes say .wandb and the
 * header is no such header, as far as HEAD[0..N) goes; else 0. */
int wandb_check_head(const char *path, const char *head, size_t n) ATTR_MUST_USE;

/* What a file of this format says of its run; borrowed. */
const struct wandb_facts *wandb_facts_of(const struct curve_file *f);

/* Rows of the history that the short way has read, of the state of a file: for tests. */
uint64_t wandb_rows_by_bytes(const void *state);

#endif
