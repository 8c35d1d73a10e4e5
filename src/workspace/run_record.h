/*
 * run_record - what the log says about a run: prepared, started, ended, each at
 * most once per run and state, decided inside the write transaction.
 *
 * Any process may come upon a run that another one started, so each function may
 * be called again: what is on record already is no error and writes nothing.
 * Errors are those of workspace_record(); the run itself is not touched.
 *
 *	if (run_record_write(rundir, &spec, &facts, &a) < 0 ||
 *	    run_record_prepared(ws, &spec, &facts, &a) < 0)
 *		return -1;
 */
#ifndef PORTSIDE_WORKSPACE_RUN_RECORD_H
#define PORTSIDE_WORKSPACE_RUN_RECORD_H

#include "domain/configuration.h"
#include "domain/vocabulary.h"
#include "launch/run_spec.h"
#include "workspace/workspace.h"

struct run_facts_of_start {
	const char *subject;		/* attempt object id, "reference", "unassigned" */
	enum run_kind kind;		/* NONE: nobody said */
	bool kind_by_command;		/* it was told from the command */
	enum run_label label;		/* NONE: nobody said, which is bring-up */
	const struct config_target *target;	/* NULL: a place that is not configured */
	const char *target_name;	/* used without TARGET */
	enum provenance provenance;
	struct digest command;
	const char *by;
};

/*
 * The facts as RUNDIR/prepared.json, durably, before they go into the log: a
 * process that dies between the two leaves enough for run_record_found() to
 * record the very same event.
 */
int run_record_write(const char *rundir, const struct run_spec *spec,
	const struct run_facts_of_start *f, struct arena *a) ATTR_MUST_USE;
int run_record_prepared(struct workspace *ws, const struct run_spec *spec,
	const struct run_facts_of_start *f, struct arena *a) ATTR_MUST_USE;
/* For a run directory that the log does not know: from prepared.json, or from
 * SPEC alone where there is none. */
int run_record_found(struct workspace *ws, const char *rundir, const struct run_spec *spec,
	struct arena *a) ATTR_MUST_USE;

int run_record_started(struct workspace *ws, const char *run, struct arena *a) ATTR_MUST_USE;
int run_record_failed_start(
	struct workspace *ws, const char *run, const char *sentence, struct arena *a) ATTR_MUST_USE;

/* Records KIND of RUN unless the run has an event of this kind and state: 0
 * recorded, 1 was there already, negative an error. */
int run_record_once(struct workspace *ws, const char *run, const char *kind, const char *state,
	const struct json *data, struct arena *a) ATTR_MUST_USE;

#endif
