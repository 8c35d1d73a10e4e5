/*
 * contract - contract.json with types: what must survive the move.
 *
 * A small agreement about inputs, outputs, acceptable differences and failures, made
 * before the move: what is fixed, a fixture of cases that a person can look at one by
 * one, and for each case what is expected, why that is right, and how far off it may
 * be.  portside-contract(5) describes the file.
 *
 * Reading finds every mistake at once, each with its place: "cases[2].tolerance:
 * needs a reason".  Nothing outside of the text is looked at.
 *
 *	struct contract c;
 *
 *	if (contract_read(&c, text, n, knows_type) < 0)
 *		for (i = 0; i < c.errors_n; i++) puts(c.errors[i]);
 *	contract_release(&c);
 */
#ifndef PORTSIDE_DOMAIN_CONTRACT_H
#define PORTSIDE_DOMAIN_CONTRACT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/json.h"
#include "base/mem.h"
#include "domain/accepted_difference.h"
#include "domain/vocabulary.h"

#define CONTRACT_FILE "contract.json"
/* Where a program writes its outputs when the contract names no other place. */
#define CONTRACT_OUTPUTS "contract-outputs.jsonl"

enum {
	CONTRACT_BYTES_MAX = 1 << 20,
	CONTRACT_CASES_MAX = 200,	/* a person looks at every one */
	CONTRACT_ERRORS_MAX = 100,
	CONTRACT_LIST_MAX = 100,
};

/* How an output is held against what is expected. */
enum contract_kind {
	CONTRACT_KIND_NONE, CONTRACT_EXACT_BYTES, CONTRACT_EXACT_VALUE, CONTRACT_LABEL,
	CONTRACT_SET, CONTRACT_ORDERED_TOP_K, CONTRACT_NUMBER, CONTRACT_TENSOR,
	CONTRACT_TEXT_CONSTRAINT, CONTRACT_HUMAN,
};
extern const struct words words_contract_kind;

/* Why a case is in the fixture; each of them must be there. */
enum contract_role {
	CONTRACT_ROLE_NONE, CONTRACT_NORMAL, CONTRACT_SHORT, CONTRACT_LONG, CONTRACT_AMBIGUOUS,
	CONTRACT_SPECIAL,
};
enum { CONTRACT_ROLES = 5 };
extern const struct words words_contract_role;

/* Given numbers only; of what is not given the default of the type holds. */
struct contract_tolerance {
	bool given;			/* the case has a tolerance, and so a reason */
	bool has_absolute, has_relative, has_ulp, has_cosine, has_rmse_ratio, has_positions;
	double absolute, relative;	/* |d| <= absolute + relative |expected| */
	int64_t ulp;			/* steps of the type; 1 at least */
	double cosine;			/* the least that passes */
	double rmse_ratio;		/* RMSE over the RMS of the expected, at most */
	int64_t positions;		/* places by which a member may have moved */
	const char *reason;
};

struct contract_case {
	const char *id;
	enum contract_role role;
	enum contract_kind kind;
	const char *why;		/* the expected behaviour is right */
	const struct json *input;	/* never NULL after a good reading */
	const struct json *expected;	/* NULL when it rejects */
	bool rejects;			/* an error is what is expected */
	const char *type;		/* of numbers: "bf16"; "" without */
	struct contract_tolerance tolerance;
};

/* A role that the fixture does not have, and why it cannot. */
struct contract_without {
	enum contract_role role;
	const char *reason;
};

struct contract {
	struct arena arena;
	const char *task;
	/* what is fixed */
	const char *model, *input_processing, *settings, *configuration;
	const char **labels;		/* n 0: there are none, LABELS_REASON says why */
	size_t labels_n;
	const char *labels_reason;
	/* how it is run; COMMAND "" when outputs are brought */
	const char *command, *setup, *outputs;
	int64_t limit_ns;		/* 0 without a command */
	const char **links, **pass;
	size_t links_n, pass_n;
	const char *conditions;		/* what makes it useful; "" when not said */
	struct contract_case *cases;
	size_t cases_n;
	struct contract_without *without;
	size_t without_n;
	const char **unresolved, **not_evaluated;
	size_t unresolved_n, not_evaluated_n;
	const char **errors;		/* "cases[2].tolerance: needs a reason" */
	size_t errors_n;
	size_t errors_more;		/* beyond CONTRACT_ERRORS_MAX, counted only */
};

/*
 * Fills OUT as far as it can be read.  ERR_PARSE with the first mistake when there is
 * any.  KNOWS_TYPE tells the names of types of numbers.  TEXT is not needed afterwards.
 */
int contract_read(struct contract *out, const char *text, size_t n,
	bool (*knows_type)(const char *name)) ATTR_MUST_USE;
void contract_release(struct contract *c);

const struct contract_case *contract_case_find(const struct contract *c, const char *id);

/* May OUTPUTS of this kind be off by something? */
bool contract_kind_has_tolerance(enum contract_kind kind);

/* Appends "absolute 0.001, relative 0.016, 2 ulp"; nothing when none is given. */
void contract_tolerance_add(struct buf *out, const struct contract_tolerance *t);

/* Equal in canonical form; numbers by value where double holds it, else by digits. */
bool contract_json_equal(const struct json *a, const struct json *b);

/* What changed, for a person who accepts the file. */
/* In A; OLD may be NULL for the first acceptance (then nothing is loosened). */
struct accepted_differences contract_differences(
	struct arena *a, const struct contract *old, const struct contract *new);

#endif
