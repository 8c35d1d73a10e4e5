/*
 * run_predictions - the per-example predictions that a run left or that were
 * imported for it; see curve/predictions.h.
 *
 * They lie among the run's artifacts, recognised by what they hold.  A run may
 * have several files (one an evaluation set): two runs are compared file by
 * file, and files belong together by their names below the artifacts, or when
 * each run has a single one.
 *
 *	char **paths;
 *	size_t n;
 *
 *	if (run_predictions_paths(&paths, &n, ws, "ps-abc...", arena) < 0)
 *		return err_code();
 */
#ifndef PORTSIDE_WORKSPACE_RUN_PREDICTIONS_H
#define PORTSIDE_WORKSPACE_RUN_PREDICTIONS_H

#include "curve/predictions.h"
#include "workspace/workspace.h"

/*
 * The files of RUN that hold predictions, in A, in the order of their names; *N is
 * 0 for a run that has none.  ERR_NOT_FOUND when the run's files are not on this
 * machine.
 */
int run_predictions_paths(char ***out, size_t *n, struct workspace *ws, const char *run,
	struct arena *a) ATTR_MUST_USE;

/* A file of both runs, by its name: joined, or why not. */
struct run_predictions {
	const char *name;		/* below the artifacts of the reference; sanitise */
	struct predictions_pair pair;
	const char *missing;		/* why there is no pair; NULL: there is one */
	/* who brought the file to a run that is there; "": the run, or its import, had it */
	const char *reference_by, *attempt_by;
	bool same_bytes;		/* one file stands on both sides */
};

/*
 * What two runs answered, file by file, in A.  *N is 0 when neither run has
 * predictions.  A file that cannot be read, or that one run alone has, is a row
 * that says so.
 */
int run_predictions_compare(struct run_predictions **out, size_t *n, struct workspace *ws,
	const char *reference_run, const char *attempt_run, struct arena *a,
	const atomic_bool *cancel) ATTR_MUST_USE;

#endif
