/*
 * people - what people and agents put on record: notes, interventions,
 * expectations, claims, labels, sign-offs.  Decisions and adjudications are in
 * decision.c, striking in strike.c.
 */
#include "config.h"

#include <string.h>

#include "base/err.h"
#include "base/hash.h"
#include "base/json_build.h"
#include "base/text.h"
#include "command/decision.h"
#include "command/groups.h"
#include "command/people.h"
#include "command/screen_operation.h"
#include "command/triage_subject.h"
#include "domain/authority.h"
#include "domain/choice.h"
#include "domain/kind.h"
#include "domain/object.h"
#include "workspace/state.h"
#include "workspace/stop_rules.h"

char *people_new_id(struct arena *a, const char *prefix)
{
	unsigned char raw[6];
	char hex[sizeof raw * 2 + 1];

	random_bytes(raw, sizeof raw);
	hex_encode(hex, raw, sizeof raw);
	return arena_printf(a, "%s-%s", prefix, hex);
}

int people_attempt(const char **out, struct call *c, const char *text)
{
	struct attempt_state *s;
	int rc = state_attempt(c->workspace, text, NULL, c->arena, &s);
	const char *line;
	int64_t n;

	if (rc == 0)
		*out = s->id;
	if (rc != ERR_NOT_FOUND || !workspace_spools(c->workspace) ||
		!attempt_object_parse(&n, &line, c->arena, text))
		return rc;
	/* An agent speaks of its attempt before anybody has looked for it. */
	err_clear();
	*out = arena_strdup(c->arena, text);
	return 0;
}

int people_check_minutes(struct call *c)
{
	int64_t minutes = call_integer(c, "--minutes", 0);

	if (minutes < 0 || minutes > PEOPLE_MINUTES_MAX)
		return err_set(ERR_USAGE, "--minutes: %lld is not a number from 0 to %d",
			(long long)minutes, PEOPLE_MINUTES_MAX);
	return 0;
}

int people_record_if(struct call *c, log_check_fn *check, void *user, const struct record *records,
	size_t n, const char *done)
{
	struct event **events = arena_alloc(c->arena, n * sizeof *events);
	int rc = workspace_record_if(c->workspace, check, user, records, n, c->arena, events);
	char hex[DIGEST_HEX + 1];

	if (rc < 0)
		return rc;
	digest_hex(hex, &events[0]->id);
	c->message = arena_printf(c->arena, "%s (event %.10s)", done, hex);
	return 0;
}

/* What an agent asserts waits for a person, see command/open.h. */
static int spool(struct call *c, const struct record *records, size_t n, const char *done)
{
	for (size_t i = 0; i < n; i++) {
		int rc = workspace_spool(c->workspace, &records[i], c->arena);

		if (rc < 0)
			return rc;
	}
	c->message = arena_printf(c->arena,
		"%s, as the word of %s; it waits in the spool until a person's portside takes it "
		"in",
		done, workspace_actor(c->workspace)->text);
	return 0;
}

int people_record(struct call *c, const struct record *records, size_t n, const char *done)
{
	if (workspace_spools(c->workspace))
		return spool(c, records, n, done);
	return people_record_if(c, NULL, NULL, records, n, done);
}

static int record(struct call *c, const char *kind, const char *object, const struct json *data,
	const char *done)
{
	struct record r = { .kind = kind, .object = object, .data = data };

	return people_record(c, &r, 1, done);
}

int people_check_words(struct call *c, const char *name)
{
	const char *text = call_text(c, name);

	if (text && !text[strspn(text, " \t\r\n")])
		return err_set(ERR_USAGE, "%s is empty; write it in your words", name);
	return 0;
}

/* ---- notes and interventions ------------------------------------------------------------ */

/* "7", "ps-...", "alarm/KEY", "migration" to the object that a note is about. */
static int note_subject(const char **out, struct call *c, const char *text)
{
	const struct alarm_state *alarm;
	struct run_state *run;
	const char *id;
	int rc;

	if (text_starts(text, "run/"))
		text += strlen("run/");
	if (text_starts(text, "ps-")) {
		rc = state_run(c->workspace, text, NULL, c->arena, &run);
		*out = rc == 0 ? arena_printf(c->arena, "run/%s", run->id) : NULL;
	} else if (text_starts(text, "alarm/")) {
		rc = decision_find_alarm(
			&alarm, c->workspace, text + strlen("alarm/"), NULL, c->arena);
		*out = rc == 0 ? arena_printf(c->arena, "alarm/%s", alarm->id) : NULL;
	} else {
		rc = people_attempt(&id, c, text);
		*out = rc == 0 ? arena_printf(c->arena, "attempt/%s", id) : NULL;
	}
	return rc;
}

