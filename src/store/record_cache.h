/*
 * record_cache - keyed bytes in one append-only file that may be deleted.
 *
 * The file is a row of records {magic, bytes, crc32, key, value}, numbers in
 * little endian.  Whole records are appended with one write, so that processes
 * may share it; the first record that does not verify ends the file, which is
 * then rewritten without the rest.  Keys have one length and are well mixed in
 * their first eight bytes (names of objects).
 *
 * A handle belongs to one thread and keeps the whole file in memory.
 *
 *	struct record_cache *c = record_cache_open(path, OID_BYTES, false);
 *
 *	if (!record_cache_find(&value, &n, c, oid))
 *		record_cache_keep(c, oid, fresh.s, fresh.n);
 *	record_cache_free(c);
 */
#ifndef PORTSIDE_STORE_RECORD_CACHE_H
#define PORTSIDE_STORE_RECORD_CACHE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/mem.h"

struct record_cache;

/*
 * Never fails: a PATH that cannot be used gives a cache that keeps nothing.
 * Makes the folder.  KEY_BYTES is at least eight.  With READ_ONLY what is there
 * is read, and nothing is written.
 */
struct record_cache *record_cache_open(const char *path, size_t key_bytes, bool read_only);
void record_cache_free(struct record_cache *c);		/* writes what is left; NULL is fine */
void record_cache_flush(struct record_cache *c);
size_t record_cache_count(const struct record_cache *c);

/* *VALUE is borrowed until the next record is kept. */
bool record_cache_find(
	const char **value, size_t *n, const struct record_cache *c, const void *key);

/* Written in batches.  What is too large for the file is not kept. */
void record_cache_keep(struct record_cache *c, const void *key, const void *value, size_t n);

#endif
