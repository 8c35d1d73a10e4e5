/* journal - see journal.h. */
#include "config.h"

#include "command/journal.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/text.h"
#include "command/groups.h"
#include "domain/cause.h"
#include "domain/check.h"
#include "domain/kind.h"
#include "domain/object.h"
#include "store/blob.h"
#include "workspace/accepted.h"
#include "workspace/state.h"

/* ---- lines ------------------------------------------------------------------------------ */

/* Kinds that a journal shows, and the fields of their headline in order. */
static const struct { const char *kind, *word, *fields[6]; } shown[] = {
	{ "migration.created", "migration", { "name" } },
	{ "config.accepted", "configuration accepted", { "loosened" } },
	{ "goal.set", "goal", { "metric", "target", "margin", "unit", "direction", "at" } },
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
	/* An id of our own making says nothing to people. */
	if (strcmp(field, "of") == 0 && v->type == JSON_STRING &&
		(text_starts(v->text, "decision-") || text_starts(v->text, "intervention-")))
		return;
	buf_adds(b, b->s[b->n - 1] == ':' || strcmp(field, "unit") == 0 ? " " : ", ");
	if (v->type == JSON_ARRAY) {
		buf_addf(b, "%zu loosened", v->count);
		return;
	}
	if (strcmp(field, "subject") == 0 && text_starts(v->text, "alarm:")) {
		buf_adds(b, "alarm ");
		text_sanitise(
			b, v->text + strlen("alarm:"), strnlen(v->text + strlen("alarm:"), 8));
		return;
	}
	if (strcmp(field, "subject") == 0 && text_starts(v->text, "attempt:")) {
		buf_addc(b, '#');
		text_sanitise(b, v->text + strlen("attempt:"), v->text_n - strlen("attempt:"));
		return;
	}
	if (strcmp(field, "minutes") == 0) {
		buf_addf(b, "%s min", v->text);
		return;
	}
	/* An agent's own word for a cause is no word of ours. */
	if (strcmp(field, "target") == 0 || strcmp(field, "margin") == 0 ||
		(strcmp(field, "cause") == 0 && !cause_find(v->text)))
		buf_addf(b, "%s ", field);
	if (strcmp(field, "configuration") == 0)
		buf_addc(b, '@');
	if (strcmp(field, "silent") == 0)
		buf_adds(b, strcmp(v->text, "yes") == 0 ? "silent" : "not silent");
	else
		text_sanitise(b, v->text, v->text_n < 120 ? v->text_n : 120);
	if (strcmp(field, "direction") == 0)
		buf_adds(b, " is better");
	if (strcmp(field, "at") == 0)
		buf_adds(b, " value counts");
}

/* Which check, and where: "grad @v5e-4". */
static void add_check(struct buf *b, struct arena *a, const struct event *e)
{
	struct check_name name;

	if (strcmp(e->kind, "check.recorded") == 0 && check_object_parse(&name, a, e->object))
		buf_addf(b, ", %s @%s", text_sanitised(a, name.check),
			text_sanitised(a, name.configuration));
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
		for (size_t i = 0; i < ARRAY_LEN(shown[index].fields) && shown[index].fields[i];
			i++)
			add_field(&b, e->data, shown[index].fields[i]);
		add_check(&b, a, e);
		if (b.s[b.n - 1] == ':')
			buf_truncate(&b, b.n - 1);
	}
	text = arena_strndup(a, b.s, b.n);
	buf_release(&b);
	return text;
}

/* Sanitised, with its lines kept: what people wrote in an editor stays readable. */
static void add_lines(struct buf *out, const char *s, size_t n)
{
	for (size_t i = 0; i < n; ) {
		const char *end = memchr(s + i, '\n', n - i);
		size_t k = end ? (size_t)(end - s) - i : n - i;

		text_sanitise(out, s + i, k && s[i + k - 1] == '\r' ? k - 1 : k);
		if (end)
			buf_addc(out, '\n');
		i += k + 1;
	}
}

