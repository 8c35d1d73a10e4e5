/*
 * contract_judge_private - what the judges of scalars and of tensors share.
 */
#ifndef PORTSIDE_WORKSPACE_CONTRACT_JUDGE_PRIVATE_H
#define PORTSIDE_WORKSPACE_CONTRACT_JUDGE_PRIVATE_H

#include "evidence/tensor_type.h"
#include "workspace/contract_judge.h"

struct contract_judging {
	struct contract_result *out;
	const struct contract_case *c;
	const struct json *value;	/* of the output, without its wrapping */
	const struct contract *contract;
	const struct contract_places *places;
	struct arena *arena;
};

void contract_fail(struct contract_judging *j, enum contract_outcome outcome,
	enum contract_code code, const char *fmt, ...) ATTR_PRINTF(4, 5);
void contract_judge_tensor(struct contract_judging *j);

/* TENSOR_UNKNOWN when nobody knows it. */
enum tensor_type contract_type_find(const char *name);

/* "0.0123": the shortest that reads back alike. */
const char *contract_number_text(struct arena *a, double v);
/* The same of a tolerance that is enough, in few digits. */
const char *contract_least_text(struct arena *a, double v);

#endif
