/* tensor_pieces - two tensors tallied in pieces, by several threads where they are large. */
#include "config.h"

#include "evidence/tensor_pieces.h"

#include <stdlib.h>

#include "base/err.h"
#include "curve/parallel.h"

struct piece {
	struct tensor_tally tally;
	int rc;
	char *why;		/* the sentence of RC, which belongs to the thread that met it */
};

struct pieces {
	const struct tensor_windows *w;
	const struct tensor_rule *rule;
	const atomic_bool *cancel;
	struct piece slots[PARALLEL_SLOTS_MAX];
};

static uint64_t piece_end(const struct tensor_windows *w, uint64_t first)
{
	uint64_t left = w->tensors[0]->count - first;

	return first + (left < TENSOR_PIECE ? left : TENSOR_PIECE);
}

static void add_window(struct tensor_tally *out, struct triangle_sums *triangle,
	const struct tensor_windows *w, const struct tensor_rule *rule, uint64_t first, size_t n)
{
	for (size_t i = 0; i < n; i += TENSOR_BLOCK) {
		struct tensor_block b = {
			.reference_type = w->tensors[0]->type,
			.attempt_type = w->tensors[1]->type,
			.reference = tensor_windows_at(w, 0, i),
			.attempt = tensor_windows_at(w, 1, i),
			.n = n - i < TENSOR_BLOCK ? n - i : TENSOR_BLOCK,
			.first = first + i,
		};

		tensor_tally_block(out, rule, &b);
		if (w->tensors[2])
			triangle_sums_add(
				triangle, &b, w->tensors[2]->type, tensor_windows_at(w, 2, i));
	}
}

/* The elements from AT up to END, which come next. */
static int tally_piece(struct tensor_tally *out, struct triangle_sums *triangle,
	struct tensor_windows *w, const struct tensor_rule *rule, uint64_t at, uint64_t end,
	const atomic_bool *cancel)
{
	int rc;

	while (at < end) {
		size_t n = end - at < w->elements ? (size_t)(end - at) : w->elements;

		if (cancel && atomic_load(cancel))
			return err_set(ERR_CANCELLED, "comparing tensors was cancelled");
		if ((rc = tensor_windows_fill(w, n)) < 0)
			return rc;
		add_window(out, triangle, w, rule, at, n);
		at += n;
	}
	return 0;
}

static int tally_in_order(struct tensor_tally *out, struct triangle_sums *triangle,
	struct tensor_windows *w, const struct tensor_rule *rule, const atomic_bool *cancel)
{
	int rc = tensor_windows_open(w, 0);

	for (uint64_t at = 0; rc == 0 && at < w->tensors[0]->count; at = piece_end(w, at)) {
		struct tensor_tally tally = { 0 };

		rc = tally_piece(&tally, triangle, w, rule, at, piece_end(w, at), cancel);
		tensor_tally_add(out, &tally);
	}
	if (rc == 0)
		rc = tensor_windows_end(w);
	tensor_windows_release(w);
	return rc;
}

static void work(void *user, size_t i, size_t slot)
{
	struct pieces *p = user;
	struct piece *piece = &p->slots[slot];
	struct tensor_windows w = *p->w;
	uint64_t first = (uint64_t)i * TENSOR_PIECE;

	piece->tally = (struct tensor_tally){ 0 };
	piece->rc = tensor_windows_open(&w, first);
	if (piece->rc == 0)
		piece->rc = tally_piece(&piece->tally, NULL, &w, p->rule, first,
			piece_end(&w, first), p->cancel);
	tensor_windows_release(&w);
	if (piece->rc < 0 && !piece->why)
		piece->why = xstrdup(err_text());
}

static int tally_by_threads(struct tensor_tally *out, const struct tensor_windows *w,
	const struct tensor_rule *rule, const atomic_bool *cancel, int threads)
{
	struct pieces p = { .w = w, .rule = rule, .cancel = cancel };
	struct parallel_job job = { work, &p };
	uint64_t n = (w->tensors[0]->count + TENSOR_PIECE - 1) / TENSOR_PIECE;
	struct parallel *all = parallel_new(&job, (size_t)n, threads);
	size_t i;
	int rc = 0;

	while (rc == 0 && parallel_next(all, &i)) {
		const struct piece *piece = &p.slots[parallel_slot(all, i)];

		rc = piece->rc < 0 ? err_set((enum err)piece->rc, "%s", piece->why) : 0;
		tensor_tally_add(out, &piece->tally);
	}
	parallel_free(all);
	for (size_t k = 0; k < PARALLEL_SLOTS_MAX; k++)
		free(p.slots[k].why);
	return rc;
}

int tensor_pieces_tally(struct tensor_tally *out, struct triangle_sums *triangle,
	struct tensor_windows *w, const struct tensor_rule *rule,
	const struct tensor_options *options)
{
	int threads = options->threads > 0 ? options->threads : parallel_threads(0);

	if (threads > 1 && w->tensors[0]->count > TENSOR_PIECE && !w->tensors[2] &&
		tensor_windows_seek(w))
		return tally_by_threads(out, w, rule, options->cancel, threads);
	return tally_in_order(out, triangle, w, rule, options->cancel);
}
