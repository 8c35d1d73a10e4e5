/*
 * log_fixture - a folder with a log, and a small projector whose meaning the
 * tests can compute by themselves.
 *
 * The projector makes one row of type "object" per object: parent and sort from
 * d.parent and d.sort, state "COUNT:VALUE" of the events so far and the last
 * d.value.  Kind test.gone removes the object; test.refused fails.
 */
#ifndef PORTSIDE_TESTS_STORE_LOG_FIXTURE_H
#define PORTSIDE_TESTS_STORE_LOG_FIXTURE_H

#include "base/event.h"
#include "store/log.h"
#include "store/projection.h"

struct fixture {
	char folder[64];	/* with nothing in it */
	char db[80];		/* FOLDER/log.db */
	struct arena a;
};

int fixture_setup(void **state);
int fixture_teardown(void **state);

extern const struct projector test_projector;	/* fold version 1 */

/* Opens for writing with the projector, or fails the test. */
struct log *fixture_log(struct fixture *f);
/* Appends {value, sort, parent} to OBJECT. */
struct event *append_value(struct fixture *f, struct log *log, const char *object,
			   const char *value, const char *sort, const char *parent);
/* N such events in one batch, to the objects "even" and "odd" in turn. */
void append_n(struct fixture *f, struct log *log, int n);
/* Runs SQL on the file with a plain connection that has none of our settings. */
int plain_sql(const char *db, const char *sql);
int64_t plain_i64(const char *db, const char *sql);

/* An event of another replica in canonical bytes. */
struct event *make_event(struct arena *a, const char *replica, int64_t seq,
			 const struct event *prev, int64_t lamport, const char *value);

#endif
