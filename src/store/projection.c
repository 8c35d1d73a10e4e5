/* Folds events into versions of objects: as they are appended, and anew. */
#include "config.h"

#include "store/projection.h"

#include <sqlite3.h>
#include <string.h>

#include "base/err.h"
#include "store/log_internal.h"

enum { EXTEND_MAX = 500 };		/* events of others that one append folds at most */
enum { REBUILD_TRIES = 8 };		/* merges that may come between */
enum { CLEAN_SLICE = 2000 };		/* rows of an old generation per transaction */

int projection_read_stamp(struct log *log, int role, struct projection_stamp *out)
{
	static const char sql[] =
		"SELECT gen, fold_version, row, last, digest FROM stamp WHERE role = ?";
	sqlite3_stmt *st;
	int rc;

	memset(out, 0, sizeof *out);
	if (database_statement(&log->db, sql, &st) < 0)
		return err_code();
	bind_i64(st, 1, role);
	rc = database_step(&log->db, st);
	if (rc <= 0)
		return rc;
	if (sqlite3_column_bytes(st, 3) == (int)sizeof out->last.bytes &&
	    column_digest(st, 4, &out->digest)) {
		out->gen = sqlite3_column_int64(st, 0);
		out->fold_version = sqlite3_column_int64(st, 1);
		out->row = sqlite3_column_int64(st, 2);
		memcpy(out->last.bytes, sqlite3_column_blob(st, 3), sizeof out->last.bytes);
	}
	sqlite3_reset(st);
	return 0;
}

static int write_stamp(struct log *log, int role, const struct projection_stamp *s)
{
	static const char sql[] =
		"INSERT OR REPLACE INTO stamp(role, gen, fold_version, row, last, digest)"
		" VALUES(?, ?, ?, ?, ?, ?)";
	sqlite3_stmt *st;

	if (database_statement(&log->db, sql, &st) < 0)
		return err_code();
	bind_i64(st, 1, role);
	bind_i64(st, 2, s->gen);
	bind_i64(st, 3, s->fold_version);
	bind_i64(st, 4, s->row);
	bind_blob(st, 5, s->last.bytes, sizeof s->last.bytes);
	bind_digest(st, 6, &s->digest);
	return database_run(&log->db, st);
}

static int drop_stamp(struct log *log, int role)
{
	sqlite3_stmt *st;

	if (database_statement(&log->db, "DELETE FROM stamp WHERE role = ?", &st) < 0)
		return err_code();
	bind_i64(st, 1, role);
	return database_run(&log->db, st);
}

struct digest projection_digest(const struct digest *before, const struct digest *id)
{
	struct digest pair[2] = { *before, *id };

	return sha256_bytes(pair, sizeof pair);
}

static int select_events(struct log *log, const char *sql, int64_t after, struct arena *a,
			 struct event **events, size_t max, size_t *n)
{
	sqlite3_stmt *st;
	int rc = 0;

	*n = 0;
	if (database_statement(&log->db, sql, &st) < 0)
		return err_code();
	bind_i64(st, 1, after);
	while (*n < max && (rc = database_step(&log->db, st)) > 0) {
		if (log_read_event(log, st, a, &events[*n]) < 0)
			return err_code();
		++*n;
	}
	sqlite3_reset(st);
	return *n < max && rc < 0 ? rc : 0;
}

/* The events that the views in use lack, in order.  N is 0 when they are too many
 * for one transaction, when there is none, or when one sorts earlier. */
static int find_missing(struct log *log, const struct projection_stamp *stamp, int64_t rows,
			struct arena *a, struct event ***events, size_t *n)
{
	static const char sql[] = "SELECT " EVENT_COLUMNS " FROM event WHERE row > ?"
		" ORDER BY +lamport, replica, seq, id";
	struct position first;

	*n = 0;
	if (rows <= stamp->row || rows - stamp->row > EXTEND_MAX)
		return 0;
	*events = arena_alloc(a, (size_t)(rows - stamp->row) * sizeof **events);
	if (select_events(log, sql, stamp->row, a, *events, (size_t)(rows - stamp->row), n) < 0)
		return err_code();
	if (!*n)
		return 0;
	first = event_position((*events)[0]);
	if (stamp->row > 0 && position_compare(&first, &stamp->last) < 0)
		*n = 0;
	return 0;
}

