/* decision_facts - gathers what decision.h promises.  The rule: decision_rule.c;
 * gaps and noise: decision_gap.c; words: decision_words.c. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/text.h"
#include "command/decision_private.h"
#include "command/journal.h"
#include "domain/fold.h"
#include "workspace/accepted.h"
#include "workspace/rule_curves.h"
#include "workspace/state.h"

/* ---- which alarm ---------------------------------------------------------------- */

/* By the beginning of its id, which is that of the rule, or of the half behind the dot,
 * in which alarms of one rule differ. */
static bool is_called(const struct alarm_state *s, const char *text)
{
	const char *trigger = strchr(s->id, '.');

	if (strlen(text) >= 6 && text_starts(s->id, text))
		return true;
	return strlen(text) >= 4 && trigger && text_starts(trigger + 1, text);
}

int decision_find_alarm(const struct alarm_state **out, struct workspace *ws, const char *text,
	const struct position *at, struct arena *a)
{
	struct state_query q = { .type = "alarm", .at = at };
	void **rows;
	size_t n;
	int rc = state_list(ws, &q, a, &rows, &n);

	*out = NULL;
	for (size_t i = 0; rc == 0 && i < n; i++) {
		const struct alarm_state *s = rows[i];

		if (*text ? !is_called(s, text) : !s->open)
			continue;
		if (*text && *out)
			return err_set(ERR_USAGE, "\"%s\" means several alarms: %s and %s", text,
				(*out)->id, s->id);
		if (!*out || strcmp(s->raised.time, (*out)->raised.time) < 0)
			*out = s;
	}
	if (rc == 0 && !*out)
		rc = *text ? err_set(ERR_NOT_FOUND, "no alarm \"%s\"; portside alarms lists them",
				     text)
			   : err_set(ERR_NOT_FOUND, "no alarm asks for a decision");
	return rc;
}

const char *decision_choice_word(struct arena *a, enum decision_choice c)
{
	char *word = arena_strdup(a, word_name(&words_decision, (int)c));

	for (char *p = word; *p; p++)
		if (*p == ' ')
			*p = '-';
	return word;
}

/* ---- going on ------------------------------------------------------------------- */

static int read_cost(struct decision_reader *r)
{
	const struct alarm_state *alarm = r->out->alarm;
	struct rule_curves curves;
	struct accepted accepted;
	int rc = accepted_read(&accepted, r->ws, r->at);

	if (rc < 0)
		return rc;
	rule_curves_init(&curves);
	/* The run that the alarm is about, else the one that ended last. */
	rc = rule_curves_read(&curves, r->ws, &accepted.in_force, *alarm->run ? alarm->run : NULL,
		r->at, r->cancel, r->a);
	accepted_release(&accepted);
	/* A projection of another attempt says nothing about this one. */
	if (rc < 0 || (*alarm->attempt && strcmp(curves.projected.attempt, alarm->attempt) != 0))
		return rc;
	r->out->hours = curves.projected_hours;
	r->out->low_hours = curves.projected_low_hours;
	r->out->high_hours = curves.projected_high_hours;
	r->out->usd = curves.projected_usd;
	return 0;
}

/* "ana, a person", "the agent coder", "a program (sessions)". */
static const char *who_words(struct arena *a, const char *actor)
{
	const char *name = strchr(actor, ':');

	name = text_sanitised(a, name ? name + 1 : actor);
	switch (actor_class(actor)) {
	case ACTOR_HUMAN:
		return arena_printf(a, "%s, a person,", name);
	case ACTOR_AGENT:
		return arena_printf(a, "the agent %s", name);
	case ACTOR_TOOL:
		return arena_printf(a, "a program (%s)", name);
	case ACTOR_NONE:
		break;
	}
	return "somebody unknown";
}

static const char *run_words(struct arena *a, const struct event *e)
{
	const char *attempt = text_sanitised(a, json_str(e->data, "attempt", ""));

	return arena_printf(a, "%s started run %s of %s%s", who_words(a, json_str(e->data, "by", "")),
		text_sanitised(a, e->object), strcmp(attempt, REFERENCE_ID) == 0 ? "the " : "attempt ",
		attempt);
}

/* A commit from before the alarm is no answer to it. */
static bool is_older_commit(const struct event *e, int64_t raised_ns)
{
	int64_t committed;

	return clock_from_iso(&committed, json_str(e->data, "committed", "")) &&
		committed <= raised_ns;
}

