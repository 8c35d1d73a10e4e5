/*
 * run_offer - what starting a run would mean, before anything is started.
 *
 * For one subject: every target of the accepted configuration with its price,
 * what a run may cost at most, and whether the gate lets a full run through.
 * Nothing here starts anything; `run` checks all of it again.
 */
#ifndef PORTSIDE_COMMAND_RUN_OFFER_H
#define PORTSIDE_COMMAND_RUN_OFFER_H

#include "command/operation.h"
#include "domain/configuration.h"

/* [run "smoke"] or [run "full"] as it would be run. */
struct run_offer_kind {
	bool configured;
	const char *command;
	int64_t limit_ns, budget_nano_usd, steps;	/* 0: none */
	const char *done, *artifact;			/* "" none */
	bool checkable;		/* an end is declared: without one, exit 0 stays unknown */
};

struct run_offer_target {
	const char *name;
	enum target_kind kind, simulates;
	int64_t chips;
	const char *price;		/* "1.20 USD/chip-hour x 4"; "unknown" */
	int64_t most_nano_usd[2];	/* a smoke, a full run at its limit; -1: unknown */
	const char *gate;		/* why a full run may not start; NULL: it may */
	const char *doubts;		/* lines of command/run_doubts.h; "" */
};

struct run_offer {
	const char *subject;		/* "7", "reference" */
	char commit[48];		/* "" when there is none */
	const char *refusal;		/* why nothing can start; NULL: something can */
	struct run_offer_kind kinds[2];	/* smoke, full */
	struct run_offer_target *targets;
	size_t n_targets;
	const char *intended;		/* the target that levels must be proven on; "" */
	const char *live;		/* runs of it that are under way, in words; "" */
};

/* Everything in A.  An unaccepted configuration is an answer (REFUSAL), no error. */
int run_offer_read(struct run_offer *out, struct workspace *ws, const char *subject,
	struct arena *a) ATTR_MUST_USE;

#endif