int projection_extend(struct log *log, struct event *const *new, size_t n)
{
	struct projection_stamp stamp;
	struct event **events = NULL;
	struct arena a = ARENA_INIT;
	int64_t rows;
	int rc;

	if (!log->projector)
		return 0;
	if (projection_read_stamp(log, STAMP_IN_USE, &stamp) < 0 || log_count(log, &rows) < 0)
		return err_code();
	if (!stamp.gen) {
		stamp.gen = 1;
		stamp.fold_version = log->projector->fold_version;
	}
	if (stamp.fold_version != log->projector->fold_version)
		return 0;
	/* Own events sort last: nothing else arrived since the stamp. */
	rc = !n || rows - stamp.row != (int64_t)n ? find_missing(log, &stamp, rows, &a, &events, &n)
						  : 0;
	if (!rc && n) {
		rc = projection_fold(log, events ? events : new, n, &stamp);
		stamp.row = rows;
		if (!rc)
			rc = write_stamp(log, STAMP_IN_USE, &stamp);
	}
	arena_release(&a);
	return rc < 0 ? rc : 0;
}

/* Whether an event after the stamp's arrival number sorts before its last one. */
static int lacks_earlier(struct log *log, const struct projection_stamp *stamp)
{
	static const char sql[] = "SELECT 1 FROM event WHERE row > ?"
		" AND (lamport, replica, seq, id) < (?, ?, ?, ?) LIMIT 1";
	sqlite3_stmt *st;
	int rc;

	if (database_statement(&log->db, sql, &st) < 0)
		return err_code();
	bind_i64(st, 1, stamp->row);
	bind_position(st, 2, &stamp->last);
	rc = database_step(&log->db, st);
	sqlite3_reset(st);
	return rc;
}

static int find_state(struct log *log, enum projection_state *out)
{
	struct projection_stamp stamp;
	int64_t rows;
	int rc;

	if (projection_read_stamp(log, STAMP_IN_USE, &stamp) < 0 || log_count(log, &rows) < 0)
		return err_code();
	*out = PROJECTION_FRESH;
	if (stamp.row == rows && (!stamp.gen || stamp.fold_version == log->projector->fold_version))
		return 0;
	*out = PROJECTION_NONE;
	if (!stamp.gen || stamp.fold_version != log->projector->fold_version || stamp.row > rows)
		return 0;
	rc = lacks_earlier(log, &stamp);
	*out = rc > 0 ? PROJECTION_STALE : PROJECTION_BEHIND;
	return rc < 0 ? rc : 0;
}

int projection_state(struct log *log, enum projection_state *out)
{
	bool began;
	int rc;

	if (!log->projector)
		return err_set(ERR_USAGE, "this handle of the log has no projector");
	if (database_read_begin(&log->db, &began) < 0)
		return err_code();
	rc = find_state(log, out);
	database_read_end(&log->db, began);
	return rc;
}

int projection_key(struct log *log, struct digest *out)
{
	struct projection_stamp stamp;
	enum projection_state state = PROJECTION_NONE;
	struct { struct digest events; int64_t fold_version; } from;
	bool began;
	int rc;

	if (!log->projector)
		return err_set(ERR_USAGE, "this handle of the log has no projector");
	if (database_read_begin(&log->db, &began) < 0)
		return err_code();
	rc = find_state(log, &state);
	if (!rc)
		rc = projection_read_stamp(log, STAMP_IN_USE, &stamp);
	database_read_end(&log->db, began);
	if (rc < 0 || state != PROJECTION_FRESH)
		return rc;
	memset(&from, 0, sizeof from);
	from.events = stamp.digest;
	from.fold_version = log->projector->fold_version;
	*out = sha256_bytes(&from, sizeof from);
	return 1;
}

int projection_leave_file(struct log *log)
{
	if (log->own_projections)
		return 0;
	if (database_make_projections(&log->db, "temp.") < 0)
		return err_code();
	database_forget_statements(&log->db);
	log->own_projections = true;
	return 0;
}

struct build {
	struct log *log;
	int64_t done, total;
	int restarts;
};

enum { BUILD_MORE, BUILD_DONE };

static int start_building(struct log *log, struct projection_stamp *b)
{
	struct projection_stamp used;

	if (projection_read_stamp(log, STAMP_IN_USE, &used) < 0 ||
	    projection_read_stamp(log, STAMP_BUILDING, b) < 0)
		return err_code();
	if (b->gen && b->fold_version == log->projector->fold_version)
		return 0;
	*b = (struct projection_stamp){
		/* The first append takes 1 without asking. */
		.gen = (b->gen > used.gen ? b->gen : used.gen > 1 ? used.gen : 1) + 1,
		.fold_version = log->projector->fold_version,
	};
	return 0;
}

