/*
 * fixture - a folder for one test, runs in it, and waiting with a limit.
 *
 * Every wait polls a condition and fails the test after WAIT_LIMIT_MS.
 */
#ifndef PORTSIDE_TESTS_LAUNCH_FIXTURE_H
#define PORTSIDE_TESTS_LAUNCH_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/mem.h"
#include "launch/launch.h"
#include "launch/process.h"
#include "launch/verdict.h"

enum { WAIT_LIMIT_MS = 120000 };

struct fixture {
	struct arena arena;
	char *folder;		/* removed at the end */
	char *runs;
	char *work;		/* the runs' working folder */
	char *program;		/* with the subcommand `supervise` */
	struct launch *launch;
	const char *rundir;
};

int fixture_setup(void **state);
int fixture_teardown(void **state);	/* kills what a test left */

struct run_spec fixture_spec(struct fixture *f);
/* Prepare and start; the test fails when it does not start. */
void fixture_start(struct fixture *f, const struct run_spec *s);
void fixture_start_script(struct fixture *f, const char *script);

/* The verdict once it is KIND. */
struct run_verdict fixture_wait(struct fixture *f, enum run_verdict_kind kind);
struct status fixture_wait_final(struct fixture *f);
void fixture_wait_file(const char *path);		/* exists and is not empty */
void fixture_wait_dead(const struct process *p);	/* gone, or a zombie */
/* One pause of a wait; fails the test when *WAITED_MS is used up. */
void fixture_pause(int *waited_ms, const char *what);

char *fixture_read(struct fixture *f, const char *path, size_t *n);
char *fixture_log(struct fixture *f);
/* The process whose pid a script wrote to work/NAME. */
struct process fixture_read_process(struct fixture *f, const char *name);

#endif
