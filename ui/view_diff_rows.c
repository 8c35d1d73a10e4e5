/* view_diff_rows - see view_diff_rows.h. */
#include "config.h"

#include "ui/view_diff_rows.h"

#include <stdlib.h>

const struct diff_file *diff_view_file(const struct diff_view *d)
{
	const struct change_lines *l = diff_view_lines(d);

	if (l)
		return l->file;
	return d->change && d->shown >= 0 ? &d->change->files.files[d->shown] : NULL;
}

const struct change_lines *diff_view_lines(const struct diff_view *d)
{
	return d->change && d->shown >= 0 ? d->lines[d->shown] : NULL;
}

static void add_row(struct diff_view *d, size_t *cap, enum diff_row_kind kind, int64_t a, int64_t b)
{
	ARRAY_GROW(d->rows, (size_t)d->n_rows, *cap);
	d->rows[d->n_rows++] = (struct diff_view_row){ kind, a, b };
}

static void add_hunk(struct diff_view *d, size_t *cap, const struct change_lines *l, size_t h)
{
	const struct diff_hunk *hunk = &l->file->hunks[h];

	add_row(d, cap, DIFF_ROW_HUNK, (int64_t)h, -1);
	if (d->side_by_side)
		for (size_t i = l->hunk_rows[h]; i < l->hunk_rows[h + 1]; i++)
			add_row(d, cap, DIFF_ROW_LINES, l->rows[i].left, l->rows[i].right);
	else
		for (size_t i = hunk->first; i < hunk->first + hunk->n; i++)
			add_row(d, cap, DIFF_ROW_LINES, (int64_t)i, -1);
}

void diff_rows_build(struct diff_view *d)
{
	const struct change_lines *l = diff_view_lines(d);
	size_t cap = 0;

	free(d->rows);
	d->rows = NULL;
	d->n_rows = 0;
	if (!l)
		return;
	for (size_t i = 0; i < l->n_notes; i++)
		add_row(d, &cap, DIFF_ROW_NOTE, (int64_t)i, -1);
	for (size_t h = 0; h < l->file->n_hunks; h++)
		add_hunk(d, &cap, l, h);
}

int64_t diff_rows_line(const struct diff_view *d, long i)
{
	const struct diff_view_row *row;

	if (i < 0 || i >= d->n_rows)
		return -1;
	row = &d->rows[i];
	if (row->kind == DIFF_ROW_HUNK) {
		const struct diff_hunk *h = &diff_view_lines(d)->file->hunks[row->a];

		return h->n ? (int64_t)h->first : -1;
	}
	if (row->kind != DIFF_ROW_LINES)
		return -1;
	return row->b >= 0 ? row->b : row->a;
}

long diff_rows_of_line(const struct diff_view *d, int64_t line)
{
	for (long i = 0; i < d->n_rows; i++)
		if (d->rows[i].kind == DIFF_ROW_LINES &&
			(d->rows[i].a == line || d->rows[i].b == line))
			return i;
	return 0;
}

long diff_rows_next_hunk(const struct diff_view *d, long from, int direction)
{
	for (long i = from + direction; i >= 0 && i < d->n_rows; i += direction)
		if (d->rows[i].kind == DIFF_ROW_HUNK)
			return i;
	return -1;
}

long diff_rows_near(const struct diff_view *d, int32_t number, bool *exact)
{
	const struct change_lines *l = diff_view_lines(d);
	long best = 0;
	int32_t distance = INT32_MAX;

	*exact = false;
	for (long i = 0; i < d->n_rows; i++) {
		int64_t line = d->rows[i].kind == DIFF_ROW_LINES ? diff_rows_line(d, i) : -1;
		int32_t at = line >= 0 ? l->file->lines[line].new_line : 0;
		int32_t away = at > number ? at - number : number - at;

		if (!at || away >= distance)
			continue;
		distance = away;
		best = i;
	}
	*exact = distance == 0;
	return best;
}
