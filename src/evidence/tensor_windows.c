/* tensor_windows - the same places of up to three tensors at once. */
#include "config.h"

#include "evidence/tensor_windows.h"

#include <stdlib.h>

#include "evidence/tensor_tally.h"

static size_t size_of(const struct tensor *t)
{
	return tensor_type_facts(t->type)->size_bytes;
}

/* Blocks that fit, of the widest type. */
static size_t window_elements(const struct tensor_windows *w)
{
	size_t widest = 1, n;

	for (int i = 0; i < TENSOR_SIDES; i++)
		if (w->tensors[i] && size_of(w->tensors[i]) > widest)
			widest = size_of(w->tensors[i]);
	n = w->bytes / widest / TENSOR_BLOCK;
	return (n ? n : 1) * TENSOR_BLOCK;
}

bool tensor_windows_seek(const struct tensor_windows *w)
{
	for (int i = 0; i < TENSOR_SIDES; i++)
		if (w->tensors[i] && !tensor_stream_seeks(w->tensors[i], w->turned))
			return false;
	return true;
}

int tensor_windows_open(struct tensor_windows *w, uint64_t first)
{
	int rc = 0;

	w->elements = window_elements(w);
	for (int i = 0; rc == 0 && i < TENSOR_SIDES; i++) {
		if (!w->tensors[i])
			continue;
		w->window[i] = xmalloc(w->elements * size_of(w->tensors[i]));
		rc = tensor_stream_open(&w->streams[i], w->tensors[i], w->turned);
		if (rc == 0 && first)
			tensor_stream_seek(w->streams[i], first * size_of(w->tensors[i]));
	}
	return rc;
}

int tensor_windows_fill(struct tensor_windows *w, size_t n)
{
	int rc = 0;

	for (int i = 0; rc == 0 && i < TENSOR_SIDES; i++)
		if (w->streams[i])
			rc = tensor_stream_read(
				w->streams[i], w->window[i], n * size_of(w->tensors[i]));
	return rc;
}

int tensor_windows_end(struct tensor_windows *w)
{
	int rc = 0;

	for (int i = 0; rc == 0 && i < TENSOR_SIDES; i++)
		if (w->streams[i])
			rc = tensor_stream_end(w->streams[i]);
	return rc;
}

void tensor_windows_release(struct tensor_windows *w)
{
	for (int i = 0; i < TENSOR_SIDES; i++) {
		tensor_stream_free(w->streams[i]);
		free(w->window[i]);
		w->streams[i] = NULL;
		w->window[i] = NULL;
	}
}

void *tensor_windows_at(const struct tensor_windows *w, int side, size_t i)
{
	return w->window[side] + i * size_of(w->tensors[side]);
}
