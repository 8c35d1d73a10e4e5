/* run_table_group - runs with an equal key, and what their columns come to; see
 * run_table.h. */
#include "config.h"

#include "curve/run_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Has one of the first N rows the text of CELL too? */
static bool is_known(const struct run_cell *cell, const size_t *rows, size_t n,
	const struct run_record *records, const struct run_column *c)
{
	for (size_t i = 0; i < n; i++) {
		struct run_cell other;

		run_cell_of(&other, c, &records[rows[i]]);
		if (other.type == RUN_CELL_TEXT && strcmp(other.text, cell->text) == 0)
			return true;
	}
	return false;
}

static void sum_up(struct run_statistic *out, const size_t *rows, size_t n,
	const struct run_record *records, const struct run_column *c)
{
	double sum = 0, squares = 0;

	*out = (struct run_statistic){ .mean = NAN, .min = NAN, .max = NAN, .sd = NAN };
	for (size_t i = 0; i < n; i++) {
		struct run_cell cell;

		run_cell_of(&cell, c, &records[rows[i]]);
		if (cell.type == RUN_CELL_TEXT && !is_known(&cell, rows, i, records, c)) {
			out->n_texts++;
			out->text = cell.text;
		}
		if (cell.type != RUN_CELL_NUMBER || !isfinite(cell.number))
			continue;
		out->n++;
		sum += cell.number;
		if (!(out->min <= cell.number))
			out->min = cell.number;
		if (!(out->max >= cell.number))
			out->max = cell.number;
	}
	if (out->n_texts > 1)
		out->text = NULL;
	if (!out->n)
		return;
	out->mean = sum / (double)out->n;
	for (size_t i = 0; i < n; i++) {
		struct run_cell cell;

		run_cell_of(&cell, c, &records[rows[i]]);
		if (cell.type == RUN_CELL_NUMBER && isfinite(cell.number))
			squares += (cell.number - out->mean) * (cell.number - out->mean);
	}
	if (out->n > 1)
		out->sd = sqrt(squares / (double)(out->n - 1));
}

void run_table_group(struct run_group **out, size_t *n, struct arena *a, const size_t *rows,
	size_t n_rows, const struct run_record *records, const struct run_column *key,
	const struct run_column *columns, size_t n_columns)
{
	struct run_sort by_key = { .column = *key };
	size_t *order = arena_memdup(a, rows, n_rows * sizeof *rows), end;

	run_table_sort(order, n_rows, records, &by_key, 1);
	*out = arena_alloc(a, (n_rows + 1) * sizeof **out);
	*n = 0;
	for (size_t i = 0; i < n_rows; i = end) {
		struct run_group *g = &(*out)[(*n)++];
		struct run_cell other;

		run_cell_of(&g->key, key, &records[order[i]]);
		for (end = i + 1; end < n_rows; end++) {
			run_cell_of(&other, key, &records[order[end]]);
			if (run_cell_compare(&g->key, &other, false) != 0)
				break;
		}
		g->n = end - i;
		g->columns = arena_alloc(a, (n_columns + 1) * sizeof *g->columns);
		for (size_t c = 0; c < n_columns; c++)
			sum_up(&g->columns[c], order + i, g->n, records, &columns[c]);
	}
}
