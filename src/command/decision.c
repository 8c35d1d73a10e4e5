/* decision - alarms, what is decided about them, and what they turned out to be. */
#include "config.h"

#include "command/decision_private.h"

#include <math.h>
#include <string.h>

#include "base/err.h"
#include "base/json_build.h"
#include "base/text.h"
#include "command/groups.h"
#include "command/journal.h"
#include "command/people.h"
#include "command/screen_operation.h"
#include "domain/authority.h"
#include "domain/choice.h"
#include "domain/kind.h"
#include "workspace/state.h"

/* ---- alarms ---------------------------------------------------------------------- */

/* "agent_hours 3.02, best_level none": what the rule saw, for people. */
static const char *seen_text(const char *stored, struct arena *a)
{
	const struct json *saw = NULL;
	struct buf b = BUF_INIT;
	const char *text;

	if (!*stored || json_parse(&saw, a, stored, strlen(stored), JSON_STRICT) < 0) {
		err_clear();
		return "";
	}
	for (const struct json *f = saw->first; f; f = f->next)
		if (f->type == JSON_STRING)
			buf_addf(&b, "%s%s %s", b.n ? ", " : "", f->key, f->text);
	text = text_sanitised(a, b.n ? b.s : "");
	buf_release(&b);
	return text;
}

static int alarms_run(struct call *c)
{
	static const struct report_column columns[] = {
		{ .name = "alarm", .title = "alarm", .type = REPORT_TEXT, .min_width = 12 },
		{ .name = "rule", .title = "rule", .type = REPORT_TEXT },
		{ .name = "class", .title = "class", .type = REPORT_TEXT },
		{ .name = "attempt", .title = "attempt", .type = REPORT_TEXT },
		{ .name = "raised", .title = "raised", .type = REPORT_TEXT },
		{ .name = "features", .title = "saw", .type = REPORT_JSON },
		{ .name = "open", .title = "open", .type = REPORT_BOOL },
		{ .name = "choice", .title = "decided", .type = REPORT_TEXT },
		{ .name = "verdict", .title = "turned out", .type = REPORT_TEXT },
		{ .name = "run", .title = NULL, .type = REPORT_TEXT },
	};
	struct state_query q = { .type = "alarm", .at = c->at };
	void **rows;
	size_t n;
	int rc = state_list(c->workspace, &q, c->arena, &rows, &n);

	if (rc < 0)
		return rc;
	c->table = report_table_new(c->arena, "alarms", columns, ARRAY_LEN(columns));
	for (size_t i = 0; i < n; i++) {
		const struct alarm_state *s = rows[i];

		report_row(c->table);
		report_text(c->table, "alarm", s->id);
		report_text(c->table, "rule", s->rule);
		report_text(c->table, "class", word_name(&words_rule_class, (int)s->class));
		report_text(c->table, "attempt", *s->attempt ? s->attempt : NULL);
		report_text(c->table, "raised", s->raised.time);
		report_json(c->table, "features", *s->features ? s->features : "{}",
			seen_text(s->features, c->arena));
		report_bool(c->table, "open", s->open);
		report_text(c->table, "choice",
			s->choice ? word_name(&words_decision, (int)s->choice) : NULL);
		report_text(c->table, "verdict",
			s->verdict ? word_name(&words_verdict, (int)s->verdict) : NULL);
		report_text(c->table, "run", *s->run ? s->run : NULL);
	}
	if (!n) {
		report_note(c->table, "no alarm so far");
		return 0;
	}
	report_note(c->table,
		"an alarm asks a person: portside decide --subject ALARM shows the facts and "
		"the choices; portside adjudicate ALARM VERDICT says later, from better "
		"evidence, whether it was right");
	return 0;
}

/* ---- decisions ------------------------------------------------------------------- */

/* "alarm:KEY" as "#7 gap"; other subjects as they are. */
static const char *subject_words(
	const char *subject, void **alarms, size_t n, struct arena *a)
{
	for (size_t i = 0; text_starts(subject, "alarm:") && i < n; i++) {
		const struct alarm_state *s = alarms[i];

		if (strcmp(s->id, subject + strlen("alarm:")) == 0)
			return alarm_words(s, a);
	}
	return subject;
}

