/*
 * fixture - a migration in a temporary folder: a git repository, and a handle
 * on its workspace.  The environment shows a person, whatever runs the tests.
 *
 *	struct workspace_fixture *f = *state;
 *
 *	git_fixture_commit(&f->git, "use xla\n");
 *	git_fixture_run(&f->git, "git tag attempt/1");
 *	discovered = fixture_discover(f);
 *	attempt = fixture_attempt(f, "1");
 */
#ifndef PORTSIDE_TESTS_WORKSPACE_FIXTURE_H
#define PORTSIDE_TESTS_WORKSPACE_FIXTURE_H

#include "domain/object.h"
#include "tests/store/git_fixture.h"
#include "workspace/discover.h"
#include "workspace/workspace.h"

struct workspace_fixture {
	struct git_fixture git;
	struct workspace *ws;		/* opened when it is first needed */
	struct arena a;
};

/* For cmocka_unit_test_setup_teardown(). */
int fixture_setup(void **state);
int fixture_teardown(void **state);

/* The handle, opened on the repository; fails the test when it cannot be. */
struct workspace *fixture_workspace(struct workspace_fixture *f);
void fixture_close(struct workspace_fixture *f);

struct discovered fixture_discover(struct workspace_fixture *f);
/* must be there */
struct attempt_state *fixture_attempt(struct workspace_fixture *f, const char *id);
int64_t fixture_events(struct workspace_fixture *f);
/* How many events of KIND (of OBJECT, or NULL for all). */
size_t fixture_count(struct workspace_fixture *f, const char *kind, const char *object);

/* Writes portside.conf into the main work tree. */
void fixture_conf(struct workspace_fixture *f, const char *text);

/* Records an event; field and text pairs follow (a NULL text: no field), NULL ends.  Its id. */
const char *fixture_record(struct workspace_fixture *f, const char *actor, const char *kind,
	const char *object, ...) __attribute__((sentinel));

/* Each file below PATH with its size and digest, in bytes' order: what a call
 * that must not write has to leave as it was. */
char *fixture_listing(struct workspace_fixture *f, const char *path);

#endif
