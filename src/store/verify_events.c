/* Checks each event and the chains they form. */
#include "config.h"

#include <inttypes.h>
#include <sqlite3.h>
#include <string.h>

#include "base/clock.h"
#include "base/err.h"
#include "store/verify_internal.h"

enum { SLICE = 500 };		/* rows per read, so that writers go on */

static const int64_t clock_tolerance_ns = 5 * 60 * NS_PER_S;

/* What the next event of a chain is compared with. */
struct chain_tail {
	char replica[EVENT_REPLICA_HEX + 1];
	struct digest id;
	int64_t seq;
	int64_t lamport;
	int64_t time_ns;
};

static struct chain_tail *find_tail(struct verify *v, const char *replica)
{
	size_t i;

	for (i = 0; i < v->n_tails; i++)
		if (!strcmp(v->tails[i].replica, replica))
			return &v->tails[i];
	ARRAY_GROW(v->tails, v->n_tails, v->cap_tails);
	memset(&v->tails[v->n_tails], 0, sizeof *v->tails);
	memcpy(v->tails[v->n_tails].replica, replica, sizeof v->tails->replica);
	return &v->tails[v->n_tails++];
}

static void tail_set(struct chain_tail *t, const struct event *e)
{
	memcpy(t->replica, e->replica, sizeof t->replica);
	t->id = e->id;
	t->seq = e->seq;
	t->lamport = e->lamport;
	if (!clock_from_iso(&t->time_ns, e->time))
		t->time_ns = 0;
}

/* The predecessor by its id, for what the tail does not remember: 1 found. */
static int look_up_prev(struct verify *v, const struct event *e, struct chain_tail *prev)
{
	struct arena a = ARENA_INIT;
	struct event *found;
	int rc = log_event(v->log, &e->prev, &a, &found);

	if (!rc) {
		tail_set(prev, found);
		rc = 1;
	} else if (rc == ERR_NOT_FOUND) {
		rc = 0;
	} else if (rc == ERR_DAMAGED) {
		/* Reported where it is read; here the link is what counts. */
		*prev = (struct chain_tail){ .seq = e->seq - 1, .lamport = e->lamport - 1 };
		memcpy(prev->replica, e->replica, sizeof prev->replica);
		rc = 1;
	}
	arena_release(&a);
	return rc;
}

static int check_chain(struct verify *v, const struct event *e)
{
	struct chain_tail prev = *find_tail(v, e->replica);
	int64_t time_ns;
	int rc = 1;

	if (e->has_prev && !digest_equal(&prev.id, &e->prev))
		rc = look_up_prev(v, e, &prev);
	if (rc < 0)
		return rc;
	if (e->has_prev && !rc)
		verify_find(v, VERIFY_CHAIN, true, e, "its predecessor is missing or was changed");
	else if (e->has_prev && strcmp(prev.replica, e->replica))
		verify_find(v, VERIFY_CHAIN, true, e, "its predecessor is of another replica");
	else if (e->has_prev && prev.seq != e->seq - 1)
		verify_find(
			v, VERIFY_CHAIN, true, e, "its predecessor has number %" PRId64, prev.seq);
	else if (e->has_prev && prev.lamport >= e->lamport)
		verify_find(v, VERIFY_LAMPORT, true, e, "its logical time does not rise");
	if (!clock_from_iso(&time_ns, e->time))
		time_ns = 0;
	if (e->has_prev && rc && prev.time_ns && time_ns &&
		time_ns < prev.time_ns - clock_tolerance_ns)
		verify_find(v, VERIFY_CLOCK, false, e,
			"the clock of its machine ran back by %" PRId64 " minutes before it",
			(prev.time_ns - time_ns) / (60 * NS_PER_S));
	tail_set(find_tail(v, e->replica), e);
	return 0;
}

/* A row as it lies in the table, before anything of it is believed. */
struct raw_row {
	int64_t row;
	struct digest id;
	bool has_id, has_prev;
	struct digest prev;
	char replica[EVENT_REPLICA_HEX + 1];
	int64_t seq, lamport;
	const char *kind, *object;
	const char *body;
	size_t body_n;
};

static void copy_raw(sqlite3_stmt *st, struct arena *a, struct raw_row *r)
{
	memset(r, 0, sizeof *r);
	r->row = sqlite3_column_int64(st, 0);
	r->has_id = column_digest(st, 1, &r->id);
	if (sqlite3_column_bytes(st, 2) == EVENT_REPLICA_HEX / 2)
		hex_encode(r->replica, sqlite3_column_blob(st, 2), EVENT_REPLICA_HEX / 2);
	r->seq = sqlite3_column_int64(st, 3);
	r->has_prev = column_digest(st, 4, &r->prev);
	r->lamport = sqlite3_column_int64(st, 5);
	r->kind = column_text(st, 6, a);
	r->object = column_text(st, 7, a);
	r->body_n = (size_t)sqlite3_column_bytes(st, 8);
	r->body = r->body_n ? arena_memdup(a, sqlite3_column_blob(st, 8), r->body_n) : "";
}

