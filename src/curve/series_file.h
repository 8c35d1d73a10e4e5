/*
 * series_file - what was read from one curve file, kept in a form that is mapped.
 *
 * A folder of such files is a cache: each may be deleted at any time.  A file is
 * written under another name and renamed, never changed afterwards, and found by
 * the digest of all that decides its contents (run_cache.h).  One that is damaged,
 * of another version or of another byte order reads as missing: every byte is
 * covered by a checksum that is verified before anything is believed.
 *
 * The columns of what is read lie in the map of the file and are copied when they
 * change; a pyramid over the values lies beside them.
 *
 *	{magic, version, byte order, key, place of the table} columns table
 *
 *	struct series_file f;
 *
 *	if (series_file_read(&f, folder, &key))
 *		... use f.series ...
 *	else
 *		... read the curve, series_file_write(folder, &key, &f) ...
 *	series_file_release(&f);
 */
#ifndef PORTSIDE_CURVE_SERIES_FILE_H
#define PORTSIDE_CURVE_SERIES_FILE_H

#include "base/hash.h"
#include "curve/reader.h"
#include "curve/series.h"

#define SERIES_FILES_BYTES_MAX (INT64_C(2) << 30)	/* of one folder */

struct series_file {
	struct run_series *series;	/* segments have file 0 */
	struct health health;
	double first_wall_s;		/* NaN: none */
	int64_t offset;			/* of the curve file, after the last complete record */
	struct curve_notes notes;
	struct settings settings;
};

/* False when there is none for KEY that verifies; F is then empty. */
bool series_file_read(struct series_file *f, const char *folder, const struct digest *key);

/* Makes the folder.  False when it cannot be written, or when the disk would be nearly
 * full after it: then nothing is left behind. */
bool series_file_write(const char *folder, const struct digest *key, const struct series_file *f);

/* It was of use just now: others go first when room is needed. */
void series_file_touch(const char *folder, const struct digest *key);

/* Removes what was not of use for the longest time until LIMIT bytes are left, and what
 * writers that were killed left behind. */
void series_file_prune(const char *folder, int64_t limit);

void series_file_release(struct series_file *f);

#endif
