/*
 * verify_internal - what the files of verify share.  Nobody outside src/store/
 * includes it.
 */
#ifndef PORTSIDE_STORE_VERIFY_INTERNAL_H
#define PORTSIDE_STORE_VERIFY_INTERNAL_H

#include "store/log_internal.h"
#include "store/verify.h"

/* One verification in progress. */
struct verify {
	struct log *log;
	const struct verify_options *options;
	struct verify_report *report;
	struct arena *a;		/* the caller's: for findings */
	size_t cap_findings;
	int64_t total;			/* events when it began */
	struct chain_tail *tails;	/* the last event seen of each chain */
	size_t n_tails, cap_tails;
};

/* E may be NULL; else the finding is about it. */
void verify_find(struct verify *v, enum verify_code code, bool defect, const struct event *e,
		 const char *fmt, ...) ATTR_PRINTF(5, 6);

/* Each adds its findings; negative only when the check itself could not be made. */
int verify_events(struct verify *v, int64_t after) ATTR_MUST_USE;
int verify_chains(struct verify *v) ATTR_MUST_USE;
int verify_blobs(struct verify *v) ATTR_MUST_USE;
int verify_projections(struct verify *v) ATTR_MUST_USE;
int verify_anchored(struct verify *v) ATTR_MUST_USE;

#endif
