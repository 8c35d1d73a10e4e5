/*
 * run_summary - what a table says of the curves of one run: every series in short,
 * and what its sources say it was configured with.
 *
 * Reading the curves of hundreds of runs takes long, what is said of them is little:
 * it is kept in cache/summaries/RUN under a digest of the run's files (names, sizes,
 * times of change), of the patterns in force and of this build of the program, so a
 * file that was made of others reads as missing.  Nothing is kept while one of the
 * files cannot be read.  A run that
 * lives is read each time.  Columns that need points (SERIES @X) are answered from
 * the points, which are let go of again.
 *
 *	struct run_summary s;
 *
 *	if (run_summary_read(&s, ws, run->id, columns, n, NULL, &arena) < 0)
 *		return -1;
 *	record.series = s.series;
 */
#ifndef PORTSIDE_WORKSPACE_RUN_SUMMARY_H
#define PORTSIDE_WORKSPACE_RUN_SUMMARY_H

#include <stdatomic.h>

#include "curve/run_table.h"
#include "workspace/workspace.h"

struct run_summary {
	struct series_summary *series;
	size_t n_series;
	struct settings config;		/* in the arena: not to be released */
	struct run_at *at;		/* one for each of the columns with @X */
	size_t n_at;
	const char *missing;		/* why there are no curves, a sentence; "" */
};

/*
 * Everything in A.  A run whose files are not on this machine, or cannot be read,
 * has no series and says why in MISSING.  ERR_CANCELLED.
 */
int run_summary_read(struct run_summary *out, struct workspace *ws, const char *run,
	const struct run_column *columns, size_t n_columns, const atomic_bool *cancel,
	struct arena *a) ATTR_MUST_USE;

#endif