static void add_blob(struct buf *out, struct workspace *ws, const char *hex)
{
	struct buf raw = BUF_INIT;
	enum blob_state state = BLOB_ABSENT;

	if (log_blob_hex(workspace_log(ws), hex, &state, &raw) < 0)
		buf_addf(out, "(unreadable: %s)", err_text());
	else if (state == BLOB_PRESENT)
		add_lines(out, raw.s, raw.n);
	else
		buf_adds(out, state == BLOB_WITHHELD ? "(withheld)" : "(not here)");
	buf_release(&raw);
}

/* The text of a configuration is not read in a journal; its summary is. */
static bool is_shown_blob(const struct event *e, const char *key)
{
	return kind_field_is_blob(e->kind, key) &&
		(strcmp(e->kind, "config.accepted") != 0 || strcmp(key, "text") != 0);
}

/* The free texts of an event, joined. */
static const char *texts(struct workspace *ws, struct arena *a, const struct event *e)
{
	struct buf b = BUF_INIT;
	const char *text;

	for (const struct json *d = e->data->first; d; d = d->next) {
		if (d->type != JSON_STRING || !d->text_n || !is_shown_blob(e, d->key))
			continue;
		if (b.n)
			buf_addc(&b, '\n');
		add_blob(&b, ws, d->text);
	}
	text = arena_strndup(a, b.s, b.n);
	buf_release(&b);
	return text;
}

/* "smoke_gap.accuracy 5.3, attempts 5" */
static void add_members(struct buf *out, const struct json *object)
{
	for (const struct json *d = object->first; d; d = d->next) {
		buf_addf(out, "%s%s ", d == object->first ? "" : ", ", d->key);
		if (d->type == JSON_STRING)
			buf_add(out, d->text, d->text_n);
		else
			json_canonical(out, d);
	}
}

/* "class correctness\nrule R4": what the headline leaves out, for the detail. */
static const char *fields_of(struct arena *a, const struct event *e)
{
	struct buf b = BUF_INIT;
	const char *text;

	for (const struct json *d = e->data->first; d; d = d->next) {
		struct buf value = BUF_INIT;

		if (kind_field_is_blob(e->kind, d->key) || strcmp(d->key, "established") == 0 ||
		    (d->type == JSON_STRING && !d->text_n))
			continue;
		if (d->type == JSON_STRING)
			buf_add(&value, d->text, d->text_n);
		else if (d->type == JSON_OBJECT)
			add_members(&value, d);
		else
			json_canonical(&value, d);
		text_sanitise(&b, d->key, d->key_n);
		buf_addc(&b, ' ');
		text_sanitise(&b, value.s, value.n);
		buf_addc(&b, '\n');
		buf_release(&value);
	}
	buf_trim_end(&b);
	text = arena_strndup(a, b.s, b.n);
	buf_release(&b);
	return text;
}

/* "alarm:KEY", "alarm/KEY", or KEY itself as the object of an alarm's event. */
static const char *alarm_of(struct arena *a, const struct event *e)
{
	const char *subject = json_str(e->data, "subject", json_str(e->data, "triggered_by", ""));

	if (text_starts(e->kind, "alarm."))
		return text_sanitised(a, e->object);
	if (text_starts(subject, "alarm:"))
		return text_sanitised(a, subject + strlen("alarm:"));
	return text_starts(e->object, "alarm/") ? text_sanitised(a, e->object + strlen("alarm/"))
						: "";
}

static const char *attempt_of(struct arena *a, const struct event *e)
{
	const char *subject = json_str(e->data, "subject", ""),
		   *id = json_str(e->data, "attempt", "");

	if (text_starts(e->kind, "attempt."))
		id = e->object;
	else if (text_starts(e->object, "attempt/"))
		id = e->object + strlen("attempt/");
	else if (text_starts(subject, "attempt:"))
		id = subject + strlen("attempt:");
	else if ((strcmp(e->kind, "signoff.given") == 0 || strcmp(e->kind, "check.recorded") == 0))
		id = arena_strndup(a, e->object, strcspn(e->object, "@"));
	return text_sanitised(a, id);
}

