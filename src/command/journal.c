/* journal - see journal.h. */
#include "config.h"

#include "command/journal.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/text.h"
#include "command/groups.h"
#include "command/journal_words.h"
#include "domain/object.h"
#include "workspace/state.h"

/* ---- lines ------------------------------------------------------------------------------ */

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
		s->why = journal_texts(ws, a, events[i]);
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
	l->attempt = journal_attempt_of(r->a, e);
	l->alarm = journal_alarm_of(r->a, e);
	l->headline = journal_headline(r->a, e);
	name_alarm(r, l);
	l->text = journal_texts(r->ws, r->a, e);
	l->fields = journal_fields(r->a, e);
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
		if (!kind && !journal_shows(events[i]->kind))
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

static const struct argument journal_arguments[] = {
	{ "--kind", ARGUMENT_TEXT, "only this kind, or a prefix that ends in a dot", false, false,
		NULL, "all" },
	{ "--limit", ARGUMENT_INTEGER, "at most so many lines", false, false, NULL, "all" },
	{ 0 },
};

const struct operation journal_operations[] = {
	{ "journal", NULL, 0, "what people and agents put on record, newest first", OPERATION_CLI,
		journal_arguments, journal_run, 0 },
	{ 0 },
};
