/* Salted texts beside the log. */
#include "config.h"

#include "store/blob.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "store/log_internal.h"

struct digest blob_digest(const void *salt, size_t salt_n, const void *bytes, size_t n)
{
	struct sha256 *h = sha256_new();

	sha256_update(h, salt, salt_n);
	sha256_update(h, bytes, n);
	return sha256_final(h);
}

int blob_insert_row(struct log *log, const struct digest *digest, const void *salt, size_t salt_n,
		    const void *bytes, size_t n)
{
	sqlite3_stmt *st;

	if (n > BLOB_MAX)
		return err_set(ERR_USAGE, "a text of %zu bytes is too long; the limit is %d MiB", n,
			       BLOB_MAX >> 20);
	if (database_statement(&log->db, "INSERT INTO blob(digest, salt, bytes) VALUES(?, ?, ?)",
			       &st) < 0)
		return err_code();
	bind_digest(st, 1, digest);
	bind_blob(st, 2, salt, salt_n);
	if (bytes)
		bind_blob(st, 3, bytes, n);
	return database_run(&log->db, st);
}

int blob_insert_new(struct log *log, const void *bytes, size_t n, struct digest *digest)
{
	unsigned char salt[BLOB_SALT_BYTES];

	random_bytes(salt, sizeof salt);
	*digest = blob_digest(salt, sizeof salt, bytes, n);
	return blob_insert_row(log, digest, salt, sizeof salt, n ? bytes : "", n);
}

/* Copies a row of (salt, bytes) after checking it. */
static int take_bytes(struct log *log, sqlite3_stmt *st, const struct digest *digest,
		      enum blob_state *state, struct buf *out)
{
	const void *salt = sqlite3_column_blob(st, 0);
	const void *bytes = sqlite3_column_blob(st, 1);
	size_t salt_n = (size_t)sqlite3_column_bytes(st, 0);
	size_t n = (size_t)sqlite3_column_bytes(st, 1);
	char hex[DIGEST_HEX + 1];
	struct digest actual;

	if (sqlite3_column_type(st, 1) == SQLITE_NULL) {
		*state = BLOB_WITHHELD;
		return 0;
	}
	actual = blob_digest(salt ? salt : "", salt_n, bytes ? bytes : "", n);
	digest_hex(hex, digest);
	if (!digest_equal(&actual, digest))
		return err_set(ERR_DAMAGED, "%s: the text %.12s was changed; run portside verify",
			       log->db.path, hex);
	*state = BLOB_PRESENT;
	if (out)
		buf_add(out, bytes ? bytes : "", n);
	return 0;
}

int log_blob(struct log *log, const struct digest *digest, enum blob_state *state, struct buf *out)
{
	sqlite3_stmt *st;
	int rc;

	*state = BLOB_ABSENT;
	if (database_statement(&log->db, "SELECT salt, bytes FROM blob WHERE digest = ?", &st) < 0)
		return err_code();
	bind_digest(st, 1, digest);
	rc = database_step(&log->db, st);
	if (rc <= 0)
		return rc;
	rc = take_bytes(log, st, digest, state, out);
	sqlite3_reset(st);
	return rc;
}

int log_blob_hex(struct log *log, const char *hex, enum blob_state *state, struct buf *out)
{
	struct digest d;

	*state = BLOB_ABSENT;
	if (!hex || !digest_from_hex(&d, hex))
		return err_set(ERR_PARSE, "%.70s: not the digest of a text", hex ? hex : "");
	return log_blob(log, &d, state, out);
}

struct put {
	struct log *log;
	const void *bytes;
	size_t n;
	struct digest digest;
};

static int put_in_transaction(struct database *d, void *user)
{
	struct put *p = user;

	(void)d;
	return blob_insert_new(p->log, p->bytes, p->n, &p->digest);
}

int blob_put(struct log *log, const void *bytes, size_t n, struct digest *digest)
{
	struct put p = { .log = log, .bytes = bytes, .n = n };
	int rc = log_require_writable(log);

	if (!rc)
		rc = database_write(&log->db, put_in_transaction, &p);
	*digest = p.digest;
	return rc < 0 ? rc : 0;
}

