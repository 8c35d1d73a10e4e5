/*
 * diff_pair - rows of a side-by-side view.  Pure.
 */
#include "config.h"
#include "store/diff.h"

#include <stdlib.h>
#include <string.h>

#include "store/word_diff.h"

enum {
	/* Larger blocks face each other in order: comparing every line with
	 * every other would cost seconds. */
	COMPARED_MAX = 48 * 48,
};

/* Lines that share less do not show the same thing. */
static const double similar_from = 0.5;

struct rows {
	struct diff_row *rows;
	size_t n;
};

struct block {
	const struct diff_line *lines;
	size_t old_first, n_old, new_first, n_new;
};

static void add_row(struct rows *r, int64_t left, int64_t right)
{
	r->rows[r->n++] = (struct diff_row){ left, right };
}

/* Old lines [i, i_end) beside new lines [j, j_end), in order. */
static void zip(
	struct rows *r, const struct block *b, size_t i, size_t i_end, size_t j, size_t j_end)
{
	while (i < i_end || j < j_end) {
		int64_t left = i < i_end ? (int64_t)(b->old_first + i++) : -1;
		int64_t right = j < j_end ? (int64_t)(b->new_first + j++) : -1;

		add_row(r, left, right);
	}
}

static double similarity(const struct block *b, size_t i, size_t j)
{
	const struct diff_line *x = &b->lines[b->old_first + i], *y = &b->lines[b->new_first + j];
	double s = word_similarity(x->text, x->n, y->text, y->n);

	return s >= similar_from ? s : 0.0;
}

/* SCORE[i][j]: the best sum of similarities of old [i..) and new [j..). */
static void fill_scores(double *score, double *similar, const struct block *b)
{
	size_t width = b->n_new + 1;

	for (size_t i = b->n_old; i-- > 0;) {
		for (size_t j = b->n_new; j-- > 0;) {
			double *at = &score[i * width + j];
			double s = similarity(b, i, j),
			       best = at[width] > at[1] ? at[width] : at[1];

			similar[i * width + j] = s;
			*at = s > 0.0 && s + at[width + 1] >= best ? s + at[width + 1] : best;
		}
	}
}

/* Similar lines face each other; what lies between two such pairs is laid side
 * by side in order. */
static void pair_block(struct rows *r, const struct block *b)
{
	size_t width = b->n_new + 1, cells = (b->n_old + 1) * width, i = 0, j = 0, i0 = 0, j0 = 0;
	double *score, *similar;

	if (b->n_old == 0 || b->n_new == 0 || b->n_old * b->n_new > COMPARED_MAX) {
		zip(r, b, 0, b->n_old, 0, b->n_new);
		return;
	}
	score = xcalloc(cells, sizeof *score);
	similar = xcalloc(cells, sizeof *similar);
	fill_scores(score, similar, b);
	while (i < b->n_old && j < b->n_new) {
		double here = score[i * width + j], s = similar[i * width + j];

		if (s > 0.0 && here == s + score[(i + 1) * width + j + 1]) {
			zip(r, b, i0, i, j0, j);
			add_row(r, (int64_t)(b->old_first + i), (int64_t)(b->new_first + j));
			i0 = ++i;
			j0 = ++j;
		} else if (here == score[(i + 1) * width + j]) {
			i++;
		} else {
			j++;
		}
	}
	zip(r, b, i0, b->n_old, j0, b->n_new);
	free(score);
	free(similar);
}

struct diff_row *diff_pair(
	size_t *n_rows, struct arena *a, const struct diff_line *lines, size_t first, size_t n)
{
	struct rows r = { .rows = arena_alloc(a, (n + 1) * sizeof *r.rows) };
	size_t at = first, end = first + n;

	while (at < end) {
		struct block b = { .lines = lines, .old_first = at };

		if (lines[at].origin == ' ') {
			add_row(&r, (int64_t)at, (int64_t)at);
			at++;
			continue;
		}
		while (at < end && lines[at].origin == '-')
			at++;
		b.n_old = at - b.old_first;
		b.new_first = at;
		while (at < end && lines[at].origin == '+')
			at++;
		b.n_new = at - b.new_first;
		pair_block(&r, &b);
		if (b.n_old + b.n_new == 0)
			at++;
	}
	*n_rows = r.n;
	return r.rows;
}
