/*
 * foreign_database - an SQLite file of another program, read and never written.
 *
 * Nothing of it is trusted, and nothing is left beside it:
 *
 *   - It is opened read-only.  A database with a write-ahead log is opened in
 *     place only where its shared memory is there already, and that is then
 *     mapped for reading; else the file and its log (or its rollback journal) are
 *     copied into a private folder and the copy is opened.  It is never opened as
 *     immutable, which would pass over the log.  A journal that names another
 *     file is refused: rolling back removes that file, wherever it is.  Copies
 *     that a killed program left are removed when the next one is made.
 *   - Its schema may be hostile: defensive mode, no trusted schema, no attached
 *     files, small limits; a "table" that is a view or a virtual table is none.
 *   - Time is bounded: a writer is waited for a short while, a single query ends at
 *     a limit, and the caller's cancel flag stops it within milliseconds.
 *
 * Sentences name the file and what is the matter: busy, damaged, cut short, not a
 * database, of another program, too large to copy.
 *
 *	struct foreign_database d;
 *
 *	if (foreign_database_open(&d, path, &cancelled) < 0)
 *		return err_code();
 *	if (foreign_database_prepare(&d, "SELECT key FROM main.metrics", &st) == 0)
 *		while ((rc = foreign_database_step(&d, st)) > 0)
 *			use(sqlite3_column_text(st, 0));
 *	sqlite3_finalize(st);
 *	foreign_database_close(&d);
 */
#ifndef PORTSIDE_CURVE_FOREIGN_DATABASE_H
#define PORTSIDE_CURVE_FOREIGN_DATABASE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "base/mem.h"

struct sqlite3;
struct sqlite3_stmt;

enum {
	FOREIGN_BUSY_MS = 500,		/* a writer is waited for so long */
	FOREIGN_QUERY_S = 20,		/* a query that takes longer is ended */
	FOREIGN_VALUE_MAX = 16 * 1024 * 1024,	/* bytes of one value */
};
#define FOREIGN_COPY_MAX (INT64_C(2) << 30)

struct foreign_database {
	struct sqlite3 *db;		/* NULL: closed */
	char *path;			/* as it was named, for sentences */
	char *real;			/* where it is, with every link followed */
	char *scratch;			/* folder of the private copy; NULL: opened in place */
	int scratch_lock;		/* of that folder, while there is one */
	/* it is kept with a write-ahead log, and none is beside it: merged, or left behind */
	bool log_missing;
	const atomic_bool *cancel;
	int64_t deadline_ns;		/* of the query at hand */
	bool late;			/* it ran into the deadline */
};

/*
 * What SQLite keeps beside a database, by the end of its name.  The first ones hold
 * rows and go where the database goes; the last one is made anew by whoever reads.
 */
enum { FOREIGN_COMPANIONS_KEPT = 2, FOREIGN_COMPANIONS = 3 };
extern const char *const foreign_companions[FOREIGN_COMPANIONS];

/* First bytes of such a file. */
bool foreign_database_is_magic(const char *head, size_t n);

/* D is closed after an error. */
int foreign_database_open(struct foreign_database *d, const char *path,
	const atomic_bool *cancel) ATTR_MUST_USE;
void foreign_database_close(struct foreign_database *d);	/* also of a closed one */

/* ERR_NOT_FOUND: what to say of one without a run, or a known table, whose log is missing. */
int foreign_database_lacks_log(const struct foreign_database *d);

/* A plain table, with rows of its own.  1, 0 or an error. */
int foreign_database_has_table(struct foreign_database *d, const char *table) ATTR_MUST_USE;
/* TABLE is a plain one. */
int foreign_database_has_column(
	struct foreign_database *d, const char *table, const char *column) ATTR_MUST_USE;

/* OUT is yours: sqlite3_finalize().  The time of the query begins here. */
int foreign_database_prepare(
	struct foreign_database *d, const char *sql, struct sqlite3_stmt **out) ATTR_MUST_USE;
/* 1 a row, 0 done, negative an error; ERR_DAMAGED when the file does not hold together. */
int foreign_database_step(struct foreign_database *d, struct sqlite3_stmt *st) ATTR_MUST_USE;
/* The first column of the first row; 0 for none or NULL. */
int foreign_database_i64(
	struct foreign_database *d, const char *sql, int64_t *out) ATTR_MUST_USE;
/* The text of a column; never NULL, *N without the NUL behind it. */
const char *foreign_column_text(struct sqlite3_stmt *st, int i, size_t *n);

/*
 * What tells that a database changed: its file and those beside it.  A file that
 * changed just now may change again within the same tick of its clock, so such a
 * stamp equals none.
 */
struct foreign_stamp {
	struct foreign_file {
		dev_t device;
		ino_t inode;
		int64_t size, changed_ns, status_ns;
	} file, log;
	bool settled;
};
int foreign_stamp_read(struct foreign_stamp *out, const char *path) ATTR_MUST_USE;
bool foreign_stamp_same(const struct foreign_stamp *a, const struct foreign_stamp *b);
/* Another file stands at the path. */
bool foreign_stamp_replaced(const struct foreign_stamp *before, const struct foreign_stamp *now);

#endif
