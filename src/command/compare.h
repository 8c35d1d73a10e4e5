/*
 * compare - the command of that name, and what of it the screen needs; the
 * comparison itself is workspace/comparison.h.
 */
#ifndef PORTSIDE_COMMAND_COMPARE_H
#define PORTSIDE_COMMAND_COMPARE_H

#include "curve/export.h"
#include "workspace/comparison.h"
#include "workspace/comparison_words.h"

/* The comparison of C as something that can be written; borrows from C. */
void run_comparison_export(struct export_comparison *out, const struct run_comparison *c);

/* Its form by the end of PATH: .csv, .json, .svg or .txt.  An existing file that
 * portside did not write is not overwritten: ERR_EXISTS. */
int run_comparison_write(const struct run_comparison *c, const char *path) ATTR_MUST_USE;

/* The sentences of a comparison beyond export_statement(): who brought a run,
 * the reference's own spread, the next step.  The I-th; false beyond the last. */
bool run_comparison_statement(struct buf *out, const struct run_comparison *c, size_t i);

#endif
