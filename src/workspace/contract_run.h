/*
 * contract_run - runs the contract on the reference or an attempt, or takes outputs
 * that exist.
 *
 * The command comes from the accepted contract and runs as any other run does: in a
 * clean checkout, on a target, with a limit.  It finds what to do in files, so that no
 * case ever reaches a shell:
 *
 *	PORTSIDE_CONTRACT		digest of the contract
 *	PORTSIDE_CONTRACT_INPUTS	JSON lines {"case": ID, "input": ...}
 *	PORTSIDE_CONTRACT_OUTPUTS	file to write, in the working folder; see
 *					contract_outputs.h
 *
 *	struct run_started s;
 *
 *	rc = contract_run(&s, ws, &(struct contract_run_request){
 *		.subject = "7", .target = "v5e-4", .program = self }, &arena);
 */
#ifndef PORTSIDE_WORKSPACE_CONTRACT_RUN_H
#define PORTSIDE_WORKSPACE_CONTRACT_RUN_H

#include "workspace/contract_file.h"
#include "workspace/run_start.h"

struct contract_run_request {
	const char *subject;		/* "7", "torchtpu/3", "reference" */
	const char *target;
	const char *program;		/* this program, for the supervisor */
	enum run_label label;		/* an optimized program answers for itself */
	bool again;			/* also when such a run has ended already */
	bool probe;
};

/* ERR_EXISTS: the same is under way, or has ended and AGAIN is not set. */
int contract_run(struct run_started *out, struct workspace *ws,
	const struct contract_run_request *r, struct arena *a) ATTR_MUST_USE;

/*
 * A run with provenance "imported" of outputs at PATH that somebody else's program wrote;
 * a target of NULL: elsewhere.  The same file for the same subject, target and label again
 * changes nothing: *ALREADY.
 */
int contract_import(const char **run, bool *already, struct workspace *ws,
	const struct contract_run_request *r, const char *path, struct arena *a) ATTR_MUST_USE;

/* Was RUN made under the contract in force? */
int contract_run_is_of(bool *out, struct workspace *ws, const struct contract_file *file,
	const struct run_state *run, struct arena *a) ATTR_MUST_USE;

/* Where the outputs of RUN are kept, in A. */
const char *contract_run_outputs(struct workspace *ws, const struct run_state *run,
	const struct contract *c, struct arena *a);

#endif
