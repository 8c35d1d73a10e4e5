/* Reads the views: now, and as of a position, where a version may be kept as what
 * differs from newer ones. */
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

#define ROW_COLUMNS "type, id, parent, sort, position, state"

/* Texts are borrowed from ST; the state is not among them. */
static void look_at_row(sqlite3_stmt *st, struct projection_row *r)
{
	memset(r, 0, sizeof *r);
	r->type = (const char *)sqlite3_column_text(st, 0);
	r->id = (const char *)sqlite3_column_text(st, 1);
	r->parent = (const char *)sqlite3_column_text(st, 2);
	if (r->parent && !r->parent[0])
		r->parent = NULL;
	r->sort = sqlite3_column_int64(st, 3);
	if (sqlite3_column_bytes(st, 4) == (int)sizeof r->position.bytes)
		memcpy(r->position.bytes, sqlite3_column_blob(st, 4), sizeof r->position.bytes);
}

static void copy_row(struct projection_row *to, struct arena *a, const struct projection_row *r)
{
	*to = *r;
	to->type = arena_strdup(a, r->type);
	to->id = arena_strdup(a, r->id);
	to->parent = arena_strdup(a, r->parent);
	to->state = arena_strdup(a, r->state);
}

static int take_state(
	struct buf *out, struct log *log, sqlite3_stmt *st, int column, const struct buf *newer)
{
	/* Bytes first: asking for the type of a blob may move it. */
	const void *bytes = sqlite3_column_blob(st, column);

	return version_take(out, log->coder, bytes, (size_t)sqlite3_column_bytes(st, column),
		newer ? newer->s : NULL, newer ? newer->n : 0);
}

/* ---- one object ------------------------------------------------------------------- */

static int bind_object(struct log *log, sqlite3_stmt **st, const char *sql, int64_t gen,
	const char *type, const char *id)
{
	if (database_statement(&log->db, sql, st) < 0)
		return err_code();
	bind_i64(*st, 1, gen);
	bind_text(*st, 2, type);
	bind_text(*st, 3, id);
	return 0;
}

/* 1 found; R's texts but the state are borrowed from the statement, until FN of
 * the caller has copied them. */
static int get_now(struct log *log, int64_t gen, const char *type, const char *id, struct arena *a,
		   struct projection_row **out)
{
	static const char sql[] =
		"SELECT " ROW_COLUMNS " FROM current WHERE gen = ?1 AND type = ?2 AND id = ?3";
	struct buf text = BUF_INIT;
	struct projection_row r;
	sqlite3_stmt *st;
	int rc;

	if (bind_object(log, &st, sql, gen, type, id) < 0)
		return err_code();
	rc = database_step(&log->db, st);
	if (rc <= 0)
		return rc;
	look_at_row(st, &r);
	rc = take_state(&text, log, st, 5, NULL);
	if (rc == 0) {
		r.state = text.s;
		*out = ARENA_NEW(a, struct projection_row);
		copy_row(*out, a, &r);
		rc = 1;
	}
	sqlite3_reset(st);
	buf_release(&text);
	return rc;
}

/* The text of the latest version, which CURRENT has. */
static int take_current(
	struct buf *out, struct log *log, int64_t gen, const char *type, const char *id)
{
	static const char sql[] =
		"SELECT state FROM current WHERE gen = ?1 AND type = ?2 AND id = ?3";
	sqlite3_stmt *st;
	int rc;

	if (bind_object(log, &st, sql, gen, type, id) < 0)
		return err_code();
	rc = database_step(&log->db, st);
	if (rc == 0)
		return err_set(ERR_DAMAGED,
			"%s: the view of %s %s has no latest version; build the views anew",
			log->db.path, type, id);
	if (rc > 0) {
		rc = take_state(out, log, st, 0, NULL);
		sqlite3_reset(st);
	}
	return rc;
}

/* Versions of one object as they are kept, oldest first. */
struct kept {
	struct projection_row row;	/* the state is not set */
	const void *bytes;		/* NULL: gone */
	size_t n;
};

struct chain {
	struct arena *a;
	struct kept *rows;
	size_t n, cap;
};

static void add_kept(struct chain *c, sqlite3_stmt *st)
{
	struct projection_row r;
	struct kept *k;

	look_at_row(st, &r);
	ARRAY_GROW(c->rows, c->n, c->cap);
	k = &c->rows[c->n++];
	copy_row(&k->row, c->a, &r);
	k->bytes = sqlite3_column_blob(st, 5);
	k->n = (size_t)sqlite3_column_bytes(st, 5);
	if (sqlite3_column_type(st, 5) == SQLITE_NULL)
		k->bytes = NULL;
	else
		k->bytes = k->n ? arena_memdup(c->a, k->bytes, k->n) : "";
}

