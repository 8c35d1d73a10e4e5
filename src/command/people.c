/*
 * people - what people and agents put on record: notes, interventions,
 * expectations, claims, labels, decisions, adjudications, sign-offs.
 */
#include "config.h"

#include <string.h>

#include "base/err.h"
#include "base/hash.h"
#include "base/text.h"
#include "command/groups.h"
#include "domain/authority.h"
#include "domain/kind.h"
#include "domain/object.h"
#include "workspace/state.h"
#include "workspace/stop_rules.h"

/* A fresh object id for what has no name of its own. */
static char *new_id(struct arena *a, const char *prefix)
{
	unsigned char raw[6];
	char hex[sizeof raw * 2 + 1];

	random_bytes(raw, sizeof raw);
	hex_encode(hex, raw, sizeof raw);
	return arena_printf(a, "%s-%s", prefix, hex);
}

static int attempt_id(const char **out, struct call *c, const char *text)
{
	struct attempt_state *s;
	int rc = state_attempt(c->workspace, text, NULL, c->arena, &s);

	if (rc == 0)
		*out = s->id;
	return rc;
}

static int record(struct call *c, const char *kind, const char *object, const struct json *data, const char *done)
{
	struct record r = { .kind = kind, .object = object, .data = data };
	struct event *e;
	int rc = workspace_record(c->workspace, &r, c->arena, &e);
	char hex[DIGEST_HEX + 1];

	if (rc < 0)
		return rc;
	digest_hex(hex, &e->id);
	c->message = arena_printf(c->arena, "%s (event %.10s)", done, hex);
	return 0;
}

static const char *minutes_text(struct call *c)
{
	const char *text = call_text(c, "--minutes");

	return text ? text : NULL;
}

/* ---- notes and interventions ------------------------------------------------------------ */

static int note_run(struct call *c)
{
	const char *about = call_text(c, "--about"), *id = "migration";
	int rc = 0;

	if (about && strncmp(about, "ps-", 3) == 0)
		id = arena_printf(c->arena, "run/%s", about);
	else if (about && (rc = attempt_id(&id, c, about)) == 0)
		id = arena_printf(c->arena, "attempt/%s", id);
	if (rc < 0)
		return rc;
	return record(c, "note.written", id, event_data(c->arena, "text", call_text(c, "text"), NULL), "noted");
}

static int intervene_run(struct call *c)
{
	const char *attempt = call_text(c, "--attempt"), *id = NULL;
	int rc = attempt ? attempt_id(&id, c, attempt) : 0;

	if (rc < 0)
		return rc;
	return record(c, "intervention.recorded", new_id(c->arena, "intervention"), event_data(c->arena,
		"kind", call_text(c, "kind"), "minutes", minutes_text(c), "attempt", id, "text", call_text(c, "text"),
		"triggered_by", call_text(c, "--because-of"), NULL), "intervention recorded");
}

/* ---- expectations, claims, labels --------------------------------------------------------- */

static int level_event(struct call *c, const char *kind, const char *done)
{
	const char *id = NULL, *text = call_text(c, "level");
	const char *configuration = call_text(c, "--configuration");
	struct level_text level;
	int rc = attempt_id(&id, c, call_text(c, "attempt"));

	if (rc < 0)
		return rc;
	if (!level_parse(&level, text))
		return err_set(ERR_USAGE, "\"%s\" is no level; write none, L0, L2, L3 or L4, and --configuration NAME", text);
	if (level.configuration_n)
		configuration = arena_strndup(c->arena, level.configuration, level.configuration_n);
	if (configuration && strcmp(configuration, "all") == 0)
		configuration = NULL;
	return record(c, kind, id, event_data(c->arena,
		"level", level.level == LEVEL_UNSET ? NULL : level_name(level.level), "configuration", configuration,
		"mapped", level.mapped ? "yes" : NULL, "source", c->from_screen ? "screen" : "command",
		"text", call_text(c, "--text"), NULL), done);
}

static int expect_run(struct call *c)
{
	return level_event(c, "attempt.expected", "expectation recorded; it counts for runs that are prepared after it");
}

static int claim_run(struct call *c)
{
	return level_event(c, "attempt.claimed", "claim recorded beside what was measured");
}

