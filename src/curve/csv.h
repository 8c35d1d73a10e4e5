/*
 * csv - tables of comma or tab separated values with a header (RFC 4180).
 *
 * Made for Lightning's metrics.csv: sparse rows, an empty cell is absent, not
 * 0; "step" is x, "epoch" an axis and no series.  Without a step column the row
 * number is x, with a warning.  A rewritten header is noticed by the follower,
 * which starts over.
 */
#ifndef PORTSIDE_CURVE_CSV_H
#define PORTSIDE_CURVE_CSV_H

#include "curve/reader.h"

extern const struct curve_format csv_format;

#endif
