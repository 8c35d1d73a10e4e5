/*
 * contract_results - what one run of the contract amounts to.
 *
 * The outputs that a run left are judged case by case, and five checkpoints in order
 * are answered: the device was recognised, the intended model loaded, a small input
 * passed the intended path, the output satisfies the contract, it runs under useful
 * conditions.  Outcomes are counted apart and never added up; passing one checkpoint
 * is never told as passing all, so what counts is how many of them, from the first on,
 * are confirmed.  What a program says of itself is evidence with its name on it; that
 * conditions are useful only a person confirms.
 *
 *	struct contract_results r;
 *
 *	if (contract_results_read(&r, ws, &file, "7", NULL, NULL) < 0)
 *		return -1;
 *	if (r.run)
 *		printf("%zu of 5 checkpoints\n", r.reached);
 *	contract_results_release(&r);
 */
#ifndef PORTSIDE_WORKSPACE_CONTRACT_RESULTS_H
#define PORTSIDE_WORKSPACE_CONTRACT_RESULTS_H

#include "domain/check.h"
#include "domain/object.h"
#include "workspace/contract_file.h"
#include "workspace/contract_judge.h"

struct contract_checkpoint {
	const char *check;		/* id in the table of checks */
	const char *name;		/* "device recognised" */
	enum check_result result;
	const char *text;		/* why, in one sentence */
};

/* The earliest place where a run and that of the reference part. */
struct contract_parting {
	bool compared;			/* there was something of both sides */
	bool parts;
	const char *what;		/* "input tokens of case plain" */
	const char *text;
};

struct contract_results {
	struct arena arena;
	const struct run_state *run;	/* NULL: there is none */
	bool earlier_contract;		/* it was made under another text than the one in force */
	const char *owes;		/* it is of bring-up where something was optimized: what
					 * to do; "": it answers for what is there */
	const char *path;		/* of its outputs; "" when they are not here */
	const char *why_not;		/* there are no outputs to judge; "" */
	struct digest digest;		/* of the outputs */
	const char *brought_by;		/* who imported them; "" for a run of ours */
	struct contract_outputs outputs;
	struct contract_result *cases;	/* one a case; NULL without outputs */
	size_t cases_n;
	size_t counts[CONTRACT_OUTCOMES];
	struct contract_checkpoint checkpoints[CHECK_CONTRACT_ITEMS];
	size_t reached;			/* of them, from the first on, confirmed */
};

/*
 * Of the latest run of the contract of SUBJECT (an attempt or "reference") on
 * CONFIGURATION (NULL: any), one under the contract in force before others, and before
 * all one that answers for what is there: see contract_again.h.  FILE must have an
 * accepted contract and is borrowed.
 */
int contract_results_read(struct contract_results *out, struct workspace *ws,
	const struct contract_file *file, const char *subject, const char *configuration,
	const struct position *at) ATTR_MUST_USE;
void contract_results_release(struct contract_results *r);

/* The same for outputs that are no run's; PATH is read. */
int contract_results_judge(struct contract_results *out, struct workspace *ws,
	const struct contract *c, const char *path) ATTR_MUST_USE;

/* Puts the five answers on record; *RECORDED: how many were new. */
int contract_results_record(struct workspace *ws, const struct contract_results *r,
	size_t *recorded, struct arena *a) ATTR_MUST_USE;

/* In A. */
void contract_parting_find(struct contract_parting *out, const struct contract *c,
	const struct contract_results *reference, const struct contract_results *attempt,
	struct arena *a);

/* For contract_results.c alone. */
void contract_checkpoints_answer(struct contract_results *r, const struct contract *c);

#endif
