/* Reads the views: now, and as of a position. */
#include "config.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "store/log_internal.h"

/* Opens one consistent look; *GEN is 0 when there is nothing to see. */
static int look_begin(struct log *log, bool *began, int64_t *gen)
{
	struct projection_stamp stamp;
	int64_t rows;
	int rc;

	if (!log->projector)
		return err_set(ERR_USAGE, "this handle of the log has no projector");
	if (database_read_begin(&log->db, began) < 0)
		return err_code();
	rc = projection_read_stamp(log, STAMP_IN_USE, &stamp);
	if (!rc)
		rc = log_count(log, &rows);
	if (!rc && rows && (!stamp.gen || stamp.fold_version != log->projector->fold_version))
		rc = err_set(ERR_STATE, "%s: the views must be built first", log->db.path);
	*gen = stamp.gen;
	if (rc < 0)
		database_read_end(&log->db, *began);
	return rc;
}

#define ROW_COLUMNS "v.type, v.id, v.parent, v.sort, v.state, v.position"

static void copy_row(sqlite3_stmt *st, struct arena *a, struct projection_row *r)
{
	memset(r, 0, sizeof *r);
	r->type = column_text(st, 0, a);
	r->id = column_text(st, 1, a);
	r->parent = column_text(st, 2, a);
	if (r->parent && !r->parent[0])
		r->parent = NULL;
	r->sort = sqlite3_column_int64(st, 3);
	r->state = column_text(st, 4, a);
	if (sqlite3_column_bytes(st, 5) == (int)sizeof r->position.bytes)
		memcpy(r->position.bytes, sqlite3_column_blob(st, 5), sizeof r->position.bytes);
}

static int collect_rows(struct log *log, sqlite3_stmt *st, struct arena *a,
			struct projection_row **out, size_t *n)
{
	struct projection_row *rows = NULL;
	size_t cap = 0;
	int rc;

	*n = 0;
	while ((rc = database_step(&log->db, st)) > 0) {
		ARRAY_GROW(rows, *n, cap);
		copy_row(st, a, &rows[(*n)++]);
	}
	*out = *n ? arena_memdup(a, rows, *n * sizeof *rows) : NULL;
	free(rows);
	return rc;
}

int projection_get(struct log *log, const char *type, const char *id, const struct position *at,
		   struct arena *a, struct projection_row **out)
{
	static const char now[] =
		"SELECT " ROW_COLUMNS " FROM current c JOIN version v ON v.row = c.version"
		" WHERE c.gen = ?1 AND c.type = ?2 AND c.id = ?3";
	static const char then[] =
		"SELECT " ROW_COLUMNS " FROM version v WHERE v.gen = ?1 AND v.type = ?2"
		" AND v.id = ?3 AND v.position <= ?4 ORDER BY v.position DESC LIMIT 1";
	struct projection_row *rows = NULL;
	sqlite3_stmt *st;
	int64_t gen;
	bool began;
	size_t n = 0;
	int rc;

	*out = NULL;
	if (look_begin(log, &began, &gen) < 0)
		return err_code();
	rc = database_statement(&log->db, at ? then : now, &st);
	if (!rc) {
		bind_i64(st, 1, gen);
		bind_text(st, 2, type);
		bind_text(st, 3, id);
		if (at)
			bind_blob(st, 4, at->bytes, sizeof at->bytes);
		rc = collect_rows(log, st, a, &rows, &n);
	}
	database_read_end(&log->db, began);
	if (rc < 0)
		return rc;
	if (!n || !rows[0].state)
		return 0;
	*out = &rows[0];
	return 1;
}

/*
 * Parameters: 1 generation, 2 type, 3 limit, 4 offset, 5 position, 6 parent.
 * The page is found in an index alone, then its versions: now in the index of the
 * latest ones, then in the slots that were taken at that position.
 */
#define NOW_WHERE(where) " FROM current WHERE gen = ?1 AND type = ?2" where
#define THEN_WHERE(where) " FROM slot WHERE gen = ?1 AND type = ?2" where \
	" AND first <= ?5 AND (until IS NULL OR until > ?5)"
#define NOW_LIST(where, order) \
	"SELECT " ROW_COLUMNS " FROM (SELECT version" NOW_WHERE(where) \
	" ORDER BY " order " LIMIT ?3 OFFSET ?4) c" \
	" CROSS JOIN version v ON v.row = c.version ORDER BY v." order
#define THEN_LIST(where, order) \
	"SELECT " ROW_COLUMNS " FROM (SELECT id AS object" THEN_WHERE(where) \
	" ORDER BY " order " LIMIT ?3 OFFSET ?4) s" \
	" CROSS JOIN version v ON v.row = (SELECT w.row FROM version w" \
	" WHERE w.gen = ?1 AND w.type = ?2 AND w.id = s.object AND w.position <= ?5" \
	" ORDER BY w.position DESC LIMIT 1) ORDER BY v." order
#define UP "sort, id"
#define DOWN "sort DESC, id DESC"
#define OF_PARENT " AND parent = ?6"

