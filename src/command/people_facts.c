/* people_facts - see people_facts.h. */
#include "config.h"

#include "command/people_facts.h"

#include <assert.h>
#include <string.h>

#include "base/err.h"
#include "base/json.h"
#include "command/config_facts.h"
#include "command/decision.h"
#include "command/journal.h"
#include "command/people.h"
#include "command/strike.h"
#include "domain/cause.h"
#include "workspace/state.h"

/* ---- causes ---------------------------------------------------------------------- */

void people_causes(struct people_cause out[PEOPLE_CAUSES])
{
	static_assert(
		(int)PEOPLE_CAUSES == (int)CAUSES_N, "one row for each cause of the framework");

	for (size_t i = 0; i < PEOPLE_CAUSES; i++)
		out[i] = (struct people_cause){ causes[i].id, causes[i].name };
}

/* ---- decisions ------------------------------------------------------------------- */

/* Without an alarm: about the selected attempt, else about the migration. */
static int read_free_decision(struct people_facts *f, struct workspace *ws, struct arena *a)
{
	struct attempt_state *s;
	struct migration_state *m;
	int rc;

	f->alarm = "";
	if (!*f->attempt || strcmp(f->attempt, "reference") == 0) {
		if ((rc = state_migration(ws, NULL, a, &m)) < 0)
			return rc;
		f->title = "decision about the migration";
		f->info = arena_printf(
			a, "no alarm is open; %lld attempt%s so far", (long long)m->counts.attempts,
			m->counts.attempts == 1 ? "" : "s");
		f->attempt = "";
		return 0;
	}
	if ((rc = state_attempt(ws, f->attempt, NULL, a, &s)) < 0)
		return rc;
	f->title = arena_printf(a, "decision about attempt %s", s->id);
	f->info = arena_printf(a, "no alarm is open; %.60s",
		*s->subject ? s->subject : "an attempt without a commit");
	return 0;
}

/* Which alarm: the newest open one of the attempt, never that of another. */
static int find_own_alarm(struct people_facts *f, struct workspace *ws, struct arena *a)
{
	struct state_query q = { .type = "alarm" };
	const struct alarm_state *own = NULL;
	size_t n, open = 0;
	void **rows;
	int rc = state_list(ws, &q, a, &rows, &n);

	for (size_t i = 0; rc == 0 && i < n; i++) {
		const struct alarm_state *s = rows[i];

		open += s->open;
		if (s->open && strcmp(s->attempt, f->attempt) == 0 &&
			(!own || strcmp(s->raised.time, own->raised.time) >= 0))
			own = s;
	}
	if (own)
		f->alarm = own->id;
	else if (open)
		return err_set(ERR_STATE,
			"%s%s has no open alarm; in view 1, ! and its number open the %zu that "
			"wait%s",
			strcmp(f->attempt, "reference") == 0 ? "the " : "attempt ", f->attempt,
			open, open == 1 ? "s" : "");
	return rc;
}

static int read_decision(
	struct people_facts *f, struct workspace *ws, const atomic_bool *cancel, struct arena *a)
{
	struct decision_facts facts;
	int rc = 0;

	if (!*f->alarm && *f->attempt)
		rc = find_own_alarm(f, ws, a);
	if (rc < 0)
		return rc;
	rc = decision_facts_read(&facts, ws, f->alarm, NULL, cancel, a);
	if (rc == ERR_NOT_FOUND && !*f->alarm) {
		err_clear();
		return read_free_decision(f, ws, a);
	}
	if (rc < 0)
		return rc;
	f->alarm = facts.alarm->id;
	f->attempt = facts.alarm->attempt;
	f->title = facts.open > 1
		? arena_printf(a, "%s; %zu alarms are open", facts.title, facts.open)
		: facts.title;
	f->info = facts.text;
	return 0;
}

/* ---- adjudication ------------------------------------------------------------------ */

/* Decided and without a verdict, the newest first; then any. */
static const struct alarm_state *alarm_to_adjudicate(void **rows, size_t n)
{
	const struct alarm_state *best = NULL;

	for (size_t i = 0; i < n; i++) {
		const struct alarm_state *s = rows[i];
		bool wanted = !s->open && !s->verdict;

		if (!best || (wanted && (best->open || best->verdict)) ||
			(wanted == (!best->open && !best->verdict) &&
				strcmp(s->raised.time, best->raised.time) > 0))
			best = s;
	}
	return best;
}

/* "smoke_gap.accuracy 5.3, attempts 5" */
static void add_features(struct buf *out, const char *seen, struct arena *a)
{
	const struct json *values = NULL;
	const char *comma = "";

	if (json_parse(&values, a, seen, strlen(seen), JSON_STRICT) < 0)
		err_clear();
	for (const struct json *d = values ? values->first : NULL; d; d = d->next, comma = ", ")
		buf_addf(out, "%s%s %.*s", comma, d->key, (int)d->text_n, d->text);
	buf_adds(out, values && values->first ? "\n" : "no values\n");
}

