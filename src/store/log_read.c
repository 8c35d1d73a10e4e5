/* Reads events and positions; everything is copied out before it returns. */
#include "config.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "store/log_internal.h"

static void put_u64(unsigned char *out, uint64_t v)
{
	int i;

	for (i = 0; i < 8; i++)
		out[i] = (unsigned char)(v >> (56 - 8 * i));
}

static uint64_t get_u64(const unsigned char *p)
{
	uint64_t v = 0;
	int i;

	for (i = 0; i < 8; i++)
		v = v << 8 | p[i];
	return v;
}

void bind_position(sqlite3_stmt *st, int i, const struct position *p)
{
	bind_i64(st, i, (int64_t)get_u64(p->bytes));
	bind_blob(st, i + 1, p->bytes + 8, 16);
	bind_i64(st, i + 2, (int64_t)get_u64(p->bytes + 24));
	bind_blob(st, i + 3, p->bytes + 32, 32);
}

bool column_position(sqlite3_stmt *st, int i, struct position *out)
{
	if (sqlite3_column_bytes(st, i + 1) != 16 || sqlite3_column_bytes(st, i + 3) != 32)
		return false;
	put_u64(out->bytes, (uint64_t)sqlite3_column_int64(st, i));
	memcpy(out->bytes + 8, sqlite3_column_blob(st, i + 1), 16);
	put_u64(out->bytes + 24, (uint64_t)sqlite3_column_int64(st, i + 2));
	memcpy(out->bytes + 32, sqlite3_column_blob(st, i + 3), 32);
	return true;
}

int log_read_event(struct log *log, sqlite3_stmt *st, struct arena *a, struct event **out)
{
	const char *body = sqlite3_column_blob(st, 1);
	size_t n = (size_t)sqlite3_column_bytes(st, 1);
	struct digest id;
	int rc = 0;

	if (!body || !column_digest(st, 0, &id))
		rc = err_set(
			ERR_DAMAGED, "%s: an event is empty; run portside verify", log->db.path);
	else if (event_parse(out, a, body, n) < 0)
		rc = err_set(ERR_DAMAGED, "%s: an event does not read; run portside verify",
			log->db.path);
	else if (!digest_equal(&(*out)->id, &id))
		rc = err_set(
			ERR_DAMAGED, "%s: an event was changed; run portside verify", log->db.path);
	if (rc < 0)
		sqlite3_reset(st);
	return rc;
}

struct event_list {
	struct event **events;
	size_t n, cap;
};

/* Collects the rows of ST until it is done; the array moves into A at the end. */
static int collect(
	struct log *log, sqlite3_stmt *st, struct arena *a, struct event ***out, size_t *n)
{
	struct event_list l = { NULL, 0, 0 };
	struct event *e;
	int rc;

	while ((rc = database_step(&log->db, st)) > 0) {
		rc = log_read_event(log, st, a, &e);
		if (rc < 0)
			break;
		ARRAY_GROW(l.events, l.n, l.cap);
		l.events[l.n++] = e;
	}
	*n = rc < 0 ? 0 : l.n;
	*out = *n ? arena_memdup(a, l.events, l.n * sizeof *l.events) : NULL;
	free(l.events);
	return rc;
}

/*
 * One statement per shape, so that each uses its index: by object, by one kind,
 * by a range of kinds, or none.  Parameters: 1 limit; 2..5 from; 6..9 until;
 * 10 and 11 the object, or the kind and the first kind beyond; 12 the object.
 */
#define AFTER_FROM "(lamport, replica, seq, id) > (?2, ?3, ?4, ?5)"
#define BEFORE_UNTIL "(lamport, replica, seq, id) < (?6, ?7, ?8, ?9)"
#define BEFORE_FROM "(lamport, replica, seq, id) < (?2, ?3, ?4, ?5)"
#define AFTER_UNTIL "(lamport, replica, seq, id) > (?6, ?7, ?8, ?9)"
#define UP " ORDER BY lamport, replica, seq, id LIMIT ?1"
#define DOWN " ORDER BY lamport DESC, replica DESC, seq DESC, id DESC LIMIT ?1"
#define FROM_EVENT "SELECT " EVENT_COLUMNS " FROM event WHERE "
#define BOTH(where) { \
	FROM_EVENT where AFTER_FROM " AND " BEFORE_UNTIL UP, \
	FROM_EVENT where BEFORE_FROM " AND " AFTER_UNTIL DOWN }

