/*
 * log - the append-only event log of one migration: truth in one SQLite file.
 *
 * FOLDER is $GIT_COMMON_DIR/portside; the database is FOLDER/log.db.  One
 * handle is one connection and belongs to one thread at a time; any number of
 * handles, threads and processes may have the same log open.  Nothing is ever
 * edited: an event is added or it is not.  When an append returns 0, COMMIT has
 * returned with the data on disk, and neither SIGKILL nor a power loss takes
 * the event away; on any error nothing of the call is kept.
 *
 * The store knows no meaning.  The workspace hands in a projector
 * (store/projection.h), and every append keeps the projections up to date
 * inside its own transaction.
 *
 * Results are copied into the caller's arena before a function returns: no
 * cursor stays open, so a reader never makes another process's COMMIT wait for
 * its own I/O.  All functions return 0 or a negative enum err with a sentence,
 * unless they say more.
 *
 *	struct log_options o = { .create = true, .projector = &fold };
 *	struct event_blob text = { .key = "text", .bytes = s, .n = strlen(s) };
 *	struct event_draft d = {
 *		.actor = "human:ana", .kind = "note.written", .object = "attempt/3",
 *		.data = event_data(&a, "source", "screen", NULL),
 *		.blobs = &text, .n_blobs = 1,
 *	};
 *	struct log *log;
 *	if (log_open(&log, folder, &o) < 0 || log_append(log, &d, &a, &e) < 0)
 *		return err_prefix("note: ");
 *	log_close(log);
 */
#ifndef PORTSIDE_STORE_LOG_H
#define PORTSIDE_STORE_LOG_H

#include <stdbool.h>
#include <stdint.h>

#include "base/event.h"
#include "base/mem.h"

struct log;
struct projector;

struct log_options {
	bool read_only;		/* nothing is written, not even projections */
	bool create;		/* make FOLDER and the database when missing */
	/* NULL: projections are left alone; outlives the handle */
	const struct projector *projector;
	int busy_limit_ms;	/* how long a call waits for other writers; 0: 10 s */
};

/*
 * Opens, and migrates an older database after a backup beside it
 * (log.db.before-VERSION).  Keeps descriptors 0, 1 and 2 open, since SQLite must
 * never get one of them.  Reads a constant number of rows.
 *
 *	ERR_NOT_FOUND	there is no database, and it is not to be created
 *	ERR_NEWER	written by a newer portside
 *	ERR_REFUSED	the file is another program's database
 *	ERR_DAMAGED	not a database or unreadable: see store/log_recover.h
 *	ERR_STATE	read-only, but a crash must be rolled back or an older
 *			format migrated first
 *	ERR_BUSY	another process holds the lock for longer than the limit
 */
int log_open(struct log **out, const char *folder, const struct log_options *o) ATTR_MUST_USE;
void log_close(struct log *log);			/* NULL is fine */

const char *log_folder(const struct log *log);		/* borrowed from LOG */
/* this clone's id, 32 hex; "" when read-only and never written */
const char *log_replica(const struct log *log);
bool log_is_read_only(const struct log *log);
/* A sentence about a network file system under the log, or NULL.  Borrowed. */
const char *log_warning(const struct log *log);

/*
 * Free text beside the event: stored salted, with its digest in d[KEY].  KEY
 * must not occur in the draft's data.
 */
struct event_blob {
	const char *key;
	const char *bytes;
	size_t n;
};

/* What a caller knows of an event; the log adds replica, seq, prev, lamport and
 * time.  Borrowed for the call only. */
struct event_draft {
	const char *actor;
	const char *kind;
	const char *object;
	const struct json *data;	/* an object of strings, arrays and objects; NULL: {} */
	const struct event_blob *blobs;
	size_t n_blobs;
};

/* *OUT (may be NULL) is in A. */
int log_append(struct log *log, const struct event_draft *d, struct arena *a,
	       struct event **out) ATTR_MUST_USE;

/* All or none of N, in this order, in one transaction.  OUT: N pointers, or NULL. */
int log_append_many(struct log *log, const struct event_draft *d, size_t n, struct arena *a,
		    struct event **out) ATTR_MUST_USE;

/*
 * As log_append_many(), after CHECK inside the write transaction, where nobody
 * else can write: 0 goes on, a positive value appends nothing and is returned,
 * negative is an error.  CHECK may read LOG in any way and must not write; it
 * may run again after a rollback.  It sees every event through log_events();
 * projections may be behind after a merge, so "at most once" is decided on
 * events (filter by object and kind, which has an index).
 */
