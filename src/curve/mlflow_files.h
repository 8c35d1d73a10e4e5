/*
 * mlflow_files - a run that MLflow keeps as a folder.
 *
 * Known by a file meta.yaml beside a folder metrics/.  A metric is a file below
 * metrics/, its path the name, its lines "timestamp_ms value step"; without a step
 * every point is at step 0, and a note says so; what follows the step is passed
 * over.  Params become settings, tags too, as "tags.mlflow.runName".  A run that was
 * deleted in MLflow is not read unless it is named.
 */
#ifndef PORTSIDE_CURVE_MLFLOW_FILES_H
#define PORTSIDE_CURVE_MLFLOW_FILES_H

#include "curve/reader.h"

extern const struct curve_format mlflow_files_format;

/* One line of a metric; false when it is none.  Without a step *HAS_STEP is false; a time
 * of 0 is none, and *WALL_S is then NAN. */
bool mlflow_line_read(const char *p, size_t n, double *wall_s, double *value, int64_t *step,
	bool *has_step);

#endif