static int label_run(struct call *c)
{
	const char *id = NULL;
	int rc = attempt_id(&id, c, call_text(c, "attempt"));

	if (rc < 0)
		return rc;
	return record(c, "attempt.labelled", id, event_data(c->arena, "outcome", call_text(c, "outcome"),
		"cause", call_text(c, "--cause"), "silent", call_text(c, "--silent"), "text", call_text(c, "--text"), NULL),
		"label recorded");
}

static int add_run(struct call *c)
{
	const char *line = call_text(c, "--line"), *number = call_text(c, "number");
	int64_t n = call_integer(c, "number", 0);

	return record(c, "attempt.added", attempt_object_id(c->arena, n, line ? line : ""), event_data(c->arena,
		"n", number, "line", line, "text", call_text(c, "text"), NULL), "attempt without a commit recorded");
}

/* ---- decisions ------------------------------------------------------------------------------ */

/* "7", "attempt:7", "line:x", "migration", an alarm's key or its first letters. */
static int decision_subject(const char **out, struct call *c, const char *text)
{
	struct state_query q = { .type = "alarm" };
	const char *found = NULL, *id = NULL;
	void **rows;
	size_t n;
	int rc;

	if (strcmp(text, "migration") == 0 || strchr(text, ':')) {
		*out = strcmp(text, "migration") == 0 ? "migration:" : text;
		return 0;
	}
	if ((rc = state_list(c->workspace, &q, c->arena, &rows, &n)) < 0)
		return rc;
	for (size_t i = 0; i < n && strlen(text) >= 6; i++)
		if (text_starts(((struct alarm_state *)rows[i])->id, text))
			found = ((struct alarm_state *)rows[i])->id;
	if (found) {
		*out = arena_printf(c->arena, "alarm:%s", found);
		return 0;
	}
	if ((rc = attempt_id(&id, c, text)) < 0)
		return rc;
	*out = arena_printf(c->arena, "attempt:%s", id);
	return 0;
}

/* The command line writes one word where the log has several. */
static char *spaced(struct arena *a, const char *word)
{
	char *copy = arena_strdup(a, word);

	for (char *p = copy; *p; p++)
		if (*p == '-')
			*p = ' ';
	return copy;
}

static int decide_run(struct call *c)
{
	const char *subject = NULL;
	int rc = decision_subject(&subject, c, call_text(c, "--subject"));

	if (rc < 0)
		return rc;
	rc = record(c, "decision.made", new_id(c->arena, "decision"), event_data(c->arena, "choice", spaced(c->arena, call_text(c, "choice")),
		"subject", subject, "reason", call_text(c, "--reason"), "minutes", minutes_text(c), NULL), "decision recorded");
	if (rc < 0 || !call_flag(c, "--intervention"))
		return rc;
	return record(c, "intervention.recorded", new_id(c->arena, "intervention"), event_data(c->arena,
		"kind", "gate-decision", "minutes", minutes_text(c), "text", call_text(c, "--reason"), "triggered_by", subject,
		"attempt", text_starts(subject, "attempt:") ? subject + strlen("attempt:") : NULL, NULL),
		"decision and intervention recorded");
}

static int adjudicate_run(struct call *c)
{
	const char *subject = NULL;
	int rc = authority_check(workspace_actor(c->workspace), AUTHORITY_ADJUDICATE);

	if (rc < 0 || (rc = decision_subject(&subject, c, call_text(c, "alarm"))) < 0)
		return rc;
	if (!text_starts(subject, "alarm:"))
		return err_set(ERR_NOT_FOUND, "no alarm \"%s\"; portside alarms lists them", call_text(c, "alarm"));
	return record(c, "alarm.adjudicated", subject + strlen("alarm:"), event_data(c->arena, "verdict", call_text(c, "verdict"),
		"reason", call_text(c, "--reason"), NULL), "adjudicated");
}

static int signoff_run(struct call *c)
{
	const char *id = NULL;
	int rc = authority_check(workspace_actor(c->workspace), AUTHORITY_SIGN_OFF);

	if (rc < 0 || (rc = attempt_id(&id, c, call_text(c, "attempt"))) < 0)
		return rc;
	return record(c, "signoff.given", assessment_object_id(c->arena, id, call_text(c, "--configuration")), event_data(c->arena,
		"meaning", call_text(c, "meaning"), "level", call_text(c, "--level"), "text", call_text(c, "--text"), NULL),
		"signed off");
}

