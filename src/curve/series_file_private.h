/*
 * series_file_private - the form of such a file, for its reader and its writer.
 *
 * Numbers are those of the machine; another byte order is another version.  Columns
 * begin at multiples of 64 bytes.  The table is a row of u64 and bytes: checksums of
 * the chunks before it, health, notes, and of each series its name, what is known of
 * it and where its columns lie.
 */
#ifndef PORTSIDE_CURVE_SERIES_FILE_PRIVATE_H
#define PORTSIDE_CURVE_SERIES_FILE_PRIVATE_H

#include "curve/series_file.h"

#define SERIES_FILE_MAGIC "PSSERIES"
#define SERIES_FILE_END ".series"

enum {
	SERIES_FILE_VERSION = 1,
	SERIES_FILE_ORDER = 0x01020304,
	SERIES_FILE_CHUNK = 4 * 1024 * 1024,	/* bytes of columns under one checksum */
	SERIES_FILE_FLOAT = 1,
	SERIES_FILE_DERIVED = 2,
	SERIES_FILE_NO_METADATA = 4,
	SERIES_FILE_ZONE_UNKNOWN = 8,
};

struct series_file_head {
	char magic[8];
	uint32_t version, order;
	struct digest key;
	uint64_t table_at, table_n;
	uint32_t table_checksum, unused;
	char fill[56];
};
_Static_assert(sizeof(struct series_file_head) == 128, "columns are aligned");

struct series_file_segment {
	uint64_t n;
	int64_t start;
	uint64_t marked;
};

/* FOLDER/KEY.series; free(). */
char *series_file_path(const char *folder, const struct digest *key);

/* Of the columns, which stand between the head and COLUMNS_END. */
static inline size_t series_file_chunks(uint64_t columns_end)
{
	uint64_t n = columns_end - sizeof(struct series_file_head);

	return (size_t)((n + SERIES_FILE_CHUNK - 1) / SERIES_FILE_CHUNK);
}

#endif
