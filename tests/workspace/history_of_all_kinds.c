/* history_of_all_kinds - see the header. */
#include "config.h"

#include "tests/workspace/history_of_all_kinds.h"

#define DIGEST_A "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define DIGEST_B "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
#define DIGEST_C "cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc"

static const char ana[] = "human:ana", ben[] = "human:ben", agent[] = "agent:claude",
		  tool[] = "tool:portside";

static void set_up(struct workspace_fixture *f)
{
	fixture_record(f, tool, "migration.created", "migration", "name", "case-B", "original",
		"0123456", "repository", "case-B", NULL);
	fixture_record(f, ana, "config.accepted", "migration", "digest", DIGEST_A, "text",
		"name = case-B", "summary", "first", "loosened", "[]", NULL);
	fixture_record(f, ana, "contract.accepted", "contract", "digest", DIGEST_B, "text",
		"a contract", "loosened", "[]", NULL);
	fixture_record(f, ana, "goal.set", "accuracy", "metric", "accuracy", "form", "threshold",
		"direction", "higher", "unit", "pp", "scale", "100", "target", "90.93", "margin",
		"1", "examples", "408", "reason", "the paper", NULL);
	fixture_record(f, ana, "intervention.recorded", "quota", "kind", "permission", "minutes",
		"45", "text", "TPU quota", NULL);
}

static void observe(struct workspace_fixture *f, const char *id, const char *n, const char *line,
	const char *tip)
{
	fixture_record(f, tool, "attempt.observed", id, "n", n, "line", line, "tip", tip, "base",
		"0123456", "source", "tag", "subject", "a change", "author", "claude", "committed",
		"2026-10-25T16:00:00.000Z", NULL);
}

static void run(struct workspace_fixture *f, const char *id, const char *attempt, const char *kind,
	const char *target, const char *state, const char *rc)
{
	fixture_record(f, tool, "run.prepared", id, "attempt", attempt, "kind", kind, "target",
		target, "provenance", "observed", "seed", "1", "commit", "0123456", "command",
		DIGEST_C, "spec", DIGEST_A, "by", "human:ana", "target_kind",
		target[0] == 'g' ? "gpu" : "tpu", "chips", "4", "price_nano_usd_hour", "1200000000",
		"price_per_chip", "yes", "steps", "50", "done", "yes", NULL);
	fixture_record(f, tool, "run.started", id, "state", "running", "source", "status", "where",
		"host", NULL);
	if (state)
		fixture_record(f, tool, "run.ended", id, "state", state, "rc", rc, "source",
			"status", "elapsed_ns", "3600000000000", "log", DIGEST_B, "markers",
			"{\"done\":\"yes\",\"steps\":\"yes\",\"error_text\":\"no\"}", NULL);
}

static void work(struct workspace_fixture *f)
{
	run(f, "ps-reference-1", "reference", "full", "gpu-l4", "exited 0", "0");
	observe(f, "1", "1", "", "1111111");
	fixture_record(f, agent, "attempt.expected", "1", "level", "L2", "configuration", "v5e-4",
		"text", "should run", NULL);
	run(f, "ps-one-1", "1", "smoke", "v5e-4", "failed", "1");
	fixture_record(f, ana, "attempt.labelled", "1", "outcome", "failure", "cause", "C3",
		"secondary", "[\"C1\"]", "silent", "no", "reviewer", "ana", "blind", "yes", "text",
		"out of memory", NULL);
	fixture_record(f, tool, "label.seen", "1", "reviewer", "ben", NULL);
	fixture_record(f, ben, "attempt.labelled", "1", "outcome", "failure", "cause", "C4",
		"reviewer", "ben", NULL);
	observe(f, "2", "2", "", "2222222");
	run(f, "ps-two-1", "2", "smoke", "v5e-4", "exited 0", "0");
	run(f, "ps-two-2", "2", "full", "v5e-4", "lost", "");
	fixture_record(f, tool, "run.corrected", "ps-two-2", "field", "state", "old", "lost", "new",
		"exited 0", "source", "provider", "reason", "found later", NULL);
	fixture_record(f, agent, "attempt.claimed", "2", "level", "L4", "configuration", "v5e-4",
		"text", "It works.", "source", "trailer", NULL);
	observe(f, "torchtpu/1", "1", "torchtpu", "3333333");
	run(f, "ps-torch-1", "torchtpu/1", "smoke", "v5e-1", NULL, NULL);
	fixture_record(
		f, ana, "attempt.added", "3", "n", "3", "line", "", "text", "newer libtpu", NULL);
	observe(f, "2", "2", "", "2222223");
	fixture_record(f, tool, "attempt.gone", "torchtpu/1", "tip", "3333333", NULL);
}