static int blocker_run(struct call *c)
{
	const char *attempt = call_text(c, "--attempt"), *id = NULL;
	int rc = attempt ? attempt_id(&id, c, attempt) : 0;

	if (rc == 0)
		rc = stop_rules_declare_blocker(c->workspace, id, call_text(c, "text"), call_text(c, "--evidence"), c->arena);
	if (rc == 0)
		c->message = "blocker declared: rule R3 asks for a decision";
	return rc;
}

/* ---- striking ------------------------------------------------------------------------------- */

static int strike_run(struct call *c)
{
	struct event *e;
	char hex[DIGEST_HEX + 1];
	int rc = log_event_by_prefix(workspace_log(c->workspace), call_text(c, "event"), c->arena, &e);

	if (rc < 0)
		return rc;
	if (!authority_may_supersede(workspace_actor(c->workspace)->text, e->actor))
		return err_set(ERR_REFUSED, "%s may not strike what %s wrote", workspace_actor(c->workspace)->text, e->actor);
	digest_hex(hex, &e->id);
	return record(c, "event.superseded", hex, event_data(c->arena, "kind", e->kind, "of", e->object,
		"reason", call_text(c, "--reason"), NULL), "struck; the old words stay visible");
}

static const struct argument note_arguments[] = {
	{ "text", ARGUMENT_TEXT, "the note", true, false, NULL, NULL },
	{ "--about", ARGUMENT_TEXT, "an attempt or a run", false, false, NULL, "the migration" },
	{ 0 },
};
static const struct argument intervene_arguments[] = {
	{ "kind", ARGUMENT_WORD, "what was done", true, false,
	  "permission gate-decision hint code-edit environment reference-fix review", NULL },
	{ "text", ARGUMENT_TEXT, "in your words", true, false, NULL, NULL },
	{ "--minutes", ARGUMENT_INTEGER, "how long it took", false, false, NULL, NULL },
	{ "--attempt", ARGUMENT_ATTEMPT, "which attempt it was for", false, false, NULL, NULL },
	{ "--because-of", ARGUMENT_TEXT, "alarm, event or message", false, false, NULL, NULL },
	{ 0 },
};
static const struct argument level_arguments[] = {
	{ "attempt", ARGUMENT_ATTEMPT, "which attempt", true, false, NULL, NULL },
	{ "level", ARGUMENT_TEXT, "none, L0, L2, L3, L4, or L3@CONFIGURATION", true, false, NULL, NULL },
	{ "--configuration", ARGUMENT_TARGET, "on which configuration", false, false, NULL, "all" },
	{ "--text", ARGUMENT_TEXT, "in your words", false, false, NULL, NULL },
	{ 0 },
};
static const struct argument label_arguments[] = {
	{ "attempt", ARGUMENT_ATTEMPT, "which attempt", true, false, NULL, NULL },
	{ "outcome", ARGUMENT_WORD, "how it came out", true, false, "success failure aborted superseded", NULL },
	{ "--cause", ARGUMENT_TEXT, "C0 to C6; an agent may use its own word", false, false, NULL, NULL },
	{ "--silent", ARGUMENT_WORD, "failed without an error?", false, false, "yes no", NULL },
	{ "--text", ARGUMENT_TEXT, "why", false, false, NULL, NULL },
	{ 0 },
};
static const struct argument add_arguments[] = {
	{ "number", ARGUMENT_INTEGER, "its number", true, false, NULL, NULL },
	{ "text", ARGUMENT_TEXT, "what changed outside the code", true, false, NULL, NULL },
	{ "--line", ARGUMENT_TEXT, "its line", false, false, NULL, "the unnamed one" },
	{ 0 },
};
static const struct argument decide_arguments[] = {
	{ "choice", ARGUMENT_WORD, "what is decided", true, false,
	  "accept continue continue-with-change make-comparable full-run-anyway abandon-line abandon-migration", NULL },
	{ "--subject", ARGUMENT_TEXT, "an alarm, an attempt, line:NAME or migration", true, false, NULL, NULL },
	{ "--reason", ARGUMENT_TEXT, "why", true, false, NULL, NULL },
	{ "--minutes", ARGUMENT_INTEGER, "how long it took", false, false, NULL, NULL },
	{ "--intervention", ARGUMENT_FLAG, "it is also an intervention", false, false, NULL, NULL },
	{ 0 },
};
static const struct argument adjudicate_arguments[] = {
	{ "alarm", ARGUMENT_TEXT, "the alarm's first letters", true, false, NULL, NULL },
	{ "verdict", ARGUMENT_WORD, "what it turned out to be", true, false,
	  "true-migration-error false-reference-setup false-noise true-cost false-cost unassessable", NULL },
	{ "--reason", ARGUMENT_TEXT, "the later evidence", true, false, NULL, NULL },
	{ 0 },
};
static const struct argument signoff_arguments[] = {
	{ "attempt", ARGUMENT_ATTEMPT, "which attempt", true, false, NULL, NULL },
	{ "meaning", ARGUMENT_WORD, "what the sign-off states", true, false, "reviewed approved overrode", NULL },
	{ "--configuration", ARGUMENT_TARGET, "on which configuration", true, false, NULL, NULL },
	{ "--level", ARGUMENT_TEXT, "the level that it is about", false, false, NULL, NULL },
	{ "--text", ARGUMENT_TEXT, "why", false, false, NULL, NULL },
	{ 0 },
};
static const struct argument blocker_arguments[] = {
	{ "text", ARGUMENT_TEXT, "what cannot be avoided", true, false, NULL, NULL },
	{ "--evidence", ARGUMENT_TEXT, "a file, a link or an event", true, false, NULL, NULL },
	{ "--attempt", ARGUMENT_ATTEMPT, "where it showed", false, false, NULL, NULL },
	{ 0 },
};
static const struct argument strike_arguments[] = {
	{ "event", ARGUMENT_EVENT, "the event's first digits", true, false, NULL, NULL },
	{ "--reason", ARGUMENT_TEXT, "why", true, false, NULL, NULL },
	{ 0 },
};

