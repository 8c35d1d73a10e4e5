/*
 * npy - the header of a .npy file, or of one array in an .npz archive.
 *
 * "\x93NUMPY", version, length, and a Python literal, padded with blanks:
 *
 *	{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }
 *
 * Versions 1 to 3 are read.  The literal is parsed by hand: these three keys, each
 * once, and nothing else.  What holds Python objects, structures, text, dates or
 * complex numbers is refused with a sentence; so are raw bytes ('<V2'), which is how
 * bfloat16 is written by those who have no name for it: what they mean is not told,
 * and it is not guessed.
 */
#ifndef PORTSIDE_EVIDENCE_NPY_H
#define PORTSIDE_EVIDENCE_NPY_H

#include "base/mem.h"
#include "evidence/tensor.h"

enum {
	NPY_PREFIX_BYTES = 12,		/* what is needed to know the length of the header */
	NPY_HEADER_MAX = 64 << 10,	/* bytes of the whole header; numpy stops at 10,000 */
};

bool npy_recognise(const char *p, size_t n);

/* Bytes of the whole header, from its first N >= NPY_PREFIX_BYTES; ERR_PARSE. */
int npy_header_bytes(size_t *out, const char *p, size_t n, const char *path) ATTR_MUST_USE;

/*
 * Type, shape and order of T from the N bytes of the whole header.  Lists are in A.
 * What is refused for its type alone sets T->unread and is no error.
 */
int npy_parse(struct tensor *t, struct arena *a, const char *p, size_t n,
	const char *path) ATTR_MUST_USE;

/* The file PATH as one tensor, without a name. */
int npy_read(struct tensor *out, struct arena *a, const char *path) ATTR_MUST_USE;

#endif
