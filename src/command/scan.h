/*
 * scan - CUDA constructs that are still in an attempt's tree, beside those that
 * the original had, for front ends.
 */
#ifndef PORTSIDE_COMMAND_SCAN_H
#define PORTSIDE_COMMAND_SCAN_H

#include "workspace/scan.h"

struct constructs_left {
	struct arena arena;
	struct tree_scan tip;
	struct tree_scan original;
	bool has_original;
};

/* ORIGINAL may be "".  OUT is yours: constructs_release(), also after an error. */
int constructs_read(struct constructs_left *out, struct workspace *ws, const char *tip,
	const char *original, const struct scan_options *o) ATTR_MUST_USE;
void constructs_release(struct constructs_left *c);

/* "3/9": what is left of the CUDA constructs of PATH, and how many the original
 * had there; "" when neither has any. */
void constructs_add_count(
	struct buf *out, const struct constructs_left *c, const char *path, const char *old_path);

/* "12 CUDA constructs left in 3 files (the original: 20 in 5), 4 hints". */
void constructs_add_summary(struct buf *out, const struct constructs_left *c);

#endif