/* A version that can be read without a newer one. */
static bool stands_alone(const struct kept *k)
{
	return !k->bytes || !version_is_older(k->bytes, k->n);
}

/* Gives the first WANTED rows their states, from the last one back. */
static int resolve(struct log *log, int64_t gen, struct chain *c, size_t wanted)
{
	struct buf newer = BUF_INIT, text = BUF_INIT;
	int rc = 0;

	for (size_t i = c->n; i-- > 0 && rc >= 0; ) {
		struct kept *k = &c->rows[i];
		struct buf swap;

		if (!k->bytes)
			continue;
		rc = k->n ? version_take(&text, log->coder, k->bytes, k->n, newer.s, newer.n) :
			    take_current(&text, log, gen, k->row.type, k->row.id);
		if (rc >= 0 && i < wanted)
			k->row.state = arena_strndup(c->a, text.s, text.n);
		swap = newer;
		newer = text;
		text = swap;
	}
	buf_release(&newer);
	buf_release(&text);
	return rc;
}

/* Reads rows of ST until WANTED are there and the last one stands alone. */
static int read_chain(struct log *log, struct chain *c, sqlite3_stmt *st, size_t wanted)
{
	int rc = 0;

	while ((!wanted || c->n < wanted || !stands_alone(&c->rows[c->n - 1])) &&
		(rc = database_step(&log->db, st)) > 0)
		add_kept(c, st);
	sqlite3_reset(st);
	return rc < 0 ? rc : 0;
}

/* The version at AT or the last one before it. */
static int get_then(struct log *log, int64_t gen, const char *type, const char *id,
	const struct position *at, struct arena *a, struct projection_row **out)
{
	static const char sql[] =
		"SELECT " ROW_COLUMNS " FROM version WHERE gen = ?1 AND type = ?2 AND id = ?3"
		" AND position >= (SELECT max(position) FROM version WHERE gen = ?1 AND type = ?2 AND id = ?3"
		" AND position <= ?4) ORDER BY position";
	struct arena mine = ARENA_INIT;
	struct chain c = { .a = &mine };
	sqlite3_stmt *st;
	int rc;

	if (bind_object(log, &st, sql, gen, type, id) < 0)
		return err_code();
	bind_blob(st, 4, at->bytes, sizeof at->bytes);
	rc = read_chain(log, &c, st, 1);
	if (rc == 0)
		rc = resolve(log, gen, &c, 1);
	if (rc == 0 && c.n && c.rows[0].row.state) {
		*out = ARENA_NEW(a, struct projection_row);
		copy_row(*out, a, &c.rows[0].row);
		rc = 1;
	}
	free(c.rows);
	arena_release(&mine);
	return rc;
}

int projection_get(struct log *log, const char *type, const char *id, const struct position *at,
		   struct arena *a, struct projection_row **out)
{
	int64_t gen;
	bool began;
	int rc;

	*out = NULL;
	if (look_begin(log, &began, &gen) < 0)
		return err_code();
	rc = at ? get_then(log, gen, type, id, at, a, out) : get_now(log, gen, type, id, a, out);
	database_read_end(&log->db, began);
	return rc;
}

/* ---- lists -------------------------------------------------------------------------- */

/* Parameters: 1 generation, 2 type, 3 limit, 4 offset, 5 position, 6 parent.  Both
 * kinds of list are walked in an index. */
#define NOW_WHERE(where) " FROM current WHERE gen = ?1 AND type = ?2" where
#define THEN_WHERE(where) " FROM slot WHERE gen = ?1 AND type = ?2" where \
	" AND first <= ?5 AND (until IS NULL OR until > ?5)"
#define NOW_LIST(where, order) \
	"SELECT " ROW_COLUMNS ", brief" NOW_WHERE(where) " ORDER BY " order " LIMIT ?3 OFFSET ?4"
#define THEN_LIST(where, order) \
	"SELECT id" THEN_WHERE(where) " ORDER BY " order " LIMIT ?3 OFFSET ?4"
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

static int each_now(
	struct log *log, sqlite3_stmt *st, bool brief, projection_row_fn *fn, void *user)
{
	struct buf text = BUF_INIT;
	int rc, result = 0;

