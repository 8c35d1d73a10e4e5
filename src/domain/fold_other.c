/*
 * fold_other - alarms, decisions, interventions, notes, evidence, sessions,
 * costs and drills.
 */
#include "config.h"

#include <string.h>

#include "base/clock.h"
#include "base/text.h"
#include "domain/fold_work.h"
#include "domain/kind.h"

static bool counts(const struct entry *e)
{
	return !*e->struck;
}

static const char *raw(struct work *w, const char *field)
{
	const struct json *j = json_get(w->event->data, field);
	struct buf b = BUF_INIT;
	const char *text;

	if (!j)
		return "";
	json_canonical(&b, j);
	text = arena_strndup(w->arena, b.s, b.n);
	buf_release(&b);
	return text;
}

static int64_t whole(struct work *w, const char *field)
{
	return json_i64(w->event->data, field, 0);
}

/* Minutes and counts of people: never below 0. */
static int64_t positive(struct work *w, const char *field)
{
	int64_t v = whole(w, field);

	return v < 0 ? 0 : v;
}

static bool has(struct work *w, const char *field)
{
	return *work_text(w, field) != '\0';
}

/* ---- alarms ----------------------------------------------------------------------------- */

void derive_alarm(struct alarm_state *s)
{
	s->verdict = ALARM_VERDICT_NONE;
	s->decision = "";
	s->choice = DECISION_NONE;
	for (size_t i = 0; i < s->adjudications_n; i++)
		if (counts(&s->adjudications[i].entry))
			s->verdict = s->adjudications[i].verdict;
	for (size_t i = 0; i < s->answers_n; i++) {
		if (!counts(&s->answers[i].entry))
			continue;
		s->decision = s->answers[i].decision;
		s->choice = s->answers[i].choice;
	}
	s->open = *s->raised.event && counts(&s->raised) && !*s->decision;
}

static void alarm_raised(struct work *w, struct alarm_state *s)
{
	if (*s->raised.event && counts(&s->raised))
		return;
	s->raised = work_entry(w);
	s->rule = work_text(w, "rule");
	s->rule_version = work_text(w, "rule_version");
	s->trigger = work_text(w, "trigger");
	s->attempt = work_text(w, "attempt");
	s->run = work_text(w, "run");
	s->class = (enum rule_class)work_word(w, "class", &words_rule_class);
	s->action = (enum rule_action)work_word(w, "action", &words_rule_action);
	s->features = raw(w, "features");
}

static void alarm_adjudicated(struct work *w, struct alarm_state *s)
{
	struct adjudication *a = WORK_APPEND(w, s->adjudications, s->adjudications_n);

	*a = (struct adjudication){
		.entry = work_entry(w),
		.verdict = (enum alarm_verdict)work_word(w, "verdict", &words_verdict),
		.reason_digest = work_text(w, "reason"),
	};
	a->evidence = work_texts(w, "evidence", &a->evidence_n);
}

static void alarm_changed(struct work *w, struct alarm_state *s)
{
	derive_alarm(s);
	work_changed(w, "alarm", s->id, *s->attempt ? s->attempt : MIGRATION_ID,
		*s->raised.event ? s->raised.lamport : w->event->lamport);
}

void fold_alarm_event(struct work *w)
{
	struct alarm_state *s = work_get(w, "alarm", w->event->object);

	s->id = w->event->object;
	if (strcmp(w->event->kind, "alarm.raised") == 0)
		alarm_raised(w, s);
	else
		alarm_adjudicated(w, s);
	alarm_changed(w, s);
}

/* ---- decisions -------------------------------------------------------------------------- */

static void answer_alarm(struct work *w, const char *id, const struct answer *answer)
{
	struct alarm_state *s = work_get(w, "alarm", id);

	s->id = id;
	*WORK_APPEND(w, s->answers, s->answers_n) = *answer;
	alarm_changed(w, s);
}

