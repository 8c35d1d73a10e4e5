/*
 * npz - an archive of arrays: a zip file whose members are .npy files.
 *
 * Only the list of members is read here, and the header of each array; values are
 * streamed (tensor_stream.h), stored or deflated, and the checksum of a member is
 * compared when its last byte has been read.  Zip64 is read.  Refused: encryption,
 * other compressions, several disks, two members of one name, members that overlap
 * each other or the list, and a member whose own header contradicts the list.  A
 * member is never believed to be longer than what its array needs, so that a small
 * file that unpacks to a huge one is an error after that many bytes.
 *
 * A member's name is a name and never a path.  What is no .npy costs itself alone.
 */
#ifndef PORTSIDE_EVIDENCE_NPZ_H
#define PORTSIDE_EVIDENCE_NPZ_H

#include "base/mem.h"
#include "evidence/tensor.h"

enum {
	NPZ_LIST_MAX = 64 << 20,	/* bytes of the list of members */
};

bool npz_recognise(const char *p, size_t n);

/* The arrays of PATH in the order of the list.  Rows and names are in A. */
int npz_read(struct tensor **out, size_t *n_out, struct arena *a, const char *path) ATTR_MUST_USE;

#endif
