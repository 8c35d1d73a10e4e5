/*
 * history_of_all_kinds - a migration in small with an event of every kind, in
 * the order in which they come: set up, attempts, runs of the reference and of
 * three attempts, an over-claim, an alarm and its answer, corrections, costs.
 */
#ifndef PORTSIDE_TESTS_WORKSPACE_HISTORY_OF_ALL_KINDS_H
#define PORTSIDE_TESTS_WORKSPACE_HISTORY_OF_ALL_KINDS_H

#include "tests/workspace/fixture.h"

/* Appends about 60 events to the fixture's log. */
void history_of_all_kinds(struct workspace_fixture *f);

#endif