static void answer_attempt(struct work *w, const char *id, const struct answer *answer)
{
	struct attempt_state *s = work_attempt(w, id);

	if (!s)
		return;
	*WORK_APPEND(w, s->answers, s->answers_n) = *answer;
	work_attempt_changed(w, s);
}

/* The line that a subject speaks of. */
static const char *line_of(struct work *w, const char *type, const char *id)
{
	const char *line = "";
	int64_t n;

	if (strcmp(type, "line") == 0)
		return id;
	if (strcmp(type, "alarm") == 0)
		id = ((struct alarm_state *)work_get(w, "alarm", id))->attempt;
	return attempt_object_parse(&n, &line, w->arena, id) ? line : "";
}

static void end_something(
	struct work *w, const struct decision_state *s, const char *type, const char *id)
{
	struct migration_state *m;
	struct ending *e;
	const char *line = s->choice == DECISION_ABANDON_LINE ? line_of(w, type, id) : "";

	if (s->choice != DECISION_ACCEPT && s->choice != DECISION_ABANDON_LINE &&
	    s->choice != DECISION_ABANDON_MIGRATION)
		return;
	/* Accepting one attempt or alarm does not end the migration. */
	if (s->choice == DECISION_ACCEPT && strcmp(type, "migration") != 0)
		return;
	m = work_migration(w);
	e = WORK_APPEND(w, m->endings, m->endings_n);
	*e = (struct ending){ .entry = s->entry, .choice = s->choice, .line = line };
}

void fold_decision_event(struct work *w)
{
	struct decision_state *s = work_get(w, "decision", w->event->object);
	const char *type, *id;
	struct answer answer;

	if (*s->entry.event && counts(&s->entry))
		return;
	s->id = w->event->object;
	s->entry = work_entry(w);
	s->choice = (enum decision_choice)work_word(w, "choice", &words_decision);
	s->subject = work_text(w, "subject");
	s->reason_digest = work_text(w, "reason");
	s->minutes = positive(w, "minutes");
	s->minutes_known = has(w, "minutes");
	subject_parse(&type, &id, w->arena, s->subject);
	answer = (struct answer){ .entry = s->entry, .decision = s->id, .choice = s->choice };
	if (strcmp(type, "alarm") == 0 && *id)
		answer_alarm(w, id, &answer);
	else if (strcmp(type, "attempt") == 0)
		answer_attempt(w, id, &answer);
	end_something(w, s, type, id);
	work_changed(w, "decision", s->id, s->subject, s->entry.lamport);
}

static void strike_entry(struct entry *e, const char *event, const struct entry *strike)
{
	if (strcmp(e->event, event) != 0)
		return;
	e->struck = strike->struck;
	e->struck_by = strike->struck_by;
}

void strike_decision(struct work *w, const struct decision_state *s, const struct entry *strike)
{
	struct migration_state *m = work_migration(w);
	const char *type, *id;

	for (size_t i = 0; i < m->endings_n; i++)
		strike_entry(&m->endings[i].entry, s->entry.event, strike);
	subject_parse(&type, &id, w->arena, s->subject);
	if (strcmp(type, "alarm") == 0 && *id) {
		struct alarm_state *a = work_get(w, "alarm", id);

		for (size_t i = 0; i < a->answers_n; i++)
			strike_entry(&a->answers[i].entry, s->entry.event, strike);
		alarm_changed(w, a);
	} else if (strcmp(type, "attempt") == 0) {
		struct attempt_state *a = work_attempt(w, id);

		for (size_t i = 0; a && i < a->answers_n; i++)
			strike_entry(&a->answers[i].entry, s->entry.event, strike);
		if (a)
			work_attempt_changed(w, a);
	}
}

/* ---- interventions ---------------------------------------------------------------------- */

