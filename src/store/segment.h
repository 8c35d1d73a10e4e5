/*
 * segment - up to 500 events of one replica as one immutable text: one event's
 * canonical bytes per line, named by the SHA-256 of the whole.
 *
 * Names are content hashes, so the union of two sets has no conflict.  A bundle
 * holds each as the section seg/ab/SHA256.jsonl.
 *
 *	int64_t last;
 *	if (segment_export(log, 0, &a, &segments, &n, &last) < 0)
 *		...
 *	for (i = 0; i < n; i++)
 *		put(segment_path(&a, segments[i].name), segments[i].bytes, segments[i].n);
 */
#ifndef PORTSIDE_STORE_SEGMENT_H
#define PORTSIDE_STORE_SEGMENT_H

#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "base/mem.h"
#include "store/log.h"

enum {
	SEGMENT_EVENTS_MAX = 500,
	SEGMENT_BYTES_MAX = SEGMENT_EVENTS_MAX * (EVENT_BODY_MAX + 1),
};

struct event_segment {
	char name[DIGEST_HEX + 1];	/* SHA-256 of BYTES */
	const char *bytes;
	size_t n;
	const struct event_bytes *lines;	/* point into BYTES */
	size_t n_lines;
};

/*
 * The events that arrived after arrival number AFTER (0: all) as segments, each
 * of one replica in rising seq, in A.  *LAST is where the next call starts.
 */
int segment_export(struct log *log, int64_t after, struct arena *a, struct event_segment **out,
		   size_t *n, int64_t *last) ATTR_MUST_USE;

/*
 * Reads BYTES that claim to be the segment NAME (64 hex digits) into A: the hash,
 * the sizes, every line canonical, one replica, rising seq.  ERR_PARSE says
 * which line.  The chain is checked by log_insert_foreign().
 */
int segment_parse(struct event_segment *out, struct arena *a, const char *name, const char *bytes,
		  size_t n) ATTR_MUST_USE;

/* "seg/ab/<name>.jsonl" in A. */
char *segment_path(struct arena *a, const char *name);

/* Inserts the events of N segments as one batch; see log_insert_foreign(). */
int segment_import(struct log *log, const struct event_segment *s, size_t n,
		   struct foreign_result *out) ATTR_MUST_USE;

#endif