struct strike { const char *event, *by, *who, *why, *time; };

static int compare_strikes(const void *x, const void *y)
{
	const struct strike *a = x, *b = y;

	return strcmp(a->event, b->event);
}

/* Which events were struck, as of AT, by the ids of the struck ones. */
static int read_strikes(struct strike **out, size_t *n, struct workspace *ws,
	const struct position *at, struct arena *a)
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
		struct strike *s = &(*out)[*n];
		char hex[DIGEST_HEX + 1];

		if (at && position_compare(&p, at) > 0)
			continue;
		digest_hex(hex, &events[i]->id);
		s->event = events[i]->object;
		s->by = arena_strdup(a, hex);
		s->who = text_sanitised(a, events[i]->actor);
		s->why = texts(ws, a, events[i]);
		s->time = events[i]->time;
		++*n;
	}
	qsort(*out, *n, sizeof **out, compare_strikes);
	return 0;
}

static void set_strike(struct journal_line *l, const struct strike *strikes, size_t n)
{
	struct strike key = { .event = l->event };
	const struct strike *s =
		n ? bsearch(&key, strikes, n, sizeof *strikes, compare_strikes) : NULL;

	l->struck = s ? s->by : "";
	l->struck_by = s ? s->who : "";
	l->struck_why = s ? s->why : "";
	l->struck_time = s ? s->time : "";
}

/* Goals that were set when runs of attempts had begun: whoever set them may have
 * seen the numbers.  Events of all statements, as of AT. */
struct late_goal { const char *event; bool loosened; };

static int read_late_goals(struct late_goal **out, size_t *n, struct workspace *ws,
	const struct position *at, struct arena *a)
{
	struct state_query q = { .type = "goal", .at = at };
	struct late_goal *list = NULL;
	size_t n_goals, cap = 0;
	void **goals;
	int rc = state_list(ws, &q, a, &goals, &n_goals);

	*n = 0;
	for (size_t i = 0; rc == 0 && i < n_goals; i++) {
		const struct goal_state *g = goals[i];

		for (size_t k = 0; k < g->statements_n; k++) {
			if (!g->statements[k].late)
				continue;
			ARRAY_GROW(list, *n, cap);
			list[(*n)++] = (struct late_goal){ g->statements[k].entry.event,
				g->statements[k].loosened };
		}
	}
	*out = arena_memdup(a, list, *n * sizeof *list);
	free(list);
	return rc;
}

struct reader {
	struct workspace *ws;
	struct arena *a;
	void **alarms;			/* struct alarm_state */
	size_t n_alarms;
	struct strike *strikes;
	size_t n_strikes;
	struct late_goal *late;
	size_t n_late;
	struct journal_line *heap;
	size_t n, cap;
};

/* The mark stands before the figures, where a narrow column still shows it. */
static void set_late(struct reader *r, struct journal_line *l)
{
	static const char word[] = "goal";

	for (size_t i = 0; i < r->n_late; i++) {
		if (strcmp(r->late[i].event, l->event) != 0)
			continue;
		l->late = true;
		l->loosened = r->late[i].loosened;
		l->headline = arena_printf(r->a, "%s set LATE%s%s", word,
			l->loosened ? " and weaker" : "", l->headline + strlen(word));
		return;
	}
}

const char *alarm_words(const struct alarm_state *s, struct arena *a)
{
	return text_sanitised(a,
		*s->attempt ? arena_printf(a, "#%s %s", s->attempt, s->rule) : s->rule);
}

/* A key says nothing to a person: the attempt and the rule do, in the headline too. */
static void name_alarm(struct reader *r, struct journal_line *l)
{
	const char *key, *head;

	l->alarm_words = "";
	for (size_t i = 0; *l->alarm && i < r->n_alarms; i++) {
		const struct alarm_state *s = r->alarms[i];

		if (strcmp(s->id, l->alarm) == 0)
			l->alarm_words = alarm_words(s, r->a);
	}
	head = arena_printf(r->a, "alarm %.8s", l->alarm);
	if (!*l->alarm_words || !(key = strstr(l->headline, head)))
		return;
	l->headline = arena_printf(r->a, "%.*s%s%s", (int)(key - l->headline), l->headline,
		l->alarm_words, key + strlen(head));
}

