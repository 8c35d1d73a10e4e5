/* Takes events of other replicas after checking the whole batch. */
#include "config.h"

#include <inttypes.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "store/log_internal.h"

struct incoming {
	struct event *event;
	struct position position;
};

struct batch {
	struct log *log;
	struct incoming *items;		/* in projection order: a predecessor comes first */
	size_t n;
	struct foreign_result result;
};

static int by_position(const void *a, const void *b)
{
	const struct incoming *x = a, *y = b;

	return position_compare(&x->position, &y->position);
}

static int refuse(const struct event *e, const char *why)
{
	return err_set(ERR_PARSE, "event %" PRId64 " of replica %.8s: %s; nothing of this batch "
		       "was taken", e->seq, e->replica, why);
}

/* The predecessor is here by now, from before or from this batch. */
static int check_prev(struct log *log, const struct event *e)
{
	static const char sql[] = "SELECT replica, seq, lamport FROM event WHERE id = ?";
	char replica[EVENT_REPLICA_HEX + 1];
	const char *why = NULL;
	sqlite3_stmt *st;
	int rc;

	if (!e->has_prev)
		return 0;
	if (database_statement(&log->db, sql, &st) < 0)
		return err_code();
	bind_digest(st, 1, &e->prev);
	rc = database_step(&log->db, st);
	if (rc < 0)
		return rc;
	if (!rc)
		return refuse(e, "its predecessor is missing");
	hex_encode(replica, sqlite3_column_blob(st, 0), EVENT_REPLICA_HEX / 2);
	if (strcmp(replica, e->replica))
		why = "its predecessor is of another replica";
	else if (sqlite3_column_int64(st, 1) != e->seq - 1)
		why = "its predecessor does not have the number before it";
	else if (sqlite3_column_int64(st, 2) >= e->lamport)
		why = "its logical time does not rise";
	sqlite3_reset(st);
	return why ? refuse(e, why) : 0;
}

static int note_fork(struct log *log, const struct event *e)
{
	static const char sql[] =
		"INSERT OR IGNORE INTO fork(replica, seq) SELECT replica, seq FROM event"
		" WHERE replica = ? AND seq = ? GROUP BY replica, seq HAVING count(*) > 1";
	unsigned char replica[EVENT_REPLICA_HEX / 2];
	sqlite3_stmt *st;

	if (!hex_decode(replica, e->replica, EVENT_REPLICA_HEX))
		return refuse(e, "its replica id does not read");
	if (database_statement(&log->db, sql, &st) < 0)
		return err_code();
	bind_blob(st, 1, replica, sizeof replica);
	bind_i64(st, 2, e->seq);
	return database_run(&log->db, st);
}

static int take_one(struct batch *b, const struct event *e, int64_t *lamport)
{
	int rc;

	if (e->lamport - *lamport > LOG_LAMPORT_JUMP_MAX)
		return refuse(e, "its logical time jumps too far");
	if (check_prev(b->log, e) < 0)
		return err_code();
	rc = log_insert_event(b->log, e);
	if (rc < 0)
		return rc;
	if (!rc) {
		b->result.known++;
		return 0;
	}
	b->result.added++;
	if (e->lamport > *lamport)
		*lamport = e->lamport;
	rc = note_fork(b->log, e);
	if (rc > 0)
		b->result.forks++;
	return rc < 0 ? rc : 0;
}

static int take_all(struct database *d, void *user)
{
	struct batch *b = user;
	int64_t lamport;
	size_t i;

	memset(&b->result, 0, sizeof b->result);
	if (database_i64(d, "SELECT max(lamport) FROM event", &lamport) < 0)
		return err_code();
	for (i = 0; i < b->n; i++)
		if (take_one(b, b->items[i].event, &lamport) < 0)
			return err_code();
	return b->result.added ? projection_extend(b->log, NULL, 0) : 0;
}

static int parse_all(struct batch *b, struct arena *a, const struct event_bytes *events)
{
	size_t i;

	for (i = 0; i < b->n; i++) {
		if (event_parse(&b->items[i].event, a, events[i].s, events[i].n) < 0)
			return err_prefix("line %zu of %zu: ", i + 1, b->n);
		b->items[i].position = event_position(b->items[i].event);
	}
	qsort(b->items, b->n, sizeof *b->items, by_position);
	return 0;
}

int log_insert_foreign(struct log *log, const struct event_bytes *events, size_t n,
		       struct foreign_result *out)
{
	struct arena a = ARENA_INIT;
	struct batch b = { .log = log, .n = n };
	int rc;

	memset(out, 0, sizeof *out);
	if (log_require_writable(log) < 0)
		return err_code();
	if (!n)
		return 0;
	b.items = xcalloc(n, sizeof *b.items);
	rc = parse_all(&b, &a, events);
	if (!rc)
		rc = database_write(&log->db, take_all, &b);
	if (!rc)
		*out = b.result;
	free(b.items);
	arena_release(&a);
	return rc;
}