static int read_adjudication(struct people_facts *f, struct workspace *ws, struct arena *a)
{
	struct state_query q = { .type = "alarm" };
	const struct alarm_state *s = NULL;
	struct decision_state *d;
	void **rows, *state;
	struct buf b = BUF_INIT;
	size_t n;
	int rc = state_list(ws, &q, a, &rows, &n);

	if (rc == 0 && *f->alarm)
		rc = decision_find_alarm(&s, ws, f->alarm, NULL, a);
	else if (rc == 0 && (s = alarm_to_adjudicate(rows, n)) == NULL)
		rc = err_set(ERR_NOT_FOUND,
			"no alarm was raised so far, so there is nothing to adjudicate");
	if (rc < 0)
		return rc;
	f->alarm = s->id;
	f->attempt = s->attempt;
	f->title = arena_printf(a, "what %s%s%s turned out to be", s->rule,
		*s->attempt ? ", attempt " : "", s->attempt);
	buf_addf(&b, "%s alarm, raised %.16s; it saw ", word_name(&words_rule_class, (int)s->class),
		s->raised.time);
	add_features(&b, s->features, a);
	if (*s->decision && state_get(ws, "decision", s->decision, NULL, a, &state) > 0) {
		d = state;
		buf_addf(&b, "decided: %s, by %s: %s\n", word_name(&words_decision, (int)d->choice),
			d->entry.who, workspace_text(ws, a, d->reason_digest));
	} else {
		buf_adds(&b, "not decided yet\n");
	}
	if (s->verdict)
		buf_addf(&b, "so far: %s\n", word_name(&words_verdict, (int)s->verdict));
	buf_adds(&b,
		"judge by later evidence: a full run, a cause that was found, a comparable "
		"reference");
	f->info = arena_strndup(a, b.s, b.n);
	buf_release(&b);
	return 0;
}

/* ---- striking, accepting ----------------------------------------------------------- */

static int read_strike(struct people_facts *f, struct workspace *ws, struct arena *a)
{
	struct journal j;
	struct event *e = NULL;
	char hex[DIGEST_HEX + 1];
	int rc;

	if (!*f->event) {
		if ((rc = strike_last_own(&e, ws, a)) < 0)
			return rc;
		if (!rc)
			return err_set(ERR_NOT_FOUND,
				"you have nothing on record that could be taken back");
		digest_hex(hex, &e->id);
		f->event = arena_strdup(a, hex);
	}
	if ((rc = log_event_by_prefix(workspace_log(ws), f->event, a, &e)) < 0)
		return rc;
	if ((rc = journal_line_of(&j, ws, e, a)) < 0)
		return rc;
	f->title = "take a record back";
	f->info = arena_printf(a,
		"%s, %.16s\n%s%s%.400s\nIt stays in the log, struck through; it counts for "
		"nothing.",
		j.lines[0].who, j.lines[0].time, j.lines[0].headline, *j.lines[0].text ? "\n" : "",
		j.lines[0].text);
	return 0;
}

static int read_acceptance(struct people_facts *f, struct workspace *ws, struct arena *a)
{
	struct config_facts facts;
	int rc = config_facts_read(&facts, ws, a);

	if (rc < 0)
		return rc;
	if (facts.state == ACCEPTED_INVALID)
		return err_set(ERR_PARSE, "%s", facts.sentence);
	if (facts.state != ACCEPTED_NEVER && facts.state != ACCEPTED_CHANGED)
		return err_set(ERR_NOT_FOUND, "%s",
			*facts.sentence ? facts.sentence : "portside.conf is accepted already");
	f->digest = facts.digest;
	f->needs_reason = facts.loosened > 0;
	f->title = facts.state == ACCEPTED_NEVER ? "accept portside.conf"
						 : "accept the changed portside.conf";
	f->info = arena_printf(a, "%s\n%s",
		*facts.text ? facts.text : "no rule, goal, target or command differs",
		facts.loosened
			? "What is loosened stays marked for ever."
			: "It takes effect from here; nothing runs from an unaccepted file.");
	return 0;
}

int people_facts_read(struct people_facts *f, struct workspace *ws, enum people_act act,
	const atomic_bool *cancel, struct arena *a)
{
	f->title = f->info = f->digest = "";
	f->needs_reason = false;
	switch (act) {
	case PEOPLE_DECIDE:
		return read_decision(f, ws, cancel, a);
	case PEOPLE_ADJUDICATE:
		return read_adjudication(f, ws, a);
	case PEOPLE_STRIKE:
		return read_strike(f, ws, a);
	case PEOPLE_ACCEPT:
		return read_acceptance(f, ws, a);
	}
	return 0;
}
