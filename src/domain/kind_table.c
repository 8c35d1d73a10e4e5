/*
 * kind_table - every event kind, its object, its fields and its authors.
 *
 * Fields beyond the shared list of events are optional: they carry the facts
 * that the fold needs to judge a run without asking the configuration.
 */
#include "config.h"

#include "domain/kind.h"

#include "domain/cause.h"
#include "domain/check.h"
#include "domain/cost.h"
#include "domain/level.h"

#define MUST true
#define MAY false
#define WORD_OF(list) FIELD_WORD, MAY, &(list)

const struct kind kinds[] = {
	{ "migration.created", "migration", BY_HUMAN | BY_TOOL, "starts the migration", {
		{ "name", FIELD_TEXT, MUST, NULL, "name of the migration" },
		{ "original", FIELD_TEXT, MAY, NULL, "tag or commit of the untouched code" },
		{ "repository", FIELD_TEXT, MAY, NULL, "where it lives" },
	} },
	{ "config.accepted", "migration", BY_HUMAN, "portside.conf in force from here", {
		{ "digest", FIELD_DIGEST, MUST, NULL, "SHA-256 of the file" },
		{ "text", FIELD_BLOB, MAY, NULL, "the file" },
		{ "summary", FIELD_BLOB, MAY, NULL, "what changed" },
		{ "loosened", FIELD_LIST, MAY, NULL, "keys that were loosened" },
		{ "established", FIELD_TEXT, MAY, NULL, "how the actor was established" },
	} },
	{ "contract.accepted", "contract", BY_HUMAN, "contract.json in force from here", {
		{ "digest", FIELD_DIGEST, MUST, NULL, "SHA-256 of the file" },
		{ "text", FIELD_BLOB, MAY, NULL, "the file" },
		{ "summary", FIELD_BLOB, MAY, NULL, "what changed" },
		{ "loosened", FIELD_LIST, MAY, NULL, "tolerances that were loosened" },
		{ "established", FIELD_TEXT, MAY, NULL, "how the actor was established" },
	} },
	{ "goal.set", "goal", BY_HUMAN, "a goal; frozen by the first target run, later ones are marked", {
		{ "metric", FIELD_TEXT, MUST, NULL, "name of the metric" },
		{ "form", FIELD_WORD, MUST, &words_goal_form, "threshold, ordering or band" },
		{ "direction", FIELD_WORD, MUST, &words_direction, "higher or lower is better" },
		{ "unit", FIELD_TEXT, MAY, NULL, "unit of the shown value" },
		{ "scale", FIELD_NUMBER, MAY, NULL, "logged value times scale is shown" },
		{ "target", FIELD_NUMBER, MAY, NULL, "threshold" },
		{ "margin", FIELD_NUMBER, MAY, NULL, "accepted distance" },
		{ "low", FIELD_NUMBER, MAY, NULL, "band" },
		{ "high", FIELD_NUMBER, MAY, NULL, "band" },
		{ "examples", FIELD_INTEGER, MAY, NULL, "evaluated examples" },
		{ "reason", FIELD_BLOB, MAY, NULL, "why this goal" },
		{ "established", FIELD_TEXT, MAY, NULL, "how the actor was established" },
	} },
	{ "attempt.observed", "attempt", BY_TOOL, "creates an attempt or moves its tip; merged by (n, tip)", {
		{ "n", FIELD_INTEGER, MUST, NULL, "number" },
		{ "line", FIELD_TEXT, MAY, NULL, "line; empty for the unnamed one" },
		{ "tip", FIELD_TEXT, MUST, NULL, "commit" },
		{ "base", FIELD_TEXT, MAY, NULL, "where its range starts" },
		{ "source", FIELD_TEXT, MAY, NULL, "tag, trailer, branch: where the number was found" },
		{ "subject", FIELD_TEXT, MAY, NULL, "first line of the tip's message" },
		{ "author", FIELD_TEXT, MAY, NULL, "author of the tip" },
		{ "committed", FIELD_TEXT, MAY, NULL, "time of the tip" },
		{ "previous_tip", FIELD_TEXT, MAY, NULL, "the tip that it replaces: marks a move back" },
	} },
	{ "attempt.added", "attempt", BY_HUMAN | BY_AGENT, "an attempt without a commit", {
		{ "n", FIELD_INTEGER, MUST, NULL, "number" },
		{ "line", FIELD_TEXT, MAY, NULL, "line" },
		{ "text", FIELD_BLOB, MAY, NULL, "what changed outside the code" },
	} },
	{ "attempt.gone", "attempt", BY_TOOL, "the tip vanished; the attempt is kept", {
		{ "tip", FIELD_TEXT, MUST, NULL, "commit" },
	} },
	{ "attempt.expected", "attempt", BY_AGENT | BY_HUMAN, "counts only before the run was prepared", {
		{ "level", FIELD_WORD, MUST, &words_level, "level" },
		{ "configuration", FIELD_TEXT, MAY, NULL, "empty: all" },
		{ "text", FIELD_BLOB, MAY, NULL, "in the author's words" },
		{ "source", FIELD_TEXT, MAY, NULL, "trailer, command, hook" },
	} },
	{ "attempt.claimed", "attempt", BY_AGENT | BY_TOOL | BY_HUMAN, "a claim; never mixed with what was measured", {
		{ "level", WORD_OF(words_level), "empty: success without a level" },
		{ "configuration", FIELD_TEXT, MAY, NULL, "empty: all" },
		{ "text", FIELD_BLOB, MAY, NULL, "in the author's words" },
		{ "source", FIELD_TEXT, MAY, NULL, "trailer, pull request, hook" },
		{ "mapped", FIELD_FLAG, MAY, NULL, "the level was read out of words" },
	} },
	{ "attempt.labelled", "attempt", BY_HUMAN | BY_AGENT | BY_TOOL, "outcome and cause, by author", {
		{ "outcome", WORD_OF(words_outcome), "success, failure, aborted, superseded" },
		{ "cause", FIELD_TEXT, MAY, NULL, "C0 to C6; an agent may use its own word" },
		{ "secondary", FIELD_LIST, MAY, NULL, "further causes" },
		{ "silent", WORD_OF(words_silent), "failed without an error" },
		{ "reviewer", FIELD_TEXT, MAY, NULL, "who labels" },
		{ "blind", FIELD_FLAG, MAY, NULL, "before seeing another label" },
		{ "text", FIELD_BLOB, MAY, NULL, "why" },
	} },
	{ "run.prepared", "run", BY_TOOL, "a run; once", {
		{ "attempt", FIELD_TEXT, MUST, NULL, "attempt, or reference" },
		{ "kind", FIELD_WORD, MUST, &words_run_kind, "smoke or full" },
		{ "target", FIELD_TEXT, MUST, NULL, "target" },
		{ "configuration", FIELD_TEXT, MAY, NULL, "the target's name when empty" },
		{ "provenance", FIELD_WORD, MUST, &words_provenance, "who saw it" },
		{ "seed", FIELD_TEXT, MAY, NULL, "seed" },
		{ "commit", FIELD_TEXT, MAY, NULL, "code" },
		{ "command", FIELD_DIGEST, MAY, NULL, "digest of the command" },
		{ "spec", FIELD_DIGEST, MAY, NULL, "digest of spec.json" },
		{ "by", FIELD_TEXT, MAY, NULL, "who asked for it" },
		{ "label", FIELD_TEXT, MAY, NULL, "bring-up or optimized" },
		{ "target_kind", WORD_OF(words_target_kind), "gpu, tpu, cpu" },
		{ "simulates", WORD_OF(words_target_kind), "a stand-in for" },
		{ "chips", FIELD_INTEGER, MAY, NULL, "chips" },
		{ "price_nano_usd_hour", FIELD_INTEGER, MAY, NULL, "price; absent: unknown" },
		{ "price_per_chip", FIELD_FLAG, MAY, NULL, "price is per chip" },
		{ "steps", FIELD_INTEGER, MAY, NULL, "declared steps" },
		{ "done", FIELD_FLAG, MAY, NULL, "an end text is declared" },
		{ "artifact", FIELD_TEXT, MAY, NULL, "declared artifact" },
		{ "limit_ns", FIELD_INTEGER, MAY, NULL, "time limit" },
		{ "budget_nano_usd", FIELD_INTEGER, MAY, NULL, "budget" },
	} },
	{ "run.started", "run", BY_TOOL, "once per run and state", {
		{ "state", FIELD_WORD, MUST, &words_run_state, "launching, queued, running" },
		{ "source", FIELD_TEXT, MAY, NULL, "status, rc file, provider, person" },
		{ "where", FIELD_TEXT, MAY, NULL, "host, job, node" },
	} },
	{ "run.ended", "run", BY_TOOL, "once per run and state", {
		{ "state", FIELD_WORD, MUST, &words_run_state, "an end state" },
		{ "rc", FIELD_INTEGER, MAY, NULL, "exit code; absent: unknown" },
		{ "signal", FIELD_TEXT, MAY, NULL, "signal" },
		{ "why", FIELD_TEXT, MAY, NULL, "reason" },
		{ "source", FIELD_TEXT, MAY, NULL, "status, rc file, provider, person" },
		{ "elapsed_ns", FIELD_INTEGER, MAY, NULL, "elapsed time" },
		{ "log", FIELD_DIGEST, MAY, NULL, "digest of the log" },
		{ "markers", FIELD_OBJECT, MAY, NULL,
		  "done, steps, artifact, error_text: yes, no or unknown; steps_done: a number" },
	} },
	{ "run.corrected", "run", BY_TOOL | BY_HUMAN, "later evidence about an end", {
		{ "field", FIELD_TEXT, MUST, NULL, "state, rc, signal, why, elapsed_ns, done, steps, artifact, error_text" },
		{ "old", FIELD_TEXT, MAY, NULL, "value before" },
		{ "new", FIELD_TEXT, MUST, NULL, "value now" },
		{ "source", FIELD_TEXT, MAY, NULL, "where the evidence came from" },
		{ "reason", FIELD_BLOB, MAY, NULL, "why" },
	} },
	{ "evidence.added", "evidence", BY_TOOL | BY_HUMAN | BY_AGENT, "a file with its facts", {
		{ "digest", FIELD_DIGEST, MUST, NULL, "SHA-256 of the file" },
		{ "size", FIELD_INTEGER, MUST, NULL, "bytes" },
		{ "path", FIELD_TEXT, MAY, NULL, "where it was" },
		{ "kind", FIELD_TEXT, MAY, NULL, "log, curve, report, tensor, transcript" },
		{ "parser", FIELD_TEXT, MAY, NULL, "who read it" },
		{ "subject", FIELD_TEXT, MAY, NULL, "what it is about" },
	} },
	{ "facts.parsed", "evidence", BY_TOOL, "facts; a newer parser version supersedes", {
		{ "parser", FIELD_TEXT, MUST, NULL, "parser" },
		{ "version", FIELD_TEXT, MUST, NULL, "its version" },
		{ "facts", FIELD_LIST, MUST, NULL, "facts with their lines" },
	} },
	{ "check.recorded", "check", BY_TOOL | BY_HUMAN | BY_AGENT, "a five-valued answer; an agent's never confirms", {
		{ "result", FIELD_WORD, MUST, &words_check, "result" },
		{ "evidence", FIELD_LIST, MAY, NULL, "evidence" },
		{ "text", FIELD_BLOB, MAY, NULL, "why" },
	} },
	{ "alarm.raised", "alarm", BY_TOOL, "keyed by (rule version, trigger)", {
		{ "rule", FIELD_TEXT, MUST, NULL, "rule" },
		{ "rule_version", FIELD_DIGEST, MUST, NULL, "digest of the rule" },
		{ "trigger", FIELD_DIGEST, MUST, NULL, "event that made it true" },
		{ "features", FIELD_OBJECT, MAY, NULL, "values that it saw" },
		{ "class", WORD_OF(words_rule_class), "class" },
		{ "action", WORD_OF(words_rule_action), "action" },
		{ "attempt", FIELD_TEXT, MAY, NULL, "attempt that it is about" },
	} },
	{ "alarm.adjudicated", "alarm", BY_HUMAN, "one of the six verdicts", {
		{ "verdict", FIELD_WORD, MUST, &words_verdict, "verdict" },
		{ "evidence", FIELD_LIST, MAY, NULL, "later evidence" },
		{ "reason", FIELD_BLOB, MUST, NULL, "why" },
		{ "established", FIELD_TEXT, MAY, NULL, "how the actor was established" },
	} },
	{ "decision.made", "decision", BY_HUMAN, "answers an alarm or changes a line", {
		{ "choice", FIELD_WORD, MUST, &words_decision, "choice" },
		{ "subject", FIELD_TEXT, MUST, NULL, "TYPE:ID" },
		{ "reason", FIELD_BLOB, MUST, NULL, "why" },
		{ "minutes", FIELD_INTEGER, MAY, NULL, "time it took" },
		{ "established", FIELD_TEXT, MAY, NULL, "how the actor was established" },
	} },
	{ "intervention.recorded", "intervention", BY_HUMAN | BY_TOOL, "counted when a person records or confirms it", {
		{ "kind", FIELD_WORD, MUST, &words_intervention, "kind" },
		{ "minutes", FIELD_INTEGER, MAY, NULL, "minutes" },
		{ "attempt", FIELD_TEXT, MAY, NULL, "attempt" },
		{ "text", FIELD_BLOB, MAY, NULL, "what was done" },
		{ "triggered_by", FIELD_TEXT, MAY, NULL, "alarm, event or message" },
		{ "source", FIELD_TEXT, MAY, NULL, "session, command" },
	} },
	{ "note.written", "any", BY_HUMAN | BY_AGENT | BY_TOOL, "shown at the object", {
		{ "text", FIELD_BLOB, MUST, NULL, "text" },
	} },
	{ "signoff.given", "assessment", BY_HUMAN, "reviewed, approved or overrode", {
		{ "meaning", FIELD_WORD, MUST, &words_signoff, "what the sign-off states" },
		{ "level", WORD_OF(words_level), "level that it is about" },
		{ "text", FIELD_BLOB, MAY, NULL, "why" },
		{ "established", FIELD_TEXT, MAY, NULL, "how the actor was established" },
	} },
	{ "session.ingested", "session", BY_TOOL, "agent hours and tokens; idempotent by message id", {
		{ "agent", FIELD_TEXT, MUST, NULL, "agent" },
		{ "session", FIELD_TEXT, MUST, NULL, "session id" },
		{ "digest", FIELD_DIGEST, MAY, NULL, "digest of the transcript" },
		{ "models", FIELD_LIST, MAY, NULL, "models" },
		{ "tokens", FIELD_OBJECT, MAY, NULL, "input, cache_write_5m, cache_write_1h, cache_read, output" },
		{ "first", FIELD_TEXT, MAY, NULL, "time of the first message" },
		{ "last", FIELD_TEXT, MAY, NULL, "time of the last message" },
		{ "counts", FIELD_OBJECT, MAY, NULL, "messages and others" },
		{ "agent_ns", FIELD_INTEGER, MAY, NULL, "working time of the agent" },
		{ "cost_nano_usd", FIELD_INTEGER, MAY, NULL, "cost by request; absent: unknown" },
	} },
	{ "cost.recorded", "cost", BY_TOOL | BY_HUMAN, "an entry of the ledger", {
		{ "class", FIELD_WORD, MUST, &words_cost_class, "class" },
		{ "amount_nano_usd", FIELD_INTEGER, MUST, NULL, "amount" },
		{ "price_row", FIELD_TEXT, MAY, NULL, "the price used, with date and region" },
		{ "subject", FIELD_TEXT, MAY, NULL, "TYPE:ID" },
		{ "source", FIELD_TEXT, MAY, NULL, "invoice, price list" },
	} },
	{ "label.seen", "attempt", BY_TOOL, "a reviewer saw the labels: later ones are not blind", {
		{ "reviewer", FIELD_TEXT, MUST, NULL, "reviewer" },
		{ "position", FIELD_TEXT, MAY, NULL, "position of the view" },
	} },
	{ "drill.answered", "drill", BY_HUMAN, "a learner's record, in the learner's own log", {
		{ "case", FIELD_TEXT, MUST, NULL, "case" },
		{ "cards", FIELD_LIST, MAY, NULL, "cards opened" },
		{ "answer", FIELD_OBJECT, MUST, NULL, "answer" },
		{ "score", FIELD_NUMBER, MAY, NULL, "score" },
	} },
	{ "checkpoint.published", "migration", BY_TOOL, "an anchor", {
		{ "heads", FIELD_OBJECT, MAY, NULL, "head per replica" },
		{ "counts", FIELD_OBJECT, MAY, NULL, "count per replica" },
		{ "digest", FIELD_DIGEST, MUST, NULL, "head digest" },
		{ "where", FIELD_TEXT, MAY, NULL, "where it was published" },
	} },
	{ "event.superseded", "event", BY_HUMAN | BY_AGENT | BY_TOOL, "the old event stays, struck through", {
		{ "kind", FIELD_TEXT, MUST, NULL, "kind of the old event" },
		{ "of", FIELD_TEXT, MUST, NULL, "object of the old event" },
		{ "by", FIELD_TEXT, MAY, NULL, "the event that takes its place" },
		{ "reason", FIELD_BLOB, MUST, NULL, "why" },
	} },
};
const size_t kinds_n = ARRAY_LEN(kinds);
