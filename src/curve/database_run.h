/*
 * database_run - one run in a tracker's database that is followed.
 *
 * What the readers of MLflow and trackio share: has the file changed, which of its
 * runs is meant, and where the reading of a table stands.  A table is read in the
 * order of its row numbers, some thousand rows a call, and later from the last one
 * on; when that row is gone, or another file stands there, all is read again.
 *
 *	rc = database_run_begin(&s->run, sink, path, list_my_runs);
 *	if (rc != DATABASE_RUN_READ)
 *		return rc;			nothing new, or an error
 *	... read rows after s->rows.last ...
 *	return database_run_end(&s->run, more);
 */
#ifndef PORTSIDE_CURVE_DATABASE_RUN_H
#define PORTSIDE_CURVE_DATABASE_RUN_H

#include "curve/foreign_database.h"
#include "curve/reader.h"
#include "curve/store_runs.h"

enum {
	DATABASE_RUN_READ = 100,	/* beside enum curve_progress: go on and read */
	DATABASE_ROWS_A_CALL = 50000,
};

struct database_run {
	struct foreign_database database;
	struct foreign_stamp stamp;	/* of what is read, or was read last */
	bool open;			/* between the first and the last call of a reading */
	bool complete;			/* all that the stamp stands for was read */
	char *id;			/* of the run; NULL: not chosen yet */
};

/* The runs of an opened database. */
typedef int database_list_fn(struct store_runs *out, struct foreign_database *d);

/*
 * DATABASE_RUN_READ with the database open and the run chosen; CURVE_SAME when
 * nothing changed; CURVE_VOID when another file stands at PATH; an error.
 */
int database_run_begin(struct database_run *r, struct curve_sink *sink, const char *path,
	database_list_fn *list) ATTR_MUST_USE;
/* Closes the database unless MORE is to be read; CURVE_MORE or CURVE_CHANGED. */
int database_run_end(struct database_run *r, bool more);
/* After an error: closes, and the next call begins again. */
int database_run_fail(struct database_run *r, int error);
void database_run_release(struct database_run *r);

/* Lists the runs of the database at PATH. */
int database_list_runs(struct store_runs *out, const char *path, const atomic_bool *cancel,
	database_list_fn *list) ATTR_MUST_USE;

/* How far a table is read.  SQL is a literal that selects row number ?1 of it. */
struct table_cursor {
	int64_t last;			/* number of the last row that was looked at */
};

#define TABLE_CURSOR_INIT { .last = INT64_MIN }		/* none was */

/* 1 when the last row is still there, or none was read; 0 when not; an error. */
int table_cursor_holds(const struct table_cursor *c, struct foreign_database *d,
	const char *sql) ATTR_MUST_USE;

#endif
