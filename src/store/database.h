/*
 * database - one connection to the log's SQLite file, opened the only safe way.
 *
 * Rollback journal DELETE with synchronous=EXTRA, BEGIN IMMEDIATE for writes,
 * never a memory map, no trusted schema.  WAL is not used: its reset bug is in
 * the SQLite versions that distributions still ship.  A write that meets BUSY is
 * rolled back and tried again with jitter until a limit, since a COMMIT that
 * could not get its lock leaves the transaction open.
 *
 * Internal to src/store.  Owns its prepared statements: one per text of SQL,
 * which must be a literal; a statement is used up before it is asked for again.
 *
 *	struct sqlite3_stmt *st;
 *	if (database_statement(d, "SELECT max(row) FROM event", &st) < 0)
 *		return err_code();
 *	while ((rc = database_step(d, st)) > 0)
 *		... copy columns ...
 */
#ifndef PORTSIDE_STORE_DATABASE_H
#define PORTSIDE_STORE_DATABASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/hash.h"
#include "base/mem.h"

struct sqlite3;
struct sqlite3_stmt;
struct database_statement;

enum {
	DATABASE_APPLICATION_ID = 0x50525431,	/* "PRT1" at byte 68 of the file */
	DATABASE_VERSION = 3,			/* user_version that this program writes */
	DATABASE_BUSY_LIMIT_MS = 10000,
};

struct database {
	struct sqlite3 *db;
	char *path;
	bool read_only;
	int busy_limit_ms;
	int64_t busy_since_ns;
	dev_t device;			/* of the open file, to notice a replaced one */
	ino_t inode;
	struct database_statement *statements;
	size_t n_statements, cap_statements;
};

struct database_options {
	bool read_only;
	bool create;
	int busy_limit_ms;		/* 0: DATABASE_BUSY_LIMIT_MS */
};

/* Errors as log_open().  D is released after an error. */
int database_open(struct database *d, const char *path,
		  const struct database_options *o) ATTR_MUST_USE;
void database_close(struct database *d);

/* Brings the file from its user_version to VERSION, one transaction each, with a
 * backup before the first when there is something to lose. */
int database_migrate(struct database *d, int version) ATTR_MUST_USE;

/* The tables of the projections, as main's ("") or as this connection's ("temp."). */
int database_make_projections(struct database *d, const char *schema) ATTR_MUST_USE;

/* A consistent copy at PATH: made beside, checked there, then renamed. */
int database_backup(struct database *d, const char *path) ATTR_MUST_USE;

/* Turns SQLite's last error into a sentence and a code; DOING: "reading events". */
int database_fail(struct database *d, const char *doing);

int database_exec(struct database *d, const char *sql) ATTR_MUST_USE;
int database_statement(
	struct database *d, const char *sql, struct sqlite3_stmt **out) ATTR_MUST_USE;
/* 1 a row, 0 done (and reset), negative an error (and reset). */
int database_step(struct database *d, struct sqlite3_stmt *st) ATTR_MUST_USE;
/* Prepares all anew: names may mean other tables from here on. */
void database_forget_statements(struct database *d);
/* Steps to the end, ignoring rows.  Returns the number of changed rows. */
int database_run(struct database *d, struct sqlite3_stmt *st) ATTR_MUST_USE;
/* First column of the first row; 0 for none or NULL. */
int database_i64(struct database *d, const char *sql, int64_t *out) ATTR_MUST_USE;

/*
 * Runs FN between BEGIN IMMEDIATE and COMMIT.  A negative result rolls back and
 * is returned; BUSY rolls back and runs FN again, so FN must not have effects
 * outside the database that cannot be repeated.  The result of FN, else.
 */
typedef int database_write_fn(struct database *d, void *user);
int database_write(struct database *d, database_write_fn *fn, void *user) ATTR_MUST_USE;

/* Several reads that see one state.  Inside a write transaction it does nothing. */
int database_read_begin(struct database *d, bool *began) ATTR_MUST_USE;
void database_read_end(struct database *d, bool began);

/* Binding and copying of what the tables hold; indexes as SQLite's (1.., 0..). */
void bind_text(struct sqlite3_stmt *st, int i, const char *s);		/* NULL: NULL; borrowed */
void bind_blob(struct sqlite3_stmt *st, int i, const void *p, size_t n);	/* borrowed */
void bind_i64(struct sqlite3_stmt *st, int i, int64_t v);
void bind_digest(struct sqlite3_stmt *st, int i, const struct digest *d);
char *column_text(struct sqlite3_stmt *st, int i, struct arena *a);	/* NULL: NULL */
bool column_digest(struct sqlite3_stmt *st, int i, struct digest *out);	/* false: not 32 bytes */

#endif
