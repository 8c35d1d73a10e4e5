/*
 * curves - a run beside the reference, for front ends: the comparison itself
 * is workspace/comparison.h, seen through this header.
 */
#ifndef PORTSIDE_COMMAND_CURVES_H
#define PORTSIDE_COMMAND_CURVES_H

#include "curve/export.h"
#include "workspace/comparison.h"

/* The comparison in the form that exports take; borrowed from C. */
void curves_export(struct export_comparison *out, const struct run_comparison *c);

#endif