static void add_line(struct reader *r, const struct event *e, int64_t place)
{
	struct journal_line *l;
	char hex[DIGEST_HEX + 1];

	ARRAY_GROW(r->heap, r->n, r->cap);
	l = &r->heap[r->n++];
	*l = (struct journal_line){ 0 };
	digest_hex(hex, &e->id);
	l->event = arena_strdup(r->a, hex);
	l->time = e->time;
	l->who = text_sanitised(r->a, e->actor);
	l->kind = text_sanitised(r->a, e->kind);
	l->object = text_sanitised(r->a, e->object);
	l->attempt = attempt_of(r->a, e);
	l->alarm = alarm_of(r->a, e);
	l->headline = headline(r->a, e, shown_index(e->kind));
	name_alarm(r, l);
	l->text = texts(r->ws, r->a, e);
	l->fields = fields_of(r->a, e);
	l->established = text_sanitised(r->a, json_str(e->data, "established", ""));
	l->place = place;
	l->position = event_position(e);
	set_strike(l, r->strikes, r->n_strikes);
	if (strcmp(e->kind, "goal.set") == 0)
		set_late(r, l);
}

/* One page, newest first.  Returns 1 when older events may follow. */
static int read_page(struct reader *r, struct journal *out, struct event_query *q,
	struct position *from, const char *kind, size_t limit)
{
	struct event **events;
	int64_t place = 0;
	size_t n;
	int rc = log_events(workspace_log(r->ws), q, r->a, &events, &n);

	for (size_t i = 0; rc == 0 && i < n; i++) {
		struct position p = event_position(events[i]);

		/* Of all kinds the places run without a gap; of one kind they do not. */
		if (i == 0 || q->kind)
			rc = log_position_rank(workspace_log(r->ws), &p, &place);
		else
			place--;
		if (rc < 0)
			return rc;
		rc = 0;
		if (!kind && shown_index(events[i]->kind) < 0)
			continue;
		if (limit && r->n == limit) {
			out->more = true;
			return 0;
		}
		add_line(r, events[i], place);
	}
	if (rc < 0 || n < q->limit)
		return rc;
	*from = event_position(events[n - 1]);
	q->from = from;
	return 1;
}

int journal_read(struct journal *out, struct workspace *ws, const struct position *at,
	const char *kind, size_t limit, struct arena *a)
{
	struct event_query q = { .kind = kind, .descending = true, .limit = 500 };
	struct state_query alarms = { .type = "alarm", .at = at };
	struct reader r = { .ws = ws, .a = a };
	struct position from;
	int rc = read_strikes(&r.strikes, &r.n_strikes, ws, at, a);

	memset(out, 0, sizeof *out);
	if (rc == 0)
		rc = state_list(ws, &alarms, a, &r.alarms, &r.n_alarms);
	if (rc == 0)
		rc = read_late_goals(&r.late, &r.n_late, ws, at, a);
	if (rc == 0 && at && (rc = log_position_next(workspace_log(ws), at, &from)) > 0)
		q.from = &from;
	if (rc >= 0)
		do {
			rc = read_page(&r, out, &q, &from, kind, limit);
		} while (rc > 0);
	out->lines = arena_memdup(a, r.heap, r.n * sizeof *r.heap);
	out->n = r.n;
	free(r.heap);
	return rc < 0 ? rc : 0;
}

int journal_line_of(
	struct journal *out, struct workspace *ws, const struct event *e, struct arena *a)
{
	struct state_query alarms = { .type = "alarm" };
	struct reader r = { .ws = ws, .a = a };
	struct position p = event_position(e);
	int64_t place = 0;
	int rc = read_strikes(&r.strikes, &r.n_strikes, ws, NULL, a);