void derive_intervention(struct intervention_state *s)
{
	bool person = false;

	s->in_force = -1;
	for (size_t i = 0; i < s->entries_n; i++) {
		bool human = actor_class(s->entries[i].entry.who) == ACTOR_HUMAN;

		if (!counts(&s->entries[i].entry) || (person && !human))
			continue;
		person = person || human;
		s->in_force = (int64_t)i;
	}
	s->counted = person;
	s->proposed = s->in_force >= 0 && !person;
}

void spread_intervention(struct work *w, const struct intervention_state *s, int sign)
{
	const struct intervention_entry *e;
	struct attempt_state *a;

	if (!s->counted)
		return;
	e = &s->entries[s->in_force];
	a = *e->attempt ? work_attempt(w, e->attempt) : NULL;
	if (!a)
		return;
	a->interventions += sign;
	a->interventions_without_minutes += e->minutes_known ? 0 : sign;
	if (__builtin_add_overflow(
		    a->intervention_minutes, sign * e->minutes, &a->intervention_minutes))
		a->intervention_minutes = INT64_MAX;
	work_attempt_changed(w, a);
}

/* The minutes of deciding, and of telling the agent, are counted with the decision. */
static bool goes_with_decision(struct work *w)
{
	return work_word(w, "kind", &words_intervention) == INTERVENTION_GATE_DECISION &&
		has(w, "triggered_by");
}

void fold_intervention_event(struct work *w)
{
	struct intervention_state *s = work_get(w, "intervention", w->event->object);
	struct intervention_entry *e;

	s->id = w->event->object;
	spread_intervention(w, s, -1);
	e = WORK_APPEND(w, s->entries, s->entries_n);
	*e = (struct intervention_entry){
		.entry = work_entry(w),
		.kind = (enum intervention_kind)work_word(w, "kind", &words_intervention),
		.minutes = positive(w, "minutes"),
		.minutes_known = has(w, "minutes") || goes_with_decision(w),
		.attempt = work_text(w, "attempt"),
		.text_digest = work_text(w, "text"),
		.triggered_by = work_text(w, "triggered_by"),
		.source = work_text(w, "source"),
	};
	derive_intervention(s);
	spread_intervention(w, s, 1);
	work_changed(w, "intervention", s->id, *e->attempt ? e->attempt : MIGRATION_ID,
		s->entries[0].entry.lamport);
}

/* ---- notes, evidence ---------------------------------------------------------------------- */

void fold_note_event(struct work *w)
{
	struct note_state *s = work_get(w, "note", w->event_hex);

	s->entry = work_entry(w);
	s->about = w->event->object;
	s->text_digest = work_text(w, "text");
	work_changed(w, "note", w->event_hex, s->about, s->entry.lamport);
}

void derive_evidence(struct evidence_state *s)
{
	for (size_t i = 0; i < s->facts_n; i++) {
		struct facts_entry *f = &s->facts[i];

		f->outdated = false;
		for (size_t k = 0; k < s->facts_n; k++) {
			const struct facts_entry *o = &s->facts[k];
			int c = text_compare_natural(o->version, f->version);

			if (k != i && counts(&o->entry) && strcmp(o->parser, f->parser) == 0 &&
			    (c > 0 || (c == 0 && k > i)))
				f->outdated = true;
		}
	}
}

static void evidence_added(struct work *w, struct evidence_state *s)
{
	struct evidence_entry *e = WORK_APPEND(w, s->entries, s->entries_n);

	*e = (struct evidence_entry){
		.entry = work_entry(w), .path = work_text(w, "path"), .kind = work_text(w, "kind"),
		.parser = work_text(w, "parser"), .subject = work_text(w, "subject"),
	};
	if (!*s->digest) {
		s->digest = work_text(w, "digest");
		s->size_bytes = positive(w, "size");
	}
}

static void facts_parsed(struct work *w, struct evidence_state *s)
{
	struct facts_entry *f = WORK_APPEND(w, s->facts, s->facts_n);

	*f = (struct facts_entry){
		.entry = work_entry(w),
		.parser = work_text(w, "parser"),
		.version = work_text(w, "version"),
		.facts = raw(w, "facts"),
	};
}

