/*
 * check - the five-valued result of a question, and the table of questions.
 *
 * confirmed is the only value that counts as pass, refuted the only one that
 * counts as fail.  AND never passes vacuously: an empty list, or one in which
 * nothing applies, is "not checked".
 *
 * A check is named by its id: "exit", "grad", "goal.accuracy", where the part
 * after the dot names the goal.  Its object in the log is
 * ATTEMPT@CONFIGURATION:CHECK, for example "7@v5e-4:grad".
 */
#ifndef PORTSIDE_DOMAIN_CHECK_H
#define PORTSIDE_DOMAIN_CHECK_H

#include <stdbool.h>
#include <stddef.h>

#include "base/check_result.h"
#include "base/expr.h"
#include "base/mem.h"
#include "domain/vocabulary.h"

/* Words as shown: "not checked", "confirmed", "refuted", "unknown", "not applicable". */
extern const struct words words_check;

/* Also accepts not-checked and not-applicable; -1 for anything else. */
int check_result_find(const char *word);

/* AND of two folds into one; start with check_all_start. */
struct check_all {
	size_t refuted, open, confirmed, not_applicable;
};
void check_all_add(struct check_all *all, enum check_result r);
enum check_result check_all_result(const struct check_all *all);
enum check_result check_all(const enum check_result *results, size_t n);

/* confirmed and refuted become true and false; everything else unknown. */
enum truth check_truth(enum check_result r);

/* What two authors of one check amount to: a contradiction is unknown. */
enum check_result check_combine(enum check_result human, enum check_result tool);

struct check_item {
	const char *id;
	const char *level;		/* "L0", "L2", "L3", "L4", "contract" */
	const char *question;
	const char *confirms, *refutes;	/* the evidence, one line each */
	bool per_goal;			/* the id takes ".GOAL" */
	bool runtime;			/* needs runtime evidence: no static tool confirms it */
	int minutes;			/* rough cost of the cheapest way to find out */
};

/* The ordered checkpoints of a contract: one is never reported as all of them. */
#define CHECK_LEVEL_CONTRACT "contract"
enum { CHECK_CONTRACT_ITEMS = 5 };

extern const struct check_item check_items[];
extern const size_t check_items_n;
enum { CHECK_L2_ITEMS = 15 };

/* By id, with or without ".GOAL"; NULL when there is none. */
const struct check_item *check_find(const char *id);
/* The goal's name inside "goal.accuracy"; "" when there is none. */
const char *check_goal(const char *id);

/* Object ids.  Parts are copied into A; false when S has another form. */
struct check_name {
	const char *attempt, *configuration, *check;
};
const char *check_object_id(
	struct arena *a, const char *attempt, const char *configuration, const char *check);
bool check_object_parse(struct check_name *out, struct arena *a, const char *s);
/* "7@v5e-4", the object of sign-offs. */
const char *assessment_object_id(struct arena *a, const char *attempt, const char *configuration);
bool assessment_object_parse(struct check_name *out, struct arena *a, const char *s);

#endif
