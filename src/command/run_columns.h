/*
 * run_columns - runs as records of curve/run_table.h: what the log says of each, and
 * what their curves say once these are read.
 *
 * The same records feed `runs --column` and view 3.  Reading goes run by run, so
 * that whoever shows them can show what is there already:
 *
 *	run_records_make(&records, &rows, &arena);
 *	for (size_t i = 0; i < rows.n; i++)
 *		if (run_record_read(&records[i], ws, columns, n, NULL, &arena) < 0)
 *			return -1;
 */
#ifndef PORTSIDE_COMMAND_RUN_COLUMNS_H
#define PORTSIDE_COMMAND_RUN_COLUMNS_H

#include <stdatomic.h>

#include "command/run_rows.h"
#include "curve/run_table.h"

struct workspace;

/* One record a row, in their order; curves are "being read", except of a run that had
 * not ended at the moment that is looked at: these are absent.  In A, texts borrowed. */
bool run_is_to_be_read(const struct run_rows *rows, const struct run_row *row);
void run_records_make(struct run_record **out, const struct run_rows *rows, struct arena *a);

/* Its curves, for COLUMNS; in A.  *MISSING: why there are none, "" when there are. */
int run_record_read(struct run_record *r, const char **missing, struct workspace *ws,
	const struct run_column *columns, size_t n_columns, const atomic_bool *cancel,
	struct arena *a) ATTR_MUST_USE;

/* "no run has a series "los"; nearest: loss, eval_loss": what COLUMNS name and no run has,
 * a sentence each, parted by "; also "; nothing while some run is still being read. */
void run_columns_add_strangers(struct buf *out, const struct run_column *columns, size_t n,
	const struct run_record *records, size_t n_records);

/* "eval_accuracy pp": the head of a column.  In A. */
const char *run_column_head(struct arena *a, const struct run_column *c);

/* Every run has one, known or not: where it is absent, nobody knows it. */
bool run_column_is_of_every_run(const struct run_column *c);

/* What people see of a cell: "0.4123", "3m05s", "$0.31", "reading", "-"; what
 * nobody knows of a run that must have it is "?". */
void run_cell_add(struct buf *out, const struct run_column *column, const struct run_cell *c);

#endif
