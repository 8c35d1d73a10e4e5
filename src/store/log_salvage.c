/* Takes events and texts out of a damaged database. */
#include "config.h"

#include "store/log_salvage.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/fs.h"
#include "store/database.h"
#include "store/log_internal.h"

enum { HEADER_BYTES = 100, PAGE_BYTES = 4096 };
enum { ROW_BYTES_MIN = 64 };	/* so that the size of the file bounds how many there are */
enum { ID_DISTANCE_MAX = 1024 };	/* how far before its body a row's id lies at most */
enum { FILE_MAX = 1 << 30 };

static void add_event(struct salvage *s, const void *body, size_t n, const void *id, size_t id_n)
{
	struct event *e;

	if (event_parse(&e, &s->arena, body, n) < 0 || id_n != sizeof e->id.bytes ||
	    memcmp(id, e->id.bytes, id_n)) {
		s->invalid++;
		return;
	}
	ARRAY_GROW(s->events, s->n, s->cap);
	s->events[s->n++] = e;
}

static void add_blob(struct salvage *s, sqlite3_stmt *st)
{
	struct blob_record r = { .n = 0 };
	struct digest actual;

	if (!column_digest(st, 1, &r.digest)) {
		s->blobs_invalid++;
		return;
	}
	if (sqlite3_column_type(st, 3) != SQLITE_NULL) {
		r.salt_n = (size_t)sqlite3_column_bytes(st, 2);
		r.salt = arena_memdup(
			&s->arena, r.salt_n ? sqlite3_column_blob(st, 2) : "", r.salt_n);
		r.n = (size_t)sqlite3_column_bytes(st, 3);
		r.bytes = arena_strndup(&s->arena, r.n ? sqlite3_column_blob(st, 3) : "", r.n);
		actual = blob_digest(r.salt, r.salt_n, r.bytes, r.n);
		if (!digest_equal(&actual, &r.digest)) {
			s->blobs_invalid++;
			return;
		}
	}
	ARRAY_GROW(s->blobs, s->n_blobs, s->cap_blobs);
	s->blobs[s->n_blobs++] = r;
}

static void add_event_row(struct salvage *s, sqlite3_stmt *st)
{
	add_event(s, sqlite3_column_blob(st, 2), (size_t)sqlite3_column_bytes(st, 2),
		  sqlite3_column_blob(st, 1), (size_t)sqlite3_column_bytes(st, 1));
}

/* How one table is read: forwards, backwards from its end, and row by row. */
struct table {
	const char *forwards, *backwards, *one;
	void (*add)(struct salvage *s, sqlite3_stmt *st);
};

static const struct table tables[] = {
	{ "SELECT row, id, body FROM event NOT INDEXED ORDER BY row",
		"SELECT row, id, body FROM event NOT INDEXED WHERE row > ? ORDER BY row DESC",
		"SELECT row, id, body FROM event NOT INDEXED WHERE row = ?", add_event_row },
	{ "SELECT rowid, digest, salt, bytes FROM blob NOT INDEXED ORDER BY rowid",
		"SELECT rowid, digest, salt, bytes FROM blob NOT INDEXED WHERE rowid > ? ORDER BY rowid DESC",
		"SELECT rowid, digest, salt, bytes FROM blob NOT INDEXED WHERE rowid = ?",
		add_blob },
};

/* Adds rows until the end or an error; the number of the last row, or OTHERWISE. */
static int64_t scan(struct salvage *s, sqlite3 *db, const struct table *t, const char *sql,
		    int64_t bound, int64_t otherwise, bool *good)
{
	sqlite3_stmt *st = NULL;
	int64_t last = otherwise;
	int rc = sqlite3_prepare_v2(db, sql, -1, &st, NULL);

	if (rc == SQLITE_OK) {
		sqlite3_bind_int64(st, 1, bound);
		while ((rc = sqlite3_step(st)) == SQLITE_ROW) {
			last = sqlite3_column_int64(st, 0);
			t->add(s, st);
		}
	}
	sqlite3_finalize(st);
	*good = rc == SQLITE_DONE;
	return last;
}

/* Looks for the rows between LOW and HIGH one by one. */
static void probe(struct salvage *s, sqlite3 *db, const struct table *t, int64_t low, int64_t high)
{
	sqlite3_stmt *st = NULL;
	int64_t row;

	if (sqlite3_prepare_v2(db, t->one, -1, &st, NULL) != SQLITE_OK)
		return;
	for (row = low + 1; row < high; row++) {
		sqlite3_bind_int64(st, 1, row);
		if (sqlite3_step(st) == SQLITE_ROW)
			t->add(s, st);
		sqlite3_reset(st);
	}
	sqlite3_finalize(st);
}

static void scan_table(struct salvage *s, sqlite3 *db, const struct table *t, int64_t rows_max)
{
	int64_t low, high;
	bool good;

	low = scan(s, db, t, t->forwards, 0, 0, &good);
	if (good)
		return;
	s->incomplete = true;
	high = scan(s, db, t, t->backwards, low, low + rows_max, &good);
	probe(s, db, t, low, high < low + rows_max ? high : low + rows_max);
}

static void put_be(unsigned char *p, uint32_t v, int n)
{
	for (; n > 0; n--, v >>= 8)
		p[n - 1] = (unsigned char)v;
}

/*
 * The header of our files is known but for the size and some counters, so a
 * damaged one is written anew: sizes and formats as this program makes them.
 */
