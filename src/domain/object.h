/*
 * object - the states that the fold keeps, as structs and as JSON text.
 *
 * Every state is plain data in an arena.  Texts are never NULL after decoding.
 * Free text is the digest of a blob (`text_digest`).  An `entry` is one
 * assertion: who made it, when, by which event, and whether it was struck by a
 * later one; struck entries stay in the lists and count for nothing.
 *
 *	struct attempt_state *s;
 *	if (object_decode((void **)&s, &arena, "attempt", text, n) < 0) ...
 *	s->measured[0].vector.l2 ...
 *
 * Units: money nano-USD, time ns, minutes as written by people.
 */
#ifndef PORTSIDE_DOMAIN_OBJECT_H
#define PORTSIDE_DOMAIN_OBJECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/mem.h"
#include "domain/cause.h"
#include "domain/check.h"
#include "domain/codec.h"
#include "domain/cost.h"
#include "domain/level.h"
#include "domain/verdict.h"
#include "domain/vocabulary.h"

struct entry {
	const char *event;	/* id, 64 hex digits */
	const char *who;	/* actor */
	const char *time;	/* UTC */
	int64_t lamport;	/* of the event: orders entries of different states */
	const char *struck;	/* id of the event that superseded it; "" while it counts */
	const char *struck_by;	/* actor */
};

/* ---- migration ---- */

/* A decision that ended something. */
struct ending {
	struct entry entry;
	enum decision_choice choice;	/* accept, abandon line, abandon migration */
	const char *line;		/* abandon line; "" is the unnamed line */
};

/* Attempts per measured level on one configuration; the best is the highest
 * that is not 0. */
struct level_count {
	const char *configuration;
	int64_t at[5];			/* none, L0, L2, L3, L4 */
	int64_t inherited;		/* of those at L3 and L4 */
};

struct goal_mark {
	const char *goal;
	bool late;			/* set after the first target run */
};

struct migration_counts {
	int64_t attempts, gone;
	int64_t successes, failures, silent, aborted, superseded;	/* by outcome in force */
	int64_t runs, runs_live, runs_ended;	/* of attempts and of the reference */
	int64_t reference_runs, reference_full, reference_ended;
	int64_t alarms, alarms_open, alarms_adjudicated;
	int64_t decisions;
	/* Minutes are those that were told; how many entries told none stands beside. */
	int64_t interventions, intervention_minutes, interventions_proposed;
	int64_t interventions_without_minutes;
	int64_t decision_minutes, decisions_without_minutes;
	int64_t notes, signoffs, evidence, sessions, over_claims;
	int64_t run_cost_nano_usd, runs_without_cost;
	int64_t other_cost_nano_usd;		/* cost.recorded */
	int64_t session_cost_nano_usd, sessions_without_cost;
	int64_t agent_ns;			/* working time of the agent */
	int64_t tokens[TOKEN_CLASSES];
};

struct migration_state {
	struct entry created;
	const char *id;			/* of migration.created */
	const char *name, *original, *repository;
	const char *config_digest;	/* portside.conf in force; "" before any acceptance */
	const char *config_text_digest;	/* its blob */
	const char *contract_digest;
	const char **required;		/* questions of L2 that are required; none: all */
	size_t required_n;
	struct entry required_by;	/* the acceptance that chose them; event "" for none */
	int64_t loosened;		/* loosenings accepted so far, for ever */
	int64_t loosened_after_failure;	/* those after a failed attempt */
	struct entry first_target_run;	/* event "" until then; goals are frozen from here */
	struct goal_mark *goals;
	size_t goals_n;
	struct migration_counts counts;
	struct level_count *levels;
	size_t levels_n;
	struct ending *endings;		/* in order; struck ones count for nothing */
	size_t endings_n;
	enum decision_choice end;	/* accept or abandon migration; none while it goes on */
	/* For the study's row: best level of the attempt that came first, and the
	 * last claim with a level. */
	const char *first_attempt, *last_claim_attempt;
	enum level level_first, level_last_claimed;
	int64_t checkpoints;
	struct entry checkpoint;	/* the last one */
	const char *checkpoint_digest, *checkpoint_where;
};

/* Highest measured level on CONFIGURATION; LEVEL_UNSET when nothing was measured. */
enum level migration_best(const struct migration_state *m, const char *configuration);
/* Does L2 require CHECK here? */
bool migration_requires(const struct migration_state *m, const char *check);
bool migration_line_abandoned(const struct migration_state *m, const char *line);
/* Over all configurations. */
enum level migration_best_anywhere(const struct migration_state *m);

/* ---- accepted files ("config", "contract") ---- */

