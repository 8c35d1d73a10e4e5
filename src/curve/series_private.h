/*
 * series_private - what the files of series share; nobody else includes it.
 */
#ifndef PORTSIDE_CURVE_SERIES_PRIVATE_H
#define PORTSIDE_CURVE_SERIES_PRIVATE_H

#include "curve/series.h"

/* With its columns, or its part in a map. */
void series_free(struct series *s);

#endif
