/*
 * run_root - a path that was added to a run, and which files there hold curves.
 *
 * Below a folder a file is looked into when its name may be that of a curve, a store
 * when its folder looks like one; hidden files and what links to folders lead to are
 * passed over.  A file that a user named is taken, or listed as left with the reason,
 * whatever it is called.  What is found is added to the files of the run: those that
 * are there already stay as they are, and one that was left is looked at again once
 * it has changed.  An older part of a log that was followed is taken too.
 *
 * For run_files, which keeps the roots, orders the files and reads them.
 *
 *	if (run_root_scan(run, "out/") < 0)
 *		return err_code();
 */
#ifndef PORTSIDE_CURVE_RUN_ROOT_H
#define PORTSIDE_CURVE_RUN_ROOT_H

#include "curve/run_files.h"

/*
 * Adds to R what is at ROOT, a file or a folder, and is not among its files yet.
 * ERR_NOT_FOUND when nothing is there; ERR_IO when the folder cannot be read.
 */
int run_root_scan(struct run_files *r, const char *root) ATTR_MUST_USE;

/* Text in a folder is a log only under such a name: "train.log", "stdout-0". */
bool run_root_is_log_name(const char *basename);

#endif