	memset(out, 0, sizeof *out);
	if (rc == 0)
		rc = state_list(ws, &alarms, a, &r.alarms, &r.n_alarms);
	if (rc == 0)
		rc = read_late_goals(&r.late, &r.n_late, ws, NULL, a);
	if (rc == 0)
		rc = log_position_rank(workspace_log(ws), &p, &place);
	if (rc < 0)
		return rc;
	add_line(&r, e, place);
	out->lines = arena_memdup(a, r.heap, sizeof *r.heap);
	out->n = 1;
	free(r.heap);
	return 0;
}

const char *journal_about(const struct journal_line *l, struct arena *a)
{
	if (*l->alarm_words)
		return l->alarm_words;
	if (*l->attempt)
		return strcmp(l->attempt, "reference") == 0 ? l->attempt
							     : arena_printf(a, "#%s", l->attempt);
	/* What has no name of its own has an id that says nothing to people. */
	if (text_starts(l->kind, "decision.") || text_starts(l->kind, "intervention.") ||
		text_starts(l->kind, "alarm.") || text_starts(l->kind, "event."))
		return "migration";
	return l->object;
}

/* ---- needs -------------------------------------------------------------------------------- */

struct needs { struct need *rows; size_t n, cap; };

static struct need *add_need(struct needs *needs, enum need_kind kind, const char *text)
{
	ARRAY_GROW(needs->rows, needs->n, needs->cap);
	needs->rows[needs->n] =
		(struct need){ .kind = kind, .text = text, .attempt = "", .run = "", .alarm = "",
			.rule = "" };
	return &needs->rows[needs->n++];
}

static void need_alarms(struct needs *needs, void **rows, size_t n, struct arena *a)
{
	for (size_t i = 0; i < n; i++) {
		const struct alarm_state *s = rows[i];
		struct need *need;

		if (!s->open)
			continue;
		need = add_need(needs, NEED_ALARM,
			arena_printf(a, "%s asks for a decision%s%s (%s)", s->rule,
				*s->attempt ? ", attempt " : "", s->attempt,
				word_name(&words_rule_class, (int)s->class)));
		need->alarm = s->id;
		need->rule = s->rule;
		need->attempt = s->attempt;
	}
}

static void need_claims(struct needs *needs, void **rows, size_t n, struct arena *a)
{
	for (size_t i = 0; i < n; i++) {
		const struct attempt_state *s = rows[i];

		for (size_t k = 0; k < s->measured_n; k++)
			if (s->measured[k].claim == CLAIM_OVER)
				add_need(needs, NEED_OVER_CLAIM,
					arena_printf(a, "over-claim #%s at %s", s->id,
						s->measured[k].configuration))
					->attempt = s->id;
	}
}

int journal_needs(struct need **out, size_t *n, struct workspace *ws, const struct position *at,
	struct arena *a)
{
	struct state_query alarms = { .type = "alarm", .at = at },
			   attempts = { .type = "attempt", .at = at };
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
		if (accepted.state == ACCEPTED_NEVER || accepted.state == ACCEPTED_CHANGED ||
			accepted.state == ACCEPTED_INVALID)
			add_need(&needs, NEED_CONFIG, arena_strdup(a, accepted.sentence));
		accepted_release(&accepted);
	}
	*n = needs.n;
	*out = arena_memdup(a, needs.rows, needs.n * sizeof *needs.rows);
	free(needs.rows);
	return rc;
}

/* ---- commands ------------------------------------------------------------------------------ */

/* A cell has one line; what somebody wrote in several stands apart by a sign. */
static const char *in_one_line(const char *text, struct arena *a)
{
	struct buf b = BUF_INIT;
	const char *line;

	for (const char *s = text; *s; s += strspn(s, "\r\n")) {
		size_t n = strcspn(s, "\r\n");

		buf_adds(&b, b.n && n ? " / " : "");
		buf_add(&b, s, n);
		s += n;
	}
	line = arena_strndup(a, b.s, b.n);
	buf_release(&b);
	return line;
}

