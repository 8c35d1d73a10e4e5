/* tensor_reorder - reads an array whose first dimension is fastest as if the last were. */
#include "config.h"

#include "evidence/tensor_reorder.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "evidence/tensor_bytes.h"

enum { WINDOW_BYTES = 1 << 20 };

struct tensor_reorder {
	const struct tensor *t;
	int fd;
	void *held;
	bool too_large;			/* a slab of one place would be */
	const unsigned char *memory;	/* all values, or NULL: in the file */
	size_t size;			/* of an element */
	uint64_t first, others;		/* the first dimension; product of the others */
	unsigned n_dimensions;		/* without those of 1 */
	uint64_t dimensions[TENSOR_DIMENSIONS_MAX];
	uint64_t strides[TENSOR_DIMENSIONS_MAX];	/* of the others, last one fastest */
	uint64_t next_row, slab_rows;
	unsigned char *slab;
	uint64_t slab_bytes, slab_at;	/* filled; given of it */
	unsigned char *window;		/* of the file */
	uint64_t window_at, window_n;
};

static void measure(struct tensor_reorder *r, const struct tensor *t)
{
	uint64_t stride = 1;

	for (unsigned i = 0; i < t->n_dimensions; i++)
		if (t->dimensions[i] != 1)
			r->dimensions[r->n_dimensions++] = t->dimensions[i];
	r->size = tensor_type_facts(t->type)->size_bytes;
	r->first = r->n_dimensions ? r->dimensions[0] : 1;
	r->others = t->count / r->first;
	for (unsigned i = r->n_dimensions; i-- > 1; stride *= r->dimensions[i])
		r->strides[i] = stride;
}

struct tensor_reorder *tensor_reorder_new(const struct tensor *t, int fd, void *held)
{
	struct tensor_reorder *r = xcalloc(1, sizeof *r);
	uint64_t row_bytes;

	r->t = t;
	r->fd = fd;
	r->held = held;
	r->memory = held ? held : t->bytes;
	measure(r, t);
	row_bytes = r->others * r->size;
	if (row_bytes > TENSOR_ROW_MAX) {
		r->too_large = true;
		return r;
	}
	r->slab_rows = row_bytes < TENSOR_SLAB_BYTES ? TENSOR_SLAB_BYTES / row_bytes : 1;
	if (r->slab_rows > r->first)
		r->slab_rows = r->first;
	r->slab = xmalloc(r->slab_rows * row_bytes);
	if (!r->memory)
		r->window = xmalloc(WINDOW_BYTES);
	return r;
}

void tensor_reorder_free(struct tensor_reorder *r)
{
	if (!r)
		return;
	free(r->held);
	free(r->slab);
	free(r->window);
	free(r);
}

/* Fills the window from AT on: far, where the next run is in it too. */
static int fill_window(struct tensor_reorder *r, uint64_t at, uint64_t least)
{
	uint64_t stride = r->first * r->size, n = least;

	if (stride < WINDOW_BYTES / 4)
		n = WINDOW_BYTES;
	if (n > r->t->size_bytes - at)
		n = r->t->size_bytes - at;
	r->window_at = at;
	r->window_n = n;
	return tensor_bytes_at(
		r->fd, r->window, n, r->t->offset_bytes + (int64_t)at, r->t->path);
}

/* At most WINDOW_BYTES from AT; NULL is an error. */
static const unsigned char *bytes_at(struct tensor_reorder *r, uint64_t at, uint64_t n)
{
	if (r->memory)
		return r->memory + at;
	if ((at < r->window_at || at + n > r->window_at + r->window_n) &&
		fill_window(r, at, n) < 0) {
		r->window_n = 0;
		return NULL;
	}
	return r->window + (at - r->window_at);
}

/* ROWS elements that follow each other in the file; each goes to a row of its own. */
static int copy_run(struct tensor_reorder *r, uint64_t at, uint64_t rows, uint64_t place)
{
	uint64_t most = WINDOW_BYTES / r->size, row_bytes = r->others * r->size;

	for (uint64_t done = 0; done < rows;) {
		uint64_t n = rows - done < most ? rows - done : most;
		const unsigned char *p = bytes_at(r, at + done * r->size, n * r->size);
		unsigned char *to = r->slab + done * row_bytes + place * r->size;

		if (!p)
			return err_code();
		for (uint64_t i = 0; i < n; i++, p += r->size, to += row_bytes)
			memcpy(to, p, r->size);
		done += n;
	}
	return 0;
}

/* The next place in the others as they lie in the file, and its place in a row. */
static void step(const struct tensor_reorder *r, uint64_t *index, uint64_t *place)
{
	for (unsigned i = 1; i < r->n_dimensions; i++) {
		*place += r->strides[i];
		if (++index[i] < r->dimensions[i])
			return;
		*place -= r->strides[i] * index[i];
		index[i] = 0;
	}
}

static int fill_slab(struct tensor_reorder *r)
{
	uint64_t index[TENSOR_DIMENSIONS_MAX] = { 0 }, place = 0, rows = r->slab_rows;

	if (rows > r->first - r->next_row)
		rows = r->first - r->next_row;
	for (uint64_t i = 0; i < r->others; i++) {
		uint64_t at = (i * r->first + r->next_row) * r->size;

		if (copy_run(r, at, rows, place) < 0)
			return err_code();
		step(r, index, &place);
	}
	r->next_row += rows;
	r->slab_bytes = rows * r->others * r->size;
	r->slab_at = 0;
	return 0;
}

int tensor_reorder_read(struct tensor_reorder *r, void *p, size_t n)
{
	if (r->too_large)
		return err_set(ERR_STATE,
			"%s: too large to be turned into the other order of dimensions; write both sides in one order",
			r->t->path);
	while (n) {
		uint64_t left = r->slab_bytes - r->slab_at, part = left < n ? left : n;

		if (!left) {
			int rc = fill_slab(r);

			if (rc < 0)
				return rc;
			continue;
		}
		memcpy(p, r->slab + r->slab_at, part);
		p = (char *)p + part;
		r->slab_at += part;
		n -= part;
	}
	return 0;
}
