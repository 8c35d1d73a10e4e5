/*
 * tensor_reorder - reads an array whose first dimension is fastest as if the last were.
 *
 * A slab of neighbours along the first dimension is a run of bytes for each place in
 * the others.  Slabs are as large as TENSOR_SLAB_BYTES allow (one place of the first
 * dimension at least), the runs of a slab are read in the order of the file, and
 * those near each other with one read.  An array whose slab of one place is larger
 * than TENSOR_ROW_MAX is ERR_STATE.  Private to tensor_stream.c.
 */
#ifndef PORTSIDE_EVIDENCE_TENSOR_REORDER_H
#define PORTSIDE_EVIDENCE_TENSOR_REORDER_H

#include "base/mem.h"
#include "evidence/tensor.h"

enum {
	TENSOR_SLAB_BYTES = 16 << 20,
	TENSOR_ROW_MAX = 256 << 20,	/* bytes of one place of the first dimension */
};

struct tensor_reorder;

/* Values are in FD from t->offset_bytes on, in HELD where that is given (taken over),
 * or at t->bytes.  T and FD are borrowed. */
struct tensor_reorder *tensor_reorder_new(const struct tensor *t, int fd, void *held);
int tensor_reorder_read(struct tensor_reorder *r, void *p, size_t n) ATTR_MUST_USE;
void tensor_reorder_free(struct tensor_reorder *r);	/* NULL is fine */

#endif
