/*
 * compare - a run beside another one, or several beside the reference: the command of
 * that name, and what of it the screen needs; the comparison itself is
 * workspace/comparison.h.
 */
#ifndef PORTSIDE_COMMAND_COMPARE_H
#define PORTSIDE_COMMAND_COMPARE_H

#include "command/operation.h"
#include "curve/export.h"
#include "workspace/comparison.h"
#include "workspace/comparison_words.h"

/* The options of a call as a request; texts are borrowed. */
int compare_request(struct comparison_request *out, const struct call *c) ATTR_MUST_USE;

/* The runs of `--with` and the attempt, as rows: each beside the reference, and beside
 * the one before it. */
int compare_several(struct call *c) ATTR_MUST_USE;

/* The comparison of C as something that can be written; borrows from C. */
void run_comparison_export(struct export_comparison *out, const struct run_comparison *c);

/* Why smoke runs are compared that nobody asked for: "A has no full run"; NULL: they are
 * none, or were asked for. */
const char *run_comparison_kind_note(const struct run_comparison *c);

/* Nothing stands in the way of a judgement, and the points are inside: exit 0. */
bool run_comparison_is_yes(const struct run_comparison *c);

/* Its form by the end of PATH: .csv, .json, .svg or .txt.  An existing file that
 * portside did not write is not overwritten: ERR_EXISTS. */
int run_comparison_write(const struct run_comparison *c, const char *path) ATTR_MUST_USE;
/* Likewise of E, which is run_comparison_export() of C with further runs, say. */
int run_comparison_write_as(const struct run_comparison *c, const struct export_comparison *e,
	const char *path) ATTR_MUST_USE;
/* `--as csv` or svg of E, else text with ROWS rows (0: all). */
void run_comparison_add_as(struct buf *out, const struct run_comparison *c,
	const struct export_comparison *e, const char *format, size_t rows);

/* All sentences, by what a reader asks, each with its label; lines of so many
 * COLUMNS where words allow it. */
enum { COMPARE_TEXT_COLUMNS = 80 };
void run_comparison_add_text(struct buf *out, const struct run_comparison *c, size_t columns);

/* The sentences of a comparison beyond export_statement(): who brought a run, the
 * reference's own spread where no assessment tells it, the next step.  The I-th, empty
 * where there is nothing to say; false beyond the last. */
bool run_comparison_statement(struct buf *out, const struct run_comparison *c, size_t i);

#endif
