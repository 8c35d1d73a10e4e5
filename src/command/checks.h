/*
 * checks - what is proven of an attempt, on which configuration, and by what.
 *
 * One model for `check` and for the view of checks.  Per configuration: the levels as
 * they are on record, what was expected, claimed and measured side by side, and every
 * question of L0, L2, L3 and L4 with its result, who said so and on which evidence.
 * Beside the record stands what the evidence here says NOW, where that was asked for:
 * reading it takes a moment, so a screen loads without first.
 *
 * What nobody checked is a list of its own, never an empty cell; L1 is a list of gaps,
 * no verdict.  Comparability comes before both: a gap of what cannot be compared says
 * so.  The cheapest next check is the required question that is open and takes the
 * fewest minutes.
 *
 *	struct checks checks;
 *	struct checks_request r = { .subject = "7", .now = true };
 *
 *	if (checks_load(&checks, ws, &r) < 0)
 *		return -1;
 *	for (size_t i = 0; i < checks.n; i++)
 *		puts(checks.configurations[i].measured);
 *	checks_release(&checks);
 *
 * Nothing is recorded by it.  Texts are sanitised and live in the model's own arena, so
 * that a worker can hand it to the screen.
 */
#ifndef PORTSIDE_COMMAND_CHECKS_H
#define PORTSIDE_COMMAND_CHECKS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/event.h"
#include "base/mem.h"
#include "curve/comparable.h"
#include "domain/check.h"
#include "domain/level.h"
#include "domain/verdict.h"

struct migration_state;
struct run_checks;
struct workspace;

struct checks_request {
	const char *subject;		/* an attempt, or a run: then its configuration alone */
	const char *configuration;	/* NULL: all */
	const struct position *at;	/* NULL: now */
	bool now;			/* the evidence is read as well */
	bool gaps;			/* curves are read: comparability, L1 */
	const atomic_bool *cancel;	/* may be NULL */
};

/* A place that an answer rests on. */
struct checks_place {
	const char *name;		/* "probe/probe-0-71.jsonl" */
	long long line;			/* from 1; 0: the whole file */
	const char *parser;		/* "probe@1"; "": not told */
	const char *digest;		/* of the file, 64 hex digits; "": not on record */
};

struct checks_item {
	const char *check;		/* "grad", "goal.accuracy" */
	const struct check_item *item;	/* question, what confirms, what refutes, minutes */
	bool required;			/* a level needs it; always but for L2 */
	/* On record. */
	enum check_result result;	/* of people and tools */
	enum check_result claimed;	/* what the agent says, which never counts */
	bool contradicted;		/* a person and a tool disagree */
	const char *who, *when;		/* of the entry that counts; "" for none */
	const char *text;		/* its sentence; "" for none */
	const char *run;		/* whose evidence it is; "" */
	struct checks_place *places;
	size_t places_n;
	size_t entries_n;		/* how often it was answered, struck ones too */
	/* Now, where it was asked for. */
	bool looked;
	enum check_result now;
	const char *now_text, *now_run;
	struct checks_place *now_places;
	size_t now_places_n;
	bool differs;			/* from the tool's own last record */
};

/* L1: a measurement, no verdict. */
struct checks_gap {
	const char *goal, *metric;
	enum comparable_overall comparable;	/* OPEN: nobody knows */
	const char *text;		/* "-1.64 pp: 84.89 against 86.53", or why there is none */
};

struct checks_configuration {
	const char *name;
	bool intended;			/* the one that L2 to L4 must be proven on */
	bool simulated;			/* a stand-in ran there: confirms nothing above L0 */
	struct level_vector vector;
	struct ladder ladder;
	const char *measured;		/* "L0, L2 refuted (up to L0)" */
	enum level expected, claimed;	/* LEVEL_UNSET: nobody said */
	const char *claimed_text;	/* the agent's words; "" */
	enum claim_verdict claim;	/* CLAIM_OVER is the dangerous one */
	bool surprise;
	struct checks_item *items;	/* by level, then as in the table of questions */
	size_t items_n;
	/* Of the required questions of L2. */
	size_t required, confirmed, refuted, unknown, not_checked, not_applicable;
	size_t not_required;
	const char *level2;		/* checks_required_text() */
	/* First of all: whether the runs may be compared, and what for. */
	const char *comparable;		/* one sentence; "" where nothing was compared */
	const char *missing;		/* why there is nothing to compare; "" */
	enum comparable_overall overall;	/* OPEN: nobody knows */
	struct checks_gap *gaps;
	size_t gaps_n;
	const char *contract;		/* it was optimized, and owes a run of the contract; "" */
	const struct checks_item *next;	/* the cheapest next check; NULL: none is open */
	const char *next_text;		/* how, as one sentence with the minutes; "" */
	const struct run_checks *looked;	/* what was asked, for recording it; NULL */
};

struct checks {
	struct arena arena;
	const char *attempt;
	struct checks_configuration *configurations;	/* the intended one first */
	size_t n;
	const char *intended;		/* "": not declared */
	const char *guard;		/* "validated on 1 chip, intended 4"; "": not so */
	const char **notes;		/* what a reader has to know */
	size_t notes_n;
};

/* "L2 of 12 required questions, 3 not required by ana, 27 Oct"; or that all are. */
const char *checks_required_text(const struct migration_state *m, struct arena *a);

/* OUT is yours: checks_release(), also after an error.  ERR_NOT_FOUND, ERR_CANCELLED. */
int checks_load(struct checks *out, struct workspace *ws, const struct checks_request *r)
	ATTR_MUST_USE;
void checks_release(struct checks *checks);

#endif