static int journal_run(struct call *c)
{
	static const struct report_column columns[] = {
		{ .name = "time", .title = "time", .type = REPORT_TEXT },
		{ .name = "who", .title = "who", .type = REPORT_TEXT },
		{ .name = "kind", .title = NULL, .type = REPORT_TEXT },
		{ .name = "about", .title = "about", .type = REPORT_TEXT, .min_width = 8 },
		{ .name = "object", .title = NULL, .type = REPORT_TEXT },
		{ .name = "what", .title = "what", .type = REPORT_TEXT, .min_width = 16 },
		{ .name = "text", .title = "words", .type = REPORT_TEXT, .min_width = 10 },
		{ .name = "struck", .title = NULL, .type = REPORT_TEXT },
		{ .name = "struck_by", .title = NULL, .type = REPORT_TEXT },
		{ .name = "struck_because", .title = NULL, .type = REPORT_TEXT },
		{ .name = "attempt", .title = NULL, .type = REPORT_TEXT },
		{ .name = "established", .title = NULL, .type = REPORT_TEXT },
		{ .name = "late", .title = NULL, .type = REPORT_BOOL },
		{ .name = "place", .title = NULL, .type = REPORT_ID },
		{ .name = "event", .title = NULL, .type = REPORT_TEXT },
	};
	struct journal j;
	int rc = journal_read(&j, c->workspace, c->at, call_text(c, "--kind"),
		(size_t)call_integer(c, "--limit", 0), c->arena);

	if (rc < 0)
		return rc;
	c->table = report_table_new(c->arena, "journal", columns, ARRAY_LEN(columns));
	for (size_t i = 0; i < j.n; i++) {
		const struct journal_line *l = &j.lines[i];

		report_row(c->table);
		report_text(c->table, "time", l->time);
		report_text(c->table, "who", l->who);
		report_text(c->table, "kind", l->kind);
		report_text(c->table, "about", journal_about(l, c->arena));
		report_text(c->table, "object", l->object);
		if (*l->struck)
			report_textf(
				c->table, "what", "%s (struck by %s)", l->headline, l->struck_by);
		else
			report_text(c->table, "what", l->headline);
		report_text(c->table, "text",
			*l->text ? c->wants_json ? l->text : in_one_line(l->text, c->arena) : NULL);
		report_text(c->table, "struck", *l->struck ? l->struck : NULL);
		report_text(c->table, "struck_by", *l->struck ? l->struck_by : NULL);
		report_text(c->table, "struck_because", *l->struck ? l->struck_why : NULL);
		report_text(c->table, "attempt", *l->attempt ? l->attempt : NULL);
		report_text(c->table, "established", *l->established ? l->established : NULL);
		if (strcmp(l->kind, "goal.set") == 0)
			report_bool(c->table, "late", l->late);
		report_integer(c->table, "place", l->place);
		report_text(c->table, "event", l->event);
	}
	if (!j.n)
		report_note(c->table,
			"nothing on record yet; portside intervene, note and decide write here");
	if (j.more)
		report_note(c->table, "older lines were left out; a larger --limit shows them");
	return 0;
}

/* "#5 #7": what the alarms of the rule are about that wait, whatever its gauge shows by
 * now; *OPEN counts them. */
static int add_open_alarms(
	struct buf *out, size_t *open, struct call *c, const struct rule_gauge *g)
{
	struct state_query q = { .type = "alarm", .at = c->at };
	void **rows;
	size_t n;
	int rc = state_list(c->workspace, &q, c->arena, &rows, &n);

	*open = 0;

	for (size_t i = 0; rc == 0 && i < n; i++) {
		const struct alarm_state *s = rows[i];

		if (!s->open || strcmp(s->rule, g->id) != 0)
			continue;
		++*open;
		if (*s->attempt)
			buf_addf(out, "%s#%s", out->n ? " " : "", s->attempt);
	}
	return rc;
}

