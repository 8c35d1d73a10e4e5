/*
 * dvclive - a run that DVCLive keeps as a folder.
 *
 * Known by a file below plots/metrics/ that ends in .tsv.  Each is a metric, its
 * path the name: a header "[timestamp] step NAME", then rows, parted by tabs.  Rows
 * are read from the right, since a timestamp may be switched on later without a new
 * header.  params.yaml becomes settings.  metrics.json holds last values: those of
 * metrics that have no rows become settings, as "last.NAME".
 */
#ifndef PORTSIDE_CURVE_DVCLIVE_H
#define PORTSIDE_CURVE_DVCLIVE_H

#include "curve/reader.h"

extern const struct curve_format dvclive_format;

/* One row, from the right: value, step, timestamp; false when it is none. */
bool dvclive_row_read(const char *p, size_t n, int64_t *step, double *wall_s, double *value,
	bool *is_number);

#endif
