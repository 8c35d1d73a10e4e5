/*
 * checks_private - what the files of checks.h share: a model while it is loaded.
 */
#ifndef PORTSIDE_COMMAND_CHECKS_PRIVATE_H
#define PORTSIDE_COMMAND_CHECKS_PRIVATE_H

#include "command/checks.h"
#include "domain/configuration.h"
#include "domain/object.h"
#include "workspace/workspace.h"

struct loading {
	struct checks *out;
	struct workspace *ws;
	const struct checks_request *r;
	const char *subject;			/* the attempt, or the run that is asked alone */
	struct attempt_state *attempt;
	struct migration_state *migration;
	const struct config *config;		/* in force */
	struct check_state **states;		/* all of the attempt */
	size_t states_n;
	struct arena *a;			/* of OUT */
};

/* The questions of L0 that nobody else answered, by the run that decides it. */
int checks_take_runs(struct loading *l, struct checks_configuration *c) ATTR_MUST_USE;
/* Where C is optimized: only optimized runs answer for the contract. */
int checks_take_contract(struct loading *l, struct checks_configuration *c) ATTR_MUST_USE;
/* Fills in what S has on record; NULL: nothing. */
void checks_take_record(struct checks_item *item, const struct loading *l,
	const struct check_state *s);
/* The state of a question; NULL: nobody answered it. */
const struct check_state *checks_find_state(
	const struct loading *l, const char *configuration, const char *check);
/* Says TEXT below all answers, once. */
void checks_note(struct loading *l, const char *text);
/* Comparability and L1 of C. */
int checks_load_gaps(struct loading *l, struct checks_configuration *c) ATTR_MUST_USE;
/* The cheapest next check of C. */
void checks_find_next(struct loading *l, struct checks_configuration *c);

#endif
