/*
 * tensor - one named array in a file: what its header says, and where its bytes are.
 *
 * A description alone; tensor_set.h finds them in files, tensor_stream.h reads the
 * values.  What a header says has been checked against the size of its file, so
 * COUNT * size of the type is SIZE_BYTES and no product has overflowed.
 */
#ifndef PORTSIDE_EVIDENCE_TENSOR_H
#define PORTSIDE_EVIDENCE_TENSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "evidence/tensor_type.h"

enum {
	TENSOR_DIMENSIONS_MAX = 32,	/* as many as numpy knew */
};

/* How the bytes lie in the file. */
enum tensor_packing {
	TENSOR_STORED,			/* at OFFSET_BYTES, SIZE_BYTES of them */
	TENSOR_ZIPPED,			/* member of an archive, stored, with a checksum */
	TENSOR_DEFLATED,		/* member of an archive, compressed */
	TENSOR_IN_MEMORY,		/* at BYTES */
};

/* What it was to an operation, where the file tells operations apart. */
enum tensor_role { TENSOR_NO_ROLE, TENSOR_INPUT, TENSOR_OUTPUT };

struct tensor {
	const char *name;
	const char *operation;		/* "Functional.linear.3.forward"; NULL: not told */
	enum tensor_role role;
	const char *path;		/* the file */
	enum tensor_type type;		/* TENSOR_UNKNOWN: UNREAD says why */
	const char *type_name;		/* as the file writes it */
	const char *unread;		/* why values cannot be read; NULL: they can */
	const uint64_t *dimensions;
	unsigned n_dimensions;		/* 0: one number */
	uint64_t count;			/* elements */
	uint64_t size_bytes;
	bool fortran_order;		/* the first dimension varies fastest */
	bool big_endian;

	enum tensor_packing packing;
	int64_t offset_bytes;		/* of the values; of a member: of its stored bytes */
	int64_t packed_bytes;		/* of a member, as it is stored */
	uint64_t skip_bytes;		/* of a member: its own header, before the values */
	uint32_t crc;			/* of a member, all of it */
	const unsigned char *bytes;
};

bool tensor_same_shape(const struct tensor *a, const struct tensor *b);
/* Appends "(2, 3)", "(2,)", "()". */
void tensor_add_shape(struct buf *out, const struct tensor *t);

/* COUNT and SIZE_BYTES from dimensions and type; false when a product is too large. */
bool tensor_measure(struct tensor *t);

#endif