/* What became of a rule's alarm: "open", "continue", NULL when it raised none. */
static int add_answer(struct call *c, const struct rule_gauge *g)
{
	const struct alarm_state *alarm;
	struct buf about = BUF_INIT;
	size_t open = 0;
	int rc = stop_rules_alarm(&alarm, c->workspace, g, c->at, c->arena);

	if (rc == 0)
		rc = add_open_alarms(&about, &open, c, g);
	if (rc == 0 && open)
		report_text(c->table, "alarm", "open");
	else if (rc == 0 && alarm && !*alarm->raised.struck)
		report_text(c->table, "alarm", word_name(&words_decision, (int)alarm->choice));
	if (rc == 0 && about.n)
		report_text(c->table, "about", about.s);
	buf_release(&about);
	return rc;
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
		{ .name = "alarm", .title = "alarm", .type = REPORT_TEXT },
		{ .name = "about", .title = "about", .type = REPORT_TEXT },
		{ .name = "version", .title = NULL, .type = REPORT_TEXT },
	};
	struct rule_gauges g;
	size_t raised = 0;
	int rc = 0;

	if (call_flag(c, "--raise"))
		rc = stop_rules_raise(
			&raised, c->workspace, STOP_RULES_CURVES, c->progress.cancel, c->arena);
	if (rc == 0)
		rc = stop_rules_read(
			&g, c->workspace, c->at, STOP_RULES_CURVES, c->progress.cancel, c->arena);
	if (rc < 0)
		return rc;
	c->table = report_table_new(c->arena, "rules", columns, ARRAY_LEN(columns));
	for (size_t i = 0; rc == 0 && i < g.n; i++) {
		report_row(c->table);
		report_text(c->table, "rule", g.rows[i].id);
		report_text(c->table, "gauge", g.rows[i].report.gauge);
		report_bool(c->table, "fires", g.rows[i].report.fires);
		report_text(c->table, "when", g.rows[i].when);
		report_text(c->table, "class", word_name(&words_rule_class, (int)g.rows[i].class));
		report_text(
			c->table, "action", word_name(&words_rule_action, (int)g.rows[i].action));
		report_text(c->table, "version", g.rows[i].version);
		rc = add_answer(c, &g.rows[i]);
	}
	if (rc < 0)
		return rc;
	for (size_t i = 0; i < g.n; i++) {
		if (g.rows[i].report.status != RULE_UNCALIBRATED)
			continue;
		report_note(c->table,
			"%s: portside rules calibrate tells a limit from repeats of the reference",
			g.rows[i].id);
	}
	report_note(c->table,
		"a gauge is value/limit of what \"when\" looks at, of the run that ended last; \"?\": it has "
		"no source; \"ok\": what the rule waits for is there");
	report_note(c->table,
		"\"fires\" is so now; \"alarm\" is open, or how it was decided: portside alarms lists all");
	if (!g.from_accepted)
		report_note(c->table,
			"these are the default rules; an accepted portside.conf may name its own");
	if (raised)
		report_note(c->table, "%zu alarm%s raised: portside alarms", raised,
			raised == 1 ? "" : "s");
	return 0;
}

static const struct argument journal_arguments[] = {
	{ "--kind", ARGUMENT_TEXT, "only this kind, or a prefix that ends in a dot", false, false,
		NULL, "all" },
	{ "--limit", ARGUMENT_INTEGER, "at most so many lines", false, false, NULL, "all" },
	{ 0 },
};
static const struct argument rules_arguments[] = {
	{ "--raise", ARGUMENT_FLAG, "raise alarms for what fires", false, false, NULL, NULL },
	{ 0 },
};

const struct operation journal_operations[] = {
	{ "journal", NULL, 0, "what people and agents put on record, newest first", OPERATION_CLI,
		journal_arguments, journal_run, 0 },
	{ "rules", NULL, 0, "the stop rules in force, as gauges", OPERATION_CLI | OPERATION_LONG,
		rules_arguments, rules_run, 0 },
	{ 0 },
};