static int withhold_in_transaction(struct database *d, void *user)
{
	static const char sql[] = "UPDATE blob SET bytes = NULL, salt = x'' WHERE digest = ?";
	struct put *p = user;
	sqlite3_stmt *st;

	if (blob_insert_row(p->log, &p->digest, "", 0, NULL, 0) < 0 ||
	    database_statement(d, sql, &st) < 0)
		return err_code();
	bind_digest(st, 1, &p->digest);
	return database_run(d, st);
}

int blob_withhold(struct log *log, const struct digest *digest)
{
	struct put p = { .log = log, .digest = *digest };
	int rc = log_require_writable(log);

	if (!rc)
		rc = database_write(&log->db, withhold_in_transaction, &p);
	return rc < 0 ? rc : 0;
}

int blob_withhold_next(struct log *log, const struct digest *digest)
{
	struct put p = { .log = log, .digest = *digest };
	int rc = withhold_in_transaction(&log->db, &p);

	return rc < 0 ? rc : 0;
}

int blob_records(struct log *log, const struct digest *after, size_t limit, struct arena *a,
		 struct blob_record **out, size_t *n)
{
	static const char sql[] =
		"SELECT digest, salt, bytes FROM blob WHERE digest > ? ORDER BY digest LIMIT ?";
	struct blob_record r, *records = NULL;
	size_t cap = 0;
	sqlite3_stmt *st;
	int rc;

	*n = 0;
	if (database_statement(&log->db, sql, &st) < 0)
		return err_code();
	bind_blob(st, 1, after ? (const void *)after->bytes : "", after ? sizeof after->bytes : 0);
	bind_i64(st, 2, limit ? (int64_t)limit : -1);
	while ((rc = database_step(&log->db, st)) > 0) {
		if (!column_digest(st, 0, &r.digest))
			continue;
		r.salt_n = (size_t)sqlite3_column_bytes(st, 1);
		r.salt = arena_memdup(a, r.salt_n ? sqlite3_column_blob(st, 1) : "", r.salt_n);
		r.n = (size_t)sqlite3_column_bytes(st, 2);
		r.bytes = sqlite3_column_type(st, 2) == SQLITE_NULL ? NULL :
			  arena_strndup(a, r.n ? sqlite3_column_blob(st, 2) : "", r.n);
		ARRAY_GROW(records, *n, cap);
		records[(*n)++] = r;
	}
	*out = *n ? arena_memdup(a, records, *n * sizeof *records) : NULL;
	free(records);
	return rc;
}

struct take {
	struct log *log;
	const struct blob_record *records;
	size_t n;
};

static int take_records(struct database *d, void *user)
{
	const struct take *t = user;
	size_t i;

	(void)d;
	for (i = 0; i < t->n; i++) {
		const struct blob_record *r = &t->records[i];

		if (blob_insert_row(t->log, &r->digest, r->bytes ? r->salt : NULL,
				    r->bytes ? r->salt_n : 0, r->bytes, r->n) < 0)
			return err_code();
	}
	return 0;
}

int blob_insert_foreign(struct log *log, const struct blob_record *records, size_t n)
{
	struct take t = { log, records, n };
	char hex[DIGEST_HEX + 1];
	struct digest actual;
	size_t i;

	if (log_require_writable(log) < 0)
		return err_code();
	for (i = 0; i < n; i++) {
		const struct blob_record *r = &records[i];

		if (!r->bytes)
			continue;
		actual = blob_digest(r->salt, r->salt_n, r->bytes, r->n);
		digest_hex(hex, &r->digest);
		if (r->salt_n > BLOB_SALT_MAX || !digest_equal(&actual, &r->digest))
			return err_set(ERR_PARSE,
				"the text %.12s does not match its digest; none of "
				"the %zu texts was taken",
				hex, n);
	}
	return n ? database_write(&log->db, take_records, &t) : 0;
}
