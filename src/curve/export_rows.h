/*
 * export_rows - the rows of a comparison of several runs with one reference.
 *
 * A row for each x at which any run is paired with the reference, in the order of x.
 * Cell 0 of a row is of A, cell 1 + i of further run i: the number of the pair in that
 * run's own alignment, or SIZE_MAX where it has none there.  Two pairs of one run at one
 * x (a restart, all segments) are two rows.
 *
 *	struct export_rows rows;
 *
 *	export_rows_init(&rows, e);
 *	for (size_t i = 0; i < rows.n; i++)
 *		pair = export_rows_cells(&rows, i)[0];
 *	export_rows_release(&rows);
 */
#ifndef PORTSIDE_CURVE_EXPORT_ROWS_H
#define PORTSIDE_CURVE_EXPORT_ROWS_H

#include "curve/export.h"

struct export_rows {
	size_t n, columns;
	size_t *cells;		/* N rows of COLUMNS each */
};

void export_rows_init(struct export_rows *out, const struct export_comparison *e);
void export_rows_release(struct export_rows *rows);

const size_t *export_rows_cells(const struct export_rows *rows, size_t row);

/* The run of cell I, NULL when it was not paired with the reference at all. */
const struct comparison *export_rows_run(const struct export_comparison *e, size_t i);

#endif