struct acceptance {
	struct entry entry;
	const char **required;		/* questions of L2; none: all of them */
	size_t required_n;
	const char *digest, *text_digest, *summary_digest;
	const char **loosened;
	size_t loosened_n;
	bool after_failure;		/* a failed attempt was known */
};

struct config_state {
	struct acceptance *acceptances;	/* the last one not struck is in force */
	size_t acceptances_n;
	const char **checked;		/* attempts with checks: L2 of theirs hangs on the list */
	size_t checked_n;
};

/* ---- goal ---- */

struct goal_statement {
	struct entry entry;
	const char *metric, *unit, *reason_digest;
	enum goal_form form;
	enum goal_direction direction;
	/* lexemes */
	const char *scale, *target, *margin, *low, *high, *examples, *tolerance;
	const char *series, *baseline;	/* globs; "" when an older version wrote the event */
	enum goal_at at;
	bool strict;			/* worse is worse, whatever the resolution */
	bool late;			/* after the first target run */
	bool loosened;			/* late, and a weaker demand than before */
};

struct goal_state {
	const char *name;
	struct goal_statement *statements;
	size_t statements_n;
	int64_t in_force;		/* index, -1 when all are struck */
	bool frozen;			/* set before the first target run, and that has come */
};

/* ---- attempt (also the reference) ---- */

struct observation {			/* a tip that was seen, or an attempt without a commit */
	struct entry entry;
	const char *tip, *base, *source, *subject, *author, *committed;
	bool gone;
	const char *text_digest;	/* attempt.added */
};

struct expectation {
	struct entry entry;
	enum level level;
	const char *configuration;	/* "" for all */
	const char *text_digest;
	bool late;			/* a run on it was prepared before: does not count */
};

struct claim {
	struct entry entry;
	enum level level;		/* LEVEL_UNSET: a claim without a level */
	const char *configuration;
	const char *text_digest, *source;
	bool mapped;			/* a person gave the level, or L1 was mapped to L0 */
};

struct label {
	struct entry entry;
	enum attempt_outcome outcome;
	const char *cause;		/* "C3", "" */
	const char **secondary;
	size_t secondary_n;
	enum silence silent;
	const char *reviewer;
	bool blind;
	bool blind_broken;		/* the reviewer had seen a label before */
};

struct label_seen { struct entry entry; const char *reviewer, *position; };

struct run_brief {			/* what lists need of a run */
	const char *run;
	enum run_kind kind;
	const char *target, *configuration, *seed;
	enum run_status state;
	enum provenance provenance;
	enum check_result l0;
	enum run_label label;		/* bring-up where nobody said */
	bool simulated;
	bool struck;
	int64_t elapsed_ns;
	bool cost_known;
	int64_t cost_nano_usd;
};

/* What a tool measured of a goal, see goal_verdict.h; HOLDS nothing: it did not say. */
struct goal_found {
	enum seen holds, reference, matches;
	bool may_be_equal, margin_is_zero;
	const char *statement;		/* the goal.set that it was held against; "" */
};

struct check_brief {			/* what lists need of a check */
	const char *configuration, *check;
	enum check_result result;	/* of people and tools, struck ones left out */
	enum check_result claimed;	/* what the agent says */
	bool contradicted;		/* a person and a tool disagree */
	bool by_person;			/* a person's word is in RESULT */
	/* Of a goal, by the tool's entry in force. */
	struct goal_found goal;
	int64_t recorded_at;		/* Lamport time of that entry */
	bool failed_before;		/* an earlier entry of the tool's missed the goal */
	int64_t row;			/* derived: of goal_verdict.h, 1 to 13; 0: no verdict */
};

struct measured {			/* derived: one per configuration */
	const char *configuration;
	struct level_vector vector;
	struct ladder ladder;
	bool simulated;			/* a stand-in ran there */
	bool inherited;			/* L3 with a goal that the reference misses too */
	bool awaits_signoff;		/* such a goal that no person has approved */
	bool reference_misses;		/* a goal that holds here and not for the reference */
	bool no_reference;		/* a goal without a run of the reference */
	bool loosened;			/* L3 by a goal that was weakened after the first run */
	bool loosened_after_failure;	/* and that failed before it was */
	enum claim_verdict claim;	/* the claim in force against it */
	bool surprise;			/* differs from the expectation that counts */
};

struct signoff {
	struct entry entry;
	const char *configuration;
	enum signoff_meaning meaning;
	enum level level;
	const char *text_digest;
};

struct answer {				/* a decision about an alarm or an attempt */
	struct entry entry;
	const char *decision;		/* its object id */
	enum decision_choice choice;
};

