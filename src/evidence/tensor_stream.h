/*
 * tensor_stream - the values of one tensor from first to last, in constant memory.
 *
 * Gives exactly the bytes of the values, in the machine's order of bytes, and in the
 * file's order of dimensions or, on request, with the last one fastest.  The latter
 * reads a file of the other order in slabs of its first dimension; a compressed
 * member is held in memory for it, up to TENSOR_REORDER_MAX.
 *
 * A file that ends early, a compressed member that is damaged or longer than it
 * should be, and a wrong checksum are errors: at the latest of tensor_stream_end().
 *
 *	struct tensor_stream *s;
 *
 *	if (tensor_stream_open(&s, tensor, false) < 0)
 *		return err_code();
 *	while (rc == 0 && left)
 *		rc = tensor_stream_read(s, window, n);
 *	if (rc == 0)
 *		rc = tensor_stream_end(s);
 *	tensor_stream_free(s);
 */
#ifndef PORTSIDE_EVIDENCE_TENSOR_STREAM_H
#define PORTSIDE_EVIDENCE_TENSOR_STREAM_H

#include "base/mem.h"
#include "evidence/tensor.h"

enum { TENSOR_REORDER_MAX = 256 << 20 };	/* bytes of a member that is held */

struct tensor_stream;

/* T is borrowed.  OUT is yours: tensor_stream_free().  ERR_NOT_FOUND, ERR_IO, ERR_PARSE;
 * ERR_STATE when its values cannot be read (t->unread). */
int tensor_stream_open(struct tensor_stream **out, const struct tensor *t,
	bool last_dimension_fastest) ATTR_MUST_USE;
/* Opened so, T can be read from any element on; */
bool tensor_stream_seeks(const struct tensor *t, bool last_dimension_fastest);
/* and this is the way: the first N bytes, whole elements, are left out.  Once, before reading. */
void tensor_stream_seek(struct tensor_stream *s, uint64_t n);
/* The next N bytes, whole elements; more than are left is a bug. */
int tensor_stream_read(struct tensor_stream *s, void *p, size_t n) ATTR_MUST_USE;
/* All has been read: was it what the file promised? */
int tensor_stream_end(struct tensor_stream *s) ATTR_MUST_USE;
void tensor_stream_free(struct tensor_stream *s);	/* NULL is fine */

/* For readers of headers inside members: bytes as they are, no values yet. */
int tensor_stream_open_raw(struct tensor_stream **out, const struct tensor *t) ATTR_MUST_USE;

#endif
