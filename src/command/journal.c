/* journal - see journal.h. */
#include "config.h"

#include "command/journal.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/text.h"
#include "command/groups.h"
#include "domain/kind.h"
#include "domain/object.h"
#include "workspace/accepted.h"
#include "workspace/state.h"

/* ---- lines ------------------------------------------------------------------------------ */

/* Kinds that a journal shows, and the fields of their headline in order. */
static const struct { const char *kind, *word, *fields[5]; } shown[] = {
	{ "migration.created", "migration", { "name" } },
	{ "config.accepted", "configuration accepted", { "loosened" } },
	{ "goal.set", "goal", { "metric", "direction", "target", "margin", "unit" } },
	{ "attempt.added", "attempt without a commit", { NULL } },
	{ "attempt.expected", "expected", { "level", "configuration" } },
	{ "attempt.claimed", "claimed", { "level", "configuration" } },
	{ "attempt.labelled", "labelled", { "outcome", "cause", "silent" } },
	{ "attempt.gone", "gone", { NULL } },
	{ "run.ended", "run ended", { "state", "why" } },
	{ "run.corrected", "run corrected", { "field", "old", "new" } },
	{ "check.recorded", "check", { "result" } },
	{ "alarm.raised", "ALARM", { "rule", "class", "attempt" } },
	{ "alarm.adjudicated", "adjudicated", { "verdict" } },
	{ "decision.made", "decision", { "choice", "subject", "minutes" } },
	{ "intervention.recorded", "intervention", { "kind", "attempt", "minutes" } },
	{ "note.written", "note", { NULL } },
	{ "signoff.given", "sign-off", { "meaning", "level" } },
	{ "event.superseded", "struck", { "kind", "of" } },
};

static long shown_index(const char *kind)
{
	for (size_t i = 0; i < ARRAY_LEN(shown); i++)
		if (strcmp(shown[i].kind, kind) == 0)
			return (long)i;
	return -1;
}

static void add_field(struct buf *b, const struct json *data, const char *field)
{
	const struct json *v = json_get(data, field);

	if (!v || (v->type == JSON_STRING && !v->text_n) || (v->type == JSON_ARRAY && !v->count))
		return;
	buf_adds(b, b->n && b->s[b->n - 1] != ':' ? ", " : " ");
	if (v->type == JSON_ARRAY) {
		buf_addf(b, "%zu loosened", v->count);
		return;
	}
	if (strcmp(field, "minutes") == 0) {
		buf_addf(b, "%s min", v->text);
		return;
	}
	if (strcmp(field, "configuration") == 0)
		buf_addc(b, '@');
	if (strcmp(field, "silent") == 0)
		buf_adds(b, strcmp(v->text, "yes") == 0 ? "silent" : "not silent");
	else
		text_sanitise(b, v->text, v->text_n < 120 ? v->text_n : 120);
}

static const char *headline(struct arena *a, const struct event *e, long index)
{
	struct buf b = BUF_INIT;
	const char *text;

	if (index < 0) {
		buf_adds(&b, e->kind);
	} else {
		buf_adds(&b, shown[index].word);
		buf_addc(&b, ':');
		for (size_t i = 0; i < ARRAY_LEN(shown[index].fields) && shown[index].fields[i]; i++)
			add_field(&b, e->data, shown[index].fields[i]);
		if (b.s[b.n - 1] == ':')
			buf_truncate(&b, b.n - 1);
	}
	text = arena_strndup(a, b.s, b.n);
	buf_release(&b);
	return text;
}

/* The free texts of an event, joined. */
static const char *texts(struct workspace *ws, struct arena *a, const struct event *e)
{
	struct buf b = BUF_INIT;
	const char *text;

	for (const struct json *d = e->data->first; d; d = d->next) {
		if (!kind_field_is_blob(e->kind, d->key) || strcmp(e->kind, "config.accepted") == 0)
			continue;
		if (b.n)
			buf_adds(&b, " | ");
		buf_adds(&b, workspace_text(ws, a, d->text));
	}
	text = arena_strndup(a, b.s, b.n);
	buf_release(&b);
	return text;
}

struct strike { const char *event, *by; };

/* Which events were struck, as of AT. */
static int read_strikes(struct strike **out, size_t *n, struct workspace *ws, const struct position *at, struct arena *a)
{
	struct event_query q = { .kind = "event.superseded" };
	struct event **events;
	size_t count;
	int rc = log_events(workspace_log(ws), &q, a, &events, &count);

	*n = 0;
	if (rc < 0)
		return rc;
	*out = arena_alloc(a, count * sizeof **out);
	for (size_t i = 0; i < count; i++) {
		struct position p = event_position(events[i]);
		char hex[DIGEST_HEX + 1];

		if (at && position_compare(&p, at) > 0)
			continue;
		digest_hex(hex, &events[i]->id);
		(*out)[*n].event = events[i]->object;
		(*out)[(*n)++].by = arena_strdup(a, hex);
	}
	return 0;
}

