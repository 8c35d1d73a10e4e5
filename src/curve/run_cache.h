/*
 * run_cache - what was read from the large files of ended runs, kept for next time.
 *
 * One series_file.h a curve file, under the digest of all that decides what is read
 * from it: device, inode, size, times of change, its first and last bytes, the
 * format, the options, and which program reads.  So nothing has to be invalidated,
 * and a cache never outlives the program that wrote it.
 *
 * Files of formats that tell more than points (describe() of the format) are read each
 * time.
 *
 * A file that is restored is not read at all; when it changes after that, it is
 * read from its beginning.  Nothing here fails: without a cache it takes longer.
 */
#ifndef PORTSIDE_CURVE_RUN_CACHE_H
#define PORTSIDE_CURVE_RUN_CACHE_H

#include "curve/run_files.h"

enum { RUN_CACHE_FILE_BYTES = 4 * 1024 * 1024 };	/* a smaller file is read as fast */

/* The points of file I, not yet read, into its sink; false when there are none. */
bool run_cache_restore(struct run_files *r, size_t i);

/* Some file was read to its end and could be kept. */
bool run_cache_is_due(const struct run_files *r);
void run_cache_keep(struct run_files *r);

#endif