static void judge(struct workspace_fixture *f)
{
	const char *note;

	fixture_record(f, tool, "evidence.added", DIGEST_A, "digest", DIGEST_A, "size", "4096",
		"path", "log", "kind", "log", "parser", "terminal", "subject", "run:ps-two-2",
		NULL);
	fixture_record(f, tool, "facts.parsed", DIGEST_A, "parser", "terminal", "version", "1",
		"facts", "[{\"line\":\"7\",\"loss\":\"0.5\"}]", NULL);
	fixture_record(f, tool, "check.recorded", "2@v5e-4:dev", "result", "confirmed", "evidence",
		"[\"" DIGEST_A "\"]", NULL);
	fixture_record(f, agent, "check.recorded", "2@v5e-4:dev", "result", "confirmed", "text",
		"sure", NULL);
	fixture_record(f, ana, "check.recorded", "2@v5e-4:goal.accuracy", "result", "refuted",
		"text", "5 pp below", NULL);
	fixture_record(f, tool, "alarm.raised", "R4-2", "rule", "R4", "rule_version", DIGEST_B,
		"trigger", DIGEST_C, "features", "{\"smoke_gap.accuracy\":\"-6\"}", "class",
		"correctness", "action", "decision", "attempt", "2", NULL);
	fixture_record(f, ana, "decision.made", "d1", "choice", "continue with change", "subject",
		"alarm:R4-2", "reason", "the loader differs", "minutes", "10", NULL);
	fixture_record(f, ben, "alarm.adjudicated", "R4-2", "verdict", "true-migration-error",
		"evidence", "[\"" DIGEST_A "\"]", "reason", "padding", NULL);
	note = fixture_record(f, ana, "note.written", "2", "text", "look at the padding", NULL);
	fixture_record(f, ana, "event.superseded", note, "kind", "note.written", "of", "2",
		"reason", "said better below", NULL);
	fixture_record(f, ana, "intervention.recorded", "hint-1", "kind", "hint", "minutes", "5",
		"attempt", "2", "text", "the padding is wrong", "triggered_by", "R4-2", NULL);
	fixture_record(f, tool, "intervention.recorded", "found-1", "kind", "code-edit", "minutes",
		"3", "attempt", "2", "source", "session", NULL);
	fixture_record(f, ben, "signoff.given", "2@v5e-4", "meaning", "reviewed", "level", "L0",
		"text", "read", NULL);
}

static void account(struct workspace_fixture *f)
{
	fixture_record(f, tool, "session.ingested", "s1", "agent", "claude", "session", "0683418e",
		"digest", DIGEST_C, "models", "[\"m\"]", "tokens",
		"{\"input\":\"1000\",\"output\":\"200\"}", "first", "2026-10-25T16:00:00.000Z",
		"last", "2026-10-25T18:00:00.000Z", "counts", "{\"messages\":\"40\"}", "agent_ns",
		"5400000000000", "cost_nano_usd", "4200000000", NULL);
	fixture_record(f, ana, "cost.recorded", "c1", "class", "run", "amount_nano_usd",
		"12000000000", "subject", "attempt:2", "source", "invoice", NULL);
	fixture_record(f, ana, "goal.set", "accuracy", "metric", "accuracy", "form", "threshold",
		"direction", "higher", "unit", "pp", "scale", "100", "target", "90.93", "margin",
		"3", "reason", "noise", NULL);
	fixture_record(f, ana, "drill.answered", "drill-1", "case", "c3", "cards", "[\"log\"]",
		"answer", "{\"cause\":\"C3\"}", "score", "1", NULL);
	fixture_record(f, ana, "decision.made", "d2", "choice", "abandon line", "subject",
		"line:torchtpu", "reason", "no chips", NULL);
	fixture_record(f, tool, "checkpoint.published", "migration", "heads", "{}", "counts", "{}",
		"digest", DIGEST_A, "where", "origin", NULL);
}

void history_of_all_kinds(struct workspace_fixture *f)
{
	set_up(f);
	work(f);
	judge(f);
	account(f);
}