enum shape { SHAPE_ALL, SHAPE_KIND, SHAPE_KINDS, SHAPE_OBJECT, SHAPE_OBJECT_KINDS };

static const char *const shapes[][2] = {
	[SHAPE_ALL] = BOTH(""),
	[SHAPE_KIND] = BOTH("kind = ?10 AND "),
	[SHAPE_KINDS] = BOTH("kind >= ?10 AND kind < ?11 AND "),
	[SHAPE_OBJECT] = BOTH("object = ?10 AND "),
	[SHAPE_OBJECT_KINDS] = BOTH("object = ?12 AND +kind >= ?10 AND +kind < ?11 AND "),
};

static enum shape query_shape(const struct event_query *q)
{
	if (q->object)
		return q->kind ? SHAPE_OBJECT_KINDS : SHAPE_OBJECT;
	if (!q->kind)
		return SHAPE_ALL;
	return q->kind[0] && q->kind[strlen(q->kind) - 1] == '.' ? SHAPE_KINDS : SHAPE_KIND;
}

/* The first text that sorts after every kind that KIND selects. */
static char *kind_beyond(struct arena *a, const char *kind)
{
	size_t n = strlen(kind);
	char *s;

	if (n && kind[n - 1] == '.') {
		s = arena_strdup(a, kind);
		s[n - 1] = '.' + 1;
		return s;
	}
	return arena_printf(a, "%s\x01", kind);
}

/* The lowest or highest position: what an open end is bound to. */
static struct position position_end(bool highest)
{
	struct position p;

	memset(p.bytes, highest ? 0xff : 0, sizeof p.bytes);
	if (highest)
		p.bytes[0] = p.bytes[24] = 0x7f;	/* the numbers are signed */
	return p;
}

int log_events(struct log *log, const struct event_query *q, struct arena *a, struct event ***out,
	       size_t *n)
{
	enum shape shape = query_shape(q);
	/* Bound by address, so they live as long as the statement runs. */
	struct position from = position_end(q->descending);
	struct position until = position_end(!q->descending);
	sqlite3_stmt *st;

	if (database_statement(&log->db, shapes[shape][q->descending], &st) < 0)
		return err_code();
	bind_i64(st, 1, q->limit ? (int64_t)q->limit : -1);
	bind_position(st, 2, q->from ? q->from : &from);
	bind_position(st, 6, q->until ? q->until : &until);
	if (shape == SHAPE_OBJECT)
		bind_text(st, 10, q->object);
	else if (shape != SHAPE_ALL)
		bind_text(st, 10, q->kind);
	if (shape == SHAPE_KINDS || shape == SHAPE_OBJECT_KINDS)
		bind_text(st, 11, kind_beyond(a, q->kind));
	if (shape == SHAPE_OBJECT_KINDS)
		bind_text(st, 12, q->object);
	return collect(log, st, a, out, n);
}

int log_events_arrived(struct log *log, int64_t after, size_t limit, struct arena *a,
		       struct event ***out, size_t *n, int64_t *last)
{
	static const char sql[] =
		"SELECT " EVENT_COLUMNS " FROM event WHERE row > ? ORDER BY row LIMIT ?";
	sqlite3_stmt *st;
	int rc;

	if (database_statement(&log->db, sql, &st) < 0)
		return err_code();
	bind_i64(st, 1, after);
	bind_i64(st, 2, limit ? (int64_t)limit : -1);
	rc = collect(log, st, a, out, n);
	/* Arrival numbers have no gaps, since nothing is ever deleted. */
	if (!rc && last)
		*last = after + (int64_t)*n;
	return rc;
}