void fold_evidence_event(struct work *w)
{
	struct evidence_state *s = work_get(w, "evidence", w->event->object);

	s->id = w->event->object;
	if (strcmp(w->event->kind, "evidence.added") == 0)
		evidence_added(w, s);
	else
		facts_parsed(w, s);
	derive_evidence(s);
	work_changed(w, "evidence", s->id, s->entries_n ? s->entries[0].subject : "",
		s->entries_n ? s->entries[0].entry.lamport : w->event->lamport);
}

/* ---- sessions, costs, drills ---------------------------------------------------------------- */

int64_t session_sort(const struct session_state *s)
{
	int64_t first;

	return clock_from_iso(&first, s->first) ? first : 0;
}

/* A session is ingested again as it grows; the ingest with more messages counts. */
void fold_session_event(struct work *w)
{
	struct session_state *s = work_get(w, "session", w->event->object);
	const struct json *tokens = json_get(w->event->data, "tokens");
	int64_t messages = json_i64(json_get(w->event->data, "counts"), "messages", 0);
	int64_t cost = json_i64(w->event->data, "cost_nano_usd", COST_UNKNOWN);

	if (*s->entry.event && counts(&s->entry) && messages < s->messages)
		return;
	s->id = w->event->object;
	s->entry = work_entry(w);
	s->agent = work_text(w, "agent");
	s->session = work_text(w, "session");
	s->digest = work_text(w, "digest");
	s->first = work_text(w, "first");
	s->last = work_text(w, "last");
	s->models = work_texts(w, "models", &s->models_n);
	for (int i = 0; i < TOKEN_CLASSES; i++)
		s->tokens[i] = json_i64(tokens, token_class_names[i], 0);
	s->messages = messages;
	s->agent_ns = positive(w, "agent_ns");
	s->cost_known = cost >= 0;
	s->cost_nano_usd = cost >= 0 ? cost : 0;
	work_changed(w, "session", s->id, MIGRATION_ID, session_sort(s));
}

void spread_cost(struct work *w, const struct cost_state *s, int sign)
{
	const char *type, *id;
	struct attempt_state *a;

	if (!*s->entry.event || !counts(&s->entry) || !*s->subject)
		return;
	subject_parse(&type, &id, w->arena, s->subject);
	a = strcmp(type, "attempt") == 0 ? work_attempt(w, id) : NULL;
	if (!a)
		return;
	if (__builtin_add_overflow(
		    a->other_cost_nano_usd, sign * s->amount_nano_usd, &a->other_cost_nano_usd))
		a->other_cost_nano_usd = INT64_MAX;
	work_attempt_changed(w, a);
}

void fold_cost_event(struct work *w)
{
	struct cost_state *s = work_get(w, "cost", w->event->object);

	if (*s->entry.event && counts(&s->entry))
		return;
	s->id = w->event->object;
	s->entry = work_entry(w);
	s->class = (enum cost_class)work_word(w, "class", &words_cost_class);
	s->amount_nano_usd = whole(w, "amount_nano_usd");
	if (s->amount_nano_usd < -INT64_MAX)
		s->amount_nano_usd = -INT64_MAX;
	s->price_row = work_text(w, "price_row");
	s->subject = work_text(w, "subject");
	s->source = work_text(w, "source");
	spread_cost(w, s, 1);
	work_changed(w, "cost", s->id, *s->subject ? s->subject : MIGRATION_ID, s->entry.lamport);
}

void fold_drill_event(struct work *w)
{
	struct drill_state *s = work_get(w, "drill", w->event->object);

	s->id = w->event->object;
	s->entry = work_entry(w);
	s->drill_case = work_text(w, "case");
	s->answer = raw(w, "answer");
	s->score = work_text(w, "score");
	s->cards = work_texts(w, "cards", &s->cards_n);
	work_changed(w, "drill", s->id, s->drill_case, s->entry.lamport);
}