static int repair_header(const char *path)
{
	unsigned char h[HEADER_BYTES];
	int fd = open(path, O_RDWR | O_CLOEXEC);
	int rc = 0;

	if (fd < 0)
		return err_errno(ERR_IO, "%s", path);
	memset(h, 0, sizeof h);
	memcpy(h, "SQLite format 3", 16);
	put_be(h + 16, PAGE_BYTES, 2);
	h[18] = h[19] = 1;				/* rollback journal */
	h[21] = 64, h[22] = h[23] = 32;			/* fractions, fixed */
	put_be(h + 24, 1, 4);				/* change counter */
	put_be(h + 28, (uint32_t)(fs_size(path) / PAGE_BYTES), 4);
	put_be(h + 40, 1, 4);				/* schema cookie */
	put_be(h + 44, 4, 4);				/* schema format */
	put_be(h + 56, 1, 4);				/* UTF-8 */
	put_be(h + 60, DATABASE_VERSION, 4);
	put_be(h + 68, DATABASE_APPLICATION_ID, 4);
	put_be(h + 92, 1, 4);				/* the counter above is valid */
	if (pwrite(fd, h, sizeof h, 0) != (ssize_t)sizeof h)
		rc = err_errno(ERR_IO, "%s", path);
	close(fd);
	return rc;
}

static bool opens(sqlite3 *db)
{
	return sqlite3_exec(db, "PRAGMA writable_schema=ON; SELECT count(*) FROM sqlite_schema",
			    NULL, NULL, NULL) == SQLITE_OK;
}

static void scan_tables(struct salvage *s, sqlite3 *db, const char *path)
{
	int64_t rows_max = fs_size(path) / ROW_BYTES_MIN;
	size_t i;

	for (i = 0; i < ARRAY_LEN(tables); i++)
		scan_table(s, db, &tables[i], rows_max);
}

/* Through SQLite, which also rolls back what a crash left half done. */
static int read_tables(struct salvage *s, const char *path)
{
	sqlite3 *db = NULL;
	int rc = 0;

	s->incomplete = true;
	if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK && opens(db)) {
		s->incomplete = false;
		scan_tables(s, db, path);
	}
	sqlite3_close(db);
	if (s->n || !s->incomplete)
		return 0;
	rc = repair_header(path);
	if (rc < 0)
		return rc;
	if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK && opens(db))
		scan_tables(s, db, path);
	sqlite3_close(db);
	return 0;
}

/* The end of the object that begins at P, or NULL. */
static const char *object_end(const char *p, const char *end)
{
	bool quoted = false;
	int depth = 0;

	for (; p < end; p++) {
		if (quoted && *p == '\\')
			p++;
		else if (*p == '"')
			quoted = !quoted;
		else if (!quoted && *p == '{')
			depth++;
		else if (!quoted && *p == '}' && --depth == 0)
			return p + 1;
	}
	return NULL;
}

/* An event at P whose id lies in the bytes just before it. */
static bool carve_one(struct salvage *s, const char *start, const char *p, const char *limit)
{
	const char *end = object_end(p, limit - p > EVENT_BODY_MAX ? p + EVENT_BODY_MAX : limit);
	const char *from = p - start > ID_DISTANCE_MAX ? p - ID_DISTANCE_MAX : start;
	const char *id;
	struct event *e;

	if (!end || event_parse(&e, &s->arena, p, (size_t)(end - p)) < 0)
		return false;
	id = memmem(from, (size_t)(p - from), e->id.bytes, sizeof e->id.bytes);
	if (!id)
		return false;
	ARRAY_GROW(s->events, s->n, s->cap);
	s->events[s->n++] = e;
	return true;
}

static int carve(struct salvage *s, const char *path)
{
	static const char begin[] = "{\"v\":\"1\",\"r\":\"";
	struct buf b = BUF_INIT;
	const char *p, *end;

	if (fs_read(&b, path, FILE_MAX) < 0) {
		buf_release(&b);
		return err_code();
	}
	end = b.s + b.n;
	for (p = b.s; (p = memmem(p, (size_t)(end - p), begin, sizeof begin - 1)); p++)
		carve_one(s, b.s, p, end);
	buf_release(&b);
	return 0;
}

static int by_order(const void *a, const void *b)
{
	struct position x = event_position(*(struct event *const *)a);
	struct position y = event_position(*(struct event *const *)b);

	return position_compare(&x, &y);
}

static void sort_and_unite(struct salvage *s)
{
	size_t i, n = 0;

	if (s->n)
		qsort(s->events, s->n, sizeof *s->events, by_order);
	for (i = 0; i < s->n; i++)
		if (!n || !digest_equal(&s->events[n - 1]->id, &s->events[i]->id))
			s->events[n++] = s->events[i];
	s->n = n;
}

int salvage_read(struct salvage *s, const char *path)
{
	memset(s, 0, sizeof *s);
	if (read_tables(s, path) < 0)
		return err_code();
	/* What a transaction took back may still lie in the file, so the bytes are
	 * searched only when the tables did not read as a whole. */
	if (s->incomplete && carve(s, path) < 0)
		return err_code();
	sort_and_unite(s);
	return 0;
}

void salvage_release(struct salvage *s)
{
	free(s->events);
	free(s->blobs);
	arena_release(&s->arena);
	memset(s, 0, sizeof *s);
}
