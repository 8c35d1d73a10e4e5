/*
 * blob - free text beside the log, salted, so that a secret can be removed
 * without breaking the chain.
 *
 * An event holds digest = SHA-256(salt || bytes) in hex.  The bytes are here, or
 * withheld (removed on purpose, together with the salt, so that nobody can guess
 * a short secret against the digest), or not here at all (a share without them).
 * The digest in the event stays in all three cases.
 *
 * Appending puts blobs by itself (struct event_blob of store/log.h).
 */
#ifndef PORTSIDE_STORE_BLOB_H
#define PORTSIDE_STORE_BLOB_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/hash.h"
#include "store/log.h"

enum { BLOB_SALT_BYTES = 16, BLOB_SALT_MAX = 64, BLOB_MAX = 16 * 1024 * 1024 };

enum blob_state { BLOB_PRESENT, BLOB_WITHHELD, BLOB_ABSENT };

/*
 * Appends the bytes to OUT (may be NULL) and says whether they are here; only
 * BLOB_PRESENT appends.  ERR_DAMAGED when they no longer match the digest.
 */
int log_blob(struct log *log, const struct digest *digest, enum blob_state *state,
	     struct buf *out) ATTR_MUST_USE;
/* The same for the hex digest of an event's field; ERR_PARSE for other text. */
int log_blob_hex(struct log *log, const char *hex, enum blob_state *state,
		 struct buf *out) ATTR_MUST_USE;

/* Stores text under a new salt.  A caller names *DIGEST in an event at once. */
int blob_put(struct log *log, const void *bytes, size_t n, struct digest *digest) ATTR_MUST_USE;

/* Removes bytes and salt for good; known or not, the digest is withheld from
 * here on and a later import cannot bring it back.  Copies of the whole file
 * (log.db.before-N, log.db.damaged-TIME, backups) still hold it: say so. */
int blob_withhold(struct log *log, const struct digest *digest) ATTR_MUST_USE;

/* The same inside a log_next_fn. */
int blob_withhold_next(struct log *log, const struct digest *digest) ATTR_MUST_USE;

/* A blob as bundles and sync carry it.  BYTES NULL: withheld. */
struct blob_record {
	struct digest digest;
	const unsigned char *salt;
	size_t salt_n;
	const char *bytes;
	size_t n;
};

/* All blobs whose digest is greater than AFTER (NULL: from the first), at most
 * LIMIT, by digest, in A. */
int blob_records(struct log *log, const struct digest *after, size_t limit, struct arena *a,
		 struct blob_record **out, size_t *n) ATTR_MUST_USE;

/* Takes N blobs from elsewhere in one transaction; one whose digest does not
 * match rejects all (ERR_PARSE).  What is here or withheld here stays so. */
int blob_insert_foreign(struct log *log, const struct blob_record *r, size_t n) ATTR_MUST_USE;

#endif
