/*
 * mlflow_database - runs that MLflow keeps in an SQLite database.
 *
 * Known by its tables "metrics" and "latest_metrics".  A row of metrics is a point:
 * key, value, timestamp (ms), run_uuid, step, is_nan; a NaN is a 0 with is_nan, an
 * infinity the largest double.  A series is in the order of timestamp and step.
 * Rows are taken as they come; when they turn out not to be in that order, all of
 * the run are read and sorted.  Params become settings, tags too, as
 * "tags.mlflow.runName".  Runs that were deleted in MLflow are hidden unless named.
 */
#ifndef PORTSIDE_CURVE_MLFLOW_DATABASE_H
#define PORTSIDE_CURVE_MLFLOW_DATABASE_H

#include "curve/reader.h"

extern const struct curve_format mlflow_database_format;

/* Whether an opened database is one of MLflow: 1, 0 or an error. */
struct foreign_database;
int mlflow_database_is(struct foreign_database *d) ATTR_MUST_USE;

#endif
