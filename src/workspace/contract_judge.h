/*
 * contract_judge - one output held against what its case expects.
 *
 * The kinds of failure stay apart, since each asks for another look: a program that
 * raised, one that gave nothing, one that gave something of another form, and one that
 * gave a likely answer that is wrong.  Not evaluated is none of them, and no pass.
 *
 *	struct contract_result r;
 *
 *	contract_judge(&r, &contract.cases[i], &outputs.cases[i], &contract, &places, &arena);
 *	printf("%s: %s\n", word_name(&words_contract_outcome, r.outcome), r.text);
 */
#ifndef PORTSIDE_WORKSPACE_CONTRACT_JUDGE_H
#define PORTSIDE_WORKSPACE_CONTRACT_JUDGE_H

#include "workspace/contract_outputs.h"

enum contract_outcome {
	CONTRACT_OUTCOME_NONE, CONTRACT_OK, CONTRACT_EXCEPTION, CONTRACT_EMPTY,
	CONTRACT_UNEXPECTED_SHAPE, CONTRACT_PLAUSIBLE_BUT_WRONG, CONTRACT_NOT_EVALUATED,
};
enum { CONTRACT_OUTCOMES = 7 };
extern const struct words words_contract_outcome;

/* Closer to it, where something is. */
enum contract_code {
	CONTRACT_CODE_NONE, CONTRACT_DTYPE, CONTRACT_NON_FINITE, CONTRACT_WRONG_LABEL,
	CONTRACT_OUT_OF_TOLERANCE, CONTRACT_MISSING, CONTRACT_EXTRA,
};
extern const struct words words_contract_code;

/* Where files that a contract and outputs name lie; NULL: they are not read. */
struct contract_places {
	const char *expected, *outputs;
};

struct contract_result {
	enum contract_outcome outcome;
	enum contract_code code;
	const char *text;		/* what differs, in one sentence; "" for ok */
	const char *least; /* tolerance that would have been enough; "" where none is known */
	bool unsupported;		/* the program says so: no defect */
	bool borrowed_default;		/* the tolerance is the type's, nobody chose it */
};

/* Everything in A or borrowed from what is given. */
void contract_judge(struct contract_result *out, const struct contract_case *c,
	const struct contract_output *o, const struct contract *contract,
	const struct contract_places *places, struct arena *a);

/* "bf16", "bfloat16": for contract_read(). */
bool contract_knows_type(const char *name);

#endif