int log_event(struct log *log, const struct digest *id, struct arena *a, struct event **out)
{
	char hex[DIGEST_HEX + 1];
	struct event **events;
	sqlite3_stmt *st;
	size_t n;

	if (database_statement(&log->db, "SELECT " EVENT_COLUMNS " FROM event WHERE id = ?", &st) <
		0)
		return err_code();
	bind_digest(st, 1, id);
	if (collect(log, st, a, &events, &n) < 0)
		return err_code();
	digest_hex(hex, id);
	if (!n)
		return err_set(ERR_NOT_FOUND, "there is no event %.12s", hex);
	*out = events[0];
	return 0;
}

int log_event_by_prefix(struct log *log, const char *hex, struct arena *a, struct event **out)
{
	static const char sql[] =
		"SELECT " EVENT_COLUMNS " FROM event WHERE id >= ? AND id <= ? ORDER BY id LIMIT 2";
	char low[DIGEST_HEX + 1], high[DIGEST_HEX + 1];
	struct digest first, last;
	struct event **events;
	size_t len = strlen(hex), n;
	sqlite3_stmt *st;

	if (len < 4 || len > DIGEST_HEX || strspn(hex, "0123456789abcdef") != len)
		return err_set(
			ERR_USAGE, "%.70s: an event is named by 4 to 64 digits of its id", hex);
	memset(low, '0', sizeof low);
	memset(high, 'f', sizeof high);
	memcpy(low, hex, len);
	memcpy(high, hex, len);
	low[DIGEST_HEX] = high[DIGEST_HEX] = '\0';
	if (!digest_from_hex(&first, low) || !digest_from_hex(&last, high))
		return err_set(ERR_USAGE, "%s: not an id", hex);
	if (database_statement(&log->db, sql, &st) < 0)
		return err_code();
	bind_digest(st, 1, &first);
	bind_digest(st, 2, &last);
	if (collect(log, st, a, &events, &n) < 0)
		return err_code();
	if (n == 0)
		return err_set(ERR_NOT_FOUND, "there is no event %s", hex);
	if (n > 1)
		return err_set(ERR_USAGE, "%s: several events begin so; give more digits", hex);
	*out = events[0];
	return 0;
}

/* The position in the one row of ST. */
static int one_position(struct log *log, sqlite3_stmt *st, struct position *out)
{
	int rc = database_step(&log->db, st);

	if (rc > 0 && !column_position(st, 0, out))
		rc = err_set(ERR_DAMAGED, "%s: an event is not in order; run portside verify",
			     log->db.path);
	sqlite3_reset(st);
	return rc;
}

#define SELECT_POSITION "SELECT lamport, replica, seq, id FROM event "
#define ORDER_UP " ORDER BY lamport, replica, seq, id LIMIT 1"
#define ORDER_DOWN " ORDER BY lamport DESC, replica DESC, seq DESC, id DESC LIMIT 1"

int log_position_last(struct log *log, struct position *out)
{
	sqlite3_stmt *st;

	if (database_statement(&log->db, SELECT_POSITION ORDER_DOWN, &st) < 0)
		return err_code();
	return one_position(log, st, out);
}

static int position_beside(struct log *log, const char *sql, const struct position *p,
			   struct position *out)
{
	struct position from = *p;	/* P and OUT may be the same */
	sqlite3_stmt *st;

	if (database_statement(&log->db, sql, &st) < 0)
		return err_code();
	bind_position(st, 1, &from);
	return one_position(log, st, out);
}

int log_position_next(struct log *log, const struct position *p, struct position *out)
{
	static const char sql[] = SELECT_POSITION
		"WHERE (lamport, replica, seq, id) > (?, ?, ?, ?)" ORDER_UP;

	return position_beside(log, sql, p, out);
}

int log_position_prev(struct log *log, const struct position *p, struct position *out)
{
	static const char sql[] = SELECT_POSITION
		"WHERE (lamport, replica, seq, id) < (?, ?, ?, ?)" ORDER_DOWN;

	return position_beside(log, sql, p, out);
}

