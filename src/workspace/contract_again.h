/*
 * contract_again - does an optimized configuration still owe a run of the contract?
 *
 * Optimizing makes another program: what a bring-up run showed of the contract is never
 * shown for it.  From the first optimized run of an attempt on a configuration on, only
 * optimized runs answer for the contract there, and of people only who spoke after that
 * run was prepared.  The earlier answers stay on record, as those of bring-up.
 *
 * The reference owes nothing: it is the environment that was understood before.
 *
 *	struct contract_again again;
 *
 *	if (contract_again_read(&again, ws, attempt, "v5e-4", NULL, &arena) < 0)
 *		return -1;
 *	if (*again.owes)
 *		puts(again.owes);
 */
#ifndef PORTSIDE_WORKSPACE_CONTRACT_AGAIN_H
#define PORTSIDE_WORKSPACE_CONTRACT_AGAIN_H

#include "domain/object.h"
#include "workspace/workspace.h"

struct contract_again {
	const struct attempt_state *attempt;	/* borrowed */
	const struct run_state *optimized;	/* the first of them; NULL: none, all counts */
	const struct check_state *output; /* does every output satisfy it? NULL: nobody said */
	bool has_contract;			/* one was accepted, or run */
	/* Why nothing shows that the contract holds there, and what to do; "" where it is
	 * confirmed by who counts, or where nothing is optimized or there is no contract. */
	const char *owes;
};

/* Texts in A.  AT NULL: now. */
int contract_again_read(struct contract_again *out, struct workspace *ws,
	const struct attempt_state *attempt, const char *configuration,
	const struct position *at, struct arena *a) ATTR_MUST_USE;

/* Does an entry of a question of the contract answer for what is there now? */
bool contract_again_counts(const struct contract_again *again, const struct check_entry *e);

/* What people and tools who count say together, as in the fold. */
enum check_result contract_again_result(
	const struct contract_again *again, const struct check_state *s);

#endif