static void add_line(struct journal *out, struct workspace *ws, const struct event *e, const struct strike *strikes,
		     size_t n_strikes, struct arena *a)
{
	struct journal_line *l = &out->lines[out->n++];
	char hex[DIGEST_HEX + 1];

	digest_hex(hex, &e->id);
	l->event = arena_strdup(a, hex);
	l->time = e->time;
	l->who = text_sanitised(a, e->actor);
	l->kind = e->kind;
	l->object = text_sanitised(a, e->object);
	l->headline = headline(a, e, shown_index(e->kind));
	l->text = texts(ws, a, e);
	l->struck = "";
	l->position = event_position(e);
	for (size_t i = 0; i < n_strikes; i++)
		if (strcmp(strikes[i].event, hex) == 0)
			l->struck = strikes[i].by;
}

int journal_read(struct journal *out, struct workspace *ws, const struct position *at, const char *kind, size_t limit,
		 struct arena *a)
{
	enum { PAGE = 500 };
	struct event_query q = { .kind = kind, .descending = true, .limit = PAGE };
	struct strike *strikes = NULL;
	struct journal_line *heap = NULL;
	struct position from;
	size_t n_strikes, cap = 0;
	int rc = read_strikes(&strikes, &n_strikes, ws, at, a);

	memset(out, 0, sizeof *out);
	if (rc == 0 && at && (rc = log_position_next(workspace_log(ws), at, &from)) > 0)
		q.from = &from;
	while (rc >= 0) {
		struct event **events;
		size_t n;

		if ((rc = log_events(workspace_log(ws), &q, a, &events, &n)) < 0)
			break;
		for (size_t i = 0; i < n && (!limit || out->n < limit); i++) {
			if (!kind && shown_index(events[i]->kind) < 0)
				continue;
			out->lines = heap;
			ARRAY_GROW(heap, out->n, cap);
			out->lines = heap;
			add_line(out, ws, events[i], strikes, n_strikes, a);
		}
		if (n < PAGE || (limit && out->n >= limit))
			break;
		from = event_position(events[n - 1]);
		q.from = &from;
	}
	out->lines = arena_memdup(a, heap, out->n * sizeof *heap);
	free(heap);
	return rc < 0 ? rc : 0;
}

/* ---- needs -------------------------------------------------------------------------------- */

struct needs { struct need *rows; size_t n, cap; };

static struct need *add_need(struct needs *needs, enum need_kind kind, const char *text)
{
	ARRAY_GROW(needs->rows, needs->n, needs->cap);
	needs->rows[needs->n] = (struct need){ .kind = kind, .text = text, .attempt = "", .run = "", .alarm = "" };
	return &needs->rows[needs->n++];
}

static void need_alarms(struct needs *needs, void **rows, size_t n, struct arena *a)
{
	for (size_t i = 0; i < n; i++) {
		const struct alarm_state *s = rows[i];
		struct need *need;

		if (!s->open)
			continue;
		need = add_need(needs, NEED_ALARM, arena_printf(a, "%s asks for a decision%s%s (%s)", s->rule,
			*s->attempt ? ", attempt " : "", s->attempt, word_name(&words_rule_class, (int)s->class)));
		need->alarm = s->id;
		need->attempt = s->attempt;
	}
}

static void need_claims(struct needs *needs, void **rows, size_t n, struct arena *a)
{
	for (size_t i = 0; i < n; i++) {
		const struct attempt_state *s = rows[i];

		for (size_t k = 0; k < s->measured_n; k++)
			if (s->measured[k].claim == CLAIM_OVER)
				add_need(needs, NEED_OVER_CLAIM, arena_printf(a, "over-claim #%s at %s", s->id,
					s->measured[k].configuration))->attempt = s->id;
	}
}

int journal_needs(struct need **out, size_t *n, struct workspace *ws, const struct position *at, struct arena *a)
{
	struct state_query alarms = { .type = "alarm", .at = at }, attempts = { .type = "attempt", .at = at };
	struct needs needs = { 0 };
	struct accepted accepted;
	void **rows;
	size_t count;
	int rc = state_list(ws, &alarms, a, &rows, &count);

	if (rc < 0)
		return rc;
	need_alarms(&needs, rows, count, a);
	if ((rc = state_list(ws, &attempts, a, &rows, &count)) == 0)
		need_claims(&needs, rows, count, a);
	if (rc == 0 && !at && (rc = accepted_read(&accepted, ws, NULL)) == 0) {
		if (accepted.state == ACCEPTED_NEVER || accepted.state == ACCEPTED_CHANGED || accepted.state == ACCEPTED_INVALID)
			add_need(&needs, NEED_CONFIG, arena_strdup(a, accepted.sentence));
		accepted_release(&accepted);
	}
	*n = needs.n;
	*out = arena_memdup(a, needs.rows, needs.n * sizeof *needs.rows);
	free(needs.rows);
	return rc;
}

/* ---- commands ------------------------------------------------------------------------------ */