static int read_slice(
	struct verify *v, int64_t after, struct arena *a, struct raw_row *rows, size_t *n)
{
	static const char sql[] =
		"SELECT row, id, replica, seq, prev, lamport, kind, object, body FROM event"
		" WHERE row > ? ORDER BY row LIMIT ?";
	sqlite3_stmt *st;
	int rc;

	*n = 0;
	if (database_statement(&v->log->db, sql, &st) < 0)
		return err_code();
	bind_i64(st, 1, after);
	bind_i64(st, 2, SLICE);
	while ((rc = database_step(&v->log->db, st)) > 0)
		copy_raw(st, a, &rows[(*n)++]);
	return rc;
}

/* The columns are for look-ups; the body is what counts. */
static bool columns_agree(const struct raw_row *r, const struct event *e)
{
	return !strcmp(r->replica, e->replica) && r->seq == e->seq && r->lamport == e->lamport &&
	       r->has_prev == e->has_prev && (!e->has_prev || digest_equal(&r->prev, &e->prev)) &&
	       r->kind && !strcmp(r->kind, e->kind) && r->object && !strcmp(r->object, e->object);
}

static int check_row(struct verify *v, const struct raw_row *r, struct arena *a)
{
	struct event *e;

	v->report->checked++;
	if (event_parse(&e, a, r->body, r->body_n) < 0) {
		verify_find(v, VERIFY_BODY, true, NULL, "the event that arrived as number %" PRId64
			    " does not read: %s", r->row, err_text());
		return 0;
	}
	if (!r->has_id || !digest_equal(&r->id, &e->id))
		verify_find(v, VERIFY_ID, true, e,
			"it was changed: its id is not the hash of its bytes");
	else if (!columns_agree(r, e))
		verify_find(v, VERIFY_BODY, true, e, "its columns are not what its bytes say");
	return check_chain(v, e);
}

static bool is_cancelled(const struct verify *v)
{
	const struct verify_options *o = v->options;

	return o->progress && o->progress(o->user, v->report->checked, v->total);
}

static int check_slice(struct verify *v, struct arena *a, int64_t *after, size_t *n)
{
	struct raw_row *rows = arena_alloc(a, SLICE * sizeof *rows);
	size_t i;

	if (read_slice(v, *after, a, rows, n) < 0)
		return err_code();
	for (i = 0; i < *n; i++) {
		if (rows[i].row != *after + 1)
			verify_find(v, VERIFY_GAP, true, NULL,
				"the event that arrived as number %" PRId64 " was removed",
				*after + 1);
		*after = rows[i].row;
		if (check_row(v, &rows[i], a) < 0)
			return err_code();
	}
	return 0;
}

int verify_events(struct verify *v, int64_t after)
{
	struct arena a = ARENA_INIT;
	size_t n;
	int rc;

	do {
		rc = check_slice(v, &a, &after, &n);
		arena_release(&a);
		if (!rc && is_cancelled(v))
			rc = err_set(ERR_CANCELLED, "verification was cancelled");
	} while (!rc && n == SLICE);
	return rc;
}

static int find_gaps(struct verify *v)
{
	static const char sql[] =
		"SELECT replica, count(*), count(DISTINCT seq), max(seq) FROM event GROUP BY replica";
	char replica[EVENT_REPLICA_HEX + 1] = "";
	sqlite3_stmt *st;
	int rc;

	if (database_statement(&v->log->db, sql, &st) < 0)
		return err_code();
	while ((rc = database_step(&v->log->db, st)) > 0) {
		int64_t missing = sqlite3_column_int64(st, 3) - sqlite3_column_int64(st, 2);

		v->report->replicas++;
		if (!missing)
			continue;
		if (sqlite3_column_bytes(st, 0) == EVENT_REPLICA_HEX / 2)
			hex_encode(replica, sqlite3_column_blob(st, 0), EVENT_REPLICA_HEX / 2);
		verify_find(v, VERIFY_GAP, true, NULL, "replica %.8s: %" PRId64 " of its %" PRId64
			    " events are missing", replica, missing,
			    (int64_t)sqlite3_column_int64(st, 3));
	}
	return rc;
}

int verify_chains(struct verify *v)
{
	static const char sql[] =
		"SELECT replica, seq, count(*) FROM event GROUP BY replica, seq HAVING count(*) > 1";
	char replica[EVENT_REPLICA_HEX + 1] = "";
	sqlite3_stmt *st;
	int rc;

	if (find_gaps(v) < 0 || database_statement(&v->log->db, sql, &st) < 0)
		return err_code();
	while ((rc = database_step(&v->log->db, st)) > 0) {
		v->report->forks++;
		if (sqlite3_column_bytes(st, 0) == EVENT_REPLICA_HEX / 2)
			hex_encode(replica, sqlite3_column_blob(st, 0), EVENT_REPLICA_HEX / 2);
		verify_find(v, VERIFY_FORK, true, NULL,
			"replica %.8s has %" PRId64 " different events "
			"with number %" PRId64 ": two copies of one log were written, or history "
			"was replaced; both are kept",
			replica, (int64_t)sqlite3_column_int64(st, 2),
			(int64_t)sqlite3_column_int64(st, 1));
	}
	return rc;
}