/* At the end of the order: all events are in, or one came in behind our back. */
static int finish_building(struct build *b, struct projection_stamp *stamp)
{
	if (stamp->row == b->total) {
		if (drop_stamp(b->log, STAMP_BUILDING) < 0 ||
		    write_stamp(b->log, STAMP_IN_USE, stamp) < 0)
			return err_code();
		return BUILD_DONE;
	}
	if (++b->restarts > REBUILD_TRIES)
		return err_set(ERR_BUSY, "%s: events keep arriving while the views are built; "
			       "try again", b->log->db.path);
	/* A new generation; the rows of this one are removed later. */
	*stamp = (struct projection_stamp){
		.gen = stamp->gen + 1, .fold_version = stamp->fold_version
	};
	return write_stamp(b->log, STAMP_BUILDING, stamp) < 0 ? err_code() : BUILD_MORE;
}

static int build_slice(struct build *b, struct arena *a)
{
	struct event_query q = { .limit = PROJECTION_BUILD_SLICE };
	struct projection_stamp stamp;
	struct event **events;
	size_t n;

	if (start_building(b->log, &stamp) < 0)
		return err_code();
	q.from = stamp.row ? &stamp.last : NULL;
	if (log_events(b->log, &q, a, &events, &n) < 0 ||
		projection_fold(b->log, events, n, &stamp) < 0)
		return err_code();
	stamp.row += (int64_t)n;
	b->done = stamp.row;
	if (n < PROJECTION_BUILD_SLICE)
		return finish_building(b, &stamp);
	return write_stamp(b->log, STAMP_BUILDING, &stamp) < 0 ? err_code() : BUILD_MORE;
}

static int build_in_transaction(struct database *d, void *user)
{
	struct build *b = user;
	struct arena a = ARENA_INIT;
	enum projection_state state;
	int rc;

	(void)d;
	if (projection_extend(b->log, NULL, 0) < 0 || find_state(b->log, &state) < 0 ||
	    log_count(b->log, &b->total) < 0)
		return err_code();
	if (state == PROJECTION_FRESH)
		return BUILD_DONE;
	rc = build_slice(b, &a);
	arena_release(&a);
	return rc;
}

/* One slice of rows of generations that nobody reads any more. */
static int clean_slice(struct database *d, void *user)
{
	static const char *const sql[] = {
		"DELETE FROM version WHERE (gen, type, id, position) IN (SELECT gen, type, id, position"
		" FROM version WHERE gen = (SELECT min(gen) FROM version)"
		" AND gen NOT IN (SELECT gen FROM stamp) LIMIT ?)",
		"DELETE FROM current WHERE row IN (SELECT row FROM current"
		" WHERE gen = (SELECT min(gen) FROM current)"
		" AND gen NOT IN (SELECT gen FROM stamp) LIMIT ?)",
		"DELETE FROM slot WHERE (gen, type, parent, sort, id, first) IN (SELECT gen, type,"
		" parent, sort, id, first FROM slot WHERE gen = (SELECT min(gen) FROM slot)"
		" AND gen NOT IN (SELECT gen FROM stamp) LIMIT ?)",
	};
	sqlite3_stmt *st;
	int removed = 0, rc;
	size_t i;

	(void)user;
	for (i = 0; i < ARRAY_LEN(sql); i++) {
		if (database_statement(d, sql[i], &st) < 0)
			return err_code();
		bind_i64(st, 1, CLEAN_SLICE);
		rc = database_run(d, st);
		if (rc < 0)
			return rc;
		removed += rc;
	}
	return removed;
}

static int clean(struct log *log)
{
	int rc;

	do
		rc = database_write(&log->db, clean_slice, NULL);
	while (rc > 0);
	return rc;
}

int projection_rebuild(struct log *log, projection_progress_fn *progress, void *user)
{
	struct build b = { .log = log };
	enum projection_state state;
	int rc;

	if (projection_state(log, &state) < 0)
		return err_code();
	if (state == PROJECTION_FRESH)
		return 0;
	if (log->db.read_only && projection_leave_file(log) < 0)
		return err_code();
	do {
		rc = database_write(&log->db, build_in_transaction, &b);
		if (rc == BUILD_MORE && progress && progress(user, b.done, b.total))
			return err_set(ERR_CANCELLED, "building the views was cancelled");
	} while (rc == BUILD_MORE);
	return rc < 0 ? rc : clean(log);
}