int log_position_of(struct log *log, const struct digest *id, struct position *out)
{
	sqlite3_stmt *st;

	if (database_statement(&log->db, SELECT_POSITION "WHERE id = ?", &st) < 0)
		return err_code();
	bind_digest(st, 1, id);
	return one_position(log, st, out);
}

int log_position_at(struct log *log, int64_t k, struct position *out)
{
	sqlite3_stmt *st;

	if (k < 1)
		return 0;
	if (database_statement(&log->db, SELECT_POSITION ORDER_UP " OFFSET ?", &st) < 0)
		return err_code();
	bind_i64(st, 1, k - 1);
	return one_position(log, st, out);
}

int log_position_rank(struct log *log, const struct position *p, int64_t *out)
{
	static const char sql[] = "SELECT count(*) FROM event"
		" WHERE (lamport, replica, seq, id) <= (?, ?, ?, ?)";
	sqlite3_stmt *st;
	int rc;

	*out = 0;
	if (database_statement(&log->db, sql, &st) < 0)
		return err_code();
	bind_position(st, 1, p);
	rc = database_step(&log->db, st);
	if (rc > 0)
		*out = sqlite3_column_int64(st, 0);
	sqlite3_reset(st);
	return rc < 0 ? rc : *out > 0;
}

int log_count(struct log *log, int64_t *out)
{
	return database_i64(&log->db, "SELECT max(row) FROM event", out);
}

static int all_ids(struct log *log, struct digest **ids, size_t *n)
{
	struct digest id;
	sqlite3_stmt *st;
	size_t cap = 0;
	int rc;

	*ids = NULL;
	*n = 0;
	if (database_statement(&log->db, "SELECT id FROM event ORDER BY id", &st) < 0)
		return err_code();
	while ((rc = database_step(&log->db, st)) > 0) {
		if (!column_digest(st, 0, &id))
			continue;
		ARRAY_GROW(*ids, *n, cap);
		(*ids)[(*n)++] = id;
	}
	return rc;
}

static int read_heads(struct log *log, struct arena *a, struct replica_head **out, size_t *n)
{
	static const char sql[] =
		"SELECT e.replica, g.n, e.id, e.seq, g.n > g.seqs FROM"
		" (SELECT replica, count(*) AS n, count(DISTINCT seq) AS seqs, max(seq) AS top"
		"  FROM event GROUP BY replica) g"
		" JOIN event e ON e.row = (SELECT row FROM event WHERE replica = g.replica"
		"  AND seq = g.top ORDER BY lamport DESC, id DESC LIMIT 1) ORDER BY e.replica";
	struct replica_head h, *heads = NULL;
	size_t cap = 0;
	sqlite3_stmt *st;
	int rc;

	*n = 0;
	if (database_statement(&log->db, sql, &st) < 0)
		return err_code();
	while ((rc = database_step(&log->db, st)) > 0) {
		memset(&h, 0, sizeof h);
		hex_encode(h.replica, sqlite3_column_blob(st, 0), EVENT_REPLICA_HEX / 2);
		h.count = sqlite3_column_int64(st, 1);
		if (!column_digest(st, 2, &h.id))
			continue;
		h.seq = sqlite3_column_int64(st, 3);
		h.forked = sqlite3_column_int(st, 4);
		ARRAY_GROW(heads, *n, cap);
		heads[(*n)++] = h;
	}
	*out = *n ? arena_memdup(a, heads, *n * sizeof *heads) : NULL;
	free(heads);
	return rc;
}

int log_heads(struct log *log, struct arena *a, struct replica_head **out, size_t *n,
	      int64_t *count, struct digest *digest)
{
	struct digest *ids = NULL;
	size_t n_ids = 0;
	bool began;
	int rc;

	if (database_read_begin(&log->db, &began) < 0)
		return err_code();
	rc = read_heads(log, a, out, n);
	if (!rc)
		rc = log_count(log, count);
	if (!rc && digest)
		rc = all_ids(log, &ids, &n_ids);
	database_read_end(&log->db, began);
	if (!rc && digest)
		*digest = event_head_digest(ids, n_ids);
	free(ids);
	return rc;
}
