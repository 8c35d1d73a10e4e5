/*
 * choice - what a person chooses among: one table a question.
 *
 * A row is X(VALUE, WORD, TYPED, LETTER, LABEL, HELP): the enum's value, the word
 * of the log, the word of a command line, the letter and the label of a form, and
 * one line of help.  Everybody who needs a part takes it out of the same rows:
 *
 *	static const struct word verdict_words[] = {
 *		{ "", "" }, VERDICT_CHOICES(CHOICE_WORD)		the log
 *	};
 *	{ "verdict", ARGUMENT_WORD, ..., CHOICES_TYPED(VERDICT_CHOICES) }	a command
 *	struct dialog_choice verdicts[] = { VERDICT_CHOICES(CHOICE_FORM) };	a form
 *
 * Rows stand in the order in which forms and help show them.
 */
#ifndef PORTSIDE_DOMAIN_CHOICE_H
#define PORTSIDE_DOMAIN_CHOICE_H

#define CHOICE_WORD(value, word, typed, letter, label, help) [value] = { word, help },
#define CHOICE_TYPED(value, word, typed, letter, label, help) " " typed
#define CHOICE_FORM(value, word, typed, letter, label, help) { letter, typed, label },
/* "accept continue": the typed words as one string, blanks between them. */
#define CHOICES_TYPED(rows) (&(rows(CHOICE_TYPED))[1])

/* Of an alarm, of an attempt, a line or the migration; what costs least first. */
#define ALARM_CHOICES(X) \
	X(DECISION_MAKE_COMPARABLE, "make comparable", "make-comparable", 'm', \
		"make comparable, then repeat", "repair the reference or the set-up, then repeat") \
	X(DECISION_CONTINUE_WITH_CHANGE, "continue with change", "continue-with-change", 'c', \
		"continue with change", "go on with a change of approach") \
	X(DECISION_CONTINUE, "continue", "continue", 'g', "go on as it is", "go on as before") \
	X(DECISION_FULL_RUN_ANYWAY, "full run anyway", "full-run-anyway", 'f', \
		"full run anyway", "override the gate") \
	X(DECISION_ABANDON_LINE, "abandon line", "abandon-line", 'a', "abandon this line", \
		"end this line of attempts") \
	X(DECISION_ABANDON_MIGRATION, "abandon migration", "abandon-migration", 's', \
		"stop: abandon the migration", "end the migration")
/* An alarm is answered; what was reached is accepted where no alarm asks. */
#define DECISION_CHOICES(X) \
	X(DECISION_ACCEPT, "accept", "accept", 't', "take what was reached: accept it", \
		"what was reached is accepted as it is") \
	ALARM_CHOICES(X)

#define VERDICT_CHOICES(X) \
	X(ALARM_VERDICT_TRUE_MIGRATION_ERROR, "true-migration-error", "true-migration-error", \
		'm', "migration error: the alarm was true", \
		"later evidence shows an error of the migration") \
	X(ALARM_VERDICT_FALSE_REFERENCE_SETUP, "false-reference-setup", "false-reference-setup", \
		'r', "reference set up otherwise: false alarm", \
		"the reference was set up differently") \
	X(ALARM_VERDICT_FALSE_NOISE, "false-noise", "false-noise", 'n', \
		"noise alone: false alarm", "within run-to-run noise") \
	X(ALARM_VERDICT_TRUE_COST, "true-cost", "true-cost", 'c', "cost that much: true", \
		"going on would have cost more than it was worth") \
	X(ALARM_VERDICT_FALSE_COST, "false-cost", "false-cost", 'f', \
		"false: it did not cost that much", "the cost did not come") \
	X(ALARM_VERDICT_UNASSESSABLE, "unassessable", "unassessable", 'u', \
		"unassessable: it cannot be told", "no evidence decides it")

/* What a person did for the agent; each label begins with its letter. */
#define INTERVENTION_CHOICES(X) \
	X(INTERVENTION_HINT, "hint", "hint", 'h', "hint: a diagnosis given to the agent", \
		"a diagnosis given to the agent") \
	X(INTERVENTION_PERMISSION, "permission", "permission", 'p', \
		"permission: access, quota, licence", "access, quota or licence granted") \
	X(INTERVENTION_GATE_DECISION, "gate-decision", "gate-decision", 'g', "gate decision", \
		"a gate or an alarm was decided") \
	X(INTERVENTION_CODE_EDIT, "code-edit", "code-edit", 'c', "code edit", \
		"a person changed the code") \
	X(INTERVENTION_ENVIRONMENT, "environment", "environment", 'e', "environment", \
		"a person changed the environment") \
	X(INTERVENTION_REFERENCE_FIX, "reference-fix", "reference-fix", 'r', "reference fix", \
		"the reference was corrected") \
	X(INTERVENTION_REVIEW, "review", "review", 'v', \
		"verdict: a review, adjudication, sign-off", "adjudication or sign-off")

/* L1 is a table of numbers, so nobody expects or claims it. */
#define LEVEL_CHOICES(X) \
	X(LEVEL_L0, "L0", "L0", '0', "L0 runs to its declared end", \
		"does the declared experiment run to its declared end on the target?") \
	X(LEVEL_L2, "L2", "L2", '2', "L2 intended hardware and semantics", \
		"intended hardware, intended training semantics?") \
	X(LEVEL_L3, "L3", "L3", '3', "L3 the goal holds", \
		"does the workload-specific goal hold on the intended configuration?") \
	X(LEVEL_L4, "L4", "L4", '4', "L4 faster or cheaper", \
		"time and cost against the declared target, judged after L3") \
	X(LEVEL_NONE, "none", "none", 'n', "none of them", \
		"does not run to its declared end, or nobody could show it")

#define OUTCOME_CHOICES(X) \
	X(OUTCOME_SUCCESS, "success", "success", 's', "success: its target was reached", \
		"the target of the attempt was reached") \
	X(OUTCOME_FAILURE, "failure", "failure", 'f', "failure: it was not", "it was not") \
	X(OUTCOME_ABORTED, "aborted", "aborted", 'a', "aborted before an outcome", \
		"ended by a person or a rule before an outcome") \
	X(OUTCOME_SUPERSEDED, "superseded", "superseded", 'u', "superseded before it ran", \
		"replaced before it ran")

/* Did it fail without an error? */
#define SILENT_CHOICES(X) \
	X(SILENT_YES, "yes", "yes", 'y', "yes: nothing said so", \
		"failed although the process raised no error") \
	X(SILENT_NO, "no", "no", 'n', "no: an error said so", "an error was raised")

/* Only commands ask this one. */
#define SIGNOFF_CHOICES(X) \
	X(SIGNOFF_REVIEWED, "reviewed", "reviewed", 'r', "reviewed", "looked at") \
	X(SIGNOFF_APPROVED, "approved", "approved", 'a', "approved", "accepted as proven") \
	X(SIGNOFF_OVERRODE, "overrode", "overrode", 'o', "overrode", "accepted against a gate")

#endif
