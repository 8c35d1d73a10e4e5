/*
 * run_fixture - runs in a fixture's log with curve files of their own.
 *
 *	run_fixture_begin(f);			// portside.conf, accepted; attempts 1 and 2
 *	run_fixture_add(f, &(struct fixture_run){ .id = "ps-aaaaaaaaaaaaa", .attempt = "reference", ... });
 *	run_fixture_file(f, "ps-aaaaaaaaaaaaa", "metrics.jsonl", text);
 */
#ifndef PORTSIDE_TESTS_WORKSPACE_RUN_FIXTURE_H
#define PORTSIDE_TESTS_WORKSPACE_RUN_FIXTURE_H

#include "tests/workspace/fixture.h"

struct fixture_run {
	const char *id;			/* ps- and 13 letters */
	const char *attempt, *kind, *target, *seed;
	const char *state;		/* "" while it runs */
	const char *elapsed_ns;		/* NULL: unknown */
	const char *chips;		/* NULL: 1 */
};

/* Goals accuracy (eval_accuracy, pp, margin 1) and wer; targets gpu, tpu-1, tpu-4. */
void run_fixture_begin(struct workspace_fixture *f);
void run_fixture_add(struct workspace_fixture *f, const struct fixture_run *r);
void run_fixture_end(struct workspace_fixture *f, const char *run, const char *state);
/* Writes (or appends to) a file below the run's artifacts. */
void run_fixture_file(
	struct workspace_fixture *f, const char *run, const char *name, const char *text);
void run_fixture_append(
	struct workspace_fixture *f, const char *run, const char *name, const char *text);
const char *run_fixture_path(struct workspace_fixture *f, const char *run, const char *name);

/* JSON lines of METRIC: N points every STRIDE steps from FIRST + SLOPE * i; WALL_S 0: no times. */
const char *run_fixture_rows(struct workspace_fixture *f, const char *metric, int n, int stride,
	double first, double slope, double wall_s);

#endif
