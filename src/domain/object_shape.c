/*
 * object_shape - the tables that say how each state is written, and the table
 * of object types.
 */
#include "config.h"

#include <stddef.h>

#include "domain/object.h"

#define TEXT(s, m) { .name = #m, .type = MEMBER_TEXT, .offset = offsetof(struct s, m) }
#define TEXT_AS(s, m, as) { .name = as, .type = MEMBER_TEXT, .offset = offsetof(struct s, m) }
#define RAW(s, m) { .name = #m, .type = MEMBER_RAW, .offset = offsetof(struct s, m) }
#define WHOLE(s, m) { .name = #m, .type = MEMBER_INTEGER, .offset = offsetof(struct s, m) }
#define WHOLE_AS(s, m, as) { .name = as, .type = MEMBER_INTEGER, .offset = offsetof(struct s, m) }
#define FLAG(s, m) { .name = #m, .type = MEMBER_FLAG, .offset = offsetof(struct s, m) }
#define WORD(s, m, list)                                                                           \
	{                                                                                          \
		.name = #m, .type = MEMBER_WORD, .offset = offsetof(struct s, m), .words = &(list) \
	}
#define TEXTS(s, m) { .name = #m, .type = MEMBER_TEXTS, .offset = offsetof(struct s, m), \
	.count_offset = offsetof(struct s, m ## _n) }
#define LIST(s, m, of) { .name = #m, .type = MEMBER_LIST, .offset = offsetof(struct s, m), \
	.count_offset = offsetof(struct s, m ## _n), .shape = &of ## _shape }
#define PART(s, m, of)                                                                             \
	{                                                                                          \
		.name = #m, .type = MEMBER_STRUCT, .offset = offsetof(struct s, m),                \
		.shape = &of##_shape                                                               \
	}

#define SHAPE(s)                                                                                   \
	static const struct state_shape s##_shape = { sizeof(struct s), s##_members,               \
		ARRAY_LEN(s##_members) }

static const struct member entry_members[] = {
	TEXT(entry, event), TEXT(entry, who), TEXT(entry, time), WHOLE(entry, lamport),
	TEXT(entry, struck), TEXT(entry, struck_by),
};
SHAPE(entry);
const struct state_shape *const object_entry_shape = &entry_shape;

/* ---- migration, accepted files, goals --------------------------------------- */

static const struct member level_count_members[] = {
	TEXT(level_count, configuration),
	WHOLE_AS(level_count, at[0], "none"),
	WHOLE_AS(level_count, at[1], "L0"),
	WHOLE_AS(level_count, at[2], "L2"),
	WHOLE_AS(level_count, at[3], "L3"),
	WHOLE_AS(level_count, at[4], "L4"),
	WHOLE(level_count, inherited),
};
SHAPE(level_count);

static const struct member ending_members[] = {
	PART(ending, entry, entry), WORD(ending, choice, words_decision), TEXT(ending, line),
};
SHAPE(ending);

static const struct member answer_members[] = {
	PART(answer, entry, entry), TEXT(answer, decision), WORD(answer, choice, words_decision),
};
SHAPE(answer);

static const struct member goal_mark_members[] = { TEXT(goal_mark, goal), FLAG(goal_mark, late) };
SHAPE(goal_mark);

#define COUNT(m) WHOLE(migration_counts, m)
#define TOKENS(s) WHOLE_AS(s, tokens[TOKENS_INPUT], "tokens_input"), \
	WHOLE_AS(s, tokens[TOKENS_CACHE_WRITE_5M], "tokens_cache_write_5m"), \
	WHOLE_AS(s, tokens[TOKENS_CACHE_WRITE_1H], "tokens_cache_write_1h"), \
	WHOLE_AS(s, tokens[TOKENS_CACHE_READ], "tokens_cache_read"), \
	WHOLE_AS(s, tokens[TOKENS_OUTPUT], "tokens_output")

static const struct member migration_counts_members[] = {
	COUNT(attempts),
	COUNT(gone),
	COUNT(successes),
	COUNT(failures),
	COUNT(silent),
	COUNT(aborted),
	COUNT(superseded),
	COUNT(runs),
	COUNT(runs_live),
	COUNT(runs_ended),
	COUNT(reference_runs),
	COUNT(reference_full),
	COUNT(reference_ended),
	COUNT(alarms),
	COUNT(alarms_open),
	COUNT(alarms_adjudicated),
	COUNT(decisions),
	COUNT(interventions),
	COUNT(intervention_minutes),
	COUNT(interventions_proposed),
	COUNT(interventions_without_minutes),
	COUNT(decision_minutes),
	COUNT(decisions_without_minutes),
	COUNT(notes),
	COUNT(signoffs),
	COUNT(evidence),
	COUNT(sessions),
	COUNT(over_claims),
	COUNT(run_cost_nano_usd),
	COUNT(runs_without_cost),
	COUNT(other_cost_nano_usd),
	COUNT(session_cost_nano_usd),
	COUNT(sessions_without_cost),
	COUNT(agent_ns),
	TOKENS(migration_counts),
};
SHAPE(migration_counts);

static const struct member migration_state_members[] = {
	PART(migration_state, created, entry),
	TEXT(migration_state, id),
	TEXT(migration_state, name),
	TEXT(migration_state, original),
	TEXT(migration_state, repository),
	TEXT(migration_state, config_digest),
	TEXT(migration_state, config_text_digest),
	TEXT(migration_state, contract_digest),
	TEXTS(migration_state, required),
	PART(migration_state, required_by, entry),
	WHOLE(migration_state, loosened),
	WHOLE(migration_state, loosened_after_failure),
	PART(migration_state, first_target_run, entry),
	LIST(migration_state, goals, goal_mark),
	PART(migration_state, counts, migration_counts),
	LIST(migration_state, levels, level_count),
	LIST(migration_state, endings, ending),
	WORD(migration_state, end, words_decision),
	TEXT(migration_state, first_attempt),
	TEXT(migration_state, last_claim_attempt),
	WORD(migration_state, level_first, words_level),
	WORD(migration_state, level_last_claimed, words_level),
	WHOLE(migration_state, checkpoints),
	PART(migration_state, checkpoint, entry),
	TEXT(migration_state, checkpoint_digest),
	TEXT(migration_state, checkpoint_where),
};
SHAPE(migration_state);

static const struct member acceptance_members[] = {
	PART(acceptance, entry, entry),
	TEXT(acceptance, digest),
	TEXT(acceptance, text_digest),
	TEXT(acceptance, summary_digest),
	TEXTS(acceptance, required),
	TEXTS(acceptance, loosened),
	FLAG(acceptance, after_failure),
};
SHAPE(acceptance);

static const struct member config_state_members[] = {
	LIST(config_state, acceptances, acceptance),
	TEXTS(config_state, checked),
};
SHAPE(config_state);

static const struct member goal_statement_members[] = {
	PART(goal_statement, entry, entry),
	TEXT(goal_statement, metric),
	TEXT(goal_statement, unit),
	TEXT(goal_statement, reason_digest),
	WORD(goal_statement, form, words_goal_form),
	WORD(goal_statement, direction, words_direction),
	TEXT(goal_statement, scale),
	TEXT(goal_statement, target),
	TEXT(goal_statement, margin),
	TEXT(goal_statement, low),
	TEXT(goal_statement, high),
	TEXT(goal_statement, examples),
	TEXT(goal_statement, tolerance),
	TEXT(goal_statement, series),
	TEXT(goal_statement, baseline),
	WORD(goal_statement, at, words_goal_at),
	FLAG(goal_statement, strict),
	FLAG(goal_statement, late),
	FLAG(goal_statement, loosened),
};
SHAPE(goal_statement);

static const struct member goal_state_members[] = {
	TEXT(goal_state, name),
	LIST(goal_state, statements, goal_statement),
	WHOLE(goal_state, in_force),
	FLAG(goal_state, frozen),
};
SHAPE(goal_state);

/* ---- attempt ------------------------------------------------------------------ */

static const struct member observation_members[] = {
	PART(observation, entry, entry),
	TEXT(observation, tip),
	TEXT(observation, base),
	TEXT(observation, source),
	TEXT(observation, subject),
	TEXT(observation, author),
	TEXT(observation, committed),
	FLAG(observation, gone),
	TEXT(observation, text_digest),
};
SHAPE(observation);

static const struct member expectation_members[] = {
	PART(expectation, entry, entry),
	WORD(expectation, level, words_level),
	TEXT(expectation, configuration),
	TEXT(expectation, text_digest),
	FLAG(expectation, late),
};
SHAPE(expectation);

static const struct member claim_members[] = {
	PART(claim, entry, entry), WORD(claim, level, words_level), TEXT(claim, configuration),
	TEXT(claim, text_digest), TEXT(claim, source), FLAG(claim, mapped),
};
SHAPE(claim);

static const struct member label_members[] = {
	PART(label, entry, entry),
	WORD(label, outcome, words_outcome),
	TEXT(label, cause),
	TEXTS(label, secondary),
	WORD(label, silent, words_silent),
	TEXT(label, reviewer),
	FLAG(label, blind),
	FLAG(label, blind_broken),
};
SHAPE(label);

static const struct member label_seen_members[] = {
	PART(label_seen, entry, entry), TEXT(label_seen, reviewer), TEXT(label_seen, position),
};
SHAPE(label_seen);

static const struct member run_brief_members[] = {
	TEXT(run_brief, run),
	WORD(run_brief, kind, words_run_kind),
	TEXT(run_brief, target),
	TEXT(run_brief, configuration),
	TEXT(run_brief, seed),
	WORD(run_brief, state, words_run_state),
	WORD(run_brief, provenance, words_provenance),
	WORD(run_brief, l0, words_check),
	WORD(run_brief, label, words_run_label),
	FLAG(run_brief, simulated),
	FLAG(run_brief, struck),
	WHOLE(run_brief, elapsed_ns),
	FLAG(run_brief, cost_known),
	WHOLE(run_brief, cost_nano_usd),
};
SHAPE(run_brief);

static const struct member goal_found_members[] = {
	WORD(goal_found, holds, words_seen),
	WORD(goal_found, reference, words_seen),
	WORD(goal_found, matches, words_seen),
	FLAG(goal_found, may_be_equal),
	FLAG(goal_found, margin_is_zero),
	TEXT(goal_found, statement),
};
SHAPE(goal_found);

static const struct member check_brief_members[] = {
	TEXT(check_brief, configuration),
	TEXT(check_brief, check),
	WORD(check_brief, result, words_check),
	WORD(check_brief, claimed, words_check),
	FLAG(check_brief, contradicted),
	FLAG(check_brief, by_person),
	PART(check_brief, goal, goal_found),
	WHOLE(check_brief, recorded_at),
	FLAG(check_brief, failed_before),
	WHOLE(check_brief, row),
};
SHAPE(check_brief);

static const struct member level_vector_members[] = {
	{ .name = "L0",
		.type = MEMBER_WORD,
		.offset = offsetof(struct level_vector, l0),
		.words = &words_check },
	{ .name = "L2",
		.type = MEMBER_WORD,
		.offset = offsetof(struct level_vector, l2),
		.words = &words_check },
	{ .name = "L3",
		.type = MEMBER_WORD,
		.offset = offsetof(struct level_vector, l3),
		.words = &words_check },
	{ .name = "L4",
		.type = MEMBER_WORD,
		.offset = offsetof(struct level_vector, l4),
		.words = &words_check },
};
SHAPE(level_vector);

static const struct member ladder_members[] = {
	WORD(ladder, level, words_level), WORD(ladder, upper, words_level),
};
SHAPE(ladder);

static const struct member measured_members[] = {
	TEXT(measured, configuration),
	PART(measured, vector, level_vector),
	PART(measured, ladder, ladder),
	FLAG(measured, simulated),
	FLAG(measured, inherited),
	FLAG(measured, awaits_signoff),
	FLAG(measured, reference_misses),
	FLAG(measured, no_reference),
	FLAG(measured, loosened),
	FLAG(measured, loosened_after_failure),
	WORD(measured, claim, words_claim_verdict),
	FLAG(measured, surprise),
};
SHAPE(measured);

static const struct member signoff_members[] = {
	PART(signoff, entry, entry),
	TEXT(signoff, configuration),
	WORD(signoff, meaning, words_signoff),
	WORD(signoff, level, words_level),
	TEXT(signoff, text_digest),
};
SHAPE(signoff);

#define A attempt_state
static const struct member attempt_state_members[] = {
	TEXT(A, id),
	WHOLE(A, n),
	TEXT(A, line),
	LIST(A, observations, observation),
	TEXT(A, tip),
	TEXT(A, base),
	TEXT(A, source),
	TEXT(A, subject),
	TEXT(A, author),
	TEXT(A, committed),
	TEXT(A, text_digest),
	FLAG(A, gone),
	FLAG(A, environment_only),
	LIST(A, expected, expectation),
	LIST(A, claimed, claim),
	LIST(A, labels, label),
	LIST(A, seen, label_seen),
	LIST(A, runs, run_brief),
	LIST(A, checks, check_brief),
	LIST(A, signoffs, signoff),
	LIST(A, answers, answer),
	LIST(A, measured, measured),
	WORD(A, outcome, words_outcome),
	TEXT(A, cause),
	TEXT(A, agent_cause),
	WORD(A, silent, words_silent),
	FLAG(A, labels_disagree),
	WHOLE(A, runs_live),
	WHOLE(A, runs_ended),
	TEXT(A, live_run),
	WHOLE(A, run_cost_nano_usd),
	WHOLE(A, runs_without_cost),
	WHOLE(A, run_ns),
	WHOLE(A, other_cost_nano_usd),
	WHOLE(A, interventions),
	WHOLE(A, intervention_minutes),
	WHOLE(A, interventions_without_minutes),
	WHOLE(A, over_claims),
	TEXT(A, decision),
};
#undef A
SHAPE(attempt_state);

/* ---- run, check ----------------------------------------------------------------- */

static const struct member run_start_members[] = {
	PART(run_start, entry, entry),
	WORD(run_start, state, words_run_state),
	TEXT(run_start, source),
	TEXT(run_start, where),
};
SHAPE(run_start);

static const struct member run_end_members[] = {
	PART(run_end, entry, entry),
	WORD(run_end, state, words_run_state),
	FLAG(run_end, rc_known),
	WHOLE(run_end, rc),
	TEXT(run_end, signal),
	TEXT(run_end, why),
	TEXT(run_end, source),
	TEXT(run_end, log_digest),
	WHOLE(run_end, elapsed_ns),
	WHOLE(run_end, started_ns),
	WHOLE(run_end, ended_ns),
	WORD(run_end, done, words_seen),
	WORD(run_end, steps, words_seen),
	WORD(run_end, artifact, words_seen),
	WORD(run_end, error_text, words_seen),
	TEXT(run_end, steps_done),
	TEXT(run_end, error_line),
};
SHAPE(run_end);

static const struct member run_correction_members[] = {
	PART(run_correction, entry, entry),
	TEXT(run_correction, field),
	TEXT(run_correction, old),
	TEXT(run_correction, new),
	TEXT(run_correction, source),
	TEXT(run_correction, reason_digest),
};
SHAPE(run_correction);

#define R run_state
static const struct member run_state_members[] = {
	PART(R, prepared, entry),
	TEXT(R, id),
	TEXT(R, attempt),
	WORD(R, kind, words_run_kind),
	TEXT(R, kind_from),
	TEXT(R, target),
	TEXT(R, configuration),
	TEXT(R, seed),
	TEXT(R, commit),
	TEXT(R, command_digest),
	TEXT(R, spec_digest),
	TEXT(R, by),
	TEXT(R, label),
	WORD(R, provenance, words_provenance),
	WORD(R, target_kind, words_target_kind),
	WORD(R, simulates, words_target_kind),
	WHOLE(R, chips),
	WHOLE(R, price_nano_usd_hour),
	FLAG(R, price_per_chip),
	FLAG(R, price_known),
	WHOLE(R, steps_declared),
	FLAG(R, done_declared),
	TEXT(R, artifact),
	WHOLE(R, limit_ns),
	WHOLE(R, budget_nano_usd),
	LIST(R, starts, run_start),
	LIST(R, ends, run_end),
	LIST(R, corrections, run_correction),
	WORD(R, state, words_run_state),
	FLAG(R, rc_known),
	WHOLE(R, rc),
	TEXT(R, signal),
	TEXT(R, why),
	TEXT(R, source),
	TEXT(R, started),
	TEXT(R, ended),
	TEXT(R, noticed),
	TEXT(R, log_digest),
	WHOLE(R, started_ns),
	WHOLE(R, ended_ns),
	WHOLE(R, elapsed_ns),
	FLAG(R, corrected),
	FLAG(R, ends_disagree),
	WORD(R, exit, words_check),
	WORD(R, steps, words_check),
	WORD(R, done, words_check),
	WORD(R, artifact_seen, words_check),
	WORD(R, error_text, words_check),
	WORD(R, l0, words_check),
	TEXT(R, l0_why),
	FLAG(R, cost_known),
	WHOLE(R, cost_nano_usd),
};
#undef R
SHAPE(run_state);

static const struct member check_entry_members[] = {
	PART(check_entry, entry, entry),
	WORD(check_entry, result, words_check),
	TEXTS(check_entry, evidence),
	TEXTS(check_entry, places),
	TEXT(check_entry, run),
	WHOLE(check_entry, version),
	TEXT(check_entry, text_digest),
	PART(check_entry, goal, goal_found),
	FLAG(check_entry, claim),
};
SHAPE(check_entry);

static const struct member check_state_members[] = {
	TEXT(check_state, attempt), TEXT(check_state, configuration), TEXT(check_state, check),
	LIST(check_state, entries, check_entry), WORD(check_state, result, words_check),
	WORD(check_state, claimed, words_check), FLAG(check_state, contradicted),
};
SHAPE(check_state);

/* ---- alarm, decision, intervention, the others -------------------------------------- */

static const struct member adjudication_members[] = {
	PART(adjudication, entry, entry),
	WORD(adjudication, verdict, words_verdict),
	TEXTS(adjudication, evidence),
	TEXT(adjudication, reason_digest),
};
SHAPE(adjudication);

static const struct member alarm_state_members[] = {
	TEXT(alarm_state, id),
	PART(alarm_state, raised, entry),
	TEXT(alarm_state, rule),
	TEXT(alarm_state, rule_version),
	TEXT(alarm_state, trigger),
	TEXT(alarm_state, attempt),
	TEXT(alarm_state, run),
	WORD(alarm_state, class, words_rule_class),
	WORD(alarm_state, action, words_rule_action),
	RAW(alarm_state, features),
	LIST(alarm_state, adjudications, adjudication),
	LIST(alarm_state, answers, answer),
	WORD(alarm_state, verdict, words_verdict),
	TEXT(alarm_state, decision),
	WORD(alarm_state, choice, words_decision),
	FLAG(alarm_state, open),
};
SHAPE(alarm_state);

static const struct member decision_state_members[] = {
	TEXT(decision_state, id),
	PART(decision_state, entry, entry),
	WORD(decision_state, choice, words_decision),
	TEXT(decision_state, subject),
	TEXT(decision_state, reason_digest),
	WHOLE(decision_state, minutes),
	FLAG(decision_state, minutes_known),
};
SHAPE(decision_state);

static const struct member intervention_entry_members[] = {
	PART(intervention_entry, entry, entry),
	WORD(intervention_entry, kind, words_intervention),
	WHOLE(intervention_entry, minutes),
	FLAG(intervention_entry, minutes_known),
	TEXT(intervention_entry, attempt),
	TEXT(intervention_entry, text_digest),
	TEXT(intervention_entry, triggered_by),
	TEXT(intervention_entry, source),
};
SHAPE(intervention_entry);

static const struct member intervention_state_members[] = {
	TEXT(intervention_state, id),
	LIST(intervention_state, entries, intervention_entry),
	WHOLE(intervention_state, in_force),
	FLAG(intervention_state, proposed),
	FLAG(intervention_state, counted),
};
SHAPE(intervention_state);

static const struct member note_state_members[] = {
	PART(note_state, entry, entry), TEXT(note_state, about), TEXT(note_state, text_digest),
};
SHAPE(note_state);

static const struct member evidence_entry_members[] = {
	PART(evidence_entry, entry, entry), TEXT(evidence_entry, path), TEXT(evidence_entry, kind),
	TEXT(evidence_entry, parser), TEXT(evidence_entry, subject),
};
SHAPE(evidence_entry);

static const struct member facts_entry_members[] = {
	PART(facts_entry, entry, entry), TEXT(facts_entry, parser), TEXT(facts_entry, version),
	RAW(facts_entry, facts), FLAG(facts_entry, outdated),
};
SHAPE(facts_entry);

static const struct member evidence_state_members[] = {
	TEXT(evidence_state, id), TEXT(evidence_state, digest), WHOLE(evidence_state, size_bytes),
	LIST(evidence_state, entries, evidence_entry), LIST(evidence_state, facts, facts_entry),
};
SHAPE(evidence_state);

static const struct member session_state_members[] = {
	TEXT(session_state, id),
	PART(session_state, entry, entry),
	TEXT(session_state, agent),
	TEXT(session_state, session),
	TEXT(session_state, digest),
	TEXT(session_state, first),
	TEXT(session_state, last),
	TEXTS(session_state, models),
	TOKENS(session_state),
	WHOLE(session_state, messages),
	WHOLE(session_state, agent_ns),
	FLAG(session_state, cost_known),
	WHOLE(session_state, cost_nano_usd),
};
SHAPE(session_state);

static const struct member cost_state_members[] = {
	TEXT(cost_state, id),
	PART(cost_state, entry, entry),
	WORD(cost_state, class, words_cost_class),
	WHOLE(cost_state, amount_nano_usd),
	TEXT(cost_state, price_row),
	TEXT(cost_state, subject),
	TEXT(cost_state, source),
};
SHAPE(cost_state);

static const struct member drill_state_members[] = {
	TEXT(drill_state, id),
	PART(drill_state, entry, entry),
	TEXT_AS(drill_state, drill_case, "case"),
	RAW(drill_state, answer),
	TEXT(drill_state, score),
	TEXTS(drill_state, cards),
};
SHAPE(drill_state);

const struct object_type object_types[] = {
	{ "migration", &migration_state_shape, "the migration and its counts" },
	{ "config", &config_state_shape, "accepted versions of portside.conf and contract.json" },
	{ "goal", &goal_state_shape, "a goal and its history" },
	{ "attempt", &attempt_state_shape, "an attempt" },
	{ "reference", &attempt_state_shape, "the reference: its runs, checks and notes" },
	{ "run", &run_state_shape, "a run" },
	{ "check", &check_state_shape, "a check of an attempt on a configuration" },
	{ "alarm", &alarm_state_shape, "one firing of a rule" },
	{ "decision", &decision_state_shape, "a decision" },
	{ "intervention", &intervention_state_shape, "something that a person did for the agent" },
	{ "note", &note_state_shape, "a note" },
	{ "evidence", &evidence_state_shape, "a file with its facts" },
	{ "session", &session_state_shape, "a session of the agent" },
	{ "cost", &cost_state_shape, "an entry of the ledger" },
	{ "drill", &drill_state_shape, "an answer of a learner" },
};
const size_t object_types_n = ARRAY_LEN(object_types);
