/* tensor - one named array in a file: what its header says, and where its bytes are. */
#include "config.h"

#include "evidence/tensor.h"

#include <inttypes.h>
#include <string.h>

bool tensor_same_shape(const struct tensor *a, const struct tensor *b)
{
	return a->n_dimensions == b->n_dimensions &&
		(!a->n_dimensions ||
			memcmp(a->dimensions, b->dimensions,
				a->n_dimensions * sizeof *a->dimensions) == 0);
}

void tensor_add_shape(struct buf *out, const struct tensor *t)
{
	buf_addc(out, '(');
	for (unsigned i = 0; i < t->n_dimensions; i++)
		buf_addf(out, "%s%" PRIu64, i ? ", " : "", t->dimensions[i]);
	buf_adds(out, t->n_dimensions == 1 ? ",)" : ")");
}

/* A zero among the dimensions makes no other product harmless: (0, 2^63, 2^63) is
 * refused, since a reader of slices multiplies the others alone. */
bool tensor_measure(struct tensor *t)
{
	uint64_t others = 1, size = tensor_type_facts(t->type)->size_bytes;
	bool empty = false;

	for (unsigned i = 0; i < t->n_dimensions; i++) {
		if (t->dimensions[i] == 0)
			empty = true;
		else if (__builtin_mul_overflow(others, t->dimensions[i], &others))
			return false;
	}
	if (others > INT64_MAX / (size ? size : 1))
		return false;
	t->count = empty ? 0 : others;
	t->size_bytes = t->count * size;
	return true;
}