static int journal_run(struct call *c)
{
	static const struct report_column columns[] = {
		{ .name = "time", .title = "time", .type = REPORT_TEXT },
		{ .name = "who", .title = "who", .type = REPORT_TEXT },
		{ .name = "kind", .title = NULL, .type = REPORT_TEXT },
		{ .name = "object", .title = "about", .type = REPORT_TEXT, .min_width = 8 },
		{ .name = "what", .title = "what", .type = REPORT_TEXT, .min_width = 16 },
		{ .name = "text", .title = "words", .type = REPORT_TEXT, .min_width = 10 },
		{ .name = "struck", .title = NULL, .type = REPORT_TEXT },
		{ .name = "event", .title = NULL, .type = REPORT_TEXT },
	};
	struct journal j;
	int rc = journal_read(&j, c->workspace, c->at, call_text(c, "--kind"), (size_t)call_integer(c, "--limit", 0), c->arena);

	if (rc < 0)
		return rc;
	c->table = report_table_new(c->arena, "journal", columns, ARRAY_LEN(columns));
	for (size_t i = 0; i < j.n; i++) {
		const struct journal_line *l = &j.lines[i];

		report_row(c->table);
		report_text(c->table, "time", l->time);
		report_text(c->table, "who", l->who);
		report_text(c->table, "kind", l->kind);
		report_text(c->table, "object", l->object);
		report_textf(c->table, "what", "%s%s", *l->struck ? "(struck) " : "", l->headline);
		report_text(c->table, "text", *l->text ? l->text : NULL);
		report_text(c->table, "struck", *l->struck ? l->struck : NULL);
		report_text(c->table, "event", l->event);
	}
	if (!j.n)
		report_note(c->table, "nothing on record yet; portside intervene, note and decide write here");
	return 0;
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
		report_json(c->table, "features", *s->features ? s->features : "{}", s->features);
		report_bool(c->table, "open", s->open);
		report_text(c->table, "choice", s->choice ? word_name(&words_decision, (int)s->choice) : NULL);
		report_text(c->table, "verdict", s->verdict ? word_name(&words_verdict, (int)s->verdict) : NULL);
	}
	if (!n)
		report_note(c->table, "no alarm so far");
	return 0;
}

static int rules_run(struct call *c)
{
	static const struct report_column columns[] = {
		{ .name = "rule", .title = "rule", .type = REPORT_TEXT },
		{ .name = "gauge", .title = "gauge", .type = REPORT_TEXT, .min_width = 16 },
		{ .name = "fires", .title = "fires", .type = REPORT_BOOL },
		{ .name = "when", .title = "when", .type = REPORT_TEXT, .min_width = 16 },
		{ .name = "class", .title = "class", .type = REPORT_TEXT },
		{ .name = "action", .title = "asks for", .type = REPORT_TEXT },
		{ .name = "version", .title = NULL, .type = REPORT_TEXT },
	};
	struct rule_gauges g;
	size_t raised = 0;
	int rc = 0;

	if (call_flag(c, "--raise"))
		rc = stop_rules_raise(&raised, c->workspace, STOP_RULES_CURVES, c->progress.cancel, c->arena);
	if (rc == 0)
		rc = stop_rules_read(&g, c->workspace, c->at, STOP_RULES_CURVES, c->progress.cancel, c->arena);
	if (rc < 0)
		return rc;
	c->table = report_table_new(c->arena, "rules", columns, ARRAY_LEN(columns));
	for (size_t i = 0; i < g.n; i++) {
		report_row(c->table);
		report_text(c->table, "rule", g.rows[i].id);
		report_text(c->table, "gauge", g.rows[i].report.gauge);
		report_bool(c->table, "fires", g.rows[i].report.fires);
		report_text(c->table, "when", g.rows[i].when);
		report_text(c->table, "class", word_name(&words_rule_class, (int)g.rows[i].class));
		report_text(c->table, "action", word_name(&words_rule_action, (int)g.rows[i].action));
		report_text(c->table, "version", g.rows[i].version);
	}
	if (!g.from_accepted)
		report_note(c->table, "these are the default rules; an accepted portside.conf may name its own");
	if (raised)
		report_note(c->table, "%zu alarm%s raised: portside alarms", raised, raised == 1 ? "" : "s");
	return 0;
}

static const struct argument journal_arguments[] = {
	{ "--kind", ARGUMENT_TEXT, "only this kind, or a prefix that ends in a dot", false, false, NULL, "all" },
	{ "--limit", ARGUMENT_INTEGER, "at most so many lines", false, false, NULL, "all" },
	{ 0 },
};
static const struct argument rules_arguments[] = {
	{ "--raise", ARGUMENT_FLAG, "raise alarms for what fires", false, false, NULL, NULL },
	{ 0 },
};

const struct operation journal_operations[] = {
	{ "journal", NULL, 0, "what people and agents put on record, newest first", OPERATION_CLI, journal_arguments, journal_run, 0 },
	{ "alarms", NULL, 0, "every alarm, its decision and its verdict", OPERATION_CLI, NULL, alarms_run, 0 },
	{ "rules", NULL, 0, "the stop rules in force, as gauges", OPERATION_CLI | OPERATION_LONG, rules_arguments, rules_run, 0 },
	{ 0 },
};