struct attempt_state {
	const char *id;			/* "7", "torchtpu/3", "reference" */
	int64_t n;			/* -1 for the reference */
	const char *line;
	struct observation *observations;
	size_t observations_n;
	/* Derived from the observation in force. */
	const char *tip, *base, *source, *subject, *author, *committed, *text_digest;
	bool gone, environment_only;
	struct expectation *expected;
	size_t expected_n;
	struct claim *claimed;
	size_t claimed_n;
	struct label *labels;
	size_t labels_n;
	struct label_seen *seen;
	size_t seen_n;
	struct run_brief *runs;		/* in the order of their preparation */
	size_t runs_n;
	struct check_brief *checks;
	size_t checks_n;
	struct signoff *signoffs;
	size_t signoffs_n;
	struct answer *answers;
	size_t answers_n;
	/* Derived. */
	struct measured *measured;	/* one per configuration that ran or was checked */
	size_t measured_n;
	enum attempt_outcome outcome;		/* of the label in force: human, tool, agent */
	const char *cause, *agent_cause;
	enum silence silent;
	bool labels_disagree;
	int64_t runs_live, runs_ended;
	const char *live_run;		/* the last prepared run that lives; "" */
	int64_t run_cost_nano_usd, runs_without_cost, run_ns;
	int64_t other_cost_nano_usd;
	int64_t interventions, intervention_minutes, interventions_without_minutes;
	int64_t over_claims;		/* configurations with an over-claim */
	const char *decision;		/* id of the last decision about it; "" */
};

/* The expectation or claim in force for CONFIGURATION: the last that counts and
 * names it or all; NULL when there is none. */
const struct expectation *attempt_expected(
	const struct attempt_state *s, const char *configuration);
const struct claim *attempt_claimed(const struct attempt_state *s, const char *configuration);
const struct measured *attempt_measured(const struct attempt_state *s, const char *configuration);
/* What stands behind L3, for people: " (inherited)", " (goal loosened after a failure;
 * the reference misses it)"; nothing where there is nothing to say. */
void measured_add_remarks(struct buf *out, const struct measured *m);
/* "8 at L3 or above (5 + 3 inherited)"; nothing without any. */
void level_count_add(struct buf *out, const struct level_count *c);
const struct level_count *migration_level_count(
	const struct migration_state *m, const char *configuration);
/* The label in force of one class of author; NULL when there is none. */
const struct label *attempt_label(const struct attempt_state *s, enum actor_class by);

/* ---- run ---- */

struct run_start { struct entry entry; enum run_status state; const char *source, *where; };

struct run_end {
	struct entry entry;
	enum run_status state;
	bool rc_known;
	int64_t rc;
	const char *signal, *why, *source, *log_digest;
	int64_t elapsed_ns;		/* 0: unknown */
	int64_t started_ns, ended_ns;	/* wall clock of who watched it; 0: unknown */
	enum seen done, steps, artifact, error_text;
	const char *steps_done;		/* lexeme */
	const char *error_line;		/* likewise: of the log, from 1; "" */
};

struct run_correction {
	struct entry entry;
	const char *field, *old, *new, *source, *reason_digest;
};

struct run_state {
	struct entry prepared;
	const char *id, *attempt;	/* attempt object id, or "reference" */
	enum run_kind kind;		/* NONE: nobody said */
	const char *kind_from;		/* "command": known by its command; "" */
	const char *target, *configuration, *seed, *commit, *command_digest, *spec_digest, *by,
		*label;
	enum provenance provenance;
	enum target_kind target_kind, simulates;
	int64_t chips, price_nano_usd_hour;
	bool price_per_chip, price_known;
	int64_t steps_declared;		/* 0: not declared */
	bool done_declared;
	const char *artifact;		/* "" not declared */
	int64_t limit_ns, budget_nano_usd;
	struct run_start *starts;
	size_t starts_n;
	struct run_end *ends;
	size_t ends_n;
	struct run_correction *corrections;
	size_t corrections_n;
	/* Derived. */
	enum run_status state;
	bool rc_known;
	int64_t rc;
	const char *signal, *why, *source, *log_digest;
	const char *started, *ended;	/* as they were watched, else when they were noticed */
	const char *noticed;		/* when its end was */
	int64_t started_ns, ended_ns;	/* as they were watched; 0: nobody saw it */
	int64_t elapsed_ns;		/* by a clock that cannot jump, else ended - started */
	bool corrected, ends_disagree;
	enum check_result exit, steps, done, artifact_seen, error_text, l0;
	const char *l0_why;
	bool cost_known;
	int64_t cost_nano_usd;
};

/* ---- check ---- */