static int note_run(struct call *c)
{
	const char *about = call_text(c, "--about"), *object = "migration";
	int rc = people_check_words(c, "text");

	if (rc == 0 && about && *about && strcmp(about, "migration") != 0)
		rc = note_subject(&object, c, about);
	if (rc < 0)
		return rc;
	return record(c, "note.written", object,
		event_data(c->arena, "text", call_text(c, "text"), NULL), "noted");
}

/* An intervention that a tool found in a session counts when a person says so. */
static int confirmed_object(const char **out, struct call *c)
{
	const char *id = call_text(c, "--confirms");
	void *state;
	int rc;

	*out = id ? id : people_new_id(c->arena, "intervention");
	if (!id)
		return 0;
	rc = state_get(c->workspace, "intervention", id, NULL, c->arena, &state);
	return rc ? (rc < 0 ? rc : 0)
		  : err_set(ERR_NOT_FOUND,
			    "no intervention %s; portside journal --kind intervention. lists them",
			    id);
}

/* The minutes of a decision about an alarm are counted with the decision: written down
 * once more with the gate decision they would count twice. */
static int check_minutes_once(struct call *c)
{
	const char *because = call_text(c, "--because-of"), *minutes = call_text(c, "--minutes");
	struct state_query q = { .type = "decision" };
	void **rows;
	size_t n;
	int rc;

	if (!minutes || !because || !text_starts(because, "alarm:") ||
		strcmp(call_text(c, "kind"), "gate-decision") != 0)
		return 0;
	rc = state_list(c->workspace, &q, c->arena, &rows, &n);
	for (size_t i = 0; rc == 0 && i < n; i++) {
		const struct decision_state *d = rows[i];

		if (!*d->entry.struck && d->minutes && text_starts(d->subject, because) &&
			strcmp(d->entry.who, workspace_actor(c->workspace)->text) == 0)
			return err_set(ERR_EXISTS,
				"your decision about it has %lld minute%s on record (event %.10s), "
				"and they count once: leave --minutes out",
				(long long)d->minutes, d->minutes == 1 ? "" : "s",
				d->entry.event);
	}
	return rc;
}

static int intervene_run(struct call *c)
{
	const char *attempt = call_text(c, "--attempt"), *id = NULL, *object = NULL;
	int rc = people_check_words(c, "text");

	if (rc == 0)
		rc = people_check_minutes(c);
	if (rc == 0)
		rc = check_minutes_once(c);
	if (rc == 0 && attempt && *attempt)
		rc = people_attempt(&id, c, attempt);
	if (rc == 0)
		rc = confirmed_object(&object, c);
	if (rc < 0)
		return rc;
	return record(c, "intervention.recorded", object,
		event_data(c->arena, "kind", call_text(c, "kind"), "minutes",
			call_text(c, "--minutes"), "attempt", id, "text", call_text(c, "text"),
			"triggered_by", call_text(c, "--because-of"), "source",
			c->from_screen ? "screen" : "command", NULL),
		"intervention recorded");
}

/* ---- expectations, claims, labels --------------------------------------------------------- */

/* What was prepared before cannot be foreseen any more: say so at once. */
static bool is_late(const struct attempt_state *s, const char *configuration)
{
	for (size_t i = 0; i < s->runs_n; i++)
		if (!s->runs[i].struck &&
			(!configuration || strcmp(s->runs[i].configuration, configuration) == 0))
			return true;
	return false;
}

static int level_event(struct call *c, bool expectation)
{
	const char *text = call_text(c, "level"), *configuration = call_text(c, "--configuration"),
		   *done;
	struct attempt_state *s = NULL;
	const char *id = NULL;
	struct level_text level;
	int rc = people_attempt(&id, c, call_text(c, "attempt"));

	if (rc < 0)
		return rc;
	if (state_attempt(c->workspace, id, NULL, c->arena, &s) < 0)
		err_clear();	/* an agent's new attempt: nothing is known of it yet */
	if (!level_parse(&level, text))
		return err_set(ERR_USAGE,
			"\"%s\" is no level; write none, L0, L2, L3 or L4, and --configuration "
			"NAME",
			text);
	if (expectation && level.level == LEVEL_UNSET)
		return err_set(ERR_USAGE, "an expectation names a level: none, L0, L2, L3 or L4");
	if (level.configuration_n)
		configuration = arena_strndup(c->arena, level.configuration, level.configuration_n);
	if (configuration && (!*configuration || strcmp(configuration, "all") == 0))
		configuration = NULL;
	done = !expectation ? "claim recorded beside what was measured"
		: s && is_late(s, configuration)
		? "recorded as late: a run was prepared before, so it does not count for that one"
		: "expectation recorded; it counts for runs that are prepared after it";
	return record(c, expectation ? "attempt.expected" : "attempt.claimed", id,
		event_data(c->arena, "level",
			level.level == LEVEL_UNSET ? NULL : level_name(level.level),
			"configuration", configuration, "mapped",
			level.mapped && !expectation ? "yes" : NULL, "source",
			c->from_screen ? "screen" : "command", "text", call_text(c, "--text"),
			NULL),
		done);
}

