/*
 * log_internal - what the files of the log share: the handle, and the steps that
 * run inside a write transaction.  Nobody outside src/store/ includes it.
 */
#ifndef PORTSIDE_STORE_LOG_INTERNAL_H
#define PORTSIDE_STORE_LOG_INTERNAL_H

#include "store/database.h"
#include "store/log.h"
#include "store/projection.h"
#include "store/version_text.h"

struct log {
	struct database db;
	char *folder;			/* absolute, without links */
	char *warning;			/* NULL: none */
	const struct projector *projector;
	struct version_coder *coder;
	char replica[EVENT_REPLICA_HEX + 1];
	unsigned char replica_raw[EVENT_REPLICA_HEX / 2];
	struct digest binding;		/* of the file to this machine; see replica.h */
	bool own_projections;		/* read-only: the views are in memory */
};

enum { LOG_MODE_FOLDER = 0700 };
/* So many versions in a row are kept as differences; then a whole one. */
enum { PROJECTION_CHAIN_MAX = 64 };

/* log_open() for another name than log.db. */
int log_open_file(struct log **out, const char *folder, const char *name,
		  const struct log_options *o) ATTR_MUST_USE;

/* ERR_REFUSED with a sentence for a read-only handle. */
int log_require_writable(const struct log *log) ATTR_MUST_USE;

/* 1 a new row, 0 known already. */
int log_insert_event(struct log *log, const struct event *e) ATTR_MUST_USE;

/* The columns that log_read_event() wants, in its order. */
#define EVENT_COLUMNS "event.id, event.body"
/* Copies the current row of ST into A.  ERR_DAMAGED when it does not verify. */
int log_read_event(struct log *log, struct sqlite3_stmt *st, struct arena *a,
		   struct event **out) ATTR_MUST_USE;

/* The four bindings I.. of a position (lamport, replica, seq, id) point into P. */
void bind_position(struct sqlite3_stmt *st, int i, const struct position *p);

/* Reads the four columns I.. of a position. */
bool column_position(struct sqlite3_stmt *st, int i, struct position *out);

/* What the views in use (role 1) or being built (role 2) hold. */
struct projection_stamp {
	int64_t gen;			/* 0: there is none */
	int64_t fold_version;
	/* role 1: all events up to this arrival number; role 2: how many */
	int64_t row;
	struct position last;		/* the last one folded */
	struct digest digest;		/* of the ids so far, in order: SHA-256(digest || id) */
};

/*
 * Inside a write transaction, after inserts: folds the events that the views
 * lack when all of them sort last and they are few; else leaves the views stale.
 * NEW are N events that were inserted just now, in order; NULL: read them.
 */
int projection_extend(struct log *log, struct event *const *new, size_t n) ATTR_MUST_USE;
/* Folds N events, which follow the stamp's last one, and moves the stamp. */
int projection_fold(struct log *log, struct event *const *events, size_t n,
		    struct projection_stamp *stamp) ATTR_MUST_USE;
/* From here on the views of this handle are in memory, shadowing the file's, and
 * empty until projection_rebuild(). */
int projection_leave_file(struct log *log) ATTR_MUST_USE;

enum { STAMP_IN_USE = 1, STAMP_BUILDING = 2 };

int projection_read_stamp(struct log *log, int role, struct projection_stamp *out) ATTR_MUST_USE;
struct digest projection_digest(const struct digest *before, const struct digest *id);

/* Inside a write transaction: a text and its new salted digest. */
int blob_insert_new(
	struct log *log, const void *bytes, size_t n, struct digest *digest) ATTR_MUST_USE;
/* Inside a write transaction: 1 new, 0 known.  BYTES NULL: withheld. */
int blob_insert_row(struct log *log, const struct digest *digest, const void *salt, size_t salt_n,
		    const void *bytes, size_t n) ATTR_MUST_USE;
struct digest blob_digest(const void *salt, size_t salt_n, const void *bytes, size_t n);

/*
 * Inside a write transaction: appends as log_append_many() does, without the
 * transaction around it.
 */
int log_append_inside(struct log *log, const struct event_draft *d, size_t n, struct arena *a,
		      struct event **out) ATTR_MUST_USE;

#endif
