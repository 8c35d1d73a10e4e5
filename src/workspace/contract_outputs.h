/*
 * contract_outputs - what a program gave for the cases of a contract: JSON lines.
 *
 *	{"case": "plain", "output": "film", "observed": {"tokens": [7, 12]}}
 *	{"case": "long", "error": "ValueError: longer than 512", "unsupported": true}
 *	{"case": "both", "skipped": "not run in this environment"}
 *	{"checkpoint": "device", "value": "TPU v5 lite, 4 chips"}
 *	{"checkpoint": "model", "value": "m@1"}
 *	{"checkpoint": "labels", "value": ["film", "sport"]}
 *	{"checkpoint": "conditions", "value": "batch 32 in 90 ms", "met": true}
 *	{"versions": {"torch": "2.9.0", "python": "3.12"}}
 *
 * The program writes them, so they are what it says of itself.  A line that cannot be
 * read is counted and its first kept; a case with two different answers has none.
 * Numbers that are not finite may be bare words, as trainers write them.
 *
 *	struct contract_outputs o;
 *
 *	if (contract_outputs_read(&o, &contract, text, n) < 0)
 *		return -1;
 *	contract_outputs_release(&o);
 */
#ifndef PORTSIDE_WORKSPACE_CONTRACT_OUTPUTS_H
#define PORTSIDE_WORKSPACE_CONTRACT_OUTPUTS_H

#include "domain/contract.h"

enum { CONTRACT_OUTPUTS_BYTES_MAX = 64 << 20, CONTRACT_OUTPUTS_LINES_MAX = 100000 };

struct contract_output {
	int64_t line;			/* from 1; 0: there is none for this case */
	const struct json *value;	/* NULL: none was given */
	const char *error;		/* "": none */
	bool unsupported;		/* the program says that it does not do this */
	const char *skipped;		/* why it was not run; "" */
	const struct json *observed;	/* what was seen on the way; NULL */
	int64_t contradicted_by;	/* line with another answer; 0 */
};

struct contract_outputs {
	struct arena arena;
	struct contract_output *cases;	/* one a case of the contract, in its order */
	size_t cases_n;
	const char *device, *model, *conditions;	/* "": not said */
	bool conditions_said, conditions_met;
	const struct json *labels;	/* NULL: not said */
	const struct json *versions;	/* NULL: not said */
	const char **foreign;		/* cases that the contract does not have; at most a few */
	size_t foreign_n;
	int64_t lines, bad_lines, first_bad;
	const char *bad_reason;
};

/* TEXT is not needed afterwards.  ERR_PARSE: more than is read. */
int contract_outputs_read(struct contract_outputs *out, const struct contract *c, const char *text,
	size_t n) ATTR_MUST_USE;
void contract_outputs_release(struct contract_outputs *o);

#endif
