/*
 * tensor_windows - the same places of up to three tensors at once, window after window.
 *
 *	struct tensor_windows w = { .tensors = { reference, attempt, NULL }, .bytes = 128 << 10 };
 *
 *	rc = tensor_windows_open(&w, 0);
 *	while (rc == 0 && ...)
 *		rc = tensor_windows_fill(&w, n);	// elements: tensor_windows_at(&w, side, i)
 *	tensor_windows_release(&w);
 */
#ifndef PORTSIDE_EVIDENCE_TENSOR_WINDOWS_H
#define PORTSIDE_EVIDENCE_TENSOR_WINDOWS_H

#include "base/mem.h"
#include "evidence/tensor.h"
#include "evidence/tensor_stream.h"

enum { TENSOR_SIDES = 3 };		/* reference, attempt, third */

struct tensor_windows {
	const struct tensor *tensors[TENSOR_SIDES];	/* borrowed; NULL: no such side */
	size_t bytes;			/* wanted, of the widest side */
	bool turned;			/* all with the last dimension fastest */
	/* while it is open */
	struct tensor_stream *streams[TENSOR_SIDES];
	unsigned char *window[TENSOR_SIDES];
	size_t elements;		/* a window holds; a multiple of TENSOR_BLOCK */
};

/* Every place of each side can be read without those before it. */
bool tensor_windows_seek(const struct tensor_windows *w);

/* From element FIRST on, which is 0 where tensor_windows_seek() is false.  Release W also when
 * that fails. */
int tensor_windows_open(struct tensor_windows *w, uint64_t first) ATTR_MUST_USE;
/* The next N elements of each side. */
int tensor_windows_fill(struct tensor_windows *w, size_t n) ATTR_MUST_USE;
/* All was read: is it what the files promised? */
int tensor_windows_end(struct tensor_windows *w) ATTR_MUST_USE;
void tensor_windows_release(struct tensor_windows *w);

/* Element I of the window of SIDE. */
void *tensor_windows_at(const struct tensor_windows *w, int side, size_t i);

#endif
