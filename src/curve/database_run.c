/* database_run - opening, choosing, and where the reading stands. */
#include "config.h"

#include "curve/database_run.h"

#include <sqlite3.h>
#include <stdlib.h>

#include "base/err.h"

/* No run and no log: most likely the run is in the log. */
static int list_runs(struct store_runs *out, struct foreign_database *d, database_list_fn *list)
{
	int rc = list(out, d);

	return rc == 0 && !out->n && d->log_missing ? foreign_database_lacks_log(d) : rc;
}

int database_list_runs(struct store_runs *out, const char *path, const atomic_bool *cancel,
	database_list_fn *list)
{
	struct foreign_database d;
	int rc = foreign_database_open(&d, path, cancel);

	if (rc < 0)
		return rc;
	rc = list_runs(out, &d, list);
	foreign_database_close(&d);
	return rc;
}

static int choose_run(struct database_run *r, const struct curve_sink *sink, database_list_fn *list)
{
	struct store_runs runs = STORE_RUNS_INIT;
	const struct store_run *run;
	char *kept = sink->options->store_run ? NULL : store_choice_read(r->database.path);
	int rc = list_runs(&runs, &r->database, list);

	if (rc == 0)
		rc = store_runs_choose(&runs, sink->name,
			sink->options->store_run ? sink->options->store_run : kept, &run);
	if (rc == 0)
		r->id = xstrdup(run->id);
	free(kept);
	store_runs_release(&runs);
	return rc;
}

static void forget(struct database_run *r)
{
	free(r->id);
	r->id = NULL;
	r->complete = false;
	r->stamp = (struct foreign_stamp){ .settled = false };
}

int database_run_begin(struct database_run *r, struct curve_sink *sink, const char *path,
	database_list_fn *list)
{
	struct foreign_stamp now;
	int rc;

	if (r->open) {
		r->database.cancel = sink->cancel;
		return DATABASE_RUN_READ;
	}
	if ((rc = foreign_stamp_read(&now, path)) < 0)
		return rc;
	if (foreign_stamp_replaced(&r->stamp, &now)) {
		forget(r);
		return CURVE_VOID;
	}
	if (r->complete && foreign_stamp_same(&r->stamp, &now))
		return CURVE_SAME;
	if ((rc = foreign_database_open(&r->database, path, sink->cancel)) < 0)
		return rc;
	r->open = true;
	r->complete = false;
	r->stamp = now;
	if (!r->id && (rc = choose_run(r, sink, list)) < 0)
		return database_run_fail(r, rc);
	return DATABASE_RUN_READ;
}

static void shut(struct database_run *r)
{
	if (r->open)
		foreign_database_close(&r->database);
	r->open = false;
}

int database_run_end(struct database_run *r, bool more)
{
	if (more)
		return CURVE_MORE;
	shut(r);
	r->complete = true;
	return CURVE_CHANGED;
}

int database_run_fail(struct database_run *r, int error)
{
	shut(r);
	return error;
}

void database_run_release(struct database_run *r)
{
	shut(r);
	forget(r);
}

int table_cursor_holds(const struct table_cursor *c, struct foreign_database *d, const char *sql)
{
	sqlite3_stmt *st;
	int rc;

	if (c->last == INT64_MIN)
		return 1;
	if ((rc = foreign_database_prepare(d, sql, &st)) == 0) {
		sqlite3_bind_int64(st, 1, c->last);
		rc = foreign_database_step(d, st);
	}
	sqlite3_finalize(st);
	return rc;
}
