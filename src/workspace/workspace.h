/*
 * workspace - one opened migration: its log, its repository, its configuration.
 *
 * A handle belongs to one thread; a screen's worker opens its own.  Opening
 * finds the place and opens the log, which takes about a millisecond; the
 * repository and the configuration are opened when they are first asked for.
 *
 * With read_only nothing is written anywhere in the migration: when there is no
 * log yet, an empty one in a private temporary folder takes its place, which
 * goes away with the handle; a log whose views another version made is copied
 * there for reading.
 *
 * An agent never writes the log itself: its handle is opened with `spools`, and
 * what it asserts becomes a file in the spool (workspace_spool()), which the
 * next handle that may write takes in (workspace_ingest()).
 *
 *	struct workspace *ws;
 *
 *	if (workspace_open(&ws, ".", &(struct workspace_options){ 0 }) < 0)
 *		return -1;
 *	...
 *	workspace_close(ws);
 */
#ifndef PORTSIDE_WORKSPACE_WORKSPACE_H
#define PORTSIDE_WORKSPACE_WORKSPACE_H

#include <stdbool.h>

#include "base/event.h"
#include "base/mem.h"
#include "domain/authority.h"
#include "store/log.h"
#include "store/repository.h"
#include "store/spool.h"
#include "workspace/place.h"

struct workspace;

struct workspace_options {
	bool read_only;
	bool no_create;		/* ERR_NOT_FOUND when there is no log yet */
	bool spools;		/* for an agent: reads the log, writes the spool */
};

int workspace_open(struct workspace **out, const char *directory,
	const struct workspace_options *o) ATTR_MUST_USE;
void workspace_close(struct workspace *ws);	/* NULL is fine */

/* What further handles of this process open for the same: a bundle is unpacked
 * once, and what one handle hands out about its files outlives that handle.  As
 * long as this one is open. */
const char *workspace_again(const struct workspace *ws);

const struct place *workspace_place(const struct workspace *ws);
struct log *workspace_log(struct workspace *ws);
bool workspace_read_only(const struct workspace *ws);	/* the log; also of a handle that spools */
bool workspace_spools(const struct workspace *ws);
const struct actor *workspace_actor(const struct workspace *ws);

/* "runs", "evidence", "spool", "cache": below the state folder, in A. */
char *workspace_path(const struct workspace *ws, struct arena *a, const char *name);

/* Opened at the first call; borrowed. */
int workspace_repository(struct workspace *ws, struct repository **out) ATTR_MUST_USE;

/* Memory that lives as long as the handle: for what is read once. */
struct arena *workspace_arena(struct workspace *ws);

/*
 * Records an event as the established actor (ACTOR NULL) or as another one.
 * Free-text fields of the kind may be given as plain text in DATA: they become
 * salted blobs.  How the actor was established goes into d.established.  Checks
 * the kind's rules first.  *OUT (may be NULL) is in A.
 */
struct record {
	const char *actor;
	const char *kind;
	const char *object;
	const struct json *data;
};
int workspace_record(struct workspace *ws, const struct record *r, struct arena *a,
	struct event **out) ATTR_MUST_USE;
int workspace_record_many(struct workspace *ws, const struct record *r, size_t n, struct arena *a,
	struct event **out) ATTR_MUST_USE;
/*
 * Inside the write transaction CHECK decides, see log_append_if(): its positive value is
 * returned.
 */
int workspace_record_if(struct workspace *ws, log_check_fn *check, void *user,
	const struct record *r, size_t n, struct arena *a, struct event **out) ATTR_MUST_USE;

/* One record and what follows from it, in one transaction, see log_append_then():
 * NEXT may call workspace_record_next(). */
int workspace_record_then(struct workspace *ws, const struct record *r, log_next_fn *next,
	void *user, struct arena *a, struct event **out) ATTR_MUST_USE;
int workspace_record_next(
	struct workspace *ws, const struct record *r, struct arena *a) ATTR_MUST_USE;

/* As workspace_record(), but a file for the spool; needs a handle that spools. */
int workspace_spool(struct workspace *ws, const struct record *r, struct arena *a) ATTR_MUST_USE;

/* Takes in what waits in the spool, as claims of agents and tools; nothing with
 * a handle that may not write.  See store/spool.h for OUT. */
int workspace_ingest(struct workspace *ws, struct arena *a, struct spool_result *out) ATTR_MUST_USE;

/* The text of a blob field, sanitised for people, in A: "(withheld)" or "(not
 * here)" when there is none.  HEX "" gives "". */
const char *workspace_text(struct workspace *ws, struct arena *a, const char *hex);

#endif