struct check_entry {
	struct entry entry;
	enum check_result result;
	const char **evidence;
	size_t evidence_n;
	const char **places;		/* "probe/probe-0-71.jsonl:12 probe@1" */
	size_t places_n;
	const char *run;		/* whose evidence it is; "" */
	int64_t version;		/* of a tool's rules and parsers; the highest one counts */
	const char *text_digest;
	struct goal_found goal;		/* of a goal, by a tool */
	bool claim;			/* by an agent: never counts */
};

struct check_state {
	const char *attempt, *configuration, *check;
	struct check_entry *entries;
	size_t entries_n;
	enum check_result result, claimed;	/* derived */
	bool contradicted;
};

/* ---- alarm, decision, intervention ---- */

struct adjudication {
	struct entry entry;
	enum alarm_verdict verdict;
	const char **evidence;
	size_t evidence_n;
	const char *reason_digest;
};

struct alarm_state {
	const char *id;
	struct entry raised;		/* the first; others of the same key fold as nothing */
	const char *rule, *rule_version, *trigger, *attempt;
	const char *run;		/* whose curves it saw; "" */
	enum rule_class class;
	enum rule_action action;
	const char *features;		/* JSON object: name -> value seen */
	struct adjudication *adjudications;
	size_t adjudications_n;
	struct answer *answers;
	size_t answers_n;
	/* Derived. */
	enum alarm_verdict verdict;	/* in force */
	const char *decision;		/* id of the last decision that answered it; "" */
	enum decision_choice choice;
	bool open;			/* neither decided nor struck */
};

struct decision_state {
	const char *id;
	struct entry entry;
	enum decision_choice choice;
	const char *subject;		/* TYPE:ID */
	const char *reason_digest;
	int64_t minutes;		/* 0 when not told */
	bool minutes_known;
};

struct intervention_entry {
	struct entry entry;
	enum intervention_kind kind;
	int64_t minutes;		/* 0 when not told */
	bool minutes_known;		/* told, or counted with the decision that it went with */
	const char *attempt, *text_digest, *triggered_by, *source;
};

struct intervention_state {
	const char *id;
	struct intervention_entry *entries;
	size_t entries_n;
	int64_t in_force;		/* index; -1 when all are struck */
	bool proposed;			/* found by a tool, no person confirmed it: not counted */
	bool counted;
};

/* ---- note, evidence, session, cost, drill ---- */

struct note_state {
	struct entry entry;
	const char *about;		/* object id */
	const char *text_digest;
};

struct evidence_entry { struct entry entry; const char *path, *kind, *parser, *subject; };
struct facts_entry { struct entry entry; const char *parser, *version, *facts; bool outdated; };

struct evidence_state {
	const char *id, *digest;
	int64_t size_bytes;
	struct evidence_entry *entries;	/* where it was, who had it */
	size_t entries_n;
	struct facts_entry *facts;	/* the newest version of each parser counts */
	size_t facts_n;
};

struct session_state {
	const char *id;
	struct entry entry;		/* of the ingest in force */
	const char *agent, *session, *digest, *first, *last;
	const char **models;
	size_t models_n;
	int64_t tokens[TOKEN_CLASSES];
	int64_t messages, agent_ns;
	bool cost_known;
	int64_t cost_nano_usd;
};

struct cost_state {
	const char *id;
	struct entry entry;
	enum cost_class class;
	int64_t amount_nano_usd;
	const char *price_row, *subject, *source;
};

struct drill_state {
	const char *id;
	struct entry entry;
	const char *drill_case, *answer, *score;	/* answer: JSON */
	const char **cards;
	size_t cards_n;
};

/* ---- the table ---- */

struct object_type {
	const char *name;		/* "attempt" */
	const struct state_shape *shape;
	const char *help;
};

extern const struct object_type object_types[];
extern const size_t object_types_n;
extern const struct state_shape *const object_entry_shape;	/* of struct entry */
const struct object_type *object_type_find(const char *name);

/* State text to struct in A; the struct's type follows from TYPE.  ERR_PARSE for
 * text that is no object, ERR_NOT_FOUND for an unknown type. */
int object_decode(
	void **out, struct arena *a, const char *type, const char *text, size_t n) ATTR_MUST_USE;
/*
 * The same for the members NAMES (ends with NULL) alone; the others are empty.
 * Reads no further than the last of them, so a long state with many entries costs
 * little when only its head is wanted.
 */
int object_decode_members(void **out, struct arena *a, const char *type, const char *text, size_t n,
	const char *const *names) ATTR_MUST_USE;
void object_encode(struct buf *out, const char *type, const void *state);

/* The entry that EVENT (64 hex digits) made in a state; NULL when there is none. */
struct entry *object_entry(const char *type, void *state, const char *event);

#endif