typedef int log_check_fn(struct log *log, void *user);
int log_append_if(struct log *log, log_check_fn *check, void *user, const struct event_draft *d,
		  size_t n, struct arena *a, struct event **out) ATTR_MUST_USE;

/*
 * Appends D, and does what follows from it in the same transaction: NEXT sees the
 * event, and may append more with log_append_next() or take texts out with
 * blob_withhold_next(), which nobody calls elsewhere.  Negative takes everything
 * back.  It may run again after a rollback.
 */
typedef int log_next_fn(struct log *log, const struct event *before, void *user);
int log_append_then(struct log *log, const struct event_draft *d, log_next_fn *next, void *user,
	struct arena *a, struct event **out) ATTR_MUST_USE;
int log_append_next(struct log *log, const struct event_draft *d, struct arena *a) ATTR_MUST_USE;

/* What became of a batch of events from elsewhere. */
struct foreign_result {
	size_t added;
	size_t known;		/* were here already */
	size_t forks;		/* (replica, seq) that now exist twice; both kept */
};

struct event_bytes {
	const char *s;		/* canonical bytes of one event, no newline */
	size_t n;
};

enum { LOG_LAMPORT_JUMP_MAX = 1000000 };

/*
 * Inserts events of other replicas in any order, after checking all of them:
 * canonical form, chain (a predecessor is in the batch or here), rising lamport
 * without a jump beyond the limit.  One bad line rejects the batch and nothing
 * is kept.  What is known already changes nothing.
 */
int log_insert_foreign(struct log *log, const struct event_bytes *events, size_t n,
		       struct foreign_result *out) ATTR_MUST_USE;

/* Where a page of events starts and what it holds. */
struct event_query {
	/* exclusive; NULL: the oldest, or the newest when descending */
	const struct position *from;
	const struct position *until;	/* exclusive; NULL: no bound */
	bool descending;
	const char *kind;		/* exact, or a prefix that ends in '.': "run."; NULL: all */
	const char *object;		/* exact; NULL: all */
	size_t limit;			/* 0: no limit */
};

/* Events in projection order, *OUT an array of *N pointers in A. */
int log_events(struct log *log, const struct event_query *q, struct arena *a,
	       struct event ***out, size_t *n) ATTR_MUST_USE;

/* ERR_NOT_FOUND when there is none. */
int log_event(struct log *log, const struct digest *id, struct arena *a,
	      struct event **out) ATTR_MUST_USE;
/* An event by 4 or more hex digits of its id; ERR_USAGE when several match. */
int log_event_by_prefix(struct log *log, const char *hex, struct arena *a,
			struct event **out) ATTR_MUST_USE;

/*
 * Positions for stepping.  Return 1 and set *OUT, or 0 when there is none.
 * log_position_at() finds the event of the K-th place, from 1 (K counts in
 * projection order); log_position_rank() is its inverse: how many events are at
 * or before P.
 */
int log_position_last(struct log *log, struct position *out) ATTR_MUST_USE;
int log_position_next(
	struct log *log, const struct position *p, struct position *out) ATTR_MUST_USE;
int log_position_prev(
	struct log *log, const struct position *p, struct position *out) ATTR_MUST_USE;
int log_position_of(struct log *log, const struct digest *id, struct position *out) ATTR_MUST_USE;
int log_position_at(struct log *log, int64_t k, struct position *out) ATTR_MUST_USE;
int log_position_rank(struct log *log, const struct position *p, int64_t *out) ATTR_MUST_USE;

/*
 * The number of events, which is also the arrival number of the newest one and
 * grows with every write: a reader that polls compares it with what it has.
 */
int log_count(struct log *log, int64_t *out) ATTR_MUST_USE;

/* Events in the order in which they arrived here, after arrival number AFTER;
 * *LAST (may be NULL) is the number of the last one returned. */
int log_events_arrived(struct log *log, int64_t after, size_t limit, struct arena *a,
		       struct event ***out, size_t *n, int64_t *last) ATTR_MUST_USE;

/* One chain: its newest event.  In a fork, the one that sorts last. */
struct replica_head {
	char replica[EVENT_REPLICA_HEX + 1];
	int64_t count;
	struct digest id;
	int64_t seq;
	bool forked;
};

/* All chains, by replica id, in A.  DIGEST (may be NULL): over the ids of all
 * events, with COUNT what an anchor publishes.  The digest reads all ids. */
int log_heads(struct log *log, struct arena *a, struct replica_head **out, size_t *n,
	      int64_t *count, struct digest *digest) ATTR_MUST_USE;

#endif