static int decision_list_run(struct call *c)
{
	static const struct report_column columns[] = {
		{ .name = "time", .title = "time", .type = REPORT_TEXT },
		{ .name = "who", .title = "who", .type = REPORT_TEXT },
		{ .name = "choice", .title = "choice", .type = REPORT_TEXT },
		{ .name = "about", .title = "about", .type = REPORT_TEXT, .min_width = 10 },
		{ .name = "minutes", .title = "min", .type = REPORT_INTEGER },
		{ .name = "reason", .title = "reason", .type = REPORT_TEXT, .min_width = 16 },
		{ .name = "struck", .title = "struck by", .type = REPORT_TEXT },
		{ .name = "subject", .title = NULL, .type = REPORT_TEXT },
		{ .name = "decision", .title = NULL, .type = REPORT_TEXT },
		{ .name = "event", .title = NULL, .type = REPORT_TEXT },
	};
	struct state_query q = { .type = "decision", .at = c->at };
	struct state_query q_alarms = { .type = "alarm", .at = c->at };
	void **rows, **alarms;
	size_t n, n_alarms;
	int rc = state_list(c->workspace, &q, c->arena, &rows, &n);

	if (rc < 0 ||
		(rc = state_list(c->workspace, &q_alarms, c->arena, &alarms, &n_alarms)) < 0)
		return rc;
	c->table = report_table_new(c->arena, "decisions", columns, ARRAY_LEN(columns));
	for (size_t i = 0; i < n; i++) {
		const struct decision_state *s = rows[i];

		report_row(c->table);
		report_text(c->table, "time", s->entry.time);
		report_text(c->table, "who", s->entry.who);
		report_text(c->table, "choice", word_name(&words_decision, (int)s->choice));
		report_text(c->table, "about",
			subject_words(s->subject, alarms, n_alarms, c->arena));
		report_text(c->table, "subject", s->subject);
		if (s->minutes_known)
			report_integer(c->table, "minutes", s->minutes);
		else
			report_unknown(c->table, "minutes");
		report_text(c->table, "reason",
			workspace_text(c->workspace, c->arena, s->reason_digest));
		report_text(c->table, "struck", *s->entry.struck ? s->entry.struck_by : NULL);
		report_text(c->table, "decision", s->id);
		report_text(c->table, "event", s->entry.event);
	}
	if (!n)
		report_note(c->table, "nothing was decided so far");
	return 0;
}

/* Whoever decides about an attempt answers its alarm, when one alone is open; "" otherwise. */
static int alarm_that_asks(const char **out, struct call *c, const char *attempt)
{
	struct state_query q = { .type = "alarm" };
	size_t n, open = 0;
	void **rows;
	int rc = state_list(c->workspace, &q, c->arena, &rows, &n);

	*out = "";
	for (size_t i = 0; rc == 0 && i < n; i++) {
		const struct alarm_state *s = rows[i];

		if (s->open && strcmp(s->attempt, attempt) == 0)
			*out = open++ ? "" : s->id;
	}
	return rc;
}

