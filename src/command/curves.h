/*
 * curves - the commands compare, curves and import, and what of them the screen
 * needs; a run beside another one is workspace/comparison.h.
 */
#ifndef PORTSIDE_COMMAND_CURVES_H
#define PORTSIDE_COMMAND_CURVES_H

#include "curve/export.h"
#include "workspace/comparison.h"
#include "workspace/comparison_words.h"

/* The comparison of C as something that can be written; borrows from C. */
void curves_export(struct export_comparison *out, const struct run_comparison *c);

/* Its form by the end of PATH: .csv, .json, .svg or .txt.  An existing file that
 * portside did not write is not overwritten: ERR_EXISTS. */
int curves_write(const struct run_comparison *c, const char *path) ATTR_MUST_USE;

/* The sentences of a comparison beyond export_statement(): who brought a run,
 * the reference's own spread, the next step.  The I-th; false beyond the last. */
bool curves_statement(struct buf *out, const struct run_comparison *c, size_t i);

#endif
