/*
 * log_salvage - reads what can still be read of a damaged database.
 *
 * First through SQLite, around the damaged pages; then, when that met an error,
 * through the bytes of the file, since an event's canonical bytes lie in one
 * piece and its id lies before them.  Nothing is taken whose id is not its hash.
 *
 * Works on a copy and may change it.  Internal to src/store.
 */
#ifndef PORTSIDE_STORE_LOG_SALVAGE_H
#define PORTSIDE_STORE_LOG_SALVAGE_H

#include <stddef.h>
#include <stdint.h>

#include "base/event.h"
#include "base/mem.h"
#include "store/blob.h"

struct salvage {
	struct event **events;		/* each once, in projection order */
	size_t n, cap;
	int64_t invalid;		/* events that read but do not verify */
	struct blob_record *blobs;
	size_t n_blobs, cap_blobs;
	int64_t blobs_invalid;
	bool incomplete;		/* a part of the file did not read */
	struct arena arena;
};

int salvage_read(struct salvage *s, const char *path) ATTR_MUST_USE;
void salvage_release(struct salvage *s);

#endif
