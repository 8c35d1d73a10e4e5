/*
 * store_runs - the runs that a tracker keeps in one folder or database, and which
 * of them is meant.
 *
 * A database of MLflow or trackio and a folder of MLflow hold any number of runs;
 * a curve belongs to one.  A run is named by its id, the first letters of its id,
 * or its name where only one has it.  Without a name the only run that is not
 * deleted is meant; where there are more, nobody guesses.
 *
 *	struct store_runs runs = STORE_RUNS_INIT;
 *	const struct store_run *run;
 *
 *	if (format->list_runs(&runs, path, NULL) == 0 &&
 *	    store_runs_choose(&runs, path, options->store_run, &run) == 0)
 *		read_run(run->id);
 *	store_runs_release(&runs);
 */
#ifndef PORTSIDE_CURVE_STORE_RUNS_H
#define PORTSIDE_CURVE_STORE_RUNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

struct store_run {
	char *id;		/* what the store tells runs apart by */
	char *name;		/* for people; "" when it has none */
	char *status;		/* in the store's own word, "" when it has none */
	char *path;		/* where a folder keeps it; NULL in a database */
	int64_t points;		/* -1: not counted */
	bool deleted;		/* hidden unless it is named */
};

struct store_runs {
	struct store_run *list;
	size_t n, cap;
};

#define STORE_RUNS_INIT { .list = NULL }

/* A new run with copies of ID and NAME (NULL: ""); valid until the next one is added. */
struct store_run *store_runs_add(struct store_runs *r, const char *id, const char *name);
void store_runs_release(struct store_runs *r);

/*
 * The run that WANTED means; NULL: the only one.  ERR_NOT_FOUND when the store has
 * no such run, ERR_USAGE when several are meant: both sentences list the runs with
 * their points and states.  STORE is what the sentence calls the store.
 */
int store_runs_choose(const struct store_runs *r, const char *store, const char *wanted,
	const struct store_run **out) ATTR_MUST_USE;

/*
 * Which run of a copied store was chosen stands in a file beside it, so that it is
 * known wherever the copy goes: "mlflow.db.portside-run" for "mlflow.db", with the
 * id in it.
 */
#define STORE_CHOICE_END ".portside-run"
char *store_choice_path(const char *path);	/* free() */
char *store_choice_read(const char *path);	/* NULL: no choice; free() */

/* "baseline [3f2a] 120 points FINISHED, ...", sanitised; deleted ones are left out. */
void store_runs_add_list(struct buf *out, const struct store_runs *r);

#endif