static int expect_run(struct call *c)
{
	return level_event(c, true);
}

static int claim_run(struct call *c)
{
	return level_event(c, false);
}

/* Says so at once; the fold marks it as well, wherever the two events come from. */
static int check_blind(struct call *c, const char *id)
{
	const char *reviewer = triage_reviewer(c->workspace, c->arena);
	struct attempt_state *s = NULL;
	void *state = NULL;
	int rc;

	if (!*reviewer)
		return err_set(ERR_USAGE, "--blind is for people: %s is no reviewer",
			workspace_actor(c->workspace)->text);
	rc = state_get(c->workspace, "attempt", id, NULL, c->arena, &state);
	s = rc > 0 ? state : NULL;
	for (size_t i = 0; s && i < s->seen_n; i++)
		if (!*s->seen[i].entry.struck && strcmp(s->seen[i].reviewer, reviewer) == 0)
			return err_set(ERR_STATE,
				"%s was shown the labels of attempt %s at %.16s, so this label is "
				"not blind: leave --blind out",
				reviewer, id, s->seen[i].entry.time);
	return rc < 0 ? rc : 0;
}

/* The causes of --secondary, which may stand several times, as a list; NULL: none. */
static struct json *secondary_of(struct call *c)
{
	struct json *list = json_new_list(c->arena, "secondary");
	const char *text;

	for (size_t i = 0; (text = call_text_at(c, "--secondary", i)) != NULL; i++)
		json_append(list, json_new_text(c->arena, NULL, text));
	return list->count ? list : NULL;
}

static int label_run(struct call *c)
{
	const char *id = NULL;
	bool blind = call_flag(c, "--blind");
	struct json *secondary = secondary_of(c), *data;
	int rc = people_attempt(&id, c, call_text(c, "attempt"));

	if (rc == 0 && blind)
		rc = check_blind(c, id);
	if (rc < 0)
		return rc;
	data = json_copy(c->arena,
		event_data(c->arena, "outcome", call_text(c, "outcome"), "cause",
			call_text(c, "--cause"), "silent", call_text(c, "--silent"), "text",
			call_text(c, "--text"), "blind", blind ? "yes" : NULL, NULL));
	if (secondary)
		json_append(data, secondary);
	return record(c, "attempt.labelled", id, data,
		blind ? "blind label recorded" : "label recorded");
}

static int add_run(struct call *c)
{
	const char *line = call_text(c, "--line"), *number = call_text(c, "number");
	int64_t n = call_integer(c, "number", 0);

	if (n < 1)
		return err_set(ERR_USAGE, "attempts are numbered from 1, not %s", number);
	if (line && *line && !name_is_plain(line))
		return err_set(ERR_USAGE,
			"--line: \"%s\" is no name; letters, digits, dot, dash and underscore "
			"make one",
			line);
	return record(c, "attempt.added", attempt_object_id(c->arena, n, line ? line : ""),
		event_data(c->arena, "n", number, "line", line, "text", call_text(c, "text"), NULL),
		"attempt without a commit recorded");
}

/* ---- sign-offs and blockers ------------------------------------------------------------------ */

static int signoff_run(struct call *c)
{
	const char *id = NULL;
	int rc = authority_check(workspace_actor(c->workspace), AUTHORITY_SIGN_OFF);

	if (rc < 0 || (rc = people_attempt(&id, c, call_text(c, "attempt"))) < 0)
		return rc;
	return record(c, "signoff.given",
		assessment_object_id(c->arena, id, call_text(c, "--configuration")),
		event_data(c->arena, "meaning", call_text(c, "meaning"), "level",
			call_text(c, "--level"), "text", call_text(c, "--text"), NULL),
		"signed off");
}

static int blocker_run(struct call *c)
{
	const char *attempt = call_text(c, "--attempt"), *id = NULL;
	int rc = people_check_words(c, "text");

	if (rc == 0)
		rc = people_check_words(c, "--evidence");
	if (rc == 0 && attempt && *attempt)
		rc = people_attempt(&id, c, attempt);
	if (rc == 0)
		rc = stop_rules_declare_blocker(c->workspace, id, call_text(c, "text"),
			call_text(c, "--evidence"), c->arena);
	if (rc == 0)
		c->message = "blocker declared: rule R3 asks for a decision";
	return rc;
}