/* [as of a position][of one parent][descending] */
static const char *const lists[2][2][2] = {
	{ { NOW_LIST("", UP), NOW_LIST("", DOWN) },
	  { NOW_LIST(OF_PARENT, UP), NOW_LIST(OF_PARENT, DOWN) } },
	{ { THEN_LIST("", UP), THEN_LIST("", DOWN) },
	  { THEN_LIST(OF_PARENT, UP), THEN_LIST(OF_PARENT, DOWN) } },
};

/* [as of a position][of one parent] */
static const char *const counts[2][2] = {
	{ "SELECT count(*)" NOW_WHERE(""), "SELECT count(*)" NOW_WHERE(OF_PARENT) },
	{ "SELECT count(*)" THEN_WHERE(""), "SELECT count(*)" THEN_WHERE(OF_PARENT) },
};

static void bind_query(sqlite3_stmt *st, const struct projection_query *q, int64_t gen)
{
	bind_i64(st, 1, gen);
	bind_text(st, 2, q->type);
	bind_i64(st, 3, q->limit ? (int64_t)q->limit : -1);
	bind_i64(st, 4, (int64_t)q->offset);
	if (q->at)
		bind_blob(st, 5, q->at->bytes, sizeof q->at->bytes);
	if (q->parent)
		bind_text(st, 6, q->parent);
}

int projection_list(struct log *log, const struct projection_query *q, struct arena *a,
		    struct projection_row **rows, size_t *n)
{
	sqlite3_stmt *st;
	int64_t gen;
	bool began;
	int rc;

	*rows = NULL;
	*n = 0;
	if (look_begin(log, &began, &gen) < 0)
		return err_code();
	rc = database_statement(&log->db, lists[!!q->at][!!q->parent][q->descending], &st);
	if (!rc) {
		bind_query(st, q, gen);
		rc = collect_rows(log, st, a, rows, n);
	}
	database_read_end(&log->db, began);
	return rc;
}

static int visit_rows(struct log *log, sqlite3_stmt *st, projection_row_fn *fn, void *user)
{
	int rc, result = 0;

	while (result >= 0 && (rc = database_step(&log->db, st)) > 0) {
		struct projection_row r = {
			.type = (const char *)sqlite3_column_text(st, 0),
			.id = (const char *)sqlite3_column_text(st, 1),
			.parent = (const char *)sqlite3_column_text(st, 2),
			.sort = sqlite3_column_int64(st, 3),
			.state = (const char *)sqlite3_column_text(st, 4),
		};

		if (r.parent && !r.parent[0])
			r.parent = NULL;
		if (sqlite3_column_bytes(st, 5) == (int)sizeof r.position.bytes)
			memcpy(r.position.bytes, sqlite3_column_blob(st, 5), sizeof r.position.bytes);
		result = fn(user, &r);
	}
	sqlite3_reset(st);
	return result < 0 ? result : rc;
}

int projection_each(struct log *log, const struct projection_query *q, projection_row_fn *fn, void *user)
{
	sqlite3_stmt *st;
	int64_t gen;
	bool began;
	int rc;

	if (look_begin(log, &began, &gen) < 0)
		return err_code();
	rc = database_statement(&log->db, lists[!!q->at][!!q->parent][q->descending], &st);
	if (!rc) {
		bind_query(st, q, gen);
		rc = visit_rows(log, st, fn, user);
	}
	database_read_end(&log->db, began);
	return rc;
}

int projection_count(struct log *log, const struct projection_query *q, int64_t *out)
{
	sqlite3_stmt *st;
	int64_t gen;
	bool began;
	int rc;

	*out = 0;
	if (look_begin(log, &began, &gen) < 0)
		return err_code();
	rc = database_statement(&log->db, counts[!!q->at][!!q->parent], &st);
	if (!rc) {
		bind_query(st, q, gen);
		while ((rc = database_step(&log->db, st)) > 0)
			*out = sqlite3_column_int64(st, 0);
	}
	database_read_end(&log->db, began);
	return rc;
}

int projection_history(struct log *log, const char *type, const char *id, bool descending,
		       size_t limit, struct arena *a, struct projection_row **rows, size_t *n)
{
	static const char up[] =
		"SELECT " ROW_COLUMNS " FROM version v WHERE v.gen = ? AND v.type = ? AND v.id = ?"
		" ORDER BY v.position LIMIT ?";
	static const char down[] =
		"SELECT " ROW_COLUMNS " FROM version v WHERE v.gen = ? AND v.type = ? AND v.id = ?"
		" ORDER BY v.position DESC LIMIT ?";
	sqlite3_stmt *st;
	int64_t gen;
	bool began;
	int rc;

	*rows = NULL;
	*n = 0;
	if (look_begin(log, &began, &gen) < 0)
		return err_code();
	rc = database_statement(&log->db, descending ? down : up, &st);
	if (!rc) {
		bind_i64(st, 1, gen);
		bind_text(st, 2, type);
		bind_text(st, 3, id);
		bind_i64(st, 4, limit ? (int64_t)limit : -1);
		rc = collect_rows(log, st, a, rows, n);
	}
	database_read_end(&log->db, began);
	return rc;
}
