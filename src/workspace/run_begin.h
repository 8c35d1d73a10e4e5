/*
 * run_begin - from a run directory on disk to a run that lives.
 *
 * What run_start() and run_wrap() share: run.prepared, the start, run.started
 * or run.ended.  The run's directory is held meanwhile, so that reconciling
 * never takes a run that is just being started for one that was given up.
 */
#ifndef PORTSIDE_WORKSPACE_RUN_BEGIN_H
#define PORTSIDE_WORKSPACE_RUN_BEGIN_H

#include "launch/launch.h"
#include "workspace/run_record.h"
#include "workspace/run_start.h"

/* Holds the directory of L from right after launch_prepare() on; END lets go. */
struct run_begin {
	struct workspace *ws;
	struct launch *launch;
	int hold;
};

/* ERR_STATE when somebody gave the run up already. */
int run_begin(struct run_begin *out, struct workspace *ws, struct launch *l) ATTR_MUST_USE;
int run_begin_record(
	struct run_begin *b, const struct run_facts_of_start *facts, struct arena *a) ATTR_MUST_USE;
/* OUT->run is set also when the start failed; the failure is on record then. */
int run_begin_start(struct run_started *out, struct run_begin *b, const char *program,
	struct arena *a) ATTR_MUST_USE;
void run_begin_end(struct run_begin *b);

/*
 * Gives a run up that was prepared and never started, because its starter is
 * gone: nobody can start it afterwards.  1 given up and on record, 0 when it
 * is being started or has been.
 */
int run_give_up(
	struct workspace *ws, const char *run, const char *rundir, struct arena *a) ATTR_MUST_USE;

#endif
