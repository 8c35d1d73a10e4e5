/*
 * run_start - asks for a run: what is needed, what is in the way, and the start.
 *
 * A configured run takes its command from the accepted configuration, never
 * from an attempt, and works in a clean detached checkout of the commit.  A
 * wrapped run takes any command and works where the caller stands; it counts
 * for the attempt that is named, else for PORTSIDE_ATTEMPT, else for the one
 * whose tip HEAD is, else for none.  Its kind is the one that is said, else that of
 * the accepted [run] with the same command, else not known: such a run opens no
 * gate, feeds no rule, and counts for L0 only where no run of a known kind does.
 * Its uncommitted changes are kept in
 * capture/ without secrets, and their digest stands in the spec.
 *
 * The order is: every check that can fail; the checkout; the run directory on
 * disk; run.prepared; the start; run.started or run.ended.  A crash at any
 * point leaves either nothing or a run that reconciling understands, and a run
 * is never started twice.
 *
 *	struct run_request r = {
 *		.subject = "7", .kind = RUN_KIND_SMOKE, .target = "v5e-4", .program = self
 *	};
 *	struct run_started s;
 *
 *	if (run_start(&s, ws, &r, &arena) < 0)
 *		return -1;
 */
#ifndef PORTSIDE_WORKSPACE_RUN_START_H
#define PORTSIDE_WORKSPACE_RUN_START_H

#include "domain/configuration.h"
#include "domain/fold.h"
#include "domain/object.h"
#include "workspace/workspace.h"

struct run_request {
	const char *subject;		/* "7", "torchtpu/3", "reference" */
	enum run_kind kind;
	const char *target;
	const char *seed;		/* digits; NULL: 1 */
	const char *program;		/* this program, for the supervisor */
	const char *by;			/* actor who asks; NULL: the established one */
	enum run_label label;		/* NONE: bring-up, nobody said */
	bool skip_capture;		/* the packages of the interpreter are not asked for */
	bool probe;			/* Python programs are looked on; see run_probe.h */
	/* What is run, of a kind that portside.conf does not describe; NULL: it does. */
	const struct config_run *run;
};

struct run_wrap {
	const char *const *argv;	/* NULL ends */
	const char *subject;		/* NULL: found from HEAD */
	enum run_kind kind;		/* RUN_KIND_NONE: as its command tells, else unknown */
	enum run_label label;		/* NONE: bring-up, nobody said */
	const char *target;		/* NULL: "local" */
	const char *seed;
	const char *done, *artifact;	/* declared end; NULL: none */
	int64_t steps, limit_ns;
	const char *program;
	bool skip_capture, probe;
};

/* The attempt of a wrapped run when HEAD is nobody's tip. */
#define RUN_UNASSIGNED UNASSIGNED_ID

struct run_started {
	const char *run;		/* its id */
	const char *rundir;
	/* the attempt it counts for, "reference" or RUN_UNASSIGNED */
	const char *subject;
	bool already;			/* it was running before */
	/* of a program that could not be executed: 127, 126; else 0 */
	int exit_code;
};

/* A log that grows without end must not fill the disk. */
#define RUN_LOG_CAP_BYTES (INT64_C(1) << 30)

/*
 * ERR_REFUSED by the gate, by an unaccepted configuration, or read-only;
 * ERR_EXISTS when the same run (subject, commit, kind, target, seed) is under
 * way.  After any other failure that has OUT->run set, the failure is on record.
 */
int run_start(struct run_started *out, struct workspace *ws, const struct run_request *r,
	struct arena *a) ATTR_MUST_USE;
int run_wrap(struct run_started *out, struct workspace *ws, const struct run_wrap *r,
	struct arena *a) ATTR_MUST_USE;

/*
 * May a full run start?  NULL, or the sentence that says what is missing: a
 * smoke run of the same commit, target and command that confirmed L0, or a
 * recorded decision "full run anyway".
 */
int run_gate_reason(const char **reason, struct workspace *ws, const struct config *config,
	const struct run_request *r, const char *commit,
	struct arena *a) ATTR_MUST_USE; /* "no smoke run ... has passed": why, in short */
int run_gate(const char **why_not, struct workspace *ws, const struct config *config,
	const struct run_request *r, const char *commit, struct arena *a) ATTR_MUST_USE;

/* The digest that a run's command is known by: setup and command together. */
struct digest run_command_digest(const struct config_target *target, const struct config_run *run);

/* "gpu-l4, v5e-4", or how to add one: for messages. */
const char *run_target_names(const struct config *c, struct arena *a);
/* ERR_NOT_FOUND with the names that there are, and how one more comes to be. */
int run_target_find(const struct config_target **out, const struct config *c, const char *name,
	struct arena *a) ATTR_MUST_USE;

/* Commit of a subject: the attempt's tip, or the original for "reference". */
int run_commit(char out[OID_HEX + 1], struct workspace *ws, const char *subject,
	struct arena *a) ATTR_MUST_USE;

#endif
