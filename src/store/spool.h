/*
 * spool - events from hooks and other processes that must never wait for the
 * database, as one file each in FOLDER/spool.
 *
 * The writer makes the file durable under its final name, so that a reader
 * never sees half of one.  The reader takes them in the order they were named
 * in, as claims of an agent or a tool: an actor class or kind that is not
 * allowed, and content that is not a draft or cannot be opened, go to
 * spool/rejected with a .reason file beside; none holds up the files behind it.  The same
 * bytes are taken once, however often they arrive.
 *
 * A file is one JSON object; "texts" become salted blobs, d[KEY]:
 *
 *	{"actor":"agent:claude","kind":"attempt.claimed","object":"attempt/3",
 *	 "data":{"level":"L3"},"texts":{"text":"It works."}}
 */
#ifndef PORTSIDE_STORE_SPOOL_H
#define PORTSIDE_STORE_SPOOL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/mem.h"
#include "store/log.h"

enum { SPOOL_FILE_MAX = 1024 * 1024 };

/* Writes D durably; blobs of D become texts.  Needs no log and no lock; makes
 * FOLDER/spool when missing. */
int spool_write(const char *folder, const struct event_draft *d) ATTR_MUST_USE;

struct spool_result {
	size_t taken;
	size_t known;		/* the same bytes were taken before */
	size_t rejected;
	const char *reason;	/* of one rejected file, in the arena; NULL: none */
};

/*
 * Appends what lies in the spool of LOG's folder and removes it.  ALLOWED is
 * asked for each draft: NULL permits, else the reason of the refusal
 * (borrowed).  It may put other data and texts in the place of those in D, which
 * live until spool_ingest() returns.  Actors other than agent: and tool: are refused before that.
 */
typedef const char *spool_allowed_fn(void *user, struct event_draft *d);
int spool_ingest(struct log *log, spool_allowed_fn *allowed, void *user, struct arena *a,
		 struct spool_result *out) ATTR_MUST_USE;

/* Files that wait; 0 also when there is no spool.  Cheap: for a poll. */
size_t spool_waiting(const char *folder);

#endif