/* "7", "attempt:7", "line:x", "migration", an alarm's key or its first letters. */
static int decision_subject(const char **out, struct call *c, const char *text)
{
	const struct alarm_state *alarm;
	const char *id = NULL, *asks = "";
	bool itself = text_starts(text, "attempt:");
	int rc;

	if (strcmp(text, "migration") == 0 || text_starts(text, "line:")) {
		*out = strcmp(text, "migration") == 0 ? "migration:" : text;
		return 0;
	}
	if (text_starts(text, "alarm:") || text_starts(text, "attempt:"))
		text += strcspn(text, ":") + 1;
	/* A short number is an attempt's. */
	rc = strlen(text) < 6 && text[strspn(text, "0123456789")] == '\0'
		? ERR_NOT_FOUND
		: decision_find_alarm(&alarm, c->workspace, text, NULL, c->arena);
	if (rc == 0) {
		*out = subject_make(c->arena, "alarm", alarm->id);
		return 0;
	}
	if (rc != ERR_NOT_FOUND)
		return rc;
	err_clear();
	rc = people_attempt(&id, c, text);
	if (rc == 0 && !itself)
		rc = alarm_that_asks(&asks, c, id);
	if (rc == 0)
		*out = *asks ? subject_make(c->arena, "alarm", asks)
			     : subject_make(c->arena, "attempt", id);
	return rc;
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

static void add_number(struct report_table *t, const char *name, double v)
{
	if (isnan(v))
		report_unknown(t, name);
	else
		report_double(t, name, v);
}

/* The facts with their types, for programs. */
static void add_facts_table(struct call *c, const struct decision_facts *f)
{
	static const struct report_column columns[] = {
		{ .name = "alarm", .title = "alarm", .type = REPORT_TEXT },
		{ .name = "rule", .title = "rule", .type = REPORT_TEXT },
		{ .name = "rule_version", .title = "version", .type = REPORT_ID },
		{ .name = "when", .title = "when", .type = REPORT_TEXT },
		{ .name = "accepted_by", .title = "accepted by", .type = REPORT_TEXT },
		{ .name = "accepted_time", .title = "accepted", .type = REPORT_TEXT },
		{ .name = "judged_at", .title = "judged at event", .type = REPORT_ID },
		{ .name = "gauge", .title = "saw", .type = REPORT_TEXT },
		{ .name = "gap", .title = "gap", .type = REPORT_DOUBLE },
		{ .name = "reference_low",
			.title = "reference against itself, from",
			.type = REPORT_DOUBLE },
		{ .name = "reference_high", .title = "to", .type = REPORT_DOUBLE },
		{ .name = "comparable", .title = "comparable", .type = REPORT_TEXT },
		{ .name = "obstacles", .title = "obstacles", .type = REPORT_TEXT },
		{ .name = "going_on_hours", .title = "going on, hours", .type = REPORT_DOUBLE },
		{ .name = "going_on_usd", .title = "going on, USD", .type = REPORT_DOUBLE },
		{ .name = "waited_ns", .title = "waited", .type = REPORT_DURATION },
		{ .name = "went_on", .title = "since", .type = REPORT_TEXT },
		{ .name = "person_went_on", .title = "by a person", .type = REPORT_TEXT },
		{ .name = "open", .title = "open", .type = REPORT_BOOL },
	};
	struct report_table *t = c->table =
		report_table_new(c->arena, "decision", columns, ARRAY_LEN(columns));

	report_row(t);
	report_text(t, "alarm", f->alarm->id);
	report_text(t, "rule", f->alarm->rule);
	report_integer(t, "rule_version", f->version);
	report_text(t, "when", f->when);
	report_text(t, "accepted_by", *f->accepted_by ? f->accepted_by : NULL);
	report_text(t, "accepted_time", *f->accepted_time ? f->accepted_time : NULL);
	report_integer(t, "judged_at", f->judged_at);
	report_text(t, "gauge", f->gauge);
	add_number(t, "gap", f->gap);
	add_number(t, "reference_low", f->self_pairs ? f->self_low : NAN);
	add_number(t, "reference_high", f->self_pairs ? f->self_high : NAN);
	report_text(t, "comparable", *f->goal ? comparable_overall_name(f->comparable) : NULL);
	report_text(t, "obstacles", *f->obstacles ? f->obstacles : NULL);
	add_number(t, "going_on_hours", f->hours);
	add_number(t, "going_on_usd", f->usd);
	report_integer(t, "waited_ns", f->waited_ns);
	report_text(t, "went_on", *f->went_on ? f->went_on : NULL);
	report_text(t, "person_went_on", *f->person_went_on ? f->person_went_on : NULL);
	report_bool(t, "open", f->alarm->open);
}

/* ---- deciding: what there is to choose ------------------------------------------------ */

static const struct { const char *typed, *help; bool of_alarm; } choices[] = {
#define ROW(value, word, typed, letter, label, help) { typed, help, value != DECISION_ACCEPT },
	DECISION_CHOICES(ROW)
#undef ROW
};

static void add_choices(struct buf *out, bool alarm, const char *subject)
{
	buf_adds(out, "choices:\n");
	for (size_t i = 0; i < ARRAY_LEN(choices); i++)
		if (choices[i].of_alarm || !alarm)
			buf_addf(out, "  %-22s%s\n", choices[i].typed, choices[i].help);
	buf_addf(out,
		"nothing is recorded yet: portside decide CHOICE --subject %s --reason TEXT\n",
		subject);
}

/* An alarm's facts, and what may be decided about it. */
static int show_alarm(struct call *c, const char *alarm)
{
	struct decision_facts f;
	int rc = decision_facts_read(
		&f, c->workspace, alarm, c->at, c->progress.cancel, c->arena);

	if (rc < 0)
		return rc;
	if (c->wants_json) {
		add_facts_table(c, &f);
		return 0;
	}
	buf_addf(&c->text, "%s (alarm %s)\n%s\n", f.title, f.alarm->id, f.text);
	if (f.alarm->open)
		add_choices(&c->text, true, f.alarm->id);
	else
		buf_addf(&c->text, "decided: %s; another decision is recorded with --again\n",
			word_name(&words_decision, (int)f.alarm->choice));
	return 0;
}

/* The open alarms of ATTEMPT ("": of all), one a line. */
static int add_open_alarms(struct call *c, const char *attempt)
{
	struct state_query q = { .type = "alarm", .at = c->at };
	size_t n, open = 0;
	void **rows;
	int rc = state_list(c->workspace, &q, c->arena, &rows, &n);

	for (size_t i = 0; rc == 0 && i < n; i++) {
		const struct alarm_state *s = rows[i];

		if (!s->open || (*attempt && strcmp(s->attempt, attempt) != 0))
			continue;
		buf_addf(&c->text, "alarm %s (%s) is open: portside decide --subject %.8s\n",
			alarm_words(s, c->arena), word_name(&words_rule_class, (int)s->class),
			s->id);
		open++;
	}
	if (rc == 0 && !open)
		buf_addf(&c->text, "no alarm%s is open\n", *attempt ? " of it" : "");
	return rc;
}

/* SUBJECT is no alarm: "attempt:7", "line:x", "migration:". */
static int show_free(struct call *c, const char *subject)
{
	const char *attempt = text_starts(subject, "attempt:") ? strchr(subject, ':') + 1 : "";
	struct attempt_state *s;
	int rc = 0;

	if (*attempt) {
		if ((rc = state_attempt(c->workspace, attempt, c->at, c->arena, &s)) < 0)
			return rc;
		buf_addf(&c->text, "attempt %s%s%s\n", s->id, *s->subject ? ": " : "",
			text_sanitised(c->arena, s->subject));
	} else {
		buf_addf(&c->text, "%s\n",
			text_starts(subject, "line:") ? subject : "the migration as a whole");
	}
	if ((rc = add_open_alarms(c, attempt)) < 0)
		return rc;
	add_choices(&c->text, false, *attempt                            ? attempt
			: text_starts(subject, "line:") ? subject
							: "migration");
	return 0;
}

/* As JSON, what is no alarm: what it is, and its choices. */
static void add_free_table(struct call *c, const char *subject)
{
	static const struct report_column columns[] = {
		{ .name = "subject", .title = "subject", .type = REPORT_TEXT },
		{ .name = "choice", .title = "choice", .type = REPORT_TEXT },
		{ .name = "help", .title = "what it says", .type = REPORT_TEXT },
	};

	c->table = report_table_new(c->arena, "choices", columns, ARRAY_LEN(columns));
	for (size_t i = 0; i < ARRAY_LEN(choices); i++) {
		report_row(c->table);
		report_text(c->table, "subject", subject);
		report_text(c->table, "choice", choices[i].typed);
		report_text(c->table, "help", choices[i].help);
	}
}

/* Without a choice: the facts and the choices, and nothing is written. */
static int show_choices(struct call *c)
{
	static const char *const meant[] = { "--reason", "--minutes", "--message" };
	const char *text = call_text(c, "--subject"), *subject = "alarm:";
	int rc = text ? decision_subject(&subject, c, text) : 0;

	for (size_t i = 0; rc == 0 && i < ARRAY_LEN(meant); i++)
		if (call_text(c, meant[i]))
			return err_set(ERR_USAGE,
				"decide: %s without a choice; choose one of: %s", meant[i],
				CHOICES_TYPED(DECISION_CHOICES));
	if (rc == 0 && text_starts(subject, "alarm:")) {
		rc = show_alarm(c, subject + strlen("alarm:"));
		if (rc != ERR_NOT_FOUND || text)
			return rc;
		err_clear();		/* no alarm asks: then it is about the whole */
		subject = "migration:";
		rc = 0;
	}
	if (rc == 0 && c->wants_json)
		add_free_table(c, subject);
	else if (rc == 0)
		rc = show_free(c, subject);
	return rc;
}

/* What the agent is told changes what it does: it belongs to the intervention. */
static const char *intervention_text(struct call *c)
{
	const char *message = call_text(c, "--message"), *reason = call_text(c, "--reason");

	return message && *message ? arena_printf(c->arena, "%s\nto the agent: %s", reason, message)
				   : reason;
}

static const char *attempt_of(struct call *c, const char *subject)
{
	const struct alarm_state *alarm;

	if (text_starts(subject, "attempt:"))
		return subject + strlen("attempt:");
	if (text_starts(subject, "alarm:") &&
		decision_find_alarm(
			&alarm, c->workspace, subject + strlen("alarm:"), NULL, c->arena) == 0)
		return *alarm->attempt ? alarm->attempt : NULL;
	err_clear();
	return NULL;
}

static int check_decision(struct call *c)
{
	const char *reason = call_text(c, "--reason");
	int rc = authority_check(workspace_actor(c->workspace), AUTHORITY_DECIDE);

	if (rc < 0)
		return err_prefix("decide: ");
	if (!call_text(c, "--subject"))
		return err_set(ERR_USAGE,
			"decide: --subject is missing: an alarm, an attempt, line:NAME or "
			"migration");
	if (!reason || !reason[strspn(reason, " \t\n")])
		return err_set(ERR_USAGE, "decide: --reason is missing: a decision needs one");
	return people_check_minutes(c);
}

static int decide_run(struct call *c)
{
	const char *choice = call_text(c, "choice"), *subject = NULL, *attempt;
	struct decision_once once;
	struct record records[2];
	size_t n = 0;
	int rc;

	if (!choice)
		return show_choices(c);
	if ((rc = check_decision(c)) < 0 ||
		(rc = decision_subject(&subject, c, call_text(c, "--subject"))) < 0)
		return rc;
	choice = spaced(c->arena, choice);
	attempt = attempt_of(c, subject);
	records[n++] = (struct record){ .kind = "decision.made",
		.object = people_new_id(c->arena, "decision"),
		.data = event_data(c->arena, "choice", choice, "subject", subject,
			"reason", call_text(c, "--reason"), "minutes", call_text(c, "--minutes"),
			NULL) };
	/*
	 * A message to the agent is one, whatever was ticked.  The minutes are counted with
	 * the decision.
	 */
	if (call_flag(c, "--intervention") || intervention_text(c) != call_text(c, "--reason"))
		records[n++] = (struct record){ .kind = "intervention.recorded",
			.object = people_new_id(c->arena, "intervention"),
			.data = event_data(c->arena, "kind", "gate-decision", "text",
				intervention_text(c), "triggered_by", subject, "attempt", attempt,
				NULL) };
	once = (struct decision_once){ subject, choice, c->from_screen };
	return people_record_if(c, call_flag(c, "--again") ? NULL : decision_check_once, &once,
		records, n, n == 2 ? "decision and intervention recorded" : "decision recorded");
}

/* ---- adjudication ------------------------------------------------------------------ */

static struct json *evidence_list(struct call *c)
{
	struct json *list = json_new_list(c->arena, "evidence");
	const char *text;

	for (size_t i = 0; (text = call_text_at(c, "--evidence", i)) != NULL; i++)
		json_append(list,
			json_new_text(c->arena, NULL, text_sanitised(c->arena, text)));
	return list;
}

static int adjudicate_run(struct call *c)
{
	const struct alarm_state *alarm;
	struct record r = { .kind = "alarm.adjudicated" };
	struct json *data;
	int rc = authority_check(workspace_actor(c->workspace), AUTHORITY_ADJUDICATE);

	if (rc < 0)
		return err_prefix("adjudicate: ");
	if ((rc = decision_find_alarm(
		     &alarm, c->workspace, call_text(c, "alarm"), NULL, c->arena)) < 0)
		return rc;
	r.object = alarm->id;
	data = json_copy(c->arena,
		event_data(c->arena, "verdict", call_text(c, "verdict"), "reason",
			call_text(c, "--reason"), NULL));
	json_append(data, evidence_list(c));
	r.data = data;
	return people_record(c, &r, 1, "adjudicated");
}

static const struct argument decide_arguments[] = {
	{ "choice", ARGUMENT_WORD, "what is decided; without it the facts are shown", false, false,
		CHOICES_TYPED(DECISION_CHOICES), NULL },
	{ "--subject", ARGUMENT_TEXT, "an alarm, an attempt, line:NAME or migration", false, false,
		NULL, "the oldest open alarm" },
	{ "--reason", ARGUMENT_TEXT, "why; required with a choice", false, false, NULL, NULL },
	{ "--minutes", ARGUMENT_INTEGER, "how long it took, counted once", false, false, NULL,
		"not known" },
	{ "--intervention", ARGUMENT_FLAG, "you also helped the agent beyond deciding", false,
		false, NULL, NULL },
	{ "--message", ARGUMENT_TEXT, "what you tell the agent: an intervention", false, false,
		NULL, NULL },
	{ "--again", ARGUMENT_FLAG, "record another, though it is decided already", false, false,
		NULL, NULL },
	{ 0 },
};
static const struct argument adjudicate_arguments[] = {
	{ "alarm", ARGUMENT_TEXT, "the alarm's first letters", true, false, NULL, NULL },
	{ "verdict", ARGUMENT_WORD, "what it turned out to be", true, false,
		CHOICES_TYPED(VERDICT_CHOICES), NULL },
	{ "--reason", ARGUMENT_TEXT, "the later evidence", true, false, NULL, NULL },
	{ "--evidence", ARGUMENT_TEXT, "an event, a run, a file; repeats", false, true, NULL,
		NULL },
	{ 0 },
};

enum {
	BOTH = OPERATION_CLI | OPERATION_SCREEN | OPERATION_WRITES | OPERATION_DIALOG,
	HERE = CONTEXT_ATTEMPTS | CONTEXT_RUNS | CONTEXT_CURVES | CONTEXT_JOURNAL,
};

/* decide is no OPERATION_PERSON: anybody may read the facts, decide_run() checks who decides. */
const struct operation decision_operations[] = {
	{ "alarms", NULL, 0, "every alarm, its decision and its verdict",
		OPERATION_CLI | OPERATION_SCREEN, NULL, alarms_run, 0 },
	{ "decide", "d", HERE & ~CONTEXT_CURVES, "see the facts of an alarm, and record a decision",
		BOTH, decide_arguments, decide_run, SCREEN_DECIDE },
	{ "decision list", NULL, 0, "what was decided, by whom, and why",
		OPERATION_CLI | OPERATION_SCREEN, NULL, decision_list_run, 0 },
	{ "adjudicate", "A", CONTEXT_JOURNAL | CONTEXT_ATTEMPTS,
		"say what an alarm turned out to be", BOTH | OPERATION_PERSON, adjudicate_arguments,
		adjudicate_run, SCREEN_ADJUDICATE },
	{ 0 },
};