	while (result >= 0 && (rc = database_step(&log->db, st)) > 0) {
		struct projection_row r;

		look_at_row(st, &r);
		r.state = brief ? (const char *)sqlite3_column_text(st, 6) : NULL;
		if (!r.state) {
			result = take_state(&text, log, st, 5, NULL);
			r.state = text.s;
		}
		if (result >= 0)
			result = fn(user, &r);
	}
	sqlite3_reset(st);
	buf_release(&text);
	return result < 0 ? result : rc;
}

/* The ids first: each object's versions are then looked up in turn. */
static int each_then(struct log *log, sqlite3_stmt *st, int64_t gen,
	const struct projection_query *q, projection_row_fn *fn, void *user)
{
	struct arena a = ARENA_INIT, row = ARENA_INIT;
	const char **ids = NULL;
	size_t n = 0, cap = 0;
	int rc;

	while ((rc = database_step(&log->db, st)) > 0) {
		ARRAY_GROW(ids, n, cap);
		ids[n++] = column_text(st, 0, &a);
	}
	for (size_t i = 0; i < n && rc >= 0; i++) {
		struct projection_row *r = NULL;

		rc = get_then(log, gen, q->type, ids[i], q->at, &row, &r);
		if (rc > 0)
			rc = fn(user, r);
		arena_release(&row);
	}
	free(ids);
	arena_release(&a);
	return rc < 0 ? rc : 0;
}

int projection_each(
	struct log *log, const struct projection_query *q, projection_row_fn *fn, void *user)
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
		rc = q->at ? each_then(log, st, gen, q, fn, user)
			   : each_now(log, st, q->brief, fn, user);
	}
	database_read_end(&log->db, began);
	return rc;
}

struct collected {
	struct arena *a;
	struct projection_row *rows;
	size_t n, cap;
};

static int collect(void *user, const struct projection_row *row)
{
	struct collected *c = user;

	ARRAY_GROW(c->rows, c->n, c->cap);
	copy_row(&c->rows[c->n++], c->a, row);
	return 0;
}

int projection_list(struct log *log, const struct projection_query *q, struct arena *a,
		    struct projection_row **rows, size_t *n)
{
	struct collected c = { .a = a };
	int rc = projection_each(log, q, collect, &c);

	*n = rc < 0 ? 0 : c.n;
	*rows = *n ? arena_memdup(a, c.rows, *n * sizeof **rows) : NULL;
	free(c.rows);
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

/* ---- history --------------------------------------------------------------------------- */

static void reverse(struct chain *c)
{
	for (size_t i = 0, k = c->n; i + 1 < k; i++) {
		struct kept swap = c->rows[i];

		c->rows[i] = c->rows[--k];
		c->rows[k] = swap;
	}
}

static int read_history(struct log *log, int64_t gen, struct chain *c, const char *type,
	const char *id, bool descending, size_t limit)
{
	static const char up[] = "SELECT " ROW_COLUMNS " FROM version"
		" WHERE gen = ?1 AND type = ?2 AND id = ?3 ORDER BY position";
	static const char down[] = "SELECT " ROW_COLUMNS " FROM version"
		" WHERE gen = ?1 AND type = ?2 AND id = ?3 ORDER BY position DESC LIMIT ?4";
	sqlite3_stmt *st;
	int rc;

	if (bind_object(log, &st, descending ? down : up, gen, type, id) < 0)
		return err_code();
	if (descending)
		bind_i64(st, 4, limit ? (int64_t)limit : -1);
	rc = read_chain(log, c, st, descending ? 0 : limit);
	if (descending)
		reverse(c);
	return rc < 0 ? rc : resolve(log, gen, c, descending || !limit ? c->n : limit);
}

int projection_history(struct log *log, const char *type, const char *id, bool descending,
		       size_t limit, struct arena *a, struct projection_row **rows, size_t *n)
{
	struct chain c = { .a = a };
	int64_t gen;
	bool began;
	int rc;

	*rows = NULL;
	*n = 0;
	if (look_begin(log, &began, &gen) < 0)
		return err_code();
	rc = read_history(log, gen, &c, type, id, descending, limit);
	database_read_end(&log->db, began);
	if (rc >= 0) {
		if (descending)
			reverse(&c);
		*n = limit && limit < c.n ? limit : c.n;
		*rows = arena_alloc(a, *n * sizeof **rows);
		for (size_t i = 0; i < *n; i++)
			(*rows)[i] = c.rows[i].row;
	}
	free(c.rows);
	return rc < 0 ? rc : 0;
}
