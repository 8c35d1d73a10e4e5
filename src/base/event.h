/*
 * event - one immutable record of the log: its canonical bytes and its id.
 *
 *	{"v":"1","r":REPLICA,"q":SEQ,"p":PREV,"l":LAMPORT,"t":TIME,"a":ACTOR,
 *	 "k":KIND,"o":OBJECT,"d":{...}}
 *
 * on one line without blanks; every value is a string, array or object, numbers
 * are strings; the keys of d are sorted by bytes at every depth.  The id is
 * SHA-256("portside-event-v1" NUL bytes).  Bytes are stored and hashed as
 * written and never re-encoded.
 *
 * Knows no database and no meaning of a kind.
 */
#ifndef PORTSIDE_BASE_EVENT_H
#define PORTSIDE_BASE_EVENT_H

#include <stdint.h>

#include "base/buf.h"
#include "base/hash.h"
#include "base/json.h"

enum {
	EVENT_BODY_MAX = 64 * 1024,
	EVENT_REPLICA_HEX = 32,
	EVENT_POSITION_BYTES = 8 + 16 + 8 + 32,
};

struct event {
	struct digest id;
	char replica[EVENT_REPLICA_HEX + 1];	/* lower-case hex */
	int64_t seq;				/* from 1, per replica */
	bool has_prev;				/* false only for seq 1 */
	struct digest prev;
	int64_t lamport;
	const char *time;			/* UTC, ms: 2026-10-25T16:21:56.123Z */
	const char *actor;			/* human:NAME, agent:NAME, tool:NAME */
	const char *kind;
	const char *object;
	const struct json *data;		/* never NULL: an object */
	const char *body;			/* the canonical bytes */
	size_t body_n;
};

/*
 * Reads canonical bytes into A.  Refuses, with a sentence, whatever is not
 * exactly what event_write() would write: other key order, numbers, trailing
 * bytes, depth, size, bad UTF-8, an unknown v (ERR_NEWER).  *OUT is borrowed
 * from A and does not need S afterwards.
 */
int event_parse(struct event **out, struct arena *a, const char *s, size_t n) ATTR_MUST_USE;

/*
 * Builds the canonical bytes from the fields of E (id, body, body_n are
 * ignored) and completes E in A with body and id.  DATA_JSON of E may be in any
 * key order; it is sorted.  ERR_PARSE when a field breaks a rule above.
 */
int event_write(struct event *e, struct arena *a) ATTR_MUST_USE;

/* A data object from key, value pairs, NULL ends.  A NULL value leaves the pair out. */
const struct json *event_data(struct arena *a, ...) __attribute__((sentinel));

/*
 * The position: bytes whose memcmp() order is (lamport, replica, seq, id), the
 * projection order.  Total, also with forks; an order key, not a row number.
 */
struct position { unsigned char bytes[EVENT_POSITION_BYTES]; };

struct position event_position(const struct event *e);
int position_compare(const struct position *a, const struct position *b);

/* Head digest of N ids: SHA-256("portside-head-v1" NUL, ids sorted). Sorts IDS. */
struct digest event_head_digest(struct digest *ids, size_t n);

/* "human", "agent", "tool" or NULL for an actor of another form. */
const char *event_actor_class(const char *actor);

#endif