static const struct argument note_arguments[] = {
	{ "text", ARGUMENT_TEXT, "the note", true, false, NULL, NULL },
	{ "--about", ARGUMENT_TEXT, "an attempt, a run, or alarm/KEY", false, false, NULL,
		"the migration" },
	{ 0 },
};
static const struct argument intervene_arguments[] = {
	{ "kind", ARGUMENT_WORD, "what was done", true, false,
		CHOICES_TYPED(INTERVENTION_CHOICES), NULL },
	{ "text", ARGUMENT_TEXT, "in your words", true, false, NULL, NULL },
	{ "--minutes", ARGUMENT_INTEGER, "how long it took", false, false, NULL, NULL },
	{ "--attempt", ARGUMENT_ATTEMPT, "which attempt it was for", false, false, NULL, NULL },
	{ "--because-of", ARGUMENT_TEXT, "alarm, event or message", false, false, NULL, NULL },
	{ "--confirms", ARGUMENT_TEXT, "an intervention that was found in a session", false, false,
		NULL, NULL },
	{ 0 },
};
static const struct argument level_arguments[] = {
	{ "attempt", ARGUMENT_ATTEMPT, "which attempt", true, false, NULL, NULL },
	{ "level", ARGUMENT_TEXT, "none, L0, L2, L3, L4, or L3@CONFIGURATION", true, false, NULL,
		NULL },
	{ "--configuration", ARGUMENT_TARGET, "on which configuration", false, false, NULL, "all" },
	{ "--text", ARGUMENT_TEXT, "in your words", false, false, NULL, NULL },
	{ 0 },
};
static const struct argument label_arguments[] = {
	{ "attempt", ARGUMENT_ATTEMPT, "which attempt", true, false, NULL, NULL },
	{ "outcome", ARGUMENT_WORD, "how it came out", true, false,
		CHOICES_TYPED(OUTCOME_CHOICES), NULL },
	{ "--cause", ARGUMENT_TEXT, "C0 to C6; an agent may use its own word", false, false, NULL,
		NULL },
	{ "--silent", ARGUMENT_WORD, "failed without an error?", false, false,
		CHOICES_TYPED(SILENT_CHOICES), NULL },
	{ "--secondary", ARGUMENT_TEXT, "a further cause; may stand several times", false, true,
		NULL, NULL },
	{ "--blind", ARGUMENT_FLAG, "you saw no label of others, nor a proposal", false, false,
		NULL, NULL },
	{ "--text", ARGUMENT_TEXT, "why", false, false, NULL, NULL },
	{ 0 },
};
static const struct argument add_arguments[] = {
	{ "number", ARGUMENT_INTEGER, "its number", true, false, NULL, NULL },
	{ "text", ARGUMENT_TEXT, "what changed outside the code", true, false, NULL, NULL },
	{ "--line", ARGUMENT_TEXT, "its line", false, false, NULL, "the unnamed one" },
	{ 0 },
};
static const struct argument signoff_arguments[] = {
	{ "attempt", ARGUMENT_ATTEMPT, "which attempt", true, false, NULL, NULL },
	{ "meaning", ARGUMENT_WORD, "what the sign-off states", true, false,
		CHOICES_TYPED(SIGNOFF_CHOICES), NULL },
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

enum {
	WRITES = OPERATION_CLI | OPERATION_SCREEN | OPERATION_WRITES | OPERATION_DIALOG,
	BOTH = WRITES | OPERATION_SPOOLS,
	PERSON = WRITES | OPERATION_PERSON,
	HERE = CONTEXT_ATTEMPTS | CONTEXT_DIFF | CONTEXT_RUNS | CONTEXT_JOURNAL,
};

const struct operation people_operations[] = {
	{ "note", "n", CONTEXT_JOURNAL | CONTEXT_ATTEMPTS, "write a note", BOTH, note_arguments,
		note_run, SCREEN_NOTE },
	{ "intervene", "i", HERE, "record what a person did for the agent", PERSON,
		intervene_arguments, intervene_run, SCREEN_INTERVENE },
	{ "expect", "E", CONTEXT_ATTEMPTS | CONTEXT_JOURNAL,
		"write the expected level before a run", BOTH, level_arguments, expect_run,
		SCREEN_EXPECT },
	{ "claim", NULL, 0, "write what the agent says it reached", BOTH, level_arguments,
		claim_run, 0 },
	{ "label", "C", CONTEXT_ATTEMPTS | CONTEXT_TRIAGE | CONTEXT_JOURNAL,
		"label outcome and cause of an attempt", BOTH, label_arguments, label_run,
		SCREEN_LABEL },
	{ "attempt add", NULL, 0, "record an attempt without a commit", BOTH, add_arguments,
		add_run, 0 },
	{ "signoff", NULL, 0, "review, approve or override", PERSON, signoff_arguments, signoff_run,
		0 },
	{ "blocker", NULL, 0, "declare a blocker that cannot be avoided", WRITES, blocker_arguments,
		blocker_run, 0 },
	{ 0 },
};
