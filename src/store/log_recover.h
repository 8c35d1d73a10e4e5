/*
 * log_recover - what to do when log_open() says ERR_DAMAGED: the damaged file is
 * set aside and all that verifies is kept.
 *
 * log.db, log.db-journal and log.db-wal move together to
 * log.db.damaged-TIME*; every event that still reads and whose id is its hash,
 * and every blob that matches its digest, goes into a new database.  The damaged
 * file is never changed and never deleted.
 *
 * The new database has a new replica id: what this clone wrote since the last
 * sync may be lost, and continuing the old chain would fork it.
 */
#ifndef PORTSIDE_STORE_LOG_RECOVER_H
#define PORTSIDE_STORE_LOG_RECOVER_H

#include <stdint.h>

#include "base/mem.h"

struct recover_report {
	int64_t events_kept;
	int64_t events_lost;	/* read but not valid, or known from gaps; at least */
	int64_t unlinked;	/* kept although their predecessor is lost */
	int64_t blobs_kept, blobs_lost;
	const char *set_aside;	/* path of the damaged file */
	const char *text;	/* all of this as a sentence, and what to do */
};

/* Texts in A.  ERR_BUSY when another process has the log open for writing. */
int log_recover(const char *folder, struct arena *a, struct recover_report *out) ATTR_MUST_USE;

#endif