enum {
	BOTH = OPERATION_CLI | OPERATION_SCREEN | OPERATION_WRITES | OPERATION_DIALOG,
	PERSON = BOTH | OPERATION_PERSON,
	HERE = CONTEXT_ATTEMPTS | CONTEXT_DIFF | CONTEXT_RUNS | CONTEXT_CURVES | CONTEXT_JOURNAL,
};

const struct operation people_operations[] = {
	{ "note", "n", CONTEXT_JOURNAL | CONTEXT_ATTEMPTS, "write a note", BOTH, note_arguments, note_run, 0 },
	{ "intervene", "i", HERE, "record what a person did for the agent", PERSON, intervene_arguments, intervene_run, 0 },
	{ "expect", "E", CONTEXT_ATTEMPTS, "write the expected level before a run", BOTH, level_arguments, expect_run, 0 },
	{ "claim", NULL, 0, "write what the agent says it reached", BOTH, level_arguments, claim_run, 0 },
	{ "label", "C", CONTEXT_ATTEMPTS | CONTEXT_TRIAGE, "label outcome and cause of an attempt", BOTH, label_arguments, label_run, 0 },
	{ "attempt add", NULL, 0, "record an attempt without a commit", BOTH, add_arguments, add_run, 0 },
	{ "decide", "d", CONTEXT_ATTEMPTS | CONTEXT_JOURNAL, "record a decision, with its reason", PERSON, decide_arguments, decide_run, 0 },
	{ "adjudicate", "A", CONTEXT_JOURNAL, "say what an alarm turned out to be", PERSON, adjudicate_arguments, adjudicate_run, 0 },
	{ "signoff", NULL, 0, "review, approve or override", PERSON, signoff_arguments, signoff_run, 0 },
	{ "blocker", NULL, 0, "declare a blocker that cannot be avoided", BOTH, blocker_arguments, blocker_run, 0 },
	{ "strike", "u", CONTEXT_JOURNAL, "take a record back; the old words stay visible", BOTH, strike_arguments, strike_run, 0 },
	{ 0 },
};
