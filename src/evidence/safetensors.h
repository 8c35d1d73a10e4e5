/*
 * safetensors - the header of a .safetensors file.
 *
 * Eight bytes of length (little-endian), a JSON object of that length, the values:
 *
 *	{"__metadata__": {"format": "pt"},
 *	 "wte.weight": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}}
 *
 * Offsets count from the end of the header.  As the format demands, ranges may not
 * overlap, leave no hole and end with the file; each is as long as its shape and
 * type say.  Nothing of the file is believed before that has been checked.  A type
 * that is not known costs its tensor alone.
 *
 * Tensors are in the order of their offsets, which is no order of execution.
 */
#ifndef PORTSIDE_EVIDENCE_SAFETENSORS_H
#define PORTSIDE_EVIDENCE_SAFETENSORS_H

#include "base/mem.h"
#include "evidence/tensor.h"

enum { SAFETENSORS_HEADER_MAX = 16 << 20 };	/* bytes; the largest seen are a tenth of it */

/* Do these first bytes of a file, N of SIZE, begin a safetensors file? */
bool safetensors_recognise(const char *p, size_t n, int64_t size);

/*
 * The N bytes HEADER (JSON without its length) of a file whose values take
 * DATA_BYTES from DATA_AT on.  Rows are in A, which also holds all that they name.
 * PATH is borrowed and stands in the sentence of ERR_PARSE.
 */
int safetensors_parse(struct tensor **out, size_t *n_out, struct arena *a, const char *path,
	const char *header, size_t n, int64_t data_at, int64_t data_bytes) ATTR_MUST_USE;

/* Opens PATH and reads its header.  ERR_NOT_FOUND, ERR_IO, ERR_PARSE. */
int safetensors_read(struct tensor **out, size_t *n_out, struct arena *a,
	const char *path) ATTR_MUST_USE;

#endif
