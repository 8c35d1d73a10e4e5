/*
 * vocabulary - the closed word lists of the domain, one table each.
 *
 * A word list maps an enum to the word that events, screens and documents use.
 * Value 0 of every enum is "nothing recorded" with the empty word, so a zeroed
 * state says nothing and a word that is not known is refused, not guessed.
 *
 *	int v = word_find(&words_run_state, "failed");	-> RUN_FAILED, -1: unknown
 *	puts(word_name(&words_run_state, v));
 */
#ifndef PORTSIDE_DOMAIN_VOCABULARY_H
#define PORTSIDE_DOMAIN_VOCABULARY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

struct word {
	const char *name;	/* as stored and shown */
	const char *help;	/* one line */
};

struct words {
	const char *what;	/* "run state", for messages */
	const struct word *list;
	size_t n;
};

const char *word_name(const struct words *w, int value);	/* "" out of range */
const char *word_help(const struct words *w, int value);
int word_find(const struct words *w, const char *name);	/* "" gives 0; -1 */
void word_add_choices(struct buf *out, const struct words *w);	/* "a, b, c" */

/* What a person did for the agent. */
enum intervention_kind {
	INTERVENTION_NONE, INTERVENTION_PERMISSION, INTERVENTION_GATE_DECISION,
	INTERVENTION_HINT, INTERVENTION_CODE_EDIT, INTERVENTION_ENVIRONMENT,
	INTERVENTION_REFERENCE_FIX, INTERVENTION_REVIEW,
};
extern const struct words words_intervention;

/* How a person answers an alarm. */
enum decision_choice {
	DECISION_NONE, DECISION_ACCEPT, DECISION_CONTINUE, DECISION_CONTINUE_WITH_CHANGE,
	DECISION_MAKE_COMPARABLE, DECISION_FULL_RUN_ANYWAY, DECISION_ABANDON_LINE,
	DECISION_ABANDON_MIGRATION,
};
extern const struct words words_decision;

/* What an alarm turned out to be, said later; unassessable counts neither way. */
enum alarm_verdict {
	ALARM_VERDICT_NONE,
	ALARM_VERDICT_TRUE_MIGRATION_ERROR,
	ALARM_VERDICT_FALSE_REFERENCE_SETUP,
	ALARM_VERDICT_FALSE_NOISE,
	ALARM_VERDICT_TRUE_COST,
	ALARM_VERDICT_FALSE_COST,
	ALARM_VERDICT_UNASSESSABLE,
};
extern const struct words words_verdict;

/* What an alarm is about; the classes are never pooled. */
enum rule_class {
	CLASS_NONE, CLASS_BUDGET, CLASS_CORRECTNESS, CLASS_COST, CLASS_FEASIBILITY,
};
extern const struct words words_rule_class;

enum rule_action { ACTION_NONE, ACTION_STOP, ACTION_DECISION };
extern const struct words words_rule_action;

/*
 * The state machine of runs.  A run whose process ended with 0 reads "exited
 * 0": whether that is success is for checks to say.
 */
enum run_status {
	RUN_NONE, RUN_PREPARED, RUN_LAUNCHING, RUN_QUEUED, RUN_RUNNING, RUN_EXITED_0,
	RUN_FAILED, RUN_CANCELLED, RUN_TIMEOUT, RUN_BUDGET, RUN_LOGCAP, RUN_PREEMPTED,
	RUN_NODE_FAIL, RUN_LAUNCH_FAILED, RUN_LOST,
};
extern const struct words words_run_state;
bool run_status_ended(enum run_status s);
/* Ended by something outside the program itself: says nothing about L0. */
bool run_status_cut(enum run_status s);

/* A run of the contract trains nothing: it feeds no level and no comparison of curves. */
enum run_kind { RUN_KIND_NONE, RUN_KIND_SMOKE, RUN_KIND_FULL, RUN_KIND_CONTRACT };
extern const struct words words_run_kind;
/* For people: "smoke", "full", "unknown" where nobody said. */
const char *run_kind_text(enum run_kind k);
/* "smoke run", "full run", "run of unknown kind". */
const char *run_kind_phrase(enum run_kind k);

/* What a run is for: bring-up proves that it is right, and never that it is fast.
 * A run that nobody labelled is bring-up. */
enum run_label { RUN_LABEL_NONE, RUN_LABEL_BRING_UP, RUN_LABEL_OPTIMIZED };
extern const struct words words_run_label;
enum run_label run_label_of(const char *text);	/* BRING_UP for anything but its words */

/* Who saw the run: us from start to end, us by following, a file, a story. */
enum provenance {
	PROVENANCE_NONE, PROVENANCE_OBSERVED, PROVENANCE_WATCHED, PROVENANCE_IMPORTED,
	PROVENANCE_CLAIMED,
};
extern const struct words words_provenance;

enum signoff_meaning { SIGNOFF_NONE, SIGNOFF_REVIEWED, SIGNOFF_APPROVED, SIGNOFF_OVERRODE };
extern const struct words words_signoff;

enum target_kind { TARGET_NONE, TARGET_GPU, TARGET_TPU, TARGET_CPU };
extern const struct words words_target_kind;

/* Their work is in src/launch/launcher.c; a test holds the two tables together. */
enum launcher_kind { LAUNCHER_NONE, LAUNCHER_LOCAL };
extern const struct words words_launcher;

/* A goal is a value to reach, a lead over a baseline, or a band to lie in. */
enum goal_form { FORM_NONE, FORM_THRESHOLD, FORM_ORDERING, FORM_BAND };
extern const struct words words_goal_form;

/* Which value of a goal's series counts. */
enum goal_at { AT_NONE, AT_LAST, AT_BEST };
extern const struct words words_goal_at;

enum goal_direction { DIRECTION_NONE, DIRECTION_HIGHER, DIRECTION_LOWER };
extern const struct words words_direction;

/* What two runs must share before they are compared; the items of
 * curve/comparable.h by name. */
extern const struct words words_input;
extern const struct words words_truth_value;	/* "false", "true", as git writes them */
enum { TRUTH_VALUE_FALSE = 1, TRUTH_VALUE_TRUE };

/* Between which moments a time is taken, and of which of several times. */
enum endpoint {
	ENDPOINT_NONE, ENDPOINT_REQUEST, ENDPOINT_BATCH, ENDPOINT_STEP, ENDPOINT_RUN,
	ENDPOINT_QUALITY,
};
extern const struct words words_endpoint;
enum preparation { PREPARATION_NONE, PREPARATION_INCLUDED, PREPARATION_EXCLUDED };
extern const struct words words_preparation;
enum repetition { REPETITION_NONE, REPETITION_FIRST, REPETITION_REPEATED };
extern const struct words words_repetition;

extern const struct words words_package_class;	/* of a version that differs */

/* Whether a declared end was seen; used in run.ended's markers. */
enum seen { SEEN_NOTHING, SEEN_YES, SEEN_NO, SEEN_UNKNOWN };
extern const struct words words_seen;

/* The word before the colon of an actor. */
enum actor_class { ACTOR_NONE, ACTOR_HUMAN, ACTOR_AGENT, ACTOR_TOOL };
extern const struct words words_actor;
enum actor_class actor_class(const char *actor);	/* ACTOR_NONE for another form */

#endif