static int note_event(struct decision_reader *r, const struct event *e, int64_t raised_ns)
{
	struct decision_facts *out = r->out;
	bool run = strcmp(e->kind, "run.prepared") == 0, agent = text_starts(e->actor, "agent:");
	struct journal j;
	int rc;

	if (run && actor_class(json_str(e->data, "by", "")) == ACTOR_HUMAN) {
		out->person_went_on = *out->person_went_on ? out->person_went_on
							    : run_words(r->a, e);
	} else if (*out->went_on) {
		return 0;
	} else if (run) {
		out->went_on = run_words(r->a, e);
	} else if (strcmp(e->kind, "attempt.observed") == 0 && !is_older_commit(e, raised_ns)) {
		out->went_on = arena_printf(r->a, "attempt %s has a new commit%s%s",
			text_sanitised(r->a, e->object),
			*json_str(e->data, "author", "") ? " by " : "",
			text_sanitised(r->a, json_str(e->data, "author", "")));
	} else if (agent) {
		if ((rc = journal_line_of(&j, r->ws, e, r->a)) < 0)
			return rc;
		out->went_on = arena_printf(
			r->a, "%s recorded: %s", who_words(r->a, e->actor), j.lines[0].headline);
	}
	return 0;
}

/* Does the agent wait at all?  The first thing that came after the alarm, what a person
 * did apart from it. */
static int read_waiting(struct decision_reader *r, const struct event *raised)
{
	struct position from = event_position(raised);
	struct event_query q = { .from = &from, .limit = 200 };
	struct event **events;
	int64_t then = INT64_MIN;
	size_t n;
	int rc = log_events(workspace_log(r->ws), &q, r->a, &events, &n);

	if (clock_from_iso(&then, raised->time))
		r->out->waited_ns = clock_wall_ns() - then;
	for (size_t i = 0; rc == 0 && i < n; i++) {
		struct position p = event_position(events[i]);

		if (r->at && position_compare(&p, r->at) > 0)
			break;
		rc = note_event(r, events[i], then);
	}
	return rc;
}

static int count_open(struct decision_reader *r)
{
	struct state_query q = { .type = "alarm", .at = r->at };
	void **rows;
	size_t n;
	int rc = state_list(r->ws, &q, r->a, &rows, &n);

	for (size_t i = 0; rc == 0 && i < n; i++)
		r->out->open += ((const struct alarm_state *)rows[i])->open;
	return rc;
}

/* ---- all of it ------------------------------------------------------------------ */

int decision_facts_read(struct decision_facts *out, struct workspace *ws, const char *alarm,
	const struct position *at, const atomic_bool *cancel, struct arena *a)
{
	struct decision_reader r = { .out = out, .ws = ws, .at = at, .cancel = cancel, .a = a };
	struct digest id;
	struct position p;
	struct event *raised;
	const struct json *saw = NULL;
	int rc;

	*out = (struct decision_facts){ .title = "",
		.text = "",
		.when = "",
		.accepted_time = "",
		.accepted_by = "",
		.gauge = "",
		.goal = "",
		.unit = "",
		.obstacles = "",
		.went_on = "",
		.person_went_on = "",
		.gap = NAN,
		.gap_now = NAN,
		.gap_step = NAN,
		.hours = NAN,
		.low_hours = NAN,
		.high_hours = NAN,
		.usd = NAN,
		.comparable = COMPARABLE_OPEN };
	if ((rc = decision_find_alarm(&out->alarm, ws, alarm, at, a)) < 0)
		return rc;
	if (!digest_from_hex(&id, out->alarm->raised.event) ||
		(rc = log_event(workspace_log(ws), &id, a, &raised)) < 0)
		return rc < 0 ? rc
			      : err_set(ERR_DAMAGED, "alarm %s names no event", out->alarm->id);
	p = event_position(raised);
	if ((rc = log_position_rank(workspace_log(ws), &p, &out->judged_at)) < 0)
		return rc;
	rc = 0;
	if (*out->alarm->features)
		rc = json_parse(
			&saw, a, out->alarm->features, strlen(out->alarm->features), JSON_STRICT);
	if (rc == 0)
		rc = decision_read_rule(&r, saw);
	if (rc == 0)
		rc = decision_read_gaps(&r, saw);
	if (rc == 0)
		rc = read_cost(&r);
	if (rc == 0)
		rc = read_waiting(&r, raised);
	if (rc == 0)
		rc = count_open(&r);
	if (rc == 0)
		decision_write_words(&r);
	return rc;
}
